"""What the room asks of the house: a book to draw, a coup to follow, why, and the payments."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import jsonschema_rs
import pytest

from novamas.drawing.layout import layout
from novamas.game.chips import ForeignChips
from novamas.game.house_words import spoken
from novamas.game.limits import Limits, placard
from novamas.game.rulebook.behaviours import Act, Cause, ChipKind, LimitsKept, Winning
from novamas.game.wheel import RED
from novamas.house.people.events import Post as Role
from novamas.house.views import explanations, payment_view, table_view
from novamas.rulebooks import HOUSES, load
from novamas.table import commands
from novamas.table.commands import Choice
from novamas.web import schemas
from novamas.web.socket_schema import socket_schema
from novamas.wording.explain import phrase
from novamas.wording.phrases import PHRASES
from tests.web.answers import check_shape
from tests.web.coups import lay, seat, spin
from tests.web.door import Door, open_door, run


async def get(door: Door, path: str, headers: dict[str, str] | None = None, **asked: Any) -> Any:
    answer = await door.http.get(f"/api/tables/t{path}", headers=headers, params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


# A book to draw -----------------------------------------------------------------------------------


@pytest.mark.parametrize("id", HOUSES)
@run
async def test_a_book_says_all_that_its_cloth_is_drawn_from(id: str) -> None:
    async with open_door() as door:
        told = (await door.http.get(f"/api/rulebooks/{id}")).json()
        book = load(id)
        drawn = layout(book)
        cloth = told["cloth"]
        assert cloth["drawing"] == told["drawing"]
        assert cloth["points"].keys() == told["spots"].keys()
        assert all(cloth["points"].values())
        assert cloth["bounds"] == list(drawn.bounds)
        assert bool(cloth["prison"]) == (told["zero"] in {"choice", "partage"})
        boxes = {box["spot"]: box for box in cloth["boxes"]}
        assert boxes["17"]["word"] == "17"
        assert boxes["red"]["word"] == book.word("red")
        assert {str(number) for number in book.wheel.pockets} <= boxes.keys()
        assert cloth["spaces"].keys() <= told["announcements"].keys()
        assert told["wheel"] == list(book.wheel.pockets.order)
        assert set(told["red"]) == RED
        for spot, terms in book.terms.items():
            assert told["spots"][spot.name]["word"] == spoken(book, spot)
            assert terms.pays.numerator == told["spots"][spot.name]["pays"][0]
        assert told["chips"]["on_numbers"] == list(book.chips.on_numbers)
        assert told["chips"]["on_chances"] == list(book.chips.on_chances)
        assert told["kept"] == list(book.limits.kept)
        # In the order of the book's own list, whatever the machine.
        assert told["causes"] == [cause for cause in Cause if cause in book.wheel.causes]
        hung = {kind: {"min": 10, "max": 10 * times} for kind, times in told["multiples"].items()}
        assert Limits.of(hung) == placard(book, 10)
        most = 200 if id in {"fram", "fran", "esam"} else 300
        assert hung["straight"] == {"min": 10, "max": most}
        assert told["chips"]["new_worth"] == book.chips.new_worth


# A coup to follow ---------------------------------------------------------------------------------


@run
async def test_a_table_says_how_its_ball_runs_and_what_is_still_to_be_paid() -> None:
    async with open_door() as door:
        await door.set_up("t", "es")
        await seat(door, "ana", "luis")
        await lay(door, "ana", n17=50, red=50)
        await lay(door, "luis", n17_20=50)
        shown = await get(door, "")
        assert (shown["launched"], shown["directions"], shown["due"]) == (False, None, 0)
        seen = []
        for number in (17, 5):
            await door.must("t", commands.LaunchBall(by="croupier 1"))
            shown = await get(door, "")
            launched = [r for r in door.records("t") if r.type == "BallLaunched"][-1]
            assert shown["launched"] is True
            for part, way in shown["directions"].items():
                assert f'"{part}":"{way}"'.encode() in launched.payload
            seen.append(shown["directions"]["wheel"])
            await door.must("t", commands.CloseBetting(by="croupier 1"))
            await door.must("t", commands.PocketBall(by="croupier 1", number=number))
            await door.must("t", commands.CallNumber(by="croupier 1"))
            if number == 17:
                assert (await get(door, ""))["due"] == 2
                await door.must("t", commands.CollectLosers(by="croupier 1"))
                await door.must("t", commands.PayNext(by="croupier 1"))
                assert (await get(door, ""))["due"] == 1
                await door.must("t", commands.PayNext(by="croupier 1"))
            else:
                await door.must("t", commands.CollectLosers(by="croupier 1"))
            shown = await get(door, "")
            assert (shown["launched"], shown["directions"], shown["due"]) == (False, None, 0)
        assert seen == ["cw", "ccw"]
        assert shown["last_numbers"] == [17, 5]


@run
async def test_the_announcements_that_won_are_offered_to_be_played_again_until_the_close() -> None:
    async with open_door() as door:
        await door.set_up("t", "it")
        await seat(door, "ana")
        for id, call, amount in (("v", "voisins", 90), ("t", "tiers", 60)):
            said = commands.Announce(by="ana", id=id, player="ana", call=call, amount=amount)
            await door.must("t", said)
        shown = await get(door, "")
        check_shape(table_view.TableView, shown)
        assert shown["announcements"] == [
            {"id": "v", "player": "ana", "call": "voisins", "amount": 90},
            {"id": "t", "player": "ana", "call": "tiers", "amount": 60},
        ]
        assert shown["replays"] == []
        await spin(door, 22)
        shown = await get(door, "")
        (offered,) = shown["replays"]
        assert (offered["id"], offered["amount"]) == ("v", 90)
        assert offered["modes"] == ["rifare", "completare", "per_il_tutto"]
        await spin(door, 17)
        assert (await get(door, ""))["replays"] == []
        said = commands.Announce(by="ana", id="o", player="ana", call="orphelins", amount=50)
        await door.must("t", said)
        await spin(door, 17)
        (offered,) = (await get(door, ""))["replays"]
        assert (offered["id"], offered["call"]) == ("o", "orphelins")
        await door.must("t", commands.LaunchBall(by="croupier 1"))
        await door.must("t", commands.CloseBetting(by="croupier 1"))
        assert (await get(door, ""))["replays"] == []


# After zero ---------------------------------------------------------------------------------------


def asked(told: dict[str, Any]) -> dict[str, Any]:
    """The choices that a table offers, by spot."""
    return {each["on"]: each["offer"] for each in told["prison"] if each["offer"] is not None}


@run
async def test_a_choice_after_zero_says_what_each_way_is_worth_to_its_owner_alone() -> None:
    async with open_door() as door:
        limits = Limits.of({"simple": {"min": 30}})
        await door.set_up("t", "es", limits=limits)
        await seat(door, "ana", "luis")
        await lay(door, "ana", red=50, even=100)
        await lay(door, "luis", black=70)
        ana = door.bearer(Role.PLAYER, "ana")
        assert asked(await get(door, "", ana)) == {}
        await spin(door, 0)
        shown = await get(door, "", ana)
        check_shape(table_view.TableView, shown)
        articles = ["ES-7.2.a", "ES-7.2.b2"]
        assert asked(shown).keys() == {"red", "even"}
        for on, amount in (("red", 50), ("even", 100)):
            offer = asked(shown)[on]
            assert set(articles) & set(offer["articles"])
            assert (offer["half"], offer["frees"], offer["takes"]) == (amount // 2, 18, 18)
        # At a second zero 100 becomes 50, of which half is below the minimum and has to stay. So
        # it is worth what is freed of it at once, and what the house's published 36/73 say of the
        # rest, but for what less than a unit is worth.
        worth = Fraction(asked(shown)["even"]["worth"])
        assert abs(worth - (100 * Fraction(18, 37) + Fraction(50, 37) * Fraction(36, 73))) < 1
        for headers in (None, door.bearer(Role.CROUPIER)):
            assert asked(await get(door, "", headers)) == {}
        # A second zero: the choice is open anew, but no longer whether to take the half.
        await spin(door, 0)
        again = asked(await get(door, "", ana))["even"]
        assert (again["half"], again["articles"]) == (None, ["ES-G.2"])
        refused = await door.house.tables["t"].submit(
            "half", commands.ChooseAfterZero(by="ana", id="ana-even", choice=Choice.HALF)
        )
        assert refused.refusal is not None
        assert list(refused.refusal.articles) == again["articles"]
        await door.must("t", commands.LaunchBall(by="croupier 1"))
        await door.must("t", commands.CloseBetting(by="croupier 1"))
        assert asked(await get(door, "", ana)) == {}


@pytest.mark.parametrize("amount", [40, 100, 400, 10_000])
@run
async def test_what_prison_is_worth_is_what_the_published_odds_say(amount: int) -> None:
    async with open_door() as door:
        await door.set_up("t", "es")
        await seat(door, "ana")
        await lay(door, "ana", red=amount)
        await spin(door, 0)
        offer = asked(await get(door, "", door.bearer(Role.PLAYER, "ana")))["red"]
        assert Fraction(offer["worth"]) == amount * Fraction(73, 148)
        assert (await door.http.get("/api/rulebooks/es")).json()["zero_again"] == "halve"


# Limits -------------------------------------------------------------------------------------------


@run
async def test_what_a_straddle_takes_is_told_with_its_articles() -> None:
    async with open_door() as door:
        limits = Limits.of(
            {"simple": {"min": 10, "max": 300}, "dozen": {"min": 20, "max": 500}, "column": {}}
        )
        await door.set_up("t", "ar", limits=limits)
        shown = await get(door, "")
        apart = shown["limits_apart"]
        assert apart["d1+d2"] == apart["d2+d3"] == {"min": 40, "max": 1000}
        assert apart["low+d3"] == {"min": 40, "max": 600}
        assert "c1+c2" not in apart, "columns have no limits here"
        assert not any(name in apart for name in ("17", "red", "d1"))
        book = (await door.http.get("/api/rulebooks/ar")).json()
        assert {"AR-13", "AR-17.a"} <= set(book["spots"]["d1+d2"]["limit_articles"])
        assert "AR-17.b" in book["spots"]["low+d3"]["limit_articles"]
        assert "AR-17.a" not in book["spots"]["d1"]["limit_articles"]


async def short(door: Door, player: str) -> dict[str, tuple[str, int, int]]:
    """What of a player's would be handed back, by spot: what counts, the least, what is there."""
    told = await get(door, "/short", door.bearer(Role.PLAYER, player))
    check_shape(list[table_view.ShortStake], told)
    assert all(each["articles"] and each["amount"] for each in told)
    return {each["on"]: (each["counted"], each["least"], each["there"]) for each in told}


