"""`novamas simulate`: plays very many coups by a staking system, paid by the real engine."""

from __future__ import annotations

import re
import sys
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from novamas.cli import arguments
from novamas.cli.errors import InputError, OutputError
from novamas.cli.messages import figure, said
from novamas.cli.terminal import Terminal, signed
from novamas.game.notation import NotationError
from novamas.game.wheel import read_pocket
from novamas.odds import charts as drawing
from novamas.odds.data_frames import FrameError
from novamas.odds.errors import LayoutError, TooLargeError
from novamas.odds.layout import Layout
from novamas.odds.number_format import SMALLEST_PERCENT, fraction, plain
from novamas.odds.systems import System, read_system
from novamas.simulation.intervals import CLIMBS, FEW, LASTS, ONE, total

if TYPE_CHECKING:
    from novamas.cli.json_shapes.figures import SimulateAnswer
    from novamas.game.rulebook.model import Rulebook
    from novamas.game.wheel import Pocket
    from novamas.simulation.charts import Law
    from novamas.simulation.intervals import Figure
    from novamas.simulation.result import Result
    from novamas.simulation.run import Progress

SEPARATORS: Final = str.maketrans(",;\t", "   ")
"""What stands between the numbers of a file, besides blanks."""
OWN_SYSTEM: Final = (
    "def after(state, laid, net, unit): … gives the next state, a pair of whole numbers"
)


def run(args: Namespace, terminal: Terminal) -> int:
    """Runs the simulation, and prints its result."""
    try:
        from novamas.simulation import charts
        from novamas.simulation.arguments import MOST_THREADS
        from novamas.simulation.bounds import MOST_COUPS, MOST_MONEY, MOST_PLAYERS, MOST_SEED
        from novamas.simulation.cluster import ClusterError
        from novamas.simulation.run import simulate
        from novamas.simulation.user_systems import OwnSystemError
    except ImportError:
        raise InputError("simulation needs numba: install novamas[maths]") from None
    book = arguments.house(args.house)
    words = arguments.words_for(book)
    limits = arguments.limits(book, args.limits, minimum=args.minimum, words=words)
    chip = arguments.whole(args.chip, what="--chip")
    try:
        layout = Layout.read(book, " ".join(args.layout), chip=chip, words=words)
    except NotationError as mistake:
        raise InputError(str(mistake), hint="a layout is its bets: red:10 17:5") from None
    except LayoutError as problem:
        raise InputError(str(problem)) from None
    bounds = {
        "coups": (1, MOST_COUPS),
        "players": (1, MOST_PLAYERS),
        "bankroll": (0, MOST_MONEY),
        "target": (0, MOST_MONEY),
        "stop_loss": (0, MOST_MONEY),
        "threads": (1, MOST_THREADS),
        "seed": (0, MOST_SEED),
    }
    numbers: dict[str, Any] = {
        name: _number(args, name, least, most) for name, (least, most) in bounds.items()
    }
    if args.chart is not None and Path(args.chart).suffix.lower() not in (".svg", ".png"):
        raise InputError(f"--chart: {args.chart!r} is neither .svg nor .png")
    tell = _bar() if sys.stderr is not None and sys.stderr.isatty() else None
    try:
        result = simulate(
            book,
            layout,
            **numbers,
            system=_system(args.system),
            choice=args.choice,
            limits=limits,
            to_the_end=args.to_the_end,
            at_limit=args.at_limit,
            cluster=args.cluster,
            spins=None if args.spins is None else read_spins(args.spins, book),
            tell=tell,
        )
        law = charts.law_of(result) if result.players else None
    except OwnSystemError as problem:
        raise InputError(f"--system: {args.system}: {problem}", hint=OWN_SYSTEM) from None
    except (LayoutError, TooLargeError, ClusterError, ValueError) as problem:
        raise InputError(str(problem)) from None
    finally:
        if tell is not None:
            print(file=sys.stderr)
    if result.players:
        _write(args, result, law)
    if args.json:
        terminal.data(_data(result, law))
    else:
        _Telling(terminal, args.lang).result(result, law)
    return 0 if result.is_whole else 130


def _data(result: Result, law: Law | None) -> SimulateAnswer:
    from novamas.simulation import charts

    exact = None
    if law is not None:
        bars = charts.expected(result, law)
        exact = {"net": law.mean, "ahead": float(law.ahead), "histogram": bars}
    return cast("SimulateAnswer", {**result.as_data(), "exact": exact})


def _number(args: Namespace, name: str, least: int, most: int) -> int | None:
    text: str | None = getattr(args, name)
    what = f"--{name.replace('_', '-')}"
    return None if text is None else arguments.whole(text, least=least, most=most, what=what)


