"""`novamas play`: a table in the terminal, one player against the house, an automatic croupier.

A line is a command of the list below, or bets in the notation; `;` separates several. A session can
be piped in, and with a seed it is the same each time.
"""

from __future__ import annotations

import random
import secrets
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from novamas.cli import arguments
from novamas.cli.commands import announce, rules
from novamas.cli.errors import InputError
from novamas.cli.messages import in_english, meant
from novamas.cli.player_session import PlayerSession
from novamas.cli.settlement_report import explained
from novamas.cli.spinning_ball import run_ball
from novamas.cli.table_display import Tableside
from novamas.cli.terminal import Terminal
from novamas.game.cloth import SPOTS
from novamas.game.languages import ENGLISH
from novamas.game.limits import LimitsError, placard
from novamas.game.notation import Bet, Hand, NotationError, parse_bets, parse_spot
from novamas.game.rulebook.model import Invitation, LimitsKept, Replay, Rulebook, Winning
from novamas.game.wheel import POCKETS
from novamas.table.commands import Choice
from novamas.table.croupier import Croupier, TableRefusedError
from novamas.table.events import BallLaunched
from novamas.table.refusals import Refusal
from novamas.table.results import name_of
from novamas.table.state import Setup, State
from novamas.wording.calls import invitation
from novamas.wording.explain import explain, explain_returned

HELP: Final = (
    ("17:10 red:50 …", "help_bet"),
    ("spin", "help_spin"),
    ("undo, clear", "help_undo"),
    ("again, double", "help_again"),
    ("take b1 [10]", "help_take"),
    ("move b1 20", "help_move"),
    ("choose b1 half", "help_choose"),
    ("replay a1 rifare", "help_replay"),
    ("why [b1]", "help_why"),
    ("cloth, purse", "help_cloth"),
    ("limits", "help_limits"),
    ("announce [voisins]", "help_announce"),
    ("rules [14]", "help_rules"),
    ("numbers", "help_numbers"),
    ("buy 500", "help_buy"),
    ("quit", "help_quit"),
)
"""The commands that a player types, each with the key of its explanation."""


class ToldError(InputError):
    """An error message in the player's own language."""


class LeaveTable(Exception):  # noqa: N818 - It is a wish, not an error.
    """The player gets up."""


def run(args: Namespace, terminal: Terminal) -> int:
    """Plays a session."""
    book = arguments.house(args.house)
    player_session = _player_session(book, args)
    waits = not args.fast and _interactive()
    session = _Session(terminal, player_session, waits=waits, language=args.lang)
    session.play()
    return 0


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
    player_session = PlayerSession(croupier, _name(args.name), _chance(args.seed), coups=coups)
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


def _chance(seed: str | None) -> Callable[[], int]:
    """The source of the numbers: random, or from a seed that repeats the same session."""
    if seed is None:
        return lambda: secrets.randbelow(POCKETS)
    number = arguments.whole(seed, least=0, what="--seed")
    source = random.Random(number)  # noqa: S311 # nosec B311 # To show an evening, not to deal it.
    return lambda: source.randrange(POCKETS)


