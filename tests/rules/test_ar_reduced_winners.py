"""Argentina: winners that stay on the cloth stay as the reduction made them, and what is paid."""

import tomllib
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from novamas.game.lines import Line
from novamas.game.payment import payments
from novamas.game.reduction import reductions
from novamas.game.rulebook.behaviours import Winning
from novamas.game.rulebook.reader import read_rulebook
from novamas.game.rulebook.toml_section import RulebookError
from novamas.game.settlement import settle
from novamas.game.stakes import Stake
from novamas.rulebooks import load, source
from novamas.table import commands
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase
from scripts.mutants import dumps
from tests.rules.helpers import Table, case, coup, opened, place, refused, settled, stakes

CLOTH = Winning.CLOTH


def table(bets: str, **setup: Any) -> Table:
    """A table where winners stay, with the bets of one player: `s1`, then `s2`."""
    found = opened("ar", {"ana": 1000}, winning=CLOTH, **setup)
    found.stake("ana", bets)
    return found


def lies(found: Table) -> dict[str, str]:
    """What lies on the cloth: id → spot and amount, as it was laid."""
    return {stake.id: f"{stake.spot.name}:{stake.amount}" for stake in found.state.stakes.values()}


def sums(found: Table, number: int) -> tuple[int, int, int]:
    """What a coup brings ana: won, returned and lost."""
    each = coup(found, number).of("ana")
    return each.won, each.returned, each.lost


# What stays, and where ----------------------------------------------------------------------------


@pytest.mark.rule("AMB-AR-32", "AR-26.a", "AR-26.b")
def test_ar_32_two_semiplenos_stay_as_a_pleno_and_the_third_where_it_lay() -> None:
    found = table("7/8:2 8/9:1")
    assert sums(found, 8) == (51, 1, 0)
    assert lies(found) == {"s2": "8/9:1", "reduced-1": "8:1"}
    assert sums(found, 9) == (17, 0, 1)
    assert lies(found) == {"s2": "8/9:1"}


@pytest.mark.parametrize(
    ("bets", "stay"),
    [
        case("AMB-AR-32", "8/9:1 7/8:2", {"s2": "7/8:1"}),
        case("AMB-AR-32", "7/8:1 8/9:1 7/8:1", {"s3": "7/8:1"}),
        case("AMB-AR-32", "7/8:3 8/9:2", {"s2": "8/9:1"}),
        case("AMB-AR-32", "7/8:2 8/9:3 8:4", {"s2": "8/9:1", "s3": "8:4"}),
        case("AMB-AR-32 AR-27.b", "4/8:3 5/9:2 8/12:1", {"s2": "5/9:1", "s3": "8/12:1"}),
        case("AMB-AR-32 AR-27.d", "4/9:4 7/12:4", {"s2": "7/12:2"}),
        case(
            "AMB-AR-32 AR-24.b", "8/9:1 7/9:1 4/8:1", {"s1": "8/9:1", "s2": "7/9:1", "s3": "4/8:1"}
        ),
    ],
)
def test_ar_32_of_each_class_the_chips_laid_first_are_taken_first(
    bets: str, stay: dict[str, str]
) -> None:
    found = table(bets)
    coup(found, 8)
    assert {id: at for id, at in lies(found).items() if id != "reduced-1"} == stay


@pytest.mark.rule("AMB-AR-32", "AMB-AR-05")
def test_ar_32_one_suerte_alone_stays_as_it_is() -> None:
    found = table("7/8:3 7/8:1 black:2")
    assert sums(found, 8) == (70, 0, 0)
    assert lies(found) == {"s1": "7/8:3", "s2": "7/8:1", "s3": "black:2"}


@pytest.mark.rule("AMB-AR-32", "AR-14.b")
def test_ar_32_what_came_down_goes_to_the_hand_though_the_reduction_counts_it() -> None:
    found = table("8:7 7/8:2", limits={"straight": {"max": 6}, "split": {"max": 30}})
    assert sums(found, 8) == (261, 2, 0)
    assert lies(found) == {"s1": "8:6", "reduced-1": "8:1"}
    (made,) = found.tally.coups[-1].reductions
    assert (made.straights, made.freed, made.paid, made.stays) == (7, 1, 262, 8)
    assert {kind.value: count for kind, count in made.left.items()} == {"split": 1}


