"""Messages: the headings and remarks around what a command tells, in the languages of the houses.

What is a name stays as it is in every language: the plain names of spots, the keys of a book, the
options of a command.
"""

from __future__ import annotations

from typing import Final

from novamas.game.languages import BULGARIAN, ENGLISH, FRENCH, ITALIAN, SPANISH

WORDING: Final[dict[str, dict[str, str]]] = {
    ENGLISH: {
        "pay": "pay",
        "player": "player",
        "id": "id",
        "stake": "stake",
        "of": "of",
        "amount": "amount",
        "won": "won",
        "returned": "returned",
        "lost": "lost",
        "held": "held",
        "stays": "stays",
        "reduced": "reduced",
        "aside": "set aside",
        "articles": "articles",
        "staked": "staked",
        "net": "net",
        "bank": "bank",
        "prison": "prison",
        "sent_back": "{what}: {amount} sent back when betting closes, too little to play",
        "as_laid": "(--as-laid settles it all the same)",
        "paid_by_colour": "Paid by colour",
        "paid_from_spool": "Paid from the spool",
        "in_order": "{title}, in this order",
        "paid_for": "for {what}",
        "reduced_first": "Reduced before payment, chips of greatest value first",
        "freed": "{step}, {freed} to the bank",
        "and": " and ",
        "on_number": "{what} on the number",
        "left_over": "{what} left",
        "spool_pays": "{paid} paid",
        "chips_stay": "{count} chips stay",
        "chip_stays": "1 chip stays",
        "chips_of": "{count} chips of {chip}",
        "may_choose": "{player} may choose for {what}: half ({half}) or prison ({prison}).",
        "back": "{amount} back",
        "to_bank": "{amount} to the bank",
        "in_prison": "{amount} held",
        "readings": "readings",
        "choices": "By this the book chooses",
        "yes": "yes",
        "no": "no",
        "pays": "pays {odds}",
        "halves": "half at each box's odds",
    },
    SPANISH: {
        "pay": "pago",
        "player": "jugador",
        "id": "id",
        "stake": "apuesta",
        "of": "de",
        "amount": "importe",
        "won": "ganado",
        "returned": "devuelto",
        "lost": "perdido",
        "held": "en prisión",
        "stays": "queda",
        "reduced": "reducido",
        "aside": "en depósito",
        "articles": "artículos",
        "staked": "apostado",
        "net": "neto",
        "bank": "banca",
        "prison": "prisión",
        "sent_back": "{what}: {amount}, devuelto al «No va más», insuficiente para jugar",
        "as_laid": "(con --as-laid se liquida de todos modos)",
        "paid_by_colour": "Pago por color",
        "paid_from_spool": "Pago desde el carretel",
        "in_order": "{title}, en este orden",
        "paid_for": "por {what}",
        "reduced_first": "Reducción antes del pago, primero las fichas de mayor valor",
        "freed": "{step}; para la banca: {freed}",
        "and": " y ",
        "on_number": "{what} en el número",
        "left_over": "{what} sin reducir",
        "spool_pays": "se pagan {paid}",
        "chips_stay": "quedan {count} fichas",
        "chip_stays": "queda 1 ficha",
        "chips_of": "{count} fichas de {chip}",
        "may_choose": "{player} puede elegir para {what}: la mitad ({half}) o prisión ({prison}).",
        "back": "devuelto: {amount}",
        "to_bank": "para la banca: {amount}",
        "in_prison": "en prisión: {amount}",
        "readings": "interpretaciones",
        "choices": "Lo que el reglamento elige",
        "yes": "sí",
        "no": "no",
        "pays": "paga {odds}",
        "halves": "la mitad a lo que paga cada casilla",
    },
    ITALIAN: {
        "pay": "pag.",
        "player": "giocatore",
        "id": "id",
        "stake": "puntata",
        "of": "di",
        "amount": "importo",
        "won": "vinto",
        "returned": "reso",
        "lost": "perso",
        "held": "in prigione",
        "stays": "resta",
        "reduced": "ridotto",
        "aside": "accantonato",
        "articles": "articoli",
        "staked": "puntato",
        "net": "netto",
        "bank": "banco",
        "prison": "prigione",
        "sent_back": "{what}: {amount}, reso al «Rien ne va plus», troppo poco per giocare",
        "as_laid": "(con --as-laid si regola comunque)",
        "paid_by_colour": "Pagamento per colore",
        "paid_from_spool": "Pagamento dal carretel",
        "in_order": "{title}, in quest’ordine",
        "paid_for": "per {what}",
        "reduced_first": "Riduzione prima del pagamento, prima i gettoni di maggior valore",
        "freed": "{step}; al banco: {freed}",
        "and": " e ",
        "on_number": "{what} sul numero",
        "left_over": "{what} non ridotto",
        "spool_pays": "si pagano {paid}",
        "chips_stay": "restano {count} gettoni",
        "chip_stays": "resta 1 gettone",
        "chips_of": "{count} gettoni da {chip}",
        "may_choose": "{player} può scegliere per {what}: metà ({half}) o prigione ({prison}).",
        "back": "reso: {amount}",
        "to_bank": "al banco: {amount}",
        "in_prison": "in prigione: {amount}",
        "readings": "interpretazioni",
        "choices": "Ciò che il regolamento sceglie",
        "yes": "sì",
        "no": "no",
        "pays": "paga {odds}",
        "halves": "metà a quanto paga ciascuna casella",
    },
    BULGARIAN: {
        "pay": "ред",
        "player": "играч",
        "id": "№",
        "stake": "залог",
        "of": "от",
        "amount": "сума",
        "won": "печалба",
        "returned": "върнато",
        "lost": "загуба",
        "held": "в затвора",
        "stays": "остава",
        "reduced": "редуцирано",
        "aside": "заделено",
        "articles": "членове",
        "staked": "заложено",
        "net": "нето",
        "bank": "банка",
        "prison": "затвор",
        "sent_back": (
            "{what}: {amount}, върнато при „Край на залаганията“, твърде малко, за да играе"
        ),
        "as_laid": "(с --as-laid се урежда въпреки това)",
        "paid_by_colour": "Изплащане по цвят",
        "paid_from_spool": "Изплащане от макарата",
        "in_order": "{title}, в този ред",
        "paid_for": "за {what}",
        "reduced_first": "Редукция преди изплащането, първо чиповете с най-голяма стойност",
        "freed": "{step}; за банката: {freed}",
        "and": " и ",
        "on_number": "{what} на числото",
        "left_over": "{what} извън редукцията",
        "spool_pays": "изплащат се {paid}",
        "chips_stay": "остават {count} чипа",
        "chip_stays": "остава 1 чип",
        "chips_of": "{count} чипа от {chip}",
        "may_choose": (
            "{player} може да избере за {what}: половината ({half}) или затвор ({prison})."
        ),
        "back": "върнато: {amount}",
        "to_bank": "за банката: {amount}",
        "in_prison": "в затвора: {amount}",
        "readings": "тълкувания",
        "choices": "Какво избира правилникът",
        "yes": "да",
        "no": "не",
        "pays": "плаща {odds}",
        "halves": "половината при коефициента на всяко поле",
    },
    FRENCH: {
        "pay": "paie",
        "player": "joueur",
        "id": "id",
        "stake": "mise",
        "of": "de",
        "amount": "montant",
        "won": "gagné",
        "returned": "rendu",
        "lost": "perdu",
        "held": "en prison",
        "stays": "reste",
        "reduced": "réduit",
        "aside": "mis de côté",
        "articles": "articles",
        "staked": "misé",
        "net": "net",
        "bank": "banque",
        "prison": "prison",
        "sent_back": (
            "{what}\u00a0: {amount}, rendu au «\u00a0Rien ne va plus\u00a0», trop peu pour jouer"
        ),
        "as_laid": "(avec --as-laid, réglé quand même)",
        "paid_by_colour": "Paiement par couleur",
        "paid_from_spool": "Paiement depuis le carretel",
        "in_order": "{title}, dans cet ordre",
        "paid_for": "pour {what}",
        "reduced_first": "Réduction avant le paiement, les jetons de plus grande valeur d’abord",
        "freed": "{step}\u202f; à la banque\u00a0: {freed}",
        "and": " et ",
        "on_number": "{what} sur le numéro",
        "left_over": "{what} non réduit",
        "spool_pays": "on paie {paid}",
        "chips_stay": "{count} jetons restent",
        "chip_stays": "1 jeton reste",
        "chips_of": "{count} jetons de {chip}",
        "may_choose": (
            "{player} peut choisir pour {what}\u00a0: la moitié ({half}) ou la prison ({prison})."
        ),
        "back": "rendu\u00a0: {amount}",
        "to_bank": "à la banque\u00a0: {amount}",
        "in_prison": "en prison\u00a0: {amount}",
        "readings": "interprétations",
        "choices": "Ce que le règlement choisit",
        "yes": "oui",
        "no": "non",
        "pays": "paie {odds}",
        "halves": "la moitié à ce que paie chaque case",
    },
}
"""Language → name → heading or remark; every language has the same."""

