"""Refusals: why the table refuses a command, with a name that reads as a rule and its article."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class RefusalReason(StrEnum):
    """The rule that a refused command would break."""

    COMMAND_NOT_UNDERSTOOD = "command_not_understood"
    TABLE_NOT_OPEN = "table_not_open"
    TABLE_ALREADY_OPEN = "table_already_open"
    TABLE_IS_CLOSED = "table_is_closed"
    TABLE_IS_SUSPENDED = "table_is_suspended"
    TABLE_NOT_SUSPENDED = "table_not_suspended"
    COUP_IN_PLAY = "coup_in_play"
    NO_SUCH_POST = "no_such_post"
    POST_IS_FULL = "post_is_full"
    ONE_POST_PER_PERSON = "one_post_per_person"
    STAFF_DOES_NOT_PLAY = "staff_does_not_play"
    POST_MUST_BE_HELD = "post_must_be_held"
    POST_IS_NEEDED = "post_is_needed"
    NOT_OF_THIS_POST = "not_of_this_post"
    OUTSIDE_THE_ZONE = "outside_the_zone"
    NOT_THEIR_TURN_TO_SPIN = "not_their_turn_to_spin"
    NOT_SEATED = "not_seated"
    ALREADY_SEATED = "already_seated"
    PLAYER_IS_AWAY = "player_is_away"
    PLAYER_IS_NOT_AWAY = "player_is_not_away"
    STAKES_ON_THE_CLOTH = "stakes_on_the_cloth"
    NO_SEAT_LEFT = "no_seat_left"
    NOT_AN_ORPHAN = "not_an_orphan"
    NO_ORPHANS_IN_THE_BOOK = "no_orphans_in_the_book"
    CHIP_OUTSIDE_LIMITS = "chip_outside_limits"
    VALUE_CHIPS_OF_ANOTHER = "value_chips_of_another"
    NO_REOPENING_IN_THE_BOOK = "no_reopening_in_the_book"
    STAKES_IN_PRISON = "stakes_in_prison"
    TABLE_NOT_INSPECTED = "table_not_inspected"
    BALL_NOT_INSPECTED = "ball_not_inspected"
    NOTHING_TO_INSPECT = "nothing_to_inspect"
    NOTHING_IN_CUSTODY = "nothing_in_custody"
    AMOUNT_NOT_POSITIVE = "amount_not_positive"
    NOT_WHOLE_CHIPS = "not_whole_chips"
    CHIP_MUST_HALVE_EVENLY = "chip_must_halve_evenly"
    COLOUR_IN_PLAY = "colour_in_play"
    NO_COLOUR_LEFT = "no_colour_left"
    ONE_COLOUR_PER_PLAYER = "one_colour_per_player"
    CHIP_VALUE_IS_SET = "chip_value_is_set"
    CHIP_NOT_A_MULTIPLE = "chip_not_a_multiple"
    CHIPS_NOT_TAKEN_HERE = "chips_not_taken_here"
    CHIPS_NOT_BOUGHT_HERE = "chips_not_bought_here"
    EXCEEDS_PURSE = "exceeds_purse"
    ID_IN_USE = "id_in_use"
    NO_SUCH_SPOT = "no_such_spot"
    SPOT_NOT_ON_THIS_CLOTH = "spot_not_on_this_cloth"
    EXCEEDS_MAXIMUM = "exceeds_maximum"
    STAKE_BELOW_MINIMUM = "stake_below_minimum"
    CHIPS_NOT_LAID = "chips_not_laid"
    ANNOUNCEMENT_NOT_TAKEN = "announcement_not_taken"
    ANNOUNCEMENT_NOT_EVEN = "announcement_not_even"
    NO_SUCH_STAKE = "no_such_stake"
    NOT_THEIR_STAKE = "not_their_stake"
    PIECE_OF_AN_ANNOUNCEMENT = "piece_of_an_announcement"
    MORE_THAN_STAKED = "more_than_staked"
    BETTING_IS_CLOSED = "betting_is_closed"
    BETTING_NOT_CLOSED = "betting_not_closed"
    BALL_ALREADY_LAUNCHED = "ball_already_launched"
    BALL_NOT_LAUNCHED = "ball_not_launched"
    BALL_NOT_POCKETED = "ball_not_pocketed"
    BALL_ALREADY_POCKETED = "ball_already_pocketed"
    NUMBER_NOT_ON_THE_WHEEL = "number_not_on_the_wheel"
    NUMBER_NOT_CALLED = "number_not_called"
    NUMBER_IS_QUESTIONED = "number_is_questioned"
    NUMBER_NOT_QUESTIONED = "number_not_questioned"
    LOSERS_NOT_COLLECTED = "losers_not_collected"
    LOSERS_ARE_COLLECTED = "losers_are_collected"
    HANDS_OFF_UNTIL_PAID = "hands_off_until_paid"
    SPOT_IS_BEING_PAID = "spot_is_being_paid"
    CAUSE_NOT_IN_THE_BOOK = "cause_not_in_the_book"
    NO_EXCEPTION_IN_THE_BOOK = "no_exception_in_the_book"
    NOTHING_IN_EXCESS = "nothing_in_excess"
    LIMITS_ARE_ENFORCED = "limits_are_enforced"
    NOTICED_TOO_LATE = "noticed_too_late"
    REPORTED_TOO_LATE = "reported_too_late"
    LIMITS_STAY_WHILE_OPEN = "limits_stay_while_open"
    LIMITS_NOT_VALID = "limits_not_valid"
    NO_CHOICE_PENDING = "no_choice_pending"
    MUST_STAY_IN_PRISON = "must_stay_in_prison"
    NOTHING_TO_REPLAY = "nothing_to_replay"
    REPLAY_NOT_OFFERED = "replay_not_offered"
    NO_LAST_GAMES_IN_THE_BOOK = "no_last_games_in_the_book"
    LAST_GAMES_ALREADY_ANNOUNCED = "last_games_already_announced"
    LAST_GAMES_NOT_PLAYED = "last_games_not_played"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused command; nothing has changed.

    >>> import novamas as nv
    >>> table = nv.Table("it", players={"anna": 100}, seed=7)
    >>> try:
    ...     table.stake("anna", "17:500")
    ... except nv.TableRefusedError as error:
    ...     print(error.refusal)
    exceeds purse: 100 in hand at this table (IT-gioco-5)
    """

    why: StrEnum
    """A `RefusalReason` of the table, or a reason of the server."""
    articles: tuple[str, ...] = ()
    detail: str = ""
    """What would be correct, in plain words."""

    def __str__(self) -> str:
        text = self.why.value.replace("_", " ")
        if self.detail:
            text = f"{text}: {self.detail}"
        return f"{text} ({', '.join(self.articles)})" if self.articles else text


class Refused(Exception):
    """Carries a refusal from a nested check up to `decide`, which catches it."""

    def __init__(self, why: StrEnum, articles: tuple[str, ...] = (), detail: str = "") -> None:
        self.refusal = Refusal(why, articles, detail)
        super().__init__(str(self.refusal))
