"""For whoever runs the house: readiness, measures and the journal."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import signal
import socket
import threading
import time
from pathlib import Path

import httpx
import pytest

from novamas.house.log.stores.postgres import PostgresStore
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.metrics import BOUNDS, Spans
from novamas.house.people.events import Post
from novamas.house.table.commands import GiveTip
from novamas.rulebooks import HOUSES
from novamas.table import commands
from novamas.web.app import SAFE_HEADERS
from novamas.web.client import TableClient
from novamas.web.json_logging import JsonLines, discreet
from novamas.web.routes import operations
from tests.cli.running import bad
from tests.contracts.servers import cut_off, die
from tests.web.door import HOST, Door, open_door, run
from tests.web.serving import served
from tests.web.several_doors import doors, until

SAMPLE = re.compile(r"(novamas_\w+)(?:\{(.*)\})? (\S+)")


def samples(text: str) -> dict[str, float]:
    """The samples of an exposition by name and labels; each belongs to a family that was named."""
    found: dict[str, float] = {}
    families: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split()
            assert name not in families, f"{name} comes twice"
            families[name] = kind
        elif not line.startswith("# HELP "):
            match = SAMPLE.fullmatch(line)
            assert match is not None, line
            name, labels, value = match.groups()
            family = re.sub(r"_(bucket|sum|count)$", "", name)
            assert family in families or name in families, line
            found[f"{name}{{{labels}}}" if labels else name] = float(value)
    assert text.endswith("\n")
    return found


async def measured(door: Door) -> dict[str, float]:
    answer = await door.http.get("/metrics", headers=door.bearer(Post.MANAGEMENT))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    return samples(answer.text)


# Measures -----------------------------------------------------------------------------------------


@run
async def test_the_house_counts_what_it_does() -> None:
    async with open_door() as door:
        await door.set_up('mesa "1"', "es")
        ana = door.session(Post.PLAYER, "ana")
        before = await measured(door)
        assert before['novamas_tables{state="betting"}'] == 1
        assert before['novamas_tables{state="out_of_play"}'] == 0
        async with door.socket('mesa "1"', ana) as seat:
            assert (await measured(door))["novamas_sockets"] == 1
            await seat.must("Sit", under="sit")
            await seat.must("Sit", under="sit")
            assert (await seat.give("Sit"))["refused"]
            await seat.until(door.house.tables['mesa "1"'].head.seq)
        after = await measured(door)
        label = 'table="mesa \\"1\\""'
        moved = {name: value - before.get(name, 0) for name, value in after.items()}
        assert moved[f'novamas_commands_total{{{label},answer="accepted"}}'] == 2
        assert moved[f'novamas_commands_total{{{label},answer="refused"}}'] == 1
        (refusal,) = (name for name in after if name.startswith("novamas_refusals_total"))
        assert moved[refusal] == 1
        assert moved[f"novamas_events_total{{{label}}}"] == 1
        assert moved[f"novamas_commits_total{{{label}}}"] == 1
        assert moved["novamas_commit_seconds_count"] == 1
        assert after["novamas_commit_seconds_sum"] > 0
        assert after['novamas_commit_seconds_bucket{le="+Inf"}'] == sum(
            value for name, value in after.items() if name.startswith("novamas_commits_total")
        )
        assert after["novamas_sockets"] == 0


@run
async def test_a_table_that_fails_and_a_follower_that_is_let_go_are_counted() -> None:
    async with open_door() as door:
        actor = await door.set_up("1", "es")
        ana = door.session(Post.PLAYER, "ana")
        async with door.socket("1", ana) as seat:
            await seat.must("Sit")
            await seat.must("BuyChips", player="ana", amount=10_000)
            seat.takes.clear()
            for number in range(5_000):
                await actor.submit(f"n{number}", GiveTip(by="ana", amount=1))
                if door.house.metrics.dropped:
                    break
            assert (await measured(door))["novamas_sockets_dropped_total"] == 1
        actor.fail("a bolt from the blue")
        found = await measured(door)
        assert found['novamas_tables{state="out_of_play"}'] == 1
        assert found['novamas_tables_failed_total{table="1"}'] == 1


@run
async def test_measures_are_for_the_management_and_the_auditor() -> None:
    async with open_door() as door:
        assert (await door.http.get("/metrics")).status_code == 401
        for post, status in ((Post.PLAYER, 403), (Post.CHIEF, 403), (Post.AUDITOR, 200)):
            answer = await door.http.get("/metrics", headers=door.bearer(post))
            assert answer.status_code == status


@run
async def test_takeovers_are_counted(database: str) -> None:
    async with doors(database, "one", "other") as (one, other):
        await one.set_up("1", "es")
        await one.house.stop()
        await until(lambda: "1" in other.house.tables)
        found = await measured(other)
        assert found["novamas_lease_takeovers_total"] == 1
        assert found["novamas_lease_losses_total"] == 0


def test_times_are_counted_into_spans() -> None:
    spans = Spans()
    for seconds in (0.0005, 0.001, 0.002, 7.0):
        spans.note(seconds)
    counted = dict(spans.up_to())
    assert counted["0.001"] == 2
    assert counted["0.0025"] == 3
    assert counted["5.0"] == 3
    assert counted["+Inf"] == 4
    assert len(counted) == len(BOUNDS) + 1


# Readiness ----------------------------------------------------------------------------------------


@run
async def test_a_house_is_ready_when_its_store_answers_and_its_tables_are_served() -> None:
    async with open_door() as door:
        actor = await door.set_up("1", "es")
        answer = await door.http.get("/api/ready")
        assert answer.status_code == 200
        assert answer.json() == {"served": 1, "elsewhere": 0, "problems": []}
        actor.fail("a bolt from the blue")
        answer = await door.http.get("/api/ready")
        assert answer.status_code == 503
        assert answer.json() == {
            "detail": "table 1 is out of play: a bolt from the blue",
            "why": "not_ready",
        }
        # It lives all the same: to start it anew is for somebody to decide.
        assert (await door.http.get("/api/health")).status_code == 200


@run
async def test_a_store_that_does_not_answer_is_told_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "PATIENCE", 0.1)
    async with open_door(SqliteStore(tmp_path / "house.db")) as door:
        answers = threading.Event()
        blocked = asyncio.create_task(door.house.blocking(answers.wait))
        await asyncio.sleep(0)
        answer = await door.http.get("/api/ready")
        answers.set()
        assert answer.status_code == 503
        assert answer.json() == {"detail": "the store does not answer", "why": "not_ready"}
        await blocked
        assert (await door.http.get("/api/ready")).status_code == 200


@run
async def test_a_server_is_ready_for_the_tables_of_others(database: str) -> None:
    async with doors(database, "one", "other") as (one, other):
        await one.set_up("1", "es")
        answer = await other.http.get("/api/ready")
        assert (answer.status_code, answer.json()["elsewhere"]) == (200, 1)
        await die(other.house)
        await one.house.stop()
        answer = await other.http.get("/api/ready")
        assert answer.status_code == 503
        assert answer.json() == {"detail": "table 1 is served by nobody", "why": "not_ready"}
        assert isinstance(other.house.store, PostgresStore)
        witness = PostgresStore(database)
        cut_off(witness, other.house.store)
        witness.close()
        answer = await other.http.get("/api/ready")
        assert answer.status_code == 503
        assert "the store failed" in answer.json()["detail"]


@run
async def test_a_register_that_nobody_witnesses_is_told() -> None:
    async with open_door() as door:
        assert (await door.http.get("/api/ready")).status_code == 200
        door.people.registry.unwitnessed = "the checkpoints cannot be written: the disk is full"
        answer = await door.http.get("/api/ready")
        assert answer.status_code == 503
        assert "the register is out of use (reference " in answer.json()["detail"]
        assert (await door.http.post("/api/guests", json={"name": "ana"})).status_code == 503


def test_those_who_watch_have_a_port_of_their_own() -> None:
    with socket.socket() as free:
        free.bind((HOST, 0))
        port = free.getsockname()[1]
    url = f"http://{HOST}:{port}"
    with served(more=["--metrics", str(port)]) as house:
        tables = samples(httpx.get(f"{url}/metrics").text)
        in_all = sum(each for name, each in tables.items() if name.startswith("novamas_tables{"))
        assert in_all == len(HOUSES)
        assert httpx.get(f"{url}/api/ready").json()["served"] == len(HOUSES)
        assert httpx.get(f"{url}/api/health").status_code == 200
        unknown = httpx.get(f"{url}/api/tables")
        assert unknown.status_code == 404
        assert unknown.headers.items() >= {(k.lower(), v) for k, v in SAFE_HEADERS.items()}
        assert httpx.get(f"{house.url}/metrics").status_code == 401
        assert house.end(signal.SIGTERM) == 0
    assert house.complained == []
    assert f"  measures: {url}/metrics" in house.said


def test_a_port_for_measures_is_one() -> None:
    for wrong in ("many", "70000", "127.0.0.1"):
        assert "--metrics" in bad("serve", "--local", "--metrics", wrong)


# The journal --------------------------------------------------------------------------------------


def test_the_journal_is_a_line_of_json_for_each_thing_and_gives_nothing_away(
    tmp_path: Path, database: str
) -> None:
    journal = tmp_path / "journal"
    secret = "a nonce that nobody else knows"  # noqa: S105 - it is a test's

    async def play(url: str, token: str) -> None:
        async with TableClient(url, "es", token) as client:
            assert (await client.give(commands.Sit(by="ana"))).is_accepted
            client.set_text(secret)
            async for event in client.messages():
                if event.type == "NonceCommitted":
                    break

    with served(database, more=["--log", str(journal)]) as house:
        token = house.guest("ana")
        asyncio.run(play(house.url, token))
        with pytest.raises(httpx.HTTPStatusError):
            httpx.get(f"{house.url}/api/tables/none?token={token}").raise_for_status()
        thief = PostgresStore(database)
        thief._connection.execute("UPDATE novamas.leases SET epoch = epoch + 1, owner = 'thief'")
        thief.close()
        deadline = time.monotonic() + 60
        while "out of play" not in journal.read_text("utf-8"):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert house.end(signal.SIGTERM) == 0
        keys = list(house.keys.values())
    text = journal.read_text("utf-8")
    lines = [json.loads(line) for line in text.splitlines()]
    # The tests' own role is a superuser, and the house says so before it opens.
    assert [line["said"] for line in lines[:2]] == [
        "the role in the database has more rights than the house needs",
        "the house is open",
    ]
    assert lines[-1]["said"] == "the house is closed"
    lost = next(line for line in lines if line["said"] == "a table is out of play")
    assert lost["table"] in HOUSES
    assert lost["level"] == "warning"
    assert lost["why"] == "another server serves this table now"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", lost["at"])
    for hidden in (token, secret, "ana", *keys):
        assert hidden not in text


def test_what_could_open_a_door_does_not_get_into_a_line() -> None:
    record = logging.LogRecord(
        "uvicorn.error", logging.ERROR, "", 0, "%s", ("x?token=abc y",), None
    )
    record.why = "postgresql://ana:hush@db/house failed; Authorization: Bearer abcdef"
    record.nonce = "hush"
    problem = ValueError("key=abcdef")
    record.exc_info = (ValueError, problem, None)
    line = JsonLines().format(record)
    assert "\n" not in line
    for hidden in ("abc", "hush", "abcdef"):
        assert hidden not in line
    told = json.loads(line)
    assert told["said"] == "x?token=… y"
    assert told["error"].endswith("ValueError: key=…")
    assert discreet("nothing to hide") == "nothing to hide"
