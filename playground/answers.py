"""What the playground asks, answered by the game itself: JSON in, JSON out, in a browser.

The page runs this module beside the packages of the game, and shows what it returns: sentences,
and tables of texts. Every figure is written here, where amounts are whole numbers and odds are
fractions; a number of JavaScript could not hold them all. What cannot be answered comes back as an
error with the field of the page that it is about.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import novamas as nv
from novamas import rulebooks
from novamas.api.arguments import hands_of
from novamas.api.coup import Coup, net_of
from novamas.cli.messages import LANGUAGES, figure, said, several
from novamas.cli.settlement_report import (
    SUMS,
    TOGETHER,
    choices,
    reduction_steps,
    stake_words,
    working,
)
from novamas.cli.terminal import money, plain, signed
from novamas.drawing.layout import layout
from novamas.drawing.svg import Orientation, view_of
from novamas.game.languages import ENGLISH
from novamas.game.notation import Bet, NotationError, spoken
from novamas.game.rulebook.choices import choices as choices_of_book
from novamas.game.rulebook.model import Rulebook
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import Pocket
from novamas.odds.number_format import amount, share
from novamas.odds.number_format import plain as figures
from novamas.odds.one_coup import Odds
from novamas.wording import book_text

Asked = Mapping[str, Any]
Answer = dict[str, Any]

LONGEST: Final = 4_000
"""The most letters of a field; a link from elsewhere may hold anything."""
MOST_COUPS: Final = 12
"""The most numbers that are played one after the other."""
MOST_ROWS: Final = 40
"""How many results the odds list."""
FIELDS: Final = {"house": "house", "pocket": "number", "chip": "chip", "winning": "winning"}
"""Argument of the library → the field of the page; other errors are about the stakes."""


class Fault(Exception):  # noqa: N818 - it is an answer, and the page calls it a fault.
    """What is wrong with a field, and in which part of its text."""

    def __init__(self, field: str, told: str, *, start: int = -1, end: int = -1) -> None:
        super().__init__(told)
        self.field = field
        self.start = start
        self.end = end


def answer(question: str) -> str:
    """Answers a question; both are JSON.

    >>> found = answer('{"ask": "coup", "house": "ar", "number": "37", "stakes": ""}')
    >>> json.loads(found)["fault"]["field"], json.loads(found)["fault"]["told"]
    ('number', 'expected a whole number from 0 to 36, not 37')
    """
    asked = json.loads(question)
    try:
        found = ANSWERS[asked["ask"]](asked)
    except Fault as fault:
        told = {"field": fault.field, "told": str(fault), "start": fault.start, "end": fault.end}
        found = {"fault": told}
    except nv.NovamasError as error:
        found = {"fault": _fault(error)}
    return json.dumps(found, ensure_ascii=False)


def _fault(error: nv.NovamasError) -> Answer:
    argument, colon, rest = str(error).partition(": ")
    field = FIELDS.get(argument) if colon else None
    if isinstance(error, nv.RulebookError):
        field, rest = "house", str(error)
    return {
        "field": field or "stakes",
        "told": rest if field else str(error),
        "start": -1,
        "end": -1,
    }


# What was asked -----------------------------------------------------------------------------------


def _text(asked: Asked, field: str) -> str:
    text = str(asked.get(field, ""))
    if len(text) > LONGEST:
        raise Fault(field, f"expected at most {LONGEST} letters, not {len(text)}")
    return text


def _language(asked: Asked) -> str:
    language = str(asked.get("language", ENGLISH))
    return language if language in LANGUAGES else ENGLISH


def _book(asked: Asked) -> Rulebook:
    house = _text(asked, "house")
    if house not in rulebooks.HOUSES:
        raise Fault("house", f"expected one of {', '.join(rulebooks.HOUSES)}, not {house!r}")
    return rulebooks.load(house)


def _numbers(asked: Asked) -> list[Pocket]:
    """The numbers that come out, one after the other; the wheel says which of them it has."""
    said = re.split(r"[\s,;]+", _text(asked, "number").strip())
    if len(said) > MOST_COUPS:
        raise Fault("number", f"expected at most {MOST_COUPS} numbers, not {len(said)}")
    # `00` is the label of a pocket, and no other way to write 0.
    whole = re.compile("0|[1-9][0-9]{0,5}")
    return [int(each) if whole.fullmatch(each) else each for each in said]


def _hands(book: Rulebook, text: str) -> dict[str, list[Bet]]:
    """Player → their bets; each line has a hand, as has each part between semicolons."""
    hands: dict[str, list[Bet]] = {}
    for part in re.finditer(r"[^;|\n]+", text):
        hand = part[0].strip()
        if not hand:
            continue
        start = part.start() + part[0].index(hand)
        try:
            (found,) = hands_of(book, hand)
        except NotationError as error:
            told = str(error).split("\n", 2)[2]  # The lines before point at it in a terminal.
            at = start + error.position
            wrong = re.compile(r"[^\s:/+;|]*").match(text, at)
            end = wrong.end() if wrong else at
            raise Fault("stakes", told, start=at, end=max(end, at)) from None
        hands.setdefault(found.player, []).extend(found.bets)
    return hands


def _chip(asked: Asked) -> int | str:
    """What a chip is worth; what is no number is left for the library to refuse."""
    text = _text(asked, "chip").strip() or "1"
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 16 else text


# A coup -------------------------------------------------------------------------------------------


def _played(book: Rulebook, asked: Asked) -> list[Coup]:
    """The stakes meet the first number; each further one meets what is in prison by then."""
    numbers = _numbers(asked)
    chip: Any = _chip(asked)
    hands = [
        f"{player} {' '.join(f'{bet.what.name}:{bet.amount}' for bet in bets)}"
        for player, bets in _hands(book, _text(asked, "stakes")).items()
    ]
    winning = _text(asked, "winning") or "hand"
    coups: list[Coup] = []
    for place, number in enumerate(numbers, 1):
        coups.append(
            nv.settle(
                book,
                number,
                *([] if coups else hands),
                prison=_prison(coups[-1]) if coups else (),
                chip=chip,
                winning=winning,
                last=bool(asked.get("last")) and place == len(numbers),
            )
        )
    return coups


def _prison(coup: Coup) -> Iterator[Prisoner]:
    """What a coup leaves in prison."""
    for line in coup.lines:
        if line.held:
            stake = line.stake
            zeros = stake.zeros + 1 if isinstance(stake, Prisoner) else 1
            yield Prisoner(
                stake.id, stake.player, stake.spot, line.held, zeros, stake.chip, stake.kind
            )


def _coup(asked: Asked) -> Answer:
    """A coup, or several, settled: cloth, lines, payments, reductions, sums and explanations."""
    book, language = _book(asked), _language(asked)
    coups = _played(book, asked)
    portrait = asked.get("orientation") == "portrait"
    return {
        "house": book.id,
        "players": list(coups[0].players),
        "spots": _spots(book, "portrait" if portrait else "landscape"),
        "coups": [_told(coup, language, portrait=portrait) for coup in coups],
    }


def _spots(book: Rulebook, orientation: Orientation) -> list[tuple[str, float, float]]:
    """Every place of the drawing where a chip may lie: the spot, and the point in the picture."""
    drawn = layout(book)
    view = view_of(drawn, orientation)
    return [
        (spot.name, at.x, at.y) for spot in book.terms for at in map(view.point, drawn.points(spot))
    ]


def _told(coup: Coup, language: str, *, portrait: bool) -> Answer:
    book = coup.book
    cloth = replace(coup.cloth(), orientation="portrait" if portrait else "landscape")
    made = coup.reductions
    held = sum(line.held for line in coup.lines)
    return {
        "number": str(coup.pocket),
        "call": coup.call,
        "cloth": cloth.svg(),
        "summary": ", ".join(f"{who} {signed(net, language)}" for who, net in coup.net.items()),
        "lines": _lines(coup, language),
        "sent_back": [
            said(
                language,
                "sent_back" if each.amount == each.stake.amount else "sent_back_levelled",
                what=f"{each.stake.player} {spoken(book, each.stake.spot)}",
                amount=plain(each.amount, language),
            )
            + f" ({', '.join(each.articles)})"
            for each in coup.sent_back
        ],
        "reduced": [
            f"{each.player}: {step}"
            for each in made
            for step in reduction_steps(book, each, language)
        ],
        "reduced_title": f"{said(language, 'reduced_first')} ({', '.join(made[0].articles)})"
        if made
        else "",
        "paid": _payments(coup, language),
        "sums": _sums(coup, language),
        "choices": choices(book, coup.settlement, language),
        "why": [
            {
                "player": player,
                "told": " ".join(why.sentences),
                "articles": [each.id for each in why.articles],
            }
            for player, why in coup.explanations(language=language)
        ],
        "held": plain(held, language) if held else "",
    }


def _table(
    language: str, names: Sequence[str], rows: Iterable[Sequence[str]], *, optional: str = ""
) -> Answer:
    """A table: its columns named in the language, without the optional ones that are empty."""
    found = [list(row) for row in rows]
    left = set(optional.split())
    kept = [
        place
        for place, name in enumerate(names)
        if name not in left or any(row[place] not in ("", "-") for row in found)
    ]
    return {
        "head": [said(language, names[place]) if names[place] else "" for place in kept],
        "keys": [names[place] for place in kept],
        "rows": [[row[place] for place in kept] for row in found],
    }


def _lines(coup: Coup, language: str) -> Answer:
    """What became of each stake."""
    book = coup.book
    names = ("player", "stake", "of", "amount", *SUMS, "articles")
    rows = [
        (
            line.stake.player,
            stake_words(book, line.stake),
            said(language, "prison") if isinstance(line.stake, Prisoner) else line.stake.call or "",
            plain(line.stake.amount, language),
            *(money(getattr(line, name), language) for name in SUMS),
            " ".join(line.articles),
        )
        for line in coup.lines
    ]
    return _table(language, names, rows, optional="of held stays reduced aside")


def _payments(coup: Coup, language: str) -> Answer:
    """Who is paid how much, in the order of the house."""
    book = coup.book
    title = said(language, TOGETHER.get(book.payment.by, "paid_from_spool"))
    rows = []
    for place, payment in enumerate(coup.payments, 1):
        what = ", ".join(spoken(book, line.stake.spot) for line in payment.lines)
        paid_for = said(language, "paid_for", what=what)
        articles = " ".join(payment.articles)
        rows.append(
            (str(place), payment.player, working(book, payment, language), paid_for, articles)
        )
    # A house that brings nothing together pays stake by stake, and its spool is not spoken of.
    together = book.payment.by in TOGETHER or book.reduction is not None
    return {
        "title": said(language, "in_order", title=title) if together else "",
        **_table(language, ("pay", "player", "paid", "stake", "articles"), rows),
    }


def _sums(coup: Coup, language: str) -> Answer:
    """What the coup brought each player, and the bank."""
    rows: list[Sequence[str]] = []
    for player, net in coup.net.items():
        lines = [line for line in coup.lines if line.stake.player == player]
        laid = sum(line.stake.amount for line in lines if isinstance(line.stake, Stake))
        sums = (laid, *(sum(getattr(line, name) for line in lines) for name in _SUMMED))
        rows.append((player, *(money(each, language) for each in sums), signed(net, language)))
    nothing = [""] * (len(_SUMMED) + 1)
    rows.append((said(language, "bank"), *nothing, signed(coup.bank, language)))
    return _table(language, ("player", "staked", *_SUMMED, "net"), rows, optional="held stays")


_SUMMED: Final = ("won", "returned", "lost", "held", "stays")


def _elsewhere(asked: Asked) -> Answer:
    """The same stakes and numbers at every house: what each player would win or lose there."""
    language = _language(asked)
    players = list(_hands(_book(asked), _text(asked, "stakes")))
    rows: list[Answer] = []
    for house in rulebooks.HOUSES:
        there = {**asked, "house": house}
        try:
            coups = _played(rulebooks.load(house), there)
        except (nv.NovamasError, Fault) as error:
            told = _fault(error)["told"] if isinstance(error, nv.NovamasError) else str(error)
            rows.append({"house": house, "net": [], "held": "", "back": "", "refused": told})
            continue
        net = net_of(coups)
        held = sum(line.held for line in coups[-1].lines)
        back = sum(each.amount for each in coups[0].sent_back)
        rows.append(
            {
                "house": house,
                "net": [signed(net.get(player, 0), language) for player in players],
                "held": money(held, language),
                "back": money(back, language),
                "refused": "",
            }
        )
    heads = {name: said(language, name) for name in ("house", "held")}
    return {"players": players, "head": heads, "rows": rows}


# Odds ---------------------------------------------------------------------------------------------


def _odds(asked: Asked) -> Answer:
    """The exact odds of one player's bets, here and at every house."""
    book, language = _book(asked), _language(asked)
    hands = _hands(book, _text(asked, "stakes"))
    player = _text(asked, "player")
    bets = hands.get(player) or next(iter(hands.values()), [])
    if not bets:
        return {"player": ""}
    how: Any = {"choice": _text(asked, "choice") or "prison", "chip": _chip(asked)}
    odds = nv.odds(book, bets, **how)
    found = nv.compare(" ".join(f"{bet.what.name}:{bet.amount}" for bet in bets), **how)
    rows = []
    for at in found:
        if at.odds is None:
            rows.append([at.house, "", "", "", "", at.refused])
            continue
        shares = (share(float(at.odds.edge)), share(float(at.odds.gain)))
        edge, gain = (figure(language, each) for each in shares)
        deviation = figure(language, figures(at.odds.deviation, 5))
        rows.append([at.house, str(at.odds.edge), edge, deviation, gain, ""])
    return {
        "player": player if player in hands else next(iter(hands)),
        "layout": odds.layout,
        "facts": _facts(odds, language),
        **_outcomes(odds, language),
        "houses": rows,
        "head": {name: said(language, name) for name in _ODDS_HEADS},
    }


