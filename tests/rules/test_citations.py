"""In every house each chip that moves cites its article, and another fate cites another."""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from novamas.game import announcements
from novamas.game.cloth import LIMITED, SpotClass
from novamas.game.limits import Limits
from novamas.game.lines import Line, Settlement
from novamas.game.payment import payments
from novamas.game.reduction import reductions
from novamas.game.rulebook.model import Rulebook
from novamas.game.settlement import settle
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import is_zero
from novamas.rulebooks import HOUSES, load, load_any
from novamas.table.decide import coup
from novamas.table.script import run_script
from tests.rules.helpers import pieces

SCENARIOS = json.loads(
    Path(__file__).parents[1].joinpath("scenarios", "scenarios.json").read_text("utf-8")
)


CHANCES = {SpotClass.SIMPLE, SpotClass.DOZEN, SpotClass.COLUMN, SpotClass.STRADDLE}


def met_by_zero(book: Rulebook) -> set[SpotClass]:
    """The chances of which a house says what zero does to them.

    Elsewhere zero is a number like others that a dozen does not cover.
    """
    return CHANCES if book.zero.cites.double else {SpotClass.SIMPLE}


def fate(line: Line) -> str:
    """What became of a stake, in a word or two."""
    told = {"won": line.won, "lost": line.lost, "held": line.held, "back": line.returned}
    return " ".join(word for word, amount in told.items() if amount)


def one_on_each(book: Rulebook) -> list[Stake]:
    """A stake of 12 on every spot of a cloth, which halves evenly, each of another player."""
    return [Stake(spot.name, f"of {spot.name}", spot, 12) for spot in book.terms]


def coups(book: Rulebook) -> Iterator[Settlement]:
    """A coup for every pocket with a stake on every spot."""
    for pocket in book.wheel.pockets:
        yield settle(book, pocket, one_on_each(book))


def uncited(book: Rulebook, articles: tuple[str, ...]) -> bool:
    """Whether nothing is cited, or what the book does not have, or the same twice."""
    known = all(id in book.articles for id in articles)
    return not articles or not known or len(set(articles)) != len(articles)


@pytest.mark.parametrize("house", HOUSES)
def test_every_line_cites_articles_that_the_book_has(house: str) -> None:
    book = load(house)
    for settlement in coups(book):
        assert len(settlement.lines) == len(book.terms)
        for line in settlement.lines:
            assert not uncited(book, line.articles), (settlement.pocket, line)


@pytest.mark.parametrize("house", HOUSES)
def test_two_stakes_of_one_class_with_different_fates_cite_different_articles(house: str) -> None:
    book = load(house)
    cited: dict[SpotClass, dict[str, set[frozenset[str]]]] = defaultdict(lambda: defaultdict(set))
    for settlement in coups(book):
        for line in settlement.lines:
            kind = line.stake.spot.kind
            zero = " by zero" if is_zero(settlement.pocket) and kind in met_by_zero(book) else ""
            cited[kind][fate(line) + zero].add(frozenset(line.articles))
    for kind, fates in cited.items():
        assert len(fates) >= 2, kind
        for one in fates:
            for other in fates:
                if one != other:
                    assert not fates[one] & fates[other], (house, kind, one, other)


@pytest.mark.parametrize("house", HOUSES)
def test_a_winner_cites_what_sets_its_payment_and_a_loser_does_not(house: str) -> None:
    book = load(house)
    for settlement in coups(book):
        for line in settlement.lines:
            terms = book.terms[line.stake.spot]
            pays, only = set(terms.pays_cites), set(terms.pays_cites) - set(terms.spot_cites)
            if line.won:
                assert pays <= set(line.articles)
            else:
                assert not only & set(line.articles)


@pytest.mark.parametrize("house", [id for id in HOUSES if load(id).zero.simple.imprisons])
def test_what_is_in_prison_cites_another_article_for_each_fate(house: str) -> None:
    book = load(house)
    fates: dict[str, set[frozenset[str]]] = defaultdict(set)
    for spot in book.terms:
        if spot.kind is SpotClass.SIMPLE:
            for pocket in book.wheel.pockets:
                held = Prisoner("b1", "ana", spot, 12)
                (line,) = settle(book, pocket, [], prison=[held]).lines
                assert not uncited(book, line.articles)
                fates[fate(line)].add(frozenset(line.articles))
    assert len(fates) == 3
    freed, taken, again = fates.values()
    assert not (freed & taken) | (freed & again) | (taken & again)


@pytest.mark.parametrize("house", [id for id in HOUSES if load(id).excess])
def test_a_winner_above_its_maximum_cites_more_than_one_within_it(house: str) -> None:
    book = load(house)
    most = Limits.of({kind.value: {"max": 4} for kind in LIMITED})
    for pocket in book.wheel.pockets:
        within = {line.stake.id: line for line in settle(book, pocket, one_on_each(book)).lines}
        for line in settle(book, pocket, one_on_each(book), limits=most).lines:
            assert not uncited(book, line.articles)
            if line.won:
                assert set(line.articles) > set(within[line.stake.id].articles), line


@pytest.mark.parametrize("house", HOUSES)
def test_every_payment_cites_what_puts_it_in_its_place(house: str) -> None:
    book = load(house)
    for settlement in coups(book):
        for payment in payments(book, settlement):
            assert payment.won > 0
            assert not uncited(book, payment.articles), payment


@pytest.mark.parametrize("house", HOUSES)
def test_every_piece_of_an_announcement_cites_its_call(house: str) -> None:
    book = load(house)
    for name in announcements.names(book):
        call = announcements.call_of(book, name)
        assert call is not None
        laid = pieces(house, name, 6 * len(call.pieces))
        alone = [replace(piece, announcement=None, call=None) for piece in laid]
        for pocket in book.wheel.pockets:
            plain = {line.stake.id: line for line in settle(book, pocket, alone).lines}
            for line in settle(book, pocket, laid).lines:
                assert not uncited(book, line.articles)
                assert set(line.articles) > set(plain[line.stake.id].articles), line


def test_every_reduction_cites_why_and_every_step_what_makes_a_pleno() -> None:
    book = load("ar")
    hers = [replace(stake, player="ana") for stake in one_on_each(book)]
    played = (settle(book, pocket, hers) for pocket in book.wheel.pockets)
    made = [each for settlement in played for each in reductions(book, settlement)]
    assert len(made) == len(book.wheel.pockets)
    for reduction in made:
        assert not uncited(book, reduction.articles)
        for step in reduction.steps:
            assert not uncited(book, step.articles)
    assert {step.kind.value for each in made for step in each.steps} == {
        "split",
        "street",
        "corner",
        "sixline",
    }


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[each["id"] for each in SCENARIOS])
def test_in_every_scenario_all_that_is_settled_paid_and_refused_cites(
    scenario: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Settlement] = []

    def watched(*args: Any, **more: Any) -> Settlement:
        seen.append(settle(*args, **more))
        return seen[-1]

    monkeypatch.setattr(coup, "settle", watched)
    outcome = run_script(scenario, load_any)
    book = load_any(scenario["rulebook"])
    assert len(seen) == len(outcome["coups"])
    moved = [line.articles for settlement in seen for line in settlement.lines]
    paid = [each.articles for settlement in seen for each in payments(book, settlement)]
    made = [each for settlement in seen for each in reductions(book, settlement)]
    reduced = [each.articles for each in made]
    steps = [step.articles for each in made for step in each.steps]
    said_no = [tuple(refusal["articles"]) for refusal in outcome["refusals"]]
    for articles in (*moved, *paid, *reduced, *steps, *said_no):
        assert not uncited(book, articles)
