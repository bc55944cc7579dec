"""Playing: what players do with their chips, what the houses ask of them, and what they see."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from tests.promises.running import Running
from tests.room.conftest import Deal, Open, Visit
from tests.room.dealing import Dealer
from tests.room.people import SIZES
from tests.room.playing import Player, assert_still


def seated(
    visit: Visit,
    house: Running,
    dealer: Dealer,
    name: str = "ana",
    *,
    size: str = "wide",
) -> Player:
    """A player with chips for 10,000 at a table that the test deals."""
    player = Player(visit(house, size=size), dealer.table)
    player.be_seated(name)
    return player


@pytest.mark.parametrize("size", SIZES)
def test_spanish_zero_half_is_taken_or_prison_borne(
    size: str, house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, f"cero {size}", "es")
    ana = seated(visit, house, dealer, f"ana {size}", size=size)
    ana.pick(500)
    ana.lay("red")
    ana.lay("even")
    assert ana.purse == 9_000
    dealer.spin(0)
    ana.wait_for("choosing")
    if ana.is_phone:
        ana.page.locator(".foot .offer").click()
    offers = ana.page.locator("[data-offer=choice]")
    expect(offers).to_have_count(2)
    ana.visitor.shoot("es-table-choice")
    ana.visitor.check_access(where="the choice after zero")
    red = offers.filter(has_text="rojo")
    expect(red.get_by_role("button", name="Take half: 250")).to_be_visible()
    expect(red.get_by_role("button", name="Leave it in prison")).to_contain_text(
        "Next spin: 18 of 37 numbers free 500, 18 lose it; another zero halves it. "
        "Average value: 246.6."
    )
    red.get_by_role("button", name="Take half: 250").click()
    ana.expect_purse(9_250)
    offers.filter(has_text="par").get_by_role("button", name="Leave it in prison").click()
    expect(offers).to_have_count(0)
    if ana.is_phone:
        ana.close_sheet()
    (prisoner,) = ana.view()["prison"]
    assert (prisoner["on"], prisoner["amount"], prisoner["pending"]) == ("even", 500, False)
    ana.visitor.shoot("es-table-prison")
    # The next coup frees what is in prison, and wins nothing.
    dealer.spin(8)
    ana.expect_purse(9_750)
    assert ana.view()["prison"] == []


def test_one_choice_after_zero_is_for_all_bets(house: Running, visit: Visit, deal: Deal) -> None:
    dealer = deal(house, "cero para todas", "es")
    ana = seated(visit, house, dealer, "ana 6 again")
    ana.pick(500)
    for spot in ("red", "even", "low"):
        ana.lay(spot)
    dealer.spin(0)
    every = ana.page.locator("[data-offer=all]")
    expect(every).to_contain_text("all your bets, 1,500")
    every.get_by_role("button", name="Take half: 750").click()
    expect(ana.page.locator("[data-offer]")).to_have_count(0)
    ana.expect_purse(10_000 - 1_500 + 750)


@pytest.mark.rule("AMB-AR-32", "AMB-AR-33")
@pytest.mark.parametrize("size", SIZES)
def test_argentine_winners_stay_as_reduced_and_the_slip_shows_what_was_paid(
    size: str, house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, f"queda {size}", "ar", winning="cloth")
    ana = seated(visit, house, dealer, f"ana queda {size}", size=size)
    ana.lay("7/8")
    ana.lay("7/8")
    ana.lay("8/9")
    ana.lay("red")
    dealer.spin(8)
    # Three semiplenos win 51 chips; the pagador counts out 52, and two chips stay.
    ana.expect_purse(10_000 - 400 + 5_200)
    lying = {each["on"]: each["amount"] for each in ana.view()["stakes"]}
    assert lying == {"8/9": 100, "8": 100}
    ana.expect_stake("8")
    if ana.is_phone:
        ana.open("Bets")
    paid = ana.page.locator("[data-paid]")
    expect(paid).to_have_attribute("data-paid", "5200")
    expect(paid).to_contain_text("Paid after the reduction: 5,200; stays as your stake: 200")
    expect(paid).to_contain_text("AMB-AR-33")
    ana.visitor.shoot("ar-table-reduced")
    # What the reduction made is a stake like any other: its owner takes it back.
    ana.page.get_by_role("button", name="Remove: 8", exact=True).click()
    ana.expect_purse(10_000 - 400 + 5_200 + 100)
    # The page of the coup shows the payment too.
    ana.visitor.go(f"/t/{quote(ana.table)}/coup/1")
    own = ana.page.get_by_role("region", name="Your bets")
    expect(own.locator("[data-paid]")).to_have_attribute("data-paid", "5200")


@pytest.mark.parametrize("size", SIZES)
def test_venetian_voisins_are_played_again_per_il_tutto(
    size: str, house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, f"vicini {size}", "it")
    ana = seated(visit, house, dealer, f"anna {size}", size=size)
    if ana.is_phone:
        ana.open("Calls")
    track = ana.page.get_by_role("region", name="Call bets")
    track.locator('[data-call="voisins"]').click()
    if ana.is_phone:
        ana.close_sheet()
    ana.expect_purse(10_000 - 900)
    if not ana.is_phone:
        # The call is one line of the slip, which opens into where its chips lie: on 0/2/3 and
        # on 25/29 there are two pieces each.
        called = ana.page.locator("details.call")
        expect(called).to_have_count(1)
        expect(called).to_contain_text("9 × 100")
        called.locator("summary").click()
        expect(ana.page.locator(".cloth .mark")).to_have_count(7)
        expect(called.locator("li")).to_have_count(7)
    assert [(each["call"], each["amount"]) for each in ana.view()["announcements"]] == [
        ("voisins", 900)
    ]
    dealer.spin(22)
    won = sum(line["won"] for line in ana.why()["lines"])
    assert won == 17 * 100
    if not ana.is_phone:
        # So it is among the results, where it opens into the result of each piece.
        row = ana.page.locator(".lines > li")
        expect(row).to_have_count(1)
        expect(row).to_contain_text("+900")
        row.locator("summary").first.click()
        expect(row.locator(".pieces > li")).to_have_count(7)
        expect(row.locator(".pieces > li").first).to_contain_text("19/22")
    if ana.is_phone:
        ana.page.locator(".foot .offer").click()
    offer = ana.page.locator("[data-offer=replay]")
    expect(offer).to_be_visible()
    expect(offer.get_by_role("button")).to_have_count(3)
    ana.visitor.shoot("it-table-replay")
    ana.visitor.check_access(where="the replay")
    offer.get_by_role("button", name="per il tutto").click()
    expect(offer).to_have_count(0)
    (again,) = ana.view()["announcements"]
    times = dealer.book.announcements.calls["voisins"].all_times
    assert times is not None
    assert (again["call"], again["amount"]) == ("voisins", 900 * times)
    on_cloth = sum(each["amount"] for each in ana.view()["stakes"])
    assert on_cloth == 900 * times


def test_every_call_shows_its_price_before_it_is_laid(
    house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, "prezzi", "it")
    ana = seated(visit, house, dealer, "anna prezzi")
    track = ana.page.get_by_role("region", name="Call bets")
    expect(track.locator('[data-call="voisins"]')).to_contain_text("9 × 100")
    ana.pick(500)
    expect(track.locator('[data-call="voisins"]')).to_contain_text("9 × 500")
    # A sector has no room for it on its number: one line says it for all.
    expect(track).to_contain_text("Tap a number for it and its neighbours · 5 × 500")
    track.locator('[data-call="f4"]').hover()
    expect(track.locator("p.price")).to_contain_text("4 × 500 = 2,000")
    # The track is put away for more cloth, and stays so.
    fold = ana.page.get_by_role("button", name="Call bets", exact=True)
    fold.click()
    expect(track).to_have_count(0)
    ana.page.reload()
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(track).to_have_count(0)


def test_a_phone_shows_the_price_of_every_call(house: Running, visit: Visit, deal: Deal) -> None:
    dealer = deal(house, "prezzi in tasca", "it")
    ana = seated(visit, house, dealer, "anna tascabile", size="phone")
    ana.open("Calls")
    track = ana.page.get_by_role("region", name="Call bets")
    for call, price in (("voisins", "9 × 100"), ("f4", "4 × 100"), ("f0/1", "5 × 100")):
        expect(track.locator(f'[data-call="{call}"]')).to_contain_text(price)
    # The sheet has come up under the pointer, which a finger would not leave there.
    ana.page.mouse.move(1, 1)
    expect(track).to_contain_text("its neighbours · 5 × 100")
    # Each number of the ring has its 24 px, and so has every other call.
    narrowest = track.evaluate(
        """(track) => Math.min(
            ...[...track.querySelectorAll(".cell path")].map((cell) => {
                const {width, height} = cell.getBBox();
                return Math.max(width, height) * cell.getScreenCTM().a;
            }),
            ...[...track.querySelectorAll("button")].flatMap((call) => {
                const {width, height} = call.getBoundingClientRect();
                return [width, height];
            }),
        )"""
    )
    assert narrowest >= 23.9
    ana.visitor.shoot("it-table-prices")


@pytest.mark.parametrize("size", SIZES)
def test_what_is_too_little_to_play_is_marked_before_it_goes_back(
    size: str, house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, f"pochi {size}", "it", limits={"simple": {"min": 1000}})
    ana = seated(visit, house, dealer, f"anna poca {size}", size=size)
    strip = ana.page.locator(".info")
    # What a bet needs is told before any chip is laid, for a finger points at nothing.
    expect(strip).to_contain_text("pieno: at least 5 chips on the numbers in all")
    expect(strip).to_contain_text("chance semplice: from 1,000, at least 5 chips")
    if not ana.is_phone:
        ana.spot("17").hover()
        expect(strip).to_contain_text("at least 5 chips on the numbers in all")
        expect(strip).to_contain_text("IT-general-2b")
    ana.lay("17")
    ana.lay("17/20")
    marks = ana.page.locator(".cloth .lacking")
    expect(marks).to_have_count(2)
    expect(strip).to_contain_text("Fewer than 5 chips on the numbers")
    ana.visitor.shoot("it-table-short")
    ana.visitor.check_access(where="stakes that are too little to play")
    # Three chips more on the numbers, and they play; a simple chance has a minimum of its own.
    ana.pick(500)
    ana.lay("5")
    expect(marks).to_have_count(0)
    ana.lay("red")
    expect(marks).to_have_count(1)
    expect(strip).to_contain_text("Below the minimum of 1,000")
    if ana.is_phone:
        ana.open("Bets")
    told = ana.page.locator("[data-short]")
    expect(told).to_have_count(1)
    told.locator("summary").click()
    expect(told).to_contain_text(dealer.book.articles["IT-general-15a"].summary["en"])
    ana.visitor.check_access(where="a stake that is too little, with its articles")
    if ana.is_phone:
        ana.close_sheet()
    dealer.launch()
    dealer.close()
    expect(ana.page.get_by_text("Returned without having played: 500")).to_be_visible()
    expect(marks).to_have_count(0)
    ana.expect_purse(10_000 - 700)


def test_hovering_any_spot_tells_what_it_takes(house: Running, visit: Visit, deal: Deal) -> None:
    limits = {"dozen": {"min": 100, "max": 5000}, "simple": {"min": 200, "max": 3000}}
    dealer = deal(house, "a caballo", "ar", limits=limits)
    ana = seated(visit, house, dealer, "ana caballo")
    strip = ana.page.locator(".info")
    for spot, told, article in (
        ("d1", "100 – 5,000", "AR-13"),
        ("d1+d2", "200 – 10,000", "AR-17.a"),
        ("low+d3", "400 – 6,000", "AR-17.b"),
        ("17", "no limit", ""),
    ):
        ana.spot(spot).hover()
        expect(strip).to_contain_text(told)
        expect(strip).to_contain_text(article)
    # And it moves nothing, not even the chip that could be picked.
    assert_still(ana.page.locator(".rail label").nth(2))


def test_two_players_see_each_others_chips(house: Running, visit: Visit, deal: Deal) -> None:
    dealer = deal(house, "two", "bg")
    ana = seated(visit, house, dealer, "ana 2")
    luis = seated(visit, house, dealer, "luis 2")
    stacks = ".stacks > *"
    assert luis.page.locator(stacks).count() == 0
    ana.pick(500)
    ana.lay("17")
    ana.lay("17/20")
    expect(luis.page.locator(stacks)).to_have_count(2)
    expect(luis.page.locator(".stacks")).to_have_text(["500500", ""])
    luis.lay("17")
    expect(ana.page.locator(stacks)).to_have_count(3)
    # Each has a colour of their own, and both see the same two.
    colours = {name: each["colour"] for name, each in ana.view()["players"].items()}
    assert len(set(colours.values())) == 2
    ana.visitor.shoot("bg-table-two-players")
    ana.page.mouse.move(5, 5)
    ana.act("Clear")
    expect(luis.page.locator(stacks)).to_have_count(1)


def test_chips_are_laid_moved_doubled_repeated_and_taken_back(
    house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, "chips", "bg")
    ana = seated(visit, house, dealer, "ana 3")
    ana.lay("17")
    ana.lay("17/20")
    ana.lay("d1")
    assert (ana.staked("17"), ana.staked("17/20"), ana.staked("d1")) == (100, 100, 100)
    ana.act("Double")
    ana.expect_purse(9_400)
    ana.act("Undo")
    ana.expect_purse(9_700)
    # Right-click takes back.
    box = ana.spot("d1").bounding_box()
    assert box is not None
    ana.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, button="right")
    ana.expect_purse(9_800)
    assert ana.staked("d1") == 0
    # Dragging moves.
    start, end = ana.spot("17").bounding_box(), ana.spot("23").bounding_box()
    assert start is not None
    assert end is not None
    ana.page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    ana.page.mouse.down()
    ana.page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=8)
    ana.page.mouse.up()
    ana.expect_stake("23")
    assert (ana.staked("17"), ana.staked("23")) == (0, 100)
    # A layout is kept under a name, and laid again.
    ana.act("Saved")
    sheet = ana.page.get_by_role("dialog")
    sheet.get_by_label("Name").fill("mine")
    sheet.get_by_role("button", name="Save").click()
    ana.visitor.shoot("bg-table-layouts")
    ana.visitor.check_access(where="the layouts")
    ana.close_sheet()
    ana.act("Clear")
    ana.expect_purse(10_000)
    ana.act("Saved")
    sheet.get_by_role("button", name="Place", exact=True).click()
    ana.expect_purse(9_800)
    # What was played in the last coup is laid again with one touch.
    dealer.spin(1)
    ana.wait_for("betting", "resting")
    ana.expect_purse(9_800)
    ana.act("Repeat")
    ana.expect_purse(9_600)
    assert (ana.staked("17/20"), ana.staked("23")) == (100, 100)


def test_what_the_house_does_not_take_is_explained_and_does_nothing(
    house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, "limits", "es", limits={"straight": {"min": 100, "max": 200}})
    ana = seated(visit, house, dealer, "ana 4")
    ana.pick(500)
    ana.touch("17")
    refusal = ana.page.get_by_role("status").filter(has_text="above the maximum")
    expect(refusal).to_be_visible()
    expect(refusal).to_contain_text("ES-")
    assert ana.purse == 10_000
    assert ana.view()["stakes"] == []
    # Hovering tells what a spot is, what it pays, its limits and its article.
    ana.page.mouse.move(5, 5)
    ana.spot("17").hover(force=True)
    info = ana.page.locator("main").get_by_text("35:1").first
    expect(info).to_be_visible()
    ana.visitor.shoot("es-table-refused")
    # After the close nothing is taken any more.
    ana.pick(100)
    ana.lay("red")
    dealer.launch()
    ana.wait_for("launched")
    ana.lay("black")
    dealer.close()
    ana.wait_for("closed")
    ana.visitor.check_access(where="no more bets")
    ana.visitor.shoot("es-table-closed")
    ana.touch("17")
    expect(ana.page.get_by_role("status").filter(has_text="No more bets")).to_be_visible()
    assert ana.staked("17") == 0


def test_why_a_stake_got_what_it_got(house: Running, visit: Visit, deal: Deal) -> None:
    dealer = deal(house, "why", "ar")
    ana = seated(visit, house, dealer, "ana 5")
    ana.lay("red")
    ana.lay("17")
    dealer.spin(17)
    ana.expect_purse(9_800 + 3_500 + 100)
    lines = ana.page.locator("details").filter(has_text="Why?")
    expect(lines).to_have_count(2)
    # The winners stand first, whatever was laid first.
    expect(lines.first).to_contain_text("won 3,500")
    for line in lines.all():
        line.locator("summary").click()
    told = ana.why()
    for line in told["lines"]:
        for sentence in line["sentences"]:
            expect(ana.page.get_by_text(sentence)).to_be_visible()
        for article in line["articles"]:
            expect(ana.page.get_by_text(article["summary"]).first).to_be_visible()
    ana.visitor.shoot("ar-table-why")
    ana.visitor.check_access(where="why")


def test_a_void_ball_as_the_players_see_it(house: Running, visit: Visit, deal: Deal) -> None:
    dealer = deal(house, "void", "ar")
    ana = seated(visit, house, dealer, "ana 6")
    ana.lay("17")
    dealer.launch()
    dealer.close()
    ana.wait_for("closed")
    voids = next(p for p, post in dealer.view()["staff"].items() if post == "tallador")
    dealer.must("VoidBall", by=voids, cause="ball_out")
    ana.wait_for("betting", "resting")
    assert ana.staked("17") == 100
    ana.lay("18")
    assert ana.purse == 9_800


def test_who_leaves_takes_his_chips_with_him(house: Running, visit: Visit, deal: Deal) -> None:
    dealer = deal(house, "leave", "bg")
    ana = seated(visit, house, dealer, "ana 7")
    assert ana.money() == 990_000
    ana.open("Table")
    ana.visitor.shoot("bg-table-people")
    ana.page.get_by_role("button", name="Leave the table").click()
    expect(ana.page.get_by_role("heading", name="Welcome to the casino")).to_be_visible()
    assert ana.money() == 1_000_000
    expect(ana.page.get_by_text("1,000,000 in play money").first).to_be_visible()


def test_a_table_that_is_not_there(house: Running, visit: Visit) -> None:
    visitor = visit(house)
    visitor.go("/t/nowhere")
    expect(visitor.page.get_by_role("heading", name="There is no such table.")).to_be_visible()
    visitor.check_access(where="no such table")
    visitor.shoot("no-table")
    visitor.page.get_by_role("link", name="All tables").click()
    expect(visitor.page.get_by_role("heading", name="Welcome to the casino")).to_be_visible()


def test_a_number_is_counted_from_when_it_lies(house: Running, visit: Visit, deal: Deal) -> None:
    dealer = deal(house, "cuenta", "ar")
    ana = seated(visit, house, dealer, "ana 11")
    panel = ana.page.locator(".stats")
    expect(ana.page.get_by_text("No number yet")).to_have_count(1)
    expect(panel).to_have_count(0)
    dealer.launch()
    dealer.close()
    dealer.pocket(17)
    dealer.call()
    expect(panel).to_contain_text("Out of 1 round")
    expect(ana.page.get_by_text("No number yet")).to_have_count(0)
    ana.visitor.shoot("ar-table-first-number")
    dealer.collect()
    dealer.pay()
    ana.wait_for("betting", "resting")
    expect(panel).to_contain_text("Out of 1 round")


def test_the_colours_are_all_taken(house: Running, visit: Visit, deal: Deal) -> None:
    dealer = deal(house, "full", "ar", colours=1)
    dealer.seat("first")
    ana = Player(visit(house), "full")
    ana.be_there("ana 8")
    ana.page.get_by_role("button", name="Take a seat").last.click()
    sheet = ana.page.get_by_role("dialog")
    expect(sheet.get_by_text("Every colour of this table is in play.")).to_be_visible()
    ana.visitor.shoot("ar-table-no-colour")
    ana.visitor.check_access(where="no colour left")


def test_a_suspended_table_says_so_and_takes_nothing(
    house: Running, visit: Visit, deal: Deal
) -> None:
    dealer = deal(house, "fly", "it")
    ana = seated(visit, house, dealer, "ana 9")
    dealer.must("Suspend", reason="a fly in the wheel")
    ana.wait_for("suspended")
    ana.visitor.shoot("it-table-suspended")
    dealer.must("Resume")
    ana.wait_for("betting", "resting")
    ana.lay("17")
    assert ana.staked("17") == 100


def test_the_last_games_are_counted_down(own_house: Open, visit: Visit, deal: Deal) -> None:
    house = own_house()
    dealer = deal(house, "last", "bg")
    ana = seated(visit, house, dealer, "ana 10")
    announcer = next(
        person
        for person, post in dealer.view()["staff"].items()
        if "announce_last_games" in dealer.book.posts[post].may
    )
    dealer.must("AnnounceLastGames", by=announcer)
    expect(ana.page.get_by_text("3 rounds left")).to_be_visible()
    ana.visitor.shoot("bg-table-last-games")
    for left in ("2 rounds left", "last round"):
        dealer.spin(5)
        expect(ana.page.get_by_text(left)).to_be_visible()
    dealer.spin(5)
    ana.wait_for("ended")
    ana.visitor.check_access(where="a closed table")
    ana.visitor.shoot("bg-table-ended")
