"""Argentina: the chips and their owners, and what the tallador and the pagador do."""

from dataclasses import replace

import pytest

from novamas.game.chips import ForeignChips
from novamas.game.rulebook.behaviours import Act, ChipKind
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.events import ChipsBought, ColourConverted
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase, Setup, State
from tests.rules.helpers import Table, case, coup, opened, place, refused


def buy(player: str, amount: int = 100, **more: str | int | bool) -> commands.BuyChips:
    """A player buys chips of the pagador."""
    return commands.BuyChips(by="pagador-1", player=player, amount=amount, **more)  # type: ignore[arg-type]


# Chips --------------------------------------------------------------------------------------------


@pytest.mark.rule("AR-2.a")
def test_ar_2_who_has_bought_nothing_at_this_table_does_not_bet() -> None:
    table = opened("ar", {"ana": 0})
    refusal = refused(table, place("ana", "17:1"))
    assert refusal.why is RefusalReason.EXCEEDS_PURSE
    assert refusal.articles == ("AR-2.a",)
    table.act(buy("ana", 1))
    assert table.last(ChipsBought).articles == ("AR-2.a",)
    table.stake("ana", "17:1")
    assert refused(table, place("ana", "17:1")).why is RefusalReason.EXCEEDS_PURSE


@pytest.mark.rule("AR-2.a")
def test_ar_2_chips_of_another_table_are_not_taken() -> None:
    table = opened("ar", {"ana": 100})
    chips = ForeignChips(number=3, table="4", opening_minimum=2, value=5)
    refusal = refused(table, place("ana", "17:15", foreign=chips, by="pagador-1"))
    assert refusal.why is RefusalReason.CHIPS_NOT_BOUGHT_HERE
    assert refusal.articles == ("AR-2.a",)


@pytest.mark.rule("AR-2.b")
def test_ar_2_a_colour_in_play_is_not_sold_to_another() -> None:
    table = opened("ar", {"ana": 0, "luis": 0, "eva": 0})
    table.act(buy("ana", colour="blue"))
    table.act(buy("luis", colour="orange"))
    refusal = refused(table, buy("eva", colour="blue"))
    assert refusal.why is RefusalReason.COLOUR_IN_PLAY
    assert refusal.articles == ("AR-2.b",)
    table.act(buy("eva", colour="green"))
    assert [p.colour for p in table.state.players.values()] == ["blue", "orange", "green"]


@pytest.mark.rule("AR-2.b")
def test_ar_2_whoever_names_no_colour_is_given_one_that_nobody_plays() -> None:
    table = opened("ar", {"ana": 10, "luis": 10, "eva": 10})
    assert len({player.colour for player in table.state.players.values()}) == 3


@pytest.mark.rule("AR-2.b")
def test_ar_2_a_player_buys_more_of_the_colour_he_has() -> None:
    table = opened("ar", {"ana": 10})
    colour = table.state.players["ana"].colour
    table.act(buy("ana", 5))
    table.act(buy("ana", 5, colour=str(colour)))
    assert (table.state.players["ana"].colour, table.purse("ana")) == (colour, 20)


@pytest.mark.rule("AR-2.b", "AR-2.c")
def test_ar_2_a_player_keeps_his_colour_while_a_chip_of_it_is_in_play() -> None:
    table = opened("ar", {"ana": 10, "luis": 0})
    table.stake("ana", "17:10")
    refusal = refused(table, buy("ana", colour="green"))
    assert refusal.why is RefusalReason.ONE_COLOUR_PER_PLAYER
    assert refusal.articles == ("AR-2.b",)
    coup(table, 20)
    table.act(buy("ana", colour="green"))
    table.act(buy("luis", colour="blue"))


@pytest.mark.rule("AMB-AR-30", "AR-2.b")
def test_ar_2_when_every_colour_is_in_play_the_table_is_full() -> None:
    table = opened("ar", {"ana": 10, "luis": 10, "eva": 0}, colours=2)
    refusal = refused(table, buy("eva"))
    assert refusal.why is RefusalReason.NO_COLOUR_LEFT
    assert refusal.articles == ("AR-2.b",)
    table.act(commands.Leave(by="luis"))
    table.act(buy("eva"))


@pytest.mark.rule("NV-04", "AR-2.b")
def test_nv_04_who_leaves_has_his_colour_changed_and_it_is_free_again() -> None:
    table = opened("ar", {"ana": 10, "luis": 0}, chips={"ana": 5})
    colour = table.state.players["ana"].colour
    table.act(commands.Leave(by="ana"))
    changed = table.last(ColourConverted)
    assert (changed.colour, changed.chips, changed.amount) == (colour, 2, 10)
    assert changed.articles == ("NV-04",)
    table.act(buy("luis", colour=str(colour)))


