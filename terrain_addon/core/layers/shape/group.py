# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups: layers that share masks, a blend mode and an opacity."""

from __future__ import annotations

from ...numerics.arrays import Floats
from ...settings.params import NOT_ZERO, factor_param, param
from ..context import LayerContext
from ..kind import POINT, SHAPE, LayerKind, layer


@layer(
    "group",
    "Group",
    "Layers that share masks, an opacity and a blend mode",
    group=SHAPE,
    icon="FILE_FOLDER",
)
class Group(LayerKind):
    """The terrain that a group began on, blended with that of its layers.

    A recipe has one list of layers, in which a group follows its members: it closes the ``count``
    entries below it, groups within it and their members included. So the first entries of the list
    are a list of layers too, and all that is kept of them stays valid. In JSON, a group contains
    its "layers" instead.
    """

    depends_on = POINT

    count: int = 0
    plants: str = param(
        "",
        "Plants",
        "Species that grow where the group acts, in place of those of the terrain: the name of a "
        "set, such as temperate, or none",
    )
    density: float = factor_param(
        1.0, "Plant Density", "Share of these plants", shown_if=("plants", NOT_ZERO)
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.count, bool) or not isinstance(self.count, int) or self.count < 0:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"count: expected a whole number from 0, not {self.count!r}")

    @property
    def holds(self) -> int:
        return self.count

    def apply(self, context: LayerContext) -> Floats:
        # The evaluation blends what the members made; there is nothing to add.
        return context.height.copy()
