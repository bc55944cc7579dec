"""Italy, the announcements: what each costs and lays, and what it brings on every number."""

from fractions import Fraction

import pytest

from novamas.drawing.layout import layout
from novamas.game import wheel
from novamas.game.announcements import call_of, names, price
from novamas.game.rulebook.behaviours import Winning
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.events import AnnouncementPlaced
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import Table, coup, opened, pieces, refused, settled


def net(call: str, pocket: int) -> int:
    """What an announcement with a unit of one brings its player on a number."""
    return -settled("it", pocket, pieces("it", call, cost(call))).bank


def cost(call: str) -> int:
    """What an announcement costs with a unit of one."""
    found = call_of(load("it"), call)
    assert found is not None
    return len(found.pieces)


def announced(table: Table, call: str, amount: int, *, by: str = "ana") -> None:
    """Make an announcement of ana's, called a."""
    table.act(commands.Announce(by=by, id="a", player="ana", call=call, amount=amount))


# What they cost and lay ---------------------------------------------------------------------------

PRICE_LIST = {
    "voisins": ("IT-ann-1", "IT-sett-3", "0/2/3 0/2/3 4/7 12/15 18/21 19/22 25/29 25/29 32/35"),
    "tiers": ("IT-ann-2", "IT-sett-2", "5/8 10/11 13/16 23/24 27/30 33/36"),
    "orphelins": ("IT-ann-3", "IT-sett-5", "1 6/9 14/17 17/20 31/34"),
    "orphelins-plein": ("IT-sett-4", "IT-sett-6", "17 34 6 1 20 14 31 9"),
    "nassa": ("IT-ann-4", "IT-sett-7", "0/3 12/15 19 26 32/35"),
    "zerospiel": ("IT-ann-5", "IT-sett-8", "0/3 12/15 26 32/35"),
    "17~2": ("IT-ann-6", "IT-sett-9", "2 25 17 34 6"),
    "0~2": ("IT-ann-6", "IT-sett-9", "3 26 0 32 15"),
}


@pytest.mark.parametrize(
    ("call", "laid", "articles"),
    [
        pytest.param(call, laid, (first, second), marks=pytest.mark.rule(first, second), id=call)
        for call, (first, second, laid) in PRICE_LIST.items()
    ],
)
def test_it_ann_what_an_announcement_lays(call: str, laid: str, articles: tuple[str, ...]) -> None:
    found = call_of(load("it"), call)
    assert found is not None
    assert [piece.name for piece in found.pieces] == laid.split()
    assert found.cites == articles


@pytest.mark.parametrize(
    ("call", "unit", "amount"),
    [
        pytest.param("voisins", 2, 18, marks=pytest.mark.rule("IT-ann-1")),
        pytest.param("tiers", 2, 12, marks=pytest.mark.rule("IT-ann-2")),
        pytest.param("orphelins", 1, 5, marks=pytest.mark.rule("IT-ann-3")),
        pytest.param("orphelins-plein", 1, 8, marks=pytest.mark.rule("IT-sett-6")),
        pytest.param("nassa", 1, 5, marks=pytest.mark.rule("IT-ann-4")),
        pytest.param("zerospiel", 1, 4, marks=pytest.mark.rule("IT-ann-5")),
        pytest.param("17~2", 1, 5, marks=pytest.mark.rule("IT-ann-6")),
    ],
)
def test_it_ann_what_an_announcement_costs(call: str, unit: int, amount: int) -> None:
    found = call_of(load("it"), call)
    assert found is not None
    assert price(found.pieces, unit) == amount
    table = opened("it", {"ana": amount + 1})
    announced(table, call, amount)
    assert (table.purse("ana"), table.state.on_cloth) == (1, amount)


@pytest.mark.rule("IT-ann-1", "IT-ann-2")
@pytest.mark.parametrize(("call", "amount"), [("voisins", 10), ("voisins", 8), ("tiers", 9)])
def test_it_ann_an_amount_that_does_not_come_out_even_is_refused(call: str, amount: int) -> None:
    table = opened("it", {"ana": 100})
    wish = commands.Announce(by="ana", id="a", player="ana", call=call, amount=amount)
    refusal = refused(table, wish)
    assert refusal.why is RefusalReason.ANNOUNCEMENT_NOT_EVEN
    assert refusal.articles[0] == PRICE_LIST[call][0]


@pytest.mark.rule("IT-gioco-4a", "IT-ann-2")
def test_it_ann_2_each_piece_is_made_of_whole_chips() -> None:
    table = opened("it", {"ana": 100}, chip=5)
    wish = commands.Announce(by="ana", id="a", player="ana", call="tiers", amount=12)
    assert refused(table, wish).why is RefusalReason.NOT_WHOLE_CHIPS
    announced(table, "tiers", 30)
    assert {stake.amount for stake in table.state.stakes.values()} == {5}


# Who takes them -----------------------------------------------------------------------------------


