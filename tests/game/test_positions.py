"""What a player has on a spot: found by settlement, or given by a table that has counted it."""

import random
from collections import Counter

import pytest

from novamas.game.cloth import spot
from novamas.game.limits import Limits
from novamas.game.positions import Position, above_maxima
from novamas.game.rulebook.behaviours import ChipKind, Winning
from novamas.game.settlement import settle
from novamas.game.stakes import Stake
from novamas.rulebooks import HOUSES, load

LIMITS = Limits.of(
    {
        "straight": {"max": 20},
        "split": {"max": 40},
        "street": {"max": 30},
        "corner": {"max": 25},
        "sixline": {"max": 60},
        "dozen": {"max": 50},
        "column": {"max": 50},
        "simple": {"max": 60},
    }
)
KINDS = (ChipKind.COLOUR, ChipKind.COLOUR, ChipKind.VALUE, ChipKind.FOREIGN)


def random_stakes(house: str, pocket: int) -> list[Stake]:
    """Stakes of a few players, most of them on winning spots, many above a maximum."""
    chance = random.Random(pocket)  # noqa: S311 - any spread of stakes will do
    spots = list(load(house).terms)
    winning = [each for each in spots if pocket in each.numbers]
    return [
        Stake(
            f"b{number}",
            f"p{chance.randrange(5)}",
            chance.choice(winning if chance.random() < 0.6 else spots),
            chance.randint(1, 40),
            kind=chance.choice(KINDS),
            principal=chance.choice((None, None, None, "p1")),
            unclear=chance.random() < 0.1,
            away=chance.random() < 0.1,
        )
        for number in range(40)
    ]


def counted(stakes: list[Stake]) -> Counter[Position]:
    """What each player answers for on each spot, as a table counts it."""
    on_spot: Counter[Position] = Counter()
    for stake in stakes:
        on_spot[stake.whose, stake.spot] += stake.amount
    return on_spot


@pytest.mark.parametrize("winning", Winning)
@pytest.mark.parametrize("house", HOUSES)
def test_a_coup_is_settled_alike_with_and_without_the_sums_of_the_table(
    house: str, winning: Winning
) -> None:
    for pocket in range(37):
        stakes = random_stakes(house, pocket)
        book, on_spot = load(house), counted(stakes)
        alone = settle(book, pocket, stakes, limits=LIMITS, winning=winning)
        at_table = settle(
            book,
            pocket,
            stakes,
            limits=LIMITS,
            winning=winning,
            on_spot=on_spot,
        )
        assert at_table == alone


def test_positions_above_a_maximum_are_found_in_sums_and_single_stakes() -> None:
    red, seven = spot("red"), spot("7")
    stakes = [
        Stake("b1", "ana", red, 40),
        Stake("b2", "luis", red, 40, principal="ana"),
        Stake("b3", "luis", red, 60),
        Stake("b4", "eva", seven, 21),
        Stake("b5", "eva", spot("17/20"), 1_000),
    ]
    found = above_maxima(stakes, {red: 60, seven: 20})
    assert found == {red: {"ana": 80}, seven: {"eva": 21}}
    assert above_maxima(stakes, {red: 60, seven: 20}, counted(stakes)) == found


def test_a_table_that_has_counted_spares_settlement_the_look_at_every_stake() -> None:
    def refuse(number: int) -> Stake:
        raise AssertionError(f"stake {number} was counted again")

    seven = spot("7")
    stakes = map(refuse, range(1))
    assert above_maxima(stakes, {seven: 20}, {("ana", seven): 21}) == {seven: {"ana": 21}}
