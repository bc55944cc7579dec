"""`novamas backup`: a whole house copied to a file, as of one moment, while it goes on."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from novamas.cli.arguments import written
from novamas.cli.errors import InputError, OutputError
from novamas.cli.open_store import Steps, opened
from novamas.cli.terminal import Terminal
from novamas.odds.number_format import counted

if TYPE_CHECKING:
    from novamas.cli.json_shapes.house import CopiedLog, CopyAnswer
    from novamas.house.log.verify import Verdict


def run(args: Namespace, terminal: Terminal) -> int:
    """Copies, verifies the copy, and prints what is in it."""
    if "://" in args.file:
        hint = "novamas restore FILE postgresql://… makes a house of it there"
        kind = args.file.partition("://")[0]
        message = "a backup is a file; restore makes a file or a database of it"
        raise InputError(f"{kind}://…: {message}", hint=hint)
    if not args.file:
        raise InputError("the backup needs the name of a new file", hint="such as monday.db")
    with opened(args.store) as store:
        from novamas.house.log.backup import BackupError, back_up
        from novamas.house.log.store import StoreError

        if not store.tables():
            hint = "check the address of the store"
            raise InputError(f"{written(args.store)}: there is no house in this store", hint=hint)
        copying, verifying = Steps("copied"), Steps("verified")
        try:
            verdicts = back_up(store, Path(args.file), copying=copying, verifying=verifying)
        except BackupError as problem:
            raise OutputError(f"there is no backup: {problem}", hint="name a new file") from None
        except StoreError as problem:
            where = str(problem).replace(f"{args.file}.part", args.file)
            raise OutputError(f"there is no backup: {where}") from None
        except (OSError, ValueError) as problem:
            said = getattr(problem, "strerror", None) or problem
            raise OutputError(f"{args.file}: {said}") from None
        finally:
            copying.done()
            verifying.done()
    tell(terminal, verdicts, as_json=args.json)
    return 0


def tell(terminal: Terminal, verdicts: Sequence[Verdict], *, as_json: bool) -> None:
    """Prints what is in a verified copy."""
    from novamas.house.leases import called, is_table

    if as_json:
        logs: list[CopiedLog] = [
            {
                "table": verdict.table,
                "sound": verdict.is_sound,
                "problems": verdict.problems,
                "events": verdict.events,
                "coups": verdict.coups,
            }
            for verdict in verdicts
        ]
        data: CopyAnswer = {"sound": True, "problems": [], "logs": logs}
        terminal.data(data)
        return
    for verdict in verdicts:
        coups = f", {counted(verdict.coups, 'coup')}" if is_table(verdict.table) else ""
        terminal.say(f"{called(verdict.table)}: {counted(verdict.events, 'event')}{coups}")
    events = sum(verdict.events for verdict in verdicts)
    terminal.say(f"{counted(events, 'event')}: verified, and nothing differs")
