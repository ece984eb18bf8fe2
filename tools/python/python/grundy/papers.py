"""The claims of the papers, and the periods of rows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _given, _grundy
from ._progress import Progress, watched
from ._records import FramedRecords, Shown
from .database import MEMORY, SECONDS, Database, nothing
from .errors import SizeError
from .positions import GameLike, WordLike


class Statement(NamedTuple):
    """A statement of a claim in the language.

    Attributes:
        games: The games that the statement is about.
        statement: The statement, which `grundy.check` accepts.
    """

    games: tuple[str, ...]
    statement: str


@dataclass(frozen=True)
class Claim:
    """A claim of a paper that can be checked.

    Attributes:
        id: The name, as in ``ch.thm5.4``.
        number: The number in the paper.
        reading: Our reading of the statement, if the printed statement is ambiguous or differs from
            it; else None.
        games: The games that the claim concerns.
        checks: The statements in the language, each with its games; empty if the language cannot
            say the claim.
        unit: The kind of the counted cases, such as ``positions``.
        premise: The premise, if the claim is an implication; else None.
        status: ``theorem``, ``remark``, ``conjecture``, ``observation``, or ``our reading``.
        expected: The verdict that was known when the claim was added: ``holds`` or ``fails``.
        flaw: ``misprint``, ``false`` or ``depends on the convention`` if the claim is known to
            fail; else None.
        corrected: The corrected statement, for a misprint; else None.
    """

    id: str
    paper: str
    number: str
    statement: str
    reading: str | None
    games: tuple[str, ...]
    checks: tuple[Statement, ...]
    unit: str
    premise: str | None
    status: str
    expected: str
    flaw: str | None = None
    corrected: str | None = None

    def _cells(self) -> list[str]:
        return [self.id, self.number, self.statement, self.status, self.expected]


class Claims(FramedRecords[Claim]):
    """Claims: a list of `Claim`."""

    _head = ("claim", "", "statement", "status", "expected")


@dataclass(frozen=True)
class Verdict(Shown):
    """The result of checking a claim. As a condition it is true if the claim holds.

    Attributes:
        claim: The claim's id.
        verdict: ``holds`` or ``fails``.
        expected: The verdict that was known before this check.
        checked: The number of cases checked.
        premise: The number of cases with a true premise; None if there is no premise.
        failures: The number of cases that fail.
        undecided: The number of cases that the check could not decide.
        first: The least counterexample, in words, or None.
        range: The range that was covered, in words.
        seconds: Seconds that the check took; one sweep may check several claims.
        source: ``table``, ``computed`` or ``mixed``.
        certificate: A proof that `check_certificate` can check, or None.
        flaw: ``misprint``, ``false`` or ``depends on the convention`` if the claim is known to
            fail; else None.
        corrected: The corrected statement, for a misprint; else None.
        proved: True if the claim is proved for piles of all sizes.
        all_sizes: What is known about piles of all sizes, in words, for a claim about them; else
            None.
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
    flaw: str | None = None
    corrected: str | None = None
    proved: bool = False
    all_sizes: str | None = None

    _head = ("claim", "verdict", "", "checked", "failures", "unit", "least counterexample", "range")

    @classmethod
    def _of(cls, told: dict[str, Any], certificate: bytes | None) -> Verdict:
        told.pop("complete")
        if first := told.pop("first"):
            place = first["game"] + (f" {first['position']}" if first["position"] else "")
            first = f"{place}: {first['found']}"
        sizes = told.pop("all_sizes", None) or {"proved": False, "words": None}
        proved, words = sizes["proved"], sizes["words"]
        return cls(first=first, certificate=certificate, proved=proved, all_sizes=words, **told)

    @property
    def holds(self) -> bool:
        """True if the check found no counterexample."""
        return self.verdict == "holds"

    @property
    def is_surprise(self) -> bool:
        """True if the verdict differs from the expected verdict."""
        return self.verdict != self.expected

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        counts = f"{self.failures:,} of {self.checked:,} {self.unit} fail"
        least = "" if self.first is None else f"; least counterexample: {self.first}"
        return f"{self.claim} {self.verdict}: {counts}{least}"

    def _cells(self) -> list[str]:
        remark = "unexpected" if self.is_surprise else self.flaw or ""
        counts = [f"{self.checked:,}", f"{self.failures:,}", self.unit]
        return [self.claim, self.verdict, remark, *counts, self.first or "", self.range]


