"""The application: the house's routes, bounded and with safe headers.

The shapes of all of it are published: `/openapi.json` for HTTP, `/api/schema/socket` for sockets.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from novamas.house.actor import TableActor, TableStoppedError
from novamas.house.house import House
from novamas.house.store import StoreError
from novamas.web.routes import Lobby, router
from novamas.web.sessions import Sessions

LARGEST_BODY = 262_144
SAFE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def create_app(
    house: House,
    sessions: Sessions,
    *,
    on_set_up: Callable[[TableActor], Awaitable[None]] | None = None,
) -> FastAPI:
    """The application that serves a house; the house is opened and closed by whoever made it."""
    app = FastAPI(title="novamas", version="1", docs_url=None, redoc_url=None)
    app.state.lobby = Lobby(house, sessions, on_set_up)
    app.include_router(router)

    @app.exception_handler(StoreError)
    async def store_failed(_: Request, problem: StoreError) -> JSONResponse:
        return JSONResponse({"detail": f"the store failed: {problem}"}, status_code=503)

    @app.exception_handler(TableStoppedError)
    async def table_stopped(_: Request, problem: TableStoppedError) -> JSONResponse:
        return JSONResponse({"detail": f"the table is out of play: {problem}"}, status_code=503)

    @app.middleware("http")
    async def bounded(
        request: Request, call_next: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        length = request.headers.get("content-length", "0")
        if not (length.isascii() and length.isdecimal()) or int(length) > LARGEST_BODY:
            return JSONResponse({"detail": "the request is too long"}, status_code=413)
        response = await call_next(request)
        response.headers.update(SAFE_HEADERS)
        return response

    return app
