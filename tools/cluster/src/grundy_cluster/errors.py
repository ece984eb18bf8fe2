"""The error that ends a run, and a loop for retries."""

import time
from collections.abc import Iterator


class ClusterError(Exception):
    """An error that the user can correct. Its text is one sentence about the problem."""


def tries(seconds: float, pause: float) -> Iterator[None]:
    """Yield once, and then again and again, with pauses, until the time is over."""
    until = time.monotonic() + seconds
    yield
    while time.monotonic() < until:
        time.sleep(pause)
        yield
