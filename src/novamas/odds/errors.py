"""What cannot be answered: a layout that no table would take, a question that is too large."""

from __future__ import annotations


class LayoutError(ValueError):
    """A layout that the house does not offer or would not let play, with the articles behind it."""

    def __init__(self, problem: str, articles: tuple[str, ...] = ()) -> None:
        self.problem = problem
        self.articles = articles
        cites = f" ({', '.join(articles)})" if articles else ""
        super().__init__(problem + cites)


class TooLargeError(ValueError):
    """A question whose exact answer needs more states or digits than can be had in seconds."""

    def __init__(self, problem: str, *, instead: str = "simulate it") -> None:
        self.problem = problem
        self.instead = instead
        super().__init__(f"{problem}; {instead}")
