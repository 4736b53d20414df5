# SPDX-License-Identifier: GPL-3.0-or-later
"""Print how well a classifier tells patches of presets from patches of real terrain.

    python docs/scripts/tell_apart.py                              alps, badlands and dry_wash
    python docs/scripts/tell_apart.py canyon my_recipe.json        these
    python docs/scripts/tell_apart.py --packages                   with the terrain of packages
    python docs/scripts/tell_apart.py --elevation heights.tif      with more real terrain

The figure is the area under the ROC curve (AUC): 0.5 where nothing tells them apart, 1 where each
patch is recognized. Real terrain is matplotlib's sample of the Jacksboro fault, each elevation
file, and with ``--packages`` what sources of PyPI hold (80 MB, downloaded once).

A classifier tells one real place from another as easily. With several, the column *all* compares
with all of them together, each with the same weight: what is left there is missing from every
place. In the first rows it compares one real place with the others together, which is what a preset
can reach.

Patches have 64 x 64 samples. Heights are smoothed as the measures of realism do and scaled to the
same median slope, so that only forms count; they are not turned, as real terrain has directions of
its own that are no fault. A logistic regression of a few dozen features learns on two
thirds and is tested on the third: of the area of each real place, and of the seeds of the preset.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from terrain_addon.core import Recipe, elevation, evaluate, formats, presets, realism  # noqa: E402
from terrain_addon.core.analysis.realism.smoothing import smoothed  # noqa: E402

Heights = NDArray[np.float32]
Array = NDArray[np.float64]
Thirds = list[dict[str, Array]]
"""Features of the patches of each third: a column for each name."""

PRESETS = ("alps", "badlands", "dry_wash")
SOURCES = {
    "demcompare-0.6.1": (
        "2a/3f/cb74189c32e014e2642585a3c82c0cde155e429f5527d145cd0a67006c91/"
        "demcompare-0.6.1.tar.gz",
        "602e890cba6c6cf5ccb7ca6fe7e9d439390ea29cf5cc2fbd8d7590f87a72342c",
    ),
    "lsdviztools-0.4.15": (
        "3c/6d/36012ed3ce1d91062b0e2cbeffe9da4a321e57dc74ae26dc9ad4e39aaea7/"
        "lsdviztools-0.4.15.tar.gz",
        "bb6f26361526689ef1f060bc656d77de461a7da509e87c2f80038b046f388d30",
    ),
}
"""Addresses and checksums of packages with elevation models."""
PLACES = {
    "Anatolia": "demcompare-0.6.1/data_samples/srtm_ref.tif",
    "Grenoble": "demcompare-0.6.1/notebooks/data/grenoble/Copernicus_DSM_10_N45_00_E005_00_DEM.tif",
    "Meghalaya": "lsdviztools-0.4.15/tests/fixtures/Mega_divide.bil",
}
"""SRTM (72 x 92 m), Copernicus (156 x 222 m) and SRTM at 50 m; the first two are resampled to the
coarser of their spacings, as is the sample of matplotlib (74 x 93 m)."""
SAMPLES = (512, 384, 256)
"""Samples along the side of a preset. Real terrain is compared with those in which slopes keep
their direction over as many samples: real valleys at 83 m a sample are as narrow as others at 40 m
a sample."""
ALIKE = "aspect after 8"
"""The feature by which that is chosen."""
DEGREE = 111_195.0
"""Meters of latitude."""
SIDE, STEP, BORDER = 64, 32, 16
"""Samples of a patch, between patches, and at the border that no patch shows."""
SEEDS = (911, 1234, 77, 4242, 31337, 5)
"""Two for each third."""
THIRDS = 3
PENALTY = 3.0
"""Weight of the squares of the coefficients: patches overlap, so they are fewer than they seem."""
ROUNDS = 30
"""Newton steps of the regression, which ends long before."""
LAGS = (2, 4, 8, 12, 24)
"""Distances in samples over which forms are compared."""
SCALES = (2, 4, 8)
"""Samples of the coarser looks at the direction of forms."""
BANDS = (1.5, 3, 6, 10, 16, 24)
"""Waves along a patch between which powers are compared."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help="presets, or recipes in JSON files")
    parser.add_argument("--elevation", type=Path, action="append", default=[], metavar="FILE")
    parser.add_argument("--packages", action="store_true", help="with terrain of packages of PyPI")
    parser.add_argument("--features", action="store_true", help="what differs most, too")
    options = parser.parse_args()
    models = real_models(options.elevation, packages=options.packages)
    real = {name: features_of(thirds_of(model)) for name, model in models}
    columns = dict(real, all=pooled(list(real.values()))) if len(real) > 1 else real
    print(f"{'':16}" + "".join(f"{name[:15]:>17}" for name in columns), flush=True)
    for name, place in real.items() if len(real) > 1 else ():
        others = [other for other in real.values() if other is not place]
        figures = [
            math.nan if place is other else separation(place, other) for other in real.values()
        ]
        print(row(name, [*figures, separation(place, pooled(others))]), flush=True)
    for name in options.names or PRESETS:
        recipe = Recipe.from_json(Path(name).read_text()) if ".json" in name else presets.load(name)
        sizes = [features_of(made_thirds(recipe, samples)) for samples in SAMPLES]
        matched = [most_alike(sizes, other) for other in columns.values()]
        figures = [separation(*pair) for pair in zip(matched, columns.values(), strict=True)]
        print(row(Path(name).stem, figures), flush=True)
        if options.features:
            for made, (other, parts) in zip(matched, columns.items(), strict=True):
                print(differences(made, parts, other), flush=True)


