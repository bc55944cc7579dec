"""The application: routes, size limits, security headers, and one shape for every error.

All schemas are published: `/openapi.json` for HTTP, `/api/schema/socket` for sockets.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Collection
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from novamas.house import failures
from novamas.house.clock import monotonic
from novamas.house.house import House
from novamas.house.leases import NoTableError
from novamas.house.log.store import StoreError
from novamas.house.refusals import Problem
from novamas.house.table.actor import TableActor, TableStoppedError
from novamas.web.auth import address_of
from novamas.web.errors import NotDoneError, answered, not_understood, problem_response
from novamas.web.guess_throttle import Often
from novamas.web.openapi import ABOUT, TAGS, complete, operation_id
from novamas.web.routes import (
    account,
    approvals,
    decisions,
    desk,
    operations,
    pages,
    rulebooks,
    second_factor,
)
from novamas.web.routes.tables import Lobby, NotHereError, listening, lobby_of, router
from novamas.web.schemas import problems
from novamas.web.sessions import People, Rate
from novamas.web.static_files import BUILT, StaticFiles

log = logging.getLogger(__name__)

LARGEST_BODY = 262_144
FOR_A_YEAR = "max-age=31536000; includeSubDomains"
"""HSTS: how long a browser uses only TLS for this house."""
REQUESTS, AT_ONCE = 20.0, 200.0
"""Requests per second of one address where the house counts them, and the burst."""
FILES, FILES_AT_ONCE = 300.0, 3_000.0
"""The same for the files of the room, which are answered from memory.

