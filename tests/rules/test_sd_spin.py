"""South Dakota: the spin, no spin, the inspections, and the staff of the table."""

import pytest

from novamas.game.rulebook.behaviours import Act, Cause
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase, State
from tests.rules.alike import (
    check_a_void_ball_settles_nothing,
    check_no_exception,
    check_no_void_for,
    check_the_close,
    check_the_wheel_alternates,
)
from tests.rules.helpers import Table, case, coup, opened, paid_in_order, refused

CAUSES = ("same_direction", "too_few_turns", "object_in_wheel", "ball_out")


def staffed(*posts: str) -> Table:
    """A table that has not opened, whose posts are held by people named after them."""
    table = Table(State.fresh(load("sd")))
    for post in posts:
        table.act(commands.TakePost(by=f"{post}-1", post=post))
    return table


def inspect_if_needed(table: Table) -> None:
    """The supervisor inspects the ball if it left the wheel."""
    if table.state.ball_to_inspect:
        table.act(commands.InspectBall(by="supervisor-1"))


# A valid spin -------------------------------------------------------------------------------------


@pytest.mark.rule("SD-05.a", "NV-01", "AMB-SD-09")
def test_sd_05_a_the_ball_runs_against_the_wheel_which_turns_the_other_way_each_time() -> None:
    check_the_wheel_alternates("sd", void="ball_out")


@pytest.mark.rule("SD-05.b")
def test_sd_05_b_a_valid_spin_has_four_turns() -> None:
    book = load("sd")
    assert book.wheel.turns == 4
    assert book.wheel.cites.turns == ("SD-05.b",)


@pytest.mark.rule("SD-05.c", "SD-05.e")
def test_sd_05_c_no_bet_is_taken_or_changed_after_no_more_bets() -> None:
    close, collecting = ("SD-05.c",), ("SD-05.e",)
    check_the_close("sd", close, call="No more bets", while_collecting=collecting)


@pytest.mark.rule("SD-05.c")
def test_sd_05_c_nobody_grants_an_exception() -> None:
    check_no_exception("sd", ("SD-05.c",), by="supervisor-1")


@pytest.mark.rule("SD-05.e")
def test_sd_05_e_the_losers_are_collected_before_the_winners_are_paid() -> None:
    lines = paid_in_order("sd").last(events.NumberCalled).settlement.lines
    assert [line.lost for line in lines] == [20, 0]


@pytest.mark.rule("SD-G.6", "NV-03")
def test_sd_g_6_betting_opens_with_place_your_bets() -> None:
    table = opened("sd", {"ana": 100})
    assert table.last(events.TableOpened).call == "Place your bets"
    coup(table, 17)
    assert table.last(events.CoupEnded).call == "Place your bets"


# No spin ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cause", "articles"),
    [
        case("SD-06.a SD-05.a", "same_direction", ("SD-05.a", "SD-06.a")),
        case("SD-06.b SD-05.b", "too_few_turns", ("SD-05.b", "SD-06.b")),
        case("SD-06.c", "object_in_wheel", ("SD-06.c",)),
        case("SD-06.d", "ball_out", ("SD-06.d",)),
    ],
)
@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.CLOSED])
def test_sd_06_no_spin_settles_nothing_and_the_stakes_lie(
    cause: str, articles: tuple[str, ...], phase: Phase
) -> None:
    void = check_a_void_ball_settles_nothing("sd", cause, phase, call="No spin", by="dealer-1")
    assert set(articles) <= set(void.articles)


@pytest.mark.rule("AMB-SD-08", "SD-05.b")
@pytest.mark.parametrize("cause", CAUSES)
def test_amb_sd_08_a_ball_that_rests_after_no_spin_counts_for_nothing(cause: str) -> None:
    table = opened("sd", {"ana": 100})
    table.stake("ana", "17:10")
    table.close()
    table.void(cause)
    pocket = commands.PocketBall(by="dealer-1", number=17)
    assert refused(table, pocket).why in (
        RefusalReason.BETTING_NOT_CLOSED,
        RefusalReason.BALL_NOT_LAUNCHED,
    )


