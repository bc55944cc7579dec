"""A house that follows the protocol of the ball, or cheats, and a player who records it.

A dishonest house acts as it would in reality: it recomputes everything that depends on its cheat,
and sends everybody the same events, unless the cheat is that it does not. `ana` plays; what her
machine records is her proof.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator
from typing import Any

from novamas.game.wheel import EUROPEAN, Pocket, Wheel
from novamas.house.ball import fair_draw
from novamas.house.ball.fair_draw import Chain
from novamas.web.player_nonces import NOTED

TABLE, ME, OTHER = "es", "ana", "luis"
START = 1_700_000_000_000
Data = dict[str, Any]


def fixed(text: str) -> bytes:
    """Bytes that are the same each time the vectors are made."""
    return hashlib.sha256(f"vector {text}".encode()).digest()


def nonce_of(player: str, spin: int) -> str:
    """A fresh nonce as a player's machine makes it."""
    return fixed(f"{player} {spin}").hex()[:32]


class Play:
    """A table, and the notes of the player who watches it."""

    def __init__(
        self,
        *,
        table: str = TABLE,
        length: int = 8,
        player: str = ME,
        wheel: Wheel | None = None,
    ) -> None:
        self.table, self.player, self.length = table, player, length
        self.wheel = wheel or EUROPEAN
        self.zeros: Data = {}
        """What the house says of the wheel; nothing, as before there were others, by default."""
        if wheel is not None:
            self.say_zeros()
        self.events: list[Data] = []
        """The events that the house sends to everybody."""
        self.notes: list[Data] = []
        self.is_watched = True
        """Whether the player is connected."""
        self.seats: list[str] = []
        self.number_of_chain = self.place = self.spin = 0
        self.chain: Chain
        self.bound: Data = {}
        """The commitment that stands; empty if none does."""
        self.closed = False
        self.hashes: dict[str, str] = {}
        self.opened: dict[str, str] = {}
        self.nonces: dict[str, str] = {}

    def say_zeros(self) -> None:
        """From now on the house says which zeros the wheel has."""
        self.zeros = {"zeros": [*self.wheel.zeros]}

    # What happens -----------------------------------------------------------------------------

    def event(self, kind: str, **data: Any) -> None:
        """The house publishes an event."""
        seq = len(self.events) + 1
        told = {"seq": seq, "at": START + 1000 * seq, "type": kind, "data": data}
        self.events.append(told)
        if self.is_watched and kind in NOTED:
            self.notes.append(told)

    def note(self, kind: str, **data: Any) -> None:
        """The player's machine records what it does."""
        if self.is_watched:
            self.notes.append({"type": kind, "data": data})

    def draw(self) -> Data | None:
        """What a table shows of its ball to a player who connects."""
        if not self.bound:
            return None
        chain = {"tip": self.chain.tip.hex(), "length": self.chain.length}
        shown = {"spin": self.bound["spin"], "commitment": self.bound["commitment"]}
        place = {"chain": self.number_of_chain, "place": self.bound["place"]}
        chain |= self.zeros
        return {**shown, **place, **chain, "hashes": {**self.hashes}, "opened": {**self.opened}}

    def connect(self, *, resumed: bool = False, seq: int | None = None) -> None:
        """The player connects, and receives the missed events if they come back."""
        seq = seq if seq is not None else len(self.events)
        shown = {"draw": self.draw(), "players": [*self.seats], "closed": self.closed}
        self.is_watched = True
        self.notes.append({"type": "Connected", "seq": seq, "data": {**shown, "resumed": resumed}})
        if resumed:
            seen = max((note.get("seq", 0) for note in self.notes[:-1]), default=0)
            missed = [each for each in self.events if seen < each["seq"] <= seq]
            self.notes += [each for each in missed if each["type"] in NOTED]

    def leave(self) -> None:
        """The player's connection ends."""
        self.is_watched = False

    def commit_chain(self, reason: str, *, seed: str = "", number: int | None = None) -> None:
        """The house commits itself to a chain."""
        self.number_of_chain = number if number is not None else self.number_of_chain + 1
        self.chain = Chain(self.table, fixed(seed or f"{self.number_of_chain}"), self.length)
        self.place, self.bound = 0, {}
        tip = self.chain.tip.hex()
        told = {"number": self.number_of_chain, "tip": tip, "length": self.length}
        self.event("BallChainCommitted", **told, reason=reason)

    def bind(self, *, skip: int = 0, spin: int | None = None, commitment: str = "") -> None:
        """The next secret is bound to the next spin."""
        self.place += 1 + skip
        spin = spin if spin is not None else self.spin + 1
        self.bound = {
            "coup": spin,
            "spin": spin,
            "chain": self.number_of_chain,
            "place": self.place,
            "commitment": commitment or self.chain.commitment(self.place).hex(),
            **self.zeros,
        }
        self.closed = False
        self.hashes, self.opened, self.nonces = {}, {}, {}
        self.event("BallCommitted", **self.bound)

    def sit(self, *players: str) -> None:
        """Players sit down."""
        for player in players:
            self.seats.append(player)
            self.event("PlayerSat", player=player)

    def commit(self, player: str, nonce: str = "", *, known: str = "", told: bool = True) -> None:
        """A player commits to a nonce; `told` is whether the house publishes it."""
        spin, commitment = self.bound["spin"], self.bound["commitment"]
        nonce = nonce or nonce_of(player, spin)
        self.nonces[player] = nonce
        if player == self.player and not known:
            self.note("Committing", spin=spin, commitment=commitment, nonce=nonce)
        made = fair_draw.nonce_hash(self.table, spin, commitment, player, nonce)
        self.hashes[player] = known or made
        if told:
            self.event("NonceCommitted", player=player, spin=spin, hash=self.hashes[player])

    def stake(self, player: str = ME, id: str = "") -> None:
        """A player lays a stake."""
        id = id or f"s{len(self.events)}"
        self.event("StakePlaced", id=id, player=player, on="red", amount=100, by=player)

    def close(self) -> None:
        """Betting closes."""
        self.event("BettingClosed", call="No va más")
        self.closed = True

    def open(self, player: str, *, told: bool = True) -> None:
        """A player opens the nonce."""
        if player == self.player:
            self.note("Opening", spin=self.bound["spin"], nonce=self.nonces[player])
        self.opened[player] = self.nonces[player]
        if told:
            spin = self.bound["spin"]
            self.event("NonceOpened", player=player, spin=spin, nonce=self.nonces[player])

    def given(self) -> tuple[dict[str, str], dict[str, str]]:
        """The opened nonces, and the hashes of those that were not."""
        withheld = {name: each for name, each in self.hashes.items() if name not in self.opened}
        return dict(self.opened), withheld

    def reveal(
        self,
        *,
        secret: bytes | None = None,
        nonces: dict[str, str] | None = None,
        withheld: dict[str, str] | None = None,
        number: Pocket | None = None,
        zeros: list[Pocket] | None = None,
    ) -> Pocket:
        """The ball falls; arguments that are not given have their honest values."""
        spin, secret = self.bound["spin"], secret or self.chain.secret(self.place)
        opened, unopened = self.given()
        nonces = opened if nonces is None else nonces
        withheld = unopened if withheld is None else withheld
        fallen = self.fallen(spin, secret, nonces, withheld)
        number = fallen if number is None else number
        wheel = self.zeros if zeros is None else {"zeros": zeros}
        told = {"coup": spin, "spin": spin, "secret": secret.hex(), "nonces": nonces}
        self.event("BallRevealed", **told, withheld=withheld, number=number, **wheel)
        self.spin, self.bound, self.closed = spin, {}, False
        return number

    def fallen(
        self,
        spin: int,
        secret: bytes,
        nonces: dict[str, str],
        withheld: dict[str, str] | None = None,
    ) -> Pocket:
        """The number that comes out."""
        given = (self.table, spin, secret, nonces, withheld)
        return self.wheel.pockets[fair_draw.draw(*given, pockets=len(self.wheel))]

    def after(self, number: Pocket) -> Pocket:
        """Another number than this."""
        return self.wheel.pockets[(self.wheel.index(number) + 1) % len(self.wheel)]

    def settle(self, number: Pocket) -> None:
        """The number is played, and the next secret bound to the next spin."""
        self.event("BallPocketed", number=number, last=False)
        if self.place == self.length:
            self.commit_chain("used_up")
        self.bind()
        self.event("NumberCalled", call=str(number), pocket=number)

    # Parts of an evening ----------------------------------------------------------------------

    def begin(self, *players: str, seed: str = "") -> None:
        """The table is set up and opened, and the player watches from the first event on."""
        self.event("TableSetUp", table=self.table)
        self.notes.clear()
        self.connect()
        self.event("TableOpened", call="Hagan juego")
        self.commit_chain("opened", seed=seed)
        self.bind()
        self.sit(*(players or (ME, OTHER)))

    def until_close(self, *players: str) -> None:
        """Players commit to nonces and the player stakes; betting closes."""
        for player in players or (ME, OTHER):
            self.commit(player)
        self.stake()
        self.close()

    def until_reveal(self, *players: str) -> None:
        """The same, and all of them open their nonces."""
        self.until_close(*players)
        for player in players or (ME, OTHER):
            self.open(player)

    def coup(self, *players: str) -> None:
        """An honest spin."""
        self.until_reveal(*players)
        self.settle(self.reveal())

    def ground(self, wanted: Pocket, of: str, make: Callable[[str], Pocket]) -> str:
        """Tries texts until one of them gives the number, as a cheating house would."""
        tries = (f"{of} {n}" for n in range(100_000))
        return next(text for text in tries if make(text) == wanted)

    def as_data(self, name: str, about: str, found: list[str], *, proof: bool, told: bool) -> Data:
        """The vector."""
        notes = {"table": self.table, "player": self.player, "notes": self.notes}
        return {
            "name": name,
            "about": about,
            "table": self.table,
            "proof": {"novamas": "proof 1", **notes} if proof else None,
            "events": self.events if told else [],
            "problems": found,
        }