class Verdicts(FramedRecords[Verdict]):
    """Verdicts: a list of `Verdict`."""

    _head = Verdict._head

    def _strong(self) -> set[int]:
        return {number for number, verdict in enumerate(self) if verdict.is_surprise}


def _names(given: str | Iterable[str]) -> list[str]:
    if not isinstance(given, str | Iterable):
        raise TypeError(f"{_given.shown(given)} is not a name; write a text as in 'ch.', or a list")
    names = [given] if isinstance(given, str) else [str(name) for name in islice(given, 1001)]
    if len(names) > 1000:
        raise ValueError("more than 1000 names were given; there are fewer claims and games")
    return names


def _claim(told: dict[str, Any]) -> Claim:
    stated = (Statement(tuple(check["games"]), check["statement"]) for check in told.pop("checks"))
    games = tuple(told.pop("games"))
    return Claim(id=told.pop("claim"), games=games, checks=tuple(stated), **told)


def claims(*names: str | Iterable[str]) -> Claims:
    """Return the claims of the papers that can be checked.

    Args:
        *names: Ids, or prefixes for all claims of a paper, as in ``ch.``; by default all.

    Raises:
        ClaimError: If a claim does not exist; a `ValueError`.

    Examples:
        >>> grundy.claims("ch.thm5.1")[0].number
        'Theorem 5.1'
        >>> grundy.claims("ch.prop4.1")[0].checks[0].statement
        'g == (first - 1 ^ last - 1) + 1'
    """
    told = json.loads(_grundy.claims([name for given in names for name in _names(given)]))
    return Claims(_claim(claim) for claim in told)


def diff(
    names: str | Iterable[str] = (),
    *,
    games: str | Iterable[str] = (),
    max_pile: int | None = None,
    length: int | None = None,
    to: int | None = None,
    db: Database | None = None,
    memory: int | None = None,
    seconds: float = SECONDS,
    threads: int | None = None,
    progress: Progress = False,
) -> Verdicts:
    """Check claims of the papers.

    By default each claim is checked on its own range.

    Args:
        names: Ids, or prefixes for all claims of a paper, as in ``ch.``; by default all.
        games: Check the claims only for these games.
        max_pile: The largest pile.
        length: The number of piles.
        to: The last column b or number n, for claims about rows or numbers.

    Raises:
        ClaimError: If a claim does not exist; a `ValueError`.
        SizeError: If the range does not exist; a `ValueError`.
        GameError: If a game does not exist; a `ValueError`.
        LimitError: If the check would exceed the limit of memory or time.

    Examples:
        >>> [verdict.verdict for verdict in grundy.diff("ch.thm5.1", max_pile=12)]
        ['holds']
    """
    sizes = {"max_pile": max_pile, "length": length, "to": to, "threads": threads}
    most, piles, last, cores = (_given.size_or_none(name, size) for name, size in sizes.items())
    allowed, longest, some = _given.memory_or_none(memory), _given.seconds(seconds), _names(games)
    with watched(progress, 0, "value") as hook:
        told = nothing(db)._db.diff(
            _names(names), some, most, piles, last, allowed, longest, cores, hook
        )
    return Verdicts(Verdict._of(json.loads(text), proof) for text, proof in told)


def conjecture34(
    to: int = 500,
    *,
    memory: int | None = None,
    seconds: float = SECONDS,
    threads: int | None = None,
    progress: Progress = False,
) -> Verdict:
    """Prove the triangular-number conjecture of long global nim for n = 1, ..., `to`.

    The verdict has a certificate. `check_certificate` checks the certificate, and shares no code
    with the search.

    Examples:
        >>> verdict = grundy.conjecture34(100)
        >>> verdict.holds, grundy.check_certificate(verdict.certificate).bound
        (True, 100)
    """
    limits: dict[str, Any] = {"memory": memory, "seconds": seconds, "threads": threads}
    verdict: Verdict = diff("lgn.conj34", to=to, progress=progress, **limits)[0]
    return verdict


class Certificate(NamedTuple):
    """The content of a certificate.

    Attributes:
        bound: The largest n that the certificate concerns.
        first_gap: The least n from 1 to `bound` that the certificate does not prove, or None.
        families: The number of families of positions in the certificate.
    """

    bound: int
    first_gap: int | None
    families: int


