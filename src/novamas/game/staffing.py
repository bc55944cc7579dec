"""Staffing: which posts must be held at a table, and which of them are missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from novamas.game.rulebook.model import Post, Rulebook


class Requirement(NamedTuple):
    """A number of people who must hold one of these posts."""

    posts: tuple[str, ...]
    at_least: int
    word: str
    """What is required, in the house's words."""
    articles: tuple[str, ...]

    def short(self, held: Mapping[str, int]) -> int:
        """How many people are missing."""
        return max(0, self.at_least - sum(held.get(post, 0) for post in self.posts))


def requirements(book: Rulebook, *, double: bool = False) -> Iterator[Requirement]:
    """What the book requires: each post by itself, then the posts that count together."""
    for post in book.posts.values():
        cites = (double and post.cites.double_at_least) or post.cites.at_least
        least = post.double_at_least if double else post.at_least
        yield Requirement((post.name,), least, post.word, cites)
    for group in book.staffing:
        words = ", ".join(book.posts[post].word for post in group.posts)
        yield Requirement(
            group.posts, group.at_least, f"{group.at_least} of: {words}", group.cites.at_least
        )


def unmet(book: Rulebook, held: Mapping[str, int], *, double: bool = False) -> Requirement | None:
    """The first requirement that the staff does not meet; `held` counts the people at each post."""
    return next((each for each in requirements(book, double=double) if each.short(held)), None)


def most(post: Post, *, double: bool) -> int:
    """How many people may hold a post."""
    return post.double_at_most if double else post.at_most


def missing(book: Rulebook, held: Mapping[str, int], *, double: bool = False) -> list[str]:
    """The posts to fill, one name for each person, so that the table has its minimum staff.

    `double` says that it is a double table.

    >>> from novamas.rulebooks import load
    >>> missing(load("es"), {})
    ['chief', 'croupier', 'croupier']
    >>> missing(load("es"), {"chief": 1, "croupier": 1, "end": 1})
    []
    """
    counted = dict(held)
    wanted: list[str] = []
    for each in requirements(book, double=double):
        for post in each.posts:
            free = most(book.posts[post], double=double) - counted.get(post, 0)
            taken = min(free, each.short(counted))
            wanted += [post] * taken
            counted[post] = counted.get(post, 0) + taken
    return wanted
