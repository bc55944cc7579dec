"""France, English roulette, article 55-12: the combinations, zero, and the racetrack."""

from fractions import Fraction

import pytest

from novamas.game import announcements
from novamas.game.cloth import SpotClass
from novamas.game.house_words import Words
from novamas.game.stakes import Stake
from novamas.rulebooks import load
from novamas.table import commands
from novamas.table.refusals import RefusalReason
from tests.rules.alike import (
    check_edges,
    check_loser,
    check_not_on_the_cloth,
    check_the_winner_stays_and_may_be_taken,
    check_winner,
    of_minimum,
)
from tests.rules.helpers import (
    SINGLE_SPOTS,
    case,
    coup,
    opened,
    pieces,
    place,
    refused,
    settle_line,
    settled,
    spots_offered,
    stakes,
)


@pytest.mark.parametrize(
    ("bet", "out", "won"),
    [
        case("FRAN-55-12.a", "0:1", 0, 35),
        case("FRAN-55-12.b", "0/1:2", 0, 34),
        case("FRAN-55-12.c", "0/2/3:2", 0, 22),
        case("FRAN-55-12.c", "16/18:2", 17, 22),
        case("FRAN-55-12.d", "0/1/2/3:3", 0, 24),
        case("FRAN-55-12.d", "25/29:3", 28, 24),
        case("FRAN-55-12.e", "31/36:1", 33, 5),
        case("FRAN-55-12.f1", "d1:5", 12, 10),
        case("FRAN-55-12.f2", "c1:5", 10, 10),
        case("FRAN-55-12.g", "d2+d3:10", 14, 5),
        case("FRAN-55-12.g", "c1+c2:10", 14, 5),
        case("FRAN-55-12.g X-03 AMB-X-03", "d2+d3:5", 14, 3),
        case("FRAN-55-12.h", "even:5", 10, 5),
        case("FRAN-55-12.h", "odd:5", 11, 5),
        case("FRAN-55-12.i", "high:5", 19, 5),
        case("FRAN-55-12.i", "low:5", 18, 5),
        case("FRAN-55-12.j", "black:5", 8, 5),
        case("FRAN-55-12.j", "red:5", 9, 5),
    ],
)
def test_fran_55_12_a_winner_is_paid_and_keeps_the_stake(bet: str, out: int, won: int) -> None:
    assert "FRAN-55-12.k" in check_winner("fran", out, bet, won).articles


@pytest.mark.parametrize(
    ("bet", "out"),
    [
        case("FRAN-55-12.a", "0:1", 1),
        case("FRAN-55-12.b", "0/1:2", 2),
        case("FRAN-55-12.c", "0/2/3:2", 1),
        case("FRAN-55-12.d", "0/1/2/3:3", 4),
        case("FRAN-55-12.e", "31/36:1", 30),
        case("FRAN-55-12.f1", "d1:5", 0),
        case("FRAN-55-12.f2", "c1:5", 0),
        case("FRAN-55-12.g", "d2+d3:10", 0),
        case("FRAN-55-12.h", "even:5", 9),
        case("FRAN-55-12.i", "high:5", 18),
        case("FRAN-55-12.j", "black:5", 9),
    ],
)
def test_fran_55_12_a_loser_loses_the_whole_stake(bet: str, out: int) -> None:
    assert "FRAN-55-10.v" in check_loser("fran", out, bet).articles


@pytest.mark.rule("FRAN-S1", "FRAN-55-10.a")
def test_fran_s1_the_cloth_has_the_spots_of_one_zero_and_four_places_across() -> None:
    assert spots_offered("fran") == {
        **SINGLE_SPOTS,
        "straddle": 4,
    }
    straddles = {each.name for each in load("fran").terms if each.kind is SpotClass.STRADDLE}
    assert straddles == {"d1+d2", "d2+d3", "c1+c2", "c2+c3"}


@pytest.mark.rule("FRAN-55-12.0")
@pytest.mark.parametrize("name", ["low+d3", "d1+d3", "3/4", "37", "00", "0/00"])
def test_fran_55_12_0_what_is_not_in_the_list_is_refused(name: str) -> None:
    assert "FRAN-55-12.0" in check_not_on_the_cloth("fran", name)


@pytest.mark.rule("FRAN-55-10.a")
def test_fran_55_10_a_the_wheel_has_36_numbers_and_one_zero() -> None:
    assert sorted(load("fran").wheel.pockets.order) == list(range(37))
    table = opened("fran", {"ana": 100})
    table.close()
    fallen = commands.PocketBall(by="croupier-1", number="00")
    assert refused(table, fallen).why is RefusalReason.NUMBER_NOT_ON_THE_WHEEL


