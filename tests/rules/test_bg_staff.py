"""Bulgaria, the staff of a table: the croupier, the chipper, the inspector; and the chips."""

import pytest

from novamas.game.chips import ForeignChips
from novamas.game.rulebook.behaviours import CHIP_ACTS, Act, ChipKind
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import RefusalReason
from novamas.table.state import State
from tests.rules.helpers import Table, case, opened, place, refused


def staffed(*posts: str) -> Table:
    """A table that has not opened, whose posts are held by people named after them."""
    table = Table(State.fresh(load("bg")))
    for post in posts:
        table.act(commands.TakePost(by=post, post=post))
    return table


def with_chipper(players: dict[str, int]) -> Table:
    """An open table at which a chipper, `chipper-1`, serves too."""
    table = opened("bg", players)
    table.act(commands.TakePost(by="chipper-1", post="chipper"))
    return table


# Who is at the table ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("posts", "word", "articles"),
    [
        case("BG-3", ("inspector", "chipper"), "крупие", ("BG-3",)),
        case("BG-3", (), "крупие", ("BG-3",)),
        case("BG-5 NV-10", ("croupier", "chipper"), "инспектор", ("BG-5", "NV-10")),
        case("BG-5 NV-10", ("croupier",), "инспектор", ("BG-5", "NV-10")),
    ],
)
def test_bg_3_5_without_croupier_or_inspector_no_table_opens(
    posts: tuple[str, ...], word: str, articles: tuple[str, ...]
) -> None:
    refusal = refused(staffed(*posts), commands.OpenTable(by=MANAGEMENT))
    assert (refusal.why, refusal.articles) == (RefusalReason.POST_MUST_BE_HELD, articles)
    assert refusal.detail == word


@pytest.mark.rule("BG-3", "BG-4", "BG-5")
@pytest.mark.parametrize("chippers", [0, 1])
def test_bg_4_a_table_opens_with_a_chipper_or_without(chippers: int) -> None:
    table = staffed("croupier", "inspector", *["chipper"] * chippers)
    table.act(commands.OpenTable(by="croupier"))
    assert len(table.state.staff) == 2 + chippers


@pytest.mark.parametrize(
    ("post", "article"),
    [
        case("BG-3", "croupier", "BG-3"),
        case("BG-4", "chipper", "BG-4"),
        case("BG-5", "inspector", "BG-5"),
    ],
)
def test_bg_4_each_post_is_held_by_one_person(post: str, article: str) -> None:
    table = staffed("croupier", "inspector", "chipper")
    refusal = refused(table, commands.TakePost(by="another", post=post))
    assert (refusal.why, refusal.articles) == (RefusalReason.POST_IS_FULL, (article,))


@pytest.mark.rule("BG-3", "BG-4", "BG-5")
def test_bg_3_5_croupier_and_inspector_stay_while_the_table_is_open() -> None:
    table = with_chipper({})
    for person, articles in (("croupier-1", ("BG-3",)), ("inspector-1", ("BG-5", "NV-10"))):
        refusal = refused(table, commands.LeavePost(by=person))
        assert (refusal.why, refusal.articles) == (RefusalReason.POST_IS_NEEDED, articles)
    table.act(commands.LeavePost(by="chipper-1"))


@pytest.mark.parametrize(
    ("post", "word"),
    [
        case("BG-3", "croupier", "крупие"),
        case("BG-4", "chipper", "крупие-чипър"),
        case("BG-5", "inspector", "инспектор"),
    ],
)
def test_bg_the_posts_are_called_as_the_house_calls_them(post: str, word: str) -> None:
    assert load("bg").posts[post].word == word


# What each may do ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("post", "may"),
    [
        case(
            "BG-2 BG-3",
            "croupier",
            "launch_ball close_betting void_ball pocket_ball call_number collect pay sell_chips "
            "place_for_player correct announce_last_games close_table",
        ),
        case("BG-4", "chipper", "collect sell_chips"),
        case(
            "BG-5", "inspector", "order_correction sign_number suspend decide_dispute close_table"
        ),
    ],
)
def test_bg_each_post_may_do_its_own_acts_and_no_other(post: str, may: str) -> None:
    state = with_chipper({}).state
    assert {each.value for each in Act if state.may(f"{post}-1", each)} == set(may.split())


