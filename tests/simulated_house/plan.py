"""What happens in a world: settings and actions, all of it drawn from the seed before it begins.

Each seed allows some kinds of trouble and not others (swarm testing), so that one kind does not
hide what another would find. A plan can be cut down to some of its actions: that is how a failing
seed is shrunk.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from random import Random
from typing import Any, NamedTuple

from novamas.rulebooks import HOUSES
from tests.simulated_house.chance import chance_of

PLAYS = ("stake", "stake", "stake", "buy", "tip", "withdraw", "leave", "deposit", "payout")
"""What honest people do."""
TROUBLE = (
    "cut",
    "vanish",
    "stall",
    "retry",
    "double",
    "lie",
    "steal",
    "forbidden",
    "garbage",
    "suspend",
    "revoke",
)
"""What clients do to a house, by bad luck or on purpose."""
FAULTS = ("crash", "pause", "term", "part", "store", "slow", "torn", "clock", "restore")
"""What happens to servers."""
CHIP = 100
SPOTS = ("red", "black", "17", "0", "even", "1-18")


class Action(NamedTuple):
    """Something that somebody does, or that happens to a server."""

    number: int
    at: float
    do: str
    who: str
    """A player or a server."""
    fields: dict[str, Any]

    def __str__(self) -> str:
        told = " ".join(f"{name}={value}" for name, value in self.fields.items())
        return f"{self.number:3} {self.at:6.2f} s  {self.who} {self.do} {told}".rstrip()


@dataclass(frozen=True)
class Plan:
    """A world before it begins."""

    seed: int
    servers: tuple[str, ...]
    players: tuple[str, ...]
    tables: dict[str, tuple[str, str]]
    """Table → its rulebook and its ball."""
    seconds: float
    interleaves: float
    actions: tuple[Action, ...] = ()

    def only(self, kept: Collection[int]) -> Plan:
        """The same world with some of its actions."""
        return replace(self, actions=tuple(each for each in self.actions if each.number in kept))


def plan_of(seed: int) -> Plan:
    """The plan of a seed."""
    chance = chance_of(seed, "plan")
    servers = tuple(f"s{number}" for number in range(1, chance.choice((3, 3, 4))))
    players = tuple(("ana", "luis", "eva", "ivo")[: chance.randint(2, 4)])
    tables = {"drawn": (chance.choice(HOUSES), "drawn")}
    if chance.random() < 0.4:
        tables["wheel"] = (chance.choice(HOUSES), "wheel")
    seconds = chance.uniform(15.0, 40.0)
    plan = Plan(seed, servers, players, tables, seconds, chance.choice((0.0, 0.05, 0.3)))
    trouble = [each for each in TROUBLE if chance.random() < 0.5]
    faults = [each for each in FAULTS if chance.random() < (0.15 if each == "restore" else 0.45)]
    wanted = [*(_client(plan, chance, PLAYS) for _ in range(chance.randint(15, 45)))]
    if trouble:
        wanted += [_client(plan, chance, trouble) for _ in range(chance.randint(6, 20))]
    if faults:
        wanted += [_fault(plan, chance, faults) for _ in range(chance.randint(1, 8))]
    wanted.sort(key=lambda each: each[0])
    actions = tuple(Action(number, *each) for number, each in enumerate(wanted))
    return replace(plan, actions=actions)


def _client(
    plan: Plan, chance: Random, kinds: Collection[str]
) -> tuple[float, str, str, dict[str, Any]]:
    do = chance.choice(tuple(kinds))
    fields: dict[str, Any] = {"table": chance.choice(tuple(plan.tables))}
    if do in ("buy", "lie", "deposit", "payout"):
        fields["amount"] = 100 * chance.randint(1, 50)
    if do == "double":
        fields["amount"] = CHIP
    if do in ("stake", "lie", "retry", "forbidden"):
        fields |= {"on": chance.choice(SPOTS), "staked": 100 * chance.randint(1, 8)}
    if do in ("stall", "suspend", "double"):
        fields["seconds"] = round(chance.uniform(0.5, 5.0), 2)
    if do in ("lie", "forbidden", "garbage"):
        fields["way"] = chance.randrange(100)
    at = round(chance.uniform(2.0, plan.seconds), 3)
    return at, do, chance.choice(plan.players), fields


def _fault(
    plan: Plan, chance: Random, kinds: Collection[str]
) -> tuple[float, str, str, dict[str, Any]]:
    do = chance.choice(tuple(kinds))
    fields: dict[str, Any] = {}
    if do in ("crash", "term", "pause", "part", "store", "slow"):
        fields["seconds"] = round(chance.choice((0.2, 1.0, 4.0)) * chance.uniform(0.5, 2.0), 2)
    if do == "part":
        fields["client"] = chance.choice(("*", *plan.players))
    if do == "torn":
        fields["how"] = chance.choice(("before", "after"))
    if do == "clock":
        fields["ms"] = chance.choice((-1, 1)) * chance.choice((300, 5_000, 40_000))
    at = round(chance.uniform(1.0, plan.seconds), 3)
    return at, do, chance.choice(plan.servers), fields
