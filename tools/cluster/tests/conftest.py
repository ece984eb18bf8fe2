"""Fixtures for the tests: programs with faults, and clusters of real processes."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import psutil
import pytest
from distributed import Client

from grundy_cluster import cli
from grundy_cluster.contract import Task

Call = Callable[..., "subprocess.CompletedProcess[str]"]
Wrong = Callable[..., str]
Reference = Callable[[tuple[str, ...]], dict[str, bytes]]

# LARGE gives nine tasks, of which six build shards of the longest positions; TINY gives six tasks.
LARGE = ("--max-pile", "24", "--length", "6", "--games", "end-nim,misere-end-nim,loop-end-nim")
SMALL = ("--max-pile", "16", "--length", "5", "--games", "end-nim,misere-end-nim,nim")
ENDS = "end-nim,misere-end-nim,loop-end-nim,partizan-end-nim"
# Each task of CHAIN but the first begins with the state that the one before it leaves.
CHAIN = ("--max-pile", "63", "--length", "5", "--games", "exact-nim-5-2", "--outcomes")
TINY = ("--max-pile", "4", "--length", "2", "--games", f"nim,misere-nim,{ENDS}")

# Shell commands of a faulty program.
STONE = 'echo "grundy: a fault for this test" >&2; exit 2'
FULL = 'echo "grundy: cannot write 1.zst: No space left on device (os error 28)" >&2; exit 2'
LIE = """"$REAL" "$@" || exit; while [ "$1" != --results ]; do shift; done
sed -i 's/"result": {"/"result": {"x/' "$2"/*.json; exit"""


def wait_for(what: str, condition: Callable[[], object], seconds: float = 300) -> None:
    """Wait for a condition. The time limit only ends a test that would hang."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, f"the time ended before {what}"
        time.sleep(0.05)


def leave_out(why: str) -> None:
    """Skip a test for a reason; if the variable CI is set, make the test fail."""
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


def needs(*programs: str) -> None:
    """Skip the test if a program is missing."""
    for program in programs:
        if not shutil.which(program):
            leave_out(f"there is no {program} here")


def script(path: Path, text: str) -> str:
    """Write a shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def contents(db: Path) -> dict[str, bytes]:
    """Return all files of a database except its lock."""
    files = (path for path in db.rglob("*") if path.is_file() and path.name != "lock")
    return {str(path.relative_to(db)): path.read_bytes() for path in files}


def sleep(seconds: int) -> str:
    """Return shell commands that sleep until SIGTERM or until the time is over."""
    return f"sleep {seconds} & trap 'kill $!; exit 143' TERM; wait $!; trap - TERM"


def once(file: Path, words: str) -> str:
    """Return shell commands that run `words` only the first time."""
    return f'if mkdir "{file}" 2>/dev/null; then {words}; fi'


def tells(log: Path) -> str:
    """Return shell commands that run the task, and record its begin and its end."""
    return f'echo "begins $*" >>"{log}"; "$REAL" "$@" && echo "ended $*" >>"{log}"; exit'


def check_turns(log: Path, tasks: Iterable[Task]) -> None:
    """Check that each task first began after the tasks in its `after` had ended."""
    told = re.findall(r"^(\w+) .*--(?:index |id \S+-)0*(\d+)", log.read_text(), re.MULTILINE)
    for task in tasks:
        for name in task.after:
            earlier = str(int(name.rpartition("-")[2]))
            assert told.index(("ended", earlier)) < told.index(("begins", str(task.index))), told


def start(
    *words: object, env: Mapping[str, str] | None = None, log: Path | None = None
) -> subprocess.Popen[str]:
    """Start `grundy-cluster` with its output in pipes, or in a file."""
    command = [sys.executable, "-m", "grundy_cluster", *map(str, words)]
    everything = {**os.environ, **(env or {})}
    with log.open("a") if log else contextlib.nullcontext(subprocess.PIPE) as out:
        return subprocess.Popen(command, env=everything, stdout=out, stderr=out, text=True)


# --- Processes ----------------------------------------------------------------------------


def processes(number: int, *words: str) -> list[psutil.Process]:
    """Return the process and descendants whose command lines contain all these words."""
    some = []
    with contextlib.suppress(psutil.Error):
        parent = psutil.Process(number)
        for process in (parent, *parent.children(recursive=True)):
            with contextlib.suppress(psutil.Error):
                if set(words) <= set(process.cmdline()):
                    some.append(process)
    return some


def tasks_below(number: int) -> list[psutil.Process]:
    """Return the running tasks below a process, without the shells that run them."""
    shells = processes(number, "grundy-task")
    return [one for one in processes(number, "task") if one not in shells]


def have_ended(some: list[psutil.Process]) -> bool:
    """Return True if none of the processes runs; a zombie counts as ended."""
    for one in some:
        with contextlib.suppress(psutil.Error):
            if one.is_running() and one.status() != psutil.STATUS_ZOMBIE:
                return False
    return True


def kill_tree(process: subprocess.Popen[str]) -> None:
    """Kill a process and all its descendants, as a power failure does."""
    for one in processes(process.pid):
        with contextlib.suppress(psutil.Error):
            one.kill()
    process.wait()


def listening(number: int) -> set[str]:
    """Return the addresses on which a process or its descendants listen."""
    addresses = set()
    for process in processes(number):
        with contextlib.suppress(psutil.Error):
            for one in process.net_connections("inet"):
                if one.status == psutil.CONN_LISTEN:
                    addresses.add(str(one.laddr.ip))
    return addresses


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
        """Wait until this many workers have connected; they start one by one."""
        wait_for("the scheduler", self.file.exists)
        with Client(scheduler_file=str(self.file), timeout=300) as client:
            client.wait_for_workers(count, timeout=300)

    def replace(self, index: int) -> None:
        """Kill a worker with all its processes, and start another worker."""
        kill_tree(self.workers[index])
        self.workers[index] = self.worker(self.environments[index])

    def tasks(self) -> list[psutil.Process]:
        return [task for worker in self.workers for task in tasks_below(worker.pid)]

    def process(self, index: int) -> psutil.Process:
        """Return the process of a worker. Its parent is the process that restarts the worker."""
        below = processes(self.workers[index].pid)
        return next(one for one in below if "spawn_main" in " ".join(one.cmdline()))

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            if process:
                kill_tree(process)


# --- Fixtures -----------------------------------------------------------------------------


@pytest.fixture(scope="session")
def grundy() -> str:
    """Return the path of the program, which `make cluster-test` compiles."""
    path = shutil.which(os.environ.get("GRUNDY", "grundy"))
    knows = path and not subprocess.run([path, "tasks", "--help"], capture_output=True).returncode
    if not path or not knows:
        leave_out("the program grundy was not found; give its path in $GRUNDY")
    return str(Path(path or "").absolute())


@pytest.fixture
def wrong(tmp_path: Path, grundy: str) -> Wrong:
    """Make a faulty program, which runs shell commands before the command `asked`."""

    def make(text: str, asked: str = "task") -> str:
        number = len(list(tmp_path.glob("wrong*")))
        command = f'REAL="{grundy}"; case $1 in {asked}) {text} ;; esac; exec "$REAL" "$@"'
        return script(tmp_path / f"wrong{number}" / "grundy", command)

    return make


@pytest.fixture(scope="session")
def reference(grundy: str, tmp_path_factory: pytest.TempPathFactory) -> Reference:
    """Return a function that builds tables with one command, and builds each size only once."""
    built: dict[tuple[str, ...], dict[str, bytes]] = {}

    def build(options: tuple[str, ...]) -> dict[str, bytes]:
        if options not in built:
            db = tmp_path_factory.mktemp("reference")
            subprocess.run([grundy, "build", *options, "--db", db], check=True, capture_output=True)
            built[options] = contents(db)
        return built[options]

    return build


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """Yield a cluster that has not been started."""
    one = Cluster(tmp_path)
    yield one
    one.stop()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Yield a cluster of two workers for tests that do not harm it."""
    one = Cluster(tmp_path_factory.mktemp("shared")).start({}, {})
    yield one
    one.stop()


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Call:
    """Return a function that runs `grundy-cluster` in this process, to save time for imports."""

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        capfd.readouterr()
        try:
            code = cli.main([str(word) for word in words])
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 2
        out, err = capfd.readouterr()
        return subprocess.CompletedProcess([], code, out, err)

    return run
