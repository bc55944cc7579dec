"""Second factors: decisions on enrolling, using, removing and resetting them.

Codes and signatures were verified before; here it is decided whether they count: a code or a
challenge that was used before, on any server of the house, does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from novamas.house.people import events
from novamas.house.people.decide import RegisterError, end_sessions, known, require_reason
from novamas.house.people.events import Post, RegisterEvent
from novamas.house.people.state import Factor, FactorKind, Person, Register, sound
from novamas.house.refusals import Problem

MUST_HAVE = frozenset(post for post in Post if post is not Post.PLAYER)
"""The posts that require a second factor in any house."""
EVERYONE = frozenset(Post)
"""The same in a house where players must have one too."""
SEALED_FOR = "second factors"
"""The purpose from which the key of the apps' secrets is derived."""
MOST_FACTORS = 10
LONGEST_LABEL = 40


def bound_to(name: str, factor: str) -> bytes:
    """The associated data of an app's encrypted secret, so that it cannot be swapped."""
    return f"totp {sound(name)} {factor}".encode()


def is_missing(person: Person, post: Post, required: frozenset[Post] = MUST_HAVE) -> bool:
    """Whether a person must first enrol a second factor, or choose a name to sign in with.

    `required` are the posts that must have one in this house. Staff need a private name to sign in
    with; a player may choose one.
    """
    if post not in required or person.guest:
        return False
    return not person.factors or (post in MUST_HAVE and not person.sign_in)


def clean_label(label: str) -> str:
    """Checks a person's own label of a factor."""
    label = label.strip()
    if not 0 < len(label) <= LONGEST_LABEL or not label.isprintable():
        raise RegisterError(
            Problem.LABEL_NOT_VALID, f"label: 1 to {LONGEST_LABEL} printable characters"
        )
    return label


def enrol(
    register: Register, event: events.TotpEnrolled | events.PasskeyEnrolled, *, session: str
) -> Iterator[RegisterEvent]:
    """Adds a factor; with the first one, all other sessions end.

    Other sessions that were opened with the password alone must use the factor now.
    """
    person = known(register, event.name)
    clean_label(event.label)
    if len(person.factors) >= MOST_FACTORS:
        raise RegisterError(Problem.TOO_MANY_FACTORS, f"at most {MOST_FACTORS} second factors")
    credential = event.credential if isinstance(event, events.PasskeyEnrolled) else None
    taken = credential is not None and find_passkey(register, credential) is not None
    if event.factor in person.factors or taken:
        raise RegisterError(Problem.FACTOR_ENROLLED, "this one is enrolled already")
    is_first = not person.factors
    yield event
    if is_first:
        yield from end_sessions(
            register, person.name, by=person.name, reason="second factor enrolled", but=session
        )


def find_passkey(register: Register, credential: str) -> tuple[Person, Factor] | None:
    """Finds the owner of a passkey."""
    for person in register.people.values():
        for factor in person.factors.values():
            if factor.kind is FactorKind.PASSKEY and factor.credential == credential:
                return person, factor
    return None


def use_code(register: Register, name: str, factor: str, step: int) -> Iterator[RegisterEvent]:
    """Uses a code; it and the earlier ones are no longer valid."""
    found = _factor(known(register, name), factor)
    if step <= found.counter:
        raise RegisterError(Problem.CODE_NOT_GOOD, "code: this one was used; wait for the next")
    yield events.SecondFactorUsed(name=known(register, name).name, factor=factor, counter=step)


def use_passkey(
    register: Register, name: str, factor: str, count: int, *, challenge: str, expires: int
) -> Iterator[RegisterEvent]:
    """Uses a passkey's signature; its challenge is no longer valid."""
    found = _factor(known(register, name), factor)
    if challenge in register.challenges:
        raise RegisterError(Problem.PASSKEY_NOT_GOOD, "this challenge was used before")
    if (count or found.counter) and count <= found.counter:
        raise RegisterError(
            Problem.PASSKEY_NOT_GOOD, "the authenticator's count went back: it may be a copy"
        )
    yield events.SecondFactorUsed(
        name=known(register, name).name,
        factor=factor,
        counter=count,
        challenge=challenge,
        challenge_expires=expires,
    )


def remove(
    register: Register, name: str, factor: str, required: frozenset[Post] = MUST_HAVE
) -> Iterator[RegisterEvent]:
    """Removes a factor; a person whose post requires one keeps at least one."""
    person = known(register, name)
    _factor(person, factor)
    if len(person.factors) == 1 and required & {*person.posts}:
        raise RegisterError(
            Problem.LAST_SECOND_FACTOR, "you must have one in this house: enrol another first"
        )
    yield events.SecondFactorRemoved(name=person.name, factor=factor)


def reset_second_factor(
    register: Register, name: str, *, by: str, reason: str
) -> Iterator[RegisterEvent]:
    """Removes all factors of a person who has lost them, and ends their sessions.

    Two people request it, or an operator at the machine (`by="machine"`); never the person alone.
    """
    person = known(register, name)
    if sound(by) == sound(person.name):
        raise RegisterError(Problem.NOT_FOR_YOU, "name: others reset your second factor")
    if not person.factors:
        raise RegisterError(Problem.NO_SUCH_FACTOR, f"name: {person.name} has no second factor")
    yield events.SecondFactorsReset(name=person.name, by=by, reason=require_reason(reason))
    yield from end_sessions(register, person.name, by=by, reason="the second factor was reset")


def _factor(person: Person, id: str) -> Factor:
    found = person.factors.get(id)
    if found is None:
        raise RegisterError(Problem.NO_SUCH_FACTOR, "there is no such second factor")
    return found
