"""The lines of `grundy tasks`, and the messages between driver and workers.

A line is made by one program and read by the same program elsewhere: it says its own plan, and
`grundy task` refuses a line that it would not have printed. What is checked here is what this
package itself relies on: that an id is a name and nothing else, that no path leaves its folder,
that lines of different plans do not mix.

Messages are JSON texts. An *order* goes to a worker: a line, and how to do it. An *answer* comes
back: a result file as text, or why there is none. Nothing else crosses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from grundy_cluster.errors import ContractError

FORMAT = 1
KINDS = ("build", "check", "diff", "stats", "verify", "find")

# No message is longer: a result has counts, examples and digests, no tables.
LONGEST = 64 << 20

_ID = re.compile(r"([a-z]+)-([0-9a-f]{16})-([0-9]+)\Z", re.ASCII)
_PLAN = re.compile(r"[0-9a-f]{32}\Z", re.ASCII)


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


def read_task(line: str) -> Task:
    """Read one line, or say what is wrong with it."""
    data = _object(line, "a line of the task file")
    if data.get("format") != FORMAT:
        raise ContractError(
            f"a line of the task file has the format {data.get('format')!r}; this is format "
            f"{FORMAT}: make the file anew with `grundy tasks`"
        )
    name = _text(data, "id")
    plan, kind = _text(data, "plan"), _text(data, "kind")
    parts = _ID.match(name)
    if not parts or not _PLAN.match(plan):
        raise ContractError(f"{name!r} is no id of a task, as in build-0123456789abcdef-00007")
    index, tasks = _count(data, "index"), _count(data, "tasks")
    if (parts[1], parts[2], int(parts[3])) != (kind, plan[:16], index) or index >= tasks:
        raise ContractError(f"the task {name} and what its line says do not agree; was it edited?")
    if kind not in KINDS:
        raise ContractError(f"the task {name} is of the kind {kind!r}, which is unknown here")
    writes = data.get("writes")
    if not isinstance(writes, list) or not all(isinstance(path, str) for path in writes):
        raise ContractError(f"the task {name} does not say what it writes")
    for path in writes:
        check_path(path)
    seconds = data.get("core_seconds", 0)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < 1e18:
        raise ContractError(f"the task {name} takes {seconds!r} core seconds, which is no number")
    return Task(
        line=line.strip(),
        id=name,
        plan=plan,
        program=_text(data, "program"),
        kind=kind,
        index=index,
        tasks=tasks,
        what=_text(data, "what"),
        writes=tuple(writes),
        core_seconds=float(seconds),
        run=_text(data, "run"),
    )


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


def check_path(path: str) -> PurePosixPath:
    """Give a relative path that stays below the folder it is joined to, or refuse it."""
    parts = PurePosixPath(path)
    plain = path and not path.startswith("/") and "\\" not in path and "\0" not in path
    if not plain or any(part in ("..", ".", "") for part in path.split("/")) or ":" in path:
        raise ContractError(f"the path {path!r} leaves its folder")
    return parts


def inside(folder: Path, path: str) -> Path:
    """Join a path to a folder that it must not leave, not even through a link."""
    joined = folder / check_path(path)
    if not joined.resolve().is_relative_to(folder.resolve()):
        raise ContractError(f"the path {path!r} leaves the folder {folder}")
    return joined


@dataclass(frozen=True, slots=True)
class Means:
    """What a task may use of its node, and how."""

    threads: int | None = None
    memory: str | None = None
    isa: str | None = None
    no_mmap: bool = False

    def options(self) -> list[str]:
        """Give them as `grundy` wants them."""
        named = {"--threads": self.threads, "--memory": self.memory, "--isa": self.isa}
        words = [word for name, value in named.items() if value for word in (name, str(value))]
        return [*words, "--no-mmap"] if self.no_mmap else words


@dataclass(frozen=True, slots=True)
class Order:
    """What a worker is asked to do: a task, with which program, where."""

    task: Task
    program: str = "grundy"
    db: str | None = None
    means: Means = Means()
    store: str | None = None
    endpoint: str | None = None

    def text(self) -> str:
        """Write it as JSON."""
        fields: dict[str, Any] = {
            "format": FORMAT,
            "line": self.task.line,
            "program": self.program,
            "db": self.db,
            "threads": self.means.threads,
            "memory": self.means.memory,
            "isa": self.means.isa,
            "no_mmap": self.means.no_mmap,
            "store": self.store,
            "endpoint": self.endpoint,
        }
        return json.dumps(fields)


def read_order(text: str) -> Order:
    """Read an order, on a worker."""
    data = _object(text, "an order")
    threads = data.get("threads")
    no_mmap = data.get("no_mmap")
    is_ours = data.get("format") == FORMAT and isinstance(no_mmap, bool)
    if not is_ours or (threads is not None and type(threads) is not int):
        raise ContractError("the driver is of another version than this worker")
    memory, isa = _optional(data, "memory"), _optional(data, "isa")
    return Order(
        task=read_task(_text(data, "line")),
        program=_text(data, "program"),
        db=_optional(data, "db"),
        means=Means(threads=threads, memory=memory, isa=isa, no_mmap=no_mmap is True),
        store=_optional(data, "store"),
        endpoint=_optional(data, "endpoint"),
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a worker says: exactly one of the first four is there.

    `result` is the text of the result file. `failed` is the message of a task that was tried and
    failed. `lost` says that its process was killed, which is not its fault. `refused` says why
    this worker can do no task at all.
    """

    id: str
    result: str | None = None
    failed: str | None = None
    lost: str | None = None
    refused: str | None = None
    worker: str = ""
    seconds: float = 0.0
    kept: bool = False

    def text(self) -> str:
        """Write it as JSON."""
        fields = {
            "format": FORMAT,
            "id": self.id,
            "result": self.result,
            "failed": self.failed,
            "lost": self.lost,
            "refused": self.refused,
            "worker": self.worker,
            "seconds": self.seconds,
            "kept": self.kept,
        }
        return json.dumps(fields)


def read_answer(text: object) -> Answer:
    """Read what came from a worker, which may be anything."""
    if type(text) is not str or len(text) > LONGEST:
        raise ContractError("a worker answered with something that is no text of an answer")
    data = _object(text, "an answer")
    answer = Answer(
        id=_text(data, "id"),
        result=_optional(data, "result"),
        failed=_optional(data, "failed"),
        lost=_optional(data, "lost"),
        refused=_optional(data, "refused"),
        worker=_text(data, "worker"),
        seconds=float(data["seconds"]) if type(data.get("seconds")) in (int, float) else 0.0,
        kept=data.get("kept") is True,
    )
    said = (answer.result, answer.failed, answer.lost, answer.refused)
    if data.get("format") != FORMAT or sum(part is not None for part in said) != 1:
        raise ContractError("a worker answered with something that is no answer")
    return answer


def _object(text: str, what: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ContractError(f"{what} is no JSON: {text[:60]!r}") from error
    if not isinstance(data, dict):
        raise ContractError(f"{what} is no JSON object: {text[:60]!r}")
    return data


def _text(data: dict[str, Any], name: str) -> str:
    value = data.get(name)
    if type(value) is not str:
        raise ContractError(f"'{name}' is missing, or is no text")
    return value


def _optional(data: dict[str, Any], name: str) -> str | None:
    return None if data.get(name) is None else _text(data, name)


def _count(data: dict[str, Any], name: str) -> int:
    value = data.get(name)
    if type(value) is not int or value < 0:
        raise ContractError(f"'{name}' is missing, or is no count")
    return value
