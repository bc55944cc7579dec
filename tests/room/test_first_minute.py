"""The first minute: what the casino's words mean, what a table's card says, and a guided round."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Locator, expect

from tests.promises.running import Running
from tests.room.conftest import PATIENT, Deal, DealAt, Open, Visit
from tests.room.people import SIZES
from tests.room.playing import Player

NARROWEST = {"wide": {"width": 1280, "height": 720}, "phone": SIZES["phone"]}
STICKING_OUT = """() => {
    const isOut = (node) => {
        const box = node.getBoundingClientRect();
        return box.width > 0 && (box.left < -1 || box.right > innerWidth + 1);
    };
    const out = [...document.querySelectorAll("[data-plain]")].filter(isOut);
    const table = document.querySelector("[data-plain]")?.closest("table");
    const cut = table && table.offsetWidth > table.parentElement.clientWidth;
    const wide = document.documentElement.scrollWidth > innerWidth;
    return [
        ...out.map((node) => node.textContent),
        ...(cut ? ["the limits"] : []),
        ...(wide ? ["the page"] : []),
    ];
}"""


class Reader(Player):
    """A player whose screen may speak any language."""

    @property
    def cloth(self) -> Locator:
        return self.page.locator("[role=group]:has([data-spot])").first


@pytest.mark.parametrize("size", NARROWEST)
@pytest.mark.parametrize(
    ("locale", "meanings"),
    [
        ("en-GB", ("straight up", "between two spots", "red")),
        ("bg-BG", ("едно число", "между две полета", "червено")),
    ],
)
def test_a_word_of_the_casino_stands_beside_its_plain_meaning(
    locale: str, meanings: tuple[str, ...], size: str, own_house: Open, visit: Visit
) -> None:
    """In the bets, at a spot, in the limits and to a screen reader; and nothing moves for it."""
    house = own_house(pace=PATIENT)
    player = Reader(visit(house, size=size, locale=locale), "es")
    player.page.set_viewport_size(NARROWEST[size])  # type: ignore[arg-type]
    player.be_there("ana", 50_000)
    expect(player.page.locator("[name=chip]").first).to_be_attached()
    for spot, meaning in zip(("17", "d1+d2", "red"), meanings, strict=True):
        before = player.cloth.bounding_box()
        player.touch(spot)
        assert player.cloth.bounding_box() == before
        label = player.page.locator(f'[role=button][data-spot="{spot}"]')
        expect(label).to_have_attribute("aria-label", re.compile(f"; {meaning}; "))
        if not player.is_phone:
            expect(player.page.locator(".info [data-plain]")).to_have_text(f"· {meaning}")
    if player.is_phone:
        player.page.locator("[data-tab=slip]").click()
    words = player.page.locator(".bets [data-plain]")
    expect(words).to_have_text([f"· {each}" for each in meanings])
    assert player.page.evaluate(STICKING_OUT) == []
    player.visitor.shoot(f"es-table-plain-{locale[:2]}")
    player.visitor.check_access(where=f"plain words {locale} {size}")
    if player.is_phone:
        player.page.keyboard.press("Escape")
        player.page.locator("[data-tab=table]").click()
    else:
        player.page.locator("#tab-table").click()
    expect(player.page.locator("tbody [data-plain]").first).to_have_text(f"· {meanings[0]}")
    assert player.page.evaluate(STICKING_OUT) == []
    player.visitor.shoot(f"es-table-plain-limits-{locale[:2]}")


def test_a_reader_of_the_casinos_own_language_sees_its_words_alone(
    own_house: Open, visit: Visit
) -> None:
    house = own_house(pace=PATIENT)
    player = Reader(visit(house, locale="es-ES"), "es")
    player.be_there("ana", 50_000)
    player.touch("17")
    expect(player.page.locator(".bets .word")).to_have_text("pleno 17")
    player.page.locator("#tab-table").click()
    expect(player.page.locator("tbody th").first).to_be_visible()
    expect(player.page.locator("[data-plain]")).to_have_count(0)


def test_a_table_with_a_name_of_its_own_has_it_as_its_title(
    house: Running, visit: Visit, deal: Deal
) -> None:
    deal(house, "Salon bleu", "fr")
    visitor = visit(house)
    visitor.go("/")
    card = visitor.page.locator('a.card[href="/t/Salon%20bleu"]')
    expect(card.get_by_role("heading")).to_have_text("Salon bleu")
    expect(card.get_by_text("France, French roulette")).to_be_visible()
    for said in ("zero: half back or prison", "no call bets", "physical wheel"):
        expect(card.get_by_text(said)).to_be_visible()
    own = visitor.page.locator('a.card[href="/t/fr"]')
    expect(own.get_by_role("heading")).to_have_text("France, French roulette")
    expect(own.get_by_text("electronic draw")).to_be_visible()


class Guided(Player):
    """Somebody new, who plays the guided round."""

    @property
    def coach(self) -> Locator:
        return self.page.get_by_role("region", name="Guided round")

    def follow_link(self) -> None:
        """From the lobby to the table that it chose."""
        self.page.get_by_role("link", name="New to roulette?").click()
        self.expect_step("seat", "Take a seat")

    def expect_step(self, step: str, said: str = "") -> None:
        """Waits for a step, which a screen reader is told too."""
        expect(self.coach).to_have_attribute("data-coach", step)
        expect(self.coach.get_by_role("status")).to_contain_text(said)

    def press(self, button: str) -> None:
        self.coach.get_by_role("button", name=button).click()

    def bet(self) -> None:
        """From the seat to the bets. What is taken back has to be laid again."""
        self.sit(20_000)
        kept = self.page.evaluate("() => localStorage.getItem('novamas.player')")
        self.name = str(json.loads(kept)["name"])
        self.expect_step("chip")
        self.pick(500)
        self.expect_step("number")
        self.lay("17")
        self.expect_step("red", "Now tap “red”")
        self.look_at("sd-coach-red")
        self.act("Undo")
        self.expect_step("number")
        self.lay("17")
        self.lay("red")
        self.expect_step("ball", "Spin now")

    def read(self) -> None:
        """The explanation that the casino gives, and the article of the rulebook behind it."""
        line = self.why(coup=1)["lines"][0]
        expect(self.coach).to_contain_text(line["sentences"][0])
        self.press("Next")
        self.expect_step("book")
        self.press("Read the rulebook")
        book = self.page.get_by_role("dialog")
        expect(book.get_by_text(line["articles"][0]["id"]).first).to_be_visible()
        self.close_sheet()

    def look_at(self, name: str) -> None:
        """A picture, axe's word, and nothing that sticks out or lies over the table."""
        self.visitor.shoot(name)
        self.visitor.check_access(where=f"{name} {self.visitor.size}")
        assert self.page.evaluate(STICKING_OUT) == []
        coach, cloth = self.coach.bounding_box(), self.cloth.bounding_box()
        assert coach is not None
        assert cloth is not None
        assert coach["y"] + coach["height"] <= cloth["y"] + 1


