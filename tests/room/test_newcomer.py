"""A newcomer opens the house by `make play`, and plays a whole coup in each of the houses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from novamas.rulebooks import HOUSES
from tests.room.conftest import Visit
from tests.room.playing import SLOW, Player
from tests.web.serving import Served, opened_by

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The house as `make play` opens it, at its own pace."""
    evening: Path = tmp_path_factory.mktemp("play")
    command = ["make", "-C", str(ROOT), "play", "PORT=0", f"EVENING={evening}"]
    no_screen = dict.fromkeys(("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"), "")
    with opened_by(command, no_screen) as house:
        yield house


def test_a_newcomer_plays_a_whole_coup_in_each_house(opened: Served, visit: Visit) -> None:
    """Four newcomers, one at each table, for they need not wait for one another."""
    players: list[Player] = []
    for rulebook in HOUSES:
        visitor = visit(opened, reduced_motion="no-preference")
        player = Player(visitor, rulebook)
        player.come_in(f"newcomer {rulebook}")
        player.go_to_table()
        player.sit(20_000)
        # Something on every number, so that every coup has a winner.
        player.pick(500)
        for spot in ("red", "black", "0"):
            player.lay(spot)
        expect(player.strip.locator(".seconds")).to_be_visible()
        players.append(player)
    nets = [played(player) for player in players]
    for player, net in zip(players, nets, strict=True):
        ask_about(player, net)


def played(player: Player) -> int:
    """From the last bets to the result, as the screen tells it and as the house does."""
    player.wait_for("closed", "collecting", "paying", seconds=SLOW / 1000)
    result = player.page.locator("[data-net]")
    expect(result).to_be_attached(timeout=SLOW)
    shown = result.get_attribute("data-net")
    lines = player.why(coup=1)["lines"]
    assert {line["on"] for line in lines} == {"red", "black", "0"}
    net = sum(line["won"] - line["lost"] for line in lines)
    assert shown == str(net)
    return int(net)


def ask_about(player: Player, net: int) -> None:
    """What the newcomer finds when the coup is over, and what he may ask."""
    player.wait_for("betting", "choosing", "lastBets", "launched", seconds=SLOW / 1000)
    # The chips are where the book leaves them: in the hand, or on the cloth and in prison.
    view = player.view()
    lying = sum(each["amount"] for each in (*view["stakes"], *view["prison"]))
    if view["coup"] == 2:
        assert view["you"]["purse"] + lying == 20_000 + net
    # The number was drawn; his own browser works it out again.
    player.open("Coups")
    player.page.get_by_role("button", name="Check", exact=True).last.click()
    expect(player.page.get_by_text("The number is right").first).to_be_visible()
    player.visitor.shoot(f"{player.table}-table-checked")
    # And any line says why.
    player.open("Stakes")
    line = player.page.locator("details").first
    line.locator("summary").click()
    expect(line.get_by_text("came up").first).to_be_visible()


def test_a_nonce_of_his_own_is_mixed_into_the_ball(opened: Served, visit: Visit) -> None:
    player = Player(visit(opened), "bg")
    player.arrive("nonce")
    player.open("Table")
    player.page.get_by_role("textbox", name="Nonce").fill("diecisiete, por favor")
    player.page.get_by_role("button", name="Set", exact=True).click()
    expect(player.page.get_by_text("Set: diecisiete, por favor")).to_be_visible()
    assert player.view()["nonces"] == {"nonce": "diecisiete, por favor"}
    player.visitor.shoot("bg-table-nonce")
