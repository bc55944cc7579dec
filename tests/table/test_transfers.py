"""The transfers of a settled coup: the short way of plain lines moves what the parts say."""

import random
from collections.abc import Sequence

import pytest

from novamas.game.limits import Limits
from novamas.game.lines import Line
from novamas.game.rulebook.behaviours import ChipKind, Winning
from novamas.game.settlement import settle
from novamas.game.stakes import Prisoner, Stake
from novamas.rulebooks import HOUSES, load
from novamas.table.accounts import (
    BANK,
    CLOTH,
    ELSEWHERE,
    PRISON,
    Transfer,
    Transfers,
    custody,
    purse,
)

LIMITS = Limits.of({"straight": {"max": 20}, "split": {"max": 30}, "simple": {"max": 50}})
KINDS = (ChipKind.COLOUR, ChipKind.COLOUR, ChipKind.VALUE, ChipKind.FOREIGN)


def part_by_part(lines: Sequence[Line]) -> tuple[Transfer, ...]:
    """The transfers of lines, each part of each line moved on its own."""
    moved = Transfers()
    for line in lines:
        stake = line.stake
        lies = PRISON if isinstance(stake, Prisoner) else CLOTH
        back = ELSEWHERE if stake.kind is ChipKind.FOREIGN else purse(stake.player)
        in_hand = line.won if line.hand >= line.won else 0
        moved.move(lies, BANK, line.lost + line.freed)
        moved.move(lies, PRISON, line.held)
        moved.move(BANK, purse(stake.player), in_hand + line.freed)
        moved.move(lies, back, line.hand - in_hand - line.freed)
        moved.move(BANK, CLOTH, line.won - in_hand)
        moved.move(lies, custody(stake.player), line.aside)
    return moved.gathered()


@pytest.mark.parametrize("winning", Winning)
@pytest.mark.parametrize("house", HOUSES)
def test_all_lines_of_a_coup_move_what_their_parts_say_in_the_same_order(
    house: str, winning: Winning
) -> None:
    book = load(house)
    spots = list(book.terms)
    simple = [each for each in spots if each.kind == "simple"]
    for pocket in range(37):
        chance = random.Random(pocket)  # noqa: S311 - any spread of stakes will do
        stakes = [
            Stake(
                f"b{number}",
                f"p{chance.randrange(5)}",
                chance.choice(spots),
                chance.randint(1, 60),
                kind=chance.choice(KINDS),
                away=chance.random() < 0.1,
            )
            for number in range(60)
        ]
        prison = [Prisoner(f"x{n}", f"p{n}", chance.choice(simple), 10 + n) for n in range(3)]
        lines = settle(book, pocket, stakes, prison=prison, limits=LIMITS, winning=winning).lines
        moved = Transfers()
        moved.settle(lines)
        assert moved.gathered() == part_by_part(lines)
