"""F7: the odds shown are the odds played.

Every bet that a house takes is laid at a table of that house, each by a player of its own, and
every pocket is played from there to the last payment. What a zero puts in prison is followed, zero
after zero, until another zero changes nothing more: from there on the law is a geometric series,
and exact. What is counted is what the players own in the end, and nothing of the odds' own code.
"""

from __future__ import annotations

import asyncio
import copy
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import pytest

from novamas.cli.main import main
from novamas.game import announcements
from novamas.game.cloth import SpotClass
from novamas.game.rulebook.behaviours import Act, ZeroRule
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import NUMBERS, Pocket, Wheel
from novamas.house.clock import ManualClock
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.table.events import BallMode
from novamas.house.views.event_view import Audience
from novamas.odds.one_coup import Odds, odds_of
from novamas.rulebooks import HOUSES, load
from novamas.table import commands
from novamas.table.commands import Choice, Command
from novamas.table.decide import act
from novamas.table.refusals import Refusal
from novamas.table.state import Phase, Setup, State
from tests.promises.figures import record
from tests.promises.staff import Staff
from tests.prompt import PromptHouse

PURSE = 10**6
AMOUNTS = (5, 7, 10)
"""Of each simple chance: no house sends five pieces back, and each halves until one is left."""
POLICIES = ("prison", "half", "prison,half", "prison,prison,half")
"""What is chosen at the first zero, at the second and so on, where the house gives a choice."""


def wheel_of(house: str) -> Wheel:
    """The wheel of a house."""
    return load(house).wheel.pockets


class Bet(NamedTuple):
    """A bet of one player."""

    on: str
    amount: int
    called: bool = False

    @property
    def layout(self) -> str:
        return f"{self.on}:{self.amount}"


class Law(NamedTuple):
    """What a bet came to at the table."""

    outcomes: Mapping[int, Fraction]
    coups: Fraction

    @property
    def expectation(self) -> Fraction:
        return sum((net * chance for net, chance in self.outcomes.items()), Fraction(0))


def opening(house: str, staff: Staff) -> list[Command]:
    """The staff takes its posts, inspects the table where the house wants it, and opens."""
    *posts, opens = [
        each for each in staff.opening() if not isinstance(each, commands.InspectTable)
    ]
    if load(house).wheel.inspected:
        posts.append(commands.InspectTable(by=staff.who(Act.INSPECT_TABLE)))
    return [*posts, opens]


class Dealt:
    """A table of a house, where each player lays one bet; the players are called by number."""

    def __init__(self, house: str, bets: Sequence[Bet]) -> None:
        self.staff = Staff(house)
        self.players = [f"p{place}" for place in range(len(bets))]
        book = load(house)
        usual = Setup.usual(book)
        # A colour for everybody: they sit at one table so that the pockets are played once.
        colours = max(len(self.players), book.chips.colours or 0)
        setup = Setup(winning=usual.winning, limits_kept=usual.limits_kept, colours=colours)
        self.state = State.fresh(book, setup)
        self.give(*opening(house, self.staff))
        for player, bet in zip(self.players, bets, strict=True):
            sit, bought = self.staff.seats(player, PURSE)
            if book.chips.one_player_per_value:
                # On the numbers, value chips of one denomination have one player at a time.
                bought = commands.BuyChips(by=bought.by, player=player, amount=PURSE)
            self.give(sit, bought)
            on, amount = bet.on, bet.amount
            self.give(
                commands.Announce(by=player, id=player, player=player, call=on, amount=amount)
                if bet.called
                else commands.PlaceStake(by=player, id=player, player=player, on=on, amount=amount)
            )

    def give(self, *given: Command) -> None:
        for command in given:
            decision = act(self.state, command)
            assert not isinstance(decision, Refusal), (command, decision)

    def then(self, number: Pocket, policy: Sequence[Choice] = (), zeros: int = 0) -> Dealt:
        """The table after one more coup; this one stays as it is."""
        later = copy.copy(self)
        # What never changes is not copied: a copy of all of it took most of the time.
        frozen = (self.state.book, self.state.setup, *self.state.stakes.values())
        later.state = copy.deepcopy(self.state, {id(each): each for each in frozen})
        pocket = commands.PocketBall(by=later.staff.who(Act.POCKET_BALL), number=number)
        ending = later.staff.finish()
        later.give(*later.staff.close(), pocket)
        for step, phase in zip(ending, (None, Phase.COLLECTING, Phase.PAYING), strict=True):
            if phase in (None, later.state.phase):
                later.give(step)
        assert later.state.phase in (Phase.BETTING, Phase.CHOOSING)
        later._choose(policy, zeros)
        return later

    def _choose(self, policy: Sequence[Choice], zeros: int) -> None:
        for held in [each for each in self.state.prison.values() if each.pending]:
            wanted = policy[min(zeros, len(policy) - 1)]
            refused = act(
                self.state, commands.ChooseAfterZero(by=held.player, id=held.id, choice=wanted)
            )
            if isinstance(refused, Refusal):
                # A half that may not be taken stays where it is.
                assert wanted is Choice.HALF
                stays = Choice.PRISON
                self.give(commands.ChooseAfterZero(by=held.player, id=held.id, choice=stays))

    def held(self) -> list[int]:
        """What of each player is in prison."""
        found = dict.fromkeys(self.players, 0)
        for each in self.state.prison.values():
            found[each.player] += each.amount
        return list(found.values())

    def nets(self) -> list[int]:
        """What each player has gained: what is in the purse, on the cloth and in prison."""
        worth = {name: self.state.players[name].purse - PURSE for name in self.players}
        lying: list[Stake | Prisoner] = [*self.state.stakes.values(), *self.state.prison.values()]
        for each in lying:
            worth[each.player] += each.amount
        return list(worth.values())


