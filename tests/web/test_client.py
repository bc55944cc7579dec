"""The typed client: answers, events, coming back after anything, and ending."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from novamas.house.ball import verify_ball
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.log.verify import verify_table
from novamas.house.table.commands import GiveTip
from novamas.table import commands
from novamas.web import client as client_module
from novamas.web.client import Answered, Message, ProblemError, TableClient
from tests.web.serving import Served, served

TABLE = "bg"


@pytest.fixture(scope="module")
def house() -> Iterator[Served]:
    with served() as running:
        yield running


async def sit(client: TableClient, name: str, amount: int = 10_000) -> None:
    for command in (
        commands.Sit(by=name),
        commands.BuyChips(by=name, player=name, amount=amount),
    ):
        answer = await client.give(command)
        assert answer.is_accepted, answer


async def take(client: TableClient, until: int) -> list[Message]:
    """The messages of a client up to a sequence."""
    taken: list[Message] = []
    async for message in client.messages():
        taken.append(message)
        if message.seq >= until:
            break
    return taken


# Answers and events -------------------------------------------------------------------------------


def test_it_gives_commands_and_gets_answers(house: Served) -> None:
    async def play() -> None:
        async with TableClient(house.url, TABLE, house.guest("eva")) as client:
            assert client.table["table"] == TABLE
            await sit(client, "eva")
            stake = commands.PlaceStake(by="eva", id="e1", player="eva", on="17", amount=100)
            laid = await client.give(stake, id="my own id")
            assert (laid.id, laid.is_accepted, laid.articles) == ("my own id", True, ())
            again = await client.give(stake)
            assert not again.is_accepted
            assert again.why == "id_in_use"
            await client.give(commands.WithdrawStake(by="eva", id="e1"))
            refused = await client.give(commands.StepAway(by="eva"))
            assert refused.is_accepted
            refused = await client.give(commands.Sit(by="eva"))
            assert (refused.why, refused.is_accepted) == ("already_seated", False)
            left = await client.give(commands.Leave(by="eva"))
            told = await take(client, left.seq)
            seqs = [message.seq for message in told]
            assert seqs == list(range(seqs[0], left.seq + 1))
            mine = {message.type: message.yours for message in told if message.yours}
            assert mine["ChipsBought"] == {"amount": 10_000}
            assert mine["PlayerLeft"] == {"amount": 10_000}

    asyncio.run(play())


def test_a_refusal_comes_with_its_articles(house: Served) -> None:
    async def play() -> None:
        async with TableClient(house.url, "ar", house.guest("lea")) as client:
            await sit(client, "lea")
            # Argentina takes no announcements.
            call = commands.Announce(by="lea", id="a", player="lea", call="voisins", amount=900)
            answer = await client.give(call)
            assert not answer.is_accepted
            assert answer.why == "announcement_not_taken"
            assert answer.articles
            await client.give(commands.Leave(by="lea"))

    asyncio.run(play())


def test_what_the_house_cannot_read_is_a_problem(house: Served) -> None:
    async def play() -> None:
        async with TableClient(house.url, TABLE, house.guest("ida")) as client:
            with pytest.raises(ProblemError, match="LaunchBall is not for a player"):
                await client.give(commands.LaunchBall(by="ida"))
            with pytest.raises(ProblemError, match="only the management"):
                await client.give(commands.Sit(by="ana"), acting=True)
            with pytest.raises(ProblemError, match="id: 1 to 64"):
                await client.give(commands.Sit(by="ida"), id="x" * 65)
        async with TableClient(house.url, TABLE, None) as onlooker:
            with pytest.raises(ProblemError, match="onlookers give no commands"):
                await onlooker.give(commands.Sit(by="ida"))

    asyncio.run(play())


def test_a_table_whose_name_has_a_blank(house: Served) -> None:
    async def play() -> None:
        token = house.token("management")
        body = {"table": "the first", "rulebook": "es", "ball": "wheel"}
        headers = {"Authorization": f"Bearer {token}"}
        made = httpx.post(f"{house.url}/api/tables", json=body, headers=headers)
        assert made.status_code == 201
        async with TableClient(house.url, "the first", token) as client:
            for person, post in (("c", "chief"), ("k", "croupier"), ("l", "croupier")):
                answer = await client.give(commands.TakePost(by=person, post=post), acting=True)
                assert answer.is_accepted

    asyncio.run(play())


# What cannot be -----------------------------------------------------------------------------------


def test_it_says_why_it_is_not_let_in(house: Served) -> None:
    async def play() -> None:
        token = house.guest("uma")
        for table, wrong, after, told in (
            ("none", token, None, "there is no such table"),
            (TABLE, "wrong", None, "the token is not good"),
            (TABLE, token, 10**9, "after: a whole number"),
        ):
            with pytest.raises(ProblemError, match=told):
                async with TableClient(house.url, table, wrong, after=after):
                    raise AssertionError("it was let in")
        with pytest.raises(OSError, match=r"111|refused|failed"):
            async with TableClient("http://127.0.0.1:9", TABLE, token):
                raise AssertionError("nobody is there")

    asyncio.run(play())


# Ending -------------------------------------------------------------------------------------------


def test_after_its_end_nothing_is_given_and_nothing_comes(house: Served) -> None:
    async def play() -> None:
        client = TableClient(house.url, TABLE, house.guest("nora"))
        async with client:
            await client.give(commands.Sit(by="nora"))
        with pytest.raises(ProblemError, match="the connection was closed"):
            await client.give(commands.Leave(by="nora"))
        assert [message.type async for message in client.messages()][-1:] == ["PlayerSat"]

    asyncio.run(play())


def test_what_waits_when_it_ends_is_told_so(house: Served) -> None:
    async def play() -> None:
        async with TableClient(house.url, TABLE, house.guest("zoe")) as client:
            await sit(client, "zoe")
            giving = [
                asyncio.create_task(client.give(GiveTip(by="zoe", amount=1))) for _ in range(200)
            ]
            await asyncio.sleep(0)
        answers = await asyncio.wait_for(asyncio.gather(*giving, return_exceptions=True), 60)
        for answer in answers:
            if isinstance(answer, BaseException):
                assert isinstance(answer, ProblemError)
                assert str(answer) == "the connection was closed"
        assert any(isinstance(answer, ProblemError) for answer in answers)

    asyncio.run(play())


def test_it_ends_at_once_while_it_tries_to_come_back() -> None:
    async def play(house: Served) -> None:
        async with TableClient(house.url, TABLE, house.guest("ana")) as client:
            house.end(signal.SIGKILL)
            waiting = asyncio.create_task(client.give(commands.Sit(by="ana")))
            await asyncio.sleep(0.5)
        with pytest.raises(ProblemError, match="the connection was closed"):
            await waiting

    # Before it gives up by itself.
    with served() as house:
        asyncio.run(asyncio.wait_for(play(house), 25))


def test_a_house_that_is_gone_for_good_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "WAITS", (0.0, 0.05, 0.1))

    async def play(house: Served) -> None:
        async with TableClient(house.url, TABLE, house.guest("ana")) as client:
            house.end(signal.SIGKILL)
            with pytest.raises(ProblemError, match="the house does not answer"):
                await client.give(commands.Sit(by="ana"))
            assert [message async for message in client.messages()] == []
            with pytest.raises(ProblemError, match="the house does not answer"):
                await client.give(commands.Sit(by="ana"))

    with served() as house:
        asyncio.run(asyncio.wait_for(play(house), 20))


# Coming back --------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_house_that_starts_again_finds_its_client_again(
    how: signal.Signals, tmp_path: Path
) -> None:
    """What was under way when the house ended is sent again, and happens once."""
    store = tmp_path / "house.db"
    asyncio.run(asyncio.wait_for(interrupted(store, how), 90))
    kept = SqliteStore(store)
    laid = [str(record.command) for record in kept.read(TABLE) if record.type == "TipGiven"]
    assert sorted(laid) == sorted(f"n{n}" for n in range(300))
    assert verify_table(kept, TABLE).is_sound
    kept.close()


async def interrupted(store: Path, how: signal.Signals) -> None:
    with served(store) as house:
        port = house.port

        async def renew(server: str) -> str:
            async with httpx.AsyncClient(base_url=server) as http:
                answer = await http.post("/api/guests", json={"name": "ana"})
            if answer.status_code != 201:
                raise ProblemError(answer.text)
            return str(answer.json()["token"])

        client = TableClient(house.url, TABLE, await renew(house.url), renew=renew)
        await client.__aenter__()
        await sit(client, "ana")
        first = client.table["seq"]

        async def give(number: int) -> None:
            """Gives a command until it is answered; a house that closes says that it did not."""
            await asyncio.sleep(number // 10 * 0.05)  # Ten at a time, all through the end.
            while True:
                try:
                    answer = await client.give(GiveTip(by="ana", amount=1), id=f"n{number}")
                except ProblemError as problem:
                    if "the house is closing" not in str(problem):
                        raise
                    await asyncio.sleep(0.1)
                else:
                    assert answer.is_accepted
                    return

        giving = [asyncio.create_task(give(number)) for number in range(300)]
        await giving[50]
        await asyncio.to_thread(house.end, how)
    assert not all(each.done() for each in giving)
    with served(store, port=port) as house:
        await asyncio.gather(*giving)
        last = (await client.give(GiveTip(by="ana", amount=1), id="n299")).seq
        told = await take(client, last)
        seqs = [message.seq for message in told]
        assert seqs == list(range(first + 1, seqs[-1] + 1))
        # A chain that was committed anew after the start is no alarm, and has a nonce of its own.
        assert client.nonces is not None
        proof = client.nonces.proof()
        assert verify_ball.verdict(proof, [], TABLE)["problems"] == []
        made = {
            each["data"]["commitment"] for each in proof["notes"] if each["type"] == "Committing"
        }
        assert len(made) >= 2
        await client.__aexit__(None, None, None)


def test_without_a_new_token_it_does_not_come_back() -> None:
    """Tokens end with the house that gave them, if it keeps none."""

    async def play() -> None:
        with served() as house:
            port = house.port
            client = TableClient(house.url, TABLE, house.guest("ana"))
            await client.__aenter__()
            await asyncio.to_thread(house.end, signal.SIGKILL)
        with served(port=port):
            with pytest.raises(ProblemError, match="the token is not good"):
                await asyncio.wait_for(client.give(commands.Sit(by="ana")), 30)
            await client.__aexit__(None, None, None)


def test_a_token_outlives_a_house_that_keeps_its_store(tmp_path: Path) -> None:
    async def play() -> None:
        store = tmp_path / "house.db"
        with served(store) as house:
            port = house.port
            client = TableClient(house.url, TABLE, house.guest("ana"))
            await client.__aenter__()
            await asyncio.to_thread(house.end, signal.SIGKILL)
        with served(store, port=port):
            answered = await asyncio.wait_for(client.give(commands.Sit(by="ana")), 30)
            assert answered.is_accepted
            await client.__aexit__(None, None, None)

    asyncio.run(play())


def test_another_log_in_the_same_place_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A house in memory begins anew: its events are not those that the client saw."""
    monkeypatch.setattr(client_module, "WAITS", (0.1,) * 100)

    async def play() -> None:
        with served() as house:
            port = house.port
            client = TableClient(house.url, TABLE, None)
            await client.__aenter__()
            token = house.guest("ana")
            async with TableClient(house.url, TABLE, token) as other:
                await sit(other, "ana")
            await take(client, client.table["seq"] + 2)
            await asyncio.to_thread(house.end, signal.SIGKILL)
        with served(port=port):
            with pytest.raises(ProblemError, match="after: a whole number of at most"):
                await asyncio.wait_for(client.give(commands.Sit(by="x")), 30)
            await client.__aexit__(None, None, None)

    asyncio.run(play())


