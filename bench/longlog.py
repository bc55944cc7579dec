"""Long logs: tables with many coups, written by the engine itself as fast as it can.

Every event is decided, chained and booked as a table's actor does it. Only the waits for sockets
and clocks are left out, and thousands of events share a commit.
"""

import random
from collections.abc import Iterable, Iterator

from novamas.game import staffing
from novamas.game.wheel import Pocket
from novamas.house.ball.decide_draw import bind, commit_chain, draw_ball, needs_commitment
from novamas.house.ball.fair_draw import Chain
from novamas.house.ball.health import Monitor
from novamas.house.ball.seeds import BallSource
from novamas.house.clock import ManualClock
from novamas.house.log.codec import encode
from novamas.house.log.hash_chain import link
from novamas.house.log.store import GENESIS, Batch, Head, Store
from novamas.house.table import snapshot
from novamas.house.table.batch import Loaded, PendingBatch
from novamas.house.table.commands import OpenBank
from novamas.house.table.decide import decide
from novamas.house.table.events import BallMode, ChainReason, TableSetUp
from novamas.house.table.state import HouseTable
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.events import Event
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import Refusal
from novamas.table.state import Setup

SPOTS = ("red", "black", "odd", "low", "17", "0", "8/11", "d2", "c3", "31/36")
COMMIT = 5_000
"""About how many events share a commit."""


class LongTable:
    """A drawn table whose log grows as fast as the engine can play."""

    def __init__(
        self, store: Store, table: str = "1", *, house: str = "bg", players: int = 20
    ) -> None:
        self._store = store
        self._clock = ManualClock()
        self._source = BallSource()
        self._chance = random.Random(17)  # noqa: S311 - any spread of stakes will do
        self._chain: Chain | None = None
        self._commands = 0
        self.numbers: list[Pocket] = []
        """What was drawn, from the first coup on."""
        set_up = _set_up(table, house)
        first = link(table, 1, self._clock.now(), encode(set_up), None, GENESIS)
        store.append(Batch(table, 0, (first,), (), ()))
        self.loaded = Loaded(HouseTable.fresh(set_up), Head(1, first.hash), {})
        self._monitor = Monitor(len(self.loaded.house_table.state.book.wheel.pockets))
        self._work = self._begin()
        self._players = [f"player {number}" for number in range(players)]
        self._open()

    @property
    def house_table(self) -> HouseTable:
        """The table as it stands."""
        return self.loaded.house_table

    def grow(self, events: int, *, stakes: int = 40, remember: bool = True) -> None:
        """Plays whole coups until the log has at least a number of events."""
        while self._work.head.seq < events:
            self._coup(stakes)
            if len(self._work.records) >= COMMIT or self._work.head.seq >= events:
                self.commit(remember=remember)

    def stakes(self, number: int) -> Iterator[commands.PlaceStake]:
        """Stakes of the open coup, by the players in turn."""
        for each in range(number):
            name = self._players[each % len(self._players)]
            id = f"{self.house_table.state.coup}-{each}"
            spot = self._chance.choice(SPOTS)
            yield commands.PlaceStake(by=name, id=id, player=name, on=spot, amount=100)

    def commit(self, *, remember: bool) -> None:
        """Writes what was played to the store, with a snapshot if requested."""
        kept = snapshot.remember(self.house_table) if remember else None
        self._store.append(self._work.batch(earlier=(), snapshot=kept))
        self.loaded = self.loaded._replace(head=self._work.head)
        self._work = self._begin()

    def _begin(self) -> PendingBatch:
        return PendingBatch(self.loaded, self._clock, self._monitor)

    def _open(self) -> None:
        state = self.house_table.state
        for post in staffing.missing(state.book, {}):
            person = f"{post} {len(state.posts_of(post)) + 1}"
            self._give(commands.TakePost(by=person, post=post))
        self._give(OpenBank(by=MANAGEMENT, amount=10**12))
        self._give(commands.OpenTable(by=MANAGEMENT))
        croupier = next(iter(state.staff))
        for name in self._players:
            self._give(commands.Sit(by=name))
            buy = commands.BuyChips(by=croupier, player=name, amount=10**9, value_chips=True)
            self._give(buy)

    def _coup(self, stakes: int) -> None:
        croupier = next(iter(self.house_table.state.staff))
        for stake in self.stakes(stakes):
            self._give(stake)
        self._give(commands.LaunchBall(by=croupier))
        self._give(commands.CloseBetting(by=croupier))
        if self._chain is None:
            raise TypeError("the table has not been opened")
        self._take(draw_ball(self.house_table, self._chain.secret(self.house_table.place)))
        self._bind()
        self.numbers.append(self.house_table.drawn[-1][1])
        self._give(commands.CallNumber(by=croupier))
        self._give(commands.CollectLosers(by=croupier))
        if self.house_table.state.due:
            self._give(commands.PayWinners(by=croupier))

    def _give(self, command: Command) -> None:
        decision = decide(self.house_table, command, balances=self.loaded.balances)
        if isinstance(decision, Refusal):
            raise TypeError(f"{command}: {decision}")
        self._take(decision)
        self._bind()

    def _bind(self) -> None:
        if not needs_commitment(self.house_table):
            return
        table, chain = self.house_table.table, self._chain
        if chain is None or self.house_table.place == chain.length:
            reason = ChainReason.OPENED if chain is None else ChainReason.USED_UP
            self._chain = chain = self._source.chain(table, self._monitor)
            committed = commit_chain(self.house_table, chain, reason)
            self._work.record(committed, None)
            self._work.secrets.append((committed.number, self._source.seal(table, chain)))
        self._work.record(bind(self.house_table, chain), None)

    def _take(self, events: Iterable[Event]) -> None:
        self._commands += 1
        for event in events:
            self._work.record(event, f"c{self._commands}")


def _set_up(table: str, house: str) -> TableSetUp:
    book = load(house)
    usual = Setup.usual(book)
    return TableSetUp(
        table=table,
        rulebook=house,
        book=None,
        ball=BallMode.DRAWN,
        limits={},
        winning=usual.winning.value,
        limits_kept=usual.limits_kept.value,
        chip=100,
        colours=10,
        rotation=10,
        live=True,
    )
