# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums of octaves: the interface of fractals, and the common sums."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...numerics.work_arrays import Scratch
from ...settings.params import Setting
from .octave import Field, Octave

LARGEST = 1e36
"""Limit of intermediate values: float32 ends at 3.4e38, and noise may exceed -1..1 slightly in each
octave."""
MEAN_ABSOLUTE = 0.25
"""About the mean of |noise|: folded octaves too fine for a grid fade to it."""


class Fractal:
    """One way to combine octaves into one field. Instances live in :data:`FRACTALS`.

    Attributes
    ----------
    name : str
        Key in saved files, permanent.
    label, help : str
        For the user interface.
    settings : tuple of Setting
        Extra settings of this fractal, accepted by name.
    rest : float
        Value that a folded octave too fine for a grid fades to: its mean, so that a coarse grid has
        the level of a fine one.
    one_sided : bool
        The sum is never negative; normalizing then brings 0..1 to -1..1.
    """

    name: str
    label: str
    help: str
    settings: tuple[Setting, ...] = ()
    rest: float = 0.0
    one_sided: bool = False

    def bound(self, gains: Sequence[float], settings: Mapping[str, Any]) -> float:
        """Return the largest value of the sum, for octaves of those amplitudes and noise in
        -1..1."""
        return sum(abs(gain) for gain in gains)

    def largest(self, total: FractalSum) -> float:
        """Return the largest intermediate value, about, that float32 must hold."""
        return self.bound(total.gains, total.settings)

    def farthest(self, total: FractalSum) -> float:
        """Return the largest distance from the given points, in noise units, at which octaves are
        sampled.

        2**20 of an octave's own cells come on top, which the limits of integers leave free.
        """
        return 0.0

    def plain(self, total: FractalSum) -> bool:
        """Return whether the sum is linear in the octaves, so that amplitudes can be folded
        away."""
        return False

    def fold(self, running: RunningSum) -> None:
        """Fold the noise of an octave, in place; by default leave it."""

    def add(self, running: RunningSum, number: int) -> None:
        """Add octave ``number``, folded; overwrites its noise.

        Octave 0 initializes ``out`` and ``state``, which keeps what the next octave needs.
        """
        raise NotImplementedError

    def finish(self, running: RunningSum) -> None:
        """Add the mean of the octaves too fine for the grid, and scale the sum."""
        running.add_hidden()
        running.total.normalize(running.out)


FRACTALS: dict[str, Fractal] = {}
"""Every way to sum octaves by name."""


def register_fractal(fractal: Fractal) -> None:
    """Enter a fractal; ValueError when its name is taken."""
    if fractal.name in FRACTALS:
        raise ValueError(f"There is already a fractal named {fractal.name!r}")
    FRACTALS[fractal.name] = fractal


@dataclass(frozen=True)
class FractalArguments:
    """How octaves are summed: arguments of ``noise.sample`` and ``noise.sample_grid``."""

    fractal: str
    seed: int
    octaves: int
    lacunarity: float
    gain: float
    weighted_strength: float
    ping_pong_strength: float
    octave_seeds: str
    normalize: bool
    period: tuple[int, int] | None
    fade_under: float | None


@dataclass(frozen=True)
class FractalSum:
    """A fractal with its settings, ready to add octaves up. Made by :func:`fractal_sum`.

    Attributes
    ----------
    given : FractalArguments
        The arguments that it was made from.
    all_octaves : tuple of Octave
        Coarse to fine.
    presence : tuple of float
        Weight of each, 0 (too fine for the grid) to 1, without trailing zeros.
    gains : tuple of float
        Amplitude of every octave.
    scale, shift : float
        Applied to the sum at the end.
    """

    fractal: Fractal
    given: FractalArguments
    settings: Mapping[str, Any]
    dimensions: int
    all_octaves: tuple[Octave, ...]
    presence: tuple[float, ...]
    gains: tuple[float, ...]
    scale: float = 1.0
    shift: float = 0.0

    @property
    def octaves(self) -> tuple[Octave, ...]:
        """The octaves that are not too fine for the grid."""
        return self.all_octaves[: len(self.presence)]

    @property
    def plain(self) -> bool:
        """The sum is linear in the octaves, so amplitudes can be folded into blend weights."""
        return self.fractal.plain(self)

    def amplitude(self, number: int) -> float:
        """Return the factor of an octave in a plain sum."""
        return self.gains[number] * self.scale * self.presence[number]

    def normalize(self, out: Field) -> None:
        """Scale and shift the sum, in place."""
        if self.scale != 1:
            out *= np.float32(self.scale)
        if self.shift:
            out += np.float32(self.shift)


