"""F1: every pocket is equally likely, by exhaustion."""

import ast
import inspect
from collections import Counter

import pytest

from novamas.game.wheel import POCKETS
from novamas.house.ball import fair_draw
from tests.promises.figures import record


def test_f1_every_pocket_has_exactly_six_bytes() -> None:
    drawn = {byte: fair_draw.number_of(bytes([byte])) for byte in range(256)}
    pockets = Counter(number for number in drawn.values() if number is not None)
    assert pockets == dict.fromkeys(range(POCKETS), 6)
    refused = [byte for byte, number in drawn.items() if number is None]
    assert refused == list(range(222, 256))
    record(
        "F1",
        "each pocket has as many bytes as any other; the rest are thrown away",
        bytes_tried=256,
        bytes_for_each_pocket=min(pockets.values()),
        bytes_thrown_away=len(refused),
    )


def test_f1_a_byte_that_is_thrown_away_has_no_say() -> None:
    """What comes of two bytes, all 65,536 of them, is what comes of the first that counts."""
    pockets: Counter[int | None] = Counter()
    for first in range(256):
        alone = fair_draw.number_of(bytes([first]))
        for second in range(256):
            number = fair_draw.number_of(bytes([first, second]))
            assert number == (alone if alone is not None else fair_draw.number_of(bytes([second])))
            pockets[number] += 1
    nobody = pockets.pop(None)
    assert nobody == 34 * 34
    assert set(pockets.values()) == {6 * 256 + 34 * 6}
    record(
        "F1",
        "and so it is when the second byte is looked at",
        pairs_tried=65_536,
        pairs_for_each_pocket=6 * 256 + 34 * 6,
    )


def test_f1_no_bare_modulo_stands_between_a_byte_and_a_pocket() -> None:
    """Only `number_of` takes a remainder, and only of what it has found to be below 222."""
    tree = ast.parse(inspect.getsource(fair_draw))
    remainders = [
        (function.name, ast.unparse(node))
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Mod)
    ]
    assert remainders == [("number_of", "byte % POCKETS")]
    assert fair_draw.FAIR == 222 == 6 * POCKETS
    assert {fair_draw.number_of(bytes([byte] * 3)) for byte in range(fair_draw.FAIR, 256)} == {None}


def test_f1_the_draw_goes_on_until_a_byte_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block where no byte counts, one in 10^28, is followed by the next."""
    blocks = iter([bytes([255] * 32), bytes([222, 250, 221, 0])])
    asked: list[bytes] = []

    def digest(_: bytes, message: bytes, kind: str) -> bytes:
        assert kind == "sha256"
        asked.append(message[-4:])
        return next(blocks)

    monkeypatch.setattr("hmac.digest", digest)
    assert fair_draw.draw("1", 1, bytes(32), {}) == 36
    assert asked == [bytes(4), bytes([0, 0, 0, 1])]
