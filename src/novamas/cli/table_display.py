"""What a player sees of a table in the terminal: the placard, the cloth, the calls, the coup."""

from __future__ import annotations

import shutil
from collections.abc import Iterable

from novamas.cli import settlement_report
from novamas.cli.commands.announce import replays
from novamas.cli.commands.cloth import draw
from novamas.cli.messages import chips, in_english, said, several
from novamas.cli.player_session import Laid, PlayerSession
from novamas.cli.terminal import Terminal, named, plain, signed
from novamas.drawing.piles import Pile
from novamas.game.announcements import call_of
from novamas.game.languages import ENGLISH
from novamas.game.limits import Limits, limited
from novamas.game.lines import cited
from novamas.game.money import halve
from novamas.game.notation import spoken
from novamas.game.rulebook.behaviours import Linked
from novamas.game.rulebook.model import Rulebook
from novamas.game.stakes import Prisoner
from novamas.game.wheel import Pocket
from novamas.table import events
from novamas.table.events import Event
from novamas.table.refusals import Refusal

CLOTH_COLUMNS = 80
BELOW_THE_CLOTH = 6
"""Lines that a coup takes below the cloth, besides two for each of its lines."""


class Tableside:
    """Shows a table to the player who sits at it."""

    def __init__(
        self, terminal: Terminal, player_session: PlayerSession, *, language: str = ENGLISH
    ) -> None:
        self.terminal = terminal
        self.player_session = player_session
        self.book: Rulebook = player_session.state.book
        self.language = language

    def said(self, name: str, **facts: object) -> str:
        """A sentence in the player's language, with whole numbers in its format."""
        written = {
            key: self.amount(fact) if isinstance(fact, int) else fact for key, fact in facts.items()
        }
        return said(self.language, name, **written)

    def amount(self, amount: int) -> str:
        """An amount; in English it is written as it is typed."""
        return plain(amount, self.spoken)

    @property
    def spoken(self) -> str | None:
        """The language of amounts and headings, where it is not English."""
        return None if self.language == ENGLISH else self.language

    # Before the first coup ------------------------------------------------------------------------

    def welcome(self) -> None:
        """The greeting: the house, the player's chips, and how to begin."""
        book, terminal, player = self.book, self.terminal, self.player_session.player
        terminal.title(f"{book.title.get(book.language, book.id)} ({book.id})")
        bought = chips(self.language, player.purse // player.chip, player.colour)
        terminal.say(self.said("you_have", purse=player.purse, chips=bought, chip=player.chip))
        terminal.say()
        self.placard()
        terminal.say()
        terminal.tell(self.said("bet_with", examples=" ".join(self._examples())))
        terminal.say()

    def _examples(self) -> Iterable[str]:
        """Example bets in the house's words; each is large enough to play on its own."""
        chip, pieces = self.player_session.player.chip, self.book.pieces
        on_numbers, together = (1, 1) if pieces is None else (pieces.on_numbers, pieces.on_chance)
        yield f"17:{chip * on_numbers}"
        # Linked bets carry equal pieces in some houses; the example plays as it is typed.
        equal = self.book.limits.linked is Linked.EQUAL
        yield f"14/17:{chip * (on_numbers if equal else max(on_numbers, 2))}"
        yield f"{self.book.word('red').replace(' ', '-')}:{chip * max(together, 2)}"
        for name, call in list(self.book.announcements.calls.items())[:1]:
            yield f"{name}:{chip * len(call.pieces)}"

    def placard(self) -> None:
        """The limits of the table, in the house's words."""
        limits: Limits = self.player_session.state.limits
        rows = [["", self.said("from"), self.said("to"), ""]]
        for kind in limited(self.book):
            low, high = limits[kind]
            rows.append([self.book.word(kind), self._bound(low), self._bound(high), ""])
        for spot, (low, high) in limits.apart(self.book).items():
            articles = cited(self.book.terms[spot].limit_cites, self.book.terms[spot].minimum_cites)
            cells = [spoken(self.book, spot), self._bound(low), self._bound(high)]
            rows.append([*cells, " ".join(articles)])
        self.terminal.table(rows, "lrrl", head=True)
        pieces = self.book.pieces
        if pieces is not None:
            least = self.said("least_chips", chance=pieces.on_chance, numbers=pieces.on_numbers)
            cites = named(cited(pieces.cites.on_chance, pieces.cites.on_numbers))
            self.terminal.tell(least + cites)

    def _bound(self, amount: int | None) -> str:
        return self.amount(amount) if amount else "-"

    # Stakes ---------------------------------------------------------------------------------------

    def laid(self, made: Iterable[Laid]) -> None:
        """What was laid, and what was refused."""
        for id, bet, decision in made:
            what = spoken(self.book, bet.what)
            if isinstance(decision, Refusal):
                why = in_english(self.language, str(decision))
                self._refused(self.said("bet_refused", amount=bet.amount, what=what, why=why))
            else:
                self.terminal.say(f"  {id:<3} {what}: {self.amount(bet.amount)}")

    def refused(self, refusal: Refusal) -> None:
        """Why the table refused a command."""
        self._refused(in_english(self.language, str(refusal)))

    def _refused(self, text: str) -> None:
        start = f"  {self.terminal.paint(self.said('refused'), 'red')} "
        self.terminal.tell(text, indent="      ", first=start)

    def on_cloth(self) -> None:
        """The player's stakes by their ids, what is in prison, and the purse."""
        terminal, state = self.terminal, self.player_session.state
        rows = [
            [each.id, spoken(self.book, each.what), self.amount(each.amount)]
            for each in self.player_session.lying()
        ]
        rows += [
            [
                each.id,
                self.said("stake_in_prison", what=spoken(self.book, each.spot)),
                self.amount(each.amount),
            ]
            for each in state.prison.values()
        ]
        terminal.table(rows, "llr", indent="  ")
        purse, lying = self.player_session.player.purse, state.on_cloth
        held = sum(each.amount for each in state.prison.values())
        prison = self.said("also_in_prison", held=held) if held else ""
        gain = signed(self.player_session.result, self.spoken)
        line = self.said("purse_line", purse=purse, lying=lying, prison=prison, gain=gain)
        terminal.say(f"  {line}")

    def cloth(self, piles: Iterable[Pile] | None = None, *, dolly: Pocket | None = None) -> None:
        """The cloth with the player's chips."""
        if self.terminal.columns < CLOTH_COLUMNS:
            self.terminal.say(self.said("narrow", columns=CLOTH_COLUMNS))
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
        """The stakes that were too small to play."""
        for stake, amount, articles in self.player_session.returned:
            what = spoken(self.book, stake.spot)
            name = "comes_back" if amount == stake.amount else "comes_back_levelled"
            text = self.said(name, what=what, amount=amount) + named(articles)
            self.terminal.tell(text, indent="    ", first="  ")

    def number(self, number: Pocket) -> None:
        """The cloth with the dolly on the number, before anything is moved."""
        if self.terminal.columns < CLOTH_COLUMNS:
            return
        settlement = self.player_session.settlement
        results = settlement_report.together(settlement.lines) if settlement is not None else []
        below = BELOW_THE_CLOTH + 2 * len(results)
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
        book, language = self.book, self.spoken
        settlement_report.lines_table(terminal, book, settlement, ids=True, language=language)
        settlement_report.print_reductions(terminal, book, settlement, language=language)
        settlement_report.print_payments(terminal, book, settlement, joint=True, language=language)
        net = -settlement.bank
        tone = "green" if net > 0 else "red" if net < 0 else "dim"
        made = self.said("you_even")
        if net:
            made = self.said("you_win" if net > 0 else "you_lose", amount=abs(net))
        terminal.say(terminal.paint(made, tone))

    def open_questions(self) -> None:
        """What the player may decide before the next coup: after a zero, and replays."""
        state = self.player_session.state
        zero = self.book.zero.cites
        for each in state.prison.values():
            if each.pending:
                half = halve(each.amount)
                text = self.said(
                    "met_zero",
                    id=each.id,
                    what=spoken(self.book, each.spot),
                    half=half.player,
                    half_cites=named(zero.half),
                    amount=each.amount,
                    prison_cites=named(cited(zero.prison, zero.unchosen)),
                )
                self.terminal.tell(text, indent="    ", first="  ")
        for id, won in state.won.items():
            call = call_of(self.book, won.announcement.call)
            modes = replays(self.book, call) if call is not None else []
            if modes:
                offered = ", ".join(f"`replay {id} {mode.value}`" for mode in modes)
                text = self.said("won_again", call=won.announcement.call, offered=offered)
                self.terminal.tell(text, indent="    ", first="  ")

    # The end --------------------------------------------------------------------------------------

    def farewell(self) -> None:
        """What the player takes when they leave, and the result of the session."""
        player_session, terminal = self.player_session, self.terminal
        made = player_session.leave()
        for stake, amount, articles in player_session.returned:
            name = "back_from_prison" if isinstance(stake, Prisoner) else "back_from_cloth"
            text = self.said(name, what=spoken(self.book, stake.spot), amount=amount)
            terminal.tell(text + named(articles), indent="  ", first="")
        for event in made:
            if isinstance(event, events.ColourConverted) and event.chips:
                name = "changed_one" if event.chips == 1 else "changed_many"
                sold = chips(self.language, event.chips, event.colour)
                text = self.said(name, chips=sold, amount=event.amount)
                terminal.tell(text + named(event.articles), indent="  ", first="")
        result = player_session.result
        coups = len(player_session.numbers)
        played = several(self.language, "coups", coups)
        if player_session.numbers:
            shown = player_session.numbers[-12:]
            before = "… " if coups > len(shown) else ""
            played += f" ({before}{' '.join(map(str, shown))})"
        terminal.tell(
            self.said(
                "brought",
                played=played,
                brought=player_session.brought,
                purse=player_session.player.purse,
            )
        )
        if result > 0:
            terminal.say(terminal.paint(self.said("night_won", amount=result), "green"))
        elif result < 0:
            terminal.say(self.said("night_lost", amount=-result))
        else:
            terminal.say(self.said("night_even"))
