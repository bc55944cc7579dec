"""F12: no stake moves the ball: with the same entropy, and all stakes exchanged, it falls alike."""

import asyncio
import inspect
import math
from dataclasses import replace
from itertools import cycle

import pytest

from novamas.game.wheel import EUROPEAN, Pocket
from novamas.house.ball import fair_draw
from novamas.house.ball.decide_draw import draw_ball
from novamas.house.ball.fair_draw import SystemEntropy
from novamas.house.table.events import BallRevealed
from novamas.house.table.state import HouseTable
from tests.promises.drawn import DrawnTable, drawn_table
from tests.promises.figures import record

POCKETS = len(EUROPEAN)
TIMES = 100_000
PLAYED = 300

Stakes = list[tuple[str, str, int]]
LAID: list[Stakes] = [
    [("ana", "17", 10), ("luis", "red", 500), ("eva", "8/11", 20)],
    [("eva", "17", 10), ("ana", "red", 500), ("luis", "8/11", 20)],
    [("ana", "black", 500), ("luis", "0", 10), ("eva", "c1", 40)],
    [("ana", "0", 1_000), ("ana", "32", 1_000), ("luis", "15", 1_000)],
    [],
]
"""The same players, with their stakes exchanged in every way: owner, place, amount, number."""


async def seated(table: DrawnTable, nonces: dict[str, str]) -> None:
    for player in ("ana", "luis", "eva"):
        await table.seat(player, 1_000_000, nonce=nonces.get(player))


async def closed_halls() -> list[HouseTable]:
    """A table for each way to lay the stakes, with betting closed."""
    halls = []
    for laid in LAID:
        async with drawn_table() as table:
            await seated(table, {})
            for stake in laid:
                await table.stake(*stake)
            await table.close()
            halls.append(table.actor.house_table)
    return halls


def fallen(house_table: HouseTable, secret: bytes, nonces: dict[str, str]) -> Pocket:
    """The number that a closed table draws from a secret, whatever lies on its cloth."""
    assert house_table.commitment is not None
    bound = fair_draw.committed(house_table.table, house_table.place, secret).hex()
    house_table.commitment = replace(house_table.commitment, commitment=bound)
    spin = house_table.commitment.spin
    house_table.hashes = {
        name: fair_draw.nonce_hash(house_table.table, spin, bound, name, nonce)
        for name, nonce in nonces.items()
    }
    house_table.opened = nonces
    revealed, _ = draw_ball(house_table, secret)
    assert isinstance(revealed, BallRevealed)
    return revealed.number


@pytest.mark.slow
def test_f12_the_same_entropy_draws_the_same_whatever_is_laid() -> None:
    halls = asyncio.run(closed_halls())
    cloths = {str(sorted((s.player, s.spot.name) for s in h.state.stakes.values())) for h in halls}
    assert len(cloths) == len(LAID)
    secret_of = SystemEntropy().secret
    same_with_another_nonce = 0
    pairs = cycle([(one, other) for one in halls for other in halls if one is not other])
    for time in range(TIMES):
        one, other = next(pairs)
        secret, nonces = secret_of(), {"ana": str(time)}
        number = fallen(one, secret, nonces)
        assert fallen(other, secret, nonces) == number
        same_with_another_nonce += fallen(other, secret, {"ana": f"{time}."}) == number
    # A nonce does move it: another one draws the same number once in 37 times, by chance.
    spread = math.sqrt(TIMES * (POCKETS - 1)) / POCKETS
    assert abs(same_with_another_nonce - TIMES / POCKETS) < 6 * spread
    record(
        "F12",
        "balls drawn twice, with all stakes exchanged",
        times=TIMES,
        other_numbers=0,
        same_with_another_nonce=same_with_another_nonce / TIMES,
        by_chance=1 / POCKETS,
    )


class Again:
    """The same secrets again, in the same order."""

    def __init__(self, secrets: list[bytes]) -> None:
        self._secrets = iter(secrets)

    def secret(self) -> bytes:
        return next(self._secrets)


async def played(secrets: list[bytes], nonces: dict[str, str], first: int) -> list[Pocket]:
    """The numbers of a table in play, where each coup is laid in another way."""
    numbers = []
    async with drawn_table(Again(secrets), length=1) as table:
        await seated(table, nonces)
        for coup in range(PLAYED):
            for stake in LAID[(first + coup) % len(LAID)]:
                await table.stake(*stake)
            numbers.append(await table.coup())
    return numbers


@pytest.mark.slow
def test_f12_tables_in_play_draw_the_same_whatever_is_laid() -> None:
    secrets = [SystemEntropy().secret() for _ in range(PLAYED + 10)]
    nonces = {"ana": "17", "eva": "rojo"}
    numbers = asyncio.run(played(secrets, nonces, 0))
    assert len(set(numbers)) > 30
    for first in range(1, len(LAID)):
        assert asyncio.run(played(secrets, nonces, first)) == numbers
    another = asyncio.run(played(secrets, {**nonces, "eva": "negro"}, 0))
    same = sum(one == other for one, other in zip(numbers, another, strict=True))
    assert same < PLAYED / 5
    record(
        "F12",
        "coups of tables in play, each with other stakes",
        coups=PLAYED * len(LAID),
        other_numbers=0,
        same_with_another_nonce=f"{same} of {PLAYED}",
    )


def test_f12_nothing_of_the_stakes_is_asked_for() -> None:
    """What the draw is given: the table's name, the spin, the secret, the nonces, the wheel."""
    asked = ["table", "spin", "secret", "nonces", "withheld", "pockets"]
    assert list(inspect.signature(fair_draw.draw).parameters) == asked
    assert list(inspect.signature(fair_draw.committed).parameters) == ["table", "place", "secret"]
    inputs = ("t", 1, bytes(32), {"ana": "1"})
    drawn = {fair_draw.draw(*inputs, pockets=POCKETS) for _ in range(100)}
    assert drawn == {fair_draw.draw(*inputs, pockets=POCKETS)}
