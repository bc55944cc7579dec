"""F7: the odds shown are the odds played, coup by coup at a real table."""

from fractions import Fraction
from typing import Any

import pytest

from novamas.game import announcements
from novamas.game.limits import Limits
from novamas.game.notation import Announced, parse_bets
from novamas.game.wheel import NUMBERS, Pocket, is_zero
from novamas.odds.layout import Layout
from novamas.odds.one_coup import odds_of
from novamas.odds.play import Play, held_in
from novamas.odds.player import Game
from novamas.odds.systems import SYSTEMS
from novamas.rulebooks import HOUSES, load, load_any
from novamas.table.script import run_script

PURSE = 10**6
Law = dict[int, Fraction]


def played(house: str, layout: str, numbers: list[Pocket], choices: list[str]) -> int:
    """What the player has gained at the table once these numbers have fallen."""
    script: list[dict[str, Any]] = []
    chances: list[str] = []
    for place, bet in enumerate(parse_bets(layout), start=1):
        name = {"id": f"b{place}", "player": "ana", "amount": bet.amount}
        if isinstance(bet.what, Announced):
            script.append({"do": "announce", "call": bet.what.name, **name})
        else:
            script.append({"do": "stake", "on": bet.what.name, **name})
            if bet.what.kind == "simple":
                chances.append(f"b{place}")
    zeros = 0
    for number in numbers:
        script += [{"do": "no_more_bets"}, {"do": "number", "number": number}]
        if is_zero(number):
            choice = choices[min(zeros, len(choices) - 1)]
            script += [{"do": "choose", "id": id, "choice": choice} for id in chances]
            zeros += 1
    table = {"id": "f7", "rulebook": house, "purses": {"ana": PURSE}, "script": script}
    purse: int = run_script(table, load_any)["purses"]["ana"]
    return purse - PURSE


def law_at_the_table(house: str, layout: str, choices: list[str], zeros: int) -> Law:
    """The law from every sequence of at most so many zeros and then another pocket."""
    law: Law = {}
    wheel = load(house).wheel.pockets
    # Every zero does the same; they are taken in turn.
    first = [wheel.zeros[place % len(wheel.zeros)] for place in range(zeros)]
    for before in range(zeros + 1):
        share = Fraction(len(wheel.zeros) ** before, len(wheel) ** (before + 1))
        for number in NUMBERS:
            net = played(house, layout, [*first[:before], number], choices)
            law[net] = law.get(net, Fraction(0)) + share
    return law


def check_shown(house: str, layout: str, choice: str = "prison", *, zeros: int = 1) -> None:
    """What is shown and what is played differ by no more than the sequences left out."""
    shown = odds_of(load(house), layout, choice=choice).outcomes
    table = law_at_the_table(house, layout, choice.split(","), zeros)
    wheel = load(house).wheel.pockets
    left_out = Fraction(len(wheel.zeros), len(wheel)) ** (zeros + 1)
    assert set(table) <= set(shown)
    assert sum(table.values()) + left_out == sum(shown.values()) == 1
    for net, chance in shown.items():
        assert 0 <= chance - table.get(int(net), 0) <= left_out


def played_together(house: str, layouts: list[str], number: Pocket) -> list[int]:
    """What each layout has gained, every one of them laid by a player of its own."""
    seats = load(house).seats
    room = len(layouts) if seats is None else seats.at_most
    return [
        net
        for first in range(0, len(layouts), room)
        for net in played_at_one_table(house, layouts[first : first + room], number)
    ]


def played_at_one_table(house: str, layouts: list[str], number: Pocket) -> list[int]:
    """The same for as many players as sit at one table."""
    script: list[dict[str, Any]] = []
    for place, layout in enumerate(layouts):
        (bet,) = parse_bets(layout)
        what = {"id": f"b{place}", "player": f"p{place}", "amount": bet.amount}
        if isinstance(bet.what, Announced):
            script.append({"do": "announce", "call": bet.what.name, **what})
        else:
            script.append({"do": "stake", "on": bet.what.name, **what})
    script += [{"do": "no_more_bets"}, {"do": "number", "number": number}]
    purses = {f"p{place}": PURSE for place in range(len(layouts))}
    table = {"id": "f7", "rulebook": house, "purses": purses, "script": script}
    outcome = run_script(table, load_any)
    assert not outcome["refused"]
    return [outcome["purses"][player] - PURSE for player in purses]


def check_all_shown(house: str, layouts: list[str]) -> None:
    """For layouts that zero decides like any other pocket, both laws are equal."""
    laws: list[Law] = [{} for _ in layouts]
    wheel = load(house).wheel.pockets
    for number in wheel:
        for law, net in zip(laws, played_together(house, layouts, number), strict=True):
            law[net] = law.get(net, Fraction(0)) + Fraction(1, len(wheel))
    for law, layout in zip(laws, layouts, strict=True):
        assert law == odds_of(load(house), layout).outcomes, layout


