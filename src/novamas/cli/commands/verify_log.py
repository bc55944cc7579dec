"""`novamas verify log`: checks that a house's logs are complete and replay correctly."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from novamas.cli.errors import InputError
from novamas.cli.open_store import Progress, logs_of, opened
from novamas.cli.terminal import Terminal
from novamas.odds.number_format import counted

if TYPE_CHECKING:
    from novamas.cli.json_shapes.house import VerifiedLog, VerifyLogAnswer
    from novamas.house.log.checkpoints import Checkpoint
    from novamas.house.log.store import Store
    from novamas.house.log.verify import Verdict


class LogReport(NamedTuple):
    """What was found in some logs."""

    verdicts: list[Verdict]
    witnessed: set[str]
    """The logs that a checkpoint names."""
    given: bool
    """Whether checkpoints were given at all."""

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong with any of them."""
        return all(verdict.is_sound for verdict in self.verdicts)

    def as_data(self) -> VerifyLogAnswer:
        """The report for a program."""
        logs = [
            _data(each, witnessed=each.table in self.witnessed, given=self.given)
            for each in self.verdicts
        ]
        return {"sound": self.is_sound, "problems": [], "logs": logs}

    def tell(self, terminal: Terminal) -> None:
        """The report in lines."""
        for verdict in self.verdicts:
            _tell(terminal, verdict, witnessed=verdict.table in self.witnessed)
        if not self.given:
            hint = "without checkpoints a tail that was cut off does not show: --checkpoints FILE"
            terminal.tell(hint, style="dim")


def run(args: Namespace, terminal: Terminal) -> int:
    """Reports whether each log is complete; returns 1 if one is not."""
    require_checkpoints(args)
    with opened(args.store) as store:
        report = check(store, args.table, args.checkpoints, args.checkpoints_key)
    if args.json:
        terminal.data(report.as_data())
    else:
        report.tell(terminal)
    return int(not report.is_sound)


def require_checkpoints(args: Namespace) -> None:
    """Refuses a key for checkpoints without a file of checkpoints."""
    if args.checkpoints_key is not None and args.checkpoints is None:
        raise InputError("--checkpoints-key: goes with --checkpoints FILE, which it signed")


def check(store: Store, table: str | None, checkpoints: str | None, key: str | None) -> LogReport:
    """Verifies one log or all of them, against a file of checkpoints if one is given."""
    from novamas.house.leases import called
    from novamas.house.log.verify_house import verify_log

    seen = _checkpoints(checkpoints, key) if checkpoints is not None else []
    verdicts = []
    for each in logs_of(store, table):
        progress = Progress(called(each))
        verdicts.append(verify_log(store, each, seen, progress))
        progress.done()
    verdicts += _vanished(seen, set(store.tables())) if table is None else []
    return LogReport(verdicts, {one.table for one in seen}, checkpoints is not None)


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
    except ValueError as problem:  # Not a valid key.
        raise InputError(f"{path!r}: cannot be read: {problem}") from None


def _vanished(seen: list[Checkpoint], known: set[str]) -> list[Verdict]:
    """The tables that are in the checkpoints, but no longer in the store."""
    from novamas.house.log.verify import Verdict

    gone = sorted({one.table for one in seen} - known)
    return [Verdict(table, problems=["the whole log is missing"]) for table in gone]


NOT_GIVEN = "nothing witnesses this log: no checkpoints were given"
NOT_NAMED = "nothing witnesses this log: the checkpoints do not name it"


def _data(verdict: Verdict, *, witnessed: bool, given: bool) -> VerifiedLog:
    """A result for a program; `unwitnessed` is None without checkpoints."""
    return {
        "table": verdict.table,
        "sound": verdict.is_sound,
        "problems": verdict.problems,
        "events": verdict.events,
        "coups": verdict.coups,
        "drawn": verdict.drawn,
        "open": verdict.open,
        "witnessed": witnessed,
        "unwitnessed": verdict.unwitnessed if witnessed else None,
        "note": "" if witnessed else NOT_NAMED if given else NOT_GIVEN,
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
