"""Every command at every moment of the day: what is done, and what is refused by which name."""

import pytest

from novamas.game.rulebook.behaviours import Act
from novamas.rulebooks import HOUSES
from novamas.table import commands, events
from novamas.table.identity import MANAGEMENT
from novamas.table.state import Phase
from tests.rules.helpers import coup, opened, place
from tests.table.each_command import SAID
from tests.table.staging import MOMENTS, answer, at, moments

OK = "ok"

# What is answered at each moment ------------------------------------------------------------------


def day(betting: str = OK, **said: str) -> dict[str, str]:
    """What is answered at each moment.

    `betting` holds for the three moments of betting, `out` from the close to the payments, and a
    moment by its own name goes before either.
    """
    out = said.pop("out", None)
    answers = {"betting": betting, "spinning": betting, "choosing": betting}
    if out is not None:
        answers |= dict.fromkeys(("closed", "pocketed", "collecting", "paying"), out)
    return answers | said


def always(answered: str) -> dict[str, str]:
    """The same at every moment."""
    return dict.fromkeys(MOMENTS, answered)


PLAYING = day(opening="table_not_open", out="betting_is_closed", ended="table_is_closed")
"""What belongs to betting."""

CORRECTING = PLAYING | dict.fromkeys(
    ("closed", "pocketed", "collecting", "paying"), "reported_too_late"
)
"""What puts a mistake right."""

EVERYWHERE: dict[type[commands.Command], dict[str, str]] = {
    commands.TakePost: always(OK),
    commands.LeavePost: day("post_is_needed", opening=OK, out="post_is_needed", ended=OK),
    commands.OpenTable: day(
        "table_already_open", opening=OK, out="table_already_open", ended="table_is_closed"
    ),
    commands.Suspend: day(opening="table_not_open", out=OK, ended="table_is_closed"),
    commands.Resume: always("table_not_suspended"),
    commands.ChangeLimits: always("limits_stay_while_open") | {"opening": OK},
    commands.ReopenTable: always("no_reopening_in_the_book"),
    commands.InspectTable: always("nothing_to_inspect"),
    commands.InspectBall: always("nothing_to_inspect"),
    commands.DeclareOrphan: always("no_orphans_in_the_book"),
    commands.AnnounceLastGames: always("no_last_games_in_the_book"),
    commands.CloseTable: day(spinning="coup_in_play", opening=OK, out="coup_in_play", ended=OK),
    commands.Sit: always(OK) | {"ended": "table_is_closed"},
    commands.BuyChips: always(OK) | {"ended": "table_is_closed"},
    commands.StepAway: always(OK),
    commands.ComeBack: always("player_is_not_away"),
    commands.ClaimCustody: always("nothing_in_custody"),
    commands.Leave: always(OK),
    commands.PlaceStake: PLAYING,
    commands.Announce: always("announcement_not_taken"),
    commands.MoveStake: PLAYING,
    commands.WithdrawStake: PLAYING | {"ended": OK},
    commands.CorrectStake: CORRECTING,
    commands.OrderCorrection: always("not_of_this_post"),
    commands.ChooseAfterZero: always("no_choice_pending") | {"choosing": OK},
    commands.ReplayAnnouncement: always("replay_not_offered"),
    commands.LaunchBall: PLAYING | {"spinning": "ball_already_launched"},
    commands.CloseBetting: PLAYING
    | {"betting": "ball_not_launched", "choosing": "ball_not_launched"},
    commands.GrantException: always("no_exception_in_the_book"),
    commands.NoticeExcess: always("limits_are_enforced"),
    commands.VoidBall: day(
        "ball_not_launched",
        spinning=OK,
        opening="table_not_open",
        out="ball_already_pocketed",
        closed=OK,
        ended="table_is_closed",
    ),
    commands.PocketBall: day(
        "betting_not_closed",
        opening="table_not_open",
        out="ball_already_pocketed",
        closed=OK,
        ended="table_is_closed",
    ),
    commands.CallNumber: always("ball_not_pocketed") | {"pocketed": OK},
    commands.CorrectNumber: always("ball_not_pocketed")
    | {"pocketed": OK, "collecting": OK, "paying": "losers_are_collected"},
    commands.SignNumber: always("ball_not_pocketed")
    | {
        "pocketed": "number_not_questioned",
        "collecting": "number_not_questioned",
        "paying": "losers_are_collected",
    },
    commands.CollectLosers: always("number_not_called") | {"collecting": OK},
    commands.PayNext: always("losers_not_collected") | {"paying": OK},
    commands.PayWinners: always("losers_not_collected") | {"paying": OK},
}
"""What is answered unless a house has something of its own to say."""

REOPENING = day(
    spinning="coup_in_play",
    opening="table_not_open",
    out="coup_in_play",
    ended="table_is_closed",
    choosing="stakes_in_prison",
)
"""A placard that changes only when the table is opened again (FR-53.l)."""

