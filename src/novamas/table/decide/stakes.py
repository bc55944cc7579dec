"""Decisions about stakes: laid, announced, moved, withdrawn, corrected, chosen for, replayed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from novamas.game import announcements, chips
from novamas.game.cloth import SPOTS, Spot
from novamas.game.limits import short_stakes
from novamas.game.lines import Line, cited
from novamas.game.money import halve
from novamas.game.rulebook.behaviours import AbsenceEnds, Act, ChipKind, LimitsKept
from novamas.game.rulebook.model import Call
from novamas.game.stakes import Stake
from novamas.table import commands, events
from novamas.table.decide.checks import (
    require_act,
    require_amount,
    require_betting,
    require_for_player,
    require_not_suspended,
    require_open,
    require_player,
    require_zone,
)
from novamas.table.decide.names import call_named, spot_named
from novamas.table.identity import Identity
from novamas.table.refusals import RefusalReason, Refused
from novamas.table.state import BETTING, Announcement, Phase, Player, State, is_whole


def place_stake(state: State, command: commands.PlaceStake) -> Iterator[events.Event]:
    """Lays a stake on a spot of the cloth."""
    require_not_suspended(state)
    spot = _spot(state, command.on)
    exception = _may_lay(state, command.player, spot)
    require_for_player(state, by=command.by, player=command.player)
    if not _said_by_staff(state, command):
        _require_colour_to_place(state, command)
    require_zone(state, command.by, spot)
    _free_id(state, command.id, command.player)
    if not command.covered and state.book.announcements.must_be_covered:
        articles = state.book.announcements.cites.must_be_covered
        raise Refused(RefusalReason.CHIPS_NOT_LAID, articles, "lay the chips before betting closes")
    player = state.players[command.player]
    event = _stake(state, command, player, spot, exception=exception)
    _check_room(state, spot, event.amount, whose=event.principal or event.player)
    if event.chips is not ChipKind.FOREIGN:
        _check_purse(state, player, event.amount)
    if exception:
        _check_minimum(state, event)
    yield event


def _said_by_staff(state: State, command: commands.PlaceStake) -> bool:
    """Requires a post that places for players, for facts that only the staff can see.

    Returns whether it says such a fact: the staff then tells what a player laid.
    """
    said = False
    for word, is_said in (
        ("laid_for", command.laid_for is not None),
        ("value_unclear", command.value_unclear),
        ("foreign", command.foreign is not None),
        ("unattended", command.unattended),
        ("change_pending", command.change_pending),
        ("covered", not command.covered),
    ):
        if is_said:
            require_act(state, command.by, Act.PLACE_FOR_PLAYER, what=f"to say {word!r}")
            said = True
    return said


def _require_colour_to_place(state: State, command: commands.PlaceStake) -> None:
    """Requires that a player for whom the staff places holds a colour, where the house says so."""
    rules = state.book.chips
    by_staff = state.post_of(command.by) is not None
    if by_staff and rules.placing_needs_colour and state.players[command.player].value_chips:
        detail = f"{command.player} holds no colour and lays their own chips"
        raise Refused(RefusalReason.NOT_OF_THIS_POST, rules.cites.placing_needs_colour, detail)


def _stake(
    state: State, command: commands.PlaceStake, player: Player, spot: Spot, *, exception: bool
) -> events.StakePlaced:
    amount, unclear = command.amount, command.value_unclear
    kind = command.chips or state.kind_for(player, spot)
    pending = command.change_pending and state.book.chips.change_pending
    if pending and command.chips is None and player.value_chips:
        kind = ChipKind.VALUE
    chip = state.chip_for(player, kind)
    if command.foreign is not None:
        require_amount(command.foreign.number, "foreign.number")
        require_amount(command.foreign.opening_minimum, "foreign.opening_minimum")
        if command.foreign.value is not None:
            require_amount(command.foreign.value, "foreign.value")
        kind, amount = ChipKind.FOREIGN, command.foreign.worth
        chip, unclear = amount // command.foreign.number, command.foreign.value is None
        if not state.book.chips.foreign_paid:
            articles = state.book.chips.cites.bought_here
            raise Refused(RefusalReason.CHIPS_NOT_BOUGHT_HERE, articles, "buy chips at this table")
    elif kind not in chips.kinds_for(state.book, spot) and not (pending and kind is ChipKind.VALUE):
        taken = " or ".join(chips.kinds_for(state.book, spot))
        articles = chips.articles_for(state.book, spot)
        raise Refused(
            RefusalReason.CHIPS_NOT_TAKEN_HERE, articles, f"{spot.name} takes {taken} chips"
        )
    else:
        _require_chips_of(state, player, kind, spot, said=command.chips is not None)
    require_amount(amount)
    _whole_chips(state, kind, amount, chip)
    denomination = command.denomination if kind is ChipKind.VALUE else None
    if denomination is not None:
        require_amount(denomination, "denomination")
        if state.setup.live and amount % denomination:
            detail = f"value chips of {denomination} make no {amount}"
            raise Refused(RefusalReason.NOT_WHOLE_CHIPS, detail=detail)
    _alone_with_value(state, player.name, spot, kind, denomination)
    return events.StakePlaced(
        id=command.id,
        player=player.name,
        on=spot.name,
        amount=amount,
        chip=chip,
        chips=kind,
        by=str(command.by),
        principal=_principal(state, command),
        unclear=unclear,
        unattended=command.unattended,
        exception=exception,
        change_pending=pending,
        denomination=denomination,
    )


def _require_chips_of(
    state: State, player: Player, kind: ChipKind, spot: Spot, *, said: bool
) -> None:
    """Requires that a player who lays colour chips holds some."""
    if kind is not ChipKind.COLOUR or not player.value_chips:
        return
    if not said:
        # The player lays the chips that they hold, and the house does not take those here.
        detail = f"{spot.name} takes no value chips"
        articles = chips.articles_for(state.book, spot)
        raise Refused(RefusalReason.CHIPS_NOT_TAKEN_HERE, articles, detail)
    articles = state.book.chips.cites.bought_here
    raise Refused(RefusalReason.EXCEEDS_PURSE, articles, f"{player.name} holds value chips")


def _alone_with_value(
    state: State, player: str, spot: Spot, kind: ChipKind, denomination: int | None
) -> None:
    """Requires that no other player has value chips of this denomination on the numbers."""
    rules = state.book.chips
    if not rules.one_player_per_value or kind is not ChipKind.VALUE or not spot.kind.on_numbers:
        return
    for stake in state.stakes.values():
        alike = stake.kind is ChipKind.VALUE and stake.denomination == denomination
        if alike and stake.spot.kind.on_numbers and stake.player != player:
            detail = f"{stake.player} has value chips of this colour on the numbers"
            articles = rules.cites.one_player_per_value
            raise Refused(RefusalReason.VALUE_CHIPS_OF_ANOTHER, articles, detail)


def _principal(state: State, command: commands.PlaceStake) -> str | None:
    if command.laid_for is None:
        return None
    id = command.laid_for
    stake, announcement = state.stakes.get(id), state.announcements.get(id)
    if stake is not None:
        whose = stake.whose
    elif announcement is not None:
        whose = announcement.player
    else:
        raise Refused(RefusalReason.NO_SUCH_STAKE, detail=f"no stake {id} lies on the cloth")
    third_party = state.book.limits.third_parties and whose != command.player
    return whose if third_party else None


def _spot(state: State, name: str) -> Spot:
    spot = spot_named(state.book, name)
    cites = state.book.betting.cites
    straddle = "+" in (name if spot is None else spot.name)
    articles = (straddle and cites.no_straddle) or cites.not_marked
    if spot is None:
        raise Refused(RefusalReason.NO_SUCH_SPOT, articles, f"the cloth has no {name!r}")
    if not state.book.offers(spot):
        raise Refused(
            RefusalReason.SPOT_NOT_ON_THIS_CLOTH, articles, f"{spot.name} cannot be played here"
        )
    return spot


def _may_lay(state: State, player: str, spot: Spot) -> bool:
    """Requires that a stake may be laid now; returns True if only by the chief's exception."""
    require_open(state)
    if state.phase is Phase.CLOSED and player in state.exceptions:
        return True
    if not (state.phase is Phase.PAYING and state.book.betting.stakes_while_paying):
        require_betting(state, state.book.betting.cites.no_stake)
    _not_being_paid(state, (spot,), state.book.betting.cites.stakes_while_paying)
    return False


