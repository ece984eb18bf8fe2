"""Assignment of tasks to workers, and handling of failures.

Dask gets at most two tasks for each worker, and each is released on completion; otherwise Dask
would repeat finished tasks if the worker with their results dies. Dask chooses the worker for each
task, and reassigns the tasks of a dead worker.

These failures can happen to a task, each a number of times before the run stops:

    failed   the program reported an error, or its result is wrong      3 times
    lost     its process or its worker was killed                    20 times
    refused  the worker has a different program, or none              the worker is excluded

A failed task goes to a different worker if possible. A worker with three failures in a row is
excluded as well, if there are others: a full disk fails fast, and would attract all tasks.
"""

import queue
import shlex
import time
from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from grundy_cluster import worker
from grundy_cluster.cluster import LOSSES, RESOURCE
from grundy_cluster.contract import Answer, Order, Task, message, read_answer
from grundy_cluster.errors import ClusterError, tries
from grundy_cluster.job import Job
from grundy_cluster.progress import Progress, say

FAILURES = 3

# A task that takes this many times the median, at the end of a run, is started once more.
_STRAGGLES = 4.0


@dataclass(slots=True)
class State:
    """An unfinished task, and its history."""

    task: Task
    counts: Counter[str] = field(default_factory=Counter)  # how often it was failed or lost
    avoid: set[str] = field(default_factory=set)
    flights: int = 0  # how often Dask has it now
    begun: float = 0.0


@dataclass(slots=True)
class Flight:
    """A task submitted to Dask, and its allowed workers; None allows all."""

    state: State
    future: Any
    only: list[str] | None


