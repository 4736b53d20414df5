# SPDX-License-Identifier: GPL-3.0-or-later
"""Real terrain from files of other writers, exported to each engine and read by other readers."""

import dataclasses
import json
from pathlib import Path

import matplotlib
import numpy as np
import pytest
import tifffile

from terrain_addon.command_line import main
from terrain_addon.core import Erosion, HeightMap, Layer, evaluate, presets, real_terrain
from terrain_addon.core.output.engines import ENGINES
from terrain_addon.core.output.exports import ExportSettings, export, georeference_of
from tests.core.output import engine_readers

SIDE = 129


@pytest.fixture(scope="module")
def dem() -> np.ndarray:
    """A part of the elevation sample of Matplotlib, (129, 129) int16 meters, north first."""
    path = Path(matplotlib.get_data_path()) / "sample_data" / "jacksboro_fault_dem.npz"
    with np.load(path) as data:
        return data["elevation"][:SIDE, :SIDE].astype(np.int16)


@pytest.fixture(scope="module")
def files(dem: np.ndarray, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The same terrain in files of several formats, 30 m apart."""
    folder = tmp_path_factory.mktemp("dem")
    keys = (1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 2, 3072, 0, 1, 32617)
    tags = [
        (33550, 12, 3, (30.0, 30.0, 0.0), True),
        (33922, 12, 6, (0, 0, 0, 200_000.0, 4_000_000.0, 0), True),
        (34735, 3, len(keys), keys, True),
    ]
    tifffile.imwrite(folder / "dem.tif", dem, metadata=None, extratags=tags)
    header = f"ncols {SIDE}\nnrows {SIDE}\nxllcorner 0\nyllcorner 0\ncellsize 30\n"
    rows = "\n".join(" ".join(map(str, row)) for row in dem.tolist())
    (folder / "dem.asc").write_text(f"{header}{rows}\n")
    (folder / "dem.r16").write_bytes(dem.astype("<u2").tobytes())
    options = "#columns=129,bits=16,order=little,type=unsigned,spacing=30,low=0,high=65535,north"
    return {
        ".tif": str(folder / "dem.tif"),
        ".asc": str(folder / "dem.asc"),
        ".r16": str(folder / "dem.r16") + options,
    }


@pytest.mark.parametrize("suffix", [".tif", ".asc", ".r16"])
def test_a_file_goes_through_within_half_a_step(
    files, dem: np.ndarray, suffix: str, tmp_path: Path
):
    out = tmp_path / "out"
    command = ["export", files[suffix], "--engine", "unity", "--size", str(SIDE)]
    assert main([*command, "--out", str(out), "--no-color", "--no-normal"]) == 0
    about = json.loads((out / "manifest.json").read_text())
    assert about["import_settings"]["Terrain Width"] == 30 * (SIDE - 1)
    ends = (float(dem.min()), float(dem.max()))
    assert (about["low"], about["high"]) == pytest.approx(ends, abs=1e-3)  # interpolated
    step = (about["high"] - about["low"]) / 65535
    assert np.abs(engine_readers.whole(out, about)[::-1] - dem).max() <= 0.501 * step + 1e-3


@pytest.mark.parametrize("key", ENGINES)
def test_eroded_real_terrain_is_within_half_a_step_in_each_engine(files, key: str, tmp_path: Path):
    recipe = real_terrain.load_recipe(files[".tif"])
    eroded = Layer.of(Erosion(resolution="128"))
    recipe = dataclasses.replace(recipe, layers=(*recipe.layers, eroded))
    size = {"unreal": 127, "terrain3d": 128, "unity": 129, "hterrain": 129}.get(key, 100)
    done = export(recipe, ExportSettings(engine=key, size=size, weights="packed"), tmp_path / "out")
    height = evaluate(recipe, recipe.grid(tuple(done.manifest["points"]))).height
    error = np.abs(engine_readers.whole(done.folder, done.manifest) - height).max()
    assert error <= done.verification.half_step * 1.001


def test_geotiff_files_keep_the_place_of_the_source(files, dem: np.ndarray, tmp_path: Path):
    out = tmp_path / "out"
    command = ["export", files[".tif"], "--engine", "plain", "--height", ".tif", "--tiles", "2x2"]
    assert main([*command, "--size", "65", "--out", str(out)]) == 0
    for name, x, y in (("terrain_x0_y0.tif", 0, 0), ("terrain_x1_y1.tif", 64, 64)):
        with tifffile.TiffFile(out / name) as file:
            found, place = file.asarray(), file.geotiff_metadata
        assert np.abs(found - dem[y : y + 65, x : x + 65]).max() < 1e-3
        assert place is not None and place["ProjectedCSTypeGeoKey"] == 32617
        expected = (0, 0, 0, 200_000 + 30 * x, 4_000_000 - 30 * y, 0)
        assert place["ModelTiepoint"] == pytest.approx(expected, abs=1e-6)
        assert place["ModelPixelScale"] == pytest.approx([30, 30, 0])


def test_a_turned_and_moved_map_takes_its_coordinates_along(files):
    recipe = real_terrain.load_recipe(files[".tif"])
    source = recipe.layers[0].settings
    assert isinstance(source, HeightMap)
    turned = dataclasses.replace(source, angle=90.0, x=300.0, y=-60.0, scale=2.0)
    recipe = dataclasses.replace(recipe, layers=(Layer.of(turned),))
    place = georeference_of(recipe)
    assert place is not None
    middle = 200_000 + 30 * 64, 4_000_000 - 30 * 64
    assert place.at(300, -60) == pytest.approx(middle)
    assert place.at(300, -60 + 200) == pytest.approx((middle[0] + 100, middle[1]))
    assert place.at(300 - 200, -60) == pytest.approx((middle[0], middle[1] + 100))


def test_other_terrain_has_no_place(files):
    assert georeference_of(real_terrain.load_recipe(files[".r16"])) is None
    assert georeference_of(presets.load("mesa")) is None
