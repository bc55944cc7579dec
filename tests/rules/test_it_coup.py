"""Italy, the coup: its calls, what may be done when, late stakes, corrections, and void balls."""

import pytest

from novamas.game.cloth import spot
from novamas.game.rulebook.behaviours import Cause, Winning
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.identity import MANAGEMENT, Identity
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase
from novamas.wording.calls import number_call
from tests.rules.helpers import Table, coup, opened, place, refused, settle_line

FRENCH = (
    "zéro|un|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|"
    "dix-sept|dix-huit|dix-neuf|vingt|vingt et un|vingt-deux|vingt-trois|vingt-quatre|vingt-cinq|"
    "vingt-six|vingt-sept|vingt-huit|vingt-neuf|trente|trente et un|trente-deux|trente-trois|"
    "trente-quatre|trente-cinq|trente-six"
).split("|")
RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}


def paying(text: str = "17:5 red:5 d2:5", pocket: int = 17) -> Table:
    """A table at which the losers of ana's are collected and the payments have begun."""
    table = opened("it", {"ana": 100, "ben": 100}, winning=Winning.CLOTH)
    table.stake("ana", text)
    table.pocket(pocket)
    table.call()
    table.collect()
    assert table.state.phase is Phase.PAYING
    return table


def exception(player: str = "ana", by: Identity = "chief-1") -> commands.GrantException:
    """The wish to let a player lay a late stake."""
    return commands.GrantException(by=by, player=player)


# The calls ----------------------------------------------------------------------------------------


@pytest.mark.rule("IT-gioco-7a")
def test_it_gioco_7a_the_game_opens_with_messieurs_faites_vos_jeux() -> None:
    table = opened("it", {"ana": 100})
    assert table.last(events.TableOpened).call == "Messieurs faites vos jeux"
    coup(table, 17)
    assert table.last(events.CoupEnded).call == "Messieurs faites vos jeux"


@pytest.mark.rule("IT-gioco-7b")
def test_it_gioco_7b_betting_ends_with_rien_ne_va_plus_once_the_ball_runs() -> None:
    table = opened("it", {"ana": 100})
    close = commands.CloseBetting(by="croupier-1")
    assert refused(table, close).why is RefusalReason.BALL_NOT_LAUNCHED
    table.launch()
    table.stake("ana", "17:5")
    table.close()
    assert table.last(events.BettingClosed).call == "Rien ne va plus"
    assert refused(table, close).why is RefusalReason.BETTING_IS_CLOSED


@pytest.mark.rule("IT-gioco-8b")
@pytest.mark.parametrize("number", range(1, 37))
def test_it_gioco_8b_the_number_is_called_in_french_with_its_simple_chances(number: int) -> None:
    colour = "rouge" if number in RED else "noir"
    parity = "impair" if number % 2 else "pair"
    half = "manque" if number < 19 else "passe"
    called = number_call(load("it"), number)
    assert called == f"{FRENCH[number]}, {colour}, {parity} et {half}"


@pytest.mark.rule("IT-gioco-8b")
def test_it_gioco_8b_zero_is_called_alone() -> None:
    assert number_call(load("it"), 0) == "zéro"


@pytest.mark.rule("IT-gioco-8b", "IT-gioco-8c")
def test_it_gioco_8c_with_the_call_the_number_is_marked_and_the_winnings_are_told() -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", "32:5 red:5 d1:5")
    table.pocket(32)
    table.call()
    called = table.last(events.NumberCalled)
    assert called.call == "trente-deux, rouge, pair et passe"
    assert table.state.number == called.settlement.pocket == 32
    assert {line.stake.spot.name: line.won for line in called.settlement.lines if line.won} == {
        "32": 175,
        "red": 5,
    }
    # The winnings are told while every chip still lies where it lay.
    assert (table.purse("ana"), table.state.on_cloth) == (85, 15)


# The way of a coup --------------------------------------------------------------------------------


