"""The page for whoever runs a house is true, and so is what lies in `deploy/`."""

from __future__ import annotations

import asyncio
import configparser
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml  # type: ignore[import-untyped]

from novamas.cli.parser import build_parser
from novamas.house.actor import _told
from novamas.house.commands import FillBank, OpenBank
from novamas.house.store import MOVED, StoreError
from novamas.house.tenancy import SILENT
from novamas.table import commands
from novamas.web import operations
from novamas.web.client import TableClient
from scripts.ledger import ROOT
from tests.web.authenticator import enter

PAGE = (ROOT / "docs" / "operating.md").read_text("utf-8")
DEPLOY = ROOT / "deploy"
BIN = Path(sys.executable).parent


def executed() -> list[str]:
    """The blocks of the page that are run, from top to bottom."""
    return re.findall(r"<!-- executed -->\n```sh\n(.*?)```", PAGE, re.DOTALL)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.fixture
def ports() -> dict[str, str]:
    """Ports of this machine in place of those on the page."""
    return {"8037": str(free_port()), "9037": str(free_port())}


@pytest.fixture
def shell(tmp_path: Path, ports: dict[str, str]) -> Iterator[Any]:
    """Runs a block in a folder of its own; what it leaves running ends with the test."""
    started: list[subprocess.Popen[str]] = []

    def run(block: str) -> str:
        for written, here in ports.items():
            block = block.replace(written, here)
        ran = subprocess.Popen(
            ["bash", "-euo", "pipefail", "-c", block],  # noqa: S607 - the shell of the page
            cwd=tmp_path,
            env={**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if "&\n" not in block else subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        started.append(ran)
        out, _ = ran.communicate(timeout=120)
        assert ran.returncode == 0, out
        return out or ""

    yield run
    for ran in started:
        try:
            os.killpg(ran.pid, signal.SIGTERM)
        except ProcessLookupError:
            continue


@pytest.mark.program("curl")
def test_the_page_can_be_followed_from_top_to_bottom(
    shell: Any, ports: dict[str, str], tmp_path: Path
) -> None:
    start, backup, watch = executed()
    shell(start)
    _wait_for(f"http://127.0.0.1:{ports['9037']}/api/ready")
    copied = shell(backup)
    assert "verified, and nothing differs" in copied
    assert copied.rstrip().endswith("--checkpoints FILE")
    seen = shell(watch)
    assert '"status":"ok"' in seen
    assert '"problems":[]' in seen
    assert "novamas_info" in seen
    assert "the house is open" in (tmp_path / "house.log").read_text("utf-8")


def test_the_first_evening_goes_as_the_page_tells(shell: Any, ports: dict[str, str]) -> None:
    """Every step of it, by whom the page names, at the house that the page starts."""
    assert "## The first evening" in PAGE
    start, *_ = executed()
    ((password, other),) = re.findall(
        r"printf '%s\\n' '(.+)' '(.+)' [|]\s+novamas house init", start
    )
    shell(start)
    _wait_for(f"http://127.0.0.1:{ports['9037']}/api/ready")
    url = f"http://127.0.0.1:{ports['8037']}"

    def sign_in(name: str, post: str, **words: str) -> str:
        with httpx.Client(base_url=url) as http:
            return str(enter(http, name, post=post, **words))

    def ask(token: str, path: str, body: dict[str, Any]) -> Any:
        bearer = {"Authorization": f"Bearer {token}"}
        answer = httpx.post(f"{url}{path}", json=body, headers=bearer)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    vera = sign_in("Vera", "chief", password=password)
    ines = sign_in("Ines", "chief", password=other)
    for name, post in (("Nino", "cashier"), ("ana", "player")):
        person = {"name": name, "password": "first words 1", "posts": [post], "reason": "new"}
        asked = ask(vera, "/api/people", person)
        if post != "player":
            ask(ines, f"/api/approvals/{asked['id']}", {"approve": True, "reason": "hired"})
    ask(vera, "/api/tables", {"table": "mesa", "rulebook": "es", "ball": "drawn"})
    nino = sign_in("Nino", "cashier", password="first words 1", new="a till with two locks")  # noqa: S106
    ana = sign_in("ana", "player", password="first words 1", new="orphelins and tiers")  # noqa: S106
    ask(nino, "/api/desk/ana/in", {"id": "in 1", "amount": 5_000})

    async def evening() -> None:
        async with TableClient(url, "mesa", nino) as desk:
            assert (await desk.give(OpenBank(by="Nino", amount=100_000))).is_accepted
            assert (await desk.give(FillBank(by="Nino", amount=50_000))).is_accepted
        async with TableClient(url, "mesa", ana) as seat:
            for command in (
                commands.Sit(by="ana"),
                commands.BuyChips(by="ana", player="ana", amount=1_000),
                commands.PlaceStake(by="ana", id="b1", player="ana", on="17", amount=100),
            ):
                answer = await seat.give(command)
                assert answer.is_accepted, answer

    asyncio.run(evening())


def _wait_for(url: str) -> None:
    until = time.monotonic() + 30
    while True:
        try:
            httpx.get(url).raise_for_status()
        except httpx.HTTPError:
            assert time.monotonic() < until
            time.sleep(0.1)
        else:
            return


def test_every_measure_of_the_page_is_one_and_the_other_way_round() -> None:
    source = Path(operations.__file__).read_text("utf-8")
    told = set(re.findall(r"`(novamas_\w+)", PAGE))
    there = {f"novamas_{name}" for name in re.findall(r'_family\("(\w+)"', source)}
    assert told == there - {"novamas_info"} | {"novamas_commit_seconds"}


def test_the_reasons_of_the_page_are_those_of_the_house() -> None:
    for reason in (MOVED, SILENT):
        assert f"`{reason}`" in PAGE
    for problem in (StoreError("x"), ValueError("x")):
        start = _told(problem).partition("(reference ")[0]
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
        "src",
    ]
