"""Sessions that outlive the process: whose a token is, and his play money, killed at any moment."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import os
import random
import signal
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from novamas.house.house import House, SelfCheckError, load_table
from novamas.house.store import Batch
from novamas.house.stores.memory import MemoryStore
from novamas.table import commands
from novamas.web.app import create_app
from novamas.web.client import TableClient
from novamas.web.keeping import SUFFIX, Keeper, KeepingError, SessionsFile, recall, written
from novamas.web.serve import LocalHouse, Options
from novamas.web.sessions import Role, Session, Sessions
from tests.promises.running import Running, Starter
from tests.web.door import Door, run
from tests.web.serving import served

MONEY = 1_000_000
PACE = dict.fromkeys(("betting", "launched", "running", "called", "paying"), 1.0)


def again(sessions: Sessions, store: MemoryStore | None = None) -> Sessions:
    """The sessions as the next start finds them."""
    found = Sessions()
    file = SessionsFile(Path("nowhere"))
    file.read = lambda: written(sessions)  # type: ignore[method-assign]
    recall(found, file, store or MemoryStore())
    return found


def test_a_token_is_good_after_a_restart_and_a_name_still_taken() -> None:
    sessions = Sessions(guest_money=500)
    ana = sessions.guest("Ana")
    chief = sessions.use_key(sessions.issue_key("chief", Role.STAFF))
    assert chief is not None
    found = again(sessions)
    same = found.of(ana.token)
    assert same is not None
    assert (same.name, same.role, same.money) == ("Ana", Role.PLAYER, 500)
    console = found.of(chief.token)
    assert console is not None
    assert console.role is Role.STAFF
    assert found.of("another") is None
    with pytest.raises(ValueError, match="taken"):
        found.guest("ana")
    # What was moved once is not moved again.
    ana.spend("t", "c1", 200)
    ana.settle("t", "c1")
    ana.receive("t", "c2", 70)
    same = again(sessions).of(ana.token)
    assert same is not None
    assert same.spend("t", "c1", 200)
    same.receive("t", "c2", 70)
    assert same.money == 370


def test_no_token_is_written_down() -> None:
    sessions = Sessions()
    ana = sessions.guest("ana")
    key = sessions.issue_key("chief", Role.STAFF)
    data = written(sessions).decode()
    assert "ana" in data
    assert ana.token not in data
    assert key not in data


def test_the_file_is_whole_and_its_owners_alone(tmp_path: Path) -> None:
    file = SessionsFile(tmp_path / "house.db.sessions")
    assert file.read() is None
    file.write(b"one")
    file.write(b"two")
    assert file.read() == b"two"
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["house.db.sessions"]
    with pytest.raises(KeepingError, match="No such file"):
        SessionsFile(tmp_path / "nowhere" / "x").write(b"")
    with pytest.raises(KeepingError, match="directory"):
        SessionsFile(tmp_path).read()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b'{"version":1}',
        b'{"version":2,"sessions":[]}',
        b'{"version":1,"sessions":[{"token":"x","name":"ana"}]}',
    ],
)
@run
async def test_a_file_that_is_not_understood_keeps_the_house_closed(
    data: bytes, tmp_path: Path
) -> None:
    """Whoever opened all the same would overwrite everybody's money."""
    store = tmp_path / "house.db"
    kept = Path(f"{store}{SUFFIX}")
    kept.write_bytes(data)
    local = LocalHouse(Options(store=str(store)))
    with pytest.raises(SelfCheckError, match="the sessions cannot be kept"):
        await local.open()
    await local.close()
    assert kept.read_bytes() == data


# Each command is given once, or more often --------------------------------------------------------


