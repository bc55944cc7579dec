"""Every rule of the books is named by a test, or says why software has nothing to do there."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import ledger, rule_coverage
from tests.collected import COLLECTED

LEDGER = Path(__file__).with_name("ledger.txt").read_text("utf-8").split()


def with_marks() -> set[Path]:
    """The files of tests that name rules."""
    files = (ledger.ROOT / "tests").rglob("test_*.py")
    return {each for each in files if "mark.rule" in each.read_text("utf-8")}


@pytest.fixture(scope="module")
def named(pytestconfig: pytest.Config) -> dict[str, list[str]]:
    """The rules that each test names.

    A run of all tests has collected them already. Another collects them apart: that takes long.
    """
    collected = pytestconfig.stash[COLLECTED]
    in_part = any("::" in each for each in pytestconfig.args)
    if not in_part and with_marks() <= {item.path for item in collected}:
        return rule_coverage.named_by(collected)
    done = subprocess.run(
        [sys.executable, "-m", "scripts.rule_coverage", "--list"],
        cwd=ledger.ROOT,
        env={k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "NOVAMAS_"))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def test_the_books_have_exactly_the_rules_of_the_ledger() -> None:
    in_books = [id for book in ledger.books().values() for id in ledger.articles(book)]
    assert sorted(in_books) == sorted(LEDGER)


def test_every_rule_has_a_test_or_a_reason(named: dict[str, list[str]]) -> None:
    shelf = ledger.books()
    tested = rule_coverage.tests_by_rule(named, ledger.known_ids(shelf))
    reasons = {
        id
        for book in shelf.values()
        for id, article in ledger.articles(book).items()
        if str(article.get("nothing_to_do", "")).strip()
    }
    bare = [id for id in LEDGER if id not in tested and id not in reasons]
    assert not bare, f"{len(bare)} rules have neither a test nor a reason: {' '.join(bare)}"


def test_no_test_names_a_rule_that_no_book_has(named: dict[str, list[str]]) -> None:
    known = ledger.known_ids(ledger.books())
    unknown = [
        f"{test} names {id}"
        for test, ids in named.items()
        for id in ids
        if not ledger.meaning(id, known)
    ]
    assert not unknown, "\n".join(unknown)


def test_the_page_is_up_to_date(named: dict[str, list[str]]) -> None:
    shelf = ledger.books()
    tests = rule_coverage.tests_by_rule(named, ledger.known_ids(shelf))
    committed = rule_coverage.PAGE.read_text("utf-8") if rule_coverage.PAGE.exists() else ""
    current = committed == rule_coverage.page(shelf, tests)
    assert current, f"docs/reference/rule-coverage.md is out of date: run `{rule_coverage.REFRESH}`"


def test_an_id_without_suffix_means_all_its_parts() -> None:
    assert ledger.meaning("AR-14", LEDGER) == {"AR-14.a", "AR-14.b", "AR-14.c", "AR-14.d"}
    assert ledger.meaning("IT-general-2", LEDGER) == {"IT-general-2a", "IT-general-2b"}
    assert ledger.meaning("ES-7.2.b", LEDGER) == {f"ES-7.2.b{n}" for n in range(1, 6)}
    assert ledger.meaning("AR-10", LEDGER) == {"AR-10"}
    assert not ledger.meaning("AR-99", LEDGER)
    assert not ledger.meaning("IT", LEDGER)


def test_a_skipped_test_covers_nothing(tmp_path: Path) -> None:
    module = tmp_path / "test_sample.py"
    module.write_text(
        "import pytest\n"
        "pytestmark = pytest.mark.rule('AR-1')\n"
        "@pytest.mark.skip\ndef test_skipped(): ...\n"
        "@pytest.mark.xfail\ndef test_expected_to_fail(): ...\n"
        "@pytest.mark.parametrize('n', [pytest.param(1, marks=pytest.mark.rule('AR-2.a'))])\n"
        "def test_row(n): ...\n"
    )
    program = "import json, sys; from scripts.rule_coverage import collect as c; "
    program += "print(json.dumps(c(*sys.argv[1:])))"
    done = subprocess.run(
        [sys.executable, "-c", program, module],
        cwd=ledger.ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    (ids,) = json.loads(done.stdout).values()
    assert ids == ["AR-1", "AR-2.a"]
