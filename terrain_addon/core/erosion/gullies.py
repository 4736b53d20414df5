# SPDX-License-Identifier: GPL-3.0-or-later
"""Gullies: a filter that cuts fine channels down every slope, each point by itself.

Each octave lays stripes along the fall line: around every point of a lattice runs a wave across
the slope, with a random phase, and the waves of nine lattice points are blended (phasor noise,
Tricard et al. 2019; as an erosion filter Clay John 2018, Felix Westin 2023, Rune Skovbo Johansen
2026). The slope of the stripes joins the slope of the land, so that finer octaves branch off at
an angle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from . import chance
from .smoothing import eased

Floats = NDArray[np.float32]
Phasors = NDArray[np.complex64]
Axis = NDArray[np.float64]

WEAKEST = np.float32(0.35)
"""Where waves cancel, they are not amplified beyond 1 / this."""


@dataclass(frozen=True)
class Gullies:
    """Form of the gullies.

    Attributes
    ----------
    scale : metres between gullies of the first octave
    depth : metres from crest to crease of the first octave, on slopes of full effect
    octaves : each half as wide and ``gain`` times as deep
    sharpness : -1 sharp creases and round crests, 0 waves, 1 sharp crests and round creases
    raise_share : 0 cuts below the land, 1 puts crests on top of it (which leaves no pits)
    slope_start, slope_full : tangents of the slopes where gullies begin and are at full depth
    """

    scale: float
    depth: float
    octaves: int = 3
    gain: float = 0.5
    sharpness: float = 0.0
    raise_share: float = 0.2
    slope_start: float = 0.15
    slope_full: float = 0.7


@dataclass(frozen=True)
class _Octave:
    """Lattice of one octave over a grid: offsets to the nearest point, blend weights, phasors."""

    cell: float
    depth: float
    x: Floats
    y: Floats
    weights_x: Floats
    weights_y: Floats
    columns: NDArray[np.intp]
    rows: NDArray[np.intp]
    phasors: Phasors


class GullyField:
    """Gullies over the crossings of ``x`` and ``y`` (metres, ``spacing`` apart); works on any band
    of rows.

    The lattice is fixed in the world: the same point gets the same gullies in every window.
    Octaves narrower than two samples are left out.
    """

    def __init__(self, form: Gullies, x: Axis, y: Axis, spacing: float, seed: int) -> None:
        self.form = form
        self._octaves: list[_Octave] = []
        for number in range(form.octaves):
            cell = form.scale / 2**number
            depth = form.depth / 2 * form.gain**number
            if cell < 2 * spacing:
                break
            self._octaves.append(_octave(cell, depth, x, y, seed + 977 * number))

    def rows(self, band: slice, gx: Floats, gy: Floats, strength: Floats | None = None) -> Floats:
        """Change of height in metres on a band of rows.

        Parameters
        ----------
        gx, gy : (rows, W) float32 slope of the (smooth) land along X and Y; overwritten
        strength : (rows, W) float32 0 to 1, where gullies may be
        """
        change = np.zeros_like(gx)
        freedom = np.ones_like(gx) if strength is None else strength.copy()
        rest = np.float32(2 * self.form.raise_share - 1)
        for octave in self._octaves:
            slope = np.sqrt(gx * gx + gy * gy)
            slope += np.float32(1e-6)
            weight = self._effect(slope)
            weight *= freedom
            np.divide(np.float32(2 * math.pi), slope, out=slope)
            kx, ky = gy * slope, gx * slope
            np.negative(kx, out=kx)
            cosine, sine = _blended_waves(octave, band, kx, ky)
            crease = np.clip(np.float32(0.5) - np.float32(0.5) * cosine, 0, 1)
            crease *= np.sqrt(crease)
            freedom *= np.float32(1) - crease
            value, steepness = _profile(cosine, sine, self.form.sharpness)
            value += rest
            weight *= np.float32(octave.depth)
            value *= weight
            change += value
            steepness *= weight
            steepness *= np.float32(1 / octave.cell)
            kx *= steepness
            ky *= steepness
            gx += kx
            gy += ky
        return change

    def _effect(self, slope: Floats) -> Floats:
        form = self.form
        t = slope - np.float32(form.slope_start)
        t *= np.float32(1 / max(form.slope_full - form.slope_start, 1e-6))
        np.clip(t, 0, 1, out=t)
        return eased(t)


def _octave(cell: float, depth: float, x: Axis, y: Axis, seed: int) -> _Octave:
    (ox, wx, columns, ix), (oy, wy, rows, iy) = _lattice(x, cell), _lattice(y, cell)
    angle = chance.hashed(iy, ix, seed).astype(np.float32) * np.float32(2 * math.pi / 2**32)
    phasors = np.empty(angle.shape, np.complex64)
    np.cos(angle, out=phasors.real)
    np.sin(angle, out=phasors.imag)
    return _Octave(cell, depth, ox, oy, wx, wy, columns, rows, phasors)


def _lattice(axis: Axis, cell: float) -> tuple[Floats, Floats, NDArray[np.intp], NDArray[np.int64]]:
    """Offsets from the nearest lattice point, quadratic B-spline weights of the three nearest,
    place of the nearest in the list of points used, and that list."""
    position = axis / cell
    nearest = np.rint(position)
    offset = position - nearest
    weights = [(0.5 - offset) ** 2 / 2, 0.75 - offset**2, (0.5 + offset) ** 2 / 2]
    number = nearest.astype(np.int64)
    first = int(number.min()) - 1
    points = np.arange(first, int(number.max()) + 2)
    return (
        offset.astype(np.float32),
        np.array(weights, np.float32),
        (number - first).astype(np.intp),
        points,
    )


def _blended_waves(octave: _Octave, band: slice, kx: Floats, ky: Floats) -> tuple[Floats, Floats]:
    """Cosine and sine of the sum of the nine nearest waves, of length 1 where they do not cancel.

    A wave seen from a lattice point one cell to the side turns by ky or kx. What does not depend
    on the slope is summed beforehand per lattice row (`_row_tables`), which leaves two products
    per lattice row for the three waves in it.
    """
    rows = octave.rows[band]
    first = int(rows.min()) - 1
    tables = _row_tables(octave, slice(first, int(rows.max()) + 2))
    rows = rows - first
    cos_x, sin_x = np.cos(kx), np.sin(kx)
    cos_y: Floats = np.cos(ky)
    sin_y: Floats = np.sin(ky)
    middle = _row_waves(tables, rows, octave.weights_y[1][band], cos_x, sin_x)
    above = _row_waves(tables, rows + 1, octave.weights_y[2][band], cos_x, sin_x)
    below = _row_waves(tables, rows - 1, octave.weights_y[0][band], cos_x, sin_x)
    real: Floats = above[0] + below[0]
    real *= cos_y
    real += middle[0]
    real += sin_y * (above[1] - below[1])
    imaginary: Floats = above[1] + below[1]
    imaginary *= cos_y
    imaginary += middle[1]
    imaginary -= sin_y * (above[0] - below[0])
    # From the nearest lattice point to the point itself, and to length 1.
    angle = kx * octave.x
    angle += ky * octave.y[band][:, None]
    size = real * real
    size += imaginary * imaginary
    np.sqrt(size, out=size)
    np.maximum(size, WEAKEST, out=size)
    cos: Floats = np.cos(angle)
    sin: Floats = np.sin(angle)
    cos /= size
    sin /= size
    cosine: Floats = real * cos
    cosine -= imaginary * sin
    real *= sin
    imaginary *= cos
    real += imaginary
    return cosine, real


def _row_tables(octave: _Octave, lattice_rows: slice) -> Floats:
    """(6, rows, W) float32: per lattice row and grid column, (cosine, sine) of the middle wave, of
    the sum of its two neighbours, and of their difference turned by a quarter."""
    phasors = octave.phasors[lattice_rows]
    left, middle, right = (
        phasors[:, octave.columns + shift] * octave.weights_x[shift + 1] for shift in (-1, 0, 1)
    )
    both, difference = right + left, right - left
    planes = [middle.real, middle.imag, both.real, both.imag, difference.imag, -difference.real]
    return np.stack(planes)


def _row_waves(
    tables: Floats, rows: NDArray[np.intp], weights: Floats, cos_x: Floats, sin_x: Floats
) -> tuple[Floats, Floats]:
    """Weighted sum of the three waves of one lattice row."""
    waves: list[Floats] = []
    for part in (0, 1):
        wave = tables[part + 2][rows]
        wave *= cos_x
        turned = tables[part + 4][rows]
        turned *= sin_x
        wave += turned
        wave += tables[part][rows]
        wave *= weights[:, None]
        waves.append(wave)
    return waves[0], waves[1]


def _profile(cosine: Floats, sine: Floats, sharpness: float) -> tuple[Floats, Floats]:
    """Height of the wave, -1 to 1, and its derivative by the phase."""
    if sharpness == 0:
        return cosine.copy(), -sine
    sign = np.float32(1 if sharpness > 0 else -1)
    share = np.float32(min(abs(sharpness), 1.0))
    # 1 - 2 |sin(phase / 2)|: a sharp crest, and upside down a sharp crease.
    half, one = np.float32(0.5), np.float32(1)
    half_sine: Floats = np.sqrt(np.clip((one - sign * cosine) * half, 0, 1))
    half_cosine: Floats = np.sqrt(np.clip((one + sign * cosine) * half, 0, 1))
    value: Floats = cosine * (one - share)
    value += sign * share * (one - half_sine - half_sine)
    steepness: Floats = sine * (share - one)
    steepness -= share * np.copysign(half_cosine, sine)
    return value, steepness
