"""Evaluates games only by their rules, with a memo. It is the reference for all values.

This module does not use the package.
"""

from collections.abc import Iterator
from functools import cache

# The piles, and either the last move, the remaining moves, or None.
State = tuple[tuple[int, ...], "int | frozenset[int] | None"]


def mex(values: set[int]) -> int:
    least = 0
    while least in values:
        least += 1
    return least


def ends(piles: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Take from the leftmost or the rightmost pile."""
    first, rest = piles[0], piles[1:]
    for left in range(first):
        yield ((left,) if left else ()) + rest
    if rest:
        for left in range(piles[-1]):
            yield piles[:-1] + ((left,) if left else ())


def any_pile(piles: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield each move that takes coins from one pile: the number taken, and the piles left."""
    for place, pile in enumerate(piles):
        rest = piles[:place] + piles[place + 1 :]
        for left in range(pile):
            yield pile - left, tuple(sorted((*rest, left) if left else rest))


def options(game: str, state: State) -> Iterator[State]:
    piles, memory = state
    if game in ("nim", "misere-nim"):
        for _, left in any_pile(piles):
            # Under the convention of Cairns and Ho the last coin is never taken.
            if left or game == "nim":
                yield left, None
    elif game == "short-global-nim":
        for taken, left in any_pile(piles):
            if taken != memory:
                yield left, taken
    elif game == "long-global-nim":
        assert isinstance(memory, frozenset)
        for taken, left in any_pile(piles):
            if taken in memory:
                largest = max(left, default=0)
                yield left, frozenset(s for s in memory if s != taken and s <= largest)
    elif len(piles) == 1 and game == "loop-end-nim":
        return
    elif piles:
        for row in ends(piles):
            if row or game != "misere-end-nim":
                yield row, None
        if game == "end-wythoff" and len(piles) > 1:
            for taken in range(1, min(piles[0], piles[-1]) + 1):
                a, b = piles[0] - taken, piles[-1] - taken
                yield ((a,) if a else ()) + piles[1:-1] + ((b,) if b else ()), None


@cache
def value(game: str, state: State) -> int:
    return mex({value(game, option) for option in options(game, state)})


@cache
def wins(piles: tuple[int, ...], left: bool) -> bool:
    """True if Left (or Right, if `left` is False) wins partizan End-Nim when moving first."""
    if not piles:
        return False
    end = 0 if left else len(piles) - 1
    for coins in range(piles[end]):
        row = piles[:end] + ((coins,) if coins else ()) + piles[end + 1 :]
        if not wins(row, not left):
            return True
    return False


def outcome(game: str, state: State) -> str:
    if game != "partizan-end-nim":
        return "N" if value(game, state) else "P"
    both = wins(state[0], True), wins(state[0], False)
    return {(True, False): "L", (False, True): "R", (True, True): "N"}.get(both, "P")


def place(game: str, state: State) -> int:
    """Return the value, or the index of the class in `grundy.CLASSES`."""
    if game != "partizan-end-nim":
        return value(game, state)
    return "LRNP".index(outcome(game, state))


def begin(game: str, piles: tuple[int, ...]) -> State:
    """Return the position of these piles at the beginning of play."""
    if game in ("nim", "misere-nim"):
        return tuple(sorted(piles)), None
    if game == "short-global-nim":
        return tuple(sorted(piles)), 0
    if game == "long-global-nim":
        return tuple(sorted(piles)), frozenset(range(1, max(piles) + 1))
    return piles, None
