"""Whatever a coup brings, its sentences tell the line: their figures, read back, add up to it.

A sentence is read back by the phrase that it was made from. The name of a field says which sum its
figure belongs to.
"""

import re
import string
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache
from random import Random

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from novamas.game.cloth import LIMITED, SIMPLE_CHANCES, spot
from novamas.game.languages import SEPARATORS
from novamas.game.limits import Limits
from novamas.game.lines import Line
from novamas.game.money import halve, written
from novamas.game.rulebook.behaviours import ChipKind, Winning, ZeroAgain
from novamas.game.rulebook.model import Rulebook
from novamas.game.stakes import Prisoner, Stake
from novamas.rulebooks import HOUSES, load
from novamas.wording.explain import explain, explain_choice, explain_returned, phrase
from novamas.wording.phrases import PHRASES
from tests.properties.laid import PLAYERS, Laid, coups, holding, stakes

FIGURES = frozenset(
    "amount plays won back over loose apart lost held stays aside reduced freed".split()
)
WORDS = frozenset("spot box kind odds".split())
ODDS = frozenset(("odds", "odds_one", "odds_part"))
LANGUAGES = sorted(PHRASES)


@dataclass(frozen=True)
class Read:
    """A sentence read back."""

    name: str
    figures: dict[str, int]
    odds: str


@cache
def readers(language: str) -> dict[str, re.Pattern[str]]:
    """The phrases of a language as what reads them."""
    figure = rf"[0-9]+(?:{re.escape(SEPARATORS[language])}[0-9]{{3}})*"
    found = {}
    for name, text in PHRASES[language].items():
        if name in ODDS:
            continue
        pattern = ""
        for literal, field, _, _ in string.Formatter().parse(text):
            pattern += re.escape(literal)
            if field == "number":
                pattern += "[0-9]{1,2}"
            elif field in FIGURES:
                pattern += f"(?P<{field}>{figure})"
            elif field is not None:
                assert field in WORDS, field
                pattern += f"(?P<{field}>.+)"
        found[name] = re.compile(pattern)
    return found


def read(sentence: str, language: str) -> Read:
    """The phrase of a sentence, and the figures in it."""
    matches = {
        name: match
        for name, pattern in readers(language).items()
        if (match := pattern.fullmatch(sentence))
    }
    assert len(matches) == 1, (sentence, sorted(matches))
    ((name, match),) = matches.items()
    figures = {}
    for field, text in match.groupdict().items():
        if field in FIGURES:
            figures[field] = int(text.replace(SEPARATORS[language], ""))
            assert written(figures[field], language) == text
    return Read(name, figures, match.groupdict().get("odds", ""))


def added_up(told: list[Read]) -> Counter[str]:
    """The sums of the figures, by field; no figure is nothing."""
    sums: Counter[str] = Counter()
    for each in told:
        for field, figure in each.figures.items():
            assert figure > 0, each
            sums[field] += figure
    return sums


def check_line(line: Line, told: list[Read]) -> None:
    """Every amount of the line is told once, and nothing else."""
    sums = added_up(told)
    assert sums["amount"] == line.stake.amount
    for field in ("won", "lost", "held", "stays", "aside"):
        assert sums[field] == getattr(line, field), field
    assert sums["back"] + sums["freed"] + sums["over"] + sums["loose"] == line.returned
    assert sums["reduced"] == line.reduced
    assert sums["freed"] == (line.freed if line.reduced else 0)
    assert sums["apart"] <= line.aside
    # All of the stake is told: what played, or where it went, and what did not play.
    played = sums["plays"] or sums["back"] + sums["held"] + sums["aside"] - sums["apart"]
    unplayed = sums["over"] + sums["apart"] + sums["loose"]
    assert line.stake.amount == played + sums["lost"] + unplayed
    assert unplayed == sum(each.amount for each in line.unplayed)
    names = [each.name for each in told if each.name != "cascade"]
    assert len(names) == len(set(names))


def check_odds(each: Read) -> None:
    """What a part won is what its odds make of it; half a unit is made whole."""
    above, below = map(int, re.findall(r"[0-9]+", each.odds))
    short = each.figures["plays"] * above - each.figures["won"] * below
    slack = below + above if each.name == "half_won" else below  # A half of an odd unit.
    assert abs(short) < slack, each


