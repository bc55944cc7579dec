"""Who may do what: the posts of each house, by the book and at the table."""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from novamas.game.cloth import spot
from novamas.game.post_zones import Zone
from novamas.game.rulebook.behaviours import Act, Cause, LimitsKept
from novamas.game.rulebook.extending import extend
from novamas.rulebooks import HOUSES, load, source
from novamas.table import commands, events
from novamas.table.decide import decide
from novamas.table.identity import MANAGEMENT, Identity, Officer
from novamas.table.refusals import Refusal, RefusalReason
from tests.rules.helpers import Table, coup, opened, place, refused
from tests.table.each_command import SAID
from tests.table.staging import answer, at, inspect, moments, staffed

OK = "ok"
STRANGER = "a stranger"
OFFICER = Officer("Vera")
"""Somebody of the management, by their own name."""

Asked = Callable[[Table, Identity], commands.Command]


def _questioned(table: Table, by: Identity) -> commands.Command:
    """The second signature, once it is asked for."""
    table.act(commands.CorrectNumber(by=table.staff(Act.POCKET_BALL), number=20))
    return commands.SignNumber(by=by, number=20)


def _ball_out(table: Table, by: Identity) -> commands.Command:
    """The inspection of a ball that left the wheel."""
    table.act(commands.VoidBall(by=table.staff(Act.VOID_BALL), cause=Cause.BALL_OUT))
    return commands.InspectBall(by=by)


ACTS: dict[Act, tuple[str, Asked]] = {
    Act.LAUNCH_BALL: ("betting", lambda _, by: commands.LaunchBall(by=by)),
    Act.CLOSE_BETTING: ("spinning", lambda _, by: commands.CloseBetting(by=by)),
    Act.VOID_BALL: (
        "spinning",
        lambda _, by: commands.VoidBall(by=by, cause=Cause.OBJECT_IN_WHEEL),
    ),
    Act.POCKET_BALL: ("closed", lambda _, by: commands.PocketBall(by=by, number=17)),
    Act.CALL_NUMBER: ("pocketed", lambda _, by: commands.CallNumber(by=by)),
    Act.SIGN_NUMBER: ("collecting", _questioned),
    Act.COLLECT: ("collecting", lambda _, by: commands.CollectLosers(by=by)),
    Act.PAY: ("paying", lambda _, by: commands.PayWinners(by=by)),
    Act.SELL_CHIPS: (
        "betting",
        lambda _, by: commands.BuyChips(by=by, player="luis", amount=10),
    ),
    Act.PLACE_FOR_PLAYER: ("betting", lambda _, by: place("luis", "32:10", by=by)),
    Act.NOTICE_EXCESS: ("betting", lambda _, by: commands.NoticeExcess(by=by, id="big")),
    Act.CORRECT: ("betting", lambda _, by: commands.CorrectStake(by=by, id="win", on="32")),
    Act.ORDER_CORRECTION: (
        "betting",
        lambda _, by: commands.OrderCorrection(by=by, id="win", on="32"),
    ),
    Act.GRANT_EXCEPTION: ("closed", lambda _, by: commands.GrantException(by=by, player="luis")),
    Act.CHANGE_LIMITS: (
        "opening",
        lambda _, by: commands.ChangeLimits(by=by, limits={"split": {"max": 50}}),
    ),
    Act.DECLARE_ORPHAN: (
        "betting",
        lambda _, by: commands.DeclareOrphan(by=by, id="win"),
    ),
    Act.INSPECT_TABLE: ("opening", lambda _, by: commands.InspectTable(by=by)),
    Act.INSPECT_BALL: ("spinning", _ball_out),
    Act.SUSPEND: ("betting", lambda _, by: commands.Suspend(by=by)),
    Act.ANNOUNCE_LAST_GAMES: ("betting", lambda _, by: commands.AnnounceLastGames(by=by)),
    Act.CLOSE_TABLE: ("ended", lambda _, by: commands.CloseTable(by=by)),
}
"""When each act is asked for, so that nothing but the post can stand in its way."""

OF_THE_HOUSE = frozenset((Act.DECIDE_DISPUTE, Act.COUNT_FLOAT))
"""What is asked of the house and not of the table: tests/web asks for it."""

