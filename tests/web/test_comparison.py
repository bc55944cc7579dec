"""Two books compared over HTTP."""

from __future__ import annotations

from fractions import Fraction

from novamas.game.rulebook.compare import differences
from novamas.house.views import comparison_view
from novamas.odds.edges import compare_edges
from novamas.rulebooks import load
from tests.web.answers import check_shape
from tests.web.door import open_door, run


@run
async def test_two_books_are_compared_in_the_reader_s_language() -> None:
    async with open_door() as door:
        answer = await door.http.get("/api/rulebooks/fr/compare/es", params={"language": "it"})
        assert answer.status_code == 200, answer.text
        told = answer.json()
        check_shape(comparison_view.RulebookComparison, told)
        assert told["houses"] == ["fr", "es"]
        found = {
            (part["section"], each["key"]): [side["value"] for side in each["sides"]]
            for part in told["sections"]
            for each in part["differences"]
        }
        books = load("fr"), load("es")
        assert found.keys() == {(each.section, each.key) for each in differences(*books)}
        assert found["zero", "small_halves_stay"] == ["no", "sì"]
        for part in told["sections"]:
            for each, expected in zip(
                part["differences"],
                [d for d in differences(*books) if d.section == part["section"]],
                strict=True,
            ):
                cited = [[a["id"] for a in side.get("articles", ())] for side in each["sides"]]
                assert cited == [
                    [] if side is None else list(side.articles) for side in expected.sides
                ]
        edges = [
            (each["bet"], each["choice"] or "", [e and Fraction(*e) for e in each["edges"]])
            for each in told["edges"]
        ]
        assert edges == [(e.bet, e.choice, [*e.edges]) for e in compare_edges(*books)]
        gone = await door.http.get("/api/rulebooks/fr/compare/atlantis")
        assert gone.status_code == 404
        same = (await door.http.get("/api/rulebooks/sd/compare/sd")).json()
        assert same["sections"] == []
