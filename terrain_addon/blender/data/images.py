# SPDX-License-Identifier: GPL-3.0-or-later
"""Pixels as Blender images, value for value, and the images baked from each terrain."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from numpy.typing import NDArray

from .terrains import is_borrowed

Pixels = NDArray[np.float32]
_MARK = "orogen"  # on a baked image: full name of its terrain's mesh when it was baked
_BAKED = "orogen_images"  # on a terrain's mesh: the images baked from it
_DATA, _LINEAR, _SRGB = "Non-Color", "Linear Rec.709", "sRGB"


def new(name: str, pixels: Pixels, *, color: bool) -> bpy.types.Image:
    """Return a new packed float image of (H, W, 4) pixels; Blender numbers a name that is taken.

    ``color`` says whether the pixels are linear colors or plain data.
    """
    image = filled(name, pixels)
    image.pack()
    image.colorspace_settings.name = _LINEAR if color else _DATA
    return image


def make(
    name: str, pixels: Pixels, owner: bpy.types.Mesh | None, *, color: bool
) -> bpy.types.Image:
    """Make such an image, baked from the terrain ``owner``, kept even without users.

    An image of that name baked from the same terrain gets the new pixels and keeps everything
    else. Raises ValueError if the name belongs to another image.
    """
    check_name(name, owner)
    old = _named(name)
    made = new(name, pixels, color=color)
    if not old:
        return _noted(made, name, owner)
    try:
        _repack(old, made)
    finally:
        bpy.data.images.remove(made)
    return _noted(old, name, owner)


def opened(path: str) -> bpy.types.Image:
    """Return the image of a file, as plain data, kept even without users; an open one stays as it
    is.

    Raises ValueError if Blender cannot read the file.
    """
    file = Path(bpy.path.abspath(path))
    known = set(bpy.data.images)
    try:
        image: Any = bpy.data.images.load(str(file), check_existing=True)
    except RuntimeError:
        image = None
    if image and image not in known:
        image.colorspace_settings.name = _DATA  # before it is read: colors would be converted
        image.use_fake_user = True
    try:
        if not (image and image.size[0]):
            raise ValueError(f"{file.name or 'No file'}: Blender cannot read this as an image")
        pixels_of(image)
    except ValueError:
        if image and image not in known:
            bpy.data.images.remove(image)
        raise
    return image


def pixels_of(image: Any) -> Pixels:
    """Return the stored pixels of an image: (H, W, channels), rows from the bottom.

    Raises ValueError if it has none.
    """
    width, height = image.size
    channels = image.channels
    if not (width and height and channels):
        raise ValueError(f"The image {image.name!r} has no pixels: its file may be missing")
    values = np.empty(width * height * channels, np.float32)
    image.pixels.foreach_get(values)
    return values.reshape(height, width, channels)


def with_four(pixels: Pixels) -> Pixels:
    """Return colors with an alpha, from gray, gray with alpha or colors."""
    channels = pixels.shape[2]
    if channels == 4:
        return pixels
    colors = np.repeat(pixels[..., :1], 3, axis=2) if channels < 3 else pixels
    alpha = pixels[..., 1:2] if channels == 2 else np.ones_like(pixels[..., :1])
    return np.concatenate((colors, alpha), axis=2)


@contextmanager
def file_of(image: Any) -> Iterator[Path]:
    """Yield the file of an image, a temporary one if it is packed."""
    if not image.packed_file:
        yield Path(bpy.path.abspath(image.filepath, library=image.library))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "packed").with_suffix(Path(image.filepath).suffix or ".tif")
        path.write_bytes(image.packed_file.data)
        yield path


def _repack(image: Any, source: Any) -> None:
    """Replace the pixels of an image with the packed pixels of another."""
    packed = source.packed_file.data
    image.source = "FILE"
    image.pack(data=packed, data_len=len(packed))
    image.filepath_raw = ""
    image.colorspace_settings.name = source.colorspace_settings.name
    image.buffers_free()  # the next use reads the packed file


def link(name: str, filepath: str, owner: bpy.types.Mesh | None, *, color: bool) -> bpy.types.Image:
    """Return an image that shows the file of a bake; names as in :func:`make`."""
    check_name(name, owner)
    image: Any = _named(name) or bpy.data.images.load(filepath)
    image.source = "FILE"
    if image.packed_file:
        image.unpack(method="REMOVE")
    image.filepath = filepath
    encoded = _SRGB if filepath.endswith(".png") else _LINEAR
    image.colorspace_settings.name = encoded if color else _DATA
    return _noted(image, name, owner)


def check_name(name: str, owner: bpy.types.Mesh | None) -> None:
    """Raise ValueError if an image of that name was not baked from that terrain."""
    image = _named(name)
    if image and not _is_of(image, owner):
        whose = ", baked from another terrain" if _MARK in image else ""
        raise ValueError(f"There is already an image named {name!r}{whose}: choose another name")


def check_file(path: Path, owner: bpy.types.Mesh | None) -> None:
    """Raise ValueError if an image baked from another terrain shows that file."""
    for image in _showing(path):
        if _MARK in image and not _is_of(image, owner):
            raise ValueError(
                f"{path} shows {image.name!r}, baked from another terrain: choose another name"
            )


def loaded_again(path: Path) -> list[bpy.types.Image]:
    """Reload and return the images of this blend file that show a file."""
    found = _showing(path)
    for image in found:
        image.reload()
    return found


def _showing(path: Path) -> list[bpy.types.Image]:
    """Return the images of this blend file that show a file, by any spelling of its path."""
    images = [image for image in bpy.data.images if image.filepath and not image.packed_file]
    place = _place(path)
    return [image for image in images if not image.library and _place(image.filepath) == place]


def _place(path: Path | str) -> str:
    return os.path.normcase(os.path.realpath(bpy.path.abspath(str(path))))


def fitting(name: str, end: str = "") -> str:
    """Return the name with an end appended, cut before the end to the length Blender allows."""
    return _cut(name, _longest() - len(end.encode())) + end


def ending(text: str) -> str:
    """Return the text, cut to leave room in a name for a beginning and a number."""
    return _cut(text, _longest() * 2 // 3)


def _longest() -> int:
    """Return the maximum length in bytes of the name of an image."""
    text: Any = bpy.types.Image.bl_rna.properties["name"]
    return text.length_max - 1


def _cut(text: str, most: int) -> str:
    return text.encode()[:most].decode(errors="ignore")


def free_name(name: str, end: str, owner: bpy.types.Mesh) -> str:
    """Return the name and its end, numbered like Blender does unless it is free or this terrain's
    own."""
    names = (fitting(name, f"{end}.{n:03}" if n else end) for n in count())
    found = ((name, _named(name)) for name in names)
    return next(one for one, image in found if image is None or _is_of(image, owner))


def _named(name: str) -> bpy.types.Image | None:
    """Find this file's image of a name; a linked image may have the same name."""
    return bpy.data.images.get((name, None))  # type: ignore[arg-type]