class Wire:
    """A wire between a client and a house that can be cut."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._writers: set[asyncio.StreamWriter] = set()
        self._carrying: set[asyncio.Task[None]] = set()
        self.cuts = 0

    def begin(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Somebody connects."""
        task = asyncio.ensure_future(self.carry(reader, writer))
        self._carrying.add(task)
        task.add_done_callback(self._carrying.discard)

    async def end(self) -> None:
        """Closes every connection, also one that was just being made."""
        for task in tuple(self._carrying):
            task.cancel()
        await asyncio.gather(*self._carrying, return_exceptions=True)

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        ends = {writer}
        self._writers |= ends
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._port)
            ends.add(back)
            self._writers |= ends
            await asyncio.gather(
                self._copy(reader, back), self._copy(there, writer), return_exceptions=True
            )
        finally:
            self._writers -= ends
            for each in ends:
                each.transport.abort()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while part := await reader.read(1000):
                writer.write(part)
                await writer.drain()
        finally:
            writer.close()

    def cut(self) -> None:
        """Cuts everything that runs through it, in the middle of whatever is said."""
        self.cuts += 1
        for writer in tuple(self._writers):
            writer.transport.abort()


@asynccontextmanager
async def wire(house: Served) -> AsyncIterator[tuple[str, Wire]]:
    carrier = Wire(house.port)
    server = await asyncio.start_server(carrier.begin, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", carrier
    finally:
        server.close()
        await carrier.end()
        await server.wait_closed()


def test_a_wire_that_is_cut_again_and_again_loses_and_doubles_nothing(house: Served) -> None:
    chance = random.Random(37)  # noqa: S311 - when a wire is cut is no secret

    async def play() -> None:
        async with (
            wire(house) as (url, carrier),
            TableClient(url, TABLE, house.guest("vera")) as client,
        ):
            await sit(client, "vera", 100_000)
            start = client.seq

            async def cutting() -> None:
                while True:
                    await asyncio.sleep(chance.uniform(0.01, 0.15))
                    carrier.cut()

            cutter = asyncio.create_task(cutting())
            acked: list[int] = []
            for part in range(30):
                answers = await asyncio.gather(
                    *(client.give(GiveTip(by="vera", amount=10 * part + n + 1)) for n in range(10))
                )
                assert all(answer.is_accepted for answer in answers)
                acked += [answer.seq for answer in answers]
                await asyncio.sleep(0.03)
            cutter.cancel()
            assert carrier.cuts >= 5
            # Each of them happened once, and in the order in which it was given.
            assert acked == sorted(set(acked))
            told = await take(client, acked[-1])
            after = [message for message in told if message.seq > start]
            seqs = [message.seq for message in after]
            assert seqs == list(range(start + 1, acked[-1] + 1))
            tips = [m.yours["amount"] for m in after if m.type == "TipGiven"]
            assert tips == list(range(1, 301))

    asyncio.run(asyncio.wait_for(play(), 90))


class Stuck:
    """A connection that takes nothing, and knows whether it was let go."""

    def __init__(self) -> None:
        self.transport = self
        self.sending = asyncio.Event()
        self.is_gone = False
        self.close_code = None

    async def send(self, _: str) -> None:
        self.sending.set()
        await asyncio.Event().wait()

    def __aiter__(self) -> Stuck:
        return self

    async def __anext__(self) -> str:
        await asyncio.Event().wait()
        return ""

    def abort(self) -> None:
        self.is_gone = True

    async def close(self) -> None:
        self.is_gone = True


@pytest.mark.parametrize("waits", [True, False])
def test_who_gives_up_while_connecting_leaves_no_connection_behind(
    monkeypatch: pytest.MonkeyPatch, *, waits: bool
) -> None:
    """Whether a command waits to be sent, or the table is not shown."""

    async def give_up() -> None:
        stuck = Stuck()

        async def connect(*_: object, **__: object) -> Stuck:
            return stuck

        monkeypatch.setattr(client_module, "connect", connect)
        client = TableClient("http://127.0.0.1:9", TABLE, None)
        given: asyncio.Task[Answered] | None = None
        if waits:
            given = asyncio.create_task(client.give(commands.Sit(by="ana")))
        entering = asyncio.create_task(client.__aenter__())
        await (stuck.sending.wait() if waits else asyncio.sleep(0.01))
        entering.cancel()
        with pytest.raises(asyncio.CancelledError):
            await entering
        assert stuck.is_gone
        if given is not None:
            given.cancel()

    asyncio.run(give_up())
