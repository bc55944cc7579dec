"""Spain, the staff of a roulette: the chief, the croupiers in rotation, the end of the table."""

import pytest

from novamas.game.post_zones import read_zone
from novamas.game.rulebook.behaviours import Act
from novamas.game.staffing import missing
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.decide import act
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import Refusal, RefusalReason
from novamas.table.state import Phase, State
from tests.rules.helpers import Table, coup, opened, place, refused


def staffed(*posts: str) -> Table:
    """A table that has not opened, whose posts are held by people named after them."""
    table = Table(State.fresh(load("es")))
    for number, post in enumerate(posts, start=1):
        table.act(commands.TakePost(by=f"{post}-{number}", post=post))
    return table


def with_end(players: dict[str, int], zone: tuple[str, ...] = ()) -> Table:
    """An open table with its full staff; the third croupier is called `end-1`."""
    table = opened("es", players, zone=read_zone(load("es"), zone))
    table.act(commands.TakePost(by="end-1", post="end"))
    return table


# Who is at the table ------------------------------------------------------------------------------


@pytest.mark.rule("ES-P.1", "ES-P.9", "AMB-ES-11")
def test_es_p_1_the_full_staff_is_four_persons_and_no_more() -> None:
    table = staffed("chief", "croupier", "croupier", "end")
    for post in ("chief", "croupier", "end"):
        refusal = refused(table, commands.TakePost(by="another", post=post))
        assert (refusal.why, refusal.articles) == (RefusalReason.POST_IS_FULL, ("ES-P.1",))
    table.act(commands.OpenTable(by="chief-1"))
    assert len(table.state.staff) == 4


@pytest.mark.rule("ES-P.9", "AMB-ES-11", "AMB-ES-16")
@pytest.mark.parametrize("second", ["croupier", "end"])
def test_es_p_9_any_one_of_the_three_croupiers_can_be_done_without(second: str) -> None:
    table = staffed("chief", "croupier", second)
    table.act(commands.OpenTable(by="chief-1"))
    assert table.state.phase is Phase.BETTING


TWO = "2 of: crupier, extremo de mesa"


@pytest.mark.rule("ES-P.1", "ES-P.9", "AMB-ES-11", "AMB-ES-16")
@pytest.mark.parametrize(
    ("posts", "word", "articles"),
    [
        (("croupier", "croupier", "end"), "jefe de mesa", ("ES-P.1",)),
        (("chief", "croupier"), TWO, ("ES-P.9", "AMB-ES-11", "AMB-ES-16")),
        (("chief", "end"), "crupier", ("ES-P.9", "AMB-ES-16")),
        (("chief",), "crupier", ("ES-P.9", "AMB-ES-16")),
    ],
)
def test_es_p_9_without_its_chief_and_two_croupiers_no_table_opens(
    posts: tuple[str, ...], word: str, articles: tuple[str, ...]
) -> None:
    table = staffed(*posts)
    refusal = refused(table, commands.OpenTable(by=MANAGEMENT))
    assert (refusal.why, refusal.articles) == (RefusalReason.POST_MUST_BE_HELD, articles)
    assert refusal.detail == word


@pytest.mark.rule("ES-P.1", "ES-P.9", "AMB-ES-16")
@pytest.mark.parametrize("person", ["croupier-1", "croupier-2", "end-1"])
def test_es_p_9_one_croupier_leaves_an_open_table_and_no_second_one(person: str) -> None:
    table = with_end({"ana": 100})
    table.act(commands.LeavePost(by=person))
    for other in ("chief-1", *table.state.posts_of("croupier"), *table.state.posts_of("end")):
        assert refused(table, commands.LeavePost(by=other)).why is RefusalReason.POST_IS_NEEDED


@pytest.mark.rule("ES-P.9", "AMB-ES-16")
def test_es_p_9_a_table_that_staffs_itself_has_two_croupiers_at_the_cylinder() -> None:
    assert missing(load("es"), {}) == ["chief", "croupier", "croupier"]
    assert missing(load("es"), {"chief": 1, "end": 1}) == ["croupier"]


@pytest.mark.rule("ES-P.4", "AMB-ES-16")
@pytest.mark.parametrize("left", ["croupier-1", "croupier-2"])
def test_es_p_4_who_is_left_at_the_cylinder_spins_every_time(left: str) -> None:
    table = opened("es", {}, rotation=1)
    table.act(commands.TakePost(by="end-1", post="end"))
    gone = "croupier-2" if left == "croupier-1" else "croupier-1"
    table.act(commands.LeavePost(by=gone))
    assert _spinners(table, 3) == [left] * 3
    # With two at the cylinder again, they take turns again.
    table.act(commands.TakePost(by=gone, post="croupier"))
    assert set(_spinners(table, 2)[-2:]) == {left, gone}


