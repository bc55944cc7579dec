"""People with accounts in a real browser: signing in, one's own page, and the house's own work."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pyotp
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.room.conftest import Visit
from tests.room.dealing import AtTable
from tests.room.house_with_accounts import (
    FIRST,
    REFUSED,
    House,
    first_sign_in,
    look_at,
    newcomer,
    opened_house,
    player,
    sign_in,
    sign_in_at_post,
)
from tests.room.passkeys import plug_in
from tests.room.people import SIZES, Visitor
from tests.web.accounts import PASSWORD
from tests.web.authenticator import enter

PEOPLE = {
    "ana": ["player"],
    "bea": ["player"],
    "vera": ["croupier"],
    "caj": ["cashier"],
    "otto": ["auditor"],
    "cleo": ["chief", "player"],
}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with opened_house(tmp_path_factory.mktemp("house"), people=PEOPLE) as made:
        for name in ("ana", "bea"):
            cash = {"amount": 50_000, "id": f"first of {name}"}
            made.ask("caj", "cashier", "POST", f"/api/desk/{name}/in", cash)
        # The cashier brings the float, and the table opens.
        with AtTable(made.url, str(made.tokens["caj"]), "salle") as desk:
            desk.must("OpenBank", amount=1_000_000)
        yield made


def choose_to_stay_out(page: Page, period: str) -> Locator:
    """Chooses for how long to be shut out; returns the button that does it."""
    page.get_by_role("button", name="Your account").click()
    page.get_by_text("Self-exclusion", exact=True).click()
    page.get_by_text(period, exact=True).click()
    return page.get_by_role("button", name=f"Exclude me: {period}")


@pytest.mark.parametrize("size", SIZES)
def test_a_player_signs_in_looks_after_his_limits_and_signs_out(
    size: str, house: House, visit: Visit
) -> None:
    visitor = visit(house, size=size, color_scheme="light" if size == "wide" else "dark")
    visitor.allow(REFUSED)
    page = visitor.go("/")
    expect(page.get_by_role("heading", name="Sign in to play")).to_be_visible()
    look_at(visitor, "sign-in")
    sign_in(page, "ana", password="not the right one")  # noqa: S106 - it is wrong
    expect(page.get_by_role("alert")).to_contain_text("Wrong name or password")
    look_at(visitor, "sign-in-wrong")
    sign_in(page, "ana")
    expect(page.get_by_text("Signed in as ana")).to_be_visible()
    expect(page.get_by_text("in your wallet")).to_be_visible()
    # Nobody is guided to bet what is no play money.
    expect(page.get_by_text("electronic draw").first).to_be_visible()
    expect(page.get_by_role("link", name="New to roulette?")).to_have_count(0)
    # Nothing is kept where a script could read it, and the cookie is out of its reach.
    assert page.evaluate("() => document.cookie") == ""
    assert "token" not in page.evaluate("() => JSON.stringify({...localStorage})")
    assert page.evaluate("() => sessionStorage.length") == 0
    page.get_by_role("button", name="Your account").click()
    dialog = page.get_by_role("dialog")
    limit = 5000 if size == "wide" else 4000
    dialog.get_by_label("Daily spending limit").fill(str(limit))
    dialog.get_by_role("button", name="Set", exact=True).first.click()
    expect(dialog.get_by_role("status").first).to_contain_text("Your limit is set.")
    dialog.get_by_label("Daily spending limit").fill("9000")
    dialog.get_by_role("button", name="Set", exact=True).first.click()
    expect(dialog.get_by_text("9,000 from")).to_be_visible()
    expect(dialog.get_by_text(f"Now: {limit:,}")).to_be_visible()
    look_at(visitor, "account")
    dialog.get_by_text("Password", exact=True).click()
    dialog.get_by_text("Self-exclusion", exact=True).click()
    dialog.get_by_text("a week", exact=True).click()
    dialog.get_by_role("button", name="Exclude me: a week").click()
    expect(dialog.get_by_text("Touch again to confirm").first).to_be_visible()
    look_at(visitor, "account-all")
    dialog.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Sign in to play")).to_be_visible()


def test_a_table_asks_who_one_is_and_one_plays_by_the_cookie(house: House, visit: Visit) -> None:
    visitor = visit(house)
    page = visitor.go("/t/salle")
    sign_in(page, "ana")
    expect(page.get_by_role("button", name="Take a seat").last).to_be_visible()
    sockets: list[str] = []
    page.on("websocket", lambda each: sockets.append(each.url))
    page.reload()
    expect(page.get_by_role("button", name="Take a seat").last).to_be_visible()
    assert sockets
    assert all("token" not in url for url in sockets)
    look_at(visitor, "table")
    page.get_by_role("button", name="Take a seat").last.click()
    expect(page.get_by_role("dialog")).to_contain_text("50,000")


def test_who_is_signed_out_elsewhere_is_asked_at_once(house: House, visit: Visit) -> None:
    visitor = visit(house)
    visitor.allow(REFUSED)
    page = visitor.go("/t/salle")
    sign_in(page, "bea")
    expect(page.get_by_role("button", name="Take a seat").last).to_be_visible()
    house.ask("cora", "chief", "DELETE", "/api/people/bea/sessions")
    expect(page.get_by_text("Your session has ended.")).to_be_visible()
    sign_in(page, "bea")
    expect(page.get_by_role("button", name="Take a seat").last).to_be_visible()


def test_a_password_is_changed_and_the_new_one_is_asked_for(house: House, visit: Visit) -> None:
    visitor = visit(house)
    visitor.allow(REFUSED)
    page = visitor.go("/console")
    sign_in_at_post(page, house, "vera", "croupier")
    page.get_by_role("tab", name="Your account").click()
    new = "tiers du cylindre 5"
    for old, fresh, again, told in (
        (PASSWORD, new, "something else", "The passwords do not match."),
        (PASSWORD, "short", "short", "A password has 10 to 200 characters."),
        (PASSWORD, "password123", "password123", "This password is too common."),
        ("not my password", new, new, "This is not your password."),
    ):
        page.get_by_label("Current password").fill(old)
        page.get_by_label("New password", exact=True).fill(fresh)
        page.get_by_label("New password once more").fill(again)
        page.get_by_role("button", name="Change the password").click()
        expect(page.get_by_role("alert")).to_contain_text(told)
    look_at(visitor, "password")
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_text("Your password is changed.")).to_be_visible()
    sign_in(page, "vera, in", "croupier")
    expect(page.get_by_role("alert")).to_contain_text("Wrong name or password")
    # The new one is right, and asks for the passkey that goes with it.
    sign_in(page, "vera, in", "croupier", password=new)
    expect(page.get_by_role("alert")).to_contain_text("Sign in with your passkey.")
    sign_in_at_post(page, house, "vera", "croupier")
    expect(page.get_by_role("heading", name="Choose a table")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_a_first_password_is_good_for_choosing_one_s_own(
    size: str, house: House, visit: Visit
) -> None:
    name = f"first {size}"
    house.make_known(name, ["player"])
    visitor = visit(house, size=size)
    visitor.allow(REFUSED)
    page = visitor.go("/")
    sign_in(page, name, password=FIRST)
    expect(page.get_by_text("This password was set by somebody else.")).to_be_visible()
    enter = page.get_by_role("button", name="Sign in", exact=True)
    for fresh, again, told in (
        (PASSWORD, "something else", "The passwords do not match."),
        ("password123", "password123", "This password is too common."),
        (FIRST, FIRST, "The new password must be different."),
    ):
        page.get_by_label("New password", exact=True).fill(fresh)
        page.get_by_label("New password once more").fill(again)
        enter.click()
        expect(page.get_by_role("alert")).to_contain_text(told)
    look_at(visitor, "first-password")
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("New password once more").fill(PASSWORD)
    enter.click()
    expect(page.get_by_text(f"Signed in as {name}")).to_be_visible()


def test_one_sees_where_one_is_signed_in_and_ends_it_elsewhere(house: House, visit: Visit) -> None:
    elsewhere = {"name": "bea", "password": PASSWORD, "by": "token"}
    told = house.http.post("/api/sign-in", json=elsewhere).raise_for_status().json()
    token = {"Authorization": f"Bearer {told['token']}"}
    assert house.http.get("/api/me", headers=token).status_code == 200
    visitor = visit(house)
    visitor.allow(REFUSED)
    page = visitor.go("/")
    sign_in(page, "bea")
    page.get_by_role("button", name="Your account").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Open sessions").click()
    expect(dialog.get_by_text("(here)")).to_be_visible()
    part = dialog.locator("details").filter(has_text="Open sessions")
    part.get_by_label("Your password, to confirm").fill("not my password")
    part.get_by_role("button", name="End all other sessions").click()
    expect(part.get_by_role("alert")).to_contain_text("This is not your password.")
    look_at(visitor, "sessions")
    part.get_by_label("Your password, to confirm").fill(PASSWORD)
    part.get_by_role("button", name="End all other sessions").click()
    expect(part.get_by_role("status")).to_contain_text("All other sessions were ended.")
    expect(part.get_by_role("listitem")).to_have_count(1)
    assert house.http.get("/api/me", headers=token).status_code == 401


def approve(page: Page, house: House, visitor: Visitor, second: Visitor, name: str) -> None:
    """Whoever asked sees it wait, and another chief approves it, with a reason."""
    told = f"Posts of {name} from now on: player, croupier"
    page.get_by_role("tab", name="Approvals").click()
    asked = page.get_by_role("listitem", name=told)
    expect(asked).to_contain_text("You asked for it: another person approves it.")
    expect(asked.get_by_role("button", name="Approve")).to_have_count(0)
    look_at(visitor, "approvals-own")
    there = second.go("/console")
    sign_in_at_post(there, house, "dino", "chief")
    there.get_by_role("tab", name="Approvals").click()
    waits = there.get_by_role("listitem", name=told)
    expect(waits.get_by_role("button", name="Approve")).to_be_disabled()
    waits.get_by_label("Your reason").fill("I saw them deal")
    look_at(second, "approvals")
    for _ in range(2):
        waits.get_by_role("button", name="Approve").click()
    expect(there.get_by_text("It is approved and done.")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_a_chief_makes_people_known_and_gives_posts(size: str, house: House, visit: Visit) -> None:
    visitor = visit(house, size=size)
    visitor.allow(REFUSED)
    page = visitor.go("/console")
    look_at(visitor, "sign-in-staff")
    sign_in_at_post(page, house, "cora", "cashier")
    expect(page.get_by_role("alert")).to_contain_text("You do not hold this post here.")
    sign_in_at_post(page, house, "cora", "chief")
    panel = page.get_by_role("tabpanel")
    name = f"new {size}"
    panel.get_by_text("Add a person").click()
    panel.get_by_label("Name", exact=True).fill(name)
    panel.get_by_label("First password").fill("password123")
    panel.get_by_role("button", name="Add", exact=True).click()
    expect(panel.get_by_role("alert")).to_contain_text("This password is too common.")
    panel.get_by_label("First password").fill(PASSWORD)
    panel.get_by_role("button", name="Add", exact=True).click()
    expect(panel.get_by_text(f"{name} was added.")).to_be_visible()
    look_at(visitor, "people")
    page.get_by_label("Find a name").fill(name)
    card = panel.get_by_role("listitem").filter(has_text=name)
    card.locator("summary").click()
    card.get_by_label("croupier").check()
    card.get_by_label("Why").first.fill("they learned it")
    look_at(visitor, "person")
    card.get_by_role("button", name="Save the posts").click()
    expect(panel.get_by_text("It waits for a second person.")).to_be_visible()
    known = house.ask("cora", "chief", "GET", "/api/people")
    assert next(each for each in known if each["name"] == name)["posts"] == ["player"]
    approve(page, house, visitor, visit(house, size=size), name)
    known = house.ask("cora", "chief", "GET", "/api/people")
    posts = next(each for each in known if each["name"] == name)["posts"]
    assert posts == ["player", "croupier"]
    page.get_by_role("tab", name="People").click()
    # You cannot change your own posts.
    page.get_by_label("Find a name").fill("cora")
    own = panel.get_by_role("listitem").filter(has_text="cora")
    own.locator("summary").click()
    expect(own.get_by_text("You cannot change your own posts")).to_be_visible()
    # A chief may set a table up.
    expect(page.get_by_role("button", name="Set up a table")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_a_cashier_takes_money_and_pays_it(size: str, house: House, visit: Visit) -> None:
    visitor = visit(house, size=size)
    visitor.allow(REFUSED)
    before = house.ask("otto", "auditor", "GET", "/api/desk/ana")["money"]
    page = visitor.go("/console")
    sign_in_at_post(page, house, "caj", "cashier")
    page.get_by_label("Player", exact=True).fill("ana")
    page.get_by_role("button", name="Look up").click()
    expect(page.get_by_text("In the wallet")).to_be_visible()
    page.get_by_label("Amount").fill("700")
    take = page.get_by_role("button", name="Buy in")
    take.click()
    look_at(visitor, "cash-desk")
    # It waits a few seconds for the second touch, and the look may have taken longer.
    take.press("Escape")
    for _ in range(2):
        take.click()
    expect(page.get_by_text("ana bought in for 700.")).to_be_visible()
    page.get_by_label("Amount").fill("200")
    for _ in range(2):
        page.get_by_role("button", name="Cash out").click()
    expect(page.get_by_text("ana cashed out 200.")).to_be_visible()
    page.get_by_label("Amount").fill("900000")
    for _ in range(2):
        page.get_by_role("button", name="Cash out").click()
    expect(page.get_by_role("alert")).to_contain_text("The wallet does not hold that much")
    # A large sum wants a reason, and waits for a second person.
    page.get_by_label("Amount").fill("3000000")
    for _ in range(2):
        page.get_by_role("button", name="Buy in").click()
    expect(page.get_by_role("alert")).to_contain_text("a second person approves it")
    page.get_by_label("Why, for whoever approves it").fill("sold a house")
    look_at(visitor, "cash-desk-large")
    for _ in range(2):
        page.get_by_role("button", name="Buy in").click()
    expect(page.get_by_text("It waits for a second person.")).to_be_visible()
    page.get_by_label("Player", exact=True).fill("vera")
    page.get_by_role("button", name="Look up").click()
    after = house.ask("otto", "auditor", "GET", "/api/desk/ana")["money"]
    assert after == before + 500


@pytest.mark.parametrize("size", SIZES)
def test_an_auditor_reads_the_register(size: str, house: House, visit: Visit) -> None:
    house.make_known(f"dealer {size}", ["croupier"])
    visitor = visit(house, size=size, color_scheme="dark" if size == "wide" else "light")
    page = visitor.go("/console")
    sign_in_at_post(page, house, "otto", "auditor")
    region = page.get_by_role("region", name="The register")
    expect(region.get_by_role("row").nth(3)).to_be_visible()
    look_at(visitor, "register")
    page.get_by_label("Find in the entries").fill("added")
    expect(region.get_by_role("row").nth(1)).to_contain_text("added")
    assert "argon2" not in region.inner_text()
    # Money is a deposit of somebody, not an entry of a number.
    page.get_by_label("Find in the entries").fill("deposit")
    taken = region.get_by_role("row").nth(1)
    expect(taken).to_contain_text("deposit")
    expect(taken.get_by_role("cell").nth(3)).not_to_be_empty()
    expect(taken).not_to_contain_text("id:")
    # A request is a sentence about a person, and so is what came of it.
    page.get_by_label("Find in the entries").fill("approval")
    request = f"Add dealer {size} as: croupier"
    for told, more in (
        ("approval asked for", ""),
        ("approval decided", "It is approved and done."),
    ):
        row = region.get_by_role("row", name=told).filter(has_text=f"{request} · {more}")
        expect(row.get_by_role("cell").nth(3)).to_have_text(f"dealer {size}")
    # What machines alone can use is not among the details.
    page.get_by_label("Find in the entries").fill("")
    expect(region.get_by_role("row", name="second factor used").first).to_be_visible()
    for code in ("[object", "digest:", "factor:", "challenge"):
        assert code not in region.inner_text()
    page.get_by_role("tab", name="People").click()
    expect(page.get_by_role("heading", name="Accounts and staff")).to_be_visible()
    expect(page.get_by_text("Add a person")).to_have_count(0)


def test_a_player_is_not_let_to_the_consoles_nor_a_croupier_to_play(
    house: House, visit: Visit
) -> None:
    visitor = visit(house)
    visitor.allow(REFUSED)
    page = visitor.go("/")
    sign_in(page, "bea")
    expect(page.get_by_text("Signed in as bea")).to_be_visible()
    page.goto(f"{house.url}/console")
    expect(page.get_by_text("You are signed in as bea, player.")).to_be_visible()
    sign_in_at_post(page, house, "cleo", "chief")
    expect(page.get_by_role("tab", name="People")).to_be_visible()
    page.goto(f"{house.url}/t/salle")
    expect(page.get_by_text("You are signed in as cleo, floor manager.")).to_be_visible()


def test_who_shuts_himself_out_is_out(house: House, visit: Visit) -> None:
    page = player(house, visit, "gone").page
    button = choose_to_stay_out(page, "a day")
    button.click()
    button.click()
    expect(page.get_by_role("heading", name="Sign in to play")).to_be_visible()
    sign_in(page, "gone")
    expect(page.get_by_role("alert")).to_contain_text("You have excluded yourself")


@pytest.mark.parametrize(
    ("locale", "title"),
    [
        ("es-ES", "Entre para jugar"),
        ("it-IT", "Acceda per giocare"),
        ("bg-BG", "Влезте, за да играете"),
        ("fr-FR", "Connectez-vous pour jouer"),
    ],
)
def test_the_door_speaks_every_language(
    locale: str, title: str, house: House, visit: Visit
) -> None:
    visitor = visit(house, size="phone", locale=locale)
    page = visitor.go("/")
    expect(page.get_by_role("heading", name=title)).to_be_visible()
    look_at(visitor, f"sign-in-{locale[:2]}")
    page.get_by_role("combobox").select_option("en")
    expect(page.get_by_role("heading", name="Sign in to play")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_a_post_enrols_a_passkey_at_the_first_sign_in_and_uses_it_ever_after(
    size: str, house: House, visit: Visit
) -> None:
    name = f"key {size}"
    visitor = newcomer(house, visit, name, "croupier", "/console", size=size)
    page = visitor.page
    plug_in(page)
    first_sign_in(page, name, "croupier")
    look_at(visitor, "enrol-name")
    page.get_by_label("Name to sign in with").fill(f"{name}, in")
    page.get_by_role("button", name="Use this name").press("Enter")
    expect(page.get_by_role("button", name="Add a passkey")).to_be_visible()
    look_at(visitor, "enrol-factor")
    page.get_by_label("What you call it").fill("this laptop")
    page.get_by_role("button", name="Add a passkey").press("Enter")
    expect(page.get_by_role("heading", name="Choose a table")).to_be_visible()
    page.get_by_role("tab", name="Your account").click()
    expect(page.get_by_text("this laptop")).to_be_visible()
    expect(page.get_by_role("button", name="Remove this laptop")).to_have_count(0)
    look_at(visitor, "factors")
    leave_console(page, name)
    page.get_by_label("Post", exact=True).select_option("croupier")
    page.get_by_role("button", name="Sign in with a passkey").press("Enter")
    expect(page.get_by_role("heading", name="Choose a table")).to_be_visible()


@pytest.mark.parametrize("size", SIZES)
def test_a_post_enrols_an_app_and_shows_its_code(size: str, house: House, visit: Visit) -> None:
    name = f"app {size}"
    visitor = newcomer(house, visit, name, "cashier", "/console", size=size, color_scheme="dark")
    page = visitor.page
    first_sign_in(page, name, "cashier")
    page.get_by_label("Name to sign in with").fill(f"{name}, in")
    page.get_by_role("button", name="Use this name").click()
    page.get_by_role("button", name="Add an app with codes").click()
    secret = page.locator("code").inner_text().replace(" ", "")
    expect(page.get_by_role("img", name="QR code with the secret")).to_be_visible()
    look_at(visitor, "enrol-app")
    page.get_by_label("The code that the app shows now").fill("000000")
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("alert")).to_contain_text("This code is wrong")
    app = pyotp.TOTP(secret)
    used = int(time.time()) // 30 - 1
    page.get_by_label("The code that the app shows now").fill(app.at(used * 30))
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_role("tab", name="Cash desk")).to_be_visible()
    leave_console(page, name)
    sign_in(page, f"{name}, in", "cashier")
    expect(page.get_by_label("Code from your app")).to_be_focused()
    look_at(visitor, "sign-in-code")
    # A code that was used is good no more, and one step later there is another.
    page.get_by_label("Code from your app").fill(app.at(used * 30))
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("used before")
    page.get_by_label("Code from your app").fill(app.now())
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.get_by_role("tab", name="Cash desk")).to_be_visible()


def leave_console(page: Page, name: str) -> None:
    """Signs out at the head of a console, with a second touch."""
    page.locator("summary").filter(has_text=name).click()
    button = page.locator(".menu").get_by_role("button").last
    button.click()
    button.click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()


def test_a_player_adds_a_passkey_and_takes_it_away(house: House, visit: Visit) -> None:
    house.make_known("pia", ["player"])
    enter(house.http, "pia", FIRST, "player", new=PASSWORD)
    visitor = visit(house)
    visitor.allow(REFUSED)
    page = visitor.go("/")
    plug_in(page)
    sign_in(page, "pia")
    page.get_by_role("button", name="Your account").click()
    part = page.get_by_role("dialog").locator("details").filter(has_text="Second factor").first
    part.locator("summary").first.click()
    part.get_by_text("Add a passkey · Add an app with codes").click()
    add = part.locator("details").filter(has_text="Add a passkey ·")
    add.get_by_label("Your password, to confirm").fill(PASSWORD)
    add.get_by_role("button", name="Add a passkey").click()
    expect(part.get_by_role("status")).to_contain_text("It is added.")
    look_at(visitor, "account-factors")
    page.get_by_role("dialog").get_by_role("button", name="Sign out").click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_text("Signed in as pia")).to_be_visible()


def test_for_good_is_asked_for_with_the_password(house: House, visit: Visit) -> None:
    visitor = player(house, visit, "ever")
    page = visitor.page
    button = choose_to_stay_out(page, "permanently")
    expect(button).to_be_disabled()
    page.get_by_label("Your password, because it is permanent").fill(PASSWORD)
    look_at(visitor, "exclusion-for-good")
    button.click()
    button.click()
    expect(page.get_by_role("heading", name="Sign in to play")).to_be_visible()
