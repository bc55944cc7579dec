"""Under `--lang` all that a person reads is in that language: headings, remarks and amounts."""

import re
import string

import pytest

from novamas.cli.messages import SECTIONS, WORDING, section
from tests.cli.running import good

LANGUAGES = sorted(WORDING)
ENGLISH_WORDS = (
    r"\b(pay|player|stake|amount|won|returned|lost|held|stays|set aside|articles|staked|bank|prison"
    r"|paid|reduced|order|before|chips|choose|half|back|when|closes|readings|chooses|yes|pays)\b"
)
"""Words of the English headings, whatever their case."""


def fields_of(text: str) -> list[str]:
    return sorted(field for _, field, _, _ in string.Formatter().parse(text) if field)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_heading_with_its_facts(language: str) -> None:
    english, words = WORDING["en"], WORDING[language]
    assert words.keys() == english.keys()
    for name, text in english.items():
        assert fields_of(words[name]) == fields_of(text), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_section_and_shows_its_key(language: str) -> None:
    headings = [section(language, name) for name in SECTIONS]
    assert len(set(headings)) == len(SECTIONS)
    for name, heading in zip(SECTIONS, headings, strict=True):
        assert heading == name or heading.endswith(f" ({name})")


SETTLED: dict[str, list[tuple[str, ...]]] = {
    "it": [
        ("17", "anna 17:50 17:10; ugo red:3", "--limits", "straight:1-50 simple:5-"),
        ("0", "anna red:5; ugo 0:2 0/1:3", "--why"),
    ],
    "es": [("0", "ana red:1 even:80", "--why"), ("0", "ana red:80", "--last", "--why")],
    "ar": [("17", "ana 17:1500 17/20:5; eva 17:1 16/20:9 17/18:3", "--why")],
    "bg": [("17", "ana 17:1000 red:1; petar voisins:9", "--why")],
}


@pytest.mark.parametrize(
    ("house", "asked"), [(house, asked) for house, each in SETTLED.items() for asked in each]
)
def test_settle_leaves_no_english_under_lang(house: str, asked: tuple[str, ...]) -> None:
    language = {"ar": "es"}.get(house, house)
    printed = good("settle", house, *asked, "--lang", language)
    plain = re.sub(r"\([^)]*\)|--[a-z-]+|[A-Z]+-[a-z]+-\w+", "", printed)  # Names and ids.
    assert not re.findall(ENGLISH_WORDS, plain, re.IGNORECASE)
    assert re.search(ENGLISH_WORDS, good("settle", house, *asked), re.IGNORECASE)


@pytest.mark.parametrize("house", ["ar", "bg", "es", "it"])
def test_rules_leaves_no_english_heading_under_lang(house: str) -> None:
    language = {"ar": "es"}.get(house, house)
    headings = [
        line for line in good("rules", house, "--lang", language).splitlines() if line[:1].strip()
    ]
    assert WORDING[language]["articles"] in headings
    assert WORDING[language]["readings"] in headings
    one = {"ar": "14", "bg": "26", "es": "7.2.b", "it": "gioco-14"}[house]
    assert WORDING[language]["choices"] in good("rules", house, one, "--lang", language)
    assert section(language, "limits") in headings
    assert not {"articles", "readings", "limits", "By this the book chooses"} & {*headings}


def test_amounts_are_written_as_the_language_writes_them() -> None:
    stakes = ("17", "ana 17:1500")
    assert "+52,500" in good("settle", "ar", *stakes)
    assert "+52.500" in good("settle", "ar", *stakes, "--lang", "es")
    assert "+52\u00a0500" in good("settle", "bg", *stakes, "--lang", "bg")


def test_a_choice_of_one_unit_does_not_offer_nothing_to_the_bank() -> None:
    printed = " ".join(good("settle", "es", "0", "ana red:1").split())
    assert "ana may choose for rojo: half (1 back; ES-7.2.b1, ES-7.2.b2) or prison" in printed


def test_pays_tells_odds_to_one() -> None:
    assert "pieno pays 35 to 1 (IT-pay-1)" in good("pays", "it")
