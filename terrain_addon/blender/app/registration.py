# SPDX-License-Identifier: GPL-3.0-or-later
"""Factories for the ``register`` and ``unregister`` of packages and modules."""

import pkgutil
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

import bpy

Factory = tuple[Callable[[], None], Callable[[], None]]


def package_factory(package: str) -> Factory:
    """Functions that register and unregister everything the modules of a package define.

    Classes are found by their names, ``TERRAIN_OT_x`` and the like; base classes have other names.
    A module may define ``register`` and ``unregister`` for anything else; they run before its
    classes are registered and after they are unregistered.
    """

    def register() -> None:
        modules = list(_modules(package))
        for module in modules:
            getattr(module, "register", _nothing)()
        for cls in _classes(modules):
            bpy.utils.register_class(cls)

    def unregister() -> None:
        modules = list(_modules(package))
        for cls in reversed(_classes(modules)):
            bpy.utils.unregister_class(cls)
        for module in reversed(modules):
            getattr(module, "unregister", _nothing)()

    return register, unregister


def _modules(package: str) -> Iterator[ModuleType]:
    """The modules of a package and of its folders."""
    for found in pkgutil.walk_packages(sys.modules[package].__path__, f"{package}."):
        yield import_module(found.name)


def _classes(modules: list[ModuleType]) -> list[type]:
    """The classes in order of definition, panels with a parent last."""
    found = [
        value
        for module in modules
        for name, value in vars(module).items()
        if name.startswith("TERRAIN_") and isinstance(value, type)
        if value.__module__ == module.__name__
    ]
    return sorted(found, key=lambda cls: hasattr(cls, "bl_parent_id"))


def _nothing() -> None:
    pass


def handlers_factory(handlers: dict[str, Callable[..., None]]) -> Factory:
    """Functions that add and remove handlers, by their list in ``bpy.app.handlers``."""

    def register() -> None:
        for name, handler in handlers.items():
            _list(name).append(handler)

    def unregister() -> None:
        for name, handler in handlers.items():
            _list(name).remove(handler)

    return register, unregister


def _list(name: str) -> list[Any]:
    return getattr(bpy.app.handlers, name)
