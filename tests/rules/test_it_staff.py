"""Italy, the table and its staff: who does what, suspension, closing, and the turning wheel."""

import pytest

from novamas.game.rulebook.behaviours import Act, Cause
from novamas.game.wheel import Direction
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.decide import decide
from novamas.table.identity import MANAGEMENT, Identity
from novamas.table.refusals import Refusal, RefusalReason
from novamas.table.state import Phase, State
from tests.rules.helpers import Table, coup, opened, place, refused

CHIEF = {
    Act.VOID_BALL,
    Act.NOTICE_EXCESS,
    Act.CORRECT,
    Act.SIGN_NUMBER,
    Act.GRANT_EXCEPTION,
    Act.CHANGE_LIMITS,
    Act.SUSPEND,
    Act.CLOSE_TABLE,
}
CROUPIER = {
    Act.LAUNCH_BALL,
    Act.CLOSE_BETTING,
    Act.POCKET_BALL,
    Act.CALL_NUMBER,
    Act.COLLECT,
    Act.PAY,
    Act.SELL_CHIPS,
    Act.PLACE_FOR_PLAYER,
    Act.NOTICE_EXCESS,
}


# Two people ---------------------------------------------------------------------------------------


@pytest.mark.rule("IT-gioco-1")
def test_it_gioco_1_the_table_has_a_capo_tavolo_and_a_single_croupier() -> None:
    table = opened("it", {})
    assert table.state.staff == {"chief-1": "chief", "croupier-1": "croupier"}
    words = {post.name: post.word for post in load("it").posts.values()}
    assert words == {"chief": "Capo Tavolo", "croupier": "croupier"}
    for post in words:
        refusal = refused(table, commands.TakePost(by="max", post=post))
        assert (refusal.why, refusal.articles) == (RefusalReason.POST_IS_FULL, ("IT-gioco-1",))


@pytest.mark.rule("IT-gioco-1")
@pytest.mark.parametrize(("held", "wanted"), [("chief", "croupier"), ("croupier", "Capo Tavolo")])
def test_it_gioco_1_neither_of_the_two_may_be_missing(held: str, wanted: str) -> None:
    table = Table(State.fresh(load("it")))
    table.act(commands.TakePost(by="max", post=held))
    refusal = refused(table, commands.OpenTable(by=MANAGEMENT))
    assert (refusal.why, refusal.articles) == (RefusalReason.POST_MUST_BE_HELD, ("IT-gioco-1",))
    assert refusal.detail == wanted


@pytest.mark.rule("IT-gioco-1")
@pytest.mark.parametrize("by", ["chief-1", "croupier-1"])
def test_it_gioco_1_an_open_table_keeps_both(by: str) -> None:
    refusal = refused(opened("it", {}), commands.LeavePost(by=by))
    assert (refusal.why, refusal.articles) == (RefusalReason.POST_IS_NEEDED, ("IT-gioco-1",))


@pytest.mark.rule("IT-gioco-1")
def test_it_gioco_1_staff_does_not_play_and_no_one_holds_two_posts() -> None:
    table = Table(State.fresh(load("it")))
    table.act(commands.TakePost(by="max", post="chief"))
    table.act(commands.Sit(by="ana"))
    for wish, why in (
        (commands.TakePost(by="max", post="croupier"), RefusalReason.ONE_POST_PER_PERSON),
        (commands.Sit(by="max"), RefusalReason.STAFF_DOES_NOT_PLAY),
        (commands.TakePost(by="ana", post="croupier"), RefusalReason.STAFF_DOES_NOT_PLAY),
        (commands.TakePost(by="eva", post="inspector"), RefusalReason.NO_SUCH_POST),
    ):
        assert refused(table, wish).why is why


@pytest.mark.rule("IT-gioco-7c", "IT-general-7", "IT-general-16", "IT-general-17")
def test_it_the_acts_of_the_capo_tavolo() -> None:
    assert {act for act in Act if opened("it", {}).state.may("chief-1", act)} == CHIEF


@pytest.mark.rule("IT-gioco-6b", "IT-gioco-8b", "IT-gioco-9", "IT-gioco-10")
def test_it_the_acts_of_the_croupier() -> None:
    assert {act for act in Act if opened("it", {}).state.may("croupier-1", act)} == CROUPIER


