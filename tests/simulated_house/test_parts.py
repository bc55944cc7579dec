"""The parts of a simulated world do what they say."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from novamas.house.log.codec import Encoded
from novamas.house.log.hash_chain import link
from novamas.house.log.store import GENESIS, Batch, Lease, LeaseLostError, StoreError
from tests.simulated_house.chance import chance_of
from tests.simulated_house.invariants import BrokenError
from tests.simulated_house.loop import SimulatedLoop, StuckError, Thread
from tests.simulated_house.plan import FAULTS, PLAYS, TROUBLE, plan_of
from tests.simulated_house.scene import lived
from tests.simulated_house.shrink import shrink
from tests.simulated_house.store import Connection, Medium
from tests.simulated_house.world import Ran

SOURCES = Path(__file__).parents[2] / "src" / "novamas"


def test_time_jumps_and_nobody_waits() -> None:
    async def scene(loop: SimulatedLoop) -> None:
        await asyncio.sleep(3600)
        assert loop.time() == 3600

    lived(scene)


def test_one_process_keeps_its_order_and_two_do_not() -> None:
    seen: list[list[str]] = []

    async def scene(loop: SimulatedLoop) -> None:
        said: list[str] = []
        seen.append(said)

        async def say(name: str) -> None:
            for number in range(20):
                said.append(f"{name}{number}")
                await asyncio.sleep(0)

        await asyncio.gather(*(loop.start(loop.process(name), say(name)) for name in "ab"))

    for seed in range(10):
        lived(scene, seed=seed)
    for said in seen:
        for name in "ab":
            own = [each for each in said if each[0] == name]
            assert own == [f"{name}{number}" for number in range(20)]
    assert len({tuple(said) for said in seen}) > 1


def test_who_is_paused_goes_on_later_and_who_is_killed_does_not() -> None:
    async def scene(loop: SimulatedLoop) -> None:
        done: dict[str, float] = {}

        async def work(name: str) -> None:
            await asyncio.sleep(1)
            done[name] = loop.time()

        paused, killed = loop.process("paused"), loop.process("killed")
        paused.is_paused = True
        loop.start(paused, work("paused"))
        loop.start(killed, work("killed"))
        await asyncio.sleep(0.5)
        loop.kill(killed)
        await asyncio.sleep(4.5)
        paused.is_paused = False
        await asyncio.sleep(5)
        assert done == {"paused": pytest.approx(6.0)}
        loop.end([killed])
        killed.remains[0].cancel()
        await asyncio.sleep(0)

    lived(scene)


def test_a_world_in_which_nothing_can_go_on_is_stuck() -> None:
    async def scene(_: SimulatedLoop) -> None:
        await asyncio.Event().wait()

    loop = SimulatedLoop(chance_of(1, "order"))
    task = loop.create_task(scene(loop))
    with pytest.raises(StuckError):
        loop.run_until_complete(task)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        loop.run_until_complete(task)
    loop.close()


def test_the_work_of_one_thread_is_done_in_order() -> None:
    async def scene(loop: SimulatedLoop) -> None:
        chance = chance_of(3, "disk")
        done: list[int] = []
        loop.takes = lambda _: chance.random()
        thread = Thread()
        work = [loop.run_in_executor(thread, done.append, number) for number in range(10)]
        await asyncio.gather(*work)
        assert done == list(range(10))

    lived(scene)


def test_between_two_questions_others_write_but_not_within_a_moment() -> None:
    async def scene(loop: SimulatedLoop) -> None:
        medium = Medium(loop, chance_of(1, "medium"))
        one, other = Connection(medium, "one"), Connection(medium, "other")
        loop.suspends = lambda process: process.name == "one"
        heads: list[tuple[int, int]] = []

        def twice() -> None:
            heads.append((one.head("t").seq, one.head("t").seq))

        def at_one_moment() -> None:
            with one.moment():
                twice()

        async def read(work: Callable[[], None]) -> None:
            for _ in range(40):
                await loop.run_in_executor(None, work)

        async def write() -> None:
            while True:
                head = medium.head("t")
                event = Encoded("BallLaunched", 1, b"{}")
                record = link("t", head.seq + 1, 1, event, None, head.hash)
                other.append(Batch("t", head.seq, (record,), (), ()))
                await asyncio.sleep(0.005)

        writing = loop.start(loop.process("other"), write())
        reader = loop.process("one")
        await loop.start(reader, read(twice))
        assert any(first != second for first, second in heads)
        heads.clear()
        await loop.start(reader, read(at_one_moment))
        assert len(heads) == 40
        assert all(first == second for first, second in heads)
        writing.cancel()

    lived(scene)


def test_the_medium_fences_off_whoever_has_lost_a_lease() -> None:
    async def scene(loop: SimulatedLoop) -> None:
        medium = Medium(loop, chance_of(1, "medium"))
        one, other = Connection(medium, "one"), Connection(medium, "other")
        assert one.take_lease("t", Lease("one", ""), seconds=3)
        assert not other.take_lease("t", Lease("other", ""), seconds=3)
        await asyncio.sleep(2)
        assert one.renew_leases(seconds=3) == set()
        await asyncio.sleep(3.5)
        assert other.take_lease("t", Lease("other", ""), seconds=3)
        record = link("t", 1, 1, Encoded("BallLaunched", 1, b"{}"), None, GENESIS)
        batch = Batch("t", 0, (record,), (), ())
        with pytest.raises(LeaseLostError):
            one.append(batch)
        assert medium.head("t").seq == 0
        assert one.renew_leases(seconds=3) == set()
        other.torn = ["before", "after"]
        with pytest.raises(StoreError):
            other.append(batch)
        assert medium.head("t").seq == 0
        with pytest.raises(StoreError):
            other.append(batch)
        assert medium.head("t").seq == 1

    lived(scene)


def test_what_fails_is_shrunk_to_what_it_takes() -> None:
    plan = plan_of(3)
    wanted = {plan.actions[2].number, plan.actions[-1].number}

    def run(smaller: Any) -> Ran:
        numbers = {action.number for action in smaller.actions}
        broken = [BrokenError("money", "made")] if wanted <= numbers else []
        return Ran(smaller.seed, broken, "", "")

    assert {action.number for action in shrink(plan, "money", run=run).actions} == wanted


def test_every_kind_of_trouble_comes_up() -> None:
    planned = {action.do for seed in range(60) for action in plan_of(seed).actions}
    assert planned == {*PLAYS, *TROUBLE, *FAULTS}


MACHINES_OWN = re.compile(
    r"\btime\.(monotonic|time|time_ns|sleep)\b|\burandom\b|\buuid4\b|datetime\.now|^import random",
    re.MULTILINE,
)
ALLOWED = {
    "house/clock.py": "It is where time is read.",
    "house/log/stores/sqlite.py": "How long the check at the door may take moves nothing.",
}


def test_time_and_chance_are_read_where_a_simulation_can_give_them() -> None:
    found = {
        str(path.relative_to(SOURCES))
        for folder in ("house", "table", "web")
        for path in (SOURCES / folder).rglob("*.py")
        if MACHINES_OWN.search(path.read_text("utf-8"))
    }
    assert found == set(ALLOWED)
