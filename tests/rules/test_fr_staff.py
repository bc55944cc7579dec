"""France, French roulette, article 51: who is at the table, and what each of them may do."""

import pytest

from novamas.game.chips import ForeignChips
from novamas.game.rulebook.behaviours import Act, ChipKind
from novamas.game.staffing import missing
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase, Setup, State
from tests.rules.helpers import Table, coup, opened, place, refused

FULL = ("chief", "croupier", "croupier", "end")


def staffed(*posts: str, double: bool = False) -> Table:
    """A table that has not opened, whose posts are held by people named after them."""
    table = Table(State.fresh(load("fr"), Setup(double=double)))
    for number, post in enumerate(posts, start=1):
        table.act(commands.TakePost(by=f"{post}-{number}", post=post))
    return table


@pytest.mark.rule("FR-51.e")
def test_fr_51_e_one_cloth_has_a_chief_two_croupiers_and_an_end() -> None:
    table = staffed(*FULL)
    for post in ("chief", "croupier", "end"):
        refusal = refused(table, commands.TakePost(by="another", post=post))
        assert refusal.why is RefusalReason.POST_IS_FULL
        assert "FR-51.e" in refusal.articles
    assert missing(load("fr"), {}) == list(FULL)


@pytest.mark.rule("FR-51.e")
@pytest.mark.parametrize("without", range(4))
def test_fr_51_e_without_one_of_them_no_table_opens(without: int) -> None:
    table = staffed(*(post for place, post in enumerate(FULL) if place != without))
    refusal = refused(table, commands.OpenTable(by=MANAGEMENT))
    assert refusal.why is RefusalReason.POST_MUST_BE_HELD
    assert refusal.detail == load("fr").posts[FULL[without]].word
    assert "FR-51.e" in refusal.articles


TWICE = ("chief", "subchief", *("croupier",) * 4, "end", "end")


@pytest.mark.rule("FR-51.d")
def test_fr_51_d_two_cloths_have_eight_people_and_no_more() -> None:
    assert missing(load("fr"), {}, double=True) == list(TWICE)
    table = staffed(*TWICE, double=True)
    for post in ("chief", "subchief", "croupier", "end"):
        refusal = refused(table, commands.TakePost(by="another", post=post))
        assert refusal.why is RefusalReason.POST_IS_FULL
    table.act(commands.OpenTable(by=MANAGEMENT))
    assert len(table.state.staff) == 8


@pytest.mark.rule("FR-51.d")
@pytest.mark.parametrize("without", range(8))
def test_fr_51_d_without_one_of_the_eight_no_double_table_opens(without: int) -> None:
    posts = (post for place, post in enumerate(TWICE) if place != without)
    refusal = refused(staffed(*posts, double=True), commands.OpenTable(by=MANAGEMENT))
    assert refusal.why is RefusalReason.POST_MUST_BE_HELD
    assert refusal.detail == load("fr").posts[TWICE[without]].word
    assert "FR-51.d" in refusal.articles


@pytest.mark.rule("FR-51.d", "FR-51.v")
def test_fr_51_v_the_sub_chief_touches_neither_money_nor_chips() -> None:
    table = staffed(*TWICE, double=True)
    table.act(commands.Sit(by="ana"))
    refusal = refused(table, commands.BuyChips(by="subchief-2", player="ana", amount=10))
    assert (refusal.why, refusal.articles) == (RefusalReason.NOT_OF_THIS_POST, ("FR-51.v",))


@pytest.mark.rule("FR-51.e")
def test_fr_51_e_one_cloth_has_no_sub_chief() -> None:
    table = staffed(*FULL)
    refusal = refused(table, commands.TakePost(by="another", post="subchief"))
    assert refusal.why is RefusalReason.POST_IS_FULL
    assert "FR-51.e" in refusal.articles


@pytest.mark.rule("FR-51.d", "FR-51.e", "FR-51.q", "FR-51.t")
def test_fr_51_the_posts_are_called_as_the_house_calls_them() -> None:
    assert {name: post.word for name, post in load("fr").posts.items()} == {
        "chief": "chef de table",
        "subchief": "sous-chef de table",
        "croupier": "croupier",
        "end": "bout de table",
    }


