"""Plays a few coups in each house and writes the fixtures of the room's own tests.

`followed.fixture.json` has the events that a player is shown, each with what it changed in what
they see. The browser's own check of the ball is tried on `docs/vectors/ball.json`.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from pathlib import Path
from typing import Any

import msgspec

from novamas.game import staffing
from novamas.game.limits import Limits
from novamas.game.rulebook.model import Act
from novamas.house.ball.fair_draw import nonce_hash
from novamas.house.ball.seeds import BallSource
from novamas.house.clock import ManualClock
from novamas.house.house import House
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.table.actor import TableActor
from novamas.house.table.commands import CommitNonce, DrawBall, OpenBank, OpenNonce
from novamas.house.table.events import BallMode
from novamas.house.views import event_view, table_view
from novamas.house.views.history import replayed
from novamas.rulebooks import HOUSES, load
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.identity import MANAGEMENT, Identity
from novamas.table.state import Setup

TARGET = Path(__file__).parents[1] / "ui" / "src" / "table"
WHO, OTHER = "ana", "luis"
COUPS = 5
DEALT: tuple[type[Command], ...] = (
    commands.LaunchBall,
    commands.CloseBetting,
    DrawBall,
    commands.CallNumber,
    commands.CollectLosers,
    commands.PayWinners,
)
CALLS = ("voisins", "tiers", "f8/9", "17~2")
LYING = ("stakes", "announcements", "prison", "replays")
"""The parts of a view that are lists of things with an id."""


class Known:
    """A fixed sequence of secrets, so that the fixtures are reproducible."""

    def __init__(self) -> None:
        self._made = 0

    def secret(self) -> bytes:
        """The next one."""
        self._made += 1
        return hashlib.sha256(f"fixture {self._made}".encode()).digest()


class Evening:
    """Two players who try every command, many of which are refused."""

    def __init__(self, actor: TableActor) -> None:
        self._actor = actor
        self._state = actor.house_table.state
        self._book = actor.house_table.state.book
        self._luck = random.Random(self._book.id)  # noqa: S311 # nosec B311 # The same each time.
        self._given = 0

    async def play(self) -> None:
        """Plays it."""
        for post in staffing.missing(self._book, {}):
            number = len(self._state.posts_of(post))
            await self._give(commands.TakePost(by=f"{post} {number}", post=post))
        await self._give(OpenBank(by=MANAGEMENT, amount=10_000_000))
        await self._give(commands.OpenTable(by=MANAGEMENT))
        for player in (WHO, OTHER):
            await self._give(commands.Sit(by=player))
            seller = self._state.who_may(Act.SELL_CHIPS) or MANAGEMENT
            await self._give(commands.BuyChips(by=seller, player=player, amount=500_000))
        for _ in range(COUPS):
            for player in (WHO, OTHER):
                await self._nonce(player)
                await self._stakes(player)
                await self._changes(player)
            await self._give(commands.StepAway(by=OTHER))
            await self._give(commands.ComeBack(by=OTHER))
            await self._deal()

    async def _give(self, command: Command) -> bool:
        """Gives a command; returns whether it was accepted."""
        self._given += 1
        before = self._actor.head.seq
        await self._actor.submit(f"c{self._given}", command)
        return self._actor.head.seq != before

    async def _nonce(self, by: str) -> None:
        bound = self._actor.house_table.commitment
        if bound is not None:
            of = (self._actor.house_table.table, bound.spin, bound.commitment, by)
            known = nonce_hash(*of, f"{by}'s own")
            await self._give(CommitNonce(by=by, commitment=bound.commitment, hash=known))

    async def _stakes(self, by: str) -> None:
        luck = self._luck
        spots = (*sorted(spot.name for spot in self._book.terms), "red", "even", "low")
        for _ in range(luck.randint(2, 4)):
            id, amount = f"s{self._given}", 100 * luck.randint(1, 9)
            on = luck.choice(spots)
            await self._give(commands.PlaceStake(by=by, id=id, player=by, on=on, amount=amount))
        for call in luck.sample(CALLS, 2):
            id = f"a{self._given}"
            await self._give(commands.Announce(by=by, id=id, player=by, call=call, amount=18_000))

    async def _changes(self, by: str) -> None:
        luck, state = self._luck, self._state
        own = [stake for stake in state.stakes.values() if stake.player == by]
        for stake in luck.sample(own, min(2, len(own))):
            await self._give(commands.MoveStake(by=by, id=stake.id, on="17"))
            id = stake.announcement or stake.id
            await self._give(commands.WithdrawStake(by=by, id=id, amount=100))
        for announced in luck.sample(list(state.announcements), min(1, len(state.announcements))):
            await self._give(commands.WithdrawStake(by=by, id=announced))
        for old in list(state.won) if self._book.announcements.replays else ():
            mode = luck.choice(self._book.announcements.replays)
            new_id = f"r{self._given}"
            await self._give(commands.ReplayAnnouncement(by=by, id=old, mode=mode, new_id=new_id))
        for prisoner in list(state.prison):
            choice = luck.choice(list(commands.Choice))
            await self._give(commands.ChooseAfterZero(by=by, id=prisoner, choice=choice))

    async def _deal(self) -> None:
        for kind in DEALT:
            acting: tuple[Identity, ...] = (*self._state.staff, MANAGEMENT)
            for person in acting:
                if await self._give(kind(by=person)):
                    break
            if kind is commands.CloseBetting:
                for player in (WHO, OTHER):
                    await self._give(OpenNonce(by=player, nonce=f"{player}'s own"))


async def played(id: str) -> MemoryStore:
    """The log of an evening in a house."""
    store = MemoryStore()
    source = BallSource(Known(), length=3, samples=0)
    house = House(store, clock=ManualClock(), source=source)
    await house.open()
    limits = Limits.of({"simple": {"min": 100, "max": 100_000}})
    stay = load(id).betting.winners_stay
    setup = Setup(chip=100, winning=stay, live=True, limits=limits)
    await Evening(await house.set_up(id, id, setup, ball=BallMode.DRAWN)).play()
    await house.close()
    return store


def followed(store: MemoryStore, table: str) -> dict[str, Any]:
    """The events as a player sees them, each with what it changed in their view."""
    steps: list[dict[str, Any]] = []
    first: dict[str, Any] = {}
    seen: dict[str, Any] = {}
    for record, _, house_table in replayed(store, table):
        shown = table_view.of_table(
            house_table, record.seq - 1, player=WHO, audience=event_view.Audience.PUBLIC
        )
        view = {"you": None, **msgspec.json.decode(msgspec.json.encode(shown))}
        if steps:
            steps[-1]["changes"] = changes(seen, view)
        elif record.seq == 1:
            continue  # There is no table before it is set up.
        else:
            first = view
        seen = view
        steps.append(
            {
                "event": msgspec.json.decode(
                    event_view.of_record(record, event_view.Audience.PUBLIC, WHO)
                )
            }
        )
    return {"table": table, "first": first, "steps": steps[:-1]}


def changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """What differs between two views; for the cloth only what was added, removed or changed."""
    found = {}
    for key, value in after.items():
        if before.get(key) == value:
            continue
        if key not in LYING:
            found[key] = value
            continue
        were = {each["id"]: each for each in before[key]}
        are = {each["id"]: each for each in value}
        found[key] = {
            "put": [each for id, each in are.items() if were.get(id) != each],
            "gone": [id for id in were if id not in are],
        }
    return found


def main() -> None:
    """Writes the file."""
    told = [followed(asyncio.run(played(id)), id) for id in HOUSES]
    text = json.dumps(told, separators=(",", ":"))
    (TARGET / "followed.fixture.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
