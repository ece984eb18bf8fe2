"""The driver: looks what is left, has it done, finishes, and looks again."""

import signal

from grundy_cluster import program
from grundy_cluster.cluster import connected
from grundy_cluster.crew import Crew
from grundy_cluster.files import locked
from grundy_cluster.job import Job
from grundy_cluster.progress import say
from grundy_cluster.settings import Settings

# How often what `finish` finds damaged is made anew.
ROUNDS = 3


def run(settings: Settings) -> int:
    """Do all of it; give the exit code."""
    program.version(settings.program)
    # What was typed comes last: it may have a `--`, after which nothing is an option.
    options = [*settings.of_node(), *settings.options]
    tasks = program.tasks(settings.program, settings.kind, options, settings.parts)
    with locked(settings.results):
        # Both end the run, also where a shell has told us to ignore the first.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler)
        job = Job(settings, tasks)
        try:
            return _rounds(job)
        except KeyboardInterrupt:
            # What was found of bytes is of its time.
            how = "begins anew" if settings.kind == "verify" else "goes on from there"
            say(f"stopped; {job.count_done()} are done, and the same command {how}")
            return 130


def _rounds(job: Job) -> int:
    """Do what is left, finish; again if finishing finds something damaged."""
    code, said = 2, ""
    for attempt in range(ROUNDS):
        job.look(is_thorough=attempt > 0)
        if attempt and not job.left:
            break
        if job.left:
            if len(job.left) < len(job.tasks):
                say(f"{job.count_done()} were done before")
            with connected(job.settings) as client:
                Crew(job, client).work()
        code, said = job.finish()
        if code != 2:
            break
    return job.end(code, said)
