# SPDX-License-Identifier: GPL-3.0-or-later
"""One layer of a stack: solved for the whole terrain, applied on a grid, blended and kept."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..analysis import fields as analysis
from ..erosion.rivers.drawn.course import Course
from ..layers import WHOLE, LayerKind, Mask
from ..layers.blend import blended
from ..layers.context import Inputs, LayerContext, SolveContext
from ..layers.groups import opened_at
from ..layers.maps import Map
from ..layers.periods import crossfaded
from ..numerics.arrays import Floats
from ..numerics.blocks import by_bands, row_bands
from ..numerics.grid import Grid
from ..numerics.progress import Cancel, within
from ..recipe.recipe import Layer, Recipe, uncolored, without
from ..shapes import Shape
from . import memory
from .cache import Cache, Stage
from .heightfield import Heightfield
from .layer_times import LayerTimes
from .shared_progress import SharedProgress
from .solution import KnownParts, part_key, version_key

SOLVING = 0.4
"""Share of the progress of a layer for solving it."""


@dataclass(frozen=True)
class Run:
    """What all steps of one evaluation share."""

    recipe: Recipe
    cancelled: Cancel
    cache: Cache
    times: LayerTimes
    parts: KnownParts
    checkpoint: Path | None = None
    """A folder for unfinished work."""


@dataclass(frozen=True)
class LayerStack:
    """Layers from the ground up on a grid, and the cache keys of their results."""

    grid: Grid
    layers: tuple[Layer, ...]
    maps: Mapping[str, Map]
    shapes: Mapping[str, Shape]
    keys: Sequence[tuple[object, ...]]
    """Of the terrain up to and including each layer."""
    opens: Sequence[int]
    """The number of layers below each: of a group, below the first one in it."""
    needed: frozenset[str]
    """Fields to produce: part of the keys, as a result lacks all others."""
    areas: Mapping[int, str]
    """The fields of groups with colors of their own, by the numbers of these groups."""

    @classmethod
    def of(
        cls, recipe: Recipe, layers: Sequence[Layer], grid: Grid, needed: frozenset[str]
    ) -> LayerStack:
        ground: tuple[object, ...]
        ground = (recipe.seed, recipe.size_x, recipe.size_y, recipe.field_radius, grid)
        if recipe.seamless:
            ground = (*ground, "seamless")
        maps = {painted.name: painted for painted in recipe.maps}
        shapes = {drawn.name: drawn for drawn in recipe.placed_shapes}
        colored = [n for n, layer in enumerate(layers) if layer.palette]
        areas = dict(zip(colored, analysis.AREAS, strict=False))
        marks = [
            (layer, *map(maps.get, layer.map_names), *map(shapes.get, layer.shape_names))
            for layer in (map(uncolored, layers) if areas else layers)
        ]
        keys: list[tuple[object, ...]] = []
        produced: frozenset[str] = frozenset()
        for n, layer in enumerate(layers):
            own = (*layer.settings.produces, areas[n]) if n in areas else layer.settings.produces
            produced |= needed.intersection(own)
            read = recipe.read_by(below.settings for below in layers[: n + 1])
            read = (*read, *recipe.habitat_read_by(layers[: n + 1]))
            keys.append((*ground, read, produced, *marks[: n + 1]))
        opens = opened_at([layer.settings.holds for layer in layers])
        return cls(grid, tuple(layers), maps, shapes, keys, opens, needed, areas)

    def alone_key(self, n: int) -> object:
        """Return the key of a layer's own result, before it is blended with the terrain below."""
        mark: Any = self.keys[n][-1]
        layer = self.layers[n]
        return (*self.keys[n][:-1], layer.settings, layer.rivers_at, *mark[1:])

    def weight_key(self, n: int) -> object:
        """Return the key of a layer's weight."""
        mark: Any = self.keys[n][-1]
        return (*self.keys[n][: self.opens[n] - n - 1], self.layers[n].masks, *mark[1:])


