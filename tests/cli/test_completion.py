"""`novamas completion`: scripts that the shells take, and that complete what they should."""

import shutil
import subprocess
from pathlib import Path

import pytest

from novamas.cli.commands.completion import commands
from tests.cli.running import bad, good


def run(*command: str) -> str:
    shell = shutil.which(command[0])
    assert shell is not None
    done = subprocess.run(
        [shell, *command[1:]], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def script(shell: str, folder: Path) -> str:
    file = folder / f"_novamas.{shell}"
    file.write_text(good("completion", shell), "utf-8")
    return str(file)


def in_bash(file: str, *words: str) -> set[str]:
    quoted = " ".join(f"'{word}'" for word in words)
    line = (
        f"source {file}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _novamas; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    return set(run("bash", "-c", line).split())


@pytest.mark.parametrize(
    "shell",
    [
        "bash",
        pytest.param("zsh", marks=pytest.mark.program("zsh")),
        pytest.param("fish", marks=pytest.mark.program("fish")),
    ],
)
def test_the_shell_takes_the_script(shell: str, tmp_path: Path) -> None:
    assert run(shell, "-n", script(shell, tmp_path)) == ""


def test_bash_completes_commands_houses_and_options(tmp_path: Path) -> None:
    file = script("bash", tmp_path)
    assert in_bash(file, "novamas", "set") == {"settle"}
    assert in_bash(file, "novamas", "play", "") == {"ar", "es", "it", "bg"}
    assert in_bash(file, "novamas", "play", "es", "--s") == {"--seed"}
    assert in_bash(file, "novamas", "settle", "ar", "--winning", "") == {"hand", "cloth"}
    assert in_bash(file, "novamas", "completion", "z") == {"zsh"}
    assert in_bash(file, "novamas", "announce", "it", "voi") == {"voisins"}
    assert file in in_bash(file, "novamas", "run", file[:-3])
    assert file in in_bash(file, "novamas", "cloth", "it", "--svg", file[:-3])


@pytest.mark.program("fish")
def test_fish_completes_commands_houses_and_options(tmp_path: Path) -> None:
    file = script("fish", tmp_path)
    typed = ("novamas set", "novamas play e", "novamas play es --se")
    asked = "; ".join(f"complete -C '{each}'" for each in typed)
    told = run("fish", "-c", f"source {file}; {asked}").splitlines()
    assert [line.split("\t")[0] for line in told] == ["settle", "es", "--seed"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_option_of_every_command_is_in_the_script(shell: str) -> None:
    printed = good("completion", shell)
    for command in commands():
        assert command.name in printed
        for option in command.options:
            assert option.flags[-1].lstrip("-") in printed


def test_a_shell_that_there_is_not() -> None:
    assert "invalid choice: 'tcsh'" in bad("completion", "tcsh")
