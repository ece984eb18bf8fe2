"""What can go wrong.

Each is a `GrundyError`, and what Python has for such a thing, too: its bases say what.
A number of the wrong type is a `TypeError`; Ctrl-C is a `KeyboardInterrupt`.
"""


class GrundyError(Exception):
    """Any error of this package.

    Args:
        what: The sentence that says what is wrong, where, and what to do.
        position: The position it is about, or None.
        table: The id of the table, as in ``end-nim/n64/k5``, or None.
        file: The file, or None.
    """

    position: str | None
    table: str | None
    file: str | None

    def __init__(
        self,
        what: str,
        *,
        position: str | None = None,
        table: str | None = None,
        file: str | None = None,
    ) -> None:
        super().__init__(what)
        self.position, self.table, self.file = position, table, file
        if isinstance(self, OSError):
            object.__setattr__(self, "filename", file)

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class GameError(GrundyError, ValueError):
    """There is no such game, or it has no such thing, as values in a partizan game."""


class PositionError(GrundyError, ValueError):
    """What was given is no position of the game."""


class SizeError(GrundyError, ValueError, IndexError):
    """There is no table, level, tile or range of this size."""


class StatementError(GrundyError, ValueError):
    """A statement that cannot be read, or has no value at some position."""


class ClaimError(GrundyError, ValueError):
    """There is no such claim."""


class PlaceError(GrundyError, ValueError):
    """What was given as an address is none."""


class LimitError(GrundyError, RuntimeError):
    """It takes more memory or time than is allowed."""


class DamagedError(GrundyError, OSError):
    """A file of the database whose bytes are wrong."""


class AccessError(GrundyError, OSError):
    """A file that may not be read, or cannot."""


class MissingError(GrundyError, FileNotFoundError):
    """A file or folder that is not there."""


class FetchError(GrundyError, ConnectionError):
    """A server cannot be reached, or does not give what it should."""


class StoppedError(GrundyError, RuntimeError):
    """Stopped before the end."""


class InternalError(GrundyError, RuntimeError):
    """A mistake of this program. Please report it."""
