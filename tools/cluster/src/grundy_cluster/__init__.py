"""Spreads the work of `grundy` over many machines.

`grundy tasks` cuts a command into tasks, `grundy task` does one of them, `grundy finish` checks
that all are there and publishes or merges. That is the whole contract, and any scheduler can
drive it. This package drives it with Dask: `driver` has a run, from its tasks to its end.
"""

__version__ = "0.1.0"
