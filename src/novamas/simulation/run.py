"""Runs a simulation: many players, on all cores or on many machines.

The players are divided into blocks. Each player has their own stream of numbers, so the answer
depends only on the seed, and not on which worker played a block or in which order the blocks came
back.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Final, NamedTuple, TypeAlias, get_args

from novamas.game.arguments import function, instance, one_of, switch, whole, whole_or_none
from novamas.game.errors import UsageError
from novamas.game.limits import NO_LIMITS, Limits
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket
from novamas.odds.layout import Layout
from novamas.odds.play import play_of
from novamas.odds.player import AtLimit
from novamas.odds.systems import System, system_of
from novamas.simulation.arguments import (
    MOST_THREADS,
    SHOWN,
    check_money,
    check_size,
    how_many,
    marks_of,
    recorded,
)
from novamas.simulation.payoff_tables import Tables
from novamas.simulation.plan import Plan, Played, game_of, is_flat, is_own, most_times
from novamas.simulation.player_arrays import SEATS, progress_array
from novamas.simulation.recorded_play import is_looked_up, play_recorded
from novamas.simulation.result import Result, result_of
from novamas.simulation.user_systems import check_own, fault_of

if find_spec("numba") is None:
    # It is loaded when it is needed; that it is missing is said at once, whatever is asked.
    raise ModuleNotFoundError("No module named 'numba'", name="numba")

BLOCK_COUPS: Final = 1 << 28
"""About how many coups make a block: part of a second, long compared with a network round trip."""
BLOCK_PLAYERS: Final = 1 << 14
BLOCKS: Final = 64
"""The least number of blocks, if there are enough players to fill the seats of each."""
LOOK: Final = 0.1
"""Seconds between two progress reports."""


class Progress(NamedTuple):
    """How far a simulation is."""

    coups: int
    """Played so far."""
    total: int
    """The most that will be played; a play may end sooner."""
    players: int
    """How many players have finished."""
    all_players: int
    seconds: float

    @property
    def rate(self) -> float:
        """Coups a second."""
        return self.coups / self.seconds if self.seconds else 0.0

    @property
    def done(self) -> float:
        """The share that is done: of the coups, or of the players if they end sooner."""
        return max(self.coups / self.total, self.players / self.all_players)

    @property
    def left(self) -> float | None:
        """The remaining seconds at this rate; None while nothing is done."""
        return self.seconds * (1 - self.done) / self.done if self.done else None


Tell: TypeAlias = Callable[[Progress], None]


@dataclass(frozen=True)
class Deal:
    """A block as it is assigned to a worker."""

    first: int
    count: int


def simulate(  # noqa: PLR0913 - each is something a player may set, and all have names.
    book: Rulebook,
    layout: str | Layout,
    *,
    coups: int | None = None,
    players: int | None = None,
    system: str | System = "flat",
    bankroll: int | None = None,
    target: int | None = None,
    stop_loss: int | None = None,
    choice: str | Sequence[str] = "prison",
    limits: Limits = NO_LIMITS,
    chip: int = 1,
    at_limit: AtLimit = "cap",
    seed: int = 0,
    threads: int | None = None,
    cluster: str | None = None,
    spins: Sequence[Pocket] | None = None,
    to_the_end: bool = False,
    marks: Sequence[int] | None = None,
    shown: int = SHOWN,
    tell: Tell | None = None,
) -> Result:
    """Plays a layout by a system, for a number of players and coups, and returns the result.

    Without a bankroll the purse is unlimited. With `spins`, recorded numbers are played: each
    player in turn plays `coups` of them; without `coups`, one player plays all. With `to_the_end`,
    what is in prison after the last coup is followed until it is decided. `marks` are the coups
    after which the purses of the first players (`shown`) are recorded. After Ctrl-C the result has
    the players who had finished and, separately, the state of those who were still playing.

    >>> from novamas.rulebooks import load
    >>> simulate(load("bg"), "17:5", coups=4, spins=[17, 3, 0, 36]).mean
    160.0
    """
    play = play_of(book, layout, choice=choice, limits=limits, chip=chip)
    by = system_of(system)
    one_of(at_limit, get_args(AtLimit), argument="at_limit")
    numbers = None if spins is None else recorded(spins, book)
    coups, players = how_many(coups, players, numbers)
    check_money(bankroll=bankroll, target=target, stop_loss=stop_loss, seed=seed)
    check_size(play, coups=coups, is_flat=is_flat(by) and bankroll is None)
    whole_or_none(threads, argument="threads", most=MOST_THREADS)
    shown = min(whole(shown, argument="shown", least=0), players)
    if tell is not None:
        function(tell, argument="tell")
    if cluster is not None:
        instance(cluster, str, argument="cluster")
    if switch(to_the_end, argument="to_the_end") and numbers is not None:
        raise UsageError("to_the_end: recorded numbers end with the last of them")
    plan = Plan(
        play=play,
        system=by,
        tables=Tables(play, most_times(play)),
        coups=coups,
        bankroll=bankroll,
        target=target,
        stop_loss=stop_loss,
        at_limit=at_limit,
        seed=seed,
        marks=marks_of(marks, coups=coups, shown_players=shown),
        shown=shown,
        spins=numbers,
        to_the_end=to_the_end,
    )
    if cluster is None and is_looked_up(plan, players):
        return _by_tables(plan, players, tell)
    own = is_own(plan.system)
    if own:
        check_own(game_of(plan))
    deals = deal(players, coups)
    try:
        if cluster is None:
            from novamas.simulation import player_block

            # No player is simulated here: the loop is compiled before the time is taken.
            player_block.play_block(plan, 0, 0)
        began = time.perf_counter()
        if cluster is None:
            played = _by_threads(plan, deals, threads or os.cpu_count() or 1, tell, began)
        else:
            from novamas.simulation.cluster import by_cluster

            played = by_cluster(plan, deals, cluster, tell)
    except ArithmeticError as problem:
        if own:
            raise fault_of(plan.system, problem) from None
        raise
    parts = sorted(played, key=lambda part: part.first)
    return result_of(plan, players, parts, seconds=time.perf_counter() - began)


def _by_tables(plan: Plan, players: int, tell: Tell | None) -> Result:
    """Looks up what recorded numbers come to."""
    began = time.perf_counter()
    played = play_recorded(plan, players)
    seconds = time.perf_counter() - began
    if tell is not None:
        coups, total = int(played.coups.sum()), plan.coups * players
        tell(Progress(coups, total, players, players, seconds))
    return result_of(plan, players, [played], seconds=seconds)


def deal(players: int, coups: int) -> list[Deal]:
    """Divides the players into blocks by how much each has to play."""
    size = min(BLOCK_PLAYERS, BLOCK_COUPS // coups, players // BLOCKS)
    # All seats are computed, whether a player sits there or not.
    size = max(size // SEATS, 1) * SEATS
    return [Deal(first, min(size, players - first)) for first in range(0, players, size)]


def _by_threads(
    plan: Plan, deals: Sequence[Deal], threads: int, tell: Tell | None, began: float
) -> list[Played]:
    """Plays the blocks in threads; keeps what was played when interrupted."""
    from novamas.simulation import player_block

    watched: list[Any] = []
    played: list[Played] = []
    total = plan.coups * sum(each.count for each in deals)
    players = sum(each.count for each in deals)
    waiting: Iterator[Deal] = iter(deals)
    running: set[Future[Played]] = set()

    def start(pool: ThreadPoolExecutor) -> None:
        for each in waiting:
            progress = progress_array()
            watched.append(progress)
            running.add(
                pool.submit(player_block.play_block, plan, each.first, each.count, progress)
            )
            if len(running) >= threads:
                return

    with ThreadPoolExecutor(threads) as pool:
        try:
            start(pool)
            while running:
                done, _ = wait(running, LOOK, FIRST_COMPLETED)
                for each in done:
                    running.remove(each)
                    played.append(each.result())
                    start(pool)
                if tell is not None:
                    coups = sum(int(progress[0]) for progress in watched)
                    finished = sum(len(part.wealth) for part in played)
                    tell(Progress(coups, total, finished, players, time.perf_counter() - began))
        except KeyboardInterrupt:
            for progress in watched:
                progress[1] = 1
            played += [each.result() for each in running]
    return played
