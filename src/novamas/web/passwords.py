"""Passwords: hashed with argon2id, checked without telling whether the name exists."""

from __future__ import annotations

import asyncio
import unicodedata
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from zxcvbn import zxcvbn
from zxcvbn.frequency_lists import FREQUENCY_LISTS

from novamas.house.refusals import Problem
from novamas.web.stolen_passwords import StolenPasswords

SHORTEST: Final = 10
LONGEST: Final = 200
AT_ONCE: Final = 2
"""How many are worked out at a time: each takes much memory, on purpose."""

HOUSE_WORDS: Final = frozenset(
    ("novamas", "roulette", "ruleta", "casino", "croupier", "rouge et noir", "rien ne va plus")
)
"""What whoever knows where he is would try first."""
_COMMON: Final = HOUSE_WORDS.union(*FREQUENCY_LISTS.values())
_ADDED: Final = "0123456789!.?-_*#"
"""What is put around a word to make it longer."""
GUESSES: Final = 10**8
"""Whoever guesses as people do guess needs so many tries at least."""
ESTIMATED: Final = 72
"""So much of a password is looked at for that: what follows only makes it better."""
DIFFERENT: Final = 4
"""So many different characters at least."""
KNOWN: Final = "password: everybody knows this one; take another"
SHORTEST_NAME: Final = 4
"""A name that is shorter stands in many a word."""


NOBODY: Final = "whoever is not known has this one"


class BadPasswordError(ValueError):
    """A password that the house does not take; it says why."""

    def __init__(self, why: Problem, detail: str) -> None:
        super().__init__(detail)
        self.why = why


def as_kept(password: str) -> str:
    """A password as it is compared, however the keyboard composed its letters."""
    return unicodedata.normalize("NFKC", password)


class Passwords:
    """Hashes and checks; a few at a time, off the house's own thread."""

    def __init__(
        self, hasher: PasswordHasher | None = None, *, stolen: StolenPasswords | None = None
    ) -> None:
        self._hasher = hasher or PasswordHasher()
        self._stolen = stolen
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._nobody: str | None = None

    def require_good(self, password: str, *, name: str) -> None:
        """Refuses what is short, known to everybody, or the name itself."""
        if len(password) > LONGEST or len(as_kept(password)) < SHORTEST:
            raise BadPasswordError(
                Problem.LENGTH_NOT_TAKEN, f"password: {SHORTEST} to {LONGEST} characters"
            )
        plain, called = as_kept(password).casefold(), as_kept(name).casefold()
        if plain in _COMMON or plain.strip(_ADDED) in _COMMON or len(set(plain)) < DIFFERENT:
            raise BadPasswordError(Problem.KNOWN_TO_ALL, KNOWN)
        if (len(called) >= SHORTEST_NAME and called in plain) or plain.strip(_ADDED) == called:
            raise BadPasswordError(Problem.HAS_THE_NAME, "password: without your name in it")
        found = zxcvbn(as_kept(password)[:ESTIMATED], user_inputs=[name, *HOUSE_WORDS])
        if found["guesses"] < GUESSES:
            raise BadPasswordError(
                Problem.EASY_TO_GUESS, "password: too easy to guess; make it longer, of more words"
            )

    async def require_not_stolen(self, password: str) -> None:
        """Refuses what stands in the list of stolen ones, which may be a large file."""
        stolen = self._stolen
        if stolen is not None and await asyncio.to_thread(stolen.__contains__, password):
            raise BadPasswordError(Problem.KNOWN_TO_ALL, KNOWN)

    async def hashed(self, password: str) -> str:
        """The hash that is kept."""
        async with self._turn:
            return await asyncio.to_thread(self._hasher.hash, as_kept(password))

    async def is_right(self, kept: str | None, password: str) -> bool:
        """Whether it is the password; it takes as long for a name that nobody has."""
        async with self._turn:
            if self._nobody is None:
                # Whoever asks first waits for it, under whatever name: the wait tells nothing.
                self._nobody = await asyncio.to_thread(self._hasher.hash, NOBODY)
            right = await asyncio.to_thread(self._verify, kept or self._nobody, as_kept(password))
        return right and kept is not None

    def _verify(self, kept: str, password: str) -> bool:
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False
