# SPDX-License-Identifier: GPL-3.0-or-later
"""Models of plants, made by code: a few hundred to some thousand triangles, dedicated to the public
domain (CC0).

A species names its model. To add one, write a function that adds the parts of a plant to a
`kit.Model`, and add an entry to `KINDS`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from . import low, trees
from .kit import BARK, FAR, LEAF, PALE, PETAL, STONE, Model

__all__ = ["BARK", "KINDS", "LEAF", "PALE", "PETAL", "STAGES", "STONE", "VARIANTS", "Kind", "make"]

STAGES = ("young", "grown", "old")
YOUNG, OLD = 0.35, 0.8
"""Shares of a lifespan at which a plant is shown grown, and old."""
VARIANTS = 2


@dataclass(frozen=True)
class Kind:
    """A kind of model.

    Attributes
    ----------
    add : adds the parts of a plant to a model, for a stage
    color : of leaves, linear
    autumn : how much of it turns in autumn, 0 to 1
    spread : radius of the model in radii of the crown; crowns of the tropics interlock
    """

    add: Callable[[Model, int], None]
    color: tuple[float, float, float]
    autumn: float = 0.0
    spread: float = 1.0


KINDS: dict[str, Kind] = {
    "conifer": Kind(trees.conifer, (0.026, 0.062, 0.024)),
    "larch": Kind(trees.larch, (0.075, 0.12, 0.03), 1.0),
    "pine": Kind(trees.pine, (0.038, 0.075, 0.034)),
    "cypress": Kind(trees.cypress, (0.022, 0.052, 0.02)),
    "broadleaf": Kind(trees.broadleaf, (0.06, 0.115, 0.022), 1.0),
    "birch": Kind(trees.birch, (0.095, 0.15, 0.03), 1.0),
    "palm": Kind(trees.palm, (0.065, 0.12, 0.024), spread=1.5),
    "dead_tree": Kind(trees.dead_tree, (0.1, 0.09, 0.08)),
    "cactus": Kind(low.cactus, (0.06, 0.105, 0.045)),
    "shrub": Kind(low.shrub, (0.062, 0.1, 0.03), 0.7),
    "cushion": Kind(low.cushion, (0.075, 0.11, 0.035), 0.2),
    "grass": Kind(low.grass, (0.12, 0.15, 0.04), 0.6),
    "fern": Kind(low.fern, (0.05, 0.115, 0.02), 0.8),
    "flower": Kind(low.flower, (0.07, 0.12, 0.03), 0.3),
    "boulder": Kind(low.boulder, (0.2, 0.19, 0.175)),
    "stone": Kind(low.stone, (0.2, 0.19, 0.175)),
    "canopy": Kind(trees.canopy, (0.044, 0.092, 0.02), spread=1.4),
}
"""All kinds by the key that species name."""
OTHER = "shrub"
"""The kind that shows species whose key is unknown."""


def make(kind: str, stage: int, variant: int, far: bool = False) -> Model:
    """Return the parts of a model, the same at each call."""
    model = Model.of(f"{kind} {stage} {variant}", FAR if far else 1.0)
    KINDS[kind].add(model, stage)
    return model
