"""The ball's secret is nowhere to be seen before it is revealed, and its coup cannot be dropped.

It is in no event, view, answer, message, export, log line, repr or exception; and no command takes
a committed ball out of play, before the close or after it.
"""

import asyncio
import base64
import io
import logging
import socket as sockets
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.asyncio.client import connect

from novamas.game.rulebook.behaviours import Act, Cause
from novamas.house.ball.fair_draw import Secret, SystemEntropy
from novamas.house.log.store import Batch, StoreError
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.people.events import Post as Role
from novamas.house.refusals import HouseRefusalReason
from novamas.house.table.actor import TableStoppedError
from novamas.house.table.loading import load_table
from novamas.house.views import event_view, history
from novamas.table import commands
from novamas.table.identity import MANAGEMENT
from novamas.table.state import Phase
from novamas.web.app import create_app
from tests.promises.drawn import DrawnTable, drawn_table
from tests.promises.figures import SOAK
from tests.web.door import Door, people_of

TABLE = "t"
ROLES = ("onlooker", *(role.value for role in Role))


class Remembering:
    """The system's entropy, which the test remembers."""

    def __init__(self) -> None:
        self.given: list[bytes] = []

    def secret(self) -> bytes:
        self.given.append(SystemEntropy().secret())
        return self.given[-1]


class Noting(MemoryStore):
    """A store that notes how each batch would be printed; told to, it fails at a secret."""

    def __init__(self) -> None:
        super().__init__()
        self.printed: list[str] = []
        self.fails = False

    def append(self, batch: Batch, *others: Batch) -> None:
        self.printed.append(f"{batch} {batch!r} {batch.secrets}")
        if self.fails and batch.secrets:
            raise StoreError(f"cannot write {batch}")
        super().append(batch, *others)


def shows(text: str | bytes, secret: bytes) -> bool:
    """Whether a text shows a secret, or a half of it, in any of the ways to write bytes down."""
    seen = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    ways: list[bytes] = [str(int.from_bytes(secret, "big")).encode()]
    for part in (secret[:12], secret[-12:]):
        ways += [part, part.hex().encode(), part.hex().upper().encode(), repr(part)[2:-1].encode()]
        ways += [base64.b64encode(part), base64.urlsafe_b64encode(part)]
        ways += [", ".join(map(str, part)).encode()]
    return any(way in seen for way in ways)


def test_the_ways_to_show_a_secret_are_known() -> None:
    secret = SystemEntropy().secret()
    shown: list[str | bytes] = [
        secret,
        f"{secret.hex()}",
        repr(secret),
        repr(list(secret)),
        base64.b64encode(secret),
        str(int(secret.hex(), 16)),
    ]
    assert all(shows(each, secret) for each in shown)
    assert not shows(SystemEntropy().secret(), secret)


class Onlookers:
    """Everybody who looks at the table, from outside and from within, and what they saw last."""

    def __init__(
        self, table: DrawnTable, url: str, tokens: dict[str, str], paths: list[str]
    ) -> None:
        self._table = table
        self._url = url
        self._http = httpx.AsyncClient(base_url=url)
        self._tokens = tokens
        self._paths = paths
        self.seen: dict[str, list[str | bytes]] = {}
        self._following: list[asyncio.Task[None]] = []

    def note(self, where: str, text: str | bytes) -> None:
        self.seen.setdefault(where, []).append(text)

    async def follow(self) -> None:
        """Every role follows the table over a socket."""
        for role, token in self._tokens.items():
            ready = asyncio.Event()
            self._following.append(asyncio.create_task(self._listen(role, token, ready)))
            await asyncio.wait_for(ready.wait(), 30)

    async def _listen(self, role: str, token: str, ready: asyncio.Event) -> None:
        address = f"{self._url.replace('http', 'ws')}/api/tables/{TABLE}/socket?after=0"
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with connect(address, additional_headers=headers, proxy=None) as socket:
            async for text in socket:
                self.note(f"socket of {role}", text)
                ready.set()

    async def leave(self) -> None:
        await self._http.aclose()
        for task in self._following:
            task.cancel()
        await asyncio.gather(*self._following, return_exceptions=True)

    async def look(self) -> None:
        """Everything that there is to be seen now."""
        for role, token in self._tokens.items():
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            for path in self._paths:
                answer = await self._http.get(path, headers=headers)
                assert answer.status_code < 500
                self.note(f"HTTP of {role}", answer.content + str(answer.headers).encode())
        actor, store = self._table.actor, self._table.house.store
        for audience in event_view.Audience:
            shown = await actor.look(audience=audience, player="ana")
            self.note("views", str(shown))
        for record in store.read(TABLE):
            self.note("store", f"{record}")
        self.note("store", repr(list(store.entries(TABLE))) + repr(store.balances(TABLE)))
        for _, sealed in store.secrets(TABLE):
            self.note("at rest", sealed)
        self.note("export", str(history.as_script(store, TABLE)) + str(history.coups(store, TABLE)))
        self.note(
            "memory",
            f"{actor!r} {actor.house_table!r} {load_table(store, TABLE)!r} {vars(actor)!r}",
        )
        assert isinstance(store, Noting)
        for printed in store.printed:
            self.note("batches", printed)
        store.printed.clear()


