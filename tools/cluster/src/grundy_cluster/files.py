"""Atomic file writing, and the lock of a results folder."""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grundy_cluster.errors import ClusterError


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under a temporary name, sync it, and rename it."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Lock a results folder for this driver. The system unlocks it when the process ends."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / ".driver.lock").open("a+", errors="replace")
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        why = f"cannot write to the results folder '{folder}': {error.strerror}"
        raise ClusterError(why) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            lock.seek(0)
            raise ClusterError(
                f"another run uses the results folder '{folder}': "
                f"{lock.read(200).strip() or 'another process'}; wait for it, or choose "
                "another folder with --results"
            ) from error
        lock.truncate(0)
        lock.write(f"process {os.getpid()} on {os.uname().nodename}")
        lock.flush()
        yield
