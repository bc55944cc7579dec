"""A table's socket: what is shown, to whom, and what becomes of who falls behind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from novamas.house.clock import monotonic
from novamas.house.log.codec import encode
from novamas.house.log.store import Batch, StoreError
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.people.events import Post as Role
from novamas.house.table import commands as house
from novamas.house.table.commands import COMMANDS
from novamas.house.table.events import EVENTS
from novamas.rulebooks import load_any
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.decide import EventsOrRefusal, decide
from novamas.table.identity import MANAGEMENT
from novamas.table.script import ScriptRun, Table
from novamas.table.script_fields import Fields
from novamas.table.state import State
from novamas.web.permissions import MESSAGES
from novamas.web.socket_schema import socket_schema
from tests.scenarios.check import SCENARIOS
from tests.simulated_house.scene import in_simulated_time
from tests.web.door import open_door, run, seat, seqs, tips

SCRIPTS: list[dict[str, Any]] = json.loads(SCENARIOS.read_text("utf-8"))


# Events -------------------------------------------------------------------------------------------

LIVE = ("change", "why", "coup", "offers")
"""What a live event has besides: who comes back is shown the table as it is, and may ask."""


def stored(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events without what only live ones have."""
    return [{key: part for key, part in each.items() if key not in LIVE} for each in events]


@run
async def test_each_player_is_shown_his_own_and_everybody_every_number() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "es")
        ana, luis = door.session(Role.PLAYER, "ana"), door.session(Role.PLAYER, "luis")
        staff, auditor = door.session(Role.CROUPIER), door.session(Role.MANAGEMENT)
        async with (
            door.socket("t", ana) as a,
            door.socket("t", luis) as b,
            door.socket("t", staff) as s,
            door.socket("t", auditor) as m,
            door.socket("t") as o,
        ):
            await seat(door, "ana", "luis", amount=770)
            for player, spot in (("ana", "17"), ("luis", "18")):
                await door.must(
                    "t",
                    commands.PlaceStake(by=player, id=player, player=player, on=spot, amount=30),
                )
            for command in (
                house.FillBank(by=MANAGEMENT, amount=5000),
                house.GiveTip(by="luis", amount=20),
                commands.LaunchBall(by="croupier 1"),
                commands.CloseBetting(by="croupier 1"),
                commands.PocketBall(by="croupier 1", number=17),
                commands.CallNumber(by="croupier 1"),
                commands.CollectLosers(by="croupier 1"),
                commands.PayWinners(by="croupier 1"),
            ):
                await door.must("t", command)
            everybody = (a, b, s, m, o)
            start = a.table["seq"]
            for each in everybody:
                await each.until(actor.head.seq)
                assert seqs(each.events) == list(range(start + 1, actor.head.seq + 1))
            shown = [{e["seq"]: e for e in each.events} for each in everybody]
        for seq in range(start + 1, actor.head.seq + 1):
            of_a, of_b, of_s, of_m, of_o = (each[seq] for each in shown)
            kind = of_m["type"]
            assert of_s["type"] == kind
            assert of_s["data"] == of_m["data"]
            assert "hash" not in of_s
            assert "yours" not in of_o
            if kind == "ChipsBought":
                assert "amount" not in of_o["data"]
                mine, other = (of_a, of_b) if of_m["data"]["player"] == "ana" else (of_b, of_a)
                assert mine["yours"] == {"amount": 770}
                assert other == of_o
            elif kind == "NumberCalled":
                assert of_o["data"] == {"call": of_m["data"]["call"], "pocket": 17}
                for own, player in ((of_a, "ana"), (of_b, "luis")):
                    assert own["data"] == of_o["data"]
                    assert [line["player"] for line in own["yours"]["lines"]] == [player]
            elif kind == "BankFilled":
                hidden = {"seq": seq, "at": of_m["at"], "type": "Hidden", "data": {}}
                assert of_a == of_b == of_o == hidden
            elif kind == "TipGiven":
                assert of_a == of_o == {**of_o, "type": "Hidden", "data": {}}
                assert of_b["yours"] == {"player": "luis", "amount": 20}
            elif kind == "CoupEnded":
                assert of_a["data"] == of_b["data"] == of_o["data"] == of_m["data"]
                rows = [each.pop("coup")["players"] for each in (of_a, of_b, of_o)]
                assert [list(row) for row in rows] == [["ana"], ["luis"], []]
                assert of_a == of_b == of_o
            else:
                assert of_a == of_b == of_o
                assert of_o["data"] == of_m["data"]