@pytest.mark.rule("AMB-AR-32", "AR-14.b")
def test_ar_32_only_chips_within_the_maximum_are_reduced_among_themselves() -> None:
    limits = {"straight": {"max": 6}, "split": {"max": 1}, "street": {"max": 1}}
    found = table("8:7 7/8:1 7/9:1 4/8:3", limits={**limits, "corner": {"max": 10}})
    # The pleno too many plays as a cuadro. With it there are four, but it does not stay.
    assert sums(found, 8) == (210 + 17 + 11 + 24 + 8, 1, 0)
    assert lies(found) == {"s1": "8:6", "s2": "7/8:1", "s3": "7/9:1", "s4": "4/8:3"}
    (made,) = found.tally.coups[-1].reductions
    assert (made.straights, made.freed, made.paid, made.stays) == (7, 3, 273, 9)


@pytest.mark.rule("AMB-AR-32", "AR-22.b")
def test_ar_32_what_is_above_the_maximum_and_unclear_goes_back_and_the_rest_is_reduced() -> None:
    found = opened("ar", {"ana": 100}, winning=CLOTH, limits={"split": {"max": 4}})
    found.stake("ana", "7/8:9", value_unclear=True)
    found.stake("ana", "8/9:2")
    assert sums(found, 8) == (6 * 17, 5 + 3, 0)
    assert lies(found) == {"reduced-1": "8:3"}


@pytest.mark.rule("AMB-AR-32", "X-07")
def test_ar_32_the_winners_of_the_absent_go_to_the_hand() -> None:
    found = table("7/8:2 8/9:1")
    found.act(commands.StepAway(by="ana"))
    assert sums(found, 8) == (51, 3, 0)
    assert lies(found) == {}
    # A stake whose owner is not there does not stay either; the other is then one suerte alone.
    alone = table("7/8:2")
    alone.stake("ana", "8/9:1", unattended=True)
    assert sums(alone, 8) == (51, 1, 0)
    assert lies(alone) == {"s1": "7/8:2"}


@pytest.mark.rule("AMB-AR-32", "AR-23")
def test_ar_32_each_player_has_a_stake_of_their_own() -> None:
    found = opened("ar", {"ana": 100, "luis": 100}, winning=CLOTH)
    found.stake("ana", "7/8:1 8/9:1")
    found.stake("luis", "7/8:1 8/9:1 8:1")
    coup(found, 8)
    made = {s.player: (s.id, s.amount) for s in found.state.stakes.values() if s.id != "s5"}
    assert made == {"luis": ("reduced-1", 1), "ana": ("reduced-1-2", 1)}
    assert found.state.on_spot["luis", stakes("8:1")[0].spot] == 2


@pytest.mark.rule("AMB-AR-32", "AR-25.b")
def test_ar_32_the_plenos_are_laid_when_their_owner_is_paid() -> None:
    found = opened("ar", {"ana": 100, "luis": 100}, winning=CLOTH)
    found.stake("ana", "7/8:1 8/9:1")
    found.stake("luis", "7/8:1 8/9:1")
    found.pocket(8)
    found.call()
    found.collect()
    found.act(commands.PayNext(by="pagador-1"))
    assert lies(found) == {"s1": "7/8:1", "s2": "8/9:1", "reduced-1": "8:1"}
    found.act(commands.PayNext(by="pagador-1"))
    assert lies(found) == {"reduced-1": "8:1", "reduced-1-2": "8:1"}
    assert found.state.phase is Phase.BETTING


# The stake that the reduction makes ---------------------------------------------------------------


@pytest.mark.rule("AMB-AR-32", "AR-14.b", "AMB-AR-13")
def test_ar_32_plenos_above_the_maximum_are_in_excess_in_the_next_coup() -> None:
    limits = {"straight": {"max": 3}, "split": {"max": 30}}
    won = table("7/8:4 8/9:4", limits=limits)
    assert sums(won, 8) == (136, 4, 0)
    assert sums(won, 8) == (3 * 35 + 17, 1, 0)
    assert lies(won) == {"reduced-1": "8:3"}
    lost = table("7/8:4 8/9:4", limits=limits)
    coup(lost, 8)
    assert sums(lost, 7) == (0, 0, 4)
    noticed = table("7/8:4 8/9:4", limits=limits)
    coup(noticed, 8)
    noticed.notice("reduced-1")
    assert lies(noticed) == {"reduced-1": "8:3"}
    assert sums(noticed, 7) == (0, 1, 3)


@pytest.mark.rule("AMB-AR-32")
def test_ar_32_it_is_later_than_all_that_lies_and_so_is_cut_first() -> None:
    found = table("7/8:2 8/9:2 8:2", limits={"straight": {"max": 3}, "split": {"max": 30}})
    coup(found, 8)
    assert list(lies(found).items()) == [("s3", "8:2"), ("reduced-1", "8:2")]
    coup(found, 8)
    assert lies(found) == {"s3": "8:2", "reduced-1": "8:1"}


