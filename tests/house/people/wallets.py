"""What a player has in their wallet and at the table."""

from __future__ import annotations

from tests.web.door import Door

MONEY = 1_000


def wallet_and_table(door: Door) -> tuple[int, int]:
    """What ana has in her wallet, and at the table."""
    player = door.house.tables["t"].house_table.state.players.get("ana")
    return door.people.registry.register.has("ana"), player.purse if player is not None else 0
