"""A console in a browser: how a member of the staff comes to a table."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.promises.running import Running
from tests.room.conftest import Visit
from tests.room.people import Visitor


def at_desk(visit: Visit, house: Running, console: str, table: str, **how: str) -> Visitor:
    """Somebody who opens a console with its link, and goes to a table."""
    visitor = visit(house, **how)
    page = visitor.go(f"/console?key={house.keys[console]}")
    page.get_by_role("button", name=re.compile(rf"^{table}\b")).click()
    expect(page.get_by_role("tab").first).to_be_visible()
    # The key is good once, and is in nobody's history.
    assert "key=" not in page.url
    return visitor
