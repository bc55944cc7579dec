"""How large the arguments of a simulation may be: what 64-bit integers count, and memory holds.

Trials of a strategy keep the same bounds where NumPy is missing, so nothing is imported here.
"""

from __future__ import annotations

from typing import Final

MOST_PLAYERS: Final = 20_000_000
MOST_COUPS: Final = 10**15
MOST_MONEY: Final = (1 << 60) - 1
MOST_SEED: Final = (1 << 63) - 1
MOST_SPINS: Final = 1_000_000_000
MOST_SHARES: Final = 10_000
