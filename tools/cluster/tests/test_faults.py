"""Faults: a real scheduler, three real workers, the real program; whatever is killed, stopped, full
or wrong, the tables come out byte-identical to those of one `grundy build`, and nothing is lost.

Tasks of this size take a tenth of a second, so the program is slowed down to be caught in them.
"""

from __future__ import annotations

import functools
import json
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
from conftest import script
from harness import DOUBLE, Cluster, kill_tree, run, start, wait_for

# Ten tasks, eight of which are shards of the longest positions.
BUILD = ("--max-pile", "24", "--length", "6", "--games", "end-nim,misere-end-nim,loop-end-nim")
CHECK = ("end-nim", "g <= first + last", "--max-pile", "24", "--length", "6")
PARTS = 24


def contents(db: Path) -> dict[str, bytes]:
    """Give all files of a database, but for its lock."""
    files = (path for path in db.rglob("*") if path.is_file() and path.name != "lock")
    return {str(path.relative_to(db)): path.read_bytes() for path in files}


@functools.lru_cache
def _reference(grundy: str, options: tuple[str, ...], kind: str) -> tuple[dict[str, bytes], str]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "db"
        done = subprocess.run(
            [grundy, kind, *options, "--db", str(db), "--json"],
            capture_output=True,
            text=True,
            check=True,
        )
        return contents(db) if db.exists() else {}, done.stdout


def reference(grundy: str, options: tuple[str, ...]) -> dict[str, bytes]:
    """Build with one command."""
    return _reference(grundy, options, "build")[0]


def verdict(text: str) -> object:
    """Give what a check found, without what it took."""
    said = json.loads(text.splitlines()[-1])
    for name in ("seconds", "rate"):
        said.pop(name, None)
    return said


class Scene:
    """A cluster of three workers, a driver, and what is tried on them."""

    def __init__(self, cluster: Cluster, grundy: str, folder: Path) -> None:
        self.cluster, self.grundy, self.folder = cluster, grundy, folder
        self.db, self.results = folder / "db", folder / "results"
        self.slow = script(
            folder / "slow" / "grundy",
            f'case $1 in task) sleep "${{SLOW:-1}}" ;; esac\nexec "{grundy}" "$@"',
        )
        self.log = folder / "driver.log"

    def words(self, kind: str = "build", *more: object) -> list[object]:
        words = [kind, "--scheduler-file", self.cluster.file, "--program", self.grundy]
        words += ["--worker-program", self.slow, "--results", self.results, "--parts", PARTS]
        words += ["--threads", 1, "--timeout", 60, *more]
        return [*words, "--db", self.db, *BUILD] if kind == "build" else [*words, *CHECK]

    def begin(self) -> subprocess.Popen[str]:
        return start(*self.words(), log=self.log)

    def done(self) -> int:
        return len(list(self.results.glob("build-*.json")))

    def end(self, driver: subprocess.Popen[str], code: int = 0) -> str:
        assert driver.wait(900) == code, self.said()
        if code == 0:
            self.check()
        return self.said()

    def said(self) -> str:
        return self.log.read_text() + self.cluster.log.read_text()

    def check(self) -> None:
        found, wanted = contents(self.db), reference(self.grundy, BUILD)
        assert found.keys() == wanted.keys()
        assert found == wanted


@pytest.fixture
def scene(cluster: Cluster, grundy: str, tmp_path: Path) -> Scene:
    one = Scene(cluster, grundy, tmp_path)
    cluster.ttl = "5s"
    cluster.start(*[{"GRUNDY_SCRATCH": str(_folder(tmp_path / f"scratch{n}"))} for n in range(3)])
    cluster.wait_for_workers(3)
    return one


def _folder(path: Path) -> Path:
    path.mkdir(exist_ok=True)
    return path


