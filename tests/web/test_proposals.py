"""Proposals at a table: one person proposes that chips move, another confirms it."""

from __future__ import annotations

import pytest

from novamas.game.chips import ForeignChips
from novamas.game.limits import placard
from novamas.game.rulebook.behaviours import Act
from novamas.house.people.events import Post as Role
from novamas.house.table import snapshot
from novamas.house.table.commands import (
    ConfirmProposal,
    CorrectWrongPayment,
    DropProposal,
    ProposeSale,
    RecordWrongPayment,
)
from novamas.house.table.events import CASH_ALONE, CashSaleConfirmed
from novamas.house.table.proposals import MOST
from novamas.house.views.history import replayed
from novamas.rulebooks import HOUSES, load
from novamas.table import commands
from novamas.table.accounts import BANK, BOX, purse
from novamas.table.commands import Command
from novamas.table.events import WrongPaymentMade
from novamas.table.identity import MANAGEMENT, Identity, Officer
from novamas.table.refusals import RefusalReason
from tests.web.dispute_table import Evening, evening
from tests.web.door import open_door, run

CHIEF = Officer("vera")


def wrong(by: str, amount: int, **more: object) -> RecordWrongPayment:
    said = {"by": by, "id": "w", "player": "ana", "amount": amount, "reason": "a stack", **more}
    return RecordWrongPayment(**said)  # type: ignore[arg-type]


def confirmed(by: Identity = CHIEF, id: str = "w", reason: str = "I saw it") -> ConfirmProposal:
    return ConfirmProposal(by=by, id=id, reason=reason)


def sale(by: str, amount: int = CASH_ALONE + 1000, id: str = "s") -> ProposeSale:
    return ProposeSale(by=by, id=id, player="ana", amount=amount, reason="a purse of cash")


def ana_holds(table: Evening) -> int:
    return table.actor.house_table.state.players["ana"].purse


# Wrong payments -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", HOUSES)
@run
async def test_chips_move_when_a_second_person_confirms_and_not_before(rulebook: str) -> None:
    async with evening(rulebook) as table:
        await table.coup("ana")
        payer, before = table.who(Act.PAY), ana_holds(table)
        await table.do(wrong(payer, 350))
        assert ana_holds(table) == before
        await table.do(confirmed())
        assert ana_holds(table) == before + 350
        made = table.events()[-1]
        assert made == WrongPaymentMade(
            id="w",
            player="ana",
            amount=350,
            reason="a stack",
            by=payer,
            coup=1,
            confirmed_by=str(CHIEF),
            confirmed_because="I saw it",
        )
        assert (await table.refusal(confirmed())).why == "no_such_proposal"


@run
async def test_who_proposed_it_does_not_confirm_it_under_any_of_their_titles() -> None:
    async with evening("bg") as table:
        await table.coup("ana")
        payer = table.who(Act.PAY)
        await table.do(wrong(payer, 350))
        for by in (payer, payer.upper(), Officer(payer)):
            assert (await table.refusal(confirmed(by))).why in ("takes_two", "not_for_you")
        # Whoever the chips are for does not confirm it either, nor a player, nor a stranger.
        for by in ("ana", Officer("ana"), "luis", "somebody"):
            assert (await table.refusal(confirmed(by))).why in ("takes_two", "not_for_you")


@run
async def test_a_second_person_at_the_same_post_does_not_confirm_it() -> None:
    async with evening("es") as table:
        await table.coup("ana")
        await table.do(wrong("croupier 1", 350))
        assert (await table.refusal(confirmed("croupier 2"))).why == "takes_two"
        await table.do(confirmed("chief 1"))


@pytest.mark.parametrize(("number", "least", "most"), [(3, 0, 3600), (17, -3600, 0)])
@run
async def test_a_payment_is_not_wrong_by_more_than_the_coup_could_pay(
    number: int, least: int, most: int
) -> None:
    async with evening("bg") as table:
        await table.coup("ana", number=number)
        payer = table.who(Act.PAY)
        for amount in (least - 1, most + 1, 5_000_000, -5_000_000):
            refusal = await table.refusal(wrong(payer, amount))
            assert refusal.why == "more_than_the_coup_pays"
        await table.do(wrong(payer, least or most))
        await table.do(confirmed())
        # It is not paid wrongly a second time by as much.
        again = wrong(payer, least or most, id="again", coup=1)
        assert (await table.refusal(again)).why == "more_than_the_coup_pays"


