"""Follows a play coup by coup: in whole numbers, or in floating point with an error bound."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeAlias

from novamas.odds.errors import TooLargeError
from novamas.odds.numerics import numpy_or_none
from novamas.odds.player import ENDS, At, Game

Chance: TypeAlias = Fraction | float

MOST_STATES: Final = 60_000
WORK: Final = 3_000_000
"""The most paths before a play counts as too large."""
QUICK: Final = WORK // 8
"""The most paths times digits, where exact numbers were not requested."""
STATES_AT_ONCE: Final = 150_000
WORK_AT_ONCE: Final = 500_000_000
"""The most paths where NumPy follows them all at once."""
UNSEEN: Final = 1e-16
"""In the one-by-one method, a less likely state is dropped and counted in the precision."""


class Followed(NamedTuple):
    """The state of a play after a number of coups."""

    ends: tuple[Chance, ...]
    playing: Chance
    duration: Chance
    turnover: Chance
    purse: Chance
    purses: dict[int, Chance]
    """The purse, including what is in prison → its probability."""
    states: int
    precision: float


def follow(
    game: Game, start: At, coups: int, *, exact: bool | None, effort: float = 1.0
) -> Followed:
    """Follows a play for a number of coups: exactly if that is quick or requested.

    `effort` is the part of the usual work after which it counts as too large.
    """
    if exact or exact is None:
        try:
            work = int(effort * (WORK if exact else QUICK))
            return _followed(game, start, coups, one=1, work=work)
        except TooLargeError:
            if exact:
                raise
    numpy = numpy_or_none()
    if numpy is not None:
        try:
            return _at_once(game, start, coups, numpy, effort)
        except TooLargeError:
            pass  # One by one, states that hardly count can be dropped.
    return _followed(game, start, coups, one=1.0, work=int(effort * WORK))


class _Atlas:
    """The states found so far, by number, and the transitions between them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.states: list[At] = []
        self.staked: list[int] = []
        self._number: dict[At, int] = {}
        self._paths: list[list[tuple[int, int]] | None] = []
        self._ends: list[list[tuple[int, int, int]]] = []

    def number(self, at: At) -> int:
        """The number of a state."""
        found = self._number.get(at)
        if found is None:
            found = self._number[at] = len(self.states)
            self.states.append(at)
            self.staked.append(self.game.lays(at) * self.game.unit)
            self._paths.append(None)
            self._ends.append([])
        return found

    def paths(self, state: int) -> list[tuple[int, int]]:
        """Pockets and the state they lead to."""
        found = self._paths[state]
        if found is None:
            found = self._paths[state] = []
            for pockets, to, wealth in self.game.moves(self.states[state]):
                if isinstance(to, str):
                    self._ends[state].append((pockets, ENDS.index(to), wealth))
                else:
                    found.append((pockets, self.number(to)))
        return found

    def ends(self, state: int) -> list[tuple[int, int, int]]:
        """Pockets, the way in which they end the play, and the purse that is left."""
        return self._ends[state]


def _too_large(game: Game, coups: int) -> TooLargeError:
    return TooLargeError(f"{coups} coups of {game.system.name} pass through too many states")


