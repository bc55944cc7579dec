"""The behaviours that a rulebook chooses from: closed sets of words, one for each question.

A house chooses; it does not program. A word that a set lacks is a new behaviour of the engine.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Drawing(StrEnum):
    """How the cloth is drawn."""

    FRENCH = "french"
    """The chances in two flanks beside the numbers, the dozens at the foot on both sides."""
    AMERICAN = "american"
    """The chances and the dozens along one side."""


class StraddlePlay(StrEnum):
    """What a chip across two boxes plays."""

    HALVES = "halves"
    """Half of it in each box, at that box's odds."""
    WHOLE = "whole"
    """The whole of it on all the numbers of the two boxes, at odds of its own."""


class ZeroRule(StrEnum):
    """What becomes of a simple chance when a zero comes out."""

    LOSE = "lose"
    HALF = "half"
    """Half of all that a player has on the chance goes back at once, the other half is lost."""
    CHOICE = "choice"
    """Its owner takes half, or leaves all of it in prison."""
    PARTAGE = "partage"
    """Player and bank divide it by chips; an odd chip goes to prison."""

    @property
    def imprisons(self) -> bool:
        """Whether a stake may go to prison."""
        return self in (ZeroRule.CHOICE, ZeroRule.PARTAGE)


class ZeroAgain(StrEnum):
    """What becomes of a stake in prison when zero comes out again."""

    HALVE = "halve"
    """Its value halves, and its owner has the choice again."""
    STAY = "stay"
    """It stays as it is."""
    LOSE = "lose"
    """It is lost."""


class Winning(StrEnum):
    """Where a winning stake goes once it is paid (X-02)."""

    HAND = "hand"
    CLOTH = "cloth"


class LimitsKept(StrEnum):
    """How the maxima are enforced (X-04)."""

    ENFORCED = "enforced"
    """A stake that would exceed a maximum is refused when it is placed."""
    POLICED = "policed"
    """It stays until the staff notices it, and the articles on excess decide."""


class LimitsChange(StrEnum):
    """How the placard may change during a session."""

    NEVER = "never"
    WHILE_OPEN = "while_open"
    BY_REOPENING = "by_reopening"
    """Only if the table is closed and opened again, between coups and with nothing in prison."""


class Linked(StrEnum):
    """How many chips a player may have on combinations with a number in common."""

    FREE = "free"
    EQUAL = "equal"
    """As many on each as on the others, within the limits of a straight; judged at the close."""


class ShortStake(StrEnum):
    """What becomes of a stake that is below its minimum at the close of a policed table."""

    RETURNED = "returned"
    PLAYS = "plays"


class ChangeBinds(StrEnum):
    """When limits that are changed while the table is open begin to apply."""

    BETTING = "betting"
    """At once while betting is open; otherwise when it opens again."""
    CLEAR_CLOTH = "clear_cloth"
    """At once while betting is open, no ball runs and no stake lies; otherwise the next coup."""


class LateExcess(StrEnum):
    """What becomes of an excess that was noticed too late and wins."""

    CASCADE = "cascade"
    """It plays on at the lower classes, as far as each has room; the rest is returned."""
    CAP = "cap"
    """The stake plays the maximum; the rest is returned."""
    WHOLE = "whole"
    """The whole stake plays, as if there were no maximum."""


class Instant(StrEnum):
    """The instants of a coup that the articles on excess distinguish."""

    CLOSED = "closed"
    POCKETED = "pocketed"
    CALLED = "called"


class PayBy(StrEnum):
    """How the stakes on the numbers are brought together for payment."""

    STAKE = "stake"
    """One after the other, as they lie."""
    COLOUR = "colour"
    """All of one colour in one payment."""
    PLAYER = "player"
    """All winners of a player, chances too, when the order first reaches one of them."""
    SPOOL = "spool"
    """Reduced colour by colour into a spool, and paid from the least valuable chips up."""


class ChipKind(StrEnum):
    """The kinds of chips."""

    COLOUR = "colour"
    """Has one owner and one table, and the value that its owner bought it for."""
    VALUE = "value"
    """Its value is printed on it; good at every table."""
    CHANCE = "chance"
    """The same for all players; only for the chances."""
    FOREIGN = "foreign"
    """A colour chip of another table, staked here by mistake."""


