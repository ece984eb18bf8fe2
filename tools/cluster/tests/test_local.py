"""The driver with workers of its own, and the program's double."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest
from harness import run, start, wait_for


def toy(double: str, folder: Path, kind: str = "build", *more: object) -> list[object]:
    words = [kind, "--local", 2, "--program", double, "--results", folder / "results"]
    return [*words, "--db", folder / "db", "--parts", 6, *more]


def test_a_build_is_done_once(double: str, tmp_path: Path) -> None:
    first = run(*toy(double, tmp_path))
    assert (first.returncode, first.stdout) == (0, "built 12 shards\n"), first.stderr
    assert "scheduler tcp://127.0.0.1:" in first.stderr
    shards = json.loads((tmp_path / "db/manifest.json").read_text())
    assert [shard["path"] for shard in shards] == [f"toy/k1/{n:06}.zst" for n in range(12)]
    second = run(*toy(double, tmp_path))
    assert (second.returncode, second.stdout) == (0, "built 12 shards\n")
    assert "scheduler" not in second.stderr  # nothing is left, so nothing is started


def test_the_exit_code_of_finish_is_handed_on(double: str, tmp_path: Path) -> None:
    # 86 of the numbers below 600 are divisible by 7: 0, 7, ..., 595.
    done = run(*toy(double, tmp_path, "check"))
    assert (done.returncode, done.stdout) == (0, "86 of 600 numbers\n")
    assert run(*toy(double, tmp_path, "check", "--size", 13)).returncode == 1


def test_a_task_that_fails_thrice_stops_the_run(double: str, tmp_path: Path) -> None:
    done = run(*toy(double, tmp_path), env={"DOUBLE": "fail=3"})
    assert done.returncode == 2
    assert "failed 3 times" in done.stderr
    assert "there is a stone in the works" in done.stderr
    assert "By hand: grundy tasks build --size 12 --parts 6 | grundy task" in done.stderr
    assert not (tmp_path / "db/manifest.json").exists()
    # What was done is kept, and the run goes on once the stone is gone.
    assert run(*toy(double, tmp_path)).returncode == 0


def test_a_task_that_fails_once_is_done_again(double: str, tmp_path: Path) -> None:
    stone = tmp_path / "stone"
    done = run(*toy(double, tmp_path), env={"DOUBLE": f"fail=3 once={stone}"})
    assert done.returncode == 0, done.stderr
    assert stone.exists()
    assert "failed and is done again" in done.stderr


def test_wrong_bytes_do_not_count(double: str, tmp_path: Path) -> None:
    flip = tmp_path / "flip"
    done = run(*toy(double, tmp_path, "check"), env={"DOUBLE": f"flip once={flip}"})
    assert (done.returncode, done.stdout) == (0, "86 of 600 numbers\n"), done.stderr
    assert "its result is damaged" in done.stderr
    always = run(*toy(double, tmp_path / "always", "check"), env={"DOUBLE": "flip"})
    assert always.returncode == 2
    assert "failed 3 times" in always.stderr
    assert not list((tmp_path / "always/results").glob("check-*"))


def test_ctrl_c_leaves_a_state_that_resumes(double: str, tmp_path: Path) -> None:
    driver = start(*toy(double, tmp_path), env={"DOUBLE": "seconds=1"})
    wait_for("a result", lambda: list((tmp_path / "results").glob("build-*.json")))
    driver.send_signal(signal.SIGINT)
    _, said = driver.communicate(timeout=60)
    assert driver.returncode == 130, said
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    done = run(*toy(double, tmp_path))
    assert done.returncode == 0
    assert "tasks were done before" in done.stderr


def test_a_second_driver_is_refused(double: str, tmp_path: Path) -> None:
    driver = start(*toy(double, tmp_path), env={"DOUBLE": "seconds=1"})
    wait_for("the lock", lambda: list((tmp_path / "results").glob("tasks-*")))
    second = run(*toy(double, tmp_path))
    assert second.returncode == 2
    assert f"another run writes into the folder of results '{tmp_path}" in second.stderr
    assert f"process {driver.pid} on " in second.stderr
    driver.communicate(timeout=60)
    assert driver.returncode == 0


def test_bad_input_is_told_in_a_sentence(double: str, tmp_path: Path) -> None:
    def said(*words: object) -> str:
        done = run(*words, cwd=tmp_path)
        assert done.returncode == 2, done.stderr
        assert done.stderr.count("\n") == 1, done.stderr
        return done.stderr

    nobody = ("--scheduler", "tcp://127.0.0.1:9", "--timeout", 2)
    common = ("--program", double, "--parts", 2)
    assert "there is no scheduler at tcp://127.0.0.1:9" in said("build", *common, *nobody)
    missing = ("--scheduler-file", tmp_path / "none.json", "--timeout", 1)
    assert "there is no scheduler file" in said("build", *common, *missing)
    assert "there is no program 'grundi' here" in said("build", "--local", 1, "--program", "grundi")
    assert "does not say that it is grundy" in said("build", "--local", 1, "--program", "/bin/true")
    half = ("--local", 1, "--tls-ca", "ca.pem")
    assert "TLS takes all of" in said("build", *common, *half)
    (tmp_path / "file").write_text("")
    assert "cannot be written to" in said(
        "build", *common, "--local", 1, "--results", tmp_path / "file"
    )
    assert "takes --store" in said("build", *common, "--local", 1, "--endpoint", "http://x")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_refused(double: str, tmp_path: Path) -> None:
    (tmp_path / "results").mkdir(mode=0o500)
    done = run(*toy(double, tmp_path))
    assert done.returncode == 2
    assert "cannot be written to" in done.stderr


def test_options_of_the_program_are_its_business(double: str, tmp_path: Path) -> None:
    done = run(*toy(double, tmp_path, "build", "--nonsense"))
    assert done.returncode == 2
    assert "--nonsense" in done.stderr


def test_a_killed_driver_leaves_no_task_behind(double: str, tmp_path: Path) -> None:
    driver = start(*toy(double, tmp_path), env={"DOUBLE": "seconds=600"})

    def running() -> list[str]:
        found = []
        for one in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = one.read_bytes().split(b"\0")
            except OSError:
                continue
            if b"task" in words and any(str(tmp_path).encode() in word for word in words):
                found.append(str(one))
        return found

    wait_for("two tasks", lambda: len(running()) >= 2)
    driver.kill()
    driver.wait()
    wait_for("the end of its tasks", lambda: not running(), 30)
    begun = time.monotonic()
    assert run(*toy(double, tmp_path)).returncode == 0
    assert time.monotonic() - begun < 100
