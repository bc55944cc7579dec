"""Commands that one person asks for and another carries out.

A player asks for chips, and the post that sells them hands them out; a chief asks for the last
games, and the automatic croupier announces them. The command is then given in the name of whoever
carries it out, as the book has it.
"""

from __future__ import annotations

from dataclasses import replace

from novamas.game.rulebook.behaviours import Act
from novamas.house.refusals import BadCommandError, Problem
from novamas.table.commands import AnnounceLastGames, BuyChips, ClaimCustody, Command
from novamas.table.identity import Automatic
from novamas.table.state import State


def handed_out(state: State, command: BuyChips | ClaimCustody) -> Command:
    """A request for chips or custody, in the name of the post that hands them out."""
    act = Act.SELL_CHIPS if isinstance(command, BuyChips) else Act.PAY
    giver = state.who_may(act)
    if giver is None:
        raise BadCommandError(
            "nobody is at the post that would give it", Problem.NOBODY_AT_THE_POST
        )
    return replace(command, by=giver)


def sold_at_table(command: Command) -> Command:
    """A croupier's command: croupiers cannot use wallets, so they sell for cash into the box."""
    return replace(command, cash=True) if isinstance(command, BuyChips) else command


def announced(state: State, command: Command) -> Command:
    """A chief's command: the automatic croupier announces the last games for them."""
    if not isinstance(command, AnnounceLastGames):
        return command
    if state.may(command.by, Act.ANNOUNCE_LAST_GAMES):
        return command
    may = (person for person in state.staff if state.may(person, Act.ANNOUNCE_LAST_GAMES))
    return replace(command, by=next(filter(Automatic.read, may), command.by))