UNKNOWN: dict[Act, str] = {
    Act.NOTICE_EXCESS: "limits_are_enforced",
    Act.GRANT_EXCEPTION: "no_exception_in_the_book",
    Act.ANNOUNCE_LAST_GAMES: "no_last_games_in_the_book",
    Act.DECLARE_ORPHAN: "no_orphans_in_the_book",
    Act.INSPECT_TABLE: "nothing_to_inspect",
    Act.INSPECT_BALL: "nothing_to_inspect",
}
"""What is answered, whoever asks, in a house whose book knows no such thing."""

MANAGES = {Act.CHANGE_LIMITS, Act.SUSPEND, Act.CLOSE_TABLE}
"""What the management may do beside the posts."""


def printed(house: str) -> Mapping[str, Any]:
    """The book of a house as its file has it, with what it takes over from another."""
    return extend(tomllib.loads(source(house)), file=f"{house}.toml").table


def printed_posts(house: str) -> dict[str, dict[str, Any]]:
    """The posts as the file of the book has them."""
    posts: dict[str, dict[str, Any]] = printed(house)["posts"]
    return posts


def of_every_post(house: str, moment: str, **setup: Any) -> Table:
    """A table with every post held to the last place: a double one where only it has them all."""
    double = any(not post.at_most for post in load(house).posts.values())
    return at(house, moment, full=True, double=double, **setup)


def stage(house: str, act: Act) -> Table:
    """A table with every post held to the last place, at the moment when the act may be done."""
    moment, _ = ACTS[act]
    if act is Act.DECLARE_ORPHAN:
        table = of_every_post(house, moment)
        table.act(commands.StepAway(by="ana"))
        return table
    if act is not Act.NOTICE_EXCESS or LimitsKept.POLICED not in load(house).limits.kept:
        return of_every_post(house, moment, zone=Zone((spot("17"), spot("32"))))
    table = opened(house, {"ana": 1000, "luis": 100}, limits={"simple": {"max": 50}})
    fill(table)
    table.stake("ana", "red:60", id="big")
    return table


def fill(table: Table) -> None:
    for post in table.state.book.posts.values():
        for number in range(post.at_least + 1, post.at_most + 1):
            table.act(commands.TakePost(by=f"{post.name}-{number}", post=post.name))


def test_every_act_is_asked_for() -> None:
    assert set(ACTS) == set(Act) - OF_THE_HOUSE


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("house", HOUSES)
def test_a_post_may_do_what_the_book_gives_it_and_nothing_else(house: str, act: Act) -> None:
    posts = printed_posts(house)
    given = {post for post in posts if act.value in posts[post]["may"]}
    _, asked = ACTS[act]
    for post in posts:
        table = stage(house, act)
        found = answer(table, asked(table, f"{post}-1"))
        if act in UNKNOWN and not given:
            assert found == UNKNOWN[act]
        else:
            assert found == (OK if post in given else "not_of_this_post"), post


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("house", HOUSES)
def test_no_player_stranger_or_management_does_what_is_of_a_post(house: str, act: Act) -> None:
    _, asked = ACTS[act]
    known = any(act in post.may for post in load(house).posts.values()) or act not in UNKNOWN
    for person in ("ana", STRANGER, "", MANAGEMENT, OFFICER):
        table = stage(house, act)
        found = answer(table, asked(table, person))
        if person in (MANAGEMENT, OFFICER) and act in MANAGES:
            assert found == OK
        else:
            assert found == ("not_of_this_post" if known else UNKNOWN[act]), person


@pytest.mark.rule("ES-P.3", "BG-5")
@pytest.mark.parametrize("house", HOUSES)
def test_a_post_that_touches_no_chips_pays_collects_sells_places_and_corrects_nothing(
    house: str,
) -> None:
    posts = load(house).posts
    clean = [name for name, post in posts.items() if not post.touches_chips]
    for name in clean:
        for act in (Act.PAY, Act.COLLECT, Act.SELL_CHIPS, Act.PLACE_FOR_PLAYER, Act.CORRECT):
            table = stage(house, act)
            _, asked = ACTS[act]
            refusal = refused(table, asked(table, f"{name}-1"))
            assert refusal.why is RefusalReason.NOT_OF_THIS_POST
            assert set(posts[name].cites.touches_chips) <= set(refusal.articles)
    chiefs = ["chief", "subchief"] if "subchief" in posts else ["chief"]
    nobody: dict[str, list[str]] = {"ar": [], "it": [], "sd": [], "bg": ["inspector"]}
    assert clean == nobody.get(house, chiefs)


