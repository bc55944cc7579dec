"""Disputes: who may raise one, take it back and decide it, and that nothing else changes by it."""

from __future__ import annotations

import pytest

from novamas.game.rulebook.behaviours import Act
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.people.events import Post as Role
from novamas.house.table import snapshot
from novamas.house.table.commands import CorrectWrongPayment, WithdrawDispute
from novamas.house.table.dispute_records import COUPS
from novamas.house.table.disputes import LONGEST_WORDS, MOST_OPEN
from novamas.house.table.events import DisputeDecided, DisputeRaised
from novamas.rulebooks import HOUSES
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.identity import MANAGEMENT, Officer
from tests.web.dispute_table import ana, decided, evening
from tests.web.door import open_door, run

# Raising ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rulebook", HOUSES)
@run
async def test_a_player_disputes_his_own_stakes_and_the_table_goes_on(rulebook: str) -> None:
    async with evening(rulebook) as table:
        await table.stake("ana")
        await table.close()
        balances = dict(table.actor.balances)
        await table.do(ana(says="  I laid it on 20  ", stake="ana 1"))  # While the ball runs.
        assert table.actor.balances == balances
        raised = table.events()[-1]
        assert raised == DisputeRaised(
            id=1, player="ana", coup=1, says="I laid it on 20", stake="ana 1", by="ana"
        )
        await table.finish()
        await table.coup("ana", "luis")
        assert table.actor.house_table.state.coup == 3
        assert set(table.actor.house_table.disputes.open) == {1}


@run
async def test_only_whoever_had_stakes_in_a_coup_that_is_not_long_ago_disputes_it() -> None:
    async with evening() as table:
        assert (await table.refusal(ana(1))).why == "no_stakes_in_that_coup"  # Betting is open.
        await table.coup("ana")
        for command in (
            ana(1, by="luis", player="luis"),
            ana(2),
            ana(0),
            ana(-1),
            ana(coup=True),
            ana(1, by="zoe", player="zoe"),
        ):
            assert (await table.refusal(command)).why == "no_stakes_in_that_coup"
        for _ in range(COUPS - 1):
            await table.coup("luis")
        await table.do(ana(1))
        await table.do(WithdrawDispute(by="ana", id=1))
        await table.coup("luis")
        assert (await table.refusal(ana(1))).why == "no_stakes_in_that_coup"


@run
async def test_a_stake_in_prison_and_one_by_exception_are_stakes_too() -> None:
    async with evening("es") as table:
        await table.do(commands.PlaceStake(by="ana", id="r", player="ana", on="red", amount=100))
        await table.close()
        await table.finish(0)
        assert table.actor.house_table.state.prison
        await table.close()
        await table.do(ana(2))
    async with evening("it") as table:
        await table.close()
        chief = table.who(Act.GRANT_EXCEPTION)
        await table.do(commands.GrantException(by=chief, player="ana"))
        assert (await table.refusal(ana(1))).why == "no_stakes_in_that_coup"
        await table.stake("ana", "red")
        await table.do(ana(1))


@run
async def test_nobody_speaks_for_another_but_the_staff() -> None:
    async with evening() as table:
        await table.coup("ana", "luis")
        assert (await table.refusal(ana(1, by="luis"))).why == "not_for_you"
        assert (await table.refusal(ana(1, by="nobody here"))).why == "not_for_you"
        await table.do(ana(1, by=table.who(Act.PAY)))
        await table.do(ana(1, by=Officer("Vera"), player="luis"))
        assert [each.by for each in table.actor.house_table.disputes.open.values()] == [
            table.who(Act.PAY),
            "management Vera",
        ]
        # What was written down for a player is theirs, and they alone take it back.
        refused = await table.refusal(WithdrawDispute(by=table.who(Act.PAY), id=1))
        assert refused.why == "not_their_dispute"
        await table.do(WithdrawDispute(by="ana", id=1))


@pytest.mark.parametrize("says", ["", "  \n ", "x" * (LONGEST_WORDS + 1), "a\x00b", "a\x1b[2J"])
@run
async def test_a_dispute_and_its_decision_have_words_of_bounded_length(says: str) -> None:
    async with evening() as table:
        await table.coup("ana")
        assert (await table.refusal(ana(says=says))).why == "words_are_missing"
        assert (await table.refusal(ana(stake="s" * 65))).why == "words_are_missing"
        assert (await table.refusal(ana(stake=""))).why == "words_are_missing"
        await table.do(ana(says="я" * LONGEST_WORDS))
        assert (await table.refusal(decided(reason=says))).why == "words_are_missing"


