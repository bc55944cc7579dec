"""Every refusal has a case in which it is said, with its articles, and changes nothing."""

import ast
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest

from novamas.game.chips import ForeignChips
from novamas.game.rulebook.behaviours import Act, Cause, ChipKind, LimitsKept, Replay, Winning
from novamas.rulebooks import HOUSES, load
from novamas.table import commands, decide, events, evolve
from novamas.table.identity import MANAGEMENT
from novamas.table.refusals import Refusal, RefusalReason
from novamas.table.state import Setup, State
from tests.properties.allowed import photograph
from tests.rules.helpers import Table, coup, opened, place, refused
from tests.table.staging import at, staffed

Staged = Callable[[], tuple[Table, commands.Command]]


@dataclass(frozen=True)
class Case:
    """A refusal with the case in which it is said."""

    why: RefusalReason
    articles: tuple[str, ...]
    staged: Staged


CASES: list[Case] = []


def case(why: RefusalReason, *articles: str) -> Callable[[Staged], Staged]:
    """The table and the command that bring the refusal about, with the articles it cites."""

    def keep(staged: Staged) -> Staged:
        CASES.append(Case(why, articles, staged))
        return staged

    return keep


def by(table: Table, act: Act) -> str:
    return table.staff(act)


def stands(house: str, moment: str, command: commands.Command, **setup: Any) -> Staged:
    """A command given at a moment of a house's day."""
    return lambda: (at(house, moment, **setup), command)


# The table and its staff --------------------------------------------------------------------------

M = MANAGEMENT

case(RefusalReason.COMMAND_NOT_UNDERSTOOD)(stands("ar", "betting", commands.Command(by="ana")))
case(RefusalReason.TABLE_NOT_OPEN)(stands("ar", "opening", place("ana", "17:1")))
case(RefusalReason.TABLE_ALREADY_OPEN)(stands("ar", "betting", commands.OpenTable(by=M)))
case(RefusalReason.TABLE_IS_CLOSED, "BG-30a")(stands("bg", "ended", place("ana", "17:1")))
case(RefusalReason.TABLE_NOT_SUSPENDED)(stands("it", "betting", commands.Resume(by=M)))
case(RefusalReason.COUP_IN_PLAY)(stands("es", "closed", commands.CloseTable(by=M)))
case(RefusalReason.NO_SUCH_POST)(
    stands("bg", "betting", commands.TakePost(by="x", post="tallador"))
)
case(RefusalReason.POST_IS_FULL, "BG-5")(
    stands("bg", "betting", commands.TakePost(by="x", post="inspector"))
)
case(RefusalReason.ONE_POST_PER_PERSON)(
    stands("ar", "betting", commands.TakePost(by="tallador-1", post="pagador"))
)
case(RefusalReason.STAFF_DOES_NOT_PLAY)(stands("ar", "betting", commands.Sit(by="tallador-1")))
case(RefusalReason.POST_IS_NEEDED, "BG-5", "NV-10")(
    stands("bg", "betting", commands.LeavePost(by="inspector-1"))
)
case(RefusalReason.NOT_OF_THIS_POST, "ES-P.3")(
    stands("es", "paying", commands.PayWinners(by="chief-1"))
)
case(RefusalReason.NOT_THEIR_TURN_TO_SPIN, "ES-P.4")(
    stands("es", "betting", commands.LaunchBall(by="croupier-2"))
)
case(RefusalReason.LIMITS_STAY_WHILE_OPEN, "ES-G.5")(
    stands("es", "betting", commands.ChangeLimits(by=M, limits={}))
)
case(RefusalReason.LIMITS_NOT_VALID)(
    stands("it", "betting", commands.ChangeLimits(by=M, limits={"straight": {"max": -5}}))
)
case(RefusalReason.NO_LAST_GAMES_IN_THE_BOOK, "NV-02")(
    stands("ar", "betting", commands.AnnounceLastGames(by="tallador-1"))
)
case(RefusalReason.LAST_GAMES_NOT_PLAYED, "BG-30a", "AMB-BG-17")(
    stands("bg", "betting", commands.CloseTable(by=M))
)


@case(RefusalReason.TABLE_IS_SUSPENDED, "IT-general-17")
def _suspended() -> tuple[Table, commands.Command]:
    table = at("it", "betting")
    table.act(commands.Suspend(by=M))
    return table, place("ana", "32:5")


@case(RefusalReason.POST_MUST_BE_HELD, "BG-3")
def _unstaffed() -> tuple[Table, commands.Command]:
    table = staffed("bg")
    table.act(commands.LeavePost(by="croupier-1"))
    return table, commands.OpenTable(by=M)


