"""Games, positions and moves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, SupportsIndex, Union

from . import _grundy, _pretty

#: The letters of outcome classes, in the order in which arrays of classes count them.
CLASSES: tuple[str, ...] = tuple(_grundy.Db.classes())


@dataclass(frozen=True)
class Game:
    """A game.

    Attributes
    ----------
    name : str
        What it is called here and on the command line, as in ``end-nim``.
    title, paper : str
        Its name in words, and where it comes from.
    is_row : bool
        Whether the order of the piles counts; else a position is a multiset.
    is_impartial : bool
        Whether positions have Grundy values; else they have outcome classes.
    remembers : str or None
        What a position has besides piles: the ``last move``, or the ``moves`` that are left.
    """

    name: str
    title: str
    paper: str
    is_row: bool
    is_impartial: bool
    remembers: str | None

    def __str__(self) -> str:
        return self.name


def games() -> list[Game]:
    """All games.

    Examples
    --------
    >>> [game.name for game in grundy.games()][:3]
    ['nim', 'misere-nim', 'end-nim']
    """
    return [Game(**about) for about in _grundy.games()]


@dataclass(frozen=True)
class Position:
    """A position of a game, read and put into the form in which it is written.

    Parameters
    ----------
    game : str
        The game's name.
    given : tuple of int, str or Position
        Piles from left to right, at the beginning of play; or a text, which also says what the game
        remembers: ``"20,20/3"`` that three coins were just taken, ``"8{1,3,4}"`` which moves are
        left.

    Attributes
    ----------
    piles : tuple of int
        In ascending order where the order does not matter.
    last_move : int or None
        The number of coins just taken; 0 at the beginning; None if the game does not remember it.

    Raises
    ------
    PositionError
        If it is no position of the game; a `ValueError`.

    Examples
    --------
    >>> grundy.Position("nim", (3, 1, 4))
    Position('nim', '1,3,4')
    >>> str(grundy.Position("short-global-nim", "20,20/3"))
    '20,20/3'
    """

    game: str
    given: object = field(repr=False, compare=False)
    piles: tuple[int, ...] = field(init=False)
    last_move: int | None = field(init=False)
    _moves: str | None = field(init=False, repr=False)
    _text: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        name, parts = _grundy.parse(self.game, self.given)
        self._fill(name, parts)

    def _fill(self, game: str, parts: _grundy.Parts) -> None:
        text, piles, last_move, moves = parts
        put = object.__setattr__
        put(self, "game", game)
        put(self, "given", text)
        put(self, "piles", tuple(piles))
        put(self, "last_move", last_move)
        put(self, "_moves", moves)
        put(self, "_text", text)

    @classmethod
    def _of(cls, game: str, parts: _grundy.Parts) -> Position:
        position = cls.__new__(cls)
        position._fill(game, parts)
        return position

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Position({self.game!r}, {self._text!r})"

    def __len__(self) -> int:
        return len(self.piles)

    def __iter__(self) -> Iterator[int]:
        return iter(self.piles)

    def __getitem__(self, place: SupportsIndex) -> int:
        return self.piles[place]

    @property
    def moves_left(self) -> frozenset[int] | None:
        """The numbers that may still be taken; None if the game does not remember them."""
        return None if self._moves is None else frozenset(_numbers(self._moves))

    @property
    def coins(self) -> int:
        """The number of coins."""
        return sum(self.piles)

    def to_latex(self) -> str:
        r"""As the papers write it: ``(3,1,4)``, ``*(20,20;3)``, ``[8,\{1,3,4\}]``."""
        piles = ",".join(map(str, self.piles))
        if self.last_move is not None:
            return f"*({piles};{self.last_move})"
        if self._moves is not None:
            braces = self._text[self._text.index("{") :] if "{" in self._text else "{}"
            inside = braces[1:-1].replace("..", r",\dots,")
            heads = piles if len(self.piles) == 1 else f"({piles})"
            return rf"[{heads},\{{{inside}\}}]"
        return f"({piles})"

    def _repr_latex_(self) -> str:
        return f"${self.to_latex()}$"

    def _repr_html_(self) -> str:
        return _pretty.position(self._text, self.piles)


def _numbers(text: str) -> Iterable[int]:
    for run in re.findall(r"(\d+)(?:\.\.(\d+))?", text):
        first, last = int(run[0]), int(run[1] or run[0])
        yield from range(first, last + 1)


#: What is taken for a position: piles, a text, or a `Position`.
PositionLike = Union["Position", str, Iterable[int]]

#: What names a game.
GameLike = str | Game

#: A row of piles, which may have none; a text, as in ``"5,2"``, is one too.
WordLike = str | Iterable[int]


class Answer(NamedTuple):
    """What is known of a position.

    Attributes
    ----------
    value : int or None
        The Grundy value; None in a partizan game.
    outcome : str
        ``P``, ``N``, ``L`` or ``R``.
    source : str
        Where it came from: ``table``, ``table+computed`` or ``computed``.
    thresholds : tuple of int or None
        The two numbers that decide a position of partizan End-Nim.
    """

    value: int | None
    outcome: str
    source: str
    thresholds: tuple[int, int] | None


class Move(NamedTuple):
    """A move, and what is known of the option that it reaches.

    Attributes
    ----------
    player : str
        ``Left``, ``Right`` or ``either``.
    end : str
        Which pile: ``left``, ``right``, ``both``, ``only``, or ``any``.
    before, after : int
        Coins of the pile; of a move on both ends, of the leftmost.
    option : Position
        The position reached.
    value : int or None
        Its Grundy value; None in a partizan game.
    outcome : str
        Its outcome class.
    wins : bool
        Whether the move wins for whoever makes it.
    right : tuple of int or None
        Of a move on both ends the coins of the rightmost pile before and after.
    """

    player: str
    end: str
    before: int
    after: int
    option: Position
    value: int | None
    outcome: str
    wins: bool
    right: tuple[int, int] | None = None

    @classmethod
    def _of(cls, game: str, made: _grundy.Made) -> Move:
        player, end, (before, after, right), option, value, outcome, wins = made
        position = Position._of(game, option)
        return cls(player, end, before, after, position, value, outcome, wins, right)

    def _cells(self) -> list[str]:
        lowered = f"{self.before} → {self.after}"
        if self.right:
            lowered += f", {self.right[0]} → {self.right[1]}"
        return [
            self.end if self.player == "either" else self.player,
            lowered,
            str(self.option),
            "" if self.value is None else str(self.value),
            self.outcome,
            "wins" if self.wins else "",
        ]


_HEAD = ["end", "takes", "option", "value", "outcome", ""]


class Moves(list[Move]):
    """The moves of a position: a list, which a notebook shows as a table."""

    def __init__(self, moves: Iterable[Move] = (), of: Position | None = None) -> None:
        super().__init__(moves)
        self.of = of

    @property
    def winning(self) -> Moves:
        """Those that win."""
        return Moves((move for move in self if move.wins), self.of)

    def _repr_html_(self) -> str:
        title = "" if self.of is None else f"Moves of {self.of} in {self.of.game}"
        strong = {number for number, move in enumerate(self) if move.wins}
        return _pretty.table(title, _HEAD, [move._cells() for move in self], strong=strong)

    def _repr_latex_(self) -> str:
        return _pretty.latex_table(_HEAD, [move._cells() for move in self])
