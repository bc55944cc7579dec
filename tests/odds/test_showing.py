"""How the odds are shown: houses side by side, charts, data frames and plain data."""

import builtins
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import novamas as nv
from novamas.odds import charts, data_frames
from novamas.odds.charts import Bar, Chart
from novamas.odds.compare import compare, comparison
from novamas.odds.data_frames import FrameError, Table
from novamas.odds.layout import Layout
from novamas.odds.many_coups import after_coups
from novamas.odds.number_format import fraction, plain, share
from novamas.odds.one_coup import odds_of
from novamas.odds.play import Play
from novamas.odds.player import Game
from novamas.odds.purse_law import purses_after
from novamas.odds.ruin import ruin_of
from novamas.odds.systems import SYSTEMS
from novamas.rulebooks import HOUSES, load

SVG = "{http://www.w3.org/2000/svg}"


CHARTS: dict[str, Callable[[], Chart]] = {
    "odds": lambda: charts.chart_of_odds(odds_of(load("it"), "red:10 17:5")),
    "many outcomes": lambda: charts.chart_of_odds(
        odds_of(load("es"), "red:1000 even:100 low:10 17:3")
    ),
    "coups": lambda: charts.chart_of_results(after_coups(load("it"), "red:10 17:5", 100)),
    "a million": lambda: charts.chart_of_results(after_coups(load("bg"), "17:1", 10**6)),
    "houses": lambda: charts.chart_of_houses(compare("red:10")),
    "stop-loss": lambda: charts.chart_of_ruin(
        ruin_of(load("ar"), "red:10", 50, target=100, stop_loss=20)
    ),
    "ten coups": lambda: charts.chart_of_ruin(
        ruin_of(load("ar"), "red:10", 50, target=100, coups=10)
    ),
    "nothing": lambda: Chart("<&> nothing", "x", "y", ()),
}


def purse() -> Any:
    play = Play(Layout.read(load("ar"), "red:1"))
    return purses_after(Game(play, SYSTEMS["martingale"], 3), 2)


ANSWERS: dict[str, tuple[Callable[[], Any], int]] = {
    "<ExactResults ar red:1: 2 coups, -0.05 on average, ahead 23.7 %>": (
        lambda: after_coups(load("ar"), "red:1", 2),
        3,
    ),
    "<RoundedResults bg 17:1: 1,000,000 coups, -27027.03 on average, ahead <0.001 %>": (
        lambda: after_coups(load("bg"), "17:1", 10**6),
        39,
    ),
    "<Ruin ar red:1, flat, purse 1: ruin 51.4 %, target 48.6 %>": (
        lambda: ruin_of(load("ar"), "red:1", 1, target=2),
        2,
    ),
    "<Purses: 4 results, -0.07 on average, ahead 48.6 %>": (purse, 4),
}


@pytest.mark.parametrize("said", ANSWERS)
def test_every_answer_is_short_and_has_a_picture_and_rows(said: str, tmp_path: Path) -> None:
    make, rows = ANSWERS[said]
    found = make()
    assert repr(found) == said
    assert found._repr_svg_() == found.plot(tmp_path / "found.svg")._repr_svg_()
    assert (tmp_path / "found.svg").read_text("utf-8") == found._repr_svg_()
    assert len(found.columns()) == len(found.to_polars()) == found.to_arrow().num_rows == rows
    assert 0.99 < sum(found.columns().columns["probability"]) <= 1 + 1e-9


def test_a_settlement_and_an_article_are_short() -> None:
    coup = nv.settle("ar", 17, "ana 17:5 red:10 d2:3")
    assert repr(coup.settlement) == "<Settlement 17: 3 lines>"
    assert all(len(repr(each)) < 90 for each in load("ar").articles.values())


@pytest.mark.parametrize("kind", CHARTS)
def test_a_drawing_has_every_bar_at_its_height(kind: str) -> None:
    chart = CHARTS[kind]()
    drawn = charts.svg(chart)
    assert drawn == charts.svg(chart) == chart._repr_svg_()
    root = ET.fromstring(drawn)  # noqa: S314 - we drew it ourselves.
    titles = root.findall(f"{SVG}title")
    assert titles[0].text == chart.title
    rects = root.findall(f"{SVG}rect")[1:]
    assert len(rects) == len(chart.bars)
    heights = [float(rect.attrib["height"]) for rect in rects]
    if heights:
        tallest = max(bar.value for bar in chart.bars)
        scale = max(heights) / tallest
        assert heights == pytest.approx([bar.value * scale for bar in chart.bars], abs=0.01)
        assert max(heights) <= charts.HEIGHT - charts.TOP - charts.BOTTOM
    for rect in rects:
        assert float(rect.attrib["x"]) >= charts.LEFT
        assert float(rect.attrib["x"]) + float(rect.attrib["width"]) <= charts.WIDTH


@pytest.mark.parametrize("kind", CHARTS)
def test_bars_in_the_terminal_fit_and_are_in_proportion(kind: str) -> None:
    chart = CHARTS[kind]()
    lines = charts.text(chart, 72)
    assert len(lines) == len(chart.bars)
    lengths = [_eighths(line) for line in lines]
    for line, length, bar in zip(lines, lengths, chart.bars, strict=True):
        assert len(line) <= 72
        assert line.lstrip().startswith(bar.name)
        assert line.endswith(bar.shown)
        assert (length > 0) == (bar.value > 0)
    if lines:
        most = max(bar.value for bar in chart.bars)
        for length, bar in zip(lengths, chart.bars, strict=True):
            assert abs(length - bar.value / most * max(lengths)) <= 1


def _eighths(line: str) -> int:
    return sum(charts.BARS.index(letter) + 1 for letter in line if letter in charts.BARS)


