"""Reads a rulebook from text, and shows it in one line or as a table in a notebook."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

from novamas.game.arguments import instance
from novamas.game.errors import UsageError, has_type
from novamas.game.languages import ENGLISH

if TYPE_CHECKING:
    from novamas.game.rulebook.model import Article, Rulebook


class ShownRulebook:
    """The part of a rulebook that reads it from text and shows it."""

    __slots__ = ()

    id: str
    language: str
    title: Mapping[str, str]
    articles: Mapping[str, Article]

    @staticmethod
    def from_toml(text: str, *, name: str = "rulebook") -> Rulebook:
        """Reads a rulebook from TOML text; `name` stands for the file in error messages.

        >>> import novamas as nv
        >>> nv.Rulebook.from_toml("id = 3")
        Traceback (most recent call last):
        novamas.game.rulebook.toml_section.RulebookError: rulebook: language: missing
        """
        from novamas.game.rulebook.reader import read_rulebook

        if not has_type(text, str):
            given = type(text).__name__
            raise UsageError(f"text: expected the TOML text of a rulebook, not {given}")
        return read_rulebook(text, file=instance(name, str, argument="name"))

    @property
    def name(self) -> str:
        """The name of the house in English, or in its own language if it has no English one."""
        return self.title.get(ENGLISH) or self.title.get(self.language) or self.id

    def __repr__(self) -> str:
        return f"<Rulebook {self.id}: {self.name}, {len(self.articles)} articles>"

    def _repr_html_(self) -> str:
        rows = (
            f"<tr><td>{escape(article.id)}</td>"
            f"<td>{escape(article.summary.get(ENGLISH, ''))}</td></tr>"
            for article in self.articles.values()
        )
        head = f"<caption>{escape(self.name)} ({escape(self.id)})</caption>"
        return f"<table>{head}<tr><th>article</th><th>summary</th></tr>{''.join(rows)}</table>"
