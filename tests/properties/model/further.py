"""Writes table scripts at random for the five further houses."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.properties.model.cloth import ONE_ZERO_SPOTS, TWO_ZERO_SPOTS, Pocket
from tests.properties.model.houses import CAUSES, NO_VALUE, ORPHANS, SEATS, TWO_ZEROS
from tests.properties.model.stakes import BOXES
from tests.properties.model.writer import CHANCES, Writer

Script = dict[str, Any]

HOUSES = ["fr", "fram", "fran", "esam", "sd"]
MOODS = {
    "mixed": HOUSES,
    "zeros": ["fr", "fr", "fr", "fran", "esam", "fram", "sd"],
    "streak": ["fr", "fr", "fram", "fran", "fran", "esam", "sd"],
    "calls": ["fran"],
    "crowd": HOUSES,
    "linked": ["fram"],
    "order": ["fr", "fram", "fran", "esam", "sd"],
    "edges": ["fr", "fram", "fran", "esam", "sd", "sd"],
    "disorder": HOUSES,
    "left": HOUSES,
    "chips": ["fran", "fran", "sd", "sd", "esam", "fram", "fr"],
    "placard": ["fr", "fram", "fran", "esam"],
    "voids": ["fr", "fr", "sd", "esam", "fram", "fran"],
    "paying": ["fram", "fran", "esam", "fr", "sd"],
    "seats": ["fram", "fran", "fram", "fran", "esam", "sd", "fr"],
    "closing": HOUSES,
}
"""What a script is about, and the houses where it is met.

