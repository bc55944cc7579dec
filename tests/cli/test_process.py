"""The command as a process: its start, its exit codes, its output, and what becomes of it."""

import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from unittest import mock

import pytest

from bench.measure import seconds
from novamas import __version__
from tests.cli.running import bad, good, novamas

NOVAMAS = str(Path(sys.executable).with_name("novamas"))
COMMANDS = (
    *"play settle run rules cloth wheel pays announce odds".split(),
    *"simulate serve house tell verify backup restore completion".split(),
)


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/bash", "-c", line],
        env={**os.environ, "NOVAMAS": NOVAMAS, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_version() -> None:
    assert good("--version") == f"novamas {__version__}\n"


def test_help_lists_every_command() -> None:
    printed = good("--help")
    assert all(f"\n    {command} " in printed for command in COMMANDS)
    assert good() == printed


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples(command: str) -> None:
    printed = good(command, "--help")
    assert f"novamas {command} " in printed.partition("examples:")[2]


def test_a_command_that_there_is_not() -> None:
    assert "did you mean settle?" in bad("setle")
    assert "`novamas pays --help` explains how to use it" in bad("pays")
    assert "unrecognized arguments: --colour" in bad("pays", "it", "--colour")


@pytest.mark.program("script")
def test_colours_only_in_a_terminal() -> None:
    assert "\x1b" not in good("wheel")
    painted = shell(f"script -qec '{NOVAMAS} wheel --neighbours 17' /dev/null", TERM="xterm")
    assert "\x1b[1;97;40m17\x1b[0m" in painted.stdout
    plain = shell(f"script -qec '{NOVAMAS} --no-color wheel --neighbours 17' /dev/null")
    assert plain.stdout.strip() == "2 25 17 34 6"
    after = shell(f"script -qec '{NOVAMAS} wheel --neighbours 17 --no-color' /dev/null")
    assert after.stdout == plain.stdout
    asked = shell(f"script -qec '{NOVAMAS} wheel --neighbours 17' /dev/null", NO_COLOR="1")
    assert asked.stdout == plain.stdout


@pytest.mark.parametrize("command", ["rules it", "--help", "wheel --table --json", "play it"])
def test_a_reader_who_has_seen_enough_is_no_trouble(command: str) -> None:
    done = shell(f'"$NOVAMAS" {command} </dev/null | head -c 1 >/dev/null; echo ${{PIPESTATUS[0]}}')
    assert done.stderr == ""
    assert done.stdout.strip() in ("0", "141")


def test_a_check_that_nobody_hears_is_not_unsound(tmp_path: Path) -> None:
    """1 is an answer: it must not also be what a full disk or a gone reader ends with."""
    from novamas.cli.main import NOBODY_READS, NOT_WRITTEN

    for problem, code in ((BrokenPipeError(), 141), (OSError(28, "No space left on device"), 74)):
        with mock.patch("novamas.cli.commands.verify_ledger.run", side_effect=problem):
            assert novamas("verify", "ledger", str(tmp_path / "house.db")).code == code
    page = (Path(__file__).parents[2] / "docs" / "reference" / "house.md").read_text("utf-8")
    told = good("--help")
    for code in (NOBODY_READS, NOT_WRITTEN):
        assert f"| {code} |" in page
        assert str(code) in told


@pytest.mark.parametrize(
    "command", ["rules it", "--help", "--version", "pays ar --json", "serve --local --port 0"]
)
def test_output_that_cannot_be_written(command: str) -> None:
    done = shell(f'"$NOVAMAS" {command} >/dev/full')
    assert done.returncode == 74
    assert done.stderr == "novamas: cannot write: No space left on device\n"


def test_no_output_at_all() -> None:
    done = shell('"$NOVAMAS" wheel >&-')
    assert done.returncode == 74
    assert done.stderr == "novamas: there is no output to write to\n"


def test_no_input_at_all() -> None:
    assert shell('"$NOVAMAS" play ar <&-').returncode == 0
    assert "input: cannot be read" in shell('"$NOVAMAS" run - <&-').stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1251"])
def test_any_encoding_will_do(encoding: str) -> None:
    for command in ("rules bg", "cloth bg", "wheel", "pays bg", 'settle bg 17 "ana червено:5"'):
        done = subprocess.run(
            ["/bin/bash", "-c", f'"$NOVAMAS" {command}'],
            env={**os.environ, "NOVAMAS": NOVAMAS, "PYTHONIOENCODING": encoding},
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.decode(encoding)


def test_the_module_is_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "novamas.cli", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == good("--version")


def test_ctrl_c_in_any_command_is_quiet() -> None:
    with mock.patch("novamas.cli.commands.wheel.run", side_effect=KeyboardInterrupt):
        assert novamas("wheel") == (130, "", "")


def test_help_imports_nothing_of_the_game() -> None:
    program = (
        "import sys; from novamas.cli.main import main; main(['--help'])\n"
        "heavy = [m for m in sys.modules if m.startswith(('novamas.game', 'novamas.table', "
        "'novamas.rulebooks', 'dataclasses', 'json', 'tomllib', 'fractions'))]\n"
        "print(heavy, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stderr == "[]\n"


def test_a_transcript_does_not_import_what_draws_the_full_screen() -> None:
    program = (
        "import sys; from novamas.cli.main import main; main(['play', 'ar'])\n"
        "heavy = [m for m in sys.modules if m.startswith(('textual', 'rich', 'asyncio'))]\n"
        "print(heavy, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input="red:50\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == "[]\n"


@pytest.mark.slow
def test_help_starts_within_eight_times_an_empty_program() -> None:
    ours, empty = [NOVAMAS, "--help"], [sys.executable, "-c", "pass"]
    pairs = [(seconds(ours), seconds(empty)) for _ in range(15)]
    ratio = median(pair[0] for pair in pairs) / median(pair[1] for pair in pairs)
    assert ratio <= 8
