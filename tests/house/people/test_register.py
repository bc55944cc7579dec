"""The register: people and posts, sessions, wallets, and what players may forbid themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from novamas.house.clock import ManualClock
from novamas.house.ledger import LedgerError
from novamas.house.log.checkpoints import Checkpoint, Checkpoints
from novamas.house.log.store import Store, StoreError
from novamas.house.log.stores.memory import MemoryStore
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.people import decide as people_decide
from novamas.house.people import events
from novamas.house.people.decide import NameTakenError, NoMoneyError, RegisterError, ShutOutError
from novamas.house.people.events import LimitKind, Post, RegisterEvent
from novamas.house.people.registry import EVENTS, LOG, Kept, Order, Registry
from novamas.house.people.state import DAY, Register
from novamas.house.people.transfers import Move, counterparts

HASH = "what stands for a password"


class Desk:
    """A registry that is asked from a test that is not asynchronous."""

    def __init__(
        self,
        store: Store | None = None,
        clock: ManualClock | None = None,
        checkpoints: Checkpoints | None = None,
    ) -> None:
        self.store = store or MemoryStore()
        self.clock = clock or ManualClock()

        async def at_once(work: Callable[[], Any]) -> Any:
            return work()

        self.registry = Registry(self.store, at_once, self.clock, checkpoints=checkpoints)
        asyncio.run(self.registry.open())

    @property
    def register(self) -> Register:
        return self.registry.register

    @property
    def now(self) -> int:
        return self.clock.now()

    def do(
        self,
        decide: Callable[..., Iterable[RegisterEvent]],
        *args: Any,
        order: Order | None = None,
        **named: Any,
    ) -> list[str]:
        doing = self.registry.do(lambda r, _: decide(r, *args, **named), order=order)
        made = asyncio.run(doing)
        return [type(each).__name__ for each in made]

    def later(self, milliseconds: int) -> None:
        self.clock._now += milliseconds

    def player(self, name: str, money: int = 0) -> None:
        self.do(people_decide.register_person, name, [Post.PLAYER], by="chief", password=HASH)
        if money:
            self.do(
                people_decide.take_cash, name, money, id=f"in {name}", by="cashier", now=self.now
            )

    def sign_in(self, name: str, session: str, post: Post = Post.PLAYER) -> None:
        self.do(people_decide.open_session, name, post, session, now=self.now)

    def buys(self, name: str, amount: int, event: int) -> list[str]:
        return self.do(counterparts, "t", [Move(event, amount, name)], self.now)

    def leaves(self, name: str, amount: int, event: int) -> list[str]:
        return self.do(counterparts, "t", [Move(event, -amount, name)], self.now)


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    # Whatever a test does, the log can be read again and agrees with its ledger.
    again = Kept()
    again.go_on(desk.store.read(LOG))
    again.check(desk.store.balances(LOG))
    assert again.register == desk.register


# People -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "",
        "  ",
        "x" * 25,
        "a\nb",
        "auto",
        "Auto croupier",
        "management",
        "wallet:ana",
        "__proto__",
        "toString",
    ],
)
def test_a_name_that_nobody_can_have_is_refused(desk: Desk, name: str) -> None:
    with pytest.raises(NameTakenError):
        desk.player(name)
    assert desk.register.people == {}


@pytest.mark.parametrize("other", ["ana", "ANA", "ａｎａ", " ana "])
def test_nobody_passes_for_another(desk: Desk, other: str) -> None:
    desk.player("ana")
    with pytest.raises(NameTakenError):
        desk.player(other)
    assert [person.name for person in desk.register.people.values()] == ["ana"]


def test_nobody_changes_his_own_posts(desk: Desk) -> None:
    desk.do(people_decide.register_person, "gil", [Post.CHIEF], by="house", password=HASH)
    with pytest.raises(RegisterError, match="their own posts"):
        desk.do(people_decide.change_posts, "gil", [Post.CHIEF, Post.CASHIER], by="GIL", reason="")


def test_who_loses_a_post_is_signed_out_of_it_at_once(desk: Desk) -> None:
    desk.do(
        people_decide.register_person,
        "gil",
        [Post.CROUPIER, Post.PLAYER],
        by="house",
        password=HASH,
    )
    desk.sign_in("gil", "s1", Post.CROUPIER)
    desk.sign_in("gil", "s2", Post.PLAYER)
    desk.do(people_decide.change_posts, "gil", [Post.PLAYER], by="chief", reason="on leave")
    assert set(desk.register.sessions) == {"s2"}
    with pytest.raises(ShutOutError, match="is not croupier"):
        desk.sign_in("gil", "s3", Post.CROUPIER)


def test_a_new_password_ends_every_session(desk: Desk) -> None:
    desk.player("ana")
    desk.player("bea")
    for session, name in (("s1", "ana"), ("s2", "ana"), ("s3", "bea")):
        desk.sign_in(name, session)
    desk.do(people_decide.set_password, "ana", "other hash", by="ana")
    assert set(desk.register.sessions) == {"s3"}


def test_the_oldest_session_ends_where_one_more_would_be_too_many(desk: Desk) -> None:
    desk.player("ana")
    desk.player("bea")
    for number in range(people_decide.SESSIONS):
        desk.sign_in("ana", f"s{number}")
    desk.sign_in("bea", "other")
    assert len(desk.register.sessions) == people_decide.SESSIONS + 1
    desk.sign_in("ana", "one more")
    assert "s0" not in desk.register.sessions
    assert {"s1", "one more", "other"} <= desk.register.sessions.keys()
    assert len(desk.register.sessions) == people_decide.SESSIONS + 1


def test_a_lock_stands_for_a_day_and_a_new_password_takes_it_away(desk: Desk) -> None:
    desk.player("ana")
    desk.do(people_decide.lock, "ana", now=desk.now, reason="strangers tried wrong passwords")
    person = desk.register.person("ana")
    assert person is not None
    assert person.locked_until == desk.now + DAY
    desk.sign_in("ana", "s1")  # It keeps strangers out, and not who was recognised.
    desk.do(people_decide.set_password, "ana", HASH, by="chief")
    assert person.locked_until == 0


def test_a_password_of_another_s_choice_expires_after_72_hours(desk: Desk) -> None:
    desk.do(people_decide.register_person, "chief", [Post.CHIEF], by="house", password=HASH)
    desk.player("ana")
    person = desk.register.person("ana")
    assert person is not None
    desk.later(people_decide.FIRST_PASSWORD - 1)
    people_decide.require_fresh(person, desk.now)
    desk.later(1)
    with pytest.raises(RegisterError, match="72 hours"):
        people_decide.require_fresh(person, desk.now)
    desk.do(people_decide.set_password, "ana", HASH, by="ana")
    desk.later(10 * people_decide.FIRST_PASSWORD)
    people_decide.require_fresh(person, desk.now)


# Money --------------------------------------------------------------------------------------------


def test_cash_is_taken_and_paid_once_whatever_comes_twice(desk: Desk) -> None:
    desk.player("ana")
    taking = Order("c1", "caj", b"take 500")
    for _ in range(2):
        take = (people_decide.take_cash, "ana", 500)
        desk.do(*take, id="c1", by="caj", now=desk.now, order=taking)
    for _ in range(2):
        paying = Order("c2", "caj", b"pay 200")
        desk.do(people_decide.pay_cash, "ana", 200, id="c2", by="caj", order=paying)
    for other in (Order("c1", "caj", b"take 900"), Order("c1", "cleo", b"take 500")):
        with pytest.raises(RegisterError, match="something else was done"):
            desk.do(
                people_decide.take_cash, "ana", 900, id="c1", by="caj", now=desk.now, order=other
            )
    assert desk.register.has("ana") == 300
    assert desk.store.balances(LOG) == {"cash": -300, "wallet:ana": 300}


@pytest.mark.parametrize("amount", [0, -1, 10**12 + 1])
def test_what_is_no_amount_moves_nothing(desk: Desk, amount: int) -> None:
    desk.player("ana", 100)
    for decide in (people_decide.take_cash, people_decide.pay_cash):
        more: Any = {"now": desk.now} if decide is people_decide.take_cash else {}
        with pytest.raises(RegisterError, match="amount"):
            desk.do(decide, "ana", amount, id="x", by="caj", **more)
    assert desk.register.has("ana") == 100


def test_nobody_is_paid_more_than_he_has_nor_serves_himself(desk: Desk) -> None:
    desk.player("ana", 100)
    with pytest.raises(NoMoneyError):
        desk.do(people_decide.pay_cash, "ana", 101, id="x", by="caj")
    with pytest.raises(RegisterError, match="themselves"):
        desk.do(people_decide.pay_cash, "ana", 50, id="x", by="Ana")
    with pytest.raises(RegisterError, match="themselves"):
        desk.do(people_decide.take_cash, "ana", 50, id="x", by="Ana", now=desk.now)
    assert desk.register.has("ana") == 100


def test_chips_are_paid_for_and_redeemed(desk: Desk) -> None:
    desk.player("ana", 1_000)
    assert desk.buys("ana", 300, 40) == ["ChipsSold"]
    assert desk.register.has("ana") == 700
    assert desk.leaves("ana", 450, 41) == ["ChipsRedeemed"]
    assert desk.register.has("ana") == 1_150
    assert desk.store.balances(LOG) == {"cash": -1_000, "wallet:ana": 1_150, "table:t": -150}


def test_what_no_wallet_pays_comes_from_the_desk(desk: Desk) -> None:
    desk.player("ana", 1_000)
    moves = [Move(1, 5_000), Move(2, 200, "somebody"), Move(3, 300, "ana", cash=True), Move(4, -50)]
    made = desk.do(counterparts, "t", moves, desk.now)
    assert made == ["DeskIssued", "DeskIssued", "ChipsSold", "DeskReceived"]
    assert desk.store.balances(LOG) == {"cash": -6_150, "wallet:ana": 1_000, "table:t": 5_150}


def test_moves_of_one_commit_count_for_each_other(desk: Desk) -> None:
    desk.player("ana", 500)
    desk.do(people_decide.set_limit, "ana", LimitKind.SPEND, 600, now=desk.now)
    with pytest.raises(NoMoneyError, match="you have 200"):
        desk.do(counterparts, "t", [Move(1, 300, "ana"), Move(2, 300, "ana")], desk.now)
    assert desk.register.has("ana") == 500
    back = [Move(1, 500, "ana"), Move(2, -400, "ana"), Move(3, 400, "ana")]
    assert len(desk.do(counterparts, "t", back, desk.now)) == 3
    with pytest.raises(NoMoneyError, match="600 a day leaves 100"):
        desk.do(counterparts, "t", [Move(4, 101, "ana", cash=True)], desk.now)


def test_more_than_the_wallet_holds_is_not_spent(desk: Desk) -> None:
    desk.player("ana", 100)
    with pytest.raises(NoMoneyError, match="you have 100"):
        desk.buys("ana", 101, 1)
    assert desk.register.has("ana") == 100


# A player's own protection (R17) ------------------------------------------------------------------


def test_a_lower_limit_binds_at_once_and_a_higher_one_after_a_day(desk: Desk) -> None:
    desk.player("ana", 10_000)
    ask = (people_decide.set_limit, "ana", LimitKind.SPEND)
    desk.do(*ask, 500, now=desk.now)
    desk.buys("ana", 400, 1)
    with pytest.raises(NoMoneyError, match="500 a day leaves 100"):
        desk.buys("ana", 101, 2)
    desk.do(*ask, 5_000, now=desk.now)
    desk.later(DAY - 1)
    with pytest.raises(NoMoneyError):
        desk.buys("ana", 101, 2)
    desk.do(*ask, 450, now=desk.now)  # Lower again: what waited is forgotten.
    desk.later(1)
    desk.buys("ana", 450, 3)
    desk.do(*ask, None, now=desk.now)
    with pytest.raises(NoMoneyError):
        desk.buys("ana", 1, 4)
    desk.later(DAY)
    assert desk.buys("ana", 5_000, 5) == ["ChipsSold"]


def test_what_comes_back_from_a_table_may_be_spent_again(desk: Desk) -> None:
    desk.player("ana", 10_000)
    desk.do(people_decide.set_limit, "ana", LimitKind.SPEND, 500, now=desk.now)
    desk.buys("ana", 500, 1)
    desk.leaves("ana", 200, 9)
    with pytest.raises(NoMoneyError, match="leaves 200"):
        desk.buys("ana", 201, 2)
    desk.buys("ana", 200, 2)


MINUTE = 60_000


def test_a_limit_of_minutes_is_of_a_day_and_not_of_a_session(desk: Desk) -> None:
    """Whoever signs in again goes on where they were; sessions at once count once."""
    desk.player("ana")
    desk.do(people_decide.set_limit, "ana", LimitKind.MINUTES, 30, now=desk.now)
    desk.sign_in("ana", "s1")
    desk.later(10 * MINUTE)
    desk.sign_in("ana", "s2")
    desk.later(5 * MINUTE)
    for session in ("s1", "s2"):
        desk.do(people_decide.end_session, session, by="ana", reason="signed out")
    person = desk.register.person("ana")
    assert person is not None
    assert desk.register.player_time(person, desk.now) == 15 * MINUTE
    desk.later(60 * MINUTE)  # Time that was not used does not count.
    desk.sign_in("ana", "s3")
    desk.later(15 * MINUTE - 1)
    assert not people_decide.is_time_over(desk.register, person, desk.now)
    desk.later(1)
    assert people_decide.is_time_over(desk.register, person, desk.now)
    desk.do(people_decide.end_session, "s3", by="house", reason="your own limit of time is reached")
    with pytest.raises(ShutOutError, match="minutes in a day"):
        desk.sign_in("ana", "s4")
    # A day after the first minutes were used, they are there again.
    desk.later(DAY - 90 * MINUTE + 5 * MINUTE)
    desk.sign_in("ana", "s5")
    assert desk.register.player_time(person, desk.now) == 25 * MINUTE


def test_who_shuts_himself_out_is_out_at_once_and_cannot_come_back_sooner(desk: Desk) -> None:
    desk.player("ana", 1_000)
    desk.sign_in("ana", "s1")
    with pytest.raises(RegisterError, match="a day"):
        desk.do(people_decide.exclude, "ana", desk.now + DAY - 1, now=desk.now)
    desk.do(people_decide.exclude, "ana", desk.now + 7 * DAY, now=desk.now)
    assert desk.register.sessions == {}
    with pytest.raises(RegisterError, match="stands already"):
        desk.do(people_decide.exclude, "ana", desk.now + 2 * DAY, now=desk.now)
    with pytest.raises(ShutOutError):
        desk.sign_in("ana", "s2")
    with pytest.raises(ShutOutError):
        desk.buys("ana", 100, 1)
    with pytest.raises(ShutOutError):
        desk.do(people_decide.take_cash, "ana", 100, id="x", by="caj", now=desk.now)
    desk.do(people_decide.pay_cash, "ana", 1_000, id="y", by="caj")  # The own money is paid out.
    desk.later(7 * DAY)
    desk.sign_in("ana", "s3")
    desk.do(people_decide.exclude, "ana", None, now=desk.now)
    desk.later(10_000 * DAY)
    with pytest.raises(ShutOutError):
        desk.sign_in("ana", "s4")


# Keeping ------------------------------------------------------------------------------------------


def test_two_servers_write_one_register() -> None:
    store, clock = MemoryStore(), ManualClock()
    one, other = Desk(store, clock), Desk(store, clock)
    one.player("ana", 1_000)
    other.player("bea", 500)  # It reads what the other wrote, and decides again.
    with pytest.raises(NameTakenError):
        other.player("Ana")
    one.buys("ana", 600, 1)
    with pytest.raises(NoMoneyError):
        other.buys("ana", 600, 2)
    asyncio.run(one.registry.read())
    assert one.register == other.register


def test_everybody_hears_what_another_server_wrote() -> None:
    store, clock = MemoryStore(), ManualClock()
    one, other = Desk(store, clock), Desk(store, clock)
    heard: list[str] = []
    other.registry.on_change.append(lambda event: heard.append(type(event).__name__))
    one.player("ana")
    asyncio.run(other.registry.read())
    assert heard == ["PersonRegistered", "PasswordSet"]


def test_the_register_is_found_again_in_its_file(tmp_path: Any) -> None:
    desk = Desk(SqliteStore(tmp_path / "a.db"))
    desk.player("ana", 700)
    desk.sign_in("ana", "s1")
    desk.store.close()
    store = SqliteStore(tmp_path / "a.db")
    again = Desk(store, desk.clock)
    assert again.register == desk.register
    assert store.tables() == [LOG]
    store.close()


def test_a_ledger_that_disagrees_is_found() -> None:
    desk = Desk()
    desk.player("ana", 700)
    assert isinstance(desk.store, MemoryStore)
    desk.store._balances[LOG]["wallet:ana"] = 701
    desk.store._balances[LOG]["cash"] = -701
    with pytest.raises(LedgerError, match="wallet:ana"):
        Desk(desk.store)


def test_every_event_is_read_back_as_it_was() -> None:
    assert set(EVENTS) == {
        name
        for name in vars(events)
        if name[0].isupper() and name not in ("Post", "LimitKind", "ActForTwo", "ClockNote")
    } - {"StrEnum", "RegisterEvent"}


# Witnesses ----------------------------------------------------------------------------------------


def test_it_is_written_down_how_far_the_register_has_come(tmp_path: Path) -> None:
    kept = Checkpoints(tmp_path / "seen")
    desk = Desk(checkpoints=kept)
    asyncio.run(desk.registry.witness())
    assert list(kept.read()) == []
    desk.player("ana", 100)
    asyncio.run(desk.registry.witness())
    asyncio.run(desk.registry.witness())
    head = desk.store.head(LOG)
    assert list(kept.read()) == [Checkpoint(LOG, head.seq, head.hash.hex(), desk.now)]
    # Another server of the house, with a file of its own, witnesses what it has read.
    other = Checkpoints(tmp_path / "other")
    asyncio.run(Desk(desk.store, checkpoints=other).registry.witness())
    assert other.newest()[LOG].hash == head.hash.hex()


def test_what_cannot_be_witnessed_is_not_decided(tmp_path: Path) -> None:
    kept = Checkpoints(tmp_path / "seen")
    desk = Desk(checkpoints=kept)
    desk.player("ana")
    kept.path.mkdir()
    with pytest.raises(StoreError, match="the checkpoints cannot be written"):
        asyncio.run(desk.registry.witness())
    before = desk.store.head(LOG)
    with pytest.raises(StoreError, match="the checkpoints cannot be written"):
        desk.player("luis")
    assert desk.store.head(LOG) == before
    kept.path.rmdir()
    asyncio.run(desk.registry.witness())
    desk.player("luis")
    assert desk.register.person("luis") is not None


def test_a_line_that_was_not_finished_does_not_spoil_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = Checkpoints(tmp_path / "seen")
    first, second = (Checkpoint(LOG, seq, "00" * 32, 0) for seq in (1, 2))
    kept.write(first)

    def full(_: int) -> None:
        with kept.path.open("ab") as file:
            file.truncate(kept.path.stat().st_size - 20)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("os.fsync", full)
        with pytest.raises(OSError, match="No space"):
            kept.write(second)
    kept.write(second)
    assert list(Checkpoints(kept.path).read()) == [first, second]
