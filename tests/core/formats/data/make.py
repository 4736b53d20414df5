# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the GeoTIFF files of this folder with GDAL, and what GDAL reads from them.

Made with rasterio 1.4.4, GDAL 3.10.3: pip install rasterio matplotlib; python make.py
"""

import json
from pathlib import Path

import matplotlib
import numpy as np

HERE = Path(__file__).parent
SAMPLE = Path(matplotlib.get_data_path()) / "sample_data" / "jacksboro_fault_dem.npz"
NORTH_UP = (30, 0, 500000, 0, -25, 5200000)
TURNED = (28.19, 10.26, 500000, 10.26, -28.19, 5200000)
DEGREES = (1 / 3600, 0, 9 - 1 / 7200, 0, -1 / 3600, 47 + 1 / 7200)
FILES = {
    "cog_deflate": ("float32", "EPSG:4326", DEGREES, {"COMPRESS": "DEFLATE", "PREDICTOR": "YES"}),
    "cog_lzw": ("int16", "EPSG:32632", NORTH_UP, {"COMPRESS": "LZW", "PREDICTOR": "YES"}),
    "lzw_float": ("float32", "EPSG:2056", NORTH_UP, {"compress": "lzw", "predictor": 3}),
    "packbits_big": ("int32", "EPSG:32632", NORTH_UP,
                     {"compress": "packbits", "BIGTIFF": "YES", "ENDIANNESS": "BIG"}),
    "turned": ("float64", "EPSG:32632", TURNED, {"compress": "deflate", "predictor": 3}),
    "point": ("uint16", "EPSG:3857", NORTH_UP, {"tiled": True, "blockxsize": 16, "blockysize": 16}),
}  # fmt: skip


def main() -> None:
    import rasterio.shutil  # pyright: ignore[reportMissingImports]

    with np.load(SAMPLE) as data:
        height = data["elevation"][:35, :40].astype(np.float32)
    np.save(HERE / "heights.npy", height)
    expected = {}
    for name, (kind, system, transform, options) in FILES.items():
        values = height.astype(kind)
        voids = [] if kind == "uint16" else [[2, 3], [30, 39]]
        for row, column in voids:
            values[row, column] = -9999
        profile = {
            "driver": "GTiff", "width": 40, "height": 35, "count": 1, "dtype": kind, "crs": system,
            "transform": rasterio.Affine(*transform), "nodata": -9999 if voids else None,
        }  # fmt: skip
        path, first = HERE / f"{name}.tif", HERE / "first.tif"
        is_cog = name.startswith("cog")
        with rasterio.open(
            first if is_cog else path, "w", **profile, **({} if is_cog else options)
        ) as file:
            file.write(values, 1)
            if name == "point":
                file.update_tags(AREA_OR_POINT="Point")
        if is_cog:
            rasterio.shutil.copy(first, path, driver="COG", **options)
            first.unlink()
        with rasterio.open(path) as file:
            samples = [[0, 0], [34, 39], [7, 11]]
            expected[path.name] = {
                "type": kind,
                "voids": voids,
                "epsg": file.crs.to_epsg(),
                "samples": samples,
                "places": [file.xy(*one) for one in samples],
            }
    (HERE / "expected.json").write_text(json.dumps(expected, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