def check_certificate(
    certificate: bytes | str | os.PathLike[str], memory: int = MEMORY
) -> Certificate:
    """Check a certificate of the triangular-number conjecture.

    Args:
        certificate: The certificate, or its file.
        memory: The memory limit in bytes.

    Raises:
        DamagedError: If the certificate is invalid.
        MissingError: If the file is missing.
        LimitError: If the check would exceed the memory limit.
    """
    return Certificate(*_grundy.check_certificate(certificate, _given.memory(memory)))


@dataclass(frozen=True)
class Row(Shown):
    """A row b -> G(a w b), and its period.

    Attributes:
        left: The first pile a; None in a row b -> G(w b).
        middle: The piles w between the ends.
        preperiod: The number of columns before the period. Each later value is repeated one period
            later, with `saltus` added. If no period was found, `preperiod`, `period` and `saltus`
            are None.
        proved: True if the period is proved for all b; False if it is only observed.
        values: The computed values G for b = 1, 2, ...
    """

    game: str
    left: int | None
    middle: tuple[int, ...]
    preperiod: int | None
    period: int | None
    saltus: int | None
    proved: bool
    values: NDArray[np.uint32] = field(repr=False, compare=False)

    _head = ("row", "preperiod", "period", "saltus", "")

    def value(self, b: int) -> int:
        """Return G(a w b), which is a computed value or follows from the proved period.

        Raises:
            SizeError: If b is neither computed nor covered by a proved period.
        """
        b = _given.whole("b", b)
        if 1 <= b <= len(self.values):
            return int(self.values[b - 1])
        if b < 1 or self.period is None or not self.proved:
            raise SizeError(f"the row is known for b from 1 to {len(self.values)}, not for {b}")
        assert self.preperiod is not None and self.saltus is not None
        turns = (b - self.preperiod - 1) // self.period
        return int(self.values[b - turns * self.period - 1]) + turns * self.saltus

    def _cells(self) -> list[str]:
        ends = () if self.left is None else (self.left,)
        name = ",".join((*map(str, (*ends, *self.middle)), "b"))
        if self.period is None:
            return [name, "-", "-", "-", "none found"]
        numbers = [str(self.preperiod), str(self.period), str(self.saltus)]
        return [name, *numbers, "proved" if self.proved else "observed"]


class Rows(FramedRecords[Row]):
    """Rows with their periods: a list of `Row`."""

    _head = Row._head

    def _columns(self) -> dict[str, Any]:
        return {name: column for name, column in super()._columns().items() if name != "values"}


def periods(
    game: GameLike,
    left: int | None = None,
    middle: WordLike = (),
    *,
    to: int = 4096,
    all: bool = False,
    memory: int = MEMORY,
    seconds: float = SECONDS,
) -> Rows:
    """Return the period of the row b -> G(a w b).

    Args:
        game: A game, or a rule file as in docs/COMMANDS.md. Without a proof for its rows, the
            period is what the computed values show.
        left: The first pile a. Without it, the row is b -> G(w b), as for single piles.
        middle: The piles w between a and b.
        to: The last b to compute, unless the period of the row is proved earlier.
        all: If True, return the rows of a = 1, 2, ..., `left`.
        memory: The memory limit in bytes.
        seconds: The time after which the search is stopped.

    Raises:
        GameError: If the game has no such rows.
        SizeError: If a number is out of range.
        LimitError: If the search would exceed the memory limit.
        StoppedError: If the search is stopped.

    Examples:
        >>> row = grundy.periods("end-nim", 3, (2,))[-1]
        >>> row.proved, row.period, row.value(10**9) == row.value(10**9 - row.period) + row.saltus
        (True, 4, True)
        >>> kayles = grundy.periods("kayles")[0]
        >>> kayles.preperiod, kayles.period, kayles.proved
        (70, 12, True)
    """
    word = _given.word("middle", middle)
    last = 0 if left is None else _given.size("left", left)
    allowed = (_given.memory(memory), _given.seconds(seconds))
    rows = _grundy.periods(game, last, word, _given.size("to", to), bool(all), allowed)
    made = Rows()
    for a, found, values in rows:
        preperiod, period, saltus, proved = found or (None, None, None, False)
        made.append(Row(str(game), a or None, word, preperiod, period, saltus, proved, values))
    return made
