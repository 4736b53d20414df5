# SPDX-License-Identifier: GPL-3.0-or-later
"""From a recipe and a grid to a height field."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..analysis import fields
from ..layers import WHOLE
from ..layers.blend import blended
from ..layers.context import LayerContext
from ..layers.maps import Map
from ..numerics.arrays import Floats, small_ufunc_buffer
from ..numerics.blocks import by_bands, row_bands
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, LayerProgress, Progress, never_cancelled, no_progress, poll
from ..recipe.recipe import Layer, Recipe
from . import memory
from .cache import Cache, Stage
from .heightfield import Heightfield

MOST_OF = 0.9
"""Share of a land with its margin from which the rest is not worth a copy to be rid of."""


@small_ufunc_buffer()
def evaluate(
    recipe: Recipe,
    grid: Grid,
    *,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
    cache: Cache | None = None,
) -> Heightfield:
    """Make the land of ``recipe`` at the points of ``grid``.

    Parameters
    ----------
    progress : called with the share done (0 to 1) and the name of the layer at work.
    cancelled : asked now and then, also while a mask is derived; once it says True, Cancelled is
        raised and nothing is lost.
    cache : results of lower layers are taken from and left there; they are never written into.

    Points that two grids share get the same height, whatever the grids' resolution, for all
    layers whose result depends on the point alone. Layers that look at their neighbourhood are
    evaluated with a margin, so windows of one grid fit together without a seam. The margin ends
    half the terrain's extent beyond its border; layers take the land there to go on as it ends.

    ValueError for heights beyond all limits, and for more points than fit into memory.
    """
    cancelled = cancelled or never_cancelled
    cache = Cache(limit=0) if cache is None else cache
    stage = _land(recipe, recipe.active, grid, progress or no_progress, cancelled, cache)
    return Heightfield.of(recipe, grid, stage.height, stage.masks, cancelled)


@small_ufunc_buffer()
def layer_weight(
    recipe: Recipe,
    place: int,
    grid: Grid,
    *,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
    cache: Cache | None = None,
) -> Floats:
    """Where layer number ``place``, from the ground up, acts: what its masks come to, 0 to 1.

    (ny, nx) float32; 1 everywhere for a layer without masks. Of a layer that is off, what they
    would come to. Parameters are those of :func:`evaluate`, which finds the land below and the
    weight in ``cache`` afterwards. ValueError when there is no such layer, or when one of its masks
    asks for what there is not.
    """
    if not 0 <= place < len(recipe.layers):
        raise ValueError("There is no layer: add one first")
    layer, progress, cancelled = (
        recipe.layers[place],
        progress or no_progress,
        cancelled or never_cancelled,
    )
    if not layer.masks:
        return np.ones(grid.shape, np.float32)
    cache = Cache(limit=0) if cache is None else cache
    below = [one for one in recipe.layers[:place] if one.on]
    most = max(len(recipe.active), 1)
    radius = fields.radius_of(recipe.size_x, recipe.size_y)
    margin = _margin(below, grid, radius) + _mask_halo(layer, grid, radius)
    # The points that the whole land is made at: what is known of these is known here.
    wide = _widened(recipe, grid, max(margin, _margin(recipe.active, grid, radius)))

    def share(part: float, text: str) -> None:
        progress(part * len(below) / most, text)

    stage = _run(recipe, below, wide, share, cancelled, cache)
    stack = _Stack.of(recipe, (*below, layer), wide)
    context = _work(recipe, stack, len(below), stage, no_progress, cancelled, cache)
    weight = _weight(layer, context, cache, stack.weight_key(len(below)), keep=True)
    assert weight is not None
    return _copied(weight, _inside(grid, wide), cancelled)


def _land(
    recipe: Recipe,
    layers: Sequence[Layer],
    grid: Grid,
    progress: LayerProgress,
    cancelled: Cancel,
    cache: Cache,
) -> Stage:
    """Evaluate with the margin that the layers' neighbourhoods need, and cut it off again."""
    radius = fields.radius_of(recipe.size_x, recipe.size_y)
    wide = _widened(recipe, grid, _margin(layers, grid, radius))
    stage = _run(recipe, layers, wide, progress, cancelled, cache)
    if wide == grid:
        return stage
    inside = _inside(grid, wide)
    masks = {name: _moved(mask, inside, cancelled) for name, mask in stage.masks.items()}
    return Stage(_moved(stage.height, inside, cancelled), masks)


def _widened(recipe: Recipe, grid: Grid, margin: int) -> Grid:
    """The grid with a margin; ValueError for more points than fit into memory."""
    wide = grid.with_margin(margin, recipe.size_x, recipe.size_y)
    left = [name for layer in recipe.active for name in layer.settings.produces]
    memory.check_land((grid.nx, grid.ny), (wide.nx, wide.ny), left)
    return wide