CHIPS_MOVED = (
    events.StakePlaced,
    events.AnnouncementPlaced,
    events.StakeMoved,
    events.StakeWithdrawn,
    events.ChipsBought,
    events.CustodyClaimed,
    events.ChoiceMade,
    events.LosersCollected,
    events.WinnersPaid,
)
"""Events in which somebody's hand moves chips."""


@pytest.mark.rule("ES-P.3", "AMB-ES-17")
@pytest.mark.parametrize("kind", SAID, ids=lambda kind: kind.__name__)
def test_es_p_3_no_command_of_the_chief_moves_a_chip(kind: type[commands.Command]) -> None:
    for moment in moments("es"):
        table = at("es", moment, full=True)
        done = decide(table.state, replace(SAID[kind](table), by="chief-1"))
        if not isinstance(done, Refusal):
            assert not [each for each in done if isinstance(each, CHIPS_MOVED)], (moment, done)


@pytest.mark.parametrize("house", HOUSES)
def test_the_posts_are_held_as_the_book_has_them(house: str) -> None:
    together = printed(house).get("staffing", {}).values()
    for name, post in printed_posts(house).items():
        table = staffed(house, full=True)
        inspect(table)
        assert len(table.state.posts_of(name)) == post["at_most"]
        one_more = commands.TakePost(by="one-more", post=name)
        assert answer(table, one_more) == "post_is_full"
        # Of posts that count together, the others are all held.
        others = sum(
            printed_posts(house)[other]["at_most"]
            for group in together
            for other in group["posts"]
            if name in group["posts"] and other != name
        )
        of_group = max((g["at_least"] - others for g in together if name in g["posts"]), default=0)
        least = max(post["at_least"], of_group)
        table.act(commands.OpenTable(by=MANAGEMENT))
        for held in range(post["at_most"], 0, -1):
            left = answer(table, commands.LeavePost(by=f"{name}-{held}"))
            assert left == (OK if held > least else "post_is_needed"), (name, held)


@pytest.mark.parametrize("house", HOUSES)
def test_a_table_short_of_a_post_does_not_open(house: str) -> None:
    for name, post in printed_posts(house).items():
        if not post.get("at_least", 0):
            continue
        table = staffed(house)
        for person in table.state.posts_of(name):
            table.act(commands.LeavePost(by=person))
        refusal = refused(table, commands.OpenTable(by=MANAGEMENT))
        assert refusal.why is RefusalReason.POST_MUST_BE_HELD
        assert refusal.articles == load(house).posts[name].cites.at_least


@pytest.mark.parametrize("house", HOUSES)
def test_one_person_has_one_place_at_the_table(house: str) -> None:
    table = staffed(house)
    post = next(iter(table.state.book.posts))
    held = next(iter(table.state.staff))
    for command, why in (
        (commands.TakePost(by="ana", post=post), "staff_does_not_play"),
        (commands.Sit(by=held), "staff_does_not_play"),
        (commands.Sit(by=MANAGEMENT), "staff_does_not_play"),
        (commands.Sit(by=OFFICER), "staff_does_not_play"),
        (commands.TakePost(by=OFFICER, post=post), "one_post_per_person"),
        (commands.Sit(by="ana"), "already_seated"),
        (commands.TakePost(by=held, post=post), "one_post_per_person"),
        (commands.TakePost(by=MANAGEMENT, post=post), "one_post_per_person"),
        (commands.TakePost(by="newcomer", post="nonsuch"), "no_such_post"),
        (commands.LeavePost(by="ana"), "not_of_this_post"),
        (commands.Sit(by=" "), "command_not_understood"),
        (commands.TakePost(by="", post=post), "command_not_understood"),
        (commands.OpenTable(by="ana"), "not_of_this_post"),
    ):
        assert answer(table, command) == why


