# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of the erosion by rivers, in an artist's words."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from ...settings.params import NOT_ZERO, Settings, meters, param, settings_of

VALLEYS = 22
"""Valleys along the longer side, where no spacing is set."""
BEDS, BEDS_OF_VALLEY = 16, 8
"""Beds from the lowest to the highest land, and in a height of one valley spacing, between which
the thickness lies where none is set."""

THINNEST = 1e-2
"""Metres, of the beds of level land."""


class FluvialSettings(Settings):
    """How rivers wear the land."""

    def unit(self, extent: float) -> float:
        """The valley spacing in metres for a land whose longer side is ``extent`` metres, which is
        also its largest value: of less than one valley there is nothing to see."""
        return min(self.valley_spacing or extent / VALLEYS, extent)

    def wear(self, extent: float) -> float:
        """How many times as gentle as with the usual settings the slopes of a living range become.

        In a steady state slopes fall with the strength and with the valley spacing.
        """
        wider = self.unit(extent) * VALLEYS / extent if self.valley_spacing else 1.0
        return self.strength * wider

    def bed_thickness(self, relief: float, unit: float) -> float:
        """The mean thickness of the beds in metres, in land of so many metres from the lowest place
        to the highest and between valleys.

        By the relief alone the valley sides of high land, which are no steeper than rock stands,
        would have hardly any ledges; by the valleys alone they would be regular stairs.
        """
        chosen = math.sqrt(relief / BEDS * unit / BEDS_OF_VALLEY)
        return self.strata_thickness or max(chosen, THINNEST)

    def automatic(self, size: float, relief: float) -> Mapping[str, float]:
        unit = self.unit(size)
        return {"valley_spacing": unit, "strata_thickness": self.bed_thickness(relief, unit)}

    def note_on(self, name: str, size: float, length: Callable[[float], str] = meters) -> str:
        if name != "valley_spacing" or 0 < self.valley_spacing <= size:
            return ""
        return f"{'At most' if self.valley_spacing else 'Automatic'}: {length(self.unit(size))}"

    def river_settings(self) -> tuple[object, ...]:
        """Values of the settings of this class alone, without those of finer forms."""
        return tuple(getattr(self, setting.name) for setting in settings_of(FluvialSettings))

    type: str = param(
        "uplift",
        label="Type",
        help="Whether the ground still rises while rivers cut into it",
        choices=(
            ("uplift", "Uplifting Mountains", "The terrain below rises as fast as rivers erode it"),
            ("plateau", "Dissected Plateau", "A plateau that rivers dissect with age"),
        ),
    )
    strength: float = param(
        1.0,
        label="Strength",
        help="How easily water wears the land; more makes lower land with wider valleys, less "
        "higher and steeper land",
        min=0.0,
        max=100.0,
        soft_min=0.2,  # where the land becomes two to four times as high as it was
        soft_max=4.0,
        shown_if=("type", ("uplift",)),
    )
    age: float = param(
        0.5,
        label="Age",
        help="How far the rivers have taken the plateau apart: canyons first, worn hills last",
        min=0.0,
        max=1.0,
        unit="factor",
        shown_if=("type", ("plateau",)),
    )
    incision: float = param(
        50.0,
        label="Valley Depth",
        help="How far below the plateau's edge the rivers have cut",
        min=0.0,
        max=1e5,
        soft_max=500.0,
        unit="m",
        shown_if=("type", ("plateau",)),
    )
    valley_spacing: float = param(
        0.0,
        label="Valley Spacing",
        help="Distance between neighbouring valleys; 0 chooses a 22nd of the terrain's size",
        min=0.0,
        max=1e6,
        soft_max=500.0,
        unit="m",
    )
    concavity: float = param(
        0.45,
        label="Concavity",
        help="How much flatter large rivers are than small ones",
        min=0.05,
        max=1.0,
        soft_min=0.2,
        soft_max=0.6,
        advanced=True,
    )
    rounding: float = param(
        0.2,
        label="Rounding",
        help="How much soil creeps downhill: 0 keeps crests sharp, 1 rounds the hills",
        min=0.0,
        max=1.0,
        unit="factor",
        advanced=True,
    )
    talus: float = param(
        37.0,
        label="Max Slope",
        help="Ground steeper than this slides, and steep banks fall into rivers; where the land "
        "rises fast, some ground stays steeper",
        min=1.0,
        max=89.0,
        unit="deg",
        advanced=True,
    )
    valley_floor: float = param(
        0.15,
        label="Valley Floors",
        help="How much sediment fills the large valleys: 0 leaves them sharp",
        min=0.0,
        max=1.0,
        unit="factor",
        advanced=True,
    )
    fans: float = param(
        0.5,
        label="Fans",
        help="Cones of debris where steep streams meet plains",
        min=0.0,
        max=1.0,
        unit="factor",
        advanced=True,
    )
    rock_hardness_variation: float = param(
        0.0,
        label="Rock Hardness Variation",
        help="How much the hardness of the rock differs from place to place: at 1 it is from a "
        "quarter to four times the usual",
        min=0.0,
        max=1.0,
        unit="factor",
        advanced=True,
    )
    rainfall_variation: float = param(
        0.0,
        label="Rainfall Variation",
        help="How much more it rains in some places than in others: at 1 it is from a quarter to "
        "four times the usual",
        min=0.0,
        max=1.0,
        unit="factor",
        advanced=True,
    )
    strata_contrast: float = param(
        0.0,
        label="Rock Layers",
        help="How much harder some layers of rock are than others; shows as ledges",
        min=0.0,
        max=1.0,
        unit="factor",
        advanced=True,
    )
    strata_thickness: float = param(
        0.0,
        label="Bed Thickness",
        help="Mean thickness of a layer of rock; 0 chooses one by which valley sides have a few "
        "ledges",
        min=0.0,
        max=1e5,
        soft_min=1.0,
        soft_max=200.0,
        unit="m",
        shown_if=("strata_contrast", NOT_ZERO),
        advanced=True,
    )
    coastal_plain: float = param(
        6.0,
        label="Coastal Plain",
        help="Height above the sea below which the land rises less and ends gently",
        min=0.0,
        max=1e5,
        soft_max=200.0,
        unit="m",
        shown_if=("sea", (True,)),  # of the layer, which knows the water level
        advanced=True,
    )
    sea_rise: float = param(
        0.0,
        label="Sea Rise",
        help="How far the sea has risen since rivers cut the valleys: it drowns their mouths",
        min=0.0,
        max=1e5,
        soft_max=100.0,
        unit="m",
        shown_if=("sea", (True,)),  # of the layer, as above
        advanced=True,
    )
    resolution: str = param(
        "256",
        label="River Detail",
        help="Cells along the longer side in which rivers are found; same for preview and bake",
        choices=(
            ("128", "Low", "128 cells: quick, large valleys only"),
            ("256", "Medium", "256 cells"),
            ("512", "High", "512 cells: four times the work"),
            ("1024", "Very High", "1024 cells: sixteen times the work"),
        ),
        advanced=True,
    )
