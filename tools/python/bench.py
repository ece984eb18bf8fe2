"""Measures the package side by side with what one would do instead.

    python bench.py [--quick] [--db FOLDER]

prints a table of medians, and each as a ratio to its baseline. It needs the program grundy
($GRUNDY) to build its tables and to be compared with; a baseline that is not there is left out.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

import grundy

GRUNDY = os.environ.get("GRUNDY") or shutil.which("grundy")
quietly = partial(subprocess.run, text=True, check=True, capture_output=True)


class Times(NamedTuple):
    """Medians of some runs."""

    wall: float
    #: Of all cores together: what others do meanwhile makes little difference to it.
    cpu: float


def in_turn(*works: Callable[[], object], runs: int = 5) -> list[Times]:
    """Give the medians of some runs of each, in turn: what others do meanwhile is done to all."""
    took: list[list[Times]] = [[] for _ in works]
    for _ in range(runs):
        for work, some in zip(works, took, strict=True):
            start, used = time.perf_counter(), time.process_time()
            work()
            some.append(Times(time.perf_counter() - start, time.process_time() - used))
    return [Times(*map(statistics.median, zip(*some, strict=True))) for some in took]


def times(work: Callable[[], object], runs: int = 5) -> Times:
    """Give the medians of some runs."""
    return in_turn(work, runs=runs)[0]


def seconds(work: Callable[[], object], runs: int = 5) -> float:
    """Give the median of some runs."""
    return times(work, runs).wall


def tell(what: str, rate: float, unit: str, against: str = "", ratio: float | None = None) -> None:
    """Print a line of the table."""
    beside = "" if ratio is None else f"{ratio:,.2f} times {against}"
    print(f"| {what} | {rate:.2e} {unit} | {beside} |", flush=True)


@cache
def memoised(piles: tuple[int, ...]) -> int:
    """Give the value of a position of End-Nim as one would write it in Python."""
    if not piles:
        return 0
    seen = set()
    for end in {0, len(piles) - 1}:
        for left in range(piles[end]):
            row = piles[:end] + ((left,) if left else ()) + piles[end + 1 :]
            seen.add(memoised(row))
    value = 0
    while value in seen:
        value += 1
    return value


def look_ups(db: grundy.Database, count: int) -> None:
    """Many positions at once, and one by one."""
    rng = np.random.default_rng(1)
    piles = rng.integers(1, 65, size=(count, 4), dtype=np.uint32)
    # What is decoded is decoded; the second time is looked at.
    db.values("end-nim", piles)
    one, used = times(lambda: db.values("end-nim", piles, threads=1))
    two = seconds(lambda: db.values("end-nim", piles, threads=2))
    tell("values of 4 piles from a table, one core", count / one, "positions/s")
    tell("the same, a second of work of a core", count / used, "positions")
    tell("the same, two threads", count / two, "positions/s", "one core", one / two)
    some = [tuple(map(int, row)) for row in piles[:20_000]]
    single = seconds(lambda: [db.value("end-nim", row) for row in some]) / len(some)
    tell("value, one by one", 1 / single, "positions/s", "slower than values", single * count / one)
    if GRUNDY and db.place:
        lines = "\n".join(",".join(map(str, row)) for row in some)
        command = [GRUNDY, "--db", str(db.place), "query", "end-nim", "-"]
        took = seconds(lambda: quietly(command, input=lines)) / len(some)
        what = "values, against `grundy query -`"
        tell(what, count / one, "positions/s", "as fast", took * count / one)
    small = [tuple(map(int, row)) for row in rng.integers(1, 13, size=(2000, 4))]

    def by_memo() -> None:
        memoised.cache_clear()
        for row in small:
            memoised(row)

    array = np.array(small)
    ours = seconds(lambda: grundy.open().values("end-nim", array, threads=1))
    what = "2000 positions of 4 piles of up to 12, computed, one core"
    ratio = seconds(by_memo, 3) / ours
    tell(what, len(small) / ours, "positions/s", "as fast as a memoised Python function", ratio)


def load_cold(file: Path) -> None:
    """Load a file of which the system has forgotten what it kept in memory."""
    with file.open("rb") as opened:
        os.fsync(opened.fileno())
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    np.load(file)


def arrays(db: grundy.Database, length: int) -> None:
    """A level as an array, against numpy.load of the same."""
    level = db.level("end-nim", length, 64)
    array = level.to_numpy()
    count = array.size
    with tempfile.TemporaryDirectory() as folder:
        file, packed = Path(folder) / "level.npy", Path(folder) / "level.npz"
        np.save(file, array)
        del array
        here, beside = in_turn(lambda: level.to_numpy(threads=2), lambda: np.load(file))
        what = f"to_numpy of {length} piles of 64, uint8, two threads"
        ratio = here.wall / beside.wall
        tell(what, count / here.wall, "values/s", "the time of numpy.load from memory", ratio)
        print(f"| the same, seconds of work | {here.cpu:.2f} s | numpy.load {beside.cpu:.2f} s |")
        if hasattr(os, "posix_fadvise"):
            ratio = here.wall / seconds(lambda: load_cold(file), 3)
            tell("the same", count / here.wall, "values/s", "numpy.load from the disk", ratio)
        np.savez_compressed(packed, level=level.to_numpy())
        ratio = here.wall / seconds(lambda: np.load(packed)["level"], 1)
        tell("the same", count / here.wall, "values/s", "numpy.load of a compressed npz", ratio)
    decompressed(db, length, here)


def decompressed(db: grundy.Database, length: int, ours: Times) -> None:
    """What it takes to decompress the table alone, which has one of a row and its reversal."""
    try:
        import zstandard
    except ImportError:
        print("| the table decompressed alone | | zstandard is not installed |")
        return
    if db.place is None or not (folder := Path(db.place) / f"end-nim/n64/k{length}").is_dir():
        print(f"| the table of {length} piles decompressed alone | | it is not built |")
        return
    shards = [file.read_bytes() for file in sorted(folder.iterdir())]
    room = bytearray(1 << 20)

    def work() -> None:
        for shard in shards:
            reader = zstandard.ZstdDecompressor().stream_reader(shard, read_across_frames=True)
            while reader.readinto(room):
                pass

    used = times(work, 3).cpu
    print(f"| the table decompressed alone, seconds of work | {used:.2f} s | of {ours.cpu:.2f} s |")


def sweeps(length: int) -> None:
    """Walks with a function of NumPy, and of numba."""
    positions = 64**length

    def zeros(block: grundy.Block) -> int:
        return block.weight * int(np.count_nonzero(block.values == 0))

    both, used = times(lambda: grundy.sweep("end-nim", length, 64, zeros, threads=2), 3)
    tell(f"sweep, {length} piles of 64, NumPy counts", positions / both, "positions/s")
    tell("the same, a second of work of a core", positions / used, "positions")
    half = seconds(lambda: grundy.sweep("end-nim", length, 64, zeros, reversals=False), 3)
    tell("the same without reversals", positions / half, "positions/s", "as fast", both / half)

    def sums(block: grundy.Block) -> int:
        piles = block.piles
        return int(np.count_nonzero((block.values == 0) & (piles[:, 0] != piles[:, -1])))

    few = min(length, 4)
    with_piles = seconds(lambda: grundy.sweep("end-nim", few, 64, sums), 3)
    tell(f"sweep that looks at piles, {few} piles", 64**few / with_piles, "positions/s")
    try:
        import numba
    except ImportError:
        print("| sweep with numba | | numba is not installed |")
        return

    @numba.njit(nogil=True)  # type: ignore[untyped-decorator,unused-ignore]
    def count(values: np.ndarray) -> int:  # type: ignore[type-arg,unused-ignore]
        found = 0
        for value in values:
            found += value == 0
        return found

    count(np.zeros(3, dtype=np.uint8))

    def compiled(block: grundy.Block) -> int:
        return int(block.weight * count(block.values))

    took, used = times(lambda: grundy.sweep("end-nim", length, 64, compiled, threads=2), 3)
    tell("sweep with numba", positions / took, "positions/s", "as fast as NumPy", both / took)
    tell("the same, a second of work of a core", positions / used, "positions")


def main() -> None:
    """Measure all."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="a tenth of the work")
    options.add_argument("--db", type=Path, help="tables of End-Nim with piles up to 64")
    wanted = options.parse_args()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    about = f"{platform.machine()}, {os.cpu_count()} cores, load {load:.1f}"
    print(f"grundy {grundy.__version__}, Python {platform.python_version()}, {about}\n")
    print("| task | here | beside |\n|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        place = wanted.db or Path(folder)
        if wanted.db is None:
            if not GRUNDY:
                sys.exit("there is no program grundy to build tables; say where with GRUNDY=")
            length = "4" if wanted.quick else "5"
            size = ["--max-pile", "64", "--length", length, "--games", "end-nim"]
            command = [GRUNDY, "build", *size, "--db", str(place)]
            quietly(command)
        db = grundy.open(place)
        look_ups(db, 100_000 if wanted.quick else 1_000_000)
        arrays(db, 4 if wanted.quick else 5)
    sweeps(4 if wanted.quick else 5)


if __name__ == "__main__":
    main()
