"""Deciding about disputes: who may raise one, take it back, and decide it.

A dispute stops nothing. The coup is played to its end and the table may even close: the stakes of
the others do not wait for it, and who decides needs no table for it. What is put right afterwards
is put right as any wrong payment is, so that each chip that moves has its own event.
"""

from __future__ import annotations

from collections.abc import Iterator

from novamas.game.rulebook import Act
from novamas.house import commands, events
from novamas.house.disputed import COUPS, Dispute
from novamas.house.hall import Hall
from novamas.house.refusals import HouseWhy
from novamas.table.commands import is_management
from novamas.table.refusals import Refused
from novamas.table.understood import require_understood

MOST_OPEN = 3
"""How many disputes a player may have open at a table."""
LONGEST_WORDS = 500
"""How many characters are taken for what is disputed, and for why it is decided so."""
LONGEST_STAKE = 64


def raise_dispute(hall: Hall, command: commands.RaiseDispute) -> Iterator[events.DisputeRaised]:
    """A player disputes his stakes in a coup; whoever is of the house may write it down for him."""
    require_understood(command)
    disputes, player = hall.disputes, command.player
    of_the_house = is_management(command.by) or command.by in hall.state.staff
    if command.by != player and not of_the_house:
        raise Refused(HouseWhy.NOT_FOR_YOU, detail=f"{player} speaks for himself")
    says = _words(command.says, "says")
    if command.stake is not None and not 0 < len(command.stake) <= LONGEST_STAKE:
        detail = f"stake: 1 to {LONGEST_STAKE} characters"
        raise Refused(HouseWhy.WORDS_ARE_MISSING, detail=detail)
    coup = command.coup
    if type(coup) is not int or player not in disputes.players.get(coup, ()):
        detail = f"of the last {COUPS} coups, those in which he had stakes when betting closed"
        raise Refused(HouseWhy.NO_STAKES_IN_THAT_COUP, detail=detail)
    articles = _articles(hall)
    if player in disputes.closed.get(coup, ()):
        raise Refused(HouseWhy.DISPUTE_IS_DECIDED, articles, "the decision stands")
    his = disputes.of_player(player)
    if any(each.coup == coup for each in his):
        raise Refused(HouseWhy.COUP_IS_DISPUTED, articles, "it waits for its decision")
    if len(his) >= MOST_OPEN:
        raise Refused(HouseWhy.TOO_MANY_DISPUTES, detail=f"{MOST_OPEN} of his are open")
    yield events.DisputeRaised(
        id=disputes.count + 1,
        player=player,
        coup=coup,
        says=says,
        stake=command.stake,
        by=command.by,
    )


def withdraw_dispute(
    hall: Hall, command: commands.WithdrawDispute
) -> Iterator[events.DisputeWithdrawn]:
    """A player takes his own dispute back."""
    dispute = _open(hall, command.id)
    if dispute.player != command.by:
        raise Refused(HouseWhy.NOT_THEIR_DISPUTE, detail=f"it is {dispute.player}'s")
    yield events.DisputeWithdrawn(id=dispute.id, player=dispute.player, coup=dispute.coup)


def decide_dispute(hall: Hall, command: commands.DecideDispute) -> Iterator[events.DisputeDecided]:
    """Whom the book gives it to decides; the management may everywhere (IT-general-18, NV-07)."""
    require_understood(command)
    articles = _articles(hall)
    if not is_management(command.by) and not hall.state.may(command.by, Act.DECIDE_DISPUTE):
        given = [p.word for p in hall.state.book.posts.values() if Act.DECIDE_DISPUTE in p.may]
        who = " or the ".join([*given, "management"])
        raise Refused(HouseWhy.NOT_FOR_YOU, articles, f"disputes are decided by the {who}")
    dispute = _open(hall, command.id)
    reason = _words(command.reason, "reason")
    yield events.DisputeDecided(
        id=dispute.id,
        player=dispute.player,
        coup=dispute.coup,
        upheld=command.upheld,
        reason=reason,
        correction=command.correction,
        amount=_wrong_by(hall, dispute, command),
        by=command.by,
        articles=articles,
    )


def _wrong_by(hall: Hall, dispute: Dispute, command: commands.DecideDispute) -> int:
    """By how much the payment was wrong that a decision names; 0 where it names none."""
    if command.correction is None:
        return 0
    if not command.upheld:
        detail = "what is rejected puts nothing right"
        raise Refused(HouseWhy.NO_SUCH_WRONG_PAYMENT, detail=detail)
    wrong = hall.wrong_payments.get(command.correction)
    if wrong is not None and wrong.player == dispute.player:
        return wrong.amount
    amount = dispute.corrected.get(command.correction)
    if amount is None:
        detail = f"no wrong payment {command.correction!r} of {dispute.player}"
        raise Refused(HouseWhy.NO_SUCH_WRONG_PAYMENT, detail=detail)
    return amount


def _open(hall: Hall, id: int) -> Dispute:
    dispute = hall.disputes.open.get(id) if type(id) is int else None
    if dispute is None:
        raise Refused(HouseWhy.NO_SUCH_DISPUTE, detail="no such dispute is open")
    return dispute


def _words(text: str, what: str) -> str:
    """A text of a person, without the spaces around it."""
    told = text.strip()
    printable = all(each.isprintable() or each == "\n" for each in told)
    if not told or len(told) > LONGEST_WORDS or not printable:
        detail = f"{what}: 1 to {LONGEST_WORDS} printable characters"
        raise Refused(HouseWhy.WORDS_ARE_MISSING, detail=detail)
    return told


def _articles(hall: Hall) -> tuple[str, ...]:
    return hall.state.book.closing.cites["dispute"]
