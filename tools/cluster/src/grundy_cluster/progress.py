"""What the user sees while it runs: how much is done, how fast, how long still."""

from __future__ import annotations

import sys
import time
from collections import deque
from typing import TextIO

# Seconds between lines where standard error is no terminal.
_QUIET = 30.0


def span(seconds: float) -> str:
    """Write a time as people do: `42 s`, `3 min 20 s`, `5 h 10 min`, `12 days`."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 48 * 3600:
        return f"{whole // 3600} h {whole % 3600 // 60} min"
    return f"{whole / 86400:.0f} days"


class Progress:
    """Counts tasks and the core seconds that they were thought to take."""

    def __init__(self, tasks: int, work: float, stream: TextIO | None = None) -> None:
        """Begin with nothing done of so many tasks and so much work."""
        self._stream = stream or sys.stderr
        self._terminal = self._stream.isatty()
        self._tasks, self._work = tasks, work
        self._done, self._worked = 0, 0.0
        now = time.monotonic()
        self._begun = now
        self._shown = 0.0 if self._terminal else now
        self._recent: deque[tuple[float, float]] = deque([(now, 0.0)], maxlen=200)
        self._width = 0

    def done(self, work: float) -> None:
        """One task is done, for good."""
        self._done += 1
        self._worked += work
        self._recent.append((time.monotonic(), self._worked))

    def line(self, workers: int) -> str:
        """Write the state as one line."""
        now = time.monotonic()
        since, had = self._recent[0]
        elapsed = max(now - since, 1e-9)
        rate = (self._worked - had) / elapsed
        parts = [f"{self._done} of {self._tasks} tasks", f"{workers} workers"]
        minutes = max(now - self._begun, 1e-9) / 60
        parts.append(f"{self._done / minutes:.1f} a minute")
        if rate > 0 and self._done < self._tasks:
            parts.append(f"{span((self._work - self._worked) / rate)} left")
        return ", ".join(parts)

    def show(self, workers: int, now: bool = False) -> None:
        """Show the line, if it is time to."""
        pause = 0.5 if self._terminal else _QUIET
        if not now and time.monotonic() - self._shown < pause:
            return
        self._shown = time.monotonic()
        text = self.line(workers)
        if self._terminal:
            self._stream.write("\r" + text.ljust(self._width))
            self._width = len(text)
        else:
            self._stream.write(f"{text}\n")
        self._stream.flush()

    def say(self, text: str) -> None:
        """Say something in a line of its own."""
        if self._terminal and self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._width = 0
        self._stream.write(f"grundy-cluster: {text}\n")
        self._stream.flush()
