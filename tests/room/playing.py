"""A player in the room: what they do at their screen, and what they see there."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from playwright.sync_api import Locator, Page, expect

from tests.room.dealing import AtTable
from tests.room.people import PATIENCE, Visitor

SLOW = 60_000
"""Milliseconds in which a whole coup of a house is played."""


def assert_still(thing: Locator) -> None:
    """Whoever points at it sees it stay where it is, when all that moves has come to rest."""
    before = thing.bounding_box()
    thing.hover()
    thing.evaluate("(node) => Promise.all(node.getAnimations().map((each) => each.finished))")
    assert thing.bounding_box() == before


class Player:
    """Somebody who plays at a table, by pointer or finger."""

    def __init__(self, visitor: Visitor, table: str) -> None:
        self.visitor = visitor
        self.table = table
        self.name = ""

    @property
    def page(self) -> Page:
        return self.visitor.page

    @property
    def is_phone(self) -> bool:
        return self.visitor.size == "phone"

    # Coming in --------------------------------------------------------------------------------

    def come_in(self, name: str) -> None:
        """Gives the player's name in the lobby."""
        self.visitor.go("/")
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Come in").click()
        expect(self.page.get_by_text(f"You are {name}")).to_be_visible()
        self.name = name

    def go_to_table(self) -> None:
        """Follows the link of the table in the lobby."""
        self.page.locator(f'a.card[href="/t/{quote(self.table)}"]').click()
        expect(self.cloth).to_be_visible()

    def sit(self, amount: int = 10_000, *, value_chips: bool = False) -> None:
        """Takes a seat with chips for so much."""
        self.page.get_by_role("button", name="Take a seat").last.click()
        sheet = self.page.get_by_role("dialog")
        if value_chips:
            sheet.get_by_role("button", name="Value chips").click()
        sheet.get_by_role("spinbutton", name="Amount").fill(str(amount))
        sheet.get_by_role("button", name="Sit down").click()
        expect(self.page.get_by_role("radiogroup", name="Chips")).to_be_visible()
        expect(sheet).to_be_hidden()

    def arrive(self, name: str, amount: int = 10_000, **how: Any) -> None:
        """All of it: from the door to the seat."""
        self.come_in(name)
        self.go_to_table()
        self.sit(amount, **how)

    def be_there(self, name: str, amount: int = 0) -> None:
        """At once at the table: for tests of something else than the way there.

        Whoever has an amount is seated, with chips for so much.
        """
        answer = self.visitor.http.post("/api/guests", json={"name": name})
        assert answer.status_code == 201, answer.text
        token = answer.json()["token"]
        if amount:
            with AtTable(self.visitor.url, token, self.table) as seat:
                seat.must("Sit")
                seat.must("BuyChips", player=name, amount=amount)
        self.visitor.keep_token(token, name)
        self.name = name
        self.visitor.go(f"/t/{quote(self.table)}")
        expect(self.cloth).to_be_visible()

    def be_seated(self, name: str, amount: int = 10_000) -> None:
        """At once on a seat with chips."""
        self.be_there(name, amount)
        expect(self.page.get_by_role("radiogroup", name="Chips")).to_be_visible()

    # At the table -----------------------------------------------------------------------------

    @property
    def cloth(self) -> Locator:
        return self.page.get_by_role("group", name="Betting layout")

    @property
    def strip(self) -> Locator:
        return self.page.locator("[data-step]")

    def wait_for(self, *steps: str, seconds: float = PATIENCE / 1000) -> None:
        """Waits until the strip says one of these steps."""
        wanted = ", ".join(f'[data-step="{step}"]' for step in steps)
        expect(self.page.locator(wanted)).to_be_visible(timeout=seconds * 1000)

    def spot(self, name: str) -> Locator:
        """Where a spot is touched."""
        return self.cloth.locator(f'[data-spot="{name}"]').first

    def pick(self, amount: int) -> None:
        """Takes a chip of the rail."""
        chip = self.page.get_by_role("radio", name=f"Chip of {amount:,}", exact=True)
        chip.check(force=True)

    def lay(self, spot: str) -> None:
        """Lays a chip, and waits until the house has it."""
        before = self.staked(spot)
        self.touch(spot)
        self.expect_stake(spot, more_than=before)

    def touch(self, spot: str) -> None:
        """A tap on a spot."""
        place = self.spot(spot)
        place.scroll_into_view_if_needed()
        box = place.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if self.is_phone:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def expect_stake(self, spot: str, *, more_than: int = 0) -> None:
        """Waits until more than an amount of the player lies on a spot, as the screen says."""
        self.page.wait_for_function(
            """([spot, least]) => {
                const area = document.querySelector(`[role=button][data-spot="${spot}"]`);
                const label = area?.getAttribute("aria-label") ?? "";
                const told = /your bet ([\\d,.]+)(k?)/.exec(label);
                if (!told) return false;
                return Number(told[1].replaceAll(",", "")) * (told[2] ? 1000 : 1) > least;
            }""",
            arg=[spot, more_than],
        )

    def staked(self, spot: str) -> int:
        """What the player has on a spot, as the house says."""
        lying = [each for each in self.view()["stakes"] if each["player"] == self.name]
        return sum(each["amount"] for each in lying if each["on"] == spot)

    def act(self, name: str) -> None:
        """Undo, Clear, Double, Repeat or Saved."""
        self.page.get_by_role("button", name=name, exact=True).click()

    @property
    def purse(self) -> int:
        """What the screen says that the player holds."""
        return int(self.page.locator("[data-purse]").first.get_attribute("data-purse") or "")

    def expect_purse(self, amount: int) -> None:
        """Waits until the screen says that the player holds an amount."""
        wanted = self.page.locator(f'[data-purse="{amount}"]').first
        expect(wanted).to_be_attached()

    def open(self, panel: str) -> None:
        """Shows a panel: a tab of a wide screen, a sheet of a phone."""
        if self.is_phone:
            self.page.locator(".bar").get_by_role("button", name=panel).click()
        else:
            self.page.get_by_role("tab", name=panel).click()

    def close_sheet(self) -> None:
        """Puts a sheet away."""
        self.page.get_by_role("dialog").get_by_role("button", name="Close", exact=True).click()

    # What the house says ----------------------------------------------------------------------

    def view(self) -> dict[str, Any]:
        """The table as the house shows it to the player."""
        return self._ask(f"/api/tables/{quote(self.table)}")

    def why(self, coup: int | None = None) -> dict[str, Any]:
        """What became of the player's stakes in a coup, or in the last one."""
        asked = f"?coup={coup}" if coup is not None else ""
        return self._ask(f"/api/tables/{quote(self.table)}/why{asked}")

    def money(self) -> int:
        """The player's play money."""
        return int(self._ask("/api/me")["money"])

    def _ask(self, path: str) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self.visitor.kept_token()}"}
        answer = self.visitor.http.get(path, headers=headers)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told
