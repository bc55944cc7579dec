"""The float of a table where the book has articles on it: France (N-22)."""

from __future__ import annotations

import pytest

from novamas.game.limits import placard
from novamas.game.rulebook.behaviours import Act
from novamas.house.log.verify import verify_table
from novamas.house.refusals import HouseRefusalReason
from novamas.house.table import snapshot
from novamas.house.table.commands import CountFloat, CreditBank, FillBank, OpenBank, SignFloat
from novamas.house.table.events import BankUncovered, FloatCounted, FloatEntered, FloatOccasion
from novamas.house.views.event_view import Audience, of_record
from novamas.house.views.history import replayed
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.events import TableResumed, TableSuspended
from novamas.table.identity import MANAGEMENT, Officer
from novamas.table.state import Phase
from tests.house.croupier.dealt import dealt, run
from tests.house.table.floating import FLOAT, FRENCH, MINIMUM, broken, table

# The amount ---------------------------------------------------------------------------------------


@pytest.mark.rule("FR-49", "FRAM-43", "FRAN-43")
@pytest.mark.parametrize("rulebook", FRENCH)
@run
async def test_the_float_is_at_least_so_many_minima_of_the_placard(rulebook: str) -> None:
    async with table(rulebook) as here:
        small = OpenBank(by=MANAGEMENT, amount=FLOAT - 1)
        refusal = await here.refused(small, HouseRefusalReason.FLOAT_TOO_SMALL)
        assert refusal.articles == load(rulebook).float.cites.minima  # type: ignore[union-attr]
        assert str(FLOAT) in refusal.detail
        await here.open()
        assert here.state.phase is Phase.BETTING


@pytest.mark.rule("FR-53.j", "FR-53.k", "FR-49")
@run
async def test_a_raised_minimum_raises_the_float() -> None:
    async with table() as here:
        await here.must(OpenBank(by=MANAGEMENT, amount=FLOAT))
        raised = placard(here.state.book, 2 * MINIMUM).as_data()
        await here.must(commands.ChangeLimits(by=MANAGEMENT, limits=raised))
        await here.enter()
        opening = commands.OpenTable(by=MANAGEMENT)
        await here.refused(opening, HouseRefusalReason.FLOAT_TOO_SMALL)
        # Until the table opens its float is not fixed: anything may be added.
        await here.must(FillBank(by=MANAGEMENT, amount=FLOAT + 100))
        await here.enter()
        await here.must(opening)
        assert here.actor.house_table.advance == 2 * FLOAT + 100


@pytest.mark.rule("FR-42")
@run
async def test_later_advances_equal_the_first() -> None:
    async with table() as here:
        await here.open(FLOAT + 500)
        for amount in (FLOAT, FLOAT + 499, 2 * FLOAT + 1000):
            fill = FillBank(by=MANAGEMENT, amount=amount)
            refusal = await here.refused(fill, HouseRefusalReason.REFILL_NOT_EQUAL)
            assert refusal.articles == ("FR-42",)
        await here.must(FillBank(by=MANAGEMENT, amount=FLOAT + 500))


@pytest.mark.rule("FR-53.k", "FR-53.l")
@run
async def test_a_table_reopens_with_the_float_of_its_new_placard() -> None:
    async with table() as here:
        await here.open()
        raised = placard(here.state.book, 2 * MINIMUM).as_data()
        reopen = commands.ReopenTable(by=MANAGEMENT, limits=raised)
        await here.refused(reopen, HouseRefusalReason.FLOAT_TOO_SMALL)
        await here.must(FillBank(by=MANAGEMENT, amount=FLOAT))
        await here.enter()
        await here.must(reopen)
        assert here.actor.house_table.advance == 2 * FLOAT
        launch = commands.LaunchBall(by=here.who(Act.LAUNCH_BALL))
        await here.refused(launch, HouseRefusalReason.FLOAT_NOT_COUNTED)
        await here.enter()
        await here.must(launch)
        assert here.state.ball_launched
        entries = here.events(FloatEntered)
        assert [(each.occasion, each.amount) for each in entries] == [
            ("opened", FLOAT),
            ("refilled", FLOAT),
            ("opened", 2 * FLOAT),
        ]


