"""What happens between the close of betting and the next coup, and what may still be put right."""

from dataclasses import replace
from typing import Any

import pytest

from novamas.game.cloth import spot
from novamas.game.rulebook.behaviours import Act, LimitsKept, Replay, Winning
from novamas.rulebooks import HOUSES, load
from novamas.table import commands, events
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase
from tests.properties.allowed import photograph
from tests.rules.helpers import coup, opened, place, refused
from tests.table.staging import answer, at

OK = "ok"

# After the close ----------------------------------------------------------------------------------


@pytest.mark.rule("IT-gioco-7c", "AMB-IT-15")
def test_an_exception_is_for_one_stake_of_one_player_before_the_ball_falls() -> None:
    table = at("it", "closed")
    chief = table.staff(Act.GRANT_EXCEPTION)
    late = place("luis", "32:10")
    assert answer(table, late) == "betting_is_closed"
    table.act(commands.GrantException(by=chief, player="luis"))
    assert answer(table, place("ana", "32:10")) == "betting_is_closed"
    assert answer(table, late) == OK
    assert table.last(events.StakePlaced).exception
    assert answer(table, place("luis", "33:10", id="later")) == "betting_is_closed"


@pytest.mark.rule("IT-gioco-7c", "IT-general-2b")
def test_a_stake_by_exception_must_play() -> None:
    table = at("it", "closed")
    table.act(commands.GrantException(by=table.staff(Act.GRANT_EXCEPTION), player="luis"))
    assert answer(table, place("luis", "32:1")) == "stake_below_minimum"
    assert answer(table, place("luis", "32:5")) == OK


@pytest.mark.parametrize("void", [True, False], ids=["voided", "pocketed"])
def test_an_exception_that_nobody_used_is_gone_with_the_ball(void: bool) -> None:  # noqa: FBT001
    table = at("it", "closed")
    table.act(commands.GrantException(by=table.staff(Act.GRANT_EXCEPTION), player="luis"))
    if void:
        table.void("ball_out")
        table.close()
    else:
        table.pocket(17)
    assert not table.state.exceptions
    assert answer(table, place("luis", "32:10")) == "betting_is_closed"


LATE: dict[str, dict[str, dict[str, str]]] = {
    "ar": {
        "17": {"pocketed": "noticed_too_late", "collecting": "noticed_too_late"},
        "black": {"pocketed": OK, "collecting": "noticed_too_late"},
    },
    "it": {
        "17": {"pocketed": "noticed_too_late", "collecting": "noticed_too_late"},
        "black": {"pocketed": "noticed_too_late", "collecting": "noticed_too_late"},
    },
}
"""What is answered when an excess is noticed; until the ball is pocketed it is always in time."""


@pytest.mark.rule("AR-14.a", "AR-15.a", "AMB-AR-15", "IT-general-15b")
@pytest.mark.parametrize("moment", ["betting", "spinning", "closed", "pocketed", "collecting"])
@pytest.mark.parametrize("on", ["17", "black"])
@pytest.mark.parametrize("house", LATE)
def test_an_excess_is_noticed_in_time_or_too_late(house: str, on: str, moment: str) -> None:
    limits = {"straight": {"max": 100}, "simple": {"max": 100}}
    table = opened(house, {"ana": 1000}, limits=limits, limits_kept=LimitsKept.POLICED)
    table.stake("ana", f"{on}:150", id="big")
    steps = [table.launch, table.close, lambda: table.pocket(17), table.call]
    for step in steps[: ["betting", "spinning", "closed", "pocketed", "collecting"].index(moment)]:
        step()
    notice = commands.NoticeExcess(by=table.staff(Act.NOTICE_EXCESS), id="big")
    found = answer(table, notice)
    assert found == LATE[house][on].get(moment, OK)
    back = 50 if found == OK else 0
    assert table.purse("ana") == 850 + back
    assert table.state.stakes["big"].amount == 150 - back
    if found == OK:
        assert answer(table, notice) == "nothing_in_excess"


