"""Failures: what users see of a failure, and what the server logs of it.

A failure of the store names files, addresses and drivers. Operators need that; nobody else does. So
everybody sees one sentence with a reference; the server logs the rest under it.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from collections import OrderedDict
from typing import Final

from novamas.house.clock import monotonic

log = logging.getLogger(__name__)

STORE_FAILED: Final = "the store failed"
HOUSE_FAILED: Final = "the house failed"
LOGGED_AGAIN: Final = 60.0
"""Seconds after which the server logs the same failure again, if it still occurs."""
REMEMBERED: Final = 100
_SALT = secrets.token_bytes(16)
_logged: OrderedDict[str, float] = OrderedDict()


def reported(said: str, problem: BaseException | str) -> str:
    """A sentence for everybody, with the reference under which the server logs the problem.

    The same problem has the same reference as long as the house runs, and the reference reveals
    nothing about the problem.
    """
    detail = problem if isinstance(problem, str) else f"{type(problem).__name__}: {problem}"
    reference = hashlib.blake2s(detail.encode(errors="replace"), key=_SALT, digest_size=4)
    name = reference.hexdigest()
    now = monotonic()
    if now - _logged.get(name, -LOGGED_AGAIN) >= LOGGED_AGAIN:
        _logged[name] = now
        _logged.move_to_end(name)
        while len(_logged) > REMEMBERED:
            _logged.popitem(last=False)
        log.warning(said, extra={"why": detail, "reference": name})
    return f"{said} (reference {name})"
