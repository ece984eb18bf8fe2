"""Tests shards and results in a bucket, with moto's S3 server on loopback."""

import json
import logging
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import CHAIN, SMALL, STONE, TINY, Call, Cluster, Reference, Wrong, contents

from grundy_cluster import program, worker
from grundy_cluster.contract import Order
from grundy_cluster.store import Store

KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1"}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """Yield the address of an S3 server; put keys for the server into the environment."""
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in KEYS.items():
            patch.setenv(name, value)
        yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(endpoint: str) -> str:
    """Make a bucket for one test."""
    import s3fs

    name = f"tables-{uuid.uuid4()}"
    s3fs.S3FileSystem(endpoint_url=endpoint, skip_instance_cache=True).mkdir(name)
    return f"s3://{name}/nim"


def test_a_build_goes_to_a_bucket_and_is_finished(
    cluster: Cluster, call: Call, grundy: str, endpoint: str, bucket: str, tmp_path: Path,
    reference: Reference,
) -> None:  # fmt: skip
    cluster.start(KEYS, KEYS)
    words = ["build", "--scheduler-file", cluster.file, "--program", grundy, "--parts", 8]
    words += ["--store", bucket, "--endpoint", endpoint, *SMALL]
    done = call(*words, "--results", tmp_path / "one")
    assert done.returncode == 0, done.stderr
    assert f"the tables are in {bucket}/db" in done.stderr

    # A copy of the bucket equals the database of one command, byte by byte.
    copy = tmp_path / "copy"
    Store(bucket, endpoint)._files.get("db/", str(copy), recursive=True)
    assert contents(copy) == reference(SMALL)

    # Another machine, which can use only the bucket, finds no unfinished task.
    again = call(*words, "--results", tmp_path / "two")
    assert again.returncode == 0, again.stderr
    assert "results from" in again.stderr
    assert "scheduler" not in again.stderr

    # An object whose length or content has changed is found and built again.
    files = Store(bucket, endpoint)._files
    shard = next(path for path in files.find("db") if path.endswith(".zst"))
    whole = files.cat_file(shard)
    for spoilt in (whole[:-1], whole[:-1] + bytes([whole[-1] ^ 1])):
        files.pipe_file(shard, spoilt)
        mended = call(*words, "--results", tmp_path / "three")
        assert mended.returncode == 0, mended.stderr
        assert "is missing or damaged" in mended.stderr
        files.invalidate_cache()
        assert files.cat_file(shard) == whole


@pytest.mark.parametrize("is_s3", [True, False])
def test_a_task_that_was_killed_between_uploads_goes_on_elsewhere(
    is_s3: bool, grundy: str, endpoint: str, bucket: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    # Any store of fsspec works.
    url = bucket if is_s3 else f"file://{tmp_path}/bucket"
    task = program.tasks(grundy, "build", TINY, 4)[1]
    order = Order(task.line, program=grundy, store=url, endpoint=endpoint)
    store, put = Store(url, endpoint), Store.put_file

    def killed(store: Store, file: Path, name: str) -> object:
        if name.endswith(".json"):
            raise KeyboardInterrupt
        return put(store, file, name)

    # The task is not done, because its result is missing although the shards exist.
    with monkeypatch.context() as patched:
        patched.setattr(Store, "put_file", killed)
        with pytest.raises(KeyboardInterrupt):
            worker.answer(order)
    assert store.damaged(task) is None
    assert store.whole_result(task) is None
    assert store.fetch_results([task], tmp_path) == 0

    other = worker.answer(order, scratch=str(tmp_path))
    assert other.outcome == "done", other
    third = worker.answer(order, scratch=str(tmp_path))
    assert (third.outcome, third.text) == ("kept", other.text)
    assert not list(tmp_path.glob("grundy-task-*"))
    # The error names the changed shard.
    store._files.pipe_file(f"db/{task.writes[0]}", b"")
    assert store.damaged(task) == f"db/{task.writes[0]}"


def test_jobs_without_dask_use_the_same_bucket(
    call: Call, grundy: str, endpoint: str, bucket: str, tmp_path: Path
) -> None:
    file = tmp_path / "tasks"
    file.write_text("".join(f"{t.line}\n" for t in program.tasks(grundy, "build", TINY, 3)))
    common = ("--file", file, "--program", grundy, "--store", bucket, "--endpoint", endpoint)
    finish = ("finish", "--results", tmp_path / "results")
    for words, code, told in (
        (("task", "--index", 0), 0, "done in"),
        (("task", "--index", 1), 0, "done in"),
        (finish, 2, "1 of 3 tasks have no result yet"),
        (("task", "--index", 2), 0, "done in"),
        (("task", "--index", 2), 0, "kept in"),
        (("task", "--index", 3), 2, "no such task"),
        (finish, 0, "published 12 tables"),
    ):
        done = call(*words, *common)
        assert done.returncode == code, done.stderr
        assert told in done.stdout + done.stderr
    manifest = json.loads(Store(bucket, endpoint)._get("db/manifest.json") or b"")
    assert len(manifest["tables"]) == 12


def test_a_chain_takes_its_state_from_the_bucket(
    call: Call, grundy: str, wrong: Wrong, endpoint: str, bucket: str, tmp_path: Path,
    reference: Reference,
) -> None:  # fmt: skip
    # The worker has brought the state into the folder of the task.
    look = 'db="$*"; db=${db#*--db }; find "${db%% *}" -name "*.state" | grep -q .'
    begins = f'case "$*" in *-00001*) {look} || {{ {STONE}; }} ;; esac'
    words = ["build", "--local", 2, "--program", grundy, "--worker-program", wrong(begins)]
    words += ["--parts", 2, "--store", bucket, "--endpoint", endpoint, *CHAIN]
    done = call(*words, "--results", tmp_path / "results")
    assert (done.returncode, "failed" in done.stderr) == (0, False), done.stderr
    store = Store(bucket, endpoint)
    assert not store._files.find("states")
    store._files.get("db/", str(tmp_path / "copy"), recursive=True)
    assert contents(tmp_path / "copy") == reference(CHAIN)


@pytest.mark.parametrize("is_s3", [True, False])
def test_a_late_copy_leaves_no_state_in_a_finished_bucket(
    is_s3: bool, grundy: str, endpoint: str, bucket: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    url = bucket if is_s3 else f"file://{tmp_path}/bucket"
    store, tasks, do = Store(url, endpoint), program.tasks(grundy, "build", CHAIN, 2), program.do
    orders = [Order(task.line, program=grundy, store=url, endpoint=endpoint) for task in tasks]

    def late(*words: Any) -> tuple[str, str]:
        """Run a task; before it ends, other workers do all tasks, and the run ends."""
        said = do(*words)
        with monkeypatch.context() as patched:
            patched.setattr(program, "do", do)
            assert [worker.answer(other).outcome for other in orders] == ["done", "done"]
        store.remove_states(tasks)
        return said

    table = tasks[0].shards[0].rpartition("/")[0]
    for order in orders:
        # The table has a state of an earlier plan, and another table has a state.
        for path in (f"states/{table}/x-00007.state", "states/other/n1/k1/x-00001.state"):
            store._files.makedirs(path.rpartition("/")[0], exist_ok=True)
            store._files.pipe_file(path, b"")
        with monkeypatch.context() as patched:
            patched.setattr(program, "do", late)
            assert worker.answer(order).outcome == "done"
        assert store._files.find("states") == ["states/other/n1/k1/x-00001.state"]
        for task in tasks:
            store.forget(task)


def test_a_bucket_that_is_not_there_is_told_before_any_work(
    call: Call, grundy: str, endpoint: str, tmp_path: Path
) -> None:
    words = ("build", "--local", 1, "--program", grundy, "--results", tmp_path)
    done = call(*words, "--store", "s3://no-such-bucket/x", "--endpoint", endpoint, *TINY)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "cannot use the store 's3://no-such-bucket/x'" in done.stderr