def _may_announce(state: State, call: Call) -> None:
    """Requires that announcements are taken now: while betting is open, or during payments."""
    require_open(state)
    if not (state.phase is Phase.PAYING and state.book.betting.announcements_while_paying):
        require_betting(state, state.book.betting.cites.no_stake)
    _not_being_paid(state, call.pieces, state.book.betting.cites.announcements_while_paying)


def _not_being_paid(state: State, spots: Iterable[Spot], articles: tuple[str, ...]) -> None:
    """Requires during payments that the spot does not hold the winning number."""
    if state.phase is Phase.PAYING and any(state.number in spot.numbers for spot in spots):
        raise Refused(
            RefusalReason.SPOT_IS_BEING_PAID, articles, "wait until all payments are made"
        )


def _free_id(state: State, id: str, player: str, *, giving_up: Iterable[str] = ()) -> None:
    """Requires that an id is free; the ids in `giving_up` count as free.

    A piece keeps its id as long as its announcement, even after it was collected. An announcement
    that has just won keeps its id, so that nobody else can take its replay away. A stake that a
    reduction makes has its id from the call on, although it is laid with the payment.
    """
    lies = id in state.stakes or id in state.announcements or id in state.prison
    if state.book.reduction is not None and state.settlement is not None:
        lies = lies or any(made.id == id for made in state.settlement.made)
    whole = id.rpartition("/")[0]
    announcement = None if whole in giving_up else state.announcements.get(whole)
    is_piece = announcement is not None and id in announcement.pieces
    won = (state.won.get(id), state.won.get(whole))
    is_won = any(each is not None and each.announcement.player != player for each in won)
    if not id or (lies and id not in giving_up) or is_piece or is_won:
        raise Refused(RefusalReason.ID_IN_USE, detail=f"another stake is called {id!r}")


