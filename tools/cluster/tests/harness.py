"""What the tests share: drivers, schedulers and workers as real processes on loopback."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import psutil
from distributed import Client

DOUBLE = Path(__file__).with_name("double.py")
Call = Callable[..., "subprocess.CompletedProcess[str]"]
COMMAND = (sys.executable, "-m", "grundy_cluster")


def wait_for(what: str, condition: Callable[[], object], seconds: float = 300) -> None:
    """Wait until something is so; the time is a limit against hanging, not a measurement."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, f"waited for {what} in vain"
        time.sleep(0.05)


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, **more}


def run(
    *words: object,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    limit: float = 600,
) -> subprocess.CompletedProcess[str]:
    """Run `grundy-cluster` to its end."""
    return subprocess.run(
        [*COMMAND, *map(str, words)],
        env={**os.environ, **(env or {})},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=limit,
        check=False,
    )


def start(
    *words: object, env: Mapping[str, str] | None = None, log: Path | None = None
) -> subprocess.Popen[str]:
    """Start `grundy-cluster`; its output goes to pipes, or to a file."""
    out = log.open("a") if log else subprocess.PIPE
    process = subprocess.Popen(
        [*COMMAND, *map(str, words)],
        env={**os.environ, **(env or {})},
        stdout=out,
        stderr=subprocess.STDOUT if log else subprocess.PIPE,
        text=True,
    )
    if log and not isinstance(out, int):
        out.close()
    return process


class Cluster:
    """A scheduler and workers, each a process that can be killed."""

    def __init__(self, folder: Path, options: tuple[str, ...] = ()) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.log = folder / "cluster.log"
        self.options = options
        self.scheduler: subprocess.Popen[str] | None = None
        self.workers: list[subprocess.Popen[str]] = []
        self.environments: list[Mapping[str, str]] = []
        self.ttl = "60s"

    def start(self, *environments: Mapping[str, str]) -> Cluster:
        self.start_scheduler()
        for env in environments:
            self.add(env)
        return self

    def wait_for_workers(self, count: int) -> None:
        """Wait until so many workers have come; they start one by one."""
        wait_for("the scheduler", self.file.exists)
        with Client(scheduler_file=str(self.file), timeout=300) as client:
            client.wait_for_workers(count, timeout=300)

    def start_scheduler(self) -> None:
        self.file.unlink(missing_ok=True)
        env = {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": self.ttl}
        words = ("scheduler", "--scheduler-file", self.file, "--port", "0", *self.options)
        self.scheduler = start(*words, env=env, log=self.log)

    def add(self, env: Mapping[str, str]) -> None:
        words = ("worker", "--scheduler-file", self.file, *self.options)
        self.workers.append(start(*words, env=env, log=self.log))
        self.environments.append(env)

    def replace(self, index: int) -> None:
        """Kill a worker, whatever is left of it, and start another."""
        kill_tree(self.workers[index].pid)
        self.workers[index].wait()
        words = ("worker", "--scheduler-file", self.file, *self.options)
        self.workers[index] = start(*words, env=self.environments[index], log=self.log)

    def tasks(self, index: int | None = None) -> list[psutil.Process]:
        """Give the processes of tasks that run, of one worker or of all."""
        some = self.workers if index is None else [self.workers[index]]
        found = []
        for worker in some:
            with contextlib.suppress(psutil.Error):
                for child in psutil.Process(worker.pid).children(recursive=True):
                    with contextlib.suppress(psutil.Error):
                        words = child.cmdline()
                        if "task" in words and "grundy-task" not in words:
                            found.append(child)
        return found

    def process(self, index: int) -> psutil.Process | None:
        """Give the process that works, below the one that restarts it."""
        with contextlib.suppress(psutil.Error):
            for child in psutil.Process(self.workers[index].pid).children():
                with contextlib.suppress(psutil.Error):
                    if any("spawn_main" in word for word in child.cmdline()):
                        return child
        return None

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            if process:
                kill_tree(process.pid)
                process.wait()


def kill_tree(number: int) -> None:
    """Kill a process and all that it started; a node that loses power asks nobody."""
    with contextlib.suppress(psutil.Error):
        tree = [psutil.Process(number), *psutil.Process(number).children(recursive=True)]
        for process in tree:
            with contextlib.suppress(psutil.Error):
                process.kill()


def listening(number: int) -> set[str]:
    """Give the addresses that a process, and all that it started, listens on."""
    found = set()
    for process in [psutil.Process(number), *psutil.Process(number).children(recursive=True)]:
        with contextlib.suppress(psutil.Error):
            for one in process.net_connections("inet"):
                if one.status == psutil.CONN_LISTEN:
                    found.add(str(one.laddr.ip))
    return found
