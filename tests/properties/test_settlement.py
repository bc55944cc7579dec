"""Whatever lies on the cloth, a settlement loses no unit, invents none, and is fair."""

from collections import defaultdict
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from fractions import Fraction
from math import ceil
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from novamas.game.announcements import names
from novamas.game.cloth import SIMPLE_CHANCES, SPOTS, Spot, SpotClass, spot
from novamas.game.limits import NO_LIMITS, Limits
from novamas.game.lines import Line, Settlement
from novamas.game.reduction import parts_of
from novamas.game.rulebook.behaviours import ChipKind, LateExcess, Winning
from novamas.game.rulebook.model import Rulebook
from novamas.game.settlement import settle
from novamas.game.stakes import Prisoner, Stake
from novamas.game.wheel import Pocket
from novamas.rulebooks import HOUSES, load
from tests.properties.laid import (
    PLAYERS,
    Laid,
    coups,
    holding,
    limits,
    pieces,
    pockets_of,
)


class Sums(NamedTuple):
    """What a coup did to someone's money, wherever it now lies."""

    won: int
    lost: int
    hand: int
    held: int
    stays: int
    aside: int


def sums(lines: Iterable[Line]) -> dict[str, Sums]:
    """The sums of each player."""
    found: dict[str, list[int]] = defaultdict(lambda: [0] * len(Sums._fields))
    for line in lines:
        for place, name in enumerate(Sums._fields):
            found[line.stake.player][place] += getattr(line, name)
    return {player: Sums(*each) for player, each in found.items()}


def positions(coup: Laid) -> dict[tuple[str, Spot], list[Stake]]:
    """The stakes that count together against a maximum."""
    found: dict[tuple[str, Spot], list[Stake]] = defaultdict(list)
    for stake in coup.stakes:
        found[stake.whose, stake.spot].append(stake)
    return found


def passes(coup: Laid, where: Spot, there: Iterable[Stake]) -> bool:
    """Whether the stakes of a position are above the maximum of its spot."""
    most = coup.limits.maximum(coup.book.terms[where])
    return most is not None and sum(stake.amount for stake in there) > most


def plays_whole(book: Rulebook, where: Spot) -> bool:
    """Whether an excess that nobody noticed plays, as if there were no maximum."""
    assert book.excess is not None
    late = book.excess.multiples if where.kind.on_numbers else book.excess.chances
    return late is LateExcess.WHOLE


def over_maximum(coup: Laid) -> dict[tuple[str, Spot], int]:
    """By how much each position passes its maximum, where the house has articles on that.

    A house in which the whole stake plays cuts nothing.
    """
    if coup.book.excess is None:
        return {}
    found = {}
    for (whose, where), there in positions(coup).items():
        if plays_whole(coup.book, where):
            continue
        most = coup.limits.maximum(coup.book.terms[where])
        total = sum(stake.amount for stake in there)
        if most is not None and total > most:
            found[whose, where] = total - most
    return found


def by_id(settlement: Settlement) -> dict[str, Line]:
    return {line.stake.id: line for line in settlement.lines}


def fair(where: Spot, pocket: Pocket) -> Fraction:
    """What a winning unit is paid on a wheel that had no zero: 36 shared by the numbers covered.

    A straddle of halves is not asked: its halves are. Five numbers are paid six to one, a fifth of
    a unit short of their share (FRAM-55-2.e).
    """
    assert pocket in where.numbers
    if where.kind is SpotClass.FIVE:
        return Fraction(6)
    return Fraction(36, len(where.numbers)) - 1


def fair_win(coup: Laid, where: Spot, amount: int) -> int:
    """What an amount wins on a spot, told without the book's payments."""
    if coup.pocket not in where.numbers:
        return 0
    if coup.book.terms[where].halves:
        boxes = [SPOTS[name] for name in where.boxes]
        box = next(each for each in boxes if coup.pocket in each.numbers)
        # The winning half and its gain are made whole together.
        half = Fraction(amount, 2)
        return ceil(half * (fair(box, coup.pocket) + 1)) - ceil(half)
    return ceil(amount * fair(where, coup.pocket))


