"""Writes the stakes of a random script: whose, where, how much, and with which chips."""

from random import Random
from typing import Any

from tests.properties.model.cloth import Pocket, calls_of, spots_of

Script = dict[str, Any]

CLASSES = ["straight", "split", "street", "corner", "sixline", "dozen", "column", "simple"]
CHANCES = ["red", "black", "even", "odd", "low", "high"]
BOXES = [*CHANCES, "d1", "d2", "d3", "c1", "c2", "c3"]
MODES = ["rifare", "completare", "per_il_tutto"]
NOT_SPOTS = (
    "37 -1 3/4 3/7 2/4 0/4 12/18 36/39 17/17 d4 c0 d1+d3 c1+c3 low+d1 low+d2 high+d1 red+odd "
    "red+black d1+c1 purple 17/ /20 1/2/3/4"
).split()
NOT_CALLS = "voisin 17~1 17~3 37~2 f10 f3/4 f6/7 f9/10 f10/13 nassa+1".split()


class Stakes:
    """What the writer of a script knows of its stakes."""

    def __init__(self, chance: Random, mood: str, house: str) -> None:
        self.chance, self.mood, self.house = chance, mood, house
        self.spots, self.calls = spots_of(house), calls_of(house)
        self.lucky: Pocket = 0 if self.once_in(5) else chance.randrange(1, 37)
        self.near = [spot for spot, (_, covered) in self.spots.items() if self.lucky in covered]
        self.box = chance.choice(BOXES)
        self.fell: Pocket = self.lucky
        """The number that fell last."""
        self.players: list[str] = []
        self.absent: list[str] = []
        self.value_players: list[str] = []
        self.chips: dict[str, int] = {}
        self.base = 1
        """The table's chip."""
        self.ids: list[str] = []
        self.laid: dict[str, Script] = {}
        """Stakes and announcements by id, refused ones too."""
        self.now: list[str] = []
        """The ids of this coup."""

    def once_in(self, times: int) -> bool:
        """Say yes once in so many times; the smallest draw says no."""
        return self.chance.randrange(times) == times - 1

    def often(self, mood: str, much: int, little: int) -> bool:
        """Say yes more often when the script is about this."""
        return self.once_in(much if self.mood == mood else little)

    def someone(self) -> str:
        """Somebody who sits at the table, mostly."""
        if self.absent and self.often("seats", 6, 40):
            return self.absent[0]
        return "nobody" if self.often("disorder", 40, 400) else self.chance.choice(self.players)

    def limits(self) -> dict[str, dict[str, int]]:
        """Limits for some of the classes, small enough to be met often."""
        limits = {}
        largest = max(self.chips.values())
        for kind in CLASSES:
            if not (self.often("crowd", 1, 2) or self.often("reduced", 1, 2)):
                continue
            least = self.chance.choice([1, 1, 2, 3, 5]) * largest
            most = least + self.chance.choice([0, 1, 2, 5, 20, 100]) * largest
            limits[kind] = {"min": least, "max": most}
            if self.mood in ("left", "chips") and not self.once_in(4):
                del limits[kind]["min"]
            elif self.once_in(3):
                del limits[kind][self.chance.choice(["min", "max"])]
        return limits

    # Names.

    def new_id(self, *, fresh: bool = False) -> str:
        """The name of a stake, rarely one that is taken."""
        if self.now and not fresh and self.often("disorder", 20, 200):
            return self.chance.choice(self.now)
        self.ids.append(f"b{len(self.ids) + 1}")
        self.now.append(self.ids[-1])
        return self.ids[-1]

    def some_id(self) -> str:
        """The name of a stake that is probably there."""
        ids = self.now if self.now and not self.once_in(3) else self.ids
        if self.often("left", 2, 8):
            ids = [id for id in self.ids if self.covers(id)] or ids
        return self.chance.choice(ids) if ids and not self.once_in(20) else "nobody's"

    def covers(self, id: str) -> bool:
        """Whether a stake covers the number that fell last."""
        return self.fell in self.spots.get(self.laid.get(id, {}).get("on", ""), ("", set()))[1]

    def called(self, id: str) -> bool:
        """Whether an announcement covers the number that fell last."""
        pieces = self.calls.get(self.laid.get(id, {}).get("call", ""), [])
        return any(self.fell in self.spots[piece][1] for piece in pieces)

    # Commands.

    def spot(self) -> str:
        """A spot that suits the mood."""
        if self.often("disorder", 8, 80):
            return self.chance.choice(NOT_SPOTS)
        if self.mood == "left" and self.once_in(2):
            return str(self.chance.randrange(37))
        if self.mood in ("crowd", "reduced", "left") and not self.once_in(8):
            return self.chance.choice(self.near)
        if self.mood == "streak" and not self.once_in(4):
            return self.box
        if self.mood == "chips" and not self.once_in(3):
            return self.chance.choice([self.box, str(self.lucky)])
        if not (self.often("zeros", 5, 1) and self.often("voids", 5, 1)) or self.once_in(3):
            return self.chance.choice(CHANCES[: self.chance.choice([1, 6])])
        if self.once_in(4):
            return self.chance.choice(self.near)
        return self.chance.choice(sorted(self.spots))

    def stake(self) -> Script:
        """A stake, mostly a good one."""
        player, id = self.someone(), self.new_id()
        many = [1, 2, 3, 4, 5, 5, 6, 7, 9, 12, 20, 50, 100]
        if self.mood in ("left", "chips", "reduced"):
            many = [1, 1, 2, 2, 3, 4, 5, 6, 7]
        if self.mood == "left" and not self.once_in(4):
            many = [1, 1, 1, 2]
        stake: Script = {"do": "stake", "id": id, "player": player, "on": self.spot()}
        stake["amount"] = self.chance.choice(many) * self.chips.get(player, self.base)
        if self.house != "ar" and self.often("chips", 4, 15 if self.house == "it" else 30):
            stake["value_chips"] = True
        if self.house != "ar" and (stake.get("value_chips") or player in self.value_players):
            worth = self.chance.choice(many) * self.base
            stake["amount"] = worth + self.chance.choice([0, 0, 0, 1, 2])
            if self.once_in(6):
                stake["amount"] = max(1, self.base - 1)
        if self.once_in(100):
            stake["amount"] += self.chance.choice([-1, 1])
        self.flag(stake)
        self.laid[id] = stake
        return stake

    def flag(self, stake: Script) -> None:
        """Say what else is to be known of a stake."""
        italian = self.house == "it"
        if self.once_in(6 if self.house == "ar" else 40):
            stake["value_unclear"] = True
        if self.often("disorder", 10, 100):
            stake["covered"] = self.once_in(4)
        if self.often("streak", 2, 10 if italian else 25):
            stake["unattended"] = True
        others = [other for other in self.now if other in self.laid and other != stake["id"]]
        if others and self.often("crowd", 3, 8) and (italian or self.once_in(8)):
            self.play_for(stake, self.chance.choice(others))
        if italian and self.often("chips", 5, 25):
            self.bring_from_elsewhere(stake)

    def play_for(self, stake: Script, other: str) -> None:
        """Let a stake be played for the owner of another."""
        stake["for"] = "nobody's" if self.once_in(20) else other
        owner = self.laid.get(stake["for"], {})
        stake["on"] = owner.get("on", stake["on"])

    def bring_from_elsewhere(self, stake: Script) -> None:
        """Let a stake be of another table's chips (IT-general-5)."""
        stake.pop("amount")
        stake.pop("value_chips", None)
        chips = {"count": self.chance.choice([1, 2, 3, 4, 5, 7]), "table": "9"}
        stake["foreign"] = {**chips, "opening_minimum": self.chance.choice([1, 2, 3, 5])}
        if self.once_in(2):
            stake["foreign"]["value"] = self.chance.choice([1, 3, 5, 8])

    def announcement(self) -> Script:
        """An announcement, mostly one that the house knows."""
        player, id = self.someone(), self.new_id()
        foreign = self.often("disorder", 4, 20)
        known = (not foreign and self.calls) or calls_of("it")
        famous = [call for call in known if "~" not in call and not call.startswith("f")]
        call = self.chance.choice(famous if self.once_in(2) else sorted(known))
        each = self.chips.get(player, self.base) * self.chance.choice([1, 1, 1, 2, 3, 10])
        amount = len(known[call]) * each
        if self.often("disorder", 8, 60):
            amount += 1
        if self.often("disorder", 8, 60):
            call = self.chance.choice(NOT_CALLS)
        command = {"do": "announce", "id": id, "player": player, "call": call, "amount": amount}
        self.laid[id] = command
        return command

    def replay(self, id: str) -> Script:
        """An announcement played again; its call is known by the one before."""
        call = self.laid.get(id, {}).get("call", "voisins")
        new = self.new_id(fresh=True)
        self.laid[new] = {"call": call}
        return {"do": "replay", "id": id, "mode": self.chance.choice(MODES), "as": new}

    def withdrawal(self) -> Script:
        """A stake or a part of it taken back."""
        command: Script = {"do": "withdraw", "id": self.some_id()}
        laid = self.laid.get(command["id"], {})
        if self.once_in(2) and "foreign" not in laid:
            amount = laid.get("amount", 1) // self.chance.choice([1, 2, 3, 5])
            chip = self.chips.get(laid.get("player", ""), 1)
            command["amount"] = amount // chip * chip + self.chance.choice([0, 0, 0, 0, 1])
        return command

    def shift(self) -> Script:
        """A stake moved by its owner or corrected by the staff."""
        do = self.chance.choice(["move", "move", "correct"])
        return {"do": do, "id": self.some_id(), "on": self.spot()}
