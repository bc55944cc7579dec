"""`nv.Table`: the real table, dealt by the automatic croupier."""

from __future__ import annotations

import pytest

import novamas as nv
from novamas.table import events


def test_the_example_of_the_issue() -> None:
    table = nv.Table("it", players={"anna": 1_000}, seed=7)
    table.stake("anna", "17:5 tiers:6")
    assert table.purses == {"anna": 989}
    coup = table.spin()
    assert table.purses == {"anna": 1_000 + coup.net["anna"]}
    kinds = [type(event) for event in table.events]
    assert kinds.index(events.TableOpened) < kinds.index(events.NumberCalled)
    assert kinds[-1] is events.CoupEnded


@pytest.mark.parametrize("house", nv.houses()[:4])
def test_every_unit_is_accounted_for_over_many_coups(house: str) -> None:
    """Purses, cloth and prison change by just what the coups brought."""
    table = nv.Table(house, players={"ana": 5_000, "luis": 5_000}, seed=11)
    for coup in table.play({"ana": "red:10 17:5", "luis": "d1:8 14/17:6"}, coups=60):
        assert set(coup.net) == {"ana", "luis"}
    held = sum(each.amount for each in table.prison)
    brought = sum(sum(coup.net.values()) for coup in table.coups)
    chosen = sum(e.line.won - e.line.lost for e in table.events if isinstance(e, events.ChoiceMade))
    assert sum(table.purses.values()) + held == 10_000 + brought + chosen
    assert len(table.coups) == 60


def test_a_seed_gives_the_same_evening_and_no_seed_another() -> None:
    def evening(seed: int | None) -> list[int | str]:
        table = nv.Table("ar", players={"ana": 1_000}, seed=seed)
        return [coup.pocket for coup in table.play("red:1", coups=60)]

    assert evening(7) == evening(7)
    assert evening(7) != evening(8)
    assert evening(None) != evening(None)


def test_it_settles_as_settle_does() -> None:
    table = nv.Table("ar", players={"ana": 1_000, "luis": 1_000})
    table.stake("ana", "17:5 14/17:10 red:50")
    table.stake("luis", "17/20:4")
    coup = table.spin(number=17)
    assert coup.net == nv.settle("ar", 17, "ana 17:5 14/17:10 red:50", "luis 17/20:4").net
    assert table.purses == {"ana": 1_295, "luis": 1_068}


def test_bets_that_are_refused_leave_nothing() -> None:
    table = nv.Table("it", players={"anna": 100}, seed=7)
    with pytest.raises(nv.TableRefusedError) as raised:
        table.stake("anna", "17:5 tiers:6 red:500")
    assert raised.value.refusal.why.value == "exceeds_purse"
    assert (table.purses, table.stakes) == ({"anna": 100}, ())


def test_a_player_takes_back_chooses_buys_and_leaves() -> None:
    table = nv.Table("es", players={"ana": 100})
    table.stake("ana", "17:5 red:50")
    assert table.withdraw("ana") == 55
    table.stake("ana", "red:50")
    table.spin(number=0)
    assert [prisoner.amount for prisoner in table.prison] == [50]
    (line,) = table.choose("ana", "half")
    assert (line.returned, line.lost, table.prison) == (25, 25, ())
    table.buy("ana", 25)
    table.sit("luis", 10)
    assert table.leave("ana") == 100
    assert table.purses == {"luis": 10}


def test_winning_stakes_stay_on_the_cloth_where_that_is_asked() -> None:
    table = nv.Table("es", players={"ana": 100}, winning="cloth")
    table.stake("ana", "red:50")
    table.spin(number=32)
    assert [stake.amount for stake in table.stakes] == [50]
    assert table.purses == {"ana": 100}


def test_a_strategy_is_text_a_dict_or_a_function() -> None:
    def careful(table: nv.Table) -> str | None:
        return "red:10" if table.purses["ana"] >= 95 else None

    table = nv.Table("ar", players={"ana": 100, "luis": 100}, seed=3)
    for coup in table.play("red:1", coups=2):
        assert all(coup.net.values())
    list(table.play({"luis": "17:1"}, coups=1))
    list(table.play(nv.parse("black:2"), coups=1))
    alone = nv.Table("ar", players={"ana": 100}, seed=3)
    assert len(list(alone.play(careful, coups=20))) == 20
    assert alone.purses["ana"] >= 85


def test_play_ends_when_nobody_has_anything_left() -> None:
    table = nv.Table("ar", players={"ana": 3}, seed=1)
    coups = list(table.play("17:1", coups=1_000))
    assert len(coups) < 1_000
    assert table.purses == {"ana": 0}


def test_the_coups_make_columns() -> None:
    table = nv.Table("ar", players={"ana": 100}, seed=7)
    list(table.play("red:10", coups=3))
    assert table.columns().columns["coup"] == [1, 2, 3]
    assert table.frame("polars").shape == (3, 3)