@pytest.mark.rule("FRAN-55-12.k", "X-01", "X-02")
def test_fran_55_12_k_the_winner_keeps_the_stake_and_may_take_it_off() -> None:
    check_the_winner_stays_and_may_be_taken("fran")


# Zero ---------------------------------------------------------------------------------------------


@pytest.mark.rule("FRAN-55-12.z", "AMB-FRAN-01")
@pytest.mark.parametrize(
    ("amount", "returned", "lost"),
    [(10, 5, 5), (25, 13, 12), (1, 1, 0), (2, 1, 1)],
)
@pytest.mark.parametrize("chance", ["even", "odd", "red", "black", "low", "high"])
def test_fran_55_12_z_zero_takes_half_of_a_simple_chance(
    chance: str, amount: int, returned: int, lost: int
) -> None:
    line = settle_line("fran", 0, f"{chance}:{amount}")
    assert (line.won, line.returned, line.lost, line.held) == (0, returned, lost, 0)
    assert {"FRAN-55-12.z", "AMB-FRAN-01"} <= set(line.articles)
    assert ("X-03" in line.articles) == (amount % 2 == 1)


@pytest.mark.rule("AMB-FRAN-01", "FRAN-55-12.z", "X-03")
@pytest.mark.parametrize(
    ("laid", "back"),
    [
        ("red:7 red:4", 6),
        ("red:1 red:1 red:3", 3),
        ("red:1 red:1", 1),
        # Two chances are two sums.
        ("red:3 odd:3", 4),
    ],
)
def test_amb_fran_01_half_is_taken_of_all_that_a_player_has_on_a_chance(
    laid: str, back: int
) -> None:
    lines = settled("fran", 0, laid).lines
    staked = sum(line.stake.amount for line in lines)
    assert sum(line.returned for line in lines) == back
    assert sum(line.lost for line in lines) == staked - back
    assert sum(line.held for line in lines) == 0


@pytest.mark.rule("AMB-FRAN-01")
def test_amb_fran_01_two_players_are_two_sums() -> None:
    laid = [*stakes("red:3", "ana"), *stakes("red:3", "luc")]
    assert [line.returned for line in settled("fran", 0, laid).lines] == [2, 2]


@pytest.mark.rule("FRAN-55-12.z")
def test_fran_55_12_z_there_is_no_choice_and_no_prison() -> None:
    table = opened("fran", {"ana": 100})
    table.stake("ana", "red:10")
    sums = coup(table, 0).of("ana")
    assert (sums.returned, sums.lost, sums.held) == (5, 5, 0)
    assert (table.purse("ana"), table.state.bank, table.state.on_cloth) == (95, 5, 0)
    choice = commands.ChooseAfterZero(by="ana", id="s1", choice=commands.Choice.PRISON)
    assert refused(table, choice).why is RefusalReason.NO_CHOICE_PENDING


@pytest.mark.rule("FRAN-55-12.a", "FRAN-55-12.b", "FRAN-55-12.c", "FRAN-55-12.d", "FRAN-55-12.e")
@pytest.mark.rule("FRAN-55-12.f1", "FRAN-55-12.f2", "FRAN-55-12.g", "FRAN-55-12.h", "FRAN-55-12.i")
@pytest.mark.rule("FRAN-55-12.j", "FRAN-55-12.z")
def test_fran_55_12_the_house_keeps_one_in_37_and_one_in_74_of_a_simple_chance() -> None:
    check_edges("fran", of_multiples=Fraction(1, 37), simple=Fraction(1, 74))


# The racetrack ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "played"),
    [
        ("voisins", "0/2/3 0/2/3 4/7 12/15 18/21 19/22 25/29 25/29 32/35"),
        ("tiers", "5/8 10/11 13/16 23/24 27/30 33/36"),
        ("orphelins", "1 6/9 14/17 17/20 31/34"),
        ("f0", "0 10 20 30"),
        ("f1", "1 11 21 31"),
        ("f2", "2 12 22 32"),
        ("f3", "3 13 23 33"),
        ("f4", "4 14 24 34"),
        ("f5", "5 15 25 35"),
        ("f6", "6 16 26 36"),
        ("f7", "7 17 27"),
        ("f8", "8 18 28"),
        ("f9", "9 19 29"),
        ("0~2", "3 26 0 32 15"),
        ("17~2", "2 25 17 34 6"),
    ],
)
@pytest.mark.rule("AMB-FRAN-04", "FRAN-55-10.s")
def test_amb_fran_04_the_announcements_of_the_racetrack(name: str, played: str) -> None:
    """A croupier lays the pieces in this order."""
    call = announcements.call_of(load("fran"), name)
    assert call is not None
    assert [piece.name for piece in call.pieces] == played.split()
    assert call.cites == ("AMB-FRAN-04",)


