"""Snapshots: a table between two coups as bytes, so that a restart need not replay everything.

A snapshot is only an optimisation. The log is authoritative: replaying it from the first event
gives the same table, and a snapshot that cannot be read is ignored.
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from novamas.game.cloth import SPOTS
from novamas.game.errors import NovamasError
from novamas.game.limits import Limits
from novamas.game.rulebook.behaviours import ChipKind
from novamas.game.stakes import Prisoner, Stake
from novamas.house.table import events as house
from novamas.house.table.dispute_records import Disputes
from novamas.house.table.payment_bounds import Payable
from novamas.house.table.state import FloatDue, HouseTable
from novamas.table.events import WrongPaymentMade
from novamas.table.state import BETTING, Announcement, Phase, Player

VERSION = 6


_Proposal = TypeVar("_Proposal", house.WrongPaymentProposed, house.CashSaleProposed)


class SnapshotError(NovamasError, ValueError):
    """A snapshot that cannot be read."""


def can_remember(house_table: HouseTable) -> bool:
    """Whether the table is between two coups, so that a snapshot can be taken."""
    state = house_table.state
    resting = state.phase in (Phase.OPENING, *BETTING, Phase.ENDED)
    waiting = state.settlement is not None or state.due or state.won or state.orders
    return resting and not waiting


def remember(house_table: HouseTable) -> bytes:
    """Encodes the table."""
    state = house_table.state
    plain: dict[str, Any] = {
        "version": VERSION,
        "set_up": house_table.set_up,
        "chain": house_table.chain,
        "place": house_table.place,
        "commitment": house_table.commitment,
        "hashes": house_table.hashes,
        "drawn": house_table.drawn,
        "wrong_payments": house_table.state.wrong_payments,
        "wrong_proposed": _proposed(house_table, house.WrongPaymentProposed),
        "sales_proposed": _proposed(house_table, house.CashSaleProposed),
        "payable": house_table.payable.as_data(),
        "alone": house_table.alone,
        "disputes": house_table.disputes.as_data(),
        "advance": house_table.advance,
        "float_due": house_table.float_due,
        "is_uncovered": house_table.is_uncovered,
        "stopped": house_table.stopped,
        "limits": state.limits.as_data(),
        "coming_limits": None if state.coming_limits is None else state.coming_limits.as_data(),
        "phase": state.phase,
        "suspended": state.suspended,
        "staff": state.staff,
        "players": list(state.players.values()),
        "stakes": [_stake(stake) for stake in state.stakes.values()],
        "announcements": list(state.announcements.values()),
        "prison": [{**_plain(p), "spot": p.spot.name} for p in state.prison.values()],
        "custody": state.custody,
        "exceptions": sorted(state.exceptions),
        "coup": state.coup,
        "spins": state.spins,
        "ball_launched": state.ball_launched,
        "inspected": state.inspected,
        "ball_to_inspect": state.ball_to_inspect,
        "last": state.last,
        "games_left": state.games_left,
        "bank": state.bank,
    }
    return msgspec.json.encode(plain)


def _proposed(house_table: HouseTable, kind: type[_Proposal]) -> dict[str, _Proposal]:
    """The proposals of one kind, in their order."""
    return {id: each for id, each in house_table.proposals.items() if isinstance(each, kind)}


def _plain(thing: Stake | Prisoner) -> dict[str, Any]:
    return {name: getattr(thing, name) for name in type(thing).__dataclass_fields__}


def _stake(stake: Stake) -> dict[str, Any]:
    return {**_plain(stake), "spot": stake.spot.name}


def recall(data: bytes) -> HouseTable:
    """Decodes a table."""
    try:
        plain = msgspec.json.decode(data)
        if plain["version"] != VERSION:
            raise SnapshotError(f"version {plain['version']} is not known")
        return _recall(plain)
    except (msgspec.DecodeError, KeyError, TypeError, ValueError, LookupError) as problem:
        raise SnapshotError(str(problem)) from None


def is_current(data: bytes) -> bool:
    """Whether this version wrote the snapshot; others are ignored, and the log is replayed."""
    try:
        return bool(msgspec.json.decode(data)["version"] == VERSION)
    except (msgspec.DecodeError, KeyError, TypeError):
        return True  # A snapshot that cannot be read at all is damaged, not old.


def _recall(plain: dict[str, Any]) -> HouseTable:
    house_table = HouseTable.fresh(msgspec.convert(plain["set_up"], house.TableSetUp))
    if plain["commitment"] is not None:
        house_table.commitment = msgspec.convert(plain["commitment"], house.BallCommitted)
    if plain["chain"] is not None:
        house_table.chain = msgspec.convert(plain["chain"], house.BallChainCommitted)
    house_table.place, house_table.hashes = plain["place"], plain["hashes"]
    house_table.drawn = [(spin, number) for spin, number in plain["drawn"]]
    house_table.state.wrong_payments = msgspec.convert(
        plain["wrong_payments"], dict[str, WrongPaymentMade]
    )
    house_table.proposals = {
        **msgspec.convert(plain["wrong_proposed"], dict[str, house.WrongPaymentProposed]),
        **msgspec.convert(plain["sales_proposed"], dict[str, house.CashSaleProposed]),
    }
    house_table.payable, house_table.alone = Payable.of_data(plain["payable"]), plain["alone"]
    house_table.disputes = Disputes.of(plain["disputes"])
    house_table.advance, house_table.is_uncovered = plain["advance"], plain["is_uncovered"]
    house_table.float_due = msgspec.convert(plain["float_due"], FloatDue | None)
    house_table.stopped = plain["stopped"]
    state = house_table.state
    state.limits = Limits.of(plain["limits"])
    if plain["coming_limits"] is not None:
        state.coming_limits = Limits.of(plain["coming_limits"])
    state.phase = Phase(plain["phase"])
    same = ("suspended", "staff", "custody", "coup", "spins", "ball_launched", "last")
    for name in (*same, "inspected", "ball_to_inspect"):
        setattr(state, name, plain[name])
    state.games_left, state.bank = plain["games_left"], plain["bank"]
    state.exceptions = set(plain["exceptions"])
    state.players = {each["name"]: Player(**each) for each in plain["players"]}
    for each in plain["stakes"]:
        each["spot"], each["kind"] = SPOTS[each["spot"]], ChipKind(each["kind"])
        stake = Stake(**each)
        state.stakes[stake.id] = stake
        where = (stake.whose, stake.spot)
        state.on_spot[where] = state.on_spot.get(where, 0) + stake.amount
    for each in plain["prison"]:
        each["spot"], each["kind"] = SPOTS[each["spot"]], ChipKind(each["kind"])
        state.prison[each["id"]] = Prisoner(**each)
    for each in plain["announcements"]:
        each["pieces"] = tuple(each["pieces"])
        state.announcements[each["id"]] = Announcement(**each)
    return house_table
