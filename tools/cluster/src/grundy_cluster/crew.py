"""Who does the tasks, and what happens when that goes wrong.

Dask has at most two tasks for each worker, and lets go of each as it completes: it would do
finished tasks again when the worker that holds their results dies. It finds a worker for each, and
gives the tasks of a worker that died to others.

What can go wrong with a task, and how often before the run stops:

    failed   the program ran and said no, or its result is wrong      3 times
    lost     its process or its worker was killed                    20 times
    refused  the worker has another program, or none                 the worker is left out

A task that failed goes to another worker if there is one. A worker on which tasks fail three times
in a row, while others do theirs, is left out, too: a full disk fails fast, and would draw them all.
"""

import contextlib
import queue
import secrets
import shlex
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from grundy_cluster import worker
from grundy_cluster.cluster import LOSSES, RESOURCE
from grundy_cluster.contract import Answer, Order, Task, read_answer
from grundy_cluster.errors import ClusterError, ContractError
from grundy_cluster.job import Job
from grundy_cluster.progress import Progress

FAILURES = 3

# A task that has run this many times as long as others, at the end of a run, is begun once more.
_STRAGGLES = 4.0


@dataclass(slots=True)
class State:
    """A task that is not done yet, and its history."""

    task: Task
    counts: Counter[str] = field(default_factory=Counter)  # how often it was failed or lost
    avoid: set[str] = field(default_factory=set)
    futures: dict[str, Any] = field(default_factory=dict)  # by Dask's key
    begun: float = 0.0


