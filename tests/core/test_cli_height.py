# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np
import pytest

from terrain_addon.cli import main
from terrain_addon.core import LAYERS, MASKS, Layer, Recipe


@pytest.fixture
def painted(tmp_path):
    """A recipe file: flat land, lifted to 100 m where the map "Paint" is 1."""
    lift = LAYERS["levels"](in_low=-1.0, in_high=1.0, out_low=100.0, out_high=100.0)
    recipe = Recipe(layers=(Layer.of(lift, masks=(MASKS["map"](source="Paint"),)),))
    path = tmp_path / "land.json"
    path.write_text(recipe.to_json(), encoding="utf-8")
    return ["height", str(path), str(tmp_path / "land.npy"), "--resolution", "9"]


def test_a_map_comes_from_a_file(painted, tmp_path):
    values = np.linspace(0, 1, 81, dtype=np.float32).reshape(9, 9)
    np.save(tmp_path / "paint.npy", values)
    assert main([*painted, "--map", f"Paint={tmp_path / 'paint.npy'}"]) == 0
    np.testing.assert_allclose(np.load(tmp_path / "land.npy"), 100 * values, atol=1e-3)


@pytest.mark.parametrize(
    ("maps", "message"),
    [
        ([], "no map named 'Paint'"),
        (["--map", "Paint"], "expected NAME=FILE"),
        (["--map", "Paint=missing.npy"], "missing.npy"),
    ],
)
def test_a_map_that_is_missing_is_told(painted, tmp_path, capsys, maps, message):
    assert main([*painted, *maps]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "land.npy").exists()
