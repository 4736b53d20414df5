# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings declared by noise bases and fractals, as settings of a layer."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Protocol

from ... import noise
from ...settings.params import Setting, declared
from ..kind import LayerKind


class _Owner(Protocol):
    @property
    def settings(self) -> tuple[Setting, ...]: ...


def with_noise_settings(cls: type[LayerKind]) -> type[LayerKind]:
    """Class decorator that adds those settings, each shown for the bases or fractals that have it.

    The kind selects them with its own settings ``basis`` and ``fractal``.
    """
    found = _shown_by("basis", noise.BASES) | _shown_by("fractal", noise.FRACTALS)
    names = {"__module__": cls.__module__, "__qualname__": cls.__name__, "__doc__": cls.__doc__}
    fields = {name: declared(setting) for name, setting in found.items()}
    annotations: dict[str, Any] = {name: type(setting.default) for name, setting in found.items()}
    return type(cls.__name__, (cls,), {**names, "__annotations__": annotations, **fields})


def _shown_by(chooser: str, owners: Mapping[str, _Owner]) -> dict[str, Setting]:
    """Return settings of the owners by name, shown where ``chooser`` is an owner that declares
    them."""
    found: dict[str, Setting] = {}
    keys: dict[str, tuple[str, ...]] = {}
    for key, owner in owners.items():
        for setting in owner.settings:
            if found.setdefault(setting.name, setting) != setting:
                raise ValueError(f"Two kinds of noise differ in what {setting.name!r} means")
            keys[setting.name] = (*keys.get(setting.name, ()), key)
    return {
        name: dataclasses.replace(setting, shown_if=(chooser, keys[name]))
        for name, setting in found.items()
    }


def noise_settings(kind: Any) -> dict[str, Any]:
    """Values of the settings that the selected basis and fractal declare."""
    owners = (noise.BASES[kind.basis], noise.FRACTALS[kind.fractal])
    return {s.name: getattr(kind, s.name) for owner in owners for s in owner.settings}
