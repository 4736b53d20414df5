# SPDX-License-Identifier: GPL-3.0-or-later
"""What an export for a game engine is made from, and the registry of engines."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from ...numerics.arrays import Doubles

HEIGHT, WEIGHTS, COLOR, NORMAL, MASK = "height", "weights", "color", "normal", "mask"
"""Kinds of files."""
CONTROL = "control"
"""Kind of a file that holds the weights in an engine's own way."""
OPENGL, DIRECTX = "opengl", "directx"
MOST = 65535
"""The highest number of a file of 16 bits."""
LEAST_RANGE = 1.0
"""Meters of the range of level terrain, which no engine could scale otherwise."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_RESERVED = re.compile(r"con|prn|aux|nul|com\d|lpt\d", re.IGNORECASE)
_SIZE = re.compile(r"\d+x\d+", re.IGNORECASE)


@dataclass(frozen=True)
class Extent:
    """A terrain to be exported, in tiles that share the samples on their borders.

    Attributes
    ----------
    low, high : meters that 0 and 65535 stand for
    size_x, size_y : meters along x and y; the terrain is centered at (0, 0)
    sides : samples of a tile along x and y
    columns, rows : number of tiles along x and y
    name : what names of files begin with
    suffix : of height files, "" for the usual one of the engine
    """

    low: float
    high: float
    size_x: float
    size_y: float
    sides: tuple[int, int]
    columns: int = 1
    rows: int = 1
    name: str = "world"
    suffix: str = ""

    @property
    def points(self) -> tuple[int, int]:
        """Samples of the whole along x and y."""
        nx, ny = self.sides
        return self.columns * (nx - 1) + 1, self.rows * (ny - 1) + 1

    @property
    def spacing(self) -> tuple[float, float]:
        """Meters between samples along x and y."""
        nx, ny = self.points
        return self.size_x / (nx - 1), self.size_y / (ny - 1)

    @property
    def tile_size(self) -> tuple[float, float]:
        """Meters of a tile along x and y."""
        return self.size_x / self.columns, self.size_y / self.rows

    @property
    def is_tiled(self) -> bool:
        """Whether there are several tiles."""
        return self.columns * self.rows > 1

    @property
    def is_float(self) -> bool:
        """Whether height files hold meters, not numbers of 16 bits."""
        return self.suffix in (".exr", ".tif", ".npy")


def scale_range(
    low: float, high: float, wanted: tuple[float, float] | None = None
) -> tuple[float, float]:
    """Return the meters that 0 and 65535 stand for, by default the range of the heights.

    ValueError for heights from ``low`` to ``high`` that exceed the range wanted.

    Examples
    --------
    >>> scale_range(20.0, 90.0), scale_range(20.0, 20.0), scale_range(20.0, 90.0, (0.0, 100.0))
    ((20.0, 90.0), (20.0, 21.0), (0.0, 100.0))
    """
    if wanted is None:
        return low, max(high, low + LEAST_RANGE)
    if not wanted[0] <= low <= high <= wanted[1]:
        raise ValueError(
            f"The heights are {low:g} to {high:g} m: a range of {wanted[0]:g} to {wanted[1]:g} m "
            "would cut them off"
        )
    return wanted


class Engine:
    """An engine: which tiles it takes, how their files are named, and what is typed in.

    Attributes
    ----------
    key : permanent name
    sizes : samples along the longer side of a tile that menus offer
    usual : the one among them that is the default
    suffixes : of the height files that it takes, the usual one first, of 16 bits
    north_first : whether the first row of a raw height file is the northern one; images always
        have north on top
    rectangular : whether a tile may have other numbers of samples along x and y
    materials : colors of the color image by surface class, where the engine reads materials from it
    controls : whether weights are a control map, not weight maps
    green : direction of the green channel of normal maps, "opengl" or "directx"
    steps : how the files are imported, sentence by sentence
    """

    key: ClassVar[str]
    label: ClassVar[str]
    sizes: ClassVar[Sequence[int]]
    usual: ClassVar[int]
    suffixes: ClassVar[Sequence[str]]
    north_first: ClassVar[bool] = True
    rectangular: ClassVar[bool] = False
    materials: ClassVar[Mapping[str, tuple[int, int, int]]] = {}
    controls: ClassVar[bool] = False
    green: ClassVar[str] = OPENGL
    steps: ClassVar[Sequence[str]]

    def sizes_of(self, tiled: bool) -> Sequence[int]:
        """Return the sizes that menus offer, for one tile or for several."""
        return self.sizes

    def sides(self, size: int, width: float, length: float) -> tuple[int, int]:
        """Return samples along x and y of a tile of that size in meters, ``size`` along its longer
        side.

        Cells are square where the engine takes rectangles.
        """
        if not self.rectangular:
            return size, size
        cell = max(width, length) / (size - 1)
        nx, ny = (max(round(side / cell), 1) + 1 for side in (width, length))
        return nx, ny

    def check(self, extent: Extent) -> None:
        """Raise ValueError with the sizes that fit, where the engine does not take these."""
        raise NotImplementedError

    def check_name(self, name: str) -> None:
        """Raise ValueError for a name that no file can have, or that the engine misreads."""
        if not _NAME.fullmatch(name) or _RESERVED.fullmatch(name):
            raise ValueError(
                f"{name!r} is not a valid file name: use up to 64 letters, digits, - and _"
            )

    def place(self, extent: Extent, column: int, row: int) -> str:
        """Return the end of the names of a tile's files; rows count from the lowest y."""
        return f"_x{column}_y{extent.rows - 1 - row}"

    def file_name(self, extent: Extent, image: str, column: int, row: int) -> str:
        """Return the name of a tile's file, without its suffix; ``image`` is "" for heights."""
        place = self.place(extent, column, row) if extent.is_tiled else ""
        return f"{extent.name}{image and '_'}{image}{place}"

    def suffix(self, extent: Extent) -> str:
        """Return the suffix of height files."""
        return extent.suffix or self.suffixes[0]

    def name(self, extent: Extent, column: int, row: int) -> str:
        """Return the name of a tile's height file; rows count from the lowest y."""
        return f"{self.file_name(extent, '', column, row)}{self.suffix(extent)}"

    def import_settings(self, extent: Extent) -> dict[str, Any]:
        """Return the numbers to type in, by the name of the field in the import dialog."""
        raise NotImplementedError

    def meters(self, numbers: Doubles, settings: Mapping[str, Any]) -> Doubles:
        """Return 16-bit numbers as meters, as the engine converts them by its import settings."""
        raise NotImplementedError


