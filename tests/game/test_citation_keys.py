"""The citation keys of a rulebook's sections are closed sets: a mistyped one is refused by name."""

import ast
import copy
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from novamas.game.cloth import SPOTS
from novamas.game.rulebook.model import Cites
from novamas.game.rulebook.reader import CASCADE_READINGS, EXCESS_READINGS, read_rulebook
from novamas.game.rulebook.toml_section import RulebookError, Section
from novamas.rulebooks import HOUSES, load, source
from scripts.ledger import ROOT
from scripts.mutants import dumps

BOOKS = {id: tomllib.loads(source(id)) for id in HOUSES}
SRC = ROOT / "src" / "novamas"
READERS = {SRC / "game" / "bookreader.py", SRC / "game" / "section.py"}
SECTIONS_OF_A_BOOK = (
    "cloth spots settled zero limits pieces excess payment reduction announcements chips betting "
    "absence wheel closing posts staffing calls words"
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
    assert "no_stake" in refused.value.problem


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
        ("settled", "rounded"),
    )


@pytest.mark.parametrize(("house", "path"), EVERY)
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
        if may_be_left_out(path, key, cited):
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
    assert load("ar").zero.cites["wins"] == ()
    assert load("ar").betting.cites["correction"] == ()


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


def test_to_ask_for_a_key_that_a_section_does_not_have_is_an_error() -> None:
    with pytest.raises(KeyError, match="no_stak"):
        load("ar").betting.cites["no_stak"]


@pytest.fixture(scope="module")
def declared() -> dict[str, set[str]]:
    """Section → its citation keys in any of the four books, `*` apart."""
    found: dict[str, set[str]] = {}
    original = Section.citing

    def noting(self: Section, occasions: dict[str, bool] | None = None) -> Cites:
        cites = original(self, occasions)
        found.setdefault(self.path.partition(".")[0], set()).update(cites.known)
        found.setdefault("occasions", set()).update(occasions or ())
        return cites

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Section, "citing", noting)
        for id in HOUSES:
            read_rulebook(source(id), file=id)
    return found


def lookups() -> Iterator[tuple[str, str, str]]:
    """Every citation key that the code asks for: where, the section if it is named, the key."""
    for path in sorted(SRC.rglob("*.py")):
        if path in READERS:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            asked: ast.expr | None = None
            holder: ast.expr | None = None
            if isinstance(node, ast.Subscript) and is_cites(node.value):
                asked, holder = node.slice, node.value
            elif (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "get"
                and is_cites(node.func.value)
            ):
                asked, holder = node.args[0], node.func.value
            if asked is not None and holder is not None:
                for key in constants(asked):
                    yield f"{path.name}:{asked.lineno}", section_of(holder), key


def is_cites(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return name == "cites" or (name == "settled" and isinstance(node, ast.Attribute))


def section_of(node: ast.expr) -> str:
    """`betting` of `state.book.betting.cites`; nothing where a name stands for the section."""
    if isinstance(node, ast.Attribute) and node.attr == "settled":
        return "settled"
    inner = node.value if isinstance(node, ast.Attribute) else None
    name = inner.attr if isinstance(inner, ast.Attribute) else ""
    return name if name in SECTIONS_OF_A_BOOK else ""


def constants(node: ast.expr) -> Iterator[str]:
    """The words that an expression may be; what is worked out is asked for under its own name."""
    if isinstance(node, ast.IfExp):
        yield from constants(node.body)
        yield from constants(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != "*":
        yield node.value


def test_every_citation_that_the_code_asks_for_is_declared(declared: dict[str, set[str]]) -> None:
    found = list(lookups())
    assert len(found) > 80
    everywhere = set().union(*declared.values())
    for where, section, key in found:
        assert key in (declared[section] if section else everywhere), f"{where} asks for {key}"


def test_every_occasion_that_is_declared_is_asked_for(declared: dict[str, set[str]]) -> None:
    words = {
        node.value
        for path in SRC.rglob("*.py")
        if path not in READERS
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    named = {key for key in declared["occasions"] if key not in SPOTS and " " not in key}
    assert len(named) > 30
    assert named <= words, sorted(named - words)
