# SPDX-License-Identifier: GPL-3.0-or-later
import os

import numpy as np
import pytest

from terrain_addon.core import LAYERS, Layer, Recipe, evaluate, presets


def test_saved_presets_come_back(tmp_path):
    folder = tmp_path / "new" / "folder"
    recipe = Recipe(seed=5, layers=(Layer.of(LAYERS["terrace"]()),))
    path = presets.save("My Mesa", recipe, folder)
    assert path == folder / "My Mesa.json"
    assert presets.names(folder) == ["My Mesa"]
    assert presets.load("My Mesa", folder) == recipe
    presets.save("My Mesa", Recipe(), folder)
    assert presets.load("My Mesa", folder) == Recipe()
    assert [p.name for p in folder.iterdir()] == ["My Mesa.json"]


@pytest.mark.parametrize("name", ["", "  ", "a/b", "../up", ".hidden", "..", "two\nlines"])
def test_names_that_cannot_be_files(name, tmp_path):
    with pytest.raises(ValueError, match="cannot name a preset"):
        presets.save(name, Recipe(), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_file_whose_name_is_no_text_is_left_out(tmp_path):
    presets.save("good", Recipe(), tmp_path)
    try:
        (tmp_path / os.fsdecode(b"lat\xe9in.json")).write_text("{}")
    except OSError:
        pytest.skip("this file system takes no such name")
    assert presets.names(tmp_path) == ["good"]


@pytest.mark.parametrize("text", ['{"about": "\\ud83c land"}', '{"\\udc00": 1}'])
def test_half_a_character_is_told(text, tmp_path):
    (tmp_path / "half.json").write_text(text)
    with pytest.raises(ValueError, match=r"half.json cannot be read: it holds half a character"):
        presets.load("half", tmp_path)
    (tmp_path / "half.json").write_text('{"about": "\\ud83c\\udfd4 land"}')
    assert presets.load("half", tmp_path).about == "\U0001f3d4 land"


def test_what_cannot_be_loaded_is_named(tmp_path):
    with pytest.raises(ValueError, match="no preset named 'nowhere'"):
        presets.load("nowhere", tmp_path)
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(ValueError, match="broken.json cannot be read"):
        presets.load("broken", tmp_path)
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="binary.json cannot be read"):
        presets.load("binary", tmp_path)
    (tmp_path / "odd.json").write_text('{"seed": "x"}')
    with pytest.raises(ValueError, match="odd.seed: expected a whole number"):
        presets.load("odd", tmp_path)
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with pytest.raises(ValueError, match="deep.json cannot be read"):
        presets.load("deep", tmp_path)
    (tmp_path / "twice.json").write_text('{"seed": 1, "seed": 2}')
    with pytest.raises(ValueError, match="twice.json cannot be read: it has 'seed' twice"):
        presets.load("twice", tmp_path)
    (tmp_path / "marked.json").write_text('{"seed": 7}', encoding="utf-8-sig")
    assert presets.load("marked", tmp_path).seed == 7
    (tmp_path / "folder.json").mkdir()
    assert "folder" not in presets.names(tmp_path)
    with pytest.raises(ValueError, match="no palette named 'nowhere'"):
        presets.load_palette("nowhere")


def test_labels():
    assert presets.label("rolling_hills") == "Rolling Hills"
    assert presets.label("My mesa") == "My mesa"


@pytest.mark.parametrize("name", presets.names())
def test_every_preset_that_comes_along_makes_land(name):
    recipe = presets.load(name)
    assert Recipe.from_json(recipe.to_json()) == recipe
    height = evaluate(recipe, recipe.grid(33)).height
    assert np.isfinite(height).all() and np.ptp(height) > 0
    assert recipe.about
