"""`python -m grundy_cluster` is `grundy-cluster`."""

import sys

from grundy_cluster.cli import main

if __name__ == "__main__":
    sys.exit(main())
