# SPDX-License-Identifier: GPL-3.0-or-later
"""Work that is canceled at a random moment: it ends within half a second, and nothing is left."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event, Timer

from terrain_addon.core import Bake, Cancelled, Recipe, bake, evaluate, presets, solve, worlds
from terrain_addon.core.output.exports import ExportSettings, export

SECONDS = 0.5
SIDE = 1025
COUNTS = dict.fromkeys(("evaluate", "solve", "bake", "export", "plan"), 200)

Job = Callable[[Recipe, Path, Callable[[], bool]], object]


@contextmanager
def cases(variant: str, folder: Path) -> Iterator[Callable[[int, Counter[str]], None]]:
    job = JOBS[variant]

    def case(seed: int, counts: Counter[str]) -> None:
        rng = Random(seed)
        recipe = presets.load(rng.choice(presets.names()))
        place = folder / f"{variant}{seed}"
        late, processor = until_canceled(job, recipe, place, rng.uniform(0, 3))
        if late is None:
            counts["ended before"] += 1
            return
        counts["canceled"] += 1
        counts["milliseconds"] += round(1000 * late)
        assert not place.exists(), "a canceled job left a result"
        # Where other programs have the processor, its time counts.
        assert min(late, processor) <= SECONDS, f"{late:.2f} s, {processor:.2f} s of processor"

    yield case


def until_canceled(
    job: Job, recipe: Recipe, place: Path, after: float
) -> tuple[float | None, float]:
    """Cancel a job after some seconds; return the seconds and processor seconds it went on."""
    asked = Event()
    moments: list[tuple[float, float]] = []

    def ask() -> None:
        moments.append((time.perf_counter(), time.process_time()))
        asked.set()

    timer = Timer(after, ask)
    timer.start()
    try:
        job(recipe, place, asked.is_set)
    except Cancelled:
        wall, processor = moments[0]
        return time.perf_counter() - wall, time.process_time() - processor
    finally:
        timer.cancel()
    return None, 0.0


def _export(recipe: Recipe, place: Path, cancelled: Callable[[], bool]) -> None:
    export(recipe, ExportSettings(engine="unity", size=SIDE), place, cancelled=cancelled)


def _plan(recipe: Recipe, place: Path, cancelled: Callable[[], bool]) -> None:
    spacing = max(recipe.size_x, recipe.size_y) / 2000
    worlds.plan(recipe, place, spacing=spacing, side=129, cancelled=cancelled)


JOBS: dict[str, Job] = {
    "evaluate": lambda recipe, _, stop: evaluate(recipe, recipe.grid(SIDE), cancelled=stop),
    "solve": lambda recipe, _, stop: solve(recipe, cancelled=stop),
    "bake": lambda recipe, _, stop: bake(
        recipe, recipe.pixel_grid(SIDE), Bake(image="color"), cancelled=stop
    ),
    "export": _export,
    "plan": _plan,
}
