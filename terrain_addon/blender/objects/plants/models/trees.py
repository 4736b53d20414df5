# SPDX-License-Identifier: GPL-3.0-or-later
"""Models of trees: conifers of drooping branches, broad crowns on boughs, palms, dead trunks.

Each function adds the parts of one tree to a model. The stage is 0 for a young, 1 for a grown and 2
for an old tree.
"""

from typing import Any

import numpy as np

from .kit import BARK, LEAF, PALE, Model, Values

GOLDEN = 2.39996
"""Radians between one branch and the next, as in most plants."""


def conifer(model: Model, stage: int) -> None:
    """Add a spruce: whorls of branches that hang at the bottom and rise at the top."""
    height, radius = ((9.0, 1.9), (24.0, 3.3), (28.0, 3.6))[stage]
    _conifer(model, height, radius, levels=(12, 24, 26)[stage], low=(0.03, 0.09, 0.14)[stage])


def larch(model: Model, stage: int) -> None:
    """Add a larch: as a spruce, with more room between thinner branches."""
    height, radius = ((8.0, 1.7), (22.0, 3.4), (25.0, 4.0))[stage]
    _conifer(
        model, height, radius, levels=(10, 17, 18)[stage], low=(0.08, 0.2, 0.25)[stage], thin=0.72,
        core=0.0,
    )  # fmt: skip


def _conifer(
    model: Model,
    height: float,
    radius: float,
    levels: int,
    low: float,
    thin: float = 1.0,
    core: float = 0.3,
) -> None:
    trunk = 0.011 * height + 0.05
    lean = model.between(-0.012, 0.012, 2) * height
    z = np.array([-0.05, 0.0, 0.35, 0.7, 0.99]) * height
    path = np.stack([lean[0] * z / height, lean[1] * z / height, z], axis=1)
    model.tube(path, trunk * np.array([1.5, 1.2, 0.85, 0.45, 0.05]))
    if model.is_far:
        _layers(model, height, radius, low)
        return
    each = 7
    share = np.repeat(np.linspace(0, 1, levels) ** 0.92, each)
    count = len(share)
    share = np.clip(share + model.between(-0.35, 0.35, count) / levels, 0, 1)
    up = low + (0.975 - low) * share
    place = np.stack([lean[0] * up, lean[1] * up, up * height], axis=1)
    long = radius * (0.05 + 0.95 * (1 - share) ** 0.82) * model.between(0.72, 1.14, count)
    # The lowest branches of a wood have little light.
    long *= 0.62 + 0.38 * np.clip(share / 0.16, 0, 1)
    heading = np.arange(count) * GOLDEN + model.between(-0.3, 0.3, count)
    pitch = 0.62 * share - 0.22 + model.between(-0.12, 0.12, count)
    wide = (0.36 * long + 0.16) * thin
    model.fronds(
        place, heading, pitch, 0.55 - 0.3 * share, long, wide, steps=7, fold=1.25, upward=0.5,
        shade=(0.15, 0.95),
    )  # fmt: skip
    if core:
        z = np.linspace(low + 0.02, 0.94, 6)
        path = np.stack([lean[0] * z, lean[1] * z, z * height], axis=1)
        inside = core * radius * (1 - (z - low) / (1 - low)) ** 0.85 + 0.02
        model.core(path, inside, sides=8, shade=0.08)


