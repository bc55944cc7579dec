"""Bulgaria, a game from the spin to the payments, the games that do not count, and the close."""

import pytest

from novamas.game.payment import payments
from novamas.game.rulebook.behaviours import Cause, ChipKind
from novamas.game.wheel import Direction
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.events import Event
from novamas.table.identity import MANAGEMENT, Identity, Officer
from novamas.table.refusals import RefusalReason
from novamas.table.script import run_script
from novamas.table.state import Phase
from tests.rules.helpers import (
    case,
    coup,
    number_called,
    opened,
    paid_in_order,
    place,
    refused,
    settled,
    stakes,
)

CW, CCW = Direction.CLOCKWISE, Direction.COUNTERCLOCKWISE


# The spin and the stakes --------------------------------------------------------------------------


@pytest.mark.rule("BG-6", "BG-9")
def test_bg_6_9_the_ball_runs_against_the_wheel_which_turns_the_other_way_each_game() -> None:
    table = opened("bg", {})
    for number in (17, 0, 32, 5):
        coup(table, number)
    spun = [(e.wheel, e.ball) for e in table.events if isinstance(e, events.BallLaunched)]
    assert spun == [(CW, CCW), (CCW, CW), (CW, CCW), (CCW, CW)]


@pytest.mark.rule("BG-9", "AMB-BG-10")
@pytest.mark.parametrize("cause", ["object_in_wheel", "ball_escaped", "ball_out"])
def test_amb_bg_10_the_wheel_turns_against_the_previous_spin_even_an_annulled_one(
    cause: str,
) -> None:
    table = opened("bg", {})
    coup(table, 17)
    if cause != "ball_escaped":
        table.launch()
    table.void(cause)
    coup(table, 5)
    coup(table, 6)
    assert table.tally.directions == ["cw", "ccw", "cw", "ccw"]
    balls = [e.ball for e in table.events if isinstance(e, events.BallLaunched)]
    assert balls == [CCW, CW, CCW, CW]


INVITATION = "Моля, залагайте"


def _calls(log: list[Event]) -> list[str]:
    """All that the croupier called, in order."""
    said = [getattr(event, "call", None) for event in log]
    return [call for call in said if call]


@pytest.mark.rule("BG-6", "BG-7a", "AMB-BG-18")
def test_bg_7a_the_croupier_invites_the_players_after_the_launch_of_each_ball() -> None:
    table = opened("bg", {})
    assert _calls(table.events) == []
    table.launch()
    assert table.last(events.BallLaunched).call == INVITATION
    for number in (17, 0):
        coup(table, number)
    close = "Край на залаганията"
    game = [INVITATION, close]
    assert _calls(table.events) == [*game, "17, черно", *game, "0"]


@pytest.mark.rule("BG-7a", "AMB-BG-18")
def test_amb_bg_18_after_an_annulled_game_with_the_next_ball_again() -> None:
    table = opened("bg", {})
    table.launch()
    table.void("object_in_wheel")
    assert _calls(table.events) == [INVITATION, "Нова игра"]
    table.launch()
    assert _calls(table.events)[2:] == [INVITATION]


@pytest.mark.rule("BG-7a", "BG-10b", "AMB-BG-18")
def test_amb_bg_18_a_ball_that_was_dropped_was_not_launched() -> None:
    table = opened("bg", {})
    table.void("ball_escaped")
    assert _calls(table.events) == ["Нова игра"]


@pytest.mark.rule("AMB-BG-18", "BG-30b")
def test_amb_bg_18_while_the_last_games_are_counted_too() -> None:
    table = opened("bg", {"ana": 100})
    table.act(commands.AnnounceLastGames(by="croupier-1"))
    coup(table, 17)
    called = ["Три последни игри", INVITATION, "Край на залаганията", "17, черно"]
    assert _calls(table.events) == [*called, "Остават две игри"]


