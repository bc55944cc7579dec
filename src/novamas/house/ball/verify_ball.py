"""Checks the drawn numbers of a novamas table. It needs only this file and Python.

    python3 verify_ball.py proof.json                    what your own machine saved
     python3 verify_ball.py proof.json events.json …      the same, and what the house says now
     python3 verify_ball.py --table T events.json …       only what the house says

`proof.json` is what the room or the client in the package saves: the events as you received them,
and the texts (nonces) that your machine made. Only with it can you detect what the house changed
later. `events.json` is the answer of /api/tables/T/events, in as many parts as you like.

    secret(place - 1) = SHA-256("novamas chain 1", table, place, secret(place))
    hash of a nonce   = SHA-256("novamas nonce 1", table, spin, commitment, player, nonce)
    pockets           = 0, 1, …, 36, then the further zeros of the wheel: "00", "000"
    n                 = how many pockets there are: 36 and the zeros of the commitment
    index             = the first byte below 256 // n * n of HMAC-SHA256(secret, "novamas draw 2",
                        table, spin, for each player in order: player, "opened", nonce or player,
                        "withheld", hash; then a counter of 4 bytes), modulo n
    number            = pockets[index]

With one zero n is 37, and the bytes below 222 count; with 0 and 00 it is 38, and those below 228. A
commitment has the zeros as `zeros`; one without is of a wheel with one zero. Each field is prefixed
with its length, as 4 bytes, big-endian. A commitment is the secret of the previous place, or the
tip of the chain. Tables of version 0.1.0 had no chain: their commitments name none, and are checked
by the old formulas.

    commitment        = SHA-256("novamas ball 1", table, spin, secret)
    number            = as above, of "novamas draw 1", table, spin, for each player: player, nonce

`docs/explanation/fairness.md` says what each check is for, and `docs/vectors/ball.json` has an
example of every kind of cheating, with the expected result.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
from pathlib import Path
from typing import Any

Data = dict[str, Any]

PROBLEMS = {
    "wrong_secret": "the secret does not hash to the commitment published before betting",  # nosec B105
    "repeated_secret": "a secret, or the tip of a chain, was used before",  # nosec B105
    "changed_commitment": "another commitment than the one published before",
    "unbound_stake": "stakes were taken before a commitment stood, or after betting closed",
    "recommitted": "a new chain was committed without the reason that was given",
    "ghost_nonce": "a nonce was used of somebody who had committed to none",
    "late_nonce": "a nonce was committed to, or opened, at the wrong time",
    "changed_nonce": "another nonce was used than the one that was committed to",
    "dropped_nonce": "a nonce that was committed to, or opened in time, was left out",
    "wrong_number": "another number was played than the one that was drawn",
    "left_out": "a spin, or an event, is missing",
    "dropped_coup": "a spin was not played to its end",
    "history_changed": "the house tells another past than the one you saw",
    "unreadable": "an event cannot be read",
}
"""Every problem that can be found, by its name in the test vectors."""
NOTES = ("Connected", "Committing", "Opening")
"""What a player's own machine records besides the events that it receives."""
LONGEST = 1_000_000
"""The longest chain that is checked; a longer one would only waste your time."""
LAST = 36
"""The last whole number; every wheel has all from 0 to it."""
BYTES = 256
"""How many values a byte has."""
SHOWN = 20
"""How many problems are printed one by one; the others are counted."""


