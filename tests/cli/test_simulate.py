"""`novamas simulate`: what it says, what it writes, and what it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest

from novamas.cli.main import main
from novamas.simulation.run import Progress


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["simulate", *words])
    out, err = capsys.readouterr()
    return code, out, err


def test_recorded_numbers_are_played(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "evening.csv"
    file.write_text('time,number\n"20:01","17"\n20:02,0\n20:03,36\n', "utf-8")
    code, out, _ = said(capsys, "bg", "17:5", "red:1", "--spins", str(file), "--json")
    data: dict[str, Any] = json.loads(out)
    assert code == 0
    # 17 is black: 175 less 1; zero loses both; 36 is red.
    assert data["figures"]["net"]["value"] == 175 - 1 - 6 + 1 - 5
    assert data["played"] == 3
    assert data["seed"] is None


def test_a_text_of_numbers_and_shares_of_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "spins.txt"
    file.write_text("# an evening\n1 2 3\n4, 5; 6\n", "utf-8")
    words = ("ar", "red:1", "--spins", str(file), "--coups", "2", "--json")
    data = json.loads(said(capsys, *words)[1])
    assert (data["players"], data["played"]) == (3, 6)


def test_the_same_seed_is_the_same_json(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("it", "red:10", "--coups", "1e2", "--players", "1e3", "--seed", "5", "--json")
    one = said(capsys, *words, "--threads", "1")[1]
    assert one == said(capsys, *words, "--threads", "2")[1]


@pytest.mark.parametrize("form", ["text", "json"])
def test_ctrl_c_tells_what_was_played_though_nobody_had_finished(
    form: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(progress: Progress) -> None:
        if progress.coups > 10**7:
            raise KeyboardInterrupt

    monkeypatch.setattr("novamas.cli.commands.simulate._bar", lambda: stop)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    words = ("bg", "red:10", "--coups", "1e15", "--players", "20")
    code, out, _ = said(capsys, *words, *(["--json"] if form == "json" else []))
    assert code == 130
    if form == "json":
        told = json.loads(out)
        assert told["players"] == 0
        assert told["played"] > 10**7
        assert told["kept_so_far"]["value"] == pytest.approx(1 / 37, abs=0.01)
    else:
        assert "interrupted: 0 of 20 players had finished" in out
        assert "of all that was staked the house kept" in out


def test_a_picture_and_a_file_of_players(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    import polars as pl

    picture, rows = tmp_path / "out.svg", tmp_path / "out.parquet"
    words = ("--chart", str(picture), "--parquet", str(rows), "--players", "50", "--coups", "20")
    code, out, _ = said(capsys, "ar", "red:10", *words)
    assert code == 0
    assert "exactly" in out
    assert picture.read_text("utf-8").startswith("<svg")
    frame = pl.read_parquet(rows)
    assert frame.columns == ["net", "coups", "turnover", "held", "end"]
    assert frame["coups"].to_list() == [20] * 50


def test_a_picture_as_png_and_the_law_of_a_purse_as_data(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    picture = tmp_path / "out.png"
    purse = ("--bankroll", "50", "--target", "100", "--system", "martingale")
    words = (*purse, "--players", "500", "--coups", "30", "--chart", str(picture))
    code, out, _ = said(capsys, "es", "red:10", *words, "--json")
    assert code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    data = json.loads(out)
    assert len(data["exact"]["histogram"]) == len(data["histogram"])
    assert 0.9 < sum(data["exact"]["histogram"]) <= 1 + 1e-12
    told = said(capsys, "es", "red:10", *words)[1]
    assert "exactly" in told


def test_a_system_from_a_file(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    own = tmp_path / "mine.py"
    own.write_text("def after(state, laid, net, unit):\n    return state[0] + 1, 0\n", "utf-8")
    words = ("ar", "red:1", "--system", str(own), "--coups", "4", "--players", "2", "--json")
    data = json.loads(said(capsys, *words)[1])
    assert data["system"] == "mine"
    assert data["figures"]["turnover"]["value"] == 1 + 2 + 3 + 4


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--system", "luck"), "no staking system"),
        (("--coups", "many"), "whole number"),
        (("--target", "10"), "bankroll"),
        (("--spins", "nowhere.csv"), "cannot be read"),
        (("--chart", "out.jpg", "--coups", "1", "--players", "1"), "neither .svg nor .png"),
        (("--system", "nowhere.py"), "cannot be read"),
        (("--coups", "1e30"), f"--coups: expected a whole number from 1 to {10**15}, not '1e30'"),
        (("--players", "1e9"), "--players: expected a whole number from 1 to 20000000, not '1e9'"),
        (("--players", "0"), "--players: expected a whole number from 1"),
        (("--seed", "9" * 19), f"--seed: expected a whole number from 0 to {2**63 - 1}"),
        (("--threads", "0"), "--threads: expected a whole number from 1"),
    ],
)
def test_what_is_refused(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], says: str
) -> None:
    code, _, err = said(capsys, "ar", "red:1", *words)
    assert code == 2
    assert says in err


def strictly(text: str) -> Any:
    """JSON as any reader takes it: without NaN and Infinity, which only some understand."""

    def no(word: str) -> Any:
        raise AssertionError(f"{word} is no JSON")

    return json.loads(text, parse_constant=no)


def test_one_player_has_no_error(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    import polars as pl

    file, rows = tmp_path / "evening.csv", tmp_path / "out.parquet"
    file.write_text("number\n17\n0\n36\n", "utf-8")
    words = ("es", "red:10 17:5", "--spins", str(file), "--parquet", str(rows))
    data = strictly(said(capsys, *words, "--json")[1])
    for name in ("net", "coups", "turnover", "edge"):
        figure = data["figures"][name]
        assert figure["value"] is not None
        assert [figure[key] for key in ("error", "low", "high")] == [None] * 3
    assert data["kept_so_far"]["error"] is None
    assert data["ahead"]["error"] == 0
    assert pl.read_parquet(rows).rows() == [(data["figures"]["net"]["value"], 3, 30, 0, "playing")]
    told = said(capsys, *words)[1]
    assert "1 player, 3 coups" in told
    assert "one player: no error" in told
    assert "nan" not in told


def test_two_players_have_one(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("bg", "red:10", "--coups", "4", "--players", "2")
    assert strictly(said(capsys, *words, "--json")[1])["figures"]["net"]["error"] is not None
    assert "no error" not in said(capsys, *words)[1]


def test_a_file_may_say_how_it_starts_and_what_a_state_wants(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    own = tmp_path / "mine.py"
    own.write_text(
        "start = (0, 3)\n"
        "def wanted(state):\n    return state[1]\n"
        "def after(state, laid, net, unit):\n    return state[0] + 1, state[1] - 1\n",
        "utf-8",
    )
    words = ("ar", "red:1", "--system", str(own), "--coups", "4", "--players", "2", "--json")
    code, out, err = said(capsys, *words)
    assert (code, out) == (2, "")
    assert "of the state (4, -1) it wants the layout -1 times over" in err
    own.write_text(own.read_text("utf-8").replace("state[1] - 1", "max(0, state[1] - 1)"), "utf-8")
    data = json.loads(said(capsys, *words)[1])
    assert data["figures"]["turnover"]["value"] == 3 + 2 + 1 + 0


AFTER = "def after(state, laid, net, unit):\n    "


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("def after(state):\n    return state\n", "takes 1 positional argument but 4 were given"),
        (f"{AFTER}return 'x'\n", "gives 'x', not two whole numbers"),
        (f"{AFTER}return 1, 0, 0\n", "gives (1, 0, 0), not two whole numbers"),
        (f"{AFTER}return (1, 0) if net < 0 else (1.5, 0)\n", "gives (1.5, 0)"),
        (f"{AFTER}import math\n    return 1, 0\n", "after cannot be compiled"),
        (f"seen = {{}}\n{AFTER}seen[net] = 1\n    return 1, 0\n", "after cannot be compiled"),
        (f"{AFTER}return 1 + 10**30 * (state[1] > 900), state[1] + 1\n", "cannot be compiled"),
        (f"{AFTER}return 1 if state[1] < 900 else 1.5, state[1] + 1\n", "when it is compiled"),
        (f"{AFTER}return 1 // 0, 0\n", "ZeroDivisionError"),
        (f"{AFTER}raise SystemExit(0)\n", "fails: SystemExit: 0"),
        (f"{AFTER}return -1, 0\n", "-1 times over: expected a whole number, 0 or more"),
        (f"{AFTER}return (-1 if state[1] > 20 else 1), state[1] + 1\n", "-1 times over"),
        (f"import random\n{AFTER}return random.randint(1, 10**9), 0\n", "always give the same"),
        ("raise SystemExit(0)\n", "fails when it is read: SystemExit: 0"),
        ("1 / 0\n", "fails when it is read: ZeroDivisionError"),
        ("x = 1\n", "has no function after"),
        (f"start = 3\n{AFTER}return 1, 0\n", "start is 3, not two whole numbers"),
        (f"wanted = 3\n{AFTER}return 1, 0\n", "wanted is not a function"),
        (f"def wanted(state):\n    return None\n{AFTER}return 1, 0\n", "None times over"),
        # So late that only the play itself comes there.
        (f"{AFTER}return 1 + 0 // (700 - state[1]), state[1] + 1\n", "fails after some rounds"),
    ],
)
def test_a_file_that_is_no_system(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, program: str, says: str
) -> None:
    own = tmp_path / "mine.py"
    own.write_text(program, "utf-8")
    code, out, err = said(capsys, "bg", "red:1", "--system", str(own), "--players", "16")
    assert (code, out) == (2, "")
    assert f"--system: {own}" in err
    assert says in err
    assert "def " in err
    assert "Traceback" not in err


def test_a_fault_that_only_the_exact_law_comes_to(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Eleven wins in a row, which these few players do not have."""
    own = tmp_path / "mine.py"
    own.write_text(
        f"{AFTER}code = 2 * state[1] + (1 if net > 0 else 0)\n"
        "    return 1 + 0 // (code - 4095), code\nstart = (1, 1)\n",
        "utf-8",
    )
    words = ("--system", str(own), "--players", "16", "--coups", "12")
    code, out, err = said(capsys, "bg", "red:1", *words)
    assert (code, out) == (2, "")
    assert "fails after some rounds: ZeroDivisionError" in err
