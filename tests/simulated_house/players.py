"""Players of every kind: honest, slow, retrying, lying, and such as want in where they may not.

Honest ones use the client of the package. The others speak to the sockets by hand.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from random import Random
from typing import TYPE_CHECKING, Any, cast

import msgspec
from websockets.exceptions import ConnectionClosed

from novamas.house.ball import verify_ball
from novamas.house.people.events import Post
from novamas.house.table.commands import GiveTip
from novamas.house.views.event_view import Audience, of_record
from novamas.table import commands
from novamas.table.commands import Command
from novamas.web.client import Answered
from tests.simulated_house.actors import GONE, PATIENCE, Person
from tests.simulated_house.chance import chance_of
from tests.simulated_house.network import Wire

if TYPE_CHECKING:
    from tests.simulated_house.plan import Action
    from tests.simulated_house.world import World

NOT_THEIRS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("OpenBank", {"amount": 1000}),
    ("CreditBank", {"amount": 100}),
    ("CloseTable", {}),
    ("DrawBall", {}),
    ("CloseBetting", {}),
    ("Suspend", {}),
    ("RecordWrongPayment", {"id": "w", "player": "ana", "amount": 5000, "reason": "mine"}),
    ("SeePlayerOff", {"player": "ana"}),
    ("GrantException", {"player": "ana"}),
)
"""What no player may ask for."""


class Player(Person):
    """Somebody who plays, and may do all a client can do."""

    def __init__(self, world: World, name: str) -> None:
        super().__init__(world, name, Post.PLAYER)
        self._seated: set[str] = set()
        self._stakes: dict[str, list[str]] = {}
        self._used: dict[str, list[str]] = {}
        self._wires: dict[tuple[str, str], Wire] = {}
        self._readers: list[asyncio.Task[None]] = []

    async def act(self, action: Action) -> None:
        """Does what is planned, as far as the house lets them."""
        chance = chance_of(self.world.plan.seed, f"action {action.number}")
        with contextlib.suppress(*GONE):
            async with asyncio.timeout(PATIENCE):
                await getattr(self, action.do)(chance, **action.fields)

    async def _sit(self, table: str) -> None:
        if table in self._seated:
            return
        answered = await self._try(table, commands.Sit(by=self.name))
        if answered.is_accepted or answered.why == "already_seated":
            self._seated.add(table)
            await self._try(table, commands.BuyChips(by=self.name, player=self.name, amount=5_000))

    async def _try(self, table: str, command: Command) -> Answered:
        id = next(self._ids)
        answered = await self.give(table, command, id=id)
        if answered.is_accepted:
            self._used.setdefault(table, []).append(id)
        if answered.why == "not_seated":
            self._seated.discard(table)
        return answered

    # What honest people do ------------------------------------------------------------------

    async def stake(self, _: Random, *, table: str, on: str, staked: int) -> None:
        """Lays a stake."""
        await self._sit(table)
        id = f"b{next(self._ids)}"
        stake = commands.PlaceStake(by=self.name, id=id, player=self.name, on=on, amount=staked)
        self._stakes.setdefault(table, []).append(id)
        await self._try(table, stake)

    async def buy(self, _: Random, *, table: str, amount: int) -> None:
        """Buys chips."""
        await self._sit(table)
        bought = commands.BuyChips(by=self.name, player=self.name, amount=amount)
        await self._try(table, bought)

    async def tip(self, _: Random, *, table: str) -> None:
        """Gives a tip."""
        await self._sit(table)
        await self._try(table, GiveTip(by=self.name, amount=1))

    async def withdraw(self, chance: Random, *, table: str) -> None:
        """Takes a stake back."""
        if stakes := self._stakes.get(table):
            lifted = commands.WithdrawStake(by=self.name, id=chance.choice(stakes))
            await self._try(table, lifted)

    async def leave(self, _: Random, *, table: str) -> None:
        """Leaves the table with what they have."""
        answered = await self._try(table, commands.Leave(by=self.name))
        if answered.is_accepted:
            self._seated.discard(table)

    async def deposit(self, _: Random, *, table: str, amount: int) -> None:  # noqa: ARG002 - the desk's
        """Brings money to the cash desk."""
        cashier = self.world.cashier
        await cashier.have(cashier.hand_in(self.name, amount))

    async def payout(self, _: Random, *, table: str, amount: int) -> None:  # noqa: ARG002 - the desk's
        """Has money paid out."""
        cashier = self.world.cashier
        await cashier.have(cashier.pay_out(self.name, amount))

    def _wire(self, table: str) -> Wire | None:
        """The socket that the client uses at a table."""
        client = self.clients.get(table)
        return cast("Wire | None", client._socket) if client is not None else None

    # What bad luck does ---------------------------------------------------------------------

    async def cut(self, _: Random, *, table: str) -> None:
        """Loses the connection."""
        wire = self._wire(table)
        if wire is not None:
            wire.lose()

    async def vanish(self, _: Random, *, table: str) -> None:
        """Closes the page, and says nothing."""
        await self.drop(table)
        for address in [each.address for each in self.world.servers]:
            wire = self._wires.pop((address, table), None)
            if wire is not None:
                await wire.close()

    async def stall(self, _: Random, *, table: str, seconds: float) -> None:
        """Takes nothing for a while."""
        wire = self._wire(table)
        if wire is not None:
            wire.takes = False
            await asyncio.sleep(seconds)
            wire.takes = True
            wire._taken()

    async def suspend(self, _: Random, *, table: str, seconds: float) -> None:
        """Has the chief suspend play for a while."""
        chief = self.world.chief
        suspend = commands.Suspend(by=chief.name, reason="a look")
        await chief.have(chief.give(table, suspend))
        await asyncio.sleep(seconds)
        resume = commands.Resume(by=chief.name, reason="all is well")
        await chief.have(chief.give(table, resume))

    async def revoke(self, _: Random, *, table: str) -> None:  # noqa: ARG002 - all of them
        """Is signed out by the chief, everywhere."""
        chief = self.world.chief
        await chief.have(chief.ask("DELETE", f"/api/people/{self.name}/sessions?reason=a+look"))

    # What others do -------------------------------------------------------------------------

    async def retry(self, chance: Random, *, table: str, on: str, staked: int) -> None:
        """Sends one stake several times, wherever the table may be."""
        await self._sit(table)
        id = next(self._ids)
        fields = {"id": f"b{id}", "player": self.name, "on": on, "amount": staked}
        self._stakes.setdefault(table, []).append(f"b{id}")
        await self._everywhere(chance, table, id, "PlaceStake", fields)

    async def double(self, chance: Random, *, table: str, amount: int, seconds: float) -> None:
        """Buys chips under one id of every server that still listens, old ones too; and again."""
        await self._sit(table)
        fields = {"player": self.name, "amount": amount}
        until = self.world.loop.time() + seconds
        while self.world.loop.time() < until:
            await self._everywhere(chance, table, next(self._ids), "BuyChips", fields)
            await asyncio.sleep(chance.uniform(0.1, 0.4))

    async def _everywhere(
        self, chance: Random, table: str, id: str, do: str, fields: dict[str, Any]
    ) -> None:
        for server in self.world.servers:
            await self._plug(server.address, table)
        message = json.dumps({"id": id, "do": do, "with": fields})
        for _ in range(chance.randint(1, 2)):
            for wire in tuple(self._wires.values()):
                with contextlib.suppress(ConnectionClosed):
                    await wire.send(message)
            await asyncio.sleep(chance.uniform(0.0, 0.05))

    async def _plug(self, address: str, table: str) -> None:
        """A socket of one's own that is kept for as long as the server keeps it."""
        wire = self._wires.get((address, table))
        if wire is not None and wire.close_code is None and not wire._is_lost:
            return
        headers = {"Authorization": f"Bearer {self.token}"}
        url = f"{address.replace('http', 'ws', 1)}/api/tables/{table}/socket"
        with contextlib.suppress(OSError):
            self._wires[address, table] = wire = await self.world.network.connect(
                url, additional_headers=headers
            )
            await asyncio.sleep(0.03)
            # Whoever takes nothing is not closed before the house has lost its patience.
            wire.takes, wire.buffer = False, 0

    async def lie(
        self, chance: Random, *, table: str, amount: int, on: str, staked: int, way: int
    ) -> None:
        """Sends another command under an id that was used."""
        await self._sit(table)
        used = self._used.get(table)
        if not used:
            return
        lies: list[Command] = [
            commands.BuyChips(by=self.name, player=self.name, amount=amount),
            commands.PlaceStake(
                by=self.name, id=f"l{next(self._ids)}", player=self.name, on=on, amount=staked
            ),
            GiveTip(by=self.name, amount=1 + way),
            commands.Leave(by=self.name),
        ]
        await self.give(table, lies[way % len(lies)], id=chance.choice(used))

    async def steal(self, chance: Random, *, table: str) -> None:
        """Sends a command under an id of somebody else's."""
        others = [each for each in self.world.players if each is not self]
        used = chance.choice(others)._used.get(table) if others else None
        if used:
            await self._sit(table)
            await self.give(table, GiveTip(by=self.name, amount=1), id=chance.choice(used))

    async def forbidden(self, _: Random, *, table: str, on: str, staked: int, way: int) -> None:
        """Asks for what is not theirs to ask for."""
        await self._sit(table)
        victim = self.world.players[way % len(self.world.players)].name
        others: list[tuple[str, dict[str, Any]]] = [
            *NOT_THEIRS,
            ("BuyChips", {"player": self.name, "amount": staked, "cash": True}),
            ("ClaimCustody", {"player": victim}),
        ]
        if victim != self.name:
            laid = {"id": f"f{next(self._ids)}", "player": victim, "on": on, "amount": staked}
            others.append(("PlaceStake", laid))
        do, fields = others[way % len(others)]
        await self._say(table, next(self._ids), do, fields)

    async def garbage(self, chance: Random, *, table: str, way: int) -> None:
        """Says what nobody understands."""
        await self.client(table)
        wire = self._wire(table)
        if wire is None:
            return
        said = ("{", "[]", '{"id":1}', '{"id":"x","do":"Nothing"}', "\x00", "[" * 2000)
        await wire.send(said[way % len(said)])
        await wire.send(json.dumps({"id": "", "do": "Sit", "with": {"by": "chief"}}))
        await asyncio.sleep(chance.uniform(0.0, 0.1))

    async def _say(self, table: str, id: str, do: str, fields: dict[str, Any]) -> None:
        await self.client(table)
        wire = self._wire(table)
        if wire is not None:
            await wire.send(json.dumps({"id": id, "do": do, "with": fields}))

    # The end --------------------------------------------------------------------------------

    async def go(self) -> None:
        """Leaves every table, however long it takes."""
        for wire in self._wires.values():
            await wire.close()
        self._wires.clear()
        for table in self.world.plan.tables:
            await self._leave(table)

    async def _leave(self, table: str) -> None:
        while True:
            with contextlib.suppress(*GONE):
                async with asyncio.timeout(PATIENCE):
                    answered = await self.give(table, commands.Leave(by=self.name))
                    if answered.is_accepted or answered.why == "not_seated":
                        break
                    for stake in self._stakes.pop(table, ()):
                        await self.give(table, commands.WithdrawStake(by=self.name, id=stake))
            await asyncio.sleep(1.0)

    async def forget(self) -> None:
        """The house was restored: what was so before is not so any more."""
        for wire in self._wires.values():
            await wire.close()
        self._wires.clear()
        for table in tuple(self.clients):
            await self.drop(table)
        self._seated.clear()
        self._stakes.clear()
        self._used.clear()

    def check_proofs(self) -> None:
        """Every ball that this player saw is the one that was committed to."""
        medium, checks = self.world.medium, self.world.checks
        proofs = self.proofs + [
            client.nonces.proof() for client in self.clients.values() if client.nonces
        ]
        for proof in proofs:
            table = proof["table"]
            if self.world.plan.tables[table][1] != "drawn":
                continue
            events = [
                msgspec.json.decode(of_record(record, Audience.PUBLIC, self.name))
                for record in medium.read(table)
            ]
            found = verify_ball.verdict(proof, events, table)
            sent = {
                note["data"]["spin"]: note["data"]["nonce"]
                for note in proof["notes"]
                if note["type"] == "Opening"
            }
            for problem, spin in found["problems"]:
                is_own = problem == "dropped_nonce" and spin in sent
                late = checks.was_late(table, self.name, spin, sent.get(spin, ""))
                if is_own and (late or self.world.is_troubled):
                    continue  # The verifier cannot know how long it was on its way.
                checks.wrong("ball", f"{self.name} at {table}: {problem} of spin {spin}")
            checks.counts["balls verified"] += found["spins"]
        self.proofs.clear()
