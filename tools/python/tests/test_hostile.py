"""Hostile arguments for the functions of the package and the methods of a database.

They are tried alone and in threads. Other tests fork while threads work, or pickle objects and
damage the pickles. The methods of results, and the module `show`, get no hostile arguments here.

STORM=N tries N arguments instead of a few hundred.
"""

import inspect
import math
import multiprocessing
import os
import pickle
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import grundy

TRIES = int(os.environ.get("STORM", "300"))


class Liar:
    """Answers every question falsely, or raises."""

    def __index__(self) -> int:
        raise RuntimeError("no index")

    def __len__(self) -> int:
        return 2**62

    def __iter__(self) -> Iterator[int]:
        raise RuntimeError("no elements")

    def __float__(self) -> float:
        return math.nan

    def __bool__(self) -> bool:
        raise RuntimeError("no truth")

    def __fspath__(self) -> str:
        raise RuntimeError("no path")

    def __repr__(self) -> str:
        raise RuntimeError("no text")

    def __hash__(self) -> int:
        raise RuntimeError("no hash")

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")


class Endless:
    """A sequence without an end."""

    def __getitem__(self, index: int) -> int:
        return 1


def cycle() -> list[Any]:
    loop: list[Any] = []
    loop.append(loop)
    return loop


def deep() -> list[Any]:
    nest: list[Any] = []
    for _ in range(10_000):
        nest = [nest]
    return nest


def raises(*_: object) -> None:
    raise KeyError("from the caller")


HOSTILE: list[Any] = [
    None,
    True,
    0,
    1,
    -1,
    255,
    2**31,
    2**63,
    -(2**63),
    2**64,
    10**400,
    0.5,
    math.nan,
    math.inf,
    -math.inf,
    1e308,
    1j,
    "",
    " ",
    "\0",
    "nim\0",
    "\ud800",
    "x" * 100_000,
    "(" * 50_000,
    "9" * 50_000,
    "end-nim",
    "nim + nim",
    "./nowhere.game",
    "/dev/zero",
    "/",
    "http://127.0.0.1:1/",
    "file:///etc/passwd",
    "g >= 0",
    "g == ",
    "all(i in 1..k: " * 3000,
    b"nim",
    bytearray(b"\xff"),
    memoryview(b"abc"),
    (),
    (0,),
    (3, 1, 4),
    (2**40, 1),
    (1,) * 2_000,
    [],
    [[]],
    [[1, 2], [3]],
    {},
    {1: 2},
    {"k": 1},
    set(),
    range(10**12),
    slice(None),
    ...,
    object(),
    type,
    len,
    raises,
    Liar(),
    Endless(),
    cycle(),
    deep(),
    np.array(1),
    np.array([]),
    np.ones((2, 3)),
    np.ones((3, 0), dtype=int),
    np.ones((2, 2), dtype=object),
    np.array([[1, 2]], dtype=">i8"),
    np.array([[2**63]], dtype=np.uint64),
    np.datetime64("2020-01-01"),
    np.broadcast_to(np.int64(1), (2**40, 2)),
    np.ones((4, 4), dtype=int)[::-1, ::2],
]

# The limits of each call, unless they are hostile themselves.
LIMITS = {"seconds": 5, "memory": 2**28}

# The address space that the tests may use beyond that of the imported packages. The C library may
# reserve 512 MiB of it for each core.
ROOM = (6 << 30) + (os.cpu_count() or 1) * (512 << 20)

SMALL = {"game": "nim", "length": 2, "max_pile": 4}