@run
async def test_two_proposals_that_each_could_be_so_are_not_both_confirmed() -> None:
    async with evening("bg") as table:
        await table.coup("ana")
        payer = table.who(Act.PAY)
        for id in ("w", "v"):
            await table.do(wrong(payer, 3600, id=id))
        await table.do(confirmed())
        assert (await table.refusal(confirmed(id="v"))).why == "more_than_the_coup_pays"


@run
async def test_who_had_no_stake_in_the_coup_was_not_paid_wrongly() -> None:
    async with evening("bg") as table:
        payer = table.who(Act.PAY)
        assert (await table.refusal(wrong(payer, 10))).why == "no_stakes_in_that_coup"
        await table.coup("luis")
        assert (await table.refusal(wrong(payer, 10))).why == "no_stakes_in_that_coup"
        assert (await table.refusal(wrong(payer, 10, coup=7))).why == "no_stakes_in_that_coup"


@run
async def test_a_wrong_payment_that_is_put_right_leaves_everybody_as_before() -> None:
    async with evening("bg") as table:
        await table.coup("ana", number=17)
        before = dict(table.actor.balances)
        payer = table.who(Act.PAY)
        await table.do(wrong(payer, -3600))
        await table.do(confirmed())
        assert table.actor.balances[BANK] == before[BANK] + 3600
        await table.do(CorrectWrongPayment(by=payer, id="w"))
        assert table.actor.balances == before


@run
async def test_reasons_are_given_by_both() -> None:
    async with evening("bg") as table:
        await table.coup("ana")
        payer = table.who(Act.PAY)
        for reason in ("", "  ", "x" * 201, "a\x07bell"):
            refusal = await table.refusal(wrong(payer, 350, reason=reason))
            assert refusal.why == "words_are_missing"
        await table.do(wrong(payer, 350))
        assert (await table.refusal(confirmed(reason=" "))).why == "words_are_missing"


@run
async def test_a_proposal_is_withdrawn_by_one_or_refused_by_the_other() -> None:
    async with evening("bg") as table:
        await table.coup("ana")
        payer, before = table.who(Act.PAY), ana_holds(table)
        for by in (payer, CHIEF):
            await table.do(wrong(payer, 350))
            stranger = DropProposal(by="luis", id="w", reason="no")
            assert (await table.refusal(stranger)).why == "not_for_you"
            await table.do(DropProposal(by=by, id="w", reason="it was right"))
            dropped = table.events()[-1]
            assert getattr(dropped, "withdrawn", None) is (by == payer)
            assert (await table.refusal(confirmed())).why == "no_such_proposal"
        assert ana_holds(table) == before


@run
async def test_so_many_proposals_wait_and_no_more() -> None:
    async with evening("bg") as table:
        await table.coup("ana")
        payer = table.who(Act.PAY)
        for number in range(MOST):
            await table.do(wrong(payer, 1, id=f"w{number}"))
        assert (await table.refusal(wrong(payer, 1))).why == "too_many_proposals"
        assert (await table.refusal(wrong(payer, 1, id="w1"))).why == "id_in_use"


# Large sales --------------------------------------------------------------------------------------


def cash(by: str, amount: int) -> commands.BuyChips:
    return commands.BuyChips(by=by, player="ana", amount=amount, cash=True)


@run
async def test_one_person_sells_for_cash_up_to_a_bound_and_two_beyond_it() -> None:
    async with evening("bg") as table:
        seller, before = table.who(Act.SELL_CHIPS), ana_holds(table)
        assert (await table.refusal(cash(seller, CASH_ALONE + 10))).why == "takes_two"
        # Many small sales are a large one.
        await table.do(cash(seller, CASH_ALONE - 1000))
        assert (await table.refusal(cash(seller, 1010))).why == "takes_two"
        await table.do(sale(seller))
        assert ana_holds(table) == before + CASH_ALONE - 1000
        assert (await table.refusal(confirmed(seller, "s"))).why in ("takes_two", "not_for_you")
        await table.do(confirmed("inspector 1", "s"))
        assert ana_holds(table) == before + 2 * CASH_ALONE
        assert table.actor.balances[BOX] == -2 * CASH_ALONE
        assert any(isinstance(each, CashSaleConfirmed) for each in table.events())
        # Two people have looked: what one may take begins anew.
        await table.do(cash(seller, CASH_ALONE))
        assert (await table.refusal(cash(seller, 10))).why == "takes_two"


