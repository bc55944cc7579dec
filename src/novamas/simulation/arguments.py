"""Reads the arguments of a simulation: each is checked before anything is played.

Every function returns the value in the form that the loops use, or raises `UsageError` with the
name of the argument.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from novamas.game.arguments import listed, shown, whole
from novamas.game.errors import UsageError
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Wheel
from novamas.odds.errors import TooLargeError
from novamas.odds.play import Play
from novamas.simulation.bounds import (
    MOST_COUPS,
    MOST_MONEY,
    MOST_PLAYERS,
    MOST_SEED,
    MOST_SPINS,
)
from novamas.simulation.plan import ABLE
from novamas.simulation.player_arrays import MOST_TURNOVER

MOST_THREADS: Final = 1_024
MARKS: Final = 100
SHOWN: Final = 1_000
"""How many players' paths make the fan."""
MOST_SHOWN: Final = 50_000_000
"""The most purses that are recorded: marks times players shown."""


def recorded(spins: Any, book: Rulebook) -> Any:
    """Recorded numbers as indices of pockets; raises `UsageError` for one that is not there."""
    found = listed(spins, argument="spins", of="numbers", most=MOST_SPINS)
    if not found:
        raise UsageError("spins: no numbers were recorded")
    wheel = book.wheel.pockets
    if {*map(type, found)} == {int} and min(found) >= 0 and max(found) <= _highest(wheel):
        # The index of a whole number is the number itself.
        return np.array(found, dtype=np.uint8)
    indices = np.empty(len(found), dtype=np.uint8)
    for place, each in enumerate(found):
        pocket = int(each) if isinstance(each, np.integer) else each
        if pocket not in wheel:
            which = f"spins: the number {shown(each)}, in place {place + 1},"
            raise UsageError(f"{which} is not on the wheel of {book.id}: expected {wheel.expected}")
        indices[place] = wheel.index(pocket)
    return indices


def _highest(wheel: Wheel) -> int:
    return max(pocket for pocket in wheel if isinstance(pocket, int))


def how_many(coups: int | None, players: int | None, spins: Any) -> tuple[int, int]:
    """How many coups each player plays, and how many players there are."""
    if coups is not None:
        whole(coups, argument="coups", most=MOST_COUPS)
    if players is not None:
        whole(players, argument="players", most=MOST_PLAYERS)
    if spins is None:
        return 1_000 if coups is None else coups, 10_000 if players is None else players
    coups = len(spins) if coups is None else coups
    if coups > len(spins):
        raise UsageError(f"coups: {len(spins)} numbers were recorded, and {coups} coups wanted")
    most = min(len(spins) // coups, MOST_PLAYERS)
    players = most if players is None else players
    if players > most:
        raise UsageError(f"players: the recorded numbers are enough for {most} players")
    return coups, players


def check_money(
    *, bankroll: int | None, target: int | None, stop_loss: int | None, seed: int
) -> None:
    """Raises `UsageError` for a purse, a target, a stop-loss or a seed that cannot be counted."""
    for argument, number in (("bankroll", bankroll), ("target", target), ("stop_loss", stop_loss)):
        if number is not None:
            whole(number, argument=argument, least=0, most=MOST_MONEY)
            if bankroll is None:
                raise UsageError(f"{argument}: it is one of a purse: name the bankroll")
    whole(seed, argument="seed", least=0, most=MOST_SEED)


def check_size(play: Play, *, coups: int, is_flat: bool) -> None:
    """Raises `TooLargeError` for stakes that 64-bit integers cannot count.

    `is_flat` says that every player lays the layout once at every coup.
    """
    stake = play.layout.stake
    if stake > ABLE:
        raise TooLargeError(f"layout: it costs more than {ABLE:,}", instead="use smaller stakes")
    if is_flat and coups * stake > MOST_TURNOVER:
        raise TooLargeError(
            f"a player would stake more than {MOST_TURNOVER:,} in all",
            instead="use smaller stakes or fewer coups",
        )


def marks_of(marks: Sequence[int] | None, *, coups: int, shown_players: int) -> tuple[int, ...]:
    """The coups after which purses are recorded, sorted, each once."""
    if marks is None:
        return tuple(sorted({max(1, coups * place // MARKS) for place in range(1, MARKS + 1)}))
    found = listed(marks, argument="marks", of="coups", most=MOST_SHOWN)
    if shown_players * len(found) > MOST_SHOWN:
        raise UsageError(f"marks: {shown_players} players have at most {MOST_SHOWN} marks together")
    return tuple(sorted({whole(mark, argument="marks", most=coups) for mark in found}))
