# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of variations of a terrain, made in the background."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from ...core import Recipe
from ...core.numerics import Cancel, Floats, LayerProgress
from ...core.output import terrain_picture
from ..app.status import redraw_viewports
from ..app.tasks import Task
from ..app.worker import Job, Result
from .cache import CACHE

SIDE = 160
"""Pixels of a picture each way."""


class _Variations(Task):
    """The sheet at hand: a picture of each recipe, or why there is none.

    Attributes
    ----------
    pictures : by place on the sheet, (SIDE, SIDE, 4) float32, sRGB and alpha, the first row at the
        bottom
    errors : by place on the sheet
    """

    def __init__(self) -> None:
        super().__init__()
        self.pictures: dict[int, Floats] = {}
        self.errors: dict[int, str] = {}

    def start(self, recipes: Sequence[Recipe]) -> None:
        """Make a picture of each recipe, in their order, in place of the last sheet."""
        self.reset()
        for place, recipe in enumerate(recipes):
            self.worker.start(Job(place, recipe, partial(_picture, recipe)))

    def receive(self, result: Result) -> bool:
        """Show a picture."""
        if result.error:
            self.errors[result.job.key] = result.error
        else:
            self.pictures[result.job.key] = result.made
        redraw_viewports()
        return True

    def reset(self) -> None:
        """Drop the sheet."""
        super().reset()
        self.pictures.clear()
        self.errors.clear()


def _picture(recipe: Recipe, progress: LayerProgress, cancelled: Cancel) -> Any:
    """Return the picture of a recipe, in the worker's thread.

    What it solves stays in the cache: the terrain that is chosen has it.
    """
    picture = terrain_picture(recipe, SIDE, CACHE, progress=progress, cancelled=cancelled)
    return picture[::-1].astype(np.float32) / np.float32(255)


variations = _Variations()