@run
async def test_what_is_shown_live_is_what_is_shown_later() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "es")
        ana = door.session(Role.PLAYER, "ana")
        sessions = (ana, door.session(Role.CROUPIER), door.session(Role.MANAGEMENT), None)
        sockets = [door.socket("t", session) for session in sessions]
        for socket in sockets:
            await socket.__aenter__()
        start = actor.head.seq
        await seat(door, "ana", "luis")
        await door.must("t", house.GiveTip(by="ana", amount=20))
        stake = commands.PlaceStake(by="ana", id="b", player="ana", on="17", amount=30)
        await door.must("t", stake)
        for command in (
            commands.LaunchBall(by="croupier 1"),
            commands.CloseBetting(by="croupier 1"),
            commands.PocketBall(by="croupier 1", number=17),
            commands.CallNumber(by="croupier 1"),
        ):
            await door.must("t", command)
        for session, live in zip(sessions, sockets, strict=True):
            await live.until(actor.head.seq)
            async with door.socket("t", session, after=start) as later:
                await later.until(actor.head.seq)
                assert later.events == stored(live.events)
            headers = {"Authorization": f"Bearer {session.token}"} if session else None
            params = {"after": start}
            told = await door.http.get("/api/tables/t/events", params=params, headers=headers)
            assert told.json() == stored(live.events)
        for socket in sockets:
            await socket.hang_up()


# Coming back --------------------------------------------------------------------------------------


@run
async def test_who_comes_back_is_sent_what_he_missed_and_then_goes_on() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "bg")
        await seat(door, "ana", amount=1_000_000)
        await tips(actor, "ana", 2500)  # More than is read at a time.
        for after in (0, 1, 1000, 1001, actor.head.seq - 1, actor.head.seq):
            async with door.socket("t", after=after) as socket:
                missed = actor.head.seq
                assert socket.table["seq"] == missed
                await tips(actor, "ana", 3)
                await socket.until(missed + 3)
                assert seqs(socket.events) == list(range(after + 1, missed + 4))


@run
async def test_nothing_is_missed_or_seen_twice_while_others_play() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "bg")
        await seat(door, "ana", amount=1_000_000)
        start = actor.head.seq
        playing = asyncio.Event()
        playing.set()

        async def play() -> None:
            while playing.is_set():
                await tips(actor, "ana", 20)

        async def follow(turns: int) -> list[int]:
            """Comes and goes, each time on from what he saw last."""
            seen = start
            told: list[int] = []
            for turn in range(turns):
                async with door.socket("t", after=seen) as socket:
                    await socket.until(seen + 1 + 17 * (turn % 5))
                    told += seqs(socket.events)
                    seen = told[-1]
            return told

        player = asyncio.create_task(play())
        followed = await asyncio.gather(*(follow(12) for _ in range(8)))
        playing.clear()
        await player
        for told in followed:
            assert told == list(range(start + 1, told[-1] + 1))
        assert max(told[-1] for told in followed) > start + 100


@run
async def test_what_was_asked_for_happens_though_the_client_is_gone() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        socket = await door.socket("t", ana).__aenter__()
        socket.ask("Sit", under="s")
        socket.ask("BuyChips", under="b", player="ana", amount=600)
        await asyncio.sleep(0)
        await socket.hang_up()
        async with door.socket("t", ana, after=socket.table["seq"]) as again:
            sat = await again.must("Sit", under="s")
            await again.must("BuyChips", under="b", player="ana", amount=600)
            await again.until(actor.head.seq)
            assert seqs(again.events)[0] == sat["first"]
        assert actor.house_table.state.players["ana"].purse == 600
        assert ana.money == 1_000_000 - 600


# Being let go -------------------------------------------------------------------------------------


@in_simulated_time
async def test_who_is_too_slow_is_let_go_and_delays_nobody() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "bg")
        await seat(door, "ana", amount=1_000_000)
        async with door.socket("t") as slow, door.socket("t") as quick:
            await tips(actor, "ana", 10)
            await slow.until(actor.head.seq)
            slow.takes.clear()
            began = monotonic()
            for _ in range(10):
                await tips(actor, "ana", 500)
                await quick.until(actor.head.seq)
            took = monotonic() - began
            assert seqs(quick.events) == list(range(quick.table["seq"] + 1, actor.head.seq + 1))
            assert len(actor._subscriptions) == 1, "the quick one"
            slow.takes.set()
            closed = await slow.end()
            assert (closed.code, closed.reason) == (1013, "too slow; come back for the rest")
            # Without him it takes as long.
            began = monotonic()
            for _ in range(10):
                await tips(actor, "ana", 500)
                await quick.until(actor.head.seq)
            assert took == pytest.approx(monotonic() - began, abs=0.1)
            seen = seqs(slow.events)
        assert seen == list(range(seen[0], seen[-1] + 1))
        async with door.socket("t", after=seen[-1]) as back:
            await back.until(actor.head.seq)
            assert seqs(back.events) == list(range(seen[-1] + 1, actor.head.seq + 1))


