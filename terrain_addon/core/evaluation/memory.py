# SPDX-License-Identifier: GPL-3.0-or-later
"""How much memory a terrain needs, and whether this machine has that much."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from .held import NOTHING, Held

# Bytes of each point or pixel, measured with Blender 4.2 and 5.2 at 2049 x 2049 points: the mesh
# 133, the normals that it computes for display 48, our arrays during evaluation 112.
MESH_POINT = 300
EVALUATION_POINT = 112
# Our RGBA array 16, Blender's own copy 16, and as much again while a file is written.
IMAGE_PIXEL = 48
SMALL = 2**28  # bytes that every machine has: not checked
SPARE = 0.9  # share of the free memory that may be used


def mesh_bytes(nx: int, ny: int, held: Held = NOTHING) -> int:
    """Return the peak memory in bytes while Blender builds a mesh of nx x ny points, of a terrain
    whose evaluation holds some arrays."""
    return nx * ny * (MESH_POINT + max(held.point - EVALUATION_POINT, 0))


def image_bytes(nx: int, ny: int) -> int:
    """Return the peak memory in bytes while Blender bakes an image of nx x ny pixels."""
    return nx * ny * IMAGE_PIXEL


def check_terrain(
    asked: tuple[int, int], made: tuple[int, int], held: Held = NOTHING, free: int | None = None
) -> None:
    """Raise ValueError when a terrain does not fit into memory, naming a size that does.

    ``asked`` is its (nx, ny), ``made`` that with the margin of its layers, ``held`` what its
    evaluation holds; ``free`` as in :func:`check_mesh`.
    """
    need = made[0] * made[1] * held.point
    if need <= SMALL:
        return
    what = "points" if made == asked else "points and the margin of the layers"
    points = asked[0] * asked[1]
    _check(what, asked, lambda nx, ny: need * nx * ny // points, free, between=True)


def check_mesh(nx: int, ny: int, free: int | None = None, *, held: Held = NOTHING) -> None:
    """Raise ValueError when a mesh of nx x ny points does not fit, naming a size that does.

    Parameters
    ----------
    nx, ny : points along x and y
    free : bytes that may be used; by default what the machine has left, no check if unknown
    held : what the evaluation of the terrain holds

    Examples
    --------
    >>> check_mesh(1025, 1025, free=10**9)
    >>> check_mesh(4097, 4097, free=10**9)
    Traceback (most recent call last):
    ValueError: 4097 x 4097 points need about 5 GB, 1 GB are free; 1025 x 1025 would fit
    """
    _check("points", (nx, ny), lambda nx, ny: mesh_bytes(nx, ny, held), free, between=True)


def check_image(nx: int, ny: int, free: int | None = None) -> None:
    """Check an image of nx x ny pixels; ``free`` as in :func:`check_mesh`."""
    _check("pixels", (nx, ny), image_bytes, free, between=False)


def check_streamed(nx: int, ny: int, planes: int, free: int | None = None) -> None:
    """Check an image that is written some rows at a time, with ``planes`` values of each
    pixel kept."""
    _check("pixels", (nx, ny), lambda nx, ny: 4 * nx * ny * planes, free, between=False)


def check_disk(path: Path, nx: int, ny: int, pixel: int) -> None:
    """Raise ValueError when a file of nx x ny points of ``pixel`` bytes has no room on the disk."""
    free = shutil.disk_usage(path.absolute().parent).free
    if nx * ny * pixel > free:
        raise ValueError(
            f"{path.name}: {nx} x {ny} points need {_in_words(nx * ny * pixel)}, "
            f"{_readable(free)} are free on the disk: lower the resolution"
        )


def check_solving(layer: str, need: int, free: int | None = None) -> None:
    """Raise ValueError when solving a layer takes more memory than there is.

    Parameters
    ----------
    layer : its name
    need : bytes
    free : as in :func:`check_mesh`

    Examples
    --------
    >>> check_solving("Erosion", 17 * 10**9, free=8 * 10**9)
    Traceback (most recent call last):
    ValueError: Layer 'Erosion' needs about 17 GB to find its rivers, 8 GB are free: ...
    """
    if need <= SMALL:
        return
    limit = available() if free is None else free
    if limit is not None and not fits(need, limit):
        raise ValueError(
            f"Layer {layer!r} needs {_in_words(need)} to find its rivers, {_readable(limit)} are "
            "free: choose a lower River Detail, or a larger Valley Spacing if it is automatic"
        )


def fits(need: int, free: int | None = None) -> bool:
    """Return whether so many bytes are free, or that is unknown; ``free`` as in
    :func:`check_mesh`."""
    limit = available() if free is None else free
    return limit is None or need <= limit * SPARE


def _check(
    what: str,
    size: tuple[int, int],
    need: Callable[[int, int], int],
    free: int | None,
    *,
    between: bool,
) -> None:
    """Raise ValueError when ``size`` needs too many bytes.

    The size that fits has half as many cells a side, or a quarter and so on; with ``between``, the
    counts are of points, one more than the cells between them.
    """
    limit = available() if free is None else free
    if limit is None or fits(need(*size), limit):
        return
    nx, ny = size
    while not fits(need(nx, ny), limit) and max(nx, ny) > 2:
        nx, ny = (max((count - between) // 2 + between, 2) for count in (nx, ny))
    raise ValueError(
        f"{size[0]} x {size[1]} {what} need {_in_words(need(*size))}, {_readable(limit)} are free; "
        f"{nx} x {ny} would fit"
    )


def _in_words(need: int) -> str:
    return "more than 1e9 GB" if need > 10**18 else f"about {_readable(need)}"


def _readable(count: int) -> str:
    return f"{count / 1e9:.2g} GB" if count < 10e9 else f"{count / 1e9:.0f} GB"


def available() -> int | None:
    """Return the bytes of free memory on this machine, None if unknown."""
    try:
        if sys.platform == "win32":
            return _available_windows()
        if sys.platform == "darwin":
            return _available_macos()
        return _available_linux()
    except (OSError, ValueError, AttributeError, subprocess.SubprocessError):
        return None


def _available_linux(root: Path = Path("/")) -> int | None:
    """Return MemAvailable of the kernel, or less in a container with a limit."""
    found = re.search(r"MemAvailable:\s+(\d+) kB", (root / "proc/meminfo").read_text())
    free = int(found[1]) * 1024 if found else None
    group = root / "sys/fs/cgroup"
    try:
        limit = (group / "memory.max").read_text().strip()
        used = int((group / "memory.current").read_text())
    except OSError:
        return free
    if not limit.isdecimal():  # "max": no limit
        return free
    left = max(int(limit) - used, 0)
    return left if free is None else min(free, left)


def _available_macos() -> int | None:
    """Return the pages that are free or can be reclaimed, as vm_stat counts them."""
    text = subprocess.run(
        ["/usr/bin/vm_stat"], capture_output=True, text=True, check=True, timeout=5
    ).stdout
    return _vm_stat_bytes(text)


def _vm_stat_bytes(text: str) -> int | None:
    page = re.search(r"page size of (\d+) bytes", text)
    counts = re.findall(r"Pages (?:free|inactive|speculative|purgeable):\s+(\d+)", text)
    return int(page[1]) * sum(map(int, counts)) if page and counts else None


def _available_windows() -> int | None:
    class Status(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            *((name, ctypes.c_ulonglong) for name in ("total", "free", "total_page", "free_page")),
            *((name, ctypes.c_ulonglong) for name in ("total_virtual", "free_virtual", "extended")),
        )

    status = Status(length=ctypes.sizeof(Status))
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009  # exists on Windows only
    if not kernel.GlobalMemoryStatusEx(ctypes.byref(status)):
        return None
    return int(status.free)
