"""Live views: events as they are sent when they happen, with what follows from them.

At every coup a client needs more than the data of an event: how the table stands after it, what the
player was paid and why, and the row of the history. `note` keeps, before an event is applied, what
the table forgets with it. When the event is durable, `LiveViews` adds these parts to its view, each
only for those who may see it, and only for players who are connected. Nothing of it is stored: a
client that reconnects gets the table as it is, and may ask for the rest over HTTP.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import msgspec

from novamas.game.lines import Line, Settlement, straights_made
from novamas.game.payment import payments
from novamas.game.rulebook.model import Rulebook
from novamas.game.stakes import Prisoner
from novamas.game.wheel import Pocket
from novamas.house.log.store import Record
from novamas.house.table import events as house
from novamas.house.table.state import HouseTable
from novamas.house.table.subscriptions import Bundle, Subscription
from novamas.house.views import event_view, table_view, zero_choices
from novamas.house.views.event_view import Audience
from novamas.house.views.explanations import (
    CoupExplanation,
    Explainer,
    ReducedPayment,
    Returned,
    reduced_payments,
    returned_stakes,
)
from novamas.house.views.history import CoupView, DrawnBall, Sums, drawn_ball
from novamas.house.views.table_view import LyingStake, PrisonChange, StakesChange, TableChange
from novamas.house.views.view import View
from novamas.house.views.zero_choices import ZeroOffer
from novamas.table import events as play
from novamas.table.events import Event
from novamas.table.state import Phase, State

MOST_LINES = 24
"""How many lines of an explanation come with an event; the rest is there on request."""


class EventView(View):
    """An event of a table's log as someone sees it."""

    seq: int
    at: int
    """Milliseconds since 1970."""
    type: str
    """`Hidden` if the event is not for the person who asks."""
    data: dict[str, Any]
    """The fields of the event that the person who asks may see."""
    yours: dict[str, Any] | None = None
    """The private part, for the player whom it concerns."""
    change: TableChange | None = None
    """What it changed at the table. Only in live events, as are the next three."""
    why: CoupExplanation | None = None
    """What the player's stakes got, and why; with `NumberCalled`, and with their `ChoiceMade`."""
    coup: CoupView | None = None
    """The row of the history; with `CoupEnded`, and with the player's own `ChoiceMade`."""
    offers: dict[str, ZeroOffer] | None = None
    """Stake → what the player may choose for it after zero."""
    version: int | None = None
    """For the auditor, who sees the log as it is stored: the version of the stored shape."""
    command: str | None = None
    """For the auditor: the id of the command that led to it."""
    previous: str | None = None
    """For the auditor: the hash of the event before it."""
    hash: str | None = None
    """For the auditor: the hash of the event, which includes the previous one."""


# What the table forgets with an event -------------------------------------------------------------


class Noted(NamedTuple):
    """What a live view needs of an event and of the table right before it."""

    event: Event
    coup: int
    settled: tuple[Line, ...] = ()
    """The lines of the coup when losers are collected; the lines that are paid."""
    pocket: Pocket = 0
    returned: tuple[Returned, ...] = ()
    ball: DrawnBall | None = None
    puts_up_limits: bool = False


def note(house_table: HouseTable, event: Event) -> Noted | None:
    """Keeps what a live view needs of the table right before an event; None if it is nothing.

    It only keeps references, because most tables are followed by few and some by nobody.
    """
    noting = _NOTING.get(type(event))
    return None if noting is None else noting(house_table, event)


def _plainly(at: HouseTable, event: Event) -> Noted:
    return Noted(event, at.state.coup, puts_up_limits=at.state.coming_limits is not None)


def _returned(at: HouseTable, event: play.StakesReturned) -> Noted:
    return Noted(event, at.state.coup, returned=returned_stakes(at.state, event))


def _revealed(at: HouseTable, event: house.BallRevealed) -> Noted:
    return Noted(event, at.state.coup, ball=drawn_ball(at, event))


def _collected(at: HouseTable, event: play.LosersCollected) -> Noted:
    settlement = at.state.settlement
    if settlement is None:
        raise ValueError("the number has not been called")
    return Noted(event, at.state.coup, settlement.lines, settlement.pocket)


def _paid(at: HouseTable, event: play.WinnersPaid) -> Noted:
    paid = islice(at.state.due, event.payments)
    lines = tuple(line for each in paid for line in each.lines)
    pocket = at.state.settlement.pocket if at.state.settlement is not None else 0
    return Noted(event, at.state.coup, lines, pocket)


