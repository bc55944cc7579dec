"""`novamas house rekey`: encrypts the sealed data of a store with another key.

It runs on the machine itself while no server uses the store, and the register records it with its
reason.
"""

from __future__ import annotations

import shlex
from argparse import Namespace
from contextlib import closing
from typing import TYPE_CHECKING

from novamas.cli.commands.house_password import system_account
from novamas.cli.errors import InputError, OutputError
from novamas.cli.open_store import hint_for, house_installed, require_store
from novamas.cli.terminal import Terminal
from novamas.odds.number_format import counted

if TYPE_CHECKING:
    from novamas.house.log.stores.postgres import PostgresStore
    from novamas.house.log.stores.sqlite import SqliteStore
    from novamas.house.rekey import Rekeyed

UNCHANGED = "nothing was changed: the house goes on with the old key"


def run(args: Namespace, terminal: Terminal) -> int:
    """Encrypts everything again, all or nothing, and says what to do with the two keys."""
    if args.new_ball_key is None:
        hint = "--new-ball-key KEY: a new file, credential:NAME or command:LINE"
        raise InputError("--new-ball-key: say where the new key is kept", hint=hint)
    if not (args.reason or "").strip():
        hint = '--reason "the yearly change": it is written into the register'
        raise InputError("--reason: say why the key is changed", hint=hint)
    with house_installed():
        from novamas.house.clock import SystemClock
        from novamas.house.encryption import SealError, kept_key
        from novamas.house.ledger import LedgerError
        from novamas.house.log.store import StoreError
        from novamas.house.log.stores.addresses import open_durable
        from novamas.house.people.decide import RegisterError, require_reason
        from novamas.house.rekey import RekeyError, hold_tables, rekey
        from novamas.web.json_logging import discreet
        from novamas.web.start_files import ball_key_source
    require_store(args.store)
    source = ball_key_source(args.store, args.ball_key)
    if source is None:
        raise InputError("--ball-key: say where the key is that the servers of the house share")
    try:
        reason = require_reason(args.reason.strip())
        old, new = kept_key(source), kept_key(args.new_ball_key)
        with closing(open_durable(args.store)) as store:
            _require_nobody_else(store)
            hold_tables(store)
            clock = SystemClock()
            came = rekey(store, old, new, now=clock.now(), account=system_account(), reason=reason)
    except RegisterError as problem:
        raise InputError(f"--{problem}") from None
    except (RekeyError, SealError) as problem:
        raise OutputError(str(problem), hint=UNCHANGED) from None
    except (StoreError, LedgerError) as problem:
        hint = hint_for(problem) or UNCHANGED
        raise OutputError(discreet(str(problem)), hint=hint) from None
    except OSError as problem:
        raise OutputError(f"{args.store}: {problem.strerror or problem}") from None
    _tell(terminal, came, old.where, args.new_ball_key)
    return 0


def _require_nobody_else(store: SqliteStore | PostgresStore) -> None:
    """Refuses a database with a connected server; a file in use was refused when opened."""
    from novamas.house.log.stores.sqlite import SqliteStore

    if not isinstance(store, SqliteStore) and (many := store.others()):
        hint = "end every server of the house first, and whatever else reads its database"
        raise OutputError(
            f"the database is in use by {counted(many, 'other connection')} of the house", hint=hint
        )


def _tell(terminal: Terminal, came: Rekeyed, old: str, new: str) -> None:
    if came.is_done_before:
        terminal.say("everything was sealed with the new key before; nothing was changed")
    elif not came.seeds and not came.apps:
        terminal.say("nothing lies sealed in this store yet; nothing was changed")
    else:
        seeds, apps = counted(came.seeds, "seed"), counted(came.apps, "secret")
        terminal.say(f"{seeds} of the ball and {apps} of apps are sealed with the new key")
    if came.left:
        many = counted(came.left, "secret")
        terminal.say(f"{many} that an earlier key had sealed stay as they are")
    terminal.say(f"open the house with it: --ball-key {shlex.quote(new)}")
    terminal.say(f"destroy the old one ({old}) once no backup that you keep needs it")
