"""Table views: a table as somebody sees it who sits down or looks in now."""

from __future__ import annotations

from typing import Literal

from novamas.game import announcements
from novamas.game.limits import Counted, short_stakes
from novamas.game.limits import Limits as Placard
from novamas.game.rulebook.model import ChipKind, LimitsKept, Replay, Rulebook, Winning
from novamas.game.stakes import Prisoner
from novamas.game.wheel import Direction
from novamas.house.table.events import BallMode, CashSaleProposed, WrongPaymentProposed
from novamas.house.table.state import HouseTable
from novamas.house.views import zero_choices
from novamas.house.views.event_view import Audience
from novamas.house.views.view import Limits, Texts, View
from novamas.house.views.zero_choices import ZeroOffer
from novamas.table.state import BETTING, Phase, State, Won
from novamas.wording.calls import number_call


class TableSummary(View):
    """A table among others."""

    table: str
    rulebook: str
    title: Texts
    ball: BallMode
    phase: Phase | None
    players: int | None
    limits: Limits | None
    chip: int
    last_numbers: tuple[int, ...]
    out_of_play: str | None
    at: str | None
    """Where the table is served, if by another server of the house."""


class Seat(View):
    """A player as everybody sees them."""

    colour: str | None
    chip: int
    away: bool


class LyingStake(View):
    """A stake on the cloth."""

    id: str
    player: str
    on: str
    amount: int
    chips: ChipKind
    announcement: str | None
    call: str | None


class Directions(View):
    """How wheel and ball run."""

    wheel: Direction
    ball: Direction


class LyingAnnouncement(View):
    """An announcement on the cloth."""

    id: str
    player: str
    call: str
    amount: int


class OrderedCorrection(View):
    """A correction that was ordered: which stake, and where it shall lie."""

    id: str
    on: str
    by: str
    reason: str


class Replayable(View):
    """An announcement that has just won and may be played again."""

    id: str
    player: str
    call: str
    amount: int
    modes: tuple[Replay, ...]


class InPrison(View):
    """A stake in prison."""

    id: str
    player: str
    on: str
    amount: int
    chips: ChipKind
    zeros: int
    pending: bool
    offer: ZeroOffer | None
    """For its owner, while they may choose."""


class OwnSeat(View):
    """What only the player sees of their own seat."""

    player: str
    purse: int
    custody: int
    colour: str | None
    chip: int
    value_chips: bool


class SeedChain(View):
    """The chain of secrets that the balls of a table come from."""

    number: int
    tip: str
    """The commitment of its first place."""
    length: int


class Draw(View):
    """The commitment to the ball of a spin, and what the players add to it."""

    spin: int
    commitment: str
    """What the secret hashes to."""
    chain: int
    place: int
    """Its place in the chain of secrets, from 1."""
    hashes: Texts
    """Player → the hash of the nonce that they committed to."""
    opened: Texts
    """Player → the nonce, once betting has closed and they opened it."""


class Proposal(View):
    """What one person at a table proposed, and another confirms."""

    id: str
    act: Literal["wrong_payment", "cash_sale"]
    player: str
    amount: int
    coup: int | None
    """The coup that was paid wrongly."""
    reason: str
    by: str
    post: str | None
    """The post from which it was proposed: another confirms it."""


class TableView(View):
    """A table as someone sees it."""

    table: str
    seq: int
    """The last event that made it so."""
    rulebook: str
    language: str
    ball: BallMode
    phase: Phase
    suspended: bool
    stopped: str | None
    coup: int
    spin: int
    number: int | None
    call: str | None
    launched: bool
    """Whether the ball runs, though stakes may still be taken."""
    directions: Directions | None
    games_left: int | None
    limits: Limits
    limits_coming: Limits | None
    """The limits that were announced and do not bind yet."""
    limits_apart: Limits
    """Spot → its own, where they are not those of its class."""
    limits_kept: LimitsKept
    winning: Winning
    chip: int
    colours: int
    zone: tuple[str, ...]
    """Where a post that has a zone lays and corrects stakes."""
    orders: tuple[OrderedCorrection, ...]
    """Corrections that were ordered and not carried out yet."""
    staff: Texts
    """Person → post."""
    players: dict[str, Seat]
    stakes: tuple[LyingStake, ...]
    announcements: tuple[LyingAnnouncement, ...]
    replays: tuple[Replayable, ...]
    due: int
    """How many payments are still to be made."""
    prison: tuple[InPrison, ...]
    chain: SeedChain | None
    """At a drawn table that has opened: where its balls come from."""
    draw: Draw | None
    """And the commitment that stands, with what players add to its ball."""
    last_numbers: tuple[int, ...]
    you: OwnSeat | None = None
    """For a player who is seated."""
    purses: dict[str, int] | None = None
    """For the staff; so are the next four."""
    custody: dict[str, int] | None = None
    bank: int | None = None
    proposals: tuple[Proposal, ...] | None = None
    """What one person proposed and another has not confirmed yet."""
    cash_alone: int | None = None
    """For how much cash one person alone sells chips to one player."""


