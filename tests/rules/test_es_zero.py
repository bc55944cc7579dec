"""Spain, article 7.2.b: zero, the choice between half and prison, and zeros that come again."""

from collections.abc import Sequence
from enum import StrEnum

import pytest

from novamas.game.cloth import spot
from novamas.game.limits import placard
from novamas.game.stakes import Prisoner
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.commands import Choice
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase
from tests.rules.alike import (
    check_prison_is_chosen_by_silence,
    check_what_each_choice_gives_the_house,
    check_zero_touches_the_simple_chances_alone,
    choose,
    in_prison,
)
from tests.rules.helpers import Table, case, coup, opened, place, refused, settle_line, settled

HALF, PRISON = Choice.HALF, Choice.PRISON


def choosing(table: Table) -> bool:
    """Whether somebody may still choose."""
    return table.state.phase is Phase.CHOOSING


def no_choice(table: Table, id: str, choice: Choice = HALF, *, by: str = "ana") -> StrEnum:
    """Why a choice is refused."""
    return refused(table, commands.ChooseAfterZero(by=by, id=id, choice=choice)).why


# The first zero -----------------------------------------------------------------------------------


@pytest.mark.rule("ES-7.2.b1", "ES-7.2.b2", "ES-7.2.b3")
@pytest.mark.parametrize("chance", ["even", "odd", "red", "black", "low", "high"])
def test_es_7_2_b_zero_gives_every_simple_bet_the_choice(chance: str) -> None:
    table = in_prison("es", 100, 1, on=chance)
    assert choosing(table)
    assert table.purse("ana") == 900
    line = choose(table, "s1", HALF)
    assert (line.returned, line.lost, line.held) == (50, 50, 0)
    assert table.purse("ana") == 950
    assert table.state.bank == 50
    assert not choosing(table)


@pytest.mark.rule("ES-7.2.b1", "ES-7.2.b2")
def test_es_7_2_b2_half_cites_its_articles() -> None:
    line = choose(in_prison("es", 100, 1), "s1", HALF)
    assert line.articles == ("ES-7.2.a2", "ES-7.2.b1", "ES-7.2.b2")


@pytest.mark.rule("ES-7.2.b3", "AMB-ES-06")
def test_es_7_2_b3_prison_keeps_the_whole_stake_and_play_goes_on() -> None:
    table = in_prison("es", 100, 1)
    line = choose(table, "s1", PRISON)
    assert (line.returned, line.lost, line.held) == (0, 0, 100)
    assert line.articles == ("ES-7.2.a2", "ES-7.2.b3")
    assert table.state.bank == 0
    table.stake("ana", "red:100")
    sums = coup(table, 9).of("ana")
    assert (sums.won, sums.returned) == (100, 200)


@pytest.mark.rule("ES-7.2.b1", "ES-7.2.b3")
def test_es_7_2_b_settlement_itself_only_sets_the_bet_in_prison() -> None:
    line = settle_line("es", 0, "even:100")
    assert (line.won, line.returned, line.lost, line.held) == (0, 0, 0, 100)
    assert line.articles == ("ES-7.2.a1", "ES-7.2.b3")


@pytest.mark.rule("ES-7.2.b4", "AMB-ES-06", "AMB-ES-07")
def test_es_7_2_b4_a_bet_in_prison_that_wins_goes_free_and_wins_nothing() -> None:
    table = in_prison("es", 100, 1)
    choose(table, "s1", PRISON)
    sums = coup(table, 9).of("ana")
    assert (sums.won, sums.returned, sums.lost, sums.held) == (0, 100, 0, 0)
    assert table.purse("ana") == 1000
    assert not table.state.prison


@pytest.mark.rule("ES-7.2.b5")
def test_es_7_2_b5_a_bet_in_prison_that_does_not_win_is_lost_for_good() -> None:
    table = in_prison("es", 100, 1, on="black")
    choose(table, "s1", PRISON)
    sums = coup(table, 9).of("ana")
    assert (sums.won, sums.returned, sums.lost, sums.held) == (0, 0, 100, 0)
    assert (table.purse("ana"), table.state.bank) == (900, 100)


