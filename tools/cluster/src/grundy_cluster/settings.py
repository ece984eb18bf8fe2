"""The settings of a run. The command line sets them by name."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Settings:
    """The settings of a run, or of `task` or `finish` without Dask."""

    kind: str = ""
    options: Sequence[str] = ()  # options for `grundy tasks`
    # The cluster: a number of local workers, or a scheduler's address, or a scheduler's file.
    local: int | None = None
    scheduler: str | None = None
    scheduler_file: Path | None = None
    timeout: float = 60.0
    parts: int | None = None
    results: Path = Path("results")
    db: Path | None = None
    program: str = "grundy"
    worker_program: str | None = None
    threads: int | None = None
    memory: str | None = None
    isa: str | None = None
    no_mmap: bool = False
    json: bool = False
    recheck: str | None = None
    seed: int | None = None
    store: str | None = None
    endpoint: str | None = None
    # The file of tasks and the task to run, for commands without Dask.
    file: Path = Path("-")
    index: int | None = None
    id: str | None = None

    def of_node(self) -> list[str]:
        """Return the options of `grundy tasks` that belong to this node: folder and memory."""
        return self._words("db", "memory")

    def of_task(self) -> tuple[str, ...]:
        """Return the options for each `grundy task`."""
        return (*self._words("threads", "memory", "isa"), *["--no-mmap"] * self.no_mmap)

    def of_finish(self) -> list[str]:
        """Return the options of `grundy finish` that choose tasks to compute again."""
        return self._words("recheck", "seed")

    def _words(self, *names: str) -> list[str]:
        given = {name: getattr(self, name) for name in names}
        return [
            word
            for name, one in given.items()
            if one is not None
            for word in (f"--{name}", str(one))
        ]
