"""Runs the recipes for other schedulers, unchanged."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from conftest import (
    CHAIN,
    SMALL,
    STONE,
    Reference,
    check_turns,
    contents,
    leave_out,
    needs,
    once,
    script,
    tells,
    wait_for,
)

from grundy_cluster.contract import Task, read_tasks

RECIPES = Path(__file__).parents[1] / "recipes"
Sh = Callable[..., "subprocess.CompletedProcess[str]"]


def program(grundy: str, folder: Path, fault: str = "") -> None:
    """Write the program of the recipes, which records its tasks after the commands of a fault."""
    text = f'REAL="{grundy}"; case $1 in task) {fault or ":"}; {tells(folder / "log")} ;; esac'
    script(folder / "bin/grundy", f'{text}; exec "$REAL" "$@"')


def tasks(folder: Path) -> list[Task]:
    """Return the tasks that a recipe has written."""
    [file] = (folder / "results").glob("TASKS-*")
    return read_tasks(file.read_text())


@pytest.fixture
def sh(grundy: str, tmp_path: Path) -> Sh:
    """Return a function that runs a command with our programs and this Python on the PATH."""
    program(grundy, tmp_path)
    places = f"{tmp_path / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"

    def run(*words: object, **env: str) -> subprocess.CompletedProcess[str]:
        command = [str(word) for word in words]
        env = {**os.environ, "PATH": places, "PARTS": "8", "CPUS": "1", **env}
        done = subprocess.run(
            command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=900, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done

    return run


@pytest.fixture
def hyperqueue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start HyperQueue's server and a worker."""
    try:
        from hyperqueue.cluster import LocalCluster, WorkerConfig
    except ImportError:
        leave_out("there is no package hyperqueue for this system")
    try:
        cluster = LocalCluster(str(tmp_path / "hq"), WorkerConfig(cores=2))
    except RuntimeError as error:
        # This error occurs, for example, if the host name of this machine has no address.
        leave_out(f"HyperQueue does not start here; it says: {str(error).splitlines()[0]}")
    with cluster:
        monkeypatch.setenv("HQ_SERVER_DIR", cluster.cluster.server_dir)
        yield


@pytest.mark.parametrize("build", [SMALL, CHAIN], ids=["small", "chain"])
@pytest.mark.parametrize("name", ["make", "parallel", "hyperqueue"])
def test_a_recipe_builds_and_goes_on(
    name: str, build: tuple[str, ...], sh: Sh, tmp_path: Path, reference: Reference,
    request: pytest.FixtureRequest,
) -> None:  # fmt: skip
    if name == "hyperqueue":
        request.getfixturevalue(name)
    else:
        needs(name)
    words: list[object] = ["sh", RECIPES / f"{name}.sh", "build", *build]
    if name == "make":
        words = ["make", "-f", RECIPES / "make.mk", "-j2", f"COMMAND=build {' '.join(build)}"]
    for _ in range(2):
        done = sh(*words)
        assert contents(tmp_path / "db") == reference(build)
    assert name == "hyperqueue" or "was done in" in done.stdout
    check_turns(tmp_path / "log", tasks(tmp_path))