def framed(*fields: bytes) -> bytes:
    """The fields, each prefixed with its length."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def committed(table: str, place: int, secret: str) -> str:
    """The commitment that a secret opens."""
    fields = (b"novamas chain 1", table.encode(), str(place).encode(), bytes.fromhex(secret))
    return hashlib.sha256(framed(*fields)).hexdigest()


def nonce_hash(table: str, spin: int, commitment: str, player: str, nonce: str) -> str:
    """The hash with which a player commits to a nonce."""
    fields = ("novamas nonce 1", table, str(spin), commitment, player, nonce)
    return hashlib.sha256(framed(*(field.encode() for field in fields))).hexdigest()


def committed_singly(table: str, spin: int, secret: str) -> str:
    """The commitment of version 0.1.0 to the secret of one spin."""
    fields = (b"novamas ball 1", table.encode(), str(spin).encode(), bytes.fromhex(secret))
    return hashlib.sha256(framed(*fields)).hexdigest()


def pockets_of(zeros: Any) -> list[int | str]:
    """The pockets of a wheel with these zeros, in the order of the draw."""
    if not isinstance(zeros, list) or not 1 <= len(zeros) <= BYTES - LAST:
        raise ValueError("a wheel has a list of zeros")
    first, *further = zeros
    if type(first) is not int or first != 0:
        raise ValueError("the first zero is 0")
    if further != sorted({each for each in further if len(each) > 1 and {*each} == {"0"}}):
        raise ValueError("every further zero is a text of zeros, each once and in order")
    return [*range(LAST + 1), *further]


def drawn(
    table: str,
    spin: int,
    secret: str,
    nonces: dict[str, str],
    withheld: dict[str, str],
    zeros: list[int | str],
) -> int | str:
    """The number that a secret and the players' nonces give."""
    given = [(player, "opened", nonce) for player, nonce in nonces.items()]
    given += [(player, "withheld", known) for player, known in withheld.items()]
    fields = ["novamas draw 2", table, str(spin)]
    fields += [part for each in sorted(given) for part in each]
    return _number(secret, fields, pockets_of(zeros))


def drawn_singly(table: str, spin: int, secret: str, nonces: dict[str, str]) -> int | str:
    """The number of a spin that version 0.1.0 committed to."""
    fields = ["novamas draw 1", table, str(spin)]
    fields += [part for each in sorted(nonces.items()) for part in each]
    return _number(secret, fields, pockets_of([0]))


def _number(secret: str, fields: list[str], pockets: list[int | str]) -> int | str:
    message, block = framed(*(field.encode() for field in fields)), 0
    fair = BYTES // len(pockets) * len(pockets)
    while True:
        counted = message + block.to_bytes(4, "big")
        for byte in hmac.new(bytes.fromhex(secret), counted, "sha256").digest():
            if byte < fair:
                return pockets[byte % len(pockets)]
        block += 1


