"""The page for whoever runs a house is true, and so is what lies in `deploy/`."""

from __future__ import annotations

import configparser
import contextlib
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml  # type: ignore[import-untyped]

from novamas.cli.parser import build_parser
from novamas.house.leases import SILENT
from novamas.house.log.store import MOVED, StoreError
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.people.events import AccessRestored, ApprovalDecided
from novamas.house.people.registry import LOG, decode
from novamas.house.table.actor import _describe_error
from novamas.web.routes import operations
from scripts.ledger import ROOT

PAGE = (ROOT / "docs" / "how-to" / "operating.md").read_text("utf-8")
DEPLOY = ROOT / "deploy"
BIN = Path(sys.executable).parent
HUNG = 900
"""Seconds after which the page counts as hung: an evening of a dozen commands, on any machine."""


def executed() -> list[str]:
    """The blocks of the page that are run, from top to bottom."""
    return re.findall(r"<!-- executed -->\n```sh\n(.*?)```", PAGE, re.DOTALL)


def free_port() -> str:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


class Played(NamedTuple):
    """What came of the page."""

    folder: Path
    said: list[str]
    """What each block printed."""
    whole: str


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The page, played from top to bottom in an empty folder: its very lines, in one shell."""
    folder = tmp_path_factory.mktemp("empty")
    mark = "==== the next block"
    script = f"\necho '{mark}'\n".join(executed())
    ports = {"PORT": free_port(), "METRICS": free_port()}
    output = tmp_path_factory.mktemp("said") / "output"
    # Into a file: a house that goes on after the shell has failed would hold a pipe open.
    with output.open("wb") as written:
        running = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", script],  # noqa: S607 - the shell of the page
            cwd=folder,
            env={**os.environ, **ports, "PATH": f"{BIN}:{os.environ['PATH']}"},
            stdin=subprocess.DEVNULL,
            stdout=written,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        code = running.wait(timeout=HUNG)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    out = output.read_text("utf-8")
    assert code == 0, out
    return Played(folder, out.split(f"{mark}\n"), out)


def told(played: Played, part: str) -> str:
    """What the block printed in which something stands."""
    (at,) = (number for number, block in enumerate(executed()) if part in block)
    return played.said[at]


@pytest.mark.slow
@pytest.mark.program("curl")
@pytest.mark.program("openssl")
class TestThePageIsPlayedAsItStands:
    """One evening by the page, and what it must have brought about."""

    def test_the_house_opens_over_tls_and_is_watched(self, played: Played) -> None:
        assert "Vera is chief of the house" in told(played, "house init")
        assert "the house is open: https://127.0.0.1:" in played.whole
        watched = told(played, "/metrics")
        assert '"status":"ok"' in watched
        assert '"problems":[]' in watched
        assert "novamas_info" in watched
        assert "the house is open" in (played.folder / "house.log").read_text("utf-8")

    def test_every_request_of_the_evening_is_done(self, played: Played) -> None:
        staff = told(played, '"Nino", "password"')
        assert staff.count('"guest":false') == 1, "a player is known at once"
        assert staff.count('"kind":"totp"') == 4
        tables = told(played, "/api/tables")
        assert '"table":"mesa"' in tables
        assert '"table":"rueda"' in tables
        banks = told(played, "mesa OpenBank").splitlines()
        assert [line.partition(" is done")[0] for line in banks] == [
            "mesa: OpenBank",
            "mesa: FillBank",
            "rueda: TakePost",
            "rueda: TakePost",
            "rueda: OpenBank",
            "rueda: OpenTable",
        ]
        bought = told(played, "BuyChips")
        assert '"money":5000' in bought
        assert "mesa: PlaceStake is done" in bought
        assert '"money":1000' in bought
        closed = told(played, "CloseTable")
        for command in ("CloseTable", "CountBank", "CreditBank"):
            assert f"mesa: {command} is done" in closed

    def test_what_it_leaves_is_a_sound_house_and_its_backup(self, played: Played) -> None:
        assert "verified, and nothing differs" in told(played, "novamas backup")
        assert told(played, "novamas backup").count(": whole") == 3
        assert "mesa: " in told(played, "verify log house.db")
        assert "whole, and witnessed" in told(played, "verify log house.db")
        checked = told(played, "verify ledger house.db")
        assert checked.count("summing to zero and agreeing with") == 3
        assert "mesa: " in checked
        with closing(SqliteStore(played.folder / "house.db", read_only=True)) as store:
            kinds = [record.type for record in store.read("mesa")]
            register = [decode(record) for record in store.read(LOG)]
        opened = kinds.index("TableOpened")
        assert kinds.index("BankOpened") < opened < kinds.index("StakePlaced")
        assert kinds[-2:] == ["BankCounted", "BankCredited"]
        approved = [each for each in register if isinstance(each, ApprovalDecided)]
        assert [each.by for each in approved] == ["Ines", "Ines"], "staff takes two people"
        (restored,) = (each for each in register if isinstance(each, AccessRestored))
        assert (restored.name, restored.by) == ("Vera", "machine")

    def test_the_chief_has_a_first_password(self, played: Played) -> None:
        said = told(played, "house password")
        assert "the house is closed; nothing was lost" in said
        assert re.search(r"^first password of Vera: \S{20}$", said, re.MULTILINE)

    def test_keys_and_tokens_are_for_their_owner_alone(self, played: Played) -> None:
        names = {each.name for each in played.folder.iterdir()}
        assert {"tls-key.pem", "tls-certificate.pem", "house.db.ball-key"} <= names
        assert (played.folder / "witness" / "house.checkpoints.signing-key").is_file()
        assert not list(played.folder.rglob("*.key"))
        for each in played.folder.rglob("*"):
            assert each.stat().st_mode & 0o077 == 0, each


def test_no_port_and_no_path_of_the_page_stands_where_a_variable_should() -> None:
    """So the test plays the page's own text: only what the page itself lets one set is set."""
    script = "".join(executed())
    assert re.findall(r"\b[89]037\b", script) == ["8037", "9037"]
    assert "/tmp" not in script  # noqa: S108 - that is what is looked for
    assert "http://127.0.0.1:$METRICS" in script


