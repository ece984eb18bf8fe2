"""Databases: look-ups, many positions at once, tiles."""

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

#: Bytes of memory that an answer or a walk may take unless more is allowed: 4 GiB.
MEMORY = 4 << 30


class Table(NamedTuple):
    """A stored table.

    Attributes:
        id: As in ``end-nim/n64/k5``, which is also its folder.
        positions: How many positions it answers for; 0 of a table that has g(n) alone.
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
    """The values of all positions a·w·b of a middle w: an array, shape (N, N).

    The value of (a, w, b) stands at ``[a - 1, b - 1]``; `at` counts from 1. Read-only. Parts of a
    tile, and what is computed from it, are plain arrays; a copy, or a tile that is turned or put
    into another shape, no longer knows its game and middle.

    Attributes:
        game: The game's name.
        middle: w.
    """

    game: str
    middle: tuple[int, ...]

    def __array_finalize__(self, other: object) -> None:
        # What is made from a tile is not the tile of this middle; `_of` says what is.
        self.game, self.middle = "", ()

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        plain = np.asarray(array)
        return plain[()] if return_scalar else plain

    def __getitem__(self, key: Any) -> Any:
        return np.asarray(self)[key]

    def __reduce__(self) -> tuple[Any, ...]:
        return Tile._of, (np.array(self), self.game, self.middle)

    @staticmethod
    def _of(values: NDArray[Any], game: str, middle: tuple[int, ...]) -> Tile:
        tile = values.view(Tile)
        tile.game, tile.middle = game, middle
        tile.flags.writeable = False
        return tile

    def at(self, a: int, b: int) -> int:
        """The value of (a, w, b); of a partizan game the place of the class in `grundy.CLASSES`.

        Raises:
            SizeError: If a or b is not from 1 to N.
        """
        a, b = _given.size("a", a), _given.size("b", b)
        if self.ndim != 2:
            raise SizeError(f"a tile has two axes, and this has the shape {self.shape}")
        rows, cols = self.shape
        if not (1 <= a <= rows and 1 <= b <= cols):
            raise SizeError(f"({a}, {b}) is not in a tile of piles from 1 to {rows}")
        return int(self[a - 1, b - 1])

    def _repr_html_(self) -> str | None:
        return _pretty.tile(self._title, self.tolist(), self._letters()) if self.game else None

    def _repr_latex_(self) -> str | None:
        return _pretty.latex_tile(self.tolist(), self._letters()) if self.game else None

    @property
    def _title(self) -> str:
        middle = "".join(f"{pile}," for pile in self.middle)
        return f"a,{middle}b in {self.game}"

    def _letters(self) -> tuple[str, ...] | None:
        return None if game_named(self.game).is_impartial else CLASSES


class Database:
    """Answers about positions: from tables where there are some, computed where there are none.

    `grundy.open` opens one. Threads may share it. Its files are closed when nobody needs them any
    more; arrays that it lent live on.

    Attributes:
        place: The folder or the pack, or the address; None where all is computed.
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
        """The tables there are, by game, length and max pile."""
        return Tables(Table(*about) for about in self._db.tables())

    def value(self, game: GameLike, position: PositionLike) -> int:
        """The Grundy value of a position.

        Args:
            game: The game's name, as in ``end-nim``; `grundy.games` lists them.
            position: Piles, or a text as in papers: ``(3, 1, 4)``, ``"3,1,4"``, ``"20,20/3"``.

        Raises:
            PositionError: If it is no position of the game; a `ValueError`.
            GameError: If there is no such game, or it has no values; a `ValueError`.
            LimitError: If computing it would take more than is allowed.
            DamagedError: If a file is damaged.
            MissingError: If a file is gone.

        Examples:
            >>> grundy.open().value("end-nim", (3, 1, 4))
            7
            >>> grundy.open().value("short-global-nim", "20,20/3")
            2
        """
        return self._db.value(game, position)

    def answer(self, game: GameLike, position: PositionLike) -> Answer:
        """Everything that is known of a position: value, outcome class, and where they came from.

        Arguments and errors are those of `value`.

        Examples:
            >>> grundy.open().answer("partizan-end-nim", (3, 1, 4)).outcome
            'R'
            >>> grundy.open().answer("end-nim", (5, 4, 1_000_000_000))
            Answer(value=1000000003, outcome='N', source='period', thresholds=None)
        """
        return Answer(*self._db.answer(game, position))

    def outcome(self, game: GameLike, position: PositionLike) -> str:
        """The outcome class of a position: ``P``, ``N``, ``L`` or ``R``.

        Arguments and errors are those of `value`.
        """
        return self.answer(game, position).outcome

    def moves(self, game: GameLike, position: PositionLike) -> Moves:
        """Every move of a position, with what is known of the option that it reaches.

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
        """The Grundy values of many positions at once, on all cores.

        Args:
            piles: An array of whole numbers, shape (m, k). Row i has the piles of a position, from
                left to right, at the beginning of play. Or a list of positions, which may have any
                length, last move and moves left; they are answered one by one, on one thread and
                without a bar.

        Returns:
            The values, shape (m,).

        Raises:
            PositionError: If a number is zero, negative or too large, or the shape is not (m, k);
                a `ValueError`.
            TypeError: If they are no whole numbers.
            LimitError: As `value`, which has the other errors, too.

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
        """The outcome classes of many positions at once: letters, shape (m,).

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

    def row(self, game: GameLike, word: WordLike, to: int = 64) -> NDArray[np.uint32]:
        """The row b -> G(w b): the values of (w, b) for b = 1, 2, ..., `to`.

        Returns:
            An array, shape (to,), with the value of b at ``[b - 1]``; of a partizan game the place
            of the class in `grundy.CLASSES`.

        Examples:
            >>> grundy.open().row("misere-end-nim", (5,), 6).tolist()
            [5, 3, 6, 2, 0, 1]
        """
        return self._db.row(game, _given.word("word", word), _given.size("to", to))

    def tile(self, game: GameLike, middle: WordLike = (), max_pile: int | None = None) -> Tile:
        """The values of all positions a·w·b of a middle w, at the beginning of play.

        From a table it is a view of the decoded values, without a copy; it outlives the database.

        Args:
            middle: w, the piles between the two ends; none of a row of two piles.
            max_pile: N, the largest a and b; that of the largest table of so many piles, if nothing
                is said.

        Returns:
            An array, shape (N, N), read-only; the value of (a, w, b) stands at ``[a - 1, b - 1]``.

        Examples:
            >>> tile = grundy.open().tile("end-nim", (4,), 8)
            >>> tile.shape, tile.at(5, 6)
            ((8, 8), 3)
        """
        piles = _given.word("middle", middle)
        size = self._max_pile(game, len(piles) + 2, max_pile)
        lent, width, stride, is_turned, _ = self._db.tile(game, piles, size)
        values = lent.view(f"<u{width}").reshape(stride, stride)
        if is_turned:
            values = values.T
        return Tile._of(values[:size, :size], Position(str(game), (*piles, 1, 1)).game, piles)

    def level(
        self,
        game: GameLike,
        length: int,
        max_pile: int | None = None,
        *,
        memory: int | None = None,
    ) -> Level:
        """All positions of so many piles, each of at most so many coins.

        Args:
            max_pile: The largest pile; that of the largest table of so many piles, if nothing is
                said.
            memory: Bytes that walking it and its array may take; the database's limit, if nothing
                is said.

        Examples:
            >>> level = grundy.open().level("end-nim", length=3, max_pile=64)
            >>> len(level), level.shape, level[3, 1, 4]
            (262144, (64, 64, 64), 7)
        """
        length, allowed = _given.size("length", length), _given.memory_or_none(memory)
        most = self._max_pile(game, length, max_pile)
        return Level(self, game, length, most, allowed)

    def _max_pile(self, game: GameLike, length: int, given: int | None) -> int:
        if given is not None:
            return _given.size("max_pile", given)
        stored = self._db.largest_stored(game, length)
        if stored is None:
            piles = "1 pile" if length == 1 else f"{length} piles"
            raise SizeError(
                f"no table of {game} with {piles} is stored, so there is no usual largest pile; "
                "say max_pile="
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
    """Open tables: a folder, as ``grundy build`` makes it, a pack, or the address of one of them.

    Args:
        place: A folder, usually ``db``; a pack, as ``grundy pack`` writes it, a tar or a folder;
            or, of a server of static files that serves ranges, the address of either, as in
            ``https://example.org/end-nim-n64.tar``, of which only what is needed is fetched.
            Without one nothing is stored, and everything is computed.
        memory: Bytes that an answer or a walk may take. Half of it is for tables that stay in
            memory.
        seconds: What would take longer is refused, or given up where a server keeps it waiting.
        mapped: Map files into memory instead of reading them. A little faster the first time; but
            if somebody shortens a file meanwhile, the system ends the whole process.
        theorems: Answer by what is proved where no table has a position: a formula, or the period
            of its row; ``answer(...).source`` says so. False computes. Statements, sequences and
            laws are always computed.

    Raises:
        MissingError: If there is nothing at the place, or a folder without tables; a
            `FileNotFoundError`.
        DamagedError: If what is there says of itself what cannot be.
        PlaceError: If it is meant as an address, and is none; a `ValueError`.
        FetchError: If a server cannot be reached, or does not give what it should; a
            `ConnectionError`.

    What is fetched is held against checksums, which find what happens to bytes by accident. Against
    somebody who forges tables use https and a publisher you trust, or ``grundy unpack --pubkey``.

    Examples:
        >>> grundy.open()
        <database without tables: everything is computed>
    """
    if isinstance(place, str) and "://" in place:
        at: Path | str | None = place
    else:
        at = None if place is None else _there(Path(place))
    allowed = _given.memory(memory)
    native = _grundy.Db(at, allowed, _given.seconds(seconds), mapped, bool(theorems))
    if isinstance(at, Path) and not native.tables():
        raise MissingError(
            f"{str(at)!r} has no tables that this version knows; `grundy build` makes some, and "
            "grundy.open() without a folder computes everything",
            file=str(at),
        )
    # What follows the question mark may be a secret.
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
    """Positions that are given as such; an array of piles has none."""
    if isinstance(given, np.ndarray) or not isinstance(given, Iterable):
        return None
    each = list(given)
    # Of no positions there are no values; nothing says what they would be made of.
    is_any = not each or any(isinstance(position, Position) for position in each)
    return each if is_any else None


def nothing(db: Database | None) -> Database:
    """The database that was given, or one without tables."""
    if db is None:
        return open()
    if not isinstance(db, Database):
        raise TypeError(f"db is {type(db).__name__}, which is no Database; grundy.open() opens one")
    return db


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

    Args:
        f: Is shown each block: ``block.values``, shape (m,), and ``block.piles``, shape (m, k).
            What it returns is folded; None is left out. Called by one thread at a time while it
            holds the interpreter's lock, in no particular order.
        fold: Joins two results, on whose order it must not depend; adds them if nothing is said.
        reversals: In most row games a position and its reversal have the same value, which is
            computed once. True shows both. False shows one, and says in ``block.weight`` how many
            it stands for: half the work where only values are looked at.

    Returns:
        What the results were folded to; None if there were none.

    Raises:
        KeyboardInterrupt: After Ctrl-C, at once.
        Exception: Whatever `f` or `fold` raises, which ends the walk.

    Examples:
        How many of the 24⁴ rows of four piles of End-Nim are P-positions?

        >>> grundy.sweep("end-nim", 4, 24, lambda block: int((block.values == 0).sum()))
        13272
    """
    level = nothing(db).level(game, length, _given.size("max_pile", max_pile), memory=memory)
    return level.sweep(f, fold=fold, reversals=reversals, threads=threads, progress=progress)
