"""R5: a retry happens once.

16 players, each with three devices, give the same commands again and again, in any order and at the
same time, before and after restarts. A plain model of purses and stakes is held against the log and
against every answer: a command happens once, under one name, and is always answered the same.
"""

from __future__ import annotations

import asyncio
import random
import shutil
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

import httpx
import msgspec

from novamas.house.clock import ManualClock
from novamas.house.house import House
from novamas.house.log.store import Record, Store
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.log.verify import verify_table
from novamas.house.table.actor import TableActor, TableStoppedError
from novamas.house.table.events import BallMode
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.state import Setup
from novamas.web.client import TableClient
from tests.promises.figures import record
from tests.promises.running import Running, Starter
from tests.promises.staff import Staff

PLAYERS = [f"p{number}" for number in range(16)]
PURSE = 1_000
SITTING_DOWN = len(Staff("bg").opening()) + 2 * len(PLAYERS)


class Got(NamedTuple):
    """What a command was answered."""

    why: str
    """Empty if it was accepted."""
    seq: int


Give = Callable[[str, Command], Awaitable[Got]]
"""The way in: command id and command; None of it knows whether they came before."""


class Wish(NamedTuple):
    """A command with its id."""

    id: str
    command: Command


def wishes(chance: random.Random, player: str, count: int) -> list[Wish]:
    """Stakes that soon exceed the purse, and stakes taken back, some of which never lay there."""
    made: list[Wish] = []
    for number in range(count):
        id = f"{player}-{number}"
        if chance.random() < 0.6:
            amount = chance.choice((10, 50, 100, 400))
            stake = commands.PlaceStake(
                by=player, id=f"stake-{id}", player=player, on="red", amount=amount
            )
            made.append(Wish(id, stake))
        else:
            which = f"stake-{player}-{chance.randrange(count)}"
            made.append(Wish(id, commands.WithdrawStake(by=player, id=which)))
    return made


class Answers:
    """Every answer that anybody got; the same command is never answered otherwise.

    With one exception: a refusal changes nothing, and is kept with the event that comes next. When
    the house dies before that, whoever asks again is decided on anew.
    """

    def __init__(self) -> None:
        self.deaths = 0
        self.given = 0
        self.first: dict[str, tuple[Command, Got]] = {}
        self.anew: list[tuple[Command, Got]] = []
        """Refusals that a death took, as they were first given."""
        self._life: dict[str, int] = {}

    def take(self, wish: Wish, got: Got) -> None:
        self.given += 1
        command, known = self.first.setdefault(wish.id, (wish.command, got))
        life = self._life.setdefault(wish.id, self.deaths)
        if known != got and known.why and life < self.deaths:
            self.anew.append((command, known))
            self.first[wish.id], self._life[wish.id] = (command, got), self.deaths
            return
        assert known == got, f"{wish.id} was answered {known}, then {got}"


async def device(give: Give, asked: Iterable[Wish], answers: Answers) -> None:
    """Asks for one thing after the other."""
    for wish in asked:
        answers.take(wish, await give(wish.id, wish.command))


def repeated(chance: random.Random, asked: list[Wish]) -> list[Wish]:
    """The same commands, in another order, some of them several times."""
    again = [wish for wish in asked for _ in range(chance.choice((0, 1, 1, 2)))]
    chance.shuffle(again)
    return again


# The model ----------------------------------------------------------------------------------------


class Model:
    """Purses and stakes, one event after the other; nothing else of a table is known here."""

    def __init__(self, log: Iterable[Record]) -> None:
        self.happened: dict[str, int] = {}
        """Command → its event."""
        self.floats = 0
        """How often the house itself opened the bank of a live table."""
        self._purses: dict[str, int] = defaultdict(int)
        self._stakes: dict[str, tuple[str, int]] = {}
        self._known: list[tuple[dict[str, int], dict[str, tuple[str, int]]]] = [({}, {})]
        for each in log:
            self._take(each, msgspec.json.decode(each.payload))
            self._known.append((dict(self._purses), dict(self._stakes)))

    def _take(self, event: Record, data: dict[str, object]) -> None:
        if event.command is not None:
            assert event.command not in self.happened, f"{event.command} happened twice"
            self.happened[event.command] = event.seq
        player, id, amount = str(data.get("player")), str(data.get("id")), data.get("amount")
        self.floats += event.type == "BankOpened"
        if event.type == "ChipsBought" and isinstance(amount, int):
            self._purses[player] += amount
        elif event.type == "StakePlaced" and isinstance(amount, int):
            self._purses[player] -= amount
            self._stakes[id] = (player, amount)
        elif event.type == "StakeWithdrawn":
            player, lay = self._stakes.pop(id)
            assert data["amounts"] == {id: lay}
            self._purses[player] += lay

    def answer(self, command: Command, seq: int) -> str:
        """What a command must be answered right after an event."""
        purses, stakes = self._known[seq]
        if isinstance(command, commands.PlaceStake):
            if command.id in stakes:
                return "id_in_use"
            return "" if command.amount <= purses[command.player] else "exceeds_purse"
        if isinstance(command, commands.WithdrawStake):
            return "" if command.id in stakes else "no_such_stake"
        raise LookupError(f"the model does not know {command}")

    def check(self, answers: Answers) -> tuple[int, int]:
        """Holds every answer against the model: how many were accepted, how many refused."""
        accepted = 0
        for id, (command, got) in answers.first.items():
            if got.why:
                assert id not in self.happened
                assert self.answer(command, got.seq) == got.why
            else:
                accepted += 1
                assert self.happened[id] == got.seq
                assert self.answer(command, got.seq - 1) == ""
        for command, got in answers.anew:
            assert self.answer(command, got.seq) == got.why
        # The rest of the log is the float, once, and the staff and the players sitting down.
        assert self.floats <= 1
        assert len(self.happened) == accepted + self.floats + SITTING_DOWN
        return accepted, len(answers.first) - accepted


