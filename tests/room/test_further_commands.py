"""What only some houses know at the consoles: inspections, orphans, reopening, double tables."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from novamas.game.limits import placard
from novamas.rulebooks import load
from tests.room.conftest import Deal, Open, Visit
from tests.room.consoles import at_desk, close_betting, hold, press, take_post
from tests.room.people import SIZES, Visitor


def look_at(visitor: Visitor, name: str) -> None:
    """A picture of the screen, axe's word on it, and nothing that sticks out."""
    visitor.shoot(name)
    visitor.check_access(where=name)
    wide = visitor.page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= SIZES[visitor.size]["width"], f"{name} is wider than the screen"


def twice(page: Page, name: str) -> None:
    """Touches a button that asks again."""
    for _ in range(2):
        page.get_by_role("button", name=name).last.click()


def test_table_and_ball_are_inspected_at_the_console(
    own_house: Open, visit: Visit, lay_out: Deal
) -> None:
    house = own_house()
    dealer = lay_out(house, "deadwood", "sd")
    chief = at_desk(visit, house, "chief", "deadwood")
    croupier = at_desk(visit, house, "croupier", "deadwood")
    hold(chief.page, dealer.book.posts["supervisor"].word)
    hold(croupier.page, dealer.book.posts["dealer"].word)
    chief.page.get_by_role("tab", name="Table").click()
    expect(croupier.page.get_by_role("region", name="Next")).to_contain_text("chief does this now")
    look_at(chief, "sd-console-inspect-table")
    press(chief.page, "Inspect table, wheel and ball")
    press(chief.page, "Open the table")
    close_betting(croupier.page)
    croupier.page.get_by_role("button", name="Void the spin").first.click()
    for cause in ("The ball ran the same way as the wheel", "The ball made too few turns"):
        expect(croupier.page.get_by_role("button", name=cause)).to_be_visible()
    look_at(croupier, "sd-console-void")
    croupier.page.get_by_role("button", name="The ball left the wheel").click()
    croupier.page.get_by_role("button", name="Void: The ball left the wheel").click()
    expect(croupier.page.get_by_role("region", name="Next")).to_contain_text("Inspect the ball")
    look_at(chief, "sd-console-inspect-ball")
    press(chief.page, "Inspect the ball")
    press(croupier.page, "Launch the ball")
    assert dealer.view()["launched"]


def test_a_stake_whose_owner_is_gone_is_declared_abandoned(
    own_house: Open, visit: Visit, deal: Deal
) -> None:
    house = own_house()
    dealer = deal(house, "nice", "fr")
    dealer.seat("ana")
    dealer.lay("ana", "red", 500)
    dealer.must("StepAway", by="ana")
    croupier = at_desk(visit, house, "croupier", "nice")
    take_post(croupier.page, dealer, "croupier")
    stakes = croupier.page.get_by_role("region", name="Bets on the table")
    stakes.get_by_role("button", name="ana").click()
    look_at(croupier, "fr-console-orphan")
    twice(croupier.page, "Declare it abandoned")
    expect(stakes).to_contain_text("There are no bets on the table.")
    assert dealer.view()["custody"] == {"ana": 500}


def test_a_table_is_reopened_with_another_placard_and_its_float_counted_again(
    own_house: Open, visit: Visit, deal: Deal
) -> None:
    house = own_house()
    dealer = deal(house, "nice", "fr", limits=placard(load("fr"), 100).as_data())
    chief = at_desk(visit, house, "chief", "nice")
    page = chief.page
    take_post(page, dealer, "chief")
    page.get_by_role("tab", name="Supervision").click()
    hung = page.get_by_role("region", name="Table limits")
    hung.get_by_role("button", name="Change the limits").click()
    hung.get_by_label("Minimum of the table").fill("200")
    expect(hung).to_contain_text("The bank must hold 15,000 minima of the new limits.")
    look_at(chief, "fr-console-reopen")
    twice(page, "Close and reopen with these limits")
    waiting = page.get_by_role("region", name="To be decided")
    expect(waiting).to_contain_text("Count the float")
    assert dealer.view()["float"]["least"] == 15_000 * 200
    dealer.enter_float()
    expect(waiting).to_contain_text("Nothing to decide.")


def test_a_double_table_has_posts_and_seats_of_its_own(
    own_house: Open, visit: Visit, lay_out: Deal
) -> None:
    house = own_house()
    lay_out(house, "single", "fr")
    lay_out(house, "pair", "fr", double=True)
    lay_out(house, "seats", "fran", double=True)
    visitor = at_desk(visit, house, "chief", "single")
    page = visitor.page
    page.get_by_role("tab", name="Posts").click()
    cards = page.get_by_role("article")
    croupiers = cards.filter(has=page.get_by_role("heading", name="croupier"))
    expect(cards.filter(has_text="sous-chef de table")).to_have_count(0)
    expect(croupiers).to_contain_text("0 of 2")
    page.locator("summary").filter(has_text="chief").click()
    page.get_by_role("button", name="Other tables").click()
    page.get_by_role("button", name="pair").click()
    page.get_by_role("tab", name="Posts").click()
    expect(cards.filter(has_text="sous-chef de table")).to_contain_text("0 of 1")
    expect(croupiers).to_contain_text("0 of 4")
    look_at(visitor, "fr-console-double-posts")
    cashier = at_desk(visit, house, "cashier", "seats")
    seated = cashier.page.get_by_role("region", name="Players")
    expect(seated).to_contain_text("0 of 14 seats taken")
