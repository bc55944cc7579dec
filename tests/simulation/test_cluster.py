"""A scheduler and two workers, each a process of its own on the loopback; one of them is killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from novamas.rulebooks import load
from novamas.simulation import cluster as cluster_module
from novamas.simulation.cluster import ClusterError
from novamas.simulation.run import Progress, simulate

pytestmark = pytest.mark.slow
LOOPBACK = "127.0.0.1"
QUIET = {**os.environ, "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical"}


class Cluster:
    """The processes of a cluster."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        at = folder / "scheduler.json"
        self.scheduler = self._start(
            "scheduler",
            "--host",
            LOOPBACK,
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            str(at),
        )
        until = time.monotonic() + 60
        while not at.exists() or not at.read_text():
            assert time.monotonic() < until, "the scheduler does not come up"
            time.sleep(0.1)
        self.address: str = json.loads(at.read_text())["address"]
        assert LOOPBACK in self.address
        self.workers = [
            self._start(
                "worker",
                self.address,
                "--host",
                LOOPBACK,
                "--nthreads",
                "1",
                "--no-nanny",
                "--no-dashboard",
                "--local-directory",
                str(folder),
            )
            for _ in range(2)
        ]

    def _start(self, *words: str) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
            env=QUIET,
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def ready(self) -> None:
        """Waits until both workers are there."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)

    def stop(self) -> None:
        """Kills the processes: a worker that is asked to end waits ten seconds for the others."""
        for process in (*self.workers, self.scheduler):
            process.kill()
        for process in (*self.workers, self.scheduler):
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    try:
        made.ready()
        yield made
    finally:
        made.stop()


TERMS: dict[str, Any] = {
    "coups": 20_000,
    "players": 20_000,
    "bankroll": 2_000,
    "system": "dalembert",
    "seed": 11,
}


@pytest.mark.filterwarnings("ignore")
def test_a_worker_killed_in_the_middle_changes_nothing_but_the_time(cluster: Cluster) -> None:
    alone = simulate(load("ar"), "red:5", **TERMS)
    killed: list[int] = []

    def kill(progress: Progress) -> None:
        if not killed and 0 < progress.players < progress.all_players:
            cluster.workers[0].send_signal(signal.SIGKILL)
            killed.append(progress.players)

    there = simulate(load("ar"), "red:5", cluster=cluster.address, tell=kill, **TERMS)
    assert killed, "nothing was left to play when the worker was to be killed"
    assert cluster.workers[0].wait(60) == -signal.SIGKILL
    assert there.is_whole
    assert json.dumps(there.as_data()) == json.dumps(alone.as_data())


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "PATIENCE", "1s")
    with pytest.raises(ClusterError, match="no scheduler answers"):
        simulate(load("ar"), "red:5", coups=1, cluster="tcp://127.0.0.1:1")


def test_what_is_no_address() -> None:
    with pytest.raises(ClusterError, match="no address"):
        simulate(load("ar"), "red:5", coups=1, cluster="nonsense")
