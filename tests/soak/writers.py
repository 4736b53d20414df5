# SPDX-License-Identifier: GPL-3.0-or-later
"""All that write files, and what a folder may hold once one of them was stopped.

A writer turns a folder from a state before to one after. Whatever stops it, each of its units, a
file or a whole folder, is as before or as after; and when it runs again, all is as after, without
leftovers.
"""

import contextlib
import io
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from terrain_addon.command_line import main
from terrain_addon.core import formats, presets
from terrain_addon.core.numerics import user_message
from tests.core.worlds.small_world import PAINT, RECIPE

State = dict[str, bytes]
"""Contents by relative path; of what writers are at work on, nothing."""
PLAN = ("--spacing", "10", "--tile", "46", "--format", ".png", "--image", "normal")
SIZES = {"unity": 129, "unreal": 127, "terrain3d": 128}
"""Samples along a side that an engine takes."""
OLD, NEW = "1", "2"
"""Seeds of what is there before, and of what is written."""


@dataclass
class Writer:
    """A command that writes into a folder.

    Attributes
    ----------
    command : arguments for the command line from the folder and a seed
    before : commands that make the state before
    whole : folders that are one unit; all else is a unit by itself
    """

    command: Callable[[Path, str], list[str]]
    before: tuple[Callable[[Path, str], list[str]], ...] = ()
    whole: tuple[str, ...] = ()

    def prepare(self, folder: Path) -> None:
        for command in self.before:
            code, said = run(command(folder, OLD))
            assert code == 0, said

    def write(self, folder: Path) -> tuple[int, str]:
        """Write; return the exit code and the messages."""
        return run(self.command(folder, NEW))


def run(command: list[str]) -> tuple[int, str]:
    """Run a command here; return its exit code and its messages."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        own = {"preset": save_preset, "blender": call_operator}.get(command[0])
        code = own(command) if own else main(command)
    return code, said.getvalue()


def save_preset(command: list[str]) -> int:
    """Save a preset of the user as the extension does."""
    try:
        presets.save("mine", presets.load(command[1]), Path(command[2]))
    except OSError as error:
        print(user_message(error), file=sys.stderr)
        return 1
    return 0


IN_BLENDER: dict[str, tuple[str, ...]] = {
    "blender-bake.exr": ("bake", "filepath", "i.exr"),
    "blender-bake.png": ("bake", "filepath", "i.png"),
    "blender-bake-set": ("bake_set", "filepath", "set/"),
    "blender-export": ("export", "directory", "e"),
}
"""Operator, its property for the path, and the name of what it writes."""
OPTIONS: dict[str, dict[str, Any]] = {
    "bake": {"width": 256, "image": "normal", "target": "file"},
    "bake_set": {"width": 256, "normal": True, "color": True, "target": "file"},
    "export": {},
}


def open_blender(name: str) -> Writer:
    """Enable the extension, add a terrain, and return a writer of it."""
    import bpy

    from tests.blender.enabled import enable_from_source

    enable_from_source()
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.terrain.add(preset="crater_field", resolution=129)

    def command(folder: Path, seed: str) -> list[str]:
        return ["blender", name, str(folder), seed]

    return Writer(command, (command,), ("e",) if name == "blender-export" else ())


def call_operator(command: list[str]) -> int:
    """Bake or export in Blender."""
    import bpy

    _, name, folder, seed = command
    operator, place, file = IN_BLENDER[name]
    bpy.context.object.data.terrain.seed = int(seed)
    (Path(folder) / "set").mkdir(exist_ok=True)
    chosen = {"format": name[-3:]} if operator == "bake" else {}
    try:
        done = getattr(bpy.ops.terrain, operator)(
            **{place: f"{folder}/{file}"}, **OPTIONS[operator], **chosen
        )
    except RuntimeError as error:
        print(str(error).strip(), file=sys.stderr)
        return 1
    return 0 if done == {"FINISHED"} else 1


def writers(source: Path) -> dict[str, Writer]:
    """Return all writers by name; what they read is written into a folder first."""
    (source / "world.json").write_text(RECIPE.to_json(), encoding="utf-8")
    np.save(source / "paint.npy", PAINT.values)
    recipe = [str(source / "world.json"), "--map", f"paint={source / 'paint.npy'}"]

    def plan(folder: Path, seed: str) -> list[str]:
        return ["world", "plan", *recipe, "--out", str(folder / "w"), *PLAN, "--seed", seed]

    def make(folder: Path, seed: str) -> list[str]:
        return ["world", "run", str(folder / "w")]

    def finish(folder: Path, seed: str) -> list[str]:
        return ["world", "finish", str(folder / "w")]

    def replacing(command: Callable[[Path, str], list[str]], *whole: str) -> Writer:
        return Writer(command, (command,), whole)

    found = {
        "plan": Writer(plan, (), ("w",)),
        "run": Writer(make, (plan,)),
        "finish": Writer(finish, (plan, make)),
        "preset": replacing(
            lambda folder, seed: [
                "preset",
                "crater_field" if seed == OLD else "island",
                str(folder),
            ]
        ),
    }
    for suffix in formats.writable():
        found[f"height{suffix}"] = replacing(
            lambda folder, seed, suffix=suffix: [
                *("height", "crater_field", str(folder / f"h{suffix}")),
                *("--resolution", "257", "--seed", seed),
            ]
        )
    for suffix in (".png", ".exr", ".npy"):
        found[f"bake{suffix}"] = replacing(
            lambda folder, seed, suffix=suffix: [
                *("bake", "crater_field", str(folder / f"i{suffix}"), "--image", "normal"),
                *("--resolution", "256", "--seed", seed),
            ]
        )
    for engine, size in SIZES.items():
        found[engine] = replacing(
            lambda folder, seed, engine=engine, size=size: [
                *("export", "crater_field", "--engine", engine, "--out", str(folder / "e")),
                *("--size", str(size), "--seed", seed),
            ],
            "e",
        )
    return found


def state(folder: Path) -> State:
    """Return what a folder holds, but temporary names and a plan that can continue."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not is_temporary(path.relative_to(folder))
    }


