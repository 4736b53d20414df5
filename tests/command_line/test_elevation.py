# SPDX-License-Identifier: GPL-3.0-or-later
import dataclasses
import itertools
import json

import numpy as np
import pytest

from terrain_addon.command_line import console, main
from terrain_addon.core import Layer, Map, Recipe, evaluate, formats, realism
from terrain_addon.core.layers import LAYERS
from tests.core.formats.test_geotiff import geo, real, written
from tests.core.formats.test_grids import hgt

KEYS = ((1024, 1), (1025, 2), (3072, 32632), (3076, 9001))


@pytest.fixture
def dem(tmp_path):
    """A GeoTIFF file with two voids."""
    height = real()
    height[50, 60:62] = -9999
    return written(tmp_path / "dem.tif", height, compression="zlib", extratags=geo(keys=KEYS))


def test_info_shows_what_a_file_holds(dem, capsys):
    assert main(["info", str(dem)]) == 0
    text = capsys.readouterr().out
    for line in ("131 x 103", "30 x 25 m", "3.9 x 2.55 km from the first to the last sample",
                 "3.93 x 2.575 km covered by the cells", "projected, EPSG:32632",
                 "first sample  500000, 5197450", "- 2 voids, marked by -9999."):  # fmt: skip
        assert line in text
    assert main(["info", "--json", str(dem)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["columns"], found["rows"], found["voids"]) == (131, 103, 2)
    assert (found["span"], found["size"]) == ([3900, 2550], [3930, 2575])
    assert found["spacing"] == [30, 25] and found["epsg"] == 32632 and found["in_meters"]
    assert (found["low"], found["high"]) == (real().min(), real().max())
    assert found["corners"] == [[500000, 5197450], [500000 + 130 * 30, 5200000]]


def test_convert_crops_fills_resamples_and_turns(dem, tmp_path, capsys):
    out = tmp_path / "part.npy"
    part = ["--crop", "501000", "5198000", "503500", "5199500"]
    assert main(["convert", str(dem), str(out), *part, "--resample", "20", "--turn", "90"]) == 0
    made = formats.read(out).height
    assert made.shape == (2460 // 20 + 1, 1500 // 20 + 1), "from 501020 to 503480"
    assert "20 x 20 m" in capsys.readouterr().out
    assert np.isfinite(made).all() and real().min() <= made.min() and made.max() <= real().max()
    assert main(["convert", str(dem), str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["voids"] == 0
    whole = formats.read(out).height
    known = np.ones(whole.shape, bool)
    known[-51, 60:62] = False
    np.testing.assert_array_equal(whole[known], real()[::-1][known])


def test_a_mosaic_of_tiles_is_one_file(tmp_path, capsys):
    tiles = []
    for name in ("N46E007", "N46E008"):
        tiles.append(str(tmp_path / f"{name}.hgt"))
        (tmp_path / f"{name}.hgt").write_bytes(hgt(1201).tobytes())
    assert main(["info", *tiles]) == 0
    assert "2401 x 1201" in capsys.readouterr().out
    assert main(["convert", *tiles, str(tmp_path / "alps.npy")]) == 0
    height = formats.read(tmp_path / "alps.npy").height
    np.testing.assert_array_equal(height[:, :1201], hgt(1201)[::-1])
    np.testing.assert_array_equal(height[:, 1201:], hgt(1201)[::-1, 1:])


def test_convert_says_how_far_it_is(dem, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(console, "LEAST", -1.0)
    monkeypatch.setattr(console, "LINE", 0.0)
    assert main(["convert", str(dem), str(tmp_path / "out.npy")]) == 0
    said = capsys.readouterr().err.split()
    shares = [int(word) for word, sign in itertools.pairwise(said) if sign.startswith("%")]
    assert shares == [50, 60, 80]


def test_a_raw_file_is_converted_with_its_range(tmp_path, capsys):
    values = np.arange(64 * 64, dtype="<u2").reshape(64, 64) * 10
    (tmp_path / "land.raw").write_bytes(values.tobytes())
    raw, out = str(tmp_path / "land.raw"), tmp_path / "land.npy"
    assert main(["info", raw]) == 0
    text = capsys.readouterr().out
    assert "16-bit unsigned numbers, little-endian" in text and "0 to 40950 of 0 to 65535" in text
    convert = ["convert", raw, str(out), "--range", "-100", "900", "--spacing", "2"]
    assert main(convert) == 0
    np.testing.assert_allclose(formats.read(out).height, values / 65535 * 1000 - 100, atol=1e-3)
    assert main([*convert, "--columns", "100"]) == 1
    assert "land.raw: " in capsys.readouterr().err
    assert main(["realism", raw, "--spacing", "2"]) == 1
    assert "convert --range LOW HIGH" in capsys.readouterr().err


def test_a_raw_map_goes_from_0_to_1(tmp_path):
    values = np.arange(64 * 64, dtype="<u2").reshape(64, 64) * 16
    (tmp_path / "paint.raw").write_bytes(values.tobytes())
    layer = Layer.of(LAYERS["height_map"](source="Paint", high=900.0))
    recipe = Recipe(layers=(layer,))
    (tmp_path / "land.json").write_text(recipe.to_json(), encoding="utf-8")
    out = tmp_path / "land.npy"
    maps = ["--map", f"Paint={tmp_path / 'paint.raw'}", "--resolution", "65"]
    assert main(["height", str(tmp_path / "land.json"), str(out), *maps]) == 0
    painted = Map("Paint", (values / 65535).astype(np.float32))
    expected = evaluate(dataclasses.replace(recipe, maps=(painted,)), recipe.grid(65))
    np.testing.assert_allclose(formats.read(out).height, expected.height, atol=1e-3)


def test_commands_with_a_recipe_take_elevation_files(tmp_path, capsys):
    """Over all layers, as terrain of true size; several files are one terrain."""
    dem = written(tmp_path / "dem.tif", real(), extratags=geo(keys=KEYS))
    out = tmp_path / "dem.npy"
    assert main(["height", str(dem), str(out), "--resolution", "131", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["points"] == [131, 86] and made["spacing"] == [30, 30]
    assert abs(made["low"] - real().min()) < 20 and abs(made["high"] - real().max()) < 20
    export = ["export", str(dem), "--engine", "unreal", "--size", "127"]
    assert main([*export, "--out", str(tmp_path / "x")]) == 0
    manifest = json.loads((tmp_path / "x" / "manifest.json").read_text())
    assert (manifest["low"], manifest["high"]) == pytest.approx((made["low"], made["high"]), abs=20)
    plain = ["export", str(dem), "--engine", "plain", "--size", "131", "--height", ".tif"]
    assert main([*plain, "--out", str(tmp_path / "plain"), "--no-color", "--no-normal"]) == 0
    before, after = formats.read(dem), formats.read(tmp_path / "plain" / "terrain.tif")
    assert after.height.shape == (86, 131), "cells of 30 x 25 m have become square"
    assert before.georeference and after.georeference and after.georeference.epsg == 32632
    for old, new in (((0, 0), (0, 0)), ((130, 102), (130, 85))):  # corners are where they were
        assert after.georeference.at(*new) == pytest.approx(before.georeference.at(*old))
    assert main(["bake", str(dem), str(tmp_path / "x.png"), "--resolution", "64"]) == 0
    tiles = []
    for name in ("N46E007", "N46E008"):
        tiles.append(str(tmp_path / f"{name}.hgt"))
        (tmp_path / f"{name}.hgt").write_bytes(hgt(1201).tobytes())
    capsys.readouterr()
    assert main(["height", ";".join(tiles), str(out), "--resolution", "65", "--json"]) == 0
    width, depth = json.loads(capsys.readouterr().out)["points"]
    assert width == 65 and 40 < depth < 55  # two degrees by one, at 46 degrees north
    assert main(["height", str(tmp_path / "no.tif"), str(out)]) == 1
    assert "no.tif is missing" in capsys.readouterr().err


def test_realism_takes_cells_that_are_not_square(dem, capsys):
    assert main(["realism", str(dem), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["count"] == len(realism.measure(real(), 25.0)) and found["inside"] > 0


def test_a_large_void_is_refused_unless_asked(tmp_path, capsys):
    height = real()
    height[:60] = -9999
    path, out = written(tmp_path / "dem.tif", height), tmp_path / "dem.npy"
    assert main(["convert", str(path), str(out)]) == 1
    assert "A void is large" in capsys.readouterr().err and not out.exists()
    assert main(["convert", str(path), str(out), "--fill-large"]) == 0
    assert np.isfinite(formats.read(out).height).all()
