"""The routes: tables, rulebooks, history, export, and a socket for each table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Header, HTTPException, Query, Request, WebSocket
from fastapi.responses import JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import HTTPConnection

from novamas.game.limits import Limits, LimitsError
from novamas.game.rulebook import LimitsKept, Rulebook, Winning
from novamas.game.section import RulebookError
from novamas.game.svg import cloth_svg
from novamas.house import history, views
from novamas.house.actor import TableActor
from novamas.house.events import BallMode
from novamas.house.house import House
from novamas.house.store import Record
from novamas.rulebooks import HOUSES, load
from novamas.table.state import Setup
from novamas.web.schema import socket_schema
from novamas.web.sessions import BadNameError, Role, Session, Sessions
from novamas.web.socket import TableSocket

MOST_EVENTS = 1000
router = APIRouter()


class Guest(BaseModel):
    """Who wants to play."""

    model_config = ConfigDict(extra="forbid")
    name: Annotated[str | None, Field(max_length=24)] = None


class Key(BaseModel):
    """A one-time key of a console."""

    model_config = ConfigDict(extra="forbid")
    key: Annotated[str, Field(max_length=128)]


class Opened(BaseModel):
    """A session: its token goes with every request that is not for everybody."""

    token: str
    name: str
    role: Role
    money: int


class NewTable(BaseModel):
    """How a table is set up."""

    model_config = ConfigDict(extra="forbid")
    table: Annotated[str, Field(pattern=r"^[\w .-]{1,32}$")]
    rulebook: str
    ball: BallMode = BallMode.DRAWN
    limits: dict[str, dict[str, int]] = {}
    winning: Winning | None = None
    limits_kept: LimitsKept | None = None
    chip: Annotated[int, Field(ge=1, le=10**12)] = 100
    colours: Annotated[int, Field(ge=1, le=10_000)] = 10
    rotation: Annotated[int, Field(ge=1, le=10_000)] = 10
    live: bool = True


class Lobby:
    """What the routes need: the house, who is there, and who deals a new table."""

    def __init__(
        self,
        house: House,
        sessions: Sessions,
        on_set_up: Callable[[TableActor], Awaitable[None]] | None,
    ) -> None:
        self.house = house
        self.sessions = sessions
        self.on_set_up = on_set_up

    def table(self, name: str) -> TableActor:
        """The table of that name."""
        actor = self.house.tables.get(name)
        if actor is None:
            raise HTTPException(404, f"there is no table {name!r}")
        return actor


def lobby_of(connection: HTTPConnection) -> Lobby:
    """The lobby of the application that was asked."""
    lobby: Lobby = connection.app.state.lobby
    return lobby


def session_of(
    request: Request, authorization: Annotated[str | None, Header()] = None
) -> Session | None:
    """Who asks: nobody in particular without a token, and nobody at all with a wrong one."""
    if authorization is None:
        return None
    kind, _, token = authorization.partition(" ")
    found = lobby_of(request).sessions.of(token) if kind == "Bearer" else None
    if found is None:
        raise HTTPException(401, "the token is not good", {"WWW-Authenticate": "Bearer"})
    return found


Here = Annotated[Lobby, Depends(lobby_of)]
Who = Annotated[Session | None, Depends(session_of)]
Responses = dict[int | str, dict[str, Any]]
NO_TABLE: Responses = {
    401: {"description": "the token is not good"},
    404: {"description": "no such table"},
}
NO_BOOK: Responses = {404: {"description": "no such rulebook"}}


# Who is there -------------------------------------------------------------------------------------


@router.get("/api/health")
async def health() -> dict[str, str]:
    """Whether the house is open."""
    return {"status": "ok"}


def _opened(session: Session) -> Opened:
    return Opened(token=session.token, name=session.name, role=session.role, money=session.money)


@router.post("/api/guests", status_code=201, responses={409: {"description": "name not free"}})
async def guest(body: Guest, here: Here) -> Opened:
    """A player's name, token and play money."""
    try:
        return _opened(here.sessions.guest(body.name))
    except BadNameError as problem:
        raise HTTPException(409, str(problem)) from None


@router.post("/api/sessions", status_code=201, responses={403: {"description": "key not good"}})
async def use_key(body: Key, here: Here) -> Opened:
    """A console opened by its one-time key."""
    session = here.sessions.use_key(body.key)
    if session is None:
        raise HTTPException(403, "the key is not good, or was used before")
    return _opened(session)


# Tables -------------------------------------------------------------------------------------------


@router.get("/api/tables")
async def tables(here: Here) -> list[dict[str, Any]]:
    """The tables of the house."""
    return [await actor.summary() for actor in tuple(here.house.tables.values())]


@router.post(
    "/api/tables",
    status_code=201,
    responses={
        401: {"description": "the token is not good"},
        403: {"description": "for the management"},
        409: {"description": "there is such a table already"},
    },
)
async def set_up(body: NewTable, here: Here, who: Who) -> dict[str, Any]:
    """Sets a table up."""
    if who is None or who.role is not Role.MANAGEMENT:
        raise HTTPException(403, "tables are set up by the management")
    if body.table in here.house.tables:
        raise HTTPException(409, f"there is a table {body.table!r} already")
    actor = await here.house.set_up(body.table, body.rulebook, _setup(body), ball=body.ball)
    if here.on_set_up is not None:
        await here.on_set_up(actor)
    return await actor.summary()


@router.get("/api/tables/{table}", responses=NO_TABLE)
async def table(table: str, here: Here, who: Who) -> dict[str, Any]:
    """A table as it stands."""
    audience = who.audience if who else views.Audience.PUBLIC
    player = who.name if who else None
    shown = await here.table(table).look(audience=audience, player=player)
    return _plain(shown)