@asynccontextmanager
async def served(table: DrawnTable) -> AsyncIterator[Onlookers]:
    """The table's house on the loopback, with a player, the staff and the management looking on."""
    people = await people_of(table.house)
    app = create_app(table.house, people)
    door = Door(table.house, people, app)
    signed = {role.value: door.session(role) for role in Role}
    tokens = {"onlooker": "", **{role: each.token for role, each in signed.items()}}
    paths = [
        path.replace("{table}", TABLE).replace("{id}", "ar")
        for path, methods in app.openapi()["paths"].items()
        if "get" in methods
    ]
    assert f"/api/tables/{TABLE}/export" in paths
    config = uvicorn.Config(app, log_config=None, log_level="trace", lifespan="off")
    config.ws = "websockets-sansio"
    server = uvicorn.Server(config)
    with sockets.socket(proto=sockets.IPPROTO_TCP) as listening:
        listening.bind(("127.0.0.1", 0))
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            assert not serving.done()
            await asyncio.sleep(0.01)
        onlookers = Onlookers(
            table, f"http://127.0.0.1:{listening.getsockname()[1]}", tokens, paths
        )
        await onlookers.follow()
        try:
            yield onlookers
        finally:
            await onlookers.leave()
            server.should_exit = True
            await serving


@pytest.mark.slow
def test_the_secret_is_nowhere_before_the_reveal(capfd: pytest.CaptureFixture[str]) -> None:
    asyncio.run(watched_coups(capfd), debug=True)


async def watched_coups(capfd: pytest.CaptureFixture[str]) -> None:
    logged = io.StringIO()
    handler = logging.StreamHandler(logged)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.NOTSET)
    entropy = Remembering()
    try:
        async with (
            drawn_table(entropy, name=TABLE, store=Noting(), length=1) as table,
            served(table) as onlookers,
        ):
            await table.seat("ana", 10_000, nonce="mine")
            for _ in range(10 if SOAK else 2):
                await watch_coup(table, onlookers, entropy, logged, capfd)
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


async def watch_coup(
    table: DrawnTable,
    onlookers: Onlookers,
    entropy: Remembering,
    logged: io.StringIO,
    capfd: pytest.CaptureFixture[str],
) -> None:
    secret = entropy.given[-1]

    async def unseen() -> None:
        await onlookers.look()
        onlookers.note("log", logged.getvalue())
        for text in capfd.readouterr():
            onlookers.note("output", text)
        for where, texts in onlookers.seen.items():
            assert not any(shows(text, secret) for text in texts), where
        assert len(logged.getvalue()) > 1_000, "the log was listened to"
        assert {"log", "store", "at rest", "memory", "export", "batches"} < set(onlookers.seen)
        forget(onlookers, logged)

    forget(onlookers, logged)
    state = table.actor.house_table.state
    await unseen()
    await table.stake("ana", "17", 10)
    await table.commit("ana", table.nonces["ana"])
    await table.give(commands.LaunchBall(by=table.who(Act.LAUNCH_BALL)))
    await unseen()
    await table.give(commands.CloseBetting(by=table.who(Act.CLOSE_BETTING)))
    assert state.phase is Phase.CLOSED
    await unseen()
    await table.draw()
    # Now it is for everybody to see: so the test looks in the right places.
    await onlookers.look()
    assert any(shows(text, secret) for text in onlookers.seen["store"])
    for role in ROLES:
        assert any(shows(text, secret) for text in onlookers.seen[f"HTTP of {role}"])
    await until_shown(onlookers, secret)
    await table.settle()


