"""Books: a rulebook as the screens need it, from the drawing of its cloth to its articles."""

from __future__ import annotations

from typing import Any

from novamas.drawing.layout import layout
from novamas.game import wheel
from novamas.game.house_words import spoken
from novamas.game.lines import cited
from novamas.game.rulebook.model import Cause, Rulebook
from novamas.wording.calls import number_call


def of_rulebook(book: Rulebook) -> dict[str, Any]:
    """A rulebook for the screens: its articles, what it offers and what it says."""
    return {
        "id": book.id,
        "language": book.language,
        "title": dict(book.title),
        "drawing": book.cloth.drawing,
        "left": book.cloth.left,
        "right": book.cloth.right,
        "cloth": _cloth(book),
        "wheel": wheel.ORDER,
        "red": sorted(wheel.RED),
        "chips": {
            "on_numbers": list(book.chips.on_numbers),
            "on_chances": list(book.chips.on_chances),
            "colour_worth": book.chips.colour_worth,
            "foreign": book.chips.foreign_paid,
        },
        "kept": list(book.limits.kept),
        "change_binds": book.limits.change_binds,
        "multiples": dict(book.limits.multiples_of_minimum),
        "words": {name: list(words) for name, words in book.words.items()},
        "spots": {
            spot.name: {
                "class": spot.kind,
                "word": spoken(book, spot),
                "numbers": sorted(spot.numbers),
                "pays": [terms.pays.numerator, terms.pays.denominator],
                "halves": terms.halves,
                "articles": [*terms.spot_cites, *terms.pays_cites],
                "limit_articles": cited(
                    terms.limit_cites,
                    terms.minimum_cites,
                    book.limits.cites.minimum,
                    book.limits.cites.maximum,
                ),
            }
            for spot, terms in book.terms.items()
        },
        "announcements": {
            name: [spot.name for spot in call.pieces]
            for name, call in book.announcements.calls.items()
        },
        "sector": book.announcements.neighbours,
        "replays": list(book.announcements.replays),
        "zero": book.zero.simple,
        "zero_again": book.zero.again,
        "causes": [cause for cause in Cause if cause in book.wheel.causes],
        "posts": {
            post.name: {
                "word": post.word,
                "may": sorted(post.may),
                "at_least": post.at_least,
                "at_most": post.at_most,
                "touches_chips": post.touches_chips,
                "watches": post.watches,
                "zone": post.zone,
            }
            for post in book.posts.values()
        },
        "staffing": [
            {"posts": list(group.posts), "at_least": group.at_least} for group in book.staffing
        ],
        "calls": {
            "language": book.calls.language,
            "open_betting": book.calls.open_betting,
            "invites": book.calls.invites,
            "no_more_bets": book.calls.no_more_bets,
            "void": book.calls.void,
            "numbers": [number_call(book, number) for number in range(37)],
        },
        "articles": {
            article.id: {language: article.told(language) for language in article.summary}
            for article in book.articles.values()
        },
    }


def _cloth(book: Rulebook) -> dict[str, Any]:
    """A cloth's drawing, with the word that is printed in each box."""
    drawn = layout(book)
    plain: dict[str, Any] = drawn.as_data()
    for box, told in zip(drawn.boxes, plain["boxes"], strict=True):
        told["word"] = box.spot.name if box.spot.kind.on_numbers else book.word(box.spot.name)
    return plain
