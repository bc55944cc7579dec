"""R9: the past can be played again.

A long log is grown by the engine and read back from its store: played from the first event to the
last it gives the same purses, the same numbers and the same table, down to the last field.
"""

from pathlib import Path

import pytest

from bench.longlog import LongTable
from novamas.game.wheel import Pocket
from novamas.house.ledger import balances
from novamas.house.log.stores.addresses import open_durable
from novamas.house.log.verify import verify_table
from novamas.house.table import snapshot
from novamas.house.table.events import BallRevealed
from novamas.house.table.loading import load_table
from novamas.house.views.history import replayed
from tests.promises.figures import SOAK, record

FROM_A_FILE = "a log grown by the engine, played again from its file"
FROM_A_DATABASE = "the same from PostgreSQL"


@pytest.mark.slow
def test_r9_a_replay_gives_the_same_purses_and_numbers(tmp_path: Path) -> None:
    events = 1_000_000 if SOAK else 100_000
    play_again(str(tmp_path / "house.db"), events, FROM_A_FILE)


@pytest.mark.slow
def test_r9_a_replay_from_postgresql_gives_the_same_purses_and_numbers(database: str) -> None:
    events = 1_000_000 if SOAK else 40_000
    play_again(database, events, FROM_A_DATABASE)


def play_again(address: str, least: int, shown: str) -> None:
    store = open_durable(address)
    played = LongTable(store)
    played.grow(least)
    store.close()
    again = open_durable(address)

    # From the first event on, with nothing but the log.
    numbers: list[Pocket] = []
    events, house_table = 0, None
    for _, event, table in replayed(again, "1"):
        events, house_table = events + 1, table
        if isinstance(event, BallRevealed):
            numbers.append(event.number)
    assert house_table is not None
    assert events >= least
    assert numbers == played.numbers
    assert house_table.state == played.house_table.state
    assert snapshot.remember(house_table) == snapshot.remember(played.house_table)

    # From the snapshot; and the ledger by itself, transfer by transfer.
    loaded = load_table(again, "1")
    assert loaded.house_table.state == played.house_table.state
    assert loaded.head == played.loaded.head
    moved = balances(entry.transfer for entry in again.entries("1"))
    purses = {player.name: player.purse for player in played.house_table.state.players.values()}
    assert {name: moved[f"purse:{name}"] for name in purses} == purses
    assert sum(moved.values()) == 0

    # With every hash, every transfer and every ball worked out again.
    verdict = verify_table(again, "1")
    assert verdict.problems == []
    assert verdict.drawn == len(numbers)
    again.close()
    record(
        "R9",
        shown,
        events=events,
        coups=len(numbers),
        purses=len(purses),
        purses_that_differ=0,
        numbers_that_differ=0,
    )
