"""`novamas cloth`: a house's cloth with stakes on it, in the terminal or as a picture."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from novamas.cli import arguments
from novamas.cli.errors import InputError, OutputError
from novamas.cli.messages import said
from novamas.cli.terminal import Terminal, named
from novamas.drawing.piles import Pile
from novamas.game.announcements import call_of, laid
from novamas.game.notation import Announced, Bet, Hand
from novamas.game.rulebook.model import Rulebook
from novamas.game.wheel import Pocket

OUTPUT = "-"


def run(args: Namespace, terminal: Terminal) -> int:
    """Draws the cloth in the terminal or to a file."""
    book = arguments.house(args.house)
    hands: list[Hand] = []
    if args.stakes is not None:
        hands = arguments.hands([args.stakes], arguments.words_for(book))
    dolly = None
    if args.number is not None:
        dolly = arguments.number(args.number, book.wheel.pockets)
    chips = arguments.chips(args.chip)
    if strangers := sorted({*chips[1]} - {hand.player for hand in hands}):
        raise InputError(f"--chip: {', '.join(strangers)} has no stakes on this cloth")
    if args.upright and args.svg is None:
        raise InputError("--upright: works with a picture only", hint="add --svg cloth.svg")
    piles = laid_out(book, hands, chips=chips)
    if args.svg is None:
        draw(terminal, book, piles, dolly=dolly)
    else:
        _picture(terminal, book, piles, dolly=dolly, file=args.svg, upright=args.upright)
        if args.svg != OUTPUT:
            terminal.say(said(args.lang, "wrote", file=args.svg))
    return 0


def draw(
    terminal: Terminal,
    book: Rulebook,
    piles: Iterable[Pile],
    *,
    dolly: Pocket | None,
    prison: Iterable[Pile] = (),
    listed: bool = True,
    rows: int | None = None,
) -> None:
    """Draws the cloth in the terminal.

    Without `listed` the list of stakes below it is left out. If `rows` is too small for the whole
    cloth, the numbers are drawn without the chances around them.
    """
    from novamas.drawing.text import cloth_text

    text = cloth_text(book, piles, dolly=dolly, prison=prison, colour=terminal.colour)
    lines = text.rstrip("\n").split("\n")
    if not listed:
        lines = lines[: 1 + max(n for n, line in enumerate(lines) if "┘" in line)]
    if rows is not None and len(lines) > rows:
        first = next(n for n, line in enumerate(lines) if "╭" in line)
        last = next(n for n, line in enumerate(lines) if "╰" in line)
        lines = lines[first : last + 1]
    for line in lines:
        terminal.say(terminal.fit(line, drawn=True))


def _picture(
    terminal: Terminal,
    book: Rulebook,
    piles: Iterable[Pile],
    *,
    dolly: Pocket | None,
    file: str,
    upright: bool,
) -> None:
    from novamas.drawing.svg import Orientation, cloth_svg

    orientation: Orientation = "portrait" if upright else "landscape"
    picture = cloth_svg(book, piles, dolly=dolly, orientation=orientation)
    if file == OUTPUT:
        terminal.out.write(picture)
        return
    try:
        Path(file).write_text(picture, encoding="utf-8")
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise OutputError(f"{arguments.written(file)}: cannot be written: {reason}") from None


def laid_out(
    book: Rulebook, hands: Iterable[Hand], *, chips: tuple[int, dict[str, int]]
) -> list[Pile]:
    """The piles of some hands; several bets of one player on one place make one pile."""
    everyone, by_player = chips
    piles: dict[tuple[str, str], Pile] = {}
    for hand in hands:
        for bet in hand.bets:
            chip = by_player.get(hand.player, everyone)
            for pile in _piles(book, bet, player=hand.player, chip=chip):
                key = (pile.player, pile.spot.name)
                there = piles[key].amount if key in piles else 0
                piles[key] = pile._replace(amount=pile.amount + there)
    return list(piles.values())


def _piles(book: Rulebook, bet: Bet, *, player: str, chip: int) -> list[Pile]:
    if not isinstance(bet.what, Announced):
        if not book.offers(bet.what):
            cites = book.betting.cites
            articles = cites.no_straddle if bet.what.boxes else cites.not_marked
            problem = f"{bet.what.name} is not on the cloth of {book.id}"
            raise InputError(problem + named(articles or cites.not_marked))
        return [Pile(bet.what, bet.amount, player, chip)]
    call = call_of(book, bet.what.name)
    if call is None:
        hint = f"`novamas announce {book.id}` lists what it takes"
        problem = f"{book.id} takes no {bet.what.name}"
        raise InputError(problem + named(book.announcements.cites.not_taken), hint=hint)
    pieces = laid(call, bet.amount)
    if pieces is None:
        problem = f"{call.name} has {len(call.pieces)} pieces; {bet.amount} does not come out even"
        raise InputError(problem + named(call.cites))
    if call.to_place:
        return [Pile(call, bet.amount, player, chip)]
    return [Pile(spot, amount, player, chip) for spot, amount in pieces]
