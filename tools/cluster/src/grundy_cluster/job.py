"""A run that was asked for: what is left of it, and what counts as done.

Nothing is remembered between runs but results. What is to do is what `grundy finish --left` names,
so that losing the driver, the scheduler or the power costs a new start and what was just being
done. A result counts when the program, asked here and not on the node, no longer names its task.
"""

import contextlib
import json
import time
from collections.abc import Sequence
from pathlib import Path

from grundy_cluster import program
from grundy_cluster.contract import Task, lines
from grundy_cluster.errors import ClusterError
from grundy_cluster.files import write_whole
from grundy_cluster.progress import Progress
from grundy_cluster.settings import Settings
from grundy_cluster.store import Store


class Job:
    """One run of the driver."""

    def __init__(self, settings: Settings, tasks: list[Task]) -> None:
        """Write the task file; nothing is done yet."""
        self.settings, self.tasks = settings, tasks
        self.store = Store(settings.store, settings.endpoint) if settings.store else None
        self.file = settings.results / f"tasks-{tasks[0].plan[:16]}.jsonl"
        write_whole(self.file, lines(tasks).encode())
        self.db = self._database()
        # Shards in a bucket are known here by their results alone.
        is_build = settings.kind == "build"
        elsewhere = self.store is not None and is_build
        self.place = program.Place(settings.results.absolute(), self.db, elsewhere)
        self.glance = program.Place(settings.results.absolute(), self.db, is_build)
        self.left: set[str] = {task.id for task in tasks}
        self.progress = Progress(len(tasks), 0)

    def _database(self) -> Path:
        if self.store and self.settings.kind == "build":
            folder = self.settings.results / f"manifest-{self.tasks[0].plan[:16]}"
            folder.mkdir(exist_ok=True)
            return folder.absolute()
        return (self.settings.db or Path("db")).absolute()

    def count_done(self) -> int:
        """Say how many tasks have a result that counts."""
        return len(self.tasks) - len(self.left)

    def finish_only(self) -> int:
        """Finish what others did; name what is left."""
        self.look()
        if self.left:
            raise ClusterError(
                f"{len(self.left)} of {len(self.tasks)} tasks have no result yet; the first is "
                f"{min(self.left)}"
            )
        return self.end(*self.finish())

    def end(self, code: int, said: str) -> int:
        """Say what the program said; give its exit code."""
        if said:
            self.progress.say(said.removeprefix("grundy: "))
        return code

    def look(self, is_thorough: bool = False) -> None:
        """Find out what is left.

        Reading all shards would hold up everybody: results and lengths are looked at, and `finish`
        reads the bytes, once. Only if it finds something wrong, all is looked through.
        """
        place = self.place if is_thorough else self.glance
        if self.store:
            self.store.reachable()
            came = self.store.fetch_results(self.tasks, self.settings.results)
            if came:
                self.progress.say(f"{came} results came from {self.store.url}")
        self.left = program.left(self.settings.program, self.tasks, place)
        self.left |= {t.id for t in self.tasks if t.id not in self.left and self._lacking(t)}
        if self.store:
            for task in self.tasks:
                if task.id not in self.left and (name := self.store.damaged(task)):
                    self.progress.say(f"{self.store.url}/{name} is missing or damaged")
                    self.discard(task)
                    self.left.add(task.id)

    def discard(self, task: Task) -> None:
        """Take a result away that does not count."""
        with contextlib.suppress(FileNotFoundError):
            (self.settings.results / task.result).unlink()
        if self.store:
            self.store.forget(task)

    def accept(self, answers: Sequence[tuple[Task, str]]) -> dict[str, str | None]:
        """Write results and ask the program whether they count: None, or what is wrong."""
        for task, text in answers:
            write_whole(self.settings.results / task.result, text.encode())
        some = [task for task, _ in answers]
        named = program.left(self.settings.program, some, self.glance)
        whole = [task for task in some if task.id not in named]
        lacking = {task.id: self._lacking(task) for task in whole}
        if any(lacking.values()):
            # Shared folders may show a new file late.
            time.sleep(2)
            lacking = {task.id: self._lacking(task) for task in whole}
        verdicts: dict[str, str | None] = {}
        for task in some:
            wrong = None
            if task.id in named:
                wrong = "its result is damaged: its digest does not fit"
            elif shard := lacking[task.id]:
                wrong = (
                    f"a worker says that it is done, and {self.db}/{shard} is not there, or not "
                    "whole: is the database folder shared with all workers? (else use --store)"
                )
            verdicts[task.id] = wrong
            if wrong:
                self.discard(task)
            else:
                self.left.discard(task.id)
                self.progress.done(task.core_seconds)
        return verdicts

    def _lacking(self, task: Task) -> str | None:
        """Name a shard that is not in the shared folder, or not as long as the result says."""
        if self.store:
            return None
        lengths: dict[str, int] = {}
        if task.shards:
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                said = json.loads((self.settings.results / task.result).read_bytes())
                lengths = {str(one["path"]): int(one["bytes"]) for one in said["result"]["shards"]}
        for path in task.shards:
            shard = self.db / path
            if not shard.is_file() or shard.stat().st_size != lengths.get(path):
                return path
        return None

    def finish(self) -> tuple[int, str]:
        """Finish; wait for tasks of an earlier run that still write."""
        bucket = self.store if self.place.elsewhere else None
        if bucket:
            bucket.fetch_manifest(self.db)
        until = time.monotonic() + self.settings.timeout
        settings = self.settings
        while True:
            code, said = program.finish(settings.program, self.file, self.place, settings.json)
            if not program.is_locked(said) or code != 2 or time.monotonic() > until:
                break
            time.sleep(0.5)
        if bucket and code == 0:
            bucket.put_manifest(self.db)
            self.progress.say(f"the tables are in {bucket.url}/db")
        return code, said
