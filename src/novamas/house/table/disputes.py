"""Decisions on disputes: who may raise one, take it back, and decide it.

A dispute stops nothing. The coup is played to its end and the table may even close: the stakes of
the others do not wait for it, and the decision does not need an open table. A correction is made
like any other wrong payment, so that each chip that moves has its own event.
"""

from __future__ import annotations

from collections.abc import Iterator

from novamas.game.rulebook.behaviours import Act
from novamas.house.refusals import HouseRefusalReason
from novamas.house.table import commands, events
from novamas.house.table.dispute_records import COUPS, Dispute
from novamas.house.table.state import HouseTable
from novamas.table.identity import is_management
from novamas.table.refusals import Refused

MOST_OPEN = 3
"""How many disputes a player may have open at a table."""
LONGEST_WORDS = 500
"""The longest text of a dispute, and of the reason for its decision, in characters."""
LONGEST_STAKE = 64


def raise_dispute(
    house_table: HouseTable, command: commands.RaiseDispute
) -> Iterator[events.DisputeRaised]:
    """A player disputes their stakes in a coup; any member of staff may record it for them."""
    disputes, player = house_table.disputes, command.player
    of_the_house = is_management(command.by) or command.by in house_table.state.staff
    if command.by != player and not of_the_house:
        raise Refused(HouseRefusalReason.NOT_FOR_YOU, detail=f"{player} speaks for themselves")
    says = _words(command.says, "says")
    if command.stake is not None and not 0 < len(command.stake) <= LONGEST_STAKE:
        detail = f"stake: 1 to {LONGEST_STAKE} characters"
        raise Refused(HouseRefusalReason.WORDS_ARE_MISSING, detail=detail)
    coup = command.coup
    if type(coup) is not int or player not in disputes.players.get(coup, ()):
        detail = f"of the last {COUPS} coups, those in which they had stakes when betting closed"
        raise Refused(HouseRefusalReason.NO_STAKES_IN_THAT_COUP, detail=detail)
    articles = _articles(house_table)
    if player in disputes.closed.get(coup, ()):
        raise Refused(HouseRefusalReason.DISPUTE_IS_DECIDED, articles, "the decision stands")
    his = disputes.of_player(player)
    if any(each.coup == coup for each in his):
        raise Refused(HouseRefusalReason.COUP_IS_DISPUTED, articles, "it waits for its decision")
    if len(his) >= MOST_OPEN:
        raise Refused(HouseRefusalReason.TOO_MANY_DISPUTES, detail=f"{MOST_OPEN} are already open")
    yield events.DisputeRaised(
        id=disputes.count + 1,
        player=player,
        coup=coup,
        says=says,
        stake=command.stake,
        by=str(command.by),
    )


def withdraw_dispute(
    house_table: HouseTable, command: commands.WithdrawDispute
) -> Iterator[events.DisputeWithdrawn]:
    """A player takes their own dispute back."""
    dispute = _open(house_table, command.id)
    if dispute.player != command.by:
        raise Refused(HouseRefusalReason.NOT_THEIR_DISPUTE, detail=f"it is {dispute.player}'s")
    yield events.DisputeWithdrawn(id=dispute.id, player=dispute.player, coup=dispute.coup)


def decide_dispute(
    house_table: HouseTable, command: commands.DecideDispute
) -> Iterator[events.DisputeDecided]:
    """Decides a dispute; the book says who may, and the management always may.

    The articles are IT-general-18 and NV-07.
    """
    articles = _articles(house_table)
    if not is_management(command.by) and not house_table.state.may(command.by, Act.DECIDE_DISPUTE):
        given = [
            p.word for p in house_table.state.book.posts.values() if Act.DECIDE_DISPUTE in p.may
        ]
        who = " or the ".join([*given, "management"])
        raise Refused(
            HouseRefusalReason.NOT_FOR_YOU, articles, f"disputes are decided by the {who}"
        )
    dispute = _open(house_table, command.id)
    reason = _words(command.reason, "reason")
    yield events.DisputeDecided(
        id=dispute.id,
        player=dispute.player,
        coup=dispute.coup,
        upheld=command.upheld,
        reason=reason,
        correction=command.correction,
        amount=_wrong_by(house_table, dispute, command),
        by=str(command.by),
        articles=articles,
    )


def _wrong_by(house_table: HouseTable, dispute: Dispute, command: commands.DecideDispute) -> int:
    """By how much the payment that a decision names was wrong; 0 if it names none."""
    if command.correction is None:
        return 0
    if not command.upheld:
        detail = "what is rejected puts nothing right"
        raise Refused(HouseRefusalReason.NO_SUCH_WRONG_PAYMENT, detail=detail)
    wrong = house_table.state.wrong_payments.get(command.correction)
    if wrong is not None and wrong.player == dispute.player:
        return wrong.amount
    amount = dispute.corrected.get(command.correction)
    if amount is None:
        detail = f"no wrong payment {command.correction!r} of {dispute.player}"
        raise Refused(HouseRefusalReason.NO_SUCH_WRONG_PAYMENT, detail=detail)
    return amount


def _open(house_table: HouseTable, id: int) -> Dispute:
    dispute = house_table.disputes.open.get(id) if type(id) is int else None
    if dispute is None:
        raise Refused(HouseRefusalReason.NO_SUCH_DISPUTE, detail="no such dispute is open")
    return dispute


def _words(text: str, what: str) -> str:
    """A person's text, without surrounding spaces."""
    words = text.strip()
    printable = all(each.isprintable() or each == "\n" for each in words)
    if not words or len(words) > LONGEST_WORDS or not printable:
        detail = f"{what}: 1 to {LONGEST_WORDS} printable characters"
        raise Refused(HouseRefusalReason.WORDS_ARE_MISSING, detail=detail)
    return words


def _articles(house_table: HouseTable) -> tuple[str, ...]:
    return house_table.state.book.closing.cites.dispute