@pytest.mark.rule("AR-2.c")
def test_ar_2_by_the_colour_the_pagador_knows_whose_each_winning_bet_is() -> None:
    table = opened("ar", {"ana": 10, "luis": 10, "eva": 10})
    for player in ("ana", "luis", "eva"):
        table.stake(player, "17:1 17/20:2 black:3")
    table.pocket(17)
    table.call()
    owners = {player.colour: name for name, player in table.state.players.items()}
    assert len(owners) == 3
    for payment in table.state.due:
        assert {line.stake.player for line in payment.lines} == {payment.player}
        assert owners[table.state.players[payment.player].colour] == payment.player
    on_numbers = [p for p in table.state.due if p.lines[0].stake.spot.kind.on_numbers]
    assert sorted(p.player for p in on_numbers) == ["ana", "eva", "luis"]
    assert all(payment.won == 35 + 34 for payment in on_numbers)


@pytest.mark.parametrize(
    ("bet", "chips", "article"),
    [
        case("AR-3.b", "red:5", ChipKind.COLOUR, "AR-3.b"),
        case("AR-3.b", "d1:5", ChipKind.COLOUR, "AR-3.b"),
        case("AR-3.b", "c1+c2:10", ChipKind.COLOUR, "AR-3.b"),
        case("AR-3.b", "red:5", ChipKind.VALUE, "AR-3.b"),
        case("AR-3.a", "17:5", ChipKind.CHANCE, "AR-3.a"),
        case("AR-3.a", "13/18:5", ChipKind.CHANCE, "AR-3.a"),
        case("AR-3.a", "17:5", ChipKind.VALUE, "AR-3.a"),
    ],
)
def test_ar_3_the_wrong_chips_are_not_a_valid_bet(bet: str, chips: ChipKind, article: str) -> None:
    table = opened("ar", {"ana": 100})
    refusal = refused(table, place("ana", bet, chips=chips))
    assert refusal.why is RefusalReason.CHIPS_NOT_TAKEN_HERE
    assert refusal.articles == (article,)


@pytest.mark.parametrize(
    ("bet", "kind"),
    [
        case("AR-3.a", "17:5", ChipKind.COLOUR),
        case("AR-3.a", "0/1/2/3:5", ChipKind.COLOUR),
        case("AR-3.b", "red:5", ChipKind.CHANCE),
        case("AR-3.b", "c2:5", ChipKind.CHANCE),
        case("AR-3.b", "low+d3:10", ChipKind.CHANCE),
    ],
)
def test_ar_3_colour_chips_on_the_numbers_and_chance_chips_on_the_chances(
    bet: str, kind: ChipKind
) -> None:
    table = opened("ar", {"ana": 100})
    (said,) = table.stake("ana", bet, chips=kind)
    (unsaid,) = table.stake("ana", bet)
    assert table.state.stakes[said].kind is kind
    assert table.state.stakes[unsaid].kind is kind


@pytest.mark.rule("AR-3.a", "AR-3.b")
def test_ar_3_a_bet_does_not_move_from_the_numbers_to_a_chance() -> None:
    table = opened("ar", {"ana": 100})
    number, chance = table.stake("ana", "17:5 red:5")
    to_chance = refused(table, commands.MoveStake(by="ana", id=number, on="red"))
    to_number = refused(table, commands.MoveStake(by="ana", id=chance, on="17"))
    assert (to_chance.articles, to_number.articles) == (("AR-3.b",), ("AR-3.a",))


@pytest.mark.rule("AR-3.a")
def test_ar_3_no_value_chips_are_sold_here() -> None:
    table = opened("ar", {"ana": 0})
    refusal = refused(table, buy("ana", value_chips=True))
    assert refusal.why is RefusalReason.CHIPS_NOT_TAKEN_HERE
    assert refusal.articles == ("AR-3.a",)


@pytest.mark.rule("X-03")
def test_x_03_a_live_table_plays_even_chips_and_whole_ones() -> None:
    table = opened("ar", {"ana": 100}, live=True, chip=2)
    for bet in ("17:3", "red:5", "d1+d2:7"):
        assert refused(table, place("ana", bet)).articles == ("X-03",)
    table.stake("ana", "17:4 red:6 d1+d2:2")
    assert coup(table, 14).of("ana").won == 6 + 2
    odd = Table(State.fresh(load("ar"), Setup(live=True, chip=5)))
    for post in ("tallador", "pagador"):
        odd.act(commands.TakePost(by=post, post=post))
    assert refused(odd, commands.OpenTable(by=MANAGEMENT)).articles == ("X-03",)


# Staff --------------------------------------------------------------------------------------------