@pytest.mark.parametrize("house", HOUSES)
def test_every_bet_on_the_numbers_and_on_the_double_chances(house: str) -> None:
    spots = [spot for spot in load(house).terms if spot.kind != "simple"]
    assert len(spots) >= 151
    check_all_shown(house, [f"{spot.name}:{10 + place}" for place, spot in enumerate(spots)])


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("chance", ["red", "black", "even", "odd", "low", "high"])
def test_every_simple_chance(house: str, chance: str) -> None:
    check_shown(house, f"{chance}:10")
    check_shown(house, f"{chance}:7")


@pytest.mark.parametrize("house", ["it", "bg", "fran"])
def test_every_announcement(house: str) -> None:
    layouts = []
    for call in announcements.names(load(house)):
        found = announcements.call_of(load(house), call)
        assert found is not None
        layouts.append(f"{call}:{5 * len(found.pieces)}")
    assert len(layouts) > 37
    check_all_shown(house, layouts)


@pytest.mark.parametrize("choice", ["prison", "half", "prison,half", "prison,prison,half"])
@pytest.mark.parametrize("layout", ["red:10", "red:7 even:12 17:5", "low:1 high:1 d1+d2:3"])
@pytest.mark.parametrize("house", ["es", "fr"])
def test_each_choice_after_zero(house: str, layout: str, choice: str) -> None:
    check_shown(house, layout, choice, zeros=4)


@pytest.mark.parametrize(
    ("house", "layout"),
    [
        ("it", "red:7 even:5 17:5 voisins:9"),
        ("it", "red:5 red:6 low:9 f4/7:6"),
        ("bg", "red:10 17~2:5 tiers:6 0/1/2/3:4"),
        ("ar", "red:10 low+d3:7 c1+c2:5 0/3:2"),
        ("fr", "red:9 d1+d2:5 c2+c3:4 0/1/2/3:4"),
        ("fran", "red:7 red:4 even:3 d1+d2:5 voisins:9"),
        ("esam", "red:1 red:1 red:3 black:15 c1+c2:3"),
    ],
)
def test_layouts_of_many_spots(house: str, layout: str) -> None:
    check_shown(house, layout, zeros=2)


@pytest.mark.parametrize(
    ("house", "layout"),
    [
        ("fram", "0/00/1/2/3:5 00:5 red:7 d1:3 36:2"),
        ("sd", "0/00/1/2/3:5 00:3 0/00/2:4 black:7 17/20:3"),
        ("sd", "00:1 0:2 0/00:3 low:1"),
    ],
)
def test_layouts_on_two_zeros(house: str, layout: str) -> None:
    """Nothing goes to prison here, so one coup decides all, and each zero is played."""
    law: Law = {}
    wheel = load(house).wheel.pockets
    for number in wheel:
        net = played(house, layout, [number], ["prison"])
        law[net] = law.get(net, Fraction(0)) + Fraction(1, len(wheel))
    assert law == odds_of(load(house), layout).outcomes


PLAYED = [
    *(17, 0, 0, 9, 30, 2, 0, 11, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4, 0, 0, 0, 1, 36, 8, 12, 0, 24),
    *(7, 7, 0, 35, 33, 31, 19, 28, 0, 26, 3, 14, 20, 22),
]
"""Numbers that win, lose, repeat and lead into prison more often than chance would."""


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_a_system_is_played_as_at_the_table(house: str, system: str) -> None:
    """The purse goes coup by coup as the table's own does, prison and limits included."""
    limits = {"simple": {"min": 5, "max": 60}}
    play = Play(Layout.read(load(house), "red:5"), limits=Limits.of(limits))
    game = Game(play, SYSTEMS[system], 400)
    at = game.start()
    script: list[dict[str, Any]] = []
    expected: list[int] = []
    for coup, number in enumerate(PLAYED):
        if isinstance(at, str):
            # Who is ruined lays nothing more; that takes more than a few coups here.
            assert at == "ruin"
            assert coup > 12
            break
        times = game.lays(at)
        if times:
            stake = {"id": f"b{coup}", "player": "ana", "on": "red", "amount": 5 * times}
            script.append({"do": "stake", **stake})
        script += [{"do": "no_more_bets"}, {"do": "number", "number": number}]
        _, at, wealth = game.after(at, number)
        expected.append(wealth - (0 if isinstance(at, str) else held_in(at.prison)))
    table = {"id": "f7", "rulebook": house, "purses": {"ana": 400}, "limits": limits}
    outcome = run_script({**table, "settings": {"limits": "enforced"}, "script": script}, load_any)
    assert not outcome["refused"]
    assert [coup["purses"]["ana"] for coup in outcome["coups"]] == expected
