"""Events, stakes and lines as plain data and back: the shapes of a record.

The data are those that a house stores: names and values of the event's own fields, spots in the
notation, closed sets by their words. A part of a line that is 0 or empty is left out. This module
needs the standard library alone, so that a record can be read where no house is installed.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from enum import Enum
from functools import cache
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from novamas.game.arguments import shown
from novamas.game.cloth import Spot, spot
from novamas.game.errors import NovamasError
from novamas.game.limits import Limits
from novamas.game.lines import Line, Part, Settlement, Unplayed
from novamas.game.stakes import Prisoner, Stake
from novamas.table import events
from novamas.table.events import Event
from novamas.table.events.event import DEFINED
from novamas.table.state import Setup, State

SUMS: Final = ("won", "returned", "lost", "held", "stays", "aside")
_LINE: Final = (*SUMS, "articles", "parts", "freed", "reduced", "into", "unplayed")


class RecordError(NovamasError, ValueError):
    """A record cannot be read: the message says where, and what is expected there.

    >>> import novamas as nv
    >>> try:
    ...     nv.Record.of({"novamas": "record 2"})
    ... except nv.RecordError as error:
    ...     print(error)
    novamas: expected 'record 1', not 'record 2'
    """


def plain(value: object) -> Any:  # noqa: PLR0911 - a case a shape
    """A value of an event as plain data."""
    match value:
        case Enum():
            return value.value
        case Spot():
            return value.name
        case Limits():
            return value.as_data()
        case Line():
            return line_data(value)
        case tuple() | list():
            return [plain(each) for each in value]
        case frozenset() | set():
            return sorted(plain(each) for each in value)
        case Mapping():
            return {str(plain(key)): plain(each) for key, each in value.items()}
        case _ if dataclasses.is_dataclass(value):
            fields = dataclasses.fields(value)
            return {each.name: plain(getattr(value, each.name)) for each in fields}
        case _:
            return value


def stake_data(stake: Stake | Prisoner) -> dict[str, Any]:
    """A stake or a prisoner as plain data; what has its usual value is left out."""
    data = {"id": stake.id, "player": stake.player, "on": stake.spot.name, "amount": stake.amount}
    for field in dataclasses.fields(stake):
        value = getattr(stake, field.name)
        if field.default is not dataclasses.MISSING and value != field.default:
            data[field.name] = plain(value)
    return data


def line_data(line: Line) -> dict[str, Any]:
    """A line as plain data; parts that are 0 or empty are left out."""
    stake = line.stake
    data = {"id": stake.id, "player": stake.player, "on": stake.spot.name, "amount": stake.amount}
    parts = {name: plain(getattr(line, name)) for name in _LINE}
    for name in ("parts", "unplayed"):
        parts[name] = [plain(each._asdict()) for each in getattr(line, name)]
    return {**data, **{name: value for name, value in parts.items() if value not in (0, None, [])}}


def event_data(event: Event) -> dict[str, Any]:
    """An event as plain data, with its name."""
    name = type(event).__name__
    if isinstance(event, events.NumberCalled):
        lines = [line_data(line) for line in event.settlement.lines]
        return {"type": name, "call": event.call, "pocket": event.settlement.pocket, "lines": lines}
    fields = dataclasses.fields(event)
    return {"type": name, **{each.name: plain(getattr(event, each.name)) for each in fields}}


def setup_data(setup: Setup) -> dict[str, Any]:
    """How a table was set up, as plain data."""
    data: dict[str, Any] = plain(setup)
    return data


# Back -----------------------------------------------------------------------------------------


def event_of(data: object, state: State, *, where: str) -> Event:
    """The event of plain data; `state` is the table right before it, where its stakes lie."""
    given = _table(data, where)
    name = given.pop("type", None)
    kind = DEFINED.get(name) if isinstance(name, str) else None
    if kind is None or not hasattr(events, kind.__name__):
        raise _problem(f"{where}.type", "the name of an event of a table", name)
    if kind is events.NumberCalled:
        listed = given.get("lines")
        if not isinstance(listed, list) or set(given) != {"call", "pocket", "lines"}:
            raise _problem(where, "call, pocket and lines", sorted(given))
        wheel, pocket = state.book.wheel.pockets, given["pocket"]
        if pocket not in wheel:
            raise _problem(f"{where}.pocket", wheel.expected, pocket)
        lines = tuple(
            _line(each, state, f"{where}.lines[{place}]") for place, each in enumerate(listed)
        )
        settled = [line.stake.id for line in lines]
        if len({*settled}) != len(settled):
            raise _problem(f"{where}.lines", "one line for each stake", settled)
        call = _value(str, given["call"], f"{where}.call")
        return events.NumberCalled(call=call, settlement=Settlement(pocket, lines))
    if kind is events.ChoiceMade:
        given["line"] = _line(given.get("line"), state, f"{where}.line")
    made: Event = _made(kind, given, where)
    return made


def setup_of(data: object) -> Setup:
    """A table's setup from plain data."""
    given = _table(data, "setup")
    given["limits"] = Limits.of(_table(given.get("limits", {}), "setup.limits"))
    setup: Setup = _made(Setup, given, "setup")
    return setup