@router.get("/api/tables/{table}/events", responses=NO_TABLE)
async def events(
    table: str,
    here: Here,
    who: Who,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    most: Annotated[int, Query(ge=1, le=MOST_EVENTS)] = MOST_EVENTS,
) -> Response:
    """Events of a table's log, as whoever asks may see them."""
    actor = here.table(table)
    audience = who.audience if who else views.Audience.PUBLIC
    player = who.name if who else None
    until = min(after + most, actor.head.seq)
    records = await here.house.blocking(partial(_read, here.house, table, after, until))
    shown = [views.of_record(record, audience, player) for record in records]
    return Response(b"[" + b",".join(shown) + b"]", media_type="application/json")


@router.get("/api/tables/{table}/coups", responses=NO_TABLE)
async def coups(
    table: str,
    here: Here,
    who: Who,
    most: Annotated[int, Query(ge=1, le=MOST_EVENTS)] = 100,
) -> list[dict[str, Any]]:
    """The last coups of a table, with what is needed to check a drawn one."""
    here.table(table)
    played = await here.house.blocking(partial(history.coups, here.house.store, table))
    sees_all = who is not None and who.role is not Role.PLAYER
    own = who.name if who is not None else None
    if not sees_all:
        for coup in played:
            coup["players"] = {n: sums for n, sums in coup["players"].items() if n == own}
    return list(played[-most:])


@router.get(
    "/api/tables/{table}/export", responses={**NO_TABLE, 403: {"description": "for the staff"}}
)
async def export(table: str, here: Here, who: Who) -> Response:
    """A table's day as a script that `novamas run` plays again."""
    here.table(table)
    if who is None or who.role is Role.PLAYER:
        raise HTTPException(403, "a table's day is exported by its staff")
    script = await here.house.blocking(partial(history.as_script, here.house.store, table))
    return Response(msgspec.json.encode([script]), media_type="application/json")


def _read(house: House, table: str, after: int, until: int) -> list[Record]:
    return list(house.store.read(table, after=after, until=until))


def _plain(shown: dict[str, Any]) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(shown)
    return plain


def _setup(body: NewTable) -> Setup:
    if body.rulebook not in HOUSES:
        raise HTTPException(422, f"rulebook: expected one of {', '.join(HOUSES)}")
    book = load(body.rulebook)
    kept = body.limits_kept or book.limits.kept[0]
    if kept not in book.limits.kept:
        raise HTTPException(422, f"limits_kept: {book.id} has no articles on excess")
    if body.live and body.chip % 2:
        raise HTTPException(422, "chip: a live table's chip is an even number of units")
    try:
        limits = Limits.of(body.limits)
    except LimitsError as problem:
        raise HTTPException(422, str(problem)) from None
    return Setup(
        limits=limits,
        winning=body.winning or book.betting.winners_stay,
        limits_kept=kept,
        chip=body.chip,
        colours=body.colours,
        rotation=body.rotation,
        live=body.live,
    )


# Rulebooks ----------------------------------------------------------------------------------------


def _book(id: str) -> Rulebook:
    try:
        return load(id)
    except RulebookError as problem:
        raise HTTPException(404, str(problem)) from None


@router.get("/api/rulebooks")
async def rulebooks() -> list[dict[str, Any]]:
    """The houses' rulebooks."""
    return [{"id": id, "title": dict(load(id).title)} for id in HOUSES]


@router.get("/api/rulebooks/{id}", responses=NO_BOOK)
async def rulebook(id: str) -> dict[str, Any]:
    """A rulebook: its articles, what it offers and what it says."""
    return _plain(views.of_rulebook(_book(id)))


@router.get("/api/rulebooks/{id}/cloth.svg", responses=NO_BOOK)
async def cloth(id: str) -> Response:
    """A rulebook's cloth."""
    return Response(cloth_svg(_book(id)), media_type="image/svg+xml")


@router.get("/api/schema/socket")
async def schema() -> dict[str, Any]:
    """The messages of a table's socket."""
    return socket_schema()


# The socket ---------------------------------------------------------------------------------------


@router.websocket("/api/tables/{table}/socket")
async def socket(
    websocket: WebSocket, table: str, token: str | None = None, after: str | None = None
) -> None:
    """A table's commands, answers and events."""
    lobby = lobby_of(websocket)
    if not _same_origin(websocket):
        await _deny(websocket, 403, "a page of another site")
        return
    kind, _, bearer = websocket.headers.get("authorization", "").partition(" ")
    token = bearer if kind == "Bearer" else token
    session = lobby.sessions.of(token)
    if token is not None and session is None:
        await _deny(websocket, 401, "the token is not good")
        return
    actor = lobby.house.tables.get(table)
    if actor is None:
        await _deny(websocket, 404, f"there is no table {table!r}")
        return
    seen = None if after is None else _sequence(after)
    if after is not None and (seen is None or seen > actor.head.seq):
        await _deny(websocket, 400, f"after: a whole number of at most {actor.head.seq}")
        return
    await websocket.accept()
    await TableSocket(lobby.house, actor, session, websocket).serve(seen)


def _sequence(text: str) -> int | None:
    """The number of an event."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else None


async def _deny(websocket: WebSocket, status: int, detail: str) -> None:
    """Answers a handshake as a request is answered, so that a client can tell why."""
    await websocket.send_denial_response(JSONResponse({"detail": detail}, status_code=status))


def _same_origin(websocket: WebSocket) -> bool:
    """A page of another site may not open a table's socket in a player's browser."""
    origin = websocket.headers.get("origin")
    return origin is None or origin.partition("://")[2] == websocket.headers.get("host")
