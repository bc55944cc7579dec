"""Decided: the decisions of a table as they are read, page by page, and what waits for one."""

from __future__ import annotations

from collections import deque
from dataclasses import asdict
from typing import Any

from novamas.house import events as house
from novamas.house.decisions import Decision, DecisionKind, of_event
from novamas.house.hall import Hall
from novamas.house.history import Replay
from novamas.house.reading import Log
from novamas.house.store import Record
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
        for record, event, hall in self._replay.go_on(log):
            self.note(hall, record, event)

    def note(self, hall: Hall, record: Record, event: Event) -> None:
        """Takes an event in; `hall` is the table right before it."""
        told = of_event(hall, record, event)
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
