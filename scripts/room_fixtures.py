"""Plays a few coups in each house and writes the fixtures of the room's own tests.

`followed.fixture.json` has the events that a player is shown, each with what it changed in what
they see. The browser's own check of the ball is tried on `docs/vectors/ball.json`.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from novamas.game import staffing
from novamas.game.limits import Limits
from novamas.game.rulebook.behaviours import Act
from novamas.house.ball.fair_draw import nonce_hash
from novamas.house.ball.seeds import BallSource
from novamas.house.clock import ManualClock
from novamas.house.house import House
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.table.actor import TableActor
from novamas.house.table.commands import (
    CommitNonce,
    CountFloat,
    DrawBall,
    FillBank,
    OpenBank,
    OpenNonce,
    SignFloat,
)
from novamas.house.table.events import BallMode
from novamas.house.views import table_view
from novamas.house.views.event_view import Audience
from novamas.house.views.history import replayed
from novamas.rulebooks import HOUSES, load
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.identity import MANAGEMENT, Identity
from novamas.table.state import Setup

TARGET = Path(__file__).parents[1] / "ui" / "src" / "table"
WHO, OTHER = "ana", "luis"
VIEWERS: dict[Audience, str | None] = {Audience.PUBLIC: WHO, Audience.STAFF: None}
Shown = dict[Audience, dict[int, dict[str, Any]]]
"""Audience → the events as they were sent to it, by their number."""
DRAWN: tuple[int | None, ...] = (None,) * 5
"""The coups of an evening whose numbers are drawn."""
ZEROS = (0, 0, 17, 0, 5)
"""The numbers of an evening at a wheel: zeros, and what frees or takes what is in prison."""
FLOAT = 10_000_000
"""What is brought to the bank when the table opens, and once more at the end."""
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

    def __init__(self, actor: TableActor, numbers: Sequence[int | None]) -> None:
        self._actor = actor
        self._numbers = numbers
        self._state = actor.house_table.state
        self._book = actor.house_table.state.book
        self._luck = random.Random(self._book.id)  # noqa: S311 # nosec B311 # The same each time.
        self._given = 0

    async def play(self) -> None:
        """Plays it."""
        for post in staffing.missing(self._book, {}):
            place = len(self._state.posts_of(post))
            await self._give(commands.TakePost(by=f"{post} {place}", post=post))
        await self._give(OpenBank(by=MANAGEMENT, amount=FLOAT))
        await self._enter_float()
        await self._by_anybody(commands.InspectTable)
        await self._give(commands.OpenTable(by=MANAGEMENT))
        for player in (WHO, OTHER):
            await self._give(commands.Sit(by=player))
            seller = self._state.who_may(Act.SELL_CHIPS) or MANAGEMENT
            await self._give(commands.BuyChips(by=seller, player=player, amount=500_000))
        for number in self._numbers:
            for player in (WHO, OTHER):
                await self._nonce(player)
                await self._stakes(player)
                await self._changes(player)
            await self._give(commands.StepAway(by=OTHER))
            await self._give(commands.ComeBack(by=OTHER))
            await self._deal(number)
        await self._give(FillBank(by=MANAGEMENT, amount=FLOAT))
        await self._enter_float()

    async def _enter_float(self) -> None:
        """Counts and signs the float, where the house wants that."""
        if self._actor.house_table.float_due is not None:
            await self._by_anybody(partial(CountFloat, counted=FLOAT))
            await self._give(SignFloat(by=MANAGEMENT))

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
        if self._numbers == ZEROS:
            for on in ("red", "even"):
                id = f"s{self._given}"
                stake = commands.PlaceStake(by=by, id=id, player=by, on=on, amount=500)
                await self._give(stake)
            return
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

    async def _deal(self, number: int | None) -> None:
        await self._by_anybody(commands.LaunchBall)
        await self._by_anybody(commands.CloseBetting)
        if number is None:
            for player in (WHO, OTHER):
                await self._give(OpenNonce(by=player, nonce=f"{player}'s own"))
            await self._by_anybody(DrawBall)
        else:
            await self._by_anybody(partial(commands.PocketBall, number=number))
        await self._by_anybody(commands.CallNumber)
        await self._by_anybody(commands.CollectLosers)
        # The first payment alone, then the others together.
        await self._by_anybody(commands.PayNext)
        await self._by_anybody(commands.PayWinners)

    async def _by_anybody(self, command: Callable[..., Command]) -> None:
        """Has a command given by the first person who may."""
        acting: tuple[Identity, ...] = (*self._state.staff, MANAGEMENT)
        for person in acting:
            if await self._give(command(by=person)):
                return


async def played(id: str, numbers: Sequence[int | None]) -> tuple[MemoryStore, Shown]:
    """The log of an evening in a house, and what a player and the staff were shown of it."""
    store = MemoryStore()
    source = BallSource(Known(), length=3, samples=0)
    house = House(store, clock=ManualClock(), source=source)
    await house.open()
    limits = Limits.of({"simple": {"min": 100, "max": 100_000}})
    stay = load(id).betting.winners_stay
    setup = Setup(chip=100, winning=stay, live=True, limits=limits)
    ball = BallMode.DRAWN if numbers == DRAWN else BallMode.WHEEL
    actor = await house.set_up(id, id, setup, ball=ball)
    followers = {
        audience: (await actor.follow(audience=audience, player=player, capacity=100_000))[1]
        for audience, player in VIEWERS.items()
    }
    await Evening(actor, numbers).play()
    await house.close()
    shown: Shown = {}
    for audience, follower in followers.items():
        messages = [each for bundle in await follower.wait_and_take() for each in bundle.messages]
        events = [event for each in messages if "seq" in (event := msgspec.json.decode(each))]
        # The explanation changes nothing at the table.
        shown[audience] = {event["seq"]: {**event, "why": None} for event in events}
    return store, shown


def followed(store: MemoryStore, table: str, shown: Shown, audience: Audience) -> dict[str, Any]:
    """The events as a player or the staff sees them, each with what it changed in their view."""
    player = VIEWERS[audience]
    steps: list[dict[str, Any]] = []
    first: dict[str, Any] = {}
    seen: dict[str, Any] = {}
    for record, _, house_table in replayed(store, table):
        seen_now = table_view.of_table(
            house_table, record.seq - 1, player=player, audience=audience
        )
        view = {"you": None, **msgspec.json.decode(msgspec.json.encode(seen_now))}
        if steps:
            steps[-1]["changes"] = changes(seen, view)
        elif record.seq == 1:
            continue  # There is no table before it is set up.
        else:
            first = view
        seen = view
        steps.append({"event": shown[audience][record.seq]})
    return {"table": table, "viewer": audience, "first": first, "steps": steps[:-1]}


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
    evenings: list[dict[str, Any]] = []
    for numbers in (DRAWN, ZEROS):
        for id in HOUSES:
            store, shown = asyncio.run(played(id, numbers))
            # What the staff sees besides is tried where zero comes out.
            viewers = (Audience.PUBLIC,) if numbers == DRAWN else VIEWERS
            evenings += [followed(store, id, shown, audience) for audience in viewers]
    text = json.dumps(evenings, separators=(",", ":"))
    (TARGET / "followed.fixture.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
