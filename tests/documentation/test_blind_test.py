# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/scripts/make_blind_test.py: presets among real terrain, in random order."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

pytest.importorskip("matplotlib")
from PIL import Image

SCRIPTS = str(Path(__file__).parents[2] / "docs" / "scripts")


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(SCRIPTS)
    import make_blind_test  # pyright: ignore[reportMissingImports]

    return make_blind_test


@pytest.fixture
def run(script, monkeypatch, tmp_path):
    def run_with(name, *arguments):
        folder = tmp_path / name
        command = ["make_blind_test.py", str(folder), *map(str, arguments)]
        monkeypatch.setattr(sys, "argv", command)
        script.main()
        key = json.loads((folder / "key.json").read_text(encoding="utf-8"))
        sheets = [np.asarray(Image.open(path)) for path in sorted(folder.glob("sheet_*.png"))]
        return key, sheets

    return run_with


@pytest.mark.slow
def test_a_seed_gives_one_sheet_with_its_key(run):
    arguments = ("--made", 2, "--real", 3, "--recipe", "eroded_hills", "--seed")
    key, sheets = run("one", *arguments, 5)
    again, same = run("again", *arguments, 5)
    assert key == again
    assert_array_equal(sheets, same)
    other, different = run("other", *arguments, 6)
    assert list(key) == ["1", "2", "3", "4", "5"]
    assert sum(name.startswith("real: Jacksboro") for name in key.values()) == 3
    assert sum(name.startswith("preset: eroded_hills") for name in key.values()) == 2
    assert other != key and not np.array_equal(different, sheets)


def test_real_terrain_of_a_file_is_among_many_sheets(run, tmp_path):
    j, i = np.mgrid[:320, :320].astype(np.float32)
    np.save(tmp_path / "ramp.npy", 3 * j + i)
    key, sheets = run(
        "many", "--made", 0, "--real", 9, "--elevation", tmp_path / "ramp.npy", "--raw"
    )
    assert len(key) == 18 and len(sheets) == 2
    for number, name in key.items():
        row, column = divmod((int(number) - 1) % 16, 4)
        top, left = 8 + 264 * row, 8 + 264 * column
        picture = sheets[(int(number) - 1) // 16][top + 20 : top + 256, left + 30 : left + 256]
        assert (picture.std() == 0) == ("ramp.npy" in name)


def test_pictures_have_one_light_and_one_slope(script):
    j, i = np.mgrid[:256, :256].astype(np.float32)
    assert script.hillshade(j + i).mean() > script.hillshade(-j - i).mean(), "from the upper left"
    hills = np.sin(j / 9) * np.cos(i / 7)
    assert_array_equal(script.hillshade(hills), script.hillshade(hills * np.float32(64)))


def test_terrain_that_is_too_small_is_refused(run, tmp_path):
    np.save(tmp_path / "small.npy", np.zeros((300, 400), np.float32))
    with pytest.raises(SystemExit, match="small.npy: at least 304 x 304 samples"):
        run("small", "--made", 0, "--elevation", tmp_path / "small.npy")
