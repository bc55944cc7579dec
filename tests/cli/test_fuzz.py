"""Whatever is typed, the command answers: a code it knows, a message, and no traceback."""

import copy
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from novamas.rulebooks import HOUSES
from tests.cli.running import novamas
from tests.scenarios.check import SCENARIOS

SCRIPTS: list[dict[str, Any]] = json.loads(SCENARIOS.read_text("utf-8"))
few = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])

BETS = (
    "17:10 red:50 14/17:20 d1+d2:40 low+d3:20 voisins:90 tiers:60 17~2:50 f4:40 0/1/2/3:10 "
    "red:5 17/22:1 x:1 17: :5 17:0 17:-1 17:1e3 99:1 c1+c3:2"
).split()
COMMANDS = (
    "spin undo clear again double take take-b1 purse cloth why why-b1 limits numbers announce "
    "rules help choose-b1-half choose-b1-prison replay-a1-rifare replay-a1-per-il-tutto move-b1-20 "
    "take-b1-10 buy-100 buy"
).split()
words = st.one_of(
    st.sampled_from((*HOUSES, *BETS, "17", "0", "ana 17:5", "ana voisins:9; eva red:5", "-", "14")),
    st.text(max_size=12),
)
options = st.sampled_from(
    "--json --why --as-laid --last --no-color --table --limits --minimum --chip --winning --lang "
    "--neighbours --each-side --upto --step --number --stakes --seed --purse --coups --help".split()
)


def check_answer(*argv: str, stdin: str = "") -> None:
    ran = novamas(*argv, stdin=stdin)
    assert ran.code in (0, 2), ran
    assert bool(ran.err) == (ran.code == 2), ran
    assert "Traceback" not in ran.err


@few
@given(
    command=st.sampled_from(("settle", "rules", "cloth", "wheel", "pays", "announce", "run")),
    house=st.one_of(st.sampled_from(HOUSES), words),
    rest=st.lists(st.one_of(words, options), max_size=5),
)
@example(command="rules", house="ar", rest=["\x1b[2J"])
@example(command="settle", house="ar", rest=["17", "ana " + "17:5 " * 300])
@example(command="cloth", house="ar\x00.toml", rest=[])
def test_any_arguments(command: str, house: str, rest: list[str]) -> None:
    if command == "run" and house == "-":
        house = "input"
    check_answer(command, house, *rest)


@few
@given(
    house=st.sampled_from(HOUSES),
    seed=st.integers(0, 50),
    typed=st.lists(
        st.one_of(st.sampled_from((*BETS, *COMMANDS)), st.text(max_size=12)), max_size=25
    ),
)
def test_any_evening(house: str, seed: int, typed: list[str]) -> None:
    lines = "\n".join(each.replace("-", " ") if each in COMMANDS else each for each in typed)
    ran = novamas("play", house, "--seed", str(seed), stdin=lines.replace("\udc80", ""))
    assert ran.code == 0, ran.err
    assert "You brought " in ran.out


@st.composite
def broken(draw: st.DrawFn) -> object:
    """A script of the scenarios with one of its values changed, or taken away."""
    script = copy.deepcopy(draw(st.sampled_from(SCRIPTS)))
    place: Any = script
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = draw(st.sampled_from(keys))
        inner = place[key]
        if isinstance(inner, dict | list) and inner and draw(st.integers(0, 4)):
            place = inner
            continue
        if draw(st.booleans()) and isinstance(place, dict):
            del place[key]
        else:
            place[key] = draw(
                st.one_of(
                    st.none(),
                    st.booleans(),
                    st.integers(-5, 10**6),
                    st.floats(allow_nan=False, allow_infinity=False),
                    st.text(max_size=5),
                    st.just([]),
                    st.just({}),
                    st.just([1]),
                    st.sampled_from(("17", "red", "voisins", "stake", "number", "b1", "ana", "it")),
                )
            )
        return script


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(broken())
def test_any_script(script: object) -> None:
    text = json.dumps([script])
    check_answer("run", "--json", "-", stdin=text)
    check_answer("run", "-", stdin=text)


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "[", "[[]]", "[null]", '[{"script": {}}]', "1e999"]
)
def test_any_text(text: str) -> None:
    check_answer("run", "-", stdin=text)
