"""What is laid on the model's cloth, moved there and taken back."""

from dataclasses import replace

from tests.properties.model.cloth import MULTIPLES, PER_IL_TUTTO
from tests.properties.model.houses import (
    NO_VALUE,
    ONE_PLAYER_PER_VALUE,
    PLAYS_WHOLE,
    VALUE_ON_SIMPLE_ALONE,
)
from tests.properties.model.minima import too_little
from tests.properties.model.table import BETTING, CALLED, CLOSED, ENDED, PAYING, Table
from tests.properties.model.things import Command, Refused, Stake, Undetermined, refuse_if

UNEVEN = -1
"""What is announced by pieces of which only some were cut to a maximum."""


def may_lay(table: Table, player: str, spots: list[str]) -> bool:
    """Whether stakes are taken on these spots now; true too where an exception is used up."""
    if table.suspended or table.players[player].away:
        return False
    if table.phase == PAYING and table.house == "it":  # IT-general-13, AMB-IT-29
        return not any(table.pocket in table.spots[spot][1] for spot in spots)
    return table.phase == BETTING


def put(table: Table, id: str, player: str, cost: int, stakes: list[Stake]) -> None:
    """Lay stakes on the cloth, out of the player's purse."""
    refuse_if(table.stakes_of(id) or any(prisoner.id == id for prisoner in table.prison))
    collected = table.phase == PAYING and any(one.stake.id == id for one in table.settled)
    shared = any(id in one.id.split() for one in table.prison)
    if id in table.just_won or collected or shared:
        raise Undetermined("nothing says whether the name of a stake just settled is free")
    purse = table.players[player].purse
    if table.received:  # Some are paid, others not yet.
        owed = [one for due in table.due for one in due.results if one.stake.player == player]
        most = purse + sum(one.won + one.back for one in owed)
        if purse - table.received[player] < cost <= most:
            raise Undetermined("who is paid first decides whether they can afford it")
    refuse_if(cost > purse)
    if table.enforced:
        keep_maximum(table, stakes)
    table.players[player].purse -= cost
    table.cloth += stakes


def keep_maximum(table: Table, stakes: list[Stake]) -> None:
    """Refuse stakes that would pass a maximum with what is there (X-04)."""
    there = [*[stake for stake in table.cloth if stake not in stakes], *stakes]
    for stake in stakes:
        most = table.limit(stake.spot, "max")
        total = sum(one.amount for one in there if table.group(one) == table.group(stake))
        refuse_if(most is not None and total > most)


def stake(table: Table, command: Command) -> None:
    """Put an amount on a spot."""
    player, spot, id = command["player"], command["on"], command["id"]
    refuse_if(player not in table.players or spot not in table.spots)
    late = table.phase == CLOSED and player in table.exceptions
    late = late and not table.suspended and not table.players[player].away
    refuse_if(not late and not may_lay(table, player, [spot]))
    refuse_if(not command.get("covered", True))
    new = laid_by(table, command)
    refuse_if(new.amount < 1)
    refuse_if(not new.foreign and new.amount % table.whole(player, spot, value=new.value))
    if "for" in command:
        of = table.stakes_of(command["for"])
        if not of and table.phase == PAYING:
            raise Undetermined("nothing says whether one acts for a stake that was collected")
        refuse_if(not of)
        new.behind = of[0].behind
    new.away = bool(command.get("unattended"))
    new.unclear = bool(command.get("value_unclear")) and table.house == "ar"
    if late:
        refuse_if(new in too_little(table, [*table.cloth, new]))
    put(table, id, player, 0 if new.foreign else new.amount, [new])
    if late:
        table.exceptions.discard(player)


def laid_by(table: Table, command: Command) -> Stake:
    """The chips of a `stake`: the player's colour, value chips, or another table's."""
    id, player, spot = command["id"], command["player"], command["on"]
    value = bool(command.get("value_chips")) or table.players[player].value
    if "foreign" in command:  # IT-general-5
        refuse_if(table.house != "it")
        foreign = command["foreign"]
        worth = foreign.get("value", foreign["opening_minimum"])
        return Stake(id, player, spot, foreign["count"] * worth, player, worth, foreign=True)
    refuse_if(value and table.house in NO_VALUE)
    chip = table.chip if value else table.chip_of(player)
    new = Stake(id, player, spot, command["amount"], player, chip, value=value)
    new.denomination = command.get("denomination")
    new.pending = bool(command.get("change_pending"))
    keep_value_chips(table, new)
    return new


def keep_value_chips(table: Table, new: Stake) -> None:
    """Refuse value chips where they may not lie (FRAN-55-10.r and u, SD-03.c)."""
    kind = table.spots[new.spot][0]
    if new.value and table.house in VALUE_ON_SIMPLE_ALONE:
        refuse_if(kind != "simple" and not new.pending)
    if new.value and table.house in ONE_PLAYER_PER_VALUE and kind in MULTIPLES:
        alike = [s for s in table.cloth if s.value and s.denomination == new.denomination]
        on_numbers = [s for s in alike if table.spots[s.spot][0] in MULTIPLES]
        refuse_if(any(stake.player != new.player for stake in on_numbers))


def pieces(table: Table, id: str, player: str, call: str, amount: int) -> list[Stake]:
    """The stakes of an announcement."""
    refuse_if(call not in table.calls or player not in table.players or amount < 1)
    spots = table.calls[call]
    unit, over = divmod(amount, len(spots))
    value = table.players[player].value
    chip = table.chip if value else table.chip_of(player)
    refuse_if(over or (unit % chip and not value))
    refuse_if(value and table.house in VALUE_ON_SIMPLE_ALONE)
    each = {spot: unit * spots.count(spot) for spot in spots}
    return [
        Stake(id, player, on, each[on], player, chip, call=call, announced=amount, value=value)
        for on in each
    ]


