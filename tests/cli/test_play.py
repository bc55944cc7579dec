"""`novamas play`: evenings that are piped in, from sitting down to the result."""

import io
import os
import re
from collections.abc import Iterator
from unittest import mock

import pytest

from novamas.cli.commands import play
from novamas.cli.player_session import PlayerSession
from novamas.cli.spinning_ball import passing
from novamas.cli.terminal import Terminal
from novamas.cli.typed_commands import TypedCommands
from novamas.game.cloth import LIMITED
from novamas.game.limits import placard
from novamas.game.notation import parse_bets
from novamas.game.wheel import AMERICAN, EUROPEAN, Direction, Pocket, Wheel
from novamas.rulebooks import HOUSES, load, words
from novamas.table.croupier import Croupier
from novamas.table.refusals import Refusal
from novamas.table.state import Setup, State
from tests.cli.running import bad, good, novamas

ZERO_FIRST = "31"
"""A seed whose first numbers are 0 and 30."""
TWO_FIRST = "19"
"""A seed whose first numbers are 2 and 33."""


def played(house: str, *typed: str, options: tuple[str, ...] = (), seed: str = "5") -> str:
    return good("play", house, "--seed", seed, *options, stdin="\n".join(typed) + "\n")


def after(printed: str, typed: str) -> list[str]:
    """The lines that answer to what was typed, up to the next prompt."""
    lines = printed.splitlines()
    start = next(n for n, line in enumerate(lines) if line.endswith(f"> {typed}"))
    end = next((n for n in range(start + 1, len(lines)) if " > " in lines[n]), len(lines))
    return lines[start + 1 : end]


def table(house: str, numbers: Iterator[Pocket]) -> PlayerSession:
    book = load(house)
    usual = Setup(limits=placard(book, 10), winning=book.betting.winners_stay, chip=10, live=True)
    croupier = Croupier(State.fresh(book, usual))
    evening = PlayerSession(croupier, "ana", lambda: next(numbers))
    croupier.open()
    croupier.seat("ana")
    evening.buy(1000)
    return evening


def coup(evening: PlayerSession) -> None:
    evening.close_betting()
    evening.call()
    evening.settle()


@pytest.mark.parametrize("house", HOUSES)
def test_an_evening_at_every_house(house: str) -> None:
    book = load(house)
    printed = played(
        house, "17:50 14/17:10 red:50", "spin", "why", "again", "spin", "purse", "quit"
    )
    assert book.title[book.language] in printed
    calls = [book.calls.open_betting, book.calls.no_more_bets]
    assert all(printed.count(f"«{call}»") >= 2 for call in calls)
    assert re.search(r"\nYou (won|lost|leave) ", printed)
    brought, left = map(int, re.findall(r"brought (\d+) and leave with (\d+)", printed)[0])
    result = re.search(r"You (won|lost) (\d+)", printed)
    assert result is not None
    assert left - brought == int(result[2]) * (1 if result[1] == "won" else -1)


def test_the_same_seed_is_the_same_evening() -> None:
    typed = ("rojo:50", "spin", "spin", "spin", "numbers")
    assert played("es", *typed) == played("es", *typed)
    assert played("es", *typed) != played("es", *typed, seed="6")


def test_without_a_seed_numbers_come_from_real_chance() -> None:
    with mock.patch("secrets.choice", return_value=23) as drawn:
        printed = good("play", "ar", stdin="spin\nnumbers\n")
    drawn.assert_called_once_with(EUROPEAN.pockets)
    assert "«Colorado el veintitrés»" in printed


def test_a_coup_is_told_from_the_bets_to_the_payments() -> None:
    printed = played("ar", "16:10 colorado:100 17:10", "spin")
    told = after(printed, "spin")
    assert told[:2] == ["«No va más»", "«Colorado el dieciséis»"]
    assert any("[16]" in line for line in told)
    assert "     b3  pleno 17            10    -         -    10  AR-5.b" in told
    assert "  1  b2  colorado (red)     100  100       100     -  AR-10.c AR-10" in told
    assert "You win 440." in told
    assert "«Hagan juego»" in told


