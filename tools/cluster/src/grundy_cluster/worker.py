"""Performs an order on a node: runs its task, and returns an answer.

Each task has its own scratch folder, which is removed afterwards. With Dask the scratch folder lies
in the folder of the worker (`--local-directory`); if a worker is killed, the next worker on the
node removes it. Without Dask it lies in the system's temporary folder ($TMPDIR). The program writes
its output atomically into the shared database folder (`--db`). With an object store it writes into
the scratch folder, from which files are uploaded, the result file last.
"""

import tempfile
import time
from pathlib import Path

from grundy_cluster import program
from grundy_cluster.contract import LONGEST, Answer, Order, Task, read_task
from grundy_cluster.errors import ClusterError, tries
from grundy_cluster.store import Store

# Seconds to wait while another run finishes tables in the same database.
_PATIENCE = 600.0


def perform(order: Order) -> Answer:
    """Perform an order; Dask calls this function.

    Raises an exception only if the process of the task was killed. Dask then repeats the task.
    """
    from distributed import get_worker

    worker = get_worker()
    said = answer(order, str(worker.address), worker.local_directory)
    if said.outcome == "lost":
        raise ChildProcessError(said.text)
    return said


def answer(order: Order, who: str = "", scratch: str | None = None) -> Answer:
    """Run a task and return the answer. Raise an exception only if the order's line is invalid."""
    begun = time.monotonic()
    task = read_task(order.line)
    try:
        found = program.version(order.program)
        if found != task.program:
            raise ClusterError(f"its program is {found}, but the driver's is {task.program}")
    except ClusterError as error:
        return Answer("refused", str(error), who)
    try:
        with tempfile.TemporaryDirectory(prefix="grundy-task-", dir=scratch) as folder:
            outcome, text = _do(order, task, Path(folder))
    except ClusterError as error:
        outcome, text = "failed", str(error)
    except OSError as error:
        outcome, text = "failed", f"cannot use the scratch folder: {error}"
    except Exception as error:
        outcome, text = "failed", f"{type(error).__name__}: {error}"
    return Answer(outcome, text, who, time.monotonic() - begun)


def _do(order: Order, task: Task, folder: Path) -> tuple[str, str]:
    """Return the outcome, with the text of the result or of the error."""
    bucket = Store(order.store, order.endpoint) if order.store else None
    if bucket and (kept := bucket.whole_result(task)) is not None:
        return "kept", kept
    db = Path(order.db) if order.db and not bucket else folder / "db"
    if bucket:
        bucket.fetch_states(task, db)
    file = folder / "task.jsonl"
    file.write_text(task.line + "\n")
    options = ["--results", str(folder), "--db", str(db), "--id", task.id, "--json", *order.options]
    for _ in tries(_PATIENCE, 1.0):
        outcome, said = program.do(order.program, file, options)
        # If another run is finishing tables in this database, wait until that run has ended.
        if program.LOCKED not in said:
            break
    if outcome != "done":
        return outcome, said
    try:
        if (folder / task.result).stat().st_size > LONGEST:
            raise ClusterError(f"the result of {task.id} is longer than {LONGEST >> 20} MiB")
        text = (folder / task.result).read_text()
    except OSError as error:
        raise ClusterError(f"the task {task.id} succeeded but wrote no result") from error
    if bucket:
        bucket.put_task(task, folder, db)
    return "done", text
