# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that OGC, GDAL, Esri and EPSG have for projections and their parameters."""

from __future__ import annotations

import re

_MARKS = re.compile(r"[^a-z0-9]+")


def normal(name: str) -> str:
    """Return a name in lower case, with underscores alone between its words.

    Examples
    --------
    >>> normal("Lambert Conic Conformal (2SP)")
    'lambert_conic_conformal_2sp'
    """
    return _MARKS.sub("_", name.lower()).strip("_").replace("centre", "center")


METHOD_NAMES = {
    name: method
    for method, names in {
        "merc": "mercator mercator_1sp mercator_2sp mercator_variant_a mercator_variant_b "
        "mercator_1sp_spherical mercator_variant_c",
        "webmerc": "popular_visualisation_pseudo_mercator mercator_auxiliary_sphere "
        "pseudo_mercator web_mercator mercator_spherical google_mercator",
        "eqc": "equirectangular plate_carree equidistant_cylindrical simple_cylindrical "
        "equidistant_cylindrical_spherical equidistant_cylindrical_ellipsoidal",
        "tmerc": "transverse_mercator transverse_mercator_south_orientated gauss_kruger "
        "transverse_mercator_south_oriented transverse_mercator_complex transverse_mercator_3d "
        "gauss_boaga universal_transverse_mercator",
        "lcc": "lambert_conic_conformal_1sp lambert_conic_conformal_2sp lambert_conformal_conic "
        "lambert_conformal_conic_1sp lambert_conformal_conic_2sp lambert_conic_conformal "
        "lambert_conic_conformal_2sp_belgium lambert_conformal_conic_2sp_belgium "
        "lambert_conic_conformal_2sp_michigan lambert_conformal_conic_2sp_michigan "
        "lambert_conic_conformal_west_orientated lambert_conic_conformal_1sp_variant_b",
        "stere": "polar_stereographic polar_stereographic_variant_a polar_stereographic_variant_b "
        "stereographic stereographic_north_pole stereographic_south_pole",
        "sterea": "oblique_stereographic double_stereographic",
        "aea": "albers albers_equal_area albers_conic_equal_area",
        "laea": "lambert_azimuthal_equal_area",
        "cea": "cylindrical_equal_area lambert_cylindrical_equal_area behrmann",
        "sinu": "sinusoidal",
        "omerc": "hotine_oblique_mercator hotine_oblique_mercator_azimuth_center "
        "hotine_oblique_mercator_azimuth_natural_origin hotine_oblique_mercator_variant_a "
        "hotine_oblique_mercator_variant_b rectified_skew_orthomorphic_center "
        "rectified_skew_orthomorphic_natural_origin oblique_mercator swiss_oblique_cylindrical "
        "swiss_oblique_mercator",
    }.items()
    for name in names.split()
}
"""Methods of :mod:`.projections` by the names of files."""

SMALL_METHODS = frozenset(
    (
        "krovak",
        "krovak_north_orientated",
        "krovak_modified",
        "krovak_modified_north_orientated",
        "hyperbolic_cassini_soldner",
        "new_zealand_map_grid",
        "guam_projection",
        "tunisia_mining_grid",
        "laborde_oblique_mercator",
        "colombia_urban",
        "local_orthographic",
    )
)
"""Projections of areas so small that lengths are those of the ground."""

PARAMETER_NAMES = {
    name: parameter
    for parameter, names in {
        "lat_0": "latitude_of_origin latitude_of_false_origin latitude_of_center "
        "latitude_of_projection_center spherical_latitude_of_origin",
        "lat_n": "latitude_of_natural_origin",
        "lon_0": "central_meridian longitude_of_natural_origin longitude_of_false_origin "
        "longitude_of_center longitude_of_projection_center longitude_of_origin "
        "straight_vertical_longitude_from_pole spherical_longitude_of_origin",
        "lat_1": "standard_parallel_1 latitude_of_1st_standard_parallel",
        "lat_2": "standard_parallel_2 latitude_of_2nd_standard_parallel",
        "lat_ts": "latitude_of_standard_parallel latitude_of_true_scale",
        "k_0": "scale_factor scale_factor_at_natural_origin scale_factor_at_projection_center "
        "scale_factor_on_initial_line ellipsoid_scaling_factor scale_factor_at_center",
        "alpha": "azimuth azimuth_of_initial_line azimuth_at_projection_center",
        "gamma": "rectified_grid_angle angle_from_rectified_to_skew_grid",
        "x_0": "false_easting easting_at_false_origin easting_at_projection_center",
        "y_0": "false_northing northing_at_false_origin northing_at_projection_center",
    }.items()
    for name in names.split()
}
"""Parameters as PROJ calls them by the names of files."""
