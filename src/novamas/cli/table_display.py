"""What a player sees of a table in the terminal: the placard, the cloth, the calls, the coup."""

from __future__ import annotations

import shutil
from collections.abc import Iterable

from novamas.cli import settlement_report
from novamas.cli.commands.announce import replays
from novamas.cli.commands.cloth import draw
from novamas.cli.player_session import Laid, PlayerSession
from novamas.cli.terminal import Terminal, named, signed
from novamas.drawing.piles import Pile
from novamas.game.announcements import call_of
from novamas.game.cloth import LIMITED
from novamas.game.limits import Limits
from novamas.game.lines import cited
from novamas.game.money import halve
from novamas.game.notation import spoken
from novamas.game.rulebook.model import Rulebook
from novamas.game.stakes import Prisoner
from novamas.odds.number_format import counted
from novamas.table import events
from novamas.table.events import Event
from novamas.table.refusals import Refusal

CLOTH_COLUMNS = 80
BELOW_THE_CLOTH = 6
"""Lines that a coup takes below the cloth, besides two for each of its lines."""


class Tableside:
    """Shows a table to the player who sits at it."""

    def __init__(self, terminal: Terminal, player_session: PlayerSession) -> None:
        self.terminal = terminal
        self.player_session = player_session
        self.book: Rulebook = player_session.state.book

    # Before the first coup ------------------------------------------------------------------------

    def welcome(self) -> None:
        """Who plays what, where, and how to begin."""
        book, terminal, player = self.book, self.terminal, self.player_session.player
        terminal.title(f"{book.title.get(book.language, book.id)} ({book.id})")
        kind = f"{player.colour} chip" if player.colour else "chip"
        chips = counted(player.purse // player.chip, kind)
        terminal.say(f"You have {player.purse}: {chips} of {player.chip}.")
        terminal.say()
        self.placard()
        terminal.say()
        terminal.tell(f"Bet with {' '.join(self._examples())}; then `spin`. `help` tells the rest.")
        terminal.say()

    def _examples(self) -> Iterable[str]:
        """Bets that this house takes, in its words; each is enough to play by itself."""
        chip, pieces = self.player_session.player.chip, self.book.pieces
        on_numbers, together = (1, 1) if pieces is None else (pieces.on_numbers, pieces.on_chance)
        yield f"17:{chip * on_numbers}"
        yield f"14/17:{chip * max(on_numbers, 2)}"
        yield f"{self.book.word('red').replace(' ', '-')}:{chip * max(together, 2)}"
        for name, call in list(self.book.announcements.calls.items())[:1]:
            yield f"{name}:{chip * len(call.pieces)}"

    def placard(self) -> None:
        """The limits of the table, in the house's words."""
        limits: Limits = self.player_session.state.limits
        rows = [["", "from", "to", ""]]
        for kind in LIMITED:
            low, high = limits[kind]
            rows.append([self.book.word(kind), str(low or "-"), str(high or "-"), ""])
        for spot, (low, high) in limits.apart(self.book).items():
            articles = cited(self.book.terms[spot].limit_cites, self.book.terms[spot].minimum_cites)
            cells = [spoken(self.book, spot), str(low or "-"), str(high or "-")]
            rows.append([*cells, " ".join(articles)])
        self.terminal.table(rows, "lrrl", head=True)
        pieces = self.book.pieces
        if pieces is not None:
            least = f"at least {pieces.on_chance} chips on a chance, {pieces.on_numbers} in all on "
            cites = named(cited(pieces.cites.on_chance, pieces.cites.on_numbers))
            self.terminal.tell(f"{least}the numbers{cites}")

    # Stakes ---------------------------------------------------------------------------------------

    def laid(self, made: Iterable[Laid]) -> None:
        """What was laid, and what was refused."""
        for id, bet, decision in made:
            what = spoken(self.book, bet.what)
            if isinstance(decision, Refusal):
                self.refused(decision, what=f"{bet.amount} on {what}")
            else:
                self.terminal.say(f"  {id:<3} {what}: {bet.amount}")

    def refused(self, refusal: Refusal, *, what: str = "") -> None:
        """Why the table does not do it."""
        start = f"  {self.terminal.paint('no,', 'red')} "
        said = f"{what} – {refusal}" if what else str(refusal)
        self.terminal.tell(said, indent="      ", first=start)

    def on_cloth(self) -> None:
        """The player's stakes by their ids, what is in prison, and the purse."""
        terminal, state = self.terminal, self.player_session.state
        rows = [
            [each.id, spoken(self.book, each.what), str(each.amount)]
            for each in self.player_session.lying()
        ]
        rows += [
            [each.id, f"{spoken(self.book, each.spot)}, in prison", str(each.amount)]
            for each in state.prison.values()
        ]
        terminal.table(rows, "llr", indent="  ")
        purse, lying = self.player_session.player.purse, state.on_cloth
        held = sum(each.amount for each in state.prison.values())
        prison = f", {held} in prison" if held else ""
        gain = signed(self.player_session.result)
        terminal.say(f"  purse {purse}, {lying} on the cloth{prison}; so far {gain}")

    def cloth(self, piles: Iterable[Pile] | None = None, *, dolly: int | None = None) -> None:
        """The cloth with the player's chips."""
        if self.terminal.columns < CLOTH_COLUMNS:
            self.terminal.say(f"(the cloth is drawn in terminals of {CLOTH_COLUMNS} columns)")
            return
        shown = self.player_session.piles() if piles is None else piles
        draw(self.terminal, self.book, shown, dolly=dolly, prison=self.player_session.prison())

    # The coup -------------------------------------------------------------------------------------

    def call(self, text: str) -> None:
        """What the croupier says."""
        if text:
            self.terminal.say(self.terminal.paint(f"«{text}»", "yellow"))

    def calls(self, made: Iterable[Event]) -> None:
        """The calls that go with what happened, in their order."""
        for event in made:
            match event:
                case (
                    events.TableOpened()
                    | events.BallLaunched()
                    | events.BettingClosed()
                    | events.NumberCalled()
                    | events.CoupEnded()
                    | events.LastGamesAnnounced()
                ):
                    self.call(event.call)
                case _:
                    pass

    def sent_back(self) -> None:
        """What was too little to play."""
        for stake, amount, articles in self.player_session.returned:
            said = f"{spoken(self.book, stake.spot)}: {amount} comes back, too little to play"
            self.terminal.tell(said + named(articles), indent="    ", first="  ")

    def number(self, number: int) -> None:
        """The cloth with the dolly on the number, before anything is moved."""
        if self.terminal.columns < CLOTH_COLUMNS:
            return
        settlement = self.player_session.settlement
        told = settlement_report.together(settlement.lines) if settlement is not None else []
        below = BELOW_THE_CLOTH + 2 * len(told)
        rows = shutil.get_terminal_size((CLOTH_COLUMNS, 1000)).lines
        piles = self.player_session.piles(number=number)
        draw(
            self.terminal,
            self.book,
            piles,
            dolly=number,
            prison=self.player_session.prison(),
            listed=False,
            rows=rows - below,
        )

    def settled(self) -> None:
        """The lines of the coup and what it brought."""
        settlement, terminal = self.player_session.settlement, self.terminal
        if settlement is None or not settlement.lines:
            return
        settlement_report.lines_table(terminal, self.book, settlement, ids=True)
        settlement_report.reductions_told(terminal, self.book, settlement)
        settlement_report.payments_told(terminal, self.book, settlement, joint=True)
        net = -settlement.bank
        tone = "green" if net > 0 else "red" if net < 0 else "dim"
        made = f"win {net}" if net > 0 else f"lose {-net}" if net < 0 else "come out even"
        terminal.say(terminal.paint(f"You {made}.", tone))

    def open_questions(self) -> None:
        """What the player may decide before the next coup: after a zero, and replays."""
        state = self.player_session.state
        zero = self.book.zero.cites
        for each in state.prison.values():
            if each.pending:
                half = halve(each.amount)
                text = (
                    f"{each.id} {spoken(self.book, each.spot)} met zero: `choose {each.id} half` "
                    f"takes {half.player} back{named(zero.half)}; `choose {each.id} prison`, or "
                    f"no choice, leaves {each.amount} in prison"
                    f"{named(cited(zero.prison, zero.unchosen))}"
                )
                self.terminal.tell(text, indent="    ", first="  ")
        for id, won in state.won.items():
            call = call_of(self.book, won.announcement.call)
            modes = replays(self.book, call) if call is not None else []
            if modes:
                offered = ", ".join(f"`replay {id} {mode.value}`" for mode in modes)
                text = f"{won.announcement.call} won and may be played again: {offered}"
                self.terminal.tell(text, indent="    ", first="  ")

    # The end --------------------------------------------------------------------------------------

    def farewell(self) -> None:
        """What comes back when the player gets up, and the result of the evening."""
        player_session, terminal = self.player_session, self.terminal
        made = player_session.leave()
        for stake, amount, articles in player_session.returned:
            where = "prison" if isinstance(stake, Prisoner) else "the cloth"
            said = f"{spoken(self.book, stake.spot)}: {amount} comes back from {where}"
            terminal.tell(said + named(articles), indent="  ", first="")
        for event in made:
            if isinstance(event, events.ColourConverted) and event.chips:
                are = "is" if event.chips == 1 else "are"
                chips = counted(event.chips, f"{event.colour} chip")
                said = f"{chips} {are} changed for {event.amount}"
                terminal.tell(said + named(event.articles), indent="  ", first="")
        result = player_session.result
        coups = len(player_session.numbers)
        played = counted(coups, "coup")
        if player_session.numbers:
            shown = player_session.numbers[-12:]
            before = "… " if coups > len(shown) else ""
            played += f" ({before}{' '.join(map(str, shown))})"
        terminal.tell(
            f"{played}. You brought {player_session.brought} "
            f"and leave with {player_session.player.purse}."
        )
        if result > 0:
            terminal.say(terminal.paint(f"You won {result}. Good night!", "green"))
        elif result < 0:
            terminal.say(f"You lost {-result}. Good night, and better luck next time.")
        else:
            terminal.say("You leave as you came. Good night!")