@run
async def test_what_is_too_little_to_play_is_told_before_it_is_handed_back() -> None:
    async with open_door() as door:
        await door.set_up("t", "it", limits=Limits.of({"simple": {"min": 100}}))
        await seat(door, "ana", "luis")
        await lay(door, "ana", n17=20, n17_20=10, red=90, d1=30)
        await lay(door, "luis", n17=50)
        assert await short(door, "ana") == {
            "17": ("chips_on_numbers", 5, 3),
            "17/20": ("chips_on_numbers", 5, 3),
            "red": ("value", 100, 90),
            "d1": ("chips_on_spot", 5, 3),
        }
        assert await short(door, "luis") == {}
        await lay(door, "ana", n8=20)
        assert (await short(door, "ana")).keys() == {"red", "d1"}
        told = await get(door, "/short", door.bearer(Role.PLAYER, "ana"))
        await door.must("t", commands.LaunchBall(by="croupier 1"))
        await door.must("t", commands.CloseBetting(by="croupier 1"))
        back = next(r for r in door.records("t") if r.type == "StakesReturned")
        returned = json.loads(back.payload)["returned"]
        assert returned == [[each["id"], each["amount"], each["articles"]] for each in told]
        assert await short(door, "ana") == {}


@pytest.mark.rule("AMB-IT-25", "AMB-IT-26", "AMB-IT-30")
@run
async def test_what_is_told_before_the_close_is_what_goes_back_at_it() -> None:
    async with open_door() as door:
        await door.set_up("t", "it")
        await seat(door, "ana")
        await lay(door, "ana", n22=50)
        await spin(door, 22)
        (left,) = door.house.tables["t"].house_table.state.stakes
        await door.must("t", commands.WithdrawStake(by="ana", id=left, amount=40))
        stake = commands.PlaceStake(by="croupier 1", id="f", player="ana", on="30", amount=40)
        foreign = ForeignChips(4, "6", opening_minimum=30)
        await door.must("t", replace(stake, foreign=foreign))
        await door.must("t", replace(stake, id="v", on="red", chips=ChipKind.VALUE))
        await lay(door, "ana", n7=20)
        # The winner that was left and the chips of another table play, however few they are.
        assert await short(door, "ana") == {
            "7": ("chips_on_numbers", 5, 3),
            "red": ("value", 50, 40),
        }
        told = await get(door, "/short", door.bearer(Role.PLAYER, "ana"))
        await door.must("t", commands.LaunchBall(by="croupier 1"))
        await door.must("t", commands.CloseBetting(by="croupier 1"))
        back = [r for r in door.records("t") if r.type == "StakesReturned"][-1]
        returned = json.loads(back.payload)["returned"]
        assert returned == [[each["id"], each["amount"], each["articles"]] for each in told]


