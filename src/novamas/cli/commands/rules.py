"""`novamas rules`: a house's articles by id or by a word, and what its book chooses by them."""

from __future__ import annotations

import re
import unicodedata
from argparse import Namespace
from collections.abc import Iterable
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from novamas.cli import messages
from novamas.cli.arguments import house, near
from novamas.cli.errors import InputError
from novamas.cli.terminal import Terminal, named
from novamas.game.languages import ENGLISH
from novamas.game.rulebook.choices import SECTIONS, Choice, Pays, choices, origin
from novamas.game.rulebook.compare import Difference, Side, differences
from novamas.game.rulebook.model import Article, Rulebook
from novamas.odds.number_format import fraction
from novamas.wording import book_text
from novamas.wording.explain import odds

if TYPE_CHECKING:
    from novamas.cli.json_shapes.coups import (
        DifferentSide,
        RuleChoice,
        RulesAnswer,
        RulesDiffAnswer,
    )
    from novamas.odds.edges import EdgesCompared


class Asked(NamedTuple):
    """The parts of a book that were requested."""

    articles: list[Article]
    sections: list[str]
    searched: list[str]
    """The search words for the texts of the articles."""


def run(args: Namespace, terminal: Terminal) -> int:
    """Prints the whole book, the requested parts, or what differs between two books."""
    if args.diff is not None:
        if args.origins:
            raise InputError("--origins is about one book, --diff about two", hint="leave one out")
        return _diff(args, terminal)
    if args.house is None:
        raise InputError("HOUSE: missing", hint="such as novamas rules it, or rules --diff fr es")
    book = house(args.house)
    languages = _languages(book, args.lang)
    if args.origins and not book.origins:
        hint = f"`novamas rules {book.id}` shows what it says itself"
        raise InputError(f"--origins: {book.id} extends no other book", hint=hint)
    if args.json:
        asked = wanted(book, args.articles)
        chosen = _chosen(book, asked)
        terminal.data(_data(book, asked, chosen, languages, origins=args.origins))
        return 0
    if args.origins:
        asked = wanted(book, args.articles)
        _tell_choices(terminal, _chosen(book, asked), _headed(languages), origins=book)
        return 0
    if not args.articles:
        terminal.title(f"{book.title.get(_headed(languages)) or book.id} ({book.id})")
        terminal.say()
    show(terminal, book, args.articles, languages=languages)
    return 0


def show(
    terminal: Terminal,
    book: Rulebook,
    texts: list[str],
    *,
    languages: tuple[str, ...] | None = None,
) -> None:
    """Shows articles and sections of a book, or all of it."""
    languages = languages or _languages(book, None)
    headed = _headed(languages)
    asked = wanted(book, texts)
    chosen = _chosen(book, asked)
    if asked.sections:
        in_sections = [each for each in chosen if each.section in asked.sections]
        _tell_choices(terminal, in_sections, headed)
    if asked.sections and asked.articles:
        terminal.say()
    if asked.searched:
        found = f"«{'», «'.join(asked.searched)}»"
        terminal.tell(messages.several(headed, "found", len(asked.articles), words=found))
        terminal.say()
    _tell_articles(terminal, asked.articles, languages)
    if not asked.sections and chosen:
        terminal.say()
        terminal.title(messages.said(headed, "choices"))
        _tell_choices(terminal, chosen, headed)


def _chosen(book: Rulebook, asked: Asked) -> list[Choice]:
    """The choices of the requested sections and articles; none for a search."""
    ids = set() if asked.searched else {article.id for article in asked.articles}
    return [
        each for each in choices(book) if each.section in asked.sections or ids & {*each.articles}
    ]


def _languages(book: Rulebook, wanted: str | None) -> tuple[str, ...]:
    return (wanted,) if wanted is not None else tuple(dict.fromkeys((ENGLISH, book.language)))


def _headed(languages: tuple[str, ...]) -> str:
    """The language of the headings: that of the articles, or English if there are two."""
    return ENGLISH if ENGLISH in languages else languages[0]


def find(book: Rulebook, text: str) -> tuple[Article, ...]:
    """The articles with an id; empty if the text may be a search word."""
    found = book.find(text)
    if not found and re.search(r"[0-9]", text):
        raise InputError(f"{book.id} has no article {text!r}", hint=_meant(book, text))
    return found


