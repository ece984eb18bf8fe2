"""Your own statements, checked on every position up to a size, and a search for statements.

Statements are written as on the command line (docs/LANGUAGE.md).
"""

from __future__ import annotations

import json
from collections import abc
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any, Literal, NamedTuple, SupportsIndex, overload

from . import _given, _grundy, _pretty
from ._progress import Progress, watched
from ._records import Framed, FramedRecords, Shown
from .database import SECONDS, Database, nothing
from .positions import GameLike, Position, WordLike, game_named

#: A length, or the first and the last length of a range.
Lengths = int | tuple[int, int] | range | None


class Counterexample(NamedTuple):
    """A position at which a statement is false.

    Attributes:
        value: The Grundy value, or the outcome class.
        parts: The value of each name in the statement, at this position.
    """

    position: Position
    value: int | str
    parts: dict[str, str]

    def _cells(self) -> list[str]:
        parts = ", ".join(f"{name} = {value}" for name, value in self.parts.items())
        return [str(self.position), str(self.value), parts]

    def __str__(self) -> str:
        position, _, parts = self._cells()
        return f"{position}   {parts}".rstrip()


class SizesProof(NamedTuple):
    """Why a statement holds for piles of all sizes (docs/PROVING.md).

    Attributes:
        cap: The statement compares piles by differences below the cap,
        modulus: and by remainders modulo this number.
        box: The statement holds with piles up to the box, and so with piles of all sizes.
        certificate: The proof; ``grundy verify --certificate`` checks its file. None if the
            statement names no value, or another game.
    """

    cap: int
    modulus: int
    box: int
    certificate: bytes | None


