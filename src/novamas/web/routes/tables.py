"""The routes of tables: their state, history and export, and a socket for each."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import APIRouter, Depends, Path, Query, WebSocket
from fastapi.responses import Response
from starlette.requests import HTTPConnection

from novamas.game.languages import ENGLISH
from novamas.game.limits import Limits, LimitsError
from novamas.game.post_zones import ZoneError, read_zone
from novamas.house.house import House, TableExistsError
from novamas.house.leases import NoTableError
from novamas.house.log.store import ConflictError, Record, StoreError
from novamas.house.people.events import Post
from novamas.house.refusals import Problem
from novamas.house.table import spin_now as spin
from novamas.house.table.actor import TableActor
from novamas.house.views import (
    bets_view,
    elsewhere_view,
    event_view,
    explanations,
    history,
    live_view,
    payment_view,
    profit_view,
    table_view,
)
from novamas.house.views.decision_pages import DecisionPages
from novamas.rulebooks import HOUSES, load
from novamas.table.decide.checks import require_lawful_placard
from novamas.table.refusals import Refused
from novamas.table.state import Setup
from novamas.web import schemas
from novamas.web.auth import SignedIn, Who, address_of, is_same_origin, permitted, token_of
from novamas.web.connections import connection_of
from novamas.web.errors import NotDoneError
from novamas.web.permissions import ROUTES, may
from novamas.web.quotas import Allowances
from novamas.web.schemas import answers, problems
from novamas.web.sessions import People, Session
from novamas.web.socket import (
    BAD_AFTER,
    BAD_TOKEN,
    ELSEWHERE,
    NO_TABLE,
    TRY_AGAIN,
    TableSocket,
    read_log,
)
from novamas.web.static_files import StaticFiles
from novamas.wording.phrases import PHRASES

MOST_EVENTS = 1000
PROFITS = 100
"""How many of the last coups a player's profit is shown for."""
OUT_OF_REACH = "the house does not reach its store; come back"
router = APIRouter(dependencies=[Depends(permitted)], tags=["tables"])
listening = APIRouter()
"""The sockets, which find their session only after accepting the connection."""
Asked = TypeVar("Asked")
TableName = Annotated[str, Path(description="The name of the table.")]
After = Annotated[
    int, Query(ge=0, le=2**53, description="Only what comes after this number of the log.")
]
Most = Annotated[int, Query(ge=1, le=MOST_EVENTS, description="How many to answer with at most.")]
CoupNumber = Annotated[
    int | None,
    Query(ge=1, le=2**53, description="The number of the coup; by default the last one called."),
]
OneCoup = Annotated[int | None, Query(ge=1, le=2**53, description="The number of one coup alone.")]
PlayedCoup = Annotated[int, Path(ge=1, le=2**53, description="The number of the coup.")]
Language = Annotated[
    str,
    Query(max_length=8, description="The language of the sentences: `en`, `es`, `it`, `bg`, `fr`."),
]


class NotHereError(LookupError):
    """A table that this server does not serve; another may."""


class Lobby:
    """What the routes need: the house, the sessions, and a callback for new tables."""

    def __init__(
        self,
        house: House,
        people: People,
        on_set_up: Callable[[TableActor], Awaitable[None]] | None,
        screens: StaticFiles | None = None,
        *,
        rate: float | None = None,
    ) -> None:
        self.house = house
        self.people = people
        self.on_set_up = on_set_up
        self.screens = screens
        """The built room, if there is one."""
        self.allowances = Allowances(rate)
        """The quotas of each person; `rate` is commands per second, None for no limit."""
        self.connected: set[asyncio.Task[Any]] = set()
        """The tasks that serve a socket."""
        self._coups: dict[str, tuple[history.Coups, asyncio.Lock]] = {}
        self._decisions: dict[str, tuple[DecisionPages, asyncio.Lock]] = {}

    def table(self, name: str) -> TableActor:
        """The table of that name."""
        actor = self.house.tables.get(name)
        if actor is None:
            raise NotHereError(name)
        return actor

    async def coups(self, table: str, asked: Callable[[history.Coups], Asked]) -> Asked:
        """Reads from a table's recent coups; results are cached."""
        if table not in self._coups:
            self._coups[table] = history.Coups(table, most=MOST_EVENTS), asyncio.Lock()
        known, reading = self._coups[table]
        async with reading:
            await self.house.reading(known.go_on_recent)
            return asked(known)

    async def decisions(self, table: str, asked: Callable[[DecisionPages], Asked]) -> Asked:
        """Reads from all of a table's decisions."""
        if table not in self._decisions:
            self._decisions[table] = DecisionPages(table, most=MOST_EVENTS), asyncio.Lock()
        known, reading = self._decisions[table]
        async with reading:
            await self.house.reading(known.go_on)
            return asked(known)


