# SPDX-License-Identifier: GPL-3.0-or-later
"""Inverse map projections: longitude and latitude of projected coordinates.

Sources: John P. Snyder, *Map Projections: A Working Manual*, USGS Professional Paper 1395, 1987;
IOGP, *Geomatics Guidance Note 7, part 2*, 2022 (Oblique Stereographic, Hotine Oblique Mercator);
Charles F. F. Karney, "Transverse Mercator with an accuracy of a few nanometers", *Journal of
Geodesy*, 2011 (the series of Krüger).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import asin, atan, atan2, atanh, cos, cosh, exp, hypot, log, pi, sin, sinh, sqrt, tan

from .ellipsoid import Ellipsoid

Place = tuple[float, float]
Values = Mapping[str, float]
Inverse = Callable[[Values, Ellipsoid, float, float], Place]
"""Longitude from the central meridian and latitude in radians, of meters from the false origin."""

TRUE = "true"
"""A projection whose lengths, where it is used, are those of the ground within 0.1 %."""
ROUNDS = 20
"""Iterations at most, each of which adds at least two digits."""
ANGLES = ("lat_0", "lon_0", "lat_1", "lat_2", "lat_ts", "alpha", "gamma")
_AXES = ("x_0", "y_0")
DIGITS = {**dict.fromkeys(ANGLES, 9), **dict.fromkeys(_AXES, 4)}
"""Decimals of parameters: a tenth of a millimeter, beyond which files round differently."""


@dataclass(frozen=True)
class Projection:
    """A map projection.

    Attributes
    ----------
    method : one of :data:`METHODS`, :data:`TRUE`, or the name of another one
    values : of the method's parameters, in their order, rounded to a tenth of a millimeter;
        degrees and meters
    """

    method: str
    values: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        fields = METHODS[self.method][0] if self.is_known else ()
        pairs = zip(fields, self.values, strict=True)
        rounded = tuple(round(value, DIGITS.get(name, 11)) for name, value in pairs)
        object.__setattr__(self, "values", rounded)

    @classmethod
    def of(cls, method: str, given: Values) -> Projection:
        """Return a projection with the parameters that are given, and the usual others."""
        fields, _ = METHODS[method]
        return cls(method, tuple(given.get(field, USUAL.get(field, 0.0)) for field in fields))

    @property
    def is_known(self) -> bool:
        """Whether there is a formula."""
        return self.method in METHODS

    @property
    def parameters(self) -> dict[str, float]:
        """Values by the names of the parameters; degrees and meters."""
        return dict(zip(METHODS[self.method][0], self.values, strict=True)) if self.is_known else {}

    def inverse(self, body: Ellipsoid, x: float, y: float) -> Place:
        """Longitude and latitude in radians of coordinates in meters.

        Raises ValueError for coordinates that are none of the projection.

        Examples
        --------
        >>> from terrain_addon.core.elevation.systems.ellipsoid import WGS84
        >>> web = Projection.of("webmerc", {})
        >>> round(math.degrees(web.inverse(WGS84, 0.0, 8399737.9)[1]), 5)
        60.0
        """
        fields, function = METHODS[self.method]
        values = {
            name: math.radians(value) if name in ANGLES else value
            for name, value in zip(fields, self.values, strict=True)
        }
        try:
            east, north = function(values, body, x - values["x_0"], y - values["y_0"])
        except (ArithmeticError, ValueError):
            east = north = math.nan
        if not (math.isfinite(east) and abs(north) <= pi / 2 + 1e-9):
            raise ValueError(
                f"the place {x:.10g}, {y:.10g} lies outside its projection: "
                "state the spacing in meters, or convert it with gdalwarp -t_srs"
            )
        return values["lon_0"] + east, north


USUAL = {"k_0": 1.0}


def _m(e2: float, phi: float) -> float:
    """Return the radius of a parallel as a share of the equatorial one."""
    return cos(phi) / sqrt(1 - e2 * sin(phi) ** 2)


def _t(e2: float, phi: float) -> float:
    """Return the tangent of half the conformal colatitude."""
    e = sqrt(e2)
    return tan(pi / 4 - phi / 2) * exp(e * atanh(e * sin(phi)))


def _of_t(e2: float, t: float) -> float:
    """Return the latitude: the inverse of :func:`_t`."""
    e, phi = sqrt(e2), pi / 2 - 2 * atan(t)
    for _ in range(ROUNDS):
        phi = pi / 2 - 2 * atan(t * exp(-e * atanh(e * sin(phi))))
    return phi


def _q(e2: float, phi: float) -> float:
    """Return twice the sine of the authalic latitude, not normalized."""
    e, sine = sqrt(e2), sin(phi)
    if not e:
        return 2 * sine
    return (1 - e2) * (sine / (1 - e2 * sine**2) + atanh(e * sine) / e)


def _of_q(e2: float, q: float) -> float:
    """Return the latitude: the inverse of :func:`_q`, by bisection, which is safe at the poles."""
    share = q / _q(e2, pi / 2)
    if abs(share) > 1:
        raise ValueError
    low, high = -pi / 2, pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _q(e2, middle) < q else (low, middle)
    return (low + high) / 2


def rectifying(body: Ellipsoid) -> tuple[float, tuple[float, ...], tuple[float, ...]]:
    """Return the radius of the rectifying sphere, and the series of Krüger forward and back.

    They go to the sixth order of the third flattening (Karney, equations 14, 35 and 36).
    """
    n = body.flattening / (2 - body.flattening)
    radius = body.radius / (1 + n) * (1 + n**2 / 4 + n**4 / 64 + n**6 / 256)
    forward, back = (
        tuple(sum(c * n**k for k, c in enumerate(row, j)) for j, row in enumerate(series, 1))
        for series in (_FORWARD, _BACK)
    )
    return radius, forward, back


_FORWARD = (
    (1 / 2, -2 / 3, 5 / 16, 41 / 180, -127 / 288, 7891 / 37800),
    (13 / 48, -3 / 5, 557 / 1440, 281 / 630, -1983433 / 1935360),
    (61 / 240, -103 / 140, 15061 / 26880, 167603 / 181440),
    (49561 / 161280, -179 / 168, 6601661 / 7257600),
    (34729 / 80640, -3418889 / 1995840),
    (212378941 / 319334400,),
)
_BACK = (
    (1 / 2, -2 / 3, 37 / 96, -1 / 360, -81 / 512, 96199 / 604800),
    (1 / 48, 1 / 15, -437 / 1440, 46 / 105, -1118711 / 3870720),
    (17 / 480, -37 / 840, -209 / 4480, 5569 / 90720),
    (4397 / 161280, -11 / 504, -830251 / 7257600),
    (4583 / 161280, -108847 / 3991680),
    (20648693 / 638668800,),
)


def _meridian(body: Ellipsoid, phi: float) -> float:
    """Return the meters along the meridian from the equator."""
    radius, forward, _ = rectifying(body)
    chi = pi / 2 - 2 * atan(_t(body.e2, phi))
    return radius * (chi + sum(a * sin(2 * (j + 1) * chi) for j, a in enumerate(forward)))


def _mercator(p: Values, body: Ellipsoid, x: float, y: float) -> Place:
    scale = body.radius * p["k_0"] * _m(body.e2, p["lat_ts"])
    return x / scale, _of_t(body.e2, exp(-y / scale))


def _web_mercator(p: Values, body: Ellipsoid, x: float, y: float) -> Place:
    return x / body.radius, pi / 2 - 2 * atan(exp(-y / body.radius))


def _equidistant(p: Values, body: Ellipsoid, x: float, y: float) -> Place:
    return x / (body.radius * cos(p["lat_ts"])), y / body.radius + p["lat_0"]


def _transverse(p: Values, body: Ellipsoid, x: float, y: float) -> Place:
    radius, _, back = rectifying(body)
    scale = radius * p["k_0"]
    xi, eta = y / scale + _meridian(body, p["lat_0"]) / radius, x / scale
    north, east = xi, eta
    for j, b in enumerate(back, 1):
        north -= b * sin(2 * j * xi) * cosh(2 * j * eta)
        east -= b * cos(2 * j * xi) * sinh(2 * j * eta)
    if abs(north) > pi / 2 or abs(eta) > pi / 2:  # beyond the pole, or a quarter of the globe away
        raise ValueError
    chi = asin(sin(north) / cosh(east))
    return atan2(sinh(east), cos(north)), _of_t(body.e2, tan(pi / 4 - chi / 2))


def _lambert(p: Values, body: Ellipsoid, x: float, y: float) -> Place:
    e2, first, second = body.e2, p["lat_1"], p["lat_2"]
    n = sin(first)
    if abs(first - second) > 1e-10:
        n = log(_m(e2, first) / _m(e2, second)) / log(_t(e2, first) / _t(e2, second))
    scale = body.radius * p["k_0"] * _m(e2, first) / (n * _t(e2, first) ** n)
    down = scale * _t(e2, p["lat_0"]) ** n - y if abs(p["lat_0"]) < pi / 2 - 1e-12 else -y
    sign = math.copysign(1, n)
    t = (sign * hypot(x, down) / scale) ** (1 / n)
    return atan2(sign * x, sign * down) / n, _of_t(e2, t)


def _polar(p: Values, body: Ellipsoid, x: float, y: float) -> Place:
    e2, sign = body.e2, math.copysign(1, p["lat_0"])
    e = sqrt(e2)
    scale = 2 * body.radius * p["k_0"] / sqrt((1 + e) ** (1 + e) * (1 - e) ** (1 - e))
    parallel = sign * p["lat_ts"]
    if parallel < pi / 2 - 1e-9:
        scale = body.radius * _m(e2, parallel) / _t(e2, parallel)
    return atan2(x, -sign * y), sign * _of_t(e2, hypot(x, y) / scale)


def _oblique_stereographic(p: Values, body: Ellipsoid, x: float, y: float) -> Place:
    e2, e, phi = body.e2, sqrt(body.e2), p["lat_0"]
    sine, flat = sin(phi), 1 - e2 * sin(phi) ** 2
    radius = body.radius * sqrt(1 - e2) / flat * p["k_0"]  # the geometric mean of both curvatures
    n = sqrt(1 + e2 * cos(phi) ** 4 / (1 - e2))
    w = ((1 + sine) / (1 - sine) * ((1 - e * sine) / (1 + e * sine)) ** e) ** n
    first = (w - 1) / (w + 1)
    c = (n + sine) * (1 - first) / ((n - sine) * (1 + first))
    chi0 = asin((c * w - 1) / (c * w + 1))
    rho = hypot(x, y)
    if not rho:
        return 0.0, phi
    angle = 2 * atan(rho / (2 * radius))
    chi = asin(cos(angle) * sin(chi0) + y * sin(angle) * cos(chi0) / rho)
    east = atan2(x * sin(angle), rho * cos(chi0) * cos(angle) - y * sin(chi0) * sin(angle))
    psi = log((1 + sin(chi)) / (c * (1 - sin(chi)))) / (2 * n)
    return east / n, _of_t(e2, exp(-psi))


def _albers(p: Values, body: Ellipsoid, x: float, y: float) -> Place:
    e2, first, second = body.e2, p["lat_1"], p["lat_2"]
    n, m1 = sin(first), _m(e2, first)
    if abs(first - second) > 1e-10:
        n = (m1**2 - _m(e2, second) ** 2) / (_q(e2, second) - _q(e2, first))
    c = m1**2 + n * _q(e2, first)
    down = body.radius * sqrt(c - n * _q(e2, p["lat_0"])) / n - y
    q = (c - (hypot(x, down) * n / body.radius) ** 2) / n
    sign = math.copysign(1, n)
    return atan2(sign * x, sign * down) / n, _of_q(e2, q)


def _azimuthal(p: Values, body: Ellipsoid, x: float, y: float) -> Place:
    """Invert Lambert's azimuthal equal-area projection."""
    e2, phi = body.e2, p["lat_0"]
    most = _q(e2, pi / 2)
    radius = body.radius * sqrt(most / 2)
    beta = asin(max(-1.0, min(1.0, _q(e2, phi) / most)))
    polar = abs(phi) > pi / 2 - 1e-9
    d = 1.0 if polar else body.radius * _m(e2, phi) / (radius * cos(beta))
    x, y = x / d, y * d
    rho = hypot(x, y)
    if not rho:
        return 0.0, phi
    angle = 2 * asin(rho / (2 * radius))
    sine = cos(angle) * sin(beta) + y * sin(angle) * cos(beta) / rho
    east = atan2(x * sin(angle), rho * cos(beta) * cos(angle) - y * sin(beta) * sin(angle))
    return east, _of_q(e2, most * sine)


