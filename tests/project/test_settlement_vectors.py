"""The conformance vectors of settlement: current, complete, and true when read by themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import novamas as nv
from novamas.game.limits import Limits
from novamas.game.rulebook.behaviours import ChipKind, Winning, ZeroRule
from novamas.game.rulebook.model import Rulebook
from novamas.game.settlement import settle
from scripts.vectors.settlement import TARGET, cited_by, expected, written

HOUSES = nv.houses()
ELSEWHERE: dict[str, frozenset[str]] = {
    "zero": frozenset(("void_reopens_choice", "unchosen", "taken", "small_halves_stay")),
    "excess": frozenset(("multiples_until", "chances_until")),
}
"""The keys of a section that a table cites when it refuses or returns, not when it settles."""


@cache
def vectors(house: str) -> list[dict[str, Any]]:
    data = json.loads((TARGET / f"{house}.json").read_text("utf-8"))
    assert (data["novamas"], data["house"]) == ("settlement vectors 1", house)
    found: list[dict[str, Any]] = data["vectors"]
    return found


def ids(cites: object) -> Iterator[str]:
    if isinstance(cites, str):
        yield cites
    elif isinstance(cites, Mapping):
        for each in cites.values():
            yield from ids(each)
    elif isinstance(cites, tuple):
        for each in cites:
            yield from ids(each)


def of_settlement(book: Rulebook) -> dict[str, str]:
    """Every article that decides a settlement, by the book itself → the datum that cites it."""
    found: dict[str, str] = {}
    for spot, terms in book.terms.items():
        for article in (*terms.spot_cites, *terms.pays_cites):
            found.setdefault(article, f"spots {spot.name}")
    for name, call in book.announcements.calls.items():
        for article in (*call.cites, *ids(call.piece_cites)):
            found.setdefault(article, f"announcement {name}")
    sections = {
        "settled": book.settled,
        "zero": book.zero.cites,
        "excess": book.excess and book.excess.cites,
        "payment": book.payment.cites,
        "reduction": book.reduction and book.reduction.cites,
    }
    for section, cites in sections.items():
        for key, cited in vars(cites).items() if cites else ():
            if key not in ELSEWHERE.get(section, ()):
                for article in ids(cited):
                    found.setdefault(article, f"{section}.{key}")
    if book.zero.simple is not ZeroRule.LOSE:
        # What zero does otherwise is cited under half, prison and the like.
        left = {each for each in ids(book.zero.cites.simple) if found.get(each) == "zero.simple"}
        found = {article: datum for article, datum in found.items() if article not in left}
    return found


@pytest.mark.parametrize("house", HOUSES)
def test_the_vectors_are_those_of_today(house: str) -> None:
    path: Path = TARGET / f"{house}.json"
    assert path.read_text("utf-8") == written(nv.load(house)), (
        "python -m scripts.vectors.settlement writes them anew"
    )


@pytest.mark.parametrize("house", HOUSES)
def test_every_article_of_a_settlement_occurs(house: str) -> None:
    shown = set[str]().union(*(cited_by(each["expect"]) for each in vectors(house)))
    missing = {a: d for a, d in of_settlement(nv.load(house)).items() if a not in shown}
    assert not missing


def stake_of(kind: type[Any], data: dict[str, Any]) -> Any:
    given = {name: value for name, value in data.items() if name != "on"}
    if "kind" in given:
        given["kind"] = ChipKind(given["kind"])
    return kind(spot=nv.spot(data["on"]), **given)


@pytest.mark.parametrize("house", HOUSES)
def test_a_vector_read_from_the_file_alone_settles_as_it_says(house: str) -> None:
    book = nv.load(house)
    for vector in vectors(house):
        found = settle(
            book,
            vector["pocket"],
            [stake_of(nv.Stake, each) for each in vector["stakes"]],
            prison=[stake_of(nv.Prisoner, each) for each in vector["prison"]],
            limits=Limits.of(vector["limits"]),
            winning=Winning(vector["winning"]),
            last=vector["last"],
        )
        assert expected(book, found) == vector["expect"]


@pytest.mark.parametrize("house", HOUSES)
def test_every_line_of_a_vector_accounts_for_every_unit(house: str) -> None:
    """By the rules of arithmetic that the page names, without the package."""
    for vector in vectors(house):
        laid = {each["id"]: each["amount"] for each in (*vector["stakes"], *vector["prison"])}
        lines = vector["expect"]["lines"]
        assert sorted(laid) == sorted(line["id"] for line in lines)
        for line in lines:
            went = ("returned", "lost", "held", "stays", "aside", "reduced")
            # What is left is the part of the winnings that goes to the player's hand.
            left = laid[line["id"]] + line.get("won", 0) - sum(line.get(name, 0) for name in went)
            assert 0 <= left <= line.get("won", 0)
            assert line["amount"] == laid[line["id"]]
            assert line["articles"]
        assert vector["expect"]["bank"] == sum(
            line.get("lost", 0) - line.get("won", 0) for line in lines
        )
