"""The published odds: what each house keeps of every bet, as fractions, from the engine itself."""

from fractions import Fraction

import pytest

from novamas.game import announcements
from novamas.game.cloth import SpotClass
from novamas.game.rulebook.reader import read_rulebook
from novamas.odds.errors import LayoutError
from novamas.odds.law import Carrier
from novamas.odds.layout import Layout
from novamas.odds.one_coup import odds_of
from novamas.odds.play import Play
from novamas.rulebooks import HOUSES, load, source

PLAIN = Fraction(1, 37)
HALF = Fraction(1, 74)
TWO_ZEROS = Fraction(1, 19)
PRISON = Fraction(1, 73)
EDGES = {
    "ar": (PLAIN, PLAIN),
    "es": (PLAIN, PRISON),
    "it": (PLAIN, HALF),
    "bg": (PLAIN, PLAIN),
    "fr": (PLAIN, PRISON),
    "fram": (TWO_ZEROS, TWO_ZEROS),
    "fran": (PLAIN, HALF),
    "esam": (PLAIN, HALF),
    "sd": (TWO_ZEROS, TWO_ZEROS),
}
"""House → what it keeps of any bet, and of a simple chance that stays in prison."""
FIVE = Fraction(3, 38)
EVERY_BET = [(house, spot.name) for house in HOUSES for spot in load(house).terms]
EVERY_CALL = [(house, call) for house in HOUSES for call in announcements.names(load(house))]


@pytest.mark.parametrize("house", HOUSES)
def test_the_edge_of_every_bet(house: str) -> None:
    book = load(house)
    plain, simple = EDGES[house]
    for spot in book.terms:
        expected = {SpotClass.SIMPLE: simple, SpotClass.FIVE: FIVE}.get(spot.kind, plain)
        assert odds_of(book, f"{spot.name}:2", divisible=True).edge == expected, spot.name
        even = odds_of(book, f"{spot.name}:1024", choice="half")
        halved = {SpotClass.SIMPLE: HALF if simple == PRISON else simple}
        assert even.edge == {**halved, SpotClass.FIVE: FIVE}.get(spot.kind, plain), spot.name
        assert even.hits == Fraction(len(spot.numbers), len(book.wheel.pockets))


@pytest.mark.parametrize("house", ["it", "bg", "fran"])
def test_the_edge_of_every_announcement(house: str) -> None:
    for call in (name for at, name in EVERY_CALL if at == house):
        found = announcements.call_of(load(house), call)
        assert found is not None
        odds = odds_of(load(house), f"{call}:{len(found.pieces)}")
        covered = {number for spot in found.pieces for number in spot.numbers}
        assert odds.edge == PLAIN, call
        assert odds.hits == Fraction(len(covered), 37)


def test_every_bet_and_every_announcement_is_there() -> None:
    kinds = {house: {load(house).terms[s].spot.kind for s in load(house).terms} for house in HOUSES}
    bets = {house: sum(1 for at, _ in EVERY_BET if at == house) for house in HOUSES}
    straddles = {"ar": 5, "es": 4, "fr": 4, "fran": 4, "esam": 4}
    zeros = {house: 161 if house in ("fram", "sd") else 157 for house in HOUSES}
    assert bets == {house: zeros[house] + straddles.get(house, 0) for house in HOUSES}
    apart = {SpotClass.STRADDLE, SpotClass.FIVE}
    assert all(set(SpotClass) - kinds[house] <= apart for house in HOUSES)
    called = {house: sum(1 for h, _ in EVERY_CALL if h == house) for house in HOUSES}
    # Italy: six calls, 27 finals and 37 sectors. The English roulette of France: three, 10 and 37.
    assert called["it"] == 6 + 27 + 37
    assert called["fran"] == 3 + 10 + 37
    assert {house for house in HOUSES if not called[house]} == {*HOUSES} - {"it", "bg", "fran"}
    assert called["bg"] > 37


@pytest.mark.parametrize(
    ("choice", "edge"),
    [
        ("prison", Fraction(1, 73)),
        ("half", Fraction(1, 74)),
        ("prison,half", Fraction(75, 5476)),
        ("prison,prison,half", Fraction(5551, 405224)),
    ],
)
def test_each_choice_after_zero(choice: str, edge: Fraction) -> None:
    for house in ("es", "fr"):
        assert odds_of(load(house), "red:1", choice=choice, divisible=True).edge == edge
        # Many spots are chosen for alike, and a divisible stake has no size.
        mixed = odds_of(load(house), "red:7 even:3 low:1", choice=choice, divisible=True)
        assert mixed.edge == edge


