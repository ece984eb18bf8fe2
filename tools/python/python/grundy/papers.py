"""The statements of the papers, and the periods of rows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _given, _grundy, _pretty
from ._progress import Progress, watched
from .database import MEMORY, Database, nothing
from .errors import SizeError
from .positions import GameLike, WordLike

if TYPE_CHECKING:
    import pandas
    import polars


@dataclass(frozen=True)
class Claim:
    """A statement of a paper, as something to check.

    Attributes
    ----------
    id : str
        What it is called, as in ``ch.thm5.4``.
    paper, number : str
        Where it stands.
    statement : str
        What it says, in plain words.
    reading : str or None
        How it was read, where the print leaves a choice or says something else.
    games : tuple of str
        The games it speaks about.
    unit : str
        What is counted.
    premise : str or None
        The premise, if it is an implication.
    status : str
        ``theorem``, ``remark``, ``conjecture``, ``observation``, or ``our reading``.
    expected : str
        ``holds`` or ``fails``: what was known when it was entered.
    """

    id: str
    paper: str
    number: str
    statement: str
    reading: str | None
    games: tuple[str, ...]
    unit: str
    premise: str | None
    status: str
    expected: str


class _Records(list[Any]):
    """A list of records that pandas and polars take."""

    def _columns(self) -> dict[str, list[object]]:
        if not self:
            return {}
        names = [name for name in vars(self[0]) if not name.startswith("_")]
        return {name: [_plain(getattr(record, name)) for record in self] for name in names}

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each, in a frame of pandas."""
        import pandas as pd

        return pd.DataFrame(self._columns())

    def to_polars(self) -> polars.DataFrame:
        """A row for each, in a frame of polars."""
        import polars as pl

        return pl.DataFrame(self._columns())


