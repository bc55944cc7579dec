"""Phrases: the sentences with which a settlement is explained, in the languages of the room."""

from __future__ import annotations

from typing import Final

ENGLISH, SPANISH, ITALIAN, BULGARIAN, FRENCH = "en", "es", "it", "bg", "fr"
"""The languages, by their codes."""

PHRASES: Final[dict[str, dict[str, str]]] = {
    ENGLISH: {
        "staked": "{amount} on {spot}; {number} came out.",
        "won": "It covers {number} and pays {pays} for 1: {plays} wins {won}.",
        "half_won": (
            "It lies across two boxes, half in each: the {box} half wins {won}, the other half, "
            "{lost}, is lost."
        ),
        "cascade": "{amount} of the excess plays as {kind}, which pays {pays} for 1: {won}.",
        "excess_back": "{rest} lay above the maximum and comes back.",
        "to_hand": "Of the stake, {returned} goes back to the hand.",
        "on_cloth": "The stake of {stays} stays on the cloth and plays on.",
        "rides": "Its owner is away: {stays} rides on the box.",
        "aside": "Its owner is away: {aside} is set aside for him.",
        "lost": "It does not cover {number}: {lost} is lost.",
        "lost_over": "More than the maximum was staked and nobody noticed in time: all of it goes.",
        "zero_lost": "Zero takes it: {lost} is lost.",
        "zero_half": "Zero divides it: {returned} comes back and {lost} goes to the bank.",
        "zero_chip": "The odd chip, {held}, waits in prison for the next coup.",
        "zero_prison": "Zero leaves it in prison, worth {held}; its owner may take half instead.",
        "zero_forced": "It was the last spin: half must be taken.",
        "chose_half": "Half was taken: {returned} comes back and {lost} goes to the bank.",
        "chose_prison": "Its owner leaves it in prison, worth {held}.",
        "prisoner": "{amount} in prison on {spot}; {number} came out.",
        "freed": "It wins and is free again: {returned} comes back, without a gain.",
        "taken": "It loses: {lost} is taken.",
        "again_halved": "Zero again: half of it, {lost}, is lost, and {held} stays in prison.",
        "again_stays": "Zero again: {held} stays in prison.",
        "returned": "{amount} on {spot} goes back without having played.",
    },
    SPANISH: {
        "staked": "{amount} a {spot}; salió el {number}.",
        "won": "Comprende el {number} y paga {pays} por 1: {plays} ganan {won}.",
        "half_won": (
            "Va a caballo de dos casillas, la mitad en cada una: la mitad en {box} gana {won}; la "
            "otra, {lost}, se pierde."
        ),
        "cascade": "{amount} del excedente juegan a {kind}, que paga {pays} por 1: {won}.",
        "excess_back": "{rest} pasaban del máximo y se devuelven.",
        "to_hand": "De la apuesta, {returned} vuelven a la mano.",
        "on_cloth": "La apuesta de {stays} queda en el paño y sigue en juego.",
        "rides": "Su dueño está ausente: {stays} siguen en la casilla.",
        "aside": "Su dueño está ausente: se le guardan {aside}.",
        "lost": "No comprende el {number}: se pierden {lost}.",
        "lost_over": "Se apostó más del máximo y nadie lo advirtió a tiempo: se pierde todo.",
        "zero_lost": "El cero se la lleva: se pierden {lost}.",
        "zero_half": "El cero la divide: vuelven {returned} y {lost} son para la banca.",
        "zero_chip": "La ficha impar, {held}, espera en prisión la próxima jugada.",
        "zero_prison": "El cero la deja en prisión, por {held}; su dueño puede retirar la mitad.",
        "zero_forced": "Era la última tirada: hay que retirar la mitad.",
        "chose_half": "Se retiró la mitad: vuelven {returned} y {lost} son para la banca.",
        "chose_prison": "Su dueño la deja en prisión, por {held}.",
        "prisoner": "{amount} en prisión a {spot}; salió el {number}.",
        "freed": "Gana y queda libre: vuelven {returned}, sin ganancia.",
        "taken": "Pierde: se recogen {lost}.",
        "again_halved": "Otra vez cero: se pierde la mitad, {lost}, y {held} siguen en prisión.",
        "again_stays": "Otra vez cero: {held} siguen en prisión.",
        "returned": "{amount} a {spot} se devuelven sin haber jugado.",
    },
    ITALIAN: {
        "staked": "{amount} su {spot}; è uscito il {number}.",
        "won": "Comprende il {number} e paga {pays} volte: {plays} vincono {won}.",
        "half_won": (
            "È a cavallo di due caselle, metà per ciascuna: la metà su {box} vince {won}, l'altra, "
            "{lost}, è persa."
        ),
        "cascade": "{amount} dell'eccedenza giocano a {kind}, che paga {pays} volte: {won}.",
        "excess_back": "{rest} superavano il massimo e vengono restituiti.",
        "to_hand": "Della puntata, {returned} tornano in mano.",
        "on_cloth": "La puntata di {stays} resta sul tappeto e continua a giocare.",
        "rides": "Il giocatore è assente: {stays} restano in gioco sulla casella.",
        "aside": "Il giocatore è assente: {aside} vengono messi da parte per lui.",
        "lost": "Non comprende il {number}: {lost} sono persi.",
        "lost_over": "La puntata superava il massimo e nessuno se ne è accorto in tempo: è persa.",
        "zero_lost": "Lo zero la prende: {lost} sono persi.",
        "zero_half": "Lo zero la divide: {returned} tornano al giocatore e {lost} vanno al banco.",
        "zero_chip": "Il gettone dispari, {held}, resta in prigione fino al prossimo colpo.",
        "zero_prison": "Lo zero la lascia in prigione per {held}; se ne può ritirare la metà.",
        "zero_forced": "Era l'ultimo colpo: la metà va ritirata.",
        "chose_half": "La metà è stata ritirata: {returned} tornano in mano e {lost} al banco.",
        "chose_prison": "Il giocatore la lascia in prigione per {held}.",
        "prisoner": "{amount} in prigione su {spot}; è uscito il {number}.",
        "freed": "Vince ed è libera: {returned} tornano al giocatore, senza vincita.",
        "taken": "Perde: {lost} vengono incamerati.",
        "again_halved": "Ancora zero: la metà, {lost}, è persa e {held} restano in prigione.",
        "again_stays": "Ancora zero: {held} restano in prigione.",
        "returned": "{amount} su {spot} vengono restituiti senza aver giocato.",
    },
    BULGARIAN: {
        "staked": "{amount} на {spot}; падна се {number}.",
        "won": "Залогът включва {number} и плаща {pays} към 1: {plays} печелят {won}.",
        "half_won": (
            "Залогът е върху две полета, по половина във всяко: половината на {box} печели {won}, "
            "другата, {lost}, губи."
        ),
        "cascade": "{amount} от горницата играят като {kind} при {pays} към 1: {won}.",
        "excess_back": "{rest} са над максимума и се връщат.",
        "to_hand": "От залога {returned} се връщат на играча.",
        "on_cloth": "Залогът от {stays} остава на масата и играе отново.",
        "rides": "Играчът отсъства: {stays} остават в игра на полето.",
        "aside": "Играчът отсъства: {aside} се заделят за него.",
        "lost": "Залогът не включва {number}: {lost} се губят.",
        "lost_over": "Залогът е над максимума и никой не го е забелязал навреме: губи се изцяло.",
        "zero_lost": "Нулата го взема: {lost} се губят.",
        "zero_half": "Нулата го дели: {returned} се връщат, а {lost} остават за казиното.",
        "zero_chip": "Нечетният чип, {held}, чака в затвора до следващата игра.",
        "zero_prison": "Нулата го оставя в затвора за {held}; играчът може да вземе половината.",
        "zero_forced": "Това е последната игра: половината трябва да се вземе.",
        "chose_half": "Взета е половината: {returned} се връщат, а {lost} остават за казиното.",
        "chose_prison": "Играчът го оставя в затвора за {held}.",
        "prisoner": "{amount} в затвора на {spot}; падна се {number}.",
        "freed": "Печели и е свободен: {returned} се връщат, без печалба.",
        "taken": "Губи: {lost} се прибират.",
        "again_halved": "Отново нула: половината, {lost}, се губи, а {held} остават в затвора.",
        "again_stays": "Отново нула: {held} остават в затвора.",
        "returned": "{amount} на {spot} се връщат, без да са играли.",
    },
    FRENCH: {
        "staked": "{amount} sur {spot} ; le {number} est sorti.",
        "won": "La mise couvre le {number} et paie {pays} pour 1 : {plays} gagnent {won}.",
        "half_won": (
            "Elle est à cheval sur deux cases, la moitié sur chacune : la moitié sur {box} gagne "
            "{won}, l'autre, {lost}, est perdue."
        ),
        "cascade": "{amount} de l'excédent jouent en {kind}, qui paie {pays} pour 1 : {won}.",
        "excess_back": "{rest} dépassaient le maximum et sont rendus.",
        "to_hand": "De la mise, {returned} reviennent en main.",
        "on_cloth": "La mise de {stays} reste sur le tapis et continue à jouer.",
        "rides": "Le joueur est absent : {stays} restent en jeu sur la case.",
        "aside": "Le joueur est absent : {aside} lui sont mis de côté.",
        "lost": "La mise ne couvre pas le {number} : {lost} sont perdus.",
        "lost_over": "La mise dépassait le maximum et nul ne l'a vu à temps : elle est perdue.",
        "zero_lost": "Le zéro la prend : {lost} sont perdus.",
        "zero_half": "Le zéro la partage : {returned} reviennent au joueur et {lost} à la banque.",
        "zero_chip": "Le jeton impair, {held}, attend en prison le prochain coup.",
        "zero_prison": "Le zéro la met en prison pour {held} ; on peut en retirer la moitié.",
        "zero_forced": "C'était le dernier coup : la moitié doit être retirée.",
        "chose_half": "La moitié a été retirée : {returned} reviennent, {lost} vont à la banque.",
        "chose_prison": "Le joueur la laisse en prison pour {held}.",
        "prisoner": "{amount} en prison sur {spot} ; le {number} est sorti.",
        "freed": "Elle gagne et sort de prison : {returned} reviennent, sans gain.",
        "taken": "Elle perd : {lost} sont ramassés.",
        "again_halved": "Encore zéro : la moitié, {lost}, est perdue et {held} restent en prison.",
        "again_stays": "Encore zéro : {held} restent en prison.",
        "returned": "{amount} sur {spot} sont rendus sans avoir joué.",
    },
}
"""Language → name → sentence; every language has the same sentences."""
