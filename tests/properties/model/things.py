"""What lies on the model's table and who sits at it."""

from dataclasses import dataclass, field
from typing import Any

Command = dict[str, Any]
Outcome = dict[str, Any]


class Refused(Exception):  # noqa: N818 - it is a refusal, not an error.
    """The table does not take the command."""


class Undetermined(Exception):  # noqa: N818 - it is an answer, not an error.
    """The rules do not say what comes of this script; no comparison is possible."""


def refuse_if(wrong: object) -> None:
    """Refuse the command when something is wrong with it."""
    if wrong:
        raise Refused


def up(amount: int) -> int:
    """Half of an amount; the odd unit goes to the player (X-03)."""
    return (amount + 1) // 2


@dataclass
class Player:
    """Somebody who sits at the table."""

    purse: int = 0
    chip: int | None = None
    """What their colour chip is worth; None before they bought any."""
    value: bool = False
    """Whether they play with value chips."""
    away: bool = False


@dataclass(eq=False)
class Stake:
    """Chips of a player on a spot; the pieces of an announcement are stakes with one id."""

    id: str
    player: str
    spot: str
    amount: int
    behind: str
    """Whose stake it is for a maximum: the one somebody acts for (IT-general-15b)."""
    chip: int
    """What its chips are counted in: a colour chip, the table's chip, a chip of another table."""
    call: str = ""
    announced: int = 0
    """The whole of the announcement that it is a piece of; 0 once it has won."""
    value: bool = False
    foreign: bool = False
    unclear: bool = False
    denomination: int | None = None
    """What one of its value chips is worth; None where nobody says."""
    pending: bool = False
    """Whether it is in value chips because there was no time to change them (FRAN-55-10.u)."""
    away: bool = False
    left: bool = False
    """Whether it has won where it lies and was left there (AMB-IT-25)."""
    wins: int = 0
    """How often it has won while its owner was away."""
    plays: int = 0
    """What of it plays within the maximum."""
    extra: int = 0
    """What its excess wins at lower classes (AR-14)."""


@dataclass(eq=False)
class Prisoner:
    """What is in prison after a zero."""

    id: str
    """The id of its stake; in Italy of all the stakes whose chips were counted together."""
    player: str
    spot: str
    amount: int
    value: bool = False
    foreign: bool = False
    away: bool = False
    zeros: int = 1
    may_choose: bool = False
    was_open: bool = False
    """Whether its choice was open when betting closed (AMB-ES-15)."""


@dataclass
class Called:
    """An announcement that has just won."""

    player: str
    call: str
    amount: int
    winning: list[Stake]
    laid: list[int]
    """What the winning pieces were before what they had over the maximum went back."""


@dataclass
class Result:
    """What becomes of one stake when its number is called."""

    stake: Stake
    won: int = 0
    back: int = 0
    lost: int = 0
    aside: int = 0
    """What is set aside of stake and winnings; the winnings go to no hand then."""
    stays: int = 0
    rides: bool = False


@dataclass
class Payment:
    """What is paid in one go."""

    results: list[Result]
    made: list[Stake] = field(default_factory=list)
    """The straights that a reduction puts on the number (AMB-AR-32)."""
    freed: int = 0
    """The worth of the chips that a reduction frees, paid back with the winnings."""