@dataclass(frozen=True)
class Checked(Shown):
    """The result of checking a statement. As a condition it is true if the statement holds.

    Attributes:
        statement: The statement.
        verdict: ``holds`` or ``fails``; with ``all_sizes=True`` also ``undecided``.
        checked: The number of positions checked.
        premise: The number of positions with a true premise; None if there is no premise.
        failures: The number of positions at which the statement is false.
        counterexamples: The least counterexamples, ordered by the number of coins and then by the
            piles.
        source: The origin of the values: ``table``, ``computed`` or ``mixed``.
        seconds: Wall time.
        lengths: The first and the last number of piles.
        positions: ``beginning`` if only positions at the beginning of play were checked.
        sets: The number of moves, if only sets with this number of moves were checked.
        proof: The proof for piles of all sizes, if there is one.
        reason: Why nothing was proved, if the verdict is ``undecided``.
        within: What is at most `max_pile`: ``largest pile`` or ``total``.
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
    positions: str | None = None
    sets: int | None = None
    proof: SizesProof | None = None
    reason: str | None = None
    within: str = "largest pile"

    @property
    def holds(self) -> bool:
        """True if the statement holds at every checked position, and is not undecided."""
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
            premise = "; it is vacuous: none satisfies the premise"
        elif self.premise is not None:
            premise = f"; {self.premise:,} satisfy the premise"
        if self.verdict == "undecided":
            return f"undecided for piles of all sizes: {self.reason}"
        if self.proof is not None:
            return f"holds for piles of all sizes, proved by {self.checked:,} positions{premise}"
        if self.holds:
            return f"holds at {self.checked:,} positions{premise}"
        return f"fails at {self.failures:,} of {self.checked:,} positions{premise}"

    def _range(self) -> str:
        first, last = self.lengths
        length = f"length {first}" if first == last else f"lengths {first} to {last}"
        which = ", at the beginning of play" if self.positions else ""
        if self.sets is not None:
            which = f", sets of {self.sets} move{'' if self.sets == 1 else 's'}"
        size = "total" if self.within == "total" else "piles"
        return f"{self.game}: {size} <= {self.max_pile}, {length}{which}"

    def __str__(self) -> str:
        lines = [self._sentence()]
        if self.first is not None:
            lines.append(f"least counterexample: {self.first}")
        source = "partly from tables" if self.source == "mixed" else self.source
        lines.append(f"{self._range()}; {source} in {self.seconds:.2f} seconds")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<{self.statement!r} {self._sentence()}>"

    @property
    def _head(self) -> abc.Sequence[str]:  # type: ignore[override]
        return ["least counterexamples", "value", ""] if self.counterexamples else []

    def _lines(self) -> list[list[str]]:
        return [found._cells() for found in self.counterexamples]

    def _said(self) -> str:
        return f"{self.statement}: {self._sentence()} ({self._range()})"

    def _title(self) -> str:
        return f"{'✓' if self.holds else '✗'} {self._said()}"

    def _repr_latex_(self) -> str:
        said = _pretty.latex_text(self._said())
        if not self.counterexamples:
            return f"${said}$"
        table = super()._repr_latex_().strip("$")
        return rf"$\begin{{array}}{{l}}{said} \\ {table}\end{{array}}$"


def _read_lengths(length: Lengths) -> tuple[int, int] | None:
    if length is None:
        return None
    if isinstance(length, range) and (len(length) == 0 or length.step != 1):
        raise ValueError(f"{length} is not a range of lengths; write a range as in (1, 4)")
    if isinstance(length, str) or (isinstance(length, tuple) and len(length) != 2):
        raise ValueError(f"length is a number, or a range as in (1, 4); not {_given.shown(length)}")
    ends = (length[0], length[-1]) if isinstance(length, tuple | range) else (length, length)
    first, last = (_given.size("length", end) for end in ends)
    if first > last:
        raise ValueError(f"there are no lengths from {first} to {last}")
    return first, last


def _wanted(
    length: Lengths,
    sizes: tuple[object, object],
    memory: object,
    seconds: float,
    threads: object,
    positions: str | None = None,
    sets: int | None = None,
    games: Iterable[GameLike] = (),
) -> _grundy.Wanted:
    return {
        "lengths": _read_lengths(length),
        "max_pile": _given.size_or_none("max_pile", sizes[0]),
        "max_total": _given.size_or_none("max_total", sizes[1]),
        "positions": None if positions is None else _given.text("positions", positions),
        "sets": None if sets is None else _given.whole("sets", sets, 0, _given.MOST),
        "games": list(games),
        "memory": _given.memory_or_none(memory),
        "seconds": _given.seconds(seconds),
        "threads": _given.size_or_none("threads", threads),
        "hook": None,
    }


def check(
    game: GameLike,
    statement: str,
    length: Lengths = None,
    max_pile: int | None = None,
    *,
    max_total: int | None = None,
    show: int = 5,
    all_sizes: bool = False,
    positions: Literal["beginning"] | None = None,
    sets: int | None = None,
    games: Iterable[GameLike] = (),
    db: Database | None = None,
    memory: int | None = None,
    seconds: float = SECONDS,
    threads: int | None = None,
    progress: Progress = False,
) -> Checked:
    """Check your own statement on all positions of a range.

    Args:
        statement: A statement as in docs/LANGUAGE.md: ``"g == 0 -> first == last"``.
        length: The number of piles, or the first and the last number of a range. The default is 1
            to 4; if the statement names piles as p1, p2, ..., it is the largest of these numbers.
        max_pile: The largest pile; by default a check takes about a second.
        max_total: The largest number of coins, in a game with ``within: total``. There `max_pile`
            means the same.
        show: The number of counterexamples to keep, least first.
        all_sizes: Prove the statement for one length and piles of all sizes. `max_pile` then
            limits the boxes that are tried.
        positions: ``beginning`` for the positions at the beginning of play, of a game that
            remembers the last move or a set of moves. By default all positions are checked.
        sets: In a game that remembers a set of moves, the number of moves in each set.
        games: Other games that the statement names by their names, as in ``g[b]``; mostly paths of
            rule files. A path in the brackets, as in ``g[./b.game]``, needs no argument.

    Raises:
        StatementError: If the statement is invalid, or has no value at some position; a
            `ValueError`.
        LimitError: If the check would exceed the limit of memory or time.

    Examples:
        >>> statement = "g == 1 -> abs(first - last) <= 1"
        >>> print(grundy.check("end-nim", statement, length=3, max_pile=64))  # doctest: +ELLIPSIS
        fails at 62 of 262,144 positions; 3,971 satisfy the premise
        least counterexample: 1,3,3...

        Theorem 5.1 of Cairns and Ho implies this for piles of all sizes:

        >>> proved = grundy.check("end-nim", "g == 1 -> abs(first - last) <= 2", 3, all_sizes=True)
        >>> proved.verdict, proved.checked, proved.proof[:3]
        ('holds', 5832, (3, 2, 18))

        ``g[nim]`` is the value of the same piles in Nim: End-Nim with two piles is Nim.

        >>> grundy.check("end-nim", "g == g[nim]", length=2, max_pile=64).holds
        True

        Theorem 24 of the paper on global nim is about sets of two moves.

        >>> said = "N <-> sum(moves) > first"
        >>> checked = grundy.check("long-global-nim", said, length=1, max_pile=9, sets=2)
        >>> print(checked)  # doctest: +ELLIPSIS
        holds at 120 positions
        long-global-nim: piles <= 9, length 1, sets of 2 moves; ...
    """
    kept = _given.whole("show", show, 0, _given.MOST)
    sizes = max_pile, max_total
    size = max_pile if max_total is None else max_total
    with watched(progress, _total(game, length, size), "position") as hook:
        wanted = _wanted(length, sizes, memory, seconds, threads, positions, sets, games)
        wanted["hook"] = hook
        text = _given.text("statement", statement)
        native = nothing(db)._db
        if all_sizes:
            found, certificate = native.check_all_sizes(game, text, kept, wanted)
            told = json.loads(found)
            if told["proof"] is not None:
                cap, modulus, box = told["proof"]
                told["proof"] = SizesProof(cap, modulus, box, certificate)
        else:
            told = json.loads(native.check(game, text, kept, wanted))
    del told["complete"]
    least = (
        Counterexample(Position(told["game"], one["position"]), one["value"], dict(one["parts"]))
        for one in told.pop("counterexamples")[:kept]
    )
    return Checked(
        counterexamples=tuple(least),
        lengths=tuple(told.pop("lengths")),
        within=game_named(game).within,
        **told,
    )


def _total(game: GameLike, length: Lengths, max_pile: int | None) -> int:
    """Return the approximate number of positions, for a progress bar; 0 if it is unknown."""
    lengths, most = _read_lengths(length), _given.size_or_none("max_pile", max_pile)
    if most is None or lengths is None:
        return 0
    native = nothing(None)._db
    return sum(native.level_of(game, k, most)[1] for k in range(lengths[0], lengths[1] + 1))


class Found(Shown, Framed, list[Position]):
    """Positions that satisfy a predicate: a list, which a notebook shows as a table.

    A frame has the columns of ``grundy find --csv``: a column for each pile, a column for the last
    move or the remaining moves, and the value ``g`` or the class ``outcome``.

    Attributes:
        values: The Grundy values or outcome classes.
        complete: True if the list contains all positions; False if it was cut at `first`.
    """

    _head = ("position", "value")

    def __init__(
        self,
        positions: Iterable[Position] = (),
        values: Iterable[int | str] = (),
        count: Callable[[], int] | None = None,
    ) -> None:
        super().__init__(positions)
        self.values = list(values)
        self.complete = count is None
        self._count = count

    @property
    def total(self) -> int:
        """The number of all positions that satisfy the predicate, counted at the first use."""
        if self._count is None:
            return len(self.values)
        total = self._count()
        self._count = partial(int, total)
        return total

    def __reduce__(self) -> tuple[Any, ...]:
        # Count before pickling, because counting needs the database.
        count = None if self.complete else partial(int, self.total)
        return Found, (list(self), self.values, count)

    def _title(self) -> str:
        first = f"The first {len(self.values):,} positions; there may be more"
        return "" if self.complete else first

    def _lines(self) -> list[list[str]]:
        return [[str(p), str(v)] for p, v in zip(self, self.values, strict=True)]

    def _columns(self) -> dict[str, list[object]]:
        most = max(map(len, self), default=0)
        piles = [[*p, *[None] * (most - len(p))] for p in self]
        columns = {f"p{at + 1}": [row[at] for row in piles] for at in range(most)}
        for name in self[0].memory if len(self) else ():
            columns["k" if name == "last_move" else name] = [p.memory.get(name) for p in self]
        if any(p.moves_left is not None for p in self):
            columns["moves"] = [" ".join(map(str, sorted(p.moves_left or ()))) for p in self]
        kind = "outcome" if self.values and isinstance(self.values[0], str) else "g"
        return {**columns, kind: list(self.values)}


def find(
    game: GameLike,
    predicate: str,
    length: Lengths = None,
    max_pile: int | None = None,
    *,
    max_total: int | None = None,
    first: int | None = None,
    positions: Literal["beginning"] | None = None,
    sets: int | None = None,
    games: Iterable[GameLike] = (),
    db: Database | None = None,
    memory: int | None = None,
    seconds: float = SECONDS,
    threads: int | None = None,
) -> Found:
    """List the positions that satisfy a predicate, by length and then by piles.

    The predicate is a statement. The other arguments have the same meaning as for `check`.

    Args:
        first: The largest number of positions to list; by default all are listed. `complete` is
            False if the list was cut.
        seconds: The limit of the estimated time; a search with `first` has no limit.

    Raises:
        LimitError: If the positions do not fit into `memory`. A position takes about a kilobyte.

    Examples:
        >>> [str(position) for position in grundy.find("end-nim", "P", length=3, max_pile=2)]
        ['1,2,1', '2,1,2']
        >>> found = grundy.find("end-nim", "P", length=3, max_pile=64, first=10)
        >>> len(found), found.complete, found.total
        (10, False, 4032)
    """
    most = None if first is None else _given.whole("first", first, 0, _given.MOST)
    sizes = max_pile, max_total
    wanted = _wanted(length, sizes, memory, seconds, threads, positions, sets, games)
    name = game_named(game).name
    opened = nothing(db)
    found, complete = opened._db.find(game, _given.text("predicate", predicate), most, wanted)

    def count() -> int:
        told = json.loads(opened._db.check(game, predicate, 1, wanted))
        return int(told["checked"] - told["failures"])

    matches = [Position._of(name, parts) for parts, _, _ in found]
    values = [outcome if value is None else value for _, value, outcome in found]
    return Found(matches, values, None if complete else count)


@dataclass(frozen=True)
class Totals:
    """A number added up over the positions that satisfy a predicate.

    Attributes:
        count: The number of positions.
        max: The largest number; None if there are no positions.
        position: The first position with the largest number.
    """

    count: int
    sum: int
    max: int | None
    position: Position | None


def totals(
    game: GameLike,
    predicate: str,
    number: str,
    length: Lengths = None,
    max_pile: int | None = None,
    *,
    max_total: int | None = None,
    positions: Literal["beginning"] | None = None,
    sets: int | None = None,
    games: Iterable[GameLike] = (),
    db: Database | None = None,
    memory: int | None = None,
    seconds: float = SECONDS,
    threads: int | None = None,
) -> Totals:
    """Add up a number over the positions that satisfy a predicate.

    The number is an expression, as in ``total`` or ``last - first``. The other arguments have the
    same meaning as for `find`.

    Examples:
        >>> found = grundy.totals("nim", "P", "total", length=2, max_pile=3)
        >>> found.count, found.sum, found.max, str(found.position)
        (3, 12, 6, '3,3')
    """
    sizes = max_pile, max_total
    wanted = _wanted(length, sizes, memory, seconds, threads, positions, sets, games)
    name, condition = game_named(game).name, _given.text("predicate", predicate)
    number = _given.text("number", number)
    count, sum_, largest = nothing(db)._db.totals(game, condition, number, wanted)
    most, parts = largest or (None, None)
    return Totals(count, sum_, most, None if parts is None else Position._of(name, parts))


@dataclass(frozen=True)
class Sequence:
    """An integer sequence: a(offset), a(offset + 1), ...

    Attributes:
        offset: The index n of the first term.
        meaning: The meaning of a(n), in words.
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
        """Return a(n); for ``first:end`` the terms a(first), ..., a(end - 1).

        Raises:
            IndexError: If the term was not computed.
        """
        if isinstance(n, slice):
            end = self.offset + len(self.terms) if n.stop is None else n.stop
            first = self.offset if n.start is None else n.start
            if n.step is not None and n.step < 1:
                raise ValueError(f"a slice of terms has a step of at least 1, not {n.step}")
            return tuple(self[place] for place in range(first, end, n.step or 1))
        place = n.__index__() - self.offset
        if not 0 <= place < len(self.terms):
            last = self.offset + len(self.terms) - 1
            raise IndexError(f"a({n}) was not computed; a({self.offset}) to a({last}) are")
        return self.terms[place]

    def __str__(self) -> str:
        return ", ".join(map(str, self.terms))

    def to_bfile(self) -> str:
        """Return the sequence as a b-file of the OEIS."""
        lines = [f"# a(n) = {self.meaning}", f"# made by grundy {_grundy.__version__}"]
        lines += [f"{n} {term}" for n, term in enumerate(self.terms, self.offset)]
        return "\n".join(lines) + "\n"

    def _repr_html_(self) -> str:
        shown = ", ".join(map(str, self.terms[:80])) + (", …" if len(self.terms) > 80 else "")
        said = f"a(n) = {self.meaning}, n = {self.offset}, …"
        return _pretty.sentence(said) + _pretty.sentence(shown)


