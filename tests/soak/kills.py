# SPDX-License-Identifier: GPL-3.0-or-later
"""Writers that are killed at a random moment: old or new files, never torn ones."""

import os
import shutil
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tests.soak.writers import Writer, check_same, check_units, leftovers, state, templates, writers

NAMES = (
    *("plan", "run", "finish", "preset", "unity", "unreal", "terrain3d"),
    *("height.npy", "height.tif", "height.png", "height.exr", "height.r16"),
    *("bake.png", "bake.exr", "bake.npy"),
)
COUNTS = dict.fromkeys(NAMES, 100)
TRIES = 8
"""Times that a writer is started until a kill comes before its end."""
ENDS = 10.0
"""Seconds that processes of a killed parent may take to end."""


@contextmanager
def cases(variant: str, folder: Path) -> Iterator[Callable[[int, Counter[str]], None]]:
    (folder / "source").mkdir()
    writer = writers(folder / "source")[variant]
    template, before, after = templates(writer, folder)
    shutil.copytree(template, folder / "timed")
    start = time.monotonic()
    writer.write(folder / "timed")
    seconds = time.monotonic() - start

    def case(seed: int, counts: Counter[str]) -> None:
        rng, place = Random(seed), folder / "case"
        for tries in range(1, TRIES + 1):
            shutil.rmtree(place, ignore_errors=True)
            shutil.copytree(template, place)
            killed = write_and_kill(
                writer, place, rng.uniform(0, seconds / tries), while_writing=seed % 2 == 0
            )
            counts["kills" if killed else "ended before"] += 1
            if killed:
                break
        now = state(place)
        counts["old"] += now == before
        counts["new"] += now == after
        counts["with leftovers"] += bool(leftovers(place))
        check_units(now, before, after, writer.whole)
        if now == after and writer.whole == ("w",):
            return  # a plan refuses the folder of a world
        code, said = writer.write(place)
        assert code == 0, said
        check_same(state(place), after)
        assert not leftovers(place), f"left after the next write: {leftovers(place)}"

    yield case


def write_and_kill(writer: Writer, folder: Path, seconds: float, while_writing: bool) -> bool:
    """Write in a forked process that is killed; False if it ended before.

    It is killed after some seconds, or, while it writes, a tenth of them after the first file under
    a temporary name.
    """
    process = os.fork()
    if process == 0:
        os.setsid()
        code = 1
        try:
            code = writer.write(folder)[0]
        finally:
            os._exit(code)
    if while_writing:
        ended = os.WEXITED | os.WNOHANG | os.WNOWAIT
        while not leftovers(folder) and not os.waitid(os.P_PID, process, ended):
            time.sleep(0.0005)
        seconds /= 10
    time.sleep(seconds)
    os.kill(process, signal.SIGKILL)
    status = os.waitpid(process, 0)[1]
    until = time.monotonic() + ENDS
    while _exists(process):
        assert time.monotonic() < until, "its processes go on without their parent"
        time.sleep(0.05)
    return os.WIFSIGNALED(status)


def _exists(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
