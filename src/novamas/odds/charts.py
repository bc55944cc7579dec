"""Charts: bars in the terminal, SVG, and PNG where the extra `maths` is installed.

A chart is plain data. The same chart always gives the same text and the same SVG.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from io import BytesIO
from math import floor, log10
from os import PathLike
from pathlib import Path
from typing import Any, Final

from novamas.game.arguments import shown
from novamas.game.errors import NovamasError, UsageError, has_type
from novamas.odds.compare import AtHouse
from novamas.odds.many_coups import Results
from novamas.odds.number_format import counted, fraction, plain, share, spread
from novamas.odds.one_coup import Odds
from novamas.odds.purse_law import Purses
from novamas.odds.ruin import Ruin

BARS: Final = "▏▎▍▌▋▊▉█"
MOST_BARS: Final = 60
WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 72, 20, 64, 72
FONT: Final = "Georgia, 'Times New Roman', serif"
GAIN, LOSS, EVEN, INK, FAINT = "#1f6f54", "#a8322d", "#8a8270", "#2b2a26", "#d9d3c3"


class ChartError(NovamasError, ImportError):
    """A picture needs a package that is not installed."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a chart: its name below it, its height, and the number written on it."""

    name: str
    value: float
    shown: str
    side: int = 0
    """1 for a gain, -1 for a loss, 0 for neither."""


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars with a title and the names of the two axes."""

    title: str
    across: str
    """What the names of the bars are."""
    upwards: str
    """What the heights of the bars are."""
    bars: tuple[Bar, ...]

    def _repr_svg_(self) -> str:
        return svg(self)


def _side(amount: float) -> int:
    return (amount > 0) - (amount < 0)


def chart_of_odds(odds: Odds) -> Chart:
    """The outcomes of a layout. If there are too many for a picture, the likeliest are drawn."""
    return _likeliest(odds.outcomes, f"{odds.layout} ({odds.house})")


def chart_of_purses(found: Purses) -> Chart:
    """What a purse has won or lost. If there are too many results, the likeliest are drawn."""
    return _likeliest(found.chances, "what a purse comes to")


def _likeliest(chances: Mapping[Any, Fraction | float], title: str) -> Chart:
    likeliest = sorted(chances.items(), key=lambda item: item[1], reverse=True)[:MOST_BARS]
    bars = tuple(
        Bar(plain(float(net), 6, sign=True), float(chance), share(float(chance)), _side(float(net)))
        for net, chance in sorted(likeliest)
    )
    return Chart(title, "net result", "probability", bars)


def chart_of_results(results: Results, bins: int = 40) -> Chart:
    """The law of many coups, in intervals."""
    bars = tuple(
        Bar(
            spread(start, end),
            float(chance),
            share(float(chance)),
            _side(start) if start * end > 0 else 0,
        )
        for start, end, chance in results.histogram(bins)
    )
    title = f"{results.layout} ({results.house}), {counted(results.coups, 'coup')}"
    return Chart(title, "net result", "probability", bars)


def chart_of_houses(found: Iterable[AtHouse]) -> Chart:
    """What each house keeps of a layout; a house with a negative edge has a number and no bar."""
    rows = [at.odds for at in found if at.odds is not None]
    bars = tuple(Bar(o.house, max(float(o.edge), 0.0), fraction(o.edge), -1) for o in rows)
    layout = rows[0].layout if rows else ""
    return Chart(f"{layout}: what the house keeps", "house", "edge", bars)


def chart_of_ruin(found: Ruin) -> Chart:
    """How a purse ends."""
    ways = [("ruin", found.ruin, -1), ("target", found.reached, 1)]
    if found.stop_loss is not None:
        ways.append(("stop-loss", found.stopped, -1))
    if found.coups is not None:
        ways.append(("still playing", found.playing, 0))
    bars = tuple(Bar(name, float(p), share(float(p)), side) for name, p, side in ways)
    title = f"{found.layout} ({found.house}), {found.system}, purse {found.bankroll}"
    return Chart(title, "how it ends", "probability", bars)


# In the terminal ---------------------------------------------------------------------------------


def chart_of_players(net: Mapping[str, int], title: str) -> Chart:
    """What each player won or lost; the length of a bar is the amount, its colour the side."""
    bars = tuple(Bar(name, float(abs(won)), f"{won:+,}", _side(won)) for name, won in net.items())
    return Chart(title, "player", "won or lost", bars)


def text(chart: Chart, width: int = 60) -> list[str]:
    """The chart as lines of text: a name, a bar and a number each.

    >>> bars = (Bar("-1", 36 / 37, "97.3 %"), Bar("+35", 1 / 37, "2.7 %"))
    >>> text(Chart("17:1", "net", "probability", bars), width=24)
    [' -1  ███████████  97.3 %', '+35  ▎            2.7 %']
    """
    if not chart.bars:
        return []
    names = max(len(bar.name) for bar in chart.bars)
    room = max(8, width - names - 4 - max(len(bar.shown) for bar in chart.bars))
    most = max(bar.value for bar in chart.bars) or 1
    return [
        f"{bar.name:>{names}}  {_drawn(bar.value / most * room):<{room}}  {bar.shown}"
        for bar in chart.bars
    ]


def _drawn(length: float) -> str:
    """A bar of a width in columns, to an eighth of one; every value above zero is visible."""
    eighths = round(length * 8) or (length > 0)
    full, rest = divmod(int(eighths), 8)
    return BARS[-1] * full + (BARS[rest - 1] if rest else "")


# As a drawing ------------------------------------------------------------------------------------


def svg(chart: Chart) -> str:
    """The chart as SVG."""
    wide = (WIDTH - LEFT - RIGHT) / max(1, len(chart.bars))
    high = HEIGHT - TOP - BOTTOM
    ticks = _ticks(max((bar.value for bar in chart.bars), default=1.0) or 1.0)
    top = ticks[-1]
    described = "; ".join(f"{bar.name}: {bar.shown}" for bar in chart.bars)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
    parts = [
        f'{head} font-family="{escape(FONT)}" fill="{INK}">',
        f"<title>{escape(chart.title)}</title>",
        f"<desc>{escape(described)}</desc>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fbf8f0"/>',
        f'<text x="{LEFT}" y="34" font-size="20">{escape(chart.title)}</text>',
    ]
    for tick in ticks:
        y = TOP + high * (1 - tick / top)
        parts.append(f'<path d="M{LEFT} {_n(y)}H{WIDTH - RIGHT}" stroke="{FAINT}"/>')
        parts.append(_label(LEFT - 8, y + 4, share(tick), anchor="end"))
    # With many bars there is only room for some names and numbers.
    longest = max((len(bar.name) for bar in chart.bars), default=1)
    every = max(1, -(-int(7 * longest + 12) // max(1, int(wide))))
    for place, bar in enumerate(chart.bars):
        tall = high * bar.value / top
        x, y = LEFT + place * wide, TOP + high - tall
        colour = {1: GAIN, -1: LOSS}.get(bar.side, EVEN)
        parts.append(
            f'<rect x="{_n(x + wide * 0.08)}" y="{_n(y)}" width="{_n(wide * 0.84)}" '
            f'height="{_n(tall)}" fill="{colour}">'
            f"<title>{escape(bar.name)}: {escape(bar.shown)}</title></rect>"
        )
        if place % every == 0:
            parts.append(_label(x + wide / 2, HEIGHT - BOTTOM + 18, bar.name))
        if 7 * len(bar.shown) < wide:
            parts.append(_label(x + wide / 2, y - 6, bar.shown))
    parts.append(f'<path d="M{LEFT} {HEIGHT - BOTTOM}H{WIDTH - RIGHT}" stroke="{INK}"/>')
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    parts.append(_label(middle, HEIGHT - 24, chart.across, size=14))
    parts.append(_label(LEFT - 8, TOP - 14, chart.upwards, anchor="end", size=14))
    return "\n".join([*parts, "</svg>"]) + "\n"


def _label(x: float, y: float, text: str, *, anchor: str = "middle", size: int = 12) -> str:
    return (
        f'<text x="{_n(x)}" y="{_n(y)}" font-size="{size}" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _ticks(most: float) -> Sequence[float]:
    """Round numbers from 0 to at least the greatest value."""
    size = 10.0 ** floor(log10(most))
    step = next(size * part for part in (0.2, 0.5, 1, 2) if most / (size * part) <= 6)
    return [step * place for place in range(int(-(-most // step)) + 1)]


# As a photograph of the drawing ------------------------------------------------------------------


def figure_of(width: int, height: int) -> Any:
    """An empty picture of Matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ChartError("PNG needs matplotlib: install novamas[maths], or ask for SVG") from None
    return Figure(figsize=(width / 100, height / 100), dpi=200, layout="constrained")


