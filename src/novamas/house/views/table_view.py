"""Views: what each audience is shown of an event and of a table.

A view is made from the stored payload alone, so that what is shown live and what is shown after a
reconnection cannot differ. What was stored in an older form is shown in today's, so that a client
knows one form; only the auditor sees the stored bytes, with their version. Every event has a view
for everybody, if only its number, so that a client can tell that it missed none. Default deny: an
event that nobody opened to an audience is shown to it by its number alone.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec

from novamas.game import announcements
from novamas.game.limits import short_stakes
from novamas.game.lines import Line
from novamas.game.payment import payments
from novamas.game.reduction import Reduction, reductions
from novamas.game.rulebook.model import Rulebook
from novamas.house.log.store import Record
from novamas.house.log.stored_lines import upgraded
from novamas.house.table.events import CashSaleProposed, WrongPaymentProposed
from novamas.house.table.state import HouseTable
from novamas.house.views import zero_choices
from novamas.table.state import BETTING, State, Won
from novamas.wording.calls import number_call


class Audience(StrEnum):
    """Who looks."""

    PUBLIC = "public"
    """Players and onlookers."""
    STAFF = "staff"
    """Croupier, chief, inspector: all of the table's play and its bank."""
    AUDITOR = "auditor"
    """The log as it is stored, with its hashes."""


PUBLIC_EVENTS = frozenset(
    (
        "TableSetUp",
        "PostTaken",
        "PostLeft",
        "TableOpened",
        "TableSuspended",
        "TableResumed",
        "LimitsChanged",
        "LastGamesAnnounced",
        "TableClosed",
        "PlayerSat",
        "ColourConverted",
        "PlayerSteppedAway",
        "PlayerCameBack",
        "PlayerLeft",
        "StakePlaced",
        "AnnouncementPlaced",
        "StakeMoved",
        "CorrectionOrdered",
        "StakeWithdrawn",
        "StakesReturned",
        "ChipsBought",
        "ChoiceMade",
        "BallLaunched",
        "BettingClosed",
        "ExceptionGranted",
        "BallVoided",
        "BallPocketed",
        "NumberCalled",
        "NumberQuestioned",
        "NumberCorrected",
        "LosersCollected",
        "WinnersPaid",
        "CoupEnded",
        "BallChainCommitted",
        "BallCommitted",
        "NonceCommitted",
        "NonceOpened",
        "BallRevealed",
        "WrongPaymentMade",
        "WrongPaymentCorrected",
        "DisputeRaised",
        "DisputeWithdrawn",
        "DisputeDecided",
        "LastBetsCalled",
        "TableStopped",
    )
)
"""The events that everybody at a table may see; the bank's are the staff's alone."""

PRIVATE_FIELDS: dict[str, frozenset[str]] = {
    "TableSetUp": frozenset(("book",)),
    "ChipsBought": frozenset(("amount", "cash")),
    "ColourConverted": frozenset(("amount", "chips")),
    "PlayerLeft": frozenset(("amount",)),
    "NumberCalled": frozenset(("lines",)),
    "DisputeRaised": frozenset(("says",)),
}
"""What of a public event is only for the player whom it concerns, and for the staff."""

PERSONAL_EVENTS = frozenset(("CustodyClaimed", "TipGiven"))
"""Events that are only for the player whom they concern, and for the staff."""


def of_record(record: Record, audience: Audience, player: str | None = None) -> bytes:
    """An event as one audience is shown it, or a player, who sees his own besides."""
    head = {"seq": record.seq, "at": record.at, "type": record.type}
    if audience is Audience.AUDITOR:
        stored = {
            "version": record.version,
            "command": record.command,
            "previous": record.previous.hex(),
            "hash": record.hash.hex(),
            "data": msgspec.Raw(record.payload),
        }
        return msgspec.json.encode({**head, **stored})
    if audience is Audience.STAFF:
        return msgspec.json.encode({**head, "data": msgspec.Raw(_payload(record))})
    if player is not None and (own := personal(record).get(player)) is not None:
        return own
    if record.type not in PUBLIC_EVENTS:
        return msgspec.json.encode({**head, "type": "Hidden", "data": {}})
    hidden = PRIVATE_FIELDS.get(record.type)
    if hidden is None:
        return msgspec.json.encode({**head, "data": msgspec.Raw(_payload(record))})
    data = _FIELDS.decode(_payload(record))
    shown = {key: value for key, value in data.items() if key not in hidden}
    return msgspec.json.encode({**head, "data": shown})


def _payload(record: Record) -> bytes:
    """The payload of an event in the form in which it is written today."""
    return upgraded(record.type, record.version, record.payload)


class _Owned(msgspec.Struct):
    """Whose a line is; the rest of it is not read."""

    player: str


# Fields that are only passed on stay the bytes that they are: a large coup has many lines.
_FIELDS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_LINES = msgspec.json.Decoder(list[msgspec.Raw])
_OWNERS = msgspec.json.Decoder(list[_Owned])


