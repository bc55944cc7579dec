"""F6: a broken source stops its table, by a monitor that is valid at any time."""

import asyncio
import copy
import hashlib
import itertools
import math
import random
from collections.abc import Callable

import pytest

from novamas.game.rulebook.behaviours import Act
from novamas.game.wheel import EUROPEAN, RED
from novamas.house import ledger
from novamas.house.ball.fair_draw import SystemEntropy, draw
from novamas.house.ball.health import ALARM, Monitor
from novamas.house.ball.seeds import SAMPLES
from novamas.house.log.verify import verify_table
from novamas.house.refusals import HouseRefusalReason
from novamas.house.table.commands import CommitNonce
from novamas.house.table.croupier import AutomaticCroupier
from novamas.table import commands
from novamas.table.identity import MANAGEMENT
from novamas.table.state import BETTING
from tests.promises.drawing import some_numbers
from tests.promises.drawn import DrawnTable, drawn_table
from tests.promises.figures import record

POCKETS = len(EUROPEAN)
TABLE = "t"
AT_THE_DOOR = 2
"""How many secrets the house looks at before it opens."""
WITHIN = 1_000
EVERY_WHEEL = [POCKETS, 38, 39]

# The numbers are broken ---------------------------------------------------------------------------


class Wanting:
    """Honest-looking secrets, picked until they draw the number that is wanted of a spin."""

    def __init__(self, wanted: Callable[[int], int]) -> None:
        self._wanted = wanted
        self._given = 0

    def secret(self) -> bytes:
        self._given += 1
        spin = self._given - AT_THE_DOOR
        while True:
            secret = SystemEntropy().secret()
            if spin < 1 or draw(TABLE, spin, secret, {}, pockets=POCKETS) == self._wanted(spin):
                return secret


def leaning(share: float, numbers: set[int], seed: int) -> Callable[[int], int]:
    """One of the numbers with a chance of its own, else any of the others."""
    source = random.Random(seed)  # noqa: S311 - A source that is to be caught.
    others = sorted(set(range(POCKETS)) - numbers)
    wanted: dict[int, int] = {}

    def number(spin: int) -> int:
        if spin not in wanted:
            lean = source.random() < share
            wanted[spin] = source.choice(sorted(numbers) if lean else others)
        return wanted[spin]

    return number


BROKEN_NUMBERS: dict[str, Callable[[int], int]] = {
    "numbers stuck at 17": lambda _: 17,
    "numbers that go in a circle of three": lambda spin: (4, 17, 32)[spin % 3],
    "numbers that go round the wheel": lambda spin: spin * 10 % POCKETS,
    "numbers of which every sixth is 17": leaning(1 / 6, {17}, 1),
    "numbers of which three in four are red": leaning(3 / 4, {int(number) for number in RED}, 2),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN_NUMBERS)
def test_f6_broken_numbers_stop_the_table(name: str) -> None:
    spins = asyncio.run(stopped_after(Wanting(BROKEN_NUMBERS[name])))
    assert spins <= WITHIN
    record("F6", f"{name}: the table stops", coups=spins)


# The secrets are broken ---------------------------------------------------------------------------


class After:
    """A source that is sound at the door and for some coups, and then breaks."""

    def __init__(self, broken: Callable[[int], bytes], sound: int = 20) -> None:
        self._broken = broken
        self._sound = AT_THE_DOOR + sound
        self._given = itertools.count()

    def secret(self) -> bytes:
        given = next(self._given)
        return SystemEntropy().secret() if given < self._sound else self._broken(given)


def of_few(states: int) -> Callable[[int], bytes]:
    """Secrets of which there are only so many."""
    source = random.Random(3)  # noqa: S311 - A source that is to be caught.
    return lambda _: hashlib.sha256(str(source.randrange(states)).encode()).digest()