class Vectors:
    """Evenings, each with what a verifier must find in it."""

    def __init__(self) -> None:
        self.evenings: list[tuple[Callable[[Play], None], list[str], Data]] = []

    def __call__(self, *problems: str, **options: Any) -> Callable[[Callable[[Play], None]], Any]:
        """Registers an evening: its problems, how the table is made, and what is shown of it."""

        def noted(play: Callable[[Play], None]) -> Callable[[Play], None]:
            self.evenings.append((play, sorted(problems), options))
            return play

        return noted


def made(vectors: Vectors) -> Iterator[Data]:
    """Every vector, played."""
    for play, problems, options in vectors.evenings:
        shown = {"proof": options.pop("proof", True), "told": options.pop("told", True)}
        evening = Play(**options)
        play(evening)
        about = " ".join((play.__doc__ or "").split())
        yield evening.as_data(play.__name__, about, problems, **shown)


def first_byte(table: str, spin: int, secret: bytes) -> int:
    """The first byte that a secret gives where nobody adds a nonce."""
    fields = (fair_draw.DRAW_TAG, table.encode(), str(spin).encode())
    message = b"".join(len(field).to_bytes(4, "big") + field for field in fields)
    return hmac.digest(secret, message + bytes(4), "sha256")[0]


def seed_with(play: Play, is_wanted: Callable[[int], bool]) -> str:
    """A seed of a chain of one secret, whose first byte at the first spin is wanted."""
    tries = (f"thrown {n}" for n in range(10_000))
    return next(each for each in tries if is_wanted(first_byte(play.table, 1, fixed(each))))
