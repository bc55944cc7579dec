"""Passwords: hashed with argon2id; checks do not reveal whether the name exists."""

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
"""How many hashes are computed at a time: each needs much memory, on purpose."""

HOUSE_WORDS: Final = frozenset(
    ("novamas", "roulette", "ruleta", "casino", "croupier", "rouge et noir", "rien ne va plus")
)
"""Words an attacker would guess first because they belong to this site."""
_COMMON: Final = HOUSE_WORDS.union(*FREQUENCY_LISTS.values())
_ADDED: Final = "0123456789!.?-_*#"
"""Characters that people add to a word to make it longer."""
GUESSES: Final = 10**8
"""The smallest number of guesses, as estimated, that a password must withstand."""
ESTIMATED: Final = 72
"""How many characters of a password the estimate considers."""
DIFFERENT: Final = 4
"""The smallest number of different characters."""
KNOWN: Final = "password: everybody knows this one; take another"
SHORTEST_NAME: Final = 4
"""Shorter names are not looked for in passwords: they are part of many words."""


NOBODY: Final = "whoever is not known has this one"


class BadPasswordError(ValueError):
    """A password that is refused, and why."""

    def __init__(self, why: Problem, detail: str) -> None:
        super().__init__(detail)
        self.why = why


def as_kept(password: str) -> str:
    """A password in Unicode normal form, so that it compares equal on every keyboard."""
    return unicodedata.normalize("NFKC", password)


class Passwords:
    """Hashes and checks passwords; a few at a time, in threads."""

    def __init__(
        self, hasher: PasswordHasher | None = None, *, stolen: StolenPasswords | None = None
    ) -> None:
        self._hasher = hasher or PasswordHasher()
        self._stolen = stolen
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._nobody: str | None = None

    def require_good(self, password: str, *, name: str) -> None:
        """Refuses a password that is short, common, or contains the name."""
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
        """Refuses a password that is in the list of leaked ones, which may be a large file."""
        stolen = self._stolen
        if stolen is not None and await asyncio.to_thread(stolen.__contains__, password):
            raise BadPasswordError(Problem.KNOWN_TO_ALL, KNOWN)

    async def hashed(self, password: str) -> str:
        """The hash to store."""
        async with self._turn:
            return await asyncio.to_thread(self._hasher.hash, as_kept(password))

    async def is_right(self, kept: str | None, password: str) -> bool:
        """Whether the password is right; takes as long for a name that does not exist."""
        async with self._turn:
            if self._nobody is None:
                # The first caller waits for it, whatever the name, so the delay reveals nothing.
                self._nobody = await asyncio.to_thread(self._hasher.hash, NOBODY)
            right = await asyncio.to_thread(self._verify, kept or self._nobody, as_kept(password))
        return right and kept is not None

    def _verify(self, kept: str, password: str) -> bool:
        try:
            return self._hasher.verify(kept, password)
        except (VerificationError, InvalidHashError):
            return False