A page loads some thirty of them. They have a quota of their own, because a page of which one file
is refused does not work, and many people may open the room behind one address.
"""
ADDRESSES = 10_000
"""How many addresses are remembered for that."""
REPORT_AGAIN = 60.0
"""Seconds after which the log reports again an address that still sends too much."""
SAFE_HEADERS = {
    # The default for everything that is not a page; pages set their own policy.
    "Content-Security-Policy": (
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


PUBLISHED_ROUTERS = (
    router,
    decisions.router,
    rulebooks.router,
    account.router,
    second_factor.router,
    desk.router,
    approvals.router,
    desk.cash_desk,
    operations.router,
)
"""The routes of programs, which the OpenAPI document describes."""


def create_app(
    house: House,
    people: People,
    *,
    on_set_up: Callable[[TableActor], Awaitable[None]] | None = None,
    rate: float | None = None,
    hosts: Collection[str] | None = None,
    room: Path = BUILT,
) -> FastAPI:
    """Creates the application that serves a house; the caller opens and closes the house.

    `hosts` are the host names that it answers to, which protects a house on the loopback from DNS
    rebinding; None allows all. `rate` is how many commands a person may give per second. `room` is
    the folder of the built room; without it, plain pages are served.
    """
    app = Application(
        title="novamas",
        version="1",
        description=ABOUT,
        openapi_tags=TAGS,
        docs_url=None,
        redoc_url=None,
    )
    app.state.people = people
    app.state.lobby = Lobby(house, people, on_set_up, StaticFiles.built(room), rate=rate)
    app.router.routes.extend(_routes())
    app.add_exception_handler(StoreError, _store_failed)
    app.add_exception_handler(TableStoppedError, _out_of_play)
    app.add_exception_handler(NotHereError, _not_here)
    app.add_exception_handler(RequestValidationError, not_understood)
    app.add_exception_handler(404, _not_found)
    app.add_exception_handler(HTTPException, answered)
    app.add_middleware(Doorkeeper, hosts=hosts, counts=rate is not None)
    return app


class Application(FastAPI):
    """The application; its OpenAPI includes the house's views besides the request models."""

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI document of the whole interface."""
        if self.openapi_schema is None:
            complete(super().openapi(), (each for one in PUBLISHED_ROUTERS for each in one.routes))
        return super().openapi()


@cache
def _routes() -> tuple[BaseRoute, ...]:
    """The routes, cached for all houses: FastAPI takes a while to build them."""
    included = APIRouter(generate_unique_id_function=operation_id)
    for each in PUBLISHED_ROUTERS:
        included.include_router(each, responses=problems(401, 403, 421, 429, 503))
    included.include_router(listening)
    included.include_router(pages.router)
    return tuple(included.routes)


async def _store_failed(_: Request, problem: Exception) -> JSONResponse:
    return problem_response(
        503, Problem.STORE_FAILED, failures.reported(failures.STORE_FAILED, problem)
    )


async def _out_of_play(_: Request, problem: Exception) -> JSONResponse:
    return problem_response(503, Problem.OUT_OF_PLAY, f"the table is out of play: {problem}")


async def _not_here(request: Request, missing: Exception) -> JSONResponse:
    """Answers with the server that has a table which this one has not."""
    table = str(missing)
    try:
        lease = await lobby_of(request).house.where(table)
    except NoTableError:
        return problem_response(404, Problem.NO_SUCH_THING, f"there is no table {table!r}")
    except StoreError as problem:
        return await _store_failed(request, problem)
    if lease is None:
        answer = problem_response(
            503, Problem.TABLE_NOT_SERVED, f"no server serves {table!r} yet; come back"
        )
        answer.headers["Retry-After"] = "1"
        return answer
    answer = problem_response(
        307, Problem.TABLE_ELSEWHERE, f"{table!r} is served by another server of the house"
    )
    query = f"?{asked}" if (asked := request.url.query) else ""
    answer.headers["Location"] = f"{lease.address}{quote(request.scope['path'])}{query}"
    return answer


async def _not_found(request: Request, problem: Exception) -> Response:
    """Answers a browser at an unknown address with the room, which says so; programs with JSON."""
    screens = lobby_of(request).screens
    if screens is not None and pages.is_for_a_browser(request):
        return screens.page(status=404)
    return await answered(request, problem)


class Doorkeeper:
    """Middleware: checks host name, size and rate of requests; adds security headers."""

    def __init__(
        self, app: ASGIApp, hosts: Collection[str] | None = None, *, counts: bool = False
    ) -> None:
        self._app = app
        self._hosts = hosts
        self._counts = counts
        """Whether requests are counted by address."""
        self._rates: OrderedDict[tuple[str, bool], Rate] = OrderedDict()
        self._reported = Often(1, REPORT_AGAIN, monotonic)

    def _is_too_often(self, scope: Scope) -> bool:
        if not self._counts:
            return False
        address = address_of(scope)
        is_file = scope["type"] == "http" and scope["path"].startswith(pages.FILES)
        quota = (FILES, FILES_AT_ONCE) if is_file else (REQUESTS, AT_ONCE)
        rate = self._rates.pop((address, is_file), None) or Rate(*quota)
        self._rates[address, is_file] = rate
        while len(self._rates) > ADDRESSES:
            self._rates.popitem(last=False)
        if rate.allows():
            return False
        if not self._reported.is_too_often(address):
            self._reported.note(address)
            log.warning("an address asks too often", extra={"address": address})
        return True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a request or a socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        safe = _safe(send, secure=scope.get("scheme") == "https")
        host = headers.get("host", "").rpartition(":")[0] or headers.get("host", "")
        if self._hosts is not None and host not in self._hosts:
            refusal = problem_response(421, Problem.OTHER_ADDRESS, "this house has another address")
        elif self._is_too_often(scope):
            refusal = problem_response(429, Problem.TOO_OFTEN, "too many requests; slow down")
            refusal.headers["Retry-After"] = "1"
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        elif not _is_short(headers.get("content-length", "0")):
            refusal = problem_response(413, Problem.TOO_LONG, "the request is too long")
        else:
            await self._serve(scope, _bounded(receive), safe)
            return
        if scope["type"] == "websocket":
            await WebSocket(scope, receive, send).close()  # The handshake is refused.
        else:
            await refusal(scope, receive, safe)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves a request; an internal error gets an answer that reveals nothing."""
        began = False

        async def noted(message: Message) -> None:
            nonlocal began
            began = True
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception:
            if not began:
                failed = problem_response(500, Problem.HOUSE_FAILED, "the house made a mistake")
                await failed(scope, receive, send)
            raise  # The operator must see it in the log.


def _is_short(length: str) -> bool:
    most = len(str(LARGEST_BODY))
    is_number = length.isascii() and length.isdecimal() and len(length) <= most
    return is_number and int(length) <= LARGEST_BODY


def _bounded(receive: Receive) -> Receive:
    """Limits the size of a body whose length was not declared, or was declared wrong."""
    taken = 0

    async def bounded() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > LARGEST_BODY:
            raise NotDoneError(413, Problem.TOO_LONG, "the request is too long")
        return message

    return bounded


def _safe(send: Send, *, secure: bool) -> Send:
    async def safe(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SAFE_HEADERS.items():
                headers.setdefault(name, value)
            if secure:
                headers.setdefault("Strict-Transport-Security", FOR_A_YEAR)
        await send(message)

    return safe
