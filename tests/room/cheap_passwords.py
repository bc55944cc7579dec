"""The command `novamas`, whose passwords cost little to hash: tests of the screens sign in often.

    python tests/room/cheap_passwords.py serve …

That a real house hashes as it should is shown where nobody needs a browser, in `tests/web`.
"""

from __future__ import annotations

import sys
from functools import partial
from unittest.mock import patch

from argon2 import PasswordHasher

from novamas.cli.main import main

if __name__ == "__main__":
    cheap = partial(PasswordHasher, time_cost=1, memory_cost=64, parallelism=1)
    with patch("novamas.web.passwords.PasswordHasher", cheap):
        sys.exit(main())