class Follower:
    """Follows a table's balls through events in order, and finds problems."""

    def __init__(self, table: str, player: str | None = None, *, own: bool = False) -> None:
        self.table, self.player, self.own = table, player, own
        self.problems: list[tuple[str, int]] = []
        """The problems found, each with its spin."""
        self.counts = {"spins": 0, "yours": 0, "missed": 0, "withheld": 0}
        """Spins; those with a nonce of yours; with yours not opened; nonces others withheld."""
        self.chains = {"opened": 0, "used_up": 0, "taken_up": 0}
        """New chains, by the reason that the house gave."""
        self.known = False
        """Whether everything since the last spin was seen."""
        self.chain: int | None = None
        self.tip: str | None = None
        self.length: int | None = None
        self.place = 0
        self.next: str | None = None
        """The commitment that must come next: the secret just revealed, or the tip."""
        self.bound: Data | None = None
        """The current commitment."""
        self.zeros: list[int | str] | None = None
        """The zeros of the last commitment: a table has one wheel for all its spins."""
        self.spin: int | None = None
        """The last spin that was revealed."""
        self.closed = False
        self.number: int | str | None = None
        self.hashes: dict[str, str] = {}
        self.opened: dict[str, str] = {}
        self.nonces: dict[str, str] = {}
        """Public nonces of players of version 0.1.0."""
        self.seated: set[str] | None = None
        self.seen: set[str] = set()
        self.made: dict[str, str] = {}
        """Hash → the nonce that this player's machine made."""
        self.opening: dict[int, str] = {}
        """Spin → the nonce that this player's machine sent after the close."""
        self.stakes: set[str] = set()
        self.returned = False
        self.highest = 0
        self.live: int | None = None
        """Events after this one arrived while the player was connected."""
        self.found_closed = False
        """Whether the spin was closed when the player connected: a server may have restarted."""
        self._checks = {
            "Connected": self._connected,
            "Committing": self._committing,
            "Opening": self._opening,
            "TableSetUp": self._table_set_up,
            "BallChainCommitted": self._ball_chain_committed,
            "BallCommitted": self._ball_committed,
            "NonceCommitted": self._nonce_committed,
            "NonceOpened": self._nonce_opened,
            "NonceSet": self._nonce_set,
            "StakePlaced": self._stake_placed,
            "AnnouncementPlaced": self._stake_placed,
            "StakesReturned": self._stakes_returned,
            "BettingClosed": self._betting_closed,
            "BallRevealed": self._ball_revealed,
            "BallPocketed": self._ball_pocketed,
            "NumberCalled": self._number_called,
            "NumberCorrected": self._number_corrected,
            "BallVoided": self._ball_voided,
            "TableClosed": self._table_closed,
            "PlayerSat": self._player_sat,
            "PlayerLeft": self._player_left,
        }

    def take(self, event: Any) -> None:
        """Takes the next event, or the next record of the player's own machine."""
        try:
            kind, seq, data = event["type"], event.get("seq", 0), event["data"]
            check = self._checks.get(kind) if self.own or kind not in NOTES else None
            if kind not in NOTES:
                self.highest = max(self.highest, seq)
            if check is not None:
                check(data, seq)
        except (AttributeError, KeyError, TypeError, ValueError):
            self.wrong("unreadable")

    def wrong(self, problem: str, spin: int | None = None) -> None:
        """Records a problem of a spin; by default of the spin that is bound or comes next."""
        coming = self.bound["spin"] if self.bound else (self.spin or 0) + 1
        self.problems.append((problem, coming if spin is None else spin))

    # What this player's machine noted ---------------------------------------------------------

    def _connected(self, data: Data, seq: int) -> None:
        draw = data["draw"]
        if seq < self.highest:
            self.wrong("history_changed")
        self.live, self.found_closed = seq, data["closed"]
        if data["resumed"] and self.known and seq >= self.highest:
            return  # The missed events come next.
        self.known, self.closed = True, data["closed"]
        self.seated, self.bound, self.next, self.number = {*data["players"]}, None, None, None
        if draw is not None:
            self._stand(draw)

    def _stand(self, draw: Data) -> None:
        """Checks a commitment from before the player connected: it must belong to the chain."""
        if not 1 <= draw["place"] <= draw["length"] <= LONGEST:
            raise ValueError("no place of a chain")
        hashed = draw["commitment"]
        for place in range(draw["place"] - 1, 0, -1):
            hashed = committed(self.table, place, hashed)
        same = self.chain == draw["chain"]
        if hashed != draw["tip"] or (same and self.tip not in (None, draw["tip"])):
            self.wrong("changed_commitment", draw["spin"])
        back = draw["spin"] <= (self.spin or 0) or (same and draw["place"] < self.place)
        if back or draw["chain"] < (self.chain or 0):
            self.wrong("history_changed", draw["spin"])
        self.chain, self.tip, self.length = draw["chain"], draw["tip"], draw["length"]
        self.zeros = self._wheel(draw)
        self.place, self.bound, self.spin = draw["place"], draw, draw["spin"] - 1
        self.hashes, self.opened = dict(draw["hashes"]), dict(draw["opened"])

    def _wheel(self, data: Data) -> list[int | str]:
        """The zeros that an event says; they must be those of the commitment before it."""
        zeros: list[int | str] = data.get("zeros", [0])
        pockets_of(zeros)  # Raises an error if no wheel has these zeros.
        if self.zeros not in (None, zeros):
            self.wrong("changed_commitment", data["spin"])
        return zeros

    def _committing(self, data: Data, _: int) -> None:
        bound = (self.table, data["spin"], data["commitment"], str(self.player))
        self.made[nonce_hash(*bound, data["nonce"])] = data["nonce"]

    def _opening(self, data: Data, _: int) -> None:
        self.opening[data["spin"]] = data["nonce"]

    # Commitments ------------------------------------------------------------------------------

    def _table_set_up(self, _: Data, __: int) -> None:
        self.known, self.seated = True, set()

    def _ball_chain_committed(self, data: Data, seq: int) -> None:
        reason = data["reason"]
        if self.closed:
            self.wrong("dropped_coup")
        if data["tip"] in self.seen:
            self.wrong("repeated_secret")
        used_up = self.bound is None and self.place == (self.length or self.place)
        is_live = self.live is not None and seq > self.live
        fits = {
            "opened": self.chain is None,
            "used_up": self.chain is None or used_up,
            # A server that restarts has closed every connection, and settles a closed spin first.
            "taken_up": not is_live or (self.found_closed and self.bound is None),
        }
        follows = self.chain is None or data["number"] == self.chain + 1
        if not fits[reason] or not follows:
            self.wrong("recommitted")
        self.chains[reason] += 1
        self.chain, self.tip, self.length = data["number"], data["tip"], data["length"]
        self.place, self.next, self.bound, self.closed = 0, data["tip"], None, False
        self.seen.add(data["tip"])

    def _ball_committed(self, data: Data, seq: int) -> None:
        is_single = "chain" not in data
        data = {"chain": 0, "place": 0, **data}
        place, commitment = data["place"], data["commitment"]
        if is_single:
            # Version 0.1.0 drew each secret separately: a table cannot go back to that.
            if self.chain or self.bound is not None:
                self.wrong("changed_commitment", data["spin"])
            self.next = None
        elif self.chain is not None:
            fits = data["chain"] == self.chain and place == self.place + 1
            if not fits or place > (self.length or place) or self.bound is not None:
                self.wrong("changed_commitment", data["spin"])
        if self.next is not None and commitment != self.next:
            self.wrong("changed_commitment", data["spin"])
        if self.spin is not None and data["spin"] != self.spin + 1:
            self.wrong("left_out", data["spin"])
        self.zeros = self._wheel(data)
        self.known, self.returned = True, False
        # Missed events say nothing about a spin that was closed when the player reconnected.
        self.found_closed = self.found_closed and seq <= (self.live or 0)
        self.chain, self.place, self.bound, self.next = data["chain"], place, data, None
        self.spin, self.hashes, self.opened = data["spin"] - 1, {}, {}
        self.seen.add(commitment)

    # Nonces -----------------------------------------------------------------------------------

    def _nonce_committed(self, data: Data, _: int) -> None:
        player, known = data["player"], data["hash"]
        if not self.known:
            return
        if self.bound is None or self.closed or data["spin"] != self.bound["spin"]:
            self.wrong("late_nonce")
        if self.seated is not None and player not in self.seated:
            self.wrong("ghost_nonce")
        if player == self.player and known not in self.made:
            self.wrong("changed_nonce")
        self.hashes[player] = known

    def _nonce_opened(self, data: Data, _: int) -> None:
        player, nonce = data["player"], data["nonce"]
        if not self.known:
            return
        if self.bound is None or not self.closed or data["spin"] != self.bound["spin"]:
            self.wrong("late_nonce")
        elif player not in self.hashes:
            self.wrong("ghost_nonce")
        elif not self._is_committed(player, nonce):
            self.wrong("changed_nonce")
        self.opened[player] = nonce

    def _is_committed(self, player: str, nonce: str) -> bool:
        bound = self.bound or {"spin": 0, "commitment": ""}
        of = (self.table, bound["spin"], bound["commitment"], player)
        return nonce_hash(*of, nonce) == self.hashes.get(player)

    def _nonce_set(self, data: Data, _: int) -> None:
        self.nonces[data["player"]] = data["nonce"]

    # Stakes, the close and the draw -----------------------------------------------------------

    def _stake_placed(self, data: Data, _: int) -> None:
        # Version 0.1.0 wrote a commitment after stakes of the same moment.
        is_early = self.bound is None and self.chain != 0
        if self.known and (is_early or self.closed):
            self.wrong("unbound_stake")
        self.returned = False
        if self.player in (None, data["player"]):
            self.stakes.update([data["id"], *(each["id"] for each in data.get("stakes", ()))])

    def _stakes_returned(self, data: Data, _: int) -> None:
        self.returned = any(stake in self.stakes for stake, *_ in data["returned"])

    def _betting_closed(self, _: Data, __: int) -> None:
        if self.known and (self.bound is None or self.closed):
            self.wrong("unbound_stake")
        self.closed, self.number, self.returned = True, None, False
        if self._is_single():
            seated = self.nonces if self.seated is None else self.seated
            self.opened = {name: self.nonces[name] for name in self.nonces if name in seated}

    def _is_single(self) -> bool:
        """Whether version 0.1.0 committed to the spin that is bound."""
        return self.bound is not None and self.bound["chain"] == 0

    def _ball_revealed(self, data: Data, _: int) -> None:
        secret, spin = data["secret"], data["spin"]
        nonces, withheld = data["nonces"], data.get("withheld", {})
        is_single = self._is_single() or "withheld" not in data
        if secret in self.seen:
            self.wrong("repeated_secret", spin)
        if self.bound is not None and spin == self.bound["spin"] and self.closed:
            if is_single:
                opens = committed_singly(self.table, spin, secret)
                if self.seated is not None and nonces != self.opened:
                    self.wrong("changed_nonce", spin)
            else:
                opens = committed(self.table, self.place, secret)
                self._check_nonces(spin, nonces, withheld)
            if opens != self.bound["commitment"]:
                self.wrong("wrong_secret", spin)
        elif self.known:
            self.wrong("left_out", spin)
        zeros = self._wheel(data)
        number = (
            drawn_singly(self.table, spin, secret, nonces)
            if is_single
            else drawn(self.table, spin, secret, nonces, withheld, self.zeros or zeros)
        )
        if number != data["number"]:
            self.wrong("wrong_number", spin)
        self.counts["spins"] += 1
        self.counts["yours"] += self.player in nonces
        self.counts["missed"] += self.player in withheld
        self.counts["withheld"] += len({*withheld} - {self.player})
        self.seen.add(secret)
        self.next = None if is_single else secret
        self.spin, self.number = spin, data["number"]
        self.bound, self.closed, self.hashes, self.opened = None, False, {}, {}

    def _check_nonces(self, spin: int, nonces: Data, withheld: Data) -> None:
        for player, nonce in nonces.items():
            if player not in self.hashes or player in withheld:
                self.wrong("ghost_nonce", spin)
            elif not self._is_committed(player, nonce):
                self.wrong("changed_nonce", spin)
            elif self.opened.get(player) != nonce:
                self.wrong("late_nonce", spin)
        for player, known in withheld.items():
            if player not in self.hashes:
                self.wrong("ghost_nonce", spin)
            elif self.hashes[player] != known:
                self.wrong("changed_nonce", spin)
            elif player in self.opened or (player == self.player and spin in self.opening):
                self.wrong("dropped_nonce", spin)
        if {*self.hashes} - {*nonces} - {*withheld}:
            self.wrong("dropped_nonce", spin)

    def _ball_pocketed(self, data: Data, _: int) -> None:
        if self.known and data["number"] != self.number:
            self.wrong("wrong_number", self.spin)

    def _number_called(self, data: Data, _: int) -> None:
        if self.number is not None and data["pocket"] != self.number:
            self.wrong("wrong_number", self.spin)

    def _number_corrected(self, _: Data, __: int) -> None:
        self.wrong("wrong_number", self.spin)

    def _ball_voided(self, _: Data, __: int) -> None:
        self.wrong("dropped_coup")

    def _table_closed(self, _: Data, __: int) -> None:
        if self.closed or self.returned:
            self.wrong("dropped_coup")

    def _player_sat(self, data: Data, _: int) -> None:
        if self.seated is not None:
            self.seated.add(data["player"])

    def _player_left(self, data: Data, _: int) -> None:
        if self.seated is not None:
            self.seated.discard(data["player"])
        self.nonces.pop(data["player"], None)
        if not self.closed:
            self.hashes.pop(data["player"], None)


