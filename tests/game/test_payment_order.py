"""The order of payment, where a house gives chances and numbers the same rank."""

import pytest

from novamas.game.cloth import spot
from novamas.game.lines import Line
from novamas.game.payment_order import Paid, in_order, note
from novamas.game.stakes import Stake
from novamas.rulebooks import load

LAID = [
    Stake("b0", "ana", spot("red"), 5),
    Stake("b1", "luis", spot("17"), 5),
    Stake("b2", "eva", spot("red"), 5),
    Stake("b3", "ana", spot("17/20"), 5),
    Stake("b4", "eva", spot("17"), 5),
    Stake("b5", "luis", spot("d2"), 5),
]


def of_one_rank(places: list[int]) -> Paid:
    """These winners, noted in this order, all of one rank."""
    paid: Paid = {(0, False): ([], [], []), (0, True): ([], [], [])}
    for place in places:
        stake = LAID[place]
        line = Line.all_won(stake, 5, ("X-01",))
        note(paid[0, stake.spot.kind.on_numbers], place, line)
    return paid


@pytest.mark.parametrize("noted", [[0, 1, 2, 3, 4, 5], [2, 4, 5, 3, 0, 1]])
@pytest.mark.parametrize(
    ("house", "order"),
    [
        pytest.param("bg", [0, 1, 2, 3, 4, 5], id="stake by stake as they lie"),
        pytest.param("fram", [0, 3, 1, 5, 2, 4], id="player by player, chances too"),
        pytest.param("it", [0, 2, 5, 3, 1, 4], id="the numbers by colour"),
        pytest.param("ar", [0, 2, 5, 4, 1, 3], id="the numbers from the end of the spool"),
    ],
)
def test_winners_of_one_rank_are_paid_in_the_order_of_the_house(
    house: str, order: list[int], noted: list[int]
) -> None:
    paid = in_order(load(house), of_one_rank(noted), LAID)
    assert [line.stake.id for line in paid.lines] == [f"b{place}" for place in order]


def test_an_order_of_payment_names_the_players_on_the_numbers_for_a_reduction() -> None:
    paid = in_order(load("ar"), of_one_rank([0, 1, 2, 3, 4, 5]), LAID)
    assert paid.on_numbers == [None, None, None, "eva", "luis", "ana"]