ORPHANS = PLAYING | {"betting": "not_an_orphan", "choosing": "not_an_orphan"}
ORPHANS |= {"spinning": "coup_in_play"}
"""A stake whose owner sits at the table is no orphan, and nobody declares one while a ball runs."""

FRENCH: dict[type[commands.Command], dict[str, str]] = {
    commands.ReopenTable: REOPENING,
    commands.DeclareOrphan: ORPHANS,
    # The chief touches no chips, and orders what a croupier carries out.
    commands.OrderCorrection: CORRECTING,
}

INSPECTED: dict[type[commands.Command], dict[str, str]] = {
    commands.OpenTable: day(
        "table_already_open",
        opening="table_not_inspected",
        out="table_already_open",
        ended="table_is_closed",
    ),
    commands.InspectTable: always("nothing_to_inspect") | {"opening": OK},
}
"""Nobody opens a table that was not checked, and it is checked once (SD-11.a, FRAN-55-10.i)."""

OF_ITS_OWN: dict[str, dict[type[commands.Command], dict[str, str]]] = {
    "ar": {},
    "es": {
        # The chief orders what a croupier carries out (AMB-ES-17).
        commands.OrderCorrection: CORRECTING,
    },
    "it": {
        # Its two posts are held by one person each, and both must be.
        commands.TakePost: always("post_is_full"),
        # A placard may be changed at any moment; AMB-IT-27 says when it binds.
        commands.ChangeLimits: always(OK) | {"ended": "table_is_closed"},
        # New stakes are taken while winners are paid, but not where they lie (IT-general-13).
        commands.PlaceStake: PLAYING | {"paying": OK},
        commands.Announce: PLAYING | {"paying": OK},
        # Nobody touches a winner before all are paid (IT-general-12).
        commands.MoveStake: PLAYING
        | dict.fromkeys(("collecting", "paying"), "hands_off_until_paid"),
        commands.WithdrawStake: PLAYING
        | dict.fromkeys(("collecting", "paying"), "hands_off_until_paid")
        | {"ended": OK},
        commands.ReplayAnnouncement: PLAYING
        | dict.fromkeys(("betting", "spinning"), "nothing_to_replay"),
        commands.GrantException: day(
            "betting_not_closed",
            opening="table_not_open",
            closed=OK,
            pocketed="ball_already_pocketed",
            collecting="ball_already_pocketed",
            paying="ball_already_pocketed",
            ended="table_is_closed",
        ),
    },
    "bg": {
        commands.OrderCorrection: CORRECTING,
        # With players seated the last games come first (AMB-BG-17).
        commands.CloseTable: day(
            "last_games_not_played",
            spinning="coup_in_play",
            opening=OK,
            out="coup_in_play",
            ended=OK,
        ),
        commands.AnnounceLastGames: PLAYING,
        commands.Announce: PLAYING,
    },
    # A table with one cloth has all of its staff when it opens (FR-51.e).
    "fr": {**FRENCH, commands.TakePost: always("post_is_full")},
    "fram": FRENCH,
    "fran": {**FRENCH, **INSPECTED, commands.Announce: PLAYING},
    "esam": {commands.OrderCorrection: CORRECTING},
    # The two posts of sd are held by one person each, and both must be.
    "sd": {**INSPECTED, commands.TakePost: always("post_is_full")},
}


def expected(house: str, kind: type[commands.Command]) -> dict[str, str]:
    return OF_ITS_OWN.get(house, {}).get(kind, EVERYWHERE[kind])


def every_command() -> list[type[commands.Command]]:
    found = [each for each in vars(commands).values() if isinstance(each, type)]
    return [c for c in found if issubclass(c, commands.Command) and c is not commands.Command]


def test_every_command_has_its_row() -> None:
    assert set(SAID) == set(EVERYWHERE) == set(every_command())
    assert set(OF_ITS_OWN) == set(HOUSES), "each house has an entry, if only an empty one"


