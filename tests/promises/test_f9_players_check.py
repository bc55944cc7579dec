"""F9: a player can check us with one small file and Python alone."""

import asyncio
import copy
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from novamas.house import ball, history, verify_ball, views
from novamas.house.ball import SystemEntropy
from novamas.house.commands import SetNonce
from novamas.house.croupier import AutomaticCroupier, Pace
from novamas.house.verify import verify_table
from tests.promises.drawn import drawn_table
from tests.promises.figures import record

VERIFIER = Path(verify_ball.__file__)
COUPS = 100_000
PLAYED = 200
QUICK = Pace(betting=1, launched=1, running=1, called=1, paying=1)

Coups = list[dict[str, Any]]
Events = list[dict[str, Any]]


def verified(folder: Path, table: str, coups: Any, *events: Any) -> tuple[int, str]:
    """What the verifier says, in a Python that has nothing but its standard library."""
    files = []
    for place, given in enumerate((coups, *events)):
        path = folder / f"{place}.json"
        path.write_text(given if isinstance(given, str) else json.dumps(given), "utf-8")
        files.append(path)
    done = subprocess.run(
        [sys.executable, "-I", "-S", VERIFIER, table, *files],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_f9_a_hundred_thousand_coups_are_verified(tmp_path: Path) -> None:
    coups: Coups = []
    events: Events = []
    secret_of = SystemEntropy().secret
    for spin in range(1, COUPS + 1):
        secret = secret_of()
        nonces = {f"player {n}": f"{spin * n:x}" for n in range(spin % 4)}
        bound = ball.commitment("big", spin, secret)
        events.append({"type": "BallCommitted", "data": {"spin": spin, "commitment": bound}})
        told = {"spin": spin, "commitment": bound, "secret": secret.hex(), "nonces": nonces}
        number = ball.draw("big", spin, secret, nonces)
        coups.append({"coup": spin, "number": number, "players": {}, "ball": told})
    coming = ball.commitment("big", COUPS + 1, secret_of())
    events.append({"type": "BallCommitted", "data": {"spin": COUPS + 1, "commitment": coming}})
    code, told_us = verified(tmp_path, "big", coups, events)
    assert told_us.splitlines() == [
        f"{COUPS} of {COUPS} coups are as they were committed",
        f"{COUPS + 1} commitments were published: {COUPS} opened, 1 not",
    ]
    assert code == 0
    lines = len(VERIFIER.read_text("utf-8").splitlines())
    record(
        "F9",
        "coups verified by one file of the standard library",
        coups=COUPS,
        wrong=0,
        commitments=COUPS + 1,
        not_opened_yet=1,
        lines_of_the_file=lines,
    )


@pytest.fixture(scope="module")
def evening() -> tuple[Coups, Events]:
    """An evening at a drawn table that the automatic croupier deals, as the players see it."""

    async def play() -> tuple[Coups, Events]:
        async with drawn_table(name="evening", rulebook="es") as table:
            croupier = AutomaticCroupier(table.actor, QUICK)
            await table.seat("ana", 100_000, nonce="first")
            await table.seat("Борис", 100_000)
            state = table.actor.hall.state
            croupier.start()
            for _ in range(20 * PLAYED):
                if state.spins > PLAYED:
                    break
                if not state.ball_launched and state.phase == "betting" and not state.stakes:
                    await table.stake("ana", "red", 10)
                    await table.stake("Борис", "17/20", 20)
                    if state.spins % 3 == 0:
                        await table.give(SetNonce(by="Борис", nonce=f"№ {state.spins}"))
                await table.clock.advance(0.5)
            assert state.spins > PLAYED, f"the table stands still in {state.phase}"
            await croupier.stop()
            store = table.house.store
            verdict = verify_table(store, "evening")
            assert verdict.is_sound, verdict.problems
            assert verdict.open <= 1
            public = [
                views.of_record(each, views.Audience.PUBLIC) for each in store.read("evening")
            ]
            return history.coups(store, "evening"), [json.loads(each) for each in public]

    return asyncio.run(play())


def test_f9_an_evening_at_a_real_table_is_verified(
    tmp_path: Path, evening: tuple[Coups, Events]
) -> None:
    coups, events = evening
    code, told = verified(tmp_path, "evening", coups, events[:1000], events[1000:])
    opened = f"{len(coups)} of {len(coups)} coups are as they were committed"
    assert opened in told
    assert code == 0, told
    assert len(coups) >= PLAYED
    published = [event["data"] for event in events if event["type"] == "BallCommitted"]
    assert [each["spin"] for each in published] == list(range(1, len(published) + 1))
    revealed = {e["data"]["spin"] for e in events if e["type"] == "BallRevealed"}
    assert len(published) - len(revealed) <= 1, "every commitment but the last was opened"
    assert any(coup["ball"]["nonces"].get("Борис") for coup in coups)
    record(
        "F9",
        "coups that the automatic croupier dealt at a drawn table, verified from public events",
        coups=len(coups),
        commitments=len(published),
        opened=len(revealed),
    )


def number(coups: Coups, _: Events) -> None:
    coups[9]["number"] = (coups[9]["number"] + 1) % 37


def secret(coups: Coups, _: Events) -> None:
    flipped = bytes.fromhex(coups[9]["ball"]["secret"])
    coups[9]["ball"]["secret"] = bytes([flipped[0] ^ 1, *flipped[1:]]).hex()


def nonce(coups: Coups, _: Events) -> None:
    """Nonces until the number is another one: a single change may draw the same."""
    told = coups[9]["ball"]
    for n in range(100):
        told["nonces"]["ana"] = str(n)
        drawn = ball.draw("evening", told["spin"], bytes.fromhex(told["secret"]), told["nonces"])
        if drawn != coups[9]["number"]:
            return


def left_out(coups: Coups, _: Events) -> None:
    del coups[9]


def unopened(coups: Coups, _: Events) -> None:
    coups[9]["ball"] = None


def twice(coups: Coups, _: Events) -> None:
    coups.append(coups[9])


def another_ball(coups: Coups, _: Events) -> None:
    """A coup that is right in itself, but not the one that was committed to."""
    told = coups[9]["ball"]
    other = bytes(32)
    told["secret"], told["commitment"] = (
        other.hex(),
        ball.commitment("evening", told["spin"], other),
    )
    coups[9]["number"] = ball.draw("evening", told["spin"], other, told["nonces"])


def dropped_at_the_end(coups: Coups, events: Events) -> None:
    """Two coups that are not told, though their balls were committed to."""
    del coups[-2:]
    events.append({"type": "BallCommitted", "data": {"spin": 10_000, "commitment": "00"}})


def two_commitments(_: Coups, events: Events) -> None:
    events.append({"type": "BallCommitted", "data": {"spin": 10, "commitment": "00"}})


def unreadable(coups: Coups, _: Events) -> None:
    coups[9] = {"coup": 10, "number": 5, "ball": {"secret": "no hex", "spin": 10}}


TAMPERED: dict[Callable[[Coups, Events], None], str] = {
    number: "coup 10: drew ",
    secret: "coup 10: its secret does not open its commitment",
    nonce: "coup 10: drew ",
    left_out: "1 spins are left out: 10",
    unopened: "coup 10: has no ball to check",
    twice: "coup 10: spin 10 is there twice",
    another_ball: "1 were changed afterwards: spins 10",
    dropped_at_the_end: "were never opened: spins ",
    two_commitments: "1 were changed afterwards: spins 10",
    unreadable: "coup 10: cannot be read: ",
}


@pytest.mark.parametrize("tamper", TAMPERED, ids=lambda tamper: tamper.__name__)
def test_f9_what_was_tampered_with_is_found(
    tmp_path: Path,
    evening: tuple[Coups, Events],
    tamper: Callable[[Coups, Events], None],
) -> None:
    coups, events = copy.deepcopy(evening)
    tamper(coups, events)
    code, told = verified(tmp_path, "evening", coups, events)
    assert code == 1
    assert TAMPERED[tamper] in told
    record("F9", "kinds of tampering that the verifier finds", kinds=len(TAMPERED))


@pytest.mark.parametrize(
    ("given", "says"),
    [("[", "cannot be read"), ("{}", "not a list"), ([], "0 of 0"), ([17], "cannot be read")],
)
def test_f9_what_is_no_list_of_coups_is_not_verified(tmp_path: Path, given: Any, says: str) -> None:
    code, told = verified(tmp_path, "evening", given)
    assert code == 1
    assert says in told


def test_f9_another_table_does_not_verify(tmp_path: Path, evening: tuple[Coups, Events]) -> None:
    coups, events = evening
    code, told = verified(tmp_path, "morning", coups, events)
    assert code == 1
    assert f"0 of {len(coups)} coups are as they were committed" in told
    assert len(told.splitlines()) < 40


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
