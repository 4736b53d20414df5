# SPDX-License-Identifier: GPL-3.0-or-later
"""Bakes of one terrain that are asked for at once: which there are, and how far they are."""

import dataclasses
from collections.abc import Iterable, Sequence

import bpy

from ...core import Bake, Image, Recipe
from ...core.numerics import Cancel, LayerProgress
from ...core.output import IMAGES, ImageSet, fields_of
from .plan import Baked, Output, Plan

IN_SETS = {
    name: Bake(image=key, **which)
    for key, kind in IMAGES.items()
    for name, which in kind.in_sets().items()
}
"""What a set may hold, by the name of its switch."""
WHICH = ("image", *(kind.which for kind in IMAGES.values() if kind.which))
"""The settings that say which image it is; a set has its switches for that."""


def offered(recipe: Recipe) -> list[str]:
    """What a set of images of that terrain may hold."""
    known = set(fields_of(recipe))
    return [
        name for name, what in IN_SETS.items() if known.issuperset(what.kind.fields(recipe, what))
    ]


def plan_set(
    item: bpy.types.Object, recipe: Recipe, keys: Iterable[str], common: Bake, output: Output
) -> list[Plan]:
    """Plan to bake several images of a terrain object, in their usual order.

    ``common`` tells what their values mean. ValueError or OSError, before anything is baked, when
    one of them cannot be.
    """
    chosen = set(keys)
    if not chosen:
        raise ValueError("Choose at least one image")
    several = [
        dataclasses.replace(common, **{one: getattr(what, one) for one in WHICH})
        for name, what in IN_SETS.items()
        if name in chosen
    ]
    return [Plan.of(item, recipe, what, output, in_set=True) for what in several]


class Order:
    """Plans of one terrain, with the same output, that are carried out one after the other."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        self.plans = tuple(plans)
        self.baked: list[Baked] = []
        first = self.plans[0]
        grid = first.recipe.pixel_grid(first.size)
        self._images = ImageSet(first.recipe, grid, [plan.what for plan in self.plans])

    @property
    def mesh(self) -> int:
        """session_uid of the terrain's mesh"""
        return self.plans[0].mesh

    @property
    def is_done(self) -> bool:
        """Whether all images were stored."""
        return len(self.baked) == len(self.plans)

    @property
    def changed_file(self) -> bool:
        """Whether what was stored so far changed the blend file."""
        return any(baked.in_file for baked in self.baked)

    @property
    def title(self) -> str:
        """What it does, for the undo history."""
        first, *others = self.plans
        return "Bake Set" if others else f"Bake {first.what.shown}"

    def again(self) -> "Order":
        """The same order with nothing done yet."""
        return Order(self.plans)

    def make(self, progress: LayerProgress | None = None, cancelled: Cancel | None = None) -> Image:
        """The pixels of the next image. Knows no Blender: any thread may call it.

        The share that ``progress`` is told is that of the whole order. ValueError and Cancelled as
        in :meth:`ImageSet.make`.
        """
        n, count = len(self.baked), len(self.plans)

        def tell(share: float, text: str) -> None:
            if progress:
                which = f"{n + 1} of {count}: {self.plans[n].what.shown}"
                progress((n + share) / count, which if count > 1 else text)

        tell(0.0, "")
        return self._images.make(n, tell, cancelled)

    def store(self, made: Image) -> Baked:
        """Put the next image where it should go; OSError and ValueError as :meth:`Plan.store`."""
        baked = self.plans[len(self.baked)].store(made)
        self.baked.append(baked)
        return baked

    def __str__(self) -> str:
        """What came out."""
        if len(self.plans) == 1:
            return str(self.baked[0])
        width, height = self.baked[0].size
        shown = ", ".join(map(_with_range, self.baked))
        return f"Baked {len(self.baked)} images of {width} x {height} pixels {self._where}: {shown}"

    @property
    def _where(self) -> str:
        output, path = self.plans[0].output, self.plans[0].path
        to = f"to {path.parent}" if path else ""
        into = "into this blend file" if output.is_image else ""
        return " and ".join(part for part in (to, into) if part)

    def stopped(self) -> str:
        """What there is of an order that was cancelled."""
        if not self.baked:
            return "The bake was cancelled: no image was stored"
        return f"The bake was cancelled after {len(self.baked)} of {self._stored}"

    def failed(self, reason: str) -> str:
        """What went wrong with the next image, and what there is."""
        if len(self.plans) == 1:
            return reason
        label = self.plans[len(self.baked)].what.shown
        done = f"; there are {len(self.baked)} of {self._stored}" if self.baked else ""
        return f"{label}: {reason}{done}"

    @property
    def _stored(self) -> str:
        return f"{len(self.plans)} images: {', '.join(one.what.shown for one in self.baked)}"


def _with_range(baked: Baked) -> str:
    """What an image shows, and what its values stand for where nothing else tells."""
    what = baked.what
    return f"{what.shown} ({baked.range})" if what.kind.tells_range(what) else what.shown
