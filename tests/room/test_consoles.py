"""The consoles: a coup dealt by people, its payments and its reduction; void; who may come in."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from novamas.rulebooks import HOUSES
from tests.room.conftest import Deal, Open, Visit
from tests.room.consoles import at_desk, close_betting, enter, next_up, press, take_post
from tests.room.dealing import Dealer
from tests.room.people import SIZES, Visitor


def at_a_table_with_a_stake(
    own_house: Open, visit: Visit, deal: Deal, table: str
) -> tuple[Visitor, Dealer]:
    """The tallador of an Argentinian table where ana has a stake on 17."""
    house = own_house()
    dealer = deal(house, table, "ar")
    dealer.seat("ana")
    dealer.lay("ana", "17", 200)
    tallador = at_desk(visit, house, "croupier", table)
    take_post(tallador.page, dealer, "tallador")
    return tallador, dealer


def test_a_croupier_deals_a_coup_with_a_number_of_his_own_wheel(
    own_house: Open, visit: Visit, deal: Deal
) -> None:
    tallador, dealer = at_a_table_with_a_stake(own_house, visit, deal, "la mesa")
    tallador.shoot("ar-console-croupier-betting")
    close_betting(tallador.page)
    expect(tallador.page.get_by_role("button", name="Choose a number")).to_be_disabled()
    tallador.check_access(where="the pad")
    tallador.shoot("ar-console-croupier-pad")
    enter(tallador.page, 17)
    press(tallador.page, "Call the number")
    expect(tallador.page.get_by_role("region", name="Next")).to_contain_text("automatic croupier")
    dealer.collect()
    dealer.pay()
    expect(next_up(tallador.page)).to_contain_text("Launch the ball")
    after = dealer.view()
    assert (after["coup"], after["last_numbers"]) == (2, [17])
    assert after["purses"]["ana"] == 100_000 - 200 + 7_000 + 200


def test_the_address_of_a_console_follows_the_table(
    own_house: Open, visit: Visit, deal: Deal
) -> None:
    house = own_house()
    deal(house, "la mesa", "es")
    page = at_desk(visit, house, "croupier", "la mesa").page
    assert page.url.endswith("/console?table=la+mesa")
    page.go_back()
    expect(page.get_by_role("heading", name="Choose a table")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("tab").first).to_be_visible()
    page.reload()
    expect(page.get_by_role("tab").first).to_be_visible()
    assert page.url.endswith("/console?table=la+mesa")


def test_a_chief_has_several_tables_side_by_side(own_house: Open, visit: Visit, deal: Deal) -> None:
    house = own_house()
    dealers = [deal(house, name, book) for name, book in (("uno", "es"), ("due", "it"))]
    chief = at_desk(visit, house, "chief", "uno")
    page = chief.page
    page.locator("details.me summary").click()
    page.get_by_role("button", name="Other tables").click()
    show = page.get_by_role("button", name="side by side")
    expect(show).to_have_count(0)
    dealers[1].must("Suspend", reason="a fly in the wheel")
    card = page.get_by_role("listitem").filter(has=page.get_by_role("button", name="due"))
    expect(card).to_contain_text("Suspended")
    for name in ("uno", "due"):
        page.get_by_label(f"Side by side: {name}").check()
    chief.check_access(where="the tables, two of them marked")
    show.click()
    uno, due = (page.get_by_role("region", name=name, exact=True) for name in ("uno", "due"))
    expect(uno).to_contain_text("Betting is open")
    expect(due).to_contain_text("Suspended · a fly in the wheel")
    chief.shoot("console-chief-side-by-side")
    chief.check_access(where="two tables side by side")
    # What the post may decide is decided here, at its own table.
    due.get_by_role("button", name="Resume play").first.click()
    due.get_by_role("button", name="again").click()
    expect(due).to_contain_text("Betting is open")
    dealers[0].launch()
    expect(uno).to_contain_text("The ball is running")
    # The address has both, and each leads to the whole table and back.
    page.reload()
    expect(due).to_contain_text("Betting is open")
    assert page.url.endswith("/console?table=uno&table=due")
    due.get_by_role("button", name="To this table").click()
    expect(page.get_by_role("tab").first).to_be_visible()
    assert page.url.endswith("/console?table=due")
    page.go_back()
    expect(uno).to_be_visible()
    uno.get_by_role("button", name="Remove from view").click()
    expect(page.get_by_role("tab").first).to_be_visible()


def test_a_croupier_plays_for_somebody_without_a_screen(
    own_house: Open, visit: Visit, deal: Deal
) -> None:
    """Seated, sold chips for cash, their choice said for them, their colour changed, and let go."""
    house = own_house()
    dealer = deal(house, "la mesa", "es")
    croupier = at_desk(visit, house, "croupier", "la mesa")
    page = croupier.page
    take_post(page, dealer, "croupier")
    page.get_by_role("tab", name="Players").click()
    players = page.get_by_role("region", name="Players")
    players.get_by_role("textbox").fill("Pepe")
    players.get_by_role("button", name="Seat").click()
    card = page.get_by_role("region", name="Pepe")
    expect(card).to_contain_text("Paid in cash, into the box.")
    card.get_by_role("spinbutton", name="Amount").fill("2000")
    card.get_by_role("button", name="Sell for 2,000").click()
    expect(card.get_by_text("2,000").first).to_be_visible()
    croupier.check_access(where="the players")
    croupier.shoot("es-console-croupier-without-a-screen")
    # Their stake is laid at the cloth, and their choice after zero is said for them.
    page.get_by_role("tab", name="Table").click()
    page.get_by_role("button", name=re.compile("Pepe")).first.click()
    page.locator('.cloth [role=button][data-spot="red"]').first.click()
    expect(page.get_by_text("rojo").first).to_be_visible()
    dealer.spin(0)
    half = page.get_by_role("button", name=re.compile("^Half"))
    half.click()
    half.click()
    expect(half).to_have_count(0)
    page.get_by_role("tab", name="Players").click()
    out = card.get_by_role("button", name=re.compile("Cash out 1,950"))
    out.click()
    out.click()
    expect(players.get_by_text("Pepe")).to_have_count(0)
    assert dealer.view()["players"] == {}


@pytest.mark.parametrize("size", SIZES)
def test_a_cashier_counts_the_box_and_empties_it(
    size: str, own_house: Open, visit: Visit, deal: Deal
) -> None:
    house = own_house()
    dealer = deal(house, "la mesa", "es")
    dealer.seat("Pepe", 2_000, cash=True)
    cashier = at_desk(visit, house, "cashier", "la mesa", size=size)
    page = cashier.page
    page.get_by_role("tab", name="Cash desk").click()
    box = page.locator("[data-box]")
    expect(box).to_have_text("2,000")
    page.get_by_label("Found in the box").fill("1950")
    for _ in range(2):
        page.get_by_role("button", name="Empty the box: 1,950 to the desk").click()
    expect(box).to_have_text("0")
    emptied = page.get_by_role("list", name="The box was emptied").get_by_role("listitem")
    expect(emptied).to_have_count(1)
    expect(emptied).to_contain_text("1,950")
    expect(emptied).to_contain_text(re.compile("Difference .50"))
    look_at(cashier, "es-console-cashier-box")


def test_argentine_winners_are_reduced_and_paid_at_the_croupiers_console(
    own_house: Open, visit: Visit, deal: Deal
) -> None:
    house = own_house()
    dealer = deal(house, "la mesa", "ar")
    dealer.seat("ana")
    dealer.seat("luis")
    for on, amount in (("17", 200), ("17/20", 500), ("16/20", 400), ("13/18", 700)):
        dealer.lay("ana", on, amount)
    dealer.lay("luis", "black", 500)
    dealer.lay("luis", "red", 300)
    pagador = at_desk(visit, house, "croupier", "la mesa")
    take_post(pagador.page, dealer, "pagador")
    dealer.launch()
    dealer.close()
    dealer.pocket(17)
    dealer.call()
    press(pagador.page, "Collect losing bets")
    told = dealer.payments()
    (reduced,) = told["reductions"]
    made = {step["class"]: step["straights"] for step in reduced["steps"]}
    assert made == {"sixline": 1, "corner": 1, "split": 2}
    listed = pagador.page.get_by_role("region", name="Payments").locator("ol > li")
    expect(listed).to_have_count(len(told["payments"]))
    for place, payment in enumerate(told["payments"]):
        expect(listed.nth(place)).to_contain_text(payment["player"])
        expect(listed.nth(place).locator(".large")).to_have_text(f"{payment['paid']:,}")
    stay = f"Chips that stay: {reduced['stays']}"
    expect(listed.filter(has_text=stay)).to_have_count(1)
    # The reduction is drawn, frame by frame; with little motion, the frames lie side by side.
    drawn = pagador.page.get_by_role(
        "img", name=re.compile("straights|paid:|dragged|stays|Winning chips")
    )
    assert drawn.count() >= 1 + len(reduced["steps"])
    expect(pagador.page.get_by_text("chips 4, straights on the number 2").first).to_be_visible()
    paid = f"Chips of {reduced['chip']} paid: {reduced['paid']:,}; kept by the player: "
    paid += f"{reduced['stays']:,}"
    expect(pagador.page.get_by_text(paid).first).to_be_visible()
    pagador.check_access(where="the payments")
    pagador.shoot("ar-console-croupier-reduction")

    before = dealer.view()["purses"]
    for paid_so_far, payment in enumerate(told["payments"]):
        progress = f"{paid_so_far} of {len(told['payments'])} paid"
        expect(pagador.page.get_by_text(progress)).to_be_visible()
        press(pagador.page, f"Pay {payment['paid']:,} to {payment['player']}")
    expect(pagador.page.get_by_role("region", name="Next")).to_contain_text("Launch the ball")
    after = dealer.view()
    for player in ("ana", "luis"):
        own = [each for each in told["payments"] if each["player"] == player]
        gained = after["purses"][player] - before[player]
        assert gained == sum(each["paid"] + each["stays"] for each in own)
    assert after["coup"] == 2


@pytest.mark.rule("AR-3.b")
def test_ar_3_chance_chips_look_the_same_for_everybody_in_the_room(
    own_house: Open, visit: Visit, deal: Deal
) -> None:
    house = own_house()
    dealer = deal(house, "la mesa", "ar")
    for player in ("ana", "luis"):
        dealer.seat(player)
        dealer.lay(player, "red", 500)
        dealer.lay(player, "17", 200)
    desk = at_desk(visit, house, "croupier", "la mesa")
    desk.page.get_by_role("tab", name="Table").click()
    faces = desk.page.locator(".stacks use")
    expect(faces).to_have_count(4)
    hrefs = [str(each.get_attribute("href")) for each in faces.all()]
    chances = [href for href in hrefs if "-chance-" in href]
    assert len(chances) == 2
    assert len(set(chances)) == 1
    assert len(set(hrefs) - set(chances)) == 2, "and each has a colour of their own"
    desk.shoot("ar-console-chance-chips")


def test_the_reduction_moves_for_who_likes_motion(
    own_house: Open, visit: Visit, deal: Deal
) -> None:
    house = own_house()
    dealer = deal(house, "m", "ar")
    dealer.seat("ana")
    for on, amount in (("17", 200), ("17/20", 500), ("16/20", 400)):
        dealer.lay("ana", on, amount)
    dealer.launch()
    dealer.close()
    dealer.pocket(17)
    dealer.call()
    dealer.collect()
    desk = at_desk(visit, house, "croupier", "m", reduced_motion="no-preference")
    take_post(desk.page, dealer, "pagador")
    picture = desk.page.locator(".reel").get_by_role("img")
    expect(picture.first).to_be_visible()
    captions = [picture.first.get_attribute("aria-label")]
    forward = desk.page.get_by_role("button", name="Next", exact=True)
    while forward.is_enabled():
        forward.click()
        captions.append(picture.first.get_attribute("aria-label"))
    assert len(captions) == len(set(captions)) >= 4
    assert "paid:" in str(captions[-1])


def test_a_void_ball_leaves_the_stakes_where_they_are(
    own_house: Open, visit: Visit, deal: Deal
) -> None:
    desk, dealer = at_a_table_with_a_stake(own_house, visit, deal, "m")
    close_betting(desk.page)
    desk.page.get_by_role("button", name="Void the spin").first.click()
    desk.shoot("ar-console-croupier-void")
    desk.check_access(where="the causes of a void ball")
    desk.page.get_by_role("button", name="The ball left the wheel").click()
    desk.page.get_by_role("button", name="Void: The ball left the wheel").click()
    expect(next_up(desk.page)).to_contain_text("Launch the ball")
    after = dealer.view()
    assert after["phase"] == "betting"
    assert [(stake["on"], stake["amount"]) for stake in after["stakes"]] == [("17", 200)]
    assert after["coup"] == 1


DRAWINGS = ("ar", "fram")
"""The cloths with one zero and with two, whose consoles are looked at in both sizes."""
WALKS = [
    (rulebook, size)
    for place, rulebook in enumerate(HOUSES)
    for size in (SIZES if rulebook in DRAWINGS else [list(SIZES)[place % len(SIZES)]])
]


@pytest.mark.parametrize(("rulebook", "size"), WALKS)
def test_every_console_in_every_house(
    rulebook: str, size: str, own_house: Open, visit: Visit, deal: Deal
) -> None:
    """Each tab of each console: seen, and looked at by axe; every house in one size at least."""
    house = own_house()
    limits = {"straight": {"min": 100, "max": 10_000}, "simple": {"min": 500, "max": 100_000}}
    dealer = deal(house, "salle", rulebook, limits=limits)
    dealer.seat("ana")
    dealer.seat("Мария-Антоанета")
    for player in ("ana", "Мария-Антоанета"):
        for on, amount in (("17", 500), ("17/20", 500), ("red", 2500), ("d2", 1000)):
            dealer.lay(player, on, amount)
    dealer.spin(17)
    dealer.lay("ana", "23", 500)
    seen = 0
    for console in ("croupier", "chief", "cashier"):
        desk = at_desk(visit, house, console, "salle", size=size)
        watches = console == "chief"
        posts = [p for p in dealer.book.posts.values() if p.watches == watches]
        if console != "cashier" and posts:
            take_post(desk.page, dealer, posts[0].name)
        for tab in desk.page.get_by_role("tab").all_inner_texts():
            desk.page.get_by_role("tab", name=tab).click()
            name = f"{rulebook}-console-{console}-{tab.lower().replace(' ', '-')}"
            seen += look_at(desk, name)
    assert seen >= 6


def test_the_managements_console_sets_a_table_up(own_house: Open, visit: Visit) -> None:
    house = own_house()
    visitor = visit(house)
    page = visitor.go(f"/console?key={house.keys['management']}")
    expect(page.get_by_role("heading", name="Choose a table")).to_be_visible()
    visitor.shoot("console-tables")
    visitor.check_access(where="the tables of a console")
    page.get_by_role("button", name="Set up a table").click()
    page.get_by_label("Name of the table").fill("Mesa 7")
    page.get_by_label("Rulebook").select_option("es")
    # This house's maxima follow from the minimum of the table (ES-G.4); one is set besides.
    page.get_by_text("Table limits", exact=True).click()
    page.get_by_label("Minimum of the table").fill("200")
    page.get_by_label("pleno, Maximum").fill("4000")
    visitor.shoot("console-set-up")
    visitor.check_access(where="setting a table up")
    page.get_by_role("button", name="Create the table").click()
    expect(page.get_by_role("tab").first).to_be_visible()
    tables = {table["table"]: table for table in visitor.http.get("/api/tables").json()}
    limits = tables["Mesa 7"]["limits"]
    assert limits["straight"] == {"min": 200, "max": 4000}
    assert limits["simple"] == {"min": 200, "max": 540 * 200}


def look_at(visitor: Visitor, name: str) -> int:
    """A picture of the screen, and axe's word on it."""
    expect(visitor.page.get_by_role("tabpanel")).to_be_visible()
    visitor.shoot(name)
    visitor.check_access(where=name)
    wide = visitor.page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= SIZES[visitor.size]["width"], f"{name} is wider than the screen"
    return 1


