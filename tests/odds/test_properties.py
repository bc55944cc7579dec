"""What holds for any layout: laws that are laws, edges that mix, and precision that is kept."""

from fractions import Fraction
from functools import cache

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from novamas.game import announcements
from novamas.game.cloth import SpotClass
from novamas.odds.many_coups import ExactResults, RoundedResults, after_coups
from novamas.odds.one_coup import Odds, odds_of
from novamas.odds.ruin import ruin_of
from novamas.odds.systems import SYSTEMS
from novamas.rulebooks import HOUSES, load

houses = st.sampled_from(HOUSES)
choices = st.lists(st.sampled_from(["half", "prison"]), min_size=1, max_size=3)
few = settings(max_examples=40)


@st.composite
def layouts(draw: st.DrawFn, house: str, *, most: int = 30, largest: int = 5) -> list[str]:
    """Some bets that the house takes."""
    book = load(house)
    spots = st.sampled_from([spot.name for spot in book.terms])
    simple = st.sampled_from([s.name for s in book.terms if s.kind is SpotClass.SIMPLE])
    bets = [
        f"{name}:{draw(st.integers(1, most))}"
        for name in draw(st.lists(st.one_of(simple, spots), min_size=1, max_size=largest))
    ]
    called = st.sampled_from(announcements.names(book) or ("none",))
    call = announcements.call_of(book, draw(called))
    if call is not None and draw(st.booleans()):
        bets.append(f"{call.name}:{len(call.pieces) * draw(st.integers(1, 5))}")
    return bets


def mean(odds: Odds) -> Fraction:
    return sum((net * p for net, p in odds.outcomes.items()), Fraction(0))


@given(house=houses, data=st.data(), choice=choices)
def test_a_law_is_a_law(house: str, data: st.DataObject, choice: list[str]) -> None:
    odds = odds_of(load(house), " ".join(data.draw(layouts(house))), choice=choice)
    assert sum(odds.outcomes.values()) == 1
    assert all(p > 0 for p in odds.outcomes.values())
    assert list(odds.outcomes) == sorted(odds.outcomes)
    assert mean(odds) == odds.expectation
    square = sum((net * net * p for net, p in odds.outcomes.items()), Fraction(0))
    cube = sum(((net - odds.expectation) ** 3 * p for net, p in odds.outcomes.items()), Fraction(0))
    assert odds.variance == square - odds.expectation**2
    assert odds.third_moment == cube
    assert odds.coups >= 1
    assert odds.gain + odds.even <= 1
    assert min(odds.outcomes) >= -odds.stake


@given(house=houses, data=st.data(), choice=choices)
def test_the_edge_of_a_mix_is_the_mean_of_its_edges_by_stake(
    house: str, data: st.DataObject, choice: list[str]
) -> None:
    bets = data.draw(layouts(house))
    whole = odds_of(load(house), " ".join(bets), choice=choice, divisible=True)
    parts = [odds_of(load(house), bet, choice=choice, divisible=True) for bet in bets]
    assert whole.stake == sum(part.stake for part in parts)
    assert whole.edge * whole.stake == sum(part.edge * part.stake for part in parts)


@given(house=houses, data=st.data(), times=st.integers(2, 50))
def test_a_divisible_layout_has_no_size(house: str, data: st.DataObject, times: int) -> None:
    bets = data.draw(layouts(house))
    larger = [f"{bet.split(':')[0]}:{int(bet.split(':')[1]) * times}" for bet in bets]
    once = odds_of(load(house), " ".join(bets), divisible=True)
    more = odds_of(load(house), " ".join(larger), divisible=True)
    assert {net * times: p for net, p in once.outcomes.items()} == more.outcomes
    assert once.edge == more.edge
    assert once.variance * times**2 == more.variance


@given(house=houses, data=st.data())
def test_whole_units_are_never_worse_for_the_player(house: str, data: st.DataObject) -> None:
    """What does not come out even goes to the player (X-03)."""
    text = " ".join(data.draw(layouts(house)))
    assert odds_of(load(house), text).edge <= odds_of(load(house), text, divisible=True).edge


@few
@given(house=houses, data=st.data(), coups=st.integers(1, 40), choice=choices)
def test_floating_point_keeps_its_promise(
    house: str, data: st.DataObject, coups: int, choice: list[str]
) -> None:
    text = " ".join(data.draw(layouts(house, most=6, largest=2)))
    rounded = after_coups(load(house), text, coups, choice=choice, exact=False)
    assert isinstance(rounded, RoundedResults)
    assume(rounded.spectrum.width < 3_000)
    exact = after_coups(load(house), text, coups, choice=choice, exact=True)
    assert isinstance(exact, ExactResults)
    assert exact.total == sum(exact.ways.values())
    for net in list(exact.ways)[:: max(1, len(exact.ways) // 25)]:
        assert abs(rounded.at_most(net) - exact.at_most(net)) <= rounded.precision
        assert abs(rounded.chance(net) - exact.chance(net)) <= rounded.precision


@few
@given(
    house=houses,
    system=st.sampled_from([name for name, each in SYSTEMS.items() if not each.keeps_line]),
    bankroll=st.integers(1, 12),
    more=st.integers(1, 8),
    bet=st.sampled_from(["red:1", "d1:1", "red:2", "17:1", "red:1 d1:1"]),
)
def test_no_system_beats_the_edge(
    house: str, system: str, bankroll: int, more: int, bet: str
) -> None:
    """What a purse loses on average is the edge of what it staked on average."""
    found = ruin_of(
        load(house), bet, bankroll, target=bankroll + more, system=system, choice="half"
    )
    assert abs(float(found.ruin) + float(found.reached) - 1) <= 2 * found.precision + 1e-15
    # With few units, what does not come out even makes the edge depend on the stake a little.
    edges = _edges(house, bet)
    loss, staked = bankroll - float(found.purse), float(found.turnover)
    assert float(min(edges)) * staked - 1e-9 <= loss <= float(max(edges)) * staked + 1e-9


@cache
def _edges(house: str, bet: str) -> list[Fraction]:
    """The edge of a layout, laid once, twice and so on."""
    book = load(house)
    return [odds_of(book, _times(bet, times), choice="half").edge for times in range(1, 40)]


def _times(bet: str, times: int) -> str:
    return " ".join(
        f"{name}:{int(amount) * times}" for name, amount in (one.split(":") for one in bet.split())
    )
