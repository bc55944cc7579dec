"""Argentina: what each suerte and each chance pays, what zero takes, and what is kept."""

import pytest

from novamas.game.rulebook.behaviours import Winning
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.state import State
from tests.rules.helpers import back, case, coup, opened, settle_line, settled, stakes


@pytest.mark.parametrize(
    ("bet", "pocket", "won", "comes_back"),
    [
        case("AR-5.a AMB-AR-01 X-01", "17:3", 17, 105, 108),
        case("AR-5.a AMB-AR-01", "17:1", 17, 35, 36),
        case("AR-5.a AR-5.b", "0:2", 0, 70, 72),
        case("AR-6.a X-01", "17/20:2", 20, 34, 36),
        case("AR-6.a", "0/3:1", 0, 17, 18),
        case("AR-7.a X-01", "16/20:5", 16, 40, 45),
        case("AR-7.a AR-7.d", "0/1/2/3:1", 0, 8, 9),
        case("AR-8.a X-01", "16/18:3", 18, 33, 36),
        case("AR-8.c", "0/1/2:2", 0, 22, 24),
        case("AR-8.d", "0/2/3:2", 3, 22, 24),
        case("AR-9.a X-01", "13/18:6", 13, 30, 36),
        case("AR-10 X-01", "red:100", 12, 100, 200),
        case("AR-10 AR-10.a", "low:10", 18, 10, 20),
        case("AR-10 AR-10.b", "high:10", 19, 10, 20),
        case("AR-10 AR-10.d", "black:10", 29, 10, 20),
        case("AR-10 AR-10.e", "even:10", 36, 10, 20),
        case("AR-10 AR-10.f", "odd:10", 35, 10, 20),
        case("AR-11 X-01", "d2:10", 13, 20, 30),
        case("AR-11 AR-11.b1", "c1:10", 34, 20, 30),
    ],
)
def test_ar_5_to_11_winnings_on_top_of_the_stake(
    bet: str, pocket: int, won: int, comes_back: int
) -> None:
    line = settle_line("ar", pocket, bet)
    assert line.won == won
    assert line.hand == comes_back
    assert (line.lost, line.held, line.stays, line.aside) == (0, 0, 0, 0)


@pytest.mark.parametrize(
    ("bet", "pocket"),
    [
        case("AR-5.b", "17:1", 20),
        case("AR-6.a", "17/20:1", 14),
        case("AR-7.b", "16/20:1", 18),
        case("AR-8.b", "16/18:1", 19),
        case("AR-8.c", "0/1/2:1", 3),
        case("AR-8.d", "0/2/3:1", 1),
        case("AR-9.a", "13/18:1", 19),
        case("AR-10.a", "low:1", 19),
        case("AR-10.b", "high:1", 18),
        case("AR-10.c", "red:1", 10),
        case("AR-10.d", "black:1", 30),
        case("AR-11.a1", "d2:1", 25),
        case("AR-11.b1", "c1:1", 35),
    ],
)
def test_ar_5_to_11_what_is_not_hit_is_lost(bet: str, pocket: int) -> None:
    line = settle_line("ar", pocket, bet)
    assert (line.won, line.lost, line.hand) == (0, 1, 0)


@pytest.mark.parametrize(
    ("name", "article"),
    [
        case("AR-5.a", "17", "AR-5.a"),
        case("AR-6.a", "17/20", "AR-6.a"),
        case("AR-7.a", "16/20", "AR-7.a"),
        case("AR-8.a", "16/18", "AR-8.a"),
        case("AR-9.a", "13/18", "AR-9.a"),
        case("AR-10", "black", "AR-10"),
        case("AR-11", "d2", "AR-11"),
        case("AR-11", "c2", "AR-11"),
    ],
)
def test_ar_5_to_11_only_a_winner_cites_the_article_of_payment(name: str, article: str) -> None:
    assert article in settle_line("ar", 17, f"{name}:10").articles
    assert article not in settle_line("ar", 34, f"{name}:10").articles