def test_a_prison_that_stays_intact() -> None:
    book = read_rulebook(source("es").replace('again = "halve"', 'again = "stay"'), file="stay")
    assert odds_of(book, "red:1").edge == HALF
    assert odds_of(book, "red:7 even:3").edge == HALF


def test_a_second_zero_that_loses_all() -> None:
    """The reading of ES that was not chosen, as a book."""
    book = read_rulebook(source("es").replace('again = "halve"', 'again = "lose"'), file="lose")
    for layout in ("red:2", "red:8 even:4"):
        assert odds_of(book, layout).edge == Fraction(19, 1369)
        assert odds_of(book, layout, choice="half").edge == HALF
    # A unit in prison is worth 18/37.
    assert Fraction(1, 37) * (1 - Fraction(18, 37)) == Fraction(19, 1369)


@pytest.mark.parametrize(
    ("choice", "value"),
    [
        ("prison", Fraction(36, 73)),
        ("prison,half", Fraction(73, 148)),
        ("prison,prison,half", Fraction(5401, 10952)),
    ],
)
def test_what_a_unit_in_prison_is_worth(choice: str, value: Fraction) -> None:
    for house in ("es", "fr"):
        odds = odds_of(load(house), "red:1", choice=choice, divisible=True)
        # A unit in prison is lost but for its value, once in 37 coups.
        assert odds.edge == Fraction(1, 37) * (1 - value)


@pytest.mark.parametrize("chips", range(1, 12))
def test_an_odd_chip_costs_the_player_nothing(chips: int) -> None:
    assert odds_of(load("it"), f"red:{chips}").edge == HALF


@pytest.mark.parametrize(
    ("chips", "edge"),
    [(5, Fraction(93, 6845)), (7, Fraction(130, 9583)), (9, Fraction(167, 12321))],
)
def test_an_odd_chip_that_the_next_zero_took(chips: int, edge: Fraction) -> None:
    """The reading that was not chosen (AMB-IT-01), as a book."""
    book = read_rulebook(source("it").replace('again = "stay"', 'again = "lose"'), file="lose")
    assert odds_of(book, f"red:{chips}").edge == edge


def test_whole_units_stop_halving_at_one() -> None:
    assert odds_of(load("es"), "red:1").edge == HALF
    two = odds_of(load("es"), "red:2")
    assert two.outcomes == {
        -2: Fraction(18, 37) + Fraction(18, 1369) + Fraction(1, 37**2) * Fraction(1, 2),
        -1: Fraction(1, 37**2) * Fraction(1, 2),
        0: Fraction(18, 1369),
        2: Fraction(18, 37),
    }
    # The more units a stake has, the nearer it comes to one that can always be halved.
    edges = [odds_of(load("es"), f"red:{4**power}").edge for power in range(6)]
    assert edges == sorted(edges)
    assert Fraction(1, 73) - edges[-1] < Fraction(1, 10**7)


def test_a_half_below_the_minimum_stays_in_prison() -> None:
    from novamas.game.limits import Limits

    limits = Limits.of({"simple": {"min": 5, "max": 1000}})
    free = odds_of(load("es"), "red:12", choice="prison,half")
    bound = odds_of(load("es"), "red:12", choice="prison,half", limits=limits)
    # At the second zero six are left, and their half of three may not be taken.
    assert free.outcomes[-9] == Fraction(1, 1369)
    assert -9 not in bound.outcomes or bound.outcomes[-9] < Fraction(1, 1369)
    assert bound.coups > free.coups
    large = odds_of(load("es"), "red:40", choice="prison,half", limits=limits)
    assert large.outcomes == odds_of(load("es"), "red:40", choice="prison,half").outcomes
    # The French text has no such sentence (AMB-FR-04).
    taken = odds_of(load("fr"), "red:12", choice="prison,half", limits=limits)
    assert taken.outcomes == free.outcomes


def test_the_closed_forms_of_a_straight() -> None:
    for house in HOUSES:
        odds = odds_of(load(house), "17:1")
        n = len(load(house).wheel.pockets)
        p = Fraction(1, n)
        assert n == (38 if house in ("fram", "sd") else 37)
        assert odds.outcomes == {-1: 1 - p, 35: p}
        assert odds.variance == 36**2 * p * (1 - p)
        assert odds.third_moment == 36**3 * p * (1 - p) * (1 - 2 * p)
        assert odds.skewness == pytest.approx((1 - 2 / n) / ((n - 1) / n**2) ** 0.5)
        assert odds.gain == odds.hits == p
        assert odds.even == 0
        assert odds.coups == 1


def test_how_long_prison_lasts() -> None:
    # Each zero adds a coup, and after each zero another comes once in 37.
    assert odds_of(load("es"), "red:1").coups == 1 + Fraction(1, 37) * Fraction(37, 36)
    assert odds_of(load("es"), "red:1", choice="half").coups == 1
    assert odds_of(load("it"), "red:2").coups == 1
    assert odds_of(load("it"), "red:3").coups == Fraction(37, 36)


