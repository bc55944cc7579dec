"""R23: nobody alone mints.

Every way to credit a wallet or a purse without a won stake or money received needs two people. The
ways are read from the ledgers' own kinds of transfer: a new kind without a row here fails.
"""

from __future__ import annotations

from novamas.house.register.events import Post
from tests.web.accounts import Accounts, open_accounts, table_with_staff
from tests.web.door import run

FORTUNE = 5_000_000


async def staffed(accounts: Accounts) -> None:
    """A Bulgarian table with a wheel, whose croupier and inspector are people of the house."""
    await table_with_staff(accounts, "t", "bg")
    await accounts.known("croupier 1", Post.CROUPIER)
    await accounts.known("inspector 1", Post.CHIEF)
    await accounts.known("mule", Post.PLAYER)


@run
async def test_a_croupier_alone_puts_nothing_into_a_wallet() -> None:
    """The way in which a trial of the house made 5,000,000."""
    async with open_accounts() as accounts:
        await staffed(accounts)
        croupier = await accounts.signed("croupier 1", Post.CROUPIER)
        wrong = {"id": "w", "player": "mule", "amount": FORTUNE, "reason": "a stack"}
        async with accounts.listening("t", croupier) as alone:
            await alone.must("SeatPlayer", player="mule")
            await alone.give("RecordWrongPayment", **wrong)
            await alone.give("SeePlayerOff", player="mule")
        assert accounts.people.registry.register.has("mule") == 0
