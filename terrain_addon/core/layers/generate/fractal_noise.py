# SPDX-License-Identifier: GPL-3.0-or-later
"""Fractal noise: a sum of octaves."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Protocol

import numpy as np

from ... import noise
from ...numerics.arrays import Floats
from ...numerics.axis import RegularAxis
from ...numerics.blocks import by_bands
from ...settings.params import (
    Setting,
    declared,
    height_param,
    meters,
    param,
    seed_param,
    size_param,
)
from ..context import NOISE_SIDE, LayerContext
from ..kind import POINT, LayerKind, layer
from ..seamless import CellSize, noise_cells, seamless_size
from ._interpolated import Area, Interpolated, covered, wide_octaves
from .patterns._pattern import (
    usual_rotation,
    usual_warp_amount,
    usual_warp_octaves,
    usual_warp_size,
)
from .patterns._placing import Bends, Placing

MOST_KEPT = 2**21
"""Points of a grid up to which the noise of height 1 is kept for the next evaluation: a step of
*Height* then takes a multiplication. Larger arrays would displace results of lower layers."""


class _Owner(Protocol):
    @property
    def settings(self) -> tuple[Setting, ...]: ...


def with_noise_settings(cls: type[LayerKind]) -> type[LayerKind]:
    """Add the settings of all bases and fractals to a class, each shown for the bases or fractals
    that have it.

    The kind selects them with its own settings ``basis`` and ``fractal``.
    """
    found = _shown_by("basis", noise.BASES) | _shown_by("fractal", noise.FRACTALS)
    names = {"__module__": cls.__module__, "__qualname__": cls.__name__, "__doc__": cls.__doc__}
    fields = {name: declared(setting) for name, setting in found.items()}
    annotations: dict[str, Any] = {name: type(setting.default) for name, setting in found.items()}
    return type(cls.__name__, (cls,), {**names, "__annotations__": annotations, **fields})


def _shown_by(chooser: str, owners: Mapping[str, _Owner]) -> dict[str, Setting]:
    """Return settings of the owners by name, shown where ``chooser`` is an owner that declares
    them."""
    found: dict[str, Setting] = {}
    keys: dict[str, tuple[str, ...]] = {}
    for key, owner in owners.items():
        for setting in owner.settings:
            if found.setdefault(setting.name, setting) != setting:
                raise ValueError(f"Two kinds of noise differ in what {setting.name!r} means")
            keys[setting.name] = (*keys.get(setting.name, ()), key)
    return {
        name: dataclasses.replace(setting, shown_if=(chooser, keys[name]))
        for name, setting in found.items()
    }


def noise_settings(kind: Any) -> dict[str, Any]:
    """Return the values of the settings that the selected basis and fractal declare."""
    owners = (noise.BASES[kind.basis], noise.FRACTALS[kind.fractal])
    return {s.name: getattr(kind, s.name) for owner in owners for s in owner.settings}


SUMS = tuple(key for key in noise.FRACTALS if key != "none")
IN_3D = tuple(key for key, basis in noise.BASES.items() if 3 in basis.dimensions)
SAMPLES_PER_CELL = 2.0  # finer octaves fade out, unless they are kept
_octaves_param = partial(param, shown_if=("fractal", SUMS))


class _Placed(LayerKind):
    """Placement and warp of the noise, shown after its other settings."""

    shown_last = True

    seed: int = seed_param("Seed of the noise")
    offset_x: float = param(0.0, "Offset X", "Moves the pattern along X", unit="m", advanced=True)
    offset_y: float = param(0.0, "Offset Y", "Moves the pattern along Y", unit="m", advanced=True)
    rotation: float = usual_rotation(advanced=True)
    animate: bool = param(
        False,
        "Animate",
        "Sample a slice of three-dimensional noise, which can be animated",
        shown_if=("basis", IN_3D),
        advanced=True,
    )
    evolution: float = param(
        0.0,
        "Evolution (W)",
        "Position of the slice in the third dimension: animate it to make the terrain flow",
        min=-1e6,
        max=1e6,
        soft_min=-10.0,
        soft_max=10.0,
        shown_if=("animate", (True,)),
        advanced=True,
    )
    warp_amount: float = usual_warp_amount()
    warp_size: float = usual_warp_size(400.0, advanced=True)
    warp_octaves: int = usual_warp_octaves(advanced=True)
    seamless: bool = param(
        False,
        "Seamless",
        "Make opposite borders match: sizes are rounded to fit a whole number of times, "
        "lacunarity to whole numbers, rotation to quarter turns",
        advanced=True,
    )
    octave_seeds: str = _octaves_param(
        "increment",
        "Octave Seeds",
        "How the octaves of a noise differ",
        choices=[
            ("increment", "Seed", "Each octave uses the next seed"),
            ("offset", "Offset", "Each octave is shifted two cells farther than the last"),
            ("same", "Nothing", "All octaves are the same noise at different sizes"),
        ],
        advanced=True,
    )
    normalize: bool = _octaves_param(
        True,
        "Normalize",
        "Keep the height independent of the number of octaves and the gain",
        advanced=True,
    )
    keep_fine: bool = _octaves_param(
        True,
        "Keep Fine Octaves",
        "Keep octaves that are finer than two samples, so that heights do not change with "
        "the resolution. Without them, terrain of low resolution is smoother",
        advanced=True,
    )


@layer("fractal_noise", "Fractal Noise", "Hills and valleys from octaves of noise", icon="RNDCURVE")
@with_noise_settings
class FractalNoise(_Placed):
    """``height * noise(position / size)``, from ``-height`` to ``height``.

    A point's height depends on its position only, to the bit, in any window of a grid. Without
    ``keep_fine`` it also depends on the spacing: octaves with cells narrower than two samples,
    which would alias, are faded out. Grids that resolve all octaves still agree, to the bit or,
    with OpenSimplex noise or a warp, to a millionth of the height. A coarser grid differs from
    them by no more than the octaves that it cannot show.

    Rotated or warped noise is sampled point by point, but wide octaves of a plain sum and of the
    warp are interpolated. The error is below 2e-3 of the height, at positions within 5e-4 of the
    warp. Previews and bakes are computed alike; finer grids interpolate more octaves.
    """

    depends_on = POINT

    basis: str = param(
        "perlin",
        "Basis",
        "Type of noise for all octaves",
        choices=[(key, basis.label, basis.help) for key, basis in noise.BASES.items()],
    )
    fractal: str = param(
        "fbm",
        "Fractal",
        "How the octaves are combined",
        choices=[(key, kind.label, kind.help) for key, kind in noise.FRACTALS.items()],
    )
    size: float = size_param(
        400.0,
        "Feature Size",
        "Size of the largest hills: one cell of the first octave",
        min=1e-4,
        soft_max=5000.0,
    )
    height: float = height_param(100.0, "Height", "Factor on the noise, which is about -1 to 1")
    octaves: int = _octaves_param(
        8, "Octaves", "Number of noise sizes, each finer than the last", min=1, max=32, soft_max=12
    )
    lacunarity: float = _octaves_param(
        2.0,
        "Lacunarity",
        "How much finer each octave is than the last: with 2, its hills are half as wide",
        min=0.1,
        max=10.0,
        soft_min=1.5,
        soft_max=3.0,
        advanced=True,
    )
    gain: float = _octaves_param(
        0.5,
        "Gain",
        "Roughness: strength of each octave relative to the last; also called persistence",
        min=0.0,
        max=4.0,
        soft_max=1.0,
    )
    weighted_strength: float = _octaves_param(
        0.0,
        "Octave Weight",
        "How much smoother low ground is than high ground, as after erosion: there, each octave "
        "weakens the finer ones",
        unit="factor",
        advanced=True,
    )
    ping_pong_strength: float = param(
        2.0,
        "Ping-Pong",
        "Number of times that the noise is folded",
        min=0.0,
        max=100.0,
        soft_min=0.5,
        soft_max=8.0,
        shown_if=("fractal", ("ping_pong",)),
    )

    def note_on(self, name: str, size: float, length: Callable[[float], str] = meters) -> str:
        """Return the actual value in a seamless noise; of sizes, along the longer side."""
        if not self.seamless:
            return ""
        if name in ("size", "warp_size"):
            return seamless_size(size, getattr(self, name), length)
        made = {"lacunarity": self._lacunarity, "rotation": 90 * self._quarters}.get(name)
        if made is None or f"{made:g}" == f"{getattr(self, name):g}":
            return ""
        return f"Seamless: {made:g}{'°' if name == 'rotation' else ''}"

    @property
    def _quarters(self) -> float:
        """The rotation in quarter turns."""
        quarters = self.rotation / 90
        return float(round(quarters)) if self.seamless else quarters

    @property
    def _lacunarity(self) -> float:
        return max(1.0, float(round(self.lacunarity))) if self.seamless else self.lacunarity

    def apply(self, context: LayerContext) -> Floats:
        if context.seamless and not self.seamless:
            return dataclasses.replace(self, seamless=True).apply(context)
        height = np.float32(self.height)
        if context.grid.nx * context.grid.ny > MOST_KEPT:
            values = self._values(context)
        else:
            alike = dataclasses.replace(self, height=1.0)
            place = context.grid, context.size_x, context.size_y, context.seed
            values = context.kept((alike, *place), lambda: self._values(context))
        if values.flags.writeable:  # it is not kept
            values *= height
            return values

        def scaled(noise: Floats) -> Floats:
            return noise * height

        return by_bands(scaled, context.cancelled, values)

    def _values(self, context: LayerContext) -> Floats:
        """Return the noise of height 1."""
        quarters = self._quarters
        if quarters.is_integer() and not self.warp_amount:
            return self._on_axes(context, int(quarters))
        return self._at_points(context, quarters)

    def _sampling(self, context: LayerContext, cells: CellSize) -> dict[str, Any]:
        """Return the arguments of both ways of sampling; ``cells`` lie along x and y."""
        grid = context.grid
        return {
            "z": self.evolution if self.animate and self.basis in IN_3D else None,
            "seed": context.seed + self.seed,
            "fractal": self.fractal,
            "octaves": self.octaves,
            "lacunarity": self._lacunarity,
            "gain": self.gain,
            "weighted_strength": self.weighted_strength,
            "ping_pong_strength": self.ping_pong_strength,
            "octave_seeds": self.octave_seeds,
            "normalize": self.normalize,
            "fade_under": None if self.keep_fine else SAMPLES_PER_CELL,
            "spacing": max(grid.dx / cells.x, grid.dy / cells.y),
            **noise_settings(self),
        }

    def _on_axes(self, context: LayerContext, quarters: int) -> Floats:
        """Sample the noise on a grid whose axes are those of the noise: the fast way."""
        cells = noise_cells(context, self.size, self.seamless)
        x = (context.grid.across - self.offset_x) / cells.x
        y = (context.grid.along - self.offset_y) / cells.y
        axes = [(x, y), (y, -x), (-x, -y), (-y, x)][quarters % 4]
        values = noise.sample_grid(
            self.basis,
            *axes,
            period=cells.turned(quarters).count,
            progress=context.progress,
            cancelled=context.cancelled,
            **self._sampling(context, cells),
        )
        return values if quarters % 2 == 0 else np.ascontiguousarray(values.T)

    def _at_points(self, context: LayerContext, quarters: float) -> Floats:
        """Sample rotated or warped noise point by point, with wide octaves interpolated.

        Seamless noise is rotated by whole quarters.
        """
        turns = round(quarters)
        flat = noise_cells(context, self.size, self.seamless)
        cells, bends = flat.turned(turns), self._bends(context, turns)
        settings, octaves = (
            self._sampling(context, flat),
            self.octaves if self.fractal in SUMS else 1,
        )
        x, y = context.grid.across - self.offset_x, context.grid.along - self.offset_y
        area = Area.of(x, y)
        points = self._lattice_points(settings, max(flat.x, flat.y), bends)
        wide, pitch = wide_octaves(area.spacing, flat, settings["lacunarity"], points)

        def some(first: int, stop: int, area: Area) -> Callable[[RegularAxis, RegularAxis], Floats]:
            """Sample some of the octaves at the crossings of two axes in an area."""
            placing = Placing(area, 90 * quarters, bends, cells, context.cancelled)
            return lambda x, y: noise.sample(
                self.basis,
                *placing.places(x, y),
                period=cells.count,
                only=(first, stop),
                cancelled=context.cancelled,
                **settings,
            )

        parts: list[Callable[[RegularAxis, RegularAxis], Floats]] = []
        if wide:
            broad = some(0, wide, covered(area, pitch))
            lattice = Interpolated(area, pitch, lambda x, y: [broad(x, y)])
            parts.append(lambda x, y: lattice.at(x, y)[0])
        if wide < octaves:
            parts.append(some(wide, octaves, area))
        out = np.zeros(context.grid.shape, np.float32)
        for rows, columns in context.squares(NOISE_SIDE):
            for part in parts:
                out[rows, columns] += part(x[columns], y[rows])
        return out

    def _bends(self, context: LayerContext, turns: int) -> Bends | None:
        if not self.warp_amount:
            return None
        cells = noise_cells(context, self.warp_size, self.seamless).turned(turns)
        return Bends(self.warp_amount, cells, self.warp_octaves, context.seed + self.seed)

    def _lattice_points(
        self, settings: Mapping[str, Any], cell: float, bends: Bends | None
    ) -> list[float]:
        """Return the lattice points per cell that each octave needs to be interpolated; none if it
        cannot be.

        ``cell`` is the width of the first.
        """
        if self.fractal not in ("none", "fbm") or self.weighted_strength:
            return []
        dimensions = 2 if settings["z"] is None else 3
        least = noise.BASES[self.basis].spline_points.get(dimensions)
        if least is None:
            return []
        count = self.octaves if self.fractal in SUMS else 1
        if bends is None:
            return [least] * count
        cells = (cell / settings["lacunarity"] ** octave for octave in range(count))
        return [max(least * bends.stretch, bends.points(cell)) for cell in cells]
