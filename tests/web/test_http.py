"""The house over HTTP: each route, asked well and badly, by everybody."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from pydantic import BaseModel

from novamas.drawing.svg import cloth_svg
from novamas.house.people.events import Post as Role
from novamas.house.table.actor import TableStoppedError
from novamas.house.table.events import BallMode
from novamas.house.views import history, live_view, rulebook_view, table_view
from novamas.rulebooks import HOUSES, load, load_any
from novamas.table import commands
from novamas.table.script import run_script
from novamas.table.state import Setup
from novamas.web import schemas
from novamas.web.app import LARGEST_BODY, SAFE_HEADERS
from tests.web.answers import check_shape
from tests.web.door import HOST, Door, open_door, run
from tests.web.full_store import FullStore


async def played(door: Door, table: str = "t", rulebook: str = "es") -> None:
    """A table at which ana played a coup, and lays a stake for the next."""
    await door.set_up(table, rulebook)
    await door.must(table, commands.Sit(by="ana"))
    buys = commands.BuyChips(by="croupier 1", player="ana", amount=1000)
    await door.must(table, buys)
    for id, spot in (("b1", "17"), ("b2", "red")):
        stake = commands.PlaceStake(by="ana", id=id, player="ana", on=spot, amount=50)
        await door.must(table, stake)
    for command in (
        commands.LaunchBall(by="croupier 1"),
        commands.CloseBetting(by="croupier 1"),
        commands.PocketBall(by="croupier 1", number=17),
        commands.CallNumber(by="croupier 1"),
        commands.CollectLosers(by="croupier 1"),
        commands.PayWinners(by="croupier 1"),
        commands.PlaceStake(by="ana", id="b3", player="ana", on="18", amount=20),
    ):
        await door.must(table, command)


# Who is there -------------------------------------------------------------------------------------


@run
async def test_health() -> None:
    async with open_door() as door:
        answer = await door.http.get("/api/health")
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@run
async def test_a_guest_is_given_a_name_a_token_and_play_money() -> None:
    async with open_door(guest_money=500) as door:
        answer = await door.http.post("/api/guests", json={"name": "ana"})
        told = answer.json()
        assert answer.status_code == 201
        check_shape(schemas.Opened, told)
        assert (told["name"], told["role"], told["money"]) == ("ana", "player", 500)
        bearer = {"Authorization": f"Bearer {told['token']}"}
        me = await door.http.get("/api/me", headers=bearer)
        assert me.json() == {"name": "ana", "role": "player", "money": 500, "enrolling": False}


@run
async def test_a_guest_without_a_name_is_given_one() -> None:
    async with open_door() as door:
        names = [(await door.http.post("/api/guests", json={})).json()["name"] for _ in range(3)]
        assert names == ["guest-1", "guest-2", "guest-3"]


@pytest.mark.parametrize(
    "name",
    ["", "  ", "a\nb", "a\x00", "auto", "Auto croupier 1", "management", "MANAGEMENT", "ａuto"],
)
@run
async def test_a_name_that_nobody_can_have(name: str) -> None:
    async with open_door() as door:
        answer = await door.http.post("/api/guests", json={"name": name})
        assert answer.status_code == 409
        check_shape(schemas.Problem, answer.json())


@pytest.mark.parametrize("again", ["ana", "ANA", " ana ", "Ana"])
@run
async def test_a_name_is_taken_however_it_is_written(again: str) -> None:
    async with open_door() as door:
        await door.http.post("/api/guests", json={"name": "ana"})
        answer = await door.http.post("/api/guests", json={"name": again})
        assert answer.status_code == 409
        assert "is taken" in answer.json()["detail"]


@run
async def test_a_key_opens_a_console_once() -> None:
    async with open_door() as door:
        key = door.people.issue_key("chief", Role.CHIEF)
        answer = await door.http.post("/api/sessions", json={"key": key})
        assert answer.status_code == 201
        check_shape(schemas.Opened, answer.json())
        assert (answer.json()["name"], answer.json()["role"]) == ("chief", "chief")
        again = await door.http.post("/api/sessions", json={"key": key})
        assert again.status_code == 403
        assert again.json() == {
            "detail": "the key is not good, or was used before",
            "why": "key_not_good",
        }


@run
async def test_me_without_a_token_or_with_a_wrong_one() -> None:
    async with open_door() as door:
        for headers in ({}, {"Authorization": "Bearer nothing"}, {"Authorization": "Basic x"}):
            answer = await door.http.get("/api/me", headers=headers)
            assert answer.status_code == 401
            assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/guests", {"name": 17}),
        ("/api/guests", {"name": "x" * 25}),
        ("/api/guests", {"nombre": "ana"}),
        ("/api/guests", []),
        ("/api/sessions", {}),
        ("/api/sessions", {"key": None}),
        ("/api/sessions", {"key": "x" * 129}),
        ("/api/tables", {"table": "x"}),
        ("/api/tables", {"table": "../x", "rulebook": "ar"}),
        ("/api/tables", {"table": "x", "rulebook": "ar", "chip": 0}),
        ("/api/tables", {"table": "x", "rulebook": "ar", "chip": 10**13}),
        ("/api/tables", {"table": "x", "rulebook": "ar", "limits": {"straight": {"max": 10**30}}}),
    ],
)
@run
async def test_a_body_that_is_not_understood(path: str, body: Any) -> None:
    async with open_door() as door:
        headers = door.bearer(Role.MANAGEMENT)
        answer = await door.http.post(path, json=body, headers=headers)
        assert answer.status_code == 422
        check_shape(schemas.Problem, answer.json())
        assert ": " in answer.json()["detail"]
        assert not door.house.tables


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff\xfe", b'{"name": "\\ud800"}', b"[" * 100_000, b"1" * 10_000]
)
@run
async def test_a_body_that_cannot_be_read(body: bytes) -> None:
    async with open_door() as door:
        answer = await door.http.post(
            "/api/guests", content=body, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code in (400, 422)
        check_shape(schemas.Problem, answer.json())


# The door -----------------------------------------------------------------------------------------


@run
async def test_a_body_that_is_too_long_is_not_taken() -> None:
    async with open_door() as door:
        body = json.dumps({"name": "x" * LARGEST_BODY}).encode()

        async def in_parts() -> AsyncIterator[bytes]:
            for start in range(0, len(body), 1000):
                yield body[start : start + 1000]

        kind = {"Content-Type": "application/json"}
        for answer in (
            await door.http.post("/api/guests", content=body, headers=kind),
            await door.http.post("/api/guests", content=in_parts(), headers=kind),
        ):
            assert answer.status_code == 413
            assert answer.json() == {"detail": "the request is too long", "why": "too_long"}
            assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("length", ["x", "-1", "9" * 5000, "1.5"])
@run
async def test_a_length_that_is_no_number_is_not_taken(length: str) -> None:
    async with open_door() as door:
        request = door.http.build_request("GET", "/api/health")
        request.headers["Content-Length"] = length
        answer = await door.http.send(request)
        assert answer.status_code == 413


@run
async def test_every_answer_has_the_safe_headers() -> None:
    async with open_door() as door:
        for path in ("/api/health", "/api/nothing", "/api/tables/none"):
            answer = await door.http.get(path)
            for name, value in SAFE_HEADERS.items():
                assert answer.headers[name] == value


@run
async def test_a_house_on_the_loopback_answers_to_no_other_name() -> None:
    """A page of elsewhere may let its own name point to this machine."""
    async with open_door() as door:
        answer = await door.http.get("/api/health", headers={"Host": "elsewhere.example"})
        assert answer.status_code == 421
        check_shape(schemas.Problem, answer.json())
        for host in (HOST, f"{HOST}:8037"):
            assert (await door.http.get("/api/health", headers={"Host": host})).is_success


@run
async def test_what_is_not_there() -> None:
    async with open_door() as door:
        assert (await door.http.get("/api/nothing")).status_code == 404
        answer = await door.http.delete("/api/tables")
        assert answer.status_code == 405
        assert "GET" in answer.headers["allow"]


# Tables -------------------------------------------------------------------------------------------


@run
async def test_the_tables_of_the_house() -> None:
    async with open_door() as door:
        assert (await door.http.get("/api/tables")).json() == []
        await played(door)
        (table,) = (await door.http.get("/api/tables")).json()
        check_shape(table_view.TableSummary, table)
        assert (table["table"], table["rulebook"], table["phase"]) == ("t", "es", "betting")
        assert table["players"] == 1


@run
async def test_a_table_is_set_up_by_the_chief_or_the_management() -> None:
    async with open_door() as door:
        body = {"table": "the first", "rulebook": "it", "limits": {"straight": {"max": 100}}}
        assert (await door.http.post("/api/tables", json=body)).status_code == 401
        for role in (Role.PLAYER, Role.CROUPIER, Role.CASHIER, Role.AUDITOR):
            answer = await door.http.post("/api/tables", json=body, headers=door.bearer(role))
            assert answer.status_code == 403
        wrong = {"Authorization": "Bearer wrong"}
        assert (await door.http.post("/api/tables", json=body, headers=wrong)).status_code == 401
        assert not door.house.tables
        management = door.bearer(Role.MANAGEMENT)
        answer = await door.http.post("/api/tables", json=body, headers=management)
        assert answer.status_code == 201
        check_shape(table_view.TableSummary, answer.json())
        assert answer.json()["limits"] == {"straight": {"max": 100}}
        again = await door.http.post("/api/tables", json=body, headers=management)
        assert again.status_code == 409
        shown = await door.http.get("/api/tables/the first")
        assert shown.json()["rulebook"] == "it"


@run
async def test_two_who_set_up_the_same_table_at_once() -> None:
    async with open_door() as door:
        management = door.bearer(Role.MANAGEMENT)
        body = {"table": "t", "rulebook": "bg", "ball": "wheel"}
        answers = await asyncio.gather(
            *(door.http.post("/api/tables", json=body, headers=management) for _ in range(5))
        )
        assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409, 409]
        assert len(door.records("t")) == 1


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"rulebook": "xx"}, "rulebook"),
        ({"rulebook": "bg", "limits_kept": "policed"}, "limits_kept"),
        ({"rulebook": "bg", "chip": 25}, "chip"),
        ({"rulebook": "bg", "limits": {"nothing": {"max": 1}}}, "nothing"),
        ({"rulebook": "bg", "limits": {"straight": {"max": 1, "min": 2}}}, "straight"),
        ({"rulebook": "bg", "limits": {"straight": {"most": 1}}}, "most"),
    ],
)
@run
async def test_a_table_that_cannot_be_set_up(body: dict[str, Any], named: str) -> None:
    async with open_door() as door:
        headers = door.bearer(Role.MANAGEMENT)
        answer = await door.http.post("/api/tables", json={"table": "t", **body}, headers=headers)
        assert answer.status_code == 422
        assert named in answer.json()["detail"]
        assert not door.house.tables


@pytest.mark.parametrize("rulebook", HOUSES)
@pytest.mark.parametrize("ball", list(BallMode))
@run
async def test_a_table_as_each_sees_it(rulebook: str, ball: BallMode) -> None:
    async with open_door() as door:
        await door.set_up("t", rulebook, ball=ball)
        await door.must("t", commands.Sit(by="ana"))
        await door.must("t", commands.Sit(by="luis"))
        seller = next(p for p in door.house.tables["t"].house_table.state.staff if "chief" not in p)
        if rulebook == "ar":
            seller = "pagador 1"
        for player in ("ana", "luis"):
            buys = commands.BuyChips(by=seller, player=player, amount=1000)
            await door.must("t", buys)
        stake = commands.PlaceStake(by="ana", id="b1", player="ana", on="17", amount=50)
        await door.must("t", stake)
        path = "/api/tables/t"
        public = (await door.http.get(path)).json()
        ana = (await door.http.get(path, headers=door.bearer(Role.PLAYER, "ana"))).json()
        staff = (await door.http.get(path, headers=door.bearer(Role.CROUPIER))).json()
        management = (await door.http.get(path, headers=door.bearer(Role.MANAGEMENT))).json()
        for shown in (public, ana, staff, management):
            check_shape(table_view.TableView, shown)
        assert staff == management
        assert staff["purses"] == {"ana": 950, "luis": 1000}
        private = ("purses", "custody", "bank", "proposals", "cash_alone")
        seen = {key: value for key, value in staff.items() if key not in private}
        if seen["float"] is not None:
            # What is to be brought and counted concerns the staff.
            seen["float"] |= {"advance": None, "refill": None, "due": None}
        assert public == seen
        assert ana == {**public, "you": ana["you"]}
        assert ana["you"]["purse"] == 950
        assert '"purse":1000' not in json.dumps(ana, separators=(",", ":"))
        assert (public["draw"] is not None) == (ball is BallMode.DRAWN)


@pytest.mark.parametrize("path", ["", "/events", "/coups", "/export", "/why", "/payments"])
@run
async def test_a_table_that_is_not_there_and_a_token_that_is_not_good(path: str) -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        staff = door.bearer(Role.CROUPIER)
        missing = await door.http.get(f"/api/tables/none{path}", headers=staff)
        assert missing.status_code == 404
        assert missing.json() == {"detail": "there is no table 'none'", "why": "no_such_thing"}
        wrong = {"Authorization": "Bearer wrong"}
        answer = await door.http.get(f"/api/tables/t{path}", headers=wrong)
        assert answer.status_code == 401
        for problem in (missing, answer):
            check_shape(schemas.Problem, problem.json())


# History ------------------------------------------------------------------------------------------


@run
async def test_events_by_parts() -> None:
    async with open_door() as door:
        await played(door)
        head = door.house.tables["t"].head.seq
        whole = (await door.http.get("/api/tables/t/events")).json()
        check_shape(list[live_view.EventView], whole)
        assert [event["seq"] for event in whole] == list(range(1, head + 1))
        parts: list[Any] = []
        while True:
            params = {"after": len(parts), "most": 4}
            part = (await door.http.get("/api/tables/t/events", params=params)).json()
            if not part:
                break
            assert len(part) <= 4
            parts += part
        assert parts == whole
        beyond = await door.http.get("/api/tables/t/events", params={"after": 2**53})
        assert beyond.json() == []


@pytest.mark.parametrize(
    "params",
    [{"after": -1}, {"after": 2**53 + 1}, {"after": "x"}, {"most": 0}, {"most": 1001}],
)
@run
async def test_events_that_nobody_can_ask_for(params: dict[str, Any]) -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        answer = await door.http.get("/api/tables/t/events", params=params)
        assert answer.status_code == 422
        check_shape(schemas.Problem, answer.json())


@run
async def test_coups_show_everybody_the_number_and_each_player_his_own_sums() -> None:
    async with open_door() as door:
        await played(door)
        path = "/api/tables/t/coups"
        staff = (await door.http.get(path, headers=door.bearer(Role.CROUPIER))).json()
        check_shape(list[history.CoupView], staff)
        sums = {"won": 1750, "returned": 0, "lost": 50, "held": 0}
        assert staff == [{"coup": 1, "number": 17, "players": {"ana": sums}, "ball": None}]
        assert (await door.http.get(path, headers=door.bearer(Role.PLAYER, "ana"))).json() == staff
        for headers in (None, door.bearer(Role.PLAYER, "luis")):
            (shown,) = (await door.http.get(path, headers=headers)).json()
            assert shown == {**staff[0], "players": {}}
        assert (await door.http.get(path, params={"most": 0})).status_code == 422


@run
async def test_coups_go_on_where_they_were_read_last() -> None:
    async with open_door() as door:
        await played(door)
        first = (await door.http.get("/api/tables/t/coups")).json()
        for number in (5, 0):
            for command in (
                commands.LaunchBall(by="croupier 1"),
                commands.CloseBetting(by="croupier 1"),
                commands.PocketBall(by="croupier 1", number=number),
                commands.CallNumber(by="croupier 1"),
                commands.CollectLosers(by="croupier 1"),
            ):
                await door.must("t", command)
        told = (await door.http.get("/api/tables/t/coups")).json()
        assert told[:1] == first
        assert [coup["number"] for coup in told] == [17, 5, 0]
        last = (await door.http.get("/api/tables/t/coups", params={"most": 2})).json()
        assert last == told[1:]


@run
async def test_a_day_is_exported_by_the_staff_and_plays_to_the_same_money() -> None:
    async with open_door() as door:
        await played(door)
        path = "/api/tables/t/export"
        assert (await door.http.get(path)).status_code == 401
        for role in (Role.PLAYER, Role.CASHIER):
            refused = await door.http.get(path, headers=door.bearer(role))
            assert refused.status_code == 403
        for role in (Role.CROUPIER, Role.CHIEF, Role.AUDITOR, Role.MANAGEMENT):
            answer = await door.http.get(path, headers=door.bearer(role))
            assert answer.status_code == 200
            (script,) = answer.json()
            outcome = run_script(script, load_any)
            state = door.house.tables["t"].house_table.state
            assert outcome["refused"] == []
            assert outcome["purses"] == {"ana": state.players["ana"].purse}
            assert outcome["bank"] == state.bank


# Rulebooks ----------------------------------------------------------------------------------------


@run
async def test_the_rulebooks() -> None:
    async with open_door() as door:
        books = (await door.http.get("/api/rulebooks")).json()
        check_shape(list[rulebook_view.RulebookTitle], books)
        assert tuple(book["id"] for book in books) == HOUSES


@pytest.mark.parametrize("id", HOUSES)
@run
async def test_a_rulebook_and_its_cloth(id: str) -> None:
    async with open_door() as door:
        answer = await door.http.get(f"/api/rulebooks/{id}")
        assert answer.status_code == 200
        told = answer.json()
        check_shape(rulebook_view.RulebookView, told)
        book = load(id)
        assert told["articles"].keys() == book.articles.keys()
        assert len(told["spots"]) == len(book.terms)
        drawn = await door.http.get(f"/api/rulebooks/{id}/cloth.svg")
        assert drawn.headers["content-type"] == "image/svg+xml; charset=utf-8"
        assert drawn.text == cloth_svg(book)


@pytest.mark.parametrize("path", ["xx", "xx/cloth.svg", "..%2Far", "ar.toml"])
@run
async def test_a_rulebook_that_is_not_there(path: str) -> None:
    async with open_door() as door:
        answer = await door.http.get(f"/api/rulebooks/{path}")
        assert answer.status_code == 404
        check_shape(schemas.Problem, answer.json())


# Pages --------------------------------------------------------------------------------------------


@run
async def test_the_front_page_names_the_tables_and_trusts_no_name() -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        await door.house.set_up('<b>&"', "es", Setup(), ball=BallMode.WHEEL)
        answer = await door.http.get("/")
        assert answer.status_code == 200
        assert answer.headers["content-security-policy"] == SAFE_HEADERS["Content-Security-Policy"]
        assert "Bulgaria" in answer.text
        assert "<b>" not in answer.text
        assert "&lt;b&gt;&amp;&quot;" in answer.text


@run
async def test_a_look_at_a_key_does_not_use_it_up() -> None:
    async with open_door() as door:
        key = door.people.issue_key("chief", Role.CHIEF)
        answer = await door.http.get("/console", params={"key": key})
        assert answer.status_code == 200
        assert key not in answer.text
        assert (await door.http.post("/api/sessions", json={"key": key})).status_code == 201


# When things go wrong -----------------------------------------------------------------------------


REFERENCE = r"the store failed \(reference [0-9a-f]{8}\)"


@run
async def test_a_store_that_fails_is_told_and_nothing_is_there() -> None:
    store = FullStore()
    async with open_door(store) as door:
        await door.set_up("t", "bg")
        management = door.bearer(Role.MANAGEMENT)
        store.is_full = True
        body = {"table": "u", "rulebook": "bg"}
        answer = await door.http.post("/api/tables", json=body, headers=management)
        assert answer.status_code == 503
        told = answer.json()
        assert re.fullmatch(REFERENCE, told["detail"])
        assert told["why"] == "store_failed"
        assert "u" not in door.house.tables


@run
async def test_a_table_that_failed_says_why_and_shows_nothing() -> None:
    store = FullStore()
    async with open_door(store) as door:
        actor = await door.set_up("t", "bg")
        store.is_full = True
        with pytest.raises(TableStoppedError, match=REFERENCE):
            await actor.submit("x", commands.Sit(by="ana"))
        answer = await door.http.get("/api/tables/t")
        assert answer.status_code == 503
        told = answer.json()
        assert re.fullmatch(f"the table is out of play: {REFERENCE}", told["detail"])
        assert told["why"] == "out_of_play"
        (summary,) = (await door.http.get("/api/tables")).json()
        check_shape(table_view.TableSummary, summary)
        assert re.fullmatch(REFERENCE, summary["out_of_play"])
        assert summary["players"] is None


# What is published --------------------------------------------------------------------------------


@run
async def test_every_route_is_published_with_its_problems() -> None:
    async with open_door() as door:
        published = (await door.http.get("/openapi.json")).json()
        for path, methods in published["paths"].items():
            for told in methods.values():
                assert {"421", "503"} <= told["responses"].keys(), path
                for status, response in told["responses"].items():
                    if not status.startswith("2"):
                        schema = response["content"]["application/json"]["schema"]
                        assert schema == {"$ref": "#/components/schemas/Problem"}, (path, status)
        assert all(path.startswith("/api/") for path in published["paths"])


def test_every_shape_is_closed() -> None:
    for shape in vars(schemas).values():
        if isinstance(shape, type) and issubclass(shape, BaseModel) and shape is not BaseModel:
            assert shape.model_config.get("extra") == "forbid", shape
