"""`novamas play`: a table in the terminal, one player against the house, an automatic croupier.

On a terminal that can show it the table fills the screen. Otherwise, or with `--plain`, it is a
transcript, line after line: a session can be piped in, and with a seed it is the same each time.
"""

from __future__ import annotations

import os
import random
import secrets
import shutil
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.util import find_spec
from typing import Final

from novamas.cli import arguments
from novamas.cli.errors import InputError
from novamas.cli.messages import said
from novamas.cli.player_session import PlayerSession
from novamas.cli.spinning_ball import run_ball
from novamas.cli.table_display import Tableside
from novamas.cli.terminal import Terminal
from novamas.cli.typed_commands import LeaveTable, TypedCommands
from novamas.game.cloth import SPOTS
from novamas.game.limits import LimitsError, placard
from novamas.game.notation import Bet, Hand
from novamas.game.rulebook.behaviours import Invitation, LimitsKept, Winning
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket, Wheel
from novamas.table.croupier import Croupier, TableRefusedError
from novamas.table.events import BallLaunched
from novamas.table.state import Setup, State
from novamas.wording.calls import invitation

EXTRA: Final = "pip install 'novamas[table]'"
LEAST_COLUMNS: Final = 60
LEAST_ROWS: Final = 20
"""A smaller terminal gets the transcript."""


def run(args: Namespace, terminal: Terminal) -> int:
    """Plays a session."""
    book = arguments.house(args.house)
    player_session = _player_session(book, args)
    waits = not args.fast and _interactive()
    if not args.plain and _shows_a_screen(terminal):
        if find_spec("textual") is not None:
            _full_screen(terminal, player_session, waits=waits, language=args.lang)
            return 0
        terminal.say(said(args.lang, "needs_extra", install=EXTRA))
    session = _Transcript(terminal, player_session, waits=waits, language=args.lang)
    session.play()
    return 0


def _shows_a_screen(terminal: Terminal) -> bool:
    """Whether somebody sits at a terminal that is large enough and can draw the cloth."""
    size = shutil.get_terminal_size()
    able = os.environ.get("TERM", "dumb") not in ("", "dumb") and terminal.prints_all
    large = size.columns >= LEAST_COLUMNS and size.lines >= LEAST_ROWS
    return able and large and _interactive()


def _full_screen(
    terminal: Terminal, player_session: PlayerSession, *, waits: bool, language: str
) -> None:
    """Plays on the full screen; the result of the session stays in the terminal."""
    from novamas.cli.fullscreen import app
    from novamas.cli.fullscreen.table_view import TableView

    view = TableView(player_session, language=language, colour=terminal.colour, waits=waits)
    app.play(view, colour=terminal.colour)
    Tableside(terminal, player_session, language=language).farewell()


def _interactive() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _player_session(book: Rulebook, args: Namespace) -> PlayerSession:
    chip = arguments.whole(args.chip, what="--chip", most=10**9)
    purse = arguments.whole(args.purse, what="--purse")
    minimum = chip if args.minimum is None else arguments.whole(args.minimum, what="--minimum")
    coups = None if args.coups is None else arguments.whole(args.coups, what="--coups")
    limits = placard(book, minimum)
    if args.limits is not None:
        named = arguments.limits(book, args.limits, minimum=None, words=arguments.words_for(book))
        try:
            limits = limits.changed(named.as_data())
        except LimitsError as problem:
            raise InputError(f"--limits: {problem}") from None
    setup = Setup(
        limits=limits,
        winning=book.betting.winners_stay if args.winning is None else Winning(args.winning),
        limits_kept=LimitsKept.ENFORCED,
        chip=chip,
        live=True,
    )
    croupier = Croupier(State.fresh(book, setup))
    draw = _chance(args.seed, book.wheel.pockets)
    player_session = PlayerSession(croupier, _name(args.name), draw, coups=coups)
    try:
        croupier.open()
        croupier.seat(player_session.name)
        player_session.buy(purse)
        if coups is not None and coups == book.closing.last_games:
            croupier.announce_last_games()
    except TableRefusedError as refused:
        raise InputError(f"the table cannot be set up: {refused}") from None
    return player_session


