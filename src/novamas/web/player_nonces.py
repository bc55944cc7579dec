"""A player's contribution to the ball: a fresh nonce for every commitment, and a record of it.

The nonce is made on the player's own machine, after the house has published its commitment. Its
hash goes to the house while betting is open, the nonce itself after the close. The messages of both
sides are recorded in order; `verify_ball.py` compares them.
"""

from __future__ import annotations

import secrets
from typing import Any

from novamas.house.ball import fair_draw
from novamas.house.table.commands import CommitNonce, OpenNonce
from novamas.table.commands import Command

RANDOM_BYTES = 16
LONGEST_TEXT = fair_draw.LONGEST_NONCE - 2 * RANDOM_BYTES - 1
"""The longest text of a player's own: a space and the random digits follow it."""
MOST_NOTES = 20_000
NOTED = frozenset(
    (
        "TableSetUp",
        "TableClosed",
        "PlayerSat",
        "PlayerLeft",
        "BallChainCommitted",
        "BallCommitted",
        "NonceCommitted",
        "NonceOpened",
        "StakePlaced",
        "AnnouncementPlaced",
        "StakesReturned",
        "BettingClosed",
        "BallVoided",
        "BallRevealed",
        "BallPocketed",
        "NumberCalled",
        "NumberCorrected",
    )
)
"""The events that a proof contains."""


class Nonces:
    """One player's nonces at one table."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.player: str | None = None
        """The player, once known."""
        self._text = ""
        self._is_seated = False
        self._is_closed = False
        self._seq = 0
        """The sequence number of the table when the client connected."""
        self._standing: tuple[int, str] | None = None
        """The next spin, and the house's commitment to it."""
        self._hash: str | None = None
        """The hash from this player that the house has for it."""
        self._made: dict[str, str] = {}
        """Hash → its nonce, for the current commitment."""
        self._notes: list[dict[str, Any]] = []

    def proof(self) -> dict[str, Any]:
        """What was seen and done, to be saved and given to `verify_ball.py`."""
        return {
            "novamas": "proof 1",
            "table": self.table,
            "player": self.player,
            "notes": list(self._notes),
        }

    def set_text(self, text: str) -> list[Command]:
        """Begins every nonce with the player's own text; returns the commands to send now."""
        if len(text) > LONGEST_TEXT or (text and not fair_draw.is_nonce(text)):
            raise ValueError(f"a text is one line of at most {LONGEST_TEXT} characters")
        self._text = text
        self._made.clear()
        return self._commit()

    # What comes from the table: each gives the commands that answer it -------------------------

    def connected(self, view: dict[str, Any], *, resumed: bool) -> list[Command]:
        """Handles the state of the table after connecting."""
        draw, you, self._seq = view["draw"], view.get("you"), view["seq"]
        if draw is not None:
            chain = view["chain"]
            draw = {**draw, "tip": chain["tip"], "length": chain["length"]}
        self.player = you["player"] if you else self.player
        self._is_seated = bool(you)
        seen = {"draw": draw, "players": list(view["players"]), "resumed": resumed}
        seen["closed"] = view["phase"] == "closed"
        self._note({"type": "Connected", "seq": view["seq"], "data": seen})
        before = self._standing
        self._standing = (draw["spin"], draw["commitment"]) if draw else None
        if self._standing != before:
            self._made.clear()
        self._hash = draw["hashes"].get(self.player) if draw else None
        self._is_closed = bool(seen["closed"])
        has_opened = bool(draw and self.player in draw["opened"])
        return [] if has_opened else [*self._commit(), *self._open()]

    def seated(self, player: str) -> list[Command]:
        """Handles that the player got a seat."""
        self.player, self._is_seated = player, True
        return self._commit()

    def event(self, event: dict[str, Any]) -> list[Command]:
        """Handles an event of the table."""
        kind, data = event["type"], event["data"]
        if kind not in NOTED:
            return []
        self._note({key: event[key] for key in ("seq", "at", "type", "data")})
        if event["seq"] <= self._seq:
            return []  # It was missed, and the current state of the table includes it.
        match kind:
            case "BallChainCommitted" | "BallRevealed":
                self._stand(None)
            case "BallCommitted":
                self._stand((data["spin"], data["commitment"]))
            case "NonceCommitted" if data["player"] == self.player:
                self._hash = data["hash"]
            case "BettingClosed":
                self._is_closed = True
            case "PlayerSat" if data["player"] == self.player:
                self._is_seated = True
            case "PlayerLeft" if data["player"] == self.player:
                self._is_seated = False
            case _:
                return []
        return [*self._commit(), *self._open()]

    def _stand(self, standing: tuple[int, str] | None) -> None:
        self._standing, self._hash, self._is_closed = standing, None, False
        self._made.clear()

    def _commit(self) -> list[Command]:
        """Commits to a fresh nonce, if there is none for this commitment yet."""
        ready = self._is_seated and not self._is_closed and not self._made
        if self._standing is None or self.player is None or not ready:
            return []
        spin, commitment = self._standing
        nonce = f"{self._text} {secrets.token_hex(RANDOM_BYTES)}".strip()
        made = fair_draw.nonce_hash(self.table, spin, commitment, self.player, nonce)
        self._made[made] = nonce
        mine = {"spin": spin, "commitment": commitment, "nonce": nonce}
        self._note({"type": "Committing", "data": mine})
        return [CommitNonce(by=self.player, commitment=commitment, hash=made)]

    def _open(self) -> list[Command]:
        """Opens the nonce behind the hash that the house has, once betting has closed."""
        nonce = self._made.pop(self._hash or "", None) if self._is_closed else None
        if nonce is None or self._standing is None or self.player is None:
            return []
        self._note({"type": "Opening", "data": {"spin": self._standing[0], "nonce": nonce}})
        return [OpenNonce(by=self.player, nonce=nonce)]

    def _note(self, note: dict[str, Any]) -> None:
        self._notes.append(note)
        if len(self._notes) > MOST_NOTES:
            half = range(MOST_NOTES // 2, len(self._notes))
            starts = (n for n in half if self._notes[n]["type"] == "BallCommitted")
            del self._notes[: next(starts, MOST_NOTES // 2)]
