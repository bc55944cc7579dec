"""Verification of a drawn table's balls: commitments, nonces and numbers, from the log alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from novamas.house import ball, drawing
from novamas.house import events as house
from novamas.house.events import BallMode, ChainReason
from novamas.house.hall import Hall
from novamas.table import events as play
from novamas.table.events import Event
from novamas.table.state import Phase


class DrawCheck:
    """Follows the balls of one table, event by event."""

    def __init__(self) -> None:
        self.opened = 0
        """How many commitments were opened."""
        self._last = ""
        """The secret that was revealed last, or the tip of a new chain: the next commitment."""
        self._seen: set[str] = set()
        """Every tip and every secret so far; none may come again."""
        self._checks: dict[type[Event], Callable[[Hall, Any], str]] = {
            house.BallChainCommitted: self._chain,
            house.BallCommitted: self._committed,
            house.NonceCommitted: self._nonce_committed,
            house.NonceOpened: self._nonce_opened,
            house.BallRevealed: self._revealed,
            play.BallPocketed: self._pocketed,
            play.StakePlaced: self._staked,
            play.AnnouncementPlaced: self._staked,
        }

    def problem(self, hall: Hall, event: Event) -> str:
        """What is wrong with an event, or nothing; `hall` is the table right before it."""
        check = self._checks.get(type(event))
        if check is None or hall.ball is not BallMode.DRAWN:
            return ""
        return check(hall, event)

    def _is_new(self, value: str) -> bool:
        known = value in self._seen
        self._seen.add(value)
        return not known

    def _chain(self, hall: Hall, event: house.BallChainCommitted) -> str:
        before = hall.chain
        self._last = event.tip
        if event.number != (before.number + 1 if before is not None else 1):
            return f"chain {event.number} does not follow the one before it"
        if hall.state.phase is Phase.CLOSED:
            return f"chain {event.number} was committed while a ball ran"
        if not self._is_new(event.tip):
            return f"chain {event.number} was committed before"
        used_up = before is not None and hall.commitment is None and hall.place == before.length
        allowed = {
            ChainReason.OPENED: before is None,
            ChainReason.USED_UP: used_up,
            ChainReason.TAKEN_UP: before is not None,
        }
        if not allowed[event.reason]:
            return f"chain {event.number} was committed without the reason that it gives"
        return ""

    def _committed(self, hall: Hall, event: house.BallCommitted) -> str:
        chain = hall.chain
        if chain is None or event.chain != chain.number or event.place != hall.place + 1:
            return f"spin {event.spin} was bound to another place than the next of its chain"
        if event.place > chain.length or event.commitment != self._last:
            return f"spin {event.spin} was bound to another commitment than the next of its chain"
        if hall.commitment is not None or hall.state.phase is Phase.CLOSED:
            return f"spin {event.spin} was bound while another commitment stood"
        if event.spin != drawing.next_spin(hall):
            return f"spin {event.spin} was bound in the place of spin {drawing.next_spin(hall)}"
        return ""

    def _nonce_committed(self, hall: Hall, event: house.NonceCommitted) -> str:
        standing = hall.commitment
        if standing is None or event.spin != standing.spin or hall.state.phase is Phase.CLOSED:
            return f"a nonce was committed to spin {event.spin} at another time than its betting"
        if event.player not in hall.state.players:
            return f"a nonce of {event.player}, who was not seated, was taken for spin {event.spin}"
        return ""

    def _nonce_opened(self, hall: Hall, event: house.NonceOpened) -> str:
        standing = hall.commitment
        if standing is None or event.spin != standing.spin or hall.state.phase is not Phase.CLOSED:
            return f"a nonce of spin {event.spin} was opened at another time than its close"
        bound = (hall.table, standing.spin, standing.commitment, event.player)
        if ball.nonce_hash(*bound, event.nonce) != hall.hashes.get(event.player):
            return f"the nonce of {event.player} at spin {event.spin} is not the committed one"
        return ""

    def _revealed(self, hall: Hall, event: house.BallRevealed) -> str:
        standing = hall.commitment
        self._last = event.secret
        if standing is None or standing.spin != event.spin or hall.state.phase is not Phase.CLOSED:
            return f"spin {event.spin} was revealed without a commitment that waited for it"
        secret = bytes.fromhex(event.secret)
        if ball.committed(hall.table, standing.place, secret).hex() != standing.commitment:
            return f"the secret of spin {event.spin} does not open its commitment"
        if not self._is_new(event.secret):
            return f"the secret of spin {event.spin} was revealed before"
        if event.nonces != hall.opened or event.withheld != drawing.withheld(hall):
            return f"spin {event.spin} was not drawn with the nonces of its close"
        drawn = ball.draw(hall.table, event.spin, secret, event.nonces, event.withheld)
        if drawn != event.number:
            return f"spin {event.spin} drew {drawn}, not {event.number}"
        self.opened += 1
        return ""

    def _pocketed(self, hall: Hall, event: play.BallPocketed) -> str:
        if hall.drawn and hall.drawn[-1] == (hall.state.spins, event.number):
            return ""
        return f"spin {hall.state.spins} was not the number that was drawn"

    def _staked(self, hall: Hall, _: play.StakePlaced | play.AnnouncementPlaced) -> str:
        if hall.commitment is not None:
            return ""
        return f"a stake of coup {hall.state.coup} was laid before its ball was committed to"