def _meant(book: Rulebook, text: str) -> str:
    """A hint with the articles nearest to a mistyped id, or how to list all of them."""
    ids = {id.lower(): id for id in book.articles}
    ids |= {lower.removeprefix(f"{book.id}-"): id for lower, id in ids.items()}
    return near(text.lower(), ids, shown=ids) or f"`novamas rules {book.id}` lists them all"


def search(book: Rulebook, text: str) -> tuple[Article, ...]:
    """The articles whose text has a word, in any language; ignores case and accents.

    >>> from novamas.rulebooks import load
    >>> {"IT-gioco-15a"} <= {article.id for article in search(load("it"), "PRISON")}
    True
    """
    looked_for = _bare(text)
    return tuple(
        article
        for article in book.articles.values()
        if any(looked_for in _bare(summary) for summary in article.summary.values())
    )


def _bare(text: str) -> str:
    """A text without case, accents and double blanks.

    >>> _bare("Prisión  DEL  cero")
    'prision del cero'
    """
    letters = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(plain.split())


def wanted(book: Rulebook, texts: Iterable[str]) -> Asked:
    """The requested or found articles and sections; all of them by default."""
    articles: dict[str, Article] = {}
    sections: list[str] = []
    searched: list[str] = []
    for text in texts:
        if text.lower() in SECTIONS:
            sections.append(text.lower())
            continue
        found = find(book, text)
        if not found and text.strip():
            found = search(book, text)
            searched.append(text.strip())
        if not found:
            message = f"{book.id} has no article {text!r}, and no article with that in its text"
            raise InputError(message, hint=_meant(book, text))
        articles.update((each.id, each) for each in found)
    if not articles and not sections:
        return Asked(list(book.articles.values()), [*SECTIONS], [])
    return Asked(list(articles.values()), sections, searched)


# The choices of the book --------------------------------------------------------------------------


def shown(choice: Choice, language: str) -> str:
    """The value of a choice for a reader."""
    if isinstance(choice.value, tuple) and choice.key.startswith("calls."):
        return " ".join(map(str, choice.value))
    return said(choice.value, language)


def said(value: object, language: str = ENGLISH) -> str:
    """A datum of a book for a reader; words of a closed set stay as they are in the book.

    >>> from fractions import Fraction
    >>> said(True), said(None), said(("simple", "dozen")), said(Fraction(1, 2))
    ('yes', 'none', 'simple, dozen', '1/2')
    """
    none = messages.said(language, "none")
    if value is None:
        return none
    if isinstance(value, Pays):
        if value.halves:
            return messages.said(language, "halves")
        return messages.said(language, "pays", odds=odds(language, value.pays))
    if isinstance(value, bool):
        return messages.said(language, "yes" if value else "no")
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, frozenset):
        parts = sorted(said(each, language) for each in value)
        return messages.said(language, "and").join(parts) or none
    if isinstance(value, tuple):
        nested = any(isinstance(each, tuple | frozenset) for each in value)
        between = messages.said(language, "then") if nested else ", "
        return between.join(said(each, language) for each in value) or none
    return str(value)


# Telling ------------------------------------------------------------------------------------------


def _tell_choices(
    terminal: Terminal,
    chosen: Iterable[Choice],
    language: str,
    *,
    origins: Rulebook | None = None,
) -> None:
    """The choices by section; with `origins` also from which book each comes."""
    nothing = ("", messages.said(language, "none"))
    default = messages.said(language, "by_default")
    houses = () if origins is None else origins.origins.values()
    wide = max(map(len, (default, *houses)))
    for section, group in groupby(chosen, key=lambda each: each.section):
        terminal.title(messages.section(language, section))
        rows = [(each, shown(each, language)) for each in group]
        rows = [(each, value) for each, value in rows if value not in nothing]
        room = max((len(each.key) for each, _ in rows), default=0)
        for each, value in rows:
            first = f"  {each.key:<{room}}  "
            if origins is not None:
                first += f"{origin(origins, each) or default:<{wide}}  "
            text = value + named(each.articles)
            terminal.tell(text, indent=" " * len(first), first=first)


