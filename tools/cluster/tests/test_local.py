"""The driver with workers of its own, and the program's double."""

from __future__ import annotations

import signal
from pathlib import Path

from harness import listening, run, start, wait_for


def toy(double: str, folder: Path) -> list[object]:
    words = ["build", "--local", 2, "--program", double, "--results", folder / "results"]
    return [*words, "--db", folder / "db", "--parts", 6]


def running(folder: Path) -> list[str]:
    """Give the tasks at work for a folder, whoever began them."""
    found = []
    for one in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = one.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"task" in words and any(str(folder).encode() in word for word in words):
            found.append(str(one))
    return found


def test_ctrl_c_leaves_a_state_that_resumes(double: str, tmp_path: Path) -> None:
    driver = start(*toy(double, tmp_path), env={"DOUBLE": "seconds=5"})
    wait_for("a result", lambda: list((tmp_path / "results").glob("build-*.json")))
    driver.send_signal(signal.SIGINT)
    _, said = driver.communicate(timeout=300)
    assert driver.returncode == 130, said
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    wait_for("the end of its tasks", lambda: not running(tmp_path))
    done = run(*toy(double, tmp_path))
    assert (done.returncode, done.stdout) == (0, "built 12 shards\n"), done.stderr
    assert "tasks were done before" in done.stderr


def test_a_killed_driver_leaves_no_task_behind(double: str, tmp_path: Path) -> None:
    driver = start(*toy(double, tmp_path), env={"DOUBLE": "seconds=600"})
    wait_for("two tasks", lambda: len(running(tmp_path)) >= 2)
    assert listening(driver.pid) == {"127.0.0.1"}
    driver.kill()
    driver.wait()
    wait_for("the end of its tasks", lambda: not running(tmp_path))
