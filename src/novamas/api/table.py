"""A table that a program plays at: the real table, staffed and dealt by the automatic croupier."""

from __future__ import annotations

import contextlib
import itertools
import random
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from typing import TYPE_CHECKING, TypeAlias

from novamas.api.arguments import (
    Bets,
    House,
    LimitsLike,
    bets_of,
    book_of,
    limits_of,
    pocket_of,
    winning_of,
)
from novamas.api.coup import Coup, SentBack, net_of
from novamas.api.records import Record
from novamas.api.solo import View, held_of
from novamas.api.strategies import Follower, Staking, Strategy
from novamas.drawing.piles import Pile
from novamas.drawing.svg import ClothPicture
from novamas.game.arguments import items, one_of, shown, whole
from novamas.game.errors import UsageError, has_type
from novamas.game.lines import Line
from novamas.game.notation import Bet, format_bets, player_name
from novamas.game.rulebook.model import Rulebook
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import Pocket, Wheel
from novamas.odds.data_frames import Framed
from novamas.odds.data_frames import Table as Columns
from novamas.table import commands, events
from novamas.table.croupier import Croupier, TableRefusedError, placed
from novamas.table.events import Event
from novamas.table.refusals import Refusal
from novamas.table.state import Setup, State

Laid: TypeAlias = Bets | Mapping[str, Bets | Strategy] | None
"""Bets that every player lays, or the bets or the strategy of each, or nothing."""
Plan: TypeAlias = Laid | Staking | Callable[["Table"], Laid]

COLOURS = 10
"""How many colours of chips a table has at least."""

if TYPE_CHECKING:
    from novamas.odds.charts import Chart


