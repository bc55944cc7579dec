"""Bulgaria, the bets on the wheel: the call bet and the sectors, piece by piece."""

from fractions import Fraction

import pytest

from novamas.game import wheel
from novamas.game.announcements import call_of, names
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import back, case, coup, opened, pieces, place, refused, settled


def announce(call: str, amount: int, *, id: str = "a1") -> commands.Announce:
    """Ana's announcement."""
    return commands.Announce(by="ana", player="ana", id=id, call=call, amount=amount)


def net(call: str, amount: int, out: int) -> int:
    """What an announcement gains when a number comes out."""
    return back(settled("bg", out, pieces("bg", call, amount))) - amount


@pytest.mark.parametrize(
    ("call", "laid"),
    [
        case("BG-18 AMB-BG-07 AMB-BG-16", "17~2", "2 25 17 34 6"),
        case("BG-18 AMB-BG-07 AMB-BG-16", "0~2", "3 26 0 32 15"),
        case(
            "BG-19 BG-20 BG-21 AMB-BG-04",
            "voisins",
            "0/2/3 0/2/3 4/7 12/15 18/21 19/22 25/29 25/29 32/35",
        ),
        case("BG-22 AMB-BG-04", "tiers", "5/8 10/11 13/16 23/24 27/30 33/36"),
        case("BG-23 BG-24 BG-25 AMB-BG-04", "orphelins", "1 6/9 14/17 17/20 31/34"),
        case("BG-28a BG-28b AMB-BG-04", "zerospiel", "0/3 12/15 26 32/35"),
    ],
)
def test_bg_a_sector_is_made_of_its_pieces_one_chip_on_each(call: str, laid: str) -> None:
    found = call_of(load("bg"), call)
    assert found is not None
    assert [spot.name for spot in found.pieces] == laid.split()
    table = opened("bg", {"ana": 100})
    price = len(laid.split())
    table.act(announce(call, price))
    assert table.purse("ana") == 100 - price
    assert (
        refused(table, announce(call, price + 1, id="a2")).why
        is RefusalReason.ANNOUNCEMENT_NOT_EVEN
    )


@pytest.mark.parametrize(
    ("call", "chips", "out", "won"),
    [
        case("BG-18 AMB-BG-07", "17~2", 5, 6, 35),
        case("BG-18", "17~2", 5, 17, 35),
        case("BG-18 AMB-BG-16", "17~2", 5, 2, 35),
        case("BG-18 AMB-BG-16", "17~2", 5, 21, 0),
        case("BG-19 AMB-BG-04", "voisins", 9, 0, 22),
        case("BG-19", "voisins", 9, 3, 22),
        case("BG-20", "voisins", 9, 35, 17),
        case("BG-20", "voisins", 9, 4, 17),
        case("BG-20", "voisins", 9, 15, 17),
        case("BG-20", "voisins", 9, 18, 17),
        case("BG-20", "voisins", 9, 22, 17),
        case("BG-21 AMB-BG-04", "voisins", 9, 28, 16),
        case("BG-21", "voisins", 9, 25, 16),
        case("BG-20", "voisins", 9, 1, 0),
        case("BG-22", "tiers", 6, 24, 17),
        case("BG-22", "tiers", 6, 36, 17),
        case("BG-22", "tiers", 6, 0, 0),
        case("BG-23", "orphelins", 5, 1, 35),
        case("BG-24", "orphelins", 5, 31, 17),
        case("BG-24", "orphelins", 5, 14, 17),
        case("BG-24", "orphelins", 5, 9, 17),
        case("BG-25 AMB-BG-03", "orphelins", 5, 17, 34),
        case("BG-24", "orphelins", 5, 0, 0),
        case("BG-28a", "zerospiel", 4, 0, 17),
        case("BG-28a", "zerospiel", 4, 12, 17),
        case("BG-28a", "zerospiel", 4, 35, 17),
        case("BG-28b", "zerospiel", 4, 26, 35),
        case("BG-28b", "zerospiel", 4, 19, 0),
    ],
)
def test_bg_what_a_sector_wins(call: str, chips: int, out: int, won: int) -> None:
    settlement = settled("bg", out, pieces("bg", call, chips))
    assert sum(line.won for line in settlement.lines) == won
    three = settled("bg", out, pieces("bg", call, 3 * chips))
    assert sum(line.won for line in three.lines) == 3 * won


@pytest.mark.parametrize(
    ("call", "chips", "out", "gain"),
    [
        case("BG-18 AMB-BG-07", "17~2", 5, 6, 31),
        case("BG-19 AMB-BG-04", "voisins", 9, 0, 15),
        case("BG-20", "voisins", 9, 35, 9),
        case("BG-21 AMB-BG-04", "voisins", 9, 28, 9),
        case("BG-22", "tiers", 6, 24, 12),
        case("BG-23", "orphelins", 5, 1, 31),
        case("BG-24", "orphelins", 5, 31, 13),
        # Both chips on 17 are kept: one alone would leave 30.
        case("BG-25 AMB-BG-03", "orphelins", 5, 17, 31),
        case("BG-28a", "zerospiel", 4, 0, 14),
        case("BG-28b", "zerospiel", 4, 26, 32),
        case("BG-28b", "zerospiel", 4, 5, -4),
    ],
)
def test_bg_what_a_sector_gains(call: str, chips: int, out: int, gain: int) -> None:
    assert net(call, chips, out) == gain


