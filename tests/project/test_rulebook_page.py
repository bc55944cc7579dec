"""The page on adding a rulebook tells the whole format, and nothing that is not so.

The keys are those that the reader of rulebooks asks for, noted while it reads the books of all
houses; the words of the closed sets are those of the code.
"""

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import pytest

from novamas import rulebooks
from novamas.game.cloth import SPOTS, SpotClass
from novamas.game.numerals import NUMERALS
from novamas.game.rulebook import citations, extending
from novamas.game.rulebook import reader as rulebook_reader
from novamas.game.rulebook.behaviours import Act, Cause, Replay
from novamas.game.rulebook.toml_section import Section
from scripts.ledger import ROOT

PAGE = (ROOT / "docs" / "how-to" / "adding-a-rulebook.md").read_text("utf-8")
BOOKS = {
    id: dict(extending.extend(tomllib.loads(rulebooks.source(id)), file=id).table)
    for id in rulebooks.HOUSES
}

# Where the keys of a section are names, the page has one word in capitals for all of them.
NAMED_SECTIONS = (
    (r"spots\.(?!straddle)\w+", "spots.CLASS"),
    (r"posts\.\w+", "posts.POST"),
    (r"staffing\.\w+", "staffing.NAME"),
    (r"announcements\.calls\..+", "announcements.calls.CALL"),
    (r"(articles|readings)\..+", 'articles."ID"'),
)
NAMED_KEYS = {
    "title": "LANGUAGE",
    "spots.straddle.offered": "STRADDLE",
    "limits.multiples_of_minimum": "CLASS",
    "reduction.into_straight": "CLASS",
    "calls.chances": "CHANCE",
    "words": "NAME",
}


@dataclass
class Asked:
    """What the reader asked for at a key."""

    kind: str = ""
    choices: type[StrEnum] | None = None
    least: int | None = None
    may_be_left_out: bool = False
    default: object = None


@dataclass
class Told:
    """What the page tells of a section: the rows of its table, its words, its text."""

    text: str
    rows: dict[str, tuple[str, str]] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)


def section_of(path: str) -> str:
    for pattern, name in NAMED_SECTIONS:
        if re.fullmatch(pattern, path):
            return name
    return path


def key_of(section: str, key: str) -> str:
    if section == 'articles."ID"' and re.fullmatch(r"[a-z]{2}", key):
        return "LANGUAGE"
    return NAMED_KEYS.get(section, key)


@pytest.fixture(scope="module")
def asked() -> dict[str, dict[str, Asked]]:
    """Section → key → what the reader asked for there, in any of the books."""
    found: dict[str, dict[str, Asked]] = {}

    def note(reader: Section, key: str) -> Asked:
        section = section_of(reader.path)
        return found.setdefault(section, {}).setdefault(key_of(section, key), Asked())

    def noting(name: str, original: Any) -> Any:
        def method(self: Section, key: str, *args: Any, **more: Any) -> Any:
            there = note(self, key)
            there.kind = there.kind if name in ("take", "has") else name
            if name == "has":
                there.may_be_left_out = True
            default = args[0] if args else more.get("default", ...)
            if name == "take" and default is not ...:
                there.may_be_left_out, there.default = True, default
            if "least" in more:
                least = more["least"]
                there.least = least if there.least is None else min(there.least, least)
            result = original(self, key, *args, **more)
            if name in ("one", "many"):
                there.kind, there.choices = name, args[0]
            return result

        return method

    methods = "take has integer flag text texts one many section".split()
    with pytest.MonkeyPatch.context() as patch:
        for name in methods:
            patch.setattr(Section, name, noting(name, getattr(Section, name)))
        for id in rulebooks.HOUSES:
            rulebook_reader.read_rulebook(rulebooks.source(id), file=id)
    return found


def told() -> dict[str, Told]:
    """The sections of the page's second half, by their headings."""
    sections: dict[str, Told] = {}
    for part in re.split(r"^### ", PAGE.split("\n## The format\n")[1], flags=re.MULTILINE)[1:]:
        heading, _, text = part.partition("\n")
        bracketed = re.fullmatch(r"`\[(.+)\]`", heading)
        name = bracketed[1] if bracketed else heading
        rows = re.findall(r"^\| `([^`]+)` \| (.*?) \| (.*?) ?\| .+ \|$", text, flags=re.MULTILINE)
        words = re.findall(r"^- `(\w+)`: \S", text, flags=re.MULTILINE)
        sections[name] = Told(
            text, {key: (takes, left_out) for key, takes, left_out in rows}, words
        )
    return sections


TOLD = told()


def leaves(keys: dict[str, Asked]) -> dict[str, Asked]:
    return {key: asked for key, asked in keys.items() if asked.kind != "section"}


def heading(section: str) -> str:
    return section or "The top of the book"


def test_the_page_has_every_key_and_no_other(asked: dict[str, dict[str, Asked]]) -> None:
    wanted = {heading(name): set(leaves(keys)) for name, keys in asked.items() if leaves(keys)}
    wanted[heading("")] |= set(extending.KEYS)
    shown = {name: set(section.rows) for name, section in TOLD.items() if section.rows}
    assert shown == wanted


def test_the_page_says_what_may_be_left_out(asked: dict[str, dict[str, Asked]]) -> None:
    for name, keys in asked.items():
        for key, there in leaves(keys).items():
            _, left_out = TOLD[heading(name)].rows[key]
            where = f"[{name}] {key}"
            if not there.may_be_left_out:
                # What is asked for only with some word of another key is never optional then.
                assert not left_out or left_out.startswith("only with "), where
            elif there.default is None:
                assert left_out, where
            else:
                assert left_out == f"`{json.dumps(there.default)}`", where