class ShortStake(View):
    """A stake that is handed back, if nothing is added to it before betting closes."""

    id: str
    on: str
    amount: int
    counted: Counted
    """What there is too little of."""
    least: int
    there: int
    articles: tuple[str, ...]


def of_table(
    house_table: HouseTable, seq: int, *, player: str | None, audience: Audience
) -> TableView:
    """A table as someone sees it who sits down or looks in now."""
    state, setup = house_table.state, house_table.state.setup
    book = state.book
    is_staff = audience is not Audience.PUBLIC
    return TableView(
        table=house_table.table,
        seq=seq,
        rulebook=book.id,
        language=book.language,
        ball=house_table.ball,
        phase=state.phase,
        suspended=state.suspended,
        stopped=house_table.stopped,
        coup=state.coup,
        spin=state.spins,
        number=state.number,
        call=number_call(book, state.number) if state.number is not None else None,
        launched=state.ball_launched,
        directions=_directions(state),
        games_left=state.games_left,
        limits=state.limits.as_data(),
        limits_coming=None if state.coming_limits is None else state.coming_limits.as_data(),
        limits_apart=_limits_apart(state.limits, book),
        limits_kept=setup.limits_kept,
        winning=setup.winning,
        chip=setup.chip,
        colours=setup.colours,
        zone=tuple(setup.zone.as_data()),
        orders=tuple(
            OrderedCorrection(id=each.id, on=each.on, by=each.by, reason=each.reason)
            for each in state.orders.values()
        ),
        staff=state.staff,
        players={
            each.name: Seat(colour=each.colour, chip=each.chip, away=each.away)
            for each in state.players.values()
        },
        stakes=tuple(
            LyingStake(
                id=stake.id,
                player=stake.player,
                on=stake.spot.name,
                amount=stake.amount,
                chips=stake.kind,
                announcement=stake.announcement,
                call=stake.call,
            )
            for stake in state.stakes.values()
        ),
        announcements=tuple(
            LyingAnnouncement(id=each.id, player=each.player, call=each.call, amount=each.amount)
            for each in state.announcements.values()
        ),
        replays=tuple(_replay(book, each) for each in _replayable(state)),
        due=len(state.due),
        prison=tuple(_in_prison(state, each, player) for each in state.prison.values()),
        chain=_chain(house_table),
        draw=_draw(house_table),
        last_numbers=tuple(number for _, number in house_table.drawn[-20:]),
        you=_own_seat(state, player),
        purses={each.name: each.purse for each in state.players.values()} if is_staff else None,
        custody=dict(state.custody) if is_staff else None,
        bank=state.bank if is_staff else None,
        proposals=tuple(_proposal(each) for each in house_table.proposals.values())
        if is_staff
        else None,
        cash_alone=house_table.set_up.cash_alone if is_staff else None,
    )


_APART: dict[tuple[int, int], tuple[Placard, Rulebook, Limits]] = {}
"""What was worked out for a placard and a book. Both are kept with it, so that they stay the same
objects; neither ever changes."""
KEPT_APART = 256


def _limits_apart(limits: Placard, book: Rulebook) -> Limits:
    """The limits that differ from those of their class.

    Everybody who comes to a table is shown them, and going through all spots takes a millisecond.
    """
    key = id(limits), id(book)
    if key not in _APART:
        if len(_APART) >= KEPT_APART:
            _APART.clear()
        found = {spot.name: limit.as_data() for spot, limit in limits.apart(book).items()}
        _APART[key] = limits, book, found
    return _APART[key][2]


