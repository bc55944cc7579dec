"""Decisions about people: staff at their posts, players, their chips, and the table as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from novamas.game import staffing
from novamas.game.chips import free_colour
from novamas.game.limits import LimitsError
from novamas.game.lines import cited
from novamas.game.money import halve
from novamas.game.rulebook.model import Act, ChipKind, ColourWorth, Invitation, ZeroRule
from novamas.table import commands, events
from novamas.table.decide.checks import (
    require_act,
    require_act_or_management,
    require_amount,
    require_betting,
    require_last_games_played,
    require_name,
    require_open,
    require_player,
)
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
    elif len(state.posts_of(post.name)) >= post.at_most:
        raise Refused(RefusalReason.POST_IS_FULL, post.cites.at_most, f"{post.at_most} at most")
    yield events.PostTaken(person=str(command.by), post=post.name, place=place)


def leave_post(state: State, command: commands.LeavePost) -> Iterator[events.Event]:
    """Leaves a post, unless an open table requires it to be held."""
    post = state.post_of(command.by)
    if post is None:
        raise Refused(RefusalReason.NOT_OF_THIS_POST, detail=f"{command.by} holds no post")
    if state.phase not in (Phase.OPENING, Phase.ENDED):
        needed = staffing.unmet(state.book, state.held() - Counter((post.name,)))
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
    wanted = staffing.unmet(state.book, state.held())
    if wanted is not None:
        raise Refused(RefusalReason.POST_MUST_BE_HELD, wanted.articles, wanted.word)
    if state.setup.limits_kept not in state.book.limits.kept:
        detail = "this house has no articles on excess"
        raise Refused(RefusalReason.LIMITS_ARE_ENFORCED, state.book.limits.cites.kept, detail)
    if state.setup.live and state.setup.chip % 2:
        detail = "a live table's chip is an even number of units"
        raise Refused(RefusalReason.CHIP_MUST_HALVE_EVENLY, ("X-03",), detail)
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
    if state.phase is not Phase.OPENING and not rules.change_while_open:
        detail = "limits may not change while the table is open"
        raise Refused(RefusalReason.LIMITS_STAY_WHILE_OPEN, rules.cites.change_while_open, detail)
    require_act_or_management(state, command.by, Act.CHANGE_LIMITS)
    if state.phase is not Phase.OPENING:
        require_open(state)
    before = state.coming_limits or state.limits
    try:
        changed = before.changed(command.limits)
    except LimitsError as problem:
        raise Refused(RefusalReason.LIMITS_NOT_VALID, detail=str(problem)) from None
    cites = rules.cites.change_while_open
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
    chip = player.chip if command.chip is None else command.chip
    require_amount(chip, "chip")
    if command.value_chips:
        if state.book.chips.on_numbers == ("colour",):
            raise Refused(RefusalReason.CHIPS_NOT_TAKEN_HERE, chips.cites.on_numbers)
        # Only colour chips get a value here: value chips have it printed on them.
        yield _bought(command, player.colour, chip=player.chip, value_chips=True, articles=cites)
        return
    if state.setup.live and (command.amount % chip or chip % 2):
        detail = f"chips are worth {chip}, an even number of units; buy a multiple of it"
        raise Refused(RefusalReason.NOT_WHOLE_CHIPS, ("X-03",), detail)
    _check_chip(state, player, chip)
    colour = player.colour
    if colour is None or command.colour not in (None, colour):
        if colour is not None and _holds_chips(state, player):
            detail = f"the player's chips here are {colour}"
            raise Refused(RefusalReason.ONE_COLOUR_PER_PLAYER, chips.cites.own_colour, detail)
        colour = _colour(state, command)
    yield _bought(command, colour, chip=chip, value_chips=False, articles=cites)


def _check_chip(state: State, player: Player, chip: int) -> None:
    """Requires the colour's value while it is in play, and a value that the house allows."""
    if chip != player.chip and _has_colour_chips(state, player):
        detail = f"{player.name}'s chips are worth {player.chip} each"
        raise Refused(RefusalReason.CHIP_VALUE_IS_SET, detail=detail)
    rules, base = state.book.chips, state.setup.chip
    if rules.colour_worth is ColourWorth.MULTIPLES and chip % base:
        detail = f"a colour chip is worth a multiple of the table's chip, {base}"
        raise Refused(RefusalReason.CHIP_NOT_A_MULTIPLE, rules.cites.colour_worth, detail)


def _has_colour_chips(state: State, player: Player) -> bool:
    """Whether a player has colour chips; after a change to value chips, only those on the cloth."""
    if not player.value_chips:
        return player.colour is not None or player.purse > 0
    lying = [(stake.player, stake.kind) for stake in state.stakes.values()]
    lying += [(prisoner.player, prisoner.kind) for prisoner in state.prison.values()]
    return (player.name, ChipKind.COLOUR) in lying


def _holds_chips(state: State, player: Player) -> bool:
    """Whether a player has chips, in hand or on the cloth: then their colour is in play."""
    on_cloth = (stake.player for stake in state.stakes.values())
    return player.purse > 0 or player.name in on_cloth


def _colour(state: State, command: commands.BuyChips) -> str:
    chips = state.book.chips
    cites = chips.cites.own_colour
    owned = state.players.values() if chips.own_colour else ()
    in_play = [player.colour for player in owned if player.colour is not None]
    colour = free_colour(count=state.setup.colours, in_play=in_play, wanted=command.colour)
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
