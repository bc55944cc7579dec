"""The decisions of a table: each with who, when, why, what before and after, for everybody."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from novamas.game.limits import Limits
from novamas.game.rulebook.behaviours import Act, Cause, LimitsKept
from novamas.house.log.codec import decode
from novamas.house.people.events import Post as Role
from novamas.house.table.commands import CorrectWrongPayment, RaiseDispute, WithdrawDispute
from novamas.house.table.events import (
    EVENTS,
    BallChainCommitted,
    BallMode,
    CashSaleProposed,
    ProposalDropped,
    TableStopped,
    WrongPaymentProposed,
)
from novamas.house.views import decision_log
from novamas.house.views import decision_pages as house_decided
from novamas.house.views.decision_pages import DecisionPage
from novamas.house.views.history import replayed
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.decision_record import Decision, DecisionKind, Side, Standing
from novamas.table.events import Event
from novamas.table.identity import MANAGEMENT
from novamas.table.state import Setup
from novamas.web.routes.decisions import MOST
from tests.web.dispute_table import Evening, ana, decided, evening
from tests.web.door import open_door, run


def told(table: Evening) -> list[Decision]:
    """The decisions of a table, the oldest first, worked out from its log alone."""
    log = replayed(table.door.house.store, "t")
    found = (
        decision_log.of_event(house_table, record, event) for record, event, house_table in log
    )
    return [each for each in found if each is not None]


def test_every_event_that_says_who_did_it_and_why_is_a_decision() -> None:
    reasons = {"reason", "cause", "correction", "exception"}
    telling = {kind for kind in EVENTS.values() if reasons & kind.__dataclass_fields__.keys()}
    # Why a chain of secrets was committed is nobody's decision.
    # What was only proposed is decided when a second person confirms it.
    waiting = {CashSaleProposed, WrongPaymentProposed, ProposalDropped}
    assert telling - {BallChainCommitted} - waiting <= {
        kind for kind in EVENTS.values() if kind.decision is not Event.decision
    }


OLD: dict[str, dict[str, Any]] = {
    "TableResumed": {"by": "vera"},
    "LimitsChanged": {"by": "vera", "limits": {}, "articles": []},
    "StakeMoved": {"id": "b", "on": "17", "by": "vera", "correction": True, "articles": []},
    "StakesReturned": {"returned": [["b", 10, []]]},
    "ExceptionGranted": {"player": "ana", "by": "vera", "articles": []},
    "NumberQuestioned": {"before": 1, "number": 2, "by": "vera", "reason": "misread"},
    "WrongPaymentCorrected": {"id": "w", "player": "ana", "amount": 5, "by": "vera"},
}


@pytest.mark.parametrize("name", OLD)
def test_a_log_from_before_there_were_reasons_is_still_read(name: str) -> None:
    event = decode(name, 1, msgspec.json.encode(OLD[name]), None)
    assert type(event).__name__ == name


# Each kind of decision ----------------------------------------------------------------------------


@run
async def test_the_chief_of_venice_suspends_changes_the_limits_and_grants_an_exception() -> None:
    async with evening("it") as table:
        chief = table.who(Act.SUSPEND)
        await table.do(commands.Suspend(by=chief, reason="a fire alarm"))
        await table.do(commands.Resume(by=chief, reason="a false one"))
        raised = {"straight": {"max": 900}}
        await table.do(commands.ChangeLimits(by=chief, limits=raised, reason="a full house"))
        again = {"straight": {"max": 800}}
        await table.close()
        await table.do(commands.ChangeLimits(by=chief, limits=again))
        grants = commands.GrantException(by=chief, player="ana", reason="he was pushed")
        await table.do(grants)
        await table.stake("ana", "red")
        found = told(table)
    assert [(each.kind, each.by, each.why, each.coup) for each in found] == [
        (DecisionKind.SUSPENDED, chief, "a fire alarm", 1),
        (DecisionKind.RESUMED, chief, "a false one", 1),
        (DecisionKind.LIMITS_CHANGED, chief, "a full house", 1),
        (DecisionKind.LIMITS_CHANGED, chief, "", 1),
        (DecisionKind.EXCEPTION_GRANTED, chief, "he was pushed", 1),
        (DecisionKind.LATE_STAKE, "ana", "", 1),
    ]
    assert [each.articles for each in found] == [
        ("IT-general-17",),
        (),
        ("IT-general-16", "AMB-IT-27"),
        ("IT-general-16", "AMB-IT-27"),
        ("IT-gioco-7c",),
        ("IT-gioco-7c",),
    ]
    stands = Standing
    assert (found[0].before, found[0].after) == (
        Side(standing=stands.IN_PLAY),
        Side(standing=stands.SUSPENDED),
    )
    assert (found[2].before, found[2].after) == (Side(limits={}), Side(limits=raised))
    assert (found[3].before, found[3].after) == (Side(limits=raised), Side(limits=again))
    assert found[4].about == found[5].about == "ana"
    assert found[5].after == Side(spot="red", amount=100)
    assert [each.seq for each in found] == sorted({each.seq for each in found})
    assert all(each.at for each in found)


@run
async def test_a_ball_is_void_a_stake_corrected_and_a_number_signed_for() -> None:
    async with evening("es") as table:
        await table.stake("ana", "17")
        correct = commands.CorrectStake(by="croupier 1", id="ana 1", on="20", reason="misplaced")
        await table.do(correct)
        await table.do(commands.MoveStake(by="ana", id="ana 1", on="23"))  # It is her own affair.
        await table.close()
        await table.do(commands.VoidBall(by="chief 1", cause=Cause.BALL_OUT))
        await table.close()
        await table.do(commands.PocketBall(by="croupier 1", number=3))
        await table.do(commands.CallNumber(by="croupier 1"))
        await table.do(commands.CorrectNumber(by="croupier 1", number=5, reason="misread"))
        await table.do(commands.CorrectNumber(by="croupier 1", number=3))
        await table.do(commands.CorrectNumber(by="croupier 1", number=26, reason="upside down"))
        await table.do(commands.SignNumber(by="chief 1", number=26))
        moved, void, misread, stands, asked, signed = told(table)
    assert (moved.kind, moved.by, moved.about, moved.why) == (
        DecisionKind.STAKE_CORRECTED,
        "croupier 1",
        "ana",
        "misplaced",
    )
    assert (moved.before, moved.after) == (
        Side(spot="17", amount=100),
        Side(spot="20", amount=100),
    )
    assert (void.kind, void.by, void.why) == (DecisionKind.BALL_VOIDED, "chief 1", "ball_out")
    assert void.articles == ("ES-G.9",)
    assert misread.after == Side(number=5)
    assert (stands.kind, stands.before, stands.after) == (
        DecisionKind.NUMBER_CONFIRMED,
        Side(number=5),
        Side(number=3),
    )
    assert (asked.kind, asked.second) == (DecisionKind.NUMBER_QUESTIONED, None)
    assert (signed.kind, signed.by, signed.second) == (
        DecisionKind.NUMBER_CORRECTED,
        "croupier 1",
        "chief 1",
    )
    assert (signed.before, signed.after) == (Side(number=3), Side(number=26))
    assert signed.articles == ("NV-06",)


@run
async def test_who_notices_an_excess_is_named_and_what_goes_back_by_itself_is_no_decision() -> None:
    limits = Limits.of({"straight": {"min": 50, "max": 100}})
    async with open_door() as door:
        setup = replace(
            Setup.usual(load("ar")), limits=limits, limits_kept=LimitsKept.POLICED, chip=10
        )
        await door.house.set_up("t", "ar", setup, ball=BallMode.WHEEL)
        table = Evening(door)
        for post in ("tallador", "pagador"):
            await table.do(commands.TakePost(by=post, post=post))
        await table.do(commands.OpenTable(by=MANAGEMENT))
        await table.do(commands.Sit(by="ana"))
        await table.do(commands.BuyChips(by="pagador", player="ana", amount=1_000))
        for id, on, amount in (("b", "17", 250), ("short", "20", 10)):
            stake = commands.PlaceStake(by="ana", id=id, player="ana", on=on, amount=amount)
            await table.do(stake)
        await table.do(commands.NoticeExcess(by="tallador", id="b"))
        await table.close()
        back = [e for e in table.events() if isinstance(e, events.StakesReturned)]
        (found,) = told(table)
    assert [each.by for each in back] == ["tallador", None]
    assert (found.kind, found.by, found.about) == (
        DecisionKind.EXCESS_RETURNED,
        "tallador",
        "ana",
    )
    assert (found.before, found.after) == (
        Side(spot="17", amount=250),
        Side(spot="17", amount=100),
    )
    assert found.articles


@run
async def test_a_wrong_payment_is_put_right_and_a_dispute_runs_its_course() -> None:
    async with evening("es") as table:
        await table.coup("ana", "luis", number=17)
        await table.do(ana(says="a stack is missing"))
        await table.paid_wrongly("croupier 1", "w", "ana", -200)
        await table.do(decided("chief 1", upheld=True, correction="w", reason="it is so"))
        await table.do(CorrectWrongPayment(by="croupier 2", id="w"))
        await table.do(ana(1, by="luis", player="luis"))
        await table.do(WithdrawDispute(by="luis", id=2))
        raised, made, upheld, right, _, withdrawn = told(table)
    assert (raised.kind, raised.dispute, raised.coup, raised.why) == (
        DecisionKind.DISPUTE_RAISED,
        1,
        1,
        "a stack is missing",
    )
    assert (made.before, made.after) == (Side(wrong_by=0), Side(wrong_by=-200))
    assert (made.by, made.second) == ("croupier 1", "management vera")
    assert made.coup == 2  # It was written down in the coup after it.
    assert (upheld.kind, upheld.by, upheld.about, upheld.why, upheld.coup) == (
        DecisionKind.DISPUTE_UPHELD,
        "chief 1",
        "ana",
        "it is so",
        1,
    )
    assert (upheld.before, upheld.after) == (Side(wrong_by=-200), Side(wrong_by=0))
    assert upheld.articles == ("NV-07",)
    assert (right.before, right.after, right.why) == (
        Side(wrong_by=-200),
        Side(wrong_by=0),
        "a stack",
    )
    assert (withdrawn.kind, withdrawn.by) == (DecisionKind.DISPUTE_WITHDRAWN, "luis")


@run
async def test_a_table_that_the_house_stops_says_why() -> None:
    async with evening("it") as table:
        record = table.door.records("t")[-1]
        found = decision_log.of_event(
            table.actor.house_table, record, TableStopped(reason="a stuck source")
        )
    assert found is not None
    assert (found.kind, found.by, found.why) == (DecisionKind.STOPPED, None, "a stuck source")
    assert found.after == Side(standing=Standing.STOPPED)


# As they are read ---------------------------------------------------------------------------------


@run
async def test_everybody_reads_them_newest_first_and_page_by_page() -> None:
    async with evening("it") as table:
        chief = table.who(Act.SUSPEND)
        for n in range(3):
            await table.do(commands.Suspend(by=chief, reason=f"{n}"))
            await table.do(commands.Resume(by=chief))
        http = table.door.http
        whole = await http.get("/api/tables/t/decisions")
        assert whole.status_code == 200
        page = msgspec.convert(whole.json(), DecisionPage)
        assert [each.why for each in page.decisions] == ["", "2", "", "1", "", "0"]
        assert not page.more
        first = (await http.get("/api/tables/t/decisions?limit=4")).json()
        assert first["more"]
        last = first["decisions"][-1]["seq"]
        rest = (await http.get(f"/api/tables/t/decisions?limit=4&before={last}")).json()
        assert first["decisions"] + rest["decisions"] == whole.json()["decisions"]
        assert not rest["more"]
        for query in ("limit=0", f"limit={MOST + 1}", "before=0", "before=x"):
            assert (await http.get(f"/api/tables/t/decisions?{query}")).status_code == 422
        assert (await http.get("/api/tables/none/decisions")).status_code == 404


@run
async def test_what_is_disputed_is_read_by_the_player_and_the_staff_alone() -> None:
    async with evening("it") as table:
        await table.coup("ana", "luis")
        await table.do(ana(says="my secret", stake="ana 1"))
        await table.do(ana(1, by="luis", player="luis", says="his secret"))
        door = table.door
        headers = {
            "nobody": {},
            "ana": door.bearer(Role.PLAYER, "ana"),
            "luis": door.bearer(Role.PLAYER, "luis"),
            "chief": door.bearer(Role.CHIEF),
            "auditor": door.bearer(Role.AUDITOR),
        }
        seen = {}
        for who, shown in headers.items():
            answer = (await door.http.get("/api/tables/t/decisions", headers=shown)).json()
            page = msgspec.convert(answer, DecisionPage)
            assert [(each.player, each.coup) for each in page.open] == [("ana", 1), ("luis", 1)]
            assert [each.why for each in reversed(page.decisions)] == [e.says for e in page.open]
            seen[who] = [each.says for each in page.open]
        assert seen == {
            "nobody": ["", ""],
            "ana": ["my secret", ""],
            "luis": ["", "his secret"],
            "chief": ["my secret", "his secret"],
            "auditor": ["my secret", "his secret"],
        }
        await table.do(decided())
        answer = (await door.http.get("/api/tables/t/decisions")).json()
        assert [each["id"] for each in answer["open"]] == [2]
        assert answer["decisions"][0]["kind"] == "dispute_rejected"


@run
async def test_as_many_are_kept_as_were_asked_for_and_no_open_dispute_is_lost() -> None:
    async with evening("it") as table:
        await table.coup("ana")
        await table.do(RaiseDispute(by="ana", player="ana", coup=1, says="look again"))
        chief = table.who(Act.SUSPEND)
        for _ in range(4):
            await table.do(commands.Suspend(by=chief))
            await table.do(commands.Resume(by=chief))
        told = house_decided.DecisionPages("t", most=3)
        told.go_on(table.door.house.store)
        page = told.page(before=None, most=50, player=None, is_staff=True)
        assert len(page.decisions) == 3
        assert [each.says for each in page.open] == ["look again"]