def lobby_of(connection: HTTPConnection) -> Lobby:
    """The lobby of the application that received the request."""
    lobby: Lobby = connection.app.state.lobby
    return lobby


async def here(connection: HTTPConnection) -> Lobby:
    """The lobby as a dependency; async, because FastAPI runs plain functions in a thread."""
    return lobby_of(connection)


Here = Annotated[Lobby, Depends(here)]


def as_json(view: object, status: int = 200) -> Response:
    """A view as a response."""
    return Response(msgspec.json.encode(view), status, media_type="application/json")


# Tables -------------------------------------------------------------------------------------------


@router.get("/api/tables", responses=answers(list[table_view.TableSummary], 401))
async def list_tables(here: Here, who: Who) -> Response:
    """The tables of the house, with the addresses of tables on other servers."""
    player = who.name if who is not None and who.post is Post.PLAYER else None
    found = [await actor.summary(player) for actor in tuple(here.house.tables.values())]
    if here.house.leases is None:
        return as_json(found)
    for house_table, lease in await here.house.leases.others():
        unserved = None if lease is not None else "no server serves it yet"
        there = table_view.summary(house_table, failed="elsewhere", player=player)
        at = lease.address if lease is not None else None
        found.append(msgspec.structs.replace(there, out_of_play=unserved, at=at))
    return as_json(sorted(found, key=lambda each: each.table))


@router.post(
    "/api/tables",
    status_code=201,
    responses=answers(table_view.TableSummary, 400, 401, 403, 409, 413, 422, status=201),
)
async def set_up_table(body: schemas.NewTable, who: SignedIn, here: Here) -> Response:
    """Sets a table up."""
    if not body.live and who.post is not Post.MANAGEMENT:
        # Only the owner of a local house plays scripts; a house with accounts has no such post.
        raise NotDoneError(
            422, Problem.ONLY_IN_SCRIPTS, "live: only a script plays at a table that is not live"
        )
    setup = _setup(body, here.house.highest_bet)
    try:
        alone = here.people.registry.register.alone.table
        actor = await here.house.set_up(
            body.table, body.rulebook, setup, ball=body.ball, cash_alone=alone
        )
    except (TableExistsError, ConflictError):
        raise NotDoneError(
            409, Problem.TABLE_EXISTS, f"there is a table {body.table!r} already"
        ) from None
    if here.on_set_up is not None:
        await here.on_set_up(actor)
    return as_json(await actor.summary(), 201)


@router.get("/api/tables/{table}", responses=answers(table_view.TableView, 307, 401, 404, 422))
async def get_table(table: TableName, here: Here, who: Who) -> Response:
    """The current state of a table."""
    audience = who.audience if who else event_view.Audience.PUBLIC
    player = who.name if who else None
    return as_json(await here.table(table).look(audience=audience, player=player))


@router.get(
    "/api/tables/{table}/events", responses=answers(list[live_view.EventView], 307, 401, 404, 422)
)
async def list_events(
    table: TableName,
    here: Here,
    who: Who,
    after: After = 0,
    most: Most = MOST_EVENTS,
) -> Response:
    """Events of a table's log, as this audience may see them."""
    actor = here.table(table)
    audience = who.audience if who else event_view.Audience.PUBLIC
    player = who.name if who else None
    until = min(after + most, actor.head.seq)
    records = await here.house.blocking(partial(read_log, here.house.store, table, after, until))
    shown = [event_view.of_record(record, audience, player) for record in records]
    return Response(b"[" + b",".join(shown) + b"]", media_type="application/json")


