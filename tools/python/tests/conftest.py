"""Builds a small database with the command line, for all tests."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

import grundy

# The largest pile. Up to this size the module `rules` can evaluate every position.
MAX_PILE = 8


@pytest.fixture(scope="session", autouse=True)
def ctrl_c() -> None:
    """Enable Ctrl-C, because shells disable it for processes in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def program() -> str:
    found = os.environ.get("GRUNDY") or shutil.which("grundy")
    if found is None:
        stop = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        stop("the program grundy was not found; give its path in GRUNDY")
    return str(found)


@pytest.fixture(scope="session")
def folder(program: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables") / "db"
    size = ["--max-pile", str(MAX_PILE), "--length", "4", "--heap", "50", "--db", str(folder)]
    subprocess.run([program, "build", *size], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="session")
def db(folder: Path) -> grundy.Database:
    return grundy.open(folder)


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    """A copy of the database, for tests that damage it."""
    return Path(shutil.copytree(folder, tmp_path / "copy"))
