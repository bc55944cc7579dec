"""Italy, the chips: colours and their owners, conversion, and chips of another table."""

import pytest

from novamas.game.chips import ForeignChips, convert
from novamas.game.rulebook.behaviours import ChipKind, Winning
from novamas.table import commands
from novamas.table.events import ChipsBought, ColourConverted, PlayerLeft
from novamas.table.identity import MANAGEMENT, Identity
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import Table, coup, opened, place, refused

KNOWN = ForeignChips(3, "4", opening_minimum=2, value=5)
UNKNOWN = ForeignChips(3, "4", opening_minimum=2)


def buy(player: str, amount: int = 50, colour: str | None = None) -> commands.BuyChips:
    """The wish to buy chips of a colour."""
    return commands.BuyChips(by="croupier-1", player=player, amount=amount, colour=colour)


def colours(table: Table) -> dict[str, str | None]:
    """The colour of each player."""
    return {name: player.colour for name, player in table.state.players.items()}


# Colours ------------------------------------------------------------------------------------------


@pytest.mark.rule("IT-gioco-4b")
def test_it_gioco_4b_every_player_has_a_colour_of_his_own() -> None:
    table = opened("it", {"ana": 50, "ben": 50, "eva": 50})
    given = list(colours(table).values())
    assert None not in given
    assert len(set(given)) == 3


@pytest.mark.rule("IT-gioco-4b")
def test_it_gioco_4b_who_asks_for_a_colour_in_play_gets_another() -> None:
    table = opened("it", {"ana": 0, "ben": 0})
    table.act(buy("ana", colour="green"))
    refusal = refused(table, buy("ben", colour="green"))
    assert (refusal.why, refusal.articles) == (RefusalReason.COLOUR_IN_PLAY, ("IT-gioco-4b",))
    table.act(buy("ben"))
    assert colours(table)["ana"] == "green"
    assert colours(table)["ben"] not in (None, "green")


@pytest.mark.rule("IT-gioco-4b")
def test_it_gioco_4b_when_the_colours_run_out_one_plays_with_value_chips() -> None:
    table = opened("it", {"ana": 50, "ben": 50, "eva": 0}, colours=2)
    refusal = refused(table, buy("eva"))
    assert (refusal.why, refusal.articles) == (RefusalReason.NO_COLOUR_LEFT, ("IT-gioco-4b",))
    value = commands.BuyChips(by="croupier-1", player="eva", amount=50, value_chips=True)
    table.act(value)
    table.stake("eva", "17:1")
    assert colours(table)["eva"] is None
    assert [stake.kind for stake in table.state.stakes.values()] == [ChipKind.VALUE]


@pytest.mark.rule("IT-gioco-4b")
def test_it_gioco_4b_the_colour_of_a_player_who_left_is_free_again() -> None:
    table = opened("it", {"ana": 50, "ben": 0}, colours=1)
    assert refused(table, buy("ben")).why is RefusalReason.NO_COLOUR_LEFT
    table.act(commands.Leave(by="ana"))
    table.act(buy("ben"))
    assert colours(table) == {"ben": "blue"}


@pytest.mark.rule("IT-gioco-4b")
def test_it_gioco_4b_who_buys_again_keeps_his_colour() -> None:
    table = opened("it", {"ana": 50, "ben": 50})
    before = colours(table)
    table.act(buy("ana", 30))
    assert colours(table) == before
    assert table.purse("ana") == 80


@pytest.mark.rule("IT-gioco-4a")
def test_it_gioco_4a_the_value_of_a_colour_does_not_change_while_it_is_in_play() -> None:
    table = opened("it", {"ana": 50}, chip=5)
    other = commands.BuyChips(by="croupier-1", player="ana", amount=50, chip=10)
    assert refused(table, other).why is RefusalReason.CHIP_VALUE_IS_SET


