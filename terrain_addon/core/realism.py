# SPDX-License-Identifier: GPL-3.0-or-later
"""How much a land is like a real one: ten measures, each beside the range of real mountains.

The ranges were measured with these functions on four real elevation models of mountains at about
512 x 512 samples; one of them, matplotlib's sample of the Jacksboro fault, a test measures again.
Sums of Perlin noise fail on the share of hollows, on concavity and on the skew of the curvature,
smooth ones (of a gain up to 0.5) on ridges and valleys too, and often on Hack's exponent; land that
rivers shaped passes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from . import hydrology as hy
from .arrays import Bools, Doubles, Floats
from .cancel import Cancel, poll, row_bands
from .horizons import DIRECTIONS

SMALLEST = 32
"""Samples each way below which there is nothing to measure."""
USUAL = 512
"""Samples along the longer side: as many as the real mountains were measured with."""
LEAST_SPACING, MOST_SPACING = 1e-9, 1e9
"""Metres between samples: areas must stay within the range of float32."""
HIGHEST = 1e9
"""Metres above and below 0, for the same reason."""
CHANNEL_CELLS = 100
"""Drainage area in cells from which a cell counts as a stream."""
ROUNDING = 1e-6
"""Share of the relief below which heights or bends are no more than float32's rounding."""
LANDFORM_STEPS = (1, 2, 3, 4, 6, 8, 10, 12)
"""Steps at which landforms look around, in cells."""


@dataclass(frozen=True)
class Measure:
    """One measure of a land, with the range of real mountains.

    The value is NaN where the land has nothing to measure: no streams, say, or no slope.
    """

    key: str
    label: str
    value: float
    low: float
    high: float

    @property
    def inside(self) -> bool:
        """Whether the value lies in the real range."""
        return self.low <= self.value <= self.high

    @property
    def text(self) -> str:
        """The value for people."""
        return "none" if math.isnan(self.value) else f"{self.value:.3f}"


def measure(
    height: Floats, spacing: float, *, cancelled: Cancel | None = None
) -> tuple[Measure, ...]:
    """All measures of a land.

    Parameters
    ----------
    height : (H, W) float, metres, at least 32 samples each way; 512 compare best
    spacing : metres between samples
    cancelled : asked often, also within measures

    Raises
    ------
    ValueError : too few samples, flat land, heights that are not finite or beyond 1e9 m, or a
        spacing below 1e-9 m or above 1e9 m
    Cancelled
    """
    height = hy.check_height(height)
    if min(height.shape) < SMALLEST:
        raise ValueError(f"At least {SMALLEST} x {SMALLEST} samples are needed to measure a land")
    if not LEAST_SPACING <= spacing <= MOST_SPACING:
        raise ValueError(
            f"The spacing must be from {LEAST_SPACING:g} to {MOST_SPACING:g} m, not {spacing:g}"
        )
    if np.abs(height).max() > HIGHEST:
        raise ValueError(f"Heights beyond {HIGHEST:g} m cannot be measured")
    if np.ptp(height) <= 0:
        raise ValueError("Flat land has nothing to measure")
    river = _Rivers(height, spacing, cancelled)
    parts: list[tuple[str, str, Callable[[], float], float, float]] = [
        ("spectral_slope", "Spectral slope", lambda: spectral_slope(height, cancelled), 3.42, 4.24),
        ("hypsometric", "Hypsometric integral", lambda: hypsometric_integral(height), 0.37, 0.52),
        ("hollows", "Share below spill level", river.share_below_spill, 0.0035, 0.0465),
        ("concavity", "Slope-area concavity", river.concavity, 0.265, 0.495),
        ("hack", "Hack's exponent", river.hack_exponent, 0.505, 0.575),
        ("bifurcation", "Horton's bifurcation ratio", river.bifurcation_ratio, 3.75, 4.45),
        (
            "skew",
            "Skew of the curvature",
            lambda: _curvature_moment(height, 3, cancelled),
            -0.25,
            -0.02,
        ),
        (
            "kurtosis",
            "Kurtosis of the curvature",
            lambda: _curvature_moment(height, 4, cancelled),
            2.8,
            3.8,
        ),
        (
            "landforms",
            "Ridges and valleys",
            lambda: ridge_valley_share(height, spacing, cancelled),
            0.21,
            0.35,
        ),
        (
            "slopes",
            "Slope ratio, 95 % to median",
            lambda: slope_ratio(height, spacing, cancelled),
            1.7,
            2.5,
        ),
    ]
    measures: list[Measure] = []
    for key, label, value, low, high in parts:
        poll(cancelled)
        measures.append(Measure(key, label, value(), low, high))
    return tuple(measures)


