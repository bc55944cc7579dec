"""What must hold after every step, worked out from the logs without the house's own code.

The logs are followed record by record as they become durable. What the clients were told, and who
asked for what, is compared with them.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from novamas.house.log.store import Batch, Record
from novamas.house.log.verify_house import verify_log
from novamas.house.people.events import Post
from novamas.house.people.registry import LOG, Kept
from novamas.house.table.loading import load_table
from novamas.house.views.event_view import Audience
from novamas.house.views.table_view import of_table
from novamas.web.permissions import MESSAGES, may
from tests.simulated_house.books import Books

if TYPE_CHECKING:
    from tests.simulated_house.server import Server
    from tests.simulated_house.store import Medium

IN_TIME = 1.0
"""Seconds before a reveal at which a nonce has certainly come in time."""
APART = 60_000
"""Milliseconds that two clocks may differ before a house refuses to start by one of them."""


class BrokenError(Exception):
    """Something that must never happen, by its kind, and what it was."""

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        super().__init__(f"{kind}: {text}")


class Sent(NamedTuple):
    """A command as somebody sent it."""

    table: str
    id: str
    who: str
    post: Post
    do: str
    fields: dict[str, Any]


class _Followed:
    """One table's log, as far as it goes."""

    def __init__(self) -> None:
        self.is_closed = False
        self.commands: dict[str, tuple[int, int]] = {}
        """Id → its first and last event."""


