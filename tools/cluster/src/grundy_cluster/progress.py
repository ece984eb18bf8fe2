"""Progress for the user: tasks done, speed, and time left."""

import sys
import time
from collections.abc import Sequence
from datetime import timedelta

from grundy_cluster.contract import Task

# Seconds between two lines of progress if standard error is not a terminal.
_QUIET = 30.0

# Erases the current line of a terminal.
_ERASE = "\r\x1b[K"


def say(text: object) -> None:
    """Print a line. On a terminal it replaces the line of progress."""
    erase = _ERASE * sys.stderr.isatty()
    print(f"{erase}grundy-cluster: {text}", file=sys.stderr, flush=True)


class Progress:
    """Counts tasks and their estimated core seconds."""

    def __init__(self, tasks: Sequence[Task]) -> None:
        self._terminal = sys.stderr.isatty()
        self._tasks, self._work = len(tasks), sum(task.core_seconds for task in tasks)
        self._done, self._worked = 0, 0.0
        self._begun = time.monotonic()
        self._shown = 0.0 if self._terminal else self._begun

    def done(self, task: Task) -> None:
        """Count a finished task."""
        self._done += 1
        self._worked += task.core_seconds

    def show(self, workers: int, now: bool = False) -> None:
        """Show the progress in one line, unless the last line is too recent."""
        if not now and time.monotonic() - self._shown < (0.5 if self._terminal else _QUIET):
            return
        self._shown = time.monotonic()
        took = max(self._shown - self._begun, 1e-9)
        parts = [f"{self._done} of {self._tasks} tasks", f"{workers} worker{'s' * (workers != 1)}"]
        parts.append(f"{60 * self._done / took:.1f} a minute")
        if self._worked > 0 and self._done < self._tasks:
            left = (self._work - self._worked) * took / self._worked
            parts.append(f"{timedelta(seconds=round(min(left, 1e9)))} left")
        begin, end = (_ERASE, "") if self._terminal else ("", "\n")
        print(begin + ", ".join(parts), end=end, file=sys.stderr, flush=True)
