"""Messages: what the commands about the game say, in the languages of the houses.

Names are the same in every language: the plain names of spots, the keys of a book, the options of a
command, the commands that a player types. A text that exists only in English, such as the reason of
a refusal, is marked `[en]` where the rest is in another language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import Final

from novamas.game.languages import BULGARIAN, ENGLISH, FRENCH, ITALIAN, SEPARATORS, SPANISH
from novamas.game.rulebook.choices import SECTIONS

LANGUAGES: Final = {
    ENGLISH: "english",
    SPANISH: "spanish",
    ITALIAN: "italian",
    FRENCH: "french",
    BULGARIAN: "bulgarian",
}
"""Language → the module that has its words."""


@cache
def words(language: str) -> dict[str, str]:
    """The headings and sentences of a language; every language has the same names."""
    module = import_module(f"novamas.cli.words.{LANGUAGES[language]}")
    found: dict[str, str] = module.WORDS
    return found


_SECTION_WORDS: Final = {
    SPANISH: (
        "paño, casillas, cero, límites, número de fichas, excedente, pago, reducción, anuncios, "
        "fichas, apuestas, ausencia, cilindro, asientos, fondo, cierre, puestos, dotación, voces"
    ),
    ITALIAN: (
        "tappeto, caselle, zero, limiti, numero di pezzi, eccedenza, pagamento, riduzione, "
        "annunci, gettoni, puntate, assenza, cilindro, posti, fondo, chiusura, ruoli, organico, "
        "chiamate"
    ),
    BULGARIAN: (
        "платно, полета, нула, лимити, брой чипове, сума над максимума, изплащане, редукция, "
        "анонси, чипове, залагане, отсъствие, колело, места, фонд, затваряне, длъжности, "
        "състав, обявявания"
    ),
    FRENCH: (
        "tapis, cases, zéro, limites, nombre de jetons, excédent, paiement, réduction, annonces, "
        "jetons, mises, absence, cylindre, places, encaisse, fermeture, postes, effectif, appels"
    ),
}


def said(language: str, name: str, **facts: object) -> str:
    """A heading or a remark in a language.

    >>> said("it", "paid_for", what="pieno 17")
    'per pieno 17'
    """
    return words(language)[name].format(**facts)


def section(language: str, name: str) -> str:
    """A section of a book as a heading, with its key if that is a different word.

    >>> section("es", "zero"), section("en", "zero")
    ('cero (zero)', 'zero')
    """
    translated = _SECTION_WORDS.get(language)
    word = name if translated is None else translated.split(", ")[SECTIONS.index(name)]
    return name if word == name else f"{word} ({name})"


def several(language: str, name: str, count: int, **facts: object) -> str:
    """A sentence with a count, in the singular or the plural.

    >>> several("es", "coups", 1), several("es", "coups", 3)
    ('1 jugada', '3 jugadas')
    """
    return said(language, f"{name}_{'one' if count == 1 else 'many'}", count=count, **facts)


def chips(language: str, count: int, colour: str | None) -> str:
    """A number of chips, with their colour if they have one.

    >>> chips("en", 1, "blue"), chips("it", 5, "blue 2"), chips("fr", 5, None)
    ('1 blue chip', '5 gettoni di colore blu 2', '5 jetons')
    """
    of_colour = ""
    if colour:
        hue, blank, rest = colour.partition(" ")
        word = _COLOURS[language].split()[_HUES.index(hue)] if language in _COLOURS else hue
        of_colour = said(language, "of_colour", colour=word + blank + rest)
    return several(language, "chips", count, colour=of_colour)


_HUES: Final = "blue orange green purple yellow pink cyan brown lime grey".split()
_COLOURS: Final = {
    SPANISH: "azul naranja verde violeta amarillo rosa celeste marrón lima gris",
    ITALIAN: "blu arancione verde viola giallo rosa ciano marrone lime grigio",
    FRENCH: "bleu orange vert violet jaune rose cyan marron citron gris",
    BULGARIAN: "синьо оранжево зелено лилаво жълто розово циан кафяво лайм сиво",
}


def in_english(language: str, text: str) -> str:
    """A text that exists only in English, marked if the language is another.

    >>> in_english("en", "table not open"), in_english("it", "table not open")
    ('table not open', '[en] table not open')
    """
    return text if language == ENGLISH or not text else f"[{ENGLISH}] {text}"


def article_text(language: str, summary: dict[str, str]) -> str:
    """What an article says, in a language or else in English, which is then marked.

    >>> article_text("it", {"en": "Zero wins.", "es": "El cero gana."})
    '[en] Zero wins.'
    """
    return summary.get(language) or in_english(language, summary[ENGLISH])


def figure(language: str, text: str) -> str:
    """A figure with the decimal sign and the separator of thousands of a language.

    >>> figure("en", "48.6 %"), figure("es", "48.6 %"), figure("it", "1,250.5, 3")
    ('48.6 %', '48,6 %', '1.250,5, 3')
    """
    if language == ENGLISH:
        return text
    # A comma that separates figures has a space behind it; one within a figure has three digits.
    whole = re.sub(r"(?<=\d),(?=\d{3})", "\0", text)
    return whole.replace(".", ",").replace("\0", SEPARATORS[language])


def meant(language: str, found: Iterable[str]) -> str:
    """A question that suggests some words; or an empty text.

    >>> meant("en", ["voisins", "tiers"])
    'did you mean voisins or tiers?'
    """
    listed = said(language, "or").join(found)
    return said(language, "did_you_mean", words=listed) if listed else ""