@pytest.mark.parametrize(
    ("call", "chips", "out", "articles"),
    [
        case("BG-18", "17~2", 5, 6, {"BG-18", "BG-11"}),
        case("BG-19", "voisins", 9, 0, {"BG-19", "BG-13"}),
        case("BG-20", "voisins", 9, 35, {"BG-20", "BG-12"}),
        case("BG-21", "voisins", 9, 28, {"BG-21", "BG-14"}),
        case("BG-22", "tiers", 6, 24, {"BG-22", "BG-12"}),
        case("BG-23", "orphelins", 5, 1, {"BG-23", "BG-11"}),
        case("BG-24", "orphelins", 5, 14, {"BG-24", "BG-12"}),
        case("BG-25", "orphelins", 5, 17, {"BG-25", "BG-24", "BG-12"}),
        case("BG-28a", "zerospiel", 4, 12, {"BG-28a", "BG-12"}),
        case("BG-28b", "zerospiel", 4, 26, {"BG-28b", "BG-11"}),
    ],
)
def test_bg_each_piece_cites_what_the_book_says_of_it(
    call: str, chips: int, out: int, articles: set[str]
) -> None:
    winners = [line for line in settled("bg", out, pieces("bg", call, chips)).lines if line.won]
    for line in winners:
        cited = {id for id in line.articles if not id.startswith("AMB")}
        assert cited == articles


@pytest.mark.rule("BG-25", "AMB-BG-03")
def test_bg_25_the_34_times_are_17_on_each_of_two_splits_that_are_both_kept() -> None:
    lines = settled("bg", 17, pieces("bg", "orphelins", 10)).lines
    winners = {line.stake.spot.name: (line.won, line.returned) for line in lines if line.won}
    assert winners == {"14/17": (34, 2), "17/20": (34, 2)}


@pytest.mark.rule("BG-18", "BG-19", "BG-20", "BG-21", "BG-22", "BG-23", "BG-24", "BG-25")
@pytest.mark.rule("BG-28a", "BG-28b", "AMB-BG-03", "AMB-BG-04")
def test_bg_every_sector_gives_the_house_one_in_37() -> None:
    # A single chip kept on 17 would make the orphelins 6/185 (AMB-BG-03).
    for call in names(load("bg")):
        gained = sum(net(call, 180, out) for out in range(37))
        assert Fraction(-gained, 37 * 180) == Fraction(1, 37), call


@pytest.mark.rule("BG-18", "AMB-BG-16")
@pytest.mark.parametrize("number", range(37))
def test_bg_18_any_number_can_be_called_with_its_neighbours(number: int) -> None:
    found = call_of(load("bg"), f"{number}~2")
    assert found is not None
    at = wheel.EUROPEAN.order.index(number)
    around = [wheel.EUROPEAN.order[(at + step) % 37] for step in (-2, -1, 0, 1, 2)]
    assert [spot.name for spot in found.pieces] == [str(each) for each in around]


@pytest.mark.rule("BG-18", "BG-28a")
@pytest.mark.parametrize(
    "call",
    ["17~1", "17~3", "37~2", "nassa", "orphelins-plein", "f4", "f8/9", "f4/7", "17", "red~2"],
)
def test_bg_18_what_the_book_does_not_name_is_not_announced(call: str) -> None:
    table = opened("bg", {"ana": 100})
    assert refused(table, announce(call, 60)).why is RefusalReason.ANNOUNCEMENT_NOT_TAKEN
    assert call not in names(load("bg"))


@pytest.mark.rule("BG-18", "BG-7b")
def test_bg_7b_an_announcement_needs_its_chips_before_the_end_of_betting() -> None:
    table = opened("bg", {"ana": 100})
    uncovered = commands.Announce(
        by="croupier-1", player="ana", id="a1", call="17~2", amount=5, covered=False
    )
    refusal = refused(table, uncovered)
    assert (refusal.why, refusal.articles) == (RefusalReason.CHIPS_NOT_LAID, ("BG-7b",))
    refusal = refused(table, place("ana", "17:5", covered=False, by="croupier-1"))
    assert (refusal.why, refusal.articles) == (RefusalReason.CHIPS_NOT_LAID, ("BG-7b",))
    table.close()
    refusal = refused(table, announce("17~2", 5))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.BETTING_IS_CLOSED,
        ("BG-7b", "AMB-BG-15"),
    )


@pytest.mark.rule("BG-18", "BG-22")
def test_bg_an_announcement_is_laid_and_played_at_the_table() -> None:
    table = opened("bg", {"ana": 100})
    table.act(announce("17~2", 10))
    table.act(announce("tiers", 6, id="a2"))
    assert table.last(events.AnnouncementPlaced).call == "tiers"
    sums = coup(table, 25).of("ana")
    assert (sums.won, sums.returned, sums.lost) == (70, 2, 14)
    assert table.purse("ana") == 100 - 16 + 72


@pytest.mark.rule("BG-18", "AMB-BG-07")
def test_amb_bg_07_the_call_bet_is_not_one_chip_divided() -> None:
    table = opened("bg", {"ana": 100}, chip=5)
    refusal = refused(table, announce("17~2", 5))
    assert refusal.why is RefusalReason.NOT_WHOLE_CHIPS
    table.act(announce("17~2", 25))
    assert {stake.amount for stake in table.state.stakes.values()} == {5}


@pytest.mark.rule("AMB-BG-08", "BG-19")
def test_amb_bg_08_the_pieces_of_a_sector_count_towards_the_maximum_of_their_spots() -> None:
    table = opened("bg", {"ana": 100}, limits={"street": {"max": 3}})
    table.stake("ana", "0/2/3:2")
    refusal = refused(table, announce("voisins", 9))
    assert (refusal.why, refusal.articles) == (RefusalReason.EXCEEDS_MAXIMUM, ("AMB-BG-08",))