def _plain(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else value


class Claims(_Records):
    """Claims: a list of `Claim`."""

    def _repr_html_(self) -> str:
        rows = [[c.id, c.number, c.statement, c.status, c.expected] for c in self]
        return _pretty.table("", ["claim", "", "statement", "status", "expected"], rows)


@dataclass(frozen=True)
class Verdict:
    """What came of checking a claim.

    Attributes
    ----------
    claim : str
        The claim's id.
    verdict, expected : str
        ``holds`` or ``fails``.
    checked, failures : int
        How many cases were checked, and how many of them fail, in the claim's `unit`.
    premise : int or None
        In how many of them the premise is true.
    undecided : int
        Cases that were left open.
    first : str or None
        The least counterexample, in words.
    range : str
        What was covered, in words.
    source : str
        ``table``, ``computed`` or ``mixed``.
    seconds : float
        Wall time; sweeps serve several claims.
    certificate : bytes or None
        The proof, if there is one to be checked again (`check_certificate`).

    Notes
    -----
    True in a condition if the claim holds.
    """

    claim: str
    verdict: str
    expected: str
    status: str
    unit: str
    checked: int
    premise: int | None
    failures: int
    undecided: int
    first: str | None
    range: str
    seconds: float
    source: str
    certificate: bytes | None = field(default=None, repr=False)

    @classmethod
    def _of(cls, told: dict[str, Any], certificate: bytes | None) -> Verdict:
        told = dict(told)
        told.pop("complete")
        first = told.pop("first")
        if first is not None:
            place = first["game"] + (f" {first['position']}" if first["position"] else "")
            first = f"{place}: {first['found']}"
        return cls(first=first, certificate=certificate, **told)

    @property
    def holds(self) -> bool:
        """Whether there is no counterexample."""
        return self.verdict == "holds"

    @property
    def is_surprise(self) -> bool:
        """Whether the verdict is another than expected."""
        return self.verdict != self.expected

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        text = (
            f"{self.claim} {self.verdict}: {self.failures:,} of {self.checked:,} {self.unit} fail"
        )
        return text if self.first is None else f"{text}; least counterexample: {self.first}"

    def _cells(self) -> list[str]:
        remark = "unexpected" if self.is_surprise else ""
        counts = [f"{self.checked:,}", f"{self.failures:,}", self.unit]
        return [self.claim, self.verdict, remark, *counts, self.first or "", self.range]

    def _repr_html_(self) -> str:
        return _pretty.table("", _HEAD, [self._cells()])

    def _repr_latex_(self) -> str:
        return _pretty.latex_table(_HEAD, [self._cells()])


_HEAD = ["claim", "verdict", "", "checked", "failures", "unit", "least counterexample", "range"]


class Verdicts(_Records):
    """Verdicts: a list of `Verdict`."""

    def _repr_html_(self) -> str:
        rows = [verdict._cells() for verdict in self]
        strong = {number for number, verdict in enumerate(self) if verdict.is_surprise}
        return _pretty.table("", _HEAD, rows, strong)

    def _repr_latex_(self) -> str:
        return _pretty.latex_table(_HEAD, [verdict._cells() for verdict in self])


def _names(given: str | Iterable[str]) -> list[str]:
    return [given] if isinstance(given, str) else [str(name) for name in given]


def claims(*names: str | Iterable[str]) -> Claims:
    """The statements of the papers that can be checked.

    Parameters
    ----------
    *names : str or iterable of str
        Ids, or the beginning of those of a paper, as in ``ch.``; all if nothing is said.

    Returns
    -------
    Claims
        A list of `Claim`.

    Raises
    ------
    ClaimError
        If there is none; a `ValueError`.

    Examples
    --------
    >>> grundy.claims("ch.thm5.1")[0].number
    'Theorem 5.1'
    """
    told = json.loads(_grundy.claims([name for given in names for name in _names(given)]))
    return Claims(
        Claim(id=claim.pop("claim"), **{**claim, "games": tuple(claim["games"])}) for claim in told
    )


def diff(
    names: str | Iterable[str] = (),
    *,
    games: str | Iterable[str] = (),
    max_pile: int | None = None,
    length: int | None = None,
    to: int | None = None,
    db: Database | None = None,
    memory: int | None = None,
    seconds: float = 600.0,
    threads: int | None = None,
    progress: Progress = False,
) -> Verdicts:
    """Check statements of the papers.

    Parameters
    ----------
    names : str or iterable of str
        Ids, or the beginning of those of a paper, as in ``ch.``; all claims if nothing is said.
    games : str or iterable of str
        Only for these games.
    max_pile, length, to : int, optional
        How far: the largest pile, the number of piles, the last column or number. What is left out
        is the claim's own.
    db : Database, optional
        Where values are read if they are stored.
    memory : int, optional
        Bytes that it may take.
    seconds : float
        What would take longer, as estimated, is refused.
    threads : int, optional
        As many as the machine has cores, if nothing is said.
    progress : bool or callable
        True for a bar (needs tqdm), or a function of what is done and of how much there is.

    Returns
    -------
    Verdicts
        A list of `Verdict`.

    Raises
    ------
    ClaimError, SizeError, GameError
        If there is no such claim, range or game. All are `ValueError`.
    LimitError
        If it would take more than is allowed.

    Examples
    --------
    >>> [verdict.verdict for verdict in grundy.diff("ch.thm5.1", max_pile=12)]
    ['holds']
    """
    sizes = {"max_pile": max_pile, "length": length, "to": to}
    max_pile, length, to = (_given.size_or_none(name, size) for name, size in sizes.items())
    memory, wanted = _given.memory_or_none(memory), _given.threads_or_none(threads)
    longest = _given.seconds(seconds)
    with watched(progress, 0, "value") as hook:
        told = nothing(db)._db.diff(
            _names(names), _names(games), max_pile, length, to, memory, longest, wanted, hook
        )
    return Verdicts(Verdict._of(json.loads(text), proof) for text, proof in told)


def conjecture34(
    to: int = 500,
    *,
    memory: int | None = None,
    seconds: float = 600.0,
    threads: int | None = None,
    progress: Progress = False,
) -> Verdict:
    """Prove the triangular-number conjecture of long global nim for n up to a bound.

    The verdict carries a certificate, which `check_certificate` checks with code that shares
    nothing with the search.

    Parameters
    ----------
    to : int
        The last n.
    memory, seconds, threads, progress
        As `diff` has them.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> verdict = grundy.conjecture34(100)
    >>> verdict.holds, grundy.check_certificate(verdict.certificate).bound
    (True, 100)
    """
    terms: dict[str, Any] = {"memory": memory, "seconds": seconds, "threads": threads}
    return diff("lgn.conj34", to=to, progress=progress, **terms)[0]  # type: ignore[no-any-return]


class Certificate(NamedTuple):
    """What a certificate proves.

    Attributes
    ----------
    bound : int
        It speaks of n = 1 to this.
    first_gap : int or None
        The least of those that it does not prove; None if it proves all.
    families : int
        How many families of positions it is made of.
    """

    bound: int
    first_gap: int | None
    families: int


def check_certificate(
    certificate: bytes | str | os.PathLike[str], memory: int = MEMORY
) -> Certificate:
    """Check a certificate of the triangular-number conjecture.

    Parameters
    ----------
    certificate : bytes or path
        The certificate, or its file.
    memory : int
        Bytes that it may take.

    Returns
    -------
    Certificate

    Raises
    ------
    DamagedError
        If it proves nothing.
    MissingError
        If there is no such file.
    LimitError
        If checking it would take more memory than is allowed.
    """
    allowed = _given.size_in_bytes("memory", memory)
    return Certificate(*_grundy.check_certificate(certificate, allowed))


@dataclass(frozen=True)
class Row:
    """A row b -> G(a w b), and its period.

    Attributes
    ----------
    game : str
        The game's name.
    left : int
        a.
    middle : tuple of int
        w.
    preperiod, period, saltus : int or None
        From column preperiod + 1 on, each value is that of one period earlier plus the saltus. None
        if no period was found.
    proved : bool
        Whether it is proved for all b, or only seen.
    values : ndarray of uint32
        G for b = 1, 2, ..., as far as it was computed.
    """

    game: str
    left: int
    middle: tuple[int, ...]
    preperiod: int | None
    period: int | None
    saltus: int | None
    proved: bool
    values: NDArray[np.uint32] = field(repr=False, compare=False)

    def value(self, b: int) -> int:
        """G(a w b), computed or by the proved period.

        Raises
        ------
        SizeError
            If neither reaches b.
        """
        b = _given.whole("b", b)
        if 1 <= b <= len(self.values):
            return int(self.values[b - 1])
        if b < 1 or self.period is None or not self.proved:
            raise SizeError(f"the row is known for b from 1 to {len(self.values)}, not for {b}")
        assert self.preperiod is not None and self.saltus is not None
        turns = (b - self.preperiod - 1) // self.period
        return int(self.values[b - turns * self.period - 1]) + turns * self.saltus

    @property
    def _name(self) -> str:
        return ",".join(map(str, (self.left, *self.middle))) + ",b"

    def _cells(self) -> list[str]:
        if self.period is None:
            return [self._name, "-", "-", "-", "none found"]
        numbers = [str(self.preperiod), str(self.period), str(self.saltus)]
        return [self._name, *numbers, "proved" if self.proved else "observed"]

    def _repr_html_(self) -> str:
        return _pretty.table("", _ROW_HEAD, [self._cells()])


_ROW_HEAD = ["row", "preperiod", "period", "saltus", ""]


class Rows(_Records):
    """Rows with their periods: a list of `Row`."""

    def _repr_html_(self) -> str:
        return _pretty.table("", _ROW_HEAD, [row._cells() for row in self])

    def _repr_latex_(self) -> str:
        return _pretty.latex_table(_ROW_HEAD, [row._cells() for row in self])

    def _columns(self) -> dict[str, list[object]]:
        columns = super()._columns()
        columns.pop("values", None)
        return columns


def periods(
    game: GameLike,
    left: int,
    middle: WordLike = (),
    *,
    to: int = 100_000,
    memory: int = MEMORY,
) -> Rows:
    """The periods of the rows b -> G(a w b) for a = 1, 2, ..., `left`.

    Parameters
    ----------
    game : str
        A game whose rows follow from their two ends.
    left : int
        The last a.
    middle : sequence of int or str
        w, the piles between a and b.
    to : int
        The last b that is computed for a row whose period is not proved before.
    memory : int
        Bytes that it may take.

    Returns
    -------
    Rows
        A list of `Row`.

    Raises
    ------
    GameError, SizeError, LimitError
        If the game has no such rows, a number is out of range, or it takes too much.

    Examples
    --------
    >>> row = grundy.periods("end-nim", 3, (2,))[-1]
    >>> row.proved, row.period, row.value(10**9) == row.value(10**9 - row.period) + row.saltus
    (True, 4, True)
    """
    word, last = _given.word("middle", middle), _given.size("left", left)
    allowed = _given.size_in_bytes("memory", memory)
    rows = _grundy.periods(game, last, word, _given.size("to", to), True, allowed)
    made = Rows()
    for a, found, values in rows:
        preperiod, period, saltus, proved = found or (None, None, None, False)
        made.append(Row(str(game), a, word, preperiod, period, saltus, proved, values))
    return made