def played(house: str, bets: Sequence[Bet], policy: str = "prison") -> tuple[list[Law], int]:
    """The law of each bet by playing all pockets at tables, and how many coups that took.

    As many players sit at a table as the house has seats for.
    """
    seats = load(house).seats
    room = len(bets) if seats is None else seats.at_most
    tables = [
        played_at_one(house, bets[first : first + room], policy)
        for first in range(0, len(bets), room)
    ]
    return [law for laws, _ in tables for law in laws], sum(coups for _, coups in tables)


def played_at_one(house: str, bets: Sequence[Bet], policy: str) -> tuple[list[Law], int]:
    """The law of each bet by playing all pockets at one table, and how many coups that took."""
    chosen = [Choice(word) for word in policy.split(",")]
    table = Dealt(house, bets)
    wheel = wheel_of(house)
    # The chance of one pocket, and that of a zero.
    once, zero_once = Fraction(1, len(wheel)), Fraction(len(wheel.zeros), len(wheel))
    coups, zeros, weight = 0, 0, once
    in_play = set(range(len(bets)))
    outcomes: list[dict[int, Fraction]] = [defaultdict(Fraction) for _ in bets]
    lasted = [Fraction(0) for _ in bets]
    while in_play:
        others = [table.then(number, chosen, zeros) for number in NUMBERS]
        each_zero = [table.then(number, chosen, zeros) for number in wheel.zeros]
        coups += len(wheel)
        assert not any(any(each.held()) for each in others), "only a zero holds anything"
        zero = each_zero[0]
        assert all(each.held() == zero.held() for each in each_zero), "every zero holds the same"
        by_zero = [each.nets() for each in each_zero]
        nets, before, after = [each.nets() for each in others], table.held(), zero.held()
        for place in tuple(in_play):
            # Beyond the last choice that differs, a zero that changed nothing changes nothing.
            steady = zeros > len(chosen) and before[place] == after[place] > 0
            share = weight / (1 - zero_once) if steady else weight
            for each in nets:
                outcomes[place][each[place]] += share
            lasted[place] += share * len(wheel)
            if not after[place]:
                for each in by_zero:
                    outcomes[place][each[place]] += weight
            if steady or not after[place]:
                in_play.discard(place)
        table, zeros, weight = zero, zeros + 1, weight * zero_once
    return [Law(dict(o), n) for o, n in zip(outcomes, lasted, strict=True)], coups


def assert_same(shown: Odds, law: Law) -> None:
    """What is shown is what was played, fraction by fraction."""
    where = (shown.house, shown.layout)
    assert sum(law.outcomes.values()) == 1, where
    assert shown.outcomes == law.outcomes, where
    assert shown.unlisted == 0, where
    assert shown.expectation == law.expectation, where
    assert shown.edge == -law.expectation / shown.stake, where
    assert shown.coups == law.coups, where