@case(RefusalReason.LAST_GAMES_ALREADY_ANNOUNCED, "BG-30b")
def _announced_twice() -> tuple[Table, commands.Command]:
    table = at("bg", "betting")
    announce = commands.AnnounceLastGames(by=by(table, Act.ANNOUNCE_LAST_GAMES))
    table.act(announce)
    return table, announce


@case(RefusalReason.CHIP_MUST_HALVE_EVENLY, "X-03")
def _odd_chip() -> tuple[Table, commands.Command]:
    table = Table(State.fresh(load("ar"), Setup(chip=3, live=True)))
    for post in table.state.book.posts:
        table.act(commands.TakePost(by=f"{post}-1", post=post))
    return table, commands.OpenTable(by=M)


# Players and chips --------------------------------------------------------------------------------

case(RefusalReason.NOT_SEATED)(stands("ar", "betting", place("eva", "17:1")))
case(RefusalReason.ALREADY_SEATED)(stands("ar", "betting", commands.Sit(by="ana")))
case(RefusalReason.PLAYER_IS_NOT_AWAY)(stands("ar", "betting", commands.ComeBack(by="ana")))
case(RefusalReason.STAKES_ON_THE_CLOTH)(stands("ar", "betting", commands.Leave(by="ana")))
case(RefusalReason.NOTHING_IN_CUSTODY, "IT-general-14a")(
    stands("it", "betting", commands.ClaimCustody(by="croupier-1", player="ana"))
)


@case(RefusalReason.NO_SEAT_LEFT, "FRAM-55-1.d", "AMB-FRAM-11")
def _the_eighth_at_a_table_of_seven() -> tuple[Table, commands.Command]:
    table = opened("fram", dict.fromkeys("abcdefg", 100))
    return table, commands.Sit(by="h")


case(RefusalReason.NO_ORPHANS_IN_THE_BOOK, "X-07")(
    stands("es", "betting", commands.DeclareOrphan(by="croupier-1", id="win"))
)
case(RefusalReason.NOT_AN_ORPHAN, "FR-41.b", "FR-41.c")(
    stands("fr", "betting", commands.DeclareOrphan(by="croupier-1", id="win"))
)


@case(RefusalReason.CHIP_OUTSIDE_LIMITS, "FRAM-55-3.b", "FRAM-55-3.c")
def _a_chip_above_the_maximum_of_a_straight() -> tuple[Table, commands.Command]:
    table = opened("fram", {"ana": 0}, limits={"straight": {"min": 5, "max": 100}})
    seller = by(table, Act.SELL_CHIPS)
    return table, commands.BuyChips(by=seller, player="ana", amount=200, chip=200)


@case(RefusalReason.VALUE_CHIPS_OF_ANOTHER, "SD-03.c", "AMB-SD-06")
def _two_players_with_value_chips_of_one_colour() -> tuple[Table, commands.Command]:
    table = opened("sd", {"ana": 100, "luis": 100})
    table.stake("ana", "17:5", chips=ChipKind.VALUE)
    return table, place("luis", "20:5", chips=ChipKind.VALUE)


case(RefusalReason.NO_REOPENING_IN_THE_BOOK, "ESAM-01.2.a", "AMB-ESAM-05")(
    stands("esam", "betting", commands.ReopenTable(by=M, limits={"split": {"max": 50}}))
)
case(RefusalReason.STAKES_IN_PRISON, "FR-53.l", "AMB-FR-11", "X-06")(
    stands("fr", "choosing", commands.ReopenTable(by=M, limits={"split": {"max": 50}}))
)
case(RefusalReason.TABLE_NOT_INSPECTED, "SD-11.a", "SD-11.b")(
    stands("sd", "opening", commands.OpenTable(by=M))
)


@case(RefusalReason.BALL_NOT_INSPECTED, "SD-06.d")
def _a_ball_that_left_the_wheel() -> tuple[Table, commands.Command]:
    table = at("sd", "spinning")
    table.void("ball_out")
    return table, commands.LaunchBall(by=by(table, Act.LAUNCH_BALL))


