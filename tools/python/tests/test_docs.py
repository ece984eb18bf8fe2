"""The examples in the documentation are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import numpy as np
import pytest

import grundy

MODULES = sorted(
    module.name
    for module in pkgutil.iter_modules(grundy.__path__)
    if module.name not in ("_grundy", "show")
)


@pytest.mark.parametrize("name", ["", *MODULES])
def test_examples(name: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # They open "db".
    (tmp_path / "db").symlink_to(folder)
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(f"grundy.{name}" if name else "grundy")
    names = {"grundy": grundy, "np": np}
    failed, tried = doctest.testmod(module, extraglobs=names)
    assert failed == 0
    if name in ("", "database", "levels", "questions", "papers", "positions"):
        assert tried > 0


def test_everything_public_is_documented() -> None:
    for name in grundy.__all__:
        thing = getattr(grundy, name) if name != "show" else None
        if callable(thing):
            assert thing.__doc__, name
            for inner, member in vars(thing).items():
                if not inner.startswith("_") and callable(member):
                    assert member.__doc__, f"{name}.{inner}"
