# SPDX-License-Identifier: GPL-3.0-or-later
"""Declared settings.

A settings class is a frozen dataclass with fields declared by :func:`param`. Each declaration
(type, default, limits, unit, label, help) drives validation, JSON, the Blender properties, the user
interface and the reference documentation.
"""

from __future__ import annotations

import builtins
import dataclasses
import math
import reprlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, cast

import numpy as np

METADATA_KEY = "setting"
WHOLE: tuple[type[Any], ...] = (int, np.integer)
REAL: tuple[type[Any], ...] = (float, np.floating)
"""Types accepted as numbers; those of NumPy are converted."""
T = TypeVar("T")
LIMITS = {"m": (-1e7, 1e7), "factor": (0.0, 1.0)}
"""Hard limits by unit, where none are declared. Products of two lengths must fit into float32."""
USUAL_LENGTH = 1000.0
"""Meters, the soft limit of a length that declares no limit: the default size of a terrain."""
LONGEST_KEY = 40
"""Characters of a key that messages show in full."""
LONG = 10**20
"""Messages give only the length of whole numbers from here on."""


@dataclass(frozen=True)
class Choice:
    """One value of a setting with choices."""

    key: str
    label: str
    help: str


NOT_ZERO: tuple[Any, ...] = ()
"""All values but 0, for ``shown_if``."""


@dataclass(frozen=True)
class Setting:
    """The declaration of one setting.

    ``kind`` is one of float, int, bool, choice, text, color. ``min`` and ``max`` are hard limits;
    ``soft_min`` and ``soft_max`` bound a slider, and are the usual range of a length, which is no
    slider. ``unit`` is "m" (meters), "deg" (degrees), "factor" (0 to 1 shown as a slider), "map" (a
    text that names a painted map), "image" (a text that names an image of colors), "shape" (a text
    that names a shape), "path" (a text that names a file), "curve" (a text with the points of a
    curve), "nodes" (a text that names a node group), "grid" (a text that programs write, which is
    not shown) or "". ``shown_if`` names another setting of the class and the values of it, or
    NOT_ZERO, for which this one has a meaning.
    """

    name: str
    kind: str
    default: Any
    label: str
    help: str
    min: float | None = None
    max: float | None = None
    soft_min: float | None = None
    soft_max: float | None = None
    unit: str = ""
    choices: tuple[Choice, ...] = ()
    shown_if: tuple[str, tuple[Any, ...]] | None = None
    advanced: bool = False

    def checked(self, value: Any, path: str) -> Any:
        """Return ``value`` in this setting's type, or raise a ValueError that names ``path``."""
        return _CHECKS[self.kind](self, value, path)

    def limited(self, value: float) -> float:
        """Return ``value``, or the hard limit that it lies beyond."""
        value = value if self.min is None else max(value, self.min)
        return value if self.max is None else min(value, self.max)

    def has_effect(self, group: Any, known: Mapping[str, Setting]) -> bool:
        """Return whether it has an effect now, as given by the setting of ``group`` it depends
        on."""
        if self.shown_if is None:
            return True
        name, values = self.shown_if
        value = getattr(group, name)
        means = value in values if values != NOT_ZERO else bool(value)
        return means and known[name].has_effect(group, known)


