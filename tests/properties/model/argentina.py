"""Argentina: the excess of multiples goes down the classes, and winners are reduced."""

import math

from tests.properties.model.cloth import DOWN, MULTIPLES, PAYS, REDUCED
from tests.properties.model.table import Table
from tests.properties.model.things import Payment, Stake, Undetermined


def winning_multiples(table: Table, player: str) -> list[Stake]:
    """The multiples of a player that cover the number."""
    return [
        stake
        for stake in table.cloth
        if stake.player == player
        and table.spots[stake.spot][0] in MULTIPLES
        and table.pocket in table.spots[stake.spot][1]
    ]


def cascade(table: Table) -> None:
    """Distribute the excess of every player's winning multiples downwards (AR-14)."""
    for player in table.players:
        play_classes(table, winning_multiples(table, player))


def play_classes(table: Table, mine: list[Stake]) -> dict[str, int]:
    """What plays in each class of a player's winners; notes what their excess wins below."""
    playing = dict.fromkeys(DOWN, 0)
    carried: list[tuple[Stake, int]] = []
    for stake in mine:
        stake.extra = 0
    for kind in DOWN:
        spots = dict.fromkeys(s.spot for s in mine if table.spots[s.spot][0] == kind)
        own = [stake for spot in spots for stake in mine if stake.spot == spot]
        playing[kind] = sum(stake.plays for stake in own)
        most = table.limits.get(kind, {}).get("max", math.inf)
        room = max(0, most - playing[kind])  # AMB-AR-07
        if kind == "sixline" and table.pocket == 0:
            room = 0  # AMB-AR-09
        going_on = []
        for stake, amount in carried:
            taken = int(min(amount, room))
            room -= taken
            playing[kind] += taken
            stake.extra += taken * PAYS[kind]
            going_on.append((stake, amount - taken))
        going_on += [(s, s.amount - s.plays) for s in own if not s.unclear]
        carried = going_on
    return playing


def reduce(table: Table, player: str, mine: list[Stake]) -> None:
    """Report the reduction of a player's winners, in chips (AR-23 to AR-27)."""
    playing = play_classes(table, mine)
    if not any(one["coup"] == len(table.coups) + 1 for one in table.reductions):
        table.spool.clear()
    chip = table.chip_of(player)
    table.spool[player] = chip
    if any(stake.plays % chip for stake in mine) or any(part % chip for part in playing.values()):
        raise Undetermined("nothing says whether parts of chips make a chip")
    chips = {kind: amount // chip for kind, amount in playing.items()}
    straights, freed, left = chips["straight"], 0, {}
    for kind, many in REDUCED.items():
        made, rest = divmod(chips[kind], many)
        straights += made
        freed += made * (many - 1)
        if rest:
            left[kind] = rest
    paid = 35 * straights + sum(PAYS[kind] * rest for kind, rest in left.items())
    table.reductions.append(
        {
            "coup": len(table.coups) + 1,
            "player": player,
            "straights": straights,
            "left": left,
            "freed_to_bank": freed,
            "paid": paid,
            "stays": straights + sum(left.values()),
        }
    )


def leave_reduced(table: Table, payment: Payment) -> None:
    """Let stay what a reduction makes of the chips within the maximum alone (AMB-AR-32)."""
    staying = [result for result in payment.results if result.stays]
    if len({result.stake.spot for result in staying}) < 2:
        return  # One suerte alone is not reduced (AMB-AR-05).
    new = 0
    for kind, many in REDUCED.items():
        here = [result for result in staying if table.spots[result.stake.spot][0] == kind]
        if not here:
            continue
        chip = here[0].stake.chip
        made = sum(result.stays for result in here) // (chip * many)
        take = made * many * chip
        new += made * chip
        payment.freed += take - made * chip
        for result in here:  # Those laid first are taken first.
            taken = min(take, result.stays)
            result.stays -= taken
            take -= taken
    if new:
        first = staying[0].stake
        table.made += 1
        name = f"made {table.made}"
        made_of = Stake(name, first.player, str(table.pocket), new, first.player, first.chip)
        payment.made.append(made_of)
