"""The page of a coup: what it brought and why, what other houses would have paid, and the proof."""

from __future__ import annotations

import struct

import pytest
from playwright.sync_api import expect

import novamas as nv
from novamas.rulebooks import HOUSES
from tests.promises.running import Running
from tests.room.conftest import PATIENT, Deal, DealAt, Open, Visit
from tests.room.people import SIZES
from tests.room.playing import Player


@pytest.mark.parametrize("size", SIZES)
def test_a_round_opens_from_the_history_and_says_what_other_casinos_would_have_paid(
    size: str, house: Running, visit: Visit, deal: Deal
) -> None:
    table = f"shared-{size}"
    dealer = deal(house, table, "es")
    ana = Player(visit(house, size=size), table)
    ana.be_seated(f"ana who shares at {size}", 20_000)
    ana.pick(500)
    for spot in ("17", "black"):
        ana.lay(spot)
    dealer.seat("luis")
    dealer.lay("luis", "22", 300)
    dealer.spin(0)
    page = ana.page
    chip = ana.view()["chip"]
    ana.open("Rounds")
    page.get_by_role("link", name="Round 1", exact=True).click()
    expect(page).to_have_url(f"{ana.visitor.url}/t/{table}/coup/1")
    expect(page.get_by_role("heading", name="Round 1")).to_be_visible()
    rows = page.locator("[data-house]")
    expect(rows).to_have_count(len(HOUSES))
    for id in HOUSES:
        coup = nv.settle(id, 0, "ana 17:500 black:500", chip=chip, as_laid=True)
        exact = nv.odds(id, "17:500 black:500", divisible=True).edge
        row = page.locator(f'[data-house="{"here" if id == "es" else id}"]')
        expect(row.locator("[data-net]")).to_have_attribute("data-net", str(coup.net["ana"]))
        expect(row).to_contain_text(f"{exact.numerator}/{exact.denominator}")
    odds = nv.odds("es", "17:500 black:500", divisible=True)
    told = page.locator("[data-odds]")
    for part in (odds.gain, odds.expectation):
        expect(told).to_contain_text(f"{abs(part.numerator):,}/{part.denominator:,}")
    # The cloth as it lay, with what somebody else had, and no name.
    expect(
        page.get_by_text("Your bets: 1,000. All other players, without names: 300.")
    ).to_be_visible()
    expect(page.locator("figure")).not_to_contain_text("luis")
    # One's own bets, with the article that took each.
    own = page.get_by_role("region", name="Your bets")
    expect(own.locator("[data-net]")).to_have_attribute("data-net", "-500")
    # An article of another house opens that house's book.
    page.locator('[data-house="it"]').get_by_role("button").click()
    page.evaluate("scrollTo(0, 0)")
    ana.visitor.shoot(f"coup-top-{table}")
    lines = page.locator("tr.lines")
    lines.locator("summary", has_text="black").click()
    lines.get_by_role("button", name="IT-gioco-14", exact=True).click()
    book = page.get_by_role("dialog", name="The rulebook")
    expect(book.locator('[data-article="IT-gioco-14"]')).to_be_in_viewport()
    book.get_by_role("button", name="Close", exact=True).click()
    ana.visitor.shoot(f"coup-{table}")
    ana.visitor.check_access(where="the page of a coup")
    expect(page.get_by_text("A ball on a wheel gave this number")).to_be_visible()
    # In every language all of it has room.
    for language in ("es", "it", "fr", "bg", "en"):
        page.evaluate(f"localStorage.setItem('novamas.language', '{language}')")
        page.reload()
        expect(page.locator("html")).to_have_attribute("lang", language)
        expect(rows).to_have_count(len(HOUSES))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), language
    page.get_by_role("link", name="Go to the table").click()
    expect(ana.cloth).to_be_visible()


