"""The compiled loops: players at a table, coup after coup, by a staking system.

There is one loop, compiled for each system and each number of pockets. The compiler uses the
functions of `novamas.odds.systems` as they are, and the loop looks up what a coup pays in the
tables that the engine wrote. The order of the steps is that of `novamas.odds.player.Game`.

Sixteen players play their coups in step, each with their own numbers. A single player's coup
depends on the one before it; the coups of sixteen players go through the processor together, for
most systems as a few instructions for all. Rare cases (a player is ruined, cannot buy what the
system wants, or has reached a mark) are handled after the coup. When the drawn numbers are used up,
the next player takes the seat of one who has finished; until then that seat plays on without
effect.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import numpy as np
from numba import njit

from novamas.odds import systems
from novamas.odds.systems import SYSTEMS
from novamas.simulation import compiled_systems, payoff_tables, rng
from novamas.simulation import player_arrays as desks
from novamas.simulation.compiled_systems import OWN, begin_at, go_on, wanted_of
from novamas.simulation.kernel_cache import kept_njit
from novamas.simulation.player_arrays import (
    BEFORE,
    BEGINS,
    BEHIND,
    CAME,
    COUP,
    CUT_SHORT,
    DONE,
    DRAWN,
    ENDS,
    FAR,
    FIRST,
    HEAD,
    LAID,
    LATER,
    LOW,
    MARK,
    MOST_STATE,
    NEEDS_LIMITS,
    NEEDS_ROOM,
    NEEDS_ROW,
    NEXT,
    NO_PURSE,
    NOBODY,
    NUMBER,
    PLACE,
    PLAYED,
    PLAYER,
    PLAYING,
    PRISON,
    REFUSE,
    RESTART,
    ROOM,
    RUIN,
    SEATS,
    SECOND,
    SPAN,
    TARGET,
    TIMES,
    TOO_FAR,
    TOO_MUCH,
    UNREADY,
    WANTED,
    WEALTH,
    WRITTEN,
)
from novamas.simulation.rng import AHEAD, begin, draw

SHIFT: Final = 6
"""From the number of a row to its place."""
FEW: Final = 48
"""How many numbers are drawn while a player's play has just begun."""
HALF: Final = np.uint64(65535)
_1, _2, _16, _SEATS = (np.uint64(n) for n in (1, 2, 16, SEATS))


def _stamp() -> int:
    """A hash of the sources of the loops, so that an outdated compiler cache is never used."""
    parts = [
        Path(str(made.__file__)).read_bytes()
        for made in (systems, compiled_systems, rng, desks, payoff_tables)
    ]
    return crc32(b"".join(parts))


