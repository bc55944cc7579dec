"""The summaries of the articles say what their texts say and no more; what is ours is a reading.

Each row names words that an article once had and its text has not, and the reading that decides in
their place, with something that a table does by it.
"""

import re

import pytest

from novamas.game.rulebook.model import Rulebook
from novamas.house.views.rulebook_view import of_rulebook
from novamas.rulebooks import HOUSES, load

NOT_IN_THE_TEXT = [
    ("it", "IT-gioco-8b", "alone", "da solo"),
    ("it", "IT-general-2a", "returned", "restituita"),
    ("it", "IT-general-2b", "returned", "restituiti"),
    ("it", "IT-general-4b", "cashed", "cedere"),
    ("it", "IT-gioco-15b", "nothing", "vincita"),
    ("it", "IT-general-7", "only", "solo"),
    ("it", "IT-general-9", "as it lies", "così come"),
    ("it", "IT-general-15b", "behalf", "conto"),
    ("bg", "BG-5", "open", "отваря"),
    ("bg", "BG-7b", "no stake", "не се приемат"),
    ("bg", "BG-7c", "while the ball", "обикаля"),
    ("bg", "BG-10a", "does not count", "не се зачита"),
    ("bg", "BG-10b", "does not count", "не се зачита"),
    ("bg", "BG-16", "only", "само"),
    ("bg", "BG-18", "two on each side", "по два"),
    ("bg", "BG-25", "because", "защото"),
    ("bg", "BG-26", "lose", "губят"),
    ("es", "ES-P.6", "for the players", "de los jugadores"),
    ("es", "ES-7.1.d2", "covers", "comprende"),
    ("es", "ES-7.2.b4", "nothing", "ganancia"),
    ("ar", "AR-6.c", "24", "33"),
    ("ar", "AR-7.c", "22", "22"),
    ("ar", "AR-8.e", "12", "12"),
    ("ar", "AR-9.c", "zero", "0"),
    ("ar", "AR-10.e", "zero", "el 0"),
    ("ar", "AR-11.a4", "Only", "Solo"),
    ("ar", "AR-17.c", "half", "media"),
    ("ar", "AR-18.0", "only", "solo"),
]


@pytest.mark.parametrize(("house", "id", "english", "own"), NOT_IN_THE_TEXT)
def test_a_summary_has_no_words_that_its_text_has_not(
    house: str, id: str, english: str, own: str
) -> None:
    book = load(house)
    summary = book.article(id).summary
    assert english not in summary["en"]
    assert own not in summary[book.language]


@pytest.mark.rule("AR-27", "AMB-AR-04")
@pytest.mark.parametrize("part", "abcd")
def test_the_reductions_are_told_as_the_main_ones(part: str) -> None:
    summary = load("ar").article(f"AR-27.{part}").summary
    assert "main" in summary["en"]
    assert "principales" in summary["es"]


def numbers_of(text: str) -> list[str]:
    """The numbers of a text, without what parts their thousands."""
    return sorted(re.findall(r"\d+", re.sub(r"(?<=\d)[.,](?=\d{3}\b)", "", text)))


@pytest.mark.parametrize("house", HOUSES)
def test_a_summary_has_the_same_numbers_in_all_its_languages(house: str) -> None:
    for article in load(house).articles.values():
        english, *own = (numbers_of(text) for text in article.summary.values())
        assert all(numbers == english for numbers in own), article.id


def cites(book: Rulebook, section: str, key: str) -> tuple[str, ...]:
    part = getattr(book, section)
    found: tuple[str, ...] = getattr(part.cites, key)
    return found


@pytest.mark.parametrize(
    ("house", "section", "key", "reading"),
    [
        pytest.param(*row, marks=pytest.mark.rule(row[-1]), id="-".join(row))
        for row in (
            ("it", "pieces", "on_chance", "AMB-IT-21"),
            ("it", "pieces", "on_numbers", "AMB-IT-21"),
            ("it", "zero", "freed", "NV-11"),
            ("it", "limits", "third_parties", "AMB-IT-12"),
            ("es", "zero", "freed", "AMB-ES-07"),
            ("es", "zero", "unchosen", "AMB-ES-04"),
            ("ar", "betting", "no_straddle", "AMB-AR-17b"),
            ("ar", "wheel", "causes", "AMB-AR-21"),
            ("ar", "wheel", "stakes_stay", "AMB-AR-20"),
            ("bg", "zero", "simple", "AMB-BG-01"),
            ("bg", "zero", "double", "AMB-BG-01"),
            ("bg", "betting", "no_stake", "AMB-BG-15"),
            ("bg", "betting", "no_straddle", "AMB-BG-06"),
            ("bg", "announcements", "sector", "AMB-BG-16"),
            ("bg", "wheel", "stakes_stay", "AMB-BG-09"),
        )
    ],
)
def test_what_is_ours_is_cited_where_it_decides(
    house: str, section: str, key: str, reading: str
) -> None:
    book = load(house)
    assert book.article(reading).is_reading
    assert reading in cites(book, section, key)


@pytest.mark.rule("AMB-BG-03", "AMB-BG-04", "AMB-ES-01", "NV-10")
def test_what_is_ours_is_cited_for_a_number_a_spot_and_a_post() -> None:
    calls = load("bg").announcements.calls
    assert {call.cites for call in calls.values()} == {("AMB-BG-04",)}
    orphelins = calls["orphelins"]
    assert orphelins.piece_cites["number 17"] == ("BG-25", "AMB-BG-03")
    (first_four,) = (t for s, t in load("es").terms.items() if s.name == "0/1/2/3")
    assert first_four.spot_cites == ("ES-7.1.d2", "AMB-ES-01")
    assert load("bg").posts["inspector"].cites.at_least == ("BG-5", "NV-10")


@pytest.mark.rule("ES-G.4", "AMB-ES-12")
def test_the_screens_are_told_where_an_article_is_from_that_is_not_in_the_text() -> None:
    book, order = load("es"), "[Orden de 9 de octubre de 1979]"
    articles = of_rulebook(book).articles
    elsewhere = {id for id, told in articles.items() if told["es"].endswith(order)}
    assert elsewhere == {f"ES-G.{number}" for number in range(1, 11)}
    assert all(articles[id]["en"].endswith(order) for id in elsewhere)
    assert articles["ES-7.1.a"] == book.article("ES-7.1.a").summary
