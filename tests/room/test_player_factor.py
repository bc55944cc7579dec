"""A house where players must have a second factor too, in a real browser."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pyotp
import pytest
from playwright.sync_api import Page, expect

from tests.room.conftest import Visit
from tests.room.house_with_accounts import (
    House,
    first_sign_in,
    look_at,
    newcomer,
    opened_house,
    sign_in,
)
from tests.room.passkeys import plug_in
from tests.room.people import SIZES


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("house")
    with opened_house(folder, "--second-factor", "everyone") as made:
        yield made


def comes_in(page: Page, name: str) -> None:
    """Comes in with a first password, and is led to the second factor before anything else."""
    first_sign_in(page, name)
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
    visitor = newcomer(house, visit, name, "player", "/t/salle", size=size)
    page = visitor.page
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
    page = newcomer(house, visit, "gus", "player").page
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
