"""Fixes taken out again, one at a time: a simulation that does not find them proves nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from unittest import mock

from novamas.house import conservation
from novamas.house.house import House
from novamas.house.log.store import Batch, ConflictError
from novamas.house.people.registry import Registry
from novamas.house.people.transfers import counterparts
from novamas.house.table.actor import TableActor
from novamas.house.table.answers import FOREIGN_ID, Answer, Known
from tests.simulated_house.invariants import Checks
from tests.simulated_house.store import Connection

Mutation = Callable[[], contextlib.AbstractContextManager[Any]]


@contextlib.contextmanager
def two_transactions() -> Iterator[None]:
    """A wallet and a table are written one after the other, in two transactions (M)."""

    async def append_with(self: Registry, batch: Batch, moves: Any) -> None:
        await self._blocking(lambda: self._store.append(batch))
        async with self._writing:
            while True:
                now = self._clock.now()
                own = self.batch(
                    wanted := tuple(counterparts(self._kept.register, batch.table, moves, now)), now
                )
                try:
                    await self._blocking(partial(self._store.append, own))
                except ConflictError:
                    await self._read()
                    continue
                self.count(wanted, own)
                return

    async def audit(_: House) -> list[Any]:
        return []

    # In between the books never agree: what counts is how they stand when all is done.
    with (
        mock.patch.object(Registry, "append_with", append_with),
        mock.patch.object(House, "audit", audit),
        mock.patch.object(conservation, "differences", return_value=()),
        mock.patch.object(Checks, "at_each_step", new=False),
    ):
        yield


def any_command() -> contextlib.AbstractContextManager[Any]:
    """Whatever comes under a used id gets the old answer (D)."""

    def again(self: Known, who: str, digest: bytes, *, last: int) -> Answer:  # noqa: ARG001 - so it was
        if who != self.who:
            return Answer(self.answer.command, FOREIGN_ID, 0, last)
        return self.answer

    return mock.patch.object(Known, "again", again)


def two_moments() -> contextlib.AbstractContextManager[Any]:
    """A log and its balances are read while others write (S)."""
    return mock.patch.object(Connection, "moment", return_value=contextlib.nullcontext())


def early_answers() -> contextlib.AbstractContextManager[Any]:
    """A command is answered before it is durable."""
    commit = TableActor._commit

    async def early(self: TableActor, work: Any, answers: Any) -> None:
        for waiting, answer in answers:
            waiting.answer(answer)
        await commit(self, work, answers)

    return mock.patch.object(TableActor, "_commit", early)


def old_chain() -> contextlib.AbstractContextManager[Any]:
    """A house that was restored goes on with the chain of secrets that it had."""
    make = House._actor

    def found(self: House, loaded: Any) -> TableActor:
        house_table = loaded.house_table
        if loaded.is_taken_up and house_table.chain is not None:
            sealed = self.store.secret(house_table.table, house_table.chain.number)
            chain = self.source.unseal(house_table.table, house_table.chain, sealed)
            loaded = loaded._replace(chain=chain, is_taken_up=False)
        return make(self, loaded)

    return mock.patch.object(House, "_actor", found)


def blind_house() -> contextlib.AbstractContextManager[Any]:
    """A house sees nobody's screen, and frees the seats of people who are there."""
    return mock.patch.object(TableActor, "has_screen", return_value=False)


MUTATIONS: dict[str, tuple[Mutation, frozenset[str]]] = {
    "M": (two_transactions, frozenset(("conservation",))),
    "D": (any_command, frozenset(("ack", "conservation"))),
    "S": (two_moments, frozenset(("start",))),
    "early-answers": (early_answers, frozenset(("ack",))),
    "blind-house": (blind_house, frozenset(("seat",))),
    "old-chain": (old_chain, frozenset(("ball",))),
}
"""Each by its name, with the kinds of violation by which it is found."""