@pytest.mark.rule("FR-51.d", "FR-51.e", "FR-51.q", "FR-51.t", "FR-51.v", "FR-41.b", "FR-53.l")
@pytest.mark.parametrize(
    ("post", "may"),
    [
        (
            "chief",
            {
                "order_correction",
                "sign_number",
                "declare_orphan",
                "change_limits",
                "suspend",
                "decide_dispute",
                "close_table",
            },
        ),
        ("subchief", {"order_correction", "sign_number", "declare_orphan", "suspend"}),
        (
            "croupier",
            {
                "launch_ball",
                "close_betting",
                "void_ball",
                "pocket_ball",
                "call_number",
                "collect",
                "pay",
                "sell_chips",
                "correct",
                "declare_orphan",
                "count_float",
            },
        ),
        ("end", {"place_for_player", "correct"}),
    ],
)
def test_fr_51_each_post_may_do_its_own_acts_and_no_other(post: str, may: set[str]) -> None:
    found = load("fr").posts[post]
    assert {act.value for act in found.may} == may
    assert found.watches == (post in {"chief", "subchief"})
    assert found.touches_chips == (post in {"croupier", "end"})


@pytest.mark.rule("FR-51.g")
def test_fr_51_g_the_croupiers_launch_in_turn_and_nobody_out_of_turn() -> None:
    table = opened("fr", {}, rotation=1)
    for turn, other in (("croupier-1", "croupier-2"), ("croupier-2", "croupier-1")):
        refusal = refused(table, commands.LaunchBall(by=other))
        assert refusal.why is RefusalReason.NOT_THEIR_TURN_TO_SPIN
        assert "FR-51.g" in refusal.articles
        table.act(commands.LaunchBall(by=turn))
        coup(table, 17)


@pytest.mark.rule("FR-51.g", "FR-51.h")
@pytest.mark.parametrize(("rotation", "turns"), [(1, "1212"), (2, "1122"), (10, "1111")])
def test_fr_51_h_the_management_sets_how_long_a_turn_is(rotation: int, turns: str) -> None:
    table = opened("fr", {}, rotation=rotation)
    for _ in range(4):
        coup(table, 17)
    spun = [event.by for event in table.events if isinstance(event, events.BallLaunched)]
    assert spun == [f"croupier-{turn}" for turn in turns]


@pytest.mark.rule("FR-51.q")
def test_fr_51_q_the_centre_croupiers_collect_and_pay_and_no_end_does() -> None:
    table = opened("fr", {"ana": 100})
    table.stake("ana", "17:5 20:5")
    table.pocket(17)
    table.call()
    assert refused(table, commands.CollectLosers(by="end-1")).why is RefusalReason.NOT_OF_THIS_POST
    table.act(commands.CollectLosers(by="croupier-1"))
    assert refused(table, commands.PayWinners(by="end-1")).why is RefusalReason.NOT_OF_THIS_POST
    table.act(commands.PayWinners(by="croupier-2"))
    assert table.purse("ana") == 90 + 175 + 5


@pytest.mark.rule("FR-51.t")
def test_fr_51_t_the_end_places_for_players_who_are_there() -> None:
    table = opened("fr", {"ana": 100})
    table.act(place("ana", "17:5", by="end-1", id="a"))
    placed = table.last(events.StakePlaced)
    assert (placed.player, placed.by, table.purse("ana")) == ("ana", "end-1", 95)
    assert refused(table, place("eva", "17:5", by="end-1")).why is RefusalReason.NOT_SEATED
    table.act(commands.StepAway(by="ana"))
    refusal = refused(table, place("ana", "17:5", by="end-1", id="b"))
    assert refusal.why is RefusalReason.PLAYER_IS_AWAY
    assert "FR-51.t" in refusal.articles


@pytest.mark.rule("FR-51.t")
def test_fr_51_t_placing_is_for_the_end_and_for_no_croupier() -> None:
    table = opened("fr", {"ana": 100})
    refusal = refused(table, place("ana", "17:5", by="croupier-1"))
    assert refusal.why is RefusalReason.NOT_OF_THIS_POST
    assert refusal.detail.endswith("is for the bout de table")


@pytest.mark.rule("FR-51.v")
def test_fr_51_v_the_chief_touches_neither_money_nor_chips() -> None:
    table = opened("fr", {"ana": 100})
    refusals = [
        refused(table, commands.BuyChips(by="chief-1", player="ana", amount=10)),
        refused(table, place("ana", "17:5", by="chief-1")),
    ]
    table.stake("ana", "17:5 20:5")
    table.pocket(17)
    table.call()
    refusals.append(refused(table, commands.CollectLosers(by="chief-1")))
    table.collect()
    refusals.append(refused(table, commands.PayWinners(by="chief-1")))
    for refusal in refusals:
        assert (refusal.why, refusal.articles) == (RefusalReason.NOT_OF_THIS_POST, ("FR-51.v",))


