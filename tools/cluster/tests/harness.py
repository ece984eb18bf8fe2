"""Drivers, schedulers and workers as real processes on loopback, and small programs for them."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import psutil
import pytest
from distributed import Client

Call = Callable[..., "subprocess.CompletedProcess[str]"]
Wrong = Callable[..., str]
Reference = Callable[[tuple[str, ...]], dict[str, bytes]]

# What a program does that is wrong: words of a shell.
STONE = 'echo "grundy: there is a stone in the works" >&2; exit 2'
FULL = 'echo "grundy: cannot write 1.zst: No space left on device (os error 28)" >&2; exit 2'
LIE = """"$REAL" "$@" || exit; while [ "$1" != --results ]; do shift; done
sed -i 's/"result": {"/"result": {"x/' "$2"/*.json; exit"""


def wait_for(what: str, condition: Callable[[], object], seconds: float = 300) -> None:
    """Wait until something is so; the time is a limit against hanging, not a measurement."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, f"waited for {what} in vain"
        time.sleep(0.05)


def leave_out(why: str) -> None:
    """Skip a test, and say so; fail where nothing may be left out."""
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


def needs(*programs: str) -> None:
    """Leave the test out if a program is missing."""
    for program in programs:
        if not shutil.which(program):
            leave_out(f"there is no {program} here")


def script(path: Path, text: str) -> str:
    """Write a program for a shell."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def contents(db: Path) -> dict[str, bytes]:
    """Give all files of a database, but for its lock."""
    files = (path for path in db.rglob("*") if path.is_file() and path.name != "lock")
    return {str(path.relative_to(db)): path.read_bytes() for path in files}


def sleep(seconds: int) -> str:
    """Give the words of a shell that sleeps, unless it is told to stop."""
    return f"sleep {seconds} & trap 'kill $!; exit 143' TERM; wait $!; trap - TERM"


def once(file: Path, words: str) -> str:
    """Give the words of a shell that does something once."""
    return f'if mkdir "{file}" 2>/dev/null; then {words}; fi'


def start(
    *words: object, env: Mapping[str, str] | None = None, log: Path | None = None
) -> subprocess.Popen[str]:
    """Start `grundy-cluster`; its output goes to pipes, or to a file."""
    command = [sys.executable, "-m", "grundy_cluster", *map(str, words)]
    everything = {**os.environ, **(env or {})}
    with log.open("a") if log else contextlib.nullcontext(subprocess.PIPE) as out:
        return subprocess.Popen(command, env=everything, stdout=out, stderr=out, text=True)


class Cluster:
    """A scheduler and workers, each a process that can be killed."""

    def __init__(self, folder: Path) -> None:
        self.file, self.log = folder / "scheduler.json", folder / "cluster.log"
        self.env: dict[str, str] = {}
        self.scheduler: subprocess.Popen[str] | None = None
        self.workers: list[subprocess.Popen[str]] = []
        self.environments: list[Mapping[str, str]] = []

    def start(self, *environments: Mapping[str, str]) -> Cluster:
        self.start_scheduler()
        self.environments += environments
        self.workers += [self.worker(env) for env in environments]
        return self

    def start_scheduler(self) -> None:
        self.file.unlink(missing_ok=True)
        words = ("scheduler", "--scheduler-file", self.file, "--port", "0")
        self.scheduler = start(*words, env=self.env, log=self.log)

    def worker(self, env: Mapping[str, str]) -> subprocess.Popen[str]:
        words = ("worker", "--scheduler-file", self.file, "--death-timeout", "300")
        return start(*words, env={**self.env, **env}, log=self.log)

    def wait_for_workers(self, count: int) -> None:
        """Wait until so many workers have come; they start one by one."""
        wait_for("the scheduler", self.file.exists)
        with Client(scheduler_file=str(self.file), timeout=300) as client:
            client.wait_for_workers(count, timeout=300)

    def replace(self, index: int) -> None:
        """Kill a worker, whatever is left of it, and start another."""
        kill_tree(self.workers[index])
        self.workers[index] = self.worker(self.environments[index])

    def tasks(self) -> list[psutil.Process]:
        """Give the processes of tasks that run."""
        return [task for worker in self.workers for task in found(worker.pid, is_task)]

    def process(self, index: int) -> psutil.Process:
        """Give the process that works, below the one that restarts it."""
        return found(self.workers[index].pid, lambda words: "spawn_main" in " ".join(words))[0]

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            if process:
                kill_tree(process)


def tree(number: int) -> list[psutil.Process]:
    """Give a process and all that it started."""
    with contextlib.suppress(psutil.Error):
        return [psutil.Process(number), *psutil.Process(number).children(recursive=True)]
    return []


def is_task(words: list[str]) -> bool:
    return "task" in words and "grundy-task" not in words


def found(number: int, matches: Callable[[list[str]], bool]) -> list[psutil.Process]:
    """Give those of a process and all that it started whose command line matches."""
    some = []
    for process in tree(number):
        with contextlib.suppress(psutil.Error):
            if matches(process.cmdline()):
                some.append(process)
    return some


def kill_tree(process: subprocess.Popen[str]) -> None:
    """Kill a process and all that it started; a node that loses power asks nobody."""
    for one in tree(process.pid):
        with contextlib.suppress(psutil.Error):
            one.kill()
    process.wait()


def listening(number: int) -> set[str]:
    """Give the addresses that a process, and all that it started, listens on."""
    addresses = set()
    for process in tree(number):
        with contextlib.suppress(psutil.Error):
            for one in process.net_connections("inet"):
                if one.status == psutil.CONN_LISTEN:
                    addresses.add(str(one.laddr.ip))
    return addresses