def test_workers_tasks_and_the_driver_are_killed(scene: Scene) -> None:
    cluster = scene.cluster
    driver = scene.begin()
    # A worker in a task: what restarts it is another process, which stays.
    wait_for("a task on the first worker", lambda: cluster.tasks(0))
    victim = cluster.process(0)
    assert victim
    victim.kill()
    # A task's own process.
    tasks: list[psutil.Process] = []

    def is_at_work() -> bool:
        tasks[:] = cluster.tasks(1)
        return bool(tasks)

    wait_for("a task on the second worker", is_at_work)
    with suppress(psutil.Error):
        tasks[0].kill()
    # A whole node: the worker and what would restart it.
    wait_for("two results", lambda: scene.done() >= 2)
    kill_tree(cluster.workers[2].pid)
    # The driver.
    wait_for("three results", lambda: scene.done() >= 3)
    driver.kill()
    driver.wait()
    before = scene.done()
    said = scene.end(scene.begin())
    assert f"{before} of " in said
    assert "tasks were done before" in said


def test_the_scheduler_is_killed(scene: Scene) -> None:
    driver = scene.begin()
    wait_for("a result", lambda: scene.done() >= 1)
    assert scene.cluster.scheduler
    scene.cluster.scheduler.kill()
    said = scene.end(driver, 2)
    assert "is gone" in said
    assert "the same command goes on from there" in said
    for worker in scene.cluster.workers:
        worker.terminate()
    for worker in scene.cluster.workers:
        worker.wait(120)
    scene.cluster.workers.clear()
    scene.cluster.start({"SLOW": "0"})
    scene.cluster.wait_for_workers(1)
    scene.end(scene.begin())


def test_a_worker_stops_for_longer_than_it_may(scene: Scene) -> None:
    driver = scene.begin()
    wait_for("a task on the first worker", lambda: scene.cluster.tasks(0))
    victim = scene.cluster.process(0)
    assert victim
    victim.suspend()
    scene.end(driver)
    with suppress(psutil.Error):
        victim.resume()