def _cylindrical(p: Values, body: Ellipsoid, x: float, y: float) -> Place:
    """Invert Lambert's cylindrical equal-area projection."""
    k = _m(body.e2, p["lat_ts"])
    return x / (body.radius * k), _of_q(body.e2, 2 * y * k / body.radius)


def _sinusoidal(p: Values, body: Ellipsoid, x: float, y: float) -> Place:
    radius, _, back = rectifying(body)
    mu = y / radius
    if abs(mu) > pi / 2:
        raise ValueError
    chi = mu - sum(b * sin(2 * j * mu) for j, b in enumerate(back, 1))
    phi = _of_t(body.e2, tan(pi / 4 - chi / 2))
    return x / (body.radius * _m(body.e2, phi)), phi


def _hotine(p: Values, body: Ellipsoid, x: float, y: float) -> Place:
    """Invert Hotine's oblique Mercator projection; from its center (variant B) if ``center``."""
    e2, phi, alpha = body.e2, p["lat_0"], p["alpha"]
    flat, sign = 1 - e2 * sin(phi) ** 2, math.copysign(1, phi)
    b = sqrt(1 + e2 * cos(phi) ** 4 / (1 - e2))
    a = body.radius * b * p["k_0"] * sqrt(1 - e2) / flat
    d = max(1.0, b * sqrt(1 - e2) / (cos(phi) * sqrt(flat)))
    f = d + sign * sqrt(d * d - 1)
    h, tilt = f * _t(e2, phi) ** b, asin(sin(alpha) / d)
    west = -asin(max(-1.0, min(1.0, (f - 1 / f) / 2 * tan(tilt)))) / b
    u, v = (y * cos(p["gamma"]) + x * sin(p["gamma"]), x * cos(p["gamma"]) - y * sin(p["gamma"]))
    if p["center"]:
        upright = abs(abs(alpha) - pi / 2) < 1e-9
        u += -a * west if upright else sign * a / b * atan2(sqrt(d * d - 1), cos(alpha))
    s, t = -sinh(b * v / a), cosh(b * v / a)
    high = sin(b * u / a)
    sine = (high * cos(tilt) + s * sin(tilt)) / t
    north = _of_t(e2, (h / sqrt((1 + sine) / (1 - sine))) ** (1 / b))
    return west - atan2(s * cos(tilt) - high * sin(tilt), cos(b * u / a)) / b, north


