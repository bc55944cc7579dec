"""The numbers that the simulation plays: published values, and their spread after mapping."""

import numpy as np
import pytest

from novamas.simulation import rng
from novamas.simulation.player_arrays import SEATS
from novamas.simulation.rng import (
    AHEAD,
    begun,
    drawer_of,
    fours_of,
    numbers,
    streams_of,
    word_of,
)

COUNT = 3_700_000
WHEELS = (37, 38, 39)


def test_the_generator_is_xoshiro256_plus_plus() -> None:
    """The first words from the state 1, 2, 3, 4, reckoned here with whole numbers of any size."""
    mask = 2**64 - 1

    def turned(word: int, by: int) -> int:
        return ((word << by) | (word >> (64 - by))) & mask

    plain = [1, 2, 3, 4]
    state = tuple(np.uint64(n) for n in plain)
    for _ in range(1_000):
        word = (turned((plain[0] + plain[3]) & mask, 23) + plain[0]) & mask
        shifted = (plain[1] << 17) & mask
        plain[2] ^= plain[0]
        plain[3] ^= plain[1]
        plain[1] ^= plain[2]
        plain[0] ^= plain[3]
        plain[2] ^= shifted
        plain[3] = turned(plain[3], 45)
        found, *after = word_of(*state)
        state = tuple(np.uint64(n) for n in after)
        assert int(found) == word


def test_the_first_word_is_the_published_one() -> None:
    assert int(word_of(*(np.uint64(n) for n in (1, 2, 3, 4)))[0]) == 41943041


def test_players_have_streams_of_their_own() -> None:
    begins = {
        tuple(int(w) for w in begun(seed, player)) for seed in range(40) for player in range(500)
    }
    assert len(begins) == 40 * 500


def plainly(state: list[int], count: int, n: int) -> list[int]:
    """Numbers of a stream by whole numbers of any size; `state` goes on with them."""
    mask = 2**64 - 1
    found: list[int] = []

    def turned(word: int, by: int) -> int:
        return ((word << by) | (word >> (64 - by))) & mask

    while len(found) < count:
        a, b, c, d = state
        word = (turned((a + d) & mask, 23) + a) & mask
        c, d = c ^ a, d ^ b
        state[:] = a ^ d, b ^ c, c ^ (b << 17) & mask, turned(d, 45)
        product = (word >> 21) * n**4
        if product % 2**43 >= 2**43 % n**4:
            four = product // 2**43
            found += [four // n**3, four // n**2 % n, four // n % n, four % n]
    return found


@pytest.mark.parametrize("n", WHEELS)
def test_streams_drawn_side_by_side_are_what_each_would_be_alone(n: int) -> None:
    """Also where a word does not count: the first one of these states is 0, and must not."""
    streams = streams_of()
    states = [[int(word) for word in begun(3, player)] for player in range(SEATS)]
    states[5], states[11] = [0, 5, 7, 0], [0, 1, 2**63, 0]
    streams[: 4 * SEATS] = np.array(states, dtype=np.uint64).T.ravel()
    fours = fours_of()
    for _ in range(3):
        drawer_of(n)(fours, AHEAD // 4, streams)
        pairs = fours.view(rng.PAIR).reshape(AHEAD // 4, SEATS, 2)
        for seat, state in enumerate(states):
            found = [number for pair in pairs[:, seat].ravel() for number in divmod(int(pair), n)]
            assert found == plainly(state, AHEAD, n)


def spread(counts: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> float:
    """χ² in standard deviations from what is expected, by the normal approximation."""
    expected = counts.sum() / len(counts)
    found = float(((counts - expected) ** 2 / expected).sum())
    degrees = len(counts) - 1
    return float((found - degrees) / np.sqrt(2 * degrees))


@pytest.mark.parametrize("n", WHEELS)
@pytest.mark.parametrize("player", [0, 1, 2**40])
def test_all_numbers_are_equally_likely(player: int, n: int) -> None:
    found = numbers(20, player, COUNT, pockets=n)
    assert found.max() == n - 1
    assert abs(spread(np.bincount(found, minlength=n))) < 4


@pytest.mark.parametrize("n", WHEELS)
def test_all_fours_have_equally_many_words(n: int) -> None:
    """Without bias, by counting: every four of pockets has the same number of words that count.

    A word counts for a four if n⁴ · u lies in the interval of 2^43 that is of the four, but not in
    its first 2^43 modulo n⁴. The first and the last fours, and some between, are counted.
    """
    uneven = 2**43 % n**4
    each = {
        # The least and the greatest u of the four, after the rejected ones.
        (four * 2**43 + 2**43 - 1) // n**4 - (four * 2**43 + uneven - 1) // n**4
        for four in (
            *range(2_000),
            *range(n**4 // 2, n**4 // 2 + 2_000),
            *range(n**4 - 2_000, n**4),
        )
    }
    assert each == {2**43 // n**4}


def test_the_numbers_of_a_seed_stay_what_they_were() -> None:
    """A seed names the same play for ever on a wheel of 37."""
    found = numbers(1, 2, 12, pockets=37).tolist()
    assert found == [6, 11, 12, 24, 26, 29, 6, 16, 15, 19, 23, 9]


@pytest.mark.parametrize("n", WHEELS)
@pytest.mark.parametrize("lag", [1, 2, 3, 4, 5, 8, 37, 1000])
def test_pairs_at_a_distance_are_equally_likely(lag: int, n: int) -> None:
    found = numbers(21, 7, COUNT, pockets=n).astype(np.int64)
    pairs = found[:-lag] * n + found[lag:]
    assert abs(spread(np.bincount(pairs, minlength=n**2))) < 4


@pytest.mark.parametrize("n", WHEELS)
def test_threes_are_equally_likely(n: int) -> None:
    found = numbers(22, 3, COUNT, pockets=n).astype(np.int64)
    threes = (found[:-2] * n + found[1:-1]) * n + found[2:]
    assert abs(spread(np.bincount(threes, minlength=n**3))) < 4


def test_neighbouring_players_and_seeds_play_different_numbers() -> None:
    """The first numbers of many players, and of many seeds, are spread as one stream is."""
    many = range(100_000)
    by_player = np.array([numbers(5, player, 2, pockets=37) for player in many], dtype=np.int64)
    by_seed = np.array([numbers(seed, 0, 2, pockets=37) for seed in many], dtype=np.int64)
    for found in (by_player, by_seed):
        assert abs(spread(np.bincount(found[:, 0] * 37 + found[:, 1], minlength=37**2))) < 4
        pairs = found[:-1, 0] * 37 + found[1:, 0]
        assert abs(spread(np.bincount(pairs, minlength=37**2))) < 4
