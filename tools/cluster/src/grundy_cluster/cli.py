"""Parses the command line, which has options for this program and options for `grundy`."""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grundy_cluster import __version__
from grundy_cluster.cluster import become
from grundy_cluster.contract import KINDS, Order, Task, read_tasks
from grundy_cluster.driver import run
from grundy_cluster.errors import ClusterError
from grundy_cluster.files import locked
from grundy_cluster.job import Job
from grundy_cluster.progress import say
from grundy_cluster.settings import Settings
from grundy_cluster.worker import answer

_EXAMPLES = """\
examples:
  grundy-cluster build --local 2 --max-pile 24 --length 6 --games end-nim
      build on two workers of this machine
  grundy-cluster scheduler --scheduler-file s.json --host 10.0.0.1
  grundy-cluster worker    --scheduler-file s.json --host 10.0.0.2
  grundy-cluster diff ch.thm2.2 --length 7 --parts 64 --scheduler-file s.json
      check a theorem on other machines; docs/CLUSTER.md describes TLS
  grundy-cluster check end-nim 'g == 0 -> first == last' --length 3 --local 4
  grundy-cluster build --store s3://bucket/tables --max-pile 64 --scheduler-file s.json
      build into a bucket, for nodes that share no folder

The same command continues a stopped run. Exit codes are those of grundy: 0
success, 1 a mismatch was found, 2 an error, 130 interrupted.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    try:
        return _main(list(sys.argv[1:] if arguments is None else arguments))
    except (ClusterError, OSError) as error:
        say(error)
        return 2
    except KeyboardInterrupt:
        say("stopped")
        return 130


def _main(words: list[str]) -> int:
    if words and words[0] in ("scheduler", "worker"):
        become(words[0], words[1:])
    settings = read(words)
    settings.results = settings.results.absolute()
    settings.db = settings.db.absolute() if settings.db else None
    if settings.threads is None and settings.local is not None:
        settings.threads = max(1, len(os.sched_getaffinity(0)) // settings.local)
    if settings.endpoint and not settings.store:
        raise ClusterError("--endpoint is the server of a store; give --store, too")
    return {"task": _task, "finish": _finish}.get(settings.kind, run)(settings)


# --- Options ------------------------------------------------------------------------------


def _number(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def _seconds(text: str) -> float:
    if not 0 < float(text) < 1e9:
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds to wait")
    return float(text)


# The type of each option, or None for a switch. Each command below adds its own options.
_OPTIONS: dict[str, tuple[Any, str, str]] = {
    "--parts": (_number, "N", "exactly N tasks, of which some may be empty [default: at most 64]"),
    "--results": (Path, "DIR", "the folder of results [default: results]"),
    "--db": (Path, "DIR", "the database folder, which all nodes share [default: db]"),
    "--program": (str, "PATH", "the program grundy on this machine [default: from the PATH]"),
    "--worker-program": (str, "PATH", "the program grundy on the workers [default: --program]"),
    "--threads": (_number, "N", "threads of a task [default: all cores, or with --local a share]"),
    "--memory": (str, "SIZE", "the memory limit of a task, as in 4G"),
    "--isa": (str, "NAME", "the instruction set of the kernels [default: each node's best]"),
    "--no-mmap": (None, "", "read the files of a database instead of mapping them"),
    "--json": (None, "", "print JSON instead of text"),
    "--recheck": (str, "N|P%", "compute N tasks or P percent again before publishing, as in 0.1%"),
    "--seed": (
        int,
        "S",
        "the seed that chooses these tasks [default: a new one, which is printed]",
    ),
    "--store": (str, "URL", "a bucket for shards and results, as in s3://bucket/tables"),
    "--endpoint": (str, "URL", "the address of an S3 server that is not Amazon's"),
    "--timeout": (_seconds, "S", "seconds to wait for the scheduler and workers [default: 60]"),
}


def _add(parser: argparse.ArgumentParser, *names: str, required: Sequence[str] = ()) -> None:
    for name in names:
        read, metavar, told = _OPTIONS[name]
        how: Any = {"type": read, "metavar": metavar} if read else {"action": "store_true"}
        parser.add_argument(name, help=told, required=name in required, **how)


def read(words: Sequence[str]) -> Settings:
    """Separate our options from those of `grundy`; all words after `--` belong to `grundy`."""
    parser = argparse.ArgumentParser(
        prog="grundy-cluster",
        description="Distributes the work of grundy over many machines, with Dask.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"grundy-cluster {__version__}")
    sub = parser.add_subparsers(dest="kind", required=True, metavar="COMMAND")
    # Missing options keep the defaults of `Settings`.
    common: Any = {"allow_abbrev": False, "argument_default": argparse.SUPPRESS}
    for kind in KINDS:
        driven = sub.add_parser(
            kind,
            help=f"grundy {kind}, as tasks on many workers",
            usage=f"grundy-cluster {kind} (--local N | --scheduler ADDRESS | --scheduler-file FILE)"
            f" [options] [arguments and options of grundy {kind}]",
            epilog=f"All other options and arguments go to `grundy tasks {kind}`; `grundy help "
            f"{kind}` lists them.",
            **common,
        )
        where = driven.add_mutually_exclusive_group(required=True)
        where.add_argument("--local", type=_number, metavar="N", help="N workers on this machine")
        where.add_argument(
            "--scheduler", metavar="ADDRESS", help="a scheduler, as in tcp://127.0.0.1:8786"
        )
        where.add_argument("--scheduler-file", type=Path, metavar="FILE", help="a scheduler's file")
        _add(driven, *_OPTIONS)
    sub.add_parser("scheduler", help="start Dask's scheduler, on loopback unless --host is given")
    sub.add_parser("worker", help="start a worker of Dask, which runs one task at a time")
    stored = ("--program", "--store", "--endpoint")
    task = sub.add_parser("task", help="run one task into an object store, without Dask", **common)
    which = task.add_mutually_exclusive_group(required=True)
    which.add_argument("--index", type=int, metavar="I", help="the number of the task, from 0")
    which.add_argument("--id", metavar="ID")
    _add(task, *stored, "--threads", "--memory", "--isa", "--no-mmap", required=["--store"])
    told = "finish tasks whose results are in an object store"
    finish = sub.add_parser("finish", help=told, **common)
    _add(
        finish, *stored, "--results", "--db", "--json", "--recheck", "--seed", required=["--store"]
    )
    for one in (task, finish):
        one.add_argument("--file", type=Path, required=True, metavar="TASKS", help="the tasks")
    at = words.index("--") if "--" in words else len(words)
    settings, passed = parser.parse_known_args(words[:at], Settings())
    settings.options = [*passed, *words[at:]]
    if settings.options and settings.kind not in KINDS:
        parser.error(f"unrecognized arguments: {' '.join(settings.options)}")
    return settings


# --- Commands without a driver ------------------------------------------------------------


def _task(settings: Settings) -> int:
    for task in _tasks(settings.file):
        if task.id == settings.id or task.index == settings.index:
            break
    else:
        raise ClusterError(f"'{settings.file}' contains no such task")
    # Turn SIGTERM from a scheduler into an exception, so that the scratch folder is removed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    options, where = settings.of_task(), (settings.store, settings.endpoint)
    said = answer(Order(task.line, settings.program, None, options, *where))
    if said.outcome not in ("done", "kept"):
        raise ClusterError(f"{task.id}: {said.text}")
    print(f"{task.id}: {said.outcome} in {said.seconds:.1f} s")
    return 0


def _finish(settings: Settings) -> int:
    tasks = _tasks(settings.file)
    settings.kind = tasks[0].kind
    with locked(settings.results):
        return Job(settings, tasks).finish_only()


def _tasks(path: Path) -> list[Task]:
    try:
        return read_tasks(sys.stdin.read() if str(path) == "-" else path.read_text())
    except (OSError, UnicodeDecodeError) as error:
        raise ClusterError(f"cannot read the task file '{path}': {error}") from error