@pytest.mark.rule("AMB-AR-32", "AMB-AR-33")
def test_ar_32_reduced_winners_stay_and_are_taken_back_by_the_name_that_the_house_gives() -> None:
    typed = ("13/16:20 16/17:10", "spin", "purse", "move reduced-1 20", "take reduced-1")
    printed = played("ar", *typed, options=("--winning", "cloth"))
    paid = "1  you  520 = (35 + 17) × 10; 2 chips stay  for semipleno 13/16, semipleno 16/17"
    told = after(printed, "spin")
    assert any(line.startswith(paid) for line in told)
    assert "You win 510." in told
    assert "  reduced-1  pleno 16         10" in after(printed, "purse")
    assert "  reduced-1  pleno 20         10" in after(printed, "move reduced-1 20")
    taken = "  purse 1500, 10 on the cloth; so far +510"
    assert taken in after(printed, "take reduced-1")


def test_refusals_are_told_and_change_nothing() -> None:
    printed = played("es", "17:310", "17:15", "voisins:90", "rojo:5000")
    assert any("exceeds maximum: 17 takes at most 300" in line for line in after(printed, "17:310"))
    assert any("X-03" in line for line in after(printed, "17:15"))
    assert any("announcement not taken" in line for line in after(printed, "voisins:90"))
    assert any("exceeds purse" in line for line in after(printed, "rojo:5000"))
    assert "You leave as you came." in printed


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("spni", "did you mean spin"),
        ("17/22:10", "17 and 22 do not touch"),
        ("take", "write `take b1` or `take b1 10`"),
        ("take b7", "no such stake"),
        ("take b7 x", "amount: expected a whole number"),
        ("move b1", "write `move b1 20`"),
        ("move b1 17/22", "do not touch"),
        ("choose b1 all", "write `choose b1 half` or `choose b1 prison`"),
        ("choose b1 half", "no choice pending"),
        ("replay a1 twice", "write `replay a1` and one of rifare"),
        ("replay a1 rifare", "replay not offered"),
        ("rules 99", "ar has no article '99'"),
        ("why", "no number has come out yet"),
        ("buy", "write `buy 500`"),
        ("buy 15", "buy a multiple of it"),
        ("announce foo", "expected an announcement"),
        ("undo", "nothing was laid in this coup"),
        ("again", "nothing to lay again"),
        ("double", "nothing lies on the cloth"),
    ],
)
def test_slips_are_told_and_the_game_goes_on(typed: str, said: str) -> None:
    printed = played("ar", typed, "17:10", "spin")
    assert said in "\n".join(after(printed, typed))
    assert "«Colorado el dieciséis»" in printed


@pytest.mark.parametrize("house", HOUSES)
def test_the_placard_names_what_the_house_takes(house: str) -> None:
    book, lines = load(house), after(played(house, "limits"), "limits")
    offered = {spot.kind for spot in book.terms}
    for kind in LIMITED:
        assert any(line.startswith(book.word(kind)) for line in lines) == (kind in offered), kind


def test_the_player_can_look_around() -> None:
    looks = (
        "help",
        "limits",
        "cloth",
        "purse",
        "announce",
        "announce voisins",
        "rules 15a",
        "rules",
    )
    printed = played("it", "17:10", *looks)
    assert any("take back what you laid last" in line for line in after(printed, "help"))
    assert any("pieno" in line and "300" in line for line in after(printed, "limits"))
    assert any("●10" in line for line in after(printed, "cloth"))
    assert after(printed, "purse")[0] == "  b1  pieno 17  10"
    assert any("serie 5/8" in line for line in after(printed, "announce"))
    assert any("+150  on 0 2 3" in line for line in after(printed, "announce voisins"))
    assert any("partage" in line for line in after(printed, "rules"))


def test_a_choice_after_zero_is_offered_and_taken() -> None:
    typed = ("rojo:50 par:30", "spin", "choose b1 half", "purse", "spin")
    printed = played("es", *typed, seed=ZERO_FIRST)
    told = "\n".join(after(printed, "spin"))
    assert "`choose b1 half` takes 25 back" in told
    assert "  purse 945, 0 on the cloth, 30 in prison; so far -25" in after(printed, "purse")
    # The even 30 frees the prisoner.
    assert "You brought 1000 and leave with 975." in printed


def test_whoever_leaves_a_prisoner_behind_takes_the_half() -> None:
    printed = played("es", "rojo:50", "spin", "quit", seed=ZERO_FIRST)
    assert "rojo: 25 comes back from prison (ES-G.3)" in printed
    assert "You lost 25." in printed


def test_an_announcement_that_won_is_replayed() -> None:
    typed = ("vicini:90", "spin", "replay a1 per il tutto", "purse", "spin")
    printed = played("it", *typed, seed=TWO_FIRST)
    assert "`replay a1 completare`" in "\n".join(after(printed, "spin"))
    assert "  a2  vicini dello zero  180" in after(printed, "purse")
    # The terzina brings 220 and six spots lose 70; then the doubled announcement loses 180.
    assert "You lost 30." in printed


