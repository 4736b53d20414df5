# SPDX-License-Identifier: GPL-3.0-or-later
"""Strata: ledges and cliffs of layered rock."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from .... import noise
from ....erosion.cliffs import Cliffs, HardBeds
from ....erosion.joints import Joints
from ....erosion.strata import Strata
from ....numerics.arrays import Floats
from ....numerics.blocks import by_bands, default_threads
from ....settings.params import (
    NOT_ZERO,
    angle_param,
    factor_param,
    height_param,
    length_param,
    param,
    seed_param,
    size_param,
)
from ...context import LayerContext
from ...kind import NEARBY, SHAPE, LayerKind, layer

LEDGES, CLIFFS = "ledges", "cliffs"
IN_CLIFFS = ("type", (CLIFFS,))
ACROSS = 20.0
"""Degrees between the direction of the dip and the first set of joints."""
CONES, LEAST, MEAN, UNEVEN = 5.0, 0.25, 0.7, 0.8
"""Distance of talus cones in spacings of the joints; least and mean height as a share of the
highest, and how much noise changes it."""
JOINTS_SEED, CONES_SEED, OUTLIERS_SEED = 11, 3, 5
"""Added to the seed of the layer."""


@layer(
    "strata",
    "Strata",
    "Beds of hard and soft rock form ledges or cliffs in the terrain below",
    group=SHAPE,
    icon="ALIGN_JUSTIFY",
)
class StrataLayer(LayerKind):
    """Ledges: a monotone mapping of height within tilted beds of random thickness and hardness.
    Cliffs: hard beds that retreat over soft ones, with talus at their feet."""

    depends_on = NEARBY
    produces = ("deposition",)
    height_settings: ClassVar[Mapping[str, float]] = {"cap_height": 0.7}
    repeats = False

    type: str = param(
        LEDGES,
        "Type",
        "How the beds show",
        choices=(
            (LEDGES, "Ledges", "All beds form benches and risers"),
            (
                CLIFFS,
                "Cliffs",
                "Hard beds break off as cliffs over soft slopes, under a cap whose top is bare",
            ),
        ),
    )
    thickness: float = size_param(
        20.0, "Thickness", "Mean thickness of the beds", min=1e-2, max=1e5, soft_max=200.0
    )
    sharpness: float = param(
        3.0,
        "Sharpness",
        "0 leaves the terrain as it is; more gives flatter benches and steeper risers",
        min=0.0,
        max=20.0,
        soft_max=8.0,
        shown_if=("type", (LEDGES,)),
    )
    variety: float = param(
        0.5,
        "Variety",
        "How much the beds differ in thickness: 0 not at all, 1 from thin to very thick",
        min=0.0,
        max=2.0,
        soft_max=1.0,
        shown_if=IN_CLIFFS,
    )
    cap_height: float = height_param(
        100.0,
        "Cap Height",
        "Height of the top of the cap in the middle of the terrain",
        shown_if=IN_CLIFFS,
    )
    cap: float = size_param(
        30.0, "Cap", "Thickness of the hard cap rock", soft_max=200.0, shown_if=IN_CLIFFS
    )
    depth: float = length_param(
        60.0,
        "Depth",
        "Depth of the beds below the cap; the rock under them is all soft",
        soft_max=1000.0,
        shown_if=IN_CLIFFS,
    )
    tops: float = factor_param(
        0.15,
        "Tops",
        "Share of the terrain above the cap that is left: 0 strips it bare",
        shown_if=IN_CLIFFS,
    )
    cliff_slope: float = angle_param(
        75.0, "Cliff Slope", "Slope of the cliffs", max=89.0, shown_if=IN_CLIFFS
    )
    joints: float = size_param(
        30.0,
        "Joints",
        "Distance between the upright cracks that break rims into blocks",
        soft_max=200.0,
        shown_if=IN_CLIFFS,
    )
    joint_depth: float = length_param(
        15.0,
        "Joint Depth",
        "How far blocks between joints stand out; 0: smooth rims",
        soft_max=100.0,
        shown_if=IN_CLIFFS,
    )
    talus: float = factor_param(
        0.4, "Talus", "How far cones of fallen rock reach up the cliffs", shown_if=IN_CLIFFS
    )
    talus_angle: float = angle_param(
        34.0, "Talus Angle", "Slope of the fallen rock", max=80.0, shown_if=IN_CLIFFS
    )
    outliers: float = factor_param(
        0.0,
        "Outliers",
        "How far zones of broken rock are worn down: they part the cap into mesas and buttes",
        shown_if=IN_CLIFFS,
    )
    outlier_size: float = size_param(
        300.0,
        "Outlier Size",
        "Distance between zones of broken rock",
        soft_max=2000.0,
        shown_if=("outliers", NOT_ZERO),
    )
    dip: float = angle_param(3.0, "Dip", "Tilt of the beds", max=80.0, soft_max=30.0)
    direction: float = param(
        0.0,
        "Direction",
        "Direction in which the beds dip, from the X axis",
        min=-360.0,
        max=360.0,
        unit="deg",
    )
    wobble: float = param(
        0.3,
        "Wobble",
        "Unevenness of the beds, relative to their thickness",
        min=0.0,
        max=10.0,
        soft_max=2.0,
    )
    seed: int = seed_param("Seed of the beds")

    def halo(self, dx: float, dy: float) -> int:
        return 0 if self.type == LEDGES else self._form(0).reach(dx, dy)

    @property
    def cannot_repeat(self) -> str:
        return "cliffs of strata end at the border" if self.type == CLIFFS else ""

    def apply(self, context: LayerContext) -> Floats:
        offset = self._offset(context)
        if self.type == CLIFFS:
            height, talus = self._cliffs(context, offset)
            context.produced["deposition"] = talus
            return height
        strata = Strata(self.thickness, self.sharpness, self._seed(context))
        out = np.empty(context.grid.shape, np.float32)
        for rows in context.row_bands():
            out[rows] = strata.ledges(context.height[rows], offset[rows])
        if context.needs("deposition"):
            context.produced["deposition"] = np.zeros_like(out)
        return out

    def _offset(self, context: LayerContext) -> Floats:
        """Return meters by which the beds lie lower at each point."""
        wave = 15 * self.thickness
        x, y = context.grid.x, context.grid.y
        offset = noise.sample_grid(
            "perlin", x / wave, y / wave, seed=self._seed(context), cancelled=context.cancelled
        )
        offset *= np.float32(self.wobble * self.thickness)
        fall, angle = math.tan(math.radians(self.dip)), math.radians(self.direction)
        along_x = (x * fall * math.cos(angle)).astype(np.float32)
        along_y = (y * fall * math.sin(angle)).astype(np.float32)
        for rows in context.row_bands():
            offset[rows] += along_x
            offset[rows] += along_y[rows][:, None]
        return offset

    def _cliffs(self, context: LayerContext, offset: Floats) -> tuple[Floats, Floats]:
        """Return the heights and the depth of the talus."""
        grid, seed, form = context.grid, self._seed(context), self._form(self._seed(context))
        place = by_bands(np.add, context.cancelled, context.height, offset)
        if self.outliers > 0:
            weak = self._noise(context, self.outlier_size, OUTLIERS_SEED, octaves=2)
            place = form.broken(place, weak, self.outliers)
        joints = Joints(self.joints, self.joint_depth, self.direction + ACROSS, seed + JOINTS_SEED)
        outward = joints.outward(grid.x, grid.y, context.cancelled)
        loose = self._noise(context, CONES * self.joints, CONES_SEED)
        loose *= np.float32(UNEVEN)
        loose += np.float32(MEAN)
        np.clip(loose, LEAST, 1, out=loose)
        return form.made(
            place,
            offset,
            outward,
            loose,
            (grid.dx, grid.dy),
            threads=default_threads(),
            cancelled=context.cancelled,
        )

    def _form(self, seed: int) -> Cliffs:
        """Return the cliffs of beds of some seed."""
        beds = HardBeds.of(
            self.cap_height, self.cap, self.depth, self.thickness, self.variety, seed
        )
        return Cliffs(
            beds, self.cliff_slope, self.tops, self.thickness, self.talus, self.talus_angle
        )

    def _noise(self, context: LayerContext, wave: float, number: int, octaves: int = 1) -> Floats:
        return noise.sample_grid(
            "perlin",
            context.grid.x / wave,
            context.grid.y / wave,
            seed=(self._seed(context) + number) & 0x7FFFFFFF,
            fractal="fbm",
            octaves=octaves,
            gain=0.4,
            cancelled=context.cancelled,
        )

    def _seed(self, context: LayerContext) -> int:
        return (context.seed + self.seed) & 0x7FFFFFFF
