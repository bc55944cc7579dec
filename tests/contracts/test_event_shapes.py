"""Events that are stored keep their shape: one that changes takes a higher version.

`event_shapes.json` has the shape of every stored event by its version, as it was when it was first
written. A shape that differs from it under the same version would be read wrongly by a program of
another day, so it fails here. With a raised version, or a new event:

    NOVAMAS_SHAPES=write .venv/bin/pytest tests/contracts/test_event_shapes.py

adds what is new, and changes nothing that is there.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import os
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeGuard

import msgspec
import pytest

from novamas.game.rulebook.behaviours import ChipKind
from novamas.house.house import House, SelfCheckError
from novamas.house.log import codec
from novamas.house.log.codec import Encoded, UnknownEventError
from novamas.house.log.hash_chain import link
from novamas.house.log.store import Batch, Store, StoreError
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.log.stores.sqlite import MIGRATIONS, SqliteStore
from novamas.house.people import registry
from novamas.house.table.events import EVENTS
from novamas.table.events import StakePlaced
from tests.web.door import run

KEPT = Path(__file__).with_name("event_shapes.json")
WRITE = os.environ.get("NOVAMAS_SHAPES") == "write"


def is_struct_type(kind: type) -> TypeGuard[type[msgspec.Struct]]:
    """Whether a type is a msgspec struct, as what is stored in a shape of its own is."""
    return issubclass(kind, msgspec.Struct)


def shape(kind: Any) -> Any:
    """A type as plain data: two types of one shape store the same."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return shape(inner[0])
    if origin in (typing.Union, types.UnionType):
        return {"one of": sorted((shape(each) for each in inner), key=str)}
    if origin is not None:
        return {origin.__name__: [shape(each) for each in inner if each is not ...]}
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return {"words": sorted(str(each.value) for each in kind)}
    if isinstance(kind, type) and (dataclasses.is_dataclass(kind) or is_struct_type(kind)):
        return fields(kind)
    if isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return {name: shape(each) for name, each in typing.get_type_hints(kind).items()}
    return getattr(kind, "__name__", str(kind))


def fields(kind: type) -> dict[str, Any]:
    """The fields of an event; whether one may be missing is a part of its shape."""
    hints = typing.get_type_hints(kind)
    if is_struct_type(kind):
        return {
            each.name: {"is": shape(hints[each.name]), "optional": not each.required}
            for each in msgspec.structs.fields(kind)
        }
    found = {}
    for each in dataclasses.fields(kind):
        optional = (
            each.default is not dataclasses.MISSING
            or each.default_factory is not dataclasses.MISSING
        )
        found[each.name] = {"is": shape(hints[each.name]), "optional": optional}
    return found


def version_of(name: str) -> int:
    """The version in which an event of the register is written."""
    versions: dict[str, int] = getattr(registry, "VERSIONS", {})
    return versions.get(name, registry.VERSION)


def today() -> dict[str, dict[str, Any]]:
    """Every stored event and its version → its shape."""
    tables = {
        f"{name}/{codec.VERSIONS.get(name, 1)}": fields(codec.STORED.get(name, kind))
        for name, kind in EVENTS.items()
    }
    register = {
        f"{name}/{version_of(name)}": fields(kind) for name, kind in registry.EVENTS.items()
    }
    return {"tables": tables, "register": register}


