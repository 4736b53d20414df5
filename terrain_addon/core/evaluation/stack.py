# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluate the layer stack of a recipe on a grid."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..analysis.fields import AREAS
from ..analysis.habitat import FROM_LAYERS
from ..layers.context import Inputs
from ..layers.groups import opened_at
from ..numerics.arrays import Floats, small_ufunc_buffer
from ..numerics.blocks import by_bands, row_bands
from ..numerics.grid import Grid
from ..numerics.progress import (
    Cancel,
    LayerProgress,
    Progress,
    never_cancelled,
    no_progress,
    poll,
    within,
)
from ..recipe.recipe import Layer, Recipe, placed, with_count, without
from . import memory
from .cache import Cache, Stage
from .folding import Folded, periods
from .habitats import Habitats
from .heightfield import Heightfield
from .held import Held
from .layer_step import LayerStack, LayerStep, Run
from .layer_times import LayerTimes
from .shared_progress import SharedProgress
from .solution import KnownParts, Solution, grid_fields, part_key

DEFAULT_RESOLUTION = 1025
"""Points along the longer side of a terrain that is evaluated without a grid."""

MOST_OF = 0.9
"""An array of which this share is kept is compacted in place: a smaller copy would save little."""


@small_ufunc_buffer()
def evaluate(
    recipe: Recipe,
    grid: Grid | None = None,
    *,
    solution: Solution | None = None,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
    cache: Cache | None = None,
    fields: Iterable[str] | None = None,
    times: LayerTimes | None = None,
) -> Heightfield:
    """Evaluate a recipe at the points of a grid.

    Grids that share a point get the same height there, whatever their resolutions, from all layers
    whose result depends on the point alone. Layers that depend on a neighborhood are evaluated
    with a margin, so windows of one grid fit together without a seam. The margin ends half the
    terrain's extent beyond its border, where layers continue the terrain with its border values.

    Parameters
    ----------
    recipe : the terrain, with the painted maps that it names
    grid : where to sample it; by default 1025 points along the longer side, border to border
    solution : of the whole terrain, from :func:`~.solving.solve`; solved on the way if None.
        Windows are the same bits either way
    progress : called with the share done (0 to 1) and the name of the current layer
    cancelled : polled every few milliseconds, also while a field is derived from the result
    cache : keeps the results of lower layers for the next call; they are never written into
    fields : names of the fields that are used afterwards; by default all. Those that layers produce
        take time. Fields that follow from the heights are always there
    times : where the processor time of each layer is added

    Returns
    -------
    Heightfield : heights in meters, (ny, nx) float32, and the fields of the terrain

    Raises
    ------
    ValueError : heights beyond the range of float32, more points than fit into memory, or the
        solution of another terrain
    Cancelled : ``cancelled`` returned true

    Examples
    --------
    >>> from terrain_addon.core import evaluate, presets
    >>> recipe = presets.load("crater_field")
    >>> terrain = evaluate(recipe, recipe.grid(65))
    >>> terrain.height.shape, terrain.height.dtype
    ((65, 65), dtype('float32'))
    >>> part = evaluate(recipe, recipe.grid(65).window(10, 20, 30, 40))
    >>> bool((part.height == terrain.height[20:60, 10:40]).all())
    True
    """
    check_repeats(recipe)
    grid = recipe.grid(DEFAULT_RESOLUTION) if grid is None else grid
    cancelled = cancelled or never_cancelled
    cache = Cache(limit=0) if cache is None else cache
    needed = _needed(recipe.active, fields)
    parts = KnownParts(cache.parts, solution)
    run = Run(recipe, cancelled, cache, times or LayerTimes(), parts)
    stage = _evaluated(run, recipe.active, grid, needed, progress or no_progress)
    return _heightfield(
        run,
        grid,
        stage,
        solved=grid_fields(recipe, solution),
        period=_period(recipe, grid),
        habitat=_habitats(run, recipe.active, solution).sample,
    )


def _heightfield(run: Run, grid: Grid, stage: Stage, **more: Any) -> Heightfield:
    """Return the terrain of a stage, with ``more`` of what its fields follow from."""
    radius = run.recipe.wide_radius
    return Heightfield(
        grid, stage.height, stage.fields, radius=radius, cancelled=run.cancelled, **more
    )


def _period(recipe: Recipe, grid: Grid) -> tuple[int, int] | None:
    """Return the samples after which a seamless terrain repeats, None for another terrain."""
    return periods(grid, recipe.size_x, recipe.size_y) if recipe.seamless else None