class Crew:
    """The tasks that are left, and the workers that do them."""

    def __init__(self, job: Job, client: Any, todo: list[Task]) -> None:
        """Begin with nothing sent."""
        self.job, self.client = job, client
        self.address = str(client.scheduler.address)
        self.states = {task.id: State(task) for task in todo}
        # The longest first: they would hold up the end.
        self.queue = deque(sorted(self.states.values(), key=lambda s: -s.task.core_seconds))
        self.flights: dict[str, State] = {}  # by Dask's key
        self.only: dict[str, set[str]] = {}  # by Dask's key: the workers that may do it, if not all
        self.ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.fit: list[str] = []
        self.unfit: dict[str, str] = {}
        self.in_a_row: Counter[str] = Counter()
        self.looked = 0.0
        self.took: deque[float] = deque(maxlen=101)
        self.keys = (f"{secrets.token_hex(4)}.{number}" for number in count())
        job.progress = Progress(len(todo), sum(task.core_seconds for task in todo))

    def work(self) -> None:
        """Do all tasks."""
        link = self.client.dashboard_link
        self.job.progress.say(f"scheduler {self.address}, dashboard {link}")
        try:
            while self.states:
                self._look_around()
                self._send()
                self._collect(0.5)
                self.job.progress.show(len(self.fit))
            self.job.progress.show(len(self.fit), now=True)
        finally:
            with contextlib.suppress(Exception):
                self.client.cancel([s.futures[key] for key, s in self.flights.items()])

    # --- Workers -----------------------------------------------------------------------

    def _look_around(self) -> None:
        """Find the workers; wait for the first, and stop if none is fit."""
        pause = 1.0 if len(self.fit) < 200 else 10.0
        if self.fit and time.monotonic() - self.looked < pause and self.client.status == "running":
            return
        until = time.monotonic() + self.job.settings.timeout
        while True:
            there = self._info()["workers"]
            for name, about in there.items():
                if RESOURCE not in about["resources"]:
                    self._leave_out(
                        name,
                        "it does not say how many tasks it does at once: start it with "
                        f"`grundy-cluster worker`, or with --resources {RESOURCE}=1",
                    )
            self.fit = [name for name in there if name not in self.unfit]
            self.looked = time.monotonic()
            self._free_the_stuck()
            if self.fit or not self.states:
                return
            if time.monotonic() > until:
                reasons = sorted({self.unfit[name] for name in there})
                raise ClusterError(
                    f"no worker is fit for this: {'; '.join(reasons)}"
                    if reasons
                    else f"no worker came in {self.job.settings.timeout:g} seconds; start "
                    "some with `grundy-cluster worker`"
                )
            self._collect(0.3)

    def _info(self) -> Any:
        """Ask the scheduler; wait a little for one that does not answer."""
        until = time.monotonic() + min(self.job.settings.timeout, 15.0)
        while True:
            with contextlib.suppress(Exception):
                if self.client.status == "running":
                    return self.client.scheduler_info(n_workers=-1)
            if time.monotonic() > until or self.client.status in ("closed", "closing"):
                raise ClusterError(
                    f"the scheduler at {self.address} is gone; {self.job.count_done()} of "
                    f"{len(self.job.tasks)} tasks are done: start it again, and the same command "
                    "goes on from there"
                )
            time.sleep(0.3)

    def _free_the_stuck(self) -> None:
        """Put back the tasks of whose workers none is there any more."""
        for key, only in list(self.only.items()):
            if not only & set(self.fit) and (state := self.flights.get(key)):
                self._forget(key).release()
                self._put_back(state)

    def _leave_out(self, name: str, reason: str) -> None:
        if name not in self.unfit:
            self.unfit[name] = reason
            self.fit = [other for other in self.fit if other != name]
            self.job.progress.say(f"the worker {name} is left out: {reason}")

    # --- Sending -----------------------------------------------------------------------

    def _send(self) -> None:
        while self.queue and len(self.flights) < 2 * len(self.fit):
            state = self.queue.popleft()
            if state.task.id in self.states:
                self._submit(state)
        if self.queue or len(self.took) < 3:
            return
        # Tasks that take far longer than others are begun once more; two at once do no harm.
        late = time.monotonic() - max(_STRAGGLES * sorted(self.took)[len(self.took) // 2], 10.0)
        for state in self.states.values():
            if len(self.flights) < len(self.fit) and len(state.futures) == 1 and state.begun < late:
                self._submit(state)

    def _submit(self, state: State) -> None:
        settings, task = self.job.settings, state.task
        order = Order(
            task=task,
            program=settings.worker_program or settings.program,
            db=str(self.job.db) if task.kind in ("build", "verify") or settings.db else None,
            options=settings.of_task(),
            store=settings.store,
            endpoint=settings.endpoint,
        )
        only = [name for name in self.fit if name not in state.avoid] or self.fit
        is_restricted = bool(self.unfit or state.avoid)
        future = self.client.submit(
            worker.perform,
            order.text(),
            key=f"{task.id}.{next(self.keys)}",
            resources={RESOURCE: 1},
            workers=only if is_restricted else None,
            # Others would steal it from these, which are at work.
            allow_other_workers=False,
            pure=False,
        )
        if is_restricted:
            self.only[future.key] = set(only)
        self.flights[future.key] = state
        state.futures[future.key] = future
        state.begun = time.monotonic()
        future.add_done_callback(self.ended.put)

    # --- Collecting --------------------------------------------------------------------

    def _collect(self, seconds: float) -> None:
        """Take what has ended; wait so long for the first."""
        ended = []
        with contextlib.suppress(queue.Empty):
            ended.append(self.ended.get(timeout=seconds))
            while len(ended) < 100:
                ended.append(self.ended.get_nowait())
        results: dict[str, tuple[State, Answer]] = {}
        for future in ended:
            state = self.flights.get(future.key)
            if state is None:
                continue
            self._forget(future.key)
            if state.task.id in self.states:
                answer = _answer(future, state.task)
                if answer is None:
                    self._put_back(state)
                elif answer.outcome in ("done", "kept"):
                    results[state.task.id] = state, answer
                elif answer.outcome == "refused":
                    self._leave_out(answer.worker, answer.text)
                    self._put_back(state)
                else:
                    self._failed(state, answer)
            future.release()
        self._judge(results)

    def _judge(self, results: dict[str, tuple[State, Answer]]) -> None:
        given = [(state.task, answer.text) for state, answer in results.values()]
        for name, wrong in self.job.accept(given).items() if given else ():
            state, answer = results[name]
            if wrong is not None:
                self._failed(state, Answer(name, "failed", wrong, answer.worker))
                continue
            self.took.append(answer.seconds)
            self.in_a_row[answer.worker] = 0
            if state.futures:
                self.client.cancel([self._forget(key) for key in list(state.futures)])
            del self.states[name]

    def _failed(self, state: State, answer: Answer) -> None:
        task, name, is_lost = state.task, answer.worker, answer.outcome == "lost"
        if name in self.unfit:  # it had the task before it was left out
            self._put_back(state)
            return
        state.counts[answer.outcome] += 1
        # A worker without a name is one that Dask saw die that often.
        times = LOSSES if is_lost else FAILURES
        if state.counts[answer.outcome] >= times or (is_lost and not name):
            how = f"was lost {times} times" if is_lost else f"failed {times} times"
            hint = ": is there enough memory?" if is_lost else ""
            raise ClusterError(
                f"the task {task.id} ({task.what}) {how}; the last time: {answer.text}{hint}\n"
                "By hand: " + " ".join([task.run, *map(shlex.quote, self.job.settings.of_node())])
            )
        if not is_lost:
            self.job.progress.say(f"the task {task.id} failed and is done again: {answer.text}")
        if name and not is_lost:
            state.avoid.add(name)
            self.in_a_row[name] += 1
            if self.in_a_row[name] >= FAILURES and set(self.fit) - {name}:
                self._leave_out(name, f"{FAILURES} tasks in a row failed on it; {answer.text}")
        self._put_back(state)

    def _forget(self, key: str) -> Any:
        """Count a task of Dask's no more; give its future."""
        self.only.pop(key, None)
        return self.flights.pop(key).futures.pop(key)

    def _put_back(self, state: State) -> None:
        if not state.futures:
            self.queue.appendleft(state)


def _answer(future: Any, task: Task) -> Answer | None:
    """Read what a future holds; None if it was lost on the way, which is nobody's fault."""
    try:
        if future.status == "finished":
            answer = read_answer(future.result(timeout=20))
            if answer.id not in (task.id, ""):
                raise ContractError("a worker answered for another task")
            return answer
        if future.status == "error":
            reason = future.exception(timeout=5)
            if type(reason).__name__ == "KilledWorker":
                return Answer(task.id, "lost", "its worker died")
            raise ContractError(
                f"{type(reason).__name__}: {reason} (is grundy-cluster of the same version "
                "installed at scheduler and workers?)"
            )
    except (ContractError, TypeError) as error:
        return Answer(task.id, "failed", str(error))
    except Exception:
        return None  # the worker that held it died
    return None
