"""Evolve: applies an event. This is the only place where a table's state changes."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from typing import Any

from novamas.game.announcements import call_of, laid
from novamas.game.cloth import Spot, spot
from novamas.game.limits import Limits
from novamas.game.lines import Line, Settlement, straights_made
from novamas.game.payment import payments
from novamas.game.rulebook.behaviours import ChipKind, ZeroRule
from novamas.game.stakes import Prisoner, Stake
from novamas.table import events
from novamas.table.state import Announcement, Order, Phase, Player, Question, State, Won, is_whole


def evolve(state: State, event: events.Event) -> State:
    """Applies an event to the table, and returns the table."""
    EVOLVERS[type(event)](state, event)
    return state


# Chips in and out of the cloth --------------------------------------------------------------------


def _lay(state: State, stake: Stake) -> None:
    state.stakes[stake.id] = stake
    where = (stake.whose, stake.spot)
    state.on_spot[where] = state.on_spot.get(where, 0) + stake.amount


def _lift(state: State, id: str) -> Stake:
    stake = state.stakes.pop(id)
    state.orders.pop(id, None)
    where = (stake.whose, stake.spot)
    left = state.on_spot[where] - stake.amount
    if left:
        state.on_spot[where] = left
    else:
        del state.on_spot[where]
    return stake


def _lift_all(state: State, ids: Collection[str]) -> None:
    """Takes many stakes from the cloth, as at the end of a coup."""
    if 2 * len(ids) < len(state.stakes):
        for id in ids:
            _lift(state, id)
        return
    stakes, orders = state.stakes, state.orders
    for id in ids:
        del stakes[id]
    if orders:
        for id in ids:
            orders.pop(id, None)
    # Most are gone, so it is less work to count what is left.
    on_spot: dict[tuple[str, Spot], int] = {}
    for stake in state.stakes.values():
        where = (stake.principal or stake.player, stake.spot)
        on_spot[where] = on_spot.get(where, 0) + stake.amount
    state.on_spot = on_spot


def _keep(state: State, stake: Stake) -> None:
    """Changes a stake in its place in the order, because the later stake is cut (AMB-IT-12)."""
    where = (stake.whose, stake.spot)
    state.on_spot[where] += stake.amount - state.stakes[stake.id].amount
    state.stakes[stake.id] = stake


def _take(state: State, id: str, amount: int) -> Stake:
    """Takes an amount of a stake from the cloth; the rest stays."""
    stake = state.stakes[id]
    if amount < stake.amount:
        _keep(state, replace(stake, amount=stake.amount - amount))
    else:
        _lift(state, id)
    return stake


def _give(state: State, stake: Stake | Prisoner, amount: int) -> None:
    """Gives an amount to a stake's owner; chips of another table go back as they are."""
    if stake.kind is ChipKind.FOREIGN:
        return
    state.players[stake.player].purse += amount


def _forget_announcement(state: State, id: str | None) -> None:
    """Removes an announcement that has nothing left on the cloth."""
    announcement = None if id is None else state.announcements.get(id)
    if announcement is not None and not any(p in state.stakes for p in announcement.pieces):
        del state.announcements[announcement.id]


# Staff, table, players ----------------------------------------------------------------------------


def _post_taken(state: State, event: events.PostTaken) -> None:
    behind = [] if event.place is None else state.posts_of(event.post)[event.place :]
    state.staff[event.person] = event.post
    for person in behind:
        state.staff[person] = state.staff.pop(person)


def _post_left(state: State, event: events.PostLeft) -> None:
    del state.staff[event.person]


def _table_opened(state: State, event: events.TableOpened) -> None:
    state.phase = Phase.BETTING


def _table_suspended(state: State, event: events.TableSuspended) -> None:
    state.suspended = True


def _table_resumed(state: State, event: events.TableResumed) -> None:
    state.suspended = False


def _limits_changed(state: State, event: events.LimitsChanged) -> None:
    changed = Limits.of(event.limits)
    state.coming_limits = changed
    if not event.from_next_coup:
        _put_up_limits(state)


