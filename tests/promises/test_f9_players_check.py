"""F9: a player can check us with one small file and Python alone."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from novamas.game.wheel import EUROPEAN, Pocket
from novamas.house.ball import fair_draw, verify_ball
from novamas.house.ball.fair_draw import Chain, SystemEntropy
from novamas.house.ball.seeds import LENGTH
from novamas.house.log.verify import verify_table
from novamas.house.table.croupier import AutomaticCroupier, Pace
from novamas.house.views.event_view import Audience
from scripts.vectors.__main__ import TARGET
from tests.promises.drawn import drawn_table
from tests.promises.figures import record
from tests.promises.machines import Machine, told

VERIFIER = Path(verify_ball.__file__)
COUPS = 100_000
EVENINGS = 4
PLAYED = 200
QUICK = Pace(betting=1, launched=1, running=1, falling=0, called=1, paying=1)

Events = list[dict[str, Any]]


def verified(folder: Path, *given: Any, table: str | None = None) -> tuple[int, str]:
    """What the verifier says, in a Python that has nothing but its standard library."""
    files = []
    for place, each in enumerate(given):
        path = folder / f"{place}.json"
        path.write_text(each if isinstance(each, str) else json.dumps(each), "utf-8")
        files.append(path)
    done = subprocess.run(
        [sys.executable, "-I", "-S", VERIFIER, *(["--table", table] if table else []), *files],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


def spins(table: str, many: int) -> Iterator[dict[str, Any]]:
    """The events of so many spins, with secrets of the system, as a house tells them."""
    seqs, chain, place, number = count(1), Chain(table, bytes(32), 1), 1, 0

    def event(kind: str, **data: Any) -> dict[str, Any]:
        return {"seq": next(seqs), "at": 0, "type": kind, "data": data}

    yield event("TableSetUp")
    yield event("PlayerSat", player="ana")
    for spin in range(1, many + 1):
        if place == chain.length:
            reason = "used_up" if number else "opened"
            chain, place, number = Chain(table, SystemEntropy().secret(), LENGTH), 0, number + 1
            tip = chain.tip.hex()
            yield event("BallChainCommitted", number=number, tip=tip, length=LENGTH, reason=reason)
        place += 1
        bound, secret = chain.commitment(place).hex(), chain.secret(place)
        yield event("BallCommitted", spin=spin, chain=number, place=place, commitment=bound)
        nonces = {"ana": f"{spin:x}"} if spin % 4 else {}
        for player, nonce in nonces.items():
            known = fair_draw.nonce_hash(table, spin, bound, player, nonce)
            yield event("NonceCommitted", player=player, spin=spin, hash=known)
        yield event("BettingClosed")
        for player, nonce in nonces.items():
            yield event("NonceOpened", player=player, spin=spin, nonce=nonce)
        fallen = fair_draw.draw(table, spin, secret, nonces, pockets=len(EUROPEAN))
        revealed = {"secret": secret.hex(), "nonces": nonces, "withheld": {}, "number": fallen}
        yield event("BallRevealed", spin=spin, **revealed)
        yield event("BallPocketed", number=fallen)


@pytest.mark.slow
def test_f9_a_hundred_thousand_coups_are_verified(tmp_path: Path) -> None:
    each = COUPS // EVENINGS
    for evening in range(EVENINGS):
        code, said = verified(tmp_path, list(spins(f"big {evening}", each)), table=f"big {evening}")
        assert said.startswith(f"{each} spins were checked; nothing wrong\n")
        assert code == 0
    lines = len(VERIFIER.read_text("utf-8").splitlines())
    record(
        "F9",
        "coups verified by one file of the standard library",
        coups=COUPS,
        wrong=0,
        lines_of_the_file=lines,
    )


@pytest.fixture(scope="module")
def evening() -> tuple[dict[str, Any], Events]:
    """An evening that the automatic croupier deals: a player's proof, and what the house tells."""

    async def play() -> tuple[dict[str, Any], Events]:
        async with drawn_table(name="evening", rulebook="es", length=64) as table:
            croupier = AutomaticCroupier(table.actor, QUICK)
            names = ("ana", "Борис", "late")
            machines = [Machine(table.actor, name) for name in names]
            for machine in machines:
                await table.seat(machine.player, 100_000)
                await machine.connect()
            state = table.actor.house_table.state
            croupier.start()
            for _ in range(40 * PLAYED):
                if state.spins > PLAYED:
                    break
                if not state.ball_launched and state.phase == "betting" and not state.stakes:
                    await table.stake("ana", "red", 10)
                    await table.stake("Борис", "17/20", 20)
                machines[2].opens = state.spins % 10 != 0
                for machine in machines:
                    await machine.follow()
                await table.clock.advance(0.25)
            assert state.spins > PLAYED, f"the table stands still in {state.phase}"
            await croupier.stop()
            verdict = verify_table(table.house.store, "evening")
            assert verdict.is_sound, verdict.problems
            assert verdict.open <= 1
            return machines[0].proof(), told(table.actor)

    return asyncio.run(play())