_NOTING: dict[type[Event], Callable[[HouseTable, Any], Noted]] = {
    play.TableOpened: _plainly,
    play.LimitsChanged: _plainly,
    play.StakesReturned: _returned,
    play.BallVoided: _plainly,
    house.BallRevealed: _revealed,
    play.NumberCalled: _plainly,
    play.LosersCollected: _collected,
    play.WinnersPaid: _paid,
    play.CoupEnded: _plainly,
    play.ChoiceMade: _plainly,
}
"""The events that have more in their live view than their data."""


# A coup, for its players --------------------------------------------------------------------------


@dataclass(slots=True)
class _Coup:
    """A coup that was followed from its beginning."""

    coup: int
    returned: list[Returned] = field(default_factory=list)
    ball: DrawnBall | None = None
    settlement: Settlement | None = None
    choices: dict[str, Line] = field(default_factory=dict)
    """Stake → the line of its owner's choice after zero."""
    _places: dict[str, list[int]] | None = None
    _lines: dict[str, list[Line]] = field(default_factory=dict)
    _back: dict[str, list[Returned]] | None = None
    _reduced: dict[str, list[ReducedPayment]] | None = None
    _explainer: Explainer | None = None

    def call(self, settlement: Settlement) -> None:
        """Takes the settlement; a corrected number is called again."""
        self.settlement = settlement
        self._places = self._back = self._reduced = self._explainer = None
        self._lines = {}

    @property
    def places(self) -> dict[str, list[int]]:
        """Player → the places of their lines in the settlement."""
        if self._places is None:
            self._places = _places(() if self.settlement is None else self.settlement.lines)
        return self._places

    def concerns(self, player: str) -> bool:
        """Whether the player had a stake in it, or one that was returned."""
        lines, back = self._of(player)
        return bool(lines or back)

    def row(self, player: str | None) -> CoupView:
        """The row of the history for a player, or for an onlooker."""
        pocket = None if self.settlement is None else self.settlement.pocket
        own = {player: self._sums(player)} if player is not None and self.concerns(player) else {}
        return CoupView(coup=self.coup, number=pocket, players=own, ball=self.ball)

    def why(self, book: Rulebook, player: str, language: str) -> CoupExplanation | None:
        """What the player's stakes got, and why."""
        if self.settlement is None:
            return None
        if self._explainer is None:
            self._explainer = Explainer(book, self.coup, self.settlement.pocket)
        if self._reduced is None:
            due = payments(book, self.settlement) if book.reduction is not None else ()
            self._reduced = _grouped(reduced_payments(due), lambda each: each.player)
        lines, back = self._of(player)
        return self._explainer.explain(
            returned=back,
            lines=lines,
            choices=self.choices,
            reduced=self._reduced.get(player, ()),
            language=language,
            most=MOST_LINES,
        )

    def _of(self, player: str) -> tuple[Sequence[Line], Sequence[Returned]]:
        if self._back is None:
            self._back = _grouped(self.returned, lambda each: each.stake.player)
        if player not in self._lines and self.settlement is not None:
            settled = self.settlement.lines
            self._lines[player] = [settled[place] for place in self.places.get(player, ())]
        return self._lines.get(player, ()), self._back.get(player, ())

    def _sums(self, player: str) -> Sums:
        lines, back = self._of(player)
        sums = Sums(won=0, returned=sum(each.amount for each in back), lost=0, held=0)
        for line in lines:
            if line.won:
                sums.won += line.won
            if line.lost:
                sums.lost += line.lost
            if line.returned:
                sums.returned += line.returned
            if line.held:
                sums.held += line.held
        for line in lines if self.choices else ():
            choice = self.choices.get(line.stake.id)
            if choice is not None:
                sums.held += choice.held - choice.stake.amount
                sums.returned += choice.returned
                sums.lost += choice.lost
        return sums


def _places(lines: Sequence[Line]) -> dict[str, list[int]]:
    """Player → the places of their lines."""
    found: dict[str, list[int]] = {}
    for place, line in enumerate(lines):
        player = line.stake.player
        if player in found:
            found[player].append(place)
        else:
            found[player] = [place]
    return found


_Each = TypeVar("_Each")


def _grouped(found_in: Iterable[_Each], by: Callable[[_Each], str]) -> dict[str, list[_Each]]:
    found: dict[str, list[_Each]] = {}
    for each in found_in:
        found.setdefault(by(each), []).append(each)
    return found


# What everybody sees ------------------------------------------------------------------------------


def _moved(state: State, noted: Noted) -> TableChange:
    """What collecting or paying changed on the cloth and in prison."""
    winners = isinstance(noted.event, play.WinnersPaid)
    lines = noted.settled
    held: list[str] = []
    gone: list[str] = []
    freed: list[str] = []
    put: list[LyingStake] = []
    # Once over the lines: a large coup has many.
    for line in lines:
        if line.won and not winners:
            continue
        stake = line.stake
        if line.held:
            held.append(stake.id)
        if isinstance(stake, Prisoner):
            if not line.held:
                freed.append(stake.id)
        elif line.stays:
            put.append(table_view.of_stake(stake, line.stays))
        else:
            gone.append(stake.id)
    made = straights_made(noted.pocket, lines) if winners else ()
    put.extend(table_view.of_stake(stake, stake.amount) for stake in made)
    return TableChange(
        stakes=StakesChange(put=tuple(put), gone=tuple(gone)) if put or gone else None,
        prison=_prison(state, held, freed),
    )