def test_a_divisible_stake_lists_all_but_what_it_says() -> None:
    odds = odds_of(load("es"), "red:1", divisible=True)
    assert sum(odds.outcomes.values()) + odds.unlisted == 1
    assert 0 < odds.unlisted < Fraction(1, 10**12)
    listed = sum(net * p for net, p in odds.outcomes.items())
    assert abs(listed - odds.expectation) <= odds.unlisted


def test_prisoners_are_carried_on_together() -> None:
    """Red and low share their pockets, so one coup decides both."""
    play = Play(Layout.read(load("es"), "red:1 low:1"))
    (zero,) = [turn for turn in play.turns() if turn.prison]
    law = Carrier(play).law(zero.prison)
    both = Fraction(9, 36)
    assert law.outcomes == {0: both, -1: Fraction(1, 2), -2: both}


@pytest.mark.parametrize(
    ("house", "layout", "says"),
    [
        ("it", "d1+d2:10", "does not offer d1+d2"),
        ("bg", "low+d3:10", "does not offer low+d3"),
        ("ar", "voisins:9", "takes no announcement voisins"),
        ("it", "voisins:10", "has 9 pieces"),
        ("it", "17~3:7", "takes no announcement 17~3"),
        ("fr", "00:1", "does not offer 00"),
        ("fram", "0/1/2/3:4", "does not offer 0/1/2/3"),
        ("fram", "d1+d2:2", "does not offer d1+d2"),
        ("esam", "0/00/1/2/3:5", "does not offer 0/00/1/2/3"),
        ("sd", "voisins:9", "takes no announcement voisins"),
        ("sd", "f0:4", "takes no announcement f0"),
    ],
)
def test_what_the_house_does_not_take(house: str, layout: str, says: str) -> None:
    with pytest.raises(LayoutError, match=says.replace("+", r"\+")) as refused:
        odds_of(load(house), layout)
    assert refused.value.articles
    assert all(article in load(house).articles for article in refused.value.articles)


def test_a_layout_outside_the_limits_is_refused() -> None:
    from novamas.game.limits import Limits

    limits = Limits.of({"simple": {"min": 10, "max": 100}, "straight": {"max": 5}})
    assert odds_of(load("it"), "red:10", limits=limits).edge == HALF
    with pytest.raises(LayoutError, match="above a maximum"):
        odds_of(load("it"), "red:101", limits=limits)
    with pytest.raises(LayoutError, match="too little"):
        odds_of(load("it"), "red:9", limits=limits)
    with pytest.raises(LayoutError, match="too little"):  # Five pieces, IT-general-2b.
        odds_of(load("it"), "17:4", limits=limits)
    with pytest.raises(LayoutError, match="chips are worth 5"):
        odds_of(load("it"), "17:7", chip=5)
    with pytest.raises(LayoutError, match="leave the limits out"):
        odds_of(load("es"), "red:10", limits=limits, divisible=True)
    for text in ("red:0", "red", "rouge"):
        with pytest.raises(ValueError, match="expected"):
            odds_of(load("it"), text)
    with pytest.raises(LayoutError, match="at least one bet"):
        odds_of(load("it"), " ")
    with pytest.raises(ValueError, match="no choice after zero"):
        odds_of(load("es"), "red:10", choice="quarter")


def test_a_layout_that_would_be_levelled() -> None:
    """FRAM-55-3.l, m: linked bets carry equal pieces, within the limits of a straight."""
    from novamas.game.limits import Limits

    limits = Limits.of({"straight": {"min": 1, "max": 20}, "split": {"min": 1, "max": 40}})
    assert odds_of(load("fram"), "17:5 17/20:5 1:10", limits=limits).edge == TWO_ZEROS
    with pytest.raises(
        LayoutError, match="17:5 is linked to other spots, and 2 of it would go back"
    ) as refused:
        odds_of(load("fram"), "17:5 17/20:3", limits=limits)
    assert "FRAM-55-3.l" in refused.value.articles
    assert Layout.read(load("fram"), "17/20:30").most(limits) == 1
    assert Layout.read(load("fram"), "17/20:10 d2:9").most(limits) == 4
    assert Layout.read(load("fram"), "17/20:10 17:10").most(limits) == 2
    assert Layout.read(load("sd"), "17/20:10 17:10").most(limits) == 2
    assert Layout.read(load("sd"), "17/20:10 1:5").most(limits) == 4
    with pytest.raises(LayoutError, match="above a maximum"):
        odds_of(load("fram"), "17/20:30 17/18:30", limits=limits)
