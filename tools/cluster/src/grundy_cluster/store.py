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

from grundy_cluster.contract import LONGEST, Task, inside
from grundy_cluster.errors import ClusterError
from grundy_cluster.files import write_whole

MANIFEST = "manifest.json"
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
            import fsspec
        except ImportError as error:
            raise ClusterError(
                "an object store needs the packages fsspec and s3fs: "
                "pip install 'grundy-cluster[s3]'"
            ) from error
        options: dict[str, Any] = {"skip_instance_cache": True, "use_listings_cache": False}
        if parts.scheme in ("s3", "s3a") and endpoint:
            options["endpoint_url"] = endpoint
        try:
            self._files, root = fsspec.core.url_to_fs(url, **options)
        except (ImportError, ValueError) as error:
            raise ClusterError(f"the store '{url}' cannot be opened: {error}") from error
        self._root = str(root).rstrip("/")
        self._s3 = parts.scheme in ("s3", "s3a")
        self.url = url

    def put(self, task: Task, results: Path, db: Path) -> None:
        """Upload what a task wrote: shards, the list of them, the result."""
        objects = {path: self._put(inside(db, path), f"db/{path}") for path in task.shards}
        listed = results / f"{task.id}.objects"
        listed.write_text(json.dumps({"id": task.id, "objects": objects}))
        self._put(listed, f"results/{listed.name}")
        self._put(results / task.result, f"results/{task.result}")

    def whole_result(self, task: Task) -> str | None:
        """Give the result if it is there and all it speaks of is there, unchanged."""
        data = self._get(f"results/{task.result}")
        if data is None or self.damaged(task):
            return None
        return data.decode(errors="replace")

    def damaged(self, task: Task) -> str | None:
        """Say which object of a task is missing or has changed, if one has."""
        name = f"results/{task.id}.objects"
        try:
            said = json.loads(self._get(name) or b"")
            objects = {f"db/{path}": said["objects"][path] for path in task.shards}
            wanted = {name: (one["bytes"], one["md5"]) for name, one in objects.items()}
            if said["id"] != task.id:
                return name
        except (ValueError, KeyError, TypeError):
            return name
        return next((name for name, about in wanted.items() if not self._is(name, *about)), None)

    def fetch_results(self, tasks: Iterable[Task], results: Path) -> int:
        """Download the results of these tasks that are not here yet; say how many came."""
        there: set[str] = set()
        with self._asking():
            # A folder that is not there yet is empty; a bucket that is not there is told early.
            self._files.ls(self._root.split("/", 1)[0] if self._s3 else "/", detail=False)
            with suppress(FileNotFoundError):
                names = self._files.ls(self._name("results"), detail=False)
                there = {str(name).split("/")[-1] for name in names}
        new = [t for t in tasks if t.result in there and not (results / t.result).exists()]
        return sum(self._fetch(f"results/{task.result}", results / task.result) for task in new)

    def fetch_manifest(self, db: Path) -> None:
        """Download the manifest, if there is one: `finish` adds to it."""
        self._fetch(f"db/{MANIFEST}", db / MANIFEST)

    def put_manifest(self, db: Path) -> None:
        """Upload the manifest: from now on the tables are there."""
        self._put(db / MANIFEST, f"db/{MANIFEST}")

    def forget(self, task: Task) -> None:
        """Take a result away whose objects are not what it says."""
        name = self._name(f"results/{task.result}")
        with self._asking(), suppress(FileNotFoundError):
            self._files.rm_file(name)

    def _name(self, name: str) -> str:
        return f"{self._root}/{name}"

    def _get(self, name: str) -> bytes | None:
        with self._asking(), suppress(FileNotFoundError):
            if int(self._files.info(self._name(name))["size"]) > LONGEST:
                raise ClusterError(f"{self.url}/{name} is longer than anything of its kind")
            return bytes(self._files.cat_file(self._name(name)))
        return None

    def _fetch(self, name: str, to: Path) -> bool:
        """Download an object, if it is there."""
        data = self._get(name)
        if data is not None:
            write_whole(to, data)
        return data is not None

    def _put(self, file: Path, name: str) -> dict[str, object]:
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
                    self._files.makedirs(self._name(name).rsplit("/", 1)[0], exist_ok=True)
                self._files.put_file(str(file), self._name(name), **options)
            if not self._is(name, size, digest):
                raise ClusterError(f"{self.url}/{name} is not what was written to it")
        return {"bytes": size, "md5": digest}

    def _is(self, name: str, size: int, md5: str) -> bool:
        """Tell whether an object has this length and digest."""
        with self._asking(), suppress(FileNotFoundError):
            found = self._files.info(self._name(name))
            if int(found["size"]) != size:
                return False
            if str(found.get("ETag", "")).strip('"') == md5:
                return True
            with self._files.open(self._name(name), "rb") as source:
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