def _followed(game: Game, start: At, coups: int, *, one: float, work: int) -> Followed:
    """Follows state by state; with `one` a whole number, in ways among all sequences of pockets."""
    whole = isinstance(one, int)
    all_pockets = len(game.play.wheel)
    growth = all_pockets if whole else 1
    atlas = _Atlas(game)
    at: dict[int, float] = {atlas.number(start): one}
    ended: list[float] = [0 * one for _ in ENDS]
    left: dict[int, float] = {}
    duration = turnover = dropped = 0 * one
    done = played = 0
    while at and played < coups:
        played += 1
        ended = [ways * growth for ways in ended]
        if whole:
            left = {wealth: ways * growth for wealth, ways in left.items()}
        duration = (duration + sum(at.values())) * growth
        turnover = (turnover + sum(w * atlas.staked[s] for s, w in at.items())) * growth
        then: dict[int, float] = {}
        for state, ways in at.items():
            if not whole and ways < UNSEEN:
                dropped += ways
                continue
            each = ways if whole else ways / all_pockets
            for pockets, to in atlas.paths(state):
                then[to] = then.get(to, 0) + each * pockets
            for pockets, end, wealth in atlas.ends(state):
                ended[end] += each * pockets
                left[wealth] = left.get(wealth, 0) + each * pockets
        at = then
        done += len(at) * (1 + (played // 50 if whole else 0))
        if done > work or len(atlas.states) > MOST_STATES:
            raise _too_large(game, coups)
    for state, ways in at.items():
        wealth = atlas.states[state].wealth
        left[wealth] = left.get(wealth, 0) + ways
    total = all_pockets**played

    def share(ways: float) -> Chance:
        return Fraction(int(ways), total) if whole else float(ways)

    return Followed(
        ends=tuple(share(ways) for ways in ended),
        playing=share(sum(at.values())),
        duration=share(duration),
        turnover=share(turnover),
        purse=share(sum(wealth * ways for wealth, ways in left.items())),
        purses={wealth: share(left[wealth]) for wealth in sorted(left)},
        states=len(atlas.states),
        precision=0.0 if whole else dropped + _rounding(played),
    )


def _rounding(coups: int) -> float:
    """The rounding error: each coup multiplies, divides and adds a few nonnegative numbers."""
    return (coups + 1) * 16 * 2**-52


def _at_once(game: Game, start: At, coups: int, numpy: Any, effort: float) -> Followed:
    """Finds every state first and then moves all of them at once, in NumPy's arrays."""
    all_pockets = len(game.play.wheel)
    atlas = _Atlas(game)
    atlas.number(start)
    known, depth = 0, 0
    while known < len(atlas.states) and depth < coups:
        reached = len(atlas.states)
        for state in range(known, reached):
            atlas.paths(state)
        known, depth = reached, depth + 1
        if len(atlas.states) > effort * STATES_AT_ONCE:
            raise _too_large(game, coups)
    paths = [(s, to, p) for s in range(known) for p, to in atlas.paths(s)]
    ends = [(s, end, p, wealth) for s in range(known) for p, end, wealth in atlas.ends(s)]
    if len(paths) * coups > effort * WORK_AT_ONCE:
        raise _too_large(game, coups)
    count = len(atlas.states)
    source = numpy.array([s for s, _, _ in paths], dtype=numpy.int64)
    goal = numpy.array([to for _, to, _ in paths], dtype=numpy.int64)
    chance = numpy.array([p / all_pockets for _, _, p in paths])
    ending = numpy.zeros((len(ENDS), count))
    for s, end, pockets, _ in ends:
        ending[end, s] += pockets / all_pockets
    staked = numpy.array(atlas.staked, dtype=float)
    values = sorted({*(state.wealth for state in atlas.states), *(end[-1] for end in ends)})
    place = {wealth: number for number, wealth in enumerate(values)}
    wealths = numpy.array([place[state.wealth] for state in atlas.states], dtype=numpy.int64)
    leaves = numpy.array([s for s, *_ in ends], dtype=numpy.int64)
    leaving = numpy.array([pockets / all_pockets for _, _, pockets, _ in ends])
    with_it = numpy.array([place[wealth] for *_, wealth in ends], dtype=numpy.int64)
    at = numpy.zeros(count)
    at[0] = 1.0
    ended = numpy.zeros(len(ENDS))
    left = numpy.zeros(len(values))
    duration = turnover = 0.0
    for _ in range(coups):
        duration += float(at.sum())
        turnover += float(at @ staked)
        ended += ending @ at
        if ends:
            left += numpy.bincount(with_it, weights=at[leaves] * leaving, minlength=len(values))
        at = numpy.bincount(goal, weights=at[source] * chance, minlength=count)
    left += numpy.bincount(wealths, weights=at, minlength=len(values))
    return Followed(
        ends=tuple(float(share) for share in ended),
        playing=float(at.sum()),
        duration=duration,
        turnover=turnover,
        purse=sum(wealth * float(share) for wealth, share in zip(values, left, strict=True)),
        purses={w: float(share) for w, share in zip(values, left, strict=True) if share},
        states=count,
        precision=_rounding(coups) + count * 2**-52,
    )
