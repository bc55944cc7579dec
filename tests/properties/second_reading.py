"""A second reading of the rules: table scripts played by a small model that shares no code.

The model is written from the rules alone, house by house, and says nothing of articles, staff or
views. `play` takes a script and gives its outcome; where it differs from the table, one of the two
has misread the rules.

Where the rules are silent, the model follows the table: a ball may be voided while bets are taken;
limits change while betting is open, and only what is named changes; whoever notices a stake notices
all that lies over the maximum where it lies; pieces of an announcement that stay after a win play
on, however few, but are not played again as one; an announcement may be replayed until the next
number; an id is free again when nothing lies under it.
"""

import math
from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import Any

from tests.properties.second_cloth import (
    CAUSES,
    MULTIPLES,
    PAYS,
    PER_IL_TUTTO,
    REDUCED,
    Called,
    Prisoner,
    Stake,
    calls_of,
    spots_of,
)

Command = dict[str, Any]
Outcome = dict[str, Any]


class Refused(Exception):  # noqa: N818 - it is a refusal, not an error.
    """The table does not take the command."""


def refuse_if(wrong: object) -> None:
    """Refuse the command when something is wrong with it."""
    if wrong:
        raise Refused


def up(amount: int) -> int:
    """Half of an amount; the odd unit goes to the player (X-03)."""
    return (amount + 1) // 2


