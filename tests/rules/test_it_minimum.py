"""Italy, the minimum: five pieces, value chips, and what is sent back at "Rien ne va plus"."""

import pytest

from novamas.game.rulebook.behaviours import ChipKind
from novamas.table import commands
from novamas.table.events import StakesReturned
from tests.rules.helpers import Table, coup, opened

VALUE, COLOUR = ChipKind.VALUE, ChipKind.COLOUR


def returned(table: Table) -> dict[str, tuple[str, ...]]:
    """Close betting: the spots whose stakes go back, with the articles."""
    spots = {id: stake.spot.name for id, stake in table.state.stakes.items()}
    before = len(table.events)
    table.close()
    return {
        spots[id]: articles
        for event in table.events[before:]
        if isinstance(event, StakesReturned)
        for id, _, articles in event.returned
    }


def announce(table: Table, call: str, amount: int, player: str = "ana") -> None:
    """Make an announcement."""
    table.act(
        commands.Announce(by=player, id=f"{player} {call}", player=player, call=call, amount=amount)
    )


# Colour chips -------------------------------------------------------------------------------------


@pytest.mark.rule("IT-general-2a", "AMB-IT-21")
@pytest.mark.parametrize(
    ("laid", "back"),
    [
        ("red:5", ""),
        ("red:4", "red"),
        ("red:3 black:2", "red black"),
        ("red:3 red:2", ""),
        ("d1:5 c2:5", ""),
        ("d1:4 c2:5", "d1"),
        ("d1:5 c2:4", "c2"),
        ("d1:3 d2:2", "d1 d2"),
        ("red:4 17:5", "red"),
        ("red:6 even:1", "even"),
    ],
)
def test_it_general_2a_five_chips_together_on_each_box(laid: str, back: str) -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", laid)
    assert returned(table) == dict.fromkeys(back.split(), ("IT-general-2a", "AMB-IT-21"))


@pytest.mark.rule("IT-general-2b", "AMB-IT-03", "AMB-IT-21")
@pytest.mark.parametrize(
    ("laid", "back"),
    [
        ("1:1 7:1 13:1 20:1 36:1", ""),
        ("1:1 7/8:1 13/15:1 20/24:1 31/36:1", ""),
        ("17:5", ""),
        ("17:4", "17"),
        ("17:2 8/11:2", "17 8/11"),
        ("17:2 8/11:2 0:1", ""),
        ("17:4 red:5", "17"),
        ("1:1 2:1 3:1 4:1 red:4", "1 2 3 4 red"),
    ],
)
def test_it_general_2b_five_pieces_in_all_on_the_numbers(laid: str, back: str) -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", laid)
    found = returned(table)
    assert set(found) == set(back.split())
    assert all(
        articles
        == (("IT-general-2a", "AMB-IT-21") if name == "red" else ("IT-general-2b", "AMB-IT-21"))
        for name, articles in found.items()
    )


@pytest.mark.rule("IT-general-2a", "IT-general-2b", "X-05")
def test_it_general_2_what_two_players_lay_does_not_count_together() -> None:
    table = opened("it", {"ana": 100, "ben": 100})
    table.stake("ana", "red:3 17:3")
    table.stake("ben", "red:2 17:2")
    assert set(returned(table)) == {"red", "17"}
    assert (table.purse("ana"), table.purse("ben"), table.state.on_cloth) == (100, 100, 0)


@pytest.mark.rule("IT-general-2a", "IT-general-2b", "IT-general-1")
@pytest.mark.parametrize(
    ("laid", "back"),
    [
        ("red:25", set()),
        ("red:20", {"red"}),
        ("17:10 8/11:10", {"17", "8/11"}),
        ("17:10 8/11:15", set()),
        ("17:25", set()),
    ],
)
def test_it_general_2_the_pieces_are_chips_whatever_they_are_worth(
    laid: str, back: set[str]
) -> None:
    table = opened("it", {"ana": 200}, chip=5)
    table.stake("ana", laid)
    assert set(returned(table)) == back


