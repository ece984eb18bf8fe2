"""Proves theorems about rows of all lengths, and about piles of all sizes.

Independent code checks the proofs. For rows of all lengths, the moves of the game must read and
change only the two end piles of a row.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _given, _grundy, _pretty
from .database import MEMORY
from .errors import PositionError
from .positions import CLASSES, GameLike, WordLike

#: The default limit of a search, in seconds.
SECONDS = 60.0

#: A value or an outcome class; None for the empty row if the game has no empty position.
Output = int | str | None


@dataclass(frozen=True)
class Automaton:
    """The smallest automaton that gives the value of every row of piles of at most `piles`.

    It reads a row from left to right, and begins in state 0.

    Attributes:
        of: ``values`` or ``outcomes``.
        tuples: The number of tuples of states in the proof.
        outputs: For each state the value, or the outcome class, of the rows that lead to it.
        transitions: For each state the next states for the piles 1, 2, ..., `piles`.
        statement: The theorem in words.
        certificate: The proof; ``grundy verify --certificate`` checks its file.
        dot: The automaton in the language of Graphviz.
        svg: A picture.
        walnut: The automaton for the prover Walnut.
    """

    game: str
    of: str
    piles: int
    tuples: int
    outputs: tuple[Output, ...]
    transitions: tuple[tuple[int, ...], ...]
    statement: str
    certificate: bytes = field(repr=False)
    dot: str = field(repr=False)
    svg: str = field(repr=False)
    walnut: str = field(repr=False)

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.outputs)

    def output(self, row: WordLike) -> Output:
        """Return the value, or the outcome class, of a row of any length.

        Raises:
            PositionError: If a pile is empty or too large for the automaton.
        """
        state = 0
        for pile in _given.word("row", row):
            if not 1 <= pile <= self.piles:
                raise PositionError(f"the automaton reads piles from 1 to {self.piles}, not {pile}")
            state = self.transitions[state][pile - 1]
        return self.outputs[state]

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.statement


@dataclass(frozen=True)
class Family:
    """The pattern of the values of the rows u^i w v^j, for all i and j.

    Attributes:
        of: ``values`` or ``outcomes``.
        words: The words u, w and v.
        step: A pair (e, f). If i and j are at least `start`, e more words u and f more words v do
            not change the value.
        nonregular: The values for which no finite automaton recognises the rows.
        formula: The values for all i and j from `start` on, in words.
        statement: The theorem in words.
        certificate: The proof; ``grundy verify --certificate`` checks its file.
    """

    game: str
    of: str
    words: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    step: tuple[int, int]
    start: int
    nonregular: tuple[Output, ...]
    formula: str
    statement: str
    certificate: bytes = field(repr=False)
    _told: dict[str, Any] = field(repr=False, compare=False)

    def value(self, i: int, j: int) -> Output:
        """Return the value, or the outcome class, of the row u^i w v^j."""
        i, j = _given.whole("i", i, 0), _given.whole("j", j, 0)
        (e, f), start, values = self.step, self.start, self._told["values"]
        # Subtract steps from i and j until the list contains a value for them.
        steps = max(0, min((i - start) // e, (j - start) // f))
        i, j = i - steps * e, j - steps * f
        if i < start + e:
            found: Output = values[i][_listed(j, self._told["lines"])]
        else:
            found = values[_listed(i, self._told["columns"])][j]
        return found

    def to_numpy(self, rows: int = 64, columns: int = 64) -> NDArray[Any]:
        """Return the values for i < `rows` and j < `columns`, shape (rows, columns).

        A class is given as its index in `grundy.CLASSES`. The value is -1 for a row that is not a
        position of the game.
        """
        number: dict[Output, Any] = {None: -1}
        if self.of == "outcomes":
            number |= {name: at for at, name in enumerate(CLASSES)}
        cells = (self.value(i, j) for i in range(rows) for j in range(columns))
        return np.array([number.get(cell, cell) for cell in cells]).reshape(rows, columns)

    def __str__(self) -> str:
        return f"{self.formula}\n{self.statement}"

    def _repr_html_(self) -> str:
        letters = None if self.of == "values" else CLASSES
        title = f"{self.game}: {self.statement}"
        return _pretty.tile(title, self.to_numpy(24, 24).tolist(), letters, 0)


def _listed(at: int, period: tuple[int, int]) -> int:
    first, length = period
    return at if at < first else first + (at - first) % length


def prove(
    game: GameLike,
    piles: int,
    *,
    outcomes: bool = False,
    memory: int = MEMORY,
    seconds: float = SECONDS,
) -> Automaton:
    """Prove the values of all rows of piles of at most `piles`, by an automaton.

    For some games there is no automaton; an example is End-Nim with piles of at most 3. Then the
    search ends at a limit and proves nothing.

    Args:
        game: The game, or a rule file.
        piles: The largest pile.
        outcomes: Prove the outcome classes instead of the values.
        memory: The memory limit in bytes.
        seconds: The time after which the search ends.

    Raises:
        GameError: If moves of the game read or change piles other than the two at the ends.
        LimitError: If no automaton was found within the limits.

    Examples:
        >>> automaton = grundy.prove("end-nim", 2)
        >>> automaton.states, automaton.output([1, 2] * 1000)
        (18, 2)
    """
    most = _given.whole("piles", piles, 0, 2**32 - 1)
    limits = (bool(outcomes), _given.memory(memory), _given.seconds(seconds))
    certificate, statement, (dot, svg, walnut) = _grundy.prove(game, most, limits)
    told = json.loads(certificate)
    return Automaton(
        game=told["game"],
        of=told["of"],
        piles=told["piles"],
        tuples=told["tuples"],
        outputs=tuple(told["outputs"]),
        transitions=tuple(map(tuple, told["transitions"])),
        statement=statement,
        certificate=certificate,
        dot=dot,
        svg=svg,
        walnut=walnut,
    )


def families(
    game: GameLike,
    words: str,
    *,
    outcomes: bool = False,
    memory: int = MEMORY,
    seconds: float = SECONDS,
) -> Family:
    """Prove a pattern in the values of the rows u^i w v^j, for all i and j.

    Args:
        game: The game, or a rule file.
        words: A repeated word, a word and a repeated word, as in ``"3* 1 3*"`` or
            ``"(3,2,1)* 3,1 3*"``.
        outcomes: Prove the outcome classes instead of the values.
        memory: The memory limit in bytes.
        seconds: The time after which the search ends.

    Raises:
        GameError: If moves of the game read or change piles other than the two at the ends.
        StatementError: If the words are not a family; a `ValueError`.
        LimitError: If no pattern was found within the limits.

    Examples:
        >>> family = grundy.families("partizan-end-nim", "2* 1 2*")
        >>> family.step, family.value(1000, 7), family.value(7, 7), family.nonregular
        ((1, 1), 'L', 'P', ('L', 'P', 'R'))
    """
    limits = (bool(outcomes), _given.memory(memory), _given.seconds(seconds))
    certificate, statement, (formula,) = _grundy.families(game, _given.text("words", words), limits)
    told = json.loads(certificate)
    u, w, v = (tuple(told[name]) for name in ("left", "middle", "right"))
    return Family(
        game=told["game"],
        of=told["of"],
        words=(u, w, v),
        step=tuple(told["step"]),
        start=told["start"],
        nonregular=tuple(value for value, _, _ in told["nonregular"]),
        formula=formula,
        statement=statement,
        certificate=certificate,
        _told=told,
    )


@dataclass(frozen=True)
class ValueClass:
    """The positions of one value, for piles of all sizes.

    Attributes:
        value: The Grundy value, or the letter of the outcome class.
        statement: The equivalence, which `grundy.check` accepts.
        formula: Its right side.
        latex: The equivalence in LaTeX.
        cap: The formula compares piles by differences below the cap,
        modulus: and by remainders modulo this number.
        box: The equivalence holds with piles up to the box, and so for piles of all sizes. None if
            it is not proved; then there is no cap and no modulus.
        counts: The least n and polynomials in n: the polynomial at the index n % len(polynomials)
            is the number of positions with piles up to n. None if the numbers are too large.
    """

    value: int | str
    statement: str
    formula: str
    latex: str = field(repr=False)
    cap: int | None
    modulus: int | None
    box: int | None
    counts: tuple[int, tuple[str, ...]] | None = field(repr=False)

    @property
    def proved(self) -> bool:
        """True if the equivalence is proved for piles of all sizes."""
        return self.box is not None

    def _repr_latex_(self) -> str:
        return f"${self.latex}$"

    def __str__(self) -> str:
        return self.statement


class ValueClasses(tuple[ValueClass, ...]):
    """Value classes. There are none if nothing was proved.

    Attributes:
        certificate: The proof; ``grundy verify --certificate`` checks its file.
        reason: Why nothing was proved.
    """

    certificate: bytes | None
    reason: str | None

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or f"undecided: {self.reason}"


def classes(
    game: GameLike,
    length: int,
    values: int | tuple[int, int] | None = None,
    max_pile: int | None = None,
    *,
    memory: int = MEMORY,
    seconds: float = SECONDS,
) -> ValueClasses:
    """Write value classes as formulas, and prove them for piles of all sizes.

    Args:
        game: The game, or a rule file.
        length: The number of piles.
        values: A value, or the first and the last of a range. A partizan game has the outcome
            classes instead.
        max_pile: The largest box that is tried.
        memory: The memory limit in bytes.
        seconds: The time after which the search ends.

    Examples:
        >>> zero, one = grundy.classes("nim", 2, (0, 1))
        >>> print(zero)
        g == 0 <-> let a = min(first, last); let c = max(first, last); c == a
        >>> zero.proved, zero.counts
        (True, (0, ('n',)))
    """
    ends = None
    if values is not None:
        first, last = values if isinstance(values, tuple) else (values, values)
        ends = _given.whole("values", first, 0, 250), _given.whole("values", last, 0, 250)
        if first > last:
            raise ValueError(f"there are no values from {first} to {last}")
    all_classes, certificate, reason = _grundy.classes(
        game,
        _given.size("length", length),
        ends,
        _given.size_or_none("max_pile", max_pile),
        (_given.memory(memory), _given.seconds(seconds)),
    )
    found = ValueClasses(
        ValueClass(
            value=int(value) if value.isdigit() else value,
            statement=statement,
            formula=formula,
            latex=latex,
            cap=proof and proof[0],
            modulus=proof and proof[1],
            box=proof and proof[2],
            counts=counts and (counts[0], tuple(counts[1])),
        )
        for (value, statement, formula, latex), proof, counts in all_classes
    )
    found.certificate, found.reason = certificate, reason
    return found
