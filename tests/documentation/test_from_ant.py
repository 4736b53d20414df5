# SPDX-License-Identifier: GPL-3.0-or-later
"""The page from-ant.md names layers and settings that exist, and those that its pictures show."""

import importlib
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from terrain_addon.core import Recipe, evaluate, noise
from terrain_addon.core.layers import LAYERS
from terrain_addon.core.layers.blend import BLENDS
from terrain_addon.core.settings import settings_of

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "guide" / "from-ant.md").read_text("utf-8")
NOT_PICTURED = ["Blender Texture"]


def rows(title):
    """Answers by A.N.T.'s name."""
    section = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")][2:]
    return dict([cell.strip() for cell in line.strip("|").split("|")] for line in lines)


def words(text):
    return set(re.findall(r"`(\w+)`", text))


@pytest.fixture(scope="module")
def pictured():
    """The layers of the pictures: by the title of a table, then by A.N.T.'s name."""
    sys.path.insert(0, str(DOCS / "scripts"))
    try:
        figures = importlib.import_module("make_ant_figures")
    finally:
        sys.path.remove(str(DOCS / "scripts"))
    return {"Noise types": figures.NOISE_TYPES, "Effects": figures.EFFECTS}


def test_every_noise_type_and_effect_has_an_answer():
    assert len(rows("Noise types")) == 19
    assert len(rows("Effects")) == 21


@pytest.mark.parametrize("title", ["Noise types", "Effects"])
def test_pictures_show_what_the_page_names(title, pictured):
    answers = rows(title)
    assert [name for name in answers if name not in NOT_PICTURED] == list(pictured[title])
    for name, layers in pictured[title].items():
        for layer in layers:
            kind, named = layer.settings, words(answers[name])
            assert kind.key in named, name
            assert kind.key != "fractal_noise" or kind.fractal in named, name
            for setting in ("basis", "pattern", "profile"):
                value = getattr(kind, setting, None)
                assert value in {*named, getattr(type(kind)(), setting, None)}, name


@pytest.mark.parametrize("title", ["Noise types", "Effects"])
def test_what_is_pictured_is_not_flat(title, pictured):
    for name, layers in pictured[title].items():
        recipe = Recipe(layers=tuple(layers))
        assert np.ptp(evaluate(recipe, recipe.grid(65)).height) > 1, name


def test_every_name_exists():
    known = {*LAYERS, *noise.BASES, *noise.FRACTALS, *BLENDS}
    for kind in LAYERS.values():
        for setting in settings_of(kind):
            known.update(choice.key for choice in setting.choices)
    assert words(PAGE) <= known


def test_every_setting_named_exists():
    labels = {setting.label for kind in LAYERS.values() for setting in settings_of(kind)}
    table = PAGE.split("\n## ")[0].split("|---|---|\n")[1]
    named = set(re.findall(r"\*([A-Z][\w ]+)\*", table)) - {"Y", "Painted Map"}
    assert named <= labels
