"""Fixtures of the room: a browser, houses in processes of their own, and whoever comes in."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from novamas.web.static_files import BUILT
from tests.promises.running import Running, Starter
from tests.room.dealing import Dealer
from tests.room.people import PATIENCE, SIZES, Visitor, chromium

HERE = Path(__file__).parent
PACE = {
    "betting": 6.0,
    "warning": 2.0,
    "launched": 2.0,
    "running": 2.0,
    "called": 1.0,
    "paying": 1.0,
}
"""A quick house: a coup takes fourteen seconds."""

PATIENT = {
    "betting": 3600.0,
    "warning": 0.0,
    "launched": 3600.0,
    "running": 0.0,
    "called": 3600.0,
    "paying": 3600.0,
}
"""A house whose automatic croupier waits for the test, however long the machine takes.

The test gives the croupier's next command before its time; only the ball falls by itself.
"""

Visit = Callable[..., Visitor]
Open = Callable[..., Running]
Deal = Callable[..., Dealer]
DealAt = Callable[[Running, str], Dealer]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test here needs a browser, and its time."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.program("chromium"))
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.browser)


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Notes whether a test failed, so that whoever is in the room then leaves a picture of it."""
    report = yield
    if call.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser for all tests; each visitor has windows and a memory of their own in it."""
    if not (BUILT / "index.html").is_file():
        pytest.fail("the room is not built: scripts/room build")
    expect.set_options(timeout=PATIENCE)
    with chromium() as found:
        yield found


@pytest.fixture(scope="session")
def starter() -> Iterator[Starter]:
    """Starts houses in processes of their own."""
    with Starter() as found:
        yield found


@pytest.fixture(scope="session")
def house(starter: Starter) -> Iterator[Running]:
    """A quick house in memory, with a table of each rulebook; tests set up tables of their own."""
    running = starter.start(port=0, pace=PACE)
    yield running
    running.stop()


@pytest.fixture
def own_house(starter: Starter) -> Iterator[Open]:
    """Opens a house for one test, however it likes it."""
    opened: list[Running] = []

    def open_house(**options: Any) -> Running:
        opened.append(starter.start(**{"port": 0, "pace": PACE, **options}))
        return opened[-1]

    yield open_house
    for each in opened:
        each.end()


@pytest.fixture(scope="session")
def management() -> Callable[[Running], str]:
    """The management's token at a house; its key is good once."""
    tokens: dict[int, str] = {}

    def of(house: Running) -> str:
        if house.pid not in tokens:
            tokens[house.pid] = house.token("management")
        return tokens[house.pid]

    return of


@pytest.fixture
def deal(management: Callable[[Running], str]) -> Iterator[Deal]:
    """Sets a table with a wheel up that the test deals; asked again, it deals one more."""
    with ExitStack() as stack:

        def set_up(house: Running, table: str, rulebook: str, **how: Any) -> Dealer:
            dealer = Dealer(house.url.rstrip("/"), management(house), table, rulebook)
            stack.enter_context(dealer).set_up(**how)
            return dealer

        yield set_up


@pytest.fixture
def lay_out(management: Callable[[Running], str]) -> Iterator[Deal]:
    """Sets a table with a wheel up that the test opens itself."""
    with ExitStack() as stack:

        def set_up(house: Running, table: str, rulebook: str, **how: Any) -> Dealer:
            dealer = Dealer(house.url.rstrip("/"), management(house), table, rulebook)
            stack.enter_context(dealer).lay_out(**how)
            return dealer

        yield set_up


@pytest.fixture
def deal_at(management: Callable[[Running], str]) -> Iterator[DealAt]:
    """Takes the staff of one of the house's own tables in hand, which is called as its rulebook."""
    with ExitStack() as stack:

        def take(house: Running, table: str) -> Dealer:
            dealer = Dealer(house.url.rstrip("/"), management(house), table, table)
            return stack.enter_context(dealer)

        yield take


@pytest.fixture
def visit(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Lets somebody in, with a browser of their own; no browser may have reported an error."""
    came: list[Visitor] = []

    def come(house: Running, *, size: str = "wide", **more: Any) -> Visitor:
        phone = {"is_mobile": True, "has_touch": True} if size == "phone" else {}
        settings = {"locale": "en-GB", "reduced_motion": "reduce", **phone, **more}
        context = browser.new_context(viewport=SIZES[size], **settings)  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE)
        visitor = Visitor(context, context.new_page(), house.url.rstrip("/"), size)
        visitor.listen()
        came.append(visitor)
        return visitor

    yield come
    unexpected = [complaint for visitor in came for complaint in visitor.unexpected]
    for number, visitor in enumerate(came):
        if request.node.stash.get(FAILED, False):
            visitor.shoot_as_it_is(f"failed/{request.node.name}-{number}")
        visitor.leave()
    assert unexpected == []
