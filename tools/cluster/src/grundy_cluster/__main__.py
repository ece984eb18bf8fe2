"""`python -m grundy_cluster` is `grundy-cluster`."""

import sys


def start() -> int:
    """Run the command; Ctrl-C works from the first import on."""
    try:
        from grundy_cluster.cli import main

        return main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(start())
