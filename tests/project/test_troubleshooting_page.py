"""Every message on the page of troubleshooting is one that the program prints."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from scripts.ledger import ROOT

PAGE = ROOT / "docs" / "how-to" / "troubleshooting.md"
FROM_TOOLS = {"Broken contracts"}
"""What a tool prints that is not ours."""
DIFFERS = "…"


def messages(page: str) -> list[str]:
    """The first cells of the tables, without their quotes."""
    rows = re.findall(r"^\| `(.+?)` \|", page, flags=re.MULTILINE)
    return [row for row in rows if row not in FROM_TOOLS]


@cache
def printed() -> str:
    """Every text of the program, one a line; what is filled in stands as an ellipsis."""
    lines = [text for path in sources("src", "py") for text in of_python(path)]
    lines += [text for path in sources("tests/project", "py") for text in of_python(path)]
    lines += [of_typescript(path.read_text("utf-8")) for path in sources("ui/src", "ts")]
    lines += [(ROOT / "Makefile").read_text("utf-8")]
    return "\n".join(lines)


def sources(folder: str, ending: str) -> list[Path]:
    found = (ROOT / folder).rglob(f"*.{ending}")
    return [path for path in found if path.name != Path(__file__).name]


def of_python(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) in docstrings:
            continue
        if isinstance(node, ast.JoinedStr):
            yield template(node)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left, right = (
                template(side) if isinstance(side, ast.JoinedStr | ast.Constant) else DIFFERS
                for side in (node.left, node.right)
            )
            yield left + right
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
            # Reasons of refusals are printed with blanks.
            yield node.value.replace("_", " ")


def template(node: ast.AST) -> str:
    """A text with an ellipsis for every part that is filled in."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(template(part) for part in node.values)
    return DIFFERS


def of_typescript(text: str) -> str:
    return re.sub(r"\$\{[^}]*\}", DIFFERS, text)


def unknown(page: str) -> list[str]:
    """The messages that no text of the program has."""
    return [message for message in messages(page) if not is_printed(message)]


def is_printed(message: str) -> bool:
    """Whether the program has a text with all parts of a message, in their order."""
    parts = [re.escape(part) for part in message.strip(DIFFERS).split(DIFFERS)]
    return re.search("[^\n]*?".join(parts), printed()) is not None


def test_every_message_is_one_that_the_program_prints() -> None:
    page = PAGE.read_text("utf-8")
    assert len(messages(page)) > 40
    assert unknown(page) == []


def test_a_message_that_nobody_prints_is_found() -> None:
    row = "| `the wheel has come off` | it fell | put it back |\n"
    assert unknown(row) == ["the wheel has come off"]
    assert unknown("| `port …: …` | in use | another |\n") == []


def test_a_message_is_not_made_of_parts_of_several_texts() -> None:
    assert not is_printed("there is no such store … there is no table")
