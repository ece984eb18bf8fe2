"""Values, moves, rows and tiles against the rules, with tables and without."""

from __future__ import annotations

import itertools
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import grundy

from . import rules

GAMES = [game.name for game in grundy.games()]
IMPARTIAL = [game.name for game in grundy.games() if game.is_impartial]
NOTHING = grundy.open()


def piles_of(most: int, length: int) -> st.SearchStrategy[tuple[int, ...]]:
    return st.lists(st.integers(1, most), min_size=1, max_size=length).map(tuple)


@settings(max_examples=150, deadline=None)
@given(game=st.sampled_from(GAMES), piles=piles_of(5, 3), stored=st.booleans())
def test_values_are_those_of_the_rules(
    db: grundy.Database, game: str, piles: tuple[int, ...], stored: bool
) -> None:
    state = rules.begin(game, piles)
    answer = (db if stored else NOTHING).answer(game, piles)
    assert answer.outcome == rules.outcome(game, state)
    if game in IMPARTIAL:
        assert answer.value == NOTHING.value(game, piles) == rules.value(game, state)
    else:
        with pytest.raises(grundy.GameError, match="outcome classes"):
            NOTHING.value(game, piles)


@settings(max_examples=120, deadline=None)
@given(piles=piles_of(5, 2), memory=st.one_of(st.integers(0, 5), st.frozensets(st.integers(1, 5))))
def test_what_a_game_remembers_counts(
    db: grundy.Database, piles: tuple[int, ...], memory: int | frozenset[int]
) -> None:
    game, text = "short-global-nim", ",".join(map(str, piles))
    if isinstance(memory, int):
        text += f"/{memory}"
    else:
        game, text = "long-global-nim", text + "{" + ",".join(map(str, sorted(memory))) + "}"
        memory = frozenset(s for s in memory if s <= max(piles))
    expected = rules.value(game, (tuple(sorted(piles)), memory))
    assert db.value(game, text) == NOTHING.value(game, text) == expected


@settings(max_examples=60, deadline=None)
@given(game=st.sampled_from(GAMES), piles=piles_of(5, 3))
def test_moves_are_those_of_the_rules(
    db: grundy.Database, game: str, piles: tuple[int, ...]
) -> None:
    moves = db.moves(game, piles)
    for move in moves:
        assert sum(move.option) < sum(piles)
        assert move.outcome == db.outcome(game, move.option)
    if game in IMPARTIAL:
        expected = {state[0] for state in rules.options(game, rules.begin(game, piles))}
        assert {move.option.piles for move in moves} == expected
        assert rules.mex({move.value for move in moves if move.value is not None}) == db.value(
            game, piles
        )
    assert list(moves.winning) == [move for move in moves if move.wins]


@pytest.mark.parametrize("game", GAMES)
def test_many_at_once_are_as_one_by_one(db: grundy.Database, game: str) -> None:
    all_piles = list(itertools.product(range(1, 5), repeat=3))
    array = np.array(all_piles)
    for source in (db, NOTHING):
        outcomes = source.outcomes(game, array)
        assert outcomes.tolist() == [source.outcome(game, piles) for piles in all_piles]
        if game in IMPARTIAL:
            values = source.values(game, array, threads=2)
            assert values.dtype == np.uint32
            assert values.tolist() == [source.value(game, piles) for piles in all_piles]


@pytest.mark.parametrize(
    "array",
    [
        [[3, 1, 4], [2, 2, 2]],
        np.array([[3, 1, 4], [2, 2, 2]], dtype=np.int8),
        np.array([[3, 1, 4], [2, 2, 2]], dtype=np.uint64),
        np.array([[3, 1, 4], [2, 2, 2]], order="F"),
        np.array([[3, 0, 1, 0, 4], [2, 0, 2, 0, 2]])[:, ::2],
        np.empty((0, 3), dtype=int),
    ],
)
def test_arrays_of_any_kind_are_taken(array: Any) -> None:
    expected = [rules.value("end-nim", (tuple(map(int, row)), None)) for row in array]
    assert NOTHING.values("end-nim", array).tolist() == expected


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("middle", [(), (3,), (2, 1)])
def test_tiles_are_those_of_the_rules(
    db: grundy.Database, game: str, middle: tuple[int, ...]
) -> None:
    for tile, n in (
        (db.tile(game, middle), 8),
        (db.tile(game, middle, 3), 3),
        (NOTHING.tile(game, middle, 4), 4),
    ):
        assert (tile.shape, tile.game, tile.middle) == ((n, n), game, middle)
        for a, b in itertools.product(range(1, 4), repeat=2):
            expected = rules.place(game, rules.begin(game, (a, *middle, b)))
            assert tile.at(a, b) == tile[a - 1, b - 1] == expected
        assert not tile.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            tile[0, 0] = 1


