"""Sessions: names, one-time keys, play money, and what a token may do."""

from __future__ import annotations

import json
import logging

import pytest

from novamas.house.actor import BusyError
from novamas.house.codec import COMMANDS
from novamas.house.views import Audience
from novamas.web.sessions import (
    LONGEST_NAME,
    PLAYER_COMMANDS,
    STAFF_COMMANDS,
    BadNameError,
    Role,
    Session,
    Sessions,
)
from tests.web.door import Door, open_door, run


def test_a_guest_has_a_name_a_token_and_play_money() -> None:
    sessions = Sessions(guest_money=50)
    ana, luis = sessions.guest("ana"), sessions.guest()
    assert (ana.name, ana.role, ana.money) == ("ana", Role.PLAYER, 50)
    assert ana.token != luis.token
    assert len(ana.token) >= 32
    assert sessions.of(ana.token) is ana
    assert sessions.of(luis.token) is luis
    assert sessions.of(None) is None
    assert sessions.of("") is None
    assert sessions.of("\ud800") is None


def test_numbered_guests_leave_out_the_names_that_are_taken() -> None:
    sessions = Sessions()
    sessions.guest("Guest-2")
    assert [sessions.guest().name for _ in range(3)] == ["guest-3", "guest-4", "guest-5"]


def test_a_name_is_of_a_length_that_can_be_shown() -> None:
    sessions = Sessions()
    assert sessions.guest("x" * LONGEST_NAME).name == "x" * LONGEST_NAME
    with pytest.raises(BadNameError, match="1 to 24"):
        sessions.guest("y" * (LONGEST_NAME + 1))
    assert sessions.guest(" Мария ").name == "Мария"


def test_the_name_of_a_console_is_nobody_elses_even_before_its_key_is_used() -> None:
    sessions = Sessions()
    key = sessions.issue_key("chief", Role.STAFF)
    with pytest.raises(BadNameError, match="is taken"):
        sessions.guest("Chief")
    chief = sessions.use_key(key)
    assert chief is not None
    assert (chief.name, chief.role) == ("chief", Role.STAFF)


def test_a_key_is_good_once_and_only_as_it_was_issued() -> None:
    sessions = Sessions()
    key = sessions.issue_key("chief", Role.STAFF)
    other = sessions.issue_key("management", Role.MANAGEMENT)
    assert key != other
    assert sessions.use_key(key.swapcase()) is None
    assert sessions.use_key("") is None
    assert sessions.use_key("\ud800") is None
    assert sessions.use_key(key) is not None
    assert sessions.use_key(key) is None
    managing = sessions.use_key(other)
    assert managing is not None
    assert managing.role is Role.MANAGEMENT


def test_a_session_that_was_ended_is_nobodys() -> None:
    sessions = Sessions()
    ana = sessions.guest("ana")
    sessions.revoke(ana.token)
    assert sessions.of(ana.token) is None
    sessions.revoke("nothing")


def test_each_role_sees_as_its_audience() -> None:
    seen = {role: Session("", "x", role).audience for role in Role}
    assert seen == {
        Role.PLAYER: Audience.PUBLIC,
        Role.STAFF: Audience.STAFF,
        Role.MANAGEMENT: Audience.AUDITOR,
    }


# Tokens -------------------------------------------------------------------------------------------


def test_no_token_or_key_prints_itself() -> None:
    sessions = Sessions()
    key = sessions.issue_key("chief", Role.STAFF)
    ana = sessions.guest("ana")
    for text in (repr(ana), str(ana), f"{ana!r}", repr(sessions), repr(vars_of(sessions))):
        assert ana.token not in text
        assert key not in text
    assert "ana" in repr(ana)


def vars_of(sessions: Sessions) -> dict[str, object]:
    return {name: getattr(sessions, name) for name in Sessions.__dataclass_fields__}


