"""A chief who has lost the password, let in again by whoever sits at the machine itself."""

from __future__ import annotations

from collections.abc import Iterator

from novamas.house.refusals import Problem
from novamas.house.register import deciding, events
from novamas.house.register.deciding import RegisterError
from novamas.house.register.events import Post, RegisterEvent
from novamas.house.register.second_factor import reset_second_factor
from novamas.house.register.state import MACHINE, Register


def restore_access(
    register: Register, name: str, password: str, *, account: str, reason: str
) -> Iterator[RegisterEvent]:
    """Gives a chief a first password, takes their second factors away, and ends their sessions.

    It is written down under which account and why. `password` is the hash of the first password.
    Everybody else has a chief who sets a new one.
    """
    person = register.person(name)
    if person is None or person.guest or Post.CHIEF not in person.posts:
        chiefs = ", ".join(each.name for each in register.holders(Post.CHIEF) if not each.guest)
        known = f"the chiefs are: {chiefs}" if chiefs else "it has none: novamas house init"
        raise RegisterError(Problem.NOT_KNOWN, f"{name!r} is no chief of this house; {known}")
    reason = deciding.require_reason(reason)
    yield events.AccessRestored(name=person.name, by=MACHINE, account=account, reason=reason)
    if person.factors:
        lost = reset_second_factor(register, person.name, by=MACHINE, reason=reason)
        # The password, which follows, ends the sessions.
        yield from (each for each in lost if not isinstance(each, events.SessionEnded))
    yield from deciding.set_password(register, person.name, password, by=MACHINE)