@router.get(
    "/api/tables/{table}/coups", responses=answers(list[history.CoupView], 307, 401, 404, 422)
)
async def list_coups(
    table: TableName,
    here: Here,
    who: Who,
    most: Most = 100,
    coup: OneCoup = None,
) -> Response:
    """The last coups of a table, or one of them, with the data to check a drawn ball."""
    here.table(table)
    played = await here.coups(table, history.Coups.views)
    played = [each for each in played if coup in (None, each.coup)][-most:]
    if who is None or who.is_player:
        own = who.name if who is not None else None
        played = [each.for_player(own) for each in played]
    return as_json(played)


@router.get(
    "/api/tables/{table}/why", responses=answers(explanations.CoupExplanation, 307, 401, 404, 422)
)
async def explain_coup(
    table: TableName,
    here: Here,
    who: Who,
    coup: CoupNumber = None,
    language: Language = "en",
) -> Response:
    """Why each stake of a coup got what it got; by default of the last number called."""
    actor = here.table(table)
    called, record = await called_coup(here, table, coup)
    is_staff = who is not None and not who.is_player
    player = None if is_staff else who.name if who is not None else ""
    book = actor.house_table.state.book
    shown = explanations.of_call(book, called, record, player=player, language=language)
    return as_json(shown)


@router.get(
    "/api/tables/{table}/coups/{coup}/bets",
    responses=answers(bets_view.CoupBets, 307, 401, 404, 422),
)
async def list_coup_bets(table: TableName, coup: PlayedCoup, here: Here, who: Who) -> Response:
    """What lay on the cloth when the number of a coup was called; of others without their names."""
    here.table(table)
    called, record = await called_coup(here, table, coup)
    number, lines = explanations.called_lines(called, record, player=None)
    player = who.name if who is not None and who.is_player else None
    return as_json(bets_view.of_lines(called.coup, number, lines, player=player))


@router.get(
    "/api/tables/{table}/coups/{coup}/elsewhere",
    responses=answers(elsewhere_view.CoupElsewhere, 307, 401, 403, 404, 422),
)
async def settle_elsewhere(
    table: TableName,
    coup: PlayedCoup,
    here: Here,
    who: SignedIn,
    language: Language = ENGLISH,
) -> Response:
    """What one's own bets of a coup would have brought at every other house, with the edges."""
    actor = here.table(table)
    called, record = await called_coup(here, table, coup)
    state = actor.house_table.state
    number, lines = explanations.called_lines(called, record, player=who.name)
    # Eight houses settle, and the odds of each take a moment.
    settling = partial(
        elsewhere_view.of_lines,
        state.book,
        called.coup,
        number,
        lines,
        choices=called.choices,
        chip=state.setup.chip,
        language=language,
    )
    return as_json(await here.house.blocking(settling))


@router.get(
    "/api/tables/{table}/profit",
    responses=answers(list[profit_view.ProfitPoint], 307, 401, 403, 404, 422),
)
async def show_profit(table: TableName, here: Here, who: SignedIn) -> Response:
    """One's own results in the last coups, summed up, beside what the exact odds expected."""
    state = here.table(table).house_table.state

    def mine(coups: history.Coups) -> list[tuple[int, int, explanations.CalledCoup]]:
        found = []
        for played in coups.views()[-PROFITS:]:
            sums, told = played.players.get(who.name), coups.explanations.of(played.coup)
            if sums is not None and told is not None:
                found.append((played.coup, sums.won - sums.lost, told))
        return found

    def read(
        own: list[tuple[int, int, explanations.CalledCoup]],
    ) -> list[profit_view.ProfitPoint]:
        played = []
        for coup, net, told in own:
            (called,) = read_log(here.house.store, table, told.seq - 1, told.seq)
            _, lines = explanations.called_lines(told, called, player=who.name)
            played.append(profit_view.PlayedCoup(coup, net, profit_view.laid_in(lines)))
        return profit_view.of_coups(state.book.id, state.setup.chip, played)

    own = await here.coups(table, mine)
    return as_json(await here.house.blocking(partial(read, own)))