@pytest.mark.parametrize("moment", ["opening", "betting", "closed", "paying"])
@pytest.mark.parametrize("house", HOUSES)
def test_whoever_holds_a_post_may_be_relieved_at_any_moment(house: str, moment: str) -> None:
    for post in load(house).posts:
        table = of_every_post(house, moment)
        held = table.state.posts_of(post)
        relief = commands.TakePost(by="relief", post=post, relieves=held[0])
        assert answer(table, relief) == OK
        assert table.state.posts_of(post) == ["relief", *held[1:]]
        assert held[0] not in table.state.staff
        again = commands.TakePost(by="another", post=post, relieves=held[0])
        assert answer(table, again) == "no_such_post"


@pytest.mark.rule("ES-P.4")
def test_es_p_4_a_relief_spins_at_the_turn_of_whom_he_relieved() -> None:
    table = opened("es", {"ana": 100}, rotation=2)
    for number in (17, 20):
        coup(table, number)
    assert table.state.spinner() == "croupier-2"
    relief = commands.TakePost(by="relief", post="croupier", relieves="croupier-1")
    assert answer(table, relief) == OK
    assert table.state.spinner() == "croupier-2"
    for number in (3, 26):
        coup(table, number)
    assert table.state.spinner() == "relief"


@pytest.mark.rule("ES-P.4")
@pytest.mark.parametrize("rotation", [1, 2, 3])
def test_es_p_4_the_croupiers_spin_by_turns(rotation: int) -> None:
    table = opened("es", {"ana": 100}, rotation=rotation)
    for spin in range(7):
        turn = spin // rotation % 2 + 1
        other = commands.LaunchBall(by=f"croupier-{3 - turn}")
        refusal = refused(table, other)
        assert refusal.why is RefusalReason.NOT_THEIR_TURN_TO_SPIN
        assert refusal.articles == ("ES-P.4",)
        table.act(commands.LaunchBall(by=f"croupier-{turn}"))
        if spin == 3:
            table.void("object_in_wheel")  # A void spin was a spin.
        else:
            coup(table, 17)
    spun = [event.by for event in table.events if isinstance(event, events.BallLaunched)]
    assert spun == [f"croupier-{spin // rotation % 2 + 1}" for spin in range(7)]


TAKING_TURNS = [h for h in HOUSES if any(post.rotates for post in load(h).posts.values())]


@pytest.mark.parametrize("house", [h for h in HOUSES if h not in TAKING_TURNS])
def test_where_nobody_takes_turns_the_same_hand_spins(house: str) -> None:
    table = opened(house, {"ana": 100}, rotation=1)
    for _ in range(3):
        coup(table, 17)
    spun = {event.by for event in table.events if isinstance(event, events.BallLaunched)}
    assert len(spun) == 1


@pytest.mark.rule("ES-P.6", "ES-P.7", "IT-gioco-6a", "IT-general-4b")
@pytest.mark.parametrize("house", HOUSES)
def test_chips_are_touched_by_their_owner_or_by_a_post_that_places_for_him(house: str) -> None:
    table = at(house, "betting")
    croupier = table.staff(Act.PLACE_FOR_PLAYER)
    assert answer(table, place("ana", "32:10", by="luis")) == "not_of_this_post"
    assert answer(table, place("ana", "32:10", by=croupier)) == OK
    for command in (
        commands.WithdrawStake(by="luis", id="win"),
        commands.MoveStake(by="luis", id="win", on="33"),
    ):
        assert answer(table, command) == "not_their_stake"
    assert answer(table, commands.MoveStake(by=croupier, id="win", on="33")) == OK
    assert answer(table, commands.WithdrawStake(by=croupier, id="win")) == OK
    table.act(commands.StepAway(by="luis"))
    assert answer(table, place("luis", "32:10", id="x", by=croupier)) == "player_is_away"


def test_es_another_player_does_not_choose() -> None:
    table = at("es", "choosing")
    choose = commands.ChooseAfterZero(by="luis", id="met-zero", choice=commands.Choice.HALF)
    assert answer(table, choose) == "not_their_stake"
