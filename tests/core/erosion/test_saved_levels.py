# SPDX-License-Identifier: GPL-3.0-or-later
"""A solution that was stopped continues from its last finished grid."""

import numpy as np
import pytest

from terrain_addon.core import Cancelled, Erosion, FractalNoise, Recipe, solve
from terrain_addon.core.erosion.rivers import saved_levels, solver
from terrain_addon.core.evaluation.solving import remove_checkpoint
from terrain_addon.core.settings.owned_files import computer

HILLS = FractalNoise(height=150.0, size=500.0, octaves=3)
RECIPE = Recipe(
    size_y=800.0, layers=(HILLS, Erosion(resolution="512", rock_hardness_variation=0.5))
)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(saved_levels, "LEAST", 128)


@pytest.fixture
def eroded(monkeypatch):
    """Cells of the grids that were eroded."""
    made = []
    on_grid = solver._Work._on_grid

    def counting(work, *given):
        made.append(work.levels[0].resolution)
        return on_grid(work, *given)

    monkeypatch.setattr(solver._Work, "_on_grid", counting)
    return made


def stopped(folder, eroded, grid, recipe=RECIPE):
    """Solve until a grid of so many cells is begun."""
    with pytest.raises(Cancelled):
        solve(recipe, checkpoint=folder, cancelled=lambda: bool(eroded) and eroded[-1] == grid)
    eroded.clear()


def files(folder):
    return sorted(path.name for path in folder.glob("*/*"))


def test_a_stopped_solution_continues_with_the_same_result(tmp_path, eroded):
    folder = tmp_path / "unfinished"
    whole = next(iter(solve(RECIPE).parts.values())).drainage
    eroded.clear()
    stopped(folder, eroded, 128)
    assert not folder.exists()
    stopped(folder, eroded, 512)
    assert files(folder) == ["256.npy"]
    again = next(iter(solve(RECIPE, checkpoint=folder).parts.values())).drainage
    assert eroded == [512]
    for one, other in zip(again.arrays, whole.arrays, strict=True):
        np.testing.assert_array_equal(one, other)


def test_files_of_the_user_stay(tmp_path, eroded):
    stopped(tmp_path, eroded, 256)
    [part] = tmp_path.iterdir()
    mine = {part / "notes.npy", part / "2 copy.npy", tmp_path / "512.npy", tmp_path / "notes.txt"}
    for path in mine:
        path.write_text("mine")
    stopped(tmp_path, eroded, 512)
    (part / f"256.npy.{computer()}-999999999-0123abcd.part").write_text("of a killed process")
    remove_checkpoint(tmp_path)
    assert {one for one in tmp_path.rglob("*") if one.is_file()} == mine
    for path in mine:
        path.unlink()
    stopped(tmp_path, eroded, 512)
    remove_checkpoint(tmp_path)
    assert not list(tmp_path.iterdir())


def test_another_recipe_or_a_damaged_file_begins_again(tmp_path, eroded):
    stopped(tmp_path, eroded, 512)
    other = Recipe(seed=1, size_y=800.0, layers=RECIPE.layers)
    solve(other, checkpoint=tmp_path)
    assert eroded == [64, 128, 256, 512]
    assert len(list(tmp_path.iterdir())) == 2
    for path in tmp_path.glob("*/256.npy"):
        path.write_bytes(path.read_bytes()[:-9])
    eroded.clear()
    solve(RECIPE, checkpoint=tmp_path)
    assert eroded == [64, 128, 256, 512]


def test_a_small_solution_leaves_no_files(tmp_path, monkeypatch):
    monkeypatch.undo()
    solve(Recipe(layers=(HILLS, Erosion())), checkpoint=tmp_path / "unfinished")
    assert not (tmp_path / "unfinished").exists()


def test_a_checkpoint_that_cannot_be_written_is_an_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError):
        solve(RECIPE, checkpoint=tmp_path / "file" / "in")
