"""What is wrong is an exception that says so, never a crash."""

from __future__ import annotations

import pickle
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import grundy

NOTHING = grundy.open()
NAN, LONG = float("nan"), 10**6000
# What types would refuse is handed on as if they did not know.
ANY: Any = NOTHING
API: Any = grundy

Refused = tuple[type[Exception], str, Callable[[], object]]


def positions() -> list[Refused]:
    """Give what is no position, to each that takes one."""
    wrong: list[tuple[type[Exception], str, object]] = [
        (grundy.PositionError, "pile 2", (3, 0, 4)),
        (grundy.PositionError, "negative", (3, -1, 4)),
        (grundy.PositionError, "too large", (3, 2**40)),
        (grundy.PositionError, "too large", (3, 10**30)),
        (TypeError, "no whole number", (3, 1.5)),
        (TypeError, "no whole number", (3, True)),
        (TypeError, "no whole number", (3, "4")),
        (grundy.PositionError, "pile 2", "3,x"),
        (grundy.PositionError, "no piles", ""),
        (grundy.PositionError, "braces", "3{1}"),
        (grundy.PositionError, "slash", "3/1"),
        (TypeError, "tuple of piles", 7),
        (TypeError, "tuple of piles", None),
        (TypeError, "no whole number", np.array([[1, 2]])),
        (grundy.PositionError, "position of nim", grundy.Position("nim", (3, 1, 4))),
        *((TypeError, "", row) for row in (b"3,1,4", bytearray(b"314"), {1, 3}, {3: 1})),
        (TypeError, "", frozenset((1, 3))),
    ]
    asks = [ANY.value, ANY.answer, ANY.moves]
    return [
        (kind, words, lambda ask=ask, given=given: ask("end-nim", given))  # type: ignore[misc]
        for kind, words, given in wrong
        for ask in asks
        if not (ask == ANY.moves and isinstance(given, grundy.Position))
    ]


def arrays() -> list[Refused]:
    """Give what is no array of positions."""
    wrong: list[tuple[type[Exception], str, object]] = [
        (grundy.PositionError, "shape", [3, 1, 4]),
        (grundy.PositionError, "shape", np.ones((2, 2, 2), dtype=int)),
        (grundy.PositionError, "k from 1", np.ones((2, 0), dtype=int)),
        (grundy.PositionError, "row 0: pile 2 is 0", [[1, 0]]),
        (grundy.PositionError, "row 1: pile 1 is -3", [[1, 2], [-3, 1]]),
        (grundy.PositionError, "too large", np.array([[1, 2**40]])),
        (TypeError, "whole numbers", [[1.0, 2.0]]),
        (TypeError, "whole numbers", [[True, False]]),
        (TypeError, "whole numbers", [["1", "2"]]),
        (grundy.PositionError, "too large", [[1, 10**30]]),
        (grundy.PositionError, "too large", [[2**63, 1]]),
        (TypeError, "whole numbers", [[2**64, 1.5]]),
        (TypeError, "whole numbers", np.array([[1.5, 2.7]], dtype=object)),
        (TypeError, "whole numbers", [[True, 2**64]]),
        (TypeError, "masked", np.ma.masked_array([[1, 2]], [[False, True]])),
        (TypeError, "", None),
        (grundy.PositionError, "position of nim", [grundy.Position("nim", (1, 2))]),
    ]
    return [
        (kind, words, lambda ask=ask, given=given: ask("end-nim", given))  # type: ignore[misc]
        for kind, words, given in wrong
        for ask in (ANY.values, ANY.outcomes)
    ]