def check(coup: Laid) -> None:
    """The explanations of a coup, in every language."""
    for line in coup.settle().lines:
        in_english: list[Read] = []
        for language in LANGUAGES:
            told = explain(coup.book, line, coup.pocket, language=language)
            assert tuple(article.id for article in told.articles) == line.articles
            rounding = coup.book.settled.rounded
            found = [read(sentence, language) for sentence in told.sentences]
            check_line(line, found)
            if any(each.name in ("rounded", "zero_loose") for each in found):
                assert set(rounding) <= set(line.articles)
            elif rounding:
                assert not set(rounding) <= set(line.articles)
            if language == "en":
                in_english = found
            named = [(each.name, each.figures) for each in found]
            assert named == [(each.name, each.figures) for each in in_english or found]
        for each in in_english:
            event(each.name)
            if each.odds:
                check_odds(each)


@given(coups())
def test_the_sentences_of_a_coup_add_up_to_its_lines(coup: Laid) -> None:
    check(coup)


@given(coups(unit=1000))
def test_the_sentences_of_large_amounts_add_up_too(coup: Laid) -> None:
    check(coup)


def mixed(excess: str, zero: str, *, again: ZeroAgain | None = None) -> Rulebook:
    """A book that has the excess of one house and the zero of another."""
    one, other = load(excess), load(zero)
    rules = other.zero if again is None else replace(other.zero, again=again)
    return replace(one, zero=rules, articles={**one.articles, **other.articles})


MIXED = {
    "unclear stakes and a choice": mixed("ar", "es"),
    "unclear stakes and a partage": mixed("ar", "it"),
    "a second zero takes the prisoners": mixed("it", "es", again=ZeroAgain.LOSE),
}


@pytest.mark.parametrize("book", MIXED.values(), ids=MIXED)
@given(data=st.data())
def test_the_sentences_of_other_books_add_up_too(book: Rulebook, data: st.DataObject) -> None:
    coup = data.draw(coups())
    pocket = data.draw(st.sampled_from((0, coup.pocket)))
    laid = data.draw(stakes(book.id, pocket, absences=False))
    prison = tuple(
        Prisoner(f"p{n}", "ana", spot(on), amount)
        for n, (on, amount) in enumerate(
            data.draw(
                st.lists(st.tuples(st.sampled_from(SIMPLE_CHANCES), st.integers(1, 60)), max_size=3)
            )
        )
    )
    check(replace(coup, book=book, pocket=pocket, stakes=laid, prison=prison))


@given(st.integers(1, 10**9), st.sampled_from(LANGUAGES))
def test_the_sentences_of_a_choice_add_up(amount: int, language: str) -> None:
    book = load("es")
    prisoner = Prisoner("b1", "ana", spot("red"), amount)
    back, lost = halve(amount)
    for line in (
        Line(prisoner, held=amount, articles=book.zero.cites.prison),
        Line(prisoner, returned=back, lost=lost, articles=book.zero.cites.half),
    ):
        told = explain_choice(book, line, language=language)
        sums = added_up([read(sentence, language) for sentence in told.sentences])
        assert (sums["back"], sums["lost"], sums["held"]) == (line.returned, line.lost, line.held)


@given(st.integers(1, 10**9), st.sampled_from(LANGUAGES))
def test_the_sentences_of_what_goes_back_add_up(amount: int, language: str) -> None:
    book = load("es")
    stake = Stake("b1", "ana", spot("red"), 10**9)
    told = explain_returned(book, stake, amount, ("X-05",), language=language)
    (back,) = (read(sentence, language) for sentence in told.sentences)
    assert back.figures == {"amount": amount}
    prisoner = Prisoner("b1", "ana", spot("red"), amount)
    half = halve(amount)
    told = explain_returned(book, prisoner, half.player, ("ES-G.3",), language=language)
    sums = added_up([read(sentence, language) for sentence in told.sentences])
    assert (sums["amount"], sums["back"], sums["lost"]) == (amount, *half)