def _layers(model: Model, height: float, radius: float, low: float) -> None:
    """Add the crown of a conifer as a few branches of three tips each around a dark middle: their
    outline is as ragged as that of many."""
    count = 28
    share = ((np.arange(count) + 0.5) / count) ** 0.8
    heading = np.arange(count) * GOLDEN + model.between(-0.25, 0.25, count)
    long = radius * (0.12 + 0.88 * (1 - share) ** 0.9) * model.between(0.85, 1.08, count)
    long *= 0.7 + 0.3 * np.clip(share / 0.16, 0, 1)
    up = (low + (0.95 - low) * share) * height
    # Tips and the notches between them: angles, shares of the length, and drops.
    spread = np.array([-0.95, -0.45, 0.0, 0.45, 0.95])
    reach = np.array([0.86, 0.62, 1.0, 0.62, 0.86])
    angle = heading[:, None] + spread * model.between(0.8, 1.25, count)[:, None]
    out = long[:, None] * reach * model.between(0.88, 1.06, (count, 5))
    rise = (0.55 * share - 0.3)[:, None] * out
    rim = np.stack([out * np.cos(angle), out * np.sin(angle), up[:, None] + rise], axis=2)
    root = np.stack([0 * up, 0 * up, up + 0.03 * height + 0.22 * long], axis=1)
    points = np.concatenate([root[:, None], rim], axis=1)
    fan = np.array([[0, one, one + 1] for one in range(1, 5)])
    faces = (fan[None] + 6 * np.arange(count)[:, None, None]).reshape(-1, 3)
    normals = points - np.array([0, 0, 1.0]) * (points[..., 2:] - 0.55 * long[:, None, None])
    shades = np.tile([0.25, 0.75, 0.5, 0.95, 0.5, 0.75], count)
    model.add(points.reshape(-1, 3), faces, normals.reshape(-1, 3), shades, LEAF)
    z = np.array([low + 0.02, 0.93])
    model.core(
        np.stack([0 * z, 0 * z, z * height], axis=1), radius * np.array([0.34, 0.03]), 6, 0.1
    )


def pine(model: Model, stage: int) -> None:
    """Add a Scots pine: a bare trunk, and flat tufts of needles on crooked boughs."""
    height, radius, bare = ((6.0, 1.7, 0.15), (19.0, 3.9, 0.5), (21.0, 4.8, 0.58))[stage]
    top = _trunk(model, height, 0.016 * height + 0.06, crooked=0.05)
    tufts = (7, 12, 13)[stage]
    up = bare + (0.97 - bare) * (np.arange(tufts) + 0.5) / tufts
    heading = np.arange(tufts) * GOLDEN
    wide = np.sin(np.pi * np.clip((up - bare) / (1 - bare) * 0.72 + 0.24, 0, 1))
    out = radius * 0.68 * wide * model.between(0.7, 1.15, tufts)
    start = _on(top, up - 0.07)
    end = _on(top, up) + np.stack([out * np.cos(heading), out * np.sin(heading), 0 * out], axis=1)
    _boughs(model, start, end, 0.006 * height)
    size = radius * model.between(0.3, 0.46, tufts)
    radii = np.stack([size, size, 0.42 * size], axis=1)
    for center, radius_ in zip(end, radii, strict=True):
        model.lump(center, radius_, detail=1, rough=0.25, shade=(0.03, 0.25), inside=True)
    model.spheres(end, radii, (260, 520, 560)[stage], 0.34 * (0.6 if stage == 0 else 1.0), low=-0.4)


def cypress(model: Model, stage: int) -> None:
    """Add an Italian cypress: a slender column of short shoots that rise."""
    height, radius = ((5.0, 0.6), (16.0, 1.25), (19.0, 1.6))[stage]
    _trunk(model, height * 0.5, 0.1 + 0.006 * height, crooked=0.01)
    z = np.linspace(0.05, 0.97, 8)
    profile = radius * np.sin(np.pi * np.clip(z, 0, 1) ** 0.62) ** 0.75
    path = np.stack([0 * z, 0 * z, z * height], axis=1)
    model.core(path, 0.8 * profile + 0.02, sides=10, shade=0.12)
    count = model.share((200, 420, 460)[stage], 40)
    share = model.between(0.04, 0.985, count)
    heading = np.arange(count) * GOLDEN
    out = np.interp(share, z, profile) * model.between(0.78, 1.02, count)
    place = np.stack([out * np.cos(heading), out * np.sin(heading), share * height], axis=1)
    long = (0.045 * height) * model.between(0.7, 1.3, count)
    model.fronds(
        place, heading, np.full(count, 1.25), 0.1, long, 0.34 * long, steps=4, upward=0.25,
        shade=(0.3, 0.85),
    )  # fmt: skip