@pytest.mark.rule("AMB-SD-10")
@pytest.mark.parametrize("cause", ["ball_escaped", "ball_stuck", "wheel_stopped"])
def test_amb_sd_10_there_are_four_causes_and_no_other(cause: str) -> None:
    assert {each.value for each in load("sd").wheel.causes} == set(CAUSES)
    assert "AMB-SD-10" in check_no_void_for("sd", cause)


@pytest.mark.rule("SD-06.c", "SD-05.d")
def test_sd_06_c_once_the_ball_rests_it_is_too_late() -> None:
    table = opened("sd", {"ana": 100})
    table.stake("ana", "17:10")
    table.pocket(17)
    void = commands.VoidBall(by="dealer-1", cause=Cause.OBJECT_IN_WHEEL)
    refusal = refused(table, void)
    assert (refusal.why, refusal.articles) == (RefusalReason.BALL_ALREADY_POCKETED, ("SD-05.d",))


@pytest.mark.rule("SD-06.d")
def test_sd_06_d_a_ball_that_left_the_wheel_is_inspected_before_the_next_launch() -> None:
    table = opened("sd", {"ana": 100})
    table.launch()
    table.void("ball_out")
    launch = commands.LaunchBall(by="dealer-1")
    refusal = refused(table, launch)
    assert (refusal.why, refusal.articles) == (RefusalReason.BALL_NOT_INSPECTED, ("SD-06.d",))
    by_dealer = commands.InspectBall(by="dealer-1")
    assert refused(table, by_dealer).why is RefusalReason.NOT_OF_THIS_POST
    # Betting is open all the same.
    table.stake("ana", "17:10")
    table.act(commands.InspectBall(by="supervisor-1"))
    table.act(launch)


@pytest.mark.rule("SD-06.d")
@pytest.mark.parametrize("cause", ["same_direction", "too_few_turns", "object_in_wheel"])
def test_sd_06_d_after_another_cause_the_ball_is_launched_at_once(cause: str) -> None:
    table = opened("sd", {})
    table.launch()
    table.void(cause)
    table.launch()
    assert table.state.ball_launched


# Before the table opens ---------------------------------------------------------------------------


@pytest.mark.rule("SD-11.a", "SD-11.b")
def test_sd_11_a_no_table_opens_that_was_not_inspected() -> None:
    table = staffed("dealer", "supervisor")
    refusal = refused(table, commands.OpenTable(by=MANAGEMENT))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.TABLE_NOT_INSPECTED,
        ("SD-11.a", "SD-11.b"),
    )
    by_dealer = commands.InspectTable(by="dealer-1")
    assert refused(table, by_dealer).why is RefusalReason.NOT_OF_THIS_POST
    table.act(commands.InspectTable(by="supervisor-1"))
    table.act(commands.OpenTable(by=MANAGEMENT))
    assert table.state.phase is Phase.BETTING


@pytest.mark.rule("SD-11.e")
def test_sd_11_e_the_log_keeps_what_was_inspected_and_by_whom() -> None:
    table = staffed("dealer", "supervisor")
    done = "wheel level and free, ball over the magnet"
    (entry,) = table.act(commands.InspectTable(by="supervisor-1", done=done, licence="SD-4711"))
    assert isinstance(entry, events.TableInspected)
    assert (entry.by, entry.done, entry.licence) == ("supervisor-1", done, "SD-4711")
    assert entry.articles == ("SD-11.a", "SD-11.b")


# The staff ----------------------------------------------------------------------------------------


@pytest.mark.rule("SD-G.9", "AMB-SD-11")
@pytest.mark.parametrize(
    ("posts", "word"),
    [(("dealer",), "pit supervisor"), (("supervisor",), "dealer"), ((), "dealer")],
)
def test_sd_g_9_a_table_needs_a_dealer_and_a_supervisor(posts: tuple[str, ...], word: str) -> None:
    table = staffed(*posts)
    if "supervisor" in posts:
        table.act(commands.InspectTable(by="supervisor-1"))
    refusal = refused(table, commands.OpenTable(by=MANAGEMENT))
    assert (refusal.why, refusal.detail) == (RefusalReason.POST_MUST_BE_HELD, word)
    assert refusal.articles == ("SD-G.9", "AMB-SD-11")


