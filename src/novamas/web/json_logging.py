"""JSON logging: what happens to a house, as one line of JSON each, for those who run it.

It tells of tables, stores and servers, and of no player. What could open a door does not get into
it: no token, no key, no password, no secret of a ball and no nonce.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FIELDS = ("table", "seq", "ms", "why", "session", "address", "store", "reference")
"""What a line may say besides its text. A field that is not listed is not written.

Of a session it is the mark alone: whose it is stands in the register, for those who may read that.
"""
HIDDEN = "…"
_QUERIES = re.compile(r"\b(token|key|password|secret|nonce)=[^&\s\"']+", re.IGNORECASE)
_BEARER = re.compile(r"\b(Bearer|Basic)\s+\S+")
_ADDRESSES = re.compile(r"(://[^\s:/@]+):[^\s@]+@")


def discreet(text: str) -> str:
    """A text without what could open a door.

    >>> discreet("GET /console?key=abc&x=1 of postgresql://ana:hush@db/house")
    'GET /console?key=…&x=1 of postgresql://ana:…@db/house'
    """
    text = _QUERIES.sub(rf"\1={HIDDEN}", text)
    text = _BEARER.sub(rf"\1 {HIDDEN}", text)
    return _ADDRESSES.sub(rf"\1:{HIDDEN}@", text)


class JsonLines(logging.Formatter):
    """A line of JSON for each thing that is told."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, whatever is told."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        told: dict[str, object] = {
            "at": f"{at}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "said": discreet(record.getMessage()),
        }
        for name in FIELDS:
            value = getattr(record, name, None)
            if value is not None:
                told[name] = discreet(value) if isinstance(value, str) else value
        if record.exc_info is not None and record.exc_info[0] is not None:
            told["error"] = discreet(self.formatException(record.exc_info))
        return json.dumps(told)  # In ASCII: nothing in it ends a line, for whoever reads it.


@contextmanager
def kept(path: str | None) -> Iterator[None]:
    """Keeps the log of the server while a house is served: in a file, or `-` on the standard error.

    Where nothing is said only warnings are told, on the standard error.
    """
    handler: logging.Handler
    if path is None or path == "-":
        handler = logging.StreamHandler(sys.stderr)
    else:
        Path(path).touch(mode=0o600)  # Whoever else may read it, its owner says so.
        handler = logging.FileHandler(Path(path), encoding="utf-8")
    handler.setFormatter(JsonLines())
    handler.setLevel(logging.WARNING if path is None else logging.INFO)
    root, ours = logging.getLogger(), logging.getLogger("novamas")
    before = ours.level
    root.addHandler(handler)
    ours.setLevel(logging.INFO)
    try:
        yield
    finally:
        ours.setLevel(before)
        root.removeHandler(handler)
        handler.close()
