"""What the screens ask for at every coup: the events tell them all that they show."""

from __future__ import annotations

import re
from collections import Counter

from playwright.sync_api import Page, Request, expect

from tests.room.conftest import PATIENT, DealAt, Open, Visit
from tests.room.consoles import at_desk
from tests.room.playing import Player

ASKED_AGAIN = re.compile(r"/api/tables/[^/?]+(/why|/coups)?(\?.*)?$")
"""The table itself, its explanations and its coups."""


def counted(page: Page) -> Counter[str]:
    """Counts what a page asks of the table from now on."""
    found: Counter[str] = Counter()

    def note(request: Request) -> None:
        if request.resource_type == "fetch" and ASKED_AGAIN.search(request.url):
            found[request.url] += 1

    page.on("request", note)
    return found


def test_no_screen_asks_for_the_table_its_coups_or_its_explanations_at_a_coup(
    own_house: Open, visit: Visit, deal_at: DealAt
) -> None:
    house = own_house(pace=PATIENT)
    ana, onlooker = Player(visit(house), "es"), Player(visit(house), "es")
    ana.be_seated("ana")
    onlooker.be_there("maria")
    desk = at_desk(visit, house, "croupier", "es")
    dealer = deal_at(house, "es")
    screens = {"player": ana.page, "onlooker": onlooker.page, "console": desk.page}
    asked: dict[str, Counter[str]] = {}
    for coup in (1, 2, 3):
        ana.lay("red")
        ana.lay("17")
        if coup == 1:
            # From here on everybody has seen the table, and what was played there before.
            for page in screens.values():
                page.wait_for_load_state("networkidle")
            asked = {who: counted(page) for who, page in screens.items()}
        dealer.launch()
        dealer.close()
        ana.wait_for("collecting")
        dealer.collect()
        dealer.pay()
        ana.wait_for("betting", "choosing")
        told = ana.why()
        net = sum(line["won"] - line["lost"] for line in told["lines"])
        expect(ana.page.locator("[data-net]")).to_have_attribute("data-net", str(net))
        # Why? opens with what came with the event.
        lines = ana.page.locator(".lines details")
        expect(lines).to_have_count(len(told["lines"]))
        lines.first.locator("summary").click()
        # The line that won most stands first.
        best = max(told["lines"], key=lambda line: line["won"] - line["lost"])
        expect(lines.first.locator(".explained")).to_contain_text(best["sentences"][-1])
        ana.expect_purse(ana.view()["you"]["purse"])
        ana.open("Rounds")
        expect(ana.page.locator(".row .name").first).to_have_text(f"Round {coup}")
        ana.open("Bets")
        onlooker.wait_for("betting", "choosing")
    assert asked == {who: Counter() for who in screens}