@pytest.mark.rule("FR-51.v", "FR-51.e")
def test_fr_51_v_the_chief_orders_a_correction_and_a_croupier_carries_it_out() -> None:
    table = opened("fr", {"ana": 100})
    table.stake("ana", "17:5")
    correct = commands.CorrectStake(by="chief-1", id="s1", on="20")
    assert refused(table, correct).why is RefusalReason.NOT_OF_THIS_POST
    table.act(commands.OrderCorrection(by="chief-1", id="s1", on="20"))
    assert not load("fr").posts["chief"].may & {Act.CORRECT, Act.PAY, Act.SELL_CHIPS}


@pytest.mark.rule("FR-38.b")
@pytest.mark.parametrize("person", ["chief-1", "end-1", "ana"])
def test_fr_38_b_chips_are_sold_by_a_croupier_alone(person: str) -> None:
    table = opened("fr", {"ana": 100})
    sale = commands.BuyChips(by=person, player="ana", amount=10)
    assert refused(table, sale).why is RefusalReason.NOT_OF_THIS_POST
    table.act(commands.BuyChips(by="croupier-1", player="ana", amount=10))
    assert table.purse("ana") == 110


@pytest.mark.rule("FR-38.b")
def test_fr_38_b_nobody_stakes_more_than_was_changed_into_chips() -> None:
    refusal = refused(opened("fr", {"ana": 100}), place("ana", "17:101"))
    assert (refusal.why, refusal.articles) == (RefusalReason.EXCEEDS_PURSE, ("FR-38.b",))


@pytest.mark.rule("FR-38.a", "AMB-FR-09")
@pytest.mark.parametrize("on", ["17", "red", "d1", "c1+c2"])
def test_fr_38_a_stakes_are_value_chips_the_same_for_all(on: str) -> None:
    table = opened("fr", {"ana": 100, "luc": 100})
    (id,) = table.stake("ana", f"{on}:10")
    assert table.state.stakes[id].kind is ChipKind.VALUE
    for kind in (ChipKind.COLOUR, ChipKind.CHANCE):
        refusal = refused(table, place("luc", f"{on}:10", chips=kind))
        assert (refusal.why, refusal.articles) == (
            RefusalReason.CHIPS_NOT_TAKEN_HERE,
            ("FR-38.a", "AMB-FR-09"),
        )


@pytest.mark.rule("AMB-FR-09")
def test_amb_fr_09_nobody_has_a_colour_at_the_french_table() -> None:
    table = opened("fr", {f"p{number}": 100 for number in range(20)})
    assert {player.colour for player in table.state.players.values()} == {None}
    chips = load("fr").chips
    assert not chips.own_colour
    assert not chips.converted_on_leaving
    table.act(commands.Leave(by="p0"))
    assert not any(isinstance(event, events.ColourConverted) for event in table.events)


@pytest.mark.rule("FR-38.b", "AMB-FR-09")
def test_amb_fr_09_chips_of_another_table_are_refused() -> None:
    foreign = ForeignChips(3, "4", opening_minimum=5)
    stake = place("ana", "17:15", foreign=foreign, by="end-1")
    refusal = refused(opened("fr", {"ana": 100}), stake)
    assert (refusal.why, refusal.articles) == (
        RefusalReason.CHIPS_NOT_BOUGHT_HERE,
        ("FR-38.b",),
    )


@pytest.mark.rule("NV-07", "NV-08", "FR-50")
def test_nv_08_the_chief_suspends_play_with_a_reason() -> None:
    table = opened("fr", {"ana": 100})
    table.act(commands.Suspend(by="chief-1", reason="a fault in the wheel"))
    assert table.last(events.TableSuspended).articles == ("NV-08", "FR-50")
    refusal = refused(table, place("ana", "17:10"))
    assert refusal.why is RefusalReason.TABLE_IS_SUSPENDED
    assert load("fr").closing.cites.dispute == ("NV-07",)
    table.act(commands.Resume(by="chief-1"))
    table.stake("ana", "17:10")


@pytest.mark.rule("NV-02")
def test_nv_02_the_table_closes_after_a_coup_without_a_countdown() -> None:
    table = opened("fr", {"ana": 100})
    coup(table, 17)
    table.act(commands.CloseTable(by="chief-1"))
    assert table.state.phase is Phase.ENDED


@pytest.mark.rule("NV-06")
def test_nv_06_a_number_called_wrongly_is_changed_with_a_second_signature() -> None:
    cites = load("fr").wheel.cites
    assert cites.corrected == ("NV-06",)
    assert {name for name, post in load("fr").posts.items() if Act.SIGN_NUMBER in post.may} == {
        "chief",
        "subchief",
    }