BROKEN_SECRETS: dict[str, Callable[[int], bytes]] = {
    "a secret that stays the same": lambda _: bytes(range(32)),
    "secrets that go in a circle of 300": lambda n: hashlib.sha256(str(n % 300).encode()).digest(),
    "secrets of a source with 65,536 states": of_few(65_536),
    "secrets that count": lambda n: n.to_bytes(32, "big"),
    "secrets of bytes below 128": lambda _: bytes(b & 127 for b in SystemEntropy().secret()),
    "secrets of which two bytes are empty": lambda _: SystemEntropy().secret()[:30] + bytes(2),
    "secrets that are too short": lambda _: SystemEntropy().secret()[:31],
}
"""Behind HMAC such sources draw numbers that look like any others."""


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN_SECRETS)
def test_f6_broken_secrets_stop_the_table(name: str) -> None:
    spins = asyncio.run(stopped_after(After(BROKEN_SECRETS[name])))
    assert spins <= WITHIN
    record("F6", f"{name}: the table stops", coups=spins - 20)


@pytest.mark.parametrize("name", BROKEN_SECRETS)
def test_f6_a_broken_source_is_found_before_its_chain_is_committed(name: str) -> None:
    """A chain lasts long, and shows nothing of its source: so more of it is looked at before."""
    sound = 2 * (SAMPLES + 1)
    entropy = After(BROKEN_SECRETS[name], sound)
    spins = asyncio.run(stopped_after(entropy, length=3, samples=SAMPLES))
    assert spins <= 12, "the two sound chains, and two more at most"
    record("F6", f"{name}: no chain is committed", chains_before_it_is_found=spins // 3 - 2)


async def stopped_after(entropy: Wanting | After, *, length: int = 1, samples: int = 0) -> int:
    """Plays until the table is stopped, with how many coups that took; then looks around."""
    # Chains of one: the source is asked for every coup.
    async with drawn_table(entropy, name=TABLE, length=length, samples=samples) as table:
        await table.seat("ana", 100_000)
        state = table.actor.house_table.state
        while table.actor.house_table.stopped is None and state.spins < WITHIN:
            if not any(stake.player == "ana" for stake in state.stakes.values()):
                await table.stake("ana", "20", 10)
            await table.close()
            await table.draw()
            await table.settle()
        spins = state.spins
        assert table.actor.house_table.stopped is not None, f"not stopped after {spins} coups"
        await look_around(table)
        return spins


async def look_around(table: DrawnTable) -> None:
    """A stopped table plays on with nobody, and keeps nothing that is not its own."""
    house_table, state = table.actor.house_table, table.actor.house_table.state
    assert state.phase in BETTING, "the last coup was settled with its ball"
    refused = [
        commands.PlaceStake(by="ana", id="late", player="ana", on="17", amount=10),
        commands.LaunchBall(by=table.who(Act.LAUNCH_BALL)),
        commands.OpenTable(by=MANAGEMENT),
        commands.Sit(by="luis"),
        CommitNonce(by="ana", commitment="00" * 32, hash="00" * 32),
    ]
    for command in refused:
        answer = await table.ask(command)
        assert answer.refusal is not None
        assert answer.refusal.why is HouseRefusalReason.TABLE_WAS_STOPPED
        assert answer.refusal.detail == house_table.stopped
    assert house_table.commitment is None, "no ball is committed that will never fall"
    for stake in [stake.id for stake in state.stakes.values()]:
        await table.give(commands.WithdrawStake(by="ana", id=stake))
    await table.give(commands.Leave(by="ana"))
    ledger.check(house_table, table.actor.balances)
    assert not state.players
    await table.give(commands.CloseTable(by=MANAGEMENT))
    verdict = verify_table(table.house.store, TABLE)
    assert verdict.is_sound, verdict.problems
    assert verdict.open == 0
    types = [record.type for record in table.house.store.read(TABLE)]
    assert types.count("TableStopped") == 1


def test_f6_the_automatic_croupier_settles_the_last_coup_and_deals_no_more() -> None:
    async def play() -> None:
        async with drawn_table(Wanting(lambda _: 17), name=TABLE, length=1) as table:
            croupier = AutomaticCroupier(table.actor)
            await table.seat("ana", 1_000)
            await table.stake("ana", "17", 10)
            croupier.start()
            state, clock = table.actor.house_table.state, table.clock
            for _ in range(2_000):
                await clock.advance(1.0)
                if table.actor.house_table.stopped is not None and state.phase in BETTING:
                    break
            spins, purse = state.spins, state.players["ana"].purse
            assert purse > 1_000, "the ball that stopped the table was paid too"
            await clock.advance(600)
            assert (state.spins, state.players["ana"].purse) == (spins, purse)
            await croupier.stop()

    asyncio.run(play())


# The monitor is just ------------------------------------------------------------------------------


@pytest.mark.parametrize("pockets", EVERY_WHEEL)
def test_f6_no_bettor_can_expect_to_gain_against_an_honest_ball(pockets: int) -> None:
    """Whatever was seen, the stakes of each bettor are a fair game: so Ville's bound holds."""
    source = random.Random(5)  # noqa: S311 - Any history will do.
    monitor = Monitor(pockets)
    for history in ([], [17] * 50, [source.randrange(pockets) for _ in range(500)]):
        for number in history:
            monitor.see(number)
            monitor.see_secret(source.randbytes(32))
        followers = (*monitor._after[:5], monitor._after[17], monitor._after[-1])
        for bettor in (monitor._often, *followers, monitor._bytes):
            outcomes = len(bettor._seen)
            assert outcomes == (256 if bettor is monitor._bytes else pockets)
            means = [math.exp(copy.deepcopy(bettor).gain(n)) / outcomes for n in range(outcomes)]
            assert math.fsum(means) == pytest.approx(1, abs=1e-12)
    assert Monitor(pockets).log_wealth == 0
    assert ALARM == 1e9


@pytest.mark.parametrize("pockets", EVERY_WHEEL)
def test_f6_a_ball_that_favours_the_last_pocket_is_found(pockets: int) -> None:
    """The pocket with the highest index counts too: 00 or 000 where the wheel has it."""
    source = random.Random(7)  # noqa: S311 - A source that is to be caught.
    monitor = Monitor(pockets)
    alarms = [
        monitor.see(pockets - 1 if source.random() < 0.25 else source.randrange(pockets))
        for _ in range(WITHIN)
    ]
    assert any(alarms)


@pytest.mark.slow
def test_f6_wealth_of_ten_comes_to_few_who_watch_an_honest_ball() -> None:
    """Ville's bound at ten: at most one watcher in ten ever sees the wealth reach it."""
    source = random.Random(6)  # noqa: S311 - Good enough to show a bound.
    rich = 0
    watchers = 1_000
    for _ in range(watchers):
        monitor = Monitor(POCKETS)
        for _ in range(100):
            monitor.see(source.randrange(POCKETS))
            monitor.see_secret(source.randbytes(32))
            if monitor.log_wealth >= math.log(10):
                rich += 1
                break
    assert rich <= watchers / 10 + 3 * math.sqrt(watchers * 0.09)
    record("F6", "watchers of an honest ball who see a wealth of ten", of=watchers, seen=rich)


@pytest.mark.slow
def test_f6_an_honest_ball_is_not_stopped() -> None:
    entropy = SystemEntropy()
    monitor = Monitor(POCKETS)
    highest = 0.0
    numbers = some_numbers(1, 1_000_000, {}, POCKETS)
    for place, number in enumerate(numbers):
        assert monitor.see(number) is None
        if place % 32 == 0:
            assert monitor.see_secret(entropy.secret()) is None
            highest = max(highest, monitor.log_wealth)
    assert monitor.seen == 1_000_000
    record(
        "F6",
        "an honest ball is not stopped; false alarms, ever: less than 1 in 1e+09 (Ville)",
        numbers=len(numbers),
        highest_wealth=round(math.exp(highest), 3),
        alarm_at=ALARM,
    )
