"""Checks that every error is an exception with a message, and never a crash."""

import pickle
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import grundy

NOTHING = grundy.open()


def refused() -> Iterator[tuple[str, str]]:
    """Yield the lines of refused.txt: a call, and its error."""
    for line in Path(__file__).with_name("refused.txt").read_text().splitlines():
        if line and line[0] != "#":
            call, _, said = line.partition("  # ")
            names = re.search(r"{([a-z,]+)}", call)
            for name in names[1].split(",") if names else [""]:
                yield (call.replace(names[0], name) if names else call), said


@pytest.mark.parametrize(("call", "said"), list(refused()))
def test_what_is_wrong_is_said(call: str, said: str) -> None:
    kind, _, words = said.partition(":")
    with pytest.raises(Exception) as raised:
        eval(call, {"db": NOTHING, "grundy": grundy, "np": np})
    assert kind in [one.__name__ for one in type(raised.value).__mro__]
    text = str(raised.value)
    assert words.strip() in text and len(text) < 500 and "secret" not in text


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
    # Without this error, a mistyped name would go unnoticed, and all values would be computed.
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
    # Values that were decoded before are still available, but other values are not.
    assert db.tile("end-nim", (1, 1))[0, 0] == kept[0, 0]
    with pytest.raises(grundy.MissingError) as raised:
        db.tile("misere-end-nim", (1, 1))
    assert raised.value.table == "misere-end-nim/n8/k4"
    assert isinstance(raised.value, FileNotFoundError)


def test_a_file_that_is_cut_short(copy: Path) -> None:
    """By default files are read. If a mapped file is cut short, the system ends the process."""
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


def test_a_certificate_is_checked(tmp_path: Path) -> None:
    verdict = grundy.conjecture34(60)
    proof = verdict.certificate
    assert verdict.holds and verdict.checked == 60 and proof is not None
    file = tmp_path / "proof.cert"
    file.write_bytes(proof)
    for given in (proof, file):
        checked = grundy.check_certificate(given)
        assert (checked.bound, checked.first_gap) == (60, None)
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