@contextmanager
def full_disk(folder: Path) -> Iterator[Path]:
    """Mount a file system that has room for next to nothing."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    mounted = os.geteuid() == 0 and not subprocess.run(command, capture_output=True).returncode
    try:
        yield folder if mounted else Path()
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=False)


def test_a_full_disk_and_a_liar_are_left_out(cluster: Cluster, grundy: str, tmp_path: Path) -> None:
    scene = Scene(cluster, grundy, tmp_path)
    # What it says to have written differs in one bit from what it wrote.
    lies = (
        'case $1 in task) "$REAL" "$@" || exit; shift; while [ "$1" != --results ]; do shift; done;'
        ' for f in "$2"/*.json; do sed -i "s/\\"blake3\\":\\"./\\"blake3\\":\\"x/" "$f"; done;'
        ' exit 0 ;; esac; exec "$REAL" "$@"'
    )
    # The program is called grundy on every worker, and found on its path.
    folders = [tmp_path / name for name in ("well", "liar")]
    script(folders[0] / "grundy", f'case $1 in task) sleep 0.5 ;; esac\nexec "{grundy}" "$@"')
    script(folders[1] / "grundy", f'REAL="{grundy}"; {lies}')
    paths = [f"{folder}:{os.environ['PATH']}" for folder in folders]
    with full_disk(tmp_path / "full") as full:
        if full == Path():
            # No mount: a program that says what the system would.
            text = f'case $1 in task) DOUBLE=full exec "{DOUBLE}" "$@" ;; esac\n'
            script(tmp_path / "nospace" / "grundy", text + f'exec "{grundy}" "$@"')
            third = {"PATH": f"{tmp_path}/nospace:{os.environ['PATH']}"}
        else:
            third = {"PATH": paths[0], "GRUNDY_SCRATCH": str(full)}
            (full / "filler").write_bytes(bytes(60_000))
        cluster.start({"PATH": paths[0]}, {"PATH": paths[1]}, third)
        # A liar that is alone for a while would fail the run, and rightly.
        cluster.wait_for_workers(3)
        scene.slow = "grundy"
        said = scene.end(scene.begin())
        assert "its result is damaged" in said
        check = run(*scene.words("check", "--json"))
        assert check.returncode == 0, check.stderr
        assert verdict(check.stdout) == verdict(_reference(grundy, CHECK, "check")[1])
        cluster.stop()


# Does harm, and says whether there was anything to harm.
Fault = Callable[[], bool]


@pytest.mark.storm
@pytest.mark.skipif("STORM" not in os.environ, reason="the long version: make cluster-storm")
def test_a_storm(scene: Scene) -> None:
    """A hundred faults and more, at random moments, of every kind."""
    seed = int(os.environ.get("SEED", random.SystemRandom().randrange(10**6)))
    wanted = int(os.environ["STORM"])
    print(f"seed {seed}, {wanted} faults")
    storm = Storm(scene, random.Random(seed))
    while storm.count < wanted:
        storm.rage(wanted)
    print(json.dumps({"seed": seed, "faults": storm.count, **storm.told}, indent=1))


class Storm:
    """Builds that are disturbed again and again until they are done."""

    def __init__(self, scene: Scene, dice: random.Random) -> None:
        self.scene, self.dice, self.count, self.builds = scene, dice, 0, 0
        self.driver: subprocess.Popen[str] | None = None
        self.told: dict[str, float] = {}
        self.faults: dict[str, Fault] = {
            "worker killed": self.kill_worker,
            "node killed": self.kill_node,
            "task killed": self.kill_task,
            "driver killed": self.kill_driver,
            "driver interrupted": self.interrupt_driver,
            "scheduler killed": self.kill_scheduler,
            "worker stopped": self.stop_worker,
            "result damaged": self.damage_result,
            "shard damaged": self.damage_shard,
        }
        self.weights = [6, 4, 8, 4, 2, 1, 2, 4, 4]

    def rage(self, wanted: int) -> None:
        """One build, from nothing to its end."""
        self.builds += 1
        scene = self.scene
        scene.db, scene.results = (scene.folder / f"{name}{self.builds}" for name in ("db", "res"))
        begun = time.monotonic()
        self.driver = scene.begin()
        while True:
            # Only while work is done, so that there is something to harm.
            if self.count < wanted and scene.cluster.tasks():
                time.sleep(self.dice.uniform(0.0, 1.0))
                name = self.dice.choices(list(self.faults), self.weights)[0]
                with suppress(psutil.Error, OSError):
                    if self.faults[name]():
                        self.count += 1
                        self.told[name] = self.told.get(name, 0) + 1
            if self.driver.poll() is None:
                time.sleep(0.05)
                continue
            if self.driver.returncode == 0:
                break
            # An interrupt before Python has read the first line is Python's own affair.
            assert self.driver.returncode in (-9, -2, 1, 2, 130), scene.said()
            self.driver = scene.begin()
        scene.check()
        print(f"build {self.builds}: {self.count} faults, {time.monotonic() - begun:.1f} s")

    def worker(self) -> int:
        return self.dice.randrange(len(self.scene.cluster.workers))

    def kill_worker(self) -> bool:
        victim = self.scene.cluster.process(self.worker())
        if victim:
            victim.kill()
        return victim is not None

    def kill_node(self) -> bool:
        cluster, index = self.scene.cluster, self.worker()
        cluster.replace(index)
        return True

    def kill_task(self) -> bool:
        tasks = self.scene.cluster.tasks()
        if tasks:
            self.dice.choice(tasks).kill()
        return bool(tasks)

    def kill_driver(self) -> bool:
        assert self.driver
        alive = self.driver.poll() is None
        self.driver.kill()
        self.driver.wait()
        return alive

    def interrupt_driver(self) -> bool:
        assert self.driver
        alive = self.driver.poll() is None
        self.driver.send_signal(signal.SIGINT)
        return alive

    def kill_scheduler(self) -> bool:
        cluster = self.scene.cluster
        assert cluster.scheduler
        cluster.scheduler.kill()
        cluster.scheduler.wait()
        cluster.start_scheduler()
        for index in range(len(cluster.workers)):
            cluster.replace(index)
        return True

    def stop_worker(self) -> bool:
        victim = self.scene.cluster.process(self.worker())
        if victim:
            victim.suspend()
            time.sleep(7)
            victim.resume()
        return victim is not None

    def damage(self, files: list[Path]) -> bool:
        if files:
            path = self.dice.choice(sorted(files))
            data = bytearray(path.read_bytes())
            data[self.dice.randrange(len(data))] ^= 1 << self.dice.randrange(8)
            path.write_bytes(data)
        return bool(files)

    def damage_result(self) -> bool:
        return self.damage(list(self.scene.results.glob("build-*.json")))

    def damage_shard(self) -> bool:
        return self.damage(list(self.scene.db.rglob("*.zst")))
