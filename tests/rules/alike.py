"""Checks of what several houses say alike.

A house's test names its own articles and hands them over with the house's words; what is played to
show them is the same in every house, and stands here once.
"""

from fractions import Fraction
from typing import Any

from novamas.game.cloth import SpotClass, spot
from novamas.game.limits import placard
from novamas.game.lines import Line
from novamas.game.rulebook.behaviours import Act, Cause
from novamas.game.stakes import Prisoner
from novamas.game.wheel import Direction, Pocket
from novamas.rulebooks import load
from novamas.table import commands, events
from novamas.table.commands import Choice
from novamas.table.refusals import RefusalReason
from novamas.table.state import Phase
from tests.rules.helpers import Table, coup, opened, place, refused, settle_line, settled

CW, CCW = Direction.CLOCKWISE, Direction.COUNTERCLOCKWISE
Articles = tuple[str, ...]


def check_refusal(
    table: Table, command: commands.Command, why: RefusalReason, articles: Articles
) -> None:
    """A command is refused for this reason, by these articles."""
    refusal = refused(table, command)
    assert (refusal.why, refusal.articles) == (why, articles)


# The spin -----------------------------------------------------------------------------------------


def spins(table: Table) -> list[tuple[Direction, Direction]]:
    """Which way wheel and ball went at each launch."""
    return [(e.wheel, e.ball) for e in table.events if isinstance(e, events.BallLaunched)]


def check_the_wheel_alternates(house: str, *, void: str) -> None:
    """The wheel turns the other way each time, a void spin included, and the ball against it."""
    table = opened(house, {})
    coup(table, 17)
    table.launch()
    table.void(void)
    if table.state.ball_to_inspect:
        table.act(commands.InspectBall(by=table.staff(Act.INSPECT_BALL)))
    coup(table, 0)
    coup(table, 32)
    assert spins(table) == [(CW, CCW), (CCW, CW), (CW, CCW), (CCW, CW)]


def check_a_void_ball_settles_nothing(
    house: str, cause: str, phase: Phase, *, call: str, by: str
) -> events.BallVoided:
    """After a void ball the stakes lie and may be changed; returns the event."""
    table = opened(house, {"ana": 100})
    table.stake("ana", "17:10 red:20")
    table.launch()
    if phase is Phase.CLOSED:
        table.close()
    table.void(cause)
    void = table.last(events.BallVoided)
    assert (void.call, void.by) == (call, by)
    assert (table.state.on_cloth, table.purse("ana"), table.state.bank) == (30, 70, 0)
    assert table.state.phase is Phase.BETTING
    assert not table.tally.coups
    # The ball is launched again, and until then the stakes may be changed.
    table.act(commands.WithdrawStake(by="ana", id="s2"))
    if table.state.ball_to_inspect:
        table.act(commands.InspectBall(by=table.staff(Act.INSPECT_BALL)))
    assert coup(table, 17).of("ana").won == 350
    return void


def check_no_void_for(house: str, cause: str) -> Articles:
    """A cause that the book does not know makes no ball void; returns the articles cited."""
    table = opened(house, {})
    table.launch()
    void = commands.VoidBall(by=table.staff(Act.VOID_BALL), cause=Cause(cause))
    refusal = refused(table, void)
    assert refusal.why is RefusalReason.CAUSE_NOT_IN_THE_BOOK
    return refusal.articles


# The close ----------------------------------------------------------------------------------------


def check_the_close(
    house: str, articles: Articles, *, call: str, while_collecting: Articles | None = None
) -> None:
    """Stakes are taken before the launch and while the ball runs, and none from the close on.

    A house may cite something else until the losers are collected.
    """
    table = opened(house, {"ana": 100})
    table.stake("ana", "17:10")
    table.launch()
    table.stake("ana", "20:10")
    table.close()
    assert table.last(events.BettingClosed).call == call
    late: list[commands.Command] = [
        place("ana", "5:10"),
        commands.MoveStake(by="ana", id="s1", on="20"),
        commands.WithdrawStake(by="ana", id="s1"),
    ]
    for command in late:
        check_refusal(table, command, RefusalReason.BETTING_IS_CLOSED, articles)
    table.pocket(17)
    check_refusal(table, late[0], RefusalReason.BETTING_IS_CLOSED, articles)
    table.call()
    collecting = while_collecting or articles
    check_refusal(table, late[0], RefusalReason.BETTING_IS_CLOSED, collecting)
    table.collect()
    # Not even on a spot that did not win, while the winner is being paid.
    check_refusal(table, late[0], RefusalReason.BETTING_IS_CLOSED, articles)
    table.pay()
    table.stake("ana", "5:10")


