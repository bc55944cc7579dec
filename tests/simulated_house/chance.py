"""Chance: every part of a world has a stream of its own, and all of them come from the seed."""

from __future__ import annotations

from random import Random


def chance_of(seed: int, part: str) -> Random:
    """The chance of one part of a world: what another part draws does not move it.

    >>> chance_of(7, "disk").random() == chance_of(7, "disk").random()
    True
    """
    return Random(f"{part} {seed}")  # noqa: S311 - what happens in a simulation is no secret
