"""Shrinks a failing world: the fewest actions that still break the same thing (delta debugging)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tests.simulated_house.plan import Plan
from tests.simulated_house.world import Ran, run

MOST = 400
"""How many worlds are run for it at most."""


def shrink(plan: Plan, kind: str, *, run: Callable[[Plan], Ran] = run, most: int = MOST) -> Plan:
    """The plan with as few actions as it takes to break the same thing."""
    runs = 0

    def fails(numbers: Sequence[int]) -> bool:
        nonlocal runs
        runs += 1
        found = run(plan.only(numbers)).violations
        return bool(found) and found[0].kind == kind

    kept = [action.number for action in plan.actions]
    parts = 2
    while len(kept) > 1 and runs < most:
        size = -(-len(kept) // parts)
        for start in range(0, len(kept), size):
            fewer = kept[:start] + kept[start + size :]
            if fails(fewer):
                kept, parts = fewer, max(parts - 1, 2)
                break
        else:
            if size == 1:
                break
            parts = min(2 * parts, len(kept))
    if kept and fails([]):
        kept = []
    return plan.only(kept)


def listed(numbers: Iterable[int]) -> str:
    """Numbers as they are typed.

    >>> listed([1, 2, 3, 7])
    '1-3,7'
    """
    ranges: list[list[int]] = []
    for number in sorted(numbers):
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ",".join(f"{a}-{b}" if a != b else f"{a}" for a, b in ranges)


def unlisted(text: str) -> set[int]:
    """The same, read again.

    >>> sorted(unlisted("1-3,7")), unlisted("none")
    ([1, 2, 3, 7], set())
    """
    found: set[int] = set()
    for part in text.split(",") if text != "none" else ():
        first, _, last = part.partition("-")
        found.update(range(int(first), int(last or first) + 1))
    return found


def command(plan: Plan, *, without: str | None = None) -> str:
    """The one command that plays a world again."""
    kept = listed(action.number for action in plan.actions) or "none"
    mutated = f" --without {without}" if without else ""
    return f"python -m tests.simulated_house --seed {plan.seed} --keep {kept}{mutated}"