def broadleaf(model: Model, stage: int) -> None:
    """Add a beech or oak: boughs that carry bunches of leaves."""
    height, radius, bare = ((7.0, 1.6, 0.1), (18.0, 4.3, 0.36), (21.0, 5.6, 0.33))[stage]
    _broad(model, height, radius, bare, (7, 13, 16)[stage], (450, 1500, 1700)[stage], BARK)


def canopy(model: Model, stage: int) -> None:
    """Add a tree of a rain forest: a dome of leaves on a long, bare trunk."""
    height, radius, bare = ((8.0, 1.8, 0.3), (30.0, 5.0, 0.68), (36.0, 7.0, 0.7))[stage]
    _broad(model, height, radius, bare, (7, 14, 17)[stage], (450, 1500, 1700)[stage], BARK)


def birch(model: Model, stage: int) -> None:
    """Add a birch: white, slender, with small bunches of leaves that hang."""
    height, radius, bare = ((6.0, 1.1, 0.2), (16.0, 2.5, 0.3), (18.0, 3.0, 0.33))[stage]
    _broad(
        model, height, radius, bare, (6, 12, 13)[stage], (340, 950, 1050)[stage], PALE, slim=1.35
    )


def _broad(
    model: Model,
    height: float,
    radius: float,
    bare: float,
    boughs: int,
    leaves: int,
    bark: int,
    slim: float = 1.0,
) -> None:
    trunk = (0.017 * height + 0.05) / slim
    top = _trunk(model, height * 0.86, trunk, crooked=0.05, kind=bark)
    share = (np.arange(boughs) + 0.5) / boughs
    # Bunches lie on an egg that is widest below its middle, the last one at the top.
    up = bare + (1 - bare) * (0.2 + 0.68 * share)
    wide = 0.66 * radius * np.sin(np.pi * np.clip(0.22 + 0.76 * share, 0, 1)) ** 0.8
    wide = wide * model.between(0.8, 1.15, boughs)
    wide[-1] *= 0.3
    heading = np.arange(boughs) * GOLDEN + model.between(-0.25, 0.25, boughs)
    end = np.stack([wide * np.cos(heading), wide * np.sin(heading), up * height], axis=1)
    start = _on(top, np.clip((up - 0.16) / 0.86, bare, 0.9))
    _boughs(model, start, end, 0.42 * trunk, bark)
    size = radius * model.between(0.42, 0.6, boughs) / slim**0.5
    tall = (1 - bare) * height * 0.17 * model.between(0.85, 1.15, boughs)
    radii = np.stack([size, size, np.minimum(tall, 1.05 * size * slim)], axis=1)
    for center, one in zip(end, radii, strict=True):
        model.lump(center, one, detail=1, rough=0.3, shade=(0.0, 0.2), inside=True)
    size_of_leaves = (0.047 if slim == 1 else 0.04) * height**0.55 * radius**0.35 + 0.05
    model.spheres(end, radii, leaves, size_of_leaves, low=-0.62)