# What only the staff says of a stake --------------------------------------------------------------


def special(page: Page) -> Locator:
    """The form for a stake of another kind, opened by the keyboard."""
    page.get_by_text("A bet of another kind").first.focus()
    page.keyboard.press("Enter")
    form = page.get_by_role("form", name="A bet of another kind")
    expect(form).to_be_visible()
    return form


def fill_in(form: Locator, kind: str, player: str, on: str, amount: int | None) -> None:
    """Fills in what each of those stakes has."""
    form.get_by_role("radio", name=kind).focus()
    form.get_by_role("radio", name=kind).press("Space")
    form.get_by_role("combobox", name=re.compile("^Player")).select_option(player)
    spot = form.get_by_role("combobox", name=re.compile("^Spot"))
    spot.fill(on)
    if amount is not None:
        form.get_by_label("Amount").fill(str(amount))


def test_a_croupier_lays_all_four_stakes_that_only_the_staff_can_describe(
    own_house: Open, visit: Visit, deal: Deal
) -> None:
    house = own_house()
    dealer = deal(house, "fair", "it")
    for player in ("ana", "eva"):
        dealer.seat(player)
    dealer.lay("ana", "17", 500)
    croupier = at_desk(visit, house, "croupier", "fair")
    page = croupier.page
    take_post(page, dealer, "croupier")
    form = special(page)

    fill_in(form, "Placed for another player", "eva", "17", 600)
    expect(form.get_by_label("For the owner of the bet")).to_contain_text("ana · pieno 17 · 500")
    form.get_by_role("button", name="Place 600 on pieno 17").press("Enter")
    expect(form.get_by_label("Amount")).to_have_value("")

    fill_in(form, "Value not clear at a glance", "eva", "red", 700)
    form.get_by_role("button", name="Place 700 on").press("Enter")
    expect(form.get_by_label("Amount")).to_have_value("")

    fill_in(form, "Its owner is away", "ana", "d1", 800)
    form.get_by_role("button", name="Place 800 on").press("Enter")
    expect(form.get_by_label("Amount")).to_have_value("")

    fill_in(form, "Chips of another table", "eva", "8", None)
    form.get_by_label("Number of chips").fill("3")
    form.get_by_label("Table they come from").fill("4")
    expect(form.get_by_role("button", name="Place the bet")).to_be_disabled()
    form.get_by_label("Opening minimum of that table").fill("200")
    expect(form.get_by_role("button", name="Place 600 on pieno 8")).to_be_enabled()
    form.get_by_label("Value of one chip, if known").fill("500")
    croupier.shoot("it-console-croupier-special-stake")
    croupier.check_access(where="a stake of another kind")
    form.get_by_role("button", name="Place 1,500 on pieno 8").press("Enter")
    expect(form.get_by_label("Number of chips")).to_have_value("")

    laid = [event["data"] for event in dealer.events() if event["type"] == "StakePlaced"][1:]
    # On a machine of one's own a console acts as the staff, in the name of whoever holds the post.
    assert len({stake["by"] for stake in laid}) == 1
    assert laid[0]["by"] in dealer.view()["staff"]
    told = [(s["player"], s["on"], s["amount"], s["chips"]) for s in laid]
    assert told == [
        ("eva", "17", 600, "colour"),
        ("eva", "red", 700, "colour"),
        ("ana", "d1", 800, "colour"),
        ("eva", "8", 1500, "foreign"),
    ]
    assert [stake.get("principal") for stake in laid] == ["ana", None, None, None]
    assert [stake.get("unclear", False) for stake in laid] == [False, True, False, False]
    assert [stake.get("unattended", False) for stake in laid] == [False, False, True, False]