def png(chart: Chart) -> bytes:
    """The chart as PNG, drawn by Matplotlib."""
    figure = figure_of(WIDTH, HEIGHT)
    axes = figure.add_subplot()
    places = range(len(chart.bars))
    colours = [{1: GAIN, -1: LOSS}.get(bar.side, EVEN) for bar in chart.bars]
    axes.bar(places, [bar.value for bar in chart.bars], color=colours)
    every = max(1, -(-len(chart.bars) // 12))
    axes.set_xticks(list(places)[::every], [bar.name for bar in chart.bars][::every], rotation=30)
    axes.set_title(chart.title)
    axes.set_xlabel(chart.across)
    axes.set_ylabel(chart.upwards)
    picture = BytesIO()
    figure.savefig(picture, format="png")
    return picture.getvalue()


def plotted(chart: Chart, path: str | PathLike[str] | None) -> Chart:
    """The chart, which shows itself in a notebook; written to a file too, where one is named."""
    if path is not None:
        write(chart, path)
    return chart


def write(chart: Chart, path: str | PathLike[str]) -> None:
    """Writes a chart to a file, as SVG or PNG by its extension."""
    write_picture(path, svg=lambda: svg(chart), png=lambda: png(chart))


def write_picture(
    path: str | PathLike[str], *, svg: Callable[[], str], png: Callable[[], bytes]
) -> None:
    """Writes a picture to a file, as SVG or PNG by its extension."""
    if not has_type(path, str, PathLike):
        raise UsageError(f"path: expected the name of a file, not {shown(path)}")
    file = Path(path)
    makers: dict[str, Callable[[], bytes]] = {".svg": lambda: svg().encode(), ".png": png}
    make = makers.get(file.suffix.lower())
    if make is None:
        raise UsageError(f"path: expected a name that ends in .svg or .png, not {str(path)!r}")
    file.write_bytes(make())
