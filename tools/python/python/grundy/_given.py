"""Converts arguments (numbers, words and arrays), or refuses them with a message."""

import math
import operator
import reprlib
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, SupportsFloat

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import PositionError, SizeError

# The largest pile of a table, and the largest length. Both are stored in 32 bits.
_MOST_SIZE = 2**32 - 1
# The largest number of piles of a position.
_MOST_PILES = 1_000_000
#: The largest accepted number in an argument.
MOST = 2**63 - 1


def whole(name: str, given: object, least: int | None = None, most: int | None = None) -> int:
    """Read a whole number within its bounds."""
    try:
        # The method `__index__` of an array raises a TypeError if the array has several numbers.
        number = None if isinstance(given, bool) else operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None:
        raise TypeError(f"{name} is {shown(given)}, which is not a whole number")
    if least is not None and number < least:
        raise SizeError(f"{name} is {_short(number)}; it must be at least {_short(least)}")
    if most is not None and number > most:
        raise SizeError(f"{name} is {_short(number)}; it must be at most {_short(most)}")
    return number


def _is_whole(number: object) -> bool:
    return isinstance(number, int | np.integer) and not isinstance(number, bool)


# Text of any object: short, even if the object is endless, refers to itself or raises.
_text = reprlib.Repr()
_text.maxstring = _text.maxother = _text.maxlong = 120


def shown(given: object) -> str:
    return _text.repr(given)


def _short(number: int) -> str:
    # Python refuses to format integers of more than some thousand digits.
    return str(number) if abs(number) < 10**40 else "a number of more than 40 digits"


def size(name: str, given: object) -> int:
    """Read a length, a pile, a number of threads, or the end of a range; at least 1."""
    return whole(name, given, 1, _MOST_SIZE)


def size_or_none(name: str, given: object) -> int | None:
    """Read an optional size."""
    return None if given is None else size(name, given)


def memory(given: object) -> int:
    """Read a memory limit in bytes."""
    return whole("memory", given, 1, MOST)


def memory_or_none(given: object) -> int | None:
    """Read an optional memory limit in bytes."""
    return None if given is None else memory(given)


def seconds(given: object) -> float:
    """Read a number of seconds, at least 0; infinity means no limit."""
    if isinstance(given, bool | str | bytes) or not isinstance(given, SupportsFloat):
        raise TypeError(f"seconds is {shown(given)}, which is not a number")
    number = float(given)
    if math.isnan(number) or number < 0:
        raise SizeError(f"seconds is {number}; it must be at least 0")
    return number


def text(name: str, given: object) -> str:
    """Read a statement."""
    if not isinstance(given, str):
        raise TypeError(f"{name} is {shown(given)}, which is not text, as in 'P -> first == last'")
    return given


def word(name: str, given: object) -> tuple[int, ...]:
    """Read a row of piles, which may be empty: a sequence of numbers, or a text such as '5,2'."""
    if isinstance(given, str):
        parts = given.replace(",", " ").split()
        if any(not part.isdecimal() or len(part) > 40 for part in parts):
            raise PositionError(f"{name} is {shown(given)}; a text must list piles, as in '5,2'")
        given = [int(part) for part in parts]
    elif isinstance(given, int) and not isinstance(given, bool):
        raise TypeError(f"{name} is a tuple of piles; for one pile write ({given},)")
    if hasattr(type(given), "moves_left"):
        raise TypeError(f"{name} is the position {given}, but must be a tuple of piles")
    if not isinstance(given, Iterable) or isinstance(given, bytes | bytearray | set | dict):
        raise TypeError(f"{name} is {shown(given)}, which is not a tuple of piles")
    # Accept 0 here, because the game decides whether a pile may be empty.
    some = islice(given, _MOST_PILES + 1)
    piles = tuple(whole(f"a pile of {name}", pile, 0, _MOST_SIZE) for pile in some)
    if len(piles) > _MOST_PILES:
        raise PositionError(f"{name} has at most {_MOST_PILES} piles; more were given")
    return piles


def piles(given: ArrayLike | Sequence[Any]) -> NDArray[np.uint32]:
    """Read an array of piles of shape (m, k).

    The result is a copy, because another thread may write to the original during long work.
    """
    if isinstance(given, np.ma.MaskedArray):
        raise TypeError("a masked array has no value at masked places; fill it first")
    array: NDArray[Any] = np.array(given)
    if array.dtype.kind == "f" and not isinstance(given, np.ndarray):
        # Without the type `object`, numbers of more than 64 bits would become floats.
        array = np.array(given, dtype=object)
    if array.dtype.kind == "O" and not all(_is_whole(number) for number in array.flat):
        raise TypeError(f"piles are whole numbers, but these are {np.array(given).dtype}")
    if array.ndim != 2:
        raise PositionError(f"an array of positions has the shape (m, k), not {array.shape}")
    if array.size and array.dtype.kind not in "iuO":
        raise TypeError(f"piles are whole numbers, but this array has {array.dtype}")
    if array.shape[1] == 0 and array.shape[0]:
        raise PositionError("an array of positions has the shape (m, k) with k >= 1")
    # Accept 0 here, because the game decides whether a pile may be empty.
    if array.size and (wrong := np.argwhere((array < 0) | (array > _MOST_SIZE))).size:
        row, col = wrong[0].tolist()
        pile = int(array[row, col])
        why = "that is negative" if pile < 0 else "that is too large"
        position = ",".join(_short(int(number)) for number in array[row][:30])
        raise PositionError(
            f"row {row}: pile {col + 1} is {_short(pile)}; {why}", position=position
        )
    return np.ascontiguousarray(array, dtype=np.uint32)