def bets_of(house: str) -> tuple[list[Bet], list[Bet]]:
    """Every bet that the house takes: those that each pocket decides, and the simple chances."""
    book = load(house)
    decided = [
        Bet(spot.name, 10 + place)
        for place, spot in enumerate(book.terms)
        if spot.kind is not SpotClass.SIMPLE
    ]
    for name in announcements.names(book):
        call = announcements.call_of(book, name)
        assert call is not None
        decided.append(Bet(name, 5 * len(call.pieces), called=True))
    chances = [spot.name for spot in book.terms if spot.kind is SpotClass.SIMPLE]
    return decided, [Bet(name, amount) for name in chances for amount in AMOUNTS]


@pytest.mark.slow
@pytest.mark.parametrize("house", HOUSES)
def test_f7_every_bet_is_shown_as_it_is_played(house: str) -> None:
    book = load(house)
    decided, chances = bets_of(house)
    spots = {bet.on for bet in (*decided, *chances) if not bet.called}
    assert spots == {spot.name for spot in book.terms}
    apart = {SpotClass.STRADDLE, SpotClass.FIVE}
    assert set(SpotClass) - {book.terms[s].spot.kind for s in book.terms} <= apart
    laws, coups = played(house, decided)
    for bet, law in zip(decided, laws, strict=True):
        assert law.coups == 1, bet
        assert_same(odds_of(book, bet.layout), law)
    policies = POLICIES if book.zero.simple is ZeroRule.CHOICE else POLICIES[:1]
    for policy in policies:
        laws, more = played(house, chances, policy)
        coups += more
        for bet, law in zip(chances, laws, strict=True):
            assert_same(odds_of(book, bet.layout, choice=policy), law)
    record(
        "F7",
        f"the exact law of every bet of {house} against all pockets played at its table",
        spots=len(spots),
        announcements=sum(bet.called for bet in decided),
        coups_played=coups,
        ways_to_play_on_after_zero=len(policies),
        laws_that_differ=0,
    )


async def offered_after_zero(house: str, bet: Bet) -> list[str]:
    """What the room tells a player that a stake in prison is worth, once zero has come."""
    staff, open_house = Staff(house), PromptHouse(MemoryStore(), clock=ManualClock())
    await open_house.open()
    try:
        table = await open_house.set_up("t", house, Setup(), ball=BallMode.WHEEL)
        stake = commands.PlaceStake(by="p", id="s", player="p", on=bet.on, amount=bet.amount)
        steps = [*opening(house, staff), *staff.seats("p", PURSE), stake, *staff.coup(0)]
        for number, command in enumerate(steps):
            answer = await table.submit(f"c{number}", command)
            # Where all of it is in prison nothing is collected and nobody paid.
            assert answer.refusal is None or command in steps[-2:], (command, answer.refusal)
        shown = await table.look(audience=Audience.PUBLIC, player="p")
        return [each.offer.worth for each in shown.prison if each.offer is not None]
    finally:
        await open_house.close()


@pytest.mark.parametrize("house", HOUSES)
def test_f7_the_command_and_the_room_tell_what_is_played(
    house: str, capsys: pytest.CaptureFixture[str]
) -> None:
    book, bet, policy = load(house), Bet("red", 10), "prison,half"
    (law,), _ = played(house, [bet], policy)
    assert main(["odds", house, bet.layout, "--choice", policy, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["odds"]
    assert told == odds_of(book, bet.layout, choice=policy).as_data()
    assert Fraction(told["edge"]) == -law.expectation / bet.amount
    # Whoever leaves a stake in prison and takes the half at the next zero has this of it.
    table = Dealt(house, [bet])
    otherwise = sum(table.then(number).nets()[0] for number in NUMBERS)
    zeros = len(wheel_of(house).zeros)
    worth = bet.amount + (len(wheel_of(house)) * law.expectation - otherwise) / zeros
    offered = asyncio.run(offered_after_zero(house, bet))
    assert offered == [str(worth)] * (book.zero.simple is ZeroRule.CHOICE)
