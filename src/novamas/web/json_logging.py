"""JSON logging for operators: one line of JSON for each event of a server.

It covers tables, stores and servers, but no players. Secrets are never written: no token, key,
password, seed or nonce.
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
"""The fields that a line may have besides its text; other fields are not written.

A session appears only as its mark; the register says whose it is.
"""
HIDDEN = "…"
_QUERIES = re.compile(r"\b(token|key|password|secret|nonce)=[^&\s\"']+", re.IGNORECASE)
_BEARER = re.compile(r"\b(Bearer|Basic)\s+\S+")
_ADDRESSES = re.compile(r"(://[^\s:/@]+):[^\s@]+@")


def discreet(text: str) -> str:
    """Removes secrets from a text.

    >>> discreet("GET /console?key=abc&x=1 of postgresql://ana:hush@db/house")
    'GET /console?key=…&x=1 of postgresql://ana:…@db/house'
    """
    text = _QUERIES.sub(rf"\1={HIDDEN}", text)
    text = _BEARER.sub(rf"\1 {HIDDEN}", text)
    return _ADDRESSES.sub(rf"\1:{HIDDEN}@", text)


class JsonLines(logging.Formatter):
    """Formats each record as a line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Formats a record as one line."""
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        entry: dict[str, object] = {
            "at": f"{at}.{int(record.msecs):03}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "said": discreet(record.getMessage()),
        }
        for name in FIELDS:
            value = getattr(record, name, None)
            if value is not None:
                entry[name] = discreet(value) if isinstance(value, str) else value
        if record.exc_info is not None and record.exc_info[0] is not None:
            entry["error"] = discreet(self.formatException(record.exc_info))
        return json.dumps(entry)  # ASCII, so that no character in it can end the line.


@contextmanager
def kept(path: str | None) -> Iterator[None]:
    """Writes the server's log while a house is served: to a file, or to the standard error for `-`.

    Without a path, only warnings are written, to the standard error.
    """
    handler: logging.Handler
    if path is None or path == "-":
        handler = logging.StreamHandler(sys.stderr)
    else:
        Path(path).touch(mode=0o600)  # Only its owner may read it, unless they change that.
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
