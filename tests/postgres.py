"""A private PostgreSQL for tests and measurements, on the loopback, in a folder of its own.

It is as durable as the house wants it: what it calls committed is on the disk.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg

DEBIAN = Path("/usr/lib/postgresql")
"""Where Debian keeps the programs of each version."""


def program(name: str) -> str | None:
    """The newest of a program of PostgreSQL's on this machine."""
    versions = sorted(DEBIAN.glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    return str(versions[-1]) if versions else shutil.which(name)


class NotInstalledError(Exception):
    """There is no PostgreSQL on this machine."""


class Postgres:
    """A running server."""

    def __init__(self, port: int, folder: str) -> None:
        self.port = port
        self.folder = folder
        """Where its socket is."""
        self._names = (f"house{number}" for number in count(1))
        self._clean: list[str] = []

    def address(self, database: str = "postgres") -> str:
        """Where a database is."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def database(self) -> str:
        """The address of an empty database."""
        if self._clean:
            return self._clean.pop()
        name = next(self._names)
        with psycopg.connect(self.address(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        return self.address(name)

    def give_back(self, address: str) -> None:
        """Empties a database for the next who needs one: that is quicker than a new one."""
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            connection.execute("DROP SCHEMA IF EXISTS novamas CASCADE")
        self._clean.append(address)


@contextmanager
def postgres(prepare: Callable[[Path], None] | None = None) -> Iterator[Postgres]:
    """Starts a server, and stops it when nobody needs it any more.

    `prepare` may write to the folder of its data, before it starts.
    """
    initdb, server = program("initdb"), program("postgres")
    if initdb is None or server is None:
        raise NotInstalledError("PostgreSQL is not installed; scripts/system-packages installs it")
    # It refuses to run as root.
    user = pwd.getpwnam("postgres") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
    folder = tempfile.mkdtemp(prefix="novamas-postgres-")
    os.chown(folder, user.pw_uid, user.pw_gid)
    data = Path(folder) / "data"

    def start(*command: str) -> subprocess.Popen[bytes]:
        quiet = subprocess.DEVNULL
        if os.getuid() != 0:
            return subprocess.Popen(command, stdout=quiet, stderr=quiet, cwd=folder)
        return subprocess.Popen(
            command,
            stdout=quiet,
            stderr=quiet,
            cwd=folder,
            user=user.pw_uid,
            group=user.pw_gid,
            extra_groups=[],
        )

    try:
        words = ("-D", str(data), "-U", "postgres", "--auth=trust", "-E", "UTF8", "--no-sync")
        made = start(initdb, *words, "--locale=C.UTF-8").wait()
        if made != 0:
            raise RuntimeError(f"initdb ended with {made}")
        if prepare is not None:
            prepare(data)
            for each in data.iterdir():
                os.chown(each, user.pw_uid, user.pw_gid)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": port,
            "unix_socket_directories": folder,
            "max_connections": 50,
            "shared_buffers": "32MB",
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        running = start(server, "-D", str(data), *options)
        try:
            found = Postgres(port, folder)
            _wait_for(found, running)
            yield found
        finally:
            # At once: nobody needs what is in it any more.
            running.send_signal(signal.SIGQUIT)
            running.wait(30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(server: Postgres, running: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 30
    while True:
        try:
            psycopg.connect(server.address(), connect_timeout=2).close()
        except psycopg.OperationalError:
            if running.poll() is not None or time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return
