"""The rulebook of a house, to be read: as a page, and at the table where it decided something."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from novamas.rulebooks import load
from tests.promises.running import Running
from tests.room.conftest import Deal, Visit
from tests.room.people import SIZES
from tests.room.playing import Player


@pytest.mark.parametrize("size", SIZES)
def test_a_book_is_read_and_searched_on_a_page(size: str, house: Running, visit: Visit) -> None:
    visitor = visit(house, size=size)
    page = visitor.go("/book/it#IT-gioco-15a")
    book = load("it")
    rows = page.locator("[data-article]")
    expect(rows).to_have_count(len(book.articles))
    asked = page.locator('[data-article="IT-gioco-15a"]')
    expect(asked).to_be_in_viewport()
    expect(asked).to_contain_text(book.articles["IT-gioco-15a"].summary["en"])
    visitor.shoot("book-it")
    visitor.check_access(where="a book")
    page.get_by_role("searchbox").fill("imprisoned CHIP")
    expect(page.locator('[data-article="IT-gioco-14"]')).to_be_hidden()
    found = [
        each.id
        for each in book.articles.values()
        if all(word in f"{each.id} {each.summary['en']}".lower() for word in ("imprisoned", "chip"))
    ]
    expect(rows).to_have_count(len(found))
    page.get_by_role("link", name="Compare with another casino").click()
    expect(page).to_have_url(f"{visitor.url}/compare/it/ar")


@pytest.mark.parametrize("size", SIZES)
def test_a_touch_on_an_article_opens_the_book_at_what_it_decided(
    size: str, house: Running, visit: Visit, deal: Deal
) -> None:
    table = f"book-{size}"
    dealer = deal(house, table, "es")
    ana = Player(visit(house, size=size), table)
    ana.arrive(f"ana of {size}", 20_000)
    ana.pick(500)
    ana.lay("17")
    dealer.spin(17)
    page = ana.page
    ana.open("Bets")
    page.get_by_text("Why?").first.click()
    page.get_by_role("button", name="ES-7.1.a").first.click()
    entry = page.get_by_role("dialog", name="The rulebook").locator('[data-article="ES-7.1.a"]')
    expect(entry).to_be_in_viewport()
    expect(entry).to_contain_text("Decided with 17:")
    expect(entry).to_contain_text("+17,500")
    ana.visitor.check_access(where="the book at a table")


def test_an_unknown_address_is_a_page_that_says_so(house: Running, visit: Visit) -> None:
    visitor = visit(house)
    visitor.allow("404")
    page = visitor.go("/somewhere/else")
    expect(page.get_by_role("main")).to_contain_text("There is nothing at this address")
    visitor.go("/book/atlantis")
    expect(page.get_by_role("alert")).to_have_text("There is no such casino.")
