"""The tasks that are left, and the workers that do them.

Dask has the tasks that are being done and a few more, no others, and forgets each as it completes:
it would do finished tasks again when the worker that holds their results dies. Which worker does a
task is Dask's business, but for workers that were found unfit, which are left out.

What can go wrong with a task, and how often before the run stops:

    failed   the program ran and said no, or its result is wrong      3 times
    lost     its process or its worker was killed                    20 times
    refused  the worker has another program, or none                 the worker is left out

A task that failed goes to another worker if there is one. A worker on which tasks fail three times
in a row, while others do theirs, is left out, too: a full disk fails fast, and would draw them all.
"""

from __future__ import annotations

import contextlib
import queue
import secrets
import shlex
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from grundy_cluster import worker
from grundy_cluster.cluster import has_dashboard
from grundy_cluster.contract import Answer, Order, Task, read_answer
from grundy_cluster.errors import ClusterError, ContractError
from grundy_cluster.progress import Progress

if TYPE_CHECKING:
    from grundy_cluster.driver import Job

FAILURES = 3
LOSSES = 20

# A task that has run this many times as long as others, at the end of a run, is begun once more.
_STRAGGLES = 4.0


@dataclass(slots=True)
class State:
    """What has happened to a task so far."""

    task: Task
    failures: list[str] = field(default_factory=list)
    losses: int = 0
    avoid: set[str] = field(default_factory=set)
    flights: set[str] = field(default_factory=set)
    begun: float = 0.0


@dataclass(frozen=True, slots=True)
class Flight:
    """A task that Dask has."""

    future: Any
    task: str
    only: frozenset[str] | None  # the workers that may do it; None: all


