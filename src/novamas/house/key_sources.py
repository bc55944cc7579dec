"""Where a key is kept: in a file, with a manager of secrets, or behind a command.

| written as | what it is |
|---|---|
| `FILE` | a file of its owner alone; the house makes it where there is none |
| `credential:NAME` | what systemd or a container's engine hands over under that name |
| `command:LINE` | what a program prints, such as the client of a vault |

The house makes files alone. A key of the other two kinds is made where it is kept.
"""

from __future__ import annotations

import os
import shlex
import stat
import subprocess  # nosec B404 - whoever starts the house names the command of a key
from pathlib import Path
from typing import Final, Protocol

from novamas.game.errors import NovamasError
from novamas.house import key_files

CREDENTIALS: Final = "CREDENTIALS_DIRECTORY"
"""The variable by which systemd says where the credentials of a service are."""
CONTAINER_SECRETS: Final = Path("/run/secrets")
"""Where Docker, Podman and Compose mount the secrets of a container."""
SECONDS: Final = 60.0
"""How long a command may take to print a key."""
LONGEST_COMPLAINT: Final = 200
GROUP_OR_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class KeySourceError(NovamasError):
    """A key cannot be had, or is not kept as it must be; says what to do."""


class KeySource(Protocol):
    """A place from which a key is read. A file that cannot be used raises an OSError."""

    @property
    def where(self) -> str:
        """What to call it in a message."""

    def read(self) -> str | None:
        """The text of the key; None where there is none."""

    def require_private(self) -> None:
        """Refuses a key that others than its owner can read."""

    def make(self, text: str) -> bool:
        """Keeps a new key. False if there is one already."""


class FileSource:
    """A file, which the house makes where there is none."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.where = str(path)

    def read(self) -> str | None:
        """The text of the file; None where there is none."""
        try:
            return key_files.read(self.path)
        except FileNotFoundError:
            return None

    def require_private(self) -> None:
        """Refuses a file that others can read, unless a manager of secrets has handed it over."""
        if not is_handed_over(self.path):
            require_owner_alone(self.path)

    def make(self, text: str) -> bool:
        """Makes the file, whole and durable; of several servers that start at once one does."""
        return key_files.make(self.path, text)


class CredentialSource(FileSource):
    """A secret that systemd or a container's engine hands over, and that nobody writes here."""

    def __init__(self, name: str) -> None:
        given = os.environ.get(CREDENTIALS)
        super().__init__((Path(given) if given else CONTAINER_SECRETS) / name)
        self.where = f"credential:{name}"

    def make(self, text: str) -> bool:
        """Refuses: what hands it over is told of it there."""
        del text
        raise KeySourceError(
            f"{self.where}: there is no {self.path}; give the service this credential"
            " (systemd: LoadCredentialEncrypted, containers: secrets)"
        )


class CommandSource:
    """What a program prints. It is run without a shell, once for each start."""

    def __init__(self, line: str) -> None:
        try:
            self._words = shlex.split(line)
        except ValueError as problem:
            raise KeySourceError(f"command: not to be split into words: {problem}") from None
        if not self._words:
            raise KeySourceError("command: names no program; write command:'PROGRAM ARGUMENT …'")
        self.where = f"command:{Path(self._words[0]).name}"

    def read(self) -> str | None:
        """What the program prints."""
        try:
            # The words are those of whoever starts the house, as its other options are.
            ran = subprocess.run(  # noqa: S603  # nosec B603
                self._words,
                check=False,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=SECONDS,
            )
        except OSError as problem:
            raise KeySourceError(f"{self.where}: {problem.strerror}") from None
        except subprocess.TimeoutExpired:
            raise KeySourceError(f"{self.where}: printed no key in {SECONDS:.0f} s") from None
        if ran.returncode:
            said = ran.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
            told = "".join(each for each in said if each.isprintable())[:LONGEST_COMPLAINT]
            why = f": {told}" if told else ""
            raise KeySourceError(f"{self.where}: failed with {ran.returncode}{why}")
        return ran.stdout[: key_files.LONGEST].decode("ascii", "replace")

    def require_private(self) -> None:
        """Who may run the program is a matter of where it reads the key."""

    def make(self, text: str) -> bool:
        """Refuses: a key is made where it is kept."""
        del text
        raise KeySourceError(f"{self.where}: prints no key; make one where it is kept")


def key_source(written: str) -> KeySource:
    """The place that an option names.

    >>> key_source("house.db.ball-key").where, key_source("command:vault kv get ball").where
    ('house.db.ball-key', 'command:vault')
    """
    kind, _, rest = written.partition(":")
    if kind == "command":
        return CommandSource(rest)
    if kind == "credential":
        if rest in ("", "..") or Path(rest).name != rest:
            raise KeySourceError(f"credential: {rest!r} is no name; write credential:NAME")
        return CredentialSource(rest)
    return FileSource(written)


def is_handed_over(path: Path) -> bool:
    """Whether a file lies where a manager of secrets puts them, and decides who reads them."""
    given = os.environ.get(CREDENTIALS)
    places = (CONTAINER_SECRETS, *((Path(given),) if given else ()))
    return any(place in path.absolute().parents for place in places)


def require_owner_alone(path: Path, *, but_group: bool = False) -> None:
    """Refuses a key file that others can read or write; `but_group` lets its group have it."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & (stat.S_IRWXO if but_group else GROUP_OR_OTHERS):
        whose = "by everybody" if mode & stat.S_IRWXO else "by its group"
        what = "read" if mode & (stat.S_IRGRP | stat.S_IROTH) else "changed"
        wanted = "o=" if but_group else "go="
        raise KeySourceError(
            f"{path} can be {what} {whose} (mode {mode:04o}): make it private with"
            f" chmod {wanted} {shlex.quote(str(path))}; where somebody may have read it,"
            " change the key"
        )
