"""The number of the model's table: pocketed, called, losers collected, winners paid."""

from collections import defaultdict

from tests.properties.model.argentina import cascade, leave_reduced, reduce, winning_multiples
from tests.properties.model.ball import bind_limits, release_half
from tests.properties.model.cloth import MULTIPLES, PAYS
from tests.properties.model.houses import (
    BY_PLAYER,
    CHOICE_AT_ZERO,
    CUSTODY,
    DIVIDES_AT_ZERO,
    HALF_AT_ZERO,
    PAYMENT,
)
from tests.properties.model.table import (
    BETTING,
    CALLED,
    CLOSED,
    ENDED,
    PAYING,
    POCKETED,
    Table,
)
from tests.properties.model.things import (
    Called,
    Command,
    Payment,
    Prisoner,
    Result,
    Stake,
    Undetermined,
    refuse_if,
    up,
)


def number(table: Table, command: Command) -> None:
    """Pocketed, called, collected, paid."""
    pocket(table, command)
    call(table, command)
    collect(table, command)
    if table.phase == PAYING:
        pay_some(table, len(table.due))


def pocket(table: Table, command: Command) -> None:
    """The ball falls."""
    refuse_if(table.phase != CLOSED or command["number"] not in table.pockets)
    refuse_if(command.get("last") and table.house == "bg")
    table.pocket, table.last = command["number"], bool(command.get("last"))
    table.phase = POCKETED
    table.exceptions.clear()


def call(table: Table, _: Command) -> None:
    """The number is called, which settles every stake."""
    refuse_if(table.phase != POCKETED)
    table.phase = CALLED
    table.just_won, table.settled, table.due = {}, [], []
    table.share_out()
    if table.plays_whole():
        for stake in table.cloth:
            stake.plays = stake.amount
    if table.house == "ar":
        cascade(table)
    riding: dict[tuple[str, str], int] = defaultdict(int)
    winners: list[Result] = []
    results: dict[int, Result] = {}
    for stake in sorted(table.cloth, key=lambda one: one.away):  # Others leave the room to ride in.
        covers = table.pocket in table.spots[stake.spot][1]
        if stake.announced and stake.plays and covers:
            note_win(table, stake)
        if divided(table, stake):
            continue
        results[id(stake)] = won(table, stake, riding) if covers else lost(stake)
    for result in (results[id(stake)] for stake in table.cloth if id(stake) in results):
        (winners if result.won else table.settled).append(result)
    table.due = payments(table, winners)


def note_win(table: Table, stake: Stake) -> None:
    """Remember that an announcement has won, and with which pieces."""
    called = Called(stake.player, stake.call, stake.announced, [], [])
    called = table.just_won.setdefault(stake.id, called)
    called.winning.append(stake)
    called.laid.append(stake.amount)


def divided(table: Table, stake: Stake) -> bool:
    """Whether a zero divides or imprisons a stake."""
    simple = table.spots[stake.spot][0] == "simple" and "+" not in stake.spot
    return table.pocket == 0 and simple and table.house in DIVIDES_AT_ZERO


def lost(stake: Stake) -> Result:
    """What becomes of a stake that does not cover the number."""
    over = stake.amount - stake.plays if stake.unclear else 0  # AR-22.b
    return Result(stake, lost=stake.amount - over, back=over)


def won(table: Table, stake: Stake, riding: dict[tuple[str, str], int]) -> Result:
    """What becomes of a stake that covers the number."""
    over, left = stake.amount - stake.plays, stake.plays
    gain = PAYS[table.spots[stake.spot][0]] * stake.plays + stake.extra
    if "+" in stake.spot and table.house != "ar":
        gain = up(stake.plays)
    elif "+" in stake.spot:
        boxes = [table.spots[box] for box in stake.spot.split("+")]
        (pays,) = [PAYS[kind] for kind, numbers in boxes if table.pocket in numbers]
        # Gain and half are made whole together, so that a unit is rounded once.
        left = up(stake.plays)
        gain = up((pays + 1) * stake.plays) - left
    result = Result(stake, gain, back=over, lost=stake.plays - left)
    if stake.away and table.house in CUSTODY and not stake.foreign:
        return set_aside(table, result, riding)
    straddle = table.house == "ar" and "+" in stake.spot  # Half cannot lie across the line alone.
    if table.stays and not stake.away and not stake.foreign and not straddle:
        result.stays = left
        riding[table.group(stake)] += left
    else:
        result.back += left
    return result