class Crew:
    """The tasks that are left, and the workers that do them."""

    def __init__(self, job: Job, client: Any, todo: list[Task]) -> None:
        """Begin with nothing sent."""
        self.job, self.client = job, client
        self.address = str(client.scheduler.address)
        self.states = {task.id: State(task) for task in todo}
        # The longest first: they would hold up the end.
        self.queue = deque(sorted(todo, key=lambda task: -task.core_seconds))
        self.ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.flights: dict[str, Flight] = {}
        self.unfit: dict[str, str] = {}
        self.in_a_row: Counter[str] = Counter()
        self.seen: dict[str, int] = {}
        self.looked = 0.0
        self.took: deque[float] = deque(maxlen=101)
        self.nonce = secrets.token_hex(4)
        self.sent = 0
        job.progress = Progress(len(todo), sum(task.core_seconds for task in todo))

    def work(self) -> None:
        """Do all tasks."""
        progress = self.job.progress
        self._greet()
        try:
            while self.states:
                self._look_around()
                self._send()
                self._collect()
                progress.show(len(self.seen))
            progress.show(len(self.seen), now=True)
        finally:
            with contextlib.suppress(Exception):
                self.client.cancel([flight.future for flight in self.flights.values()])
        if progress._terminal:
            progress.say("all tasks are done")

    def _greet(self) -> None:
        link = self.client.dashboard_link if has_dashboard() else "none, as there is no bokeh"
        self.job.progress.say(f"scheduler {self.address}, dashboard {link}")

    # --- Workers -----------------------------------------------------------------------

    def _look_around(self) -> None:
        """See which workers there are; wait for the first, and stop if none is fit."""
        if self.client.status != "running":
            self._info()
        pause = 1.0 if len(self.seen) < 200 else 10.0
        if self.seen and time.monotonic() - self.looked < pause:
            return
        until = time.monotonic() + self.job.settings.where.timeout
        while True:
            self.seen = self._workers()
            fit = self._fit()
            self.looked = time.monotonic()
            if fit:
                self._free_the_stuck(fit)
                return
            if time.monotonic() > until:
                raise ClusterError(self._nobody())
            time.sleep(0.3)
            self._collect(wait=False)
            if not self.states:
                return

    def _workers(self) -> dict[str, int]:
        info = self._info()
        workers = {str(name): int(about["nthreads"]) for name, about in info["workers"].items()}
        for name, threads in workers.items():
            if threads != 1 and name not in self.unfit:
                self._leave_out(
                    name,
                    f"it has {threads} threads, and a task uses all cores: start it with "
                    "`grundy-cluster worker`, or --nthreads 1",
                )
        return workers

    def _info(self) -> Any:
        """Ask the scheduler; wait a little for one that does not answer."""
        until = time.monotonic() + min(self.job.settings.where.timeout, 15.0)
        while True:
            with contextlib.suppress(Exception):
                if self.client.status == "running":
                    return self.client.scheduler_info(n_workers=-1)
            if time.monotonic() > until or self.client.status in ("closed", "closing"):
                self._scheduler_gone()
            time.sleep(0.3)

    def _fit(self) -> list[str]:
        return [name for name in self.seen if name not in self.unfit]

    def _nobody(self) -> str:
        seconds = self.job.settings.where.timeout
        reasons = sorted({self.unfit[name] for name in self.seen if name in self.unfit})
        if reasons:
            return f"no worker is fit for this: {'; '.join(reasons)}"
        return f"no worker came in {seconds:g} seconds; start some with `grundy-cluster worker`"

    def _leave_out(self, name: str, reason: str) -> None:
        if name not in self.unfit:
            self.unfit[name] = reason
            self.job.progress.say(f"the worker {name} is left out: {reason}")

    def _free_the_stuck(self, fit: list[str]) -> None:
        """Send tasks anew whose only workers are gone."""
        there = set(fit)
        for key, flight in list(self.flights.items()):
            if flight.only is not None and not there & flight.only:
                self._put_back(self._forget(key))

    def _by_hand(self, task: Task) -> str:
        return " ".join([task.run, *map(shlex.quote, self.job.settings.of_node())])

    def _scheduler_gone(self) -> NoReturn:
        raise ClusterError(
            f"the scheduler at {self.address} is gone; {self.job.count_done()} of "
            f"{len(self.job.tasks)} tasks are done: start it again, and the same command goes on "
            "from there"
        )

    # --- Sending -----------------------------------------------------------------------

    def _send(self) -> None:
        fit = self._fit()
        room = 2 * len(fit) - len(self.flights)
        while room > 0 and self.queue:
            task = self.queue.popleft()
            if task.id in self.states:
                self._submit(self.states[task.id], fit)
                room -= 1
        if not self.queue and len(self.flights) < len(fit):
            self._send_stragglers(fit)

    def _submit(self, state: State, fit: list[str]) -> None:
        settings, task = self.job.settings, state.task
        order = Order(
            task=task,
            program=settings.worker_program,
            db=str(self.job.db) if task.kind in ("build", "verify") or settings.db else None,
            means=settings.means,
            store=settings.store,
            endpoint=settings.endpoint,
        )
        only = None
        if self.unfit or state.avoid:
            only = [name for name in fit if name not in state.avoid] or fit
        self.sent += 1
        key = f"{task.id}.{self.nonce}.{self.sent}"
        future = self.client.submit(
            worker.perform,
            order.text(),
            key=key,
            workers=only,
            allow_other_workers=False,
            priority=10 if state.failures or state.losses else 0,
            retries=0,
            pure=False,
        )
        self.flights[key] = Flight(future, task.id, None if only is None else frozenset(only))
        state.flights.add(key)
        state.begun = time.monotonic()
        future.add_done_callback(self.ended.put)

    def _send_stragglers(self, fit: list[str]) -> None:
        """Begin tasks once more that take far longer than others; two at once do no harm."""
        if len(self.took) < 3:
            return
        usual = sorted(self.took)[len(self.took) // 2]
        late = time.monotonic() - max(_STRAGGLES * usual, 10.0)
        for state in self.states.values():
            if len(self.flights) >= len(fit):
                return
            if len(state.flights) == 1 and state.begun < late:
                self._submit(state, fit)

    # --- Collecting --------------------------------------------------------------------

    def _collect(self, wait: bool = True) -> None:
        """Take what has ended."""
        ended = []
        with contextlib.suppress(queue.Empty):
            ended.append(self.ended.get(timeout=0.5 if wait else 0.01))
            while len(ended) < 100:
                ended.append(self.ended.get_nowait())
        results: list[tuple[Task, str]] = []
        senders: dict[str, str] = {}
        for future in ended:
            flight = self.flights.get(future.key)
            if flight is None or flight.task not in self.states:
                self._forget(future.key)
                continue
            name = flight.task
            state = self.states[name]
            answer, address = self._answer(future, state)
            if answer is None:
                continue
            if answer.result is not None:
                if name not in senders:
                    results.append((state.task, answer.result))
                    senders[name] = address
                    self.took.append(answer.seconds)
            elif answer.failed is not None:
                self._failed(state, answer.failed, address)
            elif answer.refused is not None:
                self._leave_out(address, answer.refused)
                self._put_back(name)
            else:
                self._lost(state, answer.lost or "it was lost")
        if results:
            self._judge(results, senders)

    def _answer(self, future: Any, state: State) -> tuple[Answer | None, str]:
        """Get what a future holds; None if it is waited for again, or was seen to."""
        if future.status == "finished":
            try:
                answer = read_answer(future.result(timeout=20))
                if answer.id not in (state.task.id, ""):
                    raise ContractError("a worker answered for another task")
                self._forget(future.key)
                return answer, answer.worker
            except TimeoutError:
                # The worker that held it died: Dask is doing it again.
                future.add_done_callback(self.ended.put)
                return None, ""
            except (ContractError, TypeError) as error:
                self._forget(future.key)
                self._failed(state, str(error), "")
                return None, ""
            except Exception:
                pass  # it was lost on the way; the status below says more
        status = future.status
        reason: BaseException | None = None
        if status == "error":
            with contextlib.suppress(Exception):
                reason = future.exception(timeout=5)
        self._forget(future.key)
        if reason is not None and type(reason).__name__ != "KilledWorker":
            self._failed(state, _explained(reason), "")
        elif status == "error":
            self._lost(state, "its worker died")
        else:
            # Cancelled or lost, as when the scheduler goes away: no fault of anybody here.
            self._put_back(state.task.id)
        return None, ""

    def _judge(self, results: list[tuple[Task, str]], senders: dict[str, str]) -> None:
        for name, wrong in self.job.accept(results).items():
            state = self.states[name]
            if wrong is None:
                self.in_a_row[senders[name]] = 0
                for key in list(state.flights):
                    self.client.cancel([self.flights[key].future])
                    self._forget(key)
                del self.states[name]
            else:
                self._failed(state, wrong, senders[name])

    def _failed(self, state: State, message: str, address: str) -> None:
        state.failures.append(message)
        if len(state.failures) >= FAILURES:
            raise ClusterError(
                f"the task {state.task.id} ({state.task.what}) failed {FAILURES} times; the last "
                f"time: {message}\nBy hand: {self._by_hand(state.task)}"
            )
        self.job.progress.say(f"the task {state.task.id} failed and is done again: {message}")
        if address:
            state.avoid.add(address)
            self.in_a_row[address] += 1
            others = [name for name in self._fit() if name != address]
            if self.in_a_row[address] >= FAILURES and others:
                self._leave_out(address, f"{FAILURES} tasks in a row failed on it; {message}")
        self._put_back(state.task.id)

    def _lost(self, state: State, message: str) -> None:
        state.losses += 1
        if state.losses >= LOSSES:
            raise ClusterError(
                f"the task {state.task.id} ({state.task.what}) was lost {LOSSES} times; the last "
                f"time {message}: is there enough memory?\nBy hand: {self._by_hand(state.task)}"
            )
        self._put_back(state.task.id)

    def _put_back(self, name: str | None) -> None:
        if name is not None and name in self.states and not self.states[name].flights:
            self.queue.appendleft(self.states[name].task)

    def _forget(self, key: str) -> str | None:
        """Let go of a future, so that Dask forgets its task; give the task's id."""
        flight = self.flights.pop(key, None)
        if flight is None:
            return None
        if flight.task in self.states:
            self.states[flight.task].flights.discard(key)
        flight.future.release()
        return flight.task


def _explained(error: BaseException) -> str:
    """Say what an error of Dask's own means."""
    text = f"{type(error).__name__}: {error}"
    if "deserializ" in text or isinstance(error, ImportError):
        text += " (is grundy-cluster of the same version installed at scheduler and workers?)"
    return text
