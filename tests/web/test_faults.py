"""What strangers and players are told when the house fails: no file, no address and no driver."""

from __future__ import annotations

import logging
import re

import pytest

from novamas.house import failures
from novamas.house.log.store import Batch, StoreError
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.people.registry import LOG
from novamas.web.json_logging import JsonLines
from tests.web.door import Role, open_door, run

DETAILS = (
    "/srv/casino/house.db: apsw.FullError: database or disk is full",
    "PostgreSQL: psycopg.OperationalError: connection to server at 10.0.0.7 failed",
)
TELLING = re.compile(r"srv|house\.db|apsw|psycopg|sql|10\.0|Error", re.IGNORECASE)


class TellingStore(MemoryStore):
    """A store that fails, and says a lot."""

    says: str | None = None
    reads = True

    def append(self, batch: Batch, *others: Batch) -> None:
        if self.says is not None:
            raise StoreError(self.says)
        super().append(batch, *others)

    def tables(self) -> list[str]:
        if self.says is not None and not self.reads:
            raise StoreError(self.says)
        return list(super().tables())


@pytest.mark.parametrize("detail", DETAILS)
@run
async def test_no_failure_tells_what_the_house_is_made_of(
    detail: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    store = TellingStore()
    async with open_door(store) as door:
        await door.set_up("t", "bg")
        await door.set_up("u", "bg")
        management, ana = door.bearer(Role.MANAGEMENT), door.session(Role.PLAYER, "ana")
        said: list[str] = []
        async with door.socket("t", ana) as socket, door.socket("u", ana) as other:
            await socket.must("Sit")
            store.says = detail
            said.append(str(await socket.give("BuyChips", player="ana", amount=100)))
            said.append(str(await other.give("Sit")))
            said.append(str(await other.end()))
        body = {"table": "v", "rulebook": "bg"}
        said.append((await door.http.post("/api/tables", json=body, headers=management)).text)
        store.reads = False
        door.people.registry.unwitnessed = detail
        paths = ("health", "ready", "tables", "tables/t", "tables/u", "mode")
        said += [(await door.http.get(f"/api/{path}")).text for path in paths]
        said.append((await door.http.get("/metrics", headers=management)).text)
        store.says = None
    told = "\n".join(said)
    assert not TELLING.findall(told), told
    references = set(re.findall(r"\(reference ([0-9a-f]{8})\)", told))
    assert references
    kept = {getattr(each, "reference", None): each for each in caplog.records}
    for reference in references:
        line = JsonLines().format(kept[reference])
        assert detail.partition(":")[0] in line
        assert reference in line
    assert LOG in store.tables()


def test_the_same_failure_has_one_reference_and_is_logged_once_a_minute(
    caplog: pytest.LogCaptureFixture,
) -> None:
    said = {failures.reported(failures.STORE_FAILED, StoreError(DETAILS[0])) for _ in range(100)}
    assert len(said) == 1
    assert len(caplog.records) == 1
    for number in range(1_000):
        failures.reported(failures.STORE_FAILED, f"{number}")
    assert len(failures._logged) == failures.REMEMBERED