def report(measures: tuple[Measure, ...]) -> str:
    """A table for people."""
    lines = [f"{'measure':30}{'value':>9}   real mountains"]
    for m in measures:
        mark = " " if m.inside else "*"
        lines.append(f"{m.label:30}{m.text:>9} {mark} {m.low:g} to {m.high:g}")
    inside = sum(m.inside for m in measures)
    lines.append(f"{inside} of {len(measures)} within the range of real mountains (* outside)")
    return "\n".join(lines)


def spectral_slope(height: Floats, cancelled: Cancel | None = None) -> float:
    """Exponent of the fall of the power spectrum with the wave number (2-D); NaN for a plane."""
    side = min(height.shape) // 2 * 2
    land = height[:side, :side].astype(np.float64)
    window = np.hanning(side)
    poll(cancelled)
    relief = float(np.ptp(land))
    _take_off_plane(land, cancelled)
    if np.abs(land).max() <= ROUNDING * relief:
        return math.nan
    poll(cancelled)
    land *= window[:, None]
    land *= window
    waves = np.empty(land.shape, np.complex128)
    for rows in row_bands(land.shape, cancelled):
        waves[rows] = np.fft.fft(land[rows], axis=1)
    power = np.empty_like(land)
    for columns in row_bands(land.shape, cancelled):
        power[:, columns] = np.abs(np.fft.fft(waves[:, columns], axis=0)) ** 2
    wave = np.fft.fftfreq(side) * side
    count, total = np.zeros((2, side))
    for rows in row_bands(land.shape, cancelled):
        ring = np.rint(np.hypot(wave[rows, None], wave)).astype(np.intp).ravel()
        count += np.bincount(ring, minlength=side)
        total += np.bincount(ring, power[rows].ravel(), minlength=side)
    mean = total / np.maximum(count, 1)
    numbers = np.arange(mean.size)
    edges: Doubles = np.geomspace(4, side / 4, 14, dtype=np.float64)
    bins = [(numbers >= a) & (numbers < b) for a, b in pairwise(edges.tolist())]
    x = [np.log(numbers[b]).mean() for b in bins if b.any()]
    y = [np.log(np.maximum(mean[b], 1e-300)).mean() for b in bins if b.any()]
    return -_fitted_slope(np.array(x), np.array(y))


def _take_off_plane(land: Doubles, cancelled: Cancel | None) -> None:
    """Take its mean and its tilt off a land, in place."""
    side = land.shape[0]
    axis = np.arange(side, dtype=np.float64) - (side - 1) / 2
    spread = float(np.sum(axis * axis)) * side
    mean = land.mean()
    along_x, along_y = (float(land.sum(axis=across) @ axis) / spread for across in (0, 1))
    for rows in row_bands(land.shape, cancelled):
        land[rows] -= mean + along_y * axis[rows, None] + along_x * axis


def hypsometric_integral(height: Floats) -> float:
    """Mean height between lowest (0) and highest (1), the outermost 0.5 % aside; NaN if all else is
    level."""
    low, high = np.percentile(height, [0.5, 99.5])
    if high <= low:
        return math.nan
    return float((np.clip(height, low, high).mean() - low) / (high - low))


