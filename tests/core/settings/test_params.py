# SPDX-License-Identifier: GPL-3.0-or-later
"""Declared settings: what they accept, and what they say when they do not."""

import dataclasses
import math

import pytest

from terrain_addon.core import Bake, Layer, Palette, Recipe, Region, Water
from terrain_addon.core.layers import LAYERS, MASKS
from terrain_addon.core.settings import NOT_ZERO, Settings, param, settings_of

EVERY_CLASS = [*LAYERS.values(), *MASKS.values(), Layer, Recipe, Water, Palette, Region, Bake]


class Sample(Settings):
    share: float = param(0.5, label="Share", help="A share", min=0.0, max=1.0)
    free: float = param(1.0, label="Free", help="Any number")
    count: int = param(3, label="Count", help="A count", min=1, max=10)
    on: bool = param(True, label="On", help="A switch")
    word: str = param("", label="Word", help="A text")
    mode: str = param(
        "a", label="Mode", help="A choice", choices=[("a", "A", "First"), ("b", "B", "Second")]
    )
    paint: str = param("#102030", label="Paint", help="A color", color=True)


def test_kinds_follow_from_the_declaration():
    kinds = {s.name: s.kind for s in settings_of(Sample)}
    assert list(kinds.values()) == ["float", "float", "int", "bool", "text", "choice", "color"]
    assert list(Sample().to_dict()) == list(kinds)


class Behind(Settings):
    shown_last = True
    height: float = param(1.0, label="Height", help="A height")
    place: float = param(2.0, label="Place", help="A place")


class Before(Behind):
    size: float = param(3.0, label="Size", help="A size")
    height: float = param(4.0, label="Height", help="A height")


class After(Before):
    last: float = param(5.0, label="Last", help="One more")


def test_what_is_shown_last_comes_behind_what_subclasses_declare():
    names = ["height", "place"]
    assert [s.name for s in settings_of(Behind)] == names
    assert [s.name for s in settings_of(Before)] == ["size", *names]
    assert [s.name for s in settings_of(After)] == ["size", "last", *names]
    assert After().to_dict() == {"size": 3.0, "last": 5.0, "height": 4.0, "place": 2.0}


def test_values_beyond_the_limits_are_held_there():
    share, free, *_ = settings_of(Sample)
    assert [share.limited(v) for v in (-1.0, 0.3, 2.0)] == [0.0, 0.3, 1.0]
    assert free.limited(-1e9) == -1e9


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("share", 1.5, "here.share: 1.5 is above the largest value, 1"),
        ("share", -1, "here.share: -1 is below the smallest value, 0"),
        ("share", math.nan, "here.share: nan is not a finite number"),
        ("free", math.inf, "here.free: inf is not a finite number"),
        ("free", 10**400, "is not a finite number"),
        ("share", "0.5", "here.share: expected a number, not '0.5'"),
        ("share", None, "here.share: expected a number, not None"),
        ("share", True, "here.share: expected a number, not True"),
        ("count", 3.0, "here.count: expected a whole number, not 3.0"),
        ("count", False, "here.count: expected a whole number, not False"),
        ("count", 11, "here.count: 11 is above the largest value, 10"),
        ("on", 1, "here.on: expected true or false, not 1"),
        ("word", 3, "here.word: expected a text, not 3"),
        ("mode", "c", "here.mode: 'c' is not one of a, b"),
        ("mode", [], r"here.mode: \[\] is not one of a, b"),
        ("paint", "#12345", "here.paint: expected an sRGB color such as #8DB255"),
        ("paint", "12345678", "here.paint: expected an sRGB color"),
        ("paint", "#12345é", "here.paint: expected an sRGB color"),
        ("paint", "", "here.paint: expected an sRGB color"),
        ("other", 1, "here.other: unknown setting; known here: share, free, count"),
    ],
)
def test_wrong_values_are_refused_by_path(key, value, message):
    with pytest.raises(ValueError, match=message):
        Sample.from_dict({key: value}, "here")


@pytest.mark.parametrize("key", ["x" * 100_000, "a key\n" * 10_000, "\x1b[31m", 7])
def test_unknown_keys_are_shortened(key):
    with pytest.raises(ValueError, match="unknown setting; known here: share") as error:
        Sample.from_dict({key: 1}, "here")
    assert len(str(error.value)) < 200
    assert str(error.value).isprintable()


@pytest.mark.parametrize("data", [None, [], "text", 3])
def test_settings_must_be_an_object(data):
    with pytest.raises(ValueError, match="here: expected an object"):
        Sample.from_dict(data, "here")


def test_values_are_brought_to_their_type():
    made = Sample(share=1, paint="#abcdef")
    assert type(made.share) is float
    assert made.paint == "#ABCDEF"


def test_settings_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Sample().share = 0.1


UNITS = ("", "m", "deg", "factor", "map", "image", "shape", "curve", "nodes", "grid")


@pytest.mark.parametrize("cls", EVERY_CLASS, ids=lambda cls: cls.__name__)
def test_every_setting_is_well_declared(cls):
    for setting in settings_of(cls):
        where = f"{cls.__name__}.{setting.name}"
        assert setting.checked(setting.default, where) == setting.default
        for text in (setting.label, setting.help, *(c.help for c in setting.choices)):
            assert text == text.strip() and text and not text.endswith("."), where
        hard_low, hard_high = setting.min, setting.max
        for soft in (setting.soft_min, setting.soft_max):
            if soft is not None:
                assert hard_low is None or soft >= hard_low, where
                assert hard_high is None or soft <= hard_high, where
        assert setting.unit in UNITS, where
        keys = [choice.key for choice in setting.choices]
        assert len(set(keys)) == len(keys) and all(keys), where


@pytest.mark.parametrize("cls", EVERY_CLASS, ids=lambda cls: cls.__name__)
def test_settings_are_hidden_by_values_that_exist(cls):
    known = {setting.name: setting for setting in settings_of(cls)}
    for setting in known.values():
        if setting.shown_if:
            other, wanted = setting.shown_if
            for value in wanted:
                known[other].checked(value, setting.name)
            if wanted == NOT_ZERO:
                nothing = "" if known[other].kind == "text" else 0
                assert known[other].checked(nothing, setting.name) == nothing
