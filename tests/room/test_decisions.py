"""What is decided at a table is seen by its players: a dispute, a void ball, a suspension."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.room.conftest import Deal, Open, Visit
from tests.room.consoles import at_desk
from tests.room.playing import Player

DECIDED = "[data-decision]"


def test_a_player_disputes_a_coup_and_sees_how_it_is_decided(
    own_house: Open, visit: Visit, deal: Deal
) -> None:
    house = own_house()
    dealer = deal(house, "la mesa", "es", chip=100, limits={"straight": {"min": 100}})
    ana = Player(visit(house), "la mesa")
    ana.be_seated("ana")
    ana.open("Decisions")
    expect(ana.page.get_by_text("Nothing had to be decided at this table yet.")).to_be_visible()
    ana.open("Bets")
    ana.lay("17")
    dealer.spin(20)

    # From the explanation of a stake it is one step to the dispute.
    ana.page.get_by_role("button", name="Dispute this round").click()
    form = ana.page.get_by_role("form", name="Dispute this round")
    expect(form.get_by_role("button", name="Submit")).to_be_disabled()
    form.get_by_label("What is wrong").fill("I saw the ball in 17, and the dolly was on 20.")
    ana.visitor.check_access(where="the dispute of a player")
    ana.visitor.shoot("es-dispute-wide")
    # The table goes on, and what was written is not lost.
    dealer.launch()
    dealer.close()
    form.get_by_role("button", name="Submit").click()
    expect(ana.page.get_by_text("Your dispute was submitted.")).to_be_visible()
    dealer.pocket(3)
    dealer.settle()

    chief = at_desk(visit, house, "chief", "la mesa")
    chief.page.get_by_role("tab", name="Supervision").click()
    waits = chief.page.get_by_role("region", name="Open disputes")
    expect(waits).to_contain_text("I saw the ball in 17, and the dolly was on 20.")
    expect(waits).to_contain_text("Round 1: 20")  # The explanation stands beside it.
    expect(chief.page.get_by_text("ana disputes round 1").first).to_be_visible()
    chief.check_access(where="the dispute at the console")
    expect(waits.get_by_role("button", name="Reject")).to_be_disabled()
    waits.get_by_label("Reason of the decision").fill("The film shows the ball in 20.")
    chief.shoot("es-console-dispute")
    for _ in range(2):  # The first touch arms it.
        waits.get_by_role("button").filter(has_text=re.compile("Reject|Sure|again")).last.click()
    expect(waits).to_contain_text("Nothing is disputed.")

    # Whoever is at the table is told, and it stands in the list from then on.
    expect(ana.page.get_by_role("status").first).to_contain_text("rejected")
    ana.open("Decisions")
    rejected = ana.page.locator('[data-decision="dispute_rejected"]')
    expect(rejected).to_contain_text("The film shows the ball in 20.")
    expect(rejected).to_contain_text("(management)")
    expect(rejected).to_contain_text("NV-07")
    expect(ana.page.locator(DECIDED)).to_have_count(2)


def test_void_balls_and_suspensions_stand_in_the_players_list(
    own_house: Open, visit: Visit, deal: Deal
) -> None:
    house = own_house()
    dealer = deal(house, "tavolo", "it", chip=100)
    wide, phone = Player(visit(house), "tavolo"), Player(visit(house, size="phone"), "tavolo")
    wide.be_seated("ana")
    phone.be_seated("luis")
    chief = next(person for person, post in dealer.view()["staff"].items() if post == "chief")
    dealer.launch()
    dealer.close()
    dealer.must("GrantException", by=chief, player="ana", reason="he was pushed")
    dealer.must("VoidBall", by=chief, cause="ball_out")
    told = wide.page.get_by_role("status").first
    expect(told).to_contain_text("The ball was declared void · The ball left the wheel")
    dealer.must("ChangeLimits", by=chief, limits={"straight": {"max": 5000}}, reason="late hour")
    dealer.must("Suspend", by=chief, reason="a false alarm")
    expect(told).to_contain_text("Play was suspended · a false alarm")
    for player in (wide, phone):
        player.open("Decisions")
        listed = player.page.locator(DECIDED)
        expect(listed).to_have_count(4)
        kinds = [listed.nth(n).get_attribute("data-decision") for n in range(4)]
        assert kinds == ["suspended", "limits_changed", "ball_voided", "exception_granted"]
        expect(listed.nth(0)).to_contain_text("a false alarm")
        expect(listed.nth(0)).to_contain_text("IT-general-17")
        expect(listed.nth(1)).to_contain_text("no limit → ≤ 5,000")
        expect(listed.nth(2)).to_contain_text("the ball runs → bets stay, betting is open")
        expect(listed.nth(3)).to_contain_text("he was pushed")
        player.visitor.check_access(where=f"the decisions, {player.visitor.size}")
        player.visitor.shoot(f"it-decisions-{player.visitor.size}")
    # In another language all of it is said in that language.
    phone.close_sheet()
    phone.page.evaluate("localStorage.setItem('novamas.language', 'bg')")
    phone.page.reload()
    phone.page.locator('.bar [data-tab="decisions"]').click()
    expect(phone.page.locator(DECIDED).first).to_contain_text("Играта е спряна")
    phone.visitor.shoot("it-decisions-phone-bg")


def touched_twice(where: Locator, name: str) -> None:
    """A button for what cannot be undone: the first touch arms it."""
    where.get_by_role("button", name=name).click()
    where.get_by_role("button").filter(has_text=re.compile("again|Confirm:")).first.click()


def test_what_the_staff_alone_says_moves_chips_when_a_second_person_confirms_it(
    own_house: Open, visit: Visit, deal: Deal
) -> None:
    house = own_house()
    dealer = deal(house, "masa", "bg", chip=100)
    ana = Player(visit(house), "masa")
    ana.be_seated("ana")
    ana.lay("17")
    dealer.spin(20)
    holds = dealer.view()["purses"]["ana"]
    dealer.must("TakePost", by="croupier", post="croupier", relieves="auto croupier 1")

    croupier = at_desk(visit, house, "croupier", "masa")
    page = croupier.page
    page.get_by_role("tab", name="Supervision").click()
    wrong = page.get_by_role("region", name="Wrong payment")
    expect(wrong.get_by_role("button", name="Propose it")).to_be_disabled()
    wrong.get_by_label("Amount").fill("3500")
    wrong.get_by_label("What happened").fill("paid as if 17 had come")
    touched_twice(wrong, "Propose it")
    waits = page.get_by_role("region", name="Waits for a second person")
    expect(waits).to_contain_text("Round 1: ana was paid 3,500 too much.")
    expect(waits).to_contain_text("Another person, at another post, confirms it.")
    expect(waits.get_by_role("button", name="Confirm")).to_have_count(0)
    croupier.shoot("bg-console-proposed")
    assert dealer.view()["purses"]["ana"] == holds

    # A large sale for cash is proposed too.
    page.get_by_role("tab", name="Players").click()
    card = page.get_by_role("region", name="ana")
    card.get_by_label("Amount").fill("300000")
    expect(card).to_contain_text("One person takes up to 200,000 in cash of a player")
    card.get_by_label("Where the cash comes from").fill("sold a car")
    croupier.shoot("bg-console-large-sale")
    croupier.check_access(where="a large sale at the console")
    card.get_by_role("button", name="Propose the sale of 300,000").click()

    chief = at_desk(visit, house, "chief", "masa")
    chief.page.get_by_role("tab", name="Supervision").click()
    there = chief.page.get_by_role("region", name="Waits for a second person")
    first = there.get_by_role("listitem").filter(has_text="too much")
    expect(first.get_by_role("button", name="Confirm")).to_be_disabled()
    first.get_by_label("Your reason").fill("I saw it")
    chief.check_access(where="what waits for a second person")
    chief.shoot("bg-console-confirm")
    touched_twice(first, "Confirm")
    expect(first).to_have_count(0)
    assert dealer.view()["purses"]["ana"] == holds + 3500
    second = there.get_by_role("listitem").filter(has_text="300,000 in cash")
    second.get_by_label("Your reason").fill("the notes are false")
    touched_twice(second, "Refuse")
    expect(there).to_have_count(0)
    assert dealer.view()["purses"]["ana"] == holds + 3500