# Every unit is accounted for ----------------------------------------------------------------------


@given(coups())
def test_every_stake_and_every_prisoner_has_one_line(coup: Laid) -> None:
    settled = [line.stake.id for line in coup.settle().lines]
    laid = [stake.id for stake in coup.stakes] + [prisoner.id for prisoner in coup.prison]
    assert sorted(settled) == sorted(laid)


@given(coups())
def test_a_line_accounts_for_every_unit(coup: Laid) -> None:
    for line in coup.settle().lines:
        rides = line.won and line.stays + line.aside > line.stake.amount
        event(f"winnings {'ride or wait' if rides else 'go to the hand'}")
        paid_out = 0 if rides else line.won
        assert line.hand == line.returned + paid_out
        gone = (line.lost, line.hand, line.held, line.stays, line.reduced, line.aside)
        assert line.stake.amount + line.won == sum(gone)
        assert min(line.won, *gone) >= 0
        assert line.returned >= 0
        if rides:
            assert isinstance(line.stake, Stake)
            assert line.stake.away
            assert coup.book.absence.to_custody


@given(coups())
def test_the_bank_gains_what_the_players_lose(coup: Laid) -> None:
    settlement = coup.settle()
    before = sum(stake.amount for stake in coup.stakes)
    before += sum(prisoner.amount for prisoner in coup.prison)
    after = sum(x.hand + x.held + x.stays + x.reduced + x.aside for x in settlement.lines)
    assert settlement.bank == before - after


@given(coups())
def test_every_line_cites_articles_of_its_own_book(coup: Laid) -> None:
    for line in coup.settle().lines:
        assert line.articles
        assert len(set(line.articles)) == len(line.articles)
        assert set(line.articles) <= coup.book.articles.keys()


@given(coups())
def test_the_parts_of_a_line_are_what_played_and_what_was_won(coup: Laid) -> None:
    for line in coup.settle().lines:
        if line.won:
            parts = parts_of(line)
            assert sum(part.won for part in parts) == line.won
            assert all(part.amount >= 0 for part in parts)
            assert sum(part.amount for part in parts) + line.lost <= line.stake.amount


# Pure and deterministic ---------------------------------------------------------------------------


@given(coups())
def test_settling_changes_nothing_and_always_says_the_same(coup: Laid) -> None:
    kept = deepcopy((coup.stakes, coup.prison, dict(coup.limits.by_class)))
    first = coup.settle()
    assert coup.settle() == first
    assert (coup.stakes, coup.prison, dict(coup.limits.by_class)) == kept
    fresh = settle(
        coup.book,
        coup.pocket,
        iter(list(coup.stakes)),
        prison=iter(coup.prison),
        limits=Limits.of(coup.limits.as_data()),
        winning=coup.winning,
        last=coup.last,
    )
    assert fresh == first


@given(coups(odd=False, proxies=False), st.randoms(use_true_random=False))
def test_the_order_of_the_stakes_changes_no_players_money(coup: Laid, random: Random) -> None:
    # Whose owner is away, what is of unclear value, and chips of another table have a fate of their
    # own when they are cut, so all are alike here.
    same = tuple(
        replace(each, away=False, waited=None, unclear=False)
        for each in coup.stakes
        if each.kind is not ChipKind.FOREIGN
    )
    coup = replace(coup, stakes=same)
    mixed = list(same)
    random.shuffle(mixed)
    event("mixed" if tuple(mixed) != same else "as it was")
    other = replace(coup, stakes=tuple(mixed))
    assert sums(other.settle().lines) == sums(coup.settle().lines)


