"""F13: what a house that seats confederates can still do: the odds in docs/explanation/fairness.md.

With one text of an honest player among them, the house cannot make a number by its secret, nor by
the text of a confederate. All that is left is not to open a text: each seat that does so doubles
the number of balls to choose from, and is recorded.
"""

import hashlib
import math
import random
import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import pytest

import novamas
from novamas.game.wheel import EUROPEAN, RED
from novamas.house.ball import fair_draw
from tests.promises.figures import record

POCKETS = len(EUROPEAN)
TABLE, WANTED = "t", {0}
FAIRNESS = Path(novamas.__file__).parents[2] / "docs" / "explanation" / "fairness.md"


def chance(wanted: int, withheld: int) -> Fraction:
    """The chance that one of the balls at hand falls on one of so many numbers."""
    return 1 - Fraction((POCKETS - wanted) ** 2**withheld, POCKETS**2**withheld)


def spins_won(
    source: random.Random, many: int, confederates: int, wanted: set[int], *, honest: bool
) -> int:
    """How often a house gets its way that tries secrets, texts, and then what to withhold."""
    won = 0
    for spin in range(1, many + 1):
        secret, texts = best_before(source, spin, confederates, wanted)
        if honest:
            texts = {**texts, "honest": source.randbytes(16).hex()}
        won += best_after(spin, secret, texts, wanted)
    return won


def best_before(
    source: random.Random, spin: int, confederates: int, wanted: set[int]
) -> tuple[bytes, dict[str, str]]:
    """A secret and texts that make the number, as far as the house knows at that time."""
    while True:
        secret = source.randbytes(32)
        texts = {f"confederate {n}": f"{source.getrandbits(32)}" for n in range(confederates)}
        if fair_draw.draw(TABLE, spin, secret, texts, pockets=POCKETS) in wanted:
            return secret, texts


def best_after(spin: int, secret: bytes, texts: Mapping[str, str], wanted: set[int]) -> bool:
    """Whether the house gets its way by not opening some of its confederates' texts."""
    own = [name for name in texts if name.startswith("confederate")]
    for kept_back in range(2 ** len(own)):
        hidden = {name for place, name in enumerate(own) if kept_back >> place & 1}
        opened = {name: text for name, text in texts.items() if name not in hidden}
        withheld = {name: hashlib.sha256(texts[name].encode()).hexdigest() for name in hidden}
        if fair_draw.draw(TABLE, spin, secret, opened, withheld, pockets=POCKETS) in wanted:
            return True
    return False


def test_f13_without_an_honest_text_the_house_makes_any_number() -> None:
    """So it must not be said otherwise: whoever sets no text trusts the house."""
    source = random.Random(1)  # noqa: S311 - a house that cheats may use what it likes
    assert spins_won(source, 300, 1, WANTED, honest=False) == 300


@pytest.mark.slow
@pytest.mark.parametrize("withheld", [0, 1, 2, 3])
@pytest.mark.parametrize("wanted", [{0}, {*range(POCKETS)} - RED], ids=["zero", "not red"])
def test_f13_with_an_honest_text_the_odds_are_those_that_are_told(
    withheld: int, wanted: set[int]
) -> None:
    many = 3_000
    source = random.Random(withheld)  # noqa: S311 - any honest text will do
    won = spins_won(source, many, withheld, wanted, honest=True)
    expected = float(chance(len(wanted), withheld))
    spread = math.sqrt(many * expected * (1 - expected))
    assert abs(won - many * expected) < 5 * spread + 1
    record(
        "F13",
        f"a house that wants {len(wanted)} of 37 numbers, with {withheld} seats that withhold",
        spins=many,
        got_its_way=won / many,
        as_told=expected,
    )


def test_f13_the_document_tells_these_odds() -> None:
    """Every row of the table of odds in docs/explanation/fairness.md."""
    row_of_odds = re.compile(r"^\| (\d) \| (\d+) \| ([\d.]+) % \| ([\d.]+) % \|", re.MULTILINE)
    rows = row_of_odds.findall(FAIRNESS.read_text("utf-8"))
    assert [int(row[0]) for row in rows] == [0, 1, 2, 3]
    for withheld, balls, zero, red in rows:
        assert int(balls) == 2 ** int(withheld)
        assert zero == f"{100 * float(chance(1, int(withheld))):.1f}"
        assert red == f"{100 * float(chance(19, int(withheld))):.1f}"
