"""Decided: the decisions of a table as they are read, page by page, and what waits for one."""

from __future__ import annotations

from collections import deque
from dataclasses import asdict
from typing import Any

from novamas.house.log.reader import Log
from novamas.house.log.store import Record
from novamas.house.table import events as house
from novamas.house.table.state import HouseTable
from novamas.house.views.decision_log import of_event
from novamas.house.views.history import Replay
from novamas.table.decision_record import Decision, DecisionKind
from novamas.table.events import Event


class Decided:
    """The decisions of a table, as many as are kept, and the disputes that wait for one."""

    def __init__(self, table: str, most: int | None = None) -> None:
        self._replay = Replay(table)
        self._all: deque[Decision] = deque(maxlen=most)
        self._open: dict[int, tuple[Decision, str | None]] = {}
        """Dispute → how it was raised, and the stake that it names."""

    def go_on(self, log: Log) -> None:
        """Takes in what happened since the last time; the first time, all of it."""
        for record, event, house_table in self._replay.go_on(log):
            self.note(house_table, record, event)

    def note(self, house_table: HouseTable, record: Record, event: Event) -> None:
        """Takes an event in; `house_table` is the table right before it."""
        told = of_event(house_table, record, event)
        if told is None:
            return
        self._all.append(told)
        if isinstance(event, house.DisputeRaised):
            self._open[event.id] = told, event.stake
        elif isinstance(event, house.DisputeDecided | house.DisputeWithdrawn):
            del self._open[event.id]

    def page(
        self, *, before: int | None, most: int, player: str | None, is_staff: bool
    ) -> dict[str, Any]:
        """The newest decisions before a place in the log, as someone is shown them.

        What a player says in a dispute is for him and for the staff; what was decided, and why, is
        for everybody.
        """

        def shown(each: Decision) -> dict[str, Any]:
            told = asdict(each)
            if each.kind is DecisionKind.DISPUTE_RAISED and not is_staff and each.about != player:
                told["why"] = ""
            return told

        asked = [each for each in self._all if before is None or each.seq < before]
        raised = [(shown(told), stake) for told, stake in self._open.values()]
        return {
            "open": [
                {
                    "id": told["dispute"],
                    "player": told["about"],
                    "coup": told["coup"],
                    "stake": stake,
                    "says": told["why"],
                    "by": told["by"],
                    "at": told["at"],
                }
                for told, stake in raised
            ],
            "decisions": [shown(each) for each in reversed(asked[-most:])],
            "more": len(asked) > most,
        }
