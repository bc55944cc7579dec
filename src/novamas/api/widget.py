"""Makes the notebook widget that shows coups one by one; the widget itself needs anywidget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias

from novamas.api.arguments import language_of
from novamas.api.coup import Coup
from novamas.api.records import Record
from novamas.api.table import Table
from novamas.game.arguments import shown as shown_value
from novamas.game.errors import MissingExtraError, UsageError, has_type
from novamas.wording.explain import Explanation

if TYPE_CHECKING:
    from novamas.api.widget_class import CoupsWidget

Played: TypeAlias = Table | Record | Sequence[Coup]
"""A table, a record, or coups."""


def widget(played: Played, *, language: str = "en") -> CoupsWidget:
    """A widget for a notebook: the cloth, the number and the articles of each coup.

    A slider goes from coup to coup; so do the arrow keys. Its `place` is the coup that is shown,
    from 0 on, and can be set or observed from Python. This needs the extra `notebook`.

    >>> import novamas as nv
    >>> table = nv.Table("es", players={"ana": 100})
    >>> coups = list(table.play("red:10", numbers=[0, 1]))
    >>> shown = nv.widget(table)
    >>> shown.place, shown.coups[0]["call"], shown.coups[1]["net"]
    (0, 'cero', [['ana', 10]])
    """
    coups = coups_of(played)
    spoken = language_of(language)
    if not coups:
        raise UsageError("played: expected at least one coup")
    try:
        from novamas.api.widget_class import CoupsWidget
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "novamas":
            raise
        raise MissingExtraError("widget", missing.name or "anywidget", "notebook") from None
    return CoupsWidget(coups=[shown(coup, spoken) for coup in coups])


def coups_of(played: Played) -> tuple[Coup, ...]:
    """The coups of a table or a record, or the coups themselves."""
    coups = played.coups if isinstance(played, Table | Record) else played
    if not has_type(coups, Iterable) or not all(has_type(each, Coup) for each in coups):
        raise UsageError(f"played: expected a Table, a Record or Coups, not {shown_value(played)}")
    return tuple(coups)


def shown(coup: Coup, language: str) -> dict[str, Any]:
    """A coup as the widget shows it: plain data, whose HTML was made here and is escaped."""
    return {
        "number": str(coup.pocket),
        "call": coup.call,
        "net": [[player, won] for player, won in coup.net.items()],
        "cloth": coup.cloth().svg(),
        "why": [_why(player, why) for player, why in coup.explanations(language=language)],
    }


def _why(player: str, why: Explanation) -> str:
    articles = "".join(
        f"<dt>{escape(each.id)}</dt><dd>{escape(why.summary(each))}</dd>" for each in why.articles
    )
    sentences = escape(" ".join(why.sentences))
    return f"<p><b>{escape(player)}</b> {sentences}</p><dl>{articles}</dl>"