def verdict(proof: Data | None, events: list[Any], table: str) -> Data:
    """Checks a player's proof, what the house says, and whether they agree."""
    table = proof["table"] if proof is not None else table
    followers = []
    if proof is not None:
        followers.append(Follower(table, proof["player"], own=True))
        for note in proof["notes"]:
            followers[0].take(note)
    if events:
        followers.append(Follower(table))
        gaps(followers[-1], events)
        for event in events:
            followers[-1].take(event)
    if proof is not None and events:
        compare(followers[0], proof["notes"], events)
    found = [problem for each in followers for problem in each.problems]
    first = followers[0] if followers else Follower(table)
    return {
        "problems": sorted({*found}, key=lambda problem: (problem[1], problem[0])),
        **first.counts,
        "chains": first.chains,
    }


def gaps(follower: Follower, events: list[Any]) -> None:
    """Checks that the house's events have no gap."""
    seqs = [event.get("seq") if isinstance(event, dict) else None for event in events]
    if seqs != [*range(seqs[0] or 0, (seqs[0] or 0) + len(seqs))]:
        follower.wrong("left_out", 0)


def compare(mine: Follower, notes: list[Any], events: list[Any]) -> None:
    """Checks that the events a player received are those that the house gives now."""
    told = {event["seq"]: event for event in events if isinstance(event, dict) and "seq" in event}
    first = min(told, default=0)
    for note in notes:
        seq = note.get("seq", 0) if isinstance(note, dict) and note["type"] != "Connected" else 0
        if seq < first or not seq:
            continue
        other = told.get(seq, {"type": None, "data": {}})
        same = all(other["data"].get(key) == value for key, value in note["data"].items())
        if other["type"] != note["type"] or not same:
            mine.wrong("history_changed", note["data"].get("spin", 0))


