"""Books that extend another: what they take over, and what they must cite themselves."""

import pytest

from novamas.game.rulebook.model import Rulebook
from novamas.game.rulebook.reader import read_rulebook
from novamas.game.rulebook.toml_section import RulebookError
from novamas.rulebooks import load, source

HEAD = 'id = "ten"\nextends = "{house}"\nlanguage = "en"\ntitle = {{ en = "The tenth" }}\n'
ARTICLE = '[articles."TEN-1"]\nen = "As we play it here."\n'
HALF = '[zero]\nsimple = "half"\narticles = { simple = ["TEN-1"], half = ["TEN-1"] }\n'
ROUNDED = '[settled.articles]\nrounded = ["X-03"]\n'


def book(*parts: str, house: str = "sd") -> Rulebook:
    return read_rulebook("\n".join((HEAD.format(house=house), *parts, ARTICLE)), file="ten.toml")


def refused(*parts: str, house: str = "sd") -> str:
    with pytest.raises(RulebookError) as caught:
        book(*parts, house=house)
    return str(caught.value)


def test_a_book_that_says_nothing_plays_as_the_other() -> None:
    ten, sd = book(), load("sd")
    assert (ten.terms, ten.zero, ten.limits, ten.wheel) == (sd.terms, sd.zero, sd.limits, sd.wheel)
    assert set(ten.origins.values()) == {"sd", "ten"}
    assert {path for path, from_book in ten.origins.items() if from_book == "ten"} == {
        "id",
        "language",
        "title.en",
    }


def test_what_a_section_cites_and_does_not_say_is_still_cited_as_in_the_other_book() -> None:
    ten = book('[limits]\nkept = ["enforced"]\narticles = { kept = ["TEN-1"] }\n')
    before = load("sd").limits.cites
    assert ten.limits.cites.kept == ("TEN-1",)
    assert ten.limits.cites.third_parties == before.third_parties == ("X-04",)
    assert ten.limits.cites.minimum == before.minimum == ("X-05",)
    assert "X-05" in ten.articles


def test_a_rest_in_the_other_book_is_taken_over_too() -> None:
    assert load("sd").cloth.cites.left == ("SD-10.a",)
    ten = book("[cloth]\narticles = { drawing = [] }\n")
    assert (ten.cloth.cites.drawing, ten.cloth.cites.left) == ((), ("SD-10.a",))


def test_a_rest_of_its_own_replaces_all_citations_of_the_section() -> None:
    ten = book('[limits]\narticles = { "*" = ["TEN-1"] }\n')
    assert ten.limits.cites.minimum == ten.limits.cites.kept == ("TEN-1",)


def test_citations_are_taken_over_from_a_book_that_extends_a_third() -> None:
    ten = book("[spots.straddle.articles]\nplays = []\n", house="fran")
    assert ten.origins["spots.straddle.plays"] == "fr"
    fran = load("fran")
    straddle = next(spot for spot in fran.terms if spot.boxes)
    assert ten.terms[straddle].spot_cites == fran.terms[straddle].spot_cites


def test_a_citation_that_the_rule_no_longer_needs_is_not_taken_over() -> None:
    unneeded = ["again", "last_is_forced", "small_halves_stay", "void_reopens_choice"]
    said = HEAD.format(house="fr") + f"without = {[f'zero.{key}' for key in unneeded]}\n"
    ten = read_rulebook(f"{said}\n{HALF}\n{ROUNDED}\n{ARTICLE}", file="ten.toml")
    assert (ten.zero.cites.prison, ten.zero.cites.freed) == ((), ())
    assert ten.zero.cites.double == load("fr").zero.cites.double
    prison = {*load("fr").zero.cites.prison} - {*load("fr").zero.cites.simple}
    assert not prison & ten.articles.keys()


@pytest.mark.parametrize(
    "said",
    [
        '[zero]\nsimple = "half"\n',
        '[zero]\nsimple = "half"\narticles = { half = ["TEN-1"] }\n',
    ],
)
def test_what_a_book_says_itself_it_cites_itself(said: str) -> None:
    assert refused(said, ROUNDED) == (
        "ten.toml: [zero] articles.simple: missing; this book says simple itself, and so it cites "
        "its own article, or an empty list"
    )


def test_what_stands_in_a_section_within_another_is_cited_there() -> None:
    lower = "[limits.multiples_of_minimum]\nstraight = 20\n"
    where = "[limits.multiples_of_minimum] articles.straight: missing; this book says straight"
    assert where in refused(lower)
    assert where in refused(lower, '[limits.articles]\nmultiples_of_minimum = ["TEN-1"]\n')
    ten = book(lower, '[limits.multiples_of_minimum.articles]\nstraight = ["TEN-1"]\n')
    cites = ten.limits.cites.of_class
    assert {kind.value: ids for kind, ids in cites.items()}["straight"] == ("TEN-1",)
    assert {kind.value: ids for kind, ids in cites.items()}["split"] == (
        load("sd").limits.cites.of_class[next(kind for kind in cites if kind.value == "split")]
    )


def test_a_house_that_halves_says_who_gets_an_odd_unit() -> None:
    assert refused(HALF) == (
        "ten.toml: [settled] articles.rounded: this house halves stakes: cite the reading that "
        "says who gets an odd unit, such as X-03"
    )
    assert book(HALF, ROUNDED).settled.rounded == ("X-03",)


@pytest.mark.rule("X-03")
def test_the_reading_that_the_table_cites_is_always_there() -> None:
    assert "X-03" in book().articles
    assert not any("X-03" in ids for ids in vars(load("sd").settled).values())
    whole = source("ar").replace('[readings."X-03"]', '[readings."X-99"]').replace(', "X-03"', "")
    with pytest.raises(RulebookError, match=r"\[readings\]: X-03 is missing; the table cites it"):
        read_rulebook(whole, file="ar.toml")


def test_what_is_taken_over_and_has_no_place_is_named_with_what_to_do() -> None:
    assert refused(HALF, ROUNDED, house="es") == (
        "ten.toml: [zero] again, last_is_forced, small_halves_stay, void_reopens_choice: taken "
        "over from the other book, but this one has no place for it: add without = "
        '["zero.again", "zero.last_is_forced", "zero.small_halves_stay", '
        '"zero.void_reopens_choice"]'
    )
    assert "[zero] agian: unknown key" in refused('[zero]\nagian = "stay"\narticles = []\n')


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ('without = ["zero.agian"]\n', "without: the other book has no zero.agian"),
        ('without = "zero.again"\n', "without: expected a list of keys"),
        ('extends = "sdd"\n', "did you mean 'sd'?"),
        ('extends = "ten"\n', "extends: expected one of: ar, es"),
    ],
)
def test_mistakes_at_the_top(said: str, problem: str) -> None:
    head = HEAD.format(house="sd")
    key = said.partition(" ")[0]
    text = "\n".join(line for line in head.splitlines() if not line.startswith(f"{key} "))
    with pytest.raises(RulebookError, match=r"ten\.toml") as caught:
        read_rulebook(f"{text}\n{said}", file="ten.toml")
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        (
            "[seats]\nat_most = 8\ndouble = 7\narticles = []\n",
            "[seats] double: expected at least 8, as at_most",
        ),
        (
            "[posts.dealer]\ndouble_at_least = 3\ndouble_at_most = 2\narticles = []\n",
            "[posts.dealer] double_at_most: expected at least 3, as double_at_least",
        ),
    ],
)
def test_a_double_table_has_no_fewer_places(said: str, problem: str) -> None:
    assert problem in refused(said)