@run
async def test_no_token_or_key_is_logged_or_sent_to_another(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    async with open_door() as door:
        await door.set_up("t", "bg")
        key = door.sessions.issue_key("chief", Role.STAFF)
        opened = await door.http.post("/api/sessions", json={"key": key})
        ana = door.session(Role.PLAYER, "ana")
        secrets = (key, opened.json()["token"], ana.token)
        staff = {"Authorization": f"Bearer {secrets[1]}"}
        async with door.socket("t", ana) as socket, door.socket("t") as onlooker:
            await socket.must("Sit")
            await socket.give("BuyChips", player="ana", amount=100)
            await onlooker.until(socket.events[-1]["seq"])
            told = json.dumps([socket.events, onlooker.events, socket.table, onlooker.table])
        for path in ("", "/events", "/coups", "/export"):
            told += (await door.http.get(f"/api/tables/t{path}", headers=staff)).text
        stored = b"".join(record.payload for record in door.records("t")).decode()
    spoken = capsys.readouterr()
    for secret in secrets:
        for text in (told, stored, caplog.text, spoken.out, spoken.err):
            assert secret not in text


# What a role may ask for --------------------------------------------------------------------------


def test_every_command_is_for_somebody() -> None:
    """A new command that nobody was given is found here."""
    assert COMMANDS.keys() == PLAYER_COMMANDS | STAFF_COMMANDS


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_who_may_ask_for_a_command(command: str) -> None:
    asked = {role: Session("", "x", role).may(command) for role in Role}
    assert asked == {
        Role.PLAYER: command in PLAYER_COMMANDS,
        Role.STAFF: command in STAFF_COMMANDS,
        Role.MANAGEMENT: True,
    }


# Play money ---------------------------------------------------------------------------------------


def player(money: int) -> Session:
    return Session("", "ana", Role.PLAYER, money)


def test_a_command_that_comes_twice_costs_once() -> None:
    ana = player(100)
    assert ana.spend("t", "c1", 60)
    assert ana.spend("t", "c1", 60)
    assert ana.money == 40
    assert not ana.spend("t", "c2", 60)
    assert ana.money == 40


def test_the_same_id_at_another_table_is_another_command() -> None:
    ana = player(100)
    assert ana.spend("t", "c1", 60)
    assert not ana.spend("u", "c1", 60)
    assert ana.spend("u", "c1", 40)
    assert ana.money == 0


def test_what_a_refused_command_took_comes_back_once() -> None:
    ana = player(100)
    ana.spend("t", "c1", 60)
    ana.give_back("t", "c1")
    ana.give_back("t", "c1")
    ana.give_back("t", "other")
    assert ana.money == 100


@pytest.mark.parametrize("amount", [0, -50])
def test_what_is_no_amount_costs_nothing_and_brings_nothing(amount: int) -> None:
    ana = player(100)
    assert ana.spend("t", "c1", amount)
    ana.give_back("t", "c1")
    assert ana.money == 100


def test_what_a_player_takes_with_him_comes_once() -> None:
    ana = player(100)
    ana.receive("t", "c1", 70)
    ana.receive("t", "c1", 70)
    assert ana.money == 170


async def seated(door: Door, name: str = "ana") -> Session:
    await door.set_up("t", "bg")
    return door.session(Role.PLAYER, name)


@run
async def test_chips_cost_play_money_once_however_often_they_are_asked_for() -> None:
    async with open_door(guest_money=1000) as door:
        ana = await seated(door)
        async with door.socket("t", ana) as socket:
            await socket.must("Sit")
            for _ in range(3):
                await socket.must("BuyChips", under="buy", player="ana", amount=600)
            for _ in range(5):
                socket.ask("BuyChips", under="more", player="ana", amount=300)
            for _ in range(5):
                assert "ack" in await socket.answer("more")
        assert ana.money == 100
        assert door.house.tables["t"].hall.state.players["ana"].purse == 900


@run
async def test_more_than_there_is_cannot_be_bought() -> None:
    async with open_door(guest_money=1000) as door:
        ana = await seated(door)
        async with door.socket("t", ana) as socket:
            await socket.must("Sit")
            problem = await socket.problem("BuyChips", player="ana", amount=1010)
            assert problem == "amount: you have 1000 of play money"
        assert ana.money == 1000
        assert door.house.tables["t"].hall.state.players["ana"].purse == 0


@run
async def test_chips_that_are_refused_cost_nothing() -> None:
    async with open_door(guest_money=1000) as door:
        ana = await seated(door)
        async with door.socket("t", ana) as socket:
            answer = await socket.give("BuyChips", player="ana", amount=600)
            assert answer["why"] == "not_seated"
            await socket.must("Sit")
            answer = await socket.give("BuyChips", player="ana", amount=601)
            assert answer["why"] == "not_whole_chips"
            answer = await socket.give("BuyChips", player="ana", amount=-600)
            assert answer["why"] == "amount_not_positive"
        assert ana.money == 1000


@run
async def test_an_id_used_for_something_else_gives_no_money_back() -> None:
    async with open_door(guest_money=1000) as door:
        ana = await seated(door)
        luis = door.session(Role.PLAYER, "luis")
        async with door.socket("t", ana) as socket, door.socket("t", luis) as other:
            await socket.must("Sit")
            await other.must("Sit")
            await socket.must("BuyChips", under="buy", player="ana", amount=600)
            # Under the same id nothing else happens, and the answer is the same.
            assert "ack" in await socket.give("GiveTip", under="buy", amount=10)
            assert ana.money == 400
            # For somebody else the id is not to be had, and costs nothing.
            answer = await other.give("BuyChips", under="buy", player="luis", amount=600)
            assert answer["why"] == "command_of_another"
            assert luis.money == 1000
        state = door.house.tables["t"].hall.state
        assert state.players["ana"].purse == 600
        assert state.players["luis"].purse == 0


@run
async def test_who_leaves_takes_his_chips_back_as_play_money() -> None:
    async with open_door(guest_money=1000) as door:
        ana = await seated(door)
        async with door.socket("t", ana) as socket:
            await socket.must("Sit")
            await socket.must("BuyChips", player="ana", amount=600)
            await socket.must("GiveTip", amount=50)
            await socket.must("Leave", under="leave")
            assert ana.money == 950
            assert "ack" in await socket.give("Leave", under="leave")
            assert ana.money == 950
            assert (await socket.give("Leave"))["why"] == "not_seated"
        me = await door.http.get("/api/me", headers={"Authorization": f"Bearer {ana.token}"})
        assert me.json()["money"] == 950


@run
async def test_a_busy_table_and_one_out_of_play_take_no_money() -> None:
    async with open_door(guest_money=1000) as door:
        ana = await seated(door)
        actor = door.house.tables["t"]
        submit = actor.submit
        async with door.socket("t", ana) as socket:
            await socket.must("Sit")

            async def busy(*_: object, **__: object) -> None:
                raise BusyError("too many")

            actor.submit = busy  # type: ignore[method-assign, assignment]
            assert await socket.problem("BuyChips", player="ana", amount=600) == "too many"
            assert ana.money == 1000
            actor.submit = submit  # type: ignore[method-assign]
            actor.failed = "the disk is full"
            problem = await socket.problem("BuyChips", player="ana", amount=600)
            assert problem == "the table is out of play: the disk is full"
            assert ana.money == 1000
