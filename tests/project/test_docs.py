"""The examples of the documentation are true: each is run, and must print what the page shows."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from scripts.ledger import ROOT

PAGES = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(
    r"^(?P<indent> *)```(?P<kind>pycon|console)[^\n]*\n(?P<body>.*?)^ *```",
    re.MULTILINE | re.DOTALL,
)
NOVAMAS = Path(sys.executable).with_name("novamas")


class Block(NamedTuple):
    """An example of a page: what it holds and where it stands."""

    page: Path
    line: int
    body: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(kind: str, text: str, page: Path) -> Iterator[Block]:
    for fence in FENCE.finditer(text):
        if fence["kind"] == kind:
            indent = len(fence["indent"])
            lines = fence["body"].splitlines(keepends=True)
            body = "".join(line[indent:] if line.strip() else "\n" for line in lines)
            yield Block(page, text[: fence.start()].count("\n") + 1, body)


def all_blocks(kind: str) -> list[Block]:
    return [block for page in PAGES for block in blocks(kind, page.read_text("utf-8"), page)]


def commands(body: str) -> list[tuple[str, list[str]]]:
    """Each command of a console block with the lines it is shown to print."""
    found: list[tuple[str, list[str]]] = []
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and found[-1][0].endswith("\\") and not found[-1][1]:
            found[-1] = (found[-1][0][:-1] + line.removeprefix("> ").lstrip(), [])
        elif found:
            found[-1][1].append(line)
    return found


def matches(shown: list[str], printed: list[str]) -> bool:
    """Whether the page shows what was printed; a line `...` stands for any lines, or none."""
    pattern = "".join(r"(?:.*\n)*?" if s.strip() == "..." else re.escape(s) + "\n" for s in shown)
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in printed)) is not None


def tidy(lines: list[str]) -> list[str]:
    """Lines without the blanks at their ends, nor empty lines at the end."""
    return "\n".join(line.rstrip() for line in lines).rstrip("\n").split("\n")


def run(command: str, *, at: Path) -> list[str]:
    """What a command of the page prints, as a reader at the top of the repository would see it."""
    for entry in ("docs", "tests", "README.md"):
        if not (at / entry).exists():
            (at / entry).symlink_to(ROOT / entry)
    typed, _, source = command.partition(" < ")
    program, *arguments = shlex.split(typed)
    assert program == "novamas"
    done = subprocess.run(
        [NOVAMAS, *arguments],
        cwd=at,
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "PYTHONUTF8": "1"},
        input=(at / source).read_text("utf-8") if source else "",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )
    return tidy(done.stdout.splitlines())


def sessions() -> list[list[Block]]:
    """The Python examples of each page that has any: from top to bottom they are one session."""
    found = [list(blocks("pycon", page.read_text("utf-8"), page)) for page in PAGES]
    return [session for session in found if session]


@pytest.mark.parametrize("session", sessions(), ids=lambda session: session[0].page.stem)
def test_python_examples(session: list[Block], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in session:
        parser = doctest.DocTestParser()
        example = parser.get_doctest(block.body, {}, str(block), str(block.page), block.line)
        example.globs = names
        assert example.examples, f"{block} shows no example"
        report: list[str] = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        result = runner.run(example, out=report.append, clear_globs=False)
        assert result.failed == 0, "".join(report)


@pytest.mark.parametrize("block", all_blocks("console"), ids=str)
def test_console_examples(block: Block, tmp_path: Path) -> None:
    for command, shown in commands(block.body):
        if command.split()[0] != "novamas":
            continue
        printed = run(command, at=tmp_path)
        assert matches(tidy(shown), printed), f"{block}: $ {command}\nprints\n" + "\n".join(printed)


def test_the_pages_are_found() -> None:
    assert ROOT / "docs" / "index.md" in PAGES


def test_a_page_that_shows_something_else_is_found() -> None:
    text = (
        "Look:\n\n```console\n$ novamas wheel \\\n>   --neighbours 17\n2 25\n...\n6\n$ make\n```\n"
    )
    (block,) = blocks("console", text, ROOT / "README.md")
    assert block.line == 3
    (command, shown), (other, _) = commands(block.body)
    assert command == "novamas wheel --neighbours 17"
    assert other == "make"
    assert matches(shown, ["2 25", "17", "34", "6"])
    assert matches(shown, ["2 25", "6"])
    assert not matches(shown, ["2 25", "17"])
    assert not matches(shown, ["2.25", "6"])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_an_extra_is_quoted_because_some_shells_look_for_files(page: Path) -> None:
    assert not re.search(r"pip install [^'\"\n]*novamas\[", page.read_text("utf-8"))
