"""R17: people are protected, from themselves if they wish, and from whoever finds a post empty."""

from __future__ import annotations

from itertools import pairwise

import pytest

from novamas.house.clock import ManualClock
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.people import decide
from novamas.house.people.events import LimitKind, Post
from novamas.house.people.registry import Registry
from novamas.house.people.state import DAY
from novamas.house.people.transfers import Move, counterparts
from novamas.house.refusals import Problem
from novamas.house.table.croupier import SHORTEST_COUP, Pace
from novamas.rulebooks import HOUSES
from novamas.web.sessions import IDLE, People
from tests.house.croupier.dealt import dealt
from tests.promises.figures import record
from tests.prompt import PromptHouse
from tests.web.door import run

MINUTE = 60_000


class Watch:
    """The seconds that count for idleness, moved together with the house's clock."""

    def __init__(self, clock: ManualClock) -> None:
        self._clock = clock

    def __call__(self) -> float:
        return self._clock.now() / 1000


async def people_on(clock: ManualClock) -> People:
    """People of a house whose clock the test moves."""
    house = PromptHouse(MemoryStore(), clock=clock)
    await house.open()
    registry = Registry(house.store, house.blocking, house.clock)
    await registry.open()
    return People(registry, guest_money=100_000, clock=Watch(clock))


async def known(people: People, name: str, *posts: Post) -> None:
    await people.registry.do(
        lambda r, _: decide.register_person(r, name, posts, by="chief", password="a hash")  # noqa: S106
    )


async def spends(people: People, name: str, amount: int, event: int) -> bool:
    """Whether a player may take so much to a table, with an event of the table's."""
    try:
        await people.registry.do(
            lambda r, now: counterparts(r, "t", [Move(event, amount, name)], now)
        )
    except decide.NoMoneyError:
        return False
    return True


@run
async def test_r17_a_limit_is_lowered_at_once_and_raised_after_a_day() -> None:
    clock = ManualClock()
    people = await people_on(clock)
    _, ana = await people.guest("ana")

    async def limit(amount: int | None) -> None:
        await people.registry.do(
            lambda r, now: decide.set_limit(r, ana.name, LimitKind.SPEND, amount, now=now)
        )

    await limit(1_000)
    assert not await spends(people, "ana", 1_001, 1)
    await limit(50_000)
    waited = 0
    while not await spends(people, "ana", 1_001, waited + 2):
        await clock.advance(60)
        waited += 60
        assert waited <= DAY // 1000 + 60
    assert waited == DAY // 1000
    await limit(2_000)
    assert not await spends(people, "ana", 1_000, 2)
    record("R17", "a higher limit of one's own binds after so many seconds", seconds=waited)


@run
async def test_r17_a_limit_of_time_ends_the_session_that_runs() -> None:
    clock = ManualClock()
    people = await people_on(clock)
    token, ana = await people.guest("ana")
    await clock.advance(20 * 60)
    await people.registry.do(
        lambda r, now: decide.set_limit(r, ana.name, LimitKind.MINUTES, 30, now=now)
    )
    assert people.of(token) is not None
    await clock.advance(10 * 60 - 1)
    assert people.of(token) is not None
    await clock.advance(1)
    assert people.of(token) is None
    ended: list[str] = []
    people.ended.append(lambda _, why: ended.append(why))
    await people.sweep()
    assert ended == ["your own limit of time is reached"]
    # Signing in again gives no new minutes; they come back a day after they were used.
    with pytest.raises(decide.ShutOutError) as shut:
        await people._open("ana", Post.PLAYER)
    assert shut.value.why is Problem.OWN_TIME
    await clock.advance(DAY / 1000 - 30 * 60)
    with pytest.raises(decide.ShutOutError):
        await people._open("ana", Post.PLAYER)
    await clock.advance(60)
    again, _ = await people._open("ana", Post.PLAYER)
    assert people.of(again) is not None
    record("R17", "a player's own minutes in a day, however often they sign in", minutes=30)


@run
async def test_r17_who_shuts_himself_out_is_out_at_once() -> None:
    clock = ManualClock()
    people = await people_on(clock)
    token, ana = await people.guest("ana")
    ended: list[str] = []
    people.ended.append(lambda id, _: ended.append(id))
    until = clock.now() + 30 * DAY
    await people.registry.do(lambda r, now: decide.exclude(r, "ana", until, now=now))
    assert people.of(token) is None
    assert ended == [ana.id]
    assert not people.touch(ana)
    with pytest.raises(decide.ShutOutError):
        await people._open("ana", Post.PLAYER)
    sooner = clock.now() + DAY
    with pytest.raises(decide.RegisterError):
        await people.registry.do(lambda r, now: decide.exclude(r, "ana", sooner, now=now))
    await clock.advance(30 * DAY / 1000)
    await people._open("ana", Post.PLAYER)
    record("R17", "who shuts himself out is signed out in the same commit", commits=1)


@pytest.mark.parametrize("post", [Post.CROUPIER, Post.CHIEF, Post.CASHIER, Post.AUDITOR])
@run
async def test_r17_an_idle_post_is_locked(post: Post) -> None:
    clock = ManualClock()
    people = await people_on(clock)
    await known(people, "gil", post)
    token, gil = await people._open("gil", post)
    for _ in range(5):
        await clock.advance(IDLE - 1)
        assert people.of(token) is not None, "whoever works is not idle"
    await clock.advance(IDLE + 1)
    assert people.of(token) is None
    assert not people.touch(gil)
    ended: list[str] = []
    people.ended.append(lambda _, why: ended.append(why))
    await people.sweep()
    assert ended == ["the post was idle; sign in again"]
    record("R17", f"an idle {post} is signed out", seconds=IDLE)


@run
async def test_r17_a_player_is_not_idle() -> None:
    """A seat is no post: whoever watches the wheel for an hour keeps it."""
    clock = ManualClock()
    people = await people_on(clock)
    token, _ = await people.guest("ana")
    await clock.advance(8 * 60 * 60)
    assert people.of(token) is not None


@pytest.mark.parametrize("house", HOUSES)
@run
async def test_r17_a_coup_is_never_shorter_than_five_seconds(house: str) -> None:
    with pytest.raises(ValueError, match="at least 5"):
        Pace(betting=1, warning=0, launched=1, running=1, falling=0, called=1, paying=0.99)
    quickest = Pace(betting=1, warning=0, launched=1, running=1, falling=0, called=1, paying=1)
    async with dealt(house, pace=quickest) as table:
        await table.seat("ana")
        while table.count("CoupEnded") < 12:
            await table.clock.advance(0.1)
        ends = table.times("CoupEnded")
    shortest = min(after - before for before, after in pairwise(ends))
    assert shortest >= SHORTEST_COUP
    record(
        "R17", f"{house}: the shortest of twelve coups dealt as fast as it may", seconds=shortest
    )
