# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a blind test: hillshades of presets among those of real terrain, in random order.

    python docs/scripts/make_blind_test.py FOLDER --seed 1

writes sheets of numbered pictures and `key.json`, which says what each one is. Mark the real ones
before you read the key. Real terrain is matplotlib's sample of the Jacksboro fault, which is in the
public domain (SRTM); `--elevation FILE` adds a file of heights (.npy or ESRI .asc), such as other
public-domain elevation data.

Every picture has 256 x 256 samples. Heights are smoothed as the measures of realism do (`--raw`
keeps them as they are), scaled to the same median slope, and turned or mirrored at random. The
light is the same in all. Needs NumPy and Matplotlib, with its Pillow.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from terrain_addon.core import Recipe, evaluate, formats, presets, realism  # noqa: E402
from terrain_addon.core.analysis.realism.smoothing import smoothed  # noqa: E402

Heights = NDArray[np.float32]
Gray = NDArray[np.uint8]

PRESETS = ("alps", "badlands", "dry_wash", "eroded_hills", "canyon")
SAMPLES = realism.USUAL
"""Samples along the side of a preset: as many as the measures take."""
SIDE, GAP, COLUMNS, ROWS = 256, 8, 4, 4
BORDER = 24
"""Samples at the border that no picture shows: neither terrain continues there."""
SLOPE = 0.45
"""Median tangent of the slope of every picture."""
LIGHTS = ((315.0, 40.0, 0.7), (45.0, 60.0, 0.3))
"""Azimuth clockwise from the top, elevation, share."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0, help="another sheet for each number")
    parser.add_argument("--made", type=int, default=12, help="pictures of presets")
    parser.add_argument("--real", type=int, default=4, help="pictures of each real terrain")
    parser.add_argument("--elevation", type=Path, action="append", default=[], metavar="FILE")
    parser.add_argument("--recipe", action="append", help="a preset or .json, instead of the five")
    parser.add_argument("--raw", action="store_true", help="do not smooth")
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    chosen = options.recipe or PRESETS
    pictures = [
        *real(rng, options.elevation, options.real, options.raw),
        *made(rng, [chosen[k % len(chosen)] for k in range(options.made)], options.raw),
    ]
    order = rng.permutation(len(pictures))
    options.folder.mkdir(parents=True, exist_ok=True)
    write([pictures[k] for k in order], options.folder)


def real(
    rng: np.random.Generator, files: list[Path], count: int, raw: bool
) -> Iterator[tuple[str, Gray]]:
    """Return pictures of real terrain, each with what it is."""
    sample = Path(matplotlib.get_data_path()) / "sample_data" / "jacksboro_fault_dem.npz"
    with np.load(sample) as data:
        terrains = {"Jacksboro fault (matplotlib)": data["elevation"].astype(np.float32)}
    terrains |= {file.name: formats.read(file).height for file in files}
    for name, height in terrains.items():
        whole = prepared(height, raw)
        for _ in range(count):
            yield crop(rng, f"real: {name}", whole)


def made(rng: np.random.Generator, names: list[str], raw: bool) -> Iterator[tuple[str, Gray]]:
    """Return pictures of presets or recipes, each of another seed, with what it is."""
    for name in names:
        recipe = (
            Recipe.from_json(Path(name).read_bytes()) if ".json" in name else presets.load(name)
        )
        recipe = dataclasses.replace(recipe, seed=int(rng.integers(2**31)))
        height = evaluate(recipe, recipe.pixel_grid(SAMPLES)).height
        yield crop(rng, f"preset: {name}, seed {recipe.seed}", prepared(height, raw))


def prepared(height: Heights, raw: bool) -> Heights:
    return height if raw else smoothed(height, realism.SMOOTHING)


def crop(rng: np.random.Generator, name: str, height: Heights) -> tuple[str, Gray]:
    """Return a part, turned or mirrored, as a hillshade."""
    if min(height.shape) < SIDE + 2 * BORDER:
        least = SIDE + 2 * BORDER
        raise SystemExit(f"{name}: at least {least} x {least} samples are needed")
    row, column = (int(rng.integers(BORDER, n - SIDE - BORDER + 1)) for n in height.shape)
    part = height[row : row + SIDE, column : column + SIDE]
    turns, mirror = int(rng.integers(4)), bool(rng.integers(2))
    part = np.rot90(part[:, ::-1] if mirror else part, turns)
    place = f"rows from {row}, columns from {column}, mirrored {mirror}, turned {90 * turns}"
    return f"{name}; {place}", hillshade(part)


def hillshade(height: Heights) -> Gray:
    """Return light mostly from the upper left, on the slopes scaled to the common median."""
    down, right = np.gradient(height.astype(np.float64))
    scale = SLOPE / max(float(np.median(np.hypot(down, right))), 1e-12)
    down, right = down * scale, right * scale
    light = np.zeros(height.shape)
    for azimuth, elevation, share in LIGHTS:
        a, e = np.radians(azimuth), np.radians(elevation)
        toward = np.sin(e) - right * np.sin(a) * np.cos(e) + down * np.cos(a) * np.cos(e)
        light += share * np.clip(toward / np.sqrt(1 + down**2 + right**2), 0, 1)
    return np.round(255 * light).astype(np.uint8)


def write(pictures: list[tuple[str, Gray]], folder: Path) -> None:
    """Write sheets of numbered pictures, and the key."""
    on_sheet = COLUMNS * ROWS
    for first in range(0, len(pictures), on_sheet):
        part = pictures[first : first + on_sheet]
        rows = -(-len(part) // COLUMNS)
        size = (COLUMNS * (SIDE + GAP) + GAP, rows * (SIDE + GAP) + GAP)
        sheet = Image.new("L", size, 255)
        draw = ImageDraw.Draw(sheet)
        for k, (_, picture) in enumerate(part):
            left, top = (GAP + place * (SIDE + GAP) for place in (k % COLUMNS, k // COLUMNS))
            sheet.paste(Image.fromarray(picture), (left, top))
            draw.rectangle((left, top, left + 21, top + 13), fill=255)
            draw.text((left + 4, top + 1), str(first + k + 1), fill=0)
        sheet.save(folder / f"sheet_{first // on_sheet + 1}.png")
    key = {str(k): name for k, (name, _) in enumerate(pictures, 1)}
    (folder / "key.json").write_text(json.dumps(key, indent=2) + "\n", encoding="utf-8")
    print(f"{folder}: {len(pictures)} pictures; mark the real ones before you read key.json")


if __name__ == "__main__":
    main()
