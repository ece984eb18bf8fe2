"""Compares values, moves, rows and tiles with the rules, with tables and without."""

import itertools
import json
import subprocess
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
PROVED = ["nim", "end-nim", "loop-end-nim", "misere-end-nim"]
NOTHING = grundy.open()
COMPUTING = grundy.open(theorems=False)


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
@given(game=st.sampled_from(PROVED), piles=piles_of(40, 3))
def test_what_is_proved_is_what_is_computed(game: str, piles: tuple[int, ...]) -> None:
    proved, computed = NOTHING.answer(game, piles), COMPUTING.answer(game, piles)
    assert proved[:2] == computed[:2]
    assert computed.source == "computed"
    assert game != "nim" or proved.source == "theorem"


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
    # The tile of the reversed middle is the transposed tile, in the same memory.
    turned = db.tile("end-nim", (7, 4))
    assert np.shares_memory(one, turned)
    assert np.array_equal(turned, one.T)
    with pytest.raises(ValueError):
        one.flags.writeable = True


def test_what_was_lent_outlives_the_database(folder: Path) -> None:
    tile = grundy.open(folder).tile("end-nim", (4, 7))
    expected = NOTHING.tile("end-nim", (4, 7), 8)
    # If the memory of the tile had been freed, these arrays would overwrite it.
    waste = [np.full(1 << 16, 255, dtype=np.uint8) for _ in range(50)]
    assert (np.asarray(tile) == np.asarray(expected)).all()
    assert len(waste) == 50


def test_rows(db: grundy.Database) -> None:
    row = db.row("end-nim", (3, 1), 8)
    assert row.tolist() == [rules.value("end-nim", ((3, 1, b), None)) for b in range(1, 9)]
    assert not row.flags.writeable


@pytest.mark.parametrize("game", GAMES)
def test_the_command_line_says_the_same(program: str, folder: Any, game: str) -> None:
    """Compare the answers about random positions, some of which are in no table."""
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


def test_a_row_of_single_piles_is_not_slow() -> None:
    """Each value depends on all earlier values. Without a cache, 10^5 values take hours."""
    row = NOTHING.row("short-global-nim", (), 100_000)
    assert row[:9].tolist() == [1, 1, 2, 3, 3, 2, 4, 5, 5]
    assert tuple(row) == grundy.sequence("short-global-nim", to=100_000).terms[1:]


def test_rule_files_stand_for_names(tmp_path: Path) -> None:
    text = "name: twos\ntitle: Twos\nsource: a test\npiles: places\nlength: 2\n"
    text += "where: p1 != p2\nmove: t in 1..p1 if p1 - t != p2: p1 -= t\n"
    (tmp_path / "twos.game").write_text(text)
    for game in (grundy.Game.from_file(tmp_path / "twos.game"), grundy.Game.from_text(text)):
        # Only the first coin moves; it may jump over the second. So G(a, b) = a, or a - 1 if a > b.
        values = [[a - (b < a) if a != b else -1 for b in range(4)] for a in range(4)]
        assert [NOTHING.value(game, (a, 2)) for a in (0, 1, 3)] == [0, 1, 2]
        assert NOTHING.values(game, [[3, 0], [0, 1]]).tolist() == [2, 0]
        assert NOTHING.row(game, (2,), 3).tolist() == values[2]
        assert NOTHING.row(game, (0,), 3).tolist() == values[0]
        tile = NOTHING.tile(game, (), 3)
        assert tile.tolist() == values and tile.at(3, 0) == 2 and tile.first == 0
        assert "<th>0</th>" in str(tile._repr_html_()) and "& 3" in str(tile._repr_latex_())
        level = NOTHING.level(game, 2, 3)
        assert len(level) == 16 and level[3, 0] == 2
        assert level.to_numpy().tolist() == [cell for row in values for cell in row]
        assert len(NOTHING.moves(game, (3, 1))) == 2
        assert grundy.check(game, "g <= first", length=2, max_pile=5).holds
        assert len(grundy.find(game, "P", length=2, max_pile=2)) == 3
        assert grundy.sequence(game, row=(2,), to=3).terms == tuple(values[2])
        assert grundy.Position(str(game), (1, 0)).game == game.name
    with pytest.raises(grundy.GameError):
        grundy.Game.from_text("name: twos")
    with pytest.raises(grundy.GameError):
        grundy.Game.from_file(tmp_path / "none.game")
    assert NOTHING.value("nim", ()) == NOTHING.value("nim", "()") == 0
