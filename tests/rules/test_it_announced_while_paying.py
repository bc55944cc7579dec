"""Italy, announcements while the winners are paid (AMB-IT-29)."""

import pytest

from novamas.game.rulebook.behaviours import Replay
from novamas.table import commands
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase
from tests.rules.helpers import Table, coup, opened, refused


def called(call: str, amount: int, player: str = "ben", id: str = "a") -> commands.Announce:
    """The wish to make an announcement."""
    return commands.Announce(by=player, id=id, player=player, call=call, amount=amount)


def paying(number: int = 14, laid: str = "red:5 14:5") -> Table:
    """A table at which two payments of ana's are due for a number."""
    table = opened("it", {"ana": 100, "ben": 100})
    table.stake("ana", laid)
    table.pocket(number)
    table.call()
    return table


@pytest.mark.rule("AMB-IT-29", "IT-general-13a")
@pytest.mark.parametrize(("call", "amount"), [("nassa", 5), ("orphelins", 5)])
def test_it_amb_29_before_the_losers_are_collected_none_is_taken(call: str, amount: int) -> None:
    table = paying()
    refusal = refused(table, called(call, amount))
    assert (refusal.why, refusal.articles) == (RefusalReason.BETTING_IS_CLOSED, ("IT-general-13a",))


@pytest.mark.rule("AMB-IT-29", "IT-general-13b", "IT-gioco-6b")
def test_it_amb_29_one_away_from_the_number_is_taken_and_plays_the_next_coup() -> None:
    table = paying()
    table.collect()
    table.act(called("nassa", 5))
    assert table.state.phase is Phase.PAYING
    assert table.purse("ben") == 95
    table.pay()
    assert table.tally.coups[-1].players.get("ben") is None
    assert coup(table, 19).of("ben").won == 35


@pytest.mark.rule("AMB-IT-29", "IT-general-13b")
@pytest.mark.parametrize(
    ("call", "amount"), [("orphelins", 5), ("orphelins-plein", 8), ("14~2", 5), ("f4", 4)]
)
def test_it_amb_29_one_with_a_piece_on_the_number_waits_for_the_last_payment(
    call: str, amount: int
) -> None:
    table = paying()
    table.collect()
    for _ in range(2):
        refusal = refused(table, called(call, amount))
        assert refusal.why is RefusalReason.SPOT_IS_BEING_PAID
        assert refusal.articles == ("IT-general-13b", "AMB-IT-29")
        table.act(commands.PayNext(by="croupier-1"))
    assert table.state.phase is Phase.BETTING
    table.act(called(call, amount))


@pytest.mark.rule("AMB-IT-29")
def test_it_amb_29_it_does_not_matter_whether_anyone_has_chips_there() -> None:
    table = paying(laid="red:5")
    table.collect()
    assert refused(table, called("orphelins", 5)).why is RefusalReason.SPOT_IS_BEING_PAID
    table.act(called("nassa", 5))


@pytest.mark.rule("AMB-IT-29", "IT-gioco-12")
def test_it_amb_29_zero_is_a_number_like_the_others() -> None:
    table = paying(0, "0:5")
    table.collect()
    for call, amount in (("voisins", 9), ("zerospiel", 4), ("f0", 4)):
        assert refused(table, called(call, amount)).why is RefusalReason.SPOT_IS_BEING_PAID
    table.act(called("tiers", 6))


@pytest.mark.rule("AMB-IT-29", "IT-rig-0")
def test_it_amb_29_a_replay_waits_for_the_end_of_the_payments() -> None:
    table = opened("it", {"ana": 100})
    table.act(called("tiers", 6, "ana"))
    table.pocket(10)
    table.call()
    table.collect()
    again = commands.ReplayAnnouncement(by="ana", id="a", mode=Replay.RIFARE, new_id="b")
    assert refused(table, again).why is RefusalReason.BETTING_IS_CLOSED
    table.pay()
    table.act(again)


@pytest.mark.rule("AMB-IT-29", "IT-general-12")
def test_it_amb_29_what_was_announced_is_not_touched_before_the_end_either() -> None:
    table = paying()
    table.collect()
    table.act(called("nassa", 5))
    back = commands.WithdrawStake(by="ben", id="a")
    assert refused(table, back).why is RefusalReason.HANDS_OFF_UNTIL_PAID
    table.pay()
    table.act(back)
    assert table.purse("ben") == 100
