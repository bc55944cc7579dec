"""F13: what the house itself refuses, or cannot do: the attacks are played against it."""

import asyncio
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from novamas.game.rulebook.behaviours import Act
from novamas.house.ball import decide_draw, fair_draw
from novamas.house.ball.seeds import BallSource
from novamas.house.ball.verify_ball import verdict
from novamas.house.encryption import KeyFile, SealError, SealingKey
from novamas.house.house import House, SelfCheckError
from novamas.house.log.backup import back_up, restore
from novamas.house.log.codec import decode
from novamas.house.log.stores.sqlite import SqliteStore
from novamas.house.log.verify import verify_table
from novamas.house.refusals import HouseRefusalReason
from novamas.house.table.actor import TableActor
from novamas.house.table.commands import CommitNonce, DrawBall, OpenNonce
from novamas.house.table.croupier import AutomaticCroupier, Pace
from novamas.house.table.events import BallMode
from novamas.table import commands
from novamas.table.refusals import Refusal
from novamas.table.state import Phase, Setup
from tests.promises.drawn import DrawnTable, drawn_table
from tests.promises.figures import record
from tests.promises.house_on_file import TABLE, house
from tests.promises.machines import Machine, told


async def refused(table: DrawnTable, command: commands.Command) -> Refusal:
    answer = await table.ask(command)
    assert answer.refusal is not None
    return answer.refusal


def revealed(actor: TableActor) -> list[dict[str, Any]]:
    return [event["data"] for event in told(actor) if event["type"] == "BallRevealed"]


# Nonces -------------------------------------------------------------------------------------------


def test_f13_a_nonce_is_hidden_until_the_close_and_opened_after_it() -> None:
    async def play() -> None:
        async with drawn_table(name=TABLE) as table:
            await table.seat("ana", 1_000)
            house_table, now = table.actor.house_table, HouseRefusalReason.NONCE_NOT_NOW
            assert house_table.commitment is not None
            standing = house_table.commitment.commitment
            bound = (TABLE, 1, standing, "ana")
            mine = fair_draw.nonce_hash(*bound, "mine")
            commit = CommitNonce(by="ana", commitment=standing, hash=mine)
            stranger = CommitNonce(by="eva", commitment=standing, hash=mine)
            assert (await refused(table, stranger)).why == "not_seated"
            stale = CommitNonce(by="ana", commitment="00" * 32, hash=mine)
            assert (await refused(table, stale)).why is now
            for wrong in ("", "mine", mine.upper(), mine[:-1], f"{mine}\n"):
                bad = CommitNonce(by="ana", commitment=standing, hash=wrong)
                assert (await refused(table, bad)).why is HouseRefusalReason.NONCE_NOT_VALID
            await table.give(commit)
            assert (await refused(table, OpenNonce(by="ana", nonce="mine"))).why is now
            await table.close()
            assert (await refused(table, commit)).why is now
            assert (await refused(table, OpenNonce(by="eva", nonce="mine"))).why is now
            for wrong in ("yours", "", "a\nb", "x" * 129, "a\u202eb"):
                opening = OpenNonce(by="ana", nonce=wrong)
                assert (await refused(table, opening)).why is HouseRefusalReason.NONCE_NOT_VALID
            await table.give(OpenNonce(by="ana", nonce="mine"))
            assert (await refused(table, OpenNonce(by="ana", nonce="mine"))).why is now
            await table.draw()
            assert revealed(table.actor)[0]["nonces"] == {"ana": "mine"}

    asyncio.run(play())


def test_f13_at_a_wheel_there_is_no_nonce() -> None:
    async def play() -> None:
        async with drawn_table(name=TABLE) as table:
            wheel = await table.house.set_up("w", "ar", Setup(), ball=BallMode.WHEEL)
            await wheel.submit("sit", commands.Sit(by="ana"))
            command = CommitNonce(by="ana", commitment="00" * 32, hash="00" * 32)
            answer = await wheel.submit("nonce", command)
            assert answer.refusal is not None
            assert answer.refusal.why is HouseRefusalReason.NONCE_NOT_NOW

    asyncio.run(play())


