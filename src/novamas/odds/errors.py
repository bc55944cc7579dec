"""Errors: a layout that no table would take, or a question that is too large."""

from __future__ import annotations

from novamas.game.errors import NovamasError


class LayoutError(NovamasError, ValueError):
    """A layout that the house does not offer or would not let play, with the articles behind it.

    >>> import novamas as nv
    >>> try:
    ...     nv.odds("bg", "d1+d2:10")
    ... except nv.LayoutError as error:
    ...     print(error)
    bg does not offer d1+d2 (BG-16, AMB-BG-06)
    """

    def __init__(self, problem: str, articles: tuple[str, ...] = ()) -> None:
        self.problem = problem
        self.articles = articles
        cites = f" ({', '.join(articles)})" if articles else ""
        super().__init__(problem + cites)


class TooLargeError(NovamasError, ValueError):
    """The exact answer needs more states or digits than can be computed in seconds.

    >>> import novamas as nv
    >>> print(nv.TooLargeError("the exact law of 10000000 coups has too many digits"))
    the exact law of 10000000 coups has too many digits; simulate it
    """

    def __init__(self, problem: str, *, instead: str = "simulate it") -> None:
        self.problem = problem
        self.instead = instead
        super().__init__(f"{problem}; {instead}")
