# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading elevation files: processor time and memory of a large one, and of every format."""

from __future__ import annotations

import tempfile
import time
import zipfile
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import tifffile
from PIL import Image

from terrain_addon.core import FractalNoise, Layer, Recipe, evaluate, formats
from terrain_addon.core.numerics.arrays import Floats
from tests.benchmarks.memory import peak
from tests.benchmarks.timing import Jobs, Row, Tables, aim, compare
from tests.core.formats.test_damaged_files import ESRI

SAMPLES = 3600
SIDE = 1201
"""Samples along a side of the files of every other format, as of an SRTM tile."""
OURS, PEER = "formats.read", "tifffile with imagecodecs (C)"
LIMIT_MS, LIMIT_MIB = 2000, 200


def tables() -> Tables:
    """All tables of this benchmark."""
    recipe = Recipe(layers=(Layer.of(FractalNoise(octaves=10)),))
    height = evaluate(recipe, recipe.grid(SAMPLES), fields=()).height
    found: Tables = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, predictor in (("without a predictor", 1), ("predictor 3", 3)):
            path = Path(folder, f"{predictor}.tif")
            tifffile.imwrite(path, height, compression="zlib", predictor=predictor, rowsperstrip=64)
            title = (
                f"Read a GeoTIFF, {SAMPLES} x {SAMPLES} float32, Deflate, {name}: processor time"
            )
            found[title] = _times(path, height)
        for name, (peer, read) in _written(Path(folder), height[:SIDE, :SIDE]).items():
            path = Path(folder, name)
            own, other = f"formats.read of {path.suffix}", f"{peer} of {path.suffix}"
            jobs: Jobs = {other: lambda path=path, read=read: read(path),
                          own: lambda path=path: formats.read(path)}  # fmt: skip
            title = f"Read {SIDE} x {SIDE} heights, {path.suffix}: processor time"
            found[title] = compare(other, jobs, clock=time.process_time)
    return found


def _written(folder: Path, height: Floats) -> dict[str, tuple[str, Callable[[Path], object]]]:
    """Write a file of every other format; return by their names what reads the numbers alone, with
    which our reader, which also looks for voids, units and places, is compared."""
    whole = np.rint(height).astype(np.int16)
    rows = "\n".join(" ".join(f"{one:.2f}" for one in row) for row in height)
    header = f"ncols {SIDE}\nnrows {SIDE}\nxllcorner 0\nyllcorner 0\ncellsize 30\n"
    np.save(folder / "land.npy", height)
    (folder / "N46E007.hgt").write_bytes(whole.astype(">i2").tobytes())
    (folder / "land.raw").write_bytes(whole.astype("<u2").tobytes())
    (folder / "land.asc").write_text(header + rows)
    (folder / "float.flt").write_bytes(height.astype("<f4").tobytes())
    (folder / "float.hdr").write_text(header + "byteorder LSBFIRST\n")
    (folder / "whole.bil").write_bytes(whole.astype("<i2").tobytes())
    (folder / "whole.hdr").write_text(ESRI.format(SIDE, SIDE))
    with zipfile.ZipFile(folder / "packed.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(folder / "N46E007.hgt", "N46E007.hgt")
    points = np.column_stack([*np.indices(height.shape).reshape(2, -1)[::-1], height.ravel()])
    np.savetxt(folder / "points.xyz", points, "%.2f")
    for suffix in (".png", ".exr"):
        formats.write(folder / f"own{suffix}", formats.HeightRows(height.shape, [height]))
    return {
        "land.npy": ("numpy.load", np.load),
        "N46E007.hgt": ("numpy.fromfile", _numbers(">i2")),
        "land.raw": ("numpy.fromfile", _numbers("<u2")),
        "float.flt": ("numpy.fromfile", _numbers("<f4")),
        "whole.bil": ("numpy.fromfile", _numbers("<i2")),
        "land.asc": ("numpy.loadtxt", lambda path: np.loadtxt(path, np.float32, skiprows=5)),
        "points.xyz": ("numpy.loadtxt", lambda path: np.loadtxt(path, np.float64)),
        "packed.zip": ("zipfile and numpy.frombuffer", _unpacked),
        "own.png": ("Pillow (C)", lambda path: np.asarray(Image.open(path)).astype(np.float32)),
        **({"own.exr": ("OpenEXR (C++)", _exr)} if find_spec("OpenEXR") else {}),
    }


def _numbers(dtype: str) -> Callable[[Path], object]:
    return lambda path: np.fromfile(path, dtype).reshape(SIDE, SIDE).astype(np.float32)


def _exr(path: Path) -> object:
    with import_module("OpenEXR").File(str(path)) as file:
        return [one.pixels for one in file.channels().values()]


def _unpacked(path: Path) -> object:
    with zipfile.ZipFile(path) as archive:
        data = archive.read("N46E007.hgt")
    return np.frombuffer(data, ">i2").reshape(SIDE, SIDE).astype(np.float32)


def _times(path: Path, height: np.ndarray) -> list[Row]:
    """Times of readers, and the peak of the memory of ours with the heights."""
    assert np.array_equal(formats.read(path).height[::-1], height)
    jobs: Jobs = {PEER: lambda: tifffile.imread(path), OURS: lambda: formats.read(path)}
    rows = compare(PEER, jobs, rounds=3, clock=time.process_time)
    aim(rows, OURS, LIMIT_MS)
    used, size = peak(lambda: formats.read(path)), height.nbytes
    rows.append(Row("memory of formats.read", used / 2**20, used / size, "its heights", "MiB"))
    aim(rows, "memory of formats.read", LIMIT_MIB)
    return rows