def test_f13_nobody_hastens_the_ball_past_an_opening() -> None:
    """Whoever lets the ball fall waits for the openings, and no longer than players are given."""

    async def play() -> None:
        async with drawn_table(name=TABLE) as table:
            for player in ("ana", "eva"):
                await table.seat(player, 1_000)
                await table.commit(player, f"of {player}")
            await table.close()
            draw = DrawBall(by=table.who(Act.POCKET_BALL))
            assert (await refused(table, draw)).why is HouseRefusalReason.NONCES_BEING_OPENED
            await table.give(OpenNonce(by="ana", nonce="of ana"))
            await table.clock.advance(decide_draw.OPENING - 0.001)
            assert (await refused(table, draw)).why is HouseRefusalReason.NONCES_BEING_OPENED
            await table.clock.advance(0.001)
            await table.give(draw)
            (fallen,) = revealed(table.actor)
            assert fallen["nonces"] == {"ana": "of ana"}
            assert list(fallen["withheld"]) == ["eva"]
            assert (await refused(table, OpenNonce(by="eva", nonce="of eva"))).why == (
                HouseRefusalReason.NONCE_NOT_NOW
            )
            await table.settle()
            # Where all are opened nothing is waited for.
            await table.commit("ana", "again")
            await table.close()
            await table.give(OpenNonce(by="ana", nonce="again"), draw)
            await table.settle()
            assert verify_table(table.house.store, TABLE).is_sound

    asyncio.run(play())


def types(table: DrawnTable) -> list[str]:
    return [event["type"] for event in told(table.actor)]


@pytest.mark.parametrize("opens", [True, False])
def test_f13_the_automatic_croupier_waits_for_openings(*, opens: bool) -> None:
    async def play() -> float:
        async with drawn_table(name=TABLE) as table:
            await table.seat("ana", 1_000)
            machine = Machine(table.actor, "ana")
            machine.opens = opens
            await machine.connect()
            pace = Pace(betting=3, warning=0, launched=1, running=1, falling=0, called=1, paying=1)
            croupier = AutomaticCroupier(table.actor, pace)
            croupier.start()
            while "BettingClosed" not in types(table):
                await table.clock.advance(0.1)
            closed = table.clock.now()
            await table.clock.advance(2)
            await machine.follow()
            while "BallRevealed" not in types(table):
                await table.clock.advance(0.1)
            await croupier.stop()
            return (table.clock.now() - closed) / 1000

    took = asyncio.run(play())
    expected = 2 if opens else decide_draw.OPENING
    assert expected <= took <= expected + 0.3


def test_f13_who_leaves_before_the_close_has_no_part_and_after_it_has() -> None:
    async def play() -> None:
        async with drawn_table(name=TABLE) as table:
            for player in ("ana", "eva"):
                await table.seat(player, 1_000)
                await table.commit(player, player)
            await table.give(commands.Leave(by="eva"))
            await table.close()
            await table.give(commands.Leave(by="ana"))
            await table.give(OpenNonce(by="ana", nonce="ana"))
            await table.draw()
            assert revealed(table.actor)[0]["nonces"] == {"ana": "ana"}

    asyncio.run(play())


# Commitments --------------------------------------------------------------------------------------


def test_f13_no_stake_comes_before_its_commitment() -> None:
    """Not even one that waits in the queue behind the draw, and shares its commit."""

    async def play() -> None:
        async with drawn_table(name=TABLE, rulebook="ar", length=2) as table:
            await table.seat("ana", 100_000)
            for coup in range(5):
                await table.stake("ana", "red", 10)
                await table.stake("ana", "black", 10)
                await table.close()
                spot = commands.PlaceStake(by="ana", id=f"n{coup}", player="ana", on="0", amount=10)
                given = [
                    DrawBall(by=table.who(Act.POCKET_BALL)),
                    commands.CallNumber(by=table.who(Act.CALL_NUMBER)),
                    commands.CollectLosers(by=table.who(Act.COLLECT)),
                    commands.PayWinners(by=table.who(Act.PAY)),
                    spot,
                ]
                answers = await asyncio.gather(*(table.ask(each) for each in given))
                assert answers[-1].refusal is None
            assert verify_table(table.house.store, TABLE).is_sound
            events = [event["type"] for event in told(table.actor)]
            kinds = ("BallRevealed", "BallCommitted", "StakePlaced")
            order = [kind for kind in events if kind in kinds]
            for place, kind in enumerate(order):
                if kind == "BallRevealed":
                    assert order[place + 1] == "BallCommitted"
            assert events.count("BallChainCommitted") == 3

    asyncio.run(play())


