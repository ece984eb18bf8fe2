"""Gives tasks to workers through Dask, and repeats failed tasks.

Dask chooses the worker of each task. If a worker dies, Dask moves its tasks to other workers. Dask
gives up a task on which 20 workers have died (`allowed-failures`), or 20 processes (`retries`).

Dask would repeat a failed task on the same worker, because that worker is idle. So this module
itself repeats tasks with these outcomes:

    failed   the program reported an error, or its result is wrong; the task goes to another worker
             if possible, and the third failure stops the run
    refused  the worker has a different program, or no program; the worker is excluded

A worker with three failures in a row is excluded too, if there are other workers. For example,
tasks fail fast on a worker with a full disk, so it would get most tasks.

Dask gets at most two tasks for each worker, because a dead worker counts as a failure of all tasks
in its queue. A finished task is released; otherwise Dask could repeat it. A task is sent only when
the tasks that its line names in `after` are done.
"""

import queue
import shlex
import time
from bisect import insort
from collections import Counter, defaultdict, deque
from contextlib import suppress
from dataclasses import dataclass
from pickle import UnpicklingError
from statistics import median
from typing import Any

from grundy_cluster import worker
from grundy_cluster.cluster import LOSSES, RESOURCE
from grundy_cluster.contract import Answer, Order, Task
from grundy_cluster.errors import ClusterError, tries
from grundy_cluster.job import Job
from grundy_cluster.progress import Progress, say

FAILURES = 3

# The errors that can occur when an answer from another version of this package is unpickled.
UNREADABLE = (AttributeError, EOFError, ImportError, TypeError, ValueError, UnpicklingError)

# At the end of a run, a task that takes this many times the median time is started again.
_STRAGGLES = 4.0


@dataclass(frozen=True, slots=True)
class Submission:
    """A task that was sent to Dask, and the workers that may run it (None: all workers)."""

    task: Task
    future: Any
    only: list[str] | None
    begun: float