def habitats_of(
    recipe: Recipe, solution: Solution | None = None, cancelled: Cancel | None = None
) -> Habitats:
    """Return the habitat fields of a recipe, which are computed when they are first read.

    Examples
    --------
    >>> from terrain_addon.core import FractalNoise, Recipe
    >>> habitats = habitats_of(Recipe(layers=(FractalNoise(height=100.0),)))
    >>> habitats.part("sun").values.shape
    (513, 513)
    """
    cache = Cache(limit=0)
    parts, cancelled = KnownParts(cache.parts, solution), cancelled or never_cancelled
    run = Run(recipe, cancelled, cache, LayerTimes(), parts)
    return _habitats(run, recipe.active, solution)


def _habitats(run: Run, layers: Sequence[Layer], solution: Solution | None = None) -> Habitats:
    """Return the habitat fields of the terrain of some layers."""

    def terrain(grid: Grid) -> Heightfield:
        stage = _evaluated(run, layers, grid, _needed(layers, FROM_LAYERS), no_progress)
        return _heightfield(run, grid, stage, period=_period(run.recipe, grid))

    return Habitats(run.recipe, layers, terrain, solution, run.cache.parts, run.cancelled)


@small_ufunc_buffer()
def layer_weight(
    recipe: Recipe,
    place: int,
    grid: Grid,
    *,
    solution: Solution | None = None,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
    cache: Cache | None = None,
    fields: Iterable[str] | None = None,
    times: LayerTimes | None = None,
) -> Floats:
    """Return the weight of layer number ``place``, from the ground up: the product of its masks, 0
    to 1.

    (ny, nx) float32; 1 everywhere for a layer without masks. The weight of a layer that is off is
    what it would be if on. Parameters are those of :func:`evaluate`, which afterwards finds the
    weight and the terrain below in ``cache``. ValueError when there is no such layer, or when one
    of its masks needs a field that no layer produces.
    """
    if not 0 <= place < len(recipe.layers):
        raise ValueError("There is no layer: add one first")
    progress, cancelled = progress or no_progress, cancelled or never_cancelled
    if not recipe.layers[place].masks:
        return np.ones(grid.shape, np.float32)
    cache = Cache(limit=0) if cache is None else cache
    below, layer = _up_to(recipe, place)
    most = max(len(recipe.active), 1)
    radius = recipe.wide_radius
    margin = _margin(below, grid, radius) + _mask_halo(layer, grid, radius)
    # The margin of the whole stack, so that both find each other's results in the cache.
    wide = _widened(recipe, grid, max(margin, _margin(recipe.active, grid, radius)))

    def share(part: float, text: str) -> None:
        progress(part * len(below) / most, text)

    needed = _needed((*below, layer, *recipe.active), fields)
    parts = KnownParts(cache.parts, solution)
    run = Run(recipe, cancelled, cache, times or LayerTimes(), parts)
    stage = _stacked(run, below, wide, needed, share)
    stack = LayerStack.of(recipe, (*below, layer), wide, needed)
    weight = step_of(run, stack, len(below), no_progress).weight(stage, keep=True)
    assert weight is not None
    return _copied(weight, _inside(grid, wide), cancelled)


def terrain_below(
    recipe: Recipe,
    place: int,
    grid: Grid,
    *,
    progress: LayerProgress | None = None,
    cancelled: Cancel | None = None,
    cache: Cache | None = None,
    fields: Iterable[str] | None = None,
) -> Heightfield:
    """Evaluate the terrain that layer number ``place`` and its masks act on, as if the layer was
    on.

    Parameters and errors are those of :func:`evaluate`; IndexError when there is no such layer.

    Examples
    --------
    >>> from terrain_addon.core import Falloff, FractalNoise, Recipe
    >>> recipe = Recipe(layers=[FractalNoise(), Falloff()])
    >>> below = terrain_below(recipe, 1, recipe.grid(17))
    >>> noise = evaluate(Recipe(layers=[FractalNoise()]), recipe.grid(17))
    >>> bool((below.height == noise.height).all())
    True
    """
    layers, _ = _up_to(recipe, place)
    needed = _needed(layers, fields)
    cancelled, cache = cancelled or never_cancelled, Cache(limit=0) if cache is None else cache
    run = Run(recipe, cancelled, cache, LayerTimes(), KnownParts(cache.parts, None))
    stage = _evaluated(run, layers, grid, needed, progress or no_progress)
    habitat = _habitats(run, layers).sample
    return _heightfield(run, grid, stage, period=_period(recipe, grid), habitat=habitat)


