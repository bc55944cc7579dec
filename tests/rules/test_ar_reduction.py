"""Argentina: several suertes of one player reduced to plenos, the spool, and the payment."""

from itertools import product

import pytest

from novamas.game.cloth import SpotClass
from novamas.game.lines import Settlement
from novamas.game.payment import Payment, payments
from novamas.game.reduction import Reduction, reductions
from novamas.game.stakes import Stake
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.state import Phase
from tests.rules.helpers import back, case, opened, settled, stakes

SPLIT, STREET, CORNER, SIXLINE = "split", "street", "corner", "sixline"
ONE_EACH = {SIXLINE: 1, STREET: 1, SPLIT: 1}


def reduced(pocket: int, bets: str, chip: int = 1) -> tuple[Settlement, Reduction]:
    """A coup of one player, and its reduction."""
    coup = settled("ar", pocket, stakes(bets, chip=chip))
    (made,) = reductions(load("ar"), coup)
    return coup, made


def not_reduced(pocket: int, *hands: str | list[Stake]) -> bool:
    """Whether a coup is paid as it stands."""
    return reductions(load("ar"), settled("ar", pocket, *hands)) == ()


# Into plenos --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pocket", "bets", "straights", "left", "freed", "comes_back"),
    [
        case("AR-27.a AR-26.a AR-26.b", 17, "14/17:1 17/20:1", 1, {}, 1, 36),
        case("AR-27.a", 17, "14/17:2 17/20:2", 2, {}, 2, 72),
        case("AR-27.a AMB-AR-03", 17, "14/17:2 17/20:1", 1, {SPLIT: 1}, 1, 54),
        case("AR-27.b", 17, "13/17:2 16/20:2", 1, {}, 3, 36),
        case("AR-27.b AMB-AR-03", 17, "13/17:2 16/20:3", 1, {CORNER: 1}, 3, 45),
        case("AR-27.b", 17, "13/17:1 14/18:1 16/20:1", 0, {CORNER: 3}, 0, 27),
        case("AR-27.c", 2, "1/3:1 0/1/2:1 0/2/3:1", 1, {}, 2, 36),
        case("AR-27.c", 0, "0/1/2:2 0/2/3:2", 1, {STREET: 1}, 2, 48),
        case("AR-27.d", 17, "13/18:3 16/21:3", 1, {}, 5, 36),
        case("AR-27.d", 17, "13/18:4 16/21:4", 1, {SIXLINE: 2}, 5, 48),
        case("AR-27.d", 17, "13/18:2 16/21:3", 0, {SIXLINE: 5}, 0, 30),
        case("AR-26.a AR-27.a", 17, "17:3 17/20:2", 4, {}, 1, 144),
        case("AMB-AR-04", 17, "17/20:1 16/18:1 13/18:1", 0, ONE_EACH, 0, 36),
        case("AMB-AR-04", 17, "17/20:1 13/17:2", 0, {CORNER: 2, SPLIT: 1}, 0, 36),
        case("AMB-AR-04", 17, "16/18:2 13/18:2", 0, {SIXLINE: 2, STREET: 2}, 0, 36),
    ],
)
def test_ar_27_what_makes_a_pleno(
    pocket: int, bets: str, straights: int, left: dict[str, int], freed: int, comes_back: int
) -> None:
    coup, made = reduced(pocket, bets)
    assert made.straights == straights
    assert {kind.value: count for kind, count in made.left.items()} == left
    assert made.freed == freed
    assert made.stays == straights + sum(left.values())
    assert made.paid + made.stays == comes_back == back(coup)


@pytest.mark.rule("AR-24.b", "AMB-AR-12", "AR-27.a", "AR-27.b", "AR-27.c", "AR-27.d")
def test_ar_24_lineas_first_then_calles_cuadros_and_semiplenos() -> None:
    _, made = reduced(17, "14/17:2 16/20:4 16/18:3 13/18:6")
    steps = [(step.kind.value, step.chips, step.straights, step.freed) for step in made.steps]
    assert steps == [(SIXLINE, 6, 1, 5), (STREET, 3, 1, 2), (CORNER, 4, 1, 3), (SPLIT, 2, 1, 1)]
    assert [step.articles for step in made.steps] == [
        ("AR-24.b", "AR-27.d"),
        ("AR-24.b", "AR-27.c"),
        ("AR-24.b", "AR-27.b"),
        ("AR-24.b", "AR-27.a"),
    ]


