# SPDX-License-Identifier: GPL-3.0-or-later
"""How many arrays an evaluation holds at once, counted before it begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from ..analysis.fields import AREAS
from ..layers.groups import opened_at
from ..recipe.recipe import Layer

FLOAT = 4
# Bytes of each point during an evaluation, measured with one to six layers at 2049 x 2049 points:
# without fields from layers, and for each field.
TERRAIN_POINT = 26
FIELD_POINT = 7


@dataclass(frozen=True)
class Held:
    """Arrays beside those of the terrain itself: the most ``heights`` that open groups began on,
    and the most ``fields``, each with what is held while it is blended."""

    heights: int = 0
    fields: int = 0

    @property
    def point(self) -> int:
        """Bytes of each point during the evaluation."""
        return TERRAIN_POINT + FLOAT * self.heights + FIELD_POINT * self.fields

    @classmethod
    def of(cls, layers: Sequence[Layer]) -> Held:
        """Return what evaluating layers holds, which are active and in the order of evaluation.

        A field that several layers leave is held twice, below the layer and above it. A group holds
        the terrain that it began on until it ends, with its fields.

        Examples
        --------
        >>> from terrain_addon.core import FractalNoise, Layer
        >>> from terrain_addon.core.recipe import grouped
        >>> noise = Layer.of(FractalNoise())
        >>> Held.of((noise, *grouped([noise, *grouped([noise])])))
        Held(heights=2, fields=0)
        """
        opens, versions = opened_at([layer.settings.holds for layer in layers]), count()
        ends = {first: n for n, first in enumerate(opens) if first < n}
        areas = iter(AREAS)
        stage: dict[str, int] = {}
        starts: dict[int, dict[str, int]] = {}
        heights = fields = 0
        for n, layer in enumerate(layers):
            if n in ends:
                starts[n] = stage
            alive = {version for one in (stage, *starts.values()) for version in one.values()}
            heights = max(heights, len(starts))
            if opens[n] == n:
                made = set(layer.settings.produces)
            else:  # the group ends
                start = starts[opens[n]]
                made = {name for name in stage if stage[name] != start.get(name)}
                stage = start
            if layer.palette:
                made.add(next(areas))
            fields = max(fields, len(alive) + len(made))
            stage = {**stage, **{name: next(versions) for name in made}}
            if ends.get(opens[n]) == n:
                del starts[opens[n]]
        return cls(heights, fields)


NOTHING = Held()
"""What layers without fields and groups hold."""
