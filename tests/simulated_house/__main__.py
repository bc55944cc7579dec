"""Runs simulated houses.

python -m tests.simulated_house --seed 7                    one world, told step by step
python -m tests.simulated_house --seed 7 --keep 3,9-12      the same with some of its actions
python -m tests.simulated_house --seeds 1-1000              many; the first that fails is shrunk
"""

from __future__ import annotations

import argparse
import contextlib
import sys

from tests.simulated_house.mutations import MUTATIONS
from tests.simulated_house.plan import Plan, plan_of
from tests.simulated_house.shrink import command, shrink, unlisted
from tests.simulated_house.world import run


def main() -> int:
    """Runs what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulated_house")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--seed", type=int, help="run one world and tell all that happens")
    which.add_argument("--seeds", help="run many worlds, as in 1-1000")
    parser.add_argument("--keep", help="the numbers of the actions to keep, as in 3,9-12")
    parser.add_argument("--steps", type=int, default=60, help="how many of the last steps to show")
    parser.add_argument("--without", choices=MUTATIONS, help="take a fix out first")
    parser.add_argument("--hashes", action="store_true", help="tell what each world came to")
    options = parser.parse_args()
    with contextlib.ExitStack() as stack:
        if options.without is not None:
            mutation, _ = MUTATIONS[options.without]
            stack.enter_context(mutation())
        return go(options)


def go(options: argparse.Namespace) -> int:
    """Runs one world, or many."""
    if options.seed is not None:
        plan = plan_of(options.seed)
        return tell(plan.only(unlisted(options.keep)) if options.keep else plan, options.steps)
    if options.hashes:
        return hashes(sorted(unlisted(options.seeds)))
    return many(sorted(unlisted(options.seeds)), options.without)


def tell(plan: Plan, steps: int) -> int:
    """Runs one world, and tells what happened."""
    print(f"{len(plan.servers)} servers, {', '.join(plan.players)}; tables: {plan.tables}")
    for action in plan.actions:
        print(f"  {action}")
    ran = run(plan, keeps_notes=True)
    print(f"the last steps of {len(ran.notes)}, with the seconds since the world began:")
    for note in ran.notes[-steps:]:
        print(f"  {note}")
    print(f"trace {ran.trace[:16]}, logs {ran.logs[:16]}, {ran.seconds:.0f} s of the world's time")
    for violation in ran.violations:
        print(f"BROKEN {violation}")
    return bool(ran.violations)


def hashes(seeds: list[int]) -> int:
    """Tells of many worlds what they came to, to be compared with another run."""
    for seed in seeds:
        ran = run(plan_of(seed))
        print(seed, ran.trace, ran.logs)
    return 0


def many(seeds: list[int], without: str | None) -> int:
    """Runs many worlds; the first that fails is shrunk and printed as one command."""
    for seed in seeds:
        plan = plan_of(seed)
        ran = run(plan)
        if ran.violations:
            print(f"seed {seed}: BROKEN {ran.violations[0]}")
            small = shrink(plan, ran.violations[0].kind)
            print(f"{len(small.actions)} of {len(plan.actions)} actions are enough:")
            print(f"    {command(small, without=without)}")
            return 1
    print(f"{len(seeds)} worlds: nothing broken")
    return 0


if __name__ == "__main__":
    sys.exit(main())