def read(path: str) -> Any:
    """Reads a JSON file."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, RecursionError, ValueError) as problem:
        sys.exit(f"{path}: cannot be read: {problem}")


def main() -> None:
    """Checks the files named on the command line, and prints the result."""
    arguments, table, proof = sys.argv[1:], "", None
    if arguments[:1] == ["--table"]:
        table, arguments = "".join(arguments[1:2]), arguments[2:]
    events: list[Any] = []
    for path in arguments:
        given = read(path)
        if isinstance(given, dict) and given.get("novamas") == "proof 1" and proof is None:
            proof = given
        elif isinstance(given, list):
            events += given
        else:
            sys.exit(f"{path}: neither a proof nor a list of events")
    if not arguments or (proof is None and not table):
        sys.exit(__doc__)
    try:
        found = verdict(proof, events, table)
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        sys.exit(f"the proof cannot be read: {type(problem).__name__} {problem}")
    tell(found)
    sys.exit(bool(found["problems"]) or not found["spins"])


def tell(found: Data) -> None:
    """Prints the result."""
    for name, spin in found["problems"][:SHOWN]:
        print(f"spin {spin}: {name}: {PROBLEMS[name]}")
    more = len(found["problems"]) - SHOWN
    if more > 0:
        print(f"and {more} problems more")
    wrong = len({spin for _, spin in found["problems"]})
    print(f"{found['spins']} spins were checked; {wrong or 'nothing'} wrong")
    print(f"a text of yours was in {found['yours']}; it was not opened in {found['missed']}")
    print(f"others did not open theirs {found['withheld']} times")
    chains = ", ".join(f"{count} {reason}" for reason, count in found["chains"].items())
    print(f"new chains of secrets: {chains}")


if __name__ == "__main__":
    main()
