"""France, American roulette, article 55-3: maxima, linked combinations, the value of a colour."""

import pytest

from novamas.game.limits import placard
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import RefusalReason
from tests.rules.alike import check_maximum, of_minimum
from tests.rules.helpers import Table, case, coup, opened, refused


@pytest.mark.parametrize(
    ("on", "times"),
    [
        case("FRAM-55-3.d", "red", 360),
        case("FRAM-55-3.e", "00", 20),
        case("FRAM-55-3.f", "0/00", 40),
        case("FRAM-55-3.g", "0/00/2", 60),
        case("FRAM-55-3.h", "25/29", 80),
        case("FRAM-55-3.i", "0/00/1/2/3", 100),
        case("FRAM-55-3.j", "13/18", 120),
        case("FRAM-55-3.k", "d3", 240),
        case("FRAM-55-3.k", "c1", 240),
    ],
)
@pytest.mark.parametrize("minimum", [1, 5])
def test_fram_55_3_the_maximum_is_a_multiple_of_the_minimum(
    minimum: int, on: str, times: int
) -> None:
    check_maximum("fram", minimum, on, times)


@pytest.mark.rule("FRAM-55-3.a", "X-05")
def test_fram_55_3_a_one_minimum_holds_for_all_and_what_is_short_goes_back() -> None:
    assert {each["min"] for each in placard(load("fram"), 5).as_data().values()} == {5}
    table = of_minimum("fram", 5, {"ana": 100})
    table.stake("ana", "17:5 red:4")
    table.close()
    ((id, amount, articles),) = table.last(events.StakesReturned).returned
    assert (id, amount, articles) == ("s2", 4, ("FRAM-55-3.a", "X-05"))


@pytest.mark.rule("FRAM-55-3.n")
def test_fram_55_3_n_the_placard_of_an_open_table_does_not_change() -> None:
    table = of_minimum("fram", 5, {"ana": 100})
    change = commands.ChangeLimits(by=MANAGEMENT, limits={"straight": {"max": 300}})
    refusal = refused(table, change)
    assert (refusal.why, refusal.articles) == (
        RefusalReason.LIMITS_STAY_WHILE_OPEN,
        ("FRAM-55-3.n", "AMB-FR-11", "X-06"),
    )


# Linked combinations ------------------------------------------------------------------------------


def levelled(table: Table, player: str = "ana") -> dict[str, int]:
    """What a player has on each spot once betting is closed."""
    table.close()
    found: dict[str, int] = {}
    for stake in table.state.stakes.values():
        if stake.player == player:
            found[stake.spot.name] = found.get(stake.spot.name, 0) + stake.amount
    return found


@pytest.mark.parametrize(
    ("laid", "plays"),
    [
        # The least of a chain binds all of it; a number apart is free.
        case(
            "FRAM-55-3.l AMB-FRAM-04 AMB-FRAM-06",
            "17:5 17/20:3 20/23:4 1:10",
            {"17": 3, "17/20": 3, "20/23": 3, "1": 10},
        ),
        # Linked, a cheval has the maximum of a plein; alone it has its own.
        case("FRAM-55-3.m AMB-FRAM-07", "17/20:30 17/18:30", {"17/20": 20, "17/18": 20}),
        case("FRAM-55-3.m FRAM-55-3.f", "17/20:40", {"17/20": 40}),
        # Chances are linked with nothing.
        case(
            "FRAM-55-3.l AMB-FRAM-05",
            "17:5 13/18:5 16/20:5 d2:200 red:50",
            {"17": 5, "13/18": 5, "16/20": 5, "d2": 200, "red": 50},
        ),
        case(
            "FRAM-55-3.l AMB-FRAM-06",
            "0/00/1/2/3:25 0/00:8 00/3:14 3:9",
            {"0/00/1/2/3": 8, "0/00": 8, "00/3": 8, "3": 8},
        ),
        case("FRAM-55-3.l", "17:5 20:3", {"17": 5, "20": 3}),
    ],
)
def test_fram_55_3_l_linked_combinations_carry_equal_pieces(
    laid: str, plays: dict[str, int]
) -> None:
    table = of_minimum("fram", 1, {"ana": 1000})
    table.stake("ana", laid)
    staked = table.state.on_cloth
    assert levelled(table) == plays
    assert table.purse("ana") == 1000 - sum(plays.values())
    assert table.state.on_cloth == sum(plays.values()) <= staked


