"""The rows of the full screen: head, cloth, spot, messages, typed line, keys, and what is beside.

Every row is a text painted as for a terminal, at most as wide as its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from novamas.cli.commands.wheel import painted, ring
from novamas.cli.fullscreen.places import Place
from novamas.cli.fullscreen.table_view import CHIPS, Phase, TableView
from novamas.cli.spinning_ball import strip
from novamas.cli.terminal import named, signed, width
from novamas.drawing.lettering import short_amount
from novamas.drawing.piles import place_name
from novamas.drawing.text_grid import DISC
from novamas.game.cloth import SPOTS, Spot
from novamas.game.limits import limited
from novamas.game.money import halve
from novamas.game.notation import Announced, spoken
from novamas.game.wheel import Pocket, colour
from novamas.wording.explain import odds

_RING: Final = (3, 11)
"""Columns of a pocket and rows of the wheel beside the cloth."""
_LARGE_RING: Final = (4, 13)
_LARGE_FROM: Final = 46
_LARGE_ROWS: Final = 40


class Cell(NamedTuple):
    """A character of the cloth, and how it looks."""

    character: str
    paint: str
    field: str
    """The colour of the number in whose square it stands."""
    mark: str
    """`cursor` under the cursor, `covered` in a number that the spot there covers, `won` where a
    stake has just won."""


def head(view: TableView, columns: int) -> str:
    """The house, the last numbers, and the money."""
    book, side, session = view.book, view.side, view.player_session
    left = session.coups_left
    count = side.said("to_go", left=left) if left is not None else ""
    purse, lying = session.player.purse, session.state.on_cloth
    money = side.said("prompt", purse=purse, lying=lying, count=count)
    title = shortened(book.title.get(book.language, book.id), columns - width(money) - 2)
    room = columns - width(title) - width(money) - 4
    shown = view.terminal.paint(title, "bold")
    return spread(f"{shown}  {' '.join(last_numbers(view, room))}", money, columns)


def shortened(text: str, room: int) -> str:
    """A text that is cut to fit."""
    return text if width(text) <= room else f"{text[: max(0, room - 1)]}…"


def last_numbers(view: TableView, room: int) -> list[str]:
    """The numbers that came out, the last first, as many as fit."""
    shown: list[str] = []
    for number in reversed(view.numbers):
        text = painted(view.terminal, number, f" {number} ")
        if sum(map(width, shown)) + len(shown) + width(text) > room:
            break
        shown.append(text)
    return shown


def spread(left: str, right: str, columns: int) -> str:
    """A text at each end of a row; the right one is dropped if both do not fit."""
    gap = columns - width(left) - width(right)
    return f"{left}{' ' * gap}{right}" if gap > 0 else left


def cloth(view: TableView) -> list[list[Cell]]:
    """The drawing with the player's chips, the cursor, and the numbers that it covers."""
    piles, prison = view.shown_piles
    on_spots = [pile for pile in piles if isinstance(pile.spot, Spot)]
    fallen = view.fallen.number if view.fallen is not None else None
    grid = view.arrangement.grid
    rows = grid.cells(on_spots, dolly=fallen, prison=prison)
    marks: dict[tuple[int, int], str] = {}
    fields = {
        cell: colour(number)
        for number in view.book.wheel.pockets
        for area in grid.areas(SPOTS[str(number)])
        for cell in _inside(area)
    }
    if view.phase in (Phase.BETTING, Phase.CHOOSING):
        place = view.cursor.place
        for number in place.spot.numbers:
            for area in grid.areas(SPOTS[str(number)]):
                marks |= dict.fromkeys(_inside(area), "covered")
        marks |= dict.fromkeys(_under_cursor(view, place), "cursor")
        if not place.boxed:
            row, column = grid.anchors(place.spot)[place.which]
            if rows[row][column][0] != DISC:
                rows[row][column] = ("○", "chip")
    marks |= {cell: "won" for cell in _winners(view) if rows[cell[0]][cell[1]][1] == "chip"}
    return [
        [
            Cell(character, paint, fields.get((row, column), ""), marks.get((row, column), ""))
            for column, (character, paint) in enumerate(cells)
        ]
        for row, cells in enumerate(rows)
    ]


def _winners(view: TableView) -> list[tuple[int, int]]:
    """The cells in which the chips lie that the last number made win."""
    settlement = view.player_session.settlement
    if view.fallen is None or settlement is None:
        return []
    grid = view.arrangement.grid
    won = [line.stake.spot for line in settlement.lines if line.won]
    boxes = [cell for spot in won for area in grid.areas(spot) for cell in _inside(area)]
    return [*boxes, *(anchor for spot in won for anchor in grid.anchors(spot))]


def _inside(area: tuple[int, int, int, int]) -> list[tuple[int, int]]:
    top, left, bottom, right = area
    return [(row, column) for row in range(top + 1, bottom) for column in range(left + 1, right)]