SECTIONS: Final = (
    "cloth spots zero limits pieces excess payment reduction announcements chips betting absence "
    "wheel closing posts calls"
).split()
"""The parts of a book in which it chooses, in the order of the book."""

_SECTION_WORDS: Final = {
    SPANISH: (
        "paño, casillas, cero, límites, número de fichas, excedente, pago, reducción, anuncios, "
        "fichas, apuestas, ausencia, cilindro, cierre, puestos, voces"
    ),
    ITALIAN: (
        "tappeto, caselle, zero, limiti, numero di pezzi, eccedenza, pagamento, riduzione, "
        "annunci, gettoni, puntate, assenza, cilindro, chiusura, ruoli, chiamate"
    ),
    BULGARIAN: (
        "платно, полета, нула, лимити, брой чипове, сума над максимума, изплащане, редукция, "
        "анонси, чипове, залагане, отсъствие, колело, затваряне, длъжности, обявявания"
    ),
    FRENCH: (
        "tapis, cases, zéro, limites, nombre de jetons, excédent, paiement, réduction, annonces, "
        "jetons, mises, absence, cylindre, fermeture, postes, appels"
    ),
}


def said(language: str, name: str, **facts: object) -> str:
    """A heading or a remark in a language.

    >>> said("it", "paid_for", what="pieno 17")
    'per pieno 17'
    """
    return WORDING[language][name].format(**facts)


def section(language: str, name: str) -> str:
    """A section of a book as a heading, with its key where that is another word.

    >>> section("es", "zero"), section("en", "zero")
    ('cero (zero)', 'zero')
    """
    words = _SECTION_WORDS.get(language)
    word = name if words is None else words.split(", ")[SECTIONS.index(name)]
    return name if word == name else f"{word} ({name})"
