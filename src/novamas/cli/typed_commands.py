"""What a player types at a table: bets in the notation, and the commands of a short list.

The transcript and the full screen give the same lines to the same commands, which write what they
have to say to a `Terminal`. Only the spin is the caller's: it shows the ball.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from novamas.cli import arguments
from novamas.cli.commands import announce, rules
from novamas.cli.errors import InputError
from novamas.cli.messages import in_english, meant
from novamas.cli.player_session import PlayerSession
from novamas.cli.settlement_report import explained
from novamas.cli.table_display import Tableside
from novamas.cli.terminal import Terminal
from novamas.game.languages import ENGLISH
from novamas.game.notation import NotationError, format_bets, parse_bets, parse_spot
from novamas.game.rulebook.behaviours import Replay
from novamas.table.commands import Choice
from novamas.table.croupier import TableRefusedError
from novamas.table.refusals import Refusal
from novamas.table.results import name_of
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
ALIASES: Final = {
    "s": "spin",
    "repeat": "again",
    "rebet": "again",
    "?": "help",
    "h": "help",
    "q": "quit",
    "exit": "quit",
    "leave": "quit",
}
"""Other words for some of them."""
WITH_STAKE: Final = ("take", "move", "why", "choose", "replay")
"""The commands that name a stake."""


class ToldError(InputError):
    """An error message in the player's own language."""


class LeaveTable(Exception):  # noqa: N818 - It is a wish, not an error.
    """The player gets up."""


class TypedCommands:
    """Gives the table what a player types, and says what came of it."""

    def __init__(
        self,
        terminal: Terminal,
        player_session: PlayerSession,
        *,
        language: str,
        spin: Callable[[], None],
    ) -> None:
        self.terminal = terminal
        self.player_session = player_session
        self.language = language
        self.side = Tableside(terminal, player_session, language=language)
        self.book = player_session.state.book
        self.words = arguments.words_for(self.book)
        self.unlaid = ""
        """What of the last line was a mistake or was refused, for those who can edit it again."""
        self._spin = spin
        named: dict[str, Callable[[list[str]], None]] = {
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
        self.commands = named | {alias: named[name] for alias, name in ALIASES.items()}

    def obey(self, line: str) -> None:
        """Runs a line; reports a mistake in it, and the game goes on."""
        self.unlaid = ""
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
                self._keep(part.strip())
                self.complain(problem)
            if self.player_session.is_over:
                return

    def _keep(self, text: str) -> None:
        self.unlaid = f"{self.unlaid}; {text}" if self.unlaid else text

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
        *pointed, told = lines
        for text in pointed:
            self.terminal.say(f"  {text}")
        self.terminal.tell(told, indent="  ")
        if problem.hint:
            self.terminal.tell(problem.hint, indent="  ")

    # Bets -----------------------------------------------------------------------------------------

    def bet(self, text: str) -> None:
        """Lays bets."""
        try:
            bets = parse_bets(text, self.words)
        except NotationError as mistake:
            hint = "" if ":" in text else self._meant(text.split(maxsplit=1)[0])
            raise InputError(str(mistake), hint=hint) from None
        made = self.player_session.lay(bets)
        refused = [each.bet for each in made if isinstance(each.decision, Refusal)]
        if refused:
            self._keep(format_bets(refused))
        self.side.laid(made)

    def _meant(self, word: str) -> str:
        from difflib import get_close_matches

        near = get_close_matches(word.lower(), list(self.commands), n=3)
        return meant(self.language, near) or self.side.said("help_lists")

    def undo(self, _: list[str]) -> None:
        """Takes the last bets back."""
        taken = self.player_session.undo()
        if taken:
            self._say("taken_back", what=", ".join(taken))
        else:
            self._say("nothing_laid")

    def clear(self, _: list[str]) -> None:
        """Takes everything back."""
        taken = self.player_session.clear()
        if taken:
            self._say("taken_back", what=taken)
        else:
            self._say("nothing_lies")

    def _say(self, name: str, **facts: object) -> None:
        self.terminal.say(f"  {self.side.said(name, **facts)}")

    def again(self, _: list[str]) -> None:
        """Lays the last coup's bets again, except those that are already there."""
        bets = self.player_session.missing()
        if not bets:
            self._say("nothing_again")
        self.side.laid(self.player_session.lay_all(bets))

    def double(self, _: list[str]) -> None:
        """Lays as much again as lies on the cloth."""
        bets = self.player_session.bets()
        if not bets:
            self._say("nothing_lies")
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
            self._say("played_again", id=new)
            self.side.on_cloth()

    def _shown(self, decision: object) -> None:
        if isinstance(decision, Refusal):
            self.side.refused(decision)
        else:
            self.side.on_cloth()

    def spin(self, _: list[str]) -> None:
        """Plays the coup to its end."""
        self._spin()

    # Looking --------------------------------------------------------------------------------------

    def why(self, words: list[str]) -> None:
        """Explains the last coup, or one of its stakes."""
        settlement = self.player_session.settlement
        if settlement is None:
            raise ToldError(self.side.said("no_number"))
        wanted, language = set(words), self.language
        articles = [
            (stake.id, explain_returned(self.book, stake, amount, articles, language=language))
            for stake, amount, articles in self.player_session.returned
        ]
        articles += [
            (name_of(line), explain(self.book, line, settlement.pocket, language=language))
            for line in settlement.lines
        ]
        chosen = [each for each in articles if not wanted or each[0] in wanted]
        if not chosen:
            ids = ", ".join(dict.fromkeys(id for id, _ in articles))
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

    # Completing -----------------------------------------------------------------------------------

    def completions(self, line: str) -> list[str]:
        """The lines that a line may be the beginning of: its last word completed, in order."""
        before, blank, word = line.rpartition(" ")
        start = before + blank
        begins = start.rpartition(";")[2].strip()
        if not word or ":" in word:
            return []
        known = [*self._stakes()] if begins in WITH_STAKE else [f"{each}:" for each in self._bets()]
        if not begins:
            known += [f"{each} " for each in self.commands if len(each) > 1]
        found = sorted({each for each in known if each.lower().startswith(word.lower())})
        return [start + each for each in found]

    def completed(self, line: str) -> str:
        """The line with its last word completed, as far as there is only one way."""
        found = self.completions(line)
        if not found:
            return line
        first, last = found[0], found[-1]
        same = (at for at, letter in enumerate(first) if last[at : at + 1] != letter)
        return first[: next(same, len(first))]

    def _stakes(self) -> Iterator[str]:
        yield from (each.id for each in self.player_session.lying())
        yield from self.player_session.state.prison

    def _bets(self) -> Iterator[str]:
        """The chances and announcements of the house, in its words and in the notation."""
        boxes = [each for each in self.book.terms if not (each.kind.on_numbers or each.boxes)]
        for name in (*(each.name for each in boxes), *self.book.announcements.calls):
            yield name
            yield self.book.word(name).replace(" ", "-")