@pytest.mark.rule("AR-23", "AR-26.a", "AR-26.b", "AMB-AR-05")
def test_ar_23_the_reduction_cites_why_it_is_made_and_where_its_chips_go() -> None:
    _, made = reduced(17, "14/17:1 17/20:1")
    assert made.articles == ("AR-23", "AMB-AR-05", "AR-26.a", "AR-26.b")


@pytest.mark.rule("AR-26.b", "AMB-AR-02", "AMB-AR-03")
def test_ar_26_the_freed_chips_are_the_banks_and_no_total_changes() -> None:
    spots = ("17", "17/20", "16/18", "16/20", "13/18")
    for counts in product((0, 1, 4, 7), repeat=5):
        bets = " ".join(f"{on}:{n}" for on, n in zip(spots, counts, strict=True) if n)
        if sum(1 for n in counts if n) < 2:
            continue
        coup, made = reduced(17, bets)
        assert made.paid + made.stays == back(coup)
        assert made.stays + made.freed == sum(counts)
        assert made.paid - made.freed == sum(line.won for line in coup.lines)


@pytest.mark.rule("AR-26.b", "AR-24.b", "AMB-AR-02")
def test_ar_26_a_big_spread_on_17() -> None:
    coup, made = reduced(17, "17:1 14/17:2 17/20:1 16/17:1 16/18:3 13/17:2 16/20:3 13/18:4 16/21:4")
    assert (made.straights, made.freed, made.paid, made.stays) == (6, 12, 228, 9)
    assert made.left == {SpotClass.SIXLINE: 2, SpotClass.CORNER: 1}
    assert back(coup) == 316 - (100 - 21)  # Of a purse of 100, 21 were staked and 316 are held.


@pytest.mark.rule("AR-27.a")
def test_ar_27_chips_are_counted_not_money() -> None:
    coup, made = reduced(17, "14/17:50 17/20:25", chip=25)
    assert (made.straights, made.left, made.freed) == (1, {SpotClass.SPLIT: 1}, 1)
    assert (made.paid + made.stays) * 25 == back(coup)


# When it is made ----------------------------------------------------------------------------------


@pytest.mark.rule("AR-23", "AMB-AR-05")
def test_ar_23_one_bet_is_paid_as_it_stands_however_many_chips_it_has() -> None:
    assert not_reduced(17, "17/20:2")
    assert not_reduced(17, "17/20:1 17/20:1")
    assert not_reduced(17, "17/20:2 20/23:2")
    assert not not_reduced(17, "17/20:2 16/17:2")
    assert back(settled("ar", 17, "17/20:2")) == 36


@pytest.mark.rule("AR-23")
def test_ar_23_only_suertes_multiples_are_reduced() -> None:
    assert not_reduced(17, "17/20:2 black:10 d2:10 c2:10 d1+d2:10")


@pytest.mark.rule("AR-23")
def test_ar_23_only_bets_of_the_same_player_are_reduced_together() -> None:
    assert not_reduced(17, stakes("17/20:2"), stakes("16/17:2", "luis"))
    two = settled("ar", 17, stakes("17/20:2 17:1"), stakes("16/17:2 13/17:4", "luis"))
    made = {each.player: each.straights for each in reductions(load("ar"), two)}
    assert made == {"ana": 2, "luis": 2}


@pytest.mark.rule("AMB-AR-14", "AR-23", "AR-14.b")
def test_ar_23_the_excess_is_distributed_first_and_reduced_afterwards() -> None:
    limits = {"straight": {"max": 100}, "split": {"max": 200}, "street": {"max": 300}}
    coup = settled("ar", 17, "17:400 17/20:150", limits=limits)
    (made,) = reductions(load("ar"), coup)
    assert (made.straights, made.freed, made.paid) == (283, 266, 9916)
    assert made.left == {SpotClass.STREET: 1}
    # Reduced to 200 plenos these pass no maximum: they were within it before.
    within = settled("ar", 17, "14/17:200 17/20:200", limits=limits)
    (made,) = reductions(load("ar"), within)
    assert (made.straights, back(within)) == (200, 400 * 18)


