"""Fixtures: the program, unchanged or faulty, and clusters."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import Call, Cluster, Reference, Wrong, contents, leave_out, script

from grundy_cluster import cli

# Ten tasks, eight of which build shards of the longest positions; tiny tables; six tasks.
LARGE = ("--max-pile", "24", "--length", "6", "--games", "end-nim,misere-end-nim,loop-end-nim")
SMALL = ("--max-pile", "16", "--length", "5", "--games", "end-nim,misere-end-nim,nim")
ENDS = "end-nim,misere-end-nim,loop-end-nim,partizan-end-nim"
TINY = ("--max-pile", "4", "--length", "2", "--games", f"nim,misere-nim,{ENDS}")


@pytest.fixture(scope="session")
def grundy() -> str:
    """Return the path of the program, which `make cluster-test` compiles."""
    path = shutil.which(os.environ.get("GRUNDY", "grundy"))
    knows = path and not subprocess.run([path, "tasks", "--help"], capture_output=True).returncode
    if not path or not knows:
        leave_out("there is no program grundy here; $GRUNDY says where it is")
    return str(Path(path or "").absolute())


@pytest.fixture
def wrong(tmp_path: Path, grundy: str) -> Wrong:
    """Make a program that runs something else first if it is called for `task`, say."""

    def make(text: str, asked: str = "task") -> str:
        number = len(list(tmp_path.glob("wrong*")))
        command = f'REAL="{grundy}"; case $1 in {asked}) {text} ;; esac; exec "$REAL" "$@"'
        return script(tmp_path / f"wrong{number}" / "grundy", command)

    return make


@pytest.fixture(scope="session")
def reference(grundy: str, tmp_path_factory: pytest.TempPathFactory) -> Reference:
    """Build with one command, each size once."""
    built: dict[tuple[str, ...], dict[str, bytes]] = {}

    def build(options: tuple[str, ...]) -> dict[str, bytes]:
        if options not in built:
            db = tmp_path_factory.mktemp("reference")
            subprocess.run([grundy, "build", *options, "--db", db], check=True, capture_output=True)
            built[options] = contents(db)
        return built[options]

    return build


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """Yield a cluster that is not started yet."""
    one = Cluster(tmp_path)
    yield one
    one.stop()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Yield a cluster of two workers that no test harms."""
    one = Cluster(tmp_path_factory.mktemp("shared")).start({}, {})
    yield one
    one.stop()


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Call:
    """Run `grundy-cluster` within this process, which saves seconds of imports."""

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        capfd.readouterr()
        try:
            code = cli.main([str(word) for word in words])
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 2
        out, err = capfd.readouterr()
        return subprocess.CompletedProcess([], code, out, err)

    return run
