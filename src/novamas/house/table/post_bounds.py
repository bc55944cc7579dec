"""At how many tables one person may hold a post, where a book limits it.

A table knows only its own staff, so the house says which posts a person holds at its other tables.
The limit of each of these tables counts. Take a person who watches two tables whose book allows no
more: at a third table this person cannot take a post of the same name, whatever the book there
says. The automatic croupier is no person and may hold its posts everywhere. The posts of a table
that only a script plays do not count either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from novamas.game.rulebook.model import Post, Rulebook
from novamas.house.people.state import sound
from novamas.house.refusals import HouseRefusalReason
from novamas.house.table.state import HouseTable
from novamas.table.commands import TakePost
from novamas.table.identity import Automatic
from novamas.table.refusals import Refusal
from novamas.table.state import Phase


class HeldPost(NamedTuple):
    """A post that somebody holds at a table with this book."""

    book: Rulebook
    post: Post


def held_posts(tables: Iterable[HouseTable], person: str) -> Iterator[HeldPost]:
    """The posts that a person holds at tables that are not closed."""
    wanted = sound(person)
    for table in tables:
        state = table.state
        if state.phase is not Phase.ENDED and state.setup.live:
            for holder, post in state.staff.items():
                if sound(holder) == wanted:
                    yield HeldPost(state.book, state.book.posts[post])


def too_many_tables(
    house_table: HouseTable, command: TakePost, others: Iterable[HouseTable]
) -> Refusal | None:
    """Why a person may not take a post, because of the posts they hold at other tables."""
    book = house_table.state.book
    post, person = book.posts.get(command.post), str(command.by)
    is_live = house_table.state.setup.live
    if post is None or not is_live or Automatic.read(person) is not None:
        return None
    same = [each for each in held_posts(others, person) if each.post.name == post.name]
    every = [HeldPost(book, post), *same]
    has_racetrack = any(_has_racetrack(each.book) for each in every)
    for each in every:
        most = each.post.tables_with_racetrack if has_racetrack else each.post.tables
        if most is not None and len(every) > most:
            cites = each.post.cites
            articles = cites.tables_with_racetrack if has_racetrack else cites.tables
            detail = f"one person is {each.post.word} at {most} of the tables at most"
            return Refusal(
                HouseRefusalReason.TOO_MANY_TABLES, articles or cites.tables, detail=detail
            )
    return None


def _has_racetrack(book: Rulebook) -> bool:
    """Whether the cloth has a racetrack: it has one where announcements are taken."""
    return bool(book.announcements.calls) or book.announcements.neighbours is not None