@pytest.mark.rule("AMB-AR-32", "X-02")
def test_ar_32_it_is_its_owners_who_moves_it_and_takes_it_back() -> None:
    found = table("7/8:4 8/9:2")
    coup(found, 8)
    assert lies(found) == {"reduced-1": "8:3"}
    stranger = commands.WithdrawStake(by="luis", id="reduced-1")
    assert refused(found, stranger).why is RefusalReason.NOT_THEIR_STAKE
    found.act(commands.WithdrawStake(by="ana", id="reduced-1", amount=1))
    found.act(commands.MoveStake(by="ana", id="reduced-1", on="17"))
    assert lies(found) == {"reduced-1": "17:2"}
    assert found.state.stakes["reduced-1"].chip == 1
    assert sums(found, 17) == (70, 0, 0)
    found.act(commands.WithdrawStake(by="ana", id="reduced-1"))
    assert found.purse("ana") == 1000 - found.state.bank


@pytest.mark.rule("AMB-AR-32")
def test_ar_32_its_id_is_the_houses_choice_and_never_one_that_is_taken() -> None:
    found = opened("ar", {"ana": 100}, winning=CLOTH)
    found.stake("ana", "7/8:1", id="reduced-1")
    found.stake("ana", "8/9:1 30:1")
    found.pocket(8)
    found.call()
    (made,) = found.state.settlement.made if found.state.settlement else ()
    assert (made.id, made.spot.name, made.amount) == ("reduced-1-2", "8", 1)
    found.collect()
    found.pay()
    assert refused(found, place("ana", "5:1", id="reduced-1-2")).why is RefusalReason.ID_IN_USE
    found.stake("ana", "7/8:2 8/9:1")
    coup(found, 8)
    assert lies(found) == {"reduced-1-2": "8:1", "s5": "8/9:1", "reduced-2": "8:1"}


@pytest.mark.rule("AMB-AR-32", "NV-06")
def test_ar_32_a_number_that_is_corrected_is_reduced_anew() -> None:
    found = table("7/8:1 8/9:1 17:1 17/20:2")
    found.pocket(8)
    found.call()
    found.act(commands.CorrectNumber(by="tallador-1", number=17, reason="misread"))
    found.act(commands.SignNumber(by="pagador-1", number=17))
    found.call()
    found.collect()
    found.pay()
    assert lies(found) == {"s3": "17:1", "reduced-1": "17:1"}


# The lines ----------------------------------------------------------------------------------------


def lines_of(bets: str, **more: Any) -> list[Line]:
    """The lines of a coup where 8 comes out."""
    return list(settled("ar", 8, bets, **more).lines)


@pytest.mark.rule("AMB-AR-32", "AR-26.a", "AR-26.b", "AMB-AR-02")
def test_ar_32_a_line_says_what_went_on_the_number_and_what_was_freed() -> None:
    first, second = lines_of("7/8:2 8/9:1", winning=CLOTH)
    assert (first.won, first.stays, first.reduced, first.freed) == (34, 0, 1, 1)
    assert (first.returned, first.into) == (1, "reduced-1")
    assert first.articles[-3:] == ("AR-26.a", "AR-26.b", "AMB-AR-32")
    assert (second.stays, second.reduced, second.freed, second.into) == (1, 0, 0, None)
    assert "AMB-AR-32" not in second.articles
    in_hand, _ = lines_of("7/8:2 8/9:1")
    assert (in_hand.returned, in_hand.freed, in_hand.reduced, in_hand.into) == (2, 1, 0, None)
    assert in_hand.articles == ("AR-6.b", "AR-6.a")


def spreads() -> Iterator[str]:
    """Every spread of a few chips over a pleno, two semiplenos, a calle, a cuadro and a línea."""
    spots = ("8", "7/8", "8/9", "7/9", "4/8", "4/9")
    for counts in product((0, 3), (0, 1, 4), (0, 3), (0, 5), (0, 4, 7), (0, 8)):
        if any(counts):
            yield " ".join(f"{on}:{n}" for on, n in zip(spots, counts, strict=True) if n)


