"""Decisions about people: staff at their posts, players, their chips, and the table as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from novamas.game import staffing
from novamas.game.chips import free_colour, takes
from novamas.game.cloth import SpotClass
from novamas.game.limits import LimitsError
from novamas.game.lines import cited
from novamas.game.money import halve
from novamas.game.rulebook.behaviours import (
    Act,
    ChipKind,
    ColourWorth,
    Invitation,
    LimitsChange,
    NewWorth,
    ZeroRule,
)
from novamas.table import commands, events
from novamas.table.decide.checks import (
    require_act,
    require_act_or_management,
    require_amount,
    require_betting,
    require_last_games_played,
    require_lawful_placard,
    require_name,
    require_open,
    require_player,
)
from novamas.table.decide.inspections import require_inspected_table
from novamas.table.identity import Identity, is_management, read_identity
from novamas.table.refusals import RefusalReason, Refused
from novamas.table.state import BETTING, Phase, Player, State
from novamas.wording.calls import invitation


def take_post(state: State, command: commands.TakePost) -> Iterator[events.Event]:
    """Takes a post that the book has and that is free."""
    post = state.book.posts.get(command.post)
    if post is None:
        known = ", ".join(state.book.posts)
        raise Refused(RefusalReason.NO_SUCH_POST, detail=f"the posts of this table are {known}")
    require_name(command.by)
    if is_management(read_identity(str(command.by))):
        raise Refused(
            RefusalReason.ONE_POST_PER_PERSON, detail="the management holds no post at a table"
        )
    if command.by in state.staff:
        raise Refused(
            RefusalReason.ONE_POST_PER_PERSON, detail=f"{command.by} already holds a post"
        )
    if command.by in state.players:
        raise Refused(
            RefusalReason.STAFF_DOES_NOT_PLAY, detail=f"{command.by} is seated as a player"
        )
    place = None
    if command.relieves is not None:
        if state.staff.get(command.relieves) != post.name:
            raise Refused(
                RefusalReason.NO_SUCH_POST, detail=f"{command.relieves} is not at that post"
            )
        # The relief takes over the place and the turn to spin of the person relieved (ES-P.4).
        place = state.posts_of(post.name).index(command.relieves)
        yield events.PostLeft(person=command.relieves, post=post.name)
    elif len(state.posts_of(post.name)) >= (most := staffing.most(post, double=state.setup.double)):
        cites = (state.setup.double and post.cites.double_at_most) or post.cites.at_most
        raise Refused(RefusalReason.POST_IS_FULL, cites, f"{most} at most")
    yield events.PostTaken(person=str(command.by), post=post.name, place=place)


def leave_post(state: State, command: commands.LeavePost) -> Iterator[events.Event]:
    """Leaves a post, unless an open table requires it to be held."""
    post = state.post_of(command.by)
    if post is None:
        raise Refused(RefusalReason.NOT_OF_THIS_POST, detail=f"{command.by} holds no post")
    if state.phase not in (Phase.OPENING, Phase.ENDED):
        left = state.held() - Counter((post.name,))
        needed = staffing.unmet(state.book, left, double=state.setup.double)
        if needed is not None:
            detail = f"the table needs its staff: {needed.word}"
            raise Refused(RefusalReason.POST_IS_NEEDED, needed.articles, detail)
    yield events.PostLeft(person=str(command.by), post=post.name)


def open_table(state: State, command: commands.OpenTable) -> Iterator[events.Event]:
    """Opens the table if every post that the book requires is held."""
    require_management_or_staff(state, command.by)
    if state.phase is Phase.ENDED:
        raise Refused(RefusalReason.TABLE_IS_CLOSED, detail="open a new table")
    if state.phase is not Phase.OPENING:
        raise Refused(RefusalReason.TABLE_ALREADY_OPEN)
    wanted = staffing.unmet(state.book, state.held(), double=state.setup.double)
    if wanted is not None:
        raise Refused(RefusalReason.POST_MUST_BE_HELD, wanted.articles, wanted.word)
    require_inspected_table(state)
    if state.setup.limits_kept not in state.book.limits.kept:
        detail = "this house has no articles on excess"
        raise Refused(RefusalReason.LIMITS_ARE_ENFORCED, state.book.limits.cites.kept, detail)
    if state.setup.live and state.setup.chip % 2:
        detail = "a live table's chip is an even number of units"
        raise Refused(RefusalReason.CHIP_MUST_HALVE_EVENLY, ("X-03",), detail)
    require_lawful_placard(state.book, state.setup, state.limits)
    yield events.TableOpened(call=invitation(state.book, Invitation.BETTING))


def require_management_or_staff(state: State, person: Identity) -> None:
    """Requires the management, or a person who holds a post at this table."""
    if not is_management(person) and person not in state.staff:
        raise Refused(
            RefusalReason.NOT_OF_THIS_POST, detail=f"{person} holds no post at this table"
        )


def suspend(state: State, command: commands.Suspend) -> Iterator[events.Event]:
    """Suspends play; a coup that is already running is still finished."""
    require_act_or_management(state, command.by, Act.SUSPEND)
    require_open(state)
    if state.suspended:
        raise Refused(RefusalReason.TABLE_IS_SUSPENDED)
    articles = state.book.closing.cites.suspension
    yield events.TableSuspended(by=str(command.by), reason=command.reason, articles=articles)


def resume(state: State, command: commands.Resume) -> Iterator[events.Event]:
    """Resumes play."""
    require_act_or_management(state, command.by, Act.SUSPEND)
    if not state.suspended:
        raise Refused(RefusalReason.TABLE_NOT_SUSPENDED)
    yield events.TableResumed(by=str(command.by), reason=command.reason)


def change_limits(state: State, command: commands.ChangeLimits) -> Iterator[events.Event]:
    """Changes the placard: before the table opens, or during the day where the book allows it."""
    rules = state.book.limits
    if state.phase is not Phase.OPENING and rules.change is not LimitsChange.WHILE_OPEN:
        detail = "limits may not change while the table is open"
        raise Refused(RefusalReason.LIMITS_STAY_WHILE_OPEN, rules.cites.change, detail)
    require_act_or_management(state, command.by, Act.CHANGE_LIMITS)
    if state.phase is not Phase.OPENING:
        require_open(state)
    before = state.coming_limits or state.limits
    try:
        changed = before.changed(command.limits)
    except LimitsError as problem:
        raise Refused(RefusalReason.LIMITS_NOT_VALID, detail=str(problem)) from None
    require_lawful_placard(state.book, state.setup, changed)
    cites = rules.cites.change
    if state.phase is not Phase.OPENING:
        cites = cited(cites, rules.cites.change_binds)
    yield events.LimitsChanged(
        by=str(command.by),
        limits=changed.as_data(),
        articles=cites,
        from_next_coup=state.limits_wait,
        before=before.as_data(),
        reason=command.reason,
    )


def reopen_table(state: State, command: commands.ReopenTable) -> Iterator[events.Event]:
    """Closes and reopens the table with another placard, between two coups (FR-53.l)."""
    rules = state.book.limits
    if rules.change is not LimitsChange.BY_REOPENING:
        raise Refused(RefusalReason.NO_REOPENING_IN_THE_BOOK, rules.cites.change)
    require_act_or_management(state, command.by, Act.CHANGE_LIMITS)
    require_open(state)
    if state.phase not in BETTING or state.ball_launched:
        detail = "the coup must be ended first"
        raise Refused(RefusalReason.COUP_IN_PLAY, rules.cites.change, detail)
    if state.prison:
        detail = "a stake in prison waits for a number of this session"
        raise Refused(RefusalReason.STAKES_IN_PRISON, rules.cites.change, detail)
    try:
        changed = state.limits.changed(command.limits)
    except LimitsError as problem:
        raise Refused(RefusalReason.LIMITS_NOT_VALID, detail=str(problem)) from None
    require_lawful_placard(state.book, state.setup, changed)
    yield events.TableReopened(
        by=str(command.by),
        limits=changed.as_data(),
        before=state.limits.as_data(),
        returned=tuple((stake.id, stake.amount) for stake in state.stakes.values()),
        articles=rules.cites.change,
        call=invitation(state.book, Invitation.BETTING),
        reason=command.reason,
    )


def announce_last_games(
    state: State, command: commands.AnnounceLastGames
) -> Iterator[events.Event]:
    """Announces the last games, where the house counts them (BG-30a)."""
    rules = state.book.closing
    if not rules.last_games:
        raise Refused(RefusalReason.NO_LAST_GAMES_IN_THE_BOOK, rules.cites.last_games)
    require_act(state, command.by, Act.ANNOUNCE_LAST_GAMES)
    require_betting(state, state.book.betting.cites.no_stake)
    if state.games_left is not None:
        raise Refused(RefusalReason.LAST_GAMES_ALREADY_ANNOUNCED, rules.cites.left)
    yield events.LastGamesAnnounced(
        games=rules.last_games,
        call=state.book.calls.last_games,
        articles=rules.cites.last_games,
    )


def close_table(
    state: State, command: commands.CloseTable, *, out_of_play: bool = False
) -> Iterator[events.Event]:
    """Closes the table between two coups; what lies on it is returned, and colours are changed.

    A table that its house took out of play cannot play last games, so it need not.
    """
    require_act_or_management(state, command.by, Act.CLOSE_TABLE)
    if state.phase not in (Phase.OPENING, *BETTING, Phase.ENDED) or state.ball_launched:
        raise Refused(RefusalReason.COUP_IN_PLAY, detail="the coup must be ended first")
    rules = state.book.closing
    if state.phase in BETTING and not out_of_play:
        require_last_games_played(state)
    back: list[tuple[str, int, tuple[str, ...]]] = [
        (stake.id, stake.amount, ()) for stake in state.stakes.values()
    ]
    zero = state.book.zero
    for prisoner in state.prison.values():
        forced = zero.simple is ZeroRule.CHOICE and zero.last_is_forced
        # No later coup can free the stake: the half must be taken, or the odd chip goes to the
        # player.
        amount = halve(prisoner.amount).player if forced else prisoner.amount
        articles = zero.cites.last_is_forced if forced else ("X-03",)
        back.append((prisoner.id, amount, articles))
    if back:
        yield events.StakesReturned(returned=tuple(back))
    worth = {name: player.purse for name, player in state.players.items()}
    for id, amount, _ in back:
        owner = state.stakes.get(id) or state.prison[id]
        # Chips of another table are handed back as they are.
        if owner.kind is not ChipKind.FOREIGN:
            worth[owner.player] += amount
    for player in state.players.values():
        yield from _convert(state, player, worth[player.name])
    counted = state.games_left == 0
    articles = (not counted and rules.cites.empty) or rules.cites.last_games
    yield events.TableClosed(by=str(command.by), articles=articles)


def _convert(state: State, player: Player, worth: int) -> Iterator[events.Event]:
    if player.colour is None or not state.book.chips.converted_on_leaving:
        return
    yield events.ColourConverted(
        player=player.name,
        colour=player.colour,
        chips=worth // player.chip,
        chip=player.chip,
        amount=worth,
        articles=state.book.chips.cites.converted_on_leaving,
    )


def _seat_cites(state: State) -> tuple[str, ...]:
    rules = state.book.seats
    if rules is None:
        return ()
    return rules.cites.double if state.setup.double else rules.cites.at_most


def sit(state: State, command: commands.Sit) -> Iterator[events.Event]:
    """Takes a seat."""
    if state.phase is Phase.ENDED:
        raise Refused(RefusalReason.TABLE_IS_CLOSED)
    require_name(command.by)
    if command.by in state.players:
        raise Refused(RefusalReason.ALREADY_SEATED)
    # Nobody plays under a name that reads like the management's in the log.
    if command.by in state.staff or is_management(read_identity(str(command.by))):
        raise Refused(RefusalReason.STAFF_DOES_NOT_PLAY)
    if state.seats is not None and len(state.players) >= state.seats:
        detail = f"{state.seats} players sit here already"
        raise Refused(RefusalReason.NO_SEAT_LEFT, _seat_cites(state), detail)
    yield events.PlayerSat(player=str(command.by))


def buy_chips(state: State, command: commands.BuyChips) -> Iterator[events.Event]:
    """Sells chips to a player: of a colour that no other player has, or value chips (AR-2)."""
    player = require_player(state, command.player)
    require_act(state, command.by, Act.SELL_CHIPS)
    if state.phase is Phase.ENDED:
        raise Refused(RefusalReason.TABLE_IS_CLOSED)
    require_amount(command.amount)
    chips = state.book.chips
    cites = chips.cites.bought_here
    chip = _worth(state, player) if command.chip is None else command.chip
    require_amount(chip, "chip")
    only_value = not takes(state.book, ChipKind.COLOUR)
    if command.value_chips or only_value:
        if not takes(state.book, ChipKind.VALUE):
            raise Refused(RefusalReason.CHIPS_NOT_TAKEN_HERE, chips.cites.on_numbers)
        if only_value and command.chip is not None:
            detail = "this house sells value chips alone"
            raise Refused(RefusalReason.CHIPS_NOT_TAKEN_HERE, chips.cites.on_numbers, detail)
        if state.setup.live and command.amount % state.setup.chip:
            detail = f"the smallest chip of this table is worth {state.setup.chip}"
            raise Refused(RefusalReason.NOT_WHOLE_CHIPS, ("X-03",), detail)
        # Only colour chips get a value here: value chips have it printed on them.
        own = chip if _is_said_before_opening(state) else player.chip
        yield _bought(command, player.colour, chip=own, value_chips=True, articles=cites)
        return
    if state.setup.live and (command.amount % chip or chip % 2):
        detail = f"chips are worth {chip}, an even number of units; buy a multiple of it"
        raise Refused(RefusalReason.NOT_WHOLE_CHIPS, ("X-03",), detail)
    _check_chip(state, player, chip)
    colour = player.colour
    if chip != player.chip and colour is not None and chips.new_worth is NewWorth.NEW_COLOUR:
        yield from _convert(state, player, player.purse)
        # Without another colour that is free, the player keeps theirs under the new marker.
        colour = _free_colour(state, command) or colour
    elif colour is None or command.colour not in (None, colour):
        if colour is not None and _holds_chips(state, player):
            detail = f"the player's chips here are {colour}"
            raise Refused(RefusalReason.ONE_COLOUR_PER_PLAYER, chips.cites.own_colour, detail)
        colour = _colour(state, command)
    yield _bought(command, colour, chip=chip, value_chips=False, articles=cites)


def _check_chip(state: State, player: Player, chip: int) -> None:
    """Requires the colour's value while it is in play, and a value that the house allows."""
    rules, base = state.book.chips, state.setup.chip
    if chip != player.chip and _keeps_worth(state, player):
        detail = f"{player.name}'s chips are worth {player.chip} each"
        raise Refused(RefusalReason.CHIP_VALUE_IS_SET, rules.cites.new_worth, detail)
    # A script may play in chips of its own value; at a live table each value is marked.
    named = state.setup.live or chip != player.chip
    if named and rules.colour_worth is ColourWorth.STRAIGHT_LIMITS:
        _check_straight_limits(state, chip)
    if rules.colour_worth is ColourWorth.MULTIPLES and chip % base:
        detail = f"a colour chip is worth a multiple of the table's chip, {base}"
        raise Refused(RefusalReason.CHIP_NOT_A_MULTIPLE, rules.cites.colour_worth, detail)