@pytest.mark.rule("IT-general-13b")
def test_while_winners_are_paid_a_stake_is_taken_where_nothing_won() -> None:
    table = at("it", "paying")
    assert answer(table, place("luis", "17:10")) == "spot_is_being_paid"
    assert answer(table, place("luis", "17/20:10")) == "spot_is_being_paid"
    assert answer(table, place("luis", "black:10")) == "spot_is_being_paid"
    assert answer(table, place("luis", "32:10")) == OK
    assert answer(table, commands.WithdrawStake(by="luis", id="late")) == "hands_off_until_paid"
    table.pay()
    assert table.state.stakes["late"].amount == 10
    assert answer(table, commands.WithdrawStake(by="luis", id="late")) == OK


@pytest.mark.rule("IT-general-16", "AMB-IT-13", "AMB-IT-27")
@pytest.mark.parametrize("moment", ["betting", "spinning", "closed", "pocketed", "paying"])
def test_it_general_16_with_stakes_on_the_cloth_a_new_placard_binds_the_next_coup(
    moment: str,
) -> None:
    table = at("it", moment)
    limits = {"straight": {"max": 5}, "split": {"min": 2, "max": 9}}
    table.act(commands.ChangeLimits(by=table.staff(Act.CHANGE_LIMITS), limits=limits))
    assert not table.state.limits.by_class
    steps = [table.launch, table.close, lambda: table.pocket(17), table.call, table.collect]
    done = {"betting": 0, "spinning": 1, "closed": 2, "pocketed": 3, "paying": 5}[moment]
    for step in (*steps[done:], table.pay):
        assert not table.state.limits.by_class
        step()
    assert table.state.limits.as_data() == limits
    assert answer(table, place("luis", "32:6")) == "exceeds_maximum"
    assert answer(table, place("luis", "32:5")) == OK


@pytest.mark.rule("AMB-IT-27")
def test_it_of_two_placards_announced_under_a_running_ball_both_hold() -> None:
    table = at("it", "closed")
    chief = table.staff(Act.CHANGE_LIMITS)
    table.act(commands.ChangeLimits(by=chief, limits={"straight": {"max": 5}}))
    table.act(commands.ChangeLimits(by=chief, limits={"split": {"max": 9}}))
    coup(table, 17)
    assert table.state.limits.as_data() == {"straight": {"max": 5}, "split": {"max": 9}}


# Corrections --------------------------------------------------------------------------------------


@pytest.mark.rule("IT-general-7")
@pytest.mark.parametrize("house", HOUSES)
def test_a_correction_moves_a_stake_and_keeps_all_else(house: str) -> None:
    table = at(house, "spinning")
    before = table.state.stakes["win"]
    table.act(commands.CorrectStake(by=table.staff(Act.CORRECT), id="win", on="32"))
    moved = table.last(events.StakeMoved)
    assert moved.correction
    assert table.state.stakes["win"].spot is spot("32")
    assert table.state.stakes["win"].amount == before.amount
    assert ("ana", spot("17")) not in table.state.on_spot
    assert table.state.on_spot["ana", spot("32")] == 20


@pytest.mark.parametrize("house", ["it", "bg"])
def test_a_piece_of_an_announcement_is_neither_moved_corrected_nor_taken(house: str) -> None:
    table = at(house, "betting")
    for command in (
        commands.MoveStake(by="ana", id="ann/1", on="32"),
        commands.CorrectStake(by=table.staff(Act.CORRECT), id="ann/1", on="32"),
        commands.WithdrawStake(by="ana", id="ann/1"),
    ):
        assert answer(table, command) == "piece_of_an_announcement"


# Payments and replays -----------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 17, 20])
@pytest.mark.parametrize("winning", Winning)
@pytest.mark.parametrize("house", HOUSES)
def test_payments_made_one_by_one_are_the_payments_made_at_once(
    house: str, winning: Winning, number: int
) -> None:
    ends = []
    for one_by_one in (True, False):
        table = opened(house, {"ana": 1000, "luis": 1000, "eva": 1000}, winning=winning)
        for player in ("ana", "luis", "eva"):
            table.stake(player, "17:10 17/20:10 0:10 black:10 d2:10 c2:10 5:10", chips=None)
        table.pocket(number)
        table.call()
        table.collect()
        payments = len(table.state.due)
        assert payments > 1
        if one_by_one:
            for left in range(payments, 0, -1):
                assert len(table.state.due) == left
                assert table.state.phase is Phase.PAYING
                table.act(commands.PayNext(by=table.staff(Act.PAY)))
        else:
            table.pay()
        assert table.state.phase in (Phase.BETTING, Phase.CHOOSING)
        ends.append(photograph(table.state))
    assert ends[0] == ends[1]