def _table_inspected(state: State, event: events.TableInspected) -> None:
    state.inspected = True


def _ball_inspected(state: State, event: events.BallInspected) -> None:
    state.ball_to_inspect = False


def _table_reopened(state: State, event: events.TableReopened) -> None:
    for id, amount in event.returned:
        _give(state, _lift(state, id), amount)
    state.announcements.clear()
    state.won.clear()
    state.limits, state.coming_limits = Limits.of(event.limits), None


def _orphan_declared(state: State, event: events.OrphanDeclared) -> None:
    for id in event.stakes:
        stake = _lift(state, id)
        _forget_announcement(state, stake.announcement)
    _set_aside(state, event.player, event.amount)


def _put_up_limits(state: State) -> None:
    """Applies the limits that were announced."""
    if state.coming_limits is not None:
        state.limits, state.coming_limits = state.coming_limits, None


def _last_games_announced(state: State, event: events.LastGamesAnnounced) -> None:
    state.games_left = event.games


def _table_closed(state: State, event: events.TableClosed) -> None:
    state.phase = Phase.ENDED
    state.won.clear()


def _player_sat(state: State, event: events.PlayerSat) -> None:
    chip = state.setup.own_chips.get(event.player, state.setup.chip)
    state.players[event.player] = Player(name=event.player, chip=chip)


def _chips_bought(state: State, event: events.ChipsBought) -> None:
    player = state.players[event.player]
    player.purse += event.amount
    player.colour = event.colour
    player.chip = event.chip
    player.value_chips = event.value_chips


def _colour_converted(state: State, event: events.ColourConverted) -> None:
    player = state.players[event.player]
    player.value_chips = True
    # While chips of the colour are on the cloth, no other player can have it (AR-2.b, IT-gioco-4b).
    owners = {stake.player for stake in state.stakes.values()}
    if player.name not in owners | {prisoner.player for prisoner in state.prison.values()}:
        player.colour = None


def _stepped_away(state: State, event: events.PlayerSteppedAway) -> None:
    state.players[event.player].away = True


def _came_back(state: State, event: events.PlayerCameBack) -> None:
    state.players[event.player].away = False
    for id, stake in state.stakes.items():
        if stake.player == event.player and (stake.away or stake.waited is not None):
            state.stakes[id] = replace(stake, away=False, waited=None)
    for id, prisoner in state.prison.items():
        if prisoner.player == event.player and prisoner.away:
            state.prison[id] = replace(prisoner, away=False)


def _custody_claimed(state: State, event: events.CustodyClaimed) -> None:
    del state.custody[event.player]
    state.players[event.player].purse += event.amount


def _tip_given(state: State, event: events.TipGiven) -> None:
    state.players[event.player].purse -= event.amount


def _wrong_payment_made(state: State, event: events.WrongPaymentMade) -> None:
    state.wrong_payments[event.id] = event
    state.players[event.player].purse += event.amount


def _wrong_payment_corrected(state: State, event: events.WrongPaymentCorrected) -> None:
    wrong = state.wrong_payments.pop(event.id)
    state.players[wrong.player].purse -= wrong.amount


def _player_left(state: State, event: events.PlayerLeft) -> None:
    del state.players[event.player]


# Stakes -------------------------------------------------------------------------------------------


def _stake_placed(state: State, event: events.StakePlaced) -> None:
    if event.chips is not ChipKind.FOREIGN:
        state.players[event.player].purse -= event.amount
    if event.exception:
        state.exceptions.discard(event.player)
    # An id that is used again no longer refers to what won under it.
    state.won.pop(event.id, None)
    _lay(
        state,
        Stake(
            id=event.id,
            player=event.player,
            spot=spot(event.on),
            amount=event.amount,
            chip=event.chip,
            kind=event.chips,
            announcement=event.announcement,
            call=event.call,
            principal=event.principal,
            unclear=event.unclear,
            away=event.unattended,
            change_pending=event.change_pending,
            denomination=event.denomination,
        ),
    )