@pytest.mark.rule("X-05", "AMB-IT-21")
def test_it_x_05_the_minimum_is_judged_at_the_close_on_all_that_lies_there() -> None:
    table = opened("it", {"ana": 100})
    for _ in range(4):
        table.stake("ana", "red:1")
    table.stake("ana", "black:1")
    table.launch()
    table.stake("ana", "red:1")
    assert set(returned(table)) == {"black"}
    assert (table.purse("ana"), table.state.on_cloth) == (95, 5)
    sums = coup(table, 9).of("ana")
    assert (sums.won, sums.returned, sums.lost) == (5, 6, 0)


@pytest.mark.rule("AMB-IT-21", "IT-general-2a")
def test_it_amb_21_a_stake_that_was_sent_back_neither_wins_nor_loses() -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", "red:4 black:4")
    sums = coup(table, 9).of("ana")
    assert (sums.won, sums.returned, sums.lost) == (0, 8, 0)
    assert (table.purse("ana"), table.state.bank) == (100, 0)


@pytest.mark.rule("IT-gioco-15a", "IT-general-2a")
def test_it_gioco_15a_a_chip_in_prison_is_under_no_minimum() -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", "red:5")
    coup(table, 0)
    assert returned(table) == {}
    assert sum(prisoner.amount for prisoner in table.state.prison.values()) == 1


# Announcements ------------------------------------------------------------------------------------


@pytest.mark.rule("AMB-IT-03")
@pytest.mark.parametrize(
    ("call", "amount"), [("zerospiel", 4), ("f8/9", 4), ("f7", 3), ("f4/7", 3), ("tiers", 6)]
)
def test_it_amb_03_an_announcement_plays_even_alone(call: str, amount: int) -> None:
    table = opened("it", {"ana": 100})
    announce(table, call, amount)
    assert returned(table) == {}
    assert table.state.on_cloth == amount


@pytest.mark.rule("AMB-IT-03", "IT-general-2b")
@pytest.mark.parametrize(
    ("call", "amount", "laid", "back"),
    [
        ("zerospiel", 4, "5:1", set()),
        ("f7", 3, "5:1", {"5"}),
        ("f7", 3, "5:2", set()),
        ("f7", 3, "5:1 red:4", {"5", "red"}),
        ("voisins", 9, "red:4", {"red"}),
    ],
)
def test_it_amb_03_the_pieces_of_an_announcement_count_with_the_others(
    call: str, amount: int, laid: str, back: set[str]
) -> None:
    table = opened("it", {"ana": 100})
    announce(table, call, amount)
    table.stake("ana", laid)
    assert set(returned(table)) == back


@pytest.mark.rule("AMB-IT-03")
def test_it_amb_03_the_announcement_of_another_player_does_not_help() -> None:
    table = opened("it", {"ana": 100, "ben": 100})
    announce(table, "voisins", 9, player="ben")
    table.stake("ana", "5:4")
    assert set(returned(table)) == {"5"}


# Value chips --------------------------------------------------------------------------------------


@pytest.mark.rule("IT-general-6a")
@pytest.mark.parametrize("laid", ["17:1", "17/20:1", "16/18:1", "25/29:1", "13/18:1"])
def test_it_general_6a_one_value_chip_on_the_numbers_plays(laid: str) -> None:
    table = opened("it", {"val": 100}, value_chips=["val"])
    table.stake("val", laid)
    assert returned(table) == {}


@pytest.mark.rule("AMB-IT-04", "IT-pay-10", "IT-general-6a")
@pytest.mark.parametrize("name", ["d1", "d2", "d3", "c1", "c2", "c3"])
def test_it_amb_04_one_value_chip_on_a_dozen_or_a_column_plays(name: str) -> None:
    table = opened("it", {"val": 100, "ana": 100}, value_chips=["val"])
    table.stake("val", f"{name}:1")
    table.stake("ana", f"{name}:1")
    assert returned(table) == {name: ("IT-general-2a", "AMB-IT-21")}
    assert {stake.player for stake in table.state.stakes.values()} == {"val"}


