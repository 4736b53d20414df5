# SPDX-License-Identifier: GPL-3.0-or-later
"""From a recipe and a grid to a height field."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from . import fields, memory
from .blend import blended
from .buffers import whole_rows
from .cancel import Cancel
from .errors import Cancelled
from .grid import Grid
from .layers import WHOLE
from .recipe import Layer, Recipe
from .work import Array, Work

LayerProgress = Callable[[float, str], None]


@dataclass(frozen=True)
class Heightfield:
    """What came out: ``height[j, i]`` in metres (float32, j along +Y, i along +X) and its masks."""

    grid: Grid
    height: Array
    masks: Mapping[str, Array]
    """Float32 fields by name, as `fields.FIELDS` lists them. Layers leave some; those that follow
    from the heights, such as "slope" (degrees), are always there, made when first asked for."""

    @property
    def range(self) -> tuple[float, float]:
        """Lowest and highest height in metres."""
        return float(self.height.min()), float(self.height.max())


class Masks(Mapping[str, Array]):
    """The masks that layers left, and those derived from the height when asked for."""

    def __init__(
        self,
        grid: Grid,
        height: Array,
        left: Mapping[str, Array],
        radius: float,
        cancelled: Cancel,
    ) -> None:
        self._grid, self._height, self._radius = grid, height, radius
        self._fields, self._cancelled = dict(left), cancelled

    @whole_rows()
    def __getitem__(self, name: str) -> Array:
        if name not in self._fields:
            if name not in fields.FIELDS:
                raise KeyError(name)
            self._fields[name] = fields.derive(
                name, self._height, self._grid, self._radius, self._cancelled
            )
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._fields, *fields.derived()]))

    def __len__(self) -> int:
        return len({*self._fields, *fields.derived()})


@dataclass(frozen=True)
class _Stage:
    """The land after some layers."""

    height: Array
    masks: Mapping[str, Array]

    @property
    def nbytes(self) -> int:
        return self.height.nbytes + sum(mask.nbytes for mask in self.masks.values())


class Cache:
    """Results of the lower layers, so that a change of an upper one does not compute them again.

    Bounded by bytes and by number; the least recently used go first. A slider leaves stages that
    are not asked for again: to use their memory soon is faster than to fill all that is allowed.
    Not for use by two threads at once.
    """

    def __init__(self, limit: int = 256 * 2**20, most: int = 24) -> None:
        self.limit, self.most = limit, most
        # Not an OrderedDict: that hashes its keys, whole recipes, each time it is gone through.
        self._stages: dict[object, _Stage] = {}

    def get(self, key: object) -> _Stage | None:
        stage = self._stages.pop(key, None)
        if stage is not None:
            self._stages[key] = stage  # the last one is the one used last
        return stage

    def put(self, key: object, stage: _Stage) -> None:
        for array in (stage.height, *stage.masks.values()):
            array.setflags(write=False)  # whoever gets it next must find it as it is
        self._stages.pop(key, None)
        self._stages[key] = stage
        while len(self._stages) > self.most or self._nbytes() > self.limit:
            del self._stages[next(iter(self._stages))]

    def _nbytes(self) -> int:
        return sum(stage.nbytes for stage in self._stages.values())

    def clear(self) -> None:
        """Forget everything."""
        self._stages.clear()


@whole_rows()
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
    progress = progress or (lambda share, text: None)
    cancelled = cancelled or (lambda: False)
    stage = _land(recipe, recipe.active, grid, progress, cancelled, cache)
    radius = fields.radius_of(recipe.size_x, recipe.size_y)
    masks = Masks(grid, stage.height, stage.masks, radius, cancelled)
    return Heightfield(grid, stage.height, masks)


def _land(
    recipe: Recipe,
    layers: Sequence[Layer],
    grid: Grid,
    progress: LayerProgress,
    cancelled: Cancel,
    cache: Cache | None,
) -> _Stage:
    """Evaluate with the margin that the layers' neighbourhoods need, and cut it off again."""
    radius = fields.radius_of(recipe.size_x, recipe.size_y)
    margin = sum(_halo(layer, grid, radius) for layer in layers)
    wide = grid.with_margin(margin, recipe.size_x, recipe.size_y)
    memory.check_land((grid.nx, grid.ny), (wide.nx, wide.ny))
    stage = _run(recipe, layers, wide, progress, cancelled, cache)
    if wide == grid:
        return stage
    j, i = grid.j0 - wide.j0, grid.i0 - wide.i0
    inside = (slice(j, j + grid.ny), slice(i, i + grid.nx))
    masks = {name: np.ascontiguousarray(mask[inside]) for name, mask in stage.masks.items()}
    return _Stage(np.ascontiguousarray(stage.height[inside]), masks)


