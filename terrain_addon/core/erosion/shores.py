# SPDX-License-Identifier: GPL-3.0-or-later
"""Shores by their exposure: cliffs above platforms where waves attack, sand where they do not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..numerics.arrays import Floats
from .smoothing import smoothstep

BARE = 0.0125
"""Depth to which ground is worn where the rock is bare, relative to the width of platforms."""
FOOT = 0.25
"""Share of a platform above the sea: its inner edge is at high tide."""
LOW_COAST = 0.35
"""Share of the attack of waves on a coast that is too low for cliffs, where their sand stays."""
WAVER = 1.5
"""How much the width of a platform differs from place to place, as a share for noise of 1."""
ROUGH = 2.0
"""Roughness of a platform, as a share of the height of its inner edge."""
SEAWARD = 0.5
"""Share of a beach that lies before the shoreline of the rock."""
LEAST = np.float32(1e-3)
"""Meters, where a width is divided by."""
TOE = 1.5
"""Widths of a beach over which its sand thins out below the sea."""


@dataclass(frozen=True)
class Shores:
    """Forms of the shores.

    Attributes
    ----------
    sea : float
        Meters, height of the water.
    beach : float
        Meters, width of beaches in full shelter.
    beach_slope : float
        Tangent of their slope; measured 3 to 8 degrees (Bascom, 1951).
    cliff : float
        Meters above the sea from which coasts are too high for the waves to make them beaches.
    platform : float
        Meters, width of the shore platform on a straight coast of the open sea.
    platform_slope : float
        Tangent of its slope; measured 1 to 3 degrees (Trenhaile, 1987).
    cliff_slope : float
        Tangent of the slope of cliffs.
    """

    sea: float
    beach: float
    beach_slope: float
    cliff: float
    platform: float
    platform_slope: float
    cliff_slope: float

    @property
    def inland(self) -> float:
        """Meters from the shoreline on land that waves change anything."""
        return max(2.9 * self.platform + 2 * self.cliff / self.cliff_slope, 2.5 * self.beach)

    @property
    def seaward(self) -> float:
        """Meters from the shoreline out at sea that sand is laid."""
        return (TOE + SEAWARD) * self.beach

    def shares(self, exposed: Floats, high: Floats, dry: Floats) -> tuple[Floats, Floats]:
        """Return how strongly waves attack, 1 on a straight high coast and more on headlands, and
        how wide beaches are, as a share of the widest.

        Sand gathers in shelter, where the coast is low or the shore a bay.

        Parameters
        ----------
        exposed : ndarray of float32, shape (H, W)
            From :func:`.exposure.exposure`.
        high : ndarray of float32, shape (H, W)
            Meters, mean height above the sea of the land around.
        dry : ndarray of float32, shape (H, W)
            Share of land around: half on a straight shore, more in bays.
        """
        lift = smoothstep(0.4 * self.cliff, 1.2 * self.cliff, high)
        attack = smoothstep(0.45, 1.1, exposed)
        attack += np.float32(0.5) * smoothstep(1.0, 1.4, exposed)
        attack *= np.float32(LOW_COAST) + np.float32(1 - LOW_COAST) * lift
        sand = np.maximum(1 - lift, smoothstep(0.52, 0.68, dry))
        sand *= 1 - smoothstep(0.25, 0.8, attack)
        return attack, sand


@dataclass(frozen=True)
class Reworked:
    """Ground that waves have reworked.

    Attributes
    ----------
    height : ndarray of float32
        Meters.
    beach : ndarray of float32
        How much of the ground is the sand of a beach, 0 to 1.
    platform : ndarray of float32
        How much of it is rock that waves have cut, 0 to 1.
    """

    height: Floats
    beach: Floats
    platform: Floats


def reworked(
    height: Floats,
    inland: Floats,
    attack: Floats,
    sand: Floats,
    waver: Floats,
    stacks: Floats,
    shores: Shores,
) -> Reworked:
    """Return the ground that waves leave.

    Parameters
    ----------
    height : ndarray of float32, shape (H, W)
        Meters.
    inland : ndarray of float32, shape (H, W)
        Meters from the shoreline, positive on land.
    attack, sand : ndarray of float32, shape (H, W)
        From :meth:`Shores.shares`.
    waver : ndarray of float32, shape (H, W)
        Noise, -1 to 1, by which cliffs lie farther in or out.
    stacks : ndarray of float32, shape (H, W)
        Meters above the sea up to which stacks are left standing; -inf elsewhere.
    shores : Shores
        Forms of the shores.

    Returns
    -------
    Reworked
        Heights and the share of sand and rock.
    """
    above = height - np.float32(shores.sea)
    cut, rock = _cut(above, inland, attack, waver, shores)
    np.maximum(cut, np.minimum(above, stacks), out=cut)
    out, cover = _sanded(cut, inland, sand, shores)
    rock *= 1 - cover
    return Reworked(out + np.float32(shores.sea), cover, rock)


def retreat(attack: Floats, waver: Floats, shores: Shores) -> Floats:
    """Return how far cliffs have retreated in meters, the width of the platform before them."""
    share = np.clip(1 + np.float32(WAVER) * waver, np.float32(0.15), np.float32(1.85))
    share *= np.float32(shores.platform)
    share *= attack
    return share


def _cut(
    above: Floats, inland: Floats, attack: Floats, waver: Floats, shores: Shores
) -> tuple[Floats, Floats]:
    """Cut a platform with a cliff at its inner edge; return heights above the sea and the share of
    platform."""
    slope = np.float32(shores.platform_slope)
    width = retreat(attack, waver, shores)
    foot = np.float32(FOOT) * width * slope
    behind = inland - width
    foot *= 1 + np.float32(ROUGH) * waver
    limit = foot + np.where(behind > 0, np.float32(shores.cliff_slope) * behind, slope * behind)
    # A high coast keeps the land that is farther in than anything changes.
    far = np.float32(shores.inland)
    limit += np.float32(1e3) * np.maximum(inland - np.float32(0.8) * far, 0)
    weight = smoothstep(0.05, 0.25, attack)
    worn = weight * np.maximum(above - limit, 0)
    share = behind / np.clip(width, LEAST, None)
    flat = 1 - smoothstep(-0.05, 0.1, share)
    rock = weight * flat * smoothstep(0.0, BARE * shores.platform, worn)
    return above - worn, rock


def _sanded(
    above: Floats, inland: Floats, shelter: Floats, shores: Shores
) -> tuple[Floats, Floats]:
    """Lay beaches; return heights above the sea and the share of sand."""
    width: Floats = shelter * np.float32(shores.beach)
    np.maximum(width, LEAST, out=width)
    along = inland / width + np.float32(SEAWARD)  # 0 at the edge of the water
    slope: Floats = width * np.float32(shores.beach_slope)
    # From the water up to a level berm, and down in a straight line.
    beach: Floats = np.where(along > 0, np.tanh(along), along)
    beach *= slope
    fill = shelter * smoothstep(-TOE, -0.6, along) * (1 - smoothstep(1.0, 2.0, along))
    out = above.copy()
    out += fill * np.maximum(beach - above, 0)
    low = 1 - smoothstep(0.5 * shores.cliff, shores.cliff, above)
    worn = shelter * low * (1 - smoothstep(0.7, 1.5, along)) * smoothstep(-TOE, -0.6, along)
    out += worn * np.minimum(beach - out, 0)
    thick = np.abs(out - beach)
    thick /= slope + LEAST
    sand: Floats = np.maximum(fill, worn)
    sand *= 1 - smoothstep(0.15, 0.5, thick)
    return out, sand