# Counted and signed -------------------------------------------------------------------------------


@pytest.mark.rule("FR-43.a")
@run
async def test_a_table_opens_once_its_float_is_counted_and_signed() -> None:
    async with table() as here:
        opening, counter = commands.OpenTable(by=MANAGEMENT), here.who(Act.COUNT_FLOAT)
        await here.refused(CountFloat(by=counter, counted=1), HouseRefusalReason.NO_COUNT_DUE)
        await here.must(OpenBank(by=MANAGEMENT, amount=FLOAT))
        refusal = await here.refused(opening, HouseRefusalReason.FLOAT_NOT_COUNTED)
        assert refusal.articles == ("FR-43.a", "FR-43.b", "FR-43.d")
        signing = SignFloat(by=here.chief)
        await here.refused(signing, HouseRefusalReason.NO_COUNT_DUE)
        assert await here.ask(CountFloat(by=here.chief, counted=FLOAT)) is not None
        await here.must(CountFloat(by=counter, counted=FLOAT))
        await here.refused(opening, HouseRefusalReason.FLOAT_NOT_COUNTED)
        # Nobody signs their own count, as an officer of the house neither.
        assert await here.ask(SignFloat(by=counter)) is not None
        await here.refused(SignFloat(by=Officer(counter)), HouseRefusalReason.TAKES_TWO)
        await here.must(signing, opening)
        (entry,) = here.events(FloatEntered)
        assert (entry.counted, entry.expected, entry.amount) == (FLOAT, FLOAT, FLOAT)
        assert (entry.counted_by, entry.signed_by) == (counter, here.chief)


@pytest.mark.rule("FR-43.a")
@run
async def test_a_refill_is_counted_before_the_next_launch() -> None:
    async with table() as here:
        await here.open()
        launch = commands.LaunchBall(by=here.who(Act.LAUNCH_BALL))
        await here.must(FillBank(by=MANAGEMENT, amount=FLOAT))
        await here.refused(launch, HouseRefusalReason.FLOAT_NOT_COUNTED)
        await here.enter()
        await here.must(launch)
        assert here.state.ball_launched


@run
async def test_a_wrong_count_is_entered_as_it_is() -> None:
    async with table() as here:
        await here.must(OpenBank(by=MANAGEMENT, amount=FLOAT))
        counter = here.who(Act.COUNT_FLOAT)
        for wrong in (-1, True):
            assert await here.ask(CountFloat(by=counter, counted=wrong)) is not None
        # It may be counted again until it is signed; the last count is entered.
        await here.must(CountFloat(by=counter, counted=FLOAT - 7))
        await here.must(CountFloat(by=counter, counted=FLOAT - 5), SignFloat(by=MANAGEMENT))
        (entry,) = here.events(FloatEntered)
        assert (entry.counted, entry.expected) == (FLOAT - 5, FLOAT)
        assert here.bank == FLOAT


@pytest.mark.rule("FR-43.b")
@run
async def test_the_closing_count_comes_before_the_bank_is_emptied() -> None:
    async with table() as here:
        await here.open()
        await here.must(commands.CloseTable(by=MANAGEMENT))
        credit = CreditBank(by=MANAGEMENT, amount=FLOAT)
        await here.refused(credit, HouseRefusalReason.FLOAT_NOT_COUNTED)
        await here.enter()
        await here.must(credit)
        assert [each.occasion for each in here.events(FloatEntered)] == ["opened", "closed"]
        assert verify_table(here.house.store, "t").is_sound


