"""Pictures with matplotlib: tiles, moves, rows.

A notebook shows the returned figure; elsewhere `figure.savefig` writes it to a file.

A value has the same colour in every picture. 0 is blue, and larger values are darker, up to `MOST`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import ArrayLike

from . import _given
from .database import Database, Tile, nothing
from .errors import GameError
from .levels import Level
from .positions import (
    CLASSES,
    Game,
    GameLike,
    Move,
    PositionLike,
    WordLike,
    game_named,
    position_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.colors import ListedColormap
    from matplotlib.figure import Figure

#: The value with the darkest colour. Larger values have the same colour.
MOST = 127


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("grundy.show draws with matplotlib: pip install matplotlib") from None
    return pyplot


def _colours() -> ListedColormap:
    from matplotlib.colors import ListedColormap

    shades = _pyplot().get_cmap("YlOrBr")(np.linspace(0.05, 1.0, MOST))
    return ListedColormap(np.vstack([[0.13, 0.40, 0.67, 1.0], shades]), name="grundy")


def _classes() -> ListedColormap:
    from matplotlib.colors import ListedColormap

    shades = {"L": "#1b9e77", "R": "#d95f02", "N": "#e6d8c3", "P": "#2166ac"}
    return ListedColormap([shades[letter] for letter in CLASSES], name="classes")


def _name_classes(axis: Axis) -> None:
    axis.set_ticks(range(len(CLASSES)), CLASSES)


def tile(
    values: Tile | ArrayLike | GameLike,
    middle: WordLike = (),
    max_pile: int | None = None,
    *,
    db: Database | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draw a tile. The pile a increases downwards, and the pile b increases to the right.

    Args:
        values: A tile, or any array with two axes; or a game's name, for the tile that
            `Database.tile` returns.
        middle: The piles between the two ends, if `values` is a game's name.
        max_pile: The largest a and b, if `values` is a game's name; by default the largest pile of
            the largest stored table with this number of piles.
        db: The database with stored values; without it values are computed.
        ax: The axes to draw on; by default those of a new figure.

    Examples:
        >>> figure = grundy.show.tile("end-nim", (4,), 64)
    """
    if isinstance(values, str | Game):
        values = nothing(db).tile(values, middle, max_pile)
    array, first = np.asarray(values), 1
    if isinstance(values, Tile):
        # Excluded positions have no colour.
        array, first = np.ma.masked_less(array, 0), values.first
    if array.ndim != 2 or array.size == 0:
        raise ValueError(f"a tile has two axes, but this array has the shape {array.shape}")
    game, title = (values.game, values._title) if isinstance(values, Tile) else ("", "")
    figure, axes = _axes(ax, (6.4, 5.6), "b", "a", title if game else "")
    begin = first - 0.5
    size = (begin, array.shape[1] + begin, array.shape[0] + begin, begin)
    look: dict[str, Any] = {"extent": size, "interpolation": "nearest"}
    if game and not game_named(game).is_impartial:
        image = axes.imshow(array, cmap=_classes(), vmin=-0.5, vmax=3.5, **look)
        _name_classes(figure.colorbar(image, ax=axes).ax.yaxis)
    else:
        image = axes.imshow(array, cmap=_colours(), vmin=0, vmax=MOST, **look)
        figure.colorbar(image, ax=axes, label="value")
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
    """Draw the row b -> G(w b), or G(w b) - b, which is bounded if the row is periodic.

    Args:
        game: The game, or its name.
        word: The piles w.
        to: The largest b.
        differences: Draw G(w b) - b.
        db: The database with stored values; without it values are computed.
        ax: The axes to draw on; by default those of a new figure.
    """
    piles = _given.word("word", word)
    is_impartial = game_named(game).is_impartial
    if differences and not is_impartial:
        raise GameError(f"positions of {game} have outcome classes, which have no differences")
    values = nothing(db).row(game, piles, to).astype(np.int64)
    # With ``piles: places`` a row begins at b = 0. Leave out positions that the rules exclude.
    b = np.arange(to + 1 - len(values), to + 1)
    b, values = b[values >= 0], values[values >= 0]
    name = ",".join([*map(str, piles), "b"])
    label = f"G({name})" + (" - b" if differences else "")
    label = label if is_impartial else f"outcome class of {name}"
    figure, axes = _axes(ax, (8.0, 3.6), "b", label, f"{name} in {game}")
    axes.plot(b, values - b if differences else values, ".", markersize=3 if to > 200 else 5)
    if not is_impartial:
        _name_classes(axes.yaxis)
    axes.grid(alpha=0.3)
    return figure


def moves(
    game: GameLike,
    position: PositionLike,
    *,
    db: Database | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Draw the value of each option over the number of coins that the move leaves in the pile.

    A winning move has a ring.

    Args:
        game: The game, or its name.
        position: The position, as `Database.moves` takes it.
        db: The database with stored values; without it values are computed.
        ax: The axes to draw on; by default those of a new figure.
    """
    of = position_of(game, position)
    is_impartial = game_named(of.game).is_impartial
    label = f"{'value' if is_impartial else 'outcome class'} of the option"
    title = f"moves of {of} in {of.game}"
    figure, axes = _axes(ax, (7.0, 4.0), "coins left in the pile", label, title)
    ends = {"left": "leftmost pile", "right": "rightmost pile", "both": "both ends"}
    found = nothing(db).moves(game, of)
    kinds: dict[str, list[Move]] = {}
    for move in found:
        end = ends.get(move.end, f"pile of {move.before}")
        kinds.setdefault(end if move.player == "either" else move.player, []).append(move)

    def draw(some: Sequence[Move], **look: Any) -> None:
        axes.plot([move.after for move in some], [move._place for move in some], "o", **look)

    for who, some in kinds.items():
        draw(some, label=who, alpha=0.8)
    if found.winning:
        draw(found.winning, ms=14, mfc="none", mec="k", label="wins")
    if not is_impartial:
        _name_classes(axes.yaxis)
    axes.grid(alpha=0.3)
    if kinds:
        axes.legend()
    return figure


def counts(level: Level, *, ax: Axes | None = None) -> Figure:
    """Draw how often each value occurs in a level.

    Args:
        level: A level, as returned by `Database.level`.
        ax: The axes to draw on; by default those of a new figure.
    """
    if not isinstance(level, Level):
        raise TypeError(
            f"this is {_given.shown(level)}, which is not a level; db.level() returns one"
        )

    def count(block: Any) -> Any:
        return block.weight * np.bincount(block.values)

    def add(left: Any, right: Any) -> Any:
        short, long = sorted((left, right), key=len)
        joined = long.copy()
        joined[: len(short)] += short
        return joined

    found = level.sweep(count, fold=add, reversals=False)
    is_impartial = game_named(level.game).is_impartial
    label = "value" if is_impartial else "outcome class"
    figure, axes = _axes(ax, (7.0, 3.6), label, "positions", level.table)
    if found is not None:
        last = int(np.flatnonzero(found)[-1])
        axes.bar(np.arange(last + 1), found[: last + 1])
    if not is_impartial:
        _name_classes(axes.xaxis)
    return figure


def _axes(
    ax: Axes | None, size: tuple[float, float], x: str, y: str, title: str
) -> tuple[Figure, Axes]:
    if ax is None:
        plt = _pyplot()
        figure, axes = plt.subplots(figsize=size, layout="constrained")
        # Close the figure. A notebook shows the returned figure, and would show an open one twice.
        plt.close(figure)
    else:
        figure, axes = cast(Any, ax.figure), ax
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if title:
        axes.set_title(title)
    return figure, axes
