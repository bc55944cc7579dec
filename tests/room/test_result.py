"""The moment after the ball has landed: how long the result stands, and how it is shown."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from novamas.house.table.croupier import Pace
from tests.promises.running import Running
from tests.room.conftest import PACE, Deal, Open, Visit
from tests.room.people import SIZES
from tests.room.playing import SLOW, Player

REAL = {**PACE, "falling": Pace().falling, "called": Pace().called, "paying": Pace().paying}
"""A house whose results stand as long as those of any house, and whose betting is short."""
WATCH = """() => {
    window.seen = [];
    const note = () => {
        const plate = document.querySelector("[data-called]")?.dataset.called ?? null;
        const step = document.querySelector("[data-step]")?.dataset.step ?? null;
        const wheels = document.querySelectorAll(".over .wheel[role=img]").length;
        const grows = document.querySelector("[data-grows]") !== null;
        const last = window.seen.at(-1);
        const now = {plate, step, wheels, grows};
        if (JSON.stringify({...last, at: 0}) !== JSON.stringify({...now, at: 0}))
            window.seen.push({...now, at: performance.now()});
    };
    new MutationObserver(note).observe(document.body, {
        subtree: true,
        childList: true,
        attributeFilter: ["data-step", "data-grows"],
    });
}"""
"""Notes on the page itself what is seen and when: a test that asks comes too late."""
FLOWN = """() => {
    window.flown = 0;
    new MutationObserver((all) => {
        for (const {addedNodes} of all)
            for (const {dataset} of addedNodes)
                if (dataset?.gain) window.flown = Number(dataset.gain);
    }).observe(document.body, {subtree: true, childList: true});
}"""


def _moments(player: Player) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = player.page.evaluate("() => window.seen")
    return found


def test_the_result_stands_for_five_seconds_after_the_landing_though_nobody_wins(
    own_house: Open, visit: Visit
) -> None:
    """Two players at one table, one at a wide screen and one with a phone."""
    house = own_house(pace=REAL)
    players: dict[str, Player] = {}
    for size in SIZES:
        players[size] = Player(visit(house, size=size, reduced_motion="no-preference"), "es")
        players[size].be_seated(f"ana {size}")
    for ana in players.values():
        ana.page.evaluate(WATCH)
    for ana in players.values():
        ana.wait_for("closed", seconds=SLOW / 1000)
    for ana in players.values():
        expect(ana.page.locator("[data-called]")).to_be_visible(timeout=SLOW)
    for ana in players.values():
        ana.wait_for("betting", seconds=SLOW / 1000)
    for size, ana in players.items():
        seen = _moments(ana)
        landed = next(each["at"] for each in seen if each["step"] == "collecting")
        later = [each for each in seen if each["at"] > landed]
        over = next(each["at"] for each in later if each["step"] == "betting")
        # The house begins the next coup 5.5 seconds after its call; the screen lands with the call.
        assert 5_000 <= over - landed <= 6_500
        if size == "phone":
            # From the close to the end of the result the wheel comes and goes once: no flicker.
            shown = [each["wheels"] for each in seen]
            changes = [two for one, two in pairwise(shown) if one != two]
            assert changes == [1, 0]
        else:
            grown = {each["step"] for each in seen if each["grows"]}
            assert grown == {"closed"}


@pytest.mark.parametrize("size", SIZES)
def test_the_winning_number_is_read_at_once_and_the_gain_flies_to_the_purse(
    size: str, house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, f"gain {size}", "ar")
    visitor = visit(house, size=size, reduced_motion="no-preference")
    ana = Player(visitor, dealer.table)
    ana.be_seated(f"ana gain {size}")
    ana.lay("17")
    ana.lay("1")
    ana.page.evaluate(FLOWN)
    dealer.launch()
    dealer.close()
    dealer.pocket(17)
    dealer.call()
    plate = ana.page.locator("[data-called]")
    expect(plate).to_have_text("17")
    called = ana.page.locator(".cloth text.called")
    expect(called).to_have_text("17")
    # White on the number's own colour, and larger than any other figure.
    assert called.evaluate("(text) => getComputedStyle(text).fill") == "rgb(255, 255, 255)"
    box = ana.page.locator(".cloth .won.number")
    assert box.evaluate("(box) => getComputedStyle(box).fillOpacity") == "1"
    high = plate.evaluate("(plate) => plate.getBoundingClientRect().height")
    assert high >= 60
    if size == "wide":
        visitor.shoot("ar-table-called")
    dealer.collect()
    dealer.pay()
    ana.page.wait_for_function("() => window.flown === 3400", timeout=SLOW)
    expect(ana.page.locator("[data-gain]")).to_have_count(0)


SOUNDS = """() => {
    window.started = 0;
    const start = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function (...when) {
        window.started += 1;
        return start.apply(this, when);
    };
}"""


@pytest.mark.parametrize("size", SIZES)
def test_the_table_sounds_until_one_tap_silences_it_and_that_is_remembered(
    size: str, house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, f"sound {size}", "es")
    visitor = visit(house, size=size, reduced_motion="no-preference")
    ana = Player(visitor, dealer.table)
    ana.be_seated(f"ana sound {size}")
    ana.page.evaluate(SOUNDS)
    ana.spot("17").focus()
    ana.page.keyboard.press("ArrowRight")
    ana.lay("17")
    ana.page.wait_for_function("() => window.started >= 2")
    dealer.launch()
    ana.page.wait_for_function("() => window.started >= 3")
    dealer.close()
    dealer.pocket(17)
    # Nine frets and the pocket.
    ana.page.wait_for_function("() => window.started >= 13")

    button = ana.page.get_by_role("button", name="Sounds of the table")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    ana.page.reload()
    expect(button).to_have_attribute("aria-pressed", "false")
    ana.page.evaluate(SOUNDS)
    dealer.settle()
    ana.wait_for("betting")
    ana.lay("18")
    assert ana.page.evaluate("() => window.started") == 0


def _play_by_itself(ana: Player) -> None:
    """A saved layout is played by itself: quickly, and no further than one wants."""
    page = ana.page
    ana.lay("17")
    ana.act("Saved")
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("textbox", name="Name").fill("my number")
    sheet.get_by_role("button", name="Save").click()
    ana.close_sheet()
    ana.lay("18")

    def start(rounds: int) -> None:
        ana.act("Saved")
        sheet.get_by_role("button", name="Automatic play: my number").click()
        sheet.get_by_label("Rounds").first.fill(str(rounds))
        sheet.get_by_label("Turbo rounds").check()
        ana.visitor.check_access(where="automatic play")
        sheet.get_by_role("button", name="Start").click()

    start(1)
    bar = page.locator("[data-auto]")
    expect(bar).to_contain_text("Round 1 of 1")
    ana.visitor.shoot("es-table-automatic")
    # What lay there besides was taken back, and the layout is played for the house's five seconds.
    expect(page.get_by_text("All rounds were played.")).to_be_visible()
    expect(bar).to_have_count(0)
    assert ana.view()["coup"] == 3
    assert {line["on"] for line in ana.why(coup=2)["lines"]} == {"17"}
    # A key stops it at any time, and then nothing more is laid.
    start(100)
    expect(bar).to_contain_text("Round 1 of 100")
    page.keyboard.press("Escape")
    expect(bar).to_have_count(0)
    expect(page.get_by_text("You stopped it.")).to_be_visible()
    page.wait_for_function("() => document.querySelector('[data-step=betting]')")
    ana.wait_for("betting")


def test_who_is_alone_at_a_drawn_table_spins_at_once(own_house: Open, visit: Visit) -> None:
    house = own_house(pace={**PACE, "betting": 3600.0, "warning": 0.0})
    visitor = visit(house)
    visitor.allow("409")
    ana = Player(visitor, "es")
    ana.be_seated("ana")
    ana.lay("17")
    spin = ana.page.get_by_role("button", name="Spin now")
    spin.click()
    ana.wait_for("collecting", "paying", seconds=SLOW / 1000)
    ana.wait_for("betting")
    assert ana.view()["coup"] == 2
    visitor.shoot("es-table-alone")
    _play_by_itself(ana)
    # With somebody else at the table there is nothing to press.
    bea = Player(visit(house), "es")
    bea.be_seated("bea")
    expect(spin).to_have_count(0)
    headers = {"Authorization": f"Bearer {visitor.kept_token()}"}
    answer = visitor.http.post("/api/tables/es/spin", headers=headers)
    assert (answer.status_code, answer.json()["why"]) == (409, "not_now")