def test_a_stored_tile_is_lent_without_a_copy(db: grundy.Database) -> None:
    one, again = db.tile("end-nim", (4, 7)), db.tile("end-nim", (4, 7))
    assert np.shares_memory(one, again)
    # The middle read backwards is the same memory, turned.
    turned = db.tile("end-nim", (7, 4))
    assert np.shares_memory(one, turned)
    assert np.array_equal(turned, one.T)
    with pytest.raises(ValueError):
        one.flags.writeable = True


def test_what_was_lent_outlives_the_database(folder: Path) -> None:
    tile = grundy.open(folder).tile("end-nim", (4, 7))
    expected = NOTHING.tile("end-nim", (4, 7), 8)
    # Whoever asks for the memory next would write over it.
    waste = [np.full(1 << 16, 255, dtype=np.uint8) for _ in range(50)]
    assert (np.asarray(tile) == np.asarray(expected)).all()
    assert len(waste) == 50


def test_rows(db: grundy.Database) -> None:
    row = db.row("end-nim", (3, 1), 8)
    assert row.tolist() == [rules.value("end-nim", ((3, 1, b), None)) for b in range(1, 9)]
    assert not row.flags.writeable


def test_positions_are_read_and_written() -> None:
    position = grundy.Position("short-global-nim", " 4 1 / 2 ")
    assert (str(position), position.piles, position.last_move) == ("1,4/2", (1, 4), 2)
    assert position == grundy.Position("short-global-nim", "1,4/2")
    assert hash(position) == hash(grundy.Position("short-global-nim", "4,1/2"))
    assert NOTHING.value("short-global-nim", position) == rules.value(
        "short-global-nim", ((1, 4), 2)
    )
    sets = grundy.Position("long-global-nim", "8{1..3,5}")
    assert sets.moves_left == frozenset({1, 2, 3, 5})
    assert sets.to_latex() == r"[8,\{1,\dots,3,5\}]"
    assert grundy.Position("end-nim", np.array([3, 1, 4])).to_latex() == "(3,1,4)"
    assert "●" in position._repr_html_()
    assert position._repr_latex_() == "$*(1,4;2)$"


def test_tables_are_listed(db: grundy.Database) -> None:
    tables = db.tables
    assert any(table.id == "end-nim/n8/k4" and table.positions == 8**4 for table in tables)
    assert "end-nim/n8/k4" in tables._repr_html_()
    assert repr(NOTHING) == "<database without tables: everything is computed>"


@pytest.mark.parametrize("game", GAMES)
def test_the_command_line_says_the_same(program: str, folder: Any, game: str) -> None:
    """Random positions of each game, also such as are beyond the tables."""
    rng = np.random.default_rng(18)
    db = grundy.open(folder)
    lines = []
    for _ in range(40):
        piles = rng.integers(1, 10, size=rng.integers(1, 5 if "global" not in game else 3))
        text = ",".join(map(str, piles))
        if game == "short-global-nim" and rng.integers(2):
            text += f"/{rng.integers(0, 10)}"
        if game == "long-global-nim" and rng.integers(2):
            some = [str(s) for s in range(1, 10) if rng.integers(2)]
            text += "{" + ",".join(some) + "}"
        lines.append(text)
    command = [program, "--json", "--db", str(folder), "query", game, "-"]
    said = subprocess.run(
        command, input="\n".join(lines), capture_output=True, text=True, check=True
    )
    told = [json.loads(line) for line in said.stdout.splitlines()]
    assert len(told) == len(lines)
    for text, line in zip(lines, told, strict=True):
        answer = db.answer(game, text)
        value = line["grundy"] if game in IMPARTIAL else None
        assert (answer.value, answer.outcome) == (value, line["outcome"]), text
        assert str(grundy.Position(game, text)) == line["position"]


READER = Path(__file__).parents[3] / "tools/grundy/texts/read_shard.py"


