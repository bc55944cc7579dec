"""Pictures of a simulation: the fan of the paths, and the results beside the exact law."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from html import escape
from io import BytesIO
from typing import Final, Protocol

from novamas.odds.charts import EVEN, FAINT, FONT, GAIN, INK, LOSS, Bar, Chart, figure_of
from novamas.odds.errors import TooLargeError
from novamas.odds.many_coups import after_coups
from novamas.odds.number_format import counted, share, spread
from novamas.odds.purse_law import purses_after
from novamas.simulation.plan import game_of, is_flat, is_own
from novamas.simulation.result import FAN, Result
from novamas.simulation.user_systems import fault_of

WIDTH, HEIGHT = 760, 640
LEFT, RIGHT = 84, 20
FAN_TOP, FAN_FOOT, BARS_TOP, BARS_FOOT = 64, 330, 390, 580
PATHS: Final = 12
"""How many single paths are drawn in the fan."""
EFFORT: Final = 0.1
"""The part of the usual work that the law of a purse may take."""


class Law(Protocol):
    """The interface of an exact law."""

    @property
    def mean(self) -> float:
        """The average result."""

    @property
    def ahead(self) -> Fraction | float:
        """The probability of having won."""

    def at_most(self, net: int) -> Fraction | float:
        """The probability of this result or less."""


def law_of(result: Result) -> Law | None:
    """The exact law of the results, or None if there is none or it takes too long."""
    plan = result.plan
    if plan.spins is not None or not result.is_whole:
        return None
    play = plan.play
    try:
        follows = plan.to_the_end and not plan.tables.is_linear
        if is_flat(plan.system) and plan.bankroll is None and (follows or plan.tables.is_linear):
            if plan.coups > 10**6:
                return None
            choice = [each.value for each in play.choices]
            return after_coups(
                play.book, play.layout, plan.coups, choice=choice, limits=play.limits
            )
        if follows:
            return None
        return purses_after(game_of(plan), plan.coups, exact=False, effort=EFFORT)
    except TooLargeError:
        return None
    except ArithmeticError as problem:  # No player came there.
        if is_own(plan.system):
            raise fault_of(plan.system, problem) from None
        raise


def expected(result: Result, law: Law, bins: int = 40) -> list[float]:
    """What the exact law gives for each interval of the histogram."""
    return [
        float(law.at_most(end)) - float(law.at_most(start - 1))
        for start, end, _ in result.histogram(bins)
    ]


def bars(result: Result, law: Law | None = None, bins: int = 16) -> Chart:
    """The results in intervals, for a terminal, each with the value of the law."""
    found = result.histogram(bins)
    exact = [None] * len(found) if law is None else expected(result, law, bins)
    drawn = tuple(
        Bar(
            spread(start, end),
            part,
            share(part) + ("" if truth is None else f"  ({share(truth).removesuffix(' %')})"),
        )
        for (start, end, part), truth in zip(found, exact, strict=True)
    )
    return Chart(_title(result), "net result", "players", drawn)


def svg(result: Result, law: Law | None = None) -> str:
    """The fan of the paths and the histogram as SVG; the same result gives the same drawing.

    A law is drawn beside the histogram.
    """
    title = _title(result)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"',
        f'font-family="{escape(FONT)}" fill="{INK}" font-size="12">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(_described(result))}</desc>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fbf8f0"/>',
        f'<text x="{LEFT}" y="34" font-size="18">{escape(title)}</text>',
        *_fan(result),
        *_bars(result, law),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _title(result: Result) -> str:
    plan = result.plan
    purse = "" if plan.bankroll is None else f", purse {plan.bankroll}"
    return (
        f"{plan.play.layout.text} ({plan.play.book.id}), {plan.system.name}{purse}: "
        f"{counted(result.players, 'player', commas=True)}, "
        f"{counted(plan.coups, 'coup', commas=True)}"
    )


def _described(result: Result) -> str:
    shares = ", ".join(f"{100 * q:g} %: {spread(n, n)}" for q, n in result.quantiles().items())
    return f"Net results that are not exceeded by a share of the players: {shares}."


def _scale(low: float, high: float, top: float, foot: float) -> Callable[[float], float]:
    wide = (high - low) or 1.0
    return lambda value: foot - (value - low) / wide * (foot - top)


def _fan(result: Result) -> list[str]:
    rows = result.fan()
    if not rows:
        return []
    marks = [0.0, *(row["coups"] for row in rows)]
    by_share = {q: [0.0, *(row[f"{q:g}"] for row in rows)] for q in FAN}
    some = [[0.0, *(float(net) for net in path)] for path in result.paths[:PATHS]]
    values = [v for line in (*by_share.values(), *some) for v in line]
    low, high = min(values), max(values)
    y = _scale(low, high, FAN_TOP, FAN_FOOT)
    room = WIDTH - LEFT - RIGHT

    def x(mark: float) -> float:
        return LEFT + mark / marks[-1] * room

    def line(values: Sequence[float]) -> str:
        return " ".join(f"{x(m):.1f},{y(v):.1f}" for m, v in zip(marks, values, strict=True))

    parts = []
    for outer, inner, dense in ((0.05, 0.95, 0.18), (0.25, 0.75, 0.3)):
        back = [f"{x(m):.1f},{y(v):.1f}" for m, v in zip(marks, by_share[inner], strict=True)]
        there = f"{line(by_share[outer])} {' '.join(reversed(back))}"
        parts.append(f'<polygon points="{there}" fill="{GAIN}" fill-opacity="{dense}"/>')
    thin = f'fill="none" stroke="{EVEN}" stroke-width="0.7"'
    parts += [f'<polyline points="{line(path)}" {thin}/>' for path in some]
    middle = line(by_share[0.5])
    parts.append(f'<polyline points="{middle}" fill="none" stroke="{INK}" stroke-width="1.6"/>')
    parts.append(
        f'<path d="M{LEFT} {y(0):.1f}H{WIDTH - RIGHT}" stroke="{LOSS}" stroke-width="0.8"/>'
    )
    parts += [_label(LEFT - 8, y(v) + 4, f"{v:+,.0f}", "end") for v in (low, 0.0, high)]
    parts += [
        _label(LEFT + part * room, FAN_FOOT + 18, f"{marks[-1] * part:,.0f}")
        for part in (0.0, 0.5, 1.0)
    ]
    parts.append(_label(LEFT + room / 4, FAN_FOOT + 18, "coups"))
    parts.append(_label(LEFT, FAN_TOP - 10, "net result: 5 to 95 %, 25 to 75 %, median", "start"))
    return parts


def _bars(result: Result, law: Law | None) -> list[str]:
    found = result.histogram(40)
    exact = [] if law is None else expected(result, law)
    top = max([part for *_, part in found] + exact)
    y = _scale(0, top, BARS_TOP, BARS_FOOT)
    wide = (WIDTH - LEFT - RIGHT) / len(found)
    parts = []
    for place, (start, end, part) in enumerate(found):
        x = LEFT + place * wide
        colour = GAIN if start > 0 else LOSS if end < 0 else EVEN
        parts.append(
            f'<rect x="{x + wide * 0.08:.1f}" y="{y(part):.1f}" width="{wide * 0.84:.1f}" '
            f'height="{BARS_FOOT - y(part):.1f}" fill="{colour}" fill-opacity="0.75">'
            f"<title>{spread(start, end)}: {share(part)}</title></rect>"
        )
        if exact:
            parts.append(
                f'<path d="M{x:.1f} {y(exact[place]):.1f}h{wide:.1f}" stroke="{INK}" '
                'stroke-width="1.5"/>'
            )
    parts.append(f'<path d="M{LEFT} {BARS_FOOT}H{WIDTH - RIGHT}" stroke="{INK}"/>')
    parts.append(f'<path d="M{LEFT} {BARS_TOP}H{WIDTH - RIGHT}" stroke="{FAINT}"/>')
    parts.append(_label(LEFT - 8, BARS_TOP + 4, share(top), "end"))
    low, high = found[0][0], found[-1][1]
    parts.append(_label(LEFT, BARS_FOOT + 18, f"{low:+,d}", "start"))
    parts.append(_label(WIDTH - RIGHT, BARS_FOOT + 18, f"{high:+,d}", "end"))
    caption = "net result of the players" + ("; the lines are the exact law" if exact else "")
    parts.append(_label(LEFT + (WIDTH - LEFT - RIGHT) / 2, BARS_FOOT + 40, caption))
    return parts


def _label(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


# As a photograph of the drawing ------------------------------------------------------------------


def png(result: Result, law: Law | None = None) -> bytes:
    """The fan and the histogram as PNG, drawn by Matplotlib."""
    figure = figure_of(WIDTH, HEIGHT)
    fan, histogram = figure.subplots(2, 1)
    figure.suptitle(_title(result))
    rows = result.fan()
    if rows:
        marks = [0, *(row["coups"] for row in rows)]
        shares = {q: [0, *(row[f"{q:g}"] for row in rows)] for q in FAN}
        for outer, inner, dense in ((0.05, 0.95, 0.18), (0.25, 0.75, 0.3)):
            fan.fill_between(
                marks, shares[outer], shares[inner], color=GAIN, alpha=dense, linewidth=0
            )
        for path in result.paths[:PATHS]:
            fan.plot(marks, [0, *path], color=EVEN, linewidth=0.6)
        fan.plot(marks, shares[0.5], color=INK, linewidth=1.5)
        fan.axhline(0, color=LOSS, linewidth=0.8)
    fan.set_xlabel("coups")
    fan.set_ylabel("net result: 5 to 95 %, 25 to 75 %, median")
    found = result.histogram(40)
    edges = [*(start for start, *_ in found), 2 * found[-1][0] - found[-2][0]] if found[1:] else []
    if edges:
        colours = [GAIN if s > 0 else LOSS if e < 0 else EVEN for s, e, _ in found]
        wide = edges[1] - edges[0]
        parts = [part for *_, part in found]
        histogram.bar(edges[:-1], parts, wide * 0.84, align="edge", color=colours, alpha=0.75)
        if law is not None:
            histogram.stairs(expected(result, law), edges, color=INK, linewidth=1.5)
    exact = "" if law is None else "; the line is the exact law"
    histogram.set_xlabel(f"net result of the players{exact}")
    histogram.set_ylabel("players")
    picture = BytesIO()
    figure.savefig(picture, format="png")
    return picture.getvalue()
