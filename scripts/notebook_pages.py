"""A Sphinx extension: a notebook as a page of the site, with what its cells show.

Its cells of text are Markdown as the other pages are. The notebook itself can be downloaded from
the page.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any

from myst_parser.parsers.sphinx_ import MystParser
from sphinx.application import Sphinx

Cell = Mapping[str, Any]


def as_markdown(notebook: Mapping[str, Any]) -> str:
    r"""The cells of a notebook as Markdown: text as it is, code, and below it what it shows.

    >>> result = {"data": {"text/plain": ["Fraction(1, 37)"]}}
    >>> code = {"cell_type": "code", "source": ["edge"], "outputs": [result]}
    >>> print(as_markdown({"cells": [{"cell_type": "markdown", "source": ["# Odds"]}, code]}))
    # Odds
    <BLANKLINE>
    ```python
    edge
    ```
    <BLANKLINE>
    ```text
    Fraction(1, 37)
    ```
    """
    return "\n\n".join(part for cell in notebook["cells"] for part in _parts(cell))


def _parts(cell: Cell) -> Iterator[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] != "code":
        yield source
        return
    yield f"```python\n{source}\n```"
    for output in cell.get("outputs", ()):
        # `scripts.notebooks` keeps texts alone: what was printed, and the last expression.
        shown = "".join(output.get("text") or output["data"]["text/plain"]).rstrip("\n")
        yield f"```text\n{shown}\n```"


class NotebookParser(MystParser):
    """Reads a notebook as a page."""

    supported = ("ipynb",)

    def parse(self, inputstring: str, document: Any) -> None:
        """Parses the notebook's Markdown into the document."""
        name = PurePath(str(document["source"])).name
        page = as_markdown(json.loads(inputstring))
        super().parse(f"{page}\n\n{{download}}`The notebook as a file <{name}>`\n", document)


def setup(app: Sphinx) -> dict[str, bool]:
    """Makes notebooks known to Sphinx."""
    app.setup_extension("myst_parser")
    app.add_source_suffix(".ipynb", "ipynb")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True}