@pytest.mark.rule("FRAM-55-3.l", "FRAM-55-3.m")
@run
async def test_what_linked_combinations_do_not_carry_is_told_before_it_goes_back() -> None:
    async with open_door() as door:
        number = {"min": 20, "max": 400}
        limits = Limits.of({"straight": number, "split": number, "simple": {"min": 40}})
        await door.set_up("t", "fram", limits=limits)
        await seat(door, "ana", "luis")
        await lay(door, "ana", n17=100, n17_20=60, n20_23=80, n1=200, red=20)
        await lay(door, "luis", n17_20=180)
        assert await short(door, "ana") == {
            "red": ("value", 40, 20),
            "17": ("linked", 60, 100),
            "20/23": ("linked", 60, 80),
        }
        assert await short(door, "luis") == {}, "the stakes of two players are not linked"
        told = await get(door, "/short", door.bearer(Role.PLAYER, "ana"))
        assert sum(each["amount"] for each in told) == 20 + 40 + 20
        await door.must("t", commands.LaunchBall(by="croupier 1"))
        await door.must("t", commands.CloseBetting(by="croupier 1"))
        back = [r for r in door.records("t") if r.type == "StakesReturned"]
        returned = [each for record in back for each in json.loads(record.payload)["returned"]]
        assert returned == [[each["id"], each["amount"], each["articles"]] for each in told]
        assert await short(door, "ana") == {}