WISHES: dict[Act, commands.Command] = {
    Act.LAUNCH_BALL: commands.LaunchBall(by="x"),
    Act.CLOSE_BETTING: commands.CloseBetting(by="x"),
    Act.VOID_BALL: commands.VoidBall(by="x", cause=Cause.BALL_OUT),
    Act.POCKET_BALL: commands.PocketBall(by="x", number=17),
    Act.CALL_NUMBER: commands.CallNumber(by="x"),
    Act.COLLECT: commands.CollectLosers(by="x"),
    Act.PAY: commands.PayWinners(by="x"),
    Act.SELL_CHIPS: commands.BuyChips(by="x", player="ana", amount=5),
    Act.PLACE_FOR_PLAYER: place("ana", "17:5", by="x"),
    Act.NOTICE_EXCESS: commands.NoticeExcess(by="x", id="b"),
    Act.CORRECT: commands.CorrectStake(by="x", id="b", on="17"),
    Act.GRANT_EXCEPTION: commands.GrantException(by="x", player="ana"),
    Act.CHANGE_LIMITS: commands.ChangeLimits(by="x", limits={}),
    Act.SUSPEND: commands.Suspend(by="x"),
    Act.CLOSE_TABLE: commands.CloseTable(by="x"),
}


def with_by(command: commands.Command, by: str) -> commands.Command:
    """The same command of another person."""
    given = {name: getattr(command, name) for name in type(command).__dataclass_fields__}
    return type(command)(**{**given, "by": by})


@pytest.mark.rule("IT-gioco-1", "IT-gioco-6b", "IT-gioco-7c", "IT-gioco-9", "IT-general-7")
@pytest.mark.parametrize("act", WISHES)
def test_it_each_act_is_refused_to_whoever_does_not_hold_its_post(act: Act) -> None:
    table = opened("it", {"ana": 100, "ben": 100})
    for by, may in (("chief-1", act in CHIEF), ("croupier-1", act in CROUPIER), ("ben", False)):
        decision = decide(table.state, with_by(WISHES[act], by))
        not_theirs = (
            isinstance(decision, Refusal) and decision.why is RefusalReason.NOT_OF_THIS_POST
        )
        assert not_theirs != may, by


@pytest.mark.rule("AMB-IT-31", "IT-gioco-9", "IT-gioco-10")
@pytest.mark.parametrize(
    ("act", "articles"),
    [
        (Act.COLLECT, ("IT-gioco-9",)),
        (Act.PAY, ("IT-gioco-10",)),
        (Act.SELL_CHIPS, ("IT-gioco-9", "IT-gioco-10")),
        (Act.PLACE_FOR_PLAYER, ("IT-gioco-6b", "IT-gioco-9", "IT-gioco-10")),
    ],
)
def test_amb_it_31_to_collect_and_to_pay_is_the_work_of_the_croupier(
    act: Act, articles: tuple[str, ...]
) -> None:
    table = opened("it", {"ana": 100})
    refusal = refused(table, with_by(WISHES[act], "chief-1"))
    assert (refusal.why, refusal.articles) == (RefusalReason.NOT_OF_THIS_POST, articles)


@pytest.mark.rule("AMB-IT-31", "IT-general-7")
def test_amb_it_31_no_ban_keeps_the_capo_tavolo_from_a_chip() -> None:
    assert load("it").posts["chief"].touches_chips
    table = opened("it", {"ana": 100})
    table.stake("ana", "5:20", id="a")
    table.act(commands.CorrectStake(by="chief-1", id="a", on="8"))
    moved = table.last(events.StakeMoved)
    assert (moved.by, moved.ordered_by) == ("chief-1", None)


@pytest.mark.rule("IT-gioco-1")
def test_it_gioco_1_the_capo_tavolo_watches_over_the_croupier() -> None:
    assert {name: post.watches for name, post in load("it").posts.items()} == {
        "chief": True,
        "croupier": False,
    }


@pytest.mark.rule("IT-gioco-6a", "IT-gioco-6b")
def test_it_gioco_6a_a_player_lays_his_own_stakes_and_the_croupier_may_lay_them_for_him() -> None:
    table = opened("it", {"ana": 100, "ben": 100})
    table.stake("ana", "17:5")
    table.stake("ana", "18:5", by="croupier-1")
    assert [stake.player for stake in table.state.stakes.values()] == ["ana", "ana"]
    assert refused(table, place("ana", "20:5", by="ben")).articles == (
        "IT-gioco-6a",
        "IT-general-4b",
    )


@pytest.mark.rule("IT-gioco-6b")
def test_it_gioco_6b_the_croupier_lays_nothing_for_a_player_who_is_away() -> None:
    table = opened("it", {"ana": 100})
    table.act(commands.StepAway(by="ana"))
    assert refused(table, place("ana", "17:5", by="croupier-1")).why is RefusalReason.PLAYER_IS_AWAY


# Suspension and closing ---------------------------------------------------------------------------


