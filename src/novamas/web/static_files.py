"""Static files of the built room: one page for every address, and its assets.

All files are read when the application is created, and looked up by their whole names, so path
traversal is impossible.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import NamedTuple

from fastapi.responses import Response

BUILT = Path(__file__).with_name("room")
"""The folder of the built room."""
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
"""The file types of a room; no other is served."""
POLICY = (
    "default-src 'none'; script-src 'self'; "
    # A chip's position on the cloth is an inline style.
    "style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of a page: only files of this server, and no inline scripts."""
FOR_EVER = "public, max-age=31536000, immutable"
_HASHED = re.compile(r"-[A-Za-z0-9_-]{8}\.\w+$")
"""A name with the hash of its content, which never changes."""
_TITLE = re.compile(rb"<title>[^<]*</title>")


class Screen(NamedTuple):
    """A file of the room."""

    body: bytes
    kind: str
    keeps: bool
    """Whether a browser may cache it forever."""


class Preview(NamedTuple):
    """The preview of a page: what a messenger shows of a link to it."""

    title: str
    description: str
    image: str = ""
    """The whole address of a picture, if there is one."""

    def head(self) -> str:
        """The title and the meta tags from which programs make the preview of a link."""
        title, description = escape(self.title), escape(self.description)
        image = (
            f'<meta property="og:image" content="{escape(self.image)}">'
            '<meta property="og:image:type" content="image/png">'
            '<meta name="twitter:card" content="summary_large_image">'
        )
        return (
            f"<title>{title}</title>"
            f'<meta name="description" content="{description}">'
            f'<meta property="og:title" content="{title}">'
            f'<meta property="og:description" content="{description}">'
            '<meta property="og:type" content="website">'
            f"{image if self.image else ''}"
        )


class StaticFiles:
    """The files of a built room."""

    def __init__(self, files: dict[str, Screen]) -> None:
        self._files = files

    @classmethod
    def built(cls, folder: Path) -> StaticFiles | None:
        """The room in a folder, or None if it has not been built."""
        if not (folder / INDEX).is_file():
            return None
        files = {}
        for path in folder.rglob("*"):
            kind = KINDS.get(path.suffix)
            if kind is not None and path.is_file():
                name = path.relative_to(folder).as_posix()
                files[name] = Screen(path.read_bytes(), kind, bool(_HASHED.search(name)))
        return cls(files)

    def page(self, status: int = 200, *, preview: Preview | None = None) -> Response:
        """The single page of all screens, with the tags of a preview if one is given."""
        index = self._files[INDEX]
        if preview is not None:
            # A function, because the text of a replacement may not be read as a pattern.
            head = preview.head().encode()
            index = index._replace(body=_TITLE.sub(lambda _: head, index.body, count=1))
        return self._answer(index, status)

    def file(self, name: str) -> Response | None:
        """A file that the page loads; None if there is no such file."""
        found = self._files.get(name)
        return None if found is None else self._answer(found)

    def _answer(self, screen: Screen, status: int = 200) -> Response:
        headers = {"Content-Security-Policy": POLICY}
        if screen.keeps:
            headers["Cache-Control"] = FOR_EVER
        return Response(screen.body, status, headers, media_type=screen.kind)
