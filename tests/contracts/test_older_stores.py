"""A house that an older version kept opens, verifies and goes on.

The stores were made by the code of those versions, on SQLite and on PostgreSQL, with every kind of
event that they had and with their own figures beside them.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import apsw
import msgspec
import pytest

from novamas.cli.main import main
from novamas.game.rulebook.behaviours import Act
from novamas.house.ball import verify_ball
from novamas.house.ball.fair_draw import SECRET_BYTES
from novamas.house.house import SelfCheckError
from novamas.house.leases import Leases
from novamas.house.log.backup import back_up, contents, restore
from novamas.house.log.codec import decode
from novamas.house.log.store import Lease, SharedStore, Store, StoreError, single_secret
from novamas.house.log.stores.addresses import open_durable
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.log.verify import Balls
from novamas.house.log.verify_house import check_conservation, verify_log
from novamas.house.people import decide, events, registry
from novamas.house.people.decide import RegisterError
from novamas.house.people.registry import LOG, Kept
from novamas.house.people.state import TABLES, table_account
from novamas.house.table import events as house_events
from novamas.house.table.events import BallMode, ChainReason
from novamas.table.commands import BuyChips, Sit
from novamas.table.state import Phase
from tests.older_stores import (
    FIRST_PASSWORD,
    HOUR,
    MADE,
    OWN_PASSWORD,
    TOKEN,
    VERSIONS,
    Older,
    Opened,
    load_dump,
    older,
    opened,
    unpacked,
)

CARRIED = "of_0_1_0"
"""The version that carried money between wallets and tables."""
GIVEN_BACK, LEFT_WITH = 300, 200
"""What was under way in that store: of luis to a table, and of a guest from one."""


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    """A version of which there is a store."""
    return str(request.param)


@pytest.fixture(params=["sqlite", "postgres"])
def old(request: pytest.FixtureRequest, version: str, tmp_path: Path) -> Iterator[Older]:
    """A house as that version kept it, on either store."""
    if request.param == "sqlite":
        yield older(version, str(unpacked(version, "house", tmp_path)))
        return
    address: str = request.getfixturevalue("database")
    load_dump(version, address)
    yield older(version, address)


@pytest.fixture
def carried(tmp_path: Path) -> Older:
    """A house of version 0.1.0 in a file."""
    return older(CARRIED, str(unpacked(CARRIED, "house", tmp_path)))


def wallets_of(old: Older) -> dict[str, int]:
    """What each wallet holds once nothing is under way any more."""
    found = dict(old.told["wallets"])
    if old.version == CARRIED:
        found["luis"] += GIVEN_BACK
        found["guest 1"] += LEFT_WITH
    return found


def require_sound(store: Store) -> None:
    """All logs verify, by themselves and between each other, and so does every ball."""
    for log in store.tables():
        assert verify_log(store, log).problems == [], log
        if log != LOG:
            assert [ball.problem for ball in Balls(store, log) if ball.problem] == [], log
    assert check_conservation(store) == []


def types(store: Store, log: str, *, after: int = 0) -> list[str]:
    return [record.type for record in store.read(log, after=after)]


# What the stores hold -----------------------------------------------------------------------------


def test_a_store_holds_every_kind_of_event_of_its_version(old: Older) -> None:
    with closing(old.store()) as store:
        found = {kind for log in store.tables() for kind in types(store, log)}
    assert found == {*old.told["kinds"]}


def test_the_stores_are_small(version: str) -> None:
    folder = Path(__file__).parents[1] / "data" / "stores" / version
    assert sum(each.stat().st_size for each in folder.iterdir()) < 250_000


# Opening ------------------------------------------------------------------------------------------


def test_every_figure_is_as_the_old_version_said(old: Older, tmp_path: Path) -> None:
    async def look() -> None:
        async with opened(old, tmp_path) as house:
            assert house.registry.register.wallets == wallets_of(old)
            for log, told in old.told["tables"].items():
                if log == LOG:
                    continue
                state = house.house.tables[log].house_table.state
                purses = {name: player.purse for name, player in state.players.items()}
                prison = sum(each.amount for each in state.prison.values())
                assert house.store.balances(log) == told["balances"]
                assert purses == told["purses"]
                assert (state.on_cloth, prison) == (told["on_cloth"], told["prison"])
                assert state.custody == told["custody"]
                assert (state.phase, state.coup) == (told["phase"], told["coup"])
                drawn = house.house.tables[log].house_table.drawn
                assert [number for _, number in drawn] == told["last_numbers"]
            assert await house.house.audit() == []
            require_sound(house.store)

    asyncio.run(look())


def test_old_events_stay_as_they_were_in_the_hash_chain(old: Older, tmp_path: Path) -> None:
    with closing(old.store()) as store:
        before = {log: [*store.read(log)] for log in store.tables()}

    async def go() -> None:
        async with opened(old, tmp_path) as house:
            for log, records in before.items():
                assert [*house.store.read(log, until=len(records))] == records

    asyncio.run(go())


def test_a_house_that_was_opened_writes_nothing_more_when_it_is_opened_again(
    old: Older, tmp_path: Path
) -> None:
    async def open_once() -> int:
        async with opened(old, tmp_path) as house:
            return house.registry.head.seq

    first = asyncio.run(open_once())
    assert asyncio.run(open_once()) == first
    if old.version != CARRIED:
        assert first == old.told["tables"][LOG]["events"]


# Going on -----------------------------------------------------------------------------------------


def test_every_table_goes_on_and_verifies_after_a_restart(old: Older, tmp_path: Path) -> None:
    async def play() -> dict[str, int]:
        async with opened(old, tmp_path) as house:
            played = 0
            for name, actor in house.house.tables.items():
                state = actor.house_table.state
                if state.phase is Phase.ENDED or actor.house_table.stopped is not None:
                    continue
                if state.phase is Phase.CLOSED:
                    await house.coup(actor)
                coup = state.coup
                await house.play(actor, "ivan")
                assert state.coup == coup + 1, name
                played += 1
            assert played >= 9
            assert await house.house.audit() == []
            require_sound(house.store)
            return dict(house.registry.register.wallets)

    async def look() -> dict[str, int]:
        async with opened(old, tmp_path) as house:
            require_sound(house.store)
            return dict(house.registry.register.wallets)

    wallets = asyncio.run(play())
    assert asyncio.run(look()) == wallets
    assert {**wallets, "ivan": 0} == {**wallets_of(old), "ivan": 0}


def test_a_drawn_table_is_bound_to_a_chain_before_it_takes_a_stake(
    old: Older, tmp_path: Path
) -> None:
    async def play() -> None:
        async with opened(old, tmp_path) as house:
            for name, told in old.told["tables"].items():
                if not name.startswith("drawn") or told["phase"] == "closed":
                    continue
                after = told["events"]
                await house.play(house.house.tables[name], "ivan")
                new = types(house.store, name, after=after)
                assert new[:2] == ["BallChainCommitted", "BallCommitted"]
                record = next(house.store.read(name, after=after))
                event = decode(record.type, record.version, record.payload, None)
                assert isinstance(event, house_events.BallChainCommitted)
                assert event.reason is ChainReason.TAKEN_UP

    asyncio.run(play())


def test_a_ball_that_ran_falls_as_it_was_committed_to(old: Older, tmp_path: Path) -> None:
    name = "drawn-bg"
    after = old.told["tables"][name]["events"]

    async def play() -> None:
        async with opened(old, tmp_path) as house:
            assert house.house.tables[name].house_table.state.phase is Phase.CLOSED
            await house.coup(house.house.tables[name])
            new = types(house.store, name, after=after)
            assert new[:4] == [
                "BallRevealed", "BallPocketed", "BallChainCommitted", "BallCommitted"
            ]  # fmt: skip
            require_sound(house.store)

    asyncio.run(play())


def test_it_is_backed_up_and_restored(old: Older, tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(old, tmp_path) as house:
            await house.play(house.house.tables["drawn-it"], "ivan")

    asyncio.run(play())
    copy = tmp_path / "backup.db"
    with closing(old.store(read_only=True)) as store:
        back_up(store, copy)
        with (
            closing(SqliteStore(copy, read_only=True)) as backup,
            closing(SqliteStore(tmp_path / "restored.db")) as restored,
        ):
            restore(backup, restored)
            for log in store.tables():
                assert contents(store, log) == contents(restored, log)
            require_sound(restored)

    async def go_on() -> None:
        again = old._replace(address=str(tmp_path / "restored.db"))
        async with opened(again, tmp_path) as house:
            await house.play(house.house.tables["drawn-it"], "ivan")
            require_sound(house.store)

    asyncio.run(go_on())


def test_the_commands_verify_it(
    old: Older, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def open_once() -> None:
        async with opened(old, tmp_path):
            pass

    asyncio.run(open_once())
    for command in (["verify", "log"], ["verify", "ledger"], ["verify", "ball"]):
        assert main([*command, old.address]) == 0, capsys.readouterr()
    assert "nothing was made or lost" in capsys.readouterr().out


# Money that was under way -------------------------------------------------------------------------


@pytest.mark.parametrize("version", [CARRIED], indirect=True)
def test_money_under_way_is_settled_once_and_recorded(old: Older, tmp_path: Path) -> None:
    after = old.told["tables"][LOG]["events"]

    async def look() -> None:
        async with opened(old, tmp_path) as house:
            records = [*house.store.read(LOG, after=after)]
            written = [registry.decode(record) for record in records]
            finished = [each for each in written if not isinstance(each, events.BooksCarriedOver)]
            assert {*map(repr, finished)} == {
                repr(events.ChipsGivenBack(table="drawn-es", command="lost-1")),
                repr(events.ChipsArrived(table="drawn-es", command="lost-2")),
                repr(events.ChipsGivenBack(table="wheel-es", command="lost-3")),
                repr(
                    events.ChipsBrought(
                        name="guest 1",
                        table="drawn-es",
                        seq=old.told["tables"]["drawn-es"]["events"],
                        amount=LEFT_WITH,
                    )
                ),
            }
            assert len(finished) == 4
            register = house.registry.register
            assert not any(register.under_way.values())
            assert {*register.carried} == {*old.told["tables"]} - {LOG}
            accounts = house.store.balances(LOG)
            assert TABLES not in accounts
            for name in register.carried:
                here = house.store.balances(name).get("desk", 0)
                assert accounts.get(table_account(name), 0) == -here

    asyncio.run(look())


@pytest.mark.parametrize("version", [CARRIED], indirect=True)
def test_a_purchase_that_was_given_back_can_be_asked_for_again(old: Older, tmp_path: Path) -> None:
    async def ask() -> None:
        async with opened(old, tmp_path) as house:
            actor, held = house.house.tables["drawn-es"], house.registry.register.has("luis")
            purse = actor.house_table.state.players["luis"].purse
            buy = BuyChips(
                by=house.who(actor, Act.SELL_CHIPS), player="luis", amount=GIVEN_BACK, chip=2
            )
            for _ in range(2):
                await house.must(actor, buy, who="luis", id="lost-1")
            assert house.registry.register.has("luis") == held - GIVEN_BACK
            assert actor.house_table.state.players["luis"].purse == purse + GIVEN_BACK
            # The table had sold this one: it is answered as it was, and nothing moves.
            await house.give(actor, buy, who="luis", id="lost-2")
            assert actor.house_table.state.players["luis"].purse == purse + GIVEN_BACK
            require_sound(house.store)

    asyncio.run(ask())


def test_doubled_money_is_refused_with_the_event(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = unpacked(CARRIED, "doubled", tmp_path)
    doubled = Older(CARRIED, str(path), {})

    async def look() -> None:
        async with opened(doubled, tmp_path):
            pass

    with pytest.raises(SelfCheckError, match=r"drawn-es: event 30 sold luis 700.*gave the money"):
        asyncio.run(look())
    with closing(doubled.store()) as store:
        assert Kept.load(store).register.carried == {}
    assert main(["verify", "ledger", str(path)]) == 1
    assert "event 30 sold luis 700" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (
            "DELETE FROM records WHERE tbl = 'drawn-it' AND seq = {sold}",
            "no chips were sold for it",
        ),
        (
            "UPDATE entries SET amount = amount + 1 WHERE tbl = 'drawn-it' AND seq = {sold}",
            "cannot be loaded|made or lost",
        ),
        (
            "UPDATE balances SET amount = amount + 1 WHERE tbl = '*people' AND account = 'tables'",
            "does not sum to zero",
        ),
    ],
)
def test_an_altered_store_is_not_carried_over(
    carried: Older, tmp_path: Path, change: str, found: str
) -> None:
    with closing(carried.store()) as store:
        sold = next(each.seq for each in store.read("drawn-it") if each.type == "ChipsBought")
    with closing(apsw.Connection(carried.address)) as connection:
        connection.execute(change.format(sold=sold))

    async def look() -> None:
        async with opened(carried, tmp_path):
            pass

    with pytest.raises(SelfCheckError, match=found):
        asyncio.run(look())


def test_books_that_were_carried_over_wrongly_are_found(carried: Older, tmp_path: Path) -> None:
    async def open_once() -> None:
        async with opened(carried, tmp_path):
            pass

    asyncio.run(open_once())
    with closing(apsw.Connection(carried.address)) as connection:
        connection.execute(
            "UPDATE records SET payload = CAST(replace(CAST(payload AS TEXT), '\"wallets\":',"
            " '\"wallets\":1') AS BLOB) WHERE type = 'BooksCarriedOver' AND CAST(payload AS TEXT)"
            " LIKE '%drawn-it%'"
        )
    with closing(carried.store()) as store:
        told = " ".join(check_conservation(store))
    assert "drawn-it" in told
    assert "the old books say" in told


def test_what_an_old_server_writes_afterwards_is_not_taken(carried: Older, tmp_path: Path) -> None:
    async def write() -> None:
        async with opened(carried, tmp_path) as house:
            late = events.ChipsTaken(name="ana", table="drawn-it", command="late", amount=5)
            with pytest.raises(ValueError, match="after its books were carried over"):
                await house.registry.do(lambda *_: [late])

    asyncio.run(write())


@pytest.mark.parametrize("version", [CARRIED], indirect=True)
def test_a_house_whose_old_servers_still_run_is_not_opened(
    version: str, database: str, tmp_path: Path
) -> None:
    load_dump(version, database)
    elder = cast("SharedStore", open_durable(database))
    with closing(elder):
        assert elder.take_lease("drawn-it", Lease("elder", "http://elder"), seconds=600)

        async def look() -> None:
            house = Opened(open_durable(database), tmp_path)
            store = cast("SharedStore", house.store)
            house.house.leases = Leases(store, Lease("new", "http://new"))
            try:
                with pytest.raises(SelfCheckError, match=r"0\.1\.0 still serves drawn-it"):
                    await house.house.open()
            finally:
                await house.house.blocking(house.store.close)
                house.house._writer.shutdown()

        asyncio.run(look())


# Passwords, sessions, tables without a float, secrets ---------------------------------------------


def test_passwords_and_sessions_are_good_as_long_as_they_were(old: Older, tmp_path: Path) -> None:
    from argon2 import PasswordHasher

    async def look() -> None:
        async with opened(old, tmp_path) as house:
            register, now = house.registry.register, house.registry.now()
            chosen, lent = register.people["ana"], register.people["petra"]
            assert PasswordHasher().verify(chosen.password or "", OWN_PASSWORD)
            assert PasswordHasher().verify(lent.password or "", FIRST_PASSWORD)
            assert (chosen.is_lent, lent.is_lent) == (False, True)
            # A first password is good for 72 hours from when it was set, also an old one.
            decide.require_fresh(lent, now)
            decide.require_fresh(chosen, now + 1_000 * HOUR)
            with pytest.raises(RegisterError, match="72 hours"):
                decide.require_fresh(lent, MADE + 73 * HOUR)
            # The limit of minutes counts whole days since, and a session ends when it would have.
            session = register.sessions[hashlib.sha256(TOKEN.encode()).hexdigest()]
            assert session.name == "ana"
            assert MADE < session.expires <= MADE + 13 * HOUR
            assert register.people["petra"].is_excluded(now)

    asyncio.run(look())


def test_a_table_that_is_not_live_opens_and_plays_without_a_float(
    old: Older, tmp_path: Path
) -> None:
    async def play() -> None:
        async with opened(old, tmp_path) as house:
            actor = house.house.tables["drawn-ar"]
            assert not actor.house_table.set_up.live
            await house.play(actor, "ivan")

    asyncio.run(play())


@pytest.mark.parametrize("version", [CARRIED], indirect=True)
def test_of_the_plain_secrets_only_that_of_the_newest_spin_is_kept(
    old: Older, tmp_path: Path
) -> None:
    async def look() -> None:
        async with opened(old, tmp_path) as house:
            for name, told in old.told["tables"].items():
                if house.house.tables.get(name) is None or name == LOG:
                    continue
                is_drawn = house.house.tables[name].house_table.ball is BallMode.DRAWN
                kept = dict(house.store.secrets(name))
                plain = [each for each in kept if len(kept[each]) == SECRET_BYTES]
                newest = told["spins"] + (told["phase"] != "closed")
                if name == "stopped":
                    newest -= 1  # Nothing was committed to any more.
                assert plain == ([single_secret(newest)] if is_drawn else [])

    asyncio.run(look())


# Others who read it -------------------------------------------------------------------------------


def test_a_player_checks_the_old_coups_with_one_file(old: Older, tmp_path: Path) -> None:
    name = "drawn-it"

    async def play() -> list[dict[str, Any]]:
        async with opened(old, tmp_path) as house:
            await house.play(house.house.tables[name], "ivan")
            return [
                {
                    "seq": record.seq,
                    "type": record.type,
                    "data": msgspec.json.decode(record.payload),
                }
                for record in house.store.read(name)
            ]

    published = asyncio.run(play())
    path = tmp_path / "events.json"
    path.write_text(json.dumps(published), "utf-8")
    command = [sys.executable, str(verify_ball.__file__), "--table", name, str(path)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr
    spins = old.told["tables"][name]["spins"] + 1
    assert f"{spins} spins were checked; nothing wrong" in told.stdout
    for kind, field, problem in (
        ("BallRevealed", "secret", "wrong_secret"),
        ("BallRevealed", "number", "wrong_number"),
        ("BallCommitted", "commitment", "wrong_secret"),
    ):
        forged = json.loads(json.dumps(published))
        event = next(each for each in forged if each["type"] == kind)
        value = event["data"][field]
        event["data"][field] = (value + 1) % 37 if field == "number" else f"{'0' * 64}"
        found = verify_ball.verdict(None, forged, name)["problems"]
        assert problem in {each for each, _ in found}, (kind, field)


def test_a_store_of_an_older_version_is_not_changed_by_reading(carried: Older) -> None:
    before = Path(carried.address).read_bytes()
    with pytest.raises(StoreError, match="older version of the house: open it once"):
        carried.store(read_only=True)
    assert Path(carried.address).read_bytes() == before


def test_a_seat_of_a_stranger_does_not_pay_into_a_wallet(carried: Older, tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(carried, tmp_path) as house:
            actor = house.house.tables["wheel-es"]
            await house.must(actor, Sit(by="stranger"))
            await house.must(
                actor,
                BuyChips(
                    by=house.who(actor, Act.SELL_CHIPS), player="stranger", amount=100, chip=2
                ),
            )
            require_sound(house.store)

    asyncio.run(play())
