"""Explain: in plain words, with the articles, why a stake got what it got."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from novamas.game.classes import class_pays
from novamas.game.lines import Line
from novamas.game.notation import spoken
from novamas.game.phrases import ENGLISH, PHRASES
from novamas.game.rulebook import Article, Rulebook, ZeroRule
from novamas.game.settlement import Fate, Verdict, verdicts
from novamas.game.stakes import Prisoner, Stake


@dataclass(frozen=True, slots=True)
class Explanation:
    """What became of a stake, told to a person."""

    sentences: tuple[str, ...]
    articles: tuple[Article, ...]
    language: str

    def summary(self, article: Article) -> str:
        """An article in the language of the explanation, or in English."""
        return article.summary.get(self.language) or article.summary[ENGLISH]

    def __str__(self) -> str:
        cited = (f"  {article.id}: {self.summary(article)}" for article in self.articles)
        return "\n".join((" ".join(self.sentences), *cited))


def explain(book: Rulebook, line: Line, pocket: int, *, language: str = "en") -> Explanation:
    """Explains a line of a settlement, in English or in another language that has the phrases.

    Spots are named as the house names them; an article is summed up in the house's own language or
    in English.

    >>> from novamas.rulebooks import load
    >>> from novamas.game.cloth import spot
    >>> from novamas.game.settlement import settle
    >>> line = settle(load("ar"), 17, [Stake("b1", "ana", spot("17/20"), 2)]).lines[0]
    >>> for sentence in explain(load("ar"), line, 17).sentences:
    ...     print(sentence)
    2 on semipleno 17/20; 17 came out.
    It covers 17 and pays 17 for 1: 2 wins 34.
    Of the stake, 2 goes back to the hand.
    """
    language = _language(language)
    teller = _Teller(book, line, pocket, PHRASES[language])
    told = teller.prisoner() if isinstance(line.stake, Prisoner) else teller.stake(line.stake)
    return _explanation(book, tuple(told), line.articles, language)


def explain_returned(
    book: Rulebook,
    stake: Stake | Prisoner,
    amount: int,
    articles: tuple[str, ...],
    *,
    language: str = "en",
) -> Explanation:
    """Explains why a stake, or a part of it, was sent back before it could play."""
    language = _language(language)
    told = PHRASES[language]["returned"].format(amount=amount, spot=spoken(book, stake.spot))
    return _explanation(book, (told,), articles, language)


def explain_choice(book: Rulebook, line: Line, *, language: str = "en") -> Explanation:
    """Explains what the owner of a stake in prison chose; the line is that of his choice."""
    language = _language(language)
    name = "chose_prison" if line.held else "chose_half"
    told = PHRASES[language][name].format(held=line.held, returned=line.returned, lost=line.lost)
    return _explanation(book, (told,), line.articles, language)


def _language(language: str) -> str:
    """The language itself, or English if it has no phrases yet."""
    return language if language in PHRASES else ENGLISH


def _explanation(
    book: Rulebook, sentences: tuple[str, ...], ids: tuple[str, ...], language: str
) -> Explanation:
    return Explanation(sentences, tuple(book.article(id) for id in ids), language)


class _Teller:
    """Puts a line into sentences."""

    def __init__(self, book: Rulebook, line: Line, pocket: int, words: dict[str, str]) -> None:
        self.book = book
        self.line = line
        self.pocket = pocket
        self.words = words

    def say(self, name: str, **more: object) -> str:
        line = self.line
        facts: dict[str, object] = {
            "amount": line.stake.amount,
            "spot": spoken(self.book, line.stake.spot),
            "number": self.pocket,
            **{field: getattr(line, field) for field in ("won", "returned", "lost", "held")},
            "stays": line.stays,
            "aside": line.aside,
        }
        return self.words[name].format(**{**facts, **more})

    def stake(self, stake: Stake) -> Iterator[str]:
        """The sentences for a stake that lay on the cloth."""
        verdict: Verdict = verdicts(self.book, self.pocket)[stake.spot]
        yield self.say("staked")
        if self.line.won:
            yield from self._won(stake, verdict)
        elif verdict.fate is Fate.ZERO:
            yield from self._zero()
        else:
            yield from self._lost(stake)

    def _won(self, stake: Stake, verdict: Verdict) -> Iterator[str]:
        line = self.line
        first = line.parts[0] if line.parts else None
        plays = stake.amount if first is None else first.amount
        if verdict.fate is Fate.HALF_WINS:
            box = next(b for b in stake.spot.boxes if self._wins(b))
            yield self.say("half_won", box=self.book.word(box))
            plays += line.lost
        else:
            won = line.won if first is None else first.won
            yield self.say("won", pays=verdict.pays, plays=plays, won=won)
        for part in line.parts[1:]:
            pays = class_pays(self.book, part.kind)
            kind = self.book.word(part.kind.value)
            yield self.say("cascade", amount=part.amount, kind=kind, pays=pays, won=part.won)
        rest = stake.amount - plays - sum(part.amount for part in line.parts[1:])
        if rest:
            yield self.say("excess_back", rest=rest)
        yield from self._where_to()

    def _wins(self, box: str) -> bool:
        return any(spot.name == box and self.pocket in spot.numbers for spot in self.book.terms)

    def _where_to(self) -> Iterator[str]:
        line = self.line
        if line.stays > line.stake.amount:
            yield self.say("rides")
        elif line.stays:
            yield self.say("on_cloth")
        if line.aside:
            yield self.say("aside")
        if line.returned:
            yield self.say("to_hand")

    def _zero(self) -> Iterator[str]:
        line = self.line
        if self.book.zero.simple is ZeroRule.CHOICE and line.held:
            yield self.say("zero_prison")
            return
        if self.book.zero.simple is ZeroRule.CHOICE:
            yield self.say("zero_forced")
        yield self.say("zero_half")
        if line.held:
            yield self.say("zero_chip")

    def _lost(self, stake: Stake) -> Iterator[str]:
        line = self.line
        by_zero = self.pocket == 0 and not stake.spot.kind.on_numbers
        yield self.say("zero_lost" if by_zero else "lost")
        excess = self.book.excess
        if excess is not None and set(excess.cites["lost"]) & set(line.articles):
            yield self.say("lost_over")
        if line.returned:
            yield self.say("excess_back", rest=line.returned)

    def prisoner(self) -> Iterator[str]:
        """The sentences for a stake that lay in prison."""
        line = self.line
        yield self.say("prisoner")
        if line.held:
            yield self.say("again_halved" if line.lost else "again_stays")
        elif self.pocket == 0:
            yield self.say("zero_forced")
            yield self.say("zero_half")
        else:
            yield self.say("freed" if line.returned else "taken")