class RunningSum:
    """Octaves of some points as they are added up. All arrays have one shape.

    Attributes
    ----------
    noise : ndarray of float32
        The octave to be added.
    out : ndarray of float32
        The sum.
    state : ndarray of float32
        Amplitudes that a fractal keeps for the next octave.
    """

    def __init__(
        self, total: FractalSum, out: Field, scratch: Scratch, noise: Field | None = None
    ) -> None:
        self.total, self.out, self.scratch = total, out, scratch
        self.noise = scratch("octave", out.shape) if noise is None else noise
        self.state = scratch("amplitude", out.shape)

    def add(self, number: int) -> None:
        """Add octave ``number``, which is in ``noise``; overwrites that. The last one completes
        the sum."""
        fractal, shown = self.total.fractal, self.total.presence[number]
        fractal.fold(self)
        if shown < 1:
            self.noise *= np.float32(shown)
            if fractal.rest:
                self.noise += np.float32((1 - shown) * fractal.rest)
        fractal.add(self, number)
        if number == len(self.total.octaves) - 1:
            fractal.finish(self)

    def add_hidden(self) -> None:
        """Add the mean of the octaves too fine for the grid."""
        for number in range(len(self.total.octaves), len(self.total.gains)):
            self.noise.fill(self.total.fractal.rest)
            self.total.fractal.add(self, number)

    def limit(self, field: Field) -> None:
        """Limit values to 1, in place."""
        one = self.scratch("one", field.shape)  # np.minimum with a scalar is five times slower
        one.fill(1)
        np.minimum(field, one, out=field)


class AmplitudeSum(Fractal):
    """Sum of amplitude * signal, as in FastNoiseLite (Jordan Peck, 2020).

    Signal and weight are linear in the folded noise. With a weighted strength w, the next
    amplitude is multiplied by ``1 + w * (weight - 1)``.
    """

    def __init__(
        self,
        name: str,
        label: str,
        help: str,
        *,
        fold: Callable[[RunningSum], None] | None = None,
        rest: float = 0.0,
        signal: tuple[float, float] = (0.0, 1.0),
        weight: tuple[float, float] = (0.5, 0.5),
    ) -> None:
        self.name, self.label, self.help = name, label, help
        self.rest, self._fold, self._signal, self._weight = rest, fold, signal, weight

    def largest(self, total: FractalSum) -> float:
        rise = max(1.0, abs(1 - total.given.weighted_strength))
        rises = powers(rise, len(total.gains))
        return total.scale * sum(abs(g) * r for g, r in zip(total.gains, rises, strict=True))

    def plain(self, total: FractalSum) -> bool:
        return self._fold is None and not total.given.weighted_strength

    def fold(self, running: RunningSum) -> None:
        if self._fold is not None:
            self._fold(running)

    def add(self, running: RunningSum, number: int) -> None:
        total, noise, out, state = running.total, running.noise, running.out, running.state
        start, slope = self._signal
        if not total.given.weighted_strength:  # start is added once, by finish
            noise *= np.float32(slope * (total.gains[number] * total.scale))
            if number:
                out += noise
            else:
                np.copyto(out, noise)
            return
        if number == 0:
            state.fill(total.gains[0] * total.scale)
            out.fill(0)
        signal = running.scratch("signal", noise.shape)
        np.multiply(noise, np.float32(slope), out=signal)
        if start:
            signal += np.float32(start)
        signal *= state
        out += signal
        if number + 1 < len(total.gains):
            self._next_amplitude(running)

    def _next_amplitude(self, running: RunningSum) -> None:
        first, second = self._weight
        given, noise = running.total.given, running.noise
        gain, strength = given.gain, given.weighted_strength
        if self._fold is None and running.total.dimensions == 2:  # FastNoiseLite does so in 2D only
            running.limit(noise)
        noise *= np.float32(gain * strength * second)
        noise += np.float32(gain * (1 + strength * (first - 1)))
        running.state *= noise

    def finish(self, running: RunningSum) -> None:
        total = running.total
        start, slope = self._signal
        if not total.given.weighted_strength:
            hidden = sum(total.gains[len(total.octaves) :])
            constant = total.scale * (start * sum(total.gains) + slope * self.rest * hidden)
            if constant:
                running.out += np.float32(constant)
        elif start + slope * self.rest:
            running.add_hidden()


