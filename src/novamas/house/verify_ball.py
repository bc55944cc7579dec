"""Checks the drawn numbers of a novamas table. This one file and Python's standard library do.

    python3 verify_ball.py TABLE coups.json [events.json …]

`coups.json` is what /api/tables/TABLE/coups gives. For each coup the secret must open the
commitment that was published before betting opened, and must draw, with the players' nonces, the
number that was played:

    commitment = SHA-256 over "novamas ball 1", the table, the spin, the secret
    number     = the first byte below 222 of HMAC-SHA256(secret, "novamas draw 1", the table,
                 the spin, then each player and nonce in order, then a counter of 4 bytes), mod 37

where each text has its length before it, in 4 bytes, the highest first. No spin may be left out.

`events.json` is what /api/tables/TABLE/events gave, best as you got it while you played: with it
every commitment that was published must be the one of its coup, and all but the last be opened.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
from itertools import islice
from pathlib import Path
from typing import Any

SHOWN = 20
"""So many problems of a kind are told one by one; the others are counted."""


def framed(*fields: bytes) -> bytes:
    """The fields, each with its length before it."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def commitment(table: str, spin: int, secret: bytes) -> str:
    """The hash that was published before betting opened."""
    fields = (b"novamas ball 1", table.encode(), str(spin).encode(), secret)
    return hashlib.sha256(framed(*fields)).hexdigest()


def number(table: str, spin: int, secret: bytes, nonces: dict[str, str]) -> int:
    """The number that the secret and the nonces draw."""
    fields = [b"novamas draw 1", table.encode(), str(spin).encode()]
    for player in sorted(nonces):
        fields += [player.encode(), nonces[player].encode()]
    message, block = framed(*fields), 0
    while True:
        for byte in hmac.new(secret, message + block.to_bytes(4, "big"), "sha256").digest():
            if byte < 222:
                return byte % 37
        block += 1


def problem_of(table: str, coup: Any, opened: dict[int, str]) -> str:
    """What is wrong with a coup, or nothing; the commitment that it opens is noted."""
    try:
        ball = coup["ball"]
        if not ball:
            return "has no ball to check"
        secret, spin = bytes.fromhex(ball["secret"]), ball["spin"]
        if type(spin) is not int or commitment(table, spin, secret) != ball["commitment"]:
            return "its secret does not open its commitment"
        if spin in opened:
            return f"spin {spin} is there twice"
        opened[spin] = ball["commitment"]
        drawn = number(table, spin, secret, ball["nonces"])
        return "" if drawn == coup["number"] else f"drew {drawn}, not {coup['number']}"
    except (AttributeError, KeyError, TypeError, ValueError) as wrong:
        return f"cannot be read: {type(wrong).__name__} {wrong}"


def check_coups(table: str, coups: list[Any], opened: dict[int, str]) -> int:
    """Tells what is wrong with the coups, and how much."""
    wrong = 0
    for place, coup in enumerate(coups, 1):
        problem = problem_of(table, coup, opened)
        wrong += bool(problem)
        if problem and wrong <= SHOWN:
            print(f"coup {coup.get('coup', place) if isinstance(coup, dict) else place}: {problem}")
    print(f"{len(coups) - wrong} of {len(coups)} coups are as they were committed")
    spins = range(min(opened, default=1), max(opened, default=0) + 1)
    left_out = len(spins) - len(opened)
    if left_out:
        first = islice((spin for spin in spins if spin not in opened), SHOWN)
        print(f"{left_out} spins are left out: {' '.join(map(str, first))}")
    return wrong + left_out


def check_published(published: dict[int, str], opened: dict[int, str]) -> int:
    """Counts the commitments that were published, and tells which were not kept."""
    first = min(opened, default=0)
    seen = sorted(spin for spin in published if spin >= first)
    changed = [spin for spin in seen if opened.get(spin, published[spin]) != published[spin]]
    waiting = [spin for spin in seen if spin not in opened]
    never = [spin for spin in waiting if spin < seen[-1]]  # The last one's ball has yet to fall.
    opens = len(seen) - len(waiting)
    print(f"{len(seen)} commitments were published: {opens} opened, {len(waiting)} not")
    for spins, what in ((changed, "changed afterwards"), (never, "never opened")):
        if spins:
            print(f"{len(spins)} were {what}: spins {' '.join(map(str, spins[:SHOWN]))}")
    return len(changed) + len(never)


def commitments_in(events: list[Any]) -> dict[int, str]:
    """The commitments among events, by spin; who publishes two of a spin is found out too."""
    found: dict[int, str] = {}
    for event in events:
        if event["type"] == "BallCommitted":
            spin, bound = event["data"]["spin"], event["data"]["commitment"]
            found[spin] = bound if found.get(spin, bound) == bound else "two"
    return found


def read(path: str) -> list[Any]:
    """A list from a file."""
    try:
        given = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, RecursionError, ValueError) as problem:
        sys.exit(f"{path}: cannot be read: {problem}")
    return given if isinstance(given, list) else sys.exit(f"{path}: not a list")


def main() -> None:
    """Checks every coup of the file, and every commitment that was published."""
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    table, path, *others = sys.argv[1:]
    opened: dict[int, str] = {}
    coups = read(path)
    wrong = check_coups(table, coups, opened)
    if others:
        events = [event for other in others for event in read(other)]
        try:
            wrong += check_published(commitments_in(events), opened)
        except (KeyError, TypeError) as problem:
            sys.exit(f"the events cannot be read: {type(problem).__name__} {problem}")
    sys.exit(bool(wrong) or not coups)


if __name__ == "__main__":
    main()