@pytest.mark.rule("IT-general-17")
@pytest.mark.parametrize("by", [MANAGEMENT, "chief-1"])
def test_it_general_17_the_management_suspends_the_game_at_any_moment(by: Identity) -> None:
    table = opened("it", {"ana": 100})
    (id,) = table.stake("ana", "17:5")
    table.act(commands.Suspend(by=by, reason="a fault in the wheel"))
    said = table.last(events.TableSuspended)
    assert (said.by, said.articles) == (str(by), ("IT-general-17",))
    for wish in (
        place("ana", "18:5"),
        commands.Announce(by="ana", id="a", player="ana", call="tiers", amount=6),
        commands.MoveStake(by="ana", id=id, on="20"),
        commands.LaunchBall(by="croupier-1"),
    ):
        refusal = refused(table, wish)
        assert (refusal.why, refusal.articles) == (
            RefusalReason.TABLE_IS_SUSPENDED,
            ("IT-general-17",),
        )
    table.act(commands.Resume(by=by))
    assert coup(table, 17).of("ana").won == 175


@pytest.mark.rule("IT-general-17")
def test_it_general_17_who_wants_his_stake_back_while_play_is_suspended_gets_it() -> None:
    table = opened("it", {"ana": 100})
    (id,) = table.stake("ana", "17:5")
    table.act(commands.Suspend(by=MANAGEMENT))
    table.act(commands.WithdrawStake(by="ana", id=id))
    assert table.purse("ana") == 100


@pytest.mark.rule("IT-general-17")
def test_it_general_17_a_coup_whose_ball_runs_is_still_settled() -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", "17:5")
    table.close()
    table.act(commands.Suspend(by=MANAGEMENT))
    assert coup(table, 17).of("ana").won == 175
    assert refused(table, place("ana", "17:5")).why is RefusalReason.TABLE_IS_SUSPENDED


@pytest.mark.rule("IT-general-17")
def test_it_general_17_neither_player_nor_croupier_suspends() -> None:
    table = opened("it", {"ana": 100})
    for by in ("ana", "croupier-1"):
        assert refused(table, commands.Suspend(by=by)).why is RefusalReason.NOT_OF_THIS_POST
    assert refused(table, commands.Resume(by="chief-1")).why is RefusalReason.TABLE_NOT_SUSPENDED


@pytest.mark.rule("NV-02")
def test_it_nv_02_the_table_closes_after_a_coup_without_a_countdown() -> None:
    table = opened("it", {"ana": 100})
    refusal = refused(table, commands.AnnounceLastGames(by="chief-1"))
    assert (refusal.why, refusal.articles) == (RefusalReason.NO_LAST_GAMES_IN_THE_BOOK, ("NV-02",))
    table.stake("ana", "17:5")
    table.close()
    close = commands.CloseTable(by=MANAGEMENT)
    assert refused(table, close).why is RefusalReason.COUP_IN_PLAY
    coup(table, 17)
    table.act(close)
    assert table.last(events.TableClosed).articles == ("NV-02",)
    refusal = refused(table, place("ana", "17:5"))
    assert (refusal.why, refusal.articles) == (RefusalReason.TABLE_IS_CLOSED, ("NV-02",))


@pytest.mark.rule("NV-02", "IT-general-4a")
def test_it_nv_02_the_last_coup_of_the_session_ends_the_table() -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", "red:7")
    coup(table, 0, last=True)
    assert table.state.phase is Phase.ENDED
    assert refused(table, place("ana", "17:5")).why is RefusalReason.TABLE_IS_CLOSED
    table.act(commands.CloseTable(by=MANAGEMENT))
    assert (table.purse("ana"), table.state.prison) == (97, {})


# The wheel turns ----------------------------------------------------------------------------------


@pytest.mark.rule("IT-gioco-2", "AMB-IT-28", "AMB-IT-22")
def test_it_amb_28_a_wheel_without_handles_turns_one_way_void_spins_included() -> None:
    table = opened("it", {})
    coup(table, 17)
    table.launch()
    table.void(Cause.BALL_OUT)
    coup(table, 5)
    launched = [event for event in table.events if isinstance(event, events.BallLaunched)]
    assert [event.spin for event in launched] == [1, 2, 3]
    assert [event.wheel for event in launched] == [Direction.CLOCKWISE] * 3
    assert table.tally.directions == ["cw", "cw", "cw"]


@pytest.mark.rule("AMB-IT-28")
def test_it_amb_28_the_ball_runs_against_the_wheel_always_the_same_way() -> None:
    table = opened("it", {})
    for number in (17, 0, 5):
        coup(table, number)
    launched = [event for event in table.events if isinstance(event, events.BallLaunched)]
    assert [event.ball for event in launched] == [Direction.COUNTERCLOCKWISE] * 3
