from collections.abc import Callable
from os import PathLike
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from .positions import Game

__version__: str

Hook = Callable[[int], object]
Parts = tuple[str, list[int], list[tuple[str, int]], str | None]
Told = tuple[int | None, str, str, tuple[int, int] | None]
Made = tuple[str, str, tuple[int, int, tuple[int, int] | None], Parts, int | None, str, bool]

class About(TypedDict):
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
    convention: str | None

class Wanted(TypedDict):
    lengths: tuple[int, int] | None
    max_pile: int | None
    max_total: int | None
    positions: str | None
    sets: int | None
    games: list[str | Game]
    memory: int | None
    seconds: float
    threads: int | None
    hook: Hook | None

class Block:
    """Positions of a sweep, with their values.

    Attributes:
        values: Grundy values, shape (m,), read-only; for a partizan game the indices of the classes
            in `grundy.CLASSES`.
        piles: Shape (m, k): row i has the piles of the position with the value ``values[i]``.
        weight: The number of positions that each value stands for: 1, or 2 if reversals are left
            out.
    """

    @property
    def game(self) -> str: ...
    @property
    def length(self) -> int: ...
    @property
    def max_pile(self) -> int: ...
    @property
    def weight(self) -> int: ...
    @property
    def values(self) -> NDArray[np.unsignedinteger[Any]]: ...
    @property
    def piles(self) -> NDArray[np.int32]: ...
    @property
    def memories(self) -> NDArray[np.int32]: ...
    @property
    def last_moves(self) -> NDArray[np.int32]: ...
    @property
    def move_sets(self) -> NDArray[np.uint64]: ...
    def __len__(self) -> int: ...

class Db:
    def __new__(
        cls,
        place: str | PathLike[str] | None,
        memory: int,
        seconds: float,
        mapped: bool,
        theorems: bool,
    ) -> Db: ...
    def tables(self) -> list[tuple[str, str, int, int, int]]: ...
    def largest_stored(self, name: str | Game, length: int) -> int | None: ...
    def given_size(
        self, name: str | Game, max_pile: int | None, max_total: int | None
    ) -> int | None: ...
    def value(self, name: str | Game, given: object) -> int: ...
    def answer(self, name: str | Game, given: object) -> Told: ...
    def moves(self, name: str | Game, given: object) -> list[Made]: ...
    def row(self, name: str | Game, word: object, last: int) -> NDArray[np.integer[Any]]: ...
    def values(
        self,
        name: str | Game,
        array: NDArray[np.uint32],
        classes: bool,
        threads: int | None,
        hook: Hook | None,
    ) -> NDArray[np.uint32]: ...
    def tile(
        self, name: str | Game, middle: object, max_pile: int
    ) -> tuple[NDArray[np.uint8], str, int, int, bool]: ...
    def level_of(
        self, name: str | Game, length: int, max_pile: int
    ) -> tuple[str, int, list[int], bool]: ...
    def array_of(self, name: str | Game, length: int, max_pile: int) -> tuple[str, int]: ...
    def write_array(
        self,
        name: str | Game,
        length: int,
        max_pile: int,
        out: NDArray[np.uint8],
        memory: int | None,
        threads: int | None,
        hook: Hook | None,
    ) -> None: ...
    def sweep(
        self,
        name: str | Game,
        length: int,
        max_pile: int,
        show: Callable[[Block], Any],
        fold: Callable[[Any, Any], Any],
        both: bool,
        memory: int | None,
        threads: int | None,
        hook: Hook | None,
    ) -> Any: ...
    def check(self, name: str | Game, statement: str, show: int, wanted: Wanted) -> str: ...
    def check_all_sizes(
        self, name: str | Game, statement: str, show: int, wanted: Wanted
    ) -> tuple[str, bytes | None]: ...
    def find(
        self, name: str | Game, predicate: str, first: int | None, wanted: Wanted
    ) -> tuple[list[tuple[Parts, int | None, str]], bool]: ...
    def totals(
        self, name: str | Game, predicate: str, number: str, wanted: Wanted
    ) -> tuple[int, int, tuple[int, Parts] | None]: ...
    def counts(
        self, name: str | Game, predicate: str, by: str, to: int, wanted: Wanted
    ) -> tuple[list[int], tuple[int, int], int]: ...
    def terms(self, name: str | Game, word: object, to: int) -> tuple[int, list[int]]: ...
    def guess(
        self, name: str | Game, length: int, wanted: Wanted
    ) -> tuple[list[tuple[str, str, int, int, int]], bool]: ...
    def diff(
        self,
        names: list[str],
        games: list[str],
        max_pile: int | None,
        length: int | None,
        to: int | None,
        memory: int | None,
        seconds: float,
        threads: int | None,
        hook: Hook | None,
    ) -> list[tuple[str, bytes | None]]: ...
    @staticmethod
    def classes() -> list[str]: ...

def command_line(typed: list[str]) -> int: ...
def games(rulesets: bool) -> list[About]: ...
def game_named(name: str | Game) -> About: ...
def game_of_text(text: str) -> About: ...
def parse(name: str | Game, given: object) -> tuple[str, Parts]: ...
def claims(names: list[str]) -> str: ...
def periods(
    name: str | Game, left: int, middle: object, to: int, all: bool, limits: tuple[int, float]
) -> list[tuple[int, tuple[int, int, int, bool] | None, NDArray[np.uint32]]]: ...
def check_certificate(
    given: bytes | str | PathLike[str], memory: int
) -> tuple[int, int | None, int]: ...
def prove(
    name: str | Game, piles: int, limits: tuple[bool, int, float]
) -> tuple[bytes, str, list[str]]: ...
def classes(
    name: str | Game,
    length: int,
    values: tuple[int, int] | None,
    max_pile: int | None,
    limits: tuple[int, float],
) -> tuple[
    list[
        tuple[
            tuple[str, str, str, str],
            tuple[int, int, int] | None,
            tuple[int, list[str]] | None,
        ]
    ],
    bytes | None,
    str | None,
]: ...
def families(
    name: str | Game, words: str, limits: tuple[bool, int, float]
) -> tuple[bytes, str, list[str]]: ...
