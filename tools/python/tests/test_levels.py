"""Levels as arrays and in blocks, against the rules."""

from __future__ import annotations

import itertools
import os
import signal
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import grundy

from . import rules

ROWS = ["end-nim", "misere-end-nim", "loop-end-nim", "nim", "misere-nim"]
GAMES = [game.name for game in grundy.games()]
NOTHING = grundy.open()


@pytest.mark.parametrize("game", ROWS)
@pytest.mark.parametrize("length", [1, 2, 3])
def test_an_array_has_every_position(db: grundy.Database, game: str, length: int) -> None:
    for level in (db.level(game, length), NOTHING.level(game, length, 5)):
        array = level.to_numpy()
        assert array.dtype == np.uint8
        assert array.shape == level.shape == (level.max_pile,) * length
        for piles in itertools.product(range(1, 5), repeat=length):
            place = tuple(pile - 1 for pile in piles)
            expected = rules.value(game, rules.begin(game, piles))
            assert array[place] == level[piles] == expected
        assert (np.asarray(level) == array).all()


def test_an_array_of_classes(db: grundy.Database) -> None:
    level = db.level("partizan-end-nim", 3)
    array = level.to_numpy()
    for piles in itertools.product(range(1, 5), repeat=3):
        letter = rules.outcome("partizan-end-nim", (piles, None))
        assert grundy.CLASSES[array[tuple(p - 1 for p in piles)]] == letter
        assert grundy.CLASSES[level[piles]] == letter


def test_an_array_with_last_moves(db: grundy.Database) -> None:
    level = db.level("short-global-nim", 2, 6)
    array = level.to_numpy()
    assert array.shape == level.shape == (6, 6, 7)
    for a, b, taken in itertools.product(range(1, 6), range(1, 6), range(7)):
        expected = rules.value("short-global-nim", (tuple(sorted((a, b))), taken))
        assert array[a - 1, b - 1, taken] == expected


def test_a_level_is_what_it_says(db: grundy.Database) -> None:
    level = db.level("end-nim", 3)
    assert (level.table, level.max_pile, len(level), level.is_stored) == (
        "end-nim/n8/k3",
        8,
        512,
        True,
    )
    assert level[3, 1, 4] == level["3,1,4"] == level[grundy.Position("end-nim", "3,1,4")]
    assert db.level("end-nim", 1)[5] == 5
    assert "stored" in repr(level)
    with pytest.raises(grundy.SizeError, match="say max_pile="):
        NOTHING.level("end-nim", 3)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("stored", [True, False])
def test_blocks_show_every_position_once(db: grundy.Database, game: str, stored: bool) -> None:
    length = 2 if "global" in game else 3
    level = (db if stored else NOTHING).level(game, length, 5)
    seen: Counter[object] = Counter()
    for block in level:
        assert block.piles.shape == (len(block), length)
        assert block.values.shape == (len(block),)
        assert block.weight == 1
        for piles, last, moves, value in zip(
            block.piles.tolist(),
            block.last_moves.tolist(),
            block.move_sets.tolist(),
            block.values.tolist(),
            strict=True,
        ):
            memory: Any = None
            if game == "short-global-nim":
                memory = last
            elif game == "long-global-nim":
                memory = frozenset(s for s in range(1, 65) if moves >> (s - 1) & 1)
            state = (tuple(piles), memory)
            seen[state] += 1
            if game == "partizan-end-nim":
                assert grundy.CLASSES[value] == rules.outcome(game, state)
            else:
                assert value == rules.value(game, state), state
    assert set(seen.values()) == {1}
    assert len(seen) == len(level)


def test_without_reversals_each_has_a_weight(db: grundy.Database) -> None:
    for source in (db, NOTHING):
        level = source.level("end-nim", 4, 6)
        both = level.sweep(lambda block: np.bincount(block.values, minlength=64))
        one = level.sweep(
            lambda block: block.weight * np.bincount(block.values, minlength=64), reversals=False
        )
        assert both is not None and one is not None
        assert both.tolist() == one.tolist()
        assert both.sum() == 6**4


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_sweep_counts(threads: int) -> None:
    # 13,272 P-positions of four piles of up to 24: the documentation of the facade has it, from
    # the reference.
    count = grundy.sweep(
        "end-nim", 4, 24, lambda block: int((block.values == 0).sum()), threads=threads
    )
    assert count == 13_272


