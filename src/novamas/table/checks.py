"""Checks that many decisions share: the post, the phase, the player, the amount."""

from __future__ import annotations

from novamas.game.money import is_amount
from novamas.game.rulebook import Act
from novamas.table.commands import is_management
from novamas.table.refusals import Refused, Why
from novamas.table.state import BETTING, Phase, Player, State


def require_act(state: State, person: str, act: Act) -> None:
    """Only a post that the book gives the act to may do it; default deny."""
    if state.may(person, act):
        return
    holders = [post for post in state.book.posts.values() if act in post.may]
    named = state.book.posts.get(state.staff.get(person, ""))
    articles = named.cites["may"] if named else holders[0].cites["may"] if holders else ()
    if named is not None and not named.touches_chips and _in_hand(act):
        articles = named.cites["touches_chips"]
    detail = "for the " + " or the ".join(p.word for p in holders) if holders else "for nobody"
    raise Refused(Why.NOT_OF_THIS_POST, articles, f"{act.value.replace('_', ' ')} is {detail}")


def _in_hand(act: Act) -> bool:
    return act in (Act.PAY, Act.COLLECT, Act.SELL_CHIPS, Act.PLACE_FOR_PLAYER)


def require_act_or_management(state: State, person: str, act: Act) -> None:
    """What a post of the table or the house's management may do."""
    if not is_management(person):
        require_act(state, person, act)


def require_open(state: State) -> None:
    """The table has opened and has not closed."""
    if state.phase is Phase.OPENING:
        raise Refused(Why.TABLE_NOT_OPEN, detail="the table must be opened first")
    if state.phase is Phase.ENDED:
        articles = state.book.closing.cites["last_games"]
        raise Refused(Why.TABLE_IS_CLOSED, articles, "the last coup has been played")


def require_not_suspended(state: State) -> None:
    """Play is not suspended."""
    if state.suspended:
        articles = state.book.closing.cites["suspension"]
        raise Refused(Why.TABLE_IS_SUSPENDED, articles, "wait until the table is resumed")


def require_betting(state: State, cites: str) -> None:
    """Betting is open; `cites` names the articles on what comes too late."""
    require_open(state)
    if state.phase in BETTING:
        return
    articles = state.book.betting.cites[cites]
    if state.phase is Phase.COLLECTING and state.book.betting.cites["not_collected"]:
        articles = state.book.betting.cites["not_collected"]
    raise Refused(Why.BETTING_IS_CLOSED, articles, "wait for the next coup")


def require_name(name: str) -> None:
    """Whoever comes to the table has a name."""
    if not name.strip():
        raise Refused(Why.COMMAND_NOT_UNDERSTOOD, detail="by: expected a name")


def require_player(state: State, name: str) -> Player:
    """The player is seated."""
    player = state.players.get(name)
    if player is None:
        raise Refused(Why.NOT_SEATED, detail=f"{name} has no seat at this table")
    return player


def require_amount(amount: object, what: str = "amount") -> None:
    """A whole number above zero."""
    if not is_amount(amount):
        detail = f"{what} must be a whole number above zero"
        raise Refused(Why.AMOUNT_NOT_POSITIVE, detail=detail)


def require_for_player(state: State, *, by: str, player: str) -> None:
    """A player acts for himself; a post that may place for players acts for those present."""
    seated = require_player(state, player)
    if by == player:
        if seated.away:
            raise Refused(Why.PLAYER_IS_AWAY, detail="come back to the table first")
        return
    other_use = state.book.chips.cites.get("other_use")
    if other_use and by not in state.staff:
        raise Refused(Why.NOT_OF_THIS_POST, other_use, f"{player} lays his own chips")
    require_act(state, by, Act.PLACE_FOR_PLAYER)
    if seated.away:
        post = state.book.posts[state.staff[by]]
        detail = "bets are placed for players present at the table"
        raise Refused(Why.PLAYER_IS_AWAY, post.cites["may"], detail)
