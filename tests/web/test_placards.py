"""A local house hangs a placard at each of its tables, and a newcomer can play at once."""

from __future__ import annotations

import pytest

from novamas.game.limits import placard
from novamas.rulebooks import HOUSES, load
from novamas.web.server import CHIP, LocalHouse, Options
from tests.web.door import run


@pytest.mark.rule("AR-13", "ES-G.4", "IT-general-15a", "NV-12")
@run
async def test_every_table_of_a_local_house_has_the_placard_of_its_book() -> None:
    local = LocalHouse(Options())
    await local.open()
    try:
        states = {id: actor.house_table.state for id, actor in local.house.tables.items()}
    finally:
        await local.close()
    assert list(states) == list(HOUSES)
    for id, state in states.items():
        assert state.limits == placard(load(id), CHIP)
        # The base value of a chip is the minimum of the table (IT-general-1).
        assert state.setup.chip == CHIP


@pytest.mark.rule("IT-general-1", "IT-general-2", "X-03")
def test_what_a_newcomer_has_fits_the_placard_and_its_chips() -> None:
    money = Options().guest_money
    assert CHIP % 2 == 0
    assert money % CHIP == 0
    for id in HOUSES:
        book = load(id)
        limits = placard(book, CHIP)
        pieces = 1 if book.pieces is None else max(book.pieces.on_numbers, book.pieces.on_chance)
        for terms in book.terms.values():
            most, least = limits.maximum(terms), limits.minimum(terms)
            assert most is not None
            assert most % CHIP == least % CHIP == 0
            # What plays is within the maximum, and there is money for many coups of it.
            assert max(least, pieces * CHIP) <= most <= money // 5
            assert max(least, pieces * CHIP) <= money // 1000
