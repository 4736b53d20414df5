# SPDX-License-Identifier: GPL-3.0-or-later
"""How much memory a terrain needs, and whether this machine has it."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

# Bytes for each point or pixel, measured with Blender 4.2 and 5.2 at 2049 x 2049 points: the mesh
# 133, the normals it makes for display 48, our arrays while it is made 112.
MESH_POINT = 300
# Our RGBA array 16, Blender's own copy 16, and as much again while a file is written.
IMAGE_PIXEL = 48
# Our arrays while a land is made, measured with one to six layers at 2049 points each way: without
# masks left by layers, and for each of these, twice if several layers leave it.
LAND_POINT = 26
LEFT_POINT = 7
SMALL = 2**28  # bytes that every machine has: not worth asking
SPARE = 0.9  # part of the free memory that may be asked for


def mesh_bytes(nx: int, ny: int) -> int:
    """Bytes that are needed at once to make a mesh of nx x ny points in Blender."""
    return nx * ny * MESH_POINT


def image_bytes(nx: int, ny: int) -> int:
    """Bytes that are needed at once to bake an image of nx x ny pixels in Blender."""
    return nx * ny * IMAGE_PIXEL


def check_land(
    asked: tuple[int, int], made: tuple[int, int], left: Iterable[str] = (), free: int | None = None
) -> None:
    """ValueError, naming a size that fits, when a land does not.

    ``asked`` is the (nx, ny) of its points, ``made`` that with the margin which the layers need,
    ``left`` the names of the masks that each layer produces; ``free`` as in :func:`check_mesh`.
    """
    kept = sum(min(count, 2) for count in Counter(left).values())
    need = made[0] * made[1] * (LAND_POINT + LEFT_POINT * kept)
    if need <= SMALL:
        return
    what = "points" if made == asked else "points and the margin that layers look at"
    points = asked[0] * asked[1]
    _check(what, asked, lambda nx, ny: need * nx * ny // points, free, between=True)


def check_mesh(nx: int, ny: int, free: int | None = None) -> None:
    """ValueError, naming a size that fits, when a mesh of nx x ny points does not.

    ``free`` is the memory in bytes that may be used, by default what the machine has left. No
    error where that is unknown.
    """
    _check("points", (nx, ny), mesh_bytes, free, between=True)


def check_image(nx: int, ny: int, free: int | None = None) -> None:
    """ValueError, naming a size that fits, when an image of nx x ny pixels does not.

    ``free`` as in :func:`check_mesh`.
    """
    _check("pixels", (nx, ny), image_bytes, free, between=False)


def fits(need: int, free: int | None = None) -> bool:
    """Whether that many bytes can be had, also where that is unknown.

    ``free`` as in :func:`check_mesh`.
    """
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
    """ValueError, naming a size that fits, when ``size`` needs too many bytes.

    That has half as many cells a side, or a quarter and so on. With ``between`` cells lie between
    what is counted, which are then one more.
    """
    limit = available() if free is None else free
    if limit is None or fits(need(*size), limit):
        return
    nx, ny = size
    while not fits(need(nx, ny), limit) and max(nx, ny) > 2:
        nx, ny = (max((count - between) // 2 + between, 2) for count in (nx, ny))
    whole = need(*size)
    needed = "more than 1e9 GB" if whole > 10**18 else f"about {_readable(whole)}"
    raise ValueError(
        f"{size[0]} x {size[1]} {what} need {needed}, {_readable(limit)} are free; "
        f"{nx} x {ny} would fit"
    )


def _readable(count: int) -> str:
    return f"{count / 1e9:.2g} GB" if count < 10e9 else f"{count / 1e9:.0f} GB"


def available() -> int | None:
    """Bytes of memory that programs can still have on this machine, or None if unknown."""
    try:
        if sys.platform == "win32":
            return _available_windows()
        if sys.platform == "darwin":
            return _available_macos()
        return _available_linux()
    except (OSError, ValueError, AttributeError, subprocess.SubprocessError):
        return None


def _available_linux(root: Path = Path("/")) -> int | None:
    """What the kernel calls available, or less in a container with a limit."""
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
    """Pages that are free or given back on demand, as vm_stat counts them."""
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
