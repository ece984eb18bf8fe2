"""Task lines of `grundy tasks`, and messages between driver and workers.

One program prints a line, and the same program reads it elsewhere. A line describes its own plan,
and `grundy task` refuses a line that it would not have printed. This module checks only its own
assumptions: ids are plain names, paths stay in their folder, and lines of different plans do not
mix.

Messages are JSON texts. An *order* goes to a worker: a line with options. An *answer* comes back: a
result file as text, or a reason for failure. There are no other messages.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any, TypeVar

from grundy_cluster.errors import ClusterError

T = TypeVar("T")

FORMAT = 1
KINDS = ("build", "check", "diff", "stats", "verify", "find")

# The longest message: a result has counts, examples and digests, but no tables.
LONGEST = 64 << 20

_ID = re.compile(r"([a-z]+)-([0-9a-f]{16})-([0-9]+)\Z", re.ASCII)

# The JSON types of a field's value. Subclasses do not count: true is not a number.
_TYPES: dict[Any, tuple[type, ...]] = {
    str: (str,),
    str | None: (str, type(None)),
    int: (int,),
    float: (int, float),
    tuple[str, ...]: (list,),
}


def _read(kind: type[T], text: str, what: str, **given: str) -> T:
    """Parse a JSON object with the fields of a class; other fields are ignored."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ClusterError(f"{what} is no JSON: {text[:60]!r}") from error
    if not isinstance(data, dict):
        raise ClusterError(f"{what} is no JSON object: {text[:60]!r}")
    if data.get("format") != FORMAT:
        raise ClusterError(
            f"{what} has the format {data.get('format')!r}; this is format {FORMAT}: use the same "
            "versions of grundy and grundy-cluster everywhere"
        )
    data.update(given)
    values = {}
    for field in fields(kind):  # type: ignore[arg-type]
        value = data.get(field.name)
        if type(value) not in _TYPES[field.type]:
            raise ClusterError(f"'{field.name}' is missing in {what}, or is of the wrong type")
        values[field.name] = tuple(value) if isinstance(value, list) else value
    return kind(**values)


@dataclass(frozen=True, slots=True)
class Task:
    """A line of `grundy tasks`."""

    line: str
    id: str
    plan: str
    program: str
    kind: str
    index: int
    tasks: int
    what: str
    writes: tuple[str, ...]
    core_seconds: float
    run: str

    @property
    def result(self) -> str:
        """The name of the result file in the results folder."""
        return f"{self.id}.json"

    @property
    def shards(self) -> tuple[str, ...]:
        """The shards that the task writes, relative to the database; empty except for builds."""
        return self.writes if self.kind == "build" else ()


def read_task(line: str) -> Task:
    """Parse a line, or report its error."""
    task = _read(Task, line, "a line of the task file", line=line.strip())
    parts = _ID.match(task.id)
    if not parts:
        raise ClusterError(f"{task.id!r} is no id of a task, as in build-0123456789abcdef-00007")
    says = (task.kind, task.plan[:16], task.index)
    if (parts[1], parts[2], int(parts[3])) != says or not 0 <= task.index < task.tasks:
        raise ClusterError(
            f"the task {task.id} and what its line says do not agree; was it edited?"
        )
    if task.kind not in KINDS:
        raise ClusterError(f"the task {task.id} is of the kind {parts[1]!r}, which is unknown here")
    for path in task.writes:
        pieces = path.split("/") if isinstance(path, str) else [""]
        if set(pieces) & {"..", ".", ""} or set(str(path)) & set("\\\0:"):
            raise ClusterError(f"the path {path!r} leaves its folder")
    if not 0 <= task.core_seconds < 1e18:
        raise ClusterError(f"the task {task.id} takes no such number of core seconds")
    return task


def read_tasks(text: str) -> list[Task]:
    """Parse all lines of one plan; empty lines are ignored."""
    tasks = [read_task(line) for line in text.splitlines() if line.strip()]
    if not tasks:
        raise ClusterError("there are no tasks in it")
    plans = {task.plan for task in tasks}
    if len(plans) > 1:
        raise ClusterError(
            f"lines of {len(plans)} different plans are mixed; a task file has the lines of one"
        )
    if len({task.id for task in tasks}) != len(tasks):
        raise ClusterError("a task stands in it twice")
    return tasks


def lines(tasks: Iterable[Task]) -> str:
    """Return the text of a task file."""
    return "".join(f"{task.line}\n" for task in tasks)


@dataclass(frozen=True, slots=True)
class Order:
    """The line of a task, and options for the worker."""

    line: str
    program: str = "grundy"
    db: str | None = None
    options: tuple[str, ...] = ()  # of `grundy task`, about threads and memory
    store: str | None = None
    endpoint: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A worker's answer: the outcome of a task, and the text of its result file or an error."""

    id: str
    # `done`, or `kept` if it was done before; `failed` if the program reported an error, `lost` if
    # its process was killed; `refused` if this worker cannot run any task.
    outcome: str
    text: str
    worker: str = ""
    seconds: float = 0.0


def message(one: Order | Answer) -> str:
    """Return an order or an answer as JSON."""
    return json.dumps({"format": FORMAT, **asdict(one)})


def read_order(text: str) -> Order:
    """Parse an order, on a worker."""
    return _read(Order, text, "an order")


def read_answer(text: object) -> Answer:
    """Parse an answer of a worker, which may be any object."""
    if type(text) is not str or len(text) > LONGEST:
        raise ClusterError("a worker answered with something that is no text of an answer")
    return _read(Answer, text, "an answer")
