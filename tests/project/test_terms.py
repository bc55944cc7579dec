"""One term for each idea: what people read says the terms of `docs/reference/terms.toml`."""

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from novamas.cli.messages import words as of_commands
from novamas.wording.book_text import words as of_books
from novamas.wording.phrases import PHRASES
from scripts.ledger import ROOT

LANGUAGES = ("en", "es", "it", "fr", "bg")
TERMS = ROOT / "docs" / "reference" / "terms.toml"
GLOSSARY = ROOT / "docs" / "reference" / "glossary.md"
MESSAGES = ROOT / "ui" / "src" / "i18n"
PLAYGROUND = ROOT / "playground" / "words.json"
HEADING = "## The terms of the screens"

_STRING = r'"(?:[^"\\]|\\.)*"'
_MESSAGE = re.compile(rf"^  ({_STRING}):\s*({_STRING}|\{{[^}}]*?\n  \}}),$", re.MULTILINE)


class Text(NamedTuple):
    """A text that people read, with the key that finds it."""

    key: str
    said: str


@cache
def terms() -> dict[str, Any]:
    return tomllib.loads(TERMS.read_text("utf-8"))


def messages(language: str) -> Iterator[Text]:
    """The messages of the room and of the consoles; each plural form is a text."""
    for path in sorted((MESSAGES / language).glob("*.ts")):
        for key, value in _MESSAGE.findall(path.read_text("utf-8")):
            for said in re.findall(_STRING, value):
                yield Text(ast.literal_eval(key), ast.literal_eval(said))


def texts(language: str) -> list[Text]:
    """All that is said in a language. English commands and pages keep the names of the code."""
    phrases = [*PHRASES[language].items(), *of_books(language).items()]
    if language != "en":
        phrases += of_commands(language).items()
        phrases += json.loads(PLAYGROUND.read_text("utf-8"))[language].items()
    return [*messages(language), *(Text(key, said) for key, said in phrases)]


def forbidden(language: str) -> list[str]:
    return [word for term in terms()["term"] for word in term.get("never", {}).get(language, ())]


def found(language: str, said: list[Text]) -> list[tuple[str, str]]:
    """The texts with a forbidden word in them, each with the word."""
    words = "|".join(re.escape(word) for word in forbidden(language))
    excepted = {
        (each["text"], each["word"])
        for each in terms()["exception"]
        if each["language"] == language
    }
    # What stands in braces is filled in and is no word.
    return [
        (text.key, word.lower())
        for text in said
        for word in re.findall(
            rf"(?<!\w)(?:{words})(?!\w)", re.sub(r"\{\w+\}", "…", text.said), re.IGNORECASE
        )
        if (text.key, word.lower()) not in excepted
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_people_read_says_one_term_for_each_idea(language: str) -> None:
    said = texts(language)
    assert len(said) > 1_500
    assert found(language, said) == []


def test_a_word_that_is_not_the_term_is_found_as_a_whole_word() -> None:
    said = [Text("a", "La Casa gana"), Text("b", "{casa} casaca"), Text("c", "al cierre de {n}")]
    assert found("es", said) == [("a", "casa"), ("c", "al cierre")]


def test_no_italian_article_stands_before_a_number_that_is_filled_in() -> None:
    """It would be wrong before 0, 1, 8 and 11: lo 0, l'1, l'8, l'11."""
    article = r"(?<!\w)(?:il|lo|al|col|dal|del|dello|nel|sul) \{(?:n|number|before)\}"
    assert re.search(article, "è uscito il {number}")
    assert [text for text in texts("it") if re.search(article, text.said)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_term_is_forbidden_itself(language: str) -> None:
    said = [Text(term["idea"], term[language]) for term in terms()["term"]]
    assert found(language, said) == []


def test_every_exception_is_needed() -> None:
    for each in terms()["exception"]:
        (said, *_) = (text for text in texts(each["language"]) if text.key == each["text"])
        assert each["word"] in said.said.lower(), each
        assert each["word"] in forbidden(each["language"]), each


def test_the_glossary_has_every_term_in_every_language() -> None:
    page = GLOSSARY.read_text("utf-8")
    section = page.split(HEADING)[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
    listed = [tuple(cell.strip() for cell in row.strip("|").split("|")) for row in rows]
    assert listed == [
        (term["idea"], *(term[language] for language in LANGUAGES)) for term in terms()["term"]
    ]
