"""The decision log: decisions of people at a table beyond ordinary play, from its log.

Each event says whether it is a decision (`Event.decision`).
"""

from __future__ import annotations

from dataclasses import replace

from novamas.house.log.store import Record
from novamas.house.table.state import HouseTable
from novamas.table.decision_record import Decision
from novamas.table.events import Event


def of_event(house_table: HouseTable, record: Record, event: Event) -> Decision | None:
    """The decision of an event, if it is one; `house_table` is the table right before it."""
    found = event.decision(house_table.state)
    if found is None:
        return None
    coup = found.coup or house_table.state.coup
    return replace(found, seq=record.seq, at=record.at, coup=coup)
