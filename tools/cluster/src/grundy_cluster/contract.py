"""The lines of `grundy tasks`, and the messages between driver and workers.

A line is made by one program and read by the same program elsewhere: it says its own plan, and
`grundy task` refuses a line that it would not have printed. What is checked here is what this
package itself relies on: that an id is a name and nothing else, that no path leaves its folder,
that lines of different plans do not mix.

Messages are JSON texts. An *order* goes to a worker: a line, and how to do it. An *answer* comes
back: a result file as text, or why there is none. Nothing else crosses.
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

# No message is longer: a result has counts, examples and digests, no tables.
LONGEST = 64 << 20

_ID = re.compile(r"([a-z]+)-([0-9a-f]{16})-([0-9]+)\Z", re.ASCII)

# The types that a field's value may have in JSON. No subclass: true is no number.
_TYPES: dict[Any, tuple[type, ...]] = {
    str: (str,),
    str | None: (str, type(None)),
    int: (int,),
    float: (int, float),
    tuple[str, ...]: (list,),
}


def _read(kind: type[T], text: str, what: str, **given: str) -> T:
    """Read a JSON object that has the fields of a class; others are left out."""
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
    """One line of `grundy tasks`."""

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
        """The name of the result file in the folder of results."""
        return f"{self.id}.json"

    @property
    def shards(self) -> tuple[str, ...]:
        """The shards that it writes, relative to the database; only a build has some."""
        return self.writes if self.kind == "build" else ()


def read_task(line: str) -> Task:
    """Read one line, or say what is wrong with it."""
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
    """Read all lines of one plan; empty lines do not count."""
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
    """Write tasks as the text of a task file."""
    return "".join(f"{task.line}\n" for task in tasks)


@dataclass(frozen=True, slots=True)
class Order:
    """The line of a task, and how a worker is to do it."""

    line: str
    program: str = "grundy"
    db: str | None = None
    options: tuple[str, ...] = ()  # of `grundy task`, about threads and memory
    store: str | None = None
    endpoint: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a worker says: what came of a task, and the text of its result file or of a message."""

    id: str
    # `done`, or `kept` where it was done before; `failed` where the program said no, `lost` where
    # its process was killed; `refused` where this worker can do no task at all.
    outcome: str
    text: str
    worker: str = ""
    seconds: float = 0.0


def message(one: Order | Answer) -> str:
    """Write an order or an answer as JSON."""
    return json.dumps({"format": FORMAT, **asdict(one)})


def read_order(text: str) -> Order:
    """Read an order, on a worker."""
    return _read(Order, text, "an order")


def read_answer(text: object) -> Answer:
    """Read what came from a worker, which may be anything."""
    if type(text) is not str or len(text) > LONGEST:
        raise ClusterError("a worker answered with something that is no text of an answer")
    return _read(Answer, text, "an answer")
