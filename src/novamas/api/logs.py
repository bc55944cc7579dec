"""The log of a table, read from the house's store."""

from __future__ import annotations

from dataclasses import dataclass, replace
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from novamas.api.records import Record
from novamas.game.arguments import one_of, shown
from novamas.game.errors import MissingExtraError, UsageError, has_type
from novamas.game.wheel import Pocket
from novamas.odds.data_frames import Framed
from novamas.odds.data_frames import Table as Columns
from novamas.table.events import Event
from novamas.table.evolve import EVOLVERS

if TYPE_CHECKING:
    from novamas.house.log.store import Store
    from novamas.odds.charts import Chart


class LoggedCoup(NamedTuple):
    """A coup of a log: its place, its number, and each player's winnings minus losses.

    >>> import novamas as nv
    >>> nv.LoggedCoup(coup=1, number=17, net={"ana": 35})
    LoggedCoup(coup=1, number=17, net={'ana': 35})
    """

    coup: int
    number: Pocket | None
    net: dict[str, int]


@dataclass(frozen=True, slots=True, repr=False)
class Log(Framed):
    """The log of one table: every event, and the coups that were played to their end.

    >>> import novamas as nv
    >>> coup = nv.LoggedCoup(coup=1, number=17, net={"ana": 35})
    >>> log = nv.Log("ar", "ar", events=(), coups=(coup,))
    >>> log, log.numbers, log.net
    (<Log of table ar: 0 events, 1 coup>, (17,), {'ana': 35})
    """

    table: str
    house: str
    """The id of the rulebook."""
    events: tuple[Event, ...]
    coups: tuple[LoggedCoup, ...]
    record: Record | None = None
    """The evening by itself: every event of the table, without those of a served house (its ball,
    its float, its disputes). Its coups have lines and articles."""

    @property
    def numbers(self) -> tuple[Pocket, ...]:
        """The numbers that came out; they can be played again with `nv.simulate(spins=…)`."""
        return tuple(coup.number for coup in self.coups if coup.number is not None)

    @property
    def net(self) -> dict[str, int]:
        """Each player's winnings minus losses in all coups."""
        net: dict[str, int] = {}
        for coup in self.coups:
            for player, won in coup.net.items():
                net[player] = net.get(player, 0) + won
        return net

    def columns(self) -> Columns:
        """One row for each coup and player."""
        rows = [(coup, player) for coup in self.coups for player in coup.net]
        return Columns(
            {
                "coup": [coup.coup for coup, _ in rows],
                "number": [coup.number for coup, _ in rows],
                "player": [player for _, player in rows],
                "net": [coup.net[player] for coup, player in rows],
            }
        )

    def plot(self, path: str | PathLike[str] | None = None) -> Chart:
        """A bar chart of what each player won or lost, written to a file if a path is given."""
        from novamas.odds import charts

        title = f"table {self.table}: {len(self.coups)} coups"
        return charts.plotted(charts.chart_of_players(self.net, title), path)

    def __repr__(self) -> str:
        events, coups = len(self.events), len(self.coups)
        counted = f"{events} event{'' if events == 1 else 's'}"
        played = f"{coups} coup{'' if coups == 1 else 's'}"
        return f"<Log of table {self.table}: {counted}, {played}>"

    def _repr_html_(self) -> str:
        return self.columns().html(f"table {self.table} ({self.house})")


def read_log(store: str | PathLike[str], table: str | None = None) -> Log:
    """The log of a table, from the store of a house: a SQLite file or a `postgresql://` address.

    Nothing is changed, and a house may run on the store at the same time. If the store has only one
    table, it need not be named. This needs the extra `house`.

    >>> import novamas as nv
    >>> nv.read_log("no-such-house.db")
    Traceback (most recent call last):
    novamas.game.errors.UsageError: store: there is no file 'no-such-house.db'
    """
    if not has_type(store, str, PathLike):
        raise UsageError(f"store: expected a path or an address, not {shown(store)}")
    address = fspath(store)
    try:
        from novamas.house.leases import is_table
        from novamas.house.log.stores.addresses import is_shared, open_durable
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "novamas":
            raise
        raise MissingExtraError("read_log", missing.name or "msgspec", "house") from None
    if "://" not in address and not is_shared(address) and not _is_file(address):
        raise UsageError(f"store: there is no file {address!r}")
    opened = open_durable(address, read_only=True)
    try:
        known = [name for name in opened.tables() if is_table(name)]
        if table is None and len(known) == 1:
            return _read(opened, known[0])
        return _read(opened, one_of(table, known, argument="table"))
    finally:
        opened.close()


def _is_file(address: str) -> bool:
    try:
        return Path(address).is_file()
    except OSError:  # No file can have such a name.
        return False


def _read(store: Store, table: str) -> Log:
    from novamas.house.views.history import coups, replayed

    house, events, record = "", [], None
    for _, event, house_table in replayed(store, table):
        if record is None:
            state = house_table.state
            house, record = state.book.id, Record(state.book, state.setup, ())
        events.append(event)
    if record is not None:
        record = replace(record, events=tuple(each for each in events if type(each) in EVOLVERS))
    played = (
        LoggedCoup(
            each.coup,
            each.number,
            {name: sums.won - sums.lost for name, sums in each.players.items()},
        )
        for each in coups(store, table)
    )
    return Log(table, house, tuple(events), tuple(played), record)
