"""Plays a table script on the model: what `FORMAT.md` calls its result."""

from collections.abc import Callable
from typing import Any

from tests.properties.model import ball, bets, number, players
from tests.properties.model.houses import ALL_VALUE, ALWAYS_ENFORCED, FURTHER
from tests.properties.model.table import BETTING, CLOSED, ENDED, Table
from tests.properties.model.things import Command, Outcome, Player, Refused, Undetermined

COMMANDS: dict[str, Callable[[Table, Command], None]] = {
    "stake": bets.stake,
    "announce": bets.announce,
    "withdraw": bets.withdraw,
    "move": bets.move,
    "correct": bets.correct,
    "notice_excess": bets.notice_excess,
    "replay": bets.replay,
    "launch": ball.launch,
    "no_more_bets": ball.no_more_bets,
    "void": ball.void,
    "choose": ball.choose,
    "change_limits": ball.change_limits,
    "reopen": ball.reopen,
    "last_games": ball.last_games,
    "suspend": ball.suspend,
    "resume": ball.resume,
    "close": ball.close,
    "number": number.number,
    "pocket": number.pocket,
    "call": number.call,
    "collect": number.collect,
    "pay": number.pay,
    "sit": players.sit,
    "leave": players.leave,
    "buy": players.buy,
    "step_away": players.step_away,
    "come_back": players.come_back,
    "claim": players.claim,
    "orphan": players.orphan,
    "exception": players.exception,
}


def open_table(script: dict[str, Any]) -> Table:
    """The table of a script before its first command."""
    house, settings = script["rulebook"], script.get("settings", {})
    chip = script.get("chip", 1)
    smallest = chip if isinstance(chip, int) else min(chip.values())
    each = {} if isinstance(chip, int) else chip
    seats = {}
    for name, purse in script["purses"].items():
        value = name in script.get("value_chips", []) or house in ALL_VALUE
        seats[name] = Player(purse, each.get(name), value)
        if purse and not value and name not in each:
            seats[name].chip = smallest
    return Table(
        house=house,
        limits=script.get("limits", {}),
        chip=smallest,
        players=seats,
        stays=settings.get("winning", "hand") == "cloth",
        enforced=house in ALWAYS_ENFORCED or settings.get("limits", "policed") == "enforced",
    )


def play(script: dict[str, Any]) -> Outcome:
    """Play a script.

    `payment_order` and the orders of the spool are told in groups: the rules fix the order of the
    groups alone.
    """
    table = open_table(script)
    refused = []
    for index, command in enumerate(script["script"]):
        try:
            COMMANDS[command["do"]](table, command)
        except Refused:
            refused.append(index)
    if table.phase not in (BETTING, CLOSED, ENDED):
        raise Undetermined("the script ends in the middle of a number")
    turns = ["ccw" if spin % 2 and table.house != "it" else "cw" for spin in range(table.spins)]
    return {
        "coups": table.coups,
        "refused": refused,
        "purses": {name: player.purse for name, player in table.players.items()},
        "bank": table.bank,
        "custody": {player: amount for player, amount in table.custody.items() if amount},
        "reductions": table.reductions,
        "wheel": turns,
        "last_games_left": table.games,
        "payment_order": payment_order(table),
        "reduction_order": spool(table)[::-1],
        "payment_order_players": spool(table),
    }


def payment_order(table: Table) -> list[list[str]]:
    """The ids of the stakes paid in the last coup, in groups."""
    if table.house in FURTHER:  # NV-05, AMB-FR-07: equals are paid as they were laid.
        return [[id] for id in dict.fromkeys(stake.id for stake in table.paid)]
    ranks: dict[str, int] = {}
    for stake in table.paid:
        ranks.setdefault(stake.id, number.payment_rank(table, stake))
    return [sorted(id for id in ranks if ranks[id] == rank) for rank in sorted(set(ranks.values()))]


def spool(table: Table) -> list[list[str]]:
    """The players of the last reductions, in groups, the least valuable chips first (AR-25)."""
    chips = table.spool
    return [
        sorted(player for player in chips if chips[player] == chip)
        for chip in sorted(set(chips.values()))
    ]
