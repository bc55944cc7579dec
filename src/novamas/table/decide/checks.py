"""Checks that many decisions share: the post, the phase, the player, the amount.

Each raises `Refused` if its requirement is not met.
"""

from __future__ import annotations

from novamas.game.cloth import Spot
from novamas.game.limits import Limits
from novamas.game.money import is_amount
from novamas.game.rulebook.behaviours import CHIP_ACTS, Act
from novamas.game.rulebook.model import Post, Rulebook
from novamas.table.identity import Identity, is_management
from novamas.table.refusals import RefusalReason, Refused
from novamas.table.state import BETTING, Phase, Player, Setup, State


def require_act(state: State, person: Identity, act: Act, *, what: str = "") -> None:
    """Requires a post to which the book gives the act, or `what` of it; refuses by default."""
    if state.may(person, act):
        return
    holders = [post for post in state.book.posts.values() if act in post.may]
    named = state.post_of(person)
    detail = "for the " + " or the ".join(p.word for p in holders) if holders else "for nobody"
    detail = f"{what or act.value.replace('_', ' ')} is {detail}"
    raise Refused(RefusalReason.NOT_OF_THIS_POST, _why_not(act, named, holders), detail)


def _why_not(act: Act, named: Post | None, holders: list[Post]) -> tuple[str, ...]:
    """The articles that deny a post an act: those on the act alone, or else those on all acts."""
    if named is not None and act in named.cites.of_act:
        return named.cites.of_act[act]
    if named is not None and not named.touches_chips and act in CHIP_ACTS:
        return named.cites.touches_chips
    if holders and (named is None or act in holders[0].cites.of_act):
        return act_cites(holders[0], act)
    return () if named is None else named.cites.may


def act_cites(post: Post, act: Act) -> tuple[str, ...]:
    """The articles that give a post an act: those on the act, or else those on all its acts."""
    return post.cites.of_act.get(act, post.cites.may)


def require_act_or_management(state: State, person: Identity, act: Act) -> None:
    """Requires a post with the act, or the house's management."""
    if not is_management(person):
        require_act(state, person, act)


def require_open(state: State) -> None:
    """Requires a table that has opened and has not closed."""
    if state.phase is Phase.OPENING:
        raise Refused(RefusalReason.TABLE_NOT_OPEN, detail="the table must be opened first")
    if state.phase is Phase.ENDED:
        articles = state.book.closing.cites.last_games
        raise Refused(RefusalReason.TABLE_IS_CLOSED, articles, "the last coup has been played")


def require_not_suspended(state: State) -> None:
    """Requires that play is not suspended."""
    if state.suspended:
        articles = state.book.closing.cites.suspension
        raise Refused(RefusalReason.TABLE_IS_SUSPENDED, articles, "wait until the table is resumed")


def require_betting(state: State, articles: tuple[str, ...]) -> None:
    """Requires that betting is open; `articles` are those on late stakes."""
    require_open(state)
    if state.phase in BETTING:
        return
    if state.phase is Phase.COLLECTING and state.book.betting.cites.not_collected:
        articles = state.book.betting.cites.not_collected
    raise Refused(RefusalReason.BETTING_IS_CLOSED, articles, "wait for the next coup")


def require_last_games_played(state: State) -> None:
    """Requires that the last games are played if players are seated, where counted (BG-30a)."""
    rules = state.book.closing
    if rules.last_games and state.players:
        detail = f"{rules.last_games} last games are announced and played first"
        raise Refused(RefusalReason.LAST_GAMES_NOT_PLAYED, rules.cites.seated, detail)


def require_name(name: Identity) -> None:
    """Requires a name of a person who comes to the table."""
    if not str(name).strip():
        raise Refused(RefusalReason.COMMAND_NOT_UNDERSTOOD, detail="by: expected a name")


def require_player(state: State, name: Identity) -> Player:
    """Requires that the player is seated, and returns them."""
    player = state.players.get(name) if isinstance(name, str) else None
    if player is None:
        raise Refused(RefusalReason.NOT_SEATED, detail=f"{name} has no seat at this table")
    return player


def require_amount(amount: object, what: str = "amount") -> None:
    """Requires a whole number above zero."""
    if not is_amount(amount):
        detail = f"{what} must be a whole number above zero"
        raise Refused(RefusalReason.AMOUNT_NOT_POSITIVE, detail=detail)


def require_for_player(state: State, *, by: Identity, player: str) -> None:
    """Requires the player, or a post that may place for players who are present."""
    seated = require_player(state, player)
    if by == player:
        if seated.away:
            raise Refused(RefusalReason.PLAYER_IS_AWAY, detail="come back to the table first")
        return
    other_use = state.book.chips.cites.other_use
    post = state.post_of(by)
    if other_use and post is None:
        raise Refused(RefusalReason.NOT_OF_THIS_POST, other_use, f"{player} lays their own chips")
    require_act(state, by, Act.PLACE_FOR_PLAYER)
    if seated.away and post is not None:
        detail = "bets are placed for players present at the table"
        raise Refused(RefusalReason.PLAYER_IS_AWAY, act_cites(post, Act.PLACE_FOR_PLAYER), detail)


def require_zone(state: State, by: Identity, *spots: Spot) -> None:
    """Requires that the spot lies in the post's zone, if it has one (ES-P.7)."""
    post = state.post_of(by)
    if post is None or not post.zone:
        return
    outside = next((spot for spot in spots if not state.setup.zone.holds(spot)), None)
    if outside is not None:
        detail = f"{outside.name} is not in the zone of the {post.word}"
        raise Refused(RefusalReason.OUTSIDE_THE_ZONE, post.cites.zone, detail)


def require_lawful_placard(book: Rulebook, setup: Setup, limits: Limits) -> None:
    """Requires that no maximum is above the highest bet of all, where a law sets one (SD-12.08)."""
    highest = setup.highest_bet if book.limits.highest_bet else None
    if highest is None:
        return
    for spot, terms in book.terms.items():
        most = limits.maximum(terms)
        if most is None or most > highest:
            detail = f"limits.{spot.kind}: no bet may be more than {highest}"
            raise Refused(RefusalReason.LIMITS_NOT_VALID, book.limits.cites.highest_bet, detail)
