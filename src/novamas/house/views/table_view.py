"""Table views: the current state of a table, as each person may see it."""

from __future__ import annotations

from typing import Literal

from novamas.game import announcements
from novamas.game.limits import Counted, Levelled, Short, levelled, short_stakes
from novamas.game.limits import Limits as Placard
from novamas.game.rulebook.behaviours import ChipKind, LimitsKept, Replay, Winning
from novamas.game.rulebook.model import Rulebook
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import Direction, Pocket
from novamas.house.table.events import BallMode, CashSaleProposed, WrongPaymentProposed
from novamas.house.table.state import HouseTable
from novamas.house.views import zero_choices
from novamas.house.views.event_view import Audience
from novamas.house.views.float_view import FloatView, of_float
from novamas.house.views.view import Limits, Texts, View
from novamas.house.views.zero_choices import ZeroOffer
from novamas.table.state import BETTING, Phase, State, Won
from novamas.wording.calls import number_call


class TableSummary(View):
    """A table in the lobby."""

    table: str
    rulebook: str
    title: Texts
    ball: BallMode
    phase: Phase | None
    suspended: bool
    """Whether play is suspended."""
    players: int | None
    """How many players are seated."""
    limits: Limits | None
    chip: int
    last_numbers: tuple[Pocket, ...]
    out_of_play: str | None
    """Why the table cannot be played at, if it cannot."""
    at: str | None
    """The address of the server, if another server of the house serves the table."""
    yours: int | None
    """What the player who asks has in hand there, and in custody; null for anybody else."""


class Seat(View):
    """A player as everybody sees them."""

    colour: str | None
    chip: int
    away: bool
    """Whether the player has left the table for a while."""


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
    """The directions of wheel and ball."""

    wheel: Direction
    ball: Direction


class LyingAnnouncement(View):
    """An announcement on the cloth."""

    id: str
    player: str
    call: str
    amount: int


class OrderedCorrection(View):
    """A correction that was ordered: which stake, and its new spot."""

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
    """How many zeros it has met."""
    pending: bool
    """Whether its owner may still choose."""
    offer: ZeroOffer | None
    """For its owner, while they may choose."""


class OwnSeat(View):
    """The private part of a player's own seat."""

    player: str
    purse: int
    """The chips in the player's hand."""
    custody: int
    """What was set aside for the player."""
    colour: str | None
    chip: int
    value_chips: bool


class SeedChain(View):
    """The chain of secrets from which a table's balls are drawn."""

    number: int
    """The chains of a table are numbered from 1."""
    tip: str
    """The commitment of its first place."""
    length: int
    """How many spins it is for."""


class Draw(View):
    """The commitment to the ball of a spin, and the players' contributions."""

    spin: int
    commitment: str
    """The hash of the secret."""
    chain: int
    """The number of the chain."""
    place: int
    """Its place in the chain of secrets, from 1."""
    zeros: tuple[Pocket, ...]
    """The zeros of the wheel: with the numbers 1 to 36 they are the pockets of the draw."""
    hashes: Texts
    """Player → the hash of the nonce that they committed to."""
    opened: Texts
    """Player → the nonce, once betting has closed and they opened it."""


class Proposal(View):
    """An action that one person at a table proposed, and another must confirm."""

    id: str
    """The id of the proposal."""
    act: Literal["wrong_payment", "cash_sale"]
    """What is proposed."""
    player: str
    amount: int
    coup: int | None
    """The coup that was paid wrongly."""
    reason: str
    by: str
    post: str | None
    """The post of the proposer; somebody at another post must confirm."""


