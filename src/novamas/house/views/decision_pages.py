"""Decision pages: the decisions of a table, page by page, its open disputes, its book of advances.

It is what anybody at the table may look up besides its coups.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from novamas.house.log.reader import Log
from novamas.house.log.store import Record
from novamas.house.table import events as house
from novamas.house.table.state import HouseTable
from novamas.house.views.decision_log import of_event
from novamas.house.views.float_view import FloatEntry, of_entry
from novamas.house.views.history import Replay
from novamas.house.views.view import View
from novamas.table.decision_record import Decision, DecisionKind
from novamas.table.events import Event


class OpenDispute(View):
    """A dispute that waits for its decision."""

    id: int
    """The number of the dispute."""
    player: str
    coup: int
    stake: str | None
    says: str
    """Visible to the player and the staff."""
    by: str
    """The person who raised it."""
    at: int


class DecisionPage(View):
    """The decisions of a table, its open disputes, and its book of advances."""

    open: tuple[OpenDispute, ...]
    """The disputes that wait for a decision."""
    decisions: tuple[Decision, ...]
    """The newest first."""
    more: bool
    """Whether there are older ones: ask for those before the last `seq`."""
    advances: tuple[FloatEntry, ...]
    """The book of advances, the newest entry first; at most the last hundred."""


MOST_ADVANCES = 100
"""How many entries of the book of advances are shown: a table has a few in a session."""


class DecisionPages:
    """The stored decisions of a table, its open disputes, and its book of advances."""

    def __init__(self, table: str, most: int | None = None) -> None:
        self._replay = Replay(table)
        self._all: deque[Decision] = deque(maxlen=most)
        self._open: dict[int, tuple[Decision, str | None]] = {}
        """Dispute → how it was raised, and the stake that it names."""
        self._advances: deque[FloatEntry] = deque(maxlen=MOST_ADVANCES)

    def go_on(self, log: Log) -> None:
        """Reads the events since the last call; the first time, all of them."""
        for record, event, house_table in self._replay.go_on(log):
            self.note(house_table, record, event)

    def note(self, house_table: HouseTable, record: Record, event: Event) -> None:
        """Takes an event; `house_table` is the table right before it."""
        if isinstance(event, house.FloatEntered):
            self._advances.append(of_entry(record, event))
        found = of_event(house_table, record, event)
        if found is None:
            return
        self._all.append(found)
        if isinstance(event, house.DisputeRaised):
            self._open[event.id] = found, event.stake
        elif isinstance(event, house.DisputeDecided | house.DisputeWithdrawn):
            del self._open[event.id]

    def page(
        self, *, before: int | None, most: int, player: str | None, is_staff: bool
    ) -> DecisionPage:
        """The newest decisions before a sequence, as this audience may see them.

        A player's words in a dispute are for them and for the staff; the decision and its reason
        are for everybody.
        """

        def shown(each: Decision) -> Decision:
            is_secret = each.kind is DecisionKind.DISPUTE_RAISED and not is_staff
            return replace(each, why="") if is_secret and each.about != player else each

        asked = [each for each in self._all if before is None or each.seq < before]
        raised = [(id, shown(each), stake) for id, (each, stake) in self._open.items()]
        return DecisionPage(
            open=tuple(
                OpenDispute(
                    id=id,
                    player=each.about or "",
                    coup=each.coup,
                    stake=stake,
                    says=each.why,
                    by=each.by or "",
                    at=each.at,
                )
                for id, each, stake in raised
            ),
            decisions=tuple(shown(each) for each in reversed(asked[-most:])),
            more=len(asked) > most,
            advances=tuple(reversed(self._advances)),
        )
