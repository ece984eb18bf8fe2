"""Common parts of lists and results: tables in notebooks, and data frames of pandas or polars."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

from . import _pretty

if TYPE_CHECKING:
    import pandas
    import polars


class _Record(Protocol):
    def _cells(self) -> list[str]: ...


R = TypeVar("R", bound=_Record)


class Shown:
    """A result that a notebook shows as a table. By default the table has one line."""

    _head: ClassVar[Sequence[str]]

    def _cells(self) -> list[str]:
        raise NotImplementedError

    def _lines(self) -> list[list[str]]:
        return [self._cells()]

    def _title(self) -> str:
        return ""

    def _strong(self) -> Collection[int]:
        return ()

    def _repr_html_(self) -> str:
        return _pretty.table(self._title(), self._head, self._lines(), self._strong())

    def _repr_latex_(self) -> str:
        return _pretty.latex_table(self._head, self._lines())


class Framed:
    """A result that can also be converted to a data frame."""

    def _columns(self) -> dict[str, Any]:
        raise NotImplementedError

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas DataFrame with the items as rows, in order (needs pandas)."""
        import pandas as pd

        return pd.DataFrame(self._columns())

    def to_polars(self) -> polars.DataFrame:
        """Return a polars DataFrame with the items as rows, in order (needs polars)."""
        import polars as pl

        return pl.DataFrame(self._columns())


class Records(Shown, list[R]):
    """A list of records. A notebook shows it as a table with a line for each record."""

    def _lines(self) -> list[list[str]]:
        return [record._cells() for record in self]


class FramedRecords(Framed, Records[R]):
    """A list of records whose fields are columns; tuples are joined by commas."""

    def _columns(self) -> dict[str, Any]:
        names = [name for name in _fields(self[0]) if name[0] != "_"] if self else []
        return {name: [_plain(getattr(record, name)) for record in self] for name in names}


def _fields(record: Any) -> Sequence[str]:
    return getattr(record, "_fields", None) or list(vars(record))


def _plain(value: object) -> object:
    if hasattr(value, "moves_left"):
        return str(value)
    return ", ".join(map(str, value)) if isinstance(value, tuple) else value