def check_no_exception(house: str, articles: Articles, *, by: str = "chief-1") -> None:
    """Nobody grants a late stake."""
    table = opened(house, {"ana": 100})
    table.close()
    exception = commands.GrantException(by=by, player="ana")
    check_refusal(table, exception, RefusalReason.NO_EXCEPTION_IN_THE_BOOK, articles)


def check_words_are_no_stake(house: str, articles: Articles) -> None:
    """A stake that is only announced, without its chips, takes no part."""
    table = opened(house, {"ana": 100})
    by = table.staff(Act.PLACE_FOR_PLAYER)
    words = place("ana", "17:10", covered=False, by=by)
    check_refusal(table, words, RefusalReason.CHIPS_NOT_LAID, articles)


# The bets -----------------------------------------------------------------------------------------


def check_winner(house: str, out: Pocket, bet: str, won: int) -> Line:
    """A stake wins so much and keeps itself; returns its line."""
    line = settle_line(house, out, bet)
    assert (line.won, line.returned, line.lost) == (won, line.stake.amount, 0)
    assert line.hand == won + line.stake.amount
    return line


def check_loser(house: str, out: Pocket, bet: str) -> Line:
    """A stake is lost whole; returns its line."""
    line = settle_line(house, out, bet)
    assert (line.won, line.returned, line.lost, line.held) == (0, 0, line.stake.amount, 0)
    return line


def check_simple_chance(
    house: str, chance: str, *, first: int, last: int, loses: tuple[int, ...]
) -> None:
    """A simple chance wins with eighteen numbers, and not with these."""
    won = [out for out in range(37) if settle_line(house, out, f"{chance}:10").won == 10]
    assert (len(won), min(won), max(won)) == (18, first, last)
    assert not set(loses) & set(won)


def check_the_winner_stays_and_may_be_taken(house: str) -> None:
    """A winner on a number has 36 times its chip back; it stays until it is taken off."""
    assert settle_line(house, 17, "17:1").hand == 36
    table = opened(house, {"ana": 100}, winning=load(house).betting.winners_stay)
    table.stake("ana", "17:10")
    coup(table, 17)
    assert (table.purse("ana"), table.state.on_cloth) == (90 + 350, 10)
    table.act(commands.WithdrawStake(by="ana", id="s1"))
    assert (table.purse("ana"), table.state.on_cloth) == (100 + 350, 0)


def check_not_on_the_cloth(house: str, name: str) -> Articles:
    """A spot that the house does not have is refused; returns the articles cited."""
    table = opened(house, {"ana": 100})
    refusal = refused(table, place("ana", f"{name}:10"))
    assert refusal.why in {RefusalReason.NO_SUCH_SPOT, RefusalReason.SPOT_NOT_ON_THIS_CLOTH}
    assert table.purse("ana") == 100
    return refusal.articles


def check_not_announced(house: str, call: str, articles: Articles) -> None:
    """A call that the house does not take is refused."""
    table = opened(house, {"ana": 200})
    wish = commands.Announce(by="ana", id="a", player="ana", call=call, amount=180)
    check_refusal(table, wish, RefusalReason.ANNOUNCEMENT_NOT_TAKEN, articles)


def check_edges(house: str, *, of_multiples: Fraction, **more: Fraction) -> None:
    """The house keeps this part of each spot; `more` names classes with a figure of their own."""
    book = load(house)
    pockets = len(book.wheel.pockets)
    for each in book.terms:
        if each.kind is SpotClass.SIMPLE and "simple" not in more:
            continue
        amount = 2 * pockets
        returned = sum(
            settle_line(house, out, f"{each.name}:{amount}").hand for out in book.wheel.pockets
        )
        expected = more.get(each.kind.value, of_multiples)
        assert 1 - Fraction(returned, pockets * amount) == expected, each


# The maxima ---------------------------------------------------------------------------------------


def of_minimum(house: str, minimum: int, players: dict[str, int], **more: Any) -> Table:
    """A table of a house with the placard of that minimum."""
    return opened(house, players, limits=placard(load(house), minimum), **more)


