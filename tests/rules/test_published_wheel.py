"""The published facts of the wheel: the announcements, the 27 finals and the Tabella dei Vicini."""

import pytest

from novamas.game import announcements, wheel
from novamas.game.cloth import SpotClass
from novamas.game.rulebook.behaviours import Replay
from novamas.game.rulebook.model import Call
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.refusals import RefusalReason
from tests.rules.helpers import case, coup, opened, pieces, refused, settled


def call(name: str, house: str = "it") -> Call:
    """An announcement as a house takes it."""
    found = announcements.call_of(load(house), name)
    assert found is not None
    return found


def numbers(name: str, house: str = "it") -> set[wheel.Pocket]:
    """The numbers that an announcement covers."""
    return {number for piece in call(name, house).pieces for number in piece.numbers}


# C.5: announcements and finals --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "chips", "covers", "played"),
    [
        case(
            "IT-ann-1 IT-sett-3",
            "voisins",
            9,
            17,
            "0/2/3 0/2/3 25/29 25/29 4/7 12/15 18/21 19/22 32/35",
        ),
        case("IT-ann-2 IT-sett-2", "tiers", 6, 12, "5/8 10/11 13/16 23/24 27/30 33/36"),
        case("IT-ann-3 IT-sett-5", "orphelins", 5, 8, "1 6/9 14/17 17/20 31/34"),
        case("IT-sett-6", "orphelins-plein", 8, 8, "17 34 6 1 20 14 31 9"),
        case("IT-ann-4 IT-sett-7", "nassa", 5, 8, "0/3 12/15 19 26 32/35"),
        case("IT-ann-5 IT-sett-8", "zerospiel", 4, 7, "0/3 12/15 26 32/35"),
        case("IT-ann-7 IT-sett-10 IT-fin-plein-0", "f0", 4, 4, "0 10 20 30"),
        case("IT-ann-7 IT-sett-10 IT-fin-plein-1", "f1", 4, 4, "1 11 21 31"),
        case("IT-ann-7 IT-sett-10 IT-fin-plein-2", "f2", 4, 4, "2 12 22 32"),
        case("IT-ann-7 IT-sett-10 IT-fin-plein-3", "f3", 4, 4, "3 13 23 33"),
        case("IT-ann-7 IT-sett-10 IT-fin-plein-4", "f4", 4, 4, "4 14 24 34"),
        case("IT-ann-7 IT-sett-10 IT-fin-plein-5", "f5", 4, 4, "5 15 25 35"),
        case("IT-ann-7 IT-sett-10 IT-fin-plein-6", "f6", 4, 4, "6 16 26 36"),
        case("IT-ann-7 IT-sett-10 IT-fin-plein-7", "f7", 3, 3, "7 17 27"),
        case("IT-ann-7 IT-sett-10 IT-fin-plein-8", "f8", 3, 3, "8 18 28"),
        case("IT-ann-7 IT-sett-10 IT-fin-plein-9", "f9", 3, 3, "9 19 29"),
        case("IT-ann-8 IT-sett-13 IT-fin-h-0/1", "f0/1", 5, 8, "0/1 10/11 20/21 30 31"),
        case("IT-ann-8 IT-sett-13 IT-fin-h-1/2", "f1/2", 5, 8, "1/2 11/12 21 22 31/32"),
        case("IT-ann-8 IT-sett-13 IT-fin-h-2/3", "f2/3", 5, 8, "2/3 12 13 22/23 32/33"),
        case("IT-ann-8 IT-sett-13 IT-fin-h-4/5", "f4/5", 5, 8, "4/5 14/15 24 25 34/35"),
        case("IT-ann-8 IT-sett-13 IT-fin-h-5/6", "f5/6", 5, 8, "5/6 15 16 25/26 35/36"),
        case("IT-ann-8 IT-sett-13 IT-fin-h-7/8", "f7/8", 4, 6, "7/8 17/18 27 28"),
        case("IT-ann-8 IT-sett-13 IT-fin-h-8/9", "f8/9", 4, 6, "8/9 18 19 28/29"),
        case("IT-ann-9 IT-sett-12 IT-fin-v-0/3", "f0/3", 4, 8, "0/3 10/13 20/23 30/33"),
        case("IT-ann-9 IT-sett-12 IT-fin-v-1/4", "f1/4", 4, 8, "1/4 11/14 21/24 31/34"),
        case("IT-ann-9 IT-sett-12 IT-fin-v-2/5", "f2/5", 4, 8, "2/5 12/15 22/25 32/35"),
        case("IT-ann-9 IT-sett-12 IT-fin-v-3/6", "f3/6", 4, 8, "3/6 13/16 23/26 33/36"),
        case("IT-ann-9 IT-sett-12 IT-fin-v-4/7", "f4/7", 3, 6, "4/7 14/17 24/27"),
        case("IT-ann-9 IT-sett-12 IT-fin-v-5/8", "f5/8", 3, 6, "5/8 15/18 25/28"),
        case("IT-ann-9 IT-sett-12 IT-fin-v-6/9", "f6/9", 3, 6, "6/9 16/19 26/29"),
        case("IT-ann-9 IT-sett-12 IT-fin-v-7/10", "f7/10", 3, 6, "7/10 17/20 27/30"),
        case("IT-ann-9 IT-sett-12 IT-fin-v-8/11", "f8/11", 3, 6, "8/11 18/21 28/31"),
        case("IT-ann-9 IT-sett-12 IT-fin-v-9/12", "f9/12", 3, 6, "9/12 19/22 29/32"),
    ],
)
def test_it_pieces_of_the_announcements(name: str, chips: int, covers: int, played: str) -> None:
    assert sorted(piece.name for piece in call(name).pieces) == sorted(played.split())
    assert len(call(name).pieces) == chips
    assert len(numbers(name)) == covers