@pytest.mark.rule("FRAM-55-3.m", "AMB-FRAM-07")
def test_fram_55_3_m_the_maximum_of_a_plein_is_money_in_whole_pieces() -> None:
    limits = {"straight": {"min": 2, "max": 18}, "split": {"min": 2, "max": 36}}
    table = opened("fram", {"ana": 1000}, limits=limits, chip=4)
    table.stake("ana", "8/11:32 10/11:20")
    assert levelled(table) == {"8/11": 16, "10/11": 16}


@pytest.mark.rule("FRAM-55-3.l", "AMB-FRAM-06")
def test_fram_55_3_l_the_latest_chips_go_back_first_and_cite_why() -> None:
    table = of_minimum("fram", 1, {"ana": 1000})
    table.stake("ana", "17:2 17/20:3 17:3")
    table.close()
    returned = table.last(events.StakesReturned).returned
    assert [(id, amount) for id, amount, _ in returned] == [("s3", 2)]
    assert returned[0][2] == (
        *("FRAM-55-3.l", "FRAM-55-3.m"),
        *("AMB-FRAM-04", "AMB-FRAM-05", "AMB-FRAM-06", "AMB-FRAM-07"),
    )
    assert coup(table, 17).of("ana").won == 3 * 35 + 3 * 17


@pytest.mark.rule("FRAM-55-3.l")
def test_fram_55_3_l_two_players_are_linked_with_nothing() -> None:
    table = of_minimum("fram", 1, {"ana": 100, "luc": 100})
    table.stake("ana", "17:5")
    table.stake("luc", "17/20:9")
    assert levelled(table) == {"17": 5}
    assert table.purse("luc") == 91


@pytest.mark.rule("FRAM-55-3.l", "AMB-FRAM-06", "X-05")
def test_fram_55_3_l_what_is_short_is_gone_before_links_are_judged() -> None:
    table = of_minimum("fram", 5, {"ana": 1000})
    table.stake("ana", "17:20 17/20:4")
    assert levelled(table) == {"17": 20}


@pytest.mark.rule("FRAM-55-3.l", "AMB-FRAM-06", "FRAM-55-1.k")
def test_fram_55_3_l_a_later_close_judges_anew() -> None:
    table = of_minimum("fram", 1, {"ana": 1000})
    table.stake("ana", "17:5 17/20:3")
    table.close()
    table.void("object_in_wheel")
    table.stake("ana", "17:4")
    assert levelled(table) == {"17": 3, "17/20": 3}


@pytest.mark.rule("FRAM-55-3.m", "FRAM-55-3.e")
def test_fram_55_3_m_a_number_with_all_its_combinations_wins_3120_minima() -> None:
    terms = load("fram").terms
    numbers = [each.name for each in terms if 17 in each.numbers and each.kind.on_numbers]
    table = of_minimum("fram", 1, {"ana": 10_000})
    for name in numbers:
        table.stake("ana", f"{name}:20")
    assert len(numbers) == 12
    assert coup(table, 17).of("ana").won == 3120


# The value of a colour ----------------------------------------------------------------------------


def buy(amount: int, chip: int | None = None) -> commands.BuyChips:
    """The wish of ana to buy chips."""
    return commands.BuyChips(by="croupier-1", player="ana", amount=amount, chip=chip)


@pytest.mark.rule("FRAM-55-3.b")
@pytest.mark.parametrize(
    ("chip", "taken"), [(5, True), (50, True), (100, True), (2, False), (200, False)]
)
def test_fram_55_3_b_a_colour_is_worth_what_a_plein_takes(chip: int, *, taken: bool) -> None:
    table = of_minimum("fram", 5, {"ana": 0})
    if taken:
        table.act(buy(400, chip))
        assert table.state.players["ana"].chip == chip
    else:
        assert refused(table, buy(400, chip)).articles == ("FRAM-55-3.b", "FRAM-55-3.c")
        assert table.purse("ana") == 0


@pytest.mark.rule("FRAM-55-3.c")
def test_fram_55_3_c_without_a_word_a_chip_is_worth_the_minimum() -> None:
    table = of_minimum("fram", 6, {"ana": 0}, chip=2, live=True)
    table.act(buy(60))
    assert table.state.players["ana"].chip == 6


@pytest.mark.rule("AMB-FRAM-12")
def test_amb_fram_12_another_value_only_for_empty_hands() -> None:
    table = of_minimum("fram", 5, {"ana": 0})
    table.act(buy(50, 5))
    refusal = refused(table, buy(50, 10))
    assert refusal.why is RefusalReason.CHIP_VALUE_IS_SET
    assert "AMB-FRAM-12" in refusal.articles
    table.stake("ana", "17:50")
    coup(table, 20)
    table.act(buy(50, 10))
    assert table.state.players["ana"].chip == 10