def _whole_chips(state: State, kind: ChipKind, amount: int, chip: int) -> None:
    """Requires whole chips: of colour chips always, and of all chips at a live table (X-03)."""
    if state.setup.live and kind is not ChipKind.FOREIGN and amount % state.setup.chip:
        detail = f"the smallest chip of this table is worth {state.setup.chip}"
        raise Refused(RefusalReason.NOT_WHOLE_CHIPS, ("X-03",), detail)
    if kind is ChipKind.COLOUR and amount % chip:
        detail = f"chips are worth {chip} each"
        raise Refused(RefusalReason.NOT_WHOLE_CHIPS, state.book.chips.cites.own_colour, detail)


def _check_purse(state: State, player: Player, amount: int) -> None:
    if amount > player.purse:
        articles = state.book.chips.cites.bought_here
        detail = f"{player.purse} in hand at this table"
        raise Refused(RefusalReason.EXCEEDS_PURSE, articles, detail)


def _check_room(state: State, spot: Spot, amount: int, *, whose: str, without: int = 0) -> None:
    """Requires that all a player answers for on the spot stays within an enforced maximum."""
    if state.setup.limits_kept is not LimitsKept.ENFORCED:
        return
    terms = state.book.terms[spot]
    most = state.limits.maximum(terms)
    if most is None:
        return
    there = state.on_spot.get((whose, spot), 0) - without
    if there + amount > most:
        articles = cited(state.book.limits.cites.maximum, terms.limit_cites)
        detail = f"{spot.name} takes at most {most} a player, and {there} lies there"
        raise Refused(RefusalReason.EXCEEDS_MAXIMUM, articles, detail)


def _check_minimum(state: State, event: events.StakePlaced) -> None:
    """Checks the minimum of a stake laid by exception at once, because betting has closed."""
    laid = Stake(
        event.id, event.player, SPOTS[event.on], event.amount, chip=event.chip, kind=event.chips
    )
    stakes, kept = (*state.stakes.values(), laid), state.setup.limits_kept
    for short in short_stakes(state.book, stakes, state.limits, kept):
        if short.stake is laid:
            raise Refused(RefusalReason.STAKE_BELOW_MINIMUM, short.articles, "it would not play")


# Announcements ------------------------------------------------------------------------------------


