"""Files that are whole or not there, and the lock of a folder of results."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from grundy_cluster.errors import ClusterError

LOCK = ".driver.lock"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under another name, force it to disk, rename it, force the folder to disk."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder of results for one driver; the system lets go when the process dies."""
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            other = os.pread(lock, 200, 0).decode(errors="replace").strip() or "another process"
            raise ClusterError(
                f"another run writes into the folder of results '{folder}': {other}; "
                "wait for it, or name another folder with --results"
            ) from error
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"process {os.getpid()} on {os.uname().nodename}".encode(), 0)
        with _writing(folder):
            write_whole(folder / ".writable", b"")
            (folder / ".writable").unlink()
        yield
    finally:
        os.close(lock)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        why = f"the folder of results '{folder}' cannot be written to: {error.strerror}"
        raise ClusterError(why) from error
