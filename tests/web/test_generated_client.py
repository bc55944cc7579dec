"""A client that `openapi-python-client` makes of the published document: whole, and of use.

It is made in a temporary folder with every warning an error, all its modules are imported, and it
asks a house for everything. What it reads must be all that was sent.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest

from novamas.game.rulebook.behaviours import Act
from novamas.house.people.events import Post
from novamas.house.table.commands import RaiseDispute
from novamas.rulebooks import HOUSES
from novamas.table import commands
from novamas.web.app import create_app
from novamas.web.permissions import ANYBODY, ROUTES
from novamas.web.server import LocalHouse, Options
from tests.web.accounts import PASSWORD, Accounts, open_accounts
from tests.web.door import HOST, Door, open_door, run

PACKAGE = "generated_novamas_client"
LOCAL = LocalHouse(Options())
DOCUMENT: dict[str, Any] = create_app(LOCAL.house, LOCAL.people).openapi()
STAFF = {
    "cora": Post.CHIEF,
    "dino": Post.CHIEF,
    "cleo": Post.CROUPIER,
    "kai": Post.CASHIER,
    "olga": Post.AUDITOR,
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the generated package, which can be imported until the module is done."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_text(json.dumps(DOCUMENT), "utf-8")
    (folder / "config.json").write_text('{"post_hooks": []}', "utf-8")
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"]
    command += ["--path", "openapi.json", "--config", "config.json", "--output-path", PACKAGE]
    done = subprocess.run(
        [*command, "--fail-on-warning"], cwd=folder, capture_output=True, text=True, check=False
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "warning" not in said.lower(), said
    sys.path.insert(0, str(folder))
    yield folder / PACKAGE
    sys.path.remove(str(folder))
    for name in [each for each in sys.modules if each.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


class Generated:
    """The generated client, for one person at one house."""

    def __init__(self, door: Door, token: str | None = None) -> None:
        client = importlib.import_module(f"{PACKAGE}.client")
        more: dict[str, Any] = {
            "base_url": f"http://{HOST}",
            "httpx_args": {"transport": httpx.ASGITransport(app=door.app)},
            "raise_on_unexpected_status": True,
        }
        self._client = (
            client.Client(**more)
            if token is None
            else client.AuthenticatedClient(token=token, **more)
        )

    async def ask(self, operation: str, **asked: Any) -> Any:
        """The answer of an operation, read by the client: nothing of it may be lost."""
        answer = await _module(operation).asyncio_detailed(client=self._client, **asked)
        if answer.content:
            is_json = answer.headers["content-type"] == "application/json"
            assert _plain(answer.parsed) == (
                json.loads(answer.content) if is_json else answer.content.decode()
            )
        return answer.parsed

    async def send(self, operation: str, model: str, fields: dict[str, Any], **asked: Any) -> Any:
        """The answer of an operation with a body, which the client makes of its model."""
        kind = _model(model)
        return await self.ask(operation, body=kind.from_dict(fields), **asked)


def _module(operation: str) -> ModuleType:
    return next(
        importlib.import_module(f"{PACKAGE}.api.{each['tags'][0].replace('-', '_')}.{operation}")
        for methods in DOCUMENT["paths"].values()
        for each in methods.values()
        if each["operationId"] == operation
    )


def _model(name: str) -> Any:
    return getattr(importlib.import_module(f"{PACKAGE}.models"), name)


def _plain(parsed: Any) -> Any:
    if isinstance(parsed, list):
        return [_plain(each) for each in parsed]
    return parsed.to_dict() if hasattr(parsed, "to_dict") else parsed


def _is_problem(parsed: Any, why: str) -> bool:
    return isinstance(parsed, _model("Problem")) and parsed.why.value == why


# What is made -------------------------------------------------------------------------------------


def test_every_module_can_be_imported(made: Path) -> None:
    package = importlib.import_module(PACKAGE)
    names = [each.name for each in pkgutil.walk_packages(package.__path__, f"{PACKAGE}.")]
    for name in names:
        importlib.import_module(name)
    assert len(names) == len([*made.rglob("*.py")]) - 1  # The package itself is not in the list.
    operations = [each for methods in DOCUMENT["paths"].values() for each in methods.values()]
    for operation in operations:
        assert inspect.iscoroutinefunction(_module(operation["operationId"]).asyncio_detailed)


def test_every_schema_has_a_model(made: Path) -> None:
    models = importlib.import_module(f"{PACKAGE}.models")
    missing = [name for name in DOCUMENT["components"]["schemas"] if not hasattr(models, name)]
    assert not missing
    fields = {
        name: schema["properties"].keys()
        for name, schema in DOCUMENT["components"]["schemas"].items()
        if "properties" in schema
    }
    for name, told in fields.items():
        attributes = {each.name for each in getattr(models, name).__attrs_attrs__}
        assert len(attributes - {"additional_properties"}) == len(told), name
    assert made.is_dir()


# What it reads ------------------------------------------------------------------------------------


class Evening:
    """A table of one house at which ana plays; nobody deals it but the test."""

    def __init__(self, accounts: Accounts, house: str) -> None:
        self._accounts = accounts
        self._table = house
        self._actor = accounts.house.tables[house]

    async def do(self, command: type[commands.Command], act: Act, **more: Any) -> None:
        by = self._actor.house_table.state.who_may(act)
        await self._accounts.must(self._table, command(by=by or "", **more))

    async def bet(self) -> None:
        state = self._actor.house_table.state
        for on in ("17", "17/20", "red", "d2"):
            stake = commands.PlaceStake(
                by="ana", id=f"{state.coup} {on}", player="ana", on=on, amount=100
            )
            await self._accounts.must(self._table, stake)
        call = next(iter(state.book.announcements.calls.values()), None)
        if call is not None:
            amount, id = 20 * len(call.pieces), f"call {state.coup}"
            said = commands.Announce(by="ana", id=id, player="ana", call=call.name, amount=amount)
            await self._accounts.must(self._table, said)

    async def collect(self, number: int) -> None:
        await self.do(commands.LaunchBall, Act.LAUNCH_BALL)
        await self.do(commands.CloseBetting, Act.CLOSE_BETTING)
        await self.do(commands.PocketBall, Act.POCKET_BALL, number=number)
        await self.do(commands.CallNumber, Act.CALL_NUMBER)
        await self.do(commands.CollectLosers, Act.COLLECT)

    async def pay(self) -> None:
        if self._actor.house_table.state.due:
            await self.do(commands.PayWinners, Act.PAY)


async def opened(accounts: Accounts) -> dict[Post, Generated]:
    """Somebody at each post, each with a client; ana has chips at a table of each house."""
    await accounts.known("ana", Post.PLAYER, money=1_000_000)
    ana = await accounts.signed("ana", Post.PLAYER)
    clients = {Post.PLAYER: Generated(accounts, ana.token)}
    for name, post in STAFF.items():
        await accounts.known(name, post)
        clients.setdefault(post, Generated(accounts, (await accounts.signed(name, post)).token))
    for house in HOUSES:
        await accounts.set_up(house, house)
        async with accounts.listening(house, ana) as socket:
            await socket.must("Sit")
            await socket.must("BuyChips", player="ana", amount=50_000)
    return clients


async def read_all(clients: dict[Post, Generated], house: str) -> dict[str, Any]:
    """Asks every `GET` route, by everybody who may; each answer as it was read last."""
    known = {"table": house, "id": house, "other": HOUSES[0], "name": "ana", "coup": 1}
    found: dict[str, Any] = {}
    for path, methods in DOCUMENT["paths"].items():
        if "get" not in methods:
            continue
        id, who = methods["get"]["operationId"], ROUTES[f"GET {path}"]
        asked = {
            each["name"]: known[each["name"]]
            for each in methods["get"].get("parameters", ())
            if each["in"] == "path"
        }
        for post, client in clients.items():
            if ANYBODY in who or post in who:
                found[id] = await client.ask(id, **asked)
                assert not isinstance(found[id], _model("Problem")), (id, found[id])
    return found


@pytest.mark.usefixtures("made")
@run
async def test_every_get_route_is_read_whole_in_every_house() -> None:
    routes = sum("get" in methods for methods in DOCUMENT["paths"].values())
    async with open_accounts() as accounts:
        clients = await opened(accounts)
        for house in HOUSES:
            evening = Evening(accounts, house)
            await evening.bet()
            assert len((await clients[Post.PLAYER].ask("get_table", table=house)).stakes) >= 4
            await evening.collect(17)
            assert (await clients[Post.CROUPIER].ask("list_payments", table=house)).payments
            await evening.pay()
            raised = RaiseDispute(by="ana", player="ana", coup=1, says="it was 20")
            await accounts.must(house, raised)
            await evening.bet()
            await evening.collect(0)
            await evening.pay()
            found = await read_all(clients, house)
            assert len(found) == routes
            assert len(found["list_coups"]) == 2
            assert found["explain_coup"].lines
            assert found["list_coup_bets"].others
            assert len(found["settle_elsewhere"].houses) == len(HOUSES) - 1
            assert found["list_decisions"].open_
            assert found["list_events"][-1].seq == len(found["list_events"])
            assert found["get_cloth"].startswith("<svg")
            assert found["get_rulebook"].title.to_dict()
            assert found["get_wallet"].money == 1_000_000 - 50_000 * len(HOUSES)


@pytest.mark.usefixtures("made")
@run
async def test_what_takes_two_people_is_asked_and_approved() -> None:
    async with open_accounts() as accounts:
        clients = await opened(accounts)
        cora, kai = clients[Post.CHIEF], clients[Post.CASHIER]
        dino = Generated(accounts, (await accounts.signed("dino", Post.CHIEF)).token)
        new = {"name": "luis", "password": PASSWORD, "posts": ["player"]}
        made = await cora.send("register_person", "NewPerson", new)
        assert (made.name, [post.value for post in made.posts]) == ("luis", ["player"])
        staff = {**new, "name": "pia", "posts": ["croupier"], "reason": "hired"}
        waits = await cora.send("register_person", "NewPerson", staff)
        assert (waits.act.value, waits.by, waits.own) == ("register_staff", "cora", True)
        (listed,) = await dino.ask("list_approvals")
        assert (listed.id, listed.yours) == (waits.id, True)
        decision = {"approve": True, "reason": "seen her papers"}
        done = await dino.send("decide_approval", "ApprovalDecision", decision, id=waits.id)
        assert done is None
        assert "pia" in [each.name for each in await cora.ask("list_people")]
        posts = {"posts": ["player", "cashier"], "reason": "helps out"}
        moved = await cora.send("change_posts", "NewPosts", posts, name="luis")
        assert moved.act.value == "change_posts"
        word = {"new": f"{PASSWORD} again", "reason": "forgot it"}
        set_ = await cora.send("request_password", "OtherPassword", word, name="luis")
        assert set_.act.value == "set_password"
        paid = await kai.send("pay_in", "Cash", {"amount": 500, "id": "p1"}, name="luis")
        assert paid.money == 500
        large = {"amount": 10**9, "id": "p2", "reason": "a large sum"}
        assert (await kai.send("pay_in", "Cash", large, name="luis")).act.value == "credit_desk"
        out = await kai.send("pay_out", "Cash", {"amount": 200, "id": "p3"}, name="luis")
        assert out.money == 300
        limits = {"desk": 1000, "table": 1000, "reason": "fewer risks"}
        asked = await cora.send("request_alone_limits", "NewAloneLimits", limits)
        assert asked.details.to_dict() == {"desk": 1000, "table": 1000}
        assert await cora.ask("revoke_sessions", name="luis", reason="lost a phone") is None
        table = {"table": "new", "rulebook": "it", "ball": "wheel", "zone": []}
        assert (await cora.send("set_up_table", "NewTable", table)).table == "new"


@pytest.mark.usefixtures("made")
@run
async def test_an_account_is_used_and_problems_are_read() -> None:
    async with open_accounts() as accounts:
        await accounts.known("ana", Post.PLAYER, money=1000)
        nobody = Generated(accounts)
        told = {"name": "ana", "password": PASSWORD, "post": "player", "by": "token"}
        session = await nobody.send("sign_in", "SignIn", told)
        wrong = await nobody.send("sign_in", "SignIn", {**told, "password": "not it at all"})
        assert _is_problem(wrong, "not_recognised")
        ana = Generated(accounts, session.token)
        assert (await ana.ask("get_me")).money == 1000
        assert (await ana.ask("get_mode")).me.name == "ana"
        limited = await ana.send("set_limit", "NewLimit", {"kind": "spend", "amount": 300})
        assert limited.limits.to_dict()["spend"]["amount"] == 300
        assert await ana.ask("report_presence") is None
        assert (await ana.ask("make_totp_secret")).uri.startswith("otpauth://")
        assert (await ana.ask("make_passkey_options")).public_key.to_dict()["challenge"]
        assert (await nobody.ask("get_passkey_challenge")).public_key.to_dict()["challenge"]
        ended = await ana.send("end_other_sessions", "Confirmed", {"password": PASSWORD})
        assert ended is None
        assert _is_problem(await ana.ask("list_people"), "not_for_you")
        assert _is_problem(await ana.ask("get_table", table="nowhere"), "no_such_thing")
        assert _is_problem(await nobody.ask("get_rulebook", id="xx"), "no_such_thing")
        shut = await ana.send("exclude_self", "NewExclusion", {"until": 2**52})
        assert shut.excluded_until == 2**52
        assert _is_problem(await ana.ask("get_me"), "session_not_good")


@pytest.mark.usefixtures("made")
@run
async def test_guests_and_keys_of_a_local_house() -> None:
    async with open_door() as door:
        nobody = Generated(door)
        guest = await nobody.send("sign_in_guest", "Guest", {"name": "ana"})
        assert (guest.name, guest.role.value) == ("ana", "player")
        again = await nobody.send("sign_in_guest", "Guest", {"name": "ana"})
        assert isinstance(again, _model("Problem"))
        bad = await nobody.send("open_console", "Key", {"key": "no such key"})
        assert _is_problem(bad, "key_not_good")
        ana = Generated(door, guest.token)
        assert await ana.ask("sign_out") is None
        assert _is_problem(await ana.ask("get_me"), "session_not_good")
