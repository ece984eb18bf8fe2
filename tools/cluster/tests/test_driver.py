"""Tests the driver with tiny builds. Most tests share workers; some start their own."""

import json
import os
import re
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil
import pytest
from conftest import (
    CHAIN,
    LIE,
    STONE,
    TINY,
    Call,
    Cluster,
    Reference,
    Wrong,
    check_turns,
    contents,
    have_ended,
    listening,
    once,
    sleep,
    start,
    tasks_below,
    tells,
    wait_for,
)
from distributed.security import Security

from grundy_cluster.program import tasks

Toy = Callable[..., list[object]]
CHECK = ("end-nim", "P -> first == last", "--max-pile", "6", "--length", "1..4")
AWAY = (
    'for word; do shift; case $word in */db) word=${word%db}away ;; esac; set -- "$@" "$word"; done'
)
FAILS_AT_3 = f'case "$*" in *-00003*) {STONE} ;; esac'
DIES_AT_3 = 'case "$*" in *-00003*) kill -9 $$ ;; esac'


@pytest.fixture
def toy(shared: Cluster, grundy: str, tmp_path: Path) -> Toy:
    """Return the words of a command: a build of six tasks, or a check of four tasks."""

    def words(kind: str = "build", *more: object, where: tuple[object, ...] = ()) -> list[object]:
        there = where or ("--scheduler-file", shared.file)
        common = [kind, "--timeout", 300, *there, "--program", grundy, "--parts", 6]
        what = TINY if kind == "build" else CHECK
        db, results = tmp_path / "db", tmp_path / "results"
        return [*common, "--results", results, "--db", db, *more, *what]

    return words


@pytest.fixture
def run(call: Call, toy: Toy) -> Call:
    """Return a function that runs a command of `toy`."""
    return lambda *words, **where: call(*toy(*words, **where))


def test_a_build_is_done_once_and_mended(
    run: Call, shared: Cluster, tmp_path: Path, reference: Reference
) -> None:
    first = run()
    assert (first.returncode, first.stdout[:19]) == (0, "published 12 tables"), first.stderr
    assert "scheduler tcp://127.0.0.1:" in first.stderr
    assert re.search(r"^6 of 6 tasks, [12] workers?, \d+\.\d a minute$", first.stderr, re.MULTILINE)
    assert contents(tmp_path / "db") == reference(TINY)
    servers = [one.pid for one in (shared.scheduler, *shared.workers) if one]
    assert set().union(*map(listening, servers)) == {"127.0.0.1"}
    second = run()
    assert (second.returncode, second.stdout[:18]) == (0, "nothing to publish")
    assert "scheduler" not in second.stderr  # nothing is left, so no scheduler is needed
    # A shard that was damaged after the build is built again.
    shard = next((tmp_path / "db").rglob("*.zst"))
    shard.write_bytes(shard.read_bytes()[:-1] + b"!")
    third = run()
    assert third.returncode == 0
    assert "5 of 6 tasks were done before" in third.stderr
    assert contents(tmp_path / "db") == reference(TINY)


@pytest.mark.parametrize(
    ("kind", "fault", "told"),
    [
        ("build", FAILS_AT_3, ["failed 3 times; the last time: grundy: a fault for",
                               "\nRun the task: grundy tasks build ", " --parts 6 | grundy task"]),
        # This program does not write its shards into the folder that the driver checks.
        ("build", AWAY, ["failed 3 times", "is the database folder shared by all workers?"]),
        # A result with wrong bytes is never valid.
        ("check", LIE, ["failed 3 times; the last time: its result is damaged"]),
        # A killed task gets more attempts, because the task may not be the cause.
        ("build", DIES_AT_3, ["was lost too often", "by SIGKILL; is the memory full?\nRun the"]),
    ],
)  # fmt: skip
def test_a_task_that_goes_wrong_too_often_stops_the_run(
    kind: str, fault: str, told: list[str], run: Call, wrong: Wrong, tmp_path: Path
) -> None:
    done = run(kind, "--worker-program", wrong(fault))
    assert done.returncode == 2
    for part in told:
        assert part in done.stderr
    assert not (tmp_path / "db/manifest.json").exists()
    assert not list((tmp_path / "results").glob("check-*"))
    # Finished tasks are kept, and the run continues without the fault.
    assert run(kind).returncode == (kind == "check")


