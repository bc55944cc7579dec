"""Argentina: what lies above a maximum, noticed before, after or never, or of unclear value."""

from dataclasses import replace
from typing import Any

import pytest

from novamas.game.rulebook.behaviours import Winning
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.events import StakesReturned
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import (
    Table,
    back,
    case,
    coup,
    opened,
    refused,
    settle_line,
    settled,
    stakes,
)

LIMITS: dict[str, dict[str, int]] = {
    "straight": {"max": 100},
    "split": {"max": 200},
    "street": {"max": 300},
    "corner": {"max": 400},
    "sixline": {"max": 600},
    "dozen": {"max": 500},
    "column": {"max": 500},
    "simple": {"max": 1000},
}


def over(pocket: int, bets: str, limits: Any = LIMITS, **more: Any) -> tuple[int, int, int]:
    """Won, returned and lost by one player whose excess nobody noticed."""
    lines = settled("ar", pocket, stakes(bets, **more), limits=limits).lines
    return (
        sum(line.won for line in lines),
        sum(line.returned for line in lines),
        sum(line.lost for line in lines),
    )


def parts(pocket: int, bet: str) -> dict[str, int]:
    """The classes at which one stake plays, and how much."""
    line = settle_line("ar", pocket, bet, limits=LIMITS)
    return {part.kind.value: part.amount for part in line.parts}


def table_with(bets: str, **more: Any) -> tuple[Table, tuple[str, ...]]:
    """A policed table with ana's stakes on it, and their ids."""
    table = opened("ar", {"ana": 5000, "luis": 5000}, limits=LIMITS)
    return table, table.stake("ana", bets, **more)


# Noticed in time ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bet", "excess", "articles"),
    [
        case("AR-14.a", "17:150", 50, ("AR-14.a", "AMB-AR-15")),
        case("AR-14.a", "13/18:700", 100, ("AR-14.a", "AMB-AR-15")),
        case("AR-15.a", "red:1500", 500, ("AR-15.a", "AMB-AR-15")),
        case("AR-15.a AR-17.a", "d1+d2:1200", 200, ("AR-15.a", "AMB-AR-15")),
        case("AR-15.a AR-17.b", "low+d3:2300", 300, ("AR-15.a", "AMB-AR-15")),
    ],
)
@pytest.mark.parametrize("when", ["betting", "closed"])
def test_ar_14_and_15_noticed_before_the_number_the_excess_goes_back_and_the_rest_plays(
    bet: str, excess: int, articles: tuple[str, ...], when: str
) -> None:
    table, (id,) = table_with(bet)
    if when == "closed":
        table.close()
    table.notice(id)
    assert table.last(StakesReturned).returned == ((id, excess, articles),)
    assert table.purse("ana") == 5000 - int(bet.split(":")[1]) + excess
    refusal = refused(table, commands.NoticeExcess(by="pagador-1", id=id))
    assert refusal.why is RefusalReason.NOTHING_IN_EXCESS


@pytest.mark.rule("AR-14.a")
def test_ar_14_noticed_in_time_the_maximum_plays_and_nothing_cascades() -> None:
    table, (id,) = table_with("17:150")
    table.notice(id)
    sums = coup(table, 17).of("ana")
    assert (sums.won, sums.returned, sums.lost) == (3500, 150, 0)


@pytest.mark.rule("AR-14.a", "AR-15.a", "AMB-AR-29")
def test_ar_14_all_that_a_player_has_on_the_spot_is_counted_and_the_later_is_cut() -> None:
    table, (first, second) = table_with("17:80 17:50")
    table.stake("luis", "17:100")
    table.notice(first)
    ((id, excess, _),) = table.last(StakesReturned).returned
    assert (id, excess) == (second, 30)


