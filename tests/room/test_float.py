"""The float of a French table at the consoles: brought, counted, signed, and read by players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from novamas.game.limits import placard
from novamas.game.rulebook.behaviours import Act
from novamas.rulebooks import load
from tests.room.conftest import Deal, Open, Visit
from tests.room.consoles import at_desk, enter, hold, press, take_post
from tests.room.dealing import AtTable
from tests.room.house_with_accounts import (
    REFUSED,
    House,
    look_at,
    opened_house,
    sign_in,
    sign_in_at_post,
)
from tests.room.people import SIZES, Visitor
from tests.room.playing import Player

BOOK = load("fram")
FLOAT = 15_000 * 100
PEOPLE = {"ana": ["player"], "vera": ["croupier"], "caj": ["cashier"], "cleo": ["chief"]}


@pytest.fixture
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with people, and an American table of France that nobody has touched yet."""
    with opened_house(tmp_path_factory.mktemp("house"), people=PEOPLE) as made:
        cash = {"amount": 50_000, "id": "first of ana"}
        made.ask("caj", "cashier", "POST", "/api/desk/ana/in", cash)
        limits = placard(BOOK, 100).as_data()
        table = {"table": "nice", "rulebook": "fram", "ball": "wheel", "limits": limits}
        made.ask("cora", "chief", "POST", "/api/tables", {**table, "chip": 100})
        yield made


def at_console(house: House, visit: Visit, name: str, post: str) -> Visitor:
    """Somebody of the staff who signs in and goes to the table."""
    visitor = visit(house)
    visitor.allow(REFUSED)
    page = visitor.go("/console")
    sign_in_at_post(page, house, name, post)
    page.get_by_role("button", name="nice").click()
    expect(page.get_by_role("tab").first).to_be_visible()
    return visitor


def twice(where: Page | Locator, name: str) -> None:
    """Touches a button that asks again."""
    for _ in range(2):
        where.get_by_role("button", name=name).click()


def next_region(page: Page) -> Locator:
    """What is next, on the tab of the table."""
    page.get_by_role("tab", name="Table").click()
    return page.get_by_role("region", name="Next")


def count(page: Page, amount: int) -> None:
    """The croupier enters a count."""
    region = next_region(page)
    region.get_by_label("Counted").fill(str(amount))
    twice(region, f"Enter the count: {amount:,}")


def entries(page: Page) -> Locator:
    """The entries of the book of advances, the newest first."""
    return page.get_by_role("list", name="Book of advances").get_by_role("listitem")


@dataclass(frozen=True)
class Staff:
    """Those who serve the table, each at a console of their own."""

    cashier: Visitor
    croupier: Visitor
    chief: Visitor

    @property
    def bank(self) -> Locator:
        """The bank, as the cash desk sees it."""
        return self.cashier.page.get_by_role("region", name="Bank of the table")

    def bring_float(self) -> None:
        """The cash desk reads how much the float must be, and finds it in the field."""
        told = "The float is at least 1,500,000: 15,000 minima of the table."
        expect(self.bank).to_contain_text(told)
        expect(self.bank.get_by_label("Amount")).to_have_value(str(FLOAT))
        look_at(self.cashier, "float-cashier")
        hold(self.croupier.page, BOOK.posts["croupier"].word)
        expect(next_region(self.croupier.page)).to_contain_text("Still vacant")
        hold(self.chief.page, BOOK.posts["chief"].word)
        expect(next_region(self.croupier.page)).to_contain_text("The cash desk brings it.")
        look_at(self.croupier, "float-awaited")
        twice(self.bank, "Open the bank with 1,500,000")

    def count_and_sign(self) -> None:
        """The croupier counts, once wrongly, and another person signs."""
        croupier, chief = self.croupier, self.chief
        expect(next_region(chief.page)).to_contain_text("vera does this now")
        expect(next_region(croupier.page)).to_contain_text("Lay out all chips of the bank")
        look_at(croupier, "float-to-count")
        count(croupier.page, FLOAT - 100)
        expect(next_region(croupier.page)).to_contain_text("cleo does this now")
        look_at(croupier, "float-counted")
        croupier.page.get_by_role("button", name="Count again").click()
        count(croupier.page, FLOAT)
        chief.page.get_by_role("tab", name="Supervision").click()
        waiting = chief.page.get_by_role("region", name="To be decided")
        expect(waiting).to_contain_text("Counted by vera")
        expect(waiting).to_contain_text("balanced")
        look_at(chief, "float-to-sign-supervision")
        expect(next_region(chief.page)).to_contain_text("Sign the count: 1,500,000")
        look_at(chief, "float-to-sign")
        press(chief.page, "Sign the count: 1,500,000")
        press(chief.page, "Open the table")

    def deal_double_zero(self) -> None:
        """A coup in which ana wins 3,500 on 00."""
        page = self.croupier.page
        press(page, "Launch the ball")
        press(page, "No more bets")
        enter(page, "00")
        press(page, "Call the number")
        press(page, "Collect losing bets")
        press(page, "Pay 3,500 to ana")

    def close(self) -> None:
        """The closing count is signed before the bank is emptied."""
        self.chief.page.get_by_role("tab", name="Supervision").click()
        twice(self.chief.page, "Close the table")
        told = "The closing count is signed before the bank is emptied."
        expect(self.bank).to_contain_text(told)
        self.bank.get_by_label("Amount").fill(str(FLOAT - 3_500))
        credit = self.bank.get_by_role("button", name="Credit 1,496,500 to the desk")
        expect(credit).to_be_disabled()
        count(self.croupier.page, FLOAT - 3_500)
        expect(next_region(self.chief.page)).to_contain_text("Closing")
        look_at(self.chief, "float-closing")
        press(self.chief.page, "Sign the count: 1,496,500")
        over = "The last round has been played"
        expect(next_region(self.croupier.page)).to_contain_text(over)
        twice(self.bank, "Credit 1,496,500 to the desk")
        expect(entries(self.cashier.page)).to_have_count(2)
        look_at(self.cashier, "float-emptied")