def _under_cursor(view: TableView, place: Place) -> list[tuple[int, int]]:
    if place.boxed:
        return _inside(view.places.area(place))
    return [view.arrangement.grid.anchors(place.spot)[place.which]]


def first_row(view: TableView) -> int:
    """The first row of the cloth that is shown, where it is higher than its place."""
    shown, whole = view.arrangement.cloth_rows, view.arrangement.grid.rows
    area = view.places.area(view.cursor.place)
    middle = (area.top + area.bottom) // 2
    return max(0, min(middle - shown // 2, whole - shown))


def waiting(view: TableView) -> str:
    """The announcements whose chips wait in their own space until the number is out."""
    piles, _ = view.shown_piles
    shown = [
        f"{spoken(view.book, Announced(pile.spot.name))} {DISC}{short_amount(pile.amount)}"
        for pile in piles
        if not isinstance(pile.spot, Spot)
    ]
    if not shown:
        return ""
    waiting = view.side.said("waiting", what="  ".join(shown))
    return view.terminal.paint(waiting, "yellow")


def spot_line(view: TableView, columns: int) -> str:
    """The spot under the cursor and what it pays; or the ball, a choice, an announcement."""
    if view.phase is Phase.BALL:
        return strip(view.terminal, view.book.wheel.pockets, ball_at(view))
    if view.phase is Phase.CHOOSING:
        return _question(view)
    if view.calls_list is not None:
        call = view.calls_list.calls[view.calls_list.at]
        return fitted((spot.name for spot in call.pieces), columns, between="  ")
    side, spot = view.side, view.cursor.place.spot
    terms = view.book.terms[spot]
    limits = view.player_session.state.limits
    low, most = limits.minimum(terms), limits.maximum(terms)
    name = view.terminal.paint(place_name(view.book, spot), "bold")
    pays = (
        side.said("halves")
        if terms.halves
        else side.said("pays", odds=odds(side.language, terms.pays))
    )
    bounds = f"{side.amount(low)}–{side.amount(most)}" if most else f"≥ {side.amount(low)}"
    parts = [name, pays, bounds]
    lying = view.amount_on(spot)
    if lying:
        parts.append(view.terminal.paint(f"{DISC} {side.amount(lying)}", "yellow"))
    return fitted(parts, columns, between=" · ")


def fitted(parts: Iterable[str], columns: int, *, between: str) -> str:
    """As many of the parts as fit the row."""
    line = ""
    for part in parts:
        longer = f"{line}{between}{part}" if line else part
        if line and width(longer) > columns:
            break
        line = longer
    return line


def ball_at(view: TableView) -> Pocket:
    """The pocket under the ball."""
    return view.ball[0][0] if view.ball else view.player_session.numbers[-1]


def _question(view: TableView) -> str:
    """What may be chosen for a stake that met zero; the marked answer stands out."""
    asked, side = view.asked[0], view.side
    cites = view.book.zero.cites
    half = f" {side.said('choice_half')} {side.amount(halve(asked.amount).player)} "
    prison = f" {side.said('choice_prison')} {side.amount(asked.amount)} "
    if view.taking_half:
        half = view.terminal.paint(f"[{half.strip()}]", "chosen") + named(cites.half[:1])
    else:
        prison = view.terminal.paint(f"[{prison.strip()}]", "chosen") + named(cites.prison[:1])
    what = view.terminal.paint(spoken(view.book, asked.spot), "bold")
    return f"{what} {side.amount(asked.amount)}: {half} {prison}"


def messages(view: TableView) -> list[str]:
    """What was said last; on one row, the line that matters most."""
    rows = view.arrangement.messages
    if rows == 1:
        return [view.messages.notice]
    return view.messages.log[-rows:]


def typed_line(view: TableView, columns: int) -> tuple[str, int]:
    """The line being typed, and the column of its caret; while it is empty, the chips."""
    paint, text, at = view.terminal.paint, view.line.text, view.line.at
    start = paint(">", "bold") + " "
    if not text:
        return spread(start, chips(view), columns), 2
    room = columns - 4
    first = max(0, at - room)
    before, under, after = text[first:at], text[at : at + 1], text[at + 1 : first + room]
    caret = paint(under or " ", "chosen") if view.terminal.colour else f"|{under}"
    return f"{start}{before}{caret}{after}", 2 + at - first


def chips(view: TableView) -> str:
    """The stacks that the keys 1 to 6 choose; the chosen one stands out."""
    shown = []
    for place, count in enumerate(CHIPS):
        amount = short_amount(count * view.player_session.player.chip)
        text = f" {place + 1}·{amount} "
        chosen = place == view.chosen
        shown.append(view.terminal.paint(f"[{text.strip()}]", "chosen") if chosen else text)
    return "".join(shown)


def keys(view: TableView, columns: int) -> str:
    """What the keys do now, as much as fits."""
    said, paint = view.side.said, view.terminal.paint
    shown: list[tuple[str, str]]
    if view.phase is Phase.BALL:
        shown = [("…", said("key_skip"))]
    elif view.phase is Phase.OVER:
        shown = [("…", said("key_leave"))]
    elif view.page is not None:
        shown = [("↑ ↓", said("key_read")), ("Esc", said("key_close"))]
    elif view.calls_list is not None:
        shown = [
            ("↑ ↓", said("key_choose")),
            (said("key_enter"), said("key_lay")),
            ("Esc", said("key_close")),
        ]
    elif view.line.text:
        shown = [
            (said("key_enter"), said("key_give")),
            ("Tab", said("key_complete")),
            ("Esc", said("key_drop")),
        ]
    elif view.phase is Phase.CHOOSING:
        shown = [
            ("← →", said("key_choose")),
            (said("key_enter"), said("key_take")),
            ("*", said("key_all")),
            ("Esc", said("key_later")),
        ]
    else:
        shown = _at_table(view)
    return fitted(
        (f"{paint(key, 'bold', 'cyan')} {does}" for key, does in shown), columns, between="  "
    )


def _at_table(view: TableView) -> list[tuple[str, str]]:
    said, rules = view.side.said, view.book.announcements
    calls = [("F2", said("key_calls"))] if rules.calls or rules.neighbours is not None else []
    return [
        (said("key_space"), said("key_lay")),
        ("u", said("key_back")),
        (said("key_enter"), said("key_spin")),
        ("?", said("key_help")),
        *calls,
        ("F5", said("key_again")),
        ("F3", said("key_why")),
        ("Ctrl+C", said("key_leave")),
    ]


def calls_rows(view: TableView) -> list[str]:
    """The announcements to choose from, as many as fit the cloth's place."""
    listed = view.calls_list
    if listed is None:
        return []
    rows = view.arrangement.cloth_rows
    top = max(0, min(listed.at - rows // 2, len(listed.calls) - rows))
    shown = []
    for place, call in enumerate(listed.calls[top : top + rows], start=top):
        name = spoken(view.book, Announced(call.name))
        other = "" if name == call.name else f" ({call.name})"
        price = view.side.said(
            "in_pieces_of", amount=listed.price(call), count=len(call.pieces), unit=listed.piece
        )
        text = f" {name}{other}: {price} "
        chosen = place == listed.at
        shown.append(view.terminal.paint(f"▸{text}", "chosen") if chosen else f" {text}")
    return shown


def beside(view: TableView, columns: int, rows: int) -> list[str]:
    """What stands beside the cloth: the wheel, the last numbers, the limits, and why."""
    side, session, terminal = view.side, view.player_session, view.terminal
    wide, high = _LARGE_RING if columns >= _LARGE_FROM and rows >= _LARGE_ROWS else _RING
    runs, numbers = view.phase is Phase.BALL, view.numbers
    at = ball_at(view) if runs else numbers[-1] if numbers else None
    middle = [] if runs or at is None else _middle(view, at, high)
    wheel = view.book.wheel.pockets
    shown = [*ring(terminal, wheel, wide=wide, high=high, middle=middle, ball=at), ""]
    if numbers:
        cells = [painted(terminal, each, f"{each:>3} ") for each in reversed(numbers)]
        shown.append(terminal.paint(side.said("last_numbers"), "bold"))
        each_row = columns // 4
        shown += ["".join(cells[:each_row]), "".join(cells[each_row : 2 * each_row])]
    shown.append(terminal.paint(side.said("limits_title"), "bold"))
    shown += _limits(view, columns)
    settlement = session.settlement
    if settlement is not None and not runs and (settlement.lines or session.returned):
        shown += ["", terminal.paint(side.said("why_title"), "bold")]
        shown += view.messages.captured(lambda: view.typed.why([]), columns=columns)
    return shown[:rows]


def _limits(view: TableView, columns: int) -> list[str]:
    """The placard, as narrow as it goes: what has a bound, and from where to where."""
    side, limits = view.side, view.player_session.state.limits
    bounds = [(view.book.word(kind), limits[kind]) for kind in limited(view.book)]
    bounds += [(spoken(view.book, spot), each) for spot, each in limits.apart(view.book).items()]
    rows = []
    for name, (low, most) in bounds:
        if low or most:
            bound = f"{side.amount(low or 0)}–{side.amount(most) if most else ''}"
            room = columns - width(bound) - 1
            rows.append(spread(shortened(name, room), bound, columns))
    return rows


def _middle(view: TableView, number: Pocket, high: int) -> list[str]:
    """What stands inside the wheel: the number, and what it brought."""
    settlement = view.player_session.settlement
    net = -settlement.bank if settlement is not None else 0
    tone = "green" if net > 0 else "red" if net < 0 else "dim"
    sum_up = view.terminal.paint(signed(net, view.side.spoken), tone) if net else ""
    return ["", *[""] * ((high - 7) // 2), view.winner(number), "", sum_up]