def sequence(
    game: GameLike,
    predicate: str | None = None,
    length: Lengths | Literal["all"] = None,
    *,
    row: WordLike | None = None,
    to: int = 32,
    by: str = "max",
    cumulative: bool = False,
    positions: Literal["beginning"] | None = None,
    sets: int | None = None,
    games: Iterable[GameLike] = (),
    db: Database | None = None,
    memory: int | None = None,
    seconds: float = SECONDS,
    threads: int | None = None,
) -> Sequence:
    """Return an integer sequence: values, or numbers of positions that satisfy a predicate.

    Args:
        predicate: The condition on the positions to count. Without a predicate the terms are the
            values of (w, n), where w is `row`.
        length: The number of piles of the positions to count, or the first and the last number of a
            range. With ``by="total"`` it may also be ``"all"``. The default is 2, or the nearest
            number that the game allows.
        row: The piles w, if there is no predicate. If it is empty, the terms are the values of
            single piles.
        to: The last n.
        by: The meaning of n: the largest pile ("max"), or the number of coins ("total").
        cumulative: Count the positions of size at most n.
        positions: As for `check`; with `sets` it chooses the positions to count.

    Raises:
        StatementError: If the predicate is invalid; a `ValueError`.
        ValueError: If arguments exclude each other.
        LimitError: If the computation would exceed the limit of memory or time.

    Examples:
        >>> print(grundy.sequence("end-nim", "P", 3, to=6))
        0, 2, 4, 6, 8, 10
        >>> print(grundy.sequence("short-global-nim", to=9))
        0, 1, 1, 2, 3, 3, 2, 4, 5, 5
        >>> print(grundy.sequence("end-nim", "P", "all", by="total", to=5))
        0, 1, 0, 3, 2
    """
    native = nothing(db)._db
    last = _given.size("to", to)
    if predicate is None:
        if cumulative or length is not None:
            raise ValueError("length and cumulative are for counting positions; give a predicate")
        word = _given.word("row", () if row is None else row)
        offset, values = native.terms(game, word, last)
        piles = ",".join([*map(str, word), "n"])
        return Sequence(offset, tuple(values), f"Grundy value of ({piles}) in {game}")
    if row is not None:
        raise ValueError("row and a predicate exclude each other; leave out one of them")
    if by not in ("max", "total"):
        raise ValueError(f"by must be 'max' or 'total', not {_given.shown(by)}")
    is_all = length == "all"
    if length == "all":
        if by != "total":
            raise ValueError('length="all" needs by="total"; or give numbers, as in length=(1, 4)')
        length = None
    wanted = _wanted(length, (None, None), memory, seconds, threads, positions, sets, games)
    counted, lengths, offset = native.counts(game, predicate, "all" if is_all else by, last, wanted)
    if cumulative:
        counted = list(accumulate(counted))
    least, most = lengths
    numbers = "any number of" if is_all else str(least) if least == most else f"{least} to {most}"
    n = "at most n coins" if cumulative else "n coins"
    size = f"{n} in all" if by == "total" else f"the largest of {n}"
    said = " ".join(predicate.split())
    meaning = f"number of positions of {game} with {numbers} piles, {size}, that satisfy {said}"
    return Sequence(offset, tuple(counted[offset:]), meaning)