def row(name: str, figures: Sequence[float]) -> str:
    """Return a row of the table; a place is not compared with itself."""
    texts = ("-" if math.isnan(figure) else f"{figure:.3f}" for figure in figures)
    return f"{name[:15]:16}" + "".join(f"{text:>17}" for text in texts)


def real_models(
    files: Sequence[Path], *, packages: bool
) -> Iterator[tuple[str, elevation.Elevation]]:
    """Yield each real terrain and its name."""
    import matplotlib

    sample = Path(matplotlib.get_data_path()) / "sample_data" / "jacksboro_fault_dem.npz"
    with np.load(sample) as data:
        step = float(data["dy"]) * DEGREE
        across = step * math.cos(math.radians(float(data["ymin"] + data["ymax"]) / 2))
        yield (
            "Jacksboro fault",
            elevation.Elevation(data["elevation"].astype(np.float32), (across, step)),
        )
    if packages:
        from tests.core.formats import public_files

        folder = public_files.unpacked(SOURCES)
        for name, path in PLACES.items():
            yield name, formats.read(folder / path)
    for file in files:
        yield file.stem, formats.read(file)


def thirds_of(model: elevation.Elevation) -> list[list[Heights]]:
    """Return the patches of the three parts of a terrain, side by side along its longer side."""
    if model.spacing is not None and not model.is_square:
        model = elevation.resampled(model, max(model.spacing))
    whole = smoothed(model.height.astype(np.float32), realism.SMOOTHING)
    long = whole if whole.shape[0] >= whole.shape[1] else whole.T
    return [patches(part) for part in np.array_split(long, THIRDS)]


def pooled(places: Sequence[Thirds]) -> Thirds:
    """Return the patches of several places as those of one, repeated until all have as many."""
    found: Thirds = []
    for parts in zip(*places, strict=True):
        most = max(len(part[ALIKE]) for part in parts)
        rows = [np.resize(np.arange(len(part[ALIKE])), most) for part in parts]
        pairs = list(zip(parts, rows, strict=True))
        found.append({name: np.concatenate([p[name][k] for p, k in pairs]) for name in parts[0]})
    return found


def made_thirds(recipe: Recipe, samples: int) -> list[list[Heights]]:
    """Return the patches of a recipe with six seeds, two for each third."""
    thirds: list[list[Heights]] = [[] for _ in range(THIRDS)]
    for number, seed in enumerate(SEEDS):
        other = dataclasses.replace(recipe, seed=seed)
        height = evaluate(other, other.pixel_grid(samples)).height
        inside = smoothed(height, realism.SMOOTHING)[BORDER:-BORDER, BORDER:-BORDER]
        thirds[number % THIRDS] += patches(inside)
    return thirds


def patches(height: Heights) -> list[Heights]:
    """Return the patches of a terrain without voids that are not nearly level, such as lakes."""
    rows, columns = (range(0, count - SIDE + 1, STEP) for count in height.shape)
    squares = (height[j : j + SIDE, i : i + SIDE] for j in rows for i in columns)
    usual = float(np.nanmedian(_slope(height.astype(np.float64)))) / 10
    return [one for one in squares if np.median(_slope(one.astype(np.float64))) > usual]


def _slope(height: Array) -> Array:
    down, right = np.gradient(height, axis=(-2, -1))
    return np.hypot(down, right)


def most_alike(sizes: Sequence[Thirds], real: Thirds) -> Thirds:
    """Return the features of a preset at the number of samples that compares best."""

    def usual(thirds: Thirds) -> float:
        return float(np.mean([part[ALIKE].mean() for part in thirds]))

    return min(sizes, key=lambda made: abs(usual(made) - usual(real)))


def features_of(thirds: Sequence[Sequence[Heights]]) -> Thirds:
    """Return the features of the patches of each third: a column for each name."""
    return [features(np.array(part, np.float64)) for part in thirds]