def test_f13_every_secret_is_of_the_chain_and_none_comes_twice() -> None:
    async def play() -> None:
        async with drawn_table(name=TABLE, length=5) as table:
            numbers = [await table.coup() for _ in range(23)]
            events = told(table.actor)
            chains = [e["data"] for e in events if e["type"] == "BallChainCommitted"]
            assert [chain["number"] for chain in chains] == [1, 2, 3, 4, 5]
            assert [chain["reason"] for chain in chains] == ["opened", *["used_up"] * 4]
            secrets = [each["secret"] for each in revealed(table.actor)]
            assert len({*secrets}) == len(secrets) == len(numbers)
            tips = iter(chains)
            before = ""
            for place, secret in enumerate(secrets):
                before = next(tips)["tip"] if place % 5 == 0 else before
                assert (
                    fair_draw.committed(TABLE, place % 5 + 1, bytes.fromhex(secret)).hex() == before
                )
                before = secret

    asyncio.run(play())


# Restored, rolled back and forked houses ----------------------------------------------------------


def kept_secrets(path: Path, key: SealingKey) -> dict[int, list[str]]:
    """Every secret of every chain that a store has, as whoever has the key can read it."""
    found = {}
    with closing(SqliteStore(path, read_only=True)) as store:
        source = BallSource(key=key)
        for record in store.read(TABLE):
            if record.type == "BallChainCommitted":
                event: Any = decode(record.type, record.version, record.payload, None)
                chain = source.unseal(TABLE, event, store.secret(TABLE, event.number))
                places = range(1, chain.length + 1)
                found[event.number] = [chain.secret(place).hex() for place in places]
    return found


async def watched_draw(table: DrawnTable, machine: Machine) -> None:
    """Closes betting and lets the ball fall, with a player's machine that adds its nonce."""
    await table.close()
    await machine.follow()
    await table.draw()
    await machine.follow()


def test_f13_a_restored_house_does_not_play_the_same_ball_again(tmp_path: Path) -> None:
    """The attack: play, back up before the draw, draw, restore, and stake on what was drawn."""
    key = KeyFile(tmp_path / "key")

    async def play() -> dict[str, Any]:
        async with house(tmp_path / "house.db", key) as table:
            await table.seat("ana", 10_000)
            machine = Machine(table.actor, "ana")
            await machine.connect()
            await watched_draw(table, machine)
            await table.settle()
            await machine.follow()
            back_up(table.house.store, tmp_path / "backup.db")
            await table.stake("ana", "17", 10)
            await watched_draw(table, machine)
            seen = revealed(table.actor)
        with closing(SqliteStore(tmp_path / "backup.db", read_only=True)) as backup:
            target = SqliteStore(tmp_path / "again.db")
            restore(backup, target)
            target.close()
        async with house(tmp_path / "again.db", key) as table:
            chain = table.actor.house_table.chain
            assert chain is not None
            assert chain.reason == "taken_up"
            machine.actor, machine._seq = table.actor, 0
            await machine.connect()
            await watched_draw(table, machine)
            again = revealed(table.actor)
            assert verify_table(table.house.store, TABLE).is_sound
        assert again[0] == seen[0], "what the backup had stays"
        assert again[1]["spin"] == seen[1]["spin"]
        assert again[1]["secret"] != seen[1]["secret"]
        abandoned = kept_secrets(tmp_path / "backup.db", key)[1]
        assert again[1]["secret"] not in abandoned
        assert seen[1]["secret"] in abandoned
        return verdict(machine.proof(), [], TABLE)

    found = asyncio.run(play())
    # The players who saw the spin that was lost know of it.
    assert {problem for problem, _ in found["problems"]} == {"history_changed"}
    assert found["chains"]["taken_up"] == 0, "it was committed before she came back"
    record("F13", "a restored house: the ball that was seen is not played again", same_secrets=0)


@pytest.mark.parametrize("phase", ["betting", "launched", "pocketed", "paying"])
def test_f13_a_standby_that_lost_its_tail_plays_another_chain(tmp_path: Path, phase: str) -> None:
    """It goes on from an older copy, whatever the table was doing there."""
    key = KeyFile(tmp_path / "key")

    async def play() -> None:
        async with house(tmp_path / "first.db", key) as table:
            await table.seat("ana", 10_000)
            await table.stake("ana", "red", 10)
            await table.stake("ana", "black", 10)
            if phase == "launched":
                await table.give(commands.LaunchBall(by=table.who(Act.LAUNCH_BALL)))
            elif phase != "betting":
                await table.close()
                await table.draw()
            if phase == "paying":
                await table.give(commands.CallNumber(by=table.who(Act.CALL_NUMBER)))
                await table.give(commands.CollectLosers(by=table.who(Act.COLLECT)))
            for suffix in ("", "-wal"):
                shutil.copy(f"{tmp_path}/first.db{suffix}", f"{tmp_path}/standby.db{suffix}")
        async with house(tmp_path / "standby.db", key) as table:
            before = len(revealed(table.actor))
            chain, standing = table.actor.house_table.chain, table.actor.house_table.commitment
            assert chain is not None
            assert standing is not None
            assert (chain.number, chain.reason, standing.place) == (2, "taken_up", 1)
            assert standing.spin == before + 1
            croupier = AutomaticCroupier(table.actor)
            croupier.start()
            while len(revealed(table.actor)) < before + 3:
                await table.clock.advance(5)
            await croupier.stop()
            abandoned = kept_secrets(tmp_path / "standby.db", key)[1]
            later = [each["secret"] for each in revealed(table.actor)[before:]]
            assert not {*abandoned} & {*later}
            assert verify_table(table.house.store, TABLE).is_sound

    asyncio.run(play())


