"""Somebody at the post that sells chips, and their socket."""

from __future__ import annotations

from novamas.game.rulebook.behaviours import Act
from novamas.house.people.events import Post
from novamas.rulebooks import load
from novamas.table import commands
from tests.web.accounts import Accounts
from tests.web.door import Door, Socket


async def dealer(door: Door, rulebook: str, name: str = "vera", table: str = "t") -> str:
    """Puts somebody at the post that sells chips."""
    post = next(post for post in load(rulebook).posts.values() if Act.SELL_CHIPS in post.may)
    relieved = f"{post.name} 1"
    await door.must(table, commands.TakePost(by=name, post=post.name, relieves=relieved))
    return name


async def croupier(accounts: Accounts, rulebook: str, table: str = "t") -> Socket:
    """The socket of somebody who sells chips at a table."""
    name = await dealer(accounts, rulebook, table=table)
    await accounts.known(name, Post.CROUPIER)
    return accounts.listening(table, await accounts.signed(name, Post.CROUPIER))