def test_every_measure_of_the_page_is_one_and_the_other_way_round() -> None:
    source = Path(operations.__file__).read_text("utf-8")
    told = set(re.findall(r"`(novamas_\w+)", PAGE))
    there = {f"novamas_{name}" for name in re.findall(r'_family\("(\w+)"', source)}
    assert told == there - {"novamas_info"} | {"novamas_commit_seconds"}


def test_the_reasons_of_the_page_are_those_of_the_house() -> None:
    for reason in (MOVED, SILENT):
        assert f"`{reason}`" in PAGE
    for problem in (StoreError("x"), ValueError("x")):
        start = _describe_error(problem).partition("(reference ")[0]
        assert f"`{start}(reference …)`" in PAGE


def commands_of(text: str) -> Iterator[list[str]]:
    """The arguments of every `novamas serve` in a text."""
    for found in re.findall(r"novamas (serve [^&\n]*)", text.replace("\\\n", " ")):
        words = shlex.split(found.replace("…", ""))
        yield [re.sub(r"\$\{\w+\}", "value", word) for word in words]


def test_every_command_to_serve_can_be_given() -> None:
    page, unit = list(commands_of(PAGE)), list(commands_of(read("novamas.service")))
    assert len(page) >= 5
    assert len(unit) == 1
    compose = yaml.safe_load(read("compose.yaml"))["services"]["house"]["command"]
    for words in (*page, *unit, compose):
        build_parser().parse_args(words)


def read(name: str) -> str:
    return (DEPLOY / name).read_text("utf-8")


def test_the_unit_is_sound_and_closed() -> None:
    parser = configparser.RawConfigParser(strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(read("novamas.service"))
    assert parser["Service"]["KillSignal"] == "SIGTERM"
    assert parser["Service"]["NoNewPrivileges"] == "yes"
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        return
    unit = str(DEPLOY / "novamas.service")
    verified = subprocess.run(
        [analyze, "verify", unit], capture_output=True, text=True, check=False
    )
    complaints = [each for each in verified.stderr.splitlines() if "is not executable" not in each]
    assert complaints == []


def test_the_containers_come_from_no_address_in_particular() -> None:
    services = yaml.safe_load(read("compose.yaml"))["services"]
    images = [service["image"] for service in services.values()]
    images += re.findall(r"^FROM (\S+)", read("Containerfile"), re.MULTILINE)
    assert images
    assert all(re.fullmatch(r"[a-z]+(:[\w.-]+)?", image) for image in images)
    ports = [port for service in services.values() for port in service.get("ports", ())]
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_what_is_shipped_has_no_history_and_no_tests_in_it() -> None:
    copied = re.findall(r"^COPY (?!--from)(.+) \S+$", read("Containerfile"), re.MULTILINE)
    assert [path for line in copied for path in line.split()] == [
        "pyproject.toml",
        "README.md",
        "LICENSE",
        "requirements/serve.lock",
        "scripts/build_hooks.py",
        "src",
    ]
