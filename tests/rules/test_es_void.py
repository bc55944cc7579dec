"""Spain, a null spin after a zero: the choices that were open at the close are open again."""

from typing import Any

import pytest

from novamas.game.rulebook.behaviours import Cause
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.commands import Choice
from novamas.table.refusals import RefusalReason
from novamas.table.script import run_script
from novamas.table.state import Phase
from tests.rules.helpers import Table, coup, opened, refused

CAUSES = sorted(load("es").wheel.causes)


def after_zero(*bets: str, **more: Any) -> Table:
    """A table at which the bets have just met zero; their ids are `s1`, `s2` and so on."""
    table = opened("es", {"ana": 1000}, **more)
    for bet in bets:
        table.stake("ana", bet)
    coup(table, 0)
    return table


def choose(id: str = "s1", choice: Choice = Choice.HALF) -> commands.ChooseAfterZero:
    """The choice of a stake's owner."""
    return commands.ChooseAfterZero(by="ana", id=id, choice=choice)


@pytest.mark.rule("AMB-ES-15", "ES-7.2.b2", "ES-G.9")
@pytest.mark.parametrize("cause", CAUSES)
def test_amb_es_15_a_null_spin_gives_back_a_choice_that_was_open_at_the_close(
    cause: Cause,
) -> None:
    table = after_zero("high:36")
    table.close()
    assert refused(table, choose()).why is RefusalReason.NO_CHOICE_PENDING
    table.void(cause)
    assert table.state.phase is Phase.CHOOSING
    table.act(choose())
    assert (table.purse("ana"), table.state.bank) == (1000 - 18, 18)
    # It counts for the coup of its zero.
    sums = table.tally.coups[-1].of("ana")
    assert (sums.returned, sums.lost, sums.held) == (18, 18, 0)


@pytest.mark.rule("AMB-ES-15")
def test_amb_es_15_again_and_again_until_a_close_that_no_null_spin_follows() -> None:
    table = after_zero("high:36")
    for _ in range(3):
        table.close()
        table.void("object_in_wheel")
        assert table.state.prison["s1"].pending
    table.close()
    assert coup(table, 20).of("ana").returned == 36
    assert not table.state.prison


@pytest.mark.rule("AMB-ES-15", "ES-7.2.b3")
def test_amb_es_15_what_was_chosen_stays_chosen() -> None:
    table = after_zero("high:36", "red:20")
    table.act(choose("s1", Choice.PRISON))
    table.close()
    table.void("ball_out")
    assert refused(table, choose("s1")).why is RefusalReason.NO_CHOICE_PENDING
    table.act(choose("s2"))
    assert table.state.phase is Phase.BETTING
    table.close()
    table.void("ball_out")
    # Nobody has anything left to choose.
    assert table.state.phase is Phase.BETTING
    assert refused(table, choose("s1")).why is RefusalReason.NO_CHOICE_PENDING


@pytest.mark.rule("AMB-ES-15")
def test_amb_es_15_a_null_spin_before_the_close_changes_nothing() -> None:
    table = after_zero("high:36", "red:20")
    table.act(choose("s1", Choice.PRISON))
    table.launch()
    table.void("ball_out")
    assert [each.pending for each in table.state.prison.values()] == [False, True]


@pytest.mark.rule("AMB-ES-15")
def test_amb_es_15_a_number_ends_it() -> None:
    table = after_zero("high:36")
    table.close()
    coup(table, 0)
    # The second zero offers a choice of its own, on half the value; a null spin gives back that.
    table.act(choose("s1", Choice.PRISON))
    table.close()
    table.void("ball_out")
    assert refused(table, choose()).why is RefusalReason.NO_CHOICE_PENDING
    assert table.state.prison["s1"].amount == 18


@pytest.mark.rule("AMB-ES-15", "ES-G.2")
def test_amb_es_15_a_half_below_the_minimum_stays_in_prison_all_the_same() -> None:
    table = after_zero("high:12", limits={"simple": {"min": 5}})
    coup(table, 0)
    table.close()
    table.void("ball_out")
    refusal = refused(table, choose())
    assert (refusal.why, refusal.articles) == (RefusalReason.MUST_STAY_IN_PRISON, ("ES-G.2",))


@pytest.mark.rule("AMB-ES-15")
def test_amb_es_15_in_a_script() -> None:
    outcome = run_script(
        {
            "rulebook": "es",
            "purses": {"ana": 100, "luis": 100},
            "script": [
                {"do": "stake", "id": "a", "player": "ana", "on": "high", "amount": 36},
                {"do": "stake", "id": "l", "player": "luis", "on": "high", "amount": 36},
                {"do": "no_more_bets"},
                {"do": "number", "number": 0},
                {"do": "choose", "id": "l", "choice": "prison"},
                {"do": "no_more_bets"},
                {"do": "choose", "id": "a", "choice": "half"},
                {"do": "void", "cause": "ball_out"},
                {"do": "choose", "id": "l", "choice": "half"},
                {"do": "choose", "id": "a", "choice": "half"},
            ],
        },
        load,
    )
    assert outcome["refused"] == [6, 8]
    assert outcome["purses"] == {"ana": 82, "luis": 64}
    assert outcome["coups"][0]["players"] == {
        "ana": {"won": 0, "returned": 18, "lost": 18, "held": 0},
        "luis": {"won": 0, "returned": 0, "lost": 0, "held": 36},
    }
