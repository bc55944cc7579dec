"""R18: a clock that jumps is noticed, and no wait ends sooner because somebody set it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from novamas.house.clock import JUMP, SLOWER, SystemClock
from novamas.house.house import SelfCheckError
from novamas.house.people import decide, events
from novamas.house.people.events import ClockNote, ClockNoted, LimitKind, Post
from novamas.house.people.registry import LOG, decode
from novamas.house.people.state import DAY
from novamas.web import server
from novamas.web.server import LocalHouse, Options
from tests.promises.figures import record

SECOND = 1_000_000_000
NOW = 1_700_000_000 * SECOND
HOUR = 60 * 60 * 1000
YEAR = 365 * DAY


class Machine:
    """A machine whose clock the test sets, and the time that really passes there."""

    def __init__(self, wall: int = NOW) -> None:
        self.wall = wall
        self.elapsed = 5 * SECOND

    def clock(self) -> SystemClock:
        return SystemClock(lambda: self.wall, lambda: self.elapsed)

    def passes(self, milliseconds: int) -> None:
        """Time passes, for both clocks."""
        self.wall += milliseconds * 1_000_000
        self.elapsed += milliseconds * 1_000_000

    def set(self, milliseconds: int) -> None:
        """Somebody sets the clock forward, or back."""
        self.wall += milliseconds * 1_000_000


# The clock itself ---------------------------------------------------------------------------------


@pytest.mark.parametrize("jump", [YEAR, HOUR, 10_000, -10_000, -HOUR, -YEAR])
def test_r18_a_clock_that_jumps_does_not_move_the_house(jump: int) -> None:
    machine = Machine()
    clock = machine.clock()
    before = clock.now()
    machine.set(jump)
    assert clock.now() == before
    assert clock.jumped() == jump
    assert clock.jumped() is None, "it is told once"
    machine.passes(HOUR)
    passed = clock.now() - before
    slower = HOUR // SLOWER if jump < 0 else 0
    assert HOUR - slower - 1 <= passed <= HOUR


def test_r18_the_clock_never_goes_back_and_finds_the_machine_again() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.set(-60_000)
    seen = [clock.now()]
    told = [clock.jumped()]
    for _ in range(2 * 60 * SLOWER):
        machine.passes(1_000)
        seen.append(clock.now())
        told.append(clock.jumped())
    assert seen == sorted(seen)
    assert abs(clock.ahead) <= JUMP
    assert [each for each in told if each is not None] == [-60_000]


def test_r18_small_corrections_are_no_news() -> None:
    machine = Machine()
    clock = machine.clock()
    machine.set(JUMP // 2)
    assert clock.jumped() is None


# A house whose machine's clock is set -------------------------------------------------------------


def opened(
    path: Path,
    machine: Machine,
    test: Callable[[LocalHouse], Coroutine[Any, Any, None]],
    **more: Any,
) -> None:
    """Opens a house with accounts on a machine, and closes it again."""

    async def run() -> None:
        local = LocalHouse(Options(local=False, store=str(path), keys=False, **more))
        clock = machine.clock()
        local.house.clock = local.registry._clock = clock
        try:
            await local.open()
            await test(local)
        finally:
            await local.close()

    asyncio.run(run())


async def settle(local: LocalHouse) -> None:
    """Makes somebody known who shuts themselves out for a day, and others who are signed in."""
    do = local.registry.do
    for name in ("ana", "eva"):
        await do(
            lambda r, _, name=name: decide.register_person(  # type: ignore[misc]
                r,
                name,
                [Post.PLAYER],
                by="chief",
                password="a hash",  # noqa: S106
            )
        )
    await do(lambda r, now: decide.open_session(r, "ana", Post.PLAYER, "s1", now=now))
    await do(lambda r, now: decide.set_limit(r, "ana", LimitKind.SPEND, 100, now=now))
    await do(lambda r, now: decide.set_limit(r, "ana", LimitKind.SPEND, 900, now=now))
    await do(lambda r, now: decide.exclude(r, "eva", now + DAY, now=now))


def stands(local: LocalHouse) -> tuple[bool, int | None, bool]:
    """Whether ana is signed in, which limit binds her, and whether eva is shut out."""
    register, now = local.registry.register, local.registry.now()
    ana, eva = decide.known(register, "ana"), decide.known(register, "eva")
    session = register.sessions.get("s1")
    signed = session is not None and local.people.why_over(session) is None
    return signed, ana.limit(LimitKind.SPEND, now), eva.is_excluded(now)


def noted(local: LocalHouse) -> list[ClockNoted]:
    read = map(decode, local.house.store.read(LOG))
    return [event for event in read if isinstance(event, events.ClockNoted)]


@pytest.mark.parametrize("jump", [YEAR, -YEAR, 2 * DAY, -HOUR])
def test_r18_sessions_waits_and_exclusions_stand_when_the_clock_is_set(
    jump: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(server, "ATTENTION", 0.01)
    machine = Machine()

    async def test(local: LocalHouse) -> None:
        await settle(local)
        assert stands(local) == (True, 100, True)
        with caplog.at_level(logging.WARNING):
            machine.set(jump)
            async with asyncio.timeout(20):
                while not local.registry.register.sessions or not await local.house.blocking(
                    lambda: noted(local)
                ):
                    await asyncio.sleep(0.01)
        assert stands(local) == (True, 100, True)
        assert await local.house.blocking(lambda: noted(local)) == [
            ClockNoted(note=ClockNote.SET, ahead=jump)
        ]
        assert "the clock of the machine" in caplog.text
        machine.passes(DAY + HOUR)
        local.house.clock.now()
        if jump > 0:
            # The day has really passed.
            assert stands(local) == (False, 900, False)

    opened(tmp_path / "house.db", machine, test)
    record("R18", "a clock set while the house is open moves no wait", days=jump / DAY)


@pytest.mark.parametrize("jump", [-HOUR, -YEAR])
def test_r18_a_house_opens_though_its_log_is_of_a_later_time(jump: int, tmp_path: Path) -> None:
    """Otherwise one start with a wrong clock would shut the house for good."""
    machine = Machine()
    opened(tmp_path / "house.db", machine, settle)
    machine.set(jump)

    async def test(local: LocalHouse) -> None:
        assert stands(local) == (True, 100, True)
        (note,) = noted(local)
        assert note.note is ClockNote.BEHIND
        assert abs(note.ahead - jump) < JUMP
        times = [each.at for each in local.house.store.read(LOG)]
        assert times == sorted(times)

    opened(tmp_path / "house.db", machine, test)
    record("R18", "a house opens behind its log, and goes on from it", days=jump / DAY)


def test_r18_after_a_long_rest_somebody_must_say_that_the_clock_is_right(tmp_path: Path) -> None:
    """A clock that is far ahead at the start would end every exclusion."""
    path, machine = tmp_path / "house.db", Machine()
    opened(path, machine, settle)
    machine.set(30 * DAY)

    async def nothing(_: LocalHouse) -> None: ...

    with pytest.raises(SelfCheckError, match="30 days after the newest event") as refused:
        opened(path, machine, nothing)
    assert "--clock-is-right" in refused.value.hint

    async def test(local: LocalHouse) -> None:
        assert [each.note for each in noted(local)] == [ClockNote.CONFIRMED]

    opened(path, machine, test, clock_is_right=True)
    machine.set(6 * DAY)
    opened(path, machine, nothing)
    record("R18", "a clock far ahead at the start: refused until confirmed", days=30)