@pytest.mark.rule("IT-gioco-4a", "IT-gioco-4b", "IT-general-1")
def test_it_general_1_a_colour_chip_is_worth_the_minimum_and_is_not_broken() -> None:
    table = opened("it", {"ana": 100}, chip=5, limits={"straight": {"min": 5}})
    assert table.last(ChipsBought).chip == 5
    refusal = refused(table, place("ana", "17:7"))
    assert (refusal.why, refusal.articles) == (RefusalReason.NOT_WHOLE_CHIPS, ("IT-gioco-4b",))
    (id,) = table.stake("ana", "17:25")
    assert table.state.stakes[id].pieces == 5
    part = commands.WithdrawStake(by="ana", id=id, amount=7)
    assert refused(table, part).why is RefusalReason.NOT_WHOLE_CHIPS


# Bought here, and used here -----------------------------------------------------------------------


@pytest.mark.rule("IT-gioco-5")
def test_it_gioco_5_one_plays_with_chips_bought_at_the_table() -> None:
    table = opened("it", {"ana": 10, "ben": 0})
    assert table.last(ChipsBought).articles == ("IT-gioco-5",)
    for player, bet in (("ana", "17:11"), ("ben", "17:1")):
        refusal = refused(table, place(player, bet))
        assert (refusal.why, refusal.articles) == (RefusalReason.EXCEEDS_PURSE, ("IT-gioco-5",))


@pytest.mark.rule("IT-gioco-5", "IT-gioco-1")
@pytest.mark.parametrize("by", ["ana", "chief-1", MANAGEMENT])
def test_it_gioco_5_nobody_but_the_croupier_sells_chips(by: Identity) -> None:
    table = opened("it", {"ana": 0})
    wish = commands.BuyChips(by=by, player="ana", amount=50)
    assert refused(table, wish).why is RefusalReason.NOT_OF_THIS_POST


@pytest.mark.rule("IT-gioco-6a", "IT-general-4b")
def test_it_general_4b_the_chips_of_a_colour_are_played_by_its_owner_alone() -> None:
    table = opened("it", {"ana": 100, "ben": 100})
    (id,) = table.stake("ana", "17:5")
    articles = ("IT-gioco-6a", "IT-general-4b")
    lent = refused(table, place("ana", "18:5", by="ben"))
    assert (lent.why, lent.articles) == (RefusalReason.NOT_OF_THIS_POST, articles)
    for touch in (
        commands.WithdrawStake(by="ben", id=id),
        commands.MoveStake(by="ben", id=id, on="20"),
    ):
        refusal = refused(table, touch)
        assert (refusal.why, refusal.articles) == (RefusalReason.NOT_THEIR_STAKE, articles)


@pytest.mark.rule("IT-general-4b", "IT-general-4a")
def test_it_general_4b_who_has_left_plays_no_more_chips_of_his_colour() -> None:
    table = opened("it", {"ana": 100})
    table.act(commands.Leave(by="ana"))
    assert refused(table, place("ana", "17:5")).why is RefusalReason.NOT_SEATED


# Conversion ---------------------------------------------------------------------------------------


@pytest.mark.rule("IT-general-4a")
def test_it_general_4a_thirty_one_chips_of_five_are_155_in_value_chips() -> None:
    assert convert(31, value=5) == 155


@pytest.mark.rule("IT-general-4a", "AMB-IT-23")
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(commands.Leave(by="ana"), id="stops playing"),
        pytest.param(commands.StepAway(by="ana"), id="moves away"),
        pytest.param(commands.CloseTable(by=MANAGEMENT), id="the table closes"),
    ],
)
def test_it_amb_23_each_of_three_cases_alone_calls_for_the_conversion(
    command: commands.Command,
) -> None:
    table = opened("it", {"ana": 155}, chip=5)
    colour = colours(table)["ana"]
    table.act(command)
    done = table.last(ColourConverted)
    assert (done.player, done.colour, done.chips, done.amount) == ("ana", colour, 31, 155)
    assert done.articles == ("IT-general-4a",)


@pytest.mark.rule("IT-general-4a")
def test_it_general_4a_who_leaves_takes_his_chips_worth_with_him() -> None:
    table = opened("it", {"ana": 155}, chip=5)
    table.act(commands.Leave(by="ana"))
    assert table.last(PlayerLeft).amount == 155
    assert "ana" not in table.state.players