def test_f13_a_closed_coup_is_settled_with_its_ball_and_then_the_chain_is_left(
    tmp_path: Path,
) -> None:
    key = KeyFile(tmp_path / "key")

    async def play() -> None:
        async with house(tmp_path / "house.db", key) as table:
            await table.seat("ana", 10_000)
            await table.commit("ana", "mine")
            await table.close()
            standing = table.actor.house_table.commitment
        async with house(tmp_path / "house.db", key) as table:
            house_table = table.actor.house_table
            assert house_table.commitment == standing
            draw = DrawBall(by=table.who(Act.POCKET_BALL))
            # Players come back, and are given the time to open their nonces.
            assert (await refused(table, draw)).why is HouseRefusalReason.NONCES_BEING_OPENED
            await table.give(OpenNonce(by="ana", nonce="mine"), draw)
            secrets = kept_secrets(tmp_path / "house.db", key)
            assert revealed(table.actor)[0]["secret"] == secrets[1][0]
            assert house_table.chain is not None
            assert (house_table.chain.number, house_table.chain.reason) == (2, "taken_up")
            await table.settle()
            await table.coup()
            assert revealed(table.actor)[1]["secret"] == secrets[2][0]
            assert verify_table(table.house.store, TABLE).is_sound

    asyncio.run(play())


@pytest.mark.parametrize("closed", [True, False])
def test_f13_an_honest_start_is_no_alarm_to_whoever_plays_on(
    tmp_path: Path, *, closed: bool
) -> None:
    """A player's machine comes back after a restart: it opens its nonce, or makes a new one."""
    key = KeyFile(tmp_path / "key")

    async def play() -> dict[str, Any]:
        async with house(tmp_path / "house.db", key) as table:
            await table.seat("ana", 10_000)
            machine = Machine(table.actor, "ana")
            await machine.connect()
            await watched_draw(table, machine)
            await table.settle()
            await table.stake("ana", "red", 10)
            await machine.follow()
            if closed:
                await table.close()
        for _ in range(2):
            async with house(tmp_path / "house.db", key) as table:
                machine.actor = table.actor
                await machine.connect(resumed=True)
                if table.actor.house_table.state.phase is Phase.CLOSED:
                    await machine.follow()
                    await table.draw()
                    await machine.follow()
                    await table.settle()
                await watched_draw(table, machine)
                await table.settle()
                await machine.follow()
                events = told(table.actor)
        return verdict(machine.proof(), events, TABLE)

    found = asyncio.run(play())
    assert found["problems"] == []
    assert found["missed"] == found["withheld"] == 0
    assert found["yours"] == found["spins"] == 3 + closed
    assert found["chains"]["taken_up"] == 2


def test_f13_no_secret_comes_twice_however_often_the_house_starts(tmp_path: Path) -> None:
    key = KeyFile(tmp_path / "key")
    starts = 25

    async def play() -> tuple[list[str], int]:
        secrets: list[str] = []
        for start in range(starts):
            async with house(tmp_path / "house.db", key) as table:
                if table.actor.house_table.state.phase is Phase.CLOSED:
                    await table.draw()
                    await table.settle()
                if start % 3:
                    await table.coup()
                if start % 2:
                    await table.close()
                secrets = [each["secret"] for each in revealed(table.actor)]
                verified = verify_table(table.house.store, TABLE)
                assert verified.is_sound, verified.problems
        return secrets, len(kept_secrets(tmp_path / "house.db", key))

    secrets, chains = asyncio.run(play())
    assert len({*secrets}) == len(secrets) > 20
    record("F13", "starts of a house in all phases", starts=starts, chains=chains, repeated=0)


