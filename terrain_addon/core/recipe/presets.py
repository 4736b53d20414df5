# SPDX-License-Identifier: GPL-3.0-or-later
"""Ready-made recipes and palettes, one JSON file each."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from ..settings.atomic_files import replaced
from ..settings.input_files import read_text_bytes
from ..settings.params import short_repr
from ..settings.strict_json import parsed
from .palette import Palette
from .recipe import Recipe

FOLDER = Path(__file__).parents[2] / "presets"
PALETTES = FOLDER / "palettes"

Stamp = tuple[int, int, int]
"""When a file was last changed, its size, and its number on the disk."""


def names(folder: Path = FOLDER) -> list[str]:
    """Return sorted names of the recipes in a folder, by default those of the extension.

    Files with names that are not valid text are skipped: they cannot be displayed.

    >>> "alps" in names()
    True
    """
    return sorted(stamps(folder))


def stamps(folder: Path) -> dict[str, Stamp]:
    """Return the recipes in a folder, with values that change when their files do.

    Entries that are no files, of which :func:`unusable` tells, are left out; a folder that cannot
    be read has none.
    """
    return {
        name: stamp
        for name, stamp in _entries(folder).items()
        if stamp is not None and _is_text(name)
    }


def unusable(folder: Path) -> list[str]:
    """Return the names of what looks like a recipe in a folder and cannot be one, sorted.

    They are folders, pipes, links that lead nowhere, and files whose names are no valid text.
    """
    found = _entries(folder).items()
    names = [name for name, stamp in found if stamp is None or not _is_text(name)]
    return sorted(f"{os.fsencode(name).decode(errors='replace')}.json" for name in names)


def _entries(folder: Path) -> dict[str, Stamp | None]:
    """Return what lies in a folder under the name of a recipe, with None for what is no file."""
    found: dict[str, Stamp | None] = {}
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            name, suffix = os.path.splitext(entry.name)
            if suffix == ".json":
                found[name] = None
                with suppress(OSError):  # such as a link to itself: it hides no other entry
                    if entry.is_file():
                        file = entry.stat()
                        found[name] = file.st_mtime_ns, file.st_size, file.st_ino
    return found


def _is_text(name: str) -> bool:
    """Return whether a file name is valid text: Python keeps bytes that it cannot decode as
    surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in name)


def load(name: str, folder: Path = FOLDER) -> Recipe:
    """Return the recipe of that name. Raises ValueError if it does not exist or is invalid.

    >>> load("island").size_x
    2000.0
    """
    return Recipe.from_dict(read(name, folder, "preset"), name)


def grouped(found: Iterable[str], folder: Path = FOLDER) -> dict[str, list[str]]:
    """Return the names of recipes by the group that their files tell, those without one first,
    under "".

    >>> grouped(["alps", "dunes"])
    {'': ['alps', 'dunes']}
    """
    groups: dict[str, list[str]] = {"": []}
    for name in found:
        groups.setdefault(load(name, folder).group, []).append(name)
    return groups


def empty() -> Recipe:
    """Return flat ground without layers, in colors that span whatever range of heights these will
    have.

    >>> empty().layers
    ()
    """
    about = "Flat ground without layers, to start from nothing."
    return Recipe(about=about, palette=load_palette("alpine"))


def save(name: str, recipe: Recipe, folder: Path) -> Path:
    """Write a recipe as NAME.json into a folder and return the path; see :func:`save_text`."""
    return save_text(name, recipe.to_json(), folder)


def save_text(name: str, text: str, folder: Path) -> Path:
    """Write the JSON text of a recipe or of layers as NAME.json into a folder; return the path.

    An existing file is replaced only once the new one is complete. Raises OSError if the folder is
    not writable and ValueError for a name that is not a file name.
    """
    plain = name.strip() and name.isprintable() and name == Path(name).name
    if not plain or name.startswith("."):
        raise ValueError(f"{name!r} cannot name a preset: use letters, digits and spaces")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    with replaced(path) as beside:
        beside.write_text(text, encoding="utf-8")
    return path


def palette_names() -> list[str]:
    """Return the names of the palettes, sorted."""
    return names(PALETTES)


def load_palette(name: str) -> Palette:
    """Return the palette of that name. Raises ValueError if it does not exist or is invalid."""
    return Palette.from_dict(read(name, PALETTES, "palette"), name)


def picture_path(name: str, folder: Path = FOLDER) -> Path:
    """Return the picture of a preset, beside its file; it may not exist."""
    return folder / f"{name}.png"


def label(name: str) -> str:
    """Return the label of a name: "rolling_downs" becomes "Rolling Downs"."""
    return name.replace("_", " ").title() if name.islower() else name


def read(name: str, folder: Path, what: str) -> object:
    """Return what the file of that name in a folder holds; ValueError if there is none, naming
    ``what`` it would be, or if it cannot be read."""
    path = folder / f"{name}.json"
    if name != Path(name).name or not os.path.isfile(path):  # a name is no path
        known = ", ".join(names(folder))
        raise ValueError(f"There is no {what} named {short_repr(name)}; there are {known}")
    try:
        return parsed(read_text_bytes(path))
    except (OSError, ValueError) as error:
        raise ValueError(f"{path.name} cannot be read: {error}") from None