@pytest.mark.skipif(not READER.exists(), reason="the documents are not beside the package")
@pytest.mark.parametrize("game", GAMES)
def test_the_reader_by_the_format_says_the_same(
    db: grundy.Database, folder: Path, game: str
) -> None:
    """The reader of the packs reads the stored bytes by docs/FORMAT.md alone."""
    pytest.importorskip("zstandard")
    rng = np.random.default_rng(81)
    for length in (1, 2, 3):
        found = sorted((folder / game / "n8" / f"k{length}").glob("*"))
        if not found:
            continue
        texts = [",".join(map(str, rng.integers(1, 9, size=length))) for _ in range(8)]
        command = [sys.executable, str(READER), str(found[0]), *texts]
        said = subprocess.run(command, capture_output=True, text=True)
        assert said.returncode == 0, said.stderr
        told = [int(line.split()[-1]) for line in said.stdout.splitlines()]
        for text, value in zip(texts, told, strict=True):
            answer = db.answer(game, text)
            known = answer.value if answer.thresholds is None else answer.thresholds[0]
            assert value == known, (game, text)


def test_piles_beyond_what_is_typed() -> None:
    """A text has piles to 10^9; numbers go further."""
    piles = (4 * 10**9, 5)
    for position in (piles, grundy.Position("nim", piles)):
        assert NOTHING.value("nim", position) == 4 * 10**9 ^ 5


def test_a_word_may_be_a_text(db: grundy.Database) -> None:
    assert db.row("end-nim", "5,2", 6).tolist() == db.row("end-nim", (5, 2), 6).tolist()
    assert db.tile("end-nim", "4").tolist() == db.tile("end-nim", (4,)).tolist()


def test_what_is_made_from_a_tile_is_none(db: grundy.Database) -> None:
    tile = db.tile("end-nim", (4,))
    made: list[object] = [tile[1:, 2:], tile + 1, tile % 2, tile.T, tile == 0, tile.max(axis=0)]
    for array in made:
        assert getattr(array, "game", "") == "" and getattr(array, "middle", ()) == ()
    assert type(tile + 1) is np.ndarray and type(tile[0]) is np.ndarray
    assert tile.max() == 13 and isinstance(tile[2, 3], np.unsignedinteger)
    again = pickle.loads(pickle.dumps(tile))
    assert (again.game, again.middle, again.at(5, 6)) == ("end-nim", (4,), tile.at(5, 6))
    assert not again.flags.writeable and (np.asarray(again) == np.asarray(tile)).all()


def test_what_latex_reads(db: grundy.Database) -> None:
    moves = db.moves("end-nim", (2, 3, 4))._repr_latex_()
    assert moves.startswith(r"$\begin{array}{llllll}") and r"\text{2,3,2}" in moves
    tile = grundy.open().tile("end-nim", (), 2)._repr_latex_()
    # By hand: two piles are Nim.
    assert tile == r"$\begin{array}{r|rr} & 1 & 2 \\ \hline 1 & 0 & 3 \\ 2 & 3 & 0\end{array}$"
    verdict = grundy.check("end-nim", "g == 0 -> first <= 2", 3, 4)._repr_latex_()
    assert verdict.count("$") % 2 == 0 and r"\textless{}" in verdict


def test_positions_are_what_they_are() -> None:
    """A position is not its piles alone: what was taken, and what may be, counts."""
    found = grundy.find("short-global-nim", "P", 2, 4)
    assert len(found) > 0 and NOTHING.values("short-global-nim", found).tolist() == [0] * len(found)
    assert set(NOTHING.outcomes("short-global-nim", found)) == {"P"}
    nothing = grundy.find("end-nim", "g < 0", 2, 4)
    assert NOTHING.values("end-nim", nothing).shape == (0,)
    sets = [grundy.Position("long-global-nim", text) for text in ("8{1,3}", "3", "2,2{1}")]
    singly = [NOTHING.value("long-global-nim", position) for position in sets]
    assert NOTHING.values("long-global-nim", sets).tolist() == singly


def test_a_game_is_a_name_too() -> None:
    for game in grundy.games():
        if game.is_impartial:
            assert NOTHING.value(game, (2, 1)) == NOTHING.value(game.name, (2, 1))
    assert [claim.id for claim in grundy.claims(["ch.thm5.1"])] == ["ch.thm5.1"]


def test_a_row_of_single_piles_is_not_slow() -> None:
    """Each follows from those before: one by one, 10^5 of them would take hours."""
    row = NOTHING.row("short-global-nim", (), 100_000)
    assert row[:9].tolist() == [1, 1, 2, 3, 3, 2, 4, 5, 5]
    assert tuple(row) == grundy.sequence("short-global-nim", to=100_000).terms[1:]


def test_terms_can_be_cut() -> None:
    terms = grundy.sequence("short-global-nim", to=9)
    assert terms[1:4] == (1, 1, 2) and terms[:2] == (0, 1)
