"""What the playground is answered: what the library says, and each fault with its field."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import novamas as nv
from novamas import rulebooks
from novamas.cli.messages import LANGUAGES
from playground.answers import LONGEST, MOST_COUPS, answer


def ask(kind: str, **asked: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer(json.dumps({"ask": kind, **asked})))
    return found


def coup(house: str, number: str, stakes: str, **more: Any) -> dict[str, Any]:
    return ask("coup", house=house, number=number, stakes=stakes, **more)


def column(table: dict[str, Any], key: str) -> list[str]:
    place = table["keys"].index(key)
    return [row[place] for row in table["rows"]]


def test_a_coup_is_settled_as_the_library_settles_it() -> None:
    found = coup("ar", "17", "ana 17:5 14/17:10 red:50\nluis 17/20:4")
    expected = nv.settle("ar", 17, "ana 17:5 14/17:10 red:50", "luis 17/20:4")
    (told,) = found["coups"]
    assert found["players"] == ["ana", "luis"]
    assert told["call"] == expected.call
    assert told["cloth"] == expected.cloth().svg()
    assert told["summary"] == "ana +295, luis +68"
    assert column(told["lines"], "articles") == [" ".join(x.articles) for x in expected.lines]
    won = [f"{line.won:,}" if line.won else "-" for line in expected.lines]
    assert column(told["lines"], "won") == won
    assert [row[1] for row in told["paid"]["rows"]] == [each.player for each in expected.payments]
    assert told["paid"]["rows"][1][2] == "350 = 10 × 35; 10 chips stay"
    assert told["reduced"][0] == "ana: 10 × semipleno → 5 × pleno, 5 to the bank (AR-24.b, AR-27.a)"
    assert told["sums"]["rows"][-1][-1] == "-363"
    told_why = [f"{why['player']}: {why['told']}" for why in told["why"]]
    assert told_why == [line for line in expected.explain().splitlines() if line[0] != " "]


@pytest.mark.parametrize("house", rulebooks.HOUSES)
@pytest.mark.parametrize("orientation", ["landscape", "portrait"])
def test_every_spot_has_its_place_inside_the_drawing(house: str, orientation: str) -> None:
    found = coup(house, "17", "", orientation=orientation)
    assert {name for name, *_ in found["spots"]} == {spot.name for spot in nv.load(house).terms}
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', found["coups"][0]["cloth"])
    assert size is not None
    width, height = map(float, size.groups())
    assert all(0 < x < width and 0 < y < height for _, x, y in found["spots"])
    assert (width > height) == (orientation == "landscape")


def test_what_is_in_prison_meets_the_next_number() -> None:
    coups = coup("es", "0 0 12", "ana rojo:50")["coups"]
    assert [each["held"] for each in coups] == ["50", "25", ""]
    assert [each["number"] for each in coups] == ["0", "0", "12"]
    assert column(coups[1]["lines"], "lost") == ["25"]
    assert column(coups[2]["lines"], "returned") == ["25"]
    assert coups[0]["choices"][0].startswith("ana may choose for rojo: half (25 back")
    assert coups[1]["cloth"] != coups[0]["cloth"]


def test_what_is_too_little_to_play_is_sent_back_with_its_articles() -> None:
    (told,) = coup("it", "17", "anna 17:1")["coups"]
    (sent_back,) = told["sent_back"]
    assert sent_back.startswith("anna pieno 17: 1 sent back when betting closes, too little")
    assert sent_back.endswith("(IT-general-2b, AMB-IT-21)")
    assert told["lines"]["rows"] == []


def test_amounts_that_no_number_of_javascript_holds_are_exact() -> None:
    most = 10**15
    (told,) = coup("bg", "17", f"ana 17:{most - 1}")["coups"]
    assert told["summary"] == f"ana +{35 * (most - 1):,}"
    facts = ask("odds", house="es", stakes=f"ana red:{2**40 + 1}")["facts"]
    assert facts[0][1] == str(nv.odds("es", f"red:{2**40 + 1}").edge)


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_said_in_every_language(language: str) -> None:
    (told,) = coup("es", "0", "ana rojo:50 17:5", language=language)["coups"]
    assert told["why"][0]["told"] in nv.settle("es", 0, "ana rojo:50 17:5").explain(
        language=language
    )
    heads = set(told["lines"]["head"])
    english = {"stake", "amount", "won", "returned", "lost"}
    assert (english <= heads) == (language == "en")


def test_every_house_is_asked_what_it_would_pay() -> None:
    found = ask("elsewhere", house="sd", number="00", stakes="joe 00:2 red:10")
    assert [row["house"] for row in found["rows"]] == list(rulebooks.HOUSES)
    nets = {row["house"]: row["net"] for row in found["rows"] if not row["refused"]}
    assert nets == {"fram": ["+60"], "sd": ["+60"]}
    refused = {row["house"]: row["refused"] for row in found["rows"] if row["refused"]}
    assert refused["ar"] == "expected a whole number from 0 to 36, not '00'"


@pytest.mark.parametrize("choice", ["prison", "half"])
def test_odds_are_the_exact_fractions_here_and_everywhere(choice: str) -> None:
    found = ask("odds", house="fr", stakes="ana 17:5\nbea red:10", player="bea", choice=choice)
    expected = nv.odds("fr", "red:10", choice=choice)
    assert (found["player"], found["layout"]) == ("bea", "red:10")
    assert found["facts"][0][1] == str(expected.edge)
    assert [row[:2] for row in found["outcomes"]] == [
        [f"{int(net):+}" if net else "0", str(p)] for net, p in expected.outcomes.items()
    ]
    edges = {row[0]: row[1] for row in found["houses"]}
    assert edges == {
        house: str(edge) for house, edge in nv.compare("red:10", choice=choice).edges.items()
    }


def test_without_stakes_there_is_a_bare_cloth_and_nothing_to_price() -> None:
    (told,) = coup("it", "17", " \n; ")["coups"]
    assert told["lines"]["rows"] == []
    assert told["cloth"] == nv.settle("it", 17).cloth().svg()
    assert ask("odds", house="it", stakes="") == {"player": ""}


def test_every_article_of_every_house_can_be_read() -> None:
    for house in rulebooks.HOUSES:
        for id, article in nv.load(house).articles.items():
            found = ask("article", house=house, article=id, language="it")
            assert {each["language"]: each["text"] for each in found["texts"]} == article.summary
            assert found["reading"] == article.is_reading
    found = ask("article", house="ar", article="AR-14.b")
    assert [each["value"] for each in found["chosen"]][1] == (
        "straight → split → three numbers → corner → six numbers"
    )


FAULTS = [
    ({"house": "xx"}, "house", "expected one of ar, es"),
    ({"house": "../ar.toml"}, "house", "expected one of"),
    ({"number": "37"}, "number", "expected a whole number from 0 to 36, not 37"),
    ({"number": "017"}, "number", "expected a whole number from 0 to 36, not '017'"),
    ({"number": ""}, "number", "expected a whole number"),
    ({"number": "1 " * (MOST_COUPS + 1)}, "number", "expected at most 12 numbers"),
    ({"stakes": "17:5"}, "stakes", "expected a player's name"),
    ({"stakes": "ana d1+d2:10", "house": "bg"}, "stakes", "bg does not offer d1+d2 (BG-16"),
    ({"stakes": "ana " + "17:5 " * LONGEST}, "stakes", f"expected at most {LONGEST} letters"),
    ({"chip": "many"}, "chip", "expected a whole number of at least 1, not 'many'"),
    ({"chip": "0"}, "chip", "expected a whole number of at least 1, not 0"),
    ({"winning": "pocket"}, "winning", "expected one of hand, cloth, not 'pocket'"),
]


@pytest.mark.parametrize(("wrong", "field", "told"), FAULTS)
def test_a_fault_names_its_field(wrong: dict[str, str], field: str, told: str) -> None:
    asked = {"house": "ar", "number": "17", "stakes": "ana 17:5", **wrong}
    fault = ask("coup", **asked)["fault"]
    assert fault["field"] == field
    assert told in fault["told"]


@pytest.mark.parametrize("before", ["", "ana red:5\n", "ana red:5; ", "  ana red:5 |  "])
def test_a_fault_of_the_notation_points_at_the_text(before: str) -> None:
    stakes = f"{before}luis 17/22:4\nbea even:3"
    fault = ask("coup", house="ar", number="17", stakes=stakes)["fault"]
    assert stakes[fault["start"] : fault["end"]] == "22"
    assert fault["told"].startswith("17 and 22 do not touch")
    assert "\n" not in fault["told"]