def _prison(state: State, changed: Iterable[str], gone: Iterable[str] = ()) -> PrisonChange | None:
    held = [state.prison[id] for id in changed if id in state.prison]
    put = tuple(table_view.in_prison(state, each, None) for each in held)
    freed = tuple(gone)
    return PrisonChange(put=put, gone=freed) if put or freed else None


def _reopened(state: State, noted: Noted, prison: PrisonChange | None = None) -> TableChange:
    """The table after betting opened again."""
    limits = apart = None
    if noted.puts_up_limits and state.coming_limits is None:
        limits = state.limits.as_data()
        apart = table_view.limits_apart(state.limits, state.book)
    return TableChange(
        phase=state.phase,
        prison=prison,
        replays=table_view.replays(state),
        limits=limits,
        limits_apart=apart,
    )


# For those who follow -----------------------------------------------------------------------------


class LiveViews:
    """The live views of one table, event by event."""

    def __init__(self, house_table: HouseTable) -> None:
        self._house_table = house_table
        state = house_table.state
        # Of a coup that began before this server took the table up, some may be missing.
        is_new = state.phase is Phase.OPENING
        self._coup = _Coup(state.coup) if is_new else None
        self._last: _Coup | None = None
        """The coup before: a choice after its zero still changes it."""

    def take(
        self, records: Sequence[Record], notes: Sequence[Noted | None], players: Collection[str]
    ) -> Published:
        """Takes durable events, each with its note; `players` are those who are connected."""
        if not any(notes):
            return Published(self._house_table.state, [_Live(each) for each in records], players)
        due = len(self._house_table.state.due)
        live: list[_Live] = []
        # From the last to the first, because the number of payments after each event follows from
        # how many are due now.
        left: list[int] = []
        for noted in reversed(notes):
            left.append(due)
            if noted is not None and isinstance(noted.event, play.WinnersPaid):
                due += noted.event.payments
        for record, noted, after in zip(records, notes, reversed(left), strict=True):
            if noted is None:
                live.append(_Live(record))
                continue
            about = self._follow(noted)
            change = self._change(noted, after) if about is not None else None
            live.append(_Live(record, noted.event, about, change))
        return Published(self._house_table.state, live, players)

    def _follow(self, noted: Noted) -> _Coup | None:
        """The coup that an event belongs to, with the event; None if it was not followed whole."""
        event, coup = noted.event, self._coup
        if isinstance(event, play.ChoiceMade):
            if self._last is not None:
                self._last.choices[event.id] = event.line
            return self._last
        if coup is not None:
            coup.returned.extend(noted.returned)
            coup.ball = noted.ball or coup.ball
            if isinstance(event, play.NumberCalled):
                coup.call(event.settlement)
        if isinstance(event, play.CoupEnded):
            self._last, self._coup = coup, _Coup(event.coup + 1)
        return coup

    def _change(self, noted: Noted, due: int) -> TableChange | None:
        state = self._house_table.state
        match noted.event:
            case play.TableOpened():
                return TableChange(phase=state.phase)
            case play.LimitsChanged(from_next_coup=False):
                return TableChange(
                    limits=state.limits.as_data(),
                    limits_apart=table_view.limits_apart(state.limits, state.book),
                )
            case play.NumberCalled():
                return TableChange(due=due)
            case play.LosersCollected() | play.WinnersPaid():
                return _moved(state, noted)
            case play.CoupEnded():
                return _reopened(state, noted)
            case play.BallVoided():
                pending = [each.id for each in state.prison.values() if each.pending]
                return _reopened(state, noted, _prison(state, pending))
            case play.ChoiceMade(id=id):
                gone = () if id in state.prison else (id,)
                return TableChange(phase=state.phase, prison=_prison(state, (id,), gone))
            case _:
                return None


class _Live(NamedTuple):
    """An event with what follows from it."""

    record: Record
    event: Event | None = None
    about: _Coup | None = None
    change: TableChange | None = None

    @property
    def is_personal(self) -> bool:
        """Whether its view may differ from player to player."""
        tells = isinstance(self.event, play.CoupEnded | play.ChoiceMade | play.BallVoided)
        return tells or event_view.is_personal(self.record.type)


