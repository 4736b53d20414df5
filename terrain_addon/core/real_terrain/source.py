# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation files named by a text, which a recipe can hold, and as maps of a recipe."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..elevation import Elevation, fill_voids, join, reprojected, system_named
from ..formats.raster import Stated
from ..formats.registry import FORMATS, RawLayout, read, readable
from ..layers.maps import Map
from ..numerics.arrays import Floats

RELATIVE = "//"
"""Blender begins paths like that which are relative to the blend file."""
EVERY = (1, 2, 4, 8, 16)
KINDS = {"unsigned": "u", "signed": "i", "float": "f"}
_WHOLE = ("every", "columns", "rows", "bits")
_OF_RAW = ("columns", "rows", "bits", "order")
_NUMBERS = ("spacing", "low", "high")
_TEXTS = ("unit", "heights", "encoding", "system")
_SWITCHES = ("fill", "north")
_WORDS = {"order": ("little", "big"), "type": tuple(KINDS)}


@dataclass(frozen=True)
class Source:
    """Elevation files of one terrain, and what they do not say themselves.

    Attributes
    ----------
    paths : one file, or several that are joined; relative ones may begin with "//"
    fill : whether large voids are filled, too
    every : 2, 4, 8 or 16 to keep every so many samples only, of means around them
    spacing : meters between samples, instead of what the files say
    unit, heights : units of coordinates and of heights, such as m, us-ft or deg, instead of what
        the files say
    encoding : how colors of pictures stand for heights: mapbox, terrarium or gsi
    system : the coordinate system to resample to, such as EPSG:32632, or utm for the UTM zone of
        the place
    low, high : meters of the lowest and the highest number that files with plain numbers can hold
    layout : of raw files; of arrays, whether the northern row is the first

    Raises
    ------
    ValueError : no file, or another ``every``
    """

    paths: tuple[str, ...]
    fill: bool = False
    every: int = 1
    spacing: float | None = None
    unit: str | None = None
    heights: str | None = None
    encoding: str | None = None
    system: str | None = None
    low: float | None = None
    high: float | None = None
    layout: RawLayout = field(default_factory=RawLayout)

    def __post_init__(self) -> None:
        if not self.paths:
            raise ValueError("Choose at least one file")
        Stated(None, self.unit, self.heights, self.encoding)
        if self.every not in EVERY:
            raise ValueError(f"every is one of {', '.join(map(str, EVERY))}, not {self.every}")

    @classmethod
    def parse(cls, text: str) -> Source | None:
        """Parse a text such as ``dem.tif``, ``west.hgt;east.hgt#fill`` or
        ``island.raw#columns=1025,bits=16,order=little,spacing=2,low=0,high=1800``; None for texts
        that name other things.

        Options are ``fill``, ``every``, ``spacing``, ``unit``, ``heights``, ``system``,
        ``encoding`` of pictures, ``low``, ``high``, and for raw files ``columns``, ``rows``,
        ``bits``, ``order`` and ``type``; ``north`` for raw files and arrays with the northern row
        first.

        Raises ValueError for unknown options, and those with other values.

        Examples
        --------
        >>> Source.parse("west.hgt;east.hgt#fill")
        Source(paths=('west.hgt', 'east.hgt'), fill=True, every=1, ...)
        >>> Source.parse("Painted") is None
        True
        """
        files, mark, options = text.rpartition("#")
        if not mark or not _are_files(files):
            files, options = text, ""
        if not _are_files(files):
            return None
        given = _options(options)
        kind = KINDS.get(str(given.pop("type", "")))
        raw = {
            name: given.pop(name) for name in ("columns", "rows", "bits", "order") & given.keys()
        }
        layout = RawLayout(**raw, kind=kind, north_first=bool(given.pop("north", False)))
        return cls(tuple(_split(files)), layout=layout, **given)

    def __str__(self) -> str:
        """Return the text that :meth:`parse` reads."""
        own, raw = self, self.layout
        kinds = {kind: name for name, kind in KINDS.items()}
        values = {
            "fill": own.fill,
            "every": own.every if own.every > 1 else None,
            **{name: getattr(own, name) for name in (*_NUMBERS, *_TEXTS)},
            **{name: getattr(raw, name) for name in _OF_RAW},
            "type": kinds.get(raw.kind or ""),
            "north": raw.north_first,
        }
        options = [
            name if value is True else f"{name}={value}"
            for name, value in values.items()
            if value is not None and value is not False
        ]
        return ";".join(self.paths) + ("#" + ",".join(options) if options else "")

    @property
    def label(self) -> str:
        """The name of the first file, and how many are joined with it.

        Examples
        --------
        >>> Source(("srtm/N46E007.hgt", "srtm/N46E008.hgt")).label
        'N46E007.hgt and 1 more'
        """
        return Path(self.paths[0]).name + self.more

    @property
    def more(self) -> str:
        """How many files are joined with the first one, for behind its name."""
        return f" and {len(self.paths) - 1} more" if len(self.paths) > 1 else ""

    def files(self, folder: Path | None = None) -> list[Path]:
        """Return the paths; relative ones within a folder, by default that of the process."""
        return [(folder or Path()) / path.removeprefix(RELATIVE) for path in self.paths]

    def within(self, folder: Path, old: Path | None = None) -> Source:
        """Return the source with paths relative to a folder, in Blender's style; absolute on other
        drives. ``old`` is the folder of relative paths now."""
        paths: list[str] = []
        for file in self.files(old):
            try:
                paths.append(RELATIVE + Path(os.path.relpath(file, folder)).as_posix())
            except ValueError:
                paths.append(str(file.absolute()))
        return replace(self, paths=tuple(paths))

    def read(self, folder: Path | None = None) -> Elevation:
        """Read the elevation model, with its voids.

        Raises
        ------
        ValueError : as :func:`read` and :func:`join`; a file that is missing
        OSError : a file cannot be read
        """
        files = self.files(folder)
        for file in files:
            if not os.path.exists(file):
                raise ValueError(f"The elevation file {file} is missing: choose it again")
        raw = [".raw", ".r16"]
        alone = len(files) == 1  # several are joined by their coordinates first
        stated = Stated(self.spacing if alone else None, self.unit, self.heights, self.encoding)
        models = [
            read(
                file,
                self.layout if file.suffix.lower() in raw else _rows(file, self.layout),
                stated=stated,
            )
            for file in files
        ]
        model = join(models)
        if (self.low is not None or self.high is not None) and model.stored is not None:
            model = model.with_range(self.low or 0.0, 0.0 if self.high is None else self.high)
        if self.spacing is not None and not alone:
            model = model.with_spacing(self.spacing)
        return self._upright(model)

    def _upright(self, model: Elevation) -> Elevation:
        """Return the model in the system that is asked for; sheared grids are straightened."""
        place = model.georeference
        if self.system is None:
            return reprojected(model, place.system) if place and place.sheared else model
        system = system_named(self.system, model)
        if place and place.upright and place.system.same_plane(system):
            return model
        return reprojected(model, system)