@pytest.mark.parametrize("kind", every_command(), ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("house", HOUSES)
def test_every_command_at_every_moment(house: str, kind: type[commands.Command]) -> None:
    row = expected(house, kind)
    answered = {}
    for moment in moments(house):
        table = at(house, moment)
        answered[moment] = answer(table, SAID[kind](table))
    assert answered == {moment: row[moment] for moment in moments(house)}


# Choosing belongs to betting ----------------------------------------------------------------------


def test_a_void_ball_leaves_an_open_choice_open() -> None:
    table = at("es", "choosing")
    choose = SAID[commands.ChooseAfterZero](table)
    table.launch()
    table.void("ball_escaped")
    assert table.state.phase is Phase.CHOOSING
    assert answer(table, choose) == OK
    assert MOMENTS["betting"] is table.state.phase


@pytest.mark.rule("AMB-ES-04", "ES-7.2.b3")
def test_who_has_not_chosen_by_the_close_stays_in_prison() -> None:
    table = at("es", "choosing")
    table.close()
    prisoner = table.state.prison["met-zero"]
    assert (prisoner.amount, prisoner.pending) == (100, False)
    assert answer(table, SAID[commands.ChooseAfterZero](table)) == "no_choice_pending"


@pytest.mark.rule("ES-7.2.b2")
def test_the_half_is_chosen_once() -> None:
    table = at("es", "choosing")
    before = table.purse("ana")
    choose = SAID[commands.ChooseAfterZero](table)
    assert [answer(table, choose), answer(table, choose)] == ["ok", "no_choice_pending"]
    assert table.purse("ana") == before + 50
    assert table.state.bank == 50
    assert not table.state.prison


# Suspension ---------------------------------------------------------------------------------------

STOPS = {
    commands.PlaceStake,
    commands.MoveStake,
    commands.LaunchBall,
    commands.Announce,
    commands.ReplayAnnouncement,
}
"""What a suspended table does not do; a ball that runs is still closed on and called."""


@pytest.mark.rule("IT-general-17")
@pytest.mark.parametrize("house", HOUSES)
def test_a_suspended_table_takes_no_stake_and_spins_no_wheel(house: str) -> None:
    for kind in every_command():
        for moment in ("betting", "spinning"):
            if expected(house, kind)[moment] != OK or kind is commands.Suspend:
                continue
            table = at(house, moment)
            table.act(commands.Suspend(by=MANAGEMENT, reason="a quarrel"))
            found = answer(table, SAID[kind](table))
            assert found == ("table_is_suspended" if kind in STOPS else OK), (kind, moment)


@pytest.mark.parametrize("house", HOUSES)
@pytest.mark.parametrize("moment", ["spinning", "closed", "pocketed", "collecting", "paying"])
def test_a_coup_that_runs_when_play_is_suspended_is_still_ended(house: str, moment: str) -> None:
    table = at(house, moment)
    table.act(commands.Suspend(by=MANAGEMENT))
    steps = {
        "spinning": table.close,
        "closed": lambda: table.pocket(17),
        "pocketed": table.call,
        "collecting": table.collect,
        "paying": table.pay,
    }
    for step in list(steps.values())[list(steps).index(moment) :]:
        step()
    assert table.state.phase is Phase.BETTING
    assert answer(table, place("luis", "32:10")) == "table_is_suspended"
    table.act(commands.Resume(by=MANAGEMENT))
    assert answer(table, place("luis", "32:10")) == OK


# Closing ------------------------------------------------------------------------------------------


CLOSES = [
    (house, moment)
    for house in HOUSES
    for moment in ("opening", "betting", "ended")
    if expected(house, commands.CloseTable)[moment] == OK
]


@pytest.mark.rule("NV-02", "BG-29")
@pytest.mark.parametrize(("house", "moment"), CLOSES)
def test_closing_gives_back_what_lies_on_the_table(house: str, moment: str) -> None:
    table = at(house, moment)
    state = table.state
    bank = state.bank
    table.act(commands.CloseTable(by=MANAGEMENT))
    assert state.phase is Phase.ENDED
    assert not state.stakes
    assert not state.on_spot
    assert not state.announcements
    assert state.bank == bank
    assert not state.orders
    assert sum(player.purse for player in state.players.values()) + bank == 20_000
    assert all(player.colour is None for player in state.players.values())


@pytest.mark.rule("ES-G.3")
def test_es_g_3_a_table_that_closes_gives_a_prisoner_his_half() -> None:
    table = at("es", "choosing")
    table.act(commands.CloseTable(by=MANAGEMENT))
    assert not table.state.prison
    assert table.state.bank == 50
    assert table.purse("ana") == 10_000 - 50


@pytest.mark.rule("IT-gioco-15a", "X-03")
def test_it_a_table_that_closes_gives_the_odd_chip_back() -> None:
    table = opened("it", {"ana": 100})
    table.stake("ana", "red:7")
    coup(table, 0)
    assert table.state.prison
    table.act(commands.CloseTable(by=MANAGEMENT))
    assert table.purse("ana") == 97
    assert table.state.bank == 3


@pytest.mark.rule("BG-30a", "BG-30b", "AMB-BG-11")
def test_bg_30_three_last_games_are_counted_and_a_void_ball_is_not() -> None:
    table = opened("bg", {"ana": 100})
    table.act(commands.AnnounceLastGames(by=table.staff(Act.ANNOUNCE_LAST_GAMES)))
    assert answer(table, SAID[commands.AnnounceLastGames](table)) == "last_games_already_announced"
    left = []
    for number in (1, 2, 3):
        table.launch()
        table.void("object_in_wheel")
        assert table.state.games_left == 4 - number
        coup(table, number)
        left.append(table.last(events.CoupEnded).games_left)
    assert left == [2, 1, 0]
    assert table.state.phase is Phase.ENDED
    assert answer(table, place("ana", "17:1")) == "table_is_closed"