@pytest.mark.parametrize(
    ("bet", "when", "noticed"),
    [
        case("AMB-AR-15 AR-14.a AR-14.b", "17:150", "pocketed", "too late"),
        case("AMB-AR-15 AR-14.a AR-16", "5:150", "pocketed", "too late"),
        case("AMB-AR-15 AR-15.a", "black:1500", "pocketed", "in time"),
        case("AMB-AR-15 AR-15.a", "red:1500", "pocketed", "in time"),
        case("AMB-AR-15 AR-15.a AR-17.a", "c2+c3:1200", "pocketed", "in time"),
        case("AMB-AR-15 AR-15.a AR-15.b", "red:1500", "called", "too late"),
        case("AMB-AR-15 AR-14.a", "17:150", "called", "too late"),
    ],
)
def test_ar_15_the_time_ends_when_the_ball_is_pocketed_or_for_chances_when_it_is_called(
    bet: str, when: str, noticed: str
) -> None:
    table, (id,) = table_with(bet)
    table.pocket(12)
    if when == "called":
        table.call()
    if noticed == "in time":
        table.notice(id)
        return
    refusal = refused(table, commands.NoticeExcess(by="tallador-1", id=id))
    assert refusal.why is RefusalReason.NOTICED_TOO_LATE
    multiple = bet.startswith(("17", "5"))
    assert refusal.articles == ("AR-14.a" if multiple else "AR-15.a", "AMB-AR-15")


@pytest.mark.rule("AMB-AR-15", "AR-15.a", "AR-16")
def test_ar_15_between_the_pocket_and_the_call_only_the_chance_gets_its_excess_back() -> None:
    table, (chance, multiple) = table_with("black:1500 5:150")
    table.pocket(12)
    table.notice(chance)
    too_late = refused(table, commands.NoticeExcess(by="tallador-1", id=multiple))
    assert too_late.why is RefusalReason.NOTICED_TOO_LATE
    for step in (table.call, table.collect, table.pay):
        step()
    assert table.tally.coups[-1].of("ana").returned == 500
    assert table.tally.coups[-1].of("ana").lost == 1000 + 150


# Noticed after a multiple won: the cascade --------------------------------------------------------


@pytest.mark.parametrize(
    ("pocket", "bet", "plays"),
    [
        case("AR-14.b", 17, "17:500", {"straight": 100, "split": 200, "street": 200}),
        case("AR-14.b AMB-AR-10", 17, "17:101", {"straight": 100, "split": 1}),
        case("AR-14.c", 17, "17/20:700", {"split": 200, "street": 300, "corner": 200}),
        case("AR-14.c", 17, "16/18:500", {"street": 300, "corner": 200}),
        case("AR-14.c", 17, "16/20:500", {"corner": 400, "sixline": 100}),
        case("AMB-AR-11 AR-14.d", 17, "13/18:700", {"sixline": 600}),
        case(
            "AR-14.d AMB-AR-12",
            17,
            "17:2000",
            {"straight": 100, "split": 200, "street": 300, "corner": 400, "sixline": 600},
        ),
        case(
            "AR-14.d AMB-AR-09",
            0,
            "0:2000",
            {"straight": 100, "split": 200, "street": 300, "corner": 400},
        ),
        case("AR-14.d AMB-AR-09", 0, "0/1/2/3:500", {"corner": 400}),
    ],
)
def test_ar_14_the_excess_plays_on_downwards(pocket: int, bet: str, plays: dict[str, int]) -> None:
    assert list(parts(pocket, bet).items()) == list(plays.items())


@pytest.mark.parametrize(
    ("pocket", "bets", "won", "returned"),
    [
        case("AR-14.b AMB-AR-08", 17, "17:500", 3500 + 3400 + 2200, 500),
        case("AR-14.c", 17, "16/18:500", 3300 + 1600, 500),
        case("AR-14.c", 17, "16/20:500", 3200 + 500, 500),
        case("AR-14.d", 17, "17:2000", 16400, 2000),
        case("AR-14.d AMB-AR-09", 0, "0:2000", 13400, 2000),
        case("AMB-AR-11", 17, "13/18:700", 3000, 700),
        case("AMB-AR-10", 17, "17:101", 3500 + 17, 101),
        case("AMB-AR-07", 17, "17:400 17/20:150", 9650, 550),
        case("AMB-AR-07", 17, "17:150 14/17:200 17/20:200", 3500 + 6800 + 550, 550),
        case("AMB-AR-07", 17, "17:150 17/20:60 16/17:60", 3500 + 120 * 17 + 50 * 17, 270),
        case("AMB-AR-13", 17, "17:150 17/18:260", 8110, 410),
        case("AMB-AR-08", 17, "17:150 20/23:200", 3500 + 850, 150),
    ],
)
def test_ar_14_what_the_cascade_brings(pocket: int, bets: str, won: int, returned: int) -> None:
    in_vain = sum(s.amount for s in stakes(bets) if pocket not in s.spot.numbers)
    assert over(pocket, bets) == (won, returned, in_vain)