def slope_ratio(height: Floats, spacing: float, cancelled: Cancel | None = None) -> float:
    """Slope that 5 % of the land exceeds over the slope that half exceeds; NaN where half is
    level."""
    slope = np.hypot(*(np.gradient(height, spacing, axis=axis) for axis in (0, 1)))
    poll(cancelled)
    median, steep = np.percentile(slope, [50, 95])
    return float(steep / median) if median > 0 else math.nan


def _curvature_moment(height: Floats, order: int, cancelled: Cancel | None = None) -> float:
    """Standardised moment of the Laplacian over two samples: crests against valleys.

    NaN where nothing bends.
    """
    z = height.astype(np.float64)
    for _ in range(2):
        poll(cancelled)
        z = np.pad(z, 1, mode="edge")
        z = z[:-2] + 2 * z[1:-1] + z[2:]
        poll(cancelled)
        z = (z[:, :-2] + 2 * z[:, 1:-1] + z[:, 2:]) / 16
    middle = z[1:-1, 1:-1]
    poll(cancelled)
    bend = z[2:, 1:-1] + z[:-2, 1:-1] + z[1:-1, 2:] + z[1:-1, :-2] - 4 * middle
    poll(cancelled)
    bend = bend - bend.mean()
    powers = np.empty_like(bend)
    for rows in row_bands(bend.shape, cancelled):
        powers[rows] = bend[rows] ** order
    poll(cancelled)
    spread = float(np.sqrt((bend**2).mean()))
    if spread <= ROUNDING * float(np.ptp(height)):
        return math.nan
    return float(powers.mean() / spread**order)


# Landform by number of lower (rows) and higher (columns) horizons of eight: 1 flat, 2 peak,
# 3 ridge, 4 shoulder, 5 spur, 6 slope, 7 hollow, 8 footslope, 9 valley, 10 pit (0: impossible).
_LANDFORMS = np.array(
    [
        [1, 1, 1, 8, 8, 9, 9, 9, 10],
        [1, 1, 8, 8, 8, 9, 9, 9, 0],
        [1, 4, 6, 6, 7, 7, 9, 0, 0],
        [4, 4, 6, 6, 6, 7, 0, 0, 0],
        [4, 4, 5, 6, 6, 0, 0, 0, 0],
        [3, 3, 5, 5, 0, 0, 0, 0, 0],
        [3, 3, 3, 0, 0, 0, 0, 0, 0],
        [3, 3, 0, 0, 0, 0, 0, 0, 0],
        [2, 0, 0, 0, 0, 0, 0, 0, 0],
    ],
    np.uint8,
)
RIDGE, VALLEY = 3, 9


def landforms(
    height: Floats, spacing: float, flat: float = 1.0, cancelled: Cancel | None = None
) -> NDArray[np.uint8]:
    """Geomorphons (Jasiewicz and Stepinski 2013): one of ten landforms around each sample.

    Parameters
    ----------
    flat : degrees, horizons nearer to level than this count as level

    Returns
    -------
    (H - 24, W - 24) uint8, 1 to 10, without the border that cannot look around
    """
    reach = LANDFORM_STEPS[-1]
    inner = height[reach:-reach, reach:-reach]
    higher, lower = np.zeros(inner.shape, np.uint8), np.zeros(inner.shape, np.uint8)
    level = np.tan(np.radians(flat))
    for dj, di in DIRECTIONS:
        up = np.full(inner.shape, -np.inf, np.float32)
        down = np.full(inner.shape, np.inf, np.float32)
        for step in LANDFORM_STEPS:
            poll(cancelled)
            j, i = reach + dj * step, reach + di * step
            there = height[j : j + inner.shape[0], i : i + inner.shape[1]]
            tangent = (there - inner) / np.float32(np.hypot(dj, di) * step * spacing)
            np.maximum(up, tangent, out=up)
            np.minimum(down, tangent, out=down)
        poll(cancelled)
        up, down = np.maximum(up, 0), np.maximum(-down, 0)
        rises = up > down
        higher += rises & (up > level)
        lower += ~rises & (down > level)
    return _LANDFORMS[lower, higher]


