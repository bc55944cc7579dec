"""Refusals of the house: what it does not do around a table, and what never comes to one."""

from __future__ import annotations

from enum import StrEnum


class HouseWhy(StrEnum):
    """The rule of the house that a refused command would break."""

    TABLE_WAS_STOPPED = "table_was_stopped"
    NUMBER_IS_DRAWN = "number_is_drawn"
    WAS_ABANDONED = "was_abandoned"
    CLOSE_IS_FINAL = "close_is_final"
    NONCE_NOT_VALID = "nonce_not_valid"
    NOT_FOR_YOU = "not_for_you"
    BANK_IS_OPEN = "bank_is_open"
    EXCEEDS_BANK = "exceeds_bank"
    PAYS_BY_ITSELF = "pays_by_itself"
    NO_SUCH_WRONG_PAYMENT = "no_such_wrong_payment"
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
    OUT_OF_BOUNDS = "out_of_bounds"


class Problem(StrEnum):
    """Why something that was asked never came to the table, or was not done at all.

    What is said with it is for whoever reads English; this is what a screen tells in other words.
    """

    NOT_UNDERSTOOD = "not_understood"
    NOT_FOR_YOU = "not_for_you"
    NAME_OF_STAFF = "name_of_staff"
    NOBODY_AT_THE_POST = "nobody_at_the_post"
    TOO_OFTEN = "too_often"
    BUSY = "busy"
    OUT_OF_PLAY = "out_of_play"
    STORE_FAILED = "store_failed"
    NOT_DONE = "not_done"
    NOT_KNOWN = "not_known"
    NAME_TAKEN = "name_taken"
    NO_MONEY = "no_money"
    OWN_LIMIT = "own_limit"
    SHUT_OUT = "shut_out"
