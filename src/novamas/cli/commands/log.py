"""`novamas log verify`: whether a house's logs are whole, and say what was played."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from novamas.cli.errors import InputError
from novamas.cli.open_store import Progress, logs_of, opened
from novamas.cli.terminal import Terminal
from novamas.odds.number_format import counted

if TYPE_CHECKING:
    from novamas.house.log.checkpoints import Checkpoint
    from novamas.house.log.verify import Verdict


def run(args: Namespace, terminal: Terminal) -> int:
    """Tells of each table whether its log is whole; 1 if one is not."""
    from novamas.house.leases import called
    from novamas.house.log.verify_house import verify_log

    path, key = args.checkpoints, args.checkpoints_key
    if key is not None and path is None:
        raise InputError("--checkpoints-key: goes with --checkpoints FILE, which it signed")
    with opened(args.store) as store:
        seen = _checkpoints(path, key) if path is not None else []
        verdicts = []
        for table in logs_of(store, args.table):
            progress = Progress(called(table))
            verdicts.append(verify_log(store, table, seen, progress))
            progress.done()
        verdicts += _vanished(seen, set(store.tables())) if args.table is None else []
    witnessed = {one.table for one in seen}
    if args.json:
        given = args.checkpoints is not None
        terminal.data(
            [_data(each, witnessed=each.table in witnessed, given=given) for each in verdicts]
        )
    else:
        for verdict in verdicts:
            _tell(terminal, verdict, witnessed=verdict.table in witnessed)
        if args.checkpoints is None:
            hint = "without checkpoints a tail that was cut off does not show: --checkpoints FILE"
            terminal.tell(hint, style="dim")
    return int(not all(verdict.is_sound for verdict in verdicts))


def _checkpoints(path: str, key: str | None) -> list[Checkpoint]:
    from novamas.house.log.checkpoints import CheckpointError, Checkpoints

    file = Path(path)
    try:
        if not file.is_file():
            raise InputError(f"{path}: there are no such checkpoints")
        if file.stat().st_size == 0:
            return []
        return list(Checkpoints(file, source=key).read())
    except CheckpointError as problem:
        raise InputError(f"{problem}") from None
    except OSError as problem:
        raise InputError(f"{path}: cannot be read: {problem.strerror or problem}") from None
    except ValueError as problem:  # A key that is none.
        raise InputError(f"{path!r}: cannot be read: {problem}") from None


def _vanished(seen: list[Checkpoint], known: set[str]) -> list[Verdict]:
    """The tables that checkpoints saw, and that are not in the store any more."""
    from novamas.house.log.verify import Verdict

    gone = sorted({one.table for one in seen} - known)
    return [Verdict(table, problems=["the whole log is missing"]) for table in gone]


NOT_GIVEN = "nothing witnesses this log: no checkpoints were given"
NOT_NAMED = "nothing witnesses this log: the checkpoints do not name it"


def _data(verdict: Verdict, *, witnessed: bool, given: bool) -> dict[str, object]:
    """A verdict for a program: how much is unwitnessed is not known where nothing witnesses it."""
    return {
        "table": verdict.table,
        "sound": verdict.is_sound,
        "events": verdict.events,
        "coups": verdict.coups,
        "drawn": verdict.drawn,
        "open": verdict.open,
        "witnessed": witnessed,
        "unwitnessed": verdict.unwitnessed if witnessed else None,
        "note": "" if witnessed else NOT_NAMED if given else NOT_GIVEN,
        "problems": verdict.problems,
    }


def _tell(terminal: Terminal, verdict: Verdict, *, witnessed: bool) -> None:
    from novamas.house.leases import called, is_table

    name = called(verdict.table)
    if not verdict.is_sound:
        for problem in verdict.problems:
            terminal.tell(f"{name}: {problem}", indent="  ", first="", style="red")
        return
    coups = f", {counted(verdict.coups, 'coup')}" if is_table(verdict.table) else ""
    said = f"{name}: {counted(verdict.events, 'event')}{coups}: whole"
    if witnessed:
        after = verdict.unwitnessed
        said += f", and witnessed{f' but for the last {after}' if after else ''}"
    terminal.say(said)
