# SPDX-License-Identifier: GPL-3.0-or-later
"""Built-in presets and the user's own."""

from functools import cache
from itertools import count
from pathlib import Path

from ...core import Recipe, presets
from ...core.output import terrain_picture, write_png
from ...core.settings import remove_file
from ..app.preferences import presets_folder
from ..data import previews

_abouts: dict[str, tuple[presets.Stamp, str | None]] = {}
"""Descriptions of the user's presets, None for damaged ones: menus ask for all of them for each of
their entries."""

EMPTY = "empty"
"""The preset without layers, which needs no file."""


@cache
def built_in() -> tuple[str, ...]:
    """Return the names of the presets that come with the extension, the one without layers
    first."""
    return (EMPTY, *presets.names())


@cache
def built_in_groups() -> dict[str, list[str]]:
    """Return the built-in presets by the heading under which menus list them, those without one
    first."""
    groups = presets.grouped(presets.names())
    return {**groups, "": [EMPTY, *groups[""]]}


def users_own() -> list[str]:
    """Return the names of the presets that the user saved."""
    return presets.names(presets_folder())


def load(name: str) -> Recipe:
    """Load a preset by name; raise ValueError if it is missing or damaged."""
    if name == EMPTY:
        return presets.empty()
    return presets.load(name, _folder(name))


def _folder(name: str) -> Path:
    return presets.FOLDER if name in built_in() else presets_folder()


def about(name: str) -> str:
    """Return the description of a preset, or "" if it is missing or damaged."""
    return _about_built_in(name) if name in built_in() else own_abouts().get(name, "")


@cache
def _about_built_in(name: str) -> str:
    return load(name).about


def own_abouts() -> dict[str, str]:
    """Return the descriptions of the user's presets, by name; "" for those without and for damaged
    ones.

    A file is read again only when it has changed.
    """
    found = presets.stamps(presets_folder())
    for name in _abouts.keys() - found.keys():
        del _abouts[name]
    for name, stamp in found.items():
        if name not in _abouts or _abouts[name][0] != stamp:
            _abouts[name] = stamp, _read_about(name)
    return {name: _abouts[name][1] or "" for name in sorted(found)}


def _read_about(name: str) -> str | None:
    try:
        return load(name).about
    except ValueError:
        return None


def unusable() -> list[str]:
    """Return the files among the user's presets that are damaged, or are no files."""
    damaged = [f"{name}.json" for name in own_abouts() if _abouts[name][1] is None]
    return sorted([*damaged, *presets.unusable(presets_folder())])


def icon(name: str) -> int:
    """Return the icon with the picture of a preset, or 0 if it has no picture."""
    stamp, _ = _abouts.get(name, (None, None))
    return previews.of_file(presets.picture_path(name, _folder(name)), stamp)


def is_built_in(name: str) -> bool:
    """Return whether a built-in preset has that label."""
    return presets.label(name).casefold() in {presets.label(own).casefold() for own in built_in()}


def save(name: str, recipe: Recipe) -> None:
    """Save a recipe as one of the user's presets; ValueError if the name is not allowed."""
    name = name.strip()
    if is_built_in(name):
        raise ValueError(f"{name!r} is a built-in preset: choose another name")
    path = presets.save(name, recipe, presets_folder())
    picture = path.with_suffix(".png")
    try:
        write_png(picture, terrain_picture(recipe))
    except (ValueError, MemoryError, OSError):  # it cannot be evaluated here
        remove_file(picture, _is_ours)


def _is_ours(path: Path) -> bool:
    return path.parent == presets_folder()


def add_file(path: Path) -> str:
    """Copy a recipe file to the user's presets and return its name, numbered if it is taken.

    Raises ValueError if the file is not a recipe.
    """
    return save_new(path.stem, presets.load(path.stem, path.parent))


def save_new(name: str, recipe: Recipe) -> str:
    """Save a recipe as a new preset and return its name, numbered if it is taken.

    Raises ValueError if the name is not allowed.
    """
    taken = {own.casefold() for own in users_own()}
    numbered = (name if n == 1 else f"{name} {n}" for n in count(1))
    free = next(n for n in numbered if n.casefold() not in taken and not is_built_in(n))
    save(free, recipe)
    return free


def remove(name: str) -> None:
    """Delete one of the user's presets; ValueError if there is none of that name."""
    if name not in users_own():
        raise ValueError(f"There is no preset of your own named {name!r}")
    for path in (presets_folder() / f"{name}.json", presets.picture_path(name, presets_folder())):
        remove_file(path, _is_ours)


def tooltip(name: str, fallback: str) -> str:
    """Return the description without a final period, in Blender's style."""
    return about(name).removesuffix(".") or fallback
