"""Stakes: what lies on the cloth, and what lies in prison, as settlement sees them."""

from __future__ import annotations

from dataclasses import dataclass

from novamas.game.cloth import Spot
from novamas.game.rulebook.behaviours import ChipKind


@dataclass(frozen=True, slots=True, repr=False)
class Stake:
    """An amount of one player on one spot.

    >>> import novamas as nv
    >>> nv.Stake("b1", "ana", nv.spot("17/20"), 4)
    <Stake b1 ana 17/20:4>
    """

    id: str
    player: str
    spot: Spot
    amount: int
    chip: int = 1
    """The value of one of its chips. The minimum, a partage and a reduction count the stake in this
    chip; for value chips the book says which chip that is."""
    kind: ChipKind = ChipKind.COLOUR
    announcement: str | None = None
    """The id of the announcement of which this is a piece."""
    call: str | None = None
    """The name of that announcement, such as `voisins`."""
    principal: str | None = None
    """The player for whom it was laid, if its owner acts for another."""
    unclear: bool = False
    """Its value was not clear at a glance when betting closed; for a foreign chip, it never is."""
    away: bool = False
    """Its owner is not at the table."""
    waited: int | None = None
    """How many coups it has ridden unclaimed since it first won; None if it has not won."""
    change_pending: bool = False
    """Whether it is in value chips because there was no time to change them."""
    denomination: int | None = None
    """What one value chip is worth, where the house distinguishes them."""
    left: bool = False
    """Whether it won and was left in its combination to play on (IT-general-11)."""

    @property
    def whose(self) -> str:
        """The player whose maximum it counts towards."""
        return self.principal or self.player

    @property
    def is_special(self) -> bool:
        """Whether more than the number decides it where it loses."""
        return self.unclear or self.call is not None or self.kind is ChipKind.FOREIGN

    @property
    def pieces(self) -> int:
        """How many whole chips it consists of."""
        return self.amount // self.chip

    def __repr__(self) -> str:
        return f"<Stake {self.id} {self.player} {self.spot.name}:{self.amount}>"


@dataclass(frozen=True, slots=True, repr=False)
class Prisoner:
    """A stake, or what is left of it, that zero put in prison.

    >>> import novamas as nv
    >>> nv.Prisoner("b1", "ana", nv.spot("red"), 50)
    <Prisoner b1 ana red:50>
    """

    id: str
    player: str
    spot: Spot
    amount: int
    """What it is worth now."""
    zeros: int = 1
    """How many zeros it has met."""
    chip: int = 1
    kind: ChipKind = ChipKind.COLOUR
    away: bool = False
    """Whether its owner is not at the table."""
    pending: bool = False
    """Whether its owner may still take half of it instead."""

    def __repr__(self) -> str:
        return f"<Prisoner {self.id} {self.player} {self.spot.name}:{self.amount}>"
