# SPDX-License-Identifier: GPL-3.0-or-later
"""A solution in files is the solution; files of another version, or damaged ones, are refused."""

import dataclasses
import json
import mmap
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from terrain_addon.core import (
    Erosion,
    FieldMask,
    FractalNoise,
    Layer,
    Recipe,
    Solution,
    Terrace,
    evaluate,
    presets,
    solve,
    solve_fields,
)
from terrain_addon.core.evaluation.solution import files

LAYERS = (
    FractalNoise(height=150.0, octaves=4),
    Erosion(resolution="128", rivers=1.0, strata_contrast=0.7, sea=True),
    Layer.of(Terrace(), masks=(FieldMask(field="wetness"),)),
)
RECIPE = Recipe(size_x=900.0, size_y=700.0, layers=LAYERS)
SOLUTION = solve_fields(RECIPE, RECIPE.grid(90), ("lake_depth",), solve(RECIPE))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    SOLUTION.save(tmp_path / "solution")
    return tmp_path / "solution"


def test_windows_with_a_loaded_solution_are_those_of_the_whole(folder: Path):
    solution, grid = Solution.load(folder), RECIPE.grid(90)
    assert set(solution.parts) == set(SOLUTION.parts)
    assert len(solution.parts) == 4  # drainage, river beds, mask, lakes
    whole = evaluate(RECIPE, grid)
    for i, j, nx, ny in ((0, 0, 90, 70), (13, 8, 40, 51), (80, 0, 10, 3)):
        part = evaluate(RECIPE, grid.window(i, j, nx, ny), solution=solution)
        inside = slice(j, j + ny), slice(i, i + nx)
        assert_array_equal(part.height, whole.height[inside])
        for name in ("flow", "erosion_depth", "deposition", "lake_depth"):
            assert_array_equal(part.fields[name], whole.fields[name][inside])


def test_presets_have_solutions_that_can_be_saved(sampled_preset: str, tmp_path: Path):
    solution = solve(presets.load(sampled_preset))
    solution.save(tmp_path / "solution")
    loaded = Solution.load(tmp_path / "solution")
    assert set(loaded.parts) == set(solution.parts)
    for key, part in solution.parts.items():
        for one, other in zip(part.arrays, loaded.parts[key].arrays, strict=True):
            assert_array_equal(one, other)


def test_arrays_are_mapped_and_read_only(folder: Path):
    for part in Solution.load(folder).parts.values():
        for array in part.arrays:
            assert type(array) is np.ndarray and not array.flags.writeable
            base: Any = array
            while isinstance(base, np.ndarray):
                base = base.base
            assert isinstance(base, mmap.mmap)


def test_the_index_names_versions_and_processor(folder: Path):
    about = json.loads((folder / "solution.json").read_text())
    assert about["engine"] == files.ENGINE and about["numpy"] == np.__version__
    assert about["features"] == files.processor_features() and about["features"]


def test_a_solution_replaces_an_older_one_and_nothing_else(folder: Path):
    other = dataclasses.replace(RECIPE, seed=5)
    solve(other).save(folder)
    assert not set(Solution.load(folder).parts) & set(SOLUTION.parts)
    assert [one.name for one in folder.parent.iterdir()] == ["solution"]
    mine = folder.parent / "mine"
    mine.mkdir()
    SOLUTION.save(mine)  # an empty folder
    (mine / "solution.json").unlink()
    before = sorted(mine.iterdir())
    with pytest.raises(ValueError, match=r"mine is not a solution: choose another name"):
        SOLUTION.save(mine)
    assert sorted(mine.iterdir()) == before


def test_a_full_disk_leaves_the_older_solution(folder: Path, monkeypatch: pytest.MonkeyPatch):
    save, left = files.save_array, iter([True, True])

    def full(*given: Any, **named: Any) -> None:
        if not next(left, False):
            raise OSError(28, "No space left on device")
        save(*given, **named)

    monkeypatch.setattr(files, "save_array", full)
    with pytest.raises(OSError, match="No space"):
        solve(dataclasses.replace(RECIPE, seed=5)).save(folder)
    assert set(Solution.load(folder).parts) == set(SOLUTION.parts)
    assert [one.name for one in folder.parent.iterdir()] == ["solution"]


def edited(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        path = folder / "solution.json"
        about = json.loads(path.read_text())
        change(about)
        path.write_text(json.dumps(about))

    return apply


def first_array(folder: Path) -> Path:
    return sorted(folder.glob("*height.npy"))[0]


def pickled(folder: Path) -> None:
    np.save(first_array(folder), np.array([{}], object), allow_pickle=True)


DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "engine": (edited(lambda one: one.update(engine=0)), "version 0 of Orogen's algorithms"),
    "numpy": (edited(lambda one: one.update(numpy="1.2")), r"version 1\.2 of NumPy, this is"),
    "format": (edited(lambda one: one.update(format=9)), "damaged: its format is 9"),
    "no version": (edited(lambda one: one.pop("numpy")), "damaged: 'numpy'"),
    "no arrays": (edited(lambda one: one.pop("arrays")), "damaged: 'arrays'"),
    "a list": (edited(lambda one: one.update(parts=[])), "damaged"),
    "another class": (
        edited(lambda one: next(iter(one["parts"].values())).update({"class": "Popen"})),
        "damaged: there is no plain data 'Popen'",
    ),
    "another name": (
        edited(lambda one: one["arrays"].update({"../x": ["<f4", 1]})),
        "damaged: '../x' is not the name of an array",
    ),
    "no index": (lambda folder: (folder / "solution.json").unlink(), "has no file solution.json"),
    "no JSON": (lambda folder: (folder / "solution.json").write_text("{"), "damaged"),
    "pickle": (pickled, "damaged: .*Python objects"),
    "cut": (
        lambda folder: first_array(folder).write_bytes(first_array(folder).read_bytes()[:999]),
        "damaged",
    ),
    "other values": (
        lambda folder: np.save(first_array(folder), np.zeros((3, 3))),
        r"holds float64 \(3, 3\), not <f4",
    ),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_other_versions_and_damaged_files_are_refused(folder: Path, damage: str):
    change, message = DAMAGE[damage]
    change(folder)
    with pytest.raises(ValueError, match=message) as error:
        Solution.load(folder)
    assert "\n" not in str(error.value)


SCRIPT = """
import hashlib, sys
from terrain_addon.core import Recipe, Solution, evaluate
recipe = Recipe.from_json(open(sys.argv[1]).read())
window = recipe.grid(400).window(100, 60, 200, 150)
solution = Solution.load(sys.argv[2])
print(hashlib.sha256(evaluate(recipe, window, solution=solution).height.tobytes()).hexdigest())
"""


@pytest.mark.slow
@pytest.mark.skipif(
    "AVX512F" not in files.processor_features(), reason="this processor has no AVX-512"
)
def test_processors_without_avx512_erode_to_the_same_bits_from_one_solution(
    folder: Path, monkeypatch: pytest.MonkeyPatch
):
    eroded = dataclasses.replace(RECIPE, layers=LAYERS[:2])
    (folder.parent / "recipe.json").write_text(eroded.to_json())
    made: list[str] = []
    for disabled in ("", "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL X86_V4"):
        known = [one for one in disabled.split() if one in files.processor_features()]
        monkeypatch.setenv("NPY_DISABLE_CPU_FEATURES", " ".join(known))
        command = [sys.executable, "-W", "ignore", "-c", SCRIPT]
        places = [str(folder.parent / "recipe.json"), str(folder)]
        done = subprocess.run([*command, *places], capture_output=True, text=True, check=True)
        made.append(done.stdout)
    assert made[0] == made[1]
