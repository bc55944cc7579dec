"""Who may do what: every command and every role, by one table; and nobody for another."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from novamas.game.rulebook.behaviours import Act
from novamas.house.people.events import Post as Role
from novamas.house.table.commands import COMMANDS
from novamas.house.table.events import BallMode
from novamas.table import commands
from novamas.table.identity import MANAGEMENT
from novamas.web import permissions
from tests.web.door import Door, open_door, run
from tests.web.sample_commands import sample

P, C, H, K = "player", "croupier", "chief", "cashier"
FOR: dict[str, str] = {
    # A seat is the player's own; chips and custody he asks for, and the staff gives them.
    **dict.fromkeys(("Sit", "StepAway", "ComeBack", "Leave"), P),
    "BuyChips": f"{P} {C}",
    "ClaimCustody": f"{P} {C} {K}",
    **dict.fromkeys(("CommitNonce", "OpenNonce", "GiveTip"), P),
    # The croupier seats those who have no screen.
    **dict.fromkeys(("SeatPlayer", "SeePlayerOff"), C),
    # He lays stakes for players and says what they choose, where the book lets him.
    **dict.fromkeys(("PlaceStake", "Announce", "MoveStake", "WithdrawStake"), f"{P} {C}"),
    **dict.fromkeys(("ChooseAfterZero", "ReplayAnnouncement"), f"{P} {C}"),
    # The coup is the croupier's.
    **dict.fromkeys(("CallLastBets", "LaunchBall", "CloseBetting", "PocketBall", "DrawBall"), C),
    **dict.fromkeys(("CallNumber", "CorrectNumber", "CollectLosers", "PayNext", "PayWinners"), C),
    # What one post does in one house and another in the next.
    **dict.fromkeys(
        ("TakePost", "LeavePost", "VoidBall", "NoticeExcess", "SignNumber"), f"{C} {H}"
    ),
    **dict.fromkeys(("CorrectStake", "AnnounceLastGames", "CloseTable"), f"{C} {H}"),
    "OrderCorrection": H,
    **dict.fromkeys(("RecordWrongPayment", "CorrectWrongPayment"), f"{C} {H}"),
    # What moves chips on the staff's word alone is proposed by one and confirmed by another.
    "ProposeSale": C,
    **dict.fromkeys(("ConfirmProposal", "DropProposal"), f"{C} {H}"),
    # A player disputes his own stakes, or has it written down for him; the chief decides.
    "RaiseDispute": f"{P} {C} {H}",
    "WithdrawDispute": P,
    "DecideDispute": H,
    # The table as a whole is the chief's, its bank the cashier's.
    **dict.fromkeys(("OpenTable", "GrantException", "ChangeLimits", "Suspend", "Resume"), H),
    "ReopenTable": H,
    **dict.fromkeys(("InspectTable", "InspectBall", "DeclareOrphan"), f"{C} {H}"),
    **dict.fromkeys(("OpenBank", "FillBank", "CreditBank", "CountBank", "EmptyBox"), K),
    "CountFloat": C,
    "SignFloat": H,
}
"""Command → the roles that may ask for it. The management may ask for all, onlookers for none."""


def test_every_command_has_a_row() -> None:
    assert FOR.keys() == COMMANDS.keys()


@pytest.mark.parametrize("command", sorted(FOR))
@pytest.mark.parametrize("role", [*Role, None])
@run
async def test_who_may_ask(command: str, role: Role | None) -> None:
    """What is for somebody comes to the table, which decides; what is not never gets there."""
    async with open_door() as door:
        await door.set_up("t", "it")
        await door.must("t", commands.Sit(by="ana"))
        session = door.session(role, "ana" if role is Role.PLAYER else None) if role else None
        async with door.socket("t", session) as socket:
            before = door.facts()
            answer = await socket.give(command, **sample(command, player="ana"))
            if role is None:
                assert answer["problem"] == "onlookers give no commands; take a name first"
            elif role is Role.MANAGEMENT or role.value in FOR[command].split():
                assert "ack" in answer or "refused" in answer, answer
            else:
                assert answer["problem"] == f"do: {command} is not for {role.spoken}"
            if "ack" not in answer:
                assert door.facts() == before


# Nobody acts for another --------------------------------------------------------------------------


async def two_players(door: Door, rulebook: str = "it") -> Any:
    """Ana with stakes on the cloth; luis, who would like to have them."""
    actor = await door.set_up("t", rulebook)
    for player in ("ana", "luis"):
        await door.must("t", commands.Sit(by=player))
        seller = actor.house_table.state.who_may(Act.SELL_CHIPS)
        assert seller is not None
        buys = commands.BuyChips(by=seller, player=player, amount=1000)
        await door.must("t", buys)
    for id, spot in (("b1", "17"), ("b2", "red")):
        stake = commands.PlaceStake(by="ana", id=id, player="ana", on=spot, amount=50)
        await door.must("t", stake)
    return actor


@pytest.mark.parametrize("rulebook", ["ar", "es", "it", "bg"])
@pytest.mark.parametrize(
    ("do", "fields"),
    [
        ("PlaceStake", {"id": "n", "player": "ana", "on": "18", "amount": 50}),
        ("MoveStake", {"id": "b1", "on": "18"}),
        ("WithdrawStake", {"id": "b1"}),
        ("WithdrawStake", {"id": "b1", "amount": 10}),
    ],
    ids=["place", "move", "withdraw", "withdraw a part"],
)
@run
async def test_no_player_touches_the_chips_of_another(
    rulebook: str, do: str, fields: dict[str, Any]
) -> None:
    async with open_door() as door:
        await two_players(door, rulebook)
        luis = door.session(Role.PLAYER, "luis")
        async with door.socket("t", luis) as socket:
            before = door.facts()
            answer = await socket.give(do, **fields)
            assert answer["why"] in ("not_of_this_post", "not_their_stake")
            assert door.facts() == before


@pytest.mark.parametrize("do", ["BuyChips", "ClaimCustody"])
@run
async def test_a_player_asks_for_his_own_chips_alone(do: str) -> None:
    async with open_door() as door:
        await two_players(door)
        luis = door.session(Role.PLAYER, "luis")
        async with door.socket("t", luis) as socket:
            before = door.facts()
            fields = {"player": "ana", **({"amount": 50} if do == "BuyChips" else {})}
            assert await socket.problem(do, **fields) == "player: you ask for yourself alone"
            assert door.facts() == before
        assert luis.money == 1_000_000


@pytest.mark.rule("AMB-IT-30", "IT-general-1")
@run
async def test_a_guest_buys_chips_at_multiples_of_the_tables_chip_alone() -> None:
    async with open_door() as door:
        await door.set_up("t", "it")
        luis = door.session(Role.PLAYER, "luis")
        async with door.socket("t", luis) as socket:
            await socket.must("Sit")
            before = door.facts()
            for chip in (2, 4, 6, 12, 15):
                answer = await socket.give("BuyChips", player="luis", amount=600, chip=chip)
                assert answer["why"] in ("chip_not_a_multiple", "not_whole_chips"), chip
                assert set(answer["articles"]) & {"AMB-IT-30", "X-03"}
            assert door.facts() == before
            assert luis.money == 1_000_000
            await socket.must("BuyChips", player="luis", amount=600, chip=30)
        player = door.house.tables["t"].house_table.state.players["luis"]
        assert (player.purse, player.chip) == (600, 30)


@run
async def test_a_player_is_himself_whatever_he_says() -> None:
    async with open_door() as door:
        await two_players(door)
        luis = door.session(Role.PLAYER, "luis")
        async with door.socket("t", luis) as socket:
            before = door.facts()
            for do in ("Leave", "StepAway"):
                assert "as: only the management" in await socket.problem(do, as_="ana")
                assert "by: the house knows" in await socket.problem(do, by="ana")
            assert door.facts() == before
            await socket.must("GiveTip", amount=10)
        state = door.house.tables["t"].house_table.state
        assert state.players["luis"].purse == 990
        assert state.players["ana"].purse == 900


@run
async def test_the_staff_is_itself_too() -> None:
    async with open_door() as door:
        await two_players(door)
        staff = door.session(Role.CROUPIER, "vera")
        async with door.socket("t", staff) as socket:
            before = door.facts()
            assert "as: only the management" in await socket.problem("LeavePost", as_="croupier 1")
            for do in ("LaunchBall", "CloseBetting", "PayWinners", "CollectLosers"):
                assert (await socket.give(do))["why"] == "not_of_this_post"
            stake = {"id": "n", "player": "ana", "on": "18", "amount": 50}
            assert (await socket.give("PlaceStake", **stake))["why"] == "not_of_this_post"
            assert door.facts() == before


@run
async def test_the_management_acts_for_whom_it_names() -> None:
    async with open_door() as door:
        await two_players(door)
        management = door.session(Role.MANAGEMENT)
        async with door.socket("t", management) as socket:
            await socket.must("WithdrawStake", id="b1", as_="ana")
            await socket.must("LaunchBall", as_="croupier 1")
            await socket.must("Suspend", reason="a lamp")
            suspended = (await socket.until(door.house.tables["t"].head.seq))[-1]
            assert suspended["data"]["by"] == str(MANAGEMENT)


# Posts and the ball -------------------------------------------------------------------------------


@run
async def test_a_player_takes_no_post() -> None:
    async with open_door() as door:
        await door.set_up("t", "es")
        ana = door.session(Role.PLAYER, "ana")
        async with door.socket("t", ana) as socket:
            problem = await socket.problem("TakePost", post="croupier")
            assert problem == "do: TakePost is not for a player"
            assert "ana" not in door.house.tables["t"].house_table.state.staff


@run
async def test_a_player_by_the_name_of_someone_at_a_post_does_nothing() -> None:
    """A table outlives the sessions, so someone may come by the name of a former croupier."""
    async with open_door() as door:
        actor = await door.set_up("t", "bg")
        await door.must("t", commands.Sit(by="ana"))
        ghost = door.session(Role.PLAYER, "croupier 1")
        async with door.socket("t", ghost) as socket:
            before = door.facts()
            for do, fields in (
                ("Sit", {}),
                ("Leave", {}),
                ("PlaceStake", {"id": "n", "player": "ana", "on": "18", "amount": 50}),
                ("BuyChips", {"player": "croupier 1", "amount": 50}),
            ):
                told = await socket.problem(do, **fields)
                assert told == "someone of your name is of the staff here; take another name"
            assert door.facts() == before
        assert ghost.money == 1_000_000
        assert actor.house_table.state.staff["croupier 1"] == "croupier"


@pytest.mark.parametrize("ball", list(BallMode))
@run
async def test_nobody_but_the_post_of_the_ball_lets_it_fall(ball: BallMode) -> None:
    async with open_door() as door:
        actor = await door.set_up("t", "it", ball=ball)
        await door.must("t", commands.Sit(by="ana"))
        for command in (
            commands.LaunchBall(by="croupier 1"),
            commands.CloseBetting(by="croupier 1"),
        ):
            await door.must("t", command)
        ana, vera = door.session(Role.PLAYER, "ana"), door.session(Role.CROUPIER, "vera")
        management = door.session(Role.MANAGEMENT)
        async with (
            door.socket("t", ana) as player,
            door.socket("t", vera) as staff,
            door.socket("t", management) as socket,
        ):
            before = door.facts()
            for do, fields in (("DrawBall", {}), ("PocketBall", {"number": 17})):
                assert f"do: {do} is not for a player" == await player.problem(do, **fields)
                assert (await staff.give(do, **fields))["why"] in (
                    "not_of_this_post",
                    "number_is_drawn",
                )
            assert door.facts() == before
            drawn = await socket.give("DrawBall")
            if ball is BallMode.DRAWN:
                assert "ack" in drawn
                assert actor.house_table.state.number is not None
            else:
                assert drawn["why"] == "no_ball_runs"
                await socket.must("PocketBall", number=17, as_="croupier 1")


# What only the staff can see ----------------------------------------------------------------------


SEEN: dict[str, Any] = {
    "laid_for": "b1",
    "value_unclear": True,
    "foreign": {"number": 3, "table": "4", "opening_minimum": 10, "value": 10},
    "unattended": True,
    "covered": False,
}
"""What only the staff can see of a stake, in a field of each kind."""


@pytest.mark.parametrize("field", SEEN)
@pytest.mark.parametrize("rulebook", ["ar", "es", "it", "bg"])
@run
async def test_a_player_does_not_say_of_his_stake_what_the_staff_sees(
    rulebook: str, field: str
) -> None:
    async with open_door() as door:
        await two_players(door, rulebook)
        luis = door.session(Role.PLAYER, "luis")
        async with door.socket("t", luis) as socket:
            before = door.facts()
            stake = {"id": "n", "player": "luis", "on": "18", "amount": 30}
            for value in (SEEN[field], None, False):
                answer = await socket.give("PlaceStake", **stake, **{field: value})
                if answer["why"] == "not_understood":
                    continue  # The field does not take such a value from anybody.
                assert answer["why"] == "not_for_you"
                assert answer["problem"] == f"{field}: that is for the staff to say"
            assert door.facts() == before
            await socket.must("PlaceStake", **stake)


def test_every_field_that_a_player_could_say_is_theirs_or_the_staffs() -> None:
    """A new field of a command is in one of the two lists, or nobody says it."""
    given = {name for name, who in permissions.MESSAGES.items() if Role.PLAYER in who}
    assert permissions.PLAYER_FIELDS.keys() == given
    assert permissions.STAFF_FIELDS.keys() <= given
    for name in given:
        own = permissions.PLAYER_FIELDS[name]
        staff = permissions.STAFF_FIELDS.get(name, frozenset())
        fields = {each.name for each in dataclasses.fields(COMMANDS[name])} - {"by"}
        assert own | staff == fields, name
        assert not own & staff, name


@run
async def test_the_croupier_says_all_of_it_for_a_player_who_sits_there() -> None:
    async with open_door() as door:
        actor = await two_players(door)
        croupier = door.session(Role.CROUPIER, "croupier 1")
        async with door.socket("t", croupier) as socket:
            for field in ("laid_for", "value_unclear", "foreign", "unattended"):
                stake = {"id": field, "player": "luis", "on": "18", "amount": 30}
                await socket.must("PlaceStake", **stake, **{field: SEEN[field]})
            bare = {"id": "n", "player": "luis", "on": "18", "amount": 30, "covered": False}
            assert (await socket.give("PlaceStake", **bare))["why"] == "chips_not_laid"
        stakes = actor.house_table.state.stakes
        assert stakes["laid_for"].principal == "ana"
        assert stakes["value_unclear"].unclear
        assert stakes["foreign"].kind == "foreign"
        assert stakes["unattended"].away


# Bounds -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("do", "fields", "named"),
    [
        ("BuyChips", {"player": "ana", "amount": 10**12 + 2}, "amount: at most"),
        ("BuyChips", {"player": "ana", "amount": 10**40}, "amount: at most"),
        ("BuyChips", {"player": "ana", "amount": 100, "chip": 10**30}, "chip: at most"),
        ("OpenBank", {"amount": 2**63}, "amount: at most"),
        ("CountBank", {"counted": -(2**70)}, "counted: at most"),
        ("PocketBall", {"number": 10**30}, "number: at most"),
        ("ChangeLimits", {"limits": {"straight": {"max": 10**30}}}, "limits: at most"),
        ("ChangeLimits", {"limits": [[[[10**30]]]]}, "limits: at most"),
        ("Suspend", {"reason": "x" * 1001}, "reason: at most 1000 characters"),
        ("TakePost", {"post": "x" * 5000}, "post: at most 1000 characters"),
        (
            "PlaceStake",
            {
                "id": "n",
                "player": "ana",
                "on": "18",
                "amount": 30,
                "foreign": {"number": 10**7, "table": "4", "opening_minimum": 10**7},
            },
            "foreign: at most",
        ),
    ],
    ids=range(11),
)
@run
async def test_no_command_is_beyond_all_bounds(do: str, fields: dict[str, Any], named: str) -> None:
    async with open_door() as door:
        await two_players(door)
        management = door.session(Role.MANAGEMENT)
        async with door.socket("t", management) as socket:
            before = door.facts()
            answer = await socket.give(do, as_="croupier 1", **fields)
            assert answer.get("why") == "out_of_bounds", answer
            assert answer["detail"].startswith(named)
            assert door.facts() == before
            assert door.house.tables["t"].failed is None