class _Shown(reprlib.Repr):
    """Values in messages, abbreviated."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxstring, self.maxother = 3, 80, 80

    def repr_int(self, x: int, level: int) -> str:
        if abs(x) < LONG:
            return repr(x)
        # Python writes no more than 4300 digits.
        digits = int(x.bit_length() * math.log10(2)) + 1
        return f"{'-' if x < 0 else ''}(a number of about {digits} digits)"


def short_repr(value: object) -> str:
    """Return the repr of a value for messages, abbreviated to about a line."""
    return _Shown().repr(value)


def _limit(number: float) -> str:
    """Format a limit for messages, whole numbers in full."""
    whole = float(number).is_integer() and abs(number) < LONG
    return str(int(number)) if whole else f"{number:g}"


def _check_number(setting: Setting, value: Any, path: str) -> float | int:
    whole = setting.kind == "int"
    if isinstance(value, bool) or not isinstance(value, WHOLE if whole else (*WHOLE, *REAL)):
        raise ValueError(
            f"{path}: expected a {'whole ' if whole else ''}number, not {short_repr(value)}"
        )
    # Converted, since a float16 cannot be compared with most limits.
    value = int(value) if isinstance(value, WHOLE) else float(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{path}: {short_repr(value)} is not a finite number")
    if setting.min is not None and value < setting.min:
        raise ValueError(
            f"{path}: {short_repr(value)} is below the smallest value, {_limit(setting.min)}"
        )
    if setting.max is not None and value > setting.max:
        raise ValueError(
            f"{path}: {short_repr(value)} is above the largest value, {_limit(setting.max)}"
        )
    if not whole and abs(value) > sys.float_info.max:  # a whole number beyond all floats
        raise ValueError(f"{path}: {short_repr(value)} is not a finite number")
    return int(value) if whole else float(value)


def _check_bool(setting: Setting, value: Any, path: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{path}: expected true or false, not {short_repr(value)}")
    return value


def _check_text(setting: Setting, value: Any, path: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{path}: expected a text, not {short_repr(value)}")
    return value


def _check_choice(setting: Setting, value: Any, path: str) -> str:
    keys = [choice.key for choice in setting.choices]
    if value not in keys:
        raise ValueError(f"{path}: {short_repr(value)} is not one of {', '.join(keys)}")
    return cast(str, value)


def _check_color(setting: Setting, value: Any, path: str) -> str:
    text = _check_text(setting, value, path)
    digits = text[1:]
    if len(digits) != 6 or text[0] != "#" or not all(c in "0123456789abcdefABCDEF" for c in digits):
        raise ValueError(f"{path}: expected an sRGB color such as #8DB255, not {short_repr(value)}")
    return text.upper()


_CHECKS = {
    "float": _check_number,
    "int": _check_number,
    "bool": _check_bool,
    "text": _check_text,
    "choice": _check_choice,
    "color": _check_color,
}


def param(
    default: Any,
    label: str,
    help: str,
    *,
    min: float | None = None,
    max: float | None = None,
    soft_min: float | None = None,
    soft_max: float | None = None,
    unit: str = "",
    choices: Sequence[tuple[str, str, str]] = (),
    color: bool = False,
    shown_if: tuple[str, tuple[Any, ...]] | None = None,
    advanced: bool = False,
) -> Any:
    """Declare a setting of a :class:`Settings` class.

    Parameters
    ----------
    default : object
        Bool, int, float or str, from which the type follows.
    label, help : str
        Name and tooltip; a tooltip has no final period.
    min, max : float, optional
        Hard limits; lengths ("m") default to +-1e7, factors to 0 and 1.
    soft_min, soft_max : float, optional
        Limits of the slider, or the usual range of a length; of a length without hard limits +-1000
        or more.
    unit : str, default ''
        See :class:`Setting`.
    choices : sequence of tuple of str, optional
        (key, label, help) of the values allowed; keys are permanent, saved files hold them.
    color : bool, default False
        Whether the text is an sRGB color such as "#8DB255".
    shown_if : tuple of (str, tuple of object), optional
        Name of another setting and the values of it, or NOT_ZERO, that show this one.
    advanced : bool, default False
        Whether it is shown among the advanced settings only.

    Examples
    --------
    >>> class Hill(Settings):
    ...     height: float = param(50.0, "Height", "Height of the top", unit="m")
    >>> Hill(height=80).height
    80.0
    >>> Hill(height=1e9)
    Traceback (most recent call last):
    ValueError: height: 1000000000.0 is above the largest value, 10000000
    """
    kind = (
        "choice"
        if choices
        else "color"
        if color
        else {bool: "bool", int: "int", float: "float", str: "text"}[type(default)]
    )
    lowest, highest = LIMITS.get(unit, (None, None))
    if unit == "m":
        reach = builtins.max(USUAL_LENGTH, 2 * abs(default))
        soft_min = -reach if min is None and soft_min is None else soft_min
        soft_max = reach if max is None and soft_max is None else soft_max
    setting = Setting(
        name="",
        kind=kind,
        default=default,
        label=label,
        help=help,
        min=lowest if min is None else min,
        max=highest if max is None else max,
        soft_min=soft_min,
        soft_max=soft_max,
        unit=unit,
        choices=tuple(Choice(*choice) for choice in choices),
        shown_if=shown_if,
        advanced=advanced,
    )
    return declared(setting)


seed_param = partial(param, 0, "Seed", min=-(2**31), max=2**31 - 1)
"""Declares the setting "seed", a 32-bit integer."""
factor_param = partial(param, unit="factor")
"""Declares a factor, 0 to 1."""
angle_param = partial(param, unit="deg", min=0.0, max=90.0)
"""Declares an angle from 0 degrees."""
length_param = partial(param, unit="m", min=0.0, max=1e5)
"""Declares a length in meters, which may be 0."""
size_param = partial(param, unit="m", min=1e-3, soft_min=1.0, soft_max=2000.0)
"""Declares a length in meters that others are divided by."""
height_param = partial(param, unit="m", min=-1e5, max=1e5, soft_min=0.0, soft_max=2000.0)
"""Declares a height in meters, which may be below 0."""


def declared(setting: Setting) -> Any:
    """Declare a setting from its description; returns what :func:`param` returns."""
    return dataclasses.field(default=setting.default, metadata={METADATA_KEY: setting})


def meters(length: float) -> str:
    """Format a length in meters to three digits, with its unit."""
    return f"{float(f'{length:.3g}'):g} m"


class Settings:
    """Base of all settings classes: subclasses become frozen keyword-only dataclasses.

    Raises
    ------
    ValueError
        A wrong type, a number out of range or not finite, or an unknown choice.
    """

    shown_last: ClassVar[bool] = False
    """Whether settings of this class come after those of its subclasses."""
    unset_notes: ClassVar[Mapping[str, str]] = {}
    """Notes to show beside settings, by name, while they are empty."""

    if TYPE_CHECKING:  # type checkers do not see what __init_subclass__ adds
        __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[Any]]]

        def __init__(self, **values: Any) -> None: ...

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        dataclass(frozen=True, kw_only=True)(cls)

    def __post_init__(self) -> None:
        for setting in settings_of(type(self)):
            value = setting.checked(getattr(self, setting.name), setting.name)
            object.__setattr__(self, setting.name, value)

    def unit_of(self, name: str) -> str:
        """Return the unit of a setting: the declared one, unless it depends on other settings.

        Raises KeyError if there is no such setting.
        """
        return {setting.name: setting.unit for setting in settings_of(type(self))}[name]

    def note_on(self, name: str, size: float, length: Callable[[float], str] = meters) -> str:
        """Return a note to show beside a setting, such as the number behind "automatic", or "".

        ``size`` is the longer side of the terrain in meters. ``length`` formats meters in the
        user's units.
        """
        unset = name in self.unset_notes and not getattr(self, name)
        return self.unset_notes[name] if unset else ""

    def automatic(self, size: float, relief: float) -> Mapping[str, float]:
        """Return numbers behind settings that are "automatic", on a terrain with a longer side of
        ``size`` meters and ``relief`` meters between its lowest and highest point."""
        return {}

    @property
    def map_names(self) -> tuple[str, ...]:
        """Names of the painted maps that the settings refer to."""
        return self._texts("map")

    @property
    def shape_names(self) -> tuple[str, ...]:
        """Names of the shapes that the settings refer to."""
        return self._texts("shape")

    def _texts(self, unit: str) -> tuple[str, ...]:
        """Return the texts of a unit that are not empty."""
        names = (
            getattr(self, setting.name)
            for setting in settings_of(type(self))
            if setting.unit == unit
        )
        return tuple(name for name in names if name)

    def to_dict(self) -> dict[str, Any]:
        """Return the declared settings as JSON-ready values, in their order."""
        return {s.name: getattr(self, s.name) for s in settings_of(type(self))}

    @classmethod
    def from_dict(cls, data: Any, path: str) -> Self:
        """Make settings from what :meth:`to_dict` returns; missing settings take their defaults.

        Raises ValueError, with the path of the field, for an unknown key or a wrong value.
        """
        return cls(**checked_values(cls, data, path))


def settings_of(cls: type[Settings]) -> tuple[Setting, ...]:
    """Return the settings of a class in display order, with their names filled in.

    This is the order of declaration, with those of ``shown_last`` bases at the end.
    """
    known = cls.__dict__.get("_declared_settings")
    if known is None:
        found = (
            dataclasses.replace(f.metadata[METADATA_KEY], name=f.name)
            for f in dataclasses.fields(cast(Any, cls))
            if METADATA_KEY in f.metadata
        )
        bases = [base for base in cls.__mro__[1:] if base.__dict__.get("shown_last")]
        last = {setting.name for base in bases for setting in settings_of(base)}
        known = tuple(sorted(found, key=lambda one: one.name in last))
        cls._declared_settings = known  # type: ignore[attr-defined]  # cached per class
    return known


def checked_values(
    cls: type[Settings], data: Any, path: str, *, also: Sequence[str] = ()
) -> dict[str, Any]:
    """Check the declared settings in ``data``; leave the keys in ``also`` to the caller."""
    mapping = checked_mapping(data, path)
    settings = {s.name: s for s in settings_of(cls)}
    unknown = [key for key in mapping if key not in settings and key not in also]
    if unknown:
        allowed = ", ".join([*settings, *also])
        raise ValueError(f"{path}.{_shown_key(unknown[0])}: unknown setting; known here: {allowed}")
    return {
        key: settings[key].checked(value, f"{path}.{key}")
        for key, value in mapping.items()
        if key in settings
    }


def _shown_key(key: Any) -> str:
    """Format a key for messages: in full if it may be meant as a name, else abbreviated."""
    plain = isinstance(key, str) and key.isidentifier() and len(key) <= LONGEST_KEY
    return key if plain else short_repr(key)


def checked_mapping(data: Any, path: str) -> Mapping[str, Any]:
    """Return ``data`` if it is a JSON object, else raise a ValueError that names ``path``."""
    if not isinstance(data, Mapping):
        raise ValueError(f"{path}: expected an object, not {short_repr(data)}")
    return cast(Mapping[str, Any], data)


def checked_part(value: Any, cls: type[T], path: str) -> T:
    """Return ``value`` if it is an instance of a class, else raise a ValueError that names
    ``path``."""
    if not isinstance(value, cls):
        raise ValueError(f"{path}: expected a {cls.__name__}, not {short_repr(value)}")
    return value


def checked_parts(values: Any, cls: type[T], path: str) -> tuple[T, ...]:
    """Check with :func:`checked_part` that each item of a list or tuple is of a class."""
    items = enumerate(checked_list(values, path))
    return tuple(checked_part(item, cls, f"{path}[{i}]") for i, item in items)


def checked_list(data: Any, path: str) -> Sequence[Any]:
    """Return ``data`` if it is a JSON array, else raise a ValueError that names ``path``."""
    if not isinstance(data, list | tuple):
        raise ValueError(f"{path}: expected a list, not {short_repr(data)}")
    return cast(Sequence[Any], data)
