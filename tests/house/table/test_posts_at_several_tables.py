"""At how many tables of a served house one person may hold a post (N-21)."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from novamas.game.limits import Limits
from novamas.house.house import House
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.refusals import HouseRefusalReason
from novamas.house.table.events import BallMode
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.identity import MANAGEMENT, Automatic
from novamas.table.refusals import Refusal
from novamas.table.state import Phase, Setup
from tests.house.croupier.dealt import run

NO_RACETRACK = """
id = "plain"
extends = "fran"
language = "fr"
title = { en = "Without a racetrack", fr = "Sans hippodrome" }
without = ["announcements.neighbours", "announcements.calls", "announcements.pieces_bound"]
"""


class Tables:
    """Some tables of a house, and people who come to them."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._ids = (f"c{number}" for number in itertools.count(1))

    async def set_up(
        self, table: str, rulebook: str, book: str | None = None, *, live: bool = True
    ) -> None:
        """Sets a table up, with nobody at it."""
        setup = Setup(limits=Limits.of({}), chip=10, live=live)
        await self.house.set_up(table, rulebook, setup, ball=BallMode.WHEEL, book=book)

    async def ask(self, table: str, command: Command) -> Refusal | None:
        """Gives a command; returns why it was refused."""
        return (await self.house.tables[table].submit(next(self._ids), command)).refusal

    async def take(self, table: str, person: str, post: str = "chief") -> Refusal | None:
        """Somebody takes a post."""
        return await self.ask(table, commands.TakePost(by=person, post=post))


@asynccontextmanager
async def tables() -> AsyncIterator[Tables]:
    house = House(MemoryStore())
    await house.open()
    try:
        yield Tables(house)
    finally:
        await house.close()


@pytest.mark.rule("FRAN-55-10.s")
@run
async def test_a_table_with_a_racetrack_has_a_chief_of_its_own() -> None:
    async with tables() as house:
        for table in ("a", "b"):
            await house.set_up(table, "fran")
        assert await house.take("a", "chloé") is None
        refused = await house.take("b", "chloé")
        assert refused is not None
        assert refused.why is HouseRefusalReason.TOO_MANY_TABLES
        assert refused.articles == ("FRAN-55-10.s",)
        assert "1 of the tables" in refused.detail
        # Another spelling is the same person; another person may take it.
        assert await house.take("b", "Chloé") is not None
        assert await house.take("b", "diane") is None


@pytest.mark.rule("FRAN-55-10.g")
@run
async def test_without_a_racetrack_a_chief_has_two_tables_at_most() -> None:
    async with tables() as house:
        for table in ("a", "b", "c"):
            await house.set_up(table, "plain", NO_RACETRACK)
        assert await house.take("a", "chloé") is None
        assert await house.take("b", "chloé") is None
        refused = await house.take("c", "chloé")
        assert refused is not None
        assert refused.why is HouseRefusalReason.TOO_MANY_TABLES
        assert refused.articles == ("FRAN-55-10.g",)
        # The table of somebody who has left it, or that is closed, no longer counts.
        assert await house.ask("a", commands.LeavePost(by="chloé")) is None
        assert await house.take("c", "chloé") is None
        assert await house.take("a", "chloé") is not None
        assert await house.ask("b", commands.CloseTable(by=MANAGEMENT)) is None
        assert house.house.tables["b"].house_table.state.phase is Phase.ENDED
        assert await house.take("a", "chloé") is None


@run
async def test_one_table_with_a_racetrack_is_enough() -> None:
    async with tables() as house:
        await house.set_up("a", "plain", NO_RACETRACK)
        await house.set_up("b", "fran")
        assert await house.take("a", "chloé") is None
        refused = await house.take("b", "chloé")
        assert refused is not None
        assert refused.articles == ("FRAN-55-10.s",)


@run
async def test_a_bound_holds_at_a_table_whose_own_book_has_none() -> None:
    assert load("es").posts["chief"].tables is None
    async with tables() as house:
        await house.set_up("a", "fran")
        await house.set_up("b", "es")
        await house.set_up("c", "es")
        assert await house.take("a", "chloé") is None
        refused = await house.take("b", "chloé")
        assert refused is not None
        assert refused.articles == ("FRAN-55-10.s",)
        # Where no book bounds it one person may hold the post everywhere.
        assert await house.take("b", "diane") is None
        assert await house.take("c", "diane") is None


@run
async def test_other_posts_and_the_automatic_croupier_are_not_counted() -> None:
    async with tables() as house:
        for table in ("a", "b"):
            await house.set_up(table, "fran")
            assert await house.take(table, str(Automatic("chief", 1))) is None
            assert await house.take(table, "emil", "croupier") is None


@run
async def test_tables_that_only_a_script_plays_are_not_counted() -> None:
    async with tables() as house:
        for table in ("a", "b"):
            await house.set_up(table, "fran", live=False)
            assert await house.take(table, "chief 1") is None
        await house.set_up("c", "fran")
        assert await house.take("c", "chief 1") is None
