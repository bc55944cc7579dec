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
from novamas.cli.messages import in_english, said, several
from novamas.cli.open_store import house_installed
from novamas.cli.terminal import Terminal, money, named, plain, signed
from novamas.game.languages import ENGLISH
from novamas.game.rulebook.model import Rulebook
from novamas.game.rulebook.toml_section import RulebookError
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
    telling = _Telling(terminal, args.lang)
    for place, (script, outcome) in enumerate(played):
        if place:
            terminal.say()
        telling.outcome(script, outcome)
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


class _Telling:
    """Prints the outcome of scripts for a person, in their language."""

    def __init__(self, terminal: Terminal, language: str) -> None:
        self._terminal = terminal
        self._language = language
        self._format = None if language == ENGLISH else language
        """The language in whose format amounts are written; in English they have no commas."""

    def _said(self, name: str, **facts: object) -> str:
        return said(self._language, name, **facts)

    def _amount(self, amount: int) -> str:
        return plain(amount, self._format)

    def _amounts(self, amounts: dict[str, int]) -> str:
        return ", ".join(f"{player} {self._amount(amount)}" for player, amount in amounts.items())

    def _tell(self, name: str, **facts: object) -> None:
        self._terminal.tell(self._said(name, **facts), indent="  ", first="")

    def outcome(self, script: dict[str, Any], outcome: dict[str, Any]) -> None:
        """The outcome of one script."""
        title = " ".join(str(script[key]) for key in ("id", "title") if script.get(key))
        self._terminal.title(f"{title or self._said('script')} ({script['rulebook']})")
        if outcome["coups"]:
            self._coups(outcome["coups"])
        else:
            self._terminal.say(self._said("no_number_fell"))
        for refusal in outcome["refusals"]:
            self._refusal(script["script"][refusal["index"]], refusal)
        for reduction in outcome["reductions"]:
            self._reduction(reduction)
        purses = self._amounts(outcome["purses"]) or self._said("none")
        self._tell("purses", purses=purses, bank=signed(outcome["bank"], self._format))
        if "custody" in outcome:
            self._tell("in_custody", kept=self._amounts(outcome["custody"]))
        if "last_games_left" in outcome:
            numbers = " ".join(map(str, outcome["last_games_left"]))
            self._terminal.say(self._said("last_games", numbers=numbers))

    def _coups(self, coups: list[dict[str, Any]]) -> None:
        names = ("coup", "number", "player", "won", "returned", "lost", "held", "purse")
        rows = [[self._said(name) for name in names]]
        for place, coup in enumerate(coups, start=1):
            first = [str(place), str(coup["number"])]
            for cells in self._sums(coup):
                rows.append([*first, *cells])
                first = ["", ""]
        self._terminal.table(rows, "rrlrrrrr", head=True)

    def _sums(self, coup: dict[str, Any]) -> Iterator[list[str]]:
        for player, sums in coup["players"].items():
            amounts = [
                money(sums[key], self._format) for key in ("won", "returned", "lost", "held")
            ]
            yield [player, *amounts, self._amount(coup["purses"].get(player, 0))]
        if not coup["players"]:
            yield [self._said("nobody"), "", "", "", "", ""]

    def _refusal(self, command: dict[str, Any], refusal: dict[str, Any]) -> None:
        wish = " ".join(
            str(value) for value in command.values() if not isinstance(value, dict | list)
        )
        why = refusal["why"].replace("_", " ")
        detail = f": {refusal['detail']}" if refusal["detail"] else ""
        reason = in_english(self._language, why + detail) + named(refusal["articles"])
        self._tell("run_refused", place=refusal["index"], what=wish, why=reason)

    def _reduction(self, made: dict[str, Any]) -> None:
        language = self._language
        left = "".join(
            self._said("of_class_left", count=count, kind=kind)
            for kind, count in made["left"].items()
        )
        self._tell(
            "run_reduced",
            coup=made["coup"],
            player=made["player"],
            straights=several(language, "straights", made["straights"]),
            left=left,
            freed=several(language, "freed", made["freed_to_bank"]),
            paid=self._amount(made["paid"]),
            stays=several(language, "stays", made["stays"]),
        )
