"""F1: every pocket is equally likely, by exhaustion."""

import ast
import inspect
from collections import Counter

import pytest

from novamas.game.wheel import WHEELS
from novamas.house.ball import fair_draw
from tests.promises.figures import record

ON_37 = 37
"""The pockets of the wheel whose figures the promises show."""
EVERY_WHEEL = [ON_37, 38, 39]


def test_f1_every_wheel_of_the_house_is_tried() -> None:
    assert {len(wheel) for wheel in WHEELS.values()} <= {*EVERY_WHEEL}


@pytest.mark.parametrize(("wheel", "fair"), [(37, 222), (38, 228), (39, 234)])
def test_f1_every_pocket_has_exactly_six_bytes(wheel: int, fair: int) -> None:
    drawn = {byte: fair_draw.index_of(bytes([byte]), wheel) for byte in range(256)}
    pockets = Counter(index for index in drawn.values() if index is not None)
    assert pockets == dict.fromkeys(range(wheel), 6)
    refused = [byte for byte, index in drawn.items() if index is None]
    assert refused == list(range(fair, 256))
    if wheel == ON_37:
        record(
            "F1",
            "each pocket has as many bytes as any other; the rest are thrown away",
            bytes_tried=256,
            bytes_for_each_pocket=min(pockets.values()),
            bytes_thrown_away=len(refused),
        )


@pytest.mark.parametrize("wheel", EVERY_WHEEL)
def test_f1_a_byte_that_is_thrown_away_has_no_say(wheel: int) -> None:
    """What comes of two bytes, all 65,536 of them, is what comes of the first that counts."""
    thrown_away = 256 - 6 * wheel
    pockets: Counter[int | None] = Counter()
    each = [fair_draw.index_of(bytes([byte]), wheel) for byte in range(256)]
    for first, alone in enumerate(each):
        for second, other in enumerate(each):
            index = fair_draw.index_of(bytes([first, second]), wheel)
            assert index == (alone if alone is not None else other)
            pockets[index] += 1
    nobody = pockets.pop(None)
    assert nobody == thrown_away**2
    assert set(pockets.values()) == {6 * 256 + thrown_away * 6}
    if wheel == ON_37:
        record(
            "F1",
            "and so it is when the second byte is looked at",
            pairs_tried=65_536,
            pairs_for_each_pocket=6 * 256 + thrown_away * 6,
        )


def test_f1_no_bare_modulo_stands_between_a_byte_and_a_pocket() -> None:
    """Only `index_of` takes a remainder, and only of a byte that it has found to be fair."""
    tree = ast.parse(inspect.getsource(fair_draw))
    remainders = [
        (function.name, ast.unparse(node))
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Mod)
    ]
    assert remainders == [("index_of", "byte % pockets")]


def test_f1_the_fair_bytes_are_the_most_that_share_out_evenly() -> None:
    for pockets in range(1, 257):
        fair = fair_draw.fair_bytes(pockets)
        assert fair % pockets == 0
        assert fair <= 256 < fair + pockets
        thrown_away = {fair_draw.index_of(bytes([byte] * 3), pockets) for byte in range(fair, 256)}
        assert thrown_away <= {None}
    for none in (0, -1, 257):
        with pytest.raises(ValueError, match="cannot choose"):
            fair_draw.fair_bytes(none)


@pytest.mark.parametrize("wheel", EVERY_WHEEL)
def test_f1_the_draw_goes_on_until_a_byte_counts(
    monkeypatch: pytest.MonkeyPatch, wheel: int
) -> None:
    """A block where no byte counts, one in 10^28, is followed by the next."""
    fair = fair_draw.fair_bytes(wheel)
    blocks = iter([bytes([255] * 32), bytes([fair, 250, fair - 1, 0])])
    asked: list[bytes] = []

    def digest(_: bytes, message: bytes, kind: str) -> bytes:
        assert kind == "sha256"
        asked.append(message[-4:])
        return next(blocks)

    monkeypatch.setattr("hmac.digest", digest)
    assert fair_draw.draw("1", 1, bytes(32), {}, pockets=wheel) == wheel - 1
    assert asked == [bytes(4), bytes([0, 0, 0, 1])]