def _worth(state: State, player: Player) -> int:
    """What a colour chip is worth if its buyer names no value."""
    fixed = state.book.chips.colour_worth is ColourWorth.STRAIGHT_LIMITS
    least = state.limits[SpotClass.STRAIGHT].minimum
    # A script without values plays in chips of its own.
    return least if fixed and state.setup.live and least and player.colour is None else player.chip


def _is_said_before_opening(state: State) -> bool:
    """Whether a script says what a player's colour is worth, before its table opens."""
    fixed = state.book.chips.colour_worth is ColourWorth.STRAIGHT_LIMITS
    return fixed and state.phase is Phase.OPENING and not state.setup.live


def _check_straight_limits(state: State, chip: int) -> None:
    """Requires a value between the limits of a straight; a script's opening chips are as said."""
    if _is_said_before_opening(state):
        return
    least, most = state.limits[SpotClass.STRAIGHT]
    if chip < (least or 1) or (most is not None and chip > most):
        detail = f"a colour chip is worth {least or 1} to {'any amount' if most is None else most}"
        articles = state.book.chips.cites.colour_worth
        raise Refused(RefusalReason.CHIP_OUTSIDE_LIMITS, articles, detail)


def _keeps_worth(state: State, player: Player) -> bool:
    """Whether a player's chips keep them from chips of another value."""
    new_worth = state.book.chips.new_worth
    if new_worth is NewWorth.NEW_COLOUR:
        return any(stake.player == player.name for stake in state.stakes.values())
    if new_worth is NewWorth.WHEN_EMPTY:
        holds = not player.value_chips and player.purse > 0
        return holds or _has_colour_down(state, player)
    return _has_colour_chips(state, player)


