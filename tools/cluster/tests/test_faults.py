"""Tests faults of a real scheduler, three real workers and the real program.

After every fault the tables equal those of one `grundy build`, and no task is lost.

A task takes only a tenth of a second. The tests slow the program down, so that faults occur during
a task.
"""

import json
import os
import random
import signal
import subprocess
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from conftest import (
    FULL,
    LARGE,
    LIE,
    Cluster,
    Reference,
    Wrong,
    contents,
    kill_tree,
    script,
    start,
)

from grundy_cluster.driver import ROUNDS

# The maximum number of tasks of a run.
PARTS = 24

# The possible exit codes of a driver after a fault. If a signal comes before our code runs, Python
# chooses the exit code.
ENDS = {
    "driver killed": {-signal.SIGKILL},
    "driver interrupted": {130, -signal.SIGINT, 1},
    "scheduler killed": {2},
}


class Scene:
    """A cluster of workers, a driver, and the faults to cause."""

    def __init__(
        self, cluster: Cluster, grundy: str, folder: Path, wanted: dict[str, bytes], program: str
    ) -> None:
        self.cluster, self.grundy, self.folder, self.wanted = cluster, grundy, folder, wanted
        self.program, self.log = program, folder / "driver.log"
        self.db, self.results = folder / "db", folder / "results"
        self.driver: subprocess.Popen[str] | None = None
        self.dice, self.builds, self.told = random.Random(1), 0, Counter[str]()
        tasks = subprocess.run(
            [grundy, "tasks", "build", "--parts", str(PARTS), *LARGE],
            cwd=folder, capture_output=True, check=True,
        )  # fmt: skip
        self.tasks = tasks.stdout.count(b"\n")
        # For each fault: how often to cause it, and a function that causes it. The function raises
        # an error if it finds no target.
        self.faults: dict[str, tuple[int, Callable[[], None]]] = {
            "worker killed": (6, lambda: cluster.process(self.worker()).kill()),
            "node killed": (4, lambda: cluster.replace(self.worker())),
            "task killed": (8, lambda: self.dice.choice(cluster.tasks()).kill()),
            "driver killed": (4, lambda: self.signal_driver(signal.SIGKILL)),
            "driver interrupted": (2, lambda: self.signal_driver(signal.SIGINT)),
            "worker stopped": (2, self.stop_worker),
            "scheduler killed": (1, self.kill_scheduler),
            "result damaged": (4, lambda: self.damage(self.results.glob("build-*.json"))),
            "shard damaged": (4, self.damage_shard),
        }

    def begin(self) -> subprocess.Popen[str]:
        words = ["build", "--scheduler-file", self.cluster.file, "--program", self.grundy]
        words += ["--worker-program", self.program, "--results", self.results, "--parts", PARTS]
        words += ["--threads", 1, "--timeout", 300, "--db", self.db, *LARGE]
        return start(*words, log=self.log)

    def said(self) -> str:
        return self.log.read_text() + self.cluster.log.read_text()

    def rage(self, faults: list[str]) -> None:
        """Build again and again until all these faults have happened, in order."""
        left = deque(faults)
        while left:
            self.builds += 1
            names = (f"{name}{self.builds}" for name in ("db", "res"))
            self.db, self.results = (self.folder / name for name in names)
            begun = time.monotonic()
            self.driver, since = self.begin(), Counter[str]()
            while self.driver.poll() is None or self.driver.returncode != 0:
                if self.driver.poll() is not None:
                    codes = {code for name in since for code in ENDS.get(name, ())}
                    # After ROUNDS damaged files the driver stops repairing, and may end with an
                    # error.
                    if since["result damaged"] + since["shard damaged"] >= ROUNDS:
                        codes.add(2)
                    assert self.driver.returncode in codes, (since, self.said())
                    self.driver, since = self.begin(), Counter[str]()
                # Cause faults only while tasks run.
                if left and self.cluster.tasks():
                    time.sleep(self.dice.uniform(0.0, 1.0))
                    with suppress(psutil.Error, OSError, IndexError, StopIteration):
                        since[left[0]] += 1
                        self.faults[left[0]][1]()
                        self.told[left.popleft()] += 1
                time.sleep(0.05)
            assert contents(self.db) == self.wanted
            took = time.monotonic() - begun
            print(f"build {self.builds}: {self.told.total()} faults, {took:.1f} s")

    def worker(self) -> int:
        return self.dice.randrange(len(self.cluster.workers))

    def signal_driver(self, number: int) -> None:
        assert self.driver
        if self.driver.poll() is not None:
            raise ProcessLookupError
        self.driver.send_signal(number)

    def kill_scheduler(self) -> None:
        cluster = self.cluster
        assert cluster.scheduler
        kill_tree(cluster.scheduler)
        cluster.start_scheduler()
        for index in range(len(cluster.workers)):
            cluster.replace(index)

    def stop_worker(self) -> None:
        victim = self.cluster.process(self.worker())
        victim.suspend()
        time.sleep(7)
        victim.resume()

    def damage_shard(self) -> None:
        # After the last task the driver publishes the database. It cannot notice later damage.
        if len(list(self.results.glob("build-*.json"))) == self.tasks:
            raise IndexError
        self.damage(self.db.rglob("*.zst"))

    def damage(self, some: Iterator[Path]) -> None:
        path = self.dice.choice(sorted(some))
        data = bytearray(path.read_bytes())
        data[self.dice.randrange(len(data))] ^= 1 << self.dice.randrange(8)
        path.write_bytes(data)