def _announcement_placed(state: State, event: events.AnnouncementPlaced) -> None:
    for name in (event.replays, event.id):
        state.won.pop(name or "", None)
    for id in event.from_cloth:
        stake = _lift(state, id)
        _give(state, stake, stake.amount)
        _forget_announcement(state, stake.announcement)
    state.announcements[event.id] = Announcement(
        event.id, event.player, event.call, event.amount, tuple(s.id for s in event.stakes)
    )
    for placed in event.stakes:
        _stake_placed(state, placed)


def _stake_moved(state: State, event: events.StakeMoved) -> None:
    stake = _lift(state, event.id)
    on = spot(event.on)
    stays = stake.left and on is stake.spot
    _lay(state, replace(stake, spot=on, announcement=None, call=None, left=stays))
    announcement = state.announcements.pop(stake.announcement or "", None)
    if announcement is not None:
        # A winner that is moved becomes a new stake.
        state.won.pop(announcement.id, None)
        left = tuple(piece for piece in announcement.pieces if piece != stake.id)
        if left:
            state.announcements[announcement.id] = replace(announcement, pieces=left)


def _correction_ordered(state: State, event: events.CorrectionOrdered) -> None:
    state.orders[event.id] = Order(event.id, event.on, event.by, event.reason)


def _stake_withdrawn(state: State, event: events.StakeWithdrawn) -> None:
    for id, amount in event.amounts.items():
        stake = _take(state, id, amount)
        _give(state, stake, amount)
        _forget_announcement(state, stake.announcement)
    announcement = state.announcements.get(event.id)
    if announcement is not None:
        left = announcement.amount - sum(event.amounts.values())
        state.announcements[event.id] = replace(announcement, amount=left)


def _stakes_returned(state: State, event: events.StakesReturned) -> None:
    touched: set[str] = set()
    for id, amount, _ in event.returned:
        if id in state.prison:
            prisoner = state.prison.pop(id)
            _give(state, prisoner, amount)
            state.bank += prisoner.amount - amount
            continue
        stake = _take(state, id, amount)
        _give(state, stake, amount)
        _forget_announcement(state, stake.announcement)
        touched.add(stake.announcement or "")
    for name in touched & state.announcements.keys():
        _recount(state, state.announcements[name])


def _recount(state: State, announcement: Announcement) -> None:
    """Updates an announcement that may be played again, if it is still complete (IT-rig-1)."""
    lying = [state.stakes[id].amount for id in announcement.pieces if id in state.stakes]
    call = call_of(state.book, announcement.call)
    pieces = None if call is None else laid(call, sum(lying))
    if pieces is not None and lying == [amount for _, amount in pieces]:
        state.announcements[announcement.id] = replace(announcement, amount=sum(lying))


def _choice_made(state: State, event: events.ChoiceMade) -> None:
    prisoner = state.prison[event.id]
    if event.line.held:
        state.prison[event.id] = replace(prisoner, pending=False)
    else:
        del state.prison[event.id]
        _give(state, prisoner, event.line.returned)
        _set_aside(state, prisoner.player, event.line.aside)
        state.bank += event.line.lost
    _reopen(state)


# The coup -----------------------------------------------------------------------------------------


def _reopen(state: State) -> None:
    """Opens betting, with the phase of choosing while a player may still choose."""
    choosing = any(prisoner.pending for prisoner in state.prison.values())
    state.phase = Phase.CHOOSING if choosing else Phase.BETTING


def _ball_launched(state: State, event: events.BallLaunched) -> None:
    state.ball_launched = True
    state.spins = event.spin


def _betting_closed(state: State, event: events.BettingClosed) -> None:
    state.phase = Phase.CLOSED
    state.orders.clear()
    # A stake whose owner did not choose stays in prison (AMB-ES-04).
    state.undecided = {id for id, prisoner in state.prison.items() if prisoner.pending}
    for id in state.undecided:
        state.prison[id] = replace(state.prison[id], pending=False)


def _exception_granted(state: State, event: events.ExceptionGranted) -> None:
    state.exceptions.add(event.player)