@given(coups(odd=False), st.randoms(use_true_random=False))
def test_only_a_later_stake_that_is_cut_may_gain_by_another_order(
    coup: Laid, random: Random
) -> None:
    cut = [at for at, sum_of in positions(coup).items() if passes(coup, at[1], sum_of)]
    together = {id for where in cut for id in (s.id for s in positions(coup)[where])}
    mixed = list(coup.stakes)
    random.shuffle(mixed)
    one, other = coup.settle(), replace(coup, stakes=tuple(mixed)).settle()
    # A partage pairs the odd chips of one player on a chance: their sum counts, not the stake.
    here, there = by_id(one), by_id(other)
    zero = coup.pocket == 0
    for stake in coup.stakes:
        if stake.id in together or (zero and stake.spot.kind is SpotClass.SIMPLE):
            continue
        riding = stake.away and coup.book.absence.to_custody
        assert here[stake.id].won == there[stake.id].won
        assert here[stake.id].lost == there[stake.id].lost
        if not riding:
            assert here[stake.id]._replace(freed=0) == there[stake.id]._replace(freed=0)
            # Which of the player's chips on a spot the reduction frees is nobody's business.
            at = stake.player, stake.spot
            freed = [
                sum(lines[s.id].freed for s in coup.stakes if (s.player, s.spot) == at)
                for lines in (here, there)
            ]
            assert freed[0] == freed[1]


# Fair odds ----------------------------------------------------------------------------------------


@given(coups())
def test_within_the_maxima_a_winner_is_paid_the_fair_odds(coup: Laid) -> None:
    coup = replace(coup, limits=NO_LIMITS)
    for line in coup.settle().lines:
        if isinstance(line.stake, Prisoner):
            assert line.won == 0
        else:
            assert line.won == fair_win(coup, line.stake.spot, line.stake.amount)


@given(coups())
def test_who_does_not_win_and_did_not_meet_zero_loses_all(coup: Laid) -> None:
    for line in replace(coup, limits=NO_LIMITS).settle().lines:
        simple_at_zero = coup.pocket == 0 and line.stake.spot.kind is SpotClass.SIMPLE
        if coup.pocket not in line.stake.spot.numbers and not simple_at_zero:
            assert line.lost == line.stake.amount
            assert line.hand == line.held == line.stays == line.aside == 0


@given(coups())
def test_a_winner_loses_nothing_but_the_losing_half_of_a_straddle(coup: Laid) -> None:
    for line in coup.settle().lines:
        if coup.pocket not in line.stake.spot.numbers:
            continue
        if coup.book.terms[line.stake.spot].halves:
            assert line.lost <= line.stake.amount // 2
        else:
            assert line.lost == 0


@given(coups(absences=False))
def test_a_winning_stake_goes_where_the_table_says(coup: Laid) -> None:
    for line in coup.settle().lines:
        if isinstance(line.stake, Prisoner) or not line.won:
            assert line.stays == 0
        elif coup.winning is Winning.HAND:
            assert line.stays == line.aside == 0
        assert line.aside == 0
        assert line.stays <= line.stake.amount


# Announcements ------------------------------------------------------------------------------------


@given(coups())
def test_an_announcement_is_settled_as_its_stakes_laid_singly(coup: Laid) -> None:
    singly = tuple(replace(stake, call=None, announcement=None) for stake in coup.stakes)
    called, single = by_id(coup.settle()), by_id(replace(coup, stakes=singly).settle())
    for stake in coup.stakes:
        assert called[stake.id][1:7] == single[stake.id][1:7]
        if stake.call is None:
            assert called[stake.id].articles == single[stake.id].articles


@pytest.mark.parametrize("house", HOUSES)
@given(st.integers(1, 20), st.data())
def test_an_announcement_wins_the_sum_of_what_its_pieces_win(
    house: str, piece: int, data: st.DataObject
) -> None:
    book = load(house)
    pocket = data.draw(pockets_of(book))
    calls = names(book)
    if not calls:
        assert not book.announcements.calls
        return
    call = data.draw(st.sampled_from(calls))
    laid = pieces(book, call, id="a", player="ana", piece=piece)
    settlement = settle(book, pocket, laid)
    assert sum(line.won for line in settlement.lines) == sum(
        settle(book, pocket, [stake]).lines[0].won for stake in laid
    )
    # Every number that an announcement covers pays the same share of 36, whatever its pieces.
    won = [stake for stake in laid if pocket in stake.spot.numbers]
    back = sum(stake.amount * Fraction(36, len(stake.spot.numbers)) for stake in won)
    assert sum(line.hand for line in settlement.lines) == back


