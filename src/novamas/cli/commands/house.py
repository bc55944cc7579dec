"""`novamas house`: administration of a house on the machine itself.

`init` registers the first chiefs, who register everybody else. `password` lets a chief back in who
has lost their password. `rekey` encrypts the sealed data of the store with another key.
"""

from __future__ import annotations

import asyncio
import getpass
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from novamas.cli.errors import InputError, OutputError
from novamas.cli.open_store import hint_for, house_installed
from novamas.cli.terminal import Terminal

if TYPE_CHECKING:
    from novamas.house.people.events import RegisterEvent
    from novamas.house.people.state import Person, Register
    from novamas.web.passwords import Passwords
    from novamas.web.stolen_passwords import StolenPasswords

ALONE = "one chief alone cannot register staff, because that takes two people; give --chief twice"
LED = "the chief signs in and registers the others; for a lost password: novamas house password"


def run(args: Namespace, terminal: Terminal) -> int:
    """Runs the subcommand."""
    if args.what == "rekey":
        from novamas.cli.commands import house_rekey

        if args.chief is not None:
            raise InputError("--chief: goes with house init and house password")
        return house_rekey.run(args, terminal)
    for option in ("ball_key", "new_ball_key"):
        if getattr(args, option) is not None:
            raise InputError(f"--{option.replace('_', '-')}: goes with house rekey")
    if args.chief is None:
        hint = f"novamas house {args.what} {quote(args.store)} --chief NAME"
        raise InputError("--chief: say who it is", hint=hint)
    if args.what == "password":
        from novamas.cli.commands import house_password

        return house_password.run(args, terminal)
    if args.reason is not None:
        raise InputError("--reason: goes with house password and house rekey alone")
    return _init(args, terminal)


def _init(args: Namespace, terminal: Terminal) -> int:
    """Asks each chief for a password and registers them; a failure leaves no file behind."""
    with house_installed():
        from novamas.cli.commands.house_password import stolen_passwords
        from novamas.house.house import SelfCheckError
        from novamas.house.log.store import StoreError
        from novamas.house.people.decide import RegisterError
        from novamas.web.json_logging import discreet
        from novamas.web.passwords import BadPasswordError
    try:
        chiefs = _begin(args.store, args.chief, stolen_passwords(args.stolen_passwords))
    except (BadPasswordError, RegisterError) as problem:
        raise InputError(str(problem)) from None
    except (SelfCheckError, StoreError) as problem:
        raise OutputError(discreet(str(problem)), hint=hint_for(problem)) from None
    except OSError as problem:
        raise OutputError(f"{args.store}: {problem.strerror or problem}") from None
    except ValueError as problem:  # A path cannot contain NUL.
        raise InputError(f"{args.store!r}: {problem}") from None
    for person in chiefs:
        terminal.say(f"{person.name} is chief of the house")
    if len(chiefs) == 1:
        terminal.tell(ALONE, style="dim")
    terminal.say(f"open it: novamas serve --store {quote(discreet(args.store))}")
    return 0


def _begin(
    store: str, wanted: Sequence[str], stolen: StolenPasswords | None = None
) -> list[Person]:
    """Registers the chiefs in a store, which is created with them."""
    from novamas.house.log.stores.addresses import is_shared, require_known
    from novamas.house.log.stores.create import new_file, require_place
    from novamas.house.people.decide import clean_name
    from novamas.house.people.state import sound
    from novamas.web.passwords import Passwords

    names = [clean_name(name) for name in wanted]
    if len({sound(name) for name in names}) < len(names):
        raise InputError("--chief: the same name is given twice")
    require_known(store)
    require_place(store)
    passwords = Passwords(stolen=stolen)
    # Checked first, so that nobody chooses a password in vain.
    if is_shared(store) or Path(store).is_file():
        asyncio.run(_make_known(store, {}, passwords))
    given: dict[str, str] = {}
    for name in names:
        given[name] = _password(name)
        passwords.require_good(given[name], name=name)
        asyncio.run(passwords.require_not_stolen(given[name]))
    with new_file(store) as where:
        return asyncio.run(_make_known(where, given, passwords))


async def _make_known(where: str, given: dict[str, str], passwords: Passwords) -> list[Person]:
    """Registers the chiefs; without any it only checks whether there is one."""
    from novamas.house.house import House
    from novamas.house.log.stores.addresses import open_store
    from novamas.house.people import decide
    from novamas.house.people.events import Post
    from novamas.house.people.registry import Registry
    from novamas.web.json_logging import discreet
    from novamas.web.sessions import People

    house = House(open_store(where))
    try:
        registry = Registry(house.store, house.blocking, house.clock)
        await registry.open()
        if registry.register.is_led():
            raise InputError(f"{discreet(where)}: the house already has a chief", hint=LED)
        people = People(registry, passwords=passwords)
        kept = {name: await people.hashed(word, name=name) for name, word in given.items()}

        def known(register: Register, _: int) -> list[RegisterEvent]:
            """Registers all of them or none: a house with one chief could not add another."""
            return [
                event
                for name, hashed in kept.items()
                for event in decide.register_person(
                    register, name, [Post.CHIEF], by="house init", password=hashed
                )
            ]

        await registry.do(known)
        return [decide.known(registry.register, name) for name in given]
    finally:
        await house.close()


def _password(name: str) -> str:
    """Reads a password from the keyboard, twice and unseen; or one line from a pipe."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    first = getpass.getpass(f"password for {name}: ")
    if getpass.getpass("once more: ") != first:
        raise InputError("the two passwords differ")
    return first
