"""What is wrong is an exception that says so, never a crash."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import grundy

NOTHING = grundy.open()


@pytest.mark.parametrize(
    ("position", "kind", "words"),
    [
        ((3, 0, 4), ValueError, "pile 2"),
        ((3, -1, 4), ValueError, "negative"),
        ((3, 2**40), ValueError, "too large"),
        ((3, 10**30), ValueError, "too large"),
        ((3, 1.5), TypeError, "no whole number"),
        ((3, True), TypeError, "no whole number"),
        ((3, "4"), TypeError, "no whole number"),
        ("3,x", ValueError, "pile 2"),
        ("", ValueError, "no piles"),
        ("3{1}", ValueError, "braces"),
        ("3/1", ValueError, "slash"),
        (7, TypeError, "tuple of piles"),
        (None, TypeError, "tuple of piles"),
        (np.array([[1, 2]]), TypeError, "no whole number"),
    ],
)
def test_bad_positions(position: Any, kind: type[Exception], words: str) -> None:
    for ask in (NOTHING.value, NOTHING.answer, NOTHING.moves):
        with pytest.raises(kind, match=words):
            ask("end-nim", position)


@pytest.mark.parametrize(
    ("array", "kind", "words"),
    [
        ([3, 1, 4], ValueError, "shape"),
        (np.ones((2, 2, 2), dtype=int), ValueError, "shape"),
        (np.ones((2, 0), dtype=int), ValueError, "k from 1"),
        ([[1, 0]], ValueError, "row 0: pile 2 is 0"),
        ([[1, 2], [-3, 1]], ValueError, "row 1: pile 1 is -3"),
        (np.array([[1, 2**40]]), ValueError, "too large"),
        ([[1.0, 2.0]], TypeError, "whole numbers"),
        ([[True, False]], TypeError, "whole numbers"),
        ([["1", "2"]], TypeError, "whole numbers"),
        ([[1, 10**30]], ValueError, "too large"),
        ([[2**63, 1]], ValueError, "too large"),
        ([[2**64, 1.5]], TypeError, "whole numbers"),
        (np.array([[1.5, 2.7]], dtype=object), TypeError, "whole numbers"),
        ([[True, 2**64]], TypeError, "whole numbers"),
        (np.ma.masked_array([[1, 2]], [[False, True]]), TypeError, "masked"),
    ],
)
def test_bad_arrays(array: Any, kind: type[Exception], words: str) -> None:
    for ask in (NOTHING.values, NOTHING.outcomes):
        with pytest.raises(kind, match=words) as raised:
            ask("end-nim", array)
        assert not isinstance(raised.value, OverflowError)


def test_bad_sizes(db: grundy.Database) -> None:
    for length, max_pile in ((0, 5), (3, 0), (-1, 5), (3, -2), (10**30, 5), (3, 2**33)):
        with pytest.raises(ValueError):
            NOTHING.level("end-nim", length, max_pile)
    for size in (1.5, "3", None):
        with pytest.raises((TypeError, ValueError)):
            NOTHING.level("end-nim", size, size)  # type: ignore[arg-type]
    with pytest.raises(grundy.SizeError):
        NOTHING.level("end-nim", 40, 1000)
    level = db.level("end-nim", 3)
    for outside in ((9, 1, 1), (1, 1), (1, 1, 1, 1)):
        with pytest.raises(grundy.SizeError, match="not in this level") as raised:
            level[outside]
        assert raised.value.table == "end-nim/n8/k3"
        assert isinstance(raised.value, IndexError) and isinstance(raised.value, ValueError)
    with pytest.raises(ValueError):
        level[0, 1, 1]
    tile = db.tile("end-nim", (4,))
    for a, b in ((0, 1), (1, 0), (9, 1)):
        with pytest.raises(IndexError):
            tile.at(a, b)
    with pytest.raises(TypeError, match=r"\(4,\)"):
        db.tile("end-nim", 4)  # type: ignore[arg-type]
    for middle in ((0,), (-1,)):
        with pytest.raises(ValueError):
            db.tile("end-nim", middle)
    with pytest.raises(TypeError):
        db.tile("end-nim", (1.5,))  # type: ignore[arg-type]


def test_bad_games() -> None:
    with pytest.raises(grundy.GameError, match="did you mean 'end-nim'"):
        NOTHING.value("end-mim", (1, 2))
    with pytest.raises(TypeError):
        NOTHING.value(3, (1, 2))  # type: ignore[arg-type]
    assert issubclass(grundy.GameError, ValueError)


def test_limits_hold() -> None:
    with pytest.raises(grundy.LimitError, match="memory="):
        NOTHING.level("end-nim", 5, 64, memory=1 << 20).to_numpy()
    with pytest.raises(grundy.LimitError, match="seconds=") as raised:
        grundy.open(seconds=0.5).value("long-global-nim", (40, 41, 42))
    assert raised.value.position
    with pytest.raises(grundy.LimitError):
        grundy.check("end-nim", "P -> first == last", 8, 64, seconds=1)
    with pytest.raises(grundy.LimitError):
        NOTHING.value("end-nim", (10**9, 1, 10**9, 1, 10**9))
    with pytest.raises(grundy.LimitError):
        NOTHING.tile("end-nim", (4,), 10**8)
    with pytest.raises(grundy.LimitError):
        grundy.diff("ch.thm5.1", max_pile=2000, seconds=0.001)


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"grundy\.open\(\)"):
        grundy.open(tmp_path / "none")
    # Else a mistyped name would go unnoticed: all would be computed.
    with pytest.raises(grundy.MissingError, match=r"has no tables.*grundy\.open\(\)") as raised:
        grundy.open(tmp_path)
    assert raised.value.file == str(tmp_path)


def shards(folder: Path) -> list[Path]:
    return sorted((folder / "end-nim" / "n8" / "k4").iterdir())


def test_a_damaged_shard(copy: Path) -> None:
    file = shards(copy)[0]
    sound = file.read_bytes()
    for place in (4, len(sound) // 2, len(sound) - 3):
        spoilt = bytearray(sound)
        spoilt[place] ^= 0xFF
        file.write_bytes(spoilt)
        db = grundy.open(copy)
        asks: list[Callable[[grundy.Database], object]] = [
            lambda db: db.tile("end-nim", (4, 7)),
            lambda db: db.value("end-nim", (1, 4, 7, 8)),
            lambda db: db.values("end-nim", [[1, 4, 7, 8]] * 3),
            lambda db: db.level("end-nim", 4).sweep(lambda block: None),
            lambda db: grundy.check("end-nim", "P -> first == last", 4, 8, db=db),
        ]
        for ask in asks:
            with pytest.raises(grundy.DamagedError, match="delete the file") as raised:
                ask(db)
            assert raised.value.file == str(file)
            assert raised.value.table == "end-nim/n8/k4"
            assert isinstance(raised.value, OSError)


def test_a_damaged_manifest(copy: Path) -> None:
    manifest = copy / "manifest.json"
    text = manifest.read_text()
    for spoilt in (text[: len(text) // 2], text.replace("end-nim", "end-mim", 1), "{}", ""):
        manifest.write_text(spoilt)
        with pytest.raises(grundy.DamagedError) as raised:
            grundy.open(copy).value("end-nim", (1, 2))
        assert raised.value.file == str(manifest)


def test_a_database_that_vanishes(copy: Path) -> None:
    db = grundy.open(copy)
    kept = db.tile("end-nim", (1, 1))
    shutil.rmtree(copy)
    # What was decoded is there still, and what was not is missed.
    assert db.tile("end-nim", (1, 1))[0, 0] == kept[0, 0]
    with pytest.raises(FileNotFoundError) as raised:
        db.tile("misere-end-nim", (1, 1))
    assert isinstance(raised.value, grundy.MissingError)
    assert raised.value.table == "misere-end-nim/n8/k4"


def test_a_file_that_is_cut_short(copy: Path) -> None:
    """Mapped, this would end the process; so files are read."""
    db = grundy.open(copy)
    db.value("misere-end-nim", (1, 1, 1, 1))
    for file in shards(copy):
        with file.open("r+b") as opened:
            opened.truncate(50)
    with pytest.raises(grundy.DamagedError):
        db.tile("end-nim", (4, 7))


def test_frames_and_bars_say_what_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    for name in ("tqdm", "tqdm.auto", "polars", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match="pip install tqdm"):
        NOTHING.values("end-nim", [[1, 2]], progress=True)
    with pytest.raises(ImportError):
        grundy.find("end-nim", "P", 2, 2).to_polars()


def test_errors_can_be_pickled() -> None:
    import pickle

    error = grundy.DamagedError("it is damaged", file="somewhere", table="end-nim/n8/k4")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.file, again.table) == ("it is damaged", "somewhere", "end-nim/n8/k4")


def test_what_is_no_row_is_refused() -> None:
    for given in (b"3,1,4", bytearray(b"314"), {1, 3}, frozenset((1, 3)), {3: 1}):
        with pytest.raises(TypeError):
            NOTHING.value("end-nim", given)
    with pytest.raises(ValueError, match="position of nim"):
        NOTHING.value("end-nim", grundy.Position("nim", (3, 1, 4)))


def test_sizes_that_would_overflow() -> None:
    for side in (2**30, 2**31, 2**32 - 1):
        with pytest.raises(grundy.LimitError):
            NOTHING.tile("end-nim", (4,), side)
    with pytest.raises(grundy.LimitError, match="more than 1024"):
        NOTHING.values("end-nim", [[1, 2]], threads=10**6)
    with pytest.raises(ValueError, match="threads"):
        NOTHING.values("end-nim", [[1, 2]], threads=-1)


def test_progress_ends_at_its_end() -> None:
    told: list[tuple[int, int]] = []
    level = NOTHING.level("end-nim", 3, 24)
    level.sweep(lambda block: len(block), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (24**3, 24**3)


def test_numbers_that_are_none() -> None:
    nan, long = float("nan"), 10**6000
    wrong: list[tuple[type[Exception], Callable[[], object]]] = [
        (ValueError, lambda: grundy.open(memory=-1)),
        (ValueError, lambda: grundy.open(memory=long)),
        (TypeError, lambda: grundy.open(memory="4G")),  # type: ignore[arg-type]
        (TypeError, lambda: grundy.open(memory=np.array([1, 2]))),  # type: ignore[arg-type]
        (ValueError, lambda: grundy.open(seconds=nan)),
        (ValueError, lambda: grundy.open(seconds=-1)),
        (TypeError, lambda: grundy.open(seconds="1")),  # type: ignore[arg-type]
        (ValueError, lambda: grundy.check("end-nim", "P", 2, 4, show=-1)),
        (ValueError, lambda: grundy.check("end-nim", "P", 2, 4, memory=0)),
        (ValueError, lambda: grundy.check("end-nim", "P", 2, 4, seconds=nan)),
        (TypeError, lambda: grundy.check("end-nim", "P", 2, 4, db="db")),  # type: ignore[arg-type]
        (ValueError, lambda: grundy.find("end-nim", "P", 2, 4, first=2**70)),
        (ValueError, lambda: grundy.find("end-nim", "P", 2, 4, first=-1)),
        (ValueError, lambda: grundy.guess("end-nim", 0)),
        (ValueError, lambda: grundy.diff("ch.thm5.1", memory=-5)),
        (ValueError, lambda: grundy.diff("ch.thm5.1", seconds=nan)),
        (ValueError, lambda: grundy.diff("ch.thm5.1", max_pile=2**40)),
        (ValueError, lambda: grundy.conjecture34(-3)),
        (ValueError, lambda: grundy.periods("end-nim", 3, (2,), memory=-1)),
        (ValueError, lambda: grundy.check_certificate(b"", memory=0)),
        (ValueError, lambda: grundy.sweep("end-nim", 2, 4, print, memory=-1)),
        (ValueError, lambda: NOTHING.level("end-nim", 2, 4, memory=-1)),
        (ValueError, lambda: NOTHING.row("end-nim", (2,), 0)),
        (ValueError, lambda: NOTHING.row("end-nim", "5,x")),
        (TypeError, lambda: NOTHING.tile("end-nim", None, 4)),  # type: ignore[arg-type]
        (ValueError, lambda: NOTHING.tile("end-nim", "x", 4)),
        (TypeError, lambda: NOTHING.values("end-nim", None)),  # type: ignore[arg-type]
        (TypeError, lambda: NOTHING.tile("end-nim", (4,), 4).at(1.5, 2)),  # type: ignore[arg-type]
    ]
    for number, (kind, ask) in enumerate(wrong):
        with pytest.raises(kind) as raised:
            ask()
        assert isinstance(raised.value, TypeError | grundy.GrundyError), number
        assert len(str(raised.value)) < 500


def test_errors_name_what_they_are_about(tmp_path: Path) -> None:
    for position, named in (((3, 0, 4), "3,0,4"), ("3,x", "3,x"), ((3, -1), "(3, -1)")):
        with pytest.raises(grundy.PositionError) as raised:
            NOTHING.value("end-nim", position)
        assert raised.value.position == named
    file = tmp_path / "proof.cert"
    proof = grundy.conjecture34(60).certificate
    assert proof is not None
    file.write_bytes(proof)
    for given in (proof, file):
        with pytest.raises(grundy.LimitError, match="memory="):
            grundy.check_certificate(given, memory=1)
    with pytest.raises(grundy.MissingError) as gone:
        grundy.check_certificate(tmp_path / "none.cert")
    assert gone.value.file == gone.value.filename == str(tmp_path / "none.cert")
    with pytest.raises(grundy.AccessError):
        grundy.check_certificate(tmp_path)


def test_what_is_no_name_and_no_function() -> None:
    for name in (1, None, b"nim"):
        with pytest.raises(TypeError, match="named by a text"):
            NOTHING.value(name, (1, 2))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="progress"):
        NOTHING.values("nim", [[1, 2]], progress=5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="none of its own"):
        NOTHING.row("short-global-nim", grundy.Position("short-global-nim", "5,5/3"), 3)


def test_memory_holds_for_what_python_makes() -> None:
    with pytest.raises(grundy.LimitError, match="frame"):
        NOTHING.level("end-nim", 3, 100, memory=3_000_000).to_pandas()
    with pytest.raises(grundy.LimitError, match="positions"):
        grundy.find("end-nim", "g >= 0", 3, 40, first=None, memory=2_000_000)
    with pytest.raises(grundy.LimitError):
        NOTHING.row("nim", (500,), 3 * 10**8)
    # A set of moves is made when it is asked for, and not before.
    with pytest.raises(grundy.LimitError):
        NOTHING.value("long-global-nim", grundy.Position("long-global-nim", (10**8,)))
    assert (4 * 10**9,) not in NOTHING.level("long-global-nim", 1, 20)