@pytest.mark.rule("BG-7b", "BG-7c", "AMB-BG-15")
def test_bg_7c_stakes_are_taken_before_the_spin_and_while_the_ball_runs() -> None:
    table = opened("bg", {"ana": 100})
    table.stake("ana", "17:5")
    table.launch()
    table.stake("ana", "20:5")
    table.act(commands.MoveStake(by="ana", id="s1", on="5"))
    table.close()
    assert table.last(events.BettingClosed).call == "Край на залаганията"
    assert coup(table, 20).of("ana").won == 175


@pytest.mark.rule("BG-7c")
def test_bg_7c_betting_ends_only_after_the_spin() -> None:
    table = opened("bg", {})
    refusal = refused(table, commands.CloseBetting(by="croupier-1"))
    assert refusal.why is RefusalReason.BALL_NOT_LAUNCHED
    table.launch()
    assert (
        refused(table, commands.LaunchBall(by="croupier-1")).why
        is RefusalReason.BALL_ALREADY_LAUNCHED
    )


@pytest.mark.rule("BG-7b")
def test_bg_7b_after_the_end_of_betting_nothing_is_laid_moved_or_taken_back() -> None:
    table = opened("bg", {"ana": 100})
    table.stake("ana", "17:5")
    table.close()
    late: list[commands.Command] = [
        place("ana", "20:5"),
        commands.MoveStake(by="ana", id="s1", on="20"),
        commands.WithdrawStake(by="ana", id="s1"),
    ]
    for command in late:
        refusal = refused(table, command)
        assert (refusal.why, refusal.articles) == (
            RefusalReason.BETTING_IS_CLOSED,
            ("BG-7b", "AMB-BG-15"),
        )
    exception = commands.GrantException(by="inspector-1", player="ana")
    refusal = refused(table, exception)
    assert (refusal.why, refusal.articles) == (
        RefusalReason.NO_EXCEPTION_IN_THE_BOOK,
        ("BG-7b", "AMB-BG-15"),
    )


@pytest.mark.rule("AMB-BG-15", "BG-7b")
def test_amb_bg_15_new_stakes_wait_until_the_payments_are_made() -> None:
    table = opened("bg", {"ana": 100})
    table.stake("ana", "17:5 20:5")
    table.pocket(17)
    table.call()
    assert refused(table, place("ana", "5:5")).why is RefusalReason.BETTING_IS_CLOSED
    table.collect()
    assert refused(table, place("ana", "5:5")).why is RefusalReason.BETTING_IS_CLOSED
    table.pay()
    table.stake("ana", "5:5")


# The number and the payments ----------------------------------------------------------------------


@pytest.mark.rule("BG-8a")
@pytest.mark.parametrize(
    ("number", "call"),
    [
        case("BG-8a", 32, "32, червено"),
        case("BG-8a", 17, "17, черно"),
        case("BG-8a", 10, "10, черно"),
        case("AMB-BG-14", 0, "0"),
    ],
)
def test_bg_8a_the_croupier_calls_the_number_and_its_colour(number: int, call: str) -> None:
    assert number_called("bg", number) == call


@pytest.mark.rule("BG-8b")
def test_bg_8b_marked_then_collected_and_only_then_paid() -> None:
    table = paid_in_order("bg")
    order = [type(event) for event in table.events[-5:]]
    assert order == [
        events.BallPocketed,
        events.NumberCalled,
        events.LosersCollected,
        events.WinnersPaid,
        events.CoupEnded,
    ]


@pytest.mark.rule("NV-05")
def test_nv_05_chances_are_paid_first_and_each_stake_by_itself_as_it_was_laid() -> None:
    ana = stakes("17:2 13/18:2 black:2 17/20:2 d2:2 16/20:2 c2:2 16/18:2", "ana")
    luis = stakes("17:10", "luis", chip=5, kind=ChipKind.VALUE)
    laid = [*ana[:2], *luis, *ana[2:]]
    paid = payments(load("bg"), settled("bg", 17, laid))
    assert [[line.stake.id for line in each.lines] for each in paid] == [
        ["ana3"],
        ["ana5"],
        ["ana7"],
        ["ana1"],
        ["ana2"],
        ["luis1"],
        ["ana4"],
        ["ana6"],
        ["ana8"],
    ]
    assert {each.articles for each in paid} == {("NV-05",)}


