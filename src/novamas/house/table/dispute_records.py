"""Dispute records: the open disputes of a table, and the coups that may still be disputed.

A player who had stakes in one of the last coups may dispute their result once: a decision is final
(IT-general-18, NV-07).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from novamas.house.table import events
from novamas.table.events import WrongPaymentCorrected

COUPS = 30
"""How many coups back a dispute may be raised."""


@dataclass(slots=True)
class Dispute:
    """A dispute that is not decided yet."""

    id: int
    player: str
    coup: int
    says: str
    stake: str | None
    by: str
    corrected: dict[str, int] = field(default_factory=dict)
    """The player's wrong payments that were corrected since → by how much they were wrong."""


@dataclass(slots=True)
class Disputes:
    """The disputes of a table."""

    open: dict[int, Dispute] = field(default_factory=dict)
    count: int = 0
    """How many were ever raised; the next gets the following number."""
    players: dict[int, set[str]] = field(default_factory=dict)
    """Coup → players with stakes in it when betting closed; only the last coups."""
    closed: dict[int, set[str]] = field(default_factory=dict)
    """Coup → players whose disputes about it are decided."""

    def played(self, coup: int, players: Iterable[str]) -> None:
        """Records who has stakes in a coup; a coup whose ball was void closes more than once."""
        self.players.setdefault(coup, set()).update(players)
        for old in [each for each in self.players if each <= coup - COUPS]:
            del self.players[old]
            self.closed.pop(old, None)

    def raised(self, event: events.DisputeRaised) -> None:
        """Applies that a dispute was raised."""
        self.count = event.id
        self.open[event.id] = Dispute(
            event.id, event.player, event.coup, event.says, event.stake, event.by
        )

    def withdrawn(self, event: events.DisputeWithdrawn) -> None:
        """Removes a dispute as if it had never been raised; only the log still has it."""
        del self.open[event.id]

    def decided(self, event: events.DisputeDecided) -> None:
        """Applies that a dispute was decided for good."""
        del self.open[event.id]
        if event.coup in self.players:
            self.closed.setdefault(event.coup, set()).add(event.player)

    def corrected(self, event: WrongPaymentCorrected) -> None:
        """Applies that a payment was corrected: the decision on a dispute may refer to it."""
        for dispute in self.of_player(event.player):
            dispute.corrected[event.id] = event.amount

    def of_player(self, player: str) -> list[Dispute]:
        """A player's open disputes."""
        return [each for each in self.open.values() if each.player == player]

    def as_data(self) -> dict[str, Any]:
        """As plain data, for a snapshot."""
        return {
            "open": [asdict(each) for each in self.open.values()],
            "count": self.count,
            "players": [[coup, sorted(names)] for coup, names in self.players.items()],
            "closed": [[coup, sorted(names)] for coup, names in self.closed.items()],
        }

    @classmethod
    def of(cls, data: dict[str, Any]) -> Disputes:
        """From plain data."""
        return cls(
            open={each["id"]: Dispute(**each) for each in data["open"]},
            count=data["count"],
            players={coup: set(names) for coup, names in data["players"]},
            closed={coup: set(names) for coup, names in data["closed"]},
        )
