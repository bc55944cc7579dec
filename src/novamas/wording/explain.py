"""Explanations: in plain words, with the articles, why a stake got what it got.

An explanation is a function of the line: each amount that the line moves appears in one sentence,
and no sentence has an amount that the line does not move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from typing import Final, NamedTuple

from novamas.game.arguments import instance
from novamas.game.languages import ENGLISH
from novamas.game.lines import Line, Part, Reason
from novamas.game.money import written
from novamas.game.notation import spoken
from novamas.game.rulebook.behaviours import ZeroAgain, ZeroRule
from novamas.game.rulebook.model import Article, Rulebook
from novamas.game.spot_classes import class_pays
from novamas.game.stakes import Prisoner, Stake
from novamas.game.verdicts import Fate, Verdict, verdicts
from novamas.game.wheel import Pocket
from novamas.wording.phrases import PHRASES


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """What became of a stake, in sentences.

    >>> import novamas as nv
    >>> ((player, why),) = nv.settle("ar", 17, "ana red:50").explanations()
    >>> why
    <Explanation: 50 on colorado; 17 came up. It does not cover 17: 50 is lost.>
    """

    sentences: tuple[str, ...]
    articles: tuple[Article, ...]
    language: str

    def summary(self, article: Article) -> str:
        """An article in the language of the explanation, or in English."""
        said = instance(article, Article, argument="article").summary
        return said.get(self.language) or said[ENGLISH]

    def __repr__(self) -> str:
        return f"<Explanation: {' '.join(self.sentences)}>"

    def _repr_html_(self) -> str:
        cited = "".join(
            f"<li><b>{escape(each.id)}</b> {escape(self.summary(each))}</li>"
            for each in self.articles
        )
        return f"<div><p>{escape(' '.join(self.sentences))}</p><ul>{cited}</ul></div>"

    def __str__(self) -> str:
        cited = (f"  {article.id}: {self.summary(article)}" for article in self.articles)
        return "\n".join((" ".join(self.sentences), *cited))


def explain(book: Rulebook, line: Line, pocket: Pocket, *, language: str = "en") -> Explanation:
    """Explains a line of a settlement, in English or in another language that has the phrases.

    Spots have the house's names. The summary of an article is in the house's own language or in
    English.

    >>> from novamas.rulebooks import load
    >>> from novamas.game.cloth import spot
    >>> from novamas.game.settlement import settle
    >>> line = settle(load("ar"), 17, [Stake("b1", "ana", spot("17/20"), 2)]).lines[0]
    >>> for sentence in explain(load("ar"), line, 17).sentences:
    ...     print(sentence)
    2 on semipleno 17/20; 17 came up.
    It covers 17 and pays 17 to 1: 2 wins 34.
    Stake returned: 2.
    """
    account = _Account(book, line, pocket)
    phrases = account.prisoner() if isinstance(line.stake, Prisoner) else account.stake(line.stake)
    return _explanation(book, phrases, line.articles, language)


def explain_returned(
    book: Rulebook,
    stake: Stake | Prisoner,
    amount: int,
    articles: tuple[str, ...],
    *,
    language: str = "en",
) -> Explanation:
    """Explains why a stake, or a part of it, was returned before it could play."""
    spot = spoken(book, stake.spot)
    phrases: Iterable[Said] = (Said("returned", {"amount": amount, "spot": spot}),)
    if isinstance(stake, Prisoner):
        closed = Said("closed", {"amount": stake.amount, "spot": spot})
        phrases = (closed, *_divided(amount, stake.amount - amount))
    return _explanation(book, phrases, articles, language)


def explain_choice(book: Rulebook, line: Line, *, language: str = "en") -> Explanation:
    """Explains what the owner of a stake in prison chose; the line is that of the choice."""
    if line.held:
        phrases: Iterable[Said] = (Said("chose_prison", {"held": line.held}),)
    else:
        phrases = (Said("chose_half", {}), *_halved(line.returned, line.lost))
    return _explanation(book, phrases, line.articles, language)


def phrase(language: str, name: str, facts: dict[str, object]) -> str:
    """A phrase in a language, or else in English, with amounts and odds in its format.

    >>> phrase("es", "won", {"number": 17, "odds": Fraction(35), "plays": 100, "won": 3500})
    'Comprende el 17 y paga 35 a 1. Apuesta 100, ganancia 3.500.'
    """
    language = _language(language)
    shown = {name: _shown(fact, language) for name, fact in facts.items()}
    return PHRASES[language][name].format(**shown)


def odds(language: str, pays: Fraction) -> str:
    """What a spot pays, in a language.

    >>> odds("en", Fraction(35)), odds("it", Fraction(1)), odds("es", Fraction(1, 2))
    ('35 to 1', 'una volta la puntata', '1 a 2')
    """
    name = "odds_part" if pays.denominator > 1 else "odds_one" if pays == 1 else "odds"
    return PHRASES[_language(language)][name].format(above=pays.numerator, below=pays.denominator)


def _shown(fact: object, language: str) -> object:
    if isinstance(fact, Fraction):
        return odds(language, fact)
    return written(fact, language) if isinstance(fact, int) else fact


def _language(language: str) -> str:
    """The language, or English if it has no phrases yet."""
    return language if language in PHRASES else ENGLISH


class Said(NamedTuple):
    """A sentence before translation: the name of its phrase, and its values."""

    name: str
    facts: dict[str, object]


ROUNDED: Final = Said("rounded", {})


def _explanation(
    book: Rulebook, phrases: Iterable[Said], ids: tuple[str, ...], language: str
) -> Explanation:
    sentences = tuple(phrase(language, name, facts) for name, facts in phrases)
    return Explanation(sentences, tuple(book.article(id) for id in ids), _language(language))


def _divided(back: int, lost: int, aside: int = 0) -> Iterator[Said]:
    """The parts of a divided stake, back or aside and to the bank; parts of 0 are left out."""
    if back:
        yield Said("back", {"back": back})
    if aside:
        yield Said("aside", {"aside": aside})
    if lost:
        yield Said("bank", {"lost": lost})


def _halved(back: int, lost: int, aside: int = 0) -> Iterator[Said]:
    """The same for a stake divided in two halves; the player's half has the odd unit."""
    yield from _divided(back, lost, aside)
    if back + aside > lost:
        yield ROUNDED