@pytest.mark.rule("FR-43.d")
@run
async def test_players_read_the_entries_and_nothing_else_of_the_bank() -> None:
    async with table() as here:
        await here.open()
        shown = {
            record.type: of_record(record, Audience.PUBLIC) for record in here.house.store.read("t")
        }
        assert shown["FloatEntered"] is not None
        assert b'"amount":30000' in shown["FloatEntered"]
        for hidden in ("BankOpened", "FloatCounted"):
            assert b"30000" not in (shown[hidden] or b"")
        assert here.events(FloatCounted)


@run
async def test_it_is_in_a_snapshot() -> None:
    async with table() as here:
        await here.must(OpenBank(by=MANAGEMENT, amount=FLOAT))
        await here.must(CountFloat(by=here.who(Act.COUNT_FLOAT), counted=FLOAT))
        house_table = here.actor.house_table
        recalled = snapshot.recall(snapshot.remember(house_table))
        assert recalled.float_due == house_table.float_due
        assert recalled.float_due is not None
        assert (recalled.advance, recalled.is_uncovered) == (FLOAT, False)


# What the bank cannot cover -----------------------------------------------------------------------


@pytest.mark.rule("FR-44.a", "AMB-FR-16")
@run
async def test_a_coup_that_the_bank_cannot_cover_is_paid_and_then_play_is_suspended() -> None:
    async with table() as here:
        await broken(here)
        assert here.bank == 100 - 350
        assert (
            here.state.players["ana"].purse
            + here.state.on_spot.get(("ana", here.state.book.cloth.plan.spots["17"]), 0)
            == 1_000 + 350
        )
        assert here.state.suspended
        (uncovered,) = here.events(BankUncovered)
        (suspended,) = here.events(TableSuspended)
        assert uncovered.articles == suspended.articles == ("FR-44.a", "AMB-FR-16")
        launch = commands.LaunchBall(by=here.who(Act.LAUNCH_BALL))
        assert await here.ask(launch) is not None


@pytest.mark.rule("FR-44.b")
@run
async def test_play_goes_on_after_a_refill() -> None:
    async with table() as here:
        await broken(here)
        resume = commands.Resume(by=MANAGEMENT)
        refusal = await here.refused(resume, HouseRefusalReason.BANK_CANNOT_COVER)
        assert refusal.articles == ("FR-44.b",)
        await here.must(FillBank(by=MANAGEMENT, amount=FLOAT))
        assert here.events(TableResumed) == []
        await here.enter()
        assert not here.is_suspended
        assert len(here.events(TableResumed)) == 1
        await here.must(commands.LaunchBall(by=here.who(Act.LAUNCH_BALL)))
        assert verify_table(here.house.store, "t").is_sound


@run
async def test_a_suspension_for_another_reason_outlasts_a_refill() -> None:
    async with table() as here:
        await here.open()
        await here.must(commands.Suspend(by=MANAGEMENT, reason="a quarrel"))
        await here.must(FillBank(by=MANAGEMENT, amount=FLOAT))
        await here.enter()
        assert here.state.suspended
        await here.must(commands.Resume(by=MANAGEMENT))


# An interruption ----------------------------------------------------------------------------------


@pytest.mark.rule("FR-50", "FRAM-43", "FRAN-43")
@pytest.mark.parametrize("rulebook", FRENCH)
@run
async def test_while_play_is_suspended_the_float_may_be_counted(rulebook: str) -> None:
    async with table(rulebook) as here:
        await here.open()
        await here.must(commands.Suspend(by=MANAGEMENT, reason="a quarrel"))
        await here.enter()
        *_, entered = here.events(FloatEntered)
        assert (entered.occasion, entered.amount) == (FloatOccasion.INTERRUPTED, 0)
        assert entered.counted == entered.expected == here.bank
        rules = load(rulebook).float
        assert rules is not None
        assert entered.articles == rules.cites.interrupted
        assert here.actor.house_table.float_due is None
        await here.must(commands.Resume(by=MANAGEMENT))
        await here.must(commands.LaunchBall(by=here.who(Act.LAUNCH_BALL)))


