"""The small parts: options, files, scratch folders, progress, simulation."""

from __future__ import annotations

import io
import math
import os
from pathlib import Path

import pytest

from grundy_cluster import cli, files, simulate, worker
from grundy_cluster.errors import ClusterError
from grundy_cluster.progress import Progress, span
from grundy_cluster.simulate import World


def test_options_are_parted() -> None:
    parser = cli._run_parser("check")
    words = ["nim", "g > 1", "--local", "2", "--length=3", "--max-pile", "5", "--db=x", "--json"]
    own, passed = cli.split(parser, words)
    assert own == ["--local", "2", "--db=x", "--json"]
    assert passed == ["nim", "g > 1", "--length=3", "--max-pile", "5"]
    assert cli.split(parser, ["a", "--", "--db", "b"]) == ([], ["a", "--", "--db", "b"])
    assert cli.split(parser, ["--db"]) == (["--db"], [])


def test_files_are_whole_or_not_there(tmp_path: Path) -> None:
    files.write_whole(tmp_path / "a", b"one")
    files.write_whole(tmp_path / "a", b"two")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
    assert (tmp_path / "a").read_bytes() == b"two"
    with pytest.raises(FileNotFoundError):
        files.write_whole(tmp_path / "no" / "a", b"")


def test_a_folder_is_locked_for_one(tmp_path: Path) -> None:
    with (
        files.locked(tmp_path),
        pytest.raises(ClusterError, match=f"process {os.getpid()}"),
        files.locked(tmp_path),
    ):
        pass
    with files.locked(tmp_path):
        pass


def test_scratch_folders_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(worker.SCRATCH, str(tmp_path))
    with worker.scratch() as one, worker.scratch() as two:
        assert one != two
        (one / "file").write_text("")
        assert len(list(tmp_path.iterdir())) == 2
    assert not list(tmp_path.iterdir())
    # One that was left behind by a process that was killed: nobody holds its lock.
    left = tmp_path / "grundy-task-x"
    left.mkdir()
    (left / "lock").write_text("")
    with worker.scratch():
        assert not left.exists()


def test_times_are_written_as_people_do() -> None:
    assert [span(s) for s in (0, 59, 200, 18_600, 1e6)] == [
        "0 s", "59 s", "3 min 20 s", "5 h 10 min", "12 days",
    ]  # fmt: skip


def test_progress_says_what_is_left() -> None:
    out = io.StringIO()
    progress = Progress(4, 8.0, out)
    progress.done(2.0)
    line = progress.line(3)
    assert line.startswith("1 of 4 tasks, 3 workers, ")
    assert line.endswith(" left")
    progress.say("hello")
    assert out.getvalue() == "grundy-cluster: hello\n"


def test_a_perfect_world_takes_its_time() -> None:
    # 1000 tasks of 10 s on 10 nodes: by hand 1000 s, plus 10 ms for the last ten results.
    world = World(work=10_000, tasks=1000, nodes=10, base=0, overhead=0, driver=0.001,
                  stragglers=0, spread=0)  # fmt: skip
    assert math.isclose(simulate.simulate(world).wall, 1000.010)
    # Overhead and base are paid by each task: (10 + 1 + 2) * 100.
    worse = World(work=10_000, tasks=1000, nodes=10, base=2, overhead=1, driver=0,
                  stragglers=0, spread=0)  # fmt: skip
    assert math.isclose(simulate.simulate(worse).wall, 1300)


def test_failures_and_stragglers_cost() -> None:
    calm = World(work=1e6, tasks=2000, nodes=100)
    rough = World(work=1e6, tasks=2000, nodes=100, mtbf=20_000)
    first, second = simulate.simulate(calm), simulate.simulate(rough)
    assert first.failures == 0
    assert second.failures > 10
    assert second.repeated >= second.failures
    assert second.wall > first.wall
    assert simulate.simulate(rough) == second
    # A driver that takes a second for each result is what everybody waits for.
    slow = World(work=1e6, tasks=20_000, nodes=1000, driver=1.0)
    assert simulate.simulate(slow).wall > 20_000
    assert simulate.simulate(slow).driver > 0.95


def test_everything_ends_even_if_nodes_hardly_live() -> None:
    world = World(work=3600, tasks=100, nodes=5, mtbf=40, repair=1)
    assert simulate.simulate(world).failures > 10
