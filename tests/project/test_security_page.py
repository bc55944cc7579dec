"""The page on security is whole and true: each requirement once, and what it names is there.

`asvs.txt` lists the requirements of levels 1 and 2 of OWASP ASVS 5.0 by their ids alone.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from typing import NamedTuple

import pytest

from novamas.house import input_bounds
from novamas.house.people import decide
from novamas.web import (
    app,
    command_reader,
    connections,
    factor_proofs,
    passwords,
    quotas,
    server,
    sessions,
)
from novamas.web import (
    guess_throttle as throttle,
)
from scripts.ledger import ROOT

PAGE = (ROOT / "docs" / "reference" / "security.md").read_text("utf-8")
KINDS = ("Tested", "By design", "Does not apply")
"""How a requirement is answered; an open one is no answer."""
ID = r"\d+\.\d+\.\d+"
ROW = re.compile(rf"\| ({ID}[^|]*) \| ([^|]+) \| ([^|]+) \|")
CODE = re.compile(r"`([^`\s]+)`")
FOLDERS = ("src/", "tests/", "docs/", "deploy/", "ui/", "scripts/", "requirements/")


class Answer(NamedTuple):
    """A row of the checklist."""

    ids: tuple[str, ...]
    kind: str
    text: str


def wanted() -> list[str]:
    """Every requirement, in order."""
    lines = (ROOT / "tests" / "project" / "asvs.txt").read_text("utf-8").splitlines()
    found = [line.split(":") for line in lines]
    return [f"{section}.{number}" for section, numbers in found for number in numbers.split()]


def listed(text: str) -> list[str]:
    """The ids of a row's first cell; `to` stands for those between."""
    ids = wanted()
    found: list[str] = []
    for part in text.split(", "):
        first, _, last = part.partition(" to ")
        if last:
            assert first.rpartition(".")[0] == last.rpartition(".")[0], f"{part}: of one section"
            found += ids[ids.index(first) : ids.index(last) + 1]
        else:
            found.append(first)
    return found


def answers(page: str) -> list[Answer]:
    """The rows of the checklist."""
    rows = [ROW.fullmatch(line) for line in page.splitlines() if re.match(rf"\| {ID}", line)]
    found = []
    for row in rows:
        assert row is not None, "a row has three cells"
        kind, _, text = row[3].partition(": ")
        found.append(Answer(tuple(listed(row[1])), kind, text))
    return found


@cache
def names_in(path: str) -> frozenset[str]:
    """The tests of a file."""
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(
        each.name for each in tree.body if isinstance(each, kinds) and each.name.startswith("test_")
    )


def problems(page: str) -> list[str]:
    """What is wrong with a page."""
    rows = answers(page)
    ids = Counter(id for row in rows for id in row.ids)
    wrong = [f"{id} is missing" for id in wanted() if id not in ids]
    wrong += [f"{id} is no requirement of levels 1 and 2" for id in ids if id not in wanted()]
    wrong += [f"{id} stands there {many} times" for id, many in ids.items() if many > 1]
    for row in rows:
        if row.kind not in KINDS or not row.text:
            wrong.append(f"{row.ids[0]}: {row.kind!r} is no answer")
        if row.kind == "Tested" and "::test_" not in row.text:
            wrong.append(f"{row.ids[0]}: by which test?")
    for name in CODE.findall(page):
        path, _, test = name.partition("::")
        if not path.startswith(FOLDERS):
            continue
        if not (ROOT / path).is_file():
            wrong.append(f"there is no {path}")
        elif test and test not in names_in(path):
            wrong.append(f"{path} has no {test}")
    return wrong


def test_every_requirement_has_one_answer_that_can_be_looked_up() -> None:
    assert len(wanted()) == 253
    assert problems(PAGE) == []


