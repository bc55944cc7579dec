"""`novamas rules`: a house's articles by id or by a word, and what its book chooses by them."""

from __future__ import annotations

import re
import unicodedata
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from enum import Enum
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from novamas.cli import messages
from novamas.cli.arguments import house, near
from novamas.cli.errors import InputError
from novamas.cli.messages import SECTIONS
from novamas.cli.terminal import Terminal, named
from novamas.game.languages import ENGLISH
from novamas.game.rulebook.citations import Citations, ReductionCites
from novamas.game.rulebook.model import Article, Call, Rulebook, Terms
from novamas.wording.explain import odds

if TYPE_CHECKING:
    from novamas.cli.json_shapes.coups import RulesAnswer


class Asked(NamedTuple):
    """The parts of a book that were requested."""

    articles: list[Article]
    sections: list[str]
    searched: list[str]
    """The search words for the texts of the articles."""


class Choice(NamedTuple):
    """A datum of the book, and the articles behind it."""

    section: str
    key: str
    value: str
    articles: tuple[str, ...]


def run(args: Namespace, terminal: Terminal) -> int:
    """Prints the whole book, or the requested parts."""
    book = house(args.house)
    languages = _languages(book, args.lang)
    if args.json:
        asked = wanted(book, args.articles)
        terminal.data(_data(book, asked, _chosen(book, asked), languages))
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
    chosen = _chosen(book, asked, headed)
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


def _chosen(book: Rulebook, asked: Asked, language: str = ENGLISH) -> list[Choice]:
    """The choices of the requested sections and articles; none for a search."""
    ids = set() if asked.searched else {article.id for article in asked.articles}
    return [
        each
        for each in choices(book, language)
        if each.section in asked.sections or ids & {*each.articles}
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
        return Asked(list(book.articles.values()), SECTIONS, [])
    return Asked(list(articles.values()), sections, searched)


# The choices of the book --------------------------------------------------------------------------


def choices(book: Rulebook, language: str = ENGLISH) -> Iterator[Choice]:
    """Every choice of the book with the articles behind it."""
    for section in SECTIONS:
        if section == "spots":
            yield from _spots(book, language)
            continue
        part = getattr(book, section)
        if part is None:
            continue
        if isinstance(part, Mapping):
            for name, each in part.items():
                yield from _fields(section, f"{name}.", each, language)
        else:
            yield from _fields(section, "", part, language)


def _fields(section: str, before: str, part: Any, language: str) -> Iterator[Choice]:
    cites = part.cites
    for field in fields(part):
        value = getattr(part, field.name)
        if field.name in ("cites", "name"):
            continue
        if isinstance(value, Mapping):
            yield from _entries(section, f"{before}{field.name}", value, cites, language)
        elif field.name == "numbers":
            yield Choice(section, field.name, f"{value[0]} … {value[-1]}", cites.of("language"))
        else:
            articles = cites.of(field.name)
            yield Choice(section, before + field.name, said(value, language), articles)


def _entries(
    section: str, key: str, value: Mapping[Any, Any], cites: Citations, language: str
) -> Iterator[Choice]:
    for name, each in value.items():
        if isinstance(each, Call):
            pieces = " ".join(spot.name for spot in each.pieces)
            articles = tuple(dict.fromkeys((*each.cites, *_all(each.piece_cites))))
            yield Choice(section, f"{key}.{name}", pieces, articles)
        else:
            into = cites.into.get(name, ()) if isinstance(cites, ReductionCites) else ()
            own = into or cites.of(key)
            yield Choice(section, f"{key}.{name}", said(each, language), own)


def _all(cites: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    for ids in cites.values():
        yield from ids


def _spots(book: Rulebook, language: str) -> Iterator[Choice]:
    """What each class pays; spots with their own articles are listed separately."""
    seen: dict[tuple[object, ...], list[Terms]] = {}
    for terms in book.terms.values():
        key = (terms.spot.kind, terms.pays, terms.halves, terms.spot_cites, terms.pays_cites)
        seen.setdefault(key, []).append(terms)
    for (kind, *_), alike in seen.items():
        names = [terms.spot.name for terms in alike]
        which = f"{kind}" if len(names) > 6 else " ".join(names)
        pays = messages.said(language, "halves")
        if not alike[0].halves:
            pays = messages.said(language, "pays", odds=odds(language, alike[0].pays))
        articles = tuple(dict.fromkeys((*alike[0].spot_cites, *alike[0].pays_cites)))
        yield Choice("spots", which, pays, articles)


def said(value: object, language: str = ENGLISH) -> str:
    """A datum of a book for a reader; words of a closed set stay as they are in the book.

    >>> from fractions import Fraction
    >>> said(True), said(None), said(("simple", "dozen")), said(Fraction(1, 2))
    ('yes', 'none', 'simple, dozen', '1/2')
    """
    none = messages.said(language, "none")
    if value is None:
        return none
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


def _tell_choices(terminal: Terminal, chosen: Iterable[Choice], language: str) -> None:
    nothing = ("", messages.said(language, "none"))
    for section, group in groupby(chosen, key=lambda each: each.section):
        terminal.title(messages.section(language, section))
        told = [each for each in group if each.value not in nothing]
        room = max((len(each.key) for each in told), default=0)
        for each in told:
            text = each.value + named(each.articles)
            terminal.tell(text, indent=" " * (room + 4), first=f"  {each.key:<{room}}  ")


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
    book: Rulebook, asked: Asked, chosen: Iterable[Choice], languages: tuple[str, ...]
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
        "choices": [
            {
                "section": each.section,
                "key": each.key,
                "value": each.value,
                "articles": list(each.articles),
            }
            for each in chosen
        ],
    }


def _summaries(article: Article, languages: Iterable[str]) -> dict[str, str]:
    """The text of an article in the requested languages, or else in English."""
    known = [language for language in languages if language in article.summary]
    return {language: article.summary[language] for language in known or [ENGLISH]}