def _inside(grid: Grid, wide: Grid) -> tuple[slice, slice]:
    """Where a grid lies in what was made with a margin around it."""
    j, i = grid.j0 - wide.j0, grid.i0 - wide.i0
    return slice(j, j + grid.ny), slice(i, i + grid.nx)


def _copied(field: Floats, inside: tuple[slice, slice], cancelled: Cancel) -> Floats:
    return by_bands(np.positive, cancelled, field[inside])


def _moved(field: Floats, inside: tuple[slice, slice], cancelled: Cancel) -> Floats:
    """The inside of a field that nobody needs any more: in the memory that it lies in, where that
    is hardly more, as copies of all masks would be the most that there is of a land at once."""
    part = field[inside]
    mine = field.flags.owndata and field.flags.c_contiguous and field.flags.writeable
    if not mine or part.size < MOST_OF * field.size:
        return _copied(field, inside, cancelled)
    out = field.reshape(-1)[: part.size].reshape(part.shape)
    for rows in row_bands(part.shape, cancelled):
        out[rows] = part[rows]  # each row comes to lie before those that are still to be moved
    return out


def _margin(layers: Sequence[Layer], grid: Grid, radius: float) -> int:
    return sum(
        layer.settings.halo(grid.dx, grid.dy) + _mask_halo(layer, grid, radius) for layer in layers
    )


def _mask_halo(layer: Layer, grid: Grid, radius: float) -> int:
    return max((mask.halo(grid.dx, grid.dy, radius) for mask in layer.masks), default=0)


@dataclass(frozen=True)
class _Stack:
    """Layers from the ground up on a grid, and the names of their results in the cache."""

    grid: Grid
    layers: tuple[Layer, ...]
    maps: Mapping[str, Map]
    keys: Sequence[tuple[object, ...]]
    """Of the land with a layer on it, by the number of that layer."""

    @classmethod
    def of(cls, recipe: Recipe, layers: Sequence[Layer], grid: Grid) -> _Stack:
        ground = (recipe.seed, recipe.size_x, recipe.size_y, recipe.water.level, grid)
        maps = {painted.name: painted for painted in recipe.maps}
        marks = [(layer, *(maps.get(name) for name in layer.map_names)) for layer in layers]
        keys = [(*ground, *marks[: n + 1]) for n in range(len(layers))]
        return cls(grid, tuple(layers), maps, keys)

    def alone_key(self, n: int) -> object:
        """Of what a layer makes before it joins the land below."""
        mark: Any = self.keys[n][-1]
        return (*self.keys[n][:-1], self.layers[n].settings, *mark[1:])

    def weight_key(self, n: int) -> object:
        """Of where a layer acts."""
        mark: Any = self.keys[n][-1]
        return (*self.keys[n][:-1], self.layers[n].masks, *mark[1:])


def _run(
    recipe: Recipe,
    layers: Sequence[Layer],
    grid: Grid,
    progress: LayerProgress,
    cancelled: Cancel,
    cache: Cache,
) -> Stage:
    """Evaluate the layers from the ground up, from the last cached stage on."""
    stack = _Stack.of(recipe, layers, grid)
    # Level ground takes no memory, nor do layers whose heights nobody looks at.
    ground: Floats = np.broadcast_to(np.float32(0), grid.shape)
    stage, first = Stage(ground, {}), 0
    for n in reversed(range(len(layers))):
        known = cache.get(stack.keys[n])
        if known is not None:
            stage, first = known, n + 1
            break
    needed = _first_needed(layers)
    if needed > first:
        stage, first = Stage(ground, {}), needed
    for n in range(first, len(layers)):
        poll(cancelled)
        layer = layers[n]

        def share(part: float, n: int = n, name: str = layer.name) -> None:
            progress((n + part) / len(layers), name)

        share(0.0)
        context = _work(recipe, stack, n, stage, share, cancelled, cache)
        stage = _apply(
            layer,
            context,
            _alone(layer, context, cache, stack.alone_key(n)),
            _weight(layer, context, cache, stack.weight_key(n)),
        )
        cache.put(stack.keys[n], stage)
    progress(1.0, "")
    return Stage(np.zeros(grid.shape, np.float32), {}) if stage.height is ground else stage


def _first_needed(layers: Sequence[Layer]) -> int:
    """The first layer that has to be made at the points of the grid: those below a layer that takes
    their place, and looks at their land elsewhere only, do not show."""
    for n in reversed(range(len(layers))):
        layer = layers[n]
        alone = layer.blend == "replace" and layer.amount == 1 and not layer.masks
        left = any(below.settings.produces for below in layers[:n])
        if layer.settings.looks_elsewhere and alone and not left:
            return n
    return 0