@pytest.mark.rule("SD-G.4")
@run
async def test_what_plays_although_it_is_short_is_not_told_to_go_back() -> None:
    async with open_door() as door:
        limits = Limits.of({"straight": {"min": 50, "max": 500}})
        await door.set_up("t", "sd", limits=limits, limits_kept=LimitsKept.POLICED)
        await seat(door, "ana", seller="dealer 1")
        await lay(door, "ana", n17=10)
        assert await short(door, "ana") == {}
        await door.must("t", commands.LaunchBall(by="dealer 1"))
        await door.must("t", commands.CloseBetting(by="dealer 1"))
        assert not [r for r in door.records("t") if r.type == "StakesReturned"]


@pytest.mark.rule("AMB-IT-27")
@run
async def test_limits_that_are_coming_are_shown_beside_those_that_bind() -> None:
    async with open_door() as door:
        await door.set_up("t", "it", limits=Limits.of({"straight": {"max": 800}}))
        await seat(door, "ana")
        await lay(door, "ana", n9=50)
        lower = commands.ChangeLimits(by="chief 1", limits={"straight": {"max": 250}})
        await door.must("t", lower)
        shown = await get(door, "", door.bearer(Role.PLAYER, "ana"))
        check_shape(table_view.TableView, shown)
        assert shown["limits"] == {"straight": {"max": 800}}
        assert shown["limits_coming"] == {"straight": {"max": 250}}
        await spin(door, 5)
        shown = await get(door, "", door.bearer(Role.PLAYER, "ana"))
        assert (shown["limits"], shown["limits_coming"]) == ({"straight": {"max": 250}}, None)


