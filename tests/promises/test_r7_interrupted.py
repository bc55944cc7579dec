"""R7: an interrupted coup ends well.

A house dies in every phase of a coup, at tables of both kinds, and another finds its files: the
coup goes on where it was, and ends with the same money as one that nobody interrupted. At a drawn
table the automatic croupier ends it, with the ball that was committed; at a wheel the croupier
enters the number, or declares the ball void. A player who comes back sees it all, without a gap.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
import pytest

from novamas.game.rulebook.behaviours import Act, Cause
from novamas.game.wheel import EUROPEAN
from novamas.house.ball import fair_draw
from novamas.house.ball.seeds import BallSource
from novamas.house.ball.verify_ball import verdict
from novamas.house.clock import ManualClock
from novamas.house.encryption import KeyFile
from novamas.house.house import House
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.log.verify import verify_table
from novamas.house.table.actor import TableActor
from novamas.house.table.commands import DrawBall
from novamas.house.table.croupier import AutomaticCroupier
from novamas.house.table.events import BallMode
from novamas.house.table.state import HouseTable
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.state import Phase, Setup
from novamas.web.client import Message, ProblemError, TableClient
from tests.promises.figures import record
from tests.promises.running import Running, Starter
from tests.promises.staff import Staff

PLAYERS = ("ana", "bea", "carl")


class Chosen:
    """Secrets that draw what the test needs, and that nobody else could foresee."""

    def __init__(self, numbers: dict[int, int]) -> None:
        self._numbers = numbers

    def secret(self) -> bytes:
        """32 bytes that draw the wanted number at each spin."""
        while True:
            found = secrets.token_bytes(32)
            drawn = partial(fair_draw.draw, secret=found, nonces={}, pockets=len(EUROPEAN))
            if all(drawn("1", spin) == n for spin, n in self._numbers.items()):
                return found


@dataclass(frozen=True)
class Moment:
    """A moment of a coup at which the house dies."""

    name: str
    phase: Phase
    house: str
    reach: Callable[[Staff, BallMode], list[Command]]
    """The commands that bring a table there."""
    numbers: tuple[int, ...] = (17,)
    """The numbers of the spins, as far as the test plays."""


def opened(staff: Staff) -> list[Command]:
    return [*staff.opening(), *(each for name in PLAYERS for each in staff.seats(name, 1_000))]


def laid(staff: Staff, *, coup: int = 1) -> list[Command]:
    """Three players win with 17 and lose with red; with zero the red ones wait for a choice."""
    del staff
    return [
        commands.PlaceStake(by=name, id=f"{name}-{on}-{coup}", player=name, on=on, amount=20)
        for name in PLAYERS
        for on in ("17", "red")
    ]


def fallen(staff: Staff, mode: BallMode, number: int) -> list[Command]:
    """The ball falls: drawn, or as the croupier reads it."""
    by = staff.who(Act.POCKET_BALL)
    if mode is BallMode.DRAWN:
        return [DrawBall(by=by)]
    return [commands.PocketBall(by=by, number=number)]


def coup(staff: Staff, mode: BallMode, number: int) -> list[Command]:
    return [*staff.close(), *fallen(staff, mode, number), *staff.finish()]


def until_betting(staff: Staff, _: BallMode) -> list[Command]:
    return [*opened(staff), *laid(staff)]


def until_launched(staff: Staff, mode: BallMode) -> list[Command]:
    return [*until_betting(staff, mode), staff.close()[0]]


def until_choosing(staff: Staff, mode: BallMode) -> list[Command]:
    # Zero: all lose 17, and have to choose for red; nobody wins, so nobody is paid.
    played = coup(staff, mode, 0)[:-1]
    return [*until_betting(staff, mode), *played, *laid(staff, coup=2)]


def until_closed(staff: Staff, mode: BallMode) -> list[Command]:
    return [*until_betting(staff, mode), *staff.close()]


def until_pocketed(staff: Staff, mode: BallMode) -> list[Command]:
    return [*until_closed(staff, mode), *fallen(staff, mode, 17)]


def until_collecting(staff: Staff, mode: BallMode) -> list[Command]:
    return [*until_pocketed(staff, mode), staff.finish()[0]]


def until_paying(staff: Staff, mode: BallMode) -> list[Command]:
    paid_one = commands.PayNext(by=staff.who(Act.PAY))
    return [*until_collecting(staff, mode), staff.finish()[1], paid_one]


def until_ended(staff: Staff, mode: BallMode) -> list[Command]:
    announce = commands.AnnounceLastGames(by=staff.who(Act.ANNOUNCE_LAST_GAMES))
    last = [each for _ in range(3) for each in (*coup(staff, mode, 0)[:-1],)]
    return [*opened(staff), announce, *last]


MOMENTS = (
    Moment("opening", Phase.OPENING, "es", lambda staff, _: staff.opening()[:2]),
    Moment("betting", Phase.BETTING, "es", until_betting),
    Moment("ball launched", Phase.BETTING, "es", until_launched),
    Moment("choosing", Phase.CHOOSING, "es", until_choosing, (0, 17)),
    Moment("closed", Phase.CLOSED, "es", until_closed),
    Moment("pocketed", Phase.POCKETED, "es", until_pocketed),
    Moment("collecting", Phase.COLLECTING, "es", until_collecting),
    Moment("paying, half-way", Phase.PAYING, "ar", until_paying),
    Moment("after the last game", Phase.ENDED, "bg", until_ended, (0, 0, 0)),
)


class Life:
    """A house on its files, until it dies or is closed."""

    def __init__(self, path: Path, moment: Moment) -> None:
        self.path = path
        chosen = Chosen(dict(enumerate(moment.numbers, 1)))
        self._clock = ManualClock()
        # Chains of one secret: each is chosen, and so is the number that it draws.
        source = BallSource(chosen, KeyFile(path.with_name("key")), length=1, samples=0)
        self.house = House(SqliteStore(path), clock=self._clock, source=source)

    async def open(self) -> None:
        await self.house.open()

    @property
    def table(self) -> TableActor:
        return self.house.tables["1"]

    async def give(self, *given: Command) -> None:
        """Gives commands that must be accepted."""
        for command in given:
            answer = await self.table.submit(secrets.token_hex(8), command)
            assert answer.refusal is None, answer.refusal

    async def die(self, path: Path) -> None:
        """Leaves its files as they are at this moment, to be found at another place."""

        def copy() -> None:
            for suffix in ("", "-wal"):
                shutil.copy(f"{self.path}{suffix}", f"{path}{suffix}")

        await self.house.blocking(copy)
        await self.house.close()

    async def deal(self) -> None:
        """The automatic croupier takes the coup up where it is, and plays it to its end."""
        croupier = AutomaticCroupier(self.table)
        before = self.table.house_table.state.coup
        croupier.start()
        async with asyncio.timeout(20):
            while self.table.house_table.state.coup == before and not self._has_opened():
                await self._clock.advance(0.5)
                await asyncio.sleep(0.005)  # The disk takes its own time.
                await self.table.summary()
        await croupier.stop()

    def _has_opened(self) -> bool:
        """Whether the table has just opened, and nobody plays yet."""
        state = self.table.house_table.state
        return state.phase is Phase.BETTING and not state.players

    def money(self) -> dict[str, int]:
        """What everybody has."""
        return {name: amount for name, amount in self.table.balances.items() if amount}


async def begin(path: Path, moment: Moment, mode: BallMode) -> Life:
    """A table brought to the moment."""
    life = Life(path, moment)
    await life.open()
    await life.house.set_up("1", moment.house, Setup(), ball=mode)
    await life.give(*moment.reach(Staff(moment.house), mode))
    assert life.table.house_table.state.phase is moment.phase
    return life


def rest_of(moment: Moment, staff: Staff) -> list[Command]:
    """What the croupier of a wheel still has to do for the coup to end."""
    state_order = [*staff.coup(17)]
    done = {
        "betting": 0,
        "choosing": 0,
        "ball launched": 1,
        "closed": 2,
        "pocketed": 3,
        "collecting": 4,
        "paying, half-way": 5,
    }
    if moment.name == "opening":
        return [*staff.opening()[2:], *opened(staff)[len(staff.opening()) :], *laid(staff)]
    return state_order[done[moment.name] :] if moment.name in done else []


async def finish(life: Life, moment: Moment, mode: BallMode) -> None:
    """The coup goes on to its end."""
    if mode is BallMode.DRAWN:
        if moment.phase is not Phase.ENDED:
            await life.deal()
    else:
        await life.give(*rest_of(moment, Staff(moment.house)))


async def interrupted(folder: Path, moment: Moment, mode: BallMode) -> None:
    first = await begin(folder / "first.db", moment, mode)
    before, head, money = first.table.house_table, first.table.head, first.money()
    await first.die(folder / "second.db")
    # The control goes on as if nothing had happened, with the files of the same moment.
    second = Life(folder / "second.db", moment)
    await second.open()
    table = second.table
    assert table.house_table.state == before.state
    assert second.money() == money
    if mode is BallMode.DRAWN and moment.phase not in UNBOUND:
        check_recommitment(table, before)
        assert table.head.seq == head.seq + 2
    else:
        assert table.house_table.commitment == before.commitment
        assert table.head == head
    await finish(second, moment, mode)
    await second.house.stop()
    check_ball(second, moment, mode)
    verified = verify_table(second.house.store, "1")
    assert verified.is_sound, verified.problems
    played = second.money()
    await second.house.close()
    # The same without a death comes to the same money.
    control = await begin(folder / "control.db", moment, mode)
    await finish(control, moment, mode)
    assert control.money() == played
    await control.house.close()


UNBOUND = (Phase.OPENING, Phase.CLOSED, Phase.ENDED)
"""Here nothing may be staked, or the ball runs already: it falls as it was committed to."""


def check_recommitment(table: TableActor, before: HouseTable) -> None:
    """The same spin is bound to a new chain: the old one may have been revealed elsewhere."""
    house_table = table.house_table
    assert house_table.chain is not None
    assert before.chain is not None
    assert house_table.commitment is not None
    assert before.commitment is not None
    assert house_table.chain.reason == "taken_up"
    assert house_table.chain.number == before.chain.number + 1
    assert house_table.chain.tip != before.chain.tip
    assert house_table.commitment.spin == before.commitment.spin
    assert house_table.commitment.coup == before.commitment.coup


def check_ball(life: Life, moment: Moment, mode: BallMode) -> None:
    """A drawn coup that was under way ended with the ball that was committed before."""
    house_table = life.table.house_table
    if moment.phase is Phase.OPENING:
        assert house_table.state.phase is Phase.BETTING
    elif moment.phase is Phase.ENDED:
        assert house_table.state.phase is Phase.ENDED
    else:
        assert house_table.state.coup == len(moment.numbers) + 1
    if mode is BallMode.DRAWN and moment.phase is not Phase.OPENING:
        assert [number for _, number in house_table.drawn] == list(moment.numbers)


@pytest.mark.parametrize("mode", BallMode)
@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.name)
def test_r7_a_coup_goes_on_where_it_was(tmp_path: Path, moment: Moment, mode: BallMode) -> None:
    asyncio.run(interrupted(tmp_path, moment, mode))
    record(
        "R7",
        "a death in every phase, at a wheel and at a drawn table: the coup ends all the same",
        moments=len(MOMENTS),
        tables=len(BallMode),
    )


@pytest.mark.parametrize("name", ["ball launched", "closed"])
def test_r7_a_wheel_s_interrupted_ball_may_be_void(tmp_path: Path, name: str) -> None:
    moment = next(each for each in MOMENTS if each.name == name)

    async def play() -> None:
        first = await begin(tmp_path / "first.db", moment, BallMode.WHEEL)
        stakes = dict(first.table.house_table.state.stakes)
        await first.die(tmp_path / "second.db")
        second = Life(tmp_path / "second.db", moment)
        await second.open()
        by = Staff(moment.house).who(Act.VOID_BALL)
        await second.give(commands.VoidBall(by=by, cause=Cause.OBJECT_IN_WHEEL))
        assert second.table.house_table.state.phase is Phase.BETTING
        assert second.table.house_table.state.stakes == stakes
        await second.give(*Staff(moment.house).coup(17))
        assert verify_table(second.house.store, "1").is_sound
        await second.house.close()

    asyncio.run(play())


@pytest.mark.parametrize("name", ["ball launched", "closed"])
def test_r7_a_drawn_table_s_interrupted_ball_is_never_void(tmp_path: Path, name: str) -> None:
    moment = next(each for each in MOMENTS if each.name == name)

    async def play() -> None:
        first = await begin(tmp_path / "first.db", moment, BallMode.DRAWN)
        await first.die(tmp_path / "second.db")
        second = Life(tmp_path / "second.db", moment)
        await second.open()
        by = Staff(moment.house).who(Act.VOID_BALL)
        void = commands.VoidBall(by=by, cause=Cause.OBJECT_IN_WHEEL)
        answer = await second.table.submit("void", void)
        assert answer.refusal is not None
        other = commands.PocketBall(by=Staff(moment.house).who(Act.POCKET_BALL), number=3)
        answer = await second.table.submit("other", other)
        assert answer.refusal is not None
        await finish(second, moment, BallMode.DRAWN)
        check_ball(second, moment, BallMode.DRAWN)
        await second.house.close()

    asyncio.run(play())


# A player who comes back --------------------------------------------------------------------------

PACE = dict.fromkeys(("betting", "launched", "running", "called", "paying"), 1.0)
AFTER = ("StakePlaced", "BallLaunched", "BettingClosed", "NumberCalled", "LosersCollected")
"""The house is killed right after the player has seen one of these."""


class Follower:
    """A player's screen: every event once, in order."""

    def __init__(self, client: TableClient) -> None:
        self._messages = client.messages()
        self.seen: list[Message] = []

    async def until(self, kind: str) -> Message:
        """Follows until an event of that type comes."""
        async for message in self._messages:
            assert not self.seen or message.seq == self.seen[-1].seq + 1
            self.seen.append(message)
            if message.type == kind:
                return message
        raise AssertionError(f"no {kind} came")


