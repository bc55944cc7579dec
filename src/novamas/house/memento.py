"""Mementos: a table between two coups as bytes, so that a restart need not replay everything.

A memento is only a shortcut. The log is the truth: the same table comes of replaying it from the
first event, and a memento that cannot be read is thrown away.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, TypeVar

import msgspec

from novamas.game.cloth import SPOTS
from novamas.game.limits import Limits
from novamas.game.rulebook import ChipKind
from novamas.game.stakes import Prisoner, Stake
from novamas.house import events as house
from novamas.house.disputed import Disputes
from novamas.house.hall import Hall
from novamas.house.payable import Payable
from novamas.table.state import BETTING, Announcement, Phase, Player

VERSION = 5


_Proposal = TypeVar("_Proposal", house.WrongPaymentProposed, house.CashSaleProposed)


class MementoError(ValueError):
    """A memento that cannot be read."""


def can_remember(hall: Hall) -> bool:
    """Whether the table is between two coups, with nothing half done."""
    state = hall.state
    resting = state.phase in (Phase.OPENING, *BETTING, Phase.ENDED)
    waiting = state.settlement is not None or state.due or state.won or state.orders
    return resting and not waiting


def remember(hall: Hall) -> bytes:
    """The table as bytes."""
    state = hall.state
    plain: dict[str, Any] = {
        "version": VERSION,
        "set_up": hall.set_up,
        "chain": hall.chain,
        "place": hall.place,
        "commitment": hall.commitment,
        "hashes": hall.hashes,
        "drawn": hall.drawn,
        "wrong_payments": hall.wrong_payments,
        "wrong_proposed": _proposed(hall, house.WrongPaymentProposed),
        "sales_proposed": _proposed(hall, house.CashSaleProposed),
        "payable": hall.payable.as_data(),
        "alone": hall.alone,
        "disputes": hall.disputes.as_data(),
        "stopped": hall.stopped,
        "limits": state.limits.as_data(),
        "coming_limits": None if state.coming_limits is None else state.coming_limits.as_data(),
        "phase": state.phase,
        "suspended": state.suspended,
        "staff": state.staff,
        "players": [asdict(player) for player in state.players.values()],
        "stakes": [_stake(stake) for stake in state.stakes.values()],
        "announcements": list(state.announcements.values()),
        "prison": [{**_plain(p), "spot": p.spot.name} for p in state.prison.values()],
        "custody": state.custody,
        "exceptions": sorted(state.exceptions),
        "coup": state.coup,
        "spins": state.spins,
        "ball_launched": state.ball_launched,
        "last": state.last,
        "games_left": state.games_left,
        "bank": state.bank,
    }
    return msgspec.json.encode(plain)


def _proposed(hall: Hall, kind: type[_Proposal]) -> dict[str, _Proposal]:
    """The proposals of one kind, in their order."""
    return {id: each for id, each in hall.proposals.items() if isinstance(each, kind)}


def _plain(thing: Stake | Prisoner) -> dict[str, Any]:
    return {name: getattr(thing, name) for name in type(thing).__dataclass_fields__}


def _stake(stake: Stake) -> dict[str, Any]:
    return {**_plain(stake), "spot": stake.spot.name}


def recall(data: bytes) -> Hall:
    """The table from its bytes."""
    try:
        plain = msgspec.json.decode(data)
        if plain["version"] != VERSION:
            raise MementoError(f"version {plain['version']} is not known")
        return _recall(plain)
    except (msgspec.DecodeError, KeyError, TypeError, ValueError, LookupError) as problem:
        raise MementoError(str(problem)) from None


def _recall(plain: dict[str, Any]) -> Hall:
    hall = Hall.fresh(msgspec.convert(plain["set_up"], house.TableSetUp))
    if plain["commitment"] is not None:
        hall.commitment = msgspec.convert(plain["commitment"], house.BallCommitted)
    if plain["chain"] is not None:
        hall.chain = msgspec.convert(plain["chain"], house.BallChainCommitted)
    hall.place, hall.hashes = plain["place"], plain["hashes"]
    hall.drawn = [(spin, number) for spin, number in plain["drawn"]]
    hall.wrong_payments = msgspec.convert(
        plain["wrong_payments"], dict[str, house.WrongPaymentMade]
    )
    hall.proposals = {
        **msgspec.convert(plain["wrong_proposed"], dict[str, house.WrongPaymentProposed]),
        **msgspec.convert(plain["sales_proposed"], dict[str, house.CashSaleProposed]),
    }
    hall.payable, hall.alone = Payable.of_data(plain["payable"]), plain["alone"]
    hall.disputes = Disputes.of(plain["disputes"])
    hall.stopped = plain["stopped"]
    state = hall.state
    state.limits = Limits.of(plain["limits"])
    if plain["coming_limits"] is not None:
        state.coming_limits = Limits.of(plain["coming_limits"])
    state.phase = Phase(plain["phase"])
    for name in ("suspended", "staff", "custody", "coup", "spins", "ball_launched", "last"):
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
    return hall