@pytest.mark.parametrize(
    ("kind", "fault", "where", "told", "code", "printed"),
    [
        ("build", STONE, (), "a fault for this test", 0, "published 12 tables"),
        ("check", LIE, (), "result is damaged", 1, "fails at 70 of 1,554 positions; 222 satisfy"),
        # A task that hangs at the end of a run is also started on another worker.
        ("build", sleep(3600), ("--local", 2), "6 of 6 tasks", 0, "published 12 tables"),
    ],
)
def test_a_fault_that_happens_once_does_not_stop_the_run(
    kind: str, fault: str, where: tuple[object, ...], told: str, code: int, printed: str,
    run: Call, wrong: Wrong, tmp_path: Path,
) -> None:  # fmt: skip
    done = run(kind, "--worker-program", wrong(once(tmp_path / "once", fault)), where=where)
    assert told in done.stderr
    # The exit code and the output of the driver are those of `finish`.
    assert (done.returncode, done.stdout[: len(printed)]) == (code, printed)


def test_a_chain_goes_on_after_a_lost_task(
    call: Call, shared: Cluster, wrong: Wrong, grundy: str, tmp_path: Path, reference: Reference
) -> None:
    db, log, lost = tmp_path / "db", tmp_path / "log", once(tmp_path / "once", "kill -9 $$")
    fault = f'case "$*" in *-00000*) {lost} ;; esac; {tells(log)}'
    done = call(
        "build", "--timeout", 300, "--scheduler-file", shared.file, "--program", grundy,
        "--worker-program", wrong(fault), "--parts", 2, "--results", tmp_path / "results",
        "--db", db, *CHAIN,
    )  # fmt: skip
    assert (done.returncode, "failed" in done.stderr) == (0, False), done.stderr
    assert contents(db) == reference(CHAIN)
    check_turns(log, tasks(grundy, "build", CHAIN, 2))


def test_a_chain_needs_a_shared_folder_too(
    call: Call, shared: Cluster, wrong: Wrong, grundy: str, tmp_path: Path
) -> None:
    fault = f'case "$*" in *-00002*) {AWAY} ;; esac'
    assert not tasks(grundy, "build", CHAIN, 4)[2].shards
    done = call(
        "build", "--timeout", 300, "--scheduler-file", shared.file, "--program", grundy,
        "--worker-program", wrong(fault), "--parts", 4, "--results", tmp_path / "results",
        "--db", tmp_path / "db", *CHAIN,
    )  # fmt: skip
    assert done.returncode == 2
    assert ".state is missing" in done.stderr
    assert "is the database folder shared by all workers?" in done.stderr


def test_workers_of_another_version_are_refused(run: Call, wrong: Wrong) -> None:
    for program, told in (
        (wrong("echo grundy 2; exit", "--version"), "its program is grundy 2, but the driver's is"),
        ("grundi", "the program 'grundi' was not found"),
    ):
        done = run("build", "--worker-program", program, "--timeout", 10)
        assert done.returncode == 2
        assert f"is excluded: {told}" in done.stderr
        assert f"no worker can run these tasks: {told}" in done.stderr


def test_a_second_driver_is_refused_and_a_stopped_one_forgotten(
    run: Call, toy: Toy, wrong: Wrong, shared: Cluster, tmp_path: Path
) -> None:
    driver = start(*toy("build", "--worker-program", wrong(sleep(600))))
    wait_for("a task", shared.tasks)
    second = run()
    assert second.returncode == 2
    assert f"another run uses the results folder '{tmp_path}" in second.stderr
    assert f"process {driver.pid} on " in second.stderr
    # A stopped driver prints a message. Workers that it did not start complete their running tasks.
    driver.terminate()
    _, said = driver.communicate(timeout=300)
    assert driver.returncode == 130, said
    assert "the same command continues the run" in said

    def none_is_left() -> bool:
        tasks = shared.tasks()
        for task in tasks:
            with suppress(psutil.Error):
                task.terminate()
        return not tasks

    wait_for("the end of its tasks", none_is_left)
    assert run().returncode == 0


