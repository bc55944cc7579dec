"""The `novamas` command, started by a process that has loaded it already.

    python -m tests.web.preloaded NUMBER    answers at the socket with this number

To load Python and the web's libraries takes two seconds of a processor, and the tests start many
houses. So one process loads them, and then forks for each command: a process of its own, which has
opened nothing before, and runs what the command runs. Tests of the command itself start it anew.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO

ROOT = Path(__file__).parents[2]
MOST = 1 << 18
"""No request is longer, in bytes."""


class Forked:
    """A process that runs a command; like `subprocess.Popen`, as far as a house needs it."""

    def __init__(self, pid: int, status: socket.socket, stdout: IO[str], stderr: IO[str]) -> None:
        self.pid = pid
        self.stdout: IO[str] | None = stdout
        self.stderr: IO[str] | None = stderr
        self.returncode: int | None = None
        self._status = status

    def poll(self) -> int | None:
        """The exit code, if it has ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float) -> int:
        """Waits until it has ended, and gives its exit code."""
        if self.returncode is None:
            self._status.settimeout(timeout)
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("novamas", timeout)
            self.returncode = int(self._status.recv(64))
            self._status.close()
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        """Sends it a signal, unless it has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)


class Preloaded:
    """The process that has loaded the command."""

    def __init__(self) -> None:
        self._ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.web.preloaded", str(theirs.fileno())],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
        )
        theirs.close()

    def close(self) -> None:
        """Ends it, and whatever it has started."""
        self._ours.close()
        self._process.wait(30)

    def start(self, arguments: Sequence[str], environment: Mapping[str, str]) -> Forked:
        """Starts the command, in a session of its own."""
        status, told = socket.socketpair()
        (out, into), (error, complaints) = os.pipe(), os.pipe()
        request = {
            "arguments": list(arguments),
            "environment": dict(environment),
            "folder": str(Path.cwd()),
        }
        given = [into, complaints, told.fileno()]
        try:
            socket.send_fds(self._ours, [json.dumps(request).encode()], given)
        finally:
            told.close()
            os.close(into)
            os.close(complaints)
        pid = int(self._ours.recv(64))
        streams = [os.fdopen(each, encoding="utf-8") for each in (out, error)]
        return Forked(pid, status, *streams)


@cache
def preloaded() -> Preloaded:
    """The one process that this process of tests has."""
    made = Preloaded()
    atexit.register(made.close)
    return made


# In the process that has loaded the command -------------------------------------------------------


def main() -> None:
    """Forks for each request, and tells how each fork ended, until nobody asks any more."""
    import novamas.web.server  # noqa: F401 - so that no fork has to load it
    from novamas.cli.main import main as command

    asked = socket.socket(fileno=int(sys.argv[1]))
    running: dict[int, tuple[int, socket.socket]] = {}
    while True:
        ready, _, _ = select.select([asked.fileno(), *running], [], [])
        for ended in set(ready) - {asked.fileno()}:
            pid, status = running.pop(ended)
            os.close(ended)
            _, code = os.waitpid(pid, 0)
            with contextlib.suppress(OSError), status:
                status.send(str(os.waitstatus_to_exitcode(code)).encode())
        if asked.fileno() not in ready:
            continue
        request, given, _, _ = socket.recv_fds(asked, MOST, 3)
        if not request:
            return
        out, error, told = given
        pid = os.fork()
        if not pid:
            os.setsid()
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
            os.dup2(out, 1)
            os.dup2(error, 2)
            for each in (
                *given,
                asked.fileno(),
                *running,
                *(s.fileno() for _, s in running.values()),
            ):
                os.close(each)
            wanted = json.loads(request)
            os.environ.clear()
            os.environ.update(wanted["environment"])
            os.chdir(wanted["folder"])
            sys.argv = ["novamas", *wanted["arguments"]]
            code = 70
            try:
                code = command(wanted["arguments"])
            except SystemExit as problem:
                code = problem.code if isinstance(problem.code, int) else 1
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(code)
        os.close(out)
        os.close(error)
        running[os.pidfd_open(pid)] = pid, socket.socket(fileno=told)
        asked.send(str(pid).encode())


if __name__ == "__main__":
    main()
