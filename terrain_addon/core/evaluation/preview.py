# SPDX-License-Identifier: GPL-3.0-or-later
"""Previews of a change: the last full result, plus the difference of two coarse evaluations.

Both coarse evaluations lack the detail between their points. It cancels out in the difference, so
a preview keeps the detail of the last result: where a change is finer than the coarse grid, such as
one of gullies or fans, the coarse evaluation alone is farther from the result than the last one.

With an erosion layer above the change, the solution of its drainage takes most of the time. Where
the recipe holds the rivers, it takes a third of it, and the preview has the rivers of the result.
For the age of a plateau a guess suffices: see :mod:`..erosion.rivers.held`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from ..analysis.fields import FIELDS, HABITAT, derived
from ..erosion.rivers.held import Stepped, can_guess
from ..erosion.surface.eroded_terrain import ErodedTerrain
from ..layers import WHOLE
from ..layers.shape.erosion.erosion import Erosion
from ..numerics.arrays import small_ufunc_buffer
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, never_cancelled, poll
from ..numerics.resample import SplineAxis, spline
from ..recipe.recipe import Layer, Recipe
from .cache import Cache
from .heightfield import Heightfield
from .layer_step import Run
from .layer_times import LayerTimes
from .solution import KnownParts, part_key
from .solving import whole_step
from .stack import evaluate

HELD, COARSE, NONE = "held", "coarse", "none"
TOO_FINE = {
    "erosion": {
        "cliff_height",
        "fill_pits",
        "gully_octaves",
        "min_catchment_area",
        "rivers",
        "valley_floor",
    }
}
"""Settings by kind of layer, whose effect is finer than a coarse grid of 257 points shows."""


CANCELED: Mapping[str, Any] = {"gully_depth": 0.0, "rock_roughness": 0.0}
"""Settings of erosion that are left out of both evaluations where they do not change, and the
values that leave them out. The last result has those forms. Without them, a step of a drag of the
strength by a twentieth takes a fifth less time, and is off by 0.023 instead of 0.011 of the change
on Alps, by 0.07 instead of 0.045 on Island."""


@dataclass(frozen=True)
class Shown:
    """The last full result, and its recipe."""

    recipe: Recipe
    terrain: Heightfield


def preview_kind(old: Recipe, new: Recipe) -> str:
    """Return which preview suits a change: HELD, COARSE, or NONE.

    HELD is a guess, and faster: see :func:`held_preview` and :func:`coarse_preview`. None suits a
    terrain of another size, a change of nothing but settings that are :data:`TOO_FINE`, and one of
    layers above all erosion, whose result takes little time.

    Examples
    --------
    >>> from terrain_addon.core import Erosion, FractalNoise, Recipe
    >>> def eroded(height=100.0, **settings):
    ...     return Recipe(layers=(FractalNoise(height=height), Erosion(**settings)))
    >>> preview_kind(eroded(type="plateau", age=0.5), eroded(type="plateau", age=0.6))
    'held'
    >>> preview_kind(eroded(), eroded(talus=30.0)), preview_kind(eroded(), eroded(rivers=3.0))
    ('coarse', 'none')
    """
    if not same_size(old, new) or _is_too_fine(old, new) or _is_above_erosion(old, new):
        return NONE
    return COARSE if _held_layer(old, new) is None else HELD


def held_preview(
    recipe: Recipe, grid: Grid, last: Shown, cache: Cache, *, cancelled: Cancel | None = None
) -> Heightfield | None:
    """Return the last result as a changed erosion would move it, if its rivers kept their courses.

    Nothing of it enters ``cache``, except the last recipe at the points of ``grid``.

    Parameters
    ----------
    recipe : the changed recipe
    grid : a coarse grid over the whole terrain, on which the change is evaluated
    last : the last full result: not a preview
    cache : which the last result was evaluated with
    cancelled : polled every few milliseconds

    Returns
    -------
    Heights on the grid of ``last``, with its fields from layers; None where :func:`preview_kind` is
    not HELD, and where the cache no longer has the drainage of the last result

    Raises
    ------
    ValueError, Cancelled : as for :func:`~.stack.evaluate`
    """
    n, cancelled = _held_layer(last.recipe, recipe), cancelled or never_cancelled
    if n is None:
        return None
    guessed = _with_guess(recipe, n, last.recipe, cache, cancelled)
    return None if guessed is None else _moved(recipe, grid, last, guessed, cache, cancelled)


def coarse_preview(
    recipe: Recipe, grid: Grid, last: Shown, cache: Cache, *, cancelled: Cancel | None = None
) -> Heightfield | None:
    """Return the last result, plus the difference of both recipes on a coarse grid.

    Parameters are those of :func:`held_preview`. None where :func:`preview_kind` is NONE.
    """
    if preview_kind(last.recipe, recipe) == NONE:
        return None
    return _moved(recipe, grid, last, cache, cache, cancelled or never_cancelled)


def same_size(old: Recipe, new: Recipe) -> bool:
    """Return whether two terrains cover the same area."""
    return (old.size_x, old.size_y) == (new.size_x, new.size_y)


def compared(recipe: Recipe, other: Recipe) -> Recipe:
    """Return what a preview evaluates of a recipe to find how it differs from another one.

    That is the recipe without the fine forms of its last erosion that both have in common. Where
    layers below all erosion differ, they move these forms too: without them, the summit of Badlands
    sank while its height rose. A preview of HELD rivers starts from the last recipe as it is. Pits
    stay in all: those of a coarse grid are deep, and filling one of them in one recipe alone would
    leave a spike.
    """
    recipe, other = _with_pits(recipe), _with_pits(other)
    last = [n for n, layer in enumerate(recipe.active) if _looks_far(layer)][-1:]
    if not last or len(recipe.active) != len(other.active):
        return recipe
    if _below_erosion(recipe) != _below_erosion(other) or _held_layer(other, recipe) is not None:
        return recipe
    layer, beside = recipe.active[last[0]], other.active[last[0]]
    own, theirs = layer.settings, beside.settings
    if not isinstance(own, Erosion) or not isinstance(theirs, Erosion):
        return recipe
    if any(getattr(own, name) != getattr(theirs, name) for name in CANCELED):
        return recipe
    plain = dataclasses.replace(layer, settings=dataclasses.replace(own, **CANCELED))
    place = max(n for n, one in enumerate(recipe.layers) if one is layer)
    layers = (*recipe.layers[:place], plain, *recipe.layers[place + 1 :])
    return dataclasses.replace(recipe, layers=layers)


def _with_pits(recipe: Recipe) -> Recipe:
    """Return a recipe whose erosion fills no pits."""
    layers = [
        dataclasses.replace(layer, settings=dataclasses.replace(layer.settings, fill_pits=False))
        if isinstance(layer.settings, Erosion)
        else layer
        for layer in recipe.layers
    ]
    return dataclasses.replace(recipe, layers=tuple(layers))


def _below_erosion(recipe: Recipe) -> list[Layer]:
    """Return the active layers below the first erosion."""
    return list(takewhile(lambda layer: not isinstance(layer.settings, Erosion), recipe.active))


def _looks_far(layer: Layer) -> bool:
    """Return whether a layer depends on the whole terrain below it."""
    return layer.settings.depends_on == WHOLE or any(mask.whole for mask in layer.masks)


@dataclass(frozen=True)
class Solved:
    """An erosion whose drainage is solved, and whether it holds rivers that are known; ``rivers``
    is False where only its glaciers are."""

    erosion: Erosion
    held: bool
    rivers: bool = True


def solved_again(old: Recipe, new: Recipe) -> list[Solved]:
    """Return the layers whose drainage a coarse preview of a change solves.

    Examples
    --------
    >>> from terrain_addon.core import Erosion, FractalNoise, Recipe
    >>> def eroded(height=100.0, **settings):
    ...     return Recipe(layers=(FractalNoise(height=height), Erosion(**settings)))
    >>> [len(solved_again(eroded(), new)) for new in (eroded(gully_depth=0.5), eroded(talus=30.0))]
    [0, 1]
    """
    alike = _same_but_layers(old, new)
    found: list[Solved] = []
    for n, layer in enumerate(new.active):
        if not isinstance(layer.settings, Erosion):
            continue
        before, after = old.active[n].settings if alike else None, layer.settings
        if (
            not isinstance(before, Erosion)
            or old.active[:n] != new.active[:n]
            or before.drainage_inputs != after.drainage_inputs
        ):
            held = after.holds_rivers and _undrawn(old, n) == _undrawn(new, n)
            found.append(Solved(after, held))
        elif after.glaciers and before.glacial_settings() != after.glacial_settings():
            found.append(Solved(after, after.holds_rivers, rivers=False))
    return found


def _undrawn(recipe: Recipe, n: int) -> tuple[object, ...]:
    """Return all that the rivers of the active layer ``n`` depend on, but those that are drawn."""
    drawn = {shape.name: shape for shape in recipe.shapes}
    layers = [layer for layer in recipe.active[: n + 1] if not layer.settings.courses(drawn)]
    shapes = [drawn.get(name) for layer in layers for name in layer.shape_names]
    level, *_ = recipe.read_by([layer.settings for layer in layers])  # rivers read no snow
    inputs = recipe.seed, recipe.seamless, recipe.field_radius, level, recipe.maps, shapes
    return recipe.size_x, recipe.size_y, *inputs, [layer.for_rivers.settings for layer in layers]


@small_ufunc_buffer()
def _moved(
    recipe: Recipe, grid: Grid, last: Shown, guessed: Cache, cache: Cache, cancelled: Cancel
) -> Heightfield:
    """Return the last result, plus the difference on a coarse grid. The new recipe is evaluated
    with the cache ``guessed``."""
    old, new = compared(last.recipe, recipe), compared(recipe, last.recipe)
    before = evaluate(old, grid, cancelled=cancelled, cache=cache, fields=())
    after = evaluate(new, grid, cancelled=cancelled, cache=guessed, fields=())
    fine = last.terrain.grid
    rows = SplineAxis.at((fine.y - grid.y[0]) / grid.dy, grid.ny)
    columns = SplineAxis.at((fine.x - grid.x[0]) / grid.dx, grid.nx)
    height = spline(after.height - before.height, rows, columns, cancelled)
    height += last.terrain.height
    known = last.terrain.fields
    kept = FIELDS.keys() - {*derived(), *(name for name in HABITAT if not known.is_made(name))}
    fields = {name: known[name] for name in FIELDS if name in known and name in kept}
    return Heightfield(fine, height, fields, radius=recipe.wide_radius, cancelled=cancelled)


def _is_too_fine(old: Recipe, new: Recipe) -> bool:
    """Return whether recipes differ in nothing but settings that are :data:`TOO_FINE`."""
    if not _same_but_layers(old, new) or old.active == new.active:
        return False
    for before, after in zip(old.active, new.active, strict=True):
        fine = TOO_FINE.get(before.settings.key, ())
        if before.settings.key != after.settings.key:
            return False
        values = {name: getattr(after.settings, name) for name in fine}
        if (
            dataclasses.replace(before, settings=dataclasses.replace(before.settings, **values))
            != after
        ):
            return False
    return True


def _is_above_erosion(old: Recipe, new: Recipe) -> bool:
    """Return whether recipes have the layers up to the last erosion, and all but layers, in
    common."""
    eroded = [n for n, layer in enumerate(new.active) if isinstance(layer.settings, Erosion)]
    if not eroded or old.active == new.active or not _same_but_layers(old, new):
        return False
    return old.active[: eroded[-1] + 1] == new.active[: eroded[-1] + 1]


def _held_layer(old: Recipe, new: Recipe) -> int | None:
    """Return the place, among the active layers, of an erosion that alone differs, in settings for
    which its rivers can be held; None if there is none."""
    pairs = list(zip(old.active, new.active, strict=False))
    changed = [n for n, (before, after) in enumerate(pairs) if before != after]
    if not _same_but_layers(old, new) or len(changed) > 1:
        return None
    for n in changed:
        before, after = pairs[n]
        one, other = before.settings, after.settings
        if not isinstance(one, Erosion) or not isinstance(other, Erosion):
            return None
        if dataclasses.replace(before, settings=other) == after and can_guess(one, other):
            return n
    return None


def _same_but_layers(old: Recipe, new: Recipe) -> bool:
    """Return whether recipes have all but layers and colors in common, and as many active
    layers."""

    layers = (*old.active, *new.active)
    kinds = [layer.settings for layer in layers]

    def rest(recipe: Recipe) -> tuple[object, ...]:
        size = recipe.size_x, recipe.size_y, recipe.seamless, recipe.field_radius
        read = *recipe.read_by(kinds), *recipe.habitat_read_by(layers)
        inputs = read, recipe.maps, recipe.shapes
        return size, recipe.seed, *inputs, len(recipe.active)

    return rest(old) == rest(new)


def _with_guess(
    recipe: Recipe, n: int, old: Recipe, cache: Cache, cancelled: Cancel
) -> Cache | None:
    """Return the cache, overlaid with a guess at the drainage of layer ``n``; None without a
    solution of the old recipe."""
    before, after = old.active[n].settings, recipe.active[n].settings
    assert isinstance(before, Erosion) and isinstance(after, Erosion)
    poll(cancelled)
    keys = [
        part_key(one, one.active[:n], settings, settings.drainage_inputs)
        for one, settings in ((old, before), (recipe, after))
    ]
    solved: ErodedTerrain | None = cache.parts.get(keys[0])
    if solved is None:
        return None
    run = Run(recipe, cancelled, cache, LayerTimes(), KnownParts(cache.parts, None))
    terrain = after.terrain(whole_step(run, n).solve_context(after))
    seed = recipe.seed + after.seed
    was = dataclasses.replace(terrain, settings=before)
    stepped = Stepped.of(solved.drainage, was, seed, cancelled)
    guess = solved.held(stepped, terrain, seed, cancelled)
    overlay = Cache(below=cache)
    overlay.parts.put(keys[1], guess)
    return overlay
