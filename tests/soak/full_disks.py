# SPDX-License-Identifier: GPL-3.0-or-later
"""Writers on a disk that is full, or a folder that is read-only: old files stay, messages say why.

The disk is a file system in memory, which takes root on Linux.
"""

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tests.soak.kills import NAMES
from tests.soak.writers import (
    IN_BLENDER,
    State,
    Writer,
    check_same,
    check_units,
    leftovers,
    open_blender,
    state,
    templates,
    writers,
)

COUNTS = dict.fromkeys(
    [f"{name}_{why}" for name in (*NAMES, *IN_BLENDER) for why in ("full", "read-only")], 20
)
SIZE = 64 << 20
PAGE = 4096


@contextmanager
def cases(variant: str, folder: Path) -> Iterator[Callable[[int, Counter[str]], None]]:
    name, _, why = variant.partition("_")
    (folder / "source").mkdir()
    writer = open_blender(name) if name in IN_BLENDER else writers(folder / "source")[name]
    template, before, after = templates(writer, folder)
    need = sum(PAGE + len(content) + 2 * PAGE for content in after.values())

    def case(seed: int, counts: Counter[str]) -> None:
        with small_disk(folder / "disk") as disk:
            place = disk / "place"
            shutil.copytree(template, place)
            if why == "full":
                room = Random(seed).choice((0, Random(seed).randrange(int(1.5 * need))))
                with filled(disk, room):
                    code, said = writer.write(place)
            else:
                remount(disk, "ro")
                code, said = writer.write(place)
                remount(disk, "rw")
            counts["written" if code == 0 else "refused"] += 1
            check_stopped(writer, place, code, said, before, after)
            if code and not (writer.whole == ("w",) and state(place) == after):
                again, said = writer.write(place)
                assert again == 0, said
            check_same(state(place), after)
            assert not leftovers(place), f"left after the next write: {leftovers(place)}"

    yield case


def check_stopped(
    writer: Writer, place: Path, code: int, said: str, before: State, after: State
) -> None:
    """A refusal changes no unit, leaves nothing, and names a path and a reason in one line."""
    now = state(place)
    if code == 0:
        check_same(now, after)
        return
    check_units(now, before, after, writer.whole)
    last = said.strip().splitlines()[-1] if said.strip() else ""
    assert "Traceback" not in said and code == 1, said
    names = [str(place), *(f"{name.partition('/')[0]}: " for name in after)]
    assert any(name in last for name in names), f"the message names no path: {last}"
    parts = [one for one in leftovers(place) if not one.endswith(".unfinished")]
    assert not parts, f"left by a refused write: {parts}"


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A file system of its own, mounted at a folder."""
    assert sys.platform == "linux" and os.geteuid() == 0, "a small disk takes root on Linux"
    folder.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def remount(disk: Path, mode: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{mode}", disk], check=True)


@contextmanager
def filled(disk: Path, room: int) -> Iterator[None]:
    """Leave some bytes free while inside."""
    filler = disk / "filler"
    free = os.statvfs(disk).f_bavail * PAGE
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, max(free - room, 1) // PAGE * PAGE)
    try:
        yield
    finally:
        filler.unlink()
