"""Commands as a person types them: words with blanks, amounts, singulars, and whole sentences."""

import json
import re
from pathlib import Path

import pytest

from novamas.game.cloth import SpotClass
from novamas.game.limits import placard
from novamas.rulebooks import HOUSES, load, source
from tests.cli.running import bad, good


def evening(house: str, *typed: str, options: tuple[str, ...] = ()) -> str:
    """What is printed in an evening at a house, with the same numbers each time."""
    return good("play", house, "--seed", "3", *options, stdin="\n".join(typed) + "\n")


# Words with blanks --------------------------------------------------------------------------------


def test_words_with_blanks_take_an_amount() -> None:
    told = good("announce", "it", "vicini dello zero:9")
    assert told == good("announce", "it", "vicini-dello-zero:9")
    assert told == good("announce", "it", "voisins")
    assert good("announce", "it", "serie 5/8:12").startswith("serie 5/8 (tiers): 12, in 6 pieces")


def test_a_hand_and_a_layout_may_have_words_with_blanks() -> None:
    spaced = "ana fila transversal 16/18:5 primera docena:10 17:1"
    joined = "ana fila-transversal-16/18:5 primera-docena:10 17:1"
    assert good("settle", "es", "17", spaced) == good("settle", "es", "17", joined)
    assert good("odds", "it", "tre primi:5") == good("odds", "it", "tre-primi:5")


def test_limits_may_be_given_for_classes_with_blanks() -> None:
    limits = "fila transversal:1-90 pleno:1-30"
    said = bad("settle", "es", "17", "ana 16/18:100", "--limits", limits)
    assert "16/18 takes at most 90" in said


@pytest.mark.parametrize(
    ("hand", "place"),
    [("ana 1 18:5", 5), ("ana red 17:5", 7), ("ana 17 5", 6), ("ana vicini dello", 10)],
)
def test_a_missing_amount_is_still_a_slip(hand: str, place: int) -> None:
    said = bad("settle", "it", "17", hand).splitlines()
    assert said[1:3] == [hand, f"{' ' * place}^"]


def test_at_the_table_words_with_blanks_are_understood_too() -> None:
    told = evening("it", "17:50", "move b1 tre primi", "announce vicini dello zero", "vicini:90")
    assert "b1  tre primi  50" in told
    assert "vicini dello zero (voisins): 90, in 9 pieces of 10" in told


@pytest.mark.parametrize("house", HOUSES)
def test_a_minimum_gives_the_limits_of_the_books_list(house: str) -> None:
    most = 5 * load(house).limits.multiples_of_minimum[SpotClass.STRAIGHT]
    said = good("settle", house, "5", f"ana 17:{most} red:10", "--minimum", "5")
    assert "sent back" not in said
    if load(house).excess is None:
        over = bad("settle", house, "5", f"ana 17:{most + 1}", "--minimum", "5")
        assert f"17 takes at most {most}" in over


def test_a_book_without_a_list_wants_its_limits_named(tmp_path: Path) -> None:
    text = source("ar")
    start = text.index("[limits.multiples_of_minimum]")
    book = tmp_path / "mine.toml"
    book.write_text(text[:start] + text[text.index("[excess]") :], "utf-8")
    said = bad("settle", str(book), "17", "ana 17:5", "--minimum", "5")
    assert "ar has no list of maxima by the table's minimum" in said
    assert "name its limits instead" in said


# Announcements ------------------------------------------------------------------------------------


@pytest.mark.parametrize("every", ["all", "ALL"])
def test_all_announcements_are_listed_as_the_help_says(every: str) -> None:
    assert "or all" in good("announce", "--help")
    assert good("announce", "it", every) == good("announce", "it")
    assert good("announce", "it", every, "--json") == good("announce", "it", "--json")
    assert len(json.loads(good("announce", "it", every, "--json"))["calls"]) == 6 + 27


@pytest.mark.parametrize(
    ("house", "call", "articles"),
    [
        pytest.param("ar", "voisins", "AR-1", marks=pytest.mark.rule("AR-1")),
        pytest.param("es", "voisins", "NV-09", marks=pytest.mark.rule("NV-09")),
        pytest.param("bg", "nassa", "NV-09", marks=pytest.mark.rule("NV-09")),
        pytest.param("it", "17~3", "AMB-IT-09, AMB-IT-16", marks=pytest.mark.rule("AMB-IT-09")),
    ],
)
def test_what_refuses_an_announcement_is_cited(house: str, call: str, articles: str) -> None:
    said = bad("announce", house, call)
    assert f"{house} takes no {call} ({articles})" in said
    # Only where there is something to list is one sent there.
    assert ("lists what it takes" in said) == (house in ("bg", "it"))
    for argv in (("cloth", house, "--stakes", f"ana {call}:9"), ("odds", house, f"{call}:9")):
        assert f"({articles})" in bad(*argv)


