"""The error that ends a run, and the turns that are taken before it is raised."""

import time
from collections.abc import Iterator


class ClusterError(Exception):
    """Something the user can mend; its text is one sentence that says what and where."""


def tries(seconds: float, pause: float) -> Iterator[None]:
    """Give turns with a pause between them until the time is over; there is always one."""
    until = time.monotonic() + seconds
    yield
    while time.monotonic() < until:
        time.sleep(pause)
        yield
