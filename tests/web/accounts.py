"""A house with accounts for a test: people with posts, their passwords, tokens and cookies."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx
import pyotp
from argon2 import PasswordHasher

from novamas.house.clock import SystemClock, monotonic
from novamas.house.people import decide, events
from novamas.house.people.events import Post
from novamas.house.people.registry import Order
from novamas.house.people.second_factor import MUST_HAVE, bound_to
from novamas.house.table.events import BallMode
from novamas.web.app import create_app
from novamas.web.auth import COOKIE
from novamas.web.factor_proofs import STEP
from novamas.web.passwords import Passwords
from novamas.web.server import RATE, LocalHouse, Options
from novamas.web.sessions import People, digest
from tests.web.door import HOST, NO_ROOM, Door, Signed, Socket

PASSWORD = "Nine-Zulu-orphelins"  # noqa: S105 - of the tests' own people
QUICK = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
"""Hashes that cost nothing: the tests sign in often."""


class LaterClock(SystemClock):
    """A clock that goes as the loop's time does, and that a test may put forward."""

    def __init__(self) -> None:
        wall, began = time.time_ns(), monotonic()

        def elapsed() -> int:
            return round((monotonic() - began) * 1e9)

        super().__init__(lambda: wall + elapsed(), elapsed)
        self.later = 0

    def now(self) -> int:
        return super().now() + self.later


class Accounts(Door):
    """A house in which everybody has an account."""

    def __init__(self, local: LocalHouse, clock: LaterClock, *, rate: float | None) -> None:
        self.local = local
        self.clock = clock
        app = create_app(
            local.house,
            local.people,
            on_set_up=local.deal,
            rate=rate,
            hosts=(HOST,),
            room=NO_ROOM,
        )
        super().__init__(local.house, local.people, app)
        self.apps: dict[str, str] = {}
        """The secrets of the apps in which somebody sees codes."""

    async def known(self, name: str, *posts: Post, money: int = 0) -> None:
        """Somebody with an account; where the management has one, it is no guest."""
        await self.people.register(name, PASSWORD, posts, by="the test")
        if money:
            await self.people.registry.do(
                lambda r, now: decide.take_cash(
                    r, name, money, id=f"in {name}", by="the desk", now=now, by_two=True
                ),
                order=Order(f"in {name}", "the desk", b"of the test"),
            )

    async def enrol(self, name: str) -> None:
        """Gives somebody an app with codes and a name to sign in under, where they lack one."""
        person = decide.known(self.people.registry.register, name)
        if not person.sign_in:
            chosen = f"{person.name}, in"[:24]
            await self.people.registry.do(lambda r, _: decide.choose_sign_in_name(r, name, chosen))
        if person.factors:
            return
        secret = self.apps[person.name] = pyotp.random_base32()
        id = f"app of {person.name}"
        sealed = self.people.factors._key.seal(secret.encode(), bound_to=bound_to(person.name, id))
        made = events.TotpEnrolled(
            name=person.name, factor=id, label="test", sealed=sealed.hex(), counter=0
        )
        await self.people.registry.do(lambda *_: [made])

    def code(self, name: str) -> str:
        """The code that somebody's app shows next; the clock goes on where it was used already."""
        (factor,) = decide.known(self.people.registry.register, name).factors.values()
        step = max(self.clock.now() // 1000 // STEP, factor.counter + 1)
        self.clock.later += max(0, (step - 1) * STEP * 1000 - self.clock.now())
        return pyotp.TOTP(self.apps[name]).at(step * STEP)

    async def signed(self, name: str, post: Post) -> Signed:
        """A session of somebody, without the work of a password; staff is enrolled for it."""
        if post in MUST_HAVE:
            await self.enrol(name)
        token, _ = await self.people._open(name, post)
        return Signed(self.people, token, name, post)

    async def over(self, name: str, post: Post) -> Signed:
        """A session whose time is over."""
        signed = await self.signed(name, post)
        id = digest(signed.token)
        kept = self.people.registry.register.sessions
        kept[id] = replace(kept[id], expires=self.people.registry.now() - 1)
        return signed

    async def revoked(self, name: str, post: Post) -> Signed:
        """A session that was taken away."""
        signed = await self.signed(name, post)
        await self.people.end(digest(signed.token), by="chief", reason="revoked")
        return signed

    async def sign_in(
        self, name: str, password: str = PASSWORD, post: str = "player", **more: Any
    ) -> httpx.Response:
        """Asks to be let in, as a page does; whoever has an app shows the code that it shows."""
        body = {"name": name, "password": password, "post": post, **more.pop("body", {})}
        person = self.people.registry.register.person(name)
        if person is not None and person.sign_in:
            body["name"] = person.sign_in
        if person is not None and person.name in self.apps and person.factors:
            body.setdefault("code", self.code(person.name))
        return await self.http.post("/api/sign-in", json=body, **more)

    def from_address(self, address: str, **more: Any) -> httpx.AsyncClient:
        """Somebody who asks from another address."""
        transport = httpx.ASGITransport(app=self.app, client=(address, 4711))
        return httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}", **more)

    def listening(
        self, table: str, signed: Signed | None, *, by: str = "header", **headers: str
    ) -> Socket:
        """A socket of somebody, who shows their token in a header or keeps it in a cookie."""
        shown = {}
        if signed is not None:
            shown = {"header": bearer(signed), "cookie": cookie(signed)}[by]
        return Socket(
            self.app, f"/api/tables/{table}/socket", "", {"host": HOST, **shown, **headers}
        )


