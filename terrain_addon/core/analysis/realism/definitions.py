# SPDX-License-Identifier: GPL-3.0-or-later
"""The measures: what each is called, its range in real terrain, what a value outside means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .directions import (
    across_to_along,
    kept_aspect,
    slope_with_height,
    stream_direction,
    unevenness,
)
from .landforms import ridge_valley_share
from .relief import hypsometric_integral, slope_ratio
from .spectrum import spectral_slope
from .terrain import Terrain

Range = tuple[float, float]


@dataclass(frozen=True)
class Definition:
    """One measure.

    Attributes
    ----------
    label : str
        Name of the measure.
    value : callable
        The measure of a terrain.
    real : Range
        Its range in real terrain, of smoothed heights.
    below, above : str
        What a value below or above the range means, in words.
    unsmoothed : Range or None
        Its range in real terrain, of heights as they are; None where the noise of real elevation
        data would hide what is measured.
    percent : bool
        Whether the value is a share, to be read in percent.
    """

    label: str
    value: Callable[[Terrain], float]
    real: Range
    below: str
    above: str
    unsmoothed: Range | None = None
    percent: bool = False


FORMS = {
    "spectral_slope": Definition(
        "Spectral slope",
        lambda t: spectral_slope(t.height, t.cancelled),
        (4.70, 5.37),
        "small forms are too strong",
        "small forms are too weak",
        unsmoothed=(3.42, 4.24),
    ),
    "hypsometric": Definition(
        "Hypsometric integral",
        lambda t: hypsometric_integral(t.height, t.cancelled),
        (0.37, 0.52),
        "too much of the ground is low",
        "too much of the ground is high",
        unsmoothed=(0.37, 0.52),
    ),
    "hollows": Definition(
        "Share below spill level",
        lambda t: t.drainage.share_below_spill(),
        (0.002, 0.082),
        "too few closed hollows",
        "too many closed hollows",
        unsmoothed=(0.0035, 0.0465),
        percent=True,
    ),
    "concavity": Definition(
        "Slope-area concavity",
        lambda t: t.drainage.concavity(),
        (0.20, 0.52),
        "streams flatten too little downstream",
        "streams flatten too much downstream",
        unsmoothed=(0.265, 0.495),
    ),
    "hack": Definition(
        "Hack's exponent",
        lambda t: t.drainage.hack_exponent(),
        (0.45, 0.575),
        "large catchments are too round",
        "large catchments are too long",
        unsmoothed=(0.505, 0.575),
    ),
    "bifurcation": Definition(
        "Horton's bifurcation ratio",
        lambda t: t.drainage.bifurcation_ratio(),
        (3.8, 4.7),
        "too few small streams join each large one",
        "too many small streams join each large one",
        unsmoothed=(3.75, 4.45),
    ),
    "skew": Definition(
        "Skew of the curvature",
        lambda t: t.curvature[0],
        (-0.30, -0.05),
        "crests are too sharp, valleys too round",
        "crests are too round, valleys too sharp",
        unsmoothed=(-0.25, -0.02),
    ),
    "kurtosis": Definition(
        "Kurtosis of the curvature",
        lambda t: t.curvature[1],
        (2.6, 4.3),
        "curvature is too even",
        "too few places have most of the curvature",
        unsmoothed=(2.8, 3.8),
    ),
    "landforms": Definition(
        "Ridges and valleys",
        lambda t: ridge_valley_share(t.height, t.spacing, t.cancelled),
        (0.166, 0.289),
        "too few ridges and valleys",
        "too many ridges and valleys",
        unsmoothed=(0.21, 0.35),
        percent=True,
    ),
    "slopes": Definition(
        "Slope, 95 % to median",
        lambda t: slope_ratio(t.slope, t.cancelled),
        (1.66, 2.43),
        "slopes are too much alike",
        "too little of the ground is steep",
        unsmoothed=(1.7, 2.5),
    ),
    "crest_slopes": Definition(
        "Slope, crests to mid-slopes",
        lambda t: t.streams.crest_slopes(),
        (0.77, 1.18),
        "the ground flattens too much toward crests",
        "the ground steepens too much toward crests",
    ),
    "bank_slopes": Definition(
        "Slope, large streams to above",
        lambda t: t.streams.bank_slopes(),
        (0.55, 0.98),
        "the ground flattens too much beside streams",
        "the ground steepens beside streams",
    ),
    "broad_skew": Definition(
        "Skew of the broad curvature",
        lambda t: t.broad_curvature[0],
        (-0.34, -0.08),
        "broad crests are too sharp, valleys too round",
        "broad crests are too round, valleys too sharp",
    ),
    "tails": Definition(
        "Sharpest crests to valleys",
        lambda t: t.broad_curvature[1],
        (1.04, 1.20),
        "the sharpest valleys outdo the sharpest crests",
        "the sharpest crests are too sharp",
    ),
    "valley_widths": Definition(
        "Valley width, large to small",
        lambda t: t.streams.valley_widths(),
        (0.55, 1.02),
        "floors of large valleys are too narrow",
        "floors of large valleys are too wide",
    ),
}
"""Measures of forms, whichever way they run."""
GRAIN = {
    "stream_direction": Definition(
        "Direction of streams",
        lambda t: stream_direction(t.drainage.tree.directions, t.drainage.order, t.cancelled),
        (0.08, 0.35),
        "streams run in all directions alike",
        "streams run too much in one direction",
    ),
    "aspect_slopes": Definition(
        "Slope by aspect",
        lambda t: unevenness(t.by_aspect[0]),
        (0.16, 0.55),
        "slopes are as steep whichever way they face",
        "slopes that face one way are too steep",
    ),
    "aspect_ground": Definition(
        "Ground by aspect",
        lambda t: unevenness(t.by_aspect[1]),
        (0.27, 1.67),
        "as much ground faces each way",
        "too much of the ground faces one way",
    ),
    "height_slopes": Definition(
        "Slope with height",
        lambda t: slope_with_height(t.height, t.slope, t.cancelled),
        (0.0, 0.37),
        "the ground flattens uphill",
        "feet are too gentle, crests too steep",
    ),
    "kept_aspect": Definition(
        "Aspect after 12 samples",
        lambda t: kept_aspect(t.height, t.spacing, t.cancelled),
        (0.05, 0.36),
        "valley sides are too short and crumpled",
        "valley sides are too long and plane",
    ),
    "bends": Definition(
        "Bend across to along slopes",
        lambda t: across_to_along(t.height, t.relief, t.cancelled),
        (-0.11, 0.24),
        "spurs and gullies are too weak",
        "spurs and gullies are too strong",
    ),
}
"""Measures of direction, and of how long, plane and uneven valley sides are."""
DEFINITIONS = FORMS | GRAIN
"""All measures by their key, in the order of reports."""