def group_of(article: Article) -> str:
    """What an article is a part of: `IT-gioco` of `IT-gioco-15a`, `AR-14` of `AR-14.b`."""
    prefix, dash, rest = article.id.partition("-")
    if article.is_reading:
        return f"{prefix}-"
    if "-" in rest:
        return f"{prefix}-{rest.partition('-')[0]}"
    whole, dot, _ = rest.rpartition(".")
    return f"{prefix}{dash}{whole if dot else re.sub(r'(?<=[0-9])[a-z]$', '', rest)}"


def _tell_articles(
    terminal: Terminal, articles: Iterable[Article], languages: tuple[str, ...]
) -> None:
    heading = ""
    alone = True
    for place, (_, group) in enumerate(groupby(articles, key=group_of)):
        members = list(group)
        kind = "readings" if members[0].is_reading else "articles"
        if kind != heading:
            if place:
                terminal.say()
            terminal.title(messages.said(_headed(languages), kind))
            heading, alone = kind, True
        elif not alone or len(members) > 1:
            terminal.say()
        alone = len(members) == 1
        for article in members:
            _tell_article(terminal, article, languages)


def _tell_article(terminal: Terminal, article: Article, languages: tuple[str, ...]) -> None:
    first = f"  {terminal.paint(article.id, 'cyan')}  "
    indent = " " * (len(article.id) + 4)
    for place, spoken in enumerate(languages):
        start, style = (indent, "dim") if place else (first, "")
        text = messages.article_text(spoken, dict(article.summary))
        terminal.tell(text, indent=indent, first=start, style=style)
    if article.source:
        terminal.tell(f"[{article.source}]", indent=indent)


def _data(
    book: Rulebook,
    asked: Asked,
    chosen: Iterable[Choice],
    languages: tuple[str, ...],
    *,
    origins: bool,
) -> RulesAnswer:
    return {
        "house": book.id,
        "title": dict(book.title),
        "searched": asked.searched,
        "articles": [
            {
                "id": article.id,
                "summary": _summaries(article, languages),
                "reading": article.is_reading,
                "source": article.source,
            }
            for article in asked.articles
        ],
        "choices": [_choice_data(book, each, origins=origins) for each in chosen],
    }


def _choice_data(book: Rulebook, choice: Choice, *, origins: bool) -> RuleChoice:
    data: RuleChoice = {
        "section": choice.section,
        "key": choice.key,
        "value": shown(choice, ENGLISH),
        "articles": list(choice.articles),
    }
    if origins:
        data["origin"] = origin(book, choice) or None
    return data


def _summaries(article: Article, languages: Iterable[str]) -> dict[str, str]:
    """The text of an article in the requested languages, or else in English."""
    known = [language for language in languages if language in article.summary]
    return {language: article.summary[language] for language in known or [ENGLISH]}


# Two books ----------------------------------------------------------------------------------------


def _diff(args: Namespace, terminal: Terminal) -> int:
    from novamas.odds.edges import compare_edges

    one, other = map(house, args.diff)
    sections = [] if args.house is None else [args.house, *args.articles]
    for name in sections:
        if name.lower() not in SECTIONS:
            hint = near(name.lower(), SECTIONS) or f"the sections are {', '.join(SECTIONS)}"
            raise InputError(f"a book has no section {name!r}", hint=hint)
    wanted_sections = [name.lower() for name in sections] or SECTIONS
    found = [each for each in differences(one, other) if each.section in wanted_sections]
    edges = compare_edges(one, other)
    language = args.lang or ENGLISH
    if args.json:
        terminal.data(_diff_data((one, other), found, edges, language))
        return 0
    names = messages.said(language, "and").join(
        f"{book.title.get(language) or book.title.get(ENGLISH, book.id)} ({book.id})"
        for book in (one, other)
    )
    terminal.title(names)
    terminal.say()
    wide = max(len(one.id), len(other.id), 4)
    printed: tuple[set[str], set[str]] = (set(), set())
    for section, group in groupby(found, key=lambda each: each.section):
        terminal.title(messages.section(language, section))
        for each in group:
            _tell_datum(terminal, (one, other), each, args.lang)
            for which, book in enumerate((one, other)):
                value = value_of((one, other), each, which, args.lang)
                side = each.sides[which]
                articles = () if side is None else side.articles
                _tell_side(
                    terminal, book, value, articles, language, wide=wide, printed=printed[which]
                )
        terminal.say()
    if not found:
        terminal.tell(messages.said(language, "no_difference"))
        terminal.say()
    _tell_edges(terminal, (one, other), edges, args.lang)
    return 0