def test_where_a_house_takes_no_foreign_chips_the_form_says_so(
    own_house: Open, visit: Visit, deal: Deal
) -> None:
    house = own_house()
    dealer = deal(house, "m", "ar")
    dealer.seat("ana")
    desk = at_desk(visit, house, "croupier", "m", size="phone")
    take_post(desk.page, dealer, "pagador")
    form = special(desk.page)
    expect(form.get_by_role("radio", name="Chips of another table")).to_be_disabled()
    expect(form).to_contain_text("This casino takes no chips of another table.")
    # Nobody else has a stake on the cloth for whom one could be laid.
    expect(form).to_contain_text("No other player has a bet on the table.")
    look_at(desk, "ar-console-croupier-special-stake")


# Orders and zones ---------------------------------------------------------------------------------


def test_a_chief_orders_a_correction_and_a_croupier_carries_it_out(
    own_house: Open, visit: Visit, deal: Deal
) -> None:
    house = own_house()
    dealer = deal(house, "la mesa", "es")
    dealer.seat("ana")
    dealer.lay("ana", "5", 2000)
    chief = at_desk(visit, house, "chief", "la mesa")
    croupier = at_desk(visit, house, "croupier", "la mesa")
    take_post(chief.page, dealer, "chief")
    take_post(croupier.page, dealer, "croupier")
    stakes = chief.page.get_by_role("region", name="Bets on the table")
    stakes.get_by_role("button", name="pleno 5").click()
    # The chief has no hand for chips: nothing is given back or corrected here.
    expect(stakes.get_by_role("button", name="Correct", exact=True)).to_have_count(0)
    expect(stakes.get_by_role("button", name="Give back")).to_have_count(0)
    stakes.get_by_role("button", name="Order the correction").click()
    stakes.get_by_label("Move to").fill("8")
    stakes.get_by_label("Reason").fill("misheard")
    stakes.locator("form").get_by_role("button", name="Order the correction").click()
    ordered = "ana: 2,000 from pleno 5 to pleno 8"
    waits = chief.page.get_by_role("region", name="Ordered corrections")
    expect(waits).to_contain_text(ordered)
    expect(waits).to_contain_text("To be carried out by: crupier, extremo de mesa")
    expect(waits.get_by_role("button")).to_have_count(0)
    chief.check_access(where="an order that waits")
    chief.shoot("es-console-chief-order")

    orders = croupier.page.get_by_role("region", name="Ordered corrections")
    expect(orders).to_contain_text(ordered)
    expect(orders).to_contain_text("misheard")
    croupier.check_access(where="an order to carry out")
    croupier.shoot("es-console-croupier-order")
    assert dealer.view()["stakes"][0]["on"] == "5"
    orders.get_by_role("button", name="Carry it out").press("Enter")
    expect(orders).to_have_count(0)
    expect(waits).to_have_count(0)
    moved = [event["data"] for event in dealer.events() if event["type"] == "StakeMoved"]
    staff = dealer.view()["staff"]
    assert [(each["on"], staff[each["by"]], staff[each["ordered_by"]]) for each in moved] == [
        ("8", "croupier", "chief")
    ]


