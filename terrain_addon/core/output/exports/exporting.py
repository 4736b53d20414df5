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
from ...evaluation.solving import solve
from ...numerics.arrays import Floats
from ...numerics.grid import Grid
from ...numerics.progress import Cancel, LayerProgress, poll, within
from ...recipe.recipe import Recipe
from ...settings import replaced_folder
from ...settings.input_files import check_regular
from ...settings.owned_files import discard, temporary
from ...settings.strict_json import parsed
from ..checks import Check, check
from ..engines import (
    HEIGHT,
    Engine,
    Extent,
    card_place,
    export_manifest,
    named,
    readme,
    scale_range,
    write_heights,
    write_manifest,
)
from ..kept_terrain import POINT, KeptTerrain
from .georeferencing import LOCAL, on_grid
from .images import BORDER, Painter, fields_for, write_images
from .settings import ExportSettings, extent_of, layers_of
from .verification import Verification, check_tile, half_step

SOLVED, EVALUATED, WRITTEN = 0.06, 0.6, 0.85
"""Shares of the progress."""
MANIFEST, README = "manifest.json", "README.txt"
KEPT = "kept"
"""Folder of the evaluated terrain, while files are written."""
BESIDE = (".meta", ".import")
"""Endings of the files that engines put beside imported ones, which a new export keeps."""

Tile = tuple[int, int]