@pytest.mark.parametrize(
    ("post", "may"),
    [
        case(
            "SD-G.9 SD-05.a SD-05.c SD-05.d SD-05.e SD-06.a SD-03.a",
            "dealer",
            "launch_ball close_betting void_ball pocket_ball call_number collect pay sell_chips "
            "place_for_player notice_excess",
        ),
        case(
            "SD-G.9 SD-06.d SD-11.a",
            "supervisor",
            "inspect_table inspect_ball notice_excess correct sign_number suspend decide_dispute "
            "close_table",
        ),
    ],
)
def test_sd_g_9_each_post_may_do_its_own_acts_and_no_other(post: str, may: str) -> None:
    state = opened("sd", {}).state
    assert {each.value for each in Act if state.may(f"{post}-1", each)} == set(may.split())


@pytest.mark.rule("SD-G.9", "AMB-SD-11")
def test_sd_g_9_each_post_is_held_by_one_person_and_the_supervisor_watches() -> None:
    posts = load("sd").posts
    assert {name: post.word for name, post in posts.items()} == {
        "dealer": "dealer",
        "supervisor": "pit supervisor",
    }
    assert {name for name, post in posts.items() if post.watches} == {"supervisor"}
    table = opened("sd", {})
    for post in posts:
        refusal = refused(table, commands.TakePost(by="another", post=post))
        assert refusal.why is RefusalReason.POST_IS_FULL


@pytest.mark.rule("SD-G.9")
def test_sd_g_9_the_supervisor_corrects_a_mistake_while_betting_is_open() -> None:
    table = opened("sd", {"ana": 100})
    table.stake("ana", "17/20:5")
    by_dealer = commands.CorrectStake(by="dealer-1", id="s1", on="17")
    assert refused(table, by_dealer).why is RefusalReason.NOT_OF_THIS_POST
    table.act(commands.CorrectStake(by="supervisor-1", id="s1", on="17"))
    moved = table.last(events.StakeMoved)
    assert (moved.on, moved.correction, moved.articles) == ("17", True, ("SD-G.9",))
    table.close()
    late = refused(table, commands.CorrectStake(by="supervisor-1", id="s1", on="20"))
    assert (late.why, late.articles) == (RefusalReason.REPORTED_TOO_LATE, ("SD-G.9",))


@pytest.mark.rule("NV-06", "SD-G.9")
def test_nv_06_a_number_called_wrongly_is_changed_with_the_supervisors_signature() -> None:
    table = opened("sd", {"ana": 100})
    table.stake("ana", "00:1")
    table.pocket(0)
    table.call()
    table.act(commands.CorrectNumber(by="dealer-1", number="00", reason="misread"))
    table.act(commands.SignNumber(by="supervisor-1", number="00"))
    table.call()
    assert table.last(events.NumberCalled).settlement.pocket == "00"
    assert table.last(events.NumberCalled).call == "double zero"


@pytest.mark.rule("NV-02")
def test_nv_02_a_table_closes_between_two_coups_without_a_countdown() -> None:
    table = opened("sd", {"ana": 100})
    refusal = refused(table, commands.AnnounceLastGames(by="dealer-1"))
    assert (refusal.why, refusal.articles) == (RefusalReason.NO_LAST_GAMES_IN_THE_BOOK, ("NV-02",))
    table.act(commands.CloseTable(by="supervisor-1"))
    assert table.last(events.TableClosed).articles == ("NV-02",)


@pytest.mark.rule("NV-08")
def test_nv_08_the_supervisor_suspends_play_with_a_reason() -> None:
    table = opened("sd", {"ana": 100})
    table.act(commands.Suspend(by="supervisor-1", reason="a fault in the wheel"))
    assert table.last(events.TableSuspended).articles == ("NV-08",)
