"""The command line in the wheel works like the program `grundy`."""

import contextlib
import os
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

MODULE = [sys.executable, "-m", "grundy"]


def ran(command: list[str], *typed: str) -> tuple[int, str, str]:
    done = subprocess.run([*command, *typed], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "typed",
    [
        ("query", "end-nim", "3,1,4", "5,4,5,6,7"),
        ("moves", "end-nim", "2,3,4"),
        ("query", "end-nim", "3,0,4"),
        ("query", "end-nin", "3,1,4"),
        ("check", "end-nim", "g == 1 -> first == last", "--length", "3", "--max-pile", "8"),
        ("help", "query"),
        ("nothing-of-the-kind",),
        (),
    ],
)
def test_it_says_the_same_as_the_program(
    program: str, folder: Path, typed: tuple[str, ...]
) -> None:
    typed = ("--db", str(folder), *typed) if typed[:1] not in ((), ("help",)) else typed
    code, out, err = ran(MODULE, *typed)
    expected = ran([program], *typed)
    # The output of `check` contains seconds, which differ from run to run.
    if "check" not in typed:
        assert (code, out, err) == expected
    assert code == expected[0]
    assert out.splitlines()[:1] == expected[1].splitlines()[:1]


def test_there_is_a_script(folder: Path) -> None:
    script = Path(sysconfig.get_path("scripts")) / "grundy"
    if not script.exists():
        script = script.with_suffix(".exe")
    assert ran([str(script)], "--db", str(folder), "query", "nim", "3,1,4") == (0, "6\n", "")


def hears_signals(running: subprocess.Popen[str]) -> None:
    """Wait until the program has its signal handlers, because an earlier signal would end it."""
    tasks = Path(f"/proc/{running.pid}/task")
    if not tasks.exists():  # where the system does not tell the names of threads
        time.sleep(10)
        return
    while running.poll() is None:
        for comm in tasks.glob("*/comm"):
            with contextlib.suppress(OSError):
                if comm.read_text().strip() == "signals":
                    return
        time.sleep(0.05)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="other signals elsewhere")
def test_ctrl_c_ends_it_as_it_ends_the_program() -> None:
    command = [*MODULE, "check", "end-nim", "g >= 0", "--length", "7", "--max-pile", "64"]
    with subprocess.Popen(
        [*command, "--seconds", "100000"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        err = ""
        hears_signals(running)
        for _ in range(30):
            running.send_signal(signal.SIGINT)
            try:
                _, err = running.communicate(timeout=5)
                break
            except subprocess.TimeoutExpired:
                continue
    assert "Traceback" not in err
    assert running.returncode == 130, err
