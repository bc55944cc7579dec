"""Runs the notebooks of docs/notebooks, and writes what their cells show into them.

    python -m scripts.notebooks

A notebook is read as JSON and its cells of code are run in order, in one namespace and without a
kernel. What a cell prints and the text of its last expression are kept; pictures are left out,
because a notebook draws them anew.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

NOTEBOOKS = Path(__file__).parents[1] / "docs" / "notebooks"


def run(notebook: dict[str, Any], name: str) -> dict[str, Any]:
    """The notebook with the outputs of its cells."""
    names: dict[str, Any] = {"__name__": name}
    cells = []
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            cells.append(cell)
            continue
        count += 1
        outputs = run_cell("".join(cell["source"]), names, f"{name}[{count}]", count)
        cells.append({**cell, "execution_count": count, "outputs": outputs})
    return {**notebook, "cells": cells}


def run_cell(source: str, names: dict[str, Any], where: str, count: int) -> list[dict[str, Any]]:
    """What a cell shows: what it prints, and the text of its last expression."""
    tree = ast.parse(source, where)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        # The cells are the project's own examples.
        exec(compile(tree, where, "exec"), names)  # noqa: S102 # nosec B102
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), where, "eval"), names)  # noqa: S307 # nosec B307
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        outputs.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        outputs.append(
            {
                "output_type": "execute_result",
                "execution_count": count,
                "metadata": {},
                "data": {"text/plain": repr(value).splitlines(keepends=True)},
            }
        )
    return outputs


def written(notebook: dict[str, Any]) -> str:
    """The notebook as it is stored."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Runs every notebook and writes it anew."""
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        path.write_text(written(run(notebook, path.stem)), encoding="utf-8")


if __name__ == "__main__":
    main()