@pytest.mark.rule("AMB-FRAN-04")
def test_amb_fran_04_there_are_no_others() -> None:
    assert set(load("fran").announcements.calls) == {
        "voisins",
        "tiers",
        "orphelins",
        *(f"f{digit}" for digit in range(10)),
    }
    table = opened("fran", {"ana": 200})
    for call in ("nassa", "zerospiel", "f4/7", "17~3", "17~1"):
        wish = commands.Announce(by="ana", id="a", player="ana", call=call, amount=42)
        refusal = refused(table, wish)
        assert (refusal.why, refusal.articles) == (
            RefusalReason.ANNOUNCEMENT_NOT_TAKEN,
            ("FRAN-55-12.0", "AMB-FRAN-04"),
        )


@pytest.mark.rule("AMB-FRAN-04")
def test_amb_fran_04_tiers_of_six_chips_wins_17() -> None:
    lines = settled("fran", 10, pieces("fran", "tiers", 6)).lines
    assert sum(line.won for line in lines) == 17
    assert load("fran").announcements.replays == ()


@pytest.mark.rule("AMB-FRAN-04")
@pytest.mark.parametrize(("each", "plays"), [(4, False), (5, True)])
def test_amb_fran_04_a_piece_below_the_minimum_of_its_spot_does_not_play(
    each: int, *, plays: bool
) -> None:
    table = of_minimum("fran", 5, {"ana": 100})
    table.act(commands.Announce(by="ana", id="a", player="ana", call="tiers", amount=6 * each))
    table.close()
    assert (table.state.on_cloth, table.purse("ana")) == ((30, 70) if plays else (0, 100))


@pytest.mark.rule("FRAN-55-10.t", "AMB-FRAN-04")
def test_fran_55_10_t_an_announcement_without_chips_took_no_part() -> None:
    table = opened("fran", {"ana": 100})
    wish = commands.Announce(
        by="croupier-1", id="a", player="ana", call="tiers", amount=6, covered=False
    )
    refusal = refused(table, wish)
    assert (refusal.why, refusal.articles) == (
        RefusalReason.CHIPS_NOT_LAID,
        ("FRAN-55-10.t", "AMB-FRAN-04"),
    )
    stake = refused(table, place("ana", "17:5", covered=False, by="croupier-1"))
    assert "FRAN-55-10.t" in stake.articles


@pytest.mark.parametrize(
    ("name", "said"),
    [
        case("FRAN-55-12.a", "straight", "plein"),
        case("FRAN-55-12.b", "split", "cheval"),
        case("FRAN-55-12.c", "street", "transversale"),
        case("FRAN-55-12.d", "corner", "carré"),
        case("FRAN-55-12.e", "sixline", "sixain"),
        case("FRAN-55-12.f1", "dozen", "douzaine"),
        case("FRAN-55-12.f2", "column", "colonne"),
        case("FRAN-55-12.g", "straddle", "à cheval"),
        case("FRAN-55-12.h", "odd", "impair"),
        case("FRAN-55-12.i", "high", "passe"),
        case("FRAN-55-12.j", "red", "rouge"),
        case("FRAN-55-10.a", "0", "zéro"),
        case("AMB-FRAN-04", "voisins", "voisins du zéro"),
        case("AMB-FRAN-04", "tiers", "tiers du cylindre"),
        case("AMB-FRAN-04", "orphelins", "orphelins"),
        case("AMB-FRAN-04", "final", "finale"),
    ],
)
def test_fran_55_12_the_combinations_are_called_as_the_house_calls_them(
    name: str, said: str
) -> None:
    book = load("fran")
    assert book.word(name) == said
    assert Words.of(book)[said] == name


@pytest.mark.rule("FRAN-55-12.z", "FRAN-55-12.d")
def test_fran_55_12_z_zero_touches_the_simple_chances_alone() -> None:
    laid: list[Stake] = stakes("d1:10 c1:10 d1+d2:10 0:10 0/1/2/3:10 red:10")
    fates = {
        line.stake.spot.name: (line.won, line.returned, line.lost)
        for line in settled("fran", 0, laid).lines
    }
    assert fates == {
        "d1": (0, 0, 10),
        "c1": (0, 0, 10),
        "d1+d2": (0, 0, 10),
        "0": (350, 10, 0),
        "0/1/2/3": (80, 10, 0),
        "red": (0, 5, 5),
    }
