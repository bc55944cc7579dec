"""A house that runs in a process of its own, started by the command as anybody would start it."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from novamas.house.log.stores.addresses import is_shared
from novamas.house.log.stores.postgres_tls import TOO_MANY_RIGHTS
from tests.web.preloaded import Forked, preloaded

NOVAMAS = str(Path(sys.executable).with_name("novamas"))
_KEPT = tempfile.TemporaryDirectory()
BALL_KEY = f"{_KEPT.name}/ball-key"
"""The key of the ball that servers of one house share."""


@dataclass(slots=True)
class Served:
    """A running house, and what it says."""

    process: subprocess.Popen[str] | Forked
    url: str = ""
    keys: dict[str, str] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    complained: list[str] = field(default_factory=list)

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def token(self, console: str) -> str:
        """Opens a console with its key, which is good once."""
        answer = httpx.post(f"{self.url}/api/sessions", json={"key": self.keys[console]})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["token"])

    def guest(self, name: str) -> str:
        """A player's token."""
        answer = httpx.post(f"{self.url}/api/guests", json={"name": name})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["token"])

    def end(self, how: signal.Signals, seconds: float = 20) -> int:
        """Ends the process and gives its exit code."""
        self.process.send_signal(how)
        return self.process.wait(seconds)


@contextlib.contextmanager
def served(
    store: Path | str | None = None,
    *,
    port: int = 0,
    more: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> Iterator[Served]:
    """A house that is open until the test is over."""
    command = [NOVAMAS, "serve", "--local", "--port", str(port), *more]
    if store is not None:
        command += ["--store", str(store)]
    if is_shared(str(store)):
        command += ["--ball-key", BALL_KEY]
    with opened_by(command, environment) as house:
        yield house


@contextlib.contextmanager
def opened_by(
    command: Sequence[str], environment: Mapping[str, str] | None = None, *, keys: int = 4
) -> Iterator[Served]:
    """What a command opens, until the test is over; and whatever it has started is ended.

    `keys` is how many consoles it prints a key for: a house with accounts prints none.
    """
    process: subprocess.Popen[str] | Forked
    variables = {**os.environ, **(environment or {})}
    if command[0] == NOVAMAS:
        process = preloaded().start(command[1:], variables)
    else:
        process = subprocess.Popen(
            command,
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=variables,
        )
    house = Served(process)
    listening = threading.Thread(target=_listen, args=(house,))
    try:
        _read_the_door(house, keys)
        listening.start()
        yield house
    finally:
        if process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        process.wait(20)
        if listening.ident is not None:
            listening.join(20)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def _read_the_door(house: Served, keys: int) -> None:
    """Reads the address and the keys, which are the first things that a house says."""
    if house.process.stdout is None:
        raise RuntimeError("the house cannot be heard")
    for line in house.process.stdout:
        house.said.append(line.rstrip())
        if found := re.search(r"the house is open: (http://[\d.:]+)/", line):
            house.url = found[1]
        elif found := re.match(r"\s*(\w+): .*[?&#]key=(\S+)", line):
            house.keys[found[1]] = found[2]
        if house.url and len(house.keys) == keys:
            return
    stderr = house.process.stderr.read() if house.process.stderr is not None else ""
    raise RuntimeError(f"the house did not open: {house.said} {stderr}")


def _listen(house: Served) -> None:
    """Takes all that the house says further, so that it never waits to be heard."""

    def complaints() -> None:
        if house.process.stderr is not None:
            # The role of the tests' own database is a superuser, and every server says so.
            told = (line.rstrip() for line in house.process.stderr)
            house.complained += [line for line in told if TOO_MANY_RIGHTS not in line]

    second = threading.Thread(target=complaints)
    second.start()
    if house.process.stdout is not None:
        house.said += [line.rstrip() for line in house.process.stdout]
    second.join()
