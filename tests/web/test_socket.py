"""A table's socket: hello, answers, events without a gap, coming back, and being let go."""

from __future__ import annotations

import asyncio
import itertools
import json
from typing import Any
from unittest import mock

import pytest

from novamas.house.log.store import StoreError
from novamas.house.people.events import Post as Role
from novamas.house.refusals import Problem
from novamas.table import commands
from novamas.web.command_reader import LARGEST_MESSAGE, LONGEST_ID
from novamas.web.socket import BEAT
from tests.scenarios.check import SCENARIOS
from tests.simulated_house.scene import in_simulated_time
from tests.web.door import HOST, Closed, open_door, run, seat

SCRIPTS: list[dict[str, Any]] = json.loads(SCENARIOS.read_text("utf-8"))


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
        assert "ana" in door.house.tables["t"].house_table.state.players


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
        (f"https://{HOST}", False),
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
                "articles": list(actor.house_table.state.book.betting.cites.no_stake),
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
            await socket.must("BuyChips", player="ana", amount=100_000)
            asked = [socket.ask("GiveTip", amount=n) for n in range(1, 201)]
            acks = [await socket.answer(id) for id in asked]
            firsts = [ack["first"] for ack in acks]
            assert firsts == sorted(firsts)
            await socket.until(firsts[-1])
            given = [e["yours"]["amount"] for e in socket.events if e["type"] == "TipGiven"]
            assert given == list(range(1, 201))


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
            assert said.keys() == {"problem", "id", "why"}
            assert said["why"] == Problem.NOT_UNDERSTOOD
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
        ({"id": "x", "do": "Dance"}, "do: no command 'Dance'"),
        ({"id": "x", "do": "Command"}, "do: no command 'Command'"),
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


@run
async def test_who_comes_while_the_store_is_out_of_reach_is_asked_to_come_back() -> None:
    async with open_door() as door:
        await door.set_up("1", "es")

        async def out_of_reach() -> None:
            raise StoreError("the store is not reached")

        door.people.registry.read = out_of_reach  # type: ignore[method-assign]
        elsewhere = "of another server"
        closed = await door.socket("1", token=elsewhere).end_of_hello()
        assert closed.code == 1013
        assert closed.reason == "the house does not reach its store; come back"


# Faults -------------------------------------------------------------------------------------------


@run
async def test_a_fault_while_a_wallet_is_opened_does_not_silence_the_socket() -> None:
    """Messages wait until the wallet is there; they must not wait for ever."""

    async def broken(*_: object, **__: object) -> str:
        raise ZeroDivisionError("a fault of the program")

    async with open_door() as door:
        await door.set_up("t", "bg")
        with mock.patch.object(door.people, "at_table", broken):
            async with door.socket("t", door.session(Role.MANAGEMENT)) as socket:
                socket.ask("SeatPlayer", player="ana")
                await socket.must("Suspend", reason="a lamp")
        assert door.house.tables["t"].house_table.state.suspended


# Signs of life ------------------------------------------------------------------------------------


@in_simulated_time
async def test_a_quiet_table_tells_its_clients_the_clock_again() -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        async with door.socket("t", door.session(Role.PLAYER, "ana")) as socket:
            await asyncio.sleep(5 * BEAT + 0.5)
            answer = await socket.give("Sit")
            assert "ack" in answer
            assert len(socket.clocks) == 1 + 5


@in_simulated_time
async def test_a_client_that_takes_nothing_is_sent_one_sign_of_life_and_no_more() -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        async with door.socket("t", door.session(Role.PLAYER, "ana")) as socket:
            await asyncio.sleep(BEAT / 2)
            taken = socket.taken
            socket.takes.clear()
            await asyncio.sleep(20 * BEAT)
            socket.takes.set()
            await asyncio.sleep(BEAT / 4)
            assert socket.taken - taken <= 2
