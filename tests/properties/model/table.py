"""The state of the model's table, and what every command needs to know of it."""

from collections import defaultdict
from dataclasses import dataclass, field

from tests.properties.model.cloth import MULTIPLES, Pocket, calls_of, pockets_of, spots_of
from tests.properties.model.houses import ORPHANS, PLAYS_WHOLE, TIMES_A_BOX
from tests.properties.model.things import (
    Called,
    Outcome,
    Payment,
    Player,
    Prisoner,
    Result,
    Stake,
)

BETTING, CLOSED, POCKETED, CALLED, PAYING, ENDED = range(6)
Limits = dict[str, dict[str, int]]


@dataclass
class Table:
    """One table and all that has come of its script so far."""

    house: str
    limits: Limits
    chip: int
    """The table's chip."""
    players: dict[str, Player]
    stays: bool
    """Whether winners stay on the cloth (X-02)."""
    enforced: bool
    """Whether stakes over the maximum are refused (X-04)."""
    phase: int = BETTING
    launched: bool = False
    suspended: bool = False
    pocket: Pocket = 0
    last: bool = False
    coming: Limits | None = None
    exceptions: set[str] = field(default_factory=set)
    cloth: list[Stake] = field(default_factory=list)
    prison: list[Prisoner] = field(default_factory=list)
    just_won: dict[str, Called] = field(default_factory=dict)
    settled: list[Result] = field(default_factory=list)
    """What the number decided and no payment is made for."""
    due: list[Payment] = field(default_factory=list)
    paid: list[Stake] = field(default_factory=list)
    """The stakes paid in the last coup."""
    received: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    """What each was paid while others wait; the rules do not say who of equals is paid first."""
    lines: dict[str, dict[str, int]] = field(default_factory=dict)
    coups: list[Outcome] = field(default_factory=list)
    bank: int = 0
    custody: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    reductions: list[Outcome] = field(default_factory=list)
    spool: dict[str, int] = field(default_factory=dict)
    """Whose winners the last reductions were of, and what their chips are worth."""
    made: int = 0
    """How many stakes reductions have made."""
    spins: int = 0
    games_left: int | None = None
    games: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pockets = pockets_of(self.house)
        self.spots = spots_of(self.house)
        self.calls = calls_of(self.house)

    # Chips.

    def chip_of(self, player: str) -> int:
        """What a player's colour chip is worth."""
        return self.players[player].chip or self.chip

    def whole(self, player: str, spot: str, *, value: bool) -> int:
        """What a stake must be a multiple of; only colour chips all have one value."""
        chance = self.house == "ar" and self.spots[spot][0] not in MULTIPLES
        return 1 if value or chance else self.chip_of(player)

    # Limits.

    def limit(self, spot: str, which: str) -> int | None:
        """The minimum or maximum of a spot."""
        bound = self.limits.get(self.spots[spot][0], {}).get(which)
        if spot == "low+d3" and which == "min":  # Each half must reach its own (AMB-AR-19).
            bound = max(bound or 0, self.limits.get("dozen", {}).get("min", 0))
        # AMB-AR-19 doubles the minimum too; low+d3 is of low's class.
        if bound is None or "+" not in spot or (which == "min" and self.house != "ar"):
            return bound
        return bound * TIMES_A_BOX[self.house]

    def plays_whole(self) -> bool:
        """Whether what nobody noticed plays in full, and what is short plays (SD-G.4)."""
        return self.house in PLAYS_WHOLE and not self.enforced

    def group(self, stake: Stake) -> tuple[str, str]:
        """Whose stakes on a spot a maximum counts together (AMB-AR-29, IT-general-15b)."""
        return (stake.behind if self.house == "it" else stake.player, stake.spot)

    def share_out(self) -> None:
        """Say of every stake how much of it plays within the maximum; later ones are cut."""
        room: dict[tuple[str, str], int] = {}
        for stake in sorted(self.cloth, key=lambda stake: stake.unclear):
            most = self.limit(stake.spot, "max")
            left = room.get(self.group(stake), most)
            stake.plays = stake.amount if left is None else min(stake.amount, left)
            if left is not None:
                room[self.group(stake)] = left - stake.plays

    # Money.

    def line(self, player: str) -> dict[str, int]:
        """The sums of a player in the coup that is being played."""
        return self.lines.setdefault(player, {"won": 0, "returned": 0, "lost": 0, "held": 0})

    def hand(self, player: str, amount: int, *, foreign: bool = False) -> None:
        """Give a player chips; those of another table are not counted in their purse here."""
        if not foreign:
            self.players[player].purse += amount

    def give_back(self, player: str, amount: int, *, foreign: bool = False) -> None:
        """Give a player a part of their own stake, and say so in the coup's sums."""
        self.hand(player, amount, foreign=foreign)
        if amount:
            self.line(player)["returned"] += amount

    def kept(self, *, away: bool) -> bool:
        """Whether what a zero leaves of a stake is kept, because it has no owner (AMB-FR-10)."""
        return away and self.house in ORPHANS

    def give_or_keep(self, player: str, amount: int, *, away: bool, foreign: bool = False) -> None:
        """Give back what a zero leaves, or keep it."""
        if self.kept(away=away):
            self.custody[player] += amount
            self.line(player)  # The coup decided something of theirs.
        else:
            self.give_back(player, amount, foreign=foreign)

    def lose(self, player: str, amount: int) -> None:
        """Take a part of a player's stake for the bank."""
        self.bank += amount
        self.line(player)["lost"] += amount

    def stakes_of(self, id: str) -> list[Stake]:
        """What lies under an id."""
        return [stake for stake in self.cloth if stake.id == id]

    def on_cloth(self, player: str) -> bool:
        """Whether something of a player lies on the cloth, in prison or aside."""
        owners = [stake.player for stake in self.cloth] + [one.player for one in self.prison]
        return player in owners or bool(self.custody[player])
