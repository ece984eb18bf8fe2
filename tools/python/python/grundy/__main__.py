"""The command line: ``grundy``, or ``python -m grundy``."""

from __future__ import annotations

import os
import signal
import sys

from . import _grundy


def main() -> None:
    """Run the program `grundy` with the arguments, and end the process with its exit code."""
    # The program handles Ctrl-C itself. The handler of the interpreter would run too late.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    code = _grundy.command_line(["grundy", *sys.argv[1:]])
    # End without waiting for the program's threads.
    os._exit(code)


if __name__ == "__main__":
    main()
