# SPDX-License-Identifier: GPL-3.0-or-later
import pytest

from terrain_addon import core
from terrain_addon.core.layers import LAYERS, MASKS


@pytest.mark.parametrize("kind", [*LAYERS.values(), *MASKS.values()], ids=lambda kind: kind.key)
def test_the_facade_has_the_settings_of_each_layer_and_mask(kind: type) -> None:
    assert kind.__name__ in dir(core)
    assert getattr(core, kind.__name__) is kind


def test_the_facade_has_no_other_names() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Earthquake'"):
        core.Earthquake  # noqa: B018


def test_the_facade_has_all_that_it_names() -> None:
    assert len(set(core.__all__)) == len(core.__all__)
    assert all(hasattr(core, name) for name in core.__all__)
