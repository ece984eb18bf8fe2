"""Distributes the work of `grundy` over many machines.

`grundy tasks` divides a command into tasks, `grundy task` runs a task, and `grundy finish` checks
the results and publishes or merges them. Any scheduler can run these commands. This package uses
Dask; the module `driver` performs a run.
"""

__version__ = "0.1.0"
