# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of glacial erosion, in an artist's words."""

from __future__ import annotations

from ...settings.params import Settings, factor_param, param, settings_of

ICE = ("glaciers", (True,))


class GlacialSettings(Settings):
    """Settings of the glaciers that reshape the valleys of rivers."""

    def glacial_settings(self) -> tuple[str | float | bool, ...]:
        """Return the values of the settings of this class, without those of subclasses."""
        return tuple(getattr(self, setting.name) for setting in settings_of(GlacialSettings))

    glaciers: bool = param(
        False,
        "Glaciers",
        "Glaciers of an ice age have reshaped the valleys above and below the snow line",
    )
    snow_line: float = param(
        0.0,
        "Snow Line",
        "Height above which snow becomes ice; 0: automatic (where the colors begin to show snow, "
        "or else 60 % of the height of the terrain)",
        min=-1e6,
        max=1e6,
        soft_min=0.0,
        soft_max=4000.0,
        unit="m",
        shown_if=ICE,
    )
    trough_width: float = param(
        0.6,
        "Trough Width",
        "Width of the valleys that glaciers leave, in valley spacings; large glaciers leave wider "
        "ones, small glaciers narrower ones",
        min=0.0,
        max=10.0,
        soft_max=2.0,
        shown_if=ICE,
        advanced=True,
    )
    trough_depth: float = param(
        0.25,
        "Trough Depth",
        "How far glaciers deepen valleys, in valley spacings; troughs below the sea are fjords",
        min=0.0,
        max=10.0,
        soft_max=1.0,
        shown_if=ICE,
        advanced=True,
    )
    basins: float = factor_param(
        0.5,
        "Basins",
        "How uneven the ground of the troughs is: deep basins for lakes, and bars of rock between",
        shown_if=ICE,
        advanced=True,
    )
    ice_reach: float = param(
        3.0,
        "Ice Reach",
        "How far glaciers flow below the snow line: at 1 ice melts as fast as it gathers at the "
        "same distance above the line, at 3 a third as fast",
        min=0.0,
        max=100.0,
        soft_max=10.0,
        shown_if=ICE,
        advanced=True,
    )
    moraines: float = factor_param(
        0.5,
        "Moraines",
        "How much debris lies along the edges and ends of the glaciers",
        shown_if=ICE,
        advanced=True,
    )