def absolute(running: RunningSum) -> None:
    """Fold about zero."""
    np.abs(running.noise, out=running.noise)


def _ping_pong(running: RunningSum) -> None:
    """Apply the triangle wave 0..1 of (noise + 1) * strength, period 2."""
    noise = running.noise
    noise += np.float32(1)
    noise *= np.float32(running.total.given.ping_pong_strength)
    turns = running.scratch("signal", noise.shape)
    np.multiply(noise, np.float32(0.5), out=turns)
    np.trunc(turns, out=turns)
    turns *= np.float32(2)
    noise -= turns
    noise -= np.float32(1)
    np.abs(noise, out=noise)
    np.subtract(np.float32(1), noise, out=noise)


for _fractal in (
    AmplitudeSum("none", "None", "A single octave of the basis"),
    AmplitudeSum("fbm", "fBm", "Octaves of ever finer noise, each fainter than the last"),
    AmplitudeSum(
        "ridged",
        "Ridged",
        "Sharp crests where the noise changes sign",
        fold=absolute,
        rest=MEAN_ABSOLUTE,
        signal=(1.0, -2.0),
        weight=(1.0, -1.0),
    ),
    AmplitudeSum(
        "billow",
        "Billow",
        "Rounded lumps with sharp creases, also known as turbulence",
        fold=absolute,
        rest=MEAN_ABSOLUTE,
        signal=(-1.0, 2.0),
        weight=(0.0, 1.0),
    ),
    AmplitudeSum(
        "ping_pong",
        "Ping-pong",
        "The noise folded back and forth, like contour bands",
        fold=_ping_pong,
        rest=0.5,
        signal=(-1.0, 2.0),
        weight=(0.0, 1.0),
    ),
):
    register_fractal(_fractal)


def fractal_sum(
    fractal: Fractal,
    octaves: tuple[Octave, ...],
    given: FractalArguments,
    settings: Mapping[str, Any],
    dimensions: int,
    spacing: float,
) -> FractalSum:
    """Return a sum of those octaves; with ``normalize``, divided by the largest value it can take.

    With ``fade_under``, octaves whose cells are narrower than that many samples of ``spacing``
    fade out, and the others stay as they are. ValueError where float32 cannot hold the sum.
    """
    gains, limit = powers(given.gain, len(octaves)), given.fade_under
    presence = [
        1.0 if limit is None else _presence(octave.frequency * spacing, limit) for octave in octaves
    ]
    while len(presence) > 1 and not presence[-1]:
        presence.pop()
    total = FractalSum(fractal, given, settings, dimensions, octaves, tuple(presence), gains)
    if given.normalize:
        scale = (2 if fractal.one_sided else 1) / (fractal.bound(gains, settings) or 1.0)
        total = replace(total, scale=scale, shift=-1.0 if fractal.one_sided else 0.0)
    if not fractal.largest(total) <= LARGEST:  # NaN is refused too
        raise ValueError(
            "The sum of the octaves grows beyond what numbers can hold: use fewer octaves, or a "
            "gain nearer to 0"
        )
    if total.scale > LARGEST:
        raise ValueError(
            "The octaves come to less than numbers can tell from 0: use fewer octaves, or a gain "
            "nearer to 1"
        )
    return total


def powers(factor: float, count: int) -> tuple[float, ...]:
    """Return 1, ``factor``, its square and so on; infinite where float64 cannot hold them."""

    def power(k: int) -> float:
        try:
            return factor**k
        except OverflowError:
            return math.inf

    return tuple(power(k) for k in range(count))


def _presence(cells_per_sample: float, limit: float) -> float:
    """Return 1 where cells are ``limit`` samples or wider, 0 at half that, a smoothstep between."""
    t = min(max(2 / (max(cells_per_sample, 1e-30) * limit) - 1, 0.0), 1.0)
    return t * t * (3 - 2 * t)
