"""Verification of a drawn table's balls: commitments, nonces and numbers, from the log alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from novamas.house.ball import decide_draw, fair_draw
from novamas.house.table import events as house
from novamas.house.table.events import BallMode, ChainReason
from novamas.house.table.state import HouseTable, is_single
from novamas.table import events as play
from novamas.table.events import Event
from novamas.table.state import Phase


class DrawCheck:
    """Checks the balls of one table, event by event."""

    def __init__(self) -> None:
        self.opened = 0
        """How many commitments were opened."""
        self._last = ""
        """The last revealed secret, or the tip of a new chain: the next commitment."""
        self._seen: set[str] = set()
        """Every tip and every secret so far; none may be repeated."""
        self._checks: dict[type[Event], Callable[[HouseTable, Any], str]] = {
            house.BallChainCommitted: self._chain,
            house.BallCommitted: self._committed,
            house.NonceCommitted: self._nonce_committed,
            house.NonceOpened: self._nonce_opened,
            house.BallRevealed: self._revealed,
            play.BallPocketed: self._pocketed,
            play.StakePlaced: self._staked,
            play.AnnouncementPlaced: self._staked,
        }

    def problem(self, house_table: HouseTable, event: Event) -> str:
        """The problem of an event, or an empty text; `house_table` is the table right before it."""
        check = self._checks.get(type(event))
        if check is None or house_table.ball is not BallMode.DRAWN:
            return ""
        return check(house_table, event)

    def _is_new(self, value: str) -> bool:
        known = value in self._seen
        self._seen.add(value)
        return not known

    def _chain(self, house_table: HouseTable, event: house.BallChainCommitted) -> str:
        before = house_table.chain
        self._last = event.tip
        if event.number != (before.number + 1 if before is not None else 1):
            return f"chain {event.number} does not follow the one before it"
        if house_table.state.phase is Phase.CLOSED:
            return f"chain {event.number} was committed while a ball ran"
        if not self._is_new(event.tip):
            return f"chain {event.number} was committed before"
        used_up = (
            before is not None
            and house_table.commitment is None
            and house_table.place == before.length
        )
        allowed = {
            ChainReason.OPENED: not decide_draw.has_drawn(house_table),
            ChainReason.USED_UP: used_up,
            ChainReason.TAKEN_UP: decide_draw.has_drawn(house_table),
        }
        if not allowed[event.reason]:
            return f"chain {event.number} was committed without the reason that it gives"
        return ""

    def _committed(self, house_table: HouseTable, event: house.BallCommitted) -> str:
        chain = house_table.chain
        if event.zeros != house_table.state.book.wheel.pockets.zeros:
            return f"spin {event.spin} was bound to another wheel than the table's"
        if is_single(event):
            return self._single_committed(house_table, event)
        if chain is None or event.chain != chain.number or event.place != house_table.place + 1:
            return f"spin {event.spin} was bound to another place than the next of its chain"
        if event.place > chain.length or event.commitment != self._last:
            return f"spin {event.spin} was bound to another commitment than the next of its chain"
        if house_table.commitment is not None or house_table.state.phase is Phase.CLOSED:
            return f"spin {event.spin} was bound while another commitment stood"
        if event.spin != (due := decide_draw.next_spin(house_table)):
            return f"spin {event.spin} was bound in the place of spin {due}"
        return ""

    def _single_committed(self, house_table: HouseTable, event: house.BallCommitted) -> str:
        """Checks a commitment of version 0.1.0 to one spin, before the table's first chain."""
        if house_table.chain is not None:
            return f"spin {event.spin} was bound to no place of the chain that was committed"
        if house_table.commitment is not None or house_table.state.phase is Phase.CLOSED:
            return f"spin {event.spin} was bound while another commitment stood"
        if event.spin != (due := decide_draw.next_spin(house_table)):
            return f"spin {event.spin} was bound in the place of spin {due}"
        return ""

    def _nonce_committed(self, house_table: HouseTable, event: house.NonceCommitted) -> str:
        standing = house_table.commitment
        if (
            standing is None
            or event.spin != standing.spin
            or house_table.state.phase is Phase.CLOSED
        ):
            return f"a nonce was committed to spin {event.spin} at another time than its betting"
        if event.player not in house_table.state.players:
            return f"a nonce of {event.player}, who was not seated, was taken for spin {event.spin}"
        return ""

    def _nonce_opened(self, house_table: HouseTable, event: house.NonceOpened) -> str:
        standing = house_table.commitment
        if (
            standing is None
            or event.spin != standing.spin
            or house_table.state.phase is not Phase.CLOSED
        ):
            return f"a nonce of spin {event.spin} was opened at another time than its close"
        bound = (house_table.table, standing.spin, standing.commitment, event.player)
        if fair_draw.nonce_hash(*bound, event.nonce) != house_table.hashes.get(event.player):
            return f"the nonce of {event.player} at spin {event.spin} is not the committed one"
        return ""

    def _revealed(self, house_table: HouseTable, event: house.BallRevealed) -> str:
        standing = house_table.commitment
        self._last = event.secret
        if (
            standing is None
            or standing.spin != event.spin
            or house_table.state.phase is not Phase.CLOSED
        ):
            return f"spin {event.spin} was revealed without a commitment that waited for it"
        secret = bytes.fromhex(event.secret)
        if not decide_draw.opens(house_table, standing, secret):
            return f"the secret of spin {event.spin} does not open its commitment"
        if not self._is_new(event.secret):
            return f"the secret of spin {event.spin} was revealed before"
        if event.nonces != house_table.opened or event.withheld != decide_draw.withheld(
            house_table
        ):
            return f"spin {event.spin} was not drawn with the nonces of its close"
        if event.zeros != standing.zeros:
            return f"spin {event.spin} was revealed with another wheel than it was bound to"
        drawn = decide_draw.drawn_number(house_table, standing, secret)
        if drawn != event.number:
            return f"spin {event.spin} drew {drawn}, not {event.number}"
        self.opened += 1
        return ""

    def _pocketed(self, house_table: HouseTable, event: play.BallPocketed) -> str:
        if house_table.drawn and house_table.drawn[-1] == (house_table.state.spins, event.number):
            return ""
        return f"spin {house_table.state.spins} was not the number that was drawn"

    def _staked(
        self, house_table: HouseTable, _: play.StakePlaced | play.AnnouncementPlaced
    ) -> str:
        # Version 0.1.0 wrote a commitment at the end of a commit, after stakes of the same moment.
        if house_table.commitment is not None or (
            house_table.chain is None and decide_draw.has_drawn(house_table)
        ):
            return ""
        return f"a stake of coup {house_table.state.coup} was laid before its ball was committed to"
