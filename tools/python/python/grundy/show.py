"""Pictures, with matplotlib: tiles, moves, rows.

A notebook shows the figure that is returned; elsewhere `figure.savefig` writes it to a file.

The colour of a value is the same in every picture, whatever else is in it, so that pictures can be
compared: 0 is blue, the others go from light to dark up to `MOST`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

try:
    from matplotlib import pyplot as plt
    from matplotlib.colors import ListedColormap, Normalize
except ImportError:
    raise ImportError("grundy.show draws with matplotlib: pip install matplotlib") from None

from . import _given
from .database import Database, Tile, _is_impartial, nothing
from .errors import GameError
from .levels import Level
from .positions import CLASSES, GameLike, Position, PositionLike, WordLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: The value that has the darkest colour; larger ones have it too.
MOST = 127


def _colours() -> ListedColormap:
    shades = plt.get_cmap("YlOrBr")(np.linspace(0.05, 1.0, MOST))
    return ListedColormap(np.vstack([[0.13, 0.40, 0.67, 1.0], shades]), name="grundy")


def _classes() -> ListedColormap:
    shades = {"L": "#1b9e77", "R": "#d95f02", "N": "#e6d8c3", "P": "#2166ac"}
    return ListedColormap([shades[letter] for letter in CLASSES], name="classes")


def tile(
    values: Tile | ArrayLike | str,
    middle: WordLike = (),
    max_pile: int | None = None,
    *,
    db: Database | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draw a tile: a downwards, b to the right.

    Parameters
    ----------
    values : Tile, array_like or str
        A tile; or a game's name, of which the tile of `middle` is drawn.
    middle, max_pile
        As `Database.tile` has them, with a name.
    db : Database, optional
        Where values are read, with a name.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Figure

    Examples
    --------
    >>> figure = grundy.show.tile("end-nim", (4,), 64)
    """
    if isinstance(values, str):
        values = nothing(db).tile(values, middle, max_pile)
    game = values.game if isinstance(values, Tile) else ""
    array = np.asarray(values)
    if array.ndim != 2 or array.size == 0:
        raise ValueError(f"a tile has two axes, and this array has the shape {array.shape}")
    figure, axes = _axes(ax, (6.4, 5.6))
    size = (0.5, array.shape[1] + 0.5, array.shape[0] + 0.5, 0.5)
    look: dict[str, Any] = {"extent": size, "interpolation": "nearest"}
    if game and not _is_impartial(game):
        image = axes.imshow(array, cmap=_classes(), vmin=-0.5, vmax=3.5, **look)
        bar = figure.colorbar(image, ax=axes, ticks=range(4))
        bar.ax.set_yticklabels(list(CLASSES))
    else:
        image = axes.imshow(array, cmap=_colours(), norm=Normalize(0, MOST), **look)
        figure.colorbar(image, ax=axes, label="value")
    axes.set_xlabel("b")
    axes.set_ylabel("a")
    if isinstance(values, Tile) and game:
        piles = "".join(f"{pile}," for pile in values.middle)
        axes.set_title(f"a,{piles}b in {game}")
    return figure


def row(
    game: GameLike,
    word: WordLike,
    to: int = 64,
    *,
    differences: bool = False,
    db: Database | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draw the row b -> G(w b).

    Parameters
    ----------
    game : str or Game
        The game's name.
    word : sequence of int or str
        w, the piles before b.
    to : int
        The last b.
    differences : bool
        Draw G(w b) - b, which is bounded where the row is periodic.
    db : Database, optional
        Where values are read.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Figure
    """
    piles = _given.word("word", word)
    is_impartial = _is_impartial(str(game))
    if differences and not is_impartial:
        raise GameError(f"positions of {game} have outcome classes; they have no differences")
    values = nothing(db).row(game, piles, to).astype(np.int64)
    b = np.arange(1, len(values) + 1)
    figure, axes = _axes(ax, (8.0, 3.6))
    name = ",".join([*map(str, piles), "b"])
    axes.plot(b, values - b if differences else values, ".", markersize=3 if to > 200 else 5)
    axes.set_xlabel("b")
    if is_impartial:
        axes.set_ylabel(f"G({name})" + (" - b" if differences else ""))
    else:
        axes.set_yticks(range(4), CLASSES)
        axes.set_ylabel(f"outcome class of {name}")
    axes.set_title(f"{name} in {game}")
    axes.grid(alpha=0.3)
    return figure


def moves(
    game: GameLike,
    position: PositionLike,
    *,
    db: Database | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draw the options of a position: the value of each by the coins that are left of the pile.

    Parameters
    ----------
    game : str or Game
        The game's name.
    position : tuple of int, str or Position
        The position.
    db : Database, optional
        Where values are read.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Figure
        A winning move has a ring.
    """
    of = position if isinstance(position, Position) else Position(str(game), position)
    found = nothing(db).moves(game, of)
    figure, axes = _axes(ax, (7.0, 4.0))
    label = {"left": "leftmost pile", "right": "rightmost pile", "both": "both ends"}
    kinds: dict[str, tuple[list[int], list[int]]] = {}
    for move in found:
        who = (
            move.player
            if move.player != "either"
            else label.get(move.end, f"pile of {move.before}")
        )
        xs, ys = kinds.setdefault(who, ([], []))
        xs.append(move.after)
        ys.append(CLASSES.index(move.outcome) if move.value is None else move.value)
    for who, (xs, ys) in kinds.items():
        axes.plot(xs, ys, "o", label=who, alpha=0.8)
    wins = [m for m in found if m.wins]
    if wins:
        places = [CLASSES.index(m.outcome) if m.value is None else m.value for m in wins]
        axes.plot([m.after for m in wins], places, "o", ms=14, mfc="none", mec="k", label="wins")
    axes.set_xlabel("coins left of the pile")
    if _is_impartial(of.game):
        axes.set_ylabel("value of the option")
    else:
        axes.set_yticks(range(4), CLASSES)
        axes.set_ylabel("outcome class of the option")
    axes.set_title(f"moves of {of} in {of.game}")
    axes.grid(alpha=0.3)
    if kinds:
        axes.legend()
    return figure


def counts(level: Level, *, ax: Axes | None = None) -> Figure:
    """Draw how often each value occurs in a level.

    Parameters
    ----------
    level : Level
        The level.
    ax : Axes, optional
        Where to draw.

    Returns
    -------
    Figure
    """
    if not isinstance(level, Level):
        raise TypeError(f"this is {level!r}, which is no level; db.level() gives one")

    def count(block: Any) -> Any:
        return block.weight * np.bincount(block.values)

    def add(left: Any, right: Any) -> Any:
        short, long = sorted((left, right), key=len)
        joined = long.copy()
        joined[: len(short)] += short
        return joined

    found = level.sweep(count, fold=add, reversals=False)
    figure, axes = _axes(ax, (7.0, 3.6))
    if found is not None:
        last = int(np.flatnonzero(found)[-1])
        axes.bar(np.arange(last + 1), found[: last + 1])
    axes.set_xlabel("value" if _is_impartial(level.game) else "outcome class")
    if not _is_impartial(level.game):
        axes.set_xticks(range(4), CLASSES)
    axes.set_ylabel("positions")
    axes.set_title(level.table)
    return figure


def _axes(ax: Axes | None, size: tuple[float, float]) -> tuple[Figure, Axes]:
    if ax is not None:
        return ax.figure, ax  # type: ignore[return-value]
    figure, axes = plt.subplots(figsize=size, layout="constrained")
    # A notebook shows what is returned; twice is once too often.
    plt.close(figure)
    return figure, axes
