"""Spreads the work of `grundy` over many machines.

`grundy tasks` cuts a command into tasks, `grundy task` does one of them, `grundy finish` checks
that all are there and publishes or merges. That is the whole contract, and any scheduler can
drive it. This package drives it with Dask:

    contract    the lines of `grundy tasks`, and what crosses the network
    program     runs `grundy`
    worker      what happens on a node
    store       shards and results in a bucket, where nodes share no folder
    settings    what was asked for
    job         what is to do, and what counts as done
    crew        who does it, and what happens when that goes wrong
    driver      a run, from its tasks to its end
    cluster     the scheduler and the workers, local or elsewhere
    progress    what the user sees meanwhile
    cli         what was typed
"""

__version__ = "0.1.0"
