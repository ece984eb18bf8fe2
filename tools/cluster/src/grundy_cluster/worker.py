"""What happens on a node: one task, from its order to its answer.

The task works in a scratch folder of its own, which goes when the task is done. It lies in the
folder that Dask gives each worker (`--local-directory`), which the next worker on the node takes
away if a worker was killed; without Dask it lies where the system has temporary files ($TMPDIR).
What matters is written by the program itself, whole or not at all: into the shared database folder
(`--db`), or into the scratch folder and from there to the object store, the result file last.
"""

import tempfile
import time
from pathlib import Path

from grundy_cluster import program, store
from grundy_cluster.contract import LONGEST, Answer, Order, Task, read_order
from grundy_cluster.errors import ClusterError, ContractError, ProgramError

# Seconds to wait for whoever finishes tables in the same database.
_PATIENCE = 600.0


def perform(text: str) -> str:
    """Do what an order says. Never raises: what goes wrong is an answer, too.

    This is the function that Dask calls. It takes a text and gives one.
    """
    from distributed import get_worker

    worker = get_worker()
    who = str(worker.address)
    try:
        order = read_order(text)
    except ContractError as error:
        return Answer("", "refused", str(error), who).message()
    return answer(order, who, worker.local_directory).message()


def answer(order: Order, who: str = "", scratch: str | None = None) -> Answer:
    """Do a task and say how it went."""
    begun = time.monotonic()
    try:
        found = program.version(order.program)
        if found != order.task.program:
            raise ProgramError(f"its program is {found}, and the driver's is {order.task.program}")
    except ProgramError as error:
        return Answer(order.task.id, "refused", str(error), who)
    try:
        with tempfile.TemporaryDirectory(prefix="grundy-task-", dir=scratch) as folder:
            outcome, text = _do(order, Path(folder))
    except ClusterError as error:
        outcome, text = "failed", str(error)
    except OSError as error:
        outcome, text = "failed", f"the scratch folder cannot be used: {error}"
    except Exception as error:
        outcome, text = "failed", f"{type(error).__name__}: {error}"
    return Answer(order.task.id, outcome, text, who, time.monotonic() - begun)


def _do(order: Order, folder: Path) -> tuple[str, str]:
    """Give the outcome, and the text of the result or what went wrong."""
    task = order.task
    bucket = store.Store(order.store, order.endpoint) if order.store else None
    if bucket and (kept := bucket.whole_result(task)) is not None:
        return "kept", kept
    place = program.Place(
        folder / "results", Path(order.db) if order.db and not bucket else folder / "db"
    )
    place.results.mkdir()
    file = folder / "task.jsonl"
    file.write_text(task.line + "\n")
    until = time.monotonic() + _PATIENCE
    while True:
        outcome, message = program.do(order, file, place)
        # Somebody finishes another plan in this database, which ends.
        if not program.is_locked(message) or time.monotonic() > until:
            break
        time.sleep(1)
    if outcome != "done":
        return outcome, message
    text = _read_result(place.results, task)
    if bucket:
        bucket.put_shards(task, place.db)
        bucket.put_result(task, text)
    return "done", text


def _read_result(results: Path, task: Task) -> str:
    path = results / task.result
    try:
        if path.stat().st_size > LONGEST:
            raise ContractError(f"the result of {task.id} is longer than any result can be")
        return path.read_text()
    except OSError as error:
        raise ContractError(f"the task {task.id} ended well and wrote no result") from error
