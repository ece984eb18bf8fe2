"""Fixtures: the program or its double, and a cluster."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from harness import DOUBLE, Cluster

from grundy_cluster import cli


@pytest.fixture
def double() -> str:
    """Give the path of the program's double."""
    return str(DOUBLE)


@pytest.fixture(scope="session")
def grundy() -> str:
    """Give the path of the real program, which `make cluster-test` compiles."""
    path = shutil.which(os.environ.get("GRUNDY", "grundy"))
    knows = path and not subprocess.run([path, "tasks", "--help"], capture_output=True).returncode
    if not path or not knows:
        leave_out("there is no program grundy here; $GRUNDY says where it is")
    assert path
    return str(Path(path).absolute())


def leave_out(why: str) -> None:
    """Skip a test, and say so; fail where nothing may be left out."""
    if os.environ.get("CI"):
        pytest.fail(why)
    pytest.skip(why)


def needs(program: str, *packages: str) -> None:
    """Install Debian's packages if a program is missing and we may; else leave the test out."""
    if shutil.which(program):
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        print(f"there is no {program}; installing {' '.join(packages)}")
        apt = ["apt-get", "install", "-q", "-y", "--no-install-recommends", *packages]
        env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["apt-get", "update", "-q"], apt):
            done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                print(done.stdout + done.stderr)
    if not shutil.which(program):
        leave_out(f"there is no {program}, and it cannot be installed here")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """Give a cluster that is not started yet."""
    folder = tmp_path / "cluster"
    folder.mkdir()
    one = Cluster(folder)
    yield one
    one.stop()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Give a cluster of two workers that no test harms."""
    one = Cluster(tmp_path_factory.mktemp("shared"))
    one.start({}, {})
    yield one
    one.stop()


@pytest.fixture
def wrong(tmp_path: Path) -> Callable[[str], str]:
    """Make a double with which something is wrong; see there for the words."""

    def make(words: str) -> str:
        path = tmp_path / "wrong" / words.replace(" ", "-").replace("/", "_") / "grundy"
        return script(path, f'DOUBLE="{words}" exec "{DOUBLE}" "$@"')

    return make


def script(path: Path, text: str) -> str:
    """Write a program for a shell."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def call(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run `grundy-cluster` within this process, which saves seconds of imports."""

    def run(*words: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        if cwd:
            monkeypatch.chdir(cwd)
        capfd.readouterr()
        try:
            code = cli.main([str(word) for word in words])
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 2
        out, err = capfd.readouterr()
        return subprocess.CompletedProcess([], code, out, err)

    return run
