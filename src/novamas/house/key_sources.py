"""Key sources: a file, a secret manager, or a command.

| written as | what it is |
|---|---|
| `FILE` | a private file; the house creates it if there is none |
| `credential:NAME` | a credential of that name from systemd or a container engine |
| `command:LINE` | the output of a program, such as the client of a vault |

The house creates only files. Keys of the other two kinds are created by the operator.
"""

from __future__ import annotations

import os
import shlex
import stat
import subprocess  # nosec B404 - the operator names the command of a key
from pathlib import Path
from typing import Final, Protocol

from novamas.game.errors import NovamasError
from novamas.house import key_files

CREDENTIALS: Final = "CREDENTIALS_DIRECTORY"
"""The environment variable in which systemd gives the folder of a service's credentials."""
CONTAINER_SECRETS: Final = Path("/run/secrets")
"""Where Docker, Podman and Compose mount the secrets of a container."""
SECONDS: Final = 60.0
"""How long a command may take to print a key."""
LONGEST_COMPLAINT: Final = 200
GROUP_OR_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


class KeySourceError(NovamasError):
    """A key is missing or not stored safely; says what to do."""


class KeySource(Protocol):
    """A source of a key. A file that cannot be used raises an OSError."""

    @property
    def where(self) -> str:
        """How error messages name it."""

    def read(self) -> str | None:
        """The text of the key; None if there is none."""

    def require_private(self) -> None:
        """Refuses a key that others than its owner can read."""

    def make(self, text: str) -> bool:
        """Stores a new key. False if there is one already."""


class FileSource:
    """A file, which the house creates if there is none."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.where = str(path)

    def read(self) -> str | None:
        """The text of the file; None if there is none."""
        try:
            return key_files.read(self.path)
        except FileNotFoundError:
            return None

    def require_private(self) -> None:
        """Refuses a file that others can read, unless a secret manager provides it."""
        if not is_handed_over(self.path):
            require_owner_alone(self.path)

    def make(self, text: str) -> bool:
        """Creates the file, complete and durable; if several servers start at once, one does."""
        return key_files.make(self.path, text)


class CredentialSource(FileSource):
    """A secret from systemd or a container engine, which the house cannot write."""

    def __init__(self, name: str) -> None:
        given = os.environ.get(CREDENTIALS)
        super().__init__((Path(given) if given else CONTAINER_SECRETS) / name)
        self.where = f"credential:{name}"

    def make(self, text: str) -> bool:
        """Refuses: the operator creates the secret where it is managed."""
        del text
        raise KeySourceError(
            f"{self.where}: there is no {self.path}; give the service this credential"
            " (systemd: LoadCredentialEncrypted, containers: secrets)"
        )


class CommandSource:
    """The output of a program. It runs without a shell, once for each start."""

    def __init__(self, line: str) -> None:
        try:
            self._words = shlex.split(line)
        except ValueError as problem:
            raise KeySourceError(f"command: not to be split into words: {problem}") from None
        if not self._words:
            raise KeySourceError("command: names no program; write command:'PROGRAM ARGUMENT …'")
        self.where = f"command:{Path(self._words[0]).name}"

    def read(self) -> str | None:
        """The output of the program."""
        try:
            # The operator chooses the command, like all other options.
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
            output = "".join(each for each in said if each.isprintable())[:LONGEST_COMPLAINT]
            why = f": {output}" if output else ""
            raise KeySourceError(f"{self.where}: failed with {ran.returncode}{why}")
        return ran.stdout[: key_files.LONGEST].decode("ascii", "replace")

    def require_private(self) -> None:
        """Does nothing: the program's own storage must be private."""

    def make(self, text: str) -> bool:
        """Refuses: the operator creates the key where it is stored."""
        del text
        raise KeySourceError(f"{self.where}: prints no key; make one where it is kept")


def key_source(written: str) -> KeySource:
    """Parses the key source of an option.

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
    """Whether a file is in a folder of a secret manager, which decides who may read it."""
    given = os.environ.get(CREDENTIALS)
    places = (CONTAINER_SECRETS, *((Path(given),) if given else ()))
    return any(place in path.absolute().parents for place in places)


def require_owner_alone(path: Path, *, but_group: bool = False) -> None:
    """Refuses a key file that others can read or write; `but_group` allows its group."""
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