As the moods of the writer; and linked combinations, winners of every class, and placards in minima
whose ends are met.
"""
MORE_OFTEN = ["zeros", "streak", "linked", "edges", "chips", "order", "order", "seats"]
TIMES = {  # What a class may carry in minima: fr, and the others.
    "straight": (30, 20),
    "split": (60, 40),
    "street": (100, 60),
    "corner": (120, 80),
    "five": (0, 100),
    "sixline": (200, 120),
    "dozen": (500, 240),
    "column": (500, 240),
    "simple": (1000, 360),
}
ELSEWHERE = sorted({*ONE_ZERO_SPOTS.split(), *TWO_ZERO_SPOTS.split()})
"""Spots of the one cloth or the other."""
NOT_THERE = "00/1 0/00/1 00/1/2 0/00/3 0/00/1/2 00/2/3/1 000 00/00 00/6 0/6 1/00".split()
LATECOMERS = ["gil", "hana", "ivo"]


class Further(Writer):
    """Writes one script."""

    def __init__(self, chance: Random) -> None:
        super().__init__(chance, MOODS, MORE_OFTEN)
        if self.house in TWO_ZEROS:
            if self.once_in(4):
                self.lucky = "00"
            self.near = [spot for spot, (_, covered) in self.spots.items() if self.lucky in covered]
        if self.mood == "seats" and self.house in SEATS and not self.once_in(4):
            self.players = [*self.players, *self.absent]
            rest = ["ana", "bo", "cid", "dora", "eva", "fermin", *LATECOMERS]
            self.absent = [name for name in rest if name not in self.players]
            full = SEATS[self.house] - chance.choice([0, 0, 1]) - len(self.players)
            self.players += self.absent[:full]
            self.absent = self.absent[full:]
        self.least = 1
        """The minimum of the placard, where it is the same for all."""
        self.broke = ""
        """Who loses all at once, and may choose other chips then."""
        if self.mood == "chips" and self.once_in(2):
            self.broke = chance.choice(self.players)
        self.placard: dict[str, dict[str, int]] = {}
        """The limits that were written last."""

    # The table.

    def script(self, name: str) -> Script:
        """Write the script."""
        script = super().script(name)
        if self.house != "sd":
            script["settings"].pop("limits", None)
        if self.mood in ("edges", "linked", "order"):
            script["purses"] = {name: purse * 20 for name, purse in script["purses"].items()}
        if self.broke in script["purses"]:
            laid = self.laid[self.ids[0]]["amount"]
            script["purses"][self.broke] = min(laid, script["purses"][self.broke])
        if self.mood == "chips" and self.once_in(3):
            # Who has bought nothing yet has the chip that the script names for them.
            script["purses"][self.chance.choice(list(script["purses"]))] = 0
        return script

    def hand_out_chips(self, script: Script) -> None:
        """Say what chips are worth, and who plays with value chips."""
        super().hand_out_chips(script)
        if self.house in NO_VALUE or self.house == "fr":
            self.value_players = []
            script.pop("value_chips", None)
        if self.house == "fr":
            script.pop("chip", None)
            self.chips, self.base = dict.fromkeys(self.players, 1), 1

    def limits(self) -> dict[str, dict[str, int]]:
        """A placard: in minima, as the houses have them, or any limits."""
        if self.mood in ("edges", "linked", "placard", "chips") and not self.once_in(4):
            self.least = self.chance.choice([1, 1, 2, 5]) * self.chance.choice([1, self.base])
            times = {kind: both[self.house != "fr"] for kind, both in TIMES.items()}
            if self.mood in ("linked", "placard") and self.once_in(2):
                times = {kind: max(1, many // 10) for kind, many in times.items()}
            limits = {
                kind: {"min": self.least, "max": self.least * many} for kind, many in times.items()
            }
        elif self.mood == "order":
            limits = {}
        else:
            limits = super().limits()
            if self.house in TWO_ZEROS and self.once_in(2):
                limits["five"] = {"min": self.base, "max": self.base * self.chance.choice([1, 5])}
        if self.house not in TWO_ZEROS:
            limits.pop("five", None)
        self.placard |= limits
        return limits

    # The coups.

    def before(self, *, fresh: bool) -> Iterator[Script]:
        """What happens before the close."""
        if self.broke:
            yield self.all_or_nothing() if fresh else self.purchase(self.broke)
        if self.mood == "order":
            yield from (self.stake() for _ in range(self.chance.choice([4, 8, 12])))
        while self.often("seats", 3, 200) and self.absent:
            yield {"do": "sit", "player": self.chance.choice(self.absent)}
        yield from super().before(fresh=fresh)
        while self.often("streak", 3, 30):
            yield self.orphan()
        while self.often("placard", 2, 40):
            yield self.chance.choice([self.reopening, self.reopening, self.stake])()

    def after(self) -> Iterator[Script]:
        """What follows a number: also stakes found abandoned, and another placard."""
        yield from super().after()
        while self.often("streak", 2, 20) and self.house in ORPHANS:
            yield self.orphan()
        if self.often("placard", 2, 20):
            yield self.reopening()

    def choices(self) -> Iterator[Script]:
        """Choices after a zero, for some of the stakes that may have one."""
        if self.house != "fr" and not self.often("disorder", 4, 20):
            return
        if self.fell != 0 and not self.once_in(6):
            return
        simple = [id for id in self.ids if self.laid.get(id, {}).get("on") in CHANCES]
        for id in simple[-6:]:
            if self.once_in(2):
                choice = self.chance.choice(["half", "half", "prison"])
                yield {"do": "choose", "id": id, "choice": choice}

    def void(self) -> Script:
        """A ball that does not count."""
        if self.often("disorder", 2, 6):
            return {
                "do": "void",
                "cause": self.chance.choice(sorted(set().union(*CAUSES.values()))),
            }
        return {"do": "void", "cause": self.chance.choice(sorted(CAUSES[self.house]))}

    def pocket(self) -> Pocket:
        """A number that often matters, and is often a zero."""
        zeros = self.mood in ("zeros", "voids") and self.once_in(3)
        if self.mood == "order" and not self.once_in(8):
            return self.lucky
        if self.house in TWO_ZEROS and (zeros or self.once_in(8)):
            return "00"
        return super().pocket()

    def number(self, *, last: bool) -> Iterator[Script]:
        """The number, rarely after one that the wheel lacks."""
        if self.often("disorder", 6, 20):
            wrong = self.chance.choice(["00", "00", 37])
            if wrong == 37 or self.house not in TWO_ZEROS:
                yield {"do": self.chance.choice(["number", "pocket"]), "number": wrong}
        if self.broke and not last and not self.once_in(3):
            self.fell = 8  # Black, and beside whatever they laid.
            yield {"do": "number", "number": 8}
        else:
            yield from super().number(last=last)

    # Single commands.

    def betting(self) -> Script:
        """A command that belongs before the close, mostly."""
        rarely: list[tuple[bool, Callable[[], Script]]] = [
            (self.often("calls", 2, 8) and self.house == "fran", self.announcement),
            (self.often("edges", 4, 8) and self.house == "sd", self.notice),
            (self.often("streak", 10, 60), self.orphan),
            (self.often("streak", 20, 400), self.seat),
            (self.often("chips", 12, 200), lambda: self.purchase(self.someone())),
            (self.often("placard", 8, 80), self.reopening),
        ]
        return next((command for now, command in rarely if now), super().betting)()

    def notice(self) -> Script:
        """A member of the staff notices a stake, mostly one that is over the maximum."""
        over = [id for id in self.now if self.is_over(self.laid.get(id, {}))]
        if not over or self.once_in(4):
            return super().notice()
        return {"do": "notice_excess", "id": self.chance.choice(over)}

    def is_over(self, stake: Script) -> bool:
        """Whether a stake alone is over the maximum."""
        kind = self.spots.get(stake.get("on", ""), ("", set()))[0]
        most = self.placard.get(kind, {}).get("max")
        return most is not None and stake["amount"] > most

    def seat(self) -> Script:
        """A player comes, goes, buys or claims."""
        stakes = [self.laid[id] for id in self.ids if self.laid.get(id, {}).get("unattended")]
        if stakes and self.house in ORPHANS and self.once_in(3):
            return {"do": "claim", "player": self.chance.choice(stakes)["player"]}
        return super().seat()

    def all_or_nothing(self) -> Script:
        """One chip on a number, which is all that its player has."""
        amount = self.chips[self.broke]
        on = self.chance.choice(["1", "1/2", "red"])
        stake = {"do": "stake", "id": self.new_id(), "player": self.broke, "on": on}
        self.laid[stake["id"]] = {**stake, "amount": amount}
        return self.laid[stake["id"]]

    def orphan(self) -> Script:
        """A stake found abandoned, mostly one without an owner."""
        without = [id for id in self.ids if self.laid.get(id, {}).get("unattended")]
        id = self.chance.choice(without) if without and not self.once_in(5) else self.some_id()
        return {"do": "orphan", "id": id}

    def reopening(self) -> Script:
        """The table closed and opened again with another placard, or some of it."""
        limits = self.limits()
        if self.once_in(2):
            limits = {kind: limits[kind] for kind in limits if self.once_in(2)}
        do = "change_limits" if self.once_in(6) else "reopen"
        return {"do": do, "limits": limits}

    def spot(self) -> str:
        """A spot that suits the mood, also of another cloth."""
        if self.often("disorder", 8, 40):
            return self.chance.choice([*ELSEWHERE, *NOT_THERE])
        if self.mood == "linked" and not self.once_in(6):
            by = [spot for spot in self.near if spot not in BOXES]
            if self.once_in(2):
                return self.chance.choice(by)
            return self.chance.choice(self.beside(self.chance.choice(by)))
        if self.mood == "order":
            kinds: dict[str, list[str]] = {}
            for spot in self.near:
                kind = self.spots[spot][0]
                name = spot if kind == "simple" else kind + "+" * spot.count("+")
                kinds.setdefault(name, []).append(spot)
            return self.chance.choice(kinds[self.chance.choice(sorted(kinds))])
        if self.mood == "edges" and self.once_in(3):
            heads = [spot for spot in ELSEWHERE if spot in self.spots]
            return self.chance.choice([*heads, *[spot for spot in self.spots if "+" in spot]])
        return super().spot()

    def beside(self, spot: str) -> list[str]:
        """The spots of the numbers that have a number in common with this one."""
        covered = self.spots[spot][1]
        numbers = {name: both[1] for name, both in self.spots.items() if name not in BOXES}
        return [name for name, others in numbers.items() if "+" not in name and others & covered]

    def stake(self) -> Script:
        """A stake, mostly a good one."""
        stake = super().stake()
        kind = self.spots.get(stake["on"], ("", set()))[0]
        if self.mood == "linked" and self.once_in(2):
            stake["amount"] = self.chips.get(stake["player"], self.base) * self.chance.choice(
                [1, 2, 3, 4, 5, 8, 20, 21, 25, 40]
            )
        if self.mood == "edges" and kind and self.once_in(2):
            most = self.least * TIMES[kind][self.house != "fr"]
            if "+" in stake["on"]:
                most *= 4 if self.house == "fr" else 2
            ends = [self.least - 1, self.least, most, most, most + 1, most // 2]
            stake["amount"] = self.chance.choice(ends) or 1
        if self.house == "fran" and self.often("chips", 3, 12):
            stake["value_chips"] = True
        if self.house in NO_VALUE and self.often("chips", 8, 60):
            stake["value_chips"] = True
        if self.often("chips", 3, 20 if self.house == "fran" else 80):
            stake["change_pending"] = self.chance.choice([True, True, False])
            if self.house == "fran" and self.once_in(2):
                stake["value_chips"] = True
        if self.house == "sd" and self.often("chips", 2, 6):
            stake["value_chips"] = True
        if self.often("chips", 3, 6 if self.house == "sd" else 80):
            stake["denomination"] = self.chance.choice([1, 5, 5, 25])
        return stake

    def flag(self, stake: Script) -> None:
        """Say what else is to be known of a stake."""
        super().flag(stake)
        if self.house in ORPHANS and self.often("zeros", 4, 12):
            stake["unattended"] = True

    def purchase(self, player: str) -> Script:
        """Chips bought, sometimes of a value outside the limits of a straight."""
        command = super().purchase(player)
        if "value_chips" not in command and self.often("chips", 2, 3):
            chip = self.least * self.chance.choice([1, 1, 2, 5, 19, 20, 21, 30])
            command["chip"] = max(1, chip + self.chance.choice([0, 0, 0, -1, 1]))
            command["amount"] = command["chip"] * self.chance.choice([1, 5, 20])
            self.chips[player] = command["chip"]
        return command

    def out_of_place(self) -> Script:
        """A command that may belong anywhere or nowhere."""
        if self.once_in(6):
            return self.chance.choice([self.orphan, self.reopening, self.void])()
        return super().out_of_place()