def _halo(layer: Layer, grid: Grid, radius: float) -> int:
    masks = [mask.halo(grid.dx, grid.dy, radius) for mask in layer.masks]
    return layer.settings.halo(grid.dx, grid.dy) + max(masks, default=0)


def _run(
    recipe: Recipe,
    layers: Sequence[Layer],
    grid: Grid,
    progress: LayerProgress,
    cancelled: Cancel,
    cache: Cache | None,
) -> _Stage:
    """Evaluate the layers from the ground up, from the last cached stage on."""
    ground = (recipe.seed, recipe.size_x, recipe.size_y, recipe.water.level, grid)
    maps = {painted.name: painted for painted in recipe.maps}
    marks = [(layer, *(maps.get(name) for name in layer.map_names)) for layer in layers]
    keys = [(*ground, *marks[: n + 1]) for n in range(len(layers))]
    stage = _Stage(np.zeros(grid.shape, np.float32), {})
    first = 0
    for n in reversed(range(len(keys))):
        known = cache.get(keys[n]) if cache else None
        if known is not None:
            stage, first = known, n + 1
            break
    for n in range(first, len(layers)):
        if cancelled():
            raise Cancelled
        layer = layers[n]

        def share(part: float, n: int = n, name: str = layer.name) -> None:
            progress((n + part) / len(layers), name)

        def land_below(other: Grid, n: int = n) -> Array:
            return _land(recipe, layers[:n], other, lambda a, b: None, cancelled, cache).height

        share(0.0)
        work = Work(
            grid=grid,
            height=stage.height,
            masks=stage.masks,
            produced={},
            size_x=recipe.size_x,
            size_y=recipe.size_y,
            water_level=recipe.water.level,
            seed=recipe.seed,
            progress=share,
            cancelled=cancelled,
            land_below=land_below,
            maps=maps,
        )
        alone = (keys[n][:-1], layer.settings, *marks[n][1:])
        stage = _apply(layer, work, _alone(layer, work, cache, alone))
        if cache:
            cache.put(keys[n], stage)
    progress(1.0, "")
    return stage


def _alone(layer: Layer, work: Work, cache: Cache | None, key: object) -> _Stage:
    """What a layer makes, before it joins the land below, and the masks that it leaves.

    Layers that take the whole land are dear: theirs is kept, so that how much of them joins, and
    where, can be tried without making it again.
    """
    if layer.settings.depends_on != WHOLE:
        cache = None
    made = cache.get(key) if cache else None
    if made is None:
        with np.errstate(over="ignore", invalid="ignore"):  # what overflows is found later
            made = _Stage(layer.settings.apply(work), work.produced)
        if cache:
            cache.put(key, made)
    return made


def _apply(layer: Layer, work: Work, made: _Stage) -> _Stage:
    """The land with one more layer on it."""
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is found below
        weight: Array | None = None
        for mask in layer.masks:
            part = mask.weight(work)
            weight = part if weight is None else weight * part
        height = blended(work.height, made.height, layer.blend, layer.amount, weight)
    if not np.isfinite(height).all():
        raise ValueError(f"Layer {layer.name!r} makes heights beyond all limits: lower its values")
    return _Stage(height, {**work.masks, **made.masks})
