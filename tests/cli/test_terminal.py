"""The terminal: letters that it can print, colours that it was asked for, columns that line up."""

import io
import os
from unittest import mock

import pytest

from novamas.cli.terminal import Terminal, width, wrapped
from tests.cli.running import good


def terminal(*, colour: bool = False, columns: int = 60, encoding: str = "utf-8") -> Terminal:
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True)
    return Terminal(out, colour=colour, columns=columns)


def printed(shown: Terminal) -> str:
    raw = shown.out.buffer.getvalue()  # type: ignore[attr-defined]
    assert isinstance(raw, bytes)
    return raw.decode(shown.encoding)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("línea – 5 × 2 → 10", "linea - 5 x 2 -> 10"),
        ("«Край на залаганията»", '"Kray na zalaganiyata"'),
        ("┌─┬─┐ ● ◆ ◇", "+-+-+ o * :"),
        ("日", "?"),
    ],
)
def test_what_cannot_be_printed_is_written_plainly(text: str, plain: str) -> None:
    shown = terminal(encoding="ascii")
    shown.say(text)
    assert printed(shown) == plain + "\n"


def test_letters_that_the_encoding_has_stay() -> None:
    shown = terminal(encoding="cp1251")
    shown.say("червено línea")
    assert printed(shown) == "червено linea\n"


def test_a_drawing_keeps_its_columns_in_any_encoding() -> None:
    assert terminal(encoding="ascii").fit("│ЧЕРНО│", drawn=True) == "|CERNO|"
    for encoding in ("ascii", "cp1252", "utf-8"):
        lines = good("cloth", "bg", encoding=encoding).splitlines()
        assert {len(line) for line in lines[:10]} == {80}, encoding


def test_what_would_move_the_cursor_is_not_sent() -> None:
    shown = terminal()
    shown.say("a\x1b[2Jb\rc\u202ed\x07")
    assert printed(shown) == "a\ufffd[2Jb\ufffdc\ufffdd\ufffd\n"


def test_half_of_a_pair_is_no_letter() -> None:
    shown = terminal()
    shown.say("a\udc80b")
    shown.data(["\udc80"])
    assert printed(shown) == 'a?b\n[\n  "\\udc80"\n]\n'


def test_colours_only_where_they_were_asked_for() -> None:
    assert terminal().paint("17", "bold") == "17"
    assert terminal(colour=True).paint("17", "bold") == "\x1b[1m17\x1b[0m"


class Screen(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environment", "colour"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_a_terminal_has_colours_unless_someone_minds(
    environment: dict[str, str], *, colour: bool
) -> None:
    with mock.patch.dict(os.environ, environment, clear=True):
        assert Terminal.on(Screen()).colour is colour
        assert Terminal.on(Screen(), colour=False).colour is False
        assert Terminal.on(io.StringIO()).colour is False


def test_columns_line_up_whatever_the_letters() -> None:
    shown = terminal(colour=True)
    shown.table([["línea", "5"], ["\x1b[1me\u0301\x1b[0m", "10"], ["日本", "7"]], "lr")
    lines = printed(shown).splitlines()
    assert {width(line) for line in lines} == {9}


def test_a_long_last_column_is_broken_or_goes_below() -> None:
    wide = terminal(columns=50)
    wide.table([["a", "x " * 40]], "ll")
    assert all(len(line) <= 50 for line in printed(wide).splitlines())
    narrow = terminal(columns=40)
    narrow.table([["a", "b" * 20, "x " * 30]], "lll")
    first, second, *_ = printed(narrow).splitlines()
    assert first == f"a  {'b' * 20}"
    assert second.startswith("   x x")


def test_a_word_longer_than_the_line_stands_alone() -> None:
    assert wrapped("a " + "b" * 30 + " c", 10) == ["a", "b" * 30, "c"]
