"""Comparison views: what differs between the books of two houses, in a reader's language.

The differences and the edges are those that `novamas rules --diff` prints.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby

from novamas.game.languages import ENGLISH
from novamas.game.rulebook.compare import Difference, differences
from novamas.game.rulebook.model import Rulebook
from novamas.house.views.view import Ratio, Texts, View
from novamas.odds.edges import EdgesCompared, compare_edges
from novamas.rulebooks import load
from novamas.wording import book_text


class ComparedArticle(View):
    """An article behind a datum."""

    id: str
    text: str
    """What it says, in the reader's language or else in English."""
    language: str
    """The language of the text."""
    reading: bool = False
    """Whether it is a reading of ours, where the house's text is unclear."""


class ComparedSide(View):
    """What one of the houses says."""

    value: str
    """In the reader's language."""
    missing: bool = False
    """Whether the house has no such datum."""
    articles: tuple[ComparedArticle, ...] = ()


class ComparedDatum(View):
    """A datum that differs."""

    key: str
    """Its key in the book."""
    name: str
    """What it is about, in the reader's language."""
    sides: tuple[ComparedSide, ComparedSide]
    """What each of the houses says."""


class ComparedSection(View):
    """A part of the books that is not the same."""

    section: str
    """Its key in the book."""
    name: str
    """Its heading, in the reader's language."""
    differences: tuple[ComparedDatum, ...]
    """The data that differ, in the order of a book."""


class ComparedEdge(View):
    """What the houses keep of every unit that is staked on a kind of bet."""

    bet: str
    """The plain name of a class of bets, or of a spot."""
    name: str
    """The bet in the reader's language."""
    choice: str | None
    """What the player chooses at zero, where the house leaves it to them."""
    edges: tuple[Ratio | None, Ratio | None]
    """The part that each house keeps; null where it does not take the bet."""
    differ: bool
    """Whether the houses do not keep the same."""


class RulebookComparison(View):
    """What differs between the books of two houses, and what that does to their edges."""

    houses: tuple[str, str]
    """The ids of the two rulebooks."""
    titles: tuple[Texts, Texts]
    """Their titles, by language."""
    sections: tuple[ComparedSection, ...]
    """The parts of the books that are not the same."""
    edges: tuple[ComparedEdge, ...]
    """What the houses keep, for every bet that one of them takes."""


@cache
def of_comparison(one: str, other: str, language: str) -> RulebookComparison:
    """What differs between two of the house's own books; raises if there is no such book."""
    books = load(one), load(other)
    found = differences(*books)
    return RulebookComparison(
        houses=(one, other),
        titles=(dict(books[0].title), dict(books[1].title)),
        sections=tuple(
            ComparedSection(
                section=section,
                name=book_text.section(language, section),
                differences=tuple(_data(books, list(group), language)),
            )
            for section, group in groupby(found, key=lambda each: each.section)
        ),
        edges=tuple(_edge(each, language) for each in _edges(one, other)),
    )


@cache
def _edges(one: str, other: str) -> tuple[EdgesCompared, ...]:
    """The edges, which are the same in every language."""
    return compare_edges(load(one), load(other))


def _edge(compared: EdgesCompared, language: str) -> ComparedEdge:
    one, other = compared.edges
    return ComparedEdge(
        bet=compared.bet,
        name=book_text.bet(language, compared.bet, compared.choice),
        choice=compared.choice or None,
        edges=(_ratio(one), _ratio(other)),
        differ=compared.differ,
    )


def _ratio(edge: Fraction | None) -> Ratio | None:
    return None if edge is None else (edge.numerator, edge.denominator)


def _data(
    books: tuple[Rulebook, Rulebook], found: Sequence[Difference], language: str
) -> Iterator[ComparedDatum]:
    """The rows of a section; announcements that one house alone takes are one row."""
    alone: dict[int, list[Difference]] = {}
    for each in found:
        if each.key.startswith(book_text.CALLS) and None in each.sides:
            alone.setdefault(each.sides.index(None), []).append(each)
            continue
        yield _datum(books, each, language)
    for missing, calls in alone.items():
        yield _announcements(books, calls, missing, language)


def _datum(
    books: tuple[Rulebook, Rulebook], difference: Difference, language: str
) -> ComparedDatum:
    posts = {post.name: post.word for book in reversed(books) for post in book.posts.values()}
    return ComparedDatum(
        key=difference.key,
        name=book_text.name(language, difference.section, difference.key, posts=posts),
        sides=(_side(books, difference, 0, language), _side(books, difference, 1, language)),
    )


def _side(
    books: tuple[Rulebook, Rulebook], difference: Difference, which: int, language: str
) -> ComparedSide:
    side = difference.sides[which]
    if side is None:
        return ComparedSide(value=book_text.words(language)["not_there"], missing=True)
    mine, theirs = side.value, difference.values[1 - which]
    if isinstance(mine, frozenset) and isinstance(theirs, frozenset):
        text = book_text.further(language, mine, theirs)
    elif difference.section == "calls" and isinstance(mine, tuple):
        text = ". ".join(map(str, mine)) or book_text.NOTHING
    else:
        text = book_text.value(language, mine, book=books[which])
    return ComparedSide(value=text, articles=_articles(books[which], side.articles, language))


def _announcements(
    books: tuple[Rulebook, Rulebook], calls: Sequence[Difference], missing: int, language: str
) -> ComparedDatum:
    """The announcements that only one of the houses takes."""
    book = books[1 - missing]
    taken = book_text.announcements(book, [each.key for each in calls])
    cited = (side for each in calls if (side := each.sides[1 - missing]) is not None)
    articles = tuple(dict.fromkeys(id for side in cited for id in side.articles))
    has = ComparedSide(value=taken, articles=_articles(book, articles, language))
    lacks = ComparedSide(value=book_text.words(language)["not_there"], missing=True)
    return ComparedDatum(
        key="calls",
        name=book_text.name(language, "announcements", calls[0].key),
        sides=(lacks, has) if missing == 0 else (has, lacks),
    )


def _articles(book: Rulebook, ids: Sequence[str], language: str) -> tuple[ComparedArticle, ...]:
    found = (book.article(id) for id in ids)
    return tuple(
        ComparedArticle(
            id=article.id,
            text=article.summary.get(language) or article.summary[ENGLISH],
            language=language if language in article.summary else ENGLISH,
            reading=article.is_reading,
        )
        for article in found
    )