# The spool and the payment ------------------------------------------------------------------------


def spool(*chips: int) -> Settlement:
    """Players a, b, c … with chips of these values, each with a pleno and semiplenos on 17."""
    hands = [
        stakes(f"17:{chip} 17/20:{2 * chip}", player, chip=chip)
        for player, chip in zip("abcdef", chips, strict=False)
    ]
    return settled("ar", 17, *hands)


@pytest.mark.rule("AR-25.a", "AR-25.b", "AMB-AR-06")
@pytest.mark.parametrize(
    ("chips", "order"),
    [((1, 5, 25), "abc"), ((25, 5, 1), "cba"), ((5, 25, 1), "cab"), ((1, 1, 25), "bac")],
)
def test_ar_25_reduced_from_the_greatest_value_and_paid_from_the_least(
    chips: tuple[int, ...], order: str
) -> None:
    coup = spool(*chips)
    paid = [payment.player for payment in payments(load("ar"), coup)]
    assert paid == list(order)
    assert [made.player for made in reductions(load("ar"), coup)] == list(reversed(order))


@pytest.mark.rule("AR-25.b", "AR-S1")
def test_ar_25_the_pagador_pays_one_after_the_other_in_that_order() -> None:
    players = {"ana": 75, "luis": 15, "eva": 3}
    table = opened("ar", players, chips={"ana": 25, "luis": 5, "eva": 1})
    for player, chip in (("ana", 25), ("luis", 5), ("eva", 1)):
        table.stake(player, f"17:{chip} 17/20:{2 * chip}")
    table.pocket(17)
    table.call()
    table.collect()
    paid = []
    for _ in players:
        table.act(commands.PayNext(by="pagador-1"))
        paid.append([table.purse(player) for player in ("eva", "luis", "ana")])
    assert paid == [[72, 0, 0], [72, 360, 0], [72, 360, 1800]]
    assert table.state.phase is Phase.BETTING


@pytest.mark.rule("AMB-AR-06")
def test_ar_25_the_value_is_that_of_the_chip_not_of_its_class() -> None:
    hands = [stakes("17:25", "a", chip=25), stakes("13/18:30", "b", chip=5)]
    paid = payments(load("ar"), settled("ar", 17, *hands))
    assert [(payment.player, payment.won) for payment in paid] == [("b", 150), ("a", 875)]


def paid_on(pocket: int, bets: str) -> list[Payment]:
    """The payments of a coup of one player."""
    return list(payments(load("ar"), settled("ar", pocket, stakes(bets))))


@pytest.mark.rule("AR-23", "AR-25.b")
def test_ar_25_what_was_reduced_together_is_paid_together() -> None:
    (payment,) = paid_on(17, "17:1 17/20:2 16/18:3")
    assert payment.won == 35 + 34 + 33
    assert {"AR-25.a", "AR-25.b"} <= set(payment.articles)


@pytest.mark.rule("NV-05")
def test_nv_05_the_chances_are_paid_before_the_numbers_as_they_were_laid() -> None:
    paid = paid_on(14, "14:1 d1+d2:2 c2:1 red:1 14/17:1 low+d3:2 d2:1")
    assert [line.stake.spot.name for payment in paid for line in payment.lines] == [
        "d1+d2",
        "c2",
        "red",
        "low+d3",
        "d2",
        "14",
        "14/17",
    ]
    assert all(payment.articles[0] == "NV-05" for payment in paid)
    assert [len(payment.lines) for payment in paid] == [1, 1, 1, 1, 1, 2]


@pytest.mark.rule("AR-25.b")
def test_ar_25_chances_are_in_no_spool() -> None:
    hands = [stakes("black:25", "a", chip=25), stakes("black:1", "b", chip=1)]
    paid = payments(load("ar"), settled("ar", 17, *hands))
    assert [payment.player for payment in paid] == ["a", "b"]
    assert all("AR-25.b" not in payment.articles for payment in paid)