@pytest.mark.rule("AMB-AR-12")
def test_ar_14_the_cascade_goes_by_calle_before_cuadro() -> None:
    cascade = [kind.value for kind in load("ar").excess.cascade]  # type: ignore[union-attr]
    assert cascade == ["straight", "split", "street", "corner", "sixline"]
    pays = [parts_won(kind) for kind in ("split", "street", "corner", "sixline")]
    assert pays == [17, 11, 8, 5]


def parts_won(kind: str) -> int:
    """What one unit that came down to a class wins there."""
    line = settle_line("ar", 17, "17:2000", limits=LIMITS)
    (part,) = (part for part in line.parts if part.kind == kind)
    return part.won // part.amount


@pytest.mark.rule("AMB-AR-07", "AMB-AR-29")
def test_ar_14_the_room_of_a_class_is_the_players_own() -> None:
    hands = [stakes("17:300"), stakes("17/20:200", "luis")]
    lines = settled("ar", 17, *hands, limits=LIMITS).lines
    (ana,) = (line for line in lines if line.stake.player == "ana")
    assert ana.won == 3500 + 200 * 17


@pytest.mark.rule("AMB-AR-07")
def test_ar_14_a_class_without_a_maximum_takes_all_that_comes_down() -> None:
    assert over(17, "17:5000", {"straight": {"max": 100}}) == (3500 + 4900 * 17, 5000, 0)


@pytest.mark.rule("AR-14.b", "AR-14.c", "AR-14.d")
@pytest.mark.parametrize(
    ("bet", "cites", "does_not"),
    [
        ("17:100", {"AR-5.a"}, {"AR-14.b", "AR-14.c", "AR-14.d"}),
        ("17:500", {"AR-5.a", "AR-14.b", "AR-14.c"}, {"AR-14.d"}),
        ("17:2000", {"AR-14.b", "AR-14.c", "AR-14.d"}, {"AR-16"}),
        ("13/18:700", {"AR-9.a", "AR-14.d"}, {"AR-14.b", "AR-14.c"}),
    ],
)
def test_ar_14_each_line_cites_just_what_made_it(
    bet: str, cites: set[str], does_not: set[str]
) -> None:
    articles = set(settle_line("ar", 17, bet, limits=LIMITS).articles)
    assert cites <= articles
    assert not does_not & articles


@pytest.mark.rule("AR-14.b", "X-02")
def test_ar_14_only_the_maximum_may_stay_on_the_cloth() -> None:
    line = settle_line("ar", 17, "17:500", limits=LIMITS, winning=Winning.CLOTH)
    assert (line.won, line.returned, line.stays) == (9100, 400, 100)


# Noticed after a chance won, or never -------------------------------------------------------------


@pytest.mark.parametrize(
    ("pocket", "bet", "won", "returned", "lost"),
    [
        case("AR-15.b", 12, "even:1500", 1000, 1500, 0),
        case("AR-15.b", 12, "d1:700", 1000, 700, 0),
        case("AR-15.b", 12, "c3:501", 1000, 501, 0),
        case("AR-15.b AR-17.a AMB-AR-18", 14, "c2+c3:1200", 1000, 700, 500),
        case("AR-15.b AR-17.a AMB-AR-18", 14, "d1+d2:1001", 1000, 501, 500),
        case("AR-15.b AR-17.b AMB-AR-18", 5, "low+d3:2300", 1000, 1300, 1000),
        case("AR-15.b AR-17.b AMB-AR-18", 30, "low+d3:2300", 2000, 1300, 1000),
        case("AR-16", 12, "black:1500", 0, 0, 1500),
        case("AR-16", 17, "5:150", 0, 0, 150),
        case("AR-16", 17, "19/24:700", 0, 0, 700),
        case("AR-16 AR-17.a", 36, "d1+d2:1200", 0, 0, 1200),
        case("AR-16 AR-17.b", 20, "low+d3:2300", 0, 0, 2300),
        case("AR-16 AR-12", 0, "red:1500", 0, 0, 1500),
        case("AR-16 AR-12", 0, "low+d3:2300", 0, 0, 2300),
    ],
)
def test_ar_15_and_16_an_excess_nobody_noticed(
    pocket: int, bet: str, won: int, returned: int, lost: int
) -> None:
    assert over(pocket, bet) == (won, returned, lost)


