# SPDX-License-Identifier: GPL-3.0-or-later
"""What an export for a game engine is made from, and the registry of engines."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

HEIGHT, WEIGHTS, COLOR, NORMAL, MASK = "height", "weights", "color", "normal", "mask"
"""Kinds of files."""


@dataclass(frozen=True)
class Extent:
    """A terrain to be exported, in tiles that share the samples on their borders.

    Attributes
    ----------
    low, high : meters that 0 and 65535 stand for
    size_x, size_y : meters along x and y; the terrain is centered at (0, 0)
    side : samples along a side of a tile
    columns, rows : number of tiles along x and y
    """

    low: float
    high: float
    size_x: float
    size_y: float
    side: int
    columns: int = 1
    rows: int = 1

    @property
    def points(self) -> tuple[int, int]:
        """Samples of the whole along x and y."""
        step = self.side - 1
        return self.columns * step + 1, self.rows * step + 1

    @property
    def spacing(self) -> tuple[float, float]:
        """Meters between samples along x and y."""
        nx, ny = self.points
        return self.size_x / (nx - 1), self.size_y / (ny - 1)


class Engine:
    """An engine: which tiles it takes, how their files are named, and what is typed in.

    Heights are files of 16 bits without a header, unsigned, little-endian.

    Attributes
    ----------
    key : permanent name
    suffix : of height files
    north_first : whether the first row of a height file is the northern one
    steps : how the files are imported, sentence by sentence
    """

    key: ClassVar[str]
    label: ClassVar[str]
    suffix: ClassVar[str]
    north_first: ClassVar[bool]
    steps: ClassVar[Sequence[str]]

    def check(self, extent: Extent) -> None:
        """Raise ValueError with the sizes that fit, where the engine does not take these."""
        raise NotImplementedError

    def name(self, extent: Extent, column: int, row: int) -> str:
        """The name of a tile's height file; rows count from the lowest y."""
        raise NotImplementedError

    def enter(self, extent: Extent) -> dict[str, Any]:
        """Every number to type in, by the name of its field."""
        raise NotImplementedError


ENGINES: dict[str, Engine] = {}
"""All engines by key."""


def add(engine: Engine) -> None:
    """Register an engine."""
    ENGINES[engine.key] = engine


def named(key: str) -> Engine:
    """The engine of that key; ValueError names those that there are."""
    if key not in ENGINES:
        raise ValueError(f"There is no engine {key!r}; there are {', '.join(ENGINES)}")
    return ENGINES[key]


def card(engine: Engine, extent: Extent, files: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """The content of ``card.json``.

    ``low`` and ``high`` are meters, ``points`` the samples of the whole along x and y, ``files``
    have a ``path`` and a ``kind``, and ``enter`` holds every number to type in.

    Examples
    --------
    >>> extent = Extent(low=0.0, high=900.0, size_x=2016.0, size_y=2016.0, side=2017)
    >>> about = card(named("unreal"), extent, [{"path": "world_x0_y0.r16", "kind": "height"}])
    >>> about["points"], round(about["enter"]["Scale Z"], 2), about["enter"]["Location Z"]
    ([2017, 2017], 175.78, 45000.6867)
    """
    return {
        "engine": engine.key,
        "low": extent.low,
        "high": extent.high,
        "points": list(extent.points),
        "tiles": [extent.columns, extent.rows],
        "side": extent.side,
        "files": [dict(one) for one in files],
        "enter": engine.enter(extent),
    }


def readme(engine: Engine, about: Mapping[str, Any]) -> str:
    """The text of ``README.txt`` for a card."""
    nx, ny = about["points"]
    lines = [
        f"{engine.label}: {nx} x {ny} samples, {about['low']:.3f} to {about['high']:.3f} m",
        "",
        *(
            textwrap.fill(f"{number}. {step}", 78, subsequent_indent="   ")
            for number, step in enumerate(engine.steps, start=1)
        ),
        "",
        "Enter:",
        *(f"  {name}: {_text(value)}" for name, value in about["enter"].items()),
        "",
        "Files:",
        *(f"  {one['path']} ({one['kind']})" for one in about["files"]),
    ]
    return "\n".join(lines) + "\n"


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(_text, cast(list[Any], value)))
    return f"{value:.9g}" if isinstance(value, float) else str(value)