def test_a_run_survives_a_full_disk_and_a_liar(
    cluster: Cluster, grundy: str, wrong: Wrong, tmp_path: Path, reference: Reference
) -> None:
    # Every worker finds its own program, with the name grundy, on its own PATH.
    programs = [wrong("sleep 0.5"), wrong(LIE), wrong(FULL)]
    cluster.start(*({"PATH": f"{Path(one).parent}:{os.environ['PATH']}"} for one in programs))
    # Wait for all workers, because a run on faulty programs alone would fail.
    cluster.wait_for_workers(3)
    scene = Scene(cluster, grundy, tmp_path, reference(LARGE), "grundy")
    assert scene.begin().wait(900) == 0, scene.said()
    assert contents(scene.db) == scene.wanted


@pytest.fixture
def storm(cluster: Cluster, grundy: str, tmp_path: Path, reference: Reference) -> Scene:
    cluster.env["DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL"] = "5s"
    cluster.start({}, {}, {})
    cluster.wait_for_workers(3)
    slow = f'case $1 in task) sleep "${{SLOW:-1}}" ;; esac\nexec "{grundy}" "$@"'
    program = script(tmp_path / "slow" / "grundy", slow)
    return Scene(cluster, grundy, tmp_path, reference(LARGE), program)


def test_what_each_fault_costs_is_work_and_nothing_else(storm: Scene) -> None:
    storm.rage(list(storm.faults))
    said = storm.said()
    for told in ("tasks were done before", "is gone", "the same command continues the run"):
        assert told in said


@pytest.mark.storm
@pytest.mark.skipif("STORM" not in os.environ, reason="the long version: make cluster-storm")
def test_a_storm(storm: Scene) -> None:
    """Causes more than a hundred faults of all kinds, at random moments."""
    seed = int(os.environ.get("SEED", random.SystemRandom().randrange(10**6)))
    wanted = int(os.environ["STORM"])
    print(f"seed {seed}, {wanted} faults")
    storm.dice.seed(seed)
    weights = [often for often, _ in storm.faults.values()]
    storm.rage(storm.dice.choices(list(storm.faults), weights, k=wanted))
    print(json.dumps({"seed": seed, "faults": wanted, **storm.told}, indent=1))
