"""A house with a table, somebody at every post, and a request for every route."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from novamas.house.people import approvals
from novamas.house.people.events import ActForTwo, ApprovalRequested, Post
from tests.web.accounts import Accounts, open_accounts, table_with_staff

NAMES = {post: f"the {post}" for post in Post if post is not Post.MANAGEMENT} | {
    Post.MANAGEMENT: "director"
}
WAITING = ApprovalRequested(
    id="bg",
    act=ActForTwo.CREDIT_DESK,
    by=NAMES[Post.CASHIER],
    subject="zoe",
    details={"amount": 2_000_000},
    reason="a suitcase",
    expires=0,
)
"""What waits for a second person in the house of these tests."""


@asynccontextmanager
async def opened(**more: Any) -> AsyncIterator[Accounts]:
    """A house with a table, and somebody at every post."""
    async with open_accounts(attended=False, **more) as accounts:
        await table_with_staff(accounts)
        for post, name in NAMES.items():
            await accounts.known(name, post, money=50_000 if post is Post.PLAYER else 0)
        await accounts.known("zoe", Post.PLAYER, money=500)
        await accounts.enrol("zoe")
        await accounts.people.registry.do(lambda r, now: approvals.request(r, WAITING, now=now))
        yield accounts


def address(row: str) -> tuple[str, str]:
    """A request for a route, of a table and a person that are there."""
    method, _, path = row.partition(" ")
    named = {
        "{table}": "t",
        "{coup}": "1",
        "{name}": "zoe",
        "{id}": "bg",
        "{other}": "es",
        "{one}": "fr",
        "{house}": "it",
        "{name:path}": "index.html",
        "{factor}": f"app of {NAMES[Post.PLAYER]}",
    }
    return method, re.sub(r"\{[^}]+\}", lambda found: named[found[0]], path)
