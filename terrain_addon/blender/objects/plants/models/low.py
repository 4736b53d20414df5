# SPDX-License-Identifier: GPL-3.0-or-later
"""Models of what is lower than trees: cacti, shrubs, herbs, and stones.

Each function adds the parts of one plant to a model; stages as in `trees`.
"""

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from .kit import LEAF, PETAL, STONE, Model, Values
from .trees import GOLDEN

NEAR = 1e-7
"""How far from a plane a corner of a block lies at most."""


def cactus(model: Model, stage: int) -> None:
    """Add a saguaro: a ribbed column, when it is old with arms that rise."""
    height = (1.6, 5.0, 7.5)[stage]
    radius = 0.17 + 0.016 * height
    column = np.array([-0.05, 0.0, 0.3, 0.6, 0.86, 0.95, 0.99, 1.0])
    wide = np.interp(
        column, [-0.05, 0.0, 0.4, 0.86, 0.95, 0.99, 1.0], [0.8, 0.85, 1.1, 1, 0.8, 0.45, 0]
    )
    path = np.stack([0 * column, 0 * column, column * height], axis=1)
    model.tube(path, radius * wide, LEAF, sides=18, ribs=0.2)
    arms = (0, 2, 4)[stage]
    heading = model.between(0, 6.28) + np.arange(arms) * (2.2 + model.between(-0.3, 0.3))
    for turn, low, long in zip(
        heading, model.between(0.32, 0.5, arms), model.between(0.22, 0.42, arms), strict=True
    ):
        out = radius * 3.0
        # The elbow: out of the column, then up.
        rise = np.array([0, -0.15, 0.1, 0.9, 1.9, 1.9, 1.9, 1.9]) * radius
        rise[4:] += np.array([0.0, 0.6, 0.93, 1.0]) * long * height
        away = out * np.array([0.1, 0.5, 0.85, 1.0, 1.0, 1.0, 1.0, 1.0])
        arm = np.stack([away * np.cos(turn), away * np.sin(turn), low * height + rise], axis=1)
        model.tube(arm, 0.66 * radius * np.array([0.8, 0.9, 1, 1, 1, 0.95, 0.6, 0]), LEAF, 14, 0.2)


def shrub(model: Model, stage: int) -> None:
    """Add a bush: stems from one root, with bunches of leaves down to the ground."""
    height, radius = ((0.9, 0.5), (2.4, 1.3), (2.9, 1.7))[stage]
    count = (4, 7, 8)[stage]
    heading = np.arange(count) * GOLDEN + model.between(0, 6.28)
    wide = (
        0.56 * radius * np.sqrt((np.arange(count) + 0.4) / count) * model.between(0.85, 1.1, count)
    )
    up = height * (0.66 - 0.22 * (wide / radius)) * model.between(0.8, 1.12, count)
    end = np.stack([wide * np.cos(heading), wide * np.sin(heading), up], axis=1)
    for one in end:
        model.tube([[0, 0, -0.1], 0.5 * one + [0, 0, 0.06], one], [0.05, 0.035, 0.015], sides=4)
    size = radius * model.between(0.38, 0.56, count)
    radii = np.stack([size, size, 0.3 * height * model.between(0.9, 1.25, count)], axis=1)
    for center, one in zip(end, radii, strict=True):
        model.lump(center, one, detail=1, rough=0.3, shade=(0.0, 0.2), inside=True)
    model.spheres(end, radii, (260, 720, 800)[stage], 0.13 * (0.6 if stage == 0 else 1), low=-0.75)


def cushion(model: Model, stage: int) -> None:
    """Add a cushion plant: a low dome of dense shoots."""
    radius = (0.14, 0.26, 0.36)[stage]
    height = radius * 0.55
    model.lump((0, 0, 0.1 * height), (0.93 * radius, 0.93 * radius, 0.8 * height), rough=0.16,
               shade=(0.1, 0.45))  # fmt: skip
    model.spheres([(0, 0, 0.1 * height)], [(radius, radius, 0.85 * height)],
                  (90, 170, 220)[stage], 0.11 * radius**0.7, low=-0.1)  # fmt: skip


def grass(model: Model, stage: int) -> None:
    """Add a tuft of blades that bend outwards."""
    height = (0.3, 0.55, 0.75)[stage]
    count = model.share((36, 70, 90)[stage], 12)
    _blades(model, count, height, 0.1 * height**0.5)


def _blades(model: Model, count: int, height: float, spread: float) -> None:
    heading = np.arange(count) * GOLDEN
    out = spread * np.sqrt(model.between(0, 1, count))
    place = np.stack([out * np.cos(heading), out * np.sin(heading), np.full(count, -0.03)], axis=1)
    heading = heading + model.between(-0.7, 0.7, count)
    long = height * model.between(0.55, 1.15, count)
    model.fronds(
        place, heading, model.between(1.1, 1.5, count), model.between(0.3, 1.5, count), long,
        np.full(count, 0.012 * model.larger), steps=4, jag=0.0, fold=0.3, upward=1.6,
        shade=(0.2, 1.0),
    )  # fmt: skip


def fern(model: Model, stage: int) -> None:
    """Add a fern: a shuttlecock of toothed fronds."""
    height = (0.4, 0.8, 1.0)[stage]
    count = model.share((7, 12, 15)[stage], 6)
    heading = np.arange(count) * GOLDEN
    place = np.stack([0.03 * np.cos(heading), 0.03 * np.sin(heading), 0 * heading - 0.02], axis=1)
    long = 1.25 * height * model.between(0.75, 1.1, count)
    model.fronds(
        place, heading, model.between(0.95, 1.3, count), 1.35, long, 0.19 * long, steps=13, jag=0.6,
        fold=0.25, upward=1.4, shade=(0.25, 0.9),
    )  # fmt: skip