# Secrets at rest ----------------------------------------------------------------------------------


def test_f13_a_thief_of_a_store_or_a_backup_reads_no_secret(tmp_path: Path) -> None:
    folder = tmp_path / "kept apart"
    folder.mkdir()
    key = KeyFile(folder / "key")

    async def play() -> None:
        async with house(tmp_path / "house.db", key) as table:
            await table.coup()
            back_up(table.house.store, tmp_path / "backup.db")

    asyncio.run(play())
    secrets = kept_secrets(tmp_path / "house.db", key)
    assert list(secrets) == [1]
    for file in (tmp_path / "house.db", tmp_path / "backup.db"):
        content = file.read_bytes()
        assert not [each for each in secrets[1][1:] if bytes.fromhex(each) in content]
        assert (folder / "key").read_text().strip().encode() not in content
    guess = SealingKey()
    guess.prepare()
    with pytest.raises(SealError, match="is not the key that sealed"):
        kept_secrets(tmp_path / "backup.db", guess)
    assert (folder / "key").stat().st_mode & 0o777 == 0o600
    assert not [path.name for path in folder.iterdir() if path.name != "key"]


@pytest.mark.parametrize("known", ["missing", "another", "nonsense"])
@pytest.mark.parametrize("closed", [True, False])
def test_f13_a_house_without_its_key_opens_where_no_coup_is_closed(
    tmp_path: Path, known: str, *, closed: bool
) -> None:
    async def play() -> None:
        async with house(tmp_path / "house.db", KeyFile(tmp_path / "key")) as table:
            await (table.close() if closed else table.coup())
        (tmp_path / "key").unlink()
        if known == "another":
            KeyFile(tmp_path / "key").prepare()
        elif known == "nonsense":
            (tmp_path / "key").write_text("not a key\n")
        async with house(tmp_path / "house.db", KeyFile(tmp_path / "key")) as table:
            chain = table.actor.house_table.chain
            assert chain is not None
            assert chain.reason == "taken_up"
            await table.coup()

    if not closed and known != "nonsense":
        asyncio.run(play())
        return
    with pytest.raises(SelfCheckError) as refusal:
        asyncio.run(play())
    says = {
        "missing": "the key of the ball is missing",
        "another": "is not the key that sealed the seed",
        "nonsense": "a key of the ball is 64 hexadecimal digits",
    }
    assert says[known] in str(refusal.value)
    assert "--ball-key FILE" in refusal.value.hint
    assert closed == ("a coup is closed" in str(refusal.value))
    assert (closed and known == "missing") or (tmp_path / "key").exists()


def test_f13_a_sealed_seed_fits_its_own_chain_alone(tmp_path: Path) -> None:
    """Nobody with access to the store puts another seed, or an old one, in its place."""
    key = SealingKey()
    sealed = key.seal(bytes(32), bound_to=b"one")
    assert key.unseal(sealed, bound_to=b"one") == bytes(32)
    assert key.seal(bytes(32), bound_to=b"one") != sealed, "no two are alike"
    changed = bytes([*sealed[:-1], sealed[-1] ^ 1])
    for other, bound_to in ((sealed, b"other"), (changed, b"one"), (sealed[:20], b"one")):
        with pytest.raises(SealError):
            key.unseal(other, bound_to=bound_to)
    with pytest.raises(SealError, match="another version"):
        key.unseal(b"\x02" + sealed[1:], bound_to=b"one")
    (tmp_path / "file").touch()
    with pytest.raises(SealError, match="Not a directory"):
        KeyFile(tmp_path / "file" / "key").prepare()


def test_f13_servers_that_start_at_once_make_one_key(tmp_path: Path) -> None:
    keys = [KeyFile(tmp_path / "key") for _ in range(10)]
    for key in keys:
        key._make()
    sealed = keys[0].seal(b"seed", bound_to=b"")
    assert [key.unseal(sealed, bound_to=b"") for key in keys] == [b"seed"] * 10
    assert [key.made for key in keys] == [True, *[False] * 9]
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


def test_f13_a_house_that_cannot_make_its_key_does_not_open(tmp_path: Path) -> None:
    async def play() -> None:
        key = KeyFile(tmp_path / "nowhere" / "key")
        opened = House(SqliteStore(tmp_path / "house.db"), source=BallSource(key=key))
        try:
            await opened.open()
        finally:
            await opened.close()

    with pytest.raises(SelfCheckError, match="No such file") as refusal:
        asyncio.run(play())
    assert "--ball-key FILE" in refusal.value.hint
