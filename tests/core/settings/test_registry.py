# SPDX-License-Identifier: GPL-3.0-or-later
import importlib

import pytest

from terrain_addon.core.layers import GENERATE, LAYERS, SHAPE, LayerKind, layer
from terrain_addon.core.settings.registry import Registry, load_modules


def test_a_kind_is_registered_once():
    registry = Registry("thing")
    registry.add("one", int)
    assert list(registry) == ["one"] and registry["one"] is int and len(registry) == 1
    with pytest.raises(ValueError, match="There is already a thing named 'one'"):
        registry.add("one", str)
    registry.remove("one")
    assert "one" not in registry


@pytest.mark.parametrize("key", ["", "two words", "dash-ed", "1st", "x" * 41])
def test_keys_are_names(key):
    with pytest.raises(ValueError, match="cannot name a thing"):
        Registry("thing").add(key, int)


@pytest.mark.parametrize("key", ["nothing", None, 3, []])
def test_finding_what_is_not_there_names_what_is(key):
    registry = Registry("thing")
    registry.add("one", int)
    with pytest.raises(ValueError, match="here: there is no thing named .*; known: one"):
        registry.find(key, "here")


def test_layers_are_generators_or_shapers():
    assert {cls.group for cls in LAYERS.values()} <= {GENERATE, SHAPE}
    with pytest.raises(ValueError, match="group must be"):
        layer("odd", label="Odd", help="Odd", group="other")(LayerKind)
    assert "odd" not in LAYERS


def test_modules_register_in_the_order_that_is_asked_for(tmp_path, monkeypatch):
    package = tmp_path / "ordered"
    package.mkdir()
    (package / "__init__.py").write_text("order = []\n")
    for name in ("a", "b", "c", "_hidden"):
        (package / f"{name}.py").write_text("from . import order\norder.append(__name__)\n")
    monkeypatch.syspath_prepend(tmp_path)
    ordered = importlib.import_module("ordered")
    load_modules("ordered", first=("c",))
    assert ordered.order == ["ordered.c", "ordered.a", "ordered.b"]
