"""A house where players must have a second factor too, in a real browser."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pyotp
import pytest
from playwright.sync_api import Page, expect

from tests.room import cheap_passwords
from tests.room.conftest import Visit
from tests.room.house_with_accounts import FIRST, REFUSED, House, look_at, sign_in
from tests.room.passkeys import plug_in
from tests.room.people import PATIENCE, SIZES
from tests.web.accounts import PASSWORD
from tests.web.house_mode import opened


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder: Path = tmp_path_factory.mktemp("house")
    novamas = (sys.executable, cheap_passwords.__file__)
    with opened(folder, "--second-factor", "everyone", tls=False, novamas=novamas) as found:
        # A passkey is of a name, and not of an address.
        url = found.url.replace("127.0.0.1", "localhost")
        with httpx.Client(base_url=url, timeout=PATIENCE / 1000) as http:
            made = House(url, http)
            table = {"table": "salle", "rulebook": "es", "chip": 100}
            made.ask("cora", "chief", "POST", "/api/tables", table)
            yield made


def comes_in(page: Page, name: str) -> None:
    """Comes in with a first password, and is led to the second factor before anything else."""
    sign_in(page, name, password=FIRST)
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("New password once more").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    expect(page.get_by_text("Nobody plays here with a password alone.")).to_be_visible()
    expect(page.get_by_label("Name to sign in with")).to_have_count(0)


def signs_out(page: Page) -> None:
    page.get_by_role("button", name="Your account").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in to play")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_a_player_enrols_a_passkey_before_anything_else(
    size: str, house: House, visit: Visit
) -> None:
    name = f"pia {size}"
    house.make_known(name, ["player"])
    visitor = visit(house, size=size)
    visitor.allow(REFUSED)
    page = visitor.go("/t/salle")
    plug_in(page)
    comes_in(page, name)
    look_at(visitor, "player-enrol")
    page.get_by_label("What you call it").fill("this phone")
    page.get_by_role("button", name="Add a passkey").press("Enter")
    expect(page.get_by_role("heading", name="One more step")).to_have_count(0)
    visitor.go("/")
    expect(page.get_by_text(f"Signed in as {name}")).to_be_visible()
    page.get_by_role("button", name="Your account").click()
    part = page.get_by_role("dialog").locator("details").filter(has_text="Second factor").first
    part.locator("summary").first.click()
    expect(part.get_by_text("this phone")).to_be_visible()
    expect(part.get_by_role("button", name="Remove this phone")).to_have_count(0)
    page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in with a passkey").press("Enter")
    expect(page.get_by_text(f"Signed in as {name}")).to_be_visible()


def test_a_player_enrols_an_app_and_shows_its_code(house: House, visit: Visit) -> None:
    house.make_known("gus", ["player"])
    visitor = visit(house)
    visitor.allow(REFUSED)
    page = visitor.go("/")
    comes_in(page, "gus")
    page.get_by_role("button", name="Add an app with codes").click()
    app = pyotp.TOTP(page.locator("code").inner_text().replace(" ", ""))
    used = int(time.time()) // 30 - 1
    page.get_by_label("The code that the app shows now").fill(app.at(used * 30))
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("Signed in as gus")).to_be_visible()
    signs_out(page)
    sign_in(page, "gus")
    expect(page.get_by_label("Code from your app")).to_be_focused()
    page.get_by_label("Code from your app").fill(app.now())
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_text("Signed in as gus")).to_be_visible()