def test_the_table_closes_after_its_last_games() -> None:
    printed = played("bg", "17:10", *["spin"] * 9, options=("--coups", "4"), seed=ZERO_FIRST)
    calls = re.findall("«(.*)»", printed)
    assert calls[-1] == "Играта на масата приключи"
    assert calls.count("Три последни игри") == 1
    assert printed.count("Край на залаганията") == 4


def test_the_last_coup_of_a_session_forces_the_half() -> None:
    printed = played("es", "rojo:50", "spin", options=("--coups", "1"), seed=ZERO_FIRST)
    assert "ES-G.3" in printed
    assert "choose" not in "\n".join(after(printed, "spin"))


def test_several_commands_on_a_line() -> None:
    printed = played("ar", "17:10; 20:10 ;; spin; numbers")
    assert "  16" in printed.splitlines()


def test_an_evening_begins_as_it_was_asked_to() -> None:
    options = ("--purse", "200", "--chip", "20", "--limits", "pleno:-40", "--name", "Ana")
    printed = played("ar", "17:60", "limits", options=options)
    assert "You have 200: 10 blue chips of 20." in printed
    assert any("at most 40 a player" in line for line in after(printed, "17:60"))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--chip", "5"), "chip must halve evenly"),
        (("--chip", "0"), "--chip: expected a whole number"),
        (("--purse", "15"), "buy a multiple of it"),
        (("--seed", "x"), "--seed: expected a whole number"),
        (("--coups", "0"), "--coups: expected"),
        (("--name", "a b"), "--name: expected a player's name"),
        (("--name", ""), "--name: expected a player's name"),
        (("--name", "management"), "staff does not play"),
        (("--limits", "straight:500-"), "the minimum 500 is above 300"),
        (("--winning", "bank"), "invalid choice: 'bank'"),
    ],
)
def test_a_table_that_cannot_be_set_up(options: tuple[str, ...], said: str) -> None:
    assert said in bad("play", "ar", *options)


def test_an_empty_input_is_an_evening_without_a_coup() -> None:
    assert "0 coups. You brought 1000 and leave with 1000." in good("play", "it")


def test_input_that_is_no_text_is_a_slip() -> None:
    ran = novamas("play", "ar", stdin=b"\xff\xfe\n\x00\x1b[2J\n17:10\n")
    assert ran.code == 0
    assert "  b1  pleno 17: 10" in ran.out
    assert "\x1b" not in ran.out


def test_ctrl_c_leaves_kindly() -> None:
    with mock.patch.object(play._Transcript, "lines", side_effect=KeyboardInterrupt):
        printed = good("play", "es")
    assert "You leave as you came. Good night!" in printed


def test_undo_clear_again_and_double() -> None:
    evening = table("ar", iter([16, 16]))
    evening.lay(parse_bets("17:10 18:10"))
    evening.lay(parse_bets("red:50"))
    assert evening.undo() == ["b3"]
    assert evening.undo() == ["b2", "b1"]
    assert evening.undo() == []
    evening.lay(parse_bets("17:10 red:50"))
    coup(evening)
    assert [bet.amount for bet in evening.missing()] == [10, 50]
    evening.lay_all(evening.missing())
    evening.lay_all(evening.bets())
    assert evening.state.on_cloth == 120
    assert evening.clear() == 120
    assert evening.state.on_cloth == 0


def test_again_lays_only_what_does_not_lie_there_any_more() -> None:
    evening = table("es", iter([16]))
    evening.lay(parse_bets("17:10 red:50"))
    coup(evening)
    # The winning red stays on the cloth in this house.
    assert [(bet.what.name, bet.amount) for bet in evening.missing()] == [("17", 10)]


def test_double_is_all_or_nothing() -> None:
    evening = table("es", iter([16]))
    evening.lay(parse_bets("17:200 red:100"))
    before = evening.player.purse
    (refused,) = evening.lay_all(evening.bets())
    assert isinstance(refused.decision, Refusal)
    assert evening.player.purse == before
    assert [each.amount for each in evening.lying()] == [200, 100]