# Many coups ---------------------------------------------------------------------------------------

BOOKS = (*map(load, HOUSES), *MIXED.values())
TOLD_ELSEWHERE = frozenset(("chose_half", "chose_prison", "returned", "closed"))


def drawn(rng: Random) -> Laid:
    """A coup drawn so that stakes meet on a few spots, win often and often pass a maximum."""
    book = rng.choice(BOOKS)
    pocket = rng.choice((0, *book.wheel.pockets))
    chips = {player: rng.choice((1, 2, 5)) for player in PLAYERS}
    places = rng.choices([*holding(book, pocket), *rng.sample(list(book.terms), 5)], k=3)
    kinds = [ChipKind.COLOUR, ChipKind.VALUE, *[ChipKind.FOREIGN] * book.chips.foreign_paid]
    laid = []
    for place in range(rng.randint(1, 6)):
        player = rng.choice(PLAYERS)
        away = rng.random() < 0.3
        laid.append(
            Stake(
                f"b{place}",
                player,
                rng.choice(places),
                rng.randint(1, 30) * rng.choice((1, chips[player], 100)),
                chip=chips[player],
                kind=rng.choice(kinds),
                principal=rng.choice((None, *PLAYERS)) if book.limits.third_parties else None,
                unclear=rng.random() < 0.2,
                away=away,
                waited=rng.choice((None, 0, 2)) if away else None,
            )
        )
    prison = [
        Prisoner(
            f"p{n}",
            rng.choice(PLAYERS),
            spot(rng.choice(SIMPLE_CHANCES)),
            rng.randint(1, 80),
            away=rng.random() < 0.3,
        )
        for n in range(rng.randrange(3) if book.zero.again else 0)
    ]
    placard = {
        kind.value: {"max": rng.randint(1, 40) * rng.choice((1, 10))}
        for kind in LIMITED
        if rng.random() < 0.7
    }
    return Laid(
        book=book,
        pocket=pocket,
        stakes=tuple(laid),
        prison=tuple(prison),
        limits=Limits.of(placard),
        winning=rng.choice(tuple(Winning)),
        last=rng.random() < 0.3,
    )


def test_the_sentences_of_thousands_of_coups_add_up_and_use_every_phrase() -> None:
    rng = Random(37)  # noqa: S311 - Any coups will do.
    told: Counter[str] = Counter()
    for number in range(6_000):
        coup = drawn(rng)
        language = LANGUAGES[number % len(LANGUAGES)]
        for line in coup.settle().lines:
            sentences = explain(coup.book, line, coup.pocket, language=language).sentences
            found = [read(sentence, language) for sentence in sentences]
            check_line(line, found)
            told.update(each.name for each in found)
    assert told.keys() == PHRASES["en"].keys() - ODDS - TOLD_ELSEWHERE


# The phrases --------------------------------------------------------------------------------------


def fields_of(text: str) -> list[str]:
    return sorted(field for _, field, _, _ in string.Formatter().parse(text) if field)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_phrase_with_its_figures(language: str) -> None:
    english, phrases = PHRASES["en"], PHRASES[language]
    assert phrases.keys() == english.keys()
    for name in english.keys() - ODDS:
        figures = [field for field in fields_of(phrases[name]) if field != "number"]
        assert figures == [field for field in fields_of(english[name]) if field != "number"], name


@pytest.mark.parametrize("language", LANGUAGES)
def test_amounts_are_written_as_the_language_writes_them(language: str) -> None:
    shown = {"en": "3,500", "es": "3.500", "it": "3.500", "fr": "3\u202f500", "bg": "3\u00a0500"}
    assert shown[language] in phrase(language, "to_hand", {"back": 3500})


def test_odds_are_to_one_and_never_for_one() -> None:
    for phrases in PHRASES.values():
        for text in phrases.values():
            assert not re.search(r"\b(for|por|pour|per|за) 1\b", text), text


def test_no_italian_article_stands_before_a_number() -> None:
    for text in PHRASES["it"].values():
        assert not re.search(r"\b(il|lo|l’|nel|sul|del|al|dal) ?\{number\}", text), text