def set_aside(table: Table, result: Result, riding: dict[tuple[str, str], int]) -> Result:
    """Keep what an absent player has won, or let it ride (AMB-IT-10, AMB-FR-10)."""
    stake = result.stake
    rides = 0
    counted_out = table.house == "it" and stake.wins == 3
    if table.spots[stake.spot][0] not in MULTIPLES and not counted_out:
        most = table.limit(stake.spot, "max")
        rides = stake.plays + result.won
        if most is not None:  # All that stays of a player's there keeps to the maximum.
            room = max(0, most - riding[table.group(stake)])
            chip = stake.chip if table.house == "it" else 1  # A partage is by chips.
            rides = min(rides, room // chip * chip)
        riding[table.group(stake)] += rides
    result.back, result.stays, result.rides = 0, rides, True
    result.aside = stake.amount + result.won - rides
    return result


def payments(table: Table, winners: list[Result]) -> list[Payment]:
    """What is paid in one go, in the order of the house."""
    if table.house in BY_PLAYER:
        ranked = sorted(winners, key=lambda result: payment_rank(table, result.stake))
        players = dict.fromkeys(result.stake.player for result in ranked)
        return [Payment([one for one in ranked if one.stake.player == name]) for name in players]
    together: dict[tuple[int, str], Payment] = {}
    for result in winners:
        stake = result.stake
        rank, one = payment_rank(table, stake), str(id(result))
        if table.spots[stake.spot][0] in MULTIPLES and table.house in ("ar", "it"):
            one = stake.player
        together.setdefault((rank, one), Payment([])).results.append(result)
    if table.house == "ar":
        for player in table.players:
            mine = winning_multiples(table, player)
            if len({stake.spot for stake in mine}) > 1:
                reduce(table, player, mine)
                for payment in together.values():
                    if payment.results[0].stake in mine:
                        leave_reduced(table, payment)
    return [together[key] for key in sorted(together, key=lambda key: key[0])]


def payment_rank(table: Table, stake: Stake) -> int:
    """When a stake is paid: a lower rank is paid first."""
    kind = table.spots[stake.spot][0]
    if table.house == "it":  # IT-gioco-10, IT-gioco-11
        return {"column": 0, "simple": 1, "dozen": 2}.get(kind, 4 if stake.value else 3)
    if table.house in PAYMENT:
        groups = PAYMENT[table.house].split()
        name = kind + ("+" if "+" in stake.spot else "")
        return groups.index(stake.spot if stake.spot in groups else name)
    if table.house == "sd":  # NV-05
        return int(kind in MULTIPLES)
    if table.house == "ar" and kind in MULTIPLES:  # AR-25.b
        return stake.chip
    return 0  # The rules do not say when AR pays its chances; the table pays them first.


def collect(table: Table, _: Command) -> None:
    """The losers are collected; prison and the chances at a zero are settled."""
    refuse_if(table.phase != CALLED)
    table.phase = PAYING
    play_prison(table)
    zero(table)
    for result in table.settled:
        apply(table, result)
    table.paid = [result.stake for payment in table.due for result in payment.results]
    if not table.due:
        end_coup(table)


def pay(table: Table, command: Command) -> None:
    """So many of the payments due are made."""
    refuse_if(table.phase != PAYING)
    values = [one for one in table.due if payment_rank(table, one.results[0].stake) == 4]
    if table.house == "it" and len(values) > 1 and any(len(one.results) > 1 for one in values):
        raise Undetermined("nothing says which value chips are paid together")
    refuse_if(command["payments"] > len(table.due))
    pay_some(table, command["payments"])


def pay_some(table: Table, many: int) -> None:
    """Make so many of the payments."""
    for payment in table.due[:many]:
        for result in payment.results:
            apply(table, result)
            table.received[result.stake.player] += result.won + result.back
        if payment.freed:
            table.give_back(payment.results[0].stake.player, payment.freed)
        table.cloth += payment.made
    del table.due[:many]
    if not table.due:
        table.received.clear()
        end_coup(table)


def apply(table: Table, result: Result) -> None:
    """Let a result come true."""
    stake = result.stake
    table.bank -= result.won
    line = table.line(stake.player)
    line["won"] += result.won
    if result.rides:
        table.custody[stake.player] += result.aside
        stake.wins += 1
    else:
        table.hand(stake.player, result.won)
    table.give_back(stake.player, result.back, foreign=stake.foreign)
    table.lose(stake.player, result.lost)
    # What stays of an announcement is not the announcement: it cannot be played again.
    stake.amount, stake.extra, stake.announced, stake.left = result.stays, 0, 0, True
    if not stake.amount:
        table.cloth.remove(stake)


def end_coup(table: Table) -> None:
    """All is paid: the coup is over, and the next begins."""
    if table.last and table.house in CHOICE_AT_ZERO:  # ES-G.3, FR-52.z6
        for prisoner in list(table.prison):
            release_half(table, prisoner, table.line(prisoner.player))
    purses = {name: player.purse for name, player in table.players.items()}
    table.coups.append({"number": table.pocket, "players": table.lines, "purses": purses})
    table.lines = {}
    table.phase, table.launched = BETTING, False
    bind_limits(table)
    if table.games_left is not None:
        table.games_left -= 1
        table.games.append(table.games_left)
    if table.last or table.games_left == 0:
        table.phase = ENDED


def play_prison(table: Table) -> None:
    """Free or take what is in prison; another zero keeps it there."""
    for one in list(table.prison):
        one.away = one.away or table.players[one.player].away
        if table.pocket != 0:
            table.prison.remove(one)
            if table.pocket in table.spots[one.spot][1]:
                table.give_or_keep(one.player, one.amount, away=one.away, foreign=one.foreign)
            else:
                table.lose(one.player, one.amount)
            continue
        if table.house in CHOICE_AT_ZERO:  # ES-G.1, FR-52.z5
            table.lose(one.player, one.amount - up(one.amount))
            one.amount = up(one.amount)
            one.zeros += 1
            one.may_choose = True
        table.line(one.player)["held"] += one.amount


def zero(table: Table) -> None:
    """Divide or imprison the simple chances, where the house does."""
    simple = [stake for stake in table.cloth if divided(table, stake)]
    table.cloth = [stake for stake in table.cloth if stake not in simple]
    if table.house in CHOICE_AT_ZERO:
        for stake in simple:
            prisoner = Prisoner(stake.id, stake.player, stake.spot, stake.amount, value=stake.value)
            prisoner.away, prisoner.may_choose = stake.away, True
            table.prison.append(prisoner)
            table.line(stake.player)["held"] += stake.amount
        return
    if table.house in HALF_AT_ZERO:
        halve(table, simple)
        return
    together: dict[tuple[str, str, int], list[Stake]] = defaultdict(list)
    for stake in simple:
        together[stake.player, stake.spot, stake.chip].append(stake)
    for stakes in together.values():
        divide(table, stakes)


def halve(table: Table, simple: list[Stake]) -> None:
    """Give back half of all that each player has on each chance (FRAN-55-12.z, ESAM-IV, X-03).

    A stake without an owner is no player's, and halved apart from what its player has there.
    """
    sums: dict[tuple[str, str, bool], int] = defaultdict(int)
    for stake in simple:
        sums[stake.player, stake.spot, table.kept(away=stake.away)] += stake.amount
    for (player, _, kept), amount in sums.items():
        table.give_or_keep(player, up(amount), away=kept)
        table.lose(player, amount - up(amount))


def divide(table: Table, stakes: list[Stake]) -> None:
    """A partage by chips; the odd chip goes to prison (IT-gioco-14, IT-gioco-15, X-03).

    Chips are counted together, but what is less than a chip is so in each stake.
    """
    player, spot, chip = stakes[0].player, stakes[0].spot, stakes[0].chip
    foreign = stakes[0].foreign
    if any(stake.foreign != foreign for stake in stakes):
        raise Undetermined("nothing says whose chips of equal worth go back")
    chips = sum(stake.amount // chip for stake in stakes)
    half, loose = chips // 2 * chip, sum(stake.amount % chip for stake in stakes)
    table.give_back(player, half + loose, foreign=foreign)
    table.lose(player, half)
    if chips % 2:
        value = all(stake.value for stake in stakes)
        ids = " ".join(sorted({stake.id for stake in stakes}))
        table.prison.append(Prisoner(ids, player, spot, chip, value=value, foreign=foreign))
        table.line(player)["held"] += chip
