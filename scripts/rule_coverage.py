"""Writes docs/reference/rule-coverage.md: which tests name which rule of the books.

    python -m scripts.rule_coverage          write the page
    python -m scripts.rule_coverage --list   print, as JSON, the rules that each test names

A test names the rules that it would see broken by `@pytest.mark.rule("AR-14.b", "AR-16")`. The
marks are read from the collected tests, not from their text, so it does not matter whether they
stand on a function, a class, a module or one row of a parametrised table.
"""

import argparse
import contextlib
import io
import json
import sys
from collections.abc import Iterable, Mapping

import pytest

from scripts import ledger

PAGE = ledger.ROOT / "docs" / "reference" / "rule-coverage.md"
REFRESH = "make coverage-page"

INTRODUCTION = f"""\
# Rule coverage

Every rule of the books, what it says, and the tests that would see it broken. Where software
has nothing to do, the reason stands in place of a test. This page is generated: `{REFRESH}` writes
it anew from the marks of the tests, and a test fails when it is out of date, when a rule has
neither a test nor a reason, or when a test names a rule that no book has.
"""


class MarkReader:
    """A plugin of pytest that reads which rules each collected test names."""

    def __init__(self) -> None:
        """Start with nothing read."""
        self.named: dict[str, list[str]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Read the marks of every test."""
        self.named = named_by(session.items)


def named_by(items: Iterable[pytest.Item]) -> dict[str, list[str]]:
    """The rules that each test names; one that is skipped or expected to fail shows nothing."""
    found = {}
    for item in items:
        if item.get_closest_marker("skip") or item.get_closest_marker("xfail"):
            continue
        ids = {id for mark in item.iter_markers("rule") for id in mark.args}
        if ids:
            found[item.nodeid] = sorted(ids)
    return found


def collect(*arguments: str) -> dict[str, list[str]]:
    """Collect the tests in this process and return the rules that each names, as it writes them."""
    reader = MarkReader()
    output = io.StringIO()
    options = ["--collect-only", "--quiet", "-p", "no:cacheprovider", "-p", "no:xdist"]
    with contextlib.redirect_stdout(output):
        code = pytest.main(
            [*options, f"--rootdir={ledger.ROOT}", *(arguments or [str(ledger.ROOT / "tests")])],
            plugins=[reader],
        )
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        # Below the list of some thousand tests stands what went wrong.
        _, _, errors = output.getvalue().rpartition("= ERRORS =")
        raise SystemExit(f"the tests cannot be collected:\n{errors}")
    return reader.named


def tests_by_rule(named: Mapping[str, Iterable[str]], known: set[str]) -> dict[str, list[str]]:
    """Invert the mapping: for each rule the tests that name it, without parameters.

    >>> tests_by_rule({"tests/a.py::test_cascade[17]": ["AR-14"]}, {"AR-14.b", "AR-16"})
    {'AR-14.b': ['tests/a.py::test_cascade']}
    """
    found: dict[str, set[str]] = {}
    for test, ids in named.items():
        for id in ids:
            for one in ledger.meaning(id, known):
                found.setdefault(one, set()).add(test.split("[")[0])
    return {id: sorted(tests) for id, tests in sorted(found.items())}


def page(shelf: Mapping[str, ledger.Table], tests: Mapping[str, list[str]]) -> str:
    """The text of docs/reference/rule-coverage.md."""
    parts = [INTRODUCTION]
    known_readings: dict[str, str] = {}
    for id, book in shelf.items():
        articles = ledger.articles(book)
        tested = sum(1 for article in articles if tests.get(article))
        heading = f"## {id}: {len(articles)} rules, {tested} with tests\n\n"
        rows = [
            row(article, ledger.summary(text), shown(tests.get(article), text.get("nothing_to_do")))
            for article, text in articles.items()
        ]
        parts.append(heading + table("rule", rows))
        known_readings |= {k: ledger.summary(v) for k, v in ledger.readings(book).items()}
    rows = [row(k, v, shown(tests.get(k), None)) for k, v in known_readings.items() if k in tests]
    if rows:
        about = "## Readings\n\nWhat we take the books to mean where they are unclear.\n\n"
        parts.append(about + table("reading", rows))
    return "\n".join(parts)


def table(first: str, rows: Iterable[str]) -> str:
    """A table of the page."""
    return "\n".join([f"| {first} | what it says | tests |", "|---|---|---|", *rows, ""])


def cell(text: str) -> str:
    """The text, escaped for a table of the page."""
    return text.replace("|", "\\|").replace("\n", " ")


def row(id: str, text: str, tests: str) -> str:
    """A row of the page."""
    return f"| {id} | {cell(text)} | {tests} |"


def shown(tests: Iterable[str] | None, reason: str | None) -> str:
    """The last column: the tests, or why there is none, or both."""
    names = [f"`{test.removeprefix('tests/')}`" for test in tests or ()]
    if reason:
        names.append(f"*Nothing to do:* {cell(reason)}")
    return "<br>".join(names) or "**none**"


def current_page() -> str:
    """The page as it should be now."""
    shelf = ledger.books()
    return page(shelf, tests_by_rule(collect(), ledger.known_ids(shelf)))


def main() -> None:
    """Write the page, or list what each test names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--list", action="store_true", help="print the rules of each test as JSON")
    if parser.parse_args().list:
        json.dump(collect(), sys.stdout)
        return
    PAGE.write_text(current_page(), "utf-8")
    print(f"wrote {PAGE.relative_to(ledger.ROOT)}")


if __name__ == "__main__":
    main()
