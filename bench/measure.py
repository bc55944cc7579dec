"""The result of a measurement, and the decorator that registers measurements.

A measurement is a function marked with `@benchmark` that returns one or more `Result`s. A ratio
compares two things measured in the same run, so that it means the same on every machine.
"""

import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, kw_only=True)
class Result:
    """A value, its reference value, and the bounds of their ratio."""

    name: str
    value: float
    unit: str
    against: float
    """In the same unit: the reference measurement, or the target."""
    at_most: float | None = None
    at_least: float | None = None

    @property
    def ratio(self) -> float:
        """The value divided by its reference."""
        return self.value / self.against

    @property
    def is_met(self) -> bool:
        """Whether the ratio is within its bounds."""
        too_high = self.at_most is not None and self.ratio > self.at_most
        too_low = self.at_least is not None and self.ratio < self.at_least
        return not (too_high or too_low)

    @property
    def wanted(self) -> str:
        """The bounds of the ratio, in words."""
        high = [f"at most {self.at_most:g}"] if self.at_most is not None else []
        low = [f"at least {self.at_least:g}"] if self.at_least is not None else []
        return " and ".join(low + high)

    def as_json(self) -> dict[str, str | float]:
        """The entry in build/bench.json."""
        numbers = {"value": self.value, "against": self.against, "ratio": self.ratio}
        rounded = {name: float(f"{number:.6g}") for name, number in numbers.items()}
        return {
            "name": self.name,
            "value": rounded["value"],
            "unit": self.unit,
            "against": rounded["against"],
            "ratio": rounded["ratio"],
        }


Benchmark = Callable[[], Sequence[Result]]
BENCHMARKS: list[Benchmark] = []


def benchmark(measure: Benchmark) -> Benchmark:
    """Registers a function as a measurement."""
    BENCHMARKS.append(measure)
    return measure


def seconds(command: Sequence[str]) -> float:
    """How long a command takes, from start to end."""
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def interleaved(one: Sequence[str], other: Sequence[str], *, runs: int) -> tuple[float, float]:
    """The median seconds of two commands run alternately, so that noise affects both alike."""
    seconds(one)
    seconds(other)
    pairs = [(seconds(one), seconds(other)) for _ in range(runs)]
    return median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)
