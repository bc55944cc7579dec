"""Two houses side by side: what differs between their books, as a reader finds it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from novamas.game.rulebook.compare import differences
from novamas.odds.edges import compare_edges
from novamas.rulebooks import HOUSES, load
from tests.promises.running import Running
from tests.room.conftest import Visit
from tests.room.people import SIZES


@pytest.mark.parametrize("size", SIZES)
def test_two_houses_are_compared_from_the_lobby(size: str, house: Running, visit: Visit) -> None:
    scheme = "light" if size == "wide" else "dark"
    visitor = visit(house, size=size, color_scheme=scheme)
    page = visitor.go("/")
    page.get_by_role("link", name="Compare two casinos").click()
    expect(page.get_by_role("heading", name="Two casinos compared")).to_be_visible()
    selects = page.get_by_role("combobox")
    expect(selects.first.get_by_role("option")).to_have_count(len(HOUSES))
    selects.first.select_option("fram")
    selects.last.select_option("it")
    expect(page).to_have_url(f"{visitor.url}/compare/fram/it")
    # Every difference is there; announcements of one house alone are one row.
    books = load("fram"), load("it")
    found = differences(*books)
    single = [each for each in found if not each.key.startswith("calls.")]
    expect(page.locator("article")).to_have_count(len(single) + 1)
    zero = page.locator('[data-key="zero.simple"]')
    expect(zero).to_contain_text("Even chances when zero comes up")
    expect(zero.locator(".side").first).to_contain_text("lose")
    # The articles are one tap away, in the reader's language.
    zero.locator("summary").first.click()
    expect(zero).to_contain_text(books[0].articles["FRAM-55-2.z"].summary["en"])
    # What each of them keeps: exactly, and in percent.
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(len(compare_edges(*books)))
    simple = rows.filter(has_text="Even chance")
    expect(simple).to_contain_text("1/19")
    expect(simple).to_contain_text("5.26%")
    expect(simple).to_contain_text("1/74")
    expect(rows.filter(has_text="Five numbers")).to_contain_text("3/38")
    visitor.shoot(f"compare-{scheme}")
    visitor.check_access(where=f"two houses compared, {size}")
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= SIZES[size]["width"]


def test_a_comparison_has_an_address_and_is_read_by_keyboard(house: Running, visit: Visit) -> None:
    visitor = visit(house, locale="fr-FR")
    page = visitor.go("/compare/fr/es")
    expect(page.get_by_role("heading", name="Deux casinos comparés")).to_be_visible()
    stays = page.locator('[data-key="zero.small_halves_stay"]')
    expect(stays.locator(".side").first).to_contain_text("non")
    expect(stays.locator(".side").last).to_contain_text("oui")
    stays.locator("summary").first.focus()
    page.keyboard.press("Enter")
    expect(stays.locator("details").first).to_have_attribute("open", "")
    page.get_by_role("button", name="Échanger").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{visitor.url}/compare/es/fr")
    expect(stays.locator(".side").first).to_contain_text("oui")
    page.go_back()
    expect(page.get_by_role("combobox").first).to_have_value("fr")
    # A house that does not exist, and a house with itself.
    visitor.allow("404")
    visitor.go("/compare/fr/atlantis")
    expect(page.get_by_role("alert")).to_contain_text("Ce casino n’existe pas.")
    visitor.go("/compare/sd/sd")
    expect(page.get_by_text("Les règlements de ces casinos ne diffèrent pas.")).to_be_visible()
    page.get_by_role("link", name="Toutes les tables").click()
    expect(page.locator("a.card").first).to_be_visible()
