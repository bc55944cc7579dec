"""The environment for learning agents: the checker, the table's money, the exact optimum."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import novamas as nv

HOUSES = nv.houses()


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("actions", ["discrete", "layout"])
def test_gymnasium_finds_nothing_wrong(house: str, actions: Any) -> None:
    """Its warnings are errors here."""
    env = nv.environment(house, actions=actions, render_mode="ansi")
    check_env(env)
    env.reset(seed=3)
    env.step(env.action_space.sample())
    assert env.book.word("red").upper() in str(env.render()).upper()


@pytest.mark.parametrize("house", HOUSES)
def test_the_same_bets_and_numbers_bring_what_the_table_pays(house: str) -> None:
    """Two players, one at the table and one in the environment, have the same after every coup."""
    chance = random.Random(house)  # noqa: S311 - repeatable numbers for a test
    env: Any = nv.environment(house, bankroll=10_000, coups=60)
    table = nv.Table(house, players={"ana": 10_000})
    pockets = env.wheel.pockets
    zeros = [pocket for pocket in pockets if pocket not in range(1, 37)]
    numbers = [chance.choice(zeros if chance.random() < 0.3 else pockets) for _ in range(60)]
    simple = [place for place, bet in enumerate(env.bets, 1) if len(bet.what.numbers) == 18]
    observation, info = env.reset(options={"numbers": numbers})
    for number in numbers:
        place = chance.choice(simple) if chance.random() < 0.6 else chance.randrange(len(env.bets))
        choice = chance.randrange(len(env.choices))
        observation, _, ended, _, info = env.step(place + choice * (len(env.bets) + 1))
        if place:
            table.stake("ana", [env.bets[place - 1]])
        table.spin(number)
        if choice and any(each.pending for each in table.prison):
            table.choose("ana", "half")
        held = sum(prisoner.amount for prisoner in table.prison)
        assert info["refused"] is None
        assert (observation["purse"][0], observation["prison"].sum()) == (
            table.purses["ana"],
            held,
        )
        assert not ended
    assert info["wealth"] == table.purses["ana"] + held


def test_the_rewards_add_up_to_what_was_won_and_the_seed_repeats_them() -> None:
    def played(seed: int) -> list[float]:
        env = nv.environment("es", bankroll=500, coups=30)
        env.reset(seed=seed)
        env.action_space.seed(seed)
        rewards, over = [], False
        while not over:
            _, reward, ended, cut, info = env.step(env.action_space.sample())
            rewards.append(float(reward))
            over = ended or cut
        assert sum(rewards) == info["wealth"] - 500
        return rewards

    assert played(1) == played(1) != played(2)


def test_what_the_table_would_refuse_lays_nothing_and_says_why() -> None:
    env = nv.environment("it", bets=["17:5", "red:50"], bankroll=20, coups=3)
    _, info = env.reset(seed=1, options={"numbers": [18]})
    assert info["mask"].tolist() == [1, 1, 0]
    _, reward, _, _, info = env.step(2)
    assert (reward, info["refused"]) == (0.0, "red:50 costs 50: 20 in hand")


def test_prison_is_seen_with_the_zeros_it_met_and_the_play_waits_for_it() -> None:
    env: Any = nv.environment("es", bets=["red:10"], bankroll=10, coups=5)
    env.reset(options={"numbers": [0, 0, 1]})
    seen, reward, ended, _, _ = env.step(1)
    assert (seen["prison"].max(axis=0).tolist(), seen["purse"][0]) == ([10, 0], 0)
    assert (reward, ended) == (0.0, False)
    seen, reward, ended, _, _ = env.step(0)
    assert (seen["prison"].max(axis=0).tolist(), reward, ended) == ([0, 5], -5.0, False)
    seen, reward, ended, _, _ = env.step(0)
    assert (seen["prison"].max(), seen["purse"][0], reward, ended) == (0, 5, 0.0, True)


def test_the_last_number_of_a_wheel_with_two_zeros_is_seen() -> None:
    env: Any = nv.environment("sd", coups=2)
    env.reset(options={"numbers": ["00"]})
    seen, *_ = env.step(0)
    assert env.wheel.pockets[seen["last"] - 1] == "00"


def test_the_goal_of_a_target_brings_one_for_reaching_it() -> None:
    env = nv.environment("ar", bets=["red:10"], bankroll=10, target=20, goal="target")
    env.reset(options={"numbers": [1]})
    _, reward, ended, _, _ = env.step(1)
    assert (reward, ended) == (1.0, True)


# The exact optimum --------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
def test_the_best_is_not_to_play_for_the_net_result(house: str) -> None:
    assert nv.environment(house, bankroll=40, coups=1).optimum() == (Fraction(0), 0)
    some = ["red:10", "17:10", "d1:10"]
    assert nv.environment(house, bets=some, bankroll=20, coups=4).optimum() == (Fraction(0), 0)


def test_a_bet_that_does_not_divide_is_not_offered() -> None:
    """An odd unit goes to the player, and would give them an edge that no live table gives."""
    with pytest.raises(nv.LayoutError, match=r"d1\+d2:1 is rounded for the player .* an edge"):
        nv.environment("es", bets=["d1+d2:1"])


def test_the_optimum_of_one_forced_way_is_that_of_the_odds() -> None:
    """With one bet, a purse of one stake and a target of two, the optimum is one bet's chance."""
    env = nv.environment("ar", bets=["red:1"], bankroll=1, coups=1, target=2, goal="target")
    assert env.optimum() == (nv.odds("ar", "red:1").gain, 1)