def _ball_voided(state: State, event: events.BallVoided) -> None:
    if state.book.zero.void_reopens_choice:
        for id in state.undecided:
            state.prison[id] = replace(state.prison[id], pending=True)
    state.undecided = set()
    _reopen(state)
    state.ball_launched = False
    state.exceptions.clear()
    if event.cause in state.book.wheel.inspect_after:
        state.ball_to_inspect = True
    if not state.limits_wait:
        _put_up_limits(state)


def _ball_pocketed(state: State, event: events.BallPocketed) -> None:
    state.phase = Phase.POCKETED
    state.number = event.number
    state.last = event.last
    state.undecided = set()
    state.exceptions.clear()
    state.won.clear()


def _number_called(state: State, event: events.NumberCalled) -> None:
    state.phase = Phase.COLLECTING
    state.settlement = event.settlement
    state.due = deque(payments(state.book, event.settlement))


def _number_questioned(state: State, event: events.NumberQuestioned) -> None:
    taken_back = event.number == event.before
    state.questioned = None if taken_back else Question(event.number, event.by, event.reason)


def _number_corrected(state: State, event: events.NumberCorrected) -> None:
    state.phase = Phase.POCKETED
    state.number = event.number
    state.questioned = None
    state.settlement = None
    state.due.clear()


def _settled(state: State) -> Settlement:
    """The coup's settlement; no valid log has an event that needs it before the call."""
    if state.settlement is None:
        raise ValueError("the number has not been called")
    return state.settlement


def _losers_collected(state: State, event: events.LosersCollected) -> None:
    state.phase = Phase.PAYING
    _apply(state, [line for line in _settled(state).lines if not line.won])


def _winners_paid(state: State, event: events.WinnersPaid) -> None:
    settled, reduces = _settled(state), state.book.reduction is not None
    paid: list[Line] = []
    for _ in range(event.payments):
        lines = state.due.popleft().lines
        paid += lines
        for made in straights_made(settled.pocket, lines) if reduces else ():
            _lay(state, made)
    _apply(state, paid)


def _apply(state: State, lines: Iterable[Line]) -> None:
    """Moves the chips of these lines."""
    lifted: list[str] = []
    gained = 0
    for line in lines:
        # A few parts are read faster by name than all of them at once.
        stake, won, lost = line.stake, line.won, line.lost
        gained += lost - won
        if not isinstance(stake, Prisoner) and lost == stake.amount + won:
            # Most lines: all is lost.
            lifted.append(stake.id)
        elif isinstance(stake, Prisoner) or line.held or line.stays or line.aside or line.reduced:
            if _apply_parts(state, line):
                lifted.append(stake.id)
        else:
            # What is not lost goes to the hand, and nothing is left on the cloth.
            lifted.append(stake.id)
            is_ours = stake.kind is not ChipKind.FOREIGN
            state.players[stake.player].purse += won + (stake.amount - lost if is_ours else 0)
    state.bank += gained
    _lift_all(state, lifted)


def _apply_parts(state: State, line: Line) -> bool:
    """Moves the chips of a line; returns whether its stake leaves the cloth."""
    stake = line.stake
    paid = line.won if _pays_out(line) else 0
    state.players[stake.player].purse += paid
    _give(state, stake, line.hand - paid)
    _set_aside(state, stake.player, line.aside)
    if isinstance(stake, Prisoner):
        del state.prison[stake.id]
    elif line.stays:
        lay = state.stakes[stake.id]
        waited = _waited(state, lay, line)
        _keep(state, replace(lay, amount=line.stays, waited=waited, left=True))
    if line.held:
        _imprison(state, line)
    return isinstance(stake, Stake) and not line.stays


def _set_aside(state: State, player: str, amount: int) -> None:
    """Puts an amount into the custody of the house."""
    if amount:
        state.custody[player] = state.custody.get(player, 0) + amount