@run
async def test_a_player_has_few_disputes_open_and_one_of_a_coup() -> None:
    async with evening() as table:
        for coup in range(1, MOST_OPEN + 2):
            assert await table.coup("ana", "luis") == coup
        for coup in range(1, MOST_OPEN + 1):
            await table.do(ana(coup))
            assert (await table.refusal(ana(coup))).why == "coup_is_disputed"
        assert (await table.refusal(ana(MOST_OPEN + 1))).why == "too_many_disputes"
        await table.do(ana(1, by="luis", player="luis"))  # Another dispute.
        await table.do(WithdrawDispute(by="ana", id=1))
        await table.do(ana(MOST_OPEN + 1))
        assert sorted(table.actor.house_table.disputes.open) == [
            2,
            3,
            4,
            5,
        ]  # No number is used twice.


# Deciding -----------------------------------------------------------------------------------------


JUDGES = {
    "ar": None,
    "it": None,
    "bg": "inspector",
    **dict.fromkeys(("es", "esam", "fr", "fram", "fran"), "chief"),
    "sd": "supervisor",
}
"""Which post decides disputes in a house; in the others the management alone does."""
DISPUTES_BY = {"it": ("IT-general-18",), "sd": ("SD-G.9", "NV-07")}
"""The articles on disputes, where a house has some of its own."""


@pytest.mark.rule("IT-general-18", "NV-07", "ES-P.2", "BG-5", "FRAM-55-1.g", "SD-G.9")
@pytest.mark.parametrize("rulebook", HOUSES)
@run
async def test_a_dispute_is_decided_by_whom_the_book_gives_it_to(rulebook: str) -> None:
    articles = DISPUTES_BY.get(rulebook, ("NV-07",))
    async with evening(rulebook) as table:
        await table.coup("ana", "luis")
        await table.do(ana())
        staff = table.actor.house_table.state.staff
        for person in [*staff, "ana", "luis", "nobody here"]:
            if staff.get(person, "") != JUDGES[rulebook]:
                refused = await table.refusal(decided(person))
                assert (refused.why, refused.articles) == ("not_for_you", articles)
                assert "management" in refused.detail
        judge = next((p for p, post in staff.items() if post == JUDGES[rulebook]), None)
        await table.do(decided(judge or Officer("Vera")))
        told = table.events()[-1]
        assert isinstance(told, DisputeDecided)
        assert told.articles == articles
        assert (told.by, told.upheld, told.correction, told.amount) == (
            judge or "management Vera",
            False,
            None,
            0,
        )
        await table.do(ana(1, by="luis", player="luis"))
        await table.do(decided(id=2))  # The management may everywhere.


@pytest.mark.rule("IT-general-18", "NV-07")
@pytest.mark.parametrize("rulebook", HOUSES)
@run
async def test_what_was_decided_is_not_decided_again(rulebook: str) -> None:
    async with evening(rulebook) as table:
        await table.coup("ana")
        await table.do(ana())
        await table.do(decided())
        again = await table.refusal(ana())
        assert (again.why, bool(again.articles)) == ("dispute_is_decided", True)
        assert (await table.refusal(decided(upheld=True))).why == "no_such_dispute"
        assert (await table.refusal(WithdrawDispute(by="ana", id=1))).why == "no_such_dispute"
        for id in (0, 2, -1, True):
            assert (await table.refusal(decided(id=id))).why == "no_such_dispute"


