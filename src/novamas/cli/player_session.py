"""A player's session at the table: what one player lays, takes back, repeats and chooses.

Everything goes through the table's commands, so the table refuses what the house does not allow.
Nothing is printed here, and the caller chooses the number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from novamas.drawing.piles import Pile
from novamas.game.announcements import call_of
from novamas.game.cloth import Spot
from novamas.game.lines import Settlement
from novamas.game.notation import Announced, Bet, Playable
from novamas.game.rulebook.behaviours import ChipKind, Replay
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import Pocket
from novamas.table import commands, events
from novamas.table.croupier import Croupier, placed
from novamas.table.decide import EventsOrRefusal
from novamas.table.events import Event
from novamas.table.refusals import Refusal
from novamas.table.state import Phase, Player, State


class Lying(NamedTuple):
    """A stake or announcement of the player on the cloth, with the id that the player sees."""

    id: str
    what: Playable
    amount: int


class Laid(NamedTuple):
    """A bet that was given to the table, and the table's answer."""

    id: str
    bet: Bet
    decision: EventsOrRefusal


class Returned(NamedTuple):
    """What the house returned before the number, and by which articles."""

    stake: Stake | Prisoner
    amount: int
    articles: tuple[str, ...]


class PlayerSession:
    """One player's session at a table with an automatic croupier."""

    def __init__(
        self,
        croupier: Croupier,
        player: str,
        draw: Callable[[], Pocket],
        *,
        coups: int | None = None,
    ) -> None:
        self.croupier = croupier
        self.name = player
        self.coups = coups
        """After how many coups the table closes, if there is a limit."""
        self.brought = 0
        self.numbers: list[Pocket] = []
        self.settlement: Settlement | None = None
        self.returned: list[Returned] = []
        self._draw = draw
        self._left: Player | None = None
        """The player's seat, once they have left the table."""
        self._last: list[Bet] = []
        self._steps: list[list[str]] = []
        """What was laid in this coup, step by step, for undoing."""
        self._count = {"b": 0, "a": 0}

    @property
    def state(self) -> State:
        """The table."""
        return self.croupier.state

    @property
    def player(self) -> Player:
        """The player's seat, purse and colour, also once they have left the table."""
        return self._left or self.state.players[self.name]

    @property
    def is_over(self) -> bool:
        """Whether the table has closed, or the requested coups are played."""
        played = self.coups is not None and self.state.coup > self.coups
        return played or self.state.phase is Phase.ENDED

    @property
    def coups_left(self) -> int | None:
        """How many coups remain, if there is a limit."""
        if self.state.games_left is not None:
            return self.state.games_left
        return None if self.coups is None else self.coups - self.state.coup + 1

    def buy(self, amount: int, *, chip: int | None = None) -> tuple[Event, ...]:
        """Buys chips."""
        bought = self.croupier.sell(self.name, amount, chip=chip)
        self.brought += amount
        return bought

    # Stakes ---------------------------------------------------------------------------------------

    def lying(self) -> list[Lying]:
        """What the player has on the cloth: whole announcements, and single stakes."""
        found: list[Lying] = []
        whole = self._whole_announcements()
        for id, stake in self.state.stakes.items():
            if stake.announcement in whole:
                continue
            found.append(Lying(stake.announcement or id, stake.spot, stake.amount))
        return [*found, *whole.values()]

    def _whole_announcements(self) -> dict[str | None, Lying]:
        """The announcements that still have every piece; one that won has only its winners."""
        found: dict[str | None, Lying] = {}
        for id, announcement in self.state.announcements.items():
            pieces = [self.state.stakes.get(piece) for piece in announcement.pieces]
            amount = sum(piece.amount for piece in pieces if piece is not None)
            if None not in pieces and amount == announcement.amount:
                found[id] = Lying(id, Announced(announcement.call), amount)
        return found

    def lay(self, bets: Iterable[Bet]) -> list[Laid]:
        """Lays bets one by one; a refused bet does not affect the others."""
        made = [self._lay(bet) for bet in bets]
        self._steps.append([each.id for each in made if not isinstance(each.decision, Refusal)])
        return made

    def _lay(self, bet: Bet) -> Laid:
        announced = isinstance(bet.what, Announced)
        kind = "a" if announced else "b"
        self._count[kind] += 1
        id = f"{kind}{self._count[kind]}"
        decision = self.croupier.ask(placed(self.name, bet, id=id))
        if isinstance(decision, Refusal):
            self._count[kind] -= 1
        return Laid(id, bet, decision)

    def lay_all(self, bets: Iterable[Bet]) -> list[Laid]:
        """Lays bets all together: if one is refused, none of them stays."""
        made: list[Laid] = []
        for bet in bets:
            made.append(self._lay(bet))
            if isinstance(made[-1].decision, Refusal):
                for each in made[:-1]:
                    self.take(each.id)
                return made[-1:]
        self._steps.append([each.id for each in made])
        return made

    def missing(self) -> list[Bet]:
        """The bets of the last coup that are not on the cloth now."""
        lie: Counter[str] = Counter()
        for each in self.lying():
            lie[each.what.name] += each.amount
        wanted: list[Bet] = []
        for bet in self._last:
            there = min(bet.amount, lie[bet.what.name])
            lie[bet.what.name] -= there
            if bet.amount > there:
                wanted.append(Bet(bet.what, bet.amount - there))
        return wanted

    def bets(self) -> list[Bet]:
        """What lies on the cloth, as bets."""
        return [Bet(each.what, each.amount) for each in self.lying()]

    def take(self, id: str, amount: int | None = None) -> EventsOrRefusal:
        """Takes a stake back, or a part of it."""
        return self.croupier.ask(commands.WithdrawStake(by=self.name, id=id, amount=amount))

    def move(self, id: str, spot: Spot) -> EventsOrRefusal:
        """Moves a stake to another spot."""
        return self.croupier.ask(commands.MoveStake(by=self.name, id=id, on=spot.name))

    def undo(self) -> list[str]:
        """Takes back what was laid last in this coup; returns its ids."""
        while self._steps:
            ids = self._steps.pop()
            taken = [id for id in reversed(ids) if not isinstance(self.take(id), Refusal)]
            if taken:
                return taken
        return []

    def clear(self) -> int:
        """Takes everything back; returns the amount."""
        before = self.player.purse
        for id in dict.fromkeys(each.id for each in self.lying()):
            self.take(id)
        self._steps.clear()
        return self.player.purse - before

    def choose(self, id: str, choice: commands.Choice) -> EventsOrRefusal:
        """Takes half of a stake that met zero, or leaves it in prison."""
        return self.croupier.ask(commands.ChooseAfterZero(by=self.name, id=id, choice=choice))

    def replay(self, id: str, mode: Replay) -> tuple[str, EventsOrRefusal]:
        """Plays again an announcement that has just won, under a new id."""
        new = f"a{self._count['a'] + 1}"
        wish = commands.ReplayAnnouncement(by=self.name, id=id, mode=mode, new_id=new)
        decision = self.croupier.ask(wish)
        if not isinstance(decision, Refusal):
            self._count["a"] += 1
            self._steps.append([new])
        return new, decision

    # The coup -------------------------------------------------------------------------------------

    def close_betting(self) -> tuple[Event, ...]:
        """Launches the ball and closes betting; stakes that are too small come back."""
        self._last = self.bets() or self._last
        self._steps.clear()
        before = dict(self.state.stakes)
        made = self.croupier.close_betting()
        self.returned = _returned(made, before)
        return made

    def call(self) -> tuple[Event, ...]:
        """The number falls and is called; the chips do not move yet."""
        number = self._draw()
        # Where the house counts last games, the last of them is the last coup of the table.
        counted = self.state.book.closing.last_games
        last = not counted and self.coups is not None and self.state.coup >= self.coups
        made = self.croupier.call(number, last=last)
        self.numbers.append(number)
        self.settlement = self.state.settlement
        return made

    def settle(self) -> tuple[Event, ...]:
        """The losers are collected and the winners paid; the last games are announced in time."""
        made = self.croupier.settle()
        counted = self.state.book.closing.last_games
        if counted and self.coups_left == counted and self.state.games_left is None:
            made = (*made, *self.croupier.announce_last_games())
        return made

    def leave(self) -> tuple[Event, ...]:
        """Ends the session: what lies on the cloth comes back, and colours are changed."""
        if self.state.book.closing.last_games and self.state.phase is not Phase.ENDED:
            return self._get_up()
        self.returned = []
        lay: dict[str, Stake | Prisoner] = {**self.state.stakes, **self.state.prison}
        made = self.croupier.close()
        self.returned = _returned(made, lay)
        return made

    def _get_up(self) -> tuple[Event, ...]:
        """Leaves a table that may not close before its last games while a player is seated."""
        lay = tuple(self.state.stakes.values())
        self.returned = [Returned(stake, stake.amount, ()) for stake in lay]
        self.clear()
        seat = self.player
        made = self.croupier.do(commands.Leave(by=self.name))
        self._left = seat
        return (*made, *self.croupier.close())

    @property
    def result(self) -> int:
        """What the player has won or lost, with what lies on the cloth and in prison."""
        held = sum(each.amount for each in self.state.prison.values())
        return self.player.purse + self.state.on_cloth + held - self.brought

    # What a drawing shows -------------------------------------------------------------------------

    def piles(self, *, number: Pocket | None = None) -> list[Pile]:
        """The chips on the cloth as they are drawn.

        Announcements that are held to be placed lie in their own space (IT-sett-1a); once the
        number is out, only what it makes win is placed (IT-sett-1b).
        """
        found: dict[tuple[str, ChipKind], Pile] = {}
        whole = self._whole_announcements()
        for stake in self.state.stakes.values():
            call = call_of(self.state.book, stake.call or "")
            waits = call is not None and call.to_place and stake.announcement in whole
            if waits and number is not None and number not in stake.spot.numbers:
                continue
            place = call if waits and call is not None and number is None else stake.spot
            where = (place.name, stake.kind)
            there = found[where].amount if where in found else 0
            found[where] = Pile(place, there + stake.amount, self.name, stake.chip, stake.kind)
        return list(found.values())

    def prison(self) -> list[Pile]:
        """The stakes in prison as they are drawn."""
        held = self.state.prison.values()
        return [Pile(each.spot, each.amount, self.name, each.chip, each.kind) for each in held]


def _returned(
    made: Iterable[Event], before: Mapping[str, Stake] | Mapping[str, Stake | Prisoner]
) -> list[Returned]:
    return [
        Returned(before[id], amount, articles)
        for event in made
        if isinstance(event, events.StakesReturned)
        for id, amount, articles in event.returned
    ]