async def called_coup(
    here: Lobby, table: str, coup: int | None
) -> tuple[explanations.CalledCoup, Record]:
    """What is kept about a coup and its call in the log; by default of the last one called."""
    called = await here.coups(table, lambda coups: coups.explanations.of(coup))
    if called is None:
        raise NotDoneError(404, Problem.NUMBER_NOT_CALLED, "no number was called in that coup")
    reading = partial(read_log, here.house.store, table, called.seq - 1, called.seq)
    (record,) = await here.house.blocking(reading)
    return called, record


@router.get(
    "/api/tables/{table}/short", responses=answers(list[table_view.ShortStake], 307, 401, 404, 422)
)
async def list_short_stakes(table: TableName, here: Here, who: SignedIn) -> Response:
    """What of one's own stakes would go back if betting closed now, and why."""
    return as_json(await here.table(table).short(who.name))


@router.post(
    "/api/tables/{table}/spin",
    status_code=204,
    responses=problems(307, 400, 401, 403, 404, 409, 413, 422),
)
async def spin_now(
    table: TableName, here: Here, who: SignedIn, body: schemas.SpinNow | None = None
) -> None:
    """The only player at a drawn table asks for the ball of this coup at once."""
    is_quick = body is not None and body.quick
    problem = spin.ask(here.table(table), who.name, is_quick=is_quick)
    if problem is not None:
        raise NotDoneError(409, Problem.NOT_NOW, problem)


@router.get(
    "/api/tables/{table}/payments",
    responses=answers(payment_view.PaymentsView, 307, 401, 403, 404, 422),
)
async def list_payments(table: TableName, here: Here) -> Response:
    """The payments of the running coup in the house's order, with the reductions."""
    return as_json(await here.table(table).payments())


@router.get(
    "/api/tables/{table}/export", responses=answers(list[dict[str, Any]], 307, 401, 403, 404, 422)
)
async def export_table(table: TableName, here: Here) -> Response:
    """A table's day as a script that `novamas run` can play again."""
    here.table(table)
    return as_json([await here.house.reading(partial(history.as_script, table=table))])


def _setup(body: schemas.NewTable, highest_bet: int | None) -> Setup:
    if body.rulebook not in HOUSES:
        raise NotDoneError(
            422, Problem.NOT_UNDERSTOOD, f"rulebook: expected one of {', '.join(HOUSES)}"
        )
    book = load(body.rulebook)
    kept = body.limits_kept or book.limits.kept[0]
    if kept not in book.limits.kept:
        raise NotDoneError(
            422, Problem.NOT_UNDERSTOOD, f"limits_kept: {book.id} has no articles on excess"
        )
    if body.live and body.chip % 2:
        raise NotDoneError(
            422,
            Problem.CHIP_MUST_HALVE_EVENLY,
            "chip: a live table's chip is an even number of units",
        )
    try:
        limits = Limits.of(body.limits)
    except LimitsError as problem:
        raise NotDoneError(422, Problem.LIMITS_NOT_VALID, str(problem)) from None
    try:
        zone = read_zone(book, body.zone)
    except ZoneError as problem:
        raise NotDoneError(422, Problem.NOT_UNDERSTOOD, f"zone: {problem}") from None
    setup = Setup(
        limits=limits,
        winning=body.winning or book.betting.winners_stay,
        limits_kept=kept,
        chip=body.chip,
        colours=body.colours,
        rotation=body.rotation,
        live=body.live,
        zone=zone,
        double=body.double,
        highest_bet=highest_bet,
    )
    try:
        require_lawful_placard(book, setup, limits)
    except Refused as refused:
        why = f"{refused.refusal.detail} ({', '.join(refused.refusal.articles)})"
        raise NotDoneError(422, Problem.LIMITS_NOT_VALID, why) from None
    return setup


