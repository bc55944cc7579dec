"""Auth: who sends a request, and whether the permission matrix allows it.

A program sends its token in the header `Authorization`. A browser keeps it in a cookie that no
script can read; then the request must come from a page of this house, to prevent cross-site request
forgery.
"""

from __future__ import annotations

import logging
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Annotated, Final

from fastapi import Depends, Request, Response
from starlette.requests import HTTPConnection
from starlette.types import Scope

from novamas.house.refusals import Problem
from novamas.web import permissions
from novamas.web.errors import NotDoneError
from novamas.web.factor_proofs import DEVICE
from novamas.web.sessions import People, Session

log = logging.getLogger(__name__)

COOKIE: Final = "novamas"
SAFE_COOKIE: Final = "__Host-novamas"
"""Browsers accept a cookie with this prefix only over TLS and for this host alone."""
DEVICE_COOKIE: Final = "novamas-device"
SAFE_DEVICE_COOKIE: Final = "__Host-novamas-device"
"""Recognises a device on which somebody signed in before; it grants no access."""
ASKING: Final = frozenset(("GET", "HEAD", "OPTIONS"))
CHALLENGE: Final = {"WWW-Authenticate": "Bearer"}
LOOPBACK: Final = frozenset(("127.0.0.1", "::1", "localhost"))
WIDTH: Final = 64
"""Prefix bits of an IPv6 address that identify a network; its owner chooses the other bits."""


def people_of(connection: HTTPConnection) -> People:
    """The sessions of the application that received the request."""
    people: People = connection.app.state.people
    return people


def is_secure(connection: HTTPConnection) -> bool:
    """Whether the request came over TLS, to this server or to a trusted proxy."""
    return connection.url.scheme in ("https", "wss")


def is_private(connection: HTTPConnection) -> bool:
    """Whether nobody can eavesdrop: the request came over TLS or from this machine.

    A loopback request with another host name came through a proxy that is not configured.
    """
    client = connection.client.host if connection.client is not None else ""
    here = client in LOOPBACK and connection.url.hostname in LOOPBACK
    return is_secure(connection) or here


def address_of(scope: Scope) -> str:
    """The client's address, as rate limits count it."""
    return counted_address(scope["client"][0] if scope.get("client") else "")


def counted_address(host: str) -> str:
    """An address as rate limits count it; an IPv6 address is cut to its network."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return host
    return str(address.ipv4_mapped or ip_network((address, WIDTH), strict=False))


def is_same_origin(connection: HTTPConnection) -> bool:
    """Whether the request comes from a page of this house or from no page; others are logged."""
    site = connection.headers.get("sec-fetch-site")
    origin, host = connection.headers.get("origin"), connection.headers.get("host")
    scheme = "https" if is_secure(connection) else "http"
    is_ours = origin is None or origin == f"{scheme}://{host}"
    if is_ours and site in (None, "same-origin", "none"):
        return True
    address = address_of(connection.scope)
    log.info("a page of another site asked", extra={"address": address})
    return False


def token_of(connection: HTTPConnection) -> tuple[str | None, bool]:
    """The token of the request, and whether it came in a cookie."""
    kind, _, bearer = connection.headers.get("authorization", "").partition(" ")
    if kind:
        return (bearer if kind == "Bearer" else ""), False
    name = SAFE_COOKIE if is_secure(connection) else COOKIE
    return connection.cookies.get(name), True


async def session_of(request: Request) -> Session | None:
    """Returns the session of a request, or None without a valid one; a wrong header is an error."""
    token, is_cookie = token_of(request)
    if token is None:
        return None
    # A page that only polls does not keep a post from becoming idle.
    at_work = request.method not in ASKING
    found = await people_of(request).known(token, at_work=at_work)
    if found is None:
        if is_cookie:
            return None  # It has expired: its owner may look on, and is asked to sign in again.
        raise NotDoneError(401, Problem.SESSION_NOT_GOOD, "the token is not good", CHALLENGE)
    if is_cookie and at_work and not is_same_origin(request):
        raise NotDoneError(403, Problem.OTHER_PAGE, "this was not asked from a page of this house")
    allowance = request.app.state.lobby.allowances.of(found.name, "") if at_work else None
    if allowance is not None and not allowance.allows():
        wait = {"Retry-After": "1"}
        raise NotDoneError(429, Problem.TOO_OFTEN, "too many commands; slow down", wait)
    return found


Who = Annotated[Session | None, Depends(session_of)]


async def permitted(request: Request, who: Who) -> None:
    """Refuses requests that the permission matrix does not allow."""
    path = getattr(request.scope.get("route"), "path", "")
    row = f"{request.method} {path}"
    if who is not None and who.enrolling and row not in permissions.ENROLLING:
        raise NotDoneError(
            403, Problem.SECOND_FACTOR_MISSING, f"{who.post.spoken} enrols a second factor first"
        )
    if permissions.may(permissions.ROUTES, row, who.post if who is not None else None):
        return
    details = {"why": row, "session": who and who.mark, "address": address_of(request.scope)}
    log.info("not permitted", extra=details)
    if who is None:
        raise NotDoneError(401, Problem.NOT_SIGNED_IN, "sign in first", CHALLENGE)
    raise NotDoneError(403, Problem.NOT_FOR_YOU, f"this is not for {who.post.spoken}")


async def signed_in(who: Who) -> Session:
    """Returns the session, or refuses a request that is not signed in."""
    if who is None:
        raise NotDoneError(401, Problem.NOT_SIGNED_IN, "sign in first", CHALLENGE)
    return who


SignedIn = Annotated[Session, Depends(signed_in)]


async def folk(request: Request) -> People:
    """The sessions of the application; async, because FastAPI runs plain functions in a thread."""
    return people_of(request)


Folk = Annotated[People, Depends(folk)]


def give_cookie(request: Request, response: Response, token: str) -> None:
    """Sets the session cookie, which scripts cannot read."""
    _set_cookie(request, response, SAFE_COOKIE if is_secure(request) else COOKIE, token)


def give_device(request: Request, response: Response, mark: str) -> None:
    """Sets the device cookie, which remembers that somebody signed in on this browser."""
    name = SAFE_DEVICE_COOKIE if is_secure(request) else DEVICE_COOKIE
    _set_cookie(request, response, name, mark, DEVICE)


def device_of(request: Request) -> str | None:
    """The device cookie of a browser on which somebody may have signed in before."""
    return request.cookies.get(SAFE_DEVICE_COOKIE if is_secure(request) else DEVICE_COOKIE)


def _set_cookie(
    request: Request, response: Response, name: str, value: str, seconds: int | None = None
) -> None:
    response.set_cookie(
        name,
        value,
        max_age=seconds,
        secure=is_secure(request),
        httponly=True,
        samesite="strict",
        path="/",
    )


def take_cookie(request: Request, response: Response) -> None:
    """Deletes the session cookie."""
    secure = is_secure(request)
    response.delete_cookie(
        SAFE_COOKIE if secure else COOKIE,
        secure=secure,
        httponly=True,
        samesite="strict",
        path="/",
    )