def features(height: Array) -> dict[str, Array]:
    """Return the features of (N, 64, 64) patches: N numbers for each name."""
    median = np.median(_slope(height), axis=(1, 2), keepdims=True)
    height = (height - height.mean(axis=(1, 2), keepdims=True)) / median
    return {name: value for part in PARTS for name, value in part(height).items()}


def of_slopes(height: Array) -> dict[str, Array]:
    """Return how slopes are distributed, and where they lie."""
    slope = _slope(height)
    shares = (0.1, 0.25, 0.75, 0.9, 0.99)
    found = {f"slope {share}": np.quantile(slope, share, axis=(1, 2)) for share in shares}
    found["slope and height"] = correlation(slope, height)
    return found | {f"slope after {lag}": kept(slope, lag) for lag in LAGS}


def of_heights(height: Array) -> dict[str, Array]:
    """Return how heights are distributed, and how they differ over a distance."""
    low, high = np.quantile(height, (0.01, 0.99), axis=(1, 2))
    middle = np.median(height, axis=(1, 2))
    found = {"relief": np.log(high - low), "median height": (middle - low) / (high - low)}
    steps = [np.log(np.abs(height[:, lag:] - height[:, :-lag]).mean(axis=(1, 2))) for lag in LAGS]
    for lag, nearer, farther in zip(LAGS[1:], steps, steps[1:], strict=False):
        found[f"growth to {lag}"] = farther - nearer
    return found


def of_directions(height: Array) -> dict[str, Array]:
    """Return how far slopes keep their direction, and how much the patch has one."""
    down, right = np.gradient(height, axis=(1, 2))
    length = np.maximum(np.hypot(down, right), 1e-9)
    facing = (down + 1j * right) / length
    found: dict[str, Array] = {}
    for lag in LAGS:
        alike = (facing[:, lag:] * facing[:, :-lag].conj()).real.mean(axis=(1, 2))
        across = (facing[:, :, lag:] * facing[:, :, :-lag].conj()).real.mean(axis=(1, 2))
        found[f"aspect after {lag}"] = (alike + across) / 2
    for scale in SCALES:
        coarse = height.reshape(len(height), SIDE // scale, scale, -1, scale).mean(axis=(2, 4))
        dj, di = np.gradient(coarse, axis=(1, 2))
        twice = ((dj + 1j * di) ** 2).mean(axis=(1, 2))
        found[f"grain {scale}"] = np.abs(twice) / (dj**2 + di**2).mean(axis=(1, 2))
    # Slopes that face one way are steeper than the others, or take more room.
    found["slope by aspect"] = np.abs((length * facing).mean(axis=(1, 2)))
    found["ground by aspect"] = np.abs(facing.mean(axis=(1, 2)))
    return found


def of_curvature(height: Array) -> dict[str, Array]:
    """Return how the ground bends: crests against valleys, along the slope against across it."""
    down, right = np.gradient(height, axis=(1, 2))
    dd, dr = np.gradient(down, axis=(1, 2))
    rr = np.gradient(right, axis=2)
    square = np.maximum(down**2 + right**2, 1e-9)
    profile = (dd * down**2 + 2 * dr * down * right + rr * right**2) / square
    across = (dd * right**2 - 2 * dr * down * right + rr * down**2) / square
    found: dict[str, Array] = {}
    for name, bend in (("bend", dd + rr), ("profile", profile), ("across", across)):
        spread = bend.std(axis=(1, 2))
        form = (bend - bend.mean(axis=(1, 2), keepdims=True)) / spread[:, None, None]
        found[f"{name}"] = np.log(spread)
        found[f"{name} skew"] = (form**3).mean(axis=(1, 2))
        found[f"{name} kurtosis"] = np.log((form**4).mean(axis=(1, 2)))
    found["across to profile"] = found["across"] - found["profile"]
    found["bend and height"] = correlation(dd + rr, height)
    found["bend and slope"] = correlation(np.abs(dd + rr), np.sqrt(square))
    return found | {f"bend after {lag}": kept(dd + rr, lag) for lag in LAGS[:4]}


def of_waves(height: Array) -> dict[str, Array]:
    """Return the power of forms of some sizes in terms of larger ones."""
    window = np.hanning(SIDE)[:, None] * np.hanning(SIDE)
    power = np.abs(np.fft.fft2(height * window)) ** 2
    wave = np.hypot(np.fft.fftfreq(SIDE, 1 / SIDE)[:, None], np.fft.fftfreq(SIDE, 1 / SIDE))
    means = [
        np.log(power[:, (wave >= low) & (wave < high)].mean(axis=1))
        for low, high in itertools.pairwise(BANDS)
    ]
    pairs = zip(BANDS[1:], means, means[1:], strict=False)
    return {f"waves from {low:g}": shorter - longer for low, longer, shorter in pairs}


def of_places(height: Array) -> dict[str, Array]:
    """Return the height above the mean around, of radii up to a quarter of a patch."""
    found: dict[str, Array] = {}
    sums = np.pad(height, ((0, 0), (1, 0), (1, 0))).cumsum(axis=1).cumsum(axis=2)
    for radius in (4, 8, 16):
        wide = 2 * radius + 1
        box = sums[:, wide:, wide:] - sums[:, :-wide, wide:]
        box = (box - sums[:, wide:, :-wide] + sums[:, :-wide, :-wide]) / wide**2
        above = height[:, radius:-radius, radius:-radius] - box
        spread = above.std(axis=(1, 2))
        found[f"above {radius}"] = np.log(spread)
        form = (above - above.mean(axis=(1, 2), keepdims=True)) / spread[:, None, None]
        found[f"above {radius} skew"] = (form**3).mean(axis=(1, 2))
    return found


PARTS: tuple[Callable[[Array], dict[str, Array]], ...] = (
    of_slopes,
    of_heights,
    of_directions,
    of_curvature,
    of_waves,
    of_places,
)


def correlation(first: Array, second: Array) -> Array:
    """Return the correlation of two fields in each patch."""
    first = first - first.mean(axis=(1, 2), keepdims=True)
    second = second - second.mean(axis=(1, 2), keepdims=True)
    product = (first * second).mean(axis=(1, 2))
    return product / np.maximum(first.std(axis=(1, 2)) * second.std(axis=(1, 2)), 1e-12)


def kept(field: Array, lag: int) -> Array:
    """Return the correlation of a field with itself over a distance, along both axes."""
    down = correlation(field[:, lag:], field[:, :-lag])
    return (down + correlation(field[:, :, lag:], field[:, :, :-lag])) / 2


def separation(made: Thirds, real: Thirds) -> float:
    """Return the mean AUC over the thirds, each judged by what the other two teach."""
    figures: list[float] = []
    for third in range(THIRDS):
        others = [k for k in range(THIRDS) if k != third]
        learned = [table(side[k] for k in others) for side in (made, real)]
        tested = [table([side[third]]) for side in (made, real)]
        mean, spread = scaling(np.concatenate(learned))
        weights = fitted(*((part - mean) / spread for part in learned))
        scores = [(part - mean) / spread @ weights[1:] for part in tested]
        figures.append(auc(*scores))
    return float(np.mean(figures))


def table(parts: Iterator[dict[str, Array]] | list[dict[str, Array]]) -> Array:
    """Return a row for each patch and a column for each feature."""
    return np.concatenate([np.stack(list(part.values()), axis=1) for part in parts])


def scaling(rows: Array) -> tuple[Array, Array]:
    return rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-9)


