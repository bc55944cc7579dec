"""Italy, the 27 finals: their chips, their pieces, and what each brings."""

import pytest

from novamas.game.announcements import call_of
from novamas.game.cloth import SPOTS, column_of
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import opened, pieces, refused, settled

IN_PIENO = {
    "0": "0 10 20 30",
    "1": "1 11 21 31",
    "2": "2 12 22 32",
    "3": "3 13 23 33",
    "4": "4 14 24 34",
    "5": "5 15 25 35",
    "6": "6 16 26 36",
    "7": "7 17 27",
    "8": "8 18 28",
    "9": "9 19 29",
}
HORIZONTAL = {
    "0/1": "0/1 10/11 20/21 30 31",
    "1/2": "1/2 11/12 21 22 31/32",
    "2/3": "2/3 12 13 22/23 32/33",
    "4/5": "4/5 14/15 24 25 34/35",
    "5/6": "5/6 15 16 25/26 35/36",
    "7/8": "7/8 17/18 27 28",
    "8/9": "8/9 18 19 28/29",
}
VERTICAL = {
    "0/3": "0/3 10/13 20/23 30/33",
    "1/4": "1/4 11/14 21/24 31/34",
    "2/5": "2/5 12/15 22/25 32/35",
    "3/6": "3/6 13/16 23/26 33/36",
    "4/7": "4/7 14/17 24/27",
    "5/8": "5/8 15/18 25/28",
    "6/9": "6/9 16/19 26/29",
    "7/10": "7/10 17/20 27/30",
    "8/11": "8/11 18/21 28/31",
    "9/12": "9/12 19/22 29/32",
}
ROWS = [
    pytest.param(f"f{name}", laid, article, marks=pytest.mark.rule(article), id=f"f{name}")
    for kind, finals in (("plein", IN_PIENO), ("h", HORIZONTAL), ("v", VERTICAL))
    for name, laid in finals.items()
    for article in (f"IT-fin-{kind}-{name}",)
]


def chips(call: str) -> int:
    """How many chips a final takes."""
    found = call_of(load("it"), call)
    assert found is not None
    return len(found.pieces)


def won(call: str, pocket: int) -> tuple[int, int]:
    """What a final with a unit of one wins on a number, and what is left when its price is paid."""
    settlement = settled("it", pocket, pieces("it", call, chips(call)))
    return sum(line.won for line in settlement.lines), -settlement.bank


@pytest.mark.parametrize(("call", "laid", "article"), ROWS)
def test_it_fin_the_pieces_of_a_final_and_what_each_wins(
    call: str, laid: str, article: str
) -> None:
    found = call_of(load("it"), call)
    assert found is not None
    assert [piece.name for piece in found.pieces] == laid.split()
    price = len(laid.split())
    for piece in found.pieces:
        pays = 35 if len(piece.numbers) == 1 else 17
        for number in map(int, piece.numbers):
            assert won(call, number) == (pays, pays - price + 1)
    lines = settled("it", 17, pieces("it", call, price)).lines
    assert all(article in line.articles for line in lines)


@pytest.mark.parametrize(
    ("call", "pocket", "pays", "net"),
    [
        pytest.param("f3", 23, 35, 32, marks=pytest.mark.rule("IT-sett-10", "IT-ann-7")),
        pytest.param("f8", 8, 35, 33, marks=pytest.mark.rule("IT-sett-10", "IT-ann-7")),
        pytest.param("f3/6", 26, 17, 14, marks=pytest.mark.rule("IT-sett-12", "IT-ann-9")),
        pytest.param("f9/12", 12, 17, 15, marks=pytest.mark.rule("IT-sett-12", "IT-ann-9")),
        pytest.param("f8/9", 18, 35, 32, marks=pytest.mark.rule("IT-sett-13", "IT-ann-8")),
        pytest.param("f8/9", 29, 17, 14, marks=pytest.mark.rule("IT-sett-13", "IT-ann-8")),
        pytest.param("f0/1", 30, 35, 31, marks=pytest.mark.rule("IT-sett-13", "IT-ann-8")),
        pytest.param("f0/3", 0, 17, 14, marks=pytest.mark.rule("IT-sett-12", "IT-gioco-12")),
    ],
)
def test_it_sett_what_a_final_brings(call: str, pocket: int, pays: int, net: int) -> None:
    assert won(call, pocket) == (pays, net)


