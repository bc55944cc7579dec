"""The widget that shows coups: what it holds. How it moves in a browser, tests/room says."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import novamas as nv
from novamas.api import widget_class

SOURCES = Path(widget_class.__file__).parent


def played() -> nv.Table:
    table = nv.Table("es", players={"ana": 100, "luis": 100})
    list(table.play({"ana": "red:10", "luis": "17:5"}, numbers=[0, 17, 4]))
    return table


def test_it_holds_cloth_number_and_articles_of_every_coup() -> None:
    table = played()
    for shown in (nv.widget(table), nv.widget(table.record()), nv.widget(table.coups)):
        assert [coup["number"] for coup in shown.coups] == ["0", "17", "4"]
        assert shown.coups[1]["net"] == [["ana", -20], ["luis", 175]]
        assert "<dt>ES-7.2.b3</dt>" in shown.coups[0]["why"][0] + shown.coups[0]["why"][1]
        for coup in shown.coups:
            ET.fromstring(coup["cloth"])  # noqa: S314 - it was made here
            ET.fromstring(f"<div>{''.join(coup['why'])}</div>")  # noqa: S314 - the same


def test_it_explains_in_the_language_that_is_asked_for() -> None:
    why = "".join(nv.widget(played(), language="es").coups[2]["why"])
    assert "Pérdida: 10" in why


def test_a_place_beyond_the_last_coup_is_the_last() -> None:
    shown = nv.widget(played())
    shown.place = 7
    assert (shown.place, repr(shown)) == (2, "<CoupsWidget: coup 3 of 3>")
    shown.place = -1
    assert shown.place == 0


def test_names_of_players_close_no_tag() -> None:
    evil = "<script>alert(1)</script>"
    coup = nv.settle("ar", 17, nv.Stake("b1", evil, nv.spot("17"), 5))
    (shown,) = nv.widget([coup]).coups
    assert "<script>" not in shown["cloth"] + "".join(shown["why"])


@pytest.mark.parametrize("nothing", [[], 7, "coups", [7]])
def test_what_holds_no_coups_is_refused(nothing: Any) -> None:
    with pytest.raises(nv.UsageError, match="played: expected"):
        nv.widget(nothing)


def test_it_fetches_nothing() -> None:
    for name in ("widget.js", "widget.css"):
        text = (SOURCES / name).read_text("utf-8")
        assert "http" not in text
        assert "import " not in text
        assert "url(" not in text