def ask(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout


def comes_up(daemons: list[subprocess.Popen[bytes]]) -> bool:
    """Wait until a node of Slurm is ready; return False if one of its daemons ends."""
    until = time.monotonic() + 120
    while all(daemon.poll() is None for daemon in daemons) and time.monotonic() < until:
        if "idle" in ask("sinfo", "-h", "-o", "%T"):
            return True
        time.sleep(0.2)
    return False


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Start slurmctld and slurmd on loopback."""
    needs("slurmctld", "slurmd", "sinfo")
    if os.geteuid() != 0:
        leave_out("slurmd needs to run as root")
    folder = tmp_path_factory.mktemp("slurm")
    for name in ("state", "spool"):
        (folder / name).mkdir()
    with ExitStack() as stack:
        free = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(2)]
        first, second = (one.getsockname()[1] for one in free)
    told = Path(__file__).with_name("slurm.conf").read_text()
    host = socket.gethostname().split(".")[0]
    told = told.format(host=host, folder=folder, first=first, second=second)
    (folder / "slurm.conf").write_text(told)
    daemons = []
    with pytest.MonkeyPatch.context() as patch, (folder / "daemons.log").open("a") as log:
        patch.setenv("SLURM_CONF", str(folder / "slurm.conf"))
        try:
            for name in ("slurmctld", "slurmd"):
                daemons += [subprocess.Popen([name, "-D"], stdout=log, stderr=log)]
            if not comes_up(daemons):
                said = (folder / "daemons.log").read_text().strip().splitlines() or ["nothing"]
                leave_out(f"Slurm does not start here; it says: {said[-1]}")
            yield
        finally:
            # Pytest shows this output if a test failed.
            print(ask("squeue"), *(path.read_text()[-3000:] for path in folder.glob("*.log")))
            ask("scancel", "--user=root")
            time.sleep(0.5)
            for daemon in reversed(daemons):
                daemon.terminate()
                daemon.wait(120)


@pytest.mark.usefixtures("slurm")
def test_slurm_does_an_array_and_a_requeued_task(
    sh: Sh, grundy: str, tmp_path: Path, reference: Reference
) -> None:
    # When the second task runs for the first time, it sleeps until Slurm requeues it.
    sleeps = once(tmp_path / "once", "sleep 600")
    program(grundy, tmp_path, f'case "$*" in *"--index 1 "*) {sleeps} ;; esac')
    array = sh("sh", RECIPES / "slurm-array.sh", "build", *SMALL).stdout.split()[1]
    wait_for("the second task", (tmp_path / "once").exists)
    ask("scontrol", "requeue", f"{array}_1")
    # A node identifies a launch by its time in whole seconds. So it refuses to launch a killed task
    # again within the same second.
    time.sleep(3)

    def is_finished() -> bool:
        # By default Slurm makes a requeued job wait for two minutes.
        ask("scontrol", "update", f"JobId={array}_1", "StartTime=now")
        time.sleep(0.5)
        return (tmp_path / "db/manifest.json").exists()

    wait_for("the end", is_finished)
    assert contents(tmp_path / "db") == reference(SMALL)


@pytest.mark.usefixtures("slurm")
def test_slurm_runs_workers_of_dask(sh: Sh, tmp_path: Path, reference: Reference) -> None:
    words = ("build", *SMALL, "--parts", 8)
    sh("sh", RECIPES / "slurm-dask.sh", *words, NODE_HOST="127.0.0.1", TIMEOUT="90")
    assert contents(tmp_path / "db") == reference(SMALL)
    wait_for("the workers' end", lambda: "grundy-worker" not in ask("squeue", "-o", "%j"))


@pytest.mark.usefixtures("slurm")
def test_slurm_runs_a_chain_of_tasks(sh: Sh, tmp_path: Path, reference: Reference) -> None:
    said = sh("sh", RECIPES / "slurm-array.sh", "build", *CHAIN).stdout
    assert said.split()[1].count(":") == 7, "eight arrays"
    wait_for("the end", (tmp_path / "db/manifest.json").exists)
    assert contents(tmp_path / "db") == reference(CHAIN)
    check_turns(tmp_path / "log", tasks(tmp_path))


@pytest.mark.usefixtures("slurm")
def test_slurm_goes_on_after_a_failed_task(
    sh: Sh, grundy: str, tmp_path: Path, reference: Reference
) -> None:
    program(grundy, tmp_path, f'case "$*" in *"--index 0 "*) {STONE} ;; esac')
    told = Path(sh("sh", RECIPES / "slurm-array.sh", "build", *CHAIN).stdout.split()[-1])
    first, second, *_ = tasks(tmp_path)
    wait_for("the end", lambda: told.exists() and first.shards[0] in told.read_text())
    # The second task has computed the work of the first again.
    assert (tmp_path / "results" / second.result).exists()
    program(grundy, tmp_path)
    sh("sh", RECIPES / "slurm-array.sh", "build", *CHAIN)
    wait_for("the end", (tmp_path / "db/manifest.json").exists)
    assert contents(tmp_path / "db") == reference(CHAIN)