@run
async def test_who_takes_nothing_at_all_is_given_up() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "bg")
        await seat(door, "ana", amount=1_000_000)
        stalled = await door.socket("t").__aenter__()
        stalled.takes.clear()
        for _ in range(10):
            await tips(actor, "ana", 500)
        assert stalled._task is not None
        await asyncio.wait_for(stalled._task, 10)
        assert not actor._subscriptions


@run
async def test_who_asks_and_does_not_take_the_answers_is_let_go() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        socket = await door.socket("t", ana).__aenter__()
        socket.takes.clear()
        for _ in range(5000):
            socket.ask("Leave")
        assert socket._task is not None
        await asyncio.wait_for(socket._task, 20)
        async with door.socket("t", ana) as again:
            await again.must("Sit")
        assert actor.failed is None


class StoppableStore(MemoryStore):
    """A store that fails when it is told to."""

    broken = False

    def append(self, batch: Batch, *others: Batch) -> None:
        if self.broken:
            raise StoreError("the disk is full")
        super().append(batch, *others)


@run
async def test_when_the_store_fails_nobody_is_answered_and_all_are_told() -> None:
    store = StoppableStore()
    async with open_door(store) as door:
        actor = await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket, door.socket("t") as onlooker:
            store.broken = True
            told = await socket.problem("Sit")
            assert told.startswith("the table is out of play: the store failed (reference ")
            assert "disk" not in told
            for each in (socket, onlooker):
                closed = await each.end()
                assert (closed.code, closed.reason) == (1013, "the table is out of play")
                assert each.events == []
        assert actor.head.seq == len(door.records("t"))
        late = door.socket("t", ana)
        with pytest.raises(AssertionError, match="the store failed"):
            await late.__aenter__()
        assert (await late.end()).code == 1013


@run
async def test_when_the_house_closes_what_waits_is_answered_first() -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket, door.socket("t") as onlooker:
            await socket.must("Sit")
            await socket.must("BuyChips", player="ana", amount=1000)
            asked = [socket.ask("GiveTip", amount=1) for _ in range(300)]
            while len(socket._in._queue):  # type: ignore[attr-defined]
                await asyncio.sleep(0)
            await door.house.stop()
            for id in asked:
                assert "ack" in await socket.answer(id)
            for each in (socket, onlooker):
                closed = await each.end()
                assert (closed.code, closed.reason) == (1012, "the house is closing")
            tips_told = [e for e in onlooker.events if e["type"] == "Hidden"]
            assert len(tips_told) == 300


# What is published --------------------------------------------------------------------------------


@run
async def test_the_schema_of_the_socket_names_every_message() -> None:
    async with open_door() as door:
        schema = (await door.http.get("/api/schema/socket")).json()
        assert schema["commands"].keys() == COMMANDS.keys()
        assert schema["events"].keys() == EVENTS.keys()
        for name, command in schema["commands"].items():
            assert set(command["for"]) == MESSAGES[name]
            fields = COMMANDS[name].__dataclass_fields__.keys() - {"by"}
            assert command["with"]["properties"].keys() == fields


class Schema:
    """The published schema, against which messages are held."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self._schema = schema

    def check(self, message: object, *where: str) -> None:
        """Checks a message, or a part of one, against its place in the schema."""
        part: Any = self._schema
        for key in where:
            part = part[key]
        jsonschema_rs.validate({**part, "$defs": self._schema["$defs"]}, message)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script["id"])
@run
async def test_all_that_is_sent_is_as_the_schema_says(script: dict[str, Any]) -> None:
    """Every command of the shared scripts, and every event that comes of them."""
    schema = Schema(socket_schema())
    run_ = ScriptRun(load_any(script["rulebook"]), Fields("script", script), seat=_checking(schema))
    for index, command in enumerate(script["script"]):
        run_.play(index, Fields(f"script[{index}]", command))
    assert run_.log
    for event in run_.log:
        encoded = encode(event)
        schema.check(msgspec.json.decode(encoded.payload), "events", encoded.type, "data")


def _checking(schema: Schema) -> Callable[[State], Table]:
    def table(state: State, command: Command) -> EventsOrRefusal:
        told = msgspec.to_builtins(command)
        told.pop("by")
        schema.check(told, "commands", type(command).__name__, "with")
        schema.check({"id": "x", "do": type(command).__name__, "with": told}, "request")
        return decide(state, command)

    return lambda _: table


@run
async def test_answers_are_as_the_schema_says() -> None:
    schema = Schema(socket_schema())
    async with open_door() as door:
        await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            schema.check({"table": socket.table}, "hello")
            schema.check(await socket.must("Sit"), "ack")
            schema.check(await socket.give("Sit"), "refused")
            schema.check(await socket.give("Dance"), "problem")
            socket.say("{")
            schema.check(await socket.receive(), "problem")
