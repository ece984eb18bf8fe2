"""The driver with tiny builds: on workers that outlive the test, and on its own."""

import json
import os
import re
import signal
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from conftest import TINY
from distributed.security import Security
from harness import (
    LIE,
    STONE,
    Call,
    Cluster,
    Reference,
    Wrong,
    contents,
    listening,
    once,
    sleep,
    start,
    wait_for,
)

Toy = Callable[..., list[object]]
CHECK = ("end-nim", "P -> first == last", "--max-pile", "6", "--length", "1..4")
AWAY = (
    'for word; do shift; case $word in */db) word=${word%db}away ;; esac; set -- "$@" "$word"; done'
)
FAILS_AT_3 = f'case "$*" in *-00003*) {STONE} ;; esac'
DIES_AT_3 = 'case "$*" in *-00003*) kill -9 $$ ;; esac'


@pytest.fixture
def toy(shared: Cluster, grundy: str, tmp_path: Path) -> Toy:
    """Return the words of a command: a build of six tasks, or a check of four."""

    def words(kind: str = "build", *more: object, where: tuple[object, ...] = ()) -> list[object]:
        there = where or ("--scheduler-file", shared.file)
        common = [kind, "--timeout", 300, *there, "--program", grundy, "--parts", 6]
        what = TINY if kind == "build" else CHECK
        db, results = tmp_path / "db", tmp_path / "results"
        return [*common, "--results", results, "--db", db, *more, *what]

    return words


@pytest.fixture
def run(call: Call, toy: Toy) -> Call:
    """Run such a command."""
    return lambda *words, **where: call(*toy(*words, **where))


def test_only_loopback_is_listened_on(shared: Cluster) -> None:
    wait_for("workers", lambda: all(listening(one.pid) for one in shared.workers))
    for process in (shared.scheduler, *shared.workers):
        assert process
        assert listening(process.pid) == {"127.0.0.1"}


def test_a_build_is_done_once_and_mended(run: Call, tmp_path: Path, reference: Reference) -> None:
    first = run()
    assert (first.returncode, first.stdout[:19]) == (0, "published 12 tables"), first.stderr
    assert "scheduler tcp://127.0.0.1:" in first.stderr
    assert re.search(r"^6 of 6 tasks, [12] workers?, \d+\.\d a minute$", first.stderr, re.MULTILINE)
    assert contents(tmp_path / "db") == reference(TINY)
    second = run()
    assert (second.returncode, second.stdout[:18]) == (0, "nothing to publish")
    assert "scheduler" not in second.stderr  # nothing is left, so nobody is asked
    # A shard that was damaged since is built again.
    shard = next((tmp_path / "db").rglob("*.zst"))
    shard.write_bytes(shard.read_bytes()[:-1] + b"!")
    third = run()
    assert third.returncode == 0
    assert "5 of 6 tasks were done before" in third.stderr
    assert contents(tmp_path / "db") == reference(TINY)


@pytest.mark.parametrize(
    ("kind", "words", "often", "told"),
    [
        ("build", FAILS_AT_3, "failed 3", "a stone in the works\nBy hand: grundy tasks build "),
        ("build", FAILS_AT_3, "failed 3", " --parts 6 | grundy task"),
        # This program writes its shards to a folder that the driver does not check.
        ("build", AWAY, "failed 3", "is the database folder shared with all workers?"),
        # Wrong bytes are never valid.
        ("check", LIE, "failed 3", "its result is damaged"),
        # A killed task gets more attempts, because it may not be to blame.
        ("build", DIES_AT_3, "was lost 20", "is there enough memory?\nBy hand: "),
    ],
)
def test_a_task_that_goes_wrong_too_often_stops_the_run(
    kind: str, words: str, often: str, told: str, run: Call, wrong: Wrong, tmp_path: Path
) -> None:
    done = run(kind, "--worker-program", wrong(words))
    assert done.returncode == 2
    assert f"{often} times; the last time: " in done.stderr
    assert told in done.stderr
    assert not (tmp_path / "db/manifest.json").exists()
    assert not list((tmp_path / "results").glob("check-*"))
    # Finished tasks are kept, and the run continues without the fault.
    assert run(kind).returncode == (kind == "check")


@pytest.mark.parametrize(
    ("kind", "fault", "told", "code", "printed"),
    [
        ("build", STONE, "there is a stone in the works", 0, "published 12 tables"),
        ("check", LIE, "result is damaged", 1, "fails at 70 of 1,554 positions; 222 satisfy the"),
    ],
)
def test_what_fails_once_is_done_again(
    kind: str, fault: str, told: str, code: int, printed: str, run: Call, wrong: Wrong,
    tmp_path: Path,
) -> None:  # fmt: skip
    done = run(kind, "--worker-program", wrong(once(tmp_path / "once", fault)))
    assert told in done.stderr
    # Exit code and output are those of `finish`.
    assert (done.returncode, done.stdout[: len(printed)]) == (code, printed)


