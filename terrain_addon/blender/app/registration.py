# SPDX-License-Identifier: GPL-3.0-or-later
"""Factories for the ``register`` and ``unregister`` of packages and modules."""

import pkgutil
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar

import bpy

Factory = tuple[Callable[[], None], Callable[[], None]]
_T = TypeVar("_T", bound=type)
_MARK = "is_registered_by_orogen"


def registered(cls: _T) -> _T:
    """Mark a class that Blender is to know: an operator, panel, menu or list.

    `package_factory` registers the marked classes of its package. Base classes are not marked.
    """
    setattr(cls, _MARK, True)
    return cls


def package_factory(package: str) -> Factory:
    """Return functions that register and unregister what the modules of a package define.

    These are the classes marked with `registered`. For anything else, such as a handler, a module
    defines ``register`` and ``unregister``; they run before its classes are registered and after
    they are unregistered.
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
    """Yield the modules of a package and of its folders."""
    for found in pkgutil.walk_packages(sys.modules[package].__path__, f"{package}."):
        yield import_module(found.name)


def _classes(modules: list[ModuleType]) -> list[type]:
    """Return the marked classes in order of definition, panels with a parent last."""
    classes = dict.fromkeys(  # a class may have a second name in its module
        value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__
        if _MARK in vars(value)
    )
    return sorted(classes, key=lambda cls: hasattr(cls, "bl_parent_id"))


def _nothing() -> None:
    pass


def handlers_factory(handlers: dict[str, Callable[..., None]]) -> Factory:
    """Return functions that add and remove handlers by their list in ``bpy.app.handlers``."""

    def register() -> None:
        for name, handler in handlers.items():
            _list(name).append(handler)

    def unregister() -> None:
        for name, handler in handlers.items():
            _list(name).remove(handler)

    return register, unregister


def _list(name: str) -> list[Any]:
    return getattr(bpy.app.handlers, name)
