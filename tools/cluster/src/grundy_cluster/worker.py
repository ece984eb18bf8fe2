"""What happens on a node: one task, from its order to its answer.

The task works in a scratch folder of its own, under $GRUNDY_SCRATCH or the system's folder for
temporary files, and the folder goes when the task is done. A process that is killed leaves its
folder behind; the next task on the node takes it away. What matters is written by the program
itself, whole or not at all: into the shared database folder (`--db`), or into the scratch folder
and from there to the object store, the result file last.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from grundy_cluster import program, store
from grundy_cluster.contract import LONGEST, Answer, Order, Task, read_order
from grundy_cluster.errors import ClusterError, ContractError, ProgramError

SCRATCH = "GRUNDY_SCRATCH"
_PREFIX = "grundy-task-"

# Seconds to wait for whoever finishes tables in the same database.
_PATIENCE = 600.0

_busy = threading.Lock()


def perform(text: str) -> str:
    """Do what an order says. Never raises: what goes wrong is an answer, too.

    This is the function that Dask calls. It takes a text and gives one.
    """
    who = name()
    try:
        order = read_order(text)
    except ContractError as error:
        return Answer(id="", refused=str(error), worker=who).text()
    task = order.task
    if not _busy.acquire(blocking=False):
        reason = "it does several tasks at once; start it with one thread (--nthreads 1)"
        return Answer(id=task.id, refused=reason, worker=who).text()
    try:
        return answer(order, who).text()
    except Exception as error:
        return Answer(id=task.id, failed=f"{type(error).__name__}: {error}", worker=who).text()
    finally:
        _busy.release()


def name() -> str:
    """Give the name that Dask has for this worker, or host and process."""
    try:
        from distributed import get_worker

        return str(get_worker().address)
    except (ImportError, ValueError):
        return f"{os.uname().nodename}, process {os.getpid()}"


def answer(order: Order, who: str = "") -> Answer:
    """Do a task and say how it went."""
    task = order.task
    begun = time.monotonic()
    try:
        found = program.version(order.program)
    except ProgramError as error:
        return Answer(id=task.id, refused=str(error), worker=who)
    if found != task.program:
        reason = f"its program is {found}, and the driver's is {task.program}"
        return Answer(id=task.id, refused=reason, worker=who)
    try:
        with scratch() as folder:
            said = _do(order, folder)
    except ClusterError as error:
        return Answer(id=task.id, failed=str(error), worker=who)
    except OSError as error:
        message = f"the scratch folder cannot be used: {error}"
        return Answer(id=task.id, failed=message, worker=who)
    kind, value = said
    return Answer(
        id=task.id,
        result=value if kind in ("result", "kept") else None,
        failed=value if kind == "failed" else None,
        lost=value if kind == "lost" else None,
        worker=who,
        seconds=time.monotonic() - begun,
        kept=kind == "kept",
    )


def _do(order: Order, folder: Path) -> tuple[str, str]:
    task = order.task
    bucket = store.Store(order.store, order.endpoint) if order.store else None
    results = folder / "results"
    results.mkdir()
    if bucket and (text := bucket.whole_result(task)) is not None:
        return "kept", text
    db = Path(order.db) if order.db and not bucket else folder / "db"
    file = folder / "task.jsonl"
    file.write_text(task.line + "\n")
    place = program.Place(results, db)
    until = time.monotonic() + _PATIENCE
    while True:
        ended = program.do(order.program, task, file, place, order.means)
        # Somebody finishes another plan in this database, which ends.
        if not program.is_locked(ended.message) or time.monotonic() > until:
            break
        time.sleep(1)
    if ended.signal:
        return "lost", f"its process was ended by {ended.signal}"
    if ended.code == 130:
        return "lost", "its process was interrupted"
    if ended.code != 0:
        return "failed", ended.message or f"exit code {ended.code}, without a message"
    text = read_result(results, task)
    if bucket:
        bucket.put_shards(task, db)
        bucket.put_result(task, text)
    return "result", text


def read_result(results: Path, task: Task) -> str:
    """Read the result file that a task wrote."""
    path = results / task.result
    try:
        if path.stat().st_size > LONGEST:
            raise ContractError(f"the result of {task.id} is longer than any result can be")
        return path.read_text()
    except OSError as error:
        raise ContractError(f"the task {task.id} ended well and wrote no result") from error


@contextmanager
def scratch() -> Iterator[Path]:
    """Make a folder for one task, and take it away afterwards."""
    base = Path(os.environ.get(SCRATCH) or tempfile.gettempdir())
    _sweep(base)
    folder, lock = _locked_folder(base)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _locked_folder(base: Path) -> tuple[Path, int]:
    """Make a folder and hold its lock, which says that it is in use."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
        try:
            lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Another worker may have found it before it was locked, and taken it away.
        if (folder / "lock").exists():
            return folder, lock
        os.close(lock)


def _sweep(base: Path) -> None:
    """Take away folders of tasks whose process is gone: nobody holds their lock."""
    with suppress(OSError):
        for folder in base.glob(f"{_PREFIX}*"):
            with suppress(OSError):
                lock = os.open(folder / "lock", os.O_RDWR | os.O_CLOEXEC)
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder, ignore_errors=True)
                finally:
                    os.close(lock)