def test_at_the_table_one_is_sent_to_the_command_of_the_table() -> None:
    told = evening("bg", "announce nassa")
    assert "bg takes no nassa (NV-09)\n  `announce` lists what it takes" in told


# Figures ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "argv",
    [
        ("odds", "ar", "d1+d2:5", "--compare"),
        ("odds", "ar", "17:1000000"),
        ("odds", "es", "red:10", "--coups", "300"),
        ("odds", "ar", "red:10", "--bankroll", "100", "--target", "5000"),
        ("simulate", "ar", "red:10", "--coups", "3", "--players", "2000", "--bankroll", "1000"),
        ("simulate", "ar", "17:1000000", "--coups", "2", "--players", "50"),
    ],
)
def test_no_figure_is_written_as_a_power_of_ten(argv: tuple[str, ...]) -> None:
    assert not re.search(r"\de[+-]\d", good(*argv))


def test_what_a_house_loses_by_a_layout_is_written_in_full(tmp_path: Path) -> None:
    assert "the house keeps     -7/185 = -3.78 %" in good("odds", "ar", "d1+d2:5")
    picture = tmp_path / "houses.svg"
    good("odds", "ar", "d1+d2:5", "--compare", "--chart", str(picture))
    assert "-7/185 = -3.78 %" in picture.read_text("utf-8")


def test_one_is_singular() -> None:
    told = good("odds", "ar", "red:10", "--coups", "1")
    assert "after 1 coup\n" in told
    told = good("odds", "ar", "red:10", "--bankroll", "10", "--coups", "1")
    assert "at most 1 coup\n" in told
    told = good("simulate", "ar", "red:10", "--coups", "1", "--players", "1")
    assert "1 player, 1 coup\n" in told
    assert "\n  1 coup in " in told
    told = evening("ar", options=("--purse", "10"))
    assert "You have 10: 1 blue chip of 10." in told
    assert "1 blue chip is changed for 10" in told


# At the table -------------------------------------------------------------------------------------


@pytest.mark.rule("AR-2.a")
def test_a_stake_above_the_purse_is_refused_in_a_sentence() -> None:
    told = evening("ar", "menor:1500")
    assert "exceeds purse: 1000 in hand at this table (AR-2.a)" in told
    assert "you holds" not in told


def test_slips_at_the_table_are_told_in_whole_sentences() -> None:
    assert "write `take b1` or `take b1 10`" in evening("ar", "take")
    assert "nothing lies on the cloth" in evening("ar", "clear")


@pytest.mark.rule("AR-17.a", "AR-17.b", "AMB-AR-19")
def test_the_placard_shows_the_limits_a_caballo() -> None:
    told = [line.split() for line in evening("ar", "limits").splitlines()]
    assert ["chance", "simple", "10", "5400"] in told
    for boxes in ("primera y segunda docena", "segunda y tercera columna"):
        assert [*boxes.split(), "20", "7200", "AR-17.a", "AMB-AR-19"] in told
    assert [*"menor y tercera docena".split(), "20", "10800", "AR-17.b", "AMB-AR-19"] in told


@pytest.mark.parametrize("house", HOUSES)
def test_each_bet_of_the_welcome_plays_by_itself(house: str) -> None:
    welcome = evening(house)
    (line,) = (line for line in welcome.splitlines() if line.startswith("Bet with "))
    bets = line.removeprefix("Bet with ").partition(";")[0].split()
    assert len(bets) >= 3
    for bet in bets:
        played = evening(house, bet, "spin")
        assert "too little to play" not in played
        assert " no, " not in played
        assert "You win" in played or "You lose" in played or "come out even" in played
    assert "linked bets" not in evening(house, *bets, "spin")


@pytest.mark.rule("AMB-ES-04", "ES-7.2.b3")
def test_that_no_choice_means_prison_is_cited_where_the_choice_is_offered() -> None:
    told = good("play", "es", "--seed", "32", stdin="red:20\nspin\n" * 40)
    assert "no choice, leaves 20 in prison (ES-7.2.b3, AMB-ES-04)" in " ".join(told.split())


@pytest.mark.parametrize("house", HOUSES)
def test_an_evening_has_the_placard_of_its_book(house: str) -> None:
    told = evening(house, "limits")
    limits = placard(load(house), 10).as_data()
    assert re.search(rf"{load(house).word('straight')} +10 +{limits['straight']['max']}\n", told)