_ODDS_HEADS: Final = ("house", "house_keeps", "deviation", "gains", "exact")


def _facts(odds: Odds, language: str) -> list[list[str]]:
    """What a fact is called, its exact fraction, and its figure."""
    facts = [
        ("house_keeps", str(odds.edge), share(float(odds.edge))),
        ("on_average", str(odds.expectation), amount(float(odds.expectation))),
        ("deviation", "", figures(odds.deviation, 6)),
        ("skewness", "", figures(odds.skewness, 4)),
        ("something_paid", str(odds.hits), share(float(odds.hits))),
        ("ends_with_gain", str(odds.gain), share(float(odds.gain))),
    ]
    if odds.coups != 1:
        facts.append(("until_decided", str(odds.coups), figures(float(odds.coups), 5)))
    return [[said(language, name), exact, figure(language, told)] for name, exact, told in facts]


def _outcomes(odds: Odds, language: str) -> Answer:
    """The results with their probabilities, from the greatest loss; the likeliest, if too many."""
    likeliest = sorted(odds.outcomes.items(), key=lambda item: item[1], reverse=True)
    rows = [
        [signed(int(net), language), str(p), figure(language, share(float(p))), f"{float(p):.6f}"]
        for net, p in sorted(likeliest[:MOST_ROWS])
    ]
    others = len(likeliest) - len(rows)
    return {"outcomes": rows, "others": several(language, "less_likely", others) if others else ""}


