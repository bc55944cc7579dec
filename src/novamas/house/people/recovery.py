"""Restores the access of a chief who has lost the password, at the machine itself."""

from __future__ import annotations

from collections.abc import Iterator

from novamas.house.people import decide, events
from novamas.house.people.decide import RegisterError
from novamas.house.people.events import Post, RegisterEvent
from novamas.house.people.second_factor import reset_second_factor
from novamas.house.people.state import MACHINE, Register
from novamas.house.refusals import Problem


def restore_access(
    register: Register, name: str, password: str, *, account: str, reason: str
) -> Iterator[RegisterEvent]:
    """Gives a chief a first password, removes their second factors, and ends their sessions.

    The system account and the reason are recorded. `password` is the hash of the first password.
    For everybody else, a chief sets a new password.
    """
    person = register.person(name)
    if person is None or person.guest or Post.CHIEF not in person.posts:
        chiefs = ", ".join(each.name for each in register.holders(Post.CHIEF) if not each.guest)
        known = f"the chiefs are: {chiefs}" if chiefs else "it has none: novamas house init"
        raise RegisterError(Problem.NOT_KNOWN, f"{name!r} is no chief of this house; {known}")
    reason = decide.require_reason(reason)
    yield events.AccessRestored(name=person.name, by=MACHINE, account=account, reason=reason)
    if person.factors:
        lost = reset_second_factor(register, person.name, by=MACHINE, reason=reason)
        # Setting the password, which follows, ends the sessions.
        yield from (each for each in lost if not isinstance(each, events.SessionEnded))
    yield from decide.set_password(register, person.name, password, by=MACHINE)
