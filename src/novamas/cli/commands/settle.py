"""`novamas settle`: plays one coup through the table, and shows it with its articles."""

from __future__ import annotations

from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from novamas.cli import arguments, settlement_report
from novamas.cli.errors import InputError
from novamas.cli.messages import said
from novamas.cli.terminal import Terminal, named, plain
from novamas.game.chips import takes
from novamas.game.limits import Limits
from novamas.game.lines import Settlement
from novamas.game.notation import Announced, Bet, Hand, format_bets, spoken
from novamas.game.payment import payments
from novamas.game.reduction import reductions
from novamas.game.rulebook.behaviours import ChipKind, LimitsKept, Winning
from novamas.game.rulebook.model import Rulebook
from novamas.game.settlement import settle
from novamas.game.stakes import Stake
from novamas.game.wheel import Pocket
from novamas.table import events
from novamas.table.croupier import Croupier, TableRefusedError, placed
from novamas.table.refusals import Refusal
from novamas.table.results import Sums
from novamas.table.state import Setup, State
from novamas.wording.calls import number_call
from novamas.wording.explain import Explanation, explain, explain_returned

if TYPE_CHECKING:
    from novamas.cli.json_shapes.coups import SettleAnswer


@dataclass
class _Coup:
    """A coup that was played: the stakes returned at the close, and the result of the rest."""

    state: State
    number: Pocket
    settlement: Settlement
    sent_back: list[tuple[Stake, int, tuple[str, ...]]] = field(default_factory=list)

    @property
    def book(self) -> Rulebook:
        return self.state.book

    def sums(self) -> dict[str, Sums]:
        """Each player's sums, in the order of the seats."""
        sums = {player: Sums() for player in self.state.players}
        for line in self.settlement.lines:
            each = sums[line.stake.player]
            each.won += line.won
            each.returned += line.returned
            each.lost += line.lost
            each.held += line.held
        for stake, amount, _ in self.sent_back:
            sums[stake.player].returned += amount
        return sums


def run(args: Namespace, terminal: Terminal) -> int:
    """Settles the coup that the arguments describe."""
    book = arguments.house(args.house)
    words = arguments.words_for(book)
    number = arguments.number(args.number, book.wheel.pockets)
    language = args.lang
    hands = arguments.hands(args.hands, words)
    chip, chips = arguments.chips(args.chip)
    hanging = arguments.limits(book, args.limits, minimum=args.minimum, words=words)
    staked: dict[str, int] = defaultdict(int)
    for hand in hands:
        staked[hand.player] += sum(bet.amount for bet in hand.bets)
    strangers = sorted({*chips, *args.value_chips} - set(staked))
    if strangers:
        raise InputError(f"{', '.join(strangers)} has no hand in this coup")
    setup = _setup(book, hanging, chip=chip, winning=args.winning, seats=len(staked))
    croupier = Croupier(State.fresh(book, setup))
    try:
        croupier.open()
        for player, amount in staked.items():
            croupier.seat(player)
            value = player in args.value_chips
            # Where there are no colours nobody gives chips a value, unless --chip asks for one.
            named_worth = bool(args.chip) or takes(book, ChipKind.COLOUR)
            worth = chips.get(player, chip) if named_worth else None
            croupier.sell(player, amount, chip=worth, value_chips=value)
    except TableRefusedError as refused:
        raise InputError(f"the table cannot be set up: {refused}") from None
    coup = _played(croupier, hands, number, as_laid=args.as_laid, last=args.last)
    if args.json:
        terminal.data(_data(coup))
    else:
        _tell(coup, terminal, dict(staked), why=args.why, language=language)
    return 0


def _setup(book: Rulebook, limits: Limits, *, chip: int, winning: str, seats: int) -> Setup:
    policed = LimitsKept.POLICED in book.limits.kept
    return Setup(
        limits=limits,
        winning=Winning(winning),
        limits_kept=LimitsKept.POLICED if policed else LimitsKept.ENFORCED,
        chip=chip,
        colours=seats,
    )


