# SPDX-License-Identifier: GPL-3.0-or-later
"""Built-in presets and the user's own."""

from functools import cache

from ...core import Recipe, presets
from ..app.preferences import presets_folder

EMPTY = "empty"
"""The preset without layers, which needs no file."""
EMPTY_PALETTE = "alpine"


@cache
def built_in() -> tuple[str, ...]:
    """Names of the presets that come with the extension, the one without layers first."""
    return (EMPTY, *presets.names())


def users_own() -> list[str]:
    """Names of the presets that the user saved."""
    return presets.names(presets_folder())


def load(name: str) -> Recipe:
    """A preset by name; ValueError if it is missing or damaged."""
    if name == EMPTY:
        return _empty()
    return presets.load(name) if name in built_in() else presets.load(name, presets_folder())


def _empty() -> Recipe:
    """Flat ground, in colors that span whatever range of heights its layers will have."""
    return Recipe(
        about="Flat ground without layers, to start from nothing.",
        palette=presets.load_palette(EMPTY_PALETTE),
    )


def about(name: str) -> str:
    """The description of a preset, "" if it has none or is damaged."""
    if name in built_in():
        return _about_built_in(name)
    try:
        return load(name).about
    except ValueError:
        return ""


@cache
def _about_built_in(name: str) -> str:
    return load(name).about


def is_built_in(name: str) -> bool:
    """Whether a built-in preset has that label."""
    return presets.label(name).casefold() in {presets.label(own).casefold() for own in built_in()}


def save(name: str, recipe: Recipe) -> None:
    """Save a recipe as one of the user's presets; ValueError if the name is not allowed."""
    name = name.strip()
    if is_built_in(name):
        raise ValueError(f"{name!r} is a built-in preset: choose another name")
    presets.save(name, recipe, presets_folder())


def remove(name: str) -> None:
    """Delete one of the user's presets; ValueError if there is none of that name."""
    path = presets_folder() / f"{name}.json"
    if name not in users_own():
        raise ValueError(f"There is no preset of your own named {name!r}")
    path.unlink()


def tooltip(name: str, fallback: str) -> str:
    """The description without a final period, in Blender's style."""
    return about(name).removesuffix(".") or fallback