class Checks:
    """Everything that is checked, and what was found."""

    at_each_step = True
    """Whether the books have to agree after each commit; at the end they always have to."""

    def __init__(self, medium: Medium) -> None:
        self._medium = medium
        medium.on_append = self.appended
        self.has_screen: Callable[[str, str, str], bool] = lambda *_: False
        """Whether somebody has long been connected to a table at a server: server, table, who."""
        self.found: list[BrokenError] = []
        self.counts: Counter[str] = Counter()
        self._begin()
        self._sent: dict[tuple[str, str], list[Sent]] = defaultdict(list)
        self._answered: list[tuple[Sent, dict[str, Any]]] = []
        self._at_desk: list[tuple[str, int]] = []
        self._opened: dict[tuple[str, str, str], float] = {}
        """Table, player and nonce → when it came to the house."""
        self._revealed: dict[tuple[str, int], float] = {}
        """Table and spin → when its secret was revealed."""
        self._secrets: set[str] = set()
        self._owed: dict[str, bool] = {}
        """Whether a table was closed when it was read anew: its ball may have fallen already."""

    def _begin(self) -> None:
        self._tables: dict[str, _Followed] = defaultdict(_Followed)
        self._books = Books()
        self._desk: dict[str, int] = {}
        """What the cash desk has done, by its ids; what it paid out is below zero."""

    def wrong(self, kind: str, text: str) -> None:
        """Notes what must never happen."""
        self.found.append(BrokenError(kind, text))

    def read_anew(self) -> None:
        """Takes what stands in the logs now for the truth; what was told of more is forgotten."""
        self._begin()
        for log in self._medium.tables():
            for record in self._medium.read(log):
                self._follow(record, by="")
            [*self._books.enter(log, (entry.transfer for entry in self._medium.entries(log)))]
        self._owed = {name: table.is_closed for name, table in self._tables.items()}
        self._answered = [
            (sent, answer)
            for sent, answer in self._answered
            if "ack" in answer and self._stands(sent, answer) is None
        ]
        self._at_desk = [(id, amount) for id, amount in self._at_desk if id in self._desk]

    # What becomes durable -------------------------------------------------------------------

    def appended(self, batches: tuple[Batch, ...], by: str) -> None:
        """Follows what has become durable, and checks that nothing was made or lost by it."""
        for batch in batches:
            for record in batch.records:
                self._follow(record, by)
                self.counts["events"] += 1
            moved = (entry.transfer for entry in batch.entries)
            for problem in self._books.enter(batch.table, moved):
                self.wrong("conservation", problem)
        self.counts["commits"] += 1
        if self.at_each_step:
            self._conserved()

    def _conserved(self) -> None:
        for problem in self._books.differences():
            self.wrong("conservation", problem)

    def _follow(self, record: Record, by: str) -> None:
        if record.table == LOG:
            self._follow_register(record)
            return
        table = self._tables[record.table]
        if record.command is not None:
            first, last = table.commands.get(record.command, (record.seq, record.seq - 1))
            if last != record.seq - 1:
                self.wrong("doubled", f"{record.command} stands twice in {record.table}")
            table.commands[record.command] = (first, record.seq)
            self._permitted(record)
        match record.type:
            case "BettingClosed":
                table.is_closed = True
            case "LosersCollected" | "CoupEnded" | "BallVoided":
                table.is_closed = False
            case "StakePlaced" | "AnnouncementPlaced" if table.is_closed:
                if not msgspec.json.decode(record.payload).get("exception"):
                    self.wrong("late", f"{record.type} {record.seq} of {record.table}, by {by}")
            case "StakePlaced":
                self.counts["stakes"] += 1
            case "PlayerLeft" if by and (record.command or "").startswith("house "):
                who = msgspec.json.decode(record.payload)["player"]
                self.counts["seats freed"] += 1
                if self.has_screen(by, record.table, who):
                    self.wrong("seat", f"{who} was seen off {record.table}, and was there")
            case "BallRevealed" if by:
                self.counts["balls"] += 1
                self._reveal(record)

    def _reveal(self, record: Record) -> None:
        """A secret is revealed once, whatever was restored since."""
        data = msgspec.json.decode(record.payload)
        self._revealed[record.table, data["spin"]] = self._medium.loop.time()
        # A coup that was closed in the backup is played to its end, and nobody stakes on it.
        is_owed = self._owed.pop(record.table, False)
        if data["secret"] in self._secrets and not is_owed:
            self.wrong("ball", f"the secret of spin {data['spin']} was revealed before")
        self._secrets.add(data["secret"])

    def _follow_register(self, record: Record) -> None:
        if record.type in ("CashTaken", "CashPaid"):
            data = msgspec.json.decode(record.payload)
            if data["id"] in self._desk:
                self.wrong("doubled", f"{data['id']} was done twice at the desk")
            sign = 1 if record.type == "CashTaken" else -1
            self._desk[data["id"]] = sign * data["amount"]

    def _permitted(self, record: Record) -> None:
        """Nothing happens but by somebody who asked for it, and may."""
        id = record.command or ""
        if id.startswith(("auto-", "house ")):
            return
        asked = self._sent.get((record.table, id), [])
        if not any(self._may(each, record) for each in asked):
            who = [f"{each.who} ({each.post}): {each.do}" for each in asked]
            self.wrong("rights", f"{record.type} {record.seq} of {record.table} by {who}")
        self.counts["rights"] += 1

    @staticmethod
    def _may(sent: Sent, record: Record) -> bool:
        if not may(MESSAGES, sent.do, sent.post):
            return False
        player = msgspec.json.decode(record.payload).get("player")
        return sent.post is not Post.PLAYER or player in (None, sent.who)

    # What the clients hear ------------------------------------------------------------------

    def sent(self, table: str, who: str, post: Post, text: str) -> None:
        """Somebody sends something to a table."""
        try:
            request = json.loads(text)
            sent = Sent(table, request["id"], who, post, request["do"], request.get("with", {}))
        except (ValueError, TypeError, KeyError, RecursionError):
            return  # Nobody understands it.
        if sent not in self._sent[table, sent.id]:
            self._sent[table, sent.id].append(sent)

    def arrived(self, table: str, who: str, text: str) -> None:
        """Something came to the house."""
        if "OpenNonce" in text:
            nonce = json.loads(text)["with"]["nonce"]
            self._opened.setdefault((table, who, nonce), self._medium.loop.time())

    def was_late(self, table: str, who: str, spin: int, nonce: str) -> bool:
        """Whether a nonce came too late for its ball, or not at all."""
        came = self._opened.get((table, who, nonce), float("inf"))
        return came > self._revealed.get((table, spin), 0.0) - IN_TIME

    def answered(self, sent: Sent, answer: dict[str, Any]) -> None:
        """The house has answered: what it says is so, and stays so."""
        self._answered.append((sent, answer))
        self.counts["acks" if "ack" in answer else "refusals"] += 1
        self._check_answer(sent, answer)

    def _check_answer(self, sent: Sent, answer: dict[str, Any]) -> None:
        if "ack" in answer:
            wrong = self._stands(sent, answer)
            if wrong is not None:
                self.wrong("ack", f"{sent.do} {sent.id} of {sent.who}: {wrong}")
        elif (
            # Of two commands under one id the other may have happened.
            len(self._sent[sent.table, sent.id]) == 1
            and sent.id in self._tables[sent.table].commands
        ):
            self.wrong("ack", f"{sent.id} was refused, and happened")

    def _stands(self, sent: Sent, answer: dict[str, Any]) -> str | None:
        """What is wrong with an answer, if it is not in the log as it was told."""
        first, last = self._tables[sent.table].commands.get(sent.id, (0, 0))
        if last != answer["seq"]:
            return f"acknowledged as {answer['seq']}, the log has {first} to {last}"
        wanted = EFFECTS.get(sent.do)
        if wanted is None:
            return None
        kind, fields = wanted
        for record in self._medium.read(sent.table, after=first - 1, until=last):
            data = msgspec.json.decode(record.payload)
            same = all(data.get(name) == sent.fields[name] for name in fields)
            if record.type == kind and same:
                return None
        return f"acknowledged, but there is no such {kind}"

    def desk_answered(self, id: str, amount: int) -> None:
        """The cash desk says that it is done; what is paid out is below zero."""
        self.counts["acks"] += 1
        self._at_desk.append((id, amount))
        self._check_desk(id, amount)

    def _check_desk(self, id: str, amount: int) -> None:
        if self._desk.get(id) != amount:
            self.wrong("ack", f"{id} was done at the desk: {amount}, and is not in the log")

    def start_refused(self, server: Server, why: str) -> None:
        """A server would not start, though its store never failed it."""
        heads = (self._medium.head(log) for log in self._medium.tables())
        newest = max(
            record.at
            for log, head in zip(self._medium.tables(), heads, strict=True)
            for record in self._medium.read(log, after=head.seq - 1)
        )
        if "clock" in why and newest > server.clock.now() + APART:
            return  # It is wrong indeed.
        self.wrong("start", f"{server.name}: {why}")

    # Now and then ---------------------------------------------------------------------------

    def compare(self, servers: list[Server]) -> None:
        """What the servers have in memory is what comes of their logs."""
        for server in servers:
            if server.local is None or not server.listens:
                continue
            for name, actor in server.local.house.tables.items():
                if actor.failed is None and not actor._settled.locked():
                    self._same_table(server.name, name, actor)
            kept = server.local.registry._kept
            again = Kept()
            again.go_on(self._medium.read(LOG, until=kept.head.seq))
            if again.register != kept.register:
                self.wrong("memory", f"{server.name}: the register is not what its log says")
            self.counts["replays"] += 1

    def _same_table(self, server: str, name: str, actor: Any) -> None:
        head = self._medium.head(name)
        if actor.head != head:
            return  # Another server has it by now; this one will notice.
        again = load_table(self._medium, name)
        told = [
            of_table(house_table, head.seq, player=None, audience=Audience.AUDITOR)
            for house_table in (actor.house_table, again.house_table)
        ]
        found = {account: amount for account, amount in actor.balances.items() if amount}
        if told[0] != told[1] or found != again.balances:
            self.wrong("memory", f"{server}: {name} is not what its log says")
        self.counts["replays"] += 1

    def close(self) -> None:
        """Everything once more, from the first event of every log."""
        self.counts["units"] = self._books.moved
        self._conserved()
        for sent, answer in self._answered:
            self._check_answer(sent, answer)
        for id, amount in self._at_desk:
            self._check_desk(id, amount)
        for log in self._medium.tables():
            for problem in verify_log(self._medium, log).problems:
                self.wrong("log", f"{log}: {problem}")


EFFECTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "Sit": ("PlayerSat", ()),
    "BuyChips": ("ChipsBought", ("player", "amount")),
    "PlaceStake": ("StakePlaced", ("id", "player", "amount")),
    "GiveTip": ("TipGiven", ("amount",)),
    "Leave": ("PlayerLeft", ()),
    "CommitNonce": ("NonceCommitted", ("hash",)),
}
"""What an accepted command brings about, and what of it is as it was asked for."""
