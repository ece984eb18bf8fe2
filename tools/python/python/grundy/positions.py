"""Games, positions and moves."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, SupportsIndex, Union

from . import _given, _grundy, _pretty
from ._records import FramedRecords

#: The letters of outcome classes, in the order of their indices in arrays of classes.
CLASSES: tuple[str, ...] = tuple(_grundy.Db.classes())


@dataclass(frozen=True)
class Game:
    """A game.

    Attributes:
        name: The name in this package and on the command line, as in ``end-nim``.
        paper: The source of the rules.
        rule: The rules for players, in one or two sentences.
        is_row: True if the order of the piles matters; otherwise a position is a multiset.
        is_impartial: True if positions have Grundy values; otherwise they have outcome classes.
        blocks: The number of options that the other player may forbid before a move.
        falls: The list that every move lowers, as in a rule file; None for the number of coins.
        within: What is at most N in a table: ``largest pile`` or ``total``.
        remembers: The memory of a position besides its piles: ``last move``; ``moves`` for the
            moves that are left; the names of several numbers, with commas; or None.
        convention: The exact convention of misère play, for a misère game; otherwise None.
    """

    name: str
    title: str
    paper: str
    rule: str
    is_row: bool
    is_impartial: bool
    blocks: int
    falls: str | None
    within: str
    remembers: str | None
    convention: str | None = None

    def __str__(self) -> str:
        return self.name

    @staticmethod
    def from_file(path: str | os.PathLike[str]) -> Game:
        """Read a rule file. Functions that take the name of a game also take a `Game`.

        Raises:
            GameError: If the file cannot be read, or if its rules are invalid.
        """
        # Make the path absolute, because a text without a slash is a game's name.
        return game_named(Path(path).absolute().as_posix())

    @staticmethod
    def from_text(text: str) -> Game:
        """Read the text of a rule file, as `Game.from_file` does.

        Examples:
            >>> twos = grundy.Game.from_text('''
            ... name: twos
            ... title: Take two
            ... source: an example
            ... piles: heaps
            ... move: i in 1..k if piles[i] >= 2: piles[i] -= 2
            ... ''')
            >>> grundy.open().value(twos, (6, 4))
            1
        """
        return Game(**_grundy.game_of_text(_given.text("text", text)))


def games(*, rulesets: bool = False) -> list[Game]:
    """Return the built-in games; if `rulesets` is True, also the games that come as rule files.

    Functions that take a game's name also take a `Game` or the path of a rule file, as in
    ``"./my.game"``.

    Examples:
        >>> [game.name for game in grundy.games()][:3]
        ['nim', 'misere-nim', 'end-nim']
        >>> grundy.games()[0].rule
        'Take any number of coins from one pile. Whoever takes the last coin wins.'
        >>> "Kayles" in [game.title for game in grundy.games(rulesets=True)]
        True
    """
    return [Game(**about) for about in _grundy.games(bool(rulesets))]


def game_named(name: GameLike) -> Game:
    """Return the game of this name, or raise a `GameError`."""
    return Game(**_grundy.game_named(name))


@dataclass(frozen=True)
class Position:
    """A position of a game, in its usual notation.

    Args:
        given: Piles from left to right, at the beginning of play; or a position; or a string. A
            string may also contain the last move, as in ``"20,20/3"`` after a move of three coins,
            all numbers that the game remembers, as in ``"12,5/3/1"``, or the moves that are left,
            as in ``"8{1,3,4}"``. A pile in a string has at most 10**9
            coins; a pile given as a number has fewer than 2**32.

    Attributes:
        piles: The piles, in ascending order if their order does not matter.
        last_move: The number of coins that the last move took; 0 at the beginning of play; None if
            the game does not remember it.
        memory: All numbers that the game remembers, by their names; empty if it remembers none.

    Raises:
        PositionError: If the position is invalid in the game; a `ValueError`.

    Examples:
        >>> grundy.Position("nim", (3, 1, 4))
        Position('nim', '1,3,4')
        >>> str(grundy.Position("short-global-nim", "20,20/3"))
        '20,20/3'
    """

    game: str
    given: object = field(compare=False)
    piles: tuple[int, ...] = field(init=False)
    last_move: int | None = field(init=False)
    memory: dict[str, int] = field(init=False, compare=False)
    _moves: str | None = field(init=False)
    _text: str = field(init=False)

    def __post_init__(self) -> None:
        self._fill(*_grundy.parse(self.game, self.given))

    def _fill(self, game: str, parts: _grundy.Parts) -> None:
        text, piles, numbers, moves = parts
        # The dataclass is frozen, so set the fields directly.
        self.__dict__.update(game=game, given=text, piles=tuple(piles), memory=dict(numbers))
        self.__dict__.update(last_move=self.memory.get("last_move"), _moves=moves, _text=text)

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
        if self._moves is None:
            return None
        runs = re.findall(r"(\d+)(?:\.\.(\d+))?", self._moves)
        return frozenset(s for a, b in runs for s in range(int(a), int(b or a) + 1))

    @property
    def coins(self) -> int:
        """The number of coins."""
        return sum(self.piles)

    def to_latex(self) -> str:
        r"""Return the notation of the papers: ``(3,1,4)``, ``*(20,20;3)``, ``[8,\{1,3,4\}]``."""
        piles = ",".join(map(str, self.piles))
        if self.memory:
            return f"*({piles};{','.join(map(str, self.memory.values()))})"
        if self._moves is not None:
            inside = self._text.partition("{")[2].rstrip("}").replace("..", r",\dots,")
            heads = piles if len(self.piles) == 1 else f"({piles})"
            return rf"[{heads},\{{{inside}\}}]"
        return f"({piles})"

    def _repr_latex_(self) -> str:
        return f"${self.to_latex()}$"

    def _repr_html_(self) -> str:
        return _pretty.position(self._text, self.piles)


#: The types that are accepted as a position: piles, a text, or a `Position`.
PositionLike = Union["Position", str, Iterable[int]]

#: The types that are accepted as a game.
GameLike = str | Game

#: The types that are accepted as a row of piles, which may be empty. A text looks like ``"5,2"``.
WordLike = str | Iterable[int]


def position_of(game: GameLike, position: PositionLike) -> Position:
    """Return a `Position` unchanged, and anything else as a position of the game."""
    return position if isinstance(position, Position) else Position(str(game), position)


class Answer(NamedTuple):
    """The known facts about a position.

    Attributes:
        value: The Grundy value; None in a partizan game.
        outcome: ``P``, ``N``, ``L`` or ``R``.
        source: The origin of the value: ``table``, ``table+computed``, ``computed``, ``theorem`` or
            ``period``.
        thresholds: The two numbers that decide who wins in partizan End-Nim, or None.
    """

    value: int | None
    outcome: str
    source: str
    thresholds: tuple[int, int] | None


class Move(NamedTuple):
    """A move, with its option, and with the value and the outcome class of the option.

    Attributes:
        player: ``Left``, ``Right`` or ``either``.
        end: The end that loses coins: ``left``, ``right``, ``both``, ``only``, or ``any``.
        before: The coins of the pile before the move. For a move on both ends, this is the leftmost
            pile.
        after: The coins of the same pile after the move.
        value: The Grundy value of the option; None in a partizan game.
        wins: True if the move wins for its player.
        right: The coins of the rightmost pile before and after a move on both ends; else None.
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

    @property
    def _place(self) -> int:
        """The value, or the index of the class."""
        return CLASSES.index(self.outcome) if self.value is None else self.value

    def _cells(self) -> list[str]:
        lowered = f"{self.before} → {self.after}"
        if self.right:
            lowered += f", {self.right[0]} → {self.right[1]}"
        end = self.end if self.player == "either" else self.player
        value = "" if self.value is None else str(self.value)
        return [end, lowered, str(self.option), value, self.outcome, "wins" if self.wins else ""]


class Moves(FramedRecords[Move]):
    """The moves of a position: a list, which a notebook shows as a table."""

    _head = ("end", "takes", "option", "value", "outcome", "")

    def __init__(self, moves: Iterable[Move] = (), of: Position | None = None) -> None:
        super().__init__(moves)
        self.of = of

    @property
    def winning(self) -> Moves:
        """The winning moves."""
        return Moves((move for move in self if move.wins), self.of)

    def _title(self) -> str:
        return "" if self.of is None else f"Moves of {self.of} in {self.of.game}"

    def _strong(self) -> set[int]:
        return {number for number, move in enumerate(self) if move.wins}
