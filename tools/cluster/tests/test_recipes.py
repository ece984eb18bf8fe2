"""Recipes for other schedulers, run as they stand."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import SMALL
from harness import Reference, contents, leave_out, needs, script, wait_for

RECIPES = Path(__file__).parents[1] / "recipes"


def sh(*words: object, path: Path, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command with our grundy, our grundy-cluster and Python's on the path."""
    places = f"{path}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env={**os.environ, "PATH": places, **env},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


@pytest.fixture
def path(grundy: str, tmp_path: Path) -> Path:
    """Give a folder that has the program under its name."""
    folder = tmp_path / "bin"
    script(folder / "grundy", f'exec "{grundy}" "$@"')
    return folder


@pytest.fixture
def hyperqueue(tmp_path: Path) -> Iterator[str]:
    """Start HyperQueue's server and a worker; give their folder."""
    try:
        from hyperqueue.cluster import LocalCluster, WorkerConfig
    except ImportError:
        leave_out("there is no package hyperqueue for this system")
    with LocalCluster(str(tmp_path / "hq"), WorkerConfig(cores=2)) as cluster:
        yield cluster.cluster.server_dir


@pytest.mark.parametrize("name", ["make", "parallel", "hyperqueue"])
def test_a_recipe_builds_and_goes_on(
    name: str, path: Path, tmp_path: Path, reference: Reference, request: pytest.FixtureRequest
) -> None:
    command = ["build", *SMALL]
    env = {"PARTS": "8", "CPUS": "1"}
    words: list[object] = ["sh", RECIPES / f"{name}.sh", *command]
    if name == "make":
        words = ["make", "-f", RECIPES / "make.mk", "-j", 2, f"COMMAND={' '.join(command)}"]
    elif name == "parallel":
        needs("parallel", "parallel")
    else:
        env["HQ_SERVER_DIR"] = request.getfixturevalue("hyperqueue")
    for _ in range(2):
        done = sh(*words, path=path, cwd=tmp_path, **env)
        assert done.returncode == 0, done.stdout + done.stderr
        assert contents(tmp_path / "db") == reference(SMALL)
    if name != "hyperqueue":
        assert "was done in" in done.stdout


@dataclass
class Slurm:
    """Daemons of Slurm on loopback, for this test."""

    env: Mapping[str, str]

    def ask(self, *words: str) -> str:
        done = subprocess.run(
            words, env={**os.environ, **self.env}, capture_output=True, text=True, check=False
        )
        return done.stdout if done.returncode == 0 else ""


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slurm]:
    """Start slurmctld, slurmd and munged."""
    needs("slurmctld", "slurmctld", "slurmd", "slurm-client", "munge")
    if os.geteuid() != 0:
        leave_out("slurmd wants to be root")
    folder = tmp_path_factory.mktemp("slurm")
    for name in ("state", "spool"):
        (folder / name).mkdir()
    with (
        socket.create_server(("127.0.0.1", 0)) as one,
        socket.create_server(("127.0.0.1", 0)) as two,
    ):
        ports = [free.getsockname()[1] for free in (one, two)]
    told = Path(__file__).with_name("slurm.conf").read_text()
    host = socket.gethostname().split(".")[0]
    told = told.format(host=host, folder=folder, first=ports[0], second=ports[1])
    (folder / "slurm.conf").write_text(told)
    (folder / "key").write_bytes(os.urandom(1024))
    (folder / "key").chmod(0o400)
    names = {"socket": "munge.socket", "key-file": "key", "pid-file": "pid",
             "log-file": "munge.log", "seed-file": "seed"}  # fmt: skip
    munge = ["munged", "--foreground", "--force", "--num-threads", "2"]
    munge += [f"--{option}={folder / name}" for option, name in names.items()]
    env = {"SLURM_CONF": str(folder / "slurm.conf")}
    log = (folder / "daemons.log").open("a")
    daemons = [subprocess.Popen(munge, stdout=log, stderr=log)]
    slurm = Slurm(env)
    try:
        wait_for("munge", lambda: (folder / "munge.socket").exists())
        more = {**os.environ, **env}
        for name in ("slurmctld", "slurmd"):
            daemons += [subprocess.Popen([name, "-D"], env=more, stdout=log, stderr=log)]
        wait_for("a node", lambda: "idle" in slurm.ask("sinfo", "-h", "-o", "%T"))
        yield slurm
    finally:
        # It is shown if a test failed.
        print(slurm.ask("squeue"), *(path.read_text()[-3000:] for path in folder.glob("*.log")))
        slurm.ask("scancel", "--user=root")
        time.sleep(0.5)
        for daemon in reversed(daemons):
            daemon.terminate()
        for daemon in reversed(daemons):
            daemon.wait(120)
        log.close()


def test_slurm_does_an_array_and_a_requeued_task(
    slurm: Slurm, grundy: str, tmp_path: Path, reference: Reference
) -> None:
    path = tmp_path / "bin"
    # The first time the second task waits to be requeued.
    script(
        path / "grundy",
        f'case "$*" in task*"--index 1 "*) if mkdir "{tmp_path}/once" 2>/dev/null; then sleep 600;'
        f' fi ;; esac\nexec "{grundy}" "$@"',
    )
    words = ("sh", RECIPES / "slurm-array.sh", "build", *SMALL)
    done = sh(*words, path=path, cwd=tmp_path, PARTS="8", **slurm.env)
    assert done.returncode == 0, done.stderr
    array = done.stdout.split()[1]
    wait_for("the second task", lambda: (tmp_path / "once").exists())
    slurm.ask("scontrol", "requeue", f"{array}_1")
    # A node refuses for good what comes again in the second in which it was killed: it tells
    # launches apart by whole seconds.
    time.sleep(3)

    def is_finished() -> bool:
        # Slurm lets a requeued job wait two minutes unless it is told otherwise.
        slurm.ask("scontrol", "update", f"JobId={array}_1", "StartTime=now")
        time.sleep(0.5)
        return (tmp_path / "db/manifest.json").exists()

    wait_for("the end", is_finished)
    assert contents(tmp_path / "db") == reference(SMALL)


def test_slurm_runs_workers_of_dask(
    slurm: Slurm, path: Path, tmp_path: Path, reference: Reference
) -> None:
    words = ("sh", RECIPES / "slurm-dask.sh", "build", *SMALL, "--parts", 8)
    env = {**slurm.env, "NODE_HOST": "127.0.0.1", "TIMEOUT": "90"}
    done = sh(*words, path=path, cwd=tmp_path, **env)
    assert done.returncode == 0, done.stdout + done.stderr
    assert contents(tmp_path / "db") == reference(SMALL)
    wait_for("the workers' end", lambda: "grundy-worker" not in slurm.ask("squeue", "-o", "%j"))