ENGINES: dict[str, Engine] = {}
"""All engines by key."""
ORDER = ("unreal", "unity", "terrain3d", "hterrain", "o3de", "roblox", "plain")
"""Their order in menus."""


def add(engine: Engine) -> None:
    """Register an engine."""
    ENGINES[engine.key] = engine
    known = [key for key in ORDER if key in ENGINES] + [key for key in ENGINES if key not in ORDER]
    for key in known:
        ENGINES[key] = ENGINES.pop(key)


def named(key: str) -> Engine:
    """Return the engine of that key; ValueError names those that there are."""
    if key not in ENGINES:
        raise ValueError(f"There is no engine {key!r}; there are {', '.join(ENGINES)}")
    return ENGINES[key]


def each(first: float, step: float, count: int) -> float | list[float]:
    """Return a number of all tiles along a side: that of the first tile, and the step from tile to
    tile where there are several."""
    return [first, step] if count > 1 else first


def refuse_size(name: str, sizes: Sequence[int], sides: tuple[int, int]) -> ValueError:
    """Return the error for tiles of a size that an engine does not take, with the nearest that it
    does."""
    wrong = next((side for side in sides if side not in sizes), sides[0])
    nearest = min(sizes, key=lambda size: abs(size - wrong))
    listed = ", ".join(map(str, sizes))
    return ValueError(
        f"{name} takes tiles of {listed} samples, not {wrong}: the nearest is {nearest}"
    )


def refuse_numbered(engine: str, name: str) -> None:
    """Raise ValueError for a name with a size such as 1009x1009 in it, which importers misread."""
    if found := _SIZE.search(name):
        better = name.replace(found[0], found[0].lower().replace("x", "-"))
        raise ValueError(
            f"{engine} may misread the name {name!r}, which looks like a size: use {better!r}"
        )


def export_manifest(
    engine: Engine, extent: Extent, files: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """Return the content of ``manifest.json``.

    ``low`` and ``high`` are meters, ``points`` the samples of the whole along x and y, ``files``
    have a ``path`` and a ``kind``, and ``import_settings`` every number to type in.

    Examples
    --------
    >>> extent = Extent(low=0.0, high=900.0, size_x=2016.0, size_y=2016.0, sides=(2017, 2017))
    >>> heights = {"path": "world_x0_y0.r16", "kind": "height"}
    >>> manifest = export_manifest(named("unreal"), extent, [heights])
    >>> settings = manifest["import_settings"]
    >>> manifest["points"], round(settings["Scale Z"], 2), round(settings["Location Z"], 2)
    ([2017, 2017], 175.78, 45000.69)
    """
    return {
        "engine": engine.key,
        "low": extent.low,
        "high": extent.high,
        "points": list(extent.points),
        "spacing": list(extent.spacing),
        "tiles": [extent.columns, extent.rows],
        "tile_points": list(extent.sides),
        "north_first": engine.north_first,
        "files": [dict(file) for file in files],
        "import_settings": engine.import_settings(extent),
    }


def readme(engine: Engine, about: Mapping[str, Any], notes: Sequence[str] = ()) -> str:
    """Return the text of ``README.txt`` for a manifest; ``notes`` are further steps."""
    nx, ny = about["points"]
    lines = [
        f"{engine.label}: {nx} x {ny} samples, {about['low']:.3f} to {about['high']:.3f} m",
        "",
        *(
            textwrap.fill(f"{number}. {step}", 78, subsequent_indent="   ")
            for number, step in enumerate((*engine.steps, *notes), start=1)
        ),
        "",
        "Import settings:",
        *(f"  {name}: {as_text(value)}" for name, value in about["import_settings"].items()),
        "",
        "Files:",
        *map(_listed, about["files"]),
    ]
    if about.get("checks"):
        lines += ["", "Checked:", *(f"  {one['text']}" for one in about["checks"])]
    return "\n".join(lines) + "\n"


def _listed(one: Mapping[str, Any]) -> str:
    """Return a file of a manifest in a line."""
    layers = f": {', '.join(one['layers'])}" if "layers" in one else ""
    limits = (
        f", {one['low']:.6g} to {one['high']:.6g} {one['unit']}".rstrip() if "low" in one else ""
    )
    return f"  {one['path']} ({one['kind']}{layers}{limits})"


def as_text(value: Any) -> str:
    """Return a value of a manifest as text, as it is typed in.

    >>> as_text([1024, 0.5])
    '1024, 0.5'
    """
    if isinstance(value, list):
        return ", ".join(map(as_text, cast(list[Any], value)))
    return f"{value + 0.0:.12g}" if isinstance(value, float) else str(value)
