"""`novamas restore`: restores a house from a backup into an empty store."""

from __future__ import annotations

from argparse import Namespace
from contextlib import closing

from novamas.cli.commands.backup import tell
from novamas.cli.errors import OutputError
from novamas.cli.open_store import Steps, hint_for, opened
from novamas.cli.terminal import Terminal


def run(args: Namespace, terminal: Terminal) -> int:
    """Copies all of it or nothing, verifies it, and prints what is there now."""
    with opened(args.file) as backup:
        from novamas.house.log.backup import NOT_EMPTY, BackupError, restore
        from novamas.house.log.store import StoreError
        from novamas.house.log.stores.addresses import open_durable
        from novamas.house.log.stores.create import new_file
        from novamas.web.json_logging import discreet

        copying, verifying = Steps("restored"), Steps("verified")
        try:
            with new_file(args.store) as where, closing(open_durable(where)) as store:
                verdicts = restore(backup, store, copying=copying, verifying=verifying)
        except BackupError as problem:
            hint = "name a new file, or an empty database: nothing is restored over a house"
            message = f"nothing is restored to {discreet(args.store)}: {problem}"
            raise OutputError(message, hint=hint if str(problem) == NOT_EMPTY else "") from None
        except StoreError as problem:
            message = f"nothing is restored: {discreet(str(problem))}"
            raise OutputError(message, hint=hint_for(problem)) from None
        except (OSError, ValueError) as problem:
            said = getattr(problem, "strerror", None) or problem
            raise OutputError(f"{args.store}: {said}") from None
        finally:
            copying.done()
            verifying.done()
    tell(terminal, verdicts, as_json=args.json)
    return 0