@pytest.mark.rule("ES-7.2.b4", "ES-7.2.b5", "AMB-ES-07")
def test_es_7_2_b_the_two_fates_out_of_prison_cite_different_articles() -> None:
    prisoner = Prisoner("s1", "ana", spot("red"), 100)
    freed, taken = (settled("es", out, prison=[prisoner]).lines[0] for out in (9, 8))
    assert freed.articles == ("ES-7.2.a2", "ES-7.2.b4", "AMB-ES-07")
    assert taken.articles == ("ES-7.2.a2", "ES-7.2.b5")


@pytest.mark.rule("ES-7.2.b1")
def test_es_7_2_b1_zero_touches_the_simple_bets_alone() -> None:
    check_zero_touches_the_simple_chances_alone("es", lost=0, held=10)


# Who chooses, what and when -----------------------------------------------------------------------


@pytest.mark.rule("AMB-ES-04")
@pytest.mark.parametrize(("out", "returned", "lost"), [(9, 100, 0), (8, 0, 100)])
def test_amb_es_04_who_does_not_choose_has_chosen_prison(
    out: int, returned: int, lost: int
) -> None:
    check_prison_is_chosen_by_silence("es", out, returned=returned, lost=lost)


@pytest.mark.rule("AMB-ES-14")
def test_amb_es_14_each_bet_has_a_choice_of_its_own_for_the_whole_of_it() -> None:
    table = opened("es", {"ana": 1000, "luis": 1000})
    table.stake("ana", "red:100 red:60 even:40")
    table.stake("luis", "red:20")
    coup(table, 0)
    assert choose(table, "s1", HALF).returned == 50
    assert choosing(table)
    assert choose(table, "s2", PRISON).held == 60
    assert choose(table, "s4", HALF, by="luis").returned == 10
    assert choose(table, "s3", HALF).returned == 20
    assert not choosing(table)
    assert {id: prisoner.amount for id, prisoner in table.state.prison.items()} == {"s2": 60}
    sums = table.tally.coups[0].of("ana")
    assert (sums.returned, sums.lost, sums.held) == (70, 70, 60)


@pytest.mark.rule("AMB-ES-14")
def test_amb_es_14_a_choice_is_made_once() -> None:
    table = in_prison("es", 100, 1)
    choose(table, "s1", PRISON)
    assert no_choice(table, "s1") is RefusalReason.NO_CHOICE_PENDING
    assert no_choice(table, "s1", PRISON) is RefusalReason.NO_CHOICE_PENDING


@pytest.mark.rule("AMB-ES-14")
def test_amb_es_14_nobody_chooses_for_another_player() -> None:
    table = opened("es", {"ana": 1000, "luis": 1000})
    table.stake("ana", "red:100")
    coup(table, 0)
    assert no_choice(table, "s1", by="luis") is RefusalReason.NOT_THEIR_STAKE
    assert table.state.prison["s1"].pending


@pytest.mark.rule("ES-7.2.b3")
def test_es_7_2_b3_a_bet_in_prison_can_be_neither_taken_nor_moved_nor_topped_up() -> None:
    table = in_prison("es", 100, 1)
    choose(table, "s1", PRISON)
    take = commands.WithdrawStake(by="ana", id="s1")
    move = commands.MoveStake(by="ana", id="s1", on="black")
    assert refused(table, take).why is RefusalReason.NO_SUCH_STAKE
    assert refused(table, move).why is RefusalReason.NO_SUCH_STAKE
    assert refused(table, place("ana", "red:10", id="s1")).why is RefusalReason.ID_IN_USE
    assert refused(table, commands.Leave(by="ana")).why is RefusalReason.STAKES_ON_THE_CLOTH


@pytest.mark.rule("ES-7.2.b3", "ES-G.9")
def test_es_7_2_b3_a_null_spin_decides_nothing_about_the_prison() -> None:
    table = in_prison("es", 100, 1)
    choose(table, "s1", PRISON)
    table.close()
    table.void("object_in_wheel")
    assert table.state.prison["s1"].amount == 100
    assert coup(table, 9).of("ana").returned == 100