# The socket ---------------------------------------------------------------------------------------


@listening.websocket("/api/tables/{table}/socket")
async def socket(
    websocket: WebSocket,
    table: str,
    token: str | None = None,
    after: str | None = None,
    language: str = ENGLISH,
) -> None:
    """A table's commands, answers and events."""
    lobby = lobby_of(websocket)
    if not is_same_origin(websocket):
        await websocket.close()  # The handshake is refused.
        return
    # Errors are reported after accepting: browsers hide the reason of a refused handshake.
    await websocket.accept()
    if table not in lobby.house.tables and lobby.house.leases is not None:
        await _show_the_way(websocket, lobby.house, table)
        return
    shown, _ = token_of(websocket)
    if token is not None and not lobby.people.is_local:
        # Only in a local house may the token be in the URL; elsewhere it would end up in logs.
        await websocket.close(BAD_TOKEN, "no token is taken from an address")
        return
    token = shown if shown is not None else token
    try:
        session = await lobby.people.known(token)
    except StoreError:
        await websocket.close(TRY_AGAIN, OUT_OF_REACH)
        return
    row = "WS /api/tables/{table}/socket"
    post = session.post if session is not None else None
    if (token is not None and session is None) or not may(ROUTES, row, post):
        await websocket.close(BAD_TOKEN, "the token is not good")
        return
    if session is not None and session.enrolling:
        await websocket.close(BAD_TOKEN, "a second factor is to be enrolled first")
        return
    actor = lobby.house.tables.get(table)
    if actor is None:
        await websocket.close(NO_TABLE, "there is no such table")
        return
    seen = None if after is None else read_whole(after)
    if after is not None and (seen is None or seen > actor.head.seq):
        await websocket.close(BAD_AFTER, f"after: a whole number of at most {actor.head.seq}")
        return
    spoken = language if language in PHRASES else ENGLISH
    await _seat(lobby, websocket, session, actor, (seen, spoken))


async def _seat(
    lobby: Lobby,
    websocket: WebSocket,
    session: Session | None,
    actor: TableActor,
    asked: tuple[int | None, str],
) -> None:
    """Serves a socket, if the quota of sockets and the connection limit allow it.

    `asked` has the last event that the client saw, and its language.
    """
    name, address = session.name if session is not None else None, address_of(websocket.scope)
    if not lobby.allowances.open_socket(name, address):
        await websocket.close(TRY_AGAIN, "too many of your sockets are open; close one")
        return
    try:
        if not _has_place(websocket, name):
            await websocket.close(TRY_AGAIN, "the house is full; come back")
            return
        serving = asyncio.current_task()
        if serving is not None:
            lobby.connected.add(serving)
            serving.add_done_callback(lobby.connected.discard)
        await TableSocket(
            lobby.house,
            actor,
            session,
            websocket,
            people=lobby.people,
            allowance=lobby.allowances.of(name, address),
        ).serve(*asked)
    finally:
        lobby.allowances.close_socket(name, address)


def _has_place(websocket: WebSocket, name: str | None) -> bool:
    """Reserves a connection for a socket; those of signed-in people are not closed for others."""
    connection = connection_of(websocket.scope)
    if connection is None:
        return True
    if name is not None:
        return connection.is_known()
    connection.looks_on()
    return True


async def _show_the_way(websocket: WebSocket, house: House, table: str) -> None:
    """Closes a connection to a table on another server, with that server's address."""
    try:
        lease = await house.where(table)
    except NoTableError:
        await websocket.close(NO_TABLE, "there is no such table")
    except StoreError:
        await websocket.close(TRY_AGAIN, OUT_OF_REACH)
    else:
        if lease is None:
            await websocket.close(TRY_AGAIN, "no server serves this table yet; come back")
        else:
            await websocket.close(ELSEWHERE, lease.address)


def read_whole(text: str) -> int | None:
    """Parses the number of an event or of a coup; None if it is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else None
