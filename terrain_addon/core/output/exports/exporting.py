# SPDX-License-Identifier: GPL-3.0-or-later
"""Export a terrain: evaluate it once, write all files, read them back, and rename their folder."""

from __future__ import annotations

import dataclasses
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...elevation import Georeference
from ...evaluation.cache import Cache
from ...evaluation.memory import check_disk
from ...numerics.arrays import Floats
from ...numerics.progress import Cancel, LayerProgress, no_progress, poll
from ...recipe.recipe import Recipe
from ...settings import replaced_folder
from ...settings.input_files import check_regular
from ...settings.owned_files import discard, temporary
from ...settings.strict_json import parsed
from ..checks import Check, check
from ..engines import HEIGHT, Engine, Extent, card, named, readme, write_card, write_heights
from .images import Painter, fields_for, write_images
from .proof import Proof, check_tile, half_step
from .settings import ExportSettings, extent_of, layers_of
from .spool import POINT, Spool, part_of, spool

LEAST_RANGE = 1.0
"""Meters of the range of level ground, which no engine could scale otherwise."""
EVALUATED, WRITTEN = 0.6, 0.85
"""Shares of the progress."""
CARD, README = "card.json", "README.txt"
SPOOL = "spool"
LOCAL = Georeference((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
"""Coordinates that are meters from the center of the terrain."""
BESIDE = (".meta", ".import")
"""Endings of the files that engines put beside imported ones, which a new export keeps."""

Tile = tuple[int, int]


@dataclass(frozen=True)
class Exported:
    """A finished export.

    Attributes
    ----------
    folder : where the files are
    card : the content of ``card.json``
    readme : the content of ``README.txt``
    paths : all files
    proof : how far the files are from the terrain
    checks : pits, uphill rivers and roads, measured in the heights
    """

    folder: Path
    card: dict[str, Any]
    readme: str
    paths: tuple[Path, ...]
    proof: Proof
    checks: tuple[Check, ...]


def export(
    recipe: Recipe,
    settings: ExportSettings,
    folder: str | Path,
    *,
    range: tuple[float, float] | None = None,
    georeference: Georeference | None = None,
    cache: Cache | None = None,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
) -> Exported:
    """Write a terrain for a game engine, with a card that holds every number to type in.

    Heights are sampled at the points of a grid, from border to border. The terrain is evaluated
    once, some rows at a time. The folder is written under another name, its heights are read back
    and compared with the terrain, and then it replaces an older export: that one stays whole if
    anything fails.

    Parameters
    ----------
    recipe : the terrain, with the painted maps that it names
    settings : engine, size, tiles and files
    folder : new, empty, or of an earlier export
    range : meters that 0 and 65535 stand for, for terrains that must match others; by default the
        lowest and the highest height
    georeference : coordinates for GeoTIFF files, of columns and rows that are meters from the
        center of the terrain; by default these meters
    cache : may know the solution of the terrain, and keeps it
    progress, cancelled : as for :func:`~.stack.evaluate`

    Returns
    -------
    Exported : the card, the files and the proof

    Raises
    ------
    ValueError : what :func:`extent_of` refuses; heights beyond the range; a folder with other files
    OSError : the files cannot be written, or are not what was written
    Cancelled : ``cancelled`` returned true

    Examples
    --------
    >>> import tempfile
    >>> from terrain_addon.core import presets
    >>> settings = ExportSettings(engine="unity", size=33, color=False, normal=False)
    >>> with tempfile.TemporaryDirectory() as place:
    ...     done = export(presets.load("mesa"), settings, Path(place, "mesa"))
    ...     sorted(path.name for path in done.paths)
    ['README.txt', 'card.json', 'terrain.raw']
    >>> done.card["enter"]["Heightmap Resolution"], done.proof.error <= done.proof.half_step
    (33, True)
    """
    engine = named(settings.engine)
    extent = extent_of(recipe, settings)
    target = Path(os.path.realpath(folder))
    check_folder(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    report, names = progress or no_progress, fields_for(recipe, settings)
    weights = layers_of(recipe, settings)
    check_disk(
        target,
        *extent.points,
        POINT * (1 + len(names) + len(weights)) + (4 if extent.is_float else 2),
    )
    with replaced_folder(target, other_files) as new:
        kept = temporary(new / SPOOL)
        kept.mkdir()
        terrain = spool(
            recipe,
            recipe.grid(extent.points),
            names,
            kept,
            weights=weights,
            cache=cache,
            progress=part_of(report, 0, EVALUATED),
            cancelled=cancelled,
        )
        extent = _with_range(extent, terrain, range)
        job = Job(recipe, settings, engine, extent, terrain, new, cancelled)
        files = job.write(georeference or LOCAL, part_of(report, EVALUATED, WRITTEN))
        found = check(recipe, terrain.height, terrain.grid, cache=cache, cancelled=cancelled)
        about = card(engine, extent, files)
        about["checks"] = [{**dataclasses.asdict(one), "text": one.text} for one in found]
        write_card(new, engine, about)
        proof = job.prove(about, part_of(report, WRITTEN, 1))
        del terrain, job  # its files are mapped
        discard(kept)
        _keep_beside(target, new)
    paths = tuple(target / name for name in (*(one["path"] for one in files), CARD, README))
    return Exported(target, about, readme(engine, about), paths, proof, found)


@dataclass(frozen=True)
class Job:
    """An export whose terrain is evaluated."""

    recipe: Recipe
    settings: ExportSettings
    engine: Engine
    extent: Extent
    terrain: Spool
    folder: Path
    cancelled: Cancel | None

    @property
    def tiles(self) -> list[Tile]:
        """Columns and rows of the tiles, from the lowest x and y."""
        return [(x, y) for y in range(self.extent.rows) for x in range(self.extent.columns)]

    def window(self, tile: Tile) -> tuple[slice, slice]:
        """Return the columns and the rows of samples of a tile."""
        columns, rows = (
            slice(place * (side - 1), place * (side - 1) + side)
            for place, side in zip(tile, self.extent.sides, strict=True)
        )
        return columns, rows

    def height(self, tile: Tile) -> Floats:
        """Return the heights of a tile, (ny, nx) float32 in meters."""
        columns, rows = self.window(tile)
        return self.terrain.height[rows, columns]

    def write(self, place: Georeference, report: LayerProgress) -> list[dict[str, Any]]:
        """Write all files, and return what the card says about each."""
        painter = Painter(self.recipe, self.settings, self.engine, self.terrain)
        heights: list[dict[str, Any]] = []
        images: list[dict[str, Any]] = []
        for number, tile in enumerate(self.tiles):
            poll(self.cancelled)
            name = self.engine.name(self.extent, *tile)
            report(number / len(self.tiles), name)
            there = self._georeference(place, tile)
            write_heights(self.folder / name, self.engine, self.extent, self.height(tile), there)
            heights.append({"path": name, "kind": HEIGHT})
            images += self._write_images(painter, tile)
        return heights + images

    def _georeference(self, place: Georeference, tile: Tile) -> Georeference:
        columns, rows = self.window(tile)
        grid = self.terrain.grid
        window = grid.window(columns.start, rows.start, *self.extent.sides)
        first = float(window.x[0]), float(window.y[0])
        return place.mapped(first, (grid.dx, 0.0), (0.0, grid.dy))

    def _write_images(self, painter: Painter, tile: Tile) -> list[dict[str, Any]]:
        images = painter.images
        names = [
            f"{self.engine.file_name(self.extent, one.name, *tile)}{one.suffix}" for one in images
        ]
        paths = [self.folder / name for name in names]
        if images:
            write_images(painter, paths, *self.window(tile), self.cancelled)
        return [
            {"path": name, "kind": one.kind, **one.about}
            for name, one in zip(names, images, strict=True)
        ]

    def prove(self, about: Mapping[str, Any], report: LayerProgress) -> Proof:
        """Read the height files back, and compare them with the terrain."""
        worst = 0.0
        for number, tile in enumerate(self.tiles):
            name = self.engine.name(self.extent, *tile)
            report(number / len(self.tiles), name)
            error = check_tile(
                self.folder / name,
                self.engine,
                self.extent,
                about["enter"],
                self.height(tile),
                self.cancelled,
            )
            worst = max(worst, error)
        report(1.0, "")
        return Proof(worst, half_step(self.extent), len(self.tiles))


def check_folder(folder: Path) -> None:
    """Raise ValueError for a folder that holds anything but an export: it would be lost."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ValueError(f"{folder} is a file: choose a folder")
    if others := other_files(folder):
        raise ValueError(
            f"{folder} holds other files, such as {min(others)}: choose a new folder, or one of an "
            "earlier export"
        )


def other_files(folder: Path) -> list[str]:
    """Names in a folder that are not of an earlier export, nor of what engines put beside it."""
    known = _files_of(folder)
    return [one.name for one in folder.iterdir() if one.is_dir() or not _belongs(one.name, known)]


def _files_of(folder: Path) -> set[str]:
    """Names of the files of an earlier export; none if there is none."""
    try:
        check_regular(folder / CARD)  # it is larger than a recipe if there are many tiles
        about = parsed((folder / CARD).read_bytes())
        return {CARD, README, *(str(one["path"]) for one in about["files"])}
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def _belongs(name: str, known: set[str]) -> bool:
    stem, suffix = os.path.splitext(name)
    return name in known or (suffix in BESIDE and stem in known)


def _keep_beside(folder: Path, new: Path) -> None:
    """Copy what engines have put beside the files of an earlier export."""
    if folder.is_dir():
        for one in folder.iterdir():
            if one.suffix in BESIDE and (new / one.stem).exists():
                shutil.copy2(one, new / one.name)


def _with_range(extent: Extent, terrain: Spool, given: tuple[float, float] | None) -> Extent:
    """Set the range of the heights of an extent; ValueError for heights beyond a given one."""
    low, high = terrain.low, terrain.high
    if given is not None and not given[0] <= low <= high <= given[1]:
        raise ValueError(
            f"The heights are {low:g} to {high:g} m: a range of {given[0]:g} to {given[1]:g} m "
            "would cut them off"
        )
    low, high = given or (low, max(high, low + LEAST_RANGE))
    return dataclasses.replace(extent, low=low, high=high)
