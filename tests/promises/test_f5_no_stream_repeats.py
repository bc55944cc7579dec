"""F5: no stream of secrets repeats, whatever is started or forked, and no clock is its seed.

A source that keeps its state in memory gives every fork the same secret: two forks show it. What
takes many is a source with too few seeds (the birthday paradox). The ordinary run finds a source
with up to 19 bits of seed by its forks and up to 11 by its starts, in more than 19 of 20 runs. With
the 100,000 forks and 1,000 starts of `make soak` it is up to 30 bits and 17.
"""

import ast
import inspect
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import novamas
from novamas.house.ball import fair_draw
from novamas.house.ball.fair_draw import SECRET_BYTES, SystemEntropy
from tests.promises.figures import SOAK, record

SOURCES = str(Path(novamas.__file__).parent.parent)
STARTS = 1_000 if SOAK else 150
FORKS = 100_000 if SOAK else 2_000
AT_ONCE = 2

START = """
import sys
sys.path.insert(0, sys.argv[1])
from novamas.house.ball.fair_draw import SystemEntropy
entropy = SystemEntropy()
sys.stdout.buffer.write(entropy.secret() + entropy.secret())
"""

FORK = """
import os, sys
sys.path.insert(0, sys.argv[1])
from novamas.house.ball.fair_draw import SystemEntropy
entropy = SystemEntropy()
# Whatever the source keeps in memory once it was used, every child inherits.
out = sys.stdout.buffer
out.write(entropy.secret())
reading, writing = os.pipe()
for _ in range(int(sys.argv[2])):
    child = os.fork()
    if not child:
        os.write(writing, entropy.secret())
        os._exit(0)
    out.write(os.read(reading, 32))
    os.waitpid(child, 0)
out.write(entropy.secret())
"""


def secrets_of(program: str, *arguments: str) -> list[bytes]:
    """The secrets that a process of its own writes."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, SOURCES, *arguments],
        capture_output=True,
        check=True,
    )
    told = done.stdout
    assert len(told) % SECRET_BYTES == 0
    return [told[i : i + SECRET_BYTES] for i in range(0, len(told), SECRET_BYTES)]


@pytest.mark.slow
def test_f5_no_start_gives_a_secret_twice() -> None:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        each = list(pool.map(lambda _: secrets_of(START), range(STARTS)))
    drawn = [secret for secrets in each for secret in secrets]
    assert len(drawn) == 2 * STARTS
    assert len(set(drawn)) == len(drawn)
    # Not even their first words are alike: 2,000 of 64 bits collide once in 10^13 times.
    assert len({secret[:8] for secret in drawn}) == len(drawn)
    record("F5", "processes started", starts=STARTS, secrets=len(drawn), equal=0)


@pytest.mark.slow
def test_f5_no_fork_gives_a_secret_twice() -> None:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        share = str(FORKS // AT_ONCE)
        each = list(pool.map(lambda _: secrets_of(FORK, share), range(AT_ONCE)))
    drawn = [secret for secrets in each for secret in secrets]
    assert len(drawn) == FORKS + 2 * AT_ONCE
    assert len(set(drawn)) == len(drawn)
    record("F5", "processes forked from one that had drawn", forks=FORKS, equal=0)


def test_f5_a_source_that_a_fork_copies_is_caught() -> None:
    """The test can fail: a generator in memory gives every child the same."""
    copied = FORK.replace(
        "entropy = SystemEntropy()",
        "import random\nkept = random.Random()\n"
        "class Copied:\n    def secret(self): return kept.randbytes(32)\n"
        "entropy = Copied()",
    )
    drawn = secrets_of(copied, "20")
    assert len(drawn) == 22
    assert len(set(drawn)) == 2


def test_f5_no_clock_is_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """With every clock stopped, and every generator set back, the secrets still differ."""
    for clock in ("time", "monotonic", "perf_counter", "process_time"):
        monkeypatch.setattr(time, clock, lambda: 1_700_000_000.0)
        monkeypatch.setattr(time, f"{clock}_ns", lambda: 1_700_000_000_000_000_000)
    monkeypatch.setattr("os.getpid", lambda: 1)
    drawn = set()
    for _ in range(1_000):
        random.seed(0)
        drawn.add(SystemEntropy().secret())
    assert len(drawn) == 1_000
    tree = ast.parse(inspect.getsource(fair_draw))
    imported = {
        name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (node.names if isinstance(node, ast.Import) else [ast.alias(node.module or "")])
    }
    assert imported == {
        "__future__",
        "collections.abc",
        "hashlib",
        "hmac",
        "re",
        "secrets",
        "typing",
    }
    record("F5", "secrets drawn with all clocks stopped", secrets=1_000, equal=0)