METHODS: dict[str, tuple[tuple[str, ...], Inverse]] = {
    "merc": (("lat_ts", "lon_0", "k_0", *_AXES), _mercator),
    "webmerc": (("lon_0", *_AXES), _web_mercator),
    "eqc": (("lat_ts", "lat_0", "lon_0", *_AXES), _equidistant),
    "tmerc": (("lat_0", "lon_0", "k_0", *_AXES), _transverse),
    "lcc": (("lat_0", "lon_0", "lat_1", "lat_2", "k_0", *_AXES), _lambert),
    "stere": (("lat_0", "lat_ts", "lon_0", "k_0", *_AXES), _polar),
    "sterea": (("lat_0", "lon_0", "k_0", *_AXES), _oblique_stereographic),
    "aea": (("lat_0", "lon_0", "lat_1", "lat_2", *_AXES), _albers),
    "laea": (("lat_0", "lon_0", *_AXES), _azimuthal),
    "cea": (("lat_ts", "lon_0", *_AXES), _cylindrical),
    "sinu": (("lon_0", *_AXES), _sinusoidal),
    "omerc": (("lat_0", "lon_0", "alpha", "gamma", "k_0", "center", *_AXES), _hotine),
}
"""Parameters and formulas by the names that PROJ has for the methods."""