# The books ----------------------------------------------------------------------------------------


def _houses(_: Asked) -> Answer:
    """Every house, with its titles, its numbers, and the ids of its articles."""
    return {
        "houses": [
            {
                "id": book.id,
                "titles": dict(book.title),
                "pockets": [str(each) for each in book.wheel.pockets],
                "articles": list(book.articles),
            }
            for book in map(rulebooks.load, rulebooks.HOUSES)
        ]
    }


def _article(asked: Asked) -> Answer:
    """An article: its text in each language that has it, and what the house chooses by it."""
    book, language, id = _book(asked), _language(asked), _text(asked, "article")
    if id not in book.articles:
        raise Fault("article", f"{book.id} has no article {id!r}")
    article = book.articles[id]
    posts = {post.name: post.word for post in book.posts.values()}
    return {
        "id": id,
        "house": book.id,
        "texts": [{"language": code, "text": text} for code, text in article.summary.items()],
        "reading": article.is_reading,
        "chosen": [
            {
                "section": book_text.section(language, each.section),
                "name": book_text.name(language, each.section, each.key, posts=posts),
                "value": book_text.value(language, each.value, book=book),
            }
            for each in choices_of_book(book)
            # The words of a house are in its articles as they are; they say nothing else.
            if id in each.articles and each.section != "calls" and not each.key.endswith(".word")
        ],
    }


ANSWERS: Final[dict[str, Callable[[Asked], Answer]]] = {
    "houses": _houses,
    "coup": _coup,
    "elsewhere": _elsewhere,
    "odds": _odds,
    "article": _article,
}
