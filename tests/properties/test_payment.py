"""Whatever won is paid once and in order, and a reduction changes no total."""

from fractions import Fraction

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from novamas.game.cloth import SPOTS, Spot, SpotClass
from novamas.game.payment import payments
from novamas.game.reduction import parts_of, reductions
from novamas.game.rulebook.behaviours import PayBy, Winning
from novamas.game.rulebook.model import Rulebook
from novamas.game.stakes import Stake
from novamas.rulebooks import HOUSES, load
from tests.properties.laid import PLAYERS, Laid, coups, holding, limits, pockets_of


@given(coups())
def test_every_winner_is_paid_once_in_the_order_of_the_house(coup: Laid) -> None:
    settlement = coup.settle()
    made = payments(coup.book, settlement)
    paid = [line for payment in made for line in payment.lines]
    assert paid == [line for line in settlement.lines if line.won]
    assert all(
        {line.stake.player for line in payment.lines} == {payment.player} for payment in made
    )
    assert sum(payment.won for payment in made) == sum(line.won for line in settlement.lines)
    groups = [[group_of(coup.book, line.stake.spot) for line in each.lines] for each in made]
    if coup.book.payment.by is PayBy.PLAYER:
        # All of a player's winners together, when the order first reaches one of them.
        assert len({payment.player for payment in made}) == len(made)
        assert all(each == sorted(each) for each in groups)
        groups = [each[:1] for each in groups]
    order = [group for each in groups for group in each]
    assert order == sorted(order)
    assert all(set(payment.articles) <= coup.book.articles.keys() for payment in made)


def group_of(book: Rulebook, where: Spot) -> int:
    """The place of a spot's class in the order of payment."""
    words = [where.kind.value, where.name]
    if where.boxes:
        words.append(f"straddle-{SPOTS[where.boxes[0]].kind}")
    found = [n for n, group in enumerate(book.payment.order) if group & set(words)]
    return found[-1]


@st.composite
def winners(draw: st.DrawFn) -> Laid:
    """Winning chips on the numbers, all whole, where the house reduces them."""
    book = load(draw(st.sampled_from([house for house in HOUSES if load(house).reduction])))
    pocket = draw(pockets_of(book))
    numbers = [each for each in holding(book, pocket) if each.kind.on_numbers]
    chips = {player: draw(st.sampled_from((1, 5, 25))) for player in PLAYERS}
    found = []
    for n in range(draw(st.integers(1, 10))):
        player = draw(st.sampled_from(PLAYERS))
        chip = chips[player]
        where = draw(st.sampled_from(numbers))
        found.append(Stake(f"b{n}", player, where, chip * draw(st.integers(1, 40)), chip=chip))
    most = draw(limits(unit=25))
    return Laid(book, pocket, tuple(found), limits=most, winning=draw(st.sampled_from(Winning)))


@pytest.mark.rule("AR-23", "AR-26.b", "AR-27.a", "AR-27.b", "AR-27.c", "AR-27.d", "AMB-AR-02")
@given(winners())
def test_a_reduction_changes_no_total(coup: Laid) -> None:
    settlement = coup.settle()
    made = {each.player: each for each in reductions(coup.book, settlement)}
    for player in PLAYERS:
        lines = [x for x in settlement.lines if x.stake.player == player and x.won]
        if len({line.stake.spot for line in lines}) < 2:
            assert player not in made
            continue
        reduced = made[player]
        won = sum(line.won for line in lines)
        plays = sum(part.amount for line in lines for part in parts_of(line))
        # Paid with the chips that stay is what they were worth before, and no chip is lost.
        assert (reduced.paid + reduced.stays) * reduced.chip == won + plays
        assert (reduced.stays + reduced.freed) * reduced.chip == plays
        event(f"{len(reduced.steps)} steps")
        assert reduced.freed == sum(step.freed for step in reduced.steps)
        for step in reduced.steps:
            assert step.chips == step.straights + step.freed
            assert step.chips * Fraction(36, numbers_of(step.kind)) == step.straights * 36
        for kind, left in reduced.left.items():
            assert 0 < left < 36 // (36 // numbers_of(kind))


def numbers_of(kind: SpotClass) -> int:
    """How many numbers a spot of the class covers."""
    return next(len(spot.numbers) for spot in SPOTS.values() if spot.kind is kind)


@pytest.mark.rule("AR-24.b", "AR-25.a", "AR-25.b")
@given(winners())
def test_the_spool_is_paid_from_the_end_that_was_reduced_last(coup: Laid) -> None:
    settlement = coup.settle()
    made = reductions(coup.book, settlement)
    values = [each.chip for each in made]
    assert values == sorted(values, reverse=True)
    paid = [payment.player for payment in payments(coup.book, settlement)]
    assert [p for p in dict.fromkeys(paid) if p in {e.player for e in made}] == [
        each.player for each in reversed(made)
    ]
    order = coup.book.reduction.order if coup.book.reduction else ()
    for each in made:
        places = [order.index(step.kind) for step in each.steps]
        assert places == sorted(places)
