"""The rulebooks as plain data, for the tools: which ids they have, and what a short id means.

The tools read the TOML by themselves, without the house's own reader, so that a mistake in that
reader cannot hide from them.
"""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RULEBOOKS = ROOT / "src" / "novamas" / "rulebooks"

Table = dict[str, Any]


def books() -> dict[str, Table]:
    """Every rulebook of the house, by its id."""
    return {path.stem: tomllib.loads(path.read_text("utf-8")) for path in book_paths()}


def book_paths() -> list[Path]:
    """The files of the rulebooks, in order of their ids."""
    return sorted(RULEBOOKS.glob("*.toml"))


def is_part(part: str, whole: str) -> bool:
    """Whether one id is a part of another.

    >>> is_part("AR-14.b", "AR-14"), is_part("IT-general-2a", "IT-general-2")
    (True, True)
    >>> is_part("AR-18.c1", "AR-18.c"), is_part("ES-7.2.b1", "ES-7.2.b")
    (True, True)
    >>> is_part("AR-14.b", "AR-1"), is_part("AR-14.b", "AR"), is_part("IT-gioco-1", "IT-gioco")
    (False, False, False)
    """
    if part == whole or not part.startswith(whole) or "-" not in whole:
        return False
    last, first = whole[-1], part[len(whole)]
    return (
        first == "." or (last.isdigit() and first.isalpha()) or (last.isalpha() and first.isdigit())
    )


def meaning(id: str, known: Iterable[str]) -> frozenset[str]:
    """The ids that one id stands for: itself if a book has it, otherwise all its parts.

    >>> sorted(meaning("AR-14", ["AR-1", "AR-14.a", "AR-14.b"]))
    ['AR-14.a', 'AR-14.b']
    >>> sorted(meaning("AR-10", ["AR-10", "AR-10.a"]))
    ['AR-10']
    """
    known = set(known)
    if id in known:
        return frozenset({id})
    return frozenset(other for other in known if is_part(other, id))


def articles(book: Table) -> dict[str, Table]:
    """The articles of a book: what its house wrote."""
    return dict(book.get("articles", {}))


def readings(book: Table) -> dict[str, Table]:
    """The readings of a book: our interpretation where its articles are unclear."""
    return dict(book.get("readings", {}))


def known_ids(shelf: dict[str, Table]) -> set[str]:
    """Every id that a test may name."""
    return {id for book in shelf.values() for id in (*articles(book), *readings(book))}


def summary(article: Table) -> str:
    """What an article says, in English."""
    words = article.get("summary", article)
    return str(words["en"]) if isinstance(words, dict) else str(words)
