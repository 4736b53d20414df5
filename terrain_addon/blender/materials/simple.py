# SPDX-License-Identifier: GPL-3.0-or-later
"""The simple material: the colors as they are, with a fine grain."""

from typing import Any

from ..mesh.terrain_mesh import COLOR
from .node_trees import add, arrange, bump, connect, fractal_noise, mix

_BARE = (0.95, 0.6)
"""Height of the normal from which ground gets rougher, and below which it is bare rock."""


def build(tree: Any, surface: Any) -> None:
    """Add the nodes to a material's tree, before its Principled BSDF."""
    surface.inputs["Roughness"].default_value = 0.9
    surface.inputs["Specular IOR Level"].default_value = 0.15
    # Detail finer than the mesh: noise from 50 m to 1 cm, so that some is visible at any distance.
    place = add(tree, "ShaderNodeTexCoord").outputs["Object"]
    grain = fractal_noise(tree, place, 1 / 50, 12.0, 0.65)
    color = add(tree, "ShaderNodeVertexColor", layer_name=COLOR).outputs["Color"]
    # Lighter and darker, with an unchanged mean. Exporters find vertex colors behind a product.
    shade = _between(tree, grain, (0.25, 0.75), (0.65, 1.35))
    connect(tree, mix(tree, 1.0, color, shade, "MULTIPLY"), surface.inputs["Base Color"])
    normal = add(tree, "ShaderNodeNewGeometry").outputs["Normal"]
    upright = add(tree, "ShaderNodeSeparateXYZ", {0: normal}).outputs["Z"]
    relief = bump(tree, grain, _between(tree, upright, _BARE, (8.0, 40.0)))
    connect(tree, relief, surface.inputs["Normal"])
    arrange(tree)


def _between(tree: Any, value: Any, source: tuple[float, float], to: tuple[float, float]) -> Any:
    """Return a value mapped linearly from the source to the target range, clamped."""
    inputs = {"Value": value, "From Min": source[0], "From Max": source[1]}
    return add(tree, "ShaderNodeMapRange", {**inputs, "To Min": to[0], "To Max": to[1]}).outputs[0]
