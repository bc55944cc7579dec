"""Loading the register: from its snapshot, and as of one moment while others write."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from typing import Any

import pytest

from novamas.house.ledger import LedgerError
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.log.stores.postgres import PostgresStore
from novamas.house.log.verify_house import verify_log
from novamas.house.people import events, snapshot
from novamas.house.people import registry as people_registry
from novamas.house.people.events import Post
from novamas.house.people.registry import LOG, Kept
from tests.contracts.servers import LEASE
from tests.web.accounts import open_accounts
from tests.web.door import Role, open_door, run

MONEY = 1_000


@run
async def test_a_register_is_loaded_from_its_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people_registry, "SNAPSHOT_EVERY", 10)
    store = MemoryStore()
    async with open_door(store, guest_money=MONEY) as door:
        for number in range(20):
            door.session(Role.PLAYER, f"player {number}")
        assert store.snapshot(LOG) is not None
        read: list[int] = []

        class Watching(MemoryStore):
            def read(self, table: str, **more: Any) -> Any:
                for record in store.read(table, **more):
                    read.append(record.seq)
                    yield record

            def __getattribute__(self, name: str) -> Any:
                own = name in ("read", "__class__")
                return object.__getattribute__(self, name) if own else getattr(store, name)

        kept = Kept.load(Watching())
        assert kept.register == door.people.registry.register
        assert 0 < len(read) < store.head(LOG).seq / 2
        assert verify_log(store, LOG).problems == []
        # A snapshot that says something else is found; one that cannot be read is left aside.
        store._snapshots[LOG][-1] = (store._snapshots[LOG][-1][0], b"{}")
        assert Kept.load(store).register == kept.register
        kept.register.wallets["player 0"] += 1
        forged = snapshot.remember(kept.register)
        store._snapshots[LOG][-1] = (store._snapshots[LOG][-1][0], forged)
        assert "a snapshot is not the register" in verify_log(store, LOG).problems[0]
        with pytest.raises(LedgerError):
            Kept.load(store)


@run
async def test_a_server_that_starts_under_load_reads_one_moment(database: str) -> None:
    """Log and balances of different moments looked like corruption, and the start was refused."""
    async with open_accounts(database, lease=LEASE) as here:
        await here.known("ana", Post.PLAYER, money=MONEY)
        registry = here.people.registry
        over = asyncio.Event()

        async def work() -> None:
            for number in itertools.count():
                if over.is_set():
                    return
                await registry.do(
                    lambda *_, n=number: [
                        events.CashTaken(id=f"more {n}", name="ana", amount=1, by="caj")
                    ]
                )

        working = asyncio.create_task(work())

        def load() -> Kept:
            with contextlib.closing(PostgresStore(database)) as store:
                return Kept.load(store)

        heads = [(await asyncio.to_thread(load)).head.seq for _ in range(20)]
        over.set()
        await working
        assert heads == sorted(heads)
        assert heads[-1] > heads[0], "it was written meanwhile"
