"""How far long work is: bars of tqdm, or a function that is called."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

# A bool, or a function that is told how much is done, and how much there is.
Progress = bool | Callable[[int, int], object]


@contextmanager
def watched(progress: Progress, total: int, unit: str) -> Iterator[Callable[[int], object] | None]:
    """Give what the work is to call with what is done."""
    if progress is False:
        yield None
        return
    if progress is not True:
        tell = progress
        yield lambda done: tell(min(done, total), total)
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ImportError("progress=True needs tqdm: pip install tqdm") from None
    with tqdm(total=total, unit=unit, unit_scale=True) as bar:
        yield lambda done: bar.update(min(done, total) - bar.n)