def _is_of(image: bpy.types.Image, mesh: bpy.types.Mesh | None) -> bool:
    """Return whether an image was baked from the terrain of that mesh.

    A mesh refers to its images, which survives renaming and keeps no unused mesh alive. A copy of
    a mesh refers to the same images, which then belong to the mesh whose name they record, or to
    all of them if that name is gone. A linked mesh cannot refer to images of this file: there the
    recorded name decides.
    """
    if mesh and is_borrowed(mesh):
        return image.get(_MARK) == mesh.name_full
    owners = [mesh for mesh in bpy.data.meshes if image in _baked_from(mesh)]
    noted = [owner for owner in owners if owner.name_full == image.get(_MARK)]
    return mesh in (noted or owners)


def _baked_from(mesh: bpy.types.Mesh) -> list[bpy.types.Image]:
    noted: Any = mesh.get(_BAKED)
    return [image for image in noted.values() if image] if noted else []


def _noted(image: Any, name: str, owner: bpy.types.Mesh | None) -> bpy.types.Image:
    """Name an image and record the terrain it was baked from; keep a new one without
    users."""
    if _MARK not in image:
        image.name = name
        image.use_fake_user = True
    image[_MARK] = owner.name_full if owner else ""
    if owner and not is_borrowed(owner) and image not in _baked_from(owner):
        owner[_BAKED] = {str(n): one for n, one in enumerate([*_baked_from(owner), image])}
    return image


def filled(name: str, pixels: Pixels) -> Any:
    """Return an image with these pixels, as data: Blender would convert others while saving."""
    height, width = pixels.shape[:2]
    image: Any = bpy.data.images.new(
        name, width, height, alpha=False, float_buffer=True, is_data=True
    )
    image.pixels.foreach_set(pixels.reshape(-1))
    image.update()
    return image
