"""Levels: all positions of so many piles, as arrays and in blocks."""

from __future__ import annotations

import atexit
import contextlib
import operator
import threading
import weakref
from collections.abc import Callable, Iterator
from queue import Full, Queue
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import _given, _grundy
from ._grundy import Block
from ._progress import Progress, watched
from .errors import GameError, LimitError, PositionError, SizeError, StoppedError
from .positions import CLASSES, GameLike, Position

if TYPE_CHECKING:
    import pandas
    import polars

    from .database import Database

Result = TypeVar("Result")

#: Of walks whose blocks wait to be looked at: nobody will, when the interpreter ends.
_waiting: weakref.WeakSet[threading.Event] = weakref.WeakSet()


@atexit.register
def _look_no_more() -> None:
    for ended in list(_waiting):
        ended.set()


def _bytes(count: int) -> str:
    return f"{count:,} bytes" if count < 1 << 20 else f"{count >> 20:,} MiB"


class Level:
    """All positions of so many piles, each of at most so many coins.

    Values are read from a table where that is the fastest way, else computed, so this checks no
    table; five piles of 64 are a second's work.
    `Database.level` makes one.

    Attributes
    ----------
    game : str or Game
        The game's name.
    length : int
        How many piles.
    max_pile : int
        The largest pile, N.
    table : str
        The id of the table that has these positions, as in ``end-nim/n64/k5``.
    shape : tuple of int
        Of its array: an axis of N for each pile. The last move, where it is remembered, has one
        more, but not with a single pile: there the array has the values without a last move. Sets
        of moves have one axis alone, of the numbers of the positions.
    is_stored : bool
        Whether the table is there.

    Notes
    -----
    ``len(level)`` counts positions, and a loop over it gives blocks of them, as `blocks` does; a
    list of them is ``list(level.blocks())``.

    Examples
    --------
    >>> level = grundy.open().level("end-nim", 3, 64)
    >>> level[3, 1, 4]
    7
    """

    def __init__(
        self, db: Database, game: GameLike, length: int, max_pile: int, memory: int | None = None
    ) -> None:
        self._database = db
        self._memory = memory
        self.length = length
        self.max_pile = max_pile
        table, positions, axes, is_stored = db._db.level_of(game, length, max_pile)
        self.table = table
        self.game = table.split("/", 1)[0]
        self.shape: tuple[int, ...] = tuple(axes)
        self.is_stored = is_stored
        self._positions = positions

    def __len__(self) -> int:
        return self._positions

    def __repr__(self) -> str:
        where = "stored" if self.is_stored else "computed when asked for"
        return f"<level {self.table}: {self._positions:,} positions, {where}>"

    def __contains__(self, position: object) -> bool:
        """Whether the level has a position: piles, a text, or a `Position`."""
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
        return len(found) == self.length and max(found.piles, default=0) <= self.max_pile

    def __getitem__(self, position: object) -> int:
        """The value of a position of the level; of a partizan game the place of its class.

        Piles count from 1, as everywhere: ``level[3, 1, 4]`` is the value of 3,1,4.

        Raises
        ------
        SizeError
            If the level does not have it; an `IndexError` and a `ValueError`.
        """
        found = self._read(position)
        if not self._has(found):
            piles = "1 pile" if self.length == 1 else f"{self.length} piles"
            raise SizeError(
                f"{found} is not in this level, which has {piles} of 1 to {self.max_pile} coins",
                position=str(found),
                table=self.table,
            )
        answer = self._database.answer(self.game, found)
        return CLASSES.index(answer.outcome) if answer.value is None else answer.value

    def to_numpy(
        self, *, threads: int | None = None, progress: Progress = False
    ) -> NDArray[np.unsignedinteger[Any]]:
        """The values of the level as an array.

        Parameters
        ----------
        threads : int, optional
            As many as the machine has cores, if nothing is said.
        progress : bool or callable
            True for a bar (needs tqdm), or a function of what is done and of how much there is.

        Returns
        -------
        ndarray of uint8, uint16 or uint32, the shape of the level
            Index = pile - 1: the value of 3,1,4 stands at ``[2, 0, 3]``. One byte for each value
            where that suffices: mind that sums and differences of uint8 wrap. Piles in any order
            are there in every order. Of a partizan game places in `grundy.CLASSES`. Where the moves
            that are left are remembered the array has one axis, and the place of a position is its
            number in the table (docs/FORMAT.md): of one pile p that may be lowered by the sets S of
            1, ..., p it is ``2**p`` plus ``2**(p - s)`` for each s in S, and at 0 stands 0.

        Raises
        ------
        LimitError
            If it does not fit the memory that is allowed.

        Examples
        --------
        >>> array = grundy.open().level("end-nim", 3, 64).to_numpy()
        >>> array.dtype, array.shape, int(array[2, 0, 3])
        (dtype('uint8'), (64, 64, 64), 7)
        """
        total = int(np.prod(self.shape, dtype=object))
        wanted = _given.threads_or_none(threads)
        native, level = self._database._db, (self.game, self.length, self.max_pile)
        width, size = native.array_of(*level)
        allowed = self._allowed
        if size > allowed:
            raise LimitError(
                f"the array of {self.table} has {_bytes(size)} and the limit is "
                f"{_bytes(allowed)}; choose a smaller size, or allow more bytes with memory=",
                table=self.table,
            )
        with watched(progress, total, "value") as hook:
            values = np.empty(size, dtype=np.uint8)
            native.write_array(*level, values, self._memory, wanted, hook)
        array: NDArray[np.unsignedinteger[Any]] = values.view(f"<u{width}").reshape(self.shape)
        return array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("a level is no array before it is computed; it cannot be had uncopied")
        return np.asarray(self.to_numpy(), dtype=dtype)

    def blocks(self, *, reversals: bool = True, threads: int | None = None) -> Iterator[Block]:
        """The blocks of the level, one after another in no particular order.

        A few of them are computed ahead by threads while the last is looked at. To end early,
        leave the loop: what was computed ahead is let go.

        Parameters
        ----------
        reversals : bool
            Whether reversals are shown, too; without them ``block.weight`` says how many positions
            a value stands for.
        threads : int, optional
            As many as the machine has cores, if nothing is said.

        Yields
        ------
        Block
            ``block.values``, shape (m,), and ``block.piles``, shape (m, k).

        Examples
        --------
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
            raise StoppedError("nobody looks at the blocks any more")

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
        """Show all blocks of the level to a function, and fold what it returns.

        As `grundy.sweep`, from the table if it is stored.
        """
        total, wanted = self._positions, _given.threads_or_none(threads)
        with watched(progress, total, "position") as hook:
            folded: Result | None = self._database._db.sweep(
                self.game,
                self.length,
                self.max_pile,
                f,
                fold,
                reversals,
                self._memory,
                wanted,
                hook,
            )
        return folded

    @property
    def _allowed(self) -> int:
        return self._database._memory if self._memory is None else self._memory

    def _check_frame(self) -> None:
        # Blocks, columns, their order, and the frame: each value is there about four times.
        size = 4 * self._positions * (4 * (self.length + 1) + 8)
        allowed = self._allowed
        if size > allowed:
            raise LimitError(
                f"a frame of the {self._positions:,} positions of {self.table} takes about "
                f"{_bytes(size)} and the limit is {_bytes(allowed)}; choose a smaller size, walk "
                "its blocks, or allow more bytes with memory=",
                table=self.table,
            )

    def _columns(self) -> tuple[list[str], list[NDArray[Any]], NDArray[Any]]:
        self._check_frame()
        blocks = list(self.blocks())
        piles = np.concatenate([block.piles for block in blocks])
        values = np.concatenate([block.values for block in blocks])
        remembered: list[NDArray[Any]] = []
        names = [f"p{number}" for number in range(1, self.length + 1)]
        remembers = {about["name"]: about["remembers"] for about in _grundy.games()}[self.game]
        if remembers == "last move":
            names.append("last_move")
            remembered.append(np.concatenate([block.last_moves for block in blocks]))
        elif remembers == "moves":
            names.append("move_set")
            remembered.append(np.concatenate([block.move_sets for block in blocks]))
        order = np.lexsort((*reversed(remembered), *piles.T[::-1]))
        columns = [column[order] for column in (*piles.T, *remembered)]
        return names, columns, values[order]

    def to_pandas(self) -> pandas.DataFrame:
        """The level as a frame of pandas: a column for each pile, and ``value``, in order.

        Raises
        ------
        ImportError
            If there is no pandas.
        """
        import pandas as pd

        names, columns, values = self._columns()
        return pd.DataFrame({**dict(zip(names, columns, strict=True)), "value": values})

    def to_polars(self) -> polars.DataFrame:
        """The level as a frame of polars: a column for each pile, and ``value``, in order.

        Raises
        ------
        ImportError
            If there is no polars.
        """
        import polars as pl

        names, columns, values = self._columns()
        return pl.DataFrame({**dict(zip(names, columns, strict=True)), "value": values})


def sweep(
    game: GameLike,
    length: int,
    max_pile: int,
    f: Callable[[Block], Result | None],
    *,
    fold: Callable[[Any, Any], Any] = operator.add,
    reversals: bool = True,
    memory: int | None = None,
    threads: int | None = None,
    progress: Progress = False,
    db: Database | None = None,
) -> Result | None:
    """Compute all positions of a level, show them in blocks, and fold what is made of each.

    No level is ever in memory as a whole.

    Parameters
    ----------
    game : str or Game
        The game's name.
    length : int
        How many piles.
    max_pile : int
        The largest pile.
    f : callable
        Is shown each block: ``block.values``, shape (m,), and ``block.piles``, shape (m, k). What
        it returns is folded; None is left out. Called by one thread at a time while it holds the
        interpreter's lock, in no particular order.
    fold : callable
        Joins two results, on whose order it must not depend; adds them if nothing is said.
    reversals : bool
        In most row games a position and its reversal have the same value, which is computed once.
        True shows both. False shows one, and says in ``block.weight`` how many it stands for: half
        the work where only values are looked at.
    memory : int, optional
        Bytes that it may take.
    threads : int, optional
        As many as the machine has cores, if nothing is said.
    progress : bool or callable
        True for a bar (needs tqdm), or a function of what is done and of how much there is.
    db : Database, optional
        Where values are read if they are stored.

    Returns
    -------
    object
        What the results were folded to; None if there were none.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C, at once.
    Exception
        Whatever `f` or `fold` raises, which ends the walk.

    Examples
    --------
    How many of the 24⁴ rows of four piles of End-Nim are P-positions?

    >>> grundy.sweep("end-nim", 4, 24, lambda block: int((block.values == 0).sum()))
    13272
    """
    from .database import nothing

    piles, most = _given.size("length", length), _given.size("max_pile", max_pile)
    level = Level(nothing(db), game, piles, most, _given.memory_or_none(memory))
    return level.sweep(f, fold=fold, reversals=reversals, threads=threads, progress=progress)