# Zero again ---------------------------------------------------------------------------------------


@pytest.mark.rule("ES-G.1", "AMB-ES-03", "AMB-ES-03b")
@pytest.mark.parametrize(
    ("zeros", "half", "held"), [(1, 40, 80), (2, 20, 40), (3, 10, 20), (4, 5, 10)]
)
def test_es_g_1_the_initial_bet_halves_at_every_zero(zeros: int, half: int, held: int) -> None:
    table = in_prison("es", 80, zeros)
    assert table.state.prison["s1"].amount == held
    assert choose(table, "s1", HALF).returned == half
    assert (table.purse("ana"), table.state.bank) == (920 + half, 80 - half)

    table = in_prison("es", 80, zeros)
    choose(table, "s1", PRISON)
    assert coup(table, 9).of("ana").returned == held == 80 // 2 ** (zeros - 1)
    assert (table.purse("ana"), table.state.bank) == (920 + held, 80 - held)

    table = in_prison("es", 80, zeros)
    choose(table, "s1", PRISON)
    assert coup(table, 8).of("ana").lost == held
    assert table.state.bank == 80


@pytest.mark.rule("ES-G.1")
def test_es_g_1_the_choice_comes_anew_at_every_zero_and_cites_its_article() -> None:
    table = in_prison("es", 80, 2)
    assert choosing(table)
    assert table.state.prison["s1"].pending
    (line,) = table.last(events.NumberCalled).settlement.lines
    assert (line.held, line.lost) == (40, 40)
    assert line.articles == ("ES-7.2.a2", "ES-G.1")
    assert "ES-G.1" in choose(table, "s1", HALF).articles


@pytest.mark.rule("ES-G.1", "X-03")
@pytest.mark.parametrize(
    ("amount", "held", "half"),
    [
        case("AMB-ES-03b", 75, (75, 38, 19, 10), (38, 19, 10, 5)),
        case("AMB-ES-03b", 7, (7, 4, 2, 1), (4, 2, 1, 1)),
        case("AMB-ES-03b", 1, (1, 1, 1, 1), (1, 1, 1, 1)),
    ],
)
def test_es_g_1_the_odd_unit_of_an_odd_value_stays_the_players(
    amount: int, held: Sequence[int], half: Sequence[int]
) -> None:
    for zeros, (value, withdrawn) in enumerate(zip(held, half, strict=True), start=1):
        table = in_prison("es", amount, zeros)
        assert table.state.prison["s1"].amount == value
        assert choose(table, "s1", HALF).returned == withdrawn
        # Every unit is somewhere: with the player or with the bank.
        assert table.purse("ana") + table.state.bank == 1000


@pytest.mark.rule("ES-G.1", "AMB-ES-03", "AMB-ES-05")
def test_es_g_1_what_each_way_of_choosing_gives_the_house() -> None:
    # A unit in prison is worth what its next spin brings; with so fine a stake no unit is odd.
    check_what_each_choice_gives_the_house("es")


# Halves below the minimum -------------------------------------------------------------------------


@pytest.mark.rule("ES-G.2", "AMB-ES-09")
@pytest.mark.parametrize(
    ("amount", "zeros", "half"),
    [
        # At the first zero half may always be taken, however small.
        (8, 1, 4),
        (5, 1, 3),
        # From the second on it must reach the minimum of 5.
        (20, 2, 5),
        (40, 3, 5),
        (12, 2, None),
        (16, 2, None),
        (32, 3, None),
        # An odd 9 halves to 5, for its odd unit is the player's.
        (36, 3, 5),
    ],
)
def test_es_g_2_a_half_below_the_minimum_stays_from_the_second_zero_on(
    amount: int, zeros: int, half: int | None
) -> None:
    table = in_prison("es", amount, zeros, minimum=5)
    if half is None:
        choice = commands.ChooseAfterZero(by="ana", id="s1", choice=HALF)
        refusal = refused(table, choice)
        assert (refusal.why, refusal.articles) == (RefusalReason.MUST_STAY_IN_PRISON, ("ES-G.2",))
        held = choose(table, "s1", PRISON).held
        assert coup(table, 9).of("ana").returned == held == amount // 2 ** (zeros - 1)
    else:
        assert choose(table, "s1", HALF).returned == half


