"""Writes table scripts at random, mostly about what the readings settle."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from tests.properties.model.cloth import Pocket, in_order
from tests.properties.model.stakes import Stakes

Script = dict[str, Any]

HOUSES = ["ar", "es", "it", "bg"]
PLAYERS = ["ana", "bo", "cid", "dora", "eva", "fermin"]
CHANCES = ["red", "black", "even", "odd", "low", "high"]
CAUSES = ["ball_escaped", "object_in_wheel", "ball_out", "ball_stuck", "wheel_stopped"]
MOODS = {
    "mixed": HOUSES,
    "zeros": ["es", "es", "it", "it", "ar", "bg"],
    "streak": ["it", "it", "it", "ar", "es", "bg"],
    "calls": ["it", "it", "bg"],
    "crowd": ["ar", "ar", "it", "es", "bg"],
    "disorder": HOUSES,
    "left": ["it", "it", "it", "it", "it", "bg", "es"],
    "chips": ["it", "it", "it", "it", "ar", "es", "bg"],
    "placard": ["it"],
    "voids": ["es", "es", "es", "it", "bg", "ar"],
    "reduced": ["ar"],
    "paying": ["it", "it", "it", "it", "ar", "es", "bg"],
    "seats": ["it", "it", "bg", "ar", "es"],
    "closing": ["bg", "bg", "bg", "it", "es", "ar"],
}
READ_ANEW = ["left", "chips", "placard", "voids", "reduced", "paying"]
"""Moods that come up more often."""
"""What a script is about, and the houses where it is met.