# Each call with arguments that keep it small. Other arguments get a hostile value, or none.
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("check", {**SMALL, "statement": "g >= 0"}),
    ("find", {**SMALL, "predicate": "g >= 0"}),
    ("totals", {**SMALL, "predicate": "P", "number": "total"}),
    ("guess", SMALL),
    ("sequence", {"game": "nim", "predicate": "P", "length": 2, "to": 5}),
    ("sweep", {**SMALL, "f": len}),
    ("diff", {"names": "ch.thm5.1", "max_pile": 4, "length": 3}),
    ("check_certificate", {"certificate": "/nowhere"}),
    ("conjecture34", {"to": 50}),
    ("periods", {"game": "end-nim", "left": 3, "to": 40}),
    ("prove", {"game": "end-nim", "piles": 2}),
    ("families", {"game": "end-nim", "words": "1*"}),
    ("classes", {**SMALL, "values": (0, 1)}),
    ("claims", {"names": "ch."}),
    ("games", {}),
    ("open", {}),
    ("Position", {"game": "nim", "given": (3, 1, 4)}),
    ("db.value", {"game": "nim", "position": (3, 1, 4)}),
    ("db.outcome", {"game": "nim", "position": (3, 1, 4)}),
    ("db.values", {"game": "nim", "piles": [[3, 1], [4, 4]]}),
    ("db.outcomes", {"game": "nim", "piles": [[3, 1], [4, 4]]}),
    ("db.answer", {"game": "nim", "position": (3, 1, 4)}),
    ("db.moves", {"game": "nim", "position": (3, 1, 4)}),
    ("db.level", SMALL),
    ("db.row", {"game": "nim", "word": (3, 1), "to": 4}),
    ("db.tile", {"game": "nim", "max_pile": 4}),
]


