"""`novamas verify`: checks the records of a house: logs, ledger, ball, or all of them."""

from __future__ import annotations

from argparse import Namespace
from importlib import import_module

from novamas.cli.terminal import Terminal


def run(args: Namespace, terminal: Terminal) -> int:
    """Verifies logs, ledger, ball or all of them; returns 1 if something is wrong."""
    code: int = import_module(f"novamas.cli.commands.verify_{args.what}").run(args, terminal)
    return code
