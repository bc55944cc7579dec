"""`nv.settle` and the coup that it gives."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

import novamas as nv
from novamas.game.announcements import call_of, names
from scripts.ledger import ROOT

PARIS = ROOT / "docs" / "examples" / "paris.toml"
NOVAMAS = Path(sys.executable).with_name("novamas")


def test_the_example_of_the_issue() -> None:
    coup = nv.settle("ar", 17, "ana 17:5 14/17:10 red:50", "luis 17/20:4")
    assert coup.net == {"ana": 295, "luis": 68}
    assert coup.bank == -363
    assert [line.stake.id for line in coup.lines] == ["b3", "b4", "b1", "b2"]
    assert [payment.player for payment in coup.payments] == ["luis", "ana"]
    assert [reduction.player for reduction in coup.reductions] == ["ana"]
    told = coup.explain(language="es")
    assert told.startswith("ana: 50 a colorado; salió el 17.")
    assert "AR-6.a: " in told
    assert coup.explain("luis").startswith("luis: 4 on semipleno 17/20; 17 came up.")


@pytest.mark.parametrize("house", ["ar", nv.load("ar"), str(PARIS), PARIS])
def test_a_house_is_an_id_a_path_or_a_rulebook(house: str | Path | nv.Rulebook) -> None:
    assert nv.settle(house, 17, "ana 17:5").net == {"ana": 175}


def test_hands_in_one_text_or_many_and_stakes_are_the_same() -> None:
    texts = nv.settle("ar", 17, "ana 17:5 red:50", "luis 17/20:4")
    together = nv.settle("ar", 17, "ana 17:5 red:50; luis 17/20:4")
    chance = nv.load("ar").chips.on_chances[0]
    stakes = [
        nv.Stake("b1", "ana", nv.spot("17"), 5),
        nv.Stake("b2", "ana", nv.spot("red"), 50, kind=chance),
        nv.Stake("b3", "luis", nv.spot("17/20"), 4),
    ]
    assert texts.lines == together.lines == nv.settle("ar", 17, *stakes).lines


def test_words_of_any_house_may_be_written() -> None:
    assert nv.settle("it", 32, "anna rosso:10 червено:10 rojo:10").net == {"anna": 30}


def test_what_is_too_little_goes_back_and_plays_as_laid() -> None:
    coup = nv.settle("it", 17, "anna 17:1", "luca 17:5")
    assert [(each.stake.player, each.amount) for each in coup.sent_back] == [("anna", 1)]
    assert coup.net == {"anna": 0, "luca": 175}
    assert "anna: " in coup.explain()
    assert nv.settle("it", 17, "anna 17:1", as_laid=True).net == {"anna": 35}


def test_limits_chips_prison_and_the_last_coup() -> None:
    limits = {"straight": {"max": 100}, "split": {"max": 200}}
    over = nv.settle("ar", 17, "ana 17:150", limits=limits)
    assert over.net == {"ana": 4350}
    assert nv.settle("ar", 17, "ana 17:10", "luis 17:4", chip={"ana": 5}).lines[1].stake.chip == 5
    prisoner = nv.Prisoner("p", "ana", nv.spot("red"), 50)
    freed = nv.settle("es", 32, prison=[prisoner])
    assert (freed.net, freed.lines[0].returned) == ({"ana": 0}, 50)
    assert nv.settle("es", 32, "ana red:50", winning="cloth").lines[0].stays == 50
    assert nv.settle("es", 0, "ana red:50", last=True).lines[0].held == 0


def random_hand(house: str, chance: random.Random) -> str:
    book = nv.load(house)
    bets: list[str] = []
    for _ in range(chance.randint(1, 5)):
        calls = names(book)
        if calls and chance.random() < 0.3:
            name = chance.choice(calls)
            call = call_of(book, name)
            assert call is not None
            bets.append(f"{name}:{len(call.pieces) * chance.randint(1, 4)}")
        else:
            bets.append(f"{chance.choice(list(book.terms)).name}:{chance.randint(1, 40)}")
    return " ".join(bets)


@pytest.mark.slow
@pytest.mark.parametrize("house", nv.houses()[:4])
def test_it_settles_as_the_table_of_the_command_does(house: str) -> None:
    """Random hands, announcements among them, through `novamas settle` and through the library."""
    chance = random.Random(f"settle {house}")  # noqa: S311 - the same hands every time
    for _ in range(3):
        number = chance.randrange(37)
        hands = [f"{player} {random_hand(house, chance)}" for player in ("ana", "luis")]
        done = subprocess.run(
            [NOVAMAS, "settle", house, str(number), *hands, "--json"],
            capture_output=True,
            text=True,
            check=True,
        )
        told = json.loads(done.stdout)
        coup = nv.settle(house, number, *hands)
        assert coup.net == {name: s["won"] - s["lost"] for name, s in told["players"].items()}
        assert coup.bank == told["bank"]
        assert [list(line.articles) for line in coup.lines] == [
            line["articles"] for line in told["lines"]
        ], hands
        assert len(coup.sent_back) == len(told["sent_back"])