def _name(text: str) -> str:
    try:
        return Hand(text.strip(), (Bet(SPOTS["red"], 1),)).player
    except ValueError as problem:
        raise InputError(f"--name: {problem}") from None


def _chance(seed: str | None, wheel: Wheel) -> Callable[[], Pocket]:
    """The source of the numbers: random, or from a seed that repeats the same session."""
    if seed is None:
        return lambda: secrets.choice(wheel.pockets)
    number = arguments.whole(seed, least=0, what="--seed")
    source = random.Random(number)  # noqa: S311 # nosec B311 # To show an evening, not to deal it.
    return lambda: source.choice(wheel.pockets)


class _Transcript:
    """A session line by line: what the player types, and what comes of it."""

    def __init__(
        self, terminal: Terminal, player_session: PlayerSession, *, waits: bool, language: str
    ) -> None:
        self.terminal = terminal
        self.player_session = player_session
        self.typed = TypedCommands(terminal, player_session, language=language, spin=self.spin)
        self.side: Tableside = self.typed.side
        self.book = player_session.state.book
        self.waits = waits

    # The loop -------------------------------------------------------------------------------------

    def play(self) -> None:
        """Plays until the player leaves or the table closes."""
        self.side.welcome()
        self.side.call(invitation(self.book, Invitation.BETTING))
        try:
            for line in self.lines():
                self.typed.obey(line)
                if self.player_session.is_over:
                    break
        except (LeaveTable, KeyboardInterrupt):
            pass
        self.terminal.say()
        self.side.farewell()

    def lines(self) -> Iterator[str]:
        """What the player types, line by line, until there is no more."""
        if sys.stdin is None:
            return
        if _interactive():
            yield from self._typed()
            return
        reconfigure = getattr(sys.stdin, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
        for line in sys.stdin:
            # A session that is piped in reads like one that was typed.
            self.terminal.say(self.prompt() + line.rstrip("\n"))
            yield line

    def _typed(self) -> Iterator[str]:
        start, end = "", ""
        with suppress(ImportError):
            import readline  # It gives `input` editing and a history.

            readline.set_completer(self._completion)
            readline.set_completer_delims(" ")
            readline.parse_and_bind("tab: complete")
            if self.terminal.colour:
                # The marks say that colour codes take no room on the line.
                start, end = "\001\x1b[1m\002", "\001\x1b[0m\002"
        while True:
            self.terminal.out.flush()
            try:
                yield input(f"{start}{self.prompt()}{end}")
            except (EOFError, UnicodeDecodeError):
                return

    def _completion(self, _: str, which: int) -> str | None:
        """What Tab completes the line to: the words for its last one, by their place."""
        import readline

        found = self.typed.completions(readline.get_line_buffer()[: readline.get_endidx()])
        ended = " " if which < len(found) and found[which].endswith(" ") else ""
        return found[which].rstrip().rpartition(" ")[2] + ended if which < len(found) else None

    def prompt(self) -> str:
        """The prompt, which shows the state of the coup."""
        left = self.player_session.coups_left
        count = self.side.said("to_go", left=left) if left is not None else ""
        lying = self.player_session.state.on_cloth
        purse = self.player_session.player.purse
        prompt = self.side.said("prompt", purse=purse, lying=lying, count=count)
        return self.terminal.fit(f"{prompt} > ")

    def spin(self) -> None:
        """Plays the coup to its end."""
        player_session, side = self.player_session, self.side
        closed = player_session.close_betting()
        side.calls(closed)
        side.sent_back()
        called = player_session.call()
        number = player_session.numbers[-1]
        if self.waits:
            turns = next(event.wheel for event in closed if isinstance(event, BallLaunched))
            run_ball(self.terminal, self.book.wheel.pockets, number, turns)
        side.calls(called)
        side.number(number)
        ended = player_session.settle()
        side.settled()
        side.calls(ended)
        if not player_session.is_over:
            side.open_questions()
            if not player_session.player.purse and not player_session.state.on_cloth:
                self.terminal.say(f"  {side.said('purse_empty')}")
