# SPDX-License-Identifier: GPL-3.0-or-later
"""Write docs/reference.md from the registries: every layer, mask, setting and preset.

python docs/make_reference.py            write the page
python docs/make_reference.py --check    fail when the page is not up to date
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference.md"
HEAD = """# Reference

Made by `docs/make_reference.py` from the code; do not edit by hand. The key of a layer and the
names of its settings are what recipes (JSON) hold.
"""
BAKE = """
## Bake

Settings of the Bake panel and of `bpy.ops.terrain.bake`; recipes do not hold them. The panel also
asks for the size of the image and for where it goes. `bpy.ops.terrain.bake_set` takes them too,
but instead of an image, a mask and a layer it takes a switch for each image and mask.
"""


def page() -> str:
    """The whole page as Markdown."""
    from terrain_addon.core import Bake, Recipe, Water, presets
    from terrain_addon.core.analysis import FIELDS
    from terrain_addon.core.layers import GENERATE, LAYERS, SHAPE
    from terrain_addon.core.layers.masks import MASKS
    from terrain_addon.core.recipe.palette import Palette, Region
    from terrain_addon.core.recipe.recipe import Layer

    parts = [HEAD]
    for group, title in ((GENERATE, "Layers that generate"), (SHAPE, "Layers that shape")):
        parts.append(f"## {title}\n")
        kinds = [kind for kind in LAYERS.values() if kind.group == group]
        for kind in sorted(kinds, key=lambda kind: kind.label):
            parts.append(f"### {kind.label} (`{kind.key}`)\n\n{kind.help}.\n")
            parts.extend(table(kind))
    parts.append("## Every layer\n")
    parts.extend(table(Layer))
    parts.append("## Masks of a layer\n")
    for mask in MASKS.values():
        parts.append(f"### {mask.label} (`{mask.key}`)\n\n{mask.help}.\n")
        parts.extend(table(mask))
    for title, cls in (
        ("Recipe", Recipe),
        ("Water", Water),
        ("Palette", Palette),
        ("Region of a palette", Region),
    ):
        parts.append(f"## {title}\n")
        parts.extend(table(cls))
    parts.append("## Masks of a terrain\n")
    parts.extend(f"- **{field.label}** (`{name}`): {field.help}" for name, field in FIELDS.items())
    parts.append(BAKE)
    parts.extend(table(Bake))
    parts.append("## Presets\n")
    parts.extend(
        f"- **{presets.label(n)}** (`{n}`): {presets.load(n).about}" for n in presets.names()
    )
    return "\n".join(parts).rstrip("\n") + "\n"


def table(cls: type) -> Iterator[str]:
    """The settings of a class as a Markdown table."""
    from terrain_addon.core.settings.params import settings_of

    settings = settings_of(cls)
    if not settings:
        return
    yield "| Setting | Name | Default | Values | What it does |"
    yield "|---|---|---|---|---|"
    for s in settings:
        default = "" if s.default == "" else f"`{s.default}`"
        yield f"| {s.label} | `{s.name}` | {default} | {values(s)} | {s.help} |"
    yield ""


def values(setting) -> str:
    """What a setting may be, in words."""
    if setting.choices:
        return "<br>".join(f"`{c.key}`: {c.help}" for c in setting.choices)
    if setting.kind in ("bool", "text", "color"):
        return {"bool": "on, off", "text": "text", "color": "sRGB colour"}[setting.kind]
    unit = {"m": " m", "deg": "°"}.get(setting.unit, "")
    low, high = number(setting.min), number(setting.max)
    whole = "whole number" if setting.kind == "int" else "number"
    if low and high:
        return f"{low} to {high}{unit}"
    if low or high:
        return f"{'at least' if low else 'at most'} {low or high}{unit}"
    return f"{whole}{unit and ' in' + unit}"


def number(value: float | None) -> str:
    """A limit as people write it; empty when there is none."""
    if value is None:
        return ""
    return str(int(value)) if value == int(value) else f"{value:g}"


def main() -> int:
    """Write or check the page; the exit code."""
    sys.path.insert(0, str(ROOT))
    text = page()
    if "--check" in sys.argv:
        if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text:
            return 0
        print("docs/reference.md is not up to date: run python docs/make_reference.py")
        return 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
