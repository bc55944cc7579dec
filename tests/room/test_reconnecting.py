"""A house that is killed in the middle of a coup and started again: nothing on a screen is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.promises.running import Running
from tests.room.conftest import PATIENT, DealAt, Open, Visit
from tests.room.people import SIZES
from tests.room.playing import Player

GONE = (
    r"WebSocket connection to .* failed",
    r"ERR_CONNECTION_(REFUSED|RESET|CLOSED)",
    r"ERR_EMPTY_RESPONSE",
    r"503",
)
"""What a browser says of a house that is not there."""


@pytest.mark.parametrize("size", SIZES)
def test_a_house_killed_in_the_middle_of_a_coup_loses_nothing(
    size: str, own_house: Open, visit: Visit, deal_at: DealAt, tmp_path: Path
) -> None:
    store = str(tmp_path / "house.db")
    house = own_house(store=store, pace=PATIENT)
    visitor = visit(house, size=size)
    visitor.allow(*GONE)
    ana = Player(visitor, "es")
    ana.arrive("ana", 20_000)
    ana.pick(500)
    for spot in ("17", "17/20", "red"):
        ana.lay(spot)
    before = ana.view()
    token = visitor.kept_token()

    house.kill()
    lost = ana.page.get_by_role("alert").filter(has_text="Connection lost")
    expect(lost).to_be_visible()
    expect(lost).to_contain_text("Your bets are registered.")
    visitor.shoot("es-table-lost")
    visitor.check_access(where="a lost connection")
    # The chips are still there, and none can be laid of which nobody would hear.
    expect(ana.spot("17")).to_have_attribute("aria-label", re.compile("your bet 500"))
    expect(ana.spot("17")).to_have_attribute("aria-disabled", "true")

    again = own_house(store=store, port=house.port, pace=PATIENT)
    assert again.port == house.port
    expect(lost).to_be_hidden()
    expect(ana.page.get_by_text("Connected again. Nothing was lost.")).to_be_visible()
    after = ana.view()
    assert visitor.kept_token() == token
    assert after["you"] == before["you"]
    assert after["stakes"] == before["stakes"]
    assert after["coup"] == before["coup"]
    ana.expect_purse(before["you"]["purse"])
    assert ana.money() == 980_000
    # The coup is played to its end, and the screen says what it brought.
    ana.lay("18")
    dealer = deal_at(again, "es")
    dealer.launch()
    dealer.close()
    ana.wait_for("collecting")
    dealer.collect()
    dealer.pay()
    if not ana.is_phone:
        expect(ana.page.locator("[data-net]")).to_be_attached()
    told = ana.why()
    assert told["coup"] == before["coup"]
    assert {line["on"] for line in told["lines"]} == {"17", "17/20", "red", "18"}


def test_a_command_that_was_under_way_happens_once(
    own_house: Open, visit: Visit, tmp_path: Path
) -> None:
    """A chip that is laid while the house is away is laid when it is back, once."""
    store = str(tmp_path / "house.db")
    house = own_house(store=store, pace=PATIENT)
    visitor = visit(house)
    visitor.allow(*GONE)
    ana = Player(visitor, "bg")
    ana.arrive("ana")
    ana.lay("17")
    house.kill()
    again = own_house(store=store, port=house.port, pace=PATIENT)
    expect(ana.page.get_by_text("Connected again. Nothing was lost.")).to_be_visible()
    assert again.port == house.port
    ana.lay("17")
    assert ana.staked("17") == 200
    ana.page.reload()
    expect(ana.cloth).to_be_visible()
    ana.expect_purse(9_800)
    ana.expect_stake("17", more_than=199)


def test_a_part_of_the_page_that_does_not_come_is_asked_for_again(
    house: Running, visit: Visit
) -> None:
    visitor = visit(house)
    visitor.allow("ERR_FAILED", "Failed to fetch dynamically imported module")
    part = re.compile(r"/room/assets/Compare-[^/]*\.js$")
    visitor.page.route(part, lambda route: route.abort(), times=1)
    page = visitor.go("/compare/fr/es")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("article").first).to_be_visible()