@pytest.mark.parametrize("size", SIZES)
def test_somebody_new_is_guided_through_a_round_of_a_real_table(
    size: str, own_house: Open, visit: Visit, deal_at: DealAt
) -> None:
    """From the lobby to the rulebook, each step is what the table says; the lobby remembers it."""
    house = own_house(pace=PATIENT)
    visitor = visit(house, size=size)
    loaded: list[str] = []
    visitor.page.on("response", lambda response: loaded.append(response.url))
    player = Guided(visitor, "sd")
    visitor.go("/")
    expect(visitor.page.get_by_role("link", name="New to roulette?")).to_be_visible()
    assert not any("Coach" in url for url in loaded), "the guide is loaded before it is asked for"
    player.follow_link()
    player.look_at("sd-coach-seat")
    player.bet()
    dealer = deal_at(house, "sd")
    dealer.launch()
    dealer.close()
    player.wait_for("collecting")
    player.expect_step("why", f"{player.view()['number']} came up")
    player.look_at("sd-coach-why")
    # The table goes on; the explanation stays until it has been read.
    dealer.collect()
    dealer.pay()
    player.wait_for("betting")
    player.expect_step("why")
    player.read()
    player.expect_step("done")
    player.press("Close the guide")
    expect(player.coach).to_have_count(0)
    visitor.go("/")
    expect(visitor.page.get_by_role("link", name="Play the guided round again")).to_be_visible()
    expect(visitor.page.get_by_role("link", name="New to roulette?")).to_have_count(0)


def test_the_guide_can_be_closed_at_any_time_and_comes_back_when_asked(
    house: Running, visit: Visit
) -> None:
    player = Guided(visit(house), "sd")
    player.visitor.go("/")
    player.follow_link()
    player.press("Close the guide")
    expect(player.coach).to_have_count(0)
    expect(player.cloth).to_be_visible()
    player.visitor.go("/")
    player.follow_link()