def is_temporary(path: Path) -> bool:
    return any(part.endswith((".part", ".unfinished")) for part in path.parts)


def leftovers(folder: Path) -> list[str]:
    """Return the temporary names in a folder."""
    names = (path.relative_to(folder) for path in folder.rglob("*"))
    return sorted(str(name) for name in names if is_temporary(name))


def check_units(now: State, before: State, after: State, whole: tuple[str, ...]) -> None:
    """Each unit is as before or as after."""
    for unit in whole:
        part = [_below(one, unit) for one in (now, before, after)]
        wrong = sorted(name for name in part[0] if part[0][name] != part[2].get(name))
        assert part[0] in part[1:], f"{unit}/ is torn: {len(part[0])} files, changed {wrong[:9]}"
    for name in sorted({*now, *before}):
        if not name.startswith(tuple(f"{unit}/" for unit in whole)):
            found = now.get(name)
            assert found in (before.get(name), after.get(name)), (
                f"{name} is torn: {len(found or b'')}"
            )


def check_same(now: State, after: State) -> None:
    """All is as after a writer that nothing stopped."""
    different = sorted(name for name in {*now, *after} if now.get(name) != after.get(name))
    assert not different, f"not as after an undisturbed write: {different[:9]}"


def _below(one: State, unit: str) -> State:
    return {name: content for name, content in one.items() if name.startswith(f"{unit}/")}


def templates(writer: Writer, folder: Path) -> tuple[Path, State, State]:
    """Make the folder before; return it with the states before and after."""
    before, after = folder / "before", folder / "after"
    before.mkdir()
    writer.prepare(before)
    shutil.copytree(before, after)
    code, said = writer.write(after)
    assert code == 0 and not leftovers(after), (said, leftovers(after))
    return before, state(before), state(after)
