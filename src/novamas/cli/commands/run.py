"""`novamas run`: plays table scripts through the real table, and shows their outcome."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from novamas.cli.arguments import written
from novamas.cli.errors import InputError
from novamas.cli.open_store import house_installed
from novamas.cli.terminal import Terminal, money, named, signed
from novamas.game.rulebook.model import Rulebook
from novamas.game.rulebook.toml_section import RulebookError
from novamas.odds.number_format import counted
from novamas.rulebooks import load_any
from novamas.table.script import Table, run_script
from novamas.table.script_fields import ScriptError
from novamas.table.state import State

INPUT = "-"
LONGEST = 100
"""The most digits of a number in a script."""


def run(args: Namespace, terminal: Terminal) -> int:
    """Plays every script of the files, and prints only after all of them were played."""
    played: list[tuple[dict[str, Any], dict[str, Any]]] = []
    with _tables(args.on, args.key) as seat:
        for file in args.files:
            for place, script in enumerate(_scripts(file)):
                played.append((script, _outcome(file, place, script, seat)))
    if args.json:
        terminal.data([outcome for _, outcome in played])
        return 0
    for place, (script, outcome) in enumerate(played):
        if place:
            terminal.say()
        _tell(terminal, script, outcome)
    return 0


@contextmanager
def _tables(url: str | None, key: str | None) -> Iterator[Callable[[State], Table] | None]:
    """Where the scripts are played: in this process, or at a running house."""
    if url is None and key is None:
        yield None
        return
    if url is None or key is None:
        hint = "a house prints its address and its keys when it opens"
        raise InputError("--on and --key go together", hint=hint)
    with house_installed():
        from novamas.web.remote_scripts import RemoteError, RemoteHouse
    try:
        with RemoteHouse.with_key(url, key) as house:
            yield house.seat
    except RemoteError as problem:
        raise InputError(str(problem)) from None


def _scripts(file: str) -> list[Any]:
    name = "input" if file == INPUT else written(file)
    if file == INPUT and sys.stdin is None:
        raise InputError(f"{name}: cannot be read: there is no standard input")
    try:
        raw = sys.stdin.buffer.read() if file == INPUT else Path(file).read_bytes()
    except OSError as problem:
        raise InputError(f"{name}: cannot be read: {problem.strerror or problem}") from None
    except ValueError as problem:  # A path cannot contain NUL.
        raise InputError(f"{name!r}: cannot be read: {problem}") from None
    try:
        scripts = json.loads(
            raw.decode("utf-8-sig"), parse_constant=_no_number, parse_int=_not_endless
        )
    except UnicodeDecodeError as problem:
        raise InputError(f"{name}: byte {problem.start} is not UTF-8") from None
    except json.JSONDecodeError as problem:
        where = f"line {problem.lineno}, column {problem.colno}"
        raise InputError(f"{name}: {where}: not valid JSON: {problem.msg}") from None
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{name}: not valid JSON: {problem}") from None
    if not isinstance(scripts, list):
        hint = "write [ … ] around it, even where there is only one"
        raise InputError(f"{name}: expected a list of scripts", hint=hint)
    return scripts


def _no_number(text: str) -> object:
    raise ValueError(f"{text} is not a number in JSON")


def _not_endless(digits: str) -> int:
    if len(digits) > LONGEST:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)


def _outcome(
    file: str, place: int, script: Any, seat: Callable[[State], Table] | None
) -> dict[str, Any]:
    name = "input" if file == INPUT else file
    try:
        return run_script(script, _books_beside(file), where=f"{name}: script {place}", seat=seat)
    except ScriptError as problem:
        raise InputError(str(problem)) from None
    except RulebookError as problem:
        which = f" {script['id']}" if isinstance(script.get("id"), str) else ""
        raise InputError(f"{name}: script {place}{which}.rulebook: {problem}") from None


def _books_beside(file: str) -> Callable[[str], Rulebook]:
    """Loads books by id or path; a path may also be relative to the script."""

    def load(name: str) -> Rulebook:
        beside = Path(file).parent / name
        if name.endswith(".toml") and not _is_there(Path(name)) and _is_there(beside):
            return load_any(str(beside))
        return load_any(name)

    return load


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # Reading it reports why.
        return False


# Telling ------------------------------------------------------------------------------------------


def _tell(terminal: Terminal, script: dict[str, Any], outcome: dict[str, Any]) -> None:
    title = " ".join(str(script[key]) for key in ("id", "title") if script.get(key))
    terminal.title(f"{title or 'script'} ({script['rulebook']})")
    if outcome["coups"]:
        _tell_coups(terminal, outcome["coups"])
    else:
        terminal.say("no number came out")
    for refusal in outcome["refusals"]:
        _tell_refusal(terminal, script["script"][refusal["index"]], refusal)
    for reduction in outcome["reductions"]:
        terminal.tell(_reduction(reduction), indent="  ", first="")
    purses = ", ".join(f"{player} {purse}" for player, purse in outcome["purses"].items())
    terminal.tell(
        f"purses: {purses or 'none'}; bank {signed(outcome['bank'])}", indent="  ", first=""
    )
    if "custody" in outcome:
        kept = ", ".join(f"{player} {amount}" for player, amount in outcome["custody"].items())
        terminal.tell(f"in custody: {kept}", indent="  ", first="")
    if "last_games_left" in outcome:
        terminal.say(f"last games left: {' '.join(map(str, outcome['last_games_left']))}")


def _tell_coups(terminal: Terminal, coups: list[dict[str, Any]]) -> None:
    rows = ["coup,number,player,won,returned,lost,held,purse".split(",")]
    for place, coup in enumerate(coups, start=1):
        first = [str(place), str(coup["number"])]
        for cells in _sums(coup):
            rows.append([*first, *cells])
            first = ["", ""]
    terminal.table(rows, "rrlrrrrr", head=True)


def _sums(coup: dict[str, Any]) -> Iterator[list[str]]:
    for player, sums in coup["players"].items():
        amounts = (sums[key] for key in ("won", "returned", "lost", "held"))
        yield [player, *map(money, amounts), str(coup["purses"].get(player, 0))]
    if not coup["players"]:
        yield ["nobody", "", "", "", "", ""]


def _tell_refusal(terminal: Terminal, command: dict[str, Any], refusal: dict[str, Any]) -> None:
    wish = " ".join(str(value) for value in command.values() if not isinstance(value, dict | list))
    why = refusal["why"].replace("_", " ")
    detail = f": {refusal['detail']}" if refusal["detail"] else ""
    text = f"refused [{refusal['index']}] {wish}: {why}{detail}{named(refusal['articles'])}"
    terminal.tell(text, indent="  ", first="")


def _reduction(made: dict[str, Any]) -> str:
    left = "".join(f", {count} {kind} left" for kind, count in made["left"].items())
    return (
        f"coup {made['coup']}: {made['player']} is reduced to "
        f"{counted(made['straights'], 'straight')}{left}; "
        f"{counted(made['freed_to_bank'], 'chip')} to the bank, {made['paid']} paid, "
        f"{made['stays']} {'stays' if made['stays'] == 1 else 'stay'}"
    )
