"""Key files: created once, completely, and never confused with each other.

A house has three kinds of key: for the ball, for checkpoints, and for a TLS certificate. Each is
refused where another is needed, and none is ever overwritten.
"""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

CHECKPOINT_LABEL = "novamas-checkpoints:"
"""The prefix of a key of checkpoints, so that it is not mistaken for another."""
LONGEST = 2**20
"""How much of a file is read: certificate chains are long, but not longer than this."""
_PEM = re.compile(r"-----BEGIN ([A-Z0-9 ]+)-----")
_DIGITS = re.compile(r"[0-9a-fA-F]{64}")


def describe(text: str) -> str:
    """Describes the content of a file by its text.

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
    """Reads a file that should be a key; bytes that are not ASCII are replaced."""
    with Path(path).open("rb") as file:
        return file.read(LONGEST).decode("ascii", "replace")


def make(path: Path, text: str) -> bool:
    """Writes a new key file: complete, durable and private. False if there is one already.

    If several servers start at once, one creates it. A failure leaves no file behind.
    """
    try:
        return _make(path, text)
    except OSError as problem:  # Report the path of the wanted file, not of the temporary one.
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