def below_key(recipe: Recipe, place: int, inputs: Inputs = ()) -> str:
    """Return a digest of all that :func:`terrain_below` follows from, on any grid, and of
    ``inputs``."""
    return part_key(recipe, _up_to(recipe, place)[0], None, inputs)


def _up_to(recipe: Recipe, place: int) -> tuple[list[Layer], Layer]:
    """Return the layers that make the terrain which a layer acts on, and the layer, as if on; a
    group without its members."""
    places, layers = zip(*placed(recipe.layers, place), strict=True)
    n = places.index(place)
    opens = opened_at([layer.settings.holds for layer in layers])[n]
    layer = layers[n]
    return list(layers[:opens]), layer if opens == n else with_count(layer, 0)


def check_repeats(recipe: Recipe) -> None:
    """Raise ValueError for a recipe that is to be seamless and has a layer that cannot be."""
    if recipe.cannot_repeat:
        raise ValueError(recipe.cannot_repeat)


def _evaluated(
    run: Run, layers: Sequence[Layer], grid: Grid, needed: frozenset[str], progress: LayerProgress
) -> Stage:
    """Evaluate layers with the margin that their neighborhoods need, and crop it."""
    recipe, cancelled = run.recipe, run.cancelled
    folded = Folded.of(grid, recipe.size_x, recipe.size_y) if recipe.seamless else None
    if folded is not None:
        return _unfolded(run, layers, folded, needed, progress)
    radius = recipe.wide_radius
    wide = _widened(recipe, grid, _margin(layers, grid, radius))
    stage = _stacked(run, layers, wide, needed, progress)
    if wide == grid:
        return stage
    inside = _inside(grid, wide)
    cropped = {name: _moved(field, inside, cancelled) for name, field in stage.fields.items()}
    return Stage(_moved(stage.height, inside, cancelled), cropped)


def _unfolded(
    run: Run,
    layers: Sequence[Layer],
    folded: Folded,
    needed: frozenset[str],
    progress: LayerProgress,
) -> Stage:
    """Evaluate layers on a grid that reaches beyond one period of a seamless terrain: at points a
    period apart the heights are the same bits."""
    windows = folded.windows()
    count = sum(map(len, windows))
    stages: list[list[Stage]] = []
    for row in windows:
        stages.append([])
        for window in row:
            number = sum(map(len, stages))
            part = within(progress, number / count, (number + 1) / count)
            stages[-1].append(_evaluated(run, layers, window, needed, part))
    names = stages[0][0].fields
    fields = {
        name: folded.joined([[stage.fields[name] for stage in row] for row in stages])
        for name in names
    }
    return Stage(folded.joined([[stage.height for stage in row] for row in stages]), fields)


def _needed(layers: Sequence[Layer], used: Iterable[str] | None) -> frozenset[str]:
    """Return the names of the fields that layers have to produce: those used afterwards (None: all
    of them), and those that masks read."""
    produced = {name for layer in layers for name in layer.settings.produces}
    produced.update(AREAS[: len([layer for layer in layers if layer.palette])])
    read = (name for layer in layers for mask in layer.masks for name in mask.reads)
    return frozenset(produced if used is None else produced.intersection((*used, *read)))


def _widened(recipe: Recipe, grid: Grid, margin: int) -> Grid:
    """Return the grid with a margin; ValueError for more points than fit into memory."""
    if recipe.seamless:  # it goes on beyond the border
        wide = grid.padded(margin)
    else:
        wide = grid.with_margin(margin, recipe.size_x, recipe.size_y)
    memory.check_terrain((grid.nx, grid.ny), (wide.nx, wide.ny), Held.of(recipe.active))
    return wide


def _inside(grid: Grid, wide: Grid) -> tuple[slice, slice]:
    """Return the rows and columns of a grid within the grid widened by a margin."""
    j, i = grid.j0 - wide.j0, grid.i0 - wide.i0
    return slice(j, j + grid.ny), slice(i, i + grid.nx)


def _copied(field: Floats, inside: tuple[slice, slice], cancelled: Cancel) -> Floats:
    return by_bands(np.positive, cancelled, field[inside])


def _moved(field: Floats, inside: tuple[slice, slice], cancelled: Cancel) -> Floats:
    """Return the inside of a field that is not used afterwards, moved within its own memory where
    the margin is small: copies of all fields would set the peak of the memory."""
    part = field[inside]
    mine = field.flags.owndata and field.flags.c_contiguous and field.flags.writeable
    if not mine or part.size < MOST_OF * field.size:
        return _copied(field, inside, cancelled)
    out = field.reshape(-1)[: part.size].reshape(part.shape)
    for rows in row_bands(part.shape, cancelled):
        out[rows] = part[rows]  # each row moves to before the rows still to be moved
    return out