@pytest.mark.rule("FR-50")
@run
async def test_or_it_is_locked_away_and_play_goes_on_without_a_count() -> None:
    async with table() as here:
        await here.open()
        await here.must(commands.Suspend(by=MANAGEMENT, reason="a quarrel"))
        due = here.actor.house_table.float_due
        assert due is not None
        assert due.occasion is FloatOccasion.INTERRUPTED
        await here.must(commands.Resume(by=MANAGEMENT))
        assert here.actor.house_table.float_due is None
        count = CountFloat(by=here.who(Act.COUNT_FLOAT), counted=here.bank)
        await here.refused(count, HouseRefusalReason.NO_COUNT_DUE)
        await here.must(commands.LaunchBall(by=here.who(Act.LAUNCH_BALL)))


@pytest.mark.rule("FR-50")
@run
async def test_a_count_that_was_begun_is_signed_before_the_next_ball() -> None:
    async with table() as here:
        await here.open()
        await here.must(commands.Suspend(by=MANAGEMENT, reason="a quarrel"))
        await here.must(CountFloat(by=here.who(Act.COUNT_FLOAT), counted=here.bank - 1))
        await here.must(commands.Resume(by=MANAGEMENT))
        launch = commands.LaunchBall(by=here.who(Act.LAUNCH_BALL))
        await here.refused(launch, HouseRefusalReason.FLOAT_NOT_COUNTED)
        await here.must(SignFloat(by=MANAGEMENT))
        await here.must(launch)
        assert here.actor.house_table.float_due is None


@pytest.mark.rule("FR-50", "FR-43.b")
@run
async def test_a_suspended_table_that_closes_has_its_closing_count() -> None:
    async with table() as here:
        await here.open()
        await here.must(commands.Suspend(by=MANAGEMENT, reason="a quarrel"))
        await here.must(commands.CloseTable(by=MANAGEMENT))
        due = here.actor.house_table.float_due
        assert due is not None
        assert due.occasion is FloatOccasion.CLOSED


# Where there is no float --------------------------------------------------------------------------


@run
async def test_a_script_needs_no_float() -> None:
    async with table(live=False) as here:
        await here.must(commands.OpenTable(by=MANAGEMENT))
        assert here.actor.house_table.float_due is None


@pytest.mark.parametrize("rulebook", ["ar", "es", "it", "bg", "esam"])
@run
async def test_a_house_without_the_section_opens_with_any_float(rulebook: str) -> None:
    async with table(rulebook) as here:
        await here.must(OpenBank(by=MANAGEMENT, amount=1))
        await here.must(commands.OpenTable(by=MANAGEMENT))
        await here.must(FillBank(by=MANAGEMENT, amount=2))
        assert here.actor.house_table.float_due is None
        counting = CountFloat(by=here.who(Act.PAY), counted=1)
        await here.refused(counting, HouseRefusalReason.NO_COUNT_DUE)


# The automatic croupier ---------------------------------------------------------------------------


@pytest.mark.rule("FR-43.a", "FRAM-43", "FRAN-43")
@pytest.mark.parametrize("rulebook", FRENCH)
@run
async def test_an_automatic_table_enters_its_float_by_itself(rulebook: str) -> None:
    async with dealt(rulebook) as here:
        for _ in range(20):
            await here.clock.advance(1.0)
        actor = here.actor
        assert actor.house_table.state.phase is not Phase.OPENING
        assert actor.house_table.float_due is None
        first = actor.house_table.advance
        answer = await actor.submit("refill", FillBank(by=MANAGEMENT, amount=first))
        assert answer.refusal is None
        for _ in range(5):
            await here.clock.advance(1.0)
        kinds = [
            event.occasion
            for _, event, _ in replayed(here.house.store, "t")
            if isinstance(event, FloatEntered)
        ]
        assert kinds == ["opened", "refilled"]
