"""F4: our tests can fail. Sources that are known to be broken are all caught.

Not every broken source shows in the numbers. A twister behind rejection, and any source at all
behind HMAC, draw numbers that no test tells from chance. Those are caught by their secrets, which
the house reveals: whoever has seen enough of them foresees the next.
"""

import random
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pytest

from novamas.game.wheel import EUROPEAN
from novamas.house.ball.fair_draw import SystemEntropy, draw
from tests.promises import battery
from tests.promises.battery import Counts, Numbers, Verdict
from tests.promises.figures import record

POCKETS = len(EUROPEAN)
MANY = 1_000_000
TWISTER_WORDS = 624
WORDS = 8
"""How many words of 32 bits a secret has."""
ENOUGH = TWISTER_WORDS // WORDS
"""So many secrets hold the whole state of a twister."""


def twister(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - A source that is to be caught.


def told(chance: float) -> str:
    return f"{chance:.1e}" if chance > 1e-300 else "below 1e-300"


def of_bytes(text: bytes) -> Numbers:
    return np.frombuffer(text, np.uint8)


def byte_modulo() -> Numbers:
    """A byte modulo 37: 34 pockets have seven bytes each, three have six."""
    return np.random.default_rng(1).integers(0, 256, MANY, dtype=np.uint8) % POCKETS


def scaled_twister() -> Numbers:
    """The twister's fraction times 37, as many a programme does it."""
    source = twister(2)
    return of_bytes(bytes(int(source.random() * POCKETS) for _ in range(MANY)))


def congruential(multiplier: int, more: int, modulus: int) -> Numbers:
    """A linear congruential source, its state scaled to the pockets."""
    state, drawn = 12_345, bytearray()
    for _ in range(MANY):
        state = (multiplier * state + more) % modulus
        drawn.append(state * POCKETS // modulus)
    return of_bytes(bytes(drawn))


def stuck() -> Numbers:
    """Always the same pocket."""
    return np.full(MANY, 17, np.uint8)


def cycling() -> Numbers:
    """Every pocket in turn: too even to be true."""
    return np.resize(np.random.default_rng(3).permutation(POCKETS).astype(np.uint8), MANY)


CONTROLS: dict[str, tuple[Callable[[], Numbers], str]] = {
    "a byte modulo 37": (byte_modulo, "frequencies"),
    "MT19937, scaled": (scaled_twister, "linear"),
    "an LCG of 32 bits (1664525)": (lambda: congruential(1664525, 1013904223, 2**32), "birthdays"),
    "an LCG of 31 bits (48271)": (lambda: congruential(48271, 0, 2**31 - 1), "birthdays"),
    "an LCG of 31 bits (RANDU)": (lambda: congruential(65539, 0, 2**31), "birthdays"),
    "an LCG of 16 bits": (lambda: congruential(75, 74, 65537), "pairs"),
    "a stuck source": (stuck, "frequencies"),
    "a source that goes in circles": (cycling, "lag"),
}
"""Each source, and a kind of test that is sure to catch it."""


@pytest.mark.slow
@pytest.mark.parametrize("name", CONTROLS)
def test_f4_a_broken_source_is_caught(name: str) -> None:
    source, catcher = CONTROLS[name]
    numbers = source()
    assert numbers.max() < POCKETS
    verdict = battery.judge(numbers)
    assert not verdict.is_believed
    assert catcher in verdict.caught_by()
    record(
        "F4",
        f"{name} is caught",
        draws=len(numbers),
        by=", ".join(verdict.caught_by()),
        chance=told(verdict.worst.chance),
    )


@pytest.mark.slow
def test_f4_half_a_percent_more_of_one_pocket_is_caught() -> None:
    """17 comes 1.005 times as often as it should; it takes 10^8 numbers to be sure of it."""
    often = POCKETS * 200 * 36
    others = np.delete(np.arange(POCKETS, dtype=np.uint8), 17)
    leaning = np.concatenate((np.full(201 * 36, 17, np.uint8), np.repeat(others, 7199)))
    fair = np.repeat(np.arange(POCKETS, dtype=np.uint8), 7200)
    assert len(leaning) == len(fair) == often
    assert Fraction(int((leaning == 17).sum()), often) == Fraction(1005, 1000) / POCKETS
    biased, even = (np.zeros(POCKETS, np.int64) for _ in range(2))
    generator = np.random.default_rng(4)
    draws = 0
    for _ in range(200):
        draws += MANY
        slots = generator.integers(0, often, MANY)
        biased += np.bincount(leaning[slots], minlength=POCKETS)
        even += np.bincount(fair[slots], minlength=POCKETS)
    assert is_believed(even)
    assert not is_believed(biased)
    worst = min(battery.frequencies(biased), key=lambda result: result.chance)
    assert worst.test == "pocket 17"
    record(
        "F4",
        "one pocket that comes 1.005 times as often is caught",
        draws=draws,
        by=worst.test,
        chance=told(worst.chance),
    )


def is_believed(counts: Counts) -> bool:
    """What the battery says of how often the numbers came, as strict as with all its tests."""
    others = battery.how_many() - POCKETS - 1
    whole = (*battery.frequencies(counts), *[battery.Result("other", 1.0)] * others)
    return Verdict(whole).is_believed


# Sources that the numbers do not show -------------------------------------------------------------


class TwisterEntropy:
    """Secrets of a Mersenne Twister: the mistake that a house must not make."""

    def __init__(self, seed: int) -> None:
        self._source = twister(seed)

    def secret(self) -> bytes:
        return self._source.randbytes(4 * WORDS)


def foreseen(secrets: Sequence[bytes]) -> bytes:
    """The next secret, if a twister made these: its state is read off its last 624 words."""
    words = np.frombuffer(b"".join(secrets), "<u4")[-TWISTER_WORDS:]
    state = (3, (*(untempered(int(word)) for word in words), TWISTER_WORDS), None)
    source = twister(0)
    source.setstate(state)
    return source.randbytes(4 * WORDS)


def untempered(word: int) -> int:
    """The word of a twister's state behind a word that it gave: its four steps, backwards."""
    word ^= word >> 18
    word ^= word << 15 & 0xEFC60000
    found = word
    for _ in range(4):  # Each time seven more bits are right.
        found = word ^ found << 7 & 0x9D2C5680
    word = found
    for _ in range(2):  # And here eleven more.
        found = word ^ found >> 11
    return found


@pytest.mark.slow
def test_f4_a_twister_behind_the_ball_is_foreseen_from_its_revealed_secrets() -> None:
    entropy = TwisterEntropy(7)
    revealed = [entropy.secret() for _ in range(ENOUGH)]
    for spin in range(1, 101):
        guess = foreseen(revealed)
        secret = entropy.secret()
        assert guess == secret
        drawn = draw("1", spin, secret, {}, pockets=POCKETS)
        assert draw("1", spin, guess, {}, pockets=POCKETS) == drawn
        revealed.append(secret)
    numbers = of_bytes(
        bytes(draw("1", n, entropy.secret(), {}, pockets=POCKETS) for n in range(200_000))
    )
    rejecting = twister(8)
    others = of_bytes(bytes(rejecting.randrange(POCKETS) for _ in range(200_000)))
    for unseen in (numbers, others):
        assert battery.judge(unseen).is_believed, "if the numbers show it, say so in this file"
    record(
        "F4",
        "MT19937 behind the ball draws numbers that pass, and is foreseen from its secrets",
        secrets_needed=ENOUGH,
        secrets_foreseen="100 of 100",
    )


def test_f4_the_house_is_not_foreseen() -> None:
    entropy = SystemEntropy()
    revealed = [entropy.secret() for _ in range(ENOUGH)]
    for _ in range(100):
        guess = foreseen(revealed)
        revealed.append(entropy.secret())
        assert guess != revealed[-1]