def announce(table: Table, command: Command) -> None:
    """Announce: chips on the spots of the call."""
    id, player, call = command["id"], command["player"], command["call"]
    new = pieces(table, id, player, call, command["amount"])
    refuse_if(not may_lay(table, player, table.calls[call]))
    put(table, id, player, command["amount"], new)


def withdraw(table: Table, command: Command) -> None:
    """Take a stake back, or a part of it."""
    refuse_if(table.phase not in (BETTING, ENDED))
    stakes = table.stakes_of(command["id"])
    refuse_if(not stakes)
    total = sum(stake.amount for stake in stakes)
    amount = command.get("amount", total)
    refuse_if(not 0 < amount <= total)
    first = stakes[0]
    loose = first.value or first.foreign
    chip = table.whole(first.player, first.spot, value=loose)
    parts = [divmod(stake.amount * amount, total) for stake in stakes]
    refuse_if(amount < total and any(rest or part % chip for part, rest in parts))
    for stake, (part, _) in zip(stakes, parts, strict=True):
        stake.amount -= part
        if stake.announced > 0:
            stake.announced -= amount
    table.cloth = [stake for stake in table.cloth if stake.amount]
    table.hand(first.player, amount, foreign=first.foreign)


def relaid(table: Table, command: Command) -> None:
    """Put a stake elsewhere; it is later than what lies there, and no winner left (AMB-IT-25)."""
    stakes, spot = table.stakes_of(command["id"]), command["on"]
    refuse_if(len(stakes) != 1 or stakes[0].call or spot not in table.spots)
    old = stakes[0]
    multiple = [table.spots[one][0] in MULTIPLES for one in (old.spot, spot)]
    refuse_if(table.house == "ar" and multiple[0] != multiple[1])  # AR-3: chips of another kind
    new = replace(old, spot=spot, left=old.left and spot == old.spot)
    rest = [stake for stake in table.cloth if stake is not old]
    keep_value_chips(table, new)
    if table.enforced:
        most, there = table.limit(spot, "max"), [*rest, new]
        total = sum(one.amount for one in there if table.group(one) == table.group(new))
        refuse_if(most is not None and total > most)
    table.cloth = [*rest, new]


def move(table: Table, command: Command) -> None:
    """The owner moves a stake."""
    refuse_if(table.phase != BETTING or table.suspended)
    relaid(table, command)


def correct(table: Table, command: Command) -> None:
    """A mistake is put right before the close (IT-general-7)."""
    refuse_if(table.phase != BETTING)
    relaid(table, command)


def notice_excess(table: Table, command: Command) -> None:
    """Give back what lies over the maximum where a stake lies, if it is not too late."""
    refuse_if(table.phase in (CALLED, PAYING, ENDED) or table.enforced)
    table.share_out()
    where = {table.group(stake) for stake in table.stakes_of(command["id"])}
    over = [s for s in table.cloth if table.group(s) in where and s.amount > s.plays]
    if table.phase not in (BETTING, CLOSED):  # AMB-AR-15: of a chance, until the call.
        refuse_if(table.house != "ar")
        over = [stake for stake in over if table.spots[stake.spot][0] not in MULTIPLES]
    refuse_if(table.phase != BETTING and table.house in PLAYS_WHOLE)  # N-11
    refuse_if(not over)
    for stake in over:
        excess = stake.amount - stake.plays
        table.give_back(stake.player, excess, foreign=stake.foreign)
        stake.amount = stake.plays
    for id in dict.fromkeys(stake.id for stake in over if stake.announced):
        cut(table, id)
    table.cloth = [stake for stake in table.cloth if stake.amount]


def cut(table: Table, id: str) -> None:
    """Say how much is announced once the excess of some pieces has gone back."""
    theirs = table.stakes_of(id)
    spots = table.calls[theirs[0].call]
    units = {stake.amount // spots.count(stake.spot) for stake in theirs}
    for stake in theirs:
        stake.announced = units.copy().pop() * len(spots) if len(units) == 1 else UNEVEN


def replay(table: Table, command: Command) -> None:
    """Play an announcement again that has just won (IT-rig)."""
    refuse_if(table.phase != BETTING or table.suspended or table.house != "it")
    called = table.just_won.get(command["id"])
    refuse_if(called is None)
    assert called is not None
    if called.amount == UNEVEN:
        raise Undetermined("nothing says how pieces of several sizes are played again")
    mode, player = command["mode"], called.player
    refuse_if(mode not in ("rifare", "completare", "per_il_tutto"))
    refuse_if(mode == "per_il_tutto" and called.call not in PER_IL_TUTTO)
    refuse_if(player not in table.players or table.players[player].away)
    times = PER_IL_TUTTO[called.call] if mode == "per_il_tutto" else 1
    new = pieces(table, command["as"], player, called.call, called.amount * times)
    cost = called.amount * times
    before = table.cloth
    if mode != "rifare" and table.stays:
        cost -= sum(stake.amount for stake in table.cloth if stake in called.winning)
        table.cloth = [stake for stake in table.cloth if stake not in called.winning]
    if mode == "rifare" and not table.stays:
        cost += sum(called.laid)
        for stake, amount in zip(called.winning, called.laid, strict=True):
            new.append(replace(stake, amount=amount, announced=0, left=True))
    try:
        put(table, command["as"], player, cost, new)
    except Refused:
        table.cloth = before
        raise
    del table.just_won[command["id"]]