def test_the_browser_checks_the_ball_of_a_shared_round_and_others_see_no_bets(
    own_house: Open, visit: Visit, deal_at: DealAt
) -> None:
    house = own_house(pace=PATIENT)
    player = Player(visit(house), "bg")
    player.be_seated("sharer", 20_000)
    player.pick(500)
    player.lay("red")
    dealer = deal_at(house, "bg")
    dealer.launch()
    dealer.close()
    player.wait_for("collecting")
    dealer.collect()
    dealer.pay()
    player.wait_for("betting")
    player.open("Rounds")
    player.page.get_by_role("link", name="Round 1", exact=True).click()
    page = player.page
    expect(page.locator("[data-checked]")).to_contain_text("The number is right")
    expect(page.get_by_text("Your browser saved the same secret and texts")).to_be_visible()
    # Somebody else who follows the link sees the number and its proof, and no bets.
    other = visit(house, size="phone")
    shared = other.go("/t/bg/coup/1")
    expect(shared.locator("[data-checked]")).to_contain_text("The number is right")
    expect(shared.get_by_text("You had no bet in this round.")).to_be_visible()
    expect(shared.locator("[data-house]")).to_have_count(0)
    other.check_access(where="a coup that somebody shared")


def test_a_reduction_is_replayed_to_its_player_and_their_profit_stands_beside_the_odds(
    house: Running, visit: Visit, deal: Deal
) -> None:
    table = "reduced"
    dealer = deal(house, table, "ar")
    ana = Player(visit(house, size="phone"), table)
    ana.be_seated("ana reduced", 20_000)
    for spot in ("17", "17/20", "17/20", "16/18"):
        ana.lay(spot)
    dealer.spin(17)
    ana.wait_for("betting")
    ana.lay("1")
    dealer.spin(2)
    ana.wait_for("betting")
    page = ana.page
    ana.open("Rounds")
    profit = page.locator("[data-profit]")
    net = sum(line["won"] - line["lost"] for n in (1, 2) for line in ana.why(n)["lines"])
    expect(profit).to_have_attribute("data-profit", str(net))
    expected = nv.odds("ar", "17:100 17/20:200 16/18:100").expectation
    expected += nv.odds("ar", "1:100").expectation
    tenth = f"−{round(float(-expected), 1):g}"
    expect(profit.locator(".key.expected")).to_contain_text(tenth)
    ana.visitor.shoot("ar-table-profit")
    ana.visitor.check_access(where="the profit")
    page.get_by_role("link", name="Round 1", exact=True).click()
    own = page.get_by_role("region", name="Your bets")
    own.get_by_text("Watch the reduction").click()
    (reduction,) = (each["reduction"] for each in ana.why(1)["reduced"])
    assert reduction["steps"]
    pictures = own.locator("svg[role=img]")
    expect(pictures.first).to_be_visible()
    # As the house made it: what lay, dragged, each class in turn, and the spool.
    assert pictures.count() >= 3 + 2 * len(reduction["steps"])
    for step in reduction["steps"]:
        for article in step["articles"]:
            expect(own.get_by_text(article, exact=True).first).to_be_attached()
    ana.visitor.shoot("ar-coup-reduction")
    ana.visitor.check_access(where="a reduction that is replayed")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_room_can_be_installed_as_an_app(house: Running, visit: Visit) -> None:
    visitor = visit(house)
    page = visitor.go("/")
    address = page.locator("link[rel=manifest]").get_attribute("href")
    told = visitor.http.get(str(address))
    assert told.headers["content-type"] == "application/manifest+json"
    manifest = told.json()
    assert (manifest["start_url"], manifest["scope"]) == ("/", "/")
    for icon in manifest["icons"]:
        found = visitor.http.get(f"/room/{icon['src']}")
        wide, high = struct.unpack(">II", found.content[16:24])
        assert (found.headers["content-type"], f"{wide}x{high}") == ("image/png", icon["sizes"])
    # The page's own policy lets the browser read it.
    session = visitor.context.new_cdp_session(page)
    assert session.send("Page.getAppManifest")["errors"] == []
    problems = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A browser installs nothing from a window without a memory, as those of the tests are.
    assert [each["errorId"] for each in problems] == ["in-incognito"]


def test_a_round_that_was_not_played_says_so(house: Running, visit: Visit) -> None:
    visitor = visit(house)
    visitor.allow("404")
    for address in ("/t/ar/coup/999999", "/t/atlantis/coup/1"):
        page = visitor.go(address)
        expect(page.get_by_role("alert")).to_contain_text("There is no such round here.")
    visitor.check_access(where="a round that was not played")