# At a table of this process -----------------------------------------------------------------------


class Restarts:
    """A house that is closed and opened, or dies and is found again, while others go on asking."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lives = 0
        self._path = folder / "0.db"
        self.house: House
        self._open = asyncio.Event()

    async def begin(self) -> None:
        self.house = House(SqliteStore(self._path), clock=ManualClock())
        await self.house.open()
        self._open.set()

    async def close(self) -> None:
        """Ends in order."""
        self._open.clear()
        await self.house.close()
        await self.begin()

    async def die(self) -> None:
        """Ends without a word; what was on the disk at this moment is all there is."""
        self._open.clear()
        self._lives += 1
        before, self._path = self._path, self._folder / f"{self._lives}.db"
        ended = self.house

        def copy() -> None:
            for suffix in ("", "-wal"):
                shutil.copy(f"{before}{suffix}", f"{self._path}{suffix}")

        # By the thread that writes, so that it is one moment; who is answered later is not heard.
        await ended.blocking(copy)
        await self.begin()
        for actor in ended.tables.values():
            actor.fail("died")
        await ended.close()

    @property
    def table(self) -> TableActor:
        return self.house.tables["1"]

    async def give(self, id: str, command: Command) -> Got:
        """Asks until there is an answer of the house as it now is."""
        while True:
            await self._open.wait()
            house = self.house
            try:
                answer = await self.table.submit(id, command)
            except TableStoppedError:
                await asyncio.sleep(0)
                continue
            if house is self.house and self._open.is_set():
                why = answer.refusal.why.value if answer.refusal is not None else ""
                return Got(why, answer.last)


def foreign(chance: random.Random, asked: list[Wish]) -> list[tuple[str, Command]]:
    """Commands under ids that another player has used."""
    made: list[tuple[str, Command]] = []
    for wish in chance.sample(asked, 40):
        other = chance.choice([name for name in PLAYERS if name != wish.command.by])
        stake = commands.PlaceStake(
            by=other, id=f"foreign-{len(made)}", player=other, on="red", amount=10
        )
        made.append((wish.id, stake))
    return made


async def ask_everything(
    give: Give, answers: Answers, chance: random.Random, *, count: int
) -> None:
    """48 devices ask for the same things at the same time."""
    plans = {name: wishes(chance, name, count) for name in PLAYERS}
    async with asyncio.TaskGroup() as tasks:
        for asked in plans.values():
            tasks.create_task(device(give, asked, answers))
            for _ in range(2):
                tasks.create_task(device(give, repeated(chance, asked), answers))


async def ask_again(give: Give, answers: Answers) -> None:
    """Whoever asks again is answered the same."""
    for id, (command, _) in tuple(answers.first.items()):
        answers.take(Wish(id, command), await give(id, command))


def report(how: str, model: Model, answers: Answers) -> None:
    accepted, refused = model.check(answers)
    assert accepted > 100
    assert refused > 100
    record(
        "R5",
        how,
        commands=len(answers.first),
        answers=answers.given,
        accepted=accepted,
        refused=refused,
        happened_twice=0,
        answered_otherwise=0,
        refusals_lost_with_a_death=len(answers.anew),
    )


def test_r5_a_retry_happens_once_across_restarts(tmp_path: Path) -> None:
    asyncio.run(across_restarts(tmp_path))


async def across_restarts(folder: Path) -> None:
    chance = random.Random(5)  # noqa: S311 - which commands come twice is no secret
    restarts = Restarts(folder)
    await restarts.begin()
    await restarts.house.set_up("1", "bg", Setup(), ball=BallMode.WHEEL)
    staff = Staff("bg")
    seats = [each for name in PLAYERS for each in staff.seats(name, PURSE)]
    for number, command in enumerate([*staff.opening(), *seats]):
        assert not (await restarts.give(f"ready-{number}", command)).why
    answers = Answers()
    asking = asyncio.create_task(ask_everything(restarts.give, answers, chance, count=60))
    for life in range(8):
        await asyncio.sleep(0.15)
        if life % 2:
            await restarts.close()
        else:
            answers.deaths += 1
            await restarts.die()
    await asking
    for id, command in foreign(chance, [Wish(id, each[0]) for id, each in answers.first.items()]):
        assert (await restarts.give(id, command)).why == "command_of_another"
    await restarts.close()
    await ask_again(restarts.give, answers)
    store: Store = restarts.house.store
    model = Model(store.read("1"))
    assert verify_table(store, "1").is_sound
    report("48 devices of 16 players, 9 restarts of the house under them", model, answers)
    await restarts.house.close()


# At a house in another process --------------------------------------------------------------------


def test_r5_a_retry_over_sockets_happens_once(tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with Starter() as starter:
        running = starter.start(port=0, store=str(path), tables=False)
        tokens: dict[str, str] = {}
        answers = asyncio.run(over_sockets(running, tokens))
        running.kill()
        again = starter.start(port=running.port, store=str(path), tables=False)
        asyncio.run(over_sockets(again, tokens, answers))
        again.stop()
    store = SqliteStore(path)
    assert verify_table(store, "1").is_sound
    report("48 sockets of 16 players, a kill, and all of it again", Model(store.read("1")), answers)
    store.close()


async def over_sockets(
    running: Running, tokens: dict[str, str], before: Answers | None = None
) -> Answers:
    url = running.url.rstrip("/")
    management = running.token("management")
    async with AsyncExitStack() as stack, httpx.AsyncClient() as http:
        if before is None:
            await prepare(http, url, management)
        devices: dict[str, list[TableClient]] = {}
        for name in PLAYERS:
            if name not in tokens:
                opened = await http.post(f"{url}/api/guests", json={"name": name})
                tokens[name] = opened.json()["token"]
            device = partial(TableClient, url, "1", tokens[name])
            connecting = [stack.enter_async_context(device()) for _ in range(3)]
            devices[name] = [await each for each in connecting]
        turns = dict.fromkeys(PLAYERS, 0)
        waiting: dict[tuple[TableClient, str], asyncio.Lock] = defaultdict(asyncio.Lock)

        async def give(id: str, command: Command) -> Got:
            """Through one of the player's sockets after the other."""
            turns[command.by] += 1
            client = devices[command.by][turns[command.by] % 3]
            async with waiting[client, id]:
                answered = await client.give(command, id=id)
            return Got(answered.why, answered.seq)

        if before is not None:
            await ask_again(give, before)
            return before
        chance = random.Random(6)  # noqa: S311 - which commands come twice is no secret
        answers = Answers()
        await ask_everything(give, answers, chance, count=25)
        asked = [Wish(id, each[0]) for id, each in answers.first.items()]
        for id, command in foreign(chance, asked):
            assert (await give(id, command)).why == "command_of_another"
        # A refusal is kept with the next event: so the last word before the kill is an event.
        last = commands.PlaceStake(by="p0", id="last", player="p0", on="red", amount=2)
        take_back = commands.WithdrawStake(by="p0", id=_lying(devices["p0"][0]))
        for wish in (Wish("p0-back", take_back), Wish("p0-last", last)):
            answers.take(wish, await give(wish.id, wish.command))
        return answers


def _lying(client: TableClient) -> str:
    """A stake of a player's that lies on the cloth, or one that never did."""
    return next((each["id"] for each in client.table["stakes"]), "none")


async def prepare(http: httpx.AsyncClient, url: str, management: str) -> None:
    """Sets a table up, with its staff and its players."""
    body = {"table": "1", "rulebook": "bg", "ball": "wheel", "chip": 2}
    bearer = {"Authorization": f"Bearer {management}"}
    answer = await http.post(f"{url}/api/tables", json=body, headers=bearer)
    assert answer.status_code == 201, answer.text
    staff = Staff("bg")
    seats = [each for name in PLAYERS for each in staff.seats(name, PURSE)]
    async with TableClient(url, "1", management) as client:
        for command in [*staff.opening(), *seats]:
            answered = await client.give(command, acting=command.by != commands.MANAGEMENT)
            assert answered.is_accepted, answered
