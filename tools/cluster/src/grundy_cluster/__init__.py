"""Distributes the work of `grundy` over many machines.

`grundy tasks` divides a command into tasks, `grundy task` runs one of them, and `grundy finish`
checks the results and publishes or merges them. That is the whole contract, and any scheduler can
use it. This package uses it with Dask: `driver` performs a run.
"""

__version__ = "0.1.0"