def _line(data: object, state: State, where: str) -> Line:
    given = _table(data, where)
    id = given.get("id")
    stake = state.stakes.get(str(id)) or state.prison.get(str(id))
    if stake is None:
        raise _problem(f"{where}.id", "a stake or a prisoner of the table", id)
    same = {"player": stake.player, "on": stake.spot.name, "amount": stake.amount}
    for name, value in same.items():
        if given.get(name) != value:
            raise _problem(
                f"{where}.{name}", f"{value!r}, as it lies on the table", given.get(name)
            )
    owner = state.players.get(stake.player)
    if owner is not None and owner.away:
        # The table settles the stakes of those who are away as such.
        stake = dataclasses.replace(stake, away=True)
    parts = {name: value for name, value in given.items() if name in _LINE}
    if len(parts) + 4 != len(given):
        raise _problem(where, "a line", sorted(set(given) - set(_LINE)))
    for name in (*SUMS, "freed", "reduced"):
        parts[name] = _value(int, parts.get(name, 0), f"{where}.{name}")
    parts["articles"] = _value(tuple[str, ...], parts.get("articles", ()), f"{where}.articles")
    parts["into"] = _value(str | None, parts.get("into"), f"{where}.into")
    rows: tuple[tuple[str, type[Any]], ...] = (("parts", Part), ("unplayed", Unplayed))
    for name, kind in rows:
        listed = _value(tuple[Any, ...], parts.get(name, ()), f"{where}.{name}")
        parts[name] = tuple(
            _row(kind, each, f"{where}.{name}[{place}]") for place, each in enumerate(listed)
        )
    return Line(stake, **parts)


def _row(kind: type[Any], data: object, where: str) -> Any:
    """A named tuple from plain data, which has all of its fields."""
    given, hints = _table(data, where), get_type_hints(kind)
    if set(given) != set(hints):
        raise _problem(where, ", ".join(hints), sorted(given))
    return kind(
        **{name: _value(hint, given[name], f"{where}.{name}") for name, hint in hints.items()}
    )


@cache
def _hints(kind: type) -> dict[str, Any]:
    return {
        name: hint
        for name, hint in get_type_hints(kind).items()
        if name in {each.name for each in dataclasses.fields(kind)}
    }


def _made(kind: Any, given: Mapping[str, Any], where: str) -> Any:
    hints = _hints(kind)
    for name in given:
        if name not in hints:
            raise _problem(where, f"one of {', '.join(hints)}", name)
    values = {name: _value(hints[name], each, f"{where}.{name}") for name, each in given.items()}
    try:
        return kind(**values)
    except TypeError:
        missing = [
            each.name
            for each in dataclasses.fields(kind)
            if each.default is dataclasses.MISSING
            and each.default_factory is dataclasses.MISSING
            and each.name not in given
        ]
        raise _problem(where, f"also {', '.join(missing)}", sorted(given)) from None


def _value(hint: Any, given: Any, where: str) -> Any:  # noqa: C901 - a case a shape
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        if given is None and type(None) in get_args(hint):
            return None
        left = [each for each in get_args(hint) if each is not type(None)]
        for each in left:
            if len(left) == 1 or type(given) is each:
                return _value(each, given, where)
        raise _problem(where, str(hint), given)
    if origin is tuple:
        return _tuple(get_args(hint), given, where)
    if origin is not None and issubclass(origin, Mapping):
        key, kind = get_args(hint)
        return {
            _value(key, name, where): _value(kind, each, f"{where}.{name}")
            for name, each in _table(given, where).items()
        }
    if hint is Any or isinstance(given, hint):
        if hint is int and isinstance(given, bool):
            raise _problem(where, "a whole number", given)
        return given
    if isinstance(hint, type) and issubclass(hint, Enum):
        known = [each.value for each in hint]
        if given not in known:
            raise _problem(where, f"one of {', '.join(known)}", given)
        return hint(given)
    if hint is Spot and isinstance(given, str):
        return spot(given)
    if dataclasses.is_dataclass(hint):
        return _made(hint, _table(given, where), where)
    raise _problem(where, getattr(hint, "__name__", str(hint)), given)


def _tuple(kinds: tuple[Any, ...], given: object, where: str) -> tuple[Any, ...]:
    if not isinstance(given, list | tuple):
        raise _problem(where, "a list", given)
    if kinds[-1] is Ellipsis:
        kinds = (kinds[0],) * len(given)
    if len(kinds) != len(given):
        raise _problem(where, f"a list of {len(kinds)}", given)
    pairs = enumerate(zip(kinds, given, strict=True))
    return tuple(_value(kind, each, f"{where}[{n}]") for n, (kind, each) in pairs)


def _table(given: object, where: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise _problem(where, "an object", given)
    return dict(given)


def _problem(where: str, expected: str, found: object) -> RecordError:
    return RecordError(f"{where}: expected {expected}, not {shown(found)}")
