"""The command line: ``grundy``, or ``python -m grundy``."""

from __future__ import annotations

import os
import signal
import sys

from . import _grundy


def main() -> None:
    """Do what was typed, and end the process with the exit code of the program `grundy`."""
    # It has its own way with Ctrl-C; that of the interpreter would come after it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    code = _grundy.command_line(["grundy", *sys.argv[1:]])
    # Its threads need not be waited for.
    os._exit(code)


if __name__ == "__main__":
    main()