class Table(Framed):
    """A table of a house, with its players.

    Every command goes through the rules of the table, which refuses what the house does not allow.
    `players` are names with what each buys in chips. With a `seed` the same numbers come out every
    time; without one they are drawn at random. `chip` is what a chip is worth. `winning` says
    whether winning stakes go to the `hand` or stay on the `cloth` and play on.

    >>> import novamas as nv
    >>> table = nv.Table("it", players={"anna": 1_000}, seed=7)
    >>> table.stake("anna", "17:5 tiers:6")
    >>> table.spin()
    <Coup it 20: anna -11>
    >>> table
    <Table it: coup 2, anna 989>
    """

    def __init__(
        self,
        house: House,
        players: Mapping[str, int] | None = None,
        *,
        seed: int | None = None,
        chip: int = 1,
        limits: LimitsLike = None,
        winning: str = "hand",
    ) -> None:
        book = book_of(house)
        players = {} if players is None else players
        if not has_type(players, Mapping):
            raise UsageError(
                f"players: expected a dict such as {{'ana': 1000}}, not {shown(players)}"
            )
        setup = Setup(
            limits=limits_of(limits),
            winning=winning_of(winning),
            chip=whole(chip, argument="chip"),
            colours=max(COLOURS, len(players)),
        )
        if seed is not None and type(seed) is not int:
            raise UsageError(
                f"seed: expected a whole number, or None for chance, not {shown(seed)}"
            )
        self._draw = _draw_from(book.wheel.pockets, seed)
        self._events: list[Event] = []
        self._coups: list[Coup] = []
        self._ids = (f"b{number}" for number in itertools.count(1))
        self._croupier = Croupier(State.fresh(book, setup), watch=self._note)
        self._sent_back: list[SentBack] = []
        self._croupier.open()
        for player, amount in players.items():
            self.sit(player, amount)

    # What there is to see ------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The state of the table in the engine."""
        return self._croupier.state

    @property
    def book(self) -> Rulebook:
        """The rulebook of the house."""
        return self.state.book

    @property
    def purses(self) -> dict[str, int]:
        """What each player holds in chips, without what lies on the cloth or in prison."""
        return {name: player.purse for name, player in self.state.players.items()}

    @property
    def stakes(self) -> tuple[Stake, ...]:
        """What lies on the cloth."""
        return tuple(self.state.stakes.values())

    @property
    def prison(self) -> tuple[Prisoner, ...]:
        """What lies in prison."""
        return tuple(self.state.prison.values())

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that has happened at the table, from its opening on."""
        return tuple(self._events)

    @property
    def coups(self) -> tuple[Coup, ...]:
        """The coups that were played."""
        return tuple(self._coups)

    def record(self) -> Record:
        """Everything that has happened here, to be kept in a file.

        >>> import novamas as nv
        >>> nv.Table("it").record()
        <Record it: 3 events, 0 coups>
        """
        return Record(self.book, self.state.setup, self.events)

    def cloth(self) -> ClothPicture:
        """The cloth as it is now; the dolly is on the last number until something is staked."""
        last = self._coups[-1].pocket if self._coups and not self.state.stakes else None
        piles = tuple(_pile(stake) for stake in self.stakes)
        prison = tuple(_pile(prisoner) for prisoner in self.prison)
        return ClothPicture(self.book, piles, dolly=last, prison=prison)

    def columns(self) -> Columns:
        """The coups as columns: their number, and what each player won or lost in them."""
        names = list(dict.fromkeys(name for coup in self._coups for name in coup.players))
        return Columns(
            {
                "coup": list(range(1, len(self._coups) + 1)),
                "number": [coup.pocket for coup in self._coups],
                **{name: [coup.net.get(name, 0) for coup in self._coups] for name in names},
            }
        )

    @property
    def net(self) -> dict[str, int]:
        """Each player's winnings minus losses in all coups; what is in prison counts as neither."""
        return net_of(self._coups)

    def plot(self, path: str | PathLike[str] | None = None) -> Chart:
        """A bar chart of what each player won or lost, written to a file if a path is given."""
        from novamas.odds import charts

        title = f"{self.book.name}: {len(self.coups)} coups"
        return charts.plotted(charts.chart_of_players(self.net, title), path)

    def __repr__(self) -> str:
        purses = ", ".join(f"{name} {purse}" for name, purse in self.purses.items())
        return f"<Table {self.book.id}: coup {self.state.coup}, {purses or 'nobody seated'}>"

    def _repr_html_(self) -> str:
        purses = Columns({"player": list(self.purses), "purse": list(self.purses.values())})
        return f"<div>{self.cloth().svg()}{purses.html(f'coup {self.state.coup}')}</div>"

    # What players do ------------------------------------------------------------------------------

    def sit(self, player: str, amount: int) -> None:
        """Seats a player, who buys chips."""
        try:
            name = player_name(player)
        except UsageError as problem:
            raise UsageError(f"players: {problem}") from None
        whole(amount, argument=f"players: {name}")
        self._do(commands.Sit(by=name), what=f"players: {name}")
        try:
            self._croupier.sell(name, amount)
        except TableRefusedError as refused:
            self._croupier.do(commands.Leave(by=name))
            raise TableRefusedError(refused.refusal, f"players: {name}: {amount}") from None

    def buy(self, player: str, amount: int) -> None:
        """Sells more chips to a player."""
        name = self._seated(player)
        whole(amount, argument="amount")
        try:
            self._croupier.sell(name, amount)
        except TableRefusedError as refused:
            raise TableRefusedError(refused.refusal, f"amount: {amount}") from None

    def stake(self, player: str, bets: Bets) -> None:
        """Lays a player's bets, in the notation; if one is refused, none of them stays.

        >>> import novamas as nv
        >>> table = nv.Table("it", players={"anna": 100}, seed=7)
        >>> try:
        ...     table.stake("anna", "17:5 red:500")
        ... except nv.TableRefusedError as error:
        ...     print(error)
        anna red:500: exceeds purse: 95 in hand at this table (IT-gioco-5)
        >>> table.purses
        {'anna': 100}
        """
        name = self._seated(player)
        laid: list[str] = []
        for bet in bets_of(self.book, bets):
            id = next(self._ids)
            decision = self._croupier.ask(placed(name, bet, id=id))
            if isinstance(decision, Refusal):
                for before in reversed(laid):
                    self._croupier.do(commands.WithdrawStake(by=name, id=before))
                raise TableRefusedError(decision, f"{name} {format_bets([bet])}")
            laid.append(id)

    def withdraw(self, player: str) -> int:
        """Takes back all that a player has on the cloth; returns the amount."""
        name = self._seated(player)
        before = self.purses[name]
        mine = (stake for stake in self.stakes if stake.player == name)
        for id in dict.fromkeys(stake.announcement or stake.id for stake in mine):
            self._do(commands.WithdrawStake(by=name, id=id), what=f"{name} {id}")
        return self.purses[name] - before

    def choose(self, player: str, choice: str) -> tuple[Line, ...]:
        """Decides about stakes that met zero, where the house gives the choice: `half` or `prison`.

        >>> import novamas as nv
        >>> table = nv.Table("es", players={"ana": 100})
        >>> table.stake("ana", "red:50")
        >>> table.spin(number=0)
        <Coup es 0: ana +0>
        >>> table.choose("ana", "half")
        (<Line b1 ana red:50: returned 25, lost 25 (ES-7.2.a2, ES-7.2.b1, ES-7.2.b2)>,)
        """
        name = self._seated(player)
        known = (each.value for each in commands.Choice)
        wish = commands.Choice(one_of(choice, known, argument="choice"))
        pending = [each.id for each in self.prison if each.player == name and each.pending]
        if not pending:
            raise UsageError(f"player: {name} has nothing to choose about")
        done: list[Event] = []
        for id in pending:
            command = commands.ChooseAfterZero(by=name, id=id, choice=wish)
            done += self._do(command, what=f"{name} {id}")
        return tuple(event.line for event in done if isinstance(event, events.ChoiceMade))

    def leave(self, player: str) -> int:
        """A player leaves the table; returns what they take with them."""
        name = self._seated(player)
        held = self.purses[name]
        self._do(commands.Leave(by=name), what=name)
        return held

    # The coup ---------------------------------------------------------------------------------

    def spin(self, number: Pocket | None = None) -> Coup:
        """Plays a coup: no more bets, the number (drawn unless one is given), the payments.

        >>> import novamas as nv
        >>> table = nv.Table("bg", players={"ivan": 100})
        >>> table.stake("ivan", "17:1")
        >>> table.spin(number=17).net
        {'ivan': 35}
        """
        pocket = (
            self._draw()
            if number is None
            else pocket_of(number, self.book.wheel.pockets, argument="number")
        )
        self._sent_back.clear()
        players = tuple(self.state.players)
        self._croupier.close_betting()
        called = self._croupier.call(pocket)
        (settlement,) = (e.settlement for e in called if isinstance(e, events.NumberCalled))
        self._croupier.settle()
        coup = Coup(self.book, settlement, players, tuple(self._sent_back))
        self._coups.append(coup)
        return coup

    def play(
        self, strategy: Plan, coups: int = 100, *, numbers: Iterable[Pocket] | None = None
    ) -> Iterator[Coup]:
        """Plays coup after coup, and yields each of them as it ends.

        `strategy` is what every player lays in each coup, a dict from player to bets or to an
        `nv.Strategy`, or a function that is called with the table before each coup and returns one
        of these, or None. Play ends early when no player has anything left, or when the `numbers`
        end, where they are given.

        >>> import novamas as nv
        >>> table = nv.Table("ar", players={"ana": 100}, seed=7)
        >>> [coup.net["ana"] for coup in table.play("red:10", coups=3)]
        [-10, 10, 10]
        """
        whole(coups, argument="coups", least=0, most=sys.maxsize)
        drawn: Iterable[Pocket | None] = itertools.repeat(None)
        if numbers is not None:
            drawn = items(numbers, argument="numbers", of="numbers of the wheel")
        return self._play(strategy, itertools.islice(drawn, coups))

    def _play(self, strategy: Plan, numbers: Iterable[Pocket | None]) -> Iterator[Coup]:
        followed: dict[str, Follower] = {}
        for number in numbers:
            if not any(self.purses.values()) and not self.state.stakes and not self.state.prison:
                return
            if isinstance(strategy, Staking):
                laid: Laid = dict.fromkeys(self.state.players, strategy)
            else:
                laid = strategy(self) if callable(strategy) else strategy
            for player, bets in self._by_player(laid).items():
                self._lay(player, bets, followed)
            coup = self.spin(number)
            for player, follower in followed.items():
                if follower.choice is commands.Choice.HALF:
                    self._take_half(player)
                follower.note(coup.pocket, self._wealth(player))
            yield coup

    def _lay(self, player: str, bets: Bets | Strategy, followed: dict[str, Follower]) -> None:
        """Lays a player's bets, or those of their strategy."""
        if not callable(bets):
            self.stake(player, bets)
            return
        name = self._seated(player)
        if name not in followed or followed[name].strategy is not bets:
            limits, chip = self.state.limits, self.state.setup.chip
            start = View(self.book, self._wealth(name), self.purses[name], limits=limits, chip=chip)
            followed[name] = Follower(bets, start)
        held = held_of(each for each in self.prison if each.player == name)
        chosen = followed[name].bets(self.purses[name], held)
        if chosen:
            self.stake(name, chosen)

    def _take_half(self, player: str) -> None:
        """Takes half of what zero holds, where the player may; a half that is too small stays."""
        if any(each.player == player and each.pending for each in self.prison):
            with contextlib.suppress(TableRefusedError):
                self.choose(player, "half")

    def _wealth(self, player: str) -> int:
        """What a player has: in the purse, on the cloth and in prison."""
        lies: tuple[Stake | Prisoner, ...] = (*self.stakes, *self.prison)
        return self.purses[player] + sum(each.amount for each in lies if each.player == player)

    def _by_player(self, laid: Laid) -> Mapping[str, Bets | Strategy]:
        if laid is None:
            return {}
        if isinstance(laid, Mapping):
            return laid
        bets: tuple[Bet, ...] = bets_of(self.book, laid, argument="strategy")
        return dict.fromkeys(self.state.players, bets)

    # Behind the table -------------------------------------------------------------------------

    def _note(self, state: State, event: Event) -> None:
        """Records an event; `state` is the table right before it."""
        self._events.append(event)
        if isinstance(event, events.StakesReturned):
            for id, amount, articles in event.returned:
                stake = state.stakes.get(id) or state.prison[id]
                self._sent_back.append(SentBack(stake, amount, articles))

    def _seated(self, player: str) -> str:
        return one_of(player, self.state.players, argument="player")

    def _do(self, command: commands.Command, *, what: str) -> tuple[Event, ...]:
        decision = self._croupier.ask(command)
        if isinstance(decision, Refusal):
            raise TableRefusedError(decision, what)
        return decision


def _draw_from(wheel: Wheel, seed: int | None) -> Callable[[], Pocket]:
    """Numbers of the wheel: always the same for a seed, otherwise random."""
    if seed is None:
        return lambda: secrets.choice(wheel.pockets)
    # A seed requests repeatable numbers, and nobody plays against them for money.
    chance = random.Random(seed)  # noqa: S311 # nosec B311
    return lambda: wheel.pockets[chance.randrange(len(wheel))]


def _pile(stake: Stake | Prisoner) -> Pile:
    return Pile(stake.spot, stake.amount, stake.player, stake.chip, stake.kind)
