"""The data of the books in words: every datum that can differ has words in every language."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from novamas.game.cloth import SpotClass
from novamas.game.rulebook import behaviours
from novamas.game.rulebook.choices import SECTIONS, choices
from novamas.game.rulebook.compare import differences
from novamas.odds.edges import CHOICES
from novamas.rulebooks import HOUSES, load
from novamas.wording import book_text

LANGUAGES = tuple(book_text.LANGUAGES)
SETS = (
    "AbsenceEnds Act Cause ChangeBinds ChipKind ColourWorth Drawing Instant Invitation LateExcess "
    "LimitsChange LimitsKept Linked NewWorth NumberCall PayBy Replay ShortStake ValueCounted "
    "Winning ZeroAgain ZeroRule"
).split()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_words_with_the_same_blanks(language: str) -> None:
    english, words = book_text.words("en"), book_text.words(language)
    assert words.keys() == english.keys()
    for key, text in words.items():
        assert text.strip() == text != ""
        assert re.findall(r"{\w+}", text) == re.findall(r"{\w+}", english[key]), key


def test_every_word_of_a_closed_set_and_every_class_has_a_name() -> None:
    words = book_text.words("en")
    expected = {f"{name}.{each}" for name in SETS for each in getattr(behaviours, name)}
    expected |= {f"spot.{kind}" for kind in SpotClass} | {f"section.{name}" for name in SECTIONS}
    expected |= {f"if_{choice}" for choice in CHOICES}
    assert expected <= words.keys()
    named = {key for key in words if key[0].isupper() and not key.startswith("Wheel.")}
    assert named == {each for each in expected if each[0].isupper()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_datum_of_every_house_is_named(language: str) -> None:
    for id in HOUSES:
        book = load(id)
        for each in choices(book):
            if each.section == "spots" or each.key.startswith("chances."):
                continue
            if each.section == "posts" and each.key.endswith(".word"):
                continue
            assert book_text.name(language, each.section, each.key)
            assert book_text.value(language, each.value, book=book)


@pytest.mark.parametrize("pair", [*combinations(HOUSES, 2)], ids="-".join)
def test_no_difference_is_shown_by_its_key(pair: tuple[str, str]) -> None:
    one, other = map(load, pair)
    for each in differences(one, other):
        for language in LANGUAGES:
            name = book_text.name(language, each.section, each.key)
            assert "_" not in name
            assert each.key == name or "." not in name.replace("...", "")


def test_every_spot_of_a_datum_has_its_word() -> None:
    assert book_text.name("es", "spots", "red black") == "rojo negro"
    assert book_text.name("bg", "spots", "straight 0") == "едно число 0"
