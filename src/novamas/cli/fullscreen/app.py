"""The full screen of `novamas play`, drawn with Textual: widgets that show a `TableView`.

No decision is made here. Every key goes to the view, and the rows that it gives are drawn anew.
"""

from __future__ import annotations

from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Offset
from textual.strip import Strip
from textual.widget import Widget

from novamas.cli.fullscreen import panels
from novamas.cli.fullscreen.table_view import TableView, Wish

FELT: Final = "#0e3b2a"
ROOM: Final = "#10161a"
COLOURS: Final = {
    "": Style(color="#dfe7df", bgcolor=FELT),
    "line": Style(color="#5c8f74", bgcolor=FELT),
    "red": Style(color="#ffffff", bgcolor="#b3202c", bold=True),
    "black": Style(color="#ffffff", bgcolor="#17191c", bold=True),
    "green": Style(color="#ffffff", bgcolor="#17804e", bold=True),
    "chip": Style(color="#ffd75e", bgcolor=FELT, bold=True),
    "dolly": Style(color="#101010", bgcolor="#ffd75e", bold=True),
    "prison": Style(color="#ff9df2", bgcolor=FELT, bold=True),
}
PLAIN: Final = {name: Style(bold=bool(name) and name != "line") for name in COLOURS}
FIELDS: Final = {
    "red": (Style(bgcolor="#b3202c"), Style(bgcolor="#e0525c")),
    "black": (Style(bgcolor="#17191c"), Style(bgcolor="#4a5258")),
    "green": (Style(bgcolor="#17804e"), Style(bgcolor="#2fb877")),
}
"""The square of a number, and how it looks while the spot under the cursor covers it."""
CURSOR: Final = Style(color="#101010", bgcolor="#f4f1e4", bold=True)
WON: Final = Style(color="#101010", bgcolor="#6ee096", bold=True)
PLAIN_CURSOR: Final = Style(reverse=True, bold=True)
PLAIN_COVERED: Final = Style(underline=True)


class Rows(Widget):
    """Rows of text painted with a terminal's codes; each is one row of the screen."""

    def __init__(self, *, id: str, at_end: bool = False) -> None:
        super().__init__(id=id)
        self._rows: list[str] = []
        self._at_end = at_end

    def put(self, rows: list[str]) -> None:
        """Shows these rows."""
        if rows != self._rows:
            self._rows = rows
            self.refresh()

    @property
    def text(self) -> str:
        """What is shown, without its colours."""
        return "\n".join(Text.from_ansi(row).plain for row in self._rows)

    def render_line(self, y: int) -> Strip:
        """One row, cut at the edge of its place."""
        text = Text.from_ansi(self._rows[y] if y < len(self._rows) else "", end="")
        segments = [
            Segment(segment.text, segment.style) for segment in text.render(self.app.console)
        ]
        return Strip(segments).adjust_cell_length(self.size.width).apply_style(self.rich_style)


