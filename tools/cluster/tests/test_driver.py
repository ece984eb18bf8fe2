"""The driver, with the program's double on workers that outlive the test."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from harness import Call, Cluster, listening, start, wait_for

Wrong = Callable[[str], str]


@pytest.fixture
def toy(shared: Cluster, double: str, tmp_path: Path) -> Callable[..., list[object]]:
    """Give the words of a command: a toy build of six tasks, or another kind."""

    def words(kind: str = "build", *more: object, at: str = "") -> list[object]:
        folder = tmp_path / at
        common = [kind, "--scheduler-file", shared.file, "--program", double, "--parts", 6]
        return [*common, "--results", folder / "results", "--db", folder / "db", *more]

    return words


Toy = Callable[..., list[object]]


def test_only_loopback_is_listened_on(shared: Cluster) -> None:
    wait_for("workers", lambda: all(listening(one.pid) for one in shared.workers))
    for process in (shared.scheduler, *shared.workers):
        assert process
        assert listening(process.pid) == {"127.0.0.1"}


def test_a_build_is_done_once(call: Call, toy: Toy, tmp_path: Path) -> None:
    first = call(*toy())
    assert (first.returncode, first.stdout) == (0, "built 12 shards\n"), first.stderr
    assert "scheduler tcp://127.0.0.1:" in first.stderr
    shards = json.loads((tmp_path / "db/manifest.json").read_text())
    assert [shard["path"] for shard in shards] == [f"toy/k1/{n:06}.zst" for n in range(12)]
    second = call(*toy())
    assert (second.returncode, second.stdout) == (0, "built 12 shards\n")
    assert "scheduler" not in second.stderr  # nothing is left, so nobody is asked


def test_the_exit_code_of_finish_is_handed_on(call: Call, toy: Toy) -> None:
    # 86 of the numbers below 600 are divisible by 7: 0, 7, ..., 595.
    done = call(*toy("check"))
    assert (done.returncode, done.stdout) == (0, "86 of 600 numbers\n"), done.stderr
    assert call(*toy("check", "--size", 13)).returncode == 1


def test_a_task_that_fails_thrice_stops_the_run(
    call: Call, toy: Toy, wrong: Wrong, tmp_path: Path
) -> None:
    done = call(*toy("build", "--worker-program", wrong("fail=3")))
    assert done.returncode == 2
    assert "failed 3 times" in done.stderr
    assert "there is a stone in the works" in done.stderr
    assert "By hand: grundy tasks build --size 12 --parts 6 | grundy task" in done.stderr
    assert not (tmp_path / "db/manifest.json").exists()
    # What was done is kept, and the run goes on once the stone is gone.
    assert call(*toy()).returncode == 0


def test_what_fails_once_is_done_again(call: Call, toy: Toy, wrong: Wrong, tmp_path: Path) -> None:
    done = call(*toy("build", "--worker-program", wrong(f"fail=3 once={tmp_path}/a"), at="a1"))
    assert done.returncode == 0, done.stderr
    assert "there is a stone in the works" in done.stderr
    done = call(*toy("check", "--worker-program", wrong(f"flip once={tmp_path}/b"), at="b1"))
    assert (done.returncode, done.stdout) == (0, "86 of 600 numbers\n"), done.stderr
    assert "its result is damaged" in done.stderr
    assert (tmp_path / "a").exists()
    assert (tmp_path / "b").exists()


def test_wrong_bytes_never_count(call: Call, toy: Toy, wrong: Wrong, tmp_path: Path) -> None:
    done = call(*toy("check", "--worker-program", wrong("flip")))
    assert done.returncode == 2
    assert "failed 3 times" in done.stderr
    assert not list((tmp_path / "results").glob("check-*"))


def test_workers_of_another_version_are_refused(call: Call, toy: Toy, wrong: Wrong) -> None:
    other = call(*toy("build", "--worker-program", wrong("version=2"), "--timeout", 10))
    assert other.returncode == 2
    assert "is left out: its program is grundy 2, and the driver's is grundy 1" in other.stderr
    assert "no worker is fit for this" in other.stderr
    none = call(*toy("build", "--worker-program", "grundi", "--timeout", 10))
    assert none.returncode == 2
    assert "no worker is fit for this: there is no program 'grundi' here" in none.stderr


def test_a_second_driver_is_refused(call: Call, toy: Toy, wrong: Wrong, tmp_path: Path) -> None:
    # So many tasks that it is at work for longer than another takes to begin.
    long = ("--size", 200, "--parts", 100, "--worker-program", wrong("seconds=2"))
    driver = start(*toy("build", *long))
    wait_for("the lock", lambda: list((tmp_path / "results").glob("tasks-*")))
    second = call(*toy())
    assert second.returncode == 2
    assert f"another run writes into the folder of results '{tmp_path}" in second.stderr
    assert f"process {driver.pid} on " in second.stderr
    driver.terminate()
    _, said = driver.communicate(timeout=300)
    assert driver.returncode == 130, said


def test_folders_that_are_not_shared_are_found_out(
    call: Call, toy: Toy, tmp_path: Path, double: str
) -> None:
    # This program writes its shards where the driver does not look.
    away = tmp_path / "away" / "grundy"
    away.parent.mkdir()
    away.write_text(
        f"#!/bin/sh\nfor word; do shift; case $word in */db) word={tmp_path}/away/db ;; esac\n"
        f'set -- "$@" "$word"; done\nexec "{double}" "$@"\n'
    )
    away.chmod(0o755)
    done = call(*toy("build", "--worker-program", away))
    assert done.returncode == 2
    assert "is the database folder shared with all workers?" in done.stderr


def test_bad_input_is_told_in_a_sentence(call: Call, double: str, tmp_path: Path) -> None:
    def said(*words: object) -> str:
        done = call("build", "--program", double, *words, cwd=tmp_path)
        assert done.returncode == 2, done.stderr
        assert done.stderr.count("\n") == 1, done.stderr
        return done.stderr

    nobody = ("--scheduler", "tcp://127.0.0.1:9", "--timeout", 2)
    assert "there is no scheduler at tcp://127.0.0.1:9" in said(*nobody)
    missing = ("--scheduler-file", tmp_path / "none.json", "--timeout", 1)
    assert "there is no scheduler file" in said(*missing)
    (tmp_path / "file").write_text("")
    assert "cannot be written to" in said("--local", 1, "--results", tmp_path / "file")
    away = ("--local", 1, "--store", "bucket/x")
    assert "is no URL of a store" in said(*away)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_refused(call: Call, toy: Toy, tmp_path: Path) -> None:
    (tmp_path / "results").mkdir(mode=0o500)
    done = call(*toy())
    assert done.returncode == 2
    assert "cannot be written to" in done.stderr


def test_options_of_the_program_are_its_business(call: Call, toy: Toy) -> None:
    done = call(*toy("build", "--nonsense"))
    assert done.returncode == 2
    assert "--nonsense" in done.stderr


def test_a_result_that_was_damaged_since_is_made_anew(call: Call, toy: Toy, tmp_path: Path) -> None:
    assert call(*toy()).returncode == 0
    shard = tmp_path / "db/toy/k1/000004.zst"
    before = shard.read_bytes()
    shard.write_bytes(before[:-1] + b"!")
    again = call(*toy())
    assert again.returncode == 0
    assert "5 of 6 tasks were done before" in again.stderr
    assert shard.read_bytes() == before


def test_tasks_of_a_killed_driver_are_forgotten(
    call: Call, toy: Toy, wrong: Wrong, shared: Cluster
) -> None:
    driver = start(*toy("build", "--worker-program", wrong("seconds=3")))
    wait_for("two tasks", lambda: len(shared.tasks()) == 2)
    driver.kill()
    driver.wait()
    begun = time.monotonic()
    done = call(*toy())
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - begun < 100