@dataclass(frozen=True)
class LayerStep:
    """Layer ``n`` of a stack above the terrain of those below it.

    ``heights_below`` evaluates that terrain on any other grid, ``heights_without_rivers`` without
    the layers that draw rivers, and ``terrain_below`` with its fields. ``step_of`` makes the step
    of another stack.
    """

    run: Run
    stack: LayerStack
    n: int
    shared: SharedProgress
    heights_below: Callable[[Grid], Floats]
    heights_without_rivers: Callable[[Grid], Floats]
    terrain_below: Callable[[Grid, Sequence[str]], Heightfield]
    step_of: Callable[[Run, LayerStack, int], LayerStep]

    @property
    def layer(self) -> Layer:
        """The layer."""
        return self.stack.layers[self.n]

    @property
    def below(self) -> tuple[Layer, ...]:
        """The layers of the terrain that it is blended onto."""
        return self.stack.layers[: self.stack.opens[self.n]]

    def solved(self, owner: LayerKind | Mask) -> Any:
        """Solve what the layer or one of its masks needs of the whole terrain; None where it
        depends on no more than what is around a point."""
        whole = owner.whole if isinstance(owner, Mask) else owner.depends_on == WHOLE
        return owner.solve(self.solve_context(owner)) if whole else None

    def solve_context(self, owner: LayerKind | Mask) -> SolveContext:
        """Return the context in which the layer or one of its masks is solved."""
        below, recipe = self.below, self.run.recipe

        def part(inputs: Inputs, make: Callable[[], Any]) -> Any:
            def checked() -> Any:
                if isinstance(owner, LayerKind):
                    need = owner.solving_bytes(recipe.size_x, recipe.size_y)
                    memory.check_solving(self.layer.name, need)
                return make()

            return self.run.parts.get(part_key(recipe, below, owner, inputs), checked)

        def unfinished(inputs: Inputs) -> Path | None:
            folder, key = self.run.checkpoint, part_key(recipe, below, owner, inputs)
            return None if folder is None else folder / f"{key}.{version_key()}"

        common, courses = self._common(owner), self._courses(owner)
        held = self._undrawn(owner) if courses else self._held(owner)
        return SolveContext(
            **common,
            part=part,
            unfinished=unfinished,
            courses=courses,
            held=held,
            terrain_below=self.terrain_below,
            held_below=all(layer.for_rivers.settings == layer.settings for layer in below),
        )

    def _held(self, owner: LayerKind | Mask) -> tuple[LayerKind, SolveContext] | None:
        """Return the layer and its context in the terrain whose rivers it holds; None if it is this
        one."""
        if not (isinstance(owner, LayerKind) and owner.holds_rivers):
            return None
        layers = [layer.for_rivers for layer in self.stack.layers[: self.n + 1]]
        here = zip(layers, self.stack.layers, strict=False)
        if all(layer.settings == own.settings for layer, own in here):
            return None
        return self._in_place_of(layers)

    def _undrawn(self, owner: LayerKind | Mask) -> tuple[LayerKind, SolveContext] | None:
        """Return the layer and its context without the rivers that layers below draw; None where
        it does not hold those that it finds there."""
        if not (isinstance(owner, LayerKind) and owner.holds_rivers):
            return None
        dry = without(self.below, lambda layer: bool(layer.settings.courses(self.stack.shapes)))
        return self._in_place_of([*dry, self.layer])

    def _in_place_of(self, layers: Sequence[Layer]) -> tuple[LayerKind, SolveContext]:
        """Return the last of other layers, and its context above the rest of them."""
        # What is solved there is no part of the solution of this terrain.
        run = dataclasses.replace(self.run, parts=KnownParts(self.run.cache.parts, None))
        stack = LayerStack.of(run.recipe, layers, self.stack.grid, self.stack.needed)
        step = self.step_of(run, stack, len(layers) - 1)
        kind = step.layer.settings
        return kind, step.solve_context(kind)

    def _courses(self, owner: LayerKind | Mask) -> list[Course]:
        """Return the rivers that layers below draw, which the layer follows or crosses."""
        if not (isinstance(owner, LayerKind) and (owner.follows_courses or owner.crosses_courses)):
            return []
        shapes = self.stack.shapes
        return [course for layer in self.below for course in layer.settings.courses(shapes)]

    def applied(self, stage: Stage) -> Stage:
        """Return the terrain with this layer blended onto it."""
        layer, made = self.layer, self._alone(stage)
        if not layer.settings.blends:
            return Stage(made.height, {**stage.fields, **made.fields})
        weight = self.weight(stage)
        height = self._joined(stage.height, made.height, weight)
        produced = _produced(layer, stage.fields, made.fields, weight, self.run.cancelled)
        return Stage(height, {**stage.fields, **produced})

    def closed(self, start: Stage, members: Stage) -> Stage:
        """Return the terrain that a group began on, blended with that of its members."""
        layer, cancelled, weight = self.layer, self.run.cancelled, self.weight(start)
        height = self._joined(start.height, members.height, weight)
        area = self._area(height.shape, weight)
        if weight is None and layer.opacity == 1:
            return Stage(height, {**members.fields, **area})
        made = {
            name: _added(name, start.fields.get(name), field, cancelled)
            for name, field in members.fields.items()
            if field is not start.fields.get(name)
        }
        produced = _produced(layer, start.fields, made, weight, cancelled)
        return Stage(height, {**start.fields, **produced, **area})

    def _area(self, shape: tuple[int, ...], weight: Floats | None) -> dict[str, Floats]:
        """Return the field that says where a group with colors of its own acts."""
        name, opacity = self.stack.areas.get(self.n, ""), np.float32(self.layer.opacity)
        if name not in self.stack.needed:
            return {}
        if weight is None:
            return {name: np.full(shape, opacity, np.float32)}

        def faded(part: Floats) -> Floats:
            return part * opacity

        return {name: by_bands(faded, self.run.cancelled, weight)}

    def _joined(self, below: Floats, own: Floats, weight: Floats | None) -> Floats:
        """Return heights below blended with those of the layer; ValueError for too large ones."""
        layer, cancelled = self.layer, self.run.cancelled
        with np.errstate(over="ignore", invalid="ignore"):  # an overflow is reported below
            height = blended(below, own, layer.blend, layer.opacity, weight, cancelled)
        for rows in row_bands(height.shape, cancelled):
            if not np.isfinite(height[rows]).all():
                raise ValueError(
                    f"Layer {layer.name!r} makes heights that are too large: lower its values"
                )
        return height

    def weight(self, stage: Stage, *, keep: bool = False) -> Floats | None:
        """Return the product of the layer's masks, None when it has none; ``keep`` puts it into the
        cache."""
        masks, cache, key = self.layer.masks, self.run.cache, self.stack.weight_key(self.n)
        if not masks:
            return None
        known = cache.get(key)
        if known is not None:
            return known.height
        with np.errstate(over="ignore", invalid="ignore"):  # an overflow is reported later
            weight = masks[0].weight(self._context(stage, masks[0]))
            for mask in masks[1:]:
                own = mask.weight(self._context(stage, mask))
                weight = by_bands(np.multiply, self.run.cancelled, weight, own)
        if keep:
            cache.put(key, Stage(weight, {}))
        return weight

    def _alone(self, stage: Stage) -> Stage:
        """Return the layer's own result, before it is blended, with the fields that it produces.

        Results of layers that depend on the whole terrain are expensive: they are cached, so that
        blending and masks can change without evaluating the layer again.
        """
        kind, cache, key = self.layer.settings, self.run.cache, self.stack.alone_key(self.n)
        whole = kind.depends_on == WHOLE
        made = cache.get(key) if whole else None
        if made is None:
            with np.errstate(over="ignore", invalid="ignore"):  # an overflow is reported later
                context = self._context(stage, kind)
                height = _repeating(kind, context)
            unused = set(kind.produces) - context.needed
            made = Stage(height, {k: v for k, v in context.produced.items() if k not in unused})
            if whole:
                cache.put(key, made)
        return made

    def _context(self, stage: Stage, owner: LayerKind | Mask) -> LayerContext:
        """Return the context in which the layer or one of its masks is applied."""
        solved, common = self.solved(owner), self._common(owner)
        if solved is not None:
            common["progress"] = within(self.shared.report, SOLVING, 1)
        return LayerContext(
            **common,
            grid=self.stack.grid,
            height=stage.height,
            fields=stage.fields,
            needed=self.stack.needed,
            produced={},
            solved=solved,
        )

    def _common(self, owner: LayerKind | Mask) -> dict[str, Any]:
        """Return the arguments that all contexts have in common."""
        recipe = self.run.recipe
        dry = isinstance(owner, LayerKind) and owner.follows_courses and self._courses(owner)
        below = self.heights_without_rivers if dry else self.heights_below
        return {
            "size_x": recipe.size_x,
            "size_y": recipe.size_y,
            "radius": recipe.wide_radius,
            "water_level": recipe.water.level,
            "snow_line": recipe.palette.snow_line,
            "seed": recipe.seed,
            "progress": self.shared.report,
            "cancelled": self.run.cancelled,
            "heights_below": below,
            "maps": self.stack.maps,
            "shapes": self.stack.shapes,
            "kept": self._kept,
            "seamless": recipe.seamless,
            "surroundings": recipe.surroundings,
        }

    def _kept(self, inputs: tuple[object, ...], make: Callable[[], Floats]) -> Floats:
        """Return an array that is the same in the next evaluation."""
        known = self.run.cache.get(inputs)
        if known is None:
            known = Stage(make(), {})
            self.run.cache.put(inputs, known)  # which makes it read-only, if it keeps it
        return known.height


