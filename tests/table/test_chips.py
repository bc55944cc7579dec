"""Chips: bought, of a colour, of a value, of another table; and what waits for who is away."""

from dataclasses import replace
from typing import Any

import pytest

from novamas.game.chips import COLOURS, ForeignChips, takes
from novamas.game.cloth import spot
from novamas.game.rulebook.behaviours import Act, ChipKind, LimitsKept, Winning
from novamas.rulebooks import HOUSES, load
from novamas.table import commands, events
from tests.rules.helpers import Table, coup, opened, place, refused
from tests.table.staging import answer, at

OK = "ok"


def buy(table: Table, player: str, amount: Any = 100, **more: Any) -> commands.BuyChips:
    return commands.BuyChips(by=table.staff(Act.SELL_CHIPS), player=player, amount=amount, **more)


def seated(house: str, *players: str, **setup: Any) -> Table:
    """An open table with players who have bought nothing yet."""
    return opened(house, dict.fromkeys(players, 0), **setup)


# Buying -------------------------------------------------------------------------------------------


@pytest.mark.rule("AR-2.a", "IT-gioco-5", "BG-1")
@pytest.mark.parametrize("house", HOUSES)
def test_who_has_bought_nothing_stakes_nothing(house: str) -> None:
    table = seated(house, "ana")
    refusal = refused(table, place("ana", "17:1"))
    assert refusal.why.value == "exceeds_purse"
    assert refusal.articles == load(house).chips.cites.bought_here
    table.act(buy(table, "ana", 1))
    assert answer(table, place("ana", "17:2")) == "exceeds_purse"
    assert answer(table, place("ana", "17:1")) == OK
    assert table.purse("ana") == 0


COLOURED = [house for house in HOUSES if takes(load(house), ChipKind.COLOUR)]
"""The houses that sell colours; in the French roulette all play value chips (AMB-FR-09)."""


@pytest.mark.rule("AR-2.b", "IT-gioco-4b", "AMB-AR-30", "SD-G.5")
@pytest.mark.parametrize("house", [h for h in COLOURED if load(h).chips.colours is None])
def test_a_colour_has_one_owner_and_the_table_runs_out_of_them(house: str) -> None:
    table = seated(house, "ana", "luis", "eva", "ivo", colours=3)
    assert answer(table, buy(table, "ana", colour=COLOURS[1])) == OK
    assert answer(table, buy(table, "luis", colour=COLOURS[1])) == "colour_in_play"
    assert answer(table, buy(table, "luis", colour="gold")) == "colour_in_play"
    assert answer(table, buy(table, "luis")) == OK
    assert answer(table, buy(table, "eva")) == OK
    colours = [table.state.players[name].colour for name in ("ana", "luis", "eva")]
    assert colours == [COLOURS[1], COLOURS[0], COLOURS[2]]
    refusal = refused(table, buy(table, "ivo"))
    assert refusal.why.value == "no_colour_left"
    assert refusal.articles == load(house).chips.cites.own_colour
    table.act(commands.Leave(by="luis"))
    assert answer(table, buy(table, "ivo")) == OK
    assert table.state.players["ivo"].colour == COLOURS[0]


@pytest.mark.rule("FRAM-55-1.c", "FRAN-55-10.b")
@pytest.mark.parametrize(("house", "colours"), [("fram", 10), ("fran", 7)])
def test_a_house_may_say_how_many_colours_there_are(house: str, colours: int) -> None:
    table = seated(house, "ana", "luis", colours=1)
    assert table.state.colours == colours
    assert answer(table, buy(table, "ana", colour=COLOURS[colours - 1])) == OK
    assert answer(table, buy(table, "luis", colour=COLOURS[colours - 1])) == "colour_in_play"
    assert answer(table, buy(table, "luis", colour="gold")) == "colour_in_play"
    assert answer(table, buy(table, "luis")) == OK


@pytest.mark.rule("AMB-FR-09")
def test_fr_sells_value_chips_alone() -> None:
    table = seated("fr", "ana")
    assert answer(table, buy(table, "ana", chip=5)) == "chips_not_taken_here"
    assert answer(table, buy(table, "ana", 50)) == OK
    player = table.state.players["ana"]
    assert (player.purse, player.colour, player.value_chips) == (50, None, True)


