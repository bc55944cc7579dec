"""Under `--lang` all that a person reads is in that language: headings, remarks and amounts."""

import json
import re
import string

import pytest

from novamas.cli.messages import LANGUAGES as KNOWN
from novamas.cli.messages import section, words
from novamas.cli.typed_commands import HELP
from novamas.game.rulebook.choices import SECTIONS
from novamas.rulebooks import HOUSES, load
from scripts.ledger import ROOT
from tests.cli.running import good

EVENING = ROOT / "docs" / "examples" / "evening.json"
LANGUAGES = sorted(KNOWN)
ENGLISH_WORDS = (
    r"\b(pay|player|stake|amount|won|returned|lost|held|stays|set aside|articles|staked|bank|prison"
    r"|paid|reduced|order|before|chips|choose|half|back|when|closes|readings|chooses|yes|pays)\b"
)
"""Words of the English headings, whatever their case."""


def fields_of(text: str) -> list[str]:
    return sorted(field for _, field, _, _ in string.Formatter().parse(text) if field)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_heading_with_its_facts(language: str) -> None:
    english, spoken = words("en"), words(language)
    assert spoken.keys() == english.keys()
    for name, text in english.items():
        assert fields_of(spoken[name]) == fields_of(text), name


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
    assert words(language)["articles"] in headings
    assert words(language)["readings"] in headings
    one = {"ar": "14", "bg": "26", "es": "7.2.b", "it": "gioco-14"}[house]
    assert words(language)["choices"] in good("rules", house, one, "--lang", language)
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


# The other commands -------------------------------------------------------------------------------

SPOKEN: list[tuple[str, ...]] = [
    ("announce", "it"),
    ("announce", "it", "voisins:18"),
    ("announce", "es"),
    ("odds", "es", "red:10 17:5", "--choice", "prison,half"),
    ("odds", "es", "red:10", "--coups", "20"),
    ("odds", "it", "red:1"),
    ("odds", "ar", "red:10", "--bankroll", "50", "--target", "100", "--stop-loss", "20"),
    ("odds", "bg", "red:10", "--bankroll", "50", "--coups", "3", "--compare"),
    ("wheel", "--table"),
    ("pays", "it"),
    ("simulate", "it", "red:10", "--players", "200", "--coups", "30", "--bankroll", "100"),
    ("simulate", "ar", "red:10 17:1", "--players", "1", "--coups", "5"),
]
TYPED = """17:50 red:20
voisins:90
menor
purse
take
undo
clear
again
move b1
choose b1
replay
red:100
double
spin
why
numbers
limits
announce voisins
buy
help
quit
"""


def english_in(printed: str, language: str) -> set[str]:
    """The English sentences and headings that stand in what is printed, by their names."""
    said = re.sub(r"\[en\].*", "", " ".join(printed.split("\n")))
    found = set()
    for name, text in words("en").items():
        pieces = [piece.strip(" ,.;:") for piece, *_ in string.Formatter().parse(text)]
        longest = max(pieces, key=len)
        if len(longest) > 3 and longest not in words(language)[name]:
            found |= {name} if re.search(rf"(?<![\w`]){re.escape(longest)}(?!\w)", said) else set()
    return found


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
@pytest.mark.parametrize("argv", SPOKEN, ids=" ".join)
def test_what_a_command_says_is_all_in_the_language(argv: tuple[str, ...], language: str) -> None:
    assert english_in(good(*argv, "--lang", language), language) == set()
    assert english_in(good(*argv), language)


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
@pytest.mark.parametrize("house", [id for id in HOUSES if load(id).language != "en"])
def test_an_evening_is_all_in_the_language(house: str, language: str) -> None:
    printed = good("play", house, "--seed", "3", "--lang", language, stdin=TYPED)
    # What the player types stands behind the prompt, and before its help.
    told = re.sub(r" > .*$", "", printed, flags=re.MULTILINE)
    for typed, _ in HELP:
        told = told.replace(f"  {typed} ", "")
    assert english_in(told, language) == set()
    shown = " ".join(printed.split())
    assert all(" ".join(words(language)[name].split()) in shown for _, name in HELP)


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each != "en"])
def test_a_script_is_reported_all_in_the_language(language: str) -> None:
    """The title and the commands of a script are its author's; a reason to refuse is marked."""
    (script, *_) = json.loads(EVENING.read_text("utf-8"))
    script = {name: each for name, each in script.items() if name not in ("id", "title")}
    printed = good("run", "-", "--lang", language, stdin=json.dumps([script]))
    refused = [line for line in printed.splitlines() if line.startswith("[")]
    assert len(refused) == 2
    assert all("[en] " in line for line in refused)
    assert english_in("\n".join(set(printed.splitlines()) - {*refused}), language) == set()
    assert words(language)["script"] in printed
    assert "4350" not in printed


def test_what_exists_in_english_alone_is_marked() -> None:
    printed = good("play", "ar", "--seed", "3", "--lang", "it", stdin="17:5000\nrex:5\n")
    assert "5.000 su pleno 17 – [en] exceeds" in printed
    assert "  [en] ↓\n" in printed
    assert "[en]" not in good("play", "ar", "--seed", "3", stdin="17:5000\nrex:5\n")
    compared = good("odds", "ar", "d1+d2:5", "--compare", "--lang", "fr")
    assert "[en] " in compared
    why = good("settle", "ar", "17", "ana 17:5", "--why", "--lang", "bg")
    assert "[en] " in why
    assert "[en]" not in good("settle", "ar", "17", "ana 17:5", "--why", "--lang", "es")


def test_figures_have_the_decimal_sign_of_the_language() -> None:
    assert "2,7 %" in good("odds", "ar", "17:1", "--lang", "es")
    assert "2.7 %" in good("odds", "ar", "17:1")
    simulated = ("simulate", "ar", "red:10", "--players", "1000", "--coups", "2", "--lang")
    assert "2.000 jugadas" in good(*simulated, "es")
    assert "2\u202f000 coups" in good(*simulated, "fr")


@pytest.mark.parametrize(
    "command",
    ["play", "settle", "run", "rules", "cloth", "wheel", "pays", "announce", "odds", "simulate"],
)
def test_every_command_about_the_game_has_the_languages_in_its_help(command: str) -> None:
    told = " ".join(good(command, "--help").split())
    assert "--lang LANG language of the answer: en, es, it, fr, bg" in told


@pytest.mark.parametrize("command", ["serve", "house", "tell", "verify log", "backup", "restore"])
def test_commands_for_machines_and_operators_have_no_language(command: str) -> None:
    assert "--lang" not in good(*command.split(), "--help")
