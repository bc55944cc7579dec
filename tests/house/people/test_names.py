"""Names: nobody passes for somebody else by letters that look alike, or that cannot be seen."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novamas.house.people import decide, events
from novamas.house.people.decide import NameTakenError
from novamas.house.people.events import Post
from novamas.house.people.names import flaw, shape
from novamas.house.people.state import Register, evolve
from novamas.house.refusals import Problem


def known(*names: str) -> Register:
    """A register in which people of these names are known."""
    register = Register()
    for name in names:
        made = events.PersonRegistered(name=name, posts=(Post.PLAYER,), by="house", guest=True)
        evolve(register, made, 0)
    return register


def takes(register: Register, name: str, post: Post = Post.PLAYER) -> Problem | None:
    """Why somebody cannot take a name; None if they can."""
    try:
        tuple(decide.register_person(register, name, [post], by="house"))
    except NameTakenError as taken:
        return taken.why
    return None


@pytest.mark.parametrize(
    "name",
    [
        "ana",
        "Ана",
        "Йордан Радичков",
        "Íñigo",
        "Zoë O\u2019Neill",
        "Lluïsa Paral·lel",
        "Łukasz",
        "Nguyễn",
        "Ελένη",
        "דנה",
        "محمد",
        "नेहा",
        "小林",
        "guest-10",
        "J. R. (son)",
    ],
)
def test_a_name_in_one_alphabet_is_fine(name: str) -> None:
    assert takes(Register(), name) is None


@pytest.mark.parametrize(
    "name",
    [
        "\u0430na",  # Cyrillic a, then Latin.
        "an\u0430",
        "\u0391na",  # Greek capital alpha.
        "Иvan",
        "ana\u200b",  # What cannot be seen.
        "ana\u200d",
        "a\u034fna",
        "ana\ufe0f",
        "ana\u00ad",
        "ana\u2060",
        "\u3164",
        "\u2800",
        "\u115f",
        "ana\u202eluis",  # What turns the line round.
        "\u2066ana\u2069",
        "ana\u200f",
        "a\u0336na",  # Struck through.
        "a\u0301\u0302\u0303\u0304na",
        "\u0301ana",
        "ɑna",  # Signs of phonetics, of mathematics, and wide ones.
        "ᴀna",
        "\U0001d41a\U0001d427\U0001d41a",
        "ａｎａ",
        "ⓐna",
        "ana🎲",
        "ana\u00a0luis",
        "٣",
        "ana\ud800",
    ],
)
def test_what_cannot_be_told_apart_is_no_name(name: str) -> None:
    assert takes(Register(), name) is Problem.NAME_NOT_VALID


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("copa", "сора"),
        ("сора", "copa"),
        ("BOB", "ВОВ"),
        ("Ivan", "lvan"),
        ("ana1", "anal"),
        ("guest-10", "guest-1O"),
        ("emma", "ernma"),
        ("oo", "οο"),
        ("ana luis", "ana  luis"),
        ("O'Neill", "O’Neill"),
        ("straße", "STRASSE"),
    ],
)
def test_nobody_takes_a_name_that_looks_like_anothers(first: str, second: str) -> None:
    register = known(first)
    assert takes(register, second) is Problem.NAME_TAKEN
    assert takes(register, "somebody else") is None


@pytest.mark.parametrize(
    "name", ["auto", "Auto dealer", "house", "House", "management", "AUT0", "h0use"]
)
def test_nobody_is_called_like_the_house(name: str) -> None:
    for post in Post:
        assert takes(Register(), name, post) is Problem.NAME_TAKEN


@pytest.mark.parametrize("name", ["croupier", "Admin", "Chief", "R00T", "Крупие"])
def test_no_player_is_called_like_the_staff(name: str) -> None:
    assert takes(Register(), name) is Problem.NAME_TAKEN
    assert takes(Register(), name, Post.CHIEF) is None


@pytest.mark.parametrize("name", ["аna", "ana🎲", "croupier", "house", "ana\u200b"])
def test_names_that_are_known_keep_working(name: str) -> None:
    """They are in the log, and whoever has one signs in by it."""
    register = known(name)
    assert decide.known(register, name).name == name
    opened = tuple(decide.open_session(register, name, Post.PLAYER, "s1", now=1))
    assert len(opened) == 1


def test_a_guest_is_given_a_name_that_looks_like_nobody_elses() -> None:
    register = known("guest-2", "guest-l")
    assert not decide.is_free(register, "guest-1")
    assert decide.is_free(register, "guest-3")


@given(st.text(max_size=24))
def test_whatever_is_taken_is_seen_and_in_one_alphabet(name: str) -> None:
    try:
        kept = decide.clean_name(name)
    except NameTakenError:
        return
    assert flaw(kept) is None
    assert kept.isprintable()
    hidden = {"Cf", "Cc", "Cs", "Co", "Cn", "Zl", "Zp", "So", "Sk"}
    assert not {unicodedata.category(each) for each in kept if not each.isascii()} & hidden
    assert shape(kept) == shape(kept.strip())