@pytest.fixture(scope="module", autouse=True)
def little_room() -> Iterator[None]:
    """Let a fault end these tests before it exhausts the machine."""
    if sys.platform != "linux":
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limits = [limit for limit in before if limit != resource.RLIM_INFINITY]
    least = min([pages * resource.getpagesize() + ROOM, *limits])
    resource.setrlimit(resource.RLIMIT_AS, (least, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.fixture(scope="module")
def db(folder: Path) -> grundy.Database:
    return grundy.open(folder, memory=LIMITS["memory"])


def claims(names: Any) -> grundy.Claims:
    """Pass a keyword as the names of claims."""
    return grundy.claims(names)


def function(db: grundy.Database, name: str) -> Callable[..., object]:
    if name == "claims":
        return claims
    found: Callable[..., object] = getattr(
        db if name.startswith("db.") else grundy, name.removeprefix("db.")
    )
    return found


def tries(db: grundy.Database, count: int, seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield calls in which one or two arguments are hostile.

    A hostile limit is the only hostile argument, because it may be no limit.
    """
    dice = random.Random(seed)
    for _ in range(count):
        name, usual = dice.choice(CALLS)
        names = list(inspect.signature(function(db, name)).parameters)
        given = {**usual, **{limit: most for limit, most in LIMITS.items() if limit in names}}
        chosen = [dice.choice(names) for _ in range(dice.choice([1, 1, 2]))]
        limits = [one for one in chosen if one in LIMITS]
        for one in limits[:1] or chosen:
            given[one] = dice.choice(HOSTILE)
        yield name, given


def call(db: grundy.Database, name: str, given: dict[str, Any]) -> str:
    """Return "done", or the kind of the error. An error is an exception with a short message."""
    try:
        function(db, name)(**given)
    except (grundy.GrundyError, TypeError, ValueError, OverflowError, OSError) as error:
        assert not isinstance(error, grundy.InternalError), (name, given)
        # An OSError of the system repeats the whole path.
        is_ours = isinstance(error, grundy.GrundyError) or not isinstance(error, OSError)
        assert len(str(error)) < 3000 or not is_ours, (name, str(error)[:200])
        return type(error).__name__
    except (KeyError, RuntimeError, MemoryError, RecursionError) as error:
        # The caller's own objects raise these.
        return type(error).__name__
    return "done"


def test_hostile_arguments(db: grundy.Database) -> None:
    kinds: dict[str, int] = {}
    for name, given in tries(db, TRIES, 1):
        kind = call(db, name, given)
        kinds[kind] = kinds.get(kind, 0) + 1
    print(TRIES, "calls:", kinds)
    assert db.value("nim", (3, 1, 4)) == 6


def test_hostile_arguments_in_threads(db: grundy.Database) -> None:
    """Some threads call with hostile arguments, others always get right values."""
    over = threading.Event()

    def right() -> int:
        count = 0
        while not over.is_set():
            assert db.values("nim", [[3, 1, 4], [1, 2, 3]]).tolist() == [6, 0]
            assert db.value("end-nim", (3, 1, 3)) == db.value("end-nim", (3, 1, 3))
            count += 1
        return count

    with ThreadPoolExecutor(4) as pool:
        rights = [pool.submit(right) for _ in range(2)]
        storm = [
            pool.submit(lambda seed: [call(db, *one) for one in tries(db, TRIES // 4, seed)], seed)
            for seed in (2, 3)
        ]
        try:
            done = [len(one.result()) for one in storm]
        finally:
            over.set()
        print(sum(done), "hostile calls,", sum(one.result() for one in rights), "right ones")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_forks_while_threads_work(folder: Path) -> None:
    """Each child of a process with working threads computes, and ends."""
    text = (
        "import grundy, os, sys, threading\n"
        f"db = grundy.open({str(folder)!r})\n"
        "over = False\n"
        "def work():\n"
        "    while not over:\n"
        "        grundy.sweep('end-nim', 4, 12, lambda block: None, threads=2)\n"
        "        db.values('nim', [[3, 1, 4]])\n"
        "threads = [threading.Thread(target=work) for _ in range(2)]\n"
        "[one.start() for one in threads]\n"
        f"for _ in range({max(4, TRIES // 20)}):\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        ok = grundy.check('nim', 'g >= 0', 2, 9).holds\n"
        "        os._exit(0 if ok and db.value('nim', (3, 1, 4)) == 6 else 1)\n"
        "    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0\n"
        "over = True\n"
        "[one.join() for one in threads]\n"
    )
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", text], capture_output=True, text=True, timeout=300
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def objects(db: grundy.Database) -> list[Any]:
    level = db.level("end-nim", 3)
    return [
        db,
        level,
        db.answer("nim", (3, 1, 4)),
        db.moves("nim", (3, 1, 4)),
        grundy.Position("nim", (3, 1, 4)),
        grundy.check("nim", "g < 5", 2, 9),
        grundy.find("nim", "P", 2, 9),
        grundy.sequence("nim", "P", 2),
        grundy.claims("ch."),
        grundy.diff("ch.thm5.1", max_pile=4),
        grundy.games(),
        grundy.prove("end-nim", 2),
        next(iter(level.blocks())),
        next(iter(db.tables)),
    ]


def _look(one: Any) -> str:
    return f"{type(one).__name__} {one!r}"[:200]


def test_pickles_are_the_same_or_refused(db: grundy.Database) -> None:
    """An object is pickled, or the error says that it cannot be; damaged pickles never crash."""
    dice, kinds = random.Random(4), {"same": 0, "refused": 0, "damaged": 0}
    for one in objects(db):
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            try:
                pickled = pickle.dumps(one, protocol)
            except (TypeError, pickle.PicklingError) as error:
                assert len(str(error)) > 10
                kinds["refused"] += 1
                continue
            assert _look(pickle.loads(pickled)) == _look(one)
            kinds["same"] += 1
            for _ in range(TRIES // 20):
                spoilt = bytearray(pickled)
                at = dice.randrange(len(spoilt))
                # Only digits and letters of the content change, because opcodes run anything.
                if chr(spoilt[at]).isalnum() and chr(spoilt[at - 1]).isalnum():
                    spoilt[at] = ord(dice.choice("0189az"))
                    kinds["damaged"] += 1
                    try:
                        repr(pickle.loads(bytes(spoilt)))
                    except Exception as error:
                        assert not isinstance(error, grundy.InternalError)
    print(kinds)


def test_pickles_in_other_processes(db: grundy.Database) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        for one in objects(db):
            try:
                pickle.dumps(one)
            except (TypeError, pickle.PicklingError):
                continue
            assert pool.apply(_look, (one,)) == _look(one)