def palm(model: Model, stage: int) -> None:
    """Add a coconut palm: a bent trunk, and feathers that arch."""
    height, radius = ((2.2, 1.7), (9.5, 3.0), (14.0, 3.2))[stage]
    z = np.linspace(-0.05, 1, 9)
    bend = (0.05, 0.12, 0.16)[stage] * height
    path = np.stack([bend * np.clip(z, 0, 1) ** 1.8, 0.2 * bend * z, z * height], axis=1)
    width = 0.13 + 0.006 * height
    rings = 1 + 0.06 * (np.arange(9) % 2)
    model.tube(path, width * rings * np.interp(z, [-0.05, 0.06, 0.2, 1], [1.9, 1.5, 1, 0.8]))
    count = model.share((11, 19, 22)[stage], 9)
    share = (np.arange(count) + 0.5) / count
    heading = np.arange(count) * GOLDEN
    # The youngest feathers stand upright; the oldest hang.
    pitch = 1.25 - 1.75 * share + model.between(-0.1, 0.1, count)
    long = radius * (1.12 - 0.2 * np.abs(share - 0.5)) * model.between(0.88, 1.1, count)
    place = np.repeat(path[-1:], count, axis=0)
    place = place + 0.12 * np.stack([np.cos(heading), np.sin(heading), 0 * heading], axis=1)
    droop = 1.15 + 0.35 * share
    if not model.is_far:
        model.feathers(place, heading, pitch, droop, long)
        return
    model.fronds(
        place, heading, pitch, droop, long, 0.15 * long, steps=17, jag=0.62, fold=0.75,
        upward=1.2, shade=(0.35, 0.85),
    )  # fmt: skip


def dead_tree(model: Model, stage: int) -> None:
    """Add a gray snag: a broken trunk with the stumps of its boughs."""
    height, radius = ((4.0, 0.9), (13.0, 2.2), (11.0, 2.0))[stage]
    top = _trunk(model, height, 0.02 * height + 0.05, crooked=0.09, tip=0.3)
    count = model.share((9, 22, 17)[stage], 7)
    up = 0.22 + 0.72 * np.sort(model.between(0, 1, count))
    heading = np.arange(count) * GOLDEN
    long = radius * (1.15 - 0.75 * up) * model.between(0.3, 1.1, count)
    start = _on(top, up)
    rise = long * model.between(-0.15, 0.75, count)
    end = start + np.stack([long * np.cos(heading), long * np.sin(heading), rise], axis=1)
    _boughs(model, start, end, 0.0045 * height + 0.02, bend=0.18, bare=True)
    if model.is_far:
        return
    twigs = model.random.integers(0, count, 2 * count)
    at = model.between(0.4, 0.9, 2 * count)[:, None]
    start = (1 - at) * start[twigs] + at * end[twigs]
    turn = model.between(0, 6.28, 2 * count)
    short = 0.4 * long[twigs]
    end = start + np.stack([short * np.cos(turn), short * np.sin(turn), 0.7 * short], axis=1)
    _boughs(model, start, end, 0.018)


def _trunk(
    model: Model, height: float, radius: float, crooked: float, kind: int = BARK, tip: float = 0.12
) -> Values:
    """Add a trunk that begins below the ground, for slopes; return its path."""
    z = np.array([-0.05, 0.0, 0.04, 0.25, 0.5, 0.75, 1.0])
    sway = model.random.normal(0, crooked * height * 0.3, (len(z), 2)) * np.clip(z, 0, 1)[:, None]
    path = np.column_stack([sway, z * height])
    model.tube(path, radius * np.interp(z, [-0.05, 0.0, 0.06, 1], [1.9, 1.6, 1.0, tip]), kind)
    return path


def _on(path: Values, share: Any) -> Values:
    """Return the points of a trunk at shares of its height."""
    z = path[:, 2] / path[-1, 2]
    return np.stack([np.interp(share, z, path[:, axis]) for axis in range(3)], axis=1)


def _boughs(
    model: Model,
    start: Values,
    end: Values,
    radius: float,
    kind: int = BARK,
    bend: float = 0.12,
    *,
    bare: bool = False,
) -> None:
    """Add branches from one place to another, bent upwards, thin at the end; from far away nobody
    sees those among leaves."""
    if model.is_far and not bare:
        return
    for a, b in zip(start, end, strict=True):
        middle = 0.5 * (a + b) + [0, 0, -bend * np.linalg.norm(b - a)]
        middle[:2] += model.random.normal(0, 0.06 * np.linalg.norm(b - a), 2)
        model.tube([a, middle, b], radius * np.array([1.0, 0.7, 0.3]), kind, sides=5)