@dataclass
class Table:
    """One table and all that has come of its script so far."""

    house: str
    limits: dict[str, dict[str, int]]
    chip: int | dict[str, int]
    value_players: set[str]
    purses: dict[str, int]
    stays: bool
    enforced: bool
    open: bool = True
    coming: dict[str, dict[str, int]] | None = None
    ended: bool = False
    cloth: list[Stake] = field(default_factory=list)
    prison: list[Prisoner] = field(default_factory=list)
    just_won: dict[str, Called] = field(default_factory=dict)
    lines: dict[str, dict[str, int]] = field(default_factory=dict)
    coups: list[Outcome] = field(default_factory=list)
    bank: int = 0
    custody: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    reductions: list[Outcome] = field(default_factory=list)
    paid: list[Stake] = field(default_factory=list)
    riding: dict[tuple[str, str], int] = field(default_factory=dict)
    spins: int = 0
    games_left: int | None = None
    games: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.spots = spots_of(self.house)
        self.calls = calls_of(self.house)

    # What everything below needs to know.

    def chip_of(self, player: str) -> int:
        """The value of a player's chip."""
        return self.chip if isinstance(self.chip, int) else self.chip.get(player, 1)

    def smallest(self, player: str, spot: str, *, value: bool) -> int:
        """What a stake must be a multiple of; only colour chips all have one value."""
        chance = self.house == "ar" and self.spots[spot][0] not in MULTIPLES
        return 1 if value or chance else self.chip_of(player)

    def limit(self, spot: str, which: str) -> int | None:
        """The minimum or maximum of a spot."""
        bound = self.limits.get(self.spots[spot][0], {}).get(which)
        if spot == "low+d3" and which == "min":  # Each half must reach its own (AMB-AR-19).
            bound = max(bound or 0, self.limits.get("dozen", {}).get("min", 0))
        # AR-17 and ES-G.4 double the maximum, AMB-AR-19 the minimum; low+d3 is of low's class.
        twice = "+" in spot and (which == "max" or self.house == "ar")
        return bound * 2 if twice and bound is not None else bound

    def line(self, player: str) -> dict[str, int]:
        """The sums of a player in the coup that is being played."""
        return self.lines.setdefault(player, {"won": 0, "returned": 0, "lost": 0, "held": 0})

    def give_back(self, player: str, amount: int) -> None:
        """Give a player a part of his own stake."""
        self.purses[player] += amount
        self.line(player)["returned"] += amount

    def lose(self, player: str, amount: int) -> None:
        """Take a part of a player's stake for the bank."""
        self.bank += amount
        self.line(player)["lost"] += amount

    def group(self, stake: Stake) -> tuple[str, str]:
        """Whose stakes on a spot a maximum counts together (AMB-AR-29, IT-general-15b)."""
        return (stake.behind if self.house == "it" else stake.player, stake.spot)

    def share_out(self) -> None:
        """Say of every stake how much of it plays within the maximum."""
        room: dict[tuple[str, str], int] = {}
        for stake in sorted(self.cloth, key=lambda stake: stake.unclear):
            most = self.limit(stake.spot, "max")
            left = room.get(self.group(stake), most)
            stake.plays = stake.amount if left is None else min(stake.amount, left)
            if left is not None:
                room[self.group(stake)] = left - stake.plays

    # Commands while betting is open.

    def put(self, id: str, player: str, cost: int, stakes: list[Stake]) -> None:
        """Lay stakes on the cloth, out of the player's purse."""
        taken = [stake.id for stake in self.cloth] + [prisoner.id for prisoner in self.prison]
        refuse_if(id in taken or cost > self.purses[player])
        if self.enforced:
            self.keep_maximum(stakes)
        self.purses[player] -= cost
        self.cloth += stakes

    def keep_maximum(self, stakes: list[Stake]) -> None:
        """Refuse stakes that would pass a maximum with what is there (X-04)."""
        for stake in stakes:
            most = self.limit(stake.spot, "max")
            there = [*self.cloth, *stakes]
            total = sum(s.amount for s in there if self.group(s) == self.group(stake))
            refuse_if(most is not None and total > most)

    def stake(self, command: Command) -> None:
        """Put an amount on a spot."""
        refuse_if(not self.open or self.ended)
        player, spot, amount = command["player"], command["on"], command["amount"]
        refuse_if(player not in self.purses or spot not in self.spots)
        refuse_if(not command.get("covered", True))
        value = bool(command.get("value_chips")) or player in self.value_players
        refuse_if(amount < 1 or amount % self.smallest(player, spot, value=value))
        behind = player
        if "for" in command:
            of = [stake for stake in self.cloth if stake.id == command["for"]]
            refuse_if(not of)
            behind = of[0].behind
        stake = Stake(command["id"], player, spot, amount, behind, value=value)
        stake.away = bool(command.get("unattended"))
        stake.unclear = bool(command.get("value_unclear")) and self.house == "ar"
        self.put(command["id"], player, amount, [stake])

    def pieces(self, id: str, player: str, call: str, amount: int) -> list[Stake]:
        """The stakes of an announcement."""
        refuse_if(call not in self.calls or player not in self.purses or amount < 1)
        spots = self.calls[call]
        unit, over = divmod(amount, len(spots))
        value = player in self.value_players
        refuse_if(over or unit % self.chip_of(player))
        each = {spot: unit * spots.count(spot) for spot in spots}
        return [Stake(id, player, on, each[on], player, call, value, amount) for on in each]

    def announce(self, command: Command) -> None:
        """Announce: chips on the spots of the call."""
        refuse_if(not self.open or self.ended)
        id, player, amount = command["id"], command["player"], command["amount"]
        self.put(id, player, amount, self.pieces(id, player, command["call"], amount))

    def withdraw(self, command: Command) -> None:
        """Take a stake back, or a part of it."""
        refuse_if(not self.open)
        stakes = [stake for stake in self.cloth if stake.id == command["id"]]
        refuse_if(not stakes)
        total = sum(stake.amount for stake in stakes)
        amount = command.get("amount", total)
        refuse_if(not 0 < amount <= total)
        first = stakes[0]
        in_value = first.value and not first.call
        chip = self.smallest(first.player, first.spot, value=in_value)
        parts = [divmod(stake.amount * amount, total) for stake in stakes]
        refuse_if(amount < total and any(rest or part % chip for part, rest in parts))
        for stake, (part, _) in zip(stakes, parts, strict=True):
            stake.amount -= part
            stake.announced -= amount
        self.cloth = [stake for stake in self.cloth if stake.amount]
        self.purses[stakes[0].player] += amount

    def notice_excess(self, command: Command) -> None:
        """Give back what lies over the maximum where a stake lies, before the number is out."""
        refuse_if(self.ended or self.enforced)
        self.share_out()
        where = {self.group(stake) for stake in self.cloth if stake.id == command["id"]}
        over = [s for s in self.cloth if self.group(s) in where and s.amount > s.plays]
        refuse_if(not over)
        for stake in over:
            self.give_back(stake.player, stake.amount - stake.plays)
            stake.amount = stake.plays
        self.cloth = [stake for stake in self.cloth if stake.amount]

    def change_limits(self, command: Command) -> None:
        """Change the limits, where the house may (X-06)."""
        refuse_if(self.house != "it" or self.ended)
        limits = dict(self.coming or self.limits)
        for kind, bounds in command["limits"].items():
            limits[kind] = {**limits.get(kind, {}), **bounds}
            refuse_if(limits[kind].get("min", 0) > limits[kind].get("max", math.inf))
        self.coming = limits
        if self.open:
            self.reopen()

    def last_games(self, _: Command) -> None:
        """Announce the last three games (BG-30)."""
        refuse_if(self.house != "bg" or not self.open or self.ended or self.games_left is not None)
        self.games_left = 3

    def replay(self, command: Command) -> None:
        """Play an announcement again that has just won (IT-rig)."""
        refuse_if(not self.open or self.ended or self.house != "it")
        called = self.just_won.get(command["id"])
        refuse_if(called is None)
        assert called is not None
        mode, player = command["mode"], called.player
        refuse_if(mode not in ("rifare", "completare", "per_il_tutto"))
        refuse_if(mode == "per_il_tutto" and called.call not in PER_IL_TUTTO)
        times = PER_IL_TUTTO[called.call] if mode == "per_il_tutto" else 1
        new = self.pieces(command["as"], player, called.call, called.amount * times)
        cost = called.amount * times
        before = self.cloth
        if mode != "rifare" and self.stays:
            cost -= sum(stake.amount for stake in self.cloth if stake in called.winning)
            self.cloth = [stake for stake in self.cloth if stake not in called.winning]
        if mode == "rifare" and not self.stays:
            cost += sum(called.laid)
            for stake, amount in zip(called.winning, called.laid, strict=True):
                new.append(replace(stake, amount=amount, announced=0))
        try:
            self.put(command["as"], player, cost, new)
        except Refused:
            self.cloth = before
            raise
        del self.just_won[command["id"]]

    def choose(self, command: Command) -> None:
        """Half or prison, after a zero (ES)."""
        refuse_if(not self.open or command["choice"] not in ("half", "prison"))
        held = [one for one in self.prison if one.id == command["id"] and one.may_choose]
        refuse_if(not held)
        (prisoner,) = held
        if command["choice"] == "half":
            least = self.limit(prisoner.spot, "min") or 0
            refuse_if(prisoner.zeros > 1 and up(prisoner.amount) < least)  # ES-G.2
            self.release_half(prisoner, self.coups[-1]["players"][prisoner.player])
        prisoner.may_choose = False

    def release_half(self, prisoner: Prisoner, line: dict[str, int]) -> None:
        """Give a prisoner's player half, and the bank the rest (ES-7.2.b2)."""
        half = up(prisoner.amount)
        self.prison.remove(prisoner)
        self.purses[prisoner.player] += half
        self.bank += prisoner.amount - half
        line["held"] -= prisoner.amount
        line["returned"] += half
        line["lost"] += prisoner.amount - half

    # The close.

    def no_more_bets(self, _: Command) -> None:
        """Close the betting, and send back what is short of a minimum."""
        refuse_if(not self.open or self.ended)
        self.open = False
        self.spins += 1
        for prisoner in self.prison:
            prisoner.may_choose = False
        self.send_back(self.below_placard())
        if self.house == "it":
            self.send_back(self.below_pieces())

    def send_back(self, short: list[Stake]) -> None:
        """Give stakes back that do not play; an announcement always does (AMB-IT-03)."""
        for stake in [stake for stake in short if not stake.call]:
            self.give_back(stake.player, stake.amount)
            self.cloth.remove(stake)

    def on_spot(self, stake: Stake) -> int:
        """What a stake's player has on its spot in all."""
        there = [s for s in self.cloth if (s.player, s.spot) == (stake.player, stake.spot)]
        return sum(stake.amount for stake in there)

    def below_placard(self) -> list[Stake]:
        """What is short of the minimum of its class (X-05)."""
        return [s for s in self.cloth if self.on_spot(s) < (self.limit(s.spot, "min") or 0)]

    def below_pieces(self) -> list[Stake]:
        """What is short of five pieces (IT-general-2), or of a base value (IT-general-6)."""
        on_numbers: dict[str, int] = defaultdict(int)
        for stake in self.cloth:
            if self.spots[stake.spot][0] in MULTIPLES and not stake.value:
                on_numbers[stake.player] += stake.amount
        short = []
        for stake in self.cloth:
            kind, pieces, there = self.spots[stake.spot][0], 5, self.on_spot(stake)
            if stake.value and kind != "simple":
                pieces = 1  # AMB-IT-04, AMB-IT-20
            elif kind in MULTIPLES:
                there = on_numbers[stake.player]
            if there < pieces * self.chip_of(stake.player):
                short.append(stake)
        return short

    def void(self, command: Command) -> None:
        """No va esta bola: betting opens again, with everything where it is."""
        refuse_if(self.ended or command["cause"] not in CAUSES[self.house])
        # Before the close no ball runs yet in a script, but one may slip from the hand (AR-18.a).
        refuse_if(self.open and command["cause"] != "ball_escaped")
        self.spins += self.open
        self.reopen()

    def reopen(self) -> None:
        """Open betting, under the limits that were announced while the ball ran (AMB-IT-13)."""
        self.open = True
        self.limits, self.coming = self.coming or self.limits, None

    # The number.

    def number(self, command: Command) -> None:
        """Pocketed, called, collected, paid."""
        number = command["number"]
        refuse_if(self.open or not 0 <= number <= 36)
        self.paid, self.just_won, self.riding = [], {}, defaultdict(int)
        self.play_prison(number)
        self.share_out()
        self.cascade(number)
        for stake in self.cloth:
            if stake.announced and stake.plays and number in self.spots[stake.spot][1]:
                self.note_win(stake)
        if number == 0:
            self.zero()
        self.cloth = [stake for stake in self.cloth if self.settle(stake, number)]
        if command.get("last"):
            self.ended = True
            for prisoner in [one for one in self.prison if self.house == "es"]:
                self.release_half(prisoner, self.line(prisoner.player))
        self.coups.append({"number": number, "players": self.lines, "purses": dict(self.purses)})
        self.lines = {}
        self.reopen()
        if self.games_left is not None:
            self.games_left -= 1
            self.games.append(self.games_left)
            self.ended = self.ended or self.games_left == 0

    def play_prison(self, number: int) -> None:
        """Free or take what is in prison; another zero keeps it there."""
        for one in list(self.prison):
            line = self.line(one.player)
            if number:
                self.prison.remove(one)
                free = number in self.spots[one.spot][1]
                (self.give_back if free else self.lose)(one.player, one.amount)
            else:
                if self.house == "es":  # ES-G.1
                    self.lose(one.player, one.amount - up(one.amount))
                    one.amount = up(one.amount)
                    one.zeros += 1
                    one.may_choose = True
                line["held"] += one.amount

    def zero(self) -> None:
        """Divide or imprison the simple chances, where the house does."""
        simple = [stake for stake in self.cloth if self.spots[stake.spot][0] == "simple"]
        simple = [stake for stake in simple if "+" not in stake.spot]
        if self.house in ("es", "it"):
            self.cloth = [stake for stake in self.cloth if stake not in simple]
        if self.house == "es":
            for stake in simple:
                self.prison.append(Prisoner(stake.id, stake.player, stake.spot, stake.amount))
                self.prison[-1].may_choose = True
                self.line(stake.player)["held"] += stake.amount
        if self.house == "it":
            together: dict[tuple[str, str], list[int]] = defaultdict(list)
            for stake in simple:
                together[stake.player, stake.spot].append(stake.amount)
            for (player, spot), amounts in together.items():
                self.divide(player, spot, amounts)

    def divide(self, player: str, spot: str, amounts: list[int]) -> None:
        """A partage by chips; the odd chip goes to prison (IT-gioco-14, IT-gioco-15, X-03).

        Chips are counted together, but what is less than a chip is so in each stake.
        """
        chip = self.chip_of(player)
        chips = sum(amount // chip for amount in amounts)
        self.give_back(player, chips // 2 * chip + sum(amount % chip for amount in amounts))
        self.lose(player, chips // 2 * chip)
        if chips % 2:
            self.prison.append(Prisoner("", player, spot, chip))
            self.line(player)["held"] += chip

    def note_win(self, stake: Stake) -> None:
        """Remember that an announcement has won, and with which pieces."""
        if stake.id not in self.just_won:
            self.just_won[stake.id] = Called(stake.player, stake.call, stake.announced, [], [])
        self.just_won[stake.id].winning.append(stake)
        self.just_won[stake.id].laid.append(stake.amount)

    def settle(self, stake: Stake, number: int) -> bool:
        """Settle one stake; say whether it stays on the cloth."""
        kind, numbers = self.spots[stake.spot]
        over = stake.amount - stake.plays
        if number not in numbers:
            self.lose(stake.player, stake.plays if stake.unclear else stake.amount)
            if stake.unclear:
                self.give_back(stake.player, over)
            return False
        won, left = PAYS[kind] * stake.plays + stake.extra, stake.plays
        if "+" in stake.spot and self.house == "es":
            won = up(stake.plays)
        elif "+" in stake.spot:
            boxes = [self.spots[box] for box in stake.spot.split("+")]
            (pays,) = [PAYS[kind] for kind, numbers in boxes if number in numbers]
            # Gain and half are made whole together, so that a unit is rounded once.
            left = up(stake.plays)
            won = up((pays + 1) * stake.plays) - left
            self.lose(stake.player, stake.plays - left)
        if won:
            self.paid.append(stake)
        self.bank -= won
        self.line(stake.player)["won"] += won
        if stake.away and self.house == "it":
            return self.set_aside(stake, won)
        self.purses[stake.player] += won
        self.give_back(stake.player, over)
        # What stays of an announcement is not the announcement: it cannot be played again.
        stake.amount, stake.extra, stake.announced = left, 0, 0
        if self.stays and not stake.away and not (self.house == "ar" and "+" in stake.spot):
            return left > 0  # Half of a straddle cannot lie across the line alone.
        self.give_back(stake.player, left)
        return False

    def set_aside(self, stake: Stake, won: int) -> bool:
        """Keep what an absent player has won, or let it ride (IT-general-14)."""
        stake.amount += won
        stake.wins += 1
        rides = 0
        if self.spots[stake.spot][0] not in MULTIPLES and stake.wins <= 3:
            most = self.limit(stake.spot, "max")
            rides = stake.plays + won
            if most is not None:  # All that rides for a player there keeps to the maximum.
                rides = min(rides, most - self.riding[self.group(stake)])
            self.riding[self.group(stake)] += rides
        self.custody[stake.player] += stake.amount - rides
        stake.amount = rides
        return rides > 0

    def cascade(self, number: int) -> None:
        """AR: distribute the excess of winning multiples downwards, pay it, and reduce."""
        if self.house != "ar":
            return
        for player in self.purses:
            mine = [
                stake
                for stake in self.cloth
                if stake.player == player
                and self.spots[stake.spot][0] in MULTIPLES
                and number in self.spots[stake.spot][1]
            ]
            playing = dict.fromkeys(MULTIPLES, 0)
            carried: list[tuple[Stake, int]] = []
            for kind in MULTIPLES:
                spots = dict.fromkeys(s.spot for s in mine if self.spots[s.spot][0] == kind)
                own = [stake for spot in spots for stake in mine if stake.spot == spot]
                playing[kind] = sum(stake.plays for stake in own)
                most = self.limits.get(kind, {}).get("max", math.inf)
                room = max(0, most - playing[kind])
                if kind == "sixline" and number == 0:
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
            if len({stake.spot for stake in mine}) > 1:
                self.reduce(player, playing)

    def reduce(self, player: str, playing: dict[str, int]) -> None:
        """AR-23 to AR-27, in chips."""
        chips = {kind: amount // self.chip_of(player) for kind, amount in playing.items()}
        straights, freed, left = chips["straight"], 0, {}
        for kind, many in REDUCED.items():
            made, rest = divmod(chips[kind], many)
            straights += made
            freed += made * (many - 1)
            if rest:
                left[kind] = rest
        paid = 35 * straights + sum(PAYS[kind] * rest for kind, rest in left.items())
        self.reductions.append(
            {
                "coup": len(self.coups) + 1,
                "player": player,
                "straights": straights,
                "left": left,
                "freed_to_bank": freed,
                "paid": paid,
                "stays": straights + sum(left.values()),
            }
        )


def play(script: dict[str, Any]) -> Outcome:
    """Play a script: what FORMAT calls its result."""
    house = script["rulebook"]
    settings = script.get("settings", {})
    table = Table(
        house=house,
        limits=script.get("limits", {}),
        chip=script.get("chip", 1),
        value_players=set(script.get("value_chips", [])),
        purses=dict(script["purses"]),
        stays=settings.get("winning", "hand") == "cloth",
        enforced=house in ("es", "bg") or settings.get("limits", "policed") == "enforced",
    )
    refused = []
    for index, command in enumerate(script["script"]):
        try:
            getattr(table, command["do"])(command)
        except Refused:
            refused.append(index)
    return {
        "coups": table.coups,
        "refused": refused,
        "purses": table.purses,
        "bank": table.bank,
        "custody": {player: amount for player, amount in table.custody.items() if amount},
        "reductions": table.reductions,
        "wheel": ["ccw" if spin % 2 else "cw" for spin in range(table.spins)],
        "last_games_left": table.games,
        "payment_order": payment_order(table),
    }


def payment_order(table: Table) -> list[list[str]]:
    """The stakes paid in the last coup, in groups: the rules fix the order of the groups only."""
    ranks: dict[str, int] = {}
    for stake in table.paid:
        ranks.setdefault(stake.id, payment_rank(table, stake))
    return [sorted(id for id in ranks if ranks[id] == rank) for rank in sorted(set(ranks.values()))]


def payment_rank(table: Table, stake: Stake) -> int:
    """When a stake is paid: a lower rank is paid first."""
    kind = table.spots[stake.spot][0]
    if table.house == "it":  # IT-gioco-10, IT-gioco-11
        return {"column": 0, "simple": 1, "dozen": 2}.get(kind, 4 if stake.value else 3)
    if table.house == "es":  # ES-G.8
        groups = ["column", "dozen", "column+", "dozen+", "simple"]
        groups += ["street", "sixline", "corner", "split", "straight"]
        return groups.index(kind + ("+" if "+" in stake.spot else ""))
    if table.house == "ar" and kind in MULTIPLES:  # AR-25.b
        return table.chip_of(stake.player)
    return 0  # The rules do not say when AR pays its chances; the table pays them first.
