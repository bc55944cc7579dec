"""The staff at the sockets: orders, last games at a table that deals itself, posts and zones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from novamas.game.rulebook.behaviours import Act
from novamas.house.log.codec import UnknownEventError, decode, encode
from novamas.house.people.events import Post as Role
from novamas.house.table.events import BallMode, TableSetUp, TableStopped
from novamas.house.table.state import HouseTable
from novamas.house.views.history import as_script
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.events import StakeMoved
from novamas.table.identity import MANAGEMENT
from novamas.table.script import run_script
from tests.web.door import Door, open_door, run

ZONE = [str(number) for number in range(25, 37)]


async def seated(door: Door, rulebook: str, ball: BallMode = BallMode.WHEEL) -> Any:
    """A staffed table at which ana has 20 on 5, under the id `a`."""
    actor = await door.set_up("t", rulebook, ball=ball)
    await door.must("t", commands.Sit(by="ana"))
    buys = commands.BuyChips(by="croupier 1", player="ana", amount=1000)
    await door.must("t", buys)
    stake = commands.PlaceStake(by="ana", id="a", player="ana", on="5", amount=20)
    await door.must("t", stake)
    return actor


async def coup(door: Door, number: int) -> None:
    """A coup of the table, dealt by its staff."""
    state = door.house.tables["t"].house_table.state
    who = {act: state.who_may(act) or "" for act in Act}
    for command in (
        commands.LaunchBall(by=who[Act.LAUNCH_BALL]),
        commands.CloseBetting(by=who[Act.CLOSE_BETTING]),
        commands.PocketBall(by=who[Act.POCKET_BALL], number=number),
        commands.CallNumber(by=who[Act.CALL_NUMBER]),
        commands.CollectLosers(by=who[Act.COLLECT]),
    ):
        await door.must("t", command)


# The chief's order --------------------------------------------------------------------------------


@pytest.mark.rule("AMB-ES-17")
@run
async def test_amb_es_17_an_order_and_who_carried_it_out_stand_in_the_log() -> None:
    async with open_door() as door:
        actor = await seated(door, "es")
        chief = door.session(Role.CHIEF, "chief 1")
        croupier = door.session(Role.CROUPIER, "croupier 2")
        ana = door.session(Role.PLAYER, "ana")
        async with (
            door.socket("t", chief) as orders,
            door.socket("t", croupier) as hands,
            door.socket("t", ana) as looks,
        ):
            own_hand = await orders.give("CorrectStake", id="a", on="8")
            assert (own_hand["why"], own_hand["articles"]) == (
                "not_of_this_post",
                ["ES-P.3", "AMB-ES-17"],
            )
            await orders.must("OrderCorrection", id="a", on="8", reason="misheard")
            shown = await door.http.get("/api/tables/t")
            assert shown.json()["orders"] == [
                {"id": "a", "on": "8", "by": "chief 1", "reason": "misheard"}
            ]
            await hands.must("CorrectStake", id="a", on="8")
            await looks.until(actor.head.seq)
        ordered, moved = looks.events[-2:]
        assert (ordered["type"], ordered["data"]["by"]) == ("CorrectionOrdered", "chief 1")
        assert (moved["data"]["by"], moved["data"]["ordered_by"]) == ("croupier 2", "chief 1")
        told = (await door.http.get("/api/tables/t/decisions")).json()["decisions"]
        assert [(each["kind"], each["by"], each["hand"]) for each in told] == [
            ("stake_corrected", "chief 1", "croupier 2"),
            ("correction_ordered", "chief 1", None),
        ]
        script = await door.house.reading(lambda log: as_script(log, "t"))
        assert run_script(json.loads(json.dumps(script)), load)["refused"] == []


@pytest.mark.rule("AMB-ES-17")
@run
async def test_amb_es_17_a_wrong_payment_is_put_right_by_a_hand_that_touches_chips() -> None:
    async with open_door() as door:
        await seated(door, "es")
        chief = door.session(Role.CHIEF, "chief 1")
        croupier = door.session(Role.CROUPIER, "croupier 1")
        async with door.socket("t", chief) as orders, door.socket("t", croupier) as hands:
            await coup(door, 6)
            wrong = {"id": "w", "player": "ana", "amount": 50, "reason": "a stack too many"}
            await orders.must("RecordWrongPayment", **wrong)
            await hands.must("ConfirmProposal", id="w", reason="they had a stack more")
            assert (await orders.give("CorrectWrongPayment", id="w"))["why"] == "not_for_you"
            await hands.must("CorrectWrongPayment", id="w")


# Posts --------------------------------------------------------------------------------------------


@pytest.mark.rule("AMB-IT-31", "ES-P.2", "BG-5")
@pytest.mark.parametrize(
    ("rulebook", "post"), [("es", "chief"), ("it", "chief"), ("bg", "inspector")]
)
@run
async def test_a_post_that_watches_is_for_a_chief_of_the_house_alone(
    rulebook: str, post: str
) -> None:
    async with open_door() as door:
        actor = await door.set_up("t", rulebook)
        holder = actor.house_table.state.posts_of(post)[0]
        relief = commands.TakePost(by=f"auto {post} 1", post=post, relieves=holder)
        await door.must("t", relief)
        wish = {"post": post, "relieves": f"auto {post} 1"}
        async with door.socket("t", door.session(Role.CROUPIER, "carla")) as croupier:
            assert "is not for a croupier" in await croupier.problem("TakePost", **wish)
        async with door.socket("t", door.session(Role.CHIEF, "vera")) as chief:
            await chief.must("TakePost", **wish)
        assert actor.house_table.state.posts_of(post) == ["vera"]


# Last games ---------------------------------------------------------------------------------------


async def automatic(door: Door) -> Any:
    """A table of Bulgaria whose posts the automatic croupier holds, with ana at it."""
    actor = await seated(door, "bg", BallMode.DRAWN)
    for post in ("croupier", "inspector"):
        held = actor.house_table.state.posts_of(post)[0]
        relief = commands.TakePost(by=f"auto {post} 1", post=post, relieves=held)
        await door.must("t", relief)
    return actor


@pytest.mark.rule("AMB-BG-17", "BG-30a")
@run
async def test_amb_bg_17_at_a_table_that_deals_itself_a_chief_has_them_announced() -> None:
    async with open_door() as door:
        actor = await automatic(door)
        async with door.socket("t", door.session(Role.CHIEF, "vera")) as chief:
            refused = await chief.give("CloseTable")
            assert refused["why"] == "last_games_not_played"
            assert refused["articles"] == ["BG-30a", "AMB-BG-17"]
            await chief.must("AnnounceLastGames")
            assert actor.house_table.state.games_left == 3
            assert (await chief.give("CloseTable"))["why"] == "last_games_not_played"


@pytest.mark.rule("BG-30a")
@run
async def test_bg_30a_a_croupier_at_the_post_announces_them_and_nobody_else() -> None:
    async with open_door() as door:
        actor = await seated(door, "bg")
        for role, name in ((Role.CHIEF, "vera"), (Role.CROUPIER, "carla")):
            async with door.socket("t", door.session(role, name)) as socket:
                answer = await socket.give("AnnounceLastGames")
                assert answer["why"] == "not_of_this_post"
        async with door.socket("t", door.session(Role.CROUPIER, "croupier 1")) as socket:
            await socket.must("AnnounceLastGames")
        assert actor.house_table.state.games_left == 3


@run
async def test_at_a_table_that_deals_itself_no_croupier_without_a_post_announces_them() -> None:
    async with open_door() as door:
        await automatic(door)
        async with door.socket("t", door.session(Role.CROUPIER, "carla")) as socket:
            assert (await socket.give("AnnounceLastGames"))["why"] == "not_of_this_post"


@pytest.mark.rule("AMB-BG-17")
@run
async def test_amb_bg_17_a_table_that_its_house_stopped_owes_no_games() -> None:
    """It can play none: it is closed, so that all have what is theirs."""
    async with open_door() as door:
        actor = await automatic(door)
        actor.house_table.stopped = "the ball cannot be trusted"
        await door.must("t", commands.CloseTable(by=MANAGEMENT))
        assert actor.house_table.state.players["ana"].purse == 1000


# The zone -----------------------------------------------------------------------------------------


def wanted(**more: Any) -> dict[str, Any]:
    """What is sent to set a table up."""
    return {"table": "z", "rulebook": "es", "ball": "wheel", "chip": 10, **more}


@pytest.mark.rule("AMB-ES-18")
@run
async def test_amb_es_18_the_zone_is_set_with_the_table_and_kept() -> None:
    async with open_door() as door:
        management = {"Authorization": f"Bearer {door.session(Role.MANAGEMENT).token}"}
        made = await door.http.post("/api/tables", json=wanted(zone=ZONE), headers=management)
        assert made.status_code == 201
        shown = (await door.http.get("/api/tables/z")).json()
        assert (shown["zone"], shown["orders"]) == (ZONE, [])
        (first, *_) = door.records("z")
        event = decode(first.type, first.version, first.payload, None)
        assert isinstance(event, TableSetUp)
        assert event.zone == tuple(ZONE)
        assert HouseTable.fresh(event).state.setup.zone.as_data() == tuple(ZONE)
        script = await door.house.reading(lambda log: as_script(log, "z"))
        assert script["settings"]["zone"] == ZONE


@pytest.mark.rule("AMB-ES-18")
@pytest.mark.parametrize(
    "more",
    [
        {"zone": ["37"]},
        {"zone": ["low+d3"]},
        {"zone": ["voisins"]},
        {"zone": "25"},
        {"zone": [25]},
        {"zone": ["25"] * 201},
        {"zone": ["25"], "rulebook": "bg"},
    ],
)
@run
async def test_amb_es_18_what_is_no_zone_sets_no_table_up(more: dict[str, Any]) -> None:
    async with open_door() as door:
        management = {"Authorization": f"Bearer {door.session(Role.MANAGEMENT).token}"}
        made = await door.http.post("/api/tables", json=wanted(**more), headers=management)
        assert made.status_code == 422
        assert "z" not in door.house.tables


@pytest.mark.rule("AMB-ES-18")
@run
async def test_amb_es_18_a_script_has_a_zone_too() -> None:
    script: dict[str, Any] = {
        "rulebook": "es",
        "settings": {"zone": ZONE},
        "purses": {"ana": 100},
        "script": [],
    }
    assert run_script(script, load)["purses"] == {"ana": 100}
    with pytest.raises(ValueError, match=r"settings\.zone: no post of this house has a zone"):
        run_script({**script, "rulebook": "it"}, load)


# Older logs ---------------------------------------------------------------------------------------


def test_logs_of_before_are_read_and_those_of_later_are_not() -> None:
    moved = StakeMoved(id="a", on="8", by="c", correction=True, articles=())
    written = encode(moved)
    assert written.version == 2
    old = {k: v for k, v in json.loads(written.payload).items() if k != "ordered_by"}
    assert decode("StakeMoved", 1, json.dumps(old).encode(), None) == moved
    for version in (0, 3):
        with pytest.raises(UnknownEventError):
            decode("StakeMoved", version, written.payload, None)
    assert encode(TableStopped(reason="x")).version == 1
