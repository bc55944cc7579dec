"""Phrases: the sentences with which a settlement is explained, in the languages of the room.

The name of a field says which sum its figure belongs to, so that the figures of an explanation can
be read back and added up: `plays` and `won` for what played; `back`, `over` and `loose` for what
goes back to the player; and `lost`, `held`, `stays` and `aside`. `apart` did not play and is in the
`aside` of the same line.

No verb agrees with a figure, so the same sentence works for one chip and for a thousand.
"""

from __future__ import annotations

from typing import Final

from novamas.game.languages import BULGARIAN, ENGLISH, FRENCH, ITALIAN, SPANISH

PHRASES: Final[dict[str, dict[str, str]]] = {
    ENGLISH: {
        "odds": "{above} to 1",
        "odds_one": "1 to 1",
        "odds_part": "{above} to {below}",
        "staked": "{amount} on {spot}; {number} came up.",
        "won": "It covers {number} and pays {odds}: {plays} wins {won}.",
        "half_won": (
            "It lies across two boxes, half in each: in {box}, which pays {odds}, {plays} wins "
            "{won}."
        ),
        "half_lost": "The other half, {lost}, is lost.",
        "half_even": (
            "It lies across two boxes, half in each: what the half in {box} wins, the other loses."
        ),
        "rounded": "Part of a unit is made whole in the player's favour.",
        "cascade": (
            "The amount over the maximum plays as {kind}, which pays {odds}: {plays} wins {won}."
        ),
        "at_maximum": "The maximum on this spot was already reached.",
        "unclear": "Its value was not clear at a glance, so no more than the maximum plays.",
        "excess_back": "Over the maximum, returned: {over}.",
        "excess_apart": "Over the maximum, not played: {apart}.",
        "to_hand": "Stake returned: {back}.",
        "on_cloth": "Stays on the table and plays on: {stays}.",
        "on_number": "Reduced to a straight on the number, plays on: {reduced}.",
        "freed_chips": "Freed by the reduction and paid out: {freed}.",
        "rides": "The player is away; left in play on the box: {stays}.",
        "aside": "The player is away; set aside: {aside}.",
        "aside_too": "Set aside: {aside}.",
        "lost": "It does not cover {number}: {lost} is lost.",
        "lost_over": "It was over the maximum and nobody noticed in time: nothing is given back.",
        "zero_lost": "Zero takes it: {lost} is lost.",
        "zero_half": "Zero divides it.",
        "zero_shared": "Zero divides it together with the player's other chips on this chance.",
        "zero_loose": "Less than a chip is not divided; returned: {loose}.",
        "zero_chip": "The odd chip waits in prison for the next spin: {held}.",
        "zero_prison": "Zero puts it in prison, worth {held}; the player may take half instead.",
        "last_half": "It was the last spin: half must be taken.",
        "back": "Returned: {back}.",
        "bank": "To the bank: {lost}.",
        "chose_half": "The player took half.",
        "chose_prison": "The player leaves it in prison, worth {held}.",
        "prisoner": "{amount} in prison on {spot}; {number} came up.",
        "freed": "It wins and is free again. Returned: {back}, without winnings.",
        "freed_away": "It wins and is free again, without winnings.",
        "taken": "It loses: {lost}.",
        "again_halved": "Zero again: it loses half, {lost}, and stays in prison, worth {held}.",
        "again_stays": "Zero again: it stays in prison, worth {held}.",
        "again_lost": "Zero again: {lost} is lost.",
        "again_last": (
            "Zero again, and it was the last spin: its value halves, and half of that must be "
            "taken."
        ),
        "returned": "On {spot}, returned without having played: {amount}.",
        "closed": "{amount} in prison on {spot}; the table closes.",
    },
    SPANISH: {
        "odds": "{above} a 1",
        "odds_one": "1 a 1",
        "odds_part": "{above} a {below}",
        "staked": "{amount} a {spot}; salió el {number}.",
        "won": "Comprende el {number} y paga {odds}. Apuesta {plays}, ganancia {won}.",
        "half_won": (
            "Va a caballo de dos casillas, la mitad en cada una. En {box}, que paga {odds}: "
            "apuesta {plays}, ganancia {won}."
        ),
        "half_lost": "La otra mitad se pierde: {lost}.",
        "half_even": (
            "Va a caballo de dos casillas, la mitad en cada una: lo que gana la mitad en "
            "{box} lo pierde la otra."
        ),
        "rounded": "La fracción de unidad se redondea a favor del jugador.",
        "cascade": (
            "El excedente juega a {kind}, que paga {odds}: apuesta {plays}, ganancia {won}."
        ),
        "at_maximum": "En esa casilla ya estaba apostado el máximo.",
        "unclear": "Su valor no se apreciaba a simple vista: juega solo hasta el máximo.",
        "excess_back": "Por encima del máximo, se devuelve: {over}.",
        "excess_apart": "Por encima del máximo, sin jugar: {apart}.",
        "to_hand": "Apuesta devuelta: {back}.",
        "on_cloth": "Queda en el paño y sigue en juego: {stays}.",
        "on_number": "Reducida a pleno en el número, sigue en juego: {reduced}.",
        "freed_chips": "Liberado por la reducción y pagado: {freed}.",
        "rides": "Jugador ausente, sigue en juego en la casilla: {stays}.",
        "aside": "Jugador ausente, en depósito: {aside}.",
        "aside_too": "En depósito: {aside}.",
        "lost": "No comprende el {number}. Pérdida: {lost}.",
        "lost_over": "Pasaba del máximo y nadie lo advirtió a tiempo: no se devuelve nada.",
        "zero_lost": "Se la lleva el cero. Pérdida: {lost}.",
        "zero_half": "El cero la divide.",
        "zero_shared": "El cero la divide junto con las demás fichas del jugador en esa chance.",
        "zero_loose": "Lo que no llega a una ficha no se divide; devuelto: {loose}.",
        "zero_chip": "La ficha impar espera en prisión la próxima jugada: {held}.",
        "zero_prison": "El cero la deja en prisión, por {held}; se puede retirar la mitad.",
        "last_half": "Era la última jugada: hay que retirar la mitad.",
        "back": "Devuelto: {back}.",
        "bank": "Para la banca: {lost}.",
        "chose_half": "El jugador retiró la mitad.",
        "chose_prison": "El jugador la deja en prisión, por {held}.",
        "prisoner": "{amount} en prisión a {spot}; salió el {number}.",
        "freed": "Gana y queda libre. Devuelto: {back}, sin ganancia.",
        "freed_away": "Gana y queda libre, sin ganancia.",
        "taken": "Pierde: {lost}.",
        "again_halved": "Otra vez cero: pierde la mitad, {lost}, y sigue en prisión, por {held}.",
        "again_stays": "Otra vez cero: sigue en prisión, por {held}.",
        "again_lost": "Otra vez cero. Pérdida: {lost}.",
        "again_last": (
            "Otra vez cero, en la última jugada: su valor se reduce a la mitad y hay que retirar "
            "la mitad de lo que queda."
        ),
        "returned": "A {spot}, devuelto sin jugar: {amount}.",
        "closed": "{amount} en prisión a {spot}; la mesa cierra.",
    },
    ITALIAN: {
        "odds": "{above} volte la puntata",
        "odds_one": "una volta la puntata",
        "odds_part": "{above}/{below} della puntata",
        "staked": "{amount} su {spot}; numero uscito: {number}.",
        "won": "Copre il numero uscito e paga {odds}: puntata {plays}, vincita {won}.",
        "half_won": (
            "È a cavallo di due caselle, metà per ciascuna. Su {box}, che paga {odds}: puntata "
            "{plays}, vincita {won}."
        ),
        "half_lost": "L’altra metà è persa: {lost}.",
        "half_even": (
            "È a cavallo di due caselle, metà per ciascuna: quanto vince la metà su "
            "{box}, lo perde l’altra."
        ),
        "rounded": "La frazione di unità si arrotonda a favore del giocatore.",
        "cascade": (
            "L’eccedenza gioca come {kind}, che paga {odds}: puntata {plays}, vincita {won}."
        ),
        "at_maximum": "Su questa casella il massimo era già raggiunto.",
        "unclear": "Il suo valore non era chiaro a colpo d’occhio: gioca solo fino al massimo.",
        "excess_back": "Oltre il massimo, reso: {over}.",
        "excess_apart": "Oltre il massimo, non giocato: {apart}.",
        "to_hand": "Puntata resa: {back}.",
        "on_cloth": "Resta sul tappeto e continua a giocare: {stays}.",
        "on_number": "Ridotta a pieno sul numero, continua a giocare: {reduced}.",
        "freed_chips": "Liberato dalla riduzione e pagato: {freed}.",
        "rides": "Giocatore assente, in gioco sulla casella: {stays}.",
        "aside": "Giocatore assente, accantonato: {aside}.",
        "aside_too": "Accantonato: {aside}.",
        "lost": "Non copre il numero {number}. Perdita: {lost}.",
        "lost_over": (
            "Superava il massimo e nessuno se ne è accorto in tempo: non si rende nulla."
        ),
        "zero_lost": "La prende lo zero. Perdita: {lost}.",
        "zero_half": "Lo zero la divide.",
        "zero_shared": (
            "Lo zero la divide insieme agli altri gettoni del giocatore su questa chance."
        ),
        "zero_loose": "La frazione di gettone non si divide; reso: {loose}.",
        "zero_chip": "Il gettone dispari resta in prigione fino al prossimo colpo: {held}.",
        "zero_prison": "Lo zero la mette in prigione per {held}; se ne può ritirare la metà.",
        "last_half": "Era l’ultimo colpo: la metà va ritirata.",
        "back": "Reso: {back}.",
        "bank": "Al banco: {lost}.",
        "chose_half": "Il giocatore ha ritirato la metà.",
        "chose_prison": "Il giocatore la lascia in prigione per {held}.",
        "prisoner": "{amount} in prigione su {spot}; numero uscito: {number}.",
        "freed": "Vince ed è libera. Reso: {back}, senza vincita.",
        "freed_away": "Vince ed è libera, senza vincita.",
        "taken": "Perde: {lost}.",
        "again_halved": "Ancora zero: perde la metà, {lost}, e resta in prigione per {held}.",
        "again_stays": "Ancora zero: resta in prigione per {held}.",
        "again_lost": "Ancora zero. Perdita: {lost}.",
        "again_last": (
            "Ancora zero, all’ultimo colpo: il suo valore si dimezza e di ciò che resta va "
            "ritirata la metà."
        ),
        "returned": "Su {spot}, reso senza giocare: {amount}.",
        "closed": "{amount} in prigione su {spot}; il tavolo chiude.",
    },
    BULGARIAN: {
        "odds": "{above} към 1",
        "odds_one": "1 към 1",
        "odds_part": "{above} към {below}",
        "staked": "{amount} на {spot}; падна се {number}.",
        "won": "Залогът включва {number} и плаща {odds}: залог {plays}, печалба {won}.",
        "half_won": (
            "Залогът е върху две полета, по половина във всяко. На {box} при {odds}: залог "
            "{plays}, печалба {won}."
        ),
        "half_lost": "Другата половина губи: {lost}.",
        "half_even": (
            "Залогът е върху две полета, по половина във всяко: колкото печели половината "
            "на {box}, толкова губи другата."
        ),
        "rounded": "Частта от единица се закръглява в полза на играча.",
        "cascade": "Над максимума {plays} играе като {kind} при {odds}: печалба {won}.",
        "at_maximum": "Максимумът на това поле вече беше достигнат.",
        "unclear": "Стойността му не е ясна от пръв поглед: играе само до максимума.",
        "excess_back": "Над максимума, върнато: {over}.",
        "excess_apart": "Над максимума, неизиграно: {apart}.",
        "to_hand": "Върнат залог: {back}.",
        "on_cloth": "Остава на платното и играе отново: {stays}.",
        "on_number": "Редуциран до пълен номер, играе отново: {reduced}.",
        "freed_chips": "Освободено от редукцията и изплатено: {freed}.",
        "rides": "Играчът отсъства, в игра на полето: {stays}.",
        "aside": "Играчът отсъства, заделено: {aside}.",
        "aside_too": "Заделено: {aside}.",
        "lost": "Залогът не включва {number}. Загуба: {lost}.",
        "lost_over": (
            "Залогът беше над максимума и никой не го забеляза навреме: нищо не се връща."
        ),
        "zero_lost": "Нулата го взема. Загуба: {lost}.",
        "zero_half": "Нулата го дели.",
        "zero_shared": "Нулата го дели заедно с другите чипове на играча на този шанс.",
        "zero_loose": "Сума под един чип не се дели; върнато: {loose}.",
        "zero_chip": "Нечетният чип чака в затвора до следващата игра: {held}.",
        "zero_prison": "Нулата го праща в затвора за {held}; може да се вземе половината.",
        "last_half": "Това беше последната игра: трябва да се вземе половината.",
        "back": "Върнато: {back}.",
        "bank": "За банката: {lost}.",
        "chose_half": "Играчът взе половината.",
        "chose_prison": "Играчът го оставя в затвора за {held}.",
        "prisoner": "{amount} в затвора на {spot}; падна се {number}.",
        "freed": "Печели и е свободен. Върнато: {back}, без печалба.",
        "freed_away": "Печели и е свободен, без печалба.",
        "taken": "Губи: {lost}.",
        "again_halved": "Отново нула: губи половината, {lost}, и остава в затвора за {held}.",
        "again_stays": "Отново нула: остава в затвора за {held}.",
        "again_lost": "Отново нула. Загуба: {lost}.",
        "again_last": (
            "Отново нула, в последната игра: стойността му намалява наполовина и трябва да се "
            "вземе половината от остатъка."
        ),
        "returned": "На {spot}, върнато, без да играе: {amount}.",
        "closed": "{amount} в затвора на {spot}; масата се затваря.",
    },
    FRENCH: {
        "odds": "{above} fois",
        "odds_one": "1 fois",
        "odds_part": "{above}/{below} de la mise",
        "staked": "{amount} sur {spot}\u202f; le {number} est sorti.",
        "won": "La mise couvre le {number} et paie {odds}\u00a0: mise {plays}, gain {won}.",
        "half_won": (
            "Elle est à cheval sur deux cases, la moitié sur chacune. Sur {box}, qui paie "
            "{odds}\u00a0: mise {plays}, gain {won}."
        ),
        "half_lost": "L’autre moitié est perdue\u00a0: {lost}.",
        "half_even": (
            "Elle est à cheval sur deux cases, la moitié sur chacune\u00a0: ce que gagne "
            "la moitié sur {box}, l’autre le perd."
        ),
        "rounded": "La fraction d’unité est arrondie en faveur du joueur.",
        "cascade": "L’excédent joue en {kind}, qui paie {odds}\u00a0: mise {plays}, gain {won}.",
        "at_maximum": "Le maximum de cette case était déjà atteint.",
        "unclear": (
            "Sa valeur n’était pas claire au premier coup d’œil\u00a0: elle ne joue que jusqu’au "
            "maximum."
        ),
        "excess_back": "Au-dessus du maximum, rendu\u00a0: {over}.",
        "excess_apart": "Au-dessus du maximum, non joué\u00a0: {apart}.",
        "to_hand": "Mise rendue\u00a0: {back}.",
        "on_cloth": "Reste sur le tapis et continue à jouer\u00a0: {stays}.",
        "on_number": "Réduite en plein sur le numéro, continue à jouer\u00a0: {reduced}.",
        "freed_chips": "Libéré par la réduction et payé\u00a0: {freed}.",
        "rides": "Joueur absent, en jeu sur la case\u00a0: {stays}.",
        "aside": "Joueur absent, mis de côté\u00a0: {aside}.",
        "aside_too": "Mis de côté\u00a0: {aside}.",
        "lost": "Elle ne couvre pas le {number}. Perte\u00a0: {lost}.",
        "lost_over": (
            "Elle dépassait le maximum et personne ne l’a vu à temps\u00a0: rien n’est rendu."
        ),
        "zero_lost": "Le zéro la prend. Perte\u00a0: {lost}.",
        "zero_half": "Le zéro la partage.",
        "zero_shared": "Le zéro la partage avec les autres jetons du joueur sur cette chance.",
        "zero_loose": "Moins d’un jeton ne se partage pas\u202f; rendu\u00a0: {loose}.",
        "zero_chip": "Le jeton impair attend en prison le prochain coup\u00a0: {held}.",
        "zero_prison": (
            "Le zéro la met en prison pour {held}\u202f; on peut en retirer la moitié."
        ),
        "last_half": "C’était le dernier coup\u00a0: la moitié doit être retirée.",
        "back": "Rendu\u00a0: {back}.",
        "bank": "À la banque\u00a0: {lost}.",
        "chose_half": "Le joueur a retiré la moitié.",
        "chose_prison": "Le joueur la laisse en prison pour {held}.",
        "prisoner": "{amount} en prison sur {spot}\u202f; le {number} est sorti.",
        "freed": "Elle gagne et sort de prison. Rendu\u00a0: {back}, sans gain.",
        "freed_away": "Elle gagne et sort de prison, sans gain.",
        "taken": "Elle perd\u00a0: {lost}.",
        "again_halved": (
            "Encore zéro\u00a0: elle perd la moitié, {lost}, et reste en prison pour {held}."
        ),
        "again_stays": "Encore zéro\u00a0: elle reste en prison pour {held}.",
        "again_lost": "Encore zéro. Perte\u00a0: {lost}.",
        "again_last": (
            "Encore zéro, au dernier coup\u00a0: sa valeur diminue de moitié et il faut retirer "
            "la moitié du reste."
        ),
        "returned": "Sur {spot}, rendu sans avoir joué\u00a0: {amount}.",
        "closed": "{amount} en prison sur {spot}\u202f; la table ferme.",
    },
}
"""Language → name → sentence; every language has the same sentences."""
