"""Refusals of the house: commands that break its rules, and requests that never reach a table."""

from __future__ import annotations

from enum import StrEnum

from novamas.game.errors import NovamasError


class HouseRefusalReason(StrEnum):
    """The rule of the house that a refused command would break."""

    TABLE_WAS_STOPPED = "table_was_stopped"
    NUMBER_IS_DRAWN = "number_is_drawn"
    CLOSE_IS_FINAL = "close_is_final"
    NONCE_NOT_VALID = "nonce_not_valid"
    NONCE_NOT_NOW = "nonce_not_now"
    NONCES_BEING_OPENED = "nonces_being_opened"
    NOT_FOR_YOU = "not_for_you"
    BANK_IS_OPEN = "bank_is_open"
    BANK_NOT_OPEN = "bank_not_open"
    EXCEEDS_BANK = "exceeds_bank"
    FLOAT_TOO_SMALL = "float_too_small"
    REFILL_NOT_EQUAL = "refill_not_equal"
    FLOAT_NOT_COUNTED = "float_not_counted"
    NO_COUNT_DUE = "no_count_due"
    BANK_CANNOT_COVER = "bank_cannot_cover"
    TOO_MANY_TABLES = "too_many_tables"
    PAYS_BY_ITSELF = "pays_by_itself"
    NO_SUCH_WRONG_PAYMENT = "no_such_wrong_payment"
    MORE_THAN_THE_COUP_PAYS = "more_than_the_coup_pays"
    TAKES_TWO = "takes_two"
    NO_SUCH_PROPOSAL = "no_such_proposal"
    TOO_MANY_PROPOSALS = "too_many_proposals"
    NO_STAKES_IN_THAT_COUP = "no_stakes_in_that_coup"
    COUP_IS_DISPUTED = "coup_is_disputed"
    DISPUTE_IS_DECIDED = "dispute_is_decided"
    TOO_MANY_DISPUTES = "too_many_disputes"
    NO_SUCH_DISPUTE = "no_such_dispute"
    NOT_THEIR_DISPUTE = "not_their_dispute"
    WORDS_ARE_MISSING = "words_are_missing"
    ONLY_AT_A_WHEEL = "only_at_a_wheel"
    NO_BALL_RUNS = "no_ball_runs"
    COMMAND_OF_ANOTHER = "command_of_another"
    ID_REUSED = "id_reused"
    OUT_OF_BOUNDS = "out_of_bounds"

    # Refusals of the register when a player pays for chips.
    NOT_KNOWN = "not_known"
    NO_MONEY = "no_money"
    OWN_LIMIT = "own_limit"
    SHUT_OUT = "shut_out"


class Problem(StrEnum):
    """Why a request never reached the table, or was not carried out at all.

    The sentence that comes with it is English; screens translate the reason instead. A reason that
    a table has too has the same name.
    """

    NOT_UNDERSTOOD = "not_understood"
    TOO_LONG = "too_long"
    NO_SUCH_THING = "no_such_thing"
    NOT_FOR_YOU = "not_for_you"
    NAME_OF_STAFF = "name_of_staff"
    NOBODY_AT_THE_POST = "nobody_at_the_post"
    TOO_OFTEN = "too_often"
    BUSY = "busy"
    OUT_OF_PLAY = "out_of_play"
    STORE_FAILED = "store_failed"
    HOUSE_FAILED = "house_failed"
    NOT_READY = "not_ready"

    # Signing in.
    OTHER_ADDRESS = "other_address"
    OTHER_PAGE = "other_page"
    NOT_PRIVATE = "not_private"
    NOT_SIGNED_IN = "not_signed_in"
    SESSION_NOT_GOOD = "session_not_good"
    KEY_NOT_GOOD = "key_not_good"
    NO_GUESTS = "no_guests"
    NO_ACCOUNTS = "no_accounts"
    NOT_RECOGNISED = "not_recognised"
    NOT_THEIR_POST = "not_their_post"

    # The second factor.
    CODE_NEEDED = "code_needed"
    CODE_NOT_GOOD = "code_not_good"
    PASSKEY_NEEDED = "passkey_needed"
    PASSKEY_NOT_GOOD = "passkey_not_good"
    SECOND_FACTOR_MISSING = "second_factor_missing"
    LAST_SECOND_FACTOR = "last_second_factor"
    NO_SUCH_FACTOR = "no_such_factor"
    TOO_MANY_FACTORS = "too_many_factors"
    FACTOR_ENROLLED = "factor_enrolled"
    LABEL_NOT_VALID = "label_not_valid"
    CODES_NOT_CHECKED = "codes_not_checked"

    # Passwords.
    CHOSEN_BY_ANOTHER = "chosen_by_another"
    LENGTH_NOT_TAKEN = "length_not_taken"
    KNOWN_TO_ALL = "known_to_all"
    HAS_THE_NAME = "has_the_name"
    EASY_TO_GUESS = "easy_to_guess"
    SAME_AS_BEFORE = "same_as_before"
    FIRST_ONE_EXPIRED = "first_one_expired"
    OLD_ONE_IS_NEEDED = "old_one_is_needed"

    # People, and the cash desk.
    NOT_KNOWN = "not_known"
    NAME_TAKEN = "name_taken"
    NAME_NOT_VALID = "name_not_valid"
    IS_A_GUEST = "is_a_guest"
    NO_POST = "no_post"
    OWN_POSTS = "own_posts"
    POST_NOT_GIVEN = "post_not_given"
    REASON_NOT_VALID = "reason_not_valid"
    NO_MONEY = "no_money"
    AMOUNT_NOT_POSITIVE = "amount_not_positive"
    ID_REUSED = "id_reused"
    OWN_CASH = "own_cash"

    # Requests that need two people.
    TAKES_TWO = "takes_two"
    NO_SUCH_REQUEST = "no_such_request"
    OWN_REQUEST = "own_request"
    TOO_CLOSE = "too_close"
    TOO_MANY_REQUESTS = "too_many_requests"

    # A player's own limits.
    OWN_LIMIT = "own_limit"
    OWN_TIME = "own_time"
    SHUT_OUT = "shut_out"
    SHUT_OUT_FOR_A_DAY = "shut_out_for_a_day"
    SHUT_OUT_FOR_LONGER = "shut_out_for_longer"

    # Tables.
    TABLE_ELSEWHERE = "table_elsewhere"
    TABLE_NOT_SERVED = "table_not_served"
    TABLE_EXISTS = "table_exists"
    CHIP_MUST_HALVE_EVENLY = "chip_must_halve_evenly"
    ONLY_IN_SCRIPTS = "only_in_scripts"
    LIMITS_NOT_VALID = "limits_not_valid"
    NUMBER_NOT_CALLED = "number_not_called"
    NOT_NOW = "not_now"


class BadCommandError(NovamasError, ValueError):
    """A command that cannot be read, with the field that is wrong."""

    def __init__(self, problem: str, why: Problem = Problem.NOT_UNDERSTOOD) -> None:
        self.why = why
        """A stable code for the reason, independent of the sentence."""
        super().__init__(problem)