class Dispatcher:
    """Sends the unfinished tasks to workers, and collects the results."""

    def __init__(self, job: Job, client: Any) -> None:
        todo = [task for task in job.tasks if task.id in job.left]
        self.job, self.client, self.timeout = job, client, job.settings.timeout
        self.address = str(client.scheduler.address)
        self.waiting: list[Task] = []  # can be sent; the task with the longest path is the last
        self.later: defaultdict[str, list[Task]] = defaultdict(list)  # by a task before them
        # The path of a task is its own time and that of the longest chain which waits for it. The
        # longest paths begin first, so that no long task or chain runs alone at the end.
        self.path: defaultdict[str, float] = defaultdict(float)
        for task in reversed(todo):  # `after` names only earlier tasks
            self.path[task.id] += task.core_seconds
            for name in task.after:
                self.path[name] = max(self.path[name], self.path[task.id])
            self._wait(task)
        self.submitted: dict[str, Submission] = {}  # by Dask's key
        self.ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.failed_on: defaultdict[str, list[str]] = defaultdict(list)  # workers, by task
        self.in_a_row: Counter[str] = Counter()  # failures, by worker
        self.fit: list[str] = []
        self.unfit: dict[str, str] = {}  # with the reason
        self.next_look, self.seen = 0.0, time.monotonic()
        self.seconds: deque[float] = deque(maxlen=101)
        self.progress = Progress(todo)

    def work(self) -> None:
        """Run all tasks."""
        say(f"scheduler {self.address}, dashboard {self.client.dashboard_link}")
        while self.job.left:
            self._find_workers()
            self._send()
            self._collect()
            self.progress.show(len(self.fit))
        self.progress.show(len(self.fit), now=True)

    # --- Workers -----------------------------------------------------------------------

    def _find_workers(self) -> None:
        """Find the usable workers; raise an error if none is usable for too long."""
        now = time.monotonic()
        if self.fit and now < self.next_look and self.client.status == "running":
            return
        there = [name for name, one in self._ask().items() if RESOURCE in one["resources"]]
        self.fit = [name for name in there if name not in self.unfit]
        self.next_look = now + (1.0 if len(self.fit) < 200 else 10.0)
        # Take back a task if all its possible workers are gone; otherwise it would wait for ever.
        for key, one in list(self.submitted.items()):
            if one.only and not set(one.only) & set(self.fit):
                self._forget(key)
                self._wait(one.task)
        if self.fit:
            self.seen = now
        elif now - self.seen > self.timeout:
            if reasons := sorted({self.unfit[name] for name in there}):
                raise ClusterError(f"no worker can run these tasks: {'; '.join(reasons)}")
            raise ClusterError(
                f"no worker with the resource {RESOURCE}=1 came within {self.timeout:g} seconds; "
                "start some with `grundy-cluster worker`"
            )

    def _ask(self) -> Any:
        """Ask the scheduler for its workers; retry for a short time if it does not answer."""
        for _ in tries(min(self.timeout, 15.0), 0.3):
            with suppress(Exception):
                if self.client.status == "running":
                    return self.client.scheduler_info(n_workers=-1)["workers"]
            if self.client.status in ("closed", "closing"):
                break
        raise ClusterError(
            f"the scheduler at {self.address} is gone; {self.job.count_done()} are done: start it "
            "again, and the same command continues the run"
        )

    def _exclude(self, name: str, reason: str) -> None:
        if name not in self.unfit:
            self.unfit[name] = reason
            self.fit = [other for other in self.fit if other != name]
            say(f"the worker {name} is excluded: {reason}")

    # --- Sending -----------------------------------------------------------------------

    def _send(self) -> None:
        while len(self.submitted) < 2 * len(self.fit) and (task := self._next()):
            self._submit(task)
        if self.waiting or len(self.seconds) < 3:
            return
        # A task may run twice, because only the first result is used.
        late = time.monotonic() - max(_STRAGGLES * median(self.seconds), 10.0)
        copies = Counter(one.task.id for one in self.submitted.values())
        for one in list(self.submitted.values()):
            is_free = len(self.submitted) < len(self.fit)
            if is_free and copies[one.task.id] == 1 and one.begun < late:
                self._submit(one.task)

    def _next(self) -> Task | None:
        """Take the unfinished task with the longest path from the queue."""
        while self.waiting:
            task = self.waiting.pop()
            if task.id in self.job.left:
                return task
        return None

    def _wait(self, task: Task) -> None:
        """Put a task into the queue, or keep it until the tasks in its `after` are done."""
        for name in task.after:
            if name in self.job.left:
                self.later[name].append(task)
                return
        insort(self.waiting, task, key=lambda one: self.path[one.id])

    def _submit(self, task: Task) -> None:
        settings, avoid = self.job.settings, self.failed_on[task.id]
        order = Order(
            task.line,
            program=settings.worker_program or settings.program,
            db=str(self.job.db) if task.kind == "build" or settings.db else None,
            options=settings.of_task(),
            store=settings.store,
            endpoint=settings.endpoint,
        )
        only = None
        if self.unfit or avoid:
            only = [name for name in self.fit if name not in avoid] or self.fit
        future = self.client.submit(
            worker.perform,
            order,
            resources={RESOURCE: 1},
            retries=LOSSES - 1,
            priority=self.path[task.id],
            workers=only,
            # Keep Dask from moving the task to excluded workers.
            allow_other_workers=False,
            pure=False,
        )
        self.submitted[future.key] = Submission(task, future, only, time.monotonic())
        future.add_done_callback(self.ended.put)

    def _forget(self, key: str) -> None:
        self.submitted.pop(key).future.release()

    # --- Collecting --------------------------------------------------------------------

    def _collect(self) -> None:
        """Take the results of finished tasks; wait at most half a second for the first."""
        ended = []
        with suppress(queue.Empty):
            ended.append(self.ended.get(timeout=0.5))
            while len(ended) < 100:
                ended.append(self.ended.get_nowait())
        results: dict[str, tuple[Task, Answer]] = {}
        for future in ended:
            one = self.submitted.get(future.key)
            if one is None:
                continue
            answer = _answer(future)
            self._forget(future.key)
            if answer is None:
                self._wait(one.task)
            elif answer.outcome in ("done", "kept"):
                results[one.task.id] = one.task, answer
            elif answer.outcome == "refused":
                self._exclude(answer.worker, answer.text)
                self._wait(one.task)
            elif answer.outcome == "lost":
                self._give_up(one.task, f"was lost too often: {answer.text}; is the memory full?")
            else:
                self._repeat(one.task, answer.worker, answer.text)
        if not results:
            return
        wrong = self.job.accept([(task, answer.text) for task, answer in results.values()])
        for name, (task, answer) in results.items():
            if name in wrong:
                self._repeat(task, answer.worker, wrong[name])
                continue
            self.progress.done(task)
            self.seconds.append(answer.seconds)
            self.in_a_row[answer.worker] = 0
            for later in self.later.pop(name, ()):
                self._wait(later)
            for key in [key for key, one in self.submitted.items() if one.task is task]:
                self._forget(key)

    def _repeat(self, task: Task, name: str, reason: str) -> None:
        """Repeat a failed task on another worker, or stop the run."""
        self._wait(task)
        if name in self.unfit:  # the worker got the task before it was excluded
            return
        self.failed_on[task.id].append(name)
        if len(self.failed_on[task.id]) >= FAILURES:
            self._give_up(task, f"failed {FAILURES} times; the last time: {reason}")
        say(f"the task {task.id} failed and is repeated: {reason}")
        self.in_a_row[name] += 1
        if self.in_a_row[name] >= FAILURES and name in self.fit and len(self.fit) > 1:
            self._exclude(name, f"{FAILURES} tasks in a row failed on it; {reason}")

    def _give_up(self, task: Task, why: str) -> None:
        by_hand = " ".join([task.run, *map(shlex.quote, self.job.settings.of_node())])
        raise ClusterError(f"the task {task.id} ({task.what}) {why}\nRun the task: {by_hand}")


def _answer(future: Any) -> Answer | None:
    """Read the answer of a future; None if the answer was lost, so that the task must run again."""
    try:
        if future.status == "finished":
            answer = future.result(timeout=20)
            if not isinstance(answer, Answer):
                raise TypeError(f"the worker answered with a {type(answer).__name__}")
            return answer
        if future.status != "error":
            return None
        error = future.exception(timeout=5)
    except UNREADABLE as unreadable:
        error = unreadable
    except Exception:
        return None  # the worker that held the answer died
    kind = type(error).__name__
    if kind in ("KilledWorker", "ChildProcessError"):
        return Answer("lost", str(error))
    hint = "do the scheduler and the workers have the same version of grundy-cluster?"
    return Answer("failed", f"{kind}: {error} ({hint})")