@pytest.mark.rule("BG-2", "BG-3")
def test_bg_3_the_croupier_leads_the_whole_game() -> None:
    table = opened("bg", {"ana": 100})
    by = "croupier-1"
    for command in (
        commands.BuyChips(by=by, player="ana", amount=50),
        place("ana", "17:5", by=by, id="s1"),
        place("ana", "20:5", by=by, id="s2"),
        commands.LaunchBall(by=by),
        commands.CloseBetting(by=by),
        commands.PocketBall(by=by, number=17),
        commands.CallNumber(by=by),
        commands.CollectLosers(by=by),
        commands.PayWinners(by=by),
        commands.AnnounceLastGames(by=by),
    ):
        table.act(command)
    assert table.purse("ana") == 150 - 5 + 175


@pytest.mark.rule("BG-3")
def test_bg_3_the_croupier_clears_up_a_stake_placed_wrongly() -> None:
    table = opened("bg", {"ana": 100})
    table.stake("ana", "17/20:5")
    table.act(commands.CorrectStake(by="croupier-1", id="s1", on="17"))
    moved = table.last(events.StakeMoved)
    assert (moved.on, moved.correction, moved.articles) == ("17", True, ("BG-3",))
    table.close()
    late = refused(table, commands.CorrectStake(by="croupier-1", id="s1", on="20"))
    assert (late.why, late.articles) == (RefusalReason.REPORTED_TOO_LATE, ("BG-3",))


@pytest.mark.rule("BG-4")
def test_bg_4_the_chipper_serves_the_game_and_does_not_lead_it() -> None:
    table = with_chipper({"ana": 100})
    table.act(commands.BuyChips(by="chipper-1", player="ana", amount=50))
    table.stake("ana", "17:5 20:5")
    refusal = refused(table, commands.LaunchBall(by="chipper-1"))
    assert (refusal.why, refusal.articles) == (RefusalReason.NOT_OF_THIS_POST, ("BG-4",))
    table.pocket(17)
    table.call()
    table.act(commands.CollectLosers(by="chipper-1"))
    refusal = refused(table, commands.PayWinners(by="chipper-1"))
    assert (refusal.why, refusal.articles) == (RefusalReason.NOT_OF_THIS_POST, ("BG-4",))
    assert refusal.detail == "pay is for the крупие"


@pytest.mark.rule("BG-5")
def test_bg_5_the_inspector_watches_and_handles_no_chips() -> None:
    table = with_chipper({"ana": 100})
    table.stake("ana", "17:5")
    correct = refused(table, commands.CorrectStake(by="inspector-1", id="s1", on="20"))
    assert (correct.why, correct.articles) == (RefusalReason.NOT_OF_THIS_POST, ("BG-5",))
    # What the inspector finds wrong the croupier puts right (BG-3).
    table.act(commands.OrderCorrection(by="inspector-1", id="s1", on="20"))
    table.act(commands.CorrectStake(by="croupier-1", id="s1", on="20"))
    assert table.last(events.StakeMoved).ordered_by == "inspector-1"
    sale = refused(table, commands.BuyChips(by="inspector-1", player="ana", amount=5))
    assert (sale.why, sale.articles) == (RefusalReason.NOT_OF_THIS_POST, ("BG-5",))
    assert sale.detail == "sell chips is for the крупие or the крупие-чипър"
    table.act(commands.Suspend(by="inspector-1", reason="a dispute"))
    assert (
        refused(table, commands.LaunchBall(by="croupier-1")).why is RefusalReason.TABLE_IS_SUSPENDED
    )
    for person in ("croupier-1", "chipper-1"):
        refusal = refused(table, commands.Resume(by=person))
        assert refusal.why is RefusalReason.NOT_OF_THIS_POST
        assert refusal.detail == "suspend is for the инспектор"
    table.act(commands.Resume(by="inspector-1"))
    table.launch()


