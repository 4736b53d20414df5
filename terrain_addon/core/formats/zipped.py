# SPDX-License-Identifier: GPL-3.0-or-later
"""Archives (.zip) with one elevation file, as servers of elevation models send them."""

from __future__ import annotations

import re
import struct
import zlib
from errno import EINVAL
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from ..numerics.progress import Cancel, poll
from .beside import LONGEST, Beside
from .raster import Raster
from .registry import FORMATS, Format, add, raster_of
from .samples import ANYWAY, MOST_RATIO

LARGEST = 4 << 30
"""Bytes of the file inside."""
LISTING, LONGEST_LISTING = 1 << 17, 1 << 20
"""Bytes at the end of an archive in which the place of its listing is, and of that listing."""
CHUNK = 1 << 20
IMAGES = (".png", ".exr", ".npy")
"""Files that are previews where there are others."""
_UNUSUAL = re.compile(r"[^\w.\- ]")


def read(path: Path, beside: Beside, cancelled: Cancel | None = None) -> Raster:
    """Read the one elevation file of an archive, with what lies beside it there.

    It is unpacked into a temporary folder, where it takes as many bytes as the archive says.
    """
    try:
        _check_listing(path)
        with ZipFile(path) as archive, TemporaryDirectory() as folder:
            members = [one for one in archive.infolist() if not one.is_dir()]
            member = _wanted(members)
            room = min(LARGEST, max(ANYWAY, MOST_RATIO * path.stat().st_size))
            for other in _near(members, member):
                _unpack(archive, other, Path(folder), room, cancelled)
            inside = _unpack(archive, member, Path(folder), room, cancelled)
            near = Beside(inside, beside.alone, beside.stated)
            raster = raster_of(inside, FORMATS[inside.suffix.lower()], near, None, cancelled)
    except (BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError) as error:
        raise ValueError(f"this is not a complete .zip file: {str(error)[:100]}") from None
    except OSError as error:
        if error.errno != EINVAL:  # a place before the beginning of the file
            raise
        raise ValueError("this is not a complete .zip file") from None
    return raster.noted(f"Read {member.filename} in the archive.")


def _check_listing(path: Path) -> None:
    """Raise ValueError for a list of members that would take much memory."""
    with path.open("rb") as file:
        file.seek(max(path.stat().st_size - LISTING, 0))
        end = file.read()
    place = end.rfind(b"PK\5\6")
    if place < 0 or len(end) < place + 20:
        raise BadZipFile("it is cut off")
    sizes = [int.from_bytes(end[place + 12 : place + 16], "little")]
    far = place - 76  # the record of archives beyond 4 GiB, and its locator
    if far >= 0 and end[far : far + 4] == b"PK\6\6":
        sizes.append(int.from_bytes(end[far + 40 : far + 48], "little"))
    if max(sizes) > LONGEST_LISTING:
        raise ValueError("it holds too many files: unpack it")


def _wanted(members: list[ZipInfo]) -> ZipInfo:
    """Return the elevation file among members; ValueError unless there is one."""
    files = [one for one in members if not _is_hidden(PurePosixPath(one.filename))]
    models = [one for one in files if _suffix(one) in _suffixes()]
    models = [one for one in models if _suffix(one) not in IMAGES] or models
    names = ", ".join(one.filename for one in models or files)[:100]
    if not models:
        raise ValueError(f"no elevation file is in it, but {names or 'nothing'}")
    if len(models) > 1:
        raise ValueError(f"several elevation files are in it: unpack it, and choose of {names}")
    return models[0]


def _suffix(member: ZipInfo) -> str:
    return PurePosixPath(member.filename).suffix.lower()


def _suffixes() -> set[str]:
    """Return the endings of files that describe themselves, or have a header beside them."""
    return {suffix for suffix, kind in FORMATS.items() if kind.read and kind.read is not read}


def _is_hidden(name: PurePosixPath) -> bool:
    """Return whether a name is that of what macOS adds to archives."""
    return "__MACOSX" in name.parts or name.name.startswith(".")


def _near(members: list[ZipInfo], member: ZipInfo) -> list[ZipInfo]:
    """Return the small members beside one, such as its header."""
    name = PurePosixPath(member.filename)
    return [
        one
        for one in members
        if one is not member
        and one.file_size <= LONGEST
        and PurePosixPath(one.filename).parent == name.parent
        and PurePosixPath(one.filename).name.lower().startswith(name.stem.lower())
    ][:20]


def _unpack(
    archive: ZipFile, member: ZipInfo, folder: Path, room: int, cancelled: Cancel | None
) -> Path:
    """Write the content of a member into a folder; ValueError for more bytes than there is room."""
    name = member.filename[:100]
    if member.flag_bits & 1 or member.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise ValueError(f"{name} in it has a password, or is not compressed by Deflate: unpack it")
    if member.file_size > room:
        raise ValueError(f"{name} in it has {member.file_size} bytes, which is too much: unpack it")
    target = folder / _UNUSUAL.sub("_", PurePosixPath(member.filename).name)[-100:]
    with archive.open(member) as source, target.open("wb") as file:
        while data := source.read(CHUNK):
            poll(cancelled)
            file.write(data)
    return target


add(Format(".zip", "an archive with one of these files", read))
