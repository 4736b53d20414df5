# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the erosion by rivers, in an artist's words."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from ...settings.params import (
    NOT_ZERO,
    Settings,
    angle_param,
    factor_param,
    length_param,
    meters,
    param,
    settings_of,
)

VALLEYS = 22
"""Valleys along the longer side, where no spacing is set."""
KEEP, VALLEYS_KEPT, ACROSS_KEPT = "keep", 88, 5
"""Type of erosion that keeps the forms of the terrain, which has its large valleys already; the
number of those that it adds, and the least cells across one."""
AUTOMATIC = "auto"
"""River Detail that follows from the valleys."""
ACROSS = 10
"""Least cells across a valley with it; at most twice as many."""
COARSEST_DETAIL, FINEST_DETAIL = 128, 16384
LARGEST_OF_FIXED = 1024
"""Finest of the fixed grids, whose steps and fans do not depend on the number of valleys."""
BEDS, BEDS_OF_VALLEY = 16, 8
"""Beds from the lowest to the highest terrain, and in a height of one valley spacing, between which
the thickness lies where none is set."""

THINNEST = 1e-2
"""Meters, of the beds of level terrain."""


class FluvialSettings(Settings):
    """Settings of erosion by rivers."""

    def unit(self, extent: float) -> float:
        """Return the valley spacing in meters on a terrain whose longer side is ``extent``
        meters, at most ``extent``: less than one valley would show nothing."""
        valleys = VALLEYS_KEPT if self.type == KEEP else VALLEYS
        return min(self.valley_spacing or extent / valleys, extent)

    def cells(self, extent: float) -> int:
        """Return the cells of the drainage grid along the longer side of ``extent`` meters.

        Examples
        --------
        >>> alike = FluvialSettings(valley_spacing=50.0, resolution="auto")
        >>> alike.cells(1000.0), alike.cells(64000.0)
        (256, 16384)
        """
        if self.resolution != AUTOMATIC:
            return int(self.resolution)
        cells, across = COARSEST_DETAIL, ACROSS_KEPT if self.type == KEEP else ACROSS
        while cells < min(across * extent / self.unit(extent), FINEST_DETAIL):
            cells *= 2
        return cells

    @property
    def scales(self) -> bool:
        """Whether steps and fans follow from the valleys, whatever the size of the terrain."""
        return self.resolution == AUTOMATIC or int(self.resolution) > LARGEST_OF_FIXED

    def valleys(self, extent: float) -> float:
        """Return the number of valleys along the longer side of ``extent`` meters that steps and
        fans are meant for."""
        return extent / self.unit(extent) if self.scales else VALLEYS

    def wear(self, extent: float) -> float:
        """Return the factor by which the slopes of uplifting mountains are gentler than with
        default settings.

        In a steady state slopes fall with the strength and with the valley spacing.
        """
        wider = self.unit(extent) * VALLEYS / extent if self.valley_spacing else 1.0
        return self.strength * wider

    def bed_thickness(self, relief: float, unit: float) -> float:
        """Return the mean thickness of the beds in meters, for a relief and a valley spacing in
        meters.

        From the relief alone, valley sides in high mountains would have hardly any ledges, as they
        are no steeper than rock stands; from the valleys alone they would be regular stairs.
        """
        chosen = math.sqrt(relief / BEDS * unit / BEDS_OF_VALLEY)
        return self.strata_thickness or max(chosen, THINNEST)

    def automatic(self, size: float, relief: float) -> Mapping[str, float]:
        unit = self.unit(size)
        return {"valley_spacing": unit, "strata_thickness": self.bed_thickness(relief, unit)}

    def note_on(self, name: str, size: float, length: Callable[[float], str] = meters) -> str:
        if name == "resolution" and self.resolution == AUTOMATIC:
            return f"Automatic: {self.cells(size)} cells"
        if name != "valley_spacing" or 0 < self.valley_spacing <= size:
            return super().note_on(name, size, length)
        return f"{'At most' if self.valley_spacing else 'Automatic'}: {length(self.unit(size))}"

    def river_settings(self) -> tuple[str | float | bool, ...]:
        """Return the values of the settings of this class, without those of subclasses."""
        return tuple(getattr(self, setting.name) for setting in settings_of(FluvialSettings))

    type: str = param(
        "uplift",
        "Type",
        "What rivers do to the terrain",
        choices=(
            ("uplift", "Uplifting Mountains", "The terrain rises as fast as rivers erode it"),
            ("plateau", "Dissected Plateau", "Rivers cut a plateau apart with age"),
            (
                KEEP,
                "Keep Forms",
                "Rivers deepen the valleys of the terrain as it is, such as real "
                "terrain: ranges, crests and rivers stay",
            ),
        ),
    )
    strength: float = param(
        1.0,
        label="Strength",
        help="How easily water erodes the terrain: more makes mountains lower with wider valleys, "
        "less makes them higher and steeper; more deepens the valleys of kept forms",
        min=0.0,
        max=100.0,
        soft_min=0.2,  # where the terrain becomes two to four times as high as it was
        soft_max=4.0,
        shown_if=("type", ("uplift", KEEP)),
    )
    age: float = factor_param(
        0.5,
        "Age",
        "How far rivers have dissected the plateau: canyons first, low hills last",
        shown_if=("type", ("plateau",)),
    )
    incision: float = length_param(
        50.0,
        "Valley Depth",
        "How far below the plateau's edge the rivers have cut",
        soft_max=500.0,
        shown_if=("type", ("plateau",)),
    )
    valley_spacing: float = length_param(
        0.0,
        "Valley Spacing",
        "Distance between neighboring valleys; 0: automatic (terrain size / 22, or / 88 with "
        "Keep Forms)",
        max=1e6,
        soft_max=500.0,
    )
    concavity: float = param(
        0.45,
        "Concavity",
        "How much flatter large rivers are than small ones",
        min=0.05,
        max=1.0,
        soft_min=0.2,
        soft_max=0.6,
        advanced=True,
    )
    rounding: float = factor_param(
        0.2,
        "Rounding",
        "How much soil creeps downhill: 0 keeps crests sharp, 1 rounds the hills",
        advanced=True,
    )
    talus: float = param(
        37.0,
        "Max Slope",
        "Steeper ground slides, and steep banks collapse into rivers; where the terrain rises "
        "fast, some ground stays steeper",
        min=1.0,
        max=89.0,
        unit="deg",
        advanced=True,
    )
    valley_floor: float = factor_param(
        0.15,
        "Valley Floors",
        "How much sediment fills the large valleys: 0 leaves them sharp",
        shown_if=("type", ("uplift", "plateau")),
        advanced=True,
    )
    fans: float = factor_param(
        0.5,
        "Fans",
        "Cones of debris where steep streams meet plains; kept forms have them with a Fan Slope",
        advanced=True,
    )
    fan_slope: float = angle_param(
        0.0,
        "Fan Slope",
        "Slope of the fans of streams that drain a square of the valley spacing; those of larger "
        "ones are gentler. 0: automatic (13 degrees; none with Keep Forms)",
        max=30.0,
        shown_if=("fans", NOT_ZERO),
        advanced=True,
    )
    rock_hardness_variation: float = factor_param(
        0.0,
        "Rock Variation",
        "Variation of the hardness of the rock: at 1 from a quarter to four times normal",
        advanced=True,
    )
    rainfall_variation: float = factor_param(
        0.0,
        "Rain Variation",
        "Variation of the rainfall: at 1 from a quarter to four times normal",
        advanced=True,
    )
    bed_contrast: float = factor_param(
        0.0,
        "Bed Contrast",
        "Tilted beds of hard and soft rock, which give ridges and valleys a direction: at 1 from a "
        "quarter to four times normal hardness",
    )
    strike: float = param(
        25.0,
        "Strike",
        "Direction in which the tilted beds run, from the X axis; they dip to the right of it",
        min=-360.0,
        max=360.0,
        unit="deg",
        shown_if=("bed_contrast", NOT_ZERO),
    )
    dip: float = angle_param(
        35.0,
        "Dip",
        "Tilt of the beds: gentle beds make ridges with a long and a short side, upright ones "
        "ridges with two sides alike",
        shown_if=("bed_contrast", NOT_ZERO),
        advanced=True,
    )
    bed_spacing: float = param(
        3.0,
        "Bed Spacing",
        "Distance between ridges of tilted beds, in valley spacings",
        min=0.25,
        max=100.0,
        soft_min=1.0,
        soft_max=10.0,
        shown_if=("bed_contrast", NOT_ZERO),
        advanced=True,
    )
    bends: float = factor_param(
        0.7,
        "Bends",
        "How far the tilted beds bend, as a share of their spacing",
        shown_if=("bed_contrast", NOT_ZERO),
        advanced=True,
    )
    strata_contrast: float = factor_param(
        0.0,
        "Rock Layers",
        "How much harder some layers of rock are than others; shows as ledges",
        advanced=True,
    )
    strata_thickness: float = length_param(
        0.0,
        "Bed Thickness",
        "Mean thickness of a layer of rock; 0: automatic (a few ledges on valley sides)",
        soft_min=1.0,
        soft_max=200.0,
        shown_if=("strata_contrast", NOT_ZERO),
        advanced=True,
    )
    coastal_plain: float = param(
        6.0,
        label="Coastal Plain",
        help="Height above the sea below which the terrain rises less and ends gently",
        min=0.0,
        max=1e5,
        soft_max=200.0,
        unit="m",
        shown_if=("sea", (True,)),  # a setting of the layer
        advanced=True,
    )
    sea_rise: float = param(
        0.0,
        label="Sea Rise",
        help="Rise of the sea since rivers cut the valleys; it drowns their mouths",
        min=0.0,
        max=1e5,
        soft_max=100.0,
        unit="m",
        shown_if=("sea", (True,)),  # as above
        advanced=True,
    )
    resolution: str = param(
        "256",
        "River Detail",
        "Cells along the longer side in which rivers are found; same for preview and bake",
        choices=(
            (AUTOMATIC, "Automatic", "10 to 20 cells across a valley, on terrain of any size"),
            ("128", "Low", "128 cells: quick, large valleys only"),
            ("256", "Medium", "256 cells"),
            ("512", "High", "512 cells: four times the work"),
            ("1024", "Very High", "1024 cells: sixteen times the work"),
            ("2048", "2048", "2048 cells, for large worlds: 5 s and 0.3 GB to solve"),
            ("4096", "4096", "4096 cells, for large worlds: 20 s and 1 GB to solve"),
            ("8192", "8192", "8192 cells, for large worlds: 80 s and 4 GB to solve"),
            ("16384", "16384", "16384 cells, for large worlds: 6 minutes and 15 GB to solve"),
        ),
        advanced=True,
    )