# Excess -------------------------------------------------------------------------------------------


@given(coups())
def test_no_winner_is_paid_for_more_than_the_maximum_of_its_spot(coup: Laid) -> None:
    if coup.book.excess is None:
        return
    settled = by_id(coup.settle())
    for (_, where), there in positions(coup).items():
        if plays_whole(coup.book, where):
            continue
        most = coup.limits.maximum(coup.book.terms[where])
        if most is None or coup.pocket not in where.numbers:
            continue
        plays = [parts_of(settled[stake.id])[0].amount for stake in there if settled[stake.id].won]
        halves = 2 if coup.book.terms[where].halves else 1
        # The odd unit of a half is the player's, stake by stake.
        assert sum(plays) <= ceil(Fraction(most, halves)) + len(there) * (halves - 1)


@given(coups(odd=False, unit=2, absences=False))
def test_a_capped_winner_is_paid_the_maximum_and_the_rest_goes_back(coup: Laid) -> None:
    settled = by_id(coup.settle())
    rules = coup.book.excess
    for (whose, where), excess in over_maximum(coup).items():
        cascades = where.kind.on_numbers and rules is not None and rules.cascade
        if coup.pocket not in where.numbers or cascades:
            continue
        event("capped")
        lines = [settled[stake.id] for stake in positions(coup)[whose, where]]
        most = coup.limits.maximum(coup.book.terms[where])
        assert most is not None
        assert sum(line.won for line in lines) == fair_win(coup, where, most)
        assert sum(line.hand - line.won for line in lines) >= excess
        lost = most // 2 if coup.book.terms[where].halves else 0
        assert sum(line.lost for line in lines) == lost


@given(coups())
def test_a_loser_over_the_maximum_gets_back_only_what_was_of_unclear_value(coup: Laid) -> None:
    settled = by_id(coup.settle())
    rules = coup.book.excess
    for (whose, where), excess in over_maximum(coup).items():
        met_zero = coup.pocket == 0 and where.kind is SpotClass.SIMPLE
        if coup.pocket in where.numbers or (met_zero and coup.book.zero.again is not None):
            continue
        there = positions(coup)[whose, where]
        unclear = sum(stake.amount for stake in there if stake.unclear)
        assert rules is not None
        back = min(excess, unclear) if rules.unclear_plays_maximum else 0
        lines = [settled[stake.id] for stake in there]
        event("unclear" if back else "clear")
        assert sum(line.hand for line in lines) == back
        assert sum(line.lost for line in lines) == sum(s.amount for s in there) - back


def goes_down(book: Rulebook) -> bool:
    """Whether the house lets an excess play on at lower classes."""
    return book.excess is not None and bool(book.excess.cascade)


@st.composite
def cascades(draw: st.DrawFn) -> Laid:
    """Stakes on the numbers, many of them over low maxima, where the excess goes down."""
    book = load(draw(st.sampled_from([house for house in HOUSES if goes_down(load(house))])))
    pocket = draw(pockets_of(book))
    numbers = [each for each in holding(book, pocket) if each.kind.on_numbers]
    found = [
        Stake(
            id=f"b{n}",
            player=draw(st.sampled_from(PLAYERS[:2])),
            spot=draw(st.sampled_from(numbers)),
            amount=draw(st.integers(1, 300)),
            unclear=draw(st.sampled_from((False, False, False, True))),
        )
        for n in range(draw(st.integers(1, 6)))
    ]
    return Laid(book, pocket, tuple(found), limits=draw(limits()))


