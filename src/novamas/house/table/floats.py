"""The float of a table, where a book has articles on it.

Such a table opens with so many of its minima in the bank, and every later advance equals the first.
Where the float is counted, a post of the table counts it when the table opens, is refilled and
closes. A second person signs the count, and the entry is public: it is the book of advances, which
anybody may ask to see. While play is suspended it may be counted too, and is otherwise locked away.
Where play is suspended while the bank cannot cover bets, the coup is still settled in full; play
goes on after a refill.

A table that only a script plays has no float.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from novamas.game.rulebook.behaviours import Act
from novamas.game.rulebook.model import FloatRules
from novamas.house.people.state import sound
from novamas.house.refusals import HouseRefusalReason
from novamas.house.table import commands, events
from novamas.house.table.proposals import person
from novamas.house.table.state import HouseTable, float_rules, least_float
from novamas.table import commands as play
from novamas.table.accounts import BANK
from novamas.table.decide.checks import require_act, require_act_or_management
from novamas.table.events import Event, TableResumed, TableSuspended
from novamas.table.identity import MANAGEMENT, read_identity
from novamas.table.refusals import RefusalReason, Refused
from novamas.table.state import BETTING, Phase

UNCOVERED = "bank_uncovered"
"""The reason of a suspension by the house: the bank cannot cover the bets. Screens translate it."""
COVERED = "bank_covered"
"""The reason why play goes on after it."""

_Balances = Mapping[str, int]


def require_first_advance(house_table: HouseTable, amount: int) -> None:
    """Refuses an opening float below the minima of the book, or a table that would open with it."""
    rules, least = float_rules(house_table), least_float(house_table)
    if rules is not None and amount < least:
        detail = f"the float is at least {least}: {rules.minima} minima of the table"
        raise Refused(HouseRefusalReason.FLOAT_TOO_SMALL, rules.cites.minima, detail)


def require_equal_refill(house_table: HouseTable, amount: int) -> None:
    """Refuses a later advance that differs from the first, where the book says that they equal."""
    rules, first = float_rules(house_table), house_table.refill
    is_open = house_table.state.phase is not Phase.OPENING
    if rules is not None and first is not None and is_open and amount != first:
        detail = f"every advance equals the first: {first}"
        raise Refused(HouseRefusalReason.REFILL_NOT_EQUAL, rules.cites.equal_refills, detail)


def require_entered(house_table: HouseTable) -> None:
    """Refuses until the float is counted and signed, where the book says so."""
    rules, due = float_rules(house_table), house_table.float_due
    if rules is not None and due is not None:
        detail = "count the float" if due.counted is None else "a second person signs the count"
        raise Refused(HouseRefusalReason.FLOAT_NOT_COUNTED, rules.cites.counted, detail)


def require_float_for(house_table: HouseTable, command: play.Command, found: _Balances) -> None:
    """Refuses a command of play, allowed by the book, for which the float is not in order."""
    match command:
        case play.LaunchBall():
            require_entered(house_table)
        case play.Resume():
            _require_covered(house_table, found)
        case play.ReopenTable():
            _require_reopened_float(house_table, command, found.get(BANK, 0))
        case _:
            pass


def _require_covered(house_table: HouseTable, found: _Balances) -> None:
    """Refuses to go on while the bank cannot cover the bets."""
    rules = float_rules(house_table)
    if rules is not None and _is_uncovered(rules, found):
        detail = "fill the bank first"
        raise Refused(HouseRefusalReason.BANK_CANNOT_COVER, rules.cites.resumes, detail)


def _require_reopened_float(house_table: HouseTable, command: play.ReopenTable, bank: int) -> None:
    """Refuses to reopen a table with a placard whose float is not in its bank."""
    rules = float_rules(house_table)
    least = least_float(house_table, house_table.state.limits.changed(command.limits))
    if rules is not None and bank < least:
        detail = f"the bank holds {bank}; the float of this placard is at least {least}"
        raise Refused(HouseRefusalReason.FLOAT_TOO_SMALL, rules.cites.minima, detail)


def count_float(
    house_table: HouseTable, command: commands.CountFloat, found: _Balances
) -> Iterator[Event]:
    """A post of the table counts the float; a difference from the ledger is recorded."""
    due = house_table.float_due
    if due is None:
        raise Refused(HouseRefusalReason.NO_COUNT_DUE)
    require_act(house_table.state, command.by, Act.COUNT_FLOAT)
    if type(command.counted) is not int or command.counted < 0:
        raise Refused(
            RefusalReason.AMOUNT_NOT_POSITIVE, detail="a count is a whole number, zero or more"
        )
    yield events.FloatCounted(
        occasion=due.occasion,
        counted=command.counted,
        expected=found.get(BANK, 0),
        by=str(command.by),
    )


def sign_float(
    house_table: HouseTable, command: commands.SignFloat, found: _Balances
) -> Iterator[Event]:
    """A second person signs the count; with that it is entered, and play may go on."""
    due, rules = house_table.float_due, float_rules(house_table)
    if due is None or due.counted is None or rules is None:
        raise Refused(HouseRefusalReason.NO_COUNT_DUE)
    require_act_or_management(house_table.state, command.by, Act.SIGN_NUMBER)
    if sound(person(read_identity(due.counted.by))) == sound(person(command.by)):
        detail = "another person signs than the one who counted"
        raise Refused(HouseRefusalReason.TAKES_TWO, rules.cites.counted, detail)
    yield events.FloatEntered(
        occasion=due.occasion,
        amount=due.amount,
        counted=due.counted.counted,
        expected=due.counted.expected,
        counted_by=due.counted.by,
        signed_by=str(command.by),
        articles=(
            rules.cites.interrupted
            if due.occasion is events.FloatOccasion.INTERRUPTED
            else rules.cites.counted
        ),
    )
    yield from resumed(house_table, found)


def resumed(house_table: HouseTable, found: _Balances, *, more: int = 0) -> Iterator[Event]:
    """Play goes on, if it was suspended for want of money and the bank has enough again."""
    rules = float_rules(house_table)
    has_enough = rules is not None and found.get(BANK, 0) + more > 0
    if house_table.is_uncovered and has_enough and house_table.state.suspended:
        yield TableResumed(by=str(MANAGEMENT), reason=COVERED)


def suspension(house_table: HouseTable, found: _Balances) -> tuple[Event, ...]:
    """Suspends play after a coup, if the bank cannot cover bets any more."""
    rules, state = float_rules(house_table), house_table.state
    between = state.phase in BETTING and not state.ball_launched
    if rules is None or not between or state.suspended or not _is_uncovered(rules, found):
        return ()
    articles = rules.cites.suspends
    return (
        events.BankUncovered(coup=state.coup, articles=articles),
        TableSuspended(by=str(MANAGEMENT), reason=UNCOVERED, articles=articles),
    )


def _is_uncovered(rules: FloatRules, found: _Balances) -> bool:
    return rules.suspends and found.get(BANK, 0) <= 0
