"""Measures the package side by side with its alternatives.

    python bench.py [--quick] [--db FOLDER]

prints a table of medians, each with its ratio to a baseline. The program grundy ($GRUNDY) builds
the tables, and is one of the baselines. Missing baselines are left out.
"""

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
    #: The processor time of all cores together. Other processes have little effect on it.
    cpu: float


def times(*works: Callable[[], object], runs: int = 5) -> list[Times]:
    """Return each function's median time. Call them in turn, so that load slows all equally."""
    took: list[list[Times]] = [[] for _ in works]
    for _ in range(runs):
        for work, some in zip(works, took, strict=True):
            start, used = time.perf_counter(), time.process_time()
            work()
            some.append(Times(time.perf_counter() - start, time.process_time() - used))
    return [Times(*map(statistics.median, zip(*some, strict=True))) for some in took]


def tell(what: str, rate: float, unit: str, against: str = "", ratio: float | None = None) -> None:
    """Print a line of the table."""
    beside = "" if ratio is None else f"{ratio:,.2f} times {against}"
    print(f"| {what} | {rate:.2e} {unit} | {beside} |", flush=True)


@cache
def memoised(piles: tuple[int, ...]) -> int:
    """Return the value of a position of End-Nim, as a simple Python function computes it."""
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
    """Measure look-ups of many positions, at once and one by one."""
    rng = np.random.default_rng(1)
    piles = rng.integers(1, 65, size=(count, 4), dtype=np.uint32)
    some = [tuple(map(int, row)) for row in piles[:20_000]]
    # Decode the table before the measurement.
    db.values("end-nim", piles)
    one, two, single = times(
        lambda: db.values("end-nim", piles, threads=1),
        lambda: db.values("end-nim", piles, threads=2),
        lambda: [db.value("end-nim", row) for row in some],
    )
    rate, singly = count / one.wall, len(some) / single.wall
    tell("values of 4 piles from a table, one core", rate, "positions/s")
    tell("the same, for each second of processor time", count / one.cpu, "positions")
    tell("the same, two threads", count / two.wall, "positions/s", "one core", one.wall / two.wall)
    tell("value, one by one", singly, "positions/s", "slower than values", rate / singly)
    if GRUNDY and db.place:
        lines = "\n".join(",".join(map(str, row)) for row in some)
        command = [GRUNDY, "--db", str(db.place), "query", "end-nim", "-"]
        ratio = times(lambda: quietly(command, input=lines))[0].wall / len(some) * rate
        tell("values, against `grundy query -`", rate, "positions/s", "as fast", ratio)
    array = rng.integers(1, 13, size=(2000, 4))
    small = [tuple(map(int, row)) for row in array]

    def by_memo() -> None:
        memoised.cache_clear()
        for row in small:
            memoised(row)

    ours, memo = times(lambda: grundy.open().values("end-nim", array, threads=1), by_memo, runs=3)
    what, ratio = "2000 positions of 4 piles of up to 12, computed, one core", memo.wall / ours.wall
    beside = "as fast as a memoised Python function"
    tell(what, len(small) / ours.wall, "positions/s", beside, ratio)


def load_cold(file: Path) -> None:
    """Load a file after removing it from the system's cache."""
    with file.open("rb") as opened:
        os.fsync(opened.fileno())
        os.posix_fadvise(opened.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    np.load(file)


def arrays(db: grundy.Database, length: int) -> None:
    """Measure how long to_numpy of a level, numpy.load and decompression of the table take."""
    level = db.level("end-nim", length, 64)
    with tempfile.TemporaryDirectory() as folder:
        file, packed = Path(folder) / "level.npy", Path(folder) / "level.npz"
        array = level.to_numpy()
        np.save(file, array)
        np.savez_compressed(packed, level=array)
        del array
        here, load = times(lambda: level.to_numpy(threads=2), lambda: np.load(file))
        rate = len(level) / here.wall
        what = f"to_numpy of {length} piles of 64, uint8, two threads"
        ratio = here.wall / load.wall
        tell(what, rate, "values/s", "the time of numpy.load from memory", ratio)
        print(f"| the same, seconds of work | {here.cpu:.2f} s | numpy.load {load.cpu:.2f} s |")
        others = {"numpy.load of a compressed npz": lambda: np.load(packed)["level"]}
        if hasattr(os, "posix_fadvise"):
            others["numpy.load from the disk"] = lambda: load_cold(file)
        for beside, work in others.items():
            tell("the same", rate, "values/s", beside, here.wall / times(work, runs=1)[0].wall)
    what = "the table decompressed alone"
    try:
        import zstandard
    except ImportError:
        print(f"| {what} | | zstandard is not installed |")
        return
    # The table stores a row or its reversal, but not both.
    files = sorted(Path(db.place or "").glob(f"end-nim/n64/k{length}/*"))
    shards = [file.read_bytes() for file in files]
    room = bytearray(1 << 20)

    def decompress() -> None:
        for shard in shards:
            reader = zstandard.ZstdDecompressor().stream_reader(shard, read_across_frames=True)
            while reader.readinto(room):
                pass

    used = times(decompress, runs=3)[0].cpu
    print(f"| {what}, seconds of work | {used:.2f} s | of {here.cpu:.2f} s |")


def sweeps(length: int) -> None:
    """Measure walks over a level with functions that use NumPy or numba."""
    positions, few = 64**length, min(length, 4)

    def zeros(block: grundy.Block) -> int:
        return block.weight * int(np.count_nonzero(block.values == 0))

    def ends(block: grundy.Block) -> int:
        piles = block.piles
        return int(np.count_nonzero((block.values == 0) & (piles[:, 0] != piles[:, -1])))

    both, half, looks = times(
        lambda: grundy.sweep("end-nim", length, 64, zeros, threads=2),
        lambda: grundy.sweep("end-nim", length, 64, zeros, reversals=False),
        lambda: grundy.sweep("end-nim", few, 64, ends),
        runs=3,
    )
    what, work = "the same, for each second of processor time", "positions/s"
    tell(f"sweep, {length} piles of 64, NumPy counts", positions / both.wall, work)
    tell(what, positions / both.cpu, "positions")
    ratio = both.wall / half.wall
    tell("the same without reversals", positions / half.wall, work, "as fast", ratio)
    tell(f"sweep that looks at piles, {few} piles", 64**few / looks.wall, work)
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

    def compiled(block: grundy.Block) -> int:
        return int(block.weight * count(block.values))

    count(np.zeros(3, dtype=np.uint8))
    took = times(lambda: grundy.sweep("end-nim", length, 64, compiled, threads=2), runs=3)[0]
    ratio = both.wall / took.wall
    tell("sweep with numba", positions / took.wall, work, "as fast as NumPy", ratio)
    tell(what, positions / took.cpu, "positions")


def main() -> None:
    """Run all measurements."""
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
                sys.exit("the program grundy was not found; give its path in GRUNDY")
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