CALLS: list[Refused] = [
    # Names.
    (grundy.GameError, "did you mean 'end-nim'", lambda: ANY.value("end-mim", (1, 2))),
    (TypeError, "named by a text", lambda: ANY.value(1, (1, 2))),
    (TypeError, "named by a text", lambda: ANY.value(None, (1, 2))),
    (TypeError, "named by a text", lambda: ANY.value(b"nim", (1, 2))),
    (grundy.GameError, "the games are", lambda: API.periods("short-global-nim", 3)),
    (grundy.ClaimError, "nearest", lambda: API.diff("ch.thm51")),
    # Sizes.
    (grundy.SizeError, "length", lambda: ANY.level("end-nim", 0, 5)),
    (grundy.SizeError, "max_pile", lambda: ANY.level("end-nim", 3, 0)),
    (grundy.SizeError, "length", lambda: ANY.level("end-nim", -1, 5)),
    (grundy.SizeError, "max_pile", lambda: ANY.level("end-nim", 3, -2)),
    (grundy.SizeError, "length", lambda: ANY.level("end-nim", 10**30, 5)),
    (grundy.SizeError, "max_pile", lambda: ANY.level("end-nim", 3, 2**33)),
    (TypeError, "length", lambda: ANY.level("end-nim", 1.5, 1.5)),
    (TypeError, "length", lambda: ANY.level("end-nim", "3", "3")),
    (TypeError, "length", lambda: ANY.level("end-nim", None, None)),
    (grundy.SizeError, "", lambda: ANY.level("end-nim", 40, 1000)),
    (grundy.SizeError, "say max_pile=", lambda: ANY.level("end-nim", 3)),
    (grundy.SizeError, "memory", lambda: ANY.level("end-nim", 2, 4, memory=-1)),
    (grundy.PositionError, "pile 1", lambda: ANY.level("end-nim", 3, 8)[0, 1, 1]),
    (grundy.SizeError, "leave it out", lambda: API.diff("ch.thm5.1", to=7)),
    (grundy.SizeError, "to", lambda: ANY.row("end-nim", (2,), 0)),
    (grundy.SizeError, "max_pile", lambda: API.diff("ch.thm5.1", max_pile=2**40)),
    (grundy.SizeError, "to", lambda: API.conjecture34(-3)),
    (grundy.SizeError, "length", lambda: API.guess("end-nim", 0)),
    (grundy.SizeError, "tile of piles", lambda: ANY.tile("end-nim", (4,), 8).at(9, 1)),
    (grundy.SizeError, "from 1", lambda: ANY.tile("end-nim", (4,), 8).at(0, 1)),
    (grundy.SizeError, "from 1", lambda: ANY.tile("end-nim", (4,), 8).at(1, 0)),
    (TypeError, "", lambda: ANY.tile("end-nim", (4,), 4).at(1.5, 2)),
    (IndexError, "not computed", lambda: API.sequence("end-nim", row=(5, 4), to=6)[7]),
    # Lengths.
    (ValueError, "from 3 to 2", lambda: API.check("nim", "true", (3, 2), 3)),
    (ValueError, "a first and a last", lambda: API.check("nim", "true", (1, 2, 3), 3)),
    (ValueError, "no range", lambda: API.check("nim", "true", range(0), 3)),
    # Rows of piles.
    (TypeError, r"\(4,\)", lambda: ANY.tile("end-nim", 4)),
    (grundy.SizeError, "from 1", lambda: ANY.tile("end-nim", (0,))),
    (grundy.SizeError, "from 1", lambda: ANY.tile("end-nim", (-1,))),
    (TypeError, "whole", lambda: ANY.tile("end-nim", (1.5,))),
    (TypeError, "middle", lambda: ANY.tile("end-nim", None, 4)),
    (grundy.PositionError, "middle", lambda: ANY.tile("end-nim", "x", 4)),
    (grundy.PositionError, "word", lambda: ANY.row("end-nim", "5,x")),
    (
        TypeError,
        "none of its own",
        lambda: ANY.row("short-global-nim", grundy.Position("short-global-nim", "5,5/3"), 3),
    ),
    # Memory, seconds, threads, and how many are wanted.
    (grundy.SizeError, "memory", lambda: API.open(memory=-1)),
    (grundy.SizeError, "40 digits", lambda: API.open(memory=LONG)),
    (TypeError, "memory", lambda: API.open(memory="4G")),
    (TypeError, "memory", lambda: API.open(memory=np.array([1, 2]))),
    (grundy.SizeError, "seconds", lambda: API.open(seconds=NAN)),
    (grundy.SizeError, "seconds", lambda: API.open(seconds=-1)),
    (TypeError, "seconds", lambda: API.open(seconds="1")),
    (grundy.SizeError, "show", lambda: API.check("end-nim", "P", 2, 4, show=-1)),
    (grundy.SizeError, "memory", lambda: API.check("end-nim", "P", 2, 4, memory=0)),
    (grundy.SizeError, "seconds", lambda: API.check("end-nim", "P", 2, 4, seconds=NAN)),
    (TypeError, "no Database", lambda: API.check("end-nim", "P", 2, 4, db="db")),
    (grundy.SizeError, "first", lambda: API.find("end-nim", "P", 2, 4, first=2**70)),
    (grundy.SizeError, "first", lambda: API.find("end-nim", "P", 2, 4, first=-1)),
    (grundy.SizeError, "memory", lambda: API.diff("ch.thm5.1", memory=-5)),
    (grundy.SizeError, "seconds", lambda: API.diff("ch.thm5.1", seconds=NAN)),
    (grundy.SizeError, "memory", lambda: API.periods("end-nim", 3, (2,), memory=-1)),
    (grundy.SizeError, "memory", lambda: API.check_certificate(b"", memory=0)),
    (grundy.SizeError, "memory", lambda: API.sweep("end-nim", 2, 4, print, memory=-1)),
    (grundy.SizeError, "threads", lambda: ANY.values("end-nim", [[1, 2]], threads=-1)),
    (TypeError, "progress", lambda: ANY.values("nim", [[1, 2]], progress=5)),
    # Statements.
    (grundy.StatementError, "`first`", lambda: API.check("end-nim", "frist == last", 2, 3)),
    # Limits.
    (grundy.LimitError, "memory=", lambda: ANY.level("end-nim", 5, 64, memory=1 << 20).to_numpy()),
    (grundy.LimitError, "frame", lambda: ANY.level("nim", 3, 100, memory=3_000_000).to_pandas()),
    (
        grundy.LimitError,
        "positions",
        lambda: API.find("end-nim", "g >= 0", 3, 40, first=None, memory=2_000_000),
    ),
    (grundy.LimitError, "", lambda: API.check("end-nim", "P -> first == last", 8, 64, seconds=1)),
    (grundy.LimitError, "", lambda: ANY.value("end-nim", (10**9, 1, 10**9, 1, 10**9))),
    (grundy.LimitError, "", lambda: API.diff("ch.thm5.1", max_pile=2000, seconds=0.001)),
    (grundy.LimitError, "", lambda: API.periods("end-nim", 10**6, to=10**6)),
    (grundy.LimitError, "", lambda: ANY.row("nim", (500,), 3 * 10**8)),
    (grundy.LimitError, "1024", lambda: ANY.values("end-nim", [[1, 2]], threads=10**6)),
    (grundy.LimitError, "", lambda: ANY.tile("end-nim", (4,), 10**8)),
    (grundy.LimitError, "", lambda: ANY.tile("end-nim", (4,), 2**30)),
    (grundy.LimitError, "", lambda: ANY.tile("end-nim", (4,), 2**31)),
    (grundy.LimitError, "", lambda: ANY.tile("end-nim", (4,), 2**32 - 1)),
    # A set of moves is made when it is asked for, and not before.
    (
        grundy.LimitError,
        "",
        lambda: ANY.value("long-global-nim", grundy.Position("long-global-nim", (10**8,))),
    ),
]