case(RefusalReason.NOTHING_TO_INSPECT, "SD-06.d")(
    stands("sd", "betting", commands.InspectBall(by="supervisor-1"))
)
case(RefusalReason.AMOUNT_NOT_POSITIVE)(stands("ar", "betting", place("ana", "32:0")))
case(RefusalReason.CHIPS_NOT_TAKEN_HERE, "AR-3.b")(
    stands("ar", "betting", place("ana", "red:10", chips=ChipKind.COLOUR))
)
case(RefusalReason.CHIPS_NOT_BOUGHT_HERE, "AR-2.a")(
    stands("ar", "betting", place("ana", "32:1", foreign=ForeignChips(1, "4", 1), by="pagador-1"))
)
case(RefusalReason.EXCEEDS_PURSE, "AR-2.a")(stands("ar", "betting", place("ana", "32:999999")))
case(RefusalReason.CHIP_VALUE_IS_SET)(
    stands("ar", "betting", commands.BuyChips(by="pagador-1", player="ana", amount=5, chip=5))
)


@case(RefusalReason.CHIP_NOT_A_MULTIPLE, "IT-general-1", "AMB-IT-30")
def _chips_of_six() -> tuple[Table, commands.Command]:
    table = opened("it", {"ana": 0}, chip=4)
    return table, commands.BuyChips(by="croupier-1", player="ana", amount=60, chip=6)


@case(RefusalReason.PLAYER_IS_AWAY, "ES-P.7")
def _away() -> tuple[Table, commands.Command]:
    table = at("es", "betting", full=True)
    table.act(commands.StepAway(by="luis"))
    return table, place("luis", "32:5", by="end-1")


@case(RefusalReason.OUTSIDE_THE_ZONE, "ES-P.7", "AMB-ES-18")
def _outside() -> tuple[Table, commands.Command]:
    return at("es", "betting", full=True), place("luis", "5:10", by="end-1")


@case(RefusalReason.NOT_WHOLE_CHIPS, "IT-gioco-4b")
def _broken() -> tuple[Table, commands.Command]:
    return opened("it", {"ana": 100}, chip=5), place("ana", "32:7")


@case(RefusalReason.NO_COLOUR_LEFT, "AR-2.b")
def _no_colour() -> tuple[Table, commands.Command]:
    table = opened("ar", {"ana": 100, "luis": 0}, colours=1)
    return table, commands.BuyChips(by="pagador-1", player="luis", amount=5)


@case(RefusalReason.COLOUR_IN_PLAY, "AR-2.b")
def _anothers_colour() -> tuple[Table, commands.Command]:
    table = opened("ar", {"ana": 100, "luis": 0})
    return table, commands.BuyChips(by="pagador-1", player="luis", amount=5, colour="blue")


@case(RefusalReason.ONE_COLOUR_PER_PLAYER, "AR-2.b")
def _two_colours() -> tuple[Table, commands.Command]:
    table = opened("ar", {"ana": 100})
    return table, commands.BuyChips(by="pagador-1", player="ana", amount=5, colour="pink")


# Stakes -------------------------------------------------------------------------------------------

case(RefusalReason.ID_IN_USE)(stands("ar", "betting", place("luis", "32:1", id="win")))
case(RefusalReason.NO_SUCH_SPOT, "AR-1")(stands("ar", "betting", place("ana", "3/4:1")))
case(RefusalReason.SPOT_NOT_ON_THIS_CLOTH, "IT-general-10")(
    stands("it", "betting", place("ana", "d1+d2:10"))
)
case(RefusalReason.CHIPS_NOT_LAID, "AR-21")(
    stands("ar", "betting", place("ana", "32:10", covered=False, by="pagador-1"))
)
case(RefusalReason.ANNOUNCEMENT_NOT_TAKEN, "AR-1")(
    stands(
        "ar",
        "betting",
        commands.Announce(by="ana", id="t", player="ana", call="tiers", amount=6),
    )
)
case(RefusalReason.ANNOUNCEMENT_NOT_EVEN, "IT-ann-2", "IT-sett-2")(
    stands(
        "it",
        "betting",
        commands.Announce(by="ana", id="t", player="ana", call="tiers", amount=7),
    )
)
case(RefusalReason.NO_SUCH_STAKE)(stands("ar", "betting", commands.WithdrawStake(by="ana", id="x")))
case(RefusalReason.NOT_THEIR_STAKE)(
    stands("ar", "betting", commands.WithdrawStake(by="luis", id="win"))
)
case(RefusalReason.PIECE_OF_AN_ANNOUNCEMENT)(
    stands("it", "betting", commands.MoveStake(by="ana", id="ann/1", on="32"))
)
case(RefusalReason.MORE_THAN_STAKED)(
    stands("ar", "betting", commands.WithdrawStake(by="ana", id="win", amount=21))
)
case(RefusalReason.NO_CHOICE_PENDING, "ES-7.2.b3")(
    stands(
        "es",
        "betting",
        commands.ChooseAfterZero(by="ana", id="win", choice=commands.Choice.HALF),
    )
)
case(RefusalReason.NOTHING_TO_REPLAY, "IT-rig-0")(
    stands(
        "it",
        "betting",
        commands.ReplayAnnouncement(by="ana", id="ann", mode=Replay.RIFARE, new_id="x"),
    )
)