class Law(NamedTuple):
    """A simple law that holds.

    Attributes:
        kind: The kind of law.
        statement: The statement, as for `check`.
        checked: The number of checked positions. The law holds at all of them.
        constrained: The number of checked positions at which the premise of the statement is true.
        tried_to: The largest pile for which the law was tested and holds; it may exceed the
            range.
    """

    kind: str
    statement: str
    checked: int
    constrained: int
    tried_to: int

    def _cells(self) -> list[str]:
        return [self.statement, self.kind, f"{self.constrained:,}", str(self.tried_to)]


class Laws(FramedRecords[Law]):
    """The laws that were found, the strongest first.

    Attributes:
        complete: True if all statements were tested; False if the time ran out.
    """

    _head = ("law", "kind", "positions", "tried to")

    def __init__(self, laws: Iterable[Law] = (), complete: bool = True) -> None:
        super().__init__(laws)
        self.complete = complete


def guess(
    game: GameLike,
    length: int,
    max_pile: int | None = None,
    *,
    max_total: int | None = None,
    db: Database | None = None,
    memory: int | None = None,
    seconds: float = SECONDS,
    threads: int | None = None,
) -> Laws:
    """Search for simple laws of a game's values that hold up to a size, the strongest first.

    Laws are found in a small sample, checked on the whole range, and briefly tested on larger
    piles. Nothing is proved. When the time is over, the search returns the laws found so far;
    `complete` is then False. The default range has some millions of positions, with piles up to
    1024.

    Args:
        seconds: The time after which the search ends.

    Raises:
        SizeError: If a number is out of range; a `ValueError`.
        LimitError: If the time is over before a law is found.

    Examples:
        >>> grundy.guess("end-nim", 2, 16)[0].statement
        'g == xor(piles)'
    """
    sizes = max_pile, max_total
    wanted = _wanted(length, sizes, memory, seconds, threads)
    found, complete = nothing(db)._db.guess(game, _given.size("length", length), wanted)
    return Laws((Law(*law) for law in found), complete)