@pytest.mark.rule("IT-gioco-6b")
@pytest.mark.parametrize(
    ("call", "amount"), [("tiers", 6), ("voisins", 9), ("orphelins", 5), ("17~2", 5)]
)
def test_it_gioco_6b_the_croupier_takes_an_announcement_with_its_chips(
    call: str, amount: int
) -> None:
    table = opened("it", {"ana": 20})
    announced(table, call, amount, by="croupier-1")
    assert table.last(AnnouncementPlaced).by == "croupier-1"
    assert table.purse("ana") == 20 - amount


@pytest.mark.rule("IT-gioco-6b")
def test_it_gioco_6b_without_its_chips_an_announcement_does_not_play() -> None:
    table = opened("it", {"ana": 100})
    wish = commands.Announce(
        by="croupier-1", id="a", player="ana", call="tiers", amount=6, covered=False
    )
    refusal = refused(table, wish)
    assert (refusal.why, refusal.articles) == (RefusalReason.CHIPS_NOT_LAID, ("IT-gioco-6b",))


@pytest.mark.rule("IT-gioco-6b", "IT-gioco-7c")
def test_it_gioco_7c_no_announcement_after_the_close() -> None:
    table = opened("it", {"ana": 100})
    table.close()
    wish = commands.Announce(by="croupier-1", id="a", player="ana", call="tiers", amount=6)
    refusal = refused(table, wish)
    assert (refusal.why, refusal.articles) == (RefusalReason.BETTING_IS_CLOSED, ("IT-gioco-7c",))


@pytest.mark.rule("AMB-IT-09")
@pytest.mark.parametrize("call", names(load("it")))
def test_it_amb_09_every_announcement_of_the_price_list_is_taken(call: str) -> None:
    table = opened("it", {"ana": 100})
    announced(table, call, cost(call), by="croupier-1")
    assert table.state.announcements["a"].call == call


@pytest.mark.rule("AMB-IT-09", "AMB-IT-16")
def test_it_amb_09_the_price_list_has_six_calls_27_finals_and_37_sectors() -> None:
    listed = names(load("it"))
    assert len(listed) == len(set(listed)) == 6 + 27 + 37


@pytest.mark.rule("IT-sett-9")
@pytest.mark.parametrize("call", ["17~1", "17~3", "37~2", "17/20~2", "red~2"])
def test_it_sett_9_a_sector_has_two_neighbours_on_each_side(call: str) -> None:
    wish = commands.Announce(by="ana", id="a", player="ana", call=call, amount=15)
    assert refused(opened("it", {"ana": 100}), wish).why is RefusalReason.ANNOUNCEMENT_NOT_TAKEN


@pytest.mark.rule("IT-sett-9", "IT-ann-6")
@pytest.mark.parametrize("number", range(37))
def test_it_sett_9_a_sector_plays_the_straights_of_five_neighbours(number: int) -> None:
    found = call_of(load("it"), f"{number}~2")
    assert found is not None
    assert [piece.name for piece in found.pieces] == [
        str(n) for n in wheel.EUROPEAN.neighbours(number)
    ]


# What they bring ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "pocket", "won", "profit"),
    [
        pytest.param("tiers", 30, 17, 12, marks=pytest.mark.rule("IT-sett-2")),
        pytest.param("tiers", 10, 17, 12, marks=pytest.mark.rule("IT-sett-2")),
        pytest.param("tiers", 17, 0, -6, marks=pytest.mark.rule("IT-sett-2")),
        pytest.param("voisins", 2, 22, 15, marks=pytest.mark.rule("IT-sett-3")),
        pytest.param("voisins", 0, 22, 15, marks=pytest.mark.rule("IT-sett-3")),
        pytest.param("voisins", 26, 16, 9, marks=pytest.mark.rule("IT-sett-3")),
        pytest.param("voisins", 19, 17, 9, marks=pytest.mark.rule("IT-sett-3")),
        pytest.param("voisins", 17, 0, -9, marks=pytest.mark.rule("IT-sett-3")),
        pytest.param("orphelins", 1, 35, 31, marks=pytest.mark.rule("IT-sett-5")),
        pytest.param("orphelins", 17, 34, 31, marks=pytest.mark.rule("IT-sett-5")),
        pytest.param("orphelins", 20, 17, 13, marks=pytest.mark.rule("IT-sett-5")),
        pytest.param("orphelins", 2, 0, -5, marks=pytest.mark.rule("IT-sett-5")),
        pytest.param("orphelins-plein", 17, 35, 28, marks=pytest.mark.rule("IT-sett-6")),
        pytest.param("nassa", 19, 35, 31, marks=pytest.mark.rule("IT-sett-7")),
        pytest.param("nassa", 26, 35, 31, marks=pytest.mark.rule("IT-sett-7")),
        pytest.param("nassa", 3, 17, 13, marks=pytest.mark.rule("IT-sett-7")),
        pytest.param("zerospiel", 26, 35, 32, marks=pytest.mark.rule("IT-sett-8")),
        pytest.param("zerospiel", 3, 17, 14, marks=pytest.mark.rule("IT-sett-8")),
        pytest.param("zerospiel", 19, 0, -4, marks=pytest.mark.rule("IT-sett-8")),
        pytest.param("17~2", 6, 35, 31, marks=pytest.mark.rule("IT-sett-9")),
        pytest.param("17~2", 1, 0, -5, marks=pytest.mark.rule("IT-sett-9")),
    ],
)
def test_it_sett_what_an_announcement_brings(call: str, pocket: int, won: int, profit: int) -> None:
    lines = settled("it", pocket, pieces("it", call, cost(call))).lines
    assert sum(line.won for line in lines) == won
    assert net(call, pocket) == profit


