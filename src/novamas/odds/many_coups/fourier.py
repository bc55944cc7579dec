"""The law of very many coups in floating point, with a bound on its error.

The characteristic function of n coups is known in closed form. If each round ends with result x
after l coups with probability p, then it is C·exp(n·u), where u solves the sum of p·exp(i·t·x −
l·u) = 1; for rounds of one coup this is the plain n-th power. There are other solutions u, but from
some hundred coups on, rounds of one coup outweigh the longer ones so much that these solutions add
less than 0.2 to the n.

The law is the sum of that function over the frequencies t. For large n nearly all of them add
nothing, and a bound on the function's size and slope makes it possible to skip whole intervals;
often only a few dozen remain.

The error has four parts, all included in `precision`: results outside the window (a Chernoff
bound), rounds longer than were followed, frequencies that were skipped, and rounding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import pi
from sys import float_info
from typing import Any, Final, NamedTuple

from novamas.odds.errors import TooLargeError
from novamas.odds.many_coups.renewal import Model, Term
from novamas.odds.numerics import numpy_or_none

EPSILON: Final = float_info.epsilon
UNSEEN: Final = 42.0
"""A probability of exp(−42), 6·10⁻¹⁹, is neglected."""
FEW: Final = 500
"""The most frequencies that are summed one by one; more are summed with NumPy if installed."""
MANY: Final = 150_000
"""The most frequencies with NumPy; without it, an eighth of this."""
STEPWISE: Final = 400
"""The most coups for which rounds of several coups are added up coup by coup."""
NEWTON: Final = 8
"""The most steps of Newton's method; three or four are enough."""
SETTLED: Final = 4 * EPSILON
"""Where the equation is solved to within this, a further step would only move by rounding."""


@dataclass(frozen=True, slots=True)
class Spectrum:
    """A law as frequencies, in a window of places."""

    model: Model
    low: int
    width: int
    at_most: Callable[[int], float]
    """The probability of a place up to this one, within the window."""
    exactly: Callable[[int], float]
    precision: float


def spectrum(model: Model) -> Spectrum:
    """The law of many coups."""
    low, high = _window(model)
    width = high - low + 1
    # NumPy's integers are bounded; a frequency times a place must stay below that bound.
    numpy = numpy_or_none() if width < 2**30 else None
    most = MANY // 8 if numpy is None else MANY
    frequencies = _frequencies(model, width, stop_at=most + 1)
    if len(frequencies) > most:
        problem = f"{model.coups} coups of this layout end in too many different results"
        better = "lay it in a coarser unit" if numpy_or_none() else "install novamas[maths]"
        raise TooLargeError(problem, instead=f"{better}, or simulate it")
    if numpy is None or len(frequencies) <= FEW:
        return _one_by_one(model, low, width, frequencies)
    return _at_once(model, low, width, frequencies, numpy)


# The window ---------------------------------------------------------------------------------------


def _window(model: Model) -> tuple[int, int]:
    """The places between which all but a part of exp(−42) on either side lies."""
    lasting = math.fsum(t.chance * t.coups for t in model.ended)
    slope = math.fsum(t.chance * t.place for t in model.ended) / lasting
    spread = math.fsum(t.chance * (t.place - t.coups * slope) ** 2 for t in model.ended) / lasting
    if not spread:
        place = round(slope * model.coups)
        reach = max((abs(t.place) for t in model.open), default=0)
        return place - reach, place + reach
    scale = math.sqrt(2 * UNSEEN / (spread * model.coups))
    reach = max(abs(t.place) for t in (*model.ended, *model.open))
    tried = [scale * 2**power for power in (-3, -2, -1, -0.5, 0, 0.5, 1, 2)]
    tried = [s for s in tried if s * reach < 300]
    if not tried:
        tried = [1 / reach]
    farthest = float((model.coups + 1) * reach)
    high = min(farthest, *(_bound(model, s) for s in tried))
    low = max(-farthest, *(-_bound(model, -s) for s in tried))
    return math.floor(low), math.ceil(high)


def _bound(model: Model, s: float) -> float:
    """A bound of the results on the side of s: less than exp(−42) lies beyond it."""
    # No term can exceed 1 where their sum is 1: the solution is near that point.
    u = max((s * t.place + math.log(t.chance)) / t.coups for t in model.ended)
    for _ in range(100):
        weights = [t.chance * math.exp(s * t.place - t.coups * u) for t in model.ended]
        slope = math.fsum(w * t.coups for w, t in zip(weights, model.ended, strict=True))
        change = (math.fsum(weights) - 1) / slope
        u += change
        if abs(change) < 1e-14 * max(1.0, abs(u)):
            break
    else:
        return math.inf  # Another s will do.
    # The solution is known to within the last change, which is taken for the worse here.
    u += 2e-14 * max(1.0, abs(u))
    tail = math.fsum(t.chance * math.exp(s * t.place - t.coups * u) for t in model.open)
    return (model.coups * u + math.log(max(tail, 1.0)) + UNSEEN) / abs(s)


# The frequencies that count -----------------------------------------------------------------------