def check_maximum(house: str, minimum: int, on: str, times: int) -> None:
    """The maximum of a spot is so many minima."""
    most = times * minimum
    table = of_minimum(house, minimum, {"ana": 10_000})
    assert refused(table, place("ana", f"{on}:{most + 1}")).why is RefusalReason.EXCEEDS_MAXIMUM
    table.stake("ana", f"{on}:{most}")
    assert refused(table, place("ana", f"{on}:1")).why is RefusalReason.EXCEEDS_MAXIMUM


# The staff ----------------------------------------------------------------------------------------


def check_the_chief_touches_no_chip(house: str, articles: Articles) -> None:
    """The chief neither sells, places, collects nor pays."""
    table = opened(house, {"ana": 100})
    sale = commands.BuyChips(by="chief-1", player="ana", amount=10)
    for command in (sale, place("ana", "17:5", by="chief-1")):
        check_refusal(table, command, RefusalReason.NOT_OF_THIS_POST, articles)
    table.stake("ana", "17:5 20:5")
    table.pocket(17)
    table.call()
    collect = commands.CollectLosers(by="chief-1")
    check_refusal(table, collect, RefusalReason.NOT_OF_THIS_POST, articles)
    table.collect()
    pay = commands.PayWinners(by="chief-1")
    check_refusal(table, pay, RefusalReason.NOT_OF_THIS_POST, articles)


# Zero and the prison ------------------------------------------------------------------------------


def choose(table: Table, id: str, choice: Choice, *, by: str = "ana") -> Line:
    """Choose after zero, and return what became of the stake."""
    table.act(commands.ChooseAfterZero(by=by, id=id, choice=choice))
    return table.last(events.ChoiceMade).line


def in_prison(
    house: str, amount: int, zeros: int, *, on: str = "red", minimum: int | None = None
) -> Table:
    """A table with a stake `s1` that has met some zeros; at the last the choice is still open."""
    limits = {} if minimum is None else {"simple": {"min": minimum}}
    table = opened(house, {"ana": 1000}, limits=limits)
    table.stake("ana", f"{on}:{amount}")
    for _ in range(zeros):
        coup(table, 0)
    return table


def check_zero_touches_the_simple_chances_alone(house: str, *, lost: int, held: int) -> None:
    """At zero the numbers win or lose as ever; ten on red are lost and held in this part."""
    lines = settled(house, 0, "d1:10 c1:10 d1+d2:10 17:10 0:10 0/1/2/3:10 red:10").lines
    fates = {line.stake.spot.name: (line.won, line.lost, line.held) for line in lines}
    assert fates == {
        "d1": (0, 10, 0),
        "c1": (0, 10, 0),
        "d1+d2": (0, 10, 0),
        "17": (0, 10, 0),
        "0": (350, 0, 0),
        "0/1/2/3": (80, 0, 0),
        "red": (0, lost, held),
    }


def check_prison_is_chosen_by_silence(house: str, out: int, *, returned: int, lost: int) -> None:
    """A player who does not choose until the close has chosen prison."""
    table = in_prison(house, 100, 1)
    table.close()
    late = commands.ChooseAfterZero(by="ana", id="s1", choice=Choice.HALF)
    assert refused(table, late).why is RefusalReason.NO_CHOICE_PENDING
    sums = coup(table, out).of("ana")
    assert (sums.returned, sums.lost) == (returned, lost)


def check_what_each_choice_gives_the_house(house: str) -> None:
    """Half at once 1/74, half at the second zero 75/5476, always prison 1/73."""
    # A unit in prison is worth what its next spin brings; with so fine a stake no unit is odd.
    unit = 2**20
    brought, left = 0, 0
    for out in range(37):
        prisoner = Prisoner("s1", "ana", spot("red"), unit)
        (line,) = settled(house, out, prison=[prisoner]).lines
        brought += line.returned
        left += line.held
    always = Fraction(brought, 37 * unit) / (1 - Fraction(left, 37 * unit))
    at_the_second = (Fraction(brought, 37) + Fraction(left // 2, 37)) / unit
    assert (always, at_the_second) == (Fraction(36, 73), Fraction(73, 148))
    back = sum(settle_line(house, out, f"red:{unit}").hand for out in range(1, 37))

    def edge(worth_in_prison: Fraction) -> Fraction:
        return 1 - (Fraction(back, unit) + worth_in_prison) / 37

    assert edge(Fraction(1, 2)) == Fraction(1, 74)
    assert edge(always) == Fraction(1, 73)
    assert edge(at_the_second) == Fraction(75, 5476)