def test_bold_play_is_best_and_no_policy_of_many_played_beats_it() -> None:
    """Dubins and Savage: where the game is against the player, stake what reaches the target."""
    bets = ["red:1", "red:2", "red:3", "red:4"]
    env: Any = nv.environment("ar", bets=bets, bankroll=4, target=8, goal="target", coups=12)
    value, action = env.optimum()
    assert value == Fraction(18, 37)
    assert env.name_of(1) == "red:1"
    assert action in (0, 4)
    timid = nv.environment("ar", bets=["red:1"], bankroll=4, target=8, goal="target", coups=12)
    assert timid.optimum().value < value
    rng = np.random.default_rng(5)
    won = 0.0
    for seed in range(300):
        env.reset(seed=seed)
        over = False
        while not over:
            _, reward, ended, cut, _ = env.step(int(rng.integers(1, 5)))
            won += reward
            over = ended or cut
    assert won / 300 < float(value) + 4 * (0.25 / 300) ** 0.5


def test_following_the_optimum_earns_its_value() -> None:
    """Each step of the best policy keeps the expected value; the average over pockets is exact."""
    env: Any = nv.environment(
        "es", bets=["red:2", "17:1"], bankroll=3, coups=3, target=5, goal="target"
    )
    value, action = env.optimum()
    total = Fraction(0)
    for number in env.wheel.pockets:
        env.reset(options={"numbers": [number]})
        _, reward, ended, _, _ = env.step(action)
        total += Fraction(int(reward)) + (0 if ended else env.optimum().value)
    assert value == total / 37
    assert 0 < value < 1


def test_layouts_have_an_optimum_while_they_are_few() -> None:
    aim: dict[str, Any] = {"goal": "target", "target": 6, "coups": 2, "bankroll": 4}
    both = nv.environment("ar", actions="layout", bets=["red:1", "17:1"], most=3, **aim)
    one = nv.environment("ar", bets=["red:1", "red:2", "red:3"], **aim)
    assert both.optimum().value >= one.optimum().value
    with pytest.raises(nv.TooLargeError, match="too many different layouts"):
        nv.environment("ar", actions="layout", **aim).optimum()
    with pytest.raises(nv.TooLargeError, match="too many states"):
        nv.environment("ar", bankroll=10_000, coups=1_000).optimum()


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ({"bets": []}, "bets: expected at least one"),
        ({"bets": ["17:1"]}, "bets: 17:1 is too little to play"),
        ({"goal": "target"}, "target: the goal is to reach it"),
        ({"target": 5}, "target: expected more than the bankroll"),
        ({"coups": 0}, "coups: expected a whole number"),
        ({"actions": "any"}, "actions: expected one of"),
        ({"render_mode": "human"}, "render_mode: expected ansi"),
    ],
)
def test_wrong_arguments_are_named(wrong: dict[str, Any], problem: str) -> None:
    with pytest.raises(nv.NovamasError, match=problem):
        nv.environment("it", **wrong)


def test_bets_may_be_written_as_one_text() -> None:
    """A text was once gone through letter by letter."""
    listed = nv.environment("ar", bets=["red:2", "17:1"])
    assert nv.environment("ar", bets="red:2 17:1").bets == listed.bets
    assert nv.environment("ar", bets=nv.parse("17:1")[0]).bets == nv.parse("17:1")