def _system(text: str) -> System:
    """A system by its name, or the user's own: the path of a Python file with `after`.

    The file may also have `start`, the first state, and `wanted`, the multiple of the layout that a
    state wants.
    """
    if not text.endswith(".py"):
        try:
            return read_system(text)
        except ValueError as problem:
            raise InputError(f"--system: {str(problem).removeprefix('system: ')}") from None
    from runpy import run_path

    from novamas.odds.systems import first_wanted

    try:
        own = run_path(text)
    except (OSError, SyntaxError) as problem:
        raise InputError(f"--system: {text} cannot be read: {problem}") from None
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - it is anybody's program.
        fault = f"{type(problem).__name__}: {problem}"
        message = f"--system: {text} fails when it is read: {fault}"
        raise InputError(message, hint=OWN_SYSTEM) from None
    if not callable(own.get("after")):
        raise InputError(f"--system: {text} has no function after", hint=OWN_SYSTEM)
    wanted = own.get("wanted", first_wanted)
    if not callable(wanted):
        hint = "def wanted(state): … gives how many times over the layout is laid"
        raise InputError(f"--system: {text}: wanted is not a function", hint=hint)
    return System(Path(text).stem, "one's own", own.get("start", (1, 0)), wanted, own["after"])


def read_spins(file: str, book: Rulebook) -> list[Pocket]:
    """The numbers of a text or CSV: all of them, or those of the column `number`.

    `00` is the further zero. A single digit may be written with a zero before it, as in `07`.
    """
    try:
        text = Path(file).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as problem:
        raise InputError(f"--spins: {file} cannot be read: {problem}") from None
    text = text.translate(SEPARATORS)
    # Files may be long: every text is read as a number only once.
    all_cells = text.split()
    known = {cell: _pocket(cell, book) for cell in set(all_cells)}
    numbers = {cell: pocket for cell, pocket in known.items() if pocket is not None}
    if len(numbers) == len(known):
        return [numbers[cell] for cell in all_cells]
    # Something else stands there too: a comment, the names of columns, or a mistake.
    column: int | None = None
    found: list[Pocket] = []
    for place, line in enumerate(text.splitlines(), start=1):
        cells = line.split()
        if not cells or cells[0].startswith("#"):
            continue
        if not found:
            names = [cell.strip('"').lower() for cell in cells]
            if "number" in names:
                column = names.index("number")
                continue
        for cell in cells if column is None else cells[column : column + 1]:
            pocket = numbers.get(cell)
            if pocket is None:
                has = f"the wheel of {book.id} has the numbers {book.wheel.pockets.described}"
                hint = f"{has}; a table needs a column called number"
                raise InputError(f"--spins: {file}, line {place}: {cell!r}", hint=hint)
            found.append(pocket)
    return found


def _pocket(cell: str, book: Rulebook) -> Pocket | None:
    pocket = read_pocket(re.sub("^0(?=[1-9]$)", "", cell.strip('"')))
    return pocket if pocket in book.wheel.pockets else None


def _bar() -> Callable[[Progress], None]:
    def tell(progress: Progress) -> None:
        done = progress.done
        left = "" if progress.left is None else f", {progress.left:.0f} s left"
        drawn = "█" * int(20 * done)
        line = f"\r{drawn:<20} {100 * done:3.0f} %  {progress.rate / 1e6:,.0f} M coups/s{left}   "
        print(line, end="", file=sys.stderr, flush=True)

    return tell


def _write(args: Namespace, result: Result, law: Law | None) -> None:
    from novamas.simulation import charts

    try:
        if args.chart is not None:
            if Path(args.chart).suffix.lower() == ".png":
                Path(args.chart).write_bytes(charts.png(result, law))
            else:
                Path(args.chart).write_text(charts.svg(result, law), encoding="utf-8")
        if args.parquet is not None:
            result.table().as_frame("polars").write_parquet(args.parquet)
    except (FrameError, drawing.ChartError) as problem:
        raise InputError(str(problem)) from None
    except OSError as problem:
        raise OutputError(f"cannot be written: {problem}") from None


REASONS: Final = {
    FEW: "few_results", CLIMBS: "rare_stakes", LASTS: "rare_plays", ONE: "one_player",
}  # fmt: skip
"""Why a figure has no interval → the words for it."""
FIGURES: Final = {
    "net": "on_average", "coups": "coups", "turnover": "staked", "edge": "house_kept",
}  # fmt: skip
"""A figure of a result → its name."""
WAYS: Final = {"ruin": "way_ruin", "target": "way_target", "stopped": "way_stopped"}
"""How a player's game ends before the last coup → the words for it."""


