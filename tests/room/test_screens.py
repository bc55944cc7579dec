"""Every screen of the room in every house: a picture, and axe's word on it.

What is drawn alike in several houses is not looked at in all of them both wide and on a phone.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from novamas.rulebooks import HOUSES
from tests.promises.running import Running
from tests.room.conftest import Deal, Open, Visit
from tests.room.people import SIZES
from tests.room.playing import Player, assert_still

LANGUAGES = {"es": "es-ES", "it": "it-IT", "bg": "bg-BG", "fr": "fr-FR", "en": "en-GB"}
SCHEMES = ("light", "dark")
DRAWINGS = ("ar", "it", "fram")
"""The kinds of cloth: straddles at the dozens, spaces for announcements, two zeros."""
WALKS = [
    (rulebook, size)
    for place, rulebook in enumerate(HOUSES)
    for size in (SIZES if rulebook in DRAWINGS else [list(SIZES)[place % len(SIZES)]])
]
"""Every house at one size, and every kind of cloth at both."""


def look_at(player: Player, name: str) -> None:
    """A picture of the screen, axe's word on it, and nothing that sticks out."""
    player.visitor.shoot(name)
    player.visitor.check_access(where=f"{name} {player.visitor.size}")
    page = player.page
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= SIZES[player.visitor.size]["width"], f"{name} is wider than the screen"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_lobby(scheme: str, size: str, own_house: Open, visit: Visit, deal: Deal) -> None:
    house = own_house()
    dealer = deal(house, "Голямата маса", "bg", limits={"straight": {"min": 100, "max": 5000}})
    dealer.seat("ana")
    dealer.spin(17)
    visitor = visit(house, size=size, color_scheme=scheme)
    visitor.go("/")
    expect(visitor.page.get_by_role("link", name="Голямата маса")).to_be_visible()
    player = Player(visitor, "es")
    look_at(player, f"lobby-{scheme}")
    # Its line is lower than its letters: the tails of "straight up" would be cut.
    expect(visitor.page.locator(".card .plain").first).to_have_css("overflow-y", "visible")
    assert_still(visitor.page.locator(".card").first)
    visitor.page.get_by_role("button", name="Settings").click()
    expect(visitor.page.get_by_role("dialog")).to_be_visible()
    look_at(player, f"settings-{scheme}")


@pytest.mark.parametrize(("rulebook", "size"), WALKS)
def test_a_table_from_the_seat_to_the_payment(
    rulebook: str, size: str, own_house: Open, visit: Visit, deal: Deal
) -> None:
    house = own_house()
    limits = {"straight": {"min": 100, "max": 10_000}, "simple": {"min": 500, "max": 100_000}}
    dealer = deal(house, "salle", rulebook, limits=limits)
    for name, lays in (
        ("Мария-Антоанета", (("17", 500), ("red", 2500), ("d2", 1000), ("8/11", 500))),
        ("luis", (("17", 500), ("20", 600), ("black", 5000), ("c1", 1000), ("19/24", 500))),
        ("Giuseppe", (("32/36", 500), ("0", 500), ("even", 1500), ("13/15", 600))),
    ):
        dealer.seat(name)
        for on, amount in lays:
            dealer.lay(name, on, amount)
    # The tables of an even house: wide in the light, phones in the dark.
    scheme = "light" if size == "wide" else "dark"
    ana = Player(visit(house, size=size, color_scheme=scheme), "salle")
    ana.be_there("ana")
    look_at(ana, f"{rulebook}-table-onlooker")
    ana.page.get_by_role("button", name="Take a seat").last.click()
    expect(ana.page.get_by_role("dialog")).to_be_visible()
    look_at(ana, f"{rulebook}-table-seat")
    ana.close_sheet()
    ana.sit(50_000)
    ana.pick(500)
    for spot in ("17", "17/20", "16/20", "red", "d2", "c2"):
        ana.lay(spot)
    look_at(ana, f"{rulebook}-table-betting")
    panels = ["Bets", "Rounds", "Table"]
    for panel in panels:
        ana.open(panel)
        look_at(ana, f"{rulebook}-table-{panel.lower()}")
        if ana.is_phone:
            ana.close_sheet()
    if ana.is_phone and dealer.book.announcements.calls:
        ana.open("Calls")
        look_at(ana, f"{rulebook}-table-calls")
        ana.close_sheet()
    elif not ana.is_phone:
        ana.open("Bets")
        shown = ana.page.get_by_role("region", name="Call bets").count()
        assert bool(shown) == bool(dealer.book.announcements.calls)
    dealer.launch()
    ana.wait_for("launched")
    dealer.close()
    ana.wait_for("closed")
    look_at(ana, f"{rulebook}-table-closed")
    dealer.pocket(17)
    dealer.call()
    ana.wait_for("collecting")
    # A phone shows the wheel over the cloth until the number has been seen.
    expect(ana.page.locator(".place > .over")).to_have_count(0)
    look_at(ana, f"{rulebook}-table-called")
    dealer.collect()
    ana.wait_for("paying")
    look_at(ana, f"{rulebook}-table-paying")
    dealer.pay()
    ana.wait_for("betting", "resting")
    if ana.is_phone:
        ana.open("Bets")
    expect(ana.page.locator("[data-net]")).to_be_visible()
    look_at(ana, f"{rulebook}-table-results")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_room_in_five_languages(
    language: str, size: str, house: Running, visit: Visit, deal: Deal
) -> None:
    """By the browser's own language, nothing chosen; the words fit where they stand."""
    dealer = deal(house, f"{language} {size}", "it")
    visitor = visit(house, size=size, locale=LANGUAGES[language])
    player = Player(visitor, dealer.table)
    visitor.go("/")
    expect(visitor.page.locator("html")).to_have_attribute("lang", language)
    expect(visitor.page.locator(".card").first).to_be_visible()
    look_at(player, f"lobby-{language}")
    visitor.go(f"/t/{dealer.table}")
    expect(visitor.page.locator("[data-step]")).to_be_visible()
    expect(visitor.page.locator(".cloth [data-spot]").first).to_be_attached()
    look_at(player, f"it-table-{language}")
    overflowing = visitor.page.evaluate(
        """() => [...document.querySelectorAll("button, .button")]
            .filter((node) => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1)
            .map((node) => node.textContent.trim())"""
    )
    assert overflowing == []
