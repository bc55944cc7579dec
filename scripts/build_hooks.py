"""What hatchling asks while it builds a package: the room must be there, and the page must hold.

The room, the screens that a house serves, is built from `ui` and is not in the repository. A wheel
without it would install and then serve nothing, so the build fails instead. The README is the page
of the package on an index, where its relative links and pictures lead nowhere; there the words of
a link stay and the pictures are left out.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

ROOM = Path("src", "novamas", "web", "room", "index.html")

_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_PICTURE = re.compile(
    r"<img\b[^>]*\bsrc=\"(?!https://)[^>]*>\n?|!\[[^\]]*\]\((?!https://)[^)]*\)\n?"
)
_LINK = re.compile(r"\[([^\]]*)\]\((?!https://|#)[^)]*\)")


class RoomIsMissingError(Exception):
    """The room has not been built."""


def check_room(root: Path) -> None:
    """Raises `RoomIsMissingError` if a package built from this folder would lack the room."""
    if not (root / ROOM).is_file():
        raise RoomIsMissingError(
            f"the package would lack the room that a house serves: {ROOM} is missing; "
            "run `make room` first, which builds it from ui with Node"
        )


def package_page(readme: str) -> str:
    r"""The README as it reads away from the repository.

    >>> print(package_page('See [the odds](docs/odds.md) and [the web](https://example.org).'))
    See the odds and [the web](https://example.org).
    >>> package_page('Above\n<img src="docs/a.svg" width="9">\nbelow')
    'Above\nbelow'
    """
    made: list[str] = []
    at = 0
    for fence in _FENCE.finditer(readme):
        made += [_away(readme[at : fence.start()]), fence[0]]
        at = fence.end()
    return re.sub(r"\n{3,}", "\n\n", "".join([*made, _away(readme[at:])]))


def _away(text: str) -> str:
    return _LINK.sub(r"\1", _PICTURE.sub("", text))


class Page(MetadataHookInterface):
    """Gives the package its page."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Sets the description of the package."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": package_page(text)}


class Room(BuildHookInterface):  # type: ignore[type-arg]
    """Refuses to build a package without the room."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002 - hatchling asks so
        """Checks the room, except for an editable installation, which has no files of its own."""
        if version != "editable":
            check_room(Path(self.root))