class _Shared:
    """The progress of a layer, of which each land below that is made for it takes a part."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._start = self._reached = 0.0

    def tell(self, share: float) -> None:
        """Tell of the layer's own work, which takes what lands have left."""
        self._reach(self._start + (1 - self._start) * share)

    @contextmanager
    def step(self, size: float) -> Generator[LayerProgress, None, None]:
        """Progress of a land of ``size`` times the layer's points: by these it takes its part of
        what is left, at most half, as the layer is to work on it."""
        start = self._reached
        part = (1 - start) * min(size / (size + 1), 0.5)
        yield lambda share, text: self._reach(start + part * share)
        self._start = start + part

    def _reach(self, share: float) -> None:
        if share > self._reached:
            self._reached = share
            self._progress(share)


def _work(
    recipe: Recipe,
    stack: _Stack,
    n: int,
    stage: Stage,
    progress: Progress,
    cancelled: Cancel,
    cache: Cache,
) -> LayerContext:
    """What layer ``n`` of a stack sees, on the land that those before it made."""
    shared = _Shared(progress)

    def heights_below(other: Grid) -> Floats:
        with shared.step(other.nx * other.ny / (stack.grid.nx * stack.grid.ny)) as tell:
            return _land(recipe, stack.layers[:n], other, tell, cancelled, cache).height

    return LayerContext(
        grid=stack.grid,
        height=stage.height,
        masks=stage.masks,
        produced={},
        size_x=recipe.size_x,
        size_y=recipe.size_y,
        water_level=recipe.water.level,
        seed=recipe.seed,
        progress=shared.tell,
        cancelled=cancelled,
        heights_below=heights_below,
        maps=stack.maps,
        cache=cache.solutions,
    )


def _alone(layer: Layer, context: LayerContext, cache: Cache, key: object) -> Stage:
    """What a layer makes, before it joins the land below, and the masks that it leaves.

    Layers that take the whole land are dear: theirs is kept, so that how much of them joins, and
    where, can be tried without making it again.
    """
    whole = layer.settings.depends_on == WHOLE
    made = cache.get(key) if whole else None
    if made is None:
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows is found later
            made = Stage(layer.settings.apply(context), context.produced)
        if whole:
            cache.put(key, made)
    return made


def _weight(
    layer: Layer, context: LayerContext, cache: Cache, key: object, keep: bool = False
) -> Floats | None:
    """What the masks of a layer come to, None when it has none; left in the cache to ``keep``."""
    if not layer.masks:
        return None
    known = cache.get(key)
    if known is not None:
        return known.height
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is found later
        weight = layer.masks[0].weight(context)
        for mask in layer.masks[1:]:
            weight = by_bands(np.multiply, context.cancelled, weight, mask.weight(context))
    if keep:
        cache.put(key, Stage(weight, {}))
    return weight


def _apply(layer: Layer, context: LayerContext, made: Stage, weight: Floats | None) -> Stage:
    """The land with one more layer on it."""
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is found below
        height = blended(
            context.height, made.height, layer.blend, layer.amount, weight, context.cancelled
        )
    for rows in row_bands(height.shape, context.cancelled):
        if not np.isfinite(height[rows]).all():
            raise ValueError(
                f"Layer {layer.name!r} makes heights beyond all limits: lower its values"
            )
    left = _left(layer, context.masks, made.masks, weight, context.cancelled)
    return Stage(height, {**context.masks, **left})


def _left(
    layer: Layer,
    below: Mapping[str, Floats],
    made: Mapping[str, Floats],
    weight: Floats | None,
    cancelled: Cancel,
) -> dict[str, Floats]:
    """The masks that a layer leaves, as far as it acts, joined to those of the layers before it:
    metres of snow, erosion depth or deposition add up, others take the place of what was there."""
    if not made:
        return {}
    everywhere = weight is None and layer.amount == 1
    amount: Floats = np.broadcast_to(np.float32(layer.amount), next(iter(made.values())).shape)
    share = amount if weight is None else by_bands(np.multiply, cancelled, weight, amount)
    metres = {name for name, field in fields.FIELDS.items() if field.unit == "m"}
    left: dict[str, Floats] = {}
    for name, mask in made.items():
        before = below.get(name)
        if name in metres:
            here = mask if everywhere else by_bands(np.multiply, cancelled, mask, share)
            left[name] = here if before is None else by_bands(np.add, cancelled, before, here)
        elif before is None or everywhere:
            left[name] = mask
        else:
            left[name] = by_bands(_mixed, cancelled, before, mask, share)
    return left


def _mixed(before: Floats, own: Floats, share: Floats) -> Floats:
    change: Floats = (own - before) * share
    return before + change
