"""The staff of a table in a test: who holds which post, and the commands of a coup."""

from novamas.game import staffing
from novamas.game.rulebook.behaviours import Act, ChipKind
from novamas.game.wheel import Pocket
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.identity import MANAGEMENT
from novamas.table.state import State


class Staff:
    """Everybody whom a house's book wants at a table."""

    def __init__(self, house: str) -> None:
        self._table = State.fresh(load(house))
        for post in staffing.missing(self._table.book, {}):
            # Named as the automatic croupier names its own, so that it can go on for them.
            number = len(self._table.posts_of(post)) + 1
            self._table.staff[f"auto {post} {number}"] = post

    def who(self, act: Act) -> str:
        """Someone whose post may do it."""
        person = self._table.who_may(act)
        if person is None:
            raise LookupError(f"nobody here may {act}")
        return person

    def opening(self) -> list[Command]:
        """Everybody takes their post, and the table opens."""
        taken = [commands.TakePost(by=who, post=post) for who, post in self._table.staff.items()]
        if self._table.book.wheel.inspected:
            return [
                *taken,
                commands.InspectTable(by=self.who(Act.INSPECT_TABLE)),
                commands.OpenTable(by=MANAGEMENT),
            ]
        return [*taken, commands.OpenTable(by=MANAGEMENT)]

    def seats(self, player: str, amount: int) -> list[Command]:
        """A player sits down and buys chips."""
        seller = self.who(Act.SELL_CHIPS)
        value = ChipKind.VALUE in self._table.book.chips.on_numbers
        bought = commands.BuyChips(by=seller, player=player, amount=amount, value_chips=value)
        return [commands.Sit(by=player), bought]

    def close(self) -> list[Command]:
        """The ball is launched, and no more bets are taken."""
        launch = commands.LaunchBall(by=self.who(Act.LAUNCH_BALL))
        return [launch, commands.CloseBetting(by=self.who(Act.CLOSE_BETTING))]

    def finish(self) -> list[Command]:
        """A ball that lies in its pocket is called; losers are collected, winners paid."""
        return [
            commands.CallNumber(by=self.who(Act.CALL_NUMBER)),
            commands.CollectLosers(by=self.who(Act.COLLECT)),
            commands.PayWinners(by=self.who(Act.PAY)),
        ]

    def coup(self, number: Pocket) -> list[Command]:
        """A coup of a table whose wheel the croupier reads."""
        pocket = commands.PocketBall(by=self.who(Act.POCKET_BALL), number=number)
        return [*self.close(), pocket, *self.finish()]