@pytest.mark.rule("IT-gioco-8a")
def test_it_gioco_8a_the_number_is_that_of_the_pocket_in_which_the_ball_stops() -> None:
    table = opened("it", {"ana": 100})
    assert refused(table, commands.PocketBall(by="croupier-1", number=17)).why is (
        RefusalReason.BETTING_NOT_CLOSED
    )
    table.close()
    for number in (-1, 37, 100):
        wish = commands.PocketBall(by="croupier-1", number=number)
        assert refused(table, wish).why is RefusalReason.NUMBER_NOT_ON_THE_WHEEL
    table.pocket(36)
    again = commands.PocketBall(by="croupier-1", number=17)
    assert refused(table, again).why is RefusalReason.BALL_ALREADY_POCKETED
    assert table.state.number == 36


@pytest.mark.rule("IT-gioco-9")
def test_it_gioco_9_the_call_then_the_losers_then_the_payments() -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", "17:5 18:5")
    call = commands.CallNumber(by="croupier-1")
    collect = commands.CollectLosers(by="croupier-1")
    pay = commands.PayWinners(by="croupier-1")
    for command, why in (
        (call, RefusalReason.BALL_NOT_POCKETED),
        (collect, RefusalReason.NUMBER_NOT_CALLED),
        (pay, RefusalReason.LOSERS_NOT_COLLECTED),
    ):
        assert refused(table, command).why is why
    table.pocket(17)
    assert refused(table, collect).why is RefusalReason.NUMBER_NOT_CALLED
    table.act(call)
    assert refused(table, pay).why is RefusalReason.LOSERS_NOT_COLLECTED
    assert table.state.on_cloth == 10
    table.act(collect)
    assert (table.state.on_cloth, table.purse("ana")) == (5, 90)
    table.act(pay)
    assert table.purse("ana") == 90 + 175 + 5


@pytest.mark.rule("IT-general-12", "IT-general-11")
def test_it_general_12_hands_off_the_winning_chips_until_all_payments_are_made() -> None:
    table = opened("it", {"ana": 100, "ben": 100}, winning=Winning.CLOTH)
    (id,) = table.stake("ana", "17:5")
    table.stake("ben", "17:5")
    table.pocket(17)
    table.call()
    touches = (
        commands.WithdrawStake(by="ana", id=id),
        commands.MoveStake(by="ana", id=id, on="18"),
    )
    for step in (None, table.collect, lambda: table.act(commands.PayNext(by="croupier-1"))):
        if step is not None:
            step()
        for touch in touches:
            refusal = refused(table, touch)
            assert (refusal.why, refusal.articles) == (
                RefusalReason.HANDS_OFF_UNTIL_PAID,
                ("IT-general-12",),
            )
    # Ana's own win is paid by now, but ben's is not.
    assert table.purse("ana") == 95 + 175
    table.pay()
    table.act(touches[0])
    assert table.purse("ana") == 95 + 175 + 5


@pytest.mark.rule("IT-general-13a")
def test_it_general_13a_no_new_stake_while_losers_lie_on_the_cloth() -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", "17:5")
    table.pocket(18)
    assert refused(table, place("ana", "20:5")).why is RefusalReason.BETTING_IS_CLOSED
    table.call()
    refusal = refused(table, place("ana", "20:5"))
    assert (refusal.why, refusal.articles) == (RefusalReason.BETTING_IS_CLOSED, ("IT-general-13a",))
    table.collect()
    table.stake("ana", "20:5")


@pytest.mark.rule("IT-general-13b")
@pytest.mark.parametrize("on", ["17", "17/20", "16/18", "17/21", "13/18", "d2", "c2", "black"])
def test_it_general_13b_no_new_stake_on_a_winning_combination_during_payments(on: str) -> None:
    table = paying()
    refusal = refused(table, place("ben", f"{on}:5"))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.SPOT_IS_BEING_PAID,
        ("IT-general-13b",),
    )
    table.pay()
    table.stake("ben", f"{on}:5")


@pytest.mark.rule("IT-general-13b")
@pytest.mark.parametrize("on", ["18", "18/21", "d1", "c1", "red", "0"])
def test_it_general_13b_elsewhere_new_stakes_are_taken_during_payments(on: str) -> None:
    table = paying()
    (id,) = table.stake("ben", f"{on}:5")
    table.pay()
    assert table.state.stakes[id].amount == 5
    assert table.tally.coups[-1].players.get("ben") is None
    number = min(spot(on).numbers)
    assert coup(table, number).of("ben").won > 0


