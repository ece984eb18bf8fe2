"""Checks that the examples in the documentation are true."""

import doctest
import importlib
import pickle
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import grundy

from . import rules

MODULES = sorted(
    module.name for module in pkgutil.iter_modules(grundy.__path__) if module.name != "_grundy"
)


@pytest.fixture
def in_folder(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Link "db" to the database, because the examples open "db"."""
    (tmp_path / "db").symlink_to(folder)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", ["", *MODULES])
def test_examples(name: str, in_folder: None) -> None:
    module = importlib.import_module(f"grundy.{name}" if name else "grundy")
    failed, tried = doctest.testmod(module, extraglobs={"grundy": grundy, "np": np})
    assert failed == 0
    if name in ("", "database", "levels", "questions", "papers", "positions", "theorems"):
        assert tried > 0


def test_cases(db: grundy.Database) -> None:
    names: dict[str, object] = {"grundy": grundy, "np": np, "pickle": pickle, "rules": rules}
    names |= {"db": db, "nothing": grundy.open()}
    failed, tried = doctest.testfile("cases.txt", globs=names)
    assert failed == 0 and tried > 50


@pytest.mark.parametrize("name", ["README.md", "tools/python/README.md"])
def test_documents(name: str, in_folder: None) -> None:
    """Run the Python blocks. Another test runs the console blocks, which show the same values."""
    text = (Path(__file__).parents[3] / name).read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    runner = doctest.DocTestRunner()
    for block in blocks:
        runner.run(doctest.DocTestParser().get_doctest(block, {}, name, name, 0))
    assert blocks and runner.summarize().attempted > 5
    assert runner.summarize().failed == 0


def test_everything_public_is_documented() -> None:
    for name in grundy.__all__:
        thing = getattr(grundy, name)
        if callable(thing):
            assert thing.__doc__, name
            for inner, member in vars(thing).items():
                if not inner.startswith("_") and callable(member):
                    assert member.__doc__, f"{name}.{inner}"


def test_it_can_be_read_about_where_numpy_alone_is_there() -> None:
    """If `sys.modules` has None for a package, `import` fails as if the package were missing."""
    missing = ("matplotlib", "pandas", "polars", "tqdm")
    words = f"""
import sys
sys.modules.update(dict.fromkeys({missing!r}))
from grundy import *
import grundy
help(grundy)
help(grundy.show)
assert set(grundy.__all__) <= set(globals())
try:
    show.row("end-nim", (5, 4))
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for said in ("Exhaustive tables", "Draw a tile", "pip install matplotlib"):
        assert said in done.stdout
