"""Proposals: actions at a table that one person proposes and another confirms.

In two cases players get chips by the word of the staff alone, without a winning stake or a wallet:
a recorded wrong payment, and a large sale for cash. So one person proposes it with a reason, and
another at another post confirms it with theirs; only then do chips move.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from novamas.game.money import is_amount
from novamas.game.rulebook.behaviours import Act
from novamas.house.people.state import sound
from novamas.house.refusals import HouseRefusalReason
from novamas.house.table import commands, events
from novamas.house.table.events import BallMode, CashSaleProposed, WrongPaymentProposed
from novamas.house.table.state import HouseTable
from novamas.table import commands as play
from novamas.table.decide import decider_of
from novamas.table.decide.checks import require_act, require_player
from novamas.table.events import Event, WrongPaymentMade
from novamas.table.identity import Identity, Officer, is_management, read_identity
from novamas.table.refusals import RefusalReason, Refused

MOST = 20
"""How many proposals may wait at a table."""
LONGEST_REASON = 200
PAYERS = (Act.PAY, Act.CORRECT, Act.ORDER_CORRECTION)
"""A post that may do one of these may propose to record a wrong payment."""
SECONDS = (*PAYERS, Act.SIGN_NUMBER, Act.DECIDE_DISPUTE)
"""A post that may do one of these may confirm a proposal of another post."""


def propose_wrong_payment(
    house_table: HouseTable, command: commands.RecordWrongPayment
) -> Iterator[WrongPaymentProposed]:
    """Somebody who pays or corrects proposes to record a wrong payment and its amount."""
    if not any(house_table.state.may(command.by, act) for act in PAYERS):
        raise Refused(HouseRefusalReason.NOT_FOR_YOU, detail="for who pays or corrects")
    if house_table.ball is BallMode.DRAWN:
        raise Refused(HouseRefusalReason.PAYS_BY_ITSELF)
    _require_new(house_table, command.id)
    coup = _require_payable(house_table, command.player, command.amount, command.coup)
    yield WrongPaymentProposed(
        id=command.id,
        player=command.player,
        amount=command.amount,
        coup=coup,
        reason=_reason(command.reason),
        by=str(command.by),
        post=_post(house_table, command.by),
    )


def _require_payable(house_table: HouseTable, player: str, amount: int, coup: int | None) -> int:
    """Returns the coup whose payment can have been wrong by this amount, or refuses."""
    seated = require_player(house_table.state, player)
    if not is_amount(abs(amount) if type(amount) is int else None):
        raise Refused(
            RefusalReason.AMOUNT_NOT_POSITIVE, detail="too much above zero, too little below it"
        )
    found = house_table.payable.of(coup, player)
    if found is None:
        detail = f"{player} had no stakes in that coup, or its number was not called"
        raise Refused(HouseRefusalReason.NO_STAKES_IN_THAT_COUP, detail=detail)
    number, due = found
    if not due.least <= amount <= due.most:
        detail = f"coup {number} can be wrong by {due.least} to {due.most} for {player}"
        raise Refused(HouseRefusalReason.MORE_THAN_THE_COUP_PAYS, detail=detail)
    if seated.purse + amount < 0:
        raise Refused(RefusalReason.EXCEEDS_PURSE, detail=f"{seated.name} holds {seated.purse}")
    return number


def propose_sale(
    house_table: HouseTable, command: commands.ProposeSale
) -> Iterator[CashSaleProposed]:
    """Somebody who sells chips proposes a sale for a large sum of cash."""
    require_act(house_table.state, command.by, Act.SELL_CHIPS)
    _require_new(house_table, command.id)
    sale = CashSaleProposed(
        id=command.id,
        player=command.player,
        amount=command.amount,
        colour=command.colour,
        value_chips=command.value_chips,
        chip=command.chip,
        reason=_reason(command.reason),
        by=str(command.by),
        post=_post(house_table, command.by),
    )
    _decided(house_table, _sale(sale))  # Refuse now what could not be confirmed later.
    yield sale


def confirm(house_table: HouseTable, command: commands.ConfirmProposal) -> Iterator[Event]:
    """Another person confirms a proposal: it is decided on the present state of the table."""
    proposal = _waiting(house_table, command.id)
    _require_second(house_table, proposal, command.by)
    reason = _reason(command.reason)
    if isinstance(proposal, CashSaleProposed):
        yield events.CashSaleConfirmed(
            id=proposal.id,
            player=proposal.player,
            amount=proposal.amount,
            by=proposal.by,
            confirmed_by=str(command.by),
            confirmed_because=reason,
        )
        yield from _decided(house_table, _sale(proposal))
        return
    _require_payable(house_table, proposal.player, proposal.amount, proposal.coup)
    yield WrongPaymentMade(
        id=proposal.id,
        player=proposal.player,
        amount=proposal.amount,
        reason=proposal.reason,
        by=proposal.by,
        coup=proposal.coup,
        confirmed_by=str(command.by),
        confirmed_because=reason,
    )


def drop(
    house_table: HouseTable, command: commands.DropProposal
) -> Iterator[events.ProposalDropped]:
    """The proposer takes it back, or a person who could confirm it refuses."""
    proposal = _waiting(house_table, command.id)
    is_own = _is_same(read_identity(proposal.by), command.by)
    if not is_own:
        _require_second(house_table, proposal, command.by)
    yield events.ProposalDropped(
        id=proposal.id, withdrawn=is_own, by=str(command.by), reason=_reason(command.reason)
    )


# What one person may sell alone -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Alone:
    """Chips that one person hands out, by their word alone that they were paid for."""

    player: str
    amount: int


SALES = (play.BuyChips, play.PlaceStake)
"""Commands by which one person may hand out chips."""


def given_alone(command: play.Command) -> Alone | None:
    """What a command gives on one person's word: for cash, or for another table's chips."""
    if isinstance(command, play.BuyChips) and command.cash:
        return Alone(command.player, command.amount)
    if isinstance(command, play.PlaceStake) and command.foreign is not None:
        return Alone(command.player, command.foreign.worth)
    return None


def require_within(house_table: HouseTable, command: play.Command) -> None:
    """Refuses a sale above the limit of cash for one person alone; larger ones need two."""
    alone = given_alone(command)
    if alone is None or not is_amount(alone.amount):
        return
    bound, before = house_table.set_up.cash_alone, house_table.alone.get(alone.player, 0)
    if before + alone.amount > bound:
        detail = f"one person takes {max(0, bound - before)} more of {alone.player}; propose it"
        raise Refused(HouseRefusalReason.TAKES_TWO, detail=detail)


# What all of them need ----------------------------------------------------------------------------


def _sale(proposal: CashSaleProposed) -> play.BuyChips:
    return play.BuyChips(
        by=proposal.by,
        player=proposal.player,
        amount=proposal.amount,
        colour=proposal.colour,
        value_chips=proposal.value_chips,
        chip=proposal.chip,
        cash=True,
    )


def _decided(house_table: HouseTable, command: play.Command) -> tuple[Event, ...]:
    return tuple(decider_of(command)(house_table.state, command))


def _require_new(house_table: HouseTable, id: str) -> None:
    if not id or id in house_table.proposals or id in house_table.state.wrong_payments:
        raise Refused(RefusalReason.ID_IN_USE)
    if len(house_table.proposals) >= MOST:
        raise Refused(HouseRefusalReason.TOO_MANY_PROPOSALS, detail=f"{MOST} wait at this table")


def _waiting(house_table: HouseTable, id: str) -> WrongPaymentProposed | CashSaleProposed:
    proposal = house_table.proposals.get(id)
    if proposal is None:
        raise Refused(HouseRefusalReason.NO_SUCH_PROPOSAL, detail=f"no proposal {id!r} waits here")
    return proposal


def person(by: Identity) -> str:
    """The person behind an identity, at a post or as an officer of the house."""
    return (by.name or str(by)) if isinstance(by, Officer) else by


def _is_same(one: Identity, other: Identity) -> bool:
    return sound(person(one)) == sound(person(other))


def _post(house_table: HouseTable, by: Identity) -> str | None:
    post = house_table.state.post_of(by)
    return None if post is None else post.name


def _require_second(
    house_table: HouseTable, proposal: WrongPaymentProposed | CashSaleProposed, by: Identity
) -> None:
    """Refuses unless a different person, at another post or over all tables, confirms it."""
    if _is_same(read_identity(proposal.by), by) or _is_same(proposal.player, by):
        raise Refused(HouseRefusalReason.TAKES_TWO, detail="another person confirms it")
    if is_management(by):
        return
    post = _post(house_table, by)
    if not any(house_table.state.may(by, act) for act in SECONDS):
        raise Refused(
            HouseRefusalReason.NOT_FOR_YOU, detail="for a post that pays, corrects or watches"
        )
    if post == proposal.post:
        raise Refused(HouseRefusalReason.TAKES_TWO, detail="another post confirms it, or a chief")


def _reason(text: str) -> str:
    told = text.strip()
    if not told or len(told) > LONGEST_REASON or not told.isprintable():
        detail = f"reason: 1 to {LONGEST_REASON} printable characters"
        raise Refused(HouseRefusalReason.WORDS_ARE_MISSING, detail=detail)
    return told
