"""`novamas play`: a table in the terminal, one player against the house, an automatic croupier.

What is typed is a command of the list below, or bets in the notation; `;` parts several on a line.
A session can be piped in, and with a seed it plays the same each time.
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
from novamas.cli.player_session import PlayerSession
from novamas.cli.settlement_report import explained
from novamas.cli.spinning_ball import run_ball
from novamas.cli.table_display import Tableside
from novamas.cli.terminal import Terminal
from novamas.game.cloth import SPOTS
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
    ("17:10 red:50 …", "bet on spots and announcements, in any house's words"),
    ("spin", "no more bets: the ball runs, and the winners are paid"),
    ("undo, clear", "take back what you laid last, or everything"),
    ("again, double", "lay the last coup's bets again; lay twice what lies there"),
    ("take b1 [10]", "take a stake back, or a part of it"),
    ("move b1 20", "move a stake to another spot"),
    ("choose b1 half", "after a zero: half, or prison, where the house asks you"),
    ("replay a1 rifare", "play an announcement that won again, where that is offered"),
    ("why [b1]", "why the last coup's stakes got what they got"),
    ("cloth, purse", "draw the cloth; list your stakes and what you have"),
    ("limits", "the placard of the table"),
    ("announce [voisins]", "the announcements of the house, or what one lays and wins"),
    ("rules [14]", "an article; without a number, how the book treats zero"),
    ("numbers", "the numbers that came out"),
    ("buy 500", "buy more chips"),
    ("quit", "leave the table (so do Ctrl-C and Ctrl-D)"),
)


class LeaveTable(Exception):  # noqa: N818 - It is a wish, not an error.
    """The player gets up."""


def run(args: Namespace, terminal: Terminal) -> int:
    """Plays an evening."""
    book = arguments.house(args.house)
    player_session = _player_session(book, args)
    session = _Session(terminal, player_session, waits=not args.fast and _interactive())
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
    """Where the numbers come from: real chance, or a seed that shows the same evening again."""
    if seed is None:
        return lambda: secrets.randbelow(POCKETS)
    number = arguments.whole(seed, least=0, what="--seed")
    source = random.Random(number)  # noqa: S311 # nosec B311 # To show an evening, not to deal it.
    return lambda: source.randrange(POCKETS)


class _Session:
    """Reads what the player types and brings it to the table."""

    def __init__(self, terminal: Terminal, player_session: PlayerSession, *, waits: bool) -> None:
        self.terminal = terminal
        self.player_session = player_session
        self.side = Tableside(terminal, player_session)
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
                # The marks tell it that colours take no room on the line.
                start, end = "\001\x1b[1m\002", "\001\x1b[0m\002"
        while True:
            self.terminal.out.flush()
            try:
                yield input(f"{start}{self.prompt()}{end}")
            except (EOFError, UnicodeDecodeError):
                return

    def prompt(self) -> str:
        """Where the coup stands, before what the player types."""
        left = self.player_session.coups_left
        count = f", {left} to go" if left is not None else ""
        lying = self.player_session.state.on_cloth
        told = f"{self.player_session.player.purse} in hand, {lying} on the cloth{count}"
        return self.terminal.fit(f"{told} > ")

    def obey(self, line: str) -> None:
        """Does what a line asks; a mistake in it is said, and the game goes on."""
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
        for text in problem.message.split("\n"):
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
        known = arguments.near(word.lower(), self.commands)
        return known or "`help` lists the commands"

    def undo(self, _: list[str]) -> None:
        """Takes the last bets back."""
        taken = self.player_session.undo()
        said = f"{', '.join(taken)} taken back" if taken else "nothing was laid in this coup"
        self.terminal.say(f"  {said}")

    def clear(self, _: list[str]) -> None:
        """Takes everything back."""
        taken = self.player_session.clear()
        self.terminal.say(f"  {taken} taken back" if taken else "  nothing lies on the cloth")

    def again(self, _: list[str]) -> None:
        """Lays the last coup's bets again, as far as they do not lie there."""
        bets = self.player_session.missing()
        if not bets:
            self.terminal.say("  nothing to lay again")
        self.side.laid(self.player_session.lay_all(bets))

    def double(self, _: list[str]) -> None:
        """Lays as much again as lies on the cloth."""
        bets = self.player_session.bets()
        if not bets:
            self.terminal.say("  nothing lies on the cloth")
        self.side.laid(self.player_session.lay_all(bets))

    def take(self, words: list[str]) -> None:
        """Takes a stake back, or a part of it."""
        id = self._first(words, "take b1` or `take b1 10")
        amount = arguments.whole(words[1], what="amount") if len(words) > 1 else None
        self._shown(self.player_session.take(id, amount))

    def move(self, words: list[str]) -> None:
        """Moves a stake."""
        if len(words) < 2:
            raise InputError("write `move b1 20`: the stake, and where to")
        try:
            spot = parse_spot(" ".join(words[1:]), self.words)
        except NotationError as mistake:
            raise InputError(str(mistake)) from None
        self._shown(self.player_session.move(words[0], spot))

    def choose(self, words: list[str]) -> None:
        """Chooses after a zero."""
        if len(words) != 2 or words[1] not in tuple(Choice):
            raise InputError("write `choose b1 half` or `choose b1 prison`")
        self._shown(self.player_session.choose(words[0], Choice(words[1])))

    def replay(self, words: list[str]) -> None:
        """Plays an announcement that won again."""
        mode = "_".join(words[1:]).replace("-", "_")
        if mode not in tuple(Replay):
            raise InputError(f"write `replay a1` and one of {', '.join(Replay)}")
        new, decision = self.player_session.replay(words[0], Replay(mode))
        if isinstance(decision, Refusal):
            self.side.refused(decision)
        else:
            self.terminal.say(f"  played again as {new}")
            self.side.on_cloth()

    def _shown(self, decision: object) -> None:
        if isinstance(decision, Refusal):
            self.side.refused(decision)
        else:
            self.side.on_cloth()

    @staticmethod
    def _first(words: list[str], usage: str) -> str:
        if not words:
            raise InputError(f"write `{usage}`")
        return words[0]

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
                self.terminal.say("  Your purse is empty: `buy 500`, or `quit`.")

    # Looking --------------------------------------------------------------------------------------

    def why(self, words: list[str]) -> None:
        """Explains the last coup, or one of its stakes."""
        settlement = self.player_session.settlement
        if settlement is None:
            raise InputError("no number has come out yet")
        wanted = set(words)
        told = [
            (stake.id, explain_returned(self.book, stake, amount, articles))
            for stake, amount, articles in self.player_session.returned
        ]
        told += [
            (name_of(line), explain(self.book, line, settlement.pocket))
            for line in settlement.lines
        ]
        chosen = [each for each in told if not wanted or each[0] in wanted]
        if not chosen:
            ids = ", ".join(dict.fromkeys(id for id, _ in told))
            raise InputError(f"the last coup had {ids or 'no stakes'}")
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
        """Lists the announcements; tells one; or lays one that comes with an amount."""
        text = " ".join(words)
        if ":" in text:
            self.bet(text)
        elif words and text.lower() != announce.EVERY:
            chip = self.player_session.player.chip
            found = announce.read(self.book, text, listing="announce")
            laid = announce.lay(self.book, found.call, found.amount * chip)
            announce.tell(self.terminal, self.book, laid)
        else:
            announce.listed(self.terminal, self.book)

    def rules(self, words: list[str]) -> None:
        """Shows articles of the book."""
        rules.show(self.terminal, self.book, words or ["zero"])

    def numbers(self, _: list[str]) -> None:
        """Shows the numbers that came out, the last first."""
        shown = " ".join(map(str, reversed(self.player_session.numbers)))
        self.terminal.tell(shown or "no number has come out yet", indent="  ")

    def buy(self, words: list[str]) -> None:
        """Buys more chips."""
        amount = arguments.whole(self._first(words, "buy 500"), what="amount")
        self.player_session.buy(amount)
        self.side.on_cloth()

    def help(self, _: list[str]) -> None:
        """Lists the commands."""
        self.terminal.table(HELP, "ll", indent="  ")

    def quit(self, _: list[str]) -> None:
        """Leaves the table."""
        raise LeaveTable