def is_elevation(text: str) -> bool:
    """Return whether a text names elevation files, as :meth:`Source.parse` takes them."""
    return _are_files(text) or ("#" in text and _are_files(text.rpartition("#")[0]))


def map_of(text: str, folder: Path | None = None) -> Map:
    """Load the map of a text that names elevation files.

    Small voids are filled, large ones if the text says so. Numbers that are no meters are 0 to 1.

    Parameters
    ----------
    text : as :meth:`Source.parse` takes it; it names the map
    folder : of relative paths

    Raises
    ------
    ValueError : no such file, a damaged one, large voids
    OSError : a file cannot be read
    """
    source = Source.parse(text)
    if source is None:
        raise ValueError(f"{text!r} names no elevation file: {', '.join(readable())}")
    return as_map(text, source, source.read(folder))


def as_map(name: str, source: Source, model: Elevation) -> Map:
    """Make the map of a source that was read; ValueError for large voids.

    Its values are meters, except those of files that hold no more than numbers up to 1.
    """
    label = source.label
    try:
        model = fill_voids(model, large=source.fill)
    except ValueError as error:
        raise ValueError(f"{label}: {error}") from None
    height = (model if model.stored is None else model.with_range(0.0, 1.0)).height
    dx, dy = model.spacing or (1.0, 1.0)
    for _ in range(source.every.bit_length() - 1):
        height = _halved(height)
        dx, dy = 2 * dx, 2 * dy
    made = Map(name, height, spacing=model.spacing and (dx, dy))
    plain = max(map(abs, made.range)) <= 1 and model.spacing is None
    return replace(made, in_meters=model.stored is None and not plain)


def _halved(height: Floats) -> Floats:
    """Return every second sample of means around them; sides have an odd number of samples."""
    for _ in range(2):
        count = height.shape[0] - (1 - height.shape[0] % 2)
        if count > 2:
            kept = height[:count:2].copy()
            kept[1:-1] = kept[1:-1] * np.float32(0.5) + (
                height[1 : count - 2 : 2] + height[3:count:2]
            ) * np.float32(0.25)
            height = kept
        height = np.ascontiguousarray(height.T)
    return height


def _rows(file: Path, layout: RawLayout) -> RawLayout | None:
    """Return the layout of an array, which says no more than which row is the first."""
    kind = FORMATS.get(file.suffix.lower())
    turned = layout.north_first and kind is not None and kind.any_row
    return RawLayout(north_first=True) if turned else None


def _are_files(text: str) -> bool:
    return bool(_split(text))


def _split(text: str) -> list[str]:
    """Return the files that a text names, none unless all of it does.

    They are separated by semicolons, which names may contain too.

    Examples
    --------
    >>> _split("west.hgt; lake;2024.tif"), _split("west.hgt;lake")
    (['west.hgt', 'lake;2024.tif'], [])
    """
    files: list[str] = []
    name = ""
    for part in text.split(";"):
        name = f"{name};{part}" if name else part
        if Path(name.strip()).suffix.lower() in readable():
            files.append(name.strip())
            name = ""
    return [] if name else files


def _options(text: str) -> dict[str, Any]:
    """Parse the options of a text such as "fill,every=2"."""
    found: dict[str, Any] = {}
    for one in filter(None, text.split(",")):
        name, equals, value = (part.strip() for part in one.partition("="))
        try:
            if name in _SWITCHES and not equals:
                found[name] = True
            elif name in _WHOLE:
                found[name] = int(value)
            elif name in _NUMBERS:
                found[name] = float(value)
            elif (name in _TEXTS and equals) or value in _WORDS.get(name, ()):
                found[name] = value
            else:
                raise ValueError
        except ValueError:
            known = ", ".join((*_SWITCHES, *_WHOLE, *_NUMBERS, *_TEXTS, *_WORDS))
            raise ValueError(f"{one!r} is no option of an elevation file; known: {known}") from None
    return found
