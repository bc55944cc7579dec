"""Leaked passwords, in a file that the operator has downloaded.

The format is that of the well-known public list: one line for each, the SHA-1 of the password in
hexadecimal, optionally followed by a colon and a count, sorted by the hash. It may be of any size:
it is searched on disk, and never over the network.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from pathlib import Path
from typing import BinaryIO, Final

DIGITS: Final = 40
"""Digits of a SHA-1 in hexadecimal."""
LONGEST: Final = 80
"""The longest line in bytes."""
_LINE: Final = re.compile(rb"[0-9A-Fa-f]{40}(:\d{1,19})?\r?\n?")


class StolenPasswords:
    """A list of leaked passwords."""

    def __init__(self, path: str | Path) -> None:
        """Checks by its first and last line that the file is such a list."""
        self.path = Path(path)
        with self.path.open("rb") as file:
            first = file.readline(LONGEST)
            file.seek(max(0, self._size(file) - 2 * LONGEST))
            last = file.read().splitlines(keepends=True)[-1:]
        for line in (first, *last):
            if not _LINE.fullmatch(line):
                raise ValueError(f"{self.path}: a line is a SHA-1 in hexadecimal, and a count")
        if last and _hash(last[0]) < _hash(first):
            raise ValueError(f"{self.path}: the lines are not sorted by their hashes")

    def __contains__(self, password: str) -> bool:
        """Whether a password is in the list, as typed or in Unicode normal form."""
        forms = {password, *(unicodedata.normalize(form, password) for form in ("NFC", "NFKC"))}
        with self.path.open("rb") as file:
            return any(self._holds(file, _digest(each)) for each in forms)

    def _holds(self, file: BinaryIO, wanted: bytes) -> bool:
        low, high = 0, self._size(file)
        """Binary search: the line begins between these offsets."""
        while low < high:
            middle = (low + high) // 2
            file.seek(max(0, middle - 1))
            if middle:
                file.readline(LONGEST)
            if file.tell() >= high:
                high = middle
                continue
            found = _hash(file.readline(LONGEST))
            if found == wanted:
                return True
            if found < wanted:
                low = file.tell()
            else:
                high = middle
        return False

    @staticmethod
    def _size(file: BinaryIO) -> int:
        return file.seek(0, 2)


def _hash(line: bytes) -> bytes:
    return line[:DIGITS].upper()


def _digest(password: str) -> bytes:
    """The SHA-1 that the list uses; the house stores nothing like it."""
    made = hashlib.sha1(password.encode("utf-8", "surrogatepass"), usedforsecurity=False)
    return made.hexdigest().upper().encode()
