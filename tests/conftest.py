"""What every test shares: marks, the programs of the system, a rulebook in another's place."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

from tests.collected import COLLECTED

# What the tests of the rules share fails with its values, like the tests themselves.
pytest.register_assert_rewrite("tests.rules.helpers", "tests.rules.alike")

if TYPE_CHECKING:
    from tests.postgres import Postgres

# The ordinary run repeats: the same tree has the same answer. The soak looks for what is new.
hypothesis.settings.register_profile("default", deadline=None, print_blob=True, derandomize=True)
hypothesis.settings.register_profile("soak", deadline=None, max_examples=2_000)
# One altered datum among a thousand: few examples, always the same ones, and nothing remembered.
hypothesis.settings.register_profile(
    "mutant", deadline=None, max_examples=20, derandomize=True, database=None
)
hypothesis.settings.load_profile(os.environ.get("NOVAMAS_HYPOTHESIS", "default"))


def put_in_place(override: str) -> None:
    """Let a rulebook be read from another file: `ar=some/file.toml`.

    This is how `scripts.mutate_rulebooks` brings an altered rulebook to the tests. It stands at the
    top of this file because a test module may load a rulebook while it is being imported.
    """
    from novamas import rulebooks

    house, _, path = override.partition("=")
    text = Path(path).read_text("utf-8")
    printed = rulebooks.source

    def source(id: str) -> str:
        return text if id == house else printed(id)

    rulebooks.source = source
    rulebooks.load.cache_clear()


if os.environ.get("NOVAMAS_RULEBOOK"):
    put_in_place(os.environ["NOVAMAS_RULEBOOK"])


@pytest.fixture(autouse=True)
def failures_logged_anew() -> None:
    """Let the server log each failure in each test.

    The server logs the same failure once a minute, whichever test of this process caused it first.
    """
    failures = sys.modules.get("novamas.house.failures")
    if failures is not None:
        failures._logged.clear()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse a mark that names nothing: it would count as a test of no rule."""
    config.stash[COLLECTED] = list(items)
    for item in items:
        for mark in item.iter_markers("rule"):
            if not mark.args or not all(isinstance(id, str) for id in mark.args) or mark.kwargs:
                raise pytest.UsageError(f"{item.nodeid}: write @pytest.mark.rule('AR-14.b', …)")


def pytest_collection_finish() -> None:
    """Spare the garbage collector: what was imported and collected stays until the end.

    To look through it again and again took a fifth of the time of some tests.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose program is missing; under CI=true every test must run."""
    for mark in item.iter_markers("program"):
        for name in mark.args:
            if shutil.which(name) is None:
                reason = f"{name} is not installed; scripts/system-packages installs it"
                if os.environ.get("CI") == "true":
                    pytest.fail(reason)
                pytest.skip(reason)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """A PostgreSQL of the tests' own."""
    from tests.postgres import NotInstalledError, postgres

    with ExitStack() as stack:
        try:
            server = stack.enter_context(postgres())
        except NotInstalledError as missing:
            if os.environ.get("CI") == "true":
                pytest.fail(str(missing))
            pytest.skip(str(missing))
        yield server


@pytest.fixture
def database(postgres_server: Postgres) -> Iterator[str]:
    """The address of an empty database."""
    address = postgres_server.database()
    yield address
    postgres_server.give_back(address)
