"""A house with accounts for a browser: its people, signing in, and a look at each screen."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import httpx
from playwright.sync_api import Page, expect

from tests.room import cheap_passwords
from tests.room.conftest import Visit
from tests.room.passkeys import plug_in
from tests.room.people import PATIENCE, SIZES, Visitor
from tests.web.accounts import PASSWORD
from tests.web.authenticator import KEPT, enter
from tests.web.house_mode import opened

FIRST = "what the chief wrote down 3"
"""What somebody is let in with once, to choose a password of their own."""
REFUSED = r"status of 40[139]"
"""The browser's own word on an answer that a test asks for."""


@dataclass(frozen=True)
class House:
    """A house with people in it."""

    url: str
    http: httpx.Client
    tokens: dict[str, str | None] = field(default_factory=dict)

    def ask(self, name: str, post: str, method: str, path: str, body: Any = None) -> Any:
        """Asks as somebody who signs in once for all they ask."""
        if name not in self.tokens:
            # Nobody signs in more often than the house lets them.
            self.tokens[name] = enter(self.http, name, PASSWORD, post)
        headers = {"Authorization": f"Bearer {self.tokens[name]}"}
        more = {} if body is None else {"json": body}
        answer = self.http.request(method, path, headers=headers, **more).raise_for_status()
        return answer.json() if answer.content else None

    def make_known(self, name: str, posts: list[str]) -> None:
        """Makes somebody known; for staff a second chief approves it."""
        person = {"name": name, "password": FIRST, "posts": posts, "reason": "new"}
        asked = self.ask("cora", "chief", "POST", "/api/people", person)
        if posts != ["player"]:
            yes = {"approve": True, "reason": "I know of it"}
            self.ask("dino", "chief", "POST", f"/api/approvals/{asked['id']}", yes)


@contextmanager
def opened_house(
    folder: Path, *options: str, people: Mapping[str, list[str]] = MappingProxyType({})
) -> Iterator[House]:
    """A house in a process of its own, with these people and the table `salle`."""
    novamas = (sys.executable, cheap_passwords.__file__)
    with opened(folder, *options, tls=False, novamas=novamas) as found:
        # A passkey is of a name, and not of an address.
        url = found.url.replace("127.0.0.1", "localhost")
        with httpx.Client(base_url=url, timeout=PATIENCE / 1000) as http:
            made = House(url, http)
            for name, posts in people.items():
                made.make_known(name, posts)
                enter(http, name, FIRST, posts[0], new=PASSWORD)
            table = {"table": "salle", "rulebook": "es", "chip": 100}
            made.ask("cora", "chief", "POST", "/api/tables", table)
            yield made


def newcomer(
    house: House, visit: Visit, name: str, post: str, path: str = "/", **how: str
) -> Visitor:
    """Somebody who was just made known, with a first password, and opens a page."""
    house.make_known(name, [post])
    visitor = visit(house, **how)
    visitor.allow(REFUSED)
    visitor.go(path)
    return visitor


def player(house: House, visit: Visit, name: str) -> Visitor:
    """A new player who has chosen a password, and signs in."""
    visitor = newcomer(house, visit, name, "player")
    enter(house.http, name, FIRST, "player", new=PASSWORD)
    sign_in(visitor.page, name)
    return visitor


def first_sign_in(page: Page, name: str, post: str | None = None) -> None:
    """Comes in with a first password, and is led to enrolling before anything else."""
    sign_in(page, name, post, password=FIRST)
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("New password once more").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()


def sign_in(page: Page, name: str, post: str | None = None, password: str = PASSWORD) -> None:
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    if post is not None:
        page.get_by_label("Post", exact=True).select_option(post)
    page.get_by_role("button", name="Sign in", exact=True).click()


def sign_in_at_post(page: Page, house: House, name: str, post: str) -> None:
    """Signs in with a passkey, as staff does who has one."""
    plug_in(page, KEPT[house.url, name])
    page.get_by_label("Post", exact=True).select_option(post)
    page.get_by_role("button", name="Sign in with a passkey").click()


def look_at(visitor: Visitor, name: str) -> None:
    """A picture of the screen, axe's word on it, and nothing that sticks out."""
    visitor.shoot(f"accounts/{name}")
    visitor.check_access(where=f"{name} {visitor.size}")
    wide = visitor.page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= SIZES[visitor.size]["width"], f"{name} is wider than the screen"
