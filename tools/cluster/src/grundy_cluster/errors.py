"""The error that ends a run, and a loop for retries."""

import time
from collections.abc import Iterator


class ClusterError(Exception):
    """An error that the user can correct; its text is one sentence about the problem."""


def tries(seconds: float, pause: float) -> Iterator[None]:
    """Yield at least once, then with pauses until the time is up."""
    until = time.monotonic() + seconds
    yield
    while time.monotonic() < until:
        time.sleep(pause)
        yield
