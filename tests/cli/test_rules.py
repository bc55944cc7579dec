"""`novamas rules`: the articles of a house and what its book chooses by them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from novamas.game.rulebook.choices import SECTIONS, choices
from novamas.rulebooks import HOUSES, load, source
from novamas.wording import book_text
from tests.cli.running import bad, good


def data(*argv: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(good("rules", *argv, "--json"))
    return found


def test_an_article_is_shown_with_its_parts_in_both_languages() -> None:
    printed = good("rules", "ar", "14")
    for id in ("AR-14.a", "AR-14.b", "AR-14.c", "AR-14.d"):
        assert id in printed
    assert "AR-1." not in printed.replace("AR-14.", "")
    article = load("ar").article("AR-14.d")
    assert article.summary["en"] in printed
    assert article.summary["es"] in printed


def test_an_article_comes_with_what_the_book_chooses_by_it() -> None:
    printed = good("rules", "ar", "14.b")
    assert "multiples" in printed
    assert "cascade (AR-14.b, AR-14.c)" in printed


@pytest.mark.parametrize("written", ["gioco-15a", "IT-gioco-15a", "it-gioco-15A"])
def test_an_article_is_found_however_it_is_written(written: str) -> None:
    assert [each["id"] for each in data("it", written)["articles"]] == ["IT-gioco-15a"]


def test_a_section_shows_its_choices_alone() -> None:
    printed = good("rules", "es", "zero")
    assert printed.splitlines()[0] == "zero"
    assert "choice (ES-7.2.b1)" in printed
    assert "articles" not in printed


def test_one_language_can_be_chosen() -> None:
    (article,) = data("bg", "30a", "--lang", "bg")["articles"]
    assert list(article["summary"]) == ["bg"]
    assert load("bg").article("BG-30a").summary["en"] not in good(
        "rules", "bg", "30a", "--lang", "bg"
    )


@pytest.mark.parametrize("house", HOUSES)
def test_the_whole_book_has_every_article_and_every_section(house: str) -> None:
    book = load(house)
    found = data(house)
    assert [each["id"] for each in found["articles"]] == list(book.articles)
    sections = {each["section"] for each in found["choices"]}
    parts = {name for name in SECTIONS if name != "spots"}
    absent = {name for name in parts if getattr(book, name) in (None, ())}
    assert sections == set(SECTIONS) - absent
    printed = good("rules", house)
    assert all(f"  {id}  " in printed for id in book.articles)


@pytest.mark.parametrize("house", HOUSES)
def test_every_article_that_a_choice_cites_is_in_the_book(house: str) -> None:
    book = load(house)
    cited = {id for choice in choices(book) for id in choice.articles}
    assert cited <= set(book.articles)


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("ar", "14.f"), "did you mean AR-14."),
        (("it", "giocho-3"), "did you mean IT-gioco-3"),
        (("ar", "zzzzzz"), "`novamas rules ar` lists them all"),
        (("ar", ""), "ar has no article ''"),
        (("ar", "zzzzzz"), "ar has no article 'zzzzzz', and no article with that in its text"),
        (("ar", "14", "--lang", "de"), "invalid choice: 'de' (choose from"),
        (("zz",), "zz: no such rulebook"),
    ],
)
def test_what_is_not_in_the_book(argv: tuple[str, ...], said: str) -> None:
    assert said in bad("rules", *argv)


def test_only_the_house_is_required() -> None:
    assert "HOUSE: missing\n" in bad("rules")
    assert "HOUSE: missing\n" in bad("rules", "--origins")


def test_a_rulebook_file_has_a_name_that_ends_in_toml(tmp_path: Path) -> None:
    file = tmp_path / "fifth"
    file.write_text(source("bg"), "utf-8")
    assert f"{file}: a rulebook file must have a name that ends in .toml" in bad("rules", str(file))
    assert "(.toml)" in bad("rules", str(tmp_path / "sixth"))
    assert "(.toml)" in good("rules", "--help")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("rules", ""), "HOUSE: expected ar, es, it, bg, fr, fram, fran, esam, sd, or"),
        (("run", ""), "'': cannot be read"),
        (("verify", "ledger", ""), "'': there is no such store"),
    ],
)
def test_a_name_that_is_empty_is_seen(argv: tuple[str, ...], said: str) -> None:
    assert f"novamas: {said}" in bad(*argv)


# Searching ----------------------------------------------------------------------------------------


def found(house: str, *words: str) -> list[str]:
    """The articles that a search finds."""
    return [each["id"] for each in json.loads(good("rules", house, *words, "--json"))["articles"]]


def test_a_word_is_searched_in_the_texts_of_all_languages() -> None:
    in_english = found("it", "prison")
    assert "IT-gioco-15a" in in_english
    assert found("it", "prigione")
    summaries = load("it").articles["IT-gioco-15a"].summary
    assert "prison" in " ".join(summaries.values()).lower()
    assert set(in_english) < set(load("it").articles)


@pytest.mark.parametrize(
    ("house", "one", "other"),
    [("es", "prisión", "PRISION"), ("bg", "ЗАЛОГ", "залог"), ("it", "carré", "carre")],
)
def test_case_and_accents_do_not_matter_in_a_search(house: str, one: str, other: str) -> None:
    assert found(house, one) == found(house, other) != []


def test_what_was_found_is_shown_with_how_many_there_are() -> None:
    many = len(found("it", "prison"))
    printed = good("rules", "it", "prison")
    assert printed.startswith(f"{many} articles have «prison»\n")
    assert "IT-gioco-15a" in printed
    assert "By this the book chooses" not in printed
    assert good("rules", "it", "prison", "--lang", "it").startswith(f"{many} articoli contengono")


def test_sections_and_articles_go_before_a_search() -> None:
    assert "zero" not in json.loads(good("rules", "it", "zero", "--json"))["searched"]
    assert json.loads(good("rules", "es", "7.2.b", "prison", "--json"))["searched"] == ["prison"]


def test_a_text_that_a_language_lacks_is_marked_as_english() -> None:
    printed = good("rules", "ar", "14.b", "--lang", "fr")
    assert "AR-14.b  [en] " in printed
    assert "[en]" not in good("rules", "ar", "14.b", "--lang", "es")
    assert json.loads(good("rules", "ar", "14.b", "--lang", "fr", "--json"))["articles"][0][
        "summary"
    ].keys() == {"en"}


# Two books, and a book that extends another -------------------------------------------------------


def test_what_differs_is_told_with_the_articles_of_both_and_with_the_edges() -> None:
    printed = good("rules", "--diff", "fr", "fram")
    assert printed.splitlines()[0] == (
        "France, French roulette (fr) and France, American roulette (fram)"
    )
    for text in ("    fr    choice\n", "    fram  lose\n", "    fr    european\n"):
        assert text in printed
    assert load("fr").article("FR-52.z2").summary["en"] in " ".join(printed.split())
    assert load("fram").article("FRAM-55-2.z").summary["en"] in " ".join(printed.split())
    assert re.search(r"five +- +3/38 = 7.89 %", printed)
    left = r"simple, the player leaves it in prison +1/73 = 1.37 % +1/19 = 5.26 %"
    assert re.search(left, printed)


def test_the_articles_are_told_in_the_language_of_the_reader() -> None:
    printed = good("rules", "--diff", "fr", "fram", "zero", "--lang", "fr")
    assert load("fr").article("FR-52.z2").summary["fr"] in " ".join(printed.split())
    assert "cylindre" not in printed, "only the section that was asked for"
    found = data("--diff", "fr", "fram", "zero", "--lang", "fr")
    side = found["differences"][0]["sides"][0]
    assert [*side["articles"][0]["summary"]] == ["fr"]


@pytest.mark.parametrize("language", ["es", "it", "fr", "bg"])
def test_what_differs_is_told_in_the_words_of_the_reader(language: str) -> None:
    printed = good("rules", "--diff", "fr", "es", "--lang", language)
    lines = printed.splitlines()
    assert f"  change  {book_text.name(language, 'limits', 'change')}" in lines
    for house in ("fr", "es"):
        assert f"    {house:<4}  {book_text.value(language, load(house).limits.change)}" in lines
    for bet, choice in (("straight", ""), ("simple", "half"), ("simple", "prison")):
        assert any(line.startswith(book_text.bet(language, bet, choice)) for line in lines)
    own = {"by_reopening", "never", "straight", "sixline"}
    assert not own & {word for line in lines if "[en]" not in line for word in line.split()}


def test_the_differences_as_data() -> None:
    found = data("--diff", "fr", "es")
    assert found["houses"] == ["fr", "es"]
    by_key = {(each["section"], each["key"]): each["sides"] for each in found["differences"]}
    assert [side["value"] for side in by_key["spots", "straddle.maximum"]] == ["4", "2"]
    assert by_key["float", "minima"][1] is None
    assert not any(each["differ"] for each in found["edges"]), "rules that cost the player nothing"
    assert {"bet": "simple", "choice": "half", "edges": ["1/74", "1/74"], "differ": False} in (
        found["edges"]
    )


def test_a_house_does_not_differ_from_itself() -> None:
    assert data("--diff", "it", "it")["differences"] == []
    assert "The two books choose the same." in good("rules", "--diff", "it", "it")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("--diff", "fr"), "--diff: expected 2 arguments"),
        (("--diff", "fr", "zz"), "zz: no such rulebook"),
        (("--diff", "fr", "es", "zeroo"), "did you mean zero?"),
        (("--diff", "fr", "es", "--origins"), "leave one out"),
        (("ar", "--origins"), "ar extends no other book"),
    ],
)
def test_comparisons_that_cannot_be_made(argv: tuple[str, ...], said: str) -> None:
    assert said in bad("rules", *argv)


def test_a_book_that_extends_another_says_where_each_choice_comes_from() -> None:
    printed = good("rules", "fran", "zero", "wheel", "--origins")
    assert re.search(r"simple +fran +half \(FRAN-55-12.z\)", printed)
    assert re.search(r"alternates +fr +yes", printed)
    assert re.search(r"last_is_forced +default +no", printed)
    origins = {each["key"]: each["origin"] for each in data("fran", "zero", "--origins")["choices"]}
    assert origins == {
        "simple": "fran",
        "again": None,
        "last_is_forced": None,
        "small_halves_stay": None,
        "void_reopens_choice": None,
    }
    assert "origin" not in data("fran", "zero")["choices"][0]


@pytest.mark.parametrize("house", [id for id in HOUSES if load(id).origins])
def test_every_choice_of_such_a_book_that_is_written_has_its_origin(house: str) -> None:
    book = load(house)
    words = ("id", "language", "title.", "words.", "calls.numbers", "calls.chances")
    told = {each.path for each in choices(book)}
    # A straddle is offered or not; what it is bound by is no choice of its own.
    apart = {path for path in book.origins if path.startswith("spots.straddle.")}
    left = {p for p in book.origins if not p.startswith(words)} - told - apart
    assert left == set()


EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


def test_a_book_of_ones_own_is_compared_by_its_path_however_long_its_id_is() -> None:
    printed = good("rules", "--diff", "sd", str(EXAMPLES / "atlantic.toml"), "zero", "seats")
    assert "    sd        lose\n" in printed
    assert "    atlantic  half\n" in printed
    assert re.search(r"simple +1/19 = 5.26 % +1/38 = 2.63 %", printed)
    printed = good("rules", str(EXAMPLES / "atlantic.toml"), "zero", "--origins")
    assert re.search(r"simple +atlantic  half \(", printed)
    assert re.search(r"last_is_forced +default   no", printed)


def test_the_text_of_an_article_is_told_once() -> None:
    printed = " ".join(good("rules", "--diff", "fr", "es", "limits").split())
    assert printed.count("ES-G.4") > 3
    assert printed.count(load("es").article("ES-G.4").summary["en"]) == 1