@pytest.mark.rule("AMB-AR-32", "AMB-AR-33", "AMB-AR-02", "AR-26.b")
def test_ar_32_no_unit_is_lost_and_hand_and_cloth_bring_as_much() -> None:
    for bets in spreads():
        on_cloth, in_hand = settled("ar", 8, bets, winning=CLOTH), settled("ar", 8, bets)
        made, lies_there = reductions(load("ar"), on_cloth), sum(s.amount for s in on_cloth.made)
        assert made == reductions(load("ar"), in_hand)
        lies_there += sum(line.stays for line in on_cloth.lines)
        hands = [sum(line.hand for line in each.lines) for each in (on_cloth, in_hand)]
        assert hands[0] + lies_there == hands[1]
        for line in (*on_cloth.lines, *in_hand.lines):
            assert line.stake.amount == line.stays + line.reduced + line.returned
            assert line.freed <= line.returned
        for each in (on_cloth, in_hand):
            (payment,) = payments(load("ar"), each)
            assert payment.freed == sum(line.freed for line in each.lines)
        if made:
            assert (lies_there, hands[0]) == (made[0].stays, made[0].paid)


@pytest.mark.rule("AMB-AR-32", "AR-27.a")
def test_ar_32_what_is_less_than_a_chip_stays_where_it_lay() -> None:
    hand = [*stakes("7/8:30 8/9:10", chip=10)]
    coup = settled("ar", 8, hand, winning=CLOTH, limits={"split": {"max": 25}})
    first, second = coup.lines
    # Of the 25 within the maximum two chips make a pleno; the loose 5 and the third chip stay.
    assert (first.stays, first.reduced, first.freed) == (5, 10, 10)
    assert (second.stays, second.reduced) == (10, 0)


# What is paid -------------------------------------------------------------------------------------


@pytest.mark.parametrize("winning", list(Winning))
@pytest.mark.parametrize(
    ("bets", "won", "paid", "stays"),
    [
        case("AMB-AR-33 AR-23", "7/8:2 8/9:1", 51, 52, 2),
        case("AMB-AR-33 AR-27.d", "8:1 4/9:6", 65, 70, 2),
        case("AMB-AR-33 AMB-AR-05", "7/8:4", 68, 68, 4),
        case("AMB-AR-33", "8:2", 70, 70, 2),
        case("AMB-AR-33", "black:5", 5, 5, 5),
        case("AMB-AR-33 AR-11.a3", "d1+d2:10", 10, 10, 5),
    ],
)
def test_ar_33_what_is_counted_out_is_the_reduced_payment(
    winning: Winning, bets: str, won: int, paid: int, stays: int
) -> None:
    (payment,) = payments(load("ar"), settled("ar", 8, bets, winning=winning))
    assert (payment.won, payment.paid, payment.stays) == (won, paid, stays)


@pytest.mark.rule("AMB-AR-33", "AR-25.b")
def test_ar_33_only_a_reduced_payment_cites_the_reading() -> None:
    chance, numbers = payments(load("ar"), settled("ar", 8, "black:1 7/8:1 8/9:1"))
    assert chance.articles == ("NV-05",)
    assert numbers.articles == ("NV-05", "AR-25.a", "AR-25.b", "AMB-AR-33")
    (alone,) = payments(load("ar"), settled("ar", 8, "7/8:2"))
    assert "AMB-AR-33" not in alone.articles


# The data of the book -----------------------------------------------------------------------------


def altered(section: str, key: str, value: object) -> str:
    """The text of the book with one datum changed."""
    data = tomllib.loads(source("ar"))
    assert key in data[section]
    data[section][key] = value
    return dumps(data)


@pytest.mark.rule("AMB-AR-32")
def test_ar_32_a_house_may_pay_as_they_lie_the_winners_that_stay() -> None:
    book = read_rulebook(altered("reduction", "stays_reduced", value=False), file="other")
    laid: list[Stake] = stakes("7/8:2 8/9:1")
    as_laid = settle(book, 8, laid, winning=CLOTH)
    assert [(line.stays, line.freed) for line in as_laid.lines] == [(2, 0), (1, 0)]
    assert reductions(book, as_laid) == ()
    assert [payment.paid for payment in payments(book, as_laid)] == [51]
    assert [made.paid for made in reductions(book, settle(book, 8, laid))] == [52]


@pytest.mark.rule("AR-23", "AR-25.a")
@pytest.mark.parametrize(
    ("section", "key", "value"),
    [("payment", "by", "colour"), ("chips", "on_numbers", ["colour", "value"])],
)
def test_ar_23_a_reduction_is_of_colours_and_paid_from_the_spool(
    section: str, key: str, value: object
) -> None:
    with pytest.raises(RulebookError) as problem:
        read_rulebook(altered(section, key, value), file="other.toml")
    assert (problem.value.file, problem.value.key) == ("other.toml", f"[{section}] {key}")