WORTH: dict[Replay, tuple[int, int]] = {
    Replay.RIFARE: (6 + 1, 11),
    Replay.COMPLETARE: (6, 12),
    Replay.PER_IL_TUTTO: (18, 0),
}
"""What lies on the cloth after the replay of a tiers of 6 that won on 10; what is left of 18."""


@pytest.mark.rule("IT-rig-0", "IT-rig-1", "IT-rig-2", "IT-rig-3", "AMB-IT-05")
@pytest.mark.parametrize("winning", Winning)
@pytest.mark.parametrize("mode", Replay)
def test_a_replay_comes_to_the_same_with_winners_in_the_hand_or_on_the_cloth(
    mode: Replay, winning: Winning
) -> None:
    table = opened("it", {"ana": 100}, winning=winning)
    table.act(commands.Announce(by="ana", id="t", player="ana", call="tiers", amount=6))
    coup(table, 10)
    table.act(commands.ReplayAnnouncement(by="ana", id="t", mode=mode, new_id="u"))
    lying, in_hand = WORTH[mode]
    assert table.state.on_cloth == lying
    assert table.purse("ana") == 94 + in_hand
    again = commands.ReplayAnnouncement(by="ana", id="t", mode=mode, new_id="v")
    assert answer(table, again) == "nothing_to_replay"


def test_an_announcement_is_withdrawn_whole_or_by_even_parts() -> None:
    table = opened("it", {"ana": 100})
    table.act(commands.Announce(by="ana", id="t", player="ana", call="tiers", amount=12))
    take = commands.WithdrawStake(by="ana", id="t")
    assert answer(table, replace(take, amount=13)) == "more_than_staked"
    assert answer(table, replace(take, amount=5)) == "announcement_not_even"
    assert answer(table, replace(take, amount=6)) == OK
    assert {stake.amount for stake in table.state.stakes.values()} == {1}
    assert table.state.announcements["t"].amount == 6
    assert answer(table, take) == OK
    assert not table.state.announcements
    assert table.purse("ana") == 100


@pytest.mark.parametrize("house", HOUSES)
def test_an_announcement_brings_what_its_stakes_laid_singly_bring(house: str) -> None:
    calls = load(house).announcements.calls
    for name, call in calls.items():
        for number in range(37):
            called, singly = (opened(house, {"ana": 1000}) for _ in range(2))
            amount = 5 * len(call.pieces)
            called.act(replace(announced(), call=name, amount=amount))
            singly.stake("ana", " ".join(f"{piece.name}:5" for piece in call.pieces))
            coup(called, number)
            coup(singly, number)
            assert called.purse("ana") == singly.purse("ana"), (name, number)
    assert bool(calls) == (answer(at(house, "betting"), announced()) == OK)


def announced() -> commands.Announce:
    return commands.Announce(by="ana", id="t", player="ana", call="tiers", amount=6)


# The wheel ----------------------------------------------------------------------------------------


@pytest.mark.rule("BG-9", "AMB-BG-10", "ES-G.6", "NV-01")
@pytest.mark.parametrize("house", [house for house in HOUSES if load(house).wheel.alternates])
def test_each_spin_turns_against_the_one_before_void_ones_too(house: str) -> None:
    table = opened(house, {"ana": 100})
    coup(table, 17)
    table.launch()
    table.void("object_in_wheel")
    coup(table, 17)
    table.launch()
    table.void("object_in_wheel")
    spins: list[Any] = [e for e in table.events if isinstance(e, events.BallLaunched)]
    assert [spin.wheel.value for spin in spins] == ["cw", "ccw", "cw", "ccw"]
    assert [spin.ball.value for spin in spins] == ["ccw", "cw", "ccw", "cw"]
    assert [spin.spin for spin in spins] == [1, 2, 3, 4]


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("number", [37, -1, True, "17", None, 17.0])
def test_a_number_that_the_wheel_does_not_have_is_not_pocketed(house: str, number: Any) -> None:
    table = at(house, "closed")
    pocket = commands.PocketBall(by=table.staff(Act.POCKET_BALL), number=number)
    assert refused(table, pocket).why is RefusalReason.NUMBER_NOT_ON_THE_WHEEL
