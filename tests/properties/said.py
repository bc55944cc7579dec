"""Said at a table: commands drawn at random, from those that make sense to those that make none."""

from typing import Any

from hypothesis import strategies as st

from novamas.game.announcements import names
from novamas.game.chips import ForeignChips
from novamas.game.cloth import SPOTS
from novamas.game.rulebook.behaviours import Cause, ChipKind, Replay
from novamas.game.wheel import Pocket
from novamas.rulebooks import HOUSES, load
from novamas.table import commands
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase

PLAYERS = ("ana", "luis", "eva", "ivo")
SPOT_NAMES = ("17", "17/20", "16/18", "16/20", "13/18", "0", "red", "even", "low", "d2", "c2")
STRADDLES = ("d1+d2", "low+d3", "c2+c3")
IDS = ("s1", "s2", "a1", "a2", "a1/1", "a1/2")


amounts = st.sampled_from((5, 10, 1, 2, 20, 36, 60)) | st.integers(1, 100)
players = st.sampled_from((*PLAYERS[:3], *PLAYERS))
ids = st.sampled_from(IDS)
spots = st.sampled_from((*SPOT_NAMES, *STRADDLES, "red", "even", "17")) | st.sampled_from(
    list(SPOTS)
)
pockets: st.SearchStrategy[Pocket] = st.sampled_from((17, 0, 17, 0, "00", 20, 5))
foreigners = st.builds(
    ForeignChips,
    number=st.integers(1, 5),
    table=st.just("4"),
    opening_minimum=st.integers(1, 5),
    value=st.none() | st.integers(1, 5),
)
placards = st.dictionaries(
    st.sampled_from(("straight", "split", "simple", "dozen")),
    st.fixed_dictionaries(
        {"max": st.integers(1, 6).map(lambda n: 20 * n)},
        optional={"min": st.sampled_from((2, 10))},
    ),
    max_size=3,
)
laid = st.lists(
    st.tuples(players, spots, st.sampled_from((10, 25, 5, 7, 1)), st.sampled_from((0, 0, 0, 1, 2))),
    min_size=1,
    max_size=4,
)
"""Stakes to lay: whose, where, how many chips, and whether unattended (1) or foreign (2)."""
CALLS = sorted({name for house in HOUSES for name in names(load(house))})

FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "post": st.sampled_from(sorted({post for house in HOUSES for post in load(house).posts})),
    "relieves": st.none() | st.sampled_from(("croupier-1", "chief-1", "pagador-1", "nobody")),
    "reason": st.sampled_from(("", "a quarrel")),
    "limits": placards,
    "player": players,
    "amount": amounts,
    "colour": st.none() | st.sampled_from(("blue", "orange", "green", "gold")),
    "value_chips": st.booleans(),
    "cash": st.booleans(),
    "chip": st.none() | st.sampled_from((1, 2, 5)),
    "id": ids,
    "new_id": ids,
    "on": spots,
    "chips": st.none() | st.sampled_from(ChipKind),
    "covered": st.sampled_from((True, True, True, False)),
    "value_unclear": st.booleans(),
    "laid_for": st.none() | ids,
    "unattended": st.booleans(),
    "change_pending": st.booleans(),
    "denomination": st.none() | st.sampled_from((5, 25)),
    "done": st.sampled_from(("", "levelled the wheel")),
    "licence": st.sampled_from(("", "L-7")),
    "foreign": st.none() | st.none() | foreigners,
    "call": st.sampled_from(("tiers", "orphelins", "voisins", "17~2")) | st.sampled_from(CALLS),
    "choice": st.sampled_from(commands.Choice),
    "mode": st.sampled_from(Replay),
    "cause": st.sampled_from(Cause),
    "number": pockets,
    "last": st.sampled_from((*(False,) * 9, True)),
}

nonsense = st.sampled_from(
    (None, True, False, 0, -1, 37, 1.5, "", " ", "no such thing", "17", 10**30, -(10**30))
) | st.sampled_from(
    (b"17", (), (1, 2), frozenset(), [], {}, {"straight": 5}, RefusalReason, object())
)


def all_commands() -> list[type[commands.Command]]:
    """Every command of the table."""
    found = [kind for kind in vars(commands).values() if isinstance(kind, type)]
    return [c for c in found if issubclass(c, commands.Command) and c is not commands.Command]


CHANGES = (
    commands.MoveStake,
    commands.WithdrawStake,
    commands.CorrectStake,
    commands.NoticeExcess,
    commands.NoticeExcess,
    commands.ChooseAfterZero,
)

OF_PLAYERS = (
    commands.Sit,
    commands.BuyChips,
    commands.StepAway,
    commands.StepAway,
    commands.ComeBack,
    commands.ComeBack,
    commands.ClaimCustody,
    commands.ClaimCustody,
    commands.Leave,
)

OF_STAFF = (
    commands.TakePost,
    commands.LeavePost,
    commands.Suspend,
    commands.Resume,
    commands.Resume,
    commands.ChangeLimits,
    commands.ReopenTable,
    commands.DeclareOrphan,
    commands.InspectBall,
    commands.AnnounceLastGames,
    commands.GrantException,
    commands.VoidBall,
)

INSIDE_A_COUP = (Phase.BETTING, Phase.CHOOSING, Phase.CLOSED, Phase.POCKETED, Phase.PAYING)

MEANWHILE = (
    commands.VoidBall,
    commands.GrantException,
    commands.StepAway,
    commands.ComeBack,
    commands.ChangeLimits,
    commands.Suspend,
    commands.CloseTable,
    commands.Leave,
)
