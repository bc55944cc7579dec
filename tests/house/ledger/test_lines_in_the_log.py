"""A line stands in the log with its parts by their names, and lines of older logs are still read.

`logs_of_positional_lines.json` holds logs that version 0.1.0 wrote, when the place of a number in a
list said what it is: all the parts that a line can have, the choices after zero and what did not
play, chained by their hashes.
"""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given

from novamas.game.cloth import spot
from novamas.game.lines import Line, Settlement
from novamas.game.reduction import reductions
from novamas.game.stakes import Prisoner, Stake
from novamas.house import ledger
from novamas.house.log.codec import VERSIONS, Encoded, decode, encode
from novamas.house.log.hash_chain import link
from novamas.house.log.store import GENESIS, Record
from novamas.house.log.stored_lines import StoredCall, named_line, read_line
from novamas.house.log.verify import chain_problems
from novamas.house.table.events import TableSetUp
from novamas.house.table.state import HouseTable, advance
from novamas.house.views.event_view import Audience, of_record
from novamas.rulebooks import load
from novamas.table.events import ChoiceMade, Event, NumberCalled
from novamas.wording.explain import explain
from tests.house.ledger.playing import played
from tests.properties.laid import Laid, coups
from tests.scenarios.check import every_script

OLD = json.loads(Path(__file__).with_name("logs_of_positional_lines.json").read_text("utf-8"))
OLD_LOGS = [pytest.param(each["events"], id=each["id"]) for each in OLD]
RED = Stake("b1", "ana", spot("red"), 10)


# In code ------------------------------------------------------------------------------------------


def test_a_part_of_a_line_is_never_passed_by_its_place() -> None:
    with pytest.raises(TypeError):
        Line(RED, 0, 0, 10, 0, 0, 0, ())  # type: ignore[call-arg, arg-type]
    assert Line(RED, lost=10, articles=("X-1",)) == Line.all_lost(RED, ("X-1",))
    assert Line(RED, won=10, returned=10, articles=()) == Line.all_won(RED, 10, ())
    assert Line(RED, won=10, stays=10, articles=()) == Line.all_won(RED, 10, (), stays=True)


def test_a_line_is_copied_whole() -> None:
    line = Line(RED, returned=4, lost=6, articles=("X-1",), into="b2")
    assert pickle.loads(pickle.dumps(line)) == line  # noqa: S301 - it was made here
    assert copy.copy(line) == copy.deepcopy(line._replace(stake=RED)) == line
    assert type(copy.copy(line)) is Line


# In the log ---------------------------------------------------------------------------------------


@given(coups())
def test_a_line_is_read_as_it_was_written(coup: Laid) -> None:
    settlement = coup.settle()
    payload = encode(NumberCalled(call="", settlement=settlement)).payload
    stored = msgspec.json.decode(payload, type=StoredCall).lines
    for plain, line in zip(stored, settlement.lines, strict=True):
        assert read_line(plain, line.stake) == line


def test_a_stored_line_names_its_parts_and_leaves_out_what_is_not() -> None:
    lines = (Line.all_lost(RED, ("AR-10.a",)), Line(RED, held=10, articles=("ES-7.2.b2",)))
    written = encode(NumberCalled(call="nine", settlement=Settlement(9, lines)))
    assert written.version == VERSIONS["NumberCalled"] == 3
    known = {"id": "b1", "player": "ana", "on": "red", "amount": 10}
    assert msgspec.json.decode(written.payload) == {
        "call": "nine",
        "pocket": 9,
        "lines": [
            {**known, "lost": 10, "articles": ["AR-10.a"]},
            {**known, "held": 10, "articles": ["ES-7.2.b2"]},
        ],
    }


# Older logs ---------------------------------------------------------------------------------------


def records(events: list[dict[str, Any]]) -> list[Record]:
    """A stored log as its records; the hashes are those that were stored."""
    found: list[Record] = []
    previous = GENESIS
    for seq, each in enumerate(events, start=1):
        payload, digest = each["payload"].encode(), bytes.fromhex(each["hash"])
        at = 1_700_000_000_000 + seq
        found.append(
            Record("1", seq, at, each["type"], each["version"], payload, None, previous, digest)
        )
        previous = digest
    return found