@pytest.mark.rule("ES-P.1")
def test_es_p_1_the_posts_are_called_as_the_house_calls_them() -> None:
    words = {name: post.word for name, post in load("es").posts.items()}
    assert words == {"chief": "jefe de mesa", "croupier": "crupier", "end": "extremo de mesa"}
    refusal = refused(staffed(), commands.TakePost(by="tallador", post="spinner"))
    assert refusal.why is RefusalReason.NO_SUCH_POST


# What each may do ---------------------------------------------------------------------------------


@pytest.mark.rule("ES-P.2", "ES-P.3", "ES-P.4", "ES-P.5", "ES-P.6", "ES-P.7", "ES-P.8", "ES-G.9")
@pytest.mark.parametrize(
    ("post", "may"),
    [
        (
            "chief",
            {
                "void_ball",
                "order_correction",
                "sign_number",
                "suspend",
                "decide_dispute",
                "close_table",
            },
        ),
        (
            "croupier",
            {
                "launch_ball",
                "close_betting",
                "pocket_ball",
                "call_number",
                "collect",
                "pay",
                "sell_chips",
                "place_for_player",
                "correct",
            },
        ),
        ("end", {"place_for_player", "correct"}),
    ],
)
def test_es_p_each_post_may_do_its_own_acts_and_no_other(post: str, may: set[str]) -> None:
    state = with_end({}).state
    assert {each.value for each in Act if state.may(f"{post}-1", each)} == may


@pytest.mark.rule("ES-P.2")
def test_es_p_2_the_chief_directs_the_game() -> None:
    table = opened("es", {"ana": 100})
    table.stake("ana", "17:5")
    table.act(commands.OrderCorrection(by="chief-1", id="s1", on="20"))
    table.act(commands.Suspend(by="chief-1", reason="a dispute"))
    assert refused(table, place("ana", "17:5")).why is RefusalReason.TABLE_IS_SUSPENDED
    table.act(commands.Resume(by="chief-1"))
    table.act(commands.CloseTable(by="chief-1"))


@pytest.mark.rule("ES-P.2")
def test_es_p_2_the_chief_watches_over_the_croupiers() -> None:
    assert {name for name, post in load("es").posts.items() if post.watches} == {"chief"}


@pytest.mark.rule("ES-P.2")
@pytest.mark.parametrize(
    "command",
    [
        commands.Suspend(by="croupier-1"),
        commands.CloseTable(by="croupier-1"),
        commands.CloseTable(by="end-1"),
        commands.Suspend(by="end-1"),
    ],
)
def test_es_p_2_it_is_for_the_chief_and_no_croupier(command: commands.Command) -> None:
    refusal = refused(with_end({"ana": 100}), command)
    assert refusal.why is RefusalReason.NOT_OF_THIS_POST
    assert refusal.detail.endswith("is for the jefe de mesa")


def _paying() -> Table:
    """A table at which a loser lies to be collected, and then a winner to be paid."""
    table = opened("es", {"ana": 100})
    table.stake("ana", "17:5 20:5")
    table.pocket(17)
    table.call()
    return table


@pytest.mark.rule("ES-P.3")
def test_es_p_3_the_chief_touches_neither_money_nor_chips() -> None:
    table = opened("es", {"ana": 100})
    refusals = [
        refused(table, commands.BuyChips(by="chief-1", player="ana", amount=10)),
        refused(table, place("ana", "17:5", by="chief-1")),
    ]
    table = _paying()
    refusals.append(refused(table, commands.CollectLosers(by="chief-1")))
    table.collect()
    refusals.append(refused(table, commands.PayNext(by="chief-1")))
    refusals.append(refused(table, commands.PayWinners(by="chief-1")))
    for refusal in refusals:
        assert (refusal.why, refusal.articles) == (RefusalReason.NOT_OF_THIS_POST, ("ES-P.3",))
        assert "is for the crupier" in refusal.detail


@pytest.mark.rule("ES-P.3")
def test_es_p_3_what_the_chief_may_not_do_for_another_reason_cites_that_reason() -> None:
    # Launching the ball handles no chip: it is simply not theirs (ES-P.2, ES-G.9).
    refusal = refused(opened("es", {}), commands.LaunchBall(by="chief-1"))
    assert (refusal.why, refusal.articles) == (RefusalReason.NOT_OF_THIS_POST, ("ES-P.2", "ES-G.9"))