@pytest.mark.rule("ES-G.2")
def test_es_g_2_what_must_stay_stays_without_a_word() -> None:
    table = in_prison("es", 12, 2, minimum=5)
    assert coup(table, 9).of("ana").returned == 6


@pytest.mark.rule("ES-G.2", "ES-G.4")
def test_es_g_2_the_minimum_is_that_of_the_placard() -> None:
    table = opened("es", {"ana": 1000}, limits=placard(load("es"), 10))
    table.stake("ana", "red:36 black:40")
    coup(table, 0)
    coup(table, 0)
    assert no_choice(table, "s1") is RefusalReason.MUST_STAY_IN_PRISON
    assert choose(table, "s2", HALF).returned == 10


# Zero on the last spin ----------------------------------------------------------------------------


@pytest.mark.rule("ES-G.3", "AMB-ES-08")
@pytest.mark.parametrize(
    ("zeros", "returned", "lost"), [(0, 40, 40), (1, 20, 60), (2, 10, 30), (3, 5, 15)]
)
def test_es_g_3_on_the_last_spin_the_player_must_take_what_is_left(
    zeros: int, returned: int, lost: int
) -> None:
    table = in_prison("es", 80, zeros)
    sums = coup(table, 0, last=True).of("ana")
    assert (sums.returned, sums.lost, sums.held) == (returned, lost, 0)
    assert (table.purse("ana"), table.state.bank) == (920 + returned, 80 - returned)
    assert table.state.phase is Phase.ENDED
    assert no_choice(table, "s1") is RefusalReason.NO_CHOICE_PENDING


@pytest.mark.rule("ES-G.3")
@pytest.mark.parametrize(
    ("zeros", "articles"),
    [
        (0, ("ES-7.2.a2", "ES-7.2.b1", "ES-7.2.b2", "ES-G.3")),
        (1, ("ES-7.2.a2", "ES-G.1", "ES-G.3")),
    ],
)
def test_es_g_3_the_forced_half_cites_its_article(zeros: int, articles: tuple[str, ...]) -> None:
    table = in_prison("es", 80, zeros)
    coup(table, 0, last=True)
    (line,) = table.last(events.NumberCalled).settlement.lines
    assert line.articles == articles


@pytest.mark.rule("ES-G.2", "ES-G.3")
def test_es_g_3_on_the_last_spin_a_half_below_the_minimum_is_paid_too() -> None:
    table = in_prison("es", 12, 1, minimum=5)
    assert coup(table, 0, last=True).of("ana").returned == 3


@pytest.mark.rule("ES-G.3", "ES-7.2.b4", "ES-7.2.b5")
@pytest.mark.parametrize(("out", "returned", "lost"), [(9, 80, 0), (8, 0, 80)])
def test_es_g_3_a_last_spin_that_is_not_zero_frees_or_takes_as_ever(
    out: int, returned: int, lost: int
) -> None:
    sums = coup(in_prison("es", 80, 1), out, last=True).of("ana")
    assert (sums.returned, sums.lost) == (returned, lost)


@pytest.mark.rule("ES-G.3", "AMB-ES-08")
@pytest.mark.parametrize(("zeros", "returned"), [(1, 40), (2, 20), (3, 10)])
def test_es_g_3_a_table_that_closes_after_a_zero_keeps_nothing_for_another_session(
    zeros: int, returned: int
) -> None:
    table = in_prison("es", 80, zeros)
    table.act(commands.CloseTable(by="chief-1"))
    ((id, amount, articles),) = table.last(events.StakesReturned).returned
    assert (id, amount, articles) == ("s1", returned, ("ES-G.3",))
    assert (table.purse("ana"), table.state.bank) == (920 + returned, 80 - returned)
    assert not table.state.prison