class _Account:
    """Collects the sentences for the amounts of a line, each amount once."""

    def __init__(self, book: Rulebook, line: Line, pocket: Pocket) -> None:
        self.book = book
        self.line = line
        self.pocket = pocket
        self.unplayed = sum(each.amount for each in line.unplayed)
        in_custody = self.unplayed and not line.returned
        self.back = 0 if in_custody else line.returned - self.unplayed
        """The part of what played that goes back."""
        self.aside = line.aside - self.unplayed if in_custody else line.aside
        """The part of what played that waits for a player who is away."""

    def _met(self, name: str) -> Said:
        """The sentence that names a stake and the winning number."""
        stake = self.line.stake
        spot = spoken(self.book, stake.spot)
        return Said(name, {"amount": stake.amount, "spot": spot, "number": self.pocket})

    def stake(self, stake: Stake) -> Iterator[Said]:
        """The sentences for a stake that lay on the cloth."""
        verdict = verdicts(self.book, self.pocket)[stake.spot]
        yield self._met("staked")
        if verdict.fate in (Fate.WINS, Fate.HALF_WINS):
            yield from self._won(stake, verdict)
        elif verdict.fate is Fate.ZERO:
            yield from self._zero()
        else:
            yield from self._lost(stake)

    def _won(self, stake: Stake, verdict: Verdict) -> Iterator[Said]:
        line = self.line
        first, *lower = line.parts or (Part(stake.spot.kind, stake.amount, line.won),)
        if not first.amount:
            yield Said("at_maximum", {})
        elif verdict.fate is Fate.HALF_WINS:
            yield from self._half_won(stake, first, verdict.pays)
        else:
            facts = {"odds": verdict.pays, "plays": first.amount, "won": first.won}
            yield Said("won", {"number": self.pocket, **facts})
            if first.won != first.amount * verdict.pays:
                yield ROUNDED
        for part in lower:
            pays, kind = class_pays(self.book, part.kind), self.book.word(part.kind.value)
            facts = {"odds": pays, "plays": part.amount, "won": part.won}
            yield Said("cascade", {"kind": kind, **facts})
        yield from self._unplayed()
        yield from self._where_to(first.amount)

    def _half_won(self, stake: Stake, half: Part, pays: Fraction) -> Iterator[Said]:
        """The sentences for a straddle of which half won and half lost."""
        box = self.book.word(next(each for each in stake.spot.boxes if self._wins(each)))
        if half.won:
            facts = {"odds": pays, "plays": half.amount, "won": half.won}
            yield Said("half_won", {"box": box, **facts})
        else:
            yield Said("half_even", {"box": box})
        if self.line.lost:
            yield Said("half_lost", {"lost": self.line.lost})
        if self.line.lost != half.amount:
            yield ROUNDED

    def _wins(self, box: str) -> bool:
        return any(spot.name == box and self.pocket in spot.numbers for spot in self.book.terms)

    def _unplayed(self) -> Iterator[Said]:
        for reason, amount in self.line.unplayed:
            if reason is Reason.LOOSE:
                yield Said("zero_loose", {"loose": amount})
                continue
            if reason is Reason.UNCLEAR:
                yield Said("unclear", {})
            if self.line.returned:
                yield Said("excess_back", {"over": amount})
            else:
                yield Said("excess_apart", {"apart": amount})

    def _where_to(self, played: int) -> Iterator[Said]:
        """Says where a winner goes, and its winnings too if its owner is away."""
        line = self.line
        if line.aside or line.stays > played:
            if line.stays:
                yield Said("rides", {"stays": line.stays})
            if line.aside:
                yield Said("aside_too" if line.stays else "aside", {"aside": line.aside})
            return
        # Winners that stay are described after the reduction; in the hand, the kind of chip does
        # not matter.
        freed = line.freed if line.reduced else 0
        if self.back > freed:
            yield Said("to_hand", {"back": self.back - freed})
        if line.stays:
            yield Said("on_cloth", {"stays": line.stays})
        if line.reduced:
            yield Said("on_number", {"reduced": line.reduced})
        if freed:
            yield Said("freed_chips", {"freed": freed})

    def _zero(self) -> Iterator[Said]:
        line, rule = self.line, self.book.zero.simple
        back, lost, aside = self.back, line.lost, self.aside
        if rule is ZeroRule.CHOICE and line.held:
            yield Said("zero_prison", {"held": line.held})
        elif back or lost or aside:
            if rule is ZeroRule.CHOICE:
                yield Said("last_half", {})
                yield from _halved(back, lost, aside)
            elif rule is ZeroRule.HALF:
                # Of two odd stakes on a chance the bank has the odd unit of the second.
                yield Said("zero_half" if back + aside >= lost else "zero_shared", {})
                yield from _halved(back, lost, aside)
            else:
                yield Said("zero_half" if back == lost else "zero_shared", {})
                yield from _divided(back, lost)
        elif not line.held and any(each.reason is not Reason.LOOSE for each in line.unplayed):
            yield Said("at_maximum", {})
        if rule is ZeroRule.PARTAGE and line.held:
            yield Said("zero_chip", {"held": line.held})
        yield from self._unplayed()

    def _lost(self, stake: Stake) -> Iterator[Said]:
        line = self.line
        if not line.lost:
            yield Said("at_maximum", {})
        elif self.pocket == 0 and not stake.spot.kind.on_numbers:
            yield Said("zero_lost", {"lost": line.lost})
        else:
            yield Said("lost", {"number": self.pocket, "lost": line.lost})
        excess = self.book.excess
        if excess is not None and set(excess.cites.lost) & set(line.articles):
            yield Said("lost_over", {})
        yield from self._unplayed()

    def prisoner(self) -> Iterator[Said]:
        """The sentences for a stake that lay in prison."""
        line = self.line
        yield self._met("prisoner")
        if self.pocket == 0:
            yield from self._again(line.stake.amount)
        elif line.returned:
            yield Said("freed", {"back": line.returned})
        elif line.aside:
            yield Said("freed_away", {})
            yield Said("aside", {"aside": line.aside})
        else:
            yield Said("taken", {"lost": line.lost})

    def _again(self, amount: int) -> Iterator[Said]:
        """The sentences for what a further zero did to a prisoner."""
        line = self.line
        if line.held and line.lost:
            yield Said("again_halved", {"lost": line.lost, "held": line.held})
        elif line.held:
            yield Said("again_stays", {"held": line.held})
        elif line.returned or line.aside:
            yield Said("again_last", {})
            yield from _divided(line.returned, line.lost, line.aside)
        else:
            yield Said("again_lost", {"lost": line.lost})
        exact = line.held * 2 if line.held else (line.returned + line.aside) * 4
        if self.book.zero.again is ZeroAgain.HALVE and exact != amount:
            yield ROUNDED
