"""The full screen without a screen: what each key does at the table, and what the rows say."""

import random

import pytest

from novamas.cli.fullscreen import panels
from novamas.cli.fullscreen.table_view import Phase, Wish
from novamas.cli.messages import LANGUAGES
from novamas.game.cloth import SPOTS
from novamas.rulebooks import HOUSES, load
from tests.cli.seated import calls_list, lying, page, phase, screen, seated, typed

SIZES = [(60, 40), (80, 24), (120, 40), (200, 60)]
ZERO_FIRST = ("--seed", "31")
TWO_FIRST = ("--seed", "19")


# The keys -----------------------------------------------------------------------------------------


def test_arrows_reach_lines_and_boxes_and_space_lays_the_chosen_chip() -> None:
    view = seated("es")
    view.press("space", " ")
    view.press("right")
    assert view.cursor.place.spot.name == "17/20"
    view.press("3", "3")
    view.press("space", " ")
    view.press("up")
    assert view.cursor.place.spot.name == "17/21"
    view.press("shift+right")
    assert view.cursor.place.spot.name in {"20", "21"}
    assert lying(view) == {"17": 10, "17/20": 50}


def test_backspace_and_u_take_back_what_was_laid_last() -> None:
    view = seated("es")
    for key in ("space", "right", "space", "right", "space"):
        view.press(key)
    view.press("u", "u")
    assert lying(view) == {"17": 10, "17/20": 10}
    view.press("backspace")
    assert lying(view) == {"17": 10}


def test_delete_takes_a_stack_back_from_the_spot_under_the_cursor() -> None:
    view = seated("es")
    typed(view, "17:30 20:10")
    view.press("delete")
    assert lying(view) == {"17": 20, "20": 10}
    view.press("2", "2")
    view.press("delete")
    assert lying(view) == {"20": 10}
    view.press("delete")
    assert view.messages.notice == "you have nothing there"


@pytest.mark.parametrize("text", ["17:10", "36:10", "1:10", "14/17:10", "0:10", "13/18:10", "8:10"])
def test_a_bet_may_begin_with_digits_that_also_choose_a_chip(text: str) -> None:
    view = seated("es")
    typed(view, text)
    assert lying(view) == {text.partition(":")[0]: 10}
    assert view.chosen == 0


def test_words_may_begin_with_u() -> None:
    view = seated("it", "--purse", "5000")
    typed(view, "17:50")
    typed(view, "undo")
    assert lying(view) == {}
    typed(view, "17:50")
    typed(view, "ultima-dozzina:50")
    assert lying(view) == {"17": 50, "d3": 50}


@pytest.mark.parametrize("word", ["leave", "quit", "q", "exit"])
def test_words_for_leaving_leave(word: str) -> None:
    assert typed(seated("ar"), word) is Wish.LEAVE


@pytest.mark.parametrize("word", ["again", "repeat", "rebet"])
def test_words_for_the_last_bets_lay_them_again(word: str) -> None:
    view = seated("ar")
    typed(view, "17:10 red:50")
    view.press("enter")
    typed(view, word)
    assert lying(view) == {"17": 10, "red": 50}


@pytest.mark.parametrize("word", ["h", "help"])
def test_help_lists_the_commands(word: str) -> None:
    view = seated("ar")
    typed(view, word)
    shown = page(view)
    assert shown is not None
    assert any("take back what you laid last" in line for line in shown.lines)
    view.press("escape")
    assert page(view) is None


def test_a_question_mark_shows_keys_and_commands_and_scrolls() -> None:
    view = seated("ar")
    view.press("question_mark", "?")
    shown = page(view)
    assert shown is not None
    assert any("move over the spots" in line for line in shown.lines)
    top = shown.shown
    view.press("end")
    assert shown.shown != top
    view.press("x", "x")
    assert page(view) is None
    assert view.line.text == "x"


def test_tab_completes_commands_spots_announcements_and_ids() -> None:
    view = seated("it")
    for line, whole in (
        ("vois", "voisins:"),
        ("lim", "limits "),
        ("17:50 prima-d", "17:50 prima-dozzina:"),
    ):
        view.line.put(line)
        view.press("tab")
        assert view.line.text == whole
    view.line.put("17:50")
    view.press("enter")
    view.line.put("take b")
    view.press("tab")
    assert view.line.text == "take b1"
    view.line.put("d")
    view.press("tab")
    assert "double" in view.messages.notice
    assert "d1:" in view.messages.notice


def test_arrows_edit_a_line_and_recall_the_last() -> None:
    view = seated("es")
    typed(view, "17:10")
    for letter in "red:5":
        view.press(letter, letter)
    view.press("left")
    view.press("2", "2")
    assert view.line.text == "red:25"
    view.press("escape")
    assert view.line.text == ""
    view.press("ctrl+p")
    assert view.line.text == "17:10"


# Lines with a mistake -----------------------------------------------------------------------------