@pytest.mark.rule("AR-15.b", "AR-16")
def test_ar_15_and_16_are_cited_where_there_is_an_excess_and_nowhere_else() -> None:
    for bet, article in (("even:1500", "AR-15.b"), ("odd:1500", "AR-16"), ("5:150", "AR-16")):
        within = f"{bet.split(':')[0]}:100"
        assert article in settle_line("ar", 12, bet, limits=LIMITS).articles
        assert article not in settle_line("ar", 12, within, limits=LIMITS).articles


@pytest.mark.rule("AR-17.b")
@pytest.mark.parametrize(("pocket", "net"), [(5, 0), (30, 300), (20, -600), (0, -600)])
def test_ar_17_menor_and_third_dozen_at_its_limit(pocket: int, net: int) -> None:
    limits = {"simple": {"max": 300}, "dozen": {"max": 500}}
    won, returned, lost = over(pocket, "low+d3:600", limits)
    assert won - lost == net
    assert returned + lost == 600
    more = over(pocket, "low+d3:900", limits)
    # Won, the excess of 300 comes back; lost, all is lost (AR-16).
    assert more == ((won, returned + 300, lost) if won else (0, 0, 900))


# Of unclear value ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pocket", "bet", "won", "returned", "lost"),
    [
        case("AR-22.a AR-22.b", 8, "red:1800", 0, 800, 1000),
        case("AR-22.a AR-22.b", 9, "red:1800", 1000, 1800, 0),
        case("AR-22.a AR-22.b AR-12", 0, "red:1800", 0, 800, 1000),
        case("AR-22.b AMB-AR-22", 8, "8:250", 3500, 250, 0),
        case("AR-22.b AMB-AR-22", 9, "8:250", 0, 150, 100),
        case("AR-22.a AR-22.b AR-17.a", 14, "d1+d2:1800", 1000, 1300, 500),
        case("AR-22.a", 8, "8:90", 3150, 90, 0),
        case("AR-22.a", 9, "8:90", 0, 0, 90),
    ],
)
def test_ar_22_chips_of_unclear_value_play_the_maximum_and_the_rest_goes_back(
    pocket: int, bet: str, won: int, returned: int, lost: int
) -> None:
    assert over(pocket, bet, unclear=True) == (won, returned, lost)


@pytest.mark.rule("AR-22.a", "AR-22.b", "AMB-AR-22")
def test_ar_22_only_what_is_unclear_goes_back() -> None:
    clear, unclear = stakes("8:150 8:70")
    hand = [clear, replace(unclear, unclear=True)]
    won = settled("ar", 8, hand, limits=LIMITS)
    # 220 lie there; the unclear 70 go back, 100 play, and 50 cascade to the semipleno.
    assert sum(line.won for line in won.lines) == 3500 + 50 * 17
    lost = settled("ar", 9, hand, limits=LIMITS)
    assert (back(lost), lost.bank) == (70, 150)
    articles = {line.stake.id: line.articles for line in lost.lines}
    assert "AR-22.b" in articles["ana2"]
    assert "AR-22.b" not in articles["ana1"]


@pytest.mark.rule("AMB-AR-23", "AR-22.a")
def test_ar_22_laid_with_the_call_they_are_taken_and_after_it_they_are_not() -> None:
    table = opened("ar", {"ana": 5000}, limits=LIMITS)
    table.launch()
    table.stake("ana", "red:1800", value_unclear=True)
    table.close()
    late = commands.PlaceStake(
        by="pagador-1", id="late", player="ana", on="red", amount=10, value_unclear=True
    )
    assert refused(table, late).articles == ("AR-20.a",)
    sums = coup(table, 8).of("ana")
    assert (sums.lost, sums.returned) == (1000, 800)


@pytest.mark.rule("AR-22.a", "AR-22.b")
def test_ar_22_noticed_in_time_the_unclear_excess_goes_back_like_any_other() -> None:
    table, (id,) = table_with("8:250", value_unclear=True)
    table.close()
    table.notice(id)
    sums = coup(table, 9).of("ana")
    assert (sums.returned, sums.lost) == (150, 100)
