"""A newcomer opens the house by `make play`, and plays a whole coup in each of the houses."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from novamas.house.ball import verify_ball
from novamas.rulebooks import HOUSES, load
from tests.room.conftest import PATIENT, DealAt, Open, Visit
from tests.room.playing import SLOW, Player
from tests.web.serving import Served, opened_by

ROOT = Path(__file__).parents[2]
NOTE = """() => {
    window.results = {};
    const note = () => {
        const net = document.querySelector("[data-net]");
        const why = document.querySelector("details .explained")?.textContent;
        if (net && why) window.results[net.dataset.coup] ??= {net: net.dataset.net, why};
    };
    new MutationObserver(note).observe(document.body, {
        subtree: true,
        childList: true,
        attributeFilter: ["data-net", "data-coup"],
    });
}"""
"""Notes on the page itself what each round brought: a test that asks may come a round too late."""


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The house as `make play` opens it, at its own pace."""
    evening: Path = tmp_path_factory.mktemp("play")
    command = ["make", "-C", str(ROOT), "play", "PORT=0", f"EVENING={evening}"]
    no_screen = dict.fromkeys(("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"), "")
    with opened_by(command, no_screen) as house:
        yield house


@pytest.mark.parametrize("at_once", [HOUSES[:5], HOUSES[5:]], ids="-".join)
def test_a_newcomer_plays_a_whole_coup_in_each_house(
    at_once: tuple[str, ...], opened: Served, visit: Visit
) -> None:
    """A newcomer at each of several tables, for they need not wait for one another.

    Alone at their table, they need not wait for the end of the betting either.
    """
    players: list[Player] = []
    for rulebook in at_once:
        # One of them sees the ball run; a wheel in each house would keep the machine from the rest.
        motion = "no-preference" if rulebook == HOUSES[0] else "reduce"
        visitor = visit(opened, reduced_motion=motion)
        player = Player(visitor, rulebook)
        player.come_in(f"newcomer {rulebook}")
        player.go_to_table()
        player.sit(20_000)
        # Something on every number, so that every coup has a winner.
        player.pick(500)
        for spot in covering(rulebook):
            player.lay(spot)
        expect(player.strip.locator(".seconds")).to_be_visible()
        player.page.evaluate(NOTE)
        player.page.get_by_role("button", name="Spin now").click()
        players.append(player)
    nets = [played(player, rulebook) for player, rulebook in zip(players, at_once, strict=True)]
    for player, net in zip(players, nets, strict=True):
        ask_about(player, net)


def covering(rulebook: str) -> tuple[str, ...]:
    """Spots of which one wins, whatever the number."""
    return ("red", "black", *map(str, load(rulebook).wheel.pockets.zeros))


def played(player: Player, rulebook: str) -> int:
    """From the last bets to the result, as the screen tells it and as the house does."""
    noted = player.page.wait_for_function("() => window.results[1]", timeout=SLOW).json_value()
    lines = player.why(coup=1)["lines"]
    assert {line["on"] for line in lines} == set(covering(rulebook))
    net = sum(line["won"] - line["lost"] for line in lines)
    assert noted["net"] == str(net)
    # And any line says why.
    assert "came up" in noted["why"]
    return int(net)


def ask_about(player: Player, net: int) -> None:
    """What the newcomer finds when the coup is over, and what they may ask."""
    player.wait_for("betting", "choosing", "lastBets", "launched", seconds=SLOW / 1000)
    # The chips are where the book leaves them: in the hand, or on the cloth and in prison.
    view = player.view()
    lying = sum(each["amount"] for each in (*view["stakes"], *view["prison"]))
    if view["coup"] == 2:
        assert view["you"]["purse"] + lying == 20_000 + net
    # The number was drawn; the newcomer's own browser works it out again.
    player.open("Rounds")
    player.page.get_by_role("button", name="Check", exact=True).last.click()
    expect(player.page.get_by_text("The number is right").first).to_be_visible()
    player.visitor.shoot(f"{player.table}-table-checked")


@pytest.mark.parametrize("rulebook", ["bg", "fram"], ids=["one zero", "two zeros"])
def test_a_text_of_their_own_is_in_the_ball_and_in_their_proof(
    rulebook: str, own_house: Open, visit: Visit, deal_at: DealAt, tmp_path: Path
) -> None:
    house = own_house(pace=PATIENT)
    player = Player(visit(house), rulebook)
    player.be_seated("texter")
    player.open("Table")
    player.page.get_by_role("textbox", name="Your own words").fill("diecisiete, por favor")
    player.page.get_by_role("button", name="Use", exact=True).click()
    expect(player.page.get_by_text("Text for this spin: diecisiete, por favor ")).to_be_visible()
    assert "texter" in player.view()["draw"]["hashes"]
    player.visitor.shoot(f"{rulebook}-table-text")
    # The spin is played: their text was opened after the close, and is in the number.
    dealer = deal_at(house, rulebook)
    dealer.launch()
    dealer.close()
    player.wait_for("collecting")
    dealer.collect()
    player.wait_for("betting")
    player.open("Rounds")
    player.page.get_by_role("button", name="Check all").click()
    expect(player.page.get_by_text("Spins with your text: 1")).to_be_visible()
    expect(player.page.get_by_text("The number is right").first).to_be_visible()
    player.visitor.shoot(f"{rulebook}-table-proof")
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