def _frequencies(model: Model, width: int, *, stop_at: int) -> list[int]:
    """The frequencies, in turns through the window, at which the function is not negligible.

    Let h(l) be the part of rounds that last l coups. If the sum of |h(l)|·r^(−l) is at most 1, then
    the function is at most r^n. That sum changes no faster than `steepness`, so the search can skip
    ahead where it is small.
    """
    r = math.exp(-UNSEEN / model.coups)
    by_length: dict[int, list[Term]] = {}
    for term in model.ended:
        by_length.setdefault(term.coups, []).append(term)
    steepness = 0.0
    for length, terms in by_length.items():
        whole = math.fsum(t.chance for t in terms)
        centre = math.fsum(t.chance * t.place for t in terms) / whole
        steepness += r**-length * math.fsum(t.chance * abs(t.place - centre) for t in terms)
    # The terms of each length, the shortest first, and how much all longer ones add at most.
    parts: list[tuple[list[tuple[float, int]], float]] = []
    rest = 0.0
    for length, terms in sorted(by_length.items(), reverse=True):
        part = [(t.chance * r**-length, t.place) for t in terms]
        parts.insert(0, (part, rest))
        rest += math.fsum(weight for weight, _ in part)
    found: list[int] = []
    turn = 2 * pi / width
    cos, sin = math.cos, math.sin
    # A margin for rounding: one frequency too many is better than one too few.
    enough = 1 - 1e-13
    j = 1
    while j <= width // 2 and len(found) < stop_at:
        size = 0.0
        for part, rest in parts:
            real = imag = 0.0
            for chance, place in part:
                angle = turn * (j * place % width)
                real += chance * cos(angle)
                imag += chance * sin(angle)
            size += math.hypot(real, imag)
            # Long rounds are rare: mostly a few short ones already decide.
            if size > enough or size + rest <= enough:
                break
        if size > enough:
            found.append(j)
            j += 1
        else:
            leap = (1 - size - rest) / (steepness * turn) if steepness else width
            j += int(leap) + 1
    return found


# The function -------------------------------------------------------------------------------------


class _Value(NamedTuple):
    """The function at some frequencies, and a bound on its rounding error."""

    real: Any
    imag: Any
    doubt: Any


def _function(model: Model, j: Any, width: int, m: Any) -> _Value:
    """The characteristic function at a frequency (m: math) or at many at once (m: NumPy)."""
    turn = 2 * pi / width
    angles = [turn * (j * (t.place % width) % width) for t in model.ended]
    if not model.is_single and model.coups <= STEPWISE:
        return _stepwise(model, angles, j, width, m)
    # The first guess treats every round as one coup long; for such rounds it is the answer.
    nothing = 0 * angles[0]
    real, imag, down, across, moved = _sums(model.ended, angles, (nothing, nothing), m)
    u = (m.log1p(2 * real + real * real + imag * imag) / 2, m.atan2(imag, 1 + real))
    for _ in range(NEWTON):
        real, imag, down, across, moved = _sums(model.ended, angles, u, m)
        if model.is_single:
            break
        size = down * down + across * across
        u = (
            u[0] + (real * down + imag * across) / size,
            u[1] + (imag * down - real * across) / size,
        )
        left = real * real + imag * imag
        if (left if m is math else m.max(left)) < SETTLED**2:
            break
    more, beside = _tail(model, j, width, u, m)
    size = down * down + across * across
    scale = ((more * down + beside * across) / size, (beside * down - more * across) / size)
    grown = m.exp(model.coups * u[0])
    phase = model.coups * u[1]
    wave = (grown * m.cos(phase), grown * m.sin(phase))
    doubt = EPSILON * (
        4 * model.coups * moved + 2 * model.coups * m.hypot(u[0], u[1]) + 8 * len(model.ended)
    )
    if not model.is_single:
        # The error after a step of Newton's method is of the order of that step squared.
        doubt = doubt + 40 * model.coups * (real * real + imag * imag)
    return _Value(
        scale[0] * wave[0] - scale[1] * wave[1], scale[0] * wave[1] + scale[1] * wave[0], doubt
    )


class _Sums(NamedTuple):
    real: Any
    imag: Any
    """The sum of p·(exp(i·a − l·u) − 1), kept free of cancellation."""
    down: Any
    across: Any
    """The sum of p·l·exp(i·a − l·u), by which Newton's method divides."""
    moved: Any
    """The sum of the absolute terms of the first, for the bound on rounding."""


def _sums(terms: Sequence[Term], angles: Sequence[Any], u: Any, m: Any) -> _Sums:
    real = imag = down = across = moved = 0.0
    cos, sin, expm1, hypot = m.cos, m.sin, m.expm1, m.hypot
    for (chance, _, coups), angle in zip(terms, angles, strict=True):
        grown = expm1(-coups * u[0])
        turned = angle - coups * u[1]
        half = sin(turned / 2)
        wave = cos(turned)
        less = grown * wave - 2 * half * half
        side = (1 + grown) * sin(turned)
        real = real + chance * less
        imag = imag + chance * side
        down = down + chance * coups * (1 + less)
        across = across + chance * coups * side
        moved = moved + chance * hypot(less, side)
    return _Sums(real, imag, down, across, moved)