def test_a_picture_as_png() -> None:
    picture = charts.png(CHARTS["odds"]())
    assert picture.startswith(b"\x89PNG\r\n")
    assert len(picture) > 5_000


def test_a_chart_tells_gain_from_loss() -> None:
    sides = {bar.name: bar.side for bar in CHARTS["odds"]().bars}
    assert sides == {"-15": -1, "-10": -1, "+5": 1, "+165": 1}
    assert [bar.name for bar in CHARTS["stop-loss"]().bars] == ["ruin", "target", "stop-loss"]
    assert [bar.name for bar in CHARTS["ten coups"]().bars] == ["ruin", "target", "still playing"]


def test_without_matplotlib_a_png_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *args: Any, **more: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(charts.ChartError, match=r"novamas\[maths\]"):
        charts.png(Chart("t", "x", "y", (Bar("a", 1.0, "1"),)))


def test_the_houses_side_by_side() -> None:
    found = compare("red:10", choice="half")
    assert [(at.house, at.odds and at.odds.edge) for at in found] == [
        ("ar", Fraction(1, 37)),
        ("es", Fraction(1, 74)),
        ("it", Fraction(1, 74)),
        ("bg", Fraction(1, 37)),
        ("fr", Fraction(1, 74)),
        ("fram", Fraction(1, 19)),
        ("fran", Fraction(1, 74)),
        ("esam", Fraction(1, 74)),
        ("sd", Fraction(1, 19)),
    ]
    refused = {at.house: at.refused for at in compare("d1+d2:10") if at.odds is None}
    assert set(refused) == {"it", "bg", "fram", "sd"}
    assert all("d1+d2" in why and "(" in why for why in refused.values())
    columns = comparison(compare("d1+d2:10")).columns
    assert columns["house"] == [*HOUSES]
    for house, edge, why in zip(HOUSES, columns["edge_fraction"], columns["refused"], strict=True):
        assert edge == (None if house in refused else "1/37")
        assert why == refused.get(house)
    five = {at.house: at.odds.edge for at in compare("0/00/1/2/3:5") if at.odds}
    assert five == {"fram": Fraction(3, 38), "sd": Fraction(3, 38)}
    assert [at.house for at in compare("red:1", [load("it")])] == ["it"]


def test_data_frames_where_they_are_asked_for() -> None:
    import polars as pl

    table = odds_of(load("it"), "red:10 17:5").table()
    frame = table.as_frame()
    assert isinstance(frame, pl.DataFrame)
    assert frame["net"].to_list() == [-15, -10, 5, 165]
    assert frame["probability"].sum() == pytest.approx(1)
    assert frame["fraction"].to_list()[2] == "18/37"
    assert comparison(compare("d1+d2:10")).as_frame("polars")["edge"].null_count() == 4
    assert after_coups(load("ar"), "red:1", 10).table().as_frame().height > 5
    with pytest.raises(ValueError, match="polars or pandas"):
        table.as_frame("spreadsheet")


def test_without_data_frames_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(data_frames, "import_module", missing)
    table = Table({"a": [1, 2]})
    assert table.rows() == [{"a": 1}, {"a": 2}]
    with pytest.raises(FrameError, match=r"polars or pandas: install novamas\[maths\]"):
        table.as_frame()
    with pytest.raises(FrameError, match="need pandas"):
        table.as_frame("pandas")


def test_plain_data_is_plain() -> None:
    for answer in (
        odds_of(load("es"), "red:10"),
        after_coups(load("es"), "red:10", 50),
        ruin_of(load("es"), "red:10", 50, target=100),
    ):
        data = answer.as_data()
        assert json.loads(json.dumps(data)) == data
    data = odds_of(load("ar"), "17:1").as_data()
    assert data["outcomes"] == {"-1": "36/37", "35": "1/37"}
    assert data["edge"] == "1/37"


@pytest.mark.parametrize("value", [0.0, 1e-12, 0.00099, 0.5, 1.0])
def test_a_share_is_short(value: float) -> None:
    assert re.fullmatch(r"<?[0-9.]+ %", share(value))
    assert len(share(value)) <= 8


@pytest.mark.parametrize(
    "value", [-3.0, -0.0405, -1e-6, -1e-12, 1e-12, 1e-7, 0.02, 1.0, 12.0, 12345.678, 98765432.1]
)
def test_no_number_is_written_as_a_power_of_ten(value: float) -> None:
    assert re.fullmatch(r"[<>]?-?[0-9.]+ %", share(value))
    for digits in (1, 3, 6):
        told = plain(value, digits, sign=True)
        assert re.fullmatch(r"[+-][0-9]+(\.[0-9]*[1-9])?", told)
        assert abs(float(told) - value) <= abs(value) * 10.0 ** (1 - digits) / 2 * 1.0001


def test_a_house_that_loses_by_a_layout_keeps_less_than_nothing() -> None:
    """The odd unit of half a chip is the player's (X-03), and the edge is written in full."""
    told = odds_of(load("ar"), "d1+d2:5")
    assert fraction(told.edge) == "-7/185 = -3.78 %"
    drawn = charts.chart_of_houses(compare("d1+d2:5", [load("ar"), load("es")]))
    assert "-7/185 = -3.78 %" in charts.svg(drawn)
    assert charts.text(drawn)[0].split() == ["ar", "-7/185", "=", "-3.78", "%"]


def test_the_odds_start_without_the_heavy_packages() -> None:
    """Nothing of the extra is imported by importing the odds."""
    program = (
        "import sys, novamas.odds.one_coup, novamas.odds.many_coups, novamas.odds.ruin, "
        "novamas.odds.charts, novamas.odds.compare; "
        "heavy = ('numpy', 'polars', 'matplotlib', 'numba', 'pandas'); "
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"
