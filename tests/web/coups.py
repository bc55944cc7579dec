"""A coup that is played behind an open door: players sit, lay their stakes, and the ball falls."""

from __future__ import annotations

from novamas.table import commands
from tests.web.door import Door


async def seat(door: Door, *players: str, seller: str = "croupier 1") -> None:
    for player in players:
        await door.must("t", commands.Sit(by=player))
        await door.must("t", commands.BuyChips(by=seller, player=player, amount=10_000))


async def lay(door: Door, player: str, **stakes: int) -> None:
    """Lays a player's stakes: spot → amount; ids are the player's name and the spot."""
    for spot, amount in stakes.items():
        on = spot.lstrip("n").replace("_", "/")
        stake = commands.PlaceStake(
            by=player, id=f"{player}-{on}", player=player, on=on, amount=amount
        )
        await door.must("t", stake)


async def spin(door: Door, number: int, *, until: str = "end", by: str = "croupier 1") -> None:
    """Plays a coup up to the call, or to its end."""
    await door.must("t", commands.LaunchBall(by=by))
    await door.must("t", commands.CloseBetting(by=by))
    await door.must("t", commands.PocketBall(by=by, number=number))
    await door.must("t", commands.CallNumber(by=by))
    if until == "end":
        await door.must("t", commands.CollectLosers(by=by))
        if door.house.tables["t"].house_table.state.due:
            await door.must("t", commands.PayWinners(by=by))
