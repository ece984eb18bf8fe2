"""Exhaustive tables of Nim variants, for people who study combinatorial games.

>>> import grundy
>>> db = grundy.open("db")                      # grundy.open() computes every value
>>> db.value("end-nim", (3, 1, 4))
7
>>> db.level("end-nim", 3, 64).to_numpy().shape
(64, 64, 64)
>>> grundy.check("end-nim", "P -> first == last", length=3, max_pile=64).holds
True

Games have the same names as on the command line (`games` lists them). A position is a tuple of
piles, a string (``"20,20/3"``, ``"8{1,3,4}"``) or a `Position`. In look-ups a pile is its number of
coins; in arrays its index is this number minus 1.

Some arguments have the same meaning in all functions:

* ``game``: the game's name, or a `Game`.
* ``length`` and ``max_pile``: the number of piles, and the largest pile.
* ``db``: the database with stored values; without a database all values are computed.
* ``memory``: the memory limit in bytes.
* ``seconds``: the time limit; a request whose estimated time is longer is refused.
* ``threads``: the number of threads; by default one for each core.
* ``progress``: True for a bar (needs tqdm), or a function that is called with the work done and
  the total.
"""

from . import errors, show
from ._grundy import Block, __version__
from .database import Database, Table, Tile, sweep
from .database import open as open
from .errors import (
    AccessError,
    ClaimError,
    DamagedError,
    FetchError,
    GameError,
    GrundyError,
    InternalError,
    LimitError,
    MissingError,
    PlaceError,
    PositionError,
    SizeError,
    StatementError,
    StoppedError,
)
from .levels import Level
from .papers import (
    Claim,
    Claims,
    Row,
    Statement,
    Verdict,
    Verdicts,
    check_certificate,
    claims,
    conjecture34,
    diff,
    periods,
)
from .positions import CLASSES, Answer, Game, Move, Moves, Position, games
from .questions import (
    Checked,
    Found,
    Law,
    Laws,
    Sequence,
    SizesProof,
    Totals,
    check,
    find,
    guess,
    sequence,
    totals,
)
from .theorems import (
    Automaton,
    Family,
    ValueClass,
    ValueClasses,
    classes,
    families,
    prove,
)

# Leave out `open`, because ``from grundy import *`` would replace Python's `open`.
__all__ = [
    "CLASSES",
    "AccessError",
    "Answer",
    "Automaton",
    "Block",
    "Checked",
    "Claim",
    "ClaimError",
    "Claims",
    "DamagedError",
    "Database",
    "Family",
    "FetchError",
    "Found",
    "Game",
    "GameError",
    "GrundyError",
    "InternalError",
    "Law",
    "Laws",
    "Level",
    "LimitError",
    "MissingError",
    "Move",
    "Moves",
    "PlaceError",
    "Position",
    "PositionError",
    "Row",
    "Sequence",
    "SizeError",
    "SizesProof",
    "Statement",
    "StatementError",
    "StoppedError",
    "Table",
    "Tile",
    "Totals",
    "ValueClass",
    "ValueClasses",
    "Verdict",
    "Verdicts",
    "__version__",
    "check",
    "check_certificate",
    "claims",
    "classes",
    "conjecture34",
    "diff",
    "errors",
    "families",
    "find",
    "games",
    "guess",
    "periods",
    "prove",
    "sequence",
    "show",
    "sweep",
    "totals",
]
