"""A house with accounts, in a process that may open so many files and no more.

    python -m tests.promises.descriptors 256 house.db

It makes a chief and some players known, opens, and says at which address.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PLAYERS = ("ana", "luis", "eva")


class Narrow(NamedTuple):
    """A house that runs with few descriptors."""

    url: str
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    @property
    def descriptors(self) -> int:
        """How many files it has open now."""
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))


@contextlib.contextmanager
def narrow(descriptors: int, store: Path) -> Iterator[Narrow]:
    """A house that may open so many files, until the test is over."""
    command = [sys.executable, "-m", "tests.promises.descriptors", str(descriptors), str(store)]
    with (store.parent / "errors.txt").open("w+", encoding="utf-8") as errors:
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True, encoding="utf-8"
        )
        try:
            assert process.stdout is not None
            found = None
            for line in process.stdout:
                if found := re.search(r"the house is open: (http://[\d.:]+)/", line):
                    break
            errors.seek(0)
            assert found is not None, errors.read()
            yield Narrow(found[1], process)
        finally:
            if process.poll() is None:
                process.kill()
            process.wait(20)
            if process.stdout is not None:
                process.stdout.close()


async def _people(store: str) -> None:
    """Makes everybody known whom the test needs."""
    from novamas.house.house import House
    from novamas.house.log.stores.addresses import open_store
    from novamas.house.people.events import Post
    from novamas.house.people.registry import Registry
    from novamas.web.passwords import Passwords
    from novamas.web.sessions import People
    from tests.web.accounts import PASSWORD, QUICK

    house = House(open_store(store))
    try:
        registry = Registry(house.store, house.blocking, house.clock)
        await registry.open()
        people = People(registry, passwords=Passwords(QUICK))
        # Who chose the password of each is the person: nobody is asked for another.
        await people.register("cora", PASSWORD, (Post.CHIEF,), by="cora")
        await people.register("caj", PASSWORD, (Post.CASHIER,), by="caj")
        for name in PLAYERS:
            await people.register(name, PASSWORD, (Post.PLAYER,), by=name)
    finally:
        await house.close()


def main() -> None:
    """Serves until it is killed."""
    descriptors, store = int(sys.argv[1]), sys.argv[2]
    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))
    from novamas.house.table.croupier import Pace
    from novamas.web.server import Options, serve

    def tell(text: str) -> None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    asyncio.run(_people(store))
    pace = Pace(
        betting=2.0, warning=0.0, launched=1.0, running=1.0, falling=0, called=0.5, paying=0.5
    )
    asyncio.run(serve(Options(local=False, store=store, port=0, pace=pace), tell))


if __name__ == "__main__":
    main()