@pytest.mark.rule("IT-ann-7", "IT-ann-8", "IT-ann-9", "AMB-IT-16")
def test_it_there_are_27_finals_and_three_pairs_are_missing() -> None:
    finals = [name for name in announcements.names(load("it")) if name.startswith("f")]
    assert len(finals) == 27
    for missing in ("f3/4", "f6/7", "f9/10"):
        assert announcements.call_of(load("it"), missing) is None


@pytest.mark.rule("IT-sett-10", "IT-sett-11", "IT-sett-12", "IT-sett-13", "AMB-IT-16")
def test_it_finals_follow_from_the_geometry_of_the_cloth() -> None:
    for name in announcements.names(load("it")):
        if not name.startswith("f"):
            continue
        units = {int(unit) % 10 for unit in name[1:].split("/")}
        sharing = {number for number in range(len(wheel.EUROPEAN)) if number % 10 in units}
        kinds = [piece.kind for piece in call(name).pieces]
        apart = {int(unit) for unit in name[1:].split("/")}
        if len(apart) == 1:
            assert numbers(name) == sharing
            assert set(kinds) == {SpotClass.STRAIGHT}
        elif max(apart) - min(apart) == 1:
            assert numbers(name) == sharing
            assert kinds.count(SpotClass.STRAIGHT) == 2
        else:
            # What has no neighbour below it is left out.
            assert numbers(name) <= sharing
            assert set(kinds) == {SpotClass.SPLIT}
            first = min(apart)
            assert {min(piece.numbers) for piece in call(name).pieces} == set(range(first, 34, 10))


@pytest.mark.rule("IT-sett-2", "IT-sett-3", "IT-sett-4", "BG-22", "BG-19", "BG-23", "AMB-BG-04")
@pytest.mark.parametrize("house", ["it", "bg"])
def test_vicini_serie_and_orfanelli_share_out_the_wheel(house: str) -> None:
    voisins, tiers, orphelins = (numbers(name, house) for name in ("voisins", "tiers", "orphelins"))
    assert (len(voisins), len(tiers), len(orphelins)) == (17, 12, 8)
    assert voisins | tiers | orphelins == set(range(len(wheel.EUROPEAN)))
    assert voisins == set(wheel.EUROPEAN.arc(22, 25))
    assert tiers == set(wheel.EUROPEAN.arc(27, 33))
    assert orphelins == {*wheel.EUROPEAN.arc(17, 6), *wheel.EUROPEAN.arc(1, 9)}


@pytest.mark.rule("IT-ann-6", "IT-sett-9", "BG-18", "AMB-BG-07", "AMB-BG-16")
@pytest.mark.parametrize("house", ["it", "bg"])
def test_a_sector_is_five_straights(house: str) -> None:
    for number in range(len(wheel.EUROPEAN)):
        laid = call(f"{number}~2", house).pieces
        assert [piece.name for piece in laid] == list(map(str, wheel.EUROPEAN.neighbours(number)))
    for other in ("17~1", "17~3", "37~2", "red~2"):
        assert announcements.call_of(load(house), other) is None


# Replays of announcements that won, at a unit of 1.