def _played(
    croupier: Croupier, hands: Iterable[Hand], number: Pocket, *, as_laid: bool, last: bool
) -> _Coup:
    state = croupier.state
    ids = (f"b{place}" for place in range(1, 10**9))
    for hand in hands:
        for bet in hand.bets:
            wish = placed(hand.player, bet, id=next(ids))
            decision = croupier.ask(wish)
            if isinstance(decision, Refusal):
                where = f"{hand.player} {format_bets([bet])}"
                raise InputError(f"{where}: {decision}", hint=_hint(state.book, bet))
    if as_laid:
        settlement = settle(
            state.book,
            number,
            state.stakes.values(),
            limits=state.limits,
            winning=state.setup.winning,
            last=last,
        )
        return _Coup(state, number, settlement)
    before = dict(state.stakes)
    sent_back = [
        (before[id], amount, articles)
        for event in croupier.close_betting()
        if isinstance(event, events.StakesReturned)
        for id, amount, articles in event.returned
    ]
    called = croupier.call(number, last=last)
    (settlement,) = (e.settlement for e in called if isinstance(e, events.NumberCalled))
    croupier.settle()
    return _Coup(state, number, settlement, sent_back)


def _hint(book: Rulebook, bet: Bet) -> str:
    if not isinstance(bet.what, Announced):
        return ""
    if not book.announcements.calls:
        return "this house takes no announcements: lay its pieces one by one"
    return f"`novamas announce {book.id}` lists what this house takes"


# Telling ------------------------------------------------------------------------------------------


def _tell(
    coup: _Coup, terminal: Terminal, staked: dict[str, int], *, why: bool, language: str
) -> None:
    book = coup.book
    title = book.title.get(language) or book.title.get("en", book.id)
    terminal.say(f"{terminal.paint(title, 'bold')}: «{number_call(book, coup.number)}»")
    terminal.say()
    for stake, amount, articles in coup.sent_back:
        what = f"{stake.player} {spoken(book, stake.spot)}"
        # What is too little to play goes back whole; linked bets keep what is equal on each.
        name = "sent_back" if amount == stake.amount else "sent_back_levelled"
        sentence = said(language, name, what=what, amount=plain(amount, language))
        terminal.tell(sentence + named(articles), indent="  ", first="")
    if coup.sent_back:
        terminal.tell(said(language, "as_laid"))
        terminal.say()
    if coup.settlement.lines:
        settlement_report.lines_table(terminal, book, coup.settlement, language=language)
        terminal.say()
    if reductions(book, coup.settlement):
        settlement_report.print_reductions(terminal, book, coup.settlement, language=language)
        terminal.say()
    if any(len(payment.lines) > 1 for payment in payments(book, coup.settlement)):
        settlement_report.print_payments(terminal, book, coup.settlement, language=language)
        terminal.say()
    settlement_report.totals_table(
        terminal, coup.sums(), staked, coup.settlement.bank, language=language
    )
    choices = settlement_report.choices(book, coup.settlement, language)
    if choices:
        terminal.say()
        for choice in choices:
            terminal.tell(choice, indent="  ", first="")
    if why:
        terminal.say()
        settlement_report.explained(terminal, _explanations(coup, language))


def _explanations(coup: _Coup, language: str) -> Iterator[tuple[str, Explanation]]:
    for stake, amount, articles in coup.sent_back:
        explanation = explain_returned(coup.book, stake, amount, articles, language=language)
        yield stake.player, explanation
    for line in coup.settlement.lines:
        yield line.stake.player, explain(coup.book, line, coup.number, language=language)


def _data(coup: _Coup) -> SettleAnswer:
    book, settlement = coup.book, coup.settlement
    return {
        "house": book.id,
        "number": coup.number,
        "call": number_call(book, coup.number),
        "sent_back": [
            {
                "id": stake.id,
                "player": stake.player,
                "on": stake.spot.name,
                "amount": amount,
                "articles": list(articles),
            }
            for stake, amount, articles in coup.sent_back
        ],
        "lines": [settlement_report.line_data(book, line) for line in settlement.lines],
        "payments": [settlement_report.payment_data(each) for each in payments(book, settlement)],
        "reductions": [
            settlement_report.reduction_data(each) for each in reductions(book, settlement)
        ],
        "choices": settlement_report.choices_data(book, settlement),
        "players": {
            player: {"won": s.won, "returned": s.returned, "lost": s.lost, "held": s.held}
            for player, s in coup.sums().items()
        },
        "bank": settlement.bank,
    }