def wrong(kept: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """What of the shapes has changed under its old version, or is not kept yet."""
    told = []
    for name, now in found.items():
        if name not in kept:
            told.append(f"{name} is new: keep its shape with NOVAMAS_SHAPES=write")
        elif kept[name] != now:
            changed = sorted(k for k in {*kept[name], *now} if kept[name].get(k) != now.get(k))
            told.append(f"{name} has changed ({', '.join(changed)}): raise its version")
    return told


def written(kept: dict[str, dict[str, Any]]) -> str:
    """The shapes as they are kept: a line for each event."""
    logs = [
        f"{json.dumps(log)}: {{\n"
        + ",\n".join(f"{json.dumps(name)}: {json.dumps(shapes[name])}" for name in shapes)
        + "\n}"
        for log, shapes in kept.items()
    ]
    return "{\n" + ",\n".join(logs) + "\n}\n"


@pytest.mark.parametrize("log", ["tables", "register"])
def test_a_changed_shape_has_a_raised_version(log: str) -> None:
    kept = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    found = json.loads(json.dumps(today()))
    if WRITE:
        for each, shapes in found.items():
            kept[each] = dict(sorted({**shapes, **kept.get(each, {})}.items()))
        KEPT.write_text(written(kept), "utf-8")
    assert wrong(kept[log], found[log]) == []


def test_the_fingerprint_sees_every_kind_of_change() -> None:
    @dataclasses.dataclass(frozen=True)
    class Paid:
        name: str
        amount: int
        colours: tuple[str, ...] = ()

    @dataclasses.dataclass(frozen=True)
    class Renamed:
        who: str
        amount: int
        colours: tuple[str, ...] = ()

    @dataclasses.dataclass(frozen=True)
    class Typed:
        name: str
        amount: int | None
        colours: tuple[str, ...] = ()

    @dataclasses.dataclass(frozen=True)
    class More:
        name: str
        amount: int
        colours: tuple[str, ...] = ()
        by: str = ""

    @dataclasses.dataclass(frozen=True)
    class Wanted:
        name: str
        amount: int
        colours: tuple[str, ...]

    @dataclasses.dataclass(frozen=True)
    class Inner:
        name: str
        amount: int
        colours: tuple[int, ...] = ()

    kept = {"Paid/1": fields(Paid)}
    assert wrong(kept, {"Paid/1": fields(Paid)}) == []
    for other in (Renamed, Typed, More, Wanted, Inner):
        assert len(wrong(kept, {"Paid/1": fields(other)})) == 1, other
        assert "NOVAMAS_SHAPES" in wrong(kept, {"Paid/2": fields(other)})[0]


# What is left out ---------------------------------------------------------------------------------


def unsaid(shape: dict[str, Any]) -> Iterator[tuple[str, bool | None]]:
    """The fields of a kept shape that may be left out for being nothing or false."""
    for name, told in shape.items():
        if told["optional"] and told["is"] == "bool":
            yield name, False
        elif told["optional"] and "NoneType" in str(told["is"]):
            yield name, None


def test_what_was_left_out_of_a_stored_event_means_the_same_later() -> None:
    looked_at = 0
    for versioned, kept in json.loads(KEPT.read_text("utf-8"))["tables"].items():
        name = versioned.partition("/")[0]
        defaults = {each.name: each.default for each in dataclasses.fields(EVENTS[name])}
        for field, meant in unsaid(kept):
            looked_at += 1
            assert defaults[field] is meant, f"{versioned}: {field}"
    assert looked_at > 20


def test_a_plain_stake_is_stored_without_what_is_nothing_or_false() -> None:
    said = {"id": "b1", "player": "ana", "on": "17", "amount": 10, "chip": 1, "by": "ana"}
    plain = StakePlaced(**said, chips=ChipKind.COLOUR)  # type: ignore[arg-type]
    late = dataclasses.replace(plain, exception=True, denomination=5)
    stored = {each: msgspec.json.decode(codec.encode(each).payload) for each in (plain, late)}
    assert stored[plain] == {**said, "chips": "colour"}
    assert stored[late] == {**said, "chips": "colour", "exception": True, "denomination": 5}
    for each in stored:
        assert codec.decode(*codec.encode(each), None) == each


# Older programs and newer stores ------------------------------------------------------------------


def test_an_event_of_a_higher_version_is_not_read() -> None:
    for name in EVENTS:
        newest = codec.VERSIONS.get(name, 1)
        with pytest.raises(UnknownEventError, match="newer version of novamas"):
            codec.decode(name, newest + 1, b"{}", None)
    with pytest.raises(UnknownEventError, match="newer version of novamas"):
        codec.decode("CroupierSang", 1, b"{}", None)
    for name in registry.EVENTS:
        record = link(
            registry.LOG, 1, 1, Encoded(name, version_of(name) + 1, b"{}"), None, bytes(32)
        )
        with pytest.raises(UnknownEventError, match="newer version of novamas"):
            registry.decode(record)


def store_with(store: Store, event: Encoded) -> Store:
    record = link("t", 1, 1_700_000_000_000, event, None, bytes(32))
    store.append(Batch("t", 0, (record,), (), ()))
    return store


@run
async def test_a_house_does_not_open_on_events_of_a_newer_program() -> None:
    store = store_with(MemoryStore(), Encoded("TableSetUp", 99, b"{}"))
    house = House(store)
    try:
        with pytest.raises(SelfCheckError, match="newer version of novamas"):
            await house.open()
    finally:
        await house.close()


def test_an_older_program_refuses_a_newer_file(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    store = SqliteStore(path)
    store._connection.pragma("user_version", len(MIGRATIONS) + 1)
    store.close()
    for read_only in (False, True):
        with pytest.raises(StoreError, match="newer version of the house"):
            SqliteStore(path, read_only=read_only)