@pytest.mark.parametrize("house", [h for h in COLOURED if h != "fran"])
def test_more_chips_are_of_the_same_colour_and_value(house: str) -> None:
    table = seated(house, "ana", chip=1)
    table.act(buy(table, "ana", chip=5))
    assert answer(table, buy(table, "ana", chip=2)) == "chip_value_is_set"
    assert answer(table, buy(table, "ana", colour=COLOURS[3])) == "one_colour_per_player"
    assert answer(table, buy(table, "ana", 50)) == OK
    player = table.state.players["ana"]
    assert (player.purse, player.chip, player.colour) == (150, 5, COLOURS[0])


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("amount", [0, -1, True, 1.5, "5", None])
def test_an_amount_is_a_whole_number_above_zero(house: str, amount: Any) -> None:
    table = at(house, "betting")
    win = commands.WithdrawStake(by="ana", id="win", amount=amount)
    asked: list[commands.Command] = [
        buy(table, "luis", amount),
        commands.PlaceStake(by="luis", id="x", player="luis", on="17", amount=amount),
    ]
    if amount is not None:
        asked += [win, buy(table, "luis", chip=amount)]
    if load(house).announcements.calls:
        asked.append(
            commands.Announce(by="luis", id="x", player="luis", call="tiers", amount=amount)
        )
    for command in asked:
        assert answer(table, command) == "amount_not_positive", command


@pytest.mark.rule("AR-3.a", "AR-3.b", "IT-general-6a")
def test_each_spot_takes_the_chips_that_the_book_says() -> None:
    taken = {
        house: {
            on: {
                kind
                for kind in ChipKind
                if answer(at(house, "betting"), place("luis", f"{on}:10", chips=kind)) == OK
            }
            for on in ("32", "red")
        }
        for house in HOUSES
    }
    both = {ChipKind.COLOUR, ChipKind.VALUE}
    assert taken == {
        "ar": {"32": {ChipKind.COLOUR}, "red": {ChipKind.CHANCE}},
        "es": {"32": both, "red": both},
        "it": {"32": both, "red": both},
        "bg": {"32": both, "red": both},
        "fr": {"32": {ChipKind.VALUE}, "red": {ChipKind.VALUE}},
        "fram": {"32": {ChipKind.COLOUR}, "red": {ChipKind.COLOUR}},
        "fran": {"32": {ChipKind.COLOUR}, "red": both},
        "esam": {"32": both, "red": both},
        "sd": {"32": both, "red": both},
    }


@pytest.mark.rule("AR-3.a")
def test_ar_3_no_value_chips_are_sold_where_none_are_taken() -> None:
    for house in HOUSES:
        table = seated(house, "ana")
        found = answer(table, buy(table, "ana", value_chips=True))
        rules = load(house).chips
        taken = ChipKind.VALUE in (*rules.on_numbers, *rules.on_chances)
        assert found == (OK if taken else "chips_not_taken_here")


# Whole chips --------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", COLOURED)
def test_colour_chips_are_not_broken(house: str) -> None:
    table = opened(house, {"ana": 100}, chips={"ana": 5})
    assert answer(table, place("ana", "17:7")) == "not_whole_chips"
    assert answer(table, place("ana", "17:10", id="whole")) == OK
    part = commands.WithdrawStake(by="ana", id="whole", amount=3)
    assert answer(table, part) == "not_whole_chips"
    assert answer(table, commands.WithdrawStake(by="ana", id="whole", amount=5)) == OK
    assert table.state.stakes["whole"].amount == 5
    assert table.purse("ana") == 95


@pytest.mark.rule("X-03")
@pytest.mark.parametrize("house", HOUSES)
def test_x_03_at_a_live_table_no_chip_of_any_kind_is_broken(house: str) -> None:
    table = seated(house, "ana", chip=2, live=True)
    assert answer(table, buy(table, "ana", 99)) == "not_whole_chips"
    if house in COLOURED:
        assert answer(table, buy(table, "ana", 100, chip=5)) == "not_whole_chips"
    assert answer(table, buy(table, "ana", 100)) == OK
    for on in ("17", "red"):
        for kind in (None, *load(house).chips.on_chances):
            found = answer(table, place("ana", f"{on}:3", chips=kind))
            assert found in ("not_whole_chips", "chips_not_taken_here")
        assert answer(table, place("ana", f"{on}:4", id=on)) == OK
        part = commands.WithdrawStake(by="ana", id=on, amount=1)
        assert answer(table, part) == "not_whole_chips"


# Conversion ---------------------------------------------------------------------------------------


@pytest.mark.rule("IT-general-4a", "FRAN-55-13.f")
@pytest.mark.parametrize("house", COLOURED)
def test_who_leaves_takes_his_chips_changed(house: str) -> None:
    table = opened(house, {"ana": 155, "luis": 10}, chips={"ana": 5})
    table.act(commands.Leave(by="ana"))
    changed = table.last(events.ColourConverted)
    assert (changed.chips, changed.chip, changed.amount) == (31, 5, 155)
    assert changed.articles == load(house).chips.cites.converted_on_leaving
    assert table.last(events.PlayerLeft).amount == 155
    assert "ana" not in table.state.players