def test_the_zone_is_set_with_the_table(own_house: Open, visit: Visit) -> None:
    house = own_house()
    visitor = visit(house)
    page = visitor.go(f"/console?key={house.keys['management']}")
    page.get_by_role("button", name="Set up a table").click()
    page.get_by_label("Name of the table").fill("Mesa 7")
    page.get_by_label("Rulebook").select_option("bg")
    expect(page.get_by_label("Zone of the")).to_have_count(0)
    page.get_by_label("Rulebook").select_option("es")
    zone = page.get_by_label("Zone of the extremo de mesa")
    zone.fill("25/30 31/37 d3")
    expect(page.get_by_text("Not on this table: 31/37")).to_be_visible()
    expect(page.get_by_role("button", name="Create the table")).to_be_disabled()
    zone.fill("25/30 31/36 d3")
    visitor.shoot("es-console-set-up-zone")
    visitor.check_access(where="the zone of a new table")
    page.get_by_role("button", name="Create the table").click()
    expect(page.get_by_role("tab").first).to_be_visible()
    told = visitor.http.get("/api/tables/Mesa 7").json()
    assert told["zone"] == ["25/30", "31/36", "d3"]


def test_the_croupier_at_the_end_of_the_table_sees_the_zone_and_lays_only_there(
    own_house: Open, visit: Visit, deal: Deal
) -> None:
    house = own_house()
    dealer = deal(house, "la mesa", "es", zone=["25/30", "31/36", "d3"])
    dealer.seat("ana")
    end = at_desk(visit, house, "croupier", "la mesa")
    take_post(end.page, dealer, "end")
    expect(end.page.get_by_text("Zone: 25/30 31/36 d3").first).to_be_visible()
    end.page.get_by_role("button", name=re.compile("ana")).first.click()
    for spot in ("31/34", "5"):
        end.page.locator(f'.cloth [role=button][data-spot="{spot}"]').first.click()
    expect(end.page.get_by_text("Not in your zone.")).to_be_visible()
    end.page.mouse.move(5, 5)
    expect(end.page.get_by_text("Not in your zone.")).to_have_count(0)
    end.check_access(where="the zone on the cloth")
    end.shoot("es-console-end-zone")
    expect(end.page.get_by_role("region", name="Bets on the table")).to_contain_text("31/34")
    assert [stake["on"] for stake in dealer.view()["stakes"]] == ["31/34"]


