"""What was typed: options of this program, and those that are handed on to `grundy`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from grundy_cluster import __version__, simulate
from grundy_cluster.cluster import Tls, Where, become_scheduler, become_worker
from grundy_cluster.contract import KINDS, Means, Order, read_tasks
from grundy_cluster.driver import Job, Settings, run
from grundy_cluster.errors import ClusterError
from grundy_cluster.files import locked
from grundy_cluster.worker import answer

_EXAMPLES = """\
examples:
  grundy-cluster build --local 2 --max-pile 24 --length 6 --games end-nim
      build on two workers of this machine
  grundy-cluster scheduler --scheduler-file s.json --host 10.0.0.1 --tls-ca ca.pem ...
  grundy-cluster worker    --scheduler-file s.json --host 10.0.0.2 --tls-ca ca.pem ...
  grundy-cluster diff ch.thm2.2 --length 7 --parts 64 --scheduler-file s.json --tls-ca ca.pem ...
      check a theorem on other machines
  grundy-cluster check end-nim 'g == 0 -> first == last' --length 3 --local 4
  grundy-cluster build --store s3://bucket/tables --max-pile 64 --scheduler-file s.json
      build into a bucket, where nodes share no folder
  grundy-cluster simulate --core-hours 5000 --cores 100,1000,10000

A run that was stopped, by whatever, goes on with the same command (verify begins
anew: what was found of bytes is of its time). Exit codes are those of
grundy: 0 well, 1 a mismatch was found, 2 an error, 130 interrupted.
"""

_RUN_EXAMPLES = """\
All other options and arguments are handed to `grundy tasks {kind}`; `grundy help {kind}` has them.

examples:
  grundy-cluster {kind} {example} --local 2
  grundy-cluster {kind} {example} --scheduler tcp://127.0.0.1:8786 --parts 200
"""

_EXAMPLE = {
    "build": "--max-pile 24 --length 6 --games end-nim",
    "check": "end-nim 'g <= first + last' --length 4",
    "diff": "ch.thm2.2 --max-pile 64 --length 6",
    "stats": "end-nim --max-pile 64 --length 5",
    "verify": "--full",
    "find": "end-nim 'P and first != last' --length 4",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; give the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _main(words)
    except ClusterError as error:
        print(f"grundy-cluster: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"grundy-cluster: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("grundy-cluster: stopped", file=sys.stderr)
        return 130


def _main(words: list[str]) -> int:
    kind = words[0] if words else ""
    if kind in KINDS:
        own, passed = split(_run_parser(kind), words[1:])
        return run(_settings(kind, _run_parser(kind).parse_args(own), passed))
    parser, commands = _parser()
    if kind in ("scheduler", "worker"):
        own, passed = split(commands[kind], words[1:])
        options = parser.parse_args([kind, *own])
        return _serve(kind, options, passed)
    options = parser.parse_args(words)
    if options.command == "task":
        return _task(options)
    if options.command == "finish":
        return _finish(options)
    return simulate.run(options)


def split(parser: argparse.ArgumentParser, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part options of ours from what is handed on, in order; after `--` all is handed on."""
    actions = {name: action for action in parser._actions for name in action.option_strings}
    own: list[str] = []
    passed: list[str] = []
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return own, [*passed, word, *rest]
        action = actions.get(word.split("=", 1)[0]) if word.startswith("-") else None
        if action is None:
            passed.append(word)
            continue
        own.append(word)
        if action.nargs != 0 and "=" not in word and rest:
            own.append(rest.pop(0))
    return own, passed


# --- Options ------------------------------------------------------------------------------