# A caballo ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bet", "pocket", "won", "returned", "lost"),
    [
        case("AR-11.a3 AMB-AR-16", "d1+d2:100", 14, 100, 50, 50),
        case("AR-11.a3", "d1+d2:100", 12, 100, 50, 50),
        case("AR-11.a3", "d1+d2:100", 25, 0, 0, 100),
        case("AR-11.a3 AR-11.a4", "d2+d3:100", 25, 100, 50, 50),
        case("AR-11.a3 AR-11.a4", "d2+d3:100", 12, 0, 0, 100),
        case("AR-11.b3", "c2+c3:80", 14, 80, 40, 40),
        case("AR-11.b3", "c2+c3:80", 13, 0, 0, 80),
        case("AR-11.b3", "c1+c2:80", 13, 80, 40, 40),
        case("AR-17.c", "low+d3:600", 30, 600, 300, 300),
        case("AR-17.c", "low+d3:600", 5, 300, 300, 300),
        case("AR-17.c", "low+d3:600", 20, 0, 0, 600),
        case("AR-17.c AR-12", "low+d3:600", 0, 0, 0, 600),
    ],
)
def test_ar_11_half_of_an_a_caballo_plays_in_each_box(
    bet: str, pocket: int, won: int, returned: int, lost: int
) -> None:
    line = settle_line("ar", pocket, bet)
    assert (line.won, line.returned, line.lost) == (won, returned, lost)


@pytest.mark.rule("AR-11.a3", "AR-11.a4", "AR-11.b3", "AR-17.c")
@pytest.mark.parametrize("name", ["d1+d2", "d2+d3", "c1+c2", "c2+c3", "low+d3"])
def test_ar_11_a_caballo_is_as_good_as_two_bets_of_half(name: str) -> None:
    first, second = name.split("+")
    for pocket in range(37):
        halves = settled("ar", pocket, f"{first}:50 {second}:50")
        assert settle_line("ar", pocket, f"{name}:100").hand == back(halves)


@pytest.mark.rule("AR-11.a3", "AR-11.b3", "AR-17.c")
def test_ar_11_a_caballo_cites_the_box_that_won() -> None:
    cited = {pocket: settle_line("ar", pocket, "low+d3:10").articles for pocket in (5, 30, 20)}
    assert cited[5] == ("AR-17.c", "AR-11.a3", "AR-10.a", "AR-10")
    assert cited[30] == ("AR-17.c", "AR-11.a3", "AR-11.a1", "AR-11")
    assert cited[20] == ("AR-17.c",)
    assert settle_line("ar", 14, "d1+d2:10").articles[0] == "AR-11.a4"
    assert settle_line("ar", 14, "c2+c3:10").articles[0] == "AR-11.b3"


@pytest.mark.rule("AMB-AR-16", "X-03")
def test_ar_11_an_odd_a_caballo_is_halved_exactly_and_the_odd_unit_is_the_players() -> None:
    # In cents 5 is 500, and its halves are exact: 7.50 come back.
    assert settle_line("ar", 14, "d1+d2:500").hand == 750
    line = settle_line("ar", 14, "d1+d2:5")
    assert (line.won, line.returned, line.lost) == (5, 3, 2)
    assert settle_line("ar", 25, "d1+d2:5").lost == 5


@pytest.mark.rule("AMB-AR-16")
def test_ar_11_an_odd_a_caballo_is_not_refused() -> None:
    table = opened("ar", {"ana": 5})
    table.stake("ana", "d1+d2:5")
    assert coup(table, 30).of("ana").lost == 5


# Zero ---------------------------------------------------------------------------------------------


@pytest.mark.rule("AR-12", "AMB-AR-25", "AMB-AR-26")
def test_ar_12_on_zero_every_chance_loses_without_exception() -> None:
    chances = "red:100 even:100 low:100 d1:100 c1:100 d1+d2:100"
    zero = settled("ar", 0, f"{chances} 0:1")
    assert zero.bank == 600 - 35
    assert sum(line.lost for line in zero.lines) == 600
    assert [line.won for line in zero.lines if line.won] == [35]