class ClothRows(Widget):
    """The cloth."""

    def __init__(self, view: TableView, *, colour: bool) -> None:
        super().__init__(id="cloth")
        self._view = view
        self._colour = colour
        self._cells: list[list[panels.Cell]] = []
        self._first = 0

    def put(self, cells: list[list[panels.Cell]], first: int) -> None:
        """Shows these cells, from a row on."""
        if cells != self._cells or first != self._first:
            self._cells, self._first = cells, first
            self.refresh()

    @property
    def text(self) -> str:
        """What is drawn, without its colours."""
        return "\n".join("".join(cell.character for cell in row) for row in self._cells)

    @property
    def left(self) -> int:
        """The column of the screen at which the cloth begins."""
        return max(0, (self.size.width - self._view.arrangement.grid.columns) // 2)

    def render_line(self, y: int) -> Strip:
        """One row of the cloth, in the middle of its place."""
        row = self._first + y
        cells = self._cells[row] if row < len(self._cells) else []
        segments = [Segment(cell.character, self._style(cell)) for cell in cells]
        strip = Strip([Segment(" " * self.left, self._room), *segments]).simplify()
        return strip.adjust_cell_length(self.size.width, self._room)

    @property
    def _room(self) -> Style:
        return COLOURS[""] if self._colour else PLAIN[""]

    def _style(self, cell: panels.Cell) -> Style:
        if not self._colour:
            plain = PLAIN.get(cell.paint, Style())
            if cell.mark in ("cursor", "won"):
                return plain + PLAIN_CURSOR
            return plain + PLAIN_COVERED if cell.mark == "covered" else plain
        style = COLOURS.get(cell.paint, COLOURS[""])
        if cell.field and cell.paint != "dolly":
            style += FIELDS[cell.field][cell.mark == "covered"]
        return style + {"cursor": CURSOR, "won": WON}.get(cell.mark, Style())


class TableApp(App[None]):
    """A player's table on the full screen."""

    TITLE = "novamas"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+q", "leave", show=False, priority=True),
        Binding("ctrl+c", "leave", show=False, priority=True),
    ]
    CSS = f"""
    Screen {{ background: {ROOM}; color: #dfe7df; layers: base; }}
    .plain, .plain * {{ background: ansi_default; color: ansi_default; }}
    #head, #spot, #line, #keys, #waiting {{ height: 1; width: 1fr; }}
    #head {{ background: #1b2429; }}
    #keys {{ background: #1b2429; }}
    #middle {{ height: 1fr; width: 1fr; }}
    #table {{ width: 1fr; height: 1fr; }}
    #over {{ display: none; width: 1fr; }}
    #cloth {{ width: 1fr; }}
    #messages {{ height: 1fr; width: 1fr; }}
    #beside {{ height: 1fr; padding: 0 1; }}
    """

    def __init__(self, view: TableView, *, colour: bool) -> None:
        super().__init__(ansi_color=not colour)
        self.view = view
        self._colour = colour
        self._cloth = ClothRows(view, colour=colour)
        names = ("head", "over", "waiting", "spot", "messages", "line", "keys", "beside")
        self._rows = {name: Rows(id=name) for name in names}

    def compose(self) -> ComposeResult:
        """The parts of the screen, from top to bottom."""
        rows = self._rows
        yield rows["head"]
        with Horizontal(id="middle"):
            with Vertical(id="table"):
                yield self._cloth
                yield rows["over"]
                yield rows["waiting"]
                yield rows["spot"]
                yield rows["messages"]
            yield rows["beside"]
        yield rows["line"]
        yield rows["keys"]

    def on_mount(self) -> None:
        """Arranges the table for the first time."""
        self.screen.set_class(not self._colour, "plain")
        self.on_resize(events.Resize(self.size, self.size))

    def on_resize(self, event: events.Resize) -> None:
        """Arranges the table anew for a new size."""
        view = self.view
        view.resize(event.size.width, event.size.height)
        arrangement, rows = view.arrangement, self._rows
        self._cloth.styles.height = arrangement.cloth_rows
        rows["over"].styles.height = arrangement.cloth_rows
        rows["waiting"].display = arrangement.waiting
        rows["beside"].display = bool(arrangement.side)
        rows["beside"].styles.width = arrangement.side
        self.show()

    def show(self) -> None:
        """Draws what has changed."""
        view, rows = self.view, self._rows
        columns = view.width - view.arrangement.side
        covering = view.page.shown if view.page is not None else panels.calls_rows(view)
        self._cloth.display = not covering
        rows["over"].display = bool(covering)
        rows["over"].put(covering)
        self._cloth.put(panels.cloth(view), panels.first_row(view))
        rows["head"].put([panels.head(view, view.width)])
        rows["waiting"].put([panels.waiting(view)])
        rows["spot"].put([panels.spot_line(view, columns)])
        rows["messages"].put(panels.messages(view))
        line, caret = panels.typed_line(view, view.width)
        rows["line"].put([line])
        self.cursor_position = Offset(caret, view.height - 2)
        rows["keys"].put([panels.keys(view, view.width)])
        if view.arrangement.side:
            beside = panels.beside(view, view.arrangement.side - 2, view.height - 3)
            rows["beside"].put(beside)

    # What the player does -------------------------------------------------------------------------

    async def on_event(self, event: events.Event) -> None:
        """Gives every key to the view, also those that Textual would keep, such as Tab."""
        if isinstance(event, events.Key) and event.key not in ("ctrl+q", "ctrl+c"):
            event.stop()
            self._follow(self.view.press(event.key, event.character))
            return
        await super().on_event(event)

    def on_paste(self, event: events.Paste) -> None:
        """Puts a pasted text on the line."""
        self.view.paste(event.text)
        self.show()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Moves the cursor with the mouse."""
        cell = self._cell(event)
        if cell is not None and self.view.point(*cell):
            self.show()

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Lays a chip with the left button, and takes one back with another."""
        cell = self._cell(event)
        if cell is not None:
            self._follow(self.view.click(*cell, back=event.button != 1))

    def _cell(self, event: events.MouseEvent) -> tuple[int, int] | None:
        """The row and column of the cloth under the mouse, or None beside it."""
        region = self._cloth.region
        if not self._cloth.display or not region.contains(event.screen_x, event.screen_y):
            return None
        row = event.screen_y - region.y + panels.first_row(self.view)
        return int(row), int(event.screen_x - region.x - self._cloth.left)

    def action_leave(self) -> None:
        """Gets up from the table."""
        self.exit()

    def _follow(self, wish: Wish) -> None:
        if wish is Wish.LEAVE:
            self.exit()
            return
        self.show()
        if wish is Wish.WATCH_BALL:
            self._roll()

    def _roll(self) -> None:
        """Moves the ball until it rests or is skipped."""
        seconds = self.view.tick()
        self.show()
        if seconds is not None:
            self.wait_for_ball(seconds)

    def wait_for_ball(self, seconds: float) -> None:
        """Lets the ball stay where it is for so long."""
        self.set_timer(seconds, self._roll)


def play(view: TableView, *, colour: bool) -> None:
    """Shows the table until the player leaves it."""
    TableApp(view, colour=colour).run()
