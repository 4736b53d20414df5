# SPDX-License-Identifier: GPL-3.0-or-later
"""The manifest of a world: what its tiles are, and what they are made from."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..evaluation.solution import made_by
from ..settings.input_files import read_text_bytes
from ..settings.params import short_repr
from ..settings.strict_json import parsed

FORMAT = 4
SHARED = 1
"""Rows and columns of samples that neighboring tiles share."""


@dataclass(frozen=True)
class Manifest:
    """The content of ``world.json``.

    Attributes
    ----------
    side : samples along a side of a tile
    columns, rows : number of tiles along x and y
    spacing : meters between samples along x and y
    shared_border : rows and columns of samples that neighbors share
    range : lowest and highest height in meters on a coarse grid, which colors are relative to
    recipe : SHA-256 of the recipe file
    maps : name, whether the outer values lie on the border, spacing, whether it holds meters, and
        digest of each map
    image : SHA-256 of the image that colors the terrain; empty where there is none
    solution : SHA-256 of each file of the solution
    made_by : versions and processor that solved the world
    images : keys of the images that are made beside the heights of each tile
    writers : suffixes of the files that are written from the heights once all tiles are made
    engines : keys of the game engines that files are written for
    place : coordinates of the center, and of steps of a meter along x and y, six numbers; empty for
        meters from the center
    system : their coordinate system, as well-known text
    """

    side: int
    columns: int
    rows: int
    spacing: tuple[float, float]
    range: tuple[float, float]
    recipe: str
    maps: Mapping[str, list[Any]]
    solution: Mapping[str, str]
    made_by: Mapping[str, Any]
    images: tuple[str, ...] = ()
    writers: tuple[str, ...] = ()
    engines: tuple[str, ...] = ()
    shared_border: int = SHARED
    place: tuple[float, ...] = ()
    system: str = ""
    image: str = ""

    @classmethod
    def read(cls, path: Path) -> Manifest:
        """Read the manifest in a file.

        Raises
        ------
        ValueError : it is damaged, or has another format
        OSError : it cannot be read
        """
        try:
            about = dict(parsed(read_text_bytes(path)))
            if (found := about.pop("format")) != FORMAT:
                raise ValueError(f"its format is {short_repr(found)}, not {FORMAT}")
            return cls(**{name: _checked(name, value) for name, value in about.items()})
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{path} is damaged: {error}; plan the world again") from None

    def to_json(self) -> str:
        """Return the manifest as the text of its file."""
        return json.dumps({"format": FORMAT, **dataclasses.asdict(self)}, indent=1)

    def check_versions(self) -> None:
        """Raise ValueError where tiles would be made by other versions than the plan.

        Their bits would differ, and tiles of two versions do not meet.
        """
        own = made_by()
        for name, title in (("engine", "Orogen's algorithms"), ("numpy", "NumPy")):
            if self.made_by.get(name) != own[name]:
                raise ValueError(
                    f"The world was planned with version {short_repr(self.made_by.get(name))} of "
                    f"{title}, this is {own[name]!r}; tiles of both would not meet: use that "
                    "version, or plan the world again"
                )

    def unlike(self, processor: Mapping[str, Any]) -> str:
        """Return how a processor (:func:`~.solution.made_by`) differs from the one that solved the
        world; "" if it does not."""
        if processor.get("processor") != self.made_by.get("processor"):
            return f"{processor.get('processor')} instead of {self.made_by.get('processor')}"
        here, there = set(processor.get("features", ())), set(self.made_by.get("features", ()))
        words = [
            f"{word} {', '.join(sorted(features))}"
            for word, features in (("without", there - here), ("with", here - there))
            if features
        ]
        return " and ".join(words)


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _checked(name: str, value: Any) -> Any:
    """Check a value of the manifest; ValueError if it is not valid."""
    if name in ("side", "columns", "rows", "shared_border"):
        if type(value) is not int or value < 1:
            raise ValueError(f"{name} is {short_repr(value)}")
        return value
    if name in ("spacing", "range"):
        first, second = map(float, value)
        return first, second
    if name == "place":
        numbers = tuple(map(float, value))
        if len(numbers) not in (0, 6):
            raise ValueError(f"place has {len(numbers)} numbers")
        return numbers
    if name in ("recipe", "system", "image"):
        return str(value)
    if name in ("images", "writers", "engines"):
        return tuple(map(str, value))
    return dict(value)