def test_a_bet_that_cannot_be_read_keeps_the_whole_line_with_the_caret_at_the_mistake() -> None:
    view = seated("es")
    typed(view, "17:10 rad:50 20:10")
    assert lying(view) == {}
    assert view.line.text == "17:10 rad:50 20:10"
    assert view.line.at == view.line.text.index("rad")
    assert "did you mean `red`?" in screen(view)


def test_what_was_expected_is_told_in_full_on_a_narrow_screen() -> None:
    view = seated("es")
    view.resize(60, 40)
    typed(view, "17:10 foo:50")
    assert view.line.at == view.line.text.index("foo")
    told = " ".join(line.strip() for line in panels.messages(view))
    assert "expected a spot such as `17/20`, `d1` or `red`, or an announcement such as" in told
    assert all(len(line) <= 60 for line in panels.messages(view))


def test_a_refused_bet_is_named_and_kept_and_the_rest_is_laid() -> None:
    view = seated("es")
    typed(view, "17:10 20:5000 red:50")
    assert lying(view) == {"17": 10, "red": 50}
    assert view.line.text == "20:5000"
    assert any("5000 on pleno 20" in line for line in view.messages.log)


# The coup -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
def test_a_coup_at_every_house_in_every_size(house: str) -> None:
    book = load(house)
    view = seated(house, "--purse", "5000")
    typed(view, "17:50 red:50")
    purse = view.player_session.player.purse
    assert view.press("enter") is Wish.NOTHING
    assert view.fallen is not None
    for size in SIZES:
        view.resize(*size)
        shown = screen(view)
        assert f"[{view.fallen.number}]" in shown
        assert book.title[book.language].split()[0] in shown
        assert max(map(len, shown.splitlines())) <= size[0]
    assert view.player_session.player.purse >= purse
    if phase(view) is Phase.CHOOSING:
        view.press("escape")
    view.press("space", " ")
    assert view.fallen is None


def test_any_key_ends_the_run_of_the_ball_and_what_is_typed_waits() -> None:
    view = seated("ar", waits=True)
    typed(view, "16:10")
    assert view.press("enter") is Wish.WATCH_BALL
    assert phase(view) is Phase.BALL
    for _ in range(5):
        assert view.tick() is not None
    assert "16" not in " ".join(map(str, view.numbers))
    assert view.press("1", "1") is Wish.NOTHING
    assert phase(view) is Phase.BETTING
    for letter in "7:10":
        view.press(letter, letter)
    assert view.line.text == "17:10"
    assert lying(view) == {}
    assert view.player_session.result == 350


def test_enter_in_the_run_of_the_ball_ends_it_and_begins_no_other() -> None:
    view = seated("ar", waits=True)
    view.press("enter")
    view.press("enter")
    assert phase(view) is Phase.BETTING
    assert len(view.player_session.numbers) == 1


def test_the_ball_comes_to_rest_by_itself() -> None:
    view = seated("ar", waits=True)
    view.press("enter")
    steps = 0
    while view.tick() is not None:
        steps += 1
    assert steps > 20
    assert phase(view) is Phase.BETTING
    assert view.numbers == view.player_session.numbers


def test_what_stands_after_spin_is_done_when_the_ball_rests() -> None:
    view = seated("ar", waits=True)
    assert typed(view, "17:10; spin; 20:10") is Wish.WATCH_BALL
    assert lying(view) == {"17": 10}
    view.press("x", "x")
    assert lying(view) == {"20": 10}


def test_a_table_that_closes_is_left_by_any_key() -> None:
    view = seated("ar", "--coups", "1")
    view.press("enter")
    assert phase(view) is Phase.OVER
    assert "leave" in screen(view)
    assert view.press("space", " ") is Wish.LEAVE


# After a zero, and announcements ------------------------------------------------------------------


def test_a_choice_after_zero_is_asked_for_and_the_prison_is_drawn() -> None:
    view = seated("es", *ZERO_FIRST)
    typed(view, "red:50 odd:30")
    view.press("enter")
    assert phase(view) is Phase.CHOOSING
    assert "▒50" in screen(view)
    assert "[half 25] (ES-7.2.b1)" in screen(view)
    view.press("enter")
    assert [each.amount for each in view.asked] == [30]
    view.press("right")
    view.press("enter")
    assert phase(view) is Phase.BETTING
    assert view.player_session.player.purse == 945
    view.press("escape")
    assert "▒30" in screen(view)
    assert "▒50" not in screen(view)


def test_what_a_number_put_in_prison_is_drawn_there_at_once() -> None:
    view = seated("it", *ZERO_FIRST)
    typed(view, "red:50 17:50")
    view.press("enter")
    shown = screen(view)
    assert "[0]" in shown
    assert "▒10" in shown
    assert "17 │" in shown


def test_one_answer_may_count_for_all_stakes_that_met_zero() -> None:
    view = seated("es", *ZERO_FIRST)
    typed(view, "red:50 odd:30")
    view.press("enter")
    view.press("asterisk", "*")
    assert view.player_session.player.purse == 960
    assert phase(view) is Phase.BETTING