def _waited(state: State, stake: Stake, line: Line) -> int | None:
    """How many coups an absent owner's winner has ridden unclaimed (IT-general-14b)."""
    absent = stake.away or state.players[stake.player].away
    if not absent or _pays_out(line):
        return None
    return 0 if stake.waited is None else stake.waited + 1


def _pays_out(line: Line) -> bool:
    """Whether the winnings go to the player, and neither ride nor wait in custody."""
    return line.hand >= line.won


def _imprison(state: State, line: Line) -> None:
    stake = line.stake
    zeros = stake.zeros + 1 if isinstance(stake, Prisoner) else 1
    pending = state.book.zero.simple is ZeroRule.CHOICE
    state.prison[stake.id] = Prisoner(
        id=stake.id,
        player=stake.player,
        spot=stake.spot,
        amount=line.held,
        zeros=zeros,
        chip=stake.chip,
        kind=stake.kind,
        away=stake.away,
        pending=pending,
    )


def _coup_ended(state: State, event: events.CoupEnded) -> None:
    state.won = _won_announcements(state)
    state.announcements = {
        id: replace(announcement, pieces=lying)
        for id, announcement in state.announcements.items()
        if (lying := tuple(piece for piece in announcement.pieces if piece in state.stakes))
    }
    over = state.last or event.games_left == 0
    _reopen(state)
    _put_up_limits(state)
    if over:
        state.phase = Phase.ENDED
    state.games_left = event.games_left
    state.coup += 1
    state.ball_launched = False
    state.number = None
    state.settlement = None


def _won_announcements(state: State) -> dict[str, Won]:
    """The announcements that have just won; pieces left of an earlier one do not count."""
    winners: dict[str, list[Line]] = {}
    for line in _settled(state).lines if state.announcements else ():
        stake = line.stake
        if line.won and isinstance(stake, Stake) and stake.announcement is not None:
            winners.setdefault(stake.announcement, []).append(line)
    return {
        id: Won(state.announcements[id], tuple(lines))
        for id, lines in winners.items()
        if id in state.announcements and is_whole(state.book, state.announcements[id])
    }


EVOLVERS: dict[type[events.Event], Callable[[State, Any], None]] = {
    events.PostTaken: _post_taken,
    events.PostLeft: _post_left,
    events.TableOpened: _table_opened,
    events.TableSuspended: _table_suspended,
    events.TableResumed: _table_resumed,
    events.LimitsChanged: _limits_changed,
    events.TableInspected: _table_inspected,
    events.TableReopened: _table_reopened,
    events.BallInspected: _ball_inspected,
    events.OrphanDeclared: _orphan_declared,
    events.LastGamesAnnounced: _last_games_announced,
    events.TableClosed: _table_closed,
    events.PlayerSat: _player_sat,
    events.ChipsBought: _chips_bought,
    events.ColourConverted: _colour_converted,
    events.PlayerSteppedAway: _stepped_away,
    events.PlayerCameBack: _came_back,
    events.CustodyClaimed: _custody_claimed,
    events.TipGiven: _tip_given,
    events.WrongPaymentMade: _wrong_payment_made,
    events.WrongPaymentCorrected: _wrong_payment_corrected,
    events.PlayerLeft: _player_left,
    events.StakePlaced: _stake_placed,
    events.AnnouncementPlaced: _announcement_placed,
    events.StakeMoved: _stake_moved,
    events.CorrectionOrdered: _correction_ordered,
    events.StakeWithdrawn: _stake_withdrawn,
    events.StakesReturned: _stakes_returned,
    events.ChoiceMade: _choice_made,
    events.BallLaunched: _ball_launched,
    events.BettingClosed: _betting_closed,
    events.ExceptionGranted: _exception_granted,
    events.BallVoided: _ball_voided,
    events.BallPocketed: _ball_pocketed,
    events.NumberCalled: _number_called,
    events.NumberQuestioned: _number_questioned,
    events.NumberCorrected: _number_corrected,
    events.LosersCollected: _losers_collected,
    events.WinnersPaid: _winners_paid,
    events.CoupEnded: _coup_ended,
}
"""Event → the function that applies it; a test fails if an event has none."""
