"""Exhaustive tables of Nim variants, for people who study combinatorial games.

>>> import grundy
>>> db = grundy.open("db")                      # or grundy.open(): nothing stored, all computed
>>> db.value("end-nim", (3, 1, 4))
7
>>> db.level("end-nim", 3, 64).to_numpy().shape
(64, 64, 64)
>>> grundy.check("end-nim", "P -> first == last", length=3, max_pile=64).holds
True

Games are named as on the command line (`games` lists them). A position is a tuple of piles, a text
as in papers (``"20,20/3"``, ``"8{1,3,4}"``) or a `Position`. Piles count from 1 in the mathematics
and in look-ups; arrays have index = pile - 1.

Some arguments mean the same wherever they are:

* ``game``: the game's name, or a `Game`.
* ``length`` and ``max_pile``: how many piles, and the largest of them.
* ``db``: the database where values are read if they are stored; without one all are computed.
* ``memory``: bytes that it may take.
* ``seconds``: what would take longer, as estimated, is refused.
* ``threads``: as many as the machine has cores, if nothing is said.
* ``progress``: True for a bar (needs tqdm), or a function of what is done and of how much there is.
"""

from . import errors, show
from ._grundy import Block, __version__
from .database import Database, Table, Tile, open, sweep
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
    Verdict,
    Verdicts,
    check_certificate,
    claims,
    conjecture34,
    diff,
    periods,
)
from .positions import CLASSES, Answer, Game, Move, Moves, Position, games
from .questions import Checked, Found, Law, Laws, Sequence, check, find, guess, sequence

__all__ = [
    "CLASSES",
    "AccessError",
    "Answer",
    "Block",
    "Checked",
    "Claim",
    "ClaimError",
    "Claims",
    "DamagedError",
    "Database",
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
    "StatementError",
    "StoppedError",
    "Table",
    "Tile",
    "Verdict",
    "Verdicts",
    "__version__",
    "check",
    "check_certificate",
    "claims",
    "conjecture34",
    "diff",
    "errors",
    "find",
    "games",
    "guess",
    "open",
    "periods",
    "sequence",
    "show",
    "sweep",
]
