"""`novamas announce`: what an announcement lays where, what it costs, and what it can win."""

from __future__ import annotations

from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from novamas.cli.arguments import house, near, words_for
from novamas.cli.errors import InputError
from novamas.cli.messages import said
from novamas.cli.terminal import Terminal, named, signed
from novamas.game.announcements import call_of, laid
from novamas.game.cloth import Spot
from novamas.game.languages import ENGLISH
from novamas.game.lines import cited
from novamas.game.notation import (
    Announced,
    Bet,
    NotationError,
    Words,
    parse_bets,
    parse_call,
    spoken,
)
from novamas.game.rulebook.behaviours import Replay
from novamas.game.rulebook.model import Call, Rulebook
from novamas.game.settlement import settle
from novamas.game.stakes import Stake
from novamas.game.wheel import Pocket, is_zero, written_order

if TYPE_CHECKING:
    from novamas.cli.json_shapes.coups import AnnounceAnswer, AnnouncedCall

EVERY: Final = "all"


class Laid(NamedTuple):
    """An announcement with its amount: what lies where, and what each number brings."""

    call: Call
    amount: int
    pieces: tuple[tuple[Spot, int], ...]
    net: dict[Pocket, int]
    """Number → what its owner gains by it, or loses."""
    articles: dict[Spot, tuple[str, ...]]
    """The articles by which each piece is paid when it wins."""

    @property
    def covered(self) -> list[Pocket]:
        """The numbers that win something."""
        numbers = {number for spot, _ in self.pieces for number in spot.numbers}
        return sorted(numbers, key=written_order)


def run(args: Namespace, terminal: Terminal) -> int:
    """Shows one announcement, or lists those of the house."""
    book = house(args.house)
    every = args.call is None or args.call.strip().lower() == EVERY
    if args.json:
        calls = book.announcements.calls.values()
        all_of_them = (lay(book, call, len(call.pieces)) for call in calls)
        terminal.data(_data(book, all_of_them if every else [read(book, args.call)]))
    elif every:
        listed(terminal, book, language=args.lang)
    else:
        tell(terminal, book, read(book, args.call), language=args.lang)
    return 0


def read(book: Rulebook, text: str, *, listing: str = "") -> Laid:
    """The announcement that a person means: `voisins:18`, or `voisins` for one unit a piece.

    `listing` is the command that lists them, where it is not `novamas announce`.
    """
    words = words_for(book)
    listing = listing or f"novamas announce {book.id}"
    try:
        if ":" in text:
            bets = _bets(text, words)
            (bet,) = bets if len(bets) == 1 else (None,)
            if bet is None or not isinstance(bet.what, Announced):
                hint = "an announcement is voisins:9, 17~2:5 or f4:4"
                raise InputError(f"{text!r} is not an announcement", hint=hint)
            what, amount = bet.what, bet.amount
        else:
            what, amount = parse_call(text, words), None
    except NotationError as mistake:
        raise InputError(str(mistake), hint=f"`{listing}` lists them") from None
    call = call_of(book, what.name)
    if call is None:
        hint = near(what.name, book.announcements.calls)
        if not hint and _takes_some(book):
            hint = f"`{listing}` lists what it takes"
        cites = named(book.announcements.cites.not_taken)
        raise InputError(f"{book.id} takes no {what.name}{cites}", hint=hint)
    return lay(book, call, len(call.pieces) if amount is None else amount)


def _bets(text: str, words: Words) -> tuple[Bet, ...]:
    try:
        return parse_bets(text, words)
    except NotationError:
        # The error for a text that is not a bet says what was expected: an announcement.
        if text.count(":") == 1:
            parse_call(text.partition(":")[0], words)
        raise


def lay(book: Rulebook, call: Call, amount: int) -> Laid:
    """The announcement with its pieces, and what every number would bring."""
    pieces = laid(call, amount)
    if pieces is None:
        count = len(call.pieces)
        below, above = amount // count * count, (amount // count + 1) * count
        nearest = f"{below} or {above}" if below else str(above)
        problem = f"{call.name} has {count} pieces, and {amount} does not come out even"
        raise InputError(problem + named(call.cites), hint=f"stake {nearest}")
    stakes = [
        Stake(f"a1/{place}", "player", spot, each, announcement="a1", call=call.name)
        for place, (spot, each) in enumerate(pieces, start=1)
    ]
    net: dict[Pocket, int] = {}
    articles: dict[Spot, tuple[str, ...]] = {}
    for number in book.wheel.pockets:
        settled = settle(book, number, stakes)
        net[number] = -settled.bank
        for line in settled.lines:
            if line.won and (not is_zero(number) or line.stake.spot.numbers == {number}):
                spot = line.stake.spot
                articles[spot] = cited(articles.get(spot, ()), line.articles)
    return Laid(call, amount, pieces, net, articles)