def test_a_copy_that_is_turned_away_gives_nothing_back_while_another_is_under_way() -> None:
    ana = Session("", "ana", Role.PLAYER, 100)
    assert ana.spend("t", "c1", 60)
    assert ana.spend("t", "c1", 60)
    ana.give_back("t", "c1")
    assert ana.money == 40
    ana.settle("t", "c1")
    ana.give_back("t", "c1")
    assert ana.money == 40
    assert ana.spend("t", "c2", 40)
    assert ana.spend("t", "c2", 40)
    ana.give_back("t", "c2")
    ana.give_back("t", "c2")
    ana.give_back("t", "c2")
    assert ana.money == 40


# Killed at any moment -----------------------------------------------------------------------------


class Disk:
    """What is durable: a store and the file beside it, as they were after each change."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self.store = WatchedStore(self)
        self.data = b""
        self.moments: list[tuple[MemoryStore, bytes]] = []

    @contextlib.contextmanager
    def changes(self) -> Iterator[None]:
        with self._turn:
            yield
            kept = MemoryStore()
            for name, value in vars(self.store).items():
                if name.startswith("_"):
                    setattr(kept, name, copy.deepcopy(value))
            self.moments.append((kept, self.data))


class WatchedStore(MemoryStore):
    """A store of which every change is seen."""

    def __init__(self, disk: Disk) -> None:
        super().__init__()
        self.disk = disk

    def append(self, batch: Batch) -> None:
        with self.disk.changes():
            super().append(batch)


class WatchedFile(SessionsFile):
    """A file of which every change is seen."""

    def __init__(self, disk: Disk) -> None:
        super().__init__(Path("sessions"))
        self.disk = disk

    def write(self, data: bytes) -> None:
        with self.disk.changes():
            self.disk.data = data


@run
async def test_killed_between_any_two_writes_no_money_is_lost_or_doubled() -> None:
    disk = Disk()
    house = House(disk.store)
    await house.open()
    sessions = Sessions(guest_money=MONEY)
    keeper = Keeper(sessions, WatchedFile(disk))
    door = Door(house, sessions, create_app(house, sessions, keep=keeper.keep))
    await door.set_up("t", "bg")
    tokens = {}
    for name in ("ana", "luis", "eva"):
        answer = await door.http.post("/api/guests", json={"name": name})
        tokens[name] = answer.json()["token"]
    begun = len(disk.moments)

    async def evening(name: str) -> None:
        chance = random.Random(name)  # noqa: S311 - how he plays is no secret
        async with door.socket("t", sessions.of(tokens[name]), token=tokens[name]) as socket:
            for turn in range(12):
                id = f"{name}-{turn}"
                # Some of it is refused, and all of it may come twice.
                for do, fields in (
                    ("BuyChips", {"player": name, "amount": 10}),
                    ("Sit", {}),
                    ("BuyChips", {"player": name, "amount": 10 * chance.randint(1, 50)}),
                    ("BuyChips", {"player": name, "amount": 7}),
                    ("Leave", {}),
                ):
                    under = f"{id}-{do}-{fields.get('amount')}"
                    for _ in range(chance.choice((1, 1, 2))):
                        socket.ask(do, under=under, **fields)
                    await socket.answer(under)

    await asyncio.gather(*(evening(name) for name in tokens))
    await keeper.close()
    await door.http.aclose()
    await house.close()
    assert len(disk.moments) > begun + 50
    unsettled = 0
    for store, data in disk.moments[begun:]:
        found = Sessions()
        file = SessionsFile(Path("sessions"))
        file.read = lambda data=data: data  # type: ignore[method-assign, misc]
        recall(found, file, store)
        state = load_table(store, "t").hall.state
        seated = {each.name: each.purse for each in state.players.values()}
        for name, token in tokens.items():
            session = found.of(token)
            assert session is not None
            assert session.money + seated.get(name, 0) == MONEY, name
        unsettled += b'"pending":[[' in data
    assert unsettled > 20


@pytest.mark.slow
def test_a_killed_process_is_found_again_with_everybodys_money(tmp_path: Path) -> None:
    """Real kills: players buy and leave all the time, and nobody is asked whether it suits him."""
    chance = random.Random(8)  # noqa: S311 - when it is killed is no secret
    with Starter() as starter:

        def start(port: int = 0) -> Running:
            return starter.start(
                port=port, store=str(tmp_path / "house.db"), guest_money=MONEY, pace=PACE
            )

        house = start()
        tokens = {
            name: httpx.post(f"{house.url}api/guests", json={"name": name}).json()["token"]
            for name in ("ana", "luis", "eva")
        }
        left = 0
        for _ in range(8):
            asyncio.run(killed_while_playing(house, tokens, chance.uniform(0.1, 0.8)))
            house = start(house.port)
            for name, token in tokens.items():
                headers = {"Authorization": f"Bearer {token}"}
                me = httpx.get(f"{house.url}api/me", headers=headers).json()
                table = httpx.get(f"{house.url}api/tables/bg", headers=headers).json()
                purse = table["you"]["purse"] if "you" in table else 0
                assert me["name"] == name
                assert me["money"] + purse == MONEY
            left = table["seq"]
        house.stop()
    assert left > 100


async def killed_while_playing(house: Running, tokens: dict[str, str], seconds: float) -> None:
    async def play(name: str) -> None:
        async with TableClient(house.url.rstrip("/"), "bg", tokens[name]) as client:
            while True:
                await client.give(commands.Sit(by=name))
                await client.give(commands.BuyChips(by=name, player=name, amount=300))
                await client.give(commands.Leave(by=name))

    playing = [asyncio.create_task(play(name)) for name in tokens]
    await asyncio.sleep(seconds)
    os.kill(house.pid, signal.SIGKILL)
    for each in playing:
        each.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    house.wait()


# When it cannot be written ------------------------------------------------------------------------


@run
async def test_what_cannot_be_written_down_is_not_done() -> None:
    class Full(SessionsFile):
        is_full = False

        def write(self, _: bytes) -> None:
            if self.is_full:
                raise KeepingError("the disk is full")

    house = House(MemoryStore())
    await house.open()
    sessions = Sessions(guest_money=1000)
    file = Full(Path("sessions"))
    keeper = Keeper(sessions, file)
    door = Door(house, sessions, create_app(house, sessions, keep=keeper.keep))
    await door.set_up("t", "bg")
    ana = sessions.guest("ana")
    async with door.socket("t", ana) as socket:
        await socket.must("Sit")
        file.is_full = True
        assert await socket.problem("BuyChips", player="ana", amount=600) == "the disk is full"
        assert ana.money == 1000
        answer = await door.http.post("/api/guests", json={"name": "luis"})
        assert answer.status_code == 503
        assert answer.json() == {"detail": "the sessions cannot be kept: the disk is full"}
        file.is_full = False
        await socket.must("BuyChips", player="ana", amount=600)
        assert ana.money == 400
    await keeper.close()
    await door.http.aclose()
    await house.close()


def test_a_house_with_a_store_lets_its_guests_in_again(tmp_path: Path) -> None:
    store = tmp_path / "house.db"

    async def buy(url: str, token: str) -> None:
        async with TableClient(url, "it", token) as client:
            await client.give(commands.Sit(by="ana"))
            assert (await client.give(commands.BuyChips(by="ana", player="ana", amount=600))).seq

    with served(store) as house:
        token = house.guest("ana")
        chief = house.token("chief")
        asyncio.run(buy(house.url, token))
        assert house.end(signal.SIGTERM) == 0
    with served(store) as house:
        me = httpx.get(f"{house.url}/api/me", headers={"Authorization": f"Bearer {token}"}).json()
        assert me == {"name": "ana", "role": "player", "money": MONEY - 600}
        staff = httpx.get(f"{house.url}/api/me", headers={"Authorization": f"Bearer {chief}"})
        assert staff.json()["role"] == "staff"
        # A key of this start is a key of its own.
        assert house.token("chief") != chief