# Late stakes --------------------------------------------------------------------------------------


@pytest.mark.rule("IT-gioco-7c")
def test_it_gioco_7c_after_rien_ne_va_plus_nothing_is_laid_moved_or_withdrawn() -> None:
    table = opened("it", {"ana": 100})
    (id,) = table.stake("ana", "17:5")
    table.close()
    for wish in (
        place("ana", "18:5"),
        place("ana", "18:5", by="croupier-1"),
        commands.MoveStake(by="ana", id=id, on="18"),
        commands.WithdrawStake(by="ana", id=id),
    ):
        refusal = refused(table, wish)
        assert (refusal.why, refusal.articles) == (
            RefusalReason.BETTING_IS_CLOSED,
            ("IT-gioco-7c",),
        )


@pytest.mark.rule("IT-gioco-7c", "AMB-IT-15")
def test_it_gioco_7c_the_chief_grants_one_late_stake_and_it_is_recorded() -> None:
    table = opened("it", {"ana": 100})
    table.close()
    table.act(exception())
    granted = table.last(events.ExceptionGranted)
    assert (granted.player, granted.by, granted.articles) == ("ana", "chief-1", ("IT-gioco-7c",))
    table.stake("ana", "17:5")
    assert table.last(events.StakePlaced).exception
    assert refused(table, place("ana", "18:5")).why is RefusalReason.BETTING_IS_CLOSED
    assert coup(table, 17).of("ana").won == 175


@pytest.mark.rule("AMB-IT-15")
def test_it_amb_15_the_exception_is_for_the_player_named_alone() -> None:
    table = opened("it", {"ana": 100, "ben": 100})
    table.close()
    table.act(exception("ana"))
    assert refused(table, place("ben", "17:5")).why is RefusalReason.BETTING_IS_CLOSED
    for by in ("croupier-1", "ana", MANAGEMENT):
        assert refused(table, exception("ben", by)).why is RefusalReason.NOT_OF_THIS_POST
    assert refused(table, exception("eva")).why is RefusalReason.NOT_SEATED


@pytest.mark.rule("AMB-IT-15")
def test_it_amb_15_the_exception_is_granted_between_the_close_and_the_fall_of_the_ball() -> None:
    table = opened("it", {"ana": 100})
    before = refused(table, exception())
    assert (before.why, before.articles) == (RefusalReason.BETTING_NOT_CLOSED, ("IT-gioco-7c",))
    table.close()
    table.act(exception())
    table.pocket(17)
    after = refused(table, exception())
    assert (after.why, after.articles) == (RefusalReason.BALL_ALREADY_POCKETED, ("IT-gioco-7c",))
    # Granted in time but not used in time.
    assert refused(table, place("ana", "17:5")).why is RefusalReason.BETTING_IS_CLOSED


@pytest.mark.rule("AMB-IT-15")
@pytest.mark.parametrize("end", ["void", "number"])
def test_it_amb_15_an_exception_not_used_ends_with_its_spin(end: str) -> None:
    table = opened("it", {"ana": 100})
    table.close()
    table.act(exception())
    if end == "void":
        table.void(Cause.BALL_OUT)
    else:
        coup(table, 20)
    table.close()
    assert refused(table, place("ana", "17:5")).why is RefusalReason.BETTING_IS_CLOSED


@pytest.mark.rule("AMB-IT-15", "AMB-IT-21", "IT-general-2a", "IT-general-2b")
@pytest.mark.parametrize(
    ("bet", "article"), [("red:4", "IT-general-2a"), ("17:4", "IT-general-2b")]
)
def test_it_amb_15_a_late_stake_below_the_minimum_is_refused_at_once(
    bet: str, article: str
) -> None:
    table = opened("it", {"ana": 100})
    table.close()
    table.act(exception())
    refusal = refused(table, place("ana", bet))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.STAKE_BELOW_MINIMUM,
        (article, "AMB-IT-21"),
    )
    table.stake("ana", "red:5")


# Corrections --------------------------------------------------------------------------------------


def correct(id: str, on: str = "17", by: Identity = "chief-1") -> commands.CorrectStake:
    """The wish to put a stake right that lies in the wrong place."""
    return commands.CorrectStake(by=by, id=id, on=on)