@pytest.mark.parametrize("first", ["decided", "corrected"])
@run
async def test_a_decision_names_the_payment_that_is_put_right(first: str) -> None:
    async with evening("es") as table:
        await table.coup("ana", "luis", number=17)
        await table.do(ana())
        payer, chief = table.who(Act.PAY), "chief 1"
        for id, player in (("w1", "ana"), ("w2", "luis")):
            await table.paid_wrongly(payer, id, player, -200)
        for command in (
            decided(chief, upheld=True, correction="w2"),  # It is another's.
            decided(chief, upheld=True, correction="w3"),
            decided(chief, upheld=False, correction="w1"),
        ):
            assert (await table.refusal(command)).why == "no_such_wrong_payment"
        # The chief of a Spanish table decides, and touches no chip (ES-P.3).
        by_chief = CorrectWrongPayment(by=chief, id="w1")
        assert (await table.refusal(by_chief)).why == "not_for_you"
        corrects = CorrectWrongPayment(by=payer, id="w1", reason="dispute 1")
        upholds = decided(chief, upheld=True, correction="w1", reason="he had a stack more")
        purse = table.actor.house_table.state.players["ana"].purse
        both: list[Command] = [upholds, corrects]
        for each in both if first == "decided" else reversed(both):
            await table.do(each)
        told = next(each for each in table.events() if isinstance(each, DisputeDecided))
        assert (told.correction, told.amount, told.upheld) == ("w1", -200, True)
        assert table.actor.house_table.state.players["ana"].purse == purse + 200


# The table closes, stops, and is taken up again ---------------------------------------------------


@run
async def test_a_table_closes_with_a_dispute_open_and_it_is_still_decided() -> None:
    async with evening("ar") as table:
        await table.coup("ana")
        await table.do(commands.CloseTable(by=MANAGEMENT))
        await table.do(commands.Leave(by="ana"))
        await table.do(ana())  # Gone, but was there.
        await table.do(decided(upheld=True, reason="he is paid at the desk"))
        assert not table.actor.house_table.disputes.open


@run
async def test_a_memento_keeps_the_disputes() -> None:
    async with evening() as table:
        for _ in range(2):
            await table.coup("ana", "luis")
        await table.do(ana(1))
        await table.do(ana(2))
        await table.do(ana(2, by="luis", player="luis"))
        await table.do(decided(id=2))
        house_table = table.actor.house_table
        found = snapshot.recall(snapshot.remember(house_table))
        assert found.disputes == house_table.disputes
        assert (set(found.disputes.open), found.disputes.count) == ({1, 3}, 3)
        assert found.disputes.closed == {2: {"ana"}}
        assert found.disputes.players == {1: {"ana", "luis"}, 2: {"ana", "luis"}}


@run
async def test_a_house_that_opens_again_knows_its_disputes() -> None:
    store = MemoryStore()
    async with evening(store=store) as table:
        await table.coup("ana")
        await table.do(ana(1))
        kept = table.actor.house_table.disputes
    async with open_door(store) as door:
        actor = door.house.tables["t"]
        assert actor.house_table.disputes == kept
        answer = await actor.submit("a new day", decided())
        assert answer.refusal is None


# At the socket ------------------------------------------------------------------------------------


@run
async def test_what_is_disputed_is_between_the_player_and_the_house() -> None:
    async with evening() as table:
        await table.coup("ana", "luis")
        door = table.door
        async with (
            door.socket("t", door.session(Role.PLAYER, "ana")) as hers,
            door.socket("t", door.session(Role.PLAYER, "luis")) as his,
            door.socket("t", door.session(Role.CHIEF, "vera")) as chief,
        ):
            said = await hers.must("RaiseDispute", player="ana", coup=1, says="look again")
            seq = said["seq"]
            own, others, staff = [
                next(e for e in await socket.until(seq) if e["seq"] == seq)
                for socket in (hers, his, chief)
            ]
            assert own["yours"] == {"says": "look again"}
            assert "says" not in own["data"]
            assert "says" not in others["data"]
            assert "yours" not in others
            assert staff["data"]["says"] == "look again"
            problem = await his.problem("DecideDispute", id=1, upheld=True, reason="of course")
            assert problem == "do: DecideDispute is not for a player"
            refused = await his.give("RaiseDispute", player="ana", coup=1, says="for her")
            assert refused["why"] == "not_for_you"
            # The chief of the house holds no post here: she decides for the management.
            told = await chief.must("DecideDispute", id=1, upheld=False, reason="the film shows 3")
            heard = next(e for e in await his.until(told["seq"]) if e["seq"] == told["seq"])
            assert heard["data"]["reason"] == "the film shows 3"
            assert heard["data"]["by"] == "management vera"
            assert heard["data"]["articles"] == ["IT-general-18"]