def forget(onlookers: Onlookers, logged: io.StringIO) -> None:
    """What was looked through need not be looked through again."""
    onlookers.seen.clear()
    logged.seek(0)
    logged.truncate()


async def until_shown(onlookers: Onlookers, secret: bytes) -> None:
    """The reveal comes to every socket."""
    following = [f"socket of {role}" for role in ROLES]
    for _ in range(500):
        if all(any(shows(t, secret) for t in onlookers.seen.get(where, ())) for where in following):
            return
        await asyncio.sleep(0.01)
    pytest.fail("the reveal was not shown on every socket")


def test_the_secret_is_in_no_complaint(caplog: pytest.LogCaptureFixture) -> None:
    """A store that fails says all that it knows: the secret is not printed with the rest."""

    async def fail() -> tuple[str, bytes]:
        entropy, store = Remembering(), Noting()
        async with drawn_table(entropy, name=TABLE, store=store, length=1) as table:
            await table.seat("ana", 10_000)
            await table.coup()
            await table.close()
            pending = entropy.given[-1]
            store.fails = True
            told = ""
            try:
                await table.draw()
            except TableStoppedError as stopped:
                said = traceback.TracebackException.from_exception(stopped, capture_locals=True)
                told = "".join(said.format()) + str(table.actor.failed)
            assert entropy.given[-1] != pending, "the next ball was being committed to"
            assert "BallChainCommitted" in store.printed[-1]
            return told + store.printed[-1], entropy.given[-1]

    told, secret = asyncio.run(fail())
    told += "".join(str(vars(each)) for each in caplog.records)
    assert "cannot write Batch(" in told
    assert not shows(told, secret)


def test_a_secret_does_not_print_itself() -> None:
    secret = Secret(SystemEntropy().secret())
    assert {str(secret), repr(secret), f"{secret}", f"{secret!r}"} == {"<secret>"}
    assert bytes(secret).hex() == secret.hex()
    assert len(secret.hex()) == 64


@pytest.mark.parametrize("closed", [False, True])
def test_a_committed_ball_is_not_taken_out_of_play(closed: Any) -> None:
    """The house knows its secret: whatever could undo a coup would let it choose."""

    async def play() -> None:
        async with drawn_table(name=TABLE) as table:
            await table.seat("ana", 10_000)
            await table.stake("ana", "17", 10)
            await table.give(commands.LaunchBall(by=table.who(Act.LAUNCH_BALL)))
            if closed:
                await table.give(commands.CloseBetting(by=table.who(Act.CLOSE_BETTING)))
            committed = table.actor.house_table.commitment
            wishes = {
                commands.VoidBall(by=table.who(Act.VOID_BALL), cause=Cause.BALL_OUT),
                commands.PocketBall(by=table.who(Act.POCKET_BALL), number=17),
                commands.CloseTable(by=MANAGEMENT),
            }
            for wish in wishes:
                answer = await table.ask(wish)
                assert answer.refusal is not None
                if not isinstance(wish, commands.CloseTable):
                    final = (HouseRefusalReason.NUMBER_IS_DRAWN, HouseRefusalReason.CLOSE_IS_FINAL)
                    assert answer.refusal.why in final
            assert table.actor.house_table.commitment is committed
            assert committed is not None

    asyncio.run(play())