def test_bad_input_is_told_in_a_sentence(run: Call, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "closed").mkdir(mode=0o500)
    nowhere = ("--scheduler", "tcp://127.0.0.1:9", "--timeout", 2)
    no_file = ("--scheduler-file", tmp_path / "none.json", "--timeout", 1)
    cases: dict[str, tuple[object, ...]] = {
        "file': File exists": ("--results", tmp_path / "file"),
        "is not the URL of a store": ("--store", "s3://key:secret@bucket/x"),
        "'bucket/x' is not the URL of a store": ("--store", "bucket/x"),
        "cannot open the store 'nosuch://x'": ("--store", "nosuch://x"),
        "give --store, too": ("--endpoint", "http://127.0.0.1"),
        "'/bin/true --version' does not name grundy": ("--program", "/bin/true"),
        "the program 'grundi' was not found": ("--program", "grundi"),
    }
    if os.geteuid() != 0:  # root may write anywhere
        cases["closed': Permission"] = ("--results", tmp_path / "closed")
    for told, done in [
        ("there is no scheduler at tcp://127.0.0.1:9", run(where=nowhere)),
        ("no scheduler file", run(where=no_file)),
        *((told, run("build", *words)) for told, words in cases.items()),
    ]:
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert told in done.stderr
    # The program checks its own options.
    done = run("build", "--nonsense")
    assert done.returncode == 2
    assert "--nonsense" in done.stderr


def test_workers_of_its_own_leave_a_state_that_resumes(
    toy: Toy, wrong: Wrong, tmp_path: Path
) -> None:
    words = toy(where=("--local", 2))
    # The first task ends immediately; the others never end.
    program = wrong(f'mkdir "{tmp_path / "first"}" 2>/dev/null || {{ {sleep(3600)}; }}')
    for number, code in ((signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)):
        driver = start(*words, "--worker-program", program)
        wait_for("a result", lambda: list((tmp_path / "results").glob("build-*.json")))
        wait_for("a task", partial(tasks_below, driver.pid))
        assert listening(driver.pid) == {"127.0.0.1"}
        tasks = tasks_below(driver.pid)
        driver.send_signal(number)
        _, said = driver.communicate(timeout=300)
        assert driver.returncode == code, said
        assert ("the same command continues the run" in said) == (code == 130)
        assert "Traceback" not in said
        # The tasks end even if the driver was killed.
        wait_for("the end of its tasks", partial(have_ended, tasks))


def test_tls_admits_the_owners_of_a_certificate(cluster: Cluster, toy: Toy, tmp_path: Path) -> None:
    made = Security.temporary()
    ours = {"cert": made.tls_client_cert, "key": made.tls_client_key}
    tls = {"ca-file": made.tls_ca_file, **dict.fromkeys(("scheduler", "worker", "client"), ours)}
    comm = {"default-scheme": "tls", "require-encryption": True, "tls": tls}
    config = tmp_path / "tls.yaml"
    config.write_text(json.dumps({"distributed": {"comm": comm}}))  # JSON is YAML
    cluster.env["DASK_CONFIG"] = str(config)
    cluster.start({})
    wait_for("the scheduler", cluster.file.exists)
    cases = (("", 2, 2, "there is no scheduler at"), (config, 300, 0, "scheduler tls://127.0.0.1:"))
    for named, seconds, code, told in cases:
        words = toy("build", "--timeout", seconds, where=("--scheduler-file", cluster.file))
        driver = start(*words, env={"DASK_CONFIG": str(named)})
        _, said = driver.communicate(timeout=300)
        assert driver.returncode == code, said
        assert told in said
