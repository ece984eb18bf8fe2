"""How far long work is: bars of tqdm, or a function that is called."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

# A bool, or a function that is told how much is done, and how much there is.
Progress = bool | Callable[[int, int], object]


@contextmanager
def watched(progress: Progress, total: int, unit: str) -> Iterator[Callable[[int], object] | None]:
    """Give what the work is to call with what is done."""
    if progress is False or progress is None:
        yield None
        return
    if progress is not True and not callable(progress):
        raise TypeError(f"progress is {progress!r}, which is neither a bool nor a function")
    if progress is not True:
        tell = progress
        # Without a total it is not known how much there is. What is done may be counted in values,
        # of which one stands for two positions; all is done when it is done.
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
