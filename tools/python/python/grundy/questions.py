"""Statements of one's own: checked on every position up to a size, or looked for.

The language is that of docs/LANGUAGE.md, the same as on the command line.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, SupportsIndex, overload

from . import _given, _grundy, _pretty
from ._progress import Progress, watched
from .database import Database, nothing
from .positions import GameLike, Position, WordLike

if TYPE_CHECKING:
    import pandas
    import polars

#: A length, or the first and the last of a range.
Lengths = int | tuple[int, int] | range | None


class Counterexample(NamedTuple):
    """A position of which a statement is false.

    Attributes
    ----------
    position : Position
        The position.
    value : int or str
        Its Grundy value, or its outcome class.
    parts : dict of str to str
        What the names in the statement come to there.
    """

    position: Position
    value: int | str
    parts: dict[str, str]

    def __str__(self) -> str:
        parts = ", ".join(f"{name} = {value}" for name, value in self.parts.items())
        return f"{self.position}   {parts}".rstrip()


@dataclass(frozen=True)
class Checked:
    """What came of checking a statement.

    Attributes
    ----------
    verdict : str
        ``holds`` or ``fails``.
    checked : int
        Positions looked at.
    premise : int or None
        Of an implication, in how many of them the premise is true.
    failures : int
        In how many of them the statement is false.
    counterexamples : tuple of Counterexample
        The least of those, by coins and then by piles.
    source : str
        Where the values came from: ``table``, ``computed`` or ``mixed``.
    seconds : float
        Wall time.
    game, statement : str
        What was asked.
    lengths : tuple of int
        The first and the last number of piles.
    max_pile : int
        The largest pile.

    Notes
    -----
    True in a condition if the statement holds.
    """

    game: str
    statement: str
    verdict: str
    checked: int
    premise: int | None
    failures: int
    counterexamples: tuple[Counterexample, ...]
    source: str
    seconds: float
    lengths: tuple[int, int]
    max_pile: int

    @property
    def holds(self) -> bool:
        """Whether it holds at every position that was looked at."""
        return self.verdict == "holds"

    @property
    def first(self) -> Counterexample | None:
        """The least counterexample; None if there is none."""
        return self.counterexamples[0] if self.counterexamples else None

    def __bool__(self) -> bool:
        return self.holds

    def _sentence(self) -> str:
        premise = ""
        if self.premise == 0 and self.holds:
            premise = "; it says nothing: none satisfies the premise"
        elif self.premise is not None:
            premise = f"; {self.premise:,} satisfy the premise"
        if self.holds:
            return f"holds at {self.checked:,} positions{premise}"
        return f"fails at {self.failures:,} of {self.checked:,} positions{premise}"

    def _range(self) -> str:
        first, last = self.lengths
        length = f"length {first}" if first == last else f"lengths {first} to {last}"
        return f"{self.game}: piles <= {self.max_pile}, {length}"

    def __str__(self) -> str:
        lines = [self._sentence()]
        if self.first is not None:
            lines.append(f"least counterexample: {self.first}")
        lines.append(f"{self._range()}; {self.source} in {self.seconds:.2f} s")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<{self.statement!r} {self._sentence()}>"

    def _repr_html_(self) -> str:
        mark = "✓" if self.holds else "✗"
        title = f"{mark} {self.statement}: {self._sentence()} ({self._range()})"
        rows = self._cells()
        return _pretty.table(title, _HEAD if rows else [], rows)

    def _repr_latex_(self) -> str:
        said = _pretty.latex_text(f"{self.statement}: {self._sentence()} ({self._range()})")
        rows = self._cells()
        table = _pretty.latex_table(_HEAD, rows).strip("$") if rows else ""
        return rf"$\begin{{array}}{{l}}{said} \\ {table}\end{{array}}$" if table else f"${said}$"

    def _cells(self) -> list[list[str]]:
        return [
            [str(found.position), str(found.value), _parts(found)] for found in self.counterexamples
        ]


_HEAD = ["least counterexamples", "value", ""]


def _parts(found: Counterexample) -> str:
    return ", ".join(f"{name} = {value}" for name, value in found.parts.items())


def _wanted(
    length: Lengths,
    max_pile: int | None,
    memory: int | None,
    seconds: float | None,
    threads: int | None,
    hook: _grundy.Hook | None,
) -> _grundy.Wanted:
    lengths: tuple[int, int] | None
    if length is None:
        lengths = None
    elif isinstance(length, range):
        if len(length) == 0 or length.step != 1:
            raise ValueError(
                f"{length} is no range of lengths; say a first and a last, as in (1, 4)"
            )
        lengths = (length[0], length[-1])
    elif isinstance(length, tuple):
        if len(length) != 2:
            raise ValueError(
                f"length is a number, or a first and a last, as in (1, 4); not {length}"
            )
        lengths = (length[0], length[1])
    else:
        lengths = (length, length)
    if lengths is not None:
        lengths = (_given.size("length", lengths[0]), _given.size("length", lengths[1]))
        if lengths[0] > lengths[1]:
            raise ValueError(f"there are no lengths from {lengths[0]} to {lengths[1]}")
    return {
        "lengths": lengths,
        "max_pile": _given.size_or_none("max_pile", max_pile),
        "memory": _given.memory_or_none(memory),
        "seconds": math.inf if seconds is None else _given.seconds(seconds),
        "threads": _given.threads_or_none(threads),
        "hook": hook,
    }


def check(
    game: GameLike,
    statement: str,
    length: Lengths = None,
    max_pile: int | None = None,
    *,
    show: int = 5,
    db: Database | None = None,
    memory: int | None = None,
    seconds: float | None = None,
    threads: int | None = None,
    progress: Progress = False,
) -> Checked:
    """Check a statement of one's own on all positions of a range.

    Parameters
    ----------
    game : str or Game
        The game's name.
    statement : str
        In the language of docs/LANGUAGE.md, as in ``"g == 0 -> first == last"``.
    length : int or (int, int), optional
        How many piles, or the first and the last number of them; 1 to 4 if nothing is said and the
        statement names no pile by its number.
    max_pile : int, optional
        The largest pile; that of the largest tables if nothing is said, else a moment's work.
    show : int
        How many of the least counterexamples are kept.
    db : Database, optional
        Where values are read if they are stored.
    memory : int, optional
        Bytes that it may take.
    seconds : float, optional
        What would take longer, as estimated, is refused.
    threads : int, optional
        As many as the machine has cores, if nothing is said.
    progress : bool or callable
        True for a bar (needs tqdm), or a function of what is done and of how much there is.

    Returns
    -------
    Checked

    Raises
    ------
    StatementError
        If the statement cannot be read, or has no value at some position; a `ValueError`.
    LimitError
        If it would take more than is allowed.

    Examples
    --------
    >>> verdict = grundy.check("end-nim", "g == 1 -> abs(first - last) <= 1", length=3, max_pile=64)
    >>> print(verdict)  # doctest: +ELLIPSIS
    fails at 62 of 262,144 positions; 3,971 satisfy the premise
    least counterexample: 1,3,3...
    """
    kept = _given.count("show", show)
    with watched(progress, _total(game, length, max_pile), "position") as hook:
        wanted = _wanted(length, max_pile, memory, seconds, threads, hook)
        told = json.loads(nothing(db)._db.check(game, statement, kept, wanted))
    name = told["game"]
    source = {(True, True): "mixed", (True, False): "table"}.get(
        (told["read"], told["computed"]), "computed"
    )
    least = tuple(
        Counterexample(Position(name, found["position"]), found["value"], dict(found["parts"]))
        for found in told["counterexamples"][:kept]
    )
    return Checked(
        game=name,
        statement=told["statement"],
        verdict="fails" if told["failures"] else "holds",
        checked=told["checked"],
        premise=told["premise"],
        failures=told["failures"],
        counterexamples=least,
        source=source,
        seconds=told["seconds"],
        lengths=(told["lengths"][0], told["lengths"][1]),
        max_pile=told["max_pile"],
    )


def _total(game: GameLike, length: Lengths, max_pile: int | None) -> int:
    """About how many positions a bar goes to; 0 if it is chosen later."""
    if max_pile is None or length is None:
        return 0
    lengths = _wanted(length, max_pile, None, None, None, None)["lengths"] or (1, 1)
    native = nothing(None)._db
    return sum(native.level_of(game, k, max_pile)[1] for k in range(lengths[0], lengths[1] + 1))


class Found(list[Position]):
    """Positions that were found: a list, which a notebook shows as a table.

    Attributes
    ----------
    values : list of int or str
        The Grundy value of each, or its outcome class.
    """

    def __init__(
        self, positions: Iterable[Position] = (), values: Iterable[int | str] = ()
    ) -> None:
        super().__init__(positions)
        self.values = list(values)

    def _repr_html_(self) -> str:
        rows = [[str(p), str(v)] for p, v in zip(self, self.values, strict=True)]
        return _pretty.table("", ["position", "value"], rows)

    def _columns(self) -> dict[str, list[object]]:
        return {"position": [str(p) for p in self], "value": list(self.values)}

    def to_pandas(self) -> pandas.DataFrame:
        """The positions as texts, with their values, in a frame of pandas."""
        import pandas as pd

        return pd.DataFrame(self._columns())

    def to_polars(self) -> polars.DataFrame:
        """The positions as texts, with their values, in a frame of polars."""
        import polars as pl

        return pl.DataFrame(self._columns())


def find(
    game: GameLike,
    predicate: str,
    length: Lengths = None,
    max_pile: int | None = None,
    *,
    first: int | None = 1000,
    db: Database | None = None,
    memory: int | None = None,
    threads: int | None = None,
) -> Found:
    """List the positions that satisfy a predicate, by length and then by piles.

    Parameters
    ----------
    game, predicate, length, max_pile, db, memory, threads
        As `check` has them.
    first : int or None
        At most so many; None for all.

    Returns
    -------
    Found
        A list of `Position`, with their values beside it.

    Examples
    --------
    >>> [str(position) for position in grundy.find("end-nim", "P", length=3, max_pile=2)]
    ['1,2,1', '2,1,2']
    """
    most = 2**63 - 1 if first is None else _given.count("first", first)
    wanted = _wanted(length, max_pile, memory, None, threads, None)
    name = Position(str(game), "1").game
    found = nothing(db)._db.find(game, predicate, most, wanted)
    positions = [Position._of(name, parts) for parts, _, _ in found]
    return Found(positions, [outcome if value is None else value for _, value, outcome in found])


@dataclass(frozen=True)
class Sequence:
    """An integer sequence: a(offset), a(offset + 1), ...

    Attributes
    ----------
    offset : int
        The number of the first term.
    terms : tuple of int
        The terms.
    meaning : str
        What a(n) is.
    """

    offset: int
    terms: tuple[int, ...]
    meaning: str

    def __len__(self) -> int:
        return len(self.terms)

    def __iter__(self) -> Iterator[int]:
        return iter(self.terms)

    @overload
    def __getitem__(self, n: SupportsIndex) -> int: ...

    @overload
    def __getitem__(self, n: slice) -> tuple[int, ...]: ...

    def __getitem__(self, n: SupportsIndex | slice) -> int | tuple[int, ...]:
        """a(n); of ``first:end`` the terms a(first), ..., a(end - 1).

        Raises
        ------
        IndexError
            If it was not computed.
        """
        if isinstance(n, slice):
            end = self.offset + len(self.terms) if n.stop is None else n.stop
            first = self.offset if n.start is None else n.start
            if n.step is not None and n.step < 1:
                raise ValueError(f"terms are cut in steps from 1, not {n.step}")
            return tuple(self[place] for place in range(first, end, n.step or 1))
        place = n.__index__() - self.offset
        if not 0 <= place < len(self.terms):
            last = self.offset + len(self.terms) - 1
            raise IndexError(f"a({n}) was not computed; there is a({self.offset}) to a({last})")
        return self.terms[place]

    def __str__(self) -> str:
        return ", ".join(map(str, self.terms))

    def to_bfile(self) -> str:
        """The sequence as a b-file of the OEIS."""
        lines = [f"# a(n) = {self.meaning}", f"# made by grundy {_grundy.__version__}"]
        lines += [f"{n} {term}" for n, term in enumerate(self.terms, self.offset)]
        return "\n".join(lines) + "\n"

    def _repr_html_(self) -> str:
        shown = ", ".join(map(str, self.terms[:80])) + (", …" if len(self.terms) > 80 else "")
        return _pretty.sentence(f"a(n) = {self.meaning}, n = {self.offset}, …") + _pretty.sentence(
            shown
        )


def sequence(
    game: GameLike,
    predicate: str | None = None,
    length: Lengths = None,
    *,
    row: WordLike | None = None,
    to: int = 32,
    by: str = "max",
    cumulative: bool = False,
    db: Database | None = None,
    memory: int | None = None,
    seconds: float | None = None,
    threads: int | None = None,
) -> Sequence:
    """An integer sequence: how many positions of each size satisfy a predicate, or values.

    Parameters
    ----------
    game : str or Game
        The game's name.
    predicate : str, optional
        Positions that satisfy it are counted. Without one the terms are the values of (w, n).
    length : int or (int, int), optional
        How many piles the positions have that are counted; 2 if nothing is said.
    row : sequence of int or str, optional
        w, without a predicate; nothing for single piles.
    to : int
        The last n.
    by : {"max", "total"}
        n is the largest pile, or the number of coins.
    cumulative : bool
        Count the positions of size up to n.
    db, memory, seconds, threads
        As `check` has them.

    Returns
    -------
    Sequence

    Examples
    --------
    >>> print(grundy.sequence("end-nim", "P", 3, to=6))
    0, 2, 4, 6, 8, 10
    >>> print(grundy.sequence("short-global-nim", to=9))
    0, 1, 1, 2, 3, 3, 2, 4, 5, 5
    """
    native = nothing(db)._db
    last = _given.size("to", to)
    if predicate is None:
        if cumulative or length is not None:
            raise ValueError("length and cumulative are for numbers of positions; say a predicate")
        word = _given.word("row", () if row is None else row)
        offset, values = native.terms(game, word, last)
        piles = ",".join([*map(str, word), "n"])
        return Sequence(offset, tuple(values), f"Grundy value of ({piles}) in {game}")
    if row is not None:
        raise ValueError("a row has no predicate; leave one of the two out")
    if by not in ("max", "total"):
        raise ValueError(f"by is 'max' or 'total', not {by!r}")
    wanted = _wanted(length, None, memory, seconds, threads, None)
    counted, lengths = native.counts(game, predicate, by == "total", last, wanted)
    # The least size there can be: piles of one coin each.
    offset = lengths[0] if by == "total" else 1
    if cumulative:
        sums, total = [], 0
        for term in counted:
            total += term
            sums.append(total)
        counted = sums
    size = "number of coins" if by == "total" else "largest pile"
    least, most = lengths
    numbers = str(least) if least == most else f"{least} to {most}"
    verb = "is at most" if cumulative else "is"
    said = " ".join(predicate.split())
    piles = f"{numbers} piles of which the {size} {verb} n"
    meaning = f"number of positions of {game} with {piles} and {said}"
    return Sequence(offset, tuple(counted[offset:]), meaning)


class Law(NamedTuple):
    """A simple law that holds.

    Attributes
    ----------
    kind : str
        In which way it is a law.
    statement : str
        As `check` reads it.
    checked : int
        Positions it was checked on, all with success.
    constrained : int
        Those of them that it says something about.
    """

    kind: str
    statement: str
    checked: int
    constrained: int


def guess(
    game: GameLike,
    length: int,
    max_pile: int = 16,
    *,
    db: Database | None = None,
    memory: int | None = None,
    seconds: float = 60.0,
    threads: int | None = None,
) -> list[Law]:
    """Look for simple laws of a game's values that hold up to a size.

    They are found in a small sample and checked on the whole range; nothing is proved.

    Parameters
    ----------
    game : str or Game
        The game's name.
    length : int
        How many piles.
    max_pile : int
        The largest pile of the range.
    seconds : float
        After so many it ends with what was found.
    db, memory, threads
        As `check` has them.

    Returns
    -------
    list of Law
        The strongest first.

    Examples
    --------
    >>> grundy.guess("end-nim", 2, 16)[0].statement
    'g == xor(piles)'
    """
    wanted = _wanted(length, max_pile, memory, seconds, threads, None)
    piles, most = _given.size("length", length), _given.size("max_pile", max_pile)
    found, _ = nothing(db)._db.guess(game, piles, most, wanted)
    return [Law(*law) for law in found]
