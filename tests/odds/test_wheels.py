"""The odds of wheels with more zeros: 38 pockets, and 39."""

from fractions import Fraction

import pytest

from novamas.game.cloth import SpotClass
from novamas.game.wheel import is_zero
from novamas.odds.errors import LayoutError
from novamas.odds.law import Carrier
from novamas.odds.layout import Layout
from novamas.odds.many_coups import after_coups
from novamas.odds.one_coup import odds_of
from novamas.odds.play import Play
from novamas.odds.ruin import ruin_of
from tests.odds.wheels import on_wheel

ZEROS = (2, 3)


@pytest.mark.parametrize("zeros", ZEROS)
def test_the_edge_of_every_bet(zeros: int) -> None:
    """N-04: each zero is a pocket on which every other bet loses."""
    book = on_wheel("bg", zeros)
    of = 36 + zeros
    for spot in book.terms:
        odds = odds_of(book, f"{spot.name}:2")
        # Every bet but the five pays 36 times its chance; the five pays 35 for five numbers.
        worth = 35 if spot.kind is SpotClass.FIVE else 36
        assert odds.edge == 1 - Fraction(worth, of), spot.name
        assert odds.hits == Fraction(len(spot.numbers), of)
        assert sum(odds.outcomes.values()) == 1


@pytest.mark.parametrize("zeros", ZEROS)
@pytest.mark.parametrize(
    ("choice", "kept"), [("half", Fraction(1, 2)), ("prison", None), ("prison,half", None)]
)
def test_prison_after_each_of_several_zeros(zeros: int, choice: str, kept: Fraction | None) -> None:
    book = on_wheel("es", zeros)
    again, freed = Fraction(zeros, 36 + zeros), Fraction(18, 36 + zeros)
    if choice == "prison":
        # Its value v is what frees it, and half of itself at each further zero: v = f + z·v/2.
        kept = freed / (1 - again / 2)
    elif choice == "prison,half":
        # At the second zero it is worth a half, of which a half is taken.
        kept = freed + again / 4
    assert kept is not None
    assert odds_of(book, "red:1", choice=choice, divisible=True).edge == again * (1 - kept)


@pytest.mark.parametrize("zeros", ZEROS)
def test_how_long_prison_lasts(zeros: int) -> None:
    again = Fraction(zeros, 36 + zeros)
    odds = odds_of(on_wheel("es", zeros), "red:1")
    assert odds.coups == 1 / (1 - again)


@pytest.mark.parametrize("zeros", ZEROS)
def test_every_zero_puts_the_same_in_prison(zeros: int) -> None:
    play = Play(Layout.read(on_wheel("es", zeros), "red:4 low:2"))
    held = {pocket: play.pocket(pocket).prison for pocket in play.wheel}
    assert {pocket for pocket, prison in held.items() if prison} == set(filter(is_zero, play.wheel))
    (zero,) = [turn for turn in play.turns() if turn.prison]
    assert zero.pockets == zeros
    assert sum(turn.pockets for turn in play.turns()) == 36 + zeros
    assert sum(Carrier(play).law(zero.prison).outcomes.values()) == 1


@pytest.mark.parametrize("zeros", ZEROS)
@pytest.mark.parametrize("house", ["bg", "es"])
def test_many_coups_in_fractions_and_in_floating_point(house: str, zeros: int) -> None:
    book = on_wheel(house, zeros)
    for layout in ("red:2", "00:1 red:4"):
        exact = after_coups(book, layout, 60, exact=True)
        rounded = after_coups(book, layout, 60, exact=False)
        assert rounded.mean == pytest.approx(exact.mean, abs=1e-9)
        assert rounded.precision < 1e-9
        low, high = exact.reach
        for net in range(low, high + 1, exact.step):
            apart = abs(float(rounded.chance(net)) - float(exact.chance(net)))
            assert apart <= rounded.precision + 1e-15
    single = odds_of(book, "00:1")
    assert after_coups(book, "00:1", 1).outcomes == single.outcomes  # type: ignore[attr-defined]


@pytest.mark.parametrize("zeros", ZEROS)
def test_ruin_in_the_long_run_and_coup_by_coup(zeros: int) -> None:
    book = on_wheel("bg", zeros)
    wins = Fraction(18, 36 + zeros)
    assert ruin_of(book, "red:1", 1, target=2).ruin == 1 - wins
    ratio = (1 - wins) / wins
    assert ruin_of(book, "red:1", 3, target=6).reached == (1 - ratio**3) / (1 - ratio**6)
    two = ruin_of(book, "red:1", 1, target=3, coups=2)
    assert two.reached == wins**2
    assert two.ruin == 1 - wins
    quick = ruin_of(book, "red:1", 3, target=6, coups=2000, exact=False)
    assert quick.ruin == pytest.approx(float(1 - (1 - ratio**3) / (1 - ratio**6)))
    prison = on_wheel("es", zeros)
    on = ruin_of(prison, "red:1", 1, target=2, lays_on=True)
    assert on.ruin + on.reached == 1


def test_a_pocket_that_the_wheel_does_not_have() -> None:
    for house, layout in (("bg", "0/1/2/3:4"), ("bg", "000:1")):
        with pytest.raises(LayoutError, match=f"bg2 does not offer {layout.partition(':')[0]}"):
            odds_of(on_wheel(house, 2), layout)
    assert odds_of(on_wheel("bg", 3), "000:1").edge == Fraction(3, 39)
