"""The driver: looks what is left, has it done, finishes, and looks again."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

from grundy_cluster import program
from grundy_cluster.cluster import connected
from grundy_cluster.crew import Crew
from grundy_cluster.errors import ContractError
from grundy_cluster.files import locked
from grundy_cluster.job import Job
from grundy_cluster.settings import Settings

# How often what `finish` finds damaged is made anew.
ROUNDS = 3


def run(settings: Settings) -> int:
    """Do all of it; give the exit code."""
    ours = program.version(settings.program)
    node = settings.of_node()
    tasks = program.tasks(settings.program, settings.kind, settings.options, settings.parts, node)
    if tasks[0].program != ours:
        raise ContractError(f"the tasks are of {tasks[0].program}, and the program is {ours}")
    with locked(settings.results), _stoppable():
        job = Job(settings, tasks)
        try:
            return _rounds(job)
        except KeyboardInterrupt:
            # What was found of bytes is of its time.
            how = "begins anew" if settings.kind == "verify" else "goes on from there"
            done = f"{job.count_done()} of {len(tasks)} tasks are done"
            job.progress.say(f"stopped; {done}, and the same command {how}")
            return 130


def _rounds(job: Job) -> int:
    """Do what is left, finish; again if finishing finds something damaged."""
    code, said = 2, ""
    for attempt in range(ROUNDS):
        job.look(is_thorough=attempt > 0)
        todo = [task for task in job.tasks if task.id in job.left]
        if attempt and not todo:
            break
        if todo:
            if count := job.count_done():
                job.progress.say(f"{count} of {len(job.tasks)} tasks were done before")
            with connected(job.settings) as client:
                Crew(job, client, todo).work()
        code, said = job.finish()
        if code != 2:
            break
    return job.end(code, said)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let SIGTERM and SIGINT end the run, also where a shell has told us to ignore the latter."""

    def stop(_number: int, _frame: object) -> None:
        # No error, so nobody handles it on the way.
        raise KeyboardInterrupt

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
