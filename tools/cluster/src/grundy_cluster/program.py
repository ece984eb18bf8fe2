"""Runs `grundy`.

Everything that is known about games is known to the program; this package knows its five
commands: `--version`, `tasks`, `task`, `finish --left`, `finish`.

A task runs under a shell that holds a pipe to this process: when the process dies, whatever it
dies of, the pipe closes and the shell ends the task, so that none goes on that nobody waits for.
It runs in a session of its own, so that Ctrl-C on a terminal reaches the driver alone.
"""

import functools
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from grundy_cluster.contract import Order, Task, lines, read_tasks
from grundy_cluster.errors import ProgramError

# Runs "$@" as long as standard input is open.
_WHILE_OPEN = """
exec 3<&0
"$@" 3<&- &
task=$!
( read -r _ <&3; kill -TERM $task; sleep 5; kill -KILL $task ) >/dev/null 2>&1 &
watch=$!
exec 3<&-
wait $task
code=$?
kill -KILL $watch 2>/dev/null
exit $code
"""

# How much of a message is kept: its end, which says what was wrong.
_MESSAGE = 4000


@dataclass(frozen=True, slots=True)
class Place:
    """The folders of results and of tables, as `task` and `finish` are told of them."""

    results: Path
    db: Path
    elsewhere: bool = False  # shards lie in an object store; their digests are in the results

    def options(self) -> list[str]:
        """Give them as `grundy` wants them."""
        options = ["--results", str(self.results), "--db", str(self.db)]
        return [*options, "--from-results"] if self.elsewhere else options


def find(program: str) -> str:
    """Give the path of the program, or say that it is not there."""
    path = shutil.which(program)
    if path is None:
        raise ProgramError(
            f"there is no program '{program}' here; put grundy on the PATH (`cargo install --path "
            "tools/grundy`) or say --program PATH"
        )
    return str(Path(path).absolute())


def version(program: str) -> str:
    """Give what it calls itself, as in `grundy 0.1.0`."""
    path = find(program)
    about = Path(path).stat()
    return _version(path, about.st_mtime_ns, about.st_size)


@functools.lru_cache
def _version(path: str, _changed: int, _size: int) -> str:
    done = _run([path, "--version"])
    words = done.stdout.strip()
    if done.returncode != 0 or not words.startswith("grundy "):
        raise ProgramError(f"'{path} --version' does not say that it is grundy: {words[:80]!r}")
    return words.splitlines()[0]


def tasks(
    program: str, kind: str, options: Sequence[str], parts: int, node: Sequence[str] = ()
) -> list[Task]:
    """Ask for the tasks of a command; `node` has the options of who asks."""
    # Before what was typed: it may have a `--`, after which nothing is an option.
    done = _run([find(program), "tasks", kind, "--parts", str(parts), *node, *options])
    if done.returncode != 0:
        raise ProgramError(_said(done.stderr, f"`grundy tasks {kind}` failed"))
    return read_tasks(done.stdout)


def left(program: str, some: Iterable[Task], place: Place) -> set[str]:
    """Give the ids, of these tasks, that have no valid result."""
    asked = list(some)
    if not asked:
        return set()
    command = [find(program), "finish", "--file", "-", "--left", *place.options()]
    done = _run(command, lines(asked))
    if done.returncode != 0:
        raise ProgramError(_said(done.stderr, "`grundy finish --left` failed"))
    if not done.stdout.strip():
        return set()
    return {task.id for task in read_tasks(done.stdout)} & {task.id for task in asked}


def finish(program: str, file: Path, place: Place, as_json: bool) -> tuple[int, str]:
    """Publish or merge, to our standard output; give the exit code and what went wrong."""
    command = [find(program), "finish", "--file", str(file), *place.options()]
    if as_json:
        command.append("--json")
    sys.stdout.flush()
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    return done.returncode, done.stderr.strip()


def do(order: Order, file: Path, place: Place) -> tuple[str, str]:
    """Do the task whose line is in the file; give an outcome of an answer, and a message."""
    command = [find(order.program), "task", "--file", str(file), "--id", order.task.id]
    command += [*place.options(), "--json", *order.options]
    with subprocess.Popen(
        ["/bin/sh", "-c", _WHILE_OPEN, "grundy-task", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stderr is not None
        said = b""
        while piece := process.stderr.read1(1 << 16):  # type: ignore[attr-defined]
            said = (said + piece)[-_MESSAGE:]
        code = process.wait()
    if code == 0:
        return "done", ""
    killed = -code if code < 0 else code - 128
    if killed in set(signal.Signals):
        return "lost", f"its process was ended by {signal.Signals(killed).name}"
    message = said.decode(errors="replace").strip()
    return "failed", message or f"exit code {code}, without a message"


def is_locked(message: str) -> bool:
    """Say whether the program refused because others write into the database."""
    return "at work in" in message


def _run(command: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, input=text, capture_output=True, text=True, errors="replace", check=False
        )
    except OSError as error:
        raise ProgramError(f"'{command[0]}' cannot be run: {error.strerror}") from error


def _said(message: str, otherwise: str) -> str:
    message = message.strip()
    return message.removeprefix("grundy: ") if message else otherwise