@run
async def test_what_cannot_be_sold_is_not_proposed() -> None:
    async with evening("bg") as table:
        seller = table.who(Act.SELL_CHIPS)
        assert (await table.refusal(sale(seller, amount=7))).why == "not_whole_chips"
        assert (await table.refusal(sale("luis"))).why == "not_of_this_post"


@run
async def test_chips_of_another_table_are_taken_on_one_persons_word_up_to_the_same_bound() -> None:
    async with evening("it") as table:
        croupier = table.who(Act.PLACE_FOR_PLAYER)

        def foreign(id: str, number: int) -> Command:
            laid = ForeignChips(table="u", number=number, value=1000, opening_minimum=10)
            return commands.PlaceStake(
                by=croupier, id=id, player="ana", on="red", amount=number * 1000, foreign=laid
            )

        await table.do(foreign("f", CASH_ALONE // 1000))
        assert (await table.refusal(foreign("g", 1))).why == "takes_two"


# The log ------------------------------------------------------------------------------------------


@run
async def test_what_waits_is_found_again_after_a_restart() -> None:
    async with evening("bg") as table:
        await table.coup("ana")
        payer, seller = table.who(Act.PAY), table.who(Act.SELL_CHIPS)
        await table.do(wrong(payer, 350))
        await table.do(sale(seller))
        await table.do(cash(seller, 1000))
        house_table = table.actor.house_table
        again = snapshot.recall(snapshot.remember(house_table))
        assert again.proposals == house_table.proposals
        assert (again.payable, again.alone) == (house_table.payable, house_table.alone)
        *_, (_, _, last) = replayed(table.door.house.store, "t")
        assert (last.proposals, last.payable) == (house_table.proposals, house_table.payable)
        await table.do(confirmed())
        assert table.actor.balances[purse("ana")] == ana_holds(table)


# Live tables --------------------------------------------------------------------------------------


@run
async def test_only_a_script_plays_at_a_table_that_is_not_live() -> None:
    """There a chip may be one unit, and the odd unit of every half is its player's."""
    async with open_door() as door:
        body = {"table": "t", "rulebook": "es", "chip": 1, "live": False}
        answer = await door.http.post("/api/tables", json=body, headers=door.bearer(Role.CHIEF))
        assert (answer.status_code, answer.json()["why"]) == (422, "only_in_scripts")
        assert door.house.tables == {}
        # On a machine of one's own its owner plays scripts: `novamas run --on`.
        owner = door.bearer(Role.MANAGEMENT)
        assert (await door.http.post("/api/tables", json=body, headers=owner)).status_code == 201
        live = body | {"table": "u", "live": True}
        answer = await door.http.post("/api/tables", json=live, headers=owner)
        assert (answer.status_code, answer.json()["why"]) == (422, "chip_must_halve_evenly")


@pytest.mark.rule("SD-12.08", "AMB-SD-05")
@run
async def test_no_table_is_set_up_above_the_highest_bet_of_the_law() -> None:
    async with open_door() as door:
        door.house.highest_bet = 50_000
        owner = door.bearer(Role.MANAGEMENT)
        book = load("sd")
        above = placard(book, 1000).as_data()
        body = {"table": "t", "rulebook": "sd", "chip": 1000, "limits": above}
        answer = await door.http.post("/api/tables", json=body, headers=owner)
        assert (answer.status_code, answer.json()["why"]) == (422, "limits_not_valid")
        assert "no bet may be more than 50000 (SD-12.08, AMB-SD-05)" in answer.text
        assert door.house.tables == {}
        lawful = body | {"limits": placard(book, 1000, highest=50_000).as_data()}
        assert (await door.http.post("/api/tables", json=lawful, headers=owner)).status_code == 201
        # The highest bet is the table's own from then on, whatever the house says later.
        door.house.highest_bet = None
        change = commands.ChangeLimits(by=MANAGEMENT, limits={"simple": {"max": 50_001}})
        answered = await door.house.tables["t"].submit("change", change)
        assert answered.refusal is not None
        assert answered.refusal.why is RefusalReason.LIMITS_NOT_VALID