@pytest.mark.parametrize(("kind", "words", "ask"), [*positions(), *arrays(), *CALLS])
def test_what_is_wrong_is_said(
    kind: type[Exception], words: str, ask: Callable[[], object]
) -> None:
    with pytest.raises(kind, match=words or None) as raised:
        ask()
    assert len(str(raised.value)) < 500
    assert not isinstance(raised.value, OverflowError)


def test_errors_name_what_they_are_about(db: grundy.Database, tmp_path: Path) -> None:
    for position, named in (((3, 0, 4), "3,0,4"), ("3,x", "3,x"), ((3, -1), "(3, -1)")):
        with pytest.raises(grundy.PositionError) as wrong:
            NOTHING.value("end-nim", position)
        assert wrong.value.position == named
    level = db.level("end-nim", 3)
    for outside in ((9, 1, 1), (1, 1), (1, 1, 1, 1)):
        with pytest.raises(grundy.SizeError, match="not in this level") as beyond:
            level[outside]
        assert beyond.value.table == "end-nim/n8/k3"
        assert isinstance(beyond.value, IndexError) and isinstance(beyond.value, ValueError)
    with pytest.raises(grundy.StatementError, match="division by zero") as raised:
        grundy.check("end-nim", "10 // g > 1", 2, 3)
    assert raised.value.position == "1,1"
    with pytest.raises(grundy.LimitError, match="seconds=") as long:
        grundy.open(seconds=0.5).value("long-global-nim", (40, 41, 42))
    assert long.value.position


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"grundy\.open\(\)"):
        grundy.open(tmp_path / "none")
    # Else a mistyped name would go unnoticed: all would be computed.
    with pytest.raises(grundy.MissingError, match=r"has no tables.*grundy\.open\(\)") as raised:
        grundy.open(tmp_path)
    assert raised.value.file == str(tmp_path)