TALLADOR = {"launch_ball", "close_betting", "void_ball", "pocket_ball", "call_number"}
PAGADOR = {"collect", "pay", "sell_chips", "place_for_player", "sign_number"}
EITHER = {"notice_excess", "correct"}


@pytest.mark.rule("AR-S1")
def test_ar_s1_what_each_post_may_do() -> None:
    table = opened("ar", {"ana": 10})
    for act in Act:
        may = {post for post in ("tallador", "pagador") if table.state.may(f"{post}-1", act)}
        expected = {"tallador"} if act in TALLADOR | EITHER else set()
        expected |= {"pagador"} if act in PAGADOR | EITHER else set()
        assert may == expected, act
        assert not table.state.may("ana", act)


COMMANDS: list[tuple[str, commands.Command]] = [
    ("tallador", commands.LaunchBall(by="")),
    ("tallador", commands.CloseBetting(by="")),
    ("tallador", commands.PocketBall(by="", number=17)),
    ("tallador", commands.CallNumber(by="")),
    ("pagador", commands.CollectLosers(by="")),
    ("pagador", commands.PayWinners(by="")),
    ("pagador", commands.PayNext(by="")),
    ("pagador", buy("ana")),
    ("pagador", place("ana", "17:1")),
    ("pagador", commands.ClaimCustody(by="", player="ana")),
]


@pytest.mark.rule("AR-S1")
@pytest.mark.parametrize(
    ("post", "command"), COMMANDS, ids=[type(command).__name__ for _, command in COMMANDS]
)
def test_ar_s1_what_is_one_posts_is_not_the_others(post: str, command: commands.Command) -> None:
    table = opened("ar", {"ana": 10})
    other = {"tallador": "pagador-1", "pagador": "tallador-1"}[post]
    refusal = refused(table, replace(command, by=other))
    assert refusal.why is RefusalReason.NOT_OF_THIS_POST
    assert refusal.articles == ("AR-S1",)
    assert f"for the {post}" in refusal.detail


@pytest.mark.rule("AR-S1")
@pytest.mark.parametrize("missing", ["tallador", "pagador"])
def test_ar_s1_without_its_tallador_or_its_pagador_the_table_does_not_open(missing: str) -> None:
    table = Table(State.fresh(load("ar")))
    for post in {"tallador", "pagador"} - {missing}:
        table.act(commands.TakePost(by=f"{post}-1", post=post))
    refusal = refused(table, commands.OpenTable(by=MANAGEMENT))
    assert refusal.why is RefusalReason.POST_MUST_BE_HELD
    assert refusal.articles == ("AR-S1",)
    assert refusal.detail == missing
    table.act(commands.TakePost(by="new", post=missing))
    table.act(commands.OpenTable(by=MANAGEMENT))
    assert refused(table, commands.LeavePost(by="new")).why is RefusalReason.POST_IS_NEEDED


@pytest.mark.rule("AR-S1")
def test_ar_s1_one_tallador_and_at_most_two_pagadores() -> None:
    table = opened("ar", {})
    take = commands.TakePost
    assert refused(table, take(by="x", post="tallador")).articles == ("AR-S1",)
    table.act(take(by="pagador-2", post="pagador"))
    assert refused(table, take(by="x", post="pagador")).why is RefusalReason.POST_IS_FULL
    assert refused(table, take(by="x", post="croupier")).why is RefusalReason.NO_SUCH_POST
    table.act(commands.LeavePost(by="pagador-2"))


@pytest.mark.rule("AR-S1")
def test_ar_s1_either_post_corrects_and_the_pagador_places_for_a_player() -> None:
    table = opened("ar", {"ana": 10})
    (id,) = table.stake("ana", "17:1", by="pagador-1")
    for person, on in (("tallador-1", "20"), ("pagador-1", "23")):
        table.act(commands.CorrectStake(by=person, id=id, on=on))
    assert table.state.stakes[id].spot.name == "23"
    assert table.state.stakes[id].player == "ana"


# Closing ------------------------------------------------------------------------------------------


@pytest.mark.rule("NV-02")
def test_nv_02_the_table_closes_after_a_coup_without_counting_last_games() -> None:
    table = opened("ar", {"ana": 10})
    refusal = refused(table, commands.AnnounceLastGames(by="tallador-1"))
    assert refusal.why is RefusalReason.NO_LAST_GAMES_IN_THE_BOOK
    assert refusal.articles == ("NV-02",)
    table.stake("ana", "17:1")
    table.pocket(20)
    close = commands.CloseTable(by=MANAGEMENT)
    assert refused(table, close).why is RefusalReason.COUP_IN_PLAY
    table.call()
    table.collect()
    table.act(close)
    assert table.state.phase is Phase.ENDED
    assert not table.tally.games_left