def _has_colour_down(state: State, player: Player) -> bool:
    """Whether colour chips of a player lie on the cloth or in prison."""
    lying = [(stake.player, stake.kind) for stake in state.stakes.values()]
    lying += [(prisoner.player, prisoner.kind) for prisoner in state.prison.values()]
    return (player.name, ChipKind.COLOUR) in lying


def _has_colour_chips(state: State, player: Player) -> bool:
    """Whether a player has colour chips; after a change to value chips, only those on the cloth."""
    if not player.value_chips:
        return player.colour is not None or player.purse > 0
    return _has_colour_down(state, player)


def _holds_chips(state: State, player: Player) -> bool:
    """Whether a player has chips, in hand or on the cloth: then their colour is in play."""
    on_cloth = (stake.player for stake in state.stakes.values())
    return player.purse > 0 or player.name in on_cloth


def _free_colour(state: State, command: commands.BuyChips) -> str | None:
    owned = state.players.values() if state.book.chips.own_colour else ()
    in_play = [player.colour for player in owned if player.colour is not None]
    return free_colour(count=state.colours, in_play=in_play, wanted=command.colour)


def _colour(state: State, command: commands.BuyChips) -> str:
    cites = state.book.chips.cites.own_colour
    colour = _free_colour(state, command)
    if colour is None and command.colour is not None:
        raise Refused(
            RefusalReason.COLOUR_IN_PLAY, cites, f"{command.colour} is not free at this table"
        )
    if colour is None:
        raise Refused(RefusalReason.NO_COLOUR_LEFT, cites, "every colour of this table is in play")
    return colour