# The clock ----------------------------------------------------------------------------------------


@run
async def test_the_clock_comes_right_after_the_table() -> None:
    schema = socket_schema()
    async with open_door() as door:
        actor = await door.set_up("t", "es")
        actor.expect(actor.clock.now() + 5000)
        async with door.socket("t", after=0) as socket:
            events = await socket.until(actor.head.seq)
            (first,) = socket.clocks
            jsonschema_rs.validate(schema["clock"], {"clock": first})
            assert first["step"] == "betting"
            assert 0 < first["ends"] - first["now"] <= 5000
            assert [event["seq"] for event in events] == list(range(1, actor.head.seq + 1))
            actor.expect(None)
            await door.must("t", commands.Sit(by="ana"))
            await socket.until(actor.head.seq)
            assert [clock["ends"] for clock in socket.clocks] == [first["ends"], None]


# Why ----------------------------------------------------------------------------------------------


@run
async def test_why_tells_a_player_his_own_lines_and_the_staff_all() -> None:
    async with open_door() as door:
        await door.set_up("t", "es")
        await seat(door, "ana", "luis")
        await lay(door, "ana", n17=50, red=50)
        await lay(door, "luis", n17_20=50)
        await spin(door, 17, until="call")
        staff = await get(door, "/why", door.bearer(Role.CROUPIER))
        check_shape(explanations.CoupExplanation, staff)
        assert (staff["coup"], staff["number"]) == (1, 17)
        assert staff["call"] == (await get(door, ""))["call"]
        assert {line["id"] for line in staff["lines"]} == {"ana-17", "ana-red", "luis-17/20"}
        ana = await get(door, "/why", door.bearer(Role.PLAYER, "ana"))
        assert ana["lines"] == [line for line in staff["lines"] if line["player"] == "ana"]
        luis = await get(door, "/why", door.bearer(Role.PLAYER, "luis"))
        assert [line["player"] for line in luis["lines"]] == ["luis"]
        for headers in (None, door.bearer(Role.PLAYER, "eva")):
            assert (await get(door, "/why", headers))["lines"] == []
        (red,) = (line for line in ana["lines"] if line["id"] == "ana-red")
        assert (red["won"], red["lost"], red["amount"]) == (0, 50, 50)
        assert red["sentences"] == ["50 on rojo; 17 came up.", "It does not cover 17: 50 is lost."]
        assert all(article["summary"] for line in staff["lines"] for article in line["articles"])


@pytest.mark.parametrize("language", [*PHRASES, "xx"])
@run
async def test_why_in_a_language(language: str) -> None:
    async with open_door() as door:
        await door.set_up("t", "it")
        await seat(door, "ana")
        await lay(door, "ana", n17=50, red=50)
        await spin(door, 17)
        told = await get(door, "/why", door.bearer(Role.CROUPIER), language=language)
        spoken_in = language if language in PHRASES else "en"
        lost = next(line for line in told["lines"] if line["lost"])
        assert lost["sentences"][1] == phrase(spoken_in, "lost", {"number": 17, "lost": 50})
        articles = load("it").articles
        for cited in lost["articles"]:
            summary = articles[cited["id"]].summary
            assert cited["summary"] == summary.get(spoken_in, summary["en"])


