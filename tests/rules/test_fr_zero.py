"""France, French roulette, article 52: zero, the choice between half and prison, zeros again."""

import pytest

from novamas.game.cloth import spot
from novamas.game.stakes import Prisoner
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
from tests.rules.helpers import case, coup, opened, refused, settled

HALF, PRISON = Choice.HALF, Choice.PRISON


@pytest.mark.rule("FR-52.z1", "FR-52.z2")
@pytest.mark.parametrize("chance", ["even", "odd", "red", "black", "low", "high"])
def test_fr_52_z_zero_gives_every_simple_chance_the_choice(chance: str) -> None:
    table = in_prison("fr", 100, 1, on=chance)
    assert table.state.phase is Phase.CHOOSING
    line = choose(table, "s1", HALF)
    assert (line.returned, line.lost, line.held) == (50, 50, 0)
    assert (table.purse("ana"), table.state.bank) == (950, 50)


@pytest.mark.rule("FR-52.z1", "X-03", "AMB-X-03")
def test_fr_52_z1_of_75_on_pair_38_go_back() -> None:
    line = choose(in_prison("fr", 75, 1, on="even"), "s1", HALF)
    assert (line.returned, line.lost) == (38, 37)
    assert {"FR-52.z1", "X-03", "AMB-X-03"} <= set(line.articles)


@pytest.mark.rule("FR-52.z2")
def test_fr_52_z2_prison_holds_the_whole_stake() -> None:
    table = in_prison("fr", 100, 1)
    line = choose(table, "s1", PRISON)
    assert (line.returned, line.lost, line.held) == (0, 0, 100)
    assert line.articles == ("FR-52.j", "FR-52.z2")
    assert table.state.bank == 0


@pytest.mark.rule("FR-52.z1", "FR-52.z2")
def test_fr_52_z_zero_touches_the_simple_chances_alone() -> None:
    check_zero_touches_the_simple_chances_alone("fr", lost=0, held=10)


@pytest.mark.parametrize(
    ("on", "returned", "lost", "article"),
    [
        case("FR-52.z3", "red", 100, 0, "FR-52.z3"),
        case("FR-52.z4", "black", 0, 100, "FR-52.z4"),
    ],
)
def test_fr_52_z_the_next_number_frees_without_a_gain_or_takes_for_good(
    on: str, returned: int, lost: int, article: str
) -> None:
    table = in_prison("fr", 100, 1, on=on)
    choose(table, "s1", PRISON)
    sums = coup(table, 9).of("ana")
    assert (sums.won, sums.returned, sums.lost, sums.held) == (0, returned, lost, 0)
    assert not table.state.prison
    (line,) = settled("fr", 9, prison=[Prisoner("p", "ana", spot(on), 100)]).lines
    assert line.articles == ("FR-52.j", article)


@pytest.mark.rule("AMB-FR-05")
@pytest.mark.parametrize(("out", "returned", "lost"), [(9, 100, 0), (8, 0, 100)])
def test_amb_fr_05_who_does_not_choose_has_chosen_prison(
    out: int, returned: int, lost: int
) -> None:
    check_prison_is_chosen_by_silence("fr", out, returned=returned, lost=lost)


@pytest.mark.rule("AMB-ES-15", "FR-51.k")
@pytest.mark.parametrize("cause", ["object_in_wheel", "ball_out"])
def test_amb_es_15_a_void_ball_gives_back_the_choice_that_was_open_at_the_close(
    cause: str,
) -> None:
    table = opened("fr", {"ana": 1000})
    table.stake("ana", "red:100 black:60")
    coup(table, 0)
    choose(table, "s2", PRISON)
    table.close()
    table.void(cause)
    # What was chosen stays chosen.
    again = commands.ChooseAfterZero(by="ana", id="s2", choice=HALF)
    assert refused(table, again).why is RefusalReason.NO_CHOICE_PENDING
    assert choose(table, "s1", HALF).returned == 50


@pytest.mark.rule("AMB-FR-06")
def test_amb_fr_06_each_stake_has_a_choice_of_its_own_for_the_whole_of_it() -> None:
    table = opened("fr", {"ana": 1000})
    table.stake("ana", "red:100 red:60")
    coup(table, 0)
    assert choose(table, "s1", HALF).returned == 50
    assert choose(table, "s2", PRISON).held == 60
    assert {id: each.amount for id, each in table.state.prison.items()} == {"s2": 60}


@pytest.mark.rule("FR-52.z5", "AMB-FR-03")
@pytest.mark.parametrize(
    ("zeros", "half", "held"), [(1, 50, 100), (2, 25, 50), (3, 13, 25), (4, 7, 13)]
)
def test_fr_52_z5_the_stake_is_worth_half_as_much_at_every_further_zero(
    zeros: int, half: int, held: int
) -> None:
    table = in_prison("fr", 100, zeros)
    assert table.state.prison["s1"].amount == held
    assert choose(table, "s1", HALF).returned == half
    assert (table.purse("ana"), table.state.bank) == (900 + half, 100 - half)

    table = in_prison("fr", 100, zeros)
    choose(table, "s1", PRISON)
    assert coup(table, 9).of("ana").returned == held


@pytest.mark.rule("FR-52.z5", "AMB-FR-03")
def test_fr_52_z5_the_choice_comes_anew_at_every_zero_and_cites_its_article() -> None:
    table = in_prison("fr", 80, 2)
    assert table.state.prison["s1"].pending
    (line,) = table.last(events.NumberCalled).settlement.lines
    assert (line.held, line.lost) == (40, 40)
    assert line.articles == ("FR-52.j", "FR-52.z5", "AMB-FR-03")


@pytest.mark.rule("AMB-FR-04")
def test_amb_fr_04_a_half_below_the_minimum_may_be_taken() -> None:
    table = in_prison("fr", 20, 2, minimum=10)
    line = choose(table, "s1", HALF)
    assert (line.returned, line.lost) == (5, 5)
    assert table.purse("ana") == 985


@pytest.mark.rule("FR-52.z6")
@pytest.mark.parametrize(
    ("zeros", "returned", "lost"), [(0, 8, 8), (1, 4, 12), (2, 2, 6), (3, 1, 3)]
)
def test_fr_52_z6_on_the_last_coup_half_a_quarter_an_eighth_must_be_accepted(
    zeros: int, returned: int, lost: int
) -> None:
    table = in_prison("fr", 16, zeros)
    sums = coup(table, 0, last=True).of("ana")
    assert (sums.returned, sums.lost, sums.held) == (returned, lost, 0)
    assert table.purse("ana") == 984 + returned
    choice = commands.ChooseAfterZero(by="ana", id="s1", choice=PRISON)
    assert refused(table, choice).why is RefusalReason.NO_CHOICE_PENDING
    (line,) = table.last(events.NumberCalled).settlement.lines
    assert "FR-52.z6" in line.articles


@pytest.mark.rule("FR-52.z1", "FR-52.z3", "FR-52.z4", "FR-52.z5", "AMB-FR-03")
def test_fr_52_z_what_each_way_of_choosing_gives_the_house() -> None:
    check_what_each_choice_gives_the_house("fr")
