"""A house in house mode in a process of its own, over TLS with its own certificate."""

from __future__ import annotations

import contextlib
import re
import signal
import ssl
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import httpx

from tests.certificates import certified
from tests.web.accounts import PASSWORD
from tests.web.serving import NOVAMAS


class Open(NamedTuple):
    """A house that is served, and the certificate that it shows."""

    url: str
    certificate: Path
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def trusted(self) -> ssl.SSLContext:
        """Somebody who trusts this certificate alone."""
        return ssl.create_default_context(cafile=str(self.certificate))

    def http(self, **more: str) -> httpx.Client:
        return httpx.Client(base_url=self.url, verify=self.trusted(), headers=more)


def init(store: Path, novamas: Sequence[str] = (NOVAMAS,)) -> None:
    command = [*novamas, "house", "init", str(store), "--chief", "cora", "--chief", "dino"]
    told = f"{PASSWORD}\n{PASSWORD}\n"
    subprocess.run(command, input=told, text=True, check=True, capture_output=True)


@contextlib.contextmanager
def opened(
    folder: Path, *more: str, tls: bool = True, novamas: Sequence[str] = (NOVAMAS,)
) -> Iterator[Open]:
    """A house with its first chief, open until the test is over."""
    store = folder / "house.db"
    if not store.exists():
        init(store, novamas)
    certificate, key = certified(folder)
    command = [*novamas, "serve", "--port", "0", "--store", str(store), *more]
    if tls:
        command += ["--certificate", str(certificate), "--key", str(key)]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    )
    try:
        assert process.stdout is not None
        found = re.search(r"the house is open: (https?://[\d.:]+)/", process.stdout.readline())
        assert found is not None, process.stderr.read() if process.stderr else ""
        yield Open(found[1], certificate, process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
