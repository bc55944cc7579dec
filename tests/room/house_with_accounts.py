"""A house with accounts for a browser: its people, signing in, and a look at each screen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import httpx
from playwright.sync_api import Page

from tests.room.people import SIZES, Visitor
from tests.web.accounts import PASSWORD
from tests.web.authenticator import enter

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


def sign_in(page: Page, name: str, post: str | None = None, password: str = PASSWORD) -> None:
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    if post is not None:
        page.get_by_label("Post", exact=True).select_option(post)
    page.get_by_role("button", name="Sign in", exact=True).click()


def look_at(visitor: Visitor, name: str) -> None:
    """A picture of the screen, axe's word on it, and nothing that sticks out."""
    visitor.shoot(f"accounts/{name}")
    visitor.check_access(where=f"{name} {visitor.size}")
    wide = visitor.page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= SIZES[visitor.size]["width"], f"{name} is wider than the screen"
