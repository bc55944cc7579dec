"""The notation prints and parses back, and no text brings it down."""

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from novamas import rulebooks
from novamas.game import notation
from novamas.game.cloth import SPOTS, Spot, SpotClass
from novamas.game.house_words import CALLS, CLASSES, FINALS, WIDEST_SECTOR, fold
from novamas.game.notation import Announced, Bet, Coup, Hand, NotationError, Playable, Words

CALLED = [
    *CALLS,
    *FINALS,
    *(f"{number}~{reach}" for number in range(37) for reach in range(1, WIDEST_SECTOR + 1)),
]

ON_NUMBERS = [spot for spot in SPOTS.values() if spot.kind.on_numbers]

spots = st.sampled_from(list(SPOTS.values()))
calls = st.sampled_from(CALLED).map(Announced)
bets = st.builds(Bet, spots | calls, st.integers(1, notation.LARGEST_AMOUNT))
letters = st.characters(categories=["L"])
name_tails = st.text(st.characters(categories=["L", "M", "Nd"], include_characters="-_."))
players = st.builds(str.__add__, letters, name_tails)
hands = st.builds(Hand, players, st.lists(bets, min_size=1, max_size=5).map(tuple))
houses = st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1, max_size=5)
coups = st.builds(
    Coup, houses, st.none() | st.integers(0, 36), st.lists(hands, max_size=4).map(tuple)
)


@pytest.fixture(scope="module", params=["plain", "of every house"])
def words(request: pytest.FixtureRequest) -> Words:
    """The words a text is read with."""
    return Words() if request.param == "plain" else rulebooks.words()


@pytest.mark.parametrize("spot", SPOTS.values(), ids=lambda spot: spot.name)
def test_every_spot_prints_and_parses_back(spot: Spot, words: Words) -> None:
    written = notation.name_of(spot)
    for text in (written, written.upper(), f" {written}\n"):
        assert notation.parse_spot(text, words) is spot
    assert notation.parse_bets(f"{written}:7", words) == (Bet(spot, 7),)


@given(st.sampled_from(ON_NUMBERS), st.data())
def test_every_spot_is_known_by_its_numbers_in_any_order(spot: Spot, data: st.DataObject) -> None:
    numbers = data.draw(st.permutations(sorted(spot.numbers, key=str)))
    assert notation.parse_spot("/".join(map(str, numbers))) is spot
    ends = data.draw(st.permutations(spot.name.split("/")))
    assert notation.parse_spot("/".join(ends)) is spot


@given(st.lists(st.integers(0, 36), min_size=1, max_size=7, unique=True))
def test_numbers_name_a_spot_of_theirs_or_none(numbers: list[int]) -> None:
    ends = {min(numbers), max(numbers)}
    by_all = [spot for spot in ON_NUMBERS if spot.numbers == {*numbers}]
    by_ends = [spot for spot in ON_NUMBERS if spot.name == "/".join(map(str, sorted(ends)))]
    named = by_all or (by_ends if len(numbers) == 2 else [])
    text = "/".join(map(str, numbers))
    if named:
        assert notation.parse_spot(text) is named[0]
    else:
        with pytest.raises(NotationError):
            notation.parse_spot(text)


def test_every_announcement_prints_and_parses_back(words: Words) -> None:
    for name in CALLED:
        assert notation.parse_call(name, words) == Announced(name)
        assert notation.parse_call(name.upper(), words) == Announced(name)


@given(st.lists(bets).map(tuple))
def test_bets_print_and_parse_back(made: tuple[Bet, ...]) -> None:
    text = notation.format_bets(made)
    assert notation.parse_bets(text) == made
    assert notation.parse_bets(text, rulebooks.words()) == made


@given(hands)
def test_hands_print_and_parse_back(made: Hand) -> None:
    text = notation.format_hand(made)
    assert notation.parse_hand(text) == made
    assert notation.parse_hand(unicodedata.normalize("NFD", text)) == made


@given(coups)
def test_coups_print_and_parse_back(made: Coup) -> None:
    text = notation.format_coup(made)
    assert len(text.splitlines()) == 1
    assert notation.parse_coup(text) == made
    assert notation.parse_coup(text.replace(" | ", "|")) == made


PARSERS: list[Callable[[str, Words], object]] = [
    notation.parse_spot,
    notation.parse_call,
    notation.parse_bets,
    notation.parse_hand,
    notation.parse_coup,
]


def mistake_in(text: str, parse: Callable[[str, Words], object]) -> NotationError | None:
    """What a text is refused for, if it is; any other error is one of the house."""
    try:
        parse(text, rulebooks.words())
    except NotationError as mistake:
        return mistake
    return None


pieces = st.sampled_from(
    [*"0123456789/+~-:| fFcd", "17", "20", "red", "ana", "ar", "final-", "pleno-", "a-caballo-"]
)
nearly = st.lists(pieces, max_size=12).map("".join)


@pytest.mark.parametrize("parse", PARSERS, ids=lambda parse: parse.__name__)
@given(text=st.text() | nearly | nearly.map("ar 17 | ana ".__add__))
@example(text="-" * 100_000)
@example(text="+" * 100_000)
@example(text="1/" * 100_000)
@example(text="17:" + "9" * 100_000)
@example(text="\ud800 17:5")
def test_any_text_is_read_or_pointed_at(parse: Callable[[str, Words], object], text: str) -> None:
    mistake = mistake_in(text, parse)
    if mistake is not None:
        assert mistake.text == text
        assert 0 <= mistake.position <= len(text)
        assert mistake.expected
        shown, caret, told = str(mistake).split("\n")
        assert len(shown) <= 78
        assert caret.strip() == "^"
        assert told.isprintable()


@pytest.mark.parametrize("house", rulebooks.HOUSES)
def test_every_word_of_a_book_finds_its_plain_name(house: str) -> None:
    book, words = rulebooks.load(house), rulebooks.words()
    for name, said in book.words.items():
        for word in said:
            for written in (word, word.replace(" ", "-"), word.upper(), fold(word)):
                assert words[written] == name
                if name not in CLASSES:
                    read = notation.parse_bets(f"{written.replace(' ', '-')}:1", words)
                    assert notation.format_bets(read) == f"{name}:1"


@pytest.mark.parametrize("house", rulebooks.HOUSES)
def test_what_a_house_says_is_understood(house: str) -> None:
    book = rulebooks.load(house)
    words = Words.of(book)
    what: Playable
    for what in SPOTS.values():
        assert notation.parse_spot(notation.spoken(book, what), words) is what
    for name in CALLED:
        what = Announced(name)
        assert notation.parse_call(notation.spoken(book, what), words) == what


@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(spots, st.sampled_from(sorted(SpotClass)))
def test_a_class_before_a_spot_must_be_its_own(spot: Spot, kind: SpotClass) -> None:
    text = f"{kind}-{spot.name}"
    if kind in (SpotClass.DOZEN, SpotClass.COLUMN) and spot.name in ("1", "2", "3"):
        # The first dozen, not the number 1.
        assert notation.parse_spot(text) is SPOTS[f"{kind[0]}{spot.name}"]
    elif kind is spot.kind or (spot.boxes and kind is SPOTS[spot.boxes[0]].kind):
        # Before two boxes it may be the class of the first: `dozen-d1` across `d2`.
        assert notation.parse_spot(text) is spot
    else:
        with pytest.raises(NotationError):
            notation.parse_spot(text)
