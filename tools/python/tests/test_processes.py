"""Threads, forks, and other processes."""

import multiprocessing
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import grundy

POSITIONS = [(a, b, c) for a in range(1, 7) for b in range(1, 7) for c in range(1, 7)]


def test_threads_share_a_database(db: grundy.Database) -> None:
    expected = [db.value("end-nim", piles) for piles in POSITIONS]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            found = pool.map(lambda piles: db.value("end-nim", piles), POSITIONS)
            assert list(found) == expected
        sums = pool.map(
            lambda _: int(db.level("end-nim", 4).to_numpy().sum(dtype=np.int64)), range(8)
        )
        assert len(set(sums)) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_fork_goes_on(db: grundy.Database) -> None:
    """The process uses threads before it forks."""
    expected = grundy.sweep("end-nim", 4, 20, lambda block: int(block.values.sum()), threads=2)
    tile = db.tile("end-nim", (4, 7))
    child = os.fork()
    if child == 0:
        same = (
            grundy.sweep("end-nim", 4, 20, lambda block: int(block.values.sum()), threads=2)
            == expected
            and np.array_equal(db.tile("end-nim", (4, 7)), tile)
            and db.values("end-nim", POSITIONS).tolist()
            == [db.value("end-nim", piles) for piles in POSITIONS]
        )
        os._exit(0 if same else 1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


def _sum(folder: str) -> int:
    return int(grundy.open(folder).level("end-nim", 4).to_numpy().sum(dtype=np.int64))


def test_processes_that_are_spawned(folder: Path) -> None:
    context = multiprocessing.get_context("spawn")
    with context.Pool(2) as pool:
        assert len(set(pool.map(_sum, [str(folder)] * 3))) == 1


WORK = [
    "grundy.sweep('end-nim', 7, 64, lambda block: None)",
    "grundy.check('end-nim', 'g >= 0', 7, 64, seconds=1e6)",
    "grundy.open(seconds=1e6).value('long-global-nim', (40, 41, 42))",
    "for block in grundy.open().level('end-nim', 6, 64): pass",
    "next(iter(grundy.open().level('end-nim', 6, 64).blocks())); time.sleep(9)",
    "[grundy.open().value('end-nim', (3, 1, 4)) for _ in range(10**9)]",
]


@pytest.mark.parametrize("work", WORK)
def test_the_interpreter_may_end_meanwhile(work: str) -> None:
    """The interpreter ends while daemon threads work, and nothing crashes."""
    text = (
        "import grundy, threading, time\n"
        f"def work():\n    {work}\n"
        "for _ in range(2):\n    threading.Thread(target=work, daemon=True).start()\n"
        "time.sleep(0.5)\n"
    )
    for _ in range(3):
        ended = subprocess.run(
            [sys.executable, "-c", text], capture_output=True, text=True, timeout=120
        )
        assert (ended.returncode, ended.stderr) == (0, "")


def test_nothing_is_left_behind(db: grundy.Database) -> None:
    before = threading.active_count()
    for block in grundy.open().level("end-nim", 4, 20):
        del block
        break
    assert threading.active_count() == before