@pytest.mark.rule("NV-05")
@pytest.mark.parametrize("number", ["17", "17/20", "16/18", "16/20", "13/18"])
@pytest.mark.parametrize("chance", ["c2", "d2", "black"])
def test_nv_05_any_chance_comes_before_any_number(number: str, chance: str) -> None:
    lines = settled("bg", 17, f"{number}:2 {chance}:2").lines
    assert [line.stake.spot.name for line in lines] == [chance, number]


# Games that do not count --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cause", "article"),
    [
        case("BG-10a", "object_in_wheel", "BG-10a"),
        case("BG-10b", "ball_escaped", "BG-10b"),
        case("AMB-BG-13", "ball_out", "AMB-BG-13"),
    ],
)
@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.CLOSED])
def test_bg_10_a_new_game_is_declared_and_nothing_is_won_or_lost(
    cause: str, article: str, phase: Phase
) -> None:
    table = opened("bg", {"ana": 100})
    table.stake("ana", "17:10 red:20")
    table.launch()
    if phase is Phase.CLOSED:
        table.close()
    table.void(cause)
    void = table.last(events.BallVoided)
    assert (void.call, void.articles) == ("Нова игра", (article, "AMB-BG-09"))
    assert (table.state.on_cloth, table.purse("ana"), table.state.bank) == (30, 70, 0)
    assert not table.tally.coups


@pytest.mark.rule("BG-10b")
def test_bg_10b_a_ball_dropped_unspun_makes_a_new_game_before_any_launch() -> None:
    table = opened("bg", {"ana": 100})
    table.stake("ana", "17:10")
    table.void("ball_escaped")
    assert table.last(events.BallVoided).articles == ("BG-10b", "AMB-BG-09")
    assert coup(table, 17).of("ana").won == 350


@pytest.mark.rule("AMB-BG-09")
def test_amb_bg_09_after_a_new_game_the_stakes_lie_and_may_be_changed() -> None:
    table = opened("bg", {"ana": 100})
    table.stake("ana", "17:10 red:20")
    table.close()
    table.void("object_in_wheel")
    table.act(commands.MoveStake(by="ana", id="s1", on="5"))
    table.act(commands.WithdrawStake(by="ana", id="s2", amount=10))
    table.stake("ana", "5:1")
    sums = coup(table, 5).of("ana")
    assert (sums.won, sums.lost) == (350 + 35 + 10, 0)


@pytest.mark.rule("BG-10a", "BG-10b", "AMB-BG-13")
@pytest.mark.parametrize("cause", [Cause.BALL_STUCK, Cause.WHEEL_STOPPED])
def test_bg_10_for_no_other_cause(cause: Cause) -> None:
    table = opened("bg", {})
    table.launch()
    refusal = refused(table, commands.VoidBall(by="croupier-1", cause=cause))
    assert refusal.why is RefusalReason.CAUSE_NOT_IN_THE_BOOK
    assert refusal.articles == ("BG-10a", "BG-10b", "AMB-BG-13")
    assert refusal.detail == "causes here: ball_escaped, object_in_wheel, ball_out"


@pytest.mark.rule("BG-8a", "BG-10a")
def test_bg_8a_a_ball_at_rest_has_decided() -> None:
    table = opened("bg", {"ana": 100})
    table.stake("ana", "17:10")
    table.pocket(17)
    void = commands.VoidBall(by="croupier-1", cause=Cause.OBJECT_IN_WHEEL)
    for step in (table.call, table.collect, table.pay):
        refusal = refused(table, void)
        assert (refusal.why, refusal.articles) == (RefusalReason.BALL_ALREADY_POCKETED, ("BG-8a",))
        step()
    assert refused(table, void).why is RefusalReason.BALL_NOT_LAUNCHED


# The close ----------------------------------------------------------------------------------------


def _said(log: list[Event]) -> list[str]:
    """What the croupier said after each game."""
    return [event.call for event in log if isinstance(event, events.CoupEnded)]