def announce(state: State, command: commands.Announce) -> Iterator[events.Event]:
    """Takes an announcement; its pieces are laid, or held until they are placed."""
    require_not_suspended(state)
    call = call_named(state.book, command.call)
    if call is None:
        articles = state.book.announcements.cites.not_taken
        detail = f"this house takes no {command.call!r}"
        raise Refused(RefusalReason.ANNOUNCEMENT_NOT_TAKEN, articles, detail)
    _may_announce(state, call)
    require_for_player(state, by=command.by, player=command.player)
    if not command.covered:
        require_act(state, command.by, Act.PLACE_FOR_PLAYER, what="to say 'covered'")
    require_zone(state, command.by, *call.pieces)
    _free_id(state, command.id, command.player)
    if not command.covered and state.book.announcements.must_be_covered:
        articles = state.book.announcements.cites.must_be_covered
        raise Refused(RefusalReason.CHIPS_NOT_LAID, articles, "lay the chips before betting closes")
    player = state.players[command.player]
    stakes = _pieces(state, call, command.amount, player, id=command.id, by=str(command.by))
    for stake in stakes:
        _free_id(state, stake.id, player.name)
        _check_room(state, SPOTS[stake.on], stake.amount, whose=player.name)
    _check_purse(state, player, command.amount)
    yield events.AnnouncementPlaced(
        id=command.id,
        player=player.name,
        call=call.name,
        amount=command.amount,
        by=str(command.by),
        stakes=stakes,
        articles=call.cites,
    )