@pytest.mark.rule("FRAM-43")
def test_the_staff_opens_and_closes_a_french_table_with_its_float(
    house: House, visit: Visit
) -> None:
    staff = Staff(
        at_console(house, visit, "caj", "cashier"),
        at_console(house, visit, "vera", "croupier"),
        at_console(house, visit, "cleo", "chief"),
    )
    staff.bring_float()
    staff.count_and_sign()
    visitor = visit(house)
    visitor.allow(REFUSED)
    visitor.go("/t/nice")
    sign_in(visitor.page, "ana")
    ana = Player(visitor, "nice")
    ana.sit(5_000)
    ana.touch("00")
    ana.expect_stake("00")
    ana.open("Table")
    expect(entries(ana.page)).to_have_count(1)
    expect(entries(ana.page)).to_contain_text("counted by vera, signed by cleo")
    look_at(visitor, "float-book-of-advances")
    staff.deal_double_zero()
    ana.expect_purse(5_000 - 100 + 3_500)
    staff.close()
    expect(entries(ana.page)).to_have_count(2)
    expect(entries(ana.page).first).to_contain_text("Closing")


@pytest.mark.rule("FR-44.a", "FR-44.b", "FR-42")
@pytest.mark.parametrize("size", SIZES)
def test_a_bank_that_cannot_cover_the_bets_is_filled_counted_and_signed(
    size: str, own_house: Open, visit: Visit, deal: Deal
) -> None:
    house = own_house()
    dealer = deal(house, "nice", "fr", limits=placard(load("fr"), 100).as_data())
    first = int(dealer.view()["float"]["refill"])
    dealer.seat("ana", 10_000)
    dealer.lay("ana", "17", 200)
    dealer.must("CreditBank", amount=first - 1_000)
    dealer.spin(17)
    assert dealer.view()["float"]["uncovered"]

    chief = at_desk(visit, house, "chief", "nice", size=size)
    take_post(chief.page, dealer, "chief")
    chief.page.get_by_role("tab", name="Supervision").click()
    waiting = chief.page.get_by_role("region", name="To be decided")
    expect(waiting).to_contain_text("The bank cannot cover the bets. Play is suspended.")
    expect(waiting).to_contain_text(f"The cash desk fills the bank by {first:,}.")
    expect(waiting).to_contain_text("FR-44.a")
    expect(waiting.get_by_role("button", name="Resume play")).to_have_count(0)
    chief.check_access(where="an uncovered bank")
    chief.shoot("fr-console-chief-uncovered")
    expect(next_region(chief.page)).to_contain_text(f"fills the bank by {first:,}")
    chief.shoot("fr-console-chief-uncovered-next")

    cashier = at_desk(visit, house, "cashier", "nice", size=size)
    bank = cashier.page.get_by_role("region", name="Bank of the table")
    expect(bank.get_by_label("Amount")).to_have_value(str(first))
    expect(bank).to_contain_text(f"Every later advance equals the first: {first:,}.")
    cashier.check_access(where="the bank of an uncovered table")
    cashier.shoot("fr-console-cashier-uncovered")
    twice(bank, f"Fill by {first:,}")

    counter = dealer.who(Act.COUNT_FLOAT)
    holds = first + 1_000 - 7_000
    dealer.must("CountFloat", by=counter, counted=holds)
    press(chief.page, f"Sign the count: {holds:,}")
    expect(next_region(chief.page)).to_contain_text("Launch the ball")
    assert not dealer.view()["suspended"]


def test_a_player_reads_why_play_is_suspended(own_house: Open, visit: Visit, deal: Deal) -> None:
    house = own_house()
    dealer = deal(house, "nice", "fr", limits=placard(load("fr"), 100).as_data())
    first = int(dealer.view()["float"]["refill"])
    ana = Player(visit(house), "nice")
    ana.be_seated("ana", 10_000)
    dealer.lay("ana", "17", 200)
    dealer.must("CreditBank", amount=first - 1_000)
    dealer.spin(17)
    expect(ana.page.get_by_text("The bank cannot cover the bets").first).to_be_visible()
    ana.visitor.shoot("fr-table-uncovered")
    with AtTable(house.url.rstrip("/"), ana.visitor.kept_token(), "nice") as seat:
        assert seat.ask("/decisions")["advances"][0]["amount"] == first
