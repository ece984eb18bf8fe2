"""Runs `grundy-cluster` as `python -m grundy_cluster`."""

import sys

from grundy_cluster.cli import main

if __name__ == "__main__":
    sys.exit(main())
