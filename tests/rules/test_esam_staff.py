"""Spain, American roulette: the staff of the table, the players' colours and what is unsaid."""

from typing import Any

import pytest

from novamas.game.chips import ForeignChips
from novamas.game.limits import placard
from novamas.game.rulebook.behaviours import Act, ChipKind, Winning
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase, Setup, State
from tests.rules.helpers import Table, case, coup, opened, place, refused


def staffed(*posts: str) -> Table:
    """A table that has not opened, whose posts are held by people named after them."""
    table = Table(State.fresh(load("esam")))
    for post in posts:
        table.act(commands.TakePost(by=f"{post}-1", post=post))
    return table


def with_assistant(players: dict[str, int]) -> Table:
    """An open table at which an assistant, `assistant-1`, serves too."""
    table = opened("esam", players)
    table.act(commands.TakePost(by="assistant-1", post="assistant"))
    return table


# The staff ----------------------------------------------------------------------------------------


@pytest.mark.rule("ESAM-II.b")
@pytest.mark.parametrize("more", [(), ("assistant",)])
def test_esam_ii_b_a_chief_and_a_croupier_open_a_table(more: tuple[str, ...]) -> None:
    table = staffed("chief", "croupier", *more)
    table.act(commands.OpenTable(by="chief-1"))
    assert table.state.phase is Phase.BETTING


@pytest.mark.rule("ESAM-II.b")
@pytest.mark.parametrize(
    ("posts", "word"),
    [
        (("croupier", "assistant"), "jefe de mesa"),
        (("chief", "assistant"), "crupier"),
        ((), "jefe de mesa"),
    ],
)
def test_esam_ii_b_without_one_of_them_it_does_not(posts: tuple[str, ...], word: str) -> None:
    refusal = refused(staffed(*posts), commands.OpenTable(by=MANAGEMENT))
    assert (refusal.why, refusal.articles) == (RefusalReason.POST_MUST_BE_HELD, ("ESAM-II.b",))
    assert refusal.detail == word


@pytest.mark.rule("ESAM-II.b")
@pytest.mark.parametrize("post", ["chief", "croupier", "assistant"])
def test_esam_ii_b_each_post_is_held_by_one_person(post: str) -> None:
    table = staffed("chief", "croupier", "assistant")
    refusal = refused(table, commands.TakePost(by="another", post=post))
    assert (refusal.why, refusal.articles) == (RefusalReason.POST_IS_FULL, ("ESAM-II.b",))


@pytest.mark.rule("ESAM-II.b")
def test_esam_ii_b_one_croupier_launches_every_ball() -> None:
    assert not load("esam").posts["croupier"].rotates


@pytest.mark.rule("ESAM-II.b")
def test_esam_ii_b_the_posts_are_called_as_the_house_calls_them() -> None:
    words = {name: post.word for name, post in load("esam").posts.items()}
    assert words == {"chief": "jefe de mesa", "croupier": "crupier", "assistant": "auxiliar"}


@pytest.mark.parametrize(
    ("post", "may"),
    [
        case(
            "ESAM-II.d ESAM-01.III ESAM-01.3.d",
            "chief",
            "void_ball order_correction sign_number suspend decide_dispute close_table",
        ),
        case(
            "ESAM-01.III.b ESAM-01.3.c",
            "croupier",
            "launch_ball close_betting pocket_ball call_number collect pay sell_chips "
            "place_for_player correct",
        ),
        case("ESAM-II.c", "assistant", "collect"),
    ],
)
def test_esam_each_post_may_do_its_own_acts_and_no_other(post: str, may: str) -> None:
    state = with_assistant({}).state
    assert {each.value for each in Act if state.may(f"{post}-1", each)} == set(may.split())


@pytest.mark.rule("ESAM-II.d")
def test_esam_ii_d_the_chief_answers_for_the_game() -> None:
    assert {name for name, post in load("esam").posts.items() if post.watches} == {"chief"}
    table = opened("esam", {"ana": 100})
    table.stake("ana", "17:5")
    table.act(commands.OrderCorrection(by="chief-1", id="s1", on="20"))
    table.act(commands.CorrectStake(by="croupier-1", id="s1", on="20"))
    moved = table.last(events.StakeMoved)
    assert (moved.on, moved.by, moved.ordered_by) == ("20", "croupier-1", "chief-1")
    table.act(commands.Suspend(by="chief-1", reason="a dispute"))
    table.act(commands.Resume(by="chief-1"))
    table.pocket(17)
    table.call()
    table.act(commands.CorrectNumber(by="croupier-1", number=20, reason="misread"))
    table.act(commands.SignNumber(by="chief-1", number=20))
    table.call()
    assert table.last(events.NumberCalled).settlement.pocket == 20


