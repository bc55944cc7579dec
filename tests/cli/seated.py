"""A table view as `novamas play` makes it, for the tests of the full screen."""

from collections import Counter

from rich.text import Text

from novamas.cli.arguments import house
from novamas.cli.commands.play import _player_session
from novamas.cli.fullscreen import panels
from novamas.cli.fullscreen.calls_list import CallsList
from novamas.cli.fullscreen.page import Page
from novamas.cli.fullscreen.table_view import Phase, TableView, Wish
from novamas.cli.parser import build_parser


def seated(name: str, *options: str, waits: bool = False, colour: bool = False) -> TableView:
    """A player at a table; without `waits` the ball falls at once."""
    args = build_parser().parse_args(["play", name, "--seed", "5", *options])
    session = _player_session(house(name), args)
    return TableView(session, language=args.lang, colour=colour, waits=waits)


def typed(view: TableView, text: str) -> Wish:
    """Presses the keys of a text, and gives the line."""
    for letter in text:
        view.press(NAMES.get(letter, letter), letter)
    return view.press("enter", "\r")


NAMES = {" ": "space", ":": "colon", "/": "slash", "?": "question_mark", ";": "semicolon"}


def lying(view: TableView) -> dict[str, int]:
    """What the player has on the cloth."""
    found: Counter[str] = Counter()
    for each in view.player_session.lying():
        found[each.what.name] += each.amount
    return dict(found)


def screen(view: TableView) -> str:
    """All rows of the screen as plain text."""
    wide = view.width
    rows = [
        panels.head(view, wide),
        *("".join(cell.character for cell in row) for row in panels.cloth(view)),
        panels.waiting(view),
        panels.spot_line(view, wide),
        # A message that was said on a wider screen is cut at the edge.
        *(row[: wide - view.arrangement.side] for row in panels.messages(view)),
        panels.typed_line(view, wide)[0],
        panels.keys(view, wide),
    ]
    if view.arrangement.side:
        rows += panels.beside(view, view.arrangement.side - 2, view.height - 3)
    return "\n".join(Text.from_ansi(row).plain for row in rows)


# A checker of types would take these for unchanged between two keys, so they are asked for anew.


def phase(view: TableView) -> Phase:
    """What the player can do."""
    return view.phase


def page(view: TableView) -> Page | None:
    """The page that covers the cloth."""
    return view.page


def calls_list(view: TableView) -> CallsList | None:
    """The announcements to choose from."""
    return view.calls_list
