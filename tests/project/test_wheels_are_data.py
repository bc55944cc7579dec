"""How many pockets a wheel has is for a book to say: no code counts 37 of them."""

import ast
import re
from pathlib import Path

import pytest

from scripts.ledger import ROOT

SOURCES = sorted((ROOT / "src" / "novamas").rglob("*.py"))
SCREENS = sorted(
    path
    for kind in ("*.ts", "*.svelte")
    for path in (ROOT / "ui" / "src").rglob(kind)
    if not re.search(r"generated|\.d\.ts$|/i18n/|\.test\.ts$", str(path))
)
COUNTS = (36, 37, 38, 39)
NUMBERS = {
    # The numbers 1 to 36, which every wheel has, and the orders of the two wheels with a name.
    "src/novamas/game/wheel.py": {36, 37},
    # A player's verifier is one file that imports nothing of the house.
    "src/novamas/house/ball/verify_ball.py": {36},
    "ui/src/table/ball.ts": {36},
}
COUNTED = re.compile(
    r"(?:length:|<=?|>=?|===?|!==?|%|Array\(|LAST =|POCKETS =|[+])\s*(3[6-9])\b(?![.%\w])"
    r"|(?<![.\w-])(3[6-9])\s*(?:pockets|numbers)"
)

COUNTED_ALOUD = re.compile(r"\b(3[789]) [^\W\d]")
"""Such as "37 pockets", in any language."""


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def counts(text: str) -> set[int]:
    """The numbers in code, and in what it says, that may count the pockets of a wheel."""
    tree = ast.parse(text)
    # What stands alone is a docstring: an example may count the pockets of its wheel.
    examples = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in examples:
            if type(node.value) is int and node.value in COUNTS:
                found.add(node.value)
            elif isinstance(node.value, str):
                found |= {int(many) for many in COUNTED_ALOUD.findall(node.value)}
    return found


def counted_on_screens(text: str) -> set[int]:
    """The same in the code of the screens, where such numbers are mostly measures."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*|<style.*?</style>|\bd=\"[^\"]*\"", "", text, flags=re.DOTALL)
    return {int(one or other) for one, other in COUNTED.findall(code)}


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_no_module_counts_the_pockets_of_a_wheel(path: Path) -> None:
    assert counts(path.read_text("utf-8")) <= NUMBERS.get(name(path), set())


@pytest.mark.parametrize("path", SCREENS, ids=name)
def test_no_screen_counts_the_pockets_of_a_wheel(path: Path) -> None:
    assert counted_on_screens(path.read_text("utf-8")) <= NUMBERS.get(name(path), set())


@pytest.mark.parametrize(
    "guilty",
    ["range(37)", "x % 38", "n = 36 + 1", "if len(wheel) == 39: pass", "said = '38 pockets'"],
)
def test_a_module_that_counts_is_found(guilty: str) -> None:
    assert counts(guilty)


@pytest.mark.parametrize(
    "guilty",
    ["Array.from({ length: 37 })", "for (let n = 0; n < 37; n++)", "byte % 38", "new Array(37)"],
)
def test_a_screen_that_counts_is_found(guilty: str) -> None:
    assert counted_on_screens(guilty)


@pytest.mark.parametrize(
    "measure", ["size={36}", "ring: 37", "toString(36)", "y * 0.36", ".37 * x"]
)
def test_a_measure_counts_nothing(measure: str) -> None:
    assert not counted_on_screens(measure)