def ridge_valley_share(height: Floats, spacing: float, cancelled: Cancel | None = None) -> float:
    """Share of samples that lie on a ridge or in a valley."""
    forms = landforms(height, spacing, cancelled=cancelled)
    return float(np.isin(forms, (RIDGE, VALLEY)).mean()) if forms.size else 0.0


class _Rivers:
    """Measures of the drainage."""

    def __init__(self, height: Floats, spacing: float, cancelled: Cancel | None) -> None:
        self.height, self.spacing, self.cancelled = height, spacing, cancelled
        self.tree = hy.route(height, cancelled=cancelled)
        self.area: Floats = hy.drainage_area(self.tree, spacing, cancelled)
        self.inner = ~hy.border(height.shape)

    def share_below_spill(self) -> float:
        """Share of samples in closed hollows."""
        level = hy.spill_levels(self.height, self.tree, self.cancelled)
        least = np.float32(1e-6 * np.ptp(self.height))
        return float(((level > self.height + least) & self.inner).mean())

    def concavity(self) -> float:
        """Exponent of the fall of the streams' slope with drainage area (theta)."""
        tree = self.tree
        level = tree.gather(self.height).astype(np.float64)
        drop = np.zeros(level.size)
        for below, donors, parent in tree.upstream(self.cancelled):
            drop[donors] = level[donors] - level[below][parent]
        slope = tree.scatter(np.maximum(drop, 0) / tree.step_lengths(self.spacing))
        cell = self.spacing**2
        edges = np.geomspace(30 * cell, max(0.03 * slope.size, 60) * cell, 13)
        return -self._fit_over_area(
            edges, lambda chosen: np.log(max(slope[chosen].mean(), 1e-9)), 15
        )

    def hack_exponent(self) -> float:
        """Exponent of the growth of a river's length with its drainage area (Hack 1957)."""
        length = hy.upstream_length(self.tree, self.spacing, self.cancelled).astype(np.float64)
        low = CHANNEL_CELLS * self.spacing**2
        edges = np.geomspace(low, max(float(self.area[self.inner].max()), 2 * low), 12)
        return self._fit_over_area(edges, lambda chosen: np.log(length[chosen]).mean(), 5)

    def _fit_over_area(self, edges: Doubles, value: Callable[[Bools], float], least: int) -> float:
        x: list[float] = []
        y: list[float] = []
        for low, high in pairwise(edges.tolist()):
            poll(self.cancelled)
            chosen = self.inner & (self.area >= low) & (self.area < high)
            if chosen.sum() > least:
                x.append(float(np.log(self.area[chosen]).mean()))
                y.append(float(value(chosen)))
        return _fitted_slope(np.array(x), np.array(y))

    def bifurcation_ratio(self) -> float:
        """Streams of one Strahler order per stream of the next (Horton 1945)."""
        streams = self.area > CHANNEL_CELLS * self.spacing**2
        order = self.tree.gather(hy.stream_order(self.tree, streams, self.cancelled))
        heads = order > 0
        for here, donors, parent in self.tree.downstream(self.cancelled):
            same = order[donors] == order[here][parent]
            heads[here][parent[same]] = False
        counts = np.bincount(order[heads])[1:].astype(np.float64)
        several = counts >= 2
        numbers = np.flatnonzero(several).astype(np.float64)
        return float(np.exp(-_fitted_slope(numbers, np.log(counts[several]))))


def _fitted_slope(x: Doubles, y: Doubles) -> float:
    """Slope of the straight line through points, NaN with fewer than two."""
    if x.size < 2:
        return float("nan")
    x = x - x.mean()
    return float((x * y).sum() / (x * x).sum())
