"""Authentication: checks passwords and second factors."""

from __future__ import annotations

from novamas.house.people import decide
from novamas.house.people.registry import Registry
from novamas.house.people.state import FactorKind, Person, sound
from novamas.house.refusals import Problem
from novamas.web.factor_proofs import Factors, NotProvedError, kinds
from novamas.web.guess_throttle import GuessThrottle, Source
from novamas.web.passwords import Passwords


class WrongPasswordError(Exception):
    """The name or the password is wrong; the error does not say which."""


class TooOftenError(Exception):
    """Too many attempts."""


class SecondFactorError(Exception):
    """The password is right, and the second factor is missing or wrong."""

    def __init__(self, why: Problem, detail: str) -> None:
        super().__init__(detail)
        self.why = why


class Recognition:
    """Compares credentials with the register, and counts failures."""

    def __init__(
        self,
        registry: Registry,
        passwords: Passwords | None,
        factors: Factors,
        guesses: GuessThrottle,
    ) -> None:
        self._registry = registry
        self._passwords = passwords
        self._factors = factors
        self._guesses = guesses

    async def recognised(
        self, person: Person | None, password: str, source: Source, *, code: str | None = None
    ) -> Person:
        """Returns the person whose password it is; None, an unknown name, takes as long.

        After too many attempts every password is refused, so further guesses reveal nothing. If
        strangers have tried a name too often, a stranger needs a code together with the password;
        the error does not say which of the two was wrong.
        """
        who = sound(person.name) if person is not None else ""
        is_shut = person is None or self._guesses.is_shut(who, source)
        if not is_shut:
            self._guesses.note(who, source)
        kept = person.password if person is not None and not is_shut else None
        is_right = self._passwords is not None and await self._passwords.is_right(kept, password)
        if person is not None and is_right and source.own is None and self._is_locked(person):
            is_right = self._shows(person, code, source)
        if person is None or not is_right:
            await self._lock_if_tried_too_often(person, source)
            raise WrongPasswordError
        self._guesses.take_back(who, source)
        return person

    def _is_locked(self, person: Person) -> bool:
        return self._registry.now() < person.locked_until

    async def _lock_if_tried_too_often(self, person: Person | None, source: Source) -> None:
        if person is None or source.own is not None or self._is_locked(person):
            return
        if self._guesses.is_name_tried_too_often(sound(person.name)):
            name, why = person.name, "strangers tried wrong passwords"
            await self._registry.do(lambda r, now: decide.lock(r, name, now=now, reason=why))

    def _shows(self, person: Person, code: str | None, source: Source) -> bool:
        """Whether a stranger who knows the password also has the right code."""
        who = sound(person.name)
        if code is None or self._guesses.are_codes_shut(who, source):
            return False
        try:
            is_right = self._factors.step_of(person, code, self._registry.now()) is not None
        except NotProvedError:
            return False
        if not is_right:
            self._guesses.note_code(who, source)
        return is_right

    def check_code(self, person: Person, code: str | None, source: Source) -> tuple[str, int]:
        """The factor and time step of a correct code; a wrong one counts as a wrong password."""
        who = sound(person.name)
        if FactorKind.TOTP not in kinds(person.factors.values()):
            raise SecondFactorError(Problem.PASSKEY_NEEDED, "sign in with your passkey")
        if code is None:
            raise SecondFactorError(Problem.CODE_NEEDED, "code: the one that your app shows")
        try:
            shut = self._guesses.are_codes_shut(who, source)
            found = None if shut else self._factors.step_of(person, code, self._registry.now())
        except NotProvedError as problem:
            raise SecondFactorError(problem.why, str(problem)) from None
        if found is None:
            self._guesses.note(who, source)
            self._guesses.note_code(who, source)
            if source.own is None:
                self._guesses.note_address(source.address)
            raise SecondFactorError(
                Problem.CODE_NOT_GOOD, "code: wrong, or used before; wait for the next one"
            )
        factor, step = found
        return factor.id, step
