"""The codec: events as bytes with a stable name and a version, and back.

A stored event is `(type, version, payload)`: the type is the event's own name, never a path of the
code, and an unknown type or version stops whoever reads, for a log that is half understood is not
understood. Payloads are JSON, so that anybody can read a log with the tools at hand.

An event's version rises when its shape changes. A field that an older version lacks has a default,
so older logs are read as they are; a program that does not know the new version refuses the log.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec

from novamas.game.cloth import SpotClass
from novamas.game.errors import NovamasError
from novamas.game.lines import Line, Part, Reason, Settlement, Unplayed
from novamas.game.stakes import Prisoner, Stake
from novamas.house.refusals import Problem
from novamas.house.table.commands import HOUSE_COMMANDS
from novamas.house.table.events import EVENTS
from novamas.table import commands as table_commands
from novamas.table import events as table_events
from novamas.table.commands import Command
from novamas.table.events import Event
from novamas.table.state import State

VERSIONS = {
    "TableSetUp": 3,
    "WrongPaymentMade": 2,
    "StakeMoved": 2,
    "BallLaunched": 2,
    "BallCommitted": 2,
    "BallRevealed": 2,
}
"""The version in which an event is written today, where its first shape has changed."""
UPCASTS: dict[tuple[str, int], dict[str, Any]] = {
    ("BallCommitted", 1): {"chain": 0, "place": 0},
    ("BallRevealed", 1): {"withheld": {}},
}
"""What an event of an older version is given on reading, where its fields alone do not say it.

Version 0.1.0 committed to each spin by itself: its commitments belong to no chain.
"""

KINDS = frozenset(kind.value for kind in SpotClass)
"""The names of the parts that played; the other parts of a stored line name why they did not."""


class UnknownEventError(NovamasError, ValueError):
    """An event that this version of the house does not know."""


def unknown(name: str, version: int, *, newest: int) -> UnknownEventError:
    """Why an event cannot be read, and what to do; `newest` is the version that is known here."""
    if version > newest:
        return UnknownEventError(
            f"{name}/{version} was written by a newer version of novamas: run that one"
        )
    return UnknownEventError(
        f"{name}/{version} was written by a version of novamas that is no longer read"
    )


class Encoded(NamedTuple):
    """An event as it is stored."""

    type: str
    version: int
    payload: bytes


def _subclasses(base: type, module: object) -> dict[str, type]:
    return {
        name: each
        for name, each in vars(module).items()
        if isinstance(each, type) and issubclass(each, base) and each is not base
    }


COMMANDS: dict[str, type[Command]] = {
    **_subclasses(Command, table_commands),
    **{each.__name__: each for each in HOUSE_COMMANDS},
}
"""Every command that a person may give, by its name."""


def encode(event: Event) -> Encoded:
    """An event as bytes."""
    plain: Any = event
    if isinstance(event, table_events.NumberCalled):
        settlement = event.settlement
        plain = {
            "call": event.call,
            "pocket": settlement.pocket,
            "lines": [_line(line) for line in settlement.lines],
        }
    elif isinstance(event, table_events.ChoiceMade):
        plain = {"id": event.id, "choice": event.choice, "line": _line(event.line)}
    name = type(event).__name__
    return Encoded(name, VERSIONS.get(name, 1), msgspec.json.encode(plain))


def decode(type_name: str, version: int, payload: bytes, state: State | None) -> Event:
    """An event from its bytes; `state` is the table right before it, whose stakes lines name."""
    kind = EVENTS.get(type_name)
    newest = VERSIONS.get(type_name, 1)
    if kind is None or not 1 <= version <= newest:
        raise unknown(type_name, version, newest=newest if kind is not None else 0)
    upcast = UPCASTS.get((type_name, version))
    if upcast is not None:
        return msgspec.convert({**upcast, **msgspec.json.decode(payload)}, type=kind, strict=True)
    special = _SPECIAL.get(type_name)
    if special is not None:
        if state is None:
            raise UnknownEventError(f"{type_name} without its table")
        return special(msgspec.json.decode(payload), state)
    return msgspec.json.decode(payload, type=kind, strict=True)


def _line(line: Line) -> list[Any]:
    parts = [[part.kind.value, part.amount, part.won] for part in line.parts]
    parts += [[each.reason.value, each.amount, 0] for each in line.unplayed]
    stake = line.stake
    moved = [line.won, line.returned, line.lost, line.held, line.stays, line.aside]
    # Whose it is, where and how much, so that a log is read without the table beside it.
    known = [stake.id, stake.player, stake.spot.name, stake.amount]
    # Only a line of which a reduction took chips says what became of them.
    reduction = [line.freed, line.reduced, line.into] if line.freed or line.reduced else []
    return [*known, *moved, list(line.articles), parts, *reduction]


def _stake(state: State, id: str) -> Stake | Prisoner:
    found = state.stakes.get(id) or state.prison.get(id)
    if found is None:
        raise UnknownEventError(f"a line names {id!r}, which is not on the table")
    return found


def read_line(data: list[Any], stake: Stake | Prisoner) -> Line:
    """A line of a settlement as it stands in an event, of the stake that it names."""
    _, _, _, _, won, returned, lost, held, stays, aside, articles, parts, *reduction = data
    freed, reduced, into = reduction or (0, 0, None)
    return Line(
        stake,
        won,
        returned,
        lost,
        held,
        stays,
        aside,
        tuple(articles),
        tuple(Part(SpotClass(name), amount, paid) for name, amount, paid in parts if name in KINDS),
        freed,
        reduced,
        into,
        tuple(Unplayed(Reason(name), amount) for name, amount, _ in parts if name not in KINDS),
    )


def _number_called(data: dict[str, Any], state: State) -> Event:
    lines = tuple(read_line(each, _stake(state, each[0])) for each in data["lines"])
    settlement = Settlement(data["pocket"], lines)
    return table_events.NumberCalled(call=data["call"], settlement=settlement)


def _choice_made(data: dict[str, Any], state: State) -> Event:
    return table_events.ChoiceMade(
        id=data["id"],
        choice=table_commands.Choice(data["choice"]),
        line=read_line(data["line"], _stake(state, data["line"][0])),
    )


_SPECIAL: dict[str, Callable[[dict[str, Any], State], Event]] = {
    "NumberCalled": _number_called,
    "ChoiceMade": _choice_made,
}


class BadCommandError(NovamasError, ValueError):
    """A command that does not come to the table, with the field that is wrong."""

    def __init__(self, problem: str, why: Problem = Problem.NOT_UNDERSTOOD) -> None:
        self.why = why
        """What is wrong in a word, which stays the same whatever the sentence says."""
        super().__init__(problem)


def read_command(name: object, fields: dict[str, Any], *, by: str) -> Command:
    """A command from what a client sent; `by` is who sent it, which no client may say himself."""
    kind = COMMANDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise BadCommandError(f"do: no command {name!r}")
    if "by" in fields:
        raise BadCommandError("by: the house knows who you are")
    allowed = kind.__dataclass_fields__
    for field in fields:
        if field not in allowed:
            raise BadCommandError(f"{field}: {name} has no such field")
    try:
        return msgspec.convert({**fields, "by": by}, type=kind, strict=True)
    except msgspec.ValidationError as problem:
        raise BadCommandError(str(problem)) from None