@cache
def loop_of(name: str, *, linear: bool, pockets: int) -> Any:
    """The loop of one system on a wheel; `linear` where the first row of the tables is enough.

    It plays until it must return, says why and what it needs, and continues from the arrays.
    """
    own = name in OWN
    keeps_line = (OWN[name] if own else SYSTEMS[name]).keeps_line
    flat = name == "flat"
    stamp = _stamp()

    # The loop allocates nothing, and reference counting would take half the time.
    @(njit if own else kept_njit)(nogil=True, _nrt=False)  # type: ignore[call-overload]
    def loop(  # noqa: PLR0911 - each tells what it needs.
        rows: Any, terms: Any, start: Any, numbers: Any, line: Any, marks: Any, out: Any, desk: Any
    ) -> Any:
        net_of, following, row_of, held_of, pairs, holds, ones, others = rows
        fours, streams, nets, spins = numbers
        seed, coups, bankroll, unit, low, high, most, bound, above, first = terms[:10]
        has_floor, has_top, most_times, follows = terms[10:]
        wealths, durations, turnovers, ends, helds, paths, laids, told = out
        full = len(line) // SEATS - 3
        fresh = start[0]
        if keeps_line and len(start) > 1:
            fresh += start[-1]
        worst, best = 1, 1
        if flat:
            for net in net_of:
                worst, best = max(worst, -net), max(best, net)
        if stamp < 0:  # Never; it is named here so that the compiler's cache goes by it.
            return DONE, 0
        while True:
            # The seats with something left to handle after the coup.
            until = desk[DRAWN]
            for seat in range(SEATS):
                player = desk[PLAYER + seat]
                later = desk[LATER + seat]
                wealth = desk[WEALTH + seat]
                times = desk[TIMES + seat]
                prison = desk[PRISON + seat]
                held = 0
                if not linear and prison != 0 and prison != row_of[desk[LAID + seat]]:
                    # An undecided round counts as laid too.
                    times += desk[LAID + seat]
                    held = held_of[prison]
                played = desk[PLAYED + seat]
                mark = desk[MARK + seat]
                if player != NOBODY:
                    if mark < len(marks) and played == marks[mark]:
                        paths[player, mark] = wealth
                        laids[player, mark] = times
                        mark += 1
                        desk[MARK + seat] = mark
                    if later & ENDS or (played >= coups and (held == 0 or follows == 0)):
                        if later & ENDS and (has_top if wealth >= high else has_floor) == 0:
                            return TOO_MUCH, 0
                        wealths[player] = wealth
                        helds[player] = held
                        durations[player] = played
                        turnovers[player] = times * unit
                        if later & ENDS:
                            ends[player] = TARGET if wealth >= high else RUIN
                        else:
                            ends[player] = PLAYING
                        for last in range(mark, len(marks)):
                            # A player who has stopped keeps their purse.
                            paths[player, last] = wealth
                            laids[player, last] = times
                        player = NOBODY
                        desk[PLAYER + seat] = NOBODY
                        desk[LOW + seat] = -FAR
                        desk[SPAN + seat] = 2 * FAR - 1
                        later = UNREADY
                    else:
                        # After the last coup a prison is followed number by number.
                        until = min(until, desk[COUP] + max(1, coups - played))
                        if mark < len(marks):
                            until = min(until, desk[COUP] + marks[mark] - played)
                if later != 0:
                    one, two = desk[FIRST + seat], desk[SECOND + seat]
                    if player == NOBODY:
                        desk[WEALTH + seat] = wealth = NO_PURSE
                        one, two = begin_at(name, line, desk[ROOM + seat], start)
                    elif own and (max(one, two) > MOST_STATE or min(one, two) < -MOST_STATE):
                        return TOO_FAR, 0
                    elif keeps_line and two - desk[ROOM + seat] > full:
                        # The end of the room is reached: the line moves back to its beginning.
                        room = desk[ROOM + seat]
                        if 2 * (one - room) < full:
                            return NEEDS_ROOM, 0
                        for place in range(two - one):
                            line[room + place] = line[one + place]
                        one, two = room, room + two - one
                    wanted = wanted_of(name, one, two, line)
                    if wanted > most and above == RESTART:
                        one, two = begin_at(name, line, desk[ROOM + seat], start)
                        wanted = wanted_of(name, one, two, line)
                    laid = min(wanted, wealth // unit)
                    if laid < 0 or (laid > most and above == REFUSE):
                        return NEEDS_LIMITS, laid
                    laid = 1 if player == NOBODY else max(0, min(laid, most))
                    if not linear:
                        row = row_of[laid] if laid < len(row_of) else 0
                        if row == 0:
                            return NEEDS_ROW, laid
                        desk[PRISON + seat] = row
                        desk[CAME + seat] = 0
                    desk[WANTED + seat] = wanted
                    if keeps_line:
                        # There is nothing to write: the write goes to the unused place.
                        desk[PLACE + seat] = desk[ROOM + seat] - 1
                        desk[BEGINS + seat] = 0
                        desk[HEAD + seat] = line[one]
                        desk[BEHIND + seat] = line[one + 1]
                        desk[BEFORE + seat] = line[two - 2]
                    desk[FIRST + seat], desk[SECOND + seat] = one, two
                    desk[LAID + seat] = laid
                    desk[LATER + seat] = 0

            if desk[COUP] == desk[DRAWN]:
                # The numbers are used up: fill the empty seats and draw the next numbers.
                if told[1] != 0:
                    return CUT_SHORT, 0
                longest, shortest = 0, AHEAD
                for seat in range(SEATS):
                    if desk[PLAYER + seat] == NOBODY and desk[NEXT] < len(wealths):
                        player = desk[NEXT]
                        desk[NEXT] += 1
                        begin(streams, seat, seed, first + player)
                        desk[PLAYER + seat] = player
                        desk[WEALTH + seat] = bankroll
                        desk[LOW + seat] = low
                        desk[SPAN + seat] = high - low
                        desk[TIMES + seat] = 0
                        desk[PRISON + seat] = 0
                        desk[PLAYED + seat] = 0
                        desk[MARK + seat] = 0 if player < paths.shape[0] else len(marks)
                        one, two = begin_at(name, line, desk[ROOM + seat], start)
                        desk[FIRST + seat], desk[SECOND + seat] = one, two
                        desk[LATER + seat] = UNREADY if low <= bankroll < high else ENDS
                    if desk[PLAYER + seat] != NOBODY:
                        if desk[TIMES + seat] > most_times:
                            return TOO_MUCH, 0
                        longest = max(longest, coups - desk[PLAYED + seat], follows)
                        shortest = min(shortest, desk[PLAYED + seat])
                if longest == 0:
                    return DONE, 0
                if follows != 0:
                    # Numbers of a word that are left over would be lost to a player who goes on.
                    longest = (longest + 3) // 4 * 4
                # Few numbers are drawn at first, because many plays are short.
                drawn = min(longest, max(FEW, shortest))
                if len(spins) == 0:
                    draw(pockets, fours, (drawn + 3) // 4, streams)
                else:
                    for place in range((drawn + 3) // 4 * SEATS):
                        fours[place] = 0
                    for seat in range(SEATS):
                        player = desk[PLAYER + seat]
                        if player != NOBODY:
                            origin = (first + player) * coups + desk[PLAYED + seat]
                            for place in range(min(drawn, coups - desk[PLAYED + seat])):
                                number = np.int64(spins[origin + place])
                                if place % 2 == 0:
                                    number *= pockets
                                at = place // 4 * SEATS + seat
                                fours[at] += np.uint32(number << 16 * (place // 2 % 2))
                desk[COUP], desk[DRAWN], desk[WRITTEN] = 0, drawn, 0
                continue

            begun_at = desk[COUP]
            coup = begun_at
            if flat:
                # Bounds that the purses cannot reach are not checked.
                down = up = 2 * FAR - 1
                for seat in range(SEATS):
                    above_low = desk[WEALTH + seat] - desk[LOW + seat]
                    down = min(down, above_low)
                    up = min(up, desk[SPAN + seat] - 1 - above_low)
                far = min(until - coup, down // worst, up // best)
                if coup % 4 == 0 and far >= 4:
                    until = coup + far // 4 * 4
                    for place in range(coup // 4, until // 4):
                        for seat in range(SEATS):
                            four = np.uint64(fours[np.uint64(place * SEATS + seat)])
                            pair, pair2 = four & HALF, four >> _16
                            if linear:
                                desk[WEALTH + seat] += pairs[pair] + pairs[pair2]
                            elif desk[PRISON + seat] == row_of[1] and not (
                                holds[pair] | holds[pair2]
                            ):
                                desk[WEALTH + seat] += pairs[pair] + pairs[pair2]
                                desk[TIMES + seat] += 4
                            else:
                                for number in (
                                    ones[pair],
                                    others[pair],
                                    ones[pair2],
                                    others[pair2],
                                ):
                                    spot = np.uint64(desk[PRISON + seat] << SHIFT | number)
                                    prison = following[spot]
                                    free = -int(prison == 0)
                                    desk[WEALTH + seat] += net_of[spot]
                                    desk[TIMES + seat] -= free
                                    desk[PRISON + seat] = prison + (row_of[1] & free)
                    if linear:
                        for seat in range(SEATS):
                            desk[TIMES + seat] += until - coup
                    coup = until
            for place in range(max(coup // 4, desk[WRITTEN]), (until + 3) // 4):
                for seat in range(SEATS):
                    four = np.uint64(fours[np.uint64(place * SEATS + seat)])
                    net = np.uint64(4 * place * SEATS + seat)
                    nets[net] = ones[four & HALF]
                    nets[net + _SEATS] = others[four & HALF]
                    nets[net + _SEATS + _SEATS] = ones[four >> _16]
                    nets[net + _SEATS + _SEATS + _SEATS] = others[four >> _16]
                desk[WRITTEN] = place + 1
            stop = 0
            while coup < until and stop == 0:
                for seat in range(SEATS):
                    wealth = desk[WEALTH + seat]
                    laid = desk[LAID + seat]
                    each = nets[np.uint64(coup * SEATS + seat)]
                    if linear:
                        sign = each
                        came = laid * sign
                        free = -1
                        wealth += came
                    else:
                        spot = np.uint64(desk[PRISON + seat] << SHIFT | each)
                        came = net_of[spot]
                        prison = following[spot]
                        free = -int(prison == 0)
                        wealth += came
                        if flat:
                            desk[PRISON + seat] = prison + (row_of[1] & free)
                        else:
                            came += desk[CAME + seat]
                            sign = came
                            desk[CAME + seat] = came & ~free
                            desk[PRISON + seat] = prison
                    beside = np.uint64(wealth - desk[LOW + seat])
                    later = ENDS & free & -int(beside >= np.uint64(desk[SPAN + seat]))
                    desk[WEALTH + seat] = wealth
                    desk[TIMES + seat] += laid & free
                    if not flat and (linear or free != 0):
                        one, two = desk[FIRST + seat], desk[SECOND + seat]
                        if keeps_line:
                            ends_of = (desk[HEAD + seat], desk[BEHIND + seat], desk[BEFORE + seat])
                            wanted = desk[WANTED + seat]
                            (one, two), wanted, place, number = go_on(
                                name, one, two, (laid, sign, unit, wanted, ends_of)
                            )
                            desk[PLACE + seat] = place
                            desk[NUMBER + seat] = number
                            # If all is struck out, the first line begins again.
                            begins = -int(one >= two)
                            desk[BEGINS + seat] = begins
                            room = desk[ROOM + seat]
                            one = (room & begins) | (one & ~begins)
                            two = (room + len(start) & begins) | (two & ~begins)
                            wanted = (fresh & begins) | (wanted & ~begins)
                        elif own:
                            one, two = go_on(name, one, two, (laid, came, unit, 0))
                        else:
                            # All three results are computed and one is kept: the processor would
                            # mispredict a branch at every other coup.
                            wins, loses = -sign >> 63, sign >> 63
                            evens = ~(wins | loses)
                            up, up2 = go_on(name, one, two, (laid, max(came, 1), unit, 0))
                            down, down2 = go_on(name, one, two, (laid, min(came, -1), unit, 0))
                            same, same2 = go_on(name, one, two, (laid, 0, unit, 0))
                            one = (up & wins) | (down & loses) | (same & evens)
                            two = (up2 & wins) | (down2 & loses) | (same2 & evens)
                        if not keeps_line:
                            wanted = wanted_of(name, one, two, line)
                        laid = min(wanted, most)
                        if own:
                            laid = max(laid, 0)
                            later |= int(wanted < 0)
                            later |= int(max(one, two) > MOST_STATE)
                            later |= int(min(one, two) < -MOST_STATE)
                        later |= int(laid * unit > wealth)
                        later |= int(wanted > bound)
                        if keeps_line:
                            later |= int(two - desk[ROOM + seat] > full)
                            desk[WANTED + seat] = wanted
                        if not linear:
                            row = row_of[np.uint64(laid)] if laid < len(row_of) else 0
                            later |= int(row == 0)
                            desk[PRISON + seat] = row
                        desk[LAID + seat] = laid
                        desk[FIRST + seat], desk[SECOND + seat] = one, two
                    desk[LATER + seat] = later
                    stop |= later
                if keeps_line:
                    for seat in range(SEATS):
                        line[np.uint64(desk[PLACE + seat])] = desk[NUMBER + seat]
                        if desk[BEGINS + seat] != 0:
                            begin_at(name, line, desk[ROOM + seat], start)
                        head = np.uint64(desk[FIRST + seat])
                        desk[HEAD + seat] = line[head]
                        desk[BEHIND + seat] = line[head + _1]
                        desk[BEFORE + seat] = line[np.uint64(desk[SECOND + seat]) - _2]
                coup += 1
            for seat in range(SEATS):
                desk[PLAYED + seat] += coup - begun_at
                if desk[PLAYER + seat] != NOBODY:
                    told[0] += coup - begun_at
            desk[COUP] = coup

    return loop