def personal(record: Record) -> dict[str, bytes]:
    """An event as single players are shown it: what everybody sees, and what is theirs.

    Each event is one message, so that nobody can lose the half of it.
    """
    hidden = PRIVATE_FIELDS.get(record.type)
    if hidden is None and record.type not in PERSONAL_EVENTS:
        return {}
    data = _FIELDS.decode(_payload(record))
    head = {"seq": record.seq, "at": record.at, "type": record.type}
    player: str | None = msgspec.json.decode(data["player"]) if "player" in data else None
    if hidden is None:
        return {player: msgspec.json.encode({**head, "data": {}, "yours": data})} if player else {}
    shown = {key: value for key, value in data.items() if key not in hidden}
    mine: dict[str, dict[str, Any]] = {}
    if "lines" in hidden:
        lines: dict[str, list[msgspec.Raw]] = {}
        pairs = zip(_OWNERS.decode(data["lines"]), _LINES.decode(data["lines"]), strict=True)
        for owned, line in pairs:
            lines.setdefault(owned.player, []).append(line)
        mine = {name: {"lines": own} for name, own in lines.items()}
    elif player is not None:
        mine = {player: {key: data[key] for key in hidden if key in data}}
    return {
        name: msgspec.json.encode({**head, "data": shown, "yours": own})
        for name, own in mine.items()
    }


def of_table(
    house_table: HouseTable, seq: int, *, player: str | None, audience: Audience
) -> dict[str, Any]:
    """A table as someone sees it who sits down or looks in now."""
    state, book = house_table.state, house_table.state.book
    shown: dict[str, Any] = {
        "table": house_table.table,
        "seq": seq,
        "rulebook": book.id,
        "language": book.language,
        "ball": house_table.ball,
        "phase": state.phase,
        "suspended": state.suspended,
        "stopped": house_table.stopped,
        "coup": state.coup,
        "spin": state.spins,
        "number": state.number,
        "call": number_call(book, state.number) if state.number is not None else None,
        "launched": state.ball_launched,
        "directions": _directions(state),
        "games_left": state.games_left,
        "limits": state.limits.as_data(),
        "limits_coming": None if state.coming_limits is None else state.coming_limits.as_data(),
        "limits_apart": {
            spot.name: limit.as_data() for spot, limit in state.limits.apart(book).items()
        },
        "limits_kept": state.setup.limits_kept,
        "winning": state.setup.winning,
        "chip": state.setup.chip,
        "colours": state.setup.colours,
        "zone": state.setup.zone.as_data(),
        "orders": [
            {"id": each.id, "on": each.on, "by": each.by, "reason": each.reason}
            for each in state.orders.values()
        ],
        "staff": state.staff,
        "players": {
            each.name: {"colour": each.colour, "chip": each.chip, "away": each.away}
            for each in state.players.values()
        },
        "stakes": [
            {
                "id": stake.id,
                "player": stake.player,
                "on": stake.spot.name,
                "amount": stake.amount,
                "chips": stake.kind,
                "announcement": stake.announcement,
                "call": stake.call,
            }
            for stake in state.stakes.values()
        ],
        "announcements": [
            {"id": each.id, "player": each.player, "call": each.call, "amount": each.amount}
            for each in state.announcements.values()
        ],
        "replays": [_replay(book, each) for each in _replayable(state)],
        "due": len(state.due),
        "prison": [
            {
                "id": each.id,
                "player": each.player,
                "on": each.spot.name,
                "amount": each.amount,
                "chips": each.kind,
                "zeros": each.zeros,
                "pending": each.pending,
                "offer": zero_choices.of_prisoner(state, each)
                if each.pending and each.player == player
                else None,
            }
            for each in state.prison.values()
        ],
        "chain": _chain(house_table),
        "draw": _draw(house_table),
        "last_numbers": [number for _, number in house_table.drawn][-20:],
    }
    seated = state.players.get(player) if player is not None else None
    if seated is not None:
        shown["you"] = {
            "player": seated.name,
            "purse": seated.purse,
            "custody": state.custody.get(seated.name, 0),
            "colour": seated.colour,
            "chip": seated.chip,
            "value_chips": seated.value_chips,
        }
    if audience is not Audience.PUBLIC:
        shown["purses"] = {each.name: each.purse for each in state.players.values()}
        shown["custody"] = dict(state.custody)
        shown["bank"] = state.bank
        shown["proposals"] = [_proposal(each) for each in house_table.proposals.values()]
        shown["cash_alone"] = house_table.set_up.cash_alone
    return shown


def _proposal(proposal: WrongPaymentProposed | CashSaleProposed) -> dict[str, Any]:
    """What waits for a second person."""
    is_sale = isinstance(proposal, CashSaleProposed)
    return {
        "id": proposal.id,
        "act": "cash_sale" if is_sale else "wrong_payment",
        "player": proposal.player,
        "amount": proposal.amount,
        "coup": None if isinstance(proposal, CashSaleProposed) else proposal.coup,
        "reason": proposal.reason,
        "by": proposal.by,
        "post": proposal.post,
    }