@case(RefusalReason.EXCEEDS_MAXIMUM, "AR-13")
def _over() -> tuple[Table, commands.Command]:
    limits = {"straight": {"max": 50}}
    table = opened("ar", {"ana": 100}, limits=limits, limits_kept=LimitsKept.ENFORCED)
    table.stake("ana", "17:50")
    return table, place("ana", "17:1")


@case(RefusalReason.STAKE_BELOW_MINIMUM, "IT-general-2b", "AMB-IT-21")
def _too_little() -> tuple[Table, commands.Command]:
    table = opened("it", {"ana": 100})
    table.close()
    table.act(commands.GrantException(by=by(table, Act.GRANT_EXCEPTION), player="ana"))
    return table, place("ana", "17:4")


@case(RefusalReason.MUST_STAY_IN_PRISON, "ES-G.2")
def _small_half() -> tuple[Table, commands.Command]:
    table = opened("es", {"ana": 100}, limits={"simple": {"min": 5}})
    (id,) = table.stake("ana", "red:12")
    coup(table, 0)
    coup(table, 0)
    return table, commands.ChooseAfterZero(by="ana", id=id, choice=commands.Choice.HALF)


@case(RefusalReason.REPLAY_NOT_OFFERED, "IT-rig-3")
def _no_such_replay() -> tuple[Table, commands.Command]:
    table = at("it", "paying", winning=Winning.HAND)
    table.pay()
    all_in = Replay.PER_IL_TUTTO
    return table, commands.ReplayAnnouncement(by="ana", id="ann", mode=all_in, new_id="x")


# The coup -----------------------------------------------------------------------------------------

case(RefusalReason.BETTING_IS_CLOSED, "AR-20.a")(stands("ar", "closed", place("ana", "32:1")))
case(RefusalReason.BETTING_NOT_CLOSED)(
    stands("ar", "betting", commands.PocketBall(by="tallador-1", number=1))
)
case(RefusalReason.BALL_ALREADY_LAUNCHED)(
    stands("ar", "spinning", commands.LaunchBall(by="tallador-1"))
)
case(RefusalReason.BALL_NOT_LAUNCHED)(
    stands("ar", "betting", commands.CloseBetting(by="tallador-1"))
)
case(RefusalReason.BALL_NOT_POCKETED)(stands("ar", "closed", commands.CallNumber(by="tallador-1")))
case(RefusalReason.BALL_ALREADY_POCKETED, "AR-18.0", "AMB-AR-21")(
    stands("ar", "pocketed", commands.VoidBall(by="tallador-1", cause=Cause.BALL_OUT))
)
case(RefusalReason.NUMBER_NOT_ON_THE_WHEEL)(
    stands("ar", "closed", commands.PocketBall(by="tallador-1", number=37))
)
case(RefusalReason.NUMBER_NOT_CALLED)(
    stands("ar", "pocketed", commands.CollectLosers(by="pagador-1"))
)
case(RefusalReason.LOSERS_NOT_COLLECTED)(
    stands("ar", "collecting", commands.PayWinners(by="pagador-1"))
)
case(RefusalReason.LOSERS_ARE_COLLECTED, "NV-06")(
    stands("ar", "paying", commands.CorrectNumber(by="tallador-1", number=5))
)
case(RefusalReason.NUMBER_NOT_QUESTIONED, "NV-06")(
    stands("ar", "collecting", commands.SignNumber(by="pagador-1", number=5))
)


@case(RefusalReason.NUMBER_IS_QUESTIONED, "NV-06")
def _questioned() -> tuple[Table, commands.Command]:
    table = at("ar", "collecting")
    table.act(commands.CorrectNumber(by="tallador-1", number=5))
    return table, commands.CollectLosers(by="pagador-1")


