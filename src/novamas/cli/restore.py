"""`novamas restore`: a house made of a backup, in a store that has nothing."""

from __future__ import annotations

from argparse import Namespace
from contextlib import closing

from novamas.cli.backup import tell
from novamas.cli.errors import OutputError
from novamas.cli.store import Steps, opened
from novamas.cli.terminal import Terminal


def run(args: Namespace, terminal: Terminal) -> int:
    """Copies all of it or nothing, verifies it, and tells what is there now."""
    with opened(args.file) as backup:
        from novamas.house.backup import BackupError, restore
        from novamas.house.store import StoreError
        from novamas.house.stores.opening import open_durable

        copying, verifying = Steps("restored"), Steps("verified")
        try:
            with closing(open_durable(args.store)) as store:
                verdicts = restore(backup, store, copying=copying, verifying=verifying)
        except (BackupError, StoreError) as problem:
            raise OutputError(f"nothing is restored: {problem}") from None
        except (OSError, ValueError) as problem:
            said = getattr(problem, "strerror", None) or problem
            raise OutputError(f"{args.store}: {said}") from None
        finally:
            copying.done()
            verifying.done()
    tell(terminal, verdicts, as_json=args.json)
    return 0