def test_the_page_counts_its_answers() -> None:
    counted: Counter[str] = Counter()
    for row in answers(PAGE):
        counted[row.kind] += len(row.ids)
    tested, by_design, no_such_thing = (counted[kind] for kind in KINDS)
    sentence = (
        f"Of {len(wanted())}: {tested} tested, {by_design} by design, "
        f"{no_such_thing} that do not apply."
    )
    assert sentence in PAGE, sentence


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("| 1.1.1 |", "| 1.1.2 |", "1.1.1 is missing"),
        ("| 1.1.1 |", "| 1.1.1, 1.1.2 |", "1.1.2 stands there 2 times"),
        ("| 1.1.1 |", "| 1.1.1, 3.1.1 |", "3.1.1 is no requirement of levels 1 and 2"),
        ("By design: a body", "Surely: a body", "1.1.1: 'Surely' is no answer"),
        ("By design: a body", "Open: a body", "1.1.1: 'Open' is no answer"),
        ("::test_one_request_is_not_two", "::test_no", "test_security.py has no test_no"),
        ("`deploy/nginx.conf`", "`deploy/apache.conf`", "there is no deploy/apache.conf"),
    ],
)
def test_what_is_wrong_with_the_page_is_found(old: str, new: str, found: str) -> None:
    assert old in PAGE
    assert any(found in each for each in problems(PAGE.replace(old, new, 1)))


def test_the_bounds_of_the_page_are_those_of_the_house() -> None:
    minutes, hours = 60_000, 60 * 60_000
    for told in (
        f"| {passwords.SHORTEST} to {passwords.LONGEST} characters, 10⁸ guesses;",
        f"| {throttle.TRIES} in a minute, {throttle.ADDRESS_DAY} in a day | 429 |",
        f"| {throttle.FAILURES} in 15 minutes, {throttle.PAIR_DAY} in a day | no password is right",
        f"| {throttle.FAILURES} in 15 minutes, {throttle.OWN_DAY} in a day | no password is right",
        f"| {throttle.STRANGERS_DAY} in a day | for a day strangers show password and code at once",
        f"| {throttle.CODES_DAY} in a day | no stranger's code is right",
        f"| {factor_proofs.STEP} seconds, one step early or late |",
        f"| {factor_proofs.CHALLENGED // minutes} minutes |",
        f"for {decide.FIRST_PASSWORD // hours} hours |",
        f"| {factor_proofs.DEVICE // 86_400} days |",
        f"| requests from an address | {app.REQUESTS:.0f} a second, {app.AT_ONCE:.0f} at once |",
        (
            f" and requests that change something | {server.RATE:.0f} a second, "
            f"{2 * server.RATE:.0f} at once; {quotas.BYTES / 1024:.0f} KiB a second, "
            f"{quotas.BYTES_AT_ONCE / 1024:.0f} KiB at once |"
        ),
        (
            f"| refusals kept of a person | {quotas.REFUSALS:.0f} a second, "
            f"{quotas.REFUSALS_AT_ONCE:.0f} at once; "
            f"{input_bounds.LONGEST_DETAIL} characters each |"
        ),
        (
            f"| sockets of a person; onlookers of an address | {quotas.SOCKETS}; "
            f"{quotas.ONLOOKERS} |"
        ),
        (
            f"less {connections.RESERVED}; of strangers of one address a quarter, at least "
            f"{server.EACH} |"
        ),
        (
            f"| the head of a request; its body | {connections.HEADER_SECONDS:.0f} seconds and "
            f"{connections.LARGEST_HEAD // 1024} KiB; {connections.BODY_SECONDS:.0f} seconds |"
        ),
        (
            f"| {app.LARGEST_BODY // 1024} KiB; "
            f"{command_reader.LARGEST_MESSAGE // 1024} KiB; a queue |"
        ),
        f"| passwords worked out at a time | {passwords.AT_ONCE},",
        f"| {decide.SESSION // hours} hours; a post of the staff {sessions.IDLE / 60:.0f} minutes",
        f"| sessions of one person | {decide.SESSIONS} |",
    ):
        assert told in PAGE
    assert passwords.GUESSES == 10**8
    assert (throttle.MINUTE, throttle.QUARTER) == (60, 15 * 60)
    assert 24 * hours == decide.LOCKED_OUT
    (words,) = re.findall(r"none of \*([^*]+)\*", PAGE)
    assert set(words.split(", ")) == passwords.HOUSE_WORDS