@pytest.mark.rule("IT-general-4a")
def test_it_general_4a_who_comes_back_holds_value_chips() -> None:
    table = opened("it", {"ana": 100})
    table.act(commands.StepAway(by="ana"))
    table.act(commands.ComeBack(by="ana"))
    assert colours(table)["ana"] is None
    (id,) = table.stake("ana", "17:1")
    assert table.state.stakes[id].kind is ChipKind.VALUE
    table.close()
    assert id in table.state.stakes


@pytest.mark.rule("IT-general-4a", "IT-gioco-4b")
def test_it_general_4a_a_short_absence_frees_the_colour() -> None:
    table = opened("it", {"ana": 100, "ben": 0}, colours=1)
    table.act(commands.StepAway(by="ana"))
    table.act(buy("ben"))
    table.act(commands.ComeBack(by="ana"))
    assert refused(table, buy("ana")).why is RefusalReason.NO_COLOUR_LEFT


@pytest.mark.rule("IT-general-4a")
def test_it_general_4a_value_chips_need_no_conversion() -> None:
    table = opened("it", {"val": 100}, value_chips=["val"])
    table.act(commands.StepAway(by="val"))
    table.act(commands.Leave(by="val"))
    assert not any(isinstance(event, ColourConverted) for event in table.events)


@pytest.mark.rule("IT-general-4a")
def test_it_general_4a_at_the_closing_what_lies_on_the_cloth_is_converted_too() -> None:
    table = opened("it", {"ana": 155}, chip=5, winning=Winning.CLOTH)
    table.stake("ana", "red:35")
    coup(table, 0)
    table.stake("ana", "17:25")
    table.act(commands.CloseTable(by="chief-1"))
    done = table.last(ColourConverted)
    assert (done.chips, done.amount) == (28, 140)
    assert table.purse("ana") == 140


@pytest.mark.rule("IT-general-4a")
def test_it_general_4a_nobody_leaves_while_his_chips_are_in_play() -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", "red:7")
    assert refused(table, commands.Leave(by="ana")).why is RefusalReason.STAKES_ON_THE_CLOTH
    coup(table, 0)
    assert refused(table, commands.Leave(by="ana")).why is RefusalReason.STAKES_ON_THE_CLOTH
    coup(table, 11)
    table.act(commands.Leave(by="ana"))


# Chips of another table ---------------------------------------------------------------------------


def with_foreign(chips: ForeignChips, on: str, winning: Winning = Winning.HAND) -> Table:
    """A table at which ana has laid chips of another table, besides five of her own elsewhere."""
    table = opened("it", {"ana": 100}, winning=winning)
    table.stake("ana", f"{on}:{chips.worth}", foreign=chips)
    table.stake("ana", "1:5")
    return table


@pytest.mark.parametrize(
    ("chips", "won"),
    [
        pytest.param(KNOWN, 525, marks=pytest.mark.rule("IT-general-5a")),
        pytest.param(UNKNOWN, 210, marks=pytest.mark.rule("IT-general-5b", "AMB-IT-14")),
    ],
)
@pytest.mark.parametrize("winning", list(Winning))
def test_it_general_5_chips_of_another_table_are_paid_and_handed_back(
    chips: ForeignChips, won: int, winning: Winning
) -> None:
    table = with_foreign(chips, "17", winning)
    assert table.purse("ana") == 95
    assert coup(table, 17).of("ana").won == won
    # Her own five are lost; the foreign chips are hers as before, but no chips of this table.
    assert table.purse("ana") == 95 + won
    assert not table.state.stakes
    assert table.state.bank == 5 - won


@pytest.mark.rule("IT-general-5a", "IT-general-5b")
@pytest.mark.parametrize(
    ("chips", "article"), [(KNOWN, "IT-general-5a"), (UNKNOWN, "IT-general-5b")]
)
def test_it_general_5_the_line_says_how_the_chips_were_valued(
    chips: ForeignChips, article: str
) -> None:
    table = with_foreign(chips, "17")
    table.pocket(17)
    table.call()
    assert table.state.settlement is not None
    (winner,) = (line for line in table.state.settlement.lines if line.won)
    assert {"IT-general-5a", "IT-general-5b"} & set(winner.articles) == {article}