class TableView(View):
    """A table as one person sees it."""

    table: str
    seq: int
    """The sequence of the last event in it."""
    rulebook: str
    language: str
    """The language of the house."""
    ball: BallMode
    phase: Phase
    suspended: bool
    """Whether play is suspended."""
    stopped: str | None
    """Why the house stopped the table, if it did."""
    coup: int
    spin: int
    number: Pocket | None
    """The number that came out, until the coup has ended."""
    call: str | None
    """How the croupier calls that number."""
    launched: bool
    """Whether the ball is running, though stakes may still be taken."""
    directions: Directions | None
    """The directions of wheel and ball, while they run."""
    games_left: int | None
    limits: Limits
    limits_coming: Limits | None
    """Limits that were announced and do not apply yet."""
    limits_apart: Limits
    """Spot → its own limits, if they differ from those of its class."""
    limits_kept: LimitsKept
    winning: Winning
    chip: int
    colours: int
    seats: int | None
    """How many players may sit here; null if the house does not say."""
    double: bool
    """Whether it is a double table, with two cloths."""
    inspected: bool
    """Whether table, wheel and ball were inspected before the table opened."""
    ball_to_inspect: bool
    """Whether the ball must be inspected before it is launched again."""
    float: FloatView | None
    """Its float; null if the house has no articles on it."""
    zone: tuple[str, ...]
    """The spots where a post with a zone lays and corrects stakes."""
    orders: tuple[OrderedCorrection, ...]
    """Corrections that were ordered and not carried out yet."""
    staff: Texts
    """Person → post."""
    players: dict[str, Seat]
    """Player → their seat."""
    stakes: tuple[LyingStake, ...]
    """The stakes on the cloth."""
    announcements: tuple[LyingAnnouncement, ...]
    """The announcements on the cloth."""
    replays: tuple[Replayable, ...]
    """The announcements that have just won and may be played again."""
    due: int
    """How many payments are still to be made."""
    prison: tuple[InPrison, ...]
    """The stakes in prison."""
    chain: SeedChain | None
    """The chain of secrets of a drawn table that has opened."""
    draw: Draw | None
    """The current commitment, and the players' contributions to its ball."""
    last_numbers: tuple[Pocket, ...]
    you: OwnSeat | None = None
    """For a player who is seated."""
    purses: dict[str, int] | None = None
    """For the staff: player → the chips in their hand."""
    custody: dict[str, int] | None = None
    """For the staff: player → what was set aside for them."""
    bank: int | None = None
    """For the staff: what is in the bank."""
    proposals: tuple[Proposal, ...] | None = None
    """For the staff: the proposals that are not confirmed yet."""
    cash_alone: int | None = None
    """For the staff: the most cash for which one person alone may sell chips to one player."""


class StakesChange(View):
    """What changed on the cloth."""

    put: tuple[LyingStake, ...] = ()
    """New stakes, and stakes that lie there with another amount."""
    gone: tuple[str, ...] = ()
    """The ids of stakes that lie there no more."""


class PrisonChange(View):
    """What changed in prison."""

    put: tuple[InPrison, ...] = ()
    """New prisoners, and those that changed; without offers."""
    gone: tuple[str, ...] = ()
    """The ids of stakes that are in prison no more."""


class TableChange(View):
    """What an event changed at the table for everybody, besides what its data say.

    What is left out did not change.
    """

    phase: Phase | None = None
    """The phase that begins."""
    due: int | None = None
    """How many payments are still to be made."""
    stakes: StakesChange | None = None
    """What changed on the cloth."""
    prison: PrisonChange | None = None
    """What changed in prison."""
    replays: tuple[Replayable, ...] | None = None
    """The announcements that have just won and may be played again."""
    limits: Limits | None = None
    """Limits that apply from now on: there are none left that were only announced."""
    limits_apart: Limits | None = None
    """Spot → its own limits from now on, if they differ from those of its class."""


class ShortStake(View):
    """A stake that goes back, or a part of it, if betting closes as the chips lie now."""

    id: str
    on: str
    amount: int
    """What goes back."""
    counted: Counted
    """What is below its minimum, or that linked combinations do not carry equal pieces."""
    least: int
    """The minimum; of linked combinations, what plays on each of them."""
    there: int
    """What counts towards it."""
    articles: tuple[str, ...]


def of_table(
    house_table: HouseTable, seq: int, *, player: str | None, audience: Audience
) -> TableView:
    """A table as one person sees it now."""
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
        limits_apart=limits_apart(state.limits, book),
        limits_kept=setup.limits_kept,
        winning=setup.winning,
        chip=setup.chip,
        colours=state.colours,
        seats=state.seats,
        double=setup.double,
        inspected=state.inspected,
        ball_to_inspect=state.ball_to_inspect,
        float=of_float(house_table, is_staff=is_staff),
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
        stakes=tuple(of_stake(stake, stake.amount) for stake in state.stakes.values()),
        announcements=tuple(
            LyingAnnouncement(id=each.id, player=each.player, call=each.call, amount=each.amount)
            for each in state.announcements.values()
        ),
        replays=replays(state),
        due=len(state.due),
        prison=tuple(in_prison(state, each, player) for each in state.prison.values()),
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
"""Results for a placard and a book. Both are kept with the result, so that their ids stay valid;
neither ever changes."""
KEPT_APART = 256


