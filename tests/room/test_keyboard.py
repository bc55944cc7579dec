"""A coup without a pointer: from the door to the result, by the keys alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from novamas.rulebooks import HOUSES
from tests.promises.running import Running
from tests.room.conftest import Deal, Visit
from tests.room.playing import Player

MOST = 80
"""So many steps of the tab key reach anything on a screen."""


def tab_to(page: Page, wanted: str) -> None:
    """Goes on by the tab key until something has the focus; it must also be seen to have it."""
    for _ in range(MOST):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement?.matches(wanted) ?? false", wanted):
            return
    here = page.evaluate("() => document.activeElement?.outerHTML.slice(0, 200)")
    raise AssertionError(f"the tab key never reaches {wanted}; it is at {here}")


def test_a_coup_by_keyboard_alone(house: Running, visit: Visit, deal: Deal) -> None:
    dealer = deal(house, "keys", "it")
    ana = Player(visit(house), "keys")
    come_in(ana)
    take_a_seat(ana)
    lay(ana)
    # An announcement, on the racetrack.
    tab_to(ana.page, '[data-call="tiers"]')
    ana.page.keyboard.press("Enter")
    ana.expect_purse(9_400 - 6 * 500)
    assert [each["call"] for each in ana.view()["announcements"]] == ["tiers"]

    dealer.spin(17)
    expect(ana.page.locator("[data-net]")).to_be_attached()
    tab_to(ana.page, "summary")
    ana.page.keyboard.press("Enter")
    expect(ana.page.locator("details[open]")).to_have_count(1)
    assert ana.why()["number"] == 17


def test_a_question_mark_lists_the_keys_and_b_opens_the_book(
    house: Running, visit: Visit, deal: Deal
) -> None:
    deal(house, "question mark", "bg")
    page = visit(house).go("/t/question%20mark")
    page.get_by_role("tab", name="Table").focus()
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keyboard")
    expect(keys).to_contain_text("undo the last action")
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    page.keyboard.press("b")
    expect(page.get_by_role("dialog", name="The rulebook")).to_contain_text("BG-26")


def come_in(ana: Player) -> None:
    page = ana.visitor.go("/")
    expect(page.locator('a.card[href="/t/keys"]')).to_be_visible()
    tab_to(page, "input")
    page.keyboard.type("anna")
    page.keyboard.press("Enter")
    expect(page.get_by_text("You are anna")).to_be_visible()
    ana.name = "anna"
    tab_to(page, 'a.card[href="/t/keys"]')
    page.keyboard.press("Enter")
    expect(ana.cloth).to_be_visible()


def take_a_seat(ana: Player) -> None:
    """The sheet takes the focus, and gives it back."""
    page = ana.page
    tab_to(page, "button.sit, .invite button")
    page.keyboard.press("Enter")
    sheet = page.get_by_role("dialog")
    expect(sheet).to_be_visible()
    tab_to(page, "dialog input[type=number]")
    page.keyboard.press("Control+a")
    page.keyboard.type("10000")
    page.keyboard.press("Enter")
    expect(sheet).to_be_hidden()
    ana.expect_purse(10_000)


def lay(ana: Player) -> None:
    """The cloth is one stop of the tab key; the arrows walk over it, Enter lays, Delete takes."""
    page = ana.page
    tab_to(page, "[data-spot]")
    assert page.evaluate("() => document.activeElement.dataset.spot") == "17"
    page.keyboard.press("Enter")
    ana.expect_stake("17")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.dataset.spot") == "17/20"
    page.keyboard.press("Enter")
    ana.expect_stake("17/20")
    ana.visitor.shoot("it-table-keyboard")
    page.keyboard.press("Delete")
    ana.expect_purse(9_900)
    page.keyboard.press("Enter")
    ana.expect_purse(9_800)
    page.keyboard.press("u")
    ana.expect_purse(9_900)
    # Another chip, by its place on the rail.
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    ana.expect_purse(9_400)


WALK = """() => {
    const arrows = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
    document.querySelector('[role=button][data-spot="17"]').focus();
    const seen = new Set();
    const all = document.querySelectorAll("[role=button][data-spot]").length;
    let chance = 17;
    for (let step = 0; step < 40000 && seen.size < all; step += 1) {
        chance = (chance * 1103515245 + 12345) % 2147483648;
        const key = arrows[(chance >> 12) % 4];
        const node = document.activeElement;
        seen.add(node.dataset.spot);
        node.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
    }
    return [...seen];
}"""
"""Somebody who wanders about on the cloth for a long time."""


@pytest.mark.parametrize("rulebook", HOUSES)
def test_every_spot_of_a_cloth_is_reached_by_the_arrows(
    rulebook: str, house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, f"walk {rulebook}", rulebook)
    ana = Player(visit(house), dealer.table)
    ana.be_seated(f"walker {rulebook}")
    seen: list[str] = ana.page.evaluate(WALK)
    assert set(seen) == {spot.name for spot in dealer.book.terms}