def _own_seat(state: State, player: str | None) -> OwnSeat | None:
    seated = state.players.get(player) if player is not None else None
    if seated is None:
        return None
    return OwnSeat(
        player=seated.name,
        purse=seated.purse,
        custody=state.custody.get(seated.name, 0),
        colour=seated.colour,
        chip=seated.chip,
        value_chips=seated.value_chips,
    )


def _in_prison(state: State, prisoner: Prisoner, player: str | None) -> InPrison:
    chooses = prisoner.pending and prisoner.player == player
    return InPrison(
        id=prisoner.id,
        player=prisoner.player,
        on=prisoner.spot.name,
        amount=prisoner.amount,
        chips=prisoner.kind,
        zeros=prisoner.zeros,
        pending=prisoner.pending,
        offer=zero_choices.of_prisoner(state, prisoner) if chooses else None,
    )


def _proposal(proposal: WrongPaymentProposed | CashSaleProposed) -> Proposal:
    """What waits for a second person."""
    is_sale = isinstance(proposal, CashSaleProposed)
    return Proposal(
        id=proposal.id,
        act="cash_sale" if is_sale else "wrong_payment",
        player=proposal.player,
        amount=proposal.amount,
        coup=None if isinstance(proposal, CashSaleProposed) else proposal.coup,
        reason=proposal.reason,
        by=proposal.by,
        post=proposal.post,
    )


def of_short(state: State, player: str) -> list[ShortStake]:
    """What of a player's would be too little to play, if betting closed now."""
    short = short_stakes(state.book, state.stakes.values(), state.limits)
    return [
        ShortStake(
            id=each.stake.id,
            on=each.stake.spot.name,
            amount=each.stake.amount,
            counted=each.counted,
            least=each.least,
            there=each.there,
            articles=each.articles,
        )
        for each in short
        if each.stake.player == player
    ]


def _chain(house_table: HouseTable) -> SeedChain | None:
    """The chain that the balls come from."""
    chain = house_table.chain
    if chain is None:
        return None
    return SeedChain(number=chain.number, tip=chain.tip, length=chain.length)


def _draw(house_table: HouseTable) -> Draw | None:
    """The commitment that stands, and what the players add to its ball."""
    standing = house_table.commitment
    if standing is None:
        return None
    return Draw(
        spin=standing.spin,
        commitment=standing.commitment,
        chain=standing.chain,
        place=standing.place,
        hashes=house_table.hashes,
        opened=house_table.opened,
    )


def _directions(state: State) -> Directions | None:
    """How wheel and ball run, while they do."""
    if not state.ball_launched:
        return None
    turns, ball = state.directions(state.spins)
    return Directions(wheel=turns, ball=ball)


def _replayable(state: State) -> list[Won]:
    """The announcements that won in the last coup, while they may be played again."""
    open_for_stakes = state.phase in BETTING and not state.suspended
    return list(state.won.values()) if open_for_stakes else []


def _replay(book: Rulebook, won: Won) -> Replayable:
    old = won.announcement
    call = announcements.call_of(book, old.call)
    modes = book.announcements.replays if call is not None else ()
    return Replayable(
        id=old.id,
        player=old.player,
        call=old.call,
        amount=old.amount,
        modes=tuple(
            mode
            for mode in modes
            if call is not None and announcements.replay(book, call, old.amount, mode) is not None
        ),
    )


def summary(house_table: HouseTable, *, failed: str | None) -> TableSummary:
    """A table among others; of one that failed, only what cannot have changed."""
    state = house_table.state
    is_well = failed is None
    return TableSummary(
        table=house_table.table,
        rulebook=state.book.id,
        title=dict(state.book.title),
        ball=house_table.ball,
        phase=state.phase if is_well else None,
        players=len(state.players) if is_well else None,
        limits=state.limits.as_data() if is_well else None,
        chip=state.setup.chip,
        last_numbers=tuple(number for _, number in house_table.drawn[-10:]) if is_well else (),
        out_of_play=failed or house_table.stopped,
        at=None,
    )