@asynccontextmanager
async def at_home(running: list[Running]) -> AsyncIterator[TableClient]:
    """A player who comes back to whatever house runs now."""
    async with httpx.AsyncClient() as http:

        async def token(server: str) -> str:
            try:
                answer = await http.post(f"{server}/api/guests", json={"name": "ana"})
            except httpx.HTTPError as problem:
                raise ProblemError(str(problem)) from None
            return str(answer.json()["token"])

        url = running[-1].url.rstrip("/")
        async with TableClient(url, "ar", await token(url), renew=token) as client:
            yield client


async def killed_after(starter: Starter, path: Path, kind: str) -> None:
    start = partial(starter.start, store=str(path), tables=True, pace=PACE)
    running = [start(port=0)]
    async with at_home(running) as client:
        follower = Follower(client)
        await client.give(commands.Sit(by="ana"))
        await client.give(commands.BuyChips(by="ana", player="ana", amount=10_000))
        for spot in ("red", "black", "0"):
            stake = commands.PlaceStake(by="ana", id=spot, player="ana", on=spot, amount=100)
            assert (await client.give(stake)).is_accepted
        standing = client.table["draw"]
        await follower.until(kind)
        running[-1].kill()
        running.append(await asyncio.to_thread(start, port=running[-1].port))
        revealed = await find(follower, "BallRevealed")
        await find(follower, "CoupEnded")
        bound = [standing, *(m.data for m in follower.seen if m.type == "BallCommitted")]
        mine = [each for each in bound if each["spin"] == revealed.data["spin"]]
        # A coup that was open when the house died is bound anew; one that was closed is not.
        assert len(mine) == (2 if kind in AFTER[:2] else 1)
        secret = bytes.fromhex(revealed.data["secret"])
        opened = fair_draw.committed("ar", mine[-1]["place"], secret).hex()
        assert opened == mine[-1]["commitment"]
        # The player's own verifier takes the death for what it was.
        assert client.nonces is not None
        found = verdict(client.nonces.proof(), [], "ar")
        assert found["problems"] == []
        assert found["yours"] >= 1
    await asyncio.to_thread(running[-1].stop)


async def find(follower: Follower, kind: str) -> Message:
    """An event that the player has seen already, or will."""
    seen = next((each for each in follower.seen if each.type == kind), None)
    return seen if seen is not None else await follower.until(kind)


@pytest.mark.slow
def test_r7_a_player_sees_the_coup_go_on(tmp_path: Path) -> None:
    async def play(starter: Starter) -> None:
        async with asyncio.timeout(120), asyncio.TaskGroup() as tasks:
            for kind in AFTER:
                tasks.create_task(killed_after(starter, tmp_path / f"{kind}.db", kind))

    with Starter() as starter:
        asyncio.run(play(starter))
    for kind in AFTER:
        store = SqliteStore(tmp_path / f"{kind}.db")
        assert verify_table(store, "ar").is_sound
        store.close()
    record(
        "R7",
        "a house killed right after a player saw an event of the coup: he sees the rest, no gap",
        kills=len(AFTER),
        gaps=0,
    )
