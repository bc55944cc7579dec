"""What does not play because it is too little (X-05, IT-general-2, IT-general-6)."""

from collections import defaultdict

from tests.properties.model.cloth import MULTIPLES
from tests.properties.model.houses import LIMITS_BIND_PIECES
from tests.properties.model.table import Table
from tests.properties.model.things import Stake


def too_little(table: Table, cloth: list[Stake]) -> list[Stake]:
    """The stakes that go back at a close, if these lie on the cloth.

    The placard is judged first; what it sends back does not count towards five pieces.
    """
    if table.plays_whole():
        return []
    short = below_placard(table, cloth)
    if table.house == "it":
        short += below_pieces(table, [stake for stake in cloth if stake not in short])
    return short


def on_spot(stake: Stake, cloth: list[Stake]) -> list[Stake]:
    """All that a stake's player has on its spot."""
    return [one for one in cloth if (one.player, one.spot) == (stake.player, stake.spot)]


def plays_always(table: Table, stake: Stake) -> bool:
    """Whether a stake is a piece of an announcement, whose price is its minimum (AMB-IT-03)."""
    return bool(stake.call) and table.house not in LIMITS_BIND_PIECES


def below_placard(table: Table, cloth: list[Stake]) -> list[Stake]:
    """What is short of the minimum of its class."""
    return [
        stake
        for stake in cloth
        if not plays_always(table, stake)
        and sum(one.amount for one in on_spot(stake, cloth)) < (table.limit(stake.spot, "min") or 0)
    ]


def below_pieces(table: Table, cloth: list[Stake]) -> list[Stake]:
    """What is short of five pieces or of a base value, counted by worth (AMB-IT-30).

    A winner left where it won and chips of another table need none; the former counts for the
    others, the latter do not (AMB-IT-25, AMB-IT-26).
    """
    own = [stake for stake in cloth if not stake.foreign]
    on_numbers: dict[str, int] = defaultdict(int)
    for stake in own:
        if table.spots[stake.spot][0] in MULTIPLES and not stake.value:
            on_numbers[stake.player] += stake.amount
    short = []
    for stake in own:
        kind = table.spots[stake.spot][0]
        pieces, there = 5, sum(one.amount for one in on_spot(stake, own))
        if stake.value and kind != "simple":
            pieces = 1  # AMB-IT-04, AMB-IT-20
        elif kind in MULTIPLES:
            there = on_numbers[stake.player]
        exempt = plays_always(table, stake) or stake.left
        if there < pieces * stake.chip and not exempt:
            short.append(stake)
    return short
