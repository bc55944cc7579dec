"""The report of a settled coup: lines, the order of payment, reductions, and each player's sums."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from novamas.cli.messages import article_text, said
from novamas.cli.terminal import Terminal, money, named, plain, signed
from novamas.game.cloth import SpotClass
from novamas.game.languages import ENGLISH
from novamas.game.lines import Line, Settlement, cited
from novamas.game.money import halve
from novamas.game.notation import spoken
from novamas.game.payment import Payment, payments
from novamas.game.reduction import Reduction, reductions
from novamas.game.rulebook.behaviours import PayBy, ZeroRule
from novamas.game.rulebook.model import Rulebook
from novamas.game.spot_classes import class_pays
from novamas.game.stakes import Prisoner, Stake
from novamas.table.results import Sums, name_of
from novamas.wording.explain import Explanation

if TYPE_CHECKING:
    from novamas.cli.json_shapes.coups import Paid, Reduced, SettledLine, ZeroChoice

SUMS: Final = ("won", "returned", "lost", "held", "stays", "reduced", "aside")
"""What a line accounts for, in the order of the columns."""
TOGETHER: Final = {PayBy.COLOUR: "paid_by_colour", PayBy.PLAYER: "paid_by_player"}
"""How several stakes are paid together → the key of the words for it."""


def stake_words(book: Rulebook, stake: Stake | Prisoner) -> str:
    """A stake in the house's words, and in the notation if that differs.

    >>> from novamas.game.cloth import spot
    >>> from novamas.rulebooks import load
    >>> stake_words(load("ar"), Stake("b1", "ana", spot("red"), 50))
    'colorado (red)'
    """
    word = spoken(book, stake.spot)
    alike = word == stake.spot.name or word.endswith(f" {stake.spot.name}")
    return f"{word}{'' if alike else f' ({stake.spot.name})'}"


def lines_table(
    terminal: Terminal,
    book: Rulebook,
    settlement: Settlement,
    *,
    ids: bool = False,
    language: str | None = None,
) -> None:
    """The lines of a coup: first the losers as they are collected, then the winners as paid.

    With `ids` a stake is named by its id, as at a table with one player, and not by its owner.
    """
    turn = {
        id(line): str(place)
        for place, payment in enumerate(payments(book, settlement), start=1)
        for line in payment.lines
    }
    whose = "id" if ids else "player"
    head = f"pay,{whose},stake,of,amount,won,returned,lost,held,stays,reduced,aside,articles"
    rows = [head.split(",")]
    lines = settlement.lines
    for alike in together(lines) if ids else [[line] for line in lines]:
        line = alike[0]
        several = len(alike) > 1
        rows.append(
            [
                turn.get(id(line), ""),
                name_of(line) if ids else line.stake.player,
                said(language or ENGLISH, "spots_many", count=len(alike))
                if several
                else stake_words(book, line.stake),
                _out_of(line, language),
                plain(sum(each.stake.amount for each in alike), language),
                *(_painted(terminal, sums, alike, language) for sums in SUMS),
                " ".join(cited(*(each.articles for each in alike))),
            ]
        )
    optional = ("of", "held", "stays", "reduced", "aside")
    _table(terminal, rows, "rlllrrrrrrrrl", optional=optional, language=language)


def _painted(terminal: Terminal, sums: str, lines: Iterable[Line], language: str | None) -> str:
    """A sum of some lines, in the colour of a gain or a loss."""
    amount: int = sum(getattr(line, sums) for line in lines)
    tone = {"won": "green", "lost": "red"}.get(sums) if amount else "dim"
    return terminal.paint(money(amount, language), *([tone] if tone else []))


def together(lines: Iterable[Line]) -> list[list[Line]]:
    """The lines, with the lost pieces of one announcement brought together."""
    found: dict[object, list[Line]] = {}
    for place, line in enumerate(lines):
        lost_piece = isinstance(line.stake, Stake) and line.stake.call and not line.won
        found.setdefault(name_of(line) if lost_piece else place, []).append(line)
    return list(found.values())


def _out_of(line: Line, language: str | None) -> str:
    """What a stake is a part of: an announcement, or the prison."""
    stake = line.stake
    if isinstance(stake, Prisoner):
        return said(language or ENGLISH, "prison")
    return stake.call or ""


def _table(
    terminal: Terminal,
    rows: list[list[str]],
    align: str,
    *,
    optional: tuple[str, ...],
    language: str | None,
) -> None:
    """Writes a table without the optional columns that are empty.

    Its first row has the names of the columns, which are translated.
    """
    nothing = ("", "-", terminal.paint("-", "dim"))
    kept = [
        place
        for place, name in enumerate(rows[0])
        if name not in optional or any(row[place] not in nothing for row in rows[1:])
    ]
    head, *shown = [[row[place] for place in kept] for row in rows]
    shown.insert(0, [said(language or ENGLISH, name) for name in head])
    terminal.table(shown, "".join(align[place] for place in kept), head=True)


def print_payments(
    terminal: Terminal,
    book: Rulebook,
    settlement: Settlement,
    *,
    joint: bool = False,
    language: str | None = None,
) -> None:
    """Who is paid how much, in the house's order, where it brings several stakes together.

    With `joint` only payments for several stakes are shown.
    """
    made = payments(book, settlement)
    if not any(len(payment.lines) > 1 for payment in made):
        return
    spoken_in = language or ENGLISH
    title = said(spoken_in, TOGETHER.get(book.payment.by, "paid_from_spool"))
    terminal.title(title if joint else said(spoken_in, "in_order", title=title))
    rows = []
    for place, payment in enumerate(made, start=1):
        if joint and len(payment.lines) == 1:
            continue
        what = ", ".join(spoken(book, line.stake.spot) for line in payment.lines)
        paid_for = said(spoken_in, "paid_for", what=what) + named(payment.articles)
        rows.append([str(place), payment.player, working(book, payment, language), paid_for])
    terminal.table(rows, "rlll")


def working(book: Rulebook, payment: Payment, language: str | None) -> str:
    """The amount counted out and its working; after a reduction, with the chips that stay."""
    made, paid = payment.reduction, plain(payment.paid, language)
    if made is not None:
        counted = _counted(book, made)
        if made.chip > 1:
            counted = (
                f"({counted}) × {made.chip}" if " + " in counted else f"{counted} × {made.chip}"
            )
        loose = payment.paid - made.paid * made.chip
        counted += f" + {loose}" if loose else ""
        return f"{paid} = {counted}; {_staying(made, language)}"
    sum_of = " + ".join(plain(line.won, language) for line in payment.lines)
    return f"{paid} = {sum_of}" if len(payment.lines) > 1 else paid


def _counted(book: Rulebook, made: Reduction) -> str:
    """The chips of a reduced payment, each class at its odds: `4 × 35 + 17`."""
    chips = {SpotClass.STRAIGHT: made.straights, **made.left}
    counted = ((count, class_pays(book, kind)) for kind, count in chips.items() if count)
    return " + ".join(f"{count} × {pays}" if count > 1 else str(pays) for count, pays in counted)


def _staying(made: Reduction, language: str | None) -> str:
    """The chips that remain as the player's stake, besides the payment."""
    name = "chip_stays" if made.stays == 1 else "chips_stay"
    return said(language or ENGLISH, name, count=plain(made.stays, language))