@pytest.mark.rule("AR-14.b", "AR-14.c", "AR-14.d", "AMB-AR-07", "AMB-AR-08", "AMB-AR-09")
@given(cascades())
def test_a_cascade_fills_each_class_to_its_maximum_and_no_further(coup: Laid) -> None:
    rules = coup.book.excess
    assert rules is not None
    settled = by_id(coup.settle())
    for player in PLAYERS[:2]:
        own = [stake for stake in coup.stakes if stake.player == player]
        lines = [settled[stake.id] for stake in own]
        came_down: dict[SpotClass, int] = defaultdict(int)
        from_class: dict[SpotClass, int] = defaultdict(int)
        for line in lines:
            played = parts_of(line)
            assert line.won == sum(
                ceil(part.amount * fair(spot_of(part.kind, coup), coup.pocket))
                for part in played
                if part.amount
            )
            for part in played[1:]:
                # What goes down never goes up, nor to a class that does not hold the number.
                assert rules.cascade.index(part.kind) > rules.cascade.index(line.stake.spot.kind)
                came_down[part.kind] += part.amount
            from_class[line.stake.spot.kind] += returned_of_excess(line)
        event(f"went down to {len(came_down)} classes")
        for kind, amount in came_down.items():
            most = coup.limits[kind].maximum
            there = sum(stake.amount for stake in own if stake.spot.kind is kind)
            assert most is None or there + amount <= most
        for kind, amount in from_class.items():
            if amount:
                assert all(is_full(coup, own, came_down, below) for below in lower(coup, kind))


def spot_of(kind: SpotClass, coup: Laid) -> Spot:
    """Any spot of the class that holds the number."""
    return next(s for s in coup.book.terms if s.kind is kind and coup.pocket in s.numbers)


def lower(coup: Laid, kind: SpotClass) -> list[SpotClass]:
    """The classes below one that can hold the number."""
    assert coup.book.excess is not None
    order = coup.book.excess.cascade
    below = order[order.index(kind) + 1 :]
    return [
        k for k in below if any(s.kind is k and coup.pocket in s.numbers for s in coup.book.terms)
    ]


def is_full(coup: Laid, own: list[Stake], came_down: dict[SpotClass, int], kind: SpotClass) -> bool:
    most = coup.limits[kind].maximum
    there = sum(stake.amount for stake in own if stake.spot.kind is kind)
    return most is not None and there + came_down[kind] >= most


def returned_of_excess(line: Line) -> int:
    """What of a clear stake found no room below: it came back without playing."""
    if isinstance(line.stake, Stake) and line.stake.unclear:
        return 0
    return line.stake.amount - sum(part.amount for part in parts_of(line))


@given(coups())
def test_what_rides_for_an_absent_player_never_passes_the_maximum(coup: Laid) -> None:
    """AMB-IT-10: what would ride past the maximum is set aside at once.

    Where a stake above the maximum plays whole (SD-G.4), as much as was accepted may stay.
    """
    settled = by_id(coup.settle())
    for (whose, where), there in positions(coup).items():
        most = coup.limits.maximum(coup.book.terms[where])
        stays = sum(settled[stake.id].stays for stake in there)
        excess = coup.book.excess
        if most is not None and excess is not None:
            late = excess.multiples if where.kind.on_numbers else excess.chances
            accepted = sum(stake.amount for stake in there) if late is LateExcess.WHOLE else 0
            event(f"bounded, {late}")
            assert stays <= max(most, accepted, 0), whose


# Zero and prison ----------------------------------------------------------------------------------


@st.composite
def partages(draw: st.DrawFn) -> tuple[list[Stake], int]:
    """Chips of one player on one chance of a house that divides them, in several stakes."""
    chip = draw(st.sampled_from((1, 2, 5)))
    where = spot(draw(st.sampled_from(SIMPLE_CHANCES)))
    counts = draw(st.lists(st.integers(1, 30), min_size=1, max_size=5))
    laid = [Stake(f"b{n}", "ana", where, count * chip, chip=chip) for n, count in enumerate(counts)]
    return laid, chip


@pytest.mark.rule("IT-gioco-14", "IT-gioco-15a", "AMB-IT-02")
@given(partages())
def test_a_partage_divides_the_chips_and_imprisons_the_odd_one(
    drawn: tuple[list[Stake], int],
) -> None:
    laid, chip = drawn
    found = sums(settle(load("it"), 0, laid).lines)["ana"]
    count = sum(stake.amount for stake in laid) // chip
    assert found.won == 0
    assert found.hand == found.lost == count // 2 * chip
    assert found.held == count % 2 * chip


