"""How fast a coup is settled, and whether a stake costs more in a large coup than in a small."""

import gc
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from statistics import median

from bench.measure import Result, benchmark
from novamas.game.limits import Limits
from novamas.game.positions import Position
from novamas.game.rulebook.behaviours import PayBy
from novamas.game.settlement import settle
from novamas.game.stakes import Stake
from novamas.game.wheel import Pocket
from novamas.rulebooks import HOUSES, load

LIMITS = Limits.of(
    {
        "straight": {"min": 1, "max": 100},
        "split": {"min": 1, "max": 200},
        "street": {"min": 1, "max": 300},
        "corner": {"min": 1, "max": 400},
        "five": {"min": 1, "max": 500},
        "sixline": {"min": 1, "max": 600},
        "dozen": {"min": 5, "max": 500},
        "column": {"min": 5, "max": 500},
        "simple": {"min": 5, "max": 1000},
    }
)
SMALL, LARGE = 1_000, 100_000
TARGET = 200_000
"""Cited lines per second on one core."""


def coup(house: str, stakes: int) -> Callable[[Pocket], int]:
    """A coup of `stakes` stakes, ten per player, on all spots; a few are above a maximum.

    As at a table, what each player has on each spot was counted while the stakes were laid.
    """
    book = load(house)
    chance = random.Random(17)  # noqa: S311 - any spread of stakes will do
    spots = list(book.terms)
    laid = [
        Stake(f"b{n}", f"p{n % (stakes // 10)}", chance.choice(spots), 5 * chance.randint(1, 25), 5)
        for n in range(stakes)
    ]
    on_spot: Counter[Position] = Counter()
    for stake in laid:
        on_spot[stake.whose, stake.spot] += stake.amount

    def play(pocket: Pocket) -> int:
        lines = settle(book, pocket, laid, limits=LIMITS, on_spot=on_spot).lines
        cited = sum(1 for line in lines if line.articles)
        if cited != stakes:
            raise AssertionError(f"{stakes - cited} lines cite no article")
        return cited

    return play


def per_stake(play: Callable[[Pocket], int], pockets: Sequence[Pocket]) -> float:
    """Seconds of the thread for one stake, over coups with these pockets."""
    began = time.thread_time()
    lines = sum(play(pocket) for pocket in pockets)
    return (time.thread_time() - began) / lines


@benchmark
def a_coup_of_many_stakes() -> list[Result]:
    """100,000 stakes by 10,000 players, beside coups of 1,000, in every house."""
    results = []
    for house in HOUSES:
        small, large = coup(house, SMALL), coup(house, LARGE)
        small(17), large(17)
        # Alternately, so that a busy moment of the machine affects both alike.
        pockets = load(house).wheel.pockets.pockets
        pairs = [(per_stake(small, pockets), per_stake(large, [n])) for n in pockets[::4]]
        few, many = median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)
        results += [
            Result(
                name=f"settlement: cited lines of a coup of 100,000 stakes, {house}",
                value=1 / many,
                unit="lines/s",
                against=TARGET,
                at_least=1,
            ),
            Result(
                name=f"settlement: a stake among 100,000 against one among 1,000, {house}",
                value=many,
                unit="s",
                against=few,
                at_most=3,
            ),
        ]
    return results


@benchmark
def policed_maxima_against_plain_settlement() -> list[Result]:
    """100,000 stakes where maxima are policed, and where each stake is settled for itself.

    A house with articles on excess must also find what lies above a maximum, and may pay by player
    or reduce the winners. All houses play by turns, so that a busy moment affects them alike.
    """
    books = {house: load(house) for house in HOUSES}
    policed = [house for house, book in books.items() if book.excess is not None]
    plain = [
        house
        for house, book in books.items()
        if book.excess is None and book.payment.by is PayBy.STAKE
    ]
    plays = {house: coup(house, LARGE) for house in (*policed, *plain)}
    for play in plays.values():
        play(17)
    # The stakes of the other houses are no work of the one that is measured.
    gc.collect()
    gc.freeze()
    pockets = range(1, 37, 4)
    took = {house: list[float]() for house in plays}
    for pocket in pockets:
        for house, play in plays.items():
            took[house].append(per_stake(play, [pocket]))
    gc.unfreeze()
    rates = {house: 1 / median(each) for house, each in took.items()}
    usual = sum(rates[house] for house in plain) / len(plain)
    names = ", ".join(plain)
    return [
        Result(
            name=f"settlement: the rate of {house} against those that pay stake by stake ({names})",
            value=rates[house],
            unit="lines/s",
            against=usual,
        )
        for house in policed
    ]
