"""Writes docs/reference/houses-compared.md: what differs between the houses, from their rulebooks.

The comparison is `novamas.game.rulebook.compare`, and the edges are those of `novamas.odds.edges`.
A test compares the page with both.
"""

from collections.abc import Iterator
from itertools import groupby

from novamas.cli.commands.rules import bet_name, said
from novamas.game.languages import ENGLISH
from novamas.game.rulebook.compare import Difference, Side, differences
from novamas.game.rulebook.model import Rulebook
from novamas.odds.edges import compare_edges
from novamas.rulebooks import HOUSES, load
from scripts import ledger

PAGE = ledger.ROOT / "docs" / "reference" / "houses-compared.md"
REFRESH = "make houses-page"

INTRODUCTION = f"""\
# The houses compared

What differs between the books of the houses, and what each house keeps of a stake.
`{REFRESH}` writes this page anew from the rulebooks, and a test compares it with them.

`novamas rules --diff fr es` shows two houses with the texts of the articles behind each
difference, in the language of your choice. What a house calls its bets and posts is not compared.
"""

EDGES = """\
## What the house keeps

The edge: the part of every unit staked that the house keeps on average. The figures are exact, and
hold for stakes that can be halved without end; `novamas odds` has those of whole units. A house
that leaves the choice at zero to the player has a figure for each choice.
"""

CLOTHS = """\
## The cloths

Each with the stakes of some players.
"""

DATA = """\
## What the books say

Each datum that is not the same everywhere, with its values, the houses that have each of them, and
the articles behind it. "–" is what a house says that has no such datum. Of a post that not all the
houses have, the page names only the house's word for it.
"""


def page() -> str:
    """The page as text."""
    books = [load(id) for id in HOUSES]
    titles = [f"- `{book.id}`: {book.title[ENGLISH]}" for book in books]
    lines = [INTRODUCTION, *titles, "", EDGES, *_edges(books), "", DATA]
    for section, group in groupby(differences(*books), key=lambda each: each.section):
        lines += [f"### `{section}`", "", "| datum | value | houses |", "|---|---|---|"]
        for difference in group:
            lines += _rows(books, difference)
        lines.append("")
    lines.append(CLOTHS)
    for book in books:
        lines += [f"![The cloth of {book.title[ENGLISH]}.](../pictures/{book.id}.svg)", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _edges(books: list[Rulebook]) -> Iterator[str]:
    yield f"| bet | {' | '.join(f'`{book.id}`' for book in books)} |"
    yield f"|---|{'---|' * len(books)}"
    for each in compare_edges(*books):
        kept = ("–" if edge is None else str(edge) for edge in each.edges)
        yield f"| {bet_name(each.bet, each.choice, None)} | {' | '.join(kept)} |"


def _rows(books: list[Rulebook], difference: Difference) -> Iterator[str]:
    """A row for each value that the datum has, in the order of the houses."""
    alike: dict[str, list[str]] = {}
    for book, side in zip(books, difference.sides, strict=True):
        alike.setdefault(_value(side), []).append(_house(book, side))
    for place, (value, houses) in enumerate(alike.items()):
        key = "" if place else f"`{difference.key}`"
        yield f"| {key} | {value} | {'; '.join(houses)} |"


def _value(side: Side | None) -> str:
    text = "–" if side is None else said(side.value)
    return text.replace("|", "\\|")


def _house(book: Rulebook, side: Side | None) -> str:
    cited = ", ".join(side.articles) if side is not None else ""
    return f"`{book.id}`{f' ({cited})' if cited else ''}"


def main() -> None:
    """Writes the page."""
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ledger.ROOT)}")


if __name__ == "__main__":
    main()