class _Session:
    """Reads what the player types and gives it to the table."""

    def __init__(
        self, terminal: Terminal, player_session: PlayerSession, *, waits: bool, language: str
    ) -> None:
        self.terminal = terminal
        self.player_session = player_session
        self.language = language
        self.side = Tableside(terminal, player_session, language=language)
        self.book = player_session.state.book
        self.words = arguments.words_for(self.book)
        self.waits = waits
        self.commands: dict[str, Callable[[list[str]], None]] = {
            "spin": self.spin,
            "undo": self.undo,
            "clear": self.clear,
            "again": self.again,
            "double": self.double,
            "take": self.take,
            "move": self.move,
            "choose": self.choose,
            "replay": self.replay,
            "why": self.why,
            "cloth": self.cloth,
            "purse": self.purse,
            "limits": self.limits,
            "announce": self.announce,
            "rules": self.rules,
            "numbers": self.numbers,
            "buy": self.buy,
            "help": self.help,
            "quit": self.quit,
        }
        self.commands |= {"s": self.spin, "?": self.help, "q": self.quit, "exit": self.quit}

    # The loop -------------------------------------------------------------------------------------

    def play(self) -> None:
        """Plays until the player leaves or the table closes."""
        self.side.welcome()
        self.side.call(invitation(self.book, Invitation.BETTING))
        try:
            for line in self.lines():
                self.obey(line)
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
            import readline  # noqa: F401 - It gives `input` editing and a history.

            if self.terminal.colour:
                # The marks say that colour codes take no room on the line.
                start, end = "\001\x1b[1m\002", "\001\x1b[0m\002"
        while True:
            self.terminal.out.flush()
            try:
                yield input(f"{start}{self.prompt()}{end}")
            except (EOFError, UnicodeDecodeError):
                return

    def prompt(self) -> str:
        """The prompt, which shows the state of the coup."""
        left = self.player_session.coups_left
        count = self.side.said("to_go", left=left) if left is not None else ""
        lying = self.player_session.state.on_cloth
        purse = self.player_session.player.purse
        told = self.side.said("prompt", purse=purse, lying=lying, count=count)
        return self.terminal.fit(f"{told} > ")

    def obey(self, line: str) -> None:
        """Runs a line; reports a mistake in it, and the game goes on."""
        for part in line.split(";"):
            words = part.split()
            if not words:
                continue
            try:
                command = self.commands.get(words[0].lower())
                if command is not None:
                    command(words[1:])
                else:
                    self.bet(part.strip())
            except (InputError, TableRefusedError) as problem:
                self.complain(problem)
            if self.player_session.is_over:
                return

    def complain(self, problem: InputError | TableRefusedError) -> None:
        """Says what is wrong."""
        if isinstance(problem, TableRefusedError):
            self.side.refused(problem.refusal)
            return
        lines = problem.message.split("\n")
        if not isinstance(problem, ToldError) and self.language != ENGLISH:
            # A text with a caret under its mistake keeps its columns.
            mark = in_english(self.language, lines[0] if len(lines) == 1 else "↓")
            lines = [mark] if len(lines) == 1 else [mark, *lines]
        for text in lines:
            self.terminal.say(f"  {text}")
        if problem.hint:
            self.terminal.say(f"  {problem.hint}")

    # Bets -----------------------------------------------------------------------------------------

    def bet(self, text: str) -> None:
        """Lays bets."""
        try:
            bets = parse_bets(text, self.words)
        except NotationError as mistake:
            hint = "" if ":" in text else self._meant(text.split(maxsplit=1)[0])
            raise InputError(str(mistake), hint=hint) from None
        self.side.laid(self.player_session.lay(bets))

    def _meant(self, word: str) -> str:
        from difflib import get_close_matches

        near = get_close_matches(word.lower(), list(self.commands), n=3)
        return meant(self.language, near) or self.side.said("help_lists")

    def undo(self, _: list[str]) -> None:
        """Takes the last bets back."""
        taken = self.player_session.undo()
        if taken:
            self._told("taken_back", what=", ".join(taken))
        else:
            self._told("nothing_laid")

    def clear(self, _: list[str]) -> None:
        """Takes everything back."""
        taken = self.player_session.clear()
        if taken:
            self._told("taken_back", what=taken)
        else:
            self._told("nothing_lies")

    def _told(self, name: str, **facts: object) -> None:
        self.terminal.say(f"  {self.side.said(name, **facts)}")

    def again(self, _: list[str]) -> None:
        """Lays the last coup's bets again, except those that are already there."""
        bets = self.player_session.missing()
        if not bets:
            self._told("nothing_again")
        self.side.laid(self.player_session.lay_all(bets))

    def double(self, _: list[str]) -> None:
        """Lays as much again as lies on the cloth."""
        bets = self.player_session.bets()
        if not bets:
            self._told("nothing_lies")
        self.side.laid(self.player_session.lay_all(bets))

    def take(self, words: list[str]) -> None:
        """Takes a stake back, or a part of it."""
        if not words:
            raise ToldError(self.side.said("write_either", first="take b1", second="take b1 10"))
        amount = arguments.whole(words[1], what="amount") if len(words) > 1 else None
        self._shown(self.player_session.take(words[0], amount))

    def move(self, words: list[str]) -> None:
        """Moves a stake."""
        if len(words) < 2:
            raise ToldError(self.side.said("write_move"))
        try:
            spot = parse_spot(" ".join(words[1:]), self.words)
        except NotationError as mistake:
            raise InputError(str(mistake)) from None
        self._shown(self.player_session.move(words[0], spot))

    def choose(self, words: list[str]) -> None:
        """Chooses after a zero."""
        if len(words) != 2 or words[1] not in tuple(Choice):
            either = {"first": "choose b1 half", "second": "choose b1 prison"}
            raise ToldError(self.side.said("write_either", **either))
        self._shown(self.player_session.choose(words[0], Choice(words[1])))

    def replay(self, words: list[str]) -> None:
        """Plays an announcement that won again."""
        mode = "_".join(words[1:]).replace("-", "_")
        if mode not in tuple(Replay):
            raise ToldError(self.side.said("write_replay", modes=", ".join(Replay)))
        new, decision = self.player_session.replay(words[0], Replay(mode))
        if isinstance(decision, Refusal):
            self.side.refused(decision)
        else:
            self._told("played_again", id=new)
            self.side.on_cloth()

    def _shown(self, decision: object) -> None:
        if isinstance(decision, Refusal):
            self.side.refused(decision)
        else:
            self.side.on_cloth()

    # The coup -------------------------------------------------------------------------------------

    def spin(self, _: list[str]) -> None:
        """Plays the coup to its end."""
        player_session, side = self.player_session, self.side
        closed = player_session.close_betting()
        side.calls(closed)
        side.sent_back()
        called = player_session.call()
        number = player_session.numbers[-1]
        if self.waits:
            turns = next(event.wheel for event in closed if isinstance(event, BallLaunched))
            run_ball(self.terminal, number, turns)
        side.calls(called)
        side.number(number)
        ended = player_session.settle()
        side.settled()
        side.calls(ended)
        if not player_session.is_over:
            side.open_questions()
            if not player_session.player.purse and not player_session.state.on_cloth:
                self._told("purse_empty")

    # Looking --------------------------------------------------------------------------------------

    def why(self, words: list[str]) -> None:
        """Explains the last coup, or one of its stakes."""
        settlement = self.player_session.settlement
        if settlement is None:
            raise ToldError(self.side.said("no_number"))
        wanted, language = set(words), self.language
        told = [
            (stake.id, explain_returned(self.book, stake, amount, articles, language=language))
            for stake, amount, articles in self.player_session.returned
        ]
        told += [
            (name_of(line), explain(self.book, line, settlement.pocket, language=language))
            for line in settlement.lines
        ]
        chosen = [each for each in told if not wanted or each[0] in wanted]
        if not chosen:
            ids = ", ".join(dict.fromkeys(id for id, _ in told))
            raise ToldError(self.side.said("last_had", ids=ids or self.side.said("no_stakes")))
        explained(self.terminal, chosen)

    def cloth(self, _: list[str]) -> None:
        """Draws the cloth."""
        self.side.cloth()

    def purse(self, _: list[str]) -> None:
        """Lists the player's stakes and purse."""
        self.side.on_cloth()

    def limits(self, _: list[str]) -> None:
        """Shows the placard."""
        self.side.placard()

    def announce(self, words: list[str]) -> None:
        """Lists the announcements; shows one; or lays one that has an amount."""
        text = " ".join(words)
        if ":" in text:
            self.bet(text)
        elif words and text.lower() != announce.EVERY:
            chip = self.player_session.player.chip
            found = announce.read(self.book, text, listing="announce")
            laid = announce.lay(self.book, found.call, found.amount * chip)
            announce.tell(self.terminal, self.book, laid, language=self.language)
        else:
            announce.listed(self.terminal, self.book, language=self.language)

    def rules(self, words: list[str]) -> None:
        """Shows articles of the book."""
        languages = None if self.language == ENGLISH else (self.language,)
        rules.show(self.terminal, self.book, words or ["zero"], languages=languages)

    def numbers(self, _: list[str]) -> None:
        """Shows the numbers that came out, the last first."""
        shown = " ".join(map(str, reversed(self.player_session.numbers)))
        self.terminal.tell(shown or self.side.said("no_number"), indent="  ")

    def buy(self, words: list[str]) -> None:
        """Buys more chips."""
        if not words:
            raise ToldError(self.side.said("write_usage", usage="buy 500"))
        self.player_session.buy(arguments.whole(words[0], what="amount"))
        self.side.on_cloth()

    def help(self, _: list[str]) -> None:
        """Lists the commands."""
        rows = [(typed, self.side.said(does)) for typed, does in HELP]
        self.terminal.table(rows, "ll", indent="  ")

    def quit(self, _: list[str]) -> None:
        """Leaves the table."""
        raise LeaveTable
