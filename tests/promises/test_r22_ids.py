"""R22: an id binds its command: the same again gets the same answer, another one is refused."""

from __future__ import annotations

import dataclasses
from enum import Enum
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from novamas.game.chips import ForeignChips
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.people.events import Post
from novamas.house.table.answers import Answer, Known, digest_of
from novamas.house.table.commands import COMMANDS
from novamas.table import commands
from novamas.table.commands import Command
from tests.promises.figures import record
from tests.web.accounts import open_accounts
from tests.web.door import Role, open_door, run

FOREIGN = ForeignChips(number=2, table="u", opening_minimum=10)


def two_values(hint: Any) -> tuple[Any, Any]:
    """Two different values that a field may have."""
    kinds = [each for each in (get_args(hint) or (hint,)) if each is not type(None)]
    for kind in kinds:
        if kind is bool:
            return False, True
        if kind is int:
            return 10, 20
        if kind is str:
            return "one", "other"
        if kind is ForeignChips:
            return FOREIGN, dataclasses.replace(FOREIGN, number=3)
        if isinstance(kind, type) and issubclass(kind, Enum) and len(kind) > 1:
            one, other, *_ = kind
            return one, other
    if hint is object or str(hint).startswith(("dict", "collections.abc.Mapping")):
        return {"17": {"max": 10}}, {"17": {"max": 20}}
    if str(hint).startswith("tuple"):
        return (1,), (2,)
    raise AssertionError(f"the test knows no two values of {hint}")


@pytest.mark.parametrize("kind", COMMANDS.values(), ids=lambda kind: kind.__name__)
def test_r22_whatever_a_command_asks_is_in_its_digest(kind: type[Command]) -> None:
    hints = get_type_hints(kind)
    names = [each.name for each in dataclasses.fields(kind) if each.name != "by"]
    first = {name: two_values(hints[name])[0] for name in names}
    command = kind(by="ana", **first)
    assert digest_of(kind(by="luis", **first)) == digest_of(command), (
        "who carries it out may change"
    )
    for name in names:
        other = kind(by="ana", **{**first, name: two_values(hints[name])[1]})
        assert digest_of(other) != digest_of(command), f"{name} is not bound"


@pytest.mark.parametrize("restarted", [False, True], ids=["at once", "after a restart"])
@run
async def test_r22_another_command_under_a_used_id_is_refused_and_changes_nothing(
    tmp_path: Path, *, restarted: bool
) -> None:
    path = tmp_path / "house.db"
    stake = {"id": "s", "player": "ana", "on": "red", "amount": 50}
    given: list[tuple[str, str, dict[str, Any]]] = [
        ("sit", "Sit", {}),
        ("buy", "BuyChips", {"player": "ana", "amount": 300}),
        ("much", "BuyChips", {"player": "ana", "amount": 5_000}),
        ("lay", "PlaceStake", stake),
        ("tip", "GiveTip", {"amount": 5}),
    ]
    altered: list[tuple[str, str, dict[str, Any]]] = [
        ("sit", "BuyChips", {"player": "ana", "amount": 300}),
        ("buy", "BuyChips", {"player": "ana", "amount": 310}),
        ("much", "BuyChips", {"player": "ana", "amount": 10}),
        ("lay", "PlaceStake", {**stake, "amount": 60}),
        ("lay", "PlaceStake", {**stake, "on": "black"}),
        ("tip", "Leave", {}),
    ]
    async with open_door(SqliteStore(path), guest_money=1_000) as door:
        await door.set_up("t", "bg")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            first = {id: await socket.give(do, under=id, **more) for id, do, more in given}
            await socket.must("GiveTip", under="last", amount=1)
            assert first["much"]["why"] == "no_money"
            if not restarted:
                await check(door, socket, given, altered, first)
    if restarted:
        async with open_door(SqliteStore(path)) as door:
            ana = door.session(Role.PLAYER, "ana")
            async with door.socket("t", ana) as socket:
                await check(door, socket, given, altered, first)


async def check(door: Any, socket: Any, given: Any, altered: Any, first: Any) -> None:
    """The altered ones are refused, the same ones answered as before; nothing moves."""
    before = door.facts()
    for id, do, more in altered:
        assert (await socket.give(do, under=id, **more))["why"] == "id_reused", (id, do)
    for id, do, more in given:
        assert await socket.give(do, under=id, **more) == first[id]
    assert door.facts() == before
    assert await door.house.audit() == []
    record("R22", "commands under a used id", altered=len(altered), refused=len(altered), moved=0)


@run
async def test_r22_the_cash_desk_binds_its_ids_too() -> None:
    async with open_accounts() as accounts:
        await accounts.known("caj", Post.CASHIER)
        await accounts.known("ana", Post.PLAYER)
        await accounts.known("bea", Post.PLAYER, money=500)
        headers = {"Authorization": f"Bearer {(await accounts.signed('caj', Post.CASHIER)).token}"}

        async def ask(path: str, amount: int) -> tuple[int, Any]:
            body = {"amount": amount, "id": "x"}
            answer = await accounts.http.post(f"/api/desk/{path}", json=body, headers=headers)
            return answer.status_code, answer.json()

        assert await ask("ana/in", 200) == (200, {"name": "ana", "money": 200})
        assert await ask("ana/in", 200) == (200, {"name": "ana", "money": 200})
        for path, amount in (("ana/in", 201), ("bea/in", 200), ("ana/out", 200)):
            status, told = await ask(path, amount)
            assert (status, told["why"]) == (409, "id_reused")
        register = accounts.people.registry.register
        assert (register.has("ana"), register.has("bea")) == (200, 500)


def test_r22_an_id_of_an_older_store_is_still_answered() -> None:
    """Outcomes that were kept before ids were bound carry no digest, and match whatever comes."""
    known = Known("ana", b"", Answer("c", None, 1, 1))
    digest = digest_of(commands.Sit(by="ana"))
    assert known.again("ana", digest, last=5) == known.answer