@pytest.mark.rule("BG-5")
def test_bg_5_nobody_may_give_the_inspector_an_act_with_chips() -> None:
    inspector = load("bg").posts["inspector"]
    assert not inspector.touches_chips
    assert not inspector.may & CHIP_ACTS


@pytest.mark.rule("BG-5", "BG-3", "BG-4")
def test_bg_5_the_inspector_watches_over_the_others() -> None:
    watches = {name for name, post in load("bg").posts.items() if post.watches}
    assert watches == {"inspector"}


# The chips ----------------------------------------------------------------------------------------


@pytest.mark.rule("BG-1")
def test_bg_1_who_has_bought_no_chips_does_not_play() -> None:
    table = opened("bg", {"ana": 0})
    refusal = refused(table, place("ana", "17:5"))
    assert (refusal.why, refusal.articles) == (RefusalReason.EXCEEDS_PURSE, ("BG-1",))
    table.act(commands.BuyChips(by="croupier-1", player="ana", amount=5))
    assert table.last(events.ChipsBought).articles == ("BG-1",)
    table.stake("ana", "17:5")
    assert refused(table, place("ana", "17:1")).why is RefusalReason.EXCEEDS_PURSE


@pytest.mark.rule("BG-1")
@pytest.mark.parametrize("on", ["17", "red"])
def test_bg_1_colour_chips_and_value_chips_are_played_everywhere(on: str) -> None:
    table = opened("bg", {"ana": 100, "luis": 100}, value_chips=["luis"])
    table.stake("ana", f"{on}:10")
    table.stake("luis", f"{on}:10")
    table.stake("ana", f"{on}:10", chips=ChipKind.VALUE)
    kinds = [stake.kind for stake in table.state.stakes.values()]
    assert kinds == [ChipKind.COLOUR, ChipKind.VALUE, ChipKind.VALUE]
    refusal = refused(table, place("ana", f"{on}:10", chips=ChipKind.CHANCE))
    assert (refusal.why, refusal.articles) == (RefusalReason.CHIPS_NOT_TAKEN_HERE, ("BG-1",))


@pytest.mark.rule("NV-04")
def test_nv_04_one_colour_has_one_owner_until_it_is_changed_back() -> None:
    table = opened("bg", {"ana": 100, "luis": 0}, chip=5)
    colour = table.state.players["ana"].colour
    sale = commands.BuyChips(by="croupier-1", player="luis", amount=10, colour=colour)
    refusal = refused(table, sale)
    assert (refusal.why, refusal.articles) == (RefusalReason.COLOUR_IN_PLAY, ("NV-04",))
    table.act(commands.Leave(by="ana"))
    changed = table.last(events.ColourConverted)
    assert (changed.chips, changed.amount, changed.articles) == (20, 100, ("NV-04",))
    table.act(sale)


@pytest.mark.rule("NV-04", "BG-1")
def test_nv_04_colour_chips_of_another_table_are_not_played_here() -> None:
    table = opened("bg", {"ana": 100})
    foreign = ForeignChips(3, "4", opening_minimum=5)
    refusal = refused(table, place("ana", "17:15", foreign=foreign, by="croupier-1"))
    assert (refusal.why, refusal.articles) == (RefusalReason.CHIPS_NOT_BOUGHT_HERE, ("BG-1",))


@pytest.mark.rule("X-03")
def test_x_03_a_live_table_has_an_even_chip_and_breaks_none() -> None:
    with pytest.raises(AssertionError, match="chip must halve evenly"):
        opened("bg", {}, chip=5, live=True)
    table = opened("bg", {"ana": 100}, chip=10, live=True)
    assert refused(table, place("ana", "red:15")).why is RefusalReason.NOT_WHOLE_CHIPS
