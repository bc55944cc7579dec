"""A table brought to any moment of its day, with something of everything lying on it.

From the first stakes on, ana has a winner (`win`, on 17), a loser (`lose`, on 5) and, where the
house takes it, an announcement that wins (`ann`); luis sits with nothing on the cloth. The number
of the coup is 17, and winners stay on the cloth, so that `win` lies there to the end.
"""

from typing import Any

from novamas.game import staffing
from novamas.game.rulebook.behaviours import Act, Winning, ZeroRule
from novamas.rulebooks import HOUSES, load
from novamas.table import commands
from novamas.table.decide import decide
from novamas.table.events import Event
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import Refusal
from novamas.table.state import Phase, Setup, State
from tests.properties.allowed import photograph
from tests.rules.helpers import Table, coup

MOMENTS = {
    "opening": Phase.OPENING,
    "betting": Phase.BETTING,
    "spinning": Phase.BETTING,
    "choosing": Phase.CHOOSING,
    "closed": Phase.CLOSED,
    "pocketed": Phase.POCKETED,
    "collecting": Phase.COLLECTING,
    "paying": Phase.PAYING,
    "ended": Phase.ENDED,
}
"""The phases, with betting told apart by whether the ball runs."""

PURSE = 10_000
PLAYERS = ("ana", "luis")
CHOOSES = tuple(h for h in HOUSES if load(h).zero.simple is ZeroRule.CHOICE)
"""The houses whose players choose after a zero; nowhere else does a table come to that moment."""


def moments(house: str) -> list[str]:
    """The moments that a table of the house knows."""
    return [each for each in MOMENTS if each != "choosing" or house in CHOOSES]


def staffed(house: str, *, full: bool = False, **setup: Any) -> Table:
    """A table that has not opened: its posts held, by the least or by the most, and two seated."""
    book = load(house)
    given = {"winning": Winning.CLOTH, "limits_kept": book.limits.kept[0], **setup}
    table = Table(State.fresh(book, Setup(**given)))
    double = table.state.setup.double
    most = {post.name: staffing.most(post, double=double) for post in book.posts.values()}
    everybody = [post for post, places in most.items() for _ in range(places)]
    for post in everybody if full else staffing.missing(book, {}, double=double):
        number = len(table.state.posts_of(post)) + 1
        table.act(commands.TakePost(by=f"{post}-{number}", post=post))
    for player in PLAYERS:
        table.act(commands.Sit(by=player))
        seller = table.staff(Act.SELL_CHIPS)
        table.act(commands.BuyChips(by=seller, player=player, amount=PURSE))
    return table


def inspect(table: Table) -> None:
    """Inspects the table, where the house does so before it opens one."""
    if table.state.book.wheel.inspected:
        table.act(commands.InspectTable(by=table.staff(Act.INSPECT_TABLE)))


def at(house: str, moment: str, *, full: bool = False, **setup: Any) -> Table:
    """A table of the house at a moment of its day."""
    table = staffed(house, full=full, **setup)
    if moment != "opening":
        inspect(table)
        table.act(commands.OpenTable(by=MANAGEMENT))
        if moment == "choosing":
            table.stake("ana", "red:100", id="met-zero")
            coup(table, 0)
        _lay(table)
        _bring(table, moment)
    assert table.state.phase is MOMENTS[moment]
    assert table.state.ball_launched == (moment not in ("opening", "betting", "choosing", "ended"))
    return table


def _lay(table: Table) -> None:
    table.stake("ana", "17:20", id="win")
    table.stake("ana", "5:20", id="lose")
    if "orphelins" in table.state.book.announcements.calls:
        ann = commands.Announce(by="ana", id="ann", player="ana", call="orphelins", amount=25)
        table.act(ann)


def _bring(table: Table, moment: str) -> None:
    last_games = table.state.book.closing.last_games
    if moment == "ended" and last_games:
        table.act(commands.AnnounceLastGames(by=table.staff(Act.ANNOUNCE_LAST_GAMES)))
        for _ in range(last_games):
            coup(table, 17)
        return
    steps = {
        "spinning": table.launch,
        "closed": table.close,
        "pocketed": lambda: table.pocket(17, last=moment == "ended"),
        "collecting": table.call,
        "paying": table.collect,
        "ended": table.pay,
    }
    if moment in steps:
        for name, step in steps.items():
            step()
            if name == moment:
                return


def answer(table: Table, command: commands.Command) -> str:
    """`ok`, or the name of the refusal; what deciding must not do is looked after here."""
    before = photograph(table.state)
    decision: tuple[Event, ...] | Refusal = decide(table.state, command)
    assert photograph(table.state) == before
    if isinstance(decision, Refusal):
        assert set(decision.articles) <= table.state.book.articles.keys()
        return decision.why.value
    table.act(command)
    return "ok"