def test_only_the_winning_piece_of_an_announcement_is_placed() -> None:
    evening = table("it", iter([2]))
    evening.lay(parse_bets("voisins:90 17:10", words()))
    assert {pile.spot.name: pile.amount for pile in evening.piles()} == {"voisins": 90, "17": 10}
    assert {pile.spot.name for pile in evening.piles(number=2)} == {"0/2/3", "17"}
    coup(evening)
    assert [(each.id, each.what.name, each.amount) for each in evening.lying()] == [
        ("a1", "0/2/3", 20)
    ]


@pytest.mark.parametrize("turns", Direction)
@pytest.mark.parametrize("wheel", [EUROPEAN, AMERICAN])
def test_the_ball_comes_to_rest_at_its_number(turns: Direction, wheel: Wheel) -> None:
    for number in wheel:
        passed = list(passing(wheel, number, turns))
        assert passed[-1][0] == number
        seconds = [seen for _, seen in passed]
        assert seconds == sorted(seconds)
        assert sum(seconds) < 4


def test_a_narrow_terminal_has_no_cloth() -> None:
    printed = good("play", "ar", "--seed", "5", stdin="17:10\ncloth\nspin\n", columns=60)
    assert "(the cloth is drawn in terminals of 80 columns)" in printed
    assert "│" not in printed


def test_a_terminal_without_letters_plays_too() -> None:
    printed = good("play", "bg", "--seed", "5", stdin="red:50\nspin\n", encoding="ascii")
    assert '"Kray na zalaganiyata"' in printed


def test_an_evening_with_double_zero() -> None:
    printed = played("sd", "00:10 0/00:20", "spin", "spin", "numbers", "quit", seed="3")
    assert "«double zero»" in printed
    assert after(printed, "numbers") == ["  00 15"]
    assert "2 coups (15 00)" in printed


# The transcript, and when it is chosen ------------------------------------------------------------


@pytest.mark.parametrize("word", ["leave", "quit", "q", "exit"])
def test_any_word_for_leaving_ends_the_evening(word: str) -> None:
    printed = played("ar", word, "17:10")
    assert "You leave as you came." in printed
    assert "b1" not in printed


@pytest.mark.parametrize("word", ["again", "repeat", "rebet"])
def test_any_word_for_the_last_bets_lays_them_again(word: str) -> None:
    assert "  b2  pleno 17: 10" in after(played("ar", "17:10", "spin", word), word)


def test_h_is_help() -> None:
    assert any("lay the last coup's bets again" in line for line in after(played("ar", "h"), "h"))


def test_tab_completes_in_the_transcript_too() -> None:
    evening = table("it", iter([2]))
    typed = TypedCommands(
        Terminal(io.StringIO(), colour=False, columns=80),
        evening,
        language="en",
        spin=lambda: None,
    )
    assert typed.completions("17:10 vois") == ["17:10 voisins:"]
    assert typed.completed("prima-d") == "prima-dozzina:"
    assert typed.completions("take b") == []
    evening.lay(parse_bets("17:50"))
    assert typed.completions("take b") == ["take b1"]
    assert typed.completions("17:1") == []


def test_a_terminal_without_the_extra_names_it_in_one_line_and_plays_the_transcript() -> None:
    with (
        mock.patch.object(play, "_shows_a_screen", return_value=True),
        mock.patch.object(play, "find_spec", return_value=None),
    ):
        printed = good("play", "ar", stdin="17:10\n")
        plain = good("play", "ar", "--plain", stdin="17:10\n")
    first, rest = printed.split("\n", 1)
    assert "pip install 'novamas[table]'" in first
    assert rest == plain
    assert "  b1  pleno 17: 10" in plain


@pytest.mark.parametrize(
    ("term", "size", "encoding", "full"),
    [
        ("xterm-256color", (80, 24), "utf-8", True),
        ("xterm-256color", (60, 20), "utf-8", True),
        ("dumb", (80, 24), "utf-8", False),
        ("", (80, 24), "utf-8", False),
        ("xterm", (59, 40), "utf-8", False),
        ("xterm", (80, 19), "utf-8", False),
        ("xterm", (80, 24), "latin-1", False),
    ],
)
def test_the_full_screen_needs_a_terminal_that_can_draw_it(
    *, term: str, size: tuple[int, int], encoding: str, full: bool
) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    terminal = Terminal(out, colour=True, columns=size[0])
    columns, lines = map(str, size)
    environment = {"TERM": term, "COLUMNS": columns, "LINES": lines}
    with mock.patch.dict(os.environ, environment):
        assert not play._shows_a_screen(terminal)
        with mock.patch.object(play, "_interactive", return_value=True):
            assert play._shows_a_screen(terminal) is full