def _repeating(kind: LayerKind, context: LayerContext) -> Floats:
    """Return the heights of a layer, which repeat if the terrain is seamless, as do the fields that
    it leaves in the context."""
    if kind.repeats or not context.seamless:
        return kind.apply(context)
    names = [name for name in kind.produces if context.needs(name)]

    def made(grid: Grid, rows: slice, columns: slice) -> Floats:
        part = rows, columns
        fields = {name: field[part] for name, field in context.fields.items()}
        own = dataclasses.replace(
            context, grid=grid, height=context.height[part], fields=fields, produced={}
        )
        height = kind.apply(own)
        return np.stack([height, *(own.produced[name] for name in names)])

    height, *produced = crossfaded(made, context.grid, context.size_x, context.size_y)
    context.produced.update(zip(names, produced, strict=True))
    return height


def _produced(
    layer: Layer,
    below: Mapping[str, Floats],
    made: Mapping[str, Floats],
    weight: Floats | None,
    cancelled: Cancel,
) -> dict[str, Floats]:
    """Return the fields that a layer produces, weighted, combined with those of the layers below:
    meters of snow, erosion or deposition add up, other fields replace those below."""
    if not made:
        return {}
    everywhere = weight is None and layer.opacity == 1
    amount: Floats = np.broadcast_to(np.float32(layer.opacity), next(iter(made.values())).shape)
    share = amount if weight is None else by_bands(np.multiply, cancelled, weight, amount)
    produced: dict[str, Floats] = {}
    for name, field in made.items():
        before = below.get(name)
        if _adds_up(name):
            here = field if everywhere else by_bands(np.multiply, cancelled, field, share)
            produced[name] = here if before is None else by_bands(np.add, cancelled, before, here)
        elif before is None or everywhere:
            produced[name] = field
        else:
            produced[name] = by_bands(_mixed, cancelled, before, field, share)
    return produced


def _added(name: str, before: Floats | None, field: Floats, cancelled: Cancel) -> Floats:
    """Return what layers added to a field in meters; another field as it is."""
    if before is None or not _adds_up(name):
        return field
    return by_bands(np.subtract, cancelled, field, before)


def _adds_up(name: str) -> bool:
    """Return whether a field is in meters, or the area of a group: these add up over layers."""
    field = analysis.FIELDS.get(name)
    return name in analysis.AREAS or (field is not None and field.unit == "m")


def _mixed(before: Floats, own: Floats, share: Floats) -> Floats:
    change: Floats = (own - before) * share
    return before + change
