"""A line is read from the log as it was written; older ones have no names for what did not play."""

import msgspec
from hypothesis import given

from novamas.game.cloth import spot
from novamas.game.stakes import Stake
from novamas.house.log.codec import encode, read_line
from novamas.rulebooks import load
from novamas.table.events import NumberCalled
from novamas.wording.explain import explain
from tests.properties.laid import Laid, coups


@given(coups())
def test_a_line_is_read_as_it_was_written(coup: Laid) -> None:
    settlement = coup.settle()
    payload = encode(NumberCalled(call="", settlement=settlement)).payload
    stored = msgspec.json.decode(payload)["lines"]
    for plain, line in zip(stored, settlement.lines, strict=True):
        assert read_line(plain, line.stake) == line


def test_a_line_without_names_for_what_did_not_play_is_still_told_truly() -> None:
    book = load("it")
    stake = Stake("b1", "anna", spot("17"), 60)
    articles = ["IT-bet-1", "IT-pay-1", "IT-general-11", "IT-general-15c"]
    known = ["b1", "anna", "17", 60]
    stored = [*known, 1750, 60, 0, 0, 0, 0, articles, [["straight", 50, 1750]]]
    assert explain(book, read_line(stored, stake), 17).sentences == (
        "60 on pieno 17; 17 came up.",
        "It covers 17 and pays 35 to 1: 50 wins 1,750.",
        "Stake returned: 60.",
    )
