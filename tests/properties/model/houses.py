"""What the houses of the model differ in, as tables.

What stands in none of these tables is asked of a house by its name where it happens.
"""

DOUBLES = "d1+d2 d2+d3 c1+c2 c2+c3"
ASTRIDE = {
    "ar": f"{DOUBLES} low+d3",
    "es": DOUBLES,
    "fr": DOUBLES,
    "fran": DOUBLES,
    "esam": DOUBLES,
}
TIMES_A_BOX = {"ar": 2, "es": 2, "fr": 4, "fran": 2, "esam": 2}
"""How many times the maximum of a box may lie across two of them."""

TWO_ZEROS = {"fram", "sd"}
CHOICE_AT_ZERO = {"es", "fr"}
HALF_AT_ZERO = {"fran", "esam"}
DIVIDES_AT_ZERO = CHOICE_AT_ZERO | HALF_AT_ZERO | {"it"}

BALL_LOST = {"ball_escaped", "object_in_wheel", "ball_out", "ball_stuck"}
CAUSES = {
    "ar": BALL_LOST | {"wheel_stopped"},
    "it": BALL_LOST | {"wheel_stopped"},
    "es": BALL_LOST,  # ES-G.9: a bad throw
    "bg": BALL_LOST - {"ball_stuck"},
    "fr": BALL_LOST,  # AMB-FR-08
    "fram": BALL_LOST,
    "fran": BALL_LOST,
    "esam": BALL_LOST,  # AMB-ESAM-07
    "sd": {"same_direction", "too_few_turns", "object_in_wheel", "ball_out"},  # SD-06
}

# Limits.
ALWAYS_ENFORCED = {"es", "bg", "fr", "fram", "fran", "esam"}
PLAYS_WHOLE = {"sd"}
"""Where a policed table pays or takes in full what nobody noticed, and plays what is short."""
REOPENS = {"fr", "fram", "fran"}
LINKED = {"fram"}
LIMITS_BIND_PIECES = {"fran"}
"""Where the pieces of an announcement have to reach their minimum (AMB-FRAN-04)."""

# Chips.
ALL_VALUE = {"fr"}
NO_VALUE = {"ar", "fram"}
VALUE_ON_SIMPLE_ALONE = {"fran"}
ONE_PLAYER_PER_VALUE = {"sd"}
WORTH_IN_STRAIGHTS = {"fram", "fran", "esam"}
NEW_WORTH_WHEN_EMPTY = {"fram", "esam", "sd"}
NEW_WORTH_NEW_COLOUR = {"fran"}
SEATS = {"fram": 7, "fran": 7}
CUSTODY = {"it", "fr", "fram", "fran"}
ORPHANS = {"fr", "fram", "fran"}

# Payment.
FURTHER = {"fr", "fram", "fran", "esam", "sd"}
"""Where equals are paid as they were laid, which the model says too."""
BY_PLAYER = {"fram", "fran", "esam"}
SIX = "high odd black red even low"
PAYMENT = {
    "es": "column dozen column+ dozen+ simple street sixline corner split straight",  # ES-G.8
    "fr": "column dozen column+ dozen+ simple sixline street corner split straight",  # AMB-FR-07
    "fram": f"column {SIX} dozen sixline five street corner split straight",  # FRAM-55-1.r
    "fran": f"column+ column {SIX} dozen+ dozen sixline street corner split straight",
    "esam": f"column+ column {SIX} dozen+ dozen sixline street corner split straight",
}
"""The order in which winners are paid: classes, `+` across two boxes, or single chances."""