class Crew:
    """The unfinished tasks, and their workers."""

    def __init__(self, job: Job, client: Any) -> None:
        """Start with no task submitted."""
        todo = [task for task in job.tasks if task.id in job.left]
        self.job, self.client, self.timeout = job, client, job.settings.timeout
        self.address = str(client.scheduler.address)
        self.states = {task.id: State(task) for task in todo}
        # Longest first, so that no long task runs alone at the end.
        self.queue = deque(sorted(self.states.values(), key=lambda s: -s.task.core_seconds))
        self.flights: dict[str, Flight] = {}  # by Dask's key
        self.ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.fit: list[str] = []
        self.unfit: dict[str, str] = {}
        self.in_a_row: Counter[str] = Counter()
        self.looked = 0.0
        self.took: deque[float] = deque(maxlen=101)
        self.progress = Progress(todo)

    def work(self) -> None:
        """Run all tasks."""
        say(f"scheduler {self.address}, dashboard {self.client.dashboard_link}")
        try:
            while self.states:
                self._look_around()
                self._send()
                self._collect(0.5)
                self.progress.show(len(self.fit))
            self.progress.show(len(self.fit), now=True)
        finally:
            with suppress(Exception):
                self.client.cancel([flight.future for flight in self.flights.values()])

    # --- Workers -----------------------------------------------------------------------

    def _look_around(self) -> None:
        """Find the workers; wait for the first one, and stop if none is fit."""
        pause = 1.0 if len(self.fit) < 200 else 10.0
        if self.fit and time.monotonic() - self.looked < pause and self.client.status == "running":
            return
        for _ in tries(self.timeout, 0.0):
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
            # Tasks restricted to workers that have gone would wait for ever.
            for flight in list(self.flights.values()):
                if flight.only and not set(flight.only) & set(self.fit):
                    self._land(flight).release()
                    self._put_back(flight.state)
            if self.fit or not self.states:
                return
            self._collect(0.3)
        if reasons := sorted({self.unfit[name] for name in there}):
            raise ClusterError(f"no worker is fit for this: {'; '.join(reasons)}")
        raise ClusterError(
            f"no worker came in {self.timeout:g} seconds; start some with `grundy-cluster worker`"
        )

    def _info(self) -> Any:
        """Ask the scheduler; retry for a short time if it does not answer."""
        for _ in tries(min(self.timeout, 15.0), 0.3):
            with suppress(Exception):
                if self.client.status == "running":
                    return self.client.scheduler_info(n_workers=-1)
            if self.client.status in ("closed", "closing"):
                break
        raise ClusterError(
            f"the scheduler at {self.address} is gone; {self.job.count_done()} are done: start it "
            "again, and the same command goes on from there"
        )

    def _leave_out(self, name: str, reason: str) -> None:
        if name not in self.unfit:
            self.unfit[name] = reason
            self.fit = [other for other in self.fit if other != name]
            say(f"the worker {name} is left out: {reason}")

    # --- Sending -----------------------------------------------------------------------

    def _send(self) -> None:
        while self.queue and len(self.flights) < 2 * len(self.fit):
            state = self.queue.popleft()
            if state.task.id in self.states:
                self._submit(state)
        if self.queue or len(self.took) < 3:
            return
        # A task that takes far longer than others is started once more; running it twice is
        # harmless.
        late = time.monotonic() - max(_STRAGGLES * sorted(self.took)[len(self.took) // 2], 10.0)
        for state in self.states.values():
            if len(self.flights) < len(self.fit) and state.flights == 1 and state.begun < late:
                self._submit(state)

    def _submit(self, state: State) -> None:
        settings, task = self.job.settings, state.task
        order = Order(
            task.line,
            program=settings.worker_program or settings.program,
            db=str(self.job.db) if task.kind in ("build", "verify") or settings.db else None,
            options=settings.of_task(),
            store=settings.store,
            endpoint=settings.endpoint,
        )
        only = None
        if self.unfit or state.avoid:
            only = [name for name in self.fit if name not in state.avoid] or self.fit
        future = self.client.submit(
            worker.perform,
            message(order),
            resources={RESOURCE: 1},
            workers=only,
            # Otherwise Dask could move it to excluded workers.
            allow_other_workers=False,
            pure=False,
        )
        self.flights[future.key] = Flight(state, future, only)
        state.flights += 1
        state.begun = time.monotonic()
        future.add_done_callback(self.ended.put)

    # --- Collecting --------------------------------------------------------------------

    def _collect(self, seconds: float) -> None:
        """Collect finished futures; wait this many seconds for the first."""
        ended = []
        with suppress(queue.Empty):
            ended.append(self.ended.get(timeout=seconds))
            while len(ended) < 100:
                ended.append(self.ended.get_nowait())
        results: dict[str, tuple[State, Answer]] = {}
        for future in ended:
            flight = self.flights.get(future.key)
            if flight is None:
                continue
            self._land(flight)
            state = flight.state
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
        if results:
            self._judge(results)

    def _judge(self, results: dict[str, tuple[State, Answer]]) -> None:
        wrong = self.job.accept([(state.task, answer.text) for state, answer in results.values()])
        for name, (state, answer) in results.items():
            if name in wrong:
                self._failed(state, replace(answer, outcome="failed", text=wrong[name]))
                continue
            self.progress.done(state.task)
            self.took.append(answer.seconds)
            self.in_a_row[answer.worker] = 0
            if state.flights:
                others = [one for one in self.flights.values() if one.state is state]
                self.client.cancel([self._land(one) for one in others])
            del self.states[name]

    def _failed(self, state: State, answer: Answer) -> None:
        task, name, is_lost = state.task, answer.worker, answer.outcome == "lost"
        if name in self.unfit:  # it had the task before it was left out
            self._put_back(state)
            return
        state.counts[answer.outcome] += 1
        # Dask itself gave up a task if its worker has no name.
        times = LOSSES if is_lost else FAILURES
        if state.counts[answer.outcome] >= times or (is_lost and not name):
            how = f"was lost {times} times" if is_lost else f"failed {times} times"
            if is_lost and not name:
                how = "was lost as often as distributed.scheduler.allowed-failures lets it be"
            hint = ": is there enough memory?" if is_lost else ""
            raise ClusterError(
                f"the task {task.id} ({task.what}) {how}; the last time: {answer.text}{hint}\n"
                "By hand: " + " ".join([task.run, *map(shlex.quote, self.job.settings.of_node())])
            )
        if not is_lost:
            say(f"the task {task.id} failed and is done again: {answer.text}")
        if name and not is_lost:
            state.avoid.add(name)
            self.in_a_row[name] += 1
            if self.in_a_row[name] >= FAILURES and set(self.fit) - {name}:
                self._leave_out(name, f"{FAILURES} tasks in a row failed on it; {answer.text}")
        self._put_back(state)

    def _land(self, flight: Flight) -> Any:
        """Forget a submitted task; return its future."""
        flight.state.flights -= 1
        return self.flights.pop(flight.future.key).future

    def _put_back(self, state: State) -> None:
        if not state.flights:
            self.queue.appendleft(state)


def _answer(future: Any, task: Task) -> Answer | None:
    """Read the answer of a future; None if it was lost through no fault of the task."""
    try:
        if future.status == "finished":
            answer = read_answer(future.result(timeout=20))
            if answer.id not in (task.id, ""):
                raise ClusterError("a worker answered for another task")
            return answer
        if future.status == "error":
            reason = future.exception(timeout=5)
            if type(reason).__name__ == "KilledWorker":
                return Answer(task.id, "lost", "its worker died")
            raise ClusterError(
                f"{type(reason).__name__}: {reason} (is grundy-cluster of the same version "
                "installed at scheduler and workers?)"
            )
    except (ClusterError, TypeError) as error:
        return Answer(task.id, "failed", str(error))
    except Exception:
        return None  # the worker that held it died
    return None
