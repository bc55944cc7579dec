"""`novamas house init`: the first chiefs of a house, who make everybody else known."""

from __future__ import annotations

import asyncio
import getpass
import sys
from argparse import Namespace
from shlex import quote
from typing import TYPE_CHECKING

from novamas.cli.errors import InputError, OutputError
from novamas.cli.store import house_installed
from novamas.cli.terminal import Terminal

if TYPE_CHECKING:
    from novamas.house.register.events import RegisterEvent
    from novamas.house.register.state import Person, Register

ALONE = "one chief alone makes no staff known: that takes two people; name two with --chief"


def run(args: Namespace, terminal: Terminal) -> int:
    """Asks for a password of each, and makes the chiefs known."""
    with house_installed():
        from novamas.house.house import House, SelfCheckError
        from novamas.house.register import deciding
        from novamas.house.register.deciding import RegisterError
        from novamas.house.register.events import Post
        from novamas.house.register.keeping import Registry
        from novamas.house.register.state import sound
        from novamas.house.store import StoreError
        from novamas.house.stores.opening import open_store
        from novamas.web.journal import discreet
        from novamas.web.passwords import BadPasswordError, Passwords
        from novamas.web.people import People

    async def make() -> list[Person]:
        house = House(open_store(args.store))
        try:
            registry = Registry(house.store, house.blocking, house.clock)
            await registry.open()
            if registry.register.is_led():
                hint = "the chief signs in and makes others known, or sets a new password"
                raise InputError(f"{args.store}: the house has its chief already", hint=hint)
            people = People(registry, passwords=Passwords())
            names = [deciding.clean_name(name) for name in args.chief]
            if len({sound(name) for name in names}) < len(names):
                raise InputError("--chief: two people have two names")
            kept = {name: await people.hashed(_password(name), name=name) for name in names}

            def known(register: Register, _: int) -> list[RegisterEvent]:
                """All of them or nobody: a house of one would be led, and could add no other."""
                return [
                    event
                    for name, hashed in kept.items()
                    for event in deciding.register_person(
                        register, name, [Post.CHIEF], by="house init", password=hashed
                    )
                ]

            await registry.do(known)
            return [deciding.known(registry.register, name) for name in names]
        finally:
            await house.close()

    try:
        chiefs = asyncio.run(make())
    except (BadPasswordError, RegisterError) as problem:
        raise InputError(str(problem)) from None
    except (SelfCheckError, StoreError) as problem:
        raise OutputError(str(problem)) from None
    except OSError as problem:
        raise OutputError(f"{args.store}: {problem.strerror}") from None
    for person in chiefs:
        terminal.say(f"{person.name} is chief of the house")
    if len(chiefs) == 1:
        terminal.tell(ALONE, style="dim")
    terminal.say(f"open it: novamas serve --store {quote(discreet(args.store))}")
    return 0


def _password(name: str) -> str:
    """From the keyboard, twice and unseen; or from whatever is piped in, in one line."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    first = getpass.getpass(f"password for {name}: ")
    if getpass.getpass("once more: ") != first:
        raise InputError("the two are not the same")
    return first
