"""A run: its unfinished tasks, and the validity of their results.

Results are the only state between runs. `grundy finish --left` lists the unfinished tasks. So the
loss of the driver, the scheduler or the power costs only a restart and the tasks in progress. A
result is valid if the driver's program no longer lists its task as unfinished.
"""

import contextlib
from collections.abc import Sequence
from pathlib import Path

from grundy_cluster import program
from grundy_cluster.contract import Task, lines, parsed
from grundy_cluster.errors import ClusterError, tries
from grundy_cluster.files import write_whole
from grundy_cluster.progress import say
from grundy_cluster.settings import Settings
from grundy_cluster.store import Store

MANIFEST = "db/manifest.json"


class Job:
    """A run of the driver."""

    def __init__(self, settings: Settings, tasks: list[Task]) -> None:
        self.settings, self.tasks = settings, tasks
        self.results, plan = settings.results, tasks[0].plan
        self.store = Store(settings.store, settings.endpoint) if settings.store else None
        self.file = self.results / f"tasks-{plan}.jsonl"
        write_whole(self.file, lines(tasks).encode())
        is_build = settings.kind == "build"
        # If shards go to a bucket, the local database folder contains only the manifest.
        self.bucket = self.store if is_build else None
        self.db = settings.db or Path("db").absolute()
        if self.bucket:
            self.db = self.results / f"manifest-{plan}"
            self.db.mkdir(exist_ok=True)
        where = ["--results", str(self.results), "--db", str(self.db)]
        by_results = [*where, "--from-results"]
        self.place = by_results if self.bucket else where
        self.glance = by_results if is_build else where
        self.left = {task.id for task in tasks}
        # The files that a task leaves for the next one.
        self.leaves = {
            before: task.states for task in tasks if task.states for before in task.after
        }

    def count_done(self) -> str:
        """Return the number of tasks with a valid result, as in `5 of 6 tasks`."""
        return f"{len(self.tasks) - len(self.left)} of {len(self.tasks)} tasks"

    def finish_only(self) -> int:
        """Finish without running tasks; report the first unfinished task if there is one."""
        self.look()
        if self.left:
            raise ClusterError(
                f"{len(self.left)} of {len(self.tasks)} tasks have no result yet; the first is "
                f"{min(self.left)}"
            )
        return self.end(*self.finish())

    def end(self, code: int, said: str) -> int:
        """Print the program's message; return the exit code."""
        if said:
            say(said.removeprefix("grundy: "))
        return code

    def look(self, is_thorough: bool = False) -> None:
        """Find the unfinished tasks.

        This method checks only results and lengths, because reading all shards would delay the run.
        `finish` reads all bytes once. If it finds damage, `look(is_thorough=True)` also reads all
        bytes.
        """
        if self.store and (came := self.store.fetch_results(self.tasks, self.results)):
            say(f"fetched {came} results from {self.store.url}")
        place = self.place if is_thorough else self.glance
        self.left = program.left(self.settings.program, self.tasks, place)
        for task in self.tasks:
            if task.id in self.left:
                continue
            if not self.store:
                damaged = self._lacking(task)
            elif damaged := self.store.damaged(task):
                say(f"{self.store.url}/{damaged} is missing or damaged")
                self.discard(task)
            if damaged:
                self.left.add(task.id)

    def discard(self, task: Task) -> None:
        """Remove an invalid result."""
        (self.results / task.result).unlink(missing_ok=True)
        if self.store:
            self.store.forget(task)

    def accept(self, answers: Sequence[tuple[Task, str]]) -> dict[str, str]:
        """Write results and ask the program to check them; return the errors by task."""
        for task, text in answers:
            write_whole(self.results / task.result, text.encode())
        some = [task for task, _ in answers]
        named = program.left(self.settings.program, some, self.glance)
        wrong = dict.fromkeys(named, "its result is damaged: its digest does not match")
        # Look several times, because a shared folder may show a new file late.
        for _ in tries(2.0, 0.5):
            lacking = {t.id: path for t in some if t.id not in wrong and (path := self._lacking(t))}
            if not lacking:
                break
        for name, path in lacking.items():
            wrong[name] = (
                f"its worker reports success, but {self.db}/{path} is missing or has another "
                "length: is the database folder shared by all workers? If not, use --store"
            )
        for task in some:
            if task.id in wrong:
                self.discard(task)
            else:
                self.left.discard(task.id)
        return wrong

    def _lacking(self, task: Task) -> str | None:
        """Return a shard that is missing or has a wrong length; None if there is none.

        A task that completes no shard leaves a file for the next one, unless the next shard exists.
        """
        if self.store:
            return None
        if not task.shards:
            left = [self.db / path for path in self.leaves.get(task.id, ())]
            is_there = any(path.exists() or any(path.parent.glob("*.zst")) for path in left)
            return self.leaves[task.id][0] if left and not is_there else None
        lengths: dict[str, int] = {}
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            said = parsed((self.results / task.result).read_bytes())
            lengths = {str(one["path"]): int(one["bytes"]) for one in said["result"]["shards"]}
        for path in task.shards:
            shard = self.db / path
            if not shard.is_file() or shard.stat().st_size != lengths.get(path):
                return path
        return None

    def finish(self) -> tuple[int, str]:
        """Wait for tasks of an earlier run that are still writing, then finish."""
        if self.bucket:
            # Fetch the existing manifest, because the program adds tables to it.
            self.bucket.fetch(MANIFEST, self.db / "manifest.json")
        options = [*self.place, *["--json"] * self.settings.json, *self.settings.of_finish()]
        for _ in tries(self.settings.timeout, 0.5):
            code, said = program.finish(self.settings.program, self.file, options)
            if code != 2 or program.LOCKED not in said:
                break
        if self.bucket and code == 0:
            # Uploading the manifest publishes the tables.
            self.bucket.put_file(self.db / "manifest.json", MANIFEST)
            self.bucket.remove_states(self.tasks)
            say(f"the tables are in {self.bucket.url}/db")
        return code, said
