"""Records: a whole evening at a table as one file that any program can read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from novamas.api.arguments import House, book_of
from novamas.api.coup import Coup, SentBack, net_of
from novamas.api.plain_data import RecordError, event_data, event_of, setup_data, setup_of
from novamas.game.arguments import function, instance, shown
from novamas.game.errors import UsageError, has_type
from novamas.game.rulebook.model import Rulebook
from novamas.odds.data_frames import Framed
from novamas.odds.data_frames import Table as Columns
from novamas.table import events
from novamas.table.events import Event
from novamas.table.evolve import evolve
from novamas.table.state import Setup, State

FORMAT: Final = "record 1"
"""The name and the version of the format. The version rises when a reader must change."""

if TYPE_CHECKING:
    from novamas.odds.charts import Chart


class Happened(NamedTuple):
    """A step of a record: the table right before an event, and the event.

    The table is changed in place by each event, so look at it before the next step.

    >>> import novamas as nv
    >>> table = nv.Table("ar", players={"ana": 10})
    >>> [(step.state.phase.value, type(step.event).__name__) for step in table.record()][-2:]
    [('betting', 'PlayerSat'), ('betting', 'ChipsBought')]
    """

    state: State
    event: Event


@dataclass(frozen=True, repr=False)
class Record(Framed):
    """An evening at a table: its house, its setup and every event in order.

    >>> import novamas as nv
    >>> table = nv.Table("es", players={"ana": 100})
    >>> list(table.play("red:10", numbers=[0, 1]))
    [<Coup es 0: ana +0>, <Coup es 1: ana +10>]
    >>> record = table.record()
    >>> record, nv.Record.of(record.as_data()) == record
    (<Record es: 21 events, 2 coups>, True)
    """

    book: Rulebook
    setup: Setup
    events: tuple[Event, ...]

    @classmethod
    def of(cls, data: object, *, load: Callable[[str], Rulebook] | None = None) -> Record:
        """The record of plain data; `load` finds the rulebook of a house by its id."""
        given: dict[str, Any] = dict(data) if isinstance(data, Mapping) else {}
        if given.get("novamas") != FORMAT:
            raise RecordError(f"novamas: expected {FORMAT!r}, not {given.get('novamas')!r}")
        listed = given.get("events")
        if set(given) != {"novamas", "house", "setup", "events"} or not isinstance(listed, list):
            raise RecordError(f"expected novamas, house, setup and events, not {sorted(given)}")
        finds = book_of if load is None else function(load, argument="load")
        book = instance(finds(given["house"]), Rulebook, argument="load")
        setup = setup_of(given["setup"])
        state = State.fresh(book, setup)
        found: list[Event] = []
        for place, each in enumerate(listed):
            event = event_of(each, state, where=f"events[{place}]")
            try:
                evolve(state, event)
            except (LookupError, ValueError) as problem:
                message = f"events[{place}]: it cannot follow: {problem}"
                raise RecordError(message) from None
            found.append(event)
        return cls(book, setup, tuple(found))

    @property
    def house(self) -> str:
        """The id of the house."""
        return self.book.id

    def __iter__(self) -> Iterator[Happened]:
        state = State.fresh(self.book, self.setup)
        for event in self.events:
            yield Happened(state, event)
            evolve(state, event)

    def __len__(self) -> int:
        return len(self.events)

    @cached_property
    def coups(self) -> tuple[Coup, ...]:
        """The coups, each as it was settled when its number was called.

        >>> import novamas as nv
        >>> table = nv.Table("bg", players={"ivan": 100}, seed=1)
        >>> played = list(table.play("17:1", coups=3))
        >>> [coup.net for coup in table.record().coups] == [coup.net for coup in played]
        True
        """
        found: list[Coup] = []
        back: list[SentBack] = []
        for state, event in self:
            if isinstance(event, events.StakesReturned):
                back += (
                    SentBack(state.stakes.get(id) or state.prison[id], amount, articles)
                    for id, amount, articles in event.returned
                )
            elif isinstance(event, events.NumberCalled):
                players = tuple(state.players)
                found.append(Coup(self.book, event.settlement, players, tuple(back)))
                back = []
        return tuple(found)

    def as_data(self) -> dict[str, Any]:
        """The record as plain data, ready for JSON."""
        return {
            "novamas": FORMAT,
            "house": self.house,
            "setup": setup_data(self.setup),
            "events": [event_data(event) for event in self.events],
        }

    def columns(self) -> Columns:
        """One row for each stake of each coup: what became of it, and by which articles."""
        rows = [(n, coup, line) for n, coup in enumerate(self.coups, 1) for line in coup.lines]
        moved = ("won", "returned", "lost", "held", "stays", "aside")
        return Columns(
            {
                "coup": [number for number, _, _ in rows],
                "number": [str(coup.pocket) for _, coup, _ in rows],
                "player": [line.stake.player for _, _, line in rows],
                "bet": [line.stake.spot.name for _, _, line in rows],
                "amount": [line.stake.amount for _, _, line in rows],
                **{name: [getattr(line, name) for _, _, line in rows] for name in moved},
                "articles": [" ".join(line.articles) for _, _, line in rows],
            }
        )

    @property
    def net(self) -> dict[str, int]:
        """Each player's winnings minus losses in all coups; what is in prison counts as neither."""
        return net_of(self.coups)

    def plot(self, path: str | PathLike[str] | None = None) -> Chart:
        """A bar chart of what each player won or lost, written to a file if a path is given."""
        from novamas.odds import charts

        title = f"{self.book.name}: {len(self.coups)} coups"
        return charts.plotted(charts.chart_of_players(self.net, title), path)

    def __repr__(self) -> str:
        events, played = len(self.events), len(self.coups)
        coups = f"{played} coup{'' if played == 1 else 's'}"
        return f"<Record {self.house}: {events} event{'' if events == 1 else 's'}, {coups}>"

    def _repr_html_(self) -> str:
        return self.columns().html(f"{self.book.name}: {len(self.coups)} coups")


