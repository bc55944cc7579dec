"""R4: any failure can be replayed: a seeded simulation of the house (`tests/simulated_house`).

`make test` runs 160 worlds, `make soak` thousands. What a fix prevents is proved by taking the fix
out: the simulation has to find it again, and needs up to some 40 seeds for it. What shows in one
world of 40 is found among 160 in 98 runs of a hundred, and what shows in one of 80 in 86.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.promises.figures import SOAK, counted, gather, record
from tests.simulated_house.mutations import MUTATIONS
from tests.simulated_house.plan import FAULTS, TROUBLE, plan_of
from tests.simulated_house.shrink import command, listed, shrink, unlisted
from tests.simulated_house.world import run

ROOT = Path(__file__).parents[2]
PARTS = 4
WORLDS = (6_000 if SOAK else 160) // PARTS
"""How many worlds each part runs."""
ENOUGH = 200
"""So many worlds find whatever is found at all."""
REPLAYED = range(1, 13)
REPLAYED_HERE = range(1, 5)
"""Of these the same process plays a second one too, after all the others."""


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_r4_nothing_is_broken_in_any_world(part: int) -> None:
    counts: Counter[str] = Counter()
    seconds = 0.0
    for number in counted("world", WORLDS):
        plan = plan_of(part * WORLDS + number)
        ran = run(plan)
        if ran.violations:
            small = shrink(plan, ran.violations[0].kind, most=100)
            pytest.fail(f"seed {plan.seed}: {ran.violations[0]}\nreplay it: {command(small)}")
        counts += ran.counts
        seconds += ran.seconds
    seen = ("acks", "refusals", "stakes", "balls verified", "seats freed")
    assert all(counts[each] for each in seen)
    gather(
        "R4",
        "seeded worlds of two or three servers, with everybody in them",
        part=part,
        worlds=WORLDS,
        hours_of_their_time=seconds / 3600,
        **{f"faults_{each}": counts[each] for each in FAULTS},
        actions_of_trouble=sum(counts[each] for each in TROUBLE),
        commits_after_which_the_books_agreed=counts["commits"],
        units_moved_and_conserved=counts["units"],
        answers_checked=counts["acks"] + counts["refusals"],
        stakes=counts["stakes"],
        events_with_the_right_to_them=counts["rights"],
        seats_freed_of_whoever_had_gone=counts["seats freed"],
        balls_verified_by_players=counts["balls verified"],
        replays_equal_to_memory=counts["replays"],
        broken=0,
    )


@pytest.mark.slow
def test_r4_a_seed_replays_byte_for_byte() -> None:
    ran = {seed: run(plan_of(seed)) for seed in REPLAYED}
    for seed in REPLAYED_HERE:
        again, first = run(plan_of(seed)), ran[seed]
        assert (again.trace, again.logs) == (first.trace, first.logs), f"seed {seed}"
    # Nor does it matter where in memory things lie, or how Python hashes their names.
    told = subprocess.run(
        [sys.executable, "-m", "tests.simulated_house", "--seeds", listed(REPLAYED), "--hashes"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": "4"},
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for line in told.splitlines():
        number, trace, logs = line.split()
        told_there = ran[int(number)]
        assert (trace, logs) == (told_there.trace, told_there.logs), f"seed {number}"
    assert len(told.splitlines()) == len(REPLAYED)
    record("R4", "a seed played again, in this process and in another", worlds=len(ran), unlike=0)


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTATIONS)
def test_r4_each_fix_that_is_taken_out_is_found(name: str) -> None:
    mutation, kinds = MUTATIONS[name]
    with mutation():
        for seed in itertools.count(1):
            assert seed <= ENOUGH, "the simulation does not find it"
            found = run(plan_of(seed)).violations
            if found and found[0].kind in kinds:
                break
    about = " ".join((mutation.__doc__ or "").split()).rstrip(".")
    record("R4", f"taken out: {about}", seeds_needed=seed, found_as=found[0].kind)


def test_r4_what_fails_is_shrunk_to_one_command() -> None:
    mutation, _ = MUTATIONS["early-answers"]
    with mutation():
        plan = plan_of(1)
        (kind, *_) = {each.kind for each in run(plan).violations}
        small = shrink(plan, kind)
        assert 0 < len(small.actions) < len(plan.actions) / 4
        assert run(small).violations[0].kind == kind
    asked = command(small, without="early-answers").split()[1:]
    replayed = subprocess.run(
        [sys.executable, *asked], cwd=ROOT, check=False, capture_output=True, text=True
    )
    assert replayed.returncode == 1
    assert f"BROKEN {kind}: " in replayed.stdout
    # With the fix in its place the same world is sound.
    assert not run(plan_of(1).only(unlisted(asked[asked.index("--keep") + 1]))).violations