@pytest.mark.rule("ES-P.5")
def test_es_p_5_the_croupiers_carry_out_the_operations_of_the_game() -> None:
    table = opened("es", {"ana": 100})
    table.stake("ana", "17:5 20:5")
    for command in (
        commands.LaunchBall(by="croupier-1"),
        commands.CloseBetting(by="croupier-2"),
        commands.PocketBall(by="croupier-1", number=17),
        commands.CallNumber(by="croupier-2"),
        commands.CollectLosers(by="croupier-1"),
        commands.PayNext(by="croupier-2"),
    ):
        table.act(command)
    assert table.purse("ana") == 100 + 175 - 5


@pytest.mark.rule("ES-P.6")
def test_es_p_6_a_croupier_may_place_a_players_bet() -> None:
    table = opened("es", {"ana": 100, "luis": 100})
    table.act(place("ana", "17:5", by="croupier-2"))
    placed = table.last(events.StakePlaced)
    assert (placed.player, placed.by, table.purse("ana")) == ("ana", "croupier-2", 95)
    # One player does not place for another.
    assert (
        refused(table, place("ana", "17:5", by="luis", id="b")).why
        is RefusalReason.NOT_OF_THIS_POST
    )


@pytest.mark.rule("ES-P.7")
def test_es_p_7_the_end_of_the_table_places_for_the_players_present_alone() -> None:
    table = with_end({"ana": 100}, zone=("17",))
    table.act(place("ana", "17:5", by="end-1", id="a"))
    table.act(commands.StepAway(by="ana"))
    refusal = refused(table, place("ana", "17:5", by="end-1", id="b"))
    assert (refusal.why, refusal.articles) == (RefusalReason.PLAYER_IS_AWAY, ("ES-P.7",))
    assert refused(table, place("eva", "17:5", by="end-1")).why is RefusalReason.NOT_SEATED
    table.act(commands.ComeBack(by="ana"))
    table.act(place("ana", "17:5", by="end-1", id="b"))
    assert table.purse("ana") == 90


# The rotation -------------------------------------------------------------------------------------


def _spinners(table: Table, spins: int) -> list[str]:
    """Who spun, spin after spin."""
    for _ in range(spins):
        coup(table, 17)
    return [event.by for event in table.events if isinstance(event, events.BallLaunched)]


@pytest.mark.rule("ES-P.4")
@pytest.mark.parametrize(
    ("rotation", "turns"), [(1, "121212"), (2, "112211"), (3, "111222"), (10, "111111")]
)
def test_es_p_4_the_croupiers_spin_in_turns_of_a_set_length(rotation: int, turns: str) -> None:
    table = opened("es", {}, rotation=rotation)
    assert _spinners(table, 6) == [f"croupier-{turn}" for turn in turns]


@pytest.mark.rule("ES-P.4")
def test_es_p_4_nobody_spins_out_of_turn() -> None:
    table = opened("es", {}, rotation=1)
    for turn, other in (("croupier-1", "croupier-2"), ("croupier-2", "croupier-1")):
        refusal = refused(table, commands.LaunchBall(by=other))
        assert (refusal.why, refusal.articles) == (
            RefusalReason.NOT_THEIR_TURN_TO_SPIN,
            ("ES-P.4",),
        )
        table.act(commands.LaunchBall(by=turn))
        coup(table, 17)


@pytest.mark.rule("ES-P.4", "ES-G.9")
def test_es_p_4_a_null_spin_is_a_spin_of_the_turn() -> None:
    table = opened("es", {}, rotation=2)
    table.launch()
    table.void("ball_out")
    table.launch()
    table.void("ball_out")
    assert _spinners(table, 1) == ["croupier-1", "croupier-1", "croupier-2"]


@pytest.mark.rule("ES-P.4", "ES-G.9")
def test_es_g_9_a_ball_that_slips_was_in_the_hand_of_the_croupier_whose_turn_it_is() -> None:
    table = opened("es", {}, rotation=1)
    table.void("ball_escaped")
    assert table.last(events.BallLaunched).by == "croupier-1"
    assert table.last(events.BallVoided).by == "chief-1"
    assert table.state.spinner() == "croupier-2"


@pytest.mark.rule("ES-P.1")
def test_es_p_1_one_person_holds_one_post_and_does_not_play() -> None:
    table = opened("es", {"ana": 100})
    for command, why in (
        (commands.TakePost(by="croupier-1", post="end"), RefusalReason.ONE_POST_PER_PERSON),
        (commands.TakePost(by="ana", post="end"), RefusalReason.STAFF_DOES_NOT_PLAY),
        (commands.Sit(by="croupier-1"), RefusalReason.STAFF_DOES_NOT_PLAY),
    ):
        decision = act(table.state, command)
        assert isinstance(decision, Refusal)
        assert decision.why is why
