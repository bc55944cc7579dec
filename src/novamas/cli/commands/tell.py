"""`novamas tell`: gives one command to a table of a running house, with the identity of a token."""

from __future__ import annotations

import asyncio
import re
from argparse import Namespace
from dataclasses import MISSING, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from novamas.cli.arguments import near
from novamas.cli.errors import CommandError, InputError, OutputError
from novamas.cli.open_store import house_installed
from novamas.cli.terminal import Terminal

if TYPE_CHECKING:
    from novamas.cli.json_shapes.house import TellAnswer
    from novamas.table.commands import Command
    from novamas.web.client import Answered

SECONDS = 30
"""The timeout for an answer."""
LONGEST_TOKEN = 10_000


class RefusedError(CommandError):
    """The table understood the command, and refused it."""

    code = 1


def run(args: Namespace, terminal: Terminal) -> int:
    """Gives the command and prints the table's answer; returns 1 if it was refused."""
    with house_installed():
        import websockets.exceptions  # noqa: F401 - whether it is there
    if not re.match(r"https?://[^/]", args.url):
        hint = "such as https://house.example.org"
        raise InputError(f"{args.url!r} is not the address of a house", hint=hint)
    command = _command(args.do, args.fields)
    token = _token(args.token)
    answered = asyncio.run(_give(args, command, token))
    if args.json:
        data: TellAnswer = {
            "table": args.table,
            "command": args.do,
            "accepted": answered.is_accepted,
            "seq": answered.seq,
            "why": answered.why or None,
            "articles": list(answered.articles),
            "detail": answered.detail,
        }
        terminal.data(data)
        return int(not answered.is_accepted)
    if not answered.is_accepted:
        cited = f" ({', '.join(answered.articles)})" if answered.articles else ""
        raise RefusedError(f"{args.do} was refused: {answered.why}{cited}", hint=answered.detail)
    terminal.say(f"{args.table}: {args.do} is done, event {answered.seq}")
    return 0


async def _give(args: Namespace, command: Command, token: str) -> Answered:
    from websockets.exceptions import InvalidHandshake

    from novamas.web.client import ProblemError, TableClient

    url = args.url.rstrip("/")
    try:
        async with (
            asyncio.timeout(SECONDS),
            TableClient(url, args.table, token, nonces=False) as table,
        ):
            return await table.give(command, id=args.id)
    except ProblemError as problem:
        raise InputError(f"{args.do} at {args.table}: {problem}") from None
    except InvalidHandshake as problem:
        raise OutputError(f"{url}: the house refuses the connection: {problem}") from None
    except TimeoutError:
        hint = "the table's log says what happened; sent again with the same --id it happens once"
        raise OutputError(f"{url}: no answer in {SECONDS} seconds", hint=hint) from None
    except OSError as problem:
        hint = "does the house run there? for a certificate of your own: SSL_CERT_FILE=FILE"
        said = problem.strerror or str(problem)
        raise OutputError(f"{url}: {said}", hint=hint) from None


def _token(path: str) -> str:
    """Reads a token from a file: alone, or as the header for curl's `--header @FILE`."""
    try:
        text = Path(path).read_text(encoding="ascii")[:LONGEST_TOKEN].strip()
    except (OSError, ValueError) as problem:
        said = getattr(problem, "strerror", None) or "no token"
        raise InputError(f"--token {path}: {said}") from None
    token = re.sub(r"(?i)\Aauthorization:\s*bearer\s+", "", text)
    if not re.fullmatch(r"[\w.~+/=-]+", token):
        hint = "what POST /api/sign-in gave as token, alone or behind Authorization: Bearer"
        raise InputError(f"--token {path}: there is no token in it", hint=hint)
    return token


def _command(name: str, typed: list[str]) -> Command:
    """A command from its name and its fields; the token identifies who gives it."""
    import msgspec

    from novamas.house.table.commands import COMMANDS

    kind = COMMANDS.get(name)
    if kind is None:
        raise InputError(f"there is no command {name!r}", hint=near(name, COMMANDS))
    known = {each.name: each for each in fields(kind) if each.name != "by"}
    given: dict[str, Any] = {"by": ""}
    for each in typed:
        field, is_field, value = each.partition("=")
        if not is_field or field not in known:
            listed = ", ".join(known) or "none"
            raise InputError(
                f"{name}: {each!r} is not one of its fields", hint=f"its fields: {listed}"
            )
        given[field] = value
    needed = [
        field
        for field, each in known.items()
        if each.default is MISSING and each.default_factory is MISSING and field not in given
    ]
    if needed:
        raise InputError(f"{name}: {', '.join(needed)} is missing", hint=f"{needed[0]}=…")
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as problem:
        said = str(problem).replace(" - at `$.", ": `").replace("`$.", "`")
        raise InputError(f"{name}: {said}") from None