def _bought(
    command: commands.BuyChips,
    colour: str | None,
    *,
    chip: int,
    value_chips: bool,
    articles: tuple[str, ...],
) -> events.ChipsBought:
    return events.ChipsBought(
        player=command.player,
        amount=command.amount,
        colour=colour,
        chip=chip,
        value_chips=value_chips,
        articles=articles,
        cash=command.cash,
    )


def step_away(state: State, command: commands.StepAway) -> Iterator[events.Event]:
    """Leaves for a while; the colour is changed where the book requires it (IT-general-4a)."""
    player = require_player(state, command.by)
    if player.away:
        raise Refused(RefusalReason.PLAYER_IS_AWAY)
    if state.book.chips.converted_when_away:
        yield from _convert(state, player, player.purse)
    yield events.PlayerSteppedAway(player=player.name)


def come_back(state: State, command: commands.ComeBack) -> Iterator[events.Event]:
    """Comes back to the table."""
    player = require_player(state, command.by)
    if not player.away:
        raise Refused(RefusalReason.PLAYER_IS_NOT_AWAY)
    yield events.PlayerCameBack(player=player.name)


def claim_custody(state: State, command: commands.ClaimCustody) -> Iterator[events.Event]:
    """Gives a player what the house set aside for them."""
    require_player(state, command.player)
    require_act(state, command.by, Act.PAY)
    amount = state.custody.get(command.player, 0)
    if not amount:
        raise Refused(RefusalReason.NOTHING_IN_CUSTODY, state.book.absence.cites.to_custody)
    yield events.CustodyClaimed(
        player=command.player, amount=amount, articles=state.book.absence.cites.to_custody
    )


def leave(state: State, command: commands.Leave) -> Iterator[events.Event]:
    """Leaves for good, if nothing is on the cloth; colour chips are changed into value chips."""
    player = require_player(state, command.by)
    lying = sum(stake.player == player.name for stake in state.stakes.values())
    lying += sum(prisoner.player == player.name for prisoner in state.prison.values())
    if lying:
        raise Refused(
            RefusalReason.STAKES_ON_THE_CLOTH, detail=f"{lying} of the player's stakes are in play"
        )
    if state.custody.get(player.name):
        detail = "the house still keeps chips for the player"
        raise Refused(
            RefusalReason.STAKES_ON_THE_CLOTH, state.book.absence.cites.to_custody, detail
        )
    yield from _convert(state, player, player.purse)
    yield events.PlayerLeft(player=player.name, amount=player.purse)
