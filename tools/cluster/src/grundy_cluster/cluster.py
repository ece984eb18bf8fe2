"""Starts a scheduler and workers for one run, or connects to a running scheduler.

Dask moves Python objects by pickle. So any client of its scheduler can run code on every worker,
and any worker can run code in the driver. Therefore our scheduler and workers listen on loopback by
default. A cluster on a network needs TLS (`distributed.comm.tls` in Dask's configuration, which all
its processes read).
"""

import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from grundy_cluster.errors import ClusterError, tries
from grundy_cluster.settings import Settings

# Each worker has one unit of this resource, because a task uses all cores of its worker.
RESOURCE = "grundy"

# The run stops when this many workers or processes have died during the same task.
LOSSES = 20

SETTINGS = {
    "distributed.scheduler.allowed-failures": LOSSES - 1,
    "distributed.scheduler.worker-ttl": "60s",
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.limit": "60s",
}


@contextmanager
def connected(where: Settings) -> Iterator[Any]:
    """Yield a client of the cluster; start a local cluster if needed, and stop it at the end."""
    import dask.config
    from distributed import Client, LocalCluster

    # Silence Dask's log, because the driver reports all important events.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    at: Any = where.scheduler or str(where.scheduler_file)
    with dask.config.set(SETTINGS):
        try:
            if where.local is not None:
                at = LocalCluster(
                    n_workers=where.local,
                    threads_per_worker=1,
                    resources={RESOURCE: 1},
                    host="127.0.0.1",
                    dashboard_address="127.0.0.1:0",
                    worker_dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
            elif where.scheduler_file:
                _wait_for(where.scheduler_file, where.timeout)
            client = Client(
                **({"scheduler_file": at} if where.scheduler_file else {"address": at}),
                timeout=where.timeout,
                set_as_default=False,
            )
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            reason = str(error).strip().partition("\n")[0] or type(error).__name__
            raise ClusterError(f"there is no scheduler at {at}: {reason}") from error
        try:
            yield client
        finally:
            with suppress(Exception):
                client.close(timeout=10)
            if where.local is not None:
                at.close(timeout=20)


def _wait_for(file: Path, seconds: float) -> None:
    for _ in tries(seconds, 0.2):
        if file.exists():
            return
    raise ClusterError(
        f"no scheduler file '{file}' appeared in {seconds:g} seconds; start a scheduler with "
        f"`grundy-cluster scheduler --scheduler-file {file}`"
    )


def become(kind: str, options: Sequence[str]) -> None:
    """Replace this process with Dask's scheduler or worker; `options` come after our defaults."""
    # Set the address even without a dashboard, because a worker always serves its state over HTTP.
    ours = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
    if kind == "scheduler":
        ours += ["--no-jupyter"]
    else:
        ours += ["--nworkers", "1", "--nthreads", "1", "--resources", f"{RESOURCE}=1"]
        ours += ["--no-dashboard", "--memory-limit", "0"]
    # Dask also reads its configuration from the environment.
    names = {name: name.replace(".", "__").replace("-", "_").upper() for name in SETTINGS}
    settings = {f"DASK_{names[name]}": str(value) for name, value in SETTINGS.items()}
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *ours, *options]
    os.execve(command[0], command, {**settings, **os.environ})
