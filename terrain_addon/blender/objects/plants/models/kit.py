# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of the models of plants: tubes, lumps, sprays of leaves and fronds, as arrays.

A model is made of triangles in meters. Each point has a normal of its own, so that a crown of many
flat leaves is lit like one body, and a shade: 0 deep inside, 1 where the sky shines on it.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Whole = NDArray[np.int64]

BARK, LEAF, STONE, PETAL, PALE = range(5)
"""Materials of faces: bark, what has the color of the species, rock, petals, and white bark."""
LEAFLETS = 24
"""Leaflets on each side of a feather of a palm."""
FAR = 0.04
"""Share of leaves of the model that is seen from far away; each is larger instead."""


@dataclass
class Model:
    """A plant as parts: points, normals and shades of each, its triangles and their material.

    Attributes
    ----------
    fine : 1, or the share of leaves and branches that a simpler model has
    """

    random: np.random.Generator
    fine: float = 1.0
    points: list[Values] = field(default_factory=list[Values])
    normals: list[Values] = field(default_factory=list[Values])
    shades: list[Values] = field(default_factory=list[Values])
    faces: list[Whole] = field(default_factory=list[Whole])
    materials: list[Whole] = field(default_factory=list[Whole])

    @classmethod
    def of(cls, name: str, fine: float = 1.0) -> Self:
        """Return an empty model whose random numbers follow from its name."""
        return cls(np.random.default_rng(zlib.crc32(name.encode())), fine)

    @property
    def is_far(self) -> bool:
        """Whether this is the simple model that is shown far from the camera."""
        return self.fine < 0.5

    def share(self, count: int, least: int = 3) -> int:
        """Return how many of so many small parts the model has."""
        return max(round(count * self.fine), least)

    @property
    def larger(self) -> float:
        """Factor on the size of small parts, so that fewer cover as much."""
        return min(self.fine**-0.5, 2.0)

    def add(self, points: Values, faces: Whole, normals: Values, shades: Any, kind: int) -> None:
        """Add points (n, 3), triangles (m, 3) of them, normals (n, 3) and shades (n,)."""
        first = sum(map(len, self.points))
        length = np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
        # A face that is seen from behind would be lit from the other side.
        a, b, c = points[faces].transpose(1, 0, 2)
        behind = (np.cross(b - a, c - a) * normals[faces].sum(axis=1)).sum(axis=1) < 0
        faces = np.where(behind[:, None], faces[:, ::-1], faces)
        self.points.append(points)
        self.normals.append(normals / length)
        self.shades.append(np.broadcast_to(np.asarray(shades, float), (len(points),)))
        self.faces.append(faces + first)
        self.materials.append(np.full(len(faces), kind))

    def between(self, low: float, high: float, count: int | tuple[int, ...] | None = None) -> Any:
        """Return random numbers of a range."""
        return self.random.uniform(low, high, count)

    def tube(
        self, path: Any, radii: Any, kind: int = BARK, sides: int = 7, ribs: float = 0.0
    ) -> None:
        """Add a tube around a path (k, 3) that is nowhere level along Y, open at its ends.

        With ``ribs``, every second side lies that share of the radius deeper.
        """
        path, radii = np.asarray(path, float), np.asarray(radii, float)
        sides = max(sides // 2, 3) if self.is_far else sides
        along = np.gradient(path, axis=0)
        along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
        across = np.cross(along, [0.0, 1.0, 0.02])
        across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
        other = np.cross(along, across)
        turn = np.arange(sides) * (2 * np.pi / sides)
        depth = 1 - ribs * (np.arange(sides) % 2)
        out = (
            np.cos(turn)[None, :, None] * across[:, None]
            + np.sin(turn)[None, :, None] * other[:, None]
        )
        points = path[:, None] + out * (radii[:, None] * depth)[..., None]
        faces = _strips(len(path), sides)
        shades = np.tile(0.75 * depth, len(path)) if ribs else 0.7
        self.add(points.reshape(-1, 3), faces, out.reshape(-1, 3), shades, kind)

    def core(self, path: Values, radii: Values, sides: int, shade: float) -> None:
        """Add the dark inside of a crown around a path, which hides the sky behind the leaves."""
        rough = 1 + 0.14 * self.random.normal(size=len(radii))
        self.tube(path, radii * rough, LEAF, sides)
        self.shades[-1] = np.full(len(self.points[-1]), shade)

    def lump(
        self,
        center: Any,
        radii: Any,
        kind: int = LEAF,
        detail: int = 2,
        rough: float = 0.2,
        shade: tuple[float, float] = (0.15, 0.5),
        inside: bool = False,
    ) -> None:
        """Add a sphere that noise displaces, darker below.

        One ``inside`` leaves hides the sky behind them; from far away it stands for them.
        """
        radii = np.asarray(radii, float)
        if self.is_far:
            detail = 0 if inside else min(detail, 1)
            radii, shade = (1.08 * radii, (0.25, 0.9)) if inside else (radii, shade)
        elif inside:
            radii = 0.66 * radii
        ball, faces = ball_of(detail)
        bumps = 1 + rough * _waves(self.random, ball)
        points = np.asarray(center, float) + ball * bumps[:, None] * radii
        low, high = shade
        self.add(points, faces, ball, low + (high - low) * (ball[:, 2] * 0.5 + 0.5), kind)

    def spheres(self, centers: Any, radii: Any, count: int, size: float, low: float = -0.5) -> None:
        """Cover spheres (n, 3) of three radii each (n, 3) with sprays of leaves, in proportion to
        their area, above the share ``low`` of their radius."""
        centers, radii = np.asarray(centers, float), np.asarray(radii, float)
        area = radii.prod(axis=1) ** (2 / 3)
        total = self.share(count, 5 * len(centers))
        which = self.random.choice(len(centers), total, p=area / area.sum())
        up = self.random.uniform(low, 1, total)
        turn = self.random.uniform(0, 2 * np.pi, total)
        flat = np.sqrt(1 - up * up)
        out = np.stack([flat * np.cos(turn), flat * np.sin(turn), up], axis=1)
        depth = self.random.uniform(0.82, 1.06, total)
        places = centers[which] + out * radii[which] * depth[:, None]
        shade = 0.3 + 0.55 * (up * 0.5 + 0.5) + 0.9 * (depth - 0.95)
        self.sprays(places, out, size, shade)

    def sprays(
        self, places: Values, out: Values, size: float, shade: Any, kind: int = LEAF
    ) -> None:
        """Add flat, jagged bunches of leaves at places (n, 3), lit as a surface that faces ``out``
        (n, 3)."""
        count, prongs = len(places), 3 if self.is_far else 4
        normal = out + self.random.normal(0, 0.55, (count, 3))
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        side = np.cross(normal, self.random.normal(size=(count, 3)))
        side /= np.linalg.norm(side, axis=1, keepdims=True)
        other = np.cross(normal, side)
        sizes = size * self.larger * self.random.uniform(0.65, 1.3, count)
        turn = np.arange(2 * prongs) * (np.pi / prongs)
        length = np.where(np.arange(2 * prongs) % 2, 0.5, 1.0)
        length = length * self.random.uniform(0.6, 1.3, (count, 2 * prongs)) * sizes[:, None]
        rim = (
            (np.cos(turn) * length)[..., None] * side[:, None]
            + (np.sin(turn) * length)[..., None] * other[:, None]
        ) - normal[:, None] * (0.25 * length)[..., None]
        points = np.concatenate([np.zeros((count, 1, 3)), rim], axis=1) + places[:, None]
        own = 2 * prongs + 1
        ring = np.arange(2 * prongs)
        star = np.stack([np.zeros_like(ring), ring + 1, (ring + 1) % (2 * prongs) + 1], axis=1)
        faces = star[None] + (np.arange(count) * own)[:, None, None]
        soft = np.repeat(out + 0.35 * normal, own, axis=0)
        shades = np.repeat(np.broadcast_to(shade, (count,)), own).reshape(count, own)
        shades = np.clip(shades + np.r_[-0.12, np.full(2 * prongs, 0.06)], 0, 1).ravel()
        self.add(points.reshape(-1, 3), faces.reshape(-1, 3), soft, shades, kind)

    def fronds(
        self,
        places: NDArray[Any],
        heading: NDArray[Any],
        pitch: Values,
        droop: Any,
        length: Values,
        width: Values,
        *,
        steps: int = 6,
        jag: float = 0.45,
        fold: float = 0.35,
        upward: float = 0.6,
        shade: tuple[float, float] = (0.25, 0.9),
        kind: int = LEAF,
    ) -> None:
        """Add blades from places (n, 3): they start at a pitch, which ``droop`` lowers along them,
        have a toothed border, and are folded along the middle.

        Angles are in radians. ``upward`` is how much they are lit from above rather than from the
        side; the shade goes from the place to the tip.
        """
        count = len(places)
        if self.is_far:
            steps = max(steps // 2, 3)
        t = np.linspace(0, 1, steps)
        ahead, side, spine = _spines(places, heading, pitch, droop, length, t)
        teeth = np.where(np.arange(steps) % 2, 1.0, 1 - jag)
        teeth = teeth * self.random.uniform(0.85, 1.15, (count, steps))
        profile = (0.22 + 2.2 * t) * (1 - t) ** 0.75 + 0.02
        half = width[:, None] * profile * teeth * self.larger**0.5
        wing = half[..., None] * side[:, None]
        # Teeth point to the tip.
        back = (0.4 * half * (np.arange(steps) % 2))[..., None] * ahead[:, None]
        low = np.zeros((count, steps, 3))
        low[..., 2] = -fold * half
        points = np.stack([spine, spine + wing + low + back, spine - wing + low + back], axis=2)
        base = np.arange(steps - 1)[:, None] * 3
        ridge = [[0, 1, 4], [0, 4, 3], [0, 3, 5], [0, 5, 2]]
        one = (base[:, :, None] + np.array(ridge)[None]).reshape(-1, 3)
        faces = one[None] + (np.arange(count) * 3 * steps)[:, None, None]
        up = np.array([0.0, 0.0, upward])
        normals = np.repeat((ahead + up)[:, None, None], steps, axis=1)
        normals = np.concatenate(
            [normals, normals + 0.35 * side[:, None, None], normals - 0.35 * side[:, None, None]],
            axis=2,
        )
        shades = np.broadcast_to(
            (shade[0] + (shade[1] - shade[0]) * t)[None, :, None], (count, steps, 3)
        )
        self.add(
            points.reshape(-1, 3), faces.reshape(-1, 3), normals.reshape(-1, 3),
            shades.reshape(-1), kind,
        )  # fmt: skip

    def feathers(
        self, places: NDArray[Any], heading: NDArray[Any], pitch: Values, droop: Any, length: Values
    ) -> None:
        """Add feathers of palms from places (n, 3): a spine, as that of :meth:`fronds`, and narrow
        leaflets that hang on both sides of it."""
        t = np.linspace(0, 1, LEAFLETS + 1)
        ahead, side, spine = _spines(places, heading, pitch, droop, length, t)
        along = np.diff(spine, axis=1)
        root = spine[:, :-1]
        # No leaflets on the stalk; the longest are a third of the way out.
        profile = np.clip(1.4 * (t[:-1] - 0.1), 0, 0.5) * (1 - t[:-1]) ** 0.5
        long = 0.62 * length[:, None] * profile
        long = long * self.random.uniform(0.8, 1.1, long.shape)
        tangent = along / np.linalg.norm(along, axis=2, keepdims=True)
        down = np.array([0.0, 0.0, -0.55])
        corners: list[Values] = []
        for turn in (-1.0, 1.0):
            tip = root + long[..., None] * (turn * side[:, None] + 0.55 * tangent + down)
            corners.append(np.stack([root, root + 1.7 * along, tip], axis=2))
        stalk = 0.012 * length[:, None, None] * side[:, None]
        corners.append(np.stack([root - stalk, root + stalk, spine[:, 1:]], axis=2))
        points = np.stack(corners, axis=2)
        up = np.array([0.0, 0.0, 1.2])
        lit = np.stack([ahead + up - 0.5 * side, ahead + up + 0.5 * side, ahead + up], axis=1)
        normals = np.broadcast_to(lit[:, None, :, None], points.shape)
        shades = np.broadcast_to((0.35 + 0.5 * t[:-1])[:, None, None], points.shape[:-1])
        faces = np.arange(points.size // 3).reshape(-1, 3)
        self.add(points.reshape(-1, 3), faces, normals.reshape(-1, 3), shades.ravel(), LEAF)

    def unit(self) -> tuple[Values, Values, Values, Whole, Whole]:
        """Return points, normals, shades, triangles and materials, one meter high above the ground,
        with a crown of one meter radius around the middle."""
        points = np.concatenate(self.points)
        out = np.hypot(points[:, 0], points[:, 1])
        scale = np.array([1 / np.quantile(out, 0.98), 0, 1 / points[:, 2].max()])
        scale[1] = scale[0]
        normals = np.concatenate(self.normals) / scale
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        return (
            points * scale, normals, np.concatenate(self.shades),
            np.concatenate(self.faces), np.concatenate(self.materials),
        )  # fmt: skip


def _spines(
    places: NDArray[Any],
    heading: NDArray[Any],
    pitch: Values,
    droop: Any,
    length: Values,
    t: Values,
) -> tuple[Values, Values, Values]:
    """Return the directions ahead and aside (n, 3) of arched leaves, and the points (n, k, 3) at
    even shares ``t`` of their lengths."""
    none, steps = np.zeros(len(places)), len(t)
    angle = pitch[:, None] - np.asarray(droop).reshape(-1, 1) * t
    step = length[:, None] / (steps - 1)
    run = np.cumsum(np.cos(angle) * step, axis=1) - np.cos(angle[:, :1]) * step
    rise = np.cumsum(np.sin(angle) * step, axis=1) - np.sin(angle[:, :1]) * step
    ahead = np.stack([np.cos(heading), np.sin(heading), none], axis=1)
    side = np.stack([-np.sin(heading), np.cos(heading), none], axis=1)
    spine = places[:, None] + run[..., None] * ahead[:, None]
    spine[..., 2] += rise
    return ahead, side, spine


def _strips(rows: int, sides: int) -> Whole:
    """Return the triangles between rings of points."""
    row, side = np.meshgrid(np.arange(rows - 1), np.arange(sides), indexing="ij")
    a, b = row * sides + side, row * sides + (side + 1) % sides
    quads = np.stack([a, b, b + sides, a + sides], axis=-1).reshape(-1, 4)
    return np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])


def _waves(random: np.random.Generator, points: Values) -> Values:
    """Return smooth noise, about -1 to 1, on a sphere: waves in random directions."""
    total = np.zeros(len(points))
    for frequency, weight in ((1.7, 0.6), (3.4, 0.45), (6.5, 0.3)):
        for _ in range(3):
            total += weight * np.sin(
                points @ (random.normal(size=3) * frequency) + random.uniform(0, 6.28)
            )
    return total / 2.2


@lru_cache(maxsize=8)
def ball_of(detail: int) -> tuple[Values, Whole]:
    """Return an icosahedron whose faces were divided ``detail`` times, of radius 1."""
    t = (1 + 5**0.5) / 2
    corners: Sequence[Sequence[float]] = (
        (-1, t, 0), (1, t, 0), (-1, -t, 0), (1, -t, 0), (0, -1, t), (0, 1, t),
        (0, -1, -t), (0, 1, -t), (t, 0, -1), (t, 0, 1), (-t, 0, -1), (-t, 0, 1),
    )  # fmt: skip
    points = [np.array(one) / np.hypot(1, t) for one in corners]
    faces = [
        (0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4),
        (11, 10, 2), (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9),
        (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1),
    ]  # fmt: skip
    for _ in range(detail):
        known: dict[tuple[int, int], int] = {}

        def middle(a: int, b: int, known: dict[tuple[int, int], int] = known) -> int:
            key = (min(a, b), max(a, b))
            if key not in known:
                both = points[a] + points[b]
                points.append(both / np.linalg.norm(both))
                known[key] = len(points) - 1
            return known[key]

        divided: list[tuple[int, int, int]] = []
        for a, b, c in faces:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            divided += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        faces = divided
    return np.array(points), np.array(faces)