def margin_of(recipe: Recipe, grid: Grid) -> int:
    """Return samples around a window of a grid that are evaluated with it."""
    return _margin(recipe.active, grid, recipe.wide_radius)


def _margin(layers: Sequence[Layer], grid: Grid, radius: float) -> int:
    return sum(
        layer.settings.halo(grid.dx, grid.dy) + _mask_halo(layer, grid, radius) for layer in layers
    )


def _mask_halo(layer: Layer, grid: Grid, radius: float) -> int:
    return max((mask.halo(grid.dx, grid.dy, radius) for mask in layer.masks), default=0)


def _stacked(
    run: Run, layers: Sequence[Layer], grid: Grid, needed: frozenset[str], progress: LayerProgress
) -> Stage:
    """Evaluate the layers from the ground up, from the last cached stage on."""
    stack, cache = LayerStack.of(run.recipe, layers, grid, needed), run.cache
    # Flat ground takes no memory, nor do layers whose heights are not used.
    ground: Floats = np.broadcast_to(np.float32(0), grid.shape)
    first, stages = _known_stages(stack, cache, Stage(ground, {}))
    visible = _first_visible(stack)
    if visible > first:
        first, stages = visible, {visible: Stage(ground, {})}
    stage = stages.pop(first)
    ends = {opens: n for n, opens in enumerate(stack.opens) if opens < n}
    # The last group that begins on the terrain of so many layers, which is kept until then.
    for n in range(first, len(layers)):
        poll(run.cancelled)
        if n in ends:
            stages[n] = stage
        layer = layers[n]

        def share(part: float, n: int = n, name: str = layer.name) -> None:
            progress((n + part) / len(layers), name)

        share(0.0)
        with run.times.layer(n):
            step = step_of(run, stack, n, share)
            opens = stack.opens[n]
            stage = step.applied(stage) if opens == n else step.closed(stages[opens], stage)
            if ends.get(opens) == n:
                del stages[opens]
        cache.put(stack.keys[n], stage)
    progress(1.0, "")
    return Stage(np.zeros(grid.shape, np.float32), {}) if stage.height is ground else stage


def _known_stages(stack: LayerStack, cache: Cache, ground: Stage) -> tuple[int, dict[int, Stage]]:
    """Return the most layers whose terrain is cached, and that terrain by their number.

    Where groups are open there, the terrain that they began on is cached too, and also returned.
    """
    for first in reversed(range(1, len(stack.layers) + 1)):
        stages: dict[int, Stage] = {}
        for n in sorted({first, *(n for n in stack.opens[first:] if n < first)}, reverse=True):
            known = cache.get(stack.keys[n - 1]) if n else ground
            if known is None:
                break
            stages[n] = known
        else:
            return first, stages
    return 0, {0: ground}


def _first_visible(stack: LayerStack) -> int:
    """Return the first layer that is evaluated on the grid. Layers below one that replaces them,
    and that samples them on grids of its own, do not show."""
    layers = stack.layers
    for n in reversed(range(len(layers))):
        layer = layers[n]
        replaces = layer.blend == "replace" and layer.opacity == 1 and not layer.masks
        if not (layer.settings.looks_elsewhere and replaces):
            continue
        produced = any(stack.needed.intersection(below.settings.produces) for below in layers[:n])
        within = any(opens <= n for opens in stack.opens[n + 1 :])
        if not produced and not within:  # a group may let the terrain below show
            return n
    return 0


def step_of(run: Run, stack: LayerStack, n: int, progress: Progress) -> LayerStep:
    """Return layer ``n`` of a stack, to be solved or applied."""
    shared = SharedProgress(progress)

    def stage(below: Sequence[Layer], other: Grid, fields: Sequence[str] = ()) -> Stage:
        share = other.nx * other.ny / (stack.grid.nx * stack.grid.ny)
        with shared.step(share) as step, run.times.below():
            return _evaluated(run, below, other, _needed(below, fields), step)

    def heights(below: Sequence[Layer], other: Grid) -> Floats:
        return stage(below, other).height

    def terrain(other: Grid, fields: Sequence[str]) -> Heightfield:
        return _heightfield(run, other, stage(below, other, fields))

    below = stack.layers[: stack.opens[n]]
    dry = without(below, lambda layer: bool(layer.settings.courses(stack.shapes)))
    again = partial(step_of, progress=progress)
    of_layers = partial(heights, below), partial(heights, dry), terrain
    return LayerStep(run, stack, n, shared, *of_layers, again)