@dataclass(frozen=True)
class Exported:
    """A finished export.

    Attributes
    ----------
    folder : where the files are
    manifest : the content of ``manifest.json``
    readme : the content of ``README.txt``
    paths : all files
    verification : how far the files are from the terrain
    checks : pits, uphill rivers and roads, measured in the heights
    """

    folder: Path
    manifest: dict[str, Any]
    readme: str
    paths: tuple[Path, ...]
    verification: Verification
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
    """Write a terrain for a game engine, with a manifest that holds every number to type in.

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
    georeference : coordinates for GeoTIFF files and the manifest, of columns and rows that are
        meters from the center of the terrain; by default these meters
    cache : may know the solution of the terrain, and keeps it
    progress, cancelled : as for :func:`~.stack.evaluate`

    Returns
    -------
    Exported : the manifest, the files and the verification

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
    ['README.txt', 'manifest.json', 'terrain.raw']
    >>> done.manifest["import_settings"]["Heightmap Resolution"]
    33
    >>> done.verification.error <= done.verification.half_step
    True
    """
    engine = named(settings.engine)
    extent = extent_of(recipe, settings)
    target = Path(os.path.realpath(folder))
    check_folder(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    names, weights = fields_for(recipe, settings), layers_of(recipe, settings)
    check_disk(
        target,
        *extent.points,
        POINT * (1 + len(names) + len(weights)) + (4 if extent.is_float else 2),
    )
    with replaced_folder(target, other_files) as new:
        kept = temporary(new / KEPT)
        kept.mkdir()
        terrain = KeptTerrain.evaluate(
            recipe,
            recipe.grid(extent.points),
            names,
            border=BORDER,
            weights=weights,
            folder=kept,
            solution=solve(  # not needed longer than the terrain is evaluated
                recipe, progress=within(progress, 0, SOLVED), cancelled=cancelled, cache=cache
            ),
            progress=within(progress, SOLVED, EVALUATED),
            cancelled=cancelled,
        )
        low, high = scale_range(*terrain.range(), range)
        extent = dataclasses.replace(extent, low=low, high=high)
        tiles = TileFiles(recipe, settings, engine, extent, terrain, new, cancelled)
        files = tiles.write(georeference or LOCAL, within(progress, EVALUATED, WRITTEN))
        found = check(recipe, terrain.height, terrain.grid, cache=cache, cancelled=cancelled)
        about = export_manifest(engine, extent, files)
        about["checks"] = [{**dataclasses.asdict(one), "text": one.text} for one in found]
        write_manifest(new, engine, about)
        verification = tiles.verify(about, within(progress, WRITTEN, 1))
        del terrain, tiles  # its files are mapped
        discard(kept)
        _keep_beside(target, new)
    paths = tuple(target / name for name in (*(file["path"] for file in files), MANIFEST, README))
    return Exported(target, about, readme(engine, about), paths, verification, found)


@dataclass(frozen=True)
class TileFiles:
    """The files of the tiles of an evaluated terrain."""

    recipe: Recipe
    settings: ExportSettings
    engine: Engine
    extent: Extent
    terrain: KeptTerrain
    folder: Path
    cancelled: Cancel | None

    @property
    def tiles(self) -> list[Tile]:
        """Columns and rows of the tiles, from the lowest x and y."""
        return [(x, y) for y in range(self.extent.rows) for x in range(self.extent.columns)]

    def window(self, tile: Tile) -> Grid:
        """Return the points of a tile."""
        (x, y), (nx, ny) = tile, self.extent.sides
        return self.terrain.grid.window(x * (nx - 1), y * (ny - 1), nx, ny)

    def height(self, tile: Tile) -> Floats:
        """Return the heights of a tile, (ny, nx) float32 in meters, mapped into memory."""
        (x, y), (nx, ny) = tile, self.extent.sides
        j, i = y * (ny - 1), x * (nx - 1)
        return self.terrain.height[j : j + ny, i : i + nx]

    def write(self, place: Georeference, report: LayerProgress) -> list[dict[str, Any]]:
        """Write all files, and return what the manifest says about each."""
        painter = Painter(self.recipe, self.settings, self.engine, self.terrain)
        heights: list[dict[str, Any]] = []
        images: list[dict[str, Any]] = []
        for number, tile in enumerate(self.tiles):
            poll(self.cancelled)
            name = self.engine.name(self.extent, *tile)
            report(number / len(self.tiles), name)
            there = on_grid(place, self.window(tile))
            write_heights(self.folder / name, self.engine, self.extent, self.height(tile), there)
            heights.append({"path": name, "kind": HEIGHT, **card_place(there, self.extent)})
            images += self._write_images(painter, tile)
        return heights + images

    def _write_images(self, painter: Painter, tile: Tile) -> list[dict[str, Any]]:
        images = painter.images
        names = [
            f"{self.engine.file_name(self.extent, image.name, *tile)}{image.suffix}"
            for image in images
        ]
        paths = [self.folder / name for name in names]
        if images:
            write_images(painter, paths, self.window(tile), self.cancelled)
        return [
            {"path": name, "kind": one.kind, **one.about}
            for name, one in zip(names, images, strict=True)
        ]

    def verify(self, about: Mapping[str, Any], report: LayerProgress) -> Verification:
        """Read the height files back, and compare them with the terrain."""
        worst = 0.0
        for number, tile in enumerate(self.tiles):
            name = self.engine.name(self.extent, *tile)
            report(number / len(self.tiles), name)
            error = check_tile(
                self.folder / name,
                self.engine,
                self.extent,
                about["import_settings"],
                self.height(tile),
                self.cancelled,
            )
            worst = max(worst, error)
        report(1.0, "")
        return Verification(worst, half_step(self.extent), len(self.tiles))


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
    """Return the names in a folder that are not of an earlier export, nor of what engines put
    beside it."""
    known = _files_of(folder)
    return [
        path.name for path in folder.iterdir() if path.is_dir() or not _belongs(path.name, known)
    ]


def _files_of(folder: Path) -> set[str]:
    """Return the names of the files of an earlier export; none if there is none."""
    try:
        check_regular(folder / MANIFEST)  # it is larger than a recipe if there are many tiles
        about = parsed((folder / MANIFEST).read_bytes())
        return {MANIFEST, README, *(str(one["path"]) for one in about["files"])}
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def _belongs(name: str, known: set[str]) -> bool:
    stem, suffix = os.path.splitext(name)
    return name in known or (suffix in BESIDE and stem in known)


def _keep_beside(folder: Path, new: Path) -> None:
    """Copy what engines have put beside the files of an earlier export."""
    if folder.is_dir():
        for path in folder.iterdir():
            if path.suffix in BESIDE and (new / path.stem).exists():
                shutil.copy2(path, new / path.name)
