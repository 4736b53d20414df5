# SPDX-License-Identifier: GPL-3.0-or-later
"""Each setting of each layer and mask at the ends of its range: finite heights and no warning."""

import math
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from terrain_addon.core import Layer, Recipe, evaluate
from terrain_addon.core.layers import LAYERS, MASKS, POINT, LayerContext, LayerKind, layer
from terrain_addon.core.numerics.arrays import Floats
from terrain_addon.core.settings import Setting, Settings, settings_of
from terrain_addon.core.settings.params import NOT_ZERO, height_param, length_param
from tests.core.strategies import drawn

GROUND = Layer.of(LAYERS["fractal_noise"](octaves=4, height=150.0, size=700.0))
RAISED = LAYERS["ramp"](height=100.0)
WIDEST = 60
"""Samples of the margin of a layer; a wider one is right, and slow."""
FIXED = {"erosion": {"resolution": "128"}, "field": {"field": "slope"}}
"""Settings that stay: finer erosion takes long at some ends, and other fields need other layers."""
REFUSED = "has points beyond 10 000 km: move it nearer to the terrain"
"""What is said of the largest lakes, which is clear."""

REMEDY = "Declare what you divide by with size_param(), or divide by max(value, 1e-3):\n"


def ends(setting: Setting) -> set[Any]:
    """Return the limits of a number, both switches, and every choice.

    The soft limit of a slider is one of these where there is no hard one; otherwise it is inside.
    """
    if setting.kind == "bool":
        return {False, True}
    if setting.kind == "choice":
        return {choice.key for choice in setting.choices}
    if setting.kind not in ("int", "float"):
        return set()
    number = int if setting.kind == "int" else float
    sides = ((setting.min, setting.soft_min), (setting.max, setting.soft_max))
    finite = (
        [limit for limit in side if limit is not None and math.isfinite(limit)] for side in sides
    )
    return {number(limits[0]) for limits in finite if limits}


def at_ends(kind: type[Settings]) -> Iterator[tuple[str, Any]]:
    """Yield the name and the settings of each case: one setting at an end, where it has effect."""
    fixed = FIXED.get(getattr(kind, "key", ""), {})
    known = {one.name: one for one in settings_of(kind)}
    for setting in (one for name, one in known.items() if name not in fixed):
        needed = fixed | dict(conditions(setting, known))
        for end in sorted(ends(setting)):
            case = kind(**needed | {setting.name: end})
            assert setting.has_effect(case, known)
            yield f"{setting.name}={end!r}", case


def conditions(setting: Setting, known: dict[str, Setting]) -> Iterator[tuple[str, Any]]:
    """Yield settings and values with which a setting has an effect."""
    if setting.shown_if is not None:
        name, values = setting.shown_if
        other = known[name]
        something = "a name" if other.kind == "text" else other.limited(1)
        yield name, something if values == NOT_ZERO else values[0]
        yield from conditions(other, known)


def failures(kind: type[Settings], recipe_of: Callable[[Any], Recipe]) -> list[str]:
    """Return the cases in which heights are not finite, or that warn or raise."""
    failed: list[str] = []
    for name, settings in at_ends(kind):
        recipe = drawn(recipe_of(settings))
        grid = recipe.grid((9, 7))
        if isinstance(settings, LayerKind) and settings.halo(grid.dx, grid.dy) > WIDEST:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                height = evaluate(recipe, grid).height
            if not np.isfinite(height).all():
                failed.append(f"{name}: heights that are not finite")
        except Exception as error:
            if not str(error).endswith(REFUSED):
                failed.append(f"{name}: {type(error).__name__}: {error}")
    return failed


def with_layer(settings: LayerKind) -> Recipe:
    return Recipe(seed=2, size_y=800.0, layers=(GROUND, Layer.of(settings)))


def with_mask(mask: Any) -> Recipe:
    return Recipe(seed=2, size_y=800.0, layers=(GROUND, Layer.of(RAISED, masks=(mask,))))


@pytest.mark.parametrize("key", LAYERS)
def test_a_layer_is_finite_at_the_ends_of_its_settings(key: str) -> None:
    assert not (failed := failures(LAYERS[key], with_layer)), REMEDY + "\n".join(failed)


@pytest.mark.parametrize("key", MASKS)
def test_a_mask_is_finite_at_the_ends_of_its_settings(key: str) -> None:
    assert not (failed := failures(MASKS[key], with_mask)), REMEDY + "\n".join(failed)


def test_a_division_by_a_length_of_zero_is_found() -> None:
    """Ripples, as one may write them: no random test ever put the reach at its minimum."""

    @layer("ripples_of_a_test", "Ripples", "Rings that fade from the middle on")
    class Ripples(LayerKind):
        depends_on = POINT

        height: float = height_param(10.0, "Height", "Height of the rings in the middle")
        reach: float = length_param(200.0, "Reach", "Distance within which the rings fade")

        def apply(self, context: LayerContext) -> Floats:
            r = np.hypot(context.grid.x[None, :], context.grid.y[:, None])
            return (self.height * np.cos(r / 20) * np.exp(-r / self.reach)).astype(np.float32)

    try:
        failed = failures(Ripples, with_layer)
    finally:
        LAYERS.remove("ripples_of_a_test")
    assert failed == ["reach=0.0: RuntimeWarning: divide by zero encountered in divide"]