def flower(model: Model, stage: int) -> None:
    """Add a herb in bloom: leaves, stems and flowers."""
    height = (0.2, 0.35, 0.5)[stage]
    _blades(model, model.share(26, 8), 0.6 * height, 0.06)
    count = (3, 6, 9)[stage]
    heading = np.arange(count) * GOLDEN
    out = 0.12 * np.sqrt((np.arange(count) + 0.5) / count) + 0.01
    top = height * model.between(0.75, 1.0, count)
    for turn, away, up in zip(heading, out, top, strict=True):
        tip = np.array([away * np.cos(turn), away * np.sin(turn), up])
        model.tube([[0.3 * tip[0], 0.3 * tip[1], -0.02], tip], [0.005, 0.003], LEAF, sides=3)
        model.sprays(tip[None], np.array([[0.2 * np.cos(turn), 0.2 * np.sin(turn), 1.0]]),
                     0.035 / model.larger, 0.9, PETAL)  # fmt: skip


def boulder(model: Model, stage: int) -> None:
    """Add a block that broke along joints, a third of it in the ground."""
    axes = np.linalg.qr(model.random.normal(size=(3, 3)) + 3 * np.eye(3))[0]
    joints = np.concatenate([axes, -axes])
    _rock(model, (0.7, 1.1, 1.6)[stage], squash=0.78, cuts=9, joints=joints, bevel=(0.015, 0.05))


def stone(model: Model, stage: int) -> None:
    """Add a few small stones with blunt edges."""
    size = (0.1, 0.16, 0.25)[stage]
    none = np.empty((0, 3))
    for place, own in ((0.0, 1.0), (1.7, 0.6), (4.1, 0.42)):
        away = 0.0 if own == 1 else 1.25 * size
        at = (away * np.cos(place), away * np.sin(place))
        _rock(model, size * own, 0.62, 16, none, (0.04, 0.09), at)


def _rock(
    model: Model,
    radius: float,
    squash: float,
    cuts: int,
    joints: Values,
    bevel: tuple[float, float],
    at: tuple[float, float] = (0.0, 0.0),
) -> None:
    """Add what planes leave of a block: those of its ``joints`` (n, 3), and cuts in any direction.

    Edges are worn by a share of the radius within ``bevel``; from far away they are sharp.
    """
    cuts = cuts - 4 if model.is_far else cuts
    other = model.random.normal(size=(cuts, 3))
    planes = np.concatenate([joints + model.random.normal(0, 0.12, joints.shape), other])
    planes /= np.linalg.norm(planes, axis=1, keepdims=True)
    depth = np.r_[model.between(0.6, 0.85, len(joints)), model.between(0.78, 1.0, cuts)]
    planes, depth = np.vstack([planes, [0, 0, -1]]), np.r_[depth, 0.7]
    if not model.is_far:
        worn, at_edge = _edges(planes, depth, hull_of(planes, depth))
        planes = np.vstack([planes, worn])
        depth = np.r_[depth, at_edge - model.between(*bevel, len(worn))]
    stretch = radius * np.array([1.15, 0.92, squash])
    for number, corners in hull_of(planes, depth).items():
        up = planes[number, 2]
        points = corners * stretch + [at[0], at[1], 0.25 * radius * squash]
        ring = np.arange(1, len(points) - 1)
        fan = np.stack([np.zeros_like(ring), ring, ring + 1], axis=1)
        shade = np.clip(0.45 + 0.25 * up + 0.3 * corners[:, 2] + model.between(-0.08, 0.08), 0, 1)
        model.add(points, fan, np.tile(planes[number] / stretch, (len(points), 1)), shade, STONE)


def _edges(planes: Values, depth: Values, faces: Mapping[int, Values]) -> tuple[Values, Values]:
    """Return the directions (n, 3) of the edges between faces, and how far out they lie."""
    found: list[Values] = []
    away: list[float] = []
    for one, other in combinations(faces, 2):
        shared = faces[one][np.abs(faces[one] @ planes[other] - depth[other]) < NEAR]
        if len(shared) > 1:
            out = planes[one] + planes[other]
            out /= np.linalg.norm(out)
            found.append(out)
            away.append(float(out @ shared[0]))
    return np.array(found).reshape(-1, 3), np.array(away)


def hull_of(planes: Values, depth: Values) -> dict[int, Values]:
    """Return the corners (k, 3), in order around each face, of what lies within planes at a depth
    from the middle, by the number of the plane; none for planes that cut nothing."""
    triples = np.array(list(combinations(range(len(planes)), 3)))
    solved = planes[triples]
    flat = np.abs(np.linalg.det(solved)) > 1e-4
    found = np.linalg.solve(solved[flat], depth[triples[flat]][..., None])[..., 0]
    corners = found.astype(np.float64, copy=False)
    corners = corners[(corners @ planes.T <= depth + NEAR).all(axis=1)]
    faces: dict[int, Values] = {}
    for number, plane in enumerate(planes):
        own = corners[np.abs(corners @ plane - depth[number]) < NEAR]
        if len(own) < 3:
            continue
        own = own[np.unique(np.round(own, 5), axis=0, return_index=True)[1]]
        side = np.cross(plane, [0.31, 0.87, 0.4])
        middle = own - own.mean(axis=0)
        own = own[np.argsort(np.arctan2(middle @ np.cross(plane, side), middle @ side))]
        if len(own) > 2:
            faces[number] = own
    return faces