def test_results_are_folded_as_one_likes() -> None:
    values: set[int] | None = grundy.sweep(
        "end-nim", 3, 4, lambda block: set(block.values.tolist()), fold=lambda a, b: a | b
    )
    states = itertools.product(range(1, 5), repeat=3)
    assert values == {rules.value("end-nim", (piles, None)) for piles in states}
    assert grundy.sweep("end-nim", 3, 4, lambda block: None) is None


def test_wide_values() -> None:
    level = NOTHING.level("end-nim", 2, 300)
    array = level.to_numpy()
    assert array.dtype == np.uint16
    a = np.arange(1, 301)
    # Two piles of End-Nim are Nim (Albert and Nowakowski).
    assert (array == a[:, None] ^ a[None, :]).all()
    assert (NOTHING.tile("end-nim", (), 300) == array).all()
    most = level.sweep(lambda block: int(block.values.max()), fold=max)
    assert most == array.max()


def test_what_a_function_raises_ends_the_walk() -> None:
    calls = []

    def once(block: grundy.Block) -> int:
        calls.append(block)
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        grundy.sweep("end-nim", 5, 24, once, threads=2)
    assert len(calls) <= 2

    def bad(left: int, right: int) -> int:
        raise ArithmeticError("not to be folded")

    with pytest.raises(ArithmeticError):
        grundy.sweep("end-nim", 5, 24, lambda block: 1, fold=bad)


def test_blocks_may_be_kept(db: grundy.Database) -> None:
    blocks = list(NOTHING.level("end-nim", 4, 20))
    values = [block.values.copy() for block in blocks]
    more = list(NOTHING.level("misere-end-nim", 4, 20))
    assert more
    for block, value in zip(blocks, values, strict=True):
        assert (block.values == value).all()
        assert not block.values.flags.writeable and not block.piles.flags.writeable
    for block in NOTHING.level("end-nim", 6, 12):
        assert len(block) > 0
        break  # Whoever stops looking stops the walk.


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    level = NOTHING.level("end-nim", 5, 32)
    level.sweep(lambda block: None, progress=lambda done, total: told.append((done, total)))
    assert told and told[-1][1] == 32**5 and 0 <= told[0][0] <= told[-1][0] <= 32**5
    level.sweep(lambda block: None, progress=True)

    def stop(done: int, total: int) -> None:
        raise TimeoutError("that is enough")

    with pytest.raises(TimeoutError):
        NOTHING.level("end-nim", 6, 64).sweep(lambda block: None, progress=stop)


def interrupted(work: Any) -> float:
    """Seconds from Ctrl-C to the exception."""
    sent = []

    def send() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.5, send)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work()
    timer.join()
    return time.monotonic() - sent[0]


def test_ctrl_c_stops_long_work() -> None:
    """Not a measurement: the work would take minutes."""
    long: list[Any] = [
        lambda: grundy.sweep("end-nim", 8, 64, lambda block: None),
        lambda: grundy.check("end-nim", "g == 0 -> abs(first - last) <= 64", 7, 64),
        lambda: grundy.open(seconds=1000).value("long-global-nim", (40, 41, 42)),
        lambda: grundy.conjecture34(2600, memory=16 << 30, seconds=10_000),
        lambda: grundy.open(seconds=1000).values("long-global-nim", [[40, 41, 42]] * 8),
        lambda: grundy.open(seconds=1000).value("end-nim", (30_000, 1, 30_000)),
        lambda: grundy.open(seconds=1000).row("end-nim", (30_000, 1), 30_000),
        lambda: grundy.open(seconds=1e9).value("short-global-nim", (300, 300, 60)),
        lambda: grundy.open(seconds=1e9).row("short-global-nim", (), 10**7),
        lambda: grundy.open(memory=16 << 30).row("nim", (500,), 10**8),
        lambda: grundy.open().values("short-global-nim", [[90, 91, 92]] * 300),
        lambda: grundy.open(seconds=1000).moves("end-nim", (30_000, 1, 30_000)),
    ]
    for work in long:
        assert interrupted(work) < 60


def test_other_threads_go_on_meanwhile() -> None:
    """The interpreter's lock is let go: this thread counts while another computes."""
    done = threading.Event()

    def work() -> None:
        grundy.sweep("end-nim", 5, 48, lambda block: None)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    steps = 0
    while not done.wait(0.0005):
        steps += 1
    thread.join()
    assert steps > 0


def test_frames(db: grundy.Database, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = db.level("end-nim", 2, 3).to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["p1", "p2", "value"]
    assert frame.value.tolist() == [0, 3, 2, 3, 0, 1, 2, 1, 0]