class _Telling:
    """Prints a result for a person, in their language."""

    def __init__(self, terminal: Terminal, language: str) -> None:
        self._terminal = terminal
        self._language = language

    def _said(self, name: str, **facts: object) -> str:
        return said(self._language, name, **facts)

    def _figure(self, text: str) -> str:
        return figure(self._language, text)

    def _several(self, name: str, count: int) -> str:
        form = f"{name}_{'one' if count == 1 else 'many'}"
        return self._said(form, count=self._count(count))

    def _count(self, count: int) -> str:
        return self._figure(f"{count:,}")

    def _given(self, found: Figure, *, percent: bool = False) -> str:
        """A figure with its interval, or why it has none."""

        def shown(value: float) -> str:
            if not percent:
                return self._figure(plain(value, 6, commas=True))
            return self._figure(
                plain(100 * value if abs(100 * value) >= SMALLEST_PERCENT else 0, 4)
            )

        unit = " %" if percent else ""
        if not found.has_interval:
            return f"{shown(found.value)}{unit}  ({self._said(REASONS[found.reason])})"
        error = self._figure(plain(100 * found.error, 2) if percent else plain(found.error, 3))
        within = self._said("interval", low=shown(found.low), high=shown(found.high) + unit)
        return f"{shown(found.value)}{unit}  ± {error}  ({within})"

    def result(self, result: Result, law: Law | None) -> None:
        """All of a result, as far as it was played."""
        if result.players:
            self._finished(result, law)
        plan, terminal = result.plan, self._terminal
        rate = result.played / result.seconds / 1e6 if result.seconds else 0.0
        recorded = plan.spins is not None
        played = self._said(
            "played_in",
            coups=self._several("coups", result.played),
            seconds=self._figure(f"{result.seconds:.1f}"),
            rate=self._figure(f"{rate:,.0f}"),
            source=self._said("recorded") if recorded else self._said("seed", seed=plan.seed),
        )
        terminal.say(f"  {played}")
        if not result.is_whole:
            finished, wanted = self._count(result.players), self._count(result.wanted)
            interrupted = self._said("interrupted", finished=finished, wanted=wanted)
            terminal.say(f"  {interrupted}")
            if (so_far := result.kept_so_far) is not None:
                kept = self._said("kept_so_far", share=self._given(so_far, percent=True))
                terminal.say(f"  {kept}")

    def _finished(self, result: Result, law: Law | None) -> None:
        """What the players who finished have won and lost."""
        from novamas.simulation import charts

        plan, terminal = result.plan, self._terminal
        purse = plan.bankroll
        terminal.title(
            self._said(
                "simulated",
                layout=plan.play.layout.text,
                house=plan.play.book.id,
                system=plan.system.name,
                purse="" if purse is None else self._said("simulated_purse", purse=purse),
                players=self._several("players", result.players),
                coups=self._several("coups", plan.coups),
            )
        )
        chart = charts.bars(result, law)
        bars = tuple(
            replace(bar, name=self._figure(bar.name), shown=self._figure(bar.shown))
            for bar in chart.bars
        )
        for line in drawing.text(replace(chart, bars=bars), min(terminal.columns, 80) - 2):
            terminal.say(f"  {line}".rstrip())
        terminal.table(self._facts(result, law), "ll", indent="  ")

    def _facts(self, result: Result, law: Law | None) -> list[list[str]]:
        """Names and figures."""
        plan = result.plan
        facts = [
            [self._said(FIGURES[name]), self._given(found, percent=name == "edge")]
            for name, found in result.figures.items()
        ]
        asked = {"ruin": plan.bankroll, "target": plan.target, "stopped": plan.stop_loss}
        for way, found in result.ends.items():
            if asked.get(way, plan.bankroll) is None:
                continue
            ended = self._said("ended", way=self._said(WAYS[way])) if way in WAYS else None
            name = ended or self._said("played_to_the_end")
            facts.append([name, self._given(found, percent=True)])
        facts.append([self._said("ahead"), self._given(result.ahead, percent=True)])
        shares = ", ".join(
            f"{signed(net)}\u00a0({self._figure(f'{100 * q:g}')}\u00a0%)"
            for q, net in result.quantiles().items()
        )
        facts.append([self._said("no_more_than"), shares])
        if held := int(total(result.held)):
            players = self._several("players", int((result.held > 0).sum()))
            kept = self._said("held_of", held=self._count(held), players=players)
            facts.append([self._said("still_in_prison"), kept])
        exactly = self._said("exactly")
        if result.exact_edge is not None:
            keeps = "keeps_of_staked" if plan.tables.is_linear else "keeps_of_layout"
            edge = self._figure(fraction(result.exact_edge))
            facts.append([exactly, self._said(keeps, edge=edge)])
        if law is not None:
            mean = self._figure(plain(law.mean, 6, sign=True, commas=True))
            share = self._figure(f"{plain(100 * float(law.ahead), 4)} %")
            facts.append([exactly, self._said("law_says", mean=mean, share=share)])
        return facts
