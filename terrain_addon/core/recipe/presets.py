# SPDX-License-Identifier: GPL-3.0-or-later
"""Ready-made recipes and palettes, one JSON file each."""

from __future__ import annotations

from pathlib import Path

from ..settings.atomic_files import replaced
from ..settings.strict_json import parsed
from .palette import Palette
from .recipe import Recipe

FOLDER = Path(__file__).parents[2] / "presets"
PALETTES = FOLDER / "palettes"


def names(folder: Path = FOLDER) -> list[str]:
    """Names of the recipes in a folder (that of the extension by default), sorted.

    Files whose names are no text are left out: nothing could show them.
    """
    found = (path for path in folder.glob("*.json") if path.is_file())
    return sorted(path.stem for path in found if _is_text(path.stem))


def _is_text(name: str) -> bool:
    """Whether a file is named in UTF-8: what Python cannot decode it keeps as surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in name)


def load(name: str, folder: Path = FOLDER) -> Recipe:
    """The recipe of that name; ValueError when there is none or it is damaged."""
    return Recipe.from_dict(_read(name, folder, "preset"), name)


def save(name: str, recipe: Recipe, folder: Path) -> Path:
    """Write a recipe as NAME.json into a folder and return the path.

    The file is written beside and then renamed, so an older one is whole until the new one is.
    OSError when the folder cannot be written; ValueError for a name that cannot name a file.
    """
    plain = name.strip() and name.isprintable() and name == Path(name).name
    if not plain or name.startswith("."):
        raise ValueError(f"{name!r} cannot name a preset: use letters, digits and spaces")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    with replaced(path) as beside:
        beside.write_text(recipe.to_json(), encoding="utf-8")
    return path


def palette_names() -> list[str]:
    """Names of the palettes, sorted."""
    return names(PALETTES)


def load_palette(name: str) -> Palette:
    """The palette of that name; ValueError when there is none or it is damaged."""
    return Palette.from_dict(_read(name, PALETTES, "palette"), name)


def label(name: str) -> str:
    """A name as people read it: "rolling_hills" is "Rolling Hills"."""
    return name.replace("_", " ").title() if name.islower() else name


def _read(name: str, folder: Path, what: str) -> object:
    path = folder / f"{name}.json"
    if not path.is_file():
        raise ValueError(f"There is no {what} named {name!r}; there are {', '.join(names(folder))}")
    try:
        return parsed(path.read_bytes())
    except (OSError, ValueError) as error:
        raise ValueError(f"{path.name} cannot be read: {error}") from None
