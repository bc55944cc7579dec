"""Records: what is written is read again, step by step, and a wrong one says where it is wrong."""

from __future__ import annotations

import asyncio
import copy
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import novamas as nv
from novamas.api.plain_data import event_data
from novamas.house.log.codec import encode
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.rulebooks import load
from novamas.table import events
from novamas.table.evolve import evolve
from novamas.table.script import ScriptRun
from novamas.table.script_fields import Fields
from tests.promises.drawn import drawn_table

HOUSES = nv.houses()
ROOT = Path(__file__).parents[2]
SCRIPTS = [ROOT / "tests/scenarios/scenarios.json", ROOT / "docs/examples/evening.json"]


def played(house: str) -> nv.Table:
    """An evening with zeros, prison and limits."""
    zeros = nv.load(house).wheel.pockets.zeros
    table = nv.Table(house, players={"ana": 1_000, "luis": 1_000})
    numbers = [zeros[0], 17, zeros[-1], zeros[0], 5]
    list(table.play({"ana": "red:10 17:5", "luis": "black:10 d1:5"}, numbers=numbers))
    return table


@pytest.mark.parametrize("house", HOUSES)
def test_a_record_that_is_written_and_read_is_the_same(house: str, tmp_path: Path) -> None:
    table = played(house)
    record = table.record()
    nv.dump_record(record, tmp_path / "evening.json")
    again = nv.load_record(tmp_path / "evening.json")
    assert again == record
    assert [coup.settlement for coup in again.coups] == [coup.settlement for coup in table.coups]
    assert [coup.net for coup in again.coups] == [coup.net for coup in table.coups]
    assert again.frame("polars").shape[0] == sum(len(coup.lines) for coup in table.coups)


def test_a_record_gives_state_and_event_step_by_step() -> None:
    table = played("es")
    seen = [(state.phase.value, type(event).__name__) for state, event in table.record()]
    assert len(seen) == len(table.events)
    assert ("betting", "StakePlaced") in seen
    assert ("pocketed", "NumberCalled") in seen
    last = list(table.record())[-1].state
    assert {name: each.purse for name, each in last.players.items()} == table.purses


def scripts() -> list[Any]:
    """The scenarios that the tests of the table play, and the evening of the documentation."""
    return [each for path in SCRIPTS for each in json.loads(path.read_text("utf-8"))]


def test_every_event_of_every_scenario_is_recorded_as_the_house_stores_it_and_comes_back() -> None:
    kinds: set[str] = set()
    for script in scripts():
        fields = Fields("script", copy.deepcopy(script))
        run = ScriptRun(load(script["rulebook"]), fields)
        setup = run.state.setup
        for index, each in enumerate(script["script"]):
            run.play(index, Fields(f"script[{index}]", dict(each)))
        record = nv.Record(run.state.book, setup, tuple(run.log))
        again = nv.Record.of(json.loads(json.dumps(record.as_data())))
        assert again.as_data() == record.as_data()
        assert again.coups == record.coups
        for event in record.events:
            data = event_data(event)
            kinds.add(data.pop("type"))
            stored = msgspec.json.decode(encode(event).payload)
            left_out = {name: value for name, value in data.items() if name not in stored}
            assert all(value is None or value is False for value in left_out.values())
            assert data == {**stored, **left_out}
    assert {"NumberCalled", "ChoiceMade", "AnnouncementPlaced", "StakesReturned"} <= kinds
    assert {"BallVoided", "CustodyClaimed", "ExceptionGranted", "LimitsChanged"} <= kinds


def wrong(change: Any) -> dict[str, Any]:
    data = json.loads(json.dumps(played("es").record().as_data()))
    change(data)
    return dict(data)


def called(data: Any) -> Any:
    return next(each for each in data["events"] if each["type"] == "NumberCalled")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda d: d.update(novamas="record 2"), "novamas: expected 'record 1'"),
        (lambda d: d.pop("setup"), "expected novamas, house, setup and events"),
        (lambda d: d.update(house="xx"), "xx: no such rulebook"),
        (lambda d: d["setup"].update(chip="1"), r"setup.chip: expected int, not '1'"),
        (lambda d: d["setup"].update(winning="both"), "setup.winning: expected one of"),
        (
            lambda d: d["events"][0].update(type="BankOpened"),
            r"events\[0\].type: expected the name",
        ),
        (lambda d: d["events"][0].update(post=7), r"events\[0\].post: expected str, not 7"),
        (lambda d: d["events"][0].pop("post"), r"events\[0\]: expected also post"),
        (lambda d: d["events"][0].update(more=7), r"events\[0\]: expected one of"),
        (lambda d: d["events"].insert(0, 7), r"events\[0\]: expected an object, not 7"),
        (lambda d: called(d)["lines"][0].update(amount=11), "amount: expected 10, as it lies"),
        (lambda d: called(d)["lines"][0].update(id="zz"), "id: expected a stake or a prisoner"),
        (lambda d: called(d)["lines"][0].update(won=True), "won: expected a whole number"),
        (
            lambda d: d["events"].insert(0, {"type": "PlayerLeft", "player": "bo", "amount": 1}),
            "it cannot follow",
        ),
    ],
)
def test_a_wrong_record_says_where_it_is_wrong(change: Any, problem: str) -> None:
    with pytest.raises(nv.NovamasError, match=problem):
        nv.Record.of(wrong(change))


def test_a_file_that_is_no_record_is_told(tmp_path: Path) -> None:
    path = tmp_path / "evening.json"
    path.write_text("{", "utf-8")
    with pytest.raises(nv.RecordError, match="not JSON"):
        nv.load_record(path)
    with pytest.raises(nv.UsageError, match="record: expected a Record"):
        nv.dump_record("evening", path)  # type: ignore[arg-type]


def test_a_record_of_a_house_that_is_not_installed_is_read_with_its_book(tmp_path: Path) -> None:
    book = ROOT / "docs" / "examples" / "atlantic.toml"
    table = nv.Table(book, players={"ana": 100})
    list(table.play("17:5", numbers=["00", 17]))
    nv.dump_record(table.record(), tmp_path / "evening.json")
    assert nv.load_record(tmp_path / "evening.json", house=book) == table.record()


def test_evolving_a_record_changes_nothing_of_it() -> None:
    record = played("it").record()
    first = [coup.net for coup in record.coups]
    for step in record:
        assert isinstance(step.event, events.Event)
    state = next(iter(record)).state
    evolve(state, record.events[0])
    assert [coup.net for coup in record.coups] == first


@pytest.mark.parametrize("house", ["es", "it"])
def test_the_log_of_a_served_house_has_a_record(house: str, tmp_path: Path) -> None:
    """Without the ball's secrets, the record alone still leads to the same coups."""
    path = tmp_path / "house.db"

    async def play() -> None:
        async with drawn_table(rulebook=house, store=SqliteStore(path)) as table:
            await table.seat("ana", 10_000)
            for _ in range(6):
                await table.stake("ana", "red", 100)
                await table.stake("ana", "17", 100)
                await table.coup()

    asyncio.run(play())
    log = nv.read_log(path, table="t")
    assert log.record is not None
    nv.dump_record(log.record, tmp_path / "evening.json")
    again = nv.load_record(tmp_path / "evening.json")
    assert again == log.record
    assert [coup.pocket for coup in again.coups] == list(log.numbers)
    assert len(again.coups) == 6
    assert again.coups[0].lines[0].articles
    assert {type(each).__name__ for each in log.events} > {
        type(each).__name__ for each in again.events
    }