@pytest.mark.rule("ESAM-01.III")
def test_esam_iii_the_chief_touches_neither_money_nor_chips() -> None:
    table = opened("esam", {"ana": 100})
    refusals = [
        refused(table, commands.BuyChips(by="chief-1", player="ana", amount=10)),
        refused(table, place("ana", "17:5", by="chief-1")),
    ]
    table.stake("ana", "17:5 20:5")
    refusals.append(refused(table, commands.CorrectStake(by="chief-1", id="s1", on="5")))
    table.pocket(17)
    table.call()
    refusals.append(refused(table, commands.CollectLosers(by="chief-1")))
    table.collect()
    refusals.append(refused(table, commands.PayNext(by="chief-1")))
    for refusal in refusals:
        assert (refusal.why, refusal.articles) == (RefusalReason.NOT_OF_THIS_POST, ("ESAM-01.III",))


@pytest.mark.rule("ESAM-01.III.b")
def test_esam_iii_b_the_croupier_spins_and_lays_bets_for_players() -> None:
    table = opened("esam", {"ana": 100, "luis": 100})
    table.act(place("ana", "17:5", by="croupier-1"))
    placed = table.last(events.StakePlaced)
    assert (placed.player, placed.by, table.purse("ana")) == ("ana", "croupier-1", 95)
    assert refused(table, place("eva", "17:5", by="croupier-1")).why is RefusalReason.NOT_SEATED
    other = place("ana", "17:5", by="luis", id="b")
    assert refused(table, other).why is RefusalReason.NOT_OF_THIS_POST
    for _ in range(20):
        coup(table, 17)
    spun = {event.by for event in table.events if isinstance(event, events.BallLaunched)}
    assert spun == {"croupier-1"}


# The colours --------------------------------------------------------------------------------------


def buy(player: str = "ana", amount: int = 1000, **more: Any) -> commands.BuyChips:
    """The wish to buy chips."""
    return commands.BuyChips(by="croupier-1", player=player, amount=amount, **more)


def of_five(players: dict[str, int], **more: Any) -> Table:
    """A table with a minimum of 5, so that a pleno takes 5 to 100."""
    return opened("esam", players, limits=placard(load("esam"), 5), **more)


@pytest.mark.rule("ESAM-I.c", "ESAM-V.b")
@pytest.mark.parametrize("chip", [5, 10, 50, 100])
def test_esam_v_b_a_player_says_what_a_chip_is_worth_within_the_limits_of_a_pleno(
    chip: int,
) -> None:
    table = of_five({"ana": 0})
    table.act(buy(chip=chip))
    assert table.last(events.ChipsBought).chip == table.state.players["ana"].chip == chip


@pytest.mark.rule("ESAM-I.c", "ESAM-V.b")
@pytest.mark.parametrize("chip", [2, 4, 101, 200])
def test_esam_i_c_a_chip_is_worth_no_less_and_no_more(chip: int) -> None:
    table = of_five({"ana": 0})
    refusal = refused(table, buy(amount=404 * 5, chip=chip))
    assert refusal.articles == ("ESAM-I.c", "ESAM-V.b", "ESAM-V.c")
    assert (table.purse("ana"), table.state.players["ana"].colour) == (0, None)


@pytest.mark.rule("ESAM-I.c", "ESAM-V.b")
@pytest.mark.parametrize("chip", [2, 4, 122])
def test_esam_i_c_at_a_live_table_the_tables_own_chip_is_bound_too(chip: int) -> None:
    limits = placard(load("esam"), 6)
    table = opened("esam", {"ana": 0}, limits=limits, chip=2, live=True)
    refusal = refused(table, buy(amount=244, chip=chip))
    assert refusal.articles == ("ESAM-I.c", "ESAM-V.b", "ESAM-V.c")


@pytest.mark.rule("ESAM-V.b")
def test_esam_v_b_another_value_is_for_a_player_who_is_given_chips_anew() -> None:
    table = of_five({"ana": 0})
    table.act(buy(amount=10, chip=10))
    assert refused(table, buy(chip=50)).why is RefusalReason.CHIP_VALUE_IS_SET
    table.stake("ana", "17:10")
    assert refused(table, buy(chip=50)).why is RefusalReason.CHIP_VALUE_IS_SET
    coup(table, 20)
    table.act(buy(chip=50))
    assert table.state.players["ana"].chip == 50


@pytest.mark.rule("ESAM-V.c")
def test_esam_v_c_a_chip_of_which_nothing_is_said_is_worth_the_minimum() -> None:
    limits = placard(load("esam"), 6)
    table = opened("esam", {"ana": 0}, limits=limits, chip=2, live=True)
    table.act(buy(amount=60))
    assert table.last(events.ChipsBought).chip == 6


@pytest.mark.rule("ESAM-I.b")
def test_esam_i_b_each_colour_has_one_player_and_shows_its_value() -> None:
    table = of_five({"ana": 0, "luis": 0})
    table.act(buy(chip=10))
    ana = table.state.players["ana"]
    assert (ana.colour is not None, ana.chip) == (True, 10)
    refusal = refused(table, buy("luis", colour=ana.colour))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.COLOUR_IN_PLAY,
        ("ESAM-I.b", "NV-04"),
    )
    table.act(buy("luis", chip=50))
    bought = [event for event in table.events if isinstance(event, events.ChipsBought)]
    assert len({event.colour for event in bought}) == 2
    assert [event.chip for event in bought] == [10, 50]