def test_f9_an_evening_at_a_real_table_is_verified(
    tmp_path: Path, evening: tuple[dict[str, Any], Events]
) -> None:
    proof, events = evening
    code, said = verified(tmp_path, proof, events[:1000], events[1000:])
    assert code == 0, said
    checked, yours, others, chains = said.splitlines()
    revealed = [event["data"] for event in events if event["type"] == "BallRevealed"]
    assert checked == f"{len(revealed)} spins were checked; nothing wrong"
    assert len(revealed) >= PLAYED
    assert yours == f"a text of yours was in {len(revealed)}; it was not opened in 0"
    assert all(each["nonces"].keys() >= {"ana", "Борис"} for each in revealed)
    withheld = sum(len(each["withheld"]) for each in revealed)
    assert withheld >= PLAYED // 10
    assert others == f"others did not open theirs {withheld} times"
    assert chains.startswith("new chains of secrets: 0 opened, 3 used_up, 0 taken_up")
    bound = [event["data"] for event in events if event["type"] == "BallCommitted"]
    assert len(bound) - len(revealed) <= 1, "every commitment but the last was opened"
    record(
        "F9",
        "coups that the automatic croupier dealt at a drawn table, verified by a player's proof",
        coups=len(revealed),
        commitments=len(bound),
        opened=len(revealed),
    )


def test_f9_the_proof_alone_and_the_house_alone_are_verified(
    tmp_path: Path, evening: tuple[dict[str, Any], Events]
) -> None:
    proof, events = evening
    assert verified(tmp_path, proof)[0] == 0
    assert verified(tmp_path, events, table="evening")[0] == 0


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("[",), "cannot be read"),
        (({},), "neither a proof nor a list of events"),
        (([],), "0 spins were checked"),
        (([17],), "unreadable"),
        (({"novamas": "proof 1"},), "the proof cannot be read"),
        ((), "python3 verify_ball.py proof.json"),
    ],
)
def test_f9_what_is_no_proof_is_not_verified(
    tmp_path: Path, given: tuple[Any, ...], says: str
) -> None:
    code, said = verified(tmp_path, *given, table="evening")
    assert code == 1
    assert says in said


def test_f9_another_table_does_not_verify(
    tmp_path: Path, evening: tuple[dict[str, Any], Events]
) -> None:
    _, events = evening
    code, said = verified(tmp_path, events, table="morning")
    assert code == 1
    assert "wrong_secret" in said
    assert len(said.splitlines()) < 30


def test_f9_the_program_finds_what_the_published_vectors_say(tmp_path: Path) -> None:
    """Some of the vectors, by the program as players run it; F13 has all of them."""
    vectors = json.loads(TARGET.read_text("utf-8"))
    for each in vectors[::4]:
        given = [part for part in (each["proof"], each["events"]) if part]
        code, said = verified(tmp_path, *given, table=each["table"])
        assert code == bool(each["problems"]), each["name"]
        assert all(f": {problem}: " in said for problem in each["problems"]), each["name"]


def test_f9_the_verifier_imports_the_standard_library_alone() -> None:
    program = (
        f"import sys; sys.argv = ['x']; sys.path.insert(0, {str(VERIFIER.parent)!r})\n"
        "import verify_ball\n"
        "stray = {m.partition('.')[0] for m in sys.modules} - sys.stdlib_module_names\n"
        "print(sorted(stray - {'__main__', 'verify_ball'}))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("rulebook", ["fram", "sd"])
def test_f9_a_table_with_a_double_zero_is_verified(tmp_path: Path, rulebook: str) -> None:
    """Spins until 00 came: all checks agree, of the house and of a player."""

    async def play() -> tuple[dict[str, Any], Events]:
        async with drawn_table(name="t", rulebook=rulebook) as table:
            machine = Machine(table.actor, "ana")
            await table.seat("ana", 100_000)
            await machine.connect()
            numbers: list[Pocket] = []
            while "00" not in numbers or len(numbers) < 40:
                await machine.follow()
                await table.stake("ana", "00", 10)
                await table.stake("ana", "red", 10)
                await table.close()
                await machine.follow()
                numbers.append(await table.draw())
                await table.settle()
            view = await table.actor.look(audience=Audience.PUBLIC, player="ana")
            assert view.last_numbers == tuple(numbers[-20:])
            assert view.draw is not None
            assert view.draw.zeros == (0, "00")
            verdict = verify_table(table.house.store, "t")
            assert verdict.is_sound, verdict.problems
            await machine.follow()
            return machine.proof(), told(table.actor)

    proof, events = asyncio.run(play())
    revealed = [event["data"] for event in events if event["type"] == "BallRevealed"]
    assert all(each["zeros"] == [0, "00"] and "ana" in each["nonces"] for each in revealed)
    code, said = verified(tmp_path, proof, events, table="t")
    assert code == 0, said
    assert f"{len(revealed)} spins were checked; nothing wrong" in said
    for event in events:
        event["data"].pop("zeros", None)
    assert "wrong_number" in verified(tmp_path, events, table="t")[1]
