"""Checks the drawn numbers of a novamas table. This one file and Python's standard library do.

    python3 verify_ball.py TABLE coups.json

`coups.json` is what /api/tables/TABLE/coups gives. For each coup the secret must open the
commitment that was published before betting opened, and must draw, with the players' nonces, the
number that was played:

    commitment = SHA-256 over "novamas ball 1", the table, the spin, the secret
    number     = the first byte below 222 of HMAC-SHA256(secret, "novamas draw 1", the table,
                 the spin, then each player and nonce in order, then a counter of 4 bytes), mod 37

where each text has its length before it, in 4 bytes, the highest first.
"""

import hashlib
import hmac
import json
import sys
from pathlib import Path


def framed(*fields: bytes) -> bytes:
    """The fields, each with its length before it."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def commitment(table: str, spin: int, secret: bytes) -> str:
    """The hash that was published before betting opened."""
    fields = (b"novamas ball 1", table.encode(), str(spin).encode(), secret)
    return hashlib.sha256(framed(*fields)).hexdigest()


def number(table: str, spin: int, secret: bytes, nonces: "dict[str, str]") -> int:
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


def main() -> None:
    """Checks every coup of the file."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    table, path = sys.argv[1:]
    given = json.loads(Path(path).read_text(encoding="utf-8"))
    coups = [coup for coup in given if coup.get("ball")]
    wrong = 0
    for coup in coups:
        ball = coup["ball"]
        secret, spin = bytes.fromhex(ball["secret"]), ball["spin"]
        opens = commitment(table, spin, secret) == ball["commitment"]
        draws = number(table, spin, secret, ball["nonces"]) == coup["number"]
        if not (opens and draws):
            wrong += 1
            what = "drew another number" if opens else "does not open its commitment"
            print(f"coup {coup['coup']}: {what}")
    print(f"{len(coups) - wrong} of {len(coups)} drawn coups are as they were committed")
    sys.exit(bool(wrong) or not coups)


if __name__ == "__main__":
    main()
