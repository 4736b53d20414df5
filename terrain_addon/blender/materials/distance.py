# SPDX-License-Identifier: GPL-3.0-or-later
"""Noise that has as many octaves as the distance from the camera shows."""

from typing import Any

from .node_trees import add, fractal_noise, math, mix_number

FINEST = 1.5e-3
"""The shortest waves, relative to the distance: two or three pixels of a picture."""

MEAN = 0.5
"""Mean of fractal noise."""


def from_camera(tree: Any) -> Any:
    """Return the meters from the camera."""
    return add(tree, "ShaderNodeCameraData").outputs["View Distance"]


def finest(tree: Any) -> Any:
    """Return the meters of the shortest waves that show."""
    return math(tree, "MULTIPLY_ADD", from_camera(tree), FINEST, 1e-6)


def noise(
    tree: Any,
    where: Any,
    size: float,
    most: float,
    roughness: float,
    away: Any,
    *,
    space: str = "3D",
) -> Any:
    """Return fractal noise with features of a size in meters and at most so many finer octaves.

    Octaves finer than a pixel take time and turn normals at random. Where the features themselves
    become as fine, they fade to the mean of the noise: the ground would look like sandpaper.
    """
    waves = math(tree, "DIVIDE", size / FINEST, math(tree, "MAXIMUM", away, 1e-3))
    finer = math(tree, "LOGARITHM", math(tree, "MAXIMUM", waves, 1.0), 2.0)
    octaves = math(tree, "MINIMUM", finer, most)
    features = fractal_noise(tree, where, 1 / size, octaves, roughness, space=space)
    return mix_number(tree, math(tree, "MULTIPLY", finer, 1.0, clamp=True), MEAN, features)