@pytest.mark.rule("IT-general-7")
def test_it_general_7_a_mistake_reported_before_the_close_is_put_right_by_the_chief() -> None:
    table = opened("it", {"ana": 100})
    (id,) = table.stake("ana", "17/20:5", by="croupier-1")
    for by in ("ana", "croupier-1"):
        assert refused(table, correct(id, by=by)).why is RefusalReason.NOT_OF_THIS_POST
    table.launch()
    table.act(correct(id))
    moved = table.last(events.StakeMoved)
    assert (moved.on, moved.by, moved.correction) == ("17", "chief-1", True)
    assert moved.articles == ("IT-general-7",)
    assert coup(table, 17).of("ana").won == 175


@pytest.mark.rule("IT-general-7", "IT-general-8a", "IT-general-9")
def test_it_general_8a_reported_later_the_position_decides_and_nothing_is_made_good() -> None:
    table = opened("it", {"ana": 100})
    # Ana asked for 17; the croupier laid her chips on 17/20.
    (id,) = table.stake("ana", "17/20:5", by="croupier-1")
    table.close()
    for step in (None, lambda: table.pocket(17), table.call, table.collect):
        if step is not None:
            step()
        refusal = refused(table, correct(id))
        assert (refusal.why, refusal.articles) == (
            RefusalReason.REPORTED_TOO_LATE,
            ("IT-general-7",),
        )
    table.pay()
    sums = table.tally.coups[-1].of("ana")
    assert (sums.won, sums.returned, sums.lost) == (85, 5, 0)
    assert (table.purse("ana"), table.state.bank) == (185, -85)


@pytest.mark.rule("IT-general-8a")
def test_it_general_8a_who_laid_the_chip_changes_nothing() -> None:
    own, by_croupier = opened("it", {"ana": 100}), opened("it", {"ana": 100})
    own.stake("ana", "17/20:5")
    by_croupier.stake("ana", "17/20:5", by="croupier-1")
    assert coup(own, 17).of("ana") == coup(by_croupier, 17).of("ana")
    assert settle_line("it", 18, "17/20:5").lost == 5


# Void balls ---------------------------------------------------------------------------------------


@pytest.mark.rule("AMB-IT-22")
@pytest.mark.parametrize("cause", sorted(load("it").wheel.causes))
def test_it_amb_22_a_void_ball_leaves_the_stakes_and_opens_betting_again(cause: Cause) -> None:
    table = opened("it", {"ana": 100})
    (id,) = table.stake("ana", "17:5")
    table.close()
    table.void(cause)
    voided = table.last(events.BallVoided)
    assert (voided.call, voided.articles) == ("Coup nul", ("AMB-IT-22",))
    assert (table.state.phase, table.purse("ana")) == (Phase.BETTING, 95)
    table.act(commands.MoveStake(by="ana", id=id, on="20"))
    assert coup(table, 20).of("ana").won == 175


@pytest.mark.rule("AMB-IT-22", "IT-gioco-8a")
def test_it_amb_22_once_the_ball_lies_in_a_pocket_the_number_stands() -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", "17:5")
    table.pocket(17)
    refusal = refused(table, commands.VoidBall(by="chief-1", cause=Cause.BALL_OUT))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.BALL_ALREADY_POCKETED,
        ("IT-gioco-8a",),
    )


@pytest.mark.rule("AMB-IT-22", "AMB-IT-01")
def test_it_amb_22_a_void_ball_neither_frees_nor_takes_a_prisoner() -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", "red:5")
    coup(table, 0)
    table.close()
    table.void(Cause.OBJECT_IN_WHEEL)
    assert sum(prisoner.amount for prisoner in table.state.prison.values()) == 1
    assert coup(table, 9).of("ana").returned == 1


@pytest.mark.rule("AMB-IT-22", "IT-rig-0")
def test_it_amb_22_a_void_ball_takes_no_replay_away() -> None:
    table = opened("it", {"ana": 100})
    table.act(commands.Announce(by="ana", id="a", player="ana", call="tiers", amount=6))
    coup(table, 10)
    table.close()
    table.void(Cause.BALL_STUCK)
    assert "a" in table.state.won
