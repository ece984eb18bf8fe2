"""Runs the program `grundy`.

Only the program knows the games. This package uses five of its commands: `--version`, `tasks`,
`task`, `finish --left` and `finish`.

A task runs under a shell that holds a pipe to this process. If the process dies in any way, the
pipe closes and the shell ends the task, so no task outlives its worker. The task has its own
session, so that Ctrl-C on a terminal reaches only the driver.
"""

import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from grundy_cluster.contract import Task, lines, read_tasks
from grundy_cluster.errors import ClusterError

# A shell script that runs the command "$@", and ends the command if standard input closes.
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

# The number of characters to keep from the end of a message. The error is at the end.
_MESSAGE = 4000

# Part of the program's message when other processes are writing into the database.
LOCKED = "is running in"


def find(program: str) -> str:
    """Return the path of the program, or report that it is missing."""
    path = shutil.which(program)
    if path is None:
        raise ClusterError(
            f"the program '{program}' was not found; put grundy on the PATH (`cargo install --path "
            "tools/grundy`) or give --program PATH"
        )
    return str(Path(path).absolute())


def version(program: str) -> str:
    """Return the program's name and version, as in `grundy 0.1.0`."""
    path = find(program)
    done = _run([path, "--version"])
    words = done.stdout.strip()
    if done.returncode != 0 or not words.startswith("grundy "):
        raise ClusterError(f"'{path} --version' does not name grundy: {words[:80]!r}")
    return words.splitlines()[0]


def tasks(program: str, kind: str, options: Sequence[str], parts: int | None) -> list[Task]:
    """Return the tasks of a command: exactly `parts`, if this number is given."""
    exactly = [] if parts is None else ["--parts", str(parts)]
    return read_tasks(_ask(program, ["tasks", kind, *exactly, *options]))


def left(program: str, some: Sequence[Task], place: list[str]) -> set[str]:
    """Return the ids of the tasks in `some` that have no valid result."""
    printed = _ask(program, ["finish", "--left", "--file", "-", *place], lines(some))
    named = read_tasks(printed) if printed.strip() else []
    return {task.id for task in named} & {task.id for task in some}


def finish(program: str, file: Path, options: Sequence[str]) -> tuple[int, str]:
    """Run `grundy finish`, which prints results; return its exit code and its error message."""
    command = [find(program), "finish", "--file", str(file), *options]
    sys.stdout.flush()
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    return done.returncode, done.stderr.strip()


def do(program: str, file: Path, options: Sequence[str]) -> tuple[str, str]:
    """Run the task in the file; return its outcome, and the error message, if any."""
    command = [find(program), "task", "--file", str(file), *options]
    with subprocess.Popen(
        ["/bin/sh", "-c", _WHILE_OPEN, "grundy-task", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    ) as process:
        assert process.stderr
        said = ""
        while some := process.stderr.read(_MESSAGE):
            said = (said + some)[-_MESSAGE:]
        said = said.strip()
        code = process.wait()
    if code == 0:
        return "done", ""
    killed = -code if code < 0 else code - 128
    if killed in set(signal.Signals):
        return "lost", f"its process was ended by {signal.Signals(killed).name}"
    return "failed", said or f"exit code {code}, without a message"


def _ask(program: str, words: list[str], text: str = "") -> str:
    """Return the output of the program. If the program reports an error, the run ends."""
    done = _run([find(program), *words], text)
    if done.returncode != 0:
        said = done.stderr.strip().removeprefix("grundy: ")
        raise ClusterError(said or f"`grundy {' '.join(words[:2])}` failed")
    return done.stdout


def _run(command: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command, input=text, capture_output=True, text=True, errors="replace", check=False
        )
    except OSError as error:
        raise ClusterError(f"cannot run '{command[0]}': {error.strerror}") from error