@pytest.mark.rule("AMB-IT-02", "X-03")
@given(st.integers(1, 10), st.lists(st.integers(1, 200), min_size=1, max_size=4))
def test_of_a_partage_what_is_less_than_a_chip_goes_back(chip: int, amounts: list[int]) -> None:
    laid = [
        Stake(f"b{n}", "ana", spot("red"), amount, chip=chip, kind=ChipKind.VALUE)
        for n, amount in enumerate(amounts)
    ]
    found = sums(settle(load("it"), 0, laid).lines)["ana"]
    assert found.held in (0, chip)
    assert found.lost % chip == 0
    assert found.hand + found.held + found.lost == sum(amounts)
    loose = sum(amount % chip for amount in amounts)
    assert found.hand == found.lost + loose


@pytest.mark.rule("ES-7.2.b1", "ES-7.2.b2", "ES-7.2.b3", "ES-G.3", "X-03")
@given(st.integers(1, 1000), st.booleans())
def test_where_there_is_a_choice_zero_holds_all_or_on_the_last_coup_half(
    amount: int,
    last: bool,  # noqa: FBT001 - drawn.
) -> None:
    line = settle(load("es"), 0, [Stake("b1", "ana", spot("red"), amount)], last=last).lines[0]
    if last:
        assert (line.returned, line.lost, line.held) == (ceil(amount / 2), amount // 2, 0)
    else:
        assert (line.returned, line.lost, line.held) == (0, 0, amount)


@given(coups())
def test_a_prisoner_is_freed_taken_or_kept_and_never_paid(coup: Laid) -> None:
    for line in coup.settle().lines:
        prisoner = line.stake
        if not isinstance(prisoner, Prisoner):
            continue
        assert line.won == line.stays == line.aside == 0
        if coup.pocket == 0:
            event("zero again")
            kept = prisoner.amount - line.lost
            assert kept == line.held + line.returned
            halves = coup.book.zero.again == "halve"
            forced = halves and coup.last
            share = 4 if forced else 2 if halves else 1
            # Each halving leaves the odd unit to the player.
            assert kept == ceil(Fraction(prisoner.amount, share))
            assert (line.returned == 0) != forced
        elif coup.pocket in prisoner.spot.numbers:
            assert line.returned == prisoner.amount
        else:
            assert line.lost == prisoner.amount


@given(st.integers(1, 500), st.integers(1, 12))
def test_es_g_1_a_prisoner_halves_at_every_zero(amount: int, zeros: int) -> None:
    book = load("es")
    worth = amount
    for met in range(1, zeros + 1):
        line = settle(book, 0, (), prison=[Prisoner("p", "ana", spot("red"), worth, met)]).lines[0]
        worth = line.held
        assert worth == ceil(Fraction(amount, 2**met))


# Articles tell fates apart ------------------------------------------------------------------------


# Amounts are even, as at a live table: one unit alone is halved into itself.
@given(coups(odd=False, unit=2))
def test_stakes_of_one_class_with_different_fates_cite_different_articles(coup: Laid) -> None:
    fates: dict[tuple[SpotClass, type, tuple[str, ...]], set[tuple[bool, ...]]] = defaultdict(set)
    for line in coup.settle().lines:
        fate = (line.won > 0, line.lost > 0, line.held > 0)
        if isinstance(line.stake, Prisoner) and line.stake.amount == 1:
            continue
        if any(fate):
            fates[line.stake.spot.kind, type(line.stake), line.articles].add(fate)
        else:
            # Given back whole, for nothing of it played: no article that pays is cited for it.
            paid_by = coup.book.terms[line.stake.spot].pays_cites
            defined_by = coup.book.terms[line.stake.spot].spot_cites
            assert not ({*paid_by} - {*defined_by}) & {*line.articles}
    for where, found in fates.items():
        assert len(found) == 1, where
