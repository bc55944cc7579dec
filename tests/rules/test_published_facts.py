"""The published facts: how many spots a cloth has, what the house keeps, and what each class pays.

The edges are exact: all 37 pockets go through `settle`, and prison by its recurrence.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import product

import pytest

from novamas.game import announcements
from novamas.game.cloth import SpotClass, spot
from novamas.game.lines import Line
from novamas.game.money import halve
from novamas.game.rulebook.behaviours import ZeroRule
from novamas.game.settlement import settle
from novamas.game.spot_classes import class_pays
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import BLACK, ORDER, POCKETS, RED
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.commands import Choice
from novamas.table.events import ChoiceMade
from tests.rules.helpers import BOOKS, case, coup, opened, pieces, settle_line, stakes

DEEP = 2**40
"""An amount that halves exactly as often as any test here halves it."""


# C.1: the cloth -----------------------------------------------------------------------------------


@pytest.mark.parametrize("house", BOOKS)
@pytest.mark.parametrize(
    ("kind", "count", "with_zero"),
    [
        case("AR-5.b ES-7.1.a IT-bet-1 BG-27", "straight", 37, 1),
        case("AR-6.c AMB-BG-05", "split", 60, 3),
        case("AR-8.e AMB-BG-05", "street", 14, 2),
        case("AR-7.c AMB-BG-05", "corner", 23, 1),
        case("AR-9.d AMB-BG-05", "sixline", 11, 0),
        case("AR-11.a1", "dozen", 3, 0),
        case("AR-11.b1", "column", 3, 0),
        case("AR-4.b", "simple", 6, 0),
    ],
)
def test_counts_of_spots(house: str, kind: str, count: int, with_zero: int) -> None:
    spots = [each for each in load(house).terms if each.kind is SpotClass(kind)]
    assert len(spots) == count
    assert sum(0 in each.numbers for each in spots) == with_zero


@pytest.mark.parametrize(
    ("house", "straddles"),
    [
        case("AR-17.c AMB-AR-17b", "ar", "d1+d2 d2+d3 c1+c2 c2+c3 low+d3"),
        case("ES-7.1.h ES-7.1.i", "es", "d1+d2 d2+d3 c1+c2 c2+c3"),
        case("IT-general-10", "it", ""),
        case("AMB-BG-06", "bg", ""),
    ],
)
def test_straddles_of_each_house(house: str, straddles: str) -> None:
    offered = {each.name for each in load(house).terms if each.kind is SpotClass.STRADDLE}
    assert offered == set(straddles.split())


@pytest.mark.rule("AR-6.c")
def test_the_60_splits_are_24_across_33_along_and_3_with_zero() -> None:
    splits = [
        sorted(map(int, each.numbers)) for each in load("ar").terms if each.kind is SpotClass.SPLIT
    ]
    assert sum(first == 0 for first, _ in splits) == 3
    assert sum(last - first == 1 for first, last in splits if first) == 24
    assert sum(last - first == 3 for first, last in splits if first) == 33


@pytest.mark.rule("AR-10.c", "AR-10.d", "IT-bet-12")
def test_the_colours_share_1_to_36_and_alternate_round_the_wheel() -> None:
    assert len(RED) == len(BLACK) == 18
    assert set(range(1, 37)) == RED | BLACK
    assert all(number in (RED, BLACK)[place % 2] for place, number in enumerate(ORDER[1:]))


# C.2: the house's edge ----------------------------------------------------------------------------


def edge(
    lay: Callable[[int], Iterable[Line]], staked: int, held: Fraction = Fraction(0)
) -> Fraction:
    """What the house keeps of a unit on the average; `held` is what a unit in prison is worth."""
    lost = Fraction(0)
    for pocket in range(POCKETS):
        lines = list(lay(pocket))
        for line in lines:
            kept = line.stake.amount - line.returned - line.won - line.held * held
            lost += kept
    return lost / POCKETS / staked


def bet_edge(house: str, hand: Sequence[Stake]) -> Fraction:
    """The edge of stakes that never go to prison."""
    book = load(house)
    return edge(lambda pocket: settle(book, pocket, hand).lines, sum(s.amount for s in hand))


@pytest.mark.parametrize(
    "house",
    [
        case("AR-5.a AR-6.a AR-7.a AR-8.a AR-9.a AR-10 AR-11 AR-12 AR-11.a3 AMB-AR-01 X-01", "ar"),
        case("ES-7.1 AMB-ES-01 AMB-ES-10 X-01", "es"),
        case("IT-pay-1 IT-pay-2 IT-pay-3 IT-pay-4 IT-pay-5 IT-pay-6 IT-pay-7 IT-pay-8", "it"),
        case("BG-11 BG-12 BG-13 BG-14 BG-15 BG-16 BG-17 BG-26 AMB-BG-02 X-01", "bg"),
    ],
)
def test_every_spot_that_knows_no_prison_costs_a_37th(house: str) -> None:
    book = load(house)
    prison = book.zero.simple is not ZeroRule.LOSE
    spots = [s for s in book.terms if not (prison and s.kind is SpotClass.SIMPLE)]
    assert {s.kind for s in spots} >= {spot("0/1/2").kind, spot("0/1/2/3").kind, spot("d1").kind}
    hand = [Stake(each.name, "ana", each, 2) for each in spots]
    lost = dict.fromkeys((stake.id for stake in hand), 0)
    for pocket in range(POCKETS):
        for line in settle(book, pocket, hand).lines:
            lost[line.stake.id] += line.lost - line.won
    edges = {name: Fraction(sum_, 2 * POCKETS) for name, sum_ in lost.items()}
    assert edges == dict.fromkeys(edges, Fraction(1, 37))


@pytest.mark.parametrize(
    "house",
    [
        case("IT-ann-1 IT-ann-2 IT-ann-3 IT-ann-4 IT-ann-5 IT-ann-6 IT-ann-7 IT-ann-8", "it"),
        case("BG-18 BG-19 BG-20 BG-21 BG-22 BG-23 BG-24 BG-25 BG-28a BG-28b AMB-BG-03", "bg"),
    ],
)
def test_every_announcement_costs_a_37th(house: str) -> None:
    names = announcements.names(load(house))
    assert len(names) == {"it": 6 + 27 + 37, "bg": 4 + 37}[house]
    for name in names:
        call = announcements.call_of(load(house), name)
        assert call is not None
        assert bet_edge(house, pieces(house, name, len(call.pieces))) == Fraction(1, 37), name


@pytest.mark.rule("AMB-AR-01")
def test_were_the_stake_not_kept_a_straight_would_cost_2_and_a_simple_chance_19_of_37() -> None:
    for name, kept in (("17", 2), ("red", 19)):
        won = sum(settle_line("ar", pocket, f"{name}:1").won for pocket in range(POCKETS))
        assert 1 - Fraction(won, POCKETS) == Fraction(kept, 37)


# Prison.


def on_simple(house: str, chance: str, chips: int, *, held: Fraction) -> Fraction:
    """The edge of a stake on a simple chance, by the value of a unit in prison."""
    (stake,) = stakes(f"{chance}:{chips}")
    book = load(house)
    return edge(lambda pocket: settle(book, pocket, [stake]).lines, chips, held)


def prison_value(house: str, chance: str, zeros: int, withdraws_at: int) -> Fraction:
    """What a unit in prison after so many zeros brings, if its half is taken at a later one."""
    book, spent, on_zero = load(house), Fraction(0), Fraction(0)
    for pocket in range(POCKETS):
        prisoner = Prisoner("b1", "ana", spot(chance), DEEP, zeros=zeros)
        (line,) = settle(book, pocket, [], prison=[prisoner]).lines
        assert line.won == 0
        spent += Fraction(line.returned, DEEP)
        if line.held:
            on_zero = Fraction(line.held, DEEP)
    if zeros + 1 == withdraws_at:
        return (spent + on_zero * Fraction(halve(DEEP).player, DEEP)) / POCKETS
    return (spent + on_zero * prison_value(house, chance, zeros + 1, withdraws_at)) / POCKETS


def always_prison(house: str, chance: str) -> Fraction:
    """What a unit in prison is worth to one who always stays: the fixed point of the recurrence."""
    book = load(house)
    found = set()
    for zeros in range(1, 12):
        freed, stays = Fraction(0), Fraction(0)
        for pocket in range(POCKETS):
            prisoner = Prisoner("b1", "ana", spot(chance), DEEP >> zeros, zeros=zeros)
            (line,) = settle(book, pocket, [], prison=[prisoner]).lines
            freed += Fraction(line.returned, prisoner.amount)
            stays += Fraction(line.held, prisoner.amount)
        found.add((freed / POCKETS) / (1 - stays / POCKETS))
    # However many zeros it has met, a unit in prison is worth the same.
    (value,) = found
    return value


SIMPLE = ("low", "high", "red", "black", "even", "odd")


@pytest.mark.rule("ES-7.2.b3", "ES-7.2.b4", "ES-7.2.b5", "ES-G.1", "AMB-ES-03", "AMB-ES-07")
@pytest.mark.parametrize("chance", SIMPLE)
def test_es_who_always_leaves_it_in_prison_pays_a_73rd(chance: str) -> None:
    value = always_prison("es", chance)
    assert value == Fraction(36, 73)
    assert on_simple("es", chance, DEEP, held=value) == Fraction(1, 73)


@pytest.mark.rule("ES-7.2.b1", "ES-7.2.b2")
@pytest.mark.parametrize("chance", SIMPLE)
def test_es_who_takes_the_half_at_once_pays_a_74th(chance: str) -> None:
    table = opened("es", {"ana": 100})
    (id,) = table.stake("ana", f"{chance}:100")
    coup(table, 0)
    table.act(commands.ChooseAfterZero(by="ana", id=id, choice=Choice.HALF))
    line = table.last(ChoiceMade).line
    half = Fraction(line.returned, 100)
    assert on_simple("es", chance, DEEP, held=half) == Fraction(1, 74)


@pytest.mark.rule("ES-G.1", "AMB-ES-03", "AMB-ES-03b")
@pytest.mark.parametrize(
    ("withdraws_at", "value", "kept"),
    [
        (2, Fraction(73, 148), Fraction(75, 5476)),
        (3, Fraction(5401, 10952), Fraction(5551, 405224)),
    ],
)
def test_es_who_takes_a_quarter_or_an_eighth_later(
    withdraws_at: int, value: Fraction, kept: Fraction
) -> None:
    worth = prison_value("es", "red", 1, withdraws_at)
    assert worth == value
    assert on_simple("es", "red", DEEP, held=worth) == kept


@pytest.mark.rule("IT-gioco-14", "IT-gioco-15a", "IT-gioco-15b", "IT-gioco-15c", "IT-pay-9")
@pytest.mark.parametrize("chips", [*range(1, 12), 20, 21])
def test_it_a_simple_chance_costs_a_74th_for_even_and_for_odd_counts(chips: int) -> None:
    for chance in SIMPLE:
        value = always_prison("it", chance)
        assert value == Fraction(1, 2)
        assert on_simple("it", chance, chips, held=value) == Fraction(1, 74)


@pytest.mark.rule("AR-12", "BG-26")
@pytest.mark.parametrize("house", ["ar", "bg"])
def test_where_zero_takes_all_a_simple_chance_costs_a_37th(house: str) -> None:
    for chance in SIMPLE:
        assert on_simple(house, chance, 10, held=Fraction(0)) == Fraction(1, 37)


# C.3: the reduction -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "chips", "freed"),
    [
        case("AR-27.a", "split", 2, 1),
        case("AR-27.b", "corner", 4, 3),
        case("AR-27.c", "street", 3, 2),
        case("AR-27.d", "sixline", 6, 5),
    ],
)
def test_ar_so_many_chips_bring_as_much_as_one_pleno(kind: str, chips: int, freed: int) -> None:
    book = load("ar")
    rules = book.reduction
    assert rules is not None
    assert rules.into_straight[SpotClass(kind)] == chips
    assert chips * (class_pays(book, SpotClass(kind)) + 1) == 36
    assert class_pays(book, SpotClass.STRAIGHT) + 1 == 36
    assert chips - 1 == freed


@pytest.mark.rule("AMB-AR-04", "AMB-AR-01")
@pytest.mark.parametrize(
    ("worth", "mixes"),
    [
        ("straight", "0002 0021 0040 0300 1101 1120 2200 3001 3020 4100 6000"),
        ("split", "0001 0020 1100 3000"),
        ("street", "0100 2000"),
    ],
)
def test_ar_the_exact_mixes_of_lineas_calles_cuadros_and_semiplenos(worth: str, mixes: str) -> None:
    book = load("ar")
    classes = [SpotClass(each) for each in ("sixline", "street", "corner", "split")]
    values = [class_pays(book, kind) + 1 for kind in classes]
    wanted = class_pays(book, SpotClass(worth)) + 1
    found = {
        "".join(map(str, counts))
        for counts in product(range(7), repeat=4)
        if sum(n * value for n, value in zip(counts, values, strict=True)) == wanted
    }
    assert found == set(mixes.split())


# C.4: what so many chips are paid -----------------------------------------------------------------

PER_PIECES = """
  5  175   85   55  40  25
 10  350  170  110  80  50
 15  525  255  165 120  75
 20  700  340  220 160 100
 25  875  425  275 200 125
 30 1050  510  330 240 150
 35 1225  595  385 280 175
 40 1400  680  440 320 200
 45 1575  765  495 360 225
 50 1750  850  550 400 250
 55 1925  935  605 440 275
 60 2100 1020  660 480 300
 65 2275 1105  715 520 325
 70 2450 1190  770 560 350
 75 2625 1275  825 600 375
 80 2800 1360  880 640 400
 85 2975 1445  935 680 425
 90 3150 1530  990 720 450
 95 3325 1615 1045 760 475
100 3500 1700 1100 800 500
"""


@pytest.mark.rule("IT-pez-1", "IT-pay-1", "IT-pay-2", "IT-pay-5", "IT-pay-3", "IT-pay-6")
@pytest.mark.parametrize("row", PER_PIECES.strip().splitlines(), ids=lambda row: row.split()[0])
def test_it_payments_for_5_to_100_chips(row: str) -> None:
    chips, *paid = map(int, row.split())
    spots = ("17", "17/20", "16/18", "16/20", "13/18")
    assert [settle_line("it", 17, f"{on}:{chips}").won for on in spots] == paid


@pytest.mark.rule("IT-pez-1")
def test_it_the_table_of_payments_is_whole() -> None:
    rows = [row.split() for row in PER_PIECES.strip().splitlines()]
    assert [int(row[0]) for row in rows] == list(range(5, 105, 5))
    assert all(len(row) == 6 for row in rows)
