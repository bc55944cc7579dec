"""Trials of a strategy: many players, each alone with the wheel of a house."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from math import sqrt
from os import PathLike
from statistics import fmean, stdev
from typing import Any, Final

from novamas.api.arguments import (
    House,
    LimitsLike,
    book_of,
    layout_of,
    limits_of,
    pocket_of,
)
from novamas.api.progress import watched
from novamas.api.simulate import simulate
from novamas.api.solo import Solo, View
from novamas.api.strategies import Staking, Strategy, bets_from, choice_of
from novamas.game.arguments import listed, place_of, shown, switch, whole
from novamas.game.errors import MissingExtraError, UsageError
from novamas.game.notation import LARGEST_AMOUNT
from novamas.game.wheel import Pocket
from novamas.odds.charts import Bar, Chart, plotted
from novamas.odds.data_frames import Framed
from novamas.odds.data_frames import Table as Columns
from novamas.odds.number_format import counted, share, spread
from novamas.odds.play import held_in
from novamas.odds.player import ENDS
from novamas.simulation.bounds import (
    MOST_COUPS,
    MOST_MONEY,
    MOST_PLAYERS,
    MOST_SEED,
    MOST_SHARES,
    MOST_SPINS,
)

PLAYING: Final = "playing"
BINS: Final = 40


@dataclass(frozen=True, slots=True, repr=False)
class Trials(Framed):
    """What became of the players who tried a strategy: one element of each list for each player.

    >>> import novamas as nv
    >>> found = nv.trials("ar", lambda view: "red:10", bankroll=100, coups=20, players=50)
    >>> found
    <Trials ar: 50 players, 20 coups, -7.60 on average>
    >>> sum(found.ends.values())
    50
    """

    house: str
    coups_at_most: int
    net: Sequence[int]
    """What each player has won or lost; what is in prison in the end counts as theirs."""
    coups: Sequence[int]
    """How many coups each player played, those of waiting included."""
    turnover: Sequence[int]
    """The sum of each player's stakes."""
    end: Sequence[str]
    """How each play ended: `ruin`, `target`, `stopped`, or `playing` after the last coup."""
    compiled: bool
    """Whether it was played by the compiled simulator."""

    @property
    def players(self) -> int:
        """How many players tried it."""
        return len(self.net)

    @property
    def mean(self) -> float:
        """What a player won or lost on average."""
        return fmean(self.net)

    @property
    def error(self) -> float:
        """The standard error of the mean; nan for a single player."""
        return stdev(self.net) / sqrt(len(self.net)) if len(self.net) > 1 else float("nan")

    @property
    def ends(self) -> dict[str, int]:
        """How many players ended in each way."""
        found = list(self.end)
        return {way: found.count(way) for way in (*ENDS, PLAYING)}

    def quantiles(
        self, shares: Sequence[float] = (0.05, 0.25, 0.5, 0.75, 0.95)
    ) -> dict[float, int]:
        """The least results that these shares of the players do not exceed.

        A share is taken as it is written: 0.07 of 100 players are 7.
        """
        wanted = listed(shares, argument="shares", of="shares", most=MOST_SHARES)
        kept = sorted(self.net)
        return {q: kept[place_of(q, len(kept), argument="shares")] for q in wanted}

    def columns(self) -> Columns:
        """One row for each player."""
        return Columns(
            {"net": self.net, "coups": self.coups, "turnover": self.turnover, "end": self.end}
        )

    def chart(self) -> Chart:
        """The results of the players in intervals."""
        low, high = min(self.net), max(self.net)
        wide = max(1, -(-(high - low + 1) // BINS))
        counts = [0] * ((high - low) // wide + 1)
        for net in self.net:
            counts[(net - low) // wide] += 1
        bars = []
        for place, count in enumerate(counts):
            start, end = low + place * wide, low + (place + 1) * wide - 1
            side = (start > 0) - (end < 0)
            part = count / self.players
            bars.append(Bar(spread(start, end), part, share(part), side))
        return Chart(self._title(), "net result", "players", tuple(bars))

    def plot(self, path: str | PathLike[str] | None = None) -> Chart:
        """A bar chart of the results, written to an SVG or PNG file if a path is given."""
        return plotted(self.chart(), path)

    def _title(self) -> str:
        played = counted(self.coups_at_most, "coup")
        return f"{self.house}: {counted(self.players, 'player')}, {played}"

    def __repr__(self) -> str:
        return f"<Trials {self._title()}, {self.mean:+.2f} on average>"

    def _repr_svg_(self) -> str:
        return self.chart()._repr_svg_()


def trials(  # noqa: PLR0913 - each is something a player may set, and all have names.
    house: House,
    strategy: Strategy,
    *,
    bankroll: int,
    coups: int = 100,
    players: int = 100,
    target: int | None = None,
    stop_loss: int | None = None,
    limits: LimitsLike = None,
    chip: int = 1,
    seed: int = 0,
    spins: Sequence[Pocket] | None = None,
    progress: bool = False,
) -> Trials:
    """Lets many players try a strategy, each alone; the same seed gives the same result.

    An `nv.Staking` is compiled where the extra `maths` is installed. Every other strategy is called
    once for each player and coup. A play ends with nothing left, at the target or at the stop-loss,
    but never while something is in prison. `spins` are recorded numbers: each player in turn plays
    `coups` of them. `progress` draws a bar in the terminal or the notebook.

    >>> import novamas as nv
    >>> nv.trials("ar", lambda view: f"{view.coup % 37}:1", bankroll=10, spins=[0, 2, 3], coups=3)
    <Trials ar: 1 player, 3 coups, +69.00 on average>
    """
    book, placard = book_of(house), limits_of(limits)
    _check(bankroll=bankroll, coups=coups, players=players, seed=seed, chip=chip)
    for argument, bound in (("target", target), ("stop_loss", stop_loss)):
        if bound is not None:
            whole(bound, argument=argument, least=0, most=MOST_MONEY)
    switch(progress, argument="progress")
    given: object = strategy
    if not callable(given):
        expected = "a function of what a player sees, or nv.Staking"
        raise UsageError(f"strategy: expected {expected}, not {shown(strategy)}")
    numbers = None if spins is None else _recorded(spins, book.wheel.pockets)
    if numbers is not None:
        players = min(players, len(numbers) // coups)
        if not players:
            raise UsageError(f"spins: {len(numbers)} numbers are not enough for {coups} coups")
    if isinstance(strategy, Staking):
        laid = layout_of(book, strategy.layout, chip=chip)
        # The simulator asks this only of a layout under a placard; a table asks it of every stake.
        laid.check(placard)
        try:
            found = simulate(
                book,
                laid,
                system=strategy.by,
                coups=coups,
                players=players,
                bankroll=bankroll,
                target=target,
                stop_loss=stop_loss,
                choice=strategy.choice,
                limits=placard,
                seed=seed,
                spins=numbers,
                progress=progress,
            )
        except MissingExtraError:
            pass
        else:
            columns = found.table().columns
            return Trials(
                book.id,
                coups,
                net=columns["net"],
                coups=columns["coups"],
                turnover=columns["turnover"],
                end=columns["end"],
                compiled=True,
            )
    solo = Solo(book, placard, chip=chip)
    play = partial(
        _one, solo, strategy, bankroll=bankroll, coups=coups, target=target, stop_loss=stop_loss
    )
    drawn = (_numbers(solo, seed, each) for each in range(players))
    if numbers is not None:
        drawn = (iter(numbers[each * coups :]) for each in range(players))
    played = [play(each) for each in (watched(drawn, players, "players") if progress else drawn)]
    net, lasted, turnover, end = (list(column) for column in zip(*played, strict=True))
    return Trials(book.id, coups, net, lasted, turnover, end, compiled=False)


def _check(*, bankroll: int, coups: int, players: int, seed: int, chip: int) -> None:
    for argument, number, least, most in (
        ("bankroll", bankroll, 0, MOST_MONEY),
        ("coups", coups, 1, MOST_COUPS),
        ("players", players, 1, MOST_PLAYERS),
        ("seed", seed, 0, MOST_SEED),
        ("chip", chip, 1, LARGEST_AMOUNT),
    ):
        whole(number, argument=argument, least=least, most=most)


def _recorded(spins: Sequence[Pocket], wheel: Any) -> list[Pocket]:
    numbers = listed(spins, argument="spins", of="numbers", most=MOST_SPINS)
    return [pocket_of(each, wheel, argument="spins") for each in numbers]


def _numbers(solo: Solo, seed: int, player: int) -> Iterator[Pocket]:
    """The numbers of one player: their own stream, the same for the same seed."""
    # A seed requests repeatable numbers, and nobody plays against them for money.
    chance = random.Random(f"{seed} {player}")  # noqa: S311 # nosec B311
    pockets = solo.book.wheel.pockets.pockets
    while True:
        yield pockets[chance.randrange(len(pockets))]


def _one(
    solo: Solo,
    strategy: Strategy,
    numbers: Iterator[Pocket],
    *,
    bankroll: int,
    coups: int,
    target: int | None,
    stop_loss: int | None,
) -> tuple[int, int, int, str]:
    """One player: what they won or lost, their coups, their turnover, and how it ended."""
    least = solo.chip
    if isinstance(strategy, Staking):
        least = layout_of(solo.book, strategy.layout, chip=solo.chip).stake
    choice = choice_of(strategy)
    view = View(solo.book, bankroll, bankroll, limits=solo.limits, chip=solo.chip)
    seen: list[Pocket] = []
    results: list[int] = []
    wealth, turnover, memory = bankroll, 0, view.memory
    for number in islice(numbers, coups):
        end = _ended(view, least, target=target, stop_loss=stop_loss)
        if end is not None:
            return wealth - bankroll, len(seen), turnover, end
        bets = bets_from(strategy, view)
        solo.check(bets, view.purse)
        turnover += sum(bet.amount for bet in bets)
        turn = solo.turn(bets, number, view.prison, choice)
        wealth += turn.net
        seen.append(number)
        results.append(turn.net)
        view = View(
            solo.book,
            bankroll,
            wealth - held_in(turn.prison),
            turn.prison,
            tuple(seen),
            tuple(results),
            solo.limits,
            solo.chip,
            memory,
        )
    end = _ended(view, least, target=target, stop_loss=stop_loss)
    return wealth - bankroll, len(seen), turnover, end or PLAYING


def _ended(view: View, least: int, *, target: int | None, stop_loss: int | None) -> str | None:
    if view.prison:
        return None
    if target is not None and view.purse >= target:
        return "target"
    if stop_loss is not None and view.purse <= stop_loss:
        return "stopped"
    return "ruin" if view.purse < least else None
