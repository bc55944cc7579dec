"""A house on a clock that a test moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from novamas.house.house import House


class PromptHouse(House):
    """A house whose store answers at once, so that only the clock decides when things happen.

    The writing thread of another house may be late on a busy machine: the clock would run ahead of
    the table, and how many steps a coup takes would depend on the load.
    """

    async def blocking(self, work: Callable[[], Any]) -> Any:
        """Runs it here and now."""
        return work()
