"""A console in a browser: how a member of the staff comes to a table, and does what is next."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from novamas.game.wheel import Pocket
from tests.promises.running import Running
from tests.room.conftest import Visit
from tests.room.dealing import Dealer
from tests.room.people import Visitor


def at_desk(visit: Visit, house: Running, console: str, table: str, **how: str) -> Visitor:
    """Somebody who opens a console with its link, and goes to a table."""
    visitor = visit(house, **how)
    page = visitor.go(f"/console?key={house.keys[console]}")
    page.get_by_role("button", name=re.compile(rf"^{table}\b")).click()
    expect(page.get_by_role("tab").first).to_be_visible()
    # The key is good once, and is in nobody's history.
    assert "key=" not in page.url
    return visitor


def take_post(page: Page, dealer: Dealer, post: str) -> None:
    """Takes a post from the automatic croupier."""
    hold(page, dealer.book.posts[post].word)


def hold(page: Page, word: str) -> None:
    """Takes a post by the house's word for it."""
    page.get_by_role("tab", name="Posts").click()
    card = page.get_by_role("article").filter(has=page.get_by_role("heading", name=word))
    card.get_by_role("button", name="Take this post").first.click()
    expect(card.get_by_text("Your post")).to_be_visible()
    page.get_by_role("tab", name="Table").click()


def next_up(page: Page) -> Locator:
    """What the console has largest: the next thing that is to be done."""
    return page.get_by_role("region", name="Next").get_by_role("button").first


def press(page: Page, name: str) -> None:
    """Does it."""
    page.get_by_role("region", name="Next").get_by_role("button", name=name).first.click()


def enter(page: Page, number: Pocket) -> None:
    """Says where the ball lies, on the pad."""
    page.get_by_role("group", name="Which number came up?").get_by_role(
        "button", name=str(number), exact=True
    ).click()
    page.get_by_role("button", name=f"Confirm {number}").click()


def close_betting(page: Page) -> None:
    """Launches the ball and calls no more bets."""
    press(page, "Launch the ball")
    press(page, "No more bets")