@run
async def test_why_after_zero_tells_what_was_chosen() -> None:
    async with open_door() as door:
        await door.set_up("t", "es")
        await seat(door, "ana")
        await lay(door, "ana", red=50, black=60, even=70)
        await spin(door, 0)
        staff = door.bearer(Role.CROUPIER)
        for spot, choice in (("red", Choice.HALF), ("black", Choice.PRISON)):
            chosen = commands.ChooseAfterZero(by="ana", id=f"ana-{spot}", choice=choice)
            await door.must("t", chosen)
        lines = {line["on"]: line for line in (await get(door, "/why", staff))["lines"]}
        moved = {on: (line["returned"], line["lost"], line["held"]) for on, line in lines.items()}
        assert moved == {"red": (25, 25, 0), "black": (0, 0, 60), "even": (0, 0, 70)}
        assert lines["red"]["sentences"][-3:] == [
            "The player took half.",
            "Returned: 25.",
            "To the bank: 25.",
        ]
        assert lines["black"]["sentences"][-1] == "The player leaves it in prison, worth 60."
        assert lines["even"]["sentences"][-1].startswith("Zero puts it in prison, worth 70")
        # What lay in prison is told of as such; the coup before stays what it was.
        await spin(door, 2)
        lines = {line["on"]: line for line in (await get(door, "/why", staff))["lines"]}
        freed = "It wins and is free again. Returned: {}, without winnings."
        assert lines["black"]["sentences"][-1] == freed.format(60)
        assert lines["even"]["sentences"][-1] == freed.format(70)
        first = await get(door, "/why", staff, coup=1)
        assert {line["on"] for line in first["lines"]} == {"red", "black", "even"}


@run
async def test_why_a_stake_went_back_before_it_played() -> None:
    async with open_door() as door:
        await door.set_up("t", "it")
        await seat(door, "ana")
        answer = await door.http.get("/api/tables/t/why")
        assert (answer.status_code, answer.json()["detail"]) == (
            404,
            "no number was called in that coup",
        )
        raised = commands.ChangeLimits(by="chief 1", limits={"simple": {"min": 100, "max": 1000}})
        await door.must("t", raised)
        await lay(door, "ana", red=50)
        await spin(door, 17)
        (line,) = (await get(door, "/why", door.bearer(Role.PLAYER, "ana")))["lines"]
        assert (line["amount"], line["returned"], line["lost"]) == (50, 50, 0)
        assert line["sentences"][0].endswith("returned without having played: 50.")
        assert line["articles"]


@pytest.mark.parametrize(
    "asked", [{"coup": 0}, {"coup": "x"}, {"coup": 2**53 + 1}, {"language": "x" * 9}]
)
@run
async def test_why_that_nobody_can_ask(asked: dict[str, Any]) -> None:
    async with open_door() as door:
        await door.set_up("t", "bg")
        answer = await door.http.get("/api/tables/t/why", params=asked)
        assert answer.status_code == 422
        check_shape(schemas.Problem, answer.json())


@run
@pytest.mark.rule("AMB-AR-33", "AMB-AR-32")
async def test_why_tells_a_player_what_was_counted_out_after_a_reduction() -> None:
    async with open_door() as door:
        await door.set_up("t", "ar", winning=Winning.CLOTH)
        await seat(door, "ana", "luis", seller="pagador 1")
        await lay(door, "ana", n17_20=20, n16_17=10)
        await lay(door, "luis", n17_20=20)
        tallador, pagador = "tallador 1", "pagador 1"
        await spin(door, 17, until="call", by=tallador)
        await door.must("t", commands.CollectLosers(by=pagador))
        await door.must("t", commands.PayWinners(by=pagador))
        ana = await get(door, "/why", door.bearer(Role.PLAYER, "ana"))
        check_shape(explanations.CoupExplanation, ana)
        (reduced,) = ana["reduced"]
        assert (reduced["won"], reduced["paid"]) == (510, 520)
        assert (reduced["stays"], reduced["freed"]) == (20, 10)
        assert reduced["articles"][-1] == "AMB-AR-33"
        lines = {line["id"]: (line["stays"], line["reduced"]) for line in ana["lines"]}
        assert lines == {"ana-17/20": (0, 10), "ana-16/17": (10, 0)}
        assert (await get(door, "/why", door.bearer(Role.PLAYER, "luis")))["reduced"] == []
        assert len((await get(door, "/why", door.bearer(Role.CROUPIER)))["reduced"]) == 1
        shown = [(each["id"], each["on"]) for each in (await get(door, ""))["stakes"]]
        assert shown == [("ana-16/17", "16/17"), ("luis-17/20", "17/20"), ("reduced-1", "17")]


