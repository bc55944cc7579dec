"""`novamas verify house`: verifies the logs, the ledger and the ball as of one moment."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from novamas.cli.commands import verify_ball, verify_ledger, verify_log
from novamas.cli.open_store import opened
from novamas.cli.terminal import Terminal

if TYPE_CHECKING:
    from novamas.cli.json_shapes.house import VerifyHouseAnswer


def run(args: Namespace, terminal: Terminal) -> int:
    """Reports what each verification found; returns 1 if one of them found a problem."""
    verify_log.require_checkpoints(args)
    with opened(args.store) as store:
        from novamas.house.leases import is_table

        log = verify_log.check(store, None, args.checkpoints, args.checkpoints_key)
        ledger = verify_ledger.check(store, None)
        # A house with only a register has drawn nothing yet.
        tables = [name for name in store.tables() if is_table(name)]
        ball = verify_ball.BallReport([verify_ball.TableBalls(store, name) for name in tables])
    sound = log.is_sound and ledger.is_sound and ball.is_sound
    if args.json:
        data: VerifyHouseAnswer = {
            "sound": sound,
            "problems": ledger.between or [],
            "log": log.as_data(),
            "ledger": ledger.as_data(),
            "ball": ball.as_data(),
        }
        terminal.data(data)
        return int(not sound)
    for title, report in (("log", log), ("ledger", ledger), ("ball", ball)):
        terminal.title(title)
        report.tell(terminal)
        terminal.say()
    terminal.say("the house is sound" if sound else "the house is not sound")
    return int(not sound)
