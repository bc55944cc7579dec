"""How near a simulation comes to the truth, and the limits that its tests play with."""

from fractions import Fraction
from typing import Any

from novamas.game.limits import Limits

LIMITS = Limits.of({"simple": {"min": 5, "max": 40}})
BOUND = 4
"""Standard errors."""


def near(found: Any, truth: Fraction | float) -> bool:
    """Whether it is within four standard errors of the truth."""
    return bool(abs(found.value - float(truth)) <= BOUND * max(found.error, 1e-12))
