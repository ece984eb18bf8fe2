"""Databases: look-ups of one position or of many positions, and tiles."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _given, _grundy, _pretty
from ._grundy import Block
from ._progress import Progress, watched
from ._records import Records
from .errors import MissingError, SizeError
from .levels import Level, Result
from .positions import (
    CLASSES,
    Answer,
    GameLike,
    Move,
    Moves,
    Position,
    PositionLike,
    WordLike,
    game_named,
    position_of,
)

#: The default memory limit of an answer or a walk in bytes: 4 GiB.
MEMORY = 4 << 30

#: The default limit of the estimated seconds of a statement or a claim.
SECONDS = 600.0


class Table(NamedTuple):
    """A stored table.

    Attributes:
        id: The name, as in ``end-nim/n64/k5``, which is also its folder.
        length: The number of piles; 0 if the table holds heaps of every number.
        positions: The number of positions; 0 if the table stores only g(n).
    """

    id: str
    game: str
    length: int
    max_pile: int
    positions: int

    def _cells(self) -> list[str]:
        return [self.id, str(self.length), str(self.max_pile), f"{self.positions:,}"]


class Tables(Records[Table]):
    """The tables of a database: a list, which a notebook shows as a table."""

    _head = ("table", "piles", "max pile", "positions")


class Tile(np.ndarray[Any, np.dtype[np.unsignedinteger[Any]]]):
    """The values of all positions a·w·b with the middle w: an array, shape (N, N).

    The value of (a, w, b) is at ``[a - 1, b - 1]``; ``at(a, b)`` also returns it. The array is
    read-only. A part of a tile, or the result of a computation with it, is a plain array. A copy of
    a tile, or a transposed or reshaped tile, has no game and no middle.

    Attributes:
        game: The game's name.
        middle: The piles w between a and b.
        first: The least a and b: 1, or 0 in a game with ``piles: places``.
    """

    game: str
    middle: tuple[int, ...]
    first: int

    def __array_finalize__(self, other: object) -> None:
        # Only `_of` sets the middle, because an array computed from a tile is not a tile.
        self.game, self.middle, self.first = "", (), 1

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        plain = np.asarray(array)
        return plain[()] if return_scalar else plain

    def __getitem__(self, key: Any) -> Any:
        return np.asarray(self)[key]

    def __reduce__(self) -> tuple[Any, ...]:
        return Tile._of, (np.array(self), self.game, self.middle, self.first)

    @staticmethod
    def _of(values: NDArray[Any], game: str, middle: tuple[int, ...], first: int = 1) -> Tile:
        tile = values.view(Tile)
        tile.game, tile.middle, tile.first = game, middle, first
        tile.flags.writeable = False
        return tile

    def at(self, a: int, b: int) -> int:
        """Return the value of (a, w, b), or the index of its class in `grundy.CLASSES`.

        Raises:
            SizeError: If a or b is not from `first` to N.
        """
        a, b = _given.whole("a", a, self.first), _given.whole("b", b, self.first)
        if self.ndim != 2:
            raise SizeError(f"a tile has two axes, but this has the shape {self.shape}")
        rows, cols = self.shape
        row, col = a - self.first, b - self.first
        if not (row < rows and col < cols):
            most = rows - 1 + self.first
            raise SizeError(f"({a}, {b}) is not in a tile of piles from {self.first} to {most}")
        return int(self[row, col])

    def _repr_html_(self) -> str | None:
        if not self.game:
            return None
        return _pretty.tile(self._title, self.tolist(), self._letters(), self.first)

    def _repr_latex_(self) -> str | None:
        if not self.game:
            return None
        return _pretty.latex_tile(self.tolist(), self._letters(), self.first)

    @property
    def _title(self) -> str:
        middle = "".join(f"{pile}," for pile in self.middle)
        return f"a,{middle}b in {self.game}"

    def _letters(self) -> tuple[str, ...] | None:
        return None if game_named(self.game).is_impartial else CLASSES


class Database:
    """Answers questions about positions. It reads tables if possible, and computes other values.

    `grundy.open` returns a database. Threads may share it. Its files are closed when no object uses
    them. Arrays of a database stay valid after the database is gone.

    Attributes:
        place: The folder, the pack or the address; None if there are no tables.
    """

    def __init__(self, native: _grundy.Db, place: Path | str | None, memory: int) -> None:
        self._db = native
        self._memory = memory
        self.place = place

    def __repr__(self) -> str:
        count = len(self.tables)
        if count == 0:
            return "<database without tables: everything is computed>"
        tables = "1 table" if count == 1 else f"{count} tables"
        return f"<database {str(self.place)!r}: {tables}>"

    def _repr_html_(self) -> str:
        return self.tables._repr_html_() if self.tables else _pretty.sentence(repr(self))

    @property
    def tables(self) -> Tables:
        """The stored tables, by game, length and largest pile."""
        return Tables(Table(*about) for about in self._db.tables())

    def value(self, game: GameLike, position: PositionLike) -> int:
        """Return the Grundy value of a position.

        Args:
            game: The game's name, as in ``end-nim``; `grundy.games` lists them.
            position: Piles or a text, as in ``(3, 1, 4)``, ``"3,1,4"``, ``"20,20/3"``.

        Raises:
            PositionError: If the position is invalid in the game; a `ValueError`.
            GameError: If there is no such game, or it has no values; a `ValueError`.
            LimitError: If computing the value would exceed the limit of memory or time.
            DamagedError: If a file is damaged.
            MissingError: If a file is missing.

        Examples:
            >>> grundy.open().value("end-nim", (3, 1, 4))
            7
            >>> grundy.open().value("short-global-nim", "20,20/3")
            2
        """
        return self._db.value(game, position)

    def answer(self, game: GameLike, position: PositionLike) -> Answer:
        """Return the value, outcome class and source of a position.

        Arguments and errors are those of `value`.

        Examples:
            >>> grundy.open().answer("partizan-end-nim", (3, 1, 4)).outcome
            'R'
            >>> grundy.open().answer("end-nim", (5, 4, 1_000_000_000))
            Answer(value=1000000003, outcome='N', source='period', thresholds=None)
        """
        return Answer(*self._db.answer(game, position))

    def outcome(self, game: GameLike, position: PositionLike) -> str:
        """Return the outcome class of a position: ``P``, ``N``, ``L`` or ``R``.

        Arguments and errors are those of `value`.
        """
        return self.answer(game, position).outcome

    def moves(self, game: GameLike, position: PositionLike) -> Moves:
        """Return every move of a position, with the value of the resulting option and other facts.

        Arguments and errors are those of `value`.

        Examples:
            >>> [str(move.option) for move in grundy.open().moves("end-nim", "2,3,4") if move.wins]
            ['2,3,2']
        """
        of = position_of(game, position)
        return Moves((Move._of(of.game, made) for made in self._db.moves(game, of)), of)

    def values(
        self,
        game: GameLike,
        piles: ArrayLike | Sequence[Position],
        *,
        threads: int | None = None,
        progress: Progress = False,
    ) -> NDArray[np.uint32]:
        """Return the Grundy values of many positions, computed on all cores.

        Args:
            piles: An array of whole numbers, shape (m, k). Row i contains the piles of a position,
                from left to right, at the beginning of play. The argument may also be a list of
                positions, strings or rows of piles. These positions may have different lengths, a
                last move or moves left. They are computed one by one, on one thread and without a
                bar.

        Returns:
            The values, shape (m,).

        Raises:
            PositionError: If a number is zero, negative or too large, or the shape is not (m, k); a
                `ValueError`.
            TypeError: If the numbers are not whole.
            LimitError: If computing the values would exceed the limit of memory or time. `value`
                lists the other errors.

        Examples:
            >>> grundy.open().values("end-nim", [[3, 1, 4], [5, 9, 2]])
            array([7, 5], dtype=uint32)
        """
        return self._many(game, piles, threads, progress, is_outcome=False)

    def outcomes(
        self,
        game: GameLike,
        piles: ArrayLike | Sequence[Position],
        *,
        threads: int | None = None,
        progress: Progress = False,
    ) -> NDArray[np.str_]:
        """Return the outcome classes of many positions: letters, shape (m,).

        Arguments and errors are those of `values`.

        Examples:
            >>> grundy.open().outcomes("partizan-end-nim", [[3, 1, 4], [2, 2, 2]]).tolist()
            ['R', 'N']
        """
        return np.array(CLASSES)[self._many(game, piles, threads, progress, is_outcome=True)]

    def _many(
        self, game: GameLike, given: Any, threads: int | None, progress: Progress, is_outcome: bool
    ) -> NDArray[np.uint32]:
        wanted = _given.size_or_none("threads", threads)
        if (positions := _positions(given)) is not None:
            if is_outcome:
                found = [CLASSES.index(self.outcome(game, position)) for position in positions]
            else:
                found = [self.value(game, position) for position in positions]
            return np.array(found, dtype=np.uint32)
        piles = _given.piles(given)
        with watched(progress, len(piles), "position") as hook:
            return self._db.values(game, piles, is_outcome, wanted, hook)

    def row(self, game: GameLike, word: WordLike, to: int = 64) -> NDArray[np.integer[Any]]:
        """Return the row b -> G(w b): the values of (w, b) for b = 1, 2, ..., `to`.

        Returns:
            An array, shape (to,), with the value for b at ``[b - 1]``; for a partizan game the
            index of the class in `grundy.CLASSES`. In a game with ``piles: places`` b begins at 0,
            and the value is -1 for positions that the rules exclude.

        Raises:
            SizeError: If `to` is out of range; `value` lists the other errors.

        Examples:
            >>> grundy.open().row("misere-end-nim", (5,), 6).tolist()
            [5, 3, 6, 2, 0, 1]
        """
        return self._db.row(game, _given.word("word", word), _given.size("to", to))

    def tile(self, game: GameLike, middle: WordLike = (), max_pile: int | None = None) -> Tile:
        """Return the values of all positions a·w·b with the middle w, at the beginning of play.

        A stored tile is a view of the decoded values, not a copy. It stays valid after the database
        is gone.

        Args:
            middle: w, the piles between the two ends; empty for rows of two piles.
            max_pile: N, the largest a and b; by default the largest pile of the largest stored
                table with this number of piles.

        Returns:
            A read-only array, shape (N, N); the value of (a, w, b) is at ``[a - 1, b - 1]``. In a
            game with ``piles: places`` a and b begin at 0, and excluded positions have the value
            -1.

        Raises:
            SizeError: If `max_pile` is impossible, or is missing and no table is stored.
            LimitError: If the tile would exceed the limit of memory or time.

        Examples:
            >>> tile = grundy.open().tile("end-nim", (4,), 8)
            >>> tile.shape, tile.at(5, 6)
            ((8, 8), 3)
        """
        piles = _given.word("middle", middle)
        size = self._size(game, len(piles) + 2, max_pile)
        lent, kind, stride, first, is_turned = self._db.tile(game, piles, size)
        values = lent.view(kind).reshape(stride, stride)
        if is_turned:
            values = values.T
        side = size + 1 - first
        return Tile._of(values[:side, :side], game_named(game).name, piles, first)

    def level(
        self,
        game: GameLike,
        length: int,
        max_pile: int | None = None,
        *,
        max_total: int | None = None,
        memory: int | None = None,
    ) -> Level:
        """Return all positions of `length` piles, each of at most `max_pile` coins.

        Args:
            max_pile: The largest pile; by default that of the largest stored table with this number
                of piles.
            max_total: The largest number of coins, in a game with ``within: total``. There
                `max_pile` means the same.
            memory: The memory limit in bytes for the level's blocks and for its array; by default
                the limit of the database.

        Raises:
            SizeError: If `max_pile` is impossible, or is missing and no table is stored.

        Examples:
            >>> level = grundy.open().level("end-nim", length=3, max_pile=64)
            >>> len(level), level.shape, level[3, 1, 4]
            (262144, (64, 64, 64), 7)
        """
        length, allowed = _given.size("length", length), _given.memory_or_none(memory)
        most = self._size(game, length, max_pile, max_total)
        return Level(self, game, length, most, allowed)

    def _size(
        self, game: GameLike, length: int, max_pile: int | None, max_total: int | None = None
    ) -> int:
        given = self._db.given_size(
            game,
            _given.size_or_none("max_pile", max_pile),
            _given.size_or_none("max_total", max_total),
        )
        if given is not None:
            return given
        stored = self._db.largest_stored(game, length)
        if stored is None:
            piles = "1 pile" if length == 1 else f"{length} piles"
            size = "max_total" if game_named(game).within == "total" else "max_pile"
            raise SizeError(
                f"no table of {game} with {piles} is stored, so {size} has no default; give it"
            )
        return stored


def open(
    place: str | os.PathLike[str] | None = None,
    *,
    memory: int = MEMORY,
    seconds: float = 60.0,
    mapped: bool = False,
    theorems: bool = True,
) -> Database:
    """Open tables: a folder made by ``grundy build``, a pack, or the address of one of them.

    Args:
        place: A database folder, usually ``db``; a pack made by ``grundy pack`` (a tar or a
            folder); or the address of one of them, as in ``https://example.org/end-nim-n64.tar``. A
            server of static files must support range requests; only the needed ranges are fetched.
            Without a place everything is computed.
        memory: The memory limit of an answer or a walk in bytes. Half of the limit is for decoded
            parts of tables, which stay in memory.
        seconds: The limit of the estimated time of an answer, and of the wait for a server.
        mapped: Map files into memory instead of reading them. Then the first access is a little
            faster. But if another program shortens a mapped file, the system ends the whole
            process.
        theorems: If True, a value outside the tables comes from a proved formula or the proved
            period of its row, if there is one; ``answer(...).source`` then says so. If False, all
            such values are computed. Statements, sequences and laws never use theorems.

    Raises:
        MissingError: If the place does not exist, or is a folder without tables; a
            `FileNotFoundError`.
        DamagedError: If the description of the tables is invalid.
        PlaceError: If the address is invalid; a `ValueError`.
        FetchError: If a server cannot be reached, or sends wrong data; a `ConnectionError`.

    Checksums detect accidental changes of fetched bytes, but not forged tables. Use https and a
    publisher that you trust, or check a signature with ``grundy unpack --pubkey``.

    Examples:
        >>> grundy.open()
        <database without tables: everything is computed>
    """
    if isinstance(place, str) and "://" in place:
        at: Path | str | None = place
    else:
        if not isinstance(place, str | os.PathLike | None):
            raise TypeError(
                f"place is {_given.shown(place)}; give a folder, a pack or an address, as in 'db'"
            )
        at = None if place is None else _there(Path(place))
    allowed = _given.memory(memory)
    native = _grundy.Db(at, allowed, _given.seconds(seconds), mapped, bool(theorems))
    if isinstance(at, Path) and not native.tables():
        raise MissingError(
            f"{str(at)!r} has no tables that this version knows; `grundy build` builds some, and "
            "grundy.open() without a folder computes everything",
            file=str(at),
        )
    # The part after the question mark may contain a secret.
    return Database(native, at.split("?", 1)[0] if isinstance(at, str) else at, allowed)


def _there(path: Path) -> Path:
    if path.is_dir() or (path.is_file() and path.suffix == ".tar"):
        return path
    if path.exists():
        why = f"{str(path)!r} is neither a folder of tables nor a pack, whose name ends with .tar"
    else:
        why = (
            f"there is no folder {str(path)!r}; `grundy build` makes one, and grundy.open() "
            "without a folder computes everything"
        )
    raise MissingError(why, file=str(path))


def _positions(given: ArrayLike | Sequence[Position]) -> list[Position | Any] | None:
    """Return the argument as a list of positions; None if it is an array of piles."""
    if isinstance(given, np.ndarray | str) or not isinstance(given, Iterable):
        return None
    each = list(given)
    lengths = {len(piles) for piles in each if isinstance(piles, tuple | list)}
    # An empty list is a list of positions, because it has no shape (m, k).
    is_any = not each or any(isinstance(position, Position | str) for position in each)
    return each if is_any or len(lengths) > 1 else None


def nothing(db: Database | None) -> Database:
    """Return `db`, or a database without tables if it is None."""
    if db is None:
        return open()
    if not isinstance(db, Database):
        raise TypeError(f"db is {type(db).__name__}, not a Database; grundy.open() returns one")
    return db


def sweep(
    game: GameLike,
    length: int,
    max_pile: int | None,
    f: Callable[[Block], Result | None],
    *,
    max_total: int | None = None,
    fold: Callable[[Any, Any], Any] = operator.add,
    reversals: bool = True,
    memory: int | None = None,
    threads: int | None = None,
    progress: Progress = False,
    db: Database | None = None,
) -> Result | None:
    """Compute all values of a level, pass them to a function in blocks, and fold the results.

    The level is never in memory as a whole.

    Args:
        max_pile: The largest pile; None if `max_total` is given.
        max_total: The largest number of coins, in a game with ``within: total``. There `max_pile`
            means the same.
        f: A function that is called with each block, in no particular order. A block has
            ``block.values``, shape (m,), and ``block.piles``, shape (m, k). All results of `f`
            except None are folded. Only one thread at a time calls `f`, with the interpreter's
            lock.
        fold: A function that combines two results, in any order; by default it adds them.
        reversals: In most row games a position and its reversal have the same value, which is
            computed once. If True, `f` gets both positions. If False, it gets one of the two, and
            ``block.weight`` is the number of positions that each value stands for; this halves the
            work of `f`.

    Returns:
        The folded result; None if `f` returned no results.

    Raises:
        KeyboardInterrupt: After Ctrl-C, without delay.
        Exception: Any exception that `f` or `fold` raises; it ends the walk.

    Examples:
        How many of the 24⁴ rows of four piles of End-Nim are P-positions?

        >>> grundy.sweep("end-nim", 4, 24, lambda block: int((block.values == 0).sum()))
        13272
    """
    for name, given in {"f": f, "fold": fold}.items():
        if not callable(given):
            raise TypeError(f"{name} is {_given.shown(given)}; it must be a function, as in len")
    level = nothing(db).level(game, length, max_pile, max_total=max_total, memory=memory)
    return level.sweep(f, fold=fold, reversals=reversals, threads=threads, progress=progress)