@pytest.mark.rule("BG-30a", "BG-30b")
def test_bg_30_three_last_games_are_announced_and_counted() -> None:
    table = opened("bg", {"ana": 100})
    coup(table, 17)
    table.act(commands.AnnounceLastGames(by="croupier-1"))
    announced = table.last(events.LastGamesAnnounced)
    assert (announced.games, announced.call) == (3, "Три последни игри")
    assert announced.articles == ("BG-30a",)
    for number in (5, 6, 7):
        coup(table, number)
    assert table.tally.games_left == [2, 1, 0]
    assert _said(table.events)[1:] == [
        "Остават две игри",
        "Остава една игра",
        "Играта на масата приключи",
    ]
    assert table.state.phase is Phase.ENDED
    refusal = refused(table, place("ana", "17:5"))
    assert (refusal.why, refusal.articles) == (RefusalReason.TABLE_IS_CLOSED, ("BG-30a",))
    table.act(commands.CloseTable(by="croupier-1"))
    assert table.last(events.TableClosed).articles == ("BG-30a",)


@pytest.mark.rule("BG-30b", "AMB-BG-11")
@pytest.mark.parametrize("played", [0, 1, 2])
def test_amb_bg_11_an_annulled_game_is_none_of_the_three(played: int) -> None:
    table = opened("bg", {"ana": 100})
    table.act(commands.AnnounceLastGames(by="croupier-1"))
    for _ in range(played):
        coup(table, 5)
    for cause in ("object_in_wheel", "ball_out"):
        table.close()
        table.void(cause)
        assert table.state.games_left == 3 - played
    for _ in range(3 - played):
        coup(table, 5)
    assert table.tally.games_left == [2, 1, 0]
    assert table.state.phase is Phase.ENDED
    assert len(table.tally.directions) == 5


@pytest.mark.rule("BG-30a")
def test_bg_30a_they_are_announced_by_the_croupier_between_games_and_once() -> None:
    table = opened("bg", {"ana": 100})
    announce = commands.AnnounceLastGames(by="croupier-1")
    refusal = refused(table, commands.AnnounceLastGames(by="inspector-1"))
    assert refusal.why is RefusalReason.NOT_OF_THIS_POST
    table.close()
    assert refused(table, announce).why is RefusalReason.BETTING_IS_CLOSED
    coup(table, 17)
    table.act(announce)
    refusal = refused(table, announce)
    assert (refusal.why, refusal.articles) == (
        RefusalReason.LAST_GAMES_ALREADY_ANNOUNCED,
        ("BG-30b",),
    )


CLOSERS = ["croupier-1", "inspector-1", MANAGEMENT, Officer("Vera")]


@pytest.mark.rule("BG-29", "BG-30a", "AMB-BG-17")
@pytest.mark.parametrize("by", CLOSERS)
def test_amb_bg_17_with_players_seated_nobody_closes_before_the_last_games(by: Identity) -> None:
    table = opened("bg", {"ana": 100, "luis": 100})
    close = commands.CloseTable(by=by)
    refusal = refused(table, close)
    assert refusal.why is RefusalReason.LAST_GAMES_NOT_PLAYED
    assert refusal.articles == ("BG-30a", "AMB-BG-17")
    table.act(commands.AnnounceLastGames(by="croupier-1"))
    for left in (3, 2, 1):
        assert table.state.games_left == left
        assert refused(table, close).why is RefusalReason.LAST_GAMES_NOT_PLAYED
        table.close()
        assert refused(table, close).why is RefusalReason.COUP_IN_PLAY
        table.void("object_in_wheel")
        assert refused(table, close).why is RefusalReason.LAST_GAMES_NOT_PLAYED
        coup(table, 17)
    table.act(close)
    assert table.last(events.TableClosed).articles == ("BG-30a",)


@pytest.mark.rule("BG-29", "AMB-BG-17")
@pytest.mark.parametrize("by", CLOSERS)
@pytest.mark.parametrize("games", [0, 1, 2])
def test_amb_bg_17_a_table_that_all_have_left_closes_at_once(by: Identity, games: int) -> None:
    table = opened("bg", {"ana": 100, "luis": 100})
    if games:
        table.act(commands.AnnounceLastGames(by="croupier-1"))
    for _ in range(games):
        coup(table, 17)
    table.act(commands.Leave(by="ana"))
    close = commands.CloseTable(by=by)
    assert refused(table, close).why is RefusalReason.LAST_GAMES_NOT_PLAYED
    table.act(commands.Leave(by="luis"))
    table.act(close)
    assert table.last(events.TableClosed).articles == ("BG-29",)


