"""`novamas completion`: scripts that the shells take, and that complete what they should."""

import shutil
import subprocess
from pathlib import Path

import pytest

from novamas.cli import parser
from novamas.cli.commands.completion import commands
from novamas.rulebooks import HOUSES
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
    assert in_bash(file, "novamas", "play", "") == {*HOUSES}
    assert in_bash(file, "novamas", "play", "es", "--s") == {"--seed"}
    assert in_bash(file, "novamas", "settle", "ar", "--winning", "") == {"hand", "cloth"}
    assert in_bash(file, "novamas", "completion", "z") == {"zsh"}
    assert in_bash(file, "novamas", "announce", "it", "voi") == {"voisins"}
    assert in_bash(file, "novamas", "announce", "bg", "nassa") == set()
    assert file in in_bash(file, "novamas", "run", file[:-3])
    assert file in in_bash(file, "novamas", "cloth", "it", "--svg", file[:-3])


KNOWN = [
    (("verify", "l"), {"log", "ledger"}),
    (("verify", "log", "--che"), {"--checkpoints", "--checkpoints-key"}),
    (("verify", "ball", "--co"), {"--coup"}),
    (("simulate", "ar", "red:1", "--system", "mart"), {"martingale"}),
    (("odds", "es", "red:1", "--choice", "h"), {"half", "half,prison"}),
    (("settle", "it", "17", "ana 17:5", "--lang", ""), {"en", "es", "it", "fr", "bg"}),
    (("rules", "it", "gioco-15"), {"gioco-15a", "gioco-15b", "gioco-15c"}),
    (("rules", "it", "IT-gioco-15"), {"IT-gioco-15a", "IT-gioco-15b", "IT-gioco-15c"}),
    (("rules", "es", "zero", "7.2.b3"), {"7.2.b3"}),
    (("rules", "bg", "ze"), {"zero"}),
    (("announce", "it", "orph"), {"orphelins", "orphelins-plein"}),
    (("play", "e"), {"es", "esam"}),
]
"""What was typed, and what may follow: parts, options, systems, choices, languages, articles."""


@pytest.mark.parametrize(("typed", "known"), KNOWN, ids=[" ".join(typed) for typed, _ in KNOWN])
def test_bash_knows_what_a_person_may_mean(
    typed: tuple[str, ...], known: set[str], tmp_path: Path
) -> None:
    assert in_bash(script("bash", tmp_path), "novamas", *typed) == known


def test_bash_finds_the_house_behind_options(tmp_path: Path) -> None:
    file = script("bash", tmp_path)
    assert in_bash(file, "novamas", "rules", "--lang", "es", "bg", "ze") == {"zero"}
    assert in_bash(file, "novamas", "play", "--fast", "") == {*HOUSES}


@pytest.mark.program("fish")
def test_fish_knows_what_a_person_may_mean(tmp_path: Path) -> None:
    asked = "; ".join(f"echo =; complete -C 'novamas {' '.join(typed)}'" for typed, _ in KNOWN)
    told = run("fish", "-c", f"source {script('fish', tmp_path)}; {asked}").split("=\n")[1:]
    for (typed, known), lines in zip(KNOWN, told, strict=True):
        assert {line.split("\t")[0] for line in lines.splitlines()} == known, typed


ZSH = """
compdef() {{ : }}
_describe() {{ print -l -- "${{(@P)argv[-1]}}" }}
_arguments() {{ print -l -- "$@" }}
compadd() {{ print -l -- "${{@:2}}" }}
source {file}
words=({words}); CURRENT=$#words
{call}
"""
"""The script with the functions of the shell that print what they are asked to offer."""


def in_zsh(file: str, *words: str, call: str = "_novamas") -> list[str]:
    """What the script asks the shell to offer behind some words."""
    quoted = " ".join(f"'{word}'" for word in words)
    return run("zsh", "-fc", ZSH.format(file=file, words=quoted, call=call)).splitlines()


@pytest.mark.program("zsh")
def test_zsh_is_asked_to_offer_parts_options_and_words(tmp_path: Path) -> None:
    file = script("zsh", tmp_path)
    first = [line.partition(":")[0] for line in in_zsh(file, "novamas", "")]
    assert {"settle", "verify", "completion"} <= {*first}
    parts = [line.partition(":")[0] for line in in_zsh(file, "novamas", "verify", "")]
    assert parts == ["log", "ledger", "ball", "house"]
    assert any("--checkpoints[" in line for line in in_zsh(file, "novamas", "verify", "log", ""))
    assert not any("--chief" in line for line in in_zsh(file, "novamas", "verify", "house", ""))
    offered = in_zsh(file, "novamas", "odds", "")
    assert any(":value:(flat martingale" in line for line in offered)
    assert any(":value:(half prison prison,half half,prison)" in line for line in offered)
    assert any(":value:(en es it fr bg)" in line for line in offered)
    assert "*:argument:_novamas_ARTICLE" in in_zsh(file, "novamas", "rules", "it", "")


@pytest.mark.program("zsh")
def test_zsh_offers_the_articles_and_announcements_of_the_house(tmp_path: Path) -> None:
    file = script("zsh", tmp_path)
    words = ("rules", "--lang", "en", "it", "")
    assert {"gioco-15a", "IT-gioco-15a", "zero"} <= {*in_zsh(file, *words, call="_novamas_ARTICLE")}
    calls = in_zsh(file, "announce", "bg", "", call="_novamas_CALL")
    assert "orphelins" in calls
    assert "nassa" not in calls


@pytest.mark.program("fish")
def test_fish_completes_commands_houses_and_options(tmp_path: Path) -> None:
    file = script("fish", tmp_path)
    typed = ("novamas set", "novamas play i", "novamas play es --se")
    asked = "; ".join(f"complete -C '{each}'" for each in typed)
    told = run("fish", "-c", f"source {file}; {asked}").splitlines()
    assert [line.split("\t")[0] for line in told] == ["settle", "it", "--seed"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_option_of_every_command_is_in_the_script(shell: str) -> None:
    printed = good("completion", shell)
    for command in commands():
        for word in command.path:
            assert word in printed
        for option in command.options:
            assert option.flags[-1].lstrip("-") in printed


def test_a_shell_that_there_is_not() -> None:
    assert "invalid choice: 'tcsh'" in bad("completion", "tcsh")


def test_the_help_names_every_house() -> None:
    assert parser.HOUSES.startswith(f"{', '.join(HOUSES)}, or ")
