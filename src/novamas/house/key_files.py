"""Files that hold a key: made once, whole, and told apart from each other.

Three kinds of key lie about a house: that of the ball, that of the checkpoints, and that of a TLS
certificate. Each is refused where another is wanted, and none is ever written over.
"""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

CHECKPOINT_LABEL = "novamas-checkpoints:"
"""What the key of checkpoints begins with, so that it is taken for no other."""
LONGEST = 2**20
"""How much of a file is read: a chain of certificates is long, but not longer."""
_PEM = re.compile(r"-----BEGIN ([A-Z0-9 ]+)-----")
_DIGITS = re.compile(r"[0-9a-fA-F]{64}")


def describe(text: str) -> str:
    """What a file holds, in words, by its text.

    >>> describe("-----BEGIN PRIVATE KEY-----"), describe("novamas-checkpoints:00")
    ('a private key in PEM, as TLS uses it', 'a key of checkpoints')
    """
    text = text.strip()
    if found := _PEM.search(text):
        what = found[1]
        if what.endswith("PRIVATE KEY"):
            return "a private key in PEM, as TLS uses it"
        return "a certificate in PEM" if what == "CERTIFICATE" else f"PEM ({what.lower()})"
    if text.startswith(CHECKPOINT_LABEL):
        return "a key of checkpoints"
    if _DIGITS.fullmatch(text):
        return "64 hexadecimal digits, as the key of the ball has them"
    return "neither PEM nor a key of a house" if text else "an empty file"


def read(path: str | Path) -> str:
    """The text of a file that should be a key; what is no text is no key either."""
    with Path(path).open("rb") as file:
        return file.read(LONGEST).decode("ascii", "replace")


def make(path: Path, text: str) -> bool:
    """Writes a new key file: whole, durable and for its owner alone. False if there is one already.

    Of several servers that start at once one makes it. Nothing is left of it where that fails.
    """
    try:
        return _make(path, text)
    except OSError as problem:  # Of the file that is wanted, not of the one beside it.
        raise OSError(problem.errno, problem.strerror, str(path)) from None


def _make(path: Path, text: str) -> bool:
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    opened = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(opened, "w", encoding="ascii") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(beside, path)
            made = True
        except FileExistsError:
            made = False
    finally:
        beside.unlink()
    folder = os.open(path.absolute().parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return made
