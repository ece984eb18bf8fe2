"""The scheduler and the workers: ours for one run, or somebody's elsewhere.

Dask moves Python objects by pickle, and whoever reaches its scheduler can have code run on every
worker. So what is started here listens on loopback unless told otherwise, a cluster on a network
belongs behind TLS (Dask then demands a certificate of both sides), and our own messages are texts:
the client here is set to take nothing else in as a result (`deserializers`).
"""

from __future__ import annotations

import json
import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grundy_cluster.errors import ClusterError

# What Dask may take in as a result: texts and numbers, never a pickle.
PLAIN = ["dask", "msgpack"]

# A worker that dies is no fault of the task it had; the driver counts for itself.
SETTINGS = {
    "distributed.scheduler.allowed-failures": 100_000,
    "distributed.scheduler.worker-ttl": "60s",
    "distributed.scheduler.default-task-durations": {},
    "distributed.scheduler.events-cleanup-delay": "10m",
    "distributed.worker.daemon": True,
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.limit": "60s",
}


@dataclass(frozen=True, slots=True)
class Tls:
    """Certificates: the authority, ours, and its key."""

    ca: Path
    cert: Path
    key: Path

    def security(self) -> Any:
        """Give them as Dask wants them."""
        from distributed.security import Security

        for path in (self.ca, self.cert, self.key):
            if not path.is_file():
                raise ClusterError(f"there is no certificate or key '{path}'")
        ca, cert, key = str(self.ca), str(self.cert), str(self.key)
        return Security(
            require_encryption=True,
            tls_ca_file=ca,
            tls_client_cert=cert,
            tls_client_key=key,
            tls_scheduler_cert=cert,
            tls_scheduler_key=key,
            tls_worker_cert=cert,
            tls_worker_key=key,
        )


@dataclass(frozen=True, slots=True)
class Where:
    """Which cluster: exactly one of the first three is there."""

    local: int | None = None
    scheduler: str | None = None
    scheduler_file: Path | None = None
    tls: Tls | None = None
    host: str = "127.0.0.1"
    timeout: float = 60.0


@contextmanager
def connected(where: Where) -> Iterator[Any]:
    """Give a client of the cluster; a local one is started, and stopped at the end."""
    import dask.config
    import distributed  # noqa: F401  its defaults come first

    # What matters is said by the driver, in sentences.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with dask.config.set(SETTINGS):
        if where.local is not None:
            with _local(where) as cluster, _client(cluster.scheduler_address, where) as client:
                yield client
        else:
            address = where.scheduler or _address(where)
            with _client(address, where) as client:
                yield client


@contextmanager
def _local(where: Where) -> Iterator[Any]:
    from distributed import LocalCluster

    try:
        cluster = LocalCluster(
            n_workers=where.local,
            threads_per_worker=1,
            processes=True,
            host=where.host,
            dashboard_address=f"{where.host}:0",
            worker_dashboard_address=f"{where.host}:0",
            silence_logs=logging.CRITICAL,
            security=where.tls.security() if where.tls else None,
            protocol="tls://" if where.tls else "tcp://",
        )
    except (OSError, RuntimeError, ValueError) as error:
        raise ClusterError(
            f"no scheduler and workers could be started on {where.host}: {error}"
        ) from error
    try:
        yield cluster
    finally:
        cluster.close(timeout=20)


@contextmanager
def _client(address: str, where: Where) -> Iterator[Any]:
    from distributed import Client

    if address.startswith("tls://") and not where.tls:
        raise ClusterError(
            f"the scheduler at {address} wants certificates; say --tls-ca, --tls-cert and --tls-key"
        )
    try:
        client = Client(
            address,
            timeout=where.timeout,
            security=where.tls.security() if where.tls else None,
            set_as_default=False,
            serializers=PLAIN,
            deserializers=PLAIN,
        )
    except (OSError, ValueError, TypeError, TimeoutError, RuntimeError) as error:
        raise ClusterError(
            f"there is no scheduler at {address}: nothing answered in {where.timeout:g} seconds "
            f"({_short(error)})"
        ) from error
    try:
        yield client
    finally:
        try:
            client.close(timeout=10)
        except Exception as error:
            print(f"grundy-cluster: closing: {_short(error)}", file=sys.stderr)


def _short(error: BaseException) -> str:
    text = str(error).strip().splitlines()
    return text[0] if text else type(error).__name__


def _address(where: Where) -> str:
    """Read the address that a scheduler wrote, waiting for it a while."""
    path = where.scheduler_file
    assert path is not None
    until = time.monotonic() + where.timeout
    while True:
        try:
            address = json.loads(path.read_text())["address"]
            if isinstance(address, str):
                return address
        except FileNotFoundError:
            pass
        except OSError as error:
            raise ClusterError(
                f"the scheduler file '{path}' cannot be read: {error.strerror}"
            ) from error
        except (ValueError, KeyError, TypeError):
            pass  # half written
        if time.monotonic() > until:
            raise ClusterError(
                f"there is no scheduler file '{path}' after {where.timeout:g} seconds; start one "
                f"with `grundy-cluster scheduler --scheduler-file {path}`"
            )
        time.sleep(0.2)


def has_dashboard() -> bool:
    """Tell whether the package that draws Dask's dashboard is there."""
    from importlib.util import find_spec

    return find_spec("bokeh") is not None


def _environment() -> dict[str, str]:
    """Give our settings to a process of Dask's."""
    own = {
        "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "100000",
        "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    }
    return {**own, **os.environ}


def become_scheduler(where: Where, port: int, rest: list[str]) -> None:
    """Replace this process by a scheduler of Dask's with our settings."""
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler"]
    command += ["--host", where.host, "--port", str(port), "--no-jupyter"]
    # There is always a page that says how it is; without bokeh it is a plain one.
    command += ["--dashboard-address", f"{where.host}:{8787 if has_dashboard() else 0}"]
    if where.scheduler_file:
        command += ["--scheduler-file", str(where.scheduler_file)]
    _become([*command, *_tls_options(where.tls), *rest])


def become_worker(where: Where, rest: list[str]) -> None:
    """Replace this process by a worker of Dask's with one thread and our settings."""
    command = [sys.executable, "-m", "distributed.cli.dask_worker"]
    if where.scheduler_file:
        command += ["--scheduler-file", str(where.scheduler_file)]
    else:
        command += [str(where.scheduler)]
    command += ["--host", where.host, "--nworkers", "1", "--nthreads", "1", "--no-dashboard"]
    command += ["--death-timeout", f"{where.timeout:g}", "--memory-limit", "0"]
    _become([*command, *_tls_options(where.tls), *rest])


def _tls_options(tls: Tls | None) -> list[str]:
    if tls is None:
        return []
    tls.security()
    options = ["--tls-ca-file", str(tls.ca), "--tls-cert", str(tls.cert), "--tls-key", str(tls.key)]
    return [*options, "--protocol", "tls"]


def _become(command: list[str]) -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(command[0], command, _environment())
