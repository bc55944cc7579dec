"""Static files: the room as it was built, one page for every address, and what it loads.

All files are read when the application is made, and looked up by their whole names: nothing else
can be asked for, whatever a path looks like.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from fastapi.responses import Response

BUILT = Path(__file__).with_name("room")
"""Where the room is built to."""
INDEX = "index.html"
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""The kinds of files of which a room is made; no other is served."""
POLICY = (
    "default-src 'none'; script-src 'self'; "
    # A chip's place on the cloth is a style of its own.
    "style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What a page may load and run: what this house serves, and no script that is written into it."""
FOR_EVER = "public, max-age=31536000, immutable"
_HASHED = re.compile(r"-[A-Za-z0-9_-]{8}\.\w+$")
"""A name with the hash of its content: what it names never changes."""


class Screen(NamedTuple):
    """A file of the room."""

    body: bytes
    kind: str
    keeps: bool
    """Whether a browser may keep it for good."""


class StaticFiles:
    """The files of a room that was built."""

    def __init__(self, files: dict[str, Screen]) -> None:
        self._files = files

    @classmethod
    def built(cls, folder: Path) -> StaticFiles | None:
        """The room in a folder, or None where it has not been built."""
        if not (folder / INDEX).is_file():
            return None
        files = {}
        for path in folder.rglob("*"):
            kind = KINDS.get(path.suffix)
            if kind is not None and path.is_file():
                name = path.relative_to(folder).as_posix()
                files[name] = Screen(path.read_bytes(), kind, bool(_HASHED.search(name)))
        return cls(files)

    def page(self) -> Response:
        """The page from which every screen is drawn."""
        return self._answer(self._files[INDEX])

    def file(self, name: str) -> Response | None:
        """What the page loads; None if there is no such file."""
        found = self._files.get(name)
        return None if found is None else self._answer(found)

    def _answer(self, screen: Screen) -> Response:
        headers = {"Content-Security-Policy": POLICY}
        if screen.keeps:
            headers["Cache-Control"] = FOR_EVER
        return Response(screen.body, media_type=screen.kind, headers=headers)
