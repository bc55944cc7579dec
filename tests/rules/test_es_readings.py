"""Spain, what no article says: winners on the cloth, absence, closing, the chips."""

import pytest

from novamas.game.chips import ForeignChips
from novamas.game.rulebook.behaviours import ChipKind, Winning
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.refusals import RefusalReason
from novamas.table.state import Setup
from tests.rules.helpers import case, coup, opened, place, refused


@pytest.mark.rule("AMB-ES-12")
def test_amb_es_12_what_comes_from_the_order_of_1979_says_so() -> None:
    for article in load("es").articles.values():
        filled_in = article.id.startswith("ES-G.")
        source = "Orden de 9 de octubre de 1979" if filled_in else None
        assert article.source == source, article.id


@pytest.mark.rule("ES-7.2.a6", "X-02")
def test_es_7_2_a6_what_wins_stays_on_the_cloth_unless_the_table_says_otherwise() -> None:
    assert Setup.usual(load("es")).winning is Winning.CLOTH
    table = opened("es", {"ana": 100}, winning=Winning.CLOTH)
    table.stake("ana", "red:10 17:10")
    assert coup(table, 9).of("ana").won == 10
    assert (table.purse("ana"), table.state.on_cloth) == (90, 10)
    assert coup(table, 12).of("ana").won == 10
    table.act(commands.WithdrawStake(by="ana", id="s1"))
    assert (table.purse("ana"), table.state.on_cloth) == (110, 0)


@pytest.mark.rule("X-02", "ES-7.2.b4")
def test_x_02_a_bet_freed_from_prison_goes_back_to_the_hand() -> None:
    table = opened("es", {"ana": 100}, winning=Winning.CLOTH)
    table.stake("ana", "red:10")
    coup(table, 0)
    coup(table, 9)
    assert (table.purse("ana"), table.state.on_cloth) == (100, 0)


@pytest.mark.rule("X-07")
@pytest.mark.parametrize("on", ["17", "black"])
def test_x_07_what_wins_for_a_player_who_is_away_goes_to_his_hand(on: str) -> None:
    table = opened("es", {"ana": 100}, winning=Winning.CLOTH)
    table.stake("ana", f"{on}:10")
    table.act(commands.StepAway(by="ana"))
    won = coup(table, 17).of("ana").won
    assert (table.purse("ana"), table.state.on_cloth) == (100 + won, 0)
    assert not table.state.custody
    (line,) = table.last(events.NumberCalled).settlement.lines
    assert "X-07" in line.articles


@pytest.mark.rule("NV-02")
def test_nv_02_a_table_closes_between_two_coups_without_a_countdown() -> None:
    table = opened("es", {"ana": 100})
    refusal = refused(table, commands.AnnounceLastGames(by="croupier-1"))
    assert (refusal.why, refusal.articles) == (RefusalReason.NO_LAST_GAMES_IN_THE_BOOK, ("NV-02",))
    table.stake("ana", "17:10")
    table.close()
    close = commands.CloseTable(by="chief-1")
    assert refused(table, close).why is RefusalReason.COUP_IN_PLAY
    coup(table, 20)
    table.act(close)
    assert table.last(events.TableClosed).articles == ("NV-02",)
    assert refused(table, place("ana", "17:10")).why is RefusalReason.TABLE_IS_CLOSED


@pytest.mark.rule("NV-03")
def test_nv_03_betting_opens_with_the_customary_words() -> None:
    table = opened("es", {"ana": 100})
    assert table.last(events.TableOpened).call == "Hagan juego, señores"
    coup(table, 17)
    assert table.last(events.CoupEnded).call == "Hagan juego, señores"


@pytest.mark.parametrize(
    ("on", "usual"),
    [case("NV-04", "17", ChipKind.COLOUR), case("NV-04", "red", ChipKind.COLOUR)],
)
def test_nv_04_a_player_plays_his_colour_or_value_chips(on: str, usual: ChipKind) -> None:
    table = opened("es", {"ana": 100, "luis": 100}, value_chips=["luis"])
    table.stake("ana", f"{on}:10")
    table.stake("luis", f"{on}:10")
    table.stake("ana", f"{on}:10", chips=ChipKind.VALUE)
    kinds = [stake.kind for stake in table.state.stakes.values()]
    assert kinds == [usual, ChipKind.VALUE, ChipKind.VALUE]
    refusal = refused(table, place("ana", f"{on}:10", chips=ChipKind.CHANCE))
    assert (refusal.why, refusal.articles) == (RefusalReason.CHIPS_NOT_TAKEN_HERE, ("NV-04",))


@pytest.mark.rule("NV-04")
def test_nv_04_one_colour_has_one_owner() -> None:
    table = opened("es", {"ana": 100, "luis": 0})
    colour = table.state.players["ana"].colour
    sold = commands.BuyChips(by="croupier-1", player="luis", amount=10, colour=colour)
    refusal = refused(table, sold)
    assert (refusal.why, refusal.articles) == (RefusalReason.COLOUR_IN_PLAY, ("NV-04",))


@pytest.mark.rule("NV-04")
def test_nv_04_a_colour_is_changed_back_when_its_owner_leaves() -> None:
    table = opened("es", {"ana": 100}, chip=5)
    table.act(commands.Leave(by="ana"))
    changed = table.last(events.ColourConverted)
    assert (changed.chips, changed.amount, changed.articles) == (20, 100, ("NV-04",))


@pytest.mark.rule("NV-04")
def test_nv_04_chips_of_another_table_are_not_played_here() -> None:
    table = opened("es", {"ana": 100})
    foreign = ForeignChips(3, "4", opening_minimum=5)
    refusal = refused(table, place("ana", "17:15", foreign=foreign, by="croupier-1"))
    assert (refusal.why, refusal.articles) == (RefusalReason.CHIPS_NOT_BOUGHT_HERE, ("NV-04",))
    assert refused(table, place("ana", "17:101")).articles == ("NV-04",)
