"""Float views: what the consoles need to know of a table's float, and the book of advances.

Of the bank the public sees the entries in the book of advances, and whether it can cover the bets.
What was brought and counted before it is entered is for the staff.
"""

from __future__ import annotations

from novamas.house.log.store import Record
from novamas.house.table.events import FloatEntered, FloatOccasion
from novamas.house.table.state import HouseTable, float_rules, least_float
from novamas.house.views.view import View


class FloatCount(View):
    """A count of the float that must be made and signed."""

    occasion: FloatOccasion
    """Why it is counted."""
    amount: int
    """What was brought to the bank; 0 when the table closes."""
    counted: int | None
    """The count, once somebody made it."""
    expected: int | None
    """What the ledger said when it was counted."""
    by: str | None
    """The person who counted; another one signs."""


class FloatView(View):
    """The float of a table, where its book has articles on it."""

    least: int
    """The least float for the placard of the table."""
    uncovered: bool
    """Whether play is suspended because the bank cannot cover the bets."""
    advance: int | None
    """For the staff: what was brought to the bank before the table opened."""
    refill: int | None
    """For the staff: what every advance after the opening must be; null if it may be anything."""
    due: FloatCount | None
    """For the staff: the count without which play does not go on; null if none is due."""


class FloatEntry(View):
    """An entry in the book of advances: a count of the float that was signed."""

    seq: int
    at: int
    """Milliseconds since 1970."""
    occasion: FloatOccasion
    """Why it was counted."""
    amount: int
    """What was brought to the bank; 0 when the table closed."""
    counted: int
    expected: int
    """What the ledger said."""
    counted_by: str
    """The person who counted."""
    signed_by: str
    """The second person, who signed."""
    articles: tuple[str, ...]


def of_float(house_table: HouseTable, *, is_staff: bool) -> FloatView | None:
    """The float as the staff or the public sees it; None if the book says nothing of it."""
    rules = float_rules(house_table)
    if rules is None:
        return None
    return FloatView(
        least=least_float(house_table),
        uncovered=house_table.is_uncovered,
        advance=house_table.advance if is_staff else None,
        refill=house_table.refill if is_staff else None,
        due=_count(house_table) if is_staff else None,
    )


def _count(house_table: HouseTable) -> FloatCount | None:
    due = house_table.float_due
    if due is None:
        return None
    made = due.counted
    return FloatCount(
        occasion=due.occasion,
        amount=due.amount,
        counted=None if made is None else made.counted,
        expected=None if made is None else made.expected,
        by=None if made is None else made.by,
    )


def of_entry(record: Record, event: FloatEntered) -> FloatEntry:
    """An entry in the book of advances."""
    return FloatEntry(
        seq=record.seq,
        at=record.at,
        occasion=event.occasion,
        amount=event.amount,
        counted=event.counted,
        expected=event.expected,
        counted_by=event.counted_by,
        signed_by=event.signed_by,
        articles=event.articles,
    )