@pytest.mark.rule("IT-rig-0", "IT-rig-1", "IT-rig-2", "IT-rig-3", "AMB-IT-06", "AMB-IT-07")
@pytest.mark.parametrize(
    ("name", "out", "chips", "payment", "winning", "rifare", "completare", "per_il_tutto"),
    [
        ("tiers", 10, 6, 17, 1, 11, 12, (18, 0)),
        ("voisins", 2, 9, 22, 2, 13, 15, (18, 6)),
        ("voisins", 26, 9, 16, 2, 7, 9, (18, 0)),
        ("voisins", 19, 9, 17, 1, 8, 9, (18, 0)),
        ("orphelins", 1, 5, 35, 1, 30, 31, None),
        ("orphelins", 20, 5, 17, 1, 12, 13, None),
        ("orphelins", 17, 5, 34, 2, 29, 31, None),
        ("orphelins-plein", 17, 8, 35, 1, 27, 28, None),
        ("nassa", 26, 5, 35, 1, 30, 31, None),
        ("nassa", 3, 5, 17, 1, 12, 13, None),
        ("zerospiel", 26, 4, 35, 1, 31, 32, None),
        ("zerospiel", 3, 4, 17, 1, 13, 14, None),
        ("17~2", 6, 5, 35, 1, 30, 31, None),
    ],
)
def test_it_replays(
    name: str,
    out: int,
    chips: int,
    payment: int,
    winning: int,
    rifare: int,
    completare: int,
    per_il_tutto: tuple[int, int] | None,
) -> None:
    won = [line for line in settled("it", out, pieces("it", name, chips)).lines if line.won]
    assert sum(line.won for line in won) == payment
    assert sum(line.stake.amount for line in won) == winning
    in_play = {"rifare": (chips + winning, rifare), "completare": (chips, completare)}
    if per_il_tutto is not None:
        in_play["per_il_tutto"] = per_il_tutto
    for mode in Replay:
        table = opened("it", {"ana": chips}, winning="cloth")
        announce = commands.Announce(by="ana", id="a1", player="ana", call=name, amount=chips)
        table.act(announce)
        coup(table, out)
        again = commands.ReplayAnnouncement(by="ana", id="a1", mode=mode, new_id="a2")
        if mode.value in in_play:
            table.act(again)
            assert (table.state.on_cloth, table.purse("ana")) == in_play[mode.value]
        else:
            assert refused(table, again).why is RefusalReason.REPLAY_NOT_OFFERED


# C.6: the Tabella dei Vicini ----------------------------------------------------------------------

VICINI = """
 0 0-3-15-26-32    3-26-0-32-15    3-26-0-32-15
 1 1-14-16-20-33   26-0-32-15-19   16-33-1-20-14
 2 2-4-17-21-25    0-32-15-19-4    4-21-2-25-17
 3 0-3-12-26-35    32-15-19-4-21   12-35-3-26-0
 4 2-4-15-19-21    15-19-4-21-2    15-19-4-21-2
 5 5-10-16-23-24   19-4-21-2-25    23-10-5-24-16
 6 6-13-17-27-34   4-21-2-25-17    17-34-6-27-13
 7 7-12-18-28-29   21-2-25-17-34   18-29-7-28-12
 8 8-10-11-23-30   2-25-17-34-6    11-30-8-23-10
 9 9-14-18-22-31   25-17-34-6-27   14-31-9-22-18
10 5-8-10-23-24    17-34-6-27-13   8-23-10-5-24
11 8-11-13-30-36   34-6-27-13-36   13-36-11-30-8
12 3-7-12-28-35    6-27-13-36-11   7-28-12-35-3
13 6-11-13-27-36   27-13-36-11-30  6-27-13-36-11
14 1-9-14-20-31    13-36-11-30-8   1-20-14-31-9
15 0-4-15-19-32    36-11-30-8-23   0-32-15-19-4
16 1-5-16-24-33    11-30-8-23-10   5-24-16-33-1
17 2-6-17-25-34    30-8-23-10-5    2-25-17-34-6
18 7-9-18-22-29    8-23-10-5-24    9-22-18-29-7
19 4-15-19-21-32   23-10-5-24-16   32-15-19-4-21
20 1-14-20-31-33   10-5-24-16-33   33-1-20-14-31
21 2-4-19-21-25    5-24-16-33-1    19-4-21-2-25
22 9-18-22-29-31   24-16-33-1-20   31-9-22-18-29
23 5-8-10-23-30    16-33-1-20-14   30-8-23-10-5
24 5-10-16-24-33   33-1-20-14-31   10-5-24-16-33
25 2-17-21-25-34   1-20-14-31-9    21-2-25-17-34
26 0-3-26-32-35    20-14-31-9-22   35-3-26-0-32
27 6-13-27-34-36   14-31-9-22-18   34-6-27-13-36
28 7-12-28-29-35   31-9-22-18-29   29-7-28-12-35
29 7-18-22-28-29   9-22-18-29-7    22-18-29-7-28
30 8-11-23-30-36   22-18-29-7-28   36-11-30-8-23
31 9-14-20-22-31   18-29-7-28-12   20-14-31-9-22
32 0-15-19-26-32   29-7-28-12-35   26-0-32-15-19
33 1-16-20-24-33   7-28-12-35-3    24-16-33-1-20
34 6-17-25-27-34   28-12-35-3-26   25-17-34-6-27
35 3-12-26-28-35   12-35-3-26-0    28-12-35-3-26
36 11-13-27-30-36  35-3-26-0-32    27-13-36-11-30
"""


@pytest.mark.rule("IT-vic", "IT-gioco-2")
def test_it_the_whole_tabella_dei_vicini() -> None:
    rows = [row.split() for row in VICINI.strip().splitlines()]
    assert [int(row[0]) for row in rows] == list(range(len(wheel.EUROPEAN)))
    printed = [tuple(tuple(map(int, block.split("-"))) for block in blocks) for _, *blocks in rows]
    assert printed == list(wheel.EUROPEAN.neighbours_table())
