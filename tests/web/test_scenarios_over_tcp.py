"""Every shared script through the running server, a separate process, over TCP.

What comes of each is what `novamas run` says, in every detail; every log verifies; and every day
that is exported plays to the same money elsewhere.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from novamas.house.log.stores.addresses import open_durable
from novamas.house.log.verify import verify_table
from novamas.rulebooks import load_any
from novamas.table.script import Table, run_script
from novamas.table.state import State
from novamas.web.remote_scripts import RemoteError, RemoteHouse
from tests.cli.running import good, novamas
from tests.scenarios.check import differences, every_script
from tests.web.serving import Served, served

SCRIPTS = every_script()


class Seen(NamedTuple):
    """What came of a script at the running house, and what was left there."""

    outcome: dict[str, Any]
    export: list[dict[str, Any]]
    events: int
    coups: int
    problems: list[str]


class Seats:
    """Finds a table for each script, and remembers which."""

    def __init__(self, house: RemoteHouse) -> None:
        self._house = house
        self.last = ""

    def __call__(self, state: State) -> Table:
        table = self._house.seat(state)
        self.last = self._house.tables[-1]
        return table


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def seen(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Seen]:
    """All scripts, played at one house that keeps everything in a file, or in a database."""
    store = str(tmp_path_factory.mktemp("house") / "house.db")
    if request.param == "postgres":
        store = request.getfixturevalue("postgres_server").database()
    outcomes: dict[str, dict[str, Any]] = {}
    tables: dict[str, str] = {}
    exports: dict[str, Any] = {}
    with served(store) as house:
        token = house.token("management")
        with RemoteHouse(house.url, token) as remote:
            seats = Seats(remote)
            for script in SCRIPTS:
                outcomes[script["id"]] = run_script(script, load_any, seat=seats)
                tables[script["id"]] = seats.last
        with httpx.Client(base_url=house.url, timeout=30) as http:
            http.headers["Authorization"] = f"Bearer {token}"
            for id, table in tables.items():
                answer = http.get(f"/api/tables/{table}/export")
                assert answer.status_code == 200
                exports[id] = answer.json()
        assert house.end(signal.SIGTERM) == 0
        assert house.complained == []
    kept = open_durable(store, read_only=True)
    verdicts = {id: verify_table(kept, table) for id, table in tables.items()}
    kept.close()
    return {
        id: Seen(outcomes[id], exports[id], verdict.events, verdict.coups, verdict.problems)
        for id, verdict in verdicts.items()
    }


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script["id"])
def test_the_outcome_is_the_same_over_tcp(script: dict[str, Any], seen: dict[str, Seen]) -> None:
    outcome = seen[script["id"]].outcome
    assert outcome == run_script(script, load_any)
    assert not list(differences(script["expect"], outcome))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script["id"])
def test_its_log_verifies(script: dict[str, Any], seen: dict[str, Seen]) -> None:
    found = seen[script["id"]]
    assert found.problems == []
    assert found.events > 0
    assert found.coups == len(found.outcome["coups"])


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script["id"])
def test_its_export_plays_to_the_same_money(
    script: dict[str, Any], seen: dict[str, Seen], tmp_path: Path
) -> None:
    found = seen[script["id"]]
    file = tmp_path / "day.json"
    file.write_text(json.dumps(found.export), "utf-8")
    (again,) = json.loads(good("run", "--json", str(file)))
    assert again["refused"] == []
    for key in ("purses", "bank", "custody"):
        assert again.get(key) == found.outcome.get(key)
    numbers = [coup["number"] for coup in found.outcome["coups"]]
    assert [coup["number"] for coup in again["coups"]] == numbers


# The command --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def house() -> Iterator[Served]:
    with served() as running:
        yield running


def test_the_command_plays_at_a_running_house(house: Served, tmp_path: Path) -> None:
    file = tmp_path / "scripts.json"
    file.write_text(json.dumps(SCRIPTS[:4]), "utf-8")
    here = good("run", "--json", str(file))
    there = good("run", "--json", "--on", house.url, "--key", house.keys["management"], str(file))
    assert there == here
    tables = httpx.get(f"{house.url}/api/tables").json()
    assert sum(table["table"].startswith("script-") for table in tables) == 4


def test_the_command_says_what_is_wrong_with_the_house(house: Served, tmp_path: Path) -> None:
    file = tmp_path / "scripts.json"
    file.write_text(json.dumps(SCRIPTS[:1]), "utf-8")
    for arguments, told in (
        (("--on", house.url, "--key", "wrong"), "the key is not good, or was used before"),
        (("--on", house.url, "--key", house.keys["chief"]), "by the management"),
        (("--on", "http://127.0.0.1:9", "--key", "x"), "no house answers at http://127.0.0.1:9: "),
        (("--on", "elsewhere", "--key", "x"), "begins with http"),
        (("--on", house.url), "--key"),
        (("--key", "x"), "--on"),
    ):
        ran = novamas("run", *arguments, str(file))
        assert ran.code == 2
        assert told in ran.err
        assert ran.out == ""


def test_a_book_that_the_house_does_not_have(house: Served) -> None:
    script = {"rulebook": "docs/examples/paris.toml", "script": [], "purses": {}}
    root = Path(__file__).parents[2]
    with (
        RemoteHouse(house.url, "not needed") as remote,
        pytest.raises(RemoteError, match="does not play by"),
    ):
        run_script(script, lambda name: load_any(str(root / name)), seat=remote.seat)
