"""R6: no stake after "no va más".

Players send stakes within a millisecond before and after the close, again and again. In the log
none lies behind the close, but for the one that a chief of an Italian table lets a player lay
before the ball falls into its pocket. A drawn table makes no exception.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import httpx
import msgspec
import pytest

from novamas.game.rulebook.behaviours import Act
from novamas.game.wheel import EUROPEAN
from novamas.house.house import House
from novamas.house.log.store import Record
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.table.actor import TableActor
from novamas.house.table.commands import DrawBall
from novamas.house.table.events import BallMode
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.identity import MANAGEMENT
from novamas.table.state import Setup
from novamas.web.client import TableClient
from tests.promises.figures import record
from tests.promises.running import Running, Starter
from tests.promises.staff import Staff

PLAYERS = [f"p{number}" for number in range(16)]
NEAR = 0.001
"""Seconds before and after the close in which the stakes are sent."""

Give = Callable[[str, Command], Awaitable[str]]
"""Command id and command; the reason of the refusal, or nothing."""


async def near_the_close(
    give: Give, staff: Staff, chance: random.Random, *, coups: int
) -> Counter[str]:
    """Coup after coup, stakes of everybody arrive around the moment of the close."""
    seen: Counter[str] = Counter()
    loop = asyncio.get_running_loop()
    sent: dict[str, float] = {}

    async def at(moment: float, id: str, command: Command) -> str:
        await asyncio.sleep(moment - loop.time() - 0.002)
        while loop.time() < moment:
            await asyncio.sleep(0)
        sent[id] = loop.time()
        return await give(id, command)

    for coup in range(coups):
        launch, close = staff.close()
        assert not await give(f"launch-{coup}", launch)
        moment = loop.time() + 0.02
        stakes: list[tuple[str, asyncio.Task[str]]] = []
        closing = asyncio.create_task(at(moment, f"close-{coup}", close))
        for number, name in enumerate(PLAYERS * 3):
            id, away = f"{coup}-{number}", chance.uniform(-NEAR, NEAR)
            stake = commands.PlaceStake(by=name, id=id, player=name, on="red", amount=100)
            stakes.append((id, asyncio.create_task(at(moment + away, id, stake))))
        assert not await closing
        for id, sending in stakes:
            why = await sending
            assert why in ("", "betting_is_closed")
            after = sent[id] - sent[f"close-{coup}"]
            seen["late" if after > 0 else "early"] += 1
            seen["near"] += abs(after) <= NEAR
            seen["refused" if why else "accepted"] += 1
        rest = staff.coup(chance.choice(EUROPEAN.pockets))[2:]
        for number, command in enumerate(rest):
            # Where nobody won, the coup ends with the collecting.
            assert await give(f"rest-{coup}-{number}", command) in ("", "losers_not_collected")
    return seen


def check_log(log: Iterable[Record]) -> tuple[int, int]:
    """Reads a log in its order: how many closes there were, and stakes before them."""
    is_closed, closes, stakes = False, 0, 0
    for event in log:
        if event.type == "BettingClosed":
            is_closed = True
            closes += 1
        elif event.type == "CoupEnded":
            is_closed = False
        elif event.type == "StakePlaced":
            assert not is_closed, f"event {event.seq} is a stake after the close"
            stakes += 1
    return closes, stakes


def report(how: str, log: Iterable[Record], seen: Counter[str]) -> None:
    closes, stakes = check_log(log)
    assert stakes == seen["accepted"]
    assert seen["near"] >= closes
    # The close really parts them: some came in time, some did not.
    assert seen["accepted"] >= closes
    assert seen["refused"] >= closes
    record(
        "R6",
        how,
        closes=closes,
        sent_before=seen["early"],
        sent_after=seen["late"],
        sent_within_1_ms=seen["near"],
        accepted=seen["accepted"],
        refused=seen["refused"],
        accepted_after_the_close=0,
    )


async def seated(table: TableActor, staff: Staff, give: Give) -> None:
    seats = [each for name in PLAYERS for each in staff.seats(name, 1_000_000)]
    for number, command in enumerate([*staff.opening(), *seats]):
        assert not await give(f"ready-{table.house_table.table}-{number}", command)


async def submit(table: TableActor, id: str, command: Command) -> str:
    answer = await table.submit(id, command)
    return answer.refusal.why.value if answer.refusal is not None else ""


def test_r6_no_stake_is_accepted_after_the_close(tmp_path: Path) -> None:
    async def play() -> None:
        house = House(SqliteStore(tmp_path / "house.db"))
        await house.open()
        table = await house.set_up("1", "bg", Setup(), ball=BallMode.WHEEL)
        give = partial(submit, table)
        await seated(table, Staff("bg"), give)
        chance = random.Random(6)  # noqa: S311 - when a stake is sent is no secret
        seen = await near_the_close(give, Staff("bg"), chance, coups=100)
        report("48 stakes within 1 ms of each close", house.store.read("1"), seen)
        await house.close()

    asyncio.run(play())


def test_r6_no_stake_is_accepted_after_the_close_over_sockets(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with Starter() as starter:
        running = starter.start(port=0, store=str(path), tables=False)
        seen = asyncio.run(over_sockets(running))
        running.stop()
    store = SqliteStore(path)
    report("48 stakes within 1 ms of each close, over 17 sockets", store.read("1"), seen)
    store.close()


async def over_sockets(running: Running) -> Counter[str]:
    url, management = running.url.rstrip("/"), running.token("management")
    staff = Staff("bg")
    async with AsyncExitStack() as stack, httpx.AsyncClient() as http:
        body = {"table": "1", "rulebook": "bg", "ball": "wheel", "chip": 2}
        bearer = {"Authorization": f"Bearer {management}"}
        answer = await http.post(f"{url}/api/tables", json=body, headers=bearer)
        assert answer.status_code == 201, answer.text
        dealing = await stack.enter_async_context(TableClient(url, "1", management))
        clients: dict[str, TableClient] = {}

        async def give(id: str, command: Command) -> str:
            own = clients.get(str(command.by))
            if own is not None:
                return (await own.give(command, id=id)).why
            acting = command.by != MANAGEMENT
            return (await dealing.give(command, id=id, acting=acting)).why

        seats = [each for name in PLAYERS for each in staff.seats(name, 1_000_000)]
        for number, command in enumerate([*staff.opening(), *seats]):
            assert not await give(f"ready-{number}", command)
        for name in PLAYERS:
            token = (await http.post(f"{url}/api/guests", json={"name": name})).json()["token"]
            clients[name] = await stack.enter_async_context(TableClient(url, "1", token))
        chance = random.Random(7)  # noqa: S311 - when a stake is sent is no secret
        return await near_the_close(give, staff, chance, coups=25)


# The chief's exception ----------------------------------------------------------------------------


async def italian(ball: BallMode) -> tuple[House, TableActor, Give]:
    house = House(MemoryStore())
    await house.open()
    table = await house.set_up("1", "it", Setup(), ball=ball)
    give = partial(submit, table)
    await seated(table, Staff("it"), give)
    for number, command in enumerate(Staff("it").close()):
        assert not await give(f"close-{number}", command)
    return house, table, give


async def all_try(give: Give, when: str) -> list[str]:
    """Everybody sends two stakes at once: whose were accepted."""
    tried: list[tuple[str, Awaitable[str]]] = []
    for number, name in enumerate(PLAYERS * 2):
        id = f"{when}-{number}"
        stake = commands.PlaceStake(by=name, id=id, player=name, on="red", amount=100)
        tried.append((name, give(id, stake)))
    explanations = await asyncio.gather(*(waiting for _, waiting in tried))
    assert set(explanations) <= {"", "betting_is_closed"}
    return [name for (name, _), why in zip(tried, explanations, strict=True) if not why]


@pytest.mark.rule("IT-gioco-7c")
def test_r6_a_chief_s_exception_is_for_one_stake_until_the_ball_is_pocketed() -> None:
    async def play() -> None:
        house, _, give = await italian(BallMode.WHEEL)
        chief = Staff("it").who(Act.GRANT_EXCEPTION)
        grant = commands.GrantException(by=chief, player="p3")
        assert await all_try(give, "closed") == []
        assert not await give("grant", grant)
        assert await all_try(give, "granted") == ["p3"]
        assert await all_try(give, "used") == []
        # One that was granted and not used falls with the ball.
        assert not await give("grant again", grant)
        pocket = commands.PocketBall(by=Staff("it").who(Act.POCKET_BALL), number=7)
        assert not await give("pocket", pocket)
        assert await all_try(give, "pocketed") == []
        assert await give("grant too late", grant) == "ball_already_pocketed"
        late = [
            msgspec.json.decode(each.payload)["exception"]
            for each in house.store.read("1")
            if each.type == "StakePlaced"
        ]
        assert late == [True]
        await house.close()
        record(
            "R6",
            "a chief's exception at an Italian table with a wheel",
            stakes_tried_after_the_close=32 * 4,
            accepted_by_exception=1,
            accepted_otherwise=0,
        )

    asyncio.run(play())


@pytest.mark.rule("IT-gioco-7c")
def test_r6_a_drawn_table_makes_no_exception() -> None:
    async def play() -> None:
        house, table, give = await italian(BallMode.DRAWN)
        chief = Staff("it").who(Act.GRANT_EXCEPTION)
        grant = commands.GrantException(by=chief, player="p3")
        assert await give("grant", grant) == "close_is_final"
        assert await all_try(give, "closed") == []
        assert not await give("draw", DrawBall(by=Staff("it").who(Act.POCKET_BALL)))
        assert await give("grant again", grant) != ""
        assert await all_try(give, "pocketed") == []
        assert not table.house_table.state.stakes
        await house.close()

    asyncio.run(play())
