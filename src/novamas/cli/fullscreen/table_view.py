"""What the full screen shows of a table, and what each key does.

It draws nothing and waits for nothing: `press` takes a key, `tick` moves the ball, and the rows of
the screen are asked for. Texts are painted with the codes of a terminal, as in the transcript.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from functools import cached_property, partial
from typing import Final, NamedTuple

from novamas.cli.commands.wheel import painted
from novamas.cli.fullscreen.arrangement import Arrangement, arrange
from novamas.cli.fullscreen.calls_list import CallsList
from novamas.cli.fullscreen.line import Line
from novamas.cli.fullscreen.messages import Messages
from novamas.cli.fullscreen.page import Page, keys_page
from novamas.cli.fullscreen.places import STEPS, Places
from novamas.cli.player_session import PlayerSession
from novamas.cli.spinning_ball import passing
from novamas.cli.typed_commands import LeaveTable, TypedCommands
from novamas.drawing.piles import Pile
from novamas.game.cloth import SPOTS, Spot
from novamas.game.notation import Bet, NotationError, parse_bets
from novamas.game.rulebook.behaviours import Invitation
from novamas.game.stakes import Prisoner
from novamas.game.wheel import Pocket, colour, is_zero
from novamas.table.commands import Choice
from novamas.table.events import BallLaunched, Event
from novamas.table.refusals import Refusal
from novamas.wording.calls import invitation

CHIPS: Final = (1, 2, 5, 10, 20, 50)
"""The stacks that the keys 1 to 6 choose, in chips of the player."""
_BEGIN_NUMBERS: Final = "0789:/~"
"""After digits these show that a bet is typed, and no chip chosen."""


class Phase(Enum):
    """What the player can do."""

    BETTING = auto()
    BALL = auto()
    CHOOSING = auto()
    """A stake met zero, and its owner is asked."""
    OVER = auto()
    """The table has closed."""


class Wish(Enum):
    """What a key asks of the program itself."""

    NOTHING = auto()
    WATCH_BALL = auto()
    """The ball runs: `tick` is to be called until it rests."""
    LEAVE = auto()


class Fallen(NamedTuple):
    """The cloth as it lay when the number was called."""

    number: Pocket
    piles: list[Pile]


class TableView:
    """A player's table on a full screen."""

    def __init__(
        self, player_session: PlayerSession, *, language: str, colour: bool, waits: bool
    ) -> None:
        self.player_session = player_session
        self.book = player_session.state.book
        self.waits = waits
        self.messages = Messages(colour=colour)
        self.terminal = self.messages.terminal
        self.typed = TypedCommands(
            self.terminal, player_session, language=language, spin=self._launch
        )
        self.typed.commands["cloth"] = lambda _: None
        self.side = self.typed.side
        self.line = Line()
        self.phase = Phase.BETTING
        self.chosen = 0
        """Which of `CHIPS`."""
        self.fallen: Fallen | None = None
        self.ball: list[tuple[Pocket, float]] = []
        """The pockets that the ball has still to pass, each with its time."""
        self.page: Page | None = None
        self.calls_list: CallsList | None = None
        self.taking_half = True
        """Which answer is marked while a choice is asked."""
        self._called: tuple[Event, ...] = ()
        self._later = ""
        """What stands on the line after `spin`."""
        self._digits, self._chip_before = "", 0
        self._undone: list[Bet] | None = None
        """What the key u took back, until it is clear that no word begins with it."""
        self.resize(80, 24)
        self.cursor = self.places.of(SPOTS["17"])
        self.messages.run(lambda: self.side.call(invitation(self.book, Invitation.BETTING)))

    # The screen -----------------------------------------------------------------------------------

    def resize(self, width: int, height: int) -> None:
        """Arranges the table for a screen of this size; the cursor stays on its spot."""
        self.width, self.height = width, height
        self.arrangement: Arrangement = arrange(self.book, width, height)
        self.places = Places(self.arrangement.grid)
        self.terminal.columns = max(40, width - self.arrangement.side - 2)
        if self.page is not None:
            self.page.rows = self.arrangement.cloth_rows
        if hasattr(self, "cursor"):
            self.cursor = self.places.of(self.cursor.place.spot, self.cursor.place.which)

    @property
    def chip(self) -> int:
        """What Space lays."""
        return CHIPS[self.chosen] * self.player_session.player.chip

    @property
    def numbers(self) -> list[Pocket]:
        """The numbers that came out, without the one that the ball is still looking for."""
        known = self.player_session.numbers
        return known[:-1] if self.phase is Phase.BALL else known

    @property
    def asked(self) -> list[Prisoner]:
        """The stakes whose owner may still choose."""
        return [each for each in self.player_session.state.prison.values() if each.pending]

    def amount_on(self, spot: Spot) -> int:
        """What the player has on a spot."""
        return sum(
            stake.amount
            for stake in self.player_session.state.stakes.values()
            if stake.spot is spot
        )

    # Keys -----------------------------------------------------------------------------------------

    def press(self, key: str, character: str | None = None) -> Wish:
        """Does what a key says."""
        letter = character if character is not None and character.isprintable() else ""
        if key in ("ctrl+c", "ctrl+q", "ctrl+d"):
            return Wish.LEAVE
        if self.phase is Phase.OVER:
            return Wish.LEAVE
        if self.phase is Phase.BALL:
            return self._skip(letter)
        if self.page is not None and self._in_page(key):
            return Wish.NOTHING
        if self.calls_list is not None:
            self._in_calls(self.calls_list, key)
            return Wish.NOTHING
        if self.line.text:
            return self._in_line(key, letter)
        if self.phase is Phase.CHOOSING and self._in_choice(key):
            return Wish.NOTHING
        return self._at_table(key, letter)

    def paste(self, text: str) -> None:
        """Puts a pasted text on the line; it is never given to the table by itself."""
        self.line.type(text)

    def point(self, row: int, column: int) -> bool:
        """Moves the cursor to a cell of the cloth; False if nothing is there."""
        found = self.places.at(row, column) if self.phase is not Phase.BALL else None
        if found is None or self.page is not None or self.calls_list is not None:
            return False
        self.cursor = found
        return True

    def click(self, row: int, column: int, *, back: bool = False) -> Wish:
        """Lays a chip on a cell of the cloth, or takes one back; while the ball runs, skips it."""
        if self.phase is Phase.BALL:
            return self._skip("")
        if self.point(row, column):
            self._take() if back else self._lay()
        return Wish.NOTHING

    def _skip(self, letter: str) -> Wish:
        """Ends the ball's run; what is typed meanwhile stands on the line and waits there."""
        if letter and (self.line.text or letter != " "):
            self.line.type(letter)
        self.ball = self.ball[-1:]
        return self._land()

    def _in_page(self, key: str) -> bool:
        """A key while a page is read: it scrolls, or closes the page and may do more."""
        if self.page is None or self.page.scrolled(key):
            return True
        self.page = None
        return key in ("escape", "enter", "space", "backspace", "question_mark", "f1", "f3")

    def _in_calls(self, listed: CallsList, key: str) -> None:
        if key == "enter":
            self.calls_list = None
            self._lay_bets([listed.bet()])
        elif not listed.moved(key):
            self.calls_list = None

    def _in_line(self, key: str, letter: str) -> Wish:
        if key == "enter":
            return self._obey(self.line.given())
        if key == "tab":
            self._complete()
        elif not self.line.edit(key) and letter:
            self.line.type(letter)
        if not self.line.text:
            self._undone = None
        return Wish.NOTHING

    def _complete(self) -> None:
        found = self.typed.completions(self.line.text)
        self.line.put(self.typed.completed(self.line.text))
        if len(found) > 1:
            self.messages.say("  ".join(each.strip().rpartition(" ")[2] for each in found))

    def _in_choice(self, key: str) -> bool:
        """A key while a choice is asked; False if it means something else."""
        match key:
            case "left" | "right" | "up" | "down" | "tab":
                self.taking_half = not self.taking_half
            case "enter" | "space":
                self._choose(self.asked[:1])
            case "asterisk":
                self._choose(self.asked)
            case "escape":
                self.phase = Phase.BETTING
            case _:
                return False
        return True

    def _choose(self, asked: list[Prisoner]) -> None:
        choice = Choice.HALF if self.taking_half else Choice.PRISON
        for each in asked:
            self.messages.run(partial(self.typed.choose, [each.id, choice.value]))
        if not self.asked:
            self.phase = Phase.BETTING

    def _at_table(self, key: str, letter: str) -> Wish:
        """A key while no line is typed."""
        direction = key.removeprefix("shift+")
        begins = bool(self._digits) and letter in _BEGIN_NUMBERS
        if letter and letter.isascii() and (letter.isdigit() or begins):
            self._digit(letter)
            return Wish.NOTHING
        self._digits = ""
        if direction in STEPS:
            self.cursor = self.places.moved(self.cursor, direction, boxes_only=direction != key)
            return Wish.NOTHING
        if letter and key not in self._keys:
            self.line.type(letter)
            return Wish.NOTHING
        self._undone = None
        if key in self._typed_for:
            return self._obey(self._typed_for[key])
        if key in self._keys:
            self._keys[key]()
        return Wish.NOTHING

    _typed_for: Final = {"enter": "spin", "f3": "why", "f5": "again", "f6": "double"}
    """Keys that stand for a typed line."""

    @cached_property
    def _keys(self) -> dict[str, Callable[[], None]]:
        return {
            "space": self._lay,
            "backspace": self._undo,
            "u": self._undo,
            "delete": self._take,
            "question_mark": self._help,
            "f1": self._help,
            "f2": self._announce,
            "ctrl+p": self._recall,
            "escape": self._lift_dolly,
        }

    def _help(self) -> None:
        lines = keys_page(self.messages, self.typed)
        self.page = Page(lines, self.arrangement.cloth_rows)

    def _announce(self) -> None:
        self.calls_list = CallsList.of(self.book, self.cursor.place.spot, self.chip)
        if self.calls_list is None:
            self._show(lambda: self.typed.announce([]))

    def _recall(self) -> None:
        self.line.edit("up")

    def _lift_dolly(self) -> None:
        self.fallen = None

    def _digit(self, letter: str) -> None:
        """A digit chooses a chip, unless what follows shows that it begins a bet."""
        if not self._digits:
            self._chip_before = self.chosen
        self._digits += letter
        if letter in _BEGIN_NUMBERS:
            self.chosen = self._chip_before
            self.line.type(self._digits)
            self._digits = ""
        else:
            self.chosen = int(letter) - 1

    # Stakes ---------------------------------------------------------------------------------------

    def _lay(self) -> None:
        self._lay_bets([Bet(self.cursor.place.spot, self.chip)])

    def _lay_bets(self, bets: list[Bet]) -> None:
        self.fallen = None
        self.messages.run(lambda: self.side.laid(self.player_session.lay(bets)))

    def _take(self) -> None:
        """Takes a stack of the chosen size back from the spot under the cursor."""
        self.fallen = None
        spot = self.cursor.place.spot
        here = [each for each in self.player_session.lying() if each.what is spot]
        if not here:
            self.messages.say(self.side.said("nothing_there"))
            return
        last = here[-1]
        taken = min(self.chip, last.amount)
        decision = self.player_session.take(last.id, taken if taken < last.amount else None)
        if isinstance(decision, Refusal):
            self.messages.run(lambda: self.side.refused(decision))
        else:
            self.messages.say(self.side.said("taken_back", what=taken))

    def _undo(self) -> None:
        """Takes back what was laid last."""
        self.fallen = None
        before = {each.id: Bet(each.what, each.amount) for each in self.player_session.lying()}
        self.messages.run(lambda: self.typed.undo([]))
        left = {each.id for each in self.player_session.lying()}
        self._undone = [bet for id, bet in before.items() if id not in left]

    # What is typed --------------------------------------------------------------------------------

    def _obey(self, text: str) -> Wish:
        """Gives a line to the table, part by part; what stands after a spin waits for the ball."""
        text = self._with_u(text)
        parts = [part.strip() for part in text.split(";")]
        mistaken: list[str] = []
        for place, part in enumerate(parts):
            self.fallen = None
            try:
                self._show(partial(self.typed.obey, part))
            except LeaveTable:
                return Wish.LEAVE
            mistaken += [self.typed.unlaid] if self.typed.unlaid else []
            if self.phase in (Phase.BALL, Phase.OVER):
                self._later = "; ".join(filter(None, parts[place + 1 :]))
                break
        self.line.put(
            "; ".join(mistaken), self.messages.mistake_at(mistaken[0]) if mistaken else None
        )
        if self.phase is Phase.CHOOSING and not self.asked:
            self.phase = Phase.BETTING
        if self.phase is Phase.BALL and not self.waits:
            return self._land()
        return Wish.WATCH_BALL if self.phase is Phase.BALL else Wish.NOTHING

    def _with_u(self, text: str) -> str:
        """The line with the u that took something back before it, where that makes it a word."""
        undone, self._undone = self._undone, None
        if undone is None or not text or self._is_understood(text):
            return text
        if not self._is_understood(f"u{text}"):
            return text
        self.messages.run(lambda: self.side.laid(self.player_session.lay(undone)))
        return f"u{text}"

    def _is_understood(self, text: str) -> bool:
        if text.split(maxsplit=1)[0].lower() in self.typed.commands:
            return True
        try:
            parse_bets(text, self.typed.words)
        except NotationError:
            return False
        return True

    # The coup -------------------------------------------------------------------------------------

    def _launch(self) -> None:
        """Closes betting; the number is decided, and the ball has still to run."""
        closed = self.player_session.close_betting()
        self.side.calls(closed)
        self.side.sent_back()
        self._called = self.player_session.call()
        turns = next(event.wheel for event in closed if isinstance(event, BallLaunched))
        number = self.player_session.numbers[-1]
        self.ball = list(passing(self.book.wheel.pockets, number, turns))
        self.phase = Phase.BALL

    def tick(self) -> float | None:
        """Moves the ball on; returns for how long it stays there, or None when it rests."""
        if self.phase is not Phase.BALL:
            return None
        if len(self.ball) > 1:
            self.ball.pop(0)
            return self.ball[0][1]
        self._land()
        return None

    def _land(self) -> Wish:
        """The ball rests: the number is called, losers are collected and winners paid."""
        session, side = self.player_session, self.side
        number = session.numbers[-1]
        self.fallen = Fallen(number, session.piles(number=number))
        self.ball = []

        def settle() -> None:
            side.calls(self._called)
            made = session.settle()
            side.settled()
            side.calls(made)
            if not session.is_over:
                side.open_questions()
                if not session.player.purse and not session.state.on_cloth:
                    self.terminal.say(f"  {side.said('purse_empty')}")

        self.messages.run(settle)
        self.messages.notice = self._result(number)
        self.taking_half = True
        self.phase = (
            Phase.OVER if session.is_over else Phase.CHOOSING if self.asked else Phase.BETTING
        )
        later, self._later = self._later, ""
        if later and self.phase is Phase.BETTING:
            fallen = self.fallen
            wish = self._obey(later)
            self.fallen = fallen
            return wish
        if later:
            self.line.put(f"{later}; {self.line.text}" if self.line.text else later)
        return Wish.NOTHING

    def _result(self, number: Pocket) -> str:
        """The number and what it brought, in one line."""
        settlement = self.player_session.settlement
        called = self.winner(number)
        if settlement is None or not settlement.lines:
            return called
        net = -settlement.bank
        name = "you_win" if net > 0 else "you_lose" if net < 0 else "you_even"
        tone = "green" if net > 0 else "red" if net < 0 else "dim"
        result = self.side.said(name, amount=abs(net)) if net else self.side.said(name)
        return f"{called}  {self.terminal.paint(result, tone)}"

    def winner(self, number: Pocket) -> str:
        """A number that came out, on its colour, with the word for it."""
        word = "" if is_zero(number) else f" {self.book.word(colour(number))}"
        return f"{painted(self.terminal, number, f' {number} ')}{word}"

    # What is said ---------------------------------------------------------------------------------

    def _show(self, act: Callable[[], None]) -> None:
        """Does something; what is too long for the messages is shown as a page."""
        lines = self.messages.captured(act)
        long = len(lines) > max(2, self.arrangement.messages)
        if long and not self.typed.unlaid and self.phase is Phase.BETTING:
            self.page = Page(lines, self.arrangement.cloth_rows)
        else:
            self.messages.add(lines, mistaken=bool(self.typed.unlaid))

    @property
    def shown_piles(self) -> tuple[list[Pile], list[Pile]]:
        """The chips that are drawn on spots, and those in prison.

        After a number the stakes lie as it found them, but for those that it put in prison.
        """
        prison = self.player_session.prison()
        if self.fallen is None:
            return self.player_session.piles(), prison
        held = {pile.spot.name for pile in prison}
        return [pile for pile in self.fallen.piles if pile.spot.name not in held], prison
