# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the erosion's finer forms."""

from __future__ import annotations

from ...settings.params import NOT_ZERO, angle_param, factor_param, length_param, param
from ..coast import Coast
from ..rivers.settings import FluvialSettings
from .gullies import Gullies


class SurfaceSettings(FluvialSettings):
    """Settings of rivers and of the slopes between them."""

    gully_depth: float = param(
        0.5,
        "Gullies",
        "How deep the gullies on the valley sides are",
        min=0.0,
        max=10.0,
        soft_max=1.0,
    )
    gully_octaves: int = param(
        3,
        "Gully Octaves",
        "How many sizes of gullies there are, each half as wide as the last",
        min=1,
        max=8,
        advanced=True,
    )
    rock_roughness: float = param(
        0.5, "Rock Roughness", "Roughness of steep ground", min=0.0, max=10.0, soft_max=1.0
    )
    rivers: float = param(
        0.0,
        "River Beds",
        "Width of the beds carved for rivers: 0 none, 1 natural",
        min=0.0,
        max=20.0,
        soft_max=3.0,
        advanced=True,
    )
    min_catchment_area: float = param(
        2.0,
        "Min Catchment",
        "Smallest drainage area of a river, in squares of the valley spacing",
        min=0.05,
        max=1e4,
        soft_max=20.0,
        advanced=True,
    )
    tapered_beds: bool = param(
        False,
        "Taper Beds",
        "Beds begin with no width and depth at their sources, and grow with the discharge",
        shown_if=("rivers", NOT_ZERO),
        advanced=True,
    )
    meanders: float = factor_param(
        0.0,
        "Meanders",
        "How far rivers swing on floors that are wider than four of their widths: 0 leaves them as "
        "they are, 1 makes full bends",
        shown_if=("rivers", NOT_ZERO),
        advanced=True,
    )
    braids: float = factor_param(
        0.0,
        "Braids",
        "Width of the belts of gravel in which steep rivers on wide floors split into threads: 0 "
        "leaves them whole, 1 makes belts of seven widths",
        shown_if=("rivers", NOT_ZERO),
        advanced=True,
    )
    fill_pits: bool = param(
        False,
        "Fill Pits",
        "Fill hollows of a few samples, in which water would stand, and cut open dammed valleys. "
        "Lakes and basins stay",
        advanced=True,
    )
    beach_width: float = param(
        5.0,
        "Beach Width",
        "How far from the shore the waves reach",
        min=1e-2,
        max=1e5,
        soft_max=200.0,
        unit="m",
        shown_if=("sea", (True,)),
        advanced=True,
    )
    beach_slope: float = angle_param(
        6.0,
        "Beach Slope",
        "Slope of the beaches",
        max=45.0,
        shown_if=("sea", (True,)),
        advanced=True,
    )
    cliff_height: float = length_param(
        6.0,
        "Cliffs From",
        "Coasts higher than this stay cliffs",
        soft_max=200.0,
        shown_if=("sea", (True,)),
        advanced=True,
    )

    def coast(self, sea: float) -> Coast:
        """Return the coast by these settings."""
        return Coast.of(sea, self.beach_width, self.beach_slope, self.cliff_height)

    def gullies(self, unit: float) -> Gullies:
        """Return the gullies by these settings, between valleys ``unit`` meters apart."""
        scale = 0.78 * unit
        octaves = self.gully_octaves if self.gully_depth > 0 else 0
        return Gullies(scale, 0.36 * self.gully_depth * scale, octaves, raise_share=1.0)
