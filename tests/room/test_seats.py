"""Taking a seat where a house has rules of its own about chips, and playing by them."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.promises.running import Running
from tests.room.conftest import Deal, Visit
from tests.room.dealing import Dealer
from tests.room.people import SIZES
from tests.room.playing import Player

PLACARD = {
    kind: {"min": 100, "max": 100 * times}
    for kind, times in (("straight", 20), ("split", 40), ("street", 60), ("simple", 360))
}


def at_the_sheet(visit: Visit, house: Running, dealer: Dealer, name: str) -> tuple[Player, Locator]:
    """Somebody who is about to take a seat."""
    player = Player(visit(house), dealer.table)
    player.be_there(name)
    player.page.get_by_role("button", name="Take a seat").last.click()
    return player, player.page.get_by_role("dialog")


def test_a_french_table_sells_value_chips_alone(house: Running, visit: Visit, deal: Deal) -> None:
    dealer = deal(house, "valeur", "fr", limits=PLACARD)
    ana, sheet = at_the_sheet(visit, house, dealer, "ana valeur")
    expect(sheet.get_by_text("Only value chips are played here")).to_be_visible()
    expect(sheet.get_by_role("radio")).to_have_count(0)
    expect(sheet.get_by_text("Kind of chips")).to_have_count(0)
    expect(sheet.get_by_text("Value of your chips")).to_have_count(0)
    ana.visitor.check_access(where="a seat with value chips alone")
    ana.close_sheet()
    ana.sit(10_000)
    ana.lay("17")
    (stake,) = ana.view()["stakes"]
    assert stake["chips"] == "value"
    assert ana.view()["you"]["value_chips"]


@pytest.mark.parametrize("rulebook", ["fram", "esam"])
def test_the_value_of_a_colour_lies_between_the_limits_of_a_straight(
    rulebook: str, house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, f"valeurs {rulebook}", rulebook, limits=PLACARD)
    ana, sheet = at_the_sheet(visit, house, dealer, f"ana {rulebook} worth")
    values = sheet.get_by_role("group", name="Value of your chips")
    expect(values.get_by_role("button")).to_have_text(["100", "200", "500", "1,000", "2,000"])
    expect(values).to_contain_text("From 100 to 2,000")
    ana.visitor.shoot(f"{rulebook}-table-worth")
    ana.visitor.check_access(where="the value of a colour")
    values.get_by_role("button", name="500", exact=True).click()
    sheet.get_by_role("spinbutton", name="Amount").fill("50000")
    sheet.get_by_role("button", name="Sit down").click()
    expect(sheet).to_be_hidden()
    assert ana.view()["you"]["chip"] == 500
    ana.lay("17")
    assert ana.staked("17") == 500
    # Chips in hand keep their value there.
    ana.page.get_by_role("button", name="Buy", exact=True).click()
    expect(sheet.get_by_text("One chip is worth 500.")).to_be_visible()
    expect(values).to_have_count(0)


def test_an_english_table_gives_a_new_colour_for_a_new_value(
    house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, "couleur", "fran", limits=PLACARD)
    ana, sheet = at_the_sheet(visit, house, dealer, "ana couleur")
    sheet.get_by_role("button", name="Value chips").click()
    expect(sheet.get_by_text("Value chips are taken on the even chances only.")).to_be_visible()
    ana.close_sheet()
    ana.sit(10_000)
    first = ana.view()["you"]["colour"]
    ana.lay("17")
    ana.page.get_by_role("button", name="Buy", exact=True).click()
    values = sheet.get_by_role("group", name="Value of your chips")
    values.get_by_role("button", name="200", exact=True).click()
    expect(sheet.get_by_text("Take your bets back first")).to_be_visible()
    expect(sheet.get_by_role("button", name="Buy ·")).to_be_disabled()
    ana.close_sheet()
    ana.act("Clear")
    ana.expect_purse(10_000)
    ana.page.get_by_role("button", name="Buy", exact=True).click()
    values.get_by_role("button", name="200", exact=True).click()
    expect(sheet.get_by_text("you get a new colour")).to_be_visible()
    sheet.get_by_role("button", name="Buy ·").click()
    expect(sheet).to_be_hidden()
    you = ana.view()["you"]
    assert you["chip"] == 200
    assert you["colour"] != first


def test_value_chips_on_a_number_are_refused_in_words(
    house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, "jetons", "fran", limits=PLACARD)
    ana = Player(visit(house), dealer.table)
    ana.be_there("ana jetons")
    ana.sit(10_000, value_chips=True)
    ana.lay("red")
    ana.touch("17")
    refusal = ana.page.get_by_role("status").filter(has_text="FRAN-55-10.r")
    expect(refusal).to_be_visible()
    assert ana.staked("17") == 0


@pytest.mark.parametrize("size", SIZES)
def test_linked_bets_are_levelled_and_that_is_said_before_the_close(
    size: str, house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, f"égales {size}", "fram", limits=PLACARD)
    ana = Player(visit(house, size=size), dealer.table)
    ana.be_seated(f"ana égales {size}")
    for spot in ("17", "17/20", "17", "20/23", "red"):
        ana.lay(spot)
    marks = ana.page.locator(".cloth .lacking")
    expect(marks).to_have_count(1)
    strip = ana.page.locator(".info")
    ana.page.mouse.move(5, 5)
    ana.spot("17").hover(force=True)
    expect(strip).to_contain_text("Linked bets carry equal chips: 100 plays on each")
    if ana.is_phone:
        ana.open("Bets")
    told = ana.page.locator('[data-short="100"]')
    expect(told).to_have_count(1)
    told.locator("summary").click()
    expect(told).to_contain_text(dealer.book.articles["FRAM-55-3.l"].summary["en"])
    ana.visitor.shoot("fram-table-linked")
    ana.visitor.check_access(where="linked bets that are not equal")
    if ana.is_phone:
        ana.close_sheet()
    dealer.launch()
    dealer.close()
    expect(ana.page.get_by_text("Returned without having played: 100")).to_be_visible()
    expect(marks).to_have_count(0)
    assert ana.staked("17") == 100
    ana.expect_purse(10_000 - 400)


def test_the_lobby_says_what_one_has_at_a_table_to_its_owner_alone(
    house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, "mine", "es")
    ana = Player(visit(house), dealer.table)
    ana.arrive("ana of the lobby", 9_000)
    page = ana.visitor.go("/")
    card = page.locator('a.card[href="/t/mine"]')
    expect(card).to_contain_text("You have 9,000 here")
    expect(page.locator("[data-yours]")).to_have_count(1)
    stranger = visit(house).go("/")
    expect(stranger.locator('a.card[href="/t/mine"]')).to_be_visible()
    expect(stranger.locator("[data-yours]")).to_have_count(0)


def test_who_came_without_a_name_may_choose_one_later(house: Running, visit: Visit) -> None:
    visitor = visit(house)
    page = visitor.go("/")
    page.get_by_role("button", name="Come in").click()
    expect(page.get_by_text(re.compile(r"You are guest-\d+"))).to_be_visible()
    page.get_by_role("button", name="Choose a name").click()
    page.get_by_label("Your name").fill("ana at last")
    visitor.check_access(where="a name that is chosen later")
    page.get_by_role("button", name="Come in").click()
    expect(page.get_by_text("You are ana at last")).to_be_visible()
    # Whoever has a name keeps it.
    expect(page.get_by_role("button", name="Choose a name")).to_have_count(0)


@pytest.mark.parametrize("how", ["CloseTable", "SeePlayerOff"])
def test_the_wallet_is_right_at_once_when_a_table_closes_or_somebody_is_seen_off(
    how: str, house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, f"{how} money", "es")
    ana = Player(visit(house), dealer.table)
    ana.be_seated(f"ana {how}", 1_000_000)
    shown = ana.page.locator("header .who")
    expect(shown).to_contain_text("0 in play money")
    ana.expect_purse(1_000_000)
    dealer.must(how, **({"player": ana.name} if how == "SeePlayerOff" else {}))
    expect(shown).to_contain_text("1,000,000 in play money")
    expect(ana.page.locator("[data-purse]")).to_have_count(0)
    assert ana.money() == 1_000_000