def _pieces(
    state: State, call: Call, amount: int, player: Player, *, id: str, by: str
) -> tuple[events.StakePlaced, ...]:
    require_amount(amount)
    laid = announcements.laid(call, amount)
    if laid is None:
        detail = f"{call.name} has {len(call.pieces)} pieces; stake a multiple of that"
        raise Refused(RefusalReason.ANNOUNCEMENT_NOT_EVEN, call.cites, detail)
    kind = state.kind_for(player, call.pieces[0])
    _require_chips_of(state, player, kind, call.pieces[0], said=False)
    chip = state.chip_for(player, kind)
    _whole_chips(state, kind, amount // len(call.pieces), chip)
    return tuple(
        events.StakePlaced(
            id=f"{id}/{number}",
            player=player.name,
            on=spot.name,
            amount=each,
            chip=chip,
            chips=kind,
            by=by,
            announcement=id,
            call=call.name,
        )
        for number, (spot, each) in enumerate(laid, start=1)
    )


def replay_announcement(
    state: State, command: commands.ReplayAnnouncement
) -> Iterator[events.Event]:
    """Plays again an announcement that has just won (IT-rig)."""
    require_not_suspended(state)
    rules = state.book.announcements
    if not rules.replays:
        raise Refused(RefusalReason.REPLAY_NOT_OFFERED, rules.cites.replays)
    require_betting(state, state.book.betting.cites.no_stake)
    won = state.won.get(command.id)
    if won is None:
        detail = f"{command.id} did not win in the last coup"
        raise Refused(RefusalReason.NOTHING_TO_REPLAY, rules.cites.replays, detail)
    old = won.announcement
    require_for_player(state, by=command.by, player=old.player)
    call = announcements.call_of(state.book, old.call)
    require_zone(state, command.by, *(() if call is None else call.pieces))
    again = (
        None if call is None else announcements.replay(state.book, call, old.amount, command.mode)
    )
    if call is None or again is None:
        detail = f"{old.call} is not played {command.mode.value.replace('_', ' ')}"
        raise Refused(RefusalReason.REPLAY_NOT_OFFERED, rules.cites.of_replay[command.mode], detail)
    if command.new_id == old.id and again.winners_stay:
        detail = f"the pieces that stay are called {old.id!r}"
        raise Refused(RefusalReason.ID_IN_USE, detail=detail)
    yield from _replayed(state, command, won.winners, old, call, again)


def _replayed(
    state: State,
    command: commands.ReplayAnnouncement,
    winners: Iterable[Line],
    old: Announcement,
    call: Call,
    again: announcements.Replayed,
) -> Iterator[events.Event]:
    player = state.players[old.player]
    stakes = _pieces(state, call, again.amount, player, id=command.new_id, by=str(command.by))
    lying = [s for w in winners if (s := _piece_of(state, old, w.stake.id)) is not None]
    gone = [w.stake for w in winners if _piece_of(state, old, w.stake.id) is None]
    absorbed = () if again.winners_stay else tuple(stake.id for stake in lying)
    cost = again.amount - sum(stake.amount for stake in lying if stake.id in absorbed)
    # With a rifare the winning pieces stay where they won; pieces paid to the hand are laid again.
    put_back = [s for s in gone if again.winners_stay and isinstance(s, Stake)]
    cost += sum(stake.amount for stake in put_back)
    for id in (command.new_id, *(s.id for s in stakes)):
        own = (*absorbed, *((old.id,) if absorbed else ()))
        _free_id(state, id, player.name, giving_up=own)
    for back in put_back:
        _free_id(state, back.id, player.name, giving_up=(old.id,))
    for placed in stakes:
        freed = sum(s.amount for s in lying if s.id in absorbed and s.spot.name == placed.on)
        kept = sum(s.amount for s in put_back if s.spot.name == placed.on)
        _check_room(state, SPOTS[placed.on], placed.amount + kept, whose=player.name, without=freed)
    _check_purse(state, player, cost)
    yield events.AnnouncementPlaced(
        id=command.new_id,
        player=player.name,
        call=call.name,
        amount=again.amount,
        by=str(command.by),
        stakes=stakes,
        from_cloth=absorbed,
        replays=old.id,
        mode=command.mode,
        articles=again.articles,
    )
    if put_back:
        yield events.AnnouncementPlaced(
            id=old.id,
            player=player.name,
            call=call.name,
            amount=sum(stake.amount for stake in put_back),
            by=str(command.by),
            stakes=tuple(
                events.StakePlaced(
                    id=stake.id,
                    player=player.name,
                    on=stake.spot.name,
                    amount=stake.amount,
                    chip=stake.chip,
                    chips=stake.kind,
                    by=str(command.by),
                    announcement=old.id,
                    call=call.name,
                )
                for stake in put_back
            ),
            articles=again.articles,
        )


def _piece_of(state: State, announcement: Announcement, id: str) -> Stake | None:
    """A piece of an announcement that is still on the cloth."""
    stake = state.stakes.get(id)
    return stake if stake is not None and stake.announcement == announcement.id else None


# Changes ------------------------------------------------------------------------------------------


def _own(state: State, id: str, by: Identity) -> Stake:
    """A stake on the cloth that the person may change: their own, or as a post for its owner."""
    stake = state.stakes.get(id)
    if stake is None:
        raise Refused(RefusalReason.NO_SUCH_STAKE, detail=f"no stake {id!r} lies on the cloth")
    _owner(state, stake.player, by)
    require_zone(state, by, stake.spot)
    return stake


def _owner(state: State, player: str, by: Identity) -> None:
    if by != player and not state.may(by, Act.PLACE_FOR_PLAYER):
        other_use = state.book.chips.cites.other_use
        raise Refused(RefusalReason.NOT_THEIR_STAKE, other_use, f"it belongs to {player}")


def _changeable(state: State) -> None:
    """Requires open betting; winners may change only after all payments (IT-general-12)."""
    hands_off = state.book.betting.cites.hands_off
    if state.phase in (Phase.COLLECTING, Phase.PAYING) and hands_off:
        raise Refused(
            RefusalReason.HANDS_OFF_UNTIL_PAID, hands_off, "wait until all payments are made"
        )
    if state.phase is not Phase.ENDED:
        require_betting(state, state.book.betting.cites.no_change)


def move_stake(state: State, command: commands.MoveStake) -> Iterator[events.Event]:
    """Moves a stake to another spot."""
    require_not_suspended(state)
    _changeable(state)
    require_betting(state, state.book.betting.cites.no_change)
    stake = _own(state, command.id, command.by)
    spot = room_at(state, stake, command.on)
    require_zone(state, command.by, spot)
    yield events.StakeMoved(
        id=stake.id,
        on=spot.name,
        by=str(command.by),
        correction=False,
        articles=(),
        before=stake.spot.name,
    )


def room_at(state: State, stake: Stake, on: str) -> Spot:
    """The spot to which a stake is moved; requires that it may lie there."""
    announcement = state.announcements.get(stake.announcement or "")
    if announcement is not None and is_whole(state.book, announcement):
        detail = "a piece of an announcement stays with it"
        raise Refused(RefusalReason.PIECE_OF_AN_ANNOUNCEMENT, detail=detail)
    spot = _spot(state, on)
    taken = stake.change_pending or stake.kind is ChipKind.FOREIGN
    if not taken and stake.kind not in chips.kinds_for(state.book, spot):
        raise Refused(RefusalReason.CHIPS_NOT_TAKEN_HERE, chips.articles_for(state.book, spot))
    _alone_with_value(state, stake.player, spot, stake.kind, stake.denomination)
    without = stake.amount if spot is stake.spot else 0
    _check_room(state, spot, stake.amount, whose=stake.whose, without=without)
    return spot


def withdraw_stake(state: State, command: commands.WithdrawStake) -> Iterator[events.Event]:
    """Takes a stake, an announcement, or a part of one back to the hand."""
    require_open_or_ended(state)
    _changeable(state)
    if command.amount is not None:
        require_amount(command.amount)
    announcement = state.announcements.get(command.id)
    if announcement is not None:
        _owner(state, announcement.player, command.by)
        lying = (state.stakes[id].spot for id in announcement.pieces if id in state.stakes)
        require_zone(state, command.by, *lying)
        amounts = _part_of_announcement(state, announcement, command.amount)
    else:
        stake = _own(state, command.id, command.by)
        if stake.announcement is not None:
            raise Refused(
                RefusalReason.PIECE_OF_AN_ANNOUNCEMENT, detail=f"withdraw {stake.announcement}"
            )
        amounts = {stake.id: _part(state, stake, command.amount)}
    yield events.StakeWithdrawn(id=command.id, amounts=amounts)


def require_open_or_ended(state: State) -> None:
    """Requires an open table, or a closed one, which still gives back what lies on it."""
    if state.phase is not Phase.ENDED:
        require_open(state)


def _part(state: State, stake: Stake, amount: int | None) -> int:
    if amount is None:
        return stake.amount
    if amount > stake.amount:
        raise Refused(RefusalReason.MORE_THAN_STAKED, detail=f"{stake.amount} lies there")
    _whole_chips(state, stake.kind, amount, stake.chip)
    return amount


def _part_of_announcement(
    state: State, announcement: Announcement, amount: int | None
) -> dict[str, int]:
    pieces = [state.stakes[id] for id in announcement.pieces if id in state.stakes]
    lying = sum(stake.amount for stake in pieces)
    if amount is None or amount == lying:
        return {stake.id: stake.amount for stake in pieces}
    if amount > lying:
        raise Refused(RefusalReason.MORE_THAN_STAKED, detail=f"{lying} lies there")
    taken = {stake.id: stake.amount * amount // lying for stake in pieces}
    if any(stake.amount * amount % lying for stake in pieces):
        raise Refused(
            RefusalReason.ANNOUNCEMENT_NOT_EVEN, detail="take the same part of every piece"
        )
    for stake in pieces:
        _whole_chips(state, stake.kind, taken[stake.id], stake.chip)
    return taken


def choose_after_zero(state: State, command: commands.ChooseAfterZero) -> Iterator[events.Event]:
    """Takes half of a stake that met zero, or leaves it in prison (ES-7.2.b)."""
    zero = state.book.zero
    prisoner = state.prison.get(command.id)
    if prisoner is None or not prisoner.pending or state.phase not in BETTING:
        detail = f"no choice is open for {command.id!r}"
        raise Refused(RefusalReason.NO_CHOICE_PENDING, zero.cites.prison, detail)
    require_player(state, prisoner.player)
    _owner(state, prisoner.player, command.by)
    require_zone(state, command.by, prisoner.spot)
    terms = state.book.terms[prisoner.spot]
    if command.choice is commands.Choice.PRISON:
        articles = cited(terms.spot_cites, zero.cites.prison)
        line = Line(prisoner, held=prisoner.amount, articles=articles)
    else:
        back, lost = halve(prisoner.amount)
        if zero.small_halves_stay and prisoner.zeros > 1 and back < state.limits.minimum(terms):
            detail = f"its half, {back}, is below the minimum"
            raise Refused(RefusalReason.MUST_STAY_IN_PRISON, zero.cites.small_halves_stay, detail)
        again = zero.cites.again if prisoner.zeros > 1 else ()
        rounded = state.book.settled.rounded if back != lost else ()
        articles = cited(terms.spot_cites, zero.cites.half, again, rounded)
        line = Line(prisoner, returned=back, lost=lost, articles=articles)
        absence = state.book.absence
        if prisoner.away and absence.until is AbsenceEnds.DECLARED:
            articles = cited(articles, absence.cites.declared)
            line = Line(prisoner, lost=lost, aside=back, articles=articles)
    settled = replace(prisoner, pending=False)
    yield events.ChoiceMade(
        id=prisoner.id, choice=command.choice, line=line._replace(stake=settled)
    )
