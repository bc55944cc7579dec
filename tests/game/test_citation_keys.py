"""A section's citation keys are a typed, closed set: a mistyped one is refused by name."""

import ast
import copy
import dataclasses
import pickle
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

import novamas.game.rulebook.citations
from novamas.game.cloth import SPOTS
from novamas.game.rulebook import model
from novamas.game.rulebook.behaviours import ZeroRule
from novamas.game.rulebook.citations import (
    BettingCites,
    Citations,
    SettledCites,
    citations,
    keys_of,
)
from novamas.game.rulebook.reader import CASCADE_READINGS, EXCESS_READINGS, read_rulebook
from novamas.game.rulebook.toml_section import RulebookError
from novamas.rulebooks import HOUSES, load, source
from scripts.ledger import ROOT
from scripts.mutants import dumps

BOOKS = {id: tomllib.loads(source(id)) for id in HOUSES}
SRC = ROOT / "src" / "novamas"
SECTIONS_OF_A_BOOK = (
    "cloth spots settled zero limits pieces excess payment reduction announcements chips betting "
    "absence wheel seats float closing posts staffing calls words"
).split()


def citing(table: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The sections of a book that have citations of their own."""
    if path and "articles" in table:
        yield path
    for key, inner in table.items():
        if isinstance(inner, dict) and key not in ("articles", "readings"):
            yield from citing(inner, (*path, key))


def altered(house: str, path: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A copy of a book, and one of its sections within that copy."""
    book = copy.deepcopy(BOOKS[house])
    place: Any = book
    for step in path:
        place = place[step]
    return book, place


def refusal(book: dict[str, Any]) -> RulebookError:
    """How the reader refuses a book."""
    with pytest.raises(RulebookError) as refused:
        read_rulebook(dumps(book), file="mine.toml")
    assert refused.value.file == "mine.toml"
    return refused.value


EVERY = [
    pytest.param(id, path, id=".".join((id, *path)))
    for id, book in BOOKS.items()
    for path in citing(book)
    # The 27 finals are written alike: one of them is enough.
    if path[-1] == "f0" or path[:2] != ("announcements", "calls") or not path[-1][1].isdigit()
]


def test_every_section_is_among_those_that_are_altered_here() -> None:
    found = {path[0] for book in BOOKS.values() for path in citing(book)}
    assert found == set(SECTIONS_OF_A_BOOK)


def test_no_stak_is_not_no_stake() -> None:
    text = source("ar").replace('no_stake = ["AR-20.a"]', 'no_stak = ["AR-20.a"]')
    with pytest.raises(RulebookError) as refused:
        read_rulebook(text, file="mine.toml")
    assert str(refused.value).startswith(
        "mine.toml: [betting] articles.no_stak: unknown; expected one of: "
    )
    assert refused.value.problem.endswith("; did you mean no_stake?")
    text = source("ar").replace('no_stake = ["AR-20.a"]', 'elsewhere = ["AR-20.a"]')
    with pytest.raises(RulebookError) as refused:
        read_rulebook(text, file="mine.toml")
    assert "did you mean" not in refused.value.problem


@pytest.mark.parametrize(("house", "path"), EVERY)
def test_a_mistyped_key_is_refused_in_every_section(house: str, path: tuple[str, ...]) -> None:
    _, section = altered(house, path)
    cited = section["articles"]
    keys = list(cited) if isinstance(cited, dict) else ["*"]
    for key in dict.fromkeys((keys[0], keys[-1])):
        book, section = altered(house, path)
        if isinstance(cited, list):
            section["articles"] = {"*": cited}
        wrong = f"{key[:-1]}_"
        section["articles"][wrong] = section["articles"].pop(key)
        told = refusal(book)
        assert told.key == f"[{'.'.join(path)}] articles.{wrong}"
        assert told.problem.startswith("unknown; expected one of: ")


def may_be_left_out(path: tuple[str, ...], key: str, cited: object) -> bool:
    """What a house says of one spot or piece besides, and what it need not have at all.

    Those are prohibitions of its own, and readings that decide a line where the text is silent.
    """
    if path[:2] == ("announcements", "calls"):
        return key == "*" or key in SPOTS
    if path[0] == "spots" and key in SPOTS and path[-1] != "straddle":
        return isinstance(cited, dict) and "spot" in cited
    if path[0] == "excess" and key in (*EXCESS_READINGS, *CASCADE_READINGS):
        return True
    return (path[0], key) in (
        ("chips", "other_use"),
        ("betting", "hands_off"),
    )


# What a book takes over from another is cited as there: tests/game/test_extending.py.
OF_ITS_OWN = [each for each in EVERY if "extends" not in BOOKS[str(each.values[0])]]


@pytest.mark.parametrize(("house", "path"), OF_ITS_OWN)
def test_a_missing_key_is_refused_in_every_section(house: str, path: tuple[str, ...]) -> None:
    _, section = altered(house, path)
    cited = section["articles"]
    keys = ["*"] if "*" in cited or isinstance(cited, list) else list(cited)
    for key in keys:
        book, section = altered(house, path)
        if isinstance(cited, list):
            section["articles"] = {}
        else:
            del section["articles"][key]
        if (path, key) == (("settled",), "rounded"):
            # Only a house that halves must say who gets the odd unit.
            halves = load(house).zero.simple is not ZeroRule.LOSE or "straddle" in book["spots"]
            if halves:
                assert refusal(book).key == "[settled] articles.rounded"
                continue
        if may_be_left_out(path, key, cited) or key == "rounded":
            read_rulebook(dumps(book), file="mine.toml")
            continue
        told = refusal(book)
        where = ".".join(path)
        assert told.problem.startswith("missing")
        if key == "*":
            assert told.key.startswith(f"[{where}] articles.")
        elif key in BOOKS[house].get(where, {}) and isinstance(BOOKS[house][where][key], dict):
            assert told.key.startswith(f"[{where}.{key}] articles.")
        else:
            # For one of several spots `spot` would do as well.
            missing = key if path != ("spots", "simple") or key == "pays" else "spot"
            assert told.key == f"[{where}] articles.{missing}"


@pytest.mark.parametrize(("house", "path"), EVERY)
def test_a_citation_of_no_article_is_refused_in_every_section(
    house: str, path: tuple[str, ...]
) -> None:
    book, section = altered(house, path)
    cited = section["articles"]
    key = "" if isinstance(cited, list) else next(iter(cited))
    if key:
        cited[key] = ["AR-99"]
    else:
        section["articles"] = ["AR-99"]
    told = refusal(book)
    assert told.key == f"[{'.'.join(path)}] articles{f'.{key}' if key else ''}"
    assert told.problem == "cites AR-99, which is no article of this book"


def test_an_empty_list_says_that_nothing_stands_behind_a_datum() -> None:
    assert load("ar").zero.cites.wins == ()
    assert load("ar").betting.cites.correction == ()


def test_a_section_without_citations_has_those_of_the_one_around_it() -> None:
    book = tomllib.loads(source("ar"))
    del book["calls"]["articles"]["chances"]
    assert refusal(book).key == "[calls.chances] articles.black"
    book["calls"]["articles"]["*"] = ["AR-4.b"]
    read_rulebook(dumps(book), file="mine.toml")


def test_citations_where_there_is_nothing_to_cite_for_are_refused() -> None:
    book = tomllib.loads(source("ar"))
    book["title"]["articles"] = ["AR-1"]
    assert refusal(book).key == "[title] articles"


# The code against the closed sets -----------------------------------------------------------------

KINDS: list[type[Citations]] = [
    kind
    for name, kind in vars(novamas.game.rulebook.citations).items()
    if name.endswith("Cites") and issubclass(kind, Citations)
]


def test_what_a_section_cites_is_typed_and_frozen() -> None:
    """So that the type checker sees a misspelt key, and nobody adds one on the way."""
    cites: Any = load("ar").betting.cites
    with pytest.raises(AttributeError):
        cites.no_stak  # noqa: B018 - to ask for it is what is tested
    with pytest.raises(AttributeError):
        cites.no_stake = ()
    with pytest.raises(TypeError):
        cites["no_stake"]
    with pytest.raises(AttributeError):
        cites.another = ()
    assert cites == load("ar").betting.cites != load("es").betting.cites
    assert pickle.loads(pickle.dumps(cites)) == cites  # noqa: S301 - it was made here
    assert repr(cites) == "<BettingCites of 11 keys>"


def test_every_section_of_the_book_has_a_type_of_its_own() -> None:
    kinds = {kind.__name__ for kind in KINDS}
    given: list[str] = []
    for rules in vars(model).values():
        if dataclasses.is_dataclass(rules) and rules is not model.Call:
            given += [str(f.type) for f in dataclasses.fields(rules) if f.name == "cites"]
    assert len(set(given)) == len(given) == 18
    assert set(given) < kinds


@pytest.fixture(scope="module")
def asked() -> dict[type[Citations], set[str]]:
    """Kind of citations → the keys for which the reader asks in any of the books."""
    found: dict[type[Citations], set[str]] = {kind: set() for kind in KINDS}

    def noting(kind: type[Citations], cited: Any, *, known: Any, name: Any) -> Citations:
        found[kind] |= set(known)
        return citations(kind, cited, known=known, name=name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("novamas.game.rulebook.toml_section.citations", noting)
        for id in HOUSES:
            read_rulebook(source(id), file=id)
    return found


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_citation_key_is_read_from_a_book(
    kind: type[Citations], asked: dict[type[Citations], set[str]]
) -> None:
    assert keys_of(kind) <= asked[kind]


def test_a_section_cannot_ask_for_what_its_type_does_not_have() -> None:
    with pytest.raises(TypeError, match="SettledCites has no field for draw"):
        citations(SettledCites, {}, known=["won", "lost", "draw"])


def test_every_occasion_is_cited_by_the_code() -> None:
    """A key that is no datum of a section is there for what the code cites under it."""
    read = {
        node.attr
        for path in SRC.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
    }
    occasions = {key for kind in KINDS for key in keys_of(kind)} - data_of_all_books()
    assert len(occasions) > 30
    assert occasions <= read, sorted(occasions - read)


def data_of_all_books() -> set[str]:
    """The keys of the data in any section of any book."""

    def keys(table: dict[str, Any]) -> Iterator[str]:
        for key, inner in table.items():
            if key not in ("articles", "readings"):
                yield key
                if isinstance(inner, dict):
                    yield from keys(inner)

    return {key for book in BOOKS.values() for key in keys(book)}


def test_the_rest_stands_for_what_has_no_citation_of_its_own() -> None:
    cites = citations(
        BettingCites, {"*": ("X-1",), "no_stake": ("X-2",)}, known=keys_of(BettingCites)
    )
    assert (cites.no_stake, cites.no_change) == (("X-2",), ("X-1",))
    assert cites.hands_off == ()  # It must be said, for it forbids something.