def dump_record(record: Record, path: str | PathLike[str]) -> None:
    """Writes a record to a file, in JSON: one event a line.

    >>> import novamas as nv, tempfile, pathlib
    >>> table = nv.Table("ar", players={"ana": 100}, seed=7)
    >>> path = pathlib.Path(tempfile.mkdtemp(), "evening.json")
    >>> nv.dump_record(table.record(), path)
    >>> nv.load_record(path) == table.record()
    True
    """
    if not has_type(record, Record):
        raise UsageError(f"record: expected a Record, not {shown(record)}")
    place = _file(path)
    data = record.as_data()
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in data.pop("events"))
    head = json.dumps(data, ensure_ascii=False)[:-1]
    try:
        place.write_text(f'{head}, "events": [\n{lines}\n]}}\n', encoding="utf-8")
    except (OSError, ValueError) as problem:
        raise UsageError(f"path: {shown(path)} cannot be written: {problem}") from None


def _file(path: object) -> Path:
    if isinstance(path, str | PathLike):
        return Path(path)
    raise UsageError(f"path: expected the name of a file, not {shown(path)}")


def load_record(path: str | PathLike[str], *, house: House | None = None) -> Record:
    """The record of a file; `house` gives the rulebook of a house that is not installed.

    Every event must be possible after those before it, and every line must name a stake that lies
    on the table. What the lines say is taken as it is recorded.

    >>> import novamas as nv
    >>> nv.load_record("no-such-evening.json")
    Traceback (most recent call last):
    novamas.game.errors.UsageError: path: there is no file 'no-such-evening.json'
    """
    place = _file(path)
    try:
        text = place.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(f"path: there is no file {str(path)!r}") from None
    except (OSError, ValueError) as problem:
        raise UsageError(f"path: {shown(path)} cannot be read: {problem}") from None
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as problem:
        raise RecordError(f"{path}: not JSON: {problem}") from None
    return Record.of(data, load=None if house is None else lambda _: book_of(house))