def bearer(signed: Signed) -> dict[str, str]:
    return {"Authorization": f"Bearer {signed.token}"}


def cookie(signed: Signed) -> dict[str, str]:
    return {"Cookie": f"{COOKIE}={signed.token}"}


def people_with(local: LocalHouse, **more: Any) -> People:
    """The same people, whose passwords cost the tests little."""
    is_shared = local.house.leases is not None
    return People(local.registry, passwords=Passwords(QUICK), is_shared=is_shared, **more)


@asynccontextmanager
async def open_accounts(
    store: str | None = None,
    *,
    counted: bool = False,
    attended: bool = True,
    lease: float = 3.0,
    **more: Any,
) -> AsyncIterator[Accounts]:
    """A house in house mode that is open, and looks after its people, until the test is over.

    `counted` tells whether it counts how often one asks, `attended` whether it looks by itself
    whose session is over.
    """
    local = LocalHouse(Options(local=False, store=store, port=0, lease=lease, keys=False))
    clock = LaterClock()
    local.house.clock = clock
    local.registry._clock = clock
    # Those whom the first ones told heard of nothing yet.
    local.registry.on_change.clear()
    local.people = people_with(local, **more)
    await local.open()
    if not attended and local._attending is not None:
        local._attending.cancel()
    accounts = Accounts(local, clock, rate=RATE if counted else None)
    try:
        yield accounts
    finally:
        await accounts.http.aclose()
        await local.close()


async def table_with_staff(accounts: Accounts, name: str = "t", rulebook: str = "bg") -> None:
    """A table with a wheel, staffed and open, that nobody deals."""
    actor = await accounts.set_up(name, rulebook, ball=BallMode.WHEEL)
    await accounts.local.deal(actor)


def over_tls(accounts: Accounts, address: str = "203.0.113.7", **more: Any) -> httpx.AsyncClient:
    """Somebody who comes over TLS, from anywhere."""
    transport = httpx.ASGITransport(
        app=accounts.app, client=(address, 4711), raise_app_exceptions=False
    )
    return httpx.AsyncClient(transport=transport, base_url=f"https://{HOST}", **more)


async def within(seconds: float, so: Callable[[], bool]) -> float:
    """Waits until something is so, and tells how long it took; it must not take longer."""
    began = monotonic()
    while not so():
        assert monotonic() - began < seconds
        await asyncio.sleep(0.005)
    return monotonic() - began


async def passed(accounts: Accounts, kind: type[events.RegisterEvent]) -> list[Any]:
    """What of a kind stands in the register."""
    from novamas.house.people.registry import LOG, decode

    store = accounts.house.store
    read = await accounts.house.blocking(lambda: list(store.read(LOG)))
    return [event for event in map(decode, read) if isinstance(event, kind)]
