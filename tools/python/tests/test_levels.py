"""Compares levels, as arrays and in blocks, with the rules."""

import itertools
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import grundy

from . import rules

GAMES = [game.name for game in grundy.games()]
NOTHING = grundy.open()


@pytest.mark.parametrize("game", [game for game in GAMES if "global" not in game])
@pytest.mark.parametrize("length", [1, 2, 3])
def test_an_array_has_every_position(db: grundy.Database, game: str, length: int) -> None:
    for level in (db.level(game, length), NOTHING.level(game, length, 5)):
        array = level.to_numpy()
        assert array.dtype == np.uint8
        assert array.shape == level.shape == (level.max_pile,) * length
        for piles in itertools.product(range(1, 5), repeat=length):
            expected = rules.place(game, rules.begin(game, piles))
            assert array[tuple(pile - 1 for pile in piles)] == level[piles] == expected
        assert (np.asarray(level) == array).all()


def test_an_array_with_last_moves(db: grundy.Database) -> None:
    level = db.level("short-global-nim", 2, 6)
    array = level.to_numpy()
    assert array.shape == level.shape == (6, 6, 7)
    for a, b, taken in itertools.product(range(1, 6), range(1, 6), range(7)):
        expected = rules.value("short-global-nim", (tuple(sorted((a, b))), taken))
        assert array[a - 1, b - 1, taken] == expected


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
        columns = (block.piles, block.last_moves, block.move_sets, block.values)
        for piles, last, moves, value in zip(*(c.tolist() for c in columns), strict=True):
            left = frozenset(s for s in range(1, 65) if moves >> (s - 1) & 1)
            memory = {"short-global-nim": last, "long-global-nim": left}.get(game)
            state = (tuple(piles), memory)
            seen[state] += 1
            assert value == rules.place(game, state), state
    assert set(seen.values()) == {1}
    assert len(seen) == len(level)


def test_without_reversals_each_has_a_weight(db: grundy.Database) -> None:
    def count(block: grundy.Block) -> Any:
        return block.weight * np.bincount(block.values, minlength=64)

    for source in (db, NOTHING):
        level = source.level("end-nim", 4, 6)
        both: Any = level.sweep(count)
        assert (both == level.sweep(count, reversals=False)).all()
        assert both.sum() == 6**4


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_a_sweep_counts(threads: int) -> None:
    # There are 13,272 P-positions of four piles of up to 24. The reference computed this number,
    # which is also in the documentation of the facade.
    zeros = grundy.sweep("end-nim", 4, 24, lambda b: int((b.values == 0).sum()), threads=threads)
    assert zeros == 13_272


def test_a_level_within_a_total() -> None:
    # 0 to 4 coins on two places: 1 + 2 + 3 + 4 + 5 positions.
    level = grundy.open().level("yama-nim", 2, max_total=4)
    assert len(level) == 15 and level.max_pile == 4 and (1, 3) in level and (2, 3) not in level
    with pytest.raises(grundy.SizeError, match="2 piles of at most 4 coins in all"):
        level[2, 3]
    found = {tuple(piles) for block in level for piles in block.piles.tolist()}
    assert found == {(a, b) for a in range(5) for b in range(5) if a + b <= 4}
    count = grundy.sweep("yama-nim", 2, None, lambda block: len(block), max_total=4)
    assert count == 15 == grundy.sweep("yama-nim", 2, 4, len)
    # Two heaps with 2, 3, 4 and 5 coins: 1 + 1 + 2 + 2 positions.
    heaps = grundy.open().level("misere-kayles", 2, max_total=5)
    assert len(heaps) == 6 and heaps[1, 2] == 3


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
    # End-Nim with two piles is Nim (Albert and Nowakowski).
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
        break  # Leaving the loop stops the walk.


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    level = NOTHING.level("end-nim", 5, 32)
    level.sweep(lambda block: None, progress=lambda *progress: told.append(progress))
    assert 0 <= told[0][0] <= 32**5 and told[-1] == (32**5, 32**5)
    level.sweep(lambda block: None, progress=True)

    def stop(done: int, total: int) -> None:
        raise TimeoutError("that is enough")

    with pytest.raises(TimeoutError):
        NOTHING.level("end-nim", 6, 64).sweep(lambda block: None, progress=stop)


@pytest.mark.parametrize(
    "work",
    [
        lambda db: grundy.sweep("end-nim", 8, 64, lambda block: None),
        lambda db: grundy.check("end-nim", "g == 0 -> abs(first - last) <= 64", 7, 64, seconds=1e6),
        lambda db: grundy.conjecture34(2600, memory=16 << 30, seconds=10_000),
        lambda db: db.value("long-global-nim", (40, 41, 42)),
        lambda db: db.values("long-global-nim", [[40, 41, 42]] * 8),
        lambda db: db.value("end-nim", (30_000, 1, 30_000)),
        lambda db: db.row("end-nim", (30_000, 1), 30_000),
        lambda db: db.value("short-global-nim", (300, 300, 60)),
        lambda db: db.row("short-global-nim", (), 10**7),
        lambda db: grundy.open(memory=16 << 30).row("nim", (500,), 10**8),
        lambda db: NOTHING.values("short-global-nim", [[90, 91, 92]] * 300),
        lambda db: db.moves("end-nim", (30_000, 1, 30_000)),
    ],
)
def test_ctrl_c_stops_long_work(work: Callable[[grundy.Database], object]) -> None:
    """Ctrl-C stops work that would take minutes."""
    sent = []

    def send() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.5, send)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work(grundy.open(seconds=1e9))
    timer.join()
    assert time.monotonic() - sent[0] < 60


def test_other_threads_go_on_meanwhile() -> None:
    """The interpreter's lock is released: this thread counts while another computes."""
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
