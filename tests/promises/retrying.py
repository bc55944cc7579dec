"""Players who repeat their commands from several devices, and the model that checks the answers."""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from typing import NamedTuple

import httpx
import msgspec

from novamas.house.log.store import Record
from novamas.table import commands
from novamas.table.commands import Command
from novamas.table.identity import MANAGEMENT
from novamas.web.client import TableClient
from tests.promises.figures import record
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
"""The way in: command id and command; it does not know whether they came before."""


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
    the house dies before that, it decides anew when the command is repeated.
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
    """A repeated command gets the same answer."""
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
            answered = await client.give(command, acting=command.by != MANAGEMENT)
            assert answered.is_accepted, answered
