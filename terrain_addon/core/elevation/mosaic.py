# SPDX-License-Identifier: GPL-3.0-or-later
"""Several elevation models as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .elevation import Elevation, check_count

OFF = 0.02
"""Share of a cell by which samples may miss those of the first file."""


def join(models: Sequence[Elevation]) -> Elevation:
    """Join elevation models whose samples lie on one grid.

    Where they overlap, as tiles do in a shared row or column, the first one that has a height
    counts. What no model covers becomes a void.

    Parameters
    ----------
    models : at least one, each with a georeference

    Raises
    ------
    ValueError : other spacings or coordinate systems, samples between each other, too many samples

    Examples
    --------
    >>> from terrain_addon.core.elevation import Georeference
    >>> height = np.array([[1, 2]], np.float32)
    >>> west = Elevation.at(height, Georeference((0, 0), (5, 0), (0, 5)))
    >>> east = Elevation.at(height + 1, Georeference((5, 0), (5, 0), (0, 5)))
    >>> join([west, east]).height
    array([[1., 2., 3.]], dtype=float32)
    """
    if len(models) == 1:
        return models[0]
    first = models[0]
    place = first.georeference
    places: list[tuple[int, int]] = []
    models = [_beside(model, first) for model in models]
    for model in models:
        if place is None or model.georeference is None:
            raise ValueError("Only files that say where they lie can be joined")
        if model.stored != first.stored or not place.same_steps(model.georeference):
            raise ValueError(
                "The files have other spacings or coordinate systems: make them alike first, for "
                "example with gdalwarp -t_srs EPSG:4326 -tr 0.0002777778 0.0002777778"
            )
        column, row = place.samples_at(*model.georeference.origin)
        if abs(column) > 1e9 or abs(row) > 1e9:
            raise ValueError("The files lie too far apart to be joined")
        places.append((round(column), round(row)))
        if abs(column - places[-1][0]) > OFF or abs(row - places[-1][1]) > OFF:
            raise ValueError("The samples of the files lie between each other: gdalwarp joins them")
    assert place is not None, "the loop has run"
    left, bottom = min(place[0] for place in places), min(place[1] for place in places)
    ends = [
        (i + m.height.shape[1], j + m.height.shape[0])
        for (i, j), m in zip(places, models, strict=True)
    ]
    columns, rows = max(end[0] for end in ends) - left, max(end[1] for end in ends) - bottom
    check_count(columns, rows)
    height = np.full((rows, columns), np.nan, np.float32)
    most = 0.0
    for (i, j), model in zip(places, models, strict=True):
        ny, nx = model.height.shape
        part = height[j - bottom : j - bottom + ny, i - left : i - left + nx]
        both = part - model.height
        most = max(most, float(np.fmax.reduce(np.abs(both), None, initial=0.0)))
        np.copyto(part, model.height, where=np.isnan(part))
    notes = tuple(dict.fromkeys(note for m in models for note in m.notes if "latitude" not in note))
    notes += (f"{len(models)} files joined; where they overlap they differ by {most:g} at most.",)
    moved = place.mapped((left, bottom), (1, 0), (0, 1))
    return Elevation.at(height, moved, notes, first.stored)


def _beside(model: Elevation, first: Elevation) -> Elevation:
    """Return a model with the longitudes that are nearest to the first one's: at the antimeridian,
    180 degrees east are 180 degrees west."""
    place, other = model.georeference, first.georeference
    if place is None or other is None or not place.geographic:
        return model
    circle = 360 / place.system.unit
    rounds = round((other.origin[0] - place.origin[0]) / circle)
    origin = place.origin[0] + rounds * circle, place.origin[1]
    return replace(model, georeference=replace(place, origin=origin))
