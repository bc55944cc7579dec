"""`import novamas` stays light, and the core runs on the standard library alone."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import novamas

SOURCES = Path(novamas.__file__).parents[1]
BEFORE = '''"""A roulette house that plays by the book.

The rulebook is data, the engine is a small closed set of behaviours that the data chooses, and
every chip that moves cites the article that moved it. This module stays empty of imports: the
command line starts through it, and what is heavy is imported where it is used.
"""

__version__ = "0.1.0"
'''
"""The package before it offered anything: what its import is compared with."""
ROUNDS = 40


def microseconds(path: Path) -> int:
    """How long the import of `novamas` takes that stands in a folder, by Python's own count."""
    program = f"import sys; sys.path.insert(0, {str(path)!r}); import novamas"
    done = subprocess.run(
        [sys.executable, "-I", "-X", "importtime", "-c", program],
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.search(r"^import time: +\d+ \| +(\d+) \| novamas$", done.stderr, re.MULTILINE)
    assert found is not None, done.stderr
    return int(found[1])


@pytest.mark.slow
def test_the_import_takes_at_most_half_as_long_again_as_an_empty_one(tmp_path: Path) -> None:
    """The best of many, in turns, so that a machine that stalls disturbs neither side."""
    (tmp_path / "novamas").mkdir()
    (tmp_path / "novamas" / "__init__.py").write_text(BEFORE)
    pairs = [(microseconds(tmp_path), microseconds(SOURCES)) for _ in range(ROUNDS)]
    before, now = (min(side) for side in zip(*pairs, strict=True))
    assert now <= 1.5 * before, f"{now} µs, {before} µs before"


def test_nothing_is_imported_before_it_is_used() -> None:
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"
        "import novamas\n"
        "print(sorted(set(sys.modules) - before))\n"
    )
    assert run(program) == "['novamas']\n"


def test_the_core_runs_on_the_standard_library_alone() -> None:
    """Nothing but the standard library and novamas itself may even be looked for."""
    program = (
        "import sys\n"
        "class Bar:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        root = name.partition('.')[0]\n"
        "        if root != 'novamas' and root not in sys.stdlib_module_names:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=root)\n"
        "sys.meta_path.insert(0, Bar())\n"
        "import novamas as nv\n"
        "from novamas import *\n"
        "coup = nv.settle('ar', 17, 'ana 17:5', 'luis 17/20:4')\n"
        "coup.explain(language='es'), coup._repr_html_(), coup.payments, coup.reductions\n"
        "nv.odds('es', 'red:10').edge, nv.compare('red:10')._repr_html_()\n"
        "table = nv.Table('it', players={'anna': 1_000}, seed=7)\n"
        "print([coup.pocket for coup in table.play('17:5 tiers:6', coups=3)])\n"
        "table._repr_html_(), str(nv.cloth('it', 'anna 17:25')), nv.cloth('it').svg()\n"
        "nv.load('ar'), nv.houses(), nv.parse('17/20:4'), nv.systems()\n"
        "staking = nv.Staking('red:10', system='martingale')\n"
        "assert not nv.trials('es', staking, bankroll=100, players=3).compiled\n"
        "for what, needs in (\n"
        "    (lambda: nv.simulate('ar', 'red:10'), 'maths'),\n"
        "    (lambda: nv.read_log('house.db'), 'house'),\n"
        "    (lambda: nv.connect('http://127.0.0.1:1', 'es', 'ana').__enter__(), 'house'),\n"
        "    (lambda: nv.odds('ar', 'red:10').frame(), 'maths'),\n"
        "    (lambda: nv.environment('es'), 'learn'),\n"
        "    (lambda: nv.widget([coup]), 'notebook'),\n"
        "    (lambda: coup.to_arrow(), 'notebook'),\n"
        "):\n"
        "    try:\n"
        "        what()\n"
        "    except ImportError as error:\n"
        "        assert isinstance(error, nv.NovamasError), error\n"
        "        assert f'install novamas[{needs}]' in str(error), error\n"
        "    else:\n"
        "        raise AssertionError(needs)\n"
        "print(sorted(set(name.partition('.')[0] for name in sys.modules)\n"
        "    - set(sys.stdlib_module_names) - {'novamas'} - before))\n"
    )
    program = "import sys; before = {n.partition('.')[0] for n in sys.modules}\n" + program
    numbers, strangers = run(program).splitlines()
    assert len(numbers.split(",")) == 3
    assert strangers == "[]"


def run(program: str) -> str:
    """What a program prints."""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