@pytest.mark.rule("AR-12")
@pytest.mark.parametrize(
    "name",
    "low high red black even odd d1 d2 d3 c1 c2 c3 d1+d2 d2+d3 c1+c2 c2+c3 low+d3".split(),
)
def test_ar_12_each_chance_cites_it_on_zero_and_on_zero_alone(name: str) -> None:
    zero = settle_line("ar", 0, f"{name}:10")
    assert (zero.won, zero.lost, zero.held, zero.hand) == (0, 10, 0, 0)
    assert "AR-12" in zero.articles
    assert all("AR-12" not in settle_line("ar", n, f"{name}:10").articles for n in range(1, 37))


@pytest.mark.rule("AR-12")
def test_ar_12_the_suertes_multiples_on_zero_win_and_the_others_just_lose() -> None:
    zero = settled("ar", 0, "0:1 0/1:1 0/2:1 0/3:1 0/1/2:1 0/2/3:1 0/1/2/3:1 1:1 1/6:1")
    assert sum(line.won for line in zero.lines) == 35 + 3 * 17 + 2 * 11 + 8
    assert not any("AR-12" in line.articles for line in zero.lines)


# What is kept -------------------------------------------------------------------------------------


@pytest.mark.rule("X-02")
def test_x_02_a_winning_stake_goes_to_the_hand_unless_the_table_is_set_otherwise() -> None:
    assert State.fresh(load("ar")).setup.winning is Winning.HAND
    for winning, purse, on_cloth in (("hand", 108, 0), ("cloth", 105, 3)):
        table = opened("ar", {"ana": 3}, winning=winning)
        table.stake("ana", "17:3")
        coup(table, 17)
        assert (table.purse("ana"), table.state.on_cloth) == (purse, on_cloth)


@pytest.mark.rule("X-02", "AR-11.a3")
def test_x_02_the_winning_half_of_an_a_caballo_cannot_stay_on_the_line() -> None:
    line = settle_line("ar", 14, "d1+d2:100", winning=Winning.CLOTH)
    assert (line.won, line.returned, line.lost, line.stays) == (100, 50, 50, 0)


@pytest.mark.rule("X-02")
def test_x_02_a_stake_left_on_the_cloth_plays_on() -> None:
    table = opened("ar", {"ana": 10}, winning="cloth")
    table.stake("ana", "red:10")
    coup(table, 1)
    coup(table, 3)
    assert table.purse("ana") == 20
    coup(table, 2)
    assert (table.purse("ana"), table.state.on_cloth) == (20, 0)


@pytest.mark.rule("X-07")
def test_x_07_the_winners_of_an_absent_player_go_to_his_hand() -> None:
    (present,), (absent,) = stakes("17:3"), stakes("17:3", away=True)
    line = settle_line("ar", 17, present, winning=Winning.CLOTH)
    assert (line.hand, line.stays, line.aside) == (105, 3, 0)
    assert "X-07" not in line.articles
    line = settle_line("ar", 17, absent, winning=Winning.CLOTH)
    assert (line.hand, line.stays, line.aside) == (108, 0, 0)
    assert "X-07" in line.articles


@pytest.mark.rule("X-07")
def test_x_07_at_the_table_who_has_stepped_away_finds_his_chips_in_his_hand() -> None:
    table = opened("ar", {"ana": 3, "luis": 3}, winning="cloth")
    table.stake("ana", "17:3")
    table.stake("luis", "17:3")
    table.act(commands.StepAway(by="ana"))
    coup(table, 17)
    assert (table.purse("ana"), table.purse("luis")) == (108, 105)
    coup(table, 18)
    assert (table.purse("ana"), table.purse("luis")) == (108, 105)
