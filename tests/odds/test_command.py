"""`novamas odds`: what is asked is answered, and what is wrong is said."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from novamas.odds.systems import SYSTEMS
from novamas.rulebooks import HOUSES, source
from tests.cli.running import bad, good, novamas


def test_one_layout() -> None:
    out = good("odds", "it", "red:10 17:5")
    assert "red:10 17:5 at Casinò di Venezia: 15 staked" in out
    assert "2/111 = 1.8 %" in out
    assert "+165" in out
    # Several arguments are one layout, and any house's words are understood.
    assert good("odds", "it", "rosso:10", "17:5") == out
    assert "after zero: prison, then half" in good(
        "odds", "es", "red:10", "--choice", "prison,half"
    )
    assert "1/73 = 1.37 %" in good("odds", "es", "red:10", "--divisible")


def test_many_outcomes_are_shortened() -> None:
    out = good("odds", "es", "red:1000 even:100 low:10 17:3")
    assert "less likely than these" in out
    assert len(out.splitlines()) < 50


def test_what_a_table_would_send_back_is_noted() -> None:
    assert "red:3 is too little to play (IT-general-2a, AMB-IT-21)" in good("odds", "it", "red:3")
    assert "too little" not in good("odds", "it", "red:5")


def test_many_coups() -> None:
    out = good("odds", "bg", "17:1", "--coups", "1000000")
    assert "after 1000000 coups" in out
    assert "-27027" in out
    assert "each probability to 12 decimals" in out
    assert good("odds", "bg", "17:1", "--coups", "1e6") == out
    assert "exact" in good("odds", "bg", "17:1", "--coups", "37")
    on = json.loads(good("odds", "es", "red:10", "--coups", "9", "--lays-on", "--json"))
    waits = json.loads(good("odds", "es", "red:10", "--coups", "9", "--json"))
    assert on["coups"]["mean"] < waits["coups"]["mean"]


def test_a_purse() -> None:
    asked = ["odds", "ar", "red:10", "--bankroll", "100", "--target", "200"]
    data = json.loads(good(*asked, "--json"))
    ratio = 19 / 18
    assert data["ruin"]["reached"] == pytest.approx((1 - ratio**10) / (1 - ratio**20))
    limits = ["--limits", "simple:10-80"]
    for system in SYSTEMS:
        out = good(*asked, "--system", system, "--coups", "5", *limits)
        assert f"a purse of 100, {system}, target 200, at most 5 coups" in out
    stopped = good(*asked, "--stop-loss", "50", "--system", "labouchere:1,1", *limits)
    assert "stop-loss 50" in stopped
    cap = good(*asked, "--system", "martingale", *limits)
    assert cap != good(*asked, "--system", "martingale", *limits, "--at-limit", "restart")


def test_houses_side_by_side(tmp_path: Path) -> None:
    out = good("odds", "es", "red:10", "--choice", "half", "--compare")
    assert [line.split()[:2] for line in out.splitlines()[-9:]] == [
        ["ar", "1/37"],
        ["es", "1/74"],
        ["it", "1/74"],
        ["bg", "1/37"],
        ["fr", "1/74"],
        ["fram", "1/19"],
        ["fran", "1/74"],
        ["esam", "1/74"],
        ["sd", "1/19"],
    ]
    file = tmp_path / "fifth.toml"
    file.write_text(source("bg").replace('id = "bg"', 'id = "fifth"', 1), "utf-8")
    fifth = good("odds", str(file), "red:10", "--compare")
    assert fifth.splitlines()[-1].split()[:2] == ["fifth", "1/37"]
    refused = good("odds", "ar", "d1+d2:10", "--compare")
    assert "it does not offer d1+d2" in refused
    data = json.loads(good("odds", "ar", "d1+d2:10", "--compare", "--json"))
    assert [at["house"] for at in data["houses"]] == [*HOUSES]
    refusing = [at["house"] for at in data["houses"] if "refused" in at]
    assert refusing == ["it", "bg", "fram", "sd"]
    wheels = good("odds", "sd", "0/00/1/2/3:5", "--compare")
    assert "3/38 = 7.89 %" in wheels
    assert "fr does not offer 0/00/1/2/3 (FR-52.0)" in wheels


def test_what_a_table_would_level_is_noted() -> None:
    out = " ".join(good("odds", "fram", "17:5 17/20:3").split())
    assert "At a table 2 of 17:5 goes back: linked bets carry equal pieces (FRAM-55-3.l" in out
    (warning,) = json.loads(good("odds", "fram", "17:5 17/20:3", "--json"))["warnings"]
    assert (warning["kind"], warning["on"], warning["amount"]) == ("levelled", "17", 5)
    assert "linked bets" not in good("odds", "sd", "17:5 17/20:3")


def test_charts(tmp_path: Path) -> None:
    for name, more in (
        ("odds.svg", []),
        ("coups.svg", ["--coups", "100"]),
        ("ruin.svg", ["--bankroll", "50", "--target", "100"]),
        ("houses.svg", ["--compare"]),
    ):
        good("odds", "it", "red:10 17:5", *more, "--chart", str(tmp_path / name))
        assert (tmp_path / name).read_text("utf-8").startswith("<svg ")
    good("odds", "it", "red:10", "--chart", str(tmp_path / "odds.png"))
    assert (tmp_path / "odds.png").read_bytes().startswith(b"\x89PNG")
    assert good("odds", "it", "red:10", "--chart", "-").startswith("<svg ")
    ran = novamas("odds", "it", "red:10", "--chart", str(tmp_path / "no" / "odds.svg"))
    assert ran.code == 1
    assert "cannot be written" in ran.err


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["odds", "it"], "BET"),
        (["odds", "xx", "red:10"], "no such rulebook"),
        (["odds", "it", "rde:10"], "did you mean"),
        (["odds", "it", "d1+d2:10"], "does not offer d1+d2"),
        (["odds", "es", "red:10", "--choice", "quarter"], "--choice: 'quarter' is no choice"),
        (["odds", "it", "red:10", "--coups", "0"], "--coups"),
        (["odds", "it", "red:10", "--coups", "many"], "--coups"),
        (["odds", "it", "red:10", "--target", "100"], "needs a purse"),
        (["odds", "it", "red:10", "--system", "flat"], "needs a purse"),
        (["odds", "it", "red:10", "--bankroll", "100"], "would play for ever"),
        (["odds", "it", "red:10", "--bankroll", "9x", "--target", "100"], "--bankroll"),
        (
            ["odds", "it", "red:10", "--bankroll", "99", "--target", "100", "--system", "magic"],
            "'magic' is no staking system",
        ),
        (["odds", "it", "red:10", "--limits", "simple:20-"], "too little to play"),
        (["odds", "it", "red:10", "--chart", "law.gif"], "neither .svg nor .png"),
        (["odds", "it", "red:10", "--chip", "3"], "chips are worth 3"),
        (["odds", "es", "red:10", "--divisible", "--coups", "9"], "leave --coups out"),
        (
            ["odds", "es", "red:10", "--divisible", "--bankroll", "50", "--target", "90"],
            "leave --bankroll out",
        ),
        (
            ["odds", "es", "red:10", "--lays-on"],
            "--lays-on: makes a difference only over several coups",
        ),
        (["odds", "es", "red:10", "--chart", "-", "--json"], "--chart: - and --json"),
        (
            [
                "odds",
                "ar",
                "red:1",
                "--bankroll",
                "500",
                "--target",
                "900",
                "--system",
                "labouchere",
            ],
            "simulate it",
        ),
    ],
)
def test_what_is_wrong_is_said(argv: list[str], says: str) -> None:
    assert says in bad(*argv)


def test_the_help_names_it() -> None:
    assert "odds" in good("--help")
    out = good("odds", "--help")
    for option in ("--coups", "--bankroll", "--target", "--system", "--choice", "--compare"):
        assert option in out


def test_divisible_goes_with_the_comparison() -> None:
    found = json.loads(good("odds", "es", "red:10", "--divisible", "--compare", "--json"))
    assert found["odds"]["edge"] == found["houses"][1]["edge"] == "1/73"


def test_the_most_extreme_odds_are_json() -> None:
    """Numbers that are none, or have no end, only some readers understand."""
    found: list[str] = []
    most = str(10**15)
    for bets, more in (
        (f"red:{most} 17:{most}", ["--coups", "1000"]),
        ("red:1 black:1", ["--coups", "3"]),
        (f"17:{most}", ["--bankroll", most, "--coups", "2"]),
    ):
        json.loads(good("odds", "ar", bets, *more, "--json"), parse_constant=found.append)
    assert found == []


words = st.sampled_from(
    "it es ar bg red:10 17:5 voisins:9 d1+d2:4 half prison,half 0 3 40 martingale labouchere:1,1 "
    "simple:1-20 x --coups --bankroll --target --stop-loss --system --choice --limits --chip "
    "--compare --lays-on --divisible --json --at-limit cap --minimum".split()
)


@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(words, max_size=9))
def test_any_arguments(argv: list[str]) -> None:
    ran = novamas("odds", "es", *argv)
    assert ran.code in (0, 2), ran
    assert bool(ran.err) == (ran.code == 2), ran
    assert "Traceback" not in ran.err