@pytest.mark.rule("IT-sett-4")
def test_it_sett_4_vicini_serie_and_orfanelli_share_out_the_wheel() -> None:
    def covered(call: str) -> list[int]:
        return [number for number in map(int, wheel.EUROPEAN.order) if net(call, number) > 0]

    assert [len(covered(call)) for call in ("voisins", "tiers", "orphelins")] == [17, 12, 8]
    shared = covered("voisins") + covered("tiers") + covered("orphelins")
    assert sorted(shared) == list(range(37))
    assert covered("orphelins") == [17, 34, 6, 1, 20, 14, 31, 9]
    assert covered("orphelins-plein") == covered("orphelins")
    assert wheel.EUROPEAN.sectors["orphelins"] == ((17, 34, 6), (1, 20, 14, 31, 9))


@pytest.mark.rule("IT-sett-2", "IT-sett-3")
def test_it_sett_2_and_3_serie_and_vicini_are_each_one_arc_of_the_wheel() -> None:
    for call in ("tiers", "voisins"):
        (arc,) = wheel.EUROPEAN.sectors[call]
        assert {number for number in range(37) if net(call, number) > 0} == set(arc)


@pytest.mark.rule("IT-sett-1a", "IT-sett-1b", "IT-sett-2", "IT-sett-3", "IT-sett-5")
@pytest.mark.parametrize("call", names(load("it")))
def test_it_sett_every_announcement_costs_one_in_thirty_seven(call: str) -> None:
    total = sum(net(call, number) for number in range(37))
    assert Fraction(-total, 37 * cost(call)) == Fraction(1, 37)


@pytest.mark.rule("IT-sett-3", "IT-ann-1")
def test_it_sett_3_a_line_of_an_announcement_cites_the_announcement() -> None:
    lines = settled("it", 26, pieces("it", "voisins", 9)).lines
    assert all({"IT-ann-1", "IT-sett-3"} <= set(line.articles) for line in lines)
    (winner,) = (line for line in lines if line.won)
    assert {"IT-bet-5", "IT-pay-3", "IT-general-11"} <= set(winner.articles)


# Pagati a piazzare --------------------------------------------------------------------------------


@pytest.mark.rule("IT-sett-1a")
def test_it_sett_1a_serie_and_vicini_lie_in_spaces_of_their_own_off_the_numbers() -> None:
    cloth = layout(load("it"))
    assert {space.call for space in cloth.spaces} == {"voisins", "tiers"}
    for call in ("voisins", "tiers"):
        space = cloth.space(call).rect
        assert not any(
            space.contains(point) for points in cloth.places.values() for point in points
        )


@pytest.mark.rule("IT-sett-1b")
@pytest.mark.parametrize(
    ("call", "pocket", "placed", "won", "annulled"),
    [
        ("tiers", 10, {"10/11": 1}, 17, 5),
        ("tiers", 17, {}, 0, 6),
        ("voisins", 2, {"0/2/3": 2}, 22, 7),
        ("voisins", 29, {"25/29": 2}, 16, 7),
        ("voisins", 32, {"32/35": 1}, 17, 8),
    ],
)
def test_it_sett_1b_only_the_winning_chip_is_placed_and_the_rest_is_annulled(
    call: str, pocket: int, placed: dict[str, int], won: int, annulled: int
) -> None:
    table = opened("it", {"ana": 100}, winning=Winning.CLOTH)
    announced(table, call, cost(call))
    sums = coup(table, pocket).of("ana")
    lying = {stake.spot.name: stake.amount for stake in table.state.stakes.values()}
    assert (lying, sums.won, sums.lost) == (placed, won, annulled)


@pytest.mark.rule("IT-sett-1b", "IT-gioco-6b")
def test_it_sett_1b_an_announcement_is_withdrawn_whole_or_piece_by_piece_alike() -> None:
    table = opened("it", {"ana": 100})
    announced(table, "tiers", 12)
    one = next(iter(table.state.stakes))
    piece = commands.WithdrawStake(by="ana", id=one)
    assert refused(table, piece).why is RefusalReason.PIECE_OF_AN_ANNOUNCEMENT
    uneven = commands.WithdrawStake(by="ana", id="a", amount=5)
    assert refused(table, uneven).why is RefusalReason.ANNOUNCEMENT_NOT_EVEN
    table.act(commands.WithdrawStake(by="ana", id="a", amount=6))
    assert {stake.amount for stake in table.state.stakes.values()} == {1}
    assert table.state.announcements["a"].amount == 6
    table.act(commands.WithdrawStake(by="ana", id="a"))
    assert (table.purse("ana"), table.state.stakes) == (100, {})