def of_short(state: State, player: str) -> list[dict[str, Any]]:
    """What of a player's would be too little to play, if betting closed now."""
    short = short_stakes(state.book, state.stakes.values(), state.limits)
    return [
        {
            "id": each.stake.id,
            "on": each.stake.spot.name,
            "amount": each.stake.amount,
            "counted": each.counted,
            "least": each.least,
            "there": each.there,
            "articles": each.articles,
        }
        for each in short
        if each.stake.player == player
    ]


def of_clock(*, step: str, ends: int | None, now: int) -> bytes:
    """When a step of the coup will end, as everybody is told; it stands in no log."""
    return msgspec.json.encode({"clock": {"step": step, "ends": ends, "now": now}})


def of_payments(state: State) -> dict[str, Any]:
    """The payments of the running coup in the house's order, for who makes them."""
    book, settlement = state.book, state.settlement
    paid = payments(book, settlement) if settlement is not None else ()
    reduced = reductions(book, settlement) if settlement is not None else ()
    return {
        "coup": state.coup,
        "number": None if settlement is None else settlement.pocket,
        "made": len(paid) - len(state.due),
        "payments": [
            {
                "player": each.player,
                "colour": state.players[each.player].colour,
                "won": each.won,
                "paid": each.paid,
                "stays": each.stays,
                "lines": [_paid_line(book, line) for line in each.lines],
                "articles": each.articles,
            }
            for each in paid
        ],
        "reductions": [of_reduction(each) for each in reduced],
    }


def of_reduction(reduction: Reduction) -> dict[str, Any]:
    """A player's reduction, counted in chips."""
    return {
        "player": reduction.player,
        "chip": reduction.chip,
        "steps": [
            {
                "class": step.kind,
                "chips": step.chips,
                "straights": step.straights,
                "freed": step.freed,
                "articles": step.articles,
            }
            for step in reduction.steps
        ],
        "straights": reduction.straights,
        "left": reduction.left,
        "freed": reduction.freed,
        "paid": reduction.paid,
        "stays": reduction.stays,
        "articles": reduction.articles,
    }


def _paid_line(book: Rulebook, line: Line) -> dict[str, Any]:
    pays = book.terms[line.stake.spot].pays
    return {
        "id": line.stake.id,
        "on": line.stake.spot.name,
        "amount": line.stake.amount,
        "chips": line.stake.kind,
        "won": line.won,
        "pays": [pays.numerator, pays.denominator],
    }


def _chain(house_table: HouseTable) -> dict[str, Any] | None:
    """The chain that the balls come from."""
    chain = house_table.chain
    if chain is None:
        return None
    return {"number": chain.number, "tip": chain.tip, "length": chain.length}


def _draw(house_table: HouseTable) -> dict[str, Any] | None:
    """The commitment that stands, and what the players add to its ball."""
    standing = house_table.commitment
    if standing is None:
        return None
    return {
        "spin": standing.spin,
        "commitment": standing.commitment,
        "chain": standing.chain,
        "place": standing.place,
        "hashes": house_table.hashes,
        "opened": house_table.opened,
    }


def _directions(state: State) -> dict[str, str] | None:
    """How wheel and ball run, while they do."""
    if not state.ball_launched:
        return None
    turns, ball = state.directions(state.spins)
    return {"wheel": turns.value, "ball": ball.value}


def _replayable(state: State) -> list[Won]:
    """The announcements that won in the last coup, while they may be played again."""
    open_for_stakes = state.phase in BETTING and not state.suspended
    return list(state.won.values()) if open_for_stakes else []


def _replay(book: Rulebook, won: Won) -> dict[str, Any]:
    old = won.announcement
    call = announcements.call_of(book, old.call)
    modes = book.announcements.replays if call is not None else ()
    return {
        "id": old.id,
        "player": old.player,
        "call": old.call,
        "amount": old.amount,
        "modes": [
            mode.value
            for mode in modes
            if call is not None and announcements.replay(book, call, old.amount, mode) is not None
        ],
    }


def summary(house_table: HouseTable, *, failed: str | None) -> dict[str, Any]:
    """A table among others; of one that failed, only what cannot have changed."""
    state = house_table.state
    shown: dict[str, Any] = {
        "table": house_table.table,
        "rulebook": state.book.id,
        "title": dict(state.book.title),
        "ball": house_table.ball.value,
        "phase": None,
        "players": None,
        "limits": None,
        "chip": state.setup.chip,
        "last_numbers": [],
        "out_of_play": failed or house_table.stopped,
    }
    if failed is None:
        shown["phase"] = state.phase.value
        shown["players"] = len(state.players)
        shown["limits"] = state.limits.as_data()
        shown["last_numbers"] = [number for _, number in house_table.drawn][-10:]
    return shown
