"""The float as the consoles and the room are shown it."""

from __future__ import annotations

import pytest

from novamas.game.limits import placard
from novamas.game.rulebook.behaviours import Act
from novamas.house.table.commands import CountFloat, CreditBank, FillBank, OpenBank, SignFloat
from novamas.house.table.events import FloatOccasion
from novamas.house.views import table_view
from novamas.house.views.decision_pages import DecisionPages
from novamas.house.views.event_view import Audience
from novamas.house.views.float_view import FloatCount, FloatEntry, FloatView
from novamas.house.views.rulebook_view import of_rulebook
from novamas.rulebooks import HOUSES, load
from novamas.table import commands
from novamas.table.identity import MANAGEMENT
from tests.house.croupier.dealt import run
from tests.house.table.floating import FLOAT, FRENCH, MINIMUM, Floating, broken, table


def seen(here: Floating, audience: Audience = Audience.STAFF) -> FloatView:
    """The float in the view of the table."""
    view = table_view.of_table(here.actor.house_table, 0, player=None, audience=audience)
    assert view.float is not None
    return view.float


def to_count(occasion: FloatOccasion, amount: int) -> FloatCount:
    """A count that nobody has made yet."""
    return FloatCount(occasion=occasion, amount=amount, counted=None, expected=None, by=None)


def advances(here: Floating) -> tuple[FloatEntry, ...]:
    """The book of advances, as anybody may see it."""
    pages = DecisionPages(here.actor.house_table.table)
    pages.go_on(here.house.store)
    return pages.page(before=None, most=10, player=None, is_staff=False).advances


@pytest.mark.rule("FR-43.a")
@run
async def test_the_staff_sees_which_count_is_due_and_who_made_it() -> None:
    async with table() as here:
        bare = FloatView(least=FLOAT, uncovered=False, advance=0, refill=0, due=None)
        assert seen(here) == bare
        await here.must(OpenBank(by=MANAGEMENT, amount=FLOAT + 10))
        due = to_count(FloatOccasion.OPENED, FLOAT + 10)
        assert seen(here) == FloatView(
            least=FLOAT, uncovered=False, advance=FLOAT + 10, refill=FLOAT + 10, due=due
        )
        counter = here.who(Act.COUNT_FLOAT)
        await here.must(CountFloat(by=counter, counted=FLOAT + 9))
        counted = seen(here).due
        assert counted is not None
        assert (counted.counted, counted.expected) == (FLOAT + 9, FLOAT + 10)
        assert counted.by == counter
        await here.must(SignFloat(by=here.chief), commands.OpenTable(by=MANAGEMENT))
        assert seen(here).due is None


@pytest.mark.rule("FR-42")
@run
async def test_the_staff_sees_what_a_later_advance_must_be() -> None:
    async with table() as here:
        await here.open(FLOAT + 500)
        assert seen(here).refill == FLOAT + 500
        await here.must(FillBank(by=MANAGEMENT, amount=FLOAT + 500))
        due = seen(here).due
        assert due == to_count(FloatOccasion.REFILLED, FLOAT + 500)


@pytest.mark.rule("FR-53.k")
@run
async def test_the_least_float_follows_the_placard() -> None:
    async with table() as here:
        raised = placard(here.state.book, 3 * MINIMUM).as_data()
        await here.must(commands.ChangeLimits(by=MANAGEMENT, limits=raised))
        assert seen(here).least == 3 * FLOAT


@run
async def test_players_are_shown_no_count_and_no_advance_before_they_are_entered() -> None:
    async with table() as here:
        await here.must(OpenBank(by=MANAGEMENT, amount=FLOAT))
        await here.must(CountFloat(by=here.who(Act.COUNT_FLOAT), counted=FLOAT))
        assert seen(here, Audience.PUBLIC) == FloatView(
            least=FLOAT, uncovered=False, advance=None, refill=None, due=None
        )


@pytest.mark.rule("FR-44.a", "FR-44.b")
@run
async def test_everybody_sees_that_the_bank_cannot_cover_the_bets() -> None:
    async with table() as here:
        await broken(here)
        assert seen(here, Audience.PUBLIC).uncovered
        assert seen(here).uncovered
        await here.must(FillBank(by=MANAGEMENT, amount=FLOAT))
        await here.enter()
        assert not seen(here).uncovered


@pytest.mark.rule("FR-43.d", "FRAM-43", "FRAN-43")
@pytest.mark.parametrize("rulebook", FRENCH)
@run
async def test_anybody_reads_the_book_of_advances(rulebook: str) -> None:
    async with table(rulebook) as here:
        assert advances(here) == ()
        await here.open()
        await here.must(FillBank(by=MANAGEMENT, amount=FLOAT))
        await here.enter()
        await here.must(commands.CloseTable(by=MANAGEMENT))
        await here.enter()
        await here.must(CreditBank(by=MANAGEMENT, amount=2 * FLOAT))
        told = [(each.occasion, each.amount, each.counted) for each in advances(here)]
        assert told == [
            (FloatOccasion.CLOSED, 0, 2 * FLOAT),
            (FloatOccasion.REFILLED, FLOAT, 2 * FLOAT),
            (FloatOccasion.OPENED, FLOAT, FLOAT),
        ]
        first = advances(here)[-1]
        assert (first.expected, first.signed_by) == (FLOAT, here.chief)
        assert first.counted_by == here.who(Act.COUNT_FLOAT)
        assert first.articles
        assert first.at > 0


@pytest.mark.parametrize("rulebook", HOUSES)
def test_the_screens_read_in_the_book_whether_there_is_a_float(rulebook: str) -> None:
    rules, told = load(rulebook).float, of_rulebook(load(rulebook)).float
    assert (told is None) == (rules is None)
    if rules is not None and told is not None:
        assert (told.minima, told.counted) == (rules.minima, rules.counted)
        # Each article once: a book may have one for both.
        behind = dict.fromkeys((*rules.cites.suspends, *rules.cites.resumes))
        assert told.suspension_articles == tuple(behind)


@pytest.mark.parametrize("rulebook", HOUSES)
def test_the_screens_read_which_articles_make_the_placard(rulebook: str) -> None:
    told = of_rulebook(load(rulebook))
    assert told.multiples_articles
    assert set(told.multiples_articles) <= set(told.articles)


@pytest.mark.parametrize("rulebook", ["ar", "es", "it", "bg", "esam", "sd"])
@run
async def test_a_house_without_articles_on_it_shows_no_float(rulebook: str) -> None:
    async with table(rulebook) as here:
        view = table_view.of_table(here.actor.house_table, 0, player=None, audience=Audience.STAFF)
        assert view.float is None
