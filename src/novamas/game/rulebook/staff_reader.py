"""Reads the staff of a rulebook: its posts, and which posts count together."""

from __future__ import annotations

from novamas.game.rulebook import behaviours
from novamas.game.rulebook import model as book
from novamas.game.rulebook.citations import PostCites, StaffingCites
from novamas.game.rulebook.model import Rulebook
from novamas.game.rulebook.toml_section import RulebookError, Section


def read_posts(section: Section) -> dict[str, book.Post]:
    """The posts by their names."""
    posts: dict[str, book.Post] = {}
    for name in section.keys():
        part = section.section(name)
        least = part.integer("at_least", least=0)
        most = part.integer("at_most", least=least)
        double = part.whole_or_none("double_at_least", least=0)
        double = least if double is None else double
        double_most = part.whole_or_none("double_at_most", least=0)
        double_most = max(most, double) if double_most is None else double_most
        if double_most < double:
            raise part.error("double_at_most", f"expected at least {double}, as double_at_least")
        if not most and not double_most:
            raise part.error("at_most", "expected at least 1 at one kind of table")
        tables = part.whole_or_none("tables", least=1)
        posts[name] = book.Post(
            name=name,
            word=part.text("word"),
            at_least=least,
            at_most=most,
            double_at_least=double,
            double_at_most=double_most,
            tables=tables,
            tables_with_racetrack=part.whole_or_none("tables_with_racetrack", least=1) or tables,
            may=frozenset(part.many("may", behaviours.Act, least=1)),
            rotates=part.flag("rotates", default=False),
            touches_chips=part.flag("touches_chips", default=True),
            watches=part.flag("watches", default=False),
            zone=part.flag("zone", default=False),
            cites=part.citing(PostCites, dict.fromkeys(behaviours.Act, False), name=behaviours.Act),
        )
        _check_hands(part, posts[name])
        part.done()
    section.done()
    return posts


def _check_hands(section: Section, post: book.Post) -> None:
    if not post.touches_chips and post.may & behaviours.CHIP_ACTS:
        acts = ", ".join(sorted(post.may & behaviours.CHIP_ACTS))
        raise section.error("may", f"a post that touches no chips cannot be given: {acts}")


def read_staffing(section: Section) -> tuple[book.Staffing, ...]:
    """The groups of posts that count together."""
    groups: list[book.Staffing] = []
    for name in section.keys():
        part = section.section(name)
        groups.append(
            book.Staffing(
                name=name,
                posts=part.texts("posts"),
                at_least=part.integer("at_least", least=1),
                cites=part.citing(StaffingCites),
            )
        )
        part.done()
    section.done()
    return tuple(groups)


def check_staff(found: Rulebook, *, file: str) -> None:
    """Checks that the sections on the staff agree with each other."""
    for group in found.staffing:
        where = f"[staffing.{group.name}]"
        twice = len(set(group.posts)) < len(group.posts)
        unknown = set(group.posts) - found.posts.keys()
        if len(group.posts) < 2 or twice or unknown:
            known = ", ".join(found.posts)
            problem = f"expected two or more of, each once: {known}"
            raise RulebookError(file, f"{where} posts", problem)
        most = sum(found.posts[post].at_most for post in group.posts)
        if group.at_least > most:
            problem = f"the posts take {most} people at most, found {group.at_least}"
            raise RulebookError(file, f"{where} at_least", problem)
