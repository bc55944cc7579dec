"""`novamas rules`: a house's articles, and the behaviours that its book chooses by them."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from enum import Enum
from itertools import groupby
from typing import Any, NamedTuple

from novamas.cli import messages
from novamas.cli.arguments import house, language, near
from novamas.cli.errors import InputError
from novamas.cli.messages import SECTIONS
from novamas.cli.terminal import Terminal, named
from novamas.game.languages import ENGLISH
from novamas.game.rulebook.citations import Citations, ReductionCites
from novamas.game.rulebook.model import Article, Call, Rulebook, Terms
from novamas.wording.explain import odds


class Choice(NamedTuple):
    """A datum of the book, and the articles behind it."""

    section: str
    key: str
    value: str
    articles: tuple[str, ...]


def run(args: Namespace, terminal: Terminal) -> int:
    """Prints the whole book, or what was asked for of it."""
    book = house(args.house)
    languages = _languages(book, args.lang)
    if args.json:
        articles, _, chosen = _asked(book, args.articles)
        terminal.data(_data(book, articles, chosen, languages))
        return 0
    if not args.articles:
        terminal.title(f"{book.title.get(_headed(languages)) or book.id} ({book.id})")
        terminal.say()
    show(terminal, book, args.articles, languages=languages)
    return 0


def show(
    terminal: Terminal,
    book: Rulebook,
    wanted: list[str],
    *,
    languages: tuple[str, ...] | None = None,
) -> None:
    """Shows articles and sections of a book, or all of it."""
    languages = languages or _languages(book, None)
    headed = _headed(languages)
    articles, sections, chosen = _asked(book, wanted, headed)
    if sections:
        _tell_choices(terminal, [each for each in chosen if each.section in sections], headed)
    if sections and articles:
        terminal.say()
    _tell_articles(terminal, articles, languages)
    if not sections and chosen:
        terminal.say()
        terminal.title(messages.said(headed, "choices"))
        _tell_choices(terminal, chosen, headed)


def _asked(
    book: Rulebook, wanted: list[str], language: str = ENGLISH
) -> tuple[list[Article], list[str], list[Choice]]:
    """The articles, the sections and the choices that were asked for; all, if nothing was."""
    chosen = list(choices(book, language))
    if not wanted:
        return list(book.articles.values()), SECTIONS, chosen
    articles, sections = _wanted(book, wanted)
    ids = {article.id for article in articles}
    chosen = [each for each in chosen if each.section in sections or ids & {*each.articles}]
    return articles, sections, chosen


def _languages(book: Rulebook, wanted: str | None) -> tuple[str, ...]:
    if wanted is not None:
        return (language(book, wanted),)
    return tuple(dict.fromkeys(("en", book.language)))


def _headed(languages: tuple[str, ...]) -> str:
    """The language of the headings: that of the articles, or English above two."""
    return ENGLISH if ENGLISH in languages else languages[0]


def find(book: Rulebook, text: str) -> tuple[Article, ...]:
    """The articles that a person means, or what to write instead."""
    found = book.find(text)
    if not found:
        ids = {id.lower(): id for id in book.articles}
        ids |= {lower.removeprefix(f"{book.id}-"): id for lower, id in ids.items()}
        hint = near(text.lower(), ids, shown=ids) or f"`novamas rules {book.id}` lists them all"
        raise InputError(f"{book.id} has no article {text!r}", hint=hint)
    return found


def _wanted(book: Rulebook, texts: Iterable[str]) -> tuple[list[Article], list[str]]:
    """The articles and the sections of the book that were asked for."""
    articles: dict[str, Article] = {}
    sections: list[str] = []
    for text in texts:
        if text.lower() in SECTIONS:
            sections.append(text.lower())
        else:
            articles.update((each.id, each) for each in find(book, text))
    return list(articles.values()), sections


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
            yield from _entries(section, f"{before}{field.name}", value, cites)
        elif field.name == "numbers":
            yield Choice(section, field.name, f"{value[0]} … {value[-1]}", cites.of("language"))
        else:
            articles = cites.of(field.name)
            yield Choice(section, before + field.name, said(value, language), articles)


def _entries(
    section: str, key: str, value: Mapping[Any, Any], cites: Citations
) -> Iterator[Choice]:
    for name, each in value.items():
        if isinstance(each, Call):
            pieces = " ".join(spot.name for spot in each.pieces)
            articles = tuple(dict.fromkeys((*each.cites, *_all(each.piece_cites))))
            yield Choice(section, f"{key}.{name}", pieces, articles)
        else:
            into = cites.into.get(name, ()) if isinstance(cites, ReductionCites) else ()
            own = into or cites.of(key)
            yield Choice(section, f"{key}.{name}", said(each), own)


def _all(cites: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    for ids in cites.values():
        yield from ids


def _spots(book: Rulebook, language: str) -> Iterator[Choice]:
    """What each class pays; spots with articles of their own stand apart."""
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
    """A datum of a book as a person reads it; words of a closed set stay as the book has them.

    >>> from fractions import Fraction
    >>> said(True), said(None), said(("simple", "dozen")), said(Fraction(1, 2))
    ('yes', 'none', 'simple, dozen', '1/2')
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return messages.said(language, "yes" if value else "no")
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, frozenset):
        return " and ".join(sorted(map(said, value))) or "none"
    if isinstance(value, tuple):
        nested = any(isinstance(each, tuple | frozenset) for each in value)
        return (", then " if nested else ", ").join(map(said, value)) or "none"
    return str(value)


# Telling ------------------------------------------------------------------------------------------


def _tell_choices(terminal: Terminal, chosen: Iterable[Choice], language: str) -> None:
    for section, group in groupby(chosen, key=lambda each: each.section):
        terminal.title(messages.section(language, section))
        told = [each for each in group if each.value not in ("", "none")]
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
        terminal.tell(article.summary[spoken], indent=indent, first=start, style=style)
    if article.source:
        terminal.tell(f"[{article.source}]", indent=indent)


def _data(
    book: Rulebook,
    articles: Iterable[Article],
    chosen: Iterable[Choice],
    languages: tuple[str, ...],
) -> dict[str, Any]:
    return {
        "house": book.id,
        "title": dict(book.title),
        "articles": [
            {
                "id": article.id,
                "summary": {language: article.summary[language] for language in languages},
                "reading": article.is_reading,
                "source": article.source,
            }
            for article in articles
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