def print_reductions(
    terminal: Terminal, book: Rulebook, settlement: Settlement, *, language: str | None = None
) -> None:
    """The reductions with their steps, as they are made before the payment."""
    made = reductions(book, settlement)
    if not made:
        return
    terminal.title(said(language or ENGLISH, "reduced_first") + named(made[0].articles))
    for reduction in made:
        start = f"{reduction.player}: "
        for text in reduction_steps(book, reduction, language):
            terminal.tell(text, indent=" " * len(start), first=start)
            start = " " * len(start)


def reduction_steps(book: Rulebook, reduction: Reduction, language: str | None) -> Iterator[str]:
    """How a player's winning chips are reduced, and what is then paid, in sentences."""
    spoken_in = language or ENGLISH

    def chips(count: int, kind: str) -> str:
        return f"{plain(count, language)} × {book.word(kind)}"

    straight = SpotClass.STRAIGHT
    for step in reduction.steps:
        made = f"{chips(step.chips, step.kind)} → {chips(step.straights, straight)}"
        freed = plain(step.freed, language)
        yield said(spoken_in, "freed", step=made, freed=freed) + named(step.articles)
    stand = []
    if reduction.straights:
        on_number = chips(reduction.straights, straight)
        stand.append(said(spoken_in, "on_number", what=on_number))
    left = [chips(count, kind) for kind, count in reduction.left.items()]
    if left:
        stand.append(said(spoken_in, "left_over", what=said(spoken_in, "and").join(left)))
    paid = plain(reduction.paid, language)
    if reduction.chip > 1:
        chip = plain(reduction.chip, language)
        paid = said(spoken_in, "chips_of", count=paid, chip=chip)
    told = said(spoken_in, "spool_pays", paid=paid)
    yield f"{', '.join(stand)}: {told}, {_staying(reduction, language)}"


def totals_table(
    terminal: Terminal,
    sums: dict[str, Sums],
    staked: dict[str, int],
    bank: int,
    *,
    language: str | None = None,
) -> None:
    """What the coup brought each player, and the bank."""
    rows = ["player,staked,won,returned,lost,held,net".split(",")]
    for player, each in sums.items():
        amounts = (staked.get(player, 0), each.won, each.returned, each.lost, each.held)
        gain = each.won - each.lost
        net = terminal.paint(signed(gain, language), _tone(gain))
        rows.append([player, *(money(amount, language) for amount in amounts), net])
    whole = terminal.paint(signed(bank, language), _tone(bank))
    rows.append([said(language or ENGLISH, "bank"), "", "", "", "", "", whole])
    _table(terminal, rows, "lrrrrrr", optional=("held",), language=language)