def limits_apart(limits: Placard, book: Rulebook) -> Limits:
    """The limits that differ from those of their class.

    They are part of every table view, and going through all spots takes a millisecond.
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


def of_stake(stake: Stake, amount: int) -> LyingStake:
    """A stake on the cloth, of which so much lies there."""
    return LyingStake(
        id=stake.id,
        player=stake.player,
        on=stake.spot.name,
        amount=amount,
        chips=stake.kind,
        announcement=stake.announcement,
        call=stake.call,
    )


def pending(state: State) -> list[Prisoner]:
    """The stakes in prison whose owners may choose now."""
    return [each for each in state.prison.values() if _may_choose(state, each)]


def _may_choose(state: State, prisoner: Prisoner) -> bool:
    """Whether the owner may choose now: not before the coup of the zero is over."""
    return prisoner.pending and state.phase in BETTING


def in_prison(state: State, prisoner: Prisoner, player: str | None) -> InPrison:
    """A stake in prison; its owner also sees what they may choose."""
    chooses = prisoner.player == player and _may_choose(state, prisoner)
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
    """A proposal that waits for a second person."""
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
    """What of a player's would go back, if betting closed now."""
    stakes = state.stakes.values()
    short = short_stakes(state.book, stakes, state.limits, state.setup.limits_kept)
    gone = {each.stake.id for each in short}
    left = [stake for stake in stakes if stake.id not in gone]
    back = levelled(state.book, left, state.limits)
    found: list[tuple[Short | Levelled, int, Counted, int]] = [
        *((each, each.stake.amount, each.counted, each.least) for each in short),
        *((each, each.back, Counted.LINKED, each.plays) for each in back),
    ]
    return [
        ShortStake(
            id=each.stake.id,
            on=each.stake.spot.name,
            amount=amount,
            counted=counted,
            least=least,
            there=each.there,
            articles=each.articles,
        )
        for each, amount, counted, least in found
        if each.stake.player == player
    ]


def _chain(house_table: HouseTable) -> SeedChain | None:
    """The chain of the table's balls."""
    chain = house_table.chain
    if chain is None:
        return None
    return SeedChain(number=chain.number, tip=chain.tip, length=chain.length)


def _draw(house_table: HouseTable) -> Draw | None:
    """The current commitment, and the players' contributions to its ball."""
    standing = house_table.commitment
    if standing is None:
        return None
    return Draw(
        spin=standing.spin,
        commitment=standing.commitment,
        chain=standing.chain,
        place=standing.place,
        zeros=standing.zeros,
        hashes=house_table.hashes,
        opened=house_table.opened,
    )


def _directions(state: State) -> Directions | None:
    """The directions of wheel and ball, while they run."""
    if not state.ball_launched:
        return None
    turns, ball = state.directions(state.spins)
    return Directions(wheel=turns, ball=ball)


def replays(state: State) -> tuple[Replayable, ...]:
    """The announcements that may be played again now."""
    return tuple(_replay(state.book, each) for each in _replayable(state))


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


def summary(
    house_table: HouseTable, *, failed: str | None, player: str | None = None
) -> TableSummary:
    """A table in the lobby; of a failed one, only what cannot have changed."""
    state = house_table.state
    is_well = failed is None
    seated = state.players.get(player) if player is not None else None
    held = state.custody.get(player, 0) if player is not None else 0
    yours = (seated.purse if seated is not None else 0) + held
    return TableSummary(
        table=house_table.table,
        rulebook=state.book.id,
        title=dict(state.book.title),
        ball=house_table.ball,
        phase=state.phase if is_well else None,
        suspended=is_well and state.suspended,
        players=len(state.players) if is_well else None,
        limits=state.limits.as_data() if is_well else None,
        chip=state.setup.chip,
        last_numbers=tuple(number for _, number in house_table.drawn[-10:]) if is_well else (),
        out_of_play=failed or house_table.stopped,
        at=None,
        yours=yours if is_well and (seated is not None or held) else None,
    )
