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
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from grundy_cluster.errors import ContractError

FORMAT = 1
KINDS = ("build", "check", "diff", "stats", "verify", "find")

# No message is longer: a result has counts, examples and digests, no tables.
LONGEST = 64 << 20

_ID = re.compile(r"([a-z]+)-([0-9a-f]{16})-([0-9]+)\Z", re.ASCII)
_PLAN = re.compile(r"[0-9a-f]{32}\Z", re.ASCII)
_OPTIONAL = (str, type(None))
_NUMBER = (int, float)

# The fields of each kind of text that are read here, with their types.
_LINE: dict[str, Any] = {"format": int, "id": str, "plan": str, "program": str, "kind": str}
_LINE |= {"index": int, "tasks": int, "what": str, "writes": list, "run": str}
_LINE |= {"core_seconds": _NUMBER}
_ORDER: dict[str, Any] = {"format": int, "line": str, "program": str, "db": _OPTIONAL}
_ORDER |= {"options": list, "store": _OPTIONAL, "endpoint": _OPTIONAL}
_ANSWER: dict[str, Any] = {"format": int, "id": str, "outcome": str, "text": str, "worker": str}
_ANSWER |= {"seconds": _NUMBER}


def _read(text: str, what: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Read a JSON object that has these fields; others are left out."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ContractError(f"{what} is no JSON: {text[:60]!r}") from error
    if not isinstance(data, dict):
        raise ContractError(f"{what} is no JSON object: {text[:60]!r}")
    if data.get("format") != FORMAT:
        raise ContractError(
            f"{what} has the format {data.get('format')!r}; this is format {FORMAT}: use the same "
            "versions of grundy and grundy-cluster everywhere"
        )
    for name, types in fields.items():
        # No subclass: true is no number.
        if type(data.get(name)) not in (types if isinstance(types, tuple) else (types,)):
            raise ContractError(f"'{name}' is missing in {what}, or is of the wrong type")
    return {name: data[name] for name in fields if name != "format"}


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
    data = _read(line, "a line of the task file", _LINE)
    name, index = data["id"], data["index"]
    parts = _ID.match(name)
    if not parts or not _PLAN.match(data["plan"]):
        raise ContractError(f"{name!r} is no id of a task, as in build-0123456789abcdef-00007")
    says = (data["kind"], data["plan"][:16], index)
    if (parts[1], parts[2], int(parts[3])) != says or not 0 <= index < data["tasks"]:
        raise ContractError(f"the task {name} and what its line says do not agree; was it edited?")
    if data["kind"] not in KINDS:
        raise ContractError(f"the task {name} is of the kind {parts[1]!r}, which is unknown here")
    for path in data["writes"]:
        check_path(path)
    if not 0 <= data["core_seconds"] < 1e18:
        raise ContractError(f"the task {name} takes no such number of core seconds")
    return Task(line=line.strip(), **{**data, "writes": tuple(data["writes"])})


def read_tasks(text: str) -> list[Task]:
    """Read all lines of one plan; empty lines do not count."""
    tasks = [read_task(line) for line in text.splitlines() if line.strip()]
    if not tasks:
        raise ContractError("there are no tasks in it")
    plans = {task.plan for task in tasks}
    if len(plans) > 1:
        raise ContractError(
            f"lines of {len(plans)} different plans are mixed; a task file has the lines of one"
        )
    if len({task.id for task in tasks}) != len(tasks):
        raise ContractError("a task stands in it twice")
    return tasks


def lines(tasks: Iterable[Task]) -> str:
    """Write tasks as the text of a task file."""
    return "".join(f"{task.line}\n" for task in tasks)


def check_path(path: object) -> PurePosixPath:
    """Give a relative path that stays below the folder it is joined to, or refuse it."""
    parts = path.split("/") if isinstance(path, str) else [""]
    if set(parts) & {"..", ".", ""} or set(str(path)) & set("\\\0:"):
        raise ContractError(f"the path {path!r} leaves its folder")
    return PurePosixPath(*parts)


def inside(folder: Path, path: str) -> Path:
    """Join a path to a folder that it must not leave, not even through a link."""
    joined = folder / check_path(path)
    if not joined.resolve().is_relative_to(folder.resolve()):
        raise ContractError(f"the path {path!r} leaves the folder {folder}")
    return joined


@dataclass(frozen=True, slots=True)
class Order:
    """A task, and how a worker is to do it."""

    task: Task
    program: str = "grundy"
    db: str | None = None
    options: tuple[str, ...] = ()  # of `grundy task`, about threads and memory
    store: str | None = None
    endpoint: str | None = None

    def text(self) -> str:
        """Write it as JSON."""
        fields = {name: getattr(self, name) for name in self.__slots__ if name != "task"}
        return json.dumps({"format": FORMAT, "line": self.task.line, **fields})


def read_order(text: str) -> Order:
    """Read an order, on a worker."""
    data = _read(text, "an order", _ORDER)
    options = tuple(map(str, data.pop("options")))
    return Order(read_task(data.pop("line")), options=options, **data)


# What came of a task: its result was made, or was there before; the program said no; its process
# was killed, which is not its fault; or this worker can do no task at all.
OUTCOMES = ("done", "kept", "failed", "lost", "refused")


@dataclass(frozen=True, slots=True)
class Answer:
    """What a worker says: what came of a task, and the text of its result file or of a message."""

    id: str
    outcome: str
    text: str
    worker: str = ""
    seconds: float = 0.0

    def message(self) -> str:
        """Write it as JSON."""
        return json.dumps({"format": FORMAT, **asdict(self)})


def read_answer(message: object) -> Answer:
    """Read what came from a worker, which may be anything."""
    if type(message) is not str or len(message) > LONGEST:
        raise ContractError("a worker answered with something that is no text of an answer")
    answer = Answer(**_read(message, "an answer", _ANSWER))
    if answer.outcome not in OUTCOMES:
        raise ContractError("a worker answered with something that is no answer")
    return answer