def _tone(net: int) -> str:
    return "green" if net > 0 else "red" if net < 0 else "dim"


def _choosing(book: Rulebook, settlement: Settlement) -> list[Line]:
    """The lines whose owners may choose after zero, where the house leaves it to them."""
    if book.zero.simple is not ZeroRule.CHOICE:
        return []
    return [line for line in settlement.lines if line.held]


def choices(book: Rulebook, settlement: Settlement, language: str) -> list[str]:
    """What the owners of stakes that met zero may choose, in sentences."""
    cites = book.zero.cites
    told = []
    for line in _choosing(book, settlement):
        back, lost = (plain(half, language) if half else "" for half in halve(line.held))
        shares = [said(language, "back", amount=back)]
        shares += [said(language, "to_bank", amount=lost)] if lost else []
        held = said(language, "in_prison", amount=plain(line.held, language))
        facts = {
            "player": line.stake.player,
            "what": spoken(book, line.stake.spot),
            "half": ", ".join(shares) + _inner(cites.half),
            "prison": held + _inner(cites.prison),
        }
        told.append(said(language, "may_choose", **facts))
    return told


def explained(terminal: Terminal, explanations: Iterable[tuple[str, Explanation]]) -> None:
    """Why each stake got what it got, and then the text of each article once."""
    articles: dict[str, str] = {}
    for whose, explanation in explanations:
        ids = [article.id for article in explanation.articles]
        terminal.tell(
            f"{whose}: {' '.join(explanation.sentences)}{named(ids)}", indent="  ", first=""
        )
        articles.update(
            (each.id, article_text(explanation.language, dict(each.summary)))
            for each in explanation.articles
        )
    terminal.say()
    terminal.table(list(articles.items()), "ll")


def _inner(ids: Iterable[str]) -> str:
    listed = ", ".join(ids)
    return f"; {listed}" if listed else ""


# As data ------------------------------------------------------------------------------------------


def line_data(book: Rulebook, line: Line) -> SettledLine:
    """A line as plain data."""
    stake = line.stake
    data: SettledLine = {
        "id": stake.id,
        "player": stake.player,
        "on": stake.spot.name,
        "stake": spoken(book, stake.spot),
        "amount": stake.amount,
        "won": line.won,
        "returned": line.returned,
        "lost": line.lost,
        "held": line.held,
        "stays": line.stays,
        "aside": line.aside,
        "freed": line.freed,
        "reduced": line.reduced,
        "articles": list(line.articles),
    }
    if line.into is not None:
        data["into"] = line.into
    if isinstance(stake, Stake) and stake.call is not None:
        data["announcement"], data["call"] = stake.announcement or "", stake.call
    if line.parts:
        data["parts"] = [
            {"class": part.kind.value, "amount": part.amount, "won": part.won}
            for part in line.parts
        ]
    return data


def payment_data(payment: Payment) -> Paid:
    """A payment as plain data."""
    return {
        "player": payment.player,
        "won": payment.won,
        "paid": payment.paid,
        "stays": payment.stays,
        "stakes": [line.stake.id for line in payment.lines],
        "articles": list(payment.articles),
    }


def reduction_data(reduction: Reduction) -> Reduced:
    """A reduction as plain data, counted in chips."""
    return {
        "player": reduction.player,
        "chip": reduction.chip,
        "steps": [
            {
                "class": step.kind.value,
                "chips": step.chips,
                "straights": step.straights,
                "freed_to_bank": step.freed,
                "articles": list(step.articles),
            }
            for step in reduction.steps
        ],
        "straights": reduction.straights,
        "left": {kind.value: count for kind, count in reduction.left.items()},
        "freed_to_bank": reduction.freed,
        "paid": reduction.paid,
        "stays": reduction.stays,
        "articles": list(reduction.articles),
    }


def choices_data(book: Rulebook, settlement: Settlement) -> list[ZeroChoice]:
    """What the owners of stakes that met zero may choose, as plain data."""
    cites = book.zero.cites
    found: list[ZeroChoice] = []
    for line in _choosing(book, settlement):
        back, lost = halve(line.held)
        found.append(
            {
                "id": line.stake.id,
                "player": line.stake.player,
                "on": line.stake.spot.name,
                "amount": line.held,
                "half": {"returned": back, "lost": lost, "articles": list(cites.half)},
                "prison": {"held": line.held, "articles": list(cites.prison)},
            }
        )
    return found