def shards(folder: Path) -> list[Path]:
    return sorted((folder / "end-nim" / "n8" / "k4").iterdir())


@pytest.mark.parametrize(
    "ask",
    [
        lambda db: db.tile("end-nim", (4, 7)),
        lambda db: db.value("end-nim", (1, 4, 7, 8)),
        lambda db: db.values("end-nim", [[1, 4, 7, 8]] * 3),
        lambda db: db.level("end-nim", 4).sweep(lambda block: None),
        lambda db: grundy.check("end-nim", "P -> first == last", 4, 8, db=db),
    ],
)
def test_a_damaged_shard(copy: Path, ask: Callable[[grundy.Database], object]) -> None:
    file = shards(copy)[0]
    sound = file.read_bytes()
    for place in (4, len(sound) // 2, len(sound) - 3):
        spoilt = bytearray(sound)
        spoilt[place] ^= 0xFF
        file.write_bytes(spoilt)
        with pytest.raises(grundy.DamagedError, match="delete the file") as raised:
            ask(grundy.open(copy))
        assert (raised.value.file, raised.value.table) == (str(file), "end-nim/n8/k4")
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
    with pytest.raises(grundy.MissingError) as raised:
        db.tile("misere-end-nim", (1, 1))
    assert raised.value.table == "misere-end-nim/n8/k4"
    assert isinstance(raised.value, FileNotFoundError)


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
    for name in ("tqdm", "tqdm.auto", "polars", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match="pip install tqdm"):
        NOTHING.values("end-nim", [[1, 2]], progress=True)
    with pytest.raises(ImportError):
        grundy.find("end-nim", "P", 2, 2).to_polars()


def test_errors_can_be_pickled() -> None:
    error = grundy.DamagedError("it is damaged", file="somewhere", table="end-nim/n8/k4")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.file, again.table) == ("it is damaged", "somewhere", "end-nim/n8/k4")


def test_what_is_wrong_with_a_certificate(tmp_path: Path) -> None:
    proof = grundy.conjecture34(60).certificate
    assert proof is not None
    file = tmp_path / "proof.cert"
    file.write_bytes(proof)
    for given in (proof, file):
        with pytest.raises(grundy.LimitError, match="memory="):
            grundy.check_certificate(given, memory=1)
    spoilt = bytearray(proof)
    spoilt[len(spoilt) // 2] ^= 1
    with pytest.raises(grundy.DamagedError, match="proves nothing"):
        grundy.check_certificate(bytes(spoilt))
    with pytest.raises(grundy.MissingError) as gone:
        grundy.check_certificate(tmp_path / "none.cert")
    assert gone.value.file == gone.value.filename == str(tmp_path / "none.cert")
    with pytest.raises(grundy.AccessError):
        grundy.check_certificate(tmp_path)