def test_a_choice_may_wait_or_be_typed() -> None:
    view = seated("es", *ZERO_FIRST)
    typed(view, "red:50")
    view.press("enter")
    typed(view, "choose b1 half")
    assert phase(view) is Phase.BETTING
    assert view.player_session.player.purse == 975


def test_announcements_are_chosen_from_a_list_and_drawn_while_they_wait() -> None:
    view = seated("it")
    view.press("f2")
    offered = calls_list(view)
    assert offered is not None
    names = [call.name for call in offered.calls]
    assert "17~2" in names
    for _ in range(names.index("voisins")):
        view.press("down")
    view.press("enter")
    assert calls_list(view) is None
    assert lying(view) == {"voisins": 90}
    assert "to be placed: vicini dello zero ●90" in screen(view)


def test_the_list_of_announcements_shows_where_their_chips_lie() -> None:
    view = seated("bg")
    view.press("f2")
    view.press("down")
    assert "0/2/3" in screen(view)
    view.press("escape")
    assert calls_list(view) is None
    assert "0/2/3" not in screen(view)


def test_a_house_without_announcements_says_so() -> None:
    view = seated("ar")
    view.press("f2")
    assert calls_list(view) is None
    assert "no announcements" in screen(view)


def test_an_announcement_that_won_is_played_again() -> None:
    view = seated("it", *TWO_FIRST)
    typed(view, "vicini:90")
    view.press("enter")
    typed(view, "replay a1 completare")
    assert lying(view) == {"voisins": 90}


# What is shown ------------------------------------------------------------------------------------


def test_a_wide_screen_has_wheel_numbers_limits_and_why_beside_the_cloth() -> None:
    view = seated("es")
    typed(view, "17:10")
    view.press("enter")
    view.resize(120, 40)
    shown = screen(view)
    for part in ("last numbers", "limits", "10–300", "why", "ES-7.1.a", "▸16"):
        assert part in shown
    view.resize(80, 24)
    assert "last numbers" not in screen(view)


def test_the_cursor_keeps_its_spot_when_the_screen_is_turned() -> None:
    view = seated("es")
    for key in ("right", "down"):
        view.press(key)
    before = view.cursor.place.spot
    assert before is SPOTS["16/20"]
    view.resize(60, 40)
    assert view.arrangement.grid.size.upright
    assert view.cursor.place.spot is before
    view.press("down")
    assert view.cursor.place.spot is SPOTS["19/20"]


def test_the_mouse_points_lays_and_takes_back() -> None:
    view = seated("sd")
    row, column = view.arrangement.grid.anchors(SPOTS["0/00"])[0]
    assert view.point(row, column)
    assert view.cursor.place.spot.name == "0/00"
    view.click(row, column)
    assert lying(view) == {"0/00": 10}
    view.click(row, column, back=True)
    assert lying(view) == {}
    assert not view.point(0, 79)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_fits_its_keys_and_says_its_words(language: str) -> None:
    view = seated("es", *ZERO_FIRST, "--lang", language)
    english = screen(seated("es"))
    for size in SIZES:
        view.resize(*size)
        assert max(map(len, screen(view).splitlines())) <= size[0]
    assert (screen(view) == english) == (language == "en" and view.width == 80)
    typed(view, "red:50")
    view.press("enter")
    assert phase(view) is Phase.CHOOSING
    assert "[" in screen(view)


def test_without_colours_nothing_is_painted_and_the_choice_still_stands_out() -> None:
    view = seated("es")
    assert "\x1b" not in "".join(view.messages.captured(view.side.placard))
    view.press("2", "2")
    assert "[2·20]" in screen(view)


# Any keys in any order ----------------------------------------------------------------------------

KEYS = (
    *"left right up down shift+left shift+down space enter backspace delete tab escape".split(),
    *"f1 f2 f3 f5 f6 end ctrl+p asterisk question_mark u 1 4 6 7 : a r x".split(),
)
LINES = (
    "red:50",
    "17:10 0:20",
    "voisins:90",
    "again",
    "why",
    "17:10; spin; red:10",
    "choose b1 half",
)


@pytest.mark.parametrize("house", HOUSES)
def test_any_keys_in_any_order_leave_a_whole_table(house: str) -> None:
    chance = random.Random(house)  # noqa: S311 - Always the same keys at a house.
    view = seated(house, "--purse", "3000", waits=True)
    for _ in range(40):
        match chance.randrange(6):
            case 0:
                typed(view, chance.choice(LINES))
            case 1:
                view.resize(chance.choice((20, 59, 60, 80, 119, 120)), chance.choice((5, 20, 40)))
            case 2:
                view.click(chance.randrange(30), chance.randrange(90), back=chance.random() < 0.5)
            case _:
                key = chance.choice(KEYS)
                view.press(key, key if len(key) == 1 else None)
        session = view.player_session
        assert session.state.on_cloth == sum(lying(view).values())
        assert view.phase is not Phase.CHOOSING or view.asked
        assert len(screen(view).splitlines()) > view.arrangement.grid.rows