# Who may come in ----------------------------------------------------------------------------------


def test_a_player_cannot_reach_a_console(own_house: Open, visit: Visit) -> None:
    house = own_house()
    visitor = visit(house)
    guest = visitor.http.post("/api/guests", json={"name": "ana"}).json()
    visitor.go("/")
    kept = f'{{"token": "{guest["token"]}", "name": "ana"}}'
    visitor.page.evaluate("kept => localStorage.setItem('novamas.player', kept)", kept)
    # By the address alone, nothing opens.
    visitor.go("/console")
    expect(visitor.page.get_by_role("heading", name="The consoles are closed")).to_be_visible()
    expect(visitor.page.get_by_text("You are here as a player, ana.")).to_be_visible()
    visitor.shoot("console-closed")
    visitor.check_access(where="the closed consoles")
    # With a player's token in the place of a console's, neither.
    visitor.page.evaluate("kept => sessionStorage.setItem('novamas.console', kept)", kept)
    visitor.page.reload()
    expect(visitor.page.get_by_text("You are here as a player, ana.")).to_be_visible()
    expect(visitor.page.get_by_role("tab")).to_have_count(0)
    # And what a console asks for, the house does not tell this person.
    bearer = {"Authorization": f"Bearer {guest['token']}"}
    for path in ("payments", "export"):
        answer = visitor.http.get(f"/api/tables/ar/{path}", headers=bearer)
        assert answer.status_code == 403
    assert "purses" not in visitor.http.get("/api/tables/ar", headers=bearer).json()


def test_a_key_opens_one_console_once(own_house: Open, visit: Visit) -> None:
    house = own_house()
    first = at_desk(visit, house, "croupier", "ar")
    first.page.reload()
    expect(first.page.get_by_role("tab").first).to_be_visible()
    second = visit(house)
    second.allow("403")
    second.go(f"/console?key={house.keys['croupier']}")
    expect(second.page.get_by_text("This key is not valid, or it was used before.")).to_be_visible()
