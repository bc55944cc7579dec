"""Who sees what: every event and every audience, by one table. A new event needs a row."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest

from novamas.house.log.codec import VERSIONS, Encoded
from novamas.house.log.hash_chain import link
from novamas.house.log.store import GENESIS, Record
from novamas.house.table.events import EVENTS
from novamas.house.views.event_view import Audience, of_record, personal

EVERYBODY = "everybody"
STAFF = "the staff"
OWN = "the player whom it concerns, and the staff"

SEEN: dict[str, str | tuple[str, ...]] = {
    # The table and its staff.
    "TableSetUp": ("book",),
    "PostTaken": EVERYBODY,
    "PostLeft": EVERYBODY,
    "TableOpened": EVERYBODY,
    "TableSuspended": EVERYBODY,
    "TableResumed": EVERYBODY,
    "LimitsChanged": EVERYBODY,
    "LastGamesAnnounced": EVERYBODY,
    "TableClosed": EVERYBODY,
    "TableStopped": EVERYBODY,
    # Who inspected what, and what became of abandoned stakes, concerns all who play there.
    **dict.fromkeys(("TableInspected", "BallInspected", "TableReopened"), EVERYBODY),
    "OrphanDeclared": EVERYBODY,
    # The players: everybody sees who sits there, nobody how much they brought or take.
    "PlayerSat": EVERYBODY,
    "ChipsBought": ("amount", "cash"),
    "ColourConverted": ("amount", "chips"),
    "PlayerSteppedAway": EVERYBODY,
    "PlayerCameBack": EVERYBODY,
    "PlayerLeft": ("amount",),
    "CustodyClaimed": OWN,
    "TipGiven": OWN,
    # The cloth is before all eyes.
    "StakePlaced": EVERYBODY,
    "AnnouncementPlaced": EVERYBODY,
    "StakeMoved": EVERYBODY,
    "CorrectionOrdered": EVERYBODY,
    "StakeWithdrawn": EVERYBODY,
    "StakesReturned": EVERYBODY,
    "ExceptionGranted": EVERYBODY,
    "ChoiceMade": EVERYBODY,
    # The ball and the coup; of the settlement each their own lines.
    "BallChainCommitted": EVERYBODY,
    "BallCommitted": EVERYBODY,
    "NonceCommitted": EVERYBODY,
    "NonceOpened": EVERYBODY,
    "NonceSet": EVERYBODY,
    "LastBetsCalled": EVERYBODY,
    "BallLaunched": EVERYBODY,
    "BettingClosed": EVERYBODY,
    "BallVoided": EVERYBODY,
    "BallRevealed": EVERYBODY,
    "BallPocketed": EVERYBODY,
    "NumberCalled": ("lines",),
    "NumberQuestioned": EVERYBODY,
    "NumberCorrected": EVERYBODY,
    "LosersCollected": EVERYBODY,
    "WinnersPaid": EVERYBODY,
    "CoupEnded": EVERYBODY,
    # The bank is the house's own affair; a wrong payment was made before all eyes.
    "BankOpened": STAFF,
    "BankFilled": STAFF,
    "BankCredited": STAFF,
    "BankCounted": STAFF,
    "FloatCounted": STAFF,
    # A signed count stands in the book of advances, which anybody may ask to see (FR-43.d).
    "FloatEntered": EVERYBODY,
    "BankUncovered": EVERYBODY,
    "BoxEmptied": STAFF,
    **dict.fromkeys(("WrongPaymentProposed", "CashSaleProposed"), STAFF),
    **dict.fromkeys(("CashSaleConfirmed", "ProposalDropped"), STAFF),
    "WrongPaymentMade": EVERYBODY,
    "WrongPaymentCorrected": EVERYBODY,
    # That something is disputed, and how it was decided; what they say is for the house alone.
    "DisputeRaised": ("says",),
    "DisputeWithdrawn": EVERYBODY,
    "DisputeDecided": EVERYBODY,
}
"""Event → who sees it; or what of it only the player sees whom it concerns."""


def payload(event: str) -> dict[str, Any]:
    """An event with something in each of its fields."""
    if event == "NumberCalled":
        lines = [
            {"id": f"b{n}", "player": player} for n, player in enumerate(("ana", "luis", "ana"))
        ]
        return {"call": "the call", "pocket": 17, "lines": lines}
    names = [field.name for field in dataclasses.fields(EVENTS[event])]
    return {name: "ana" if name == "player" else f"the {name}" for name in names}


def record(event: str) -> Record:
    stored = Encoded(event, VERSIONS.get(event, 1), json.dumps(payload(event)).encode())
    return link("t", 7, 1_700_000_000_000, stored, "c1", GENESIS)


def shown(event: str, audience: Audience, player: str | None = None) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(of_record(record(event), audience, player))
    return told


def test_every_event_has_a_row() -> None:
    assert SEEN.keys() == EVENTS.keys()


@pytest.mark.parametrize("event", sorted(SEEN))
def test_the_auditor_sees_the_log_as_it_is_stored(event: str) -> None:
    stored = record(event)
    assert shown(event, Audience.AUDITOR) == {
        "seq": 7,
        "at": stored.at,
        "type": event,
        "version": VERSIONS.get(event, 1),
        "command": "c1",
        "previous": GENESIS.hex(),
        "hash": stored.hash.hex(),
        "data": payload(event),
    }


@pytest.mark.parametrize("event", sorted(SEEN))
def test_the_staff_sees_all_that_happens(event: str) -> None:
    told = {"seq": 7, "at": record(event).at, "type": event, "data": payload(event)}
    assert shown(event, Audience.STAFF) == told
    assert shown(event, Audience.STAFF, "ana") == told


@pytest.mark.parametrize("event", sorted(SEEN))
def test_what_onlookers_and_other_players_see(event: str) -> None:
    row, whole = SEEN[event], payload(event)
    told: dict[str, Any] = {"seq": 7, "at": record(event).at, "type": event, "data": whole}
    if row in (STAFF, OWN):
        told |= {"type": "Hidden", "data": {}}
    elif isinstance(row, tuple):
        told["data"] = {name: value for name, value in whole.items() if name not in row}
        assert len(told["data"]) == len(whole) - len(row)
    assert shown(event, Audience.PUBLIC) == told
    assert shown(event, Audience.PUBLIC, "maria") == told


@pytest.mark.parametrize("event", sorted(SEEN))
def test_what_a_player_sees_of_his_own(event: str) -> None:
    row, whole = SEEN[event], payload(event)
    told = shown(event, Audience.PUBLIC)
    if row == OWN:
        told |= {"type": event, "yours": whole}
    elif event == "NumberCalled":
        told["yours"] = {"lines": [line for line in whole["lines"] if line["player"] == "ana"]}
    elif isinstance(row, tuple) and "player" in whole:
        told["yours"] = {name: whole[name] for name in row}
    assert shown(event, Audience.PUBLIC, "ana") == told


@pytest.mark.parametrize("event", sorted(SEEN))
def test_what_is_personal_is_for_those_alone_whom_it_concerns(event: str) -> None:
    concerned = set(personal(record(event)))
    row = SEEN[event]
    if event == "NumberCalled":
        assert concerned == {"ana", "luis"}
    elif row == OWN or (isinstance(row, tuple) and "player" in payload(event)):
        assert concerned == {"ana"}
    else:
        assert concerned == set()


def test_an_event_that_nobody_decided_about_is_hidden() -> None:
    stored = Encoded("SomethingNew", 1, b'{"secret": 17}')
    new = link("t", 7, 1_700_000_000_000, stored, "c1", GENESIS)
    told = json.loads(of_record(new, Audience.PUBLIC, "ana"))
    assert told == {"seq": 7, "at": new.at, "type": "Hidden", "data": {}}
