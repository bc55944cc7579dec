"""A line that dies without a word: the screen notices within seconds, and nothing looks open."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.room.conftest import PATIENT, Open, Visit
from tests.room.people import SIZES
from tests.room.playing import Player

GONE = (r"ERR_INTERNET_DISCONNECTED", r"WebSocket connection to .* failed")
"""What a browser without a network says."""
NOTICED = 20_000
"""Milliseconds. The screen needs five seconds; a machine that stalls may take a little more."""


@pytest.mark.parametrize("size", SIZES)
def test_a_browser_put_offline_shows_at_once_that_nothing_is_open(
    size: str, own_house: Open, visit: Visit
) -> None:
    house = own_house(pace=PATIENT)
    visitor = visit(house, size=size)
    visitor.allow(*GONE)
    ana = Player(visitor, "es")
    ana.be_seated("ana")
    ana.lay("17")
    ana.wait_for("betting")

    visitor.context.set_offline(True)
    ana.wait_for("lost", seconds=NOTICED / 1000)
    expect(ana.strip).to_contain_text("No connection to the table")
    expect(ana.page.locator(".seconds")).to_have_count(0)
    expect(ana.spot("17")).to_have_attribute("aria-disabled", "true")
    expect(ana.spot("17")).to_have_attribute("aria-label", re.compile("your bet 100"))
    visitor.shoot("es-table-offline")

    visitor.context.set_offline(False)
    ana.wait_for("betting")
    ana.lay("17")
    assert ana.staked("17") == 200


def test_a_line_that_stalls_is_noticed_and_what_was_laid_meanwhile_counts_once(
    own_house: Open, visit: Visit
) -> None:
    house = own_house(pace=PATIENT)
    visitor = visit(house)
    visitor.allow(*GONE)
    stalled = False

    def between(socket: WebSocketRoute) -> None:
        """Neither side hears of it that the line between them is dead."""
        server = socket.connect_to_server()
        dead = False

        def carry(said: str | bytes, on: WebSocketRoute) -> None:
            nonlocal dead
            dead = dead or stalled
            if not dead:
                on.send(said)

        socket.on_message(lambda said: carry(said, server))
        server.on_message(lambda said: carry(said, socket))

    visitor.page.route_web_socket(re.compile("/socket"), between)
    ana = Player(visitor, "es")
    ana.be_seated("ana")
    ana.wait_for("betting")

    stalled = True
    ana.touch("17")
    ana.wait_for("lost", seconds=NOTICED / 1000)
    alert = ana.page.get_by_role("alert")
    expect(alert).to_contain_text("100 placed, not confirmed yet: checking.")
    expect(ana.page.get_by_text("checking", exact=True)).to_be_visible()
    expect(ana.page.locator(".cloth .pending")).to_have_count(1)
    visitor.shoot("es-table-checking")
    visitor.check_access(where="a line that stalls")

    stalled = False
    ana.wait_for("betting")
    ana.expect_stake("17")
    expect(ana.page.locator(".cloth .pending")).to_have_count(0)
    assert ana.staked("17") == 100
