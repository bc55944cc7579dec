"""Players' own machines at a table in memory: what the client does over the wire, without one."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from novamas.house.table.actor import TableActor
from novamas.house.views import event_view
from novamas.table.commands import Command
from novamas.web.player_nonces import Nonces


class Machine:
    """A player's machine: it makes nonces, opens them, and notes down what it sees."""

    def __init__(self, actor: TableActor, player: str) -> None:
        self.actor = actor
        self.player = player
        self.nonces = Nonces(actor.house_table.table)
        self.opens = True
        """Whether it opens its nonces; a confederate's may have reasons not to."""
        self._seq = 0
        self._given = 0

    async def connect(self, *, resumed: bool = False) -> None:
        """Comes to the table; `resumed` if it is told what it missed since the last time."""
        shown = await self.actor.look(audience=event_view.Audience.PUBLIC, player=self.player)
        view = json.loads(msgspec.json.encode(shown))
        await self._give(self.nonces.connected(view, resumed=resumed))
        if resumed:
            await self.follow()
        self._seq = view["seq"]

    async def follow(self) -> None:
        """Takes in all that happened, and answers it."""
        while self._seq < self.actor.head.seq:
            seen, self._seq = self._seq, self.actor.head.seq
            for record in self.actor._store.read(self.actor.house_table.table, after=seen):
                shown = event_view.of_record(record, event_view.Audience.PUBLIC, self.player)
                await self._give(self.nonces.event(json.loads(shown)))

    async def _give(self, commands: Sequence[Command]) -> None:
        for command in commands:
            if type(command).__name__ == "OpenNonce" and not self.opens:
                continue
            self._given += 1
            id = f"{self.player} {self._given} {self.actor.head.seq}"
            await self.actor.submit(id, command)

    def proof(self) -> dict[str, Any]:
        """What it noted down, as it is saved."""
        saved: dict[str, Any] = json.loads(json.dumps(self.nonces.proof()))
        return saved


def told(actor: TableActor) -> list[dict[str, Any]]:
    """What the house tells everybody of a table."""
    records = actor._store.read(actor.house_table.table)
    return [json.loads(event_view.of_record(each, event_view.Audience.PUBLIC)) for each in records]
