# SPDX-License-Identifier: GPL-3.0-or-later
"""docs/from-ant.md names layers and settings that there are."""

import re
from pathlib import Path

from terrain_addon.core import LAYERS, noise, settings_of

PAGE = (Path(__file__).parents[2] / "docs" / "from-ant.md").read_text("utf-8")


def rows(title):
    section = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
    return [line for line in section.splitlines() if line.startswith("|")][2:]


def known_words():
    words = {*LAYERS, *noise.BASES, *noise.FRACTALS}
    for kind in LAYERS.values():
        for setting in settings_of(kind):
            words.update(choice.key for choice in setting.choices)
    return words


def test_every_noise_type_and_effect_has_an_answer():
    assert len(rows("Noise types")) == 19
    assert len(rows("Effects")) == 21
    for row in rows("Noise types") + rows("Effects"):
        answer = row.strip("|").split("|")[1]
        named = re.findall(r"`(\w+)`", answer)
        if "Blender Texture" not in row:
            assert any(word in LAYERS for word in named), row


def test_every_name_exists():
    names = set(re.findall(r"`(\w+)`", PAGE))
    assert names <= known_words()
