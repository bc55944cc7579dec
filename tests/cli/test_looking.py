"""The commands that show something: the cloth, the wheel, payments, announcements."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from novamas.cli.commands.wheel import HIGH
from novamas.game.wheel import EUROPEAN
from novamas.rulebooks import HOUSES, load_any
from tests.cli.running import bad, good, novamas

TRIPLE_ZERO = str(Path(__file__).parents[2] / "docs" / "examples" / "triple-zero.toml")


def data(*argv: str) -> Any:
    return json.loads(good(*argv, "--json"))


# The cloth ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
def test_the_cloth_is_drawn_in_eighty_columns(house: str) -> None:
    printed = good("cloth", house, columns=80)
    assert max(map(len, printed.splitlines())) <= 80
    for number in range(37):
        assert f"{number} " in printed


def test_the_cloth_shows_stakes_and_the_number() -> None:
    stakes = "ana 17:5 rosso:50; luis 8/11:10"
    printed = good("cloth", "it", "--stakes", stakes, "--number", "17")
    assert "[17]" in printed
    assert "◇ 8 ●◇11" in printed
    assert "● rosso                              50  ana 50" in printed


def test_what_is_laid_twice_on_a_spot_is_one_pile() -> None:
    printed = good("cloth", "ar", "--stakes", "ana 17:5 17:7")
    assert "● pleno 17                           12  ana 12" in printed


def test_the_cloth_is_written_as_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "cloth.svg"
    stakes = "ana 17:5 red:50; luis 8/11:10 voisins:9"
    argv = ("cloth", "it", "--svg", str(file), "--stakes", stakes, "--number", "17")
    assert good(*argv) == f"wrote {file}\n"
    picture = ET.fromstring(file.read_text("utf-8"))  # noqa: S314 - It is our own.
    assert picture.tag.endswith("svg")
    assert "luis" in file.read_text("utf-8")
    assert float(picture.attrib["width"]) > float(picture.attrib["height"])


def test_the_picture_can_stand_upright_and_go_to_the_output() -> None:
    picture = ET.fromstring(good("cloth", "es", "--svg", "-", "--upright"))  # noqa: S314 - Our own.
    assert float(picture.attrib["width"]) < float(picture.attrib["height"])


def test_a_picture_that_cannot_be_written_is_a_problem_of_output(tmp_path: Path) -> None:
    ran = novamas("cloth", "it", "--svg", str(tmp_path / "none" / "cloth.svg"))
    assert ran.code == 1
    assert "cannot be written: No such file or directory" in ran.err


def test_a_cloth_with_two_zeros_shows_both() -> None:
    drawn = good("cloth", "sd", "--stakes", "ana 00:5 0/00/2:10", "--number", "00", columns=80)
    assert "│[00]│" in drawn
    assert "├────●" in drawn
    assert "● double zero 00" in drawn
    assert "0/00/2" in good("cloth", "sd", "--stakes", "ana 0/00/2:10", "--svg", "-")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("it", "--stakes", "ana d1+d2:5"), "d1+d2 is not on the cloth of it (IT-general-10)"),
        (("es", "--stakes", "ana voisins:9"), "es takes no voisins"),
        (("it", "--stakes", "ana voisins:8"), "8 does not come out even"),
        (("it", "--stakes", "ana 17"), "expected `:`"),
        (("it", "--number", "40"), "'40' is not on the wheel"),
        (("it", "--number", "00"), "the wheel has the numbers 0 to 36\n"),
        (("sd", "--number", "000"), "the wheel has the numbers 0 to 36 and 00"),
        (("it", "--stakes", "ana 0/00:5"), "0/00 is not on the cloth of it"),
        (("it", "--upright"), "--upright: works with a picture only"),
        (("it", "--stakes", "ana 17:5", "--chip", "bob=5"), "--chip: bob has no stakes"),
        (("it", "--chip", "bob=5"), "--chip: bob has no stakes"),
    ],
)
def test_what_no_cloth_shows(argv: tuple[str, ...], said: str) -> None:
    assert said in bad("cloth", *argv)


# The wheel ----------------------------------------------------------------------------------------


def test_the_neighbours_of_a_number() -> None:
    assert good("wheel", "--neighbours", "17") == "2 25 17 34 6\n"
    assert good("wheel", "--neighbours", "0", "--each-side", "1") == "26 0 32\n"
    assert data("wheel", "--neighbours", "17")["neighbours"] == [2, 25, 17, 34, 6]


def test_the_wheel_shows_every_pocket_once() -> None:
    ring = good("wheel").splitlines()[:HIGH]
    shown = [int(word.strip("◆◇")) for line in ring for word in line.split()]
    assert sorted(shown) == list(range(37))
    assert [each["number"] for each in data("wheel")["pockets"]] == list(EUROPEAN.order)
    assert data("wheel")["pockets"][1] == {"number": 32, "colour": "red"}


@pytest.mark.parametrize("house", [*HOUSES, TRIPLE_ZERO])
def test_a_house_shows_its_own_wheel_in_eighty_columns(house: str) -> None:
    own = load_any(house).wheel.pockets
    lines = good("wheel", house, columns=80).splitlines()
    shown = [word.strip("◆◇") for line in lines[:HIGH] for word in line.split()]
    assert sorted(shown) == sorted(map(str, own.pockets))
    assert max(map(len, lines)) <= 80
    assert [each["number"] for each in data("wheel", house)["pockets"]] == list(own.order)
    assert bool(own.sectors) == ("voisins" in "".join(lines)) == (len(own) == len(EUROPEAN))


def test_on_the_american_wheel_zero_and_double_zero_lie_opposite_each_other() -> None:
    lines = good("wheel", "sd").splitlines()
    assert abs(lines[0].index(" 0 ") - lines[-1].index(" 00 ")) <= 1
    assert good("wheel", "sd", "--neighbours", "00") == "13 1 00 27 10\n"
    assert data("wheel", "sd", "--neighbours", "0", "--each-side", "18")["each_side"] == 18
    assert data("wheel", "sd", "--table")["rows"][-1]["row"] == "00"
    assert good("wheel", "sd", "--table").splitlines()[-1].split()[0] == "00"


def test_the_table_of_neighbours_is_whole() -> None:
    lines = good("wheel", "--table").splitlines()
    assert len(lines) == 38
    assert lines[18].split() == ["17", "2-6-17-25-34", "30-8-23-10-5", "2-25-17-34-6"]
    assert data("wheel", "--table")["rows"][17]["by_number"] == [2, 25, 17, 34, 6]


@pytest.mark.parametrize(
    "argv",
    [
        ("--neighbours", "37"),
        ("--neighbours", "00"),
        ("--neighbours", "1", "--each-side", "19"),
        ("sd", "--neighbours", "000"),
        ("sd", "--neighbours", "1", "--each-side", "19"),
    ],
)
def test_what_the_wheel_does_not_have(argv: tuple[str, ...]) -> None:
    assert "0 to 36" in bad("wheel", *argv) or "from 1 to 18" in bad("wheel", *argv)


def test_the_wheel_leaves_nothing_out_without_a_word() -> None:
    assert "--each-side: needs the number" in bad("wheel", "--each-side", "3")
    assert "leave one of them out" in bad("wheel", "--table", "--neighbours", "17")


# Payments -----------------------------------------------------------------------------------------


def test_the_table_of_payments_in_the_words_of_the_house() -> None:
    lines = good("pays", "it").splitlines()
    assert lines[0].split() == ["pieno", "cavallo", "terzina", "carré", "sestina"]
    assert lines[1].split() == ["5", "175", "85", "55", "40", "25"]
    assert lines[13].split() == ["65", "2275", "1105", "715", "520", "325"]
    assert lines[20].split() == ["100", "3500", "1700", "1100", "800", "500"]


def test_the_steps_of_the_table_can_be_chosen() -> None:
    rows = data("pays", "ar", "--upto", "3", "--step", "1")["pays"]
    assert [row["chips"] for row in rows] == [1, 2, 3]
    assert rows[2]["wins"]["split"] == 51


@pytest.mark.parametrize(
    "argv", [("--step", "0"), ("--upto", "x"), ("--upto", "4"), ("--upto", "1000000000")]
)
def test_a_table_of_payments_that_cannot_be(argv: tuple[str, ...]) -> None:
    assert "--upto" in bad("pays", "it", *argv) or "--step" in bad("pays", "it", *argv)


# Announcements ------------------------------------------------------------------------------------


def test_an_announcement_is_told_with_what_it_lays_costs_and_wins() -> None:
    printed = good("announce", "it", "voisins:18")
    assert printed.splitlines()[0] == "vicini dello zero (voisins): 18, in 9 pieces of 2"
    assert "terzina 0/2/3     4  IT-ann-1 IT-sett-3" in printed
    assert "covers 17 numbers: 0 2 3 4 7 12 15" in printed
    assert "+30  on 0 2 3\n" in printed
    assert "-18  on every other number" in printed
    assert "rifare, completare, per il tutto (IT-rig-0)" in printed


def test_an_announcement_without_an_amount_is_one_unit_a_piece() -> None:
    (found,) = data("announce", "bg", "orphelins")["calls"]
    assert (found["amount"], found["pieces"]) == (5, 5)
    assert found["net"]["17"] == 31
    assert found["net"]["0"] == -5
    assert found["replays"] == []


def test_sectors_and_finals_are_announcements_too() -> None:
    assert data("announce", "it", "17~2:10")["calls"][0]["covers"] == [2, 6, 17, 25, 34]
    assert data("announce", "it", "f8/9")["calls"][0]["pieces"] == 4


def test_the_announcements_of_a_house_are_listed() -> None:
    printed = good("announce", "it")
    assert "serie 5/8" in printed
    assert "17~2" in printed
    assert len(data("announce", "it")["calls"]) == 33
    assert data("announce", "it")["neighbours"] == 2
    assert "takes no announcements" in good("announce", "es")
    assert data("announce", "es")["calls"] == []


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("it", "voisins:10"), "stake 9 or 18"),
        (("it", "voisins:3"), "stake 9"),
        (("bg", "17~3:7"), "bg takes no 17~3"),
        (("es", "tiers"), "es takes no tiers"),
        (("it", "red:5"), "'red:5' is not an announcement"),
        (("it", "nope"), "or `f4`\n"),
        (("it", "nope:5"), "or `f4`\n"),
        (("it", "voisin:9"), "did you mean `voisins`?"),
        (("it", "voisins:x"), "a whole amount"),
        (("it", "red"), "red is a spot"),
        (("it", "voisins:9 tiers:6"), "is not an announcement"),
        (("it", "voisin"), "did you mean `voisins`?"),
    ],
)
def test_what_no_house_announces(argv: tuple[str, ...], said: str) -> None:
    assert said in bad("announce", *argv)
