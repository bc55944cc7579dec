"""The servers that are measured, each in a process of its own.

python -m bench.server house [STORE]   a house, with its store in a file, a database or in memory
python -m bench.server echo            what the server can do at best: it sends back what comes
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn

from novamas.web.server import Options, run, serve

USER_AND_SYSTEM = slice(11, 13)
"""Where these times stand in `/proc/PID/stat`, counted from after the name of the program."""


class Server(NamedTuple):
    """A running server."""

    port: int
    key: str
    """The management's key, where it is a house."""
    process: "subprocess.Popen[str]"

    def worked(self) -> float:
        """The seconds of a processor that it has taken so far, as Linux tells them."""
        told = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, told[USER_AND_SYSTEM])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def running(*arguments: str) -> Iterator[Server]:
    """Starts a server, and shuts it down in order."""
    command = [sys.executable, "-m", "bench.server", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield _opened(process)
        finally:
            process.terminate()
            process.wait(30)


def _opened(process: "subprocess.Popen[str]") -> Server:
    port, key = 0, ""
    for line in process.stdout or ():
        if "the house is open" in line or "echo" in line:
            port = int(line.strip().rstrip("/").rpartition(":")[2])
        if "management" in line:
            key = line.strip().rpartition("=")[2]
        if port and (key or "echo" in line):
            return Server(port, key, process)
    raise RuntimeError("the server did not start")


Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


async def echo(_: dict[str, Any], receive: Receive, send: Send) -> None:
    """Sends back whatever comes, with nothing in between."""
    while (message := await receive())["type"] != "websocket.disconnect":
        if message["type"] == "websocket.connect":
            await send({"type": "websocket.accept"})
        else:
            await send({"type": "websocket.send", "text": message["text"]})


async def serve_echo() -> None:
    """Serves the echo on the loopback."""
    config = uvicorn.Config(
        echo,
        host="127.0.0.1",
        port=0,
        log_level="warning",
        ws="websockets-sansio",
        lifespan="off",
    )
    server = uvicorn.Server(config)
    task = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    print(f"echo: http://127.0.0.1:{port}/", flush=True)
    await task


def main() -> None:
    """Runs the requested server."""
    what, *rest = sys.argv[1:]
    if what == "echo":
        asyncio.run(serve_echo())
    else:
        options = Options(port=0, store=rest[0] if rest else None, tables=False)
        run(serve(options, lambda line: print(line, flush=True)))


if __name__ == "__main__":
    main()
