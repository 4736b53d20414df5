# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevation files that recipes name, read again only when they change."""

import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import bpy

from ...core import Map, elevation, formats, real_terrain
from ...core.elevation import Elevation
from ...core.real_terrain import Source
from . import images

SUFFIXES = tuple(suffix for suffix in formats.readable() if suffix not in (".png", ".exr"))
"""Files that only the core reads: images with colors are maps, too, and Blender reads PNG and
OpenEXR files exactly."""
GLOB = ";".join(f"*{suffix};*{suffix.upper()}" for suffix in formats.readable())
"""Files that a file browser shows."""
MOST = 4
"""Models that are kept."""
Stamps = tuple[tuple[str, int, int], ...]
"""Path, time of the last change and size of each file."""


@dataclass(frozen=True)
class _Known:
    """What was read of files, and when these were changed last."""

    stamps: Stamps
    model: Elevation
    facts: dict[str, str]
    map: Map | None = None


_known: dict[str, _Known] = {}


def folder(owner: bpy.types.ID | None = None) -> Path:
    """Return the folder of paths that begin with "//": that of the blend file, or of a linked
    owner's."""
    library = owner.library if owner else None
    file = library.filepath if library else bpy.data.filepath
    return Path(bpy.path.abspath(file)).parent if file else Path()


def named(paths: list[Path]) -> tuple[str, ...]:
    """Return the paths of files as settings hold them, relative to the blend file once it is
    saved."""
    source = Source(tuple(str(path.absolute()) for path in paths))
    return source.within(folder()).paths if bpy.data.filepath else source.paths


def moved(text: str, old: Path, new: Path) -> str:
    """Return a text that names elevation files by paths relative to one folder, for another; others
    as they are."""
    source = Source.parse(text) if real_terrain.is_elevation(text) else None
    if source is None or bpy.data.images.get(text):
        return text
    return str(source.within(new, old))


def model_of(source: Source, owner: bpy.types.ID | None = None) -> Elevation:
    """Return the elevation model of a source; errors as for :meth:`Source.read`."""
    return _read(str(source), source, folder(owner)).model


def facts_of(source: Source) -> dict[str, str]:
    """Describe what a source holds; errors as for :func:`model_of`."""
    return _read(str(source), source, folder()).facts


def known_map(text: str) -> Map | None:
    """Return the map of a text if it was read already: panels never wait for files."""
    known = _known.get(text)
    return known.map if known else None


def map_of(text: str, owner: bpy.types.ID | None = None) -> Map | None:
    """Return the map that a text names, None if it names no elevation files.

    Raises ValueError for files that are missing or damaged, and for large voids.
    """
    if not real_terrain.is_elevation(text):
        return None
    source = Source.parse(text)
    assert source is not None
    try:
        known = _read(text, source, folder(owner))
        if known.map is None:
            made = real_terrain.as_map(text, source, known.model)
            known = _keep(text, replace(known, map=made))
    except OSError as error:
        raise ValueError(f"{source.paths[0]} cannot be read: {error.strerror or error}") from None
    return known.map


def map_of_image(image: Any) -> Map | None:
    """Return the map of an image whose file is a TIFF file with one band; None for others.

    Blender scales whole numbers, takes voids for heights, and reads zeros where it does not know
    the kind of compression. Raises ValueError for such files that the core does not read either.
    """
    if image.file_format != "TIFF" or image.source != "FILE" or image.is_dirty:
        return None
    key = f"image {image.name_full}"
    try:
        stamps = _stamps_of_image(image)
        known = _known.get(key)
        if known is None or known.stamps != stamps:
            with images.file_of(image) as path:
                model = formats.read(path)
            made = real_terrain.as_map(image.name, Source((image.name,)), model)
            known = _Known(stamps, model, {}, made)
    except (elevation.Picture, OSError):
        return None
    except ValueError as error:
        reason = str(error).partition(": ")[2] or str(error)
        raise ValueError(f"The image {image.name!r} cannot be a map: {reason}") from None
    return _keep(key, known).map


def _read(text: str, source: Source, within: Path) -> _Known:
    stamps = _stamps(source.files(within))
    known = _known.get(text)
    if known is None or known.stamps != stamps:
        model = source.read(within)
        known = _Known(stamps, model, elevation.facts(model))
    return _keep(text, known)


def _stamps(files: list[Path]) -> Stamps:
    """Return what changes with the files. The paths count: files of one archive may share the time,
    and tiles the size."""
    whole = [one for file in files for one in (file, *formats.files_beside(file))]
    stats = [(str(file), file.stat()) for file in whole if file.is_file()]
    return tuple((path, stat.st_mtime_ns, stat.st_size) for path, stat in stats)


def _stamps_of_image(image: Any) -> Stamps:
    """Return what tells the file of an image from any other; of a packed one, a hash: another file
    of the same name may have the same size."""
    if image.packed_file:
        data = image.packed_file.data
        return (("", zlib.crc32(data), len(data)),)
    return _stamps([Path(bpy.path.abspath(image.filepath, library=image.library))])


def _keep(text: str, known: _Known) -> _Known:
    """Keep what was used last."""
    _known.pop(text, None)
    _known[text] = known
    while len(_known) > MOST:
        del _known[next(iter(_known))]
    return known


def register() -> None:
    """Do nothing: files are read when they are needed."""


def unregister() -> None:
    """Forget all files."""
    _known.clear()