def lines_of(event: Event) -> tuple[Line, ...]:
    """The lines that an event has."""
    if isinstance(event, NumberCalled):
        return event.settlement.lines
    return (event.line,) if isinstance(event, ChoiceMade) else ()


def replayed(log: list[Record]) -> Iterator[tuple[HouseTable, Record, Event]]:
    """The events of a log, each with the table right before it."""
    house_table: HouseTable | None = None
    for record in log:
        state = house_table.state if house_table is not None else None
        event = decode(record.type, record.version, record.payload, state)
        if isinstance(event, TableSetUp):
            house_table = HouseTable.fresh(event)
            continue
        assert house_table is not None
        yield house_table, record, event
        advance(house_table, event)


@pytest.mark.parametrize("events", OLD_LOGS)
def test_the_chain_of_an_older_log_still_holds(events: list[dict[str, Any]]) -> None:
    log = records(events)
    assert list(chain_problems(log)) == []
    log[-1] = log[-1]._replace(payload=log[-1].payload + b" ")
    assert list(chain_problems(log)) == [f"event {len(log)} was changed"]


@pytest.mark.parametrize("events", OLD_LOGS)
def test_an_older_log_is_replayed_to_the_table_that_the_same_play_makes_today(
    events: list[dict[str, Any]], request: pytest.FixtureRequest
) -> None:
    (script,) = (each for each in every_script() if f"[{each['id']}]" in request.node.name)
    today = played(script)
    balances: dict[str, int] = {}
    again = []
    house_table: HouseTable | None = None
    for house_table, _, event in replayed(records(events)):
        again.append(event)
        balances = ledger.balances(ledger.transfers(house_table, event), balances)
    assert [encode(event) for event in again] == [encode(event) for event in today.log]
    assert house_table is not None
    assert house_table.state == today.state
    ledger.check(house_table, balances)


@pytest.mark.parametrize("events", OLD_LOGS)
def test_an_older_event_is_shown_as_the_same_event_of_today(events: list[dict[str, Any]]) -> None:
    for _, record, event in replayed(records(events)):
        if not lines_of(event):
            continue
        assert record.version == 1
        new = link("1", record.seq, record.at, encode(event), None, record.previous)
        assert new.payload != record.payload
        players = {line.stake.player for line in lines_of(event)}
        for audience, player in (
            (Audience.STAFF, None),
            (Audience.PUBLIC, None),
            *((Audience.PUBLIC, player) for player in players),
        ):
            assert of_record(record, audience, player) == of_record(new, audience, player)
        shown = json.loads(of_record(record, Audience.AUDITOR))
        assert (shown["version"], shown["data"]) == (1, json.loads(record.payload))


def test_the_older_logs_have_every_part_that_a_line_can_have() -> None:
    seen: set[str] = set()
    for each in OLD:
        for house_table, _, event in replayed(records(each["events"])):
            for line in lines_of(event):
                seen |= {name for name in Line._fields if getattr(line, name)}
                seen |= {type(line.stake).__name__, *(part.reason for part in line.unplayed)}
            if isinstance(event, NumberCalled) and reductions(
                house_table.state.book, event.settlement
            ):
                seen.add("a reduction")
            if isinstance(event, ChoiceMade):
                seen.add(event.choice)
    assert seen == {
        *Line._fields,
        *(Stake.__name__, Prisoner.__name__),
        *("excess", "unclear", "loose", "half", "prison", "a reduction"),
    }


def test_a_line_without_names_for_what_did_not_play_is_still_told_truly() -> None:
    book = load("it")
    stake = Stake("b1", "anna", spot("17"), 60)
    articles = ["IT-bet-1", "IT-pay-1", "IT-general-11", "IT-general-15c"]
    known = ["b1", "anna", "17", 60]
    stored = [*known, 1750, 60, 0, 0, 0, 0, articles, [["straight", 50, 1750]]]
    assert explain(book, read_line(named_line(stored), stake), 17).sentences == (
        "60 on pieno 17; 17 came up.",
        "It covers 17 and pays 35 to 1: 50 wins 1,750.",
        "Stake returned: 60.",
    )


def test_an_older_line_of_an_unknown_form_is_not_guessed() -> None:
    broken = Encoded("NumberCalled", 1, b'{"call":"","pocket":9,"lines":[["b1","ana","red",10]]}')
    with pytest.raises(ValueError, match="unpack"):
        decode(*broken, played(every_script()[0]).state)