@pytest.mark.parametrize("house", HOUSES)
def test_nobody_leaves_while_his_chips_are_in_play(house: str) -> None:
    table = at(house, "betting")
    assert answer(table, commands.Leave(by="ana")) == "stakes_on_the_cloth"
    assert answer(table, commands.Leave(by="eva")) == "not_seated"


def test_es_nobody_leaves_a_prisoner_behind() -> None:
    table = opened("es", {"ana": 100})
    table.stake("ana", "red:10")
    coup(table, 0)
    assert not table.state.stakes
    assert answer(table, commands.Leave(by="ana")) == "stakes_on_the_cloth"


@pytest.mark.rule("IT-general-4a", "AMB-IT-23")
def test_it_general_4a_even_a_short_absence_changes_the_colour() -> None:
    for house in COLOURED:
        table = opened(house, {"ana": 155}, chips={"ana": 5})
        table.act(commands.StepAway(by="ana"))
        converted = [e for e in table.events if isinstance(e, events.ColourConverted)]
        player = table.state.players["ana"]
        if load(house).chips.converted_when_away:
            assert [event.chips for event in converted] == [31]
            assert (player.colour, player.value_chips) == (None, True)
        else:
            assert not converted
            assert player.colour == COLOURS[0]
        assert player.purse == 155
    assert [house for house in HOUSES if load(house).chips.converted_when_away] == ["it"]


@pytest.mark.rule("IT-gioco-4b", "IT-general-4a")
def test_it_a_colour_that_still_lies_on_the_cloth_is_nobody_elses() -> None:
    table = opened("it", {"ana": 100, "luis": 0}, colours=2)
    table.stake("ana", "17:10")
    table.act(commands.StepAway(by="ana"))
    assert answer(table, buy(table, "luis", colour=COLOURS[0])) == "colour_in_play"
    coup(table, 5)
    table.act(commands.ComeBack(by="ana"))


# Chips of another table ---------------------------------------------------------------------------

FOREIGN = ForeignChips(3, "4", opening_minimum=2)


@pytest.mark.rule("IT-general-5a", "IT-general-5b", "IT-general-5c", "IT-gioco-5", "AMB-IT-14")
@pytest.mark.parametrize("winning", Winning)
@pytest.mark.parametrize(("value", "number", "won"), [(5, 17, 525), (None, 17, 210), (5, 3, 0)])
def test_it_general_5_chips_of_another_table_are_paid_and_handed_back(
    value: int | None, number: int, won: int, winning: Winning
) -> None:
    table = opened("it", {"ana": 100}, winning=winning)
    foreign = replace(FOREIGN, value=value)
    table.stake("ana", "17:1", foreign=foreign, id="f")
    table.stake("ana", "1/6:5")
    assert table.state.stakes["f"].amount == foreign.worth
    assert table.purse("ana") == 95
    coup(table, number)
    # What they win is paid in chips of this table; they themselves go back as they are.
    assert table.purse("ana") + table.state.on_cloth == 95 + won + (30 if number == 3 else 0)
    assert "f" not in table.state.stakes
    line = next(x for x in settled_lines(table) if x.stake.id == "f")
    assert line.lost == (0 if won else foreign.worth)


def settled_lines(table: Table) -> Any:
    return table.last(events.NumberCalled).settlement.lines


@pytest.mark.parametrize("house", [h for h in HOUSES if not load(h).chips.foreign_paid])
def test_elsewhere_chips_of_another_table_are_not_taken(house: str) -> None:
    table = at(house, "betting")
    said = place("luis", "17:1", foreign=FOREIGN, by=table.staff(Act.PLACE_FOR_PLAYER))
    assert answer(table, said) == "chips_not_bought_here"


@pytest.mark.parametrize(
    "foreign",
    [
        ForeignChips(0, "4", opening_minimum=2),
        ForeignChips(-3, "4", opening_minimum=2),
        ForeignChips(3, "4", opening_minimum=0),
        ForeignChips(3, "4", opening_minimum=2, value=0),
        ForeignChips(3, "4", opening_minimum=2, value=-5),
        ForeignChips(number=True, table="4", opening_minimum=2),
    ],
)
def test_chips_of_another_table_are_counted_too(foreign: ForeignChips) -> None:
    said = place("luis", "17:1", foreign=foreign, by="croupier-1")
    assert answer(at("it", "betting"), said) == "amount_not_positive"