class Published:
    """Events that are published together, as each subscriber gets them.

    Views that are the same for many are encoded once. Those of a player are made when the first of
    their connections gets them.
    """

    def __init__(self, state: State, live: Sequence[_Live], players: Collection[str]) -> None:
        self._state = state
        self._players = players
        self._runs = _runs(live)
        self._is_personal = any(run[0].is_personal for run in self._runs)
        self._shared: dict[Audience, list[Bundle]] = {}
        self._personal: dict[int, dict[str, dict[str, Any]]] = {}
        self._own: dict[tuple[str, str], list[Bundle]] = {}
        self._changes: dict[int, msgspec.Raw] = {}
        self._decoded: dict[int, event_view.Fields] = {}
        self._pending: dict[str, list[Prisoner]] | None = None

    def bundles(self, subscriber: Subscription) -> list[Bundle]:
        """The messages for a subscriber, in order."""
        audience, player = subscriber.audience, subscriber.player
        if audience not in self._shared:
            self._shared[audience] = [
                Bundle([msgspec.json.encode(self._for_all(each, audience)) for each in run])
                for run in self._runs
            ]
        shared = self._shared[audience]
        if not self._is_personal or audience is not Audience.PUBLIC or player is None:
            return shared
        language = subscriber.language
        key = player, language
        if key not in self._own:
            self._own[key] = [
                (run[0].is_personal and self._for_player(run[0], player, language)) or same
                for run, same in zip(self._runs, shared, strict=True)
            ]
        return self._own[key]

    def _for_all(self, live: _Live, audience: Audience) -> dict[str, Any]:
        fields = self._fields(live.record) if audience is Audience.PUBLIC else None
        shown = event_view.parts(live.record, audience, fields)
        if live.change is not None:
            shown |= self._change(live)
        if isinstance(live.event, play.CoupEnded) and live.about and audience is Audience.PUBLIC:
            shown["coup"] = live.about.row(None)
        return shown

    def _fields(self, record: Record) -> event_view.Fields | None:
        """The fields of an event with a private part: decoded once, for everybody and for each."""
        if not event_view.is_personal(record.type):
            return None
        if record.seq not in self._decoded:
            self._decoded[record.seq] = event_view.fields_of(record)
        return self._decoded[record.seq]

    def _for_player(self, live: _Live, player: str, language: str) -> Bundle | None:
        """The message for a player; None if it is the same as for everybody."""
        seq = live.record.seq
        if seq not in self._personal:
            places = None
            if isinstance(live.event, play.NumberCalled):
                settled, about = live.event.settlement, live.about
                # The players' explanations look for the same lines, unless the number was corrected
                # and called again since.
                is_same = about is not None and about.settlement is settled
                places = about.places if about and is_same else _places(settled.lines)
            self._personal[seq] = event_view.personal_parts(
                live.record, self._players, places, self._fields(live.record)
            )
        own = self._personal[seq].get(player)
        more = self._told(live, player, language)
        if own is None and not more:
            return None
        shown = own or self._for_all(live, Audience.PUBLIC)
        return Bundle([msgspec.json.encode({**shown, **self._change(live), **more})])

    def _told(self, live: _Live, player: str, language: str) -> dict[str, Any]:
        """What only this player is told with an event."""
        event, about, state = live.event, live.about, self._state
        more: dict[str, Any] = {}
        match event:
            case play.NumberCalled() if about is not None and about.concerns(player):
                more["why"] = about.why(state.book, player, language)
            case play.CoupEnded():
                if about is not None and about.concerns(player):
                    more["coup"] = about.row(player)
                more["offers"] = self._offers(player)
            case play.BallVoided():
                more["offers"] = self._offers(player)
            case play.ChoiceMade(line=line) if about and line.stake.player == player:
                more["why"] = about.why(state.book, player, language)
                more["coup"] = about.row(player)
            case _:
                pass
        return {name: part for name, part in more.items() if part}

    def _offers(self, player: str) -> dict[str, ZeroOffer]:
        if self._pending is None:
            pending = table_view.pending(self._state)
            self._pending = _grouped(pending, lambda prisoner: prisoner.player)
        return {
            prisoner.id: zero_choices.of_prisoner(self._state, prisoner)
            for prisoner in self._pending.get(player, ())
        }

    def _change(self, live: _Live) -> dict[str, msgspec.Raw]:
        if live.change is None:
            return {}
        seq = live.record.seq
        if seq not in self._changes:
            self._changes[seq] = msgspec.Raw(msgspec.json.encode(live.change))
        return {"change": self._changes[seq]}


def _runs(live: Sequence[_Live]) -> list[list[_Live]]:
    """Divides events: one that may be personal stands alone, so that the others are shared."""
    runs: list[list[_Live]] = []
    joins = False
    for each in live:
        alone = each.is_personal
        if joins and not alone:
            runs[-1].append(each)
        else:
            runs.append([each])
        joins = not alone
    return runs