# The payments -------------------------------------------------------------------------------------


@run
async def test_the_payments_are_shown_to_the_staff_in_the_order_in_which_they_are_made() -> None:
    async with open_door() as door:
        await door.set_up("t", "ar")
        await seat(door, "ana", "luis", seller="pagador 1")
        await lay(door, "ana", n17=20, n17_20=40, n16_17=20, red=50)
        await lay(door, "luis", black=50)
        staff = door.bearer(Role.CROUPIER)
        path, player = "/api/tables/t/payments", door.bearer(Role.PLAYER, "ana")
        assert (await door.http.get(path)).status_code == 401
        assert (await door.http.get(path, headers=player)).status_code == 403
        nothing = await get(door, "/payments", staff)
        check_shape(payment_view.PaymentsView, nothing)
        assert nothing == {
            "coup": 1,
            "number": None,
            "made": 0,
            "payments": [],
            "reductions": [],
        }
        state = door.house.tables["t"].house_table.state
        by = {act: state.who_may(act) for act in Act}
        give = door.must
        await give("t", commands.LaunchBall(by=by[Act.LAUNCH_BALL] or ""))
        await give("t", commands.CloseBetting(by=by[Act.CLOSE_BETTING] or ""))
        await give("t", commands.PocketBall(by=by[Act.POCKET_BALL] or "", number=17))
        await give("t", commands.CallNumber(by=by[Act.CALL_NUMBER] or ""))
        called = await get(door, "/payments", staff)
        check_shape(payment_view.PaymentsView, called)
        assert (called["number"], called["made"]) == (17, 0)
        assert sum(each["won"] for each in called["payments"]) == 50 + 700 + 680 + 340
        (reduced,) = called["reductions"]
        (step,) = reduced["steps"]
        assert (step["class"], step["chips"], step["straights"]) == ("split", 6, 3)
        assert (reduced["straights"], reduced["freed"], reduced["stays"]) == (5, 3, 5)
        assert (reduced["paid"], reduced["chip"]) == (175, 10)
        paid = [(each["won"], each["paid"], each["stays"]) for each in called["payments"]]
        assert paid == [(50, 50, 50), (1720, 1750, 50)]
        await give("t", commands.CollectLosers(by=by[Act.COLLECT] or ""))
        for made in range(1, len(called["payments"])):
            await give("t", commands.PayNext(by=by[Act.PAY] or ""))
            assert await get(door, "/payments", staff) == {**called, "made": made}
        lines = [line for each in called["payments"] for line in each["lines"]]
        assert {line["id"]: line["pays"] for line in lines} == {
            "ana-17": [35, 1],
            "ana-17/20": [17, 1],
            "ana-16/17": [17, 1],
            "luis-black": [1, 1],
        }


@run
async def test_the_lobby_says_what_somebody_has_at_a_table_to_that_person_alone() -> None:
    async with open_door() as door:
        await door.set_up("t", "es")
        await seat(door, "ana")
        for headers, yours in (
            (door.bearer(Role.PLAYER, "ana"), 10_000),
            (door.bearer(Role.PLAYER, "luis"), None),
            (door.bearer(Role.CROUPIER), None),
            ({}, None),
        ):
            (shown,) = (await door.http.get("/api/tables", headers=headers)).json()
            assert shown["yours"] == yours