@pytest.mark.parametrize(
    ("finals", "price"),
    [
        pytest.param("0 1 2 3 4 5 6", 4, marks=pytest.mark.rule("IT-ann-7")),
        pytest.param("7 8 9", 3, marks=pytest.mark.rule("IT-ann-7")),
        pytest.param("0/1 1/2 2/3 4/5 5/6", 5, marks=pytest.mark.rule("IT-ann-8")),
        pytest.param("7/8 8/9", 4, marks=pytest.mark.rule("IT-ann-8")),
        pytest.param("0/3 1/4 2/5 3/6", 4, marks=pytest.mark.rule("IT-ann-9")),
        pytest.param("4/7 5/8 6/9 7/10 8/11 9/12", 3, marks=pytest.mark.rule("IT-ann-9")),
    ],
)
def test_it_ann_the_price_of_the_finals(finals: str, price: int) -> None:
    for name in finals.split():
        table = opened("it", {"ana": 10})
        call = f"f{name}"
        table.act(commands.Announce(by="ana", id="a", player="ana", call=call, amount=price))
        assert table.purse("ana") == 10 - price
        assert {stake.amount for stake in table.state.stakes.values()} == {1}
        assert len(table.state.stakes) == price


@pytest.mark.rule("IT-sett-10")
@pytest.mark.parametrize("digit", range(10))
def test_it_sett_10_a_final_in_pieno_plays_every_number_with_its_last_digit(digit: int) -> None:
    found = call_of(load("it"), f"f{digit}")
    assert found is not None
    assert [piece.numbers for piece in found.pieces] == [{n} for n in range(digit, 37, 10)]


@pytest.mark.rule("IT-sett-11")
@pytest.mark.parametrize("name", [*HORIZONTAL, *VERTICAL])
def test_it_sett_11_a_split_final_shares_the_units_of_two_numbers_that_touch(name: str) -> None:
    found = call_of(load("it"), f"f{name}")
    assert found is not None
    assert SPOTS[name].kind == "split"
    units = {number % 10 for number in SPOTS[name].numbers}
    assert {number % 10 for piece in found.pieces for number in piece.numbers} == units


@pytest.mark.rule("IT-sett-12")
@pytest.mark.parametrize("name", VERTICAL)
def test_it_sett_12_a_vertical_final_is_played_with_three_or_four_splits(name: str) -> None:
    found = call_of(load("it"), f"f{name}")
    assert found is not None
    assert len(found.pieces) in (3, 4)
    for piece in found.pieces:
        upper, lower = sorted(map(int, piece.numbers))
        assert lower - upper == 3
        assert upper == 0 or column_of(upper) == column_of(lower)


@pytest.mark.rule("IT-sett-13")
@pytest.mark.parametrize("name", HORIZONTAL)
def test_it_sett_13_a_horizontal_final_has_two_straights_where_its_numbers_part(name: str) -> None:
    found = call_of(load("it"), f"f{name}")
    assert found is not None
    assert len(found.pieces) in (4, 5)
    straights = [min(map(int, piece.numbers)) for piece in found.pieces if len(piece.numbers) == 1]
    first, second = straights
    assert second == first + 1
    assert f"{first}/{second}" not in SPOTS
    low, high = sorted(map(int, SPOTS[name].numbers))
    every = {n for unit in (low, high) for n in range(unit, 37, 10)}
    assert {n for piece in found.pieces for n in piece.numbers} == every


# What is not offered ------------------------------------------------------------------------------


@pytest.mark.rule("AMB-IT-16", "IT-ann-8", "IT-ann-9")
@pytest.mark.parametrize("call", ["f3/4", "f6/7", "f9/10", "f10", "f10/11", "f10/13", "f"])
def test_it_amb_16_no_other_final_is_taken(call: str) -> None:
    table = opened("it", {"ana": 100})
    wish = commands.Announce(by="ana", id="a", player="ana", call=call, amount=60)
    refusal = refused(table, wish)
    assert refusal.why is RefusalReason.ANNOUNCEMENT_NOT_TAKEN
    assert refusal.articles == ("AMB-IT-09", "AMB-IT-16")


@pytest.mark.rule("AMB-IT-16")
@pytest.mark.parametrize(
    ("call", "left_out"),
    [("f4/7", 34), ("f5/8", 35), ("f6/9", 36), ("f7/10", 0), ("f8/11", 1), ("f9/12", 2)],
)
def test_it_amb_16_a_vertical_final_of_three_loses_on_the_number_it_leaves_out(
    call: str, left_out: int
) -> None:
    assert won(call, left_out) == (0, -3)
    units = {number % 10 for number in SPOTS[call[1:]].numbers}
    assert left_out % 10 in units


def test_the_tables_above_are_all_the_finals_of_the_house() -> None:
    finals = {name for name in load("it").announcements.calls if name.startswith("f")}
    assert finals == {f"f{name}" for name in (*IN_PIENO, *HORIZONTAL, *VERTICAL)}
