"""Shards and results in a bucket: a real S3 server on loopback (moto's)."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import SMALL, TINY
from harness import Call, Cluster, Reference, contents

from grundy_cluster import program, worker
from grundy_cluster.contract import Order
from grundy_cluster.errors import StoreError
from grundy_cluster.store import Store

KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": "us-east-1"}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """Give the address of an S3 server."""
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    yield f"http://127.0.0.1:{port}"
    server.stop()


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def bucket(endpoint: str, request: pytest.FixtureRequest) -> str:
    """Make a bucket of this test's own."""
    import s3fs

    name = f"tables-{abs(hash(request.node.name)) % 10**9}"
    files = s3fs.S3FileSystem(endpoint_url=endpoint, skip_instance_cache=True)
    files.mkdir(name)
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

    # A copy of the bucket is the database that one command builds, byte by byte.
    copy = tmp_path / "copy"
    Store(bucket, endpoint)._files.get(f"{bucket}/db/", str(copy), recursive=True)
    assert contents(copy) == reference(SMALL)

    # On another machine, with nothing but the bucket, there is nothing left to do.
    again = call(*words, "--results", tmp_path / "two")
    assert again.returncode == 0, again.stderr
    assert "results came from" in again.stderr
    assert "scheduler" not in again.stderr

    # An object that has changed since, in length or only in content, is found and made anew.
    files = Store(bucket, endpoint)._files
    shard = next(path for path in files.find(f"{bucket}/db") if path.endswith(".zst"))
    whole = files.cat_file(shard)
    for spoilt in (whole[:-1], whole[:-1] + bytes([whole[-1] ^ 1])):
        files.pipe_file(shard, spoilt)
        mended = call(*words, "--results", tmp_path / "three")
        assert mended.returncode == 0, mended.stderr
        assert "is missing or damaged" in mended.stderr
        files.invalidate_cache()
        assert files.cat_file(shard) == whole


def test_a_task_that_was_killed_between_uploads_goes_on_elsewhere(
    grundy: str, endpoint: str, bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = program.tasks(grundy, "build", TINY, 4)[1]
    order = Order(task=task, program=grundy, store=bucket, endpoint=endpoint)
    store = Store(bucket, endpoint)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    # Shards are there, the result is not: the task is not done.
    with monkeypatch.context() as patched:
        patched.setattr(Store, "put_result", killed)
        with pytest.raises(KeyboardInterrupt):
            worker.answer(order)
    assert store.whole_result(task) is None
    assert store.fetch_results([task], tmp_path) == 0

    other = worker.answer(order, scratch=str(tmp_path))
    assert other.outcome == "done", other
    third = worker.answer(order, scratch=str(tmp_path))
    assert (third.outcome, third.text) == ("kept", other.text)
    assert not list(tmp_path.glob("grundy-task-*"))


def test_jobs_without_dask_use_the_same_bucket(
    call: Call, grundy: str, endpoint: str, bucket: str, tmp_path: Path
) -> None:
    file = tmp_path / "tasks"
    file.write_text("".join(f"{t.line}\n" for t in program.tasks(grundy, "build", TINY, 3)))
    common = ("--file", file, "--program", grundy, "--store", bucket, "--endpoint", endpoint)
    for index in range(2):
        assert call("task", *common, "--index", index).returncode == 0
    early = call("finish", *common, "--results", tmp_path / "results")
    assert early.returncode == 2
    assert "1 of 3 tasks have no result yet" in early.stderr
    assert "done in" in call("task", *common, "--index", 2).stdout
    assert "kept in" in call("task", *common, "--index", 2).stdout
    assert "no such task" in call("task", *common, "--index", 3).stderr
    assert call("finish", *common, "--results", tmp_path / "results").returncode == 0
    manifest = json.loads(Store(bucket, endpoint)._get("db/manifest.json") or b"")
    assert len(manifest["tables"]) == 12


def test_any_store_that_fsspec_knows_will_do(grundy: str, tmp_path: Path) -> None:
    task = program.tasks(grundy, "build", TINY, 4)[0]
    order = Order(task=task, program=grundy, store=f"file://{tmp_path}/bucket")
    assert [worker.answer(order).outcome for _ in range(2)] == ["done", "kept"]
    store = Store(f"file://{tmp_path}/bucket")
    assert store.damaged(task) is None
    (tmp_path / "bucket/db" / task.writes[0]).write_bytes(b"")
    assert store.damaged(task) == f"db/{task.writes[0]}"


@pytest.mark.parametrize("url", ["x", "s3://key:secret@bucket/x", "nosuch://x"])
def test_what_is_no_store_is_refused(url: str) -> None:
    with pytest.raises(StoreError):
        Store(url)


def test_a_store_that_says_no_is_told_in_a_sentence(endpoint: str) -> None:
    with pytest.raises(StoreError, match="the store 's3://no-such-bucket/x' says no"):
        Store("s3://no-such-bucket/x", endpoint).reachable()
