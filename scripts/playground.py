"""A Sphinx extension: the playground beside its page, with Python and the game for the browser.

What the page needs is copied into the site, so that no other host is asked: the sources of
`playground/`, Pyodide from `playground/node_modules`, and the packages of the game in one archive.
"""

from __future__ import annotations

import json
import shutil
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from playground.answers import answer

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "playground"
PAGE = ("page.js", "show.js", "worker.js", "page.css", "words.json")
PYODIDE = SOURCES / "node_modules" / "pyodide"
RUNTIME = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)
"""The parts of Pyodide that a browser loads; no package is loaded besides."""
PACKAGES = ("api", "drawing", "game", "odds", "rulebooks", "table", "wording")
"""The packages that need the standard library alone, which is all that a browser has."""
REPORT = ("__init__.py", "messages.py", "settlement_report.py", "terminal.py", "words/*.py")
"""What the page says in the words of the command, of `novamas.cli`."""
NEVER = (1980, 1, 1, 0, 0, 0)
"""The same date for every file, so that the same sources give the same archive."""


def members() -> Iterator[tuple[str, Path]]:
    """The files of the archive: the name in it, and where the file is."""
    package = ROOT / "src" / "novamas"
    yield "answers.py", SOURCES / "answers.py"
    yield "novamas/__init__.py", package / "__init__.py"
    for name in PACKAGES:
        for path in (package / name).rglob("*"):
            if path.suffix in {".py", ".toml"}:
                yield f"novamas/{path.relative_to(package).as_posix()}", path
    for pattern in REPORT:
        for path in (package / "cli").glob(pattern):
            yield f"novamas/{path.relative_to(package).as_posix()}", path


def pack(archive: Path) -> None:
    """Writes the packages of the game into an archive."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, path in sorted(members()):
            about = zipfile.ZipInfo(name, NEVER)
            about.compress_type = zipfile.ZIP_DEFLATED
            about.external_attr = 0o644 << 16
            packed.writestr(about, path.read_bytes())


def lay_out(folder: Path) -> None:
    """Puts everything that the page loads into a folder."""
    missing = [name for name in RUNTIME if not (PYODIDE / name).is_file()]
    if missing:
        raise ExtensionError(
            f"the playground needs {', '.join(missing)} in {PYODIDE.relative_to(ROOT)}: "
            "run `scripts/site tools`, or `make docs`, which does"
        )
    (folder / "pyodide").mkdir(parents=True, exist_ok=True)
    for name in PAGE:
        shutil.copyfile(SOURCES / name, folder / name)
    for name in RUNTIME:
        there, here = folder / "pyodide" / name, PYODIDE / name
        if not there.is_file() or there.stat().st_mtime < here.stat().st_mtime:
            shutil.copy2(here, there)
    # The page can be written in before Python runs.
    houses = answer(json.dumps({"ask": "houses"}))
    (folder / "houses.json").write_text(houses, encoding="utf-8")
    pack(folder / "game.zip")


def _finish(app: Sphinx, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html":
        lay_out(Path(app.outdir) / "playground")


def setup(app: Sphinx) -> dict[str, bool]:
    """Lays the playground out when the pages are built."""
    app.connect("build-finished", _finish)
    return {"parallel_read_safe": True}


if __name__ == "__main__":
    lay_out(Path(sys.argv[1]))