@pytest.mark.rule("ESAM-I.b", "ESAM-II.a")
@pytest.mark.parametrize("colours", [1, 3])
def test_esam_i_b_how_many_colours_there_are_is_a_setting_of_the_table(colours: int) -> None:
    table = opened("esam", {f"p{each}": 0 for each in range(colours + 1)}, colours=colours)
    for each in range(colours):
        table.act(buy(f"p{each}"))
    refusal = refused(table, buy(f"p{colours}"))
    assert refusal.why is RefusalReason.NO_COLOUR_LEFT
    assert "ESAM-I.b" in refusal.articles


@pytest.mark.rule("ESAM-III.d", "NV-04")
@pytest.mark.parametrize("on", ["17", "red", "d1"])
def test_esam_iii_d_colours_and_value_chips_are_played_on_every_spot(on: str) -> None:
    table = opened("esam", {"ana": 100})
    table.stake("ana", f"{on}:10")
    table.stake("ana", f"{on}:10", chips=ChipKind.VALUE)
    kinds = [stake.kind for stake in table.state.stakes.values()]
    assert kinds == [ChipKind.COLOUR, ChipKind.VALUE]
    refusal = refused(table, place("ana", f"{on}:10", chips=ChipKind.CHANCE))
    assert (refusal.why, refusal.articles) == (
        RefusalReason.CHIPS_NOT_TAKEN_HERE,
        ("ESAM-III.d", "NV-04"),
    )


@pytest.mark.rule("NV-04")
def test_nv_04_a_colour_is_changed_back_when_its_owner_leaves() -> None:
    table = opened("esam", {"ana": 100}, chip=5, chips={"ana": 5})
    table.act(commands.Leave(by="ana"))
    changed = table.last(events.ColourConverted)
    assert (changed.chips, changed.amount, changed.articles) == (20, 100, ("NV-04",))


@pytest.mark.rule("NV-04")
def test_nv_04_chips_of_another_table_are_not_played_here() -> None:
    table = opened("esam", {"ana": 100})
    foreign = ForeignChips(3, "4", opening_minimum=5)
    refusal = refused(table, place("ana", "17:15", foreign=foreign, by="croupier-1"))
    assert (refusal.why, refusal.articles) == (RefusalReason.CHIPS_NOT_BOUGHT_HERE, ("NV-04",))


# What the text does not say -----------------------------------------------------------------------


@pytest.mark.rule("ESAM-01.1.k", "X-02")
def test_x_02_what_wins_stays_on_the_cloth_unless_the_table_says_otherwise() -> None:
    assert Setup.usual(load("esam")).winning is Winning.CLOTH
    table = opened("esam", {"ana": 100})
    table.stake("ana", "red:10")
    coup(table, 9)
    assert (table.purse("ana"), table.state.on_cloth) == (110, 0)


@pytest.mark.rule("X-07")
def test_x_07_what_wins_for_a_player_who_is_away_goes_to_their_hand() -> None:
    table = opened("esam", {"ana": 100}, winning=Winning.CLOTH)
    table.stake("ana", "black:10")
    table.act(commands.StepAway(by="ana"))
    coup(table, 17)
    assert (table.purse("ana"), table.state.on_cloth) == (110, 0)


@pytest.mark.rule("NV-02")
def test_nv_02_a_table_closes_between_two_coups_without_a_countdown() -> None:
    table = opened("esam", {"ana": 100})
    refusal = refused(table, commands.AnnounceLastGames(by="croupier-1"))
    assert (refusal.why, refusal.articles) == (RefusalReason.NO_LAST_GAMES_IN_THE_BOOK, ("NV-02",))
    table.act(commands.CloseTable(by="chief-1"))
    assert table.last(events.TableClosed).articles == ("NV-02",)


@pytest.mark.rule("NV-03")
def test_nv_03_betting_opens_with_the_customary_words() -> None:
    table = opened("esam", {"ana": 100})
    assert table.last(events.TableOpened).call == "Hagan juego, señores"


@pytest.mark.rule("NV-08")
def test_nv_08_play_is_suspended_with_a_reason() -> None:
    table = opened("esam", {"ana": 100})
    table.act(commands.Suspend(by="chief-1", reason="a fault in the wheel"))
    assert table.last(events.TableSuspended).articles == ("NV-08",)


@pytest.mark.rule("ESAM-0", "AMB-ESAM-02")
def test_esam_0_the_book_is_the_ruletas_but_for_what_it_says_itself() -> None:
    book, ruleta = load("esam"), load("es")
    assert not [id for id in book.articles if id.startswith(("ES-", "AMB-ES-"))]
    assert book.calls.no_more_bets == ruleta.calls.no_more_bets
    assert book.wheel.causes == ruleta.wheel.causes
    differ = {
        spot.name for spot, terms in book.terms.items() if terms.pays != ruleta.terms[spot].pays
    }
    assert differ == set()
    assert "end" not in book.posts
    assert book.zero.simple != ruleta.zero.simple
