"""Progress of long work: bars of tqdm, or a function to call."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from . import _given

# True for a bar, False for no bar, or a function to call with the work done and the total.
Progress = bool | Callable[[int, int], object]


@contextmanager
def watched(progress: Progress, total: int, unit: str) -> Iterator[Callable[[int], object] | None]:
    """Yield a function to call with the amount of work done, or None if no progress is wanted."""
    if progress is False or progress is None:
        yield None
        return
    if progress is not True and not callable(progress):
        raise TypeError(
            f"progress is {_given.shown(progress)}, which is neither a bool nor a function"
        )
    if progress is not True:
        tell = progress
        # A total of 0 means that the total is unknown. One value may stand for two positions, so
        # the count of values may stay below the total. So report the total at the end.
        yield lambda done: tell(min(done, total) if total else done, total)
        if total:
            tell(total, total)
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        raise ImportError("progress=True needs tqdm: pip install tqdm") from None
    with tqdm(total=total or None, unit=unit, unit_scale=True) as bar:
        yield lambda done: bar.update((min(done, total) if total else done) - bar.n)
        if total:
            bar.update(total - bar.n)
