"""How things show themselves: one short line each, tables and pictures in a notebook."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import novamas as nv

LONGEST = 200
NAMES = [
    "rulebook",
    "article",
    "coup",
    "line",
    "payment",
    "reduction",
    "explanation",
    "settlement",
    "sent back",
    "stake",
    "spot",
    "bet",
    "odds",
    "comparison",
    "simulation",
    "system",
    "table",
    "state",
    "cloth",
    "limits",
    "columns",
    "log",
    "seat",
    "record",
    "trials",
    "view",
    "staking",
    "environment",
]


@cache
def shown() -> dict[str, Any]:
    coup = nv.settle("ar", 17, "ana 17:5 14/17:10 red:50", "luis 17/20:4")
    table = nv.Table("it", players={"anna": 1_000}, seed=7)
    list(table.play("17:5 tiers:6 red:10", coups=5))
    return {
        "rulebook": nv.load("ar"),
        "article": nv.load("ar").articles["AMB-AR-32"],
        "coup": coup,
        "line": coup.lines[0],
        "payment": coup.payments[1],
        "reduction": coup.reductions[0],
        "explanation": coup.explanations()[0][1],
        "settlement": coup.settlement,
        "sent back": nv.settle("it", 17, "anna 17:1").sent_back[0],
        "stake": coup.lines[0].stake,
        "spot": nv.spot("17/20"),
        "bet": nv.parse("17/20:4")[0],
        "odds": nv.odds("es", "red:10 17:5"),
        "comparison": nv.compare("red:10"),
        "simulation": nv.simulate("ar", "red:10", coups=50, players=100),
        "system": nv.simulate("ar", "red:10", coups=5, players=5).plan.system,
        "table": table,
        "state": table.state,
        "cloth": nv.cloth("it", "anna " + " ".join(f"{n}:5" for n in range(37))),
        "limits": nv.Limits.of({"straight": {"max": 5}, "split": {"min": 1}}),
        "columns": coup.columns(),
        "log": nv.Log("ar", "ar", (), ()),
        "seat": nv.connect("http://127.0.0.1:8037", "es", "ana"),
        "record": table.record(),
        "trials": nv.trials("ar", nv.Staking("red:10"), bankroll=100, players=20),
        "view": nv.View(nv.load("ar"), 100, 90),
        "staking": nv.Staking("red:10", system="martingale"),
        "environment": nv.environment("es"),
    }


@pytest.mark.parametrize("name", NAMES)
def test_everything_has_a_short_repr(name: str) -> None:
    assert [*shown()] == NAMES
    told = repr(shown()[name])
    assert len(told) <= LONGEST, told
    assert "\n" not in told
    assert " at 0x" not in told


@pytest.mark.parametrize(
    "name",
    ["rulebook", "coup", "odds", "comparison", "table", "columns", "log", "record", "state"],
)
def test_tables_are_well_formed_html(name: str) -> None:
    html = shown()[name]._repr_html_()
    ET.fromstring(html)  # noqa: S314 - it was made here
    assert "<table>" in html


def test_an_explanation_lists_its_articles_in_html() -> None:
    html = shown()["explanation"]._repr_html_()
    ET.fromstring(html)  # noqa: S314 - it was made here
    assert "<li><b>AR-10.c</b>" in html


@pytest.mark.parametrize("name", ["cloth", "simulation", "trials"])
def test_pictures_are_well_formed_svg(name: str) -> None:
    svg = shown()[name]._repr_svg_()
    assert ET.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314


def test_text_of_users_is_escaped() -> None:
    """Stakes may be made with any name; a name can close no tag."""
    evil = '<script>alert("x")</script>&'
    coup = nv.settle("ar", 17, nv.Stake("b1", evil, nv.spot("17"), 5))
    for html in (coup._repr_html_(), coup.cloth()._repr_svg_()):
        ET.fromstring(html)  # noqa: S314 - it was made here
        assert "<script>" not in html
    log = nv.Log(evil, evil, (), (nv.LoggedCoup(1, 17, {evil: 35}),))
    assert "<script>" not in log._repr_html_()
    text = {**nv.load("ar").title, "en": evil}
    assert "<script>" not in replace(nv.load("ar"), title=text)._repr_html_()


def test_a_long_table_shows_its_first_rows() -> None:
    html = nv.simulate("ar", "red:10", coups=5, players=1_000).table()._repr_html_()
    assert html.count("<tr>") == 102
    assert "900 more rows" in html


def test_a_cloth_is_printed_in_letters() -> None:
    text = str(nv.cloth("it", "anna 17:25 d2:10", number=17))
    assert "[17]" in text
    assert "anna 25" in text


@pytest.mark.slow
def test_charts_are_written_by_the_name_of_the_file(tmp_path: Path) -> None:
    nv.odds("ar", "red:10").plot(tmp_path / "odds.svg")
    nv.compare("red:10").plot(tmp_path / "houses.svg")
    nv.simulate("ar", "red:10", coups=50, players=100).plot(tmp_path / "players.PNG")
    assert (tmp_path / "odds.svg").read_text().startswith("<svg")
    assert (tmp_path / "houses.svg").read_text().startswith("<svg")
    assert (tmp_path / "players.PNG").read_bytes().startswith(b"\x89PNG")


RESULTS = ["coup", "odds", "comparison", "simulation", "table", "log", "record", "trials"]


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_plots_itself_in_a_notebook_and_into_a_file(name: str, tmp_path: Path) -> None:
    result = shown()[name]
    chart = result.plot()
    assert ET.fromstring(chart._repr_svg_()).tag.endswith("svg")  # noqa: S314 - made here
    result.plot(tmp_path / "chart.svg")
    assert (tmp_path / "chart.svg").read_text("utf-8").startswith("<svg")


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_goes_to_polars_pandas_and_arrow(name: str) -> None:
    result = shown()[name]
    rows, names = len(result.columns()), list(result.columns().columns)
    assert (result.to_polars().shape, result.to_polars().columns) == ((rows, len(names)), names)
    assert (result.to_pandas().shape, list(result.to_pandas())) == ((rows, len(names)), names)
    assert (result.to_arrow().num_rows, result.to_arrow().column_names) == (rows, names)


def test_a_wheel_with_two_zeros_makes_a_column_of_texts() -> None:
    table = nv.Table("sd", players={"ana": 100})
    list(table.play("red:10", numbers=["00", 0, 17]))
    assert table.to_polars()["number"].to_list() == ["00", "0", "17"]
    assert table.to_arrow()["number"].to_pylist() == ["00", "0", "17"]


@pytest.mark.parametrize("kind", ["polars"])
def test_results_make_data_frames(kind: str) -> None:
    assert nv.settle("ar", 17, "ana 17:5 red:10").frame(kind).shape[0] == 2
    assert nv.odds("ar", "red:10").frame(kind).columns == ["net", "probability", "fraction"]
    assert nv.compare("red:10").frame(kind)["house"].to_list()[:4] == ["ar", "es", "it", "bg"]
    assert nv.simulate("ar", "red:10", coups=5, players=7).frame(kind).shape == (7, 5)