@pytest.mark.rule("BG-29", "AMB-BG-17")
def test_amb_bg_17_seated_is_who_has_not_left_away_and_without_chips_too() -> None:
    table = opened("bg", {"ana": 0})
    close = commands.CloseTable(by=MANAGEMENT)
    assert refused(table, close).why is RefusalReason.LAST_GAMES_NOT_PLAYED
    table.act(commands.StepAway(by="ana"))
    assert refused(table, close).why is RefusalReason.LAST_GAMES_NOT_PLAYED
    table.act(commands.Leave(by="ana"))
    table.act(close)


@pytest.mark.rule("BG-29", "AMB-BG-17")
def test_amb_bg_17_play_may_be_suspended_and_does_not_end_by_it() -> None:
    table = opened("bg", {"ana": 100})
    table.act(commands.Suspend(by=MANAGEMENT, reason="a fire alarm"))
    close = commands.CloseTable(by=MANAGEMENT)
    assert refused(table, close).why is RefusalReason.LAST_GAMES_NOT_PLAYED
    table.act(commands.Resume(by=MANAGEMENT))


@pytest.mark.rule("BG-30a", "AMB-BG-17")
def test_amb_bg_17_no_game_is_called_the_last_but_the_third_that_was_counted_down() -> None:
    table = opened("bg", {"ana": 100})
    table.close()
    last = commands.PocketBall(by="croupier-1", number=17, last=True)
    refusal = refused(table, last)
    assert (refusal.why, refusal.articles) == (RefusalReason.LAST_GAMES_NOT_PLAYED, ("BG-30a",))
    coup(table, 17)
    table.act(commands.AnnounceLastGames(by="croupier-1"))
    for _ in range(3):
        # The third of them is the last by itself.
        table.close()
        assert refused(table, last).why is RefusalReason.LAST_GAMES_NOT_PLAYED
        coup(table, 17)
    assert table.state.phase is Phase.ENDED


@pytest.mark.rule("BG-30a", "AMB-BG-17")
def test_amb_bg_17_in_a_script() -> None:
    game = [{"do": "no_more_bets"}, {"do": "number", "number": 17}]
    outcome = run_script(
        {
            "rulebook": "bg",
            "purses": {"ana": 100, "luis": 100},
            "script": [
                {"do": "close"},
                {"do": "last_games"},
                *game,
                {"do": "close"},
                *game,
                *({"do": "launch"}, {"do": "void", "cause": "ball_out"}, {"do": "close"}),
                *game,
                {"do": "close"},
            ],
        },
        load,
    )
    assert outcome["refused"] == [0, 4, 9]
    assert outcome["last_games_left"] == [2, 1, 0]


@pytest.mark.rule("BG-29", "BG-30a")
def test_bg_29_a_table_where_nobody_plays_any_more_closes_without_an_announcement() -> None:
    table = opened("bg", {"ana": 100})
    coup(table, 17)
    table.act(commands.Leave(by="ana"))
    table.launch()
    close = commands.CloseTable(by="croupier-1")
    assert refused(table, close).why is RefusalReason.COUP_IN_PLAY
    coup(table, 17)
    table.act(close)
    assert table.last(events.TableClosed).articles == ("BG-29",)
    assert not any(isinstance(event, events.LastGamesAnnounced) for event in table.events)
    assert table.state.phase is Phase.ENDED


@pytest.mark.rule("BG-3", "BG-5", "BG-29")
def test_bg_29_the_chipper_does_not_close_the_table() -> None:
    table = opened("bg", {})
    table.act(commands.TakePost(by="chipper-1", post="chipper"))
    refusal = refused(table, commands.CloseTable(by="chipper-1"))
    assert refusal.why is RefusalReason.NOT_OF_THIS_POST
    assert refusal.detail == "close table is for the крупие or the инспектор"