@pytest.mark.rule("IT-general-5c")
def test_it_general_5c_losing_chips_of_another_table_are_withdrawn() -> None:
    chips = ForeignChips(6, "4", opening_minimum=2, value=5)
    table = with_foreign(chips, "red")
    table.pocket(17)
    table.call()
    assert table.state.settlement is not None
    lines = {line.stake.spot.name: line for line in table.state.settlement.lines}
    assert lines["red"].lost == 30
    assert "IT-general-5c" in lines["red"].articles
    assert "IT-general-5c" not in lines["1"].articles
    table.collect()
    assert (table.purse("ana"), table.state.bank) == (95, 35)


@pytest.mark.rule("IT-general-5a")
def test_it_general_5_chips_of_another_table_are_never_money_of_this_one() -> None:
    table = with_foreign(KNOWN, "17")
    table.act(commands.WithdrawStake(by="ana", id="s1"))
    assert table.purse("ana") == 95
    table.stake("ana", "17:15", foreign=KNOWN, id="again")
    table.act(commands.CloseTable(by=MANAGEMENT))
    assert (table.purse("ana"), table.last(ColourConverted).amount) == (100, 100)


@pytest.mark.rule("IT-general-5a", "IT-general-15c")
@pytest.mark.parametrize("winning", list(Winning))
def test_it_general_5a_above_the_maximum_they_are_cut_like_any_stake_and_handed_back(
    winning: Winning,
) -> None:
    table = opened("it", {"ana": 100}, limits={"straight": {"max": 10}}, winning=winning)
    table.stake("ana", "17:15", foreign=KNOWN)
    table.stake("ana", "1:5")
    table.pocket(17)
    table.call()
    assert table.state.settlement is not None
    (line,) = (line for line in table.state.settlement.lines if line.won)
    assert {"IT-general-5a", "IT-general-15c"} <= set(line.articles)
    assert (line.won, line.returned) == (350, 15)
    table.collect()
    table.pay()
    assert (table.purse("ana"), table.state.stakes) == (95 + 350, {})


@pytest.mark.rule("IT-general-5a", "IT-gioco-14")
def test_it_general_5a_at_zero_they_are_divided_by_chips_of_their_own_value() -> None:
    chips = ForeignChips(6, "4", opening_minimum=2, value=5)
    table = with_foreign(chips, "red")
    sums = coup(table, 0).of("ana")
    assert (sums.returned, sums.lost, sums.held) == (15, 15 + 5, 0)
    assert table.purse("ana") == 95


@pytest.mark.rule("IT-general-5a", "IT-gioco-15b", "AMB-IT-14")
@pytest.mark.parametrize("ending", ["freed", "taken", "closed"])
def test_it_general_5a_the_odd_one_waits_in_prison_and_is_handed_back_as_it_is(
    ending: str,
) -> None:
    chips = ForeignChips(7, "4", opening_minimum=2, value=5)
    table = with_foreign(chips, "red")
    assert coup(table, 0).of("ana").held == 5
    assert (table.purse("ana"), table.state.bank) == (95, 15 + 5)
    if ending == "closed":
        table.act(commands.CloseTable(by=MANAGEMENT))
        assert table.last(ColourConverted).amount == 95
    else:
        sums = coup(table, 9 if ending == "freed" else 8).of("ana")
        assert (sums.returned, sums.lost) == ((5, 0) if ending == "freed" else (0, 5))
    assert table.purse("ana") == 95
    assert table.state.bank == (25 if ending == "taken" else 20)
    assert not table.state.prison


@pytest.mark.rule("IT-general-5b")
@pytest.mark.parametrize(
    "chips",
    [
        ForeignChips(0, "4", opening_minimum=2),
        ForeignChips(-3, "4", opening_minimum=-2),
        ForeignChips(3, "4", opening_minimum=0, value=5),
        ForeignChips(3, "4", opening_minimum=2, value=0),
    ],
)
def test_it_general_5b_chips_that_are_no_number_or_no_worth_are_refused(
    chips: ForeignChips,
) -> None:
    table = opened("it", {"ana": 100})
    refusal = refused(table, place("ana", "17:5", foreign=chips, by="croupier-1"))
    assert refusal.why is RefusalReason.AMOUNT_NOT_POSITIVE
