"""A table's socket: hello, answers, events without a gap, coming back, and being let go."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import Callable
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from novamas.house import commands as house
from novamas.house.actor import TableActor
from novamas.house.codec import COMMANDS, EVENTS, encode
from novamas.house.store import Batch, StoreError
from novamas.house.stores.memory import MemoryStore
from novamas.rulebooks import load_any
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.decide import Decision, decide
from novamas.table.script import Fields, ScriptRun, Table
from novamas.table.state import State
from novamas.web.schema import socket_schema
from novamas.web.sessions import PLAYER_COMMANDS, STAFF_COMMANDS, Role
from novamas.web.socket import LARGEST_MESSAGE, LONGEST_ID
from tests.scenarios.check import SCENARIOS
from tests.web.door import HOST, Closed, Door, open_door, run

SCRIPTS: list[dict[str, Any]] = json.loads(SCENARIOS.read_text("utf-8"))


async def seat(door: Door, *players: str, amount: int = 1000, table: str = "t") -> None:
    for player in players:
        await door.must(table, commands.Sit(by=player))
        buys = commands.BuyChips(by="croupier 1", player=player, amount=amount, value_chips=True)
        await door.must(table, buys)


async def nonces(actor: TableActor, player: str, many: int) -> None:
    """Makes so many events, as fast as they come."""
    start = actor.head.seq
    await asyncio.gather(
        *(
            actor.submit(f"n{start}-{n}", house.SetNonce(by=player, nonce=f"{n}"))
            for n in range(many)
        )
    )


def seqs(events: list[dict[str, Any]]) -> list[int]:
    return [event["seq"] for event in events]


# Coming in ----------------------------------------------------------------------------------------


@run
async def test_the_first_message_is_the_table_as_it_stands() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "bg")
        await seat(door, "ana")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            bearer = {"Authorization": f"Bearer {ana.token}"}
            assert socket.table == (await door.http.get("/api/tables/t", headers=bearer)).json()
            assert socket.table["seq"] == actor.head.seq
            assert socket.table["you"]["purse"] == 1000


@run
async def test_the_token_may_come_in_the_header() -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        headers = door.bearer(Role.PLAYER, "ana")
        async with door.socket("t", headers=headers) as socket:
            await socket.must("Sit")


@pytest.mark.parametrize("token", ["wrong", "", "%FF"])
@run
async def test_a_token_that_is_not_good(token: str) -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        with pytest.raises(Closed) as closed:
            await door.socket("t", token=token).__aenter__()
        assert (closed.value.code, closed.value.reason) == (4401, "the token is not good")


@run
async def test_a_table_that_is_not_there() -> None:
    async with open_door() as door:
        with pytest.raises(Closed) as closed:
            await door.socket("none").__aenter__()
        assert (closed.value.code, closed.value.reason) == (4404, "there is no such table")


@pytest.mark.parametrize("after", ["-1", "x", "", "1.0", "1e1", "٣", "9" * 20, "1000"])
@run
async def test_a_place_in_the_log_that_is_not_there(after: str) -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "bg")
        with pytest.raises(Closed) as closed:
            await door.socket("t", after=after).__aenter__()
        assert closed.value.code == 4400
        assert closed.value.reason == f"after: a whole number of at most {actor.head.seq}"


@pytest.mark.parametrize(
    ("origin", "let_in"),
    [
        (f"http://{HOST}", True),
        (f"https://{HOST}", True),
        ("http://elsewhere.example", False),
        (f"http://{HOST}.elsewhere.example", False),
        (f"http://{HOST}:81", False),
        ("null", False),
        ("", False),
    ],
)
@run
async def test_a_page_of_another_site_opens_no_socket(origin: str, *, let_in: bool) -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        socket = door.socket("t", headers={"origin": origin})
        if let_in:
            async with socket:
                assert socket.table["table"] == "t"
        else:
            with pytest.raises(Closed) as closed:
                await socket.__aenter__()
            assert closed.value.code == 403
            assert not socket.accepted


@run
async def test_a_socket_by_another_name_of_the_house_is_not_opened() -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        socket = door.socket("t", headers={"host": "elsewhere.example"})
        with pytest.raises(Closed) as closed:
            await socket.__aenter__()
        assert closed.value.code == 403


# Commands and answers -----------------------------------------------------------------------------


@run
async def test_an_ack_names_the_events_and_each_comes_once() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            head = actor.head.seq
            assert await socket.must("Sit", under="s") == {
                "ack": "s",
                "first": head + 1,
                "seq": head + 1,
            }
            bought = await socket.must("BuyChips", player="ana", amount=100)
            laid = await socket.must(
                "PlaceStake", under="x", id="b1", player="ana", on="17", amount=10
            )
            assert bought["seq"] == head + 2
            assert laid == {"ack": "x", "first": head + 3, "seq": head + 3}
            await socket.until(head + 3)
            told = [(event["seq"], event["type"]) for event in socket.events]
            assert told == [
                (head + 1, "PlayerSat"),
                (head + 2, "ChipsBought"),
                (head + 3, "StakePlaced"),
            ]
            stake = socket.events[-1]["data"]
            assert (stake["player"], stake["on"], stake["amount"]) == ("ana", "17", 10)


@run
async def test_a_refusal_names_its_articles() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "es")
        ana = door.session(Role.PLAYER, "ana")
        await seat(door, "ana")
        await door.must("t", commands.LaunchBall(by="croupier 1"))
        await door.must("t", commands.CloseBetting(by="croupier 1"))
        async with door.socket("t", ana) as socket:
            head = actor.head.seq
            answer = await socket.give(
                "PlaceStake", under="late", id="b1", player="ana", on="17", amount=10
            )
            assert answer == {
                "refused": "late",
                "why": "betting_is_closed",
                "articles": list(actor.hall.state.book.betting.cites["no_stake"]),
                "detail": "wait for the next coup",
                "seq": head,
            }
            assert answer["articles"]
            assert actor.head.seq == head


@run
async def test_a_command_that_comes_twice_happens_once() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            first = await socket.must("Sit", under="s")
            head = actor.head.seq
            assert await socket.must("Sit", under="s") == first
        async with door.socket("t", ana) as socket:
            assert await socket.must("Sit", under="s") == first
        assert actor.head.seq == head


@run
async def test_commands_of_one_client_keep_their_order() -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            await socket.must("Sit")
            asked = [socket.ask("SetNonce", nonce=f"{n}") for n in range(200)]
            acks = [await socket.answer(id) for id in asked]
            firsts = [ack["first"] for ack in acks]
            assert firsts == sorted(firsts)
            await socket.until(firsts[-1])
            said = [e["data"]["nonce"] for e in socket.events if e["type"] == "NonceSet"]
            assert said == [f"{n}" for n in range(200)]


@pytest.mark.parametrize("frame", ["text", "bytes"])
@run
async def test_a_command_may_come_in_either_kind_of_frame(frame: str) -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            text = '{"id": "s", "do": "Sit"}'
            socket.say(text if frame == "text" else text.encode())
            assert "ack" in await socket.answer("s")


@pytest.mark.parametrize(
    "frame",
    [
        "",
        b"",
        "{",
        "[]",
        "null",
        '"Sit"',
        "17",
        "{}",
        '{"id": "x"}',
        '{"id": 17, "do": "Sit"}',
        '{"id": "x", "do": null}',
        '{"id": "x", "do": "Sit", "with": []}',
        '{"id": "x", "do": "Sit", "more": 1}',
        '{"id": "x", "do": "Sit", "as": 17}',
        '{"id": "\\ud800", "do": "Sit"}',
        b"\xff\xfe\x00",
        b'{"id": "\xff", "do": "Sit"}',
        "[" * 10_000,
        '{"id": "x", "do": "Sit", "with": {"a": ' + "[" * 5000 + "]" * 5000 + "}}",
        "x" * (LARGEST_MESSAGE + 1),
    ],
    ids=itertools.count(),
)
@run
async def test_a_frame_that_cannot_be_read_is_a_problem_without_a_command(
    frame: str | bytes,
) -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            before = door.facts()
            socket.say(frame)
            said = await socket.receive()
            assert said.keys() == {"problem", "id"}
            assert said["id"] is None
            assert said["problem"]
            assert door.facts() == before
            await socket.must("Sit")  # The socket goes on.


@pytest.mark.parametrize(
    ("request_", "problem"),
    [
        ({"id": "", "do": "Sit"}, f"id: 1 to {LONGEST_ID} printable characters"),
        ({"id": "x" * 65, "do": "Sit"}, f"id: 1 to {LONGEST_ID} printable characters"),
        ({"id": "a\nb", "do": "Sit"}, f"id: 1 to {LONGEST_ID} printable characters"),
        ({"id": "x", "do": "Dance"}, "do: Dance is not for a player"),
        ({"id": "x", "do": "Command"}, "do: Command is not for a player"),
        ({"id": "x", "do": "Sit", "with": {"by": "luis"}}, "by: the house knows who you are"),
        ({"id": "x", "do": "Sit", "with": {"a": 1}}, "a: Sit has no such field"),
        ({"id": "x", "do": "GiveTip"}, "Object missing required field `amount`"),
        ({"id": "x", "do": "GiveTip", "with": {"amount": "1"}}, "Expected `int`, got `str`"),
        ({"id": "x", "do": "GiveTip", "with": {"amount": True}}, "Expected `int`, got `bool`"),
        ({"id": "x", "do": "GiveTip", "with": {"amount": 1.5}}, "Expected `int`, got `float`"),
        ({"id": "x", "do": "Sit", "as": "luis"}, "as: only the management acts for others"),
    ],
)
@run
async def test_a_command_that_is_not_understood_is_a_problem(
    request_: dict[str, Any], problem: str
) -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            before = door.facts()
            socket.say(json.dumps(request_))
            said = await socket.answer(request_["id"])
            assert said["problem"].startswith(problem)
            assert door.facts() == before


@run
async def test_the_management_asks_for_no_command_that_there_is_not() -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        management = door.session(Role.MANAGEMENT)
        async with door.socket("t", management) as socket:
            assert await socket.problem("Dance") == "do: no command 'Dance'"
            assert await socket.problem("DrawBall", number=17) == (
                "number: DrawBall has no such field"
            )


@run
async def test_an_onlooker_sees_and_gives_no_commands() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "bg")
        async with door.socket("t") as socket:
            assert await socket.problem("Sit") == "onlookers give no commands; take a name first"
            await door.must("t", commands.Sit(by="ana"))
            (event,) = await socket.until(actor.head.seq)
            assert event["data"] == {"player": "ana"}


# Events -------------------------------------------------------------------------------------------


@run
async def test_each_player_is_shown_his_own_and_everybody_every_number() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "es")
        ana, luis = door.session(Role.PLAYER, "ana"), door.session(Role.PLAYER, "luis")
        staff, auditor = door.session(Role.STAFF), door.session(Role.MANAGEMENT)
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
                house.OpenBank(by=commands.MANAGEMENT, amount=5000),
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
                    assert [line[1] for line in own["yours"]["lines"]] == [player]
            elif kind == "BankOpened":
                hidden = {"seq": seq, "at": of_m["at"], "type": "Hidden", "data": {}}
                assert of_a == of_b == of_o == hidden
            elif kind == "TipGiven":
                assert of_a == of_o == {**of_o, "type": "Hidden", "data": {}}
                assert of_b["yours"] == {"player": "luis", "amount": 20}
            else:
                assert of_a == of_b == of_o
                assert of_o["data"] == of_m["data"]


@run
async def test_what_is_shown_live_is_what_is_shown_later() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "es")
        ana = door.session(Role.PLAYER, "ana")
        sessions = (ana, door.session(Role.STAFF), door.session(Role.MANAGEMENT), None)
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
                assert later.events == live.events
            headers = {"Authorization": f"Bearer {session.token}"} if session else None
            params = {"after": start}
            told = await door.http.get("/api/tables/t/events", params=params, headers=headers)
            assert told.json() == live.events
        for socket in sockets:
            await socket.hang_up()


# Coming back --------------------------------------------------------------------------------------


@run
async def test_who_comes_back_is_sent_what_he_missed_and_then_goes_on() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "bg")
        await seat(door, "ana")
        await nonces(actor, "ana", 2500)  # More than is read at a time.
        for after in (0, 1, 1000, 1001, actor.head.seq - 1, actor.head.seq):
            async with door.socket("t", after=after) as socket:
                missed = actor.head.seq
                assert socket.table["seq"] == missed
                await nonces(actor, "ana", 3)
                await socket.until(missed + 3)
                assert seqs(socket.events) == list(range(after + 1, missed + 4))


@run
async def test_nothing_is_missed_or_seen_twice_while_others_play() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "bg")
        await seat(door, "ana")
        start = actor.head.seq
        playing = asyncio.Event()
        playing.set()

        async def play() -> None:
            while playing.is_set():
                await nonces(actor, "ana", 20)

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
        assert actor.hall.state.players["ana"].purse == 600
        assert ana.money == 1_000_000 - 600


# Being let go -------------------------------------------------------------------------------------


@run
async def test_who_is_too_slow_is_let_go_and_delays_nobody() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "bg")
        await seat(door, "ana")
        async with door.socket("t") as slow, door.socket("t") as quick:
            await nonces(actor, "ana", 10)
            await slow.until(actor.head.seq)
            slow.takes.clear()
            began = time.monotonic()
            for _ in range(10):
                await nonces(actor, "ana", 500)
                await quick.until(actor.head.seq)
            took = time.monotonic() - began
            assert seqs(quick.events) == list(range(quick.table["seq"] + 1, actor.head.seq + 1))
            assert len(actor._subscriptions) == 1
            slow.takes.set()
            closed = await slow.end()
            assert (closed.code, closed.reason) == (1013, "too slow; come back for the rest")
            # Without him it takes as long.
            began = time.monotonic()
            for _ in range(10):
                await nonces(actor, "ana", 500)
                await quick.until(actor.head.seq)
            assert took < 5 * (time.monotonic() - began) + 1
            seen = seqs(slow.events)
        assert seen == list(range(seen[0], seen[-1] + 1))
        async with door.socket("t", after=seen[-1]) as back:
            await back.until(actor.head.seq)
            assert seqs(back.events) == list(range(seen[-1] + 1, actor.head.seq + 1))


@run
async def test_who_takes_nothing_at_all_is_given_up() -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "bg")
        await seat(door, "ana")
        stalled = await door.socket("t").__aenter__()
        stalled.takes.clear()
        for _ in range(10):
            await nonces(actor, "ana", 500)
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

    def append(self, batch: Batch) -> None:
        if self.broken:
            raise StoreError("the disk is full")
        super().append(batch)


@run
async def test_when_the_store_fails_nobody_is_answered_and_all_are_told() -> None:
    store = StoppableStore()
    async with open_door(store) as door:
        actor = await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket, door.socket("t") as onlooker:
            store.broken = True
            told = await socket.problem("Sit")
            assert told == "the table is out of play: the store failed: the disk is full"
            for each in (socket, onlooker):
                closed = await each.end()
                assert (closed.code, closed.reason) == (1013, "the table is out of play")
                assert each.events == []
        assert actor.head.seq == len(door.records("t"))
        late = door.socket("t", ana)
        with pytest.raises(AssertionError, match="the disk is full"):
            await late.__aenter__()
        assert (await late.end()).code == 1013


@run
async def test_when_the_house_closes_what_waits_is_answered_first() -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket, door.socket("t") as onlooker:
            await socket.must("Sit")
            asked = [socket.ask("SetNonce", nonce=f"{n}") for n in range(300)]
            while len(socket._in._queue):  # type: ignore[attr-defined]
                await asyncio.sleep(0)
            await door.house.stop()
            for id in asked:
                assert "ack" in await socket.answer(id)
            for each in (socket, onlooker):
                closed = await each.end()
                assert (closed.code, closed.reason) == (1012, "the house is closing")
            nonces_told = [e for e in onlooker.events if e["type"] == "NonceSet"]
            assert len(nonces_told) == 300


# What is published --------------------------------------------------------------------------------


@run
async def test_the_schema_of_the_socket_names_every_message() -> None:
    async with open_door() as door:
        schema = (await door.http.get("/api/schema/socket")).json()
        assert schema["commands"].keys() == COMMANDS.keys()
        assert schema["events"].keys() == EVENTS.keys()
        for name, command in schema["commands"].items():
            assert ("player" in command["for"]) == (name in PLAYER_COMMANDS)
            assert ("staff" in command["for"]) == (name in STAFF_COMMANDS)
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
    def table(state: State, command: Command) -> Decision:
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
