"""`novamas house password`: a new first password for a chief who has lost theirs.

Only a person who can write to the store can do this: it runs on the machine itself, while no server
uses the file, and the register records it with its reason.
"""

from __future__ import annotations

import asyncio
import getpass
import secrets
from argparse import Namespace
from typing import TYPE_CHECKING

from novamas.cli.errors import InputError, OutputError
from novamas.cli.open_store import hint_for, house_installed, require_store
from novamas.cli.terminal import Terminal

if TYPE_CHECKING:
    from novamas.web.stolen_passwords import StolenPasswords

WORD_BYTES = 15
"""The random bytes of a first password, which is read from a screen and typed once."""


def run(args: Namespace, terminal: Terminal) -> int:
    """Gives the chief a first password, which is valid once, to choose their own."""
    if not (args.reason or "").strip():
        hint = '--reason "the chief has forgotten it": it is written into the register'
        raise InputError("--reason: say why the password is set here", hint=hint)
    if len(args.chief) > 1:
        raise InputError("--chief: give one name at a time, so that each has a reason of its own")
    (chief,) = args.chief
    with house_installed():
        from novamas.house.house import House
        from novamas.house.log.store import StoreError
        from novamas.house.log.stores.addresses import open_durable
        from novamas.house.people.decide import RegisterError
        from novamas.house.people.recovery import restore_access
        from novamas.house.people.registry import Registry
        from novamas.web.json_logging import discreet
        from novamas.web.passwords import Passwords

    async def give() -> str:
        house = House(open_durable(args.store))
        try:
            registry = Registry(house.store, house.blocking, house.clock)
            await registry.open()
            kept = await Passwords().hashed(first)
            made = await registry.do(
                lambda register, _: restore_access(
                    register, chief, kept, account=system_account(), reason=args.reason.strip()
                )
            )
            return str(getattr(made[0], "name", chief))
        finally:
            await house.close()

    require_store(args.store)
    stolen = stolen_passwords(args.stolen_passwords)
    first = secrets.token_urlsafe(WORD_BYTES)
    while stolen is not None and first in stolen:
        first = secrets.token_urlsafe(WORD_BYTES)
    try:
        name = asyncio.run(give())
    except RegisterError as problem:
        raise InputError(f"--chief: {problem}".replace("--chief: reason", "--reason")) from None
    except StoreError as problem:
        raise OutputError(discreet(str(problem)), hint=hint_for(problem)) from None
    except OSError as problem:
        raise OutputError(f"{args.store}: {problem.strerror or problem}") from None
    terminal.say(f"first password of {name}: {first}")
    terminal.say(f"{name} signs in with it and chooses another; every session of theirs has ended")
    return 0


def stolen_passwords(named: str | None) -> StolenPasswords | None:
    """The list of stolen passwords that an option names."""
    from novamas.web.stolen_passwords import StolenPasswords

    try:
        return StolenPasswords(named) if named is not None else None
    except OSError as problem:
        raise InputError(f"--stolen-passwords {named}: {problem.strerror}") from None
    except ValueError as problem:  # Not such a list, or a path with a NUL.
        raise InputError(f"--stolen-passwords {problem}") from None


def system_account() -> str:
    """The account of the operating system under which this runs, if it is known."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # An account without a name.
        return "unknown"