Anything; zeros running; one box winning again and again; announcements and their replays; many
stakes round one number; commands out of place; winners left on the cloth; chips of several values;
limits that change; balls that are void; reductions that stay; numbers step by step; players who
come and go; the end of the day.
"""


class Writer(Stakes):
    """Writes one script."""

    def __init__(
        self, chance: Random, moods: dict[str, list[str]] = MOODS, more: Sequence[str] = READ_ANEW
    ) -> None:
        mood = chance.choice([*moods, *more])
        super().__init__(chance, mood, chance.choice(moods[mood]))
        self.players = chance.sample(PLAYERS, chance.choice([1, 1, 2, 2, 3, 5]))
        self.poor = ""
        """Who has bought nothing yet."""
        self.gone: list[str] = []
        """Who has stepped away, back again or not."""
        self.absent = [name for name in PLAYERS if name not in self.players][:1]
        """Who may sit down later."""

    def script(self, name: str) -> Script:
        """Write the script."""
        script: Script = {"id": name, "rulebook": self.house}
        self.hand_out_chips(script)
        purses = [20, 200, 1000, 5000]
        script["purses"] = {
            player: self.chips[player] * self.chance.choice(purses) for player in self.players
        }
        if self.often("chips", 3, 40) or self.often("seats", 3, 40):
            poor = self.chance.choice(self.players)
            # Whoever has bought nothing yet is told no chip: they may choose one when they buy.
            if not isinstance(script.get("chip"), dict) and poor not in self.value_players:
                script["purses"][poor] = 0
                self.poor = poor
        if not self.once_in(4):
            script["limits"] = self.limits()
        stays = ["cloth"] if self.mood in ("left", "reduced") else ["hand", "hand", "cloth"]
        settings = {"winning": self.chance.choice(stays)}
        if self.once_in(3):
            kept = ["policed", "enforced"] if self.house in ("ar", "it") else ["enforced"]
            settings["limits"] = self.chance.choice(kept)
        script["settings"] = settings
        script["script"] = list(self.commands())
        return script

    def hand_out_chips(self, script: Script) -> None:
        """Say what chips are worth, and who plays with value chips."""
        several = self.often("chips", 1, 4)
        if several and len(self.players) > 1:
            base = self.chance.choice([1, 2, 4, 5])
            times = {player: self.chance.choice([1, 1, 2, 3, 5]) for player in self.players}
            times[self.chance.choice(self.players)] = 1
            self.chips = {player: base * times[player] for player in self.players}
            script["chip"] = dict(self.chips)
        elif several or self.once_in(2):
            base = self.chance.choice([2, 4, 5, 10])
            self.chips = dict.fromkeys(self.players, base)
            script["chip"] = base
        else:
            self.chips = dict.fromkeys(self.players, 1)
        self.base = min(self.chips.values())
        if self.house != "ar":  # AR-3 knows no value chips.
            each = 3 if self.mood == "chips" else 6
            self.value_players = [player for player in self.players if self.once_in(each)]
            script["value_chips"] = list(self.value_players)

    # The coups.

    def commands(self) -> Iterator[Script]:
        """Write a few coups."""
        coups = self.chance.randint(1, 6)
        for coup in range(coups):
            yield from self.before(fresh=coup == 0)
            yield from self.close_betting()
            yield from self.number(last=coup == coups - 1)
            yield from self.after()
            self.now = []
        if self.often("closing", 2, 10):
            yield from self.goodbye()

    def before(self, *, fresh: bool) -> Iterator[Script]:
        """What happens before the close."""
        if fresh:
            yield from self.first()
        while self.often("seats", 2, 8):
            yield self.seat()
        while self.often("placard", 2, 40) and self.house == "it":
            yield self.new_limits()
        yield from self.interrupted()
        if self.often("placard", 4, 60):
            yield {"do": "launch"}
            yield self.limits_or_stake()
        calm = {"streak": 2, "left": 2, "voids": 4}.get(self.mood, 6)
        quiet = not fresh and self.once_in(calm)
        for _ in range(0 if quiet else self.chance.choice([1, 2, 3, 5, 8])):
            yield self.betting()
        if self.often("placard", 2, 8) or self.often("voids", 2, 8):
            yield from self.launched()

    def first(self) -> Iterator[Script]:
        """What happens before anything else."""
        if self.poor:
            yield self.purchase(self.poor)
            yield self.purchase(self.poor)
        if self.mood == "left":
            for _ in range(self.chance.choice([5, 5, 6, 8])):
                yield self.stake()

    def interrupted(self) -> Iterator[Script]:
        """What the staff say between two games."""
        if self.often("closing", 4, 60):
            yield {"do": self.chance.choice(["last_games", "close", "launch"])}
        if self.often("closing", 4, 40):
            yield {"do": "suspend", "reason": "a fault"}
            for _ in range(self.chance.choice([0, 1, 1, 2])):
                yield self.chance.choice([self.betting, self.out_of_place])()
            yield {"do": "resume"}

    def launched(self) -> Iterator[Script]:
        """A ball launched while betting goes on."""
        yield {"do": "launch"}
        for _ in range(self.chance.choice([0, 1, 2])):
            yield self.betting()
        if self.once_in(4):
            yield self.void()
            yield self.betting()

    def close_betting(self) -> Iterator[Script]:
        """The close, what is said after it, and balls that are void."""
        yield {"do": "no_more_bets"}
        while self.often("disorder", 3, 20):
            yield self.out_of_place()
        while self.once_in(12):
            yield self.notice()
        if self.house == "it" and self.often("chips", 8, 20):
            player = self.someone()
            yield {"do": "exception", "player": player}
            yield {**self.stake(), "player": player}
        while self.often("placard", 2, 40) and self.house == "it":
            yield self.new_limits()
        while self.often("voids", 2, 10) or self.often("placard", 3, 10):
            yield self.void()
            yield from self.choices()
            while self.once_in(2):
                yield self.betting()
            while self.often("placard", 3, 20) and self.house == "it":
                yield self.new_limits()
            yield {"do": "no_more_bets"}

    def void(self) -> Script:
        """A ball that does not count."""
        sure = ["object_in_wheel", "ball_out"]  # In every house.
        causes = CAUSES if self.often("disorder", 2, 6) else sure
        return {"do": "void", "cause": self.chance.choice(causes)}

    def number(self, *, last: bool) -> Iterator[Script]:
        """The number, at once or step by step."""
        self.fell = self.pocket()
        fell: Script = {"number": self.fell}
        if self.once_in(4 if last else 60) and (self.house != "bg" or self.once_in(10)):
            fell["last"] = True
        if not self.often("paying", 1, 12):
            yield {"do": "number", **fell}
            return
        meanwhile: list[Callable[[], Script]] = [self.stake, self.announcement]
        meanwhile += [self.limits_or_stake, self.out_of_place, self.withdrawal]
        for step in ({"do": "pocket", **fell}, {"do": "call"}, {"do": "collect"}):
            yield step
            while self.once_in(5):
                yield self.chance.choice(meanwhile)()
        payments = self.chance.choice([0, 1, 1, 2, 3])
        for _ in range(payments):
            while self.often("paying", 2, 3):
                lays = [self.stake, self.announcement, self.limits_or_stake]
                lays += [self.announcement] if self.house == "it" else []
                yield self.chance.choice(lays)()
            yield {"do": "pay", "payments": self.chance.choice([1, 1, 1, 2])}
        # However many are due, these are enough; what is too many is refused.
        yield from ({"do": "pay", "payments": 1} for _ in range(len(self.ids) + 5))

    def limits_or_stake(self) -> Script:
        """Other limits, where they change."""
        return self.new_limits() if self.house == "it" else self.stake()

    def pocket(self) -> Pocket:
        """A number that often matters, and is often zero."""
        if self.once_in(8) or (self.mood in ("zeros", "voids") and not self.once_in(3)):
            return 0
        if self.mood == "streak" and not self.once_in(8):
            return self.chance.choice(in_order(self.spots[self.box][1]))
        if self.mood in ("crowd", "reduced", "left") and not self.once_in(4):
            return self.lucky
        if self.mood == "disorder" and self.once_in(20):
            return self.chance.choice([-1, 37])
        laid = [self.laid[id] for id in self.now if id in self.laid]
        spots = [stake["on"] for stake in laid if stake.get("on") in self.spots]
        spots += [spot for stake in laid for spot in self.calls.get(stake.get("call", ""), [])]
        if spots and not self.once_in(4):
            return self.chance.choice(in_order(self.spots[self.chance.choice(spots)][1]))
        return self.chance.randrange(37)

    def after(self) -> Iterator[Script]:
        """What follows a number: choices, replays, winners taken back or moved."""
        yield from self.choices()
        if self.house == "it" or self.often("disorder", 10, 100):
            calls = [id for id in self.ids if "call" in self.laid.get(id, {})]
            for id in calls[-3:]:
                if self.once_in(2) and (self.called(id) or self.once_in(6)):
                    yield self.replay(id)
        while self.often("left", 2, 12):
            yield self.chance.choice([self.withdrawal, self.shift])()

    def choices(self) -> Iterator[Script]:
        """Choices after a zero, for some of the stakes that may have one."""
        if self.house != "es" and not self.often("disorder", 10, 100):
            return
        simple = [id for id in self.ids if self.laid.get(id, {}).get("on") in CHANCES]
        if self.fell and not self.once_in(6):
            return
        for id in simple[-6:]:
            if self.once_in(2):
                choice = self.chance.choice(["half", "half", "prison"])
                yield {"do": "choose", "id": id, "choice": choice}

    def goodbye(self) -> Iterator[Script]:
        """The end of the day."""
        for player in [*self.players, *self.absent]:
            if self.once_in(2):
                yield {"do": "leave", "player": player}
        yield {"do": "close"}
        while self.once_in(2):
            yield self.out_of_place()

    # Single commands.

    def betting(self) -> Script:
        """A command that belongs before the close, mostly."""
        house = self.house
        rarely: list[tuple[bool, Callable[[], Script]]] = [
            (self.often("disorder", 5, 60), self.out_of_place),
            (self.often("calls", 2, 8) and house in ("it", "bg"), self.announcement),
            (self.once_in(15), self.withdrawal),
            (self.often("left", 6, 15), self.shift),
            (self.once_in(8) and house in ("ar", "it"), self.notice),
            (self.once_in(15) and house == "it", self.new_limits),
            (self.once_in(15) and house == "bg", lambda: {"do": "last_games"}),
            (self.often("seats", 6, 30), self.seat),
        ]
        return next((command for now, command in rarely if now), self.stake)()

    def notice(self) -> Script:
        """A member of the staff notices a stake."""
        return {"do": "notice_excess", "id": self.some_id()}

    def new_limits(self) -> Script:
        """Other limits, announced now."""
        return {"do": "change_limits", "limits": self.limits()}

    def seat(self) -> Script:
        """A player comes, goes, buys or claims."""
        player = self.someone()
        dos = ["step_away", "step_away", "buy", "buy", "leave", "sit"]
        dos += ["claim"] if self.house == "it" or self.once_in(10) else []
        dos += ["come_back"] * (3 if self.gone else 1)
        do = self.chance.choice(dos)
        if do == "sit":
            player = self.chance.choice([*self.absent, *self.absent, *self.players])
        if do == "step_away":
            self.gone.append(player)
        if do in ("come_back", "claim") and self.gone and not self.once_in(8):
            player = self.chance.choice(self.gone)
        return self.purchase(player) if do == "buy" else {"do": do, "player": player}

    def purchase(self, player: str) -> Script:
        """Chips bought, sometimes of a value that this table does not sell."""
        bought = self.chance.choice([1, 2, 5, 20, 100]) * self.chips.get(player, self.base)
        command: Script = {"do": "buy", "player": player, "amount": bought}
        if self.once_in(3):
            command["value_chips"] = True
        elif self.once_in(2):
            chip = self.base * self.chance.choice([1, 2, 3])
            odd = self.once_in(3)
            command["chip"] = chip + (self.chance.choice([1, self.base // 2 or 1]) if odd else 0)
            self.chips[player] = chip
        return command

    def out_of_place(self) -> Script:
        """A command that may belong anywhere or nowhere."""
        commands: list[Callable[[], Script]] = [
            self.notice,
            lambda: {"do": "void", "cause": self.chance.choice(CAUSES)},
            lambda: {"do": "number", "number": self.pocket()},
            lambda: {"do": "pocket", "number": self.pocket()},
            lambda: {"do": self.chance.choice(["call", "collect", "no_more_bets", "launch"])},
            lambda: {"do": "pay", "payments": self.chance.choice([1, 2])},
            lambda: {"do": self.chance.choice(["suspend", "resume", "resume", "last_games"])},
            lambda: {"do": "exception", "player": self.someone()},
            lambda: {"do": "choose", "id": self.some_id(), "choice": "half"},
            lambda: {"do": "choose", "id": self.some_id(), "choice": "prison"},
            lambda: self.replay(self.some_id()),
            lambda: {"do": "close"} if self.once_in(6) else {"do": "resume"},
            self.new_limits,
            self.seat,
            self.stake,
            self.announcement,
            self.withdrawal,
            self.shift,
        ]
        return self.chance.choice(commands)()
