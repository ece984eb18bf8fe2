"""Levels: all positions with a given number of piles, as arrays and in blocks."""

import atexit
import contextlib
import math
import operator
import threading
import weakref
from collections.abc import Callable, Iterator
from queue import Full, Queue
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _given, _grundy
from ._grundy import Block
from ._progress import Progress, watched
from ._records import Framed
from .errors import GameError, LimitError, PositionError, SizeError, StoppedError
from .positions import CLASSES, GameLike, Position, game_named

Result = TypeVar("Result")

#: Events that stop walks whose blocks are being read. All are set when the interpreter ends.
_waiting: weakref.WeakSet[threading.Event] = weakref.WeakSet()


@atexit.register
def _look_no_more() -> None:
    for ended in list(_waiting):
        ended.set()


def _bytes(count: int) -> str:
    if count < 1 << 20:
        return f"{count:,} bytes"
    return f"{count / (1 << 20):,.1f} MiB" if count < 1 << 30 else f"{count / (1 << 30):,.1f} GiB"


class Opened(Protocol):
    """The attributes of a `Database` that a level uses."""

    _db: _grundy.Db
    _memory: int


class Level(Framed):
    """All positions of a given length, up to a largest pile or total. See `Database.level`.

    A level reads its values from a table or computes them, whichever is faster. So a walk over a
    level does not check the stored table. Five piles of up to 64 take about a second to compute.

    ``len(level)`` is the number of positions, and includes positions that the rules exclude. A loop
    over a level yields the same blocks as `blocks`; ``list(level.blocks())`` is a list of blocks. A
    frame has columns ``p1``, ``p2``, ... for the piles, and ``g``, or ``outcome`` with the letters
    of classes. If a game remembers the last move, column ``k`` contains it. If a game remembers the
    moves left, the number in column ``move_set`` has bit s - 1 for each such move s.

    Attributes:
        table: The id of the table of these positions, as in ``end-nim/n64/k5``.
        max_pile: The largest pile; in a game with ``within: total`` the largest number of coins.
        shape: The shape of the level's array. Each pile has an axis of ``max_pile``. If the game
            remembers the last move, there is another axis of ``max_pile + 1``; but not for single
            piles, because their array contains only the values without a last move. If the game
            remembers the moves left, there is only one axis, for the positions.
        is_stored: True if the table is stored.

    Examples:
        >>> level = grundy.open().level("end-nim", 3, 64)
        >>> level[3, 1, 4]
        7
    """

    def __init__(
        self, db: Opened, game: GameLike, length: int, max_pile: int, memory: int | None = None
    ) -> None:
        self._db = db._db
        self._memory = memory
        self._allowed = db._memory if memory is None else memory
        self.length = length
        self.max_pile = max_pile
        known = self._db.level_of(game, length, max_pile)
        self.table, self._positions, axes, self.is_stored = known
        self.game = self.table.split("/", 1)[0]
        self._is_within_total = game_named(game).within == "total"
        self.shape = tuple(axes)

    def __len__(self) -> int:
        return self._positions

    def __repr__(self) -> str:
        where = "stored" if self.is_stored else "computed on demand"
        return f"<level {self.table}: {self._positions:,} positions, {where}>"

    def __contains__(self, position: object) -> bool:
        """Return True if the level has a position: piles, a text, or a `Position`."""
        try:
            return self._has(self._read(position))
        except (GameError, PositionError, TypeError):
            return False

    def _read(self, position: object) -> Position:
        if isinstance(position, int | np.integer):
            position = (int(position),)
        if isinstance(position, Position) and position.game == self.game:
            return position
        return Position(self.game, position)

    def _has(self, found: Position) -> bool:
        size = sum(found.piles) if self._is_within_total else max(found.piles, default=0)
        return len(found) == self.length and size <= self.max_pile

    def __getitem__(self, position: object) -> int:
        """Return the value of a position of the level, or the index of its class.

        The index is the position itself: ``level[3, 1, 4]`` is the value of 3,1,4.

        Raises:
            SizeError: If the level lacks the position; an `IndexError` and a `ValueError`.
        """
        found = self._read(position)
        if not self._has(found):
            piles = "1 pile" if self.length == 1 else f"{self.length} piles"
            coins = f"1 to {self.max_pile} coins"
            if self._is_within_total:
                coins = f"at most {self.max_pile} coins in all"
            raise SizeError(
                f"{found} is not in this level, which has {piles} of {coins}",
                position=str(found),
                table=self.table,
            )
        value, outcome, _, _ = self._db.answer(self.game, found)
        return CLASSES.index(outcome) if value is None else value

    def to_numpy(
        self, *, threads: int | None = None, progress: Progress = False
    ) -> NDArray[np.integer[Any]]:
        """Return the values of the level as an array.

        Returns:
            An array of the level's shape, where the index of a pile is pile - 1: the value of 3,1,4
            is at ``[2, 0, 3]``. Values take one byte if possible, otherwise two or four; sums and
            differences of uint8 values wrap around. If the order of the piles does not matter, the
            array contains every order. For a partizan game the array contains indices in
            `grundy.CLASSES`. If the game remembers the moves that are left, the array has one axis.
            Then the index of a position is its number in the table (docs/FORMAT.md). One pile p
            with the set S of moves left has the number ``2**p`` plus ``2**(p - s)`` for each s in
            S; the value at index 0 is 0. In a game with ``piles: places`` the array has one axis,
            too, and the value is -1 for positions that the rules exclude.

        Raises:
            LimitError: If the array exceeds the memory limit.

        Examples:
            >>> array = grundy.open().level("end-nim", 3, 64).to_numpy()
            >>> array.dtype, array.shape, int(array[2, 0, 3])
            (dtype('uint8'), (64, 64, 64), 7)
        """
        wanted = _given.size_or_none("threads", threads)
        level = self.game, self.length, self.max_pile
        kind, size = self._db.array_of(*level)
        if size > self._allowed:
            raise self._too_large(
                f"the array of {self.table} has {_bytes(size)}", "choose a smaller size"
            )
        with watched(progress, math.prod(self.shape), "value") as hook:
            values = np.empty(size, dtype=np.uint8)
            self._db.write_array(*level, values, self._memory, wanted, hook)
        array: NDArray[np.integer[Any]] = values.view(kind).reshape(self.shape)
        return array

    def _too_large(self, what: str, advice: str) -> LimitError:
        return LimitError(
            f"{what}, but the limit is {_bytes(self._allowed)}; {advice}, or raise memory=",
            table=self.table,
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("a level must be computed to become an array: copy=False is invalid")
        return np.asarray(self.to_numpy(), dtype=dtype)

    def blocks(self, *, reversals: bool = True, threads: int | None = None) -> Iterator[Block]:
        """Yield the blocks of the level in no particular order.

        Threads compute a few blocks in advance. These are discarded if the loop ends early.

        Args:
            reversals: If True, blocks also contain reversals. If False, ``block.weight`` is the
                number of positions that each value stands for.

        Yields:
            Blocks, with ``block.values``, shape (m,), and ``block.piles``, shape (m, k).

        Examples:
            >>> level = grundy.open().level("end-nim", 3, 16)
            >>> sum(int((block.values == 0).sum()) for block in level.blocks())
            240
        """
        waiting: Queue[Block | None] = Queue(4)
        ended = threading.Event()
        _waiting.add(ended)
        raised: list[BaseException] = []

        def put(block: Block | None) -> None:
            while not ended.is_set():
                try:
                    return waiting.put(block, timeout=0.1)
                except Full:
                    continue
            raise StoppedError("the reader of the blocks has stopped")

        def work() -> None:
            try:
                self.sweep(put, reversals=reversals, threads=threads)
            except BaseException as error:
                raised.append(error)
            with contextlib.suppress(StoppedError):
                put(None)

        worker = threading.Thread(target=work, name="grundy blocks", daemon=True)
        worker.start()
        try:
            while (block := waiting.get()) is not None:
                yield block
            if raised:
                raise raised[0]
        finally:
            ended.set()
            worker.join()

    __iter__ = blocks

    def sweep(
        self,
        f: Callable[[Block], Result | None],
        *,
        fold: Callable[[Any, Any], Any] = operator.add,
        reversals: bool = True,
        threads: int | None = None,
        progress: Progress = False,
    ) -> Result | None:
        """Pass all blocks of the level to a function, and fold its results.

        This method does the same as `grundy.sweep`, but reads the table if it is stored.
        """
        wanted = _given.size_or_none("threads", threads)
        level = self.game, self.length, self.max_pile
        with watched(progress, self._positions, "position") as hook:
            folded: Result | None = self._db.sweep(
                *level, f, fold, reversals, self._memory, wanted, hook
            )
        return folded

    def _columns(self) -> dict[str, NDArray[Any]]:
        # There are about four copies of each value: blocks, columns, sorted columns, and the frame.
        size = 4 * self._positions * (4 * (self.length + 1) + 8)
        if size > self._allowed:
            what = f"a frame of the {self._positions:,} positions of {self.table} takes about "
            raise self._too_large(what + _bytes(size), "choose a smaller size, walk its blocks")
        blocks = list(self.blocks())
        columns: dict[str, NDArray[Any]] = {
            f"p{number}": np.concatenate([block.piles[:, number - 1] for block in blocks])
            for number in range(1, self.length + 1)
        }
        remembers = game_named(self.game).remembers
        if remembers == "moves":
            columns["move_set"] = np.concatenate([block.move_sets for block in blocks])
        elif remembers:
            memories = np.concatenate([block.memories for block in blocks])
            for place, name in enumerate(remembers.split(", ")):
                columns["k" if name == "last move" else name] = memories[:, place]
        order = np.lexsort([*columns.values()][::-1])
        values = np.concatenate([block.values for block in blocks])
        if game_named(self.game).is_impartial:
            columns["g"] = values
        else:
            columns["outcome"] = np.array(CLASSES)[values]
        return {name: column[order] for name, column in columns.items()}
