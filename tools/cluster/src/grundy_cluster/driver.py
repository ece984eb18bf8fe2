"""Finds unfinished tasks, runs them on workers, finishes the run, and repairs damage."""

import signal

from grundy_cluster import program
from grundy_cluster.cluster import connected
from grundy_cluster.dispatcher import Dispatcher
from grundy_cluster.files import locked
from grundy_cluster.job import Job
from grundy_cluster.progress import say
from grundy_cluster.settings import Settings

# The maximum number of rounds. Each round repairs the damage that the last `finish` found.
ROUNDS = 3


def run(settings: Settings) -> int:
    """Run a divided command; return the exit code."""
    program.version(settings.program)
    # The user's options come last, because they may contain `--`, after which no word is an option.
    options = [*settings.of_node(), *settings.options]
    tasks = program.tasks(settings.program, settings.kind, options, settings.parts)
    with locked(settings.results):
        # Let both signals end the run, even if the shell made this process ignore SIGINT.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler)
        job = Job(settings, tasks)
        try:
            return _rounds(job)
        except KeyboardInterrupt:
            say(f"stopped; {job.count_done()} are done, and the same command continues the run")
            return 130


def _rounds(job: Job) -> int:
    """Run unfinished tasks and finish; repeat if finishing finds damage."""
    code, said = 2, ""
    for attempt in range(ROUNDS):
        job.look(is_thorough=attempt > 0)
        if attempt and not job.left:
            break
        if job.left:
            if len(job.left) < len(job.tasks):
                say(f"{job.count_done()} were done before")
            with connected(job.settings) as client:
                Dispatcher(job, client).work()
        code, said = job.finish()
        if code != 2:
            break
    return job.end(code, said)