class ColourWorth(StrEnum):
    """What a colour chip may be worth."""

    ANY = "any"
    """Whatever its buyer asks for."""
    MULTIPLES = "multiples"
    """A whole multiple of the table's chip."""
    STRAIGHT_LIMITS = "straight_limits"
    """Between the limits of a straight; the minimum if the buyer asks for nothing."""


class NewWorth(StrEnum):
    """When a player may have another value for their colour."""

    NEVER = "never"
    """Not while they have the colour."""
    WHEN_EMPTY = "when_empty"
    """When they hold no chips and none of theirs lies on the cloth."""
    NEW_COLOUR = "new_colour"
    """When none of their chips lies on the cloth: those in hand change, with a new colour."""


class ValueCounted(StrEnum):
    """In which chips value chips are counted, for the minimum and for a partage."""

    OWN = "own"
    """In the colour chips of the player who lays them."""
    TABLE = "table"
    """In the table's chips."""


class NumberCall(StrEnum):
    """How the winning number is called."""

    NUMBER = "number"
    NUMBER_COLOUR = "number_colour"
    NUMBER_CHANCES = "number_chances"
    COLOUR_NUMBER = "colour_number"
    """The colour first, as it is sung: "Negro el diecisiete"."""


class Invitation(StrEnum):
    """When the croupier invites the players to bet."""

    BETTING = "betting"
    """When betting opens."""
    LAUNCH = "launch"
    """After each launch of the ball."""


class Cause(StrEnum):
    """Why a ball may be void."""

    BALL_ESCAPED = "ball_escaped"
    OBJECT_IN_WHEEL = "object_in_wheel"
    BALL_OUT = "ball_out"
    BALL_STUCK = "ball_stuck"
    WHEEL_STOPPED = "wheel_stopped"
    SAME_DIRECTION = "same_direction"
    """The ball was spun the way the wheel turns."""
    TOO_FEW_TURNS = "too_few_turns"


class AbsenceEnds(StrEnum):
    """What ends the waiting of winners that nobody claims."""

    COUPS = "coups"
    """A number of coups."""
    DECLARED = "declared"
    """A member of the staff finds the stake abandoned."""


class Replay(StrEnum):
    """How an announcement that won is played again."""

    RIFARE = "rifare"
    COMPLETARE = "completare"
    PER_IL_TUTTO = "per_il_tutto"


class Act(StrEnum):
    """What a book may allow a post to do at the table."""

    LAUNCH_BALL = "launch_ball"
    CLOSE_BETTING = "close_betting"
    VOID_BALL = "void_ball"
    POCKET_BALL = "pocket_ball"
    CALL_NUMBER = "call_number"
    SIGN_NUMBER = "sign_number"
    """Give the second signature that a change of a called number needs."""
    COLLECT = "collect"
    PAY = "pay"
    SELL_CHIPS = "sell_chips"
    PLACE_FOR_PLAYER = "place_for_player"
    NOTICE_EXCESS = "notice_excess"
    CORRECT = "correct"
    ORDER_CORRECTION = "order_correction"
    """Order a correction that a post with `CORRECT` carries out."""
    GRANT_EXCEPTION = "grant_exception"
    CHANGE_LIMITS = "change_limits"
    SUSPEND = "suspend"
    ANNOUNCE_LAST_GAMES = "announce_last_games"
    DECIDE_DISPUTE = "decide_dispute"
    """Acts that the management may do everywhere, and a post only if its book says so."""
    CLOSE_TABLE = "close_table"
    DECLARE_ORPHAN = "declare_orphan"
    """Find that a stake without an owner is abandoned."""
    INSPECT_BALL = "inspect_ball"
    INSPECT_TABLE = "inspect_table"
    COUNT_FLOAT = "count_float"


CHIP_ACTS: Final = frozenset(
    (Act.COLLECT, Act.PAY, Act.SELL_CHIPS, Act.PLACE_FOR_PLAYER, Act.CORRECT)
)
"""The acts in which a member of the staff handles chips."""