def _run_parser(kind: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"grundy-cluster {kind}",
        usage=f"grundy-cluster {kind} (--local N | --scheduler ADDRESS | --scheduler-file FILE) "
        "[options] [what grundy takes]",
        description=f"Does `grundy {kind}` as tasks on many workers.",
        epilog=_RUN_EXAMPLES.format(kind=kind, example=_EXAMPLE[kind]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--local", type=_positive, metavar="N", help="N workers on this machine")
    where.add_argument("--scheduler", metavar="ADDRESS", help="as in tcp://127.0.0.1:8786")
    where.add_argument("--scheduler-file", type=Path, metavar="FILE", help="that it writes")
    parser.add_argument(
        "--parts", type=_positive, default=64, metavar="N", help="at most N tasks [default: 64]"
    )
    parser.add_argument(
        "--results", type=Path, default=Path("results"), metavar="DIR", help="[default: results]"
    )
    parser.add_argument(
        "--db", type=Path, metavar="DIR", help="the database folder, shared by all [default: db]"
    )
    parser.add_argument(
        "--program", default="grundy", metavar="PATH", help="grundy, here [default: on the PATH]"
    )
    parser.add_argument(
        "--worker-program", metavar="PATH", help="grundy, on the workers [default: as --program]"
    )
    _means_options(parser, "of a task [default: all cores; with --local, a share of them]")
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")
    _store_options(parser)
    _network_options(parser)
    return parser


def _store_options(parser: argparse.ArgumentParser, required: bool = False) -> None:
    parser.add_argument(
        "--store", metavar="URL", required=required, help="a bucket, as in s3://bucket/tables"
    )
    parser.add_argument("--endpoint", metavar="URL", help="of an S3 server that is not Amazon's")


def _network_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        metavar="ADDRESS",
        help="to listen on; others reach it if it is not loopback [default: 127.0.0.1]",
    )
    parser.add_argument("--tls-ca", type=Path, metavar="FILE", help="certificate of the authority")
    parser.add_argument("--tls-cert", type=Path, metavar="FILE", help="our certificate")
    parser.add_argument("--tls-key", type=Path, metavar="FILE", help="its key")
    parser.add_argument(
        "--timeout",
        type=_seconds,
        default=60.0,
        metavar="S",
        help="to wait for scheduler and workers, in seconds [default: 60]",
    )


def _parser() -> tuple[argparse.ArgumentParser, dict[str, argparse.ArgumentParser]]:
    parser = argparse.ArgumentParser(
        prog="grundy-cluster",
        description="Spreads the work of grundy over many machines, with Dask.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"grundy-cluster {__version__}")
    sub = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for kind in KINDS:
        sub.add_parser(kind, help=f"grundy {kind}, as tasks on many workers")
    commands: dict[str, argparse.ArgumentParser] = {}

    scheduler = sub.add_parser(
        "scheduler",
        help="start a scheduler, on loopback unless --host is given",
        allow_abbrev=False,
    )
    scheduler.add_argument("--scheduler-file", type=Path, metavar="FILE", help="to write")
    scheduler.add_argument("--port", type=int, default=8786, help="[default: 8786; 0: any]")
    _network_options(scheduler)
    commands["scheduler"] = scheduler

    worker = sub.add_parser(
        "worker", help="start a worker, which does one task at a time", allow_abbrev=False
    )
    where = worker.add_mutually_exclusive_group(required=True)
    where.add_argument("--scheduler", metavar="ADDRESS")
    where.add_argument("--scheduler-file", type=Path, metavar="FILE")
    _network_options(worker)
    commands["worker"] = worker

    task = sub.add_parser(
        "task", help="do one task into an object store, without Dask", allow_abbrev=False
    )
    task.add_argument("--file", type=Path, required=True, metavar="TASKS", help="`grundy tasks`")
    which = task.add_mutually_exclusive_group(required=True)
    which.add_argument("--index", type=int, metavar="I", help="counted from 0")
    which.add_argument("--id", metavar="ID")
    task.add_argument("--program", default="grundy", metavar="PATH")
    _means_options(task, "of a task [default: all cores]")
    _store_options(task, required=True)

    finish = sub.add_parser(
        "finish", help="finish tasks whose results are in an object store", allow_abbrev=False
    )
    finish.add_argument("--file", type=Path, required=True, metavar="TASKS")
    finish.add_argument("--results", type=Path, default=Path("results"), metavar="DIR")
    finish.add_argument("--db", type=Path, metavar="DIR")
    finish.add_argument("--program", default="grundy", metavar="PATH")
    finish.add_argument("--json", action="store_true")
    _store_options(finish, required=True)

    simulate.add_options(
        sub.add_parser(
            "simulate",
            help="say what thousands of cores would do",
            description=simulate.__doc__,
            epilog=simulate.EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
    )
    return parser, commands


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def _seconds(text: str) -> float:
    number = float(text)
    if not 0 < number < 1e9:
        raise argparse.ArgumentTypeError(f"{text} is no time to wait")
    return number


def _tls(options: argparse.Namespace) -> Tls | None:
    given = [options.tls_ca, options.tls_cert, options.tls_key]
    if not any(given):
        return None
    if not all(given):
        raise ClusterError("TLS takes all of --tls-ca, --tls-cert and --tls-key")
    return Tls(*(path.absolute() for path in given))


def _where(options: argparse.Namespace) -> Where:
    return Where(
        local=getattr(options, "local", None),
        scheduler=getattr(options, "scheduler", None),
        scheduler_file=options.scheduler_file,
        tls=_tls(options),
        host=options.host,
        timeout=options.timeout,
    )


def _means_options(parser: argparse.ArgumentParser, threads: str) -> None:
    parser.add_argument("--threads", type=_positive, metavar="N", help=threads)
    parser.add_argument("--memory", metavar="SIZE", help="of a task, as in 4G")
    parser.add_argument("--isa", metavar="NAME", help="of the kernels [default: each node's best]")
    parser.add_argument(
        "--no-mmap", action="store_true", help="read the files of a database, do not map them"
    )


def _means(options: argparse.Namespace, threads: int | None) -> Means:
    return Means(threads, options.memory, options.isa, options.no_mmap)


def _settings(kind: str, options: argparse.Namespace, passed: list[str]) -> Settings:
    threads = options.threads
    if threads is None and options.local is not None:
        threads = max(1, len(os.sched_getaffinity(0)) // options.local)
    if options.endpoint and not options.store:
        raise ClusterError("--endpoint says where a store is; it takes --store, too")
    return Settings(
        kind=kind,
        options=tuple(passed),
        where=_where(options),
        parts=options.parts,
        results=options.results.absolute(),
        db=options.db.absolute() if options.db else None,
        program=options.program,
        worker_program=options.worker_program or options.program,
        means=_means(options, threads),
        store=options.store,
        endpoint=options.endpoint,
        as_json=options.json,
    )


# --- Commands without a driver ------------------------------------------------------------


def _serve(kind: str, options: argparse.Namespace, passed: list[str]) -> int:
    if kind == "scheduler":
        become_scheduler(_where(options), options.port, passed)
    become_worker(_where(options), passed)
    return 0


def _task(options: argparse.Namespace) -> int:
    for task in read_tasks(_read(options.file)):
        if task.id == options.id or task.index == options.index:
            break
    else:
        raise ClusterError(f"there is no such task in '{options.file}'")
    said = answer(
        Order(
            task=task,
            program=options.program,
            means=_means(options, options.threads),
            store=options.store,
            endpoint=options.endpoint,
        )
    )
    if said.result is None:
        raise ClusterError(f"{task.id}: {said.failed or said.lost or said.refused}")
    print(f"{task.id}: {'kept' if said.kept else 'done'} in {said.seconds:.1f} s")
    return 0


def _finish(options: argparse.Namespace) -> int:
    tasks = read_tasks(_read(options.file))
    settings = Settings(
        kind=tasks[0].kind,
        options=(),
        where=Where(),
        results=options.results.absolute(),
        db=options.db.absolute() if options.db else None,
        program=options.program,
        store=options.store,
        endpoint=options.endpoint,
        as_json=options.json,
    )
    with locked(settings.results):
        return Job(settings, tasks).finish_only()


def _read(path: Path) -> str:
    try:
        return sys.stdin.read() if str(path) == "-" else path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise ClusterError(f"the task file '{path}' cannot be read: {error}") from error
