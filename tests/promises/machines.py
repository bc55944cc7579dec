"""Players' own machines at a table in memory: what the client does over the wire, without one."""

import json
from collections.abc import Sequence
from typing import Any

from novamas.house import views
from novamas.house.actor import TableActor
from novamas.table.commands import Command
from novamas.web.nonces import Nonces


class Machine:
    """A player's machine: it makes nonces, opens them, and notes down what it sees."""

    def __init__(self, actor: TableActor, player: str) -> None:
        self.actor = actor
        self.player = player
        self.nonces = Nonces(actor.hall.table)
        self.opens = True
        """Whether it opens its nonces; a confederate's may have reasons not to."""
        self._seq = 0
        self._given = 0

    async def connect(self, *, resumed: bool = False) -> None:
        """Comes to the table; `resumed` if it is told what it missed since the last time."""
        shown = await self.actor.look(audience=views.Audience.PUBLIC, player=self.player)
        view = json.loads(json.dumps(shown))
        await self._give(self.nonces.connected(view, resumed=resumed))
        if resumed:
            await self.follow()
        self._seq = view["seq"]

    async def follow(self) -> None:
        """Takes in all that happened, and answers it."""
        while self._seq < self.actor.head.seq:
            seen, self._seq = self._seq, self.actor.head.seq
            for record in self.actor._store.read(self.actor.hall.table, after=seen):
                shown = views.of_record(record, views.Audience.PUBLIC, self.player)
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
    records = actor._store.read(actor.hall.table)
    return [json.loads(views.of_record(each, views.Audience.PUBLIC)) for each in records]
