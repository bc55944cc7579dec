"""Compiled loops are kept for the next process; a broken or closed folder is never an error."""

from __future__ import annotations

import importlib.util
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest

from novamas.rulebooks import load
from novamas.simulation.run import simulate

MODULE = """
from novamas.simulation.kernel_cache import kept_njit

@kept_njit(nogil=True)
def doubled(number):
    return 2 * number
"""


def doubled(folder: Path, name: str) -> Any:
    """A function of a module in a folder of its own, as a new process would load it."""
    spec = importlib.util.spec_from_file_location(name, folder / "sample.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.doubled


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    (tmp_path / "sample.py").write_text(MODULE)
    return tmp_path


def indices(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.nbi"))


def test_the_next_process_finds_what_was_compiled(folder: Path) -> None:
    first = doubled(folder, "first")
    assert first(4) == 8
    assert sum(first.stats.cache_misses.values()) == 1
    second = doubled(folder, "second")
    assert second(4) == 8
    assert sum(second.stats.cache_hits.values()) == 1
    assert not second.stats.cache_misses


def test_a_stale_file_of_a_class_that_has_moved_is_written_anew(folder: Path) -> None:
    """A cache of an older layout of the package once raised ModuleNotFoundError."""
    assert doubled(folder, "first")(4) == 8
    (index,) = indices(folder)
    index.write_bytes(pickle.dumps(numba.__version__) + b"cnovamas.no_such_module\nRows\n.")
    assert doubled(folder, "second")(4) == 8
    third = doubled(folder, "third")
    assert third(4) == 8
    assert sum(third.stats.cache_hits.values()) == 1


def test_a_file_that_is_cut_short_is_written_anew(folder: Path) -> None:
    assert doubled(folder, "first")(4) == 8
    for file in folder.rglob("*.nb?"):
        file.write_bytes(file.read_bytes()[:9])
    assert doubled(folder, "second")(4) == 8


def test_without_any_folder_nothing_is_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError

    monkeypatch.setattr("numba.core.caching._CacheLocator.ensure_cache_path", refuse)
    assert doubled(folder, "closed")(4) == 8
    assert indices(folder) == []


def test_a_folder_that_closes_later_does_not_matter(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    function = doubled(folder, "full")

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", refuse)
    assert function(4) == 8


def test_the_loops_are_kept_across_processes(tmp_path: Path) -> None:
    """The second process compiles nothing."""
    program = (
        "import novamas as nv\n"
        "from novamas.simulation import kernels\n"
        "nv.simulate('ar', 'red:10', coups=3, players=1, threads=1)\n"
        "loop = kernels.loop_of('flat', linear=True, pockets=37)\n"
        "print(sum(loop.stats.cache_misses.values()), sum(loop.stats.cache_hits.values()))\n"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    told = [
        subprocess.run(
            [sys.executable, "-c", program],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for _ in range(2)
    ]
    assert told == [["1", "0"], ["0", "1"]]


def test_the_rate_leaves_compiling_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loop is called once with no players before the clock starts."""
    from novamas.simulation import player_block, run

    counts, times = [], iter(range(100))
    play = player_block.play_block

    def counted(plan: Any, first: int, count: int, progress: Any = None) -> Any:
        counts.append(count)
        return play(plan, first, count, progress)

    class Clock:
        @staticmethod
        def perf_counter() -> float:
            counts.append(-1)
            return next(times)

    monkeypatch.setattr(player_block, "play_block", counted)
    monkeypatch.setattr(run, "time", Clock)
    found = simulate(load("ar"), "red:1", coups=10, players=5, threads=1)
    assert counts == [0, -1, 5, -1]
    assert found.seconds == 1