def fitted(made: Array, real: Array) -> Array:
    """Return the coefficients of a logistic regression, the constant first; both sides weigh the
    same."""
    rows = np.concatenate([made, real])
    rows = np.concatenate([np.ones((len(rows), 1)), rows], axis=1)
    is_real = np.repeat([0.0, 1.0], [len(made), len(real)])
    share = np.repeat([1 / len(made), 1 / len(real)], [len(made), len(real)]) * len(rows) / 2
    penalty = PENALTY * np.eye(rows.shape[1])
    penalty[0, 0] = 1e-9
    weights = np.zeros(rows.shape[1])
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        pull = rows.T @ (share * (is_real - chance)) - penalty @ weights
        bend = (rows * (share * chance * (1 - chance))[:, None]).T @ rows + penalty
        weights = weights + np.linalg.solve(bend, pull)
    return weights


def auc(made: Array, real: Array) -> float:
    """Return the chance that a real patch scores higher than a made one."""
    higher = np.searchsorted(np.sort(made), real, side="left")
    equal = np.searchsorted(np.sort(made), real, side="right") - higher
    return float((higher + equal / 2).mean() / len(made))


def differences(made: Thirds, real: Thirds, name: str) -> str:
    """Return the ten features that differ most, in standard deviations."""
    sides = [table(side) for side in (made, real)]
    spread = np.sqrt(sum(side.var(axis=0) for side in sides) / 2)
    apart = (sides[0].mean(axis=0) - sides[1].mean(axis=0)) / np.maximum(spread, 1e-9)
    names = list(made[0])
    lines = [
        f"    {names[k]:20} made {sides[0][:, k].mean():8.3f}  {name} {sides[1][:, k].mean():8.3f}"
        for k in np.argsort(-np.abs(apart))[:10]
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