def _tail(model: Model, j: Any, width: int, u: Any, m: Any) -> tuple[Any, Any]:
    """The sum of p·exp(i·a − k·u) over the rounds that are open at the end."""
    turn = 2 * pi / width
    real = imag = 0.0
    for term in model.open:
        size = term.chance * m.exp(-term.coups * u[0])
        angle = turn * (j * (term.place % width) % width) - term.coups * u[1]
        real = real + size * m.cos(angle)
        imag = imag + size * m.sin(angle)
    return real, imag


def _stepwise(model: Model, angles: Sequence[Any], j: Any, width: int, m: Any) -> _Value:
    """The same for few coups: computes what ends with each coup from what ended before it."""
    turn = 2 * pi / width
    longest = max(t.coups for t in model.ended)
    parts: list[Any] = [0j] * (longest + 1)
    for term, angle in zip(model.ended, angles, strict=True):
        wave = m.cos(angle) + 1j * m.sin(angle)
        parts[term.coups] = parts[term.coups] + term.chance * wave
    at: list[Any] = [1 + 0 * parts[1]]
    for coup in range(1, model.coups + 1):
        reach = min(coup, longest)
        at.append(sum((parts[k] * at[coup - k] for k in range(1, reach + 1)), 0j))
    value: Any = 0j
    for term in model.open:
        if term.coups <= model.coups:
            angle = turn * (j * (term.place % width) % width)
            wave = m.cos(angle) + 1j * m.sin(angle)
            value = value + term.chance * wave * at[model.coups - term.coups]
    return _Value(value.real, value.imag, 4 * EPSILON * (model.coups + 8) * longest)


# From the function back to the law ----------------------------------------------------------------


def _precision(model: Model, width: int, doubt: float) -> float:
    """The bound on the error of a probability, from the bound on rounding."""
    # Skipped frequencies are below exp(−42) each and enter with weights 1/j.
    skipped = math.exp(-UNSEEN) * (2 + math.log(width))
    return model.cut + 2 * math.exp(-UNSEEN) + skipped + doubt + 4 * EPSILON


def _one_by_one(model: Model, low: int, width: int, frequencies: Sequence[int]) -> Spectrum:
    """The law as a sum over few frequencies."""
    half = pi / width
    waves = [
        (j, 1 if 2 * j == width else 2, *_function(model, j, width, math)) for j in frequencies
    ]
    doubt = math.fsum(
        math.hypot(real, imag) * (unsure + 8 * EPSILON) * 2 / (width * math.sin(half * j))
        for j, _, real, imag, unsure in waves
    )

    def exactly(place: int) -> float:
        if not low <= place < low + width:
            return 0.0
        parts = [1.0]
        for j, twice, real, imag, _ in waves:
            angle = 2 * half * (j * place % width)
            parts.append(twice * (real * math.cos(angle) + imag * math.sin(angle)))
        return max(0.0, math.fsum(parts) / width)

    def at_most(place: int) -> float:
        if not low <= place < low + width - 1:
            return float(place >= low)
        count = place - low + 1
        parts = [float(count)]
        for j, twice, real, imag, _ in waves:
            # The sum of exp(−i·t·y) for y from low to place, as a ratio of sines.
            ratio = math.sin(half * (j * count % (2 * width))) / math.sin(half * j)
            angle = half * (j * (low + place) % (2 * width))
            parts.append(twice * ratio * (real * math.cos(angle) + imag * math.sin(angle)))
        return min(1.0, max(0.0, math.fsum(parts) / width))

    return Spectrum(model, low, width, at_most, exactly, _precision(model, width, doubt))


def _at_once(
    model: Model, low: int, width: int, frequencies: Sequence[int], numpy: Any
) -> Spectrum:
    """The same sum over many frequencies, in NumPy's arrays."""
    half = pi / width
    j = numpy.array(frequencies, dtype=numpy.int64)
    twice = numpy.where(2 * j == width, 1.0, 2.0)
    real, imag, unsure = _function(model, j, width, numpy)
    ratio = 1 / numpy.sin(half * j)
    doubt = float(numpy.sum(numpy.hypot(real, imag) * (unsure + 8 * EPSILON) * 2 * ratio) / width)
    real, imag = twice * real, twice * imag

    def exactly(place: int) -> float:
        if not low <= place < low + width:
            return 0.0
        angle = 2 * half * (j * (place % width) % width)
        total = 1 + numpy.sum(real * numpy.cos(angle) + imag * numpy.sin(angle))
        return max(0.0, float(total) / width)

    def at_most(place: int) -> float:
        if not low <= place < low + width - 1:
            return float(place >= low)
        count = place - low + 1
        around = numpy.sin(half * (j * count % (2 * width))) * ratio
        angle = half * (j * ((low + place) % (2 * width)) % (2 * width))
        total = count + numpy.sum(around * (real * numpy.cos(angle) + imag * numpy.sin(angle)))
        return min(1.0, max(0.0, float(total) / width))

    return Spectrum(model, low, width, at_most, exactly, _precision(model, width, doubt))
