"""Shards and results in a bucket, for nodes that share no folder.

Any store that fsspec knows will do; `s3://bucket/prefix` by s3fs is what is tested. Below the
URL it looks like this:

    db/end-nim/n24/k6/000003.zst       a shard, where the database folder has it
    db/manifest.json                   written last of all
    results/build-...-00007.json       the result file of a task
    results/build-...-00007.objects    its objects: path, bytes and MD5 of each

An object appears whole or not at all; that is what a store of objects promises. Each is checked
after it is written: its length, and its MD5, which S3 gives as the ETag of an object that was
uploaded in one piece; where the ETag is something else the object is read back. The order is
shards, list of objects, result: so a result that is there speaks of shards that are there. The
list is what `finish` holds the bucket against, so that an object that has changed since is found.

Access keys come from the surroundings of each process (environment, instance), never over Dask.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from grundy_cluster.contract import LONGEST, Task
from grundy_cluster.errors import ClusterError
from grundy_cluster.files import write_whole

_PIECE = 4 << 20
# S3 takes up to 5 GiB in one piece; one piece has an ETag that is its MD5.
_ONE_PIECE = 256 << 20


class Store:
    """A bucket, or what fsspec takes for one."""

    def __init__(self, url: str, endpoint: str | None = None) -> None:
        """Open it; nothing is asked of it yet."""
        parts = urlsplit(url)
        if not parts.scheme or parts.username or parts.password:
            raise ClusterError(
                f"'{url}' is no URL of a store, as in s3://bucket/tables (keys are taken from the "
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
            raise ClusterError(f"the store '{url}' cannot be opened: {error}") from error
        self._files = DirFileSystem(root.rstrip("/"), files, skip_instance_cache=True)

    def put_task(self, task: Task, results: Path, db: Path) -> None:
        """Upload what a task wrote: shards, the list of them, the result."""
        objects = {path: self.put_file(db / path, f"db/{path}") for path in task.shards}
        listed = results / f"{task.id}.objects"
        listed.write_text(json.dumps({"id": task.id, "objects": objects}))
        self.put_file(listed, f"results/{listed.name}")
        self.put_file(results / task.result, f"results/{task.result}")

    def whole_result(self, task: Task) -> str | None:
        """Give the result if it is there and all it speaks of is there, unchanged."""
        data = self._get(f"results/{task.result}")
        if data is None or self.damaged(task):
            return None
        return data.decode(errors="replace")

    def damaged(self, task: Task) -> str | None:
        """Say which object of a task is missing or has changed, if one has."""
        listed = f"results/{task.id}.objects"
        try:
            said = json.loads(self._get(listed) or b"")
            objects = {f"db/{path}": said["objects"][path] for path in task.shards}
            wanted = {name: (one["bytes"], one["md5"]) for name, one in objects.items()}
            if said["id"] != task.id:
                return listed
        except (ValueError, KeyError, TypeError):
            return listed
        return next((name for name, about in wanted.items() if not self._is(name, *about)), None)

    def fetch_results(self, tasks: Iterable[Task], results: Path) -> int:
        """Download the results of these tasks that are not here yet; say how many came."""
        there: set[str] = set()
        with self._asking():
            # A folder that is not there yet is empty; a bucket that is not there is told early.
            self._files.fs.ls(self._files.path.split("/", 1)[0] if self._s3 else "/", detail=False)
            with suppress(FileNotFoundError):
                there = set(self._files.ls("results", detail=False))
        names = {f"results/{t.result}": results / t.result for t in tasks}
        new = {name: to for name, to in names.items() if name in there and not to.exists()}
        return sum(self.fetch(name, to) for name, to in new.items())

    def forget(self, task: Task) -> None:
        """Take a result away whose objects are not what it says."""
        with self._asking(), suppress(FileNotFoundError):
            self._files.rm_file(f"results/{task.result}")

    def fetch(self, name: str, to: Path) -> bool:
        """Download an object, if it is there."""
        data = self._get(name)
        if data is not None:
            write_whole(to, data)
        return data is not None

    def _get(self, name: str) -> bytes | None:
        with self._asking(), suppress(FileNotFoundError):
            if int(self._files.info(name)["size"]) > LONGEST:
                raise ClusterError(f"{self.url}/{name} is longer than anything of its kind")
            return bytes(self._files.cat_file(name))
        return None

    def put_file(self, file: Path, name: str) -> dict[str, object]:
        """Write an object, unless it is there, and check it; give its length and digest."""
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
                raise ClusterError(f"{self.url}/{name} is not what was written to it")
        return {"bytes": size, "md5": digest}

    def _is(self, name: str, size: int, md5: str) -> bool:
        """Tell whether an object has this length and digest."""
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
        """Turn whatever a store's library raises into one sentence."""
        try:
            yield
        except ClusterError:
            raise
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".strip().partition("\n")[0]
            raise ClusterError(f"the store '{self.url}' says no: {reason}") from error


def _digest(source: Any) -> str:
    digest = hashlib.md5(usedforsecurity=False)
    while piece := source.read(_PIECE):
        digest.update(piece)
    return digest.hexdigest()