def _tell_datum(
    terminal: Terminal,
    books: tuple[Rulebook, Rulebook],
    difference: Difference,
    language: str | None,
) -> None:
    """What differs: its key, and if a language is requested, also what it is about."""
    key = f"  {terminal.paint(difference.key, 'bold')}"
    if language is None:
        terminal.say(key)
        return
    posts = {post.name: post.word for book in reversed(books) for post in book.posts.values()}
    about = book_text.name(language, difference.section, difference.key, posts=posts)
    indent = " " * (len(difference.key) + 4)
    terminal.tell(about, indent=indent, first=f"{key}  ", style="dim")


def value_of(
    books: tuple[Rulebook, Rulebook], difference: Difference, which: int, language: str | None
) -> str:
    """What one of the books says; of two sets, what the other does not have.

    In words if a language is requested, and otherwise as the file says it.
    """
    side = difference.sides[which]
    if side is None:
        return book_text.words(language or ENGLISH)["not_there"]
    mine, theirs = side.value, difference.values[1 - which]
    if isinstance(mine, tuple) and difference.key.startswith("calls."):
        return " ".join(map(str, mine))
    if isinstance(mine, frozenset) and isinstance(theirs, frozenset):
        if language is not None:
            return book_text.further(language, mine, theirs)
        return book_text.words(ENGLISH)["besides"].format(what=said(mine - theirs))
    return said(mine) if language is None else book_text.value(language, mine, book=books[which])


def _tell_side(
    terminal: Terminal,
    book: Rulebook,
    value: str,
    articles: Iterable[str],
    language: str,
    *,
    wide: int,
    printed: set[str],
) -> None:
    """What one of the books says, with its articles; an article is printed in full only once."""
    first = f"    {book.id:<{wide}}  "
    terminal.tell(value, indent=" " * len(first), first=first)
    known = [id for id in articles if id in printed]
    for id in articles:
        if id not in printed:
            text = f"{id}  {messages.article_text(language, dict(book.article(id).summary))}"
            terminal.tell(text, indent=" " * (len(first) + 2), first=" " * len(first), style="dim")
    if known:
        terminal.tell(", ".join(known), indent=" " * len(first), style="dim")
    printed.update(articles)


def bet_name(bet: str, choice: str, language: str | None) -> str:
    """A class of bets, with what the player chooses at zero where that matters."""
    if language is not None:
        return book_text.bet(language, bet, choice)
    return f"{bet}, {book_text.words(ENGLISH)[f'if_{choice}']}" if choice else bet


def _tell_edges(
    terminal: Terminal,
    books: tuple[Rulebook, Rulebook],
    edges: Iterable[EdgesCompared],
    language: str | None,
) -> None:
    terminal.title(messages.said(language or ENGLISH, "kept_of_stake"))
    rows = [["", *(book.id for book in books)]]
    for each in edges:
        kept = ["-" if edge is None else fraction(edge) for edge in each.edges]
        rows.append([bet_name(each.bet, each.choice, language), *kept])
    terminal.table(rows, "lll", head=True)


def _diff_data(
    books: tuple[Rulebook, Rulebook],
    found: Iterable[Difference],
    edges: Iterable[EdgesCompared],
    language: str,
) -> RulesDiffAnswer:
    return {
        "houses": [book.id for book in books],
        "titles": [dict(book.title) for book in books],
        "differences": [
            {
                "section": each.section,
                "key": each.key,
                "sides": [
                    None if side is None else _side_data(book, side, language)
                    for book, side in zip(books, each.sides, strict=True)
                ],
            }
            for each in found
        ],
        "edges": [
            {
                "bet": each.bet,
                "choice": each.choice or None,
                "edges": [None if edge is None else str(edge) for edge in each.edges],
                "differ": each.differ,
            }
            for each in edges
        ],
    }


def _side_data(book: Rulebook, side: Side, language: str) -> DifferentSide:
    return {
        "value": said(side.value, ENGLISH),
        "articles": [
            {
                "id": id,
                "summary": _summaries(book.article(id), (language,)),
                "reading": book.article(id).is_reading,
                "source": book.article(id).source,
            }
            for id in side.articles
        ],
    }
