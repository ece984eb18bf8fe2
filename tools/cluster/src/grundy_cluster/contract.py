"""Task lines of `grundy tasks`, and messages between driver and workers.

The program itself refuses a line that `grundy tasks` would not print. So this module checks only
the fields that it uses. File names contain the id of a task, so an id must be a plain name.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from grundy_cluster.errors import ClusterError

FORMAT = 1
KINDS = ("build", "check", "diff")

# The maximum length of a result in bytes. Results contain no tables.
LONGEST = 64 << 20

_ID = re.compile(r"[a-z]+-[0-9a-f]{16}-[0-9]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Task:
    """A line of `grundy tasks`."""

    line: str
    id: str
    program: str
    kind: str
    index: int
    what: str
    after: tuple[str, ...]  # the tasks that should end before this one begins
    states: tuple[str, ...]  # the files of the database with which the task may begin
    writes: tuple[str, ...]
    core_seconds: float
    run: str

    @property
    def plan(self) -> str:
        """The name of the task's plan: the id without the index."""
        return self.id.rpartition("-")[0]

    @property
    def result(self) -> str:
        """The name of the result file in the results folder."""
        return f"{self.id}.json"

    @property
    def shards(self) -> tuple[str, ...]:
        """The shards that the task writes, relative to the database; empty unless it is a build."""
        return self.writes if self.kind == "build" else ()


def parsed(text: str | bytes) -> Any:
    """Parse JSON, and refuse a member that is written twice, because parsers disagree about it."""

    def distinct(members: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in members}) < len(members):
            raise ValueError("a member is written twice")
        return dict(members)

    return json.loads(text, object_pairs_hook=distinct)


def read_task(line: str) -> Task:
    """Parse a line, or raise an error that quotes it."""
    try:
        data = parsed(line)
        if data["format"] != FORMAT or not _ID.fullmatch(data["id"]):
            raise ValueError(f"format {data['format']}, id {data['id']!r}")
        plain = {name: data[name] for name in ("id", "program", "kind", "index", "what", "run")}
        lists = (data.get("after", ()), data.get("begins", ()), data["writes"])
        after, states, writes = (tuple(map(str, some)) for some in lists)
        plain |= {"after": after, "states": states, "writes": writes}
        return Task(line.strip(), core_seconds=float(data["core_seconds"]), **plain)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ClusterError(
            f"this is not a line of `grundy tasks`: {line[:60]!r} ({type(error).__name__}: "
            f"{error}); use the same versions of grundy and grundy-cluster everywhere"
        ) from error


def read_tasks(text: str) -> list[Task]:
    """Parse all lines; empty lines are ignored."""
    tasks = [read_task(line) for line in text.splitlines() if line.strip()]
    if not tasks:
        raise ClusterError("the file contains no tasks")
    return tasks


def lines(tasks: Iterable[Task]) -> str:
    """Return the text of a task file."""
    return "".join(f"{task.line}\n" for task in tasks)


@dataclass(frozen=True, slots=True)
class Order:
    """An order to a worker: the line of a task, and options."""

    line: str
    program: str = "grundy"
    db: str | None = None
    options: tuple[str, ...] = ()  # of `grundy task`, about threads and memory
    store: str | None = None
    endpoint: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A worker's answer: the outcome of a task, and the text of its result file or of an error."""

    # `done`; `kept` if the task was done before; `failed` if the program reported an error; `lost`
    # if its process was killed; `refused` if the worker cannot run any task.
    outcome: str
    text: str
    worker: str = ""
    seconds: float = 0.0
