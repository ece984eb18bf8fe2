"""The exceptions of this package.

Each exception is a `GrundyError` and also a standard exception. An argument of the wrong type
raises a `TypeError`, and Ctrl-C raises a `KeyboardInterrupt`.
"""

# The number of characters to keep at the beginning and at the end of a long message.
_KEPT = 700


class GrundyError(Exception):
    """Any error of this package.

    Args:
        what: The message, which names the problem and its place, and gives advice.
        position: The position that caused the error, or None.
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
        what = str(self.args[0]) if self.args else ""
        # A message repeats what the caller gave, such as a path, and a page of it helps nobody.
        left_out = len(what) - 2 * _KEPT
        if left_out <= _KEPT:
            return what
        return f"{what[:_KEPT]} [{left_out} characters left out] {what[-_KEPT:]}"


class GameError(GrundyError, ValueError):
    """The game does not exist, or it lacks something that the call needs, such as Grundy values."""


class PositionError(GrundyError, ValueError):
    """The position is invalid in the game."""


class SizeError(GrundyError, ValueError, IndexError):
    """There is no table, level, tile or range of this size."""


class StatementError(GrundyError, ValueError):
    """A statement is invalid, or has no value at some position."""


class ClaimError(GrundyError, ValueError):
    """The claim does not exist."""


class PlaceError(GrundyError, ValueError):
    """The address is invalid."""


class LimitError(GrundyError, RuntimeError):
    """The computation would exceed the limit of memory or time."""


class DamagedError(GrundyError, OSError):
    """A file of the database is damaged."""


class AccessError(GrundyError, OSError):
    """A file cannot be read, for example because of its permissions."""


class MissingError(GrundyError, FileNotFoundError):
    """A file or folder is missing."""


class FetchError(GrundyError, ConnectionError):
    """A server cannot be reached, or sends wrong data."""


class StoppedError(GrundyError, RuntimeError):
    """The work was stopped before its end."""


class InternalError(GrundyError, RuntimeError):
    """An error in this program. Please report it."""