def tell(terminal: Terminal, book: Rulebook, found: Laid, *, language: str = ENGLISH) -> None:
    """Prints an announcement for a person."""
    call = found.call
    unit = found.amount // len(call.pieces)
    in_pieces = said(
        language,
        "in_pieces_of" if unit > 1 else "in_pieces",
        amount=found.amount,
        count=len(call.pieces),
        **({"unit": unit} if unit > 1 else {}),
    )
    name = spoken(book, Announced(call.name))
    other = "" if name == call.name else f" ({call.name})"
    terminal.say(f"{terminal.paint(name, 'bold')}{other}: {in_pieces}")
    terminal.say()
    rows = [
        [spoken(book, spot), str(amount), " ".join(found.articles.get(spot, ()))]
        for spot, amount in found.pieces
    ]
    head = [said(language, name) for name in ("on", "lies", "articles")]
    terminal.table([head, *rows], "lrl", head=True)
    terminal.say()
    covered = found.covered
    numbers = " ".join(map(str, covered))
    covers = said(language, "covers", count=len(covered), numbers=numbers)
    terminal.tell(covers, indent="  ", first="")
    by_net: dict[int, list[Pocket]] = defaultdict(list)
    for number in covered:
        by_net[found.net[number]].append(number)
    rows = [
        [signed(net), said(language, "on_numbers", numbers=" ".join(map(str, those)))]
        for net, those in sorted(by_net.items(), reverse=True)
    ]
    others = min(found.net.values())
    terminal.table([*rows, [signed(others), said(language, "on_others")]], "rl")
    if call.to_place:
        terminal.tell(said(language, "waits_apart"), indent="  ", first="")
    modes = replays(book, call)
    if modes:
        offered = ", ".join(mode.value.replace("_", " ") for mode in modes)
        cites = named(book.announcements.cites.replays)
        replayable = said(language, "replayable", modes=offered)
        terminal.tell(replayable + cites, indent="  ", first="")


def replays(book: Rulebook, call: Call) -> list[Replay]:
    """How the house lets the announcement be played again when it wins."""
    return [
        mode
        for mode in book.announcements.replays
        if mode is not Replay.PER_IL_TUTTO or call.all_times is not None
    ]


def _takes_some(book: Rulebook) -> bool:
    return bool(book.announcements.calls) or book.announcements.neighbours is not None


def listed(terminal: Terminal, book: Rulebook, *, language: str = ENGLISH) -> None:
    """Lists the announcements of a house."""
    rules = book.announcements
    calls = list(rules.calls.values())
    if not _takes_some(book):
        cites = named(rules.cites.not_taken)
        terminal.tell(said(language, "no_announcements", cites=cites))
        return
    columns = ("call", "house_words", "pieces", "numbers", "lies_on")
    rows = [[said(language, name) for name in columns]]
    for call in calls:
        words = spoken(book, Announced(call.name))
        covered = {number for spot in call.pieces for number in spot.numbers}
        rows.append(
            [
                call.name,
                "" if words == call.name else words,
                str(len(call.pieces)),
                str(len(covered)),
                " ".join(f"{_times(call, spot)}{spot.name}" for spot in dict.fromkeys(call.pieces)),
            ]
        )
    if rules.neighbours is not None:
        count = str(2 * rules.neighbours + 1)
        wide = f"17~{rules.neighbours}"
        example = " ".join(map(str, book.wheel.pockets.neighbours(17, rules.neighbours)))
        rows.append([wide, said(language, "any_number"), count, count, example])
    terminal.table(rows, "llrrl", head=True)


def _times(call: Call, spot: Spot) -> str:
    count = call.pieces.count(spot)
    return f"{count}×" if count > 1 else ""


def _data(book: Rulebook, asked: Iterable[Laid]) -> AnnounceAnswer:
    return {
        "house": book.id,
        "calls": [_call_data(book, each) for each in asked],
        "neighbours": book.announcements.neighbours,
        "articles": list(book.announcements.cites.not_taken),
    }


def _call_data(book: Rulebook, found: Laid) -> AnnouncedCall:
    call = found.call
    return {
        "call": call.name,
        "words": spoken(book, Announced(call.name)),
        "amount": found.amount,
        "pieces": len(call.pieces),
        "lies": [
            {
                "on": spot.name,
                "amount": amount,
                "articles": list(found.articles.get(spot, ())),
            }
            for spot, amount in found.pieces
        ],
        "covers": found.covered,
        "net": {str(number): net for number, net in found.net.items()},
        "to_place": call.to_place,
        "replays": [mode.value for mode in replays(book, call)],
        "articles": list(call.cites),
    }
