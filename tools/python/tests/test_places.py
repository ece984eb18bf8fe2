"""Packs and addresses give the same answers as the original folder, or a clear exception."""

import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import grundy

from .server import Server, serving

GAME = "end-nim"
MIDDLES = [(1, 2), (4, 7), (7, 4), (8, 8)]
NOTHING = grundy.open()


@pytest.fixture(scope="module")
def served(
    program: str, folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, Path]]:
    """Yield a folder with a database and its pack in both forms, and a server of this folder."""
    place = tmp_path_factory.mktemp("served")
    shutil.copytree(folder, place / "db")
    for to in ("pack.tar", "pack"):
        command = [program, "--db", str(folder), "pack", "end-nim/n8", "-o", str(place / to)]
        subprocess.run(command, check=True, capture_output=True)
    with serving(place) as server:
        yield server, place


@pytest.fixture
def server(served: tuple[Server, Path]) -> Iterator[Server]:
    served[0].asked.clear()
    yield served[0]
    served[0].how = "well"


PLACES = ["pack.tar", "pack", "db"]


def positions(length: int) -> NDArray[np.uint32]:
    grid = np.indices((8,) * length).reshape(length, -1).T + 1
    return np.ascontiguousarray(grid, dtype=np.uint32)


def same_as_computed(db: grundy.Database) -> None:
    """Compare values of the database with computed values."""
    piles = positions(4)
    values = db.values(GAME, piles)
    assert (values == NOTHING.values(GAME, piles)).all()
    assert db.answer(GAME, (3, 1, 4, 1)).source == "table"
    assert (db.level(GAME, 4).to_numpy().reshape(-1) == values).all()
    for middle in MIDDLES:
        assert (db.tile(GAME, middle) == NOTHING.tile(GAME, middle, 8)).all()
    assert db.level(GAME, 4).sweep(len) == 4096
    assert db.moves(GAME, (2, 3, 4)) == NOTHING.moves(GAME, (2, 3, 4))
    assert grundy.check(GAME, "P -> first == last", 3, 8, db=db).holds
    assert grundy.diff("ch.thm5.1", games=GAME, max_pile=8, db=db)[0].holds


@pytest.mark.parametrize("name", ["pack.tar", "pack"])
def test_a_pack_is_a_database(served: tuple[Server, Path], name: str) -> None:
    place = served[1] / name
    db = grundy.open(place)
    assert db.place == place
    assert [table.id for table in db.tables] == [f"end-nim/n8/k{k}" for k in (1, 2, 3, 4)]
    assert name in repr(db)
    same_as_computed(db)


@pytest.mark.parametrize("name", [*PLACES, "db/manifest.json", "pack/pack.json", "db/"])
def test_an_address_is_a_database(server: Server, name: str) -> None:
    db = grundy.open(server.at(name))
    assert db.place == server.at(name)
    assert "http://127.0.0.1" in repr(db)
    # Opening an address requests only the description of the tables.
    assert len(server.asked) <= 2
    same_as_computed(db)


def test_many_values_are_few_requests(server: Server) -> None:
    db = grundy.open(server.at("pack.tar"))
    server.asked.clear()
    db.values(GAME, positions(4))
    assert 0 < len(server.asked) <= 4
    server.asked.clear()
    db.values(GAME, positions(4))
    assert server.asked == []


def test_what_follows_the_question_mark_is_not_shown(server: Server) -> None:
    db = grundy.open(server.at("db") + "?token=secret")
    assert db.value(GAME, (3, 1, 4)) == 7
    assert "secret" not in repr(db) and "secret" not in str(db.place)


def test_no_such_place(server: Server) -> None:
    """Other arguments that `grundy.open` refuses are in refused.txt."""
    for path, words in (("nowhere", "neither a pack .* nor a database"), ("no.tar", "not there")):
        with pytest.raises(grundy.MissingError, match=words):
            grundy.open(server.at(path))
    with pytest.raises(grundy.MissingError, match="neither a folder of tables nor a pack"):
        grundy.open(__file__)


def test_a_damaged_pack(served: tuple[Server, Path], tmp_path: Path) -> None:
    sound = (served[1] / "pack.tar").read_bytes()
    spoilt = tmp_path / "pack.tar"
    for text in (b"", b"no tar", sound[:700], sound[: len(sound) // 2]):
        spoilt.write_bytes(text)
        with pytest.raises(grundy.DamagedError) as raised:
            grundy.open(spoilt).level(GAME, 4).to_numpy()
        assert str(spoilt) in str(raised.value)


def test_a_damaged_file_of_a_pack(served: tuple[Server, Path], tmp_path: Path) -> None:
    place = Path(shutil.copytree(served[1] / "pack", tmp_path / "pack"))
    about = json.loads((place / "pack.json").read_text())
    file = place / about["tables"]["end-nim/n8/k4"]["file"]
    data = bytearray(file.read_bytes())
    for at in range(len(data) // 2, len(data)):
        data[at] ^= 0xFF
    file.write_bytes(data)
    with pytest.raises(grundy.DamagedError, match="fetch it again") as raised:
        grundy.open(place).values(GAME, positions(4))
    assert (raised.value.file, raised.value.table) == (str(place), "end-nim/n8/k4")


Ask = Callable[[grundy.Database], object]
ASKS: list[Ask] = [
    lambda db: db.value(GAME, (3, 1, 4, 1)),
    lambda db: db.values(GAME, positions(4)),
    lambda db: db.tile(GAME, (4, 7)),
]


def test_a_server_that_sends_other_bytes(server: Server) -> None:
    db = grundy.open(server.at("pack"))
    server.how = "wrong"
    for ask in ASKS:
        with pytest.raises(grundy.DamagedError, match="report it to its publisher"):
            ask(db)
    # The server recovers from its fault.
    server.how = "well"
    assert db.value(GAME, (3, 1, 4, 1)) == NOTHING.value(GAME, (3, 1, 4, 1))


def test_a_server_that_is_at_a_loss(server: Server) -> None:
    server.how = "busy"
    with pytest.raises(grundy.FetchError, match=r"answers 500.*try again later"):
        grundy.open(server.at("pack.tar"), seconds=10)


def test_a_server_that_says_nothing(server: Server) -> None:
    db = grundy.open(server.at("pack"), seconds=5)
    server.how = "silent"
    with pytest.raises(grundy.LimitError, match=r"seconds="):
        db.value(GAME, (3, 1, 4, 1))


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer here")
@pytest.mark.parametrize("ask", ASKS)
def test_ctrl_c_stops_waiting(server: Server, ask: Ask) -> None:
    db = grundy.open(server.at("pack"))
    server.how = "silent"
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        ask(db)
    timer.join()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_after_a_fork_it_is_opened_again(server: Server) -> None:
    db = grundy.open(server.at("pack.tar"))
    db.value(GAME, (3, 1, 4, 1))
    child = os.fork()
    if child == 0:
        code = 1
        try:
            db.value(GAME, (3, 1, 4, 1))
        except grundy.GrundyError as error:
            if "open them again" in str(error) and len(db.tables) == 4:
                again = grundy.open(server.at("pack.tar"))
                code = 0 if again.value(GAME, (3, 1, 4)) == 7 else 2
        os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
