"""History: a table's log coup by coup, and as a script to play elsewhere."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec

from novamas.game.wheel import Pocket
from novamas.house.log.codec import decode
from novamas.house.log.reader import Log, PatientLog
from novamas.house.log.store import Record
from novamas.house.table import events as house
from novamas.house.table import snapshot
from novamas.house.table.state import HouseTable, advance
from novamas.house.views.explanations import Explanations
from novamas.house.views.view import Texts, View
from novamas.table import events as play
from novamas.table.events import Event
from novamas.table.results import CoupTally, Tally

RECENT = 20_000
"""How many events back a history of recent coups begins, if there is a snapshot."""


class Replay:
    """Replays a log event by event, and can continue later."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.seq = 0
        self._house_table: HouseTable | None = None

    def begin_at(self, seq: int, house_table: HouseTable) -> None:
        """Begins with the table right after an event, instead of with the first."""
        self.seq, self._house_table = seq, house_table

    def go_on(self, log: Log) -> Iterator[tuple[Record, Event, HouseTable]]:
        """Yields every further event of the log with the table right before it."""
        for record in log.read(self.table, after=self.seq):
            state = self._house_table.state if self._house_table is not None else None
            event = decode(record.type, record.version, record.payload, state)
            if self._house_table is None:
                if not isinstance(event, house.TableSetUp):
                    raise ValueError(f"the log of {self.table} does not begin with its table")
                self._house_table = HouseTable.fresh(event)
                yield record, event, self._house_table
            else:
                yield record, event, self._house_table
                advance(self._house_table, event)
            self.seq = record.seq


def replayed(log: Log, table: str) -> Iterator[tuple[Record, Event, HouseTable]]:
    """Yields every event of a log with the table right before it."""
    return Replay(table).go_on(log)


class Sums(View):
    """The result of a coup for a player."""

    won: int
    returned: int
    lost: int
    held: int


class DrawnBall(View):
    """The data to check a drawn number."""

    spin: int
    chain: int
    """The number of the chain."""
    place: int
    """Its place in the chain of secrets, from 1."""
    commitment: str
    """The hash of the secret, published before betting opened."""
    secret: str
    """The secret of the spin, as 64 hexadecimal digits."""
    nonces: Texts
    """Player → the nonce that they opened."""
    withheld: Texts
    """Player → the hash whose nonce they did not open."""


def drawn_ball(house_table: HouseTable, event: house.BallRevealed) -> DrawnBall | None:
    """The data to check a number that is revealed; the table is as it was right before."""
    committed = house_table.commitment
    if committed is None:
        return None
    return DrawnBall(
        spin=event.spin,
        chain=committed.chain,
        place=committed.place,
        commitment=committed.commitment,
        secret=event.secret,
        nonces=event.nonces,
        withheld=event.withheld,
    )


class CoupView(View):
    """A coup that was played."""

    coup: int
    number: Pocket | None
    players: dict[str, Sums]
    """Everybody for the staff; for a player, their own."""
    ball: DrawnBall | None
    """The data to check the number, if it was drawn."""

    def for_player(self, player: str | None) -> CoupView:
        """The coup as one player, or an onlooker, sees it."""
        own = {name: sums for name, sums in self.players.items() if name == player}
        return msgspec.structs.replace(self, players=own)


class Coups:
    """The coups of a table: the number, the results, and the data to check a drawn one."""

    def __init__(self, table: str, most: int | None = None) -> None:
        self._replay = Replay(table)
        self._tally = Tally()
        self._after = 0
        """The last coup that was not read completely."""
        self._ball: DrawnBall | None = None
        self._coups: deque[tuple[int, CoupTally, DrawnBall | None]] = deque(maxlen=most)
        self.explanations = Explanations(most)

    def go_on_recent(self, log: PatientLog) -> None:
        """Reads the events since the last call; the first time, only the recent coups.

        A long log is not replayed from its first event: it begins at one of the table's snapshots.
        """
        kept = log.snapshot(self._replay.table, within=RECENT) if self._replay.seq == 0 else None
        if kept is not None:
            with suppress(snapshot.SnapshotError):
                house_table = snapshot.recall(kept[1])
                self._replay.begin_at(kept[0], house_table)
                self._after = house_table.state.coup
        self.go_on(log)

    def go_on(self, log: Log) -> None:
        """Reads the events since the last call."""
        for record, event, house_table in self._replay.go_on(log):
            if house_table.state.coup > self._after:
                self.explanations.note(house_table, record, event)
            if isinstance(event, house.BallRevealed):
                self._ball = drawn_ball(house_table, event) or self._ball
            self._tally.note(house_table.state, event)
            if isinstance(event, play.CoupEnded):
                if event.coup > self._after:
                    self._coups.append((event.coup, self._tally.coups[-1], self._ball))
                # A choice may still change the last coup; the ones before it are final.
                del self._tally.coups[:-1]
                self._ball = None

    def views(self) -> list[CoupView]:
        """The coups, the newest last."""
        return [_coup(number, tally, ball) for number, tally, ball in self._coups]


def coups(log: Log, table: str) -> list[CoupView]:
    """All coups of a table."""
    played = Coups(table)
    played.go_on(log)
    return played.views()


def _coup(number: int, coup: CoupTally, ball: DrawnBall | None) -> CoupView:
    sums = {
        name: Sums(won=each.won, returned=each.returned, lost=each.lost, held=each.held)
        for name, each in coup.players.items()
    }
    return CoupView(coup=number, number=coup.number, players=sums, ball=ball)


# The day as a script ------------------------------------------------------------------------------


def as_script(log: Log, table: str) -> dict[str, Any]:
    """A table's day as a script that gives the same results wherever it is played.

    Tips and wrong payments, which are not play, are left out.
    """
    head: dict[str, Any] | None = None
    script: list[dict[str, Any]] = []
    last_command: str | None = None
    written: dict[str, Any] | None = None
    for record, event, house_table in replayed(log, table):
        if head is None:
            head = _head(house_table)
        if record.command is None or record.command != last_command:
            if written is not None:
                script.append(written)
            last_command, written = record.command, None
        if isinstance(event, play.NumberCorrected):
            _correct_number(script, event.number)
        # One event of a command says what was asked for; the others follow from it.
        if written is None or event.names_command:
            written = event.as_script(house_table.state) or written
    if head is None:
        raise LookupError(f"there is no table {table!r}")
    if written is not None:
        script.append(written)
    return {**head, "script": script}


def _correct_number(script: list[dict[str, Any]], number: Pocket) -> None:
    """Rewrites a corrected number: it is pocketed as it should have been, and not called yet."""
    place = max(n for n, each in enumerate(script) if each["do"] == "pocket")
    script[place]["number"] = number
    script[place:] = [each for each in script[place:] if each["do"] != "call"]


def _head(house_table: HouseTable) -> dict[str, Any]:
    setup = house_table.state.setup
    return {
        "id": f"table {house_table.table}",
        "title": f"the day of table {house_table.table}",
        "rules": [],
        "rulebook": house_table.set_up.rulebook,
        "limits": setup.limits.as_data(),
        "chip": setup.chip,
        "settings": {
            "winning": setup.winning.value,
            "limits": setup.limits_kept.value,
            "colours": setup.colours,
            "rotation": setup.rotation,
            "double": setup.double,
            **({"zone": list(setup.zone.as_data())} if setup.zone.spots else {}),
        },
        "purses": {},
    }
