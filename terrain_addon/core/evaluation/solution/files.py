# SPDX-License-Identifier: GPL-3.0-or-later
"""Solutions as folders: arrays in .npy files, everything else in a JSON file. No code in either."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...numerics.array_cache import Arrays
from ...numerics.grid import Grid
from ...settings.array_files import save_array
from ...settings.atomic_folders import replaced_folder
from ...settings.input_files import read_text_bytes
from ...settings.plain_data import packed, plain_data, unpacked
from ...settings.strict_json import parsed

INDEX = "solution.json"
FORMAT = 1
ENGINE = 3
"""Number of the algorithms: increase it with any change of what a layer or mask solves."""

plain_data(Grid)  # not where it is declared: `numerics` does without `settings`


def made_by() -> dict[str, Any]:
    """Return what a solution depends on besides the recipe: versions, and the processor.

    Processors with unlike features round differently: by a fraction of a millimeter, which other
    courses of rivers may follow from. The solution of one of them serves all.
    """
    return {
        "engine": ENGINE,
        "numpy": np.__version__,
        "processor": platform.machine(),
        "features": processor_features(),
    }


def version_key() -> str:
    """Return a digest of :func:`made_by`."""
    text = json.dumps(made_by(), sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()


def processor_features() -> list[str]:
    """Return the features of this processor that NumPy uses."""
    for name in ("numpy._core._multiarray_umath", "numpy.core._multiarray_umath"):
        try:
            features: Mapping[str, bool] = import_module(name).__cpu_features__
        except (ImportError, AttributeError):
            continue
        return sorted(feature for feature, used in features.items() if used)
    return []


def write_parts(folder: Path, parts: Mapping[str, Arrays]) -> None:
    """Write parts into a new folder, which replaces an older solution once it is complete.

    Raises
    ------
    ValueError : the folder holds something else
    OSError : it cannot be written
    """
    if folder.exists() and (others := _other_files(folder)):
        raise ValueError(
            f"{folder} is not a solution: choose another name, as it holds {min(others)}"
        )
    arrays: dict[str, NDArray[Any]] = {}
    trees = {key: packed(part, key, arrays) for key, part in parts.items()}
    shapes = {name: [array.dtype.str, *array.shape] for name, array in arrays.items()}
    with replaced_folder(folder, _other_files) as new:
        for name, array in arrays.items():
            save_array(new / f"{name}.npy", array)
        about = {"format": FORMAT, **made_by(), "arrays": shapes, "parts": trees}
        (new / INDEX).write_text(json.dumps(about, indent=1), "utf-8")


def _other_files(folder: Path) -> list[str]:
    """Return the names in a folder that are not of a solution, or the name of a file."""
    if not folder.is_dir():
        return [folder.name]
    try:
        known = {f"{name}.npy" for name in parsed(read_text_bytes(folder / INDEX))["arrays"]}
        known.add(INDEX)
    except (OSError, ValueError, KeyError, TypeError):
        known = set[str]()
    return [path.name for path in folder.iterdir() if path.is_dir() or path.name not in known]


def read_parts(folder: Path) -> dict[str, Arrays]:
    """Return the parts in a folder; arrays are mapped into memory, so only what is used is read.

    Raises
    ------
    ValueError : no solution, a damaged one, or one of another version of Orogen or NumPy
    OSError : it cannot be read
    """
    index = folder / INDEX
    if not index.is_file():
        raise ValueError(f"{folder} is not a solution: it has no file {INDEX}")
    try:
        about = parsed(read_text_bytes(index))
        own, known = made_by(), {name: about[name] for name in ("engine", "numpy")}
        if about["format"] != FORMAT:
            raise ValueError(f"its format is {about['format']!r}, not {FORMAT}")
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{index} is damaged: {error}") from None
    for name, title in (("engine", "Orogen's algorithms"), ("numpy", "NumPy")):
        if known[name] != own[name]:
            raise ValueError(
                f"{folder} was solved with version {known[name]} of {title}, this is {own[name]}: "
                "solve the recipe again"
            )
    try:
        shapes = about["arrays"].items()
        arrays = {name: _mapped(folder, name, *shape) for name, shape in shapes}
        return {key: unpacked(tree, arrays) for key, tree in about["parts"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, EOFError) as error:
        raise ValueError(f"{folder} is damaged: {error}; solve the recipe again") from None


def _mapped(folder: Path, name: str, dtype: str, *shape: int) -> NDArray[Any]:
    """Return an array of a folder, read-only."""
    if Path(name).name != name:
        raise ValueError(f"{name!r} is not the name of an array")
    path = folder / f"{name}.npy"
    # NumPy cannot map an array without values.
    array: NDArray[Any] = np.load(
        path, mmap_mode="r" if 0 not in shape else None, allow_pickle=False
    )
    if array.dtype.str != dtype or array.shape != shape:
        raise ValueError(f"{path.name} holds {array.dtype} {array.shape}, not {dtype} {shape}")
    array = array.view(np.ndarray)  # not a memmap, whose results are memmaps too
    array.setflags(write=False)
    return array