def test_it_chips_of_another_table_go_back_when_withdrawn() -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", "17:1", foreign=FOREIGN, id="f")
    table.act(commands.WithdrawStake(by="ana", id="f"))
    assert table.purse("ana") == 100
    assert table.state.bank == 0


# Away, and custody --------------------------------------------------------------------------------


@pytest.mark.rule("X-07", "IT-general-14a")
@pytest.mark.parametrize("winning", Winning)
@pytest.mark.parametrize("house", HOUSES)
def test_the_winners_of_who_is_away_go_to_his_hand_or_to_custody(
    house: str, winning: Winning
) -> None:
    table = opened(house, {"ana": 100}, winning=winning)
    table.stake("ana", "9:5")
    table.act(commands.StepAway(by="ana"))
    coup(table, 9)
    assert not table.state.stakes
    set_aside = load(house).absence.to_custody
    assert table.state.custody == ({"ana": 180} if set_aside else {})
    assert table.purse("ana") == (95 if set_aside else 275)
    claim = commands.ClaimCustody(by=table.staff(Act.PAY), player="ana")
    assert answer(table, claim) == (OK if set_aside else "nothing_in_custody")
    assert table.purse("ana") == 275
    assert answer(table, claim) == "nothing_in_custody"


@pytest.mark.rule("IT-general-14b", "AMB-IT-10")
def test_it_general_14b_a_chance_rides_three_more_coups_and_is_then_set_aside() -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", "red:5")
    table.act(commands.StepAway(by="ana"))
    riding = []
    for number in (9, 12, 14, 16):
        coup(table, number)
        riding.append((table.state.on_cloth, table.state.custody.get("ana", 0)))
    assert riding == [(10, 0), (20, 0), (40, 0), (0, 80)]


@pytest.mark.rule("IT-general-14b", "AMB-IT-10")
def test_it_who_comes_back_finds_what_rode_and_it_rides_no_more() -> None:
    table = opened("it", {"ana": 100}, winning=Winning.HAND)
    table.stake("ana", "red:5")
    table.act(commands.StepAway(by="ana"))
    coup(table, 9)
    coup(table, 12)
    table.act(commands.ComeBack(by="ana"))
    assert table.state.on_cloth == 20
    coup(table, 14)
    assert (table.purse("ana"), table.state.on_cloth) == (95 + 40, 0)
    assert not table.state.custody


@pytest.mark.parametrize("moment", ["collecting", "paying"])
def test_it_who_comes_back_during_the_payments_is_back_for_the_next_coup(moment: str) -> None:
    table = opened("it", {"ana": 100}, winning=Winning.HAND)
    table.stake("ana", "red:5")
    table.act(commands.StepAway(by="ana"))
    table.pocket(9)
    table.call()
    if moment == "paying":
        table.collect()
    table.act(commands.ComeBack(by="ana"))
    if moment == "collecting":
        table.collect()
    table.pay()
    (stake,) = table.state.stakes.values()
    assert (stake.amount, stake.away, stake.waited) == (10, False, None)
    coup(table, 12)
    assert (table.purse("ana"), table.state.on_cloth) == (95 + 20, 0)


@pytest.mark.rule("AMB-IT-10")
@pytest.mark.parametrize("kept", LimitsKept)
def test_it_what_rides_past_the_maximum_is_set_aside_at_once(kept: LimitsKept) -> None:
    table = opened("it", {"ana": 100}, limits={"simple": {"max": 50}}, limits_kept=kept)
    table.stake("ana", "red:20 red:20")
    table.act(commands.StepAway(by="ana"))
    coup(table, 9)
    assert table.state.on_spot == {("ana", spot("red")): 50}
    assert table.state.custody == {"ana": 30}


def test_nobody_is_away_or_back_twice() -> None:
    for house in HOUSES:
        table = at(house, "betting")
        assert answer(table, commands.ComeBack(by="luis")) == "player_is_not_away"
        assert answer(table, commands.StepAway(by="luis")) == OK
        assert answer(table, commands.StepAway(by="luis")) == "player_is_away"
        assert answer(table, place("luis", "32:10")) == "player_is_away"
        assert answer(table, commands.ComeBack(by="luis")) == OK
        assert answer(table, place("luis", "32:10")) == OK


def test_it_who_has_something_in_custody_does_not_leave_it_behind() -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", "9:5")
    table.act(commands.StepAway(by="ana"))
    coup(table, 9)
    assert answer(table, commands.Leave(by="ana")) == "stakes_on_the_cloth"
    table.act(commands.ClaimCustody(by=table.staff(Act.PAY), player="ana"))
    assert answer(table, commands.Leave(by="ana")) == OK
    assert table.last(events.PlayerLeft).amount == 275