case(RefusalReason.HANDS_OFF_UNTIL_PAID, "IT-general-12")(
    stands("it", "paying", commands.WithdrawStake(by="ana", id="win"))
)
case(RefusalReason.SPOT_IS_BEING_PAID, "IT-general-13b")(
    stands("it", "paying", place("ana", "17:5"))
)
case(RefusalReason.CAUSE_NOT_IN_THE_BOOK, "BG-10a", "BG-10b", "AMB-BG-13")(
    stands("bg", "spinning", commands.VoidBall(by="croupier-1", cause=Cause.WHEEL_STOPPED))
)
case(RefusalReason.NO_EXCEPTION_IN_THE_BOOK, "AR-20.a")(
    stands("ar", "closed", commands.GrantException(by="tallador-1", player="ana"))
)
case(RefusalReason.LIMITS_ARE_ENFORCED, "X-04")(
    stands("es", "betting", commands.NoticeExcess(by="croupier-1", id="win"))
)
case(RefusalReason.REPORTED_TOO_LATE, "IT-general-7")(
    stands("it", "closed", commands.CorrectStake(by="chief-1", id="win", on="32"))
)


def policed(text: str) -> Table:
    """A table of Argentina that keeps its limits by eye."""
    table = opened("ar", {"ana": 1000}, limits={"straight": {"max": 50}})
    table.stake("ana", text, id="big")
    return table


@case(RefusalReason.NOTHING_IN_EXCESS)
def _within() -> tuple[Table, commands.Command]:
    return policed("17:50"), commands.NoticeExcess(by="pagador-1", id="big")


@case(RefusalReason.NOTICED_TOO_LATE, "AR-14.a", "AMB-AR-15")
def _too_late() -> tuple[Table, commands.Command]:
    table = policed("17:60")
    table.pocket(5)
    return table, commands.NoticeExcess(by="pagador-1", id="big")


# What must hold of them ---------------------------------------------------------------------------


@pytest.mark.parametrize("told", CASES, ids=lambda told: told.why.value)
def test_a_refusal_is_said_by_its_name_with_its_articles_and_changes_nothing(told: Case) -> None:
    table, command = told.staged()
    before = photograph(table.state)
    refusal = refused(table, command)
    assert refusal.why is told.why
    assert refusal.articles == told.articles
    assert photograph(table.state) == before
    assert decide.act(table.state, command) == refusal
    assert photograph(table.state) == before


def test_every_refusal_has_its_case() -> None:
    cases = [told.why for told in CASES]
    assert sorted(cases) == sorted(RefusalReason)


def test_every_refusal_is_said_somewhere_in_the_table() -> None:
    """A name that no decision uses is no rule of this table."""
    said = set()
    for module in Path(decide.__file__).parent.glob("*.py"):
        text = module.read_text("utf-8")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "RefusalReason":
                said.add(node.attr)
    assert said == set(RefusalReason.__members__)


def test_a_refusal_reads_as_a_rule() -> None:
    for told in CASES:
        table, command = told.staged()
        refusal = refused(table, command)
        words = told.why.value.replace("_", " ")
        assert str(refusal).startswith(words)
        assert all(article in str(refusal) for article in told.articles)
        assert "_" not in str(Refusal(told.why))


# Commands and events are all served ---------------------------------------------------------------


def kinds(module: Any, base: type) -> list[type]:
    """The classes of a module that stand under its base."""
    found = [each for each in vars(module).values() if isinstance(each, type)]
    return [each for each in found if issubclass(each, base) and each is not base]


def test_every_command_has_its_decider() -> None:
    assert set(decide._DECIDERS) == set(kinds(commands, commands.Command))


def test_every_event_has_its_evolver() -> None:
    assert set(evolve.EVOLVERS) == set(kinds(events, events.Event))


@pytest.mark.parametrize(
    "kind",
    [*kinds(commands, commands.Command), *kinds(events, events.Event)],
    ids=lambda kind: kind.__name__,
)
def test_every_command_and_event_says_what_it_is(kind: type) -> None:
    doc = kind.__doc__
    assert doc is not None
    # A dataclass without a docstring is given its own signature for one.
    assert not doc.startswith(f"{kind.__name__}("), kind
    assert doc.endswith(".")


NONSENSE: tuple[object, ...] = (
    None,
    1,
    1.5,
    True,
    b"ana",
    [],
    {},
    ("ana",),
    object(),
    RefusalReason,
)


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("kind", kinds(commands, commands.Command), ids=lambda kind: kind.__name__)
def test_a_field_of_no_sense_is_refused_in_plain_words(
    house: str, kind: type[commands.Command]
) -> None:
    table = at(house, "betting")
    before = photograph(table.state)
    sense: dict[str, Any] = {each.name: "x" for each in fields(kind)}
    for name in sense:
        for value in NONSENSE:
            decision = decide.decide(table.state, kind(**{**sense, name: value}))
            assert isinstance(decision, Refusal)
            assert decision.detail or decision.why is not RefusalReason.COMMAND_NOT_UNDERSTOOD
    assert photograph(table.state) == before
