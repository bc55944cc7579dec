"""Wheels with 0 and 00 in the room and at the consoles, as they are seen and touched."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from novamas.game.rulebook.behaviours import Winning
from tests.promises.running import Running
from tests.room.conftest import Deal, Open, Visit
from tests.room.consoles import at_desk, take_post
from tests.room.playing import Player

HEAD = ("0", "00", "0/00", "0/2", "00/2", "0/00/2", "0/1/2", "00/2/3", "0/00/1/2/3")
"""The spots that lie closest together."""


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_every_spot_at_the_head_is_touched_by_itself(
    size: str, house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, f"head {size}", "sd")
    ana = Player(visit(house, size=size), dealer.table)
    ana.be_seated(f"ana head {size}", 10_000)
    for spot in HEAD:
        ana.lay(spot)
    assert {each["on"] for each in ana.view()["stakes"]} == set(HEAD)
    ana.visitor.shoot("sd-table-head")
    ana.visitor.check_access(where="a cloth with two zeros")


def test_the_five_is_played_at_both_ends_of_its_line(
    house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, "both ends", "sd")
    ana = Player(visit(house), dealer.table)
    ana.be_seated("ana ends", 10_000)
    ends = ana.cloth.locator('[data-spot="0/00/1/2/3"]')
    expect(ends).to_have_count(2)
    for end in ends.all():
        box = end.bounding_box()
        assert box is not None
        ana.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    ana.expect_stake("0/00/1/2/3", more_than=100)
    assert ana.staked("0/00/1/2/3") == 200


@pytest.mark.parametrize("rulebook", ["sd", "fram"])
def test_double_zero_wins_and_is_shown_everywhere(
    rulebook: str, house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, f"double {rulebook}", rulebook)
    ana = Player(visit(house), dealer.table)
    ana.be_seated(f"ana double {rulebook}", 10_000)
    ana.lay("00")
    ana.lay("red")
    dealer.launch()
    dealer.close()
    dealer.pocket("00")
    dealer.call()
    expect(ana.page.locator('[aria-label="00"] > .dolly')).to_be_visible()
    ana.visitor.shoot(f"{rulebook}-table-double-zero")
    dealer.collect()
    dealer.pay()
    # The stake stays where it won, or comes back to the hand.
    back = 100 if dealer.book.betting.winners_stay is Winning.HAND else 0
    ana.expect_purse(10_000 - 200 + 3_500 + back)
    last = ana.page.get_by_role("list", name="Last numbers").first
    expect(last.get_by_text("00", exact=True)).to_be_visible()
    ana.open("Rounds")
    expect(ana.page.get_by_text("Out of 1 round")).to_be_visible()
    ana.visitor.shoot(f"{rulebook}-table-coups")


def test_the_pad_has_a_key_for_each_zero(own_house: Open, visit: Visit, deal: Deal) -> None:
    house = own_house()
    dealer = deal(house, "pad", "sd")
    dealer.launch()
    dealer.close()
    croupier = at_desk(visit, house, "croupier", "pad")
    page = croupier.page
    take_post(page, dealer, "dealer")
    pad = page.get_by_role("group", name="Which number came up?")
    expect(pad.get_by_role("button")).to_have_count(38)
    croupier.check_access(where="a pad with two zeros")
    croupier.shoot("sd-console-pad")
    # Two figures typed one after the other are one number; a moment later they are two.
    page.keyboard.press("0")
    page.keyboard.press("0")
    expect(page.get_by_role("button", name="Confirm 00")).to_be_visible()
    page.keyboard.press("7")
    expect(page.get_by_role("button", name="Confirm 7", exact=True)).to_be_visible()
    # The arrows go over the pad as it is seen.
    pad.get_by_role("button", name="3", exact=True).focus()
    page.keyboard.press("ArrowLeft")
    expect(pad.get_by_role("button", name="00", exact=True)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(pad.get_by_role("button", name="0", exact=True)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(pad.get_by_role("button", name="1", exact=True)).to_be_focused()
    pad.get_by_role("button", name="00", exact=True).click()
    page.get_by_role("button", name="Confirm 00").click()
    expect(page.get_by_role("region", name="Next")).to_contain_text("Call the number")
    assert dealer.view()["number"] == "00"