def test_the_page_says_which_sections_may_be_left_out(
    asked: dict[str, dict[str, Asked]],
) -> None:
    optional = {
        f"{name}.{key}" if name else key
        for name, keys in asked.items()
        for key, there in keys.items()
        if there.kind == "section" and there.may_be_left_out
    }
    said = {name for name, section in TOLD.items() if "\nMay be left out" in section.text}
    assert {re.sub(r"\.(CALL|NAME)$", "", name) for name in said} == optional


def test_the_page_says_what_each_key_takes(asked: dict[str, dict[str, Asked]]) -> None:
    for name, keys in asked.items():
        for key, there in leaves(keys).items():
            takes, _ = TOLD[heading(name)].rows[key]
            where = f"[{name}] {key} takes {takes}"
            begins = {"text": "a text", "texts": "texts", "one": "one of ", "many": "some of "}
            assert takes.startswith(begins.get(there.kind, "")), where
            if there.kind == "integer":
                assert takes == f"a whole number, {there.least} or more", where
            if there.kind == "flag":
                assert takes == "`true` or `false`", where
            if there.choices is not None:
                assert words_of(name, takes) == set(there.choices), where


def words_of(section: str, takes: str) -> set[str]:
    """The words that a key takes: in its cell, and each explained below, or behind a link."""
    link = re.search(r"\]\(#([\w-]+)\)", takes)
    if link:
        return {
            word
            for name, told in TOLD.items()
            if name.lower().replace(" ", "-") == link[1]
            for word in told.words
        }
    words = set(re.findall(r"`(\w+)`", takes))
    assert words <= set(TOLD[heading(section)].words), f"[{section}]: {takes}"
    return words


def test_no_word_is_explained_that_no_key_takes(asked: dict[str, dict[str, Asked]]) -> None:
    everywhere = {
        str(word)
        for keys in asked.values()
        for there in keys.values()
        for word in there.choices or ()
    }
    explained = {word for section in TOLD.values() for word in section.words}
    assert explained == everywhere
    assert {str(kind) for kind in SpotClass} == set(TOLD["Classes"].words)


def test_the_page_has_the_languages_of_the_numbers() -> None:
    takes, _ = TOLD["calls"].rows["language"]
    assert re.findall(r"`(\w+)`", takes) == list(NUMERALS)


def names_of_the_engine() -> set[str]:
    """The citation keys that have a field, and the words that the engine knows besides."""
    parts = ("game", "drawing", "wording", "table", "house")
    files = [path for part in parts for path in (ROOT / "src/novamas" / part).rglob("*.py")]
    words = {
        node.value
        for path in files
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    kinds = (kind for name, kind in vars(citations).items() if name.endswith("Cites"))
    return words.union(*map(citations.keys_of, kinds))


def occasions(table: dict[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Names in `articles` that are no data of their section: occasions on which it is cited."""
    cited = table.get("articles", {}) if path else {}
    if isinstance(cited, dict):
        for name in cited:
            if name != "*" and name not in table and name not in SPOTS:
                yield section_of(path), name
    for key, inner in table.items():
        if isinstance(inner, dict) and key not in ("articles", "readings", "words"):
            yield from occasions(inner, f"{path}.{key}" if path else key)


def also_cited(section: str) -> str:
    """What the page says of the occasions of a section."""
    return TOLD[section].text.partition("Also cited")[2]


def test_the_page_has_every_occasion_on_which_a_section_is_cited() -> None:
    known = names_of_the_engine()
    by_word = {*map(str, Cause), *map(str, Replay), *map(str, Act)}
    for book in BOOKS.values():
        for section, name in occasions(book):
            # A datum may be cited though the book leaves it at what holds without it.
            if name in known and name not in by_word and name not in TOLD[section].rows:
                assert f"`{name}`" in also_cited(section) or f'`"{name}"`' in also_cited(section), (
                    f"[{section}] does not tell of {name}"
                )


def test_every_occasion_on_the_page_is_one_that_the_engine_cites() -> None:
    known = names_of_the_engine()
    for section in TOLD:
        for name in re.findall(r"`([a-z_]+)`", also_cited(section)):
            assert name in known or name in SPOTS, f"[{section}] tells of {name}"


def test_the_tests_on_the_page_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """The house of the example stands in for one that came with the package."""
    path = ROOT / "docs" / "examples" / "paris.toml"
    monkeypatch.setattr(rulebooks, "load", lambda _: rulebooks.load_any(str(path)))
    (block,) = re.findall(r"^   ```python\n(.*?)^   ```", PAGE, flags=re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {}
    exec("\n".join(line[3:] for line in block.splitlines()), names)  # noqa: S102 - our own page.
    tests = [made for name, made in names.items() if name.startswith("test_")]
    assert len(tests) == 2
    for test in tests:
        test()


def test_the_page_shows_the_books_as_they_are() -> None:
    examples = (ROOT / "docs" / "examples").glob("*.toml")
    books = [example.read_text("utf-8") for example in examples]
    blocks = re.findall(r"^   ```toml\n(.*?)^   ```", PAGE, flags=re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        shown = "\n".join(line[3:] for line in block.splitlines())
        assert any(shown in book for book in books), shown
