"""A newcomer opens the house by `make play`, and plays a whole coup in each of the houses."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from novamas.house.ball import verify_ball
from novamas.rulebooks import HOUSES
from tests.room.conftest import PATIENT, DealAt, Open, Visit
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
        # The first sees the ball run; four wheels that turn would keep the machine from the rest.
        motion = "reduce" if players else "no-preference"
        visitor = visit(opened, reduced_motion=motion)
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


def test_a_text_of_their_own_is_in_the_ball_and_in_their_proof(
    own_house: Open, visit: Visit, deal_at: DealAt, tmp_path: Path
) -> None:
    house = own_house(pace=PATIENT)
    player = Player(visit(house), "bg")
    player.be_seated("texter")
    player.open("Table")
    player.page.get_by_role("textbox", name="Your own words").fill("diecisiete, por favor")
    player.page.get_by_role("button", name="Use", exact=True).click()
    expect(player.page.get_by_text("Text for this spin: diecisiete, por favor ")).to_be_visible()
    assert "texter" in player.view()["draw"]["hashes"]
    player.visitor.shoot("bg-table-text")
    # The spin is played: their text was opened after the close, and is in the number.
    dealer = deal_at(house, "bg")
    dealer.launch()
    dealer.close()
    player.wait_for("collecting")
    dealer.collect()
    player.wait_for("betting")
    player.open("Coups")
    player.page.get_by_role("button", name="Check all").click()
    expect(player.page.get_by_text("Spins with your text: 1")).to_be_visible()
    expect(player.page.get_by_text("The number is right").first).to_be_visible()
    player.visitor.shoot("bg-table-proof")
    # Their proof says the same to the verifier that needs no browser.
    with player.page.expect_download() as download:
        player.page.get_by_role("button", name="Save my proof").click()
    proof = tmp_path / "proof.json"
    download.value.save_as(proof)
    program = [sys.executable, "-I", "-S", verify_ball.__file__, str(proof)]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "1 spins were checked; nothing wrong" in done.stdout
    assert "a text of yours was in 1;" in done.stdout
    assert "diecisiete, por favor " in proof.read_text("utf-8")
