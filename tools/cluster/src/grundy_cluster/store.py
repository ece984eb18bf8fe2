"""Shards and results in a bucket, for nodes without a shared folder.

Any store of fsspec works; tests use `s3://bucket/prefix` with s3fs. The store has these objects
below its URL:

    db/GAME/n24/k6/GAME-n24-k6-00003.zst           a shard, as in the database folder
    db/manifest.json                               written last
    states/GAME/n24/k6/GAME-n24-k6-before-7.state  the state with which the task of tile 7 may
                                                   begin; removed at the end
    results/build-...-00007.json                   the result file of a task
    results/build-...-00007.objects                the task's objects: path, bytes, MD5 of each

Object stores guarantee that an object appears whole or not at all. After each upload the length and
the MD5 of the object are checked. If S3 received an object in one piece, its ETag is the MD5; other
objects are read back. A task writes its shards, then the list of objects, then the result. So if
there is a result, its shards exist. `finish` compares the bucket with the lists, and so finds
changed objects.

Each process takes access keys from its own environment or instance, never from Dask.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from grundy_cluster.contract import LONGEST, Task, parsed
from grundy_cluster.errors import ClusterError
from grundy_cluster.files import write_whole

_PIECE = 4 << 20
# The largest size of an upload in one piece, whose ETag is its MD5. (S3 would accept 5 GiB.)
_ONE_PIECE = 256 << 20


class Store:
    """A bucket, or any store of fsspec."""

    def __init__(self, url: str, endpoint: str | None = None) -> None:
        parts = urlsplit(url)
        if not parts.scheme or parts.username or parts.password:
            raise ClusterError(
                f"'{url}' is not the URL of a store, as in s3://bucket/tables (keys come from the "
                "environment, not from the URL)"
            )
        try:
            from fsspec.core import url_to_fs
            from fsspec.implementations.dirfs import DirFileSystem
        except ImportError as error:
            raise ClusterError(
                "an object store needs the packages fsspec and s3fs: "
                "pip install 'grundy-cluster[s3]'"
            ) from error
        self.url, self._s3 = url, parts.scheme in ("s3", "s3a")
        options: dict[str, Any] = {"skip_instance_cache": True, "use_listings_cache": False}
        if self._s3 and endpoint:
            options["endpoint_url"] = endpoint
        try:
            files, root = url_to_fs(url, **options)
        except (ImportError, ValueError) as error:
            raise ClusterError(f"cannot open the store '{url}': {error}") from error
        self._files = DirFileSystem(root.rstrip("/"), files, skip_instance_cache=True)

    def put_task(self, task: Task, results: Path, db: Path) -> None:
        """Upload the output of a task: states and shards, then their list, then the result.

        Do nothing if another run of the task was faster, because its states may be removed already.
        """
        if self.whole_result(task) is not None:
            return
        states = {path.relative_to(db).as_posix() for path in db.rglob("*.state")}
        for state in states.difference(task.states):  # without those that were downloaded
            self.put_file(db / state, f"states/{state}")
        objects = {path: self.put_file(db / path, f"db/{path}") for path in task.shards}
        listed = results / f"{task.id}.objects"
        listed.write_text(json.dumps({"id": task.id, "objects": objects}))
        self.put_file(listed, f"results/{listed.name}")
        self.put_file(results / task.result, f"results/{task.result}")

    def fetch_states(self, task: Task, db: Path) -> None:
        """Download the states with which a task may begin, if they exist."""
        for state in task.states:
            (db / state).parent.mkdir(parents=True, exist_ok=True)
            with self._asking(), suppress(FileNotFoundError):
                self._files.get_file(f"states/{state}", str(db / state))

    def remove_states(self, tasks: Iterable[Task]) -> None:
        """Remove all states of finished tables, whichever tasks made them."""
        tables = {f"states/{path.rpartition('/')[0]}" for task in tasks for path in task.shards}
        with self._asking(), suppress(FileNotFoundError):
            for state in self._files.find("states"):
                if state.rpartition("/")[0] in tables:
                    self._files.rm_file(state)

    def whole_result(self, task: Task) -> str | None:
        """Return the result of a task if the result and all its objects exist unchanged."""
        data = self._get(f"results/{task.result}")
        if data is None or self.damaged(task):
            return None
        return data.decode(errors="replace")

    def damaged(self, task: Task) -> str | None:
        """Return the name of the task's first missing or changed object; None if all are intact."""
        listed = f"results/{task.id}.objects"
        try:
            said = parsed(self._get(listed) or b"")
            objects = {f"db/{path}": said["objects"][path] for path in task.shards}
            wanted = {name: (one["bytes"], one["md5"]) for name, one in objects.items()}
            if said["id"] != task.id:
                return listed
        except (ValueError, KeyError, TypeError):
            return listed
        return next((name for name, about in wanted.items() if not self._is(name, *about)), None)

    def fetch_results(self, tasks: Iterable[Task], results: Path) -> int:
        """Download the results that the folder lacks; return their number."""
        there: set[str] = set()
        with self._asking():
            # Raise an error if the bucket is missing. A missing folder in the bucket counts as
            # empty.
            self._files.fs.ls(self._files.path.split("/", 1)[0] if self._s3 else "/", detail=False)
            with suppress(FileNotFoundError):
                there = set(self._files.ls("results", detail=False))
        names = {f"results/{t.result}": results / t.result for t in tasks}
        new = {name: to for name, to in names.items() if name in there and not to.exists()}
        return sum(self.fetch(name, to) for name, to in new.items())

    def forget(self, task: Task) -> None:
        """Remove the result of a task, because its objects do not match the result."""
        with self._asking(), suppress(FileNotFoundError):
            self._files.rm_file(f"results/{task.result}")

    def fetch(self, name: str, to: Path) -> bool:
        """Download an object, if it exists."""
        data = self._get(name)
        if data is not None:
            write_whole(to, data)
        return data is not None

    def _get(self, name: str) -> bytes | None:
        with self._asking(), suppress(FileNotFoundError):
            if int(self._files.info(name)["size"]) > LONGEST:
                raise ClusterError(f"{self.url}/{name} is longer than {LONGEST >> 20} MiB")
            return bytes(self._files.cat_file(name))
        return None

    def put_file(self, file: Path, name: str) -> dict[str, object]:
        """Upload a file unless its object exists; check the object; return length and digest."""
        with file.open("rb") as source:
            digest = _digest(source)
            size = source.tell()
        if not self._is(name, size, digest):
            with self._asking():
                options: dict[str, Any] = {}
                if self._s3:
                    options["chunksize"] = _ONE_PIECE if size <= _ONE_PIECE else _ONE_PIECE // 4
                else:
                    self._files.makedirs(name.rpartition("/")[0], exist_ok=True)
                self._files.put_file(str(file), name, **options)
            if not self._is(name, size, digest):
                raise ClusterError(f"{self.url}/{name} differs from what was uploaded")
        return {"bytes": size, "md5": digest}

    def _is(self, name: str, size: int, md5: str) -> bool:
        """Return True if an object has this length and digest."""
        with self._asking(), suppress(FileNotFoundError):
            found = self._files.info(name)
            if int(found["size"]) != size:
                return False
            if str(found.get("ETag", "")).strip('"') == md5:
                return True
            with self._files.open(name, "rb") as source:
                return _digest(source) == md5
        return False

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Convert any exception of a store's library to an error of one sentence."""
        try:
            yield
        except ClusterError:
            raise
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".strip().partition("\n")[0]
            raise ClusterError(f"cannot use the store '{self.url}': {reason}") from error


def _digest(source: Any) -> str:
    digest = hashlib.md5(usedforsecurity=False)
    while piece := source.read(_PIECE):
        digest.update(piece)
    return digest.hexdigest()