@pytest.mark.rule("IT-general-6b")
@pytest.mark.parametrize("name", ["low", "high", "red", "black", "even", "odd"])
@pytest.mark.parametrize(("amount", "plays"), [(20, False), (24, False), (25, True), (30, True)])
def test_it_general_6b_value_chips_on_a_simple_chance_are_worth_five_colour_chips(
    name: str, amount: int, *, plays: bool
) -> None:
    table = opened("it", {"val": 100}, chip=5, value_chips=["val"])
    table.stake("val", f"{name}:{amount}")
    assert returned(table) == ({} if plays else {name: ("IT-general-6b", "AMB-IT-21")})


@pytest.mark.rule("AMB-IT-20", "IT-general-6a", "IT-general-1")
@pytest.mark.parametrize(("amount", "plays"), [(4, False), (5, True), (7, True)])
@pytest.mark.parametrize("name", ["17", "13/18", "d1", "c3"])
def test_it_amb_20_a_value_chip_is_worth_the_minimum_of_the_table_at_least(
    name: str, amount: int, *, plays: bool
) -> None:
    table = opened("it", {"val": 100}, chip=5, value_chips=["val"])
    table.stake("val", f"{name}:{amount}")
    short = {name: ("IT-general-6a", "AMB-IT-20", "AMB-IT-21")}
    assert returned(table) == ({} if plays else short)


@pytest.mark.rule("AMB-IT-20", "X-05")
def test_it_amb_20_small_value_chips_on_one_spot_count_together() -> None:
    table = opened("it", {"val": 100}, chip=5, value_chips=["val"])
    table.stake("val", "17:2 17:3 18:2 19:3")
    assert set(returned(table)) == {"18", "19"}


@pytest.mark.rule("IT-general-6a", "IT-general-2b")
def test_it_general_6a_value_chips_do_not_fill_up_the_five_pieces_of_a_colour() -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", "17:4")
    table.stake("ana", "20:5", chips=VALUE)
    assert returned(table) == {"17": ("IT-general-2b", "AMB-IT-21")}


@pytest.mark.rule("IT-general-6a")
def test_it_general_6a_one_player_may_lay_chips_of_both_kinds() -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", "17:5", chips=COLOUR)
    table.stake("ana", "17:1 d1:1", chips=VALUE)
    assert returned(table) == {}
    kinds = [stake.kind for stake in table.state.stakes.values()]
    assert kinds == [COLOUR, VALUE, VALUE]


# The placard --------------------------------------------------------------------------------------

PLACARD = {"straight": {"min": 2}, "simple": {"min": 10}}


@pytest.mark.rule("IT-general-15a", "X-05")
def test_it_general_15a_a_stake_below_the_minimum_of_the_sign_goes_back() -> None:
    table = opened("it", {"ana": 100}, limits=PLACARD)
    table.stake("ana", "red:9 black:10 17:1 18:6")
    sign = ("X-05", "IT-general-15a")
    assert returned(table) == {"red": sign, "17": sign}
    assert table.state.limits.as_data() == PLACARD


@pytest.mark.rule("IT-general-2b", "X-05")
def test_it_general_2b_what_the_sign_sends_back_does_not_count_among_the_five_pieces() -> None:
    table = opened("it", {"ana": 100}, limits=PLACARD)
    table.stake("ana", "17:1 18:4")
    assert returned(table) == {
        "17": ("X-05", "IT-general-15a"),
        "18": ("IT-general-2b", "AMB-IT-21"),
    }


@pytest.mark.rule("IT-general-15a", "AMB-IT-03")
def test_it_amb_03_the_price_of_an_announcement_is_its_minimum_on_the_sign_too() -> None:
    table = opened("it", {"ana": 100}, limits=PLACARD)
    announce(table, "f3", 4)
    assert returned(table) == {}
