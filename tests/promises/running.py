"""Houses that run in processes of their own, to be killed at any moment and started again.

    python -m tests.promises.running    reads how to start houses, one JSON object a line

Python and the web's libraries take a second to load. So one process loads them and then only
forks: every house is a process of its own that has opened nothing before, and starts at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from novamas.house.log.stores.addresses import is_shared

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Running:
    """A house in a process of its own."""

    pid: int
    url: str
    keys: dict[str, str]
    """Console → its one-time key."""

    @property
    def port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])

    def kill(self) -> None:
        """Ends the process as a power cut would: it is not asked, and cleans up nothing."""
        os.kill(self.pid, signal.SIGKILL)
        self.wait()

    def stop(self) -> None:
        """Asks the house to close in order."""
        os.kill(self.pid, signal.SIGTERM)
        self.wait()

    def end(self) -> None:
        """Closes the house, unless it is gone already."""
        with contextlib.suppress(ProcessLookupError):
            self.stop()

    def wait(self, seconds: float = 30) -> None:
        """Waits until the process is gone."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                os.kill(self.pid, 0)
            except ProcessLookupError:
                return
            time.sleep(0.002)
        raise TimeoutError(f"the house {self.pid} does not end")

    def token(self, console: str) -> str:
        """Opens a console with its key, which is good once."""
        answer = httpx.post(f"{self.url}api/sessions", json={"key": self.keys[console]}, timeout=30)
        answer.raise_for_status()
        return str(answer.json()["token"])


class Starter:
    """The process that starts houses."""

    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()
        self._kept = tempfile.TemporaryDirectory()
        """Where the key of the ball is that servers of one house share."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.promises.running"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process.wait(30)
        self._kept.cleanup()

    def start(self, **options: Any) -> Running:
        """Starts a house with options of `novamas.web.server`, and waits until it is open."""
        with self._one_at_a_time:
            return self._start(options)

    def _start(self, options: dict[str, Any]) -> Running:
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the starter is closed")
        if is_shared(options.get("store")):
            options = {"ball_key": f"{self._kept.name}/ball-key", **options}
        self._process.stdin.write(json.dumps(options) + "\n")
        self._process.stdin.flush()
        url, keys = "", {}
        for line in self._process.stdout:
            pid, _, told = line.strip().partition(" ")
            if told.startswith("the house is open: "):
                url = told.partition(": ")[2]
            elif "?key=" in told:
                keys[told.partition(":")[0]] = told.rpartition("=")[2]
            elif told == "listening":
                return Running(int(pid), url, keys)
            elif not told.startswith(("the house is closed", "the key of the ball was made")):
                raise RuntimeError(told)
        raise RuntimeError("the starter ended")


def main() -> None:
    """Starts a house for every line that comes."""
    from novamas.house.table.croupier import Pace
    from novamas.web.server import Options, serve

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # Whoever ends is gone at once.
    for line in sys.stdin:
        options = json.loads(line)
        pace = Pace(**{"falling": 0.0, **options.pop("pace", {})})
        if os.fork():
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        _end_with_the_starter()
        try:
            asyncio.run(serve(Options(**options, pace=pace), _tell))
        except BaseException as problem:  # noqa: BLE001 - the one who waits is told of it
            _tell(f"failed: {problem!r}")
        os._exit(0)


def _end_with_the_starter() -> None:
    """No house outlives the test that started it, whatever becomes of the test."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def _tell(text: str) -> None:
    lines = [text, "listening"] if "management" in text else [text]
    sys.stdout.write("".join(f"{os.getpid()} {line.strip()}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