def test_workers_of_another_version_are_refused(run: Call, wrong: Wrong) -> None:
    for program, told in (
        (wrong("echo grundy 2; exit", "--version"), "its program is grundy 2, and the driver's is"),
        ("grundi", "there is no program 'grundi' here"),
    ):
        done = run("build", "--worker-program", program, "--timeout", 3)
        assert done.returncode == 2
        assert f"is left out: {told}" in done.stderr
        assert f"no worker is fit for this: {told}" in done.stderr


def test_a_second_driver_is_refused_and_a_stopped_one_forgotten(
    run: Call, toy: Toy, wrong: Wrong, shared: Cluster, tmp_path: Path
) -> None:
    # A worker completes a started task; so this is short.
    driver = start(*toy("build", "--worker-program", wrong(sleep(5))))
    wait_for("two tasks", lambda: len(shared.tasks()) == 2)
    second = run()
    assert second.returncode == 2
    assert f"another run writes into the folder of results '{tmp_path}" in second.stderr
    assert f"process {driver.pid} on " in second.stderr
    # A stopped driver says so, and its tasks end.
    driver.terminate()
    _, said = driver.communicate(timeout=300)
    assert driver.returncode == 130, said
    assert "the same command goes on from there" in said
    assert run().returncode == 0


def test_bad_input_is_told_in_a_sentence(run: Call, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "closed").mkdir(mode=0o500)
    nowhere = ("--scheduler", "tcp://127.0.0.1:9", "--timeout", 2)
    no_file = ("--scheduler-file", tmp_path / "none.json", "--timeout", 1)
    cases: dict[str, tuple[object, ...]] = {
        "cannot be written to: File exists": ("--results", tmp_path / "file"),
        "is no URL of a store": ("--store", "bucket/x"),
        "it takes --store, too": ("--endpoint", "http://127.0.0.1"),
        "'/bin/true --version' does not say that it is grundy": ("--program", "/bin/true"),
        "there is no program 'grundi' here": ("--program", "grundi"),
    }
    if os.geteuid() != 0:  # who may write anywhere
        cases["cannot be written to: Permission"] = ("--results", tmp_path / "closed")
    for told, done in [
        ("there is no scheduler at tcp://127.0.0.1:9", run(where=nowhere)),
        ("there is no scheduler file", run(where=no_file)),
        *((told, run("build", *words)) for told, words in cases.items()),
    ]:
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert told in done.stderr
    # The program checks its own options.
    done = run("build", "--nonsense")
    assert done.returncode == 2
    assert "--nonsense" in done.stderr


def running(folder: Path) -> list[psutil.Process]:
    """Return the running tasks for a folder, whoever started them."""
    words = {one: one.info["cmdline"] or [] for one in psutil.process_iter(["cmdline"])}
    return [one for one, said in words.items() if "task" in said and str(folder) in str(said)]


def test_workers_of_its_own_leave_a_state_that_resumes(
    toy: Toy, wrong: Wrong, tmp_path: Path
) -> None:
    words = toy(where=("--local", 2))
    driver = start(*words, "--worker-program", wrong(sleep(5)))
    wait_for("a result", lambda: list((tmp_path / "results").glob("build-*.json")))
    assert listening(driver.pid) == {"127.0.0.1"}
    driver.send_signal(signal.SIGINT)
    _, said = driver.communicate(timeout=300)
    assert driver.returncode == 130, said
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    wait_for("the end of its tasks", lambda: not running(tmp_path))
    # However a driver dies, its tasks end.
    driver = start(*words, "--worker-program", wrong(sleep(600)))
    wait_for("two tasks", lambda: len(running(tmp_path)) >= 2)
    driver.kill()
    driver.communicate()
    wait_for("the end of its tasks", lambda: not running(tmp_path))


def certificates(file: Path) -> Path:
    """Write a TLS configuration for Dask, with its own authority."""
    made = Security.temporary()
    ours = {"cert": made.tls_client_cert, "key": made.tls_client_key}
    tls = {"ca-file": made.tls_ca_file, **dict.fromkeys(("scheduler", "worker", "client"), ours)}
    comm = {"default-scheme": "tls", "require-encryption": True, "tls": tls}
    # JSON is YAML.
    file.write_text(json.dumps({"distributed": {"comm": comm}}))
    return file


def test_who_has_a_certificate_is_let_in_and_nobody_else(
    cluster: Cluster, toy: Toy, tmp_path: Path
) -> None:
    ours, theirs = (certificates(tmp_path / name) for name in ("ours.yaml", "theirs.yaml"))
    cluster.env["DASK_CONFIG"] = str(ours)
    cluster.start({})
    for config, seconds, code, told in (
        (str(theirs), 2, 2, "there is no scheduler at"),
        ("", 2, 2, "there is no scheduler at"),
        (str(ours), 60, 0, "scheduler tls://127.0.0.1:"),
    ):
        words = toy("build", "--timeout", seconds, where=("--scheduler-file", cluster.file))
        driver = start(*words, env={"DASK_CONFIG": config})
        _, said = driver.communicate(timeout=300)
        assert driver.returncode == code, said
        assert told in said
