"""Tests that pictures are not empty, and that each value has one colour."""

import io

import numpy as np
import pytest

import grundy

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


def test_every_picture_can_be_drawn(db: grundy.Database) -> None:
    figures = [
        grundy.show.tile("end-nim", (4,), 16),
        grundy.show.tile(db.tile("partizan-end-nim", (2,))),
        grundy.show.tile(np.arange(16).reshape(4, 4)),
        grundy.show.row("end-nim", (5, 4), 100, differences=True),
        grundy.show.moves("end-nim", "2,3,4"),
        grundy.show.moves("nim", (1, 2, 3), db=db),
        grundy.show.moves("partizan-end-nim", (2, 3)),
        grundy.show.counts(db.level("end-nim", 3)),
    ]
    for figure in figures:
        file = io.BytesIO()
        figure.savefig(file, format="png")
        assert len(file.getvalue()) > 2000


def test_a_value_has_the_same_colour_everywhere() -> None:
    colours = []
    for values in (np.array([[0, 5], [7, 9]]), np.array([[100, 5], [7, 0]])):
        image = grundy.show.tile(values).axes[0].images[0]
        colours.append({v: tuple(image.to_rgba(np.array([v]))[0]) for v in (0, 5, 7, 9, 100)})
    assert colours[0] == colours[1]
    assert len(set(colours[0].values())) == 5
    with pytest.raises(ValueError, match="two axes"):
        grundy.show.tile(np.arange(4))
